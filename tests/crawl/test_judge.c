/* What is known and what was read, and what follows: a row a case. */
#include "crawl/judging/judge.h"

#include "crawl/crawl.h"

#include "test.h"

enum { AWAITED = FG_PAGE_AWAITED, UNPROVEN = FG_PAGE_AWAITED | FG_PAGE_UNPROVEN };
static const fg_time since = 1000 * FG_DAY, now = 1010 * FG_DAY;
static const fg_time before_watch = 900 * FG_DAY, lately = 1009 * FG_DAY;

/* What a page is if nothing else is said: one that was awaited, undated, of a pattern and
 * a site of which little is known. */
static struct fg_pattern pattern;

static struct fg_candidate known(uint32_t flags)
{
    return (struct fg_candidate){.flags = flags,
                                 .since = since,
                                 .now = now,
                                 .pattern = &pattern,
                                 .report_kinds = FG_REPORT_PAGES,
                                 .is_relevant = true};
}

static struct fg_reading page(enum fg_kind kind, fg_time published)
{
    return (struct fg_reading){.kind = FG_READ_HTML,
                               .verdict = {kind, 0.9F, "test"},
                               .facts = {.published = published,
                                         .published_from = published,
                                         .published_until = published,
                                         .modified = FG_NEVER}};
}

static struct fg_judgement judge(struct fg_candidate candidate, struct fg_reading reading)
{
    struct fg_judgement judgement;
    fg_judge(&judgement, &candidate, &reading);
    return judgement;
}

static void kind_and_age_decide(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        uint32_t flags;
        enum fg_kind kind;
        fg_time published;
        bool is_decided, is_told;
        enum not_told turned_down;
        uint32_t set;
    } cases[] = {
        {"a new page", AWAITED, FG_KIND_PAGE, FG_NEVER, 1, 1, NOT_TOLD, 0},
        {"a new page that says when", AWAITED, FG_KIND_PAGE, lately, 1, 1, NOT_TOLD, 0},
        {"it turns out to be old", AWAITED, FG_KIND_PAGE, before_watch, 1, 0, NOT_OLD,
         FG_PAGE_OLD},
        {"nothing proves it", UNPROVEN, FG_KIND_PAGE, FG_NEVER, 1, 0, NOT_UNPROVEN,
         FG_PAGE_UNPROVEN},
        {"its date proves it", UNPROVEN, FG_KIND_PAGE, lately, 1, 1, NOT_TOLD, 0},
        {"of the stock", 0, FG_KIND_PAGE, FG_NEVER, 0, 0, NOT_TOLD, 0},
        {"of the stock, and old", 0, FG_KIND_PAGE, before_watch, 0, 0, NOT_TOLD,
         FG_PAGE_OLD},
        {"of the stock, but published since", 0, FG_KIND_PAGE, lately, 1, 1, NOT_TOLD, 0},
        {"a list", AWAITED, FG_KIND_LIST, FG_NEVER, 1, 0, NOT_LIST, FG_PAGE_LIST},
        {"an action", AWAITED, FG_KIND_ACTION, FG_NEVER, 1, 0, NOT_ACTION,
         FG_PAGE_OTHER_KIND},
        {"an error", AWAITED, FG_KIND_ERROR, FG_NEVER, 1, 0, NOT_ERROR,
         FG_PAGE_OTHER_KIND},
        {"nothing to read", AWAITED, FG_KIND_EMPTY, FG_NEVER, 1, 0, NOT_EMPTY,
         FG_PAGE_OTHER_KIND},
        {"told before", AWAITED | FG_PAGE_REPORTED, FG_KIND_PAGE, FG_NEVER, 1, 0,
         NOT_LIST, 0},
        {"a source, whatever it looks like", AWAITED | FG_PAGE_SOURCE, FG_KIND_PAGE,
         FG_NEVER, 1, 0, NOT_LIST, 0},
        {"of the stock of a list, but awaited", AWAITED | FG_PAGE_STOCK, FG_KIND_PAGE,
         FG_NEVER, 1, 1, NOT_TOLD, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fg_judgement j =
            judge(known(cases[i].flags), page(cases[i].kind, cases[i].published));
        if (j.is_decided != cases[i].is_decided || j.is_told != cases[i].is_told ||
            j.turned_down != cases[i].turned_down || j.set != cases[i].set)
            fail_msg("%s: told %d, turned down %d, flags %x", cases[i].what, j.is_told,
                     j.turned_down, j.set);
        assert_int_equal(j.clear, cases[i].is_decided ? UNPROVEN : 0);
    }
}

