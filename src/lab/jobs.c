#include "lab/jobs.h"

#include "base/memory.h"
#include "base/time.h"
#include "base/vec.h"
#include "lab/journal.h"
#include "lab/run.h"
#include "policy/mind.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { ENTRANTS_MOST = 64, THREADS_MOST = 256, BLINK_MS = 100 };

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
    struct fg_entrant *entrants;
    const struct fg_policy **policies; /* by entrant */
    size_t *seeds, *slot;              /* by entrant: how many, and where in cell.runs */
    size_t n_entrants, oracle, slots;
    FG_VEC(struct cell) cells;
    size_t **cell_of; /* by group: by site * budgets + budget */
    struct place *places;
    FG_VEC(struct job) jobs;
    bool *is_done; /* by job */
    size_t done, resumed;
    struct fg_journal journal;
    /* while running */
    pthread_mutex_t lock;
    pthread_cond_t ended;
    size_t next, threads_left, ran;
    bool stops;
    enum fg_status status;
    struct fg_err err;
};

/* --- planning --- */

static enum fg_status check_knobs(const struct fg_jobs *jobs, size_t i,
                                  struct fg_err *err)
{
    const struct fg_entrant *entrant = &jobs->entrants[i];
    struct fg_mind *mind = fg_mind_new(jobs->policies[i], 0);
    enum fg_status st = FG_OK;
    for (size_t k = 0; !st && k < entrant->n_knobs; k++)
        st = fg_mind_set(mind, fg_str_from(entrant->knobs[k].name),
                         entrant->knobs[k].value, err);
    fg_mind_free(mind);
    return st ? fg_err_within(err, FG_ECONFIG, "%s:%zu: %s", jobs->experiment->file,
                              entrant->line, entrant->label)
              : FG_OK;
}

static enum fg_status no_policy(const struct fg_jobs *jobs, size_t i, struct fg_err *err)
{
    struct fg_buf list;
    fg_buf_init(&list, 300);
    for (size_t p = 0; fg_policies[p]; p++)
        if (fg_policies[p]->tasks & FG_DISCOVERY)
            fg_buf_printf(&list, "%s%s", list.len ? ", " : "", fg_policies[p]->name);
    enum fg_status st =
        fg_fail(err, FG_ECONFIG, "%s:%zu: no policy '%s'; there are: %.*s%s",
                jobs->experiment->file, jobs->entrants[i].line, jobs->entrants[i].policy,
                FG_ARG(fg_buf_str(&list)), list.full ? " and more" : "");
    fg_buf_clear(&list);
    return st;
}

static size_t seeds_of(const struct fg_jobs *jobs, size_t i)
{
    if (jobs->policies[i]->is_steady)
        return 1;
    if (jobs->options.seeds)
        return jobs->options.seeds;
    size_t own = jobs->entrants[i].seeds;
    return own ? own : jobs->experiment->seeds;
}

static enum fg_status plan_entrants(struct fg_jobs *jobs, struct fg_err *err)
{
    const struct fg_experiment *e = jobs->experiment;
    size_t most = e->n_entrants + 1;
    if (most > ENTRANTS_MOST)
        return fg_fail(err, FG_ECONFIG, "%s: more than %d policies", e->file,
                       ENTRANTS_MOST - 1);
    jobs->entrants = FG_NEW(&jobs->arena, struct fg_entrant, most);
    jobs->policies = FG_NEW(&jobs->arena, const struct fg_policy *, most);
    jobs->seeds = FG_NEW(&jobs->arena, size_t, most);
    jobs->slot = FG_NEW(&jobs->arena, size_t, most);
    memcpy(jobs->entrants, e->entrants, e->n_entrants * sizeof *e->entrants);
    jobs->n_entrants = jobs->oracle = e->n_entrants;
    for (size_t i = 0; i < e->n_entrants; i++)
        if (strcmp(e->entrants[i].label, "oracle") == 0)
            jobs->oracle = i;
    if (jobs->oracle == e->n_entrants)
        jobs->entrants[jobs->n_entrants++] =
            (struct fg_entrant){.policy = "oracle", .label = "oracle"};
    for (size_t i = 0; i < jobs->n_entrants; i++) {
        jobs->policies[i] =
            fg_policy_find(fg_str_from(jobs->entrants[i].policy), FG_DISCOVERY);
        if (!jobs->policies[i])
            return no_policy(jobs, i, err);
        enum fg_status st = check_knobs(jobs, i, err);
        if (st)
            return st;
        jobs->seeds[i] = seeds_of(jobs, i);
        jobs->slot[i] = jobs->slots;
        jobs->slots += jobs->seeds[i];
    }
    return FG_OK;
}

