/* bpol.c - any bandit, made aware of budgets by the wrapper of 6.6.1
 *
 * A bandit runs for each phrase. When an ad of the phrase is newly out of budget, the ad
 * is discarded and the bandit starts anew with the rest: it forgets displays, clicks and
 * queries. Forgetting is a device of the proof, and costly; BMIX does without. `prior`
 * keeps what was learnt as the prior of the new start, as the thesis' experiments did.
 *
 * Bandits of learn/: UCB1, which is MIX, and EXP3, which draws among the first 16 ads
 * that can be paid. Rewards of EXP3 are bids, relative to the highest of these. */
#include "learn/exp3.h"
#include "learn/ucb.h"
#include "search/ads/market.h"

enum { BANDIT, PRIOR, GAMMA };
static const struct fg_param params[] = {
    [BANDIT] = {"bandit", 0, 0, 1, "0 for UCB1, 1 for EXP3"},
    [PRIOR] = {"prior", 0, 0, 1, "start anew with what was learnt as the prior"},
    [GAMMA] = {"gamma", 0.1, 0, 1, "share of draws that explore, of EXP3"},
    {0},
};

/* By place: whether it was out of budget at the last query, the weight of EXP3, and the
 * chance it was drawn with. */
enum { OUT, WEIGHT, CHANCE, COLUMNS };

static void restart(struct fg_market *m, size_t first, size_t end)
{
    bool keeps = m->knob[PRIOR] > 0;
    for (size_t i = first; i < end; i++) {
        if (keeps) {
            m->prior_shown[i] += (float)m->shown[i];
            m->prior_clicked[i] += (float)m->clicked[i];
        }
        m->shown[i] = m->clicked[i] = 0;
        m->of_place[WEIGHT][i] = 0;
    }
}

static bool notice_depleted(struct fg_market *m, size_t first, size_t end)
{
    bool is_newly_out = false;
    for (size_t i = first; i < end; i++) {
        float is_out = !fg_market_can_pay(m, i);
        is_newly_out |= is_out > m->of_place[OUT][i];
        m->of_place[OUT][i] = is_out;
    }
    return is_newly_out;
}

static void score_ucb(struct fg_market *m, size_t phrase, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        double n = (double)m->shown[i] + (double)m->prior_shown[i];
        double index = fg_ucb1_index(fg_market_mean(m, i), n, m->phrases.queries[phrase]);
        m->score[i] = (float)(index * m->bid[i]);
    }
}

static size_t gather_arms(const struct fg_market *m, size_t first, size_t end,
                          struct fg_exp3 *bandit, size_t *places)
{
    size_t n = 0;
    for (size_t i = first; i < end && n < FG_EXP3_ARMS_MAX; i++)
        if (!(m->of_place[OUT][i] > 0))
            places[n++] = i;
    if (!n)
        return 0;
    fg_exp3_init(bandit, FG_EXP3, n, m->knob[GAMMA]);
    for (size_t a = 0; a < n; a++)
        bandit->log_weight[a] = m->of_place[WEIGHT][places[a]];
    fg_exp3_chances(bandit, bandit->chance);
    return n;
}

static void score_exp3(struct fg_market *m, size_t first, size_t end)
{
    struct fg_exp3 bandit;
    size_t places[FG_EXP3_ARMS_MAX];
    size_t n = gather_arms(m, first, end, &bandit, places);
    for (size_t i = first; i < end; i++)
        m->score[i] = 0;
    if (!n)
        return;
    size_t drawn = fg_exp3_draw(&bandit, &m->rng, NULL);
    for (size_t a = 0; a < n; a++) {
        m->of_place[CHANCE][places[a]] = (float)bandit.chance[a];
        m->score[places[a]] = (float)bandit.chance[a] + (a == drawn);
    }
}

static void score(struct fg_market *m, size_t phrase)
{
    size_t first = m->phrases.first[phrase], end = first + m->phrases.count[phrase];
    if (notice_depleted(m, first, end)) {
        restart(m, first, end);
        m->phrases.queries[phrase] = 1;
    }
    if (m->knob[BANDIT] > 0)
        score_exp3(m, first, end);
    else
        score_ucb(m, phrase, first, end);
}

/* A reward of 0 leaves the weights of EXP3 as they are, so only clicks matter. */
static void clicked(struct fg_market *m, size_t phrase, uint32_t place,
                    struct fg_ad_before before)
{
    (void)before;
    size_t first = m->phrases.first[phrase], end = first + m->phrases.count[phrase],
           k = 0;
    int32_t most = 0;
    float chance = m->of_place[CHANCE][place];
    for (size_t i = first; i < end && k < FG_EXP3_ARMS_MAX; i++)
        if (!(m->of_place[OUT][i] > 0)) {
            most = m->bid[i] > most ? m->bid[i] : most;
            k++;
        }
    if (m->knob[BANDIT] > 0 && chance > 0 && k)
        m->of_place[WEIGHT][place] +=
            (float)(m->knob[GAMMA] / (double)k * m->bid[place] / most / (double)chance);
}

const struct fg_ads_policy fg_ads_bpol = {
    .name = "bpol",
    .summary = "a bandit per phrase that starts anew when a budget is gone",
    .paper = "Pandey's thesis, section 6.6.1",
    .params = params,
    .place_columns = COLUMNS,
    .score = score,
    .clicked = clicked,
};
