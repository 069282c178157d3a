#include "lab/jobs.h"

#include "base/memory.h"
#include "base/vec.h"
#include "lab/crew.h"
#include "lab/entrants.h"
#include "lab/journal.h"
#include "lab/run.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

/* A site with one budget: what each entrant is to do there. */
struct cell {
    size_t site;
    struct fg_budget budget;
    bool focused;
    uint64_t wanted; /* entrants, a bit each */
    size_t visits;   /* a step; 0 until the sources are counted */
    size_t same;     /* the cell whose runs stand for this one's, usually itself */
    struct fg_run *runs;
};

/* A site as the jobs see it. */
struct place {
    pthread_mutex_t lock;
    struct fg_site *site;
    size_t sources; /* 0: not known yet */
    size_t left;    /* jobs not done */
};

struct job {
    uint32_t cell, entrant, seed;
};

struct fg_jobs {
    struct fg_arena arena;
    const struct fg_experiment *experiment;
    struct fg_jobs_options options;
    struct fg_supply *supply;
    struct fg_entrants entrants; /* their slots are places in cell.runs */
    size_t oracle;
    FG_VEC(struct cell) cells;
    size_t **cell_of; /* by group: by site * budgets + budget */
    struct place *places;
    FG_VEC(struct job) jobs;
    bool *is_done; /* by job */
    size_t done, resumed;
    struct fg_journal journal;
    pthread_mutex_t lock; /* of `cells`, while running */
};

/* --- planning --- */

/* The oracle is told everywhere. */
static uint64_t wanted_by(const struct fg_jobs *jobs, const struct fg_workload *workload)
{
    return fg_entrants_wanted(&jobs->entrants, workload) | UINT64_C(1) << jobs->oracle;
}

static size_t cell_for(struct fg_jobs *jobs, const struct cell *wanted)
{
    for (size_t i = 0; i < jobs->cells.len; i++) {
        struct cell *cell = &jobs->cells.at[i];
        if (cell->site == wanted->site && cell->focused == wanted->focused &&
            strcmp(cell->budget.text, wanted->budget.text) == 0) {
            cell->wanted |= wanted->wanted;
            return i;
        }
    }
    fg_vec_push(&jobs->cells, *wanted);
    struct cell *cell = &jobs->cells.at[jobs->cells.len - 1];
    cell->same = jobs->cells.len - 1;
    cell->runs = FG_NEW(&jobs->arena, struct fg_run, jobs->entrants.slots);
    return cell->same;
}

size_t fg_jobs_budgets(const struct fg_jobs *jobs, size_t group,
                       const struct fg_budget **budgets)
{
    const struct fg_workload *workload = fg_supply_group(jobs->supply, group)->workload;
    *budgets = workload->n_budgets ? workload->budgets : jobs->experiment->budgets;
    return workload->n_budgets ? workload->n_budgets : jobs->experiment->n_budgets;
}

static void plan_cells(struct fg_jobs *jobs)
{
    size_t groups = fg_supply_groups(jobs->supply);
    jobs->cell_of = FG_NEW(&jobs->arena, size_t *, groups);
    for (size_t g = 0; g < groups; g++) {
        const struct fg_group *group = fg_supply_group(jobs->supply, g);
        const struct fg_budget *budgets;
        size_t n = fg_jobs_budgets(jobs, g, &budgets);
        jobs->cell_of[g] = FG_NEW(&jobs->arena, size_t, n * group->n);
        for (size_t s = 0; s < group->n; s++)
            for (size_t b = 0; b < n; b++)
                jobs->cell_of[g][s * n + b] = cell_for(
                    jobs, &(struct cell){.site = group->sites[s],
                                         .budget = budgets[b],
                                         .focused = group->workload->focused,
                                         .wanted = wanted_by(jobs, group->workload)});
    }
}

/* Site by site, so that few sites are needed at a time. */
static void plan_jobs(struct fg_jobs *jobs)
{
    size_t sites = fg_supply_sites(jobs->supply);
    jobs->places = FG_NEW(&jobs->arena, struct place, sites);
    for (size_t s = 0; s < sites; s++) {
        pthread_mutex_init(&jobs->places[s].lock, NULL);
        for (size_t c = 0; c < jobs->cells.len; c++)
            for (size_t e = 0; jobs->cells.at[c].site == s && e < jobs->entrants.n; e++)
                for (size_t seed = 0; (jobs->cells.at[c].wanted >> e & 1) &&
                                      seed < jobs->entrants.seeds[e];
                     seed++) {
                    fg_vec_push(&jobs->jobs,
                                (struct job){(uint32_t)c, (uint32_t)e, (uint32_t)seed});
                    jobs->places[s].left++;
                }
    }
    jobs->is_done = FG_NEW(&jobs->arena, bool, jobs->jobs.len);
}

