/* The statements that put a batch into the tables. They are prepared once and kept for
 * the life of the connection; texts are bound in place, without a copy, because the batch
 * outlives the step.
 *
 * A page row is written at every visit, but its URL never changes and its fingerprint
 * hardly ever. So the upsert leaves both alone, which spares the uniqueness index; only
 * when the fingerprint did change is a second, full update needed. What a visit read and
 * that it took place come as two operations, since a visit may read nothing; where they
 * follow each other the row is found and packed once for both. */
#include "store/sqlite_tables.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>

#define CONTENT                                                                 \
    "flags = ?7, alias_of = iif(?8, ?8, alias_of), next_visit = ?9,"            \
    " published = coalesce(?10, published), content_hash = ?11, simhash = ?12," \
    " etag = ?13, last_modified = ?14, title = ?15, language = ?16, identity = ?17"
/* A failure leaves the status of the last answer, and is forgotten by the next one. */
#define VISIT                                                                \
    "last_visit = ?3, visits = visits + 1, changes = changes + ?4,"          \
    " last_change = iif(?4, ?3, last_change), status = iif(?5, ?5, status)," \
    " failures = iif(?6, failures + 1, 0)"

#define LOGGED                                                                  \
    "(site, page, time, status, failure, changed, conditional, purpose, links," \
    " fresh, bytes, took_ms, score, probability, explored)"                     \
    " VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"

/* At most ?4 of those rows of a page that were replaced before ?3. */
#define REPLACED(table)                                                              \
    "DELETE FROM " table " WHERE site = ?1 AND page = ?2 AND time IN"                \
    " (SELECT time FROM " table " WHERE site = ?1 AND page = ?2 AND time <"          \
    " (SELECT max(time) FROM " table " WHERE site = ?1 AND page = ?2 AND time < ?3)" \
    " LIMIT ?4)"

/* At most ?2 rows of a site, all if that is -1. */
#define OF_SITE(table, key)                                                              \
    "DELETE FROM " table " WHERE site = ?1 AND (" key ") IN (SELECT " key " FROM " table \
    " WHERE site = ?1 LIMIT ?2)"

