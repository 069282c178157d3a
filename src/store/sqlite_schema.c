/* The schema, as steps: step n takes a file of version n-1 to version n, and a new file
 * takes them all. A step that has been released is never edited. The version is SQLite's
 * user_version, which changes in the same transaction as the tables, so a crash leaves
 * the old schema or the new one.
 *
 * Keys lead with the site. Tables are WITHOUT ROWID, so a row lies in its key's tree and
 * costs one insertion; beside the keys there are two indices only, both for uniqueness
 * (a page's fingerprint, an event's id). Everything else people may want to search by is
 * a scan: the crawl pays for every index at every page, a person pays for a scan once. */
#include "store/sqlite.h"

#include <stdio.h>

enum { APPLICATION_ID = 0x464F5247 }; /* "FORG" */

static const char tables[] =
    "CREATE TABLE meta(name TEXT PRIMARY KEY, value) WITHOUT ROWID;"

    "CREATE TABLE sites("
    " site INTEGER NOT NULL, key TEXT NOT NULL, domain TEXT NOT NULL, tags TEXT NOT NULL,"
    " added INTEGER, last_request INTEGER, state INTEGER NOT NULL,"
    " crawl_delay INTEGER NOT NULL, robots_fetched INTEGER, robots_expires INTEGER,"
    " robots_verdict INTEGER NOT NULL, backoff_until INTEGER,"
    " backoff_step INTEGER NOT NULL, settings TEXT NOT NULL, robots TEXT NOT NULL,"
    " PRIMARY KEY(site)) WITHOUT ROWID;"

    "CREATE TABLE pages("
    " site INTEGER NOT NULL, page INTEGER NOT NULL, fingerprint INTEGER NOT NULL,"
    " url TEXT NOT NULL, flags INTEGER NOT NULL, found_on INTEGER NOT NULL,"
    " alias_of INTEGER NOT NULL, first_seen INTEGER, last_visit INTEGER,"
    " last_change INTEGER, next_visit INTEGER, published INTEGER,"
    " status INTEGER NOT NULL, visits INTEGER NOT NULL, changes INTEGER NOT NULL,"
    " failures INTEGER NOT NULL, content_hash INTEGER NOT NULL,"
    " simhash INTEGER NOT NULL, weight REAL NOT NULL, depth INTEGER NOT NULL,"
    " etag TEXT NOT NULL, last_modified TEXT NOT NULL, title TEXT NOT NULL,"
    " language TEXT NOT NULL,"
    " PRIMARY KEY(site, page), UNIQUE(site, fingerprint)) WITHOUT ROWID;"

    "CREATE TABLE visits("
    " site INTEGER NOT NULL, page INTEGER NOT NULL, time INTEGER NOT NULL,"
    " status INTEGER NOT NULL, failure INTEGER NOT NULL, changed INTEGER NOT NULL,"
    " conditional INTEGER NOT NULL, purpose INTEGER NOT NULL, links INTEGER NOT NULL,"
    " fresh INTEGER NOT NULL, bytes INTEGER NOT NULL, took_ms INTEGER NOT NULL,"
    " score REAL NOT NULL, probability REAL NOT NULL, explored INTEGER NOT NULL,"
    " PRIMARY KEY(site, page, time)) WITHOUT ROWID;"

    "CREATE TABLE links("
    " site INTEGER NOT NULL, source INTEGER NOT NULL, target_site INTEGER NOT NULL,"
    " target INTEGER NOT NULL, first_seen INTEGER, last_seen INTEGER, gone INTEGER,"
    " PRIMARY KEY(site, source, target_site, target)) WITHOUT ROWID;"

    "CREATE TABLE bodies("
    " site INTEGER NOT NULL, page INTEGER NOT NULL, time INTEGER NOT NULL,"
    " bytes INTEGER NOT NULL, hash INTEGER NOT NULL, zstd BLOB NOT NULL,"
    " PRIMARY KEY(site, page, time)) WITHOUT ROWID;"

    "CREATE TABLE outbox("
    " number INTEGER PRIMARY KEY, site INTEGER NOT NULL, page INTEGER NOT NULL,"
    " id INTEGER NOT NULL, time INTEGER NOT NULL, kind TEXT NOT NULL, json TEXT NOT NULL,"
    " UNIQUE(site, id));"

    "CREATE TABLE deliveries("
    " output TEXT PRIMARY KEY, number INTEGER NOT NULL, position INTEGER NOT NULL)"
    " WITHOUT ROWID;"

    "CREATE TABLE state("
    " site INTEGER NOT NULL, name TEXT NOT NULL, bytes BLOB NOT NULL,"
    " PRIMARY KEY(site, name)) WITHOUT ROWID;"

    "CREATE TABLE labels("
    " site INTEGER NOT NULL, page INTEGER NOT NULL, relevant INTEGER NOT NULL,"
    " PRIMARY KEY(site, page)) WITHOUT ROWID;";

