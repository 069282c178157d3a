#include "crawl/judging/focus.h"

#include "base/err.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/vec.h"
#include "crawl/sources/guard.h"

#include <stdlib.h>

enum { PHRASE_MOST = 8 };

static const char *const moments[] = {
    [FG_FOCUS_SEEN] = "seen",
    [FG_FOCUS_FETCHED] = "fetched",
    NULL,
};

/* What a user gives as words must hold at least one, and at most a window of them. */
static const char *refuse_phrase(struct fg_str text)
{
    struct fg_words *words = malloc(sizeof *words);
    struct fg_word word;
    size_t n = 0;
    if (!words)
        fg_out_of_memory();
    fg_words_init(words);
    fg_words_feed(words, text);
    while (fg_words_next(words, &word))
        n++;
    fg_words_finish(words);
    while (fg_words_next(words, &word))
        n++;
    free(words);
    return !n ? "has no word in it" : n > PHRASE_MOST ? "has more than 8 words" : NULL;
}

#define ROW(type, member) type(struct fg_focus_rules, member)

const struct fg_opt fg_focus_opts[] = {
    {"focus.include", ROW(FG_LIST, include), .arg = "GLOB,...", .is_live = true,
     .help = "only pages whose address matches one of these count; * is any text"},
    {"focus.words", ROW(FG_LIST, words), .arg = "WORD,...", .refuse = refuse_phrase,
     .is_live = true, .help = "only pages count that have one of these words or phrases"},
    {"focus.without", ROW(FG_LIST, without), .arg = "WORD,...", .refuse = refuse_phrase,
     .is_live = true,
     .help = "pages that have one of these words or phrases do not count"},
    {"focus.threshold", ROW(FG_DOUBLE, threshold), "0.5", .min = 0, .max = 1,
     .is_live = true,
     .help = "how probable a page must be relevant by the labels; 0 to ignore them"},
    {"focus.when", FG_ENUM(struct fg_focus_rules, when, moments), "fetched",
     .is_live = true,
     .help = "what decides: the page once it is fetched, or the link as it is seen"},
    {0},
};

struct phrase {
    uint64_t words[PHRASE_MOST]; /* the last one first */
    uint32_t n, next;            /* next: of the same last word, its index + 1 */
};

/* Phrases to look for, found by their last word. */
struct phrases {
    FG_VEC(struct phrase) at;
    struct fg_map by_last; /* index + 1 */
};

struct fg_focus {
    struct fg_arena arena;
    struct fg_focus_rules rules;
    struct phrases words, without;
    struct fg_linear classifier; /* without weights: it is not asked */
    struct fg_bag bag;
    struct fg_words reader;
};

/* --- phrases --- */

/* The last words read, newest first. */
struct window {
    uint64_t words[PHRASE_MOST];
    uint32_t n;
};

static void slide(struct window *window, uint64_t word)
{
    memmove(window->words + 1, window->words, sizeof window->words - sizeof word);
    window->words[0] = word;
    if (window->n < PHRASE_MOST)
        window->n++;
}

static bool ends_here(const struct phrases *phrases, const struct window *window)
{
    const uint64_t *first = fg_map_get(&phrases->by_last, window->words[0]);
    for (size_t i = first ? *first : 0; i; i = phrases->at.at[i - 1].next) {
        const struct phrase *phrase = &phrases->at.at[i - 1];
        if (phrase->n <= window->n &&
            memcmp(phrase->words, window->words, phrase->n * sizeof *phrase->words) == 0)
            return true;
    }
    return false;
}

static void add_phrase(struct phrases *phrases, struct fg_words *reader,
                       struct fg_str text)
{
    struct window window = {0};
    struct fg_word word;
    fg_words_feed(reader, text);
    while (fg_words_next(reader, &word))
        slide(&window, word.hash);
    fg_words_finish(reader);
    while (fg_words_next(reader, &word))
        slide(&window, word.hash);
    if (!window.n)
        return;
    struct phrase phrase = {.n = window.n};
    memcpy(phrase.words, window.words, sizeof phrase.words);
    uint64_t *first = fg_map_put(&phrases->by_last, phrase.words[0]);
    phrase.next = (uint32_t)*first;
    fg_vec_push(&phrases->at, phrase);
    *first = phrases->at.len;
}

struct found {
    bool words, without;
};

