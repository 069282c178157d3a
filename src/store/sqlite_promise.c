/* How long a page may go without a visit, as the user was promised. */
#include "store/sqlite_tables.h"
#include "store/sqlite_walk.h"

enum fg_status fg_tables_put_promise(struct fg_tables *tables,
                                     const struct fg_op_item *item, struct fg_err *err)
{
    struct bind bind = start(tables, item->time > 0 ? PUT_PROMISE : DROP_PROMISE);
    put_int(&bind, item->site);
    put_int(&bind, item->page);
    if (item->time > 0)
        put_int(&bind, item->time);
    return run(tables, bind.stmt, err);
}

enum fg_status fg_store_promises(struct fg_store *store,
                                 bool (*take)(void *context, fg_site_id site,
                                              fg_page_id page, fg_time at_least),
                                 void *context, struct fg_err *err)
{
    struct walk walk = fg_reader_ask(store, PROMISES, err);
    while (fg_reader_next(&walk, err)) {
        fg_site_id site = (fg_site_id)get_int(&walk);
        fg_page_id page = (fg_page_id)get_int(&walk);
        if (!take(context, site, page, get_int(&walk)))
            break;
    }
    return fg_reader_end(&walk);
}

enum fg_status fg_store_promise(struct fg_store *store, fg_time *at_least,
                                fg_site_id site, fg_page_id page, struct fg_err *err)
{
    struct walk walk = fg_reader_ask(store, ONE_PROMISE, err);
    with_int(&walk, site);
    with_int(&walk, page);
    *at_least = fg_reader_next(&walk, err) ? get_int(&walk) : 0;
    return fg_reader_end(&walk);
}
