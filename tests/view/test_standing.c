/* Why a page was or was not reported and fetched: every page that is known gets a reason,
 * whatever its flags. */
#include "test.h"

#include "store/fixture.h"
#include "view/standing.h"

enum { SITE = 1, EXPLORING = 1, WATCHED = 2, PAGES = 3 };

struct setting {
    struct box box;
    struct fg_arena arena;
    struct fg_crawl_options settings;
    struct fg_look look;
    struct fg_site_row site;
};

static void open_setting(struct setting *s)
{
    *s = (struct setting){.box = box_new()};
    s->settings.exploring.fetch_discovered = true;
    s->look = (struct fg_look){.place.settings = &s->settings,
                               .texts = &s->arena,
                               .store = box_open(&s->box, NULL),
                               .now = 1000 * FG_DAY};
    s->site = (struct fg_site_row){.site = SITE,
                                   .key = FG_STR("https://a.example"),
                                   .added = 990 * FG_DAY,
                                   .state = WATCHED};
}

static void close_setting(struct setting *s)
{
    box_close(s->look.store);
    box_free(&s->box);
    fg_arena_clear(&s->arena);
}

/* What the site has learnt is in the store from now on. */
static void put_patterns(struct setting *s, struct fg_patterns *patterns)
{
    struct fg_buf bytes;
    fg_buf_init(&bytes, 1 << 24);
    fg_patterns_save(patterns, &bytes);
    struct fg_batch *batch = fg_batch_new(s->look.store);
    fg_batch_site(batch, &s->site);
    fg_batch_state(batch, SITE, FG_PATTERNS_STATE, fg_buf_str(&bytes));
    uint64_t number = fg_store_submit(s->look.store, batch);
    while (fg_store_durable(s->look.store) < number)
        usleep(1000);
    fg_buf_clear(&bytes);
    fg_patterns_free(patterns);
}

static struct fg_page_row page_of(const char *url, uint32_t flags, uint32_t visits)
{
    return (struct fg_page_row){.site = SITE,
                                .page = 7,
                                .url = fg_str_from(url),
                                .flags = flags,
                                .visits = visits,
                                .content_hash = visits,
                                .published = FG_NEVER};
}

static struct fg_standing standing_of(struct setting *s, struct fg_page_row page)
{
    struct fg_standing standing;
    fg_standing_read(&standing, &s->look, &s->site, page.url, &page);
    return standing;
}

static void every_page_that_is_known_has_a_reason(void **state)
{
    (void)state;
    struct setting s;
    open_setting(&s);
    static const char *const urls[] = {
        "https://a.example/", "https://a.example/2026/a-long-title",
        "https://a.example/login?next=x", "https://a.example/page/2/"};
    static const uint32_t flags[] = {0,
                                     FG_PAGE_SEED,
                                     FG_PAGE_SOURCE,
                                     FG_PAGE_DOCUMENT,
                                     FG_PAGE_CANDIDATE,
                                     FG_PAGE_RETIRED,
                                     FG_PAGE_FEED,
                                     FG_PAGE_SITEMAP,
                                     FG_PAGE_GONE,
                                     FG_PAGE_ALIAS,
                                     FG_PAGE_EXCLUDED,
                                     FG_PAGE_RELEVANT,
                                     FG_PAGE_DUPLICATE,
                                     FG_PAGE_AWAITED,
                                     FG_PAGE_RESERVED,
                                     FG_PAGE_REPORTED,
                                     FG_PAGE_OLD,
                                     FG_PAGE_OTHER_KIND,
                                     FG_PAGE_UNPROVEN,
                                     FG_PAGE_LIST,
                                     FG_PAGE_STOCK,
                                     FG_PAGE_NOFOLLOW,
                                     FG_PAGE_NOINDEX};
    const uint32_t dealt_with = FG_PAGE_ALIAS | FG_PAGE_GONE | FG_PAGE_EXCLUDED |
                                FG_PAGE_SOURCE | FG_PAGE_DOCUMENT;
    for (size_t u = 0; u < 4; u++)
        for (size_t f = 0; f < sizeof flags / sizeof *flags; f++)
            for (uint8_t site = EXPLORING; site <= PAGES; site++) {
                s.site.state = site;
                struct fg_standing fresh = standing_of(&s, page_of(urls[u], flags[f], 0));
                struct fg_standing read = standing_of(&s, page_of(urls[u], flags[f], 1));
                assert_true(fresh.told.word && fresh.told.words.len);
                assert_true(read.told.word && read.told.words.len);
                assert_null(read.unfetched.word);
                assert_true((fresh.unfetched.word != NULL) == !(flags[f] & dealt_with));
            }
    close_setting(&s);
}

