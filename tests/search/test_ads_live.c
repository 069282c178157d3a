/* Ads for real queries: matching, money that is never charged twice nor beyond a budget,
 * by many processes that are killed, and over midnight; in a file and in PostgreSQL. */
#include "base/rng.h"
#include "search/ads/live.h"
#include "store/store.h"
#include "support/postgres_server.h"
#include "test.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOON (INT64_C(20000) * FG_DAY + FG_DAY / 2)

static const char *database; /* NULL: in a file */

struct shop {
    char folder[256];
    struct fg_arena arena;
    struct fg_ads *ads;
    struct fg_err err;
};

static const struct fg_ads_settings usual = {.enabled = true,
                                             .policy = {"paced-index", 11},
                                             .shown = 2,
                                             .hold = FG_MINUTE,
                                             .window = FG_HOUR,
                                             .per_advertiser = 3,
                                             .per_client = 20};

static void open_ads(struct shop *shop, const struct fg_ads_settings *settings)
{
    if (fg_ads_open(&shop->ads, shop->folder, settings, &shop->err))
        fail_msg("%s", shop->err.text);
}

static void open_shop(struct shop *shop, const struct fg_ads_settings *settings)
{
    struct fg_store *store;
    struct fg_store_options options = {.body_depth = 1};
    static int shops;
    *shop = (struct shop){.folder = "/tmp/forage-ads-XXXXXX"};
    if (database)
        snprintf(shop->folder, sizeof shop->folder, "%s#ads%ld_%d", database,
                 (long)getpid(), shops++);
    else
        assert_non_null(mkdtemp(shop->folder));
    if (fg_store_open(&store, shop->folder, &options, &shop->err) ||
        fg_store_close(store, &shop->err))
        fail_msg("%s", shop->err.text);
    open_ads(shop, settings);
}

static void close_shop(struct shop *shop)
{
    fg_ads_close(shop->ads);
    fg_arena_clear(&shop->arena);
    if (database) {
        postgres_drop(shop->folder);
        return;
    }
    char path[300];
    static const char *const files[] = {"forage.db", "forage.db-wal", "forage.db-shm",
                                        "forage.db.lock"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", shop->folder, files[i]);
        unlink(path);
    }
    rmdir(shop->folder);
}

static int64_t add(struct shop *shop, const char *who, const char *phrase, int64_t bid,
                   int64_t budget, bool is_broad)
{
    struct fg_ads_campaign c = {.advertiser = fg_str_from(who),
                                .phrase = fg_str_from(phrase),
                                .title = fg_str_from(who),
                                .url = FG_STR("https://shop.example/"),
                                .bid = bid,
                                .budget = budget,
                                .is_broad = is_broad};
    int64_t number;
    bool is_new;
    if (fg_ads_add(shop->ads, &c, NOON, &number, &is_new, &shop->err))
        fail_msg("%s", shop->err.text);
    return number;
}

static struct fg_ads_shown ask(struct shop *shop, const char *query, fg_time now)
{
    struct fg_ads_shown shown;
    if (fg_ads_for(shop->ads, &shown, &shop->arena, fg_str_from(query), now, &shop->err))
        fail_msg("%s", shop->err.text);
    return shown;
}

static struct fg_ads_taken click(struct shop *shop, struct fg_str token,
                                 const char *client, fg_time now)
{
    struct fg_ads_taken taken;
    if (fg_ads_click(shop->ads, &taken, &shop->arena, token, fg_str_from(client), now,
                     &shop->err))
        fail_msg("%s", shop->err.text);
    return taken;
}

static int64_t spent_by(struct shop *shop, const char *who, int32_t day, int64_t *charged)
{
    struct fg_ads_day *days;
    size_t n;
    int64_t sum = 0;
    if (fg_ads_report(shop->ads, &days, &n, &shop->arena, 0, &shop->err))
        fail_msg("%s", shop->err.text);
    if (charged)
        *charged = 0;
    for (size_t i = 0; i < n; i++)
        if (fg_str_eq(days[i].advertiser, fg_str_from(who)) &&
            (!day || days[i].day == day)) {
            sum += days[i].spent;
            if (charged)
                *charged += days[i].charged;
        }
    return sum;
}

