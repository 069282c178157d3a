/* Pull the plug: one crawl, killed with SIGKILL again and again at random moments, then
 * held against the truth of the web it crawled and against the server's own log. */
#include "live.h"

#include "base/rng.h"
#include "crawl/crawl.h"
#include "policy/mind.h"
#include "store/store.h"

#include <jansson.h>

/* Real time runs 3600 times slower: an hour is a second, the delay a thirtieth of one. */
enum { SPEED = 3600, DELAY_S = 120, EARLIEST_MS = 5, LATEST_MS = 150, LOOK_EVERY = 20 };

static const char *const flags[] = {
    "--quiet",
    "--policy-discovery=thompson",
    "--crawl-tick=15m",
    "--crawl-budget=120",
    "--crawl-explore=12",
    NULL,
};

static unsigned kills(void)
{
    const char *is_long = getenv("FORAGE_LONG");
    const char *wanted = getenv("FORAGE_KILLS");
    if (wanted && strtoul(wanted, NULL, 10))
        return (unsigned)strtoul(wanted, NULL, 10);
    return is_long && *is_long ? 2000 : 200;
}

static const char *const *all_flags(const struct live *live, const char *last)
{
    static const char *all[LIVE_ARGS];
    static char file[2 * LIVE_PATH + 32];
    size_t n = 0;
    snprintf(file, sizeof file, "--output-file=%s", live_path(live, "events.jsonl"));
    for (; flags[n]; n++)
        all[n] = flags[n];
    all[n++] = file;
    all[n++] = last;
    all[n] = NULL;
    return all;
}

/* --- what the outside saw, as tables beside the store's --- */

static void put_row(sqlite3 *db, const char *sql, int64_t a, int64_t b, struct fg_str c,
                    struct fg_str d)
{
    sqlite3_stmt *stmt;
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
    sqlite3_bind_int64(stmt, 1, a);
    sqlite3_bind_int64(stmt, 2, b);
    sqlite3_bind_text(stmt, 3, c.at, (int)c.len, SQLITE_TRANSIENT);
    sqlite3_bind_text(stmt, 4, d.at, (int)d.len, SQLITE_TRANSIENT);
    if (sqlite3_step(stmt) != SQLITE_DONE)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    sqlite3_finalize(stmt);
}

/* said(output, line, event, url): every line must be a whole JSON object. A kill may stop
 * a write where a page of memory ends. From a file that is taken back; on standard
 * output, which cannot be, the line comes again. */
static void read_events(sqlite3 *db, const struct live *live, const char *name,
                        int output)
{
    FILE *f = fopen(live_path(live, name), "r");
    assert_non_null(f);
    char *line = NULL, *cut = NULL;
    size_t room = 0;
    ssize_t n;
    for (int64_t number = 1; (n = getline(&line, &room, f)) > 0; number++) {
        bool is_whole = line[n - 1] == '\n';
        json_t *json = is_whole ? json_loadb(line, (size_t)n, 0, NULL) : NULL;
        if (!json && is_whole && output == 1 && !cut) {
            cut = strndup(line, (size_t)n - 1);
            continue;
        }
        if (!json || (cut && strncmp(line, cut, strlen(cut)) != 0))
            fail_msg("%s:%d is no whole line of JSON: %s", name, (int)number,
                     cut ? cut : line);
        free(cut);
        cut = NULL;
        put_row(db, "INSERT INTO said VALUES(?,?,?,?)", output, number,
                fg_str_from(json_string_value(json_object_get(json, "event"))),
                fg_str_from(json_string_value(json_object_get(json, "url"))));
        json_decref(json);
    }
    assert_null(cut);
    free(line);
    fclose(f);
}

