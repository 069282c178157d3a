/* What documents are worth: a row for each with its value as it is, and one for each time
 * that it became another. */
#include "store/sqlite_tables.h"
#include "store/sqlite_walk.h"

void fg_value_texts(struct fg_value_row *row, struct fg_str *texts[FG_VALUE_TEXTS])
{
    struct fg_str *in_order[FG_VALUE_TEXTS] = {
        &row->rule,         &row->text,      &row->price,   &row->high,  &row->currency,
        &row->availability, &row->condition, &row->name,    &row->brand, &row->category,
        &row->seller,       &row->country,   &row->language};
    memcpy(texts, in_order, sizeof in_order);
}

/* --- writing --- */

struct last_value {
    bool exists;
    int64_t hash;
    fg_time changed; /* the newest change that is kept, or FG_NEVER */
};

static enum fg_status last_value(struct fg_tables *tables, struct last_value *last,
                                 const struct fg_value_row *row, struct fg_err *err)
{
    struct bind bind = start(tables, LAST_VALUE);
    put_int(&bind, row->site);
    put_int(&bind, row->page);
    int code = sqlite3_step(bind.stmt);
    *last = (struct last_value){.exists = code == SQLITE_ROW, .changed = FG_NEVER};
    if (last->exists) {
        last->hash = sqlite3_column_int64(bind.stmt, 0);
        if (sqlite3_column_type(bind.stmt, 1) != SQLITE_NULL)
            last->changed = sqlite3_column_int64(bind.stmt, 1);
    }
    sqlite3_reset(bind.stmt);
    if (code == SQLITE_ROW || code == SQLITE_DONE)
        return FG_OK;
    return fg_sqlite_fail(err, tables->db, tables->path, "read");
}

static enum fg_status put_change(struct fg_tables *tables, const struct fg_value_row *row,
                                 const struct last_value *last, struct fg_err *err)
{
    /* A clock that stepped back must not make the newest value look like an old one. */
    bool is_late = last->changed != FG_NEVER && row->changed <= last->changed;
    struct bind bind = start(tables, PUT_VALUE_CHANGE);
    put_int(&bind, row->site);
    put_int(&bind, row->page);
    put_int(&bind, is_late ? last->changed + 1 : row->changed);
    put_int(&bind, row->kind);
    put_text(&bind, row->text);
    enum fg_status st = run(tables, bind.stmt, err);
    if (st || !last->exists)
        return st;
    struct bind trim = start(tables, TRIM_VALUE_CHANGES);
    put_int(&trim, row->site);
    put_int(&trim, row->page);
    put_int(&trim, tables->options.value_depth);
    return run(tables, trim.stmt, err);
}

enum fg_status fg_tables_put_value(struct fg_tables *tables,
                                   const struct fg_value_row *row, struct fg_err *err)
{
    struct last_value last;
    enum fg_status st = last_value(tables, &last, row, err);
    if (st)
        return st;
    bool is_change = !last.exists || last.hash != (int64_t)row->hash;
    struct fg_value_row copy = *row;
    struct fg_str *texts[FG_VALUE_TEXTS];
    fg_value_texts(&copy, texts);
    struct bind bind = start(tables, PUT_VALUE);
    put_int(&bind, row->site);
    put_int(&bind, row->page);
    put_int(&bind, row->kind);
    put_hash(&bind, row->hash);
    put_time(&bind, is_change ? row->changed : FG_NEVER);
    for (size_t i = 0; i < FG_VALUE_TEXTS; i++)
        put_text(&bind, *texts[i]);
    st = run(tables, bind.stmt, err);
    return st || !is_change ? st : put_change(tables, row, &last, err);
}

enum fg_status fg_tables_put_value_rule(struct fg_tables *tables,
                                        const struct fg_op_item *item, struct fg_err *err)
{
    struct bind bind = start(tables, PUT_VALUE_RULE);
    put_int(&bind, item->site);
    put_int(&bind, item->page);
    put_text(&bind, item->bytes);
    return run(tables, bind.stmt, err);
}

/* --- reading --- */

