/* Pages read in a process of their own: what it says is what we would have read, it can
 * do nothing else, and its death is not ours. */
#include "live.h"

#include "base/buf.h"
#include "crawl/reading/apart.h"
#include "crawl/reading/carry.h"

#include <dirent.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

static struct live live; /* for its program */

static struct fg_apart *start(struct fg_apart_options options)
{
    struct fg_apart *apart;
    struct fg_err err = {0};
    live_find_program(&live);
    if (!options.program)
        options.program = live.program;
    if (fg_apart_new(&apart, &options, &err))
        fail_msg("%s", err.text);
    return apart;
}

/* --- the same --- */

struct corpus {
    struct fg_apart *apart;
    struct fg_value_rule value;
    struct fg_noise noise;
    unsigned pages, links;
};

static void bytes_of(struct fg_buf *out, const struct fg_reading *reading)
{
    fg_buf_init(out, 256 << 20);
    assert_true(fg_carry_reading(out, reading));
}

static size_t difference(struct fg_str a, struct fg_str b)
{
    size_t at = 0;
    while (at < a.len && at < b.len && a.at[at] == b.at[at])
        at++;
    return at;
}

static void read_both_ways(struct corpus *corpus, struct fg_str body, const char *headers,
                           const char *name)
{
    struct fg_response response = {.outcome = FG_FETCHED,
                                   .status = 200,
                                   .url = FG_STR("http://a.example/b/page?c=1"),
                                   .headers = fg_str_from(headers),
                                   .body = body};
    struct fg_reading_rules rules = {.token = FG_STR("forage"), .max_url = 2048};
    if (corpus->pages % 2)
        rules.value = &corpus->value;
    if (corpus->pages % 3)
        rules.noise = &corpus->noise;
    struct fg_arena arena = {0};
    struct fg_reading here, there;
    struct fg_buf own, other;
    fg_reading_from(&here, &arena, response.url, &response, rules);
    enum fg_apart_end end =
        fg_apart_read(corpus->apart, &there, &arena, response.url, &response, rules);
    if (end != FG_APART_READ)
        fail_msg("%s: %d", name, (int)end);
    bytes_of(&own, &here);
    bytes_of(&other, &there);
    if (!fg_str_eq(fg_buf_str(&own), fg_buf_str(&other)))
        fail_msg("%s is read in another way, at byte %zu of %zu and %zu", name,
                 difference(fg_buf_str(&own), fg_buf_str(&other)), own.len, other.len);
    for (size_t i = 0; i < here.n_links; i++) {
        assert_true(here.links[i].fingerprint == there.links[i].fingerprint);
        assert_true(fg_str_eq(here.links[i].site, there.links[i].site));
    }
    corpus->links += (unsigned)here.n_links;
    corpus->pages++;
    fg_buf_clear(&own);
    fg_buf_clear(&other);
    fg_arena_clear(&arena);
}

static void read_file(struct corpus *corpus, const char *path)
{
    static const char *const headers[] = {
        "",
        "Content-Type: text/html; charset=shift_jis\r\n",
        "Content-Type: text/html; charset=gb18030\r\nX-Robots-Tag: noindex\r\n",
        "Content-Type: text/html; charset=iso-2022-kr\r\nLink: </hub>; rel=hub\r\n",
        "Content-Type: application/xml\r\nDate: Sun, 01 Nov 2026 10:00:00 GMT\r\n",
        "Content-Type: text/html; charset=koi8-u\r\ntdm-reservation: 1\r\n"};
    FILE *f = fopen(path, "r");
    static char bytes[1 << 20];
    assert_non_null(f);
    size_t n = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    read_both_ways(corpus, (struct fg_str){bytes, n},
                   headers[corpus->pages % (sizeof headers / sizeof *headers)], path);
}

static void what_is_read_apart_is_the_same(void **state)
{
    (void)state;
    static const char *const folders[] = {"charset", "date", "facts", "feed",
                                          "html",    "page", "mime",  "value",
                                          "sitemap", "xml",  "warc",  "selector"};
    struct fg_arena arena = {0};
    struct corpus corpus = {.apart = start((struct fg_apart_options){0})};
    assert_false(fg_value_rule_parse(&corpus.value, &arena,
                                     FG_STR("selector:main p, li without b"), NULL));
    assert_false(fg_noise_add(&corpus.noise, &arena, FG_STR(".ads, i"), NULL));
    assert_false(fg_noise_add(&corpus.noise, &arena, FG_STR("text:*ago*"), NULL));
    corpus.noise.least_change = 0.25;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char path[512];
        snprintf(path, sizeof path, "tests/fuzz/seeds/%s", folders[i]);
        DIR *dir = opendir(path);
        assert_non_null(dir);
        for (struct dirent *entry; (entry = readdir(dir));) {
            snprintf(path, sizeof path, "tests/fuzz/seeds/%s/%s", folders[i],
                     entry->d_name);
            if (entry->d_name[0] != '.')
                read_file(&corpus, path);
        }
        closedir(dir);
    }
    print_message("%u pages, %u links\n", corpus.pages, corpus.links);
    assert_true(corpus.pages > 60 && corpus.links > 20);
    assert_int_equal(fg_apart_deaths(corpus.apart), 0);
    assert_true(fg_apart_seconds(corpus.apart) > 0);
    fg_apart_free(corpus.apart);
    fg_arena_clear(&arena);
}