/* asked(time, site, path, agent), from "time_us site path status bytes user-agent". */
static void read_requests(sqlite3 *db, const struct live *live)
{
    FILE *f = fopen(live_path(live, "requests"), "r");
    assert_non_null(f);
    char *line = NULL;
    size_t room = 0;
    ssize_t n;
    while ((n = getline(&line, &room, f)) > 0) {
        struct fg_str rest = {line, (size_t)n - 1}, time, site, path, skipped;
        uint64_t at, number;
        fg_str_cut(&rest, ' ', &time);
        fg_str_cut(&rest, ' ', &site);
        fg_str_cut(&rest, ' ', &path);
        fg_str_cut(&rest, ' ', &skipped);
        fg_str_cut(&rest, ' ', &skipped);
        assert_true(fg_str_to_u64(time, &at) && fg_str_to_u64(site, &number));
        put_row(db, "INSERT INTO asked VALUES(?,?,?,?)", (int64_t)at, (int64_t)number,
                path, rest);
    }
    free(line);
    fclose(f);
}

struct telling {
    sqlite3 *db;
    const struct live *live;
};

static bool tell_article(void *context, const struct fg_web_article *article)
{
    struct telling *telling = context;
    char url[1024];
    int n = snprintf(url, sizeof url, "%s%.*s",
                     fg_web_server_origin(telling->live->server, article->site),
                     FG_ARG(article->path));
    put_row(telling->db, "INSERT INTO article VALUES(?,?,?,?)", article->published,
            article->site, (struct fg_str){url, (size_t)n}, FG_STR(""));
    return true;
}

/* exists(url): is this an address of the web at all? */
static void web_has(sqlite3_context *context, int n, sqlite3_value **values)
{
    (void)n;
    const struct live *live = sqlite3_user_data(context);
    struct fg_str url = fg_str_from((const char *)sqlite3_value_text(values[0]));
    struct fg_buf body;
    fg_buf_init(&body, 1 << 24);
    bool found = false;
    struct fg_clock clock = fg_clock_simulated(live->anchor, live->options.speed);
    for (unsigned i = 0; i < live->options.sites && !found; i++) {
        struct fg_str origin = fg_str_from(fg_web_server_origin(live->server, i));
        if (fg_str_starts(url, origin))
            found = fg_web_render(live->web, i, fg_str_skip(url, origin.len), origin,
                                  fg_clock_now(&clock), &body)
                        .status == 200;
    }
    fg_buf_clear(&body);
    sqlite3_result_int(context, found);
}

static void gather(sqlite3 *db, const struct live *live)
{
    live_sql(db, "BEGIN;"
                 "CREATE TABLE said(output, line, event TEXT, url TEXT);"
                 "CREATE TABLE asked(time, site, path, agent);"
                 "CREATE TABLE article(published, site, url TEXT PRIMARY KEY, title)");
    read_events(db, live, "stdout", 1);
    read_events(db, live, "events.jsonl", 2);
    read_requests(db, live);
    struct telling telling = {db, live};
    struct fg_clock clock = fg_clock_simulated(live->anchor, live->options.speed);
    fg_web_articles(live->web, FG_NEVER, fg_clock_now(&clock), tell_article, &telling);
    live_sql(db,
             "CREATE TABLE box(event TEXT PRIMARY KEY, url, number, is_alarm);"
             "INSERT INTO box SELECT printf('%016x', id), json_extract(json, '$.url'),"
             " number, kind LIKE 'alarm%' FROM s.outbox;"
             "CREATE VIEW news AS SELECT * FROM box WHERE NOT is_alarm;"
             "CREATE INDEX said_by_event ON said(event, output);"
             "COMMIT");
    sqlite3_create_function(db, "web_has", 1, SQLITE_UTF8, (void *)live, web_has, NULL,
                            NULL);
}

