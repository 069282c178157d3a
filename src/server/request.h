/* request.h - a request that was let in, its answer, and the table of what can be asked
 *
 * A route is a row: how it is called, what it takes, what it gives, who answers. The
 * server finds the row of a request; openapi.c writes all of them down. */
#ifndef FG_SERVER_REQUEST_H
#define FG_SERVER_REQUEST_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/opt.h"
#include "view/ads.h"
#include "view/site_change.h"
#include "view/view.h"

struct fg_server;
struct fg_route;

struct fg_named {
    struct fg_str name, value; /* both end in NUL */
};

struct fg_http_request {
    struct fg_server *server;
    const struct fg_route *route;
    struct fg_str path; /* percent-signs decoded; ends in NUL */
    const struct fg_named *args;
    size_t n_args;
    struct fg_str body;       /* ends in NUL */
    struct fg_str key;        /* Idempotency-Key, or empty */
    struct fg_str last_event; /* Last-Event-ID, or empty */
    struct fg_str signature;  /* X-Hub-Signature, or empty */
    struct fg_str host;       /* as the client calls us */
    bool is_secure;           /* by TLS, ours or a proxy's */
    bool is_glance;           /* nobody has asked for it: HEAD, or fetched ahead */
    bool is_audited;          /* it has changed something, and that is written down */
    uint64_t undoes;          /* number of the change that it takes back; 0: none */
    uint64_t client;          /* stands for its address */
    unsigned turn;            /* of the token that let it in */
    struct fg_arena *arena;   /* for the time of the request */
};

enum { FG_REPLY_MOST = 64 << 20, FG_BODY_MOST = 1 << 20 };

struct fg_reply {
    unsigned status;  /* of HTTP */
    const char *type; /* of the content */
    struct fg_buf body;
    const char *location, *cookie; /* headers, or NULL */
    unsigned retry_after_s;        /* likewise; 0: none */
    const char *link;              /* to the next rows, or NULL */
    const char *allow;             /* methods that there are instead, or NULL */
    const char *style_hash;        /* of the style within an HTML page, or NULL */
    bool is_fixed;                 /* never changes while the server runs */
    bool is_for_one;               /* it has tokens, and nobody else is given it */
    bool is_last;                  /* the connection ends with it */
};

/* What is wrong, as RFC 9457 asks. */
void fg_reply_problem(struct fg_reply *reply, unsigned status, const char *detail);
/* The status that stands for a failure. */
unsigned fg_reply_status(enum fg_status status);

typedef enum fg_status fg_answer_fn(struct fg_reply *reply,
                                    struct fg_http_request *request, struct fg_err *err);

struct fg_route {
    const char *method, *path; /* "*" at the end: anything may follow */
    const char *id;            /* its name for programs: "listPages" */
    const char *summary;
    fg_answer_fn *answer;
    const struct fg_view *view; /* that it asks, or NULL */
    const char *subject;        /* the parameter that is what the view is asked about */
    const struct fg_opt *question; /* other parameters, or the members of the body */
    size_t question_size;
    const struct fg_field *gives; /* what it answers with, if no view says it; or NULL */
    const char *type;             /* of the content; NULL: application/json */
    /* For the description. The statuses it may answer with besides problems of any kind,
     * if they are others than 200, ended by 0; the members or parameters without which it
     * refuses, with blanks between; what "*" of the path stands for. */
    unsigned statuses[7];
    const char *needs, *rest;
    bool is_paged;        /* items, with a cursor for the next */
    bool is_open;         /* goes without a token, and takes no time */
    bool is_public;       /* for strangers, from whichever page they come; push.c */
    bool changes_nothing; /* though it is no GET: it asks somebody else */
    bool is_stream;       /* answered by stream.c */
};

struct fg_routes {
    struct fg_route *at;
    size_t len;
};
/* routes.c: rows of the API, made from the views, and those of everything else. */
void fg_routes_make(struct fg_routes *routes, struct fg_arena *arena);
/* The first whose path fits; NULL if there is none: then `allowed` gets the methods that
 * its path has. */
const struct fg_route *fg_routes_find(const struct fg_routes *routes, const char *method,
                                      struct fg_str path, struct fg_str *allowed,
                                      struct fg_arena *arena);

/* The value of a parameter, empty if it is not there. */
struct fg_str fg_request_arg(const struct fg_http_request *request, const char *name);
/* Fill the question of a route from the parameters or, if it changes something, from the
 * members of the body. `_` stands for `-`. */
enum fg_status fg_request_read(void *question, struct fg_http_request *request,
                               struct fg_err *err);

/* --- what answers, by file, and what it is asked with --- */

/* views.c */
fg_answer_fn fg_answer_view, fg_answer_rows, fg_answer_sites, fg_answer_settings,
    fg_answer_policies;
