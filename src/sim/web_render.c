/* From the model to what a server answers: HTML lists and articles, a feed, a sitemap,
 * robots.txt. Each page carries the site's navigation; with noise also a clock, a counter
 * and an advertisement that change on every answer and mean nothing. This is the plain
 * web; the ugly one is in web_ugly.c. */
#include "base/rng.h"
#include "sim/web_model.h"
#include "sim/web_shop.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const words[] = {
    "harbour", "budget",  "council", "river",   "season", "market",  "library", "bridge",
    "storm",   "garden",  "railway", "museum",  "school", "winter",  "summer",  "valley",
    "forest",  "signal",  "harvest", "theatre", "crew",   "summit",  "island",  "coast",
    "record",  "bakery",  "orchard", "comet",   "glass",  "engine",  "lantern", "quarry",
    "meadow",  "pilot",   "violin",  "ferry",   "tunnel", "archive", "canal",   "village",
    "patent",  "census",  "tariff",  "union",   "debate", "ballot",  "verdict", "treaty",
    "goal",    "relay",   "stadium", "league",  "novel",  "poem",    "gallery", "film",
    "clinic",  "vaccine", "protein", "galaxy",  "lens",   "fossil",  "glacier", "reef",
};
enum { WORDS = sizeof words / sizeof *words };

static const char *word(struct fg_rng *rng)
{
    return words[fg_rng_below(rng, WORDS)];
}

static void add_words(struct fg_rng *rng, unsigned n, const char *between,
                      struct fg_buf *out)
{
    for (unsigned i = 0; i < n; i++)
        fg_buf_printf(out, "%s%s", i ? between : "", word(rng));
}

void web_add_slug(uint64_t seed, struct fg_buf *out)
{
    struct fg_rng rng = fg_rng_from_seed(seed);
    add_words(&rng, 4, "-", out);
}

void web_add_title(uint64_t seed, struct fg_buf *out)
{
    struct fg_rng rng = fg_rng_from_seed(seed);
    add_words(&rng, 4, " ", out);
}

struct scene {
    const struct fg_web *web;
    const struct web_site *site;
    struct fg_str origin;
    fg_time now;
    struct fg_buf *out;
};

void web_add_noise(fg_time now, const char *who, struct fg_buf *out)
{
    char text[FG_TIME_TEXT];
    struct fg_rng rng = fg_rng_from_seed((uint64_t)now);
    fg_buf_printf(out,
                  "<div class=\"status\">It is %s. %" PRIu64 " %s online.</div>\n"
                  "<div class=\"ad\"><img src=\"/ads/%" PRIu64 ".png\" alt=\"\"></div>\n",
                  fg_time_format(text, now), 100 + fg_rng_below(&rng, 900), who,
                  fg_rng_below(&rng, 50));
}

static void add_list_link(const struct scene *scene, const struct web_list *list)
{
    fg_buf_printf(scene->out, "<li><a href=\"%s%s\">%s</a></li>\n",
                  web_list_folder(list->kind), list->name,
                  *list->name ? list->name : "home");
}

static void add_head(const struct scene *scene, struct fg_str title)
{
    fg_buf_printf(scene->out,
                  "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                  "<title>%.*s</title>\n",
                  FG_ARG(title));
    if (scene->site->has_feed)
        fg_buf_add(scene->out,
                   FG_STR("<link rel=\"alternate\" type=\"application/rss+xml\" "
                          "href=\"/feed.xml\">\n"));
    fg_buf_add(scene->out, FG_STR("<style>body{font-family:serif}</style>"
                                  "<script>var links='<a href=\"/no\">';</script></head>"
                                  "<body>\n<nav><ul>\n"));
    for (size_t i = 0; i < scene->site->lists.len; i++)
        if (scene->site->lists.at[i].kind <= WEB_SECTION ||
            scene->site->lists.at[i].kind == WEB_OLD)
            add_list_link(scene, &scene->site->lists.at[i]);
    fg_buf_add(scene->out, FG_STR("<li><a href=\"/topics\">topics</a></li>"
                                  "<li><a href=\"/about\">about</a></li></ul></nav>\n"));
    if (scene->web->options.has_noise)
        web_add_noise(scene->now, "readers", scene->out);
}

static void add_foot(const struct scene *scene)
{
    fg_buf_add(scene->out,
               FG_STR("<footer><a href=\"/imprint\">imprint</a> "
                      "<a href=\"/privacy\">privacy</a> "
                      "<a href=\"/private/desk\">editors</a></footer></body></html>\n"));
}

