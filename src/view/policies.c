#include "view/policies.h"

#include "policy/policy.h"

static void json_policy(struct fg_json *json, const struct fg_policy *policy)
{
    fg_json_object(json);
    fg_json_pair_cstr(json, "name", policy->name);
    fg_json_pair_cstr(json, "summary", policy->summary);
    fg_json_pair_cstr(json, "paper", policy->paper);
    fg_json_key(json, "tasks");
    fg_json_array(json);
    if (policy->tasks & FG_DISCOVERY)
        fg_json_cstr(json, "discovery");
    if (policy->tasks & FG_REFRESH)
        fg_json_cstr(json, "refresh");
    fg_json_end(json);
    fg_json_pair_bool(json, "lab_only", policy->needs_foresight);
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
    fg_json_array(json);
    for (size_t i = 0; fg_policies[i]; i++)
        json_policy(json, fg_policies[i]);
    fg_json_end(json);
}
