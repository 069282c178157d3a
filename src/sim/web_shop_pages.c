/* From the shop to what its server answers: a home page, categories in pages of a few
 * offers, the offers themselves. What an offer costs is told to machines in one of the
 * three ways that shops use: JSON-LD (most), microdata, or OpenGraph. */
#include "sim/web_model.h"
#include "sim/web_shop_model.h"

#include "net/text/date.h"

#include <inttypes.h>

enum { LISTED = 24, SHOWN_AT_HOME = 12 };

struct scene {
    const struct fg_shop *shop;
    struct fg_str origin;
    fg_time now;
    struct fg_buf *out;
};

static const struct fg_web_page html_page = {
    .status = 200, .content_type = "text/html; charset=utf-8", .last_modified = FG_NEVER};

static void add_title(const struct scene *scene, size_t i, struct fg_buf *out)
{
    const struct fg_shop_offer *offer = &scene->shop->offers[i];
    size_t start = out->len;
    fg_buf_printf(out, "%s ", scene->shop->brands[offer->brand].text);
    web_add_slug(shop_slug_seed(scene->shop, i), out);
    for (size_t at = start; at < out->len; at++)
        if (out->at[at] == '-')
            out->at[at] = ' ';
}

/* --- what all pages have --- */

static void add_head(const struct scene *scene, struct fg_str title, struct fg_str more)
{
    fg_buf_printf(scene->out,
                  "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                  "<title>%.*s</title>\n%.*s</head><body>\n<nav><ul>"
                  "<li><a href=\"/\">home</a></li>\n",
                  FG_ARG(title), FG_ARG(more));
    for (unsigned i = 0; i < scene->shop->options.categories; i++)
        fg_buf_printf(scene->out, "<li><a href=\"/c/%s\">%s</a></li>\n",
                      scene->shop->categories[i].text, scene->shop->categories[i].text);
    fg_buf_add(scene->out, FG_STR("</ul></nav>\n"));
    if (scene->shop->options.has_noise)
        web_add_noise(scene->now, "customers", scene->out);
}

static void add_foot(const struct scene *scene)
{
    fg_buf_add(scene->out, FG_STR("<footer><a href=\"/about\">about</a> "
                                  "<a href=\"/private/account\">account</a></footer>"
                                  "</body></html>\n"));
}

static void add_offer_link(const struct scene *scene, size_t i)
{
    fg_buf_add(scene->out, FG_STR("<li><a href=\""));
    fg_shop_path(scene->shop, i, scene->out);
    fg_buf_add(scene->out, FG_STR("\">"));
    add_title(scene, i, scene->out);
    fg_buf_add(scene->out, FG_STR("</a></li>\n"));
}

/* --- offers --- */

static const char *const conditions[] = {"New", "Used", "Refurbished"};

static void add_price(const struct fg_shop_value *value, struct fg_buf *out)
{
    fg_buf_printf(out, "%" PRIu32 ".%02" PRIu32, value->cents / 100, value->cents % 100);
}

static void add_json_ld(const struct scene *scene, size_t i,
                        const struct fg_shop_value *value, struct fg_buf *out)
{
    const struct fg_shop_offer *offer = &scene->shop->offers[i];
    fg_buf_add(out, FG_STR("<script type=\"application/ld+json\">{\"@context\":"
                           "\"https://schema.org\",\"@type\":\"Product\",\"name\":\""));
    add_title(scene, i, out);
    fg_buf_printf(out,
                  "\",\"sku\":\"%zu\",\"category\":\"%s\",\"brand\":{\"@type\":\"Brand\","
                  "\"name\":\"%s\"},\"offers\":{\"@type\":\"Offer\",\"price\":\"",
                  i, scene->shop->categories[offer->category].text,
                  scene->shop->brands[offer->brand].text);
    add_price(value, out);
    fg_buf_printf(out,
                  "\",\"priceCurrency\":\"EUR\",\"availability\":"
                  "\"https://schema.org/%s\",\"itemCondition\":"
                  "\"https://schema.org/%sCondition\",\"seller\":{\"@type\":"
                  "\"Organization\",\"name\":\"%s\"}}}</script>\n",
                  value->in_stock ? "InStock" : "OutOfStock",
                  conditions[offer->condition], scene->shop->sellers[offer->seller].text);
}

