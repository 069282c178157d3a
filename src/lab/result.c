#include "lab/result.h"

#include <stdlib.h>

const char *const fg_judged_words[FG_JUDGED] = {
    [FG_COMES_OUT] = "comes out",
    [FG_SMALLER] = "the order comes out, the size does not",
    [FG_UNDECIDED] = "not decided",
    [FG_FAILS] = "does not come out",
    [FG_FEW_FOR] = "cannot be decided: too few sites, which show it",
    [FG_FEW_AGAINST] = "cannot be decided: too few sites, which do not show it"};

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

static void say_few(const size_t by_word[static FG_JUDGED], struct fg_buf *out)
{
    size_t few = by_word[FG_FEW_FOR] + by_word[FG_FEW_AGAINST];
    if (few)
        fg_buf_printf(out,
                      "; %zu %s on too few sites to decide, which show %zu of them and "
                      "%zu not",
                      few, few == 1 ? "rests" : "rest", by_word[FG_FEW_FOR],
                      by_word[FG_FEW_AGAINST]);
    fg_buf_add_char(out, '.');
}

static void say_values(const size_t by_word[static FG_JUDGED], size_t n,
                       struct fg_buf *out)
{
    fg_buf_printf(out,
                  "Of %zu published %s %zu %s in our %s (where there is none, within "
                  "a tenth of ours)",
                  n, n == 1 ? "value" : "values", by_word[FG_COMES_OUT],
                  by_word[FG_COMES_OUT] == 1 ? "lies" : "lie",
                  n == 1 ? "interval" : "intervals");
    say_few(by_word, out);
}

static void say_orders(const size_t by_word[static FG_JUDGED], size_t n,
                       struct fg_buf *out)
{
    fg_buf_printf(out,
                  "Of %zu stated %s %zu %s out, %zu in order but not in size, %zu "
                  "cannot be decided, %zu %s not",
                  n, n == 1 ? "order" : "orders", by_word[FG_COMES_OUT],
                  by_word[FG_COMES_OUT] == 1 ? "comes" : "come", by_word[FG_SMALLER],
                  by_word[FG_UNDECIDED], by_word[FG_FAILS],
                  by_word[FG_FAILS] == 1 ? "does" : "do");
    say_few(by_word, out);
}

void fg_stated_say(const struct fg_stated_count *count, struct fg_buf *out)
{
    size_t values = all_of(count->values), orders = all_of(count->orders);
    if (values)
        say_values(count->values, values, out);
    if (values && orders)
        fg_buf_add_char(out, ' ');
    if (orders)
        say_orders(count->orders, orders, out);
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
