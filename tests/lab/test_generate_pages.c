/* Which pages a generated site has, what they show, and what is published on them. */
#include "lab/generate/generate_model.h"
#include "test.h"

static struct gen_params params_of(const char *name)
{
    struct gen_params params;
    assert_true(gen_params_find(&params, name));
    return params;
}

/* --- lists, by hand --- */

struct listed {
    uint32_t source, target, first, last;
};

static void assert_stays(const struct gen_output *out, const struct listed *wanted,
                         size_t n)
{
    assert_int_equal(out->stays.len, n);
    assert_memory_equal(out->stays.at, wanted, n * sizeof *wanted);
}

/* Hours 0 and 1 are history, steps 0 .. 5 are hours 2 .. 7. The stream: target 10 at hour
 * 0, 11 at 1, 12 and 13 at 3, 14 at 4, 15 at 7, given out of order.
 *   page 0 shows the last two: at step 0 10 and 11; at 1 12 and 13; at 2 13 and 14; at 5
 *     14 and 15
 *   page 1 is its page two: nothing before step 1, then 10 and 11, then 11 and 12 from 2,
 *     12 and 13 from 5
 *   page 2 mirrors page 0 with room for one more
 *   page 3 has an empty stream, and the last one of page 0 as a widget */
static void generate_lists_push_out_the_oldest(void **state)
{
    (void)state;
    struct gen_page pages[] = {
        {.kind = GEN_HOME, .stream = 0, .shows = 2},
        {.kind = GEN_PAGE_TWO, .stream = 0, .skips = 2, .shows = 2},
        {.kind = GEN_MIRROR, .stream = 0, .shows = 3},
        {.kind = GEN_STATIC, .stream = 3, .shows = 9, .widget_shows = 1},
    };
    gen_stream streams[4] = {0};
    struct gen_output out = {.steps = 6};
    struct gen_site site = {.history = 2,
                            .hours = 8,
                            .n_pages = 4,
                            .pages = pages,
                            .streams = streams,
                            .out = &out,
                            .first_source = 5};
    const struct gen_entry entries[] = {{4, 14}, {0, 10}, {3, 13},
                                        {1, 11}, {7, 15}, {3, 12}};
    for (size_t i = 0; i < 6; i++)
        fg_vec_push(&streams[0], entries[i]);
    gen_show_lists(&site);
    const struct listed wanted[] = {
        {5, 10, 0, 0}, {5, 11, 0, 0}, {5, 12, 1, 1}, {5, 13, 1, 4}, {5, 14, 2, 5},
        {5, 15, 5, 5}, {6, 10, 1, 1}, {6, 11, 1, 4}, {6, 12, 2, 5}, {6, 13, 5, 5},
        {7, 10, 0, 0}, {7, 11, 0, 1}, {7, 12, 1, 4}, {7, 13, 1, 5}, {7, 14, 2, 5},
        {7, 15, 5, 5}, {8, 11, 0, 0}, {8, 13, 1, 1}, {8, 14, 2, 4}, {8, 15, 5, 5},
    };
    assert_stays(&out, wanted, sizeof wanted / sizeof *wanted);
    fg_vec_clear(&out.stays);
    fg_vec_clear(&streams[0]);
}

/* --- pages --- */

/* A site as gen_add_site makes it, open for inspection. */
static void open_site(struct gen_site *site, struct gen_output *out,
                      const struct gen_params *params, uint64_t seed, size_t pages)
{
    *out = (struct gen_output){.steps = 24 * 28};
    *site = (struct gen_site){.params = params,
                              .rng = fg_rng_from_seed(seed),
                              .history = GEN_WEEK,
                              .hours = GEN_WEEK + out->steps,
                              .rate = params->articles,
                              .n_pages = pages,
                              .out = out};
    gen_plan(site);
    gen_publish(site);
}

static void close_site(struct gen_site *site)
{
    for (size_t i = 0; i < site->n_pages; i++)
        fg_vec_clear(&site->streams[i]);
    fg_arena_clear(&site->arena);
    fg_vec_clear(&site->out->stays);
    fg_vec_clear(&site->out->is_relevant);
    fg_vec_clear(&site->out->site_of);
}

static void assert_within(size_t value, struct gen_range range)
{
    assert_in_range(value, (size_t)range.from, (size_t)range.to);
}

