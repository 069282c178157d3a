/* One site after the other into what is made, and what was made out of it. */
#include "base/memory.h"
#include "lab/generate/generate_model.h"

#include <stdio.h>

void gen_add_site(struct gen_output *out, const struct gen_order *order)
{
    struct gen_site site = {.params = order->params,
                            .rng = order->rng,
                            .history = order->history,
                            .hours = order->history + out->steps,
                            .rate = order->rate,
                            .relevant = order->relevant,
                            .n_pages = order->sources,
                            .out = out,
                            .first_source = (uint32_t)out->site_of.len};
    uint32_t number = site.first_source ? out->site_of.at[site.first_source - 1] + 1 : 0;
    for (size_t i = 0; i < order->sources; i++)
        fg_vec_push(&out->site_of, number);
    gen_plan(&site);
    gen_publish(&site);
    gen_show_lists(&site);
    for (size_t i = 0; i < site.n_pages; i++)
        fg_vec_clear(&site.streams[i]);
    fg_arena_clear(&site.arena);
}

/* Number the targets that are ever shown 0, 1, ...; forget the others. */
static void close_ranks(struct gen_output *out)
{
    uint32_t *number = fg_zeroed(out->is_relevant.len + 1, sizeof *number);
    for (size_t i = 0; i < out->stays.len; i++)
        number[out->stays.at[i].target] = 1;
    uint32_t n = 0;
    for (size_t v = 0; v < out->is_relevant.len; v++)
        if (number[v]) {
            out->is_relevant.at[n] = out->is_relevant.at[v];
            number[v] = n++;
        }
    out->is_relevant.len = n;
    for (size_t i = 0; i < out->stays.len; i++)
        out->stays.at[i].target = number[out->stays.at[i].target];
    free(number);
}

struct fg_site *gen_take_site(struct gen_output *out, const char *name, bool has_relevant)
{
    struct fg_site_facts facts = {.sources = out->site_of.len,
                                  .steps = out->steps,
                                  .start = fg_days_from_date(2022, 11, 14) * FG_DAY,
                                  .step = FG_HOUR};
    snprintf(facts.name, sizeof facts.name, "%s", name);
    close_ranks(out);
    struct fg_site *site = fg_site_new(&facts, out->stays.at, out->stays.len);
    for (size_t v = 0; has_relevant && v < site->targets; v++)
        if (out->is_relevant.at[v])
            fg_site_relevant(site, v);
    for (size_t i = 0; i < facts.sources; i++)
        if (out->site_of.at[i])
            fg_site_belongs(site, i, out->site_of.at[i]);
    fg_vec_clear(&out->stays);
    fg_vec_clear(&out->is_relevant);
    fg_vec_clear(&out->site_of);
    return site;
}