static void add_open_graph(const struct scene *scene, size_t i,
                           const struct fg_shop_value *value, struct fg_buf *out)
{
    static const char *const words[] = {"new", "used", "refurbished"};
    const struct fg_shop_offer *offer = &scene->shop->offers[i];
    fg_buf_add(out, FG_STR("<meta property=\"og:type\" content=\"product\">\n"
                           "<meta property=\"product:price:amount\" content=\""));
    add_price(value, out);
    fg_buf_printf(out,
                  "\">\n<meta property=\"product:price:currency\" content=\"EUR\">\n"
                  "<meta property=\"product:availability\" content=\"%s\">\n"
                  "<meta property=\"product:condition\" content=\"%s\">\n"
                  "<meta property=\"product:brand\" content=\"%s\">\n"
                  "<meta property=\"product:category\" content=\"%s\">\n"
                  "<meta property=\"product:retailer_title\" content=\"%s\">\n",
                  value->in_stock ? "in stock" : "out of stock", words[offer->condition],
                  scene->shop->brands[offer->brand].text,
                  scene->shop->categories[offer->category].text,
                  scene->shop->sellers[offer->seller].text);
}

static void add_microdata(const struct scene *scene, size_t i,
                          const struct fg_shop_value *value)
{
    const struct fg_shop_offer *offer = &scene->shop->offers[i];
    struct fg_buf *out = scene->out;
    fg_buf_add(out, FG_STR("<div itemscope itemtype=\"https://schema.org/Product\">"
                           "<h1 itemprop=\"name\">"));
    add_title(scene, i, out);
    fg_buf_printf(out,
                  "</h1><p>by <span itemprop=\"brand\">%s</span> in "
                  "<span itemprop=\"category\">%s</span></p>\n"
                  "<div itemprop=\"offers\" itemscope "
                  "itemtype=\"https://schema.org/Offer\"><span itemprop=\"price\" "
                  "content=\"",
                  scene->shop->brands[offer->brand].text,
                  scene->shop->categories[offer->category].text);
    add_price(value, out);
    fg_buf_add(out, FG_STR("\">"));
    add_price(value, out);
    fg_buf_printf(out,
                  "</span><meta itemprop=\"priceCurrency\" content=\"EUR\">"
                  "<link itemprop=\"availability\" href=\"https://schema.org/%s\">"
                  "<link itemprop=\"itemCondition\" "
                  "href=\"https://schema.org/%sCondition\">"
                  "<span itemprop=\"seller\">%s</span></div></div>\n",
                  value->in_stock ? "InStock" : "OutOfStock",
                  conditions[offer->condition], scene->shop->sellers[offer->seller].text);
}

static void add_for_people(const struct scene *scene, size_t i,
                           const struct fg_shop_value *value)
{
    fg_buf_add(scene->out, FG_STR("<h1>"));
    add_title(scene, i, scene->out);
    fg_buf_add(scene->out, FG_STR("</h1><p class=\"price\">EUR "));
    add_price(value, scene->out);
    fg_buf_printf(scene->out, "</p><p class=\"stock\">%s</p>\n",
                  value->in_stock ? "in stock" : "out of stock");
}

static struct fg_web_page render_offer(const struct scene *scene, size_t i)
{
    const struct fg_shop_value *value =
        fg_shop_value_at(&scene->shop->offers[i], scene->now);
    bool is_microdata = i % 10 >= 6 && i % 10 < 8, is_open_graph = i % 10 >= 8;
    struct fg_buf title, more;
    fg_buf_init(&title, 256);
    fg_buf_init(&more, 4096);
    add_title(scene, i, &title);
    if (is_open_graph)
        add_open_graph(scene, i, value, &more);
    else if (!is_microdata)
        add_json_ld(scene, i, value, &more);
    add_head(scene, fg_buf_str(&title), fg_buf_str(&more));
    fg_buf_add(scene->out, FG_STR("<main>"));
    if (is_microdata)
        add_microdata(scene, i, value);
    else
        add_for_people(scene, i, value);
    web_add_prose(shop_slug_seed(scene->shop, i), 800, scene->out);
    fg_buf_add(scene->out, FG_STR("</main>\n"));
    add_foot(scene);
    fg_buf_clear(&title);
    fg_buf_clear(&more);
    return html_page;
}

/* The number in "/offers/lamps/some-words-123", if that is its address. */
static bool find_offer(const struct scene *scene, struct fg_str path, size_t *number)
{
    size_t start = path.len;
    while (start > 0 && fg_is_digit(path.at[start - 1]))
        start--;
    uint64_t n;
    if (!fg_str_to_u64(fg_str_skip(path, start), &n) || n >= scene->shop->options.offers)
        return false;
    struct fg_buf real;
    fg_buf_init(&real, 1024);
    fg_shop_path(scene->shop, (size_t)n, &real);
    bool same = fg_str_eq(path, fg_buf_str(&real));
    fg_buf_clear(&real);
    *number = (size_t)n;
    return same;
}

/* --- lists --- */

