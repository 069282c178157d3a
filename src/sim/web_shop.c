/* An offer's price is a list price and, while its category has a sale that it joined, a
 * discount. What happens to it (a new list price, the old one again, stock running out or
 * coming back, a sale beginning or ending) is drawn for each offer from a stream of its
 * own, sorted by time, and played once when the shop is made. */
#include "base/variate.h"
#include "sim/web_model.h"
#include "sim/web_shop_model.h"

#include "base/json.h"
#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const fg_time past = 30 * FG_DAY; /* of prices, before the story begins */

/* Shares of the changes of an offer's own accord. */
static const double back_share = 0.15, stock_share = 0.1;
static const double joins_sale = 0.7, most_changes_per_day = 24;
static const double out_of_stock = 18 * (double)FG_HOUR; /* on average */

/* When prices are changed, by the hour: at midnight by programs, then by people. */
static const double hour_profile[24] = {
    4.2, 2.4, 0.5, 0.4, 0.4, 0.5, 0.8, 1.5, 1.8, 1.5, 1.2, 1.0,
    0.9, 0.9, 0.8, 0.7, 0.7, 0.7, 0.6, 0.6, 0.5, 0.5, 0.5, 0.4,
};

enum stream { CATEGORIES, BRANDS, SELLERS, OFFERS, EVENTS, COUNTS, NAMES };

struct fg_shop_options fg_shop_defaults(void)
{
    return (struct fg_shop_options){
        .seed = 1,
        .offers = 400,
        .categories = 12,
        .brands = 30,
        .sellers = 10,
        .from = 0,
        .to = 28 * FG_DAY,
        .changes_per_day = 0.5,
        .sales_per_day = 0.1,
        .clicks_per_day = 1,
        .has_noise = true,
    };
}

/* --- who is who --- */

static void name_things(struct fg_shop *shop, const struct fg_rng *root)
{
    static const char *const goods[] = {
        "cameras", "phones",   "laptops",    "shoes", "jackets", "tents",
        "lamps",   "bicycles", "headphones", "toys",  "tools",   "watches",
        "garden",  "kitchen",  "sofas",      "books",
    };
    enum { GOODS = sizeof goods / sizeof *goods };
    static const char *const syllables[] = {"al",  "bor", "can", "der", "fin", "gor",
                                            "hel", "jo",  "kim", "lor", "mar", "nov",
                                            "or",  "pel", "ros", "tan"};
    struct fg_rng rng = fg_rng_split(root, NAMES);
    for (unsigned i = 0; i < shop->options.categories; i++) {
        char *text = shop->categories[i].text;
        if (i < GOODS)
            snprintf(text, SHOP_NAME, "%s", goods[i]);
        else
            snprintf(text, SHOP_NAME, "%s-%u", goods[i % GOODS], i / GOODS + 1);
    }
    for (unsigned i = 0; i < shop->options.brands; i++)
        snprintf(shop->brands[i].text, SHOP_NAME, "%s%s%u",
                 syllables[fg_rng_below(&rng, 16)], syllables[fg_rng_below(&rng, 16)],
                 i + 1);
    for (unsigned i = 0; i < shop->options.sellers; i++)
        snprintf(shop->sellers[i].text, SHOP_NAME, "%s %s %u",
                 syllables[fg_rng_below(&rng, 16)], syllables[fg_rng_below(&rng, 16)],
                 i + 1);
}

/* What belongs to a number of a kind: two normals, for changes and for clicks. */
static double effect(const struct fg_rng *root, enum stream kind, unsigned number,
                     bool of_clicks)
{
    struct fg_rng all = fg_rng_split(root, kind);
    struct fg_rng rng = fg_rng_split(&all, number);
    double changes = fg_rng_normal(&rng), clicks = fg_rng_normal(&rng);
    return of_clicks ? clicks : changes;
}

/* Low numbers are chosen more often: the first about n times as often as the last. */
static unsigned zipf(struct fg_rng *rng, unsigned n)
{
    unsigned number = (unsigned)(pow(n + 1.0, fg_rng_unit(rng)) - 1);
    return number < n ? number : n - 1;
}

