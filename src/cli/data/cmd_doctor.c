/* cmd_doctor.c - forage doctor: is everything in order here?
 *
 * Each check looks at one thing a crawl depends on and says in a few words what it found.
 * A warning is something that will hurt later; only a failure changes the exit code. */
#include "base/file.h"
#include "base/rng.h"
#include "cli/crawling.h"
#include "cli/data/reindex.h"
#include "cli/parsers/samples.h"
#include "net/url/discreet.h"
#include "net/url/domain.h"
#include "store/index.h"

#include <libpsl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

struct options {
    bool json, full, reindex;
};

static const struct fg_opt options[] = {
    {"full", FG_BOOL(struct options, full),
     .help = "read all of the store, however large it is"},
    {"reindex", FG_BOOL(struct options, reindex),
     .help = "first make the search index anew; pages without a text get that of their "
             "stored bodies"},
    {"json", FG_BOOL(struct options, json), .letter = 'j', .help = "as JSON"},
    {0},
};

enum verdict { FINE, WARNING, FAILURE };
static const char *const verdicts[] = {"ok", "warning", "FAILED"};

static enum verdict check_configuration(struct fg_cli *cli, struct fg_buf *found)
{
    struct fg_err err = {0};
    if (fg_cli_load(cli, &err)) {
        fg_buf_add(found, fg_str_from(err.text));
        return FAILURE;
    }
    size_t n = 0;
    for (size_t i = 0; i < cli->files.len; i++)
        n += cli->files.at[i].found;
    fg_buf_printf(found, "%zu of %zu possible files found", n, cli->files.len);
    for (size_t i = 0; i < cli->files.len; i++)
        if (cli->files.at[i].found)
            fg_buf_printf(found, ", '%s'", cli->files.at[i].path);
    return FINE;
}

static enum verdict check_libraries(struct fg_cli *cli, struct fg_buf *found)
{
    struct fg_library libraries[FG_LIBRARIES_MAX];
    size_t n = fg_libraries(cli->arena, libraries);
    for (size_t i = 0; i < n; i++)
        fg_buf_printf(found, "%s%s%s%s", i ? ", " : "", libraries[i].name,
                      libraries[i].version ? " " : "",
                      libraries[i].version ? libraries[i].version : "");
    return FINE;
}

static enum verdict check_clock(struct fg_cli *cli, struct fg_buf *found)
{
    (void)cli;
    char text[FG_TIME_TEXT];
    fg_time now = fg_time_now(), before = fg_time_monotonic();
    fg_time least = fg_days_from_date(2025, 1, 1) * FG_DAY;
    fg_time most = fg_days_from_date(2100, 1, 1) * FG_DAY;
    fg_buf_add(found, fg_str_from(fg_time_format(text, now)));
    if (fg_time_monotonic() < before) {
        fg_buf_add(found, FG_STR(", and the monotonic clock runs backwards"));
        return FAILURE;
    }
    if (now >= least && now < most)
        return FINE;
    fg_buf_add(found, FG_STR(", which cannot be right; is NTP running?"));
    return WARNING;
}

/* We never call setlocale, but a library might; a decimal comma would break feeds. */
static enum verdict check_text(struct fg_cli *cli, struct fg_buf *found)
{
    (void)cli;
    static const char sample[] = "h\xC3\xA9\xE2\x82\xAC\xF0\x9F\x8C\xB1";
    static const uint32_t expected[] = {'h', 0xE9, 0x20AC, 0x1F331};
    const char *at = sample, *end = sample + sizeof sample - 1;
    for (size_t i = 0; i < 4; i++)
        if (at >= end || fg_utf8_take(&at, end) != expected[i]) {
            fg_buf_add(found, FG_STR("UTF-8 is misread"));
            return FAILURE;
        }
    double number = 0;
    if (!fg_str_to_double(FG_STR("1.5"), &number) || number < 1.5 || number > 1.5) {
        fg_buf_add(found, FG_STR("a decimal point is not understood in this locale"));
        return FAILURE;
    }
    fg_buf_add(found, FG_STR("UTF-8, independent of the locale"));
    return FINE;
}

