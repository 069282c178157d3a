/* Robots suites: what crawlers' own tests say about hand-made files, and what google's
 * matcher says about real ones. An id names the mode of a check (which extension it
 * wants) so that exceptions can speak of modes. */
#include "conformance/suite.h"

#include "net/robots/robots.h"
#include "net/robots/robots_fetch.h"
#include "net/robots/rules.h"

#include <stdio.h>
#include <string.h>

static struct fg_str from_base64(struct fg_arena *arena, struct fg_str text)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *out = fg_arena_bytes(arena, text.len);
    size_t n = 0;
    unsigned bits = 0, have = 0;
    for (size_t i = 0; i < text.len && text.at[i] != '='; i++) {
        const char *digit = strchr(digits, text.at[i]);
        if (!digit)
            continue;
        bits = bits << 6 | (unsigned)(digit - digits);
        have += 6;
        if (have >= 8)
            out[n++] = (char)(bits >> (have -= 8));
    }
    return (struct fg_str){out, n};
}

static struct fg_str file_of(struct fg_arena *arena, const json_t *group)
{
    struct fg_str text = suite_str(group, "robots");
    return text.at ? text : from_base64(arena, suite_str(group, "robots_b64"));
}

/* A list of own names becomes one text with commas. */
static struct fg_str agent_of(struct fg_arena *arena, const json_t *check)
{
    const json_t *agent = json_object_get(check, "agent"), *name;
    if (json_is_string(agent))
        return suite_str(check, "agent");
    struct fg_str names = {0};
    size_t i;
    json_array_foreach(agent, i, name)
    {
        names = fg_arena_printf(arena, "%.*s,%s", FG_ARG(names), json_string_value(name));
    }
    return names;
}

/* What the API calls a name: a token, perhaps with a version. */
static bool is_name(struct fg_str agent)
{
    struct fg_str token, rest = agent;
    return fg_str_eq(agent, FG_STR("*")) || !agent.len ||
           fg_str_chr(agent, ',') < agent.len ||
           (fg_str_cut(&rest, '/', &token) && fg_robots_is_token(fg_str_trim(token)));
}

static void run_check(struct suite *suite, const json_t *group, const json_t *check)
{
    struct fg_arena arena = {0};
    struct fg_str agent = agent_of(&arena, check), mode = suite_str(check, "mode");
    struct fg_str url = suite_str(check, "url");
    const struct fg_robots *robots =
        fg_robots_parse(&arena, file_of(&arena, group), agent);
    const json_t *delay = json_object_get(check, "crawl_delay_ms");
    bool passed;
    if (delay) {
        fg_time wanted =
            json_is_null(delay) ? FG_NEVER : json_integer_value(delay) * FG_MILLISECOND;
        passed = fg_robots_delay(robots) == wanted;
    } else {
        bool wanted = json_is_true(json_object_get(check, "allowed"));
        passed = fg_robots_allows(robots, fg_robots_path(url)) == wanted;
    }
    if (!mode.len)
        mode = FG_STR("none");
    const json_t *strict = json_object_get(check, "strict_rfc_agrees");
    suite_case(suite, passed, "mode=%.*s strict=%s%s %.*s [%.*s] %.*s %s", FG_ARG(mode),
               !strict                ? "unsaid"
               : json_is_true(strict) ? "yes"
                                      : "no",
               is_name(agent) ? "" : " agent=no-token", FG_ARG(suite_str(group, "id")),
               FG_ARG(agent), FG_ARG(fg_str_sub(url, 0, 200)), delay ? "delay" : "");
    fg_arena_clear(&arena);
}

static void run_sitemaps(struct suite *suite, const json_t *group)
{
    const json_t *list = json_object_get(group, "sitemaps");
    const json_t *count = json_object_get(group, "sitemap_count");
    if (!list && !count)
        return;
    struct fg_arena arena = {0};
    const struct fg_robots *robots =
        fg_robots_parse(&arena, file_of(&arena, group), FG_STR("anybot"));
    size_t n;
    const struct fg_str *sitemaps = fg_robots_sitemaps(robots, &n);
    bool same = !list || n == json_array_size(list);
    for (size_t i = 0; list && same && i < n; i++)
        same = fg_str_eq(sitemaps[i],
                         fg_str_from(json_string_value(json_array_get(list, i))));
    if (count)
        same = same && n == (size_t)json_integer_value(count);
    suite_case(suite, same, "mode=none %.*s sitemaps", FG_ARG(suite_str(group, "id")));
    fg_arena_clear(&arena);
}

static void run_cases(struct suite *suite)
{
    json_t *groups = suite_json(suite, "cases.json"), *group, *check;
    if (!groups) {
        printf("cases.json is not there, skipped\n");
        return;
    }
    suite_part(suite, "cases");
    size_t i, j;
    json_array_foreach(groups, i, group)
    {
        json_array_foreach(json_object_get(group, "checks"), j, check)
        {
            run_check(suite, group, check);
        }
        run_sitemaps(suite, group);
    }
    json_decref(groups);
}

