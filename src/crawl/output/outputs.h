/* outputs.h - what a user can set about the ways out: files, feeds, webhooks, digests */
#ifndef FG_CRAWL_OUTPUT_OUTPUTS_H
#define FG_CRAWL_OUTPUT_OUTPUTS_H

#include "base/err.h"
#include "base/opt.h"
#include "crawl/output/filter.h"

struct fg_output_settings {
    struct fg_opt_list kinds; /* of events, for JSON lines */

    struct fg_str feeds_dir, feeds_url;
    int64_t feeds_items;
    fg_time feeds_every;
    struct fg_opt_list feeds_queries;

    struct fg_opt_list webhooks;
    fg_time webhooks_timeout, webhooks_delay, webhooks_max_delay;
    int64_t webhooks_attempts, webhooks_concurrency;

    struct fg_opt_list digest_to;
    struct fg_str digest_from, digest_command;
    fg_time digest_every, digest_timeout;
    int64_t digest_items;
};

/* The rows; to be added to a `struct fg_output_settings`. */
extern const struct fg_opt fg_output_opts[];

/* "prices tag=shop kind=changed": a name that can be part of a file's, and conditions. */
struct fg_query {
    struct fg_str name;
    struct fg_filter filter;
};
enum fg_status fg_query_parse(struct fg_query *query, struct fg_arena *arena,
                              struct fg_str text, struct fg_err *err);
/* All of feeds.queries; two of one name are refused. */
enum fg_status fg_queries_parse(struct fg_query **queries, struct fg_arena *arena,
                                const struct fg_opt_list *list, struct fg_err *err);

/* What a row by itself does not show: names given twice, files of secrets that cannot be
 * read. Messages start with the key. */
enum fg_status fg_outputs_check(const struct fg_output_settings *settings,
                                struct fg_err *err);

/* Letters, digits, "-" and "_". */
bool fg_output_is_name(struct fg_str name);

#endif
