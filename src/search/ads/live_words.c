#include "search/ads/live_words.h"

#include "base/buf.h"

void fg_ads_words_read(struct fg_ads_words *words, struct fg_arena *arena,
                       struct fg_str text, struct fg_stemmer *stemmer)
{
    struct fg_terms terms = fg_terms_of(text, stemmer);
    struct fg_term term;
    struct fg_buf key;
    *words = (struct fg_ads_words){0};
    fg_buf_init(&key, 4096);
    while (words->n < FG_ADS_WORDS && fg_terms_next(&terms, &term)) {
        struct fg_str word = fg_arena_dup(arena, term.text);
        fg_buf_printf(&key, "%s%.*s", words->n ? " " : "", FG_ARG(word));
        words->at[words->n++] = word;
    }
    words->key = fg_arena_dup(arena, fg_buf_str(&key));
    fg_buf_clear(&key);
}

static bool has_word(const struct fg_ads_words *words, struct fg_str word)
{
    for (size_t i = 0; i < words->n; i++)
        if (fg_str_eq(words->at[i], word))
            return true;
    return false;
}

bool fg_ads_words_hold(const struct fg_ads_words *words, struct fg_str key)
{
    struct fg_str word;
    while (fg_str_cut(&key, ' ', &word))
        if (!has_word(words, word))
            return false;
    return true;
}

struct fg_str fg_ads_words_anchor(const struct fg_ads_words *words)
{
    size_t best = 0;
    for (size_t i = 1; i < words->n; i++)
        if (words->at[i].len > words->at[best].len)
            best = i;
    return words->at[best];
}
