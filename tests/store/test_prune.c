/* What goes from a store, by age or with its site, in slices; and what must stay. */
#include "fixture.h"

/* How many rows of a kind there are, or those that have this number in a column. */
static int64_t rows_with(struct fg_store *store, enum fg_row_kind kind,
                         const char *column, int64_t value)
{
    const struct fg_row_type *type = &fg_row_types[kind];
    union {
        char bytes[512];
        void *aligned;
    } row;
    size_t at = fg_row_column(type, fg_str_from(column));
    int64_t n = 0, number;
    struct fg_row_walk walk =
        fg_row_walk(store->backend, FG_KEYED(kind, 0), FG_NO_ARGS, SIZE_MAX, NULL);
    while (fg_row_walk_next(&walk, &row, NULL))
        n += at == type->n_columns ||
             (fg_cell_number(&type->columns[at], &row, &number) && number == value);
    assert_int_equal(fg_row_walk_end(&walk, FG_OK), FG_OK);
    return n;
}

static int64_t rows(struct fg_store *store, enum fg_row_kind kind)
{
    return rows_with(store, kind, "", 0);
}

/* The numbers of all events, one behind the other as digits. */
static bool add_digit(void *context, const struct fg_event_row *event)
{
    uint64_t *number = context;
    *number = *number * 10 + event->number;
    return true;
}

static uint64_t events(struct fg_store *store)
{
    uint64_t numbers = 0;
    assert_int_equal(fg_store_events(store, 0, 0, 0, 100, add_digit, &numbers, NULL),
                     FG_OK);
    return numbers;
}

static bool add_time(void *context, const struct fg_visit_row *visit)
{
    *(fg_time *)context += visit->time;
    return true;
}

static void put_site(struct fg_batch *batch, fg_site_id site)
{
    char key[64];
    snprintf(key, sizeof key, "https://s%u.example", site);
    fg_batch_site(batch, &(struct fg_site_row){.site = site,
                                               .key = fg_str_from(key),
                                               .state = 2,
                                               .added = 1,
                                               .last_request = FG_NEVER,
                                               .robots_fetched = FG_NEVER,
                                               .robots_expires = FG_NEVER,
                                               .backoff_until = FG_NEVER});
}

static void put_event(struct fg_batch *batch, fg_site_id site, uint64_t id, fg_time time)
{
    fg_batch_event(batch, &(struct fg_event_row){.site = site,
                                                 .page = 1,
                                                 .id = id,
                                                 .time = time,
                                                 .kind = FG_STR("discovery"),
                                                 .json = FG_STR("{}")});
}

/* A page that was looked at every microsecond has more old visits than a slice takes. */
static void slices_are_bounded(void **state)
{
    (void)state;
    enum { VISITS = 25000, LINKS = 15000 };
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_batch *batch = fg_batch_new(store);
    struct fg_page_row page = page_row(1, 1), next = page_row(1, 2);
    put_site(batch, 1);
    fg_batch_page(batch, &page);
    fg_batch_page(batch, &next);
    for (fg_time t = 1; t <= VISITS; t++)
        fg_batch_visit(batch, &(struct fg_visit_row){.site = 1, .page = 1, .time = t});
    for (fg_page_id target = 1; target <= LINKS; target++)
        fg_batch_link(batch, &(struct fg_link_row){.site = 1,
                                                   .source = 2,
                                                   .target_site = 1,
                                                   .target = target,
                                                   .first_seen = 1,
                                                   .last_seen = 1,
                                                   .gone = target > 10 ? 2 : FG_NEVER});
    write_now(store, batch);
    struct fg_prune prune = {.visits = VISITS - 4, .links = 3, .delivered = 0};
    int64_t before = VISITS + LINKS, after;
    int slices = 0;
    do {
        batch = fg_batch_new(store);
        fg_batch_prune(batch, &prune);
        write_now(store, batch);
        after = rows(store, FG_VISITS) + rows(store, FG_LINKS);
        assert_true(before - after <= 10000);
        before = after;
        assert_true(++slices < 10);
    } while (fg_store_has_more(store));
    assert_int_equal(rows(store, FG_VISITS), 5);
    assert_int_equal(rows(store, FG_LINKS), 10);
    /* What the rows of pages count stays. */
    assert_int_equal(rows_with(store, FG_PAGES, "visits", VISITS), 1);
    box_close(store);
    box_free(&box);
}