static void check_page(const struct gen_site *site, const struct gen_page *page,
                       size_t number)
{
    const struct gen_params *p = site->params;
    if (page->widget_shows)
        assert_within(page->widget_shows, p->widget_shows);
    if (page->kind == GEN_HOME)
        assert_within(page->shows, p->home_shows);
    else if (page->kind == GEN_SECTION)
        assert_within(page->shows, p->section_shows);
    else if (page->kind == GEN_SUBSECTION)
        assert_within(page->shows,
                      (struct gen_range){p->neglected_shows.from, p->section_shows.to});
    else if (page->kind == GEN_TAG || page->kind == GEN_STATIC)
        assert_within(page->shows, p->neglected_shows);
    if (page->kind == GEN_PAGE_TWO) {
        const struct gen_page *section = &site->pages[page->stream];
        assert_int_equal(section->kind, GEN_SECTION);
        assert_int_equal(section->section, page->section);
        assert_int_equal(page->skips, section->shows);
        assert_int_equal(page->shows, section->shows);
    } else if (page->kind == GEN_MIRROR) {
        const struct gen_page *copied = &site->pages[page->stream];
        assert_true(copied->kind < GEN_MIRROR);
        assert_in_range(page->shows, copied->shows / 2, copied->shows * 3 / 2 + 1);
    } else {
        assert_int_equal(page->stream, number);
    }
}

static void generate_plans_pages_within_their_ranges(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct gen_params params = params_of("news");
        struct gen_output out;
        struct gen_site site;
        open_site(&site, &out, &params, seed, 40 + seed * 3);
        assert_within(site.n_sections, params.sections);
        for (size_t i = 0; i < site.n_pages; i++)
            check_page(&site, &site.pages[i], i);
        close_site(&site);
    }
}

/* 100 pages, 12 .. 20 of them sections, 1 home page; of the rest the share of each kind
 * is its proportion over the sum, to a page. */
static void generate_splits_the_other_pages_in_proportion(void **state)
{
    (void)state;
    struct gen_params params = params_of("news");
    params.mirrors = (struct gen_range){.6, .6};
    params.latest_chance = 0;
    struct gen_output out;
    struct gen_site site;
    open_site(&site, &out, &params, 4, 100);
    size_t n[GEN_KINDS] = {0};
    for (size_t i = 0; i < site.n_pages; i++)
        n[site.pages[i].kind]++;
    double left = 99 - (double)site.n_sections;
    assert_int_equal(n[GEN_HOME], 1);
    assert_int_equal(n[GEN_SECTION], site.n_sections);
    assert_int_equal(n[GEN_LATEST], 0);
    assert_near((double)n[GEN_SUBSECTION], left * .30 / 1.5, 1);
    assert_near((double)n[GEN_TAG], left * .12 / 1.5, 1);
    assert_near((double)n[GEN_AUTHOR], left * .08 / 1.5, 1);
    assert_near((double)n[GEN_MIRROR], left * .6 / 1.5, 1);
    assert_near((double)n[GEN_PAGE_TWO], left * .05 / 1.5, 1);
    assert_near((double)n[GEN_STATIC], left * .35 / 1.5, 1);
    close_site(&site);
}

/* Any number of pages makes a site, even one. */
static void generate_makes_sites_of_any_size(void **state)
{
    (void)state;
    for (size_t pages = 1; pages < 12; pages++) {
        struct gen_params params = params_of("classifieds");
        struct gen_output out;
        struct gen_site site;
        open_site(&site, &out, &params, pages, pages);
        assert_true(site.n_sections >= 1 && site.n_sections <= pages);
        gen_show_lists(&site);
        assert_true(out.stays.len > 0);
        close_site(&site);
    }
}

/* --- where articles go --- */

/* News without moods: rates are level, so that counts can be foretold. The ripple stays:
 * it multiplies means by exp(.35^2 / 2) = 1.063. */
static struct gen_params calm(void)
{
    struct gen_params params = params_of("news");
    params.articles = 40;
    params.section_spread = 0;
    params.when.trough = params.when.weekend = 1;
    params.when.batch_chance = params.when.bursts_per_day = params.when.drift = 0;
    params.when.regimes_per_week = 0;
    params.when.evenness = 1000;
    params.latest_chance = 1;
    return params;
}

struct tally {
    double articles, targets; /* published on lists, and all told */
    double on[GEN_KINDS];     /* entries of streams by kind of page */
    double home_wait;         /* mean hours to the home page */
    double stays, stay_hours; /* that are on no list, statics aside */
    double fixed;             /* stays from the first step to the last */
};

