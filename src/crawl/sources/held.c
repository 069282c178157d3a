/* held.c - pages whose number proves nothing yet
 *
 * A number above all that is known says that a page is new (serial.c), but not while
 * further pages of lists wait, for one of them may show it. Such a page is kept in mind
 * until they have been read, and they are read for its sake. */
#include "crawl/sites/site.h"
#include "crawl/sources/pattern.h"
#include "crawl/sources/sighting.h"
#include "crawl/sources/sources.h"

void held_add(struct sight *s, struct site *site, uint32_t row)
{
    if (fg_map_get(&site->stock.held, row))
        return;
    *fg_map_put(&site->stock.held, row) = s->row;
    explore_reconsider(site);
}

/* One that stands there has been there before it was read, and so have those below. */
void held_drop(struct sight *s, uint32_t row)
{
    if (!s->look.is_continuation || !fg_map_get(&s->site->stock.held, row))
        return;
    struct fg_str url = fg_known_url(&s->crawl->known, row);
    fg_pattern_note_serial(fg_patterns_meet(s->site->patterns, url), url, true);
    fg_map_remove(&s->site->stock.held, row);
}

static void judge(struct sight *s, uint32_t row, uint32_t list)
{
    struct fg_str url = fg_known_url(&s->crawl->known, row);
    const uint32_t settled = FG_PAGE_STOCK | FG_PAGE_OLD | FG_PAGE_REPORTED;
    if (!(s->crawl->known.at[row].flags & settled) &&
        fg_pattern_is_new_serial(fg_patterns_find(s->site->patterns, url), url))
        judging_promote(s->crawl, s->batch, row,
                        &(struct new_page){.found_on = list, .dated = FG_NEVER}, s->now);
}

void held_judge(struct sight *s)
{
    struct fg_map *held = &s->site->stock.held;
    if (!fg_map_len(held) || !explore_stock_is_done(s->site))
        return;
    size_t cursor = 0;
    uint64_t row, list;
    while (fg_map_next(held, &cursor, &row, &list))
        judge(s, (uint32_t)row, (uint32_t)list);
    fg_map_clear(held);
}
