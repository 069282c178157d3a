/* cmd_demo.c - forage demo: a web that is known through and through, crawled for real
 *
 * A simulated web is served on loopback, with its time running fast. Crawls of it run
 * side by side as processes of their own, with the same budget: one that learns and one
 * that goes round and round, or, of the shop alone, one for each refresh policy. What
 * each has reported and keeps fresh is read from its store, and held against the truth.
 */
#include "cli/crawling.h"
#include "cli/demo/demo.h"
#include "cli/stop.h"
#include "crawl/pricing.h"
#include "lab/bootstrap.h"
#include "policy/policy.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
    fg_time real, tick;
    double speed, budget, shop_budget, per_day;
    int64_t sites, offers, seed;
    int worth;
    struct fg_str policy;
    struct fg_opt_list refresh, against;
    bool shop, plain, json, keep;
    struct fg_serving serving;
};

static const struct fg_opt options[] = {
    {"for", FG_SPAN(struct options, real), "60s", .min = (double)FG_SECOND,
     .max = (double)FG_DAY, .help = "how long it runs"},
    {"speed", FG_DOUBLE(struct options, speed), "14400", .min = 60, .max = 1e6,
     .help = "simulated seconds in a second"},
    {"tick", FG_SPAN(struct options, tick), "1h", .min = (double)FG_MINUTE,
     .max = (double)FG_DAY, .help = "the time step in which the budgets are spent"},
    {"budget", FG_DOUBLE(struct options, budget), "24", .min = 1, .max = 1e6,
     .help = "page requests a simulated hour, for each crawl, to find new pages"},
    {"sites", FG_INT(struct options, sites), "4", .min = 1, .max = 50,
     .help = "news sites of the web"},
    {"articles", FG_DOUBLE(struct options, per_day), "60", .min = 1, .max = 1e5,
     .help = "published a day on the median site"},
    {"plain", FG_BOOL(struct options, plain),
     .help = "news sites without pagers, archives, sessions, boxes and the like"},
    {"offers", FG_INT(struct options, offers), "200", .max = 100000,
     .help = "offers of the shop; 0: there is none"},
    {"shop-budget", FG_DOUBLE(struct options, shop_budget), "8", .min = 1, .max = 1e6,
     .help = "page requests a simulated hour, for each crawl, to keep prices fresh"},
    {"shop", FG_BOOL(struct options, shop),
     .help = "the shop alone, once for each policy of --refresh"},
    {"web-seed", FG_INT(struct options, seed), "1", .min = 0, .max = 1e15,
     .help = "another seed, another web"},
    {"policy", FG_STRING(struct options, policy), "forage", .arg = "NAME",
     .help = "the policy that is shown against others"},
    {"worth", FG_ENUM(struct options, worth, fg_worth_names), "news",
     .help = "what that crawl's budget is for (crawl.worth)"},
    {"against", FG_LIST(struct options, against), .arg = "NAME,...",
     .help = "the policies it is shown against, with fixed shares of the budget and with "
             "lomax for the prices, round-robin with itself: round-robin if nothing is "
             "said"},
    {"refresh", FG_LIST(struct options, refresh), .arg = "NAME,...",
     .help =
         "the policy that keeps prices fresh beside it: lomax if nothing is said; with "
         "--shop several, lomax, kab5 and uniform if nothing is said"},
    {"keep", FG_BOOL(struct options, keep),
     .help = "keep the workspaces and say where they are"},
    {"json", FG_BOOL(struct options, json), .letter = 'j', .help = "the result as JSON"},
    FG_SERVING_OPTIONS(struct options, serving),
    {0},
};

/* --- showing --- */

static const char *hours(char out[static 32], fg_time span)
{
    snprintf(out, 32, "%.1f h", fg_hours(span));
    return out;
}

/* A share that may not exist. */
static const char *percent(char out[static 16], double share)
{
    snprintf(out, 16, isnan(share) ? "-" : "%.1f%%", 100 * share);
    return out;
}

