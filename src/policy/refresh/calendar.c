#include "policy/refresh/calendar.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAF = 62, AHEAD = 12, SHELVES_AN_OCTAVE = 8 };

struct fg_calendar_leaf {
    uint32_t next, n; /* next: number + 1 */
    uint32_t page[LEAF];
};

void fg_calendar_clear(struct fg_calendar *calendar)
{
    free(calendar->leaves);
    *calendar = (struct fg_calendar){0};
}

size_t fg_calendar_bytes(const struct fg_calendar *calendar)
{
    return calendar->n_leaves * sizeof *calendar->leaves;
}

/* --- lists of leaves --- */

static uint32_t take_leaf(struct fg_calendar *calendar)
{
    uint32_t number = calendar->unused;
    if (number) {
        calendar->unused = calendar->leaves[number - 1].next;
        return number;
    }
    if (calendar->n_leaves == calendar->capacity) {
        calendar->capacity = calendar->capacity ? calendar->capacity * 2 : 64;
        calendar->leaves =
            fg_resized(calendar->leaves, calendar->capacity, sizeof *calendar->leaves);
    }
    return ++calendar->n_leaves;
}

static void push(struct fg_calendar *calendar, uint32_t *list, uint32_t page)
{
    if (!*list || calendar->leaves[*list - 1].n == LEAF) {
        uint32_t number = take_leaf(calendar);
        calendar->leaves[number - 1].next = *list;
        calendar->leaves[number - 1].n = 0;
        *list = number;
    }
    struct fg_calendar_leaf *leaf = &calendar->leaves[*list - 1];
    leaf->page[leaf->n++] = page;
}

/* Whether an entry counts is found in `due`, likely far from here: it is asked for some
 * entries ahead. */
static bool pop(struct fg_calendar *calendar, uint32_t *list, const uint32_t *due,
                uint32_t *page)
{
    if (!*list)
        return false;
    struct fg_calendar_leaf *leaf = &calendar->leaves[*list - 1];
    *page = leaf->page[--leaf->n];
    if (leaf->n >= AHEAD)
        __builtin_prefetch(&due[leaf->page[leaf->n - AHEAD]], 1);
    if (!leaf->n) {
        uint32_t number = *list;
        *list = leaf->next;
        leaf->next = calendar->unused;
        calendar->unused = number;
    }
    return true;
}

/* --- the wheel --- */

enum { ROUND_BITS = 12, ERA_BITS = 20, ERAS = 256 };

static uint32_t *slot_of(struct fg_calendar *calendar, uint32_t tick)
{
    uint32_t now = calendar->now;
    if ((tick >> ROUND_BITS) - (now >> ROUND_BITS) <= 1)
        return &calendar->tick[tick % (2 * FG_CALENDAR_ROUND)];
    if ((tick >> ERA_BITS) - (now >> ERA_BITS) <= 1)
        return &calendar->round[(tick >> ROUND_BITS) % (2 * FG_CALENDAR_ERA)];
    return &calendar->era[(tick >> ERA_BITS) % ERAS];
}

static void put_in_wheel(struct fg_calendar *calendar, uint32_t tick, uint32_t page)
{
    push(calendar, slot_of(calendar, tick), page);
    calendar->in_wheel++;
    calendar->ahead = tick < calendar->ahead ? tick : calendar->ahead;
}

void fg_calendar_put(struct fg_calendar *calendar, uint32_t *due, uint32_t page,
                     uint32_t tick)
{
    assert(tick > calendar->now);
    uint32_t furthest = FG_CALENDAR_LAST - 1;
    if (furthest - calendar->now > (ERAS - 1) << ERA_BITS)
        furthest = calendar->now + ((ERAS - 1) << ERA_BITS);
    due[page] = tick < furthest ? tick : furthest;
    put_in_wheel(calendar, due[page], page);
}

/* The block after this one is to have finer slots. */
static void spread(struct fg_calendar *calendar, uint32_t *slot, unsigned bits,
                   const uint32_t *due)
{
    uint32_t list = *slot, page, next = (calendar->now >> bits) + 1;
    *slot = 0;
    while (pop(calendar, &list, due, &page))
        if (due[page] >> bits == next && due[page] < FG_CALENDAR_LAST)
            push(calendar, slot_of(calendar, due[page]), page);
        else
            calendar->in_wheel--;
}

