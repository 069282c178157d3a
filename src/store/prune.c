/* What goes again: what has ended, by its age, and whole sites.
 *
 * Both may be millions of rows, so each goes in slices of ROWS_MOST, and other results
 * are written between them. Pruning goes through the pages in the order of their keys: a
 * slice is some thousand look-ups however large the tables are, and the next one goes on
 * where it stopped. When all pages are done, requests and events follow. */
#include "store/writing.h"

#include "base/map.h"

#include <stdio.h>

enum { PAGES_MOST = 2000, ROWS_MOST = 10000 };
enum { CAPTURE = 4 }; /* the purpose of a visit that somebody else made */

/* Take out what the query finds, and count it against what is `left` of the slice;
 * SIZE_MAX: all of it. */
static void take_out(struct fg_writing *writing, enum fg_row_query query,
                     const struct fg_arg *args, size_t *left)
{
    size_t dropped = *left ? drop(writing, query, args, *left) : 0;
    if (*left != SIZE_MAX)
        *left -= dropped;
}

/* --- by age --- */

/* The last visit of a page explains it, and captures come but once. */
static void prune_visits(struct fg_writing *writing, struct fg_page_key at,
                         fg_time before, size_t *left)
{
    fg_time last;
    if (newest(writing, FG_VISITS_BEFORE, at, INT64_MAX, 0, &last))
        take_out(writing, FG_OLD_VISITS,
                 FG_ARGS(FG_NUM(at.site), FG_NUM(at.page),
                         FG_NUM(before < last ? before : last), FG_NUM(CAPTURE)),
                 left);
}

/* A body or a value ends when the next one comes; the newest has not ended. So the last
 * one from before that time stays, and those before it go. */
static void prune_replaced(struct fg_writing *writing, enum fg_row_query earlier,
                           struct fg_page_key at, fg_time before, size_t *left)
{
    fg_time last;
    if (newest(writing, earlier, at, before, 0, &last))
        take_out(writing, earlier,
                 FG_ARGS(FG_NUM(at.site), FG_NUM(at.page), FG_NUM(last)), left);
}

static void prune_page(struct fg_writing *writing, struct fg_page_key at,
                       const struct fg_prune *prune, size_t *left)
{
    if (prune->visits != FG_NEVER)
        prune_visits(writing, at, prune->visits, left);
    if (prune->links != FG_NEVER)
        take_out(writing, FG_LINKS_GONE,
                 FG_ARGS(FG_NUM(at.site), FG_NUM(at.page), FG_NUM(prune->links)), left);
    if (prune->bodies != FG_NEVER)
        prune_replaced(writing, FG_BODIES_BEFORE, at, prune->bodies, left);
    if (prune->values != FG_NEVER)
        prune_replaced(writing, FG_VALUE_CHANGES_BEFORE, at, prune->values, left);
}

/* The pages of one site, from where the last slice stopped. */
static void prune_site(struct fg_writing *writing, const struct fg_prune *prune,
                       size_t *pages, size_t *left)
{
    struct fg_page_key *at = &writing->open.pruned;
    struct fg_page_row page;
    struct fg_row_walk rows = walk(writing, FG_PAGES_AFTER,
                                   FG_ARGS(FG_NUM(at->site), FG_NUM(at->page)), *pages);
    for (; *left && next(writing, &rows, &page); --*pages) {
        struct fg_page_key here = {page.site, page.page};
        prune_page(writing, here, prune, left);
        if (*left) /* else it may have more, and is looked at again */
            *at = here;
    }
    end(&rows);
}

/* True when no page is left. */
static bool prune_pages(struct fg_writing *writing, const struct fg_prune *prune,
                        size_t *left)
{
    size_t pages = PAGES_MOST;
    struct fg_page_row page;
    for (;;) {
        prune_site(writing, prune, &pages, left);
        if (!pages || !*left)
            return false;
        if (!first(writing, FG_NEXT_SITE_OF_PAGES,
                   FG_ARGS(FG_NUM(writing->open.pruned.site)), &page))
            return true;
        writing->open.pruned = (struct fg_page_key){page.site, 0};
    }
}

static void prune_requests(struct fg_writing *writing, fg_time before, size_t *left)
{
    struct fg_site_row site;
    struct fg_row_walk rows = walk(writing, FG_KEYED(FG_SITES, 0), FG_NO_ARGS, SIZE_MAX);
    while (*left && next(writing, &rows, &site))
        take_out(writing, FG_OLD_REQUESTS, FG_ARGS(FG_NUM(site.site), FG_NUM(before)),
                 left);
    end(&rows);
}

/* --- events --- */

/* Remember the last number given, since the rows that show it may go. */
static void note_events(struct fg_writing *writing)
{
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)writing->open.last_event);
    put(writing, FG_PUT_STATE,
        &(struct fg_state_row){0, FG_STR(FG_LAST_EVENT_STATE), fg_str_from(text)});
}

/* Those that the query finds, without those that a webhook waits to hand on. */
static void drop_events(struct fg_writing *writing, enum fg_row_query query,
                        const struct fg_arg *args, size_t *left)
{
    struct fg_map waiting = {0};
    struct fg_waiting_row letter;
    struct fg_event_row event;
    struct fg_row_walk rows =
        walk(writing, FG_KEYED(FG_WAITING, 0), FG_NO_ARGS, SIZE_MAX);
    while (next(writing, &rows, &letter))
        *fg_map_put(&waiting, letter.number) = 1;
    end(&rows);
    rows = walk(writing, query, args, SIZE_MAX);
    while (*left && next(writing, &rows, &event))
        if (!fg_map_get(&waiting, event.number))
            take_out(writing, FG_KEYED(FG_EVENTS, 1), FG_ARGS(FG_NUM(event.number)),
                     left);
    end(&rows);
    fg_map_clear(&waiting);
}

