/* web_model.h - the inside of a synthetic web, shared by web.c, web_render.c, web_ugly.c
 * and the shop's pages */
#ifndef FG_SIM_WEB_MODEL_H
#define FG_SIM_WEB_MODEL_H

#include "base/vec.h"
#include "sim/web.h"

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
    fg_time published, edited; /* edited: FG_NEVER if it never is */
    uint64_t seed;
    unsigned section;
};

enum { WEB_MOST_COMMENTS = 4 }; /* on an article */
struct web_comment {
    fg_time time;
    uint32_t article, number; /* number: of all comments of the site */
};

/* Where an article's page is, and how it says when it was published. */
enum web_address_style { WEB_DATED_FILE, WEB_DATED_FOLDER, WEB_SECTION_FILE, WEB_STORY };
enum web_date_style { WEB_IN_JSON_LD, WEB_IN_META, WEB_IN_TIME, WEB_UNDATED };

struct web_site {
    FG_VEC(struct web_list) lists;
    FG_VEC(struct web_article) articles;
    FG_VEC(struct web_comment) comments; /* in order of time; of an ugly web only */
    unsigned first_section, n_sections;
    uint64_t seed;
    const char *name;
    enum web_address_style addresses;
    enum web_date_style dates;
    fg_time feed_lag;
    bool has_feed, has_sitemap, has_validators;
    /* Of an ugly web only: */
    bool has_comment_feed, has_sessions, has_archives, has_nofollow_hub;
    bool hides_replies; /* its reply links are nofollow */
};

struct fg_web {
    struct fg_web_options options;
    FG_VEC(struct web_site) sites;
    struct fg_shop *shop; /* the site after these, or NULL */
};

/* How many articles were published, and how many of a list's, by `now`. */
size_t web_count(const struct web_site *site, fg_time now);
size_t web_list_count(const struct web_site *site, const struct web_list *list,
                      fg_time now);
void web_article_path(const struct web_site *site, uint32_t number, struct fg_buf *out);
/* When its comments were written, in no order; returns how many there are. */
unsigned web_comments(const struct fg_web *web, const struct web_article *article,
                      fg_time times[static WEB_MOST_COMMENTS]);
/* "/section/", "/topic/", "/writer/" or "/". */
const char *web_list_folder(enum web_list_kind kind);
/* The number of the article whose address that is, if it is out. */
bool web_find_article(const struct web_site *site, struct fg_str path, fg_time now,
                      uint32_t *number);
const struct web_list *web_find_list(const struct web_site *site, struct fg_str path);
/* Four words with hyphens, or blanks; and about that many bytes of paragraphs. */
void web_add_slug(uint64_t seed, struct fg_buf *out);
void web_add_title(uint64_t seed, struct fg_buf *out);
void web_add_prose(uint64_t seed, size_t bytes, struct fg_buf *out);
/* A clock, a count of those who are online, an advertisement. */
void web_add_noise(fg_time now, const char *who, struct fg_buf *out);
struct fg_web_page web_not_found(struct fg_buf *out);
/* "Thu, 01 Jan 1970 00:00:00 GMT", as HTTP and RSS have it. */
#define WEB_DATE_TEXT 40
char *web_date_format(char out[static WEB_DATE_TEXT], fg_time time);
/* web_ugly.c: as fg_web_render, of a news site of an ugly web; and fg_web_form_of. */
struct fg_web_page web_ugly_render(const struct fg_web *web, const struct web_site *site,
                                   struct fg_str target, struct fg_str origin,
                                   fg_time now, struct fg_buf *out);
enum fg_web_form web_ugly_form(const struct web_site *site, struct fg_str target);

#endif
