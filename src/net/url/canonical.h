/* canonical.h - which URLs the crawler takes for one page
 *
 *     struct fg_str text = fg_canonical_from(arena, &url, FG_CANONICAL_DEFAULT);
 *     uint64_t page = fg_canonical_fingerprint(text);
 *     struct fg_str site = fg_canonical_site(text);        "https://example.org:8080"
 *
 * Two links with the same fingerprint are one page: their canonical texts are the same,
 * or differ in "a=" and "a" only. The text is what is asked for, and servers may tell
 * these two apart; a page is asked for as it was first seen. This is our opinion and no
 * standard's, so it is kept apart from url.h. It applies to http and https:
 *
 *     fragment            dropped
 *     user and password   dropped
 *     host                one dot at its end dropped; "www." stays
 *     path                ";jsessionid=..." dropped; "//" and a slash at the end stay
 *     query               parameters that only track, or name a session, dropped; so are
 *                         those without a name; the rest sorted by name, those of one
 *                         name in the order they had; no "?" without parameters
 *     percent-encoding    %XX in upper case; letters, digits and -._~ decoded; what RFC
 *                         3986 does not allow and the URL standard lets pass ("|", "[",
 *                         a "%" that starts nothing) encoded
 *
 * Scheme and host in lower case, default ports, "." and ".." are settled by the URL
 * standard before. URLs of other schemes only lose their fragment. The names that are
 * dropped stand in canonical.c; docs/url.md says why each is there.
 * The canonical text parses to itself, and its canonical text is itself. Widely included:
 * it is the name of a page and of a site, for whoever makes or compares such names. */
#ifndef FG_NET_CANONICAL_H
#define FG_NET_CANONICAL_H

#include "base/arena.h"
#include "base/str.h"
#include "net/url/url.h"

#include <stdbool.h>
#include <stdint.h>

/* What to leave as it is; flags to be combined. */
enum fg_canonical_keep {
    FG_CANONICAL_DEFAULT = 0,
    FG_CANONICAL_KEEP_ORDER = 1,   /* of the parameters: for sites that care */
    FG_CANONICAL_KEEP_TRACKING = 2 /* tracking and session parameters */
};

/* A view of url->href where that is canonical already, else new in the arena. */
struct fg_str fg_canonical_from(struct fg_arena *arena, const struct fg_url *url,
                                unsigned keep);

/* The identity of a page: XXH3 of its canonical text, with "a" for "a=". */
uint64_t fg_canonical_fingerprint(struct fg_str canonical);

/* Scheme, host and port of a canonical http or https text, as a view of its front: what
 * shares one politeness limit. Empty for other texts. */
struct fg_str fg_canonical_site(struct fg_str canonical);

/* Of a page that is known: is it a part of another one, which only its fragment tells
 * apart? Feeds name such parts (fg_feed_places); nothing else brings fragments. */
static inline bool fg_canonical_is_part(struct fg_str url)
{
    return fg_str_chr(url, '#') != FG_NOT_FOUND;
}

/* Whether a parameter of the query, name and value as they stand there, is one that we
 * drop. */
bool fg_canonical_drops(struct fg_str name, struct fg_str value);

#endif
