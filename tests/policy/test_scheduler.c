/* The scheduler: leases, politeness, what is new, and that nothing is lost as bytes. */
#include "policy/scheduler.h"
#include "test.h"

enum { MOST = 64 };
static const fg_time start = 1000 * FG_DAY;

static const struct fg_policy *policy_of(const char *name)
{
    const struct fg_policy *policy = fg_policy_find(fg_str_from(name), FG_DISCOVERY);
    if (!policy)
        policy = fg_policy_find(fg_str_from(name), FG_REFRESH);
    assert_non_null(policy);
    return policy;
}

static struct fg_scheduler *scheduler_of(const char *policy, fg_time delay)
{
    struct fg_scheduler *s = fg_scheduler_new(fg_mind_new(policy_of(policy), 7));
    struct fg_scheduler_rules rules = fg_scheduler_defaults();
    rules.delay = delay;
    fg_scheduler_rule(s, &rules);
    return s;
}

static bool add(struct fg_scheduler *s, const char *name)
{
    bool is_new;
    struct fg_str page = fg_str_from(name);
    assert_int_equal(
        fg_scheduler_add(s, page, fg_scheduler_site_of(page), start, &is_new, NULL),
        FG_OK);
    return is_new;
}

static struct fg_told report(struct fg_scheduler *s, fg_time now, uint64_t lease,
                             enum fg_report_outcome outcome, const char *const *links)
{
    struct fg_str names[MOST];
    struct fg_lease_report made = {.lease = lease, .outcome = outcome, .links = names};
    for (; links && links[made.n_links]; made.n_links++)
        names[made.n_links] = fg_str_from(links[made.n_links]);
    struct fg_told told = {0};
    fg_scheduler_report(s, now, &made, &told);
    return told;
}

#define LINKS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void a_site_rests_between_two_pages(void **state)
{
    (void)state;
    struct fg_scheduler *s = scheduler_of("link-types", 2 * FG_SECOND);
    struct fg_lease out[MOST];
    assert_true(add(s, "https://a.example/1"));
    assert_true(add(s, "https://a.example/2"));
    assert_true(add(s, "https://a.example/3"));
    assert_true(add(s, "https://b.example/1"));
    assert_false(add(s, "https://b.example/1"));
    assert_int_equal(fg_scheduler_next(s, start, MOST, 0, 0, out), 2);
    assert_str(out[0].name, "https://a.example/1");
    assert_str(out[0].site, "https://a.example");
    assert_str(out[1].name, "https://b.example/1");
    assert_int_equal(out[0].why, FG_LEASE_ADDED);
    assert_int_equal(fg_scheduler_next(s, start + FG_SECOND, MOST, 0, 0, out), 0);
    assert_int_equal(fg_scheduler_wait(s, start + FG_SECOND), start + 2 * FG_SECOND);
    /* Looking ahead, both that are left: one now, one two seconds later. */
    assert_int_equal(
        fg_scheduler_next(s, start + 2 * FG_SECOND, MOST, 3 * FG_SECOND, 0, out), 2);
    assert_int_equal(out[0].not_before, start + 2 * FG_SECOND);
    assert_int_equal(out[1].not_before, start + 4 * FG_SECOND);
    assert_int_equal(out[1].deadline, start + 4 * FG_SECOND + 10 * FG_MINUTE);
    /* A delay of its own. */
    assert_true(fg_scheduler_delay_site(s, FG_STR("https://c.example"), FG_HOUR) ==
                false);
    add(s, "https://c.example/1");
    add(s, "https://c.example/2");
    assert_true(fg_scheduler_delay_site(s, FG_STR("https://c.example"), FG_HOUR));
    assert_int_equal(fg_scheduler_next(s, start + FG_MINUTE, MOST, 0, 0, out), 1);
    assert_int_equal(fg_scheduler_next(s, start + 2 * FG_MINUTE, MOST, 0, 0, out), 0);
    fg_scheduler_free(s);
}

