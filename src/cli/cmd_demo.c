/* cmd_demo.c - forage demo: a web that is known through and through, crawled for real
 *
 * A simulated web is served on loopback, with its time running fast. Two crawls of it run
 * side by side as processes of their own, with the same budget: one that learns and one
 * that goes round and round. What each has found is read from its store, and held against
 * the truth. */
#include "base/map.h"
#include "cli/crawling.h"
#include "cli/stop.h"
#include "lab/web_server.h"
#include "net/canonical.h"
#include "policy/metrics.h"
#include "policy/policy.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct options {
    fg_time real;
    double speed, budget, per_day;
    int64_t sites, seed;
    struct fg_str policy;
    bool json, keep;
};

static const struct fg_opt options[] = {
    {"for", FG_SPAN(struct options, real), "60s", .min = (double)FG_SECOND,
     .max = (double)FG_DAY, .help = "how long it runs"},
    {"speed", FG_DOUBLE(struct options, speed), "14400", .min = 60, .max = 1e6,
     .help = "simulated seconds in a second"},
    {"budget", FG_DOUBLE(struct options, budget), "24", .min = 1, .max = 1e6,
     .help = "page requests a simulated hour, for each crawl"},
    {"sites", FG_INT(struct options, sites), "4", .min = 1, .max = 50,
     .help = "sites of the web"},
    {"articles", FG_DOUBLE(struct options, per_day), "150", .min = 1, .max = 1e5,
     .help = "published a day on the median site"},
    {"web-seed", FG_INT(struct options, seed), "1", .min = 0, .max = 1e15,
     .help = "another seed, another web"},
    {"policy", FG_STRING(struct options, policy), "link-types", .arg = "NAME",
     .help = "the policy that is shown against round-robin"},
    {"keep", FG_BOOL(struct options, keep),
     .help = "keep the workspaces and say where they are"},
    {"json", FG_BOOL(struct options, json), .letter = 'j', .help = "the result as JSON"},
    {0},
};

struct runner {
    const char *name, *policy, *workspace;
    pid_t pid;
    struct fg_store *store;
    struct fg_discovery_score score;
    uint64_t fetches;
};

struct demo {
    struct fg_cli *cli;
    const struct options *o;
    const char *folder;
    struct fg_web *web;
    struct fg_web_server *server;
    struct fg_clock clock;
    fg_time anchor, from, until; /* from: articles before that are warm-up */
    struct runner learner, robin;
};

/* --- the two crawls --- */

static enum fg_status spawn(struct demo *demo, struct runner *runner, struct fg_err *err)
{
    struct fg_arena *arena = demo->cli->arena;
    char anchor[FG_TIME_TEXT];
    fg_time_format(anchor, demo->anchor);
    FG_VEC(char *) args = {0};
    const char *fixed[] = {
        "forage",
        "watch",
        "--quiet",
        "--no-fetch-http2",
        "--net-allow-private",
        "loopback",
        "--fetch-delay",
        "0",
        "--fetch-concurrency",
        "4",
        "--crawl-tick",
        "1h",
        "--crawl-explore",
        "80",
    };
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        fg_vec_push_in(arena, &args, fg_arena_cstr(arena, fg_str_from(fixed[i])));
#define ARG(...)                 \
    fg_vec_push_in(arena, &args, \
                   fg_arena_cstr(arena, fg_arena_printf(arena, __VA_ARGS__)))
    ARG("--workspace=%s", runner->workspace);
    ARG("--policy-discovery=%s", runner->policy);
    ARG("--crawl-budget=%g", demo->o->budget);
    ARG("--clock-speed=%.17g", demo->o->speed);
    ARG("--clock-anchor=%s", anchor);
    ARG("--time-limit=%lldms", (long long)(demo->o->real / FG_MILLISECOND));
    for (unsigned i = 0; i < fg_web_sites(demo->web); i++)
        ARG("%s/", fg_web_server_origin(demo->server, i));
#undef ARG
    fg_vec_push_in(arena, &args, NULL);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", 1 /* write */,
                                     0);
    int code =
        posix_spawn(&runner->pid, "/proc/self/exe", &actions, NULL, args.at, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (code)
        return fg_fail(err, FG_EIO, "cannot start a crawl: %s", strerror(code));
    return FG_OK;
}

