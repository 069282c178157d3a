#include "store/sqlite/postings.h"

#include "base/memory.h"

#include <stdlib.h>

enum {
    STRUCTURE = 10,       /* the row with the segments */
    SEGMENTS_MOST = 2000, /* as FTS5 has it */
    HEAD_BYTES = 4,       /* of a page: where its first row stands, where its index */
    PAGE_BITS = 37,       /* of a row: the rest is the segment */
    TERM_MOST = 256,      /* bytes; terms.h makes them shorter */
    MAIN_INDEX = '0',     /* the byte before each term */
    SPARE = 32            /* bytes behind a page: two numbers fit, and a word */
};

struct segment {
    unsigned number;
    uint32_t first, last;
};

struct fg_postings {
    sqlite3 *db;
    const char *path;
    sqlite3_stmt *read_block, *find_page, *find_next;
    struct segment segments[SEGMENTS_MOST]; /* the newest first */
    size_t n;
    uint64_t hash;   /* of the row that names them: it changes with every write */
    bool is_alone;   /* the transaction is ours */
    bool is_damaged; /* or cannot be read */
};

struct fg_postings *fg_postings_new(void)
{
    return fg_zeroed(1, sizeof(struct fg_postings));
}

void fg_postings_free(struct fg_postings *postings)
{
    if (!postings)
        return;
    sqlite3_finalize(postings->read_block);
    sqlite3_finalize(postings->find_page);
    sqlite3_finalize(postings->find_next);
    free(postings);
}

/* --- numbers of seven bits a byte, and the rows of the index --- */

/* 0 beyond the end, where `at` then stands behind it. */
static uint64_t take(const unsigned char *bytes, size_t size, size_t *at)
{
    if (*at < size && bytes[*at] < 0x80)
        return bytes[(*at)++];
    uint64_t value = 0;
    for (int i = 0; i < 9; i++) {
        if (*at >= size) {
            *at = size + 1;
            return 0;
        }
        unsigned char byte = bytes[(*at)++];
        if (i == 8)
            return value << 8 | byte;
        value = value << 7 | (byte & 0x7f);
        if (byte < 0x80)
            break;
    }
    return value;
}

/* A statement of the connection; to be reset. NULL if there is no such row. */
static const unsigned char *read_block(struct fg_postings *postings, int64_t row,
                                       size_t *size)
{
    sqlite3_bind_int64(postings->read_block, 1, row);
    if (sqlite3_step(postings->read_block) != SQLITE_ROW)
        return NULL;
    *size = (size_t)sqlite3_column_bytes(postings->read_block, 0);
    return sqlite3_column_blob(postings->read_block, 0);
}

/* --- the segments --- */

/* Levels come from the newest to the oldest, the segments of one the other way round. */
static bool read_structure(struct fg_postings *postings)
{
    size_t size = 0, at = 4;
    const unsigned char *bytes = read_block(postings, STRUCTURE, &size);
    bool is_known = bytes && size > 4 && bytes[4] != 0xFF; /* else with origins, 3.43 */
    uint64_t levels = is_known ? take(bytes, size, &at) : 0;
    uint64_t in_all = is_known ? take(bytes, size, &at) : 0;
    take(bytes, size, &at);
    postings->n = 0;
    postings->hash = bytes ? fg_str_hash((struct fg_str){(const char *)bytes, size}) : 0;
    is_known &= in_all <= SEGMENTS_MOST;
    for (uint64_t i = 0; is_known && i < levels; i++) {
        take(bytes, size, &at); /* those that are being merged */
        uint64_t n = take(bytes, size, &at);
        is_known = at <= size && n <= in_all - postings->n;
        for (uint64_t j = n; is_known && j--;) {
            struct segment *segment = &postings->segments[postings->n + j];
            segment->number = (unsigned)take(bytes, size, &at);
            segment->first = (uint32_t)take(bytes, size, &at);
            segment->last = (uint32_t)take(bytes, size, &at);
            is_known = at <= size;
        }
        postings->n += is_known ? n : 0;
    }
    sqlite3_reset(postings->read_block);
    return is_known;
}

static bool prepare(struct fg_postings *postings, sqlite3_stmt **stmt, const char *sql)
{
    return *stmt || sqlite3_prepare_v3(postings->db, sql, -1, SQLITE_PREPARE_PERSISTENT,
                                       stmt, NULL) == SQLITE_OK;
}