/* Targets come in order: articles, orphans, links that surface, fixed ones. */
static struct tally tally_of(const struct gen_params *params, uint64_t seed, size_t pages)
{
    struct gen_output out;
    struct gen_site site;
    struct tally tally = {0};
    open_site(&site, &out, params, seed, pages);
    int32_t *came = calloc(out.is_relevant.len, sizeof *came);
    for (size_t v = 0; v < out.is_relevant.len; v++)
        came[v] = INT32_MAX;
    for (size_t i = 0; i < site.n_pages; i++)
        for (size_t e = 0; e < site.streams[i].len; e++) {
            struct gen_entry entry = site.streams[i].at[e];
            tally.on[site.pages[i].kind]++;
            came[entry.target] =
                entry.hour < came[entry.target] ? entry.hour : came[entry.target];
        }
    size_t n_home = site.streams[0].len;
    for (size_t e = 0; e < n_home; e++) {
        struct gen_entry entry = site.streams[0].at[e];
        tally.home_wait += (entry.hour - came[entry.target]) / (double)n_home;
    }
    for (size_t v = 0; v < out.is_relevant.len; v++)
        tally.articles += came[v] != INT32_MAX; /* orphans too, when there are any */
    tally.targets = (double)out.is_relevant.len;
    for (size_t i = 0; i < out.stays.len; i++) {
        struct fg_stay stay = out.stays.at[i];
        bool is_fixed = !stay.first && stay.last + 1 == out.steps;
        tally.fixed += is_fixed;
        tally.stays += !is_fixed;
        tally.stay_hours += is_fixed ? 0 : stay.last - stay.first + 1;
    }
    free(came);
    close_site(&site);
    return tally;
}

enum { HOURS_SHOWN = 24 * 28, HOURS_IN_ALL = GEN_WEEK + HOURS_SHOWN };

static void generate_publishes_at_the_rate_it_is_told(void **state)
{
    (void)state;
    struct gen_params params = calm();
    double wanted = 40 * 1.0632 * HOURS_IN_ALL;
    params.where.orphans = 0;
    struct tally tally = tally_of(&params, 1, 80);
    assert_near(tally.articles, wanted, .03 * wanted);
    params.where.orphans = .25; /* they are part of the rate, not on top of it */
    params.where.orphan_spread = 0;
    struct tally with = tally_of(&params, 1, 80);
    assert_near(with.articles, wanted, .03 * wanted);
    assert_near(with.on[GEN_STATIC] / with.articles, .25 * .35 / (.30 + .12 + .08 + .35),
                .02);
    assert_int_equal(tally.on[GEN_STATIC], 0);
}

/* exp(.5 N) has mean 1.133. */
static void generate_shares_articles_among_pages(void **state)
{
    (void)state;
    struct gen_params params = calm();
    params.where.orphans = 0;
    params.sections = (struct gen_range){20, 20};
    double home = 0, latest = 0, front = 0, sub = 0;
    enum { SITES = 12 };
    for (uint64_t seed = 0; seed < SITES; seed++) {
        params.latest_chance = 1;
        struct tally tally = tally_of(&params, seed, 100);
        home += tally.on[GEN_HOME] / tally.articles / SITES;
        double pages = tally.on[GEN_LATEST] / tally.articles;
        assert_true(fabs(pages - .7) < .02 || fabs(pages - 1.4) < .02); /* one or two */
        latest += pages;
        /* Every article is on its section's page, in a subsection, or on both. */
        front += tally.on[GEN_SECTION] / tally.articles / SITES;
        sub += tally.on[GEN_SUBSECTION] / tally.articles / SITES;
    }
    assert_near(home, .12 * 1.133, .012);
    assert_near(front, 1 - .7 * sub, .01);
    assert_true(sub > .2 && sub < .65);
    params.where.to_subsection = 0;
    assert_near(tally_of(&params, 1, 100).on[GEN_SUBSECTION], 0, 0);
    params.where.to_subsection = 1;
    params.where.subsection_only = 0;
    struct tally both = tally_of(&params, 1, 100);
    assert_near(both.on[GEN_SECTION], both.articles, 0);
}

/* floor(Exp) with mean m waits 1 / (exp(1/m) - 1) hours: .582 for m = 1. */
static void generate_lets_the_home_page_lag(void **state)
{
    (void)state;
    struct gen_params params = calm();
    params.where.orphans = 0;
    params.home_share = .5;
    params.where.tag_share = params.where.author_share = 0;
    params.where.home_lag_hours = 1;
    assert_near(tally_of(&params, 1, 80).home_wait, .582, .03);
    params.where.home_lag_hours = 4;
    assert_near(tally_of(&params, 1, 80).home_wait, 1 / (exp(.25) - 1), .15);
    params.where.home_lag_hours = 0;
    assert_near(tally_of(&params, 1, 80).home_wait, 0, 0);
}

static void generate_gives_tags_their_share(void **state)
{
    (void)state;
    struct gen_params params = calm();
    double share[3];
    params.where.orphans = 0;
    for (int i = 0; i < 3; i++) {
        params.where.tag_share = .01 * (1 << i);
        share[i] = 0;
        for (uint64_t seed = 0; seed < 6; seed++) {
            struct tally tally = tally_of(&params, seed, 100);
            share[i] += tally.on[GEN_TAG] / tally.articles;
        }
    }
    assert_near(share[1] / share[0], 2, .15);
    assert_near(share[2] / share[1], 2, .15);
    params.where.tag_share = 0;
    assert_near(tally_of(&params, 1, 100).on[GEN_TAG], 0, 0);
}

