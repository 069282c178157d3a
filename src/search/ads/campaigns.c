/* campaigns.c - ads submitted, paused and revoked, and what each advertiser got */
#include "base/vec.h"
#include "net/url/url.h"
#include "search/ads/live_kept.h"
#include "search/ads/live_words.h"

enum { TEXT_MOST = 300, NAME_MOST = 100, URL_MOST = 2000 };

/* --- submitting --- */

static enum fg_status check_text(const char *what, struct fg_str text, size_t most,
                                 struct fg_err *err)
{
    if (text.len > most)
        return fg_fail(err, FG_ECONFIG, "%s is longer than %zu bytes", what, most);
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.at[i] < ' ' || text.at[i] == 0x7f)
            return fg_fail(err, FG_ECONFIG, "%s has a control character in it", what);
    return FG_OK;
}

static enum fg_status check_rest(const struct fg_ads_campaign *c, struct fg_err *err)
{
    const struct {
        const char *name;
        struct fg_str text;
        size_t most;
    } texts[] = {{"the advertiser", c->advertiser, NAME_MOST},
                 {"the phrase", c->phrase, TEXT_MOST},
                 {"the title", c->title, TEXT_MOST},
                 {"the text", c->text, TEXT_MOST},
                 {"the cluster", c->cluster, NAME_MOST},
                 {"the address", c->url, URL_MOST}};
    enum fg_status st = FG_OK;
    for (size_t i = 0; !st && i < sizeof texts / sizeof *texts; i++)
        st = check_text(texts[i].name, texts[i].text, texts[i].most, err);
    if (st)
        return st;
    if (!c->advertiser.len)
        return fg_fail(err, FG_ECONFIG, "an ad needs the name of its advertiser");
    if (!c->title.len)
        return fg_fail(err, FG_ECONFIG, "an ad needs a title");
    if (c->bid < 1 || c->bid > FG_MONEY_MOST)
        return fg_fail(err, FG_ECONFIG, "a bid is 0.01 or more");
    if (c->budget < -1 || c->budget > FG_MONEY_MOST)
        return fg_fail(err, FG_ECONFIG, "a budget is 0 to %d", FG_MONEY_MOST / 100);
    if (c->budget >= 0 && c->budget < c->bid && !c->keeps_budget)
        return fg_fail(err, FG_ECONFIG,
                       "the bid is higher than the budget of a day: it would never be "
                       "shown");
    if (!(c->alpha >= 0) || !(c->beta >= 0) || c->alpha > 1e6 || c->beta > 1e6)
        return fg_fail(err, FG_ECONFIG, "alpha and beta of a prior are 0 to 1e6");
    return FG_OK;
}

static enum fg_status check_url(struct fg_str text, struct fg_arena *arena,
                                struct fg_err *err)
{
    struct fg_url url;
    if (!fg_url_parse(&url, arena, text, NULL) || !fg_url_is_http(&url))
        return fg_fail(err, FG_ECONFIG,
                       "'%.*s' cannot be the address of an ad: it must be http or https",
                       FG_ARG(fg_str_sub(text, 0, 200)));
    return FG_OK;
}

static const char no_word[] = "the phrase has no word in it";

/* Signs alone make none; what other scripts have is seen when it is put. */
static bool may_have_word(struct fg_str phrase)
{
    for (size_t i = 0; i < phrase.len; i++)
        if (fg_is_alpha(phrase.at[i]) || fg_is_digit(phrase.at[i]) ||
            (unsigned char)phrase.at[i] >= 0x80)
            return true;
    return false;
}

enum fg_status fg_ads_check(const struct fg_ads_campaign *campaign, struct fg_err *err)
{
    struct fg_arena arena = {0};
    enum fg_status st = check_rest(campaign, err);
    if (!st)
        st = check_url(campaign->url, &arena, err);
    if (!st && !may_have_word(campaign->phrase))
        st = fg_fail(err, FG_ECONFIG, no_word);
    fg_arena_clear(&arena);
    return st;
}

static bool take_advertiser(void *context, const struct fg_ads_cell *row, size_t n)
{
    (void)n;
    int64_t *found = context;
    found[0] = row[0].number;
    found[1] = row[1].number;
    return false;
}

