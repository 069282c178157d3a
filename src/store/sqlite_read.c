/* Reading: a small pool of connections, each with its statements, handed to whichever
 * thread asks. A walk sees the store as it was when the walk began, and neither waits for
 * the writer nor holds it up: that is what the write-ahead log is for. A function called
 * from within a walk simply gets another connection. */
#include "store/sqlite_walk.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEPT_READERS = 8 };

#define PAGE_COLUMNS                                                                \
    "SELECT site, page, fingerprint, url, flags, found_on, alias_of, first_seen,"   \
    " last_visit, last_change, next_visit, published, status, visits, changes,"     \
    " failures, content_hash, simhash, weight, depth, etag, last_modified, title, " \
    "language, identity FROM pages "
#define VISIT_COLUMNS                                                          \
    "SELECT site, page, time, status, failure, changed, conditional, purpose," \
    " links, fresh, bytes, took_ms, score, probability, explored FROM visits "
#define LINK_COLUMNS \
    "SELECT site, source, target_site, target, first_seen, last_seen, gone FROM links "
#define VALUE_COLUMNS                                                            \
    "SELECT site, page, kind, hash, changed, rule, text, price, high, currency," \
    " availability, condition, name, brand, category, seller, country, language" \
    " FROM page_values "
#define NOTE_COLUMNS  "SELECT site, page, name, tags, home, meta FROM notes "
#define EVENT_COLUMNS "SELECT number, site, page, id, time, kind, json FROM outbox "

/* The oldest value that is kept has none before it, so it is no change. */
#define CHANGE_AND_BEFORE                                                      \
    "SELECT c.site, c.page, c.time, c.kind, c.text, b.kind, b.text"            \
    " FROM value_changes c JOIN value_changes b ON b.site = c.site"            \
    " AND b.page = c.page AND b.time = (SELECT max(time) FROM value_changes a" \
    " WHERE a.site = c.site AND a.page = c.page AND a.time < c.time) "

