/* A crawl in lots: who is to have what, and leases on a real server. */
#include "fixture.h"
#include "store/addresses.h"
#include "store/lots.h"
#include "store/sharing.h"

#include <math.h>
#include <signal.h>
#include <sys/wait.h>

/* --- without a database --- */

static struct fg_lots_state state_of(struct fg_lot_row *lots, size_t n_lots,
                                     struct fg_worker_row *workers, size_t n_workers)
{
    struct fg_lots_state state = {.timeline = (1ULL << 32) | 1, .price = 1};
    for (size_t i = 0; i < n_lots; i++)
        lots[i].lot = (unsigned)i;
    state.lots.at = lots;
    state.lots.len = n_lots;
    state.workers.at = workers;
    state.workers.len = n_workers;
    return state;
}

static void a_beat_that_stands_still_is_over_after_the_length_and_a_hundredth(void **ctx)
{
    (void)ctx;
    struct fg_watch watch = {0};
    assert_false(fg_watch_is_over(&watch, 1000 * FG_SECOND, FG_SECOND));
    fg_watch_see(&watch, 1, 3, 40, 10 * FG_SECOND);
    fg_watch_see(&watch, 1, 3, 40, 12 * FG_SECOND);
    assert_false(fg_watch_is_over(&watch, 20 * FG_SECOND, 10 * FG_SECOND));
    assert_false(fg_watch_is_over(&watch, 20100 * FG_MILLISECOND, 10 * FG_SECOND));
    assert_true(fg_watch_is_over(&watch, 20101 * FG_MILLISECOND, 10 * FG_SECOND));
}

static void a_beat_an_epoch_and_another_server_begin_the_watch_anew(void **ctx)
{
    (void)ctx;
    struct fg_watch watch = {0};
    fg_watch_see(&watch, 1, 3, 40, 10 * FG_SECOND);
    fg_watch_see(&watch, 1, 3, 41, 15 * FG_SECOND);
    assert_int_equal(watch.since, 15 * FG_SECOND);
    fg_watch_see(&watch, 1, 4, 41, 16 * FG_SECOND);
    assert_int_equal(watch.since, 16 * FG_SECOND);
    fg_watch_see(&watch, 2, 4, 41, 17 * FG_SECOND);
    assert_int_equal(watch.since, 17 * FG_SECOND);
    /* A standby that lags goes back in time: that is a change as well. */
    fg_watch_see(&watch, 2, 4, 39, 18 * FG_SECOND);
    assert_int_equal(watch.since, 18 * FG_SECOND);
}

static void a_lot_given_back_is_free_at_once_on_the_first_server_only(void **ctx)
{
    (void)ctx;
    struct fg_lot_row lots[2] = {{.owner = FG_STR("x")}, {0}};
    struct fg_lots_state state = state_of(lots, 2, NULL, 0);
    struct fg_watch watch = {0};
    fg_watch_see(&watch, state.timeline, 0, 0, 100);
    assert_false(fg_lot_is_free(&state, 0, &watch, 200, FG_SECOND));
    assert_true(fg_lot_is_free(&state, 1, &watch, 200, FG_SECOND));
    state.timeline = (1ULL << 32) | 2;
    fg_watch_see(&watch, state.timeline, 0, 0, 300);
    assert_false(fg_lot_is_free(&state, 1, &watch, 400, FG_SECOND));
    assert_true(
        fg_lot_is_free(&state, 1, &watch, 300 + 1011 * FG_MILLISECOND, FG_SECOND));
}

static void lots_go_to_who_has_least_to_do(void **ctx)
{
    (void)ctx;
    struct fg_lot_row lots[4] = {{.worker = FG_STR("a"), .load = 300},
                                 {.worker = FG_STR("b"), .load = 50},
                                 {.worker = FG_STR("b"), .load = 50},
                                 {0}};
    struct fg_worker_row workers[3] = {
        {.name = FG_STR("a")}, {.name = FG_STR("b")}, {.name = FG_STR("c")}};
    struct fg_lots_state state = state_of(lots, 4, workers, 3);
    bool all[3] = {true, true, true}, two[3] = {true, true, false};
    /* a: .125 + .375 = .5; b: 2 * (.125 + .0625) = .375; c: 0. */
    assert_true(fabs(fg_worker_weight(&state, FG_STR("a")) - 0.5) < 1e-9);
    assert_true(fabs(fg_worker_weight(&state, FG_STR("b")) - 0.375) < 1e-9);
    assert_int_equal(fg_least_worker(&state, all), 2);
    assert_int_equal(fg_least_worker(&state, two), 1);
    assert_true(fg_least_worker(&state, (bool[3]){false}) == FG_NOBODY);
}