static void what_keeps_a_page_from_being_told_is_named(void **state)
{
    (void)state;
    struct setting s;
    open_setting(&s);
    static const struct {
        uint32_t flags;
        const char *told;
    } cases[] = {
        {FG_PAGE_REPORTED, "reported"},
        {FG_PAGE_AWAITED, "awaited"},
        {FG_PAGE_OLD | FG_PAGE_STOCK, "old"},
        {FG_PAGE_STOCK, "stock"},
        {FG_PAGE_UNPROVEN, "unproven"},
        {FG_PAGE_OLD | FG_PAGE_LIST, "list"},
        {FG_PAGE_OTHER_KIND, "other-kind"},
        {FG_PAGE_DUPLICATE | FG_PAGE_OLD, "copy"},
        {FG_PAGE_NOINDEX, "noindex"},
        {FG_PAGE_GONE, "gone"},
        {FG_PAGE_EXCLUDED, "excluded"},
        {FG_PAGE_ALIAS, "alias"},
        {FG_PAGE_SEED | FG_PAGE_SOURCE, "named"},
        {0, "stock"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(
            standing_of(&s, page_of("https://a.example/a-long-title", cases[i].flags, 1))
                .told.word,
            cases[i].told);
    struct fg_standing login = standing_of(&s, page_of("https://a.example/login", 0, 0));
    assert_string_equal(login.told.word, "action");
    close_setting(&s);
}

static void what_keeps_an_old_page_from_being_fetched_is_named(void **state)
{
    (void)state;
    struct setting s;
    open_setting(&s);
    struct fg_patterns *patterns = fg_patterns_new();
    for (int i = 0; i < 4; i++)
        fg_pattern_learn(
            fg_patterns_meet(patterns, FG_STR("https://a.example/n/a-long-title")),
            FG_CAME_PAGE);
    for (int i = 0; i < 12; i++) {
        struct fg_pattern *trap =
            fg_patterns_meet(patterns, FG_STR("https://a.example/cal/2026"));
        fg_pattern_learn(trap, FG_CAME_COPY);
        trap->last_ask = s.look.now - FG_HOUR;
    }
    fg_pattern_learn(fg_patterns_meet(patterns, FG_STR("https://a.example/offer/1")),
                     FG_CAME_DOCUMENT);
    for (int i = 0; i < 4; i++)
        fg_patterns_compare(patterns, FG_STR("https://a.example/x?a=1&sid=2"),
                            FG_STR("https://a.example/x?a=1&sid=3"), true);
    put_patterns(&s, patterns);
    static const struct {
        const char *url, *unfetched;
        uint32_t flags, failures;
        bool is_to_be_fetched;
    } cases[] = {
        {"https://a.example/n/another-long-title", "settled", FG_PAGE_STOCK, 0, false},
        {"https://a.example/cal/1999", "trap", 0, 0, false},
        {"https://a.example/offer/22", "waiting", 0, 0, true},
        {"https://a.example/login", "action", 0, 0, false},
        {"https://a.example/about", "stock", 0, 0, false},
        {"https://a.example/about", "waiting", FG_PAGE_AWAITED, 0, true},
        {"https://a.example/about", "waiting", FG_PAGE_FEED, 0, true},
        {"https://a.example/about", "waiting", 0, 1, true},
        {"https://a.example/about", "failing", FG_PAGE_AWAITED, 3, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fg_page_row page = page_of(cases[i].url, cases[i].flags, 0);
        page.failures = page.visits = cases[i].failures;
        struct fg_standing standing = standing_of(&s, page);
        assert_string_equal(standing.unfetched.word, cases[i].unfetched);
        assert_int_equal(standing.is_to_be_fetched, cases[i].is_to_be_fetched);
    }
    s.settings.exploring.backfill = true;
    struct fg_standing all =
        standing_of(&s, page_of("https://a.example/n/another-long-title", 0, 0));
    assert_string_equal(all.unfetched.word, "waiting");
    struct fg_standing reduced =
        standing_of(&s, page_of("https://a.example/x?a=1&sid=99", 0, 0));
    assert_int_equal(reduced.dropped.len, 1);
    assert_str(reduced.dropped.at[0], "sid");
    assert_str(reduced.reduced, "https://a.example/x?a=1");
    close_setting(&s);
}

FG_TESTS(every_page_that_is_known_has_a_reason,
         what_keeps_a_page_from_being_told_is_named,
         what_keeps_an_old_page_from_being_fetched_is_named)