static void add_room(struct fg_buf *found, const struct statvfs *fs)
{
    double bytes = (double)fs->f_bavail * (double)fs->f_frsize;
    fg_buf_printf(found, ", %.1f GB free", bytes / 1e9);
}

static enum verdict check_workspace(struct fg_cli *cli, struct fg_buf *found)
{
    const char *workspace = cli->settings.workspace.at;
    struct fg_err err = {0};
    struct fg_str probe =
        fg_arena_printf(cli->arena, "%s/.forage-doctor-%ld", workspace, (long)getpid());
    if (fg_file_replace(probe.at, FG_STR("written by forage doctor\n"), &err)) {
        fg_buf_add(found, fg_str_from(err.text));
        return FAILURE;
    }
    unlink(probe.at);
    fg_buf_printf(found, "'%s' can be written to", workspace);
    const struct fg_setting *row = fg_opts_find(&cli->opts, FG_STR("workspace"));
    if (row->origin.layer != FG_LAYER_DEFAULT)
        fg_buf_printf(found, " (by %s)", fg_origin_text(cli->arena, &row->origin).at);
    struct statvfs fs;
    if (statvfs(workspace, &fs) != 0)
        return FINE;
    add_room(found, &fs);
    return (double)fs.f_bavail * (double)fs.f_frsize < 1e9 ? WARNING : FINE;
}

/* The store, opened to be read through. */
struct reading {
    struct fg_store *store;
    struct fg_store_counts counts;
    bool reads_all; /* it takes a second for some hundred MB */
    enum fg_status status;
    struct fg_err err;
};

/* False: there is none. */
static bool start_reading(struct reading *reading, struct fg_cli *cli,
                          struct fg_buf *found)
{
    enum { READ_MOST = 1 << 30 };
    const struct options *o = cli->options;
    *reading = (struct reading){0};
    if (!fg_store_exists(fg_cli_store_path(cli))) {
        fg_buf_add(found, FG_STR("none here yet"));
        return false;
    }
    reading->status = fg_cli_store(cli, true, &reading->store, &reading->err);
    if (!reading->status)
        reading->status = fg_store_count(reading->store, &reading->counts, &reading->err);
    reading->reads_all =
        !reading->status && (o->full || reading->counts.file_bytes <= READ_MOST);
    return true;
}

/* False: it failed, and why is said. */
static bool end_reading(struct reading *reading, struct fg_buf *found)
{
    fg_store_close(reading->store, NULL);
    if (reading->status)
        fg_buf_add(found, fg_str_from(reading->err.text));
    return !reading->status;
}

static enum verdict check_store(struct fg_cli *cli, struct fg_buf *found)
{
    struct reading r;
    if (!start_reading(&r, cli, found))
        return FINE;
    if (r.reads_all)
        r.status = fg_store_check(r.store, &r.err);
    if (!end_reading(&r, found))
        return FAILURE;
    fg_buf_printf(found, "%llu sites, %llu pages, %.1f MB, %s",
                  (unsigned long long)r.counts.sites, (unsigned long long)r.counts.pages,
                  (double)r.counts.file_bytes / 1e6,
                  r.reads_all ? "no damage found" : "not read through; see --full");
    return FINE;
}

/* A crawl that runs may write between the two sums: then what is seen is no proof. */
static enum verdict check_index(struct fg_cli *cli, struct fg_buf *found)
{
    struct fg_index_check check = {0};
    struct reading r;
    if (!start_reading(&r, cli, found))
        return FINE;
    for (int tries = 0; r.reads_all && !r.status && tries < 3; tries++) {
        r.status = fg_store_check_index(r.store, &check, &r.err);
        if (fg_index_is_right(&check) || fg_store_writer(fg_cli_store_path(cli)) < 0)
            break;
    }
    if (!end_reading(&r, found))
        return FAILURE;
    if (!r.reads_all) {
        fg_buf_add(found, FG_STR("not compared with the texts; see --full"));
        return FINE;
    }
    fg_buf_printf(found, "%llu texts, %llu terms at their places",
                  (unsigned long long)check.texts, (unsigned long long)check.text_terms);
    if (fg_index_is_right(&check)) {
        fg_buf_add(found, FG_STR(", and the index has the same"));
        return FINE;
    }
    fg_buf_printf(found,
                  "; the index has %llu, %llu; %llu texts are of pages that should have "
                  "none, %llu of none: run 'forage doctor --reindex'",
                  (unsigned long long)check.indexed, (unsigned long long)check.terms,
                  (unsigned long long)check.unsearchable,
                  (unsigned long long)check.orphaned);
    return fg_store_writer(fg_cli_store_path(cli)) < 0 ? FAILURE : WARNING;
}