static void a_lot_is_given_back_if_that_evens_things_out(void **ctx)
{
    (void)ctx;
    struct fg_lot_row lots[4] = {{.worker = FG_STR("a")},
                                 {.worker = FG_STR("a")},
                                 {.worker = FG_STR("a")},
                                 {.worker = FG_STR("b")}};
    struct fg_worker_row workers[2] = {{.name = FG_STR("a")}, {.name = FG_STR("b")}};
    struct fg_lots_state state = state_of(lots, 4, workers, 2);
    bool both[2] = {true, true};
    assert_true(fg_lot_to_give(&state, both, FG_STR("b"), false) == FG_NOBODY);
    assert_true(fg_lot_to_give(&state, both, FG_STR("a"), false) < 3);
    lots[0].worker = FG_STR("b"); /* two and two */
    assert_true(fg_lot_to_give(&state, both, FG_STR("a"), false) == FG_NOBODY);
    /* By load a has .25 + .45 and b .25 + .05: a light one goes. */
    lots[1].load = 10, lots[2].load = 80, lots[0].load = lots[3].load = 5;
    assert_int_equal(fg_lot_to_give(&state, both, FG_STR("a"), true), 1);
    lots[0].worker = (struct fg_str){0}; /* two and one: one more would turn it round */
    assert_true(fg_lot_to_give(&state, both, FG_STR("a"), false) == FG_NOBODY);
}

static double sum_of(const struct fg_lots_state *state)
{
    double sum = 0;
    for (size_t i = 0; i < state->lots.len; i++)
        sum += state->lots.at[i].granted;
    return sum;
}

static void all_of_the_budget_is_shared_out_by_what_is_asked(void **ctx)
{
    (void)ctx;
    struct fg_lot_row lots[3] = {{.owner = FG_STR("x"), .asked = 3000},
                                 {.owner = FG_STR("y"), .asked = 1000},
                                 {.asked = 9000}};
    struct fg_lots_state state = state_of(lots, 3, NULL, 0);
    for (int turn = 0; turn < 8; turn++) {
        for (int i = 0; i < 3; i++)
            lots[i].applied = lots[i].granted;
        fg_lots_share(&state, 1000);
        assert_true(sum_of(&state) <= 1000 + 1e-6);
    }
    /* 30 evenly, the rest three to one; nothing for a lot that nobody has. */
    assert_true(fabs(lots[0].granted - (15 + 727.5)) < 10);
    assert_true(fabs(lots[1].granted - (15 + 242.5)) < 10);
    assert_true(lots[2].granted == 0);
    assert_true(fabs(state.price - 4) < 0.1);
}

static void what_a_lot_still_applies_is_not_given_to_others(void **ctx)
{
    (void)ctx;
    struct fg_lot_row lots[2] = {
        {.owner = FG_STR("x"), .asked = 10, .granted = 1000, .applied = 1000},
        {.owner = FG_STR("y"), .asked = 5000}};
    struct fg_lots_state state = state_of(lots, 2, NULL, 0);
    fg_lots_share(&state, 1000);
    assert_true(lots[0].granted < 200);
    assert_true(lots[1].granted == 0); /* the other has not heard of it yet */
    fg_lots_share(&state, 1000);
    assert_true(lots[1].granted == 0);
    lots[0].applied = lots[0].granted;
    fg_lots_share(&state, 1000);
    assert_true(lots[1].granted > 800);
    assert_true(sum_of(&state) <= 1000 + 1e-6);
}

/* Lots that ask, apply late or not at all, come and go: whatever they do, what may be
 * spent at any moment is no more than the budget. */