static void large_pages_go_there_and_back(void **state)
{
    (void)state;
    struct corpus corpus = {.apart = start((struct fg_apart_options){0})};
    struct fg_buf page;
    fg_buf_init(&page, 8 << 20);
    for (int i = 0; i < 60000; i++)
        fg_buf_printf(&page, "<p>Words number %d of it <a href=/%d>a link</a>\n", i, i);
    read_both_ways(&corpus, fg_buf_str(&page), "", "a large page");
    assert_int_equal(corpus.links, 60000);
    fg_buf_clear(&page);
    fg_apart_free(corpus.apart);
}

/* --- nothing else --- */

enum { CLAIMS = 12 };

/* In the process that is shut in: which of these were refused? */
static void try_all(int fd, int other, char refused[CLAIMS])
{
    char byte = 0;
    int n = 0;
    refused[n++] = open("/etc/passwd", O_RDONLY) < 0;
    refused[n++] = open("/tmp/forage-apart-made", O_WRONLY | O_CREAT, 0600) < 0;
    refused[n++] = socket(AF_INET, SOCK_STREAM, 0) < 0;
    refused[n++] = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) < 0;
    refused[n++] = execl("/bin/true", "true", NULL) < 0;
    refused[n++] = kill(getppid(), 0) < 0;
    refused[n++] = ptrace(PTRACE_TRACEME, 0, 0, 0) < 0;
    refused[n++] = unlink("/tmp/forage-apart-kept") < 0;
    refused[n++] = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED;
    refused[n++] = read(other, &byte, 1) < 0;
    refused[n++] = write(other, &byte, 1) < 0;
    refused[n++] = dup(fd) < 0;
}

static void who_reads_can_do_nothing_else(void **state)
{
    (void)state;
    int ends[2], other[2];
    char refused[CLAIMS] = {0};
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, other), 0);
    assert_int_equal(write(other[1], "x", 1), 1);
    pid_t child = fork();
    if (!child) {
        if (!fg_apart_lock_up(ends[1], (size_t)1 << 30))
            _exit(1);
        try_all(ends[1], other[0], refused);
        ssize_t n = write(ends[1], refused, sizeof refused);
        /* Not by _exit, before which a sanitizer would look for leaks. */
        syscall(SYS_exit_group, n == sizeof refused ? 0 : 2);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], refused, sizeof refused), sizeof refused);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    for (int i = 0; i < CLAIMS; i++)
        if (!refused[i])
            fail_msg("call %d was not refused", i);
    close(ends[0]);
    close(other[0]);
    close(other[1]);
}