enum fg_status fg_postings_begin(struct fg_postings *postings,
                                 const struct fg_connection *connection, bool *is_known,
                                 struct fg_err *err)
{
    postings->db = connection->db;
    postings->path = connection->path;
    postings->is_damaged = *is_known = false;
    postings->is_alone = sqlite3_get_autocommit(postings->db);
    enum fg_status st = postings->is_alone ? fg_sqlite_exec(postings->db, postings->path,
                                                            "read", "BEGIN", err)
                                           : FG_OK;
    if (st)
        return st;
    if (!prepare(postings, &postings->read_block,
                 "SELECT block FROM search_index_data WHERE id = ?") ||
        !prepare(postings, &postings->find_page,
                 "SELECT pgno >> 1 FROM search_index_idx WHERE segid = ? AND term <= ?"
                 " ORDER BY term DESC LIMIT 1") ||
        !prepare(postings, &postings->find_next,
                 "SELECT pgno >> 1 FROM search_index_idx WHERE segid = ? AND term > ?"
                 " ORDER BY term LIMIT 1"))
        st = fg_sqlite_fail(err, postings->db, postings->path, "search");
    else
        *is_known = read_structure(postings);
    if (!*is_known)
        fg_postings_end(postings, NULL);
    return st;
}

enum fg_status fg_postings_end(struct fg_postings *postings, struct fg_err *err)
{
    if (postings->is_alone)
        sqlite3_exec(postings->db, "COMMIT", NULL, NULL, NULL);
    postings->is_alone = false;
    return postings->is_damaged
               ? fg_fail(err, FG_EINPUT,
                         "the index of '%s' is damaged; forage doctor --reindex makes it"
                         " anew from the texts",
                         postings->path)
               : FG_OK;
}

uint64_t fg_postings_state(const struct fg_postings *postings)
{
    return postings->hash;
}

/* --- pages --- */

static unsigned two_bytes(const unsigned char *at)
{
    return (unsigned)at[0] << 8 | at[1];
}

static int64_t row_of_page(const struct fg_posting_part *part, uint32_t page)
{
    return ((int64_t)part->segment << PAGE_BITS) + page;
}

static bool end_part(struct fg_posting_part *part)
{
    part->row = INT64_MAX;
    part->n = part->i = 0;
    part->ends = true;
    return false;
}

static bool damaged(struct fg_postings *postings, struct fg_posting_part *part)
{
    postings->is_damaged = true;
    return end_part(part);
}

/* False behind the last of the segment. */
static bool load(struct fg_postings *postings, struct fg_posting_part *part,
                 uint32_t page)
{
    size_t size;
    if (page > part->page_last)
        return end_part(part);
    const unsigned char *block = read_block(postings, row_of_page(part, page), &size);
    bool is_sound = block && size >= HEAD_BYTES && two_bytes(block + 2) <= size &&
                    two_bytes(block + 2) >= HEAD_BYTES;
    if (is_sound) {
        if (part->room < size)
            part->leaf = fg_resized(part->leaf, size + SPARE, 1);
        part->room = part->room < size ? size : part->room;
        memcpy(part->leaf, block, size);
        memset(part->leaf + size, 0, SPARE);
        part->page = page;
        part->bytes = size;
        part->size = part->end = two_bytes(block + 2);
        if (size > part->size) { /* a term begins here */
            size_t at = part->size;
            part->end = (size_t)take(part->leaf, size, &at);
        }
    }
    sqlite3_reset(postings->read_block);
    return is_sound || damaged(postings, part);
}

/* Nearly all have one byte or two, and which of these cannot be foretold: so there is no
 * branch between them. Behind the page stand zeros. */
static inline uint64_t take_short(const unsigned char *bytes, size_t *at)
{
    const unsigned char *from = bytes + *at;
    unsigned has_two = from[0] >> 7;
    if (has_two & from[1] >> 7) {
        size_t used = 0;
        uint64_t value = take(from, SPARE / 2, &used);
        *at += used;
        return value;
    }
    *at += 1 + has_two;
    return (uint64_t)(from[0] & 0x7f) << 7 * has_two | (from[1] & (0U - has_two));
}

