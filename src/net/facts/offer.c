#include "net/facts/offer_parts.h"

#include "net/text/prose.h"

/* --- Open Graph --- */

/* The first of these that is there, ended by NULL. */
static struct fg_str meta(const struct fg_page *page, const char *const *names)
{
    struct fg_str found = {0};
    for (; *names && !found.len; names++)
        found = fg_str_trim(fg_page_meta(page, fg_str_from(*names)));
    return found;
}
#define META(page, ...) meta((page), (const char *const[]){__VA_ARGS__, NULL})

static void read_metas(struct fg_offer *offer, struct fg_arena *arena,
                       const struct fg_page *page)
{
    struct fg_str amount = META(page, "product:sale_price:amount", "product:price:amount",
                                "og:price:amount", "product:price");
    struct fg_str currency = META(page, "product:price:currency", "og:price:currency",
                                  "product:sale_price:currency");
    if (fg_price_parse(&offer->price, amount, FG_PRICE_FOR_MACHINES))
        fg_currency_parse(offer->price.currency, currency);
    offer->availability =
        fg_availability_parse(META(page, "product:availability", "og:availability"));
    offer->condition =
        fg_condition_parse(META(page, "product:condition", "og:condition"));
    offer->brand = fg_offer_text(arena, META(page, "product:brand", "og:brand"));
    offer->category = fg_offer_text(arena, META(page, "product:category"));
    /* Most pages have a title and a site; only of an offer are they name and seller. */
    if (!offer->price.amount[0] && !offer->availability)
        return;
    offer->name = fg_offer_text(arena, META(page, "og:title"));
    offer->seller =
        fg_offer_text(arena, META(page, "product:retailer_title", "og:site_name"));
}

/* --- all of it --- */

static void complete_text(struct fg_str *text, struct fg_str with)
{
    if (!text->len)
        *text = with;
}

/* The price, its currency and the highest price belong together. */
static void complete(struct fg_offer *offer, const struct fg_offer *with)
{
    if (!offer->price.amount[0]) {
        offer->price = with->price;
        memcpy(offer->high, with->high, sizeof offer->high);
    } else if (!offer->price.currency[0]) {
        memcpy(offer->price.currency, with->price.currency, sizeof with->price.currency);
    }
    if (!offer->availability)
        offer->availability = with->availability;
    if (!offer->condition)
        offer->condition = with->condition;
    complete_text(&offer->name, with->name);
    complete_text(&offer->brand, with->brand);
    complete_text(&offer->category, with->category);
    complete_text(&offer->seller, with->seller);
    complete_text(&offer->country, with->country);
    complete_text(&offer->language, with->language);
}

/* "de-DE", "de_AT": a language, and where it is spoken if that is said. */
static void complete_locale(struct fg_offer *offer, struct fg_arena *arena,
                            struct fg_str locale)
{
    locale = fg_str_trim(locale);
    size_t end = 0;
    while (end < locale.len && fg_is_alpha(locale.at[end]))
        end++;
    if (end < 2 || end > 3)
        return;
    if (!offer->language.len) {
        char *lower = fg_arena_cstr(arena, fg_str_sub(locale, 0, end));
        for (size_t i = 0; i < end; i++)
            lower[i] = fg_lower(lower[i]);
        offer->language = (struct fg_str){lower, end};
    }
    struct fg_str region = fg_str_skip(locale, end + 1);
    bool is_region = region.len == 2 && fg_is_alpha(region.at[0]) &&
                     fg_is_alpha(region.at[1]) &&
                     (locale.at[end] == '-' || locale.at[end] == '_');
    if (is_region && !offer->country.len) {
        char *upper = fg_arena_cstr(arena, region);
        for (size_t i = 0; i < 2; i++)
            upper[i] = (char)(fg_lower(upper[i]) - 'a' + 'A');
        offer->country = (struct fg_str){upper, 2};
    }
}

static void read_json_ld(struct fg_offer *offer, struct fg_arena *arena,
                         const struct fg_page *page)
{
    json_t *roots = json_array();
    for (size_t i = 0; i < page->n_json_ld; i++) {
        json_t *root = fg_json_tree_mended(arena, page->json_ld[i]);
        if (root)
            json_array_append_new(roots, root);
    }
    fg_offer_from_graph(offer, arena, roots, page);
    json_decref(roots);
}

static void read_microdata(struct fg_offer *offer, struct fg_arena *arena,
                           const struct fg_page *page, struct fg_str html)
{
    if (!page->may_have_items || fg_str_find(html, FG_STR("itemprop")) == FG_NOT_FOUND)
        return;
    json_t *items = fg_microdata_read(arena, html);
    fg_offer_from_graph(offer, arena, items, page);
    json_decref(items);
}

bool fg_offer_read(struct fg_offer *offer, struct fg_arena *arena,
                   const struct fg_page *page, struct fg_str html)
{
    struct fg_offer next = {0};
    *offer = (struct fg_offer){0};
    read_json_ld(offer, arena, page);
    read_microdata(&next, arena, page, html);
    complete(offer, &next);
    next = (struct fg_offer){0};
    read_metas(&next, arena, page);
    complete(offer, &next);
    complete_locale(offer, arena, page->language);
    complete_locale(offer, arena, fg_page_meta(page, FG_STR("og:locale")));
    return offer->price.amount[0] || offer->availability;
}