static void last_visit_and_captures_stay(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_batch *batch = fg_batch_new(store);
    struct fg_page_row page = page_row(1, 1);
    fg_batch_page(batch, &page);
    fg_batch_capture(
        batch, &(struct fg_visit_row){.site = 1, .page = 1, .time = 5, .purpose = 4});
    for (fg_time t = 10; t <= 12; t++)
        fg_batch_visit(batch, &(struct fg_visit_row){.site = 1, .page = 1, .time = t});
    write_now(store, batch);
    prune_before(store, 1000, UINT64_MAX);
    fg_time sum = 0;
    assert_int_equal(fg_store_visits(store, 1, 0, 0, add_time, &sum, NULL), FG_OK);
    assert_int_equal(sum, 5 + 12);
    box_close(store);
    box_free(&box);
}

static void never_takes_nothing(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_batch *batch = fg_batch_new(store);
    struct fg_page_row page = page_row(1, 1);
    put_site(batch, 1);
    fg_batch_page(batch, &page);
    for (fg_time t = 1; t <= 3; t++)
        fg_batch_visit(batch, &(struct fg_visit_row){.site = 1, .page = 1, .time = t});
    put_event(batch, 1, 1, 1);
    fg_batch_request(
        batch, &(struct fg_request_row){.site = 1, .time = 1, .target = FG_STR("/")});
    write_now(store, batch);
    prune_before(store, FG_NEVER, UINT64_MAX);
    assert_int_equal(
        rows(store, FG_VISITS) + rows(store, FG_EVENTS) + rows(store, FG_REQUESTS), 5);
    box_close(store);
    box_free(&box);
}

static void only_delivered_events_go(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_batch *batch = fg_batch_new(store);
    for (uint64_t id = 1; id <= 6; id++)
        put_event(batch, 1, id, (fg_time)id);
    fg_batch_waiting(batch, &(struct fg_waiting_row){.hook = FG_STR("team"),
                                                     .number = 2,
                                                     .site = 1,
                                                     .next = FG_NEVER,
                                                     .tried = FG_NEVER});
    write_now(store, batch);
    prune_before(store, 100, 3);
    assert_int_equal(events(store), 2456);
    prune_before(store, 6, UINT64_MAX); /* nobody wants any */
    assert_int_equal(events(store), 26);
    box_close(store);
    box_free(&box);
}

/* A row of every kind, of and about a site. */
static void fill(struct fg_batch *batch, fg_site_id site, fg_site_id other)
{
    struct fg_page_row page = page_row(site, 1);
    char key[64];
    put_site(batch, site);
    fg_batch_page(batch, &page);
    fg_batch_visit(batch, &(struct fg_visit_row){.site = site, .page = 1, .time = 1});
    fg_batch_link(batch, &(struct fg_link_row){site, 1, other, 1, 1, 1, FG_NEVER});
    fg_batch_link(batch, &(struct fg_link_row){site, 1, site, 1, 1, 1, FG_NEVER});
    fg_batch_body(batch, site, 1, 1, FG_STR("body"));
    fg_batch_state(batch, site, "patterns", FG_STR("x"));
    fg_batch_label(batch, site, 1, true);
    fg_batch_daily(batch, &(struct fg_daily_row){site, 1, 100, 1, 1}, 1);
    fg_batch_value(batch, &(struct fg_value_row){.site = site,
                                                 .page = 1,
                                                 .kind = 2,
                                                 .hash = 1,
                                                 .changed = 1,
                                                 .text = FG_STR("one")});
    fg_batch_request(
        batch, &(struct fg_request_row){.site = site, .time = 1, .target = FG_STR("/")});
    fg_batch_note(
        batch, &(struct fg_note_row){.site = site, .page = 1, .name = FG_STR("a name")});
    fg_batch_promise(batch, site, 1, FG_HOUR);
    snprintf(key, sizeof key, "https://s%u.example", site);
    fg_batch_early(batch, fg_str_from(key),
                   &(struct fg_early_row){.fingerprint = 7, .day = 100, .clicks = 1}, 1);
    put_event(batch, site, site, 1);
}