static enum verdict check_lock(struct fg_cli *cli, struct fg_buf *found)
{
    int64_t writer = fg_store_writer(fg_cli_store_path(cli));
    if (writer > 0)
        fg_buf_printf(found, "process %lld writes to this workspace", (long long)writer);
    else
        fg_buf_add(found, writer ? FG_STR("no crawl is running here")
                                 : FG_STR("some process writes to this workspace"));
    return FINE;
}

static enum verdict check_operator(struct fg_cli *cli, struct fg_buf *found)
{
    const struct fg_crawl_options *crawl = &cli->settings.crawl;
    if (!crawl->who.name.len && !crawl->who.contact.len) {
        fg_buf_add(found, FG_STR("nobody answers for a crawl beyond this machine; set "
                                 "operator.contact or operator.name"));
        return WARNING;
    }
    fg_buf_printf(found, "%.*s%s%.*s, token '%.*s'", FG_ARG(crawl->who.name),
                  crawl->who.name.len && crawl->who.contact.len ? ", " : "",
                  FG_ARG(crawl->who.contact), FG_ARG(cli->settings.crawl.robots_token));
    return FINE;
}

static enum verdict check_proxies(struct fg_cli *cli, struct fg_buf *found)
{
    static const char *const names[] = {"http_proxy", "https_proxy", "HTTPS_PROXY",
                                        "all_proxy",  "ALL_PROXY",   "no_proxy",
                                        "NO_PROXY"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            fg_buf_printf(found, "%s%s=%.*s", found->len ? ", " : "", names[i],
                          FG_ARG(fg_discreet(cli->arena, fg_str_from(value))));
    }
    if (!found->len)
        fg_buf_add(found, FG_STR("none set"));
    return FINE;
}

static enum verdict check_open_files(struct fg_cli *cli, struct fg_buf *found)
{
    (void)cli;
    enum { WANTED = 1024 };
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        fg_buf_add(found, FG_STR("the limit is not known"));
        return WARNING;
    }
    fg_buf_printf(found, "at most %llu at a time", (unsigned long long)limit.rlim_cur);
    if (limit.rlim_cur >= WANTED)
        return FINE;
    fg_buf_printf(found, "; raise it to %d or more with ulimit -n", WANTED);
    return WARNING;
}

/* The list decides which pages share a budget. It grows every week; the newer one of
 * libpsl's own and the system's is used. */
static enum verdict check_suffixes(struct fg_cli *cli, struct fg_buf *found)
{
    (void)cli;
    if (!fg_str_eq(fg_domain_registrable(FG_STR("a.example.co.uk")),
                   FG_STR("example.co.uk"))) {
        fg_buf_add(found, FG_STR("there is no usable list of public suffixes"));
        return FAILURE;
    }
    char text[FG_TIME_TEXT];
    struct stat file;
    fg_time date = (fg_time)psl_builtin_file_time() * FG_SECOND;
    const char *system_list = psl_dist_filename();
    if (system_list && stat(system_list, &file) == 0 && file.st_mtime * FG_SECOND > date)
        date = file.st_mtime * FG_SECOND;
    fg_buf_printf(found, "list of %.10s", fg_time_format(text, date));
    if (fg_time_now() - date < 5 * 365 * FG_DAY)
        return FINE;
    fg_buf_add(found,
               FG_STR(", which is old; update libpsl or the package publicsuffix"));
    return WARNING;
}

