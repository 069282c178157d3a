/* postings.h - which texts have a term, read from the lists that FTS5 keeps; private
 * to src/store/sqlite
 *
 *     if (fg_postings_begin(postings, &is_known, err) == FG_OK && is_known) {
 *         struct fg_list list;
 *         fg_list_open(&list, postings, FG_STR("mushroom"));
 *         while (fg_list_next(&list)) ...list.row, fg_list_count(&list, counts)...
 *         fg_list_close(&list);
 *         st = fg_postings_end(postings, err);
 *     }
 *
 * FTS5 is asked through SQL, a virtual machine and a tree of expressions; that takes a
 * microsecond a posting. Its lists read as they stand take some ten nanoseconds, and the
 * pages of a list that hold nothing of interest are leapt over. The format is that of
 * fts5_index.c, version 4, which files keep for good; another one is not known here, and
 * the caller asks FTS5 instead. What is damaged ends a list and fails fg_postings_end.
 *
 * A term has a list in each segment of the index, the newest first. A row in several of
 * them counts as the newest says: an entry without places says that the row has gone. */
#ifndef FG_STORE_SQLITE_POSTINGS_H
#define FG_STORE_SQLITE_POSTINGS_H

#include "store/sqlite/sqlite.h"

struct fg_postings; /* of one connection */

struct fg_postings *fg_postings_new(void);
void fg_postings_free(struct fg_postings *postings);

/* Until the end nothing is to be written by this connection; all is of one moment. */
enum fg_status fg_postings_begin(struct fg_postings *postings,
                                 const struct fg_connection *connection, bool *is_known,
                                 struct fg_err *err);
enum fg_status fg_postings_end(struct fg_postings *postings, struct fg_err *err);

/* While it is the same, so is the index. */
uint64_t fg_postings_state(const struct fg_postings *postings);

/* The list of a term in one segment. */
struct fg_posting_part {
    unsigned segment;
    uint32_t page, page_last; /* the one at hand, and the last of the segment */
    uint32_t list_last;       /* the last that may be of this list; 0: not known */
    unsigned char *leaf;      /* a copy of the page */
    size_t room, bytes;       /* for it, and of it */
    size_t size, end;         /* of it: bytes before its index, and of the list */
    size_t from, places;      /* of the entry at hand: its places, and bytes of them */
    int64_t row;              /* INT64_MAX behind the last */
};

struct fg_list {
    struct fg_postings *postings;
    struct fg_posting_part *parts;
    size_t n, at;       /* the part that has the row */
    int64_t row, until; /* INT64_MAX behind the last; no other part has one before that */
};

void fg_list_open(struct fg_list *list, struct fg_postings *postings, struct fg_str term);
void fg_list_close(struct fg_list *list);
/* To the first row, and from one to the next; false behind the last. */
bool fg_list_next(struct fg_list *list);
/* To the first row from this one on. */
bool fg_list_seek(struct fg_list *list, int64_t row);
/* Adds how often the term is in each field of the row at hand. */
void fg_list_count(struct fg_list *list, uint32_t counts[FG_INDEX_COUNTS]);
/* Bytes of its places there: it occurs at most so often. */
size_t fg_list_most(const struct fg_list *list);
/* About how long the list is, to tell long ones from short ones. Before the first row. */
size_t fg_list_bytes(const struct fg_list *list);

#endif