static void exact_and_broad_matches_are_found(void **state)
{
    (void)state;
    struct shop shop;
    open_shop(&shop, &usual);
    add(&shop, "exact", "red mushrooms", 10, -1, false);
    add(&shop, "broad", "mushroom", 10, -1, true);
    add(&shop, "other", "truffles", 10, -1, true);
    assert_int_equal(ask(&shop, "nothing of that", NOON).n, 0);
    struct fg_ads_shown both = ask(&shop, "Red MUSHROOM", NOON); /* stems, lower case */
    assert_int_equal(both.n, 2);
    assert_true(both.at[0].is_broad != both.at[1].is_broad);
    struct fg_ads_shown one = ask(&shop, "mushrooms, fresh and red", NOON);
    assert_int_equal(one.n, 1);
    assert_str(one.at[0].title, "broad");
    add(&shop, "broad", "red mushrooms", 10, -1, false); /* exact before broad */
    both = ask(&shop, "red mushrooms", NOON);
    assert_int_equal(both.n, 2);
    assert_false(both.at[0].is_broad || both.at[1].is_broad);
    close_shop(&shop);
}

static void nothing_is_shown_unless_asked_for(void **state)
{
    (void)state;
    struct shop shop;
    struct fg_ads_settings off = usual;
    off.enabled = false;
    open_shop(&shop, &off);
    add(&shop, "a", "mushroom", 10, -1, true);
    assert_int_equal(ask(&shop, "mushroom", NOON).n, 0);
    close_shop(&shop);
}

static void click_is_charged_once_and_in_time(void **state)
{
    (void)state;
    struct shop shop;
    int64_t charged;
    open_shop(&shop, &usual);
    add(&shop, "a", "mushroom", 40, -1, true);
    struct fg_str token = ask(&shop, "mushroom", NOON).at[0].token;
    struct fg_ads_taken taken = click(&shop, token, "", NOON + FG_SECOND);
    assert_int_equal(taken.outcome, FG_ADS_CHARGED);
    assert_int_equal(taken.charged, 40);
    assert_str(taken.url, "https://shop.example/");
    taken = click(&shop, token, "", NOON + 2 * FG_SECOND);
    assert_int_equal(taken.outcome, FG_ADS_REPEATED);
    assert_str(taken.url, "https://shop.example/");

    token = ask(&shop, "mushroom", NOON).at[0].token;
    assert_int_equal(click(&shop, token, "", NOON + FG_HOUR + 1).outcome, FG_ADS_LATE);
    char forged[200];
    snprintf(forged, sizeof forged, "%.*s", FG_ARG(token));
    for (size_t i = 0; i < token.len; i++) { /* whatever is changed */
        char was = forged[i];
        forged[i] = was == '1' ? '2' : '1';
        taken = click(&shop, fg_str_from(forged), "", NOON);
        assert_int_equal(taken.outcome, FG_ADS_FORGED);
        assert_int_equal(taken.url.len, 0);
        forged[i] = was;
    }
    assert_int_equal(click(&shop, FG_STR("1.2.3"), "", NOON).outcome, FG_ADS_FORGED);
    assert_int_equal(click(&shop, FG_STR(""), "", NOON).outcome, FG_ADS_FORGED);
    assert_int_equal(spent_by(&shop, "a", 0, &charged), 40);
    assert_int_equal(charged, 1);
    assert_int_equal(click(&shop, token, "", NOON).outcome, FG_ADS_CHARGED);
    close_shop(&shop);
}

static void client_that_clicks_too_often_is_not_charged(void **state)
{
    (void)state;
    struct shop shop;
    open_shop(&shop, &usual);
    add(&shop, "a", "mushroom", 40, -1, true);
    for (int i = 0; i < 6; i++) {
        struct fg_str token = ask(&shop, "mushroom", NOON).at[0].token;
        assert_int_equal(click(&shop, token, "192.0.2.7", NOON).outcome,
                         i < 3 ? FG_ADS_CHARGED : FG_ADS_TOO_MANY);
    }
    struct fg_str token = ask(&shop, "mushroom", NOON).at[0].token;
    assert_int_equal(click(&shop, token, "192.0.2.8", NOON).outcome, FG_ADS_CHARGED);
    token = ask(&shop, "mushroom", NOON + FG_DAY).at[0].token;
    assert_int_equal(click(&shop, token, "192.0.2.7", NOON + FG_DAY).outcome,
                     FG_ADS_CHARGED);
    assert_int_equal(spent_by(&shop, "a", 0, NULL), 5 * 40);
    close_shop(&shop);
}

