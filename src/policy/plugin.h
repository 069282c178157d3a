/* plugin.h - policies that come from outside: a table of C functions as a policy
 *
 *     const struct fg_policy *policy = fg_plugin_add(table, err);
 *
 * From then on it is found by its name like all others. Policies are added when a program
 * begins, before it has threads, and stay until it ends. The interface is
 * forage_plugin.h, which is installed; the frame knows nothing of it. */
#ifndef FG_POLICY_PLUGIN_H
#define FG_POLICY_PLUGIN_H

#include "base/err.h"
#include "policy/policy.h"

struct forage_plugin;

enum { FG_PLUGINS_MAX = 32 };

/* NULL, with the reason, if it is of another version, has no name or score, or has the
 * name of a policy there is. */
const struct fg_policy *fg_plugin_add(const struct forage_plugin *table,
                                      struct fg_err *err);
#endif