static enum fg_status find_advertiser(struct fg_ads *ads, struct fg_str name,
                                      int64_t *number, int64_t *budget,
                                      struct fg_err *err)
{
    int64_t found[2] = {0, -1};
    enum fg_status st =
        fg_ads_db_ask(ads->db, FG_ADS_ADVERTISER, FG_CELLS(FG_CELL_TEXT(name)),
                      take_advertiser, found, err);
    *number = found[0];
    *budget = found[1];
    return st;
}

static enum fg_status put(struct fg_ads *ads, const struct fg_ads_campaign *c,
                          const struct fg_ads_words *words, fg_time now, int64_t *number,
                          bool *is_new, struct fg_err *err)
{
    int64_t who, budget;
    enum fg_status st = find_advertiser(ads, c->advertiser, &who, &budget, err);
    budget = who && c->keeps_budget ? budget : c->budget;
    if (!st)
        st = ads_tell(
            ads, FG_ADS_PUT_ADVERTISER,
            FG_CELLS(FG_CELL_TEXT(c->advertiser), FG_CELL_INT(budget), FG_CELL_INT(now)),
            err);
    if (!st)
        st = find_advertiser(ads, c->advertiser, &who, &budget, err);
    *number = 0;
    if (!st)
        st = ads_get_number(ads, FG_ADS_SAME,
                            FG_CELLS(FG_CELL_INT(who), FG_CELL_TEXT(words->key),
                                     FG_CELL_INT(c->is_broad), FG_CELL_TEXT(c->url)),
                            number, err);
    *is_new = !*number;
    if (st)
        return st;
    if (*number)
        return ads_tell(ads, FG_ADS_RENEW,
                        FG_CELLS(FG_CELL_INT(*number), FG_CELL_INT(c->bid),
                                 FG_CELL_TEXT(c->title), FG_CELL_TEXT(c->text),
                                 FG_CELL_REAL(c->alpha), FG_CELL_REAL(c->beta)),
                        err);
    return ads_get_number(
        ads, FG_ADS_PUT_AD,
        FG_CELLS(FG_CELL_INT(who), FG_CELL_TEXT(c->phrase), FG_CELL_TEXT(words->key),
                 FG_CELL_TEXT(fg_ads_words_anchor(words)), FG_CELL_INT(c->is_broad),
                 FG_CELL_INT(c->bid), FG_CELL_TEXT(c->title), FG_CELL_TEXT(c->url),
                 FG_CELL_TEXT(c->text), FG_CELL_TEXT(c->cluster), FG_CELL_REAL(c->alpha),
                 FG_CELL_REAL(c->beta), FG_CELL_INT(now)),
        number, err);
}

static enum fg_status put_checked(struct fg_ads *ads,
                                  const struct fg_ads_campaign *campaign, fg_time now,
                                  int64_t *number, bool *is_new, struct fg_err *err)
{
    struct fg_arena arena = {0};
    struct fg_ads_words words;
    enum fg_status st = fg_ads_check(campaign, err);
    fg_ads_words_read(&words, &arena, campaign->phrase, ads->stemmer);
    if (!st && !words.n)
        st = fg_fail(err, FG_ECONFIG, no_word);
    if (!st)
        st = put(ads, campaign, &words, now, number, is_new, err);
    fg_arena_clear(&arena);
    return st;
}

enum fg_status fg_ads_add(struct fg_ads *ads, const struct fg_ads_campaign *campaign,
                          fg_time now, int64_t *number, bool *is_new, struct fg_err *err)
{
    enum fg_status st = fg_ads_db_begin(ads->db, err);
    return st ? st
              : fg_ads_db_end(ads->db,
                              put_checked(ads, campaign, now, number, is_new, err), err);
}

enum fg_status fg_ads_add_all(struct fg_ads *ads, const struct fg_ads_campaign *campaigns,
                              size_t n, fg_time now, size_t *added, struct fg_err *err)
{
    enum fg_status st = fg_ads_db_begin(ads->db, err);
    *added = 0;
    if (st)
        return st;
    for (size_t i = 0; !st && i < n; i++) {
        int64_t number;
        bool is_new = false;
        st = put_checked(ads, &campaigns[i], now, &number, &is_new, err);
        *added += is_new;
    }
    return fg_ads_db_end(ads->db, st, err);
}