/* For people with a sqlite3 shell: times as text, numbers as hexadecimal or words. A time
 * is written @table.column and spelled out by fg_schema_migrate. */
static const char views[] =
    "CREATE VIEW sites_readable AS SELECT site, key, domain, tags, state, @s.added,"
    " @s.last_request, crawl_delay / 1e6 AS crawl_delay_s, robots_verdict,"
    " @s.robots_fetched, @s.robots_expires, @s.backoff_until, backoff_step, settings"
    " FROM sites s;"

    "CREATE VIEW pages_readable AS SELECT s.key AS site_key, p.site, p.page, p.url,"
    " rtrim(iif(p.flags & 1, 'seed ', '') || iif(p.flags & 2, 'source ', '')"
    " || iif(p.flags & 4, 'document ', '') || iif(p.flags & 8, 'candidate ', '')"
    " || iif(p.flags & 16, 'retired ', '') || iif(p.flags & 32, 'feed ', '')"
    " || iif(p.flags & 64, 'sitemap ', '') || iif(p.flags & 128, 'gone ', '')"
    " || iif(p.flags & 256, 'alias ', '') || iif(p.flags & 512, 'excluded ', '')"
    " || iif(p.flags & 1024, 'relevant ', '')"
    " || iif(p.flags & 2048, 'duplicate ', '')"
    " || iif(p.flags & 4096, 'awaited ', '')) AS flags,"
    " @p.first_seen, @p.last_visit, @p.last_change, @p.next_visit, @p.published,"
    " p.status, p.visits, p.changes, p.failures, p.weight, p.depth, p.title,"
    " p.language, p.found_on, p.alias_of, printf ('%016x', p.fingerprint) AS fingerprint"
    " FROM pages p LEFT JOIN sites s USING(site);"

    "CREATE VIEW visits_readable AS SELECT p.url, v.site, v.page, @v.time, v.status,"
    " v.failure, v.changed, v.conditional, v.purpose, v.links, v.fresh, v.bytes,"
    " v.took_ms, v.score, v.probability, v.explored"
    " FROM visits v LEFT JOIN pages p USING(site, page);"

    "CREATE VIEW links_readable AS SELECT a.url AS source_url, b.url AS target_url,"
    " @l.first_seen, @l.last_seen, @l.gone"
    " FROM links l LEFT JOIN pages a ON a.site = l.site AND a.page = l.source"
    " LEFT JOIN pages b ON b.site = l.target_site AND b.page = l.target;"

    "CREATE VIEW bodies_readable AS SELECT p.url, b.site, b.page, @b.time, b.bytes,"
    " length(b.zstd) AS packed_bytes"
    " FROM bodies b LEFT JOIN pages p USING(site, page);"

    "CREATE VIEW outbox_readable AS SELECT o.number, @o.time, o.kind, p.url,"
    " printf ('%016x', o.id) AS id, o.json"
    " FROM outbox o LEFT JOIN pages p USING(site, page);";

/* What people did with pages, by day. The day comes before the page: it is read and
 * dropped a day at a time. */
static const char counts[] =
    "CREATE TABLE counts("
    " site INTEGER NOT NULL, day INTEGER NOT NULL, page INTEGER NOT NULL,"
    " clicks INTEGER, impressions INTEGER,"
    " PRIMARY KEY(site, day, page)) WITHOUT ROWID;"

    "CREATE VIEW counts_readable AS SELECT p.url,"
    " date(c.day * 86400, 'unixepoch') AS day, c.clicks, c.impressions"
    " FROM counts c LEFT JOIN pages p USING(site, page);";

