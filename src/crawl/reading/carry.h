/* carry.h - a page on its way to another process, and what was read of it on its way back
 *
 *     fg_carry_page(&out, url, response, rules);            (there)
 *     if (fg_carried_page(&page, &arena, bytes)) ...
 *     fg_carry_reading(&out, &reading);                     (and back)
 *     if (!fg_carried_reading(&reading, &arena, bytes)) ...it is not to be trusted...
 *
 * Who reads a page may have been taken over by it, so of what comes back nothing is
 * believed: each length, each name of a thing and each address is looked at, what follows
 * from others is worked out anew, and text is UTF-8 or refused. Numbers are as the
 * machine has them, for both are the same program. What is read from bytes is a view of
 * them, or in the arena. */
#ifndef FG_CRAWL_CARRY_H
#define FG_CRAWL_CARRY_H

#include "base/arena.h"
#include "base/buf.h"
#include "crawl/reading/reading.h"

struct fg_carried {
    struct fg_str url;
    struct fg_response response; /* what of it a reading looks at */
    struct fg_reading_rules rules;
    struct fg_value_rule value; /* of the rules, with */
    struct fg_noise noise;      /* all of the noise that counts, as one */
};

/* Whether all of it was added: `out` may be too small. */
bool fg_carry_page(struct fg_buf *out, struct fg_str url,
                   const struct fg_response *response, struct fg_reading_rules rules);
/* The rules point into `page`, which must stay where it is. */
bool fg_carried_page(struct fg_carried *page, struct fg_arena *arena,
                     struct fg_str bytes);

bool fg_carry_reading(struct fg_buf *out, const struct fg_reading *reading);
bool fg_carried_reading(struct fg_reading *reading, struct fg_arena *arena,
                        struct fg_str bytes);

#endif
