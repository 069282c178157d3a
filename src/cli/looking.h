/* looking.h - what the commands that look into a workspace share */
#ifndef FG_CLI_LOOKING_H
#define FG_CLI_LOOKING_H

#include "cli/crawling.h"
#include "cli/showing.h"
#include "view/ago.h"
#include "view/look.h"

/* Pairs of JSON beyond those of base/json.h: names of flags; hexadecimal, or null if 0.
 */
void fg_json_pair_flags(struct fg_json *json, const char *key, uint32_t flags);
void fg_json_pair_hash(struct fg_json *json, const char *key, uint64_t value);

#endif