/* What documents are worth now, and were. */
static const char page_values[] =
    "CREATE TABLE page_values("
    " site INTEGER NOT NULL, page INTEGER NOT NULL, kind INTEGER NOT NULL,"
    " hash INTEGER NOT NULL, changed INTEGER, rule TEXT NOT NULL, text TEXT NOT NULL,"
    " price TEXT NOT NULL, high TEXT NOT NULL, currency TEXT NOT NULL,"
    " availability TEXT NOT NULL, condition TEXT NOT NULL, name TEXT NOT NULL,"
    " brand TEXT NOT NULL, category TEXT NOT NULL, seller TEXT NOT NULL,"
    " country TEXT NOT NULL, language TEXT NOT NULL,"
    " PRIMARY KEY(site, page)) WITHOUT ROWID;"

    "CREATE TABLE value_changes("
    " site INTEGER NOT NULL, page INTEGER NOT NULL, time INTEGER NOT NULL,"
    " kind INTEGER NOT NULL, text TEXT NOT NULL,"
    " PRIMARY KEY(site, page, time)) WITHOUT ROWID;"

    "CREATE VIEW page_values_readable AS SELECT p.url, @v.changed, v.text, v.price,"
    " v.high, v.currency, v.availability, v.condition, v.name, v.brand, v.category,"
    " v.seller, v.country, v.language, v.rule"
    " FROM page_values v LEFT JOIN pages p USING(site, page);"

    "CREATE VIEW value_changes_readable AS SELECT p.url, @c.time, c.text"
    " FROM value_changes c LEFT JOIN pages p USING(site, page);";

/* Events that a webhook has not taken yet, or has refused for good. */
static const char webhooks[] =
    "CREATE TABLE waiting("
    " hook TEXT NOT NULL, number INTEGER NOT NULL, site INTEGER NOT NULL,"
    " attempts INTEGER NOT NULL, next INTEGER, tried INTEGER, status INTEGER NOT NULL,"
    " dead INTEGER NOT NULL, why TEXT NOT NULL,"
    " PRIMARY KEY(hook, number)) WITHOUT ROWID;"

    "CREATE VIEW waiting_readable AS SELECT w.hook, w.number, p.url, o.kind, w.attempts,"
    " @w.tried, @w.next, w.status, w.dead, w.why"
    " FROM waiting w LEFT JOIN outbox o USING(number)"
    " LEFT JOIN pages p ON p.site = o.site AND p.page = o.page;";

/* Every request, and what the user says of pages. */
static const char ledger[] =
    "CREATE TABLE requests("
    " site INTEGER NOT NULL, time INTEGER NOT NULL, number INTEGER NOT NULL,"
    " status INTEGER NOT NULL, failure INTEGER NOT NULL, purpose INTEGER NOT NULL,"
    " hop INTEGER NOT NULL, conditional INTEGER NOT NULL, bytes INTEGER NOT NULL,"
    " took_ms INTEGER NOT NULL, target TEXT NOT NULL,"
    " PRIMARY KEY(site, time, number)) WITHOUT ROWID;"

    "CREATE TABLE notes("
    " site INTEGER NOT NULL, page INTEGER NOT NULL, name TEXT NOT NULL,"
    " tags TEXT NOT NULL, home TEXT NOT NULL, meta TEXT NOT NULL,"
    " PRIMARY KEY(site, page)) WITHOUT ROWID;"

    "CREATE VIEW requests_readable AS SELECT s.key || r.target AS url, @r.time,"
    " r.status, r.failure, r.purpose, r.hop, r.conditional, r.bytes, r.took_ms"
    " FROM requests r LEFT JOIN sites s USING(site);"

    "CREATE VIEW notes_readable AS SELECT p.url, n.name, n.tags, n.home, n.meta"
    " FROM notes n LEFT JOIN pages p USING(site, page);";

