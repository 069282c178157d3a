#include "policy/policy.h"

extern const struct fg_policy fg_policy_commafeed_empirical;
extern const struct fg_policy fg_policy_fixed;
extern const struct fg_policy fg_policy_miniflux_frequency;
extern const struct fg_policy fg_policy_nutch_adaptive;
extern const struct fg_policy fg_policy_oracle;
extern const struct fg_policy fg_policy_round_robin;
extern const struct fg_policy fg_policy_stormcrawler_adaptive;
extern const struct fg_policy fg_policy_thompson;

const struct fg_policy *const fg_policies[] = {
    &fg_policy_round_robin,
    &fg_policy_thompson,
    &fg_policy_oracle,
    &fg_policy_fixed,
    &fg_policy_nutch_adaptive,
    &fg_policy_stormcrawler_adaptive,
    &fg_policy_miniflux_frequency,
    &fg_policy_commafeed_empirical,
    NULL,
};

const struct fg_policy *fg_policy_find(struct fg_str name, enum fg_task task)
{
    for (size_t i = 0; fg_policies[i]; i++)
        if ((fg_policies[i]->tasks & task) &&
            fg_str_eq(name, fg_str_from(fg_policies[i]->name)))
            return fg_policies[i];
    return NULL;
}
