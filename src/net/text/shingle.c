#include "net/text/shingle.h"

#include <assert.h>
#include <stdlib.h>

#define EMPTY UINT32_MAX

enum { AT_ONCE = 256 }; /* words */

/* Any odd number will do as the base of the rolling hash: the words are hashes already.
 */
#define BASE UINT64_C(0xD6E8FEB86659FD93)

static uint64_t mix(uint64_t x)
{
    x ^= x >> 32;
    x *= UINT64_C(0xD6E8FEB86659FD93);
    x ^= x >> 32;
    x *= UINT64_C(0xD6E8FEB86659FD93);
    return x ^ x >> 32;
}

static uint64_t hash_pair(uint64_t word, uint64_t next)
{
    return fg_fold_product(word ^ BASE, next ^ UINT64_C(0x9E3779B97F4A7C15));
}

void fg_sketch_init(struct fg_sketch *sketch)
{
    for (size_t i = 0; i < FG_SKETCH_SLOTS; i++)
        sketch->slot[i] = EMPTY;
    sketch->shingles = 0;
}

void fg_sketch_add(struct fg_sketch *sketch, uint64_t hash)
{
    size_t slot = hash >> 57;
    uint32_t value = (uint32_t)hash;
    value -= value == EMPTY;
    if (value < sketch->slot[slot])
        sketch->slot[slot] = value;
    sketch->shingles += sketch->shingles < UINT32_MAX;
}

/* The slot to borrow from: the first filled one in an order that depends on the empty
 * slot only, so that two sketches with the same slots filled borrow alike. The order is
 * an affine permutation of the slots, so each one's place in it is known at once. */
static size_t lender(const uint32_t *filled, size_t n, size_t slot)
{
    uint32_t order = (uint32_t)mix(slot + 1), step = order | 1, start = order >> 16;
    uint32_t first = UINT32_MAX;
    for (size_t i = 0; i < n; i++) {
        uint32_t place = (filled[i] * step + start) % FG_SKETCH_SLOTS;
        uint32_t key = place * FG_SKETCH_SLOTS + filled[i];
        first = key < first ? key : first;
    }
    return first % FG_SKETCH_SLOTS;
}

void fg_sketch_end(struct fg_sketch *sketch)
{
    uint32_t filled[FG_SKETCH_SLOTS], borrowed[FG_SKETCH_SLOTS];
    size_t n = 0;
    for (uint32_t i = 0; i < FG_SKETCH_SLOTS; i++)
        if (sketch->slot[i] != EMPTY)
            filled[n++] = i;
    if (n == 0 || n == FG_SKETCH_SLOTS)
        return;
    memcpy(borrowed, sketch->slot, sizeof borrowed);
    for (size_t i = 0; i < FG_SKETCH_SLOTS; i++)
        if (sketch->slot[i] == EMPTY)
            borrowed[i] = sketch->slot[lender(filled, n, i)];
    memcpy(sketch->slot, borrowed, sizeof borrowed);
}

double fg_sketch_resemblance(const struct fg_sketch *a, const struct fg_sketch *b)
{
    if (!a->shingles || !b->shingles)
        return a->shingles == b->shingles ? 1 : 0;
    unsigned equal = 0;
    for (size_t i = 0; i < FG_SKETCH_SLOTS; i++)
        equal += a->slot[i] == b->slot[i];
    return (double)equal / FG_SKETCH_SLOTS;
}

void fg_sketch_bands(const struct fg_sketch *sketch, uint64_t keys[FG_SKETCH_BANDS])
{
    enum { ROWS = FG_SKETCH_SLOTS / FG_SKETCH_BANDS };
    for (size_t band = 0; band < FG_SKETCH_BANDS; band++) {
        uint64_t key = band;
        for (size_t row = 0; row < ROWS; row++)
            key = mix(key * BASE + sketch->slot[band * ROWS + row]);
        keys[band] = key;
    }
}

/* Bit by bit, a + b + c is twice the result and `low` once. */
static uint64_t add_bits(uint64_t *low, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t odd = a ^ b;
    *low = odd ^ c;
    return (a & b) | (odd & c);
}

/* Sixty-four counters side by side, one bit of each in a plane: adding 64 bits is a
 * ripple of carries. Eight are added together, as Harley and Seal count bits: that takes
 * 35 operations, where eight ripples would take two hundred. */
