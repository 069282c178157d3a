#include "learn/bag.h"

#include "base/err.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static uint32_t place_of(uint64_t hash)
{
    hash = (hash ^ hash >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    return (uint32_t)(hash >> (64 - FG_BAG_BITS));
}

void fg_bag_add(struct fg_bag *bag, uint64_t hash, float times)
{
    size_t used = bag->n + bag->n_open;
    if (used == bag->capacity) {
        size_t wider = bag->capacity ? bag->capacity * 2 : 256;
        if (wider > FG_BAG_MOST)
            return;
        bag->features = fg_resized(bag->features, wider, sizeof *bag->features);
        bag->capacity = wider;
    }
    bag->features[used] = (struct fg_feature){place_of(hash), times};
    bag->n_open++;
}

static int by_place(const void *a, const void *b)
{
    uint32_t x = ((const struct fg_feature *)a)->place,
             y = ((const struct fg_feature *)b)->place;
    return (x > y) - (x < y);
}

static size_t merge(struct fg_feature *features, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (kept && features[kept - 1].place == features[i].place)
            features[kept - 1].value += features[i].value;
        else
            features[kept++] = features[i];
    }
    return kept;
}

void fg_bag_close(struct fg_bag *bag, float length)
{
    if (!bag->n_open)
        return;
    struct fg_feature *open = bag->features + bag->n;
    /* Values are whole or at least summed in an order that does not show: those of one
     * place are small whole numbers, exact in a float. */
    qsort(open, bag->n_open, sizeof *open, by_place);
    size_t n = merge(open, bag->n_open);
    double square = 0;
    for (size_t i = 0; i < n; i++) {
        open[i].value = open[i].value > 1 ? 1 + logf(open[i].value) : open[i].value;
        square += (double)open[i].value * (double)open[i].value;
    }
    float scale = square > 0 ? length / (float)sqrt(square) : 0;
    for (size_t i = 0; i < n; i++)
        open[i].value *= scale;
    bag->n += n;
    bag->n_open = 0;
}

void fg_bag_empty(struct fg_bag *bag)
{
    bag->n = bag->n_open = 0;
}

void fg_bag_clear(struct fg_bag *bag)
{
    free(bag->features);
    *bag = (struct fg_bag){0};
}
