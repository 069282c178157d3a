#include "view/policies.h"

#include "search/ads/market.h"
#include "search/rank/rank.h"

#include <string.h>

static const struct {
    enum fg_task task;
    const char *name;
} tasks[] = {
    {FG_DISCOVERY, "discovery"}, {FG_REFRESH, "refresh"}, {FG_RANKING, "ranking"}};
enum { TASKS = sizeof tasks / sizeof *tasks };

static const struct fg_param no_params[] = {{0}};

static struct fg_policy_facts facts_of(const struct fg_policy *policy)
{
    struct fg_policy_facts facts = {.name = policy->name,
                                    .summary = policy->summary,
                                    .paper = policy->paper,
                                    .is_lab_only = policy->needs_foresight,
                                    .params = policy->params};
    size_t n = 0;
    for (size_t i = 0; i < TASKS; i++)
        if (policy->tasks & tasks[i].task)
            facts.tasks[n++] = tasks[i].name;
    return facts;
}

static struct fg_policy_facts facts_of_ads(const struct fg_ads_policy *policy)
{
    return (struct fg_policy_facts){.name = policy->name,
                                    .summary = policy->summary,
                                    .paper = policy->paper,
                                    .tasks = {"advertising"},
                                    .is_lab_only = policy->needs_ctr,
                                    .params =
                                        policy->params ? policy->params : no_params};
}

bool fg_policies_at(struct fg_policy_facts *facts, size_t i)
{
    const struct fg_policy *const *const tables[] = {fg_policies, fg_rank_policies};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const struct fg_policy *const *row = tables[t]; *row; row++)
            if (!i--) {
                *facts = facts_of(*row);
                return true;
            }
    for (size_t k = 0; fg_ads_policies[k]; k++)
        if (k == i) {
            *facts = facts_of_ads(fg_ads_policies[k]);
            return true;
        }
    return false;
}

bool fg_policy_has_task(const struct fg_policy_facts *facts, const char *task)
{
    for (size_t i = 0; facts->tasks[i]; i++)
        if (strcmp(facts->tasks[i], task) == 0)
            return true;
    return false;
}

static void json_policy(struct fg_json *json, const struct fg_policy_facts *policy)
{
    fg_json_object(json);
    fg_json_pair_cstr(json, "name", policy->name);
    fg_json_pair_cstr(json, "summary", policy->summary);
    fg_json_pair_cstr(json, "paper", policy->paper);
    fg_json_key(json, "tasks");
    fg_json_array(json);
    for (size_t i = 0; policy->tasks[i]; i++)
        fg_json_cstr(json, policy->tasks[i]);
    fg_json_end(json);
    fg_json_pair_bool(json, "lab_only", policy->is_lab_only);
    fg_json_key(json, "parameters");
    fg_json_array(json);
    for (const struct fg_param *param = policy->params; param->name; param++) {
        fg_json_object(json);
        fg_json_pair_cstr(json, "name", param->name);
        fg_json_pair_double(json, "default", param->initial);
        fg_json_pair_double(json, "least", param->least);
        fg_json_pair_double(json, "most", param->most);
        fg_json_pair_cstr(json, "help", param->help);
        fg_json_end(json);
    }
    fg_json_end(json);
    fg_json_end(json);
}

void fg_policies_json(struct fg_json *json)
{
    struct fg_policy_facts facts;
    fg_json_array(json);
    for (size_t i = 0; fg_policies_at(&facts, i); i++)
        json_policy(json, &facts);
    fg_json_end(json);
}
