#include "store/spelled.h"

#include "base/terms.h"

#include <math.h>
#include <string.h>

enum { CODE_BITS = 7 };

void fg_stemmers_clear(struct fg_stemmers *stemmers)
{
    for (size_t i = 0; i < sizeof stemmers->of / sizeof *stemmers->of; i++)
        fg_stemmer_free(stemmers->of[i]);
}

static struct fg_stemmer *stemmer_of(struct fg_stemmers *stemmers, struct fg_str language)
{
    size_t i = 0;
    while (fg_stemmer_codes[i] && !fg_str_eq(language, fg_str_from(fg_stemmer_codes[i])))
        i++;
    if (!stemmers->of[i])
        stemmers->of[i] = fg_stemmer_new(fg_stemmer_codes[i] ? fg_stemmer_codes[i] : "");
    return stemmers->of[i];
}

static int64_t row_of(uint64_t number, size_t words)
{
    double code = round(8 * log2((double)words + 1));
    return (int64_t)(number << CODE_BITS) +
           (code < FG_SPELLED_LENGTHS - 1 ? (int64_t)code : FG_SPELLED_LENGTHS - 1);
}

int64_t fg_spelled_first(uint64_t number)
{
    return (int64_t)(number << CODE_BITS);
}

uint64_t fg_spelled_number(int64_t row)
{
    return (uint64_t)row >> CODE_BITS;
}

unsigned fg_spelled_length(int64_t row)
{
    return row & (FG_SPELLED_LENGTHS - 1);
}

double fg_spelled_words(int64_t row)
{
    return exp2((double)fg_spelled_length(row) / 8) - 1;
}

int64_t fg_spell_text(struct fg_stemmers *stemmers,
                      struct fg_buf made[static FG_SPELLED_FIELDS],
                      const struct fg_indexed_text *text)
{
    size_t words = 0;
    for (size_t i = 0; i < FG_INDEX_FIELDS; i++) {
        struct fg_terms terms =
            fg_terms_of(text->fields[i], stemmer_of(stemmers, text->language));
        struct fg_term term;
        struct fg_buf *out = &made[i];
        fg_buf_reset(out);
        while (fg_terms_next(&terms, &term)) {
            char *at = fg_buf_reserve(out, FG_TERM_MAX + 1);
            memcpy(at, term.text.at, FG_TERM_READABLE); /* so many at once: no call */
            if (term.text.len > FG_TERM_READABLE)
                memcpy(at, term.text.at, term.text.len);
            at[term.text.len] = ' ';
            out->len += term.text.len + 1;
            words += i == FG_IN_TEXT;
        }
    }
    fg_buf_reset(&made[FG_SPELLED_ABOUT]);
    fg_buf_printf(&made[FG_SPELLED_ABOUT], "lang:%.*s site:%u", FG_ARG(text->language),
                  text->site);
    return row_of(text->number, words);
}

struct fg_text_terms fg_spelled_terms(const struct fg_buf made[static FG_SPELLED_FIELDS])
{
    struct fg_text_terms terms = {0};
    for (size_t i = 0; i < FG_INDEX_FIELDS; i++)
        terms.fields[i] = fg_buf_str(&made[i]);
    return terms;
}

uint64_t fg_spelled_hash(struct fg_str term, int64_t row, unsigned field, int64_t place)
{
    uint64_t hash = fg_str_hash(term) ^ (uint64_t)row * 0x9E3779B97F4A7C15u;
    hash = (hash ^ ((uint64_t)place * FG_SPELLED_FIELDS + field)) * 0xD6E8FEB86659FD93u;
    return hash ^ hash >> 32;
}

void fg_spelled_sum(const struct fg_buf made[static FG_SPELLED_FIELDS], int64_t row,
                    uint64_t *terms, uint64_t *sum)
{
    for (unsigned i = 0; i < FG_SPELLED_FIELDS; i++) {
        struct fg_str term, rest = fg_buf_str(&made[i]);
        for (int64_t place = 0; rest.len && fg_str_cut(&rest, ' ', &term); place++) {
            *sum += fg_spelled_hash(term, row, i, place);
            ++*terms;
        }
    }
}
