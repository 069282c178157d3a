/* Parts of an experiment: its short form, and one of its workloads. The hash changes with
 * them, so that no journal of the whole is taken up. */
#include "base/buf.h"
#include "lab/experiment.h"

#include <string.h>

static void cut(size_t *value, size_t most)
{
    if (most && (*value > most || !*value))
        *value = most;
}

void fg_experiment_shorten(struct fg_experiment *e)
{
    const struct fg_shortening *by = &e->shortening;
    size_t fewer = by->fewer_seeds ? by->fewer_seeds : 1, kept = 0, was = e->n_workloads;
    for (size_t i = 0; i < e->n_workloads; i++) {
        struct fg_workload *workload = &e->workloads[i];
        if (workload->is_long)
            continue;
        if (workload->kind == FG_WORK_GENERATE) {
            cut(&workload->refresh.pages, by->pages);
            cut(&workload->hours, by->hours);
        }
        e->workloads[kept++] = *workload;
    }
    e->n_workloads = kept;
    e->seeds = (e->seeds + fewer - 1) / fewer;
    for (size_t i = 0; i < e->n_entrants; i++)
        e->entrants[i].seeds = (e->entrants[i].seeds + fewer - 1) / fewer;
    if (by->n_budgets) {
        e->budgets = by->budgets;
        e->n_budgets = by->n_budgets;
    }
    e->shortening.is_on =
        kept < was || by->sites || by->pages || by->hours || fewer > 1 || by->n_budgets;
    e->read.hash = e->read.hash * 31 + e->shortening.is_on;
}

static const char *name_of(const struct fg_workload *workload)
{
    return workload->name ? workload->name : workload->n_from ? workload->from[0] : "";
}

enum fg_status fg_experiment_only(struct fg_experiment *e, const char *name,
                                  struct fg_err *err)
{
    struct fg_buf names;
    size_t kept = 0;
    fg_buf_init(&names, 1 << 12);
    for (size_t i = 0; i < e->n_workloads; i++) {
        fg_buf_printf(&names, "%s'%s'", i ? ", " : "", name_of(&e->workloads[i]));
        if (strcmp(name_of(&e->workloads[i]), name) != 0)
            continue;
        e->workloads[kept] = e->workloads[i];
        e->workloads[kept++].is_long = false; /* it was asked for */
    }
    enum fg_status st =
        kept ? FG_OK
             : fg_fail(err, FG_ECONFIG, "no workload '%s' in '%s'; there are: %.*s", name,
                       e->name, FG_ARG(fg_buf_str(&names)));
    fg_buf_clear(&names);
    if (!st) {
        e->shortening.is_part |= kept < e->n_workloads;
        e->n_workloads = kept;
        e->read.hash = e->read.hash * 31 + fg_str_hash(fg_str_from(name));
    }
    return st;
}