static void the_budget_is_never_overspent(void **ctx)
{
    (void)ctx;
    enum { LOTS = 7 };
    struct fg_lot_row lots[LOTS] = {0};
    struct fg_lots_state state = state_of(lots, LOTS, NULL, 0);
    double used[LOTS] = {0};
    uint64_t random = 88172645463325252u;
    for (int turn = 0; turn < 20000; turn++) {
        double all = 0;
        for (int i = 0; i < LOTS; i++) {
            random ^= random << 13, random ^= random >> 7, random ^= random << 17;
            if (random % 11 == 0)
                lots[i].owner = lots[i].owner.len ? (struct fg_str){0} : FG_STR("x");
            if (random % 7 == 0)
                lots[i].asked = (double)(random >> 20 & 4095);
            if (random % 3 == 0 && lots[i].owner.len) {
                /* A beat: what it will apply, and the rate it had until now. */
                lots[i].applied = fmax(lots[i].granted, used[i]);
                if (random % 2)
                    used[i] = lots[i].granted;
            }
            all += used[i];
        }
        assert_true(all <= 1000 + 1e-6);
        fg_lots_share(&state, 1000);
    }
}

static void the_lot_of_a_domain_never_changes(void **ctx)
{
    (void)ctx;
    /* FNV-1a of 64 bits, the halves added without carry; worked out in Python. */
    assert_int_equal(fg_lot_of(FG_STR("example.org"), 16), 2);
    assert_int_equal(fg_lot_of(FG_STR("bbc.co.uk"), 16), 11);
    assert_int_equal(fg_lot_of(FG_STR("example.org"), 1), 0);
}

/* --- on a server --- */

static const char *whole_place(void)
{
    static char place[300];
    static int n;
    const char *address = postgres_address();
    if (!address)
        skip();
    snprintf(place, sizeof place, "%s#lots%ld_%d", address, (long)getpid(), n++);
    return place;
}

static void drop_whole(const char *place, unsigned lots)
{
    struct fg_arena arena = {0};
    char schema[400];
    for (unsigned i = 0; i < lots; i++) {
        snprintf(schema, sizeof schema, "%s_lot%04u", place, i);
        postgres_drop(schema);
    }
    postgres_drop(place);
    fg_arena_clear(&arena);
}

static struct fg_lease *take(const char *place, unsigned lot, int64_t epoch, int64_t beat,
                             fg_time length)
{
    struct fg_lease *lease = NULL;
    struct fg_err err = {0};
    struct fg_lease_wish wish = {.place = place,
                                 .lot = lot,
                                 .epoch = epoch,
                                 .beat = beat,
                                 .worker = "me",
                                 .length = length};
    enum fg_status st = fg_lease_take(&lease, &wish, &err);
    if (st && st != FG_ENOTFOUND)
        fail_msg("%s", err.text);
    return lease;
}

static struct fg_lots_state read_state(struct fg_lots *lots, struct fg_arena *arena)
{
    struct fg_lots_state state;
    struct fg_err err = {0};
    if (fg_lots_read(lots, &state, arena, &err))
        fail_msg("%s", err.text);
    return state;
}

static void a_lot_is_taken_once_and_kept(void **ctx)
{
    (void)ctx;
    const char *place = whole_place();
    struct fg_err err = {0};
    struct fg_arena arena = {0};
    struct fg_lots *lots;
    if (fg_lots_make(place, 2, &err))
        fail_msg("%s", err.text);
    assert_int_equal(fg_lots_at(place), 2);
    assert_int_equal(fg_lots_make(place, 0, &err), FG_OK);
    assert_int_equal(fg_lots_make(place, 3, &err), FG_ECONFIG);
    assert_int_equal(fg_lots_open(&lots, place, &err), FG_OK);

    struct fg_lease *lease = take(place, 1, 0, 0, 60 * FG_SECOND);
    assert_non_null(lease);
    assert_int_equal(fg_lease_epoch(lease), 1);
    assert_null(take(place, 1, 0, 0, 60 * FG_SECOND)); /* seen before that */
    /* Its guard is a tenth: 54 s are ours, less what has passed. */
    assert_true(fg_lease_allows(lease, 30 * FG_SECOND));
    assert_false(fg_lease_allows(lease, 54 * FG_SECOND));
    assert_true(fg_lease_enter(lease, FG_SECOND));
    fg_lease_leave(lease);
    struct fg_lots_state state = read_state(lots, &arena);
    assert_int_equal(state.lots.at[1].epoch, 1);
    assert_string_equal(fg_arena_cstr(&arena, state.lots.at[1].worker), "me");
    assert_int_equal((uint32_t)state.timeline, 1);
    fg_lease_release(lease);
    state = read_state(lots, &arena);
    assert_int_equal(state.lots.at[1].owner.len, 0);
    lease = take(place, 1, state.lots.at[1].epoch, state.lots.at[1].beat, FG_SECOND);
    assert_int_equal(fg_lease_epoch(lease), 2);
    fg_lease_release(lease);
    fg_lots_close(lots);
    fg_arena_clear(&arena);
    drop_whole(place, 2);
}

