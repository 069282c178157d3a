/* policies.h - the ways of choosing there are: names, papers, parameters
 *
 *     struct fg_policy_facts facts;
 *     for (size_t i = 0; fg_policies_at(&facts, i); i++) ...
 *
 * First those of the crawl, then those that rank results, then those that choose
 * advertisements. A name may stand in more than one of these three tables. */
#ifndef FG_VIEW_POLICIES_H
#define FG_VIEW_POLICIES_H

#include "base/json.h"
#include "policy/policy.h"

struct fg_policy_facts {
    const char *name, *summary, *paper; /* paper: NULL if there is none */
    const char *tasks[3];               /* ended by NULL */
    bool is_lab_only;                   /* it knows what others must learn */
    const struct fg_param *params;      /* ended by {0} */
};

bool fg_policies_at(struct fg_policy_facts *facts, size_t i);
bool fg_policy_has_task(const struct fg_policy_facts *facts, const char *task);

void fg_policies_json(struct fg_json *json);

#endif