/* The rows of the list that begin on the page at hand, the first of them at `at`. */
static bool take_rows(struct fg_postings *postings, struct fg_posting_part *part,
                      size_t at)
{
    size_t size = part->size, n = 0, most = size / 2 + 1; /* two bytes each at least */
    if (part->capacity < most) {
        part->at = fg_resized(part->at, most, sizeof *part->at);
        part->capacity = most;
    }
    for (int64_t row = 0; at < size && (!n || at < part->end);) {
        row = (int64_t)((uint64_t)row + take_short(part->leaf, &at));
        uint64_t places = take_short(part->leaf, &at) >> 1;
        if (at > size || places > UINT32_MAX)
            return damaged(postings, part);
        part->at[n++] = (struct fg_posting){row, (uint32_t)at, (uint32_t)places};
        at += places;
    }
    if (!n)
        return damaged(postings, part);
    part->n = n;
    part->i = 0;
    part->ends = at < size;
    part->row = part->at[0].row;
    return true;
}

/* Where the first row of the page at hand stands, that goes on with the list. 0: none. */
static size_t first_row(const struct fg_posting_part *part)
{
    size_t at = two_bytes(part->leaf);
    return at >= HEAD_BYTES && at < part->size ? at : 0;
}

/* To the rows of the list on the next page that has some. */
static bool turn_page(struct fg_postings *postings, struct fg_posting_part *part)
{
    if (part->ends)
        return end_part(part);
    while (load(postings, part, part->page + 1)) {
        if (first_row(part))
            return take_rows(postings, part, first_row(part));
        if (part->end < part->size)
            return end_part(part);
    }
    return false;
}

static bool go_on(struct fg_postings *postings, struct fg_posting_part *part)
{
    if (part->i + 1 >= part->n)
        return turn_page(postings, part);
    part->row = part->at[++part->i].row;
    return true;
}

/* --- finding a term, and leaping --- */

/* The row that stands behind the term, which ends at `at`. */
static bool begin_list(struct fg_postings *postings, struct fg_posting_part *part,
                       size_t at, size_t end)
{
    part->end = end;
    if (at >= part->size) {
        if (!load(postings, part, part->page + 1))
            return false;
        at = HEAD_BYTES;
    }
    return take_rows(postings, part, at);
}

/* On the page at hand. Terms stand there in order, each as what it shares with the one
 * before and the rest; the index at the end of the page says where each begins. */
static bool find_on_page(struct fg_postings *postings, struct fg_posting_part *part,
                         struct fg_str term)
{
    char name[TERM_MOST];
    size_t bytes = part->bytes, index = part->size, at = 0, len = 0;
    for (bool is_first = true; index < bytes; is_first = false) {
        at += (size_t)take(part->leaf, bytes, &index);
        size_t stands = at, next = index, end = part->size;
        uint64_t kept = is_first ? 0 : take(part->leaf, part->size, &stands);
        uint64_t fresh = take(part->leaf, part->size, &stands);
        if (kept > len || fresh > TERM_MOST - kept || stands + fresh > part->size)
            return damaged(postings, part);
        memcpy(name + kept, part->leaf + stands, (size_t)fresh);
        len = (size_t)(kept + fresh);
        int order = fg_str_cmp((struct fg_str){name, len}, term);
        if (order > 0)
            break;
        if (order < 0)
            continue;
        if (next < bytes)
            end = at + (size_t)take(part->leaf, bytes, &next);
        return begin_list(postings, part, stands + (size_t)fresh, end);
    }
    return end_part(part);
}

static uint32_t look_up(sqlite3_stmt *stmt, unsigned segment, struct fg_str term)
{
    sqlite3_bind_int64(stmt, 1, segment);
    sqlite3_bind_blob64(stmt, 2, term.at, term.len, SQLITE_STATIC);
    uint32_t page =
        sqlite3_step(stmt) == SQLITE_ROW ? (uint32_t)sqlite3_column_int64(stmt, 0) : 0;
    sqlite3_reset(stmt);
    return page;
}

