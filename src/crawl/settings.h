/* settings.h - what a user can set about a crawl, and the options that follow from it */
#ifndef FG_CRAWL_SETTINGS_H
#define FG_CRAWL_SETTINGS_H

#include "base/arena.h"
#include "base/err.h"
#include "base/opt.h"
#include "crawl/crawl.h"
#include "crawl/focus.h"
#include "crawl/output/output.h"

struct fg_crawl_settings {
    struct fg_str operator_name, operator_contact, user_agent;
    struct fg_str operator_page, operator_purpose;
    struct fg_opt_list operator_addresses;
    struct fg_conduct_rules conduct; /* of fg_conduct_opts */
    fg_time delay, connect_timeout, timeout;
    int64_t concurrency, connections, max_redirects, max_url, least_speed;
    size_t max_headers;
    int reach; /* enum fg_reach */
    bool http2;
    struct fg_str ca_file;

    struct fg_str discovery_policy, refresh_policy;
    struct fg_opt_list policy_params;
    int64_t seed;
    fg_time tick;
    fg_time at_least;
    double budget, site_budget, first_share, document_share, least_delay;
    bool backfill;
    int documents; /* enum fg_documents */
    int64_t max_documents, value_depth;
    struct fg_str value_rule;
    struct fg_opt_list ignore;
    double least_change;
    int64_t max_sources, max_pages, max_depth, explore;
    bool forecasts, report_changes, fetch_discovered, keep_bodies;
    bool sort_query, drop_tracking;
    int64_t body_depth;
    fg_time keep_requests;
    struct fg_retention retention;
    struct fg_opt_list include, exclude, report_kinds;
    struct fg_str archive_dir, archive_prefix;
    size_t archive_size;
    int64_t archive_memory;
    double clock_speed;
    struct fg_str clock_anchor;
    struct fg_focus_rules focus;       /* of fg_focus_opts */
    struct fg_output_settings outputs; /* of fg_outputs_add_opts */
};

/* The rows; to be added to a `struct fg_crawl_settings`. */
extern const struct fg_opt fg_crawl_opts[];

/* The User-Agent header that follows from the settings; in the arena. */
const char *fg_crawl_user_agent(struct fg_arena *arena,
                                const struct fg_crawl_settings *settings,
                                struct fg_str token);

/* The canonical settings as enum fg_canonical_keep. */
unsigned fg_crawl_keep(const struct fg_crawl_settings *settings);

/* `token` is operator.token, `max_body` fetch.max-body. Texts live in the arena. */
enum fg_status fg_crawl_options_from(struct fg_crawl_options *options,
                                     struct fg_arena *arena,
                                     const struct fg_crawl_settings *settings,
                                     struct fg_str token, size_t max_body,
                                     struct fg_err *err);

#endif
