/* comers.h - links that have come to a list since it was last looked at
 *
 *     uint8_t *places = fg_comers_place(&comers, &arena, now, n);
 *     for (size_t i = 0; i < n; i++)
 *         if (places[i] != FG_WAS_THERE && !fg_comers_bring_up_old(&comers, places[i]))
 *             ...it is new...
 *     fg_comers_keep(&comers, now, n);
 *
 * A page has lists that grow and boxes that turn over. What has come to a list stands
 * between links that stood next to each other before; what a box shows has taken the
 * place of something. Of each sort a list has a record: do its comers turn out to be
 * known, and so old, or not? Links are known here by a number, their fingerprint. */
#ifndef FG_CRAWL_COMERS_H
#define FG_CRAWL_COMERS_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fg_coming { FG_CAME_BETWEEN, FG_CAME_INSTEAD, FG_WAS_THERE };

struct fg_comers {
    uint64_t *order; /* the links of the last look, as they stood, each once */
    size_t n;
    uint32_t brought_up[2], appeared[2]; /* by place: known before, and not; faded */
};

void fg_comers_clear(struct fg_comers *comers);

/* The place of each link of this look, each once and in order, as enum fg_coming. Where
 * the last look is not known, all count as having come instead of something. */
uint8_t *fg_comers_place(const struct fg_comers *comers, struct fg_arena *arena,
                         const uint64_t *now, size_t n);

/* A link that has come was known, or not. */
void fg_comers_count(struct fg_comers *comers, enum fg_coming place, bool was_known);
/* One that came with the last look is gone again: it was not new, but brought up. */
void fg_comers_count_brief(struct fg_comers *comers);
bool fg_comers_bring_up_old(const struct fg_comers *comers, enum fg_coming place);

void fg_comers_keep(struct fg_comers *comers, const uint64_t *now, size_t n);

#endif
