/* Events that a webhook has not taken: kept, counted, and not pruned. */
#include "fixture.h"

#include "base/buf.h"

static bool take(void *context, const struct fg_waiting_row *row)
{
    struct fg_buf *said = context;
    fg_buf_printf(said, "%s%.*s:%llu/%u%s", said->len ? " " : "", FG_ARG(row->hook),
                  (unsigned long long)row->number, row->attempts,
                  row->is_dead ? "+" : "");
    return true;
}

static void check(struct fg_store *store, const char *hook, const char *expected)
{
    struct fg_buf said;
    fg_buf_init(&said, 1000);
    assert_int_equal(fg_store_waiting(store, hook, take, &said, NULL), FG_OK);
    assert_str(fg_buf_str(&said), expected);
    fg_buf_clear(&said);
}

static void wait_for(struct fg_batch *batch, const char *hook, uint64_t number,
                     unsigned attempts, bool is_dead)
{
    fg_batch_waiting(batch, &(struct fg_waiting_row){.hook = fg_str_from(hook),
                                                     .number = number,
                                                     .site = (fg_site_id)number,
                                                     .attempts = attempts,
                                                     .next = 5,
                                                     .tried = FG_NEVER,
                                                     .status = 503,
                                                     .is_dead = is_dead,
                                                     .why = FG_STR("busy")});
}

static void put_event(struct fg_batch *batch, uint64_t id)
{
    fg_batch_event(batch, &(struct fg_event_row){.site = 1,
                                                 .page = 1,
                                                 .id = id,
                                                 .time = 10,
                                                 .kind = FG_STR("discovery"),
                                                 .json = FG_STR("{}")});
}

static void rows_are_of_a_hook_and_in_order(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_batch *batch = fg_batch_new(store);
    wait_for(batch, "b", 3, 0, false);
    wait_for(batch, "a", 2, 1, false);
    wait_for(batch, "a", 1, 7, true);
    write_now(store, batch);
    box_close(store);
    store = box_open(&box, NULL);
    check(store, "", "a:1/7+ a:2/1 b:3/0");
    check(store, "a", "a:1/7+ a:2/1");
    check(store, "c", "");
    batch = fg_batch_new(store);
    wait_for(batch, "a", 1, 0, false); /* replaces */
    fg_batch_not_waiting(batch, FG_STR("a"), 2);
    fg_batch_not_waiting(batch, FG_STR("a"), 99);
    write_now(store, batch);
    check(store, "", "a:1/0 b:3/0");
    batch = fg_batch_new(store);
    fg_batch_forget_site(batch, 3, UINT64_MAX);
    write_now(store, batch);
    check(store, "", "a:1/0");
    box_close(store);
    box_free(&box);
}

static bool count(void *context, const struct fg_event_row *event)
{
    *(uint64_t *)context = *(uint64_t *)context * 10 + event->number;
    return true;
}

static void what_waits_is_not_pruned(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_batch *batch = fg_batch_new(store);
    for (uint64_t id = 1; id <= 4; id++)
        put_event(batch, id);
    wait_for(batch, "a", 2, 1, true);
    write_now(store, batch);
    prune_before(store, 100, 3);
    uint64_t left = 0;
    assert_int_equal(fg_store_events(store, 0, 0, FG_NEVER, 100, count, &left, NULL),
                     FG_OK);
    assert_int_equal(left, 24);
    box_close(store);
    box_free(&box);
}

FG_STORE_TESTS(rows_are_of_a_hook_and_in_order, what_waits_is_not_pruned)