static void make_offer(const struct fg_shop *shop, const struct fg_rng *root,
                       struct fg_rng *rng, struct fg_shop_offer *offer)
{
    *offer = (struct fg_shop_offer){
        .category = (unsigned)fg_rng_below(rng, shop->options.categories),
        .brand = zipf(rng, shop->options.brands),
        .seller = zipf(rng, shop->options.sellers),
    };
    double mood = fg_rng_unit(rng);
    offer->condition = mood < 0.8 ? 0 : mood < 0.93 ? 1 : 2;
    offer->changes_per_day = exp(0.6 * effect(root, CATEGORIES, offer->category, false) +
                                 0.5 * effect(root, BRANDS, offer->brand, false) +
                                 0.8 * effect(root, SELLERS, offer->seller, false) +
                                 0.8 * fg_rng_normal(rng) - 0.4 * (offer->condition > 0));
    offer->clicks_per_day =
        exp(0.6 * effect(root, CATEGORIES, offer->category, true) +
            0.5 * effect(root, BRANDS, offer->brand, true) + 1.6 * fg_rng_normal(rng));
    offer->impressions_per_day = 25 * exp(0.6 * fg_rng_normal(rng)); /* to a click */
}

static void make_offers(struct fg_shop *shop, const struct fg_rng *root)
{
    const struct fg_shop_options *o = &shop->options;
    struct fg_rng all = fg_rng_split(root, OFFERS);
    double changes = 0, clicks = 0;
    for (unsigned i = 0; i < o->offers; i++) {
        struct fg_rng rng = fg_rng_split(&all, i);
        make_offer(shop, root, &rng, &shop->offers[i]);
        changes += shop->offers[i].changes_per_day / o->offers;
        clicks += shop->offers[i].clicks_per_day / o->offers;
    }
    for (unsigned i = 0; i < o->offers; i++) {
        struct fg_shop_offer *offer = &shop->offers[i];
        offer->changes_per_day = fmin(
            most_changes_per_day, offer->changes_per_day / changes * o->changes_per_day);
        offer->clicks_per_day *= o->clicks_per_day / clicks;
        offer->impressions_per_day *= offer->clicks_per_day;
    }
}

/* --- what happens --- */

enum event_kind { NEW_PRICE, OLD_PRICE, SOLD_OUT, BACK_IN_STOCK, SALE_BEGINS, SALE_ENDS };

struct event {
    fg_time at;
    enum event_kind kind;
    double by; /* the factor on the price */
};

typedef FG_VEC(struct event) event_list;

static void add_own_changes(struct fg_shop *shop, const struct fg_shop_offer *offer,
                            struct fg_rng *rng, event_list *events)
{
    static const double highest = 4.2;
    double per_microsecond = offer->changes_per_day * highest / (double)FG_DAY;
    for (double at = (double)(shop->options.from - past);;) {
        at += fg_rng_exponential(rng) / per_microsecond;
        if (at >= (double)shop->options.to)
            return;
        if (fg_rng_unit(rng) * highest > hour_profile[fg_hour_of_day((fg_time)at)])
            continue;
        double which = fg_rng_unit(rng);
        struct event event = {.at = (fg_time)at,
                              .kind = which < back_share                 ? OLD_PRICE
                                      : which < back_share + stock_share ? SOLD_OUT
                                                                         : NEW_PRICE,
                              .by = exp(0.08 * fg_rng_normal(rng))};
        fg_vec_push(events, event);
        if (event.kind == SOLD_OUT) {
            event.kind = BACK_IN_STOCK;
            event.at += (fg_time)(out_of_stock * fg_rng_exponential(rng));
            fg_vec_push(events, event);
        }
    }
}

/* The sales of a category come from its stream, whether an offer joins from its own. */
static void add_sales(const struct fg_shop *shop, const struct fg_rng *root,
                      unsigned category, struct fg_rng *rng, event_list *events)
{
    static const double lag = 20 * (double)FG_MINUTE;
    struct fg_rng all = fg_rng_split(root, EVENTS);
    struct fg_rng sales = fg_rng_split(&all, UINT64_MAX - category);
    double every = (double)FG_DAY / shop->options.sales_per_day;
    double at = (double)(shop->options.from - past);
    while (shop->options.sales_per_day > 0) {
        at += every * fg_rng_exponential(&sales);
        double end = at + (double)FG_HOUR * (12 + 48 * fg_rng_unit(&sales));
        double discount = 0.1 + 0.3 * fg_rng_unit(&sales);
        if (at >= (double)shop->options.to)
            return;
        bool joins = fg_rng_unit(rng) < joins_sale;
        fg_time first = (fg_time)(at + lag * fg_rng_exponential(rng));
        fg_time last = (fg_time)(end + lag * fg_rng_exponential(rng));
        if (joins && first < last) {
            fg_vec_push(events, (struct event){first, SALE_BEGINS, 1 - discount});
            fg_vec_push(events, (struct event){last, SALE_ENDS, 1});
        }
        at = end;
    }
}

