/* Refresh policies on one small set of pages: the figures, to six digits, are their
 * golden files. Only fg-dqn has none: OpenBLAS adds up in an order that depends on the
 * machine, and its choices follow the last digit. After a change that is meant to move
 * them:
 *
 *     FORAGE_GOLDEN=write build/asan/tests/policy/test_refresh_golden */
#include "base/rng.h"
#include "base/variate.h"
#include "refresh.h"

enum { PAGES = 60, SITES = 4, STEPS = 12 * 60, WARM_UP = 12 * 15, BUDGET = 2 };

static const char *const policies[] = {
    "uniform",
    "change",
    "click",
    "impression",
    "lambda",
    "kab",
    "kab2",
    "kab3",
    "kab4",
    "kab5",
    "thompson-beta",
    "static",
    "whittle",
    "myopic",
    "clairvoyant",
    "lastmod",
    "fixed",
    "nutch-adaptive",
    "stormcrawler-adaptive",
    "round-robin",
    "random",
    "lomax",
    "quality",
    "sbr",
    "ebr",
    "stake",
};

struct web {
    struct fg_rng rng;
    double rate[PAGES]; /* changes a day */
    float weight[PAGES];
    bool is_stale[PAGES];
};

static bool is_stale(void *context, size_t page)
{
    return ((struct web *)context)->is_stale[page];
}

static double rate_of(void *context, size_t page)
{
    return ((struct web *)context)->rate[page];
}

static struct web small_web(void)
{
    struct web web = {.rng = fg_rng_from_seed(12)};
    for (size_t i = 0; i < PAGES; i++) {
        web.rate[i] = 0.2 * exp(1.5 * fg_rng_normal(&web.rng));
        web.weight[i] = (float)exp(fg_rng_normal(&web.rng));
        web.is_stale[i] = true;
    }
    return web;
}

/* Of every third page all rates are told, wrongly. */
static void tell(struct fg_mind *mind, struct web *web, size_t page)
{
    if (page % 3)
        return;
    for (int kind = 0; kind <= FG_TOLD_CLICKS_SMOOTH; kind++) {
        double rate = kind % 3 ? (double)web->weight[page] : web->rate[page];
        fg_mind_tell(mind, page, (enum fg_told_rate)kind,
                     (float)(rate * exp(0.3 * fg_rng_normal(&web->rng))));
    }
}

static void change(struct fg_mind *mind, struct web *web, fg_time now)
{
    for (size_t i = 0; i < PAGES; i++) {
        if (fg_rng_unit(&web->rng) > -expm1(-web->rate[i] / 12))
            continue;
        web->is_stale[i] = true;
        if (i % 4 == 0) /* its site says so */
            fg_mind_signal(mind, i, now);
    }
}

struct figures {
    double visits, found, fresh, weighted;
};

static void judge(struct figures *sum, const struct web *web)
{
    double fresh = 0, weighted = 0, weights = 0;
    for (size_t i = 0; i < PAGES; i++) {
        weights += (double)web->weight[i];
        weighted += web->is_stale[i] ? 0 : (double)web->weight[i];
        fresh += !web->is_stale[i];
    }
    sum->fresh += fresh / PAGES / (STEPS - WARM_UP);
    sum->weighted += weighted / weights / (STEPS - WARM_UP);
}

static struct figures crawl(const char *name)
{
    struct web web = small_web();
    struct figures sum = {0};
    struct fg_foresight foresight = {
        .context = &web, .is_stale = is_stale, .rate = rate_of};
    struct fg_mind *mind = mind_of(name, NULL, 4);
    fg_mind_tick(mind, 2 * FG_HOUR);
    fg_mind_budget(mind, BUDGET);
    fg_mind_foresee(mind, &foresight);
    for (size_t i = 0; i < PAGES; i++) {
        fg_mind_add(mind, i, (uint32_t)(i % SITES), 0);
        fg_mind_weigh(mind, i, web.weight[i]);
        tell(mind, &web, i);
    }
    for (int step = 0; step < STEPS; step++) {
        fg_time now = 19000 * FG_DAY + step * 2 * FG_HOUR;
        struct fg_pick picks[BUDGET];
        size_t n = fg_mind_choose(mind, now, BUDGET, picks);
        sum.visits += (double)n;
        for (size_t i = 0; i < n; i++) {
            size_t page = picks[i].page;
            bool is_ok = fg_rng_unit(&web.rng) > 0.02, was_stale = web.is_stale[page];
            sum.found += is_ok && was_stale;
            web.is_stale[page] &= !is_ok;
            fg_mind_observe(mind, &(struct fg_visit){.page = page,
                                                     .now = now,
                                                     .ok = is_ok,
                                                     .changed = is_ok && was_stale});
        }
        if (step >= WARM_UP)
            judge(&sum, &web);
        change(mind, &web, now);
    }
    fg_mind_free(mind);
    return sum;
}

static void write_figures(char out[256], const struct figures *f)
{
    snprintf(out, 256, "visits %.6g\nfound %.6g\nfresh %.6g\nweighted %.6g\n", f->visits,
             f->found, f->fresh, f->weighted);
}

static void compare(const char *name, const struct figures *figures)
{
    const char *wish = getenv("FORAGE_GOLDEN");
    bool is_written = wish && !strcmp(wish, "write");
    char path[128], now[256], was[256] = "";
    write_figures(now, figures);
    snprintf(path, sizeof path, "tests/golden/refresh/%s.txt", name);
    FILE *f = fopen(path, is_written ? "w+" : "r");
    if (!f)
        fail_msg("%s is missing: a policy needs its golden file", path);
    if (is_written) {
        fputs(now, f);
        rewind(f);
    }
    size_t n = fread(was, 1, sizeof was - 1, f);
    was[n] = '\0';
    fclose(f);
    if (strcmp(was, now) != 0)
        fail_msg("%s: was\n%sis\n%s", path, was, now);
}

static void each_policy_does_what_its_golden_file_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        struct figures figures = crawl(policies[i]);
        compare(policies[i], &figures);
    }
}

/* Not the figures, but their order: on any web like this one. */
static void knowing_more_keeps_copies_fresher(void **state)
{
    (void)state;
    double seeing = crawl("clairvoyant").weighted;
    double index = crawl("whittle").weighted;
    double lots = crawl("lambda").weighted, blind = crawl("uniform").weighted;
    assert_true(seeing > index && index > lots && lots > blind);
}

FG_TESTS(each_policy_does_what_its_golden_file_says, knowing_more_keeps_copies_fresher)
