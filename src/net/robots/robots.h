/* robots.h - which paths of a site we may visit (RFC 9309)
 *
 *     const struct fg_robots *r = fg_robots_parse(arena, text, FG_STR("mybot"));
 *     if (fg_robots_allows(r, FG_STR("/shop/cart?id=7"))) ...
 *
 * The result lives in the arena and is read-only, so threads may share it; it does not
 * point into `text`. A path is path and query as they stand in the URL. How rules match
 * is told in net/robots/rules.h; what to assume when there is no file is in
 * net/robots/robots_fetch.h; values on single pages (X-Robots-Tag, meta robots) are read
 * by net/robots/robots_tag.h; docs/robots.md has all of it on one page.
 *
 * Where a file breaks the grammar we lean towards what its author meant, and only where
 * that makes us obey more: misspelt field names other than Allow, a missing colon, names
 * in one User-agent line separated by commas, a UTF-16 file, half a byte order mark, tags
 * around the lines. Nothing here is an error. */
#ifndef FG_NET_ROBOTS_H
#define FG_NET_ROBOTS_H

#include "base/arena.h"
#include "base/str.h"
#include "base/time.h"

#include <stdbool.h>

struct fg_robots; /* private to robots.c */

/* What we read of a file: the 500 KiB the RFC asks for at least, cut at a line. */
#define FG_ROBOTS_MAX_BYTES (500 << 10)
/* What we read of a line; the rest of it is cut off. */
#define FG_ROBOTS_LINE_MAX 16663
/* How many own names count. */
#define FG_ROBOTS_NAMES_MAX 16
/* A Crawl-delay beyond this counts as this: robots.txt itself is read again after a day.
 */
#define FG_ROBOTS_DELAY_MAX FG_DAY

/* `names` is our product token, or several of them separated by commas; case does not
 * matter, and a version ("mybot/1.2") is left out of account. The rules are those of all
 * groups that name one of them; only if there is no such group, those for "*". A crawler
 * that wants to obey both lists "*" among its names. What is no token, such as a whole
 * User-Agent header, names no group.
 * Never fails: lines we do not understand are skipped, as the RFC asks. */
const struct fg_robots *fg_robots_parse(struct fg_arena *arena, struct fg_str text,
                                        struct fg_str names);

/* The longest matching rule wins; a tie goes to Allow; "/robots.txt" is always allowed.
 */
bool fg_robots_allows(const struct fg_robots *robots, struct fg_str path);

/* The same for a person who asks why, with the rule that decided (see fg_rules_explain).
 */
struct fg_rule;
bool fg_robots_explain(struct fg_rule *by, struct fg_arena *arena,
                       const struct fg_robots *robots, struct fg_str path);

/* The line of the file, from 1, that the rule which decided stands on; 0 if none does. */
unsigned fg_robots_rule_line(struct fg_str text, struct fg_str names,
                             const struct fg_rule *by);

/* The least time between two visits, FG_NEVER if the file names none. It is set for the
 * User-agent lines right above it; of several the longest counts. */
fg_time fg_robots_delay(const struct fg_robots *robots);

/* Sitemap lines stand for the whole file. They are kept as written: resolve them against
 * the address of the file, and expect anything. */
const struct fg_str *fg_robots_sitemaps(const struct fg_robots *robots, size_t *n);

/* Content-Signal and Content-Usage lines that are meant for us or, above all groups, for
 * everybody, as written. */
struct fg_robots_signal {
    bool is_usage; /* Content-Usage, the IETF's draft */
    struct fg_str value;
};
const struct fg_robots_signal *fg_robots_signals(const struct fg_robots *robots,
                                                 size_t *n);

/* What the Content-Signal lines say about a purpose ("search", "ai-input", "ai-train").
 * If they contradict each other the answer is no. */
enum fg_robots_answer { FG_ROBOTS_SILENT, FG_ROBOTS_NO, FG_ROBOTS_YES };
enum fg_robots_answer fg_robots_signal(const struct fg_robots *robots,
                                       struct fg_str purpose);

/* The same for one path of the site: a line may begin with a path ("/news ai-train=no"),
 * and of those that match, the longest decides. */
enum fg_robots_answer fg_robots_signal_at(const struct fg_robots *robots,
                                          struct fg_str purpose, struct fg_str path);

/* True if the file was longer than FG_ROBOTS_MAX_BYTES, so that its end was not read. */
bool fg_robots_is_cut(const struct fg_robots *robots);

/* True if a group names us, so that the one for "*" was not looked at. */
bool fg_robots_names_us(const struct fg_robots *robots);

/* True if other parsers will find the name in a User-agent line: letters, "-" and "_" as
 * in the RFC, and digits, which it does not list but everybody reads. */
bool fg_robots_is_token(struct fg_str name);
/* What is wrong with it, or NULL: for a row of a table of options. */
const char *fg_robots_refuse_token(struct fg_str name);

/* The part of a URL that the rules are about: what follows the host, without a fragment.
 * For text that has not been through net/url/url.h. */
struct fg_str fg_robots_path(struct fg_str url);

#endif
