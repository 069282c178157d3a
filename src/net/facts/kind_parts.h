/* kind_parts.h - an address taken apart; private to kind*.c */
#ifndef FG_NET_KIND_PARTS_H
#define FG_NET_KIND_PARTS_H

#include "net/facts/kind.h"

enum { FG_ADDRESS_SEGMENTS_MAX = 32, FG_ADDRESS_PARAMS_MAX = 32 };

struct fg_address_param {
    struct fg_str name, value;
    size_t first, end; /* in the query */
};

struct fg_address_parts {
    struct fg_str segments[FG_ADDRESS_SEGMENTS_MAX]; /* without empty ones */
    size_t n;
    struct fg_str path, query;
    struct fg_address_param params[FG_ADDRESS_PARAMS_MAX];
    size_t n_params;
};

/* day is 0 where only the month is said; year is 0 where nothing is. `used` is how many
 * segments the date takes, 0 if it is the beginning of one that has more. */
struct fg_address_dated {
    int year, month, day;
    size_t used;
};

void fg_address_take_apart(struct fg_address_parts *parts, struct fg_str url);

/* The first date of the path, and the segment it starts in. */
struct fg_address_dated fg_address_find_date(const struct fg_address_parts *parts,
                                             size_t *at);
bool fg_address_continues(const struct fg_address_parts *parts);

/* "search.php" is "search"; but "v1.2" stays. */
struct fg_str fg_segment_stem(struct fg_str segment);
/* "php"; empty if there is none. */
struct fg_str fg_segment_extension(struct fg_str segment);
/* "how-to-edit-history": the title of something. */
bool fg_segment_is_slug(struct fg_str segment);
bool fg_segment_is_year(struct fg_str segment);

bool fg_is_digits(struct fg_str s);
bool fg_is_hash(struct fg_str s); /* at least seven hexadecimal digits */

#endif