static int by_time(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

struct shelf {
    double list, before, discount; /* before: the list price that the last one replaced */
    bool in_stock;
};

static void play(struct shelf *shelf, const struct event *event)
{
    double list = shelf->list;
    switch (event->kind) {
    case NEW_PRICE:
        shelf->list = fmax(1, round(list * event->by * 100) / 100);
        shelf->before = list;
        break;
    case OLD_PRICE:
        shelf->list = shelf->before;
        shelf->before = list;
        break;
    case SOLD_OUT:
    case BACK_IN_STOCK:
        shelf->in_stock = event->kind == BACK_IN_STOCK;
        break;
    case SALE_BEGINS:
    case SALE_ENDS:
        shelf->discount = event->by;
        break;
    }
}

static struct fg_shop_value value_of(const struct shelf *shelf, fg_time since)
{
    return (struct fg_shop_value){
        .since = since,
        .cents = (uint32_t)lround(100 * shelf->list * shelf->discount),
        .in_stock = shelf->in_stock,
    };
}

static bool is_same(const struct fg_shop_value *a, const struct fg_shop_value *b)
{
    return a->cents == b->cents && a->in_stock == b->in_stock;
}

static void make_values(struct fg_shop *shop, size_t number, struct fg_rng *rng,
                        const event_list *events)
{
    double list = round(100 * exp(3.5 + 1.2 * fg_rng_normal(rng))) / 100;
    struct shelf shelf = {.list = fmax(1, fmin(1e6, list)), .discount = 1, .in_stock = 1};
    shelf.before = shelf.list;
    struct fg_shop_value last = value_of(&shelf, shop->options.from - past);
    fg_vec_push(&shop->values, last);
    size_t n = 1;
    for (size_t i = 0; i < events->len; i++) {
        play(&shelf, &events->at[i]);
        struct fg_shop_value value = value_of(&shelf, events->at[i].at);
        if (is_same(&value, &last))
            continue;
        fg_vec_push(&shop->values, value);
        last = value;
        n++;
    }
    shop->offers[number].n_values = n;
}

static void make_histories(struct fg_shop *shop, const struct fg_rng *root)
{
    event_list events = {0};
    struct fg_rng all = fg_rng_split(root, EVENTS);
    for (unsigned i = 0; i < shop->options.offers; i++) {
        struct fg_rng rng = fg_rng_split(&all, i);
        events.len = 0;
        add_own_changes(shop, &shop->offers[i], &rng, &events);
        add_sales(shop, root, shop->offers[i].category, &rng, &events);
        if (events.len)
            qsort(events.at, events.len, sizeof *events.at, by_time);
        make_values(shop, i, &rng, &events);
    }
    fg_vec_clear(&events);
    const struct fg_shop_value *next = shop->values.at;
    for (unsigned i = 0; i < shop->options.offers; i++) {
        shop->offers[i].values = next;
        next += shop->offers[i].n_values;
    }
}

struct fg_shop *fg_shop_new(const struct fg_shop_options *options)
{
    struct fg_shop *shop = fg_zeroed(1, sizeof *shop);
    shop->options = *options;
    shop->offers = fg_zeroed(options->offers, sizeof *shop->offers);
    shop->categories = fg_zeroed(options->categories, sizeof *shop->categories);
    shop->brands = fg_zeroed(options->brands, sizeof *shop->brands);
    shop->sellers = fg_zeroed(options->sellers, sizeof *shop->sellers);
    struct fg_rng root = fg_rng_from_seed(options->seed);
    shop->counts = fg_rng_split(&root, COUNTS);
    name_things(shop, &root);
    make_offers(shop, &root);
    make_histories(shop, &root);
    return shop;
}

void fg_shop_free(struct fg_shop *shop)
{
    if (!shop)
        return;
    free(shop->offers);
    free(shop->categories);
    free(shop->brands);
    free(shop->sellers);
    fg_vec_clear(&shop->values);
    free(shop);
}

/* --- what is true --- */

size_t fg_shop_offers(const struct fg_shop *shop)
{
    return shop->options.offers;
}

const struct fg_shop_offer *fg_shop_offer(const struct fg_shop *shop, size_t i)
{
    return &shop->offers[i];
}

const struct fg_shop_value *fg_shop_value_at(const struct fg_shop_offer *offer,
                                             fg_time now)
{
    size_t low = 1, high = offer->n_values;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (offer->values[middle].since <= now)
            low = middle + 1;
        else
            high = middle;
    }
    return &offer->values[low - 1];
}

char *fg_shop_value_format(char out[static FG_SHOP_VALUE_TEXT],
                           const struct fg_shop_value *value)
{
    snprintf(out, FG_SHOP_VALUE_TEXT, "%" PRIu32 ".%02" PRIu32 " EUR %s",
             value->cents / 100, value->cents % 100,
             value->in_stock ? "InStock" : "OutOfStock");
    return out;
}

