/* What has come to a list: pages that were known from elsewhere, after a start. */
#include "test.h"

#include "crawl/crawl.h"
#include "crawl/reading/reading.h"
#include "crawl/sites/pages.h"
#include "crawl/sites/site.h"
#include "crawl/sources/pattern.h"
#include "crawl/sources/sources.h"
#include "crawl/state.h"
#include "net/url/canonical.h"
#include "store/fixture.h"

static struct fg_arena arena;

static const fg_time added = 1700000000 * FG_SECOND;

enum {
    LIST = 1,
    FIRST = 2,
    LISTED = 10,
    NEWS = 30,
    OTHER = 31,
    IN_SECTIONS = 60,
    NUMBERED = 100
};

/* A list that was looked at an hour after the watch began, and showed ten pages; and two
 * that other lists have shown: NEWS half an hour later, OTHER before. */
struct world {
    struct box box;
    struct fg_store *store;
    struct fg_crawl *crawl;
    struct fg_batch *batch;
    const char *type;
};

static const char *url_of(fg_page_id page)
{
    static char urls[4][100];
    static unsigned n;
    char *url = urls[n++ % 4];
    if (page == LIST)
        return "https://s1.example/list";
    if (page >= NUMBERED) {
        snprintf(url, sizeof *urls, "https://s1.example/thing/object-%d", (int)page);
        return url;
    }
    static const char *const sections[] = {"politics", "sport", "health", "world"};
    snprintf(url, sizeof *urls, "https://s1.example/%s/word-%c%c-more",
             page < IN_SECTIONS ? "story" : sections[page % 4], 'a' + (int)page / 26,
             'a' + (int)page % 26);
    return url;
}

static void put_page(struct fg_batch *batch, fg_page_id id, uint32_t flags, fg_time seen)
{
    struct fg_str url = fg_str_from(url_of(id));
    fg_batch_page(batch,
                  &(struct fg_page_row){.site = 1,
                                        .page = id,
                                        .fingerprint = fg_canonical_fingerprint(url),
                                        .url = url,
                                        .flags = flags,
                                        .content_hash = id == LIST,
                                        .first_seen = seen,
                                        .last_visit = FG_NEVER,
                                        .last_change = FG_NEVER,
                                        .next_visit = FG_NEVER,
                                        .published = FG_NEVER,
                                        .weight = 1});
}

static struct world world_of(const char *type, uint32_t flags)
{
    struct world w = {.box = box_new(), .type = type};
    static struct fg_arena defaults;
    struct fg_crawl_options options = fg_crawl_defaults(&defaults);
    struct fg_err err = {0};
    w.store = box_open(&w.box, &(struct fg_store_options){0});
    struct fg_batch *batch = fg_batch_new(w.store);
    fg_batch_site(batch, &(struct fg_site_row){.site = 1,
                                               .key = FG_STR("https://s1.example"),
                                               .state = SITE_WATCHED,
                                               .added = added,
                                               .last_request = FG_NEVER,
                                               .robots_fetched = FG_NEVER,
                                               .robots_expires = FG_NEVER,
                                               .backoff_until = FG_NEVER});
    put_page(batch, LIST, FG_PAGE_SOURCE | flags, added);
    for (fg_page_id page = FIRST; page < FIRST + LISTED; page++) {
        put_page(batch, page, FG_PAGE_STOCK, added);
        fg_batch_link(batch, &(struct fg_link_row){.site = 1,
                                                   .source = LIST,
                                                   .target_site = 1,
                                                   .target = page,
                                                   .first_seen = added + FG_HOUR,
                                                   .last_seen = added + FG_HOUR,
                                                   .gone = FG_NEVER});
    }
    put_page(batch, NEWS, FG_PAGE_STOCK, added + FG_HOUR + 30 * FG_MINUTE);
    put_page(batch, OTHER, FG_PAGE_STOCK, added);
    fg_batch_visit(batch,
                   &(struct fg_visit_row){
                       .site = 1, .page = LIST, .time = added + FG_HOUR, .status = 200});
    write_now(w.store, batch);
    options.fetch.user_agent = "forage-test";
    options.who.is_given = true;
    if (fg_crawl_new(&w.crawl, w.store, &options, &err))
        fail_msg("%s", err.text);
    return w;
}

static void world_free(struct world *w)
{
    fg_crawl_free(w->crawl);
    box_close(w->store);
    box_free(&w->box);
    fg_arena_reset(&arena);
}

