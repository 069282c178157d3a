/* pattern.h - the classes of addresses that a site has, and what came of fetching them
 *
 *     struct fg_pattern *pattern = fg_patterns_meet(patterns, url);    a link turned up
 *     if (fg_pattern_may_ask(pattern, now)) ...
 *     fg_pattern_learn(pattern, FG_CAME_LIST, now);                    it was read
 *     url = fg_patterns_reduce(patterns, arena, url);
 *
 * Addresses of one template are made by one program and are mostly of one kind:
 * "/2026/11/16/a-title/" is "/#/#/#/<slug>/", and of "/doku.php?id=lab:a&do=diff" the key
 * `do` has few values, which are kept, and `id` has many, which are not. Numbers and
 * tokens are always generalised, as are words with two or more hyphens; a plain word is
 * generalised once more than a dozen different ones have stood in its place.
 *
 * A pattern of which nothing came that anybody would want (copies, actions, errors) is
 * asked once a day at most: what it is given follows its record. A parameter that made no
 * difference whenever two pages differed in it alone is taken off addresses before they
 * are known. Both are kept with the site.
 *
 * Filters that can be combined make a pattern of each combination, none of which is ever
 * asked often enough to be known for what it is. So patterns of one path, whatever their
 * parameters ("/filter?*"), and of one folder, however deep ("/shop/..."), have a record
 * in common: their family's. Lists that showed nothing which was not known count as
 * copies there. */
#ifndef FG_CRAWL_PATTERN_H
#define FG_CRAWL_PATTERN_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/time.h"

#include <stdbool.h>
#include <stdint.h>

enum fg_came {
    FG_CAME_PAGE,     /* content of its own */
    FG_CAME_LIST,     /* links to pages */
    FG_CAME_DOCUMENT, /* an offer or the like, kept fresh */
    FG_CAME_COPY,     /* what another address shows as well */
    FG_CAME_OTHER,    /* an action, an error, nothing to read, not to be indexed */
    FG_CAME_KINDS
};

struct fg_pattern {
    char text[96];
    uint32_t known; /* addresses met */
    uint32_t came[FG_CAME_KINDS];
    uint32_t reported;
    uint32_t in_vain; /* taken to be new, and turned down for what they are */
    fg_time last_ask;
    /* Numbers at the end of addresses that were there before the watch began. */
    uint32_t n_serials;
    uint32_t dated; /* pages that say when they were published */
    uint64_t least_serial, most_serial;
};

uint32_t fg_pattern_fetched(const struct fg_pattern *pattern);
void fg_pattern_learn(struct fg_pattern *pattern, enum fg_came came);

/* Nothing came of it, often enough to believe that nothing will. */
bool fg_pattern_is_trap(const struct fg_pattern *pattern);
/* A page that was taken to be new is none to tell of, by what it is. Where they all are,
 * new ones are asked for once a day. */
void fg_pattern_note_vain(struct fg_pattern *pattern);
bool fg_pattern_is_in_vain(const struct fg_pattern *pattern, fg_time now);
/* A trap is asked once a day. */
bool fg_pattern_may_ask(const struct fg_pattern *pattern, fg_time now);
/* Will a page of it be one to tell of? Laplace's rule: 1/2 if nothing is known. */
double fg_pattern_page_chance(const struct fg_pattern *pattern);
/* Pages of it that look like further pages of a list ("page144.html") are not. */
bool fg_pattern_is_content(const struct fg_pattern *pattern);
/* The same of lists: a page of it is one, however little it shows yet. */
bool fg_pattern_is_list(const struct fg_pattern *pattern);
/* It is content, and hardly any of its pages says when it was published. */
bool fg_pattern_is_undated(const struct fg_pattern *pattern);
/* Is an address of this pattern older than the watch, going by the number in it? True
 * only where the numbers known are dense, so that they seem to be counted up. */
bool fg_pattern_is_old_serial(const struct fg_pattern *pattern, struct fg_str url);
/* Is it younger, by a number above all of a large stock? */
bool fg_pattern_is_new_serial(const struct fg_pattern *pattern, struct fg_str url);
/* A page of the stock turned up. If that it was there before the watch began is not
 * proven, only numbers below those that were are taken: it may have come since. */
void fg_pattern_note_serial(struct fg_pattern *pattern, struct fg_str url,
                            bool is_proven);

/* Where they are kept: a state of the site. */
#define FG_PATTERNS_STATE "patterns"

struct fg_patterns; /* of one site */
struct fg_patterns *fg_patterns_new(void);
void fg_patterns_free(struct fg_patterns *patterns);

/* The pattern of an address that turned up. It holds until the next call. */
struct fg_pattern *fg_patterns_meet(struct fg_patterns *patterns, struct fg_str url);
/* The same of one that is known; never fails, an unknown pattern is empty. */
struct fg_pattern *fg_patterns_find(struct fg_patterns *patterns, struct fg_str url);

/* The record of its family; NULL if that is not known, or it has none. */
struct fg_pattern *fg_patterns_family(struct fg_patterns *patterns, struct fg_str url);
/* A family whose pages bring nothing of their own, whatever each of its patterns did. */
bool fg_family_is_trap(const struct fg_pattern *family);
/* Is the address one of such a family, and of a pattern that is no better? */
bool fg_patterns_in_maze(struct fg_patterns *patterns, struct fg_str url);
/* As fg_pattern_may_ask; a maze is asked once a day as a whole. */
bool fg_patterns_may_ask(struct fg_patterns *patterns, struct fg_str url, fg_time now);
void fg_patterns_note_ask(struct fg_patterns *patterns, struct fg_str url, fg_time now);
/* It was read. `is_idle`: it is a list, and shows what is known already. */
void fg_patterns_learn(struct fg_patterns *patterns, struct fg_str url, enum fg_came came,
                       bool is_idle);

/* Two pages that were read show the same, or not. If their addresses differ in parameters
 * only, that tells of these. */
void fg_patterns_compare(struct fg_patterns *patterns, struct fg_str a, struct fg_str b,
                         bool is_same);
/* A parameter says who asks: it makes no difference anywhere on the site. */
void fg_patterns_drop(struct fg_patterns *patterns, struct fg_str key);
/* The address without parameters that make no difference: itself if there are none. */
struct fg_str fg_patterns_reduce(struct fg_patterns *patterns, struct fg_arena *arena,
                                 struct fg_str url);
/* Is a parameter of this name taken off the address? */
bool fg_patterns_drops(struct fg_patterns *patterns, struct fg_str url,
                       struct fg_str key);
/* The name of the thing that an address is about where that is a hash, as of a commit:
 * views of one thing have it in common. 0 if there is none. */
uint64_t fg_address_token(struct fg_str url);
/* What remains of an address when its words are left out: how deep it lies, and where
 * numbers and titles stand in it. Addresses of one shape have a number in common. */
uint64_t fg_address_shape(struct fg_str url);
/* The address without one of its parameters, by their number from 0; empty if there is
 * none of that number. */
struct fg_str fg_address_without(struct fg_arena *arena, struct fg_str url, unsigned nth);

void fg_patterns_save(const struct fg_patterns *patterns, struct fg_buf *out);
/* False, and empty patterns, if the bytes make no sense. */
bool fg_patterns_load(struct fg_patterns **patterns, struct fg_str bytes);

#endif
