/* text_diff.h - two versions of a text, and in few words what is different
 *
 *     fg_text_diff(&buf, FG_STR("on sale for 19.90 today"), FG_STR("on sale for 17.50"),
 *                  2000);
 *
 * gives "on sale for [-19.90 today-] {+17.50+}", the marks that git's word diff has made
 * known. Each place that differs is a line of its own, with a few words on either side
 * that stand on the same line of the text; only where there are none, with words of the
 * lines before and after. " / " stands for a line that ends, "..." for words left out.
 * Words are what blanks separate; the difference is a shortest one (Myers, An O(ND)
 * difference algorithm and its variations, 1986). Of texts that have little in common
 * only the beginnings are shown. */
#ifndef FG_NET_TEXT_DIFF_H
#define FG_NET_TEXT_DIFF_H

#include "base/buf.h"
#include "base/str.h"

#include <stdbool.h>

/* Adds at most about `most` bytes, whole words of UTF-8 as the texts are. False, and
 * nothing is added, if the words are the same. */
bool fg_text_diff(struct fg_buf *out, struct fg_str before, struct fg_str after,
                  size_t most);

#endif
