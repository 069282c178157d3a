/* feedback.h - what people did with results, and that nobody makes it up
 *
 *     struct fg_feedback_key key;
 *     st = fg_feedback_key(&key, store, place, err);
 *     token = fg_feedback_token(arena, &key, &shown);      beside each result
 *     ...
 *     what = fg_feedback_read(&shown, &key, token, now);   it comes back
 *     st = fg_feedback_take(&outcome, place, &key, events, n, now, err);
 *
 * A token says which page stood where in which view of results, and when, signed with a
 * key that never leaves the store (HMAC-SHA256). It says nothing of who looked. Whoever
 * has it may tell once that the result was seen and once that it was chosen, within
 * FG_FEEDBACK_LIFE; what is forged, told again or told later does not count. Only sums by
 * page are kept, and for a week the marks of what was taken.
 *
 * A result that was shown was not always looked at: at place x it counts as x^-1.5 looks,
 * which is how the visits of AltaVista's users went with the place. A choice is a look.
 */
#ifndef FG_SEARCH_FEEDBACK_H
#define FG_SEARCH_FEEDBACK_H

#include "base/arena.h"
#include "store/store.h"

#define FG_FEEDBACK_LIFE (7 * FG_DAY)

struct fg_feedback_key {
    unsigned char bytes[32];
};

/* A result as it was shown. */
struct fg_shown {
    fg_site_id site;
    fg_page_id page;
    uint32_t place;   /* from 1 */
    bool is_promoted; /* it stood there by chance */
    fg_time time;
    uint64_t view; /* one showing of results; a random number */
};

/* The key of a store; made if there is none, by any process. FG_EIO where that cannot be
 * written. */
enum fg_status fg_feedback_key(struct fg_feedback_key *key, struct fg_store *store,
                               const char *place, struct fg_err *err);

/* A number for a view that nobody can guess. */
uint64_t fg_feedback_view(void);

/* Letters, digits, "-" and "_" only: it may stand in a URL as it is. */
struct fg_str fg_feedback_token(struct fg_arena *arena, const struct fg_feedback_key *key,
                                const struct fg_shown *shown);

enum fg_token_is {
    FG_TOKEN_GOOD,
    FG_TOKEN_FORGED, /* or damaged, or of another store */
    FG_TOKEN_LATE,
};
enum fg_token_is fg_feedback_read(struct fg_shown *shown,
                                  const struct fg_feedback_key *key, struct fg_str token,
                                  fg_time now);

struct fg_feedback_event {
    enum fg_feedback_kind { FG_WAS_SEEN, FG_WAS_CHOSEN } kind;
    struct fg_shown shown; /* from a token that was read, or our own */
};

struct fg_feedback_outcome {
    size_t taken, again; /* again: it had been told already */
};

/* All of them or, if it fails, none. */
enum fg_status fg_feedback_take(struct fg_feedback_outcome *outcome, const char *place,
                                const struct fg_feedback_key *key,
                                const struct fg_feedback_event *events, size_t n,
                                fg_time now, struct fg_err *err);

#endif
