/* rules.h - Allow and Disallow rules over paths, and which of them decides (RFC
 * 9309, 2.2)
 *
 *     const struct fg_rules *rules = fg_rules_index(arena, list, n);
 *     if (fg_rules_allow(rules, FG_STR("/shop/cart?id=7"))) ...
 *
 * A pattern matches from the start of the path; `*` stands for any run of octets, and `$`
 * at the very end for the end of the path. Among the rules that match, the one with the
 * most octets decides, and Allow wins a tie. Nothing matches: allowed.
 *
 * Both sides are brought to one form first: hexadecimal digits of escapes in upper case,
 * escaped unreserved characters unescaped, and whatever a URI may not hold (blanks,
 * quotes, "<", bytes from 0x80 on) escaped. An escaped "%2A" or "%24" in a pattern is the
 * character itself. In a query a reserved character equals its escape, as the second row
 * of the RFC's table has it; in a path "%2F" is not "/".
 *
 * A decision is one binary search and a walk up the chain of rules whose literal
 * beginning is a beginning of the path: ten thousand plain rules cost little more than
 * ten. Rules that begin with a wildcard have to be tried one by one; a filter over the
 * path's trigrams skips most of them. The work for one decision is bounded, and a path
 * that would need more is refused, for an attacker must not gain access by being slow. */
#ifndef FG_NET_RULES_H
#define FG_NET_RULES_H

#include "base/arena.h"
#include "base/str.h"

#include <stdbool.h>

struct fg_rules; /* private to rules.c; read-only once made, so threads may share it */

struct fg_rule {
    struct fg_str pattern; /* as it stands in the file; an empty one is no rule */
    bool allow;
};

/* A path longer than this in its normal form is refused, unless there is no rule. */
#define FG_RULES_PATH_MAX 32768

/* Octets looked at by wildcard rules in one decision before the path is refused. */
#define FG_RULES_WORK_MAX (16 << 20)

/* Copies what it needs of the patterns into the arena. */
const struct fg_rules *fg_rules_index(struct fg_arena *arena, const struct fg_rule *list,
                                      size_t n);

/* `path` is path and query as they stand in the URL; a missing "/" in front is supplied,
 * and a fragment is left out of account. */
bool fg_rules_allow(const struct fg_rules *rules, struct fg_str path);

/* The same, and the rule that decided, in its normal form. Its pattern is empty if no
 * rule matched, or if the path was refused for being too long or too much work. */
bool fg_rules_explain(struct fg_rule *by, struct fg_arena *arena,
                      const struct fg_rules *rules, struct fg_str path);

/* How many there are, without the empty ones and duplicates. */
size_t fg_rules_count(const struct fg_rules *rules);

/* The normal form of a pattern: what is compared, and whose octets are counted. */
struct fg_str fg_rule_normalise(struct fg_arena *arena, struct fg_str pattern);

#endif