static void show_shop_line(const struct fg_demo *demo)
{
    for (size_t i = 0; i < demo->n; i++)
        fprintf(stderr, " | %s: %.1f %% of clicks see the true price",
                demo->crawls[i].refresh, 100 * demo->crawls[i].click_freshness);
}

static void show_line(const struct fg_demo *demo, bool is_shop_alone, fg_time now)
{
    char when[FG_TIME_TEXT], delay[32], precision[16];
    fg_time_format(when, now / FG_MINUTE * FG_MINUTE);
    fprintf(stderr, "\r\033[K%.16s", when);
    if (is_shop_alone) {
        show_shop_line(demo);
        return;
    }
    fprintf(stderr, "  %zu published", demo->crawls[0].told.published);
    for (size_t i = 0; i < demo->n; i++)
        fprintf(stderr, " | %s: %zu reported, median %s, precision %s",
                demo->crawls[i].discovery, demo->crawls[i].told.reported,
                hours(delay, demo->crawls[i].told.delay_p50),
                percent(precision, demo->crawls[i].told.precision));
}

static void json_freshness(struct fg_json *json, const struct fg_demo_crawl *crawl)
{
    fg_json_pair_cstr(json, "refresh", crawl->refresh);
    fg_json_pair_double(json, "click_freshness", crawl->click_freshness);
    fg_json_pair_double(json, "page_freshness", crawl->page_freshness);
    fg_json_pair_uint(json, "shop_fetches", crawl->shop_fetches);
}

static double sum_worth(const struct fg_demo_crawl *crawl)
{
    double sum = 0;
    for (size_t i = 0; i < FG_DEMO_DAYS; i++)
        sum += crawl->worth_by_day[i];
    return sum;
}

static void json_told(struct fg_json *json, const struct fg_web_score *told, double worth)
{
    fg_json_pair_uint(json, "reported", told->reported);
    fg_json_pair_double(json, "precision", told->precision);
    fg_json_pair_double(json, "recall", told->recall);
    fg_json_pair_double(json, "worth", worth / (double)told->published);
    fg_json_pair_double(json, "delay_p50_s", fg_seconds(told->delay_p50));
    fg_json_pair_double(json, "delay_p90_s", fg_seconds(told->delay_p90));
    fg_json_key(json, "events");
    fg_json_object(json);
    for (size_t i = 0; i < FG_WEB_VERDICTS; i++)
        fg_json_pair_uint(json, fg_web_verdict_names[i], told->verdicts[i]);
    fg_json_end(json);
}

static void json_score(struct fg_json *json, const struct fg_demo *demo,
                       const struct fg_demo_crawl *crawl)
{
    fg_json_pair_uint(json, "published", crawl->score.published);
    fg_json_pair_uint(json, "found", crawl->score.found);
    fg_json_pair_double(json, "coverage", crawl->score.coverage);
    json_told(json, &crawl->told, sum_worth(crawl));
    fg_json_pair_uint(json, "fetches", crawl->fetches);
    if (demo->shop)
        json_freshness(json, crawl);
}

/* "round_robin" */
static const char *json_name(struct fg_demo *demo, const struct fg_demo_crawl *crawl)
{
    char *name = fg_arena_cstr(demo->cli->arena, fg_str_from(crawl->discovery));
    for (char *c = name; *c; c++)
        *c = (char)(*c == '-' ? '_' : *c);
    return name;
}

static void print_json(struct fg_demo *demo, bool is_shop_alone)
{
    struct fg_json json = fg_json_to(&demo->cli->out.buf);
    fg_json_object(&json);
    fg_json_pair_double(&json, "simulated_hours", fg_hours(demo->until - demo->anchor));
    if (demo->shop)
        fg_json_pair_uint(&json, "offers", fg_shop_offers(demo->shop));
    if (is_shop_alone) {
        fg_json_key(&json, "crawls");
        fg_json_array(&json);
        for (size_t i = 0; i < demo->n; i++) {
            fg_json_object(&json);
            json_freshness(&json, &demo->crawls[i]);
            fg_json_end(&json);
        }
        fg_json_end(&json);
    } else {
        fg_json_pair_cstr(&json, "policy", demo->crawls[0].discovery);
        json_score(&json, demo, &demo->crawls[0]);
        for (size_t i = 1; i < demo->n; i++) {
            fg_json_key(&json, json_name(demo, &demo->crawls[i]));
            fg_json_object(&json);
            json_score(&json, demo, &demo->crawls[i]);
            fg_json_end(&json);
        }
    }
    fg_json_end(&json);
    fg_out_puts(&demo->cli->out, "\n");
}