static void a_crawl_of_a_newer_forage_is_left_alone(void **ctx)
{
    (void)ctx;
    const char *place = whole_place();
    struct fg_err err = {0};
    char sql[400];
    assert_int_equal(fg_lots_make(place, 1, &err), FG_OK);
    snprintf(sql, sizeof sql,
             "UPDATE %s.meta SET value = '9' WHERE name = 'forage-schema'",
             strchr(place, '#') + 1);
    postgres_run(postgres_address(), sql);
    assert_int_equal(fg_lots_make(place, 0, &err), FG_EINPUT);
    assert_non_null(strstr(err.text, "newer forage"));
    drop_whole(place, 1);
}

static void an_owner_beats_and_hears_what_it_was_granted(void **ctx)
{
    (void)ctx;
    const char *place = whole_place();
    struct fg_err err = {0};
    struct fg_arena arena = {0};
    struct fg_lots *lots;
    assert_int_equal(fg_lots_make(place, 1, &err), FG_OK);
    assert_int_equal(fg_lots_open(&lots, place, &err), FG_OK);
    struct fg_lease *lease = take(place, 0, 0, 0, 2 * FG_SECOND);
    struct fg_lots_state state = read_state(lots, &arena);
    state.lots.at[0].granted = 250;
    state.budget = 300;
    assert_int_equal(fg_lots_grant(lots, &state, &err), FG_OK);
    state.lots.at[0].granted = 999; /* somebody else has shared it out meanwhile */
    assert_int_equal(fg_lots_grant(lots, &state, &err), FG_OK);
    fg_lease_tell(lease, 5, 77, 300);
    int64_t beat = state.lots.at[0].beat;
    while (state.lots.at[0].beat < beat + 2)
        state = read_state(lots, &arena);
    assert_true(state.lots.at[0].asked == 77 && state.lots.at[0].load == 5);
    assert_true(state.lots.at[0].applied == 300); /* what it has, until it has less */
    assert_true(fg_lease_granted(lease) == 250);
    fg_lease_release(lease);
    fg_lots_close(lots);
    fg_arena_clear(&arena);
    drop_whole(place, 1);
}

static void who_has_lost_a_lot_begins_nothing(void **ctx)
{
    (void)ctx;
    const char *place = whole_place();
    struct fg_err err = {0};
    assert_int_equal(fg_lots_make(place, 1, &err), FG_OK);
    struct fg_lease *lease = take(place, 0, 0, 0, 2 * FG_SECOND);
    char sql[400];
    snprintf(sql, sizeof sql, "UPDATE %s.lots SET epoch = epoch + 1, owner = 'other'",
             strrchr(place, '#') + 1);
    postgres_run(postgres_address(), sql);
    while (!fg_lease_is_lost(lease))
        usleep(10000);
    assert_false(fg_lease_enter(lease, 0));
    fg_lease_release(lease);
    drop_whole(place, 1);
}

/* A process that was stopped is ended by the kernel, without being woken. */
static void who_was_stopped_is_killed(void **ctx)
{
    (void)ctx;
    const char *place = whole_place();
    struct fg_err err = {0};
    int status;
    assert_int_equal(fg_lots_make(place, 1, &err), FG_OK);
    pid_t child = fork();
    if (!child) {
        struct fg_lease *lease = take(place, 0, 0, 0, FG_SECOND);
        if (lease)
            raise(SIGSTOP);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGKILL);
    drop_whole(place, 1);
}

