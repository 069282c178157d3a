#include "lab/entrants.h"

#include "base/buf.h"
#include "lab/experiment_kind.h"
#include "lab/replay.h"
#include "policy/mind.h"

static enum fg_status check_knobs(const struct fg_experiment *experiment,
                                  const struct fg_entrant *entrant,
                                  const struct fg_policy *policy, struct fg_err *err)
{
    struct fg_mind *mind = fg_mind_new(policy, 0);
    enum fg_status st = fg_knobs_set(mind, entrant->knobs, entrant->n_knobs, err);
    fg_mind_free(mind);
    return st ? fg_err_within(err, FG_ECONFIG, "%s:%zu: %s", experiment->read.file,
                              entrant->line, entrant->label)
              : FG_OK;
}

static enum fg_status check_own(const struct fg_experiment *experiment,
                                const struct fg_entrant *entrant, struct fg_err *err)
{
    return experiment->kind->check(entrant, err)
               ? fg_err_within(err, FG_ECONFIG, "%s:%zu", experiment->read.file,
                               entrant->line)
               : FG_OK;
}

static enum fg_status no_policy(const struct fg_experiment *experiment,
                                const struct fg_entrant *entrant, enum fg_task task,
                                struct fg_err *err)
{
    struct fg_buf list;
    fg_buf_init(&list, 300);
    for (size_t p = 0; fg_policies[p]; p++)
        if (fg_policies[p]->tasks & task)
            fg_buf_printf(&list, "%s%s", list.len ? ", " : "", fg_policies[p]->name);
    enum fg_status st =
        fg_fail(err, FG_ECONFIG, "%s:%zu: no policy '%s'; there are: %.*s%s",
                experiment->read.file, entrant->line, entrant->policy,
                FG_ARG(fg_buf_str(&list)), list.full ? " and more" : "");
    fg_buf_clear(&list);
    return st;
}

static size_t seeds_of(const struct fg_experiment *experiment,
                       const struct fg_entrant *entrant, const struct fg_policy *policy,
                       size_t seeds)
{
    if (policy && policy->is_steady)
        return 1;
    if (seeds)
        return seeds;
    return entrant->seeds ? entrant->seeds : experiment->seeds;
}

static enum fg_status gather(struct fg_entrants *entrants, struct fg_arena *arena,
                             const struct fg_experiment *e, const char *also,
                             struct fg_err *err)
{
    bool is_there = !also;
    size_t most = e->n_entrants + 1;
    if (most > FG_ENTRANTS_MOST)
        return fg_fail(err, FG_ECONFIG, "%s: more than %d policies", e->read.file,
                       FG_ENTRANTS_MOST - 1);
    *entrants = (struct fg_entrants){
        .n = e->n_entrants,
        .at = FG_NEW(arena, struct fg_entrant, most),
        .policies = FG_NEW(arena, const struct fg_policy *, most),
        .seeds = FG_NEW(arena, size_t, most),
        .slot = FG_NEW(arena, size_t, most),
    };
    for (size_t i = 0; i < e->n_entrants; i++) {
        entrants->at[i] = e->entrants[i];
        is_there |= also && strcmp(e->entrants[i].label, also) == 0;
    }
    if (!is_there)
        entrants->at[entrants->n++] = (struct fg_entrant){.policy = also, .label = also};
    return FG_OK;
}

enum fg_status fg_entrants_find(struct fg_entrants *entrants, struct fg_arena *arena,
                                const struct fg_experiment *experiment, enum fg_task task,
                                const char *also, size_t seeds, struct fg_err *err)
{
    enum fg_status st = gather(entrants, arena, experiment, also, err);
    for (size_t i = 0; !st && i < entrants->n; i++) {
        const struct fg_entrant *entrant = &entrants->at[i];
        bool is_own = experiment->kind->check;
        const struct fg_policy *policy =
            is_own ? NULL : fg_policy_find(fg_str_from(entrant->policy), task);
        if (!is_own && !policy)
            return no_policy(experiment, entrant, task, err);
        st = is_own ? check_own(experiment, entrant, err)
                    : check_knobs(experiment, entrant, policy, err);
        entrants->policies[i] = policy;
        entrants->seeds[i] = seeds_of(experiment, entrant, policy, seeds);
        entrants->slot[i] = entrants->slots;
        entrants->slots += entrants->seeds[i];
    }
    return st;
}

size_t fg_entrants_named(const struct fg_entrants *entrants, const char *label)
{
    size_t i = 0;
    while (strcmp(entrants->at[i].label, label) != 0)
        i++;
    return i;
}

bool fg_label_is_in(const char *const *labels, size_t n, const char *label)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(labels[i], label) == 0)
            return true;
    return false;
}

uint64_t fg_entrants_wanted(const struct fg_entrants *entrants,
                            const struct fg_workload *workload)
{
    uint64_t wanted = 0;
    for (size_t i = 0; i < entrants->n; i++)
        if (!workload->n_policies ||
            fg_label_is_in(workload->policies, workload->n_policies,
                           entrants->at[i].label))
            wanted |= UINT64_C(1) << i;
    return wanted;
}
