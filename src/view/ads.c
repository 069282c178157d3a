#include "view/ads.h"

/* --- money --- */

int64_t fg_money_read(struct fg_str text)
{
    struct fg_str whole, rest = text;
    int64_t units, cents = 0;
    if (!fg_str_cut(&rest, '.', &whole) || !whole.len || whole.len > 9 || rest.len > 2 ||
        text.at[text.len - 1] == '.')
        return -1;
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] != '.' && (text.at[i] < '0' || text.at[i] > '9'))
            return -1;
    if (!fg_str_to_i64(whole, &units) || (rest.len && !fg_str_to_i64(rest, &cents)))
        return -1;
    return units * 100 + (rest.len == 1 ? cents * 10 : cents);
}

const char *fg_money_refuse(struct fg_str text)
{
    return text.len && fg_money_read(text) < 0 ? "is not a sum of money, such as 0.40"
                                               : NULL;
}

struct fg_str fg_money_text(struct fg_arena *arena, int64_t hundredths)
{
    return hundredths < 0
               ? FG_STR("none")
               : fg_arena_printf(arena, "%lld.%02lld", (long long)(hundredths / 100),
                                 (long long)(hundredths % 100));
}

void fg_money_json(struct fg_json *json, const char *key, int64_t hundredths)
{
    fg_json_key(json, key);
    if (hundredths < 0)
        fg_json_null(json);
    else
        fg_json_double(json, (double)hundredths / 100);
}

/* --- a form --- */

enum fg_status fg_ads_form_read(struct fg_ads_campaign *campaign,
                                const struct fg_ads_form *form, struct fg_str advertiser,
                                struct fg_str phrase, struct fg_str url,
                                struct fg_err *err)
{
    *campaign = (struct fg_ads_campaign){
        .advertiser = advertiser,
        .phrase = phrase,
        .url = url,
        .title = form->title.len ? form->title : advertiser,
        .text = form->text,
        .cluster = form->cluster,
        .is_broad = form->broad,
        .alpha = form->alpha,
        .beta = form->beta,
        .budget = form->budget.len ? fg_money_read(form->budget) : -1,
        .keeps_budget = !form->budget.len};
    if (!form->bid.len)
        return fg_fail(err, FG_ECONFIG, "no bid: say what a click is worth");
    campaign->bid = fg_money_read(form->bid);
    return fg_ads_check(campaign, err);
}

/* --- rows --- */

const char *const fg_ads_states[] = {[FG_ADS_ACTIVE] = "active",
                                     [FG_ADS_PAUSED] = "paused",
                                     [FG_ADS_REVOKED] = "revoked",
                                     NULL};

void fg_ads_row_json(struct fg_json *json, const struct fg_ads_row *row)
{
    fg_json_object(json);
    fg_json_pair_int(json, "ad", row->ad);
    fg_json_pair(json, "advertiser", row->advertiser);
    fg_json_pair(json, "phrase", row->phrase);
    fg_json_pair_cstr(json, "match", row->is_broad ? "broad" : "exact");
    fg_money_json(json, "bid", row->bid);
    fg_money_json(json, "budget", row->budget);
    fg_json_pair(json, "title", row->title);
    fg_json_pair(json, "url", row->url);
    fg_json_pair(json, "text", row->text);
    fg_json_pair_cstr(json, "state", fg_ads_states[row->state]);
    fg_json_pair_int(json, "shown", row->shown);
    fg_json_pair_int(json, "clicked", row->clicked);
    fg_money_json(json, "spent", row->spent);
    fg_json_end(json);
}

struct fg_str fg_ads_date(struct fg_arena *arena, int32_t day)
{
    char text[FG_TIME_TEXT];
    fg_time_format(text, (fg_time)day * FG_DAY);
    return fg_arena_dup(arena, fg_str_sub(fg_str_from(text), 0, 10));
}

void fg_ads_day_json(struct fg_json *json, struct fg_arena *arena,
                     const struct fg_ads_day *day)
{
    fg_json_object(json);
    fg_json_pair(json, "date", fg_ads_date(arena, day->day));
    fg_json_pair(json, "advertiser", day->advertiser);
    fg_json_pair_int(json, "shown", day->shown);
    fg_json_pair_int(json, "clicked", day->clicked);
    fg_json_pair_int(json, "charged", day->charged);
    fg_money_json(json, "spent", day->spent);
    fg_money_json(json, "budget", day->budget);
    fg_json_end(json);
}