static void a_lease_ends_and_a_report_counts_once(void **state)
{
    (void)state;
    struct fg_scheduler *s = scheduler_of("link-types", 0);
    struct fg_lease a, b;
    add(s, "https://a.example/");
    assert_int_equal(fg_scheduler_next(s, start, 1, 0, 0, &a), 1);
    assert_int_equal(fg_scheduler_next(s, start + 9 * FG_MINUTE, 1, 0, 0, &b), 0);
    /* Not heard of: it is handed out again, and the first lease is void. */
    assert_int_equal(fg_scheduler_next(s, start + 10 * FG_MINUTE, 1, 0, 0, &b), 1);
    assert_true(b.number > a.number);
    fg_time later = start + 11 * FG_MINUTE;
    const char *const *links = LINKS("https://a.example/x");
    assert_int_equal(report(s, later, a.number, FG_REPORT_OK, links).fate, FG_REPORT_OLD);
    struct fg_told told = report(s, later, b.number, FG_REPORT_OK, links);
    assert_int_equal(told.fate, FG_REPORT_COUNTED);
    assert_int_equal(told.n_new, 1);
    told = report(s, later, b.number, FG_REPORT_OK, LINKS("https://a.example/y"));
    assert_int_equal(told.fate, FG_REPORT_OLD);
    assert_int_equal(told.n_new, 0);
    assert_int_equal(report(s, later, 99, FG_REPORT_OK, NULL).fate, FG_REPORT_UNKNOWN);
    assert_int_equal(fg_scheduler_count(s).reports, 1);
    /* Late, but nobody else has it: it counts. */
    assert_int_equal(fg_scheduler_next(s, later, 1, 0, 0, &a), 1);
    assert_int_equal(report(s, later + FG_DAY, a.number, FG_REPORT_OK, NULL).fate,
                     FG_REPORT_COUNTED);
    fg_scheduler_free(s);
}

static void the_same_key_gets_the_same_leases(void **state)
{
    (void)state;
    struct fg_scheduler *s = scheduler_of("link-types", 0);
    struct fg_lease a[2], b[2];
    add(s, "https://a.example/1");
    add(s, "https://a.example/2");
    add(s, "https://a.example/3");
    assert_int_equal(fg_scheduler_next(s, start, 2, 0, 77, a), 2);
    assert_int_equal(fg_scheduler_next(s, start, 2, 0, 77, b), 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(a[i].number, b[i].number);
        assert_true(fg_str_eq(a[i].name, b[i].name));
        assert_int_equal(a[i].deadline, b[i].deadline);
    }
    report(s, start, a[0].number, FG_REPORT_OK, NULL);
    assert_int_equal(fg_scheduler_next(s, start, 2, 0, 77, b), 1);
    assert_int_equal(b[0].number, a[1].number);
    fg_scheduler_free(s);
}

/* What stands on a page at its first visit is its stock; what comes later is new. */
/* Its kind has had all its samples, and none of them came back. */
static void a_sample_of_which_nothing_is_heard_comes_again(void **state)
{
    (void)state;
    struct fg_scheduler *s = scheduler_of("link-types", 0);
    struct fg_lease out[MOST];
    add(s, "https://a.example/");
    fg_scheduler_next(s, start, 1, 0, 0, out);
    report(s, start, out[0].number, FG_REPORT_OK,
           LINKS("https://a.example/old/1", "https://a.example/old/2",
                 "https://a.example/old/3", "https://a.example/old/4",
                 "https://a.example/old/5", "https://a.example/old/6"));
    assert_int_equal(fg_scheduler_next(s, start + FG_HOUR, MOST, 0, 0, out), 5);
    assert_true(fg_scheduler_wait(s, start + FG_HOUR) <= start + 2 * FG_HOUR);
    for (int again = 2; again < 5; again++) {
        assert_int_equal(fg_scheduler_next(s, start + again * FG_HOUR, MOST, 0, 0, out),
                         5);
        assert_int_equal(fg_scheduler_count(s).leases, 5);
    }
    fg_scheduler_free(s);
}

