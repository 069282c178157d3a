/* Saved forecasts, networks and classifiers that somebody wrote into, with checksums that
 * fit: they are refused, or go on learning and foreseeing. The first byte says which;
 * each seven that follow are a piece, a place in it and what is written there. */
#include "base/memory.h"
#include "base/sections.h"
#include "learn/forecast.h"
#include "learn/linear.h"
#include "learn/mlp.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { OFFERS = 120, POOL = 6000, EDIT = 7, SCHEME = 7 };

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* The sum at the end of such bytes, over all before it. */
static void sum_up(char *at, size_t len)
{
    uint64_t sum = fg_str_hash((struct fg_str){at, len - sizeof sum});
    memcpy(at + len - sizeof sum, &sum, sizeof sum);
}

static void write_into(char *at, size_t len, const uint8_t *edit)
{
    static const char what[][8] = {
        {0}, {1}, {2}, "\xff\xff\xff\xff\xff\xff\xff\x7f", "\0\0\xc0\x7f\0\0\xf8\x7f"};
    static const size_t widths[] = {1, 4, 8};
    size_t n = widths[edit[5] % 3],
           place = edit[1] | (size_t)edit[2] << 8 | (size_t)edit[3] << 16;
    if (len <= n)
        return;
    place %= len - n;
    if (edit[4] < sizeof what / sizeof *what)
        memcpy(at + place, what[edit[4]], n);
    else
        memset(at + place, edit[6], n);
}

/* --- forecasts --- */

/* Training ends with the first batch: what matters is that it can begin. */
static struct fg_forecast *new_forecast(void)
{
    static const atomic_bool stop = true;
    struct fg_forecast_rules rules = fg_forecast_defaults();
    rules.layers[0] = rules.layers[1] = rules.layers[2] = 2;
    rules.epochs = 1;
    rules.stop = &stop;
    rules.pool = POOL;
    return fg_forecast_new(&rules);
}

/* One in three comes, or too few to train on. */
static struct fg_offer_day day_of(int64_t number, bool is_enough)
{
    static float history[OFFERS * FG_OFFER_HISTORY], label[OFFERS];
    static uint32_t ids[OFFERS * FG_OFFER_IDS];
    static uint64_t offer[OFFERS];
    for (size_t i = 0; i < OFFERS; i++) {
        offer[i] = i;
        label[i] = (float)((i + (size_t)number) % (is_enough ? 3 : 100) == 0);
        ids[i * FG_OFFER_IDS] = (uint32_t)i + 1;
        history[i * FG_OFFER_HISTORY] = label[i];
    }
    return (struct fg_offer_day){.n = OFFERS,
                                 .day = number,
                                 .offer = offer,
                                 .history = history,
                                 .ids = ids,
                                 .label = {label, label, NULL}};
}

static void use_forecast(struct fg_forecast *forecast, bool is_enough)
{
    float out[OFFERS];
    struct fg_offer_day day = day_of(20001, is_enough);
    for (size_t task = 0; task < FG_FORECAST_TASKS; task++)
        for (size_t model = 0; model < FG_FORECAST_MODELS; model++) {
            fg_forecast_rates(forecast, (enum fg_forecast_task)task,
                              (enum fg_forecast_model)model, &day, out);
            fg_forecast_skill(forecast, (enum fg_forecast_task)task,
                              (enum fg_forecast_model)model);
        }
    fg_forecast_add(forecast, &day);
    fg_forecast_train(forecast);
}

static struct fg_buf saved_forecast(bool is_trained)
{
    struct fg_forecast *forecast = new_forecast();
    struct fg_buf bytes;
    fg_buf_init(&bytes, SIZE_MAX);
    for (int64_t day = 20000 - 4; day < 20000; day++) {
        struct fg_offer_day one = day_of(day, is_trained);
        fg_forecast_add(forecast, &one);
    }
    if (is_trained)
        fg_forecast_train(forecast);
    fg_forecast_save(forecast, &bytes);
    fg_forecast_free(forecast);
    return bytes;
}

/* The pieces that matter come under their names: the tables are large, and any number may
 * stand in them. */