static int64_t rows_of(struct fg_store *store, unsigned site)
{
    char key[64];
    int64_t n = rows_with(store, FG_LINKS, "target_site", site);
    for (unsigned kind = 0; kind < FG_ROW_KINDS; kind++)
        if (fg_row_column(&fg_row_types[kind], FG_STR("site")) <
            fg_row_types[kind].n_columns)
            n += rows_with(store, (enum fg_row_kind)kind, "site", site);
    snprintf(key, sizeof key, "https://s%u.example", site);
    struct fg_unplaced_row row;
    struct fg_row_walk walk =
        fg_row_walk(store->backend, FG_KEYED(FG_EARLY, 1),
                    FG_ARGS(FG_TEXT(fg_str_from(key))), SIZE_MAX, NULL);
    while (fg_row_walk_next(&walk, &row, NULL))
        n++;
    assert_int_equal(fg_row_walk_end(&walk, FG_OK), FG_OK);
    return n;
}

static void nothing_is_left_of_a_forgotten_site(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store =
        box_open(&box, &(struct fg_store_options){.keep_bodies = true});
    struct fg_batch *batch = fg_batch_new(store);
    fill(batch, 1, 2);
    fill(batch, 2, 1);
    write_now(store, batch);
    int64_t other = rows_of(store, 2);
    assert_true(rows_of(store, 1) == other && other > 15);
    forget_site(store, 1);
    assert_int_equal(rows_of(store, 1), 0);
    assert_int_equal(rows_of(store, 2), other - 2); /* its link to it, and that from it */
    assert_int_equal(fg_store_check(store, NULL), FG_OK);
    box_close(store);
    box_free(&box);
}

static void undelivered_events_outlive_their_site(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_batch *batch = fg_batch_new(store);
    fill(batch, 1, 2);
    put_event(batch, 1, 11, 2);
    fg_batch_delivered(batch, "file", 1, 0);
    fg_batch_delivered(batch, "stdout", 2, 0);
    write_now(store, batch);
    uint64_t delivered;
    assert_int_equal(fg_store_delivered_to_all(store, &delivered, NULL), FG_OK);
    assert_int_equal(delivered, 1);
    batch = fg_batch_new(store);
    fg_batch_forget_site(batch, 1, delivered);
    write_now(store, batch);
    assert_false(fg_store_has_more(store));
    assert_int_equal(rows_of(store, 1), 2); /* the event, and the row of its site */
    assert_int_equal(events(store), 2);
    batch = fg_batch_new(store);
    fg_batch_forget_site(batch, 1, 2);
    write_now(store, batch);
    assert_int_equal(rows_of(store, 1), 0);
    box_close(store);
    box_free(&box);
}

static void large_site_is_forgotten_in_slices(void **state)
{
    (void)state;
    enum { PAGES = 12000 };
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_batch *batch = fg_batch_new(store);
    put_site(batch, 1);
    for (fg_page_id id = 1; id <= PAGES; id++) {
        struct fg_page_row page = page_row(1, id);
        fg_batch_page(batch, &page);
        fg_batch_visit(batch, &(struct fg_visit_row){.site = 1, .page = id, .time = 1});
    }
    write_now(store, batch);
    batch = fg_batch_new(store);
    fg_batch_forget_site(batch, 1, UINT64_MAX);
    write_now(store, batch);
    assert_true(fg_store_has_more(store));
    assert_int_equal(rows_of(store, 1), 2 * PAGES + 1 - 10000);
    forget_site(store, 1);
    assert_int_equal(rows_of(store, 1), 0);
    box_close(store);
    box_free(&box);
}

/* What others know of pages by their numbers would be taken for that of others. */
static void number_of_a_forgotten_site_is_not_given_again(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    assert_int_equal(fg_store_new_site(store), 1);
    assert_int_equal(fg_store_new_site(store), 2);
    struct fg_batch *batch = fg_batch_new(store);
    put_site(batch, 1);
    put_site(batch, 4000000000);
    write_now(store, batch);
    forget_site(store, 4000000000);
    box_close(store);
    store = box_open(&box, NULL);
    assert_int_equal(rows(store, FG_SITES), 1);
    assert_int_equal(fg_store_new_site(store), 4000000001);
    box_close(store);
    box_free(&box);
}

FG_STORE_TESTS(number_of_a_forgotten_site_is_not_given_again, slices_are_bounded,
               last_visit_and_captures_stay, never_takes_nothing,
               only_delivered_events_go, nothing_is_left_of_a_forgotten_site,
               undelivered_events_outlive_their_site, large_site_is_forgotten_in_slices)
