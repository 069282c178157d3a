/* ads.h - advertisements as people give them and see them: money, a form, rows as JSON
 *
 * Shared by `forage ads` and the server. Money is whole hundredths inside, and "0.40"
 * outside; without a budget it is "none", in JSON null. */
#ifndef FG_VIEW_ADS_H
#define FG_VIEW_ADS_H

#include "base/json.h"
#include "base/opt.h"
#include "search/ads/live.h"

/* "5", "0.4" or "12.50"; -1 if it is none of these. */
int64_t fg_money_read(struct fg_str text);
const char *fg_money_refuse(struct fg_str text); /* of an option */
struct fg_str fg_money_text(struct fg_arena *arena, int64_t hundredths);
void fg_money_json(struct fg_json *json, const char *key, int64_t hundredths);

/* What is said of an ad besides its advertiser, phrase and address. */
struct fg_ads_form {
    struct fg_str bid, budget, title, text, cluster;
    double alpha, beta;
    bool broad;
};
#define FG_ADS_FORM_OPTIONS(type, form)                                                 \
    {"bid", FG_STRING(type, form.bid), .arg = "SUM", .refuse = fg_money_refuse,         \
     .help = "what a click is worth to the advertiser, such as 0.40"},                  \
        {"budget", FG_STRING(type, form.budget), .arg = "SUM",                          \
         .refuse = fg_money_refuse,                                                     \
         .help = "most that the advertiser pays a day, for all its ads; without it no " \
                 "end, or as it was"},                                                  \
        {"title", FG_STRING(type, form.title), .arg = "TEXT",                           \
         .help = "the line that is shown; without it the name of the advertiser"},      \
        {"text", FG_STRING(type, form.text), .arg = "TEXT", .help = "a second line"},   \
        {"broad", FG_BOOL(type, form.broad),                                            \
         .help = "match all queries with these words, not only this phrase"},           \
        {"cluster", FG_STRING(type, form.cluster), .arg = "WORD",                       \
         .help = "a group of similar ads, for the policy two-level"},                   \
        {"alpha",    FG_DOUBLE(type, form.alpha),        "0", .min = 0,                 \
         .max = 1e6, .help = "clicks assumed beforehand"},                              \
    {                                                                                   \
        "beta", FG_DOUBLE(type, form.beta), "0",                                        \
            .min = 0, .max = 1e6, .help = "displays without a click assumed beforehand" \
    }

/* FG_ECONFIG says what is wrong with it. */
enum fg_status fg_ads_form_read(struct fg_ads_campaign *campaign,
                                const struct fg_ads_form *form, struct fg_str advertiser,
                                struct fg_str phrase, struct fg_str url,
                                struct fg_err *err);

extern const char *const fg_ads_states[]; /* by enum fg_ads_state; ended by NULL */
void fg_ads_row_json(struct fg_json *json, const struct fg_ads_row *row);
/* "2026-11-18" */
struct fg_str fg_ads_date(struct fg_arena *arena, int32_t day);
void fg_ads_day_json(struct fg_json *json, struct fg_arena *arena,
                     const struct fg_ads_day *day);

#endif
