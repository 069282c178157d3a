#include "lab/refresh/trials.h"

#include "base/memory.h"
#include "base/vec.h"
#include "lab/crew.h"
#include "lab/journal.h"
#include "lab/replay.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { NOTE_MOST = 1 << 18 };

/* A timeline with one budget. */
struct cell {
    size_t line, within; /* its number in the stock, and in its group */
    struct fg_budget budget;
    uint64_t wanted; /* entrants, a bit each */
    struct fg_digest *runs;
};

/* A timeline as the trials see it. */
struct place {
    pthread_mutex_t lock;
    struct fg_timeline *timeline;
    size_t left; /* trials not done */
};

struct trial {
    uint32_t cell, entrant, seed;
};

struct fg_trials {
    struct fg_arena arena;
    const struct fg_experiment *experiment;
    struct fg_jobs_options options;
    struct fg_stock *stock;
    struct fg_entrants entrants;
    FG_VEC(struct cell) cells;
    size_t *first_cell; /* by group; then by line * budgets + budget */
    struct place *places;
    FG_VEC(struct trial) trials;
    bool *is_done; /* by trial */
    size_t done, resumed;
    struct fg_journal journal;
};

/* --- planning --- */

static enum fg_status plan_timelines(struct fg_trials *trials, struct fg_err *err)
{
    const struct fg_experiment *e = trials->experiment;
    for (size_t i = 0; i < e->n_workloads; i++) {
        enum fg_status st =
            fg_stock_add(trials->stock, &e->workloads[i], trials->options.sites, err);
        if (st)
            return fg_err_within(err, st, "%s:%zu", e->file, e->workloads[i].line);
    }
    if (!fg_stock_lines(trials->stock))
        return fg_fail(err, FG_ENOTFOUND,
                       "%s: none of its histories is here; FORAGE_DATA names the folder "
                       "they are in",
                       e->file);
    return FG_OK;
}

size_t fg_trials_budgets(const struct fg_trials *trials, size_t group,
                         const struct fg_budget **budgets)
{
    const struct fg_workload *workload = fg_stock_group(trials->stock, group)->workload;
    *budgets = workload->n_budgets ? workload->budgets : trials->experiment->budgets;
    return workload->n_budgets ? workload->n_budgets : trials->experiment->n_budgets;
}

static void plan_cells(struct fg_trials *trials)
{
    size_t groups = fg_stock_groups(trials->stock);
    trials->first_cell = FG_NEW(&trials->arena, size_t, groups);
    for (size_t g = 0; g < groups; g++) {
        const struct fg_stock_group *group = fg_stock_group(trials->stock, g);
        const struct fg_budget *budgets;
        size_t n = fg_trials_budgets(trials, g, &budgets);
        trials->first_cell[g] = trials->cells.len;
        for (size_t i = 0; i < group->n * n; i++)
            fg_vec_push(&trials->cells,
                        (struct cell){.line = group->lines[i / n],
                                      .within = i / n,
                                      .budget = budgets[i % n],
                                      .wanted = fg_entrants_wanted(&trials->entrants,
                                                                   group->workload),
                                      .runs = FG_NEW(&trials->arena, struct fg_digest,
                                                     trials->entrants.slots)});
    }
}

/* Cells go timeline by timeline, so that few are needed at a time. */
static void plan_trials(struct fg_trials *trials)
{
    size_t lines = fg_stock_lines(trials->stock);
    trials->places = FG_NEW(&trials->arena, struct place, lines);
    for (size_t i = 0; i < lines; i++)
        pthread_mutex_init(&trials->places[i].lock, NULL);
    for (size_t c = 0; c < trials->cells.len; c++)
        for (size_t e = 0; e < trials->entrants.n; e++)
            for (size_t seed = 0; (trials->cells.at[c].wanted >> e & 1) &&
                                  seed < trials->entrants.seeds[e];
                 seed++) {
                fg_vec_push(&trials->trials,
                            (struct trial){(uint32_t)c, (uint32_t)e, (uint32_t)seed});
                trials->places[trials->cells.at[c].line].left++;
            }
    trials->is_done = FG_NEW(&trials->arena, bool, trials->trials.len);
}

