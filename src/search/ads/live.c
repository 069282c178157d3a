#include "search/ads/live.h"

#include "base/buf.h"
#include "base/memory.h"
#include "base/vec.h"
#include "search/ads/live_kept.h"
#include "search/ads/live_words.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum {
    CANDIDATES_MOST = 1000,
    ARMS_MOST = 1000,      /* phrases an ad is known by; more share one */
    PHRASES_MOST = 100000, /* likewise, of all ads */
};

static const char *refuse_policy(struct fg_str name)
{
    const struct fg_ads_policy *policy = fg_ads_policy_find(name);
    return policy && !policy->needs_ctr
               ? NULL
               : "is not a policy for advertisements; use one of: paced-index, "
                 "paced-index-h, greedy, msvv, mix, bmix, bmix-e, bmix-t, bmix-et, bpol, "
                 "two-level";
}

const struct fg_opt fg_ads_opts[] = {
    {"ads.enabled", FG_BOOL(struct fg_ads_settings, enabled), "no",
     .help = "show advertisements beside search results, labelled as such"},
    {"ads.policy", FG_STRING(struct fg_ads_settings, policy), "paced-index",
     .arg = "NAME", .refuse = refuse_policy,
     .help = "how advertisements are chosen; docs/ads.md compares"},
    {"ads.shown", FG_INT(struct fg_ads_settings, shown), "2", .min = 1,
     .max = FG_ADS_SHOWN_MOST, .help = "advertisements a query, at most"},
    {"ads.hold", FG_SPAN(struct fg_ads_settings, hold), "1m", .max = (double)FG_DAY,
     .help = "how long a display holds its bid back from the budget"},
    {"ads.click-window", FG_SPAN(struct fg_ads_settings, window), "1h",
     .min = (double)FG_SECOND, .max = (double)FG_DAY,
     .help = "how long after a display its click is charged"},
    {"ads.clicks-advertiser", FG_INT(struct fg_ads_settings, per_advertiser), "3",
     .min = 1, .max = 1e6,
     .help = "clicks of one client on an advertiser that are charged a day"},
    {"ads.clicks-client", FG_INT(struct fg_ads_settings, per_client), "20", .min = 1,
     .max = 1e6, .help = "clicks of one client that are charged a day"},
    {"ads.views-client", FG_INT(struct fg_ads_settings, views_client), "1000", .min = 1,
     .max = 1e9, .help = "searches of one client that show advertisements a day"},
    {0},
};

/* --- opening --- */

static enum fg_status read_secret(struct fg_ads *ads, struct fg_err *err)
{
    struct bytes bytes = {ads->secret, sizeof ads->secret, false};
    enum fg_status st = ads_get_state(ads, "secret", &bytes, err);
    if (st || bytes.is_there)
        return st;
    st = fg_ads_db_begin(ads->db, err);
    if (st)
        return st;
    st = ads_get_state(ads, "secret", &bytes, err); /* another process may have made it */
    if (!st && !bytes.is_there) {
        if (getrandom(ads->secret, sizeof ads->secret, 0) != sizeof ads->secret)
            st = fg_fail(err, FG_EIO, "the system has no random numbers for a secret");
        else
            st = ads_put_state(ads, "secret", ads->secret, sizeof ads->secret, err);
    }
    return fg_ads_db_end(ads->db, st, err);
}

enum fg_status fg_ads_open(struct fg_ads **made, const char *workspace,
                           const struct fg_ads_settings *settings, struct fg_err *err)
{
    struct fg_ads *ads = fg_zeroed(1, sizeof *ads);
    ads->settings = *settings;
    ads->policy = fg_ads_policy_find(settings->policy);
    ads->stemmer = fg_stemmer_new("en");
    enum fg_status st = FG_OK;
    if (!ads->policy || ads->policy->needs_ctr)
        st = fg_fail(err, FG_ECONFIG, "ads.policy: '%.*s' %s", FG_ARG(settings->policy),
                     refuse_policy(settings->policy));
    if (!st)
        st = fg_ads_db_open(&ads->db, workspace, err);
    if (!st)
        st = read_secret(ads, err);
    *made = ads;
    if (st) {
        fg_ads_close(ads);
        *made = NULL;
    }
    return st;
}

void fg_ads_close(struct fg_ads *ads)
{
    if (!ads)
        return;
    fg_ads_db_close(ads->db);
    fg_stemmer_free(ads->stemmer);
    free(ads);
}

