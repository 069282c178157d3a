/* How a running crawl is told to stop, to stop at once, or to read its settings again,
 * and how it stops by itself; with the code it exits with. */
#include "live.h"

#include <pthread.h>
#include <stdatomic.h>

/* --- a server whose only page takes its time --- */

struct slow {
    int fd, port, answer_after_ms;
    pthread_t thread;
    atomic_int asked, is_over; /* requests for the page */
};

static void slow_answer(struct slow *slow, int fd)
{
    static const char none[] = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n"
                               "Connection: close\r\n\r\n",
                      page[] = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
                               "Connection: close\r\n\r\n<title>slow</title><p>here";
    char ask[2048];
    ssize_t n = read(fd, ask, sizeof ask - 1);
    ask[n > 0 ? n : 0] = '\0';
    bool is_robots = strncmp(ask, "GET /robots.txt ", 16) == 0;
    if (!is_robots) {
        atomic_fetch_add(&slow->asked, 1);
        for (int ms = 0; ms < slow->answer_after_ms && !slow->is_over; ms += 10)
            usleep(10000);
    }
    ssize_t sent =
        is_robots ? write(fd, none, sizeof none - 1) : write(fd, page, sizeof page - 1);
    (void)sent;
    close(fd);
}

static void *slow_serve(void *context)
{
    struct slow *slow = context;
    for (int fd; (fd = accept(slow->fd, NULL, NULL)) >= 0;)
        slow_answer(slow, fd);
    return NULL;
}

static void slow_start(struct slow *slow, int answer_after_ms)
{
    *slow = (struct slow){.answer_after_ms = answer_after_ms};
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof at;
    slow->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(slow->fd, (struct sockaddr *)&at, len), 0);
    assert_int_equal(listen(slow->fd, 16), 0);
    getsockname(slow->fd, (struct sockaddr *)&at, &len);
    slow->port = ntohs(at.sin_port);
    assert_int_equal(pthread_create(&slow->thread, NULL, slow_serve, slow), 0);
}

static void slow_stop(struct slow *slow)
{
    slow->is_over = 1;
    shutdown(slow->fd, SHUT_RDWR);
    pthread_join(slow->thread, NULL);
    close(slow->fd);
}

/* A crawl whose only request is open. */
static pid_t spawn_waiting(struct live *live, struct slow *slow)
{
    char url[64];
    snprintf(url, sizeof url, "http://127.0.0.1:%d/", slow->port);
    pid_t pid = live_spawn(live, "watch", (const char *[]){"--quiet", url, NULL});
    for (int i = 0; i < 2000 && !slow->asked; i++)
        usleep(10000);
    assert_int_equal(slow->asked, 1);
    return pid;
}

static int64_t visits(struct live *live)
{
    sqlite3 *db = live_open_store(live);
    assert_true(live_is_sound(db));
    int64_t n = live_int(db, "SELECT count(*) FROM s.visits WHERE status = 200");
    sqlite3_close(db);
    return n;
}

static void check_finishes(int signal)
{
    struct live live;
    struct slow slow;
    live_start(&live, &(struct live_options){.speed = 1});
    slow_start(&slow, 700);
    pid_t pid = spawn_waiting(&live, &slow);
    kill(pid, signal);
    live_expect(&live, pid, 11);
    assert_int_equal(visits(&live), 1);
    slow_stop(&slow);
    live_stop(&live);
}

static void interrupt_finishes_what_is_open(void **state)
{
    (void)state;
    check_finishes(SIGINT);
}

static void termination_does_as_well(void **state)
{
    (void)state;
    check_finishes(SIGTERM);
}

static void second_interrupt_does_not_wait(void **state)
{
    (void)state;
    struct live live;
    struct slow slow;
    live_start(&live, &(struct live_options){.speed = 1});
    slow_start(&slow, 50000);
    pid_t pid = spawn_waiting(&live, &slow);
    kill(pid, SIGINT);
    usleep(1000000); /* two that come before it has looked are one */
    assert_int_equal(waitpid(pid, NULL, WNOHANG), 0);
    kill(pid, SIGINT);
    live_expect(&live, pid, 13);
    assert_int_equal(visits(&live), 0);
    slow_stop(&slow);
    live_stop(&live);
}

