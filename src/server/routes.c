/* routes.c - the table of what can be asked
 *
 * Every view is a route of its name, and so is every kind of row that can be exported:
 * what `forage page URL --json` prints is what /api/v1/page?url=URL answers. The table is
 * what openapi.c describes and what tests walk through. */
#include "server/request.h"
#include "view/export.h"
#include "view/search.h"
#include "view/status.h"

#include <string.h>

#define API "/api/v1/"

static const struct fg_route others[] = {
    {"GET", API "sites", "listSites", "the sites that are watched, with their figures",
     .answer = fg_answer_sites, .question = fg_sites_opts,
     .question_size = sizeof(struct fg_status_question), .is_paged = true},
    {"GET", API "settings", "getSettings", "all settings, and where each came from",
     .answer = fg_answer_settings, .gives = fg_settings_fields},
    {"GET", API "policies", "listPolicies", "the policies, their papers and parameters",
     .answer = fg_answer_policies, .gives = fg_policies_fields},
    {"GET", API "experiments", "listExperiments",
     "the experiments of the lab, and how far each is", .answer = fg_answer_lab,
     .gives = fg_experiments_fields},
    {"POST", API "experiments/run", "runExperiment",
     "run an experiment, or go on with one that was stopped; one at a time",
     .answer = fg_answer_lab_run, .gives = fg_experiment_fields, .question = fg_lab_opts,
     .question_size = sizeof(struct fg_lab_question), .needs = "experiment",
     .statuses = {202, 409}},
    {"POST", API "experiments/stop", "stopExperiment",
     "stop an experiment; it can go on later", .answer = fg_answer_lab_stop,
     .gives = fg_experiment_fields, .question = fg_lab_opts,
     .question_size = sizeof(struct fg_lab_question), .needs = "experiment"},
    {"GET", API "timeline", "getTimeline",
     "new pages, requests, errors and delays, hour by hour", .answer = fg_answer_timeline,
     .gives = fg_timeline_fields, .question = fg_timeline_opts,
     .question_size = sizeof(struct fg_timeline_question)},
    {"GET", API "openapi.json", "getOpenapi", "this description",
     .answer = fg_answer_openapi},
    {"GET", API "audit", "listAudit",
     "what was changed over this server, the newest last", .answer = fg_answer_audit,
     .gives = fg_audit_fields},
    {"POST", API "preview", "previewSite",
     "what would be watched at an address: robots.txt, feeds, sitemaps, links",
     .answer = fg_answer_preview, .gives = fg_preview_fields, .question = fg_preview_opts,
     .question_size = sizeof(struct fg_str), .changes_nothing = true, .needs = "url"},
    {"POST", API "sites", "addSite", "watch a site, a feed, a page or a document",
     .answer = fg_answer_add, .gives = fg_added_fields, .question = fg_add_opts,
     .question_size = sizeof(struct fg_add_question), .needs = "url"},
    {"POST", API "pause", "pause", "leave a site or a page alone until it is resumed",
     .answer = fg_answer_pause, .gives = fg_controlled_fields,
     .question = fg_control_opts, .question_size = sizeof(struct fg_control_question),
     .needs = "target"},
    {"POST", API "resume", "resume", "go on with what was paused",
     .answer = fg_answer_resume, .gives = fg_controlled_fields,
     .question = fg_control_opts, .question_size = sizeof(struct fg_control_question),
     .needs = "target"},
    {"POST", API "remove", "remove", "stop watching a site or a page",
     .answer = fg_answer_remove, .gives = fg_controlled_fields,
     .question = fg_control_opts, .question_size = sizeof(struct fg_control_question),
     .needs = "target"},
    {"POST", API "feedback", "giveFeedback",
     "tell which results were seen and which was chosen, by their tokens",
     .answer = fg_answer_feedback, .gives = fg_feedback_fields,
     .question = fg_feedback_opts, .question_size = sizeof(struct fg_feedback_question)},
    {"POST", API "ads/click", "clickAd", "an advertisement was chosen: where it leads",
     .answer = fg_answer_click, .gives = fg_click_fields, .question = fg_click_opts,
     .question_size = sizeof(struct fg_str), .needs = "token"},
    {"GET", API "ads", "listAds", "the advertisements, and what each got",
     .answer = fg_answer_ads, .gives = fg_ads_fields},
    {"GET", API "ads/stats", "getAdsStats", "what each advertiser got, day by day",
     .answer = fg_answer_ads_stats, .gives = fg_ads_stats_fields,
     .question = fg_ads_stats_opts, .question_size = sizeof(fg_time)},
    {"POST", API "ads", "addAd", "submit an advertisement, or change its bid and texts",
     .answer = fg_answer_new_ad, .gives = fg_new_ad_fields, .question = fg_new_ad_opts,
     .question_size = sizeof(struct fg_new_ad_question),
     .needs = "advertiser phrase url"},
    {"POST", API "ads/state", "setAdsState", "pause, resume or revoke advertisements",
     .answer = fg_answer_ads_state, .gives = fg_ads_set_fields,
     .question = fg_ads_state_opts, .question_size = sizeof(struct fg_ads_state_question),
     .needs = "ads"},
    {"GET", API "scheduler", "getScheduler",
     "the scheduler for other crawlers: pages, leases, reports",
     .answer = fg_answer_schedule, .gives = fg_schedule_fields},
    {"POST", API "scheduler/add", "scheduleAdd", "pages to be handed out",
     .answer = fg_answer_schedule_add, .question = fg_schedule_add_opts,
     .gives = fg_schedule_added_fields},
    {"POST", API "scheduler/next", "scheduleNext", "pages to fetch now, with leases",
     .answer = fg_answer_schedule_next, .question = fg_schedule_next_opts,
     .question_size = sizeof(struct fg_schedule_next_question),
     .gives = fg_schedule_next_fields},
    {"POST", API "scheduler/report", "scheduleReport", "what these pages have shown",
     .answer = fg_answer_schedule_report, .question = fg_schedule_report_opts,
     .gives = fg_schedule_told_fields},
    {"POST", API "scheduler/block", "scheduleBlock", "pages and sites to leave alone",
     .answer = fg_answer_schedule_block, .question = fg_schedule_block_opts,
     .gives = fg_schedule_blocked_fields},
    {"POST", API "label", "label", "say whether a page is of interest",
     .answer = fg_answer_label, .gives = fg_labelled_fields, .question = fg_label_opts,
     .question_size = sizeof(struct fg_label_question), .needs = "url"},
    {"POST", API "site", "setSite", "set what holds for one site",
     .answer = fg_answer_set_site, .gives = fg_site_set_fields,
     .question = fg_set_site_opts, .question_size = sizeof(struct fg_set_site_question),
     .needs = "site"},
    {"POST", API "webhooks", "retryWebhooks", "try the dead letters of webhooks again",
     .answer = fg_answer_retry, .gives = fg_handed_over_fields, .question = fg_retry_opts,
     .question_size = sizeof(struct fg_str)},
    {"POST", API "undo", "undo", "take a change back that was made over this server",
     .answer = fg_answer_undo, .gives = fg_undone_fields, .question = fg_undo_opts,
     .question_size = sizeof(int64_t), .needs = "number",
     .statuses = {200, 202, 404, 409, 422}},
    {"GET", "/go", "go",
     "count that a result or an advertisement is chosen, and go there",
     .answer = fg_answer_go, .question = fg_go_opts,
     .question_size = sizeof(struct fg_go_question), .statuses = {303, 404, 503}},
    {"GET", "/websub/*", "verifyWebsub", "a hub asks whether a subscription is wanted",
     .answer = fg_answer_websub_verify, .question = fg_websub_opts, .type = "text/plain",
     .is_public = true, .statuses = {200, 404},
     .rest = "SITE.PAGE.TOKEN of the subscription, as the hub was told"},
    {"POST", "/websub/*", "pushWebsub", "a hub says that a page has changed",
     .answer = fg_answer_websub_push, .type = "text/plain", .is_public = true,
     .statuses = {202, 404, 410, 429},
     .rest = "SITE.PAGE.TOKEN of the subscription, as the hub was told"},
    {"GET", "/indexnow", "pushAddress",
     "the owner of a site says that a page has changed", .answer = fg_answer_indexnow,
     .gives = fg_pushed_fields, .question = fg_indexnow_opts, .is_public = true,
     .needs = "url key", .statuses = {200, 202, 403, 404, 422, 429}},
    {"POST", "/indexnow", "pushAddresses", "the same of up to 10,000 pages of one host",
     .answer = fg_answer_indexnow_list, .gives = fg_pushed_fields,
     .question = fg_indexnow_list_opts, .is_public = true, .needs = "host key urlList",
     .statuses = {200, 202, 403, 404, 422, 429}},
    {"GET", "/events", "streamEvents", "events as they happen (server-sent events)",
     .question = fg_stream_opts, .question_size = sizeof(struct fg_stream_question),
     .type = "text/event-stream", .is_stream = true},
    {"GET", "/feeds/*", "getFeed",
     "all, sites/HOST or tags/TAG, as .rss, .atom or .json: the newest pages",
     .answer = fg_answer_feed, .question = fg_feed_opts,
     .question_size = sizeof(struct fg_feed_question), .type = "application/xml",
     .rest = "all, sites/HOST or tags/TAG, then .rss, .atom or .json"},
    {"GET", "/lab/*", "getReport", "NAME.html: the report of an experiment that was run",
     .answer = fg_answer_report, .type = "text/html; charset=utf-8",
     .rest = "the name of an experiment, then .html"},
    {"GET", "/metrics", "getMetrics", "figures for Prometheus",
     .answer = fg_answer_metrics, .type = "text/plain; version=0.0.4; charset=utf-8"},
    {"GET", "/healthz", "getHealth", "the server lives", .answer = fg_answer_health,
     .type = "text/plain", .is_open = true},
    {"GET", "/readyz", "getReady",
     "the store can be read, and a crawl runs if one should", .answer = fg_answer_ready,
     .type = "text/plain", .is_open = true},
    {"POST", "/login", "login", "exchange a token for a cookie",
     .answer = fg_answer_login, .gives = fg_login_fields, .question = fg_login_opts,
     .question_size = sizeof(struct fg_str), .is_open = true},
    {"GET", "/*", "getAsset", "the dashboard", .answer = fg_answer_asset,
     .type = "text/html", .is_open = true,
     .rest = "a file of the dashboard; nothing: its page"},
};
enum { OTHERS = sizeof others / sizeof *others };