static bool find(struct fg_postings *postings, struct fg_posting_part *part,
                 const struct segment *segment, struct fg_str term)
{
    uint32_t page = look_up(postings->find_page, segment->number, term);
    *part =
        (struct fg_posting_part){.segment = segment->number, .page_last = segment->last};
    if (!segment->last) /* all of it has been merged into another */
        return end_part(part);
    if (!load(postings, part, page < segment->first ? segment->first : page))
        return false;
    if (!find_on_page(postings, part, term))
        return false;
    part->list_last = look_up(postings->find_next, segment->number, term);
    if (!part->list_last || part->list_last > segment->last)
        part->list_last = segment->last;
    return true;
}

/* The first row of a page of the list; INT64_MIN if none begins there. */
static int64_t row_at(struct fg_postings *postings, const struct fg_posting_part *part,
                      uint32_t page)
{
    size_t size, at = 0;
    const unsigned char *block = read_block(postings, row_of_page(part, page), &size);
    int64_t row = INT64_MIN;
    if (block && size > HEAD_BYTES)
        at = two_bytes(block);
    if (at >= HEAD_BYTES && at < size)
        row = (int64_t)take(block, size, &at);
    sqlite3_reset(postings->read_block);
    return row;
}

/* Past pages whose rows are all before this one: in steps that double, then by halves. A
 * page without a row of its own counts as one before. */
static void leap(struct fg_postings *postings, struct fg_posting_part *part, int64_t row)
{
    uint32_t low = part->page, step = 1, high = part->list_last + 1;
    if (low >= part->list_last || row_at(postings, part, low + 1) >= row)
        return;
    while (low + step < high) {
        int64_t first = row_at(postings, part, low + step);
        if (first > row || (first == INT64_MIN && step > 1)) {
            high = low + step;
            break;
        }
        low += step;
        step *= 2;
    }
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        int64_t first = row_at(postings, part, middle);
        if (first != INT64_MIN && first <= row)
            low = middle;
        else
            high = middle;
    }
    if (low != part->page && row_at(postings, part, low) != INT64_MIN &&
        load(postings, part, low))
        take_rows(postings, part, first_row(part));
}

/* On the page at hand, whose last row is not before this one: in steps that double, then
 * by halves. */
static void seek_on_page(struct fg_posting_part *part, int64_t row)
{
    size_t low = part->i, step = 1, high = part->n - 1;
    while (low + step < high && part->at[low + step].row < row) {
        low += step;
        step *= 2;
    }
    high = low + step < high ? low + step : high;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (part->at[middle].row < row)
            low = middle;
        else
            high = middle;
    }
    part->i = high;
    part->row = part->at[high].row;
}

static void seek_part(struct fg_postings *postings, struct fg_posting_part *part,
                      int64_t row)
{
    bool has_turned = false;
    while (part->row < row) {
        if (part->at[part->n - 1].row >= row) {
            seek_on_page(part, row);
        } else if (!turn_page(postings, part)) {
            return;
        } else if (!has_turned && part->at[part->n - 1].row < row && !part->ends) {
            leap(postings, part, row);
            has_turned = true;
        }
    }
}

/* --- lists --- */

static void clear_part(struct fg_posting_part *part)
{
    free(part->leaf);
    free(part->at);
}

void fg_list_open(struct fg_list *list, struct fg_postings *postings, struct fg_str term)
{
    char name[TERM_MOST];
    *list = (struct fg_list){.postings = postings, .row = INT64_MIN};
    if (term.len >= sizeof name)
        return;
    name[0] = MAIN_INDEX;
    memcpy(name + 1, term.at, term.len);
    list->parts = fg_zeroed(postings->n, sizeof *list->parts);
    for (size_t i = 0; i < postings->n; i++) {
        struct fg_posting_part *part = &list->parts[list->n];
        if (find(postings, part, &postings->segments[i],
                 (struct fg_str){name, term.len + 1}))
            list->n++;
        else
            clear_part(part);
    }
}

void fg_list_close(struct fg_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        clear_part(&list->parts[i]);
    free(list->parts);
    *list = (struct fg_list){0};
}

/* To the part with the least row, the newest of those; it may say that it has gone. */
static bool settle(struct fg_list *list)
{
    list->row = list->until = INT64_MAX;
    for (size_t i = 0; i < list->n; i++) {
        int64_t row = list->parts[i].row;
        if (row < list->row) {
            list->until = list->row;
            list->row = row;
            list->at = i;
        } else if (row < list->until) {
            list->until = row;
        }
    }
    return list->row != INT64_MAX;
}