/* What a page is beside its address: to tell copies, and whether it was told. */
static const char identity[] =
    "ALTER TABLE pages ADD COLUMN identity INTEGER NOT NULL DEFAULT 0;"
    "DROP VIEW pages_readable;"
    "CREATE VIEW pages_readable AS SELECT s.key AS site_key, p.site, p.page, p.url,"
    " rtrim(iif(p.flags & 1, 'seed ', '') || iif(p.flags & 2, 'source ', '')"
    " || iif(p.flags & 4, 'document ', '') || iif(p.flags & 8, 'candidate ', '')"
    " || iif(p.flags & 16, 'retired ', '') || iif(p.flags & 32, 'feed ', '')"
    " || iif(p.flags & 64, 'sitemap ', '') || iif(p.flags & 128, 'gone ', '')"
    " || iif(p.flags & 256, 'alias ', '') || iif(p.flags & 512, 'excluded ', '')"
    " || iif(p.flags & 1024, 'relevant ', '')"
    " || iif(p.flags & 2048, 'duplicate ', '')"
    " || iif(p.flags & 4096, 'awaited ', '') || iif(p.flags & 8192, 'reserved ', '')"
    " || iif(p.flags & 16384, 'reported ', '') || iif(p.flags & 32768, 'old ', '')"
    " || iif(p.flags & 65536, 'other-kind ', '')"
    " || iif(p.flags & 131072, 'unproven ', '')"
    " || iif(p.flags & 262144, 'list ', '')"
    " || iif(p.flags & 524288, 'stock ', '')"
    " || iif(p.flags & 1048576, 'paused ', '') || iif(p.flags & 2097152, 'removed ', '')"
    " || iif(p.flags & 4194304, 'nofollow ', '')"
    " || iif(p.flags & 8388608, 'noindex ', '')) AS flags,"
    " @p.first_seen, @p.last_visit, @p.last_change, @p.next_visit, @p.published,"
    " p.status, p.visits, p.changes, p.failures, p.weight, p.depth, p.title,"
    " p.language, p.found_on, p.alias_of, printf ('%016x', p.fingerprint) AS fingerprint"
    " FROM pages p LEFT JOIN sites s USING(site);";

/* How long a page may go without a visit; and counts of pages that are not known yet,
 * which have no number: they are told by their site's key and their fingerprint. */
static const char promises[] =
    "CREATE TABLE promises("
    " site INTEGER NOT NULL, page INTEGER NOT NULL, at_least INTEGER NOT NULL,"
    " PRIMARY KEY(site, page)) WITHOUT ROWID;"

    "CREATE TABLE early_counts("
    " key TEXT NOT NULL, fingerprint INTEGER NOT NULL, day INTEGER NOT NULL,"
    " clicks INTEGER, impressions INTEGER,"
    " PRIMARY KEY(key, fingerprint, day)) WITHOUT ROWID;"

    "CREATE VIEW promises_readable AS SELECT p.url, q.at_least / 1e6 AS at_least_s"
    " FROM promises q LEFT JOIN pages p USING(site, page);";

/* The first look at a page was counted as a change, unless an archive had seen the page
 * (purpose 4). Where old visits were dropped, the first one that is left may be a true
 * change: then only the count is put right. */
static const char first_looks[] =
    "CREATE TEMP TABLE counted AS SELECT site, page, changes FROM pages p"
    " WHERE changes > 0 AND NOT EXISTS(SELECT 1 FROM visits v WHERE v.site = p.site"
    " AND v.page = p.page AND v.purpose = 4);"

    "UPDATE visits SET changed = 0 WHERE (site, page, time) IN"
    " (SELECT v.site, v.page, min(v.time) FROM visits v JOIN counted c USING(site, page)"
    " WHERE v.changed GROUP BY v.site, v.page HAVING count(*) >= c.changes);"

    "UPDATE pages SET changes = changes - 1,"
    " last_change = iif(changes > 1, last_change, NULL)"
    " WHERE (site, page) IN (SELECT site, page FROM counted);"

    "DROP TABLE counted;";

static const char *const steps[FG_SCHEMA_VERSION] = {tables,      views,    counts,
                                                     page_values, webhooks, ledger,
                                                     identity,    promises, first_looks};

static enum fg_status read_identity(sqlite3 *db, const char *path, int64_t *version,
                                    int64_t *application, int64_t *tables_there,
                                    struct fg_err *err)
{
    enum fg_status st = fg_sqlite_int(db, path, "PRAGMA user_version", version, err);
    if (!st)
        st = fg_sqlite_int(db, path, "PRAGMA application_id", application, err);
    if (!st)
        st = fg_sqlite_int(db, path, "SELECT count(*) FROM sqlite_schema", tables_there,
                           err);
    return st;
}