static const char *const sql[N_QUERIES] = {
    [SITES] = "SELECT site, key, domain, tags, added, last_request, state, crawl_delay,"
              " robots_fetched, robots_expires, robots_verdict, backoff_until,"
              " backoff_step, settings, robots FROM sites ORDER BY site",
    [ALL_PAGES] = PAGE_COLUMNS "ORDER BY site, page",
    [SITE_PAGES] = PAGE_COLUMNS "WHERE site = ? ORDER BY page",
    [ONE_PAGE] = PAGE_COLUMNS "WHERE site = ? AND page = ?",
    [PAGE_BY_FINGERPRINT] = PAGE_COLUMNS "WHERE site = ? AND fingerprint = ?",
    [LAST_PAGE] = "SELECT ifnull(max(page), 0) FROM pages WHERE site = ?",
    [SITE_LINKS] = LINK_COLUMNS "WHERE site = ? ORDER BY source, target_site, target",
    [SOURCE_LINKS] =
        LINK_COLUMNS "WHERE site = ? AND source = ? ORDER BY target_site, target",
    [ALL_VISITS] = VISIT_COLUMNS "WHERE time >= ? ORDER BY time, site, page",
    [SITE_VISITS] = VISIT_COLUMNS "WHERE time >= ? AND site = ? ORDER BY time, page",
    [PAGE_VISITS] =
        VISIT_COLUMNS "WHERE time >= ? AND site = ? AND page = ? ORDER BY time",
    [ALL_EVENTS] = EVENT_COLUMNS "WHERE number > ? AND time >= ? ORDER BY number LIMIT ?",
    [SITE_EVENTS] = EVENT_COLUMNS
    "WHERE number > ? AND time >= ? AND site = ?4 ORDER BY number LIMIT ?3",
    [LABELS] = "SELECT site, page, relevant FROM labels ORDER BY site, page",
    [DAILY] = "SELECT site, page, day, clicks, impressions FROM counts"
              " WHERE site = ? AND day >= ? AND day < ? ORDER BY day, page",
    [DAILY_SPAN] = "SELECT (SELECT min(day) FROM counts WHERE site = ?1),"
                   " (SELECT max(day) FROM counts WHERE site = ?1) + 1",
    [ALL_VALUES] = VALUE_COLUMNS "ORDER BY site, page",
    [SITE_VALUES] = VALUE_COLUMNS "WHERE site = ? ORDER BY page",
    [ONE_VALUE] = VALUE_COLUMNS "WHERE site = ? AND page = ?",
    [VALUE_RULES] = VALUE_COLUMNS "WHERE rule <> '' ORDER BY site, page",
    [VALUE_CHANGES] = "SELECT site, page, time, kind, text FROM value_changes"
                      " WHERE site = ? AND page = ? ORDER BY time DESC LIMIT ?",
    [ALL_VALUE_CHANGES] = CHANGE_AND_BEFORE "WHERE c.time >= ?"
                                            " ORDER BY c.time, c.site, c.page",
    [SITE_VALUE_CHANGES] = CHANGE_AND_BEFORE "WHERE c.time >= ? AND c.site = ?"
                                             " ORDER BY c.time, c.page",
    [WAITING] = "SELECT hook, number, site, attempts, next, tried, status, dead, why"
                " FROM waiting WHERE ?1 = '' OR hook = ?1 ORDER BY hook, number",
    [REQUESTS] = "SELECT site, time, number, status, failure, purpose, hop, conditional,"
                 " bytes, took_ms, target FROM requests WHERE site = ? AND time >= ?"
                 " ORDER BY time, number",
    [ALL_NOTES] = NOTE_COLUMNS "ORDER BY site, page",
    [SITE_NOTES] = NOTE_COLUMNS "WHERE site = ? ORDER BY page",
    [ONE_NOTE] = NOTE_COLUMNS "WHERE site = ? AND page = ?",
    [PROMISES] = "SELECT site, page, at_least FROM promises ORDER BY site, page",
    [ONE_PROMISE] = "SELECT at_least FROM promises WHERE site = ? AND page = ?",
    [EARLY] = "SELECT DISTINCT key, fingerprint FROM early_counts",
    [BODY] = "SELECT time, bytes, zstd FROM bodies WHERE site = ? AND page = ?"
             " AND time <= ? ORDER BY time DESC LIMIT 1",
    [STATE] = "SELECT bytes FROM state WHERE site = ? AND name = ?",
    [DELIVERED] = "SELECT number, position FROM deliveries WHERE output = ?",
    [DELIVERED_TO_ALL] = "SELECT ifnull(min(number), -1) FROM deliveries",
    [COUNTS] = "SELECT (SELECT count(*) FROM sites), (SELECT count(*) FROM pages),"
               " (SELECT count(*) FROM visits), (SELECT count(*) FROM links),"
               " (SELECT count(*) FROM outbox), (SELECT count(*) FROM bodies)",
    /* 1 seed, 2 source, 4 document, 32 feed, 64 sitemap, 128 gone, 128 + 256 + 512 kept
     * away from, 4096 taken to be new, 67108864 cut; purpose 3: for a document's own
     * sake, 4: not made by us */
    [SUMMARIES] =
        "WITH p AS (SELECT site, count(*) AS known, sum(flags & 2 != 0) AS sources,"
        " sum(flags & 4 != 0) AS documents, sum(flags & 128 != 0) AS gone,"
        " sum(flags & 34 = 34) AS feeds, sum(flags & 66 = 66) AS sitemaps,"
        " sum(visits = 0 AND flags & 896 = 0) AS waiting,"
        " sum(visits = 0 AND flags & 4992 = 4096) AS awaited,"
        " sum(visits = 0 AND flags & 4992 = 0 AND flags & 97 != 0) AS named,"
        " sum(flags & 67108864 != 0) AS cut, max(last_visit) AS last"
        " FROM pages GROUP BY site),"
        " v AS (SELECT site, count(*) AS n, sum(status NOT BETWEEN 200 AND 399) AS bad,"
        " sum(bytes) AS bytes, sum(purpose = 3) AS documents,"
        " sum(purpose = 3 AND changed) AS changes FROM visits WHERE time >= ?1"
        " AND purpose != 4 GROUP BY site),"
        " e AS (SELECT site, sum(time >= ?1) AS day, sum(time >= ?2) AS hour,"
        " max(time) AS last FROM outbox WHERE kind = 'discovery' GROUP BY site)"
        " SELECT s.site, p.known, p.sources, p.documents, p.gone, p.feeds, p.sitemaps,"
        " p.waiting, p.awaited, p.named, p.cut, v.n, v.bad,"
        " v.bytes, v.documents, v.changes, e.day, e.hour, p.last, e.last FROM sites s "
        "LEFT JOIN p USING(site)"
        " LEFT JOIN v USING(site) LEFT JOIN e USING(site) ORDER BY s.site",
};