/* --- making --- */

/* "URL" is asked for as url=, "WORDS" as q=. */
static const char *parameter_of(const struct fg_view *view)
{
    static const struct {
        const char *subject, *name;
    } names[] = {{"URL", "url"}, {"SITE", "site"}, {"HOST", "site"}, {"WORDS", "q"}};
    for (size_t i = 0; view->subject && i < sizeof names / sizeof *names; i++)
        if (strcmp(view->subject, names[i].subject) == 0)
            return names[i].name;
    return view->subject ? "url" : NULL;
}

static const char *id_of(struct fg_arena *arena, const char *verb, const char *name)
{
    char *id = fg_arena_cstr(arena, fg_arena_printf(arena, "%s%s", verb, name));
    char *first = id + strlen(verb);
    *first = (char)(*first >= 'a' && *first <= 'z' ? *first - 'a' + 'A' : *first);
    return id;
}

static struct fg_route route_of(struct fg_arena *arena, const struct fg_view *view,
                                bool is_export)
{
    return (struct fg_route){
        .method = "GET",
        .path = fg_arena_printf(arena, API "%s", view->name).at,
        .id = id_of(arena, is_export ? "list" : "get", view->name),
        .summary = view->summary,
        .answer = is_export                 ? fg_answer_rows
                  : view == &fg_view_search ? fg_answer_search
                                            : fg_answer_view,
        .view = view,
        .subject = parameter_of(view),
        .question = view->question,
        .question_size = view->question_size,
        .is_paged = is_export,
    };
}

void fg_routes_make(struct fg_routes *routes, struct fg_arena *arena)
{
    size_t most = OTHERS;
    for (size_t i = 0; fg_views[i]; i++)
        most++;
    for (size_t i = 0; fg_exports[i].name; i++)
        most++;
    *routes = (struct fg_routes){.at = FG_NEW(arena, struct fg_route, most)};
    for (size_t i = 0; fg_views[i]; i++)
        routes->at[routes->len++] = route_of(arena, fg_views[i], false);
    for (size_t i = 0; fg_exports[i].name; i++)
        if (strcmp(fg_exports[i].name, "observations") != 0) /* another word for visits */
            routes->at[routes->len++] = route_of(arena, &fg_exports[i], true);
    memcpy(routes->at + routes->len, others, sizeof others);
    routes->len += OTHERS;
}
