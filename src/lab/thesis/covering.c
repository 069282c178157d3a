#include "lab/thesis/covering.h"

#include "base/time.h"
#include "lab/thesis/weekly.h"

#include <stdlib.h>

struct watch {
    const struct fg_jobs_options *options;
    fg_time began;
    bool was_stopped;
};

static bool on_progress(void *context, double done)
{
    struct watch *watch = context;
    double passed = fg_seconds(fg_time_monotonic() - watch->began);
    if (watch->options->progress)
        watch->was_stopped =
            !watch->options->progress(watch->options->context, (size_t)(100 * done), 100,
                                      done > 0 ? passed * (1 - done) / done : -1);
    return !watch->was_stopped;
}

/* The file may call it otherwise, and has remarks of its own. */
static void rename_after(struct fg_result *result, const struct fg_experiment *e)
{
    struct fg_arena *arena = &result->arena;
    size_t n = result->n_remarks + e->n_remarks;
    const char **remarks = FG_NEW(arena, const char *, n);
    for (size_t i = 0; i < e->n_remarks; i++)
        remarks[i] = fg_arena_cstr(arena, fg_str_from(e->remarks[i]));
    for (size_t i = 0; i < result->n_remarks; i++)
        remarks[e->n_remarks + i] = result->remarks[i];
    result->remarks = remarks;
    result->n_remarks = n;
    result->name = fg_arena_cstr(arena, fg_str_from(e->name));
    result->title = fg_arena_cstr(arena, fg_str_from(e->title));
    if (e->paper)
        result->paper = fg_arena_cstr(arena, fg_str_from(e->paper));
}

enum fg_status fg_covering_run(struct fg_result **result,
                               const struct fg_experiment *experiment,
                               const struct fg_jobs_options *options, struct fg_err *err)
{
    const struct fg_workload *workload =
        experiment->n_workloads ? &experiment->workloads[0] : NULL;
    struct watch watch = {.options = options, .began = fg_time_monotonic()};
    struct fg_thesis_options wanted = {
        .seed = 1, .progress = on_progress, .context = &watch};
    if (workload) {
        wanted.sites = workload->sites;
        wanted.seed = workload->seed;
        wanted.scale = workload->scale;
    }
    if (options->sites)
        wanted.sites = options->sites;
    *result = calloc(1, sizeof **result);
    if (!*result)
        fg_out_of_memory();
    enum fg_status st = fg_thesis_experiment(*result, &wanted, err);
    if (st) {
        fg_result_free(*result);
        *result = NULL;
        return watch.was_stopped ? FG_OK : st;
    }
    rename_after(*result, experiment);
    return FG_OK;
}
