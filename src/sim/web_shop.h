/* web_shop.h - a shop whose prices, clicks and impressions are known
 *
 *     struct fg_shop *shop = fg_shop_new(&options);
 *     fg_shop_render(shop, path, origin, now, &body);     (what its server would answer)
 *     const struct fg_shop_offer *offer = fg_shop_offer(shop, i);
 *     fg_shop_value_at(offer, now)->cents                 (what is true)
 *     fg_shop_day(shop, i, day, &counts);                 (what its customers did)
 *
 * Offers in categories, each with a brand, a seller and a condition. How often an offer's
 * price changes is explained in part by these, in part by nothing; the hour of day
 * matters, and now and then a category has a sale, which most of its offers join within
 * the hour and leave together. Some changes take the old price back. Few offers have most
 * of the clicks. All of it follows from the options: two shops with the same are the same
 * shop, at any time, in any process. The pages are made in web_shop_pages.c. */
#ifndef FG_SIM_WEB_SHOP_H
#define FG_SIM_WEB_SHOP_H

#include "base/buf.h"
#include "base/time.h"
#include "sim/web.h"

struct fg_shop;

struct fg_shop_options {
    uint64_t seed;
    unsigned offers, categories, brands, sellers;
    fg_time from, to;       /* prices change from a month before `from` until `to` */
    double changes_per_day; /* of the mean offer, sales aside */
    double sales_per_day;   /* of a category */
    double clicks_per_day;  /* of the mean offer */
    bool has_noise;         /* as on other pages of the web */
};

struct fg_shop_options fg_shop_defaults(void);

struct fg_shop *fg_shop_new(const struct fg_shop_options *options);
void fg_shop_free(struct fg_shop *shop);

/* What the page of an offer says, and since when. */
struct fg_shop_value {
    fg_time since;
    uint32_t cents;
    bool in_stock;
};

struct fg_shop_offer {
    unsigned category, brand, seller, condition; /* 0 is new */
    double changes_per_day;                      /* of its own accord, sales aside */
    double clicks_per_day, impressions_per_day;  /* expected */
    const struct fg_shop_value *values; /* in order of time; each differs from the last */
    size_t n_values;                    /* at least 1 */
};

size_t fg_shop_offers(const struct fg_shop *shop);
const struct fg_shop_offer *fg_shop_offer(const struct fg_shop *shop, size_t i);
/* The value at a time; the first one before it began. */
const struct fg_shop_value *fg_shop_value_at(const struct fg_shop_offer *offer,
                                             fg_time now);
/* A value as a crawl stores it, "12.34 EUR InStock", and a copy that it has of one. */
#define FG_SHOP_VALUE_TEXT 48
char *fg_shop_value_format(char out[static FG_SHOP_VALUE_TEXT],
                           const struct fg_shop_value *value);
struct fg_shop_copy {
    fg_time since; /* in ascending order; each holds until the next */
    struct fg_str text;
};
/* For how much of [from, to) the copy at hand said what was true. */
fg_time fg_shop_fresh_time(const struct fg_shop_offer *offer,
                           const struct fg_shop_copy *copies, size_t n, fg_time from,
                           fg_time to);

/* The address of the offer's page within its site, appended to `out`. */
void fg_shop_path(const struct fg_shop *shop, size_t i, struct fg_buf *out);

/* What happened with an offer on a day, in days since 1970. */
struct fg_shop_counts {
    uint64_t clicks, impressions;
};
struct fg_shop_counts fg_shop_day(const struct fg_shop *shop, size_t i, int64_t day);

/* All offers on all days of [first, end) as CSV with a header: url, day, clicks,
 * impressions. */
void fg_shop_csv(const struct fg_shop *shop, struct fg_str origin, int64_t first,
                 int64_t end, struct fg_buf *out);

/* Every value of every offer that holds at some time in [from, to), a JSON object a line:
 * url, since, price, currency, in_stock, clicks_per_day. */
void fg_shop_truth(const struct fg_shop *shop, struct fg_str origin, fg_time from,
                   fg_time to, struct fg_buf *out);

/* As fg_web_render. "/counts.csv" has the last 30 days that are over; with "?day=DATE" or
 * "?days=N" another choice. No page links to it. */
struct fg_web_page fg_shop_render(const struct fg_shop *shop, struct fg_str path,
                                  struct fg_str origin, fg_time now, struct fg_buf *body);

#endif
