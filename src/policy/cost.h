/* cost.h - what a visit of a page costs, in a byte
 *
 *     uint8_t *cost = &brain->u8[COST][page];
 *     fg_cost_learn(cost, visit->cost);
 *     score /= fg_from_octaves(*cost);
 *
 * Costs are in units of a usual request. A byte of 0 says that nothing but 1 was seen. */
#ifndef FG_POLICY_COST_H
#define FG_POLICY_COST_H

#include <stdint.h>
#include <string.h>

/* Factors in a byte, to within 6 %: eight steps an octave, 128 for 1, and for 0 none is
 * known. */
/* The exponent of a float and the first three bits of its fraction. */
enum { FG_BITS_OF_ONE = 0x3F8, FG_EIGHTH = 20 };

static inline uint8_t fg_octaves(double factor)
{
    float value = (float)factor;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    int octaves =
        (int)((bits + (1U << (FG_EIGHTH - 1))) >> FG_EIGHTH) - FG_BITS_OF_ONE + 128;
    return !(factor > 0) || octaves < 1 ? 1 : octaves > 255 ? 255 : (uint8_t)octaves;
}

static inline double fg_from_octaves(uint8_t octaves)
{
    uint32_t bits = (uint32_t)(octaves - 128 + FG_BITS_OF_ONE) << FG_EIGHTH;
    float value;
    memcpy(&value, &bits, sizeof value);
    return octaves ? (double)value : 1;
}

/* Half of the way to what it cost now, and never stuck a step before. */
static inline void fg_cost_learn(uint8_t *cost, float seen)
{
    if (!(seen > 0) || (seen == 1 && !*cost))
        return;
    int now = fg_octaves((double)seen), apart = now - *cost;
    *cost = (uint8_t)(*cost ? *cost + (apart + (apart > 0) - (apart < 0)) / 2 : now);
}

#endif