static void what_comes_later_is_new(void **state)
{
    (void)state;
    struct fg_scheduler *s = scheduler_of("link-types", 0);
    struct fg_lease out[MOST];
    add(s, "https://a.example/");
    fg_scheduler_next(s, start, 1, 0, 0, out);
    report(s, start, out[0].number, FG_REPORT_OK,
           LINKS("https://a.example/old/1", "https://a.example/old/2",
                 "https://a.example/old/3", "https://a.example/old/4",
                 "https://a.example/old/5", "https://a.example/old/6",
                 "https://stranger.example/"));
    assert_int_equal(fg_scheduler_count(s).pages, 7); /* the stranger is none of ours */
    /* Four samples of that form and the page itself, and no more. */
    size_t n = fg_scheduler_next(s, start + FG_HOUR, MOST, 0, 0, out);
    assert_int_equal(n, 5);
    uint64_t home = 0;
    for (size_t i = 0; i < n; i++)
        if (out[i].why == FG_LEASE_REVISIT)
            home = out[i].number;
        else
            assert_int_equal(out[i].why, FG_LEASE_SAMPLE);
    struct fg_told told =
        report(s, start + FG_HOUR, home, FG_REPORT_OK,
               LINKS("https://a.example/new/1", "https://a.example/old/6"));
    assert_int_equal(told.n_new, 1);
    assert_int_equal(fg_scheduler_count(s).found, 1);
    assert_int_equal(fg_scheduler_next(s, start + 2 * FG_HOUR, 1, 0, 0, out), 1);
    assert_str(out[0].name, "https://a.example/new/1");
    assert_int_equal(out[0].why, FG_LEASE_NEW);
    fg_scheduler_free(s);
}

static void blocked_and_dead_pages_stay_away(void **state)
{
    (void)state;
    struct fg_scheduler *s = scheduler_of("link-types", 0);
    struct fg_lease out[MOST];
    add(s, "https://a.example/1");
    add(s, "https://a.example/2");
    add(s, "https://b.example/1");
    assert_true(fg_scheduler_block(s, FG_STR("https://a.example/1"), true));
    assert_false(fg_scheduler_block(s, FG_STR("https://a.example/9"), true));
    assert_true(fg_scheduler_block_site(s, FG_STR("https://b.example"), true));
    assert_int_equal(fg_scheduler_next(s, start, MOST, 0, 0, out), 1);
    report(s, start, out[0].number, FG_REPORT_DEAD, NULL);
    assert_int_equal(fg_scheduler_next(s, start + FG_DAY, MOST, 0, 0, out), 0);
    assert_int_equal(fg_scheduler_wait(s, start + FG_DAY), FG_NEVER);
    fg_scheduler_block_site(s, FG_STR("https://b.example"), false);
    assert_int_equal(fg_scheduler_next(s, start + FG_DAY, MOST, 0, 0, out), 1);
    assert_true(add(s, "https://a.example/2")); /* whoever adds it again, wants it */
    assert_int_equal(fg_scheduler_next(s, start + FG_DAY, MOST, 0, 0, out), 1);
    /* After a failure a minute, then two, and so on. */
    report(s, start + FG_DAY, out[0].number, FG_REPORT_FAILED, NULL);
    assert_int_equal(fg_scheduler_wait(s, start + FG_DAY), start + FG_DAY + FG_MINUTE);
    fg_time now = start + FG_DAY + FG_MINUTE;
    assert_int_equal(fg_scheduler_next(s, now, MOST, 0, 0, out), 1);
    report(s, now, out[0].number, FG_REPORT_FAILED, NULL);
    assert_int_equal(fg_scheduler_next(s, now + FG_MINUTE, MOST, 0, 0, out), 0);
    assert_int_equal(fg_scheduler_next(s, now + 2 * FG_MINUTE, MOST, 0, 0, out), 1);
    fg_scheduler_free(s);
}

/* --- a small web: lists with so many articles an hour each --- */

static size_t play(struct fg_scheduler *s, int from, int to, size_t visits[4])
{
    static const int an_hour[4] = {12, 1, 0, 0};
    size_t found = 0;
    for (int turn = from; turn < to; turn++) {
        struct fg_lease out[1];
        fg_time now = start + turn * 10 * FG_MINUTE;
        if (!fg_scheduler_next(s, now, 1, 0, 0, out))
            continue;
        size_t list = (size_t)(out[0].name.at[out[0].name.len - 1] - '0');
        char names[10][64];
        const char *links[11] = {0};
        for (int i = 0; i < 10; i++) {
            snprintf(names[i], sizeof names[i], "https://a.example/list/%zu/%d", list,
                     1000 + an_hour[list] * turn / 6 - i);
            links[i] = names[i];
        }
        visits[list]++;
        found += report(s, now, out[0].number, FG_REPORT_OK, links).n_new;
    }
    return found;
}

