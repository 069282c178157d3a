#include "net/facts/facts_entry.h"

enum {
    TEASER_WORDS = 150, /* below a heading that links elsewhere */
    LOOSE_WORDS = 30,   /* of a paragraph that is an entry */
    ENTRY_WORDS = 80,   /* more of its own words are a text, not an entry */
    BEFORE_LINK = 4,    /* a date, a number, "in Sports:" */
    EXCERPT_LINKS = 3,  /* title, picture and "read more" */
};

static bool is_entry(enum fg_tag tag)
{
    return tag == FG_TAG_LI || tag == FG_TAG_TR || tag == FG_TAG_DT || tag == FG_TAG_DD ||
           tag == FG_TAG_ARTICLE;
}

bool fg_entry_starts(enum fg_tag tag, const struct fg_facts_entry *outer)
{
    if (is_entry(tag) || !outer)
        return is_entry(tag) || fg_entry_is_loose(tag);
    return fg_entry_is_loose(tag) &&
           (fg_entry_is_loose(outer->tag) || outer->tag == FG_TAG_ARTICLE);
}

void fg_entry_add_text(struct fg_facts_entry *entry, struct fg_str text, unsigned words,
                       bool is_linked)
{
    text = fg_str_trim(text);
    if (!entry->words && !entry->link_words)
        entry->begins_with_digit = text.len && fg_is_digit(text.at[0]);
    *(is_linked ? &entry->link_words : &entry->words) += words;
    if (!entry->link_words)
        entry->before += words;
    entry->ends_linked = is_linked;
}

/* Rows have more columns, so less of them is linked; a paragraph must have more. */
bool fg_entry_is_listed(const struct fg_facts_entry *entry, bool is_below)
{
    unsigned words = entry->words + entry->link_words;
    if (entry->is_teaser)
        return entry->words <= 2 * TEASER_WORDS;
    if (entry->tag == FG_TAG_DD && is_below)
        return entry->words <= ENTRY_WORDS;
    if (fg_entry_is_loose(entry->tag))
        return entry->links && words <= LOOSE_WORDS && entry->link_words * 3 >= words;
    return entry->links && entry->words <= ENTRY_WORDS &&
           entry->link_words * (entry->tag == FG_TAG_TR ? 8 : 4) >= words;
}

bool fg_entry_is_excerpt(const struct fg_facts_entry *entry)
{
    if (!entry->link_words || !entry->links || entry->links > EXCERPT_LINKS ||
        entry->words > ENTRY_WORDS || entry->holds_excerpts)
        return false;
    if (entry->is_headed && entry->ends_linked)
        return true;
    /* A sentence may begin with a link as well, but not with a title and a date. */
    enum { TITLE_WORDS = 2 };
    return entry->link_words >= TITLE_WORDS &&
           (!entry->before || (entry->before <= BEFORE_LINK &&
                               (entry->begins_with_digit || entry->tag != FG_TAG_P)));
}

void fg_entry_join(struct fg_facts_entry *outer, const struct fg_facts_entry *inner)
{
    if (!outer->words && !outer->link_words)
        outer->begins_with_digit = inner->begins_with_digit;
    if (!outer->link_words)
        outer->before += inner->before;
    outer->words += inner->words;
    outer->link_words += inner->link_words;
    outer->links += inner->links;
    outer->ends_linked =
        inner->words || inner->link_words ? inner->ends_linked : outer->ends_linked;
    outer->is_headed |= inner->is_headed;
    outer->holds_excerpts |= inner->holds_excerpts;
}