static enum fg_status plan_sites(struct fg_jobs *jobs, struct fg_err *err)
{
    const struct fg_experiment *e = jobs->experiment;
    for (size_t i = 0; i < e->n_workloads; i++) {
        enum fg_status st =
            fg_supply_add(jobs->supply, &e->workloads[i], jobs->options.sites, err);
        if (st)
            return fg_err_within(err, st, "%s:%zu", e->file, e->workloads[i].line);
    }
    if (!fg_supply_sites(jobs->supply))
        return fg_fail(err, FG_ENOTFOUND,
                       "%s: none of its recordings is here; FORAGE_DATA names the folder "
                       "they are in",
                       e->file);
    return FG_OK;
}

/* --- the journal --- */

static uint64_t key_of(const struct fg_jobs *jobs)
{
    uint64_t facts[] = {jobs->experiment->hash, fg_supply_stamp(jobs->supply),
                        jobs->options.seeds,    jobs->options.sites,
                        jobs->options.stamp,    jobs->jobs.len};
    return fg_str_hash((struct fg_str){(const char *)facts, sizeof facts});
}

/* With the sources known, each cell's visits follow, and which cells are the same. */
static void settle(struct fg_jobs *jobs, size_t site, size_t sources)
{
    jobs->places[site].sources = sources;
    for (size_t c = 0; c < jobs->cells.len; c++) {
        struct cell *cell = &jobs->cells.at[c];
        if (cell->site != site)
            continue;
        cell->visits = fg_budget_visits(&cell->budget, sources);
        for (size_t before = 0; before < c && cell->same == c; before++) {
            const struct cell *other = &jobs->cells.at[before];
            if (other->site == site && other->visits == cell->visits &&
                other->focused == cell->focused && other->same == before &&
                !(cell->wanted & ~other->wanted))
                cell->same = before;
        }
    }
}

static struct fg_run *run_of(struct fg_jobs *jobs, const struct job *job)
{
    return &jobs->cells.at[job->cell].runs[jobs->entrants.slot[job->entrant] + job->seed];
}

static void mark_done(struct fg_jobs *jobs, size_t number)
{
    jobs->is_done[number] = true;
    jobs->done++;
    jobs->places[jobs->cells.at[jobs->jobs.at[number].cell].site].left--;
}

static void resume_site(struct fg_jobs *jobs, size_t site, struct fg_str values)
{
    uint64_t sources;
    if (fg_journal_u64(&values, &sources) && sources && !values.len &&
        site < fg_supply_sites(jobs->supply) && !jobs->places[site].sources)
        settle(jobs, site, (size_t)sources);
}

static void resume_run(struct fg_jobs *jobs, size_t number, struct fg_str values)
{
    struct fg_run run;
    if (number >= jobs->jobs.len || jobs->is_done[number] || !fg_run_read(&run, values))
        return;
    *run_of(jobs, &jobs->jobs.at[number]) = run;
    mark_done(jobs, number);
    jobs->resumed++;
}

