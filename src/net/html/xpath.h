/* xpath.h - the XPath expressions that people copy out of their browsers, as selectors
 *
 *     struct fg_str selector;
 *     if (fg_xpath_to_selector(&selector, arena, FG_STR("//div[@id='price']/b[1]")))
 *         selector is "div[id=\"price\"] > b:nth-of-type(1)"
 *
 * Translated are paths of names and "*", by "/" and "//"; the predicates [@a], [@a='v'],
 * [contains(@a,'v')], [starts-with(@a,'v')] and [n], the last only by itself, for behind
 * another it counts what that one left; "text()" at the end, which is what a selector
 * takes anyway; "@a" at the end; "(...)[1]", the first of all matches; and "|" between
 * paths. Anything else, axes and functions, has no selector: then it is false. */
#ifndef FG_NET_XPATH_H
#define FG_NET_XPATH_H

#include "base/arena.h"
#include "base/str.h"

#include <stdbool.h>

bool fg_xpath_to_selector(struct fg_str *selector, struct fg_arena *arena,
                          struct fg_str xpath);

#endif