static struct fg_value_row get_value(struct walk *walk)
{
    struct fg_value_row row = {.site = (fg_site_id)get_int(walk)};
    row.page = (fg_page_id)get_int(walk);
    row.kind = (uint8_t)get_int(walk);
    row.hash = (uint64_t)get_int(walk);
    row.changed = get_time(walk);
    struct fg_str *texts[FG_VALUE_TEXTS];
    fg_value_texts(&row, texts);
    for (size_t i = 0; i < FG_VALUE_TEXTS; i++)
        *texts[i] = get_text(walk);
    return row;
}

static enum fg_status walk_values(struct walk *walk,
                                  bool (*take)(void *context,
                                               const struct fg_value_row *value),
                                  void *context, struct fg_err *err)
{
    while (fg_reader_next(walk, err)) {
        struct fg_value_row row = get_value(walk);
        if (!take(context, &row))
            break;
    }
    return fg_reader_end(walk);
}

enum fg_status fg_store_values(struct fg_store *store, fg_site_id site,
                               bool (*take)(void *context,
                                            const struct fg_value_row *value),
                               void *context, struct fg_err *err)
{
    struct walk walk = fg_reader_ask(store, site ? SITE_VALUES : ALL_VALUES, err);
    if (site)
        with_int(&walk, site);
    return walk_values(&walk, take, context, err);
}

enum fg_status fg_store_value_rules(struct fg_store *store,
                                    bool (*take)(void *context,
                                                 const struct fg_value_row *value),
                                    void *context, struct fg_err *err)
{
    struct walk walk = fg_reader_ask(store, VALUE_RULES, err);
    return walk_values(&walk, take, context, err);
}

static enum fg_status walk_changes(struct walk *walk, bool has_before,
                                   bool (*take)(void *context,
                                                const struct fg_value_change *change),
                                   void *context, struct fg_err *err)
{
    while (fg_reader_next(walk, err)) {
        struct fg_value_change change = {.site = (fg_site_id)get_int(walk)};
        change.page = (fg_page_id)get_int(walk);
        change.time = get_int(walk);
        change.kind = (uint8_t)get_int(walk);
        change.text = get_text(walk);
        if (has_before) {
            change.kind_before = (uint8_t)get_int(walk);
            change.before = get_text(walk);
        }
        if (!take(context, &change))
            break;
    }
    return fg_reader_end(walk);
}

enum fg_status fg_store_value_changes(struct fg_store *store, fg_site_id site,
                                      fg_page_id page, size_t most,
                                      bool (*take)(void *context,
                                                   const struct fg_value_change *change),
                                      void *context, struct fg_err *err)
{
    struct walk walk = fg_reader_ask(store, VALUE_CHANGES, err);
    with_int(&walk, site);
    with_int(&walk, page);
    with_int(&walk, most > INT64_MAX ? INT64_MAX : (int64_t)most);
    return walk_changes(&walk, false, take, context, err);
}

enum fg_status fg_store_value_history(struct fg_store *store, fg_site_id site,
                                      fg_time since,
                                      bool (*take)(void *context,
                                                   const struct fg_value_change *change),
                                      void *context, struct fg_err *err)
{
    struct walk walk =
        fg_reader_ask(store, site ? SITE_VALUE_CHANGES : ALL_VALUE_CHANGES, err);
    with_int(&walk, since);
    if (site)
        with_int(&walk, site);
    return walk_changes(&walk, true, take, context, err);
}

enum fg_status fg_store_value(struct fg_store *store, struct fg_value_row *value,
                              struct fg_arena *arena, fg_site_id site, fg_page_id page,
                              struct fg_err *err)
{
    struct walk walk = fg_reader_ask(store, ONE_VALUE, err);
    with_int(&walk, site);
    with_int(&walk, page);
    bool found = fg_reader_next(&walk, err);
    if (found) {
        *value = get_value(&walk);
        struct fg_str *texts[FG_VALUE_TEXTS];
        fg_value_texts(value, texts);
        for (size_t i = 0; i < FG_VALUE_TEXTS; i++)
            *texts[i] = fg_arena_dup(arena, *texts[i]);
    }
    enum fg_status st = fg_reader_end(&walk);
    return st || found ? st : fg_fail(err, FG_ENOTFOUND, "no value of it is stored");
}
