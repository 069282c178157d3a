/* gunzip.h - gzip, a piece at a time, with an eye on bombs
 *
 *     struct fg_gunzip *gz = fg_gunzip_new(50 << 20, take, context);
 *     while (...) outcome = fg_gunzip_feed(gz, chunk);
 *     outcome = fg_gunzip_finish(gz);
 *     fg_gunzip_free(gz);
 *
 * What comes out goes to `take` in pieces of at most 64 KiB. A file may be larger than
 * allowed, or shrink so well that nobody can have meant it: then unpacking stops, and the
 * outcome says which. What was handed out before stays handed out. */
#ifndef FG_NET_GUNZIP_H
#define FG_NET_GUNZIP_H

#include "base/str.h"

/* The first megabyte is free; beyond, one byte may become this many at most. Real
 * sitemaps come to 10 to 60. */
#define FG_GUNZIP_RATIO_MAX 250

enum fg_gunzip_outcome {
    FG_GUNZIP_OK,        /* so far, or to the end */
    FG_GUNZIP_BROKEN,    /* not gzip, or damaged */
    FG_GUNZIP_CUT,       /* ends in the middle; only the end can tell */
    FG_GUNZIP_TOO_LARGE, /* more than the maximum comes out */
    FG_GUNZIP_BOMB
};

struct fg_gunzip; /* private to gunzip.c */

bool fg_gunzip_is_gzip(struct fg_str first_bytes);

struct fg_gunzip *fg_gunzip_new(size_t max_bytes,
                                void (*take)(void *context, struct fg_str bytes),
                                void *context);
void fg_gunzip_free(struct fg_gunzip *gz);

/* After anything but FG_GUNZIP_OK the rest of the input is ignored. */
enum fg_gunzip_outcome fg_gunzip_feed(struct fg_gunzip *gz, struct fg_str bytes);
enum fg_gunzip_outcome fg_gunzip_finish(struct fg_gunzip *gz);

#endif
