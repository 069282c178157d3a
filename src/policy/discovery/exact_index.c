#include "policy/discovery/exact_index.h"

#include "base/elementary.h"

static double gained(double seen, double decay, double half_tick)
{
    return (1 - fg_exp(-decay * seen)) / decay -
           seen * fg_exp(-decay * (seen + half_tick));
}

double fg_exact_index(const struct fg_brain *brain, double rate, double seen,
                      double retained, double waited)
{
    static const double least_pace = 0.05, least_seen = 1e-4;
    if (!(seen > least_seen))
        return 0;
    double pace = waited / seen, keeps = brain->knob[FG_EXPO_KEEPS];
    double half_tick =
        fg_hours(brain->world->tick) / 2 / (pace > least_pace ? pace : least_pace);
    double leaves = 1 / retained, fades = leaves + pace / brain->knob[FG_EXPO_LOSES];
    double index = keeps > 0 ? keeps * gained(seen, leaves, half_tick) : 0;
    index += keeps < 1 ? (1 - keeps) * gained(seen, fades, half_tick) : 0;
    return index > 0 ? rate * index : 0;
}

double fg_exact_seen(double rate, double seen, double retained)
{
    return seen > 0 ? rate * retained * -expm1(-seen / retained) : 0;
}

static struct fg_exposure_site *site_of(const struct fg_brain *brain,
                                        const struct fg_exposure *model, size_t page)
{
    return model->sites[brain->world->site[page]];
}

void fg_exact_learn_stays(const struct fg_brain *brain, struct fg_exposure *model)
{
    static const double prior = 3;
    for (size_t i = 0; i < model->n_sites; i++)
        if (model->sites[i])
            model->sites[i]->stay = model->sites[i]->left = 0;
    for (size_t i = 0; i < brain->world->n; i++) {
        struct fg_exposure_site *site = site_of(brain, model, i);
        site->stay += (double)brain->f32[FG_EXPO_RISK_SUM][i];
        site->left += (double)brain->f32[FG_EXPO_LEFT_SUM][i];
    }
    for (size_t i = 0; i < model->n_sites; i++)
        if (model->sites[i])
            model->sites[i]->stay =
                (model->sites[i]->stay + prior * brain->knob[FG_EXPO_STAY]) /
                (model->sites[i]->left + prior);
}

void fg_exact_guess_rates(const struct fg_brain *brain, struct fg_exposure *model)
{
    static const double known_after = 12, prior = 5;
    double rates = 1, known = 2;
    for (size_t i = 0; i < model->n_sites; i++)
        if (model->sites[i])
            model->sites[i]->usual = 0;
    for (size_t i = 0; i < brain->world->n; i++) {
        double seen = (double)brain->f32[FG_EXPO_SEEN_SUM][i];
        site_of(brain, model, i)->usual += seen / (seen + known_after);
    }
    for (size_t i = 0; i < model->n_sites; i++)
        if (model->sites[i]) {
            rates += model->sites[i]->rate;
            known += model->sites[i]->usual;
        }
    for (size_t i = 0; i < model->n_sites; i++) {
        struct fg_exposure_site *site = model->sites[i];
        if (site)
            site->usual = (site->rate + prior * rates / known) / (site->usual + prior);
    }
}

void fg_exact_calibrate(const struct fg_brain *brain, struct fg_exposure *model,
                        float *brought, float *foreseen, double kept)
{
    static const double prior = 50;
    for (size_t i = 0; i < model->n_sites; i++)
        if (model->sites[i])
            model->sites[i]->brought = model->sites[i]->foreseen = prior;
    for (size_t i = 0; i < brain->world->n; i++) {
        struct fg_exposure_site *site = site_of(brain, model, i);
        brought[i] *= (float)kept;
        foreseen[i] *= (float)kept;
        site->brought += (double)brought[i];
        site->foreseen += (double)foreseen[i];
    }
}
