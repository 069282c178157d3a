/* policies.h - the ways of choosing there are, as JSON: names, papers, parameters */
#ifndef FG_VIEW_POLICIES_H
#define FG_VIEW_POLICIES_H

#include "base/json.h"

void fg_policies_json(struct fg_json *json);

#endif
