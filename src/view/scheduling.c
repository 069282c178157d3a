#include "view/scheduling.h"

#include <string.h>

/* --- what is handed out --- */

void fg_lease_json(struct fg_json *json, const struct fg_lease *lease)
{
    fg_json_object(json);
    fg_json_pair_uint(json, "lease", lease->number);
    fg_json_pair(json, "url", lease->name);
    fg_json_pair(json, "site", lease->site);
    fg_json_pair_cstr(json, "why", fg_lease_whys[lease->why]);
    fg_json_pair_time(json, "not_before", lease->not_before);
    fg_json_pair_time(json, "deadline", lease->deadline);
    if (lease->why == FG_LEASE_REVISIT) {
        fg_json_pair_double(json, "score", (double)lease->score);
        fg_json_pair_double(json, "probability", (double)lease->probability);
        fg_json_pair_bool(json, "explored", lease->explored);
    }
    fg_json_end(json);
}

void fg_scheduler_counts_json(struct fg_json *json, const struct fg_scheduler *s)
{
    struct fg_scheduler_counts counts = fg_scheduler_count(s);
    fg_json_pair_cstr(json, "policy", fg_scheduler_policy(s)->name);
    fg_json_pair_uint(json, "pages", counts.pages);
    fg_json_pair_uint(json, "sites", counts.sites);
    fg_json_pair_uint(json, "waiting", counts.waiting);
    fg_json_pair_uint(json, "sources", counts.sources);
    fg_json_pair_uint(json, "leases", counts.leases);
    fg_json_pair_uint(json, "dead", counts.dead);
    fg_json_pair_uint(json, "blocked", counts.blocked);
    fg_json_pair_uint(json, "handed_out", counts.handed_out);
    fg_json_pair_uint(json, "reports", counts.reports);
    fg_json_pair_uint(json, "failures", counts.failures);
    fg_json_pair_uint(json, "found", counts.found);
}

/* --- what comes back --- */

static bool read_outcome(enum fg_report_outcome *outcome, const json_t *value)
{
    for (unsigned i = 0; json_is_string(value) && fg_report_outcomes[i]; i++)
        if (strcmp(json_string_value(value), fg_report_outcomes[i]) == 0) {
            *outcome = (enum fg_report_outcome)i;
            return true;
        }
    return !value;
}

static enum fg_status check_links(const json_t *links, struct fg_err *err)
{
    size_t i;
    const json_t *link;
    if (links && !json_is_array(links))
        return fg_fail(err, FG_EINPUT, "'links' must be a list of addresses");
    if (json_array_size(links) > FG_SCHEDULER_LINKS)
        return fg_fail(err, FG_ELIMIT, "a report has at most %d links",
                       FG_SCHEDULER_LINKS);
    json_array_foreach(links, i, link) if (!json_is_string(link)) return fg_fail(
        err, FG_EINPUT, "entry %zu of 'links' is not an address", i);
    return FG_OK;
}

/* A misspelt 'links' must not be a page without links. What a lease has may come back
 * with it: a fetcher may add to the line that it was given. */
static enum fg_status check_keys(const json_t *json, struct fg_err *err)
{
    static const char *const keys[] = {"lease",       "outcome",    "links",    "partial",
                                       "changed",     "content",    "url",      "site",
                                       "why",         "not_before", "deadline", "score",
                                       "probability", "explored",   NULL};
    const char *key;
    const json_t *value;
    json_object_foreach((json_t *)json, key, value)
    {
        size_t i = 0;
        while (keys[i] && strcmp(keys[i], key) != 0)
            i++;
        if (!keys[i])
            return fg_fail(err, FG_EINPUT,
                           "a report has no '%.60s'; it has lease, outcome, links, "
                           "partial, changed and content",
                           key);
    }
    return FG_OK;
}

static enum fg_status read_flag(bool *flag, const json_t *json, const char *key,
                                struct fg_err *err)
{
    const json_t *value = json_object_get(json, key);
    *flag = json_is_true(value);
    return !value || json_is_null(value) || json_is_boolean(value)
               ? FG_OK
               : fg_fail(err, FG_EINPUT, "'%s' must be true or false", key);
}

