/* comers.h - links that have come to a list since it was last looked at
 *
 *     fg_comers_place(&comers, &arena, links, n, now);
 *     for (size_t i = 0; i < n; i++)
 *         if (links[i].has_come && fg_comers_are_new(&comers, links[i].came))
 *             ...it is new...
 *     fg_comers_keep(&comers, links, n);
 *
 * A page has lists that grow and boxes that turn over. What has come to a list stands
 * between links that stood next to each other before, those aside that have been moved;
 * what a box shows has taken the place of something. What came between is new until such
 * comers turn out to be known, and so old. What took a place is new only once others that
 * did so have stayed: a box shows something else before long. Links are known here by a
 * number, their fingerprint.
 *
 * Each part of the page has a record of its own: the box of old things below a list says
 * nothing of the list. As long as too little has come to a part, the whole page speaks
 * for it. */
#ifndef FG_CRAWL_COMERS_H
#define FG_CRAWL_COMERS_H

#include "base/arena.h"
#include "base/str.h"
#include "base/time.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fg_coming {
    FG_CAME_BETWEEN,
    FG_CAME_INSTEAD,
    FG_CAME_UNPLACED, /* the look before is not known, as after a restart */
    FG_CAME_FIRST,    /* it stood there when the list was first looked at */
    FG_CAME_TO_STAY,  /* instead of something, and it has stayed */
    FG_CAME_AS_LIST,  /* with so many others that it is a list, all of which was replaced
                       */
};

struct fg_comer {
    uint64_t link;
    fg_time since;   /* when it came */
    uint32_t region; /* of the page: a box beside a list is another one */
    /* The heading above it; 0 if it has come with its heading, for then the heading may
     * be its own. */
    uint32_t section;
    uint8_t came;  /* enum fg_coming */
    bool has_come; /* since the last look */
};

/* A region and section; of the whole page, FG_PART_ALL. */
#define FG_PART_ALL 0
static inline uint32_t fg_comer_part(const struct fg_comer *comer)
{
    return (comer->region ^ comer->section * 0x9E3779B9u) | 1u;
}

/* By place: what was old, and what was not; faded. */
struct fg_comers_record {
    uint32_t part;
    uint32_t brought_up[2], appeared[2];
};

enum { FG_COMERS_PARTS = 12 };
struct fg_comers {
    struct fg_comer *order; /* the links of the last look, as they stood, each once */
    size_t n;
    struct fg_comers_record whole, part[FG_COMERS_PARTS];
    uint32_t n_parts;
};

void fg_comers_clear(struct fg_comers *comers);

/* Most of what the list showed at that look it had shown before: its addresses are not
 * made anew for each visit. */
bool fg_comers_have_lasted(const struct fg_comers *comers, fg_time last_seen);

/* Fills in how each link of this look, each once and in order, has come. Where the last
 * look is not known, all are unplaced. */
void fg_comers_place(const struct fg_comers *comers, struct fg_arena *arena,
                     struct fg_comer *links, size_t n, fg_time now);

/* Is half of the list missing, and hardly anything has come, or only behind what is left
 * of it? A server that falters shows such a page once or twice; what comes back then is
 * not new. Goes by what fg_comers_place has filled in. */
bool fg_comers_are_lacking(const struct fg_comers *comers, const struct fg_comer *links,
                           size_t n);

/* A link that has come between others or to stay was old, or not. */
void fg_comers_count(struct fg_comers *comers, uint32_t part, enum fg_coming came,
                     bool was_old);
/* One that had come is gone before its time: it was not new, but brought up. */
void fg_comers_count_brief(struct fg_comers *comers, uint32_t part, enum fg_coming came);
bool fg_comers_bring_up_old(const struct fg_comers *comers, uint32_t part,
                            enum fg_coming came);
/* Is a link that has come like this new, as far as the list can say? */
bool fg_comers_are_new(const struct fg_comers *comers, uint32_t part,
                       enum fg_coming came);

/* Have several links come between others, and none of them was old? */
bool fg_comers_are_proven(const struct fg_comers *comers, uint32_t part);
/* The same of the part alone, and nothing old ever took a place there, either. */
bool fg_comers_only_grow(const struct fg_comers *comers, uint32_t part);
/* Was one of them old? */
bool fg_comers_have_brought_up(const struct fg_comers *comers, uint32_t part);

/* This look is the last one from now on. */
void fg_comers_keep(struct fg_comers *comers, const struct fg_comer *links, size_t n);

/* As bytes for the store, in the arena; and back, into comers that are empty. False if
 * they are not such bytes. */
struct fg_str fg_comers_write(const struct fg_comers *comers, struct fg_arena *arena);
bool fg_comers_read(struct fg_comers *comers, struct fg_str bytes);

#endif