static void print_discovery(struct fg_demo *demo)
{
    struct fg_out *out = &demo->cli->out;
    char p50[32], p90[32], precision[16], recall[16];
    fg_out_printf(out, "%-14s %9s %9s %9s %9s %12s %12s %9s\n", "new pages", "published",
                  "reported", "precision", "recall", "median delay", "90 % within",
                  "fetches");
    for (size_t i = 0; i < demo->n; i++) {
        const struct fg_demo_crawl *crawl = &demo->crawls[i];
        const struct fg_web_score *told = &crawl->told;
        fg_out_printf(out, "%-14s %9zu %9zu %9s %9s %12s %12s %9llu\n", crawl->discovery,
                      told->published, told->reported,
                      percent(precision, told->precision), percent(recall, told->recall),
                      hours(p50, told->delay_p50), hours(p90, told->delay_p90),
                      (unsigned long long)(crawl->fetches - crawl->shop_fetches));
    }
}

static void print_freshness(struct fg_demo *demo)
{
    struct fg_out *out = &demo->cli->out;
    fg_out_printf(out, "%-14s %19s %29s %9s\n", "prices", "clicks on a true one",
                  "offers whose copy is true", "fetches");
    for (size_t i = 0; i < demo->n; i++) {
        const struct fg_demo_crawl *crawl = &demo->crawls[i];
        fg_out_printf(out, "%-14s %19.1f%% %28.1f%% %9llu\n", crawl->refresh,
                      100 * crawl->click_freshness, 100 * crawl->page_freshness,
                      (unsigned long long)crawl->shop_fetches);
    }
}

/* There are days enough to tell by how much they differ. */
static bool has_intervals(const struct fg_demo *demo)
{
    enum { LEAST_DAYS = 4 };
    return fg_demo_days(demo) >= LEAST_DAYS;
}

static void print_worth(struct fg_demo *demo, const struct fg_demo_crawl *other)
{
    const struct fg_demo_crawl *first = &demo->crawls[0];
    size_t n = fg_demo_days(demo);
    struct fg_bootstrap *boot = fg_bootstrap_new(n ? n : 1);
    struct fg_figure gain =
        fg_bootstrap_pooled(boot, first->worth_by_day, other->worth_by_day);
    fg_bootstrap_free(boot);
    fg_out_printf(&demo->cli->out, "%.2f", gain.mean);
    if (has_intervals(demo))
        fg_out_printf(&demo->cli->out, " [%.2f, %.2f]", gain.lo, gain.hi);
    fg_out_puts(&demo->cli->out, " times the worth of new pages");
}

/* What the first gains over each of the others. */
static void print_gains(struct fg_demo *demo)
{
    struct fg_out *out = &demo->cli->out;
    const struct fg_demo_crawl *first = &demo->crawls[0];
    for (size_t i = 1; i < demo->n; i++) {
        const struct fg_demo_crawl *other = &demo->crawls[i];
        if (!other->told.reported || !other->told.delay_p90)
            continue;
        fg_out_printf(out, "%s%s beside %s with fixed shares: ", i == 1 ? "\n" : "",
                      first->discovery, other->discovery);
        print_worth(demo, other);
        fg_out_printf(out,
                      ", %.2f times as many reported, 90 %% within %.2f times the hours",
                      (double)first->told.reported / (double)other->told.reported,
                      fg_hours(first->told.delay_p90) / fg_hours(other->told.delay_p90));
        if (demo->shop)
            fg_out_printf(out, ", %+.1f points of clicks on a true price",
                          100 * (first->click_freshness - other->click_freshness));
        fg_out_puts(out, "\n");
    }
    fg_out_printf(out,
                  "A page that is told late keeps %g of its worth, the rest fades by a "
                  "factor of e in %g h.%s\n",
                  demo->wants->keeps, demo->wants->loses,
                  has_intervals(demo) ? " In brackets: days of this web drawn again; "
                                        "another web may differ more."
                                      : "");
}