static const char *const sql[N_STATEMENTS] = {
    [BEGIN] = "BEGIN IMMEDIATE",
    [COMMIT] = "COMMIT",
    [ROLLBACK] = "ROLLBACK",
    [PUT_SITE] = "INSERT OR REPLACE INTO sites(site, key, domain, tags, added,"
                 " last_request, state, crawl_delay, robots_fetched, robots_expires,"
                 " robots_verdict, backoff_until, backoff_step, settings, robots)"
                 " VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
    [PUT_PAGE] =
        "INSERT INTO pages(site, page, fingerprint, url, flags, found_on, alias_of,"
        " first_seen, last_visit, last_change, next_visit, published, status, visits,"
        " changes, failures, content_hash, simhash, weight, depth, etag, last_modified,"
        " title, language, identity)"
        " VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
        " ON CONFLICT(site, page) DO UPDATE SET flags = excluded.flags,"
        " found_on = excluded.found_on, alias_of = excluded.alias_of,"
        " first_seen = excluded.first_seen, last_visit = excluded.last_visit,"
        " last_change = excluded.last_change, next_visit = excluded.next_visit,"
        " published = excluded.published, status = excluded.status,"
        " visits = excluded.visits, changes = excluded.changes,"
        " failures = excluded.failures, content_hash = excluded.content_hash,"
        " simhash = excluded.simhash, weight = excluded.weight, depth = excluded.depth,"
        " etag = excluded.etag, last_modified = excluded.last_modified,"
        " title = excluded.title, language = excluded.language,"
        " identity = excluded.identity"
        " WHERE fingerprint = excluded.fingerprint",
    [RENAME_PAGE] = "UPDATE pages SET fingerprint = ?3, url = ?4"
                    " WHERE site = ?1 AND page = ?2",
    [PUT_CONTENT] = "UPDATE pages SET " CONTENT " WHERE site = ?1 AND page = ?2",
    [PUT_FLAGS] = "UPDATE pages SET flags = ?3, alias_of = iif(?4, ?4, alias_of)"
                  " WHERE site = ?1 AND page = ?2",
    [PUT_WEIGHT] = "UPDATE pages SET weight = ?3 WHERE site = ?1 AND page = ?2",
    [COUNT_VISIT] = "UPDATE pages SET " VISIT " WHERE site = ?1 AND page = ?2",
    [PUT_CONTENT_OF_VISIT] =
        "UPDATE pages SET " CONTENT ", " VISIT " WHERE site = ?1 AND page = ?2",
    [PUT_VISIT] = "INSERT OR REPLACE INTO visits" LOGGED,
    [PUT_CAPTURE] = "INSERT OR IGNORE INTO visits" LOGGED,
    [PUT_LINK] =
        "INSERT INTO links(site, source, target_site, target, first_seen, last_seen,"
        " gone) VALUES(?,?,?,?,?,?,?) ON CONFLICT(site, source, target_site, target)"
        " DO UPDATE SET first_seen = ifnull(excluded.first_seen, first_seen),"
        " last_seen = excluded.last_seen, gone = excluded.gone",
    [PUT_EVENT] = "INSERT INTO outbox(number, site, page, id, time, kind, json)"
                  " VALUES(?,?,?,?,?,?,?) ON CONFLICT(site, id) DO NOTHING",
    [PUT_DELIVERED] = "INSERT OR REPLACE INTO deliveries VALUES(?,?,?)",
    [PUT_STATE] = "INSERT OR REPLACE INTO state(site, name, bytes) VALUES(?,?,?)",
    [PUT_LABEL] = "INSERT OR REPLACE INTO labels(site, page, relevant) VALUES(?,?,?)",
    [DROP_LABEL] = "DELETE FROM labels WHERE site = ? AND page = ?",
    [PUT_DAILY] = "INSERT OR REPLACE INTO counts(site, day, page, clicks, impressions)"
                  " VALUES(?,?,?,?,?)",
    [TRIM_DAILY] = "DELETE FROM counts WHERE site = ?1 AND day <="
                   " (SELECT max(day) FROM counts WHERE site = ?1) - ?2",
    [LAST_VALUE] = "SELECT v.hash, (SELECT max(time) FROM value_changes WHERE site = ?1"
                   " AND page = ?2) FROM page_values v WHERE v.site = ?1 AND v.page = ?2"
                   " AND v.changed IS NOT NULL",
    [PUT_VALUE] =
        "INSERT INTO page_values(site, page, kind, hash, changed, rule, text, price,"
        " high, currency, availability, condition, name, brand, category, seller,"
        " country, language) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
        " ON CONFLICT(site, page) DO UPDATE SET kind = excluded.kind,"
        " hash = excluded.hash, changed = ifnull(excluded.changed, changed),"
        " text = iif(hash = excluded.hash, text, excluded.text),"
        " price = excluded.price, high = excluded.high,"
        " currency = excluded.currency, availability = excluded.availability,"
        " condition = excluded.condition, name = excluded.name, brand = excluded.brand,"
        " category = excluded.category, seller = excluded.seller,"
        " country = excluded.country, language = excluded.language",
    [PUT_VALUE_RULE] = "INSERT INTO page_values VALUES(?,?,0,0,NULL,?,'','','','','','',"
                       "'','','','','','') ON CONFLICT(site, page)"
                       " DO UPDATE SET rule = excluded.rule,"
                       " changed = iif(rule = excluded.rule, changed, NULL)",
    [PUT_VALUE_CHANGE] = "INSERT INTO value_changes(site, page, time, kind, text)"
                         " VALUES(?,?,?,?,?)",
    [TRIM_VALUE_CHANGES] =
        "DELETE FROM value_changes WHERE site = ?1 AND page = ?2 AND time <="
        " (SELECT time FROM value_changes WHERE site = ?1 AND page = ?2"
        " ORDER BY time DESC LIMIT 1 OFFSET ?3)",
    [PUT_REQUEST] =
        "INSERT OR REPLACE INTO requests(site, time, number, status, failure, purpose,"
        " hop, conditional, bytes, took_ms, target) VALUES(?,?,?,?,?,?,?,?,?,?,?)",
    [PUT_PROMISE] = "INSERT OR REPLACE INTO promises(site, page, at_least)"
                    " VALUES(?,?,?)",
    [DROP_PROMISE] = "DELETE FROM promises WHERE site = ? AND page = ?",
    [PUT_EARLY] = "INSERT OR REPLACE INTO early_counts(key, fingerprint, day, clicks,"
                  " impressions) VALUES(?,?,?,?,?)",
    [TRIM_EARLY] = "DELETE FROM early_counts WHERE key = ?1 AND day <="
                   " (SELECT max(day) FROM early_counts WHERE key = ?1) - ?2",
    [PLACE_EARLY] = "INSERT OR IGNORE INTO counts(site, day, page, clicks, impressions)"
                    " SELECT ?3, day, ?4, clicks, impressions FROM early_counts"
                    " WHERE key = ?1 AND fingerprint = ?2",
    [DROP_EARLY] = "DELETE FROM early_counts WHERE key = ? AND fingerprint = ?",
    [MOVE_REQUESTS] = "UPDATE requests SET site = ?2 WHERE site = ?1",
    [PUT_NOTE] = "INSERT INTO notes(site, page, name, tags, home, meta)"
                 " VALUES(?,?,?,?,?,?) ON CONFLICT(site, page) DO UPDATE SET"
                 " name = iif(excluded.name = '', name, excluded.name),"
                 " tags = iif(excluded.tags = '', tags, excluded.tags),"
                 " home = iif(excluded.home = '', home, excluded.home),"
                 " meta = iif(excluded.meta = '', meta, excluded.meta)",
    [LAST_BODY] = "SELECT time, bytes, hash FROM bodies WHERE site = ? AND page = ?"
                  " ORDER BY time DESC LIMIT 1",
    [PUT_BODY] = "INSERT INTO bodies(site, page, time, bytes, hash, zstd)"
                 " VALUES(?,?,?,?,?,?)",
    [TRIM_BODIES] = "DELETE FROM bodies WHERE site = ?1 AND page = ?2 AND time <="
                    " (SELECT time FROM bodies WHERE site = ?1 AND page = ?2"
                    " ORDER BY time DESC LIMIT 1 OFFSET ?3)",
    [PUT_WAITING] = "INSERT OR REPLACE INTO waiting(hook, number, site, attempts, next,"
                    " tried, status, dead, why) VALUES(?,?,?,?,?,?,?,?,?)",
    [DROP_WAITING] = "DELETE FROM waiting WHERE hook = ? AND number = ?",
    [NOTE_EVENTS] = "INSERT OR REPLACE INTO meta VALUES('last_event', ?)",
    [PRUNE_PAGES] = "SELECT site, page FROM pages WHERE (site, page) > (?, ?)"
                    " ORDER BY site, page LIMIT ?",
    /* The last visit of a page explains it, and captures (purpose 4) come but once. */
    [PRUNE_VISITS] = "DELETE FROM visits WHERE site = ?1 AND page = ?2 AND time IN"
                     " (SELECT time FROM visits WHERE site = ?1 AND page = ?2"
                     " AND time < ?3 AND purpose <> 4 AND time <"
                     " (SELECT max(time) FROM visits WHERE site = ?1 AND page = ?2)"
                     " LIMIT ?4)",
    [PRUNE_LINKS] =
        "DELETE FROM links WHERE site = ?1 AND source = ?2 AND (target_site, target) IN"
        " (SELECT target_site, target FROM links WHERE site = ?1 AND source = ?2"
        " AND gone < ?3 LIMIT ?4)",
    /* A body or a value ends when the next one comes; the newest has not ended. */
    [PRUNE_BODIES] = REPLACED("bodies"),
    [PRUNE_VALUE_CHANGES] = REPLACED("value_changes"),
    /* Site by site, so that the key finds what is old. */
    [PRUNE_REQUESTS] =
        "DELETE FROM requests WHERE (site, time, number) IN (SELECT site, time, number"
        " FROM requests WHERE site IN (SELECT site FROM sites) AND time < ? LIMIT ?)",
    [PRUNE_EVENTS] =
        "DELETE FROM outbox WHERE number IN (SELECT number FROM outbox"
        " WHERE number <= ?1 AND number < ifnull((SELECT number FROM outbox"
        " WHERE time >= ?2 ORDER BY number LIMIT 1), 9223372036854775807)"
        " AND number NOT IN (SELECT number FROM waiting) ORDER BY number LIMIT ?3)",
    [FORGET] = OF_SITE("pages", "page"),
    [FORGET + 1] = OF_SITE("visits", "page, time"),
    [FORGET + 2] = OF_SITE("links", "source, target_site, target"),
    [FORGET + 3] = OF_SITE("bodies", "page, time"),
    [FORGET + 4] = OF_SITE("state", "name"),
    [FORGET + 5] = OF_SITE("labels", "page"),
    [FORGET + 6] = OF_SITE("counts", "day, page"),
    [FORGET + 7] = OF_SITE("page_values", "page"),
    [FORGET + 8] = OF_SITE("value_changes", "page, time"),
    [FORGET + 9] = OF_SITE("requests", "time, number"),
    [FORGET + 10] = OF_SITE("notes", "page"),
    [FORGET + 11] = OF_SITE("promises", "page"),
    [FORGET + 12] = "DELETE FROM links WHERE (site, source, target_site, target) IN"
                    " (SELECT site, source, target_site, target FROM links"
                    " WHERE target_site = ?1 LIMIT ?2)",
    /* Those of an heir wait on. */
    [FORGET + 13] = "DELETE FROM early_counts WHERE ?2 > 0 AND key ="
                    " (SELECT key FROM sites WHERE site = ?1)",
    [FORGET + 14] = "DELETE FROM waiting WHERE site = ?1"
                    " AND (dead OR ?3 = 9223372036854775807)",
    [FORGET + 15] = "DELETE FROM outbox WHERE number IN (SELECT number FROM outbox"
                    " WHERE site = ?1 AND number <= ?3"
                    " AND number NOT IN (SELECT number FROM waiting) LIMIT ?2)",
    [FORGET + 16] = "DELETE FROM sites WHERE site = ?1"
                    " AND NOT EXISTS(SELECT 1 FROM outbox WHERE site = ?1)",
};

