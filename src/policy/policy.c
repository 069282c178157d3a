#include "policy/policy.h"

extern const struct fg_policy fg_policy_bandit;
extern const struct fg_policy fg_policy_change;
extern const struct fg_policy fg_policy_clairvoyant;
extern const struct fg_policy fg_policy_click;
extern const struct fg_policy fg_policy_cliq_1;
extern const struct fg_policy fg_policy_cliq_win;
extern const struct fg_policy fg_policy_cliq_win_star;
extern const struct fg_policy fg_policy_commafeed_empirical;
extern const struct fg_policy fg_policy_cov;
extern const struct fg_policy fg_policy_cov_star;
extern const struct fg_policy fg_policy_ebr;
extern const struct fg_policy fg_policy_exposure;
extern const struct fg_policy fg_policy_fg_dqn;
extern const struct fg_policy fg_policy_fixed;
extern const struct fg_policy fg_policy_greedy;
extern const struct fg_policy fg_policy_impression;
extern const struct fg_policy fg_policy_kab2;
extern const struct fg_policy fg_policy_kab3;
extern const struct fg_policy fg_policy_kab4;
extern const struct fg_policy fg_policy_kab5;
extern const struct fg_policy fg_policy_kab;
extern const struct fg_policy fg_policy_lambda;
extern const struct fg_policy fg_policy_lastmod;
extern const struct fg_policy fg_policy_link_types;
extern const struct fg_policy fg_policy_lomax;
extern const struct fg_policy fg_policy_ltr;
extern const struct fg_policy fg_policy_miniflux_frequency;
extern const struct fg_policy fg_policy_myopic;
extern const struct fg_policy fg_policy_nutch_adaptive;
extern const struct fg_policy fg_policy_od_1;
extern const struct fg_policy fg_policy_od_all;
extern const struct fg_policy fg_policy_od_bandit;
extern const struct fg_policy fg_policy_od_win;
extern const struct fg_policy fg_policy_oracle;
extern const struct fg_policy fg_policy_pham;
extern const struct fg_policy fg_policy_quality;
extern const struct fg_policy fg_policy_random;
extern const struct fg_policy fg_policy_reg;
extern const struct fg_policy fg_policy_reg_rr;
extern const struct fg_policy fg_policy_round_robin;
extern const struct fg_policy fg_policy_sbr;
extern const struct fg_policy fg_policy_snapshot;
extern const struct fg_policy fg_policy_stake;
extern const struct fg_policy fg_policy_static;
extern const struct fg_policy fg_policy_stormcrawler_adaptive;
extern const struct fg_policy fg_policy_thompson;
extern const struct fg_policy fg_policy_thompson_beta;
extern const struct fg_policy fg_policy_uniform;
extern const struct fg_policy fg_policy_whittle;

const struct fg_policy *const fg_policies[] = {
    &fg_policy_link_types,
    &fg_policy_exposure,
    &fg_policy_thompson,
    &fg_policy_round_robin,
    &fg_policy_random,
    &fg_policy_od_win,
    &fg_policy_od_all,
    &fg_policy_od_1,
    &fg_policy_od_bandit,
    &fg_policy_snapshot,
    &fg_policy_cliq_win,
    &fg_policy_cliq_1,
    &fg_policy_cliq_win_star,
    &fg_policy_cov,
    &fg_policy_cov_star,
    &fg_policy_reg,
    &fg_policy_reg_rr,
    &fg_policy_ltr,
    &fg_policy_bandit,
    &fg_policy_pham,
    &fg_policy_fixed,
    &fg_policy_nutch_adaptive,
    &fg_policy_stormcrawler_adaptive,
    &fg_policy_miniflux_frequency,
    &fg_policy_commafeed_empirical,
    &fg_policy_oracle,
    &fg_policy_greedy,
    &fg_policy_lomax,
    &fg_policy_stake,
    &fg_policy_quality,
    &fg_policy_sbr,
    &fg_policy_ebr,
    &fg_policy_whittle,
    &fg_policy_lambda,
    &fg_policy_kab,
    &fg_policy_kab2,
    &fg_policy_kab3,
    &fg_policy_kab4,
    &fg_policy_kab5,
    &fg_policy_uniform,
    &fg_policy_change,
    &fg_policy_click,
    &fg_policy_impression,
    &fg_policy_myopic,
    &fg_policy_fg_dqn,
    &fg_policy_thompson_beta,
    &fg_policy_static,
    &fg_policy_lastmod,
    &fg_policy_clairvoyant,
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