/* Nothing is open, but much waits for its turn. */
static void interrupt_between_requests_ends_it(void **state)
{
    (void)state;
    struct live live;
    live_start(&live, &(struct live_options){.sites = 2, .speed = 1, .delay = "1h"});
    pid_t pid = live_spawn(&live, "watch", (const char *[]){"--quiet", NULL});
    live_wait_for(&live, "requests", 10);
    usleep(200000);
    kill(pid, SIGINT);
    live_expect(&live, pid, 11);
    /* And at once after a start, while robots.txt or the store are awaited. */
    for (int i = 0; i < 10; i++) {
        pid = live_spawn(&live, "watch",
                         (const char *[]){"--quiet", "--time-limit=1ms", NULL});
        live_expect(&live, pid, 0);
    }
    live_stop(&live);
}

/* The first request is answered, and its links are stored, before it ends. */
static void time_is_up_is_success_other_limits_have_a_code(void **state)
{
    (void)state;
    struct live live;
    live_start(&live, &(struct live_options){.sites = 1, .speed = 3600});
    static const char *const limits[] = {"--time-limit=300ms", "--size-limit=1KiB",
                                         "--fetch-limit=1"};
    static const int codes[] = {0, 14, 14};
    for (int i = 0; i < 3; i++)
        live_expect(
            &live,
            live_spawn(&live, "watch", (const char *[]){"--quiet", limits[i], NULL}),
            codes[i]);
    assert_true(visits(&live) > 0);
    live_stop(&live);
}

/* --- SIGHUP --- */