static void add_article_link(const struct scene *scene, uint32_t number)
{
    fg_buf_add(scene->out, FG_STR("<li><a href=\""));
    web_article_path(scene->site, number, scene->out);
    fg_buf_add(scene->out, FG_STR("\">"));
    web_add_title(scene->site->articles.at[number].seed, scene->out);
    fg_buf_add(scene->out, FG_STR("</a></li>\n"));
}

static struct fg_web_page render_list(const struct scene *scene,
                                      const struct web_list *list)
{
    size_t published = web_list_count(scene->site, list, scene->now);
    size_t shown = published < list->shows ? published : list->shows;
    if (list->kind == WEB_OLD)
        published = shown;
    add_head(scene, *list->name ? fg_str_from(list->name) : FG_STR("home"));
    fg_buf_add(scene->out, FG_STR("<main><ul>\n"));
    for (size_t i = 0; i < shown; i++)
        add_article_link(scene, list->articles.at[published - 1 - i]);
    fg_buf_add(scene->out, FG_STR("</ul></main>\n"));
    add_foot(scene);
    fg_time newest =
        published ? scene->site->articles.at[list->articles.at[published - 1]].published
                  : scene->web->options.from;
    return (struct fg_web_page){.status = 200,
                                .content_type = "text/html; charset=utf-8",
                                .version = published + 1,
                                .last_modified = newest};
}

void web_add_prose(uint64_t seed, size_t bytes, struct fg_buf *out)
{
    struct fg_rng rng = fg_rng_from_seed(seed ^ 0x5eed);
    size_t end = out->len + bytes;
    while (out->len < end && !out->full) {
        fg_buf_add(out, FG_STR("<p>The "));
        add_words(&rng, 40, " ", out);
        fg_buf_add(out, FG_STR(".</p>\n"));
    }
}

static struct fg_web_page render_article(const struct scene *scene, uint32_t number)
{
    const struct web_article *article = &scene->site->articles.at[number];
    struct fg_buf title;
    char published[FG_TIME_TEXT];
    fg_buf_init(&title, 256);
    web_add_title(article->seed, &title);
    add_head(scene, fg_buf_str(&title));
    fg_buf_printf(scene->out, "<article><h1>%.*s</h1><time datetime=\"%s\"></time>\n",
                  (int)title.len, title.at,
                  fg_time_format(published, article->published));
    web_add_prose(article->seed, scene->web->options.article_bytes, scene->out);
    fg_buf_add(scene->out, FG_STR("</article><aside><ul>\n"));
    for (uint32_t i = 1; i <= 5 && i <= number; i++)
        add_article_link(scene, number - i);
    fg_buf_add(scene->out, FG_STR("</ul></aside>\n"));
    add_foot(scene);
    fg_buf_clear(&title);
    return (struct fg_web_page){.status = 200,
                                .content_type = "text/html; charset=utf-8",
                                .version = article->seed | 1,
                                .last_modified = article->published};
}

/* All topics and writers: the page that leads to pages no navigation shows. */
static struct fg_web_page render_topics(const struct scene *scene)
{
    add_head(scene, FG_STR("topics"));
    fg_buf_add(scene->out, FG_STR("<main><ul>\n"));
    for (size_t i = 0; i < scene->site->lists.len; i++)
        if (scene->site->lists.at[i].kind == WEB_TAG ||
            scene->site->lists.at[i].kind == WEB_AUTHOR)
            add_list_link(scene, &scene->site->lists.at[i]);
    fg_buf_add(scene->out, FG_STR("</ul></main>\n"));
    add_foot(scene);
    return (struct fg_web_page){.status = 200,
                                .content_type = "text/html; charset=utf-8",
                                .version = 1,
                                .last_modified = scene->web->options.from};
}

static struct fg_web_page render_static(const struct scene *scene, struct fg_str title)
{
    add_head(scene, title);
    web_add_prose(fg_str_hash(title), scene->web->options.article_bytes, scene->out);
    add_foot(scene);
    return (struct fg_web_page){.status = 200,
                                .content_type = "text/html; charset=utf-8",
                                .version = 1,
                                .last_modified = scene->web->options.from};
}

