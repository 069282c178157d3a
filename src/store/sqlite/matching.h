/* matching.h - which texts answer a query of plain words; private to src/store/sqlite
 *
 * All groups that are needed: the shortest list leads, and the others leap to where it
 * stands. Otherwise any that is wanted: each list is walked, until the caller's floor
 * says that those of little worth cannot bring a text up by themselves any more; from
 * then on they are only looked at in texts that another one finds (Turtle and Flood's
 * MaxScore, 1995). */
#ifndef FG_STORE_SQLITE_MATCHING_H
#define FG_STORE_SQLITE_MATCHING_H

#include "store/sqlite/postings.h"

/* False: there are phrases or prefixes in it, which FTS5 is to be asked for. */
bool fg_matching_can(const struct fg_index_query *query);

/* Between begin and end of the postings. */
void fg_matching_run(struct fg_postings *postings, const struct fg_index_query *query,
                     fg_take_hit *take, void *context);

/* How many texts a group has, as far as `most` and the last of them counted. */
uint64_t fg_matching_count(struct fg_postings *postings,
                           const struct fg_index_group *group, uint64_t most,
                           int64_t *last);

#endif
