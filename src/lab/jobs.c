#include "lab/jobs.h"

#include "base/memory.h"
#include "lab/crew.h"
#include "lab/experiment_kind.h"
#include "lab/journal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NOTE_MOST = 1 << 18 };

/* An item with one budget: what each entrant is to do there. */
struct cell {
    size_t item;
    struct fg_budget budget;
    bool focused;
    size_t seeds;    /* at most, of each; 0: as many as they have */
    uint64_t wanted; /* entrants, a bit each */
    size_t visits;   /* a step; 0 until the size of the item is known */
    size_t same;     /* the cell whose runs stand for this one's, usually itself */
    char *runs;      /* by slot of the entrants */
    bool *has;       /* likewise: there is a run */
};

/* An item as the jobs see it. */
struct place {
    pthread_mutex_t lock;
    void *item;
    size_t size; /* 0: not known yet */
    size_t left; /* jobs not done */
};

struct job {
    uint32_t cell, entrant, seed;
};

struct fg_jobs {
    struct fg_arena arena;
    const struct fg_experiment *experiment;
    const struct fg_experiment_kind *kind;
    struct fg_jobs_options options;
    struct fg_supply supply;
    struct fg_entrants entrants; /* their slots are places in cell.runs */
    FG_VEC(struct cell) cells;
    size_t **cell_of; /* by group: by item * budgets + budget */
    struct place *places;
    FG_VEC(struct job) jobs;
    bool *is_done; /* by job */
    size_t done, resumed, elsewhere;
    bool is_refused;
    struct fg_journal journal;
};

/* --- planning --- */

static enum fg_status plan_items(struct fg_jobs *jobs, struct fg_err *err)
{
    const struct fg_experiment *e = jobs->experiment;
    for (size_t i = 0; i < e->n_workloads; i++) {
        enum fg_status st =
            jobs->kind->add(&jobs->supply, &e->workloads[i], jobs->options.sites, err);
        if (st)
            return fg_err_within(err, st, "%s:%zu", e->read.file, e->workloads[i].line);
    }
    if (!jobs->supply.items.len)
        return fg_fail(err, FG_ENOTFOUND,
                       "%s: none of its %s is here; FORAGE_DATA names the folder they "
                       "are in",
                       e->read.file, jobs->kind->records);
    return FG_OK;
}

/* The reference is run everywhere. */
static uint64_t wanted_by(const struct fg_jobs *jobs, size_t group)
{
    uint64_t wanted =
        fg_entrants_wanted(&jobs->entrants, jobs->supply.groups.at[group].workload);
    if (jobs->kind->reference)
        wanted |=
            UINT64_C(1) << fg_entrants_named(&jobs->entrants, jobs->kind->reference);
    return wanted;
}

static size_t cell_for(struct fg_jobs *jobs, const struct cell *wanted)
{
    for (size_t i = 0; i < jobs->cells.len; i++) {
        struct cell *cell = &jobs->cells.at[i];
        if (cell->item == wanted->item && cell->focused == wanted->focused &&
            cell->seeds == wanted->seeds &&
            strcmp(cell->budget.text, wanted->budget.text) == 0) {
            cell->wanted |= wanted->wanted;
            return i;
        }
    }
    struct cell cell = *wanted;
    for (size_t e = 0; jobs->kind->wants && e < jobs->entrants.n; e++)
        if (!jobs->kind->wants(&cell.budget, e))
            cell.wanted &= ~(UINT64_C(1) << e);
    cell.same = jobs->cells.len;
    cell.runs =
        fg_arena_array(&jobs->arena, jobs->kind->runs.bytes, jobs->entrants.slots);
    cell.has = FG_NEW(&jobs->arena, bool, jobs->entrants.slots);
    fg_vec_push_in(&jobs->arena, &jobs->cells, cell);
    return cell.same;
}

size_t fg_jobs_budgets(const struct fg_jobs *jobs, size_t group,
                       const struct fg_budget **budgets)
{
    const struct fg_workload *workload = jobs->supply.groups.at[group].workload;
    *budgets = workload->n_budgets ? workload->budgets : jobs->experiment->budgets;
    return workload->n_budgets ? workload->n_budgets : jobs->experiment->n_budgets;
}

static void plan_cells(struct fg_jobs *jobs)
{
    jobs->cell_of = FG_NEW(&jobs->arena, size_t *, jobs->supply.groups.len);
    for (size_t g = 0; g < jobs->supply.groups.len; g++) {
        const struct fg_group *group = &jobs->supply.groups.at[g];
        const struct fg_budget *budgets;
        size_t n = fg_jobs_budgets(jobs, g, &budgets);
        jobs->cell_of[g] = FG_NEW(&jobs->arena, size_t, n * group->n);
        for (size_t i = 0; i < n * group->n; i++)
            jobs->cell_of[g][i] =
                cell_for(jobs, &(struct cell){.item = group->items[i / n],
                                              .budget = budgets[i % n],
                                              .focused = group->workload->focused,
                                              .seeds = group->workload->seeds,
                                              .wanted = wanted_by(jobs, g)});
    }
}

