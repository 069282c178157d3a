/* When nothing can come from a site: each reason by a case worked out by hand. */
#include "crawl/sites/alarms.h"
#include "test.h"

static const fg_time start = 1000 * FG_DAY;

static void statuses_and_outcomes_have_their_reasons(void **state)
{
    (void)state;
    static const struct {
        unsigned status;
        enum fg_outcome outcome;
        enum fg_alarm why;
    } cases[] = {
        {200, FG_FETCHED, FG_ALARM_NONE},
        {304, FG_FETCHED, FG_ALARM_NONE},
        {300, FG_FETCHED, FG_ALARM_REFUSED}, /* and nowhere to go */
        {429, FG_FETCHED, FG_ALARM_LIMITED},
        {401, FG_FETCHED, FG_ALARM_LOGIN},
        {403, FG_FETCHED, FG_ALARM_REFUSED},
        {451, FG_FETCHED, FG_ALARM_REFUSED},
        {404, FG_FETCHED, FG_ALARM_NOT_FOUND},
        {410, FG_FETCHED, FG_ALARM_GONE},
        {200, FG_FETCH_SET_ASIDE, FG_ALARM_SET_ASIDE},
        {500, FG_FETCHED, FG_ALARM_SERVER_ERROR},
        {503, FG_FETCHED, FG_ALARM_SERVER_ERROR},
        {0, FG_FETCH_DNS, FG_ALARM_DNS},
        {0, FG_FETCH_TLS, FG_ALARM_TLS},
        {0, FG_FETCH_CONNECT, FG_ALARM_CONNECT},
        {0, FG_FETCH_TIMEOUT, FG_ALARM_CONNECT},
        {0, FG_FETCH_FORBIDDEN, FG_ALARM_ADDRESS},
        {0, FG_FETCH_STOPPED, FG_ALARM_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (fg_alarm_of_answer(cases[i].status, cases[i].outcome) != cases[i].why)
            fail_msg("%u, outcome %d", cases[i].status, (int)cases[i].outcome);
}

static void a_wall_has_few_links(void **state)
{
    (void)state;
    struct fg_facts login = {.has_password = true}, wall = {.has_consent_wall = true},
                    shell = {.needs_script = true}, plain = {0};
    assert_int_equal(fg_alarm_of_page(&login, 3), FG_ALARM_LOGIN);
    assert_int_equal(fg_alarm_of_page(&login, 40), FG_ALARM_NONE); /* a box in a margin */
    login.n_excerpts = 8; /* a list of few, with a box */
    assert_int_equal(fg_alarm_of_page(&login, 12), FG_ALARM_NONE);
    assert_int_equal(fg_alarm_of_page(&wall, 2), FG_ALARM_CONSENT);
    struct fg_facts named = {.title = FG_STR("Wait! Before you Continue")};
    assert_int_equal(fg_alarm_of_page(&named, 2), FG_ALARM_CONSENT);
    named.main.words = 400; /* an article about them */
    assert_int_equal(fg_alarm_of_page(&named, 2), FG_ALARM_NONE);
    assert_int_equal(fg_alarm_of_page(&shell, 0), FG_ALARM_SCRIPT);
    assert_int_equal(fg_alarm_of_page(&plain, 0), FG_ALARM_NONE);
    shell.claim = FG_CLAIM_PRODUCT; /* its JSON-LD is all there is to read, and enough */
    shell.claims_strongly = true;
    assert_int_equal(fg_alarm_of_page(&shell, 0), FG_ALARM_NONE);
}

static enum fg_alarm of_robots(const char *text)
{
    struct fg_arena arena = {0};
    enum fg_alarm alarm =
        fg_alarm_of_robots(fg_robots_parse(&arena, fg_str_from(text), FG_STR("forage")));
    fg_arena_clear(&arena);
    return alarm;
}

static void robots_forbid_a_page_or_everything(void **state)
{
    (void)state;
    assert_int_equal(of_robots("User-agent: *\nDisallow: /\n"), FG_ALARM_ROBOTS_SITE);
    assert_int_equal(of_robots("User-agent: *\nDisallow: /\nAllow: /$\n"),
                     FG_ALARM_ROBOTS_SEED);
    assert_int_equal(of_robots("User-agent: *\nDisallow: /news\n"), FG_ALARM_ROBOTS_SEED);
}

static void one_hiccup_is_no_trouble(void **state)
{
    (void)state;
    struct fg_trouble once = {FG_ALARM_REFUSED, 1, start, start};
    struct fg_trouble soon = {FG_ALARM_NOT_FOUND, 3, start, start + 9 * FG_MINUTE};
    struct fg_trouble twice = {FG_ALARM_NOT_FOUND, 2, start, start + 10 * FG_MINUTE};
    struct fg_trouble down = {FG_ALARM_TLS, 3, start, start + 14 * FG_MINUTE};
    struct fg_trouble login = {FG_ALARM_LOGIN, 1, start, start};
    struct fg_trouble none = {FG_ALARM_NONE, 5, start, start + FG_DAY};
    assert_false(fg_trouble_is_ripe(&once));
    assert_false(fg_trouble_is_ripe(&soon));
    assert_true(fg_trouble_is_ripe(&twice));
    assert_true(fg_trouble_is_ripe(&login));
    assert_false(fg_trouble_is_ripe(&down));
    down.last += FG_MINUTE;
    assert_true(fg_trouble_is_ripe(&down));
    assert_false(fg_trouble_is_ripe(&none));
}

/* However often it was tried: a list that was looked at every two minutes and is
 * forbidden from now on is looked at again as soon as ten minutes make it an alarm. */
static void a_seed_is_asked_again_ever_more_rarely(void **state)
{
    (void)state;
    static const struct {
        unsigned times;
        fg_time lasted, pause;
    } cases[] = {
        {1, 0, 10 * FG_MINUTE},
        {6, 10 * FG_MINUTE - 1, 10 * FG_MINUTE},
        {3, 20 * FG_MINUTE, 20 * FG_MINUTE},
        {9, 23 * FG_HOUR, 23 * FG_HOUR},
        {1000, 40 * FG_DAY, FG_DAY},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(
            fg_trouble_pause(&(struct fg_trouble){FG_ALARM_NOT_FOUND, cases[i].times,
                                                  start, start + cases[i].lasted}),
            cases[i].pause);
    assert_int_equal(
        fg_trouble_pause(&(struct fg_trouble){FG_ALARM_ROBOTS_SITE, 1, 0, 0}), FG_DAY);
}

static bool is_broken(unsigned occasions, fg_time watched, fg_time quiet)
{
    return fg_rhythm_is_broken(&(struct fg_rhythm){occasions, watched, quiet, 0});
}

static void silence_is_odd_only_against_its_own_rate(void **state)
{
    (void)state;
    /* hourly for two days: three days of silence are needed, and enough */
    assert_false(is_broken(48, 2 * FG_DAY, 3 * FG_DAY));
    assert_true(is_broken(48, 2 * FG_DAY, 3 * FG_DAY + FG_SECOND));
    /* weekly for ten weeks: twenty weeks are */
    assert_false(is_broken(10, 70 * FG_DAY, 139 * FG_DAY));
    assert_true(is_broken(10, 70 * FG_DAY, 141 * FG_DAY));
    /* daily, but known for three days only: (1 + 27/3)^-3 is one in a thousand */
    assert_near(fg_rhythm_chance(&(struct fg_rhythm){3, 3 * FG_DAY, 27 * FG_DAY, 0}),
                0.001, 1e-12);
    assert_false(is_broken(3, 3 * FG_DAY, 26 * FG_DAY));
    assert_true(is_broken(3, 3 * FG_DAY, 28 * FG_DAY));
    /* that it gave once or twice is no rate */
    assert_false(is_broken(2, FG_DAY, 900 * FG_DAY));
    assert_false(is_broken(0, 0, 900 * FG_DAY));
}

static void news_within_an_hour_are_one_occasion(void **state)
{
    (void)state;
    struct fg_rhythm rhythm = {0};
    for (int i = 0; i < 12; i++) /* every ten minutes for two hours: 0:10, 1:10 */
        fg_rhythm_pass(&rhythm, 10 * FG_MINUTE, true);
    assert_int_equal(rhythm.occasions, 2);
    assert_int_equal(rhythm.watched, 2 * FG_HOUR);
    fg_rhythm_pass(&rhythm, FG_DAY, false);
    assert_int_equal(rhythm.quiet, FG_DAY);
    assert_int_equal(rhythm.watched, 2 * FG_HOUR);
    fg_rhythm_pass(&rhythm, FG_DAY, true);
    assert_int_equal(rhythm.occasions, 3);
    assert_int_equal(rhythm.watched, 2 * FG_DAY + 2 * FG_HOUR);
    for (int i = 0; i < 1000; i++) /* what was long ago counts less, the rate stays */
        fg_rhythm_pass(&rhythm, FG_DAY, true);
    assert_true(rhythm.occasions < 200);
    assert_near((double)rhythm.watched / rhythm.occasions / (double)FG_DAY, 1, 0.02);
}

static struct fg_alarm_evidence all_is_well(void)
{
    return (struct fg_alarm_evidence){.down_since = FG_NEVER,
                                      .held_since = FG_NEVER,
                                      .sources_bad = FG_NEVER,
                                      .has_source = true,
                                      .is_explored = true};
}

static void patience_differs_by_reason(void **state)
{
    (void)state;
    struct fg_alarm_evidence e = all_is_well();
    assert_int_equal(fg_alarm_decide(&e, start), FG_ALARM_NONE);

    e.down_since = start;
    e.down_by = FG_FETCH_DNS;
    e.down_times = 2;
    assert_int_equal(fg_alarm_decide(&e, start + 15 * FG_MINUTE), FG_ALARM_NONE);
    assert_int_equal(fg_alarm_decide(&e, start + 16 * FG_MINUTE), FG_ALARM_DNS);
    e.down_times = 1; /* asked once only */
    assert_int_equal(fg_alarm_decide(&e, start + FG_DAY), FG_ALARM_NONE);
    e.down_by = FG_FETCH_FORBIDDEN; /* would be the same tomorrow */
    assert_int_equal(fg_alarm_decide(&e, start), FG_ALARM_ADDRESS);

    e = all_is_well();
    e.held_since = start;
    assert_int_equal(fg_alarm_decide(&e, start + FG_HOUR), FG_ALARM_NONE);
    assert_int_equal(fg_alarm_decide(&e, start + FG_HOUR + 1), FG_ALARM_ROBOTS_HELD);

    e = all_is_well();
    e.sources_bad = start;
    assert_int_equal(fg_alarm_decide(&e, start + FG_HOUR), FG_ALARM_NONE);
    assert_int_equal(fg_alarm_decide(&e, start + 2 * FG_HOUR), FG_ALARM_SOURCES);

    e = all_is_well();
    e.rhythm = (struct fg_rhythm){48, 2 * FG_DAY, 4 * FG_DAY, 0};
    assert_int_equal(fg_alarm_decide(&e, start), FG_ALARM_SILENT);
}

static void nofollow_is_no_loss_where_a_feed_leads_on(void **state)
{
    (void)state;
    struct fg_alarm_evidence e = all_is_well();
    e.seeds = FG_ALARM_NOFOLLOW;
    assert_int_equal(fg_alarm_decide(&e, start), FG_ALARM_NONE);
    e.has_source = false;
    assert_int_equal(fg_alarm_decide(&e, start), FG_ALARM_NOFOLLOW);

    e.seeds = FG_ALARM_NONE;
    e.hubs_nofollow = true;
    e.is_explored = false; /* others may be found yet */
    assert_int_equal(fg_alarm_decide(&e, start), FG_ALARM_NONE);
    e.is_explored = true;
    assert_int_equal(fg_alarm_decide(&e, start), FG_ALARM_NOFOLLOW);

    e = all_is_well(); /* but a seed that refuses us is told all the same */
    e.seeds = FG_ALARM_REFUSED;
    assert_int_equal(fg_alarm_decide(&e, start), FG_ALARM_REFUSED);
}

static void the_first_cause_is_told(void **state)
{
    (void)state;
    struct fg_alarm_evidence e = all_is_well();
    e.seeds = FG_ALARM_NOT_FOUND;
    e.held_since = e.down_since = e.sources_bad = start;
    e.down_by = FG_FETCH_TLS;
    e.down_times = 4;
    assert_int_equal(fg_alarm_decide(&e, start + FG_DAY), FG_ALARM_TLS);
    e.down_since = FG_NEVER;
    assert_int_equal(fg_alarm_decide(&e, start + FG_DAY), FG_ALARM_ROBOTS_HELD);
}

static void every_reason_has_a_name_words_and_advice(void **state)
{
    (void)state;
    struct fg_alarm_facts facts = {
        .url = FG_STR("https://a.example/"), .status = 403, .quiet = 4 * FG_DAY};
    for (enum fg_alarm alarm = 1; alarm < FG_ALARMS; alarm++) {
        struct fg_buf text;
        fg_buf_init(&text, 4096);
        fg_alarm_text(&text, alarm, &facts);
        assert_true(text.len > 0 && strlen(fg_alarm_advice(alarm)) > 0);
        assert_int_equal(fg_alarm_named(fg_str_from(fg_alarm_name(alarm))), alarm);
        fg_buf_clear(&text);
    }
    assert_int_equal(fg_alarm_named(FG_STR("none")), FG_ALARM_NONE);
    assert_int_equal(fg_alarm_named(FG_STR("other")), FG_ALARM_NONE);
    struct fg_buf text;
    fg_buf_init(&text, 4096);
    fg_alarm_text(&text, FG_ALARM_REFUSED, &facts);
    assert_str(fg_buf_str(&text), "https://a.example/ answers 403");
    fg_buf_clear(&text);
}

FG_TESTS(statuses_and_outcomes_have_their_reasons, a_wall_has_few_links,
         robots_forbid_a_page_or_everything, one_hiccup_is_no_trouble,
         a_seed_is_asked_again_ever_more_rarely, silence_is_odd_only_against_its_own_rate,
         news_within_an_hour_are_one_occasion, patience_differs_by_reason,
         nofollow_is_no_loss_where_a_feed_leads_on, the_first_cause_is_told,
         every_reason_has_a_name_words_and_advice)
