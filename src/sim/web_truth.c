#include "sim/web_truth.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/vec.h"
#include "net/url/canonical.h"
#include "policy/metrics.h"

#include <math.h>
#include <stdlib.h>

const char *const fg_web_verdict_names[FG_WEB_VERDICTS] = {
    [FG_WEB_TRUE] = "true",         [FG_WEB_OLD] = "old",
    [FG_WEB_REPEATED] = "repeated", [FG_WEB_VARIANT] = "variant",
    [FG_WEB_LISTING] = "list",      [FG_WEB_STRANGER] = "other",
};

struct article {
    fg_time published, told; /* told: FG_NEVER if it was not */
};

struct fg_web_truth {
    const struct fg_web *web;
    const char *const *origins;
    fg_time began;
    struct fg_map by_url; /* index in `articles` + 1, by fingerprint */
    FG_VEC(struct article) articles;
    uint64_t verdicts[FG_WEB_VERDICTS];
};

static bool take_article(void *context, const struct fg_web_article *article)
{
    struct fg_web_truth *truth = context;
    struct fg_arena arena = {0};
    struct fg_str url = fg_arena_printf(&arena, "%s%.*s", truth->origins[article->site],
                                        FG_ARG(article->path));
    fg_vec_push(&truth->articles, (struct article){article->published, FG_NEVER});
    *fg_map_put(&truth->by_url, fg_canonical_fingerprint(url)) = truth->articles.len;
    fg_arena_clear(&arena);
    return true;
}

struct fg_web_truth *fg_web_truth_new(const struct fg_web *web,
                                      const char *const *origins, fg_time began)
{
    struct fg_web_truth *truth = fg_zeroed(1, sizeof *truth);
    truth->web = web;
    truth->origins = origins;
    truth->began = began;
    fg_web_articles(web, FG_NEVER, INT64_MAX, take_article, truth);
    return truth;
}

void fg_web_truth_free(struct fg_web_truth *truth)
{
    if (!truth)
        return;
    fg_map_clear(&truth->by_url);
    fg_vec_clear(&truth->articles);
    free(truth);
}

/* Of an address that is no article's canonical one. */
static enum fg_web_verdict judge_other(const struct fg_web_truth *truth,
                                       struct fg_str url)
{
    for (unsigned i = 0; i < fg_web_sites(truth->web); i++) {
        struct fg_str origin = fg_str_from(truth->origins[i]);
        if (!fg_str_starts(url, origin) || url.len == origin.len ||
            url.at[origin.len] != '/')
            continue;
        switch (fg_web_form_of(truth->web, i, fg_str_skip(url, origin.len))) {
        case FG_WEB_ARTICLE: /* with parameters that are not for tracking */
        case FG_WEB_COPY:
            return FG_WEB_VARIANT;
        case FG_WEB_LIST:
            return FG_WEB_LISTING;
        case FG_WEB_OTHER:
            return FG_WEB_STRANGER;
        }
    }
    return FG_WEB_STRANGER;
}

static enum fg_web_verdict judge(struct fg_web_truth *truth, struct fg_str url,
                                 fg_time told)
{
    const uint64_t *at = fg_map_get(&truth->by_url, fg_canonical_fingerprint(url));
    if (!at)
        return judge_other(truth, url);
    struct article *article = &truth->articles.at[*at - 1];
    if (article->published < truth->began)
        return FG_WEB_OLD;
    if (article->told != FG_NEVER)
        return FG_WEB_REPEATED;
    article->told = told;
    return FG_WEB_TRUE;
}

enum fg_web_verdict fg_web_truth_hear(struct fg_web_truth *truth, struct fg_str text,
                                      fg_time told)
{
    struct fg_arena arena = {0};
    struct fg_url url;
    enum fg_web_verdict verdict = FG_WEB_STRANGER;
    if (fg_url_parse(&url, &arena, text, NULL))
        verdict =
            judge(truth, fg_canonical_from(&arena, &url, FG_CANONICAL_DEFAULT), told);
    fg_arena_clear(&arena);
    truth->verdicts[verdict]++;
    return verdict;
}

void fg_web_truth_articles(const struct fg_web_truth *truth, fg_time from, fg_time to,
                           fg_web_told *take, void *context)
{
    for (size_t i = 0; i < truth->articles.len; i++) {
        const struct article *article = &truth->articles.at[i];
        if (article->published < from || article->published >= to)
            continue;
        fg_time delay =
            article->told == FG_NEVER ? FG_NEVER : article->told - article->published;
        take(context, article->published, delay != FG_NEVER && delay < 0 ? 0 : delay);
    }
}

typedef FG_VEC(fg_time) delay_list;

static void add_delay(void *context, fg_time published, fg_time delay)
{
    (void)published;
    fg_vec_push((delay_list *)context, delay);
}

void fg_web_truth_score(struct fg_web_score *score, const struct fg_web_truth *truth,
                        fg_time from, fg_time to)
{
    *score = (struct fg_web_score){0};
    delay_list delays = {0};
    fg_web_truth_articles(truth, from, to, add_delay, &delays);
    struct fg_discovery_score found = fg_discovery_score(delays.at, delays.len, 0);
    fg_vec_clear(&delays);
    score->published = found.published;
    score->reported = found.found;
    score->recall = found.published ? found.coverage : NAN;
    score->delay_p50 = found.delay_p50;
    score->delay_p90 = found.delay_p90;
    for (size_t i = 0; i < FG_WEB_VERDICTS; i++) {
        score->verdicts[i] = truth->verdicts[i];
        score->events += truth->verdicts[i];
    }
    score->precision = score->events
                           ? (double)score->verdicts[FG_WEB_TRUE] / (double)score->events
                           : NAN;
}