/* --- truth and findings --- */

static bool take_page(void *context, const struct fg_page_row *page)
{
    struct fg_map *seen = context;
    *fg_map_put(seen, page->fingerprint) = (uint64_t)page->first_seen;
    return true;
}

struct judging {
    struct demo *demo;
    const struct fg_map *seen;
    FG_VEC(fg_time) delays;
};

static bool judge_article(void *context, const struct fg_web_article *article)
{
    struct judging *judging = context;
    struct fg_arena arena = {0};
    struct fg_str url = fg_arena_printf(
        &arena, "%s%.*s", fg_web_server_origin(judging->demo->server, article->site),
        FG_ARG(article->path));
    const uint64_t *seen = fg_map_get(judging->seen, fg_canonical_fingerprint(url));
    fg_time delay = seen ? (fg_time)*seen - article->published : FG_NEVER;
    fg_vec_push(&judging->delays, seen && delay < 0 ? 0 : delay);
    fg_arena_clear(&arena);
    return true;
}

static enum fg_status judge(struct demo *demo, struct runner *runner, fg_time now,
                            struct fg_err *err)
{
    if (!runner->store) {
        const char *path =
            fg_arena_printf(demo->cli->arena, "%s/forage.db", runner->workspace).at;
        struct fg_store_options look = {.read_only = true};
        if (access(path, F_OK) != 0 || fg_store_open(&runner->store, path, &look, NULL))
            return FG_OK; /* it has not begun */
    }
    struct fg_map seen = {0};
    struct judging judging = {.demo = demo, .seen = &seen};
    struct fg_store_counts counts = {0};
    enum fg_status st = fg_store_pages(runner->store, 0, take_page, &seen, err);
    if (!st)
        st = fg_store_count(runner->store, &counts, err);
    if (!st) {
        fg_web_articles(demo->web, demo->from, now, judge_article, &judging);
        runner->fetches = counts.visits;
        runner->score = fg_discovery_score(judging.delays.at, judging.delays.len,
                                           (double)counts.visits);
    }
    fg_vec_clear(&judging.delays);
    fg_map_clear(&seen);
    return st;
}

/* --- showing --- */

static const char *hours(char out[static 32], fg_time span)
{
    snprintf(out, 32, "%.1f h", fg_hours(span));
    return out;
}

static void show_line(const struct demo *demo, fg_time now)
{
    char when[FG_TIME_TEXT], a[32], b[32];
    fg_time_format(when, now / FG_MINUTE * FG_MINUTE);
    fprintf(stderr,
            "\r\033[K%.16s  %zu published | %s: %zu found, median %s | round-robin: %zu "
            "found, "
            "median %s",
            when, demo->learner.score.published, demo->learner.policy,
            demo->learner.score.found, hours(a, demo->learner.score.delay_p50),
            demo->robin.score.found, hours(b, demo->robin.score.delay_p50));
}

static void json_score(struct fg_json *json, const struct runner *runner)
{
    fg_json_key(json, "published");
    fg_json_uint(json, runner->score.published);
    fg_json_key(json, "found");
    fg_json_uint(json, runner->score.found);
    fg_json_key(json, "coverage");
    fg_json_double(json, runner->score.coverage);
    fg_json_key(json, "delay_p50_s");
    fg_json_double(json, fg_seconds(runner->score.delay_p50));
    fg_json_key(json, "delay_p90_s");
    fg_json_double(json, fg_seconds(runner->score.delay_p90));
    fg_json_key(json, "fetches");
    fg_json_uint(json, runner->fetches);
}

