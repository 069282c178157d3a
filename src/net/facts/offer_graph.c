/* offer_graph.c - the main thing of a page and its offers, out of schema.org's words
 *
 * Markup comes as one object, as arrays, under "@graph", in several scripts, with
 * references by "@id". Everything that has offers is a candidate; then the one that the
 * page is about is chosen, or none. How deep and how far we look is bounded, so that a
 * graph that refers to itself ends. */
#include "net/facts/offer_parts.h"

#include <stdio.h>

enum {
    CANDIDATES_MAX = 64,
    NAMED_MAX = 512,   /* objects that others may refer to */
    LOOKS_MAX = 20000, /* objects looked at in all */
    DEPTH_MAX = 12,
};

struct candidate {
    const json_t *node;
    bool is_product, is_main, has_offers;
};

struct graph {
    struct fg_arena *arena;
    const struct fg_page *page;
    struct candidate candidates[CANDIDATES_MAX];
    size_t n;
    const json_t *named[NAMED_MAX];
    size_t n_named, looks;
};

/* --- reading objects --- */

static struct fg_str string_of(const json_t *value)
{
    return json_is_string(value)
               ? (struct fg_str){json_string_value(value), json_string_length(value)}
               : (struct fg_str){0};
}

static struct fg_str string_at(const json_t *object, const char *key)
{
    return string_of(json_object_get(object, key));
}

/* Behind the last "/", "#" or ":" of its name. */
static bool is_name_of(struct fg_str name, const char *type)
{
    for (size_t i = name.len; i-- > 0;)
        if (name.at[i] == '/' || name.at[i] == '#' || name.at[i] == ':') {
            name = fg_str_skip(name, i + 1);
            break;
        }
    return fg_str_eq(name, fg_str_from(type));
}

static bool is_type(const json_t *object, const char *type)
{
    const json_t *types = json_object_get(object, "@type"), *one;
    size_t i;
    if (json_is_string(types))
        return is_name_of(string_of(types), type);
    json_array_foreach(types, i, one) if (is_name_of(string_of(one), type)) return true;
    return false;
}

static bool is_product(const json_t *object)
{
    static const char *const types[] = {
        "Product", "ProductGroup", "ProductModel",     "SomeProducts",
        "Vehicle", "Car",          "IndividualProduct"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (is_type(object, types[i]))
            return true;
    return false;
}

static bool is_offer(const json_t *object)
{
    return is_type(object, "Offer") || is_type(object, "AggregateOffer");
}

/* An object that only names another stands for that one. */
static const json_t *resolved(const struct graph *g, const json_t *value)
{
    struct fg_str id = string_at(value, "@id");
    if (!id.len || json_object_size(value) > 2 || json_object_get(value, "price"))
        return value;
    for (size_t i = 0; i < g->n_named; i++)
        if (fg_str_eq(string_at(g->named[i], "@id"), id))
            return g->named[i];
    return value;
}

/* The text of a value: itself, the name of an object, the first of an array. */
static struct fg_str text_of(struct graph *g, const json_t *value, unsigned depth)
{
    if (depth > DEPTH_MAX)
        return (struct fg_str){0};
    if (json_is_array(value))
        return text_of(g, json_array_get(value, 0), depth + 1);
    if (json_is_object(value)) {
        value = resolved(g, value);
        const json_t *name = json_object_get(value, "name");
        return text_of(g, name ? name : json_object_get(value, "@value"), depth + 1);
    }
    return fg_offer_text(g->arena, string_of(value));
}

static struct fg_str text_at(struct graph *g, const json_t *object, const char *key)
{
    return text_of(g, json_object_get(object, key), 0);
}

/* One of schema.org's own words: "https://schema.org/InStock", or an object so named. */
static struct fg_str word_at(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (json_is_array(value))
        value = json_array_get(value, 0);
    return json_is_object(value) ? string_at(value, "@id") : string_of(value);
}

static void complete_text(struct fg_str *text, struct graph *g, const json_t *object,
                          const char *key)
{
    if (!text->len)
        *text = text_at(g, object, key);
}

/* --- prices --- */

static bool price_of(struct fg_price *price, const json_t *value)
{
    char number[64];
    if (json_is_array(value))
        value = json_array_get(value, 0);
    if (json_is_integer(value))
        snprintf(number, sizeof number, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value) && json_real_value(value) < 1e15)
        snprintf(number, sizeof number, "%.6f", json_real_value(value));
    else
        return fg_price_parse(price, string_of(value), FG_PRICE_FOR_MACHINES);
    return fg_price_parse(price, fg_str_from(number), FG_PRICE_FOR_MACHINES) &&
           number[0] != '-';
}

static bool price_at(struct fg_price *price, const json_t *object, const char *key)
{
    return price_of(price, json_object_get(object, key));
}

static void set_currency(struct fg_price *price, const json_t *object)
{
    const json_t *declared = json_object_get(object, "priceCurrency");
    if (json_is_array(declared))
        declared = json_array_get(declared, 0);
    fg_currency_parse(price->currency, string_of(declared));
}

