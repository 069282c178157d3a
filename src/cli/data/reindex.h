/* reindex.h - mending the index of texts: see 'forage doctor --reindex' */
#ifndef FG_CLI_REINDEX_H
#define FG_CLI_REINDEX_H

#include "cli/cli.h"

/* Gives pages that have a stored body and no text one, and makes the index anew from the
 * texts. No crawl may run. `texts`: how many there are in the end. */
enum fg_status fg_reindex(struct fg_cli *cli, uint64_t *texts, struct fg_err *err);

#endif
