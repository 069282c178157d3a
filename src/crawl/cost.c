#include "crawl/cost.h"

#include "crawl/sites/site.h"
#include "crawl/state.h"

/* Of what fetches cost, so much of the last one. */
static const double weight_of_last = 0.02;

/* The part before the last '=' is a host, or scheme, host and port. */
static bool read_entry(struct fg_str entry, struct fg_str *site, double *cost)
{
    size_t equals = fg_str_chr(entry, '=');
    if (equals == FG_NOT_FOUND)
        return false;
    *site = fg_str_trim(fg_str_sub(entry, 0, equals));
    return site->len &&
           fg_str_to_double(fg_str_trim(fg_str_skip(entry, equals + 1)), cost);
}

const char *fg_cost_refuse(struct fg_str entry)
{
    struct fg_str site;
    double cost;
    if (!read_entry(entry, &site, &cost))
        return "it is not a site and a number, such as news.example=5";
    return cost >= 0.01 && cost <= 1000 ? NULL : "a request costs 0.01 to 1000";
}

static bool names(struct fg_str name, struct fg_str key)
{
    size_t host = fg_str_find(key, FG_STR("://"));
    return fg_str_eq(name, key) ||
           (host != FG_NOT_FOUND && fg_str_eq(name, fg_str_skip(key, host + 3)));
}

double fg_cost_of_site(const struct fg_crawl_options *options, struct fg_str key)
{
    const struct fg_opt_list *costs = &options->budget.costs;
    struct fg_str site;
    double cost;
    for (size_t i = 0; i < costs->len; i++)
        if (read_entry(costs->at[i], &site, &cost) && names(site, key))
            return cost;
    return 1;
}

double cost_of_answer(const struct fg_crawl *crawl, const struct site *site,
                      const struct fg_answer *answer)
{
    const struct fg_budget_options *o = &crawl->options.budget;
    double cost = answer->requests;
    if (o->cost_bytes && answer->response && answer->requests)
        cost += (double)answer->response->wire_bytes / (double)o->cost_bytes;
    return cost * fg_cost_of_site(&crawl->options, fg_str_from(site->key));
}

static double learnt(const struct fg_mind *mind, uint64_t id)
{
    size_t at = fg_mind_row(mind, id);
    return at == FG_NO_ROW ? 1 : fg_mind_cost(mind, at);
}

double cost_expected(const struct fg_crawl *crawl, const struct site *site, uint32_t row,
                     enum purpose purpose)
{
    uint64_t id = fg_known_id(&crawl->known, row);
    if (purpose == SOURCE_REFRESH)
        return learnt(crawl->minds.discovery, id);
    if (purpose == DOCUMENT_REFRESH)
        return learnt(crawl->minds.refresh, id);
    double usual = crawl->budget.usual_cost > 0 ? crawl->budget.usual_cost : 1;
    return usual * fg_cost_of_site(&crawl->options, fg_str_from(site->key));
}

void cost_learn(struct fg_crawl *crawl, const struct site *site, double cost)
{
    double *usual = &crawl->budget.usual_cost;
    double seen = cost / fg_cost_of_site(&crawl->options, fg_str_from(site->key));
    *usual += weight_of_last * (seen - (*usual > 0 ? *usual : 1)) + (*usual > 0 ? 0 : 1);
}