static struct fg_scheduler *four_lists(const char *policy)
{
    struct fg_scheduler *s = scheduler_of(policy, 0);
    struct fg_scheduler_rules rules = *fg_scheduler_ruled(s);
    rules.only_added = true;
    fg_scheduler_rule(s, &rules);
    for (int i = 0; i < 4; i++) {
        char name[40];
        snprintf(name, sizeof name, "https://a.example/list-%d", i);
        add(s, name);
    }
    return s;
}

static void it_learns_from_reports(void **state)
{
    (void)state;
    size_t visits[4] = {0};
    struct fg_scheduler *s = four_lists("link-types");
    play(s, 0, 144, visits);
    fg_scheduler_free(s);
    assert_true(visits[0] > 72);
    assert_true(visits[0] > 4 * visits[2]);
    assert_true(visits[1] > visits[3]);
}

static void it_goes_on_after_a_restart(void **state)
{
    (void)state;
    size_t whole[4] = {0}, parts[4] = {0};
    struct fg_scheduler *s = four_lists("link-types"), *again;
    struct fg_buf bytes;
    struct fg_lease open, none;
    struct fg_err err;
    fg_buf_init(&bytes, SIZE_MAX / 2);
    play(s, 0, 50, whole);
    memcpy(parts, whole, sizeof parts);
    assert_int_equal(fg_scheduler_next(s, start + 500 * FG_MINUTE, 1, 0, 9, &open), 1);
    assert_true(fg_scheduler_save(s, &bytes));
    assert_int_equal(fg_scheduler_load(&again, fg_mind_new(policy_of("link-types"), 7),
                                       fg_buf_str(&bytes), &err),
                     FG_OK);
    assert_int_equal(fg_scheduler_next(again, start + 500 * FG_MINUTE, 1, 0, 9, &none),
                     1);
    assert_int_equal(none.number, open.number);
    assert_int_equal(
        report(again, start + 501 * FG_MINUTE, open.number, FG_REPORT_OK, NULL).fate,
        FG_REPORT_COUNTED);
    report(s, start + 501 * FG_MINUTE, open.number, FG_REPORT_OK, NULL);
    assert_int_equal(play(s, 51, 120, whole), play(again, 51, 120, parts));
    assert_memory_equal(whole, parts, sizeof whole);
    fg_scheduler_free(again);
    fg_scheduler_free(s);

    /* Every byte counts. */
    for (size_t i = 0; i < bytes.len; i += 97) {
        bytes.at[i] ^= 4;
        assert_int_equal(fg_scheduler_load(&again,
                                           fg_mind_new(policy_of("link-types"), 7),
                                           fg_buf_str(&bytes), &err),
                         FG_EINPUT);
        assert_null(again);
        bytes.at[i] ^= 4;
    }
    /* Another policy starts from the same pages. */
    struct fg_mind *mind = fg_mind_new(policy_of("exposure"), 7);
    assert_int_equal(fg_scheduler_load(&again, mind, fg_buf_str(&bytes), &err), FG_OK);
    assert_int_equal(fg_scheduler_count(again).sources, 4);
    assert_int_equal(
        report(again, start + 501 * FG_MINUTE, open.number, FG_REPORT_OK, NULL).fate,
        FG_REPORT_COUNTED);
    play(again, 51, 60, parts);
    fg_scheduler_free(again);
    fg_buf_clear(&bytes);
}

