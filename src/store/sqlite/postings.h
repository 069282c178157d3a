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

/* A row of a list: where its places stand on the page, and bytes of them. */
struct fg_posting {
    int64_t row;
    uint32_t from, places;
};

/* The list of a term in one segment, read page by page. */
struct fg_posting_part {
    unsigned segment;
    uint32_t page, page_last; /* the one at hand, and the last of the segment */
    uint32_t list_last;       /* the last that may be of this list; 0: not known */
    unsigned char *leaf;      /* a copy of the page, with zeros behind it */
    size_t room, bytes;       /* for it, and of it */
    size_t size, end;         /* of it: bytes before its index, and of the list */
    struct fg_posting *at;    /* the rows that begin on it */
    size_t n, i, capacity;    /* of them, and the one at hand */
    bool ends;                /* there are no more on the next page */
    int64_t row;              /* at[i].row; INT64_MAX behind the last */
};

struct fg_list {
    struct fg_postings *postings;
    struct fg_posting_part *parts;
    size_t n, at;       /* the part that has the row */
    int64_t row, until; /* INT64_MAX behind the last; no other part has one before that */
};

void fg_list_open(struct fg_list *list, struct fg_postings *postings, struct fg_str term);
void fg_list_close(struct fg_list *list);
/* For the two below, where there is more to do than to go on in a part. */
bool fg_list_step(struct fg_list *list);
bool fg_list_leap(struct fg_list *list, int64_t row);

/* To the first row, and from one to the next; false behind the last. */
static inline bool fg_list_next(struct fg_list *list)
{
    if (list->row == INT64_MIN || list->row == INT64_MAX)
        return fg_list_step(list);
    struct fg_posting_part *part = &list->parts[list->at];
    size_t i = part->i + 1;
    if (i >= part->n || part->at[i].row >= list->until || !part->at[i].places)
        return fg_list_step(list);
    part->i = i;
    list->row = part->row = part->at[i].row;
    return true;
}

/* To the first row from this one on. */
static inline bool fg_list_seek(struct fg_list *list, int64_t row)
{
    enum { NEAR = 4 };
    if (list->row >= row)
        return list->row != INT64_MAX;
    if (list->row == INT64_MIN)
        return fg_list_leap(list, row);
    struct fg_posting_part *part = &list->parts[list->at];
    size_t i = part->i + 1, most = part->n < i + NEAR ? part->n : i + NEAR;
    while (i < most && part->at[i].row < row)
        i++;
    if (i >= most || part->at[i].row >= list->until || !part->at[i].places)
        return fg_list_leap(list, row);
    part->i = i;
    list->row = part->row = part->at[i].row;
    return true;
}

/* --- eight bytes at a time --- */

static inline uint64_t fg_eight_bytes(const unsigned char *at)
{
    uint64_t bytes;
    memcpy(&bytes, at, sizeof bytes);
    return bytes;
}

/* Is one of them 1? */
static inline bool fg_has_one(uint64_t bytes)
{
    uint64_t ones = 0x0101010101010101U, x = bytes ^ ones;
    return (x - ones) & ~x & 0x8080808080808080U;
}

/* How many are below 0x80. */
static inline unsigned fg_short_bytes(uint64_t bytes)
{
    uint64_t ones = 0x0101010101010101U;
    return (unsigned)(((~bytes >> 7 & ones) * ones) >> 56);
}

/* Most postings are of the text alone: "1 1", and then a number for each place. How often
 * the term is there; 0: it is not as simple. */
static inline unsigned fg_list_simple(const struct fg_list *list)
{
    const struct fg_posting_part *part = &list->parts[list->at];
    const struct fg_posting *posting = &part->at[part->i];
    const unsigned char *at = part->leaf + posting->from;
    size_t left = posting->places;
    uint64_t bytes = fg_eight_bytes(at);
    unsigned n = 0;
    if ((bytes & 0xffff) != 0x0101 || posting->from + left > part->size)
        return 0;
    for (bytes |= 0xffff; left > sizeof bytes; bytes = fg_eight_bytes(at)) {
        if (fg_has_one(bytes))
            return 0;
        n += fg_short_bytes(bytes);
        at += sizeof bytes;
        left -= sizeof bytes;
    }
    if (left < sizeof bytes) /* what is beyond the end */
        bytes |= UINT64_MAX << 8 * left;
    return fg_has_one(bytes) ? 0 : n + fg_short_bytes(bytes);
}

/* Adds how often the term is in each field of the row at hand. */
void fg_list_count(struct fg_list *list, uint32_t counts[FG_INDEX_COUNTS]);
/* Bytes of its places there: it occurs at most so often. */
size_t fg_list_most(const struct fg_list *list);
/* About how long the list is, to tell long ones from short ones. Before the first row. */
size_t fg_list_bytes(const struct fg_list *list);

#endif
