/* paced_index_h.c - paced-index for ads whose advertisers and phrases tell of them
 *
 * The prior mean of an ad is m0 F_i F_j: its advertiser's ads and its phrase's ads are
 * clicked more or less often than others, F = (clicks + 20) / (expected clicks + 20),
 * counted over the first 50 displays of each ad so that the ads shown most do not drown
 * the rest. The expected clicks of one factor are reckoned with the other. Worth it where
 * advertisers have many ads. */
#include "search/ads/paced.h"

enum { FIRST_DISPLAYS = 50 };
#define SHRINKAGE 20.0

static const struct fg_param params[] = {FG_PACED_PARAMS, {0}};

/* By phrase and by advertiser, behind the columns of paced.h and pacing.h. */
enum { PHRASE_CLICKS = FG_PACED_COLUMNS, PHRASE_EXPECTED, PHRASE_COLUMNS };
enum { WHO_CLICKS = FG_PACING_COLUMNS, WHO_EXPECTED, WHO_COLUMNS };

static double factor(double clicks, double expected)
{
    return (clicks + SHRINKAGE) / (expected + SHRINKAGE);
}

static double phrase_factor(const struct fg_market *m, size_t phrase)
{
    return factor(m->phrases.column[PHRASE_CLICKS][phrase],
                  m->phrases.column[PHRASE_EXPECTED][phrase]);
}

static double advertiser_factor(const struct fg_market *m, size_t place)
{
    size_t who = m->advertiser[place];
    return factor(m->advertisers.column[WHO_CLICKS][who],
                  m->advertisers.column[WHO_EXPECTED][who]);
}

static double prior_mean(const struct fg_market *m, size_t phrase, size_t place)
{
    double mean =
        m->self[FG_PACED_M0] * phrase_factor(m, phrase) * advertiser_factor(m, place);
    return mean < 0.9 ? mean : 0.9;
}

static void score(struct fg_market *m, size_t phrase)
{
    if (!fg_paced_is_due(m, phrase))
        return;
    double horizon = fg_paced_horizon(m, m->phrases.queries[phrase] - 1.0);
    size_t first = m->phrases.first[phrase], end = first + m->phrases.count[phrase];
    for (size_t i = first; i < end; i++)
        fg_paced_renew(m, i, prior_mean(m, phrase, i), horizon);
}

static void showed(struct fg_market *m, size_t phrase, uint32_t place,
                   struct fg_ad_before before)
{
    double mean = prior_mean(m, phrase, place), m0 = m->self[FG_PACED_M0];
    fg_pacing_note(m, place, fg_paced_mean(m, place, mean, before));
    fg_paced_count_display(m, before);
    if (before.shown < FIRST_DISPLAYS) {
        double of_phrase = m0 * advertiser_factor(m, place);
        m->advertisers.column[WHO_EXPECTED][m->advertiser[place]] +=
            (float)(m0 * phrase_factor(m, phrase));
        m->phrases.column[PHRASE_EXPECTED][phrase] += (float)of_phrase;
    }
    fg_paced_renew(m, place, prior_mean(m, phrase, place),
                   fg_paced_horizon(m, m->phrases.queries[phrase]));
}

static void clicked(struct fg_market *m, size_t phrase, uint32_t place,
                    struct fg_ad_before before)
{
    fg_paced_count_click(m, before);
    if (before.shown < FIRST_DISPLAYS) {
        m->advertisers.column[WHO_CLICKS][m->advertiser[place]]++;
        m->phrases.column[PHRASE_CLICKS][phrase]++;
    }
    fg_paced_renew(m, place, prior_mean(m, phrase, place),
                   fg_paced_horizon(m, m->phrases.queries[phrase]));
}

const struct fg_ads_policy fg_ads_paced_index_h = {
    .name = "paced-index-h",
    .summary = "paced-index with priors by advertiser and phrase",
    .params = params,
    .phrase_columns = PHRASE_COLUMNS,
    .advertiser_columns = WHO_COLUMNS,
    .init = fg_paced_init,
    .added = fg_paced_added,
    .score = score,
    .showed = showed,
    .clicked = clicked,
    .slice = fg_paced_slice,
};
