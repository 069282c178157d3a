/* preload.c - calls that fail on demand, for LD_PRELOAD
 *
 *     FAULTS_KIND=write FAULTS_AT=17 FAULTS_REPORT=file LD_PRELOAD=libfaults.so forage
 * ...
 *
 * The call of that kind with that number (from 1) fails as it may in life; with
 * FAULTS_ON=1, so do all after it. At the end the report has the number of calls of the
 * kind, and before it, if the call was reached, a line "failed". With FAULTS_AT=0 calls
 * are only counted. Allocations are those of the program itself: what the libraries do
 * without memory is their makers' to test. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *kind;
static long at;
static bool goes_on;
static atomic_long calls;
static int report = -1;
static uintptr_t text_first, text_end;

static void say(const char *words)
{
    if (report >= 0)
        syscall(SYS_write, report, words, strlen(words));
}

/* The first object is the program. */
static int find_text(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    (void)context;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X))
            continue;
        text_first = info->dlpi_addr + part->p_vaddr;
        text_end = text_first + part->p_memsz;
    }
    return 1;
}

__attribute__((constructor)) static void start(void)
{
    const char *path = getenv("FAULTS_REPORT"), *number = getenv("FAULTS_AT");
    dl_iterate_phdr(find_text, NULL);
    at = number ? strtol(number, NULL, 10) : 0;
    goes_on = getenv("FAULTS_ON") != NULL;
    if (path)
        report = (int)syscall(SYS_openat, AT_FDCWD, path,
                              O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    unsetenv("LD_PRELOAD"); /* what the program starts is not on trial */
    kind = getenv("FAULTS_KIND");
}

__attribute__((destructor)) static void end(void)
{
    char words[40];
    snprintf(words, sizeof words, "%ld\n", atomic_load(&calls));
    say(words);
}

static bool fails(const char *of_kind)
{
    if (!kind || strcmp(kind, of_kind) != 0)
        return false;
    long number = atomic_fetch_add(&calls, 1) + 1;
    if (!at || number < at || (number > at && !goes_on))
        return false;
    if (number == at)
        say("failed\n");
    return true;
}

static bool is_ours(const void *caller)
{
    return (uintptr_t)caller >= text_first && (uintptr_t)caller < text_end;
}

#define REAL(type, name, ...)         \
    static type (*real)(__VA_ARGS__); \
    if (!real)                        \
    *(void **)&real = dlsym(RTLD_NEXT, name)

/* --- memory; dlsym may need some itself, so glibc's own names are called --- */

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t n, size_t bytes);
extern void *__libc_realloc(void *old, size_t bytes);

#define NO_MEMORY_IF_OURS                                              \
    if (is_ours(__builtin_return_address(0)) && fails("allocation")) { \
        errno = ENOMEM;                                                \
        return NULL;                                                   \
    }

void *malloc(size_t bytes)
{
    NO_MEMORY_IF_OURS
    return __libc_malloc(bytes);
}

void *calloc(size_t n, size_t bytes)
{
    NO_MEMORY_IF_OURS
    return __libc_calloc(n, bytes);
}

void *realloc(void *old, size_t bytes)
{
    NO_MEMORY_IF_OURS
    return __libc_realloc(old, bytes);
}

void *reallocarray(void *old, size_t n, size_t bytes)
{
    NO_MEMORY_IF_OURS
    size_t all;
    if (__builtin_mul_overflow(n, bytes, &all)) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_realloc(old, all);
}

void *mmap(void *where, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    if (fd >= 0 && fails("mmap")) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return (void *)syscall(SYS_mmap, where, bytes, protection, flags, fd, offset);
}

void *mmap64(void *where, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    return mmap(where, bytes, protection, flags, fd, offset);
}

/* --- files: a pipe or a bell for a thread is never full for want of disk --- */

static bool is_file(int fd)
{
    struct stat is;
    return fd != STDERR_FILENO && fstat(fd, &is) == 0 && S_ISREG(is.st_mode);
}

#define FAIL(of_kind, number) \
    if (fails(of_kind)) {     \
        errno = number;       \
        return -1;            \
    }

ssize_t write(int fd, const void *bytes, size_t n)
{
    if (is_file(fd))
        FAIL("write", ENOSPC)
    return syscall(SYS_write, fd, bytes, n);
}

ssize_t pwrite(int fd, const void *bytes, size_t n, off_t offset)
{
    FAIL("write", ENOSPC)
    return syscall(SYS_pwrite64, fd, bytes, n, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t n, off_t offset)
{
    return pwrite(fd, bytes, n, offset);
}

ssize_t writev(int fd, const struct iovec *pieces, int n)
{
    if (is_file(fd))
        FAIL("write", ENOSPC)
    return syscall(SYS_writev, fd, pieces, n);
}

int fsync(int fd)
{
    FAIL("sync", EIO)
    return (int)syscall(SYS_fsync, fd);
}

int fdatasync(int fd)
{
    FAIL("sync", EIO)
    return (int)syscall(SYS_fdatasync, fd);
}

int rename(const char *from, const char *to)
{
    FAIL("rename", EIO)
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int ftruncate(int fd, off_t length)
{
    FAIL("truncate", EIO)
    return (int)syscall(SYS_ftruncate, fd, length);
}

int ftruncate64(int fd, off_t length)
{
    return ftruncate(fd, length);
}

static int open_in(int folder, const char *path, int flags, mode_t mode)
{
    FAIL("open", EMFILE)
    return (int)syscall(SYS_openat, folder, path, flags, mode);
}

static mode_t mode_in(int flags, va_list rest)
{
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
}

#define OPEN(name)                                   \
    int name(const char *path, int flags, ...)       \
    {                                                \
        va_list rest;                                \
        va_start(rest, flags);                       \
        mode_t mode = mode_in(flags, rest);          \
        va_end(rest);                                \
        return open_in(AT_FDCWD, path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                       \
    int name(int folder, const char *path, int flags, ...) \
    {                                                      \
        va_list rest;                                      \
        va_start(rest, flags);                             \
        mode_t mode = mode_in(flags, rest);                \
        va_end(rest);                                      \
        return open_in(folder, path, flags, mode);         \
    }
OPENAT(openat)
OPENAT(openat64)

/* --- threads and sockets --- */

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
                   void *(*run)(void *), void *restrict context)
{
    REAL(int, "pthread_create", pthread_t *, const pthread_attr_t *, void *(*)(void *),
         void *);
    return fails("thread") ? EAGAIN : real(thread, attributes, run, context);
}

int socket(int domain, int type, int protocol)
{
    FAIL("socket", EMFILE)
    return (int)syscall(SYS_socket, domain, type, protocol);
}

int connect(int fd, const struct sockaddr *address, socklen_t bytes)
{
    FAIL("connect", ENETUNREACH)
    return (int)syscall(SYS_connect, fd, address, bytes);
}

int epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event)
{
    FAIL("epoll", ENOMEM)
    return (int)syscall(SYS_epoll_ctl, epoll, operation, fd, event);
}
