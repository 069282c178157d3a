/* learning.c - how the policies choose, and whether what they expect comes true
 *
 * From the visits of a week or so: how many were made to learn, and what the sources
 * that were looked at were expected to show against what they showed. And from what the
 * crawl has noted (crawl/arms.h): the chances of the arms of a policy that has some. */
#include "crawl/arms.h"
#include "crawl/budget.h"
#include "view/view.h"

#include <math.h>
#include <stdlib.h>

enum { STEPS = 56, BINS = 10 };

struct step {
    fg_time from;
    uint64_t looks, looks_to_learn, found, visits, visits_to_learn, changed;
    double expected;
};

struct bin {
    uint64_t looks;
    double least, expected, found; /* least score; means */
};

struct look_made {
    float score;
    uint32_t found;
};

struct arm {
    fg_time time;
    const char *task, *name;
    double chance;
};

struct answer {
    fg_time from, now;
    double step_s;
    struct fg_str discovery, refresh;
    uint64_t looks, looks_to_learn, found, visits, visits_to_learn, changed;
    double expected, share, visits_share;
    struct step steps[STEPS];
    struct bin bins[BINS];
    size_t n_bins;
    struct fg_rows steps_shown, bins_shown, arms_shown, arms_now;
};

struct asked {
    struct answer *answer;
    fg_time step;
    FG_VEC(struct look_made) looks;
};

/* --- visits --- */

static bool take_visit(void *context, const struct fg_visit_row *visit)
{
    struct asked *v = context;
    struct answer *a = v->answer;
    size_t i = (size_t)((visit->time - a->from) / v->step);
    struct step *step = &a->steps[i < STEPS ? i : STEPS - 1];
    if (visit->time < a->from)
        return true;
    if (visit->purpose == DOCUMENT_REFRESH) {
        step->visits++;
        step->visits_to_learn += visit->explored;
        step->changed += visit->changed;
    } else if (visit->purpose == SOURCE_REFRESH) {
        step->looks++;
        step->looks_to_learn += visit->explored;
        step->found += visit->fresh;
        if (!visit->failure && visit->score > 0 && isfinite(visit->score)) {
            step->expected += (double)visit->score;
            fg_vec_push(&v->looks, (struct look_made){visit->score, visit->fresh});
        }
    }
    return true;
}

static int least_first(const void *a, const void *b)
{
    const struct look_made *x = a, *y = b;
    return (x->score > y->score) - (x->score < y->score);
}

/* As many looks in each, those with the least scores first. */
static void fill_bins(struct asked *v)
{
    struct answer *a = v->answer;
    size_t n = v->looks.len;
    a->n_bins = n < BINS ? n : BINS;
    if (n)
        qsort(v->looks.at, n, sizeof *v->looks.at, least_first);
    for (size_t b = 0; b < a->n_bins; b++) {
        size_t first = b * n / a->n_bins, end = (b + 1) * n / a->n_bins;
        struct bin *bin = &a->bins[b];
        bin->least = (double)v->looks.at[first].score;
        for (size_t i = first; i < end; i++) {
            bin->expected += (double)v->looks.at[i].score;
            bin->found += v->looks.at[i].found;
        }
        bin->looks = end - first;
        bin->expected /= (double)bin->looks;
        bin->found /= (double)bin->looks;
    }
}

static void sum_up(struct answer *a)
{
    for (size_t i = 0; i < STEPS; i++) {
        const struct step *s = &a->steps[i];
        a->looks += s->looks;
        a->looks_to_learn += s->looks_to_learn;
        a->found += s->found;
        a->expected += s->expected;
        a->visits += s->visits;
        a->visits_to_learn += s->visits_to_learn;
        a->changed += s->changed;
    }
    a->share = a->looks ? (double)a->looks_to_learn / (double)a->looks : NAN;
    a->visits_share = a->visits ? (double)a->visits_to_learn / (double)a->visits : NAN;
}

/* --- arms --- */

static void read_arms(struct answer *a, const struct fg_look *look)
{
    struct fg_str text;
    struct fg_arms arms = {0};
    FG_VEC(struct arm) all = {0};
    size_t first = 0, latest[2] = {0, 0};
    if (!fg_store_state(look->store, &text, look->texts, 0, FG_ARMS_STATE, NULL))
        fg_arms_read(&arms, text);
    for (size_t i = 0; i < arms.rows.len; i++) {
        const struct fg_arms_row *row = &arms.rows.at[i];
        struct arm arm = {
            .time = row->time,
            .task = fg_arms_task(row->task),
            .name = fg_arena_cstr(look->texts, fg_str_from(row->name)),
            .chance = row->chance,
        };
        fg_vec_push_in(look->texts, &all, arm);
        latest[row->task == FG_REFRESH] = i;
    }
    /* Of the newest note, for people. */
    first = latest[0] > latest[1] ? latest[0] : latest[1];
    while (first > 0 && first < all.len && all.at[first - 1].time == all.at[first].time)
        first--;
    fg_arms_clear(&arms);
    a->arms_shown = FG_ROWS_FROM(all);
    a->arms_now = FG_ROWS_FROM(all);
    a->arms_now.skip = first;
}

/* --- the view --- */

struct question {
    fg_time span;
};
static const struct fg_opt question[] = {
    {"span", FG_SPAN(struct question, span), "7d", .min = (double)FG_HOUR,
     .max = 60 * (double)FG_DAY, .help = "how far back, in 56 steps"},
    {0},
};

static struct fg_str policy_of(const struct fg_look *look, const char *key)
{
    const char *name = fg_look_text(look->status, key);
    return name ? fg_arena_dup(look->texts, fg_str_from(name)) : FG_STR("");
}