/* Beyond the row at hand, in all parts that have it. */
static bool step(struct fg_list *list)
{
    struct fg_posting_part *part = &list->parts[list->at];
    int64_t row = list->row;
    go_on(list->postings, part);
    if (row != list->until && part->row < list->until) {
        list->row = part->row;
        return true;
    }
    for (size_t i = 0; i < list->n; i++)
        if (list->parts[i].row == row)
            go_on(list->postings, &list->parts[i]);
    return settle(list);
}

static size_t places_of(const struct fg_list *list)
{
    const struct fg_posting_part *part = &list->parts[list->at];
    return part->at[part->i].places;
}

static bool pass_gone(struct fg_list *list)
{
    while (list->row != INT64_MAX && !places_of(list))
        step(list);
    return list->row != INT64_MAX;
}

bool fg_list_step(struct fg_list *list)
{
    if (list->row == INT64_MIN)
        settle(list);
    else if (list->row != INT64_MAX)
        step(list);
    return pass_gone(list);
}

/* As long as the part at hand stays before the rows of all others, these may wait. */
bool fg_list_leap(struct fg_list *list, int64_t row)
{
    if (list->row == INT64_MIN && (!settle(list) || list->row >= row))
        return pass_gone(list);
    struct fg_posting_part *part = &list->parts[list->at];
    seek_part(list->postings, part, row);
    if (part->row < list->until) {
        list->row = part->row;
        return pass_gone(list);
    }
    for (size_t i = 0; i < list->n; i++)
        if (list->parts[i].row < row)
            seek_part(list->postings, &list->parts[i], row);
    settle(list);
    return pass_gone(list);
}

/* --- places --- */

size_t fg_list_bytes(const struct fg_list *list)
{
    size_t bytes = 0;
    for (size_t i = 0; i < list->n; i++) {
        const struct fg_posting_part *part = &list->parts[i];
        bytes += part->page == part->list_last
                     ? part->end - part->at[part->i].from
                     : (size_t)(part->list_last - part->page) * part->size;
    }
    return bytes;
}

/* Numbers of two and more are places; 1 says that another field begins. Numbers may not
 * be cut by the end of a page, and `field` holds from one page to the next: field 100
 * stands for one that is yet to be told. */
static void count(const unsigned char *at, size_t n, unsigned *field,
                  uint32_t counts[FG_INDEX_COUNTS])
{
    enum { TO_BE_TOLD = 100, CHUNK = 8 };
    for (size_t i = 0; i < n; i++) {
        while (i + CHUNK <= n && *field < FG_INDEX_COUNTS &&
               !fg_has_one(fg_eight_bytes(at + i))) {
            counts[*field] += fg_short_bytes(fg_eight_bytes(at + i));
            i += CHUNK;
        }
        if (i == n)
            break;
        if (at[i] >= 0x80)
            continue; /* a number goes on */
        bool is_short = !i || at[i - 1] < 0x80;
        if (*field == TO_BE_TOLD)
            *field = at[i];
        else if (at[i] == 1 && is_short)
            *field = TO_BE_TOLD;
        else if (*field < FG_INDEX_COUNTS)
            counts[*field]++;
    }
}

void fg_list_count(struct fg_list *list, uint32_t counts[FG_INDEX_COUNTS])
{
    struct fg_posting_part *part = &list->parts[list->at];
    const struct fg_posting *posting = &part->at[part->i];
    unsigned field = 0, simple = fg_list_simple(list);
    size_t left = posting->places, here = part->size - posting->from;
    if (simple) {
        counts[FG_IN_TEXT] += simple;
        return;
    }
    here = here < left ? here : left;
    count(part->leaf + posting->from, here, &field, counts);
    left -= here;
    for (uint32_t page = part->page + 1; left && page <= part->page_last; page++) {
        size_t size = 0;
        const unsigned char *block =
            read_block(list->postings, row_of_page(part, page), &size);
        here = block && size > HEAD_BYTES ? two_bytes(block + 2) : HEAD_BYTES;
        here = here <= size && here > HEAD_BYTES ? here - HEAD_BYTES : 0;
        here = here < left ? here : left;
        if (here)
            count(block + HEAD_BYTES, here, &field, counts);
        sqlite3_reset(list->postings->read_block);
        left -= here;
        list->postings->is_damaged |= !here;
        if (!here)
            return;
    }
}
