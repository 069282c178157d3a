/* The table: a new policy is one new file like those beside this one, and two lines. */
#include "search/ads/market.h"

extern const struct fg_ads_policy fg_ads_greedy, fg_ads_msvv, fg_ads_mix, fg_ads_bmix,
    fg_ads_bmix_e, fg_ads_bmix_t, fg_ads_bmix_et, fg_ads_bpol, fg_ads_two_level,
    fg_ads_paced_index, fg_ads_paced_index_h, fg_ads_known, fg_ads_known_t,
    fg_ads_known_paced;

const struct fg_ads_policy *const fg_ads_policies[] = {
    &fg_ads_paced_index, &fg_ads_paced_index_h, &fg_ads_greedy,
    &fg_ads_msvv,        &fg_ads_mix,           &fg_ads_bmix,
    &fg_ads_bmix_e,      &fg_ads_bmix_t,        &fg_ads_bmix_et,
    &fg_ads_bpol,        &fg_ads_two_level,     &fg_ads_known,
    &fg_ads_known_t,     &fg_ads_known_paced,   NULL,
};

const struct fg_ads_policy *fg_ads_policy_find(struct fg_str name)
{
    for (size_t i = 0; fg_ads_policies[i]; i++)
        if (fg_str_eq(name, fg_str_from(fg_ads_policies[i]->name)))
            return fg_ads_policies[i];
    return NULL;
}