static void budget_ends_with_what_is_left_and_begins_at_midnight(void **state)
{
    (void)state;
    struct shop shop;
    fg_time midnight = NOON + FG_DAY / 2;
    open_shop(&shop, &usual);
    add(&shop, "a", "mushroom", 40, 100, true);
    struct fg_str tokens[4];
    for (int i = 0; i < 2; i++) /* the third would not be paid if both are clicked */
        tokens[i] = ask(&shop, "mushroom", midnight - 90 * FG_SECOND).at[0].token;
    assert_int_equal(ask(&shop, "mushroom", midnight - 90 * FG_SECOND).n, 0);
    for (int i = 2; i < 4; i++) /* after the hold, they may be */
        tokens[i] = ask(&shop, "mushroom", midnight - 20 * FG_SECOND).at[0].token;
    static const int64_t charged[] = {40, 40, 20};
    for (int i = 0; i < 3; i++)
        assert_int_equal(click(&shop, tokens[i], "", midnight - FG_SECOND).charged,
                         charged[i]);
    assert_int_equal(ask(&shop, "mushroom", midnight - FG_SECOND).n, 0);
    assert_int_equal(click(&shop, tokens[3], "", midnight - 1).outcome, FG_ADS_FREE);
    assert_int_equal(ask(&shop, "mushroom", midnight).n, 1);
    int32_t day = (int32_t)(midnight / FG_DAY);
    assert_int_equal(spent_by(&shop, "a", day - 1, NULL), 100);
    assert_int_equal(spent_by(&shop, "a", day, NULL), 0);
    close_shop(&shop);
}

static void paused_and_revoked_ads_are_not_shown(void **state)
{
    (void)state;
    struct shop shop;
    struct fg_ads_row *rows;
    size_t n;
    open_shop(&shop, &usual);
    int64_t number = add(&shop, "a", "mushroom", 40, -1, true);
    add(&shop, "b", "mushroom", 40, -1, true);
    assert_int_equal(ask(&shop, "mushroom", NOON).n, 2);
    assert_false(fg_ads_set_state(shop.ads, FG_STR("b"), FG_ADS_PAUSED, &shop.err));
    assert_int_equal(ask(&shop, "mushroom", NOON).n, 1);
    assert_false(fg_ads_set_state(shop.ads, FG_STR("b"), FG_ADS_ACTIVE, &shop.err));
    assert_int_equal(ask(&shop, "mushroom", NOON).n, 2);
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)number);
    assert_false(
        fg_ads_set_state(shop.ads, fg_str_from(text), FG_ADS_REVOKED, &shop.err));
    assert_int_equal(ask(&shop, "mushroom", NOON).n, 1);
    assert_int_equal(
        fg_ads_set_state(shop.ads, fg_str_from(text), FG_ADS_ACTIVE, &shop.err),
        FG_ENOTFOUND);
    assert_int_equal(fg_ads_set_state(shop.ads, FG_STR("c"), FG_ADS_PAUSED, &shop.err),
                     FG_ENOTFOUND);
    assert_false(fg_ads_list(shop.ads, &rows, &n, &shop.arena, &shop.err));
    assert_int_equal(n, 2);
    assert_int_equal(rows[0].state, FG_ADS_REVOKED);
    assert_int_equal(rows[1].shown, 3);
    assert_int_equal(add(&shop, "b", "mushrooms", 60, -1, true),
                     rows[1].ad); /* the same */
    close_shop(&shop);
}

/* An ad that is clicked is shown more than one that is not: what was learned is kept. */
static void every_policy_learns_from_clicks(void **state)
{
    (void)state;
    for (size_t p = 0; p < 4; p++) {
        static const char *const names[] = {"paced-index", "bmix-e", "bpol",
                                            "paced-index-h"};
        struct shop shop;
        struct fg_ads_settings one = usual;
        one.policy = fg_str_from(names[p]);
        one.shown = 1;
        open_shop(&shop, &one);
        int64_t good = add(&shop, "good", "mushroom", 40, -1, false);
        add(&shop, "bad", "mushroom", 40, -1, false);
        size_t good_shown = 0;
        for (int i = 0; i < 80; i++) {
            fg_time now = NOON + i * 10 * FG_MINUTE;
            if (i == 40) { /* another process */
                fg_ads_close(shop.ads);
                open_ads(&shop, &one);
            }
            struct fg_ads_shown shown = ask(&shop, "mushroom", now);
            assert_int_equal(shown.n, 1);
            good_shown += shown.at[0].ad == good;
            if (shown.at[0].ad == good && good_shown % 2)
                click(&shop, shown.at[0].token, "", now);
        }
        if (good_shown < 48)
            fail_msg("%s shows the better ad %zu of 80 times", names[p], good_shown);
        close_shop(&shop);
    }
}

/* --- many at once --- */

enum { CLIENTS = 64, ROUNDS = 4, ADVERTISERS = 3 };

/* As many as the server of the tests has connections for. */
static unsigned clients(void)
{
    return database ? 36 : CLIENTS;
}

/* One client: asks and clicks, each click twice, some with a token of its own making. The
 * clock goes from before midnight to after it. */
