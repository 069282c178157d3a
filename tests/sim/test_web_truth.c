/* What counts as a true event, and what kind of false one the others are. */
#include "sim/web_truth.h"
#include "test.h"

#include "base/arena.h"

static const fg_time start = 20000 * FG_DAY;
static const char *const origins[] = {"http://h:1", "http://h:2", "http://h:3",
                                      "http://h:4"};

static struct fg_web *ugly_web(void)
{
    struct fg_web_options options = fg_web_defaults();
    options.from = start;
    options.to = start + 3 * FG_DAY;
    options.is_ugly = true;
    options.stock = 50;
    return fg_web_new(&options);
}

/* The first article of a site after a time. */
struct wanted {
    unsigned site;
    char url[256];
    fg_time published;
};

static bool take_first(void *context, const struct fg_web_article *article)
{
    struct wanted *wanted = context;
    if (article->site != wanted->site || *wanted->url)
        return true;
    snprintf(wanted->url, sizeof wanted->url, "%s%.*s", origins[article->site],
             FG_ARG(article->path));
    wanted->published = article->published;
    return true;
}

static struct wanted first_after(const struct fg_web *web, unsigned site, fg_time time)
{
    struct wanted wanted = {.site = site};
    fg_web_articles(web, time, INT64_MAX, take_first, &wanted);
    assert_true(*wanted.url);
    return wanted;
}

static enum fg_web_verdict hear(struct fg_web_truth *truth, const char *url,
                                const char *more, fg_time at)
{
    char text[512];
    snprintf(text, sizeof text, "%s%s", url, more);
    return fg_web_truth_hear(truth, fg_str_from(text), at);
}

static void an_event_is_true_once_and_by_the_canonical_address(void **state)
{
    (void)state;
    struct fg_web *web = ugly_web();
    struct fg_web_truth *truth = fg_web_truth_new(web, origins, start);
    struct wanted a = first_after(web, 1, start), old = first_after(web, 1, FG_NEVER);
    fg_time at = start + FG_DAY;
    assert_int_equal(hear(truth, a.url, "?share=mail", at), FG_WEB_VARIANT);
    assert_int_equal(hear(truth, a.url, "?foo=1", at), FG_WEB_VARIANT);
    assert_int_equal(hear(truth, a.url, "print/", at), FG_WEB_VARIANT);
    assert_int_equal(hear(truth, a.url, "feed/", at), FG_WEB_LISTING);
    assert_int_equal(hear(truth, a.url, "?utm_source=rss#comments", at), FG_WEB_TRUE);
    assert_int_equal(hear(truth, a.url, "", at), FG_WEB_REPEATED);
    assert_int_equal(hear(truth, old.url, "", at), FG_WEB_OLD);
    assert_int_equal(hear(truth, "http://h:2/topic/topic-1", "", at), FG_WEB_LISTING);
    assert_int_equal(hear(truth, "http://h:2/about", "", at), FG_WEB_STRANGER);
    assert_int_equal(hear(truth, "http://elsewhere/", "", at), FG_WEB_STRANGER);
    assert_int_equal(hear(truth, "no address", "", at), FG_WEB_STRANGER);
    struct wanted c = first_after(web, 2, start);
    assert_int_equal(hear(truth, c.url, "?visit=00000000", at), FG_WEB_VARIANT);
    assert_int_equal(hear(truth, c.url, "", at), FG_WEB_TRUE);

    struct fg_web_score score;
    fg_web_truth_score(&score, truth, start, start + 2 * FG_DAY);
    assert_int_equal(score.events, 13);
    assert_int_equal(score.verdicts[FG_WEB_TRUE], 2);
    assert_near(score.precision, 2.0 / 13, 1e-12);
    assert_int_equal(score.reported, 2);
    fg_web_truth_free(truth);
    fg_web_free(web);
}

struct crowd {
    struct fg_web_truth *truth;
    size_t n;
};

/* Every second one, ten minutes late or, one in ten, a day. */
static bool tell(void *context, const struct fg_web_article *article)
{
    struct crowd *crowd = context;
    char url[256];
    snprintf(url, sizeof url, "%s%.*s", origins[article->site], FG_ARG(article->path));
    fg_time delay = crowd->n % 20 == 0 ? FG_DAY : 10 * FG_MINUTE;
    if (crowd->n++ % 2 == 0)
        assert_int_equal(
            fg_web_truth_hear(crowd->truth, fg_str_from(url), article->published + delay),
            FG_WEB_TRUE);
    return true;
}

static void recall_and_delay_are_of_the_articles_of_a_span(void **state)
{
    (void)state;
    struct fg_web *web = ugly_web();
    struct crowd crowd = {.truth = fg_web_truth_new(web, origins, start)};
    struct fg_web_score score;
    fg_web_truth_score(&score, crowd.truth, start, start);
    assert_true(isnan(score.precision) && isnan(score.recall));
    fg_web_articles(web, start + FG_DAY, start + 2 * FG_DAY, tell, &crowd);
    fg_web_truth_score(&score, crowd.truth, start + FG_DAY, start + 2 * FG_DAY);
    assert_int_equal(score.published, crowd.n);
    assert_int_equal(score.reported, (crowd.n + 1) / 2);
    assert_near(score.recall, 0.5, 0.01);
    assert_near(score.precision, 1, 0);
    assert_true(score.delay_p50 == 10 * FG_MINUTE);
    assert_true(score.delay_p90 >= 10 * FG_MINUTE);
    fg_web_truth_score(&score, crowd.truth, start, start + 3 * FG_DAY);
    assert_true(score.recall < 0.4);
    fg_web_truth_free(crowd.truth);
    fg_web_free(web);
}

FG_TESTS(an_event_is_true_once_and_by_the_canonical_address,
         recall_and_delay_are_of_the_articles_of_a_span)
