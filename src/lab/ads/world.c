#include "lab/ads/world.h"

#include "base/memory.h"

#include <stdlib.h>

struct fg_ads_options fg_ads_options_default(void)
{
    return (struct fg_ads_options){.seed = 1,
                                   .scale = 1,
                                   .zipf = 0.9,
                                   .ads = 5,
                                   .budgeted = 0.6,
                                   .budget_size = 0.6,
                                   .budget_floor = 3,
                                   .prior_quality = 0.95,
                                   .days = 10,
                                   .queries = 200};
}

struct fg_ads_world *fg_ads_world_empty(const struct fg_ads_options *options,
                                        size_t phrases, size_t advertisers, size_t ads)
{
    struct fg_ads_world *w = fg_zeroed(1, sizeof *w);
    w->options = *options;
    w->phrases = phrases;
    w->advertisers = advertisers;
    w->first = fg_zeroed(phrases + 1, sizeof *w->first);
    w->queries = fg_zeroed(phrases, sizeof *w->queries);
    w->ad = fg_zeroed(ads, sizeof *w->ad);
    w->budget = fg_zeroed(advertisers, sizeof *w->budget);
    pthread_mutex_init(&w->lock, NULL);
    return w;
}

void fg_ads_world_free(struct fg_ads_world *w)
{
    if (!w)
        return;
    pthread_mutex_destroy(&w->lock);
    free(w->first);
    free(w->queries);
    free(w->ad);
    free(w->budget);
    free(w->order);
    free(w);
}
