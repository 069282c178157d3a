#include "view/past.h"

#include "base/map.h"
#include "base/rng.h"
#include "crawl/budget.h"
#include "crawl/sites/site_row.h"
#include "crawl/sites/site_rules.h"
#include "store/visit.h"

#include <math.h>
#include <stdlib.h>

/* Sources beyond which sites are left out; new pages needed to say anything; and what a
 * replay may cost, in sources times steps. */
enum { MOST_SOURCES = 1000, LEAST_PAGES = 20, WORK = 2000000, LOOK_STEPS = 6 };

struct source {
    uint64_t id;
    fg_time began;
};

struct target {
    uint64_t id;
    fg_time first_seen;
    fg_page_id found_on;
    bool is_shown;
};

struct seen {
    uint32_t source;
    fg_time time;
};

struct reading {
    struct fg_past *past;
    const struct fg_look *look;
    fg_time from;
    FG_VEC(struct source) sources;
    FG_VEC(struct target) targets;
    FG_VEC(struct seen) looks;
    struct fg_map source_at, target_at; /* of a page: 1 + its place */
    bool takes_sources;
};

static uint64_t id_of(fg_site_id site, fg_page_id page)
{
    return (uint64_t)site << 32 | page;
}

static bool take_page(void *context, const struct fg_page_row *page)
{
    static const uint32_t lists =
        FG_PAGE_SOURCE | FG_PAGE_RETIRED | FG_PAGE_FEED | FG_PAGE_SITEMAP;
    struct reading *r = context;
    uint64_t id = id_of(page->site, page->page);
    if (r->takes_sources && page->flags & lists && page->visits) {
        fg_vec_push(&r->sources, (struct source){id, page->first_seen});
        *fg_map_put(&r->source_at, id) = r->sources.len;
    }
    if (page->flags & FG_PAGE_REPORTED && page->first_seen >= r->from) {
        fg_vec_push(&r->targets, (struct target){.id = id,
                                                 .first_seen = page->first_seen,
                                                 .found_on = page->found_on});
        *fg_map_put(&r->target_at, id) = r->targets.len;
    }
    return true;
}

static bool take_visit(void *context, const struct fg_visit_row *visit)
{
    struct reading *r = context;
    const uint64_t *at = fg_map_get(&r->source_at, id_of(visit->site, visit->page));
    if (at && !fg_visit_failed(visit) && visit->purpose != CAPTURE)
        fg_vec_push(&r->looks, (struct seen){(uint32_t)(*at - 1), visit->time});
    return true;
}

static bool take_link(void *context, const struct fg_link_row *link)
{
    struct reading *r = context;
    const uint64_t *source = fg_map_get(&r->source_at, id_of(link->site, link->source)),
                   *at =
                       fg_map_get(&r->target_at, id_of(link->target_site, link->target));
    if (!source || !at)
        return true;
    struct fg_looked *looked = &r->past->looked;
    struct target *target = &r->targets.at[*at - 1];
    target->is_shown = true;
    /* A link that came back has left its first stay behind. */
    if (target->found_on == link->source && link->target_site == link->site &&
        target->first_seen < link->first_seen)
        fg_looked_sight(looked, *source - 1, *at - 1, target->first_seen,
                        target->first_seen);
    fg_looked_sight(looked, *source - 1, *at - 1, link->first_seen,
                    link->gone == FG_NEVER ? looked->to : link->gone - 1);
    return true;
}

/* --- which sites --- */

static bool is_wanted(const struct fg_site_row *site, const struct fg_past_wish *wish,
                      fg_site_id one)
{
    return (!one || site->site == one) &&
           (!wish->tag.len || fg_tags_have(site->tags, wish->tag));
}

static double looks_allowed(const struct reading *r, const struct fg_site_row *site)
{
    const struct fg_crawl_options *o = r->look->place.settings;
    struct fg_arena arena = {0};
    struct fg_site_rules rules;
    fg_site_rules_read(&rules, &arena, site->settings);
    double own =
        rules.budget_per_hour > 0 ? rules.budget_per_hour : o->budget.site_per_hour;
    fg_arena_clear(&arena);
    fg_time delay = o->pace.delay > site->crawl_delay ? o->pace.delay : site->crawl_delay;
    double paced = delay > 0 ? (double)FG_HOUR / (double)delay : INFINITY;
    return fmin(own > 0 ? own : INFINITY, paced);
}