/* What it once cost, or costs elsewhere, is no price of it. */
static bool is_other_price(const json_t *specification)
{
    struct fg_str type = string_at(specification, "priceType");
    return type.len && !is_name_of(type, "SalePrice");
}

static bool specified_price(struct fg_price *price, const json_t *value)
{
    const json_t *one;
    size_t i;
    if (json_is_object(value) && !is_other_price(value) &&
        (price_at(price, value, "price") || price_at(price, value, "minPrice"))) {
        set_currency(price, value);
        return true;
    }
    json_array_foreach(value, i, one) if (json_is_object(one) &&
                                          specified_price(price, one)) return true;
    return false;
}

/* --- offers --- */

/* What is known so far of the offers for one thing. */
struct tally {
    struct fg_offer *offer;
    struct fg_price high;
    bool is_open; /* the prices are of offers that can be had */
};

static void count_price(struct tally *tally, const struct fg_price *low,
                        const struct fg_price *high, enum fg_availability availability)
{
    struct fg_price *price = &tally->offer->price;
    bool is_open = fg_availability_is_open(availability);
    bool is_first = !price->amount[0] || (is_open && !tally->is_open);
    if (!is_first &&
        (is_open != tally->is_open || strcmp(price->currency, low->currency) != 0))
        return;
    if (is_first || fg_price_cmp(low, price) < 0)
        *price = *low;
    if (is_first || fg_price_cmp(high, &tally->high) > 0)
        tally->high = *high;
    tally->is_open = is_open;
}

static void count_availability(struct tally *tally, enum fg_availability availability)
{
    enum fg_availability *best = &tally->offer->availability;
    if (availability && (!*best || availability < *best))
        *best = availability;
}

/* "DE", or a place with a code or a name. */
static struct fg_str place_of(struct graph *g, const json_t *value, unsigned depth)
{
    static const char *const keys[] = {"addressCountry", "identifier", "address",
                                       "shippingDestination"};
    if (depth > DEPTH_MAX)
        return (struct fg_str){0};
    if (json_is_array(value))
        return place_of(g, json_array_get(value, 0), depth + 1);
    for (size_t i = 0; json_is_object(value) && i < sizeof keys / sizeof *keys; i++) {
        struct fg_str place =
            place_of(g, json_object_get(resolved(g, value), keys[i]), depth + 1);
        if (place.len)
            return place;
    }
    return text_of(g, value, depth);
}

static void read_country(struct graph *g, struct fg_offer *offer, const json_t *object)
{
    static const char *const keys[] = {"eligibleRegion", "areaServed"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys && !offer->country.len; i++)
        offer->country = place_of(g, json_object_get(object, keys[i]), 0);
    if (offer->country.len)
        return;
    const json_t *shipping = json_object_get(object, "shippingDetails");
    const json_t *seller = resolved(g, json_object_get(object, "seller"));
    if (json_is_array(shipping))
        shipping = json_array_get(shipping, 0);
    offer->country = place_of(g, json_object_get(shipping, "shippingDestination"), 0);
    if (!offer->country.len)
        offer->country = place_of(g, json_object_get(seller, "address"), 0);
}

static void read_offers(struct graph *g, struct tally *tally, const json_t *value,
                        unsigned depth);

static void read_offer(struct graph *g, struct tally *tally, const json_t *object,
                       unsigned depth)
{
    struct fg_offer *offer = tally->offer;
    struct fg_price low, high;
    enum fg_availability availability =
        fg_availability_parse(word_at(object, "availability"));
    bool has_price =
        price_at(&low, object, "price") || price_at(&low, object, "lowPrice");
    if (has_price)
        set_currency(&low, object);
    else
        has_price = specified_price(&low, json_object_get(object, "priceSpecification"));
    if (has_price) {
        if (!price_at(&high, object, "highPrice"))
            high = low;
        count_price(tally, &low, &high, availability);
    }
    count_availability(tally, availability);
    if (!offer->condition)
        offer->condition = fg_condition_parse(word_at(object, "itemCondition"));
    complete_text(&offer->seller, g, object, "seller");
    complete_text(&offer->seller, g, object, "offeredBy");
    read_country(g, offer, object);
    /* Those that an aggregate sums up, for what it does not say itself. */
    if (!has_price || !availability)
        read_offers(g, tally, json_object_get(object, "offers"), depth + 1);
}

static void read_offers(struct graph *g, struct tally *tally, const json_t *value,
                        unsigned depth)
{
    const json_t *one;
    size_t i;
    if (depth > DEPTH_MAX || g->looks++ > LOOKS_MAX)
        return;
    if (json_is_object(value))
        read_offer(g, tally, resolved(g, value), depth);
    json_array_foreach(value, i, one) read_offers(g, tally, one, depth + 1);
}

/* --- things --- */

