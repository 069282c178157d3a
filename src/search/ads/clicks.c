/* clicks.c - a click is charged once, or not at all, and says why */
#include "search/ads/live_kept.h"

static const char *const outcomes[] = {
    [FG_ADS_CHARGED] = "charged",   [FG_ADS_FREE] = "free",
    [FG_ADS_FORGED] = "forged",     [FG_ADS_LATE] = "late",
    [FG_ADS_REPEATED] = "repeated", [FG_ADS_TOO_MANY] = "too-many",
};

const char *fg_ads_outcome_name(enum fg_ads_outcome outcome)
{
    return outcomes[outcome];
}

struct display {
    int64_t ad;
    struct candidate of;
    struct fg_str phrase;
    struct fg_ad_before before;
    struct fg_arena *arena;
    bool is_there;
};

static bool take_display(void *context, const struct fg_ads_cell *row, size_t n)
{
    struct display *d = context;
    (void)n;
    d->ad = row[0].number;
    d->of = (struct candidate){.advertiser = row[1].number,
                               .bid = row[3].number,
                               .budget = row[6].number,
                               .price = row[7].real};
    d->phrase = fg_arena_dup(d->arena, row[2].text);
    d->before = (struct fg_ad_before){(uint32_t)row[4].number, (uint32_t)row[5].number};
    ads_read_learned(d->of.learned, &row[8]);
    d->is_there = true;
    return false;
}

struct url_taker {
    struct fg_arena *arena;
    struct fg_str url;
};

static bool take_url(void *context, const struct fg_ads_cell *row, size_t n)
{
    struct url_taker *taker = context;
    (void)n;
    taker->url = fg_arena_dup(taker->arena, row[0].text);
    return false;
}

/* Whether this client has clicked too often today, this click included. */
static enum fg_status count_client(struct fg_ads *ads, struct fg_str client,
                                   int64_t advertiser, fg_time now, bool *is_too_many,
                                   struct fg_err *err)
{
    int32_t day = ads_day_of(now);
    int64_t number = fg_ads_client(client, day, ads->secret);
    int64_t whom[] = {advertiser, 0}; /* 0 stands for all */
    int64_t most[] = {ads->settings.per_advertiser, ads->settings.per_client};
    enum fg_status st = FG_OK;
    *is_too_many = false;
    if (!client.len)
        return FG_OK;
    for (size_t i = 0; !st && i < 2; i++) {
        int64_t clicks = 0;
        st = ads_get_number(
            ads, FG_ADS_CLICKER,
            FG_CELLS(FG_CELL_INT(day), FG_CELL_INT(number), FG_CELL_INT(whom[i])),
            &clicks, err);
        *is_too_many |= clicks >= most[i];
        if (!st)
            st = ads_tell(
                ads, FG_ADS_COUNT_CLICK,
                FG_CELLS(FG_CELL_INT(day), FG_CELL_INT(number), FG_CELL_INT(whom[i])),
                err);
    }
    return st ? st : ads_tell(ads, FG_ADS_DROP_CLICKERS, FG_CELLS(FG_CELL_INT(day)), err);
}

/* The policy hears of the click on a market of this one ad. */
static enum fg_status learn(struct fg_ads *ads, const struct display *d, fg_time now,
                            struct fg_err *err)
{
    struct fg_market m;
    struct kept kept;
    struct counts arm, phrase;
    uint32_t who = 0;
    enum fg_status st = ads_load_kept(ads, &kept, &m, now, err);
    if (!st)
        st = ads_read_arm(ads, d->ad, d->phrase, &arm, err);
    if (!st)
        st = ads_read_phrase(ads, d->phrase, &phrase, err);
    if (!st)
        st = ads_add_advertiser(ads, &m, &d->of, now, &who, err);
    if (!st) {
        fg_market_add_phrase(&m);
        m.phrases.queries[0] = (uint32_t)phrase.shown;
        ads_load_columns(m.phrases.column, ads->policy->phrase_columns, 0,
                         phrase.learned);
        uint32_t place = fg_market_add(
            &m, 0, &(struct fg_ad){.advertiser = who, .bid = ads_clip(d->of.bid)});
        m.shown[place] = (uint32_t)arm.shown;
        m.clicked[place] = (uint32_t)arm.clicked;
        ads_load_columns(m.of_place, ads->policy->place_columns, place, arm.learned);
        fg_market_click(&m, 0, place, d->before);
        st = ads_save_arm(ads, &m, place, d->ad, d->phrase, err);
    }
    if (!st && phrase.is_there)
        st = ads_save_phrase(ads, &m, d->phrase, err);
    if (!st)
        st = ads_save_advertiser(ads, &m, who, d->of.advertiser, err);
    if (!st)
        st = ads_save_kept(ads, &kept, &m, err);
    fg_market_clear(&m);
    return st;
}

