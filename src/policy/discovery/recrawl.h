/* recrawl.h - a look at every page, and what new links each of them showed
 *
 *     at the start of each choice:
 *         if (fg_recrawl_is_done(recrawl, brain))
 *             ...fg_recrawl_links(recrawl, brain, page, &links)...
 *         fg_recrawl_go_on(recrawl, brain, now);
 *     then pick first the pages that fg_recrawl_wants
 *
 * COV and CLIQ of chapter 3 of Pandey's thesis learn from complete recrawls. With `every`
 * hours given, one is begun so often and runs over as many ticks as the budget needs;
 * with `every` 0 nothing is asked for, and a round in which every page happens to be
 * visited is taken for one: the thesis' own setting, where recrawls are for free.
 *
 * The new links of a page are those that nobody had shown when the recrawl began and
 * that its own last visit did not show. A page that joins while it runs is not waited
 * for, nor is one that is blocked; a page that could not be fetched has shown nothing. At
 * most FG_RECRAWL_LINKS are held, 32 MB, and those beyond are not noted. */
#ifndef FG_POLICY_DISCOVERY_RECRAWL_H
#define FG_POLICY_DISCOVERY_RECRAWL_H

#include "base/map.h"
#include "base/vec.h"
#include "policy/policy.h"

enum { FG_RECRAWL_LINKS = 1 << 22 };

struct fg_recrawl {
    size_t column; /* FG_U32 of the policy's: the run of a page + 1, 0 for none */
    double every_hours;
    bool is_running;
    fg_time since; /* the last one began; FG_NEVER before the first */
    FG_VEC(uint64_t) links;
    FG_VEC(uint64_t) ends; /* run r is links[ends[r - 1]] .. links[ends[r]] */
    struct fg_map found;   /* new in this recrawl, to the run + 1 that showed it last */
};

void fg_recrawl_init(struct fg_recrawl *recrawl, size_t column);
void fg_recrawl_clear(struct fg_recrawl *recrawl);

void fg_recrawl_observe(struct fg_recrawl *recrawl, struct fg_brain *brain,
                        const struct fg_visit *visit);

/* Every page was looked at since it began. */
bool fg_recrawl_is_done(const struct fg_recrawl *recrawl, const struct fg_brain *brain);

/* Ends the one that is done, whose links go; begins the next when it is time. */
void fg_recrawl_go_on(struct fg_recrawl *recrawl, struct fg_brain *brain, fg_time now);

/* Whether the page is still to be looked at. */
bool fg_recrawl_wants(const struct fg_recrawl *recrawl, const struct fg_brain *brain,
                      size_t page);

/* Without repetition, in no order. */
size_t fg_recrawl_links(const struct fg_recrawl *recrawl, const struct fg_brain *brain,
                        size_t page, const uint64_t **links);

void fg_recrawl_save(const struct fg_recrawl *recrawl, struct fg_buf *out);
/* False, and no recrawl is running, if it makes no sense beside the column. */
bool fg_recrawl_load(struct fg_recrawl *recrawl, struct fg_brain *brain,
                     struct fg_str *rest);

#endif