static void plan_cell(struct fg_jobs *jobs, size_t c)
{
    const struct cell *cell = &jobs->cells.at[c];
    for (uint32_t e = 0; e < jobs->entrants.n; e++)
        for (uint32_t seed = 0;
             (cell->wanted >> e & 1) && seed < jobs->entrants.seeds[e] &&
             (!cell->seeds || seed < cell->seeds);
             seed++) {
            fg_vec_push_in(&jobs->arena, &jobs->jobs, (struct job){(uint32_t)c, e, seed});
            jobs->places[cell->item].left++;
        }
}

/* Item by item, so that few are needed at a time. */
static void plan_jobs(struct fg_jobs *jobs)
{
    size_t items = jobs->supply.items.len;
    jobs->places = FG_NEW(&jobs->arena, struct place, items);
    for (size_t i = 0; i < items; i++) {
        pthread_mutex_init(&jobs->places[i].lock, NULL);
        for (size_t c = 0; c < jobs->cells.len; c++)
            if (jobs->cells.at[c].item == i)
                plan_cell(jobs, c);
    }
    jobs->is_done = FG_NEW(&jobs->arena, bool, jobs->jobs.len);
}

/* --- the journal --- */

static uint64_t key_of(const struct fg_jobs *jobs)
{
    uint64_t facts[] = {jobs->experiment->read.hash, fg_supply_stamp(&jobs->supply),
                        jobs->options.seeds,         jobs->options.sites,
                        jobs->options.stamp,         jobs->jobs.len};
    return fg_str_hash((struct fg_str){(const char *)facts, sizeof facts});
}

/* With the size known, each cell's visits follow, and which cells are the same. Called
 * with the item's lock held: nobody else looks at its cells. */
static void settle(struct fg_jobs *jobs, size_t item, size_t size)
{
    jobs->places[item].size = size;
    for (size_t c = 0; c < jobs->cells.len; c++) {
        struct cell *cell = &jobs->cells.at[c];
        if (cell->item != item)
            continue;
        cell->visits = fg_budget_visits(&cell->budget, size);
        for (size_t before = 0; before < c && cell->same == c; before++) {
            const struct cell *other = &jobs->cells.at[before];
            if (other->item == item && other->visits == cell->visits &&
                other->focused == cell->focused && other->same == before &&
                !(cell->wanted & ~other->wanted))
                cell->same = before;
        }
    }
}

static size_t slot_of(const struct fg_jobs *jobs, const struct job *job)
{
    return jobs->entrants.slot[job->entrant] + job->seed;
}

static void *run_of(const struct fg_jobs *jobs, const struct cell *cell, size_t slot)
{
    return cell->runs + slot * jobs->kind->runs.bytes;
}

static void mark_done(struct fg_jobs *jobs, size_t number)
{
    jobs->is_done[number] = true;
    jobs->done++;
    jobs->places[jobs->cells.at[jobs->jobs.at[number].cell].item].left--;
}

static void resume_size(struct fg_jobs *jobs, size_t item, struct fg_str values)
{
    uint64_t size;
    if (fg_journal_u64(&values, &size) && size && !values.len &&
        item < jobs->supply.items.len && !jobs->places[item].size)
        settle(jobs, item, (size_t)size);
}

static bool read_run(const struct fg_jobs *jobs, void *run, struct fg_str text)
{
    if (jobs->kind->runs.read)
        return jobs->kind->runs.read(run, text);
    return fg_journal_take(&text, run, jobs->kind->runs.bytes) && !text.len;
}

static void resume_run(struct fg_jobs *jobs, size_t number, struct fg_str values)
{
    if (number >= jobs->jobs.len || jobs->is_done[number])
        return;
    const struct job *job = &jobs->jobs.at[number];
    const struct cell *cell = &jobs->cells.at[job->cell];
    void *run = run_of(jobs, cell, slot_of(jobs, job));
    if (!read_run(jobs, run, values)) {
        if (jobs->kind->runs.clear)
            jobs->kind->runs.clear(run);
        return;
    }
    cell->has[slot_of(jobs, job)] = true;
    mark_done(jobs, number);
    jobs->resumed++;
}