static void step(struct fg_calendar *calendar, const uint32_t *due)
{
    uint32_t now = ++calendar->now;
    if (now % (1U << ERA_BITS) == 0)
        spread(calendar, &calendar->era[((now >> ERA_BITS) + 1) % ERAS], ERA_BITS, due);
    if (now % FG_CALENDAR_ROUND == 0)
        spread(calendar,
               &calendar->round[((now >> ROUND_BITS) + 1) % (2 * FG_CALENDAR_ERA)],
               ROUND_BITS, due);
}

/* Of those at a tick that is in this round or the next. */
static bool take_at(struct fg_calendar *calendar, uint32_t *due, uint32_t tick,
                    uint32_t *page)
{
    uint32_t *list = &calendar->tick[tick % (2 * FG_CALENDAR_ROUND)];
    while (pop(calendar, list, due, page)) {
        calendar->in_wheel--;
        if (due[*page] == tick) {
            due[*page] = 0;
            return true;
        }
    }
    return false;
}

bool fg_calendar_take(struct fg_calendar *calendar, uint32_t *due, uint32_t tick,
                      uint32_t *page)
{
    while (!take_at(calendar, due, calendar->now, page)) {
        if (calendar->now >= tick)
            return false;
        step(calendar, due);
    }
    return true;
}

bool fg_calendar_take_ahead(struct fg_calendar *calendar, uint32_t *due, uint32_t last,
                            uint32_t *page)
{
    uint32_t end = ((calendar->now >> ROUND_BITS) + 2) << ROUND_BITS;
    if (calendar->ahead <= calendar->now)
        calendar->ahead = calendar->now + 1;
    for (; calendar->ahead < end && calendar->ahead <= last; calendar->ahead++)
        if (take_at(calendar, due, calendar->ahead, page))
            return true;
    return false;
}

/* --- the shelves --- */

static size_t shelf_of(double worth)
{
    double shelf =
        worth > 0 ? floor(log2(worth) * SHELVES_AN_OCTAVE + FG_CALENDAR_SHELVES / 2.0)
                  : 0;
    return (size_t)fmin(fmax(shelf, 0), FG_CALENDAR_SHELVES - 1);
}

static void put_on_shelf(struct fg_calendar *calendar, size_t shelf, uint32_t page)
{
    push(calendar, &calendar->shelf[shelf], page);
    calendar->shelved++;
    calendar->top = calendar->top > shelf ? calendar->top : shelf + 1;
}

void fg_calendar_shelve(struct fg_calendar *calendar, uint32_t *due, uint32_t page,
                        double worth)
{
    size_t shelf = shelf_of(worth);
    due[page] = FG_CALENDAR_LAST + (uint32_t)shelf;
    put_on_shelf(calendar, shelf, page);
}

bool fg_calendar_unshelve(struct fg_calendar *calendar, uint32_t *due, double least,
                          uint32_t *page)
{
    /* The shelf that `least` falls on has less worthy ones, too. */
    size_t lowest = least > 0 ? shelf_of(least) + 1 : 0;
    for (; calendar->top > lowest; calendar->top--) {
        size_t shelf = calendar->top - 1;
        while (pop(calendar, &calendar->shelf[shelf], due, page)) {
            calendar->shelved--;
            if (due[*page] == FG_CALENDAR_LAST + (uint32_t)shelf) {
                due[*page] = 0;
                return true;
            }
        }
    }
    return false;
}

/* --- rows that move --- */

static void enter(struct fg_calendar *calendar, uint32_t at, uint32_t page)
{
    if (at >= FG_CALENDAR_LAST)
        put_on_shelf(calendar, at - FG_CALENDAR_LAST, page);
    else
        put_in_wheel(calendar, at, page);
}

void fg_calendar_rename(struct fg_calendar *calendar, const uint32_t *due, uint32_t from,
                        uint32_t to)
{
    enter(calendar, due[from], to);
}

void fg_calendar_pack(struct fg_calendar *calendar, uint32_t now, uint32_t *due, size_t n)
{
    struct fg_calendar_leaf *leaves = calendar->leaves;
    uint32_t capacity = calendar->capacity;
    *calendar = (struct fg_calendar){
        .leaves = leaves, .capacity = capacity, .now = now, .ahead = now + 1};
    for (size_t page = 0; page < n; page++) {
        if (due[page] < FG_CALENDAR_FIRST)
            continue;
        if (due[page] <= now)
            due[page] = now + 1;
        if (due[page] < FG_CALENDAR_LAST + FG_CALENDAR_SHELVES)
            enter(calendar, due[page], (uint32_t)page);
    }
}
