#include "search/ads/live_kept.h"

#include <stdio.h>
#include <string.h>

enum { BYTES_LEARNED = FG_ADS_COLUMNS * sizeof(float) };

/* --- small questions --- */

static bool take_bytes(void *context, const struct fg_ads_cell *row, size_t n)
{
    struct bytes *into = context;
    (void)n;
    into->is_there = row[0].text.len == into->n;
    if (into->is_there)
        memcpy(into->at, row[0].text.at, into->n);
    return false;
}

enum fg_status ads_get_state(struct fg_ads *ads, const char *name, struct bytes *bytes,
                             struct fg_err *err)
{
    return fg_ads_db_ask(ads->db, FG_ADS_STATE, FG_CELLS(FG_CELL_TEXT(fg_str_from(name))),
                         take_bytes, bytes, err);
}

enum fg_status ads_put_state(struct fg_ads *ads, const char *name, const void *at,
                             size_t n, struct fg_err *err)
{
    return fg_ads_db_ask(
        ads->db, FG_ADS_PUT_STATE,
        FG_CELLS(FG_CELL_TEXT(fg_str_from(name)), FG_CELL_BLOB(((struct fg_str){at, n}))),
        NULL, NULL, err);
}

static bool take_number(void *context, const struct fg_ads_cell *row, size_t n)
{
    (void)n;
    *(int64_t *)context = row[0].number;
    return false;
}

enum fg_status ads_get_number(struct fg_ads *ads, enum fg_ads_question question,
                              const struct fg_ads_cell *arguments, int64_t *number,
                              struct fg_err *err)
{
    return fg_ads_db_ask(ads->db, question, arguments, take_number, number, err);
}

enum fg_status ads_tell(struct fg_ads *ads, enum fg_ads_question question,
                        const struct fg_ads_cell *arguments, struct fg_err *err)
{
    return fg_ads_db_ask(ads->db, question, arguments, NULL, NULL, err);
}

int32_t ads_day_of(fg_time now)
{
    return (int32_t)(now / FG_DAY);
}

void ads_read_learned(float learned[FG_ADS_COLUMNS], const struct fg_ads_cell *cell)
{
    memset(learned, 0, BYTES_LEARNED);
    if (cell->text.len == BYTES_LEARNED)
        memcpy(learned, cell->text.at, BYTES_LEARNED);
}

/* --- a market of the candidates --- */

bool ads_is_paced(const struct fg_ads *ads)
{
    return ads->policy->slice && !ads->policy->is_throttled;
}

void ads_load_columns(float **columns, size_t n, size_t at, const float *learned)
{
    for (size_t i = 0; i < n; i++)
        columns[i][at] = learned[i];
}

struct fg_str ads_save_columns(float **columns, size_t n, size_t at, float *learned)
{
    memset(learned, 0, BYTES_LEARNED);
    for (size_t i = 0; i < n; i++)
        learned[i] = columns[i][at];
    return (struct fg_str){(const char *)learned, BYTES_LEARNED};
}

/* What was learned by another policy means nothing to this one. */
enum fg_status ads_load_kept(struct fg_ads *ads, struct kept *kept,
                             struct fg_market *market, fg_time now, struct fg_err *err)
{
    struct bytes bytes = {kept, sizeof *kept, false};
    *kept = (struct kept){0};
    enum fg_status st = ads_get_state(ads, "kept", &bytes, err);
    fg_market_init(market, ads->policy, (uint64_t)now);
    if (!st && (!bytes.is_there ||
                strncmp(kept->policy, ads->policy->name, sizeof kept->policy) != 0)) {
        if (!bytes.is_there)
            *kept = (struct kept){.began = now};
        memcpy(kept->self, market->self, sizeof kept->self);
        snprintf(kept->policy, sizeof kept->policy, "%s", ads->policy->name);
        kept->slice = now / (FG_DAY / FG_ADS_SLICES);
        st = ads_tell(ads, FG_ADS_FORGET, NULL, err);
    }
    double days = fg_days(now - kept->began), phrases = (double)kept->phrases;
    memcpy(market->self, kept->self, sizeof market->self);
    market->days = days < 0 ? 0 : days;
    market->all_queries = kept->queries;
    days = days < 1.0 / FG_ADS_SLICES ? 1.0 / FG_ADS_SLICES : days;
    market->mean_queries = phrases > 0 ? ((double)kept->queries + 1) / phrases / days : 1;
    return st;
}

enum fg_status ads_save_kept(struct fg_ads *ads, struct kept *kept,
                             const struct fg_market *market, struct fg_err *err)
{
    memcpy(kept->self, market->self, sizeof kept->self);
    return ads_put_state(ads, "kept", kept, sizeof *kept, err);
}

