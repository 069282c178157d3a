#include "search/ads/market.h"

#include "base/elementary.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_SPACE = 4 };

void fg_market_init(struct fg_market *m, const struct fg_ads_policy *policy,
                    uint64_t seed)
{
    *m = (struct fg_market){
        .policy = policy, .rng = fg_rng_from_seed(seed), .mean_queries = 1};
    for (size_t i = 0; policy->params && policy->params[i].name; i++)
        m->knob[i] = policy->params[i].initial;
    if (policy->init)
        policy->init(m);
}

static void clear_columns(float **columns)
{
    for (size_t i = 0; i < FG_ADS_COLUMNS; i++)
        free(columns[i]);
}

void fg_market_clear(struct fg_market *m)
{
    void *all[] = {m->score,
                   m->bid,
                   m->advertiser,
                   m->shown,
                   m->clicked,
                   m->prior_shown,
                   m->prior_clicked,
                   m->id,
                   m->cluster,
                   m->ctr,
                   m->phrases.first,
                   m->phrases.count,
                   m->phrases.space,
                   m->phrases.queries,
                   m->advertisers.purse,
                   m->advertisers.budget,
                   m->clusters.shown,
                   m->clusters.clicked};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    clear_columns(m->of_place);
    clear_columns(m->phrases.column);
    clear_columns(m->advertisers.column);
    *m = (struct fg_market){0};
}

bool fg_market_set(struct fg_market *m, struct fg_str knob, double value)
{
    const struct fg_param *params = m->policy->params;
    for (size_t i = 0; params && params[i].name; i++)
        if (fg_str_eq(knob, fg_str_from(params[i].name))) {
            m->knob[i] = value;
            return value >= params[i].least && value <= params[i].most;
        }
    return false;
}

/* --- columns that grow --- */

#define GROW(column, was, now)                                           \
    do {                                                                 \
        (column) = fg_resized((column), (now), sizeof *(column));        \
        memset((column) + (was), 0, ((now) - (was)) * sizeof *(column)); \
    } while (0)

static void grow_columns(float **columns, size_t n, size_t was, size_t now)
{
    for (size_t i = 0; i < n; i++)
        GROW(columns[i], was, now);
}

static size_t wider(size_t room, size_t wanted)
{
    room = room ? room : 16;
    while (room < wanted)
        room *= 2;
    return room;
}

static void want_places(struct fg_market *m, size_t wanted)
{
    size_t was = m->place_room, now = wider(was, wanted);
    if (wanted <= was)
        return;
    GROW(m->score, was, now);
    GROW(m->bid, was, now);
    GROW(m->advertiser, was, now);
    GROW(m->shown, was, now);
    GROW(m->clicked, was, now);
    GROW(m->prior_shown, was, now);
    GROW(m->prior_clicked, was, now);
    GROW(m->id, was, now);
    GROW(m->cluster, was, now);
    GROW(m->ctr, was, now);
    grow_columns(m->of_place, m->policy->place_columns, was, now);
    m->place_room = now;
}

uint32_t fg_market_add_phrase(struct fg_market *m)
{
    size_t was = m->phrases.room, now = wider(was, m->phrases.n + 1);
    if (was < now) {
        GROW(m->phrases.first, was, now);
        GROW(m->phrases.count, was, now);
        GROW(m->phrases.space, was, now);
        GROW(m->phrases.queries, was, now);
        grow_columns(m->phrases.column, m->policy->phrase_columns, was, now);
        m->phrases.room = now;
    }
    return (uint32_t)m->phrases.n++;
}

void fg_market_fill(struct fg_market *m, size_t advertiser, int32_t remaining)
{
    struct fg_purse *purse = &m->advertisers.purse[advertiser];
    int32_t budget = m->advertisers.budget[advertiser];
    purse->remaining = remaining;
    if (!m->policy->is_throttled)
        return;
    /* An advertiser without a budget stands as one whose budget is untouched. */
    double share = budget == FG_NO_BUDGET ? 1
                   : budget > 0           ? (double)remaining / (double)budget
                                          : 0;
    purse->keep = (float)(1 - fg_exp(-share));
}

uint32_t fg_market_add_advertiser(struct fg_market *m, int32_t budget)
{
    size_t was = m->advertisers.room, now = wider(was, m->advertisers.n + 1);
    if (was < now) {
        GROW(m->advertisers.purse, was, now);
        GROW(m->advertisers.budget, was, now);
        grow_columns(m->advertisers.column, m->policy->advertiser_columns, was, now);
        m->advertisers.room = now;
    }
    size_t number = m->advertisers.n++;
    m->advertisers.budget[number] = budget;
    m->advertisers.purse[number].keep = 1;
    fg_market_fill(m, number, budget);
    return (uint32_t)number;
}

/* --- ads come and go --- */

static void move_ad(struct fg_market *m, size_t to, size_t from)
{
    m->score[to] = m->score[from];
    m->bid[to] = m->bid[from];
    m->advertiser[to] = m->advertiser[from];
    m->shown[to] = m->shown[from];
    m->clicked[to] = m->clicked[from];
    m->prior_shown[to] = m->prior_shown[from];
    m->prior_clicked[to] = m->prior_clicked[from];
    m->id[to] = m->id[from];
    m->cluster[to] = m->cluster[from];
    m->ctr[to] = m->ctr[from];
    for (size_t i = 0; i < m->policy->place_columns; i++)
        m->of_place[i][to] = m->of_place[i][from];
}