static void be_client(const char *folder, unsigned number, int report)
{
    struct shop shop = {0};
    struct fg_rng rng = fg_rng_from_seed(number);
    fg_time midnight = NOON + FG_DAY / 2;
    struct fg_ads_settings settings = usual;
    settings.hold = FG_SECOND;
    snprintf(shop.folder, sizeof shop.folder, "%s", folder);
    open_ads(&shop, &settings);
    for (unsigned round = 0; round < ROUNDS; round++) {
        fg_time now = round < ROUNDS / 2 ? midnight - FG_MINUTE : midnight + FG_MINUTE;
        struct fg_ads_shown shown = ask(&shop, "mushroom", now + round * 2 * FG_SECOND);
        for (size_t i = 0; i < shown.n; i++) {
            for (int twice = 0; twice < 2; twice++) {
                struct fg_ads_taken taken =
                    click(&shop, shown.at[i].token, "", now + FG_SECOND);
                int64_t told[2] = {taken.charged, 0};
                if (taken.charged && write(report, told, sizeof told) != sizeof told)
                    _exit(2);
            }
            click(&shop, FG_STR("1.1.ffffffffffff.00000000000000000000000000000000"), "",
                  now);
        }
        if (fg_rng_below(&rng, 5) == 0)
            kill(getpid(), SIGKILL);
    }
    _exit(0);
}

static void budgets_hold_with_64_processes_kills_and_a_midnight(void **state)
{
    (void)state;
    struct shop shop;
    int pipes[2];
    pid_t pids[CLIENTS];
    int64_t told[2], acknowledged = 0, spent = 0;
    size_t killed = 0;
    static const int64_t budgets[ADVERTISERS] = {500, 370, 10000};
    open_shop(&shop, &usual);
    for (size_t i = 0; i < ADVERTISERS; i++) {
        char name[] = {(char)('a' + (char)i), '\0'};
        add(&shop, name, "mushroom", 40, budgets[i], true);
    }
    fg_ads_close(shop.ads);
    assert_int_equal(pipe(pipes), 0);
    for (unsigned i = 0; i < clients(); i++) {
        pids[i] = fork();
        assert_true(pids[i] >= 0);
        if (!pids[i])
            be_client(shop.folder, i + 1, pipes[1]);
    }
    close(pipes[1]);
    for (unsigned i = 0; i < clients(); i += 9) { /* and some from outside, at any time */
        usleep(20000);
        kill(pids[i], SIGKILL);
    }
    while (read(pipes[0], told, sizeof told) == sizeof told)
        acknowledged += told[0];
    close(pipes[0]);
    for (unsigned i = 0; i < clients(); i++) {
        int status;
        waitpid(pids[i], &status, 0);
        killed += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
        if (!WIFSIGNALED(status))
            assert_int_equal(WEXITSTATUS(status), 0);
    }
    assert_true(killed >= 5);
    open_ads(&shop, &usual);
    int32_t day = (int32_t)((NOON + FG_DAY / 2) / FG_DAY);
    for (size_t i = 0; i < ADVERTISERS; i++) {
        char name[] = {(char)('a' + (char)i), '\0'};
        for (int32_t d = day - 1; d <= day; d++) {
            int64_t of_day = spent_by(&shop, name, d, NULL);
            assert_true(of_day <= budgets[i]);
            spent += of_day;
        }
    }
    /* What was acknowledged was charged; a client may be killed before it hears of it. */
    assert_true(spent >= acknowledged && acknowledged > 0);
    assert_true(spent - acknowledged <= 40 * (int64_t)killed);
    close_shop(&shop);
}

#define TESTS                                                                           \
    exact_and_broad_matches_are_found, nothing_is_shown_unless_asked_for,               \
        click_is_charged_once_and_in_time, client_that_clicks_too_often_is_not_charged, \
        budget_ends_with_what_is_left_and_begins_at_midnight,                           \
        paused_and_revoked_ads_are_not_shown, every_policy_learns_from_clicks,          \
        budgets_hold_with_64_processes_kills_and_a_midnight
#define SPELL(...) #__VA_ARGS__
#define NAMES(all) SPELL(all)

int main(void)
{
    static const CMUnitTestFunction all[] = {TESTS};
    size_t n = sizeof all / sizeof *all;
    int failed = fg_test_main(__FILE__, all, NAMES(TESTS), n);
    database = postgres_address();
    if (database)
        failed += fg_test_main(__FILE__ " (postgres)", all, NAMES(TESTS), n);
    else
        print_message("%s # SKIP PostgreSQL is not installed\n", __FILE__ " (postgres)");
    return failed;
}