/* The server is gone for longer than a lease: the door shuts, nobody is killed, and the
 * lease is ours again when it is back, unless somebody else has taken it. */
static void a_lease_outlives_a_server_that_was_away(void **ctx)
{
    (void)ctx;
    const char *address = postgres_own_address();
    if (!address)
        skip();
    char place[300];
    struct fg_err err = {0};
    snprintf(place, sizeof place, "%s#away", address);
    assert_int_equal(fg_lots_make(place, 1, &err), FG_OK);
    struct fg_lease *lease = take(place, 0, 0, 0, 5 * FG_SECOND);
    assert_true(fg_lease_allows(lease, 0));
    postgres_kill();
    while (fg_lease_allows(lease, 0))
        usleep(10000);
    usleep(1500000); /* the kernel would have ended us by now */
    assert_false(fg_lease_is_lost(lease));
    postgres_start_again();
    while (!fg_lease_allows(lease, 0))
        usleep(10000);
    fg_lease_release(lease);
}

/* --- addresses --- */

enum { ADDRESS_DELAY_MS = 20 };

static struct fg_addresses *asker(const char *place, unsigned lot, struct fg_lease *lease)
{
    struct fg_addresses *addresses;
    struct fg_err err = {0};
    if (fg_addresses_open(&addresses, place, lot, lease, &err))
        fail_msg("%s", err.text);
    fg_addresses_set_delay(addresses, ADDRESS_DELAY_MS * FG_MILLISECOND);
    return addresses;
}

/* As a host that has something to ask does; NULL: not within that time. */
static struct fg_address *enter(struct fg_addresses *addresses, const char *name,
                                fg_time patience)
{
    struct fg_address *address = NULL;
    fg_time until = fg_lease_now() + patience;
    while (!(address = fg_addresses_enter(addresses, name)) && fg_lease_now() < until)
        usleep(2000);
    return address;
}

static void an_address_is_asked_by_one_lot_at_a_time(void **ctx)
{
    (void)ctx;
    const char *place = whole_place();
    struct fg_err err = {0};
    assert_int_equal(fg_lots_make(place, 2, &err), FG_OK);
    struct fg_lease *leases[2] = {take(place, 0, 0, 0, 60 * FG_SECOND),
                                  take(place, 1, 0, 0, 60 * FG_SECOND)};
    struct fg_addresses *askers[2] = {asker(place, 0, leases[0]),
                                      asker(place, 1, leases[1])};
    assert_null(fg_addresses_enter(askers[0], "192.0.2.1")); /* not before it is ours */
    struct fg_address *first = enter(askers[0], "192.0.2.1", 20 * FG_SECOND);
    assert_non_null(first);
    assert_null(enter(askers[1], "192.0.2.1", 500 * FG_MILLISECOND));
    assert_non_null(enter(askers[1], "192.0.2.2", 20 * FG_SECOND)); /* is another one */
    /* Its request is over and it asks for no more: the other's turn comes. */
    fg_time left = fg_lease_now();
    fg_addresses_leave(first);
    struct fg_address *second = enter(askers[1], "192.0.2.1", 20 * FG_SECOND);
    assert_non_null(second);
    assert_true(fg_lease_now() >= left + ADDRESS_DELAY_MS * FG_MILLISECOND);
    fg_addresses_leave(second);
    /* Two who ask without end have their turns. */
    unsigned turns[2] = {0};
    fg_time until = fg_lease_now() + 20 * FG_SECOND;
    while ((turns[0] < 20 || turns[1] < 20) && fg_lease_now() < until)
        for (unsigned i = 0; i < 2; i++) {
            struct fg_address *address = fg_addresses_enter(askers[i], "192.0.2.1");
            turns[i] += address != NULL;
            assert_true(!address || !fg_addresses_enter(askers[1 - i], "192.0.2.1"));
            usleep(1000);
            fg_addresses_leave(address);
        }
    assert_true(turns[0] >= 20 && turns[1] >= 20);
    for (unsigned i = 0; i < 2; i++) {
        fg_addresses_close(askers[i]);
        fg_lease_release(leases[i]);
    }
    drop_whole(place, 2);
}

/* Who had it is gone without a word: it is free when the lot has another owner, or none,
 * and never before. */