/* --- one kind of row each --- */

static enum fg_status put_site(struct fg_tables *tables, const struct fg_site_row *row,
                               struct fg_err *err)
{
    struct bind bind = start(tables, PUT_SITE);
    put_int(&bind, row->site);
    put_text(&bind, row->key);
    put_text(&bind, row->domain);
    put_text(&bind, row->tags);
    put_time(&bind, row->added);
    put_time(&bind, row->last_request);
    put_int(&bind, row->state);
    put_int(&bind, row->crawl_delay);
    put_time(&bind, row->robots_fetched);
    put_time(&bind, row->robots_expires);
    put_int(&bind, row->robots_verdict);
    put_time(&bind, row->backoff_until);
    put_int(&bind, row->backoff_step);
    put_text(&bind, row->settings);
    put_text(&bind, row->robots);
    return run(tables, bind.stmt, err);
}

static void bind_page(struct bind *bind, const struct fg_page_row *row)
{
    put_int(bind, row->site);
    put_int(bind, row->page);
    put_hash(bind, row->fingerprint);
    put_text(bind, row->url);
    put_int(bind, row->flags);
    put_int(bind, row->found_on);
    put_int(bind, row->alias_of);
    put_time(bind, row->first_seen);
    put_time(bind, row->last_visit);
    put_time(bind, row->last_change);
    put_time(bind, row->next_visit);
    put_time(bind, row->published);
    put_int(bind, row->status);
    put_int(bind, row->visits);
    put_int(bind, row->changes);
    put_int(bind, row->failures);
    put_hash(bind, row->content_hash);
    put_hash(bind, row->simhash);
    put_real(bind, (double)row->weight);
    put_int(bind, row->depth);
    put_text(bind, row->etag);
    put_text(bind, row->last_modified);
    put_text(bind, row->title);
    put_text(bind, row->language);
    put_hash(bind, row->identity);
}