static void circumstances_decide(void **state)
{
    (void)state;
    struct fg_candidate c = known(AWAITED);
    struct fg_reading r = page(FG_KIND_PAGE, FG_NEVER);
    c.is_copy = true;
    struct fg_judgement j = judge(c, r);
    assert_int_equal(j.turned_down, NOT_COPY);
    assert_int_equal(j.set, FG_PAGE_DUPLICATE);
    assert_int_equal(j.came, FG_CAME_COPY);
    assert_false(j.counts_date);
    c = known(AWAITED);
    r.noindex = true;
    j = judge(c, r);
    assert_int_equal(j.turned_down, NOT_NOINDEX);
    assert_int_equal(j.came, FG_CAME_OTHER);
    r.noindex = false;
    c.is_relevant = false;
    j = judge(c, r);
    assert_true(j.is_worth && !j.is_told);
    assert_int_equal(j.turned_down, NOT_IRRELEVANT);
    c = known(AWAITED);
    c.has_old_title = true;
    assert_false(judge(c, r).is_told);
    c = known(AWAITED);
    c.is_further = true;
    assert_int_equal(judge(c, r).turned_down, NOT_LIST);
    c.report_kinds |= FG_REPORT_LISTS;
    assert_true(judge(c, r).is_told);
    c = known(AWAITED);
    c.is_archive = true; /* its entries are told */
    assert_int_equal(judge(c, r).turned_down, NOT_LIST);
}

static void further_page_is_not_new_by_its_date(void **state)
{
    (void)state;
    struct fg_candidate c = known(0);
    c.is_continuation = true;
    assert_false(judge(c, page(FG_KIND_PAGE, lately)).is_decided);
    c.flags = AWAITED;
    assert_true(judge(c, page(FG_KIND_PAGE, lately)).is_told);
}

static void feed_vouches_for_what_looks_like_a_list(void **state)
{
    (void)state;
    struct fg_candidate c = known(AWAITED);
    struct fg_reading r = page(FG_KIND_LIST, FG_NEVER);
    c.is_in_feed = true;
    assert_true(judge(c, r).is_told);
    r.verdict.certainty = 0.99F;
    assert_false(judge(c, r).is_told);
}

/* A browser, a login or consent is needed: the feed has told what there is to tell. */
static void what_a_feed_dates_is_told_though_its_page_shows_nothing(void **state)
{
    (void)state;
    struct fg_candidate c = known(AWAITED);
    struct fg_reading empty = page(FG_KIND_EMPTY, FG_NEVER);
    c.is_in_feed = true;
    assert_false(judge(c, empty).is_told); /* it did not say when */
    c.is_vouched = c.is_copy = true;
    assert_true(judge(c, empty).is_told);
    assert_true(judge(c, empty).by_feed);
    c.flags = UNPROVEN;
    assert_false(judge(c, empty).is_told);
    c.flags = AWAITED;
    struct fg_reading login = page(FG_KIND_PAGE, FG_NEVER), file = empty;
    login.verdict.kind = FG_KIND_ACTION;
    login.facts.has_password = true;
    assert_true(judge(c, login).is_told);
    login.facts.has_password = false; /* the address alone says so, and it has a text */
    login.facts.main.words = 200;
    c.is_copy = false;
    assert_true(judge(c, login).is_told);
    assert_false(judge(c, login).by_feed);
    file.kind = FG_READ_NOTHING; /* a film is no page */
    assert_false(judge(c, file).is_told);
    assert_false(judge(c, page(FG_KIND_ERROR, FG_NEVER)).is_told);
    struct fg_reading wall = page(FG_KIND_PAGE, FG_NEVER); /* all lead to the same text */
    c.is_copy = c.is_copy_of_wall = c.is_moved = true;
    assert_true(judge(c, wall).is_told);
    c.is_copy_of_wall = false;
    assert_false(judge(c, wall).is_told);
    c.is_moved = c.is_copy = false;
    empty.noindex = true; /* its own word, or that of a wall to which it leads */
    assert_false(judge(c, empty).is_told);
    c.is_moved = true;
    assert_true(judge(c, empty).is_told);
}

