/* RSS of articles and comments, and the sitemap in its parts. */
#include "sim/web_ugly.h"

#include <stdio.h>

enum {
    SITEMAP_PART = 500, /* addresses */
    FEED_SHOWS = 20     /* entries */
};

/* --- feeds --- */

static void begin_feed(const struct web_scene *s, const char *what)
{
    fg_buf_printf(s->out,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\">"
                  "<channel><title>%s%s</title><link>%.*s/</link>"
                  "<description>%s</description>\n",
                  s->site->name, what, FG_ARG(s->origin), s->site->name);
}

static void add_item(const struct web_scene *s, uint32_t number, const char *before,
                     const char *after, fg_time time, struct fg_str guid)
{
    char when[WEB_DATE_TEXT];
    struct fg_str path = web_scene_path(s, number);
    fg_buf_printf(s->out, "<item><title>%s", before);
    web_add_title(s->site->articles.at[number].seed, s->out);
    fg_buf_printf(s->out,
                  "</title><link>%.*s%.*s%s</link><guid isPermaLink=\"false\">"
                  "%.*s%.*s</guid><pubDate>%s</pubDate></item>\n",
                  FG_ARG(s->origin), FG_ARG(path), after, FG_ARG(s->origin), FG_ARG(guid),
                  web_date_format(when, time));
}

static struct fg_web_page end_feed(const struct web_scene *s)
{
    fg_buf_add(s->out, FG_STR("</channel></rss>\n"));
    return web_plain_page("application/rss+xml; charset=utf-8");
}

static struct fg_web_page render_feed(const struct web_scene *s)
{
    char guid[32];
    size_t all = web_count(s->site, s->now - s->site->feed_lag);
    begin_feed(s, "");
    for (size_t i = 0; i < FEED_SHOWS && i < all; i++) {
        uint32_t number = (uint32_t)(all - 1 - i);
        snprintf(guid, sizeof guid, "/?p=%u", number);
        add_item(s, number, "", "?utm_source=rss&amp;utm_medium=feed",
                 s->site->articles.at[number].published, fg_str_from(guid));
    }
    return end_feed(s);
}

static void add_comment(const struct web_scene *s, const struct web_comment *comment)
{
    char anchor[32], guid[32];
    snprintf(anchor, sizeof anchor, "#comment-%u", comment->number);
    snprintf(guid, sizeof guid, "/?c=%u", comment->number);
    add_item(s, comment->article, "A reader on ", anchor, comment->time,
             fg_str_from(guid));
}

static struct fg_web_page render_comment_feed(const struct web_scene *s)
{
    size_t low = 0, high = s->site->comments.len;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (s->site->comments.at[middle].time <= s->now)
            low = middle + 1;
        else
            high = middle;
    }
    begin_feed(s, ": comments");
    for (size_t i = 0; i < FEED_SHOWS && i < low; i++)
        add_comment(s, &s->site->comments.at[low - 1 - i]);
    return end_feed(s);
}

static struct fg_web_page render_talk(const struct web_scene *s, uint32_t number)
{
    fg_time times[WEB_MOST_COMMENTS];
    unsigned n = web_comments(s->web, &s->site->articles.at[number], times);
    begin_feed(s, ": comments on one article");
    for (unsigned i = 0; i < n; i++)
        if (times[i] <= s->now)
            add_comment(s, &(struct web_comment){times[i], number,
                                                 number * WEB_MOST_COMMENTS + i});
    return end_feed(s);
}

/* --- sitemaps --- */

static void add_location(const struct web_scene *s, const char *element,
                         struct fg_str path, fg_time time)
{
    char when[FG_TIME_TEXT];
    fg_buf_printf(s->out, "<%s><loc>%.*s%.*s</loc><lastmod>%s</lastmod></%s>\n", element,
                  FG_ARG(s->origin), FG_ARG(path),
                  fg_time_format(when, time / FG_SECOND * FG_SECOND), element);
}

static void begin_sitemap(const struct web_scene *s, const char *element)
{
    fg_buf_printf(s->out,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<%s xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
                  element);
}

static fg_time later(fg_time a, fg_time b)
{
    return a > b ? a : b;
}

static struct fg_web_page render_sitemap(const struct web_scene *s)
{
    char path[64];
    begin_sitemap(s, "sitemapindex");
    add_location(s, "sitemap", FG_STR("/sitemap-lists.xml"),
                 s->published ? s->site->articles.at[s->published - 1].published
                              : s->now);
    for (size_t part = 0; part * SITEMAP_PART < s->published; part++) {
        fg_time newest = FG_NEVER;
        for (size_t i = part * SITEMAP_PART;
             i < (part + 1) * SITEMAP_PART && i < s->published; i++)
            newest = later(newest, web_scene_modified(s, (uint32_t)i));
        snprintf(path, sizeof path, "/sitemap-%zu.xml", part + 1);
        add_location(s, "sitemap", fg_str_from(path), newest);
    }
    fg_buf_add(s->out, FG_STR("</sitemapindex>\n"));
    return web_plain_page("application/xml");
}

static struct fg_web_page render_sitemap_of_lists(const struct web_scene *s)
{
    char path[64];
    begin_sitemap(s, "urlset");
    for (size_t i = 0; i < s->site->lists.len; i++) {
        const struct web_list *list = &s->site->lists.at[i];
        size_t n = web_list_count(s->site, list, s->now);
        snprintf(path, sizeof path, "%s%s", web_list_folder(list->kind), list->name);
        if (n)
            add_location(s, "url", fg_str_from(path),
                         s->site->articles.at[list->articles.at[n - 1]].published);
    }
    fg_buf_add(s->out, FG_STR("</urlset>\n"));
    return web_plain_page("application/xml");
}

static struct fg_web_page render_sitemap_part(const struct web_scene *s, uint32_t part)
{
    size_t first = (size_t)(part - 1) * SITEMAP_PART;
    if (part < 1 || first >= s->published)
        return web_not_found(s->out);
    begin_sitemap(s, "urlset");
    for (size_t i = first; i < first + SITEMAP_PART && i < s->published; i++)
        add_location(s, "url", web_scene_path(s, (uint32_t)i),
                     web_scene_modified(s, (uint32_t)i));
    fg_buf_add(s->out, FG_STR("</urlset>\n"));
    return web_plain_page("application/xml");
}

struct fg_web_page web_feed_render(const struct web_scene *s, const struct web_address *a)
{
    switch (a->what) {
    case WEB_AT_TALK:
        return render_talk(s, a->number);
    case WEB_AT_FEED:
        return render_feed(s);
    case WEB_AT_COMMENT_FEED:
        return render_comment_feed(s);
    case WEB_AT_SITEMAP:
        return render_sitemap(s);
    case WEB_AT_SITEMAP_OF_LISTS:
        return render_sitemap_of_lists(s);
    case WEB_AT_SITEMAP_OF_ARTICLES:
        return render_sitemap_part(s, a->number);
    default:
        return web_not_found(s->out);
    }
}
