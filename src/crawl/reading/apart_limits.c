/* What a process that reads pages may do. The filter names what is allowed, by the number
 * of the call and where it matters by what it is asked for; all else is refused as if
 * there were no right to it, so that a library that would like to look for a file goes on
 * without. */
#include "crawl/reading/apart.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OUR_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OUR_ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define OUR_ARCHITECTURE AUDIT_ARCH_RISCV64
#endif

#ifdef OUR_ARCHITECTURE

/* The lower half of an argument; our machines are little-endian. */
#define ARGUMENT(n) ((uint32_t)(offsetof(struct seccomp_data, args) + 8 * (n)))
#define LOAD(at)    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (at))
#define ALLOW       BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
#define KILL        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)
#define LOAD_NUMBER LOAD((uint32_t)offsetof(struct seccomp_data, nr))
/* The next is done if it is that call, and passed over if not. */
#define IF_CALL(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1)

/* Calls that need no look at what is asked. */
#define FREE(number) IF_CALL(number), ALLOW
/* Memory that would be code is refused. */
#define NO_CODE(number)                                                     \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 4), LOAD(ARGUMENT(2)), \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1), REFUSE, ALLOW
#define ONLY_AT(number, fd)                                                 \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 4), LOAD(ARGUMENT(0)), \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(fd), 1, 0), REFUSE, ALLOW

static bool filter_calls(int socket)
{
    struct sock_filter filter[] = {
        LOAD((uint32_t)offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCHITECTURE, 1, 0),
        KILL,
        LOAD_NUMBER,
        ONLY_AT(SYS_read, socket),
        ONLY_AT(SYS_write, socket),
        NO_CODE(SYS_mmap),
        NO_CODE(SYS_mprotect),
        FREE(SYS_munmap),
        FREE(SYS_mremap),
        FREE(SYS_madvise),
        FREE(SYS_brk),
        FREE(SYS_futex),
        FREE(SYS_sched_yield),
        FREE(SYS_clock_gettime),
        FREE(SYS_getrandom),
        FREE(SYS_rt_sigreturn),
        FREE(SYS_exit),
        FREE(SYS_exit_group),
        REFUSE,
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    /* For every thread that a library may have started. */
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC,
                   &program) == 0;
}

#else

static bool filter_calls(int socket)
{
    (void)socket;
    errno = ENOSYS;
    return false;
}

#endif

/* Who starts us may have set a lower one. */
static bool set_limit(enum __rlimit_resource which, rlim_t most)
{
    struct rlimit limit;
    if (getrlimit(which, &limit))
        return false;
    limit.rlim_max = limit.rlim_max < most ? limit.rlim_max : most;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(which, &limit) == 0;
}

/* A second line behind the filter, and of memory the only one. */
static bool set_limits(size_t most_memory)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    most_memory = RLIM_INFINITY; /* these take it all, and use little */
#endif
    return set_limit(RLIMIT_NOFILE, 0) && set_limit(RLIMIT_FSIZE, 0) &&
           set_limit(RLIMIT_NPROC, 0) && set_limit(RLIMIT_CORE, 0) &&
           set_limit(RLIMIT_AS, most_memory);
}

bool fg_apart_lock_up(int socket, size_t most_memory)
{
    return set_limits(most_memory) && filter_calls(socket);
}
