/* scheduler.c - the scheduler for other crawlers over HTTP: add, next, report, block
 *
 * All requests share one scheduler, one after the other; what is answered is durable. A
 * batch is taken whole or not at all. Bodies have lists of addresses and of objects,
 * which a question of options cannot say, so they are read here. */
#include "base/json.h"
#include "server/audit.h"
#include "server/inside.h"
#include "view/scheduling.h"

#include <stdlib.h>
#include <string.h>

/* --- bodies --- */

/* A member that the route does not know is refused, as everywhere. To be let go. */
static enum fg_status read_body(json_t **json, struct fg_http_request *request,
                                struct fg_err *err)
{
    json_error_t wrong;
    const char *name;
    json_t *value;
    *json = NULL;
    if (request->n_args)
        return fg_fail(err, FG_EINPUT, "this takes a body, and no parameters");
    *json =
        json_loadb(request->body.at, request->body.len, JSON_REJECT_DUPLICATES, &wrong);
    if (!*json)
        return fg_fail(err, FG_EINPUT, "the body is not JSON: line %d: %.200s",
                       wrong.line, wrong.text);
    if (!json_is_object(*json))
        return fg_fail(err, FG_EINPUT, "the body must be a JSON object");
    json_object_foreach(*json, name, value)
    {
        const struct fg_opt *opt = request->route->question;
        while (opt->name && strcmp(opt->name, name) != 0)
            opt++;
        if (!opt->name)
            return fg_fail(err, FG_EINPUT, "there is no parameter '%.60s' here", name);
        if (opt->type == FG_OPT_LIST && !json_is_array(value))
            return fg_fail(err, FG_EINPUT, "'%.60s' must be a list", name);
        if (opt->type == FG_OPT_BOOL && !json_is_boolean(value))
            return fg_fail(err, FG_EINPUT, "'%.60s' must be true or false", name);
    }
    return FG_OK;
}

static enum fg_status text_at(struct fg_str *text, const json_t *list, size_t i,
                              const char *name, struct fg_err *err)
{
    const json_t *entry = json_array_get(list, i);
    *text = (struct fg_str){json_string_value(entry), json_string_length(entry)};
    return json_is_string(entry)
               ? FG_OK
               : fg_fail(err, FG_EINPUT, "entry %zu of '%s' is not an address", i, name);
}

/* --- turns --- */

static enum fg_status begin(struct fg_http_request *request,
                            struct fg_scheduling_turn *turn, struct fg_err *err)
{
    struct fg_server *server = request->server;
    enum fg_status st = FG_OK;
    pthread_mutex_lock(&server->scheduling_lock);
    if (!server->scheduling)
        st = fg_scheduling_open(&server->scheduling, fg_server_store(&server->place),
                                server->place.crawl, err);
    if (!st)
        st = fg_scheduling_begin(server->scheduling, turn, err);
    if (st)
        pthread_mutex_unlock(&server->scheduling_lock);
    return st;
}

static enum fg_status end(struct fg_http_request *request, enum fg_status st,
                          struct fg_err *err)
{
    struct fg_server *server = request->server;
    st = fg_scheduling_end(server->scheduling, st, err);
    pthread_mutex_unlock(&server->scheduling_lock);
    return st;
}

/* --- what is answered, for the description --- */

struct counts {
    const char *policy;
    struct fg_scheduler_counts of;
};
#define COUNT(name, words)                                                \
    {                                                                     \
#name, NULL, FG_AS_COUNT(struct counts, of.name), .help = (words) \
    }
const struct fg_field fg_schedule_fields[] = {
    {"policy", NULL, FG_AS_WORD(struct counts, policy), .help = "that chooses"},
    COUNT(pages, "that are known"),
    COUNT(sites, "of pages that were added"),
    COUNT(waiting, "pages that were never visited"),
    COUNT(sources, "pages that the policy may look at again"),
    COUNT(leases, "that are not reported"),
    COUNT(dead, "pages"),
    COUNT(blocked, "pages"),
    COUNT(handed_out, "leases, in all"),
    COUNT(reports, "that counted, in all"),
    COUNT(failures, "of the reports"),
    COUNT(found, "new pages on pages that were visited before"),
    {0},
};