/* The first numbers of xoshiro256++ from the state 1, 2, 3, 4 are public. */
static enum verdict check_random(struct fg_cli *cli, struct fg_buf *found)
{
    (void)cli;
    static const uint64_t expected[] = {41943041, 58720359, 3588806011781223,
                                        3591011842654386};
    struct fg_rng rng = {.state = {1, 2, 3, 4}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        if (fg_rng_next(&rng) != expected[i]) {
            fg_buf_add(found, FG_STR("the generator does not give its known numbers"));
            return FAILURE;
        }
    fg_buf_add(found, FG_STR("xoshiro256++ gives its known numbers"));
    return FINE;
}

static enum verdict check_parsers(struct fg_cli *cli, struct fg_buf *found)
{
    enum verdict verdict = FINE;
    for (const struct fg_sample *sample = fg_samples; sample->name; sample++) {
        bool works = sample->works(cli->arena);
        fg_buf_printf(found, "%s%s%s", sample == fg_samples ? "" : ", ", sample->name,
                      works ? "" : " FAILED");
        if (!works)
            verdict = FAILURE;
    }
    return verdict;
}

static const struct check {
    const char *name;
    enum verdict (*run)(struct fg_cli *cli, struct fg_buf *found);
} checks[] = {
    {"configuration", check_configuration}, /* first: the others look at settings */
    {"libraries", check_libraries},
    {"public suffixes", check_suffixes},
    {"parsers", check_parsers},
    {"random numbers", check_random},
    {"text", check_text},
    {"clock", check_clock},
    {"open files", check_open_files},
    {"workspace", check_workspace},
    {"store", check_store},
    {"search index", check_index},
    {"lock", check_lock},
    {"operator", check_operator},
    {"proxies", check_proxies},
};
enum { CHECKS = sizeof checks / sizeof *checks };

static void print_text(struct fg_out *out, const struct check *check,
                       enum verdict verdict, struct fg_str found)
{
    static const char *const colors[] = {"\033[32m", "\033[33m", "\033[31m"};
    fg_out_printf(out, "%s%-8s%s %-16s ", out->color ? colors[verdict] : "",
                  verdicts[verdict], out->color ? "\033[0m" : "", check->name);
    fg_out_text(out, found);
    fg_out_puts(out, "\n");
}

static void print_json(struct fg_json *json, const struct check *check,
                       enum verdict verdict, struct fg_str found)
{
    fg_json_object(json);
    fg_json_pair_cstr(json, "check", check->name);
    fg_json_pair_cstr(json, "verdict", verdict == FAILURE ? "failed" : verdicts[verdict]);
    fg_json_key(json, "found");
    fg_json_str(json, found);
    fg_json_end(json);
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    struct fg_json json = fg_json_to(&cli->out.buf);
    struct fg_buf found;
    size_t failed = 0;
    uint64_t texts;
    if (o->reindex) {
        enum fg_status st = fg_cli_load(cli, err);
        st = st ? st : fg_reindex(cli, &texts, err);
        if (st)
            return st;
    }
    fg_buf_init(&found, 4096);
    if (o->json)
        fg_json_array(&json);
    for (size_t i = 0; i < CHECKS; i++) {
        fg_buf_reset(&found);
        enum verdict verdict = checks[i].run(cli, &found);
        failed += verdict == FAILURE;
        if (o->json)
            print_json(&json, &checks[i], verdict, fg_buf_str(&found));
        else
            print_text(&cli->out, &checks[i], verdict, fg_buf_str(&found));
    }
    if (o->json) {
        fg_json_end(&json);
        fg_out_puts(&cli->out, "\n");
    }
    fg_buf_clear(&found);
    if (failed)
        return fg_fail(err, FG_EIO, "%zu of %d checks failed", failed, (int)CHECKS);
    return FG_OK;
}

static const struct fg_example examples[] = {
    {"forage doctor", "look at this machine and this folder"},
    {"forage doctor --workspace /tmp --json", "another workspace, for a script"},
    {"forage doctor --reindex", "make the search index anew, then look"},
    {0},
};

const struct fg_command fg_cmd_doctor = {
    .name = "doctor",
    .words = "",
    .summary = "check that libraries, limits, clock, workspace and store are in order",
    .about =
        "Looks at each thing a crawl depends on and tells what it found. A warning is "
        "something that may hurt later; if a check fails, the exit code is 1.",
    .options = options,
    .options_size = sizeof(struct options),
    .settings = "workspace operator",
    .examples = examples,
    .is_bare = true,
    .run = run,
};
