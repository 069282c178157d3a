/* shingle.h - what a text is about in a kilobyte and a half, and how alike two texts are
 *
 *     struct fg_shingler shingler;
 *     struct fg_print a, b;
 *     fg_shingler_init(&shingler, FG_SHINGLE_WORDS);
 *     fg_shingler_add(&shingler, chunk); // any number of times, cut anywhere
 *     fg_shingler_end(&shingler, &a);    // and on with the next text
 *     if (fg_sketch_resemblance(&a.all, &b.all) > 0.9) ...
 *
 * A w-shingle is a run of w words. Two texts resemble each other as their sets of
 * shingles A and B do: r = |A and B| / |A or B|, between 0 and 1 (Broder, On the
 * resemblance and containment of documents, 1997). With w = 4 a changed word costs four
 * shingles out of some hundreds, while four words in a row are rarely shared by chance;
 * smaller w finds common phrases alike, larger w makes one edit look like many.
 *
 * A sketch estimates r without the sets. Hash every shingle, keep the least hash: two
 * sets have the same least one with probability r (Broder et al., Min-wise independent
 * permutations, 1998). We take 128 such minima at the price of one hash a shingle: the
 * upper bits choose one of 128 slots, the lower ones compete in it (Li, Owen, Zhang, One
 * permutation hashing, 2012). A slot that stays empty borrows from one that is chosen by
 * its number, alike in all sketches (Shrivastava, Optimal densification, 2017). The share
 * of equal slots is unbiased, with a standard error near sqrt(r (1 - r) / 128): 0.044 at
 * r = 0.5 and 0.027 at r = 0.9. Below some 128 shingles borrowed slots repeat each other,
 * and the error is that of fewer slots.
 *
 * To find the alike among millions, do not compare all pairs: fg_sketch_bands gives 16
 * keys of 8 slots each; two texts share a key with probability 1 - (1 - r^8)^16, which is
 * 0.95 at r = 0.8, over 0.999 at 0.9, and 0.0002 at 0.25 (Broder; Indyk and Motwani,
 * 1998). Compare those that share one.
 *
 * A simhash is 64 bits of which few differ between texts that differ little: each bit is
 * the majority among that bit of all the hashed features, here pairs of neighbouring
 * words (Charikar, Similarity estimation techniques from rounding algorithms, 2002;
 * Manku, Jain, Das Sarma, Detecting near-duplicates for web crawling, 2007, who take 3
 * bits of 64 for web pages). It is the coarser of the two: texts of a few hundred words
 * that differ in one sentence may be 3 to 10 bits apart, unrelated ones are around 32.
 *
 * Figures and random words (net/text/words.h) are kept apart, so that the clock on a page
 * does not hide that nothing was written: `words` is the text without them, `figures` are
 * they with the word before each, `all` has words and figures in their order. Random
 * words are left out of everything.
 *
 * It cannot see: the order of paragraphs, repetitions, pictures, meaning. Time is linear
 * in the text, memory is fixed. */
#ifndef FG_NET_SHINGLE_H
#define FG_NET_SHINGLE_H

#include "base/str.h"
#include "net/text/words.h"

#include <stdbool.h>
#include <stdint.h>

#define FG_SHINGLE_WORDS     4
#define FG_SHINGLE_WORDS_MAX 16

enum { FG_SKETCH_SLOTS = 128, FG_SKETCH_BANDS = 16 };

struct fg_sketch {
    uint32_t slot[FG_SKETCH_SLOTS];
    uint32_t shingles; /* how many went in, repetitions counted; 0 for an empty set */
};

/* Plain data: may be saved as it stands. Compare only prints of the same w. */
struct fg_print {
    struct fg_sketch all, words, figures;
    uint64_t simhash;
    uint64_t words_hash, figures_hash; /* equal if nothing at all has changed */
    uint32_t n_words, n_figures;
};

/* The shingles themselves, for a caller who wants to count (net/text/change.h). When
 * `max` of them are in, repetitions are thrown out; where that does not help, `mask`
 * grows by a bit and only hashes with none of its bits stay: a fair sample, the same from
 * every text. */
struct fg_shingle_list {
    uint64_t *at; /* room for `max`, which the caller provides */
    size_t len, max;
    uint64_t mask; /* 0 while all are kept */
};

/* Set up once for each thread and used for many texts. Members are private, but for the
 * two lists, which may be set before a text and are NULL otherwise. */
struct fg_shingler {
    struct fg_words words;
    struct fg_shingle_list *list_words, *list_figures;
    struct fg_shingle_roll {
        uint64_t recent[FG_SHINGLE_WORDS_MAX]; /* a ring */
        uint64_t hash, oldest_weight;
        unsigned w, at; /* at: the oldest in the ring */
        unsigned n;     /* words seen, up to w */
    } all, texts;
    uint64_t last_word, last_any; /* of the texts; of all */
    struct fg_simhash {
        uint64_t plane[32];  /* bit i of plane p is bit p of the count of ones in bit i */
        uint64_t waiting[8]; /* to be counted together */
        uint32_t n;          /* those waiting included */
    } simhash;
    struct fg_print print;
};

/* 1 <= w <= FG_SHINGLE_WORDS_MAX */
void fg_shingler_init(struct fg_shingler *shingler, unsigned w);
void fg_shingler_add(struct fg_shingler *shingler, struct fg_str chunk);
void fg_shingler_end(struct fg_shingler *shingler, struct fg_print *print);

/* The figures of a print that a crawl keeps of every page, at a fifth of the price. */
struct fg_gist {
    uint64_t simhash, words_hash;
    uint32_t n_words;
};
struct fg_gist fg_gist_of(struct fg_str text);

/* An estimate of r; two empty sets are alike, an empty one is like no other. */
double fg_sketch_resemblance(const struct fg_sketch *a, const struct fg_sketch *b);

/* Keys under which alike texts meet. An empty sketch has keys like any other. */
void fg_sketch_bands(const struct fg_sketch *sketch, uint64_t keys[FG_SKETCH_BANDS]);

/* In how many bits they differ: 0 to 64. */
static inline unsigned fg_simhash_distance(uint64_t a, uint64_t b)
{
    return (unsigned)__builtin_popcountll(a ^ b);
}

/* --- for callers with sets of their own --- */

void fg_sketch_init(struct fg_sketch *sketch);
void fg_sketch_add(struct fg_sketch *sketch, uint64_t hash); /* a well-mixed one */
void fg_sketch_end(struct fg_sketch *sketch);                /* fills the empty slots */

/* Keep what passes `mask`, sorted and each once. */
void fg_shingle_list_pack(struct fg_shingle_list *list, uint64_t mask);

#endif
