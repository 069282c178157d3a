/* entrant.c - the ranking policy that a line of an experiment means */
#include "lab/rank/rank.h"
#include "lab/replay.h"

enum fg_status fg_rank_entrant(const struct fg_rank_policy **policy, double *knob,
                               const struct fg_entrant *entrant, struct fg_err *err)
{
    *policy = fg_rank_policy_find(fg_str_from(entrant->policy));
    if (!*policy) {
        struct fg_buf list;
        fg_buf_init(&list, 300);
        for (size_t i = 0; fg_rank_policies[i]; i++)
            fg_buf_printf(&list, "%s%s", i ? ", " : "", fg_rank_policies[i]->name);
        enum fg_status st =
            fg_fail(err, FG_ECONFIG, "no policy '%s' to rank with; there are: %.*s",
                    entrant->policy, FG_ARG(fg_buf_str(&list)));
        fg_buf_clear(&list);
        return st;
    }
    fg_rank_knobs(knob, *policy);
    for (size_t i = 0; i < entrant->n_knobs; i++)
        if (!fg_rank_knob_set(knob, *policy, fg_str_from(entrant->knobs[i].name),
                              entrant->knobs[i].value))
            return fg_fail(err, FG_ECONFIG,
                           "'%s' has no parameter '%s' that may be %g; see "
                           "docs/ranking.md",
                           entrant->policy, entrant->knobs[i].name,
                           entrant->knobs[i].value);
    return FG_OK;
}
