/* standing.h - where an address stands with the crawl, and why
 *
 *     struct fg_standing standing;
 *     fg_standing_read(&standing, &look, site, url, &page);
 *     ...standing.told.words...
 *
 * What its site has learnt of such addresses (crawl/sources/pattern.h), what it looks
 * like, and for a page that is known why it was or was not reported, and why it is or is
 * not fetched. Every page that is known and was never fetched gets a reason. Texts live
 * in the look's arena. */
#ifndef FG_VIEW_STANDING_H
#define FG_VIEW_STANDING_H

#include "crawl/sources/explore.h"
#include "crawl/sources/pattern.h"
#include "net/facts/kind.h"
#include "view/field.h"
#include "view/look.h"

struct fg_cause {
    const char *word; /* NULL: there is nothing to say */
    struct fg_str words;
};

struct fg_standing {
    struct fg_kind_verdict kind;       /* by the address */
    bool has_pattern;                  /* the site has left its patterns in the store */
    struct fg_pattern pattern, family; /* the family's is empty if it has none */
    bool is_in_maze; /* the family is a trap, and the pattern no better */
    enum fg_stock_worth worth;
    struct fg_str reduced; /* the address without parameters that make no difference */
    FG_VEC(struct fg_str) dropped; /* their names */
    struct fg_cause told;          /* of a page that is known */
    struct fg_cause unfetched;     /* and was never fetched */
    bool is_to_be_fetched;         /* `unfetched` is only a matter of time */
};

/* `site` and `page` may be NULL: not known. */
void fg_standing_read(struct fg_standing *standing, const struct fg_look *look,
                      const struct fg_site_row *site, struct fg_str url,
                      const struct fg_page_row *page);

/* Are only pages told that are about something, by the settings or by labels? */
bool fg_standing_is_focused(const struct fg_look *look);

/* The same as fields: fg_standing_fields describes it. */
struct fg_pattern_shown {
    struct fg_pattern pattern;
    struct fg_str text, words;
    uint32_t fetched;
    bool is_trap;
    fg_time last_asked;
};
struct fg_standing_shown {
    struct fg_kind_verdict kind;
    const struct fg_pattern_shown *pattern, *family;
    struct fg_texts dropped, dropped_words;
    const struct fg_cause *told, *unfetched;
    struct fg_str looks_like, reported, not_reported, not_fetched;
};
extern const struct fg_field fg_standing_fields[];
void fg_standing_show(struct fg_standing_shown *shown, const struct fg_standing *standing,
                      const struct fg_look *look);

#endif