struct added {
    uint64_t added, known, audit;
};
const struct fg_field fg_schedule_added_fields[] = {
    {"added", NULL, FG_AS_COUNT(struct added, added), .help = "handed out from now on"},
    {"known", NULL, FG_AS_COUNT(struct added, known), .help = "they were before"},
    {"audit", NULL, FG_AS_COUNT(struct added, audit), .is_optional = true,
     .help = "number of the change, to be undone"},
    {0},
};

struct lease {
    uint64_t lease;
    struct fg_str url, site;
    const char *why;
    fg_time not_before, deadline;
    double score, probability;
    bool explored;
};
static const struct fg_field lease_fields[] = {
    {"lease", NULL, FG_AS_COUNT(struct lease, lease), .help = "its number"},
    {"url", NULL, FG_AS_URL(struct lease, url), .help = "to be fetched"},
    {"site", NULL, FG_AS_URL(struct lease, site), .help = "what shares a delay"},
    {"why", NULL, FG_AS_WORD(struct lease, why), .help = "added, new, sample, revisit"},
    {"not_before", NULL, FG_AS_TIME(struct lease, not_before),
     .help = "when the site may be asked"},
    {"deadline", NULL, FG_AS_TIME(struct lease, deadline),
     .help = "after it the page may be handed out again"},
    {"score", NULL, FG_AS_NUMBER(struct lease, score), .help = "of a revisit"},
    {"probability", NULL, FG_AS_NUMBER(struct lease, probability),
     .help = "with which a revisit was chosen"},
    {"explored", NULL, FG_AS_YES(struct lease, explored), .help = "chosen to learn"},
    {0},
};
struct handed {
    struct fg_rows items;
    double wait_s;
};
const struct fg_field fg_schedule_next_fields[] = {
    {"items", NULL, FG_AS_ROWS(struct handed, items, lease_fields), .help = "leases"},
    {"wait_s", NULL, FG_AS_NUMBER(struct handed, wait_s), .unit = "s",
     .help = "when to ask again; null: not before a report, or a page added"},
    {0},
};

struct told {
    uint64_t lease, found;
    const char *fate;
    bool changed;
    struct fg_texts new_links;
};
static const struct fg_field told_fields[] = {
    {"lease", NULL, FG_AS_COUNT(struct told, lease)},
    {"fate", NULL, FG_AS_WORD(struct told, fate), .help = "counted, old, unknown"},
    {"changed", NULL, FG_AS_YES(struct told, changed), .help = "since the last visit"},
    {"new", NULL, FG_AS_COUNT(struct told, found), .help = "pages nobody had named"},
    {"new_links", NULL, FG_AS_TEXTS(struct told, new_links), .help = "these"},
    {0},
};
struct told_all {
    struct fg_rows items;
    uint64_t counted, found;
};
const struct fg_field fg_schedule_told_fields[] = {
    {"items", NULL, FG_AS_ROWS(struct told_all, items, told_fields)},
    {"counted", NULL, FG_AS_COUNT(struct told_all, counted), .help = "of the reports"},
    {"new", NULL, FG_AS_COUNT(struct told_all, found), .help = "pages in all"},
    {0},
};

struct blocked {
    uint64_t changed, audit;
    bool blocked;
};
const struct fg_field fg_schedule_blocked_fields[] = {
    {"changed", NULL, FG_AS_COUNT(struct blocked, changed), .help = "pages and sites"},
    {"blocked", NULL, FG_AS_YES(struct blocked, blocked), .help = "or not any more"},
    {"audit", NULL, FG_AS_COUNT(struct blocked, audit), .is_optional = true,
     .help = "number of the change, to be undone"},
    {0},
};

static void finish(struct fg_json *json, struct fg_reply *reply)
{
    fg_json_end(json);
    fg_buf_add_char(&reply->body, '\n');
}

/* The call that blocks these, or lets them go: what undoes the one undoes the other. */
static struct fg_str block_body(struct fg_arena *arena, json_t *pages, json_t *sites,
                                bool is_blocked)
{
    json_t *body = json_object();
    if (pages)
        json_object_set(body, "pages", pages);
    if (sites)
        json_object_set(body, "sites", sites);
    json_object_set_new(body, "blocked", json_boolean(is_blocked));
    char *text = json_dumps(body, JSON_COMPACT);
    struct fg_str made = fg_arena_dup(arena, fg_str_from(text ? text : ""));
    free(text);
    json_decref(body);
    return made;
}