static enum fg_status ask(const void **answer, const struct fg_asking *ask,
                          struct fg_err *err)
{
    const struct question *q = ask->question;
    const struct fg_look *look = ask->look;
    struct answer *a = FG_NEW(look->texts, struct answer, 1);
    struct asked v = {.answer = a, .step = q->span / STEPS};
    a->now = look->now;
    a->from = look->now - v.step * STEPS;
    a->step_s = fg_seconds(v.step);
    for (size_t i = 0; i < STEPS; i++)
        a->steps[i].from = a->from + (fg_time)i * v.step;
    enum fg_status st = fg_store_visits(look->store, 0, 0, a->from, take_visit, &v, err);
    fill_bins(&v);
    fg_vec_clear(&v.looks);
    if (st)
        return st;
    sum_up(a);
    read_arms(a, look);
    a->discovery = policy_of(look, "discovery_policy");
    a->refresh = policy_of(look, "refresh_policy");
    a->steps_shown =
        (struct fg_rows){.at = a->steps, .len = STEPS, .size = sizeof *a->steps};
    a->bins_shown =
        (struct fg_rows){.at = a->bins, .len = a->n_bins, .size = sizeof *a->bins};
    *answer = a;
    return FG_OK;
}

#define S struct step
static const struct fg_field step_fields[] = {
    {"from", "from", FG_AS_TIME(S, from)},
    {"looks", "looks", FG_AS_COUNT(S, looks), .help = "at sources"},
    {"looks_to_learn", "to learn", FG_AS_COUNT(S, looks_to_learn)},
    {"expected", "expected", FG_AS_NUMBER(S, expected), .help = "sum of their scores"},
    {"found", "found", FG_AS_COUNT(S, found), .help = "new links"},
    {"visits", "visits", FG_AS_COUNT(S, visits), .help = "of documents"},
    {"visits_to_learn", "to learn", FG_AS_COUNT(S, visits_to_learn)},
    {"changed", "changed", FG_AS_COUNT(S, changed), .help = "of these visits"},
    {0},
};
#undef S

#define B struct bin
static const struct fg_field bin_fields[] = {
    {"looks", "looks", FG_AS_COUNT(B, looks), .help = "a tenth of all, by their scores"},
    {"least", "score from", FG_AS_NUMBER(B, least), .help = "the least score of them"},
    {"expected", "expected", FG_AS_NUMBER(B, expected), .help = "their mean score"},
    {"found", "found", FG_AS_NUMBER(B, found), .help = "new links a look, mean"},
    {0},
};
#undef B

#define R struct arm
static const struct fg_field arm_fields[] = {
    {"time", "time", FG_AS_TIME(R, time), .help = "when it was noted"},
    {"task", "task", FG_AS_WORD(R, task), .help = "discovery or refresh"},
    {"arm", "arm", FG_AS_WORD(R, name), .help = "a way to choose"},
    {"chance", "chance", FG_AS_SHARE(R, chance), .help = "with which it is drawn"},
    {0},
};
#undef R

#define A struct answer
static const struct fg_field fields[] = {
    {"from", NULL, FG_AS_TIME(A, from), .help = "when the first step begins"},
    {"now", NULL, FG_AS_TIME(A, now), .help = "by the crawl's clock"},
    {"step_s", NULL, FG_AS_NUMBER(A, step_s), .unit = "s", .help = "how long a step is"},
    {"discovery_policy", "sources by", FG_AS_TEXT(A, discovery),
     .help = "that chooses sources"},
    {"refresh_policy", "documents by", FG_AS_TEXT(A, refresh),
     .help = "that chooses documents"},
    {"looks", "looks at sources", FG_AS_COUNT(A, looks)},
    {"looks_to_learn", "to learn", FG_AS_COUNT(A, looks_to_learn)},
    {"share_to_learn", NULL, FG_AS_SHARE(A, share), .help = "of the looks"},
    {"expected", "expected of them", FG_AS_NUMBER(A, expected),
     .help = "sum of the scores; of some policies these are ranks, not expectations"},
    {"found", "found by them", FG_AS_COUNT(A, found), .help = "new links"},
    {"visits", "visits of documents", FG_AS_COUNT(A, visits)},
    {"visits_to_learn", "to learn", FG_AS_COUNT(A, visits_to_learn)},
    {"visits_share_to_learn", NULL, FG_AS_SHARE(A, visits_share),
     .help = "of the visits of documents"},
    {"changed", "found changed", FG_AS_COUNT(A, changed), .help = "of these visits"},
    {"bins", "expected against found", FG_AS_ROWS(A, bins_shown, bin_fields),
     .is_sheet = true},
    {"steps", NULL, FG_AS_ROWS(A, steps_shown, step_fields)},
    {"arms", NULL, FG_AS_ROWS(A, arms_shown, arm_fields),
     .help = "as they were noted, hour by hour; none of a policy without arms"},
    {NULL, "arms", FG_AS_ROWS(A, arms_now, arm_fields)},
    {0},
};
#undef A

static const struct fg_view_example examples[] = {
    {"", "of the last seven days"},
    {"--span 1d --json", "of a day, in 56 steps"},
    {0},
};

const struct fg_view fg_view_learning = {
    .name = "learning",
    .summary = "show how the policies choose: exploration, expectations, arms",
    .about = "Shows how many looks were made for exploration, what looks at sources were "
             "expected to find beside what they found, a row for each tenth of them by "
             "score, and the probabilities of the arms of a policy that chooses between "
             "several ways. If the expectations are right, both columns agree; the "
             "scores of some policies are ranks, and then only the order should agree. "
             "With --json also step by step.",
    .question = question,
    .question_size = sizeof(struct question),
    .examples = examples,
    .answer = FG_RECORD_OF(fields),
    .ask = ask,
};
