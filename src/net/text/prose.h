/* prose.h - text as a reader sees it: white space collapsed, references replaced
 *
 *     struct fg_prose prose;
 *     fg_prose_init(&prose, 1 << 20);
 *     fg_prose_add(&prose, FG_STR(" one\n  &amp; two "));
 *     fg_prose_break(&prose, FG_PROSE_LINE);
 *     fg_prose_add(&prose, FG_STR("three"));
 *     fg_prose_str(&prose) is "one & two\nthree"
 *     fg_prose_clear(&prose);
 *
 * The source is text of an HTML document. Runs of HTML white space become one blank, or
 * one line feed where a break was asked for; none stands at the beginning or end. NULs
 * are dropped. What would pass the maximum is cut off between two characters. */
#ifndef FG_NET_PROSE_H
#define FG_NET_PROSE_H

#include "base/str.h"

enum fg_prose_gap { FG_PROSE_NONE, FG_PROSE_BLANK, FG_PROSE_LINE };

struct fg_prose {
    char *at;
    size_t len, capacity, max;
    enum fg_prose_gap gap; /* owed before the next character */
    bool is_cut;
};

void fg_prose_init(struct fg_prose *prose, size_t max_bytes);
void fg_prose_reserve(struct fg_prose *prose, size_t bytes); /* for about so much text */
void fg_prose_clear(struct fg_prose *prose);
void fg_prose_reset(struct fg_prose *prose); /* empty, keeping the memory */

void fg_prose_add(struct fg_prose *prose, struct fg_str source); /* with references */
void fg_prose_add_plain(struct fg_prose *prose, struct fg_str source); /* without */

/* What comes next is apart from what was: the wider of two gaps counts. */
static inline void fg_prose_break(struct fg_prose *prose, enum fg_prose_gap gap)
{
    if (gap > prose->gap)
        prose->gap = gap;
}

static inline struct fg_str fg_prose_str(const struct fg_prose *prose)
{
    return (struct fg_str){prose->at, prose->len};
}

#endif
