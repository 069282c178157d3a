/* standing.h - where an address stands with the crawl, and why
 *
 *     struct fg_standing standing;
 *     fg_standing_read(&standing, &look, site, url, &page);
 *     ...standing.told.words...
 *
 * What its site has learnt of such addresses (crawl/pattern.h), what it looks like, and
 * for a page that is known why it was or was not reported, and why it is or is not
 * fetched. Every page that is known and was never fetched gets a reason. Texts live in
 * the command's arena. */
#ifndef FG_CLI_STANDING_H
#define FG_CLI_STANDING_H

#include "cli/looking.h"
#include "crawl/pattern.h"
#include "net/kind.h"

struct fg_cause {
    const char *word; /* NULL: there is nothing to say */
    struct fg_str words;
};

struct fg_standing {
    struct fg_kind_verdict kind; /* by the address */
    bool has_pattern;            /* the site has left its patterns in the store */
    struct fg_pattern pattern;
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

/* For people, a line each as field(context, name, value); and as members of an object. */
void fg_standing_print(const struct fg_standing *standing, const struct fg_look *look,
                       void (*field)(void *context, const char *name,
                                     struct fg_str value),
                       void *context);
void fg_standing_json(struct fg_json *json, const struct fg_standing *standing);

#endif
