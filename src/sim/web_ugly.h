/* web_ugly.h - an answer of an ugly web in the making, shared by its pages (web_ugly.c)
 * and its feeds (web_ugly_feeds.c) */
#ifndef FG_SIM_WEB_UGLY_H
#define FG_SIM_WEB_UGLY_H

#include "sim/web_address.h"

enum { WEB_SESSION = 8 + 1 }; /* four digits of the hour, four of the visitor */

struct web_scene {
    const struct fg_web *web;
    const struct web_site *site;
    struct fg_str origin;
    fg_time now;
    struct fg_buf *out;
    struct fg_buf *path; /* for a moment */
    char session[WEB_SESSION];
    size_t published; /* articles of the site */
};

/* The path of an article; holds until the next one is asked for. */
struct fg_str web_scene_path(const struct web_scene *scene, uint32_t number);
bool web_scene_is_edited(const struct web_scene *scene,
                         const struct web_article *article);
/* When it was published, or edited since. */
fg_time web_scene_modified(const struct web_scene *scene, uint32_t number);
struct fg_web_page web_plain_page(const char *content_type);

/* Feeds and sitemaps; any other address is not found. */
struct fg_web_page web_feed_render(const struct web_scene *scene,
                                   const struct web_address *address);

#endif
