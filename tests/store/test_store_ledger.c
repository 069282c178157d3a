/* Requests made, and what the user says of pages. */
#include "fixture.h"

struct seen {
    struct fg_request_row rows[8];
    size_t n;
};

static bool take_request(void *context, const struct fg_request_row *row)
{
    struct seen *seen = context;
    seen->rows[seen->n++] = *row;
    return true;
}

static struct seen requests(struct fg_store *store, fg_site_id site, fg_time since)
{
    struct seen seen = {0};
    assert_int_equal(fg_store_requests(store, site, since, take_request, &seen, NULL),
                     FG_OK);
    return seen;
}

static void submit(struct fg_store *store, struct fg_batch *batch)
{
    assert_int_equal(fg_store_flush(store, fg_store_submit(store, batch), NULL), FG_OK);
}

static struct fg_batch *with_sites(struct fg_store *store)
{
    struct fg_batch *batch = fg_batch_new(store);
    for (fg_site_id site = 1; site <= 2; site++)
        fg_batch_site(batch, &(struct fg_site_row){.site = site, .key = FG_STR("k")});
    return batch;
}

static void requests_come_in_order_of_time(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_batch *batch = with_sites(store);
    struct fg_request_row row = {.site = 1,
                                 .time = 30,
                                 .number = 2,
                                 .status = 304,
                                 .failure = 3,
                                 .purpose = 10,
                                 .hop = 4,
                                 .conditional = true,
                                 .bytes = 4000000000,
                                 .took_ms = 7,
                                 .target = FG_STR("/x?y")};
    fg_batch_request(batch, &row);
    row.time = 10;
    row.target = FG_STR("/first");
    fg_batch_request(batch, &row);
    row.number = 1; /* at the same moment, before it */
    fg_batch_request(batch, &row);
    row.site = 2;
    fg_batch_request(batch, &row);
    submit(store, batch);
    struct seen seen = requests(store, 1, FG_NEVER);
    assert_int_equal(seen.n, 3);
    assert_int_equal(seen.rows[0].number, 1);
    assert_int_equal(seen.rows[1].number, 2);
    const struct fg_request_row *last = &seen.rows[2];
    assert_int_equal(last->time, 30);
    assert_int_equal(last->status, 304);
    assert_int_equal(last->failure, 3);
    assert_int_equal(last->purpose, 10);
    assert_int_equal(last->hop, 4);
    assert_true(last->conditional);
    assert_int_equal(last->bytes, 4000000000);
    assert_int_equal(last->took_ms, 7);
    assert_int_equal(requests(store, 1, 11).n, 1);
    assert_int_equal(requests(store, 2, FG_NEVER).n, 1);
    box_close(store);
    box_free(&box);
}

static void old_requests_go(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_batch *batch = with_sites(store);
    for (fg_time time = 1; time <= 6; time++)
        fg_batch_request(batch,
                         &(struct fg_request_row){.site = (fg_site_id)(1 + time % 2),
                                                  .time = time,
                                                  .target = FG_STR("/")});
    submit(store, batch);
    prune_before(store, 4, 0);
    assert_int_equal(requests(store, 1, FG_NEVER).n, 2); /* 4 and 6 */
    assert_int_equal(requests(store, 2, FG_NEVER).n, 1); /* 5 */
    forget_site(store, 1);
    assert_int_equal(requests(store, 1, FG_NEVER).n, 0);
    assert_int_equal(requests(store, 2, FG_NEVER).n, 1);
    box_close(store);
    box_free(&box);
}

static void notes_keep_what_is_not_said_again(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_batch *batch = with_sites(store);
    struct fg_note_row note = {.site = 1,
                               .page = 3,
                               .name = FG_STR("A"),
                               .tags = FG_STR("x,y"),
                               .home = FG_STR("http://h/"),
                               .meta = FG_STR("k=v")};
    fg_batch_note(batch, &note);
    fg_batch_note(batch, &(struct fg_note_row){.site = 2, .page = 1});
    fg_batch_note(batch,
                  &(struct fg_note_row){.site = 1, .page = 3, .tags = FG_STR("z")});
    submit(store, batch);
    struct fg_arena arena = {0};
    struct fg_note_row read;
    assert_int_equal(fg_store_note(store, &read, &arena, 1, 3, NULL), FG_OK);
    assert_str(read.name, "A");
    assert_str(read.tags, "z");
    assert_str(read.home, "http://h/");
    assert_str(read.meta, "k=v");
    assert_int_equal(fg_store_note(store, &read, &arena, 1, 4, NULL), FG_ENOTFOUND);
    fg_arena_clear(&arena);
    box_close(store);
    box_free(&box);
}

FG_STORE_TESTS(requests_come_in_order_of_time, old_requests_go,
               notes_keep_what_is_not_said_again)