static enum fg_status put_page(struct fg_tables *tables, const struct fg_page_row *row,
                               struct fg_err *err)
{
    struct bind bind = start(tables, PUT_PAGE);
    bind_page(&bind, row);
    enum fg_status st = run(tables, bind.stmt, err);
    if (st || sqlite3_changes(tables->db))
        return st;
    struct bind rename = start(tables, RENAME_PAGE);
    put_int(&rename, row->site);
    put_int(&rename, row->page);
    put_hash(&rename, row->fingerprint);
    put_text(&rename, row->url);
    st = run(tables, rename.stmt, err);
    return st ? st : run(tables, bind.stmt, err);
}

/* ?1 and ?2, then those of VISIT. */
static void bind_visit(struct bind *bind, const struct fg_visit_row *row)
{
    put_int(bind, row->site);
    put_int(bind, row->page);
    put_int(bind, row->time);
    put_int(bind, row->changed);
    put_int(bind, row->status);
    put_int(bind, row->failure || row->status >= 400);
}

/* Those of CONTENT. */
static void bind_content(struct bind *bind, const struct fg_page_row *row)
{
    bind->at = 6;
    put_int(bind, row->flags);
    put_int(bind, row->alias_of);
    put_time(bind, row->next_visit);
    put_time(bind, row->published);
    put_hash(bind, row->content_hash);
    put_hash(bind, row->simhash);
    put_text(bind, row->etag);
    put_text(bind, row->last_modified);
    put_text(bind, row->title);
    put_text(bind, row->language);
    put_hash(bind, row->identity);
}