static void an_address_of_a_lost_lot_is_free(void **ctx)
{
    (void)ctx;
    const char *place = whole_place();
    struct fg_err err = {0};
    char sql[400];
    assert_int_equal(fg_lots_make(place, 2, &err), FG_OK);
    struct fg_lease *mine = take(place, 0, 0, 0, 60 * FG_SECOND);
    struct fg_addresses *asks = asker(place, 0, mine);
    const char *const schema = strrchr(place, '#') + 1;
    snprintf(
        sql, sizeof sql,
        "INSERT INTO %s.addresses VALUES('192.0.2.1', 1, 7); UPDATE %s.lots SET epoch"
        " = 7, owner = 'gone' WHERE lot = 1",
        schema, schema);
    postgres_run(postgres_address(), sql);
    assert_null(enter(asks, "192.0.2.1", 1500 * FG_MILLISECOND));
    snprintf(sql, sizeof sql, "UPDATE %s.lots SET epoch = 6 WHERE lot = 1", schema);
    postgres_run(postgres_address(), sql); /* as an older snapshot has it */
    assert_null(enter(asks, "192.0.2.1", 1500 * FG_MILLISECOND));
    snprintf(sql, sizeof sql, "UPDATE %s.lots SET epoch = 8 WHERE lot = 1", schema);
    postgres_run(postgres_address(), sql);
    struct fg_address *address = enter(asks, "192.0.2.1", 20 * FG_SECOND);
    assert_non_null(address);
    fg_addresses_leave(address);
    fg_addresses_close(asks);
    fg_lease_release(mine);
    drop_whole(place, 2);
}

static void put_page(struct fg_store *store, unsigned n)
{
    struct fg_site_row site = {.site = fg_store_new_site(store),
                               .key = FG_STR("https://example.org"),
                               .last_request = FG_NEVER,
                               .robots_fetched = FG_NEVER,
                               .robots_expires = FG_NEVER,
                               .backoff_until = FG_NEVER};
    struct fg_batch *batch = fg_batch_new(store);
    struct fg_page_row page = page_row(site.site, 1);
    fg_batch_site(batch, &site);
    fg_batch_page(batch, &page);
    for (unsigned i = 0; i < n; i++)
        fg_batch_event(batch, &(struct fg_event_row){.site = site.site,
                                                     .page = 1,
                                                     .id = i + 1,
                                                     .time = i,
                                                     .kind = FG_STR("changed"),
                                                     .json = FG_STR("{}")});
    struct fg_err err = {0};
    if (fg_store_flush(store, fg_store_submit(store, batch), &err))
        fail_msg("%s", err.text);
}

static struct fg_store *open_lot(const char *place, unsigned lot, int64_t fence,
                                 enum fg_status expected)
{
    struct fg_arena arena = {0};
    struct fg_store *store = NULL;
    struct fg_err err = {0};
    struct fg_store_options options = {.lots = 3, .lot = lot, .fence = fence};
    enum fg_status st =
        fg_store_open(&store, fg_lots_place(&arena, place, lot), &options, &err);
    if (st != expected)
        fail_msg("%d: %s", st, err.text);
    fg_arena_clear(&arena);
    return store;
}

static bool count_site(void *context, const struct fg_site_row *site)
{
    fg_site_id *seen = context;
    seen[site->site % 3] = site->site;
    return true;
}

static bool note_number(void *context, const struct fg_event_row *event)
{
    uint64_t *numbers = context;
    numbers[++numbers[0]] = event->number;
    return true;
}