/* --- add --- */

struct pages_question {
    struct fg_opt_list pages;
};
const struct fg_opt fg_schedule_add_opts[] = {
    {"pages", FG_LIST(struct pages_question, pages), .arg = "URL,...",
     .help = "addresses to be handed out"},
    {0},
};

enum fg_status fg_answer_schedule_add(struct fg_reply *reply,
                                      struct fg_http_request *request, struct fg_err *err)
{
    struct fg_scheduling_turn turn;
    json_t *body;
    size_t added = 0, known = 0;
    json_t *news = json_array();
    enum fg_status st = read_body(&body, request, err);
    if (!st)
        st = begin(request, &turn, err);
    if (!st) {
        const json_t *pages = json_object_get(body, "pages");
        for (size_t i = 0; !st && i < json_array_size(pages); i++) {
            struct fg_str url;
            bool is_new = false;
            st = text_at(&url, pages, i, "pages", err);
            if (!st)
                st = fg_schedule_add(&turn, request->arena, url,
                                     request->server->place.crawl, &is_new, err);
            added += is_new;
            known += !is_new;
            if (!st && is_new)
                json_array_append(news, json_array_get(pages, i));
        }
        st = end(request, st, err);
    }
    json_decref(body);
    struct fg_str undo = block_body(request->arena, news, NULL, true);
    json_decref(news);
    if (st)
        return st;
    struct fg_json json = fg_json_to(&reply->body);
    fg_json_object(&json);
    fg_json_pair_uint(&json, "added", added);
    fg_json_pair_uint(&json, "known", known);
    if (added)
        fg_json_pair_uint(&json, "audit", fg_audit_add(request, "scheduler/block", undo));
    finish(&json, reply);
    return FG_OK;
}

/* --- next --- */

const struct fg_opt fg_schedule_next_opts[] = {
    {"n", FG_INT(struct fg_schedule_next_question, n), "100", .min = 1,
     .max = FG_SCHEDULER_NEXT, .help = "pages, at most"},
    {"ahead", FG_SPAN(struct fg_schedule_next_question, ahead), "0",
     .max = (double)FG_SCHEDULER_AHEAD,
     .help = "how far ahead pages of a site with a delay may be planned"},
    {0},
};

enum fg_status fg_answer_schedule_next(struct fg_reply *reply,
                                       struct fg_http_request *request,
                                       struct fg_err *err)
{
    struct fg_schedule_next_question q;
    struct fg_scheduling_turn turn;
    enum fg_status st = fg_request_read(&q, request, err);
    if (!st)
        st = begin(request, &turn, err);
    if (st)
        return st;
    struct fg_lease *leases = FG_NEW(request->arena, struct fg_lease, (size_t)q.n);
    uint64_t key = request->key.len ? fg_str_hash(request->key) | 1 : 0;
    size_t n =
        fg_scheduler_next(turn.scheduler, turn.now, (size_t)q.n, q.ahead, key, leases);
    fg_time wait = n ? turn.now : fg_scheduler_wait(turn.scheduler, turn.now);
    struct fg_json json = fg_json_to(&reply->body);
    fg_json_object(&json);
    fg_json_key(&json, "items");
    fg_json_array(&json);
    for (size_t i = 0; i < n; i++)
        fg_lease_json(&json, &leases[i]);
    fg_json_end(&json);
    fg_json_key(&json, "wait_s");
    if (wait == FG_NEVER)
        fg_json_null(&json);
    else /* in real time: that is what a fetcher can wait */
        fg_json_double(&json, fg_seconds(wait - turn.now) /
                                  request->server->place.crawl->clock.speed);
    finish(&json, reply);
    return end(request, st, err);
}

/* --- report --- */

struct reports_question {
    struct fg_opt_list reports;
};
const struct fg_opt fg_schedule_report_opts[] = {
    {"reports", FG_LIST(struct reports_question, reports), .arg = "{LEASE, LINKS, ...}",
     .help = "what pages that were handed out have shown"},
    {0},
};

