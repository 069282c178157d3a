/* captures.h - what archives saw of pages: from their indexes to the learners
 *
 *     struct fg_captures captures = {.arena = &arena, .now = now};
 *     fg_captures_read(&captures, cdxj, complain, context, err);
 *     if (!captures.wrong)
 *         fg_captures_name(&captures, keep);
 *     fg_captures_put(&outcome, store, &captures, err);
 *
 * Each capture (net/archive/cdxj.h) becomes a visit in the log, made by somebody else: at
 * its time the page was as before, or had changed, by the digest of the capture before
 * it. A policy that chooses from such pages forgets what it knew and learns from the log
 * when the crawl is next started, captures and own visits in order of time. Of a source
 * that has changed one new link is assumed: an index does not say how many there were. */
#ifndef FG_CRAWL_CAPTURES_H
#define FG_CRAWL_CAPTURES_H

#include "base/map.h"
#include "base/vec.h"
#include "store/store.h"

struct fg_seen_capture {
    uint32_t url; /* in `urls` */
    uint16_t status;
    bool has_digest; /* else it is as before: an archive that was told so */
    bool changed;    /* set by fg_captures_name */
    fg_time time;
    uint64_t digest; /* a hash of it */
};

struct fg_captures {
    struct fg_arena *arena; /* set this; all the rest lives there */
    fg_time now;            /* and this: later captures are wrong */
    FG_VEC(struct fg_str) urls;
    FG_VEC(struct fg_seen_capture) rows;
    struct fg_names by_url; /* index in `urls` + 1 */
    size_t wrong;           /* lines that make no sense; each was complained about */
    size_t passed_over;     /* redirects, and what is no address of the web */
};

enum fg_status fg_captures_read(struct fg_captures *captures, struct fg_str text,
                                void (*complain)(void *context, size_t line,
                                                 const char *why),
                                void *context, struct fg_err *err);

/* Give the addresses the names that pages have in the store. In order of address and time
 * afterwards, without repetitions, and with `changed` set. */
void fg_captures_name(struct fg_captures *captures, unsigned keep);

struct fg_captures_outcome {
    size_t captures, changes, pages; /* of pages that are known */
    size_t fresh;                    /* captures that the log did not have yet */
    size_t unknown,
        unlearned; /* addresses not known; pages that no policy chooses from */
    struct fg_str an_unknown_one;
    fg_time first, last;
};

/* On disk when it returns. Doing it again changes nothing. No crawl may have the store
 * open. */
enum fg_status fg_captures_put(struct fg_captures_outcome *outcome,
                               struct fg_store *store, const struct fg_captures *captures,
                               struct fg_err *err);
/* Was there one, by what is kept of the page as FG_EXTRA_CAPTURE? */
bool fg_captures_any(struct fg_str kept);
/* Is this body the one of the last? */
bool fg_captures_has(struct fg_str kept, struct fg_str body);

/* The addresses that are not known, or that no policy chooses from, are handed to `take`.
 */
enum fg_status fg_captures_missing(struct fg_store *store,
                                   const struct fg_captures *captures,
                                   void (*take)(void *context, struct fg_str url),
                                   void *context, struct fg_err *err);

#endif