static enum fg_status put_content(struct fg_tables *tables, const struct fg_page_row *row,
                                  struct fg_err *err)
{
    struct bind bind = start(tables, PUT_CONTENT);
    put_int(&bind, row->site);
    put_int(&bind, row->page);
    bind_content(&bind, row);
    return run(tables, bind.stmt, err);
}

static enum fg_status put_content_of_visit(struct fg_tables *tables,
                                           const struct fg_page_row *page,
                                           const struct fg_visit_row *visit,
                                           struct fg_err *err)
{
    struct bind bind = start(tables, PUT_CONTENT_OF_VISIT);
    bind_visit(&bind, visit);
    bind_content(&bind, page);
    return run(tables, bind.stmt, err);
}

static enum fg_status put_flags(struct fg_tables *tables, const struct fg_page_row *row,
                                struct fg_err *err)
{
    struct bind bind = start(tables, PUT_FLAGS);
    put_int(&bind, row->site);
    put_int(&bind, row->page);
    put_int(&bind, row->flags);
    put_int(&bind, row->alias_of);
    return run(tables, bind.stmt, err);
}

static enum fg_status put_weight(struct fg_tables *tables, const struct fg_page_row *row,
                                 struct fg_err *err)
{
    struct bind bind = start(tables, PUT_WEIGHT);
    put_int(&bind, row->site);
    put_int(&bind, row->page);
    put_real(&bind, (double)row->weight);
    return run(tables, bind.stmt, err);
}

static enum fg_status count_visit(struct fg_tables *tables,
                                  const struct fg_visit_row *row, struct fg_err *err)
{
    struct bind bind = start(tables, COUNT_VISIT);
    bind_visit(&bind, row);
    return run(tables, bind.stmt, err);
}

static enum fg_status log_visit(struct fg_tables *tables, const struct fg_visit_row *row,
                                enum statement statement, struct fg_err *err)
{
    struct bind bind = start(tables, statement);
    put_int(&bind, row->site);
    put_int(&bind, row->page);
    put_int(&bind, row->time);
    put_int(&bind, row->status);
    put_int(&bind, row->failure);
    put_int(&bind, row->changed);
    put_int(&bind, row->conditional);
    put_int(&bind, row->purpose);
    put_int(&bind, row->links);
    put_int(&bind, row->fresh);
    put_int(&bind, row->bytes);
    put_int(&bind, row->took_ms);
    put_real(&bind, (double)row->score);
    put_real(&bind, (double)row->probability);
    put_int(&bind, row->explored);
    return run(tables, bind.stmt, err);
}