static void print_tables(struct fg_demo *demo, bool is_shop_alone)
{
    struct fg_out *out = &demo->cli->out;
    double days = fg_days(demo->until - demo->anchor),
           warm_up = fg_hours(demo->from - demo->anchor);
    if (!is_shop_alone) {
        fg_out_printf(out,
                      "%u sites, %.1f simulated days in %.0f s, %g requests a simulated "
                      "hour; articles of the first %.0f h are left out of all but the "
                      "precision.\n\n",
                      fg_web_sites(demo->web) - (demo->shop != NULL), days,
                      fg_seconds(demo->real), demo->budget, warm_up);
        print_discovery(demo);
        if (demo->shop)
            fg_out_printf(
                out,
                "\nAnd a shop of %zu offers, for which the budget is %g requests "
                "an hour larger.\n\n",
                fg_shop_offers(demo->shop), demo->shop_budget);
    } else {
        fg_out_printf(
            out,
            "a shop of %zu offers, %.1f simulated days in %.0f s, %g requests a "
            "simulated hour; the first %.0f h are left out.\n\n",
            fg_shop_offers(demo->shop), days, fg_seconds(demo->real), demo->shop_budget,
            warm_up);
    }
    if (demo->shop)
        print_freshness(demo);
    if (!is_shop_alone)
        print_gains(demo);
}

/* --- the whole --- */

static bool any_runs(const struct fg_demo *demo)
{
    for (size_t i = 0; i < demo->n; i++)
        if (demo->crawls[i].pid > 0)
            return true;
    return false;
}

static enum fg_status judge_all(struct fg_demo *demo, fg_time now, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    for (size_t i = 0; !st && i < demo->n; i++)
        st = fg_demo_judge(demo, &demo->crawls[i], now, err);
    return st;
}

/* Of the crawl that learns, as soon as it has a store. */
static void show_dashboard(struct fg_demo *demo, const struct fg_serving *serving)
{
    const char *workspace = demo->crawls[0].workspace;
    struct fg_store_options look = {.read_only = true};
    struct fg_store *store;
    /* The crawl is about to make it, perhaps. */
    if (demo->has_dashboard || !fg_store_exists(workspace) ||
        fg_store_open(&store, workspace, &look, NULL))
        return;
    fg_store_close(store, NULL);
    demo->has_dashboard = true;
    fg_demo_settle(demo);
    if (serving->is_wanted)
        fg_demo_advertise(demo);
    demo->dashboard = fg_serving_start(demo->cli, fg_str_from(workspace), serving);
}

/* Whoever stops it wants to see what there is: the crawls end in their own time, and the
 * demo with them. */
static enum fg_status watch_them(struct fg_demo *demo, const struct options *o,
                                 struct fg_err *err)
{
    enum fg_status st = FG_OK;
    bool shows = isatty(STDERR_FILENO) && !demo->cli->common.quiet;
    bool is_stopping = false;
    for (int beat = 0; !st && any_runs(demo); beat++) {
        usleep(100000);
        fg_time now = fg_clock_now(&demo->clock);
        show_dashboard(demo, &o->serving);
        if (fg_stop_is_wanted() && !is_stopping) {
            is_stopping = true;
            fg_demo_stop(demo);
            demo->until = now;
            demo->cli->exit = FG_EXIT_INTERRUPTED;
        }
        for (size_t i = 0; !st && i < demo->n; i++)
            st = fg_demo_check(&demo->crawls[i], is_stopping, err);
        if (!st && !is_stopping && now < demo->until)
            st = fg_demo_count(demo, now, err);
        /* Without a dashboard nobody would see what they change. */
        if (!st && demo->dashboard && !is_stopping && beat % 5 == 0)
            fg_demo_read(demo);
        if (st || !shows || beat % 10)
            continue;
        st = judge_all(demo, now, err);
        show_line(demo, o->shop, now);
    }
    if (shows)
        fprintf(stderr, "\r\033[K");
    return st;
}