static void page_without_a_date_is_no_news_where_pages_have_one(void **state)
{
    (void)state;
    struct fg_candidate c = known(AWAITED);
    struct fg_reading r = page(FG_KIND_PAGE, FG_NEVER);
    c.dated = 5;
    assert_int_equal(judge(c, r).turned_down, NOT_UNPROVEN);
    c.undated_told = 2; /* such pages have been told */
    assert_true(judge(c, r).is_told);
    c.undated_told = 0;
    c.is_in_feed = true;
    assert_true(judge(c, r).is_told);
    c.is_in_feed = false;
    r.facts.claim = FG_CLAIM_PRODUCT;
    assert_true(judge(c, r).is_told);
    /* The third page that says when counts itself. */
    c.dated = 2;
    r = page(FG_KIND_PAGE, lately);
    assert_true(judge(c, r).is_told);
    assert_true(judge(c, r).is_dated);
}

static void doubt_gives_way_to_the_pattern(void **state)
{
    (void)state;
    struct fg_pattern pages = {.came = {[FG_CAME_PAGE] = 10}};
    struct fg_pattern lists = {.came = {[FG_CAME_LIST] = 10}};
    struct fg_candidate c = known(AWAITED);
    struct fg_reading r = page(FG_KIND_LIST, FG_NEVER);
    r.verdict.certainty = 0.6F;
    c.pattern = &pages;
    assert_int_equal(judge(c, r).verdict.kind, FG_KIND_PAGE);
    r = page(FG_KIND_PAGE, FG_NEVER);
    r.verdict.certainty = 0.6F;
    c.pattern = &lists;
    assert_int_equal(judge(c, r).verdict.kind, FG_KIND_LIST);
    r.verdict.certainty = 0.9F; /* no doubt */
    assert_int_equal(judge(c, r).verdict.kind, FG_KIND_PAGE);
    assert_int_equal(lists.came[FG_CAME_LIST], 10); /* nothing was changed */
}

static void only_a_feed_speaks_for_a_page_that_cannot_be_had(void **state)
{
    (void)state;
    assert_true(fg_judge_unread(AWAITED, false, true, false));
    assert_false(fg_judge_unread(AWAITED, true, true, false));   /* it is gone */
    assert_false(fg_judge_unread(AWAITED, false, false, false)); /* only a link */
    assert_false(fg_judge_unread(AWAITED, false, true, true));   /* nobody can say */
    assert_false(fg_judge_unread(UNPROVEN, false, true, false));
    assert_false(fg_judge_unread(AWAITED | FG_PAGE_REPORTED, false, true, false));
}

FG_TESTS(kind_and_age_decide, circumstances_decide, further_page_is_not_new_by_its_date,
         feed_vouches_for_what_looks_like_a_list,
         what_a_feed_dates_is_told_though_its_page_shows_nothing,
         page_without_a_date_is_no_news_where_pages_have_one,
         doubt_gives_way_to_the_pattern, only_a_feed_speaks_for_a_page_that_cannot_be_had)