static enum fg_status charge(struct fg_ads *ads, struct fg_ads_taken *taken,
                             const struct display *d, fg_time now, struct fg_err *err)
{
    int32_t remaining;
    enum fg_status st = ads_remaining_of(ads, d->of.advertiser, d->of.budget, now, false,
                                         &remaining, err);
    taken->charged = d->of.bid < remaining ? d->of.bid : remaining;
    taken->outcome = taken->charged > 0 ? FG_ADS_CHARGED : FG_ADS_FREE;
    if (!st)
        st = ads_tell(
            ads, FG_ADS_CHARGE,
            FG_CELLS(FG_CELL_INT(d->of.advertiser), FG_CELL_INT(ads_day_of(now)),
                     FG_CELL_INT(taken->charged > 0), FG_CELL_INT(taken->charged)),
            err);
    if (!st)
        st = ads_tell(ads, FG_ADS_CHARGE_AD,
                      FG_CELLS(FG_CELL_INT(d->ad), FG_CELL_INT(taken->charged)), err);
    return st ? st : learn(ads, d, now, err);
}

static enum fg_status take_click(struct fg_ads *ads, struct fg_ads_taken *taken,
                                 struct fg_arena *arena, int64_t display,
                                 struct fg_str client, fg_time now, struct fg_err *err)
{
    struct display d = {.arena = arena};
    bool is_too_many = false;
    taken->outcome = FG_ADS_REPEATED;
    enum fg_status st = fg_ads_db_ask(
        ads->db, FG_ADS_DISPLAY, FG_CELLS(FG_CELL_INT(display)), take_display, &d, err);
    if (st || !d.is_there)
        return st;
    st = ads_tell(ads, FG_ADS_DROP_DISPLAY, FG_CELLS(FG_CELL_INT(display)), err);
    if (!st)
        st = count_client(ads, client, d.of.advertiser, now, &is_too_many, err);
    if (st || !is_too_many)
        return st ? st : charge(ads, taken, &d, now, err);
    taken->outcome = FG_ADS_TOO_MANY;
    return FG_OK;
}

enum fg_status fg_ads_click(struct fg_ads *ads, struct fg_ads_taken *taken,
                            struct fg_arena *arena, struct fg_str token,
                            struct fg_str client, fg_time now, struct fg_err *err)
{
    struct fg_ads_token read;
    struct url_taker taker = {.arena = arena};
    *taken = (struct fg_ads_taken){.outcome = FG_ADS_FORGED};
    if (!fg_ads_token_read(&read, token, ads->secret))
        return FG_OK;
    enum fg_status st = fg_ads_db_ask(ads->db, FG_ADS_URL, FG_CELLS(FG_CELL_INT(read.ad)),
                                      take_url, &taker, err);
    taken->url = taker.url;
    taken->outcome = FG_ADS_LATE;
    if (st || now > read.expires)
        return st;
    st = fg_ads_db_begin(ads->db, err);
    if (st)
        return st;
    st = take_click(ads, taken, arena, read.display, client, now, err);
    st = fg_ads_db_end(ads->db, st, err);
    if (st)
        *taken = (struct fg_ads_taken){.outcome = FG_ADS_LATE};
    return st;
}
