/* The minds of a crawl: which policies, with which parameters */
#include "crawl/minds.h"
#include "crawl/state.h"

static bool has_param(const struct fg_policy *policy, struct fg_str name)
{
    for (const struct fg_param *param = policy->params; param->name; param++)
        if (fg_str_eq(name, fg_str_from(param->name)))
            return true;
    return false;
}

/* "alpha=0.5" */
static enum fg_status split_param(struct fg_str row, struct fg_str *name, double *value,
                                  struct fg_err *err)
{
    size_t equals = fg_str_chr(row, '=');
    if (equals == FG_NOT_FOUND ||
        !fg_str_to_double(fg_str_trim(fg_str_skip(row, equals + 1)), value))
        return fg_fail(err, FG_ECONFIG,
                       "policy.params: '%.*s' is not a name and a number, such as "
                       "alpha=0.5",
                       FG_ARG(fg_str_sub(row, 0, 60)));
    *name = fg_str_trim(fg_str_sub(row, 0, equals));
    return FG_OK;
}

/* Parameters of the other policy are passed over. */
static enum fg_status set_params(struct fg_mind *mind,
                                 const struct fg_crawl_options *options,
                                 struct fg_err *err)
{
    enum fg_status st = FG_OK;
    for (size_t i = 0; !st && i < options->policies.params.len; i++) {
        struct fg_str name = {0};
        double value = 0;
        st = split_param(options->policies.params.at[i], &name, &value, err);
        if (!st && has_param(fg_mind_policy(mind), name)) {
            st = fg_mind_set(mind, name, value, err);
            if (st)
                fg_err_within(err, st, "policy.params");
        }
    }
    return st;
}

/* What a page is worth that is found late. */
static enum fg_status set_wants(struct fg_mind *mind,
                                const struct fg_crawl_options *options, enum fg_task task,
                                struct fg_err *err)
{
    struct fg_wants wants;
    const struct fg_policy *policy = fg_mind_policy(mind);
    if (task != FG_DISCOVERY || !pricing_wants(options, &wants) ||
        !has_param(policy, FG_STR("keeps")) || !has_param(policy, FG_STR("loses")))
        return FG_OK;
    enum fg_status st = fg_mind_set(mind, FG_STR("keeps"), wants.keeps, err);
    return st ? st : fg_mind_set(mind, FG_STR("loses"), wants.loses, err);
}

static void list_params(struct fg_buf *out, const struct fg_policy *policy)
{
    fg_buf_printf(out, "%s%s has ", out->len ? ", " : "", policy->name);
    for (const struct fg_param *param = policy->params; param->name; param++)
        fg_buf_printf(out, "%s%s", param == policy->params ? "" : ", ", param->name);
    if (!policy->params->name)
        fg_buf_add(out, FG_STR("none"));
}

/* A name that neither policy knows is a mistake. */
static enum fg_status check_params(const struct fg_crawl_options *options,
                                   const struct fg_policy *discovery,
                                   const struct fg_policy *refresh, struct fg_err *err)
{
    for (size_t i = 0; i < options->policies.params.len; i++) {
        struct fg_str name = {0};
        double value = 0;
        enum fg_status st =
            split_param(options->policies.params.at[i], &name, &value, err);
        if (st)
            return st;
        if (has_param(discovery, name) || has_param(refresh, name))
            continue;
        struct fg_buf known;
        fg_buf_init(&known, 400);
        list_params(&known, discovery);
        if (refresh != discovery)
            list_params(&known, refresh);
        st = fg_fail(err, FG_ECONFIG, "policy.params: there is no '%.*s': %.*s",
                     FG_ARG(fg_str_sub(name, 0, 60)), (int)known.len, known.at);
        fg_buf_clear(&known);
        return st;
    }
    return FG_OK;
}

static enum fg_status find_policy(const struct fg_policy **policy, const char *name,
                                  enum fg_task task, struct fg_err *err)
{
    *policy = fg_policy_find(fg_str_from(name), task);
    if (*policy && !(*policy)->needs_foresight)
        return FG_OK;
    if (*policy)
        return fg_fail(err, FG_ECONFIG,
                       "policy.%s: '%s' has to see the future and is for the lab only",
                       task == FG_DISCOVERY ? "discovery" : "refresh", name);
    struct fg_buf known;
    fg_buf_init(&known, 300);
    for (size_t i = 0; fg_policies[i]; i++)
        if ((fg_policies[i]->tasks & task) && !fg_policies[i]->needs_foresight)
            fg_buf_printf(&known, "%s%s", known.len ? ", " : "", fg_policies[i]->name);
    enum fg_status st = fg_fail(
        err, FG_ECONFIG, "policy.%s: there is no policy '%s' for it; there is: %.*s",
        task == FG_DISCOVERY ? "discovery" : "refresh", name, (int)known.len, known.at);
    fg_buf_clear(&known);
    return st;
}

enum fg_status crawl_mind_new(struct fg_mind **mind, const struct fg_policy *policy,
                              const struct fg_crawl_options *options, enum fg_task task,
                              struct fg_err *err)
{
    *mind = fg_mind_new(policy, options->policies.seed + (task == FG_REFRESH));
    fg_mind_tick(*mind, options->budget.tick);
    enum fg_status st = set_wants(*mind, options, task, err);
    return st ? st : set_params(*mind, options, err);
}

static enum fg_status make_minds(struct fg_mind **discovers, struct fg_mind **refreshes,
                                 const struct fg_crawl_options *o, struct fg_err *err)
{
    const struct fg_policy *discovery, *refresh;
    enum fg_status st = find_policy(&discovery, o->policies.discovery, FG_DISCOVERY, err);
    if (!st)
        st = find_policy(&refresh, o->policies.refresh, FG_REFRESH, err);
    if (!st)
        st = check_params(o, discovery, refresh, err);
    if (!st)
        st = crawl_mind_new(discovers, discovery, o, FG_DISCOVERY, err);
    if (!st)
        st = crawl_mind_new(refreshes, refresh, o, FG_REFRESH, err);
    return st;
}

enum fg_status crawl_set_up_minds(struct fg_crawl *crawl, struct fg_err *err)
{
    return make_minds(&crawl->minds.discovery, &crawl->minds.refresh, &crawl->options,
                      err);
}

enum fg_status fg_crawl_check_policies(const struct fg_crawl_options *options,
                                       struct fg_err *err)
{
    struct fg_mind *discovery = NULL, *refresh = NULL;
    enum fg_status st = make_minds(&discovery, &refresh, options, err);
    fg_mind_free(discovery);
    fg_mind_free(refresh);
    return st;
}

enum fg_status crawl_mind_for_others(struct fg_mind **mind,
                                     const struct fg_crawl_options *options,
                                     struct fg_err *err)
{
    struct fg_mind *discovery = NULL, *refresh = NULL;
    enum fg_status st = make_minds(&discovery, &refresh, options, err);
    bool is_refresh = options->scheduling.task == 1;
    *mind = st ? NULL : is_refresh ? refresh : discovery;
    fg_mind_free(st || is_refresh ? discovery : refresh);
    if (st)
        fg_mind_free(refresh);
    return st;
}
