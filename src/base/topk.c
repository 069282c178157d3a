/* A score and its id become one 64-bit key whose order is the order we want: the bits of
 * the float, flipped so that they compare as an integer, above the bits of the inverted
 * id. Keys that beat the bar are gathered in a buffer of 2k; when it is full the best k
 * are kept and the k-th becomes the bar. Over a stream in random order that happens
 * log(n / k) times; over an ascending one every k, and still in linear time.
 *
 * Both the trimming and the final sort look at the keys' digits (radix selection and
 * sort): no pivot can be chosen badly, and there is no branch on the data. */
#include "base/topk.h"

#include "base/err.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { DIGITS = 256, ROOM_MIN = 1024 };

/* Negative floats compare in reverse, so all their bits are flipped; of the others only
 * the sign. Adding 0 turns -0 into +0, which is equal and must tie. */
static uint64_t key_of(float score, uint32_t id)
{
    float plain = score + 0.0f;
    uint32_t bits;
    memcpy(&bits, &plain, sizeof bits);
    bits ^= bits >> 31 ? UINT32_MAX : UINT32_C(1) << 31;
    return (uint64_t)bits << 32 | (uint32_t)~id;
}

static struct fg_top top_of(uint64_t key)
{
    struct fg_top top = {.id = (uint32_t)~key};
    uint32_t bits = (uint32_t)(key >> 32);
    bits ^= bits >> 31 ? UINT32_C(1) << 31 : UINT32_MAX;
    memcpy(&top.score, &bits, sizeof bits);
    return top;
}

static void start(struct fg_topk *topk)
{
    topk->len = 0;
    topk->bar = 0;
    topk->least = topk->above = topk->k ? -FLT_MAX : NAN;
}

void fg_topk_init(struct fg_topk *topk, size_t k)
{
    assert(k <= UINT32_MAX);
    *topk = (struct fg_topk){.k = k, .room = 2 * k < ROOM_MIN ? ROOM_MIN : 2 * k};
    topk->keys = malloc(topk->room * sizeof *topk->keys);
    if (!topk->keys)
        fg_out_of_memory();
    start(topk);
}

void fg_topk_clear(struct fg_topk *topk)
{
    free(topk->keys);
    *topk = (struct fg_topk){0};
}

/* The lowest bit of the first digit in which the keys differ. */
static unsigned first_difference(const uint64_t *keys, size_t n)
{
    uint64_t differing = 0;
    for (size_t i = 1; i < n; i++)
        differing |= keys[i] ^ keys[0];
    unsigned bits = differing ? 64 - (unsigned)__builtin_clzll(differing) : 0;
    return bits > 8 ? bits - 8 : 0;
}

static unsigned digit_of(uint64_t key, unsigned shift)
{
    return key >> shift & (DIGITS - 1);
}

/* The digit of the key that would stand at `rank`, from 1, if they were sorted. */
static unsigned digit_at_rank(const uint64_t *keys, size_t n, unsigned shift, size_t rank)
{
    size_t count[DIGITS] = {0}, better = 0;
    for (size_t i = 0; i < n; i++)
        count[digit_of(keys[i], shift)]++;
    unsigned digit = DIGITS - 1;
    while (better + count[digit] < rank)
        better += count[digit--];
    return digit;
}

/* Move the keys whose digit is at least that to the front; returns how many. Swaps always
 * and counts the ones that belong there: a branch would be a coin toss. */
static size_t move_up(uint64_t *keys, size_t n, unsigned shift, unsigned digit)
{
    size_t front = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t key = keys[i];
        keys[i] = keys[front];
        keys[front] = key;
        front += digit_of(key, shift) >= digit;
    }
    return front;
}

/* Move the best `want` of n keys to the front, 0 < want < n. Each round settles all but
 * those that share the digit in question, and the digits only go down: at most eight. */
static void select_best(uint64_t *keys, size_t n, size_t want)
{
    while (want > 0 && want < n) {
        unsigned shift = first_difference(keys, n);
        unsigned digit = digit_at_rank(keys, n, shift, want);
        n = move_up(keys, n, shift, digit);
        size_t better = move_up(keys, n, shift, digit + 1);
        if (shift == 0 && better == 0)
            return; /* only equal keys are left: an id was given twice */
        keys += better;
        n -= better;
        want -= better;
    }
}