/* Log-uniform over [6, 168] has mean 162 / ln 28 = 48.6 hours; the ends of the month cut
 * some. Each comes at the rate a page and hour, with mean 1 over pages. */
static void generate_surfaces_links_for_a_while(void **state)
{
    (void)state;
    struct gen_params params = calm();
    params.articles = 1;
    params.surfacing_spread = 0;
    params.surfacing = .1;
    params.surfacing_new = 1;
    struct tally all_new = tally_of(&params, 2, 100);
    double come = .1 * 100 * HOURS_SHOWN;
    assert_near(all_new.stays / come, 1 + 48.6 / HOURS_SHOWN, .04);
    assert_near(all_new.stay_hours / come, 48.6, 2);
    params.surfacing_new = 0;
    struct tally none_new = tally_of(&params, 2, 100);
    assert_near(none_new.stays, all_new.stays, .03 * all_new.stays);
    assert_near((all_new.targets - none_new.targets) / (.1 * 100 * HOURS_IN_ALL), 1, .02);
    params.surfacing = 0;
    assert_near(tally_of(&params, 2, 100).stays, 0, 0);
}

/* With an archive of 5 links a page there are 5 new ones at most, however often they
 * surface. */
static void generate_archives_come_to_an_end(void **state)
{
    (void)state;
    struct gen_params params = calm();
    params.articles = 1;
    params.surfacing_spread = 0;
    params.surfacing = .1;
    params.surfacing_new = 1;
    params.surfacing_hours = (struct gen_range){1, 2};
    struct tally endless = tally_of(&params, 2, 100);
    params.archive = 5;
    struct tally ends = tally_of(&params, 2, 100);
    assert_near(ends.stays, endless.stays, .05 * endless.stays);
    assert_near(endless.targets - ends.targets, .1 * 100 * HOURS_IN_ALL - 500, 300);
}

static void generate_keeps_fixed_links_in_place(void **state)
{
    (void)state;
    struct gen_params params = calm();
    params.surfacing = 0;
    params.private_links = (struct gen_range){7, 7};
    params.navigation_links = (struct gen_range){3, 3};
    assert_near(tally_of(&params, 1, 50).fixed, 50 * (7 + 3), 0);
}

static void generate_gives_widgets_by_chance(void **state)
{
    (void)state;
    struct gen_params params = calm();
    params.articles = 1;
    for (int i = 0; i < 2; i++) {
        struct gen_output out;
        struct gen_site site;
        double n = 0;
        params.widget_chance = i ? .7 : .3;
        for (uint64_t seed = 0; seed < 5; seed++) {
            open_site(&site, &out, &params, seed, 100);
            for (size_t u = 0; u < 100; u++)
                n += site.pages[u].widget_shows > 0;
            close_site(&site);
        }
        assert_near(n / 500, params.widget_chance, .07);
    }
}

static void generate_mirrors_mostly_the_busiest(void **state)
{
    (void)state;
    struct gen_params params = calm();
    params.articles = 1;
    params.section_spread = 1.1;
    params.mirrors = (struct gen_range){5, 5};
    double mirrors = 0, top = 0, equal = 0;
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct gen_output out;
        struct gen_site site;
        open_site(&site, &out, &params, seed, 100);
        for (size_t i = 0; i < 100; i++) {
            const struct gen_page *page = &site.pages[i];
            if (page->kind != GEN_MIRROR)
                continue;
            const struct gen_page *copied = &site.pages[page->stream];
            bool is_top = copied->kind == GEN_HOME || copied->kind == GEN_LATEST;
            size_t heavier = 0;
            for (size_t s = 0; copied->kind == GEN_SECTION && s < site.n_sections; s++)
                heavier +=
                    site.sections[s].weight > site.sections[copied->section].weight;
            mirrors++;
            top += is_top || (copied->kind == GEN_SECTION && heavier < 2);
            equal += page->shows == copied->shows;
        }
        close_site(&site);
    }
    /* Chance picks one of the top four or five of about 35 in the other 15 %. */
    assert_near(top / mirrors, .85 + .15 * 4.5 / 35, .05);
    assert_near(equal / mirrors, .6 + .4 / 50, .06);
}

FG_TESTS(generate_lists_push_out_the_oldest, generate_plans_pages_within_their_ranges,
         generate_splits_the_other_pages_in_proportion, generate_makes_sites_of_any_size,
         generate_publishes_at_the_rate_it_is_told, generate_shares_articles_among_pages,
         generate_lets_the_home_page_lag, generate_gives_tags_their_share,
         generate_surfaces_links_for_a_while, generate_archives_come_to_an_end,
         generate_keeps_fixed_links_in_place, generate_gives_widgets_by_chance,
         generate_mirrors_mostly_the_busiest)
