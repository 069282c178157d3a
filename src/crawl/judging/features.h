/* features.h - what the classifier sees of a page, or of a link to one
 *
 *     fg_features_of(&maker, &bag, &(struct fg_looks){.url = url, .title = t, .text =
 * x});
 *
 * Words and pairs of neighbouring words of title and text are one group of length 1; a
 * word of the title counts as three of the text. Words and pairs of the address behind
 * its host are a second group, of length 1/2. For a link that was not followed yet, its
 * own words stand for the title: they say what the page is about in the same words, so
 * what was learnt from pages holds for links, too. Numbers and random strings
 * (net/text/words.h) are left out; only the first 32 KiB of a text are read. */
#ifndef FG_CRAWL_FEATURES_H
#define FG_CRAWL_FEATURES_H

#include "base/str.h"
#include "learn/bag.h"
#include "net/text/words.h"

#define FG_FEATURES_TEXT_MAX 32768 /* bytes */

struct fg_looks {
    struct fg_str url;   /* canonical */
    struct fg_str title; /* or the words of a link */
    struct fg_str text;
};

/* The bag is emptied first. `words` is one that fg_words_init has seen. */
void fg_features_of(struct fg_bag *bag, struct fg_words *words,
                    const struct fg_looks *looks);

/* Changes whenever the above does, so that a classifier learnt from other features is
 * not used with these. */
uint64_t fg_features_scheme(struct fg_words *words);

/* The part of a canonical address that is read as words: behind the host. */
struct fg_str fg_features_path(struct fg_str url);

#endif
