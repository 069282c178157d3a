#include "policy/joint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct fg_wants_preset fg_wants_presets[] = {
    {"news", {0.5, 6, 1, 0.001}, "be first; old pages hardly matter"},
    {"search", {0.8, 24, 1, 0.01}, "new pages and fresh copies alike"},
    {"shop", {0.9, 24, 1, 0.1}, "known offers matter most"},
    {"archive", {1, 24, 1, 0.003}, "every page once before it is gone"},
    {0},
};

const struct fg_wants *fg_wants_find(const char *name)
{
    const struct fg_wants_preset *preset = fg_wants_presets;
    while (preset->name && strcmp(preset->name, name) != 0)
        preset++;
    return preset->name ? &preset->wants : NULL;
}

double fg_wants_page(const struct fg_wants *wants, double hours)
{
    return wants->keeps +
           (1 - wants->keeps) * exp(-(hours > 0 ? hours : 0) / wants->loses);
}

double fg_wants_link(const struct fg_wants *wants)
{
    return 1 + wants->content;
}

void fg_joint_clear(struct fg_joint *joint)
{
    fg_vec_clear(&joint->offers);
    fg_vec_clear(&joint->bids);
}

void fg_joint_clear_offers(struct fg_joint *joint)
{
    joint->offers.len = 0;
}

void fg_joint_offer(struct fg_joint *joint, const struct fg_contender *offer)
{
    if (offer->bid.index > 0 && offer->bid.cost >= 0)
        fg_vec_push(&joint->offers, *offer);
}

static int by_index(const void *a, const void *b)
{
    const struct fg_contender *x = a, *y = b;
    if (x->bid.index != y->bid.index)
        return x->bid.index > y->bid.index ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->which < y->which ? -1 : x->which > y->which;
}

size_t fg_joint_choose_fitting(struct fg_joint *joint, struct fg_pricing *price,
                               fg_joint_fits *fits, void *context)
{
    size_t n = joint->offers.len, kept = 0;
    if (n)
        qsort(joint->offers.at, n, sizeof *joint->offers.at, by_index);
    joint->bids.len = 0;
    for (size_t i = 0; i < n; i++) {
        struct fg_contender offer = joint->offers.at[i];
        if (fits && !fits(context, &offer))
            continue;
        joint->offers.at[kept++] = offer;
        fg_vec_push(&joint->bids, offer.bid);
    }
    joint->offers.len = kept;
    return fg_price_take(price, joint->bids.at, kept);
}

size_t fg_joint_choose(struct fg_joint *joint, struct fg_pricing *price)
{
    return fg_joint_choose_fitting(joint, price, NULL, NULL);
}