struct fg_reader {
    struct fg_reader *next;
    sqlite3 *db;
    sqlite3_stmt *stmt[N_QUERIES];
};

/* --- connections --- */

static void free_reader(struct fg_reader *reader)
{
    for (int i = 0; i < N_QUERIES; i++)
        sqlite3_finalize(reader->stmt[i]);
    sqlite3_close(reader->db);
    free(reader);
}

/* file:/path?immutable=1, for a medium that nobody can write to. */
static char *immutable_uri(const char *file)
{
    struct fg_buf uri;
    fg_buf_init(&uri, SIZE_MAX);
    fg_buf_add(&uri, FG_STR("file:"));
    for (const char *c = file; *c; c++) {
        if (fg_is_alnum(*c) || *c == '/' || *c == '.' || *c == '-' || *c == '_')
            fg_buf_add_char(&uri, *c);
        else
            fg_buf_printf(&uri, "%%%02X", (unsigned char)*c);
    }
    fg_buf_add(&uri, (struct fg_str){"?immutable=1", sizeof "?immutable=1"});
    return uri.at;
}

static enum fg_status connect_reader(sqlite3 **db, struct fg_store *store,
                                     struct fg_err *err)
{
    char *uri = store->immutable ? immutable_uri(store->file) : NULL;
    int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | (uri ? SQLITE_OPEN_URI : 0);
    enum fg_status st = FG_OK;
    if (sqlite3_open_v2(uri ? uri : store->file, db, flags, NULL) != SQLITE_OK)
        st = fg_sqlite_fail(err, *db, store->path, "open");
    free(uri);
    if (st)
        return st;
    sqlite3_extended_result_codes(*db, 1);
    sqlite3_busy_timeout(*db, FG_BUSY_MS);
    return fg_sqlite_exec(*db, store->path, "open",
                          "PRAGMA cache_size = -8192; PRAGMA trusted_schema = OFF", err);
}

static enum fg_status open_reader(struct fg_reader **reader, struct fg_store *store,
                                  struct fg_err *err)
{
    *reader = NULL;
    struct fg_reader *made = fg_zeroed(1, sizeof *made);
    enum fg_status st = connect_reader(&made->db, store, err);
    if (!st)
        st = fg_schema_check(made->db, store->path, true, err);
    if (st)
        free_reader(made);
    else
        *reader = made;
    return st;
}

static enum fg_status take_reader(struct fg_reader **reader, struct fg_store *store,
                                  struct fg_err *err)
{
    pthread_mutex_lock(&store->lock);
    *reader = store->readers;
    if (*reader) {
        store->readers = (*reader)->next;
        store->n_readers--;
    }
    pthread_mutex_unlock(&store->lock);
    return *reader ? FG_OK : open_reader(reader, store, err);
}

static void give_back(struct fg_store *store, struct fg_reader *reader)
{
    pthread_mutex_lock(&store->lock);
    bool keeps = store->n_readers < KEPT_READERS;
    if (keeps) {
        reader->next = store->readers;
        store->readers = reader;
        store->n_readers++;
    }
    pthread_mutex_unlock(&store->lock);
    if (!keeps)
        free_reader(reader);
}