static void add_eight(struct fg_simhash *simhash, const uint64_t *in)
{
    uint64_t *plane = simhash->plane;
    uint64_t two_a = add_bits(&plane[0], plane[0], in[0], in[1]);
    uint64_t two_b = add_bits(&plane[0], plane[0], in[2], in[3]);
    uint64_t four_a = add_bits(&plane[1], plane[1], two_a, two_b);
    two_a = add_bits(&plane[0], plane[0], in[4], in[5]);
    two_b = add_bits(&plane[0], plane[0], in[6], in[7]);
    uint64_t four_b = add_bits(&plane[1], plane[1], two_a, two_b);
    uint64_t carry = add_bits(&plane[2], plane[2], four_a, four_b);
    for (size_t i = 3; carry; i++) {
        uint64_t next = plane[i] & carry;
        plane[i] ^= carry;
        carry = next;
    }
}

static void simhash_add(struct fg_simhash *simhash, const uint64_t *hashes, size_t n)
{
    while (n && simhash->n < INT32_MAX) {
        unsigned waiting = simhash->n % 8, taken = !waiting && n >= 8 ? 8 : 1;
        if (taken == 8)
            add_eight(simhash, hashes);
        else
            simhash->waiting[waiting] = *hashes;
        if (waiting == 7)
            add_eight(simhash, simhash->waiting);
        simhash->n += taken;
        hashes += taken;
        n -= taken;
    }
}

/* The bits set in more than half of what was added: compare each counter with n / 2, from
 * the highest plane down. */
static uint64_t simhash_end(struct fg_simhash *simhash)
{
    if (simhash->n % 8) {
        for (unsigned i = simhash->n % 8; i < 8; i++)
            simhash->waiting[i] = 0;
        add_eight(simhash, simhash->waiting);
    }
    uint64_t more = 0, undecided = UINT64_MAX;
    for (size_t i = 32; i-- > 0;) {
        uint64_t plane = simhash->plane[i];
        if (simhash->n / 2 >> i & 1) {
            undecided &= plane;
        } else {
            more |= undecided & plane;
            undecided &= ~plane;
        }
    }
    return more;
}

static void roll_init(struct fg_shingle_roll *roll, unsigned w)
{
    *roll = (struct fg_shingle_roll){.w = w, .oldest_weight = 1};
    for (unsigned i = 1; i < w; i++)
        roll->oldest_weight *= BASE;
}

/* The hash of the last w words is a polynomial in BASE, so the oldest word can be taken
 * out and the newest put in. True once there are w words. */
