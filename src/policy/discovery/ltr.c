/* ltr.c - the sources that a learnt ranking puts first
 *
 * Pham, Santos and Freire (WSDM 2018), strategy LTR. Only the order of the sources
 * matters in a choice, not the number of links expected of each, so the weights of the
 * features can be learnt for the order alone. Each round of visits is a query, each
 * source visited in it a document, with log(1 + new links) as its relevance; coordinate
 * ascent (learn/rank.h) finds the weights that rank the rounds of the last week best by
 * one of two metrics. The rest is as in `reg`: the features, the overlap, ten hours of
 * averages at the start, training every three hours.
 *
 * The authors used RankLib with "coordinate ascent" and name no metric. RankLib's own is
 * ERR@10 over labels cut to whole numbers, `metric` 1 and `whole` 1; Metzler and Croft
 * climb on NDCG, which is our default, since ERR looks at the head of a ranking only:
 * docs/papers/001.md has the level that each reading reaches. They found this no better
 * than a regression, and slower. The hour and the day are the same for all documents of a
 * query and cannot change their order: they are left out, which changes nothing but the
 * time it takes. To bound that, a training sees at most 50 sources of a round and 2000
 * examples in all, taken evenly over the week: some 30 ms, whatever the budget.
 * With one visit a round there is nothing to rank, and the weights stay equal. */
#include "policy/discovery/yield_model.h"

#include "learn/rank.h"

#include <math.h>

enum { FEATURES = FG_YIELD_AA + 1 };

enum {
    CUTOFF = FG_YIELD_KNOBS,
    RESTARTS,
    STEPS,
    TOLERANCE,
    METRIC,
    WHOLE,
    ROUND,
    EXAMPLES
};
static const struct fg_param params[] = {
    FG_YIELD_PARAMS(168, 0.7),
    [CUTOFF] = {"cutoff", 10, 1, 1000, "places of a ranking that count (NDCG@n, ERR@n)"},
    [RESTARTS] = {"restarts", 5, 1, 100,
                  "climbs, each taking the weights in another order"},
    [STEPS] = {"steps", 25, 1, 60, "steps of a search along one weight"},
    [TOLERANCE] = {"tolerance", 0.001, 1e-9, 1, "a climb that gains less is over"},
    [METRIC] = {"metric", 0, 0, 1,
                "0: climb on NDCG; 1: on ERR, as RankLib does unless told otherwise"},
    [WHOLE] = {"whole", 0, 0, 1, "1: cut labels to whole numbers, as RankLib does"},
    [ROUND] = {"round", 50, 2, 1e6, "sources of a round that a training sees at most"},
    [EXAMPLES] = {"examples", 2000, 10, 1e7, "examples that a training sees at most"},
    {0},
};

/* A training set under way. */
struct lessons {
    FG_VEC(float) x[FEATURES];
    FG_VEC(float) label;
    FG_VEC(uint32_t) query;
};

/* The end of the round that begins with a visit. */
static uint64_t end_of_round(const struct fg_yield_model *model, uint64_t first)
{
    uint64_t end = first + 1;
    while (end < model->known.next &&
           fg_yield_visit(model, end)->round == fg_yield_visit(model, first)->round)
        end++;
    return end;
}

/* Every how many visits of a round are taken, so that there are not too many. */
static uint64_t stride_of(uint64_t visits, uint64_t most)
{
    return (visits + most - 1) / most;
}

static uint64_t count_examples(const struct fg_yield_model *model, uint64_t most)
{
    uint64_t n = 0;
    for (uint64_t at = model->known.in_history, end; at < model->known.next; at = end) {
        end = end_of_round(model, at);
        n += (end - at) / stride_of(end - at, most);
    }
    return n;
}

static void add_round(struct lessons *lessons, const struct fg_yield_model *model,
                      uint64_t first, uint64_t end, const double *knob)
{
    double x[FG_YIELD_FEATURES];
    uint64_t stride = stride_of(end - first, (uint64_t)knob[ROUND]);
    for (uint64_t i = first; i < end; i += stride) {
        const struct fg_yield_visit *visit = fg_yield_visit(model, i);
        fg_yield_features(visit, x);
        for (size_t f = 0; f < FEATURES; f++)
            fg_vec_push(&lessons->x[f], (float)x[f]);
        float label = log1pf(visit->found);
        fg_vec_push(&lessons->label, knob[WHOLE] > 0.5 ? floorf(label) : label);
    }
    fg_vec_push(&lessons->query, (uint32_t)lessons->label.len);
}

static void gather(struct lessons *lessons, const struct fg_yield_model *model,
                   const double *knob)
{
    uint64_t examples = count_examples(model, (uint64_t)knob[ROUND]), round = 0;
    uint64_t every = examples / (uint64_t)knob[EXAMPLES] + 1;
    fg_vec_push(&lessons->query, 0);
    for (uint64_t at = model->known.in_history, end; at < model->known.next; at = end) {
        end = end_of_round(model, at);
        if (round++ % every == 0 && end - at > 1)
            add_round(lessons, model, at, end, knob);
    }
}

static void train(struct fg_brain *brain, fg_time now)
{
    struct fg_yield_model *model = brain->self;
    struct lessons lessons = {0};
    const float *x[FEATURES];
    gather(&lessons, model, brain->knob);
    for (size_t f = 0; f < FEATURES; f++)
        x[f] = lessons.x[f].at;
    struct fg_rank_set set = {.features = FEATURES,
                              .examples = lessons.label.len,
                              .queries = lessons.query.len - 1,
                              .x = x,
                              .label = lessons.label.at,
                              .query = lessons.query.at};
    struct fg_rank_rules rules = {.metric = brain->knob[METRIC] > 0.5 ? FG_RANK_ERR
                                                                      : FG_RANK_NDCG,
                                  .cutoff = (size_t)brain->knob[CUTOFF],
                                  .restarts = (size_t)brain->knob[RESTARTS],
                                  .steps = (size_t)brain->knob[STEPS],
                                  .tolerance = brain->knob[TOLERANCE]};
    fg_rank_ascend(model->known.weights, &set, rules, &brain->rng);
    model->known.trained = now;
    for (size_t f = 0; f < FEATURES; f++)
        fg_vec_clear(&lessons.x[f]);
    fg_vec_clear(&lessons.label);
    fg_vec_clear(&lessons.query);
}

static size_t choose(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    fg_yield_turn(brain, now);
    if (fg_yield_is_starting(brain, now))
        return fg_yield_take_average(brain, budget, out);
    if (fg_yield_is_due(brain, now))
        train(brain, now);
    return fg_yield_take(brain, now, 1, budget, out);
}

const struct fg_policy fg_policy_ltr = {
    .name = "ltr",
    .summary = "the first of a ranking learnt from recent visits",
    .paper =
        "Pham, Santos & Freire, WSDM 2018; Metzler & Croft, Information Retrieval 2007",
    .params = params,
    .select = choose,
    .self_size = sizeof(struct fg_yield_model),
    .save = fg_yield_save,
    .load = fg_yield_load,
    FG_YIELD_POLICY,
};