/* --- candidates --- */

struct gathering {
    struct fg_arena *arena;
    const struct fg_ads_words *query;
    FG_VEC(struct candidate) found; /* in the arena */
};

static bool take_candidate(void *context, const struct fg_ads_cell *row, size_t n)
{
    struct gathering *g = context;
    (void)n;
    bool is_exact = fg_str_eq(row[2].text, g->query->key);
    if (!is_exact && !(row[3].number && fg_ads_words_hold(g->query, row[2].text)))
        return true;
    struct candidate c = {
        .one = {.ad = row[0].number,
                .title = fg_arena_dup(g->arena, row[5].text),
                .url = fg_arena_dup(g->arena, row[6].text),
                .text = fg_arena_dup(g->arena, row[7].text),
                .is_broad = !is_exact},
        .advertiser = row[1].number,
        .bid = row[4].number,
        .cluster = fg_arena_dup(g->arena, row[8].text),
        .alpha = row[9].real,
        .beta = row[10].real,
        .budget = row[11].number,
        .price = row[12].real,
    };
    ads_read_learned(c.learned, &row[13]);
    fg_vec_push_in(g->arena, &g->found, c);
    return g->found.len < CANDIDATES_MOST;
}

/* An advertiser with an exact match is not shown by a broad one. */
static void drop_broad(struct gathering *g)
{
    size_t kept = 0;
    for (size_t i = 0; i < g->found.len; i++) {
        const struct candidate *c = &g->found.at[i];
        bool is_beaten = false;
        for (size_t j = 0; c->one.is_broad && !is_beaten && j < g->found.len; j++)
            is_beaten = g->found.at[j].advertiser == c->advertiser &&
                        !g->found.at[j].one.is_broad;
        if (!is_beaten)
            g->found.at[kept++] = *c;
    }
    g->found.len = kept;
}

static enum fg_status gather(struct fg_ads *ads, struct gathering *g, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    g->found.len = 0;
    for (size_t i = 0; !st && i < g->query->n; i++) {
        bool is_double = false;
        for (size_t j = 0; j < i; j++)
            is_double |= fg_str_eq(g->query->at[i], g->query->at[j]);
        if (!is_double)
            st = fg_ads_db_ask(ads->db, FG_ADS_CANDIDATES,
                               FG_CELLS(FG_CELL_TEXT(g->query->at[i])), take_candidate, g,
                               err);
    }
    return st;
}

/* The counts of an ad for this phrase; past so many phrases, for all others. */
static enum fg_status find_arm(struct fg_ads *ads, struct candidate *c,
                               struct fg_str phrase, struct counts *counts,
                               struct fg_err *err)
{
    int64_t arms = 0;
    c->arm = phrase;
    enum fg_status st = ads_read_arm(ads, c->one.ad, phrase, counts, err);
    if (st || counts->is_there || !c->one.is_broad)
        return st;
    st = ads_get_number(ads, FG_ADS_ARMS, FG_CELLS(FG_CELL_INT(c->one.ad)), &arms, err);
    if (st || arms < ARMS_MOST)
        return st;
    c->arm = FG_STR("");
    return ads_read_arm(ads, c->one.ad, c->arm, counts, err);
}

static uint16_t cluster_number(const struct gathering *g, size_t i)
{
    size_t first = 0;
    while (!fg_str_eq(g->found.at[first].cluster, g->found.at[i].cluster))
        first++;
    return (uint16_t)first;
}

static enum fg_status fill_market(struct fg_ads *ads, struct fg_market *m,
                                  struct gathering *g, fg_time now, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    uint32_t *who = FG_NEW(g->arena, uint32_t, g->found.len);
    for (size_t i = 0; !st && i < g->found.len; i++) {
        struct candidate *c = &g->found.at[i];
        struct counts counts;
        size_t same = 0;
        while (g->found.at[same].advertiser != c->advertiser)
            same++;
        if (same == i)
            st = ads_add_advertiser(ads, m, c, now, &who[i], err);
        who[i] = who[same];
        if (!st)
            st = find_arm(ads, c, g->query->key, &counts, err);
        if (st)
            break;
        uint32_t place = fg_market_add(m, 0,
                                       &(struct fg_ad){.id = (uint32_t)i,
                                                       .advertiser = who[i],
                                                       .bid = ads_clip(c->bid),
                                                       .alpha = (float)c->alpha,
                                                       .beta = (float)c->beta,
                                                       .cluster = cluster_number(g, i)});
        m->shown[place] = (uint32_t)counts.shown;
        m->clicked[place] = (uint32_t)counts.clicked;
        m->clusters.shown[m->cluster[place]] += m->shown[place];
        m->clusters.clicked[m->cluster[place]] += m->clicked[place];
        ads_load_columns(m->of_place, ads->policy->place_columns, place, counts.learned);
    }
    return st;
}