static bool roll_add(struct fg_shingle_roll *roll, uint64_t word, uint64_t *shingle)
{
    uint64_t *oldest = &roll->recent[roll->at];
    roll->hash = (roll->hash - *oldest * roll->oldest_weight) * BASE + word;
    *oldest = word;
    *shingle = mix(roll->hash);
    roll->at = roll->at + 1 < roll->w ? roll->at + 1 : 0;
    roll->n += roll->n < roll->w;
    return roll->n == roll->w;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void fg_shingle_list_pack(struct fg_shingle_list *list, uint64_t mask)
{
    if (list->len)
        qsort(list->at, list->len, sizeof *list->at, by_value);
    size_t n = 0;
    for (size_t i = 0; i < list->len; i++)
        if (!(list->at[i] & mask) && (!n || list->at[i] != list->at[n - 1]))
            list->at[n++] = list->at[i];
    list->len = n;
    list->mask = mask;
}

/* At least a quarter of the room is free afterwards, so sorting stays rare. */
static void make_room(struct fg_shingle_list *list)
{
    fg_shingle_list_pack(list, list->mask);
    while (list->len > list->max / 4 * 3 && list->mask != UINT64_MAX)
        fg_shingle_list_pack(list, list->mask << 1 | 1);
}

static void list_add(struct fg_shingle_list *list, uint64_t hash)
{
    if (!list || hash & list->mask)
        return;
    if (list->len == list->max)
        make_room(list);
    if (list->len < list->max && !(hash & list->mask))
        list->at[list->len++] = hash;
}

static void begin(struct fg_shingler *s)
{
    roll_init(&s->all, s->all.w);
    roll_init(&s->texts, s->texts.w);
    s->last_word = s->last_any = 0;
    s->simhash = (struct fg_simhash){0};
    s->print = (struct fg_print){0};
    fg_sketch_init(&s->print.all);
    fg_sketch_init(&s->print.words);
    fg_sketch_init(&s->print.figures);
}

void fg_shingler_init(struct fg_shingler *shingler, unsigned w)
{
    assert(w >= 1 && w <= FG_SHINGLE_WORDS_MAX);
    fg_words_init(&shingler->words);
    shingler->list_words = shingler->list_figures = NULL;
    shingler->all.w = shingler->texts.w = w;
    begin(shingler);
}

static void add_any(struct fg_shingler *s, uint64_t word)
{
    uint64_t shingle;
    if (roll_add(&s->all, word, &shingle))
        fg_sketch_add(&s->print.all, shingle);
    simhash_add(&s->simhash, &(uint64_t){hash_pair(s->last_any, word)}, 1);
    s->last_any = word;
}

static void add_text(struct fg_shingler *s, uint64_t word)
{
    uint64_t shingle;
    if (roll_add(&s->texts, word, &shingle)) {
        fg_sketch_add(&s->print.words, shingle);
        list_add(s->list_words, shingle);
    }
    s->print.n_words++;
    s->print.words_hash = s->print.words_hash * BASE + word;
    s->last_word = word;
}

static void add_figure(struct fg_shingler *s, uint64_t figure)
{
    uint64_t shingle = mix(s->last_word * BASE + figure);
    fg_sketch_add(&s->print.figures, shingle);
    list_add(s->list_figures, shingle);
    s->print.n_figures++;
    s->print.figures_hash = mix(s->print.figures_hash * BASE + shingle);
}

static void drain(struct fg_shingler *s)
{
    struct fg_word words[AT_ONCE];
    for (size_t n; (n = fg_words_take(&s->words, words, AT_ONCE));)
        for (size_t i = 0; i < n; i++) {
            if (words[i].kind == FG_RANDOM)
                continue;
            add_any(s, words[i].hash);
            if (words[i].kind == FG_FIGURE)
                add_figure(s, words[i].hash);
            else
                add_text(s, words[i].hash);
        }
}

void fg_shingler_add(struct fg_shingler *shingler, struct fg_str chunk)
{
    fg_words_feed(&shingler->words, chunk);
    drain(shingler);
}

/* A text of fewer than w words is one shingle. */
static void end_short(struct fg_shingle_roll *roll, struct fg_sketch *sketch,
                      struct fg_shingle_list *list)
{
    if (!roll->n || roll->n == roll->w)
        return;
    fg_sketch_add(sketch, mix(roll->hash));
    list_add(list, mix(roll->hash));
}

void fg_shingler_end(struct fg_shingler *shingler, struct fg_print *print)
{
    fg_words_finish(&shingler->words);
    drain(shingler);
    end_short(&shingler->all, &shingler->print.all, NULL);
    end_short(&shingler->texts, &shingler->print.words, shingler->list_words);
    shingler->print.simhash = simhash_end(&shingler->simhash);
    fg_sketch_end(&shingler->print.all);
    fg_sketch_end(&shingler->print.words);
    fg_sketch_end(&shingler->print.figures);
    *print = shingler->print;
    begin(shingler);
}

/* --- the gist --- */

struct gist {
    struct fg_simhash simhash;
    uint64_t last, words_hash;
    uint32_t n_words;
};

static void gist_add(struct gist *gist, struct fg_words *words)
{
    struct fg_word word[AT_ONCE];
    uint64_t pairs[AT_ONCE];
    for (size_t n; (n = fg_words_take(words, word, AT_ONCE));) {
        size_t n_pairs = 0;
        uint64_t last = gist->last, words_hash = gist->words_hash;
        for (size_t i = 0; i < n; i++) {
            if (word[i].kind == FG_RANDOM)
                continue;
            pairs[n_pairs++] = hash_pair(last, word[i].hash);
            last = word[i].hash;
            if (word[i].kind != FG_WORD)
                continue;
            words_hash = words_hash * BASE + word[i].hash;
            gist->n_words++;
        }
        gist->last = last;
        gist->words_hash = words_hash;
        simhash_add(&gist->simhash, pairs, n_pairs);
    }
}

struct fg_gist fg_gist_of(struct fg_str text)
{
    struct fg_words words;
    struct gist gist = {0};
    fg_words_init(&words);
    fg_words_feed(&words, text);
    gist_add(&gist, &words);
    fg_words_finish(&words);
    gist_add(&gist, &words);
    return (struct fg_gist){simhash_end(&gist.simhash), gist.words_hash, gist.n_words};
}
