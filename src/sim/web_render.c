/* From the model to what a server answers: HTML lists and articles, a feed, a sitemap,
 * robots.txt. Each page carries the site's navigation; with noise also a clock, a counter
 * and an advertisement that change on every answer and mean nothing. This is the plain
 * web; the ugly one is in web_ugly.c. */
#include "base/rng.h"
#include "sim/web_model.h"
#include "sim/web_shop.h"

#include <stdio.h>

struct scene {
    const struct fg_web *web;
    const struct web_site *site;
    struct fg_str origin;
    fg_time now;
    struct fg_buf *out;
};

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

enum fg_web_form fg_web_form_of(const struct fg_web *web, unsigned site,
                                struct fg_str path)
{
    uint32_t number;
    if (site >= web->sites.len)
        return FG_WEB_OTHER;
    const struct web_site *s = &web->sites.at[site];
    if (web->options.is_ugly)
        return web_ugly_form(s, path);
    if (web_find_article(s, path, INT64_MAX, &number))
        return FG_WEB_ARTICLE;
    bool is_list = web_find_list(s, path) || fg_str_eq(path, FG_STR("/topics")) ||
                   (s->has_feed && fg_str_eq(path, FG_STR("/feed.xml"))) ||
                   (s->has_sitemap && fg_str_eq(path, FG_STR("/sitemap.xml")));
    return is_list ? FG_WEB_LIST : FG_WEB_OTHER;
}