static void look_at(const struct fg_focus *focus, struct window *window, uint64_t word,
                    struct found *found)
{
    slide(window, word);
    found->words = found->words || ends_here(&focus->words, window);
    found->without = found->without || ends_here(&focus->without, window);
}

static void look_through(struct fg_focus *focus, struct fg_str text, struct found *found)
{
    struct window window = {0};
    struct fg_word word;
    fg_words_feed(&focus->reader, text);
    while (fg_words_next(&focus->reader, &word))
        look_at(focus, &window, word.hash, found);
    fg_words_finish(&focus->reader);
    while (fg_words_next(&focus->reader, &word))
        look_at(focus, &window, word.hash, found);
}

static bool has_phrases(const struct fg_focus *focus)
{
    return focus->words.at.len || focus->without.at.len;
}

static bool passes_phrases(struct fg_focus *focus, const struct fg_looks *looks)
{
    struct found found = {.words = !focus->words.at.len};
    look_through(focus, looks->title, &found);
    look_through(focus, looks->text, &found);
    look_through(focus, fg_features_path(looks->url), &found);
    return found.words && !found.without;
}

/* --- verdicts --- */

bool fg_focus_admits(const struct fg_focus *focus, struct fg_str url)
{
    const struct fg_opt_list *include = &focus->rules.include;
    for (size_t i = 0; i < include->len; i++)
        if (fg_glob_matches(include->at[i], url))
            return true;
    return !include->len;
}

struct fg_verdict fg_focus_page(struct fg_focus *focus, const struct fg_looks *looks)
{
    struct fg_verdict verdict = {.is_final = true, .probability = -1};
    if (!fg_focus_admits(focus, looks->url) ||
        (has_phrases(focus) && !passes_phrases(focus, looks)))
        return verdict;
    verdict.is_relevant = true;
    if (focus->classifier.weights) {
        fg_features_of(&focus->bag, &focus->reader, looks);
        verdict.probability = (float)fg_linear_probability(
            &focus->classifier, focus->bag.features, focus->bag.n);
        verdict.is_relevant = (double)verdict.probability >= focus->rules.threshold;
    }
    return verdict;
}

struct fg_verdict fg_focus_link(struct fg_focus *focus, struct fg_str url,
                                struct fg_str words)
{
    struct fg_verdict verdict =
        fg_focus_page(focus, &(struct fg_looks){.url = url, .title = words});
    bool has_content_tests = has_phrases(focus) || focus->classifier.weights;
    verdict.is_final = !has_content_tests || !fg_focus_admits(focus, url);
    return verdict;
}

/* --- life --- */

static struct fg_opt_list copy_list(struct fg_arena *arena,
                                    const struct fg_opt_list *list)
{
    struct fg_opt_list copy = {FG_NEW(arena, struct fg_str, list->len + 1), list->len};
    for (size_t i = 0; i < list->len; i++)
        copy.at[i] = fg_arena_dup(arena, list->at[i]);
    return copy;
}

struct fg_focus *fg_focus_new(const struct fg_focus_rules *rules,
                              struct fg_linear *classifier)
{
    bool has_classifier = classifier && classifier->weights && rules->threshold > 0;
    struct fg_focus *focus = NULL;
    if (rules->include.len || rules->words.len || rules->without.len || has_classifier) {
        focus = fg_zeroed(1, sizeof *focus);
        focus->rules = *rules;
        focus->rules.include = copy_list(&focus->arena, &rules->include);
        fg_words_init(&focus->reader);
        for (size_t i = 0; i < rules->words.len; i++)
            add_phrase(&focus->words, &focus->reader, rules->words.at[i]);
        for (size_t i = 0; i < rules->without.len; i++)
            add_phrase(&focus->without, &focus->reader, rules->without.at[i]);
    }
    if (has_classifier)
        focus->classifier = *classifier;
    else if (classifier)
        fg_linear_clear(classifier);
    if (classifier)
        *classifier = (struct fg_linear){0};
    return focus;
}

void fg_focus_free(struct fg_focus *focus)
{
    if (!focus)
        return;
    fg_vec_clear(&focus->words.at);
    fg_vec_clear(&focus->without.at);
    fg_map_clear(&focus->words.by_last);
    fg_map_clear(&focus->without.by_last);
    fg_linear_clear(&focus->classifier);
    fg_bag_clear(&focus->bag);
    fg_arena_clear(&focus->arena);
    free(focus);
}