int32_t ads_clip(int64_t money)
{
    return money < 0 ? 0 : money > FG_MONEY_MOST ? FG_MONEY_MOST : (int32_t)money;
}

enum fg_status ads_remaining_of(struct fg_ads *ads, int64_t advertiser, int64_t budget,
                                fg_time now, bool less_held, int32_t *remaining,
                                struct fg_err *err)
{
    int64_t spent = 0, held = 0;
    *remaining = FG_NO_BUDGET;
    if (budget < 0)
        return FG_OK;
    enum fg_status st = ads_get_number(
        ads, FG_ADS_SPENT,
        FG_CELLS(FG_CELL_INT(advertiser), FG_CELL_INT(ads_day_of(now))), &spent, err);
    if (!st && less_held)
        st = ads_get_number(ads, FG_ADS_RESERVED,
                            FG_CELLS(FG_CELL_INT(advertiser), FG_CELL_INT(now)), &held,
                            err);
    *remaining = ads_clip(budget - spent - held);
    return st;
}

enum fg_status ads_add_advertiser(struct fg_ads *ads, struct fg_market *m,
                                  const struct candidate *c, fg_time now, uint32_t *who,
                                  struct fg_err *err)
{
    int32_t remaining;
    enum fg_status st =
        ads_remaining_of(ads, c->advertiser, c->budget, now, true, &remaining, err);
    *who =
        fg_market_add_advertiser(m, c->budget < 0 ? FG_NO_BUDGET : ads_clip(c->budget));
    ads_load_columns(m->advertisers.column, ads->policy->advertiser_columns, *who,
                     c->learned);
    if (ads_is_paced(ads))
        m->advertisers.purse[*who].keep = (float)(1 - c->price);
    fg_market_fill(m, *who, remaining);
    return st;
}

static bool take_counts(void *context, const struct fg_ads_cell *row, size_t n)
{
    struct counts *counts = context;
    counts->shown = row[0].number;
    counts->clicked = n > 2 ? row[1].number : 0;
    ads_read_learned(counts->learned, &row[n - 1]);
    counts->is_there = true;
    return false;
}

enum fg_status ads_read_arm(struct fg_ads *ads, int64_t ad, struct fg_str phrase,
                            struct counts *counts, struct fg_err *err)
{
    *counts = (struct counts){0};
    return fg_ads_db_ask(ads->db, FG_ADS_ARM,
                         FG_CELLS(FG_CELL_INT(ad), FG_CELL_TEXT(phrase)), take_counts,
                         counts, err);
}

enum fg_status ads_read_phrase(struct fg_ads *ads, struct fg_str phrase,
                               struct counts *counts, struct fg_err *err)
{
    *counts = (struct counts){0};
    return fg_ads_db_ask(ads->db, FG_ADS_PHRASE, FG_CELLS(FG_CELL_TEXT(phrase)),
                         take_counts, counts, err);
}

enum fg_status ads_save_advertiser(struct fg_ads *ads, struct fg_market *m, size_t who,
                                   int64_t number, struct fg_err *err)
{
    float learned[FG_ADS_COLUMNS];
    double price = ads_is_paced(ads) ? 1 - (double)m->advertisers.purse[who].keep : 0;
    struct fg_str bytes = ads_save_columns(m->advertisers.column,
                                           ads->policy->advertiser_columns, who, learned);
    return ads->policy->advertiser_columns
               ? ads_tell(ads, FG_ADS_LEARNED,
                          FG_CELLS(FG_CELL_INT(number), FG_CELL_REAL(price),
                                   FG_CELL_BLOB(bytes)),
                          err)
               : FG_OK;
}

enum fg_status ads_save_arm(struct fg_ads *ads, struct fg_market *m, size_t place,
                            int64_t ad, struct fg_str phrase, struct fg_err *err)
{
    float learned[FG_ADS_COLUMNS];
    struct fg_str bytes =
        ads_save_columns(m->of_place, ads->policy->place_columns, place, learned);
    return ads_tell(ads, FG_ADS_PUT_ARM,
                    FG_CELLS(FG_CELL_INT(ad), FG_CELL_TEXT(phrase),
                             FG_CELL_INT(m->shown[place]), FG_CELL_INT(m->clicked[place]),
                             FG_CELL_BLOB(bytes)),
                    err);
}

enum fg_status ads_save_phrase(struct fg_ads *ads, struct fg_market *m,
                               struct fg_str phrase, struct fg_err *err)
{
    float learned[FG_ADS_COLUMNS];
    struct fg_str bytes =
        ads_save_columns(m->phrases.column, ads->policy->phrase_columns, 0, learned);
    return ads_tell(ads, FG_ADS_PUT_PHRASE,
                    FG_CELLS(FG_CELL_TEXT(phrase), FG_CELL_INT(m->phrases.queries[0]),
                             FG_CELL_BLOB(bytes)),
                    err);
}