static void edit_forecast(struct fg_buf *bytes, const uint8_t *edit)
{
    static const char *const names[] = {
        "head",     "dense",     "fields",    "label:0:0", "label:2:0",   "day",
        "held-out", "facts:0:0", "facts:0:2", "facts:1:1", "network:0:0", "network:1:2"};
    struct fg_str all, piece;
    require(!fg_sections_open(&all, fg_buf_str(bytes), "FGFORE01", "forecasts", NULL));
    const char *name = names[edit[0] % (sizeof names / sizeof *names)];
    piece = fg_sections_find(all, name);
    if (piece.len) {
        write_into((char *)piece.at, piece.len, edit);
        if (fg_str_starts(fg_str_from(name), FG_STR("network")))
            sum_up((char *)piece.at, piece.len);
    }
    sum_up(bytes->at, bytes->len);
}

static void check_forecast(const uint8_t *data, size_t size, bool is_trained)
{
    static struct fg_buf kept[2];
    if (!kept[is_trained].len)
        kept[is_trained] = saved_forecast(is_trained);
    struct fg_buf bytes;
    fg_buf_init(&bytes, SIZE_MAX);
    fg_buf_add(&bytes, fg_buf_str(&kept[is_trained]));
    for (size_t i = 0; i + EDIT <= size; i += EDIT)
        edit_forecast(&bytes, data + i);
    struct fg_forecast *forecast = new_forecast();
    if (!fg_forecast_load(forecast, fg_buf_str(&bytes), NULL))
        use_forecast(forecast, is_trained);
    fg_forecast_free(forecast);
    fg_buf_clear(&bytes);
}

/* --- networks --- */

static void check_network(const uint8_t *data, size_t size)
{
    struct fg_mlp_shape shape = {.dense = 3,
                                 .categories = 2,
                                 .category = {{5, 2, true}, {3, 1, false}},
                                 .hidden = 2,
                                 .width = {4, 2},
                                 .outputs = 2,
                                 .head = FG_MLP_LOGISTIC};
    struct fg_rng rng = fg_rng_from_seed(1);
    float dense[] = {1, 2, 3, -1, 0, 1e30F}, target[] = {0, 1, 1, 0}, out[4];
    uint32_t category[] = {7, 1, FG_MLP_NONE, 3};
    struct fg_mlp_examples examples = {{dense, category, NULL, 2}, target, NULL};
    struct fg_mlp *mlp = fg_mlp_new(&shape, &rng), *read = fg_mlp_new(&shape, &rng);
    struct fg_buf bytes;
    fg_buf_init(&bytes, SIZE_MAX);
    fg_mlp_save(mlp, &bytes);
    for (size_t i = 0; i + EDIT <= size; i += EDIT) {
        write_into(bytes.at, bytes.len, data + i);
        sum_up(bytes.at, bytes.len);
    }
    if (!fg_mlp_load(read, fg_buf_str(&bytes), NULL)) {
        fg_mlp_train(read, &examples, &examples, &fg_mlp_as_han, &rng, NULL);
        fg_mlp_predict(read, &examples.rows, out);
    }
    fg_buf_clear(&bytes);
    fg_mlp_free(mlp);
    fg_mlp_free(read);
}

/* --- classifiers --- */

static void check_classifier(const uint8_t *data, size_t size)
{
    const struct fg_feature one[] = {{.place = 3, .value = 1}},
                            other[] = {{.place = FG_BAG_PLACES - 1, .value = 1}};
    const struct fg_linear_sample samples[] = {{one, 1, true}, {other, 1, false}};
    struct fg_linear_rules rules = fg_linear_defaults();
    struct fg_linear_report report;
    struct fg_linear linear = {0}, read;
    struct fg_buf bytes;
    fg_buf_init(&bytes, SIZE_MAX);
    rules.epochs = 1;
    fg_linear_train(&linear, samples, 2, &rules, &report);
    fg_linear_save(&linear, SCHEME, &bytes);
    for (size_t i = 0; i + EDIT <= size; i += EDIT) {
        write_into(bytes.at, bytes.len, data + i);
        sum_up(bytes.at, bytes.len);
    }
    if (!fg_linear_load(&read, SCHEME, fg_buf_str(&bytes), NULL)) {
        double chance = fg_linear_probability(&read, one, 1);
        require(chance >= 0 && chance <= 1);
    }
    fg_linear_clear(&read);
    fg_linear_clear(&linear);
    fg_buf_clear(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    switch (data[0] % 4) {
    case 0:
        check_forecast(data + 1, size - 1, false);
        break;
    case 1:
        check_network(data + 1, size - 1);
        break;
    case 2:
        check_classifier(data + 1, size - 1);
        break;
    default:
        check_forecast(data + 1, size - 1, true);
    }
    return 0;
}
