/* An answer of an ugly web in the making: what its pages and its feeds ask of it. */
#include "sim/web_ugly.h"

struct fg_str web_scene_path(const struct web_scene *s, uint32_t number)
{
    fg_buf_reset(s->path);
    web_article_path(s->site, number, s->path);
    return fg_buf_str(s->path);
}

bool web_scene_is_edited(const struct web_scene *s, const struct web_article *article)
{
    return article->edited != FG_NEVER && article->edited <= s->now;
}

fg_time web_scene_modified(const struct web_scene *s, uint32_t number)
{
    const struct web_article *article = &s->site->articles.at[number];
    return web_scene_is_edited(s, article) ? article->edited : article->published;
}

struct fg_web_page web_plain_page(const char *type)
{
    return (struct fg_web_page){
        .status = 200, .content_type = type, .last_modified = FG_NEVER};
}
