/* lines.h - events as JSON lines, to a file or a descriptor that stays open
 *
 *     struct fg_lines *lines;
 *     fg_lines_to_file(&lines, store, "events.jsonl", &kinds, err);
 *     fg_lines_deliver(lines, err);      (what is durable and not yet written)
 *     fg_lines_free(lines);
 *
 * At least once, in order; to a file exactly once, which may be rotated, by moving or by
 * cutting it, while the crawl runs. After a failure (a full disk) nothing of it is lost
 * or written twice: fg_lines_deliver goes on where it was. */
#ifndef FG_CRAWL_OUTPUT_LINES_H
#define FG_CRAWL_OUTPUT_LINES_H

#include "base/err.h"
#include "base/opt.h"
#include "crawl/output/output.h"
#include "store/store.h"

struct fg_lines;

extern const struct fg_output_kind fg_output_stdout, fg_output_file;

/* Of the events of these kinds, from the one after the last it was given. No kinds: new
 * pages and alarms. The list is borrowed, and may change. */
enum fg_status fg_lines_to_file(struct fg_lines **lines, struct fg_store *store,
                                const char *path, const struct fg_opt_list *kinds,
                                struct fg_err *err);
enum fg_status fg_lines_to_descriptor(struct fg_lines **lines, struct fg_store *store,
                                      const char *name, int fd,
                                      const struct fg_opt_list *kinds,
                                      struct fg_err *err);
void fg_lines_free(struct fg_lines *lines); /* NULL is fine; a descriptor stays open */

enum fg_status fg_lines_deliver(struct fg_lines *lines, struct fg_err *err);
/* The reader has closed its end; what it was not given stays undelivered. */
bool fg_lines_are_closed(const struct fg_lines *lines);

#endif