/* The visit, and on the page's row that it took place, with what it read if `page`. */
static enum fg_status put_visit(struct fg_tables *tables, const struct fg_visit_row *row,
                                const struct fg_page_row *page, struct fg_err *err)
{
    enum fg_status st = log_visit(tables, row, PUT_VISIT, err);
    if (st)
        return st;
    return page ? put_content_of_visit(tables, page, row, err)
                : count_visit(tables, row, err);
}

static enum fg_status put_link(struct fg_tables *tables, const struct fg_link_row *row,
                               struct fg_err *err)
{
    struct bind bind = start(tables, PUT_LINK);
    put_int(&bind, row->site);
    put_int(&bind, row->source);
    put_int(&bind, row->target_site);
    put_int(&bind, row->target);
    put_time(&bind, row->first_seen);
    put_time(&bind, row->last_seen);
    put_time(&bind, row->gone);
    return run(tables, bind.stmt, err);
}

/* Numbers are given here and not by SQLite, which would give a number again after the
 * event that had it was pruned. An id that is there already uses none up. */
static enum fg_status put_event(struct fg_tables *tables, const struct fg_event_row *row,
                                struct fg_err *err)
{
    struct bind bind = start(tables, PUT_EVENT);
    put_int(&bind, tables->open_last_event + 1);
    put_int(&bind, row->site);
    put_int(&bind, row->page);
    put_hash(&bind, row->id);
    put_int(&bind, row->time);
    put_text(&bind, row->kind);
    put_text(&bind, row->json);
    enum fg_status st = run(tables, bind.stmt, err);
    if (!st)
        tables->open_last_event += sqlite3_changes(tables->db);
    return st;
}

static enum fg_status put_delivered(struct fg_tables *tables,
                                    const struct fg_op_item *item, struct fg_err *err)
{
    struct bind bind = start(tables, PUT_DELIVERED);
    put_text(&bind, item->name);
    put_hash(&bind, item->number);
    put_hash(&bind, item->position);
    return run(tables, bind.stmt, err);
}

static enum fg_status put_state(struct fg_tables *tables, const struct fg_op_item *item,
                                struct fg_err *err)
{
    struct bind bind = start(tables, PUT_STATE);
    put_int(&bind, item->site);
    put_text(&bind, item->name);
    put_blob(&bind, item->bytes);
    return run(tables, bind.stmt, err);
}

static enum fg_status put_label(struct fg_tables *tables, const struct fg_op_item *item,
                                struct fg_err *err)
{
    struct bind bind = start(tables, PUT_LABEL);
    put_int(&bind, item->site);
    put_int(&bind, item->page);
    put_int(&bind, item->relevant);
    return run(tables, bind.stmt, err);
}

static enum fg_status drop_label(struct fg_tables *tables, const struct fg_op_item *item,
                                 struct fg_err *err)
{
    struct bind bind = start(tables, DROP_LABEL);
    put_int(&bind, item->site);
    put_int(&bind, item->page);
    return run(tables, bind.stmt, err);
}

static enum fg_status put_daily(struct fg_tables *tables, const struct fg_op_item *item,
                                struct fg_err *err)
{
    enum fg_status st = FG_OK;
    size_t n = item->bytes.len / sizeof(struct fg_daily_row);
    for (size_t i = 0; !st && i < n; i++) {
        struct fg_daily_row row, next = {0};
        memcpy(&row, item->bytes.at + i * sizeof row, sizeof row);
        if (i + 1 < n)
            memcpy(&next, item->bytes.at + (i + 1) * sizeof row, sizeof row);
        struct bind bind = start(tables, PUT_DAILY), trim = start(tables, TRIM_DAILY);
        put_int(&bind, row.site);
        put_int(&bind, row.day);
        put_int(&bind, row.page);
        put_count(&bind, row.clicks);
        put_count(&bind, row.impressions);
        st = run(tables, bind.stmt, err);
        if (st || next.site == row.site)
            continue;
        put_int(&trim, row.site);
        put_int(&trim, FG_DAILY_KEPT);
        st = run(tables, trim.stmt, err);
    }
    return st;
}

