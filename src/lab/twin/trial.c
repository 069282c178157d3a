#include "lab/twin/trial.h"

#include "base/memory.h"
#include "policy/metrics.h"
#include "policy/mind.h"

#include <math.h>
#include <stdlib.h>

void fg_trial_judge(struct fg_trial *trial, const struct fg_site *site,
                    const struct fg_trial_rules *rules, const uint32_t *found)
{
    const struct fg_site_facts *facts = &site->facts;
    double within[FG_TRIAL_LEVELS] = {0};
    uint32_t *delays = fg_zeroed(facts->steps + 1, sizeof *delays);
    fg_time longest = 0;
    for (size_t i = 0; i < FG_TRIAL_LEVELS; i++)
        longest = rules->level[i] > longest ? rules->level[i] : longest;
    size_t late = (size_t)(longest / facts->step);
    for (size_t v = 0; v < site->targets; v++) {
        size_t appeared = site->appeared[v];
        if (appeared == FG_SITE_NO_STEP || appeared < rules->warm_up ||
            appeared + late >= facts->steps)
            continue;
        trial->there++;
        if (found[v] == FG_SITE_NO_STEP)
            continue;
        trial->found++;
        delays[found[v] - appeared]++;
        for (size_t i = 0; i < FG_TRIAL_LEVELS; i++)
            within[i] += (fg_time)(found[v] - appeared) * facts->step <= rules->level[i];
    }
    for (size_t i = 0; i < FG_TRIAL_LEVELS; i++)
        trial->within[i] = trial->there > 0 ? within[i] / trial->there : NAN;
    double hours = fg_hours(facts->step);
    bool is_any = trial->found > 0;
    trial->delay_p50 =
        is_any ? hours * fg_quantile_of_counts(delays, facts->steps, 0.5) : NAN;
    trial->delay_p90 =
        is_any ? hours * fg_quantile_of_counts(delays, facts->steps, 0.9) : NAN;
    free(delays);
}

enum fg_status fg_trial_run(struct fg_trial *trial, const struct fg_site *site,
                            const struct fg_trial_rules *rules, struct fg_err *err)
{
    const struct fg_site_facts *facts = &site->facts;
    struct fg_replay_rules of_replay = {
        .seed = rules->seed, .knobs = rules->knobs, .n_knobs = rules->n_knobs};
    struct fg_replay_outcome outcome;
    struct fg_replaying *replaying;
    *trial = (struct fg_trial){0};
    enum fg_status st =
        fg_replay_open(&replaying, &outcome, site, rules->policy, &of_replay, err);
    if (st)
        return st;
    struct fg_pick *picks = fg_zeroed(facts->sources, sizeof *picks);
    double credit = 0;
    for (size_t step = 0; step < facts->steps; step++) {
        fg_replay_pass(replaying, step);
        credit = fmin(credit + rules->a_step, (double)facts->sources);
        size_t most = (size_t)(credit + 1e-9);
        credit -= (double)most;
        fg_time now = facts->start + (fg_time)step * facts->step;
        size_t n = most ? fg_mind_choose(fg_replay_mind(replaying), now, most, picks) : 0;
        for (size_t i = 0; i < n; i++) {
            fg_replay_look(replaying, picks[i].page);
            if (rules->look)
                rules->look(rules->context, picks[i].page, step);
        }
        trial->looks += (double)n;
    }
    fg_trial_judge(trial, site, rules, fg_replay_found(replaying));
    free(picks);
    fg_replay_close(replaying);
    fg_replay_outcome_clear(&outcome);
    return FG_OK;
}
