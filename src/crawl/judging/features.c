#include "crawl/judging/features.h"

#include "net/url/canonical.h"

static const float title_times = 3, address_length = 0.5f;
/* Words of the address are told from words of the text by this. */
static const uint64_t address_salt = UINT64_C(0xADD8E55ADD8E5500);

static void take_words(struct fg_bag *bag, struct fg_words *words, uint64_t salt,
                       float times)
{
    struct fg_word word;
    uint64_t before = 0;
    while (fg_words_next(words, &word)) {
        if (word.kind != FG_WORD) {
            before = 0; /* no pair reaches over a number */
            continue;
        }
        fg_bag_add(bag, word.hash ^ salt, times);
        if (before)
            fg_bag_add(bag, fg_bag_pair(before, word.hash) ^ salt, times);
        before = word.hash;
    }
}

static void add_text(struct fg_bag *bag, struct fg_words *words, struct fg_str text,
                     uint64_t salt, float times)
{
    fg_words_feed(words, fg_str_sub(text, 0, FG_FEATURES_TEXT_MAX));
    take_words(bag, words, salt, times);
    fg_words_finish(words);
    take_words(bag, words, salt, times);
}

struct fg_str fg_features_path(struct fg_str url)
{
    return fg_str_skip(url, fg_canonical_site(url).len);
}

void fg_features_of(struct fg_bag *bag, struct fg_words *words,
                    const struct fg_looks *looks)
{
    fg_bag_empty(bag);
    add_text(bag, words, looks->title, 0, title_times);
    add_text(bag, words, looks->text, 0, 1);
    fg_bag_close(bag, 1);
    add_text(bag, words, fg_features_path(looks->url), address_salt, 1);
    fg_bag_close(bag, address_length);
}

/* The features of a short text say how words are cut and hashed, and how they weigh. */
uint64_t fg_features_scheme(struct fg_words *words)
{
    struct fg_bag bag = {0};
    fg_features_of(&bag, words,
                   &(struct fg_looks){.url = FG_STR("http://a.example/news/2026/x-y?z=1"),
                                      .title = FG_STR("Mushrooms & Café 12"),
                                      .text = FG_STR("the quick brown fox, the 3rd")});
    uint64_t scheme = fg_str_hash(
        (struct fg_str){(const char *)bag.features, bag.n * sizeof *bag.features});
    fg_bag_clear(&bag);
    return scheme;
}
