/* control.h - what the user takes back: sites and pages removed, paused, resumed
 *
 *     struct fg_control wish = {FG_CONTROL_PAUSE, FG_STR("https://a.example"), {0}};
 *     fg_control_put(store, &wish, 1, now, err);        (no crawl has the store open)
 *     fg_control_format(&text, &wish, 1);               (one has: FG_INBOX_CONTROL)
 *
 * A paused site or page is not asked for anything, not even for its robots.txt; it keeps
 * all that is known of it and goes on where it was. A removed site is asked nothing any
 * more and is shown by no list; its rows stay in the store until it is added again, which
 * begins a watch without a past: what was known is forgotten in the same transaction,
 * but for the requests made to its host and what politeness remembers. A removed page is
 * no source, no document and no seed any more, and is not fetched; adding it again undoes
 * that. A site that is forgotten is removed, and then its rows go, too (retention.c);
 * added again it is one that nobody ever knew.
 *
 * Of a site that is a mark in its settings (site_rules.h), of a page one in its flags, so
 * that each is one row of the store. */
#ifndef FG_CRAWL_CONTROL_H
#define FG_CRAWL_CONTROL_H

#include "base/buf.h"
#include "base/vec.h"
#include "crawl/sites/site_row.h"
#include "store/store.h"

enum fg_control_kind {
    FG_CONTROL_REMOVE,
    FG_CONTROL_PAUSE,
    FG_CONTROL_RESUME,
    FG_CONTROL_FORGET /* of sites only */
};

struct fg_control {
    enum fg_control_kind kind;
    struct fg_str key; /* of the site */
    struct fg_str url; /* canonical, of the page; empty: the site as a whole */
};

/* All of them are one transaction, on disk when it returns; what is forgotten goes in
 * further ones. Those that name nothing in the store, or a page of a removed site, change
 * nothing. */
enum fg_status fg_control_put(struct fg_store *store, const struct fg_control *wishes,
                              size_t n, fg_time now, struct fg_err *err);

/* The flags of a page that is added; of one that was removed: what it was, to be read
 * soon, whatever came of reading it before. */
uint32_t fg_page_added_again(uint32_t flags);

/* Lines for the inbox (seeds.h), and one of them back; parts of it. */
void fg_control_format(struct fg_buf *out, const struct fg_control *wishes, size_t n);
bool fg_control_parse(struct fg_control *wish, struct fg_str line);

/* Those that lie in an inbox, as they will be taken. What the store says holds only as
 * far as none of them is about it. */
struct fg_control_waiting {
    FG_VEC(struct fg_control) wishes; /* all of it in the arena */
    bool has_seeds;                   /* something is to be added, too */
};
void fg_control_waiting(struct fg_control_waiting *waiting, struct fg_arena *arena,
                        const char *place);

#endif
