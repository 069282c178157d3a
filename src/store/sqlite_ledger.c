/* Every request that was made, for the owners of the hosts; and what the user says of
 * pages, for the user. */
#include "store/sqlite_tables.h"
#include "store/sqlite_walk.h"

/* --- writing --- */

enum fg_status fg_tables_put_request(struct fg_tables *tables,
                                     const struct fg_request_row *row, struct fg_err *err)
{
    struct bind bind = start(tables, PUT_REQUEST);
    put_int(&bind, row->site);
    put_int(&bind, row->time);
    put_int(&bind, row->number);
    put_int(&bind, row->status);
    put_int(&bind, row->failure);
    put_int(&bind, row->purpose);
    put_int(&bind, row->hop);
    put_int(&bind, row->conditional);
    put_int(&bind, row->bytes);
    put_int(&bind, row->took_ms);
    put_text(&bind, row->target);
    return run(tables, bind.stmt, err);
}

enum fg_status fg_tables_put_note(struct fg_tables *tables, const struct fg_note_row *row,
                                  struct fg_err *err)
{
    struct bind bind = start(tables, PUT_NOTE);
    put_int(&bind, row->site);
    put_int(&bind, row->page);
    put_text(&bind, row->name);
    put_text(&bind, row->tags);
    put_text(&bind, row->home);
    put_text(&bind, row->meta);
    return run(tables, bind.stmt, err);
}

/* --- reading --- */

static struct fg_request_row get_request(struct walk *walk)
{
    struct fg_request_row row = {.site = (fg_site_id)get_int(walk)};
    row.time = get_int(walk);
    row.number = (uint32_t)get_int(walk);
    row.status = (uint16_t)get_int(walk);
    row.failure = (uint8_t)get_int(walk);
    row.purpose = (uint8_t)get_int(walk);
    row.hop = (uint8_t)get_int(walk);
    row.conditional = get_int(walk) != 0;
    row.bytes = (uint32_t)get_int(walk);
    row.took_ms = (uint32_t)get_int(walk);
    row.target = get_text(walk);
    return row;
}

enum fg_status fg_store_requests(struct fg_store *store, fg_site_id site, fg_time since,
                                 bool (*take)(void *context,
                                              const struct fg_request_row *request),
                                 void *context, struct fg_err *err)
{
    struct walk walk = fg_reader_ask(store, REQUESTS, err);
    with_int(&walk, site);
    with_int(&walk, since);
    while (fg_reader_next(&walk, err)) {
        struct fg_request_row row = get_request(&walk);
        if (!take(context, &row))
            break;
    }
    return fg_reader_end(&walk);
}

static struct fg_note_row get_note(struct walk *walk)
{
    struct fg_note_row row = {.site = (fg_site_id)get_int(walk)};
    row.page = (fg_page_id)get_int(walk);
    row.name = get_text(walk);
    row.tags = get_text(walk);
    row.home = get_text(walk);
    row.meta = get_text(walk);
    return row;
}

enum fg_status fg_store_notes(struct fg_store *store, fg_site_id site,
                              bool (*take)(void *context, const struct fg_note_row *note),
                              void *context, struct fg_err *err)
{
    struct walk walk = fg_reader_ask(store, site ? SITE_NOTES : ALL_NOTES, err);
    if (site)
        with_int(&walk, site);
    while (fg_reader_next(&walk, err)) {
        struct fg_note_row row = get_note(&walk);
        if (!take(context, &row))
            break;
    }
    return fg_reader_end(&walk);
}

enum fg_status fg_store_note(struct fg_store *store, struct fg_note_row *note,
                             struct fg_arena *arena, fg_site_id site, fg_page_id page,
                             struct fg_err *err)
{
    struct walk walk = fg_reader_ask(store, ONE_NOTE, err);
    with_int(&walk, site);
    with_int(&walk, page);
    bool found = fg_reader_next(&walk, err);
    if (found) {
        *note = get_note(&walk);
        struct fg_str *texts[] = {&note->name, &note->tags, &note->home, &note->meta};
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            *texts[i] = fg_arena_dup(arena, *texts[i]);
    }
    enum fg_status st = fg_reader_end(&walk);
    return st || found ? st : fg_fail(err, FG_ENOTFOUND, "nothing is noted of it");
}