static void run_helpers(struct suite *suite)
{
    json_t *helpers = suite_json(suite, "helpers.json"), *fact;
    if (!helpers) {
        printf("helpers.json is not there, skipped\n");
        return;
    }
    suite_part(suite, "helpers");
    size_t i;
    json_array_foreach(json_object_get(helpers, "path_of_url"), i, fact)
    {
        struct fg_str url = suite_str(fact, "url"), path = fg_robots_path(url);
        struct fg_str wanted = suite_str(fact, "path");
        /* We leave out the "/" that an empty path implies: the rules supply it. */
        bool implied = !path.len || path.at[0] != '/';
        suite_case(suite, fg_str_eq(path, fg_str_skip(wanted, implied)),
                   "path_of_url %.*s", FG_ARG(url));
    }
    json_array_foreach(json_object_get(helpers, "escape_pattern"), i, fact)
    {
        struct fg_str pattern = suite_str(fact, "pattern");
        suite_case(suite,
                   fg_str_eq(fg_rule_normalise(&suite->arena, pattern),
                             suite_str(fact, "escaped")),
                   "escape_pattern %.*s", FG_ARG(pattern));
    }
    json_array_foreach(json_object_get(helpers, "valid_user_agent_token"), i, fact)
    {
        struct fg_str agent = suite_str(fact, "agent");
        bool valid = json_is_true(json_object_get(fact, "valid"));
        suite_case(suite, fg_robots_is_token(agent) == valid,
                   "valid_user_agent_token %.*s", FG_ARG(agent));
    }
    json_decref(helpers);
}

static enum fg_robots_use use_of(int status)
{
    struct fg_robots_fetch fetch = {.status = status,
                                    .max_age = FG_NEVER,
                                    .retry_after = FG_NEVER,
                                    .copy_age = FG_NEVER};
    return fg_robots_judge(&fetch).use;
}

/* RFC 9309 speaks in words; a class of answers stands for what it says of them. */
static void run_rfc_outcome(struct suite *suite, const json_t *row)
{
    struct fg_str status = suite_str(row, "status");
    bool passed = true;
    if (fg_str_starts(status, FG_STR("2xx")))
        passed = use_of(200) == FG_ROBOTS_FILE;
    else if (fg_str_starts(status, FG_STR("3xx")))
        passed = use_of(302) == FG_ROBOTS_HOLD || use_of(302) == FG_ROBOTS_ALLOW;
    else if (fg_str_starts(status, FG_STR("4xx")))
        passed = use_of(404) == FG_ROBOTS_ALLOW && use_of(403) == FG_ROBOTS_ALLOW;
    else if (fg_str_starts(status, FG_STR("5xx")))
        passed = use_of(500) == FG_ROBOTS_HOLD && use_of(0) == FG_ROBOTS_HOLD;
    else if (json_object_get(row, "limit"))
        passed = FG_ROBOTS_MAX_BYTES >= 500 << 10;
    suite_case(suite, passed, "rfc9309 %.*s", FG_ARG(suite_str(row, "ref")));
}

static void run_status(struct suite *suite)
{
    json_t *status = suite_json(suite, "status.json"), *row;
    if (!status) {
        printf("status.json is not there, skipped\n");
        return;
    }
    suite_part(suite, "status");
    size_t i;
    json_array_foreach(json_object_get(status, "fetch_outcome"), i, row)
    {
        run_rfc_outcome(suite, row);
    }
    json_array_foreach(json_object_get(status, "other_suites"), i, row)
    {
        int code = (int)json_integer_value(json_object_get(row, "status"));
        enum fg_robots_use use = use_of(code);
        bool allow = json_is_true(json_object_get(row, "allow_all"));
        bool defer = json_is_true(json_object_get(row, "defer"));
        /* A 2xx with an empty body is a file without rules. */
        bool passed = (use == FG_ROBOTS_ALLOW || use == FG_ROBOTS_FILE) == allow;
        if (json_object_get(row, "defer"))
            passed = passed && (use == FG_ROBOTS_HOLD) == defer;
        suite_case(suite, passed, "%.*s %d", FG_ARG(suite_str(row, "suite")), code);
    }
    json_decref(status);
}

static void run_host(struct suite *suite, const json_t *file, const json_t *checks)
{
    struct fg_arena arena = {0};
    struct fg_str text = file_of(&arena, file);
    const struct fg_robots *robots = NULL;
    const char *parsed_for = "";
    size_t i;
    json_t *check;
    json_array_foreach(checks, i, check)
    {
        const char *agent = json_string_value(json_array_get(check, 0));
        const char *path = json_string_value(json_array_get(check, 1));
        const char *kind = json_string_value(json_array_get(check, 3));
        bool allowed = json_is_true(json_array_get(check, 2));
        if (!robots || strcmp(agent, parsed_for) != 0)
            robots = fg_robots_parse(&arena, text, fg_str_from(agent));
        parsed_for = agent;
        suite_case(suite, fg_robots_allows(robots, fg_str_from(path)) == allowed,
                   "%s %.*s [%s] %s", kind ? kind : "plain",
                   FG_ARG(suite_str(file, "host")), agent, path);
    }
    fg_arena_clear(&arena);
}

static void run_real(struct suite *suite)
{
    json_t *files = suite_json_lines(suite, "real-robots.jsonl.gz");
    json_t *verdicts = suite_json_lines(suite, "real-verdicts.jsonl.gz"), *entry;
    if (!files || !verdicts) {
        printf("real-robots or real-verdicts is not there, skipped\n");
        json_decref(files);
        json_decref(verdicts);
        return;
    }
    suite_part(suite, "real");
    json_t *by_host = json_object();
    size_t i;
    json_array_foreach(files, i, entry)
    {
        json_object_set(by_host, suite_str(entry, "host").at, entry);
    }
    json_array_foreach(verdicts, i, entry)
    {
        const json_t *file = json_object_get(by_host, suite_str(entry, "host").at);
        if (file)
            run_host(suite, file, json_object_get(entry, "checks"));
    }
    json_decref(by_host);
    json_decref(files);
    json_decref(verdicts);
}

static void run(struct suite *suite)
{
    run_cases(suite);
    run_helpers(suite);
    run_status(suite);
    run_real(suite);
}

int main(void)
{
    return suite_main("robots", run);
}
