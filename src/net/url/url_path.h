/* url_path.h - the path of a URL, segment by segment: private to url.c
 *
 * A path is written to the end of a buffer, where it started at `path_start`. */
#ifndef FG_NET_URL_PATH_H
#define FG_NET_URL_PATH_H

#include "base/buf.h"
#include "base/str.h"
#include "net/url/url.h"

#include <stdbool.h>

/* Add the segments of `text`, which starts behind a slash: "." and ".." are followed, the
 * rest is percent-encoded. */
void fg_path_add(struct fg_buf *out, size_t path_start, struct fg_str text,
                 enum fg_scheme scheme);

/* Drop the last segment; but the drive letter of a file stays. */
void fg_path_shorten(struct fg_buf *out, size_t path_start, enum fg_scheme scheme);

/* "C:" or "C|", alone or as the first segment. */
bool fg_path_is_drive(struct fg_str segment);
bool fg_path_starts_with_drive(struct fg_str text);

/* "\\" counts as "/" in the schemes of the web. */
static inline bool fg_path_is_slash(char c, enum fg_scheme scheme)
{
    return c == '/' || (c == '\\' && scheme != FG_SCHEME_OTHER);
}

#endif
