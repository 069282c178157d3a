/* terms.h - a text as the terms it is searched by
 *
 *     struct fg_stemmer *stemmer = fg_stemmer_new(fg_stemmer_language(page->language));
 *     struct fg_terms terms = fg_terms_of(text, stemmer);
 *     struct fg_term term;
 *     while (fg_terms_next(&terms, &term)) ...term.text stands at text.at + term.from...
 *
 * A word is a run of letters, marks and digits; where a script puts no blanks between
 * words (Chinese, Japanese, Thai, Lao, Khmer, Burmese) every character is one. Its term
 * is the word in lower case, reduced to its stem by the rules of its language (Snowball,
 * Porter 1980 and 2001), and without the accents that people leave out when they type:
 * in this order, because the rules need the accents.
 *
 * An index must be read by the terms that it was written with: whoever changes what comes
 * out of here raises FG_TERMS_VERSION, and indices are made anew. */
#ifndef FG_BASE_TERMS_H
#define FG_BASE_TERMS_H

#include "base/str.h"

#define FG_TERMS_VERSION "1"

/* Bytes of a term; what is longer is cut. So many may be read from where it begins,
 * whatever its length. */
enum { FG_TERM_MAX = 60, FG_TERM_READABLE = 29 };

struct fg_stemmer; /* has a memory of its own for frequent words: one a thread */

/* By a code of the table below; "" leaves words as they are. */
struct fg_stemmer *fg_stemmer_new(const char *code);
void fg_stemmer_free(struct fg_stemmer *stemmer);

/* The code for what a page calls its language ("de-AT": "de"). English where it does not
 * say; "" for a language without rules. */
const char *fg_stemmer_language(struct fg_str language);
/* Whether it is the one that is wanted, whatever the country: "ko-KR" is "ko". */
bool fg_language_is(struct fg_str language, struct fg_str wanted);
/* All codes there are, ended by NULL. */
extern const char *const fg_stemmer_codes[];

struct fg_term {
    struct fg_str text; /* holds until the next call */
    size_t from, to;    /* where the word stands in the text */
    bool joins; /* it follows the term before without a blank: one character of several */
};

/* A word of ASCII letters and digits, sixteen at most, in lower case. */
struct fg_plain_word {
    const char *from, *to;
    uint64_t head, tail, hash; /* head: its first eight bytes, the first one lowest */
};

/* Plain words are read some ahead: what the stemmer remembers of them is on its way from
 * memory meanwhile. */
enum { FG_TERMS_AHEAD = 16 };

struct fg_terms {
    const char *start, *at, *end;
    struct fg_stemmer *stemmer;
    const char *last_single; /* the end of a word of one character, or NULL */
    struct fg_plain_word ahead[FG_TERMS_AHEAD];
    size_t n_ahead, next;
    char text[FG_TERM_MAX + 4];
};

struct fg_terms fg_terms_of(struct fg_str text, struct fg_stemmer *stemmer);
bool fg_terms_next(struct fg_terms *terms, struct fg_term *term);

#endif