static uint64_t wanted_by(const struct fg_jobs *jobs, const struct fg_workload *workload)
{
    uint64_t wanted = 0;
    for (size_t i = 0; i < jobs->n_entrants; i++) {
        bool is_named = i == jobs->oracle || !workload->n_policies;
        for (size_t j = 0; j < workload->n_policies; j++)
            is_named |= strcmp(workload->policies[j], jobs->entrants[i].label) == 0;
        wanted |= (uint64_t)is_named << i;
    }
    return wanted;
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
    cell->runs = FG_NEW(&jobs->arena, struct fg_run, jobs->slots);
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
            for (size_t e = 0; jobs->cells.at[c].site == s && e < jobs->n_entrants; e++)
                for (size_t seed = 0;
                     (jobs->cells.at[c].wanted >> e & 1) && seed < jobs->seeds[e];
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

static void resume_site(void *context, size_t site, size_t sources)
{
    struct fg_jobs *jobs = context;
    if (site < fg_supply_sites(jobs->supply) && sources && !jobs->places[site].sources)
        settle(jobs, site, sources);
}

static struct fg_run *run_of(struct fg_jobs *jobs, const struct job *job)
{
    return &jobs->cells.at[job->cell].runs[jobs->slot[job->entrant] + job->seed];
}

static void mark_done(struct fg_jobs *jobs, size_t number)
{
    jobs->is_done[number] = true;
    jobs->done++;
    jobs->places[jobs->cells.at[jobs->jobs.at[number].cell].site].left--;
}

static void resume_run(void *context, size_t number, const struct fg_run *run)
{
    struct fg_jobs *jobs = context;
    if (number >= jobs->jobs.len || jobs->is_done[number])
        return;
    *run_of(jobs, &jobs->jobs.at[number]) = *run;
    mark_done(jobs, number);
    jobs->resumed++;
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
    struct fg_journal_taker taker = {jobs, resume_site, resume_run};
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
    pthread_cond_init(&jobs->ended, NULL);
    enum fg_status st = plan_entrants(jobs, err);
    if (!st)
        st = plan_sites(jobs, err);
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
    pthread_cond_destroy(&jobs->ended);
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
        st = fg_journal_site(&jobs->journal, cell->site, place->sources, err);
    }
    if (!st && cell->same == job->cell)
        *site = place->site;
    pthread_mutex_unlock(&place->lock);
    return st;
}

static enum fg_status work_on(struct fg_jobs *jobs, size_t number, struct fg_err *err)
{
    const struct job *job = &jobs->jobs.at[number];
    const struct cell *cell = &jobs->cells.at[job->cell];
    const struct fg_entrant *entrant = &jobs->entrants[job->entrant];
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
    st = fg_replay(&outcome, site, jobs->policies[job->entrant], &rules, err);
    if (st)
        return st;
    struct fg_run *run = run_of(jobs, job);
    fg_run_sum_up(run, &outcome, cell->visits);
    fg_replay_outcome_clear(&outcome);
    return fg_journal_run(&jobs->journal, number, run, err);
}

/* Called with the lock held: the next job, or false. */
static bool next_job(struct fg_jobs *jobs, size_t *number)
{
    while (jobs->next < jobs->jobs.len && jobs->is_done[jobs->next])
        jobs->next++;
    if (jobs->stops || jobs->status || jobs->next == jobs->jobs.len)
        return false;
    *number = jobs->next++;
    return true;
}

/* Called with the lock held. */
static void leave(struct fg_jobs *jobs, size_t number)
{
    size_t site = jobs->cells.at[jobs->jobs.at[number].cell].site;
    struct place *place = &jobs->places[site];
    mark_done(jobs, number);
    jobs->ran++;
    if (place->left)
        return;
    fg_site_free(place->site);
    place->site = NULL;
    fg_supply_drop(jobs->supply, site);
}

static void *work(void *context)
{
    struct fg_jobs *jobs = context;
    size_t number = 0;
    pthread_mutex_lock(&jobs->lock);
    while (next_job(jobs, &number)) {
        pthread_mutex_unlock(&jobs->lock);
        struct fg_err err = {0};
        enum fg_status st = work_on(jobs, number, &err);
        pthread_mutex_lock(&jobs->lock);
        if (!st) {
            leave(jobs, number);
        } else if (!jobs->status) {
            jobs->status = st;
            jobs->err = err;
        }
    }
    jobs->threads_left--;
    pthread_cond_signal(&jobs->ended);
    pthread_mutex_unlock(&jobs->lock);
    return NULL;
}

static double seconds_left(const struct fg_jobs *jobs, fg_time began)
{
    double passed = fg_seconds(fg_time_monotonic() - began);
    size_t left = jobs->jobs.len - jobs->done;
    return jobs->ran ? passed / (double)jobs->ran * (double)left : -1;
}

/* Tells how far it is, until the threads have ended. Called with the lock held. */
static void watch(struct fg_jobs *jobs)
{
    fg_time began = fg_time_monotonic();
    while (jobs->threads_left) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += BLINK_MS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        pthread_cond_timedwait(&jobs->ended, &jobs->lock, &until);
        size_t done = jobs->done, total = jobs->jobs.len;
        double left = seconds_left(jobs, began);
        pthread_mutex_unlock(&jobs->lock);
        bool goes_on = !jobs->options.progress ||
                       jobs->options.progress(jobs->options.context, done, total, left);
        pthread_mutex_lock(&jobs->lock);
        jobs->stops |= !goes_on;
    }
}

