/* facts_entry.h - blocks of a page that stand for other pages (for facts.c)
 *
 * A list shows of each page a link and little else, or a link and an excerpt. The first
 * kind is told by its few words, the second by where the link stands: before the text, or
 * behind a heading and the text ("read more"). Links in prose stand anywhere. */
#ifndef FG_NET_FACTS_ENTRY_H
#define FG_NET_FACTS_ENTRY_H

#include "base/str.h"
#include "net/html/tag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fg_facts_entry {
    size_t depth;
    unsigned words, link_words, links, headings;
    unsigned before; /* words before the first link */
    uint16_t region;
    enum fg_tag tag;
    bool is_teaser; /* its heading links elsewhere */
    bool is_headed; /* has a heading, linked or not */
    bool begins_with_digit, ends_linked;
    bool holds_excerpts; /* of others that are in it */
};

/* Elements that may be entries where nothing says what is. */
static inline bool fg_entry_is_loose(enum fg_tag tag)
{
    return tag == FG_TAG_DIV || tag == FG_TAG_P;
}

/* Does an entry start with this element? `outer` is the one it is within, or NULL. */
bool fg_entry_starts(enum fg_tag tag, const struct fg_facts_entry *outer);

void fg_entry_add_text(struct fg_facts_entry *entry, struct fg_str text, unsigned words,
                       bool is_linked);

/* A link and little else; `is_below`: it stands below one that is. */
bool fg_entry_is_listed(const struct fg_facts_entry *entry, bool is_below);
/* A link and an excerpt of what it leads to. */
bool fg_entry_is_excerpt(const struct fg_facts_entry *entry);

/* It is none of its own: its words are those of what it is in. */
void fg_entry_join(struct fg_facts_entry *outer, const struct fg_facts_entry *inner);

#endif