static enum fg_status set_up(struct fg_demo *demo, const struct options *o,
                             struct fg_err *err)
{
    demo->anchor = fg_time_now();
    demo->clock = fg_clock_simulated(demo->anchor, o->speed);
    demo->until = demo->anchor + (fg_time)((double)o->real * o->speed);
    fg_time ran = demo->until - demo->anchor;
    demo->from = demo->anchor + ran / 5;
    struct fg_web_options web = fg_web_defaults();
    web.seed = (uint64_t)o->seed;
    web.sites = o->shop ? 0 : (unsigned)o->sites;
    web.offers = (unsigned)o->offers;
    web.articles_per_day = o->per_day;
    web.is_ugly = !o->plain;
    web.from = demo->anchor;
    web.to = demo->until + ran / 10;
    demo->web = fg_web_new(&web);
    demo->shop = fg_web_shop(demo->web);
    enum fg_status st =
        fg_web_server_start(&demo->server, demo->web,
                            &(struct fg_web_server_options){.clock = demo->clock}, err);
    if (st)
        return st;
    unsigned n = fg_web_sites(demo->web);
    demo->origins = fg_arena_alloc(demo->cli->arena, n * sizeof *demo->origins);
    for (unsigned i = 0; i < n; i++)
        demo->origins[i] = fg_web_server_origin(demo->server, i);
    return FG_OK;
}

static enum fg_status check_policy(struct fg_str name, enum fg_task task,
                                   struct fg_err *err)
{
    const struct fg_policy *policy = fg_policy_find(name, task);
    if (!policy)
        return fg_fail(err, FG_ECONFIG, "there is no %s policy '%.*s'",
                       task == FG_DISCOVERY ? "discovery" : "refresh", FG_ARG(name));
    if (policy->needs_foresight)
        return fg_fail(err, FG_ECONFIG,
                       "'%s' has to see the future and is for the lab only",
                       policy->name);
    return FG_OK;
}

static void add_crawl(struct fg_demo *demo, struct fg_str name, struct fg_str discovery,
                      struct fg_str refresh)
{
    struct fg_arena *arena = demo->cli->arena;
    demo->crawls[demo->n] = (struct fg_demo_crawl){
        .name = fg_arena_cstr(arena, name),
        .discovery = fg_arena_cstr(arena, discovery),
        .refresh = fg_arena_cstr(arena, refresh),
    };
    demo->n++;
}

/* A policy is shown once. */
static bool is_there(const struct fg_demo *demo, struct fg_str name)
{
    for (size_t i = 0; i < demo->n; i++)
        if (fg_str_eq(fg_str_from(demo->crawls[i].discovery), name))
            return true;
    return false;
}

/* Which crawls there are to be; all names are checked first. */
static enum fg_status plan(struct fg_demo *demo, const struct options *o,
                           struct fg_err *err)
{
    static const struct fg_str usual[] = {{"lomax", 5}, {"kab5", 4}, {"uniform", 7}};
    const struct fg_str *names = o->refresh.len ? o->refresh.at : usual;
    size_t n = o->refresh.len ? o->refresh.len : o->shop ? 3 : 1;
    if (o->shop && !o->offers)
        return fg_fail(err, FG_ECONFIG,
                       "--shop without --offers: there is nothing to do");
    if (n > (o->shop ? FG_DEMO_CRAWLS : 1))
        return fg_fail(err, FG_ECONFIG, "--refresh: at most %d %s",
                       o->shop ? FG_DEMO_CRAWLS : 1,
                       o->shop ? "policies" : "policy without --shop");
    enum fg_status st = check_policy(o->policy, FG_DISCOVERY, err);
    for (size_t i = 0; !st && o->offers && i < n; i++) {
        st = check_policy(names[i], FG_REFRESH, err);
        for (size_t j = 0; !st && j < i; j++)
            if (fg_str_eq(names[i], names[j]))
                st = fg_fail(err, FG_ECONFIG, "--refresh names '%.*s' twice",
                             FG_ARG(names[i]));
    }
    for (size_t i = 0; !st && o->shop && i < n; i++)
        add_crawl(demo, names[i], FG_STR("round-robin"), names[i]);
    if (!st && !o->shop) {
        struct fg_str turns = FG_STR("round-robin"), lomax = FG_STR("lomax");
        const struct fg_str *others = o->against.len ? o->against.at : &turns;
        size_t n_others = o->against.len ? o->against.len : 1;
        /* The price is for refreshes too: there is one also where no prices are kept. */
        add_crawl(demo, FG_STR("learning"), o->policy, o->offers ? names[0] : lomax);
        demo->crawls[demo->n - 1].worth = fg_worth_names[o->worth];
        for (size_t i = 0; !st && i < n_others && demo->n < FG_DEMO_CRAWLS; i++) {
            st = check_policy(others[i], FG_DISCOVERY, err);
            if (st || is_there(demo, others[i]))
                continue;
            add_crawl(demo, others[i], others[i],
                      fg_str_eq(others[i], turns) || !o->offers ? turns : lomax);
            demo->crawls[demo->n - 1].worth = fg_worth_names[0];
        }
    }
    return st;
}