/* A look at the list, `hours` after the watch began: it shows `pages`. */
static void look(struct world *w, double hours, const fg_page_id *pages, size_t n)
{
    bool is_sitemap = strstr(w->type, "xml") != NULL;
    struct fg_buf body;
    struct fg_reading reading;
    fg_time now = added + (fg_time)(hours * FG_HOUR);
    fg_buf_init(&body, 1 << 20);
    fg_buf_add(
        &body,
        is_sitemap
            ? FG_STR("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>")
            : FG_STR("<title>List</title><h1>List</h1><ul>"));
    for (size_t i = 0; i < n; i++)
        fg_buf_printf(&body,
                      is_sitemap ? "<url><loc>%s</loc></url>"
                                 : "<li><a href='%s'>some words of a title</a></li>",
                      url_of(pages[i]));
    fg_buf_add(&body, is_sitemap ? FG_STR("</urlset>") : FG_STR("</ul>"));
    struct fg_response response = {
        .status = 200,
        .headers = fg_arena_printf(&arena, "Content-Type: %s\r\n", w->type),
        .body = fg_buf_str(&body)};
    fg_reading_from(&reading, &arena, fg_str_from(url_of(LIST)), &response,
                    (struct fg_reading_rules){.token = FG_STR("forage"),
                                              .keep = FG_CANONICAL_DEFAULT});
    assert_int_equal(reading.n_links, n);
    struct fg_batch *batch = fg_batch_new(w->store);
    uint32_t row = fg_known_row_with(&w->crawl->known, 1, LIST);
    struct seen_links seen = crawl_see_links(w->crawl, &batch, row, &reading, NULL, now);
    struct source *source = source_find(w->crawl, row);
    crawl_keep_first_look(w->crawl, batch, source, &seen);
    source_observe(w->crawl, batch, source,
                   &(struct fg_visit){.now = now, .complete = true}, seen.rows, seen.n);
    write_now(w->store, batch);
    fg_buf_clear(&body);
}

static struct fg_known_page *known(const struct world *w, fg_page_id page)
{
    uint64_t fingerprint = fg_canonical_fingerprint(fg_str_from(url_of(page)));
    uint32_t row = fg_known_find(&w->crawl->known, 1, fingerprint);
    assert_true(row != FG_UNKNOWN);
    return &w->crawl->known.at[row];
}

static uint32_t flags_of(const struct world *w, fg_page_id page)
{
    return known(w, page)->flags & (FG_PAGE_STOCK | FG_PAGE_AWAITED | FG_PAGE_UNPROVEN);
}