/* --- pausing and revoking --- */

static enum fg_status set_state(struct fg_ads *ads, struct fg_str name,
                                enum fg_ads_state state, struct fg_err *err)
{
    int64_t who, budget, number = 0;
    int64_t ad;
    enum fg_status st = find_advertiser(ads, name, &who, &budget, err);
    if (st)
        return st;
    if (who) {
        st = ads_tell(ads, FG_ADS_STATE_OF_ADVERTISER,
                      FG_CELLS(FG_CELL_INT(who), FG_CELL_INT(state)), err);
        return !st && state == FG_ADS_REVOKED
                   ? ads_tell(ads, FG_ADS_STATE_OF_ADS,
                              FG_CELLS(FG_CELL_INT(who), FG_CELL_INT(state)), err)
                   : st;
    }
    if (fg_str_to_i64(name, &ad))
        st = ads_get_number(ads, FG_ADS_STATE_OF_AD,
                            FG_CELLS(FG_CELL_INT(ad), FG_CELL_INT(state)), &number, err);
    if (!st && !number)
        st = fg_fail(err, FG_ENOTFOUND,
                     "'%.*s' is neither an advertiser nor the number of an ad that is "
                     "not revoked; see 'forage ads list'",
                     FG_ARG(fg_str_sub(name, 0, NAME_MOST)));
    return st;
}

enum fg_status fg_ads_set_state(struct fg_ads *ads, struct fg_str name,
                                enum fg_ads_state state, struct fg_err *err)
{
    enum fg_status st = fg_ads_db_begin(ads->db, err);
    return st ? st : fg_ads_db_end(ads->db, set_state(ads, name, state, err), err);
}

/* --- telling --- */

struct listing {
    struct fg_arena *arena;
    FG_VEC(struct fg_ads_row) rows;
    FG_VEC(struct fg_ads_day) days;
};

static bool take_row(void *context, const struct fg_ads_cell *c, size_t n)
{
    struct listing *l = context;
    (void)n;
    int64_t state = c[8].number > c[9].number ? c[8].number : c[9].number;
    struct fg_ads_row row = {.ad = c[0].number,
                             .advertiser = fg_arena_dup(l->arena, c[1].text),
                             .phrase = fg_arena_dup(l->arena, c[2].text),
                             .is_broad = c[3].number != 0,
                             .bid = c[4].number,
                             .title = fg_arena_dup(l->arena, c[5].text),
                             .url = fg_arena_dup(l->arena, c[6].text),
                             .text = fg_arena_dup(l->arena, c[7].text),
                             .state = (enum fg_ads_state)state,
                             .budget = c[10].number,
                             .added = c[11].number,
                             .shown = c[12].number,
                             .clicked = c[13].number,
                             .spent = c[14].number};
    fg_vec_push_in(l->arena, &l->rows, row);
    return true;
}

enum fg_status fg_ads_list(struct fg_ads *ads, struct fg_ads_row **rows, size_t *n,
                           struct fg_arena *arena, struct fg_err *err)
{
    struct listing listing = {.arena = arena};
    enum fg_status st = fg_ads_db_ask(ads->db, FG_ADS_ALL, NULL, take_row, &listing, err);
    *rows = listing.rows.at;
    *n = listing.rows.len;
    return st;
}

static bool take_day(void *context, const struct fg_ads_cell *c, size_t n)
{
    struct listing *l = context;
    (void)n;
    struct fg_ads_day day = {fg_arena_dup(l->arena, c[0].text),
                             (int32_t)c[1].number,
                             c[2].number,
                             c[3].number,
                             c[4].number,
                             c[5].number,
                             c[6].number};
    fg_vec_push_in(l->arena, &l->days, day);
    return true;
}

enum fg_status fg_ads_report(struct fg_ads *ads, struct fg_ads_day **days, size_t *n,
                             struct fg_arena *arena, int32_t since, struct fg_err *err)
{
    struct listing listing = {.arena = arena};
    enum fg_status st = fg_ads_db_ask(ads->db, FG_ADS_DAYS, FG_CELLS(FG_CELL_INT(since)),
                                      take_day, &listing, err);
    *days = listing.days.at;
    *n = listing.days.len;
    return st;
}
