/* scheduling.h - the scheduler for others in JSON, as HTTP and the command line speak it
 *
 * A lease, as it is handed out:
 *     {"lease": 12, "url": "https://news.example/", "site": "https://news.example",
 *      "why": "revisit", "not_before": "...", "deadline": "...", "score": 0.7, ...}
 * A report, as it comes back:
 *     {"lease": 12, "outcome": "ok", "links": ["/a", "https://news.example/b"],
 *      "partial": false, "changed": true, "content": "any text that stands for it"}
 * and what becomes of it:
 *     {"lease": 12, "fate": "counted", "new": 2, "new_links": [...], "changed": true} */
#ifndef FG_VIEW_SCHEDULING_H
#define FG_VIEW_SCHEDULING_H

#include "base/json.h"
#include "crawl/scheduling.h"

#include <jansson.h>

void fg_lease_json(struct fg_json *json, const struct fg_lease *lease);
/* Members of an object that is open. */
void fg_scheduler_counts_json(struct fg_json *json, const struct fg_scheduler *s);

/* A report that makes sense by itself; `links` is borrowed from the JSON. */
struct fg_report_line {
    struct fg_lease_report is;
    const json_t *links;
};
enum fg_status fg_report_read(struct fg_report_line *line, const json_t *json,
                              struct fg_err *err);

struct fg_report_sum {
    size_t counted, old, unknown, found;
};
/* Counts it; addresses that are none are passed over. `json` may be NULL. */
void fg_report_apply(struct fg_report_sum *sum, const struct fg_scheduling_turn *turn,
                     struct fg_arena *arena, const struct fg_report_line *line,
                     const struct fg_crawl_options *options, struct fg_json *json);

/* Adds or blocks an address, or everything of its site. */
enum fg_status fg_schedule_add(const struct fg_scheduling_turn *turn,
                               struct fg_arena *arena, struct fg_str address,
                               const struct fg_crawl_options *options, bool *is_new,
                               struct fg_err *err);
enum fg_status fg_schedule_block(const struct fg_scheduling_turn *turn,
                                 struct fg_arena *arena, struct fg_str address,
                                 bool is_site, bool is_blocked,
                                 const struct fg_crawl_options *options,
                                 struct fg_err *err);

#endif