static void write_settings(const struct live *live, const char *text)
{
    FILE *f = fopen(live_path(live, "ws/forage.yaml"), "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void wait_until_said(const struct live *live, const char *words)
{
    for (int i = 0; i < 3000 && !live_said(live, "stderr", words); i++)
        usleep(10000);
    if (!live_said(live, "stderr", words)) {
        live_show_stderr(live);
        fail_msg("it does not say: %s", words);
    }
}

static void hangup_reads_the_settings_again(void **state)
{
    (void)state;
    struct live live;
    live_start(&live, &(struct live_options){.sites = 1, .speed = 60});
    assert_int_equal(mkdir(live_path(&live, "ws"), 0777), 0);
    write_settings(&live, "crawl:\n  tick: 10s\n  budget: 0.001\n");
    pid_t pid = live_spawn(&live, "watch", NULL);
    wait_until_said(&live, "msg=started");
    usleep(500000); /* some ticks, none with the budget for a page */
    uint64_t before = fg_web_server_requests(live.server);
    assert_true(before <= 2);

    write_settings(&live, "crawl:\n  budgett: 1\n");
    kill(pid, SIGHUP);
    wait_until_said(&live, "not reloaded");
    assert_true(live_said(&live, "stderr", "budgett"));

    write_settings(&live, "crawl:\n  tick: 10s\n  budget: 0\n");
    kill(pid, SIGHUP);
    wait_until_said(&live, "msg=reloaded");
    for (int i = 0; i < 6000 && fg_web_server_requests(live.server) < before + 5; i++)
        usleep(10000);
    assert_true(fg_web_server_requests(live.server) >= before + 5);
    kill(pid, SIGTERM);
    live_expect(&live, pid, 11);
    live_stop(&live);
}

static void wait_for_file(const struct live *live, const char *name)
{
    for (int i = 0; i < 3000 && access(live_path(live, name), F_OK) != 0; i++)
        usleep(10000);
    if (access(live_path(live, name), F_OK) != 0) {
        live_show_stderr(live);
        fail_msg("there is no %s", name);
    }
}

/* Outputs begin, move and end without a restart; what needs one is named. */
static void hangup_reads_the_outputs_again(void **state)
{
    (void)state;
    struct live live;
    char text[4 * LIVE_PATH + 200];
    live_start(&live, &(struct live_options){.sites = 1, .speed = 3600});
    assert_int_equal(mkdir(live_path(&live, "ws"), 0777), 0);
    write_settings(&live, "crawl.budget: 0\n");
    pid_t pid = live_spawn(&live, "watch", NULL);
    wait_until_said(&live, "msg=started");
    int n = snprintf(text, sizeof text, "crawl.budget: 0\nfeeds.dir: \"%s\"\n",
                     live_path(&live, "feeds"));
    n += snprintf(text + n, sizeof text - (size_t)n, "output.file: \"%s\"\n",
                  live_path(&live, "events.jsonl"));
    snprintf(text + n, sizeof text - (size_t)n,
             "webhooks.to: [team http://127.0.0.1:9/hook]\npolicy.seed: 7\n");
    write_settings(&live, text);
    kill(pid, SIGHUP);
    wait_until_said(&live, "msg=reloaded");
    wait_until_said(&live, "msg=\"not changed while running\" setting=policy.seed");
    wait_for_file(&live, "feeds/all.atom");
    wait_for_file(&live, "events.jsonl");
    sqlite3 *db = live_open_store(&live);
    assert_int_equal(
        live_int(db, "SELECT count(*) FROM s.deliveries WHERE output = 'webhook:team'"),
        1);
    sqlite3_close(db);

    write_settings(&live, "crawl.budget: 0\nfeeds.dir: /proc/x\n");
    kill(pid, SIGHUP);
    wait_until_said(&live, "feeds.dir: cannot write to the folder '/proc'");
    kill(pid, SIGTERM);
    live_expect(&live, pid, 11);
    live_stop(&live);
}

/* --- forage watch | head -1 --- */

static void reader_that_has_enough_ends_it_quietly(void **state)
{
    (void)state;
    struct live live;
    live_start(&live, &(struct live_options){.sites = 1, .speed = 36000});
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    pid_t pid = live_spawn_to(
        &live, "watch",
        (const char *[]){"--quiet", "--crawl-explore=5", "--crawl-budget=0", NULL},
        ends[1]);
    close(ends[1]);
    FILE *f = fdopen(ends[0], "r");
    char line[4096];
    assert_non_null(fgets(line, sizeof line, f));
    assert_int_equal(line[0], '{');
    fclose(f);
    live_expect(&live, pid, 0);
    struct stat info;
    assert_int_equal(stat(live_path(&live, "stderr"), &info), 0);
    if (info.st_size)
        live_show_stderr(&live);
    assert_int_equal(info.st_size, 0);
    live_stop(&live);
}

/* --- two of them --- */

static void second_crawl_of_a_workspace_is_told_of_the_first(void **state)
{
    (void)state;
    struct live live;
    live_start(&live, &(struct live_options){.sites = 1, .speed = 1, .delay = "1h"});
    pid_t first = live_spawn(&live, "watch", NULL);
    wait_until_said(&live, "msg=started");
    char words[64];
    snprintf(words, sizeof words, "process %d", (int)first);
    live_expect(&live, live_spawn(&live, "watch", NULL), 1);
    assert_true(live_said(&live, "stderr", words));
    live_expect(&live, live_spawn(&live, "run", NULL), 1);
    kill(first, SIGTERM);
    live_expect(&live, first, 11);
    live_stop(&live);
}

FG_TESTS(interrupt_finishes_what_is_open, termination_does_as_well,
         second_interrupt_does_not_wait, interrupt_between_requests_ends_it,
         time_is_up_is_success_other_limits_have_a_code, hangup_reads_the_settings_again,
         hangup_reads_the_outputs_again, reader_that_has_enough_ends_it_quietly,
         second_crawl_of_a_workspace_is_told_of_the_first)
