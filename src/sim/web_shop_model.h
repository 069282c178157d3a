/* web_shop_model.h - the inside of a shop, shared by web_shop.c and web_shop_pages.c */
#ifndef FG_SIM_WEB_SHOP_MODEL_H
#define FG_SIM_WEB_SHOP_MODEL_H

#include "base/rng.h"
#include "base/vec.h"
#include "sim/web_shop.h"

enum { SHOP_NAME = 24 };

struct shop_name {
    char text[SHOP_NAME];
};

struct fg_shop {
    struct fg_shop_options options;
    struct fg_rng counts; /* split by offer, then by day */
    struct fg_shop_offer *offers;
    struct shop_name *categories, *brands, *sellers;
    FG_VEC(struct fg_shop_value) values; /* of all offers, one after the other */
};

/* Of the words that name an offer. */
uint64_t shop_slug_seed(const struct fg_shop *shop, size_t i);

#endif