static void resume(void *context, struct fg_str what, size_t number, struct fg_str values)
{
    if (fg_str_eq(what, FG_STR("site")))
        resume_site(context, number, values);
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

static enum fg_status take_up(struct fg_jobs *jobs, struct fg_err *err)
{
    const char *path = jobs->options.journal;
    uint64_t key = key_of(jobs);
    struct fg_journal_taker taker = {jobs, resume};
    enum fg_status st = FG_OK;
    if (path && jobs->options.resume)
        st = fg_journal_read(path, key, &taker, err);
    if (jobs->resumed)
        skip_doubles(jobs);
    if (!st)
        st = fg_journal_open(&jobs->journal, path, key, jobs->resumed > 0, err);
    return st;
}

enum fg_status fg_jobs_new(struct fg_jobs **made, const struct fg_experiment *experiment,
                           const struct fg_jobs_options *options, struct fg_err *err)
{
    struct fg_jobs *jobs = fg_zeroed(1, sizeof *jobs);
    jobs->experiment = experiment;
    jobs->options = *options;
    jobs->journal.fd = -1;
    jobs->supply = fg_supply_new(options->data);
    pthread_mutex_init(&jobs->lock, NULL);
    enum fg_status st = fg_entrants_find(&jobs->entrants, &jobs->arena, experiment,
                                         FG_DISCOVERY, "oracle", options->seeds, err);
    if (!st) {
        jobs->oracle = fg_entrants_named(&jobs->entrants, "oracle");
        st = plan_sites(jobs, err);
    }
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
    for (size_t s = 0; jobs->places && s < fg_supply_sites(jobs->supply); s++) {
        fg_site_free(jobs->places[s].site);
        pthread_mutex_destroy(&jobs->places[s].lock);
    }
    fg_journal_close(&jobs->journal);
    fg_supply_free(jobs->supply);
    fg_vec_clear(&jobs->cells);
    fg_vec_clear(&jobs->jobs);
    pthread_mutex_destroy(&jobs->lock);
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

enum { NOTE_MOST = 1 << 14 };

static enum fg_status note_site(struct fg_jobs *jobs, size_t site, struct fg_err *err)
{
    struct fg_buf text;
    fg_buf_init(&text, NOTE_MOST);
    fg_buf_printf(&text, " %zu", jobs->places[site].sources);
    enum fg_status st =
        fg_journal_add(&jobs->journal, "site", site, fg_buf_str(&text), err);
    fg_buf_clear(&text);
    return st;
}

static enum fg_status note_run(struct fg_jobs *jobs, size_t number,
                               const struct fg_run *run, struct fg_err *err)
{
    struct fg_buf text;
    fg_buf_init(&text, NOTE_MOST);
    fg_run_write(run, &text);
    enum fg_status st =
        fg_journal_add(&jobs->journal, "run", number, fg_buf_str(&text), err);
    fg_buf_clear(&text);
    return st;
}

/* The site of a job, or NULL if the job turns out to have nothing to do. */
static enum fg_status enter(struct fg_jobs *jobs, const struct job *job,
                            const struct fg_site **site, struct fg_err *err)
{
    struct cell *cell = &jobs->cells.at[job->cell];
    struct place *place = &jobs->places[cell->site];
    enum fg_status st = FG_OK;
    *site = NULL;
    pthread_mutex_lock(&place->lock);
    if (!place->site && (!place->sources || cell->same == job->cell))
        st = fg_supply_take(jobs->supply, cell->site, &place->site, err);
    if (!st && !place->sources) {
        pthread_mutex_lock(&jobs->lock); /* cells are looked at by all */
        settle(jobs, cell->site, place->site->facts.sources);
        pthread_mutex_unlock(&jobs->lock);
        st = note_site(jobs, cell->site, err);
    }
    if (!st && cell->same == job->cell)
        *site = place->site;
    pthread_mutex_unlock(&place->lock);
    return st;
}

static enum fg_status work_on(void *context, size_t number, struct fg_err *err)
{
    struct fg_jobs *jobs = context;
    const struct job *job = &jobs->jobs.at[number];
    const struct cell *cell = &jobs->cells.at[job->cell];
    const struct fg_entrant *entrant = &jobs->entrants.at[job->entrant];
    const struct fg_site *site;
    enum fg_status st = enter(jobs, job, &site, err);
    if (st || !site)
        return st;
    struct fg_replay_rules rules = {.budget = cell->visits,
                                    .seed = job->seed + 1,
                                    .warm_up = jobs->experiment->warm_up,
                                    .focused = cell->focused,
                                    .knobs = entrant->knobs,
                                    .n_knobs = entrant->n_knobs};
    struct fg_replay_outcome outcome;
    st = fg_replay(&outcome, site, jobs->entrants.policies[job->entrant], &rules, err);
    if (st)
        return st;
    struct fg_run *run = run_of(jobs, job);
    fg_run_sum_up(run, &outcome, cell->visits);
    fg_replay_outcome_clear(&outcome);
    return note_run(jobs, number, run, err);
}

static void leave(void *context, size_t number)
{
    struct fg_jobs *jobs = context;
    size_t site = jobs->cells.at[jobs->jobs.at[number].cell].site;
    struct place *place = &jobs->places[site];
    mark_done(jobs, number);
    if (place->left)
        return;
    fg_site_free(place->site);
    place->site = NULL;
    fg_supply_drop(jobs->supply, site);
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
    for (size_t s = 0; s < fg_supply_sites(jobs->supply); s++)
        if (!jobs->places[s].left)
            fg_supply_drop(jobs->supply, s);
    return fg_crew_run(&crew, err);
}

/* --- looking at it --- */

size_t fg_jobs_total(const struct fg_jobs *jobs)
{
    return jobs->jobs.len;
}

size_t fg_jobs_left(const struct fg_jobs *jobs)
{
    return jobs->jobs.len - jobs->done;
}

size_t fg_jobs_resumed(const struct fg_jobs *jobs)
{
    return jobs->resumed;
}

const struct fg_supply *fg_jobs_supply(const struct fg_jobs *jobs)
{
    return jobs->supply;
}

const struct fg_experiment *fg_jobs_experiment(const struct fg_jobs *jobs)
{
    return jobs->experiment;
}

size_t fg_jobs_entrants(const struct fg_jobs *jobs)
{
    return jobs->entrants.n;
}

const struct fg_entrant *fg_jobs_entrant(const struct fg_jobs *jobs, size_t i)
{
    return &jobs->entrants.at[i];
}

size_t fg_jobs_oracle(const struct fg_jobs *jobs)
{
    return jobs->oracle;
}

size_t fg_jobs_seeds(const struct fg_jobs *jobs, size_t entrant)
{
    return jobs->entrants.seeds[entrant];
}

bool fg_jobs_wants(const struct fg_jobs *jobs, size_t group, size_t entrant)
{
    return wanted_by(jobs, fg_supply_group(jobs->supply, group)->workload) >> entrant & 1;
}

const struct fg_run *fg_jobs_at(const struct fg_jobs *jobs, size_t group, size_t site,
                                size_t budget, size_t entrant, size_t seed)
{
    const struct fg_budget *budgets;
    size_t n = fg_jobs_budgets(jobs, group, &budgets);
    const struct cell *cell = &jobs->cells.at[jobs->cell_of[group][site * n + budget]];
    const struct fg_run *run =
        &jobs->cells.at[cell->same].runs[jobs->entrants.slot[entrant] + seed];
    return seed < jobs->entrants.seeds[entrant] && run->is_done ? run : NULL;
}
