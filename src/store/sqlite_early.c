/* Counts of clicks and impressions that came before their pages were known. They have a
 * table of their own, because those of a shop may be millions, and most of them are
 * placed within the first days. */
#include "store/sqlite_tables.h"
#include "store/sqlite_walk.h"

enum fg_status fg_tables_put_early(struct fg_tables *tables,
                                   const struct fg_op_item *item, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    size_t n = item->bytes.len / sizeof(struct fg_early_row);
    for (size_t i = 0; !st && i < n; i++) {
        struct fg_early_row row;
        memcpy(&row, item->bytes.at + i * sizeof row, sizeof row);
        struct bind bind = start(tables, PUT_EARLY);
        put_text(&bind, item->name);
        put_hash(&bind, row.fingerprint);
        put_int(&bind, row.day);
        put_count(&bind, row.clicks);
        put_count(&bind, row.impressions);
        st = run(tables, bind.stmt, err);
    }
    if (st)
        return st;
    struct bind trim = start(tables, TRIM_EARLY);
    put_text(&trim, item->name);
    put_int(&trim, FG_DAILY_KEPT);
    return run(tables, trim.stmt, err);
}

enum fg_status fg_tables_place_early(struct fg_tables *tables,
                                     const struct fg_op_item *item, struct fg_err *err)
{
    struct bind place = start(tables, PLACE_EARLY), drop = start(tables, DROP_EARLY),
                trim = start(tables, TRIM_DAILY);
    put_text(&place, item->name);
    put_hash(&place, item->number);
    put_int(&place, item->site);
    put_int(&place, item->page);
    enum fg_status st = run(tables, place.stmt, err);
    put_text(&drop, item->name);
    put_hash(&drop, item->number);
    if (!st)
        st = run(tables, drop.stmt, err);
    put_int(&trim, item->site);
    put_int(&trim, FG_DAILY_KEPT);
    return st ? st : run(tables, trim.stmt, err);
}

enum fg_status fg_store_early(struct fg_store *store,
                              bool (*take)(void *context, struct fg_str key,
                                           uint64_t fingerprint),
                              void *context, struct fg_err *err)
{
    struct walk walk = fg_reader_ask(store, EARLY, err);
    while (fg_reader_next(&walk, err)) {
        struct fg_str key = get_text(&walk);
        if (!take(context, key, (uint64_t)get_int(&walk)))
            break;
    }
    return fg_reader_end(&walk);
}