/* Who sets shares has not said what is wanted. */
static const struct fg_wants *wants_of(int worth)
{
    const struct fg_wants *wants = fg_wants_find(fg_worth_names[worth]);
    return wants ? wants : &fg_wants_presets[0].wants;
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    struct fg_demo demo = {.cli = cli,
                           .real = o->real,
                           .tick = o->tick,
                           .speed = o->speed,
                           .budget = o->budget,
                           .shop_budget = o->shop_budget,
                           .wants = wants_of(o->worth),
                           .readers = fg_rng_from_seed((uint64_t)o->seed)};
    char folder[] = "/tmp/forage-demo-XXXXXX";
    demo.folder = folder;
    enum fg_status st = plan(&demo, o, err);
    if (st)
        return st;
    if (!mkdtemp(folder))
        return fg_fail(err, FG_EIO, "cannot make a folder in /tmp: %s", strerror(errno));
    fg_stop_on_signals();
    st = set_up(&demo, o, err);
    if (!st)
        st = fg_demo_prepare(&demo, err);
    if (!st)
        st = fg_demo_start(&demo, err);
    if (!st)
        st = watch_them(&demo, o, err);
    if (!st)
        st = judge_all(&demo, demo.until, err);
    if (!st && o->json)
        print_json(&demo, o->shop);
    else if (!st)
        print_tables(&demo, o->shop);
    fg_server_stop(demo.dashboard);
    fg_demo_clean_up(&demo, o->keep);
    return st;
}

static const struct fg_example examples[] = {
    {"forage demo --for 3s", "three seconds, half a simulated day"},
    {"forage demo --for 2s --offers 0 --json", "news only, for a script"},
    {"forage demo --for 3s --shop --refresh uniform,kab5",
     "how true two policies keep the prices of a shop"},
    {0},
};

const struct fg_command fg_cmd_demo = {
    .name = "demo",
    .words = "",
    .summary = "crawl a simulated web and show what was found, and how soon",
    .about =
        "Serves a web of news sites and a shop on loopback, with time running fast, "
        "and crawls it for real with the same budget: with policies that learn, at one "
        "price for all fetches, and beside that in turns, or by other policies with "
        "fixed shares. The sites have what surrounds articles on real ones: "
        "pagers, topics, archives, an endless calendar, pages to print, share and reply, "
        "session ids, boxes that show old articles, a feed that is late. Because the web "
        "is made, it is known when each article appeared, and so how many were reported "
        "and how late (recall, delay), and how many of the events were new articles and "
        "not something else (precision); and what each offer cost at any time, and so "
        "for how much of the time the stored price was true, "
        "over all offers and over the clicks on them. The clicks of the past month "
        "are imported at the start, and those of each day when it is over. With "
        "--shop there is the shop alone, crawled once for each policy of --refresh.",
    .options = options,
    .options_size = sizeof(struct options),
    .settings = "log server",
    .examples = examples,
    .run = run,
};