/* --- bodies --- */

struct last_body {
    bool exists;
    int64_t time, bytes, hash;
};

static enum fg_status last_body(struct fg_tables *tables, struct last_body *last,
                                const struct fg_op_item *item, struct fg_err *err)
{
    struct bind bind = start(tables, LAST_BODY);
    put_int(&bind, item->site);
    put_int(&bind, item->page);
    int code = sqlite3_step(bind.stmt);
    *last = (struct last_body){.exists = code == SQLITE_ROW};
    if (last->exists) {
        last->time = sqlite3_column_int64(bind.stmt, 0);
        last->bytes = sqlite3_column_int64(bind.stmt, 1);
        last->hash = sqlite3_column_int64(bind.stmt, 2);
    }
    sqlite3_reset(bind.stmt);
    if (code == SQLITE_ROW || code == SQLITE_DONE)
        return FG_OK;
    return fg_sqlite_fail(err, tables->db, tables->path, "read");
}

static enum fg_status put_body(struct fg_tables *tables, const struct fg_op_item *item,
                               struct fg_err *err)
{
    struct last_body last;
    enum fg_status st = last_body(tables, &last, item, err);
    int64_t hash = (int64_t)fg_str_hash(item->bytes);
    if (st ||
        (last.exists && last.hash == hash && last.bytes == (int64_t)item->bytes.len))
        return st;
    /* A clock that stepped back must not make the newest body look like an old one. */
    bool is_late = last.exists && item->time <= last.time;
    struct bind bind = start(tables, PUT_BODY);
    put_int(&bind, item->site);
    put_int(&bind, item->page);
    put_int(&bind, is_late ? last.time + 1 : item->time);
    put_int(&bind, (int64_t)item->bytes.len);
    put_int(&bind, hash);
    put_blob(&bind, fg_pack(&tables->packer, item->bytes));
    st = run(tables, bind.stmt, err);
    if (st || !last.exists)
        return st;
    struct bind trim = start(tables, TRIM_BODIES);
    put_int(&trim, item->site);
    put_int(&trim, item->page);
    put_int(&trim, tables->options.body_depth);
    return run(tables, trim.stmt, err);
}

/* --- batches and transactions --- */

static enum fg_status apply(struct fg_tables *tables, const struct fg_op *op,
                            struct fg_err *err)
{
    switch (op->kind) {
    case FG_OP_SITE:
        return put_site(tables, &op->site, err);
    case FG_OP_PAGE:
        return put_page(tables, &op->page, err);
    case FG_OP_PAGE_CONTENT:
        return put_content(tables, &op->page, err);
    case FG_OP_PAGE_FLAGS:
        return put_flags(tables, &op->page, err);
    case FG_OP_PAGE_WEIGHT:
        return put_weight(tables, &op->page, err);
    case FG_OP_VISIT:
        return put_visit(tables, &op->visit, NULL, err);
    case FG_OP_CAPTURE:
        return log_visit(tables, &op->visit, PUT_CAPTURE, err);
    case FG_OP_LINK:
        return put_link(tables, &op->link, err);
    case FG_OP_BODY:
        return put_body(tables, &op->item, err);
    case FG_OP_EVENT:
        return put_event(tables, &op->event, err);
    case FG_OP_DELIVERED:
        return put_delivered(tables, &op->item, err);
    case FG_OP_STATE:
        return put_state(tables, &op->item, err);
    case FG_OP_LABEL:
        return put_label(tables, &op->item, err);
    case FG_OP_UNLABEL:
        return drop_label(tables, &op->item, err);
    case FG_OP_DAILY:
        return put_daily(tables, &op->item, err);
    case FG_OP_VALUE:
        return fg_tables_put_value(tables, &op->value, err);
    case FG_OP_VALUE_RULE:
        return fg_tables_put_value_rule(tables, &op->item, err);
    case FG_OP_WAITING:
        return fg_tables_put_waiting(tables, &op->waiting, err);
    case FG_OP_NOT_WAITING:
        return fg_tables_drop_waiting(tables, &op->item, err);
    case FG_OP_REQUEST:
        return fg_tables_put_request(tables, &op->request, err);
    case FG_OP_NOTE:
        return fg_tables_put_note(tables, &op->note, err);
    case FG_OP_PROMISE:
        return fg_tables_put_promise(tables, &op->item, err);
    case FG_OP_EARLY:
        return fg_tables_put_early(tables, &op->item, err);
    case FG_OP_PLACE_EARLY:
        return fg_tables_place_early(tables, &op->item, err);
    case FG_OP_RENEW_SITE:
        return fg_tables_renew(tables, &op->item, err);
    case FG_OP_FORGET_SITE:
        return fg_tables_forget(tables, &op->item, err);
    case FG_OP_PRUNE:
        return fg_tables_prune(tables, &op->prune, err);
    }
    return FG_OK;
}