/* Nobody can be writing to it, and nothing is left to replay. */
static bool is_at_rest(const struct fg_store *store)
{
    char name[4096];
    struct stat info;
    snprintf(name, sizeof name, "%s-wal", store->file);
    if (stat(name, &info) == 0 && info.st_size > 0)
        return false;
    snprintf(name, sizeof name, "%.*s",
             (int)(strrchr(store->file, '/') - store->file + 1), store->file);
    return access(name, W_OK) != 0;
}

enum fg_status fg_readers_start(struct fg_store *store, struct fg_err *err)
{
    struct fg_reader *reader;
    struct fg_err first = {0};
    enum fg_status st = open_reader(&reader, store, &first);
    /* A folder we cannot write to has no room for the index of a journal. */
    if (st == FG_EIO && store->options.read_only && is_at_rest(store)) {
        store->immutable = true;
        st = open_reader(&reader, store, NULL);
    }
    if (st)
        return fg_fail(err, st, "%s", first.text);
    give_back(store, reader);
    return FG_OK;
}

void fg_readers_clear(struct fg_store *store)
{
    while (store->readers) {
        struct fg_reader *reader = store->readers;
        store->readers = reader->next;
        free_reader(reader);
    }
}

/* --- one question --- */

struct walk fg_reader_ask(struct fg_store *store, enum query which, struct fg_err *err)
{
    struct walk walk = {.store = store};
    walk.status = take_reader(&walk.reader, store, err);
    if (walk.status)
        return walk;
    sqlite3_stmt **stmt = &walk.reader->stmt[which];
    if (!*stmt && sqlite3_prepare_v3(walk.reader->db, sql[which], -1,
                                     SQLITE_PREPARE_PERSISTENT, stmt, NULL) != SQLITE_OK)
        walk.status = fg_sqlite_fail(err, walk.reader->db, store->path, "read");
    walk.stmt = *stmt;
    return walk;
}

bool fg_reader_next(struct walk *walk, struct fg_err *err)
{
    if (walk->status)
        return false;
    walk->at = 0;
    int code = sqlite3_step(walk->stmt);
    if (code == SQLITE_ROW)
        return true;
    if (code != SQLITE_DONE)
        walk->status = fg_sqlite_fail(err, walk->reader->db, walk->store->path, "read");
    return false;
}

enum fg_status fg_reader_end(struct walk *walk)
{
    if (walk->stmt)
        sqlite3_reset(walk->stmt);
    if (walk->reader)
        give_back(walk->store, walk->reader);
    return walk->status;
}

static struct fg_site_row get_site(struct walk *walk)
{
    struct fg_site_row row = {.site = (fg_site_id)get_int(walk)};
    row.key = get_text(walk);
    row.domain = get_text(walk);
    row.tags = get_text(walk);
    row.added = get_time(walk);
    row.last_request = get_time(walk);
    row.state = (uint8_t)get_int(walk);
    row.crawl_delay = get_int(walk);
    row.robots_fetched = get_time(walk);
    row.robots_expires = get_time(walk);
    row.robots_verdict = (uint16_t)get_int(walk);
    row.backoff_until = get_time(walk);
    row.backoff_step = (uint16_t)get_int(walk);
    row.settings = get_text(walk);
    row.robots = get_text(walk);
    return row;
}

static struct fg_page_row get_page(struct walk *walk)
{
    struct fg_page_row row = {.site = (fg_site_id)get_int(walk)};
    row.page = (fg_page_id)get_int(walk);
    row.fingerprint = (uint64_t)get_int(walk);
    row.url = get_text(walk);
    row.flags = (uint32_t)get_int(walk);
    row.found_on = (fg_page_id)get_int(walk);
    row.alias_of = (fg_page_id)get_int(walk);
    row.first_seen = get_time(walk);
    row.last_visit = get_time(walk);
    row.last_change = get_time(walk);
    row.next_visit = get_time(walk);
    row.published = get_time(walk);
    row.status = (uint16_t)get_int(walk);
    row.visits = (uint32_t)get_int(walk);
    row.changes = (uint32_t)get_int(walk);
    row.failures = (uint32_t)get_int(walk);
    row.content_hash = (uint64_t)get_int(walk);
    row.simhash = (uint64_t)get_int(walk);
    row.weight = get_real(walk);
    row.depth = (uint16_t)get_int(walk);
    row.etag = get_text(walk);
    row.last_modified = get_text(walk);
    row.title = get_text(walk);
    row.language = get_text(walk);
    row.identity = (uint64_t)get_int(walk);
    return row;
}

