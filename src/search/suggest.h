/* suggest.h - "did you mean": the nearest words that the index knows */
#ifndef FG_SEARCH_SUGGEST_H
#define FG_SEARCH_SUGGEST_H

#include "base/arena.h"
#include "base/err.h"
#include "search/query.h"

/* The words of the query, those that no text has replaced by the nearest that some have:
 * one or two letters away, the most frequent of equals. Empty: there are none. */
enum fg_status fg_suggest(struct fg_str *instead, struct fg_arena *arena,
                          struct fg_store *store, const struct fg_query *query,
                          struct fg_err *err);

#endif
