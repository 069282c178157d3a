/* live_words.h - phrases and queries as stems, to be matched */
#ifndef FG_SEARCH_ADS_LIVE_WORDS_H
#define FG_SEARCH_ADS_LIVE_WORDS_H

#include "base/arena.h"
#include "base/str.h"
#include "base/terms.h"

enum { FG_ADS_WORDS = 16 };

struct fg_ads_words {
    struct fg_str at[FG_ADS_WORDS]; /* the first of them; more are left out */
    size_t n;
    struct fg_str key; /* in their order, with blanks between */
};

void fg_ads_words_read(struct fg_ads_words *words, struct fg_arena *arena,
                       struct fg_str text, struct fg_stemmer *stemmer);
/* Whether all words of a key are among these. */
bool fg_ads_words_hold(const struct fg_ads_words *words, struct fg_str key);
/* The longest word, by which a phrase is found: it is likely the rarest. */
struct fg_str fg_ads_words_anchor(const struct fg_ads_words *words);

#endif