enum fg_status fg_answer_schedule_report(struct fg_reply *reply,
                                         struct fg_http_request *request,
                                         struct fg_err *err)
{
    struct fg_scheduling_turn turn;
    struct fg_report_sum sum = {0};
    json_t *body;
    enum fg_status st = read_body(&body, request, err);
    const json_t *reports = json_object_get(body, "reports");
    size_t n = json_array_size(reports);
    struct fg_report_line *lines = FG_NEW(request->arena, struct fg_report_line, n + 1);
    for (size_t i = 0; !st && i < n; i++) {
        st = fg_report_read(&lines[i], json_array_get(reports, i), err);
        if (st)
            fg_err_within(err, st, "report %zu", i);
    }
    if (!st)
        st = begin(request, &turn, err);
    if (!st) {
        struct fg_json json = fg_json_to(&reply->body);
        fg_json_object(&json);
        fg_json_key(&json, "items");
        fg_json_array(&json);
        for (size_t i = 0; i < n; i++)
            fg_report_apply(&sum, &turn, request->arena, &lines[i],
                            request->server->place.crawl, &json);
        fg_json_end(&json);
        fg_json_pair_uint(&json, "counted", sum.counted);
        fg_json_pair_uint(&json, "new", sum.found);
        finish(&json, reply);
        st = end(request, FG_OK, err);
    }
    json_decref(body);
    return st;
}

/* --- block --- */

struct block_question {
    struct fg_opt_list pages, sites;
    bool blocked;
};
const struct fg_opt fg_schedule_block_opts[] = {
    {"pages", FG_LIST(struct block_question, pages), .arg = "URL,...",
     .help = "addresses not to be handed out any more"},
    {"sites", FG_LIST(struct block_question, sites), .arg = "URL,...",
     .help = "any addresses of sites likewise"},
    {"blocked", FG_BOOL(struct block_question, blocked), "yes",
     .help = "false: hand them out again"},
    {0},
};

static enum fg_status block_all(const struct fg_scheduling_turn *turn,
                                struct fg_http_request *request, const json_t *list,
                                const char *name, bool is_blocked, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    for (size_t i = 0; !st && i < json_array_size(list); i++) {
        struct fg_str url;
        st = text_at(&url, list, i, name, err);
        if (!st)
            st = fg_schedule_block(turn, request->arena, url, name[0] == 's', is_blocked,
                                   request->server->place.crawl, err);
    }
    return st;
}

enum fg_status fg_answer_schedule_block(struct fg_reply *reply,
                                        struct fg_http_request *request,
                                        struct fg_err *err)
{
    struct fg_scheduling_turn turn;
    json_t *body;
    enum fg_status st = read_body(&body, request, err);
    json_t *pages = json_object_get(body, "pages"),
           *sites = json_object_get(body, "sites");
    bool is_blocked = !json_is_false(json_object_get(body, "blocked"));
    struct fg_str undo = block_body(request->arena, pages, sites, !is_blocked);
    size_t n = json_array_size(pages) + json_array_size(sites);
    if (!st)
        st = begin(request, &turn, err);
    if (!st) {
        st = block_all(&turn, request, pages, "pages", is_blocked, err);
        if (!st)
            st = block_all(&turn, request, sites, "sites", is_blocked, err);
        st = end(request, st, err);
    }
    json_decref(body);
    if (st)
        return st;
    struct fg_json json = fg_json_to(&reply->body);
    fg_json_object(&json);
    fg_json_pair_uint(&json, "changed", n);
    fg_json_pair_bool(&json, "blocked", is_blocked);
    if (n)
        fg_json_pair_uint(&json, "audit", fg_audit_add(request, "scheduler/block", undo));
    finish(&json, reply);
    return FG_OK;
}

/* --- how it stands --- */

enum fg_status fg_answer_schedule(struct fg_reply *reply, struct fg_http_request *request,
                                  struct fg_err *err)
{
    struct fg_scheduling_turn turn;
    enum fg_status st = fg_request_read(NULL, request, err);
    if (!st)
        st = begin(request, &turn, err);
    if (st)
        return st;
    struct fg_json json = fg_json_to(&reply->body);
    fg_json_object(&json);
    fg_scheduler_counts_json(&json, turn.scheduler);
    finish(&json, reply);
    reply->is_for_one = true; /* who has just reported wants to see it */
    return end(request, st, err);
}
