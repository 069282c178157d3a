/* calendar.h - pages by the tick at which they are to be looked at again
 *
 *     struct fg_calendar calendar = {.now = tick, .ahead = tick + 1};
 *     fg_calendar_put(&calendar, due, page, tick + 40);
 *     fg_calendar_shelve(&calendar, due, page, worth);
 *     while (fg_calendar_take(&calendar, due, tick, &page)) ...     once a tick
 *     while (fg_calendar_take_ahead(&calendar, due, tick + 9, &page)) ...
 *     while (fg_calendar_unshelve(&calendar, due, least, &page)) ...
 *     fg_calendar_clear(&calendar);
 *
 * A wheel of ticks (Varghese and Lauck, 1987). This round of 4096 ticks and the next have
 * a slot for each tick; further rounds of this era and the next have one each, and so
 * have later eras. Pages move down a level when the round or era before theirs begins.
 * Beside the wheel stand shelves, for pages that wait not for a tick but until something
 * of their worth is wanted: a shelf spans an eighth of an octave, and the most worthy are
 * taken first.
 *
 * `due` has one entry a page, which says where the page is: it is the caller's, to be
 * kept in a column, and starts as 0 for nowhere. The calendar itself holds page numbers,
 * of 4 bytes, that count only while `due` agrees: to take a page out, or to put it
 * elsewhere, nothing has to be searched. What is void is thrown away when its turn comes,
 * or by packing. */
#ifndef FG_POLICY_REFRESH_CALENDAR_H
#define FG_POLICY_REFRESH_CALENDAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FG_CALENDAR_ROUND = 4096, /* ticks */
    FG_CALENDAR_ERA = 256,    /* rounds */
    FG_CALENDAR_SHELVES = 512,
    FG_CALENDAR_FIRST = 16, /* ticks count from here; dues of 1 to 15 are the caller's */
};
#define FG_CALENDAR_LAST UINT32_C(0xFFFF0000) /* dues from here on are shelves */

struct fg_calendar_leaf;

struct fg_calendar {
    struct fg_calendar_leaf *leaves;
    uint32_t n_leaves, capacity;
    /* Lists of leaves, by number + 1. */
    uint32_t unused;
    uint32_t tick[2 * FG_CALENDAR_ROUND], round[2 * FG_CALENDAR_ERA], era[256];
    uint32_t shelf[FG_CALENDAR_SHELVES];
    uint32_t now;
    uint32_t ahead;           /* nothing is due after `now` and before it */
    size_t top;               /* no shelf from it on has anything */
    size_t in_wheel, shelved; /* entries, void ones included */
};

void fg_calendar_clear(struct fg_calendar *calendar);

/* After `now`; a tick too far away is replaced by the last there is. */
void fg_calendar_put(struct fg_calendar *calendar, uint32_t *due, uint32_t page,
                     uint32_t tick);
void fg_calendar_shelve(struct fg_calendar *calendar, uint32_t *due, uint32_t page,
                        double worth);

/* A page that is due up to `tick`, the earliest first; it is nowhere then. If there is
 * none left, false, and `tick` is the calendar's now. */
bool fg_calendar_take(struct fg_calendar *calendar, uint32_t *due, uint32_t tick,
                      uint32_t *page);

/* The page that is due next, if that is in this round or the one after, and not after the
 * tick `last`. It was due at `calendar->ahead`. */
bool fg_calendar_take_ahead(struct fg_calendar *calendar, uint32_t *due, uint32_t last,
                            uint32_t *page);

/* A page shelved with a worth of at least `least`, the most worthy first; some that are
 * worth up to 9 % more than `least` stay. */
bool fg_calendar_unshelve(struct fg_calendar *calendar, uint32_t *due, double least,
                          uint32_t *page);

/* The page at `from`, which is in the calendar, becomes page `to`; `due` follows later.
 */
void fg_calendar_rename(struct fg_calendar *calendar, const uint32_t *due, uint32_t from,
                        uint32_t to);

/* Throw all entries away, and put pages 0 .. n-1 where `due` has them, those of the past
 * right after `now`. */
void fg_calendar_pack(struct fg_calendar *calendar, uint32_t now, uint32_t *due,
                      size_t n);

size_t fg_calendar_bytes(const struct fg_calendar *calendar);

#endif
