/* sections.h - state as bytes: named pieces under a checksum
 *
 *     size_t start = fg_sections_begin(out, "FGFOCUS1");
 *     fg_sections_put(out, "days", &days, sizeof days);
 *     fg_sections_end(out, start);
 *
 *     struct fg_str all;
 *     if ((st = fg_sections_open(&all, bytes, "FGFOCUS1", "a classifier", err)))
 *         return st;
 *     if (!fg_sections_copy(all, "days", &days, sizeof days)) ...
 *
 * Numbers are as the machine has them: for state that is read where it was written. A
 * piece may hold the bytes of another such state. */
#ifndef FG_BASE_SECTIONS_H
#define FG_BASE_SECTIONS_H

#include "base/buf.h"
#include "base/err.h"

enum { FG_SECTIONS_KIND = 8 }; /* bytes that say what it is the state of */

size_t fg_sections_begin(struct fg_buf *out, const char *kind);
void fg_sections_put(struct fg_buf *out, const char *name, const void *at, size_t bytes);
/* The same for bytes that the caller writes; NULL if they do not fit. */
char *fg_sections_room(struct fg_buf *out, const char *name, size_t bytes);
void fg_sections_end(struct fg_buf *out, size_t start);

/* FG_EINPUT if the bytes are of another kind or damaged; `what` is for the message. */
enum fg_status fg_sections_open(struct fg_str *all, struct fg_str bytes, const char *kind,
                                const char *what, struct fg_err *err);

/* The piece of a name; empty if there is none. */
struct fg_str fg_sections_find(struct fg_str all, const char *name);
/* Copy it; false, and nothing happens, if there is none or it has another size. */
bool fg_sections_copy(struct fg_str all, const char *name, void *to, size_t bytes);

#endif