static void print_json(struct demo *demo)
{
    struct fg_json json = fg_json_to(&demo->cli->out.buf);
    fg_json_object(&json);
    fg_json_pair_cstr(&json, "policy", demo->learner.policy);
    json_score(&json, &demo->learner);
    fg_json_key(&json, "simulated_hours");
    fg_json_double(&json, fg_hours(demo->until - demo->anchor));
    fg_json_key(&json, "round_robin");
    fg_json_object(&json);
    json_score(&json, &demo->robin);
    fg_json_end(&json);
    fg_json_end(&json);
    fg_out_puts(&demo->cli->out, "\n");
}

static void print_row(struct fg_out *out, const struct runner *runner)
{
    char p50[32], p90[32];
    fg_out_printf(out, "%-14s %9zu %9zu %8.1f%% %12s %12s %9llu\n", runner->name,
                  runner->score.published, runner->score.found,
                  100 * runner->score.coverage, hours(p50, runner->score.delay_p50),
                  hours(p90, runner->score.delay_p90),
                  (unsigned long long)runner->fetches);
}

static void print_table(struct demo *demo)
{
    struct fg_out *out = &demo->cli->out;
    fg_out_printf(
        out,
        "%u sites, %.1f simulated days in %.0f s, %g requests a simulated hour; "
        "articles of the first %.0f h are left out.\n\n",
        fg_web_sites(demo->web), fg_days(demo->until - demo->anchor),
        fg_seconds(demo->o->real), demo->o->budget, fg_hours(demo->from - demo->anchor));
    fg_out_printf(out, "%-14s %9s %9s %9s %12s %12s %9s\n", "policy", "published",
                  "found", "coverage", "median delay", "90 % within", "fetches");
    print_row(out, &demo->learner);
    print_row(out, &demo->robin);
}

/* --- the whole --- */

/* The crawls end in their own time, and the demo with them. */
static void stop_them(struct demo *demo)
{
    struct runner *runners[2] = {&demo->learner, &demo->robin};
    for (int i = 0; i < 2; i++)
        if (runners[i]->pid > 0)
            kill(runners[i]->pid, SIGTERM);
    demo->until = fg_clock_now(&demo->clock);
    demo->cli->exit = FG_EXIT_INTERRUPTED;
}

static enum fg_status watch_them(struct demo *demo, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    bool shows = isatty(STDERR_FILENO) && !demo->cli->common.quiet;
    bool ended[2] = {false, false};
    struct runner *runners[2] = {&demo->learner, &demo->robin};
    bool stopping = false;
    for (int beat = 0; !st && !(ended[0] && ended[1]); beat++) {
        usleep(100000);
        if (fg_stop_is_wanted() && !stopping) {
            stopping = true;
            stop_them(demo);
        }
        for (int i = 0; i < 2; i++) {
            int status;
            if (ended[i] || waitpid(runners[i]->pid, &status, WNOHANG) != runners[i]->pid)
                continue;
            ended[i] = true;
            runners[i]->pid = 0;
            bool fine =
                WIFEXITED(status) &&
                (WEXITSTATUS(status) == FG_EXIT_TIME_LIMIT ||
                 WEXITSTATUS(status) == FG_EXIT_OK ||
                 (fg_stop_is_wanted() && WEXITSTATUS(status) == FG_EXIT_INTERRUPTED));
            if (!fine && !st)
                st = fg_fail(err, FG_EIO, "the %s crawl ended with code %d",
                             runners[i]->name,
                             WIFEXITED(status) ? WEXITSTATUS(status) : -1);
        }
        fg_time now = fg_clock_now(&demo->clock);
        if (!shows || beat % 10)
            continue;
        for (int i = 0; !st && i < 2; i++)
            st = judge(demo, runners[i], now, err);
        show_line(demo, now);
    }
    if (shows)
        fprintf(stderr, "\r\033[K");
    return st;
}