/* --- slices of the day --- */

struct paced {
    int64_t advertiser, budget;
    double price;
    float learned[FG_ADS_COLUMNS];
};

struct pacing {
    struct fg_arena *arena;
    FG_VEC(struct paced) all;
};

static bool take_paced(void *context, const struct fg_ads_cell *row, size_t n)
{
    struct pacing *p = context;
    (void)n;
    struct paced one = {row[0].number, row[1].number, row[2].real, {0}};
    ads_read_learned(one.learned, &row[3]);
    fg_vec_push_in(p->arena, &p->all, one);
    return true;
}

/* Prices move once for each slice that has gone by since the last query, with the lab's
 * code on a market that has advertisers and no ads. */
static enum fg_status step_prices(struct fg_ads *ads, struct kept *kept,
                                  struct fg_arena *arena, fg_time now, struct fg_err *err)
{
    int64_t slice = now / (FG_DAY / FG_ADS_SLICES), missed = slice - kept->slice;
    struct pacing p = {.arena = arena};
    struct fg_market m;
    if (!ads->policy->slice || missed <= 0)
        return FG_OK;
    fg_market_init(&m, ads->policy, 0);
    memcpy(m.self, kept->self, sizeof m.self);
    enum fg_status st = fg_ads_db_ask(ads->db, FG_ADS_PACED, NULL, take_paced, &p, err);
    for (size_t i = 0; !st && i < p.all.len; i++) {
        struct candidate like = {.advertiser = p.all.at[i].advertiser,
                                 .budget = p.all.at[i].budget,
                                 .price = p.all.at[i].price};
        uint32_t who;
        memcpy(like.learned, p.all.at[i].learned, sizeof like.learned);
        st = ads_add_advertiser(ads, &m, &like, now, &who, err);
    }
    double left = 1 - (double)(now % FG_DAY) / (double)FG_DAY;
    for (int64_t k = 0; !st && k < missed && k < FG_ADS_SLICES; k++)
        fg_market_slice(&m, left);
    for (size_t i = 0; !st && i < p.all.len; i++) {
        float learned[FG_ADS_COLUMNS];
        struct fg_str bytes = ads_save_columns(
            m.advertisers.column, ads->policy->advertiser_columns, i, learned);
        st = ads_tell(ads, FG_ADS_LEARNED,
                      FG_CELLS(FG_CELL_INT(p.all.at[i].advertiser),
                               FG_CELL_REAL(1 - (double)m.advertisers.purse[i].keep),
                               FG_CELL_BLOB(bytes)),
                      err);
    }
    memcpy(kept->self, m.self, sizeof kept->self);
    kept->slice = slice;
    fg_market_clear(&m);
    return st;
}

/* --- showing --- */

static enum fg_status show(struct fg_ads *ads, struct fg_market *m, struct gathering *g,
                           uint32_t place, fg_time now, struct fg_ads_one *one,
                           struct fg_err *err)
{
    const struct candidate *c = &g->found.at[m->id[place]];
    struct fg_ad_before before = fg_market_show(m, 0, place);
    struct fg_ads_token token = {.ad = c->one.ad, .expires = now + ads->settings.window};
    char text[FG_ADS_TOKEN];
    fg_time held = now + ads->settings.hold;
    enum fg_status st = ads_get_number(
        ads, FG_ADS_SHOW,
        FG_CELLS(FG_CELL_INT(c->one.ad), FG_CELL_INT(c->advertiser), FG_CELL_TEXT(c->arm),
                 FG_CELL_INT(c->bid), FG_CELL_INT(held), FG_CELL_INT(token.expires),
                 FG_CELL_INT(before.shown), FG_CELL_INT(before.clicked)),
        &token.display, err);
    if (!st)
        st = ads_tell(ads, FG_ADS_COUNT_SHOWN,
                      FG_CELLS(FG_CELL_INT(c->advertiser), FG_CELL_INT(ads_day_of(now))),
                      err);
    if (!st)
        st = ads_tell(ads, FG_ADS_COUNT_SHOWN_AD, FG_CELLS(FG_CELL_INT(c->one.ad)), err);
    if (!st)
        st = ads_save_arm(ads, m, place, c->one.ad, c->arm, err);
    if (!st)
        st = ads_save_advertiser(ads, m, m->advertiser[place], c->advertiser, err);
    fg_ads_token_write(text, &token, ads->secret);
    *one = c->one;
    one->token = fg_arena_dup(g->arena, fg_str_from(text));
    return st;
}