static bool agrees_with_truth(sqlite3 *db)
{
    static const char *const claims[][2] = {
        {"what was reported exists", "SELECT url FROM said WHERE NOT web_has(url)"},
        {"what was reported is stored, under its id",
         "SELECT d.event, d.url FROM said d LEFT JOIN box o USING(event)"
         " WHERE o.number IS NULL OR o.url <> d.url"},
        {"no article was found before it was published",
         "SELECT p.url, p.first_seen, a.published FROM s.pages p JOIN article a"
         " USING(url) WHERE p.first_seen < a.published"},
        {"an article that came to a list after its first look is told, or about to be",
         "SELECT p.url, p.flags, p.visits, l.source, l.first_seen FROM s.links l"
         " JOIN s.pages p ON p.site = l.target_site AND p.page = l.target"
         " JOIN article a USING(url) JOIN s.sites t ON t.site = p.site"
         " LEFT JOIN news o USING(url) WHERE a.published > t.added"
         " AND o.number IS NULL AND (p.flags & 4096) = 0"
         " AND l.first_seen >"
         " (SELECT min(first_seen) FROM s.links f"
         " WHERE f.site = l.site AND f.source = l.source)"},
        {"an article whose address has a later day than the watch, likewise",
         "SELECT p.url, p.flags, p.visits FROM s.pages p JOIN article a USING(url)"
         " JOIN s.sites t USING(site) LEFT JOIN news o USING(url)"
         " WHERE a.published / 86400000000 > t.added / 86400000000"
         " AND o.number IS NULL AND (p.flags & 4096) = 0"},
        {"an article that is older than the watch is not told",
         "SELECT o.url FROM news o JOIN article a USING(url) JOIN s.pages p USING(url)"
         " JOIN s.sites t USING(site) WHERE a.published < t.added"},
        {"what is told is an article",
         "SELECT url FROM news WHERE url NOT IN (SELECT url FROM article)"},
        {"an id is one address",
         "SELECT event FROM said GROUP BY event HAVING count(DISTINCT url) > 1"},
        {"an address has one id",
         "SELECT url FROM said WHERE event IN (SELECT event FROM news)"
         " GROUP BY url HAVING count(DISTINCT event) > 1"},
        {"an alarm about a server's error is of a page that answered with 503",
         "SELECT o.json FROM s.outbox o WHERE kind = 'alarm'"
         " AND json_extract(o.json, '$.reason') = 'server-error' AND NOT EXISTS"
         " (SELECT * FROM s.visits v JOIN s.pages p USING(site, page)"
         " WHERE p.url = json_extract(o.json, '$.url') AND v.status = 503"
         " AND v.time <= o.time)"},
        {"the file has every event once, in order",
         "SELECT o.number, d.line FROM box o LEFT JOIN said d"
         " ON d.output = 2 AND d.event = o.event"
         " WHERE d.line IS NULL OR d.line <> o.number"},
        {"standard output has every event", "SELECT number FROM box WHERE event NOT IN"
                                            " (SELECT event FROM said WHERE output = 1)"},
        {"what the store ever had it still has",
         "SELECT k.* FROM kept_pages k LEFT JOIN s.pages p USING(site, page)"
         " WHERE p.page IS NULL OR p.url <> k.url OR p.first_seen <> k.first_seen"
         " OR p.visits < k.visits"},
        {"events keep their numbers and ids",
         "SELECT k.* FROM kept_events k LEFT JOIN s.outbox o USING(number)"
         " WHERE o.id IS NULL OR o.id <> k.id"},
    };
    bool agrees = true;
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++)
        agrees &= live_none(db, claims[i][0], claims[i][1]);
    return agrees;
}

static bool was_polite(sqlite3 *db)
{
    char sql[512];
    snprintf(sql, sizeof sql,
             "SELECT * FROM (SELECT site, path, time - lag(time) OVER"
             " (PARTITION BY site ORDER BY time) AS gap FROM asked"
             " WHERE agent LIKE '%%Forage%%') WHERE gap < %lld",
             (long long)(DELAY_S * FG_SECOND / SPEED));
    return live_none(db, "no host was visited faster than allowed", sql);
}

/* The policy knows of every visit of its sources, and of none twice: what its saved state
 * did not have when it was killed was read from the log. */