static void resume(void *context, struct fg_str what, size_t number, struct fg_str values)
{
    if (fg_str_eq(what, FG_STR("size")))
        resume_size(context, number, values);
    else if (fg_str_eq(what, FG_STR("run")))
        resume_run(context, number, values);
}

/* A job whose cell is the same as another has nothing to do. */
static void skip_doubles(struct fg_jobs *jobs)
{
    for (size_t i = 0; i < jobs->jobs.len; i++)
        if (!jobs->is_done[i] &&
            jobs->cells.at[jobs->jobs.at[i].cell].same != jobs->jobs.at[i].cell) {
            mark_done(jobs, i);
            jobs->resumed++;
        }
}

/* Blocks of jobs in a row, so that an item is made for few parts. */
static void leave_to_others(struct fg_jobs *jobs)
{
    size_t n = jobs->jobs.len, parts = jobs->options.parts;
    size_t first = parts ? n * (jobs->options.part - 1) / parts : 0;
    size_t end = parts ? n * jobs->options.part / parts : n;
    for (size_t i = 0; i < n; i++)
        if ((i < first || i >= end) && !jobs->is_done[i]) {
            mark_done(jobs, i);
            jobs->elsewhere++;
        }
}

static enum fg_status take_up(struct fg_jobs *jobs, struct fg_err *err)
{
    const char *path = jobs->options.journal;
    uint64_t key = key_of(jobs);
    struct fg_journal_taker taker = {jobs, resume};
    struct stat is;
    enum fg_status st = FG_OK;
    if (path && jobs->options.resume) {
        st = fg_journal_read(path, key, &taker, err);
        jobs->is_refused = !jobs->resumed && stat(path, &is) == 0 && is.st_size > 0;
    }
    if (jobs->resumed)
        skip_doubles(jobs);
    if (!st)
        st = fg_journal_open(&jobs->journal, path, key, jobs->resumed > 0, err);
    leave_to_others(jobs);
    return st;
}

enum fg_status fg_jobs_new(struct fg_jobs **made, const struct fg_experiment *experiment,
                           const struct fg_jobs_options *options, struct fg_err *err)
{
    struct fg_jobs *jobs = fg_zeroed(1, sizeof *jobs);
    const struct fg_experiment_kind *kind = experiment->kind;
    jobs->experiment = experiment;
    jobs->kind = kind;
    jobs->options = *options;
    jobs->journal.fd = -1;
    fg_supply_init(&jobs->supply, options->data);
    enum fg_status st =
        fg_entrants_find(&jobs->entrants, &jobs->arena, experiment, kind->task,
                         kind->reference, kind->complete ? 0 : options->seeds, err);
    if (!st)
        st = plan_items(jobs, err);
    if (!st) {
        plan_cells(jobs);
        plan_jobs(jobs);
        st = take_up(jobs, err);
    }
    *made = jobs;
    if (st) {
        fg_jobs_free(jobs);
        *made = NULL;
    }
    return st;
}

void fg_jobs_free(struct fg_jobs *jobs)
{
    if (!jobs)
        return;
    for (size_t i = 0; jobs->places && i < jobs->supply.items.len; i++) {
        if (jobs->places[i].item)
            jobs->kind->free_item(jobs->places[i].item);
        pthread_mutex_destroy(&jobs->places[i].lock);
    }
    for (size_t c = 0; jobs->kind->runs.clear && c < jobs->cells.len; c++)
        for (size_t slot = 0; slot < jobs->entrants.slots; slot++)
            jobs->kind->runs.clear(run_of(jobs, &jobs->cells.at[c], slot));
    fg_journal_close(&jobs->journal);
    fg_supply_clear(&jobs->supply);
    fg_arena_clear(&jobs->arena);
    free(jobs);
}

void fg_jobs_finish(struct fg_jobs *jobs)
{
    fg_journal_close(&jobs->journal);
    if (jobs->options.journal)
        unlink(jobs->options.journal);
}

/* --- working --- */

static enum fg_status note_size(struct fg_jobs *jobs, size_t item, struct fg_err *err)
{
    char text[32];
    int n = snprintf(text, sizeof text, " %zu", jobs->places[item].size);
    return fg_journal_add(&jobs->journal, "size", item, (struct fg_str){text, (size_t)n},
                          err);
}

static enum fg_status note_run(struct fg_jobs *jobs, size_t number, const void *run,
                               struct fg_err *err)
{
    struct fg_buf text;
    if (!jobs->options.journal)
        return FG_OK;
    fg_buf_init(&text, NOTE_MOST);
    if (jobs->kind->runs.write)
        jobs->kind->runs.write(run, &text);
    else
        fg_journal_put(&text, run, jobs->kind->runs.bytes);
    enum fg_status st =
        fg_journal_add(&jobs->journal, "run", number, fg_buf_str(&text), err);
    fg_buf_clear(&text);
    return st;
}