enum fg_status fg_report_read(struct fg_report_line *line, const json_t *json,
                              struct fg_err *err)
{
    const json_t *lease = json_object_get(json, "lease"),
                 *content = json_object_get(json, "content"),
                 *links = json_object_get(json, "links");
    *line = (struct fg_report_line){.links = json_is_null(links) ? NULL : links};
    if (!json_is_object(json) || !json_is_integer(lease) || json_integer_value(lease) < 1)
        return fg_fail(err, FG_EINPUT,
                       "a report is an object with the 'lease' that it is about");
    if (!read_outcome(&line->is.outcome, json_object_get(json, "outcome")))
        return fg_fail(err, FG_EINPUT, "'outcome' must be ok, unchanged, failed or dead");
    if (content && !json_is_null(content) && !json_is_string(content))
        return fg_fail(err, FG_EINPUT, "'content' must be a text");
    enum fg_status st = check_keys(json, err);
    if (!st)
        st = read_flag(&line->is.changed, json, "changed", err);
    if (!st)
        st = read_flag(&line->is.is_partial, json, "partial", err);
    if (st)
        return st;
    line->is.lease = (uint64_t)json_integer_value(lease);
    if (json_string_length(content))
        line->is.content = fg_str_hash(
            (struct fg_str){json_string_value(content), json_string_length(content)});
    return check_links(line->links, err);
}

/* The names of its links, which may be relative to the page. */
static void read_links(struct fg_lease_report *report, struct fg_arena *arena,
                       const json_t *links, struct fg_str page,
                       const struct fg_crawl_options *options)
{
    size_t i;
    const json_t *link;
    struct fg_url base;
    struct fg_str *names = FG_NEW(arena, struct fg_str, json_array_size(links) + 1);
    report->links = names;
    if (!fg_url_parse(&base, arena, page, NULL))
        return;
    json_array_foreach(links, i, link)
    {
        struct fg_str text = {json_string_value(link), json_string_length(link)};
        if (!fg_scheduling_name(&names[report->n_links], arena, text, &base, options,
                                NULL))
            report->n_links++;
    }
}

static void tell(struct fg_json *json, const struct fg_lease_report *report,
                 const struct fg_told *told)
{
    fg_json_object(json);
    fg_json_pair_uint(json, "lease", report->lease);
    fg_json_pair_cstr(json, "fate", fg_report_fates[told->fate]);
    if (told->fate == FG_REPORT_COUNTED) {
        fg_json_pair_bool(json, "changed", told->changed);
        fg_json_pair_uint(json, "new", told->n_new);
        fg_json_key(json, "new_links");
        fg_json_array(json);
        for (size_t i = 0; i < report->n_links; i++)
            if (told->is_new[i])
                fg_json_str(json, report->links[i]);
        fg_json_end(json);
    }
    fg_json_end(json);
}

void fg_report_apply(struct fg_report_sum *sum, const struct fg_scheduling_turn *turn,
                     struct fg_arena *arena, const struct fg_report_line *line,
                     const struct fg_crawl_options *options, struct fg_json *json)
{
    struct fg_lease_report report = line->is;
    struct fg_str page = fg_scheduler_leased(turn->scheduler, report.lease);
    if (page.at)
        read_links(&report, arena, line->links, fg_arena_dup(arena, page), options);
    struct fg_told told = {.is_new = FG_NEW(arena, uint8_t, report.n_links + 1)};
    fg_scheduler_report(turn->scheduler, turn->now, &report, &told);
    sum->counted += told.fate == FG_REPORT_COUNTED;
    sum->old += told.fate == FG_REPORT_OLD;
    sum->unknown += told.fate == FG_REPORT_UNKNOWN;
    sum->found += told.n_new;
    if (json)
        tell(json, &report, &told);
}

/* --- adding and blocking --- */

enum fg_status fg_schedule_add(const struct fg_scheduling_turn *turn,
                               struct fg_arena *arena, struct fg_str address,
                               const struct fg_crawl_options *options, bool *is_new,
                               struct fg_err *err)
{
    struct fg_str name;
    enum fg_status st = fg_scheduling_name(&name, arena, address, NULL, options, err);
    return st ? st
              : fg_scheduler_add(turn->scheduler, name, fg_scheduler_site_of(name),
                                 turn->now, is_new, err);
}

enum fg_status fg_schedule_block(const struct fg_scheduling_turn *turn,
                                 struct fg_arena *arena, struct fg_str address,
                                 bool is_site, bool is_blocked,
                                 const struct fg_crawl_options *options,
                                 struct fg_err *err)
{
    struct fg_str name;
    enum fg_status st = fg_scheduling_name(&name, arena, address, NULL, options, err);
    if (st)
        return st;
    bool is_known = is_site ? fg_scheduler_block_site(
                                  turn->scheduler, fg_scheduler_site_of(name), is_blocked)
                            : fg_scheduler_block(turn->scheduler, name, is_blocked);
    return is_known ? FG_OK
                    : fg_fail(err, FG_ENOTFOUND, "the scheduler does not know %s '%.*s'",
                              is_site ? "the site of" : "the page",
                              FG_ARG(fg_str_sub(address, 0, 200)));
}