static void read_thing(struct graph *g, struct tally *tally, const json_t *thing)
{
    struct fg_offer *offer = tally->offer;
    const json_t *variants = json_object_get(thing, "hasVariant"), *variant;
    size_t i;
    if (is_offer(thing)) {
        complete_text(&offer->name, g, thing, "name");
        complete_text(&offer->name, g, thing, "itemOffered");
        read_offer(g, tally, thing, 0);
        return;
    }
    complete_text(&offer->name, g, thing, "name");
    complete_text(&offer->brand, g, thing, "brand");
    complete_text(&offer->category, g, thing, "category");
    complete_text(&offer->language, g, thing, "inLanguage");
    if (!offer->condition)
        offer->condition = fg_condition_parse(word_at(thing, "itemCondition"));
    read_offers(g, tally, json_object_get(thing, "offers"), 0);
    if (json_is_object(variants))
        read_offers(g, tally, json_object_get(resolved(g, variants), "offers"), 0);
    json_array_foreach(variants, i, variant)
        read_offers(g, tally, json_object_get(resolved(g, variant), "offers"), 0);
}

static void consider(struct graph *g, const json_t *object, bool is_main)
{
    struct candidate candidate = {
        .node = object,
        .is_product = is_product(object),
        .is_main = is_main || json_object_get(object, "mainEntityOfPage"),
        .has_offers = json_object_get(object, "offers") || is_offer(object) ||
                      json_object_get(object, "hasVariant")};
    if ((candidate.is_product || candidate.has_offers) && g->n < CANDIDATES_MAX)
        g->candidates[g->n++] = candidate;
}

/* Things on the top, under @graph, and the main entity of a page; not what they list. */
static void gather(struct graph *g, const json_t *value, bool is_main, unsigned depth)
{
    const json_t *one;
    size_t i;
    if (depth > DEPTH_MAX || g->looks++ > LOOKS_MAX)
        return;
    json_array_foreach(value, i, one) gather(g, one, is_main, depth + 1);
    if (!json_is_object(value))
        return;
    if (json_object_get(value, "@id") && json_object_size(value) > 1 &&
        g->n_named < NAMED_MAX)
        g->named[g->n_named++] = value;
    consider(g, value, is_main);
    gather(g, json_object_get(value, "@graph"), false, depth + 1);
    gather(g, json_object_get(value, "mainEntity"), true, depth + 1);
}

/* --- which of them the page is about --- */

/* Keep the candidates of a kind if there are any. */
static void keep_if_any(struct graph *g,
                        bool (*is_kind)(const struct graph *g, const struct candidate *c))
{
    size_t n = 0;
    for (size_t i = 0; i < g->n; i++)
        n += is_kind(g, &g->candidates[i]);
    if (!n)
        return;
    n = 0;
    for (size_t i = 0; i < g->n; i++)
        if (is_kind(g, &g->candidates[i]))
            g->candidates[n++] = g->candidates[i];
    g->n = n;
}

static bool has_offers(const struct graph *g, const struct candidate *c)
{
    (void)g;
    return c->has_offers;
}

static bool is_of_product(const struct graph *g, const struct candidate *c)
{
    (void)g;
    return c->is_product;
}

static bool is_main(const struct graph *g, const struct candidate *c)
{
    (void)g;
    return c->is_main;
}

static bool is_canonical(const struct graph *g, const struct candidate *c)
{
    return g->page->canonical.len &&
           fg_str_eq(string_at(c->node, "url"), g->page->canonical);
}

static bool is_titled(const struct graph *g, const struct candidate *c)
{
    struct fg_str name = string_at(c->node, "name");
    return name.len && (fg_str_starts(g->page->title, name) ||
                        fg_str_eq(fg_page_meta(g->page, FG_STR("og:title")), name));
}

/* Told twice rather than two things. */
static bool is_same_thing(const json_t *a, const json_t *b)
{
    static const char *const keys[] = {"@id", "sku", "productID", "url", "name"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct fg_str one = string_at(a, keys[i]), other = string_at(b, keys[i]);
        if (one.len && other.len)
            return fg_str_eq(one, other);
    }
    return false;
}

static bool is_one_thing(const struct graph *g)
{
    for (size_t i = 1; i < g->n; i++)
        if (!is_same_thing(g->candidates[0].node, g->candidates[i].node))
            return false;
    return g->n > 0;
}

static bool choose(struct graph *g)
{
    keep_if_any(g, has_offers);
    keep_if_any(g, is_of_product);
    if (!is_one_thing(g))
        keep_if_any(g, is_main);
    if (!is_one_thing(g))
        keep_if_any(g, is_canonical);
    if (!is_one_thing(g))
        keep_if_any(g, is_titled);
    return is_one_thing(g);
}

void fg_offer_from_graph(struct fg_offer *offer, struct fg_arena *arena,
                         const json_t *roots, const struct fg_page *page)
{
    struct graph *g = FG_NEW(arena, struct graph, 1);
    g->arena = arena;
    g->page = page;
    gather(g, roots, false, 0);
    if (!choose(g))
        return;
    struct tally tally = {.offer = offer};
    for (size_t i = 0; i < g->n; i++)
        read_thing(g, &tally, g->candidates[i].node);
    if (offer->price.amount[0] && fg_price_cmp(&tally.high, &offer->price) > 0)
        memcpy(offer->high, tally.high.amount, sizeof offer->high);
}