enum fg_status fg_schema_check(sqlite3 *db, const char *path, bool read_only,
                               struct fg_err *err)
{
    int64_t version, application, tables_there;
    enum fg_status st =
        read_identity(db, path, &version, &application, &tables_there, err);
    if (st)
        return st;
    bool is_new = !version && !application && !tables_there;
    if (is_new && !read_only)
        return FG_OK;
    if (is_new)
        return fg_fail(err, FG_ENOTFOUND, "'%s' is empty: nothing was ever stored", path);
    if (application != APPLICATION_ID)
        return fg_fail(err, FG_EINPUT,
                       "'%s' is an SQLite database, but not a store of forage; "
                       "nothing was changed",
                       path);
    if (version > FG_SCHEMA_VERSION)
        return fg_fail(err, FG_EINPUT,
                       "'%s' was written by a newer forage (schema %lld, this one knows "
                       "%d): use that version, nothing was changed",
                       path, (long long)version, FG_SCHEMA_VERSION);
    if (version < FG_SCHEMA_VERSION && read_only)
        return fg_fail(err, FG_EINPUT,
                       "'%s' was written by an older forage (schema %lld, this one needs "
                       "%d): run any command that writes to bring it up to date",
                       path, (long long)version, FG_SCHEMA_VERSION);
    return FG_OK;
}

static enum fg_status write_meta(sqlite3 *db, const char *path, fg_time now,
                                 struct fg_err *err)
{
    char sql[512];
    snprintf(sql, sizeof sql,
             "INSERT OR IGNORE INTO meta VALUES('created', %lld);"
             "INSERT OR REPLACE INTO meta VALUES('schema', %d), ('forage', '%s');"
             "PRAGMA application_id = %d; PRAGMA user_version = %d;",
             (long long)now, FG_SCHEMA_VERSION, FG_VERSION, APPLICATION_ID,
             FG_SCHEMA_VERSION);
    return fg_sqlite_exec(db, path, "prepare", sql, err);
}

/* Is there nothing to do? Then an open costs no write. */
static enum fg_status is_current(bool *current, sqlite3 *db, const char *path,
                                 struct fg_err *err)
{
    int64_t version, same = 0;
    enum fg_status st = fg_sqlite_int(db, path, "PRAGMA user_version", &version, err);
    if (!st && version == FG_SCHEMA_VERSION)
        st = fg_sqlite_int(db, path,
                           "SELECT count(*) FROM meta WHERE name = 'forage'"
                           " AND value = '" FG_VERSION "'",
                           &same, err);
    *current = same != 0;
    return st;
}

/* "@p.seen" becomes strftime(..., p.seen / 1e6, ...) AS seen. */
static void spell_out_times(struct fg_buf *out, struct fg_str rest)
{
    struct fg_str part;
    fg_str_cut(&rest, '@', &part);
    fg_buf_add(out, part);
    while (fg_str_cut(&rest, '@', &part)) {
        size_t dot = fg_str_chr(part, '.'), end = dot + 1;
        while (fg_is_alpha(part.at[end]) || part.at[end] == '_')
            end++;
        fg_buf_printf(out,
                      "strftime('%%Y-%%m-%%d %%H:%%M:%%f', %.*s / 1e6, 'unixepoch')"
                      " AS %.*s",
                      (int)end, part.at, (int)(end - dot - 1), part.at + dot + 1);
        fg_buf_add(out, fg_str_skip(part, end));
    }
    fg_buf_add_char(out, '\0');
}

static enum fg_status take_step(sqlite3 *db, const char *path, const char *step,
                                struct fg_err *err)
{
    struct fg_buf sql;
    fg_buf_init(&sql, 64 << 10);
    spell_out_times(&sql, fg_str_from(step));
    enum fg_status st = fg_sqlite_exec(db, path, "prepare", sql.at, err);
    fg_buf_clear(&sql);
    return st;
}

static enum fg_status take_steps(sqlite3 *db, const char *path, fg_time now,
                                 struct fg_err *err)
{
    int64_t version;
    enum fg_status st = fg_sqlite_int(db, path, "PRAGMA user_version", &version, err);
    for (int64_t step = version; !st && step < FG_SCHEMA_VERSION; step++)
        st = take_step(db, path, steps[step], err);
    return st ? st : write_meta(db, path, now, err);
}

enum fg_status fg_schema_migrate(sqlite3 *db, const char *path, fg_time now,
                                 struct fg_err *err)
{
    bool current;
    enum fg_status st = is_current(&current, db, path, err);
    if (st || current)
        return st;
    st = fg_sqlite_exec(db, path, "prepare", "BEGIN IMMEDIATE", err);
    if (!st)
        st = take_steps(db, path, now, err);
    if (!st)
        st = fg_sqlite_exec(db, path, "prepare", "COMMIT", err);
    if (st)
        sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    return st;
}