static struct fg_visit_row get_visit(struct walk *walk)
{
    struct fg_visit_row row = {.site = (fg_site_id)get_int(walk)};
    row.page = (fg_page_id)get_int(walk);
    row.time = get_int(walk);
    row.status = (uint16_t)get_int(walk);
    row.failure = (uint8_t)get_int(walk);
    row.changed = get_int(walk) != 0;
    row.conditional = get_int(walk) != 0;
    row.purpose = (uint8_t)get_int(walk);
    row.links = (uint32_t)get_int(walk);
    row.fresh = (uint32_t)get_int(walk);
    row.bytes = (uint32_t)get_int(walk);
    row.took_ms = (uint32_t)get_int(walk);
    row.score = get_real(walk);
    row.probability = get_real(walk);
    row.explored = get_int(walk) != 0;
    return row;
}

static struct fg_link_row get_link(struct walk *walk)
{
    struct fg_link_row row = {.site = (fg_site_id)get_int(walk)};
    row.source = (fg_page_id)get_int(walk);
    row.target_site = (fg_site_id)get_int(walk);
    row.target = (fg_page_id)get_int(walk);
    row.first_seen = get_time(walk);
    row.last_seen = get_time(walk);
    row.gone = get_time(walk);
    return row;
}

static struct fg_event_row get_event(struct walk *walk)
{
    struct fg_event_row row = {.number = (uint64_t)get_int(walk)};
    row.site = (fg_site_id)get_int(walk);
    row.page = (fg_page_id)get_int(walk);
    row.id = (uint64_t)get_int(walk);
    row.time = get_int(walk);
    row.kind = get_text(walk);
    row.json = get_text(walk);
    return row;
}

/* --- walks --- */

enum fg_status fg_store_sites(struct fg_store *store,
                              bool (*take)(void *context, const struct fg_site_row *site),
                              void *context, struct fg_err *err)
{
    struct walk walk = fg_reader_ask(store, SITES, err);
    while (fg_reader_next(&walk, err)) {
        struct fg_site_row row = get_site(&walk);
        if (!take(context, &row))
            break;
    }
    return fg_reader_end(&walk);
}

enum fg_status fg_store_pages(struct fg_store *store, fg_site_id site,
                              bool (*take)(void *context, const struct fg_page_row *page),
                              void *context, struct fg_err *err)
{
    struct walk walk = fg_reader_ask(store, site ? SITE_PAGES : ALL_PAGES, err);
    if (site)
        with_int(&walk, site);
    while (fg_reader_next(&walk, err)) {
        struct fg_page_row row = get_page(&walk);
        if (!take(context, &row))
            break;
    }
    return fg_reader_end(&walk);
}

enum fg_status fg_store_links(struct fg_store *store, fg_site_id site, fg_page_id source,
                              bool (*take)(void *context, const struct fg_link_row *link),
                              void *context, struct fg_err *err)
{
    struct walk walk = fg_reader_ask(store, source ? SOURCE_LINKS : SITE_LINKS, err);
    with_int(&walk, site);
    if (source)
        with_int(&walk, source);
    while (fg_reader_next(&walk, err)) {
        struct fg_link_row row = get_link(&walk);
        if (!take(context, &row))
            break;
    }
    return fg_reader_end(&walk);
}