static void a_log_brings_another_to_the_same_state(void **state)
{
    (void)state;
    size_t visits[4] = {0};
    struct fg_err err;
    struct fg_scheduler *s = fg_scheduler_new(fg_mind_new(policy_of("link-types"), 7));
    struct fg_scheduler *other =
        fg_scheduler_new(fg_mind_new(policy_of("link-types"), 7));
    fg_scheduler_keep_log(s);
    for (int i = 0; i < 4; i++) {
        char name[40];
        snprintf(name, sizeof name, "https://a.example/list-%d", i);
        add(s, name);
    }
    struct fg_scheduler_rules rules = {.lease = FG_MINUTE, .only_added = true};
    fg_scheduler_rule(s, &rules);
    play(s, 0, 60, visits);
    fg_scheduler_block(s, FG_STR("https://a.example/list-3"), true);
    struct fg_lease out[MOST], same[MOST];
    size_t n = fg_scheduler_next(s, start + FG_DAY, MOST, 0, 5, out);
    assert_int_equal(n, 3);
    struct fg_str log = fg_scheduler_log(s);
    assert_int_equal(fg_scheduler_replay(other, log, &err), FG_OK);
    assert_int_equal(fg_scheduler_ruled(other)->lease, FG_MINUTE);
    assert_int_equal(fg_scheduler_next(other, start + FG_DAY, MOST, 0, 5, same), n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(same[i].number, out[i].number);
    struct fg_scheduler_counts a = fg_scheduler_count(s), b = fg_scheduler_count(other);
    assert_memory_equal(&a, &b, sizeof a);
    /* Cut anywhere, it is refused or is the beginning of it; nothing breaks. */
    for (size_t cut = 1; cut < log.len; cut += 101) {
        struct fg_scheduler *third =
            fg_scheduler_new(fg_mind_new(policy_of("link-types"), 7));
        fg_scheduler_replay(third, fg_str_sub(log, 0, cut), &err);
        fg_scheduler_free(third);
    }
    fg_scheduler_free(s);
    fg_scheduler_free(other);
}

/* Each one chooses, hears of what it chose, is saved and read back. */
static void every_policy_can_be_one(void **state)
{
    (void)state;
    for (size_t i = 0; fg_policies[i]; i++) {
        const struct fg_policy *policy = fg_policies[i];
        if (policy->needs_foresight || !(policy->tasks & (FG_DISCOVERY | FG_REFRESH)))
            continue;
        size_t visits[4] = {0};
        struct fg_buf bytes;
        struct fg_scheduler *s = four_lists(policy->name), *again;
        struct fg_err err = {0};
        fg_buf_init(&bytes, SIZE_MAX / 2);
        play(s, 0, 40, visits);
        assert_true(visits[0] && visits[1] && visits[2] && visits[3]);
        assert_true(fg_scheduler_save(s, &bytes));
        if (fg_scheduler_load(&again, fg_mind_new(policy, 7), fg_buf_str(&bytes), &err))
            fail_msg("%s: %s", policy->name, err.text);
        play(again, 40, 50, visits);
        fg_scheduler_free(again);
        fg_scheduler_free(s);
        fg_buf_clear(&bytes);
    }
}

static void too_much_is_refused(void **state)
{
    (void)state;
    struct fg_scheduler *s = scheduler_of("link-types", 0);
    struct fg_err err;
    bool is_new;
    char *name = calloc(1, FG_SCHEDULER_NAME + 2);
    memset(name, 'a', FG_SCHEDULER_NAME + 1);
    assert_int_equal(
        fg_scheduler_add(s, fg_str_from(name), FG_STR(""), start, &is_new, &err),
        FG_ELIMIT);
    assert_int_equal(fg_scheduler_add(s, FG_STR(""), FG_STR(""), start, &is_new, &err),
                     FG_ELIMIT);
    free(name);
    assert_str(fg_scheduler_site_of(FG_STR("https://a.example:8080?x")),
               "https://a.example:8080");
    assert_str(fg_scheduler_site_of(FG_STR("a page")), "");
    fg_scheduler_free(s);
}

FG_TESTS(a_site_rests_between_two_pages, a_lease_ends_and_a_report_counts_once,
         the_same_key_gets_the_same_leases,
         a_sample_of_which_nothing_is_heard_comes_again, what_comes_later_is_new,
         blocked_and_dead_pages_stay_away, it_learns_from_reports,
         it_goes_on_after_a_restart, a_log_brings_another_to_the_same_state,
         every_policy_can_be_one, too_much_is_refused)
