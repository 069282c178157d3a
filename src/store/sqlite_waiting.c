/* Events that a webhook has not taken yet, and dead letters. */
#include "store/sqlite_tables.h"
#include "store/sqlite_walk.h"

enum fg_status fg_tables_put_waiting(struct fg_tables *tables,
                                     const struct fg_waiting_row *row, struct fg_err *err)
{
    struct bind bind = start(tables, PUT_WAITING);
    put_text(&bind, row->hook);
    put_hash(&bind, row->number);
    put_int(&bind, row->site);
    put_int(&bind, row->attempts);
    put_time(&bind, row->next);
    put_time(&bind, row->tried);
    put_int(&bind, row->status);
    put_int(&bind, row->is_dead);
    put_text(&bind, row->why);
    return run(tables, bind.stmt, err);
}

enum fg_status fg_tables_drop_waiting(struct fg_tables *tables,
                                      const struct fg_op_item *item, struct fg_err *err)
{
    struct bind bind = start(tables, DROP_WAITING);
    put_text(&bind, item->name);
    put_hash(&bind, item->number);
    return run(tables, bind.stmt, err);
}

enum fg_status fg_store_waiting(struct fg_store *store, const char *hook,
                                bool (*take)(void *context,
                                             const struct fg_waiting_row *waiting),
                                void *context, struct fg_err *err)
{
    struct walk walk = fg_reader_ask(store, WAITING, err);
    with_text(&walk, hook);
    while (fg_reader_next(&walk, err)) {
        struct fg_waiting_row row = {.hook = get_text(&walk)};
        row.number = (uint64_t)get_int(&walk);
        row.site = (fg_site_id)get_int(&walk);
        row.attempts = (uint32_t)get_int(&walk);
        row.next = get_time(&walk);
        row.tried = get_time(&walk);
        row.status = (uint16_t)get_int(&walk);
        row.is_dead = get_int(&walk) != 0;
        row.why = get_text(&walk);
        if (!take(context, &row))
            break;
    }
    return fg_reader_end(&walk);
}