static int64_t as_number(uint64_t delivered)
{
    return delivered > INT64_MAX ? INT64_MAX : (int64_t)delivered;
}

/* From the first one that is young enough on, all stay: outputs read them in order. */
static void prune_events(struct fg_writing *writing, const struct fg_prune *prune,
                         size_t *left)
{
    struct fg_event_row young;
    int64_t last = as_number(prune->delivered);
    note_events(writing);
    if (first(writing, FG_EVENTS_SINCE, FG_ARGS(FG_NUM(prune->events)), &young) &&
        (int64_t)young.number <= last)
        last = (int64_t)young.number - 1;
    drop_events(writing, FG_EVENT_NUMBERS, FG_ARGS(FG_NUM(last)), left);
}

void fg_prune_slice(struct fg_writing *writing, const struct fg_prune *prune)
{
    size_t left = ROWS_MOST;
    bool is_through = prune_pages(writing, prune, &left);
    if (is_through && prune->requests != FG_NEVER)
        prune_requests(writing, prune->requests, &left);
    if (is_through && left && prune->events != FG_NEVER)
        prune_events(writing, prune, &left);
    writing->has_more = !is_through || !left;
    if (!writing->has_more)
        writing->open.pruned = (struct fg_page_key){0, 0};
}

/* --- whole sites --- */

#define LAST_SITE_STATE FG_STR("sites:forgotten")

enum fg_status fg_last_site(struct fg_writing *writing, fg_site_id *last)
{
    struct fg_site_row site = {0};
    struct fg_state_row noted;
    fg_site_id before = 0;
    first(writing, FG_LAST_SITE, FG_NO_ARGS, &site);
    struct fg_row_walk rows = walk(writing, FG_KEYED(FG_STATE, 2),
                                   FG_ARGS(FG_NUM(0), FG_TEXT(LAST_SITE_STATE)), 1);
    if (next(writing, &rows, &noted) && noted.bytes.len == sizeof before)
        memcpy(&before, noted.bytes.at, sizeof before);
    end(&rows);
    *last = site.site > before ? site.site : before;
    if (*last == UINT32_MAX && !writing->status)
        writing->status = fg_fail(writing->err, FG_EINPUT,
                                  "the store is damaged: a site has the number %u; "
                                  "restore a copy of it",
                                  *last);
    return writing->status;
}

/* No site may have the number of one that was forgotten: what others know of pages by
 * their numbers would be taken for that of others. */
static void note_sites(struct fg_writing *writing)
{
    fg_site_id last;
    if (!fg_last_site(writing, &last))
        put(writing, FG_PUT_STATE,
            &(struct fg_state_row){
                0, LAST_SITE_STATE, {(const char *)&last, sizeof last}});
}

static void forget_early(struct fg_writing *writing, fg_site_id site, size_t *left)
{
    struct fg_site_row row;
    struct fg_row_walk rows =
        walk(writing, FG_KEYED(FG_SITES, 1), FG_ARGS(FG_NUM(site)), 1);
    if (next(writing, &rows, &row))
        take_out(writing, FG_KEYED(FG_EARLY, 1), FG_ARGS(FG_TEXT(row.key)), left);
    end(&rows);
}

/* Events that were not delivered stay, and the row of the site with them. */
static void forget_events(struct fg_writing *writing, fg_site_id site, int64_t delivered,
                          size_t *left)
{
    struct fg_event_row event;
    take_out(writing, FG_SITE_LETTERS, /* dead ones, or all */
             FG_ARGS(FG_NUM(site), FG_NUM(delivered != INT64_MAX)), left);
    drop_events(writing, FG_SITE_EVENT_NUMBERS, FG_ARGS(FG_NUM(delivered), FG_NUM(site)),
                left);
    if (*left && !first(writing, FG_SITE_EVENT_NUMBERS,
                        FG_ARGS(FG_NUM(INT64_MAX), FG_NUM(site)), &event))
        take_out(writing, FG_KEYED(FG_SITES, 1), FG_ARGS(FG_NUM(site)), left);
}

/* `left` rows at most; SIZE_MAX: all of them. Its own row is the last to go; counts that
 * wait for pages stay if it has an heir. */
static void forget(struct fg_writing *writing, const struct fg_site_op *op,
                   int64_t delivered, size_t *left)
{
    const struct fg_arg *of_site = FG_ARGS(FG_NUM(op->site));
    note_events(writing);
    note_sites(writing);
    fg_index_forget(writing, op->site, left);
    for (unsigned kind = 0; kind < FG_ROW_KINDS; kind++)
        if (fg_row_hangs_on_site((enum fg_row_kind)kind))
            take_out(writing, FG_KEYED(kind, 1), of_site, left);
    take_out(writing, FG_LINKS_TO_SITE, of_site, left);
    if (!op->heir)
        forget_early(writing, op->site, left);
    forget_events(writing, op->site, delivered, left);
}

void fg_forget_slice(struct fg_writing *writing, const struct fg_site_op *op)
{
    size_t left = ROWS_MOST;
    forget(writing, op, as_number(op->delivered), &left);
    writing->has_more = !left;
}

/* The requests stay, for the owner of the host. */
void fg_renew_site(struct fg_writing *writing, const struct fg_site_op *op)
{
    struct fg_request_row row;
    size_t all = SIZE_MAX;
    struct fg_row_walk rows =
        walk(writing, FG_KEYED(FG_REQUESTS, 1), FG_ARGS(FG_NUM(op->site)), SIZE_MAX);
    while (next(writing, &rows, &row)) {
        row.site = op->heir;
        put(writing, FG_PUT_REQUEST, &row);
    }
    end(&rows);
    forget(writing, op, INT64_MAX, &all);
}