enum fg_status fg_store_visits(struct fg_store *store, fg_site_id site, fg_page_id page,
                               fg_time since,
                               bool (*take)(void *context,
                                            const struct fg_visit_row *visit),
                               void *context, struct fg_err *err)
{
    enum query which = !site ? ALL_VISITS : page ? PAGE_VISITS : SITE_VISITS;
    struct walk walk = fg_reader_ask(store, which, err);
    with_int(&walk, since);
    if (site)
        with_int(&walk, site);
    if (which == PAGE_VISITS)
        with_int(&walk, page);
    while (fg_reader_next(&walk, err)) {
        struct fg_visit_row row = get_visit(&walk);
        if (!take(context, &row))
            break;
    }
    return fg_reader_end(&walk);
}

enum fg_status fg_store_events(struct fg_store *store, fg_site_id site, uint64_t after,
                               fg_time since, size_t most,
                               bool (*take)(void *context,
                                            const struct fg_event_row *event),
                               void *context, struct fg_err *err)
{
    struct walk walk = fg_reader_ask(store, site ? SITE_EVENTS : ALL_EVENTS, err);
    with_int(&walk, after > INT64_MAX ? INT64_MAX : (int64_t)after);
    with_int(&walk, since);
    with_int(&walk, most > INT64_MAX ? INT64_MAX : (int64_t)most);
    if (site)
        with_int(&walk, site);
    while (fg_reader_next(&walk, err)) {
        struct fg_event_row row = get_event(&walk);
        if (!take(context, &row))
            break;
    }
    return fg_reader_end(&walk);
}

enum fg_status fg_store_labels(struct fg_store *store,
                               bool (*take)(void *context, fg_site_id site,
                                            fg_page_id page, bool relevant),
                               void *context, struct fg_err *err)
{
    struct walk walk = fg_reader_ask(store, LABELS, err);
    while (fg_reader_next(&walk, err)) {
        fg_site_id site = (fg_site_id)get_int(&walk);
        fg_page_id page = (fg_page_id)get_int(&walk);
        if (!take(context, site, page, get_int(&walk) != 0))
            break;
    }
    return fg_reader_end(&walk);
}

static uint32_t get_count(struct walk *walk)
{
    bool is_known = sqlite3_column_type(walk->stmt, walk->at) != SQLITE_NULL;
    int64_t count = get_int(walk);
    return is_known ? (uint32_t)count : FG_UNCOUNTED;
}

enum fg_status fg_store_daily(struct fg_store *store, fg_site_id site, int64_t first,
                              int64_t end_day,
                              bool (*take)(void *context, const struct fg_daily_row *row),
                              void *context, struct fg_err *err)
{
    struct walk walk = fg_reader_ask(store, DAILY, err);
    with_int(&walk, site);
    with_int(&walk, first);
    with_int(&walk, end_day);
    while (fg_reader_next(&walk, err)) {
        struct fg_daily_row row = {.site = (fg_site_id)get_int(&walk)};
        row.page = (fg_page_id)get_int(&walk);
        row.day = (int32_t)get_int(&walk);
        row.clicks = get_count(&walk);
        row.impressions = get_count(&walk);
        if (!take(context, &row))
            break;
    }
    return fg_reader_end(&walk);
}

enum fg_status fg_store_daily_span(struct fg_store *store, fg_site_id site,
                                   int64_t *first, int64_t *end_day, struct fg_err *err)
{
    struct walk walk = fg_reader_ask(store, DAILY_SPAN, err);
    *first = *end_day = 0;
    with_int(&walk, site);
    if (fg_reader_next(&walk, err)) {
        *first = get_int(&walk);
        *end_day = get_int(&walk);
    }
    return fg_reader_end(&walk);
}

