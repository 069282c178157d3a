/* Asking, and judging by days not seen. Training is in forecast_train.c, keeping in
 * forecast_save.c.
 *
 * Averages enter as log(1 + total over their window): clicks of popular offers are
 * thousands of times those of the rest, and one click in a month is news. Tables are
 * three to eight times as long as there are brands or merchants in our workload, so that
 * hashing rarely puts two into one row. They start at a hundredth of what mlp.h makes
 * them: from full size every id begins with an opinion of its own, drawn at random, and
 * on offers not seen before the AUC for changes was .879 instead of .883. */
#include "base/memory.h"
#include "learn/auc.h"
#include "learn/forecast_model.h"

#include <stdlib.h>
#include <string.h>

const char *const fg_forecast_task_names[FG_FORECAST_TASKS] = {
    [FG_FORECAST_CHANGE] = "change",
    [FG_FORECAST_CLICK] = "click",
    [FG_FORECAST_IMPRESSION] = "impression",
};
const char *const fg_forecast_model_names[FG_FORECAST_MODELS] = {
    [FG_FORECAST_METADATA] = "metadata",
    [FG_FORECAST_HISTORY] = "history",
    [FG_FORECAST_BOTH] = "both",
};

enum { BLOCK = 4096 }; /* rows asked at a time */

static const float table_start = .01f;

static const struct fg_mlp_category tables[FORECAST_FIELDS] = {
    [FG_OFFER_BRAND] = {16384, 8, true},     [FG_OFFER_CONDITION] = {64, 2, true},
    [FG_OFFER_COUNTRY] = {1024, 4, true},    [FG_OFFER_LANGUAGE] = {1024, 4, true},
    [FG_OFFER_MERCHANT] = {16384, 16, true}, [FG_OFFER_CATEGORY] = {8192, 8, true},
    [FG_OFFER_IDS] = {7, 3, false},
};

struct fg_forecast_rules fg_forecast_defaults(void)
{
    return (struct fg_forecast_rules){
        .layers = {256, 128, 64},
        .pool = 600000,
        .examples = 400000,
        .validation_days = 3,
        .validation_offers = .1,
        .epochs = 20,
        .negatives = {[FG_FORECAST_CHANGE] = 4,
                      [FG_FORECAST_CLICK] = 1,
                      [FG_FORECAST_IMPRESSION] = 1},
        .rate = .003,
        .l1 = fg_mlp_as_han.l1,
        .l2 = fg_mlp_as_han.l2,
        .seed = 1,
    };
}

struct fg_forecast *fg_forecast_new(const struct fg_forecast_rules *rules)
{
    struct fg_forecast *forecast = fg_zeroed(1, sizeof *forecast);
    forecast->rules = *rules;
    forecast->pool.most = rules->pool;
    return forecast;
}

void fg_forecast_free(struct fg_forecast *forecast)
{
    if (!forecast)
        return;
    for (size_t task = 0; task < FG_FORECAST_TASKS; task++)
        for (size_t model = 0; model < FG_FORECAST_MODELS; model++)
            fg_mlp_free(forecast->network[task][model].mlp);
    forecast_pool_clear(&forecast->pool);
    free(forecast);
}

struct fg_mlp *forecast_network_new(const struct fg_forecast *forecast,
                                    enum fg_forecast_task task,
                                    enum fg_forecast_model model)
{
    struct fg_mlp_shape shape = {.outputs = 1, .head = FG_MLP_LOGISTIC, .hidden = 3};
    struct fg_rng seed = fg_rng_from_seed(forecast->rules.seed);
    struct fg_rng rng = fg_rng_split(&seed, task * FG_FORECAST_MODELS + model);
    for (size_t i = 0; i < 3; i++)
        shape.width[i] = (uint32_t)forecast->rules.layers[i];
    if (model != FG_FORECAST_METADATA)
        shape.dense = FG_OFFER_HISTORY;
    if (model != FG_FORECAST_HISTORY)
        shape.categories = FORECAST_FIELDS;
    memcpy(shape.category, tables, shape.categories * sizeof *tables);
    struct fg_mlp *mlp = fg_mlp_new(&shape, &rng);
    struct fg_mlp_parameters all = fg_mlp_parameters(mlp);
    for (size_t i = all.tables; i < all.n; i++)
        all.value[i] *= table_start;
    return mlp;
}

/* --- inputs --- */

uint32_t fg_offer_id(struct fg_str text)
{
    if (!text.len)
        return 0;
    uint32_t id = (uint32_t)fg_str_hash(text);
    return id ? id : 1;
}

bool forecast_is_known(const float *dense)
{
    for (size_t k = 0; k < FG_OFFER_HISTORY; k++)
        if (!isnan(dense[k]))
            return true;
    return false;
}

/* --- asking --- */

bool fg_forecast_can(const struct fg_forecast *forecast, enum fg_forecast_task task,
                     enum fg_forecast_model model)
{
    return forecast->network[task][model].mlp != NULL;
}

/* A block of rows as the networks take them. */
struct block {
    float dense[BLOCK * FG_OFFER_HISTORY];
    uint32_t fields[BLOCK * FORECAST_FIELDS];
    uint32_t cold[BLOCK]; /* rows without history */
    float chance[BLOCK];
    size_t n, n_cold;
};

static void fill_nan(float *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = NAN;
}

/* Finite for 0 and 1 too. */
double forecast_log_odds(float chance)
{
    double p = fmin(fmax((double)chance, 1e-9), 1 - 1e-9);
    return log(p / (1 - p));
}