static bool policy_knows_all_visits(const struct live *live, sqlite3 *db)
{
    struct fg_store *store;
    struct fg_mind *mind =
        fg_mind_new(fg_policy_find(FG_STR("thompson"), FG_DISCOVERY), 1);
    assert_int_equal(fg_store_open(&store, live_path(live, "ws/forage.db"),
                                   &(struct fg_store_options){.read_only = true}, NULL),
                     FG_OK);
    assert_int_equal(fg_crawl_load_mind(mind, store, true, NULL), FG_OK);
    live_sql(db, "CREATE TABLE learnt(site, page, visits)");
    const struct fg_world *world = fg_mind_world(mind);
    for (size_t row = 0; row < world->n; row++) {
        double visits = 0;
        for (int hour = 0; hour < 24; hour++) {
            struct fg_reason reason;
            assert_true(fg_mind_explain(mind, hour * FG_HOUR, row, &reason));
            visits += reason.observations;
        }
        char sql[128];
        snprintf(sql, sizeof sql, "INSERT INTO learnt VALUES(%u, %u, %d)",
                 (unsigned)(world->id[row] >> 32), (unsigned)world->id[row], (int)visits);
        live_sql(db, sql);
    }
    fg_mind_free(mind);
    fg_store_close(store, NULL);
    return live_none(db, "the policy knows the sources, and no other page",
                     "SELECT site, page, 'store' FROM s.pages WHERE flags & 2"
                     " AND (site, page) NOT IN (SELECT site, page FROM learnt)"
                     " UNION ALL SELECT site, page, 'policy' FROM learnt WHERE"
                     " (site, page) NOT IN"
                     " (SELECT site, page FROM s.pages WHERE flags & 2)") &
           live_none(db, "the policy knows of every visit once",
                     "SELECT l.site, l.page, l.visits, count(v.time) FROM learnt l"
                     " LEFT JOIN s.visits v ON v.site = l.site AND v.page = l.page AND"
                     " v.status BETWEEN 200 AND 399 GROUP BY l.site, l.page"
                     " HAVING l.visits <> count(v.time)");
}

/* --- the crawl and its end --- */

static void look(const struct live *live, sqlite3 *kept)
{
    /* Before there is a journal there is nothing in it yet, and perhaps one of another
     * kind, which only a writer can undo. */
    if (access(live_path(live, "ws/forage.db-wal"), F_OK) != 0)
        return;
    sqlite3 *db = live_open_store(live);
    bool has_tables = live_int(db, "SELECT count(*) FROM s.sqlite_schema") > 0;
    sqlite3_stmt *rows;
    const char *selects[] = {"SELECT site, page, url, first_seen, visits FROM s.pages",
                             "SELECT number, id, NULL, NULL, NULL FROM s.outbox"};
    const char *inserts[] = {"INSERT OR REPLACE INTO kept_pages VALUES(?,?,?,?,?)",
                             "INSERT OR REPLACE INTO kept_events VALUES(?,?,?,?,?)"};
    live_sql(kept, "BEGIN");
    for (int i = 0; has_tables && i < 2; i++) {
        sqlite3_stmt *put;
        assert_int_equal(sqlite3_prepare_v2(db, selects[i], -1, &rows, NULL), SQLITE_OK);
        assert_int_equal(sqlite3_prepare_v2(kept, inserts[i], -1, &put, NULL), SQLITE_OK);
        while (sqlite3_step(rows) == SQLITE_ROW) {
            for (int column = 0; column < 5; column++)
                sqlite3_bind_value(put, column + 1, sqlite3_column_value(rows, column));
            assert_int_equal(sqlite3_step(put), SQLITE_DONE);
            sqlite3_reset(put);
        }
        sqlite3_finalize(rows);
        sqlite3_finalize(put);
    }
    live_sql(kept, "COMMIT");
    bool is_sound = !has_tables || live_is_sound(db);
    sqlite3_close(db);
    assert_true(is_sound);
}

/* Half of the kills come after a random time, which on a slow machine is often before it
 * has read its store; the others a moment after a few requests were made. */