/* By chance, in an order that does not change from call to call. */
static int by_chance(const void *a, const void *b)
{
    const struct fg_site_row *const *x = a, *const *y = b;
    struct fg_rng one = fg_rng_from_seed((*x)->site),
                  other = fg_rng_from_seed((*y)->site);
    uint64_t p = fg_rng_next(&one), q = fg_rng_next(&other);
    return (p > q) - (p < q);
}

static enum fg_status read_sites(struct reading *r, const struct fg_past_wish *wish,
                                 fg_site_id one, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    const struct fg_look *look = r->look;
    const struct fg_site_row **sites =
        FG_NEW(look->texts, const struct fg_site_row *, look->n_sites + 1);
    size_t n = 0;
    for (size_t i = 0; i < look->n_sites; i++)
        if (is_wanted(&look->sites[i], wish, one))
            sites[n++] = &look->sites[i];
    if (n)
        qsort(sites, n, sizeof *sites, by_chance);
    for (size_t i = 0; !st && i < n; i++) {
        size_t before = r->sources.len;
        r->takes_sources = before < MOST_SOURCES;
        r->past->sites_left += !r->takes_sources;
        st = fg_store_pages(look->store, sites[i]->site, take_page, r, err);
        if (st || r->sources.len == before)
            continue;
        r->past->sites++;
        r->past->most += looks_allowed(r, sites[i]);
        st = fg_store_visits(look->store, sites[i]->site, 0, r->from, take_visit, r, err);
    }
    return st;
}

/* --- looks and links --- */

static void put_looks(struct reading *r)
{
    struct fg_past *past = r->past;
    fg_time from = FG_NEVER, to = FG_NEVER;
    for (size_t i = 0; i < r->looks.len; i++) {
        fg_time time = r->looks.at[i].time;
        from = from == FG_NEVER || time < from ? time : from;
        to = to == FG_NEVER || time > to ? time : to;
    }
    fg_looked_init(&past->looked, r->sources.len, from, r->looks.len ? to + 1 : from);
    for (size_t i = 0; i < r->sources.len; i++) {
        past->looked.sources[i].site = (uint32_t)(r->sources.at[i].id >> 32);
        past->looked.sources[i].began = r->sources.at[i].began;
    }
    for (size_t i = 0; i < r->looks.len; i++)
        fg_looked_look(&past->looked, r->looks.at[i].source, r->looks.at[i].time);
}

static enum fg_status put_links(struct reading *r, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    uint32_t last = 0; /* the sources of a site stand together */
    for (size_t i = 0; !st && i < r->sources.len; i++) {
        uint32_t site = (uint32_t)(r->sources.at[i].id >> 32);
        if (site != last)
            st = fg_store_links(r->look->store, site, 0, take_link, r, err);
        last = site;
    }
    for (size_t i = 0; i < r->targets.len; i++) {
        r->past->told++;
        r->past->elsewhere += !r->targets.at[i].is_shown;
    }
    return st;
}

/* --- time --- */

/* Several steps between two looks at a source, as far as the work allows. */
static void choose_step(struct fg_past *past, const struct fg_past_wish *wish,
                        const struct fg_crawl_options *o)
{
    double span = (double)(past->looked.to - past->looked.from);
    double n = (double)past->looked.n_sources,
           looks = (double)fg_looked_count(&past->looked);
    double gap = span * n / fmax(looks, 1) / LOOK_STEPS, least = span * n / WORK;
    double tick = (double)o->budget.tick;
    double wished = wish->level > 0 ? fmin(gap, (double)wish->level / 3) : gap;
    double step = fmax(fmin(fmax(wished, tick), (double)FG_HOUR), least);
    past->step = (fg_time)fmax(round(step / (double)FG_SECOND), 1) * FG_SECOND;
    double steps = fmax(span / (double)past->step, 1);
    past->a_step = looks / steps;
    past->most *= fg_hours(past->step);
    past->warm_up = (size_t)fmin(steps / 4, (double)(7 * FG_DAY) / (double)past->step);
}

