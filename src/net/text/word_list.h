/* word_list.h - is a text one of these words? For facts*.c, kind*.c and dates
 *
 *     if (fg_word_in(name, "login logout signin")) ...
 *
 * In any case (ASCII). The words are a literal in small letters, parted by single blanks:
 * a list is a line of text so that a hundred words can be read, and added to, at a
 * glance. What is sought is " name " in " login logout signin ". */
#ifndef FG_NET_WORD_LIST_H
#define FG_NET_WORD_LIST_H

#include "base/str.h"

/* The longest word of any list, and the longest text worth looking up. */
#define FG_WORD_LIST_MAX 40

#define FG_WORDS(words)         FG_STR(" " words " ")
#define fg_word_in(text, words) fg_word_in_list((text), FG_WORDS(words))

static inline bool fg_word_in_list(struct fg_str text, struct fg_str list)
{
    char sought[FG_WORD_LIST_MAX + 2];
    if (!text.len || text.len > FG_WORD_LIST_MAX)
        return false;
    sought[0] = sought[text.len + 1] = ' ';
    for (size_t i = 0; i < text.len; i++) {
        if (fg_is_space(text.at[i]))
            return false;
        sought[i + 1] = fg_lower(text.at[i]);
    }
    return memmem(list.at, list.len, sought, text.len + 2);
}

#endif