static fg_time least(fg_time a, fg_time b)
{
    return a < b ? a : b;
}

fg_time fg_shop_fresh_time(const struct fg_shop_offer *offer,
                           const struct fg_shop_copy *copies, size_t n, fg_time from,
                           fg_time to)
{
    fg_time fresh = 0, now = from;
    size_t copy = 0;
    while (now < to) {
        const struct fg_shop_value *value = fg_shop_value_at(offer, now);
        bool is_last = value + 1 == offer->values + offer->n_values;
        fg_time end = is_last ? to : least(to, value[1].since);
        while (copy < n && copies[copy].since <= now)
            copy++;
        end = copy < n ? least(end, copies[copy].since) : end;
        char text[FG_SHOP_VALUE_TEXT];
        fg_shop_value_format(text, value);
        if (copy && fg_str_eq(copies[copy - 1].text, fg_str_from(text)))
            fresh += end - now;
        now = end;
    }
    return fresh;
}

/* Weekends are busier; and every offer has good days and bad days. */
struct fg_shop_counts fg_shop_day(const struct fg_shop *shop, size_t i, int64_t day)
{
    const struct fg_shop_offer *offer = &shop->offers[i];
    struct fg_rng own = fg_rng_split(&shop->counts, i);
    struct fg_rng rng = fg_rng_split(&own, (uint64_t)day);
    bool is_weekend = ((day + 3) % 7 + 7) % 7 >= 5; /* day 0 was a Thursday */
    double factor = (is_weekend ? 1.2 : 0.92) * fg_rng_gamma(&rng, 4) / 4;
    uint64_t shown = fg_rng_poisson(&rng, factor * offer->impressions_per_day);
    double share = fmin(1, offer->clicks_per_day / offer->impressions_per_day);
    return (struct fg_shop_counts){fg_rng_binomial(&rng, shown, share), shown};
}

uint64_t shop_slug_seed(const struct fg_shop *shop, size_t i)
{
    return shop->options.seed * 1000003 + i;
}

void fg_shop_path(const struct fg_shop *shop, size_t i, struct fg_buf *out)
{
    const struct fg_shop_offer *offer = &shop->offers[i];
    fg_buf_printf(out, "/offers/%s/", shop->categories[offer->category].text);
    web_add_slug(shop_slug_seed(shop, i), out);
    fg_buf_printf(out, "-%zu", i);
}

void fg_shop_csv(const struct fg_shop *shop, struct fg_str origin, int64_t first,
                 int64_t end, struct fg_buf *out)
{
    fg_buf_add(out, FG_STR("url,day,clicks,impressions\n"));
    for (int64_t day = first; day < end; day++) {
        int64_t year;
        int month, date;
        fg_date_from_days(day, &year, &month, &date);
        for (size_t i = 0; i < shop->options.offers; i++) {
            struct fg_shop_counts counts = fg_shop_day(shop, i, day);
            fg_buf_add(out, origin);
            fg_shop_path(shop, i, out);
            fg_buf_printf(out, ",%04d-%02d-%02d,%" PRIu64 ",%" PRIu64 "\n", (int)year,
                          month, date, counts.clicks, counts.impressions);
        }
    }
}

static void add_truth(const struct fg_shop *shop, struct fg_str origin, size_t i,
                      const struct fg_shop_value *value, struct fg_buf *out)
{
    struct fg_buf url;
    fg_buf_init(&url, 4096);
    fg_buf_add(&url, origin);
    fg_shop_path(shop, i, &url);
    struct fg_json json = fg_json_to(out);
    fg_json_object(&json);
    fg_json_key(&json, "url");
    fg_json_str(&json, fg_buf_str(&url));
    fg_json_pair_time(&json, "since", value->since);
    fg_json_pair_double(&json, "price", value->cents / 100.0);
    fg_json_pair_cstr(&json, "currency", "EUR");
    fg_json_pair_bool(&json, "in_stock", value->in_stock);
    fg_json_pair_double(&json, "clicks_per_day", shop->offers[i].clicks_per_day);
    fg_json_end(&json);
    fg_buf_add_char(out, '\n');
    fg_buf_clear(&url);
}

void fg_shop_truth(const struct fg_shop *shop, struct fg_str origin, fg_time from,
                   fg_time to, struct fg_buf *out)
{
    for (size_t i = 0; i < shop->options.offers; i++) {
        const struct fg_shop_offer *offer = &shop->offers[i];
        for (size_t j = 0; j < offer->n_values; j++) {
            bool is_over = j + 1 < offer->n_values && offer->values[j + 1].since <= from;
            if (!is_over && offer->values[j].since < to)
                add_truth(shop, origin, i, &offer->values[j], out);
        }
    }
}