static enum fg_status check(const struct fg_past *past, const struct fg_past_wish *wish,
                            struct fg_err *err)
{
    char span[FG_SPAN_TEXT];
    uint64_t shown = past->told - past->elsewhere;
    if (shown < LEAST_PAGES)
        return fg_fail(err, FG_ENOTFOUND,
                       "too little to go by: in the last %s looks at sources found %llu "
                       "new pages, and it takes %d",
                       fg_span_format(span, wish->span), (unsigned long long)shown,
                       LEAST_PAGES);
    if (wish->level && past->step > wish->level)
        return fg_fail(err, FG_EINPUT,
                       "too much to look at so closely: take a shorter span, or one "
                       "site");
    return FG_OK;
}

static const struct fg_policy *policy_of(const struct fg_look *look)
{
    const char *name = fg_look_text(look->status, "discovery_policy");
    const struct fg_policy *policy =
        name ? fg_policy_find(fg_str_from(name), FG_DISCOVERY) : NULL;
    return policy ? policy
                  : fg_policy_find(fg_str_from(look->place.settings->policies.discovery),
                                   FG_DISCOVERY);
}

enum fg_status fg_past_read(struct fg_past *past, const struct fg_look *look,
                            const struct fg_past_wish *wish, struct fg_err *err)
{
    fg_site_id one = 0;
    struct reading r = {.past = past, .look = look, .from = look->now - wish->span};
    *past = (struct fg_past){.policy = policy_of(look)};
    enum fg_status st = FG_OK;
    if (wish->site.len)
        st = fg_look_find_site(look, wish->site, &one, err);
    if (!st)
        st = read_sites(&r, wish, one, err);
    if (!st) {
        put_looks(&r);
        st = put_links(&r, err);
    }
    if (!st) {
        fg_looked_done(&past->looked);
        choose_step(past, wish, look->place.settings);
        st = check(past, wish, err);
    }
    fg_vec_clear(&r.sources);
    fg_vec_clear(&r.targets);
    fg_vec_clear(&r.looks);
    fg_map_clear(&r.source_at);
    fg_map_clear(&r.target_at);
    if (st)
        fg_past_clear(past);
    return st;
}

void fg_past_clear(struct fg_past *past)
{
    fg_looked_clear(&past->looked);
}

double fg_past_a_day(const struct fg_past *past, double a_step)
{
    return a_step * (double)FG_DAY / (double)past->step;
}

double fg_past_daily(const struct fg_past *past, double count)
{
    double span = (double)(past->looked.to - past->looked.from);
    return count / ((span - (double)past->warm_up * (double)past->step) / (double)FG_DAY);
}

/* --- words --- */

enum fg_status fg_past_factor(double *factor, struct fg_str text, struct fg_err *err)
{
    struct fg_str number = fg_str_trim(text);
    bool is_percent = fg_str_ends(number, FG_STR("%")),
         is_times = fg_str_ends(number, FG_STR("x"));
    if (is_percent || is_times)
        number.len--;
    if (!fg_str_to_double(fg_str_trim(number), factor) ||
        !(*factor *= is_percent ? 0.01 : 1, *factor >= 0.01 && *factor <= 100))
        return fg_fail(
            err, FG_EINPUT,
            "'%.*s' is not a budget: write 2x, 0.5x or 200%%, from 0.01x to 100x",
            (int)text.len, text.at);
    return FG_OK;
}

struct fg_texts fg_past_limits(const struct fg_past *past, struct fg_arena *arena,
                               double most)
{
    FG_VEC(struct fg_str) texts = {0};
    fg_vec_push_in(arena, &texts,
                   FG_STR("Nothing is said of sources that were not listed, nor of how "
                          "fresh documents would be."));
    if (most > 1)
        fg_vec_push_in(
            arena, &texts,
            FG_STR("What came and went between looks is guessed: with more looks "
                   "the error is larger, on recordings up to 7 %."));
    if (past->elsewhere)
        fg_vec_push_in(arena, &texts,
                       fg_arena_printf(arena,
                                       "%llu of %llu new pages were not found by a look "
                                       "at a source, and are left out.",
                                       (unsigned long long)past->elsewhere,
                                       (unsigned long long)past->told));
    if (past->sites_left)
        fg_vec_push_in(arena, &texts,
                       fg_arena_printf(arena,
                                       "It is said of %zu sites drawn by chance; %zu are "
                                       "left out.",
                                       past->sites, past->sites_left));
    fg_vec_push_in(arena, &texts,
                   FG_STR("Looks are thought to be spread evenly over the hours, and the "
                          "policy to begin without knowing anything."));
    return (struct fg_texts){texts.at, texts.len};
}