/* Content of a page, followed by the visit that read it. */
static bool is_read_by_next(const struct fg_op *op)
{
    const struct fg_op *next = op->next;
    return op->kind == FG_OP_PAGE_CONTENT && next && next->kind == FG_OP_VISIT &&
           next->visit.site == op->page.site && next->visit.page == op->page.page;
}

enum fg_status fg_tables_apply(struct fg_tables *tables, const struct fg_batch *batch,
                               struct fg_err *err)
{
    enum fg_status st = FG_OK;
    for (const struct fg_op *op = batch->first; !st && op; op = op->next) {
        if (is_read_by_next(op)) {
            st = put_visit(tables, &op->next->visit, &op->page, err);
            op = op->next;
        } else {
            st = apply(tables, op, err);
        }
    }
    return st;
}

enum fg_status fg_tables_begin(struct fg_tables *tables, struct fg_err *err)
{
    tables->open_last_event = tables->last_event;
    tables->open_pruned = tables->pruned;
    return run(tables, tables->stmt[BEGIN], err);
}

enum fg_status fg_tables_commit(struct fg_tables *tables, struct fg_err *err)
{
    enum fg_status st = run(tables, tables->stmt[COMMIT], err);
    if (st)
        return st;
    tables->last_event = tables->open_last_event;
    tables->pruned = tables->open_pruned;
    return FG_OK;
}

void fg_tables_rollback(struct fg_tables *tables)
{
    /* SQLite has already rolled back after some errors, a full disk among them. */
    if (sqlite3_get_autocommit(tables->db))
        return;
    sqlite3_step(tables->stmt[ROLLBACK]);
    sqlite3_reset(tables->stmt[ROLLBACK]);
}

sqlite3 *fg_tables_db(struct fg_tables *tables)
{
    return tables->db;
}

bool fg_tables_has_more(const struct fg_tables *tables)
{
    return tables->has_more;
}

static enum fg_status prepare_all(struct fg_tables *tables, struct fg_err *err)
{
    for (int i = 0; i < N_STATEMENTS; i++)
        if (sqlite3_prepare_v3(tables->db, sql[i], -1, SQLITE_PREPARE_PERSISTENT,
                               &tables->stmt[i], NULL) != SQLITE_OK)
            return fg_sqlite_fail(err, tables->db, tables->path, "prepare");
    return fg_sqlite_int(
        tables->db, tables->path,
        "SELECT max(ifnull((SELECT max(number) FROM outbox), 0),"
        " ifnull((SELECT value FROM meta WHERE name = 'last_event'), 0))",
        &tables->last_event, err);
}

enum fg_status fg_tables_new(struct fg_tables **tables, sqlite3 *db, const char *path,
                             const struct fg_store_options *options, struct fg_err *err)
{
    struct fg_tables *made = fg_zeroed(1, sizeof *made);
    made->db = db;
    made->path = path;
    made->options = *options;
    fg_packer_init(&made->packer);
    *tables = made;
    return prepare_all(made, err);
}

void fg_tables_free(struct fg_tables *tables)
{
    if (!tables)
        return;
    for (int i = 0; i < N_STATEMENTS; i++)
        sqlite3_finalize(tables->stmt[i]);
    sqlite3_close(tables->db);
    fg_packer_clear(&tables->packer);
    free(tables);
}
