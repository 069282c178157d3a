/* working.h - one of several workers on a crawl, and its processes
 *
 * A worker is a process that crawls nothing itself. It sees which lots there are
 * (store/lots.h) and starts a process for each that falls to it (store/sharing.h), which
 * takes the lease and is a crawl like any other; it asks those to end that others are to
 * have, and, being the chair, shares out the budget. What goes wrong in a lot ends that
 * process, and no other. */
#ifndef FG_CLI_WORKING_H
#define FG_CLI_WORKING_H

#include "cli/crawling.h"

/* Until a signal comes, or the time is over. */
enum fg_status fg_cli_work(struct fg_cli *cli, const struct fg_run_options *options,
                           struct fg_err *err);

/* The crawl of one lot: "3:12:407:name", its number, epoch and beat as the worker of that
 * name saw them. */
enum fg_status fg_cli_work_on(struct fg_cli *cli, struct fg_str lot,
                              const struct fg_run_options *options, struct fg_err *err);

#endif
