/* bag.h - a text as a vector: which words are in it, and how much
 *
 *     struct fg_bag bag = {0};
 *     for (each word) fg_bag_add(&bag, hash_of_word, 1);
 *     fg_bag_close(&bag, 1);              (the words of the text have length 1 together)
 *     ...more words of another kind..., fg_bag_close(&bag, 0.5f);
 *     fg_linear_probability(linear, bag.features, bag.n);
 *     fg_bag_empty(&bag);                 (and again for the next text)
 *     fg_bag_clear(&bag);
 *
 * Words come as 64-bit hashes and are never seen as text. A hash becomes one of 2^18
 * places (Weinberger et al., ICML 2009): no dictionary is to be built, kept, or flooded.
 * A word that occurs c times weighs 1 + ln c, and the words of a group are scaled to a
 * stated length, so that long texts do not shout down short ones. */
#ifndef FG_LEARN_BAG_H
#define FG_LEARN_BAG_H

#include <stddef.h>
#include <stdint.h>

#define FG_BAG_BITS   18
#define FG_BAG_PLACES (1u << FG_BAG_BITS)

struct fg_feature {
    uint32_t place; /* below FG_BAG_PLACES */
    float value;
};

struct fg_bag {
    struct fg_feature *features; /* of closed groups, by place within each */
    size_t n;
    size_t n_open, capacity; /* those of the open group stand behind them */
};

/* `times`: as if it occurred so often. At most FG_BAG_MOST words are taken of all groups.
 */
#define FG_BAG_MOST ((size_t)1 << 20)
void fg_bag_add(struct fg_bag *bag, uint64_t hash, float times);

/* The words added since the last call are a group of this length. */
void fg_bag_close(struct fg_bag *bag, float length);

void fg_bag_empty(struct fg_bag *bag);
void fg_bag_clear(struct fg_bag *bag);

/* Of a word and the one before it; the order matters. */
static inline uint64_t fg_bag_pair(uint64_t first, uint64_t second)
{
    return (first ^ first >> 31) * UINT64_C(0x9E3779B97F4A7C15) + second;
}

#endif
