/* look.h - a workspace, as one that only looks sees it
 *
 *     struct fg_look look;
 *     st = fg_look_open(&look, &place, store, arena, err);
 *     ...
 *     fg_look_close(&look);
 *
 * The store is the caller's and is only read, so all of this works while a crawl runs.
 * What is found lives in the caller's arena. One look is used by one thread; several may
 * share a store. */
#ifndef FG_VIEW_LOOK_H
#define FG_VIEW_LOOK_H

#include "base/vec.h"
#include "crawl/crawl.h"
#include "net/url/url.h"
#include "store/store.h"

#include <jansson.h>

struct fg_workspace {
    struct fg_str folder;                    /* also for messages; ends in NUL */
    const struct fg_crawl_options *settings; /* what a crawl would be run with */
    const char *store;                       /* where it is; NULL: in the folder */
};

static inline const char *fg_workspace_store(const struct fg_workspace *place)
{
    return place->store ? place->store : place->folder.at;
}

struct fg_look {
    struct fg_workspace place;
    struct fg_store *store;    /* NULL: there is no crawl yet */
    struct fg_arena *texts;    /* the caller's */
    struct fg_arena arena;     /* for the two below */
    struct fg_site_row *sites; /* in order of their ids */
    size_t n_sites, room;
    json_t *status; /* what the last crawl said of itself, or NULL; see crawl/status.c */
    unsigned keep;  /* which addresses are one page: crawl/sources/naming.h */
    int64_t writer; /* the process that crawls now, or -1 */
    fg_time now;    /* by the crawl's clock, which may run fast */
};

enum fg_status fg_look_open(struct fg_look *look, const struct fg_workspace *place,
                            struct fg_store *store, struct fg_arena *texts,
                            struct fg_err *err);
void fg_look_close(struct fg_look *look);
/* " (process 12)"; empty if it runs on another machine, or there are several. */
enum { FG_PROCESS_TEXT = 40 };
const char *fg_process_words(char room[static FG_PROCESS_TEXT], int64_t process);
/* Sites, status and time as they are now. */
enum fg_status fg_look_again(struct fg_look *look, struct fg_err *err);

/* An address given by a person, with or without its scheme. */
enum fg_status fg_look_address(const struct fg_look *look, struct fg_str text,
                               struct fg_url *url, struct fg_err *err);
/* NULL if there is none. */
const struct fg_site_row *fg_look_site(const struct fg_look *look, fg_site_id id);
/* By key ("https://example.org:8443"), by any URL of it, by its host and port
 * ("example.org:8443"), or by its host alone if no other site has it; FG_ECONFIG with the
 * choices if several are meant. */
enum fg_status fg_look_find_site(const struct fg_look *look, struct fg_str name,
                                 fg_site_id *site, struct fg_err *err);
/* The page of a URL. */
enum fg_status fg_look_find_page(const struct fg_look *look, struct fg_str url,
                                 struct fg_page_row *page, struct fg_err *err);
/* The URL of a page, "" if it is not there; lives in `arena`. */
struct fg_str fg_look_url(const struct fg_look *look, struct fg_arena *arena,
                          fg_site_id site, fg_page_id page);
/* What a page is an alias or a near-copy of, likewise; that may be none of ours. */
struct fg_str fg_look_alias(const struct fg_look *look, struct fg_arena *arena,
                            const struct fg_page_row *page);
/* Where an alias leads in the end: the address, empty if it is not known; the page there,
 * with site 0 if it is none of ours. */
struct fg_str fg_look_target(const struct fg_look *look, const struct fg_page_row *page,
                             struct fg_page_row *target);
/* All that is kept of a value's text, which may be more than its row has: in `arena`.
 * `is_cut`: the page had more. */
struct fg_str fg_look_whole(const struct fg_look *look, struct fg_arena *arena,
                            const struct fg_value_row *value, bool *is_cut);
bool fg_look_is_cut(struct fg_str text); /* of a change of value */
/* Changes that only events know of, in order of time: a list showed an earlier price of
 * an offer than the first that was read, so the history of its values does not have it.
 * site 0: of all sites; page 0: of all pages. Texts live in the arena. */
struct fg_value_changes {
    struct fg_value_change *at;
    size_t len, capacity;
};
enum fg_status fg_look_list_changes(const struct fg_look *look, struct fg_arena *arena,
                                    fg_site_id site, fg_page_id page, fg_time since,
                                    struct fg_value_changes *changes, struct fg_err *err);
/* The tags that a page goes by: its own, or those of its site. In `arena`. */
struct fg_str fg_look_tags(const struct fg_look *look, struct fg_arena *arena,
                           fg_site_id site, fg_page_id page);
/* "1h" is an hour ago, a date is itself, nothing is FG_NEVER. `flag` is for messages. */
enum fg_status fg_look_since(const struct fg_look *look, const char *flag,
                             struct fg_str text, fg_time *since, struct fg_err *err);

/* A number, text or time of the status; 0, NULL or FG_NEVER if it is not there. */
double fg_look_number(const json_t *object, const char *key);
const char *fg_look_text(const json_t *object, const char *key);
fg_time fg_look_time(const json_t *object, const char *key);

/* The words for a page's flags: the nth of them, NULL at the end. */
const char *fg_flag_word(uint32_t flags, unsigned nth);

#endif
