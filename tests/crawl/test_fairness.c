/* Who gets the budget when there is too little for all. */
#include "test.h"

#include "base/slices.h"
#include "crawl/at_price.h"
#include "crawl/state.h"
#include "store/fixture.h"

#include <math.h>

static struct fg_arena defaults; /* of the settings */

/* Six in the morning: what a tick may spend is not the same at all hours. */
static const fg_time morning = 20000 * FG_DAY + 6 * FG_HOUR;

static void pass_a_tick(struct fg_crawl *crawl)
{
    crawl->clock->origin += crawl->options.budget.tick;
    crawl->budget.tick_started = fg_clock_now(crawl->clock) - crawl->options.budget.tick;
    crawl->budget.all = 0;
}

enum { SITES = 300, PER_TICK = 30, PAGES = 3 };

/* Sites whose pages have not been read, all of which the user named. */
static struct fg_store *open_store(struct box *box)
{
    struct fg_store *store = box_open(box, &(struct fg_store_options){0});
    struct fg_batch *batch = fg_batch_new(store);
    for (fg_site_id site = 1; site <= SITES; site++) {
        char key[64];
        snprintf(key, sizeof key, "https://s%u.example", (unsigned)site);
        fg_batch_site(batch, &(struct fg_site_row){.site = site,
                                                   .key = fg_str_from(key),
                                                   .state = SITE_WATCHED,
                                                   .added = morning,
                                                   .last_request = FG_NEVER,
                                                   .robots_fetched = FG_NEVER,
                                                   .robots_expires = FG_NEVER,
                                                   .backoff_until = FG_NEVER});
        for (fg_page_id id = 1; id <= PAGES; id++) {
            struct fg_page_row page = page_row(site, id);
            page.flags = FG_PAGE_SEED;
            fg_batch_page(batch, &page);
        }
    }
    write_now(store, batch);
    return store;
}

static struct fg_crawl *open_crawl(struct fg_store *store)
{
    struct fg_crawl_options options = fg_crawl_defaults(&defaults);
    struct fg_crawl *crawl;
    struct fg_err err = {0};
    options.fetch.user_agent = "forage-test";
    options.who.is_given = true;
    options.clock = (struct fg_clock){
        .speed = 1, .origin = morning, .monotonic = fg_time_monotonic()};
    options.budget.per_hour = PER_TICK / fg_hours(options.budget.tick);
    if (fg_crawl_new(&crawl, store, &options, &err))
        fail_msg("%s", err.text);
    return crawl;
}

static unsigned sites_with(const struct fg_crawl *crawl, unsigned asks)
{
    unsigned n = 0;
    for (size_t i = 0; i < crawl->sites.all.len; i++)
        n += crawl->sites.all.at[i]->stock.open_asks == asks;
    return n;
}

static void work(void *context)
{
    crawl_tick(context);
}

/* With turns of the loop between, in which what is asked for all sites waits. */
static void tick_in_slices(struct fg_crawl *crawl)
{
    bool is_over = fg_slices_begin(crawl->run.slices, work, crawl);
    while (!is_over) {
        crawl_feed(crawl);
        assert_false(crawl_is_idle(crawl));
        is_over = fg_slices_go_on(crawl->run.slices);
    }
}

/* The end of the list has its turn when the beginning had one, and none has two before
 * all had one. */
static void check_turns(void (*tick)(struct fg_crawl *crawl))
{
    struct box box = box_new();
    struct fg_store *store = open_store(&box);
    struct fg_crawl *crawl = open_crawl(store);
    crawl->budget.all = 0;
    for (unsigned n = 1; n <= SITES / PER_TICK; n++) {
        pass_a_tick(crawl);
        tick(crawl);
        assert_in_range(sites_with(crawl, 1), n * PER_TICK - 1, n * PER_TICK + 1);
        assert_int_equal(sites_with(crawl, 2), 0);
    }
    fg_crawl_free(crawl);
    box_close(store);
    box_free(&box);
}

static void sites_late_in_the_list_do_not_starve(void **state)
{
    (void)state;
    check_turns(crawl_tick);
}

static void neither_do_they_in_slices(void **state)
{
    (void)state;
    check_turns(tick_in_slices);
}

/* All at once, which takes longer than a slice. A crawl that is to end asks for no more.
 */