/* The highest first, and one an advertiser. */
static size_t choose(struct fg_market *m, size_t most, uint32_t *places)
{
    size_t n = fg_market_query(m, 0, FG_ADS_SHOWN_MOST, places), kept = 0;
    for (size_t i = 0; i < n && kept < most; i++) {
        bool is_double = false;
        for (size_t j = 0; j < kept; j++)
            is_double |= m->advertiser[places[j]] == m->advertiser[places[i]];
        if (!is_double)
            places[kept++] = places[i];
    }
    return kept;
}

static enum fg_status show_all(struct fg_ads *ads, struct fg_ads_shown *shown,
                               struct gathering *g, struct fg_market *m,
                               struct kept *kept, fg_time now, struct fg_err *err)
{
    uint32_t places[FG_ADS_SHOWN_MOST];
    struct counts counts;
    struct fg_str phrase = g->query->key;
    enum fg_status st = ads_read_phrase(ads, phrase, &counts, err);
    if (!st && !counts.is_there && kept->phrases >= PHRASES_MOST) {
        phrase = FG_STR("");
        st = ads_read_phrase(ads, phrase, &counts, err);
    }
    kept->phrases += !counts.is_there;
    kept->queries++;
    fg_market_add_phrase(m);
    m->phrases.queries[0] = (uint32_t)counts.shown;
    ads_load_columns(m->phrases.column, ads->policy->phrase_columns, 0, counts.learned);
    if (!st)
        st = fill_market(ads, m, g, now, err);
    size_t n = st ? 0 : choose(m, (size_t)ads->settings.shown, places);
    shown->at = FG_NEW(g->arena, struct fg_ads_one, n + 1);
    for (size_t i = 0; !st && i < n; i++)
        st = show(ads, m, g, places[i], now, &shown->at[i], err);
    /* A policy with columns by ad may have changed those that are not shown. */
    for (size_t i = 0; !st && ads->policy->place_columns && i < m->phrases.count[0]; i++)
        st = ads_save_arm(ads, m, m->phrases.first[0] + i, g->found.at[m->id[i]].one.ad,
                          g->found.at[m->id[i]].arm, err);
    shown->n = st ? 0 : n;
    return st ? st : ads_save_phrase(ads, m, phrase, err);
}

enum fg_status fg_ads_for(struct fg_ads *ads, struct fg_ads_shown *shown,
                          struct fg_arena *arena, struct fg_str query, fg_time now,
                          struct fg_err *err)
{
    struct fg_ads_words words;
    struct gathering g = {.arena = arena, .query = &words};
    struct fg_market market;
    struct kept kept = {0};
    *shown = (struct fg_ads_shown){0};
    if (!ads->settings.enabled)
        return FG_OK;
    fg_ads_words_read(&words, arena, query, ads->stemmer);
    enum fg_status st = gather(ads, &g, err);
    if (st || !g.found.len)
        return st;
    st = fg_ads_db_begin_light(ads->db, err);
    if (st)
        return st;
    fg_market_init(&market, ads->policy, 0);
    st = ads_tell(ads, FG_ADS_DROP_OLD, FG_CELLS(FG_CELL_INT(now)), err);
    if (!st)
        st = ads_load_kept(ads, &kept, &market, now, err);
    if (!st)
        st = step_prices(ads, &kept, arena, now, err);
    memcpy(market.self, kept.self, sizeof market.self);
    if (!st)
        st = gather(ads, &g, err); /* as they are now that nobody else writes */
    drop_broad(&g);
    if (!st)
        st = show_all(ads, shown, &g, &market, &kept, now, err);
    if (!st)
        st = ads_save_kept(ads, &kept, &market, err);
    fg_market_clear(&market);
    st = fg_ads_db_end(ads->db, st, err);
    if (st)
        shown->n = 0;
    return st;
}
