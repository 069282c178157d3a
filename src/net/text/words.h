/* words.h - text as a row of words, sorted into what it says and what merely ticks
 *
 *     struct fg_words words;
 *     struct fg_word word;
 *     fg_words_init(&words);
 *     fg_words_feed(&words, chunk); // any number of times, cut anywhere
 *     while (fg_words_next(&words, &word)) ...
 *     fg_words_finish(&words);
 *     while (fg_words_next(&words, &word)) ...
 *
 * The text is UTF-8; broken bytes separate words. A word is a run of letters, marks and
 * digits without regard to case (Latin, Greek, Cyrillic, Armenian). Where a script does
 * not put blanks between words (Chinese, Japanese, Thai, Lao, Khmer, Burmese), each
 * character is one. Words are handed out as 64-bit hashes, stable across runs.
 *
 * Figures are what changes on a page by itself: numbers ("1204", "3rd", "12k") and, next
 * to a number or to each other, the words of dates and ages in a dozen languages ("2 days
 * ago", "Mon 5 May", "vor 3 Stunden"); "yesterday" and its like are always figures.
 * Random words are session numbers, hashes and tokens: letters and digits mixed as no
 * language does.
 *
 * What it cannot tell: a part number from a session number; "may" the verb from the month
 * when a number stands beside it; accents composed from accents combined. */
#ifndef FG_NET_WORDS_H
#define FG_NET_WORDS_H

#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

enum fg_word_kind { FG_WORD, FG_FIGURE, FG_RANDOM };

struct fg_word {
    uint64_t hash;
    enum fg_word_kind kind;
};

/* After fg_words_finish it is ready for another text. All members are private. */
struct fg_words {
    const char *at, *end;           /* being read */
    const char *next_at, *next_end; /* to be read after it */
    char partial[4];                /* a character that the last chunk cut through */
    unsigned n_partial;
    bool is_finished;
    struct fg_word_run {
        char block[16]; /* the bytes since the last whole block, then zeros */
        uint64_t hash;  /* of the blocks before */
        uint32_t fill;  /* bytes in the block */
        uint32_t len, digits, flips; /* flips: changes between letters and digits */
        bool is_ascii, is_hex, starts_with_digit, last_is_digit;
    } run;
    uint32_t single; /* a word of one character that ended the run */
    bool after_figure;
    bool has_held, has_ready;
    uint64_t held;        /* the word of a date, until its neighbour is known */
    struct fg_word ready; /* settled together with the one before it */
};

void fg_words_init(struct fg_words *words);

/* The chunk is borrowed until fg_words_next has returned false. */
void fg_words_feed(struct fg_words *words, struct fg_str chunk);
void fg_words_finish(struct fg_words *words);

/* False when what was fed is used up. */
bool fg_words_next(struct fg_words *words, struct fg_word *word);

/* Some of the next words, as many as there is room for or fewer; 0 when what was fed is
 * used up. Three times as fast as one by one where the text is English. */
size_t fg_words_take(struct fg_words *words, struct fg_word *out, size_t room);

/* How many words a text has. */
size_t fg_words_count(struct fg_str text);

/* A hash of two words of 64 bits, each mixed with a constant of its own by the caller:
 * the halves of their product, folded (Wang Yi's wyhash). */
static inline uint64_t fg_fold_product(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

#endif