/* --- the journal --- */

static uint64_t key_of(const struct fg_trials *trials)
{
    uint64_t facts[] = {trials->experiment->hash, fg_stock_stamp(trials->stock),
                        trials->options.seeds,    trials->options.sites,
                        trials->options.stamp,    trials->trials.len};
    return fg_str_hash((struct fg_str){(const char *)facts, sizeof facts});
}

static struct fg_digest *run_of(struct fg_trials *trials, const struct trial *trial)
{
    return &trials->cells.at[trial->cell]
                .runs[trials->entrants.slot[trial->entrant] + trial->seed];
}

static void mark_done(struct fg_trials *trials, size_t number)
{
    trials->is_done[number] = true;
    trials->done++;
    trials->places[trials->cells.at[trials->trials.at[number].cell].line].left--;
}

static void resume(void *context, struct fg_str what, size_t number, struct fg_str values)
{
    struct fg_trials *trials = context;
    struct fg_digest digest;
    if (!fg_str_eq(what, FG_STR("trial")) || number >= trials->trials.len ||
        trials->is_done[number])
        return;
    if (!fg_digest_read(&digest, values)) {
        fg_digest_clear(&digest);
        return;
    }
    *run_of(trials, &trials->trials.at[number]) = digest;
    mark_done(trials, number);
    trials->resumed++;
}

static enum fg_status take_up(struct fg_trials *trials, struct fg_err *err)
{
    const char *path = trials->options.journal;
    uint64_t key = key_of(trials);
    struct fg_journal_taker taker = {trials, resume};
    enum fg_status st = FG_OK;
    if (path && trials->options.resume)
        st = fg_journal_read(path, key, &taker, err);
    if (!st)
        st = fg_journal_open(&trials->journal, path, key, trials->resumed > 0, err);
    return st;
}

enum fg_status fg_trials_new(struct fg_trials **made,
                             const struct fg_experiment *experiment,
                             const struct fg_jobs_options *options, struct fg_err *err)
{
    struct fg_trials *trials = fg_zeroed(1, sizeof *trials);
    trials->experiment = experiment;
    trials->options = *options;
    trials->journal.fd = -1;
    trials->stock = fg_stock_new(options->data);
    enum fg_status st = fg_entrants_find(&trials->entrants, &trials->arena, experiment,
                                         FG_REFRESH, NULL, options->seeds, err);
    if (!st)
        st = plan_timelines(trials, err);
    if (!st) {
        plan_cells(trials);
        plan_trials(trials);
        st = take_up(trials, err);
    }
    *made = trials;
    if (st) {
        fg_trials_free(trials);
        *made = NULL;
    }
    return st;
}

void fg_trials_free(struct fg_trials *trials)
{
    if (!trials)
        return;
    for (size_t i = 0; trials->places && i < fg_stock_lines(trials->stock); i++) {
        fg_timeline_free(trials->places[i].timeline);
        pthread_mutex_destroy(&trials->places[i].lock);
    }
    for (size_t c = 0; c < trials->cells.len; c++)
        for (size_t i = 0; i < trials->entrants.slots; i++)
            fg_digest_clear(&trials->cells.at[c].runs[i]);
    fg_journal_close(&trials->journal);
    fg_stock_free(trials->stock);
    fg_vec_clear(&trials->cells);
    fg_vec_clear(&trials->trials);
    fg_arena_clear(&trials->arena);
    free(trials);
}

void fg_trials_finish(struct fg_trials *trials)
{
    fg_journal_close(&trials->journal);
    if (trials->options.journal)
        unlink(trials->options.journal);
}

/* --- working --- */

static enum fg_status enter(struct fg_trials *trials, size_t line,
                            const struct fg_timeline **timeline, struct fg_err *err)
{
    struct place *place = &trials->places[line];
    enum fg_status st = FG_OK;
    pthread_mutex_lock(&place->lock);
    if (!place->timeline)
        st = fg_stock_take(trials->stock, line, &place->timeline, err);
    *timeline = place->timeline;
    pthread_mutex_unlock(&place->lock);
    return st;
}

