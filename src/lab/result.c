#include "lab/result.h"

#include <stdlib.h>

const char *const fg_judged_words[FG_JUDGED] = {
    [FG_COMES_OUT] = "comes out",
    [FG_SMALLER] = "the order comes out, the size does not",
    [FG_UNDECIDED] = "not decided",
    [FG_FAILS] = "does not come out"};

struct fg_stated_count fg_result_count_stated(const struct fg_result *result)
{
    struct fg_stated_count count = {0};
    for (size_t i = 0; i < result->n_stated; i++) {
        const struct fg_stated *stated = &result->stated[i];
        (stated->is_order ? count.orders : count.values)[stated->is]++;
    }
    return count;
}

static size_t all_of(const size_t by_word[static FG_JUDGED])
{
    size_t sum = 0;
    for (size_t i = 0; i < FG_JUDGED; i++)
        sum += by_word[i];
    return sum;
}

void fg_stated_say(const struct fg_stated_count *count, struct fg_buf *out)
{
    size_t values = all_of(count->values), orders = all_of(count->orders);
    if (values)
        fg_buf_printf(out,
                      "Of %zu published %s %zu %s in our %s (where there is none, within "
                      "a tenth of ours).",
                      values, values == 1 ? "value" : "values",
                      count->values[FG_COMES_OUT],
                      count->values[FG_COMES_OUT] == 1 ? "lies" : "lie",
                      values == 1 ? "interval" : "intervals");
    if (orders)
        fg_buf_printf(out,
                      "%sOf %zu stated %s %zu %s out, %zu in order but not in size, %zu "
                      "cannot be decided, %zu %s not.",
                      values ? " " : "", orders, orders == 1 ? "order" : "orders",
                      count->orders[FG_COMES_OUT],
                      count->orders[FG_COMES_OUT] == 1 ? "comes" : "come",
                      count->orders[FG_SMALLER], count->orders[FG_UNDECIDED],
                      count->orders[FG_FAILS],
                      count->orders[FG_FAILS] == 1 ? "does" : "do");
}

struct fg_wording fg_result_wording(const struct fg_result *result)
{
    return result->wording.unit
               ? result->wording
               : (struct fg_wording){"Means over sites",
                                     "95 % bootstrap interval",
                                     "site",
                                     "sites",
                                     "sites",
                                     "95 %, bootstrap over sites, 1,000 resamples; one "
                                     "site has none"};
}

void fg_result_free(struct fg_result *result)
{
    if (!result)
        return;
    fg_arena_clear(&result->arena);
    free(result);
}
