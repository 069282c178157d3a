/* What it would cost to read pages in a child that can do nothing else: no files, no
 * network, no store, by a seccomp filter. The page goes there over a socket pair, and
 * what was read comes back as bytes (links with their words, title, text, the figures),
 * which is the least that the crawl needs of it; both are copied, for memory that both
 * can write would have to be checked pointer by pointer. Time of day, not of the
 * processor: the page's worker waits for its answer. */
#include "bench.h"

#include "base/arena.h"
#include "base/buf.h"
#include "crawl/reading/reading.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const char url[] = "https://news.example/2026/11/a-page.html";

struct job {
    struct fg_str body;
    struct fg_arena arena;
    struct fg_buf back;
    int fd;
};

static void read_page(struct fg_reading *reading, struct fg_arena *arena,
                      struct fg_str body)
{
    struct fg_response response = {.outcome = FG_FETCHED,
                                   .status = 200,
                                   .url = fg_str_from(url),
                                   .headers = FG_STR("content-type: text/html\r\n"),
                                   .body = body};
    fg_reading_from(reading, arena, response.url, &response,
                    (struct fg_reading_rules){.token = FG_STR("forage")});
}

static void here(void *context)
{
    struct job *job = context;
    struct fg_reading reading;
    read_page(&reading, &job->arena, job->body);
    bench_use(reading.n_links + reading.text.len);
    fg_arena_reset(&job->arena);
}

static bool move_all(int fd, char *at, size_t n, bool out)
{
    while (n) {
        ssize_t moved = out ? write(fd, at, n) : read(fd, at, n);
        if (moved <= 0)
            return false;
        at += moved;
        n -= (size_t)moved;
    }
    return true;
}

static void put(struct fg_buf *out, struct fg_str text)
{
    uint32_t len = (uint32_t)text.len;
    fg_buf_add(out, (struct fg_str){(const char *)&len, sizeof len});
    fg_buf_add(out, text);
}

static void serialize(struct fg_buf *out, const struct fg_reading *reading)
{
    put(out, reading->title);
    put(out, reading->text);
    put(out, reading->canonical);
    put(out, (struct fg_str){(const char *)&reading->facts, sizeof reading->facts});
    for (size_t i = 0; i < reading->n_links; i++) {
        put(out, reading->links[i].url);
        put(out, reading->links[i].words);
    }
}

/* Memory, and the socket that is open; all else ends it. */
static void lock_up(void)
{
    static const int allowed[] = {SYS_read,    SYS_write,  SYS_brk,
                                  SYS_mmap,    SYS_munmap, SYS_mremap,
                                  SYS_madvise, SYS_futex,  SYS_exit_group};
    enum { N = sizeof allowed / sizeof *allowed };
    struct sock_filter filter[N + 3];
    filter[0] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                             offsetof(struct seccomp_data, nr));
    for (int i = 0; i < N; i++)
        filter[1 + i] = (struct sock_filter)BPF_JUMP(
            BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)allowed[i], (uint8_t)(N - i), 0);
    filter[N + 1] =
        (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    filter[N + 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {N + 3, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
        _exit(1);
}

static void be_child(int fd)
{
    struct fg_arena arena = {0};
    struct fg_buf out;
    struct fg_reading reading;
    uint32_t len;
    read_page(&reading, &arena, FG_STR("<p>tables are loaded at first use"));
    fg_arena_reset(&arena);
    fg_buf_init(&out, 64 << 20);
    lock_up();
    while (move_all(fd, (char *)&len, sizeof len, false)) {
        char *body = fg_arena_alloc(&arena, len);
        if (!move_all(fd, body, len, false))
            break;
        read_page(&reading, &arena, (struct fg_str){body, len});
        fg_buf_reset(&out);
        serialize(&out, &reading);
        len = (uint32_t)out.len;
        if (!move_all(fd, (char *)&len, sizeof len, true) ||
            !move_all(fd, out.at, out.len, true))
            break;
        fg_arena_reset(&arena);
    }
    _exit(0);
}

static void in_child(void *context)
{
    struct job *job = context;
    uint32_t len = (uint32_t)job->body.len;
    if (!move_all(job->fd, (char *)&len, sizeof len, true) ||
        !move_all(job->fd, (char *)job->body.at, job->body.len, true) ||
        !move_all(job->fd, (char *)&len, sizeof len, false)) {
        puts("the child has died");
        exit(1);
    }
    char *back = fg_arena_alloc(&job->arena, len);
    if (!move_all(job->fd, back, len, false))
        exit(1);
    bench_use((uint64_t)back[len / 2]);
    fg_arena_reset(&job->arena);
}

static struct fg_str page_of(struct fg_arena *arena, size_t bytes)
{
    struct fg_buf page;
    fg_buf_init(&page, bytes + 4096);
    fg_buf_add(&page,
               FG_STR("<!DOCTYPE html><html lang=en><title>A page of news</title>"));
    for (int i = 0; page.len < bytes; i++)
        fg_buf_printf(
            &page,
            "<div class=item><h2><a href=/2026/11/%d-story.html>Story number %d "
            "of this list</a></h2><p>Some words that say what happened, to whom "
            "and why, as a teaser of number %d does; it goes on for a while, and "
            "then it ends.<br>By <span class=author>A. Writer</span></p></div>\n",
            i, i, i);
    struct fg_str kept = fg_arena_dup(arena, fg_buf_str(&page));
    fg_buf_clear(&page);
    return kept;
}

int main(void)
{
    static const size_t sizes[] = {8 << 10, 30 << 10, 120 << 10, 500 << 10};
    struct fg_arena pages = {0};
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
        return 1;
    pid_t child = fork();
    if (!child) {
        close(ends[0]);
        be_child(ends[1]);
    }
    close(ends[1]);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct job job = {.body = page_of(&pages, sizes[i]), .fd = ends[0]};
        double own = bench_seconds(here, &job), other = bench_seconds(in_child, &job);
        printf("a page of %zu KB: %.0f us here, %.0f us in a child, %+.0f %%\n",
               sizes[i] >> 10, own * 1e6, other * 1e6, 100 * (other / own - 1));
        fg_arena_clear(&job.arena);
    }
    close(ends[0]);
    waitpid(child, NULL, 0);
    fg_arena_clear(&pages);
    return 0;
}
