/* Counts of pages by day: what is read of a table, how addresses become pages, and what
 * reaches the store. */
#include "crawl/documents/counts.h"
#include "net/url/canonical.h"
#include "test.h"

#include <unistd.h>

struct reading {
    struct fg_arena arena;
    struct fg_counts counts;
    struct fg_err err;
    size_t lines[8], n;
    char why[200];
};

static void complain(void *context, size_t line, const char *why)
{
    struct reading *r = context;
    r->lines[r->n++] = line;
    snprintf(r->why, sizeof r->why, "%s", why);
}

static enum fg_status read_text(struct reading *r, const char *csv)
{
    *r = (struct reading){.n = 0};
    r->counts.arena = &r->arena;
    return fg_counts_read(&r->counts, fg_str_from(csv), complain, r, &r->err);
}

static void columns_come_in_any_order(void **state)
{
    (void)state;
    struct reading r;
    assert_int_equal(read_text(&r, "Impressions,note,URL,clicks,day\r\n"
                                   "40,\"a, b\",https://a.example/1,3,2026-11-15\r\n"
                                   "7,,https://a.example/2,0,2026-11-16\r\n"),
                     FG_OK);
    assert_int_equal(r.counts.rows.len, 2);
    assert_int_equal(r.counts.urls.len, 2);
    const struct fg_count *row = r.counts.rows.at;
    assert_true(row[0].clicks == 3 && row[0].impressions == 40);
    assert_true(row[1].clicks == 0 && row[1].impressions == 7);
    assert_int_equal(row[0].day, fg_days_from_date(2026, 11, 15));
    assert_int_equal(row[1].day, fg_days_from_date(2026, 11, 16));
    fg_arena_clear(&r.arena);
}

static void a_column_that_is_not_there_is_not_known(void **state)
{
    (void)state;
    struct reading r;
    assert_int_equal(read_text(&r, "url\tday\tclicks\nhttps://a.example/\t2026-11-15\t2"),
                     FG_OK);
    assert_true(r.counts.rows.at[0].impressions == FG_UNCOUNTED);
    fg_arena_clear(&r.arena);
    assert_int_equal(read_text(&r, "url,day\nhttps://a.example/,2026-11-15"), FG_EINPUT);
    assert_non_null(strstr(r.err.text, "neither"));
    fg_arena_clear(&r.arena);
    assert_int_equal(read_text(&r, "url,clicks\nhttps://a.example/,1"), FG_EINPUT);
    assert_non_null(strstr(r.err.text, "'day'"));
    fg_arena_clear(&r.arena);
    assert_int_equal(read_text(&r, ""), FG_EINPUT);
    fg_arena_clear(&r.arena);
}

static void every_wrong_row_is_named(void **state)
{
    (void)state;
    struct reading r;
    assert_int_equal(read_text(&r, "url,day,clicks\n"
                                   "https://a.example/,2026-11-15,1\n"
                                   "https://a.example/,2026-11-31,1\n"
                                   "a.example,2026-11-15,1\n"
                                   "https://a.example/,2026-11-15,-1\n"
                                   "https://a.example/,2026-11-15\n"
                                   "https://a.example/,2026-11-15,4294967295\n"),
                     FG_OK);
    assert_int_equal(r.counts.wrong, 5);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(r.lines[i], i + 3);
    assert_non_null(strstr(r.why, "4294967295"));
    fg_arena_clear(&r.arena);
    assert_int_equal(read_text(&r, "url,day,clicks\nx,\"2026"), FG_EINPUT);
    assert_non_null(strstr(r.err.text, "never closed"));
    fg_arena_clear(&r.arena);
}

static void counts_of_one_page_and_day_are_added_up(void **state)
{
    (void)state;
    struct reading r;
    read_text(&r, "url,day,clicks,impressions\n"
                  "https://a.example/x?b=1&a=2,2026-11-15,1,10\n"
                  "https://a.example/x?a=2&b=1&utm_source=mail,2026-11-15,2,20\n"
                  "https://a.example/x?a=2&b=1,2026-11-14,4,40\n"
                  "https://a.example/y,2026-11-15,8,80\n");
    fg_counts_name(&r.counts, 0);
    assert_int_equal(r.counts.urls.len, 2);
    assert_int_equal(r.counts.rows.len, 3);
    assert_true(r.counts.rows.at[0].clicks == 4 && r.counts.rows.at[1].clicks == 3 &&
                r.counts.rows.at[1].impressions == 30 && r.counts.rows.at[2].clicks == 8);
    fg_arena_clear(&r.arena);
}

