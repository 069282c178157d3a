/* man.h - the parts of the manual pages that come from the tables, as mdoc(7)
 *
 * docs/man has the pages; `make man` puts these parts into them, and a test compares. */
#ifndef FG_CLI_MAN_H
#define FG_CLI_MAN_H

#include "cli/cli.h"

/* Every flag of every command: the section FLAGS of forage(1). */
void fg_man_flags(struct fg_cli *cli);
/* All of forage-policies(7). */
void fg_man_policies(struct fg_cli *cli);

#endif