static struct fg_web_page render_home(const struct scene *scene)
{
    add_head(scene, FG_STR("shop"), FG_STR(""));
    fg_buf_add(scene->out, FG_STR("<main><ul>\n"));
    for (size_t i = 0; i < SHOWN_AT_HOME && i < scene->shop->options.offers; i++)
        add_offer_link(scene, i);
    fg_buf_add(scene->out, FG_STR("</ul></main>\n"));
    add_foot(scene);
    return html_page;
}

static struct fg_web_page render_category(const struct scene *scene, unsigned category,
                                          size_t page)
{
    const char *name = scene->shop->categories[category].text;
    size_t n = 0, first = (page - 1) * LISTED;
    add_head(scene, fg_str_from(name), FG_STR(""));
    fg_buf_add(scene->out, FG_STR("<main><ul>\n"));
    for (size_t i = 0; i < scene->shop->options.offers; i++) {
        if (scene->shop->offers[i].category != category)
            continue;
        if (n >= first && n < first + LISTED)
            add_offer_link(scene, i);
        n++;
    }
    fg_buf_printf(scene->out, "</ul>\n<a href=\"/c/%s\">1</a>\n", name);
    for (size_t i = 2; i <= (n + LISTED - 1) / LISTED; i++)
        fg_buf_printf(scene->out, "<a href=\"/c/%s?page=%zu\">%zu</a>\n", name, i, i);
    fg_buf_add(scene->out, FG_STR("</main>\n"));
    add_foot(scene);
    return html_page;
}

/* "/c/lamps" or "/c/lamps?page=2". */
static bool find_category(const struct scene *scene, struct fg_str path,
                          unsigned *category, size_t *page)
{
    struct fg_str name;
    uint64_t number = 1;
    if (!fg_str_starts(path, FG_STR("/c/")))
        return false;
    path = fg_str_skip(path, 3);
    fg_str_cut(&path, '?', &name);
    if (path.len && (!fg_str_starts(path, FG_STR("page=")) ||
                     !fg_str_to_u64(fg_str_skip(path, 5), &number) || number < 1 ||
                     number > scene->shop->options.offers))
        return false;
    *page = (size_t)number;
    for (unsigned i = 0; i < scene->shop->options.categories; i++) {
        *category = i;
        if (fg_str_eq(name, fg_str_from(scene->shop->categories[i].text)))
            return true;
    }
    return false;
}

/* --- the rest --- */

static struct fg_web_page render_plain(const struct scene *scene, const char *type,
                                       struct fg_str text)
{
    fg_buf_add(scene->out, text);
    return (struct fg_web_page){
        .status = 200, .content_type = type, .last_modified = FG_NEVER};
}

static int64_t day_of(fg_time time)
{
    return time / FG_DAY - (time % FG_DAY < 0);
}

/* Days that are not over are not told. */
static struct fg_web_page render_counts(const struct scene *scene, struct fg_str query)
{
    int64_t end = day_of(scene->now), first = end - 30;
    uint64_t days;
    if (fg_str_starts(query, FG_STR("days=")) &&
        fg_str_to_u64(fg_str_skip(query, 5), &days) && days <= 366) {
        first = end - (int64_t)days;
    } else if (fg_str_starts(query, FG_STR("day="))) {
        fg_time day = fg_date_parse(fg_str_skip(query, 4));
        first = day == FG_NEVER || day_of(day) >= end ? end : day_of(day);
        end = first < end ? first + 1 : end;
    }
    fg_shop_csv(scene->shop, scene->origin, first, end, scene->out);
    return render_plain(scene, "text/csv; charset=utf-8", FG_STR(""));
}

static struct fg_web_page render_about(const struct scene *scene)
{
    add_head(scene, FG_STR("about"), FG_STR(""));
    web_add_prose(scene->shop->options.seed, 2000, scene->out);
    add_foot(scene);
    return html_page;
}

struct fg_web_page fg_shop_render(const struct fg_shop *shop, struct fg_str path,
                                  struct fg_str origin, fg_time now, struct fg_buf *body)
{
    struct scene scene = {shop, origin, now, body};
    size_t number;
    unsigned category;
    if (find_offer(&scene, path, &number))
        return render_offer(&scene, number);
    if (find_category(&scene, path, &category, &number))
        return render_category(&scene, category, number);
    if (fg_str_eq(path, FG_STR("/")))
        return render_home(&scene);
    if (fg_str_eq(path, FG_STR("/about")))
        return render_about(&scene);
    if (fg_str_eq(path, FG_STR("/robots.txt")))
        return render_plain(&scene, "text/plain",
                            FG_STR("User-agent: *\nDisallow: /private/\n"));
    struct fg_str name;
    fg_str_cut(&path, '?', &name);
    if (fg_str_eq(name, FG_STR("/counts.csv")))
        return render_counts(&scene, path);
    return web_not_found(body);
}