static struct fg_web_page render_xml(const struct scene *scene, bool is_feed)
{
    size_t all = web_count(scene->site, scene->now), most = is_feed ? 20 : 200;
    size_t n = all < most ? all : most;
    uint32_t last = all ? (uint32_t)all - 1 : 0;
    fg_buf_printf(
        scene->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n%s",
        is_feed ? "<rss version=\"2.0\"><channel><title>news</title>\n"
                : "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n");
    for (uint32_t i = 0; i < n; i++) {
        char when[FG_TIME_TEXT];
        fg_time_format(when, scene->site->articles.at[last - i].published);
        fg_buf_printf(scene->out, "<%s>%.*s", is_feed ? "item><link" : "url><loc",
                      FG_ARG(scene->origin));
        web_article_path(scene->site, last - i, scene->out);
        fg_buf_printf(scene->out,
                      is_feed ? "</link><pubDate>%s</pubDate></item>\n"
                              : "</loc><lastmod>%s</lastmod></url>\n",
                      when);
    }
    fg_buf_add(scene->out,
               is_feed ? FG_STR("</channel></rss>\n") : FG_STR("</urlset>\n"));
    return (struct fg_web_page){
        .status = 200,
        .content_type = is_feed ? "application/rss+xml" : "application/xml",
        .version = last + 1,
        .last_modified = scene->site->articles.at[last].published};
}

static struct fg_web_page render_robots(const struct scene *scene)
{
    fg_buf_add(scene->out, FG_STR("User-agent: *\nDisallow: /private/\n"));
    if (scene->site->has_sitemap)
        fg_buf_printf(scene->out, "Sitemap: %.*s/sitemap.xml\n", FG_ARG(scene->origin));
    return (struct fg_web_page){
        .status = 200, .content_type = "text/plain", .last_modified = FG_NEVER};
}

char *web_date_format(char out[static WEB_DATE_TEXT], fg_time time)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    static const char days[] = "ThuFriSatSunMonTueWed";
    int64_t day = time / FG_DAY - (time % FG_DAY < 0), year;
    int month, date;
    fg_date_from_days(day, &year, &month, &date);
    int64_t rest = (time - day * FG_DAY) / FG_SECOND;
    snprintf(out, WEB_DATE_TEXT, "%.3s, %02d %.3s %04d %02d:%02d:%02d GMT",
             days + 3 * ((day % 7 + 7) % 7), date, months + 3 * (month - 1), (int)year,
             (int)(rest / 3600), (int)(rest / 60 % 60), (int)(rest % 60));
    return out;
}

struct fg_web_page web_not_found(struct fg_buf *out)
{
    fg_buf_add(out, FG_STR("<!DOCTYPE html><title>not found</title><p>No such page.\n"));
    return (struct fg_web_page){.status = 404,
                                .content_type = "text/html; charset=utf-8",
                                .last_modified = FG_NEVER};
}

struct fg_web_page fg_web_render(const struct fg_web *web, unsigned site,
                                 struct fg_str path, struct fg_str origin, fg_time now,
                                 struct fg_buf *body)
{
    if (site == web->sites.len)
        return fg_shop_render(web->shop, path, origin, now, body);
    if (web->options.is_ugly)
        return web_ugly_render(web, &web->sites.at[site], path, origin, now, body);
    struct scene scene = {web, &web->sites.at[site], origin, now, body};
    struct fg_web_page page;
    uint32_t number;
    const struct web_list *list = web_find_list(scene.site, path);
    if (list)
        page = render_list(&scene, list);
    else if (web_find_article(scene.site, path, now, &number))
        page = render_article(&scene, number);
    else if (fg_str_eq(path, FG_STR("/robots.txt")))
        page = render_robots(&scene);
    else if (fg_str_eq(path, FG_STR("/topics")))
        page = render_topics(&scene);
    else if (scene.site->has_feed && fg_str_eq(path, FG_STR("/feed.xml")))
        page = render_xml(&scene, true);
    else if (scene.site->has_sitemap && fg_str_eq(path, FG_STR("/sitemap.xml")))
        page = render_xml(&scene, false);
    else if (fg_str_eq(path, FG_STR("/about")) || fg_str_eq(path, FG_STR("/imprint")) ||
             fg_str_eq(path, FG_STR("/privacy")))
        page = render_static(&scene, fg_str_skip(path, 1));
    else
        page = web_not_found(body);
    if (!scene.site->has_validators) {
        page.version = 0;
        page.last_modified = FG_NEVER;
    }
    return page;
}
