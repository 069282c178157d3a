/* The C interface of libforage: texts with NUL, plain numbers, and policy/scheduler.h. */
#include "libforage/forage.h"

#include "policy/plugin.h"
#include "policy/scheduler.h"

#include <stdlib.h>

struct forage_scheduler {
    struct fg_scheduler *of;
};

static int fail(struct forage_error *error, const struct fg_err *err)
{
    int code = err->status == FG_ECONFIG     ? FORAGE_ECONFIG
               : err->status == FG_ELIMIT    ? FORAGE_ELIMIT
               : err->status == FG_ENOTFOUND ? FORAGE_ENOTFOUND
                                             : FORAGE_EINPUT;
    if (error) {
        size_t len = strnlen(err->text, sizeof error->text - 1);
        error->code = code;
        memcpy(error->text, err->text, len);
        error->text[len] = '\0';
    }
    return code;
}

const char *forage_version(void)
{
    return FG_VERSION;
}

/* Those that need the future, and those that rank results, are not for this. */
static const struct fg_policy *policy_at(size_t number)
{
    for (size_t i = 0; fg_policies[i]; i++)
        if (!fg_policies[i]->needs_foresight &&
            (fg_policies[i]->tasks & (FG_DISCOVERY | FG_REFRESH)) && number-- == 0)
            return fg_policies[i];
    return NULL;
}

const char *forage_policy_name(size_t number)
{
    const struct fg_policy *policy = policy_at(number);
    return policy ? policy->name : NULL;
}

const char *forage_policy_summary(size_t number)
{
    const struct fg_policy *policy = policy_at(number);
    return policy ? policy->summary : NULL;
}

int forage_add_policy(const struct forage_plugin *plugin, struct forage_error *error)
{
    struct fg_err err = {0};
    return fg_plugin_add(plugin, &err) ? 0 : fail(error, &err);
}

static enum fg_status find_policy(const struct fg_policy **policy, const char *name,
                                  struct fg_err *err)
{
    for (size_t i = 0; (*policy = policy_at(i)); i++)
        if (fg_str_eq(fg_str_from(name), fg_str_from((*policy)->name)))
            return FG_OK;
    return fg_fail(err, FG_ECONFIG,
                   "there is no policy '%.60s'; forage_policy_name tells which there are",
                   name ? name : "");
}

static enum fg_status set_parameters(struct fg_mind *mind, const char *parameters,
                                     struct fg_err *err)
{
    struct fg_str rest = fg_str_from(parameters), one, name;
    double value;
    while (rest.len && fg_str_cut(&rest, ',', &one)) {
        struct fg_str number = one;
        if (!fg_str_cut(&number, '=', &name) ||
            !fg_str_to_double(fg_str_trim(number), &value))
            return fg_fail(err, FG_ECONFIG,
                           "'%.*s' is not a name and a number, such as alpha=0.5",
                           FG_ARG(fg_str_sub(one, 0, 60)));
        enum fg_status st = fg_mind_set(mind, fg_str_trim(name), value, err);
        if (st)
            return st;
    }
    return FG_OK;
}

static enum fg_status make_mind(struct fg_mind **mind, const char *name,
                                const char *parameters, uint64_t seed, struct fg_err *err)
{
    const struct fg_policy *policy;
    enum fg_status st = find_policy(&policy, name, err);
    if (st)
        return st;
    *mind = fg_mind_new(policy, seed);
    st = set_parameters(*mind, parameters, err);
    if (st)
        fg_mind_free(*mind);
    return st;
}

static struct forage_scheduler *hand_over(struct fg_scheduler *made)
{
    struct forage_scheduler *s = calloc(1, sizeof *s);
    if (!s)
        fg_out_of_memory();
    s->of = made;
    return s;
}

struct forage_scheduler *forage_new(const char *name, const char *parameters,
                                    uint64_t seed, struct forage_error *error)
{
    struct fg_err err = {0};
    struct fg_mind *mind;
    if (make_mind(&mind, name, parameters, seed, &err)) {
        fail(error, &err);
        return NULL;
    }
    return hand_over(fg_scheduler_new(mind));
}

struct forage_scheduler *forage_restore(const char *name, const char *parameters,
                                        uint64_t seed, const unsigned char *bytes,
                                        size_t n, struct forage_error *error)
{
    struct fg_err err = {0};
    struct fg_mind *mind;
    struct fg_scheduler *made;
    struct fg_str saved = {(const char *)bytes, n};
    enum fg_status st = make_mind(&mind, name, parameters, seed, &err);
    if (!st)
        st = fg_scheduler_load(&made, mind, saved, &err);
    if (st) {
        fail(error, &err);
        return NULL;
    }
    return hand_over(made);
}

void forage_free(struct forage_scheduler *s)
{
    if (s)
        fg_scheduler_free(s->of);
    free(s);
}