static void wait_a_little(const struct live *live, struct fg_rng *rng)
{
    if (fg_rng_below(rng, 2)) {
        usleep(1000 *
               (EARLIEST_MS + (unsigned)fg_rng_below(rng, LATEST_MS - EARLIEST_MS)));
        return;
    }
    uint64_t until = fg_web_server_requests(live->server) + 1 + fg_rng_below(rng, 8);
    for (int ms = 0; ms < 1000 && fg_web_server_requests(live->server) < until; ms++)
        usleep(1000);
    usleep((unsigned)fg_rng_below(rng, 15000));
}

static void run_and_kill(const struct live *live, struct fg_rng *rng)
{
    pid_t pid = live_spawn(live, "watch", all_flags(live, NULL));
    wait_a_little(live, rng);
    kill(pid, SIGKILL);
    int code = live_wait(pid);
    if (code != 1000 + SIGKILL) {
        live_show_stderr(live);
        fail_msg("it ended by itself, with code %d", code);
    }
    /* What it had sent is the server's by now: the next one cannot know of it. */
    live_probe(live);
}

static void a_crawl_survives_being_killed(void **state)
{
    (void)state;
    struct live live;
    live_start(
        &live,
        &(struct live_options){
            .sites = 4, .speed = SPEED, .delay = "120s", .trouble = 0.01, .drops = 0.01});
    char kept_path[2 * LIVE_PATH];
    snprintf(kept_path, sizeof kept_path, "%s", live_path(&live, "kept.db"));
    sqlite3 *kept;
    assert_int_equal(sqlite3_open(kept_path, &kept), SQLITE_OK);
    live_sql(kept, "PRAGMA synchronous = OFF;"
                   "CREATE TABLE kept_pages(site, page, url, first_seen, visits,"
                   " PRIMARY KEY(site, page));"
                   "CREATE TABLE kept_events(number PRIMARY KEY, id, a, b, c)");
    struct fg_rng rng = fg_rng_from_seed((uint64_t)fg_time_now());
    /* On a busy machine it is killed before it has done anything, most of the time. */
    enum { REQUESTS_LEAST = 700, PATIENCE = 4 };
    for (unsigned i = 0;
         i < kills() ||
         (i < PATIENCE * kills() && fg_web_server_requests(live.server) < REQUESTS_LEAST);
         i++) {
        run_and_kill(&live, &rng);
        if (i % LOOK_EVERY == 0)
            look(&live, kept);
    }
    look(&live, kept);
    sqlite3_close(kept);
    live_expect(&live, live_spawn(&live, "watch", all_flags(&live, "--time-limit=5s")),
                0);

    sqlite3 *db = live_open_store(&live);
    char attach[2 * LIVE_PATH + 32];
    snprintf(attach, sizeof attach, "ATTACH '%s' AS k", kept_path);
    live_sql(db, attach);
    gather(db, &live);
    print_message(
        "%d requests, %d pages, %d events, %d lines on standard output, smallest "
        "gap %d us\n",
        (int)live_int(db, "SELECT count(*) FROM asked WHERE agent <> '-'"),
        (int)live_int(db, "SELECT count(*) FROM s.pages"),
        (int)live_int(db, "SELECT count(*) FROM s.outbox"),
        (int)live_int(db, "SELECT count(*) FROM said WHERE output = 1"),
        (int)live_int(db, "SELECT min(gap) FROM (SELECT time - lag(time) OVER"
                          " (PARTITION BY site ORDER BY time) AS gap FROM asked"
                          " WHERE agent LIKE '%Forage%')"));
    bool is_sound = live_is_sound(db), agrees = agrees_with_truth(db),
         polite = was_polite(db), learnt = policy_knows_all_visits(&live, db);
    /* A site that is busy with news may not have been explored to the end. */
    int64_t told_of = live_int(db, "SELECT count(DISTINCT site) FROM s.outbox"
                                   " WHERE kind NOT LIKE 'alarm%'");
    int64_t events = live_int(db, "SELECT count(*) FROM news");
    sqlite3_close(db);
    assert_true(is_sound);
    assert_true(agrees);
    assert_true(polite);
    assert_true(learnt);
    assert_int_equal(told_of, 4);
    assert_true(events > 50);
    live_stop(&live);
}

FG_TESTS(a_crawl_survives_being_killed)