extern const struct fg_opt fg_sites_opts[];

/* The answer to a question that has been read. */
enum fg_status fg_answer_asked(struct fg_reply *reply, struct fg_http_request *request,
                               const void *question, struct fg_err *err);

/* search.c */
struct fg_feedback_question {
    struct fg_opt_list seen;
    struct fg_str chosen;
};
struct fg_go_question {
    struct fg_str result, ad;
};
fg_answer_fn fg_answer_search, fg_answer_feedback, fg_answer_go;
extern const struct fg_opt fg_feedback_opts[], fg_go_opts[];

/* ads.c */
struct fg_new_ad_question {
    struct fg_str advertiser, phrase, url;
    struct fg_ads_form form;
};
struct fg_ads_state_question {
    struct fg_opt_list ads;
    int state;
};
fg_answer_fn fg_answer_click, fg_answer_ads, fg_answer_ads_stats, fg_answer_new_ad,
    fg_answer_ads_state;
extern const struct fg_opt fg_click_opts[], fg_ads_stats_opts[], fg_new_ad_opts[],
    fg_ads_state_opts[];

/* scheduler.c */
fg_answer_fn fg_answer_schedule, fg_answer_schedule_add, fg_answer_schedule_next,
    fg_answer_schedule_report, fg_answer_schedule_block;
extern const struct fg_opt fg_schedule_add_opts[], fg_schedule_next_opts[],
    fg_schedule_report_opts[], fg_schedule_block_opts[];
extern const struct fg_field fg_schedule_fields[], fg_schedule_added_fields[],
    fg_schedule_next_fields[], fg_schedule_told_fields[], fg_schedule_blocked_fields[];
struct fg_schedule_next_question {
    int64_t n;
    fg_time ahead;
};

/* figures.c, metrics.c */
struct fg_timeline_question {
    fg_time span;
    struct fg_str site;
};
fg_answer_fn fg_answer_timeline, fg_answer_metrics, fg_answer_health, fg_answer_ready;
extern const struct fg_opt fg_timeline_opts[];

/* openapi.c */
fg_answer_fn fg_answer_openapi;

/* gives.c */
extern const struct fg_field fg_timeline_fields[], fg_settings_fields[],
    fg_policies_fields[], fg_experiment_fields[], fg_experiments_fields[],
    fg_audit_fields[], fg_event_fields[], fg_handed_over_fields[], fg_added_fields[],
    fg_controlled_fields[], fg_labelled_fields[], fg_site_set_fields[],
    fg_undone_fields[], fg_preview_fields[], fg_feedback_fields[], fg_click_fields[],
    fg_new_ad_fields[], fg_ads_set_fields[], fg_ads_fields[], fg_ads_stats_fields[],
    fg_login_fields[], fg_pushed_fields[];

/* feed.c */
struct fg_feed_question {
    int kind;
    int64_t limit;
    struct fg_str query;
};
fg_answer_fn fg_answer_feed;
extern const struct fg_opt fg_feed_opts[];

/* stream.c */
struct fg_stream_question {
    int kind;
    struct fg_str site;
};
extern const struct fg_opt fg_stream_opts[];

/* assets.c */
fg_answer_fn fg_answer_asset, fg_answer_login;
extern const struct fg_opt fg_login_opts[];

/* lab.c */
struct fg_lab_question {
    struct fg_str experiment;
    uint32_t seeds, sites;
};
fg_answer_fn fg_answer_lab, fg_answer_lab_run, fg_answer_lab_stop, fg_answer_report;
extern const struct fg_opt fg_lab_opts[];

/* push.c */
fg_answer_fn fg_answer_websub_verify, fg_answer_websub_push, fg_answer_indexnow,
    fg_answer_indexnow_list;
extern const struct fg_opt fg_websub_opts[], fg_indexnow_opts[], fg_indexnow_list_opts[];

/* preview.c */
fg_answer_fn fg_answer_preview;
extern const struct fg_opt fg_preview_opts[];

/* change.c, audit.c */
struct fg_add_question {
    struct fg_str url, value;
    struct fg_opt_list tags;
    int type, scope;
    double weight, budget;
    fg_time at_least;
};
struct fg_control_question {
    struct fg_str target;
    bool page, site;
};
struct fg_label_question {
    struct fg_str url;
    int label;
};
struct fg_set_site_question {
    struct fg_str site;
    struct fg_site_change change;
};
fg_answer_fn fg_answer_add, fg_answer_pause, fg_answer_resume, fg_answer_remove,
    fg_answer_label, fg_answer_set_site, fg_answer_retry, fg_answer_audit, fg_answer_undo;
extern const struct fg_opt fg_add_opts[], fg_control_opts[], fg_label_opts[],
    fg_set_site_opts[], fg_retry_opts[], fg_undo_opts[];

#endif
