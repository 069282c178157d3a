/* web_model.h - the inside of a synthetic web, shared by web.c, web_render.c and the
 * shop's pages */
#ifndef FG_LAB_WEB_MODEL_H
#define FG_LAB_WEB_MODEL_H

#include "base/vec.h"
#include "lab/web.h"

enum web_list_kind { WEB_HOME, WEB_TICKER, WEB_SECTION, WEB_TAG, WEB_AUTHOR, WEB_OLD };

struct web_list {
    enum web_list_kind kind;
    char name[32];
    size_t shows;     /* how many entries it has room for */
    unsigned section; /* it belongs to */
    double share, peak_hour, sharpness, weekend;
    FG_VEC(uint32_t) articles;
};

struct web_article {
    fg_time published;
    uint64_t seed;
    unsigned section;
};

struct web_site {
    FG_VEC(struct web_list) lists;
    FG_VEC(struct web_article) articles;
    unsigned first_section, n_sections;
    bool has_feed, has_sitemap, has_validators;
};

struct fg_web {
    struct fg_web_options options;
    FG_VEC(struct web_site) sites;
    struct fg_shop *shop; /* the site after these, or NULL */
};

size_t web_list_count(const struct web_site *site, const struct web_list *list,
                      fg_time now);
void web_article_path(const struct web_site *site, uint32_t number, struct fg_buf *out);
/* Four words with hyphens; and about that many bytes of paragraphs. */
void web_add_slug(uint64_t seed, struct fg_buf *out);
void web_add_prose(uint64_t seed, size_t bytes, struct fg_buf *out);
/* A clock, a count of those who are online, an advertisement. */
void web_add_noise(fg_time now, const char *who, struct fg_buf *out);
struct fg_web_page web_not_found(struct fg_buf *out);

#endif
