/* progress.h - a running crawl tells on standard error what it does
 *
 *     struct fg_progress progress;
 *     fg_progress_start(&progress, cli, crawl);
 *     ...fg_progress_beat(&progress, crawl) about every second...
 *     fg_progress_end(&progress, crawl);
 *
 * Plain lines, on a terminal and elsewhere: what each site has come to (as the crawl says
 * it), and now and then a line of figures, first after a minute, then every log.progress
 * of real time. Standard output belongs to the events. Nothing is said with --quiet.
 * Where the log is JSON lines on standard error, the lines are part of it. */
#ifndef FG_CLI_PROGRESS_H
#define FG_CLI_PROGRESS_H

#include "cli/cli.h"
#include "crawl/crawl.h"

struct fg_progress {
    const struct fg_cli *cli;
    fg_time next; /* line of figures, monotonic */
    bool is_quiet;
};

void fg_progress_start(struct fg_progress *progress, const struct fg_cli *cli,
                       struct fg_crawl *crawl);
void fg_progress_beat(struct fg_progress *progress, const struct fg_crawl *crawl);
void fg_progress_end(struct fg_progress *progress, const struct fg_crawl *crawl);

#endif
