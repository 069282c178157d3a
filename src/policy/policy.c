/* policy.c - the table of policies, in the order in which `forage policies` lists them:
 * of ours, of the literature, of other programs; those that find pages before those that
 * keep copies fresh */
#include "policy/policy.h"
#include "policy/plugin.h"

#define POLICIES(P)          \
    P(forage)                \
    P(link_types)            \
    P(exposure)              \
    P(thompson)              \
    P(thompson_week)         \
    P(ucb_sources)           \
    P(round_robin)           \
    P(random)                \
    P(od_win)                \
    P(od_all)                \
    P(od_1)                  \
    P(od_bandit)             \
    P(snapshot)              \
    P(cliq_win)              \
    P(cliq_1)                \
    P(cliq_win_star)         \
    P(cov)                   \
    P(cov_star)              \
    P(reg)                   \
    P(reg_rr)                \
    P(reg_poly)              \
    P(reg_trees)             \
    P(ltr)                   \
    P(bandit)                \
    P(pham)                  \
    P(fixed)                 \
    P(nutch_adaptive)        \
    P(stormcrawler_adaptive) \
    P(miniflux_frequency)    \
    P(commafeed_empirical)   \
    P(oracle)                \
    P(greedy)                \
    P(lomax)                 \
    P(stake)                 \
    P(quality)               \
    P(sbr)                   \
    P(ebr)                   \
    P(whittle)               \
    P(lambda)                \
    P(kab)                   \
    P(kab2)                  \
    P(kab3)                  \
    P(kab4)                  \
    P(kab5)                  \
    P(uniform)               \
    P(change)                \
    P(click)                 \
    P(impression)            \
    P(myopic)                \
    P(fg_dqn)                \
    P(thompson_beta)         \
    P(static)                \
    P(lastmod)               \
    P(clairvoyant)

#define DECLARED(name) extern const struct fg_policy fg_policy_##name;
POLICIES(DECLARED)

#define LISTED(name) &fg_policy_##name,
enum { OWN = sizeof((const struct fg_policy *[]){POLICIES(LISTED)}) / sizeof(void *) };
static const struct fg_policy *table[OWN + FG_PLUGINS_MAX + 1] = {POLICIES(LISTED)};
const struct fg_policy *const *const fg_policies = table;

bool fg_policy_add(const struct fg_policy *policy)
{
    size_t n = OWN;
    while (table[n])
        n++;
    if (n == OWN + FG_PLUGINS_MAX)
        return false;
    table[n] = policy;
    return true;
}

const struct fg_policy *fg_policy_find(struct fg_str name, enum fg_task task)
{
    for (size_t i = 0; fg_policies[i]; i++)
        if ((fg_policies[i]->tasks & task) &&
            fg_str_eq(name, fg_str_from(fg_policies[i]->name)))
            return fg_policies[i];
    return NULL;
}
