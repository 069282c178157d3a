/* Near duplicates among articles: all true pairs and no other. Candidates are those that
 * share a band of their sketches; a candidate is a pair if the sketches agree. Each true
 * pair is a case, and so is each pair found that is none. */
#include "conformance/suite.h"

#include "base/vec.h"
#include "net/text/shingle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double ALIKE = 0.8;

struct article {
    const char *id;
    struct fg_print print;
};

struct key {
    uint64_t band;
    size_t article;
};

static int by_band(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    if (x->band != y->band)
        return x->band < y->band ? -1 : 1;
    return (x->article > y->article) - (x->article < y->article);
}

static void read_articles(struct article *articles, const json_t *json)
{
    struct fg_shingler shingler;
    fg_shingler_init(&shingler, FG_SHINGLE_WORDS);
    for (size_t i = 0; i < json_array_size(json); i++) {
        const json_t *article = json_array_get(json, i);
        articles[i].id = suite_str(article, "id").at;
        fg_shingler_add(&shingler, suite_str(article, "text"));
        fg_shingler_end(&shingler, &articles[i].print);
    }
}

static struct key *sorted_bands(struct fg_arena *arena, const struct article *articles,
                                size_t n)
{
    struct key *keys = FG_NEW(arena, struct key, n * FG_SKETCH_BANDS + 1);
    for (size_t i = 0; i < n; i++) {
        uint64_t bands[FG_SKETCH_BANDS];
        fg_sketch_bands(&articles[i].print.all, bands);
        for (size_t j = 0; j < FG_SKETCH_BANDS; j++)
            keys[i * FG_SKETCH_BANDS + j] = (struct key){bands[j], i};
    }
    qsort(keys, n * FG_SKETCH_BANDS, sizeof *keys, by_band);
    return keys;
}

static bool is_pair(const json_t *pairs, const char *a, const char *b)
{
    for (size_t i = 0; i < json_array_size(pairs); i++) {
        const json_t *pair = json_array_get(pairs, i);
        const char *x = json_string_value(json_array_get(pair, 0));
        const char *y = json_string_value(json_array_get(pair, 1));
        if ((!strcmp(a, x) && !strcmp(b, y)) || (!strcmp(a, y) && !strcmp(b, x)))
            return true;
    }
    return false;
}

struct found {
    json_t *pairs;
    size_t candidates;
};

static void consider(struct found *found, const struct article *a,
                     const struct article *b)
{
    found->candidates++;
    if (fg_sketch_resemblance(&a->print.all, &b->print.all) < ALIKE ||
        is_pair(found->pairs, a->id, b->id))
        return;
    json_array_append_new(found->pairs, json_pack("[ss]", a->id, b->id));
}

static void find_pairs(struct found *found, struct fg_arena *arena,
                       const struct article *articles, size_t n)
{
    const struct key *keys = sorted_bands(arena, articles, n);
    size_t all = n * FG_SKETCH_BANDS;
    for (size_t i = 0; i < all; i++)
        for (size_t j = i + 1; j < all && keys[j].band == keys[i].band; j++)
            consider(found, &articles[keys[i].article], &articles[keys[j].article]);
}

static void report(struct suite *suite, const json_t *pairs, const json_t *found)
{
    for (size_t i = 0; i < json_array_size(pairs); i++) {
        const json_t *pair = json_array_get(pairs, i);
        const char *a = json_string_value(json_array_get(pair, 0));
        const char *b = json_string_value(json_array_get(pair, 1));
        suite_case(suite, is_pair(found, a, b), "missed %s %s", a, b);
    }
    for (size_t i = 0; i < json_array_size(found); i++) {
        const json_t *pair = json_array_get(found, i);
        const char *a = json_string_value(json_array_get(pair, 0));
        const char *b = json_string_value(json_array_get(pair, 1));
        if (!is_pair(pairs, a, b))
            suite_case(suite, false, "false %s %s", a, b);
    }
}

/* For the record: how far apart the other measure sees them. */
static void tell_simhashes(const json_t *pairs, const struct article *articles, size_t n)
{
    unsigned furthest_pair = 0, nearest_other = 64;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            unsigned apart =
                fg_simhash_distance(articles[i].print.simhash, articles[j].print.simhash);
            bool paired = (apart < nearest_other || apart > furthest_pair) &&
                          is_pair(pairs, articles[i].id, articles[j].id);
            if (paired && apart > furthest_pair)
                furthest_pair = apart;
            if (!paired && apart < nearest_other &&
                !is_pair(pairs, articles[i].id, articles[j].id))
                nearest_other = apart;
        }
    printf("simhash: pairs at most %u bits apart, others at least %u\n", furthest_pair,
           nearest_other);
}

static void run(struct suite *suite)
{
    json_t *json = suite_json_lines(suite, "articles.jsonl.gz");
    json_t *pairs = suite_json(suite, "pairs.json");
    if (!json || !pairs) {
        printf("articles.jsonl.gz or pairs.json is not there, skipped\n");
        json_decref(json);
        json_decref(pairs);
        return;
    }
    suite_part(suite, "pairs");
    size_t n = json_array_size(json);
    struct article *articles = FG_NEW(&suite->arena, struct article, n);
    struct found found = {.pairs = json_array()};
    read_articles(articles, json);
    find_pairs(&found, &suite->arena, articles, n);
    report(suite, pairs, found.pairs);
    printf("%zu comparisons for %zu pairs\n", found.candidates, n * (n - 1) / 2);
    tell_simhashes(pairs, articles, n);
    json_decref(found.pairs);
    json_decref(json);
    json_decref(pairs);
}

int main(void)
{
    return suite_main("neardup", run);
}
