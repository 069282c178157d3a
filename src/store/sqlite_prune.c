/* What goes again: what has ended, by its age, and whole sites.
 *
 * Both may be millions of rows, so each goes in slices of ROWS_MOST, and other results
 * are written between them. Pruning goes through the pages in the order of their keys: a
 * slice is some thousand look-ups however large the tables are, and the next one goes on
 * where it stopped. When all pages are done, requests and events follow. */
#include "store/sqlite_tables.h"

enum { PAGES_MOST = 2000, ROWS_MOST = 10000 };

/* Remember the last number given, since the rows that show it may go. */
static enum fg_status note_events(struct fg_tables *tables, struct fg_err *err)
{
    struct bind bind = start(tables, NOTE_EVENTS);
    put_int(&bind, tables->open_last_event);
    return run(tables, bind.stmt, err);
}

static int64_t as_number(uint64_t delivered)
{
    return delivered > INT64_MAX ? INT64_MAX : (int64_t)delivered;
}

/* Run it, and count what it took out against what is `left` of the slice. */
static enum fg_status take_out(struct fg_tables *tables, sqlite3_stmt *stmt,
                               int64_t *left, struct fg_err *err)
{
    enum fg_status st = run(tables, stmt, err);
    if (!st && *left > 0)
        *left -=
            sqlite3_changes(tables->db) < *left ? sqlite3_changes(tables->db) : *left;
    return st;
}

/* --- by age --- */

static enum fg_status prune_page(struct fg_tables *tables, struct place at,
                                 const struct fg_prune *prune, int64_t *left,
                                 struct fg_err *err)
{
    const struct {
        enum statement which;
        fg_time before;
    } kinds[] = {
        {PRUNE_VISITS, prune->visits},
        {PRUNE_LINKS, prune->links},
        {PRUNE_BODIES, prune->bodies},
        {PRUNE_VALUE_CHANGES, prune->values},
    };
    enum fg_status st = FG_OK;
    for (size_t i = 0; !st && *left && i < sizeof kinds / sizeof *kinds; i++) {
        if (kinds[i].before == FG_NEVER)
            continue;
        struct bind bind = start(tables, kinds[i].which);
        put_int(&bind, at.site);
        put_int(&bind, at.page);
        put_int(&bind, kinds[i].before);
        put_int(&bind, *left);
        st = take_out(tables, bind.stmt, left, err);
    }
    return st;
}

/* `is_through`: no page is left. */
static enum fg_status prune_pages(struct fg_tables *tables, const struct fg_prune *prune,
                                  int64_t *left, bool *is_through, struct fg_err *err)
{
    struct bind bind = start(tables, PRUNE_PAGES);
    put_int(&bind, tables->open_pruned.site);
    put_int(&bind, tables->open_pruned.page);
    put_int(&bind, PAGES_MOST);
    enum fg_status st = FG_OK;
    int64_t pages = 0;
    int code = SQLITE_ROW;
    while (!st && *left && (code = sqlite3_step(bind.stmt)) == SQLITE_ROW) {
        struct place at = {sqlite3_column_int64(bind.stmt, 0),
                           sqlite3_column_int64(bind.stmt, 1)};
        st = prune_page(tables, at, prune, left, err);
        if (*left) /* else it may have more, and is looked at again */
            tables->open_pruned = at;
        pages++;
    }
    if (!st && code != SQLITE_ROW && code != SQLITE_DONE)
        st = fg_sqlite_fail(err, tables->db, tables->path, "read");
    sqlite3_reset(bind.stmt);
    *is_through = code == SQLITE_DONE && pages < PAGES_MOST;
    return st;
}

static enum fg_status prune_requests(struct fg_tables *tables, fg_time before,
                                     int64_t *left, struct fg_err *err)
{
    struct bind bind = start(tables, PRUNE_REQUESTS);
    put_int(&bind, before);
    put_int(&bind, *left);
    return take_out(tables, bind.stmt, left, err);
}

static enum fg_status prune_events(struct fg_tables *tables, const struct fg_prune *prune,
                                   int64_t *left, struct fg_err *err)
{
    enum fg_status st = note_events(tables, err);
    struct bind bind = start(tables, PRUNE_EVENTS);
    put_int(&bind, as_number(prune->delivered));
    put_int(&bind, prune->events);
    put_int(&bind, *left);
    return st ? st : take_out(tables, bind.stmt, left, err);
}

enum fg_status fg_tables_prune(struct fg_tables *tables, const struct fg_prune *prune,
                               struct fg_err *err)
{
    int64_t left = ROWS_MOST;
    bool is_through = true;
    enum fg_status st = prune_pages(tables, prune, &left, &is_through, err);
    if (!st && is_through && left && prune->requests != FG_NEVER)
        st = prune_requests(tables, prune->requests, &left, err);
    if (!st && is_through && left && prune->events != FG_NEVER)
        st = prune_events(tables, prune, &left, err);
    tables->has_more = !is_through || !left;
    if (!tables->has_more)
        tables->open_pruned = (struct place){0, 0};
    return st;
}

/* --- whole sites --- */

/* `left` rows at most; -1: all of them. Its own row is the last to go. */
static enum fg_status forget(struct fg_tables *tables, int64_t site, int64_t delivered,
                             int64_t *left, struct fg_err *err)
{
    enum fg_status st = note_events(tables, err);
    for (int which = FORGET; !st && *left && which < FORGET_END; which++) {
        struct bind bind = start(tables, (enum statement)which);
        put_int(&bind, site);
        if (sqlite3_bind_parameter_count(bind.stmt) > 1)
            put_int(&bind, *left);
        if (sqlite3_bind_parameter_count(bind.stmt) > 2)
            put_int(&bind, delivered);
        st = take_out(tables, bind.stmt, left, err);
    }
    return st;
}

enum fg_status fg_tables_forget(struct fg_tables *tables, const struct fg_op_item *item,
                                struct fg_err *err)
{
    int64_t left = ROWS_MOST;
    enum fg_status st = forget(tables, item->site, as_number(item->number), &left, err);
    tables->has_more = !left;
    return st;
}

/* The requests stay, for the owner of the host: the number of the heir is where that of a
 * page would be. */
enum fg_status fg_tables_renew(struct fg_tables *tables, const struct fg_op_item *item,
                               struct fg_err *err)
{
    int64_t all = -1;
    struct bind bind = start(tables, MOVE_REQUESTS);
    put_int(&bind, item->site);
    put_int(&bind, item->page);
    enum fg_status st = run(tables, bind.stmt, err);
    return st ? st : forget(tables, item->site, INT64_MAX, &all, err);
}