static const fg_page_id with_news[] = {NEWS, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
                        with_both[] = {OTHER, NEWS, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

/* The crawl did not run for two days: what a sitemap has got since its last look has come
 * since, however soon after that look it was met elsewhere. */
static void what_a_sitemap_has_got_has_come(void **state)
{
    (void)state;
    struct world w = world_of("application/xml", FG_PAGE_SITEMAP);
    look(&w, 50, with_news, 11);
    assert_int_equal(flags_of(&w, NEWS), FG_PAGE_AWAITED);
    assert_int_equal(flags_of(&w, 2), FG_PAGE_STOCK);
    world_free(&w);
}

/* It shows now what was known before it was looked at last: what else it has got may be
 * as old, and is asked itself. */
static void a_sitemap_that_lags_proves_nothing(void **state)
{
    (void)state;
    struct world w = world_of("application/xml", FG_PAGE_SITEMAP);
    look(&w, 50, with_both, 12);
    assert_int_equal(flags_of(&w, NEWS),
                     FG_PAGE_AWAITED | FG_PAGE_UNPROVEN | FG_PAGE_STOCK);
    assert_int_equal(flags_of(&w, OTHER), FG_PAGE_STOCK);
    world_free(&w);
}

/* Between two looks that lie far apart something may be put on a list, as a page is into
 * a category. Whether it has come only its own date can say. */
static void what_was_put_on_a_list_is_asked_itself(void **state)
{
    (void)state;
    struct world w = world_of("text/html", 0);
    look(&w, 1.4, with_news + 1, 10);
    look(&w, 1.75, with_news, 11); /* met soon before this look: it has come */
    assert_int_equal(flags_of(&w, NEWS), FG_PAGE_AWAITED);
    world_free(&w);
    w = world_of("text/html", 0);
    look(&w, 1.4, with_news + 1, 10);
    look(&w, 50, with_news, 11);
    assert_int_equal(flags_of(&w, NEWS),
                     FG_PAGE_AWAITED | FG_PAGE_UNPROVEN | FG_PAGE_STOCK);
    world_free(&w);
}

/* A server that falters shows half of its list, and something that has come. Of that
 * nothing can be said before the list is whole again; then it has come. */
static void what_came_while_half_was_missing_has_come(void **state)
{
    (void)state;
    enum { CAME = 40 };
    static const fg_page_id half[] = {CAME, 2, 3, 4, 5},
                            whole[] = {CAME, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    struct world w = world_of("text/html", 0);
    look(&w, 1.4, whole + 1, 10);
    look(&w, 1.6, half, 5);
    assert_int_equal(flags_of(&w, CAME), FG_PAGE_AWAITED | FG_PAGE_UNPROVEN);
    /* It has been read, and does not say when it was published. */
    known(&w, CAME)->flags &= ~(uint32_t)FG_PAGE_AWAITED;
    known(&w, CAME)->last_visit_s = (uint32_t)((added + 2 * FG_HOUR) / FG_SECOND);
    look(&w, 2.1, half, 5);
    assert_int_equal(flags_of(&w, CAME), FG_PAGE_UNPROVEN);
    look(&w, 2.2, whole, 11);
    assert_int_equal(flags_of(&w, CAME), FG_PAGE_AWAITED);
    world_free(&w);
}

/* Nobody has looked for long, as when the crawl was killed again and again: all but what
 * never changes has been replaced, and the list is as long as before. That is no fault of
 * the server, however often the crawl is started anew. */
static void a_list_that_was_replaced_is_not_half_missing(void **state)
{
    (void)state;
    static const fg_page_id before[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
                            now[] = {2, 40, 41, 42, 43, 44, 45, 46, 47, 48};
    struct world w = world_of("text/html", 0);
    look(&w, 1.4, before, 10);
    look(&w, 20, now, 10);
    assert_int_equal(flags_of(&w, 40), FG_PAGE_AWAITED | FG_PAGE_UNPROVEN);
    source_find(w.crawl, fg_known_row_with(&w.crawl->known, 1, LIST))->lacking_looks = 0;
    look(&w, 20.5, now, 10);
    assert_int_equal(flags_of(&w, 40), FG_PAGE_AWAITED);
    assert_int_equal(flags_of(&w, 48), FG_PAGE_AWAITED);
    world_free(&w);
}

/* The recent changes of a wiki: edits bring up old pages. As long as others may be there
 * that nobody has met, what is not known may be one; then it has come. */
static void where_all_that_was_there_is_known_the_rest_is_new(void **state)
{
    (void)state;
    enum { CAME = 40 };
    static const fg_page_id now[] = {CAME, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    for (int knows = 0; knows < 2; knows++) {
        struct world w = world_of("text/html", 0);
        look(&w, 1.4, now + 1, 10);
        uint32_t row = fg_known_row_with(&w.crawl->known, 1, LIST);
        source_find(w.crawl, row)->comers.whole.brought_up[FG_CAME_BETWEEN] = 9;
        struct site *site = crawl_site_of(w.crawl, row);
        for (int i = 0; i < 40 && knows; i++)
            explore_note_page(w.crawl, site, FG_STR("https://s1.example/a"), true);
        look(&w, 1.6, now, 11);
        assert_int_equal(flags_of(&w, CAME),
                         knows ? FG_PAGE_AWAITED : FG_PAGE_AWAITED | FG_PAGE_UNPROVEN);
        world_free(&w);
    }
}

/* It is not known while a further page of a list waits, unless two of that list have
 * shown nothing unknown: some pagers have no end. */
static void stock_is_known_when_lists_were_read_to_their_ends(void **state)
{
    (void)state;
    struct world w = world_of("text/html", 0);
    struct site *site =
        crawl_site_of(w.crawl, fg_known_row_with(&w.crawl->known, 1, LIST));
    for (int i = 0; i < 40; i++)
        explore_note_page(w.crawl, site, FG_STR("https://s1.example/a"), true);
    assert_true(site_knows_stock(site));
    for (int i = 2; i < 6; i++) {
        struct fg_str url = fg_arena_printf(&arena, "https://s1.example/list?page=%d", i);
        fg_patterns_meet(site->patterns, url);
        explore_note_further(w.crawl, site, url);
        assert_false(site_knows_stock(site));
    }
    explore_note_page(w.crawl, site, FG_STR("https://s1.example/list?page=2"), true);
    assert_false(site_knows_stock(site));
    fg_patterns_learn(site->patterns, FG_STR("https://s1.example/list?page=2"),
                      FG_CAME_LIST, false);
    explore_note_page(w.crawl, site, FG_STR("https://s1.example/list?page=3"), true);
    assert_true(site_knows_stock(site));
    world_free(&w);
}

/* A box of a list brings up old things, and one with a number above all that is known.
 * While a further page of a list waits that may be one more of them; when it has been
 * read, what it has not shown is new, be it in the box or not; and if it is not to be
 * read there is nothing to wait for. */
static void a_number_proves_what_it_does_when_the_stock_was_read(void **state)
{
    (void)state;
    enum { CAME = 140 };
    static const fg_page_id now[] = {CAME, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    const struct fg_str further = FG_STR("https://s1.example/list?page=2");
    enum { IS_READ, SHOWS_MORE, IS_ASIDE, CASES };
    for (int what = 0; what < CASES; what++) {
        struct world w = world_of("text/html", 0);
        look(&w, 1.4, now + 1, 10);
        uint32_t row = fg_known_row_with(&w.crawl->known, 1, LIST);
        source_find(w.crawl, row)->comers.whole.brought_up[FG_CAME_BETWEEN] = 9;
        struct site *site = crawl_site_of(w.crawl, row);
        for (fg_page_id page = NUMBERED; page < NUMBERED + 30; page++) {
            struct fg_str url = fg_str_from(url_of(page));
            fg_pattern_note_serial(fg_patterns_meet(site->patterns, url), url, true);
        }
        fg_patterns_meet(site->patterns, further);
        explore_note_further(w.crawl, site, further);
        look(&w, 1.6, now, 11);
        assert_int_equal(flags_of(&w, CAME), FG_PAGE_AWAITED | FG_PAGE_UNPROVEN);
        known(&w, CAME)->flags &= ~(uint32_t)FG_PAGE_AWAITED;
        known(&w, CAME)->last_visit_s = (uint32_t)((added + 2 * FG_HOUR) / FG_SECOND);
        look(&w, 1.7, now + 1, 10);
        assert_int_equal(flags_of(&w, CAME), FG_PAGE_UNPROVEN);
        struct fg_str shown = fg_str_from(url_of(CAME + 1));
        if (what == SHOWS_MORE)
            fg_pattern_note_serial(fg_patterns_meet(site->patterns, shown), shown, true);
        if (what == IS_ASIDE) {
            site->stock.nothing_until = added + 2 * FG_HOUR;
            site->stock.patient.len = 0;
            site->stock.reconsiders = false;
        } else {
            explore_note_page(w.crawl, site, further, true);
        }
        look(&w, 1.8, now + 1, 10);
        assert_int_equal(flags_of(&w, CAME),
                         what == SHOWS_MORE ? FG_PAGE_UNPROVEN : FG_PAGE_AWAITED);
        world_free(&w);
    }
}

/* The same of a long list, whose pages lie in many folders: a box has less in it. If it
 * is another one at each look its addresses tell nothing. */
static void a_long_list_may_be_replaced(void **state)
{
    (void)state;
    fg_page_id before[12], now[12], few[9];
    for (fg_page_id i = 0; i < 12; i++) {
        before[i] = IN_SECTIONS + i;
        now[i] = IN_SECTIONS + 20 + i;
        few[i < 9 ? i : 0] = IN_SECTIONS + 20 + i;
    }
    struct world w = world_of("text/html", 0);
    look(&w, 1.4, before, 12);
    look(&w, 1.6, before, 12);
    look(&w, 20, now, 12);
    for (size_t i = 0; i < 12; i++)
        assert_int_equal(flags_of(&w, now[i]), FG_PAGE_AWAITED);
    world_free(&w);
    w = world_of("text/html", 0);
    look(&w, 1.4, before, 12);
    look(&w, 20, now, 12);
    for (size_t i = 0; i < 12; i++)
        assert_int_equal(flags_of(&w, now[i]), FG_PAGE_STOCK);
    world_free(&w);
    w = world_of("text/html", 0);
    look(&w, 1.4, before, 9);
    look(&w, 1.6, before, 9);
    look(&w, 20, few, 9);
    for (size_t i = 0; i < 9; i++)
        assert_int_equal(flags_of(&w, few[i]), FG_PAGE_AWAITED | FG_PAGE_UNPROVEN);
    world_free(&w);
}

/* Of a short one only if nothing but new things ever came to it. */
static void a_short_list_that_grows_may_be_replaced(void **state)
{
    (void)state;
    fg_page_id pages[20];
    for (fg_page_id i = 0; i < 20; i++) /* the newest first */
        pages[i] = IN_SECTIONS + 20 - i;
    struct world w = world_of("text/html", 0);
    look(&w, 1.4, pages + 13, 7);
    look(&w, 1.6, pages + 12, 7);
    look(&w, 1.8, pages + 11, 7);
    look(&w, 2.0, pages + 10, 7);
    look(&w, 20, pages, 7);
    for (size_t i = 0; i < 7; i++)
        assert_int_equal(flags_of(&w, pages[i]), FG_PAGE_AWAITED);
    world_free(&w);
}

FG_TESTS(where_all_that_was_there_is_known_the_rest_is_new,
         a_number_proves_what_it_does_when_the_stock_was_read,
         stock_is_known_when_lists_were_read_to_their_ends,
         a_list_that_was_replaced_is_not_half_missing, a_long_list_may_be_replaced,
         a_short_list_that_grows_may_be_replaced,
         what_came_while_half_was_missing_has_come, what_a_sitemap_has_got_has_come,
         a_sitemap_that_lags_proves_nothing, what_was_put_on_a_list_is_asked_itself)