static void lines_for_a_crawl_say_the_same(void **state)
{
    (void)state;
    struct reading r;
    read_text(&r, "url,day,clicks\n"
                  "https://a.example/1,2026-11-15,1\n"
                  "https://a.example/2,2026-11-15,0\n"
                  "https://a.example/3,1969-12-31,7\n");
    fg_counts_name(&r.counts, 0);
    struct fg_buf text;
    fg_buf_init(&text, 70); /* two of them */
    size_t next = fg_counts_format(&text, &r.counts, 0);
    assert_int_equal(next, 2);
    assert_str(fg_buf_str(&text),
               "https://a.example/1\t20772\t1\t\nhttps://a.example/2\t20772\t0\t\n");
    fg_buf_reset(&text);
    assert_int_equal(fg_counts_format(&text, &r.counts, next), 3);
    struct fg_str rest = fg_buf_str(&text), line, url;
    struct fg_daily_row row;
    fg_str_cut(&rest, '\n', &line);
    assert_true(fg_count_parse(&url, &row, line));
    assert_str(url, "https://a.example/3");
    assert_true(row.day == -1 && row.clicks == 7 && row.impressions == FG_UNCOUNTED);
    static const char *const bad[] = {"",          "x",        "x\t1",        "x\t1\t2",
                                      "x\ty\t1\t", "\t1\t2\t", "x\t1\t2\t3\t"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(fg_count_parse(&url, &row, fg_str_from(bad[i])));
    fg_buf_clear(&text);
    fg_arena_clear(&r.arena);
}

/* --- to the store --- */

static struct fg_store *open_store(char *path)
{
    struct fg_store *store;
    assert_int_equal(fg_store_open(&store, path, &(struct fg_store_options){0}, NULL),
                     FG_OK);
    struct fg_batch *batch = fg_batch_new(store);
    fg_batch_site(batch, &(struct fg_site_row){.site = 4,
                                               .key = FG_STR("https://a.example"),
                                               .added = FG_NEVER,
                                               .state = 1,
                                               .last_request = FG_NEVER,
                                               .robots_fetched = FG_NEVER,
                                               .robots_expires = FG_NEVER,
                                               .backoff_until = FG_NEVER});
    static const char *const urls[] = {"https://a.example/1", "https://a.example/2",
                                       "https://a.example/old"};
    for (unsigned i = 0; i < 3; i++)
        fg_batch_page(batch,
                      &(struct fg_page_row){
                          .site = 4,
                          .page = i + 1,
                          .url = fg_str_from(urls[i]),
                          .fingerprint = fg_canonical_fingerprint(fg_str_from(urls[i])),
                          .flags = i == 0   ? FG_PAGE_DOCUMENT
                                   : i == 2 ? FG_PAGE_ALIAS
                                            : 0,
                          .alias_of = i == 2 ? 1 : 0});
    assert_int_equal(fg_store_flush(store, fg_store_submit(store, batch), NULL), FG_OK);
    return store;
}

static bool take(void *context, const struct fg_daily_row *row)
{
    struct fg_daily_row **next = context;
    *(*next)++ = *row;
    return true;
}

static void take_missing(void *context, struct fg_str url)
{
    (void)url;
    ++*(size_t *)context;
}

static void known_pages_get_their_counts(void **state)
{
    (void)state;
    char path[] = "/tmp/test-counts-XXXXXX";
    assert_non_null(mkdtemp(path));
    char file[64];
    snprintf(file, sizeof file, "%s/forage.db", path);
    struct fg_store *store = open_store(file);
    struct reading r;
    read_text(&r, "url,day,clicks,impressions\n"
                  "https://a.example/1,2026-11-15,1,10\n"
                  "https://a.example/old,2026-11-15,2,20\n"
                  "https://a.example/2,2026-11-14,4,40\n"
                  "https://a.example/3,2026-11-15,8,80\n"
                  "https://b.example/,2026-11-15,8,80\n");
    fg_counts_name(&r.counts, 0);
    struct fg_counts_outcome outcome;
    struct fg_daily_row rows[8], *end = rows;
    assert_int_equal(fg_counts_look(&outcome, store, &r.counts, NULL), FG_OK);
    assert_int_equal(fg_store_daily(store, 4, 0, 30000, take, &end, NULL), FG_OK);
    assert_ptr_equal(end, rows);
    assert_int_equal(fg_counts_put(&outcome, store, &r.counts, NULL), FG_OK);
    assert_true(outcome.rows == 3 && outcome.pages == 3 && outcome.unknown == 2);
    assert_int_equal(outcome.not_documents, 1);
    assert_str(outcome.an_unknown_one, "https://a.example/3");
    assert_int_equal(outcome.last_day - outcome.first_day, 1);
    assert_int_equal(fg_store_daily(store, 4, 0, 30000, take, &end, NULL), FG_OK);
    assert_int_equal(end - rows, 2);
    assert_true(rows[0].page == 2 && rows[0].clicks == 4);
    assert_true(rows[1].page == 1 && rows[1].clicks == 3 && rows[1].impressions == 30);
    size_t missing = 0;
    fg_counts_missing(store, &r.counts, take_missing, &missing, NULL);
    assert_int_equal(missing, 3);
    fg_store_close(store, NULL);
    fg_arena_clear(&r.arena);
    static const char *const left[] = {"forage.db", "forage.db-wal", "forage.db-shm",
                                       "forage.db.lock"};
    for (size_t i = 0; i < 4; i++) {
        snprintf(file, sizeof file, "%s/%s", path, left[i]);
        unlink(file);
    }
    rmdir(path);
}

FG_TESTS(columns_come_in_any_order, a_column_that_is_not_there_is_not_known,
         every_wrong_row_is_named, counts_of_one_page_and_day_are_added_up,
         lines_for_a_crawl_say_the_same, known_pages_get_their_counts)