int forage_set(struct forage_scheduler *s, const char *name, double value,
               struct forage_error *error)
{
    struct fg_scheduler_rules rules = *fg_scheduler_ruled(s->of);
    struct fg_str what = fg_str_from(name);
    struct fg_err err = {0};
    bool is_span = value >= 0 && value <= 1e9;
    enum fg_status st = FG_OK;
    if (fg_str_eq(what, FG_STR("delay")) && is_span)
        rules.delay = (fg_time)(value * 1e6);
    else if (fg_str_eq(what, FG_STR("lease")) && is_span && value > 0)
        rules.lease = (fg_time)(value * 1e6);
    else if (fg_str_eq(what, FG_STR("explore")) && value >= 0 && value <= 1)
        rules.explore = value;
    else if (fg_str_eq(what, FG_STR("only-added")) && (value == 0 || value == 1))
        rules.only_added = value == 1;
    else if (fg_str_eq(what, FG_STR("whole-stock")) && (value == 0 || value == 1))
        rules.whole_stock = value == 1;
    else
        st = fg_fail(&err, FG_ECONFIG,
                     "'%.60s' cannot be set to %g; there are delay, lease (seconds), "
                     "explore (0 to 1), only-added and whole-stock (0 or 1)",
                     name ? name : "", value);
    if (st)
        return fail(error, &err);
    fg_scheduler_rule(s->of, &rules);
    return 0;
}

int forage_add(struct forage_scheduler *s, const char *page, const char *site,
               int64_t now, struct forage_error *error)
{
    struct fg_err err = {0};
    struct fg_str name = fg_str_from(page);
    bool is_new;
    enum fg_status st = fg_scheduler_add(
        s->of, name, site ? fg_str_from(site) : fg_scheduler_site_of(name), now, &is_new,
        &err);
    return st ? fail(error, &err) : is_new;
}

size_t forage_next(struct forage_scheduler *s, int64_t now, size_t n, int64_t ahead,
                   struct forage_lease *out)
{
    n = n < FG_SCHEDULER_NEXT ? n : FG_SCHEDULER_NEXT;
    struct fg_lease *leases = calloc(n + 1, sizeof *leases);
    if (!leases)
        fg_out_of_memory();
    n = fg_scheduler_next(s->of, now, n, ahead, 0, leases);
    for (size_t i = 0; i < n; i++)
        out[i] = (struct forage_lease){.number = leases[i].number,
                                       .page = leases[i].name.at,
                                       .site = leases[i].site.at,
                                       .not_before = leases[i].not_before,
                                       .deadline = leases[i].deadline,
                                       .why = (int32_t)leases[i].why,
                                       .score = leases[i].score,
                                       .probability = leases[i].probability,
                                       .explored = leases[i].explored};
    free(leases);
    return n;
}

int64_t forage_wait(const struct forage_scheduler *s, int64_t now)
{
    return fg_scheduler_wait(s->of, now);
}

int forage_report(struct forage_scheduler *s, int64_t now, uint64_t lease,
                  struct forage_visit *visit)
{
    visit->n_new = 0;
    if (visit->outcome < FORAGE_OK_VISIT || visit->outcome > FORAGE_DEAD ||
        visit->n_links > FG_SCHEDULER_LINKS)
        return FORAGE_EINPUT;
    struct fg_str *links = calloc(visit->n_links + 1, sizeof *links);
    if (!links)
        fg_out_of_memory();
    for (size_t i = 0; i < visit->n_links; i++)
        links[i] = fg_str_from(visit->links[i]);
    struct fg_lease_report report = {.lease = lease,
                                     .outcome = (enum fg_report_outcome)visit->outcome,
                                     .changed = visit->changed != 0,
                                     .content = visit->content,
                                     .is_partial = visit->is_partial != 0,
                                     .links = links,
                                     .n_links = visit->n_links};
    struct fg_told told = {.is_new = visit->is_new};
    fg_scheduler_report(s->of, now, &report, &told);
    free(links);
    visit->n_new = told.n_new;
    return (int)told.fate;
}

int forage_block(struct forage_scheduler *s, const char *page, int is_blocked)
{
    bool is_known = fg_scheduler_block(s->of, fg_str_from(page), is_blocked != 0);
    return is_known ? 0 : FORAGE_ENOTFOUND;
}

int forage_block_site(struct forage_scheduler *s, const char *site, int is_blocked)
{
    bool is_known = fg_scheduler_block_site(s->of, fg_str_from(site), is_blocked != 0);
    return is_known ? 0 : FORAGE_ENOTFOUND;
}

int forage_delay_site(struct forage_scheduler *s, const char *site, double delay)
{
    fg_time span = delay >= 0 && delay <= 1e9 ? (fg_time)(delay * 1e6) : -1;
    return fg_scheduler_delay_site(s->of, fg_str_from(site), span) ? 0 : FORAGE_ENOTFOUND;
}

void forage_count(const struct forage_scheduler *s, struct forage_counts *counts)
{
    struct fg_scheduler_counts are = fg_scheduler_count(s->of);
    *counts = (struct forage_counts){
        are.pages,   are.sites,      are.waiting, are.sources,  are.leases, are.dead,
        are.blocked, are.handed_out, are.reports, are.failures, are.found};
}

unsigned char *forage_save(struct forage_scheduler *s, size_t *n)
{
    struct fg_buf out;
    fg_buf_init(&out, SIZE_MAX / 2);
    *n = 0;
    if (!fg_scheduler_save(s->of, &out)) {
        fg_buf_clear(&out);
        return NULL;
    }
    *n = out.len;
    return (unsigned char *)out.at; /* from malloc, and the caller's from here on */
}

void forage_free_bytes(unsigned char *bytes)
{
    free(bytes);
}