/* The last phrase grows where it is; another moves to the end and leaves its places
 * empty, which are fewer than it has now. */
static void widen_phrase(struct fg_market *m, size_t phrase)
{
    size_t space = m->phrases.space[phrase], first = m->phrases.first[phrase];
    size_t more = space ? 2 * space : LEAST_SPACE;
    bool is_last = space && first + space == m->places;
    size_t to = is_last ? first : m->places;
    want_places(m, to + more);
    for (size_t i = 0; !is_last && i < m->phrases.count[phrase]; i++)
        move_ad(m, to + i, first + i);
    m->places = to + more;
    m->phrases.first[phrase] = (uint32_t)to;
    m->phrases.space[phrase] = (uint32_t)more;
}

static void want_cluster(struct fg_market *m, size_t cluster)
{
    size_t now = wider(m->clusters.n, cluster + 1);
    if (cluster < m->clusters.n)
        return;
    GROW(m->clusters.shown, m->clusters.n, now);
    GROW(m->clusters.clicked, m->clusters.n, now);
    m->clusters.n = now;
}

uint32_t fg_market_add(struct fg_market *m, size_t phrase, const struct fg_ad *ad)
{
    assert(ad->bid > 0 && ad->advertiser < m->advertisers.n && phrase < m->phrases.n);
    if (m->phrases.count[phrase] == m->phrases.space[phrase])
        widen_phrase(m, phrase);
    want_cluster(m, ad->cluster);
    size_t place = m->phrases.first[phrase] + m->phrases.count[phrase]++;
    m->score[place] = 0;
    m->bid[place] = ad->bid;
    m->advertiser[place] = ad->advertiser;
    m->shown[place] = m->clicked[place] = 0;
    m->prior_shown[place] = ad->alpha + ad->beta;
    m->prior_clicked[place] = ad->alpha;
    m->id[place] = ad->id;
    m->cluster[place] = ad->cluster;
    m->ctr[place] = ad->ctr;
    for (size_t i = 0; i < m->policy->place_columns; i++)
        m->of_place[i][place] = 0;
    if (m->policy->added)
        m->policy->added(m, phrase, (uint32_t)place);
    return (uint32_t)place;
}

bool fg_market_remove(struct fg_market *m, size_t phrase, uint32_t id)
{
    size_t first = m->phrases.first[phrase], last = first + m->phrases.count[phrase];
    for (size_t place = first; place < last; place++)
        if (m->id[place] == id) {
            move_ad(m, place, last - 1);
            m->phrases.count[phrase]--;
            return true;
        }
    return false;
}

/* --- queries --- */

size_t fg_market_choose(const struct fg_market *m, size_t phrase, size_t most,
                        uint32_t *places)
{
    const float *score = m->score;
    const int32_t *bid = m->bid;
    const uint32_t *advertiser = m->advertiser;
    const struct fg_purse *purses = m->advertisers.purse;
    bool is_free = m->policy->ignores_budgets;
    float kept[FG_ADS_SHOWN_MOST], least = -1;
    size_t n = 0, first = m->phrases.first[phrase],
           end = first + m->phrases.count[phrase];
    assert(most <= FG_ADS_SHOWN_MOST);
    for (size_t i = first; most && i < end; i++) {
        struct fg_purse purse = purses[advertiser[i]];
        float t = purse.remaining >= bid[i] || is_free ? score[i] * purse.keep : -1;
        if (t <= least)
            continue;
        size_t at = n < most ? n++ : n - 1;
        for (; at && kept[at - 1] < t; at--) {
            kept[at] = kept[at - 1];
            places[at] = places[at - 1];
        }
        kept[at] = t;
        places[at] = (uint32_t)i;
        least = n == most ? kept[n - 1] : -1;
    }
    return n;
}

size_t fg_market_query(struct fg_market *m, size_t phrase, size_t most, uint32_t *places)
{
    m->phrases.queries[phrase]++;
    m->all_queries++;
    if (m->policy->score)
        m->policy->score(m, phrase);
    return fg_market_choose(m, phrase, most, places);
}

struct fg_ad_before fg_market_show(struct fg_market *m, size_t phrase, uint32_t place)
{
    struct fg_ad_before before = {m->shown[place], m->clicked[place]};
    m->shown[place]++;
    m->clusters.shown[m->cluster[place]]++;
    if (m->policy->showed)
        m->policy->showed(m, phrase, place, before);
    return before;
}

int32_t fg_market_click(struct fg_market *m, size_t phrase, uint32_t place,
                        struct fg_ad_before before)
{
    size_t who = m->advertiser[place];
    int32_t remaining = m->advertisers.purse[who].remaining, bid = m->bid[place];
    int32_t charged = remaining >= bid ? bid : 0;
    m->clicked[place]++;
    m->clusters.clicked[m->cluster[place]]++;
    if (remaining != FG_NO_BUDGET)
        fg_market_fill(m, who, remaining - charged);
    if (m->policy->clicked)
        m->policy->clicked(m, phrase, place, before);
    return charged;
}

void fg_market_slice(struct fg_market *m, double left)
{
    if (m->policy->slice)
        m->policy->slice(m, left);
}

void fg_market_day(struct fg_market *m)
{
    for (size_t i = 0; i < m->advertisers.n; i++)
        fg_market_fill(m, i, m->advertisers.budget[i]);
    if (m->policy->day)
        m->policy->day(m);
}
