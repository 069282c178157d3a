/* snippet.h - the part of a text that shows why it was found
 *
 *     struct fg_marked snippet = fg_snippet_of(arena, text, stemmer, groups, n, 200);
 *     for (size_t i = 0; i < snippet.n_marks; i++) ...snippet.marks[i].from...
 *
 * The passage with most of the groups in it, the first of those that are equal; with what
 * was found marked. Control characters, line ends and runs of blanks become one blank, so
 * a text from the web cannot act on a terminal or look like another line. */
#ifndef FG_SEARCH_SNIPPET_H
#define FG_SEARCH_SNIPPET_H

#include "base/arena.h"
#include "base/plain.h"
#include "base/terms.h"
#include "store/index.h"

/* The stemmer is that of the text. About `bytes` long, cut between words; the beginning
 * of the text if nothing of the query is in it. */
struct fg_marked fg_snippet_of(struct fg_arena *arena, struct fg_str text,
                               struct fg_stemmer *stemmer,
                               const struct fg_index_group *groups, size_t n,
                               size_t bytes);

#endif