static struct fg_site_summary get_summary(struct walk *walk)
{
    struct fg_site_summary row = {.site = (fg_site_id)get_int(walk)};
    row.known = (uint64_t)get_int(walk);
    row.sources = (uint64_t)get_int(walk);
    row.documents = (uint64_t)get_int(walk);
    row.gone = (uint64_t)get_int(walk);
    row.feeds = (uint64_t)get_int(walk);
    row.sitemaps = (uint64_t)get_int(walk);
    row.waiting = (uint64_t)get_int(walk);
    row.awaited = (uint64_t)get_int(walk);
    row.named = (uint64_t)get_int(walk);
    row.cut = (uint64_t)get_int(walk);
    row.visits = (uint64_t)get_int(walk);
    row.failures = (uint64_t)get_int(walk);
    row.bytes = (uint64_t)get_int(walk);
    row.document_visits = (uint64_t)get_int(walk);
    row.document_changes = (uint64_t)get_int(walk);
    row.events_day = (uint64_t)get_int(walk);
    row.events_hour = (uint64_t)get_int(walk);
    row.last_visit = get_time(walk);
    row.last_event = get_time(walk);
    return row;
}

enum fg_status fg_store_summaries(struct fg_store *store, fg_time day, fg_time hour,
                                  bool (*take)(void *context,
                                               const struct fg_site_summary *site),
                                  void *context, struct fg_err *err)
{
    struct walk walk = fg_reader_ask(store, SUMMARIES, err);
    with_int(&walk, day);
    with_int(&walk, hour);
    while (fg_reader_next(&walk, err)) {
        struct fg_site_summary row = get_summary(&walk);
        if (!take(context, &row))
            break;
    }
    return fg_reader_end(&walk);
}

/* --- single rows --- */

static enum fg_status one_page(struct walk *walk, struct fg_page_row *page,
                               struct fg_arena *arena, struct fg_err *err)
{
    bool found = fg_reader_next(walk, err);
    if (found) {
        *page = get_page(walk);
        page->url = fg_arena_dup(arena, page->url);
        page->etag = fg_arena_dup(arena, page->etag);
        page->last_modified = fg_arena_dup(arena, page->last_modified);
        page->title = fg_arena_dup(arena, page->title);
        page->language = fg_arena_dup(arena, page->language);
    }
    enum fg_status st = fg_reader_end(walk);
    return st || found ? st : fg_fail(err, FG_ENOTFOUND, "no such page is stored");
}

enum fg_status fg_store_page(struct fg_store *store, struct fg_page_row *page,
                             struct fg_arena *arena, fg_site_id site, fg_page_id id,
                             struct fg_err *err)
{
    struct walk walk = fg_reader_ask(store, ONE_PAGE, err);
    with_int(&walk, site);
    with_int(&walk, id);
    return one_page(&walk, page, arena, err);
}

enum fg_status fg_store_page_by_fingerprint(struct fg_store *store,
                                            struct fg_page_row *page,
                                            struct fg_arena *arena, fg_site_id site,
                                            uint64_t fingerprint, struct fg_err *err)
{
    struct walk walk = fg_reader_ask(store, PAGE_BY_FINGERPRINT, err);
    with_int(&walk, site);
    with_int(&walk, (int64_t)fingerprint);
    return one_page(&walk, page, arena, err);
}

enum fg_status fg_store_last_page(struct fg_store *store, fg_site_id site,
                                  fg_page_id *page, struct fg_err *err)
{
    struct walk walk = fg_reader_ask(store, LAST_PAGE, err);
    with_int(&walk, site);
    *page = fg_reader_next(&walk, err) ? (fg_page_id)get_int(&walk) : 0;
    return fg_reader_end(&walk);
}

static enum fg_status unpack_row(struct walk *walk, struct fg_str *body,
                                 struct fg_arena *arena, size_t max_bytes,
                                 struct fg_err *err)
{
    int64_t bytes = get_int(walk);
    struct fg_str packed = get_text(walk);
    if (bytes < 0 || (uint64_t)bytes > max_bytes)
        return fg_fail(err, FG_ELIMIT, "the stored body has %lld bytes, more than %zu",
                       (long long)bytes, max_bytes);
    char *out = fg_arena_bytes(arena, (size_t)bytes + 1);
    if (!fg_unpack(out, (size_t)bytes, packed))
        return fg_sqlite_damaged(err, walk->store->path, "a stored body does not unpack");
    out[bytes] = '\0';
    *body = (struct fg_str){out, (size_t)bytes};
    return FG_OK;
}

