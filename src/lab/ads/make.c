#include "lab/ads/world.h"

struct fg_ads_world *fg_ads_world_new(const struct fg_ads_options *options)
{
    bool is_small = options->kind == FG_ADS_RANDOM || options->kind == FG_ADS_BAD_ORDER;
    return is_small ? fg_ads_small_new(options) : fg_ads_market_new(options);
}