static enum fg_status note(struct fg_trials *trials, size_t number,
                           const struct fg_digest *digest, struct fg_err *err)
{
    struct fg_buf text;
    if (!trials->options.journal)
        return FG_OK;
    fg_buf_init(&text, NOTE_MOST);
    fg_digest_write(digest, &text);
    enum fg_status st =
        fg_journal_add(&trials->journal, "trial", number, fg_buf_str(&text), err);
    fg_buf_clear(&text);
    return st;
}

/* Runs of a generator differ in their timelines; the policy's luck differs as well. */
static enum fg_status work(void *context, size_t number, struct fg_err *err)
{
    enum { SEEDS_APART = 1000 };
    struct fg_trials *trials = context;
    const struct trial *trial = &trials->trials.at[number];
    const struct cell *cell = &trials->cells.at[trial->cell];
    const struct fg_entrant *entrant = &trials->entrants.at[trial->entrant];
    const struct fg_timeline *timeline;
    struct fg_refresh_rules rules = {.budget = cell->budget.value,
                                     .is_share = cell->budget.is_share,
                                     .seed = trial->seed + 1 + SEEDS_APART * cell->within,
                                     .knobs = entrant->knobs,
                                     .n_knobs = entrant->n_knobs};
    struct fg_refresh_outcome outcome;
    enum fg_status st = enter(trials, cell->line, &timeline, err);
    if (!st)
        st = fg_refresh_replay(&outcome, timeline,
                               trials->entrants.policies[trial->entrant], &rules, err);
    if (st)
        return st;
    struct fg_digest *digest = run_of(trials, trial);
    fg_digest_make(digest, &outcome, timeline);
    fg_refresh_outcome_clear(&outcome);
    return note(trials, number, digest, err);
}

static void leave(void *context, size_t number)
{
    struct fg_trials *trials = context;
    size_t line = trials->cells.at[trials->trials.at[number].cell].line;
    struct place *place = &trials->places[line];
    mark_done(trials, number);
    if (place->left)
        return;
    fg_timeline_free(place->timeline);
    place->timeline = NULL;
}

enum fg_status fg_trials_run(struct fg_trials *trials, struct fg_err *err)
{
    struct fg_crew crew = {.jobs = trials->trials.len,
                           .is_done = trials->is_done,
                           .threads = trials->options.threads,
                           .context = trials,
                           .work = work,
                           .leave = leave,
                           .progress = trials->options.progress,
                           .progress_context = trials->options.context};
    return fg_crew_run(&crew, err);
}

/* --- looking at it --- */

size_t fg_trials_total(const struct fg_trials *trials)
{
    return trials->trials.len;
}

size_t fg_trials_left(const struct fg_trials *trials)
{
    return trials->trials.len - trials->done;
}

size_t fg_trials_resumed(const struct fg_trials *trials)
{
    return trials->resumed;
}

const struct fg_stock *fg_trials_stock(const struct fg_trials *trials)
{
    return trials->stock;
}

const struct fg_experiment *fg_trials_experiment(const struct fg_trials *trials)
{
    return trials->experiment;
}

const struct fg_entrants *fg_trials_entrants(const struct fg_trials *trials)
{
    return &trials->entrants;
}

bool fg_trials_wants(const struct fg_trials *trials, size_t group, size_t entrant)
{
    const struct fg_workload *workload = fg_stock_group(trials->stock, group)->workload;
    return fg_entrants_wanted(&trials->entrants, workload) >> entrant & 1;
}

const struct fg_digest *fg_trials_at(const struct fg_trials *trials, size_t group,
                                     size_t line, size_t budget, size_t entrant,
                                     size_t seed)
{
    const struct fg_budget *budgets;
    size_t n = fg_trials_budgets(trials, group, &budgets);
    const struct cell *cell =
        &trials->cells.at[trials->first_cell[group] + line * n + budget];
    const struct fg_digest *run = &cell->runs[trials->entrants.slot[entrant] + seed];
    return seed < trials->entrants.seeds[entrant] && run->is_done ? run : NULL;
}