/* The item of a job, or NULL if the job turns out to have nothing to do. */
static enum fg_status enter(struct fg_jobs *jobs, const struct job *job,
                            const void **item, struct fg_err *err)
{
    const struct cell *cell = &jobs->cells.at[job->cell];
    struct place *place = &jobs->places[cell->item];
    enum fg_status st = FG_OK;
    *item = NULL;
    pthread_mutex_lock(&place->lock);
    bool is_sized = place->size || !jobs->kind->size;
    if (!place->item && (!is_sized || cell->same == job->cell))
        st = fg_supply_take(&jobs->supply, cell->item, &place->item, err);
    if (!st && !is_sized) {
        settle(jobs, cell->item, jobs->kind->size(place->item));
        st = note_size(jobs, cell->item, err);
    }
    if (!st && cell->same == job->cell)
        *item = place->item;
    pthread_mutex_unlock(&place->lock);
    return st;
}

static enum fg_status work_on(void *context, size_t number, struct fg_err *err)
{
    struct fg_jobs *jobs = context;
    const struct job *job = &jobs->jobs.at[number];
    const struct cell *cell = &jobs->cells.at[job->cell];
    const void *item;
    enum fg_status st = enter(jobs, job, &item, err);
    if (st || !item)
        return st;
    struct fg_job given = {.item = item,
                           .experiment = jobs->experiment,
                           .entrant = &jobs->entrants.at[job->entrant],
                           .policy = jobs->entrants.policies[job->entrant],
                           .budget = &cell->budget,
                           .visits = cell->visits,
                           .seed = job->seed + 1 + jobs->supply.items.at[cell->item].luck,
                           .focused = cell->focused};
    size_t slot = slot_of(jobs, job);
    st = jobs->kind->runs.run(run_of(jobs, cell, slot), &given, err);
    if (st)
        return st;
    cell->has[slot] = true;
    return note_run(jobs, number, run_of(jobs, cell, slot), err);
}

static void leave(void *context, size_t number)
{
    struct fg_jobs *jobs = context;
    size_t item = jobs->cells.at[jobs->jobs.at[number].cell].item;
    struct place *place = &jobs->places[item];
    mark_done(jobs, number);
    if (place->left)
        return;
    if (place->item)
        jobs->kind->free_item(place->item);
    place->item = NULL;
    fg_supply_drop(&jobs->supply, item);
}

enum fg_status fg_jobs_run(struct fg_jobs *jobs, struct fg_err *err)
{
    struct fg_crew crew = {.jobs = jobs->jobs.len,
                           .is_done = jobs->is_done,
                           .threads = jobs->options.threads,
                           .context = jobs,
                           .work = work_on,
                           .leave = leave,
                           .progress = jobs->options.progress,
                           .progress_context = jobs->options.context};
    for (size_t i = 0; i < jobs->supply.items.len; i++)
        if (!jobs->places[i].left)
            fg_supply_drop(&jobs->supply, i);
    return fg_crew_run(&crew, err);
}

/* --- looking at it --- */

struct fg_jobs_count fg_jobs_count(const struct fg_jobs *jobs)
{
    return (struct fg_jobs_count){.total = jobs->jobs.len,
                                  .left = jobs->jobs.len - jobs->done,
                                  .resumed = jobs->resumed,
                                  .elsewhere = jobs->elsewhere,
                                  .is_refused = jobs->is_refused};
}

const struct fg_experiment *fg_jobs_experiment(const struct fg_jobs *jobs)
{
    return jobs->experiment;
}

const struct fg_supply *fg_jobs_supply(const struct fg_jobs *jobs)
{
    return &jobs->supply;
}

const struct fg_entrants *fg_jobs_entrants(const struct fg_jobs *jobs)
{
    return &jobs->entrants;
}

bool fg_jobs_wants(const struct fg_jobs *jobs, size_t group, size_t entrant)
{
    return wanted_by(jobs, group) >> entrant & 1;
}

const void *fg_jobs_at(const struct fg_jobs *jobs, size_t group, size_t item,
                       size_t budget, size_t entrant, size_t seed)
{
    const struct fg_budget *budgets;
    size_t n = fg_jobs_budgets(jobs, group, &budgets);
    size_t slot = jobs->entrants.slot[entrant] + seed;
    const struct cell *cell = &jobs->cells.at[jobs->cell_of[group][item * n + budget]];
    cell = &jobs->cells.at[cell->same];
    return seed < jobs->entrants.seeds[entrant] && cell->has[slot]
               ? run_of(jobs, cell, slot)
               : NULL;
}