static void memory_has_an_end(void **state)
{
    (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip(); /* they ask for all of it at the start */
#endif
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    pid_t child = fork();
    if (!child) {
        if (!fg_apart_lock_up(ends[1], (size_t)1 << 30))
            _exit(1);
        _exit(malloc((size_t)2 << 30) ? 2 : 0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    close(ends[0]);
    close(ends[1]);
}

/* --- its death --- */

/* A program in its place that gives up nothing, and then does `script` with a page. */
static void write_program(char path[64], const char *script)
{
    static unsigned n;
    snprintf(path, 64, "/tmp/forage-apart-%d-%u", (int)getpid(), n++);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "#!/bin/sh\nprintf '!gfydaer' >&0\n%s\n", script);
    fchmod(fileno(f), 0700);
    fclose(f);
}

static enum fg_apart_end read_with(const char *script, unsigned *deaths)
{
    char path[64];
    struct fg_arena arena = {0};
    struct fg_reading reading;
    struct fg_response response = {.outcome = FG_FETCHED,
                                   .status = 200,
                                   .body = FG_STR("<p>words <a href=/a>a</a>")};
    write_program(path, script);
    struct fg_apart *apart = start((struct fg_apart_options){
        .program = path, .most_of_processor = 100 * FG_MILLISECOND});
    enum fg_apart_end end =
        fg_apart_read(apart, &reading, &arena, FG_STR("http://a.example/"), &response,
                      (struct fg_reading_rules){.token = FG_STR("forage")});
    *deaths = fg_apart_deaths(apart);
    fg_apart_free(apart);
    fg_arena_clear(&arena);
    unlink(path);
    return end;
}

static void a_page_that_kills_is_tried_twice(void **state)
{
    (void)state;
    unsigned deaths;
    assert_int_equal(read_with("head -c 8 >/dev/null; kill -SEGV $$", &deaths),
                     FG_APART_DEADLY);
    assert_int_equal(deaths, 2);
}

static void what_makes_no_sense_is_not_believed(void **state)
{
    (void)state;
    unsigned deaths;
    /* Nine bytes that are no reading, and a length that nobody has room for. */
    assert_int_equal(
        read_with("printf '\\011\\0\\0\\0\\0\\0\\0\\0nonsense!' >&0; sleep 9", &deaths),
        FG_APART_DEADLY);
    assert_int_equal(
        read_with("printf '\\377\\377\\377\\377\\377\\377\\377\\377' >&0; sleep 9",
                  &deaths),
        FG_APART_DEADLY);
    assert_int_equal(deaths, 2);
}

static void who_does_not_end_is_ended(void **state)
{
    (void)state;
    unsigned deaths;
    assert_int_equal(read_with("while :; do :; done", &deaths), FG_APART_DEADLY);
    assert_int_equal(deaths, 2);
}

static void nobody_can_be_started_is_told(void **state)
{
    (void)state;
    struct fg_apart *apart;
    struct fg_err err = {0};
    assert_int_equal(
        fg_apart_new(&apart, &(struct fg_apart_options){.program = "/nonexistent"}, &err),
        FG_EIO);
    assert_non_null(strstr(err.text, "cannot start the process that reads pages"));
    assert_int_equal(
        fg_apart_new(&apart, &(struct fg_apart_options){.program = "/bin/true"}, &err),
        FG_EIO);
    assert_non_null(strstr(err.text, "ended before it had begun"));
}

/* --- what is believed --- */

static struct fg_str reading_with_link(struct fg_buf *out, const char *url)
{
    struct fg_reading_link link = {.url = fg_str_from(url),
                                   .words = FG_STR("words"),
                                   .dated = FG_NEVER,
                                   .modified = FG_NEVER,
                                   .site = FG_STR("http://elsewhere.example"),
                                   .fingerprint = 7};
    struct fg_reading reading = {.kind = FG_READ_HTML,
                                 .links = &link,
                                 .n_links = 1,
                                 .published = FG_NEVER,
                                 .facts = fg_facts_none};
    bytes_of(out, &reading);
    return fg_buf_str(out);
}

static bool is_believed(const char *url)
{
    struct fg_arena arena = {0};
    struct fg_reading reading;
    struct fg_buf out;
    bool is = fg_carried_reading(&reading, &arena, reading_with_link(&out, url));
    if (is) { /* what follows from the address was not taken over */
        assert_str(reading.links[0].site, "http://a.example");
        assert_true(reading.links[0].fingerprint != 7);
    }
    fg_buf_clear(&out);
    fg_arena_clear(&arena);
    return is;
}

static void addresses_from_there_are_looked_at(void **state)
{
    (void)state;
    assert_true(is_believed("http://a.example/b?c"));
    assert_true(is_believed("http://a.example/b#part"));
    assert_false(is_believed("file:///etc/passwd"));
    assert_false(is_believed("http://A.example/b"));
    assert_false(is_believed("http://a.example/b c"));
    assert_false(is_believed("http://a.example/\xff"));
    assert_false(is_believed("/b"));
    assert_false(is_believed(""));
}

static void damage_is_refused_and_takes_no_memory(void **state)
{
    (void)state;
    struct fg_buf out;
    struct fg_str whole = reading_with_link(&out, "http://a.example/b?c");
    for (size_t i = 0; i < whole.len; i++) {
        struct fg_arena arena = {0};
        struct fg_reading reading;
        assert_false(fg_carried_reading(&reading, &arena, fg_str_sub(whole, 0, i)));
        char kept = out.at[i];
        out.at[i] = (char)0xff; /* refused or not: no more memory than there are bytes */
        fg_carried_reading(&reading, &arena, whole);
        assert_true(arena.used_bytes < 100 * whole.len);
        out.at[i] = kept;
        fg_arena_clear(&arena);
    }
    fg_buf_clear(&out);
}

FG_TESTS(what_is_read_apart_is_the_same, large_pages_go_there_and_back,
         who_reads_can_do_nothing_else, memory_has_an_end,
         a_page_that_kills_is_tried_twice, what_makes_no_sense_is_not_believed,
         who_does_not_end_is_ended, nobody_can_be_started_is_told,
         addresses_from_there_are_looked_at, damage_is_refused_and_takes_no_memory)