static void clean_up(struct demo *demo)
{
    struct runner *runners[2] = {&demo->learner, &demo->robin};
    for (int i = 0; i < 2; i++) {
        if (runners[i]->pid > 0) {
            kill(runners[i]->pid, SIGKILL);
            waitpid(runners[i]->pid, NULL, 0);
        }
        if (runners[i]->store)
            fg_store_close(runners[i]->store, NULL);
    }
    fg_web_server_stop(demo->server);
    fg_web_free(demo->web);
    if (demo->o->keep) {
        fprintf(stderr, "kept: %s\n", demo->folder);
        return;
    }
    static const char *const files[] = {"forage.db", "forage.db-wal", "forage.db-shm",
                                        "forage.db.lock"};
    for (int i = 0; i < 2; i++) {
        for (size_t j = 0; j < sizeof files / sizeof *files; j++)
            unlink(fg_arena_printf(demo->cli->arena, "%s/%s", runners[i]->workspace,
                                   files[j])
                       .at);
        rmdir(runners[i]->workspace);
    }
    rmdir(demo->folder);
}

static enum fg_status set_up(struct demo *demo, struct fg_err *err)
{
    const struct options *o = demo->o;
    demo->anchor = fg_time_now();
    demo->clock = fg_clock_simulated(demo->anchor, o->speed);
    demo->until = demo->anchor + (fg_time)((double)o->real * o->speed);
    fg_time ran = demo->until - demo->anchor;
    demo->from = demo->anchor + ran / 5;
    struct fg_web_options web = fg_web_defaults();
    web.seed = (uint64_t)o->seed;
    web.sites = (unsigned)o->sites;
    web.articles_per_day = o->per_day;
    web.from = demo->anchor;
    web.to = demo->until + ran / 10;
    demo->web = fg_web_new(&web);
    return fg_web_server_start(&demo->server, demo->web,
                               &(struct fg_web_server_options){.clock = demo->clock},
                               err);
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    struct demo demo = {.cli = cli, .o = cli->options};
    const struct fg_policy *policy = fg_policy_find(demo.o->policy, FG_DISCOVERY);
    if (!policy)
        return fg_fail(err, FG_ECONFIG, "there is no discovery policy '%s'",
                       demo.o->policy.at);
    if (policy->needs_foresight)
        return fg_fail(err, FG_ECONFIG,
                       "'%s' has to see the future and is for the lab only",
                       policy->name);
    char folder[] = "/tmp/forage-demo-XXXXXX";
    if (!mkdtemp(folder))
        return fg_fail(err, FG_EIO, "cannot make a folder in /tmp: %s", strerror(errno));
    demo.folder = folder;
    demo.learner = (struct runner){
        .name = demo.o->policy.at,
        .policy = demo.o->policy.at,
        .workspace = fg_arena_printf(cli->arena, "%s/learning", folder).at,
    };
    demo.robin = (struct runner){
        .name = "round-robin",
        .policy = "round-robin",
        .workspace = fg_arena_printf(cli->arena, "%s/round-robin", folder).at,
    };
    fg_stop_on_signals(); /* whoever stops it wants to see what there is */
    enum fg_status st = set_up(&demo, err);
    if (!st)
        st = spawn(&demo, &demo.learner, err);
    if (!st)
        st = spawn(&demo, &demo.robin, err);
    if (!st)
        st = watch_them(&demo, err);
    if (!st)
        st = judge(&demo, &demo.learner, demo.until, err);
    if (!st)
        st = judge(&demo, &demo.robin, demo.until, err);
    if (!st && demo.o->json)
        print_json(&demo);
    else if (!st)
        print_table(&demo);
    clean_up(&demo);
    return st;
}

static const struct fg_example examples[] = {
    {"forage demo --for 3s", "three seconds, half a simulated day"},
    {"forage demo --for 2s --json", "the same for a script"},
    {0},
};

const struct fg_command fg_cmd_demo = {
    .name = "demo",
    .words = "",
    .summary = "crawl a simulated web and show what was found, and how soon",
    .about =
        "Serves a web of news sites on loopback, with time running fast, and crawls it "
        "twice "
        "for real with the same budget: once with a policy that learns, once in turns. "
        "Because the web is made, it is known when each article appeared, and so how "
        "many "
        "were found and how late.",
    .options = options,
    .options_size = sizeof(struct options),
    .settings = "log",
    .examples = examples,
    .run = run,
};