static void lots_are_written_apart_and_read_as_one(void **ctx)
{
    (void)ctx;
    const char *place = whole_place();
    struct fg_err err = {0};
    struct fg_store *all;
    assert_int_equal(fg_lots_make(place, 3, &err), FG_OK);
    assert_int_equal(fg_store_open(&all, place, NULL, &err), FG_ECONFIG);
    struct fg_store *two = open_lot(place, 2, 1, FG_OK),
                    *one = open_lot(place, 1, 1, FG_OK);
    put_page(two, 2);
    put_page(one, 1);
    put_page(two, 1);
    struct fg_store_options look = {.read_only = true};
    assert_int_equal(fg_store_open(&all, place, &look, &err), FG_OK);
    fg_site_id sites[3] = {0};
    assert_int_equal(fg_store_sites(all, count_site, sites, &err), FG_OK);
    assert_int_equal(sites[0], 0);
    assert_int_equal(sites[1], 4);
    assert_int_equal(sites[2], 8); /* its second */
    /* n * 3 + lot: 1 and 2 and 3 of lot 2, 1 of lot 1. */
    uint64_t numbers[10] = {0};
    assert_int_equal(fg_store_events(all, 0, 0, FG_NEVER, 10, note_number, numbers, &err),
                     FG_OK);
    assert_int_equal(numbers[0], 4);
    assert_int_equal(numbers[1], 4);
    assert_int_equal(numbers[2], 5);
    assert_int_equal(numbers[3], 8);
    assert_int_equal(numbers[4], 11);
    struct fg_store_counts counts;
    assert_int_equal(fg_store_count(all, &counts, &err), FG_OK);
    assert_int_equal(counts.pages, 3);
    fg_store_close(all, NULL);
    box_close(one);
    box_close(two);
    drop_whole(place, 3);
}

static void a_later_owner_shuts_an_earlier_one_out(void **ctx)
{
    (void)ctx;
    const char *place = whole_place();
    struct fg_err err = {0};
    assert_int_equal(fg_lots_make(place, 3, &err), FG_OK);
    struct fg_store *first = open_lot(place, 0, 4, FG_OK);
    put_page(first, 1);
    struct fg_store *second = open_lot(place, 0, 5, FG_OK); /* ends the first's session */
    put_page(second, 1);
    struct fg_batch *batch = fg_batch_new(first);
    struct fg_page_row page = page_row(3, 7);
    fg_batch_page(batch, &page);
    assert_int_equal(fg_store_flush(first, fg_store_submit(first, batch), &err), FG_EIO);
    fg_store_close(first, NULL);
    struct fg_store_counts counts;
    assert_int_equal(fg_store_count(second, &counts, &err), FG_OK);
    assert_int_equal(counts.pages, 2);
    box_close(second);
    open_lot(place, 0, 5, FG_EIO); /* not later than the last */
    open_lot(place, 0, 0, FG_ECONFIG);
    drop_whole(place, 3);
}

static void a_command_reaches_every_lot(void **ctx)
{
    (void)ctx;
    const char *place = whole_place();
    struct fg_err err = {0};
    struct fg_arena arena = {0};
    assert_int_equal(fg_lots_make(place, 3, &err), FG_OK);
    assert_int_equal(fg_store_writer(place), 0);
    assert_int_equal(
        fg_store_post(place, "seeds", FG_STR("https://example.org/\n"), &err), FG_OK);
    for (unsigned lot = 0; lot < 3; lot++) {
        struct fg_store *store = open_lot(place, lot, 1, FG_OK);
        struct fg_command_row row;
        assert_int_equal(fg_store_command(store, &row, &arena, 1, &err), FG_OK);
        assert_true(fg_str_eq(row.kind, FG_STR("seeds")));
        box_close(store);
    }
    fg_arena_clear(&arena);
    drop_whole(place, 3);
}

FG_TESTS(a_beat_that_stands_still_is_over_after_the_length_and_a_hundredth,
         a_beat_an_epoch_and_another_server_begin_the_watch_anew,
         a_lot_given_back_is_free_at_once_on_the_first_server_only,
         lots_go_to_who_has_least_to_do, a_lot_is_given_back_if_that_evens_things_out,
         all_of_the_budget_is_shared_out_by_what_is_asked,
         what_a_lot_still_applies_is_not_given_to_others, the_budget_is_never_overspent,
         the_lot_of_a_domain_never_changes, a_lot_is_taken_once_and_kept,
         a_crawl_of_a_newer_forage_is_left_alone,
         an_owner_beats_and_hears_what_it_was_granted, who_has_lost_a_lot_begins_nothing,
         who_was_stopped_is_killed, an_address_is_asked_by_one_lot_at_a_time,
         an_address_of_a_lost_lot_is_free, a_lease_outlives_a_server_that_was_away,
         lots_are_written_apart_and_read_as_one, a_later_owner_shuts_an_earlier_one_out,
         a_command_reaches_every_lot)