enum fg_status fg_store_body(struct fg_store *store, struct fg_str *body, fg_time *stored,
                             struct fg_arena *arena, fg_site_id site, fg_page_id page,
                             fg_time time, size_t max_bytes, struct fg_err *err)
{
    struct walk walk = fg_reader_ask(store, BODY, err);
    with_int(&walk, site);
    with_int(&walk, page);
    with_int(&walk, time);
    bool found = fg_reader_next(&walk, err);
    if (found) {
        *stored = get_int(&walk);
        walk.status = unpack_row(&walk, body, arena, max_bytes, err);
    }
    enum fg_status st = fg_reader_end(&walk);
    return st || found ? st : fg_fail(err, FG_ENOTFOUND, "no body of the page is stored");
}

enum fg_status fg_store_state(struct fg_store *store, struct fg_str *bytes,
                              struct fg_arena *arena, fg_site_id site, const char *name,
                              struct fg_err *err)
{
    struct walk walk = fg_reader_ask(store, STATE, err);
    with_int(&walk, site);
    with_text(&walk, name);
    bool found = fg_reader_next(&walk, err);
    if (found)
        *bytes = fg_arena_dup(arena, get_text(&walk));
    enum fg_status st = fg_reader_end(&walk);
    return st || found ? st : fg_fail(err, FG_ENOTFOUND, "no state '%s' is stored", name);
}

enum fg_status fg_store_delivered(struct fg_store *store, const char *output,
                                  uint64_t *number, uint64_t *position,
                                  struct fg_err *err)
{
    *number = *position = 0;
    struct walk walk = fg_reader_ask(store, DELIVERED, err);
    with_text(&walk, output);
    bool found = fg_reader_next(&walk, err);
    if (found) {
        *number = (uint64_t)get_int(&walk);
        *position = (uint64_t)get_int(&walk);
    }
    enum fg_status st = fg_reader_end(&walk);
    return st || found
               ? st
               : fg_fail(err, FG_ENOTFOUND, "nothing was delivered to '%s'", output);
}

enum fg_status fg_store_delivered_to_all(struct fg_store *store, uint64_t *number,
                                         struct fg_err *err)
{
    struct walk walk = fg_reader_ask(store, DELIVERED_TO_ALL, err);
    *number = fg_reader_next(&walk, err) ? (uint64_t)get_int(&walk) : 0;
    return fg_reader_end(&walk);
}

/* --- the whole --- */

static uint64_t bytes_on_disk(const struct fg_store *store)
{
    char name[4096];
    struct stat info;
    uint64_t bytes = stat(store->file, &info) == 0 ? (uint64_t)info.st_size : 0;
    snprintf(name, sizeof name, "%s-wal", store->file);
    return bytes + (stat(name, &info) == 0 ? (uint64_t)info.st_size : 0);
}

enum fg_status fg_store_count(struct fg_store *store, struct fg_store_counts *counts,
                              struct fg_err *err)
{
    *counts = (struct fg_store_counts){.file_bytes = bytes_on_disk(store)};
    struct walk walk = fg_reader_ask(store, COUNTS, err);
    if (fg_reader_next(&walk, err)) {
        counts->sites = (uint64_t)get_int(&walk);
        counts->pages = (uint64_t)get_int(&walk);
        counts->visits = (uint64_t)get_int(&walk);
        counts->links = (uint64_t)get_int(&walk);
        counts->events = (uint64_t)get_int(&walk);
        counts->bodies = (uint64_t)get_int(&walk);
    }
    return fg_reader_end(&walk);
}

enum fg_status fg_store_check(struct fg_store *store, struct fg_err *err)
{
    struct fg_reader *reader;
    enum fg_status st = take_reader(&reader, store, err);
    if (st)
        return st;
    st = fg_sqlite_check(reader->db, store->path, err);
    give_back(store, reader);
    return st;
}