enum fg_status fg_jobs_run(struct fg_jobs *jobs, struct fg_err *err)
{
    pthread_t threads[THREADS_MOST];
    size_t wanted = jobs->options.threads ? jobs->options.threads : 1, n = 0;
    wanted = wanted > THREADS_MOST ? THREADS_MOST : wanted;
    for (size_t s = 0; s < fg_supply_sites(jobs->supply); s++)
        if (!jobs->places[s].left)
            fg_supply_drop(jobs->supply, s);
    pthread_mutex_lock(&jobs->lock);
    jobs->next = 0;
    jobs->stops = false;
    while (n < wanted && pthread_create(&threads[n], NULL, work, jobs) == 0)
        n++;
    jobs->threads_left = n;
    if (!n)
        jobs->status = fg_fail(&jobs->err, FG_EIO, "cannot start a thread");
    watch(jobs);
    pthread_mutex_unlock(&jobs->lock);
    for (size_t i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    return jobs->status ? fg_fail(err, jobs->status, "%s", jobs->err.text) : FG_OK;
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
    return jobs->n_entrants;
}

const struct fg_entrant *fg_jobs_entrant(const struct fg_jobs *jobs, size_t i)
{
    return &jobs->entrants[i];
}

size_t fg_jobs_oracle(const struct fg_jobs *jobs)
{
    return jobs->oracle;
}

size_t fg_jobs_seeds(const struct fg_jobs *jobs, size_t entrant)
{
    return jobs->seeds[entrant];
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
        &jobs->cells.at[cell->same].runs[jobs->slot[entrant] + seed];
    return seed < jobs->seeds[entrant] && run->is_done ? run : NULL;
}