static void a_long_tick_may_be_ended(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = open_store(&box);
    struct fg_crawl *crawl = open_crawl(store);
    crawl->options.budget.per_hour = 1e9;
    crawl->options.budget.site_per_hour = 1e6;
    pass_a_tick(crawl);
    bool is_over = fg_slices_begin(crawl->run.slices, work, crawl);
    crawl->run.is_stopping = !is_over;
    unsigned asked = SITES - sites_with(crawl, 0);
    fg_slices_finish(crawl->run.slices);
    assert_int_equal(SITES - sites_with(crawl, 0), asked);
    fg_crawl_free(crawl);
    box_close(store);
    box_free(&box);
}

/* What is fed after an answer, of the sites that answered, does not put the others back.
 */
static void answers_do_not_make_the_turns_begin_anew(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = open_store(&box);
    struct fg_crawl *crawl = open_crawl(store);
    for (unsigned tick = 0; tick < SITES / PER_TICK; tick++) {
        pass_a_tick(crawl);
        crawl_tick(crawl);
        struct site *answered = crawl->sites.all.at[tick];
        fg_vec_clear(&crawl->sites.stirred); /* whatever asked for a turn before */
        answered->budget.is_stirred = false;
        crawl_stir(crawl, answered);
        crawl->budget.all = 1;
        assert_int_equal(crawl_feed_stirred(crawl), 1);
        assert_int_equal(answered->stock.open_asks, 2);
    }
    assert_int_equal(sites_with(crawl, 0), 0);
    fg_crawl_free(crawl);
    box_close(store);
    box_free(&box);
}

/* Neither does what they have in stock, where it is worth the same everywhere: none is
 * given two before all had one. A quarter of a tick is left for what it leads to. */
static void stock_that_is_alike_is_read_in_turn(void **state)
{
    (void)state;
    enum { LEAST = PER_TICK * 3 / 4 - 1 };
    struct box box = box_new();
    struct fg_store *store = open_store(&box);
    struct fg_crawl *crawl = open_crawl(store);
    crawl->run.is_stopping = true; /* nothing is asked: what is offered is looked at */
    for (size_t i = 0; i < SITES; i++)
        for (uint32_t page = 0; page < PAGES; page++)
            queue_push(&crawl->sites.all.at[i]->stock.patient, (uint32_t)i);
    for (unsigned tick = 0; tick < SITES / PER_TICK; tick++) {
        pass_a_tick(crawl);
        fg_time now = fg_clock_now(crawl->clock);
        unsigned given[SITES] = {0};
        crawl->sites.next = tick * PER_TICK;
        crawl->budget.all = pricing_open(crawl, now);
        crawl_ask_at_price(crawl, now);
        for (size_t i = 0; i < SITES; i++)
            given[i] = (unsigned)crawl->sites.all.at[i]->budget.first;
        for (unsigned i = 0; i < LEAST; i++)
            assert_int_equal(given[(tick * PER_TICK + i) % SITES], 1);
        assert_in_range(crawl->budget.first, LEAST, PER_TICK + 1);
    }
    fg_crawl_free(crawl);
    box_close(store);
    box_free(&box);
}

/* Half of a tick was asked for because it could not wait: of the other half three
 * quarters are for the stock, and what it costs is known to the price. */
static void what_could_not_wait_is_taken_off_the_rest(void **state)
{
    (void)state;
    enum { MUST = PER_TICK / 2, LEFT = (PER_TICK - MUST) * 3 / 4 };
    struct box box = box_new();
    struct fg_store *store = open_store(&box);
    struct fg_crawl *crawl = open_crawl(store);
    crawl->run.is_stopping = true;
    for (size_t i = 0; i < SITES; i++)
        queue_push(&crawl->sites.all.at[i]->stock.patient, (uint32_t)i);
    pass_a_tick(crawl);
    fg_time now = fg_clock_now(crawl->clock);
    crawl->budget.all = pricing_open(crawl, now) - MUST;
    crawl_ask_at_price(crawl, now);
    assert_in_range(crawl->budget.first, LEFT - 1, LEFT + 1);
    assert_true(fabs(crawl->pricing.price.must - MUST) < 1e-9);
    fg_crawl_free(crawl);
    box_close(store);
    box_free(&box);
}

FG_TESTS(what_could_not_wait_is_taken_off_the_rest, sites_late_in_the_list_do_not_starve,
         neither_do_they_in_slices, a_long_tick_may_be_ended,
         answers_do_not_make_the_turns_begin_anew, stock_that_is_alike_is_read_in_turn)