/* What the network says of all rows, or of those in `pick`, with the odds put right. */
static void ask(const struct forecast_network *network, const struct block *block,
                const uint32_t *pick, size_t n, float *out)
{
    if (!network->mlp) {
        fill_nan(out, n);
        return;
    }
    struct fg_mlp_rows rows = {block->dense, block->fields, pick, n};
    fg_mlp_predict(network->mlp, &rows, out);
    double shift = network->shift + log(network->keeps);
    for (size_t i = 0; i < n; i++)
        out[i] =
            (float)(1 / (1 + exp(-network->slope * forecast_log_odds(out[i]) - shift)));
}

static void ask_block(const struct fg_forecast *forecast, enum fg_forecast_task task,
                      enum fg_forecast_model model, struct block *block, float *out)
{
    ask(&forecast->network[task][model], block, NULL, block->n, out);
    if (model == FG_FORECAST_METADATA || !block->n_cold)
        return;
    if (model == FG_FORECAST_BOTH)
        ask(&forecast->network[task][FG_FORECAST_METADATA], block, block->cold,
            block->n_cold, block->chance);
    else
        fill_nan(block->chance, block->n_cold);
    for (size_t i = 0; i < block->n_cold; i++)
        out[block->cold[i]] = block->chance[i];
}

static void load_block(struct block *block, const struct fg_offer_day *day,
                       const uint64_t *picked, size_t first, size_t n)
{
    block->n = n;
    block->n_cold = 0;
    forecast_prepare(day, picked, first, n, block->dense, block->fields);
    for (size_t i = 0; i < n; i++)
        if (!forecast_is_known(block->dense + i * FG_OFFER_HISTORY))
            block->cold[block->n_cold++] = (uint32_t)i;
}

static void chances_of(const struct fg_forecast *forecast, enum fg_forecast_task task,
                       enum fg_forecast_model model, const struct fg_offer_day *day,
                       const uint64_t *picked, size_t n, float *out)
{
    struct block *block = fg_zeroed(1, sizeof *block);
    for (size_t first = 0; first < n; first += BLOCK) {
        load_block(block, day, picked, first, n - first < BLOCK ? n - first : BLOCK);
        ask_block(forecast, task, model, block, out + first);
    }
    free(block);
}

void fg_forecast_chances(const struct fg_forecast *forecast, enum fg_forecast_task task,
                         enum fg_forecast_model model, const struct fg_offer_day *day,
                         float *out)
{
    chances_of(forecast, task, model, day, NULL, day->n, out);
}

void fg_forecast_rates(const struct fg_forecast *forecast, enum fg_forecast_task task,
                       enum fg_forecast_model model, const struct fg_offer_day *day,
                       float *out)
{
    static const float surest = 1 - 0x1p-20f;
    fg_forecast_chances(forecast, task, model, day, out);
    for (size_t i = 0; i < day->n; i++)
        out[i] = -log1pf(out[i] > surest ? -surest : -out[i]);
}

/* --- days --- */

static void judge(struct fg_forecast *forecast, enum fg_forecast_task task,
                  enum fg_forecast_model model, const struct fg_offer_day *day,
                  const uint64_t *picked, size_t n)
{
    struct forecast_network *network = &forecast->network[task][model];
    float *chances = fg_zeroed(n, sizeof *chances);
    bool *came = fg_zeroed(n, sizeof *came);
    struct forecast_skill_day skill = {0};
    size_t judged = 0;
    chances_of(forecast, task, model, day, picked, n, chances);
    for (size_t i = 0; i < n; i++) {
        float label = day->label[task][picked ? picked[i] : i];
        if (isnan(label) || isnan(chances[i]))
            continue;
        chances[judged] = chances[i];
        came[judged++] = label > .5f;
        skill.positives += label > .5f;
    }
    skill.negatives = judged - skill.positives;
    skill.auc = fg_auc(chances, came, judged);
    if (!isnan(skill.auc))
        network->skill[network->judged++ % FORECAST_SKILL_DAYS] = skill;
    free(chances);
    free(came);
}

void fg_forecast_add(struct fg_forecast *forecast, const struct fg_offer_day *day)
{
    size_t most = forecast->pool.most / FORECAST_POOL_DAYS, n = day->n;
    uint64_t *picked = NULL;
    if (n > most) {
        struct fg_rng seed = fg_rng_from_seed(forecast->rules.seed);
        struct fg_rng rng = fg_rng_split(&seed, UINT64_C(1) << 32 | forecast->days);
        n = most;
        picked = fg_zeroed(n, sizeof *picked);
        fg_rng_sample(&rng, day->n, n, picked);
    }
    for (enum fg_forecast_task task = 0; task < FG_FORECAST_TASKS; task++)
        for (enum fg_forecast_model model = 0; model < FG_FORECAST_MODELS; model++)
            if (day->label[task] && fg_forecast_can(forecast, task, model))
                judge(forecast, task, model, day, picked, n);
    forecast_pool_add(&forecast->pool, day, picked, n, forecast->rules.validation_offers);
    forecast->days++;
    free(picked);
}

struct fg_forecast_skill fg_forecast_skill(const struct fg_forecast *forecast,
                                           enum fg_forecast_task task,
                                           enum fg_forecast_model model)
{
    const struct forecast_network *network = &forecast->network[task][model];
    struct fg_forecast_skill skill = {.mean = NAN, .deviation = NAN};
    size_t n = network->judged < FORECAST_SKILL_DAYS ? (size_t)network->judged
                                                     : FORECAST_SKILL_DAYS;
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        sum += network->skill[i].auc;
        squares += network->skill[i].auc * network->skill[i].auc;
        skill.positives += network->skill[i].positives;
        skill.negatives += network->skill[i].negatives;
    }
    skill.days = n;
    if (n)
        skill.mean = sum / (double)n;
    if (n > 1)
        skill.deviation = sqrt(fmax(0, (squares - sum * skill.mean) / (double)(n - 1)));
    return skill;
}