static void trim(struct fg_topk *topk)
{
    select_best(topk->keys, topk->len, topk->k);
    topk->len = topk->k;
    uint64_t bar = UINT64_MAX;
    for (size_t i = 0; i < topk->len; i++)
        bar = topk->keys[i] < bar ? topk->keys[i] : bar;
    topk->bar = bar;
    topk->least = top_of(bar).score;
    topk->above = nextafterf(topk->least, INFINITY);
}

/* What a score must reach for an id from here on: one that only ties with the bar and has
 * a higher id loses. Where many scores are equal that saves looking at each. */
static float least_for(const struct fg_topk *topk, uint32_t id)
{
    return top_of(topk->bar).id < id ? topk->above : topk->least;
}

static void offer(struct fg_topk *topk, uint64_t key)
{
    if (topk->len == topk->room)
        trim(topk);
    topk->keys[topk->len] = key;
    topk->len += key > topk->bar;
}

void fg_topk_add_one(struct fg_topk *topk, uint32_t id, float score)
{
    if (score >= topk->least)
        offer(topk, key_of(score, id));
}

enum { STRIDE = 16 };

/* A bit for each of the next 16 scores that may be good enough. */
static unsigned promising(const float *score, float least)
{
#if defined(__SSE2__)
    __m128 bar = _mm_set1_ps(least);
    __m128 a = _mm_cmpge_ps(_mm_loadu_ps(score), bar);
    __m128 b = _mm_cmpge_ps(_mm_loadu_ps(score + 4), bar);
    __m128 c = _mm_cmpge_ps(_mm_loadu_ps(score + 8), bar);
    __m128 d = _mm_cmpge_ps(_mm_loadu_ps(score + 12), bar);
    __m128 any = _mm_or_ps(_mm_or_ps(a, b), _mm_or_ps(c, d));
    if (__builtin_expect(!_mm_movemask_ps(any), 1))
        return 0;
    return (unsigned)(_mm_movemask_ps(a) | _mm_movemask_ps(b) << 4 |
                      _mm_movemask_ps(c) << 8 | _mm_movemask_ps(d) << 12);
#else
    unsigned bits = 0;
    for (unsigned i = 0; i < STRIDE; i++)
        bits |= (unsigned)(score[i] >= least) << i;
    return bits;
#endif
}

void fg_topk_add(struct fg_topk *topk, uint32_t first, const float *score, size_t n)
{
    size_t i = 0;
    for (; i + STRIDE <= n; i += STRIDE)
        for (unsigned rest = promising(score + i, least_for(topk, first + (uint32_t)i));
             rest; rest &= rest - 1) {
            size_t at = i + (unsigned)__builtin_ctz(rest);
            offer(topk, key_of(score[at], first + (uint32_t)at));
        }
    for (; i < n; i++)
        fg_topk_add_one(topk, first + (uint32_t)i, score[i]);
}

/* Least digit first, each pass into the other half of the buffer, best to the front. */
static uint64_t *sort(uint64_t *keys, uint64_t *spare, size_t n)
{
    for (unsigned shift = 0; shift < 64; shift += 8) {
        size_t place[DIGITS] = {0}, before = 0;
        for (size_t i = 0; i < n; i++)
            place[digit_of(keys[i], shift)]++;
        if (n && place[digit_of(keys[0], shift)] == n)
            continue;
        for (unsigned digit = DIGITS; digit-- > 0;) {
            size_t count = place[digit];
            place[digit] = before;
            before += count;
        }
        for (size_t i = 0; i < n; i++)
            spare[place[digit_of(keys[i], shift)]++] = keys[i];
        uint64_t *sorted = spare;
        spare = keys;
        keys = sorted;
    }
    return keys;
}

const struct fg_top *fg_topk_take(struct fg_topk *topk, size_t *n)
{
    if (topk->len > topk->k)
        trim(topk);
    *n = topk->len;
    uint64_t *sorted = sort(topk->keys, topk->keys + topk->room / 2, topk->len);
    _Static_assert(sizeof(struct fg_top) == sizeof *sorted, "they share their memory");
    for (size_t i = 0; i < topk->len; i++) {
        struct fg_top top = top_of(sorted[i]);
        memcpy(&sorted[i], &top, sizeof top);
    }
    start(topk);
    return (const struct fg_top *)sorted;
}
