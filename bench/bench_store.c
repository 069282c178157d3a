/* The store beside raw SQLite: how much of the machine a crawl's results cost, and how
 * long it takes to write and walk a million pages.
 *
 * A result is what one fetch of a crawl leaves: the fetched page's row replaced, a visit,
 * one discovery event and three new pages. The limit measured beside it is SQLite filling
 * one plain table with rows of the same bytes: no key, no index, nothing replaced, and
 * the same number of synced commits.
 *
 * With FORAGE_BENCH_POSTGRES=postgresql://... the same results go to a PostgreSQL on this
 * machine, into the schema `bench`, which is dropped; the server's processor time is that
 * of the process that serves the writer. There in groups of 50, too, each durable before
 * the next; by four writers at once, each a lot's; and the million pages are copied from
 * the file and back. */
#include "base/time.h"
#include "bench.h"
#include "store/copy.h"
#include "store/lots.h"
#include "store/store.h"

#include <libpq-fe.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RESULTS = 100000, PACE = 5000, NEW_PAGES = 3, MILLION = 1000000, ROUNDS = 3 };

static char folder[] = "/tmp/forage-bench-XXXXXX";
static char path[256];

/* The address without the schema. */
static PGconn *connect_postgres(void)
{
    char address[256];
    snprintf(address, sizeof address, "%.*s", (int)strcspn(path, "#"), path);
    return PQconnectdb(address);
}

static void remove_files(void)
{
    if (strchr(path, '#')) {
        PGconn *db = connect_postgres();
        PQclear(PQexec(db, "SET client_min_messages = error;"
                           "DROP SCHEMA IF EXISTS bench CASCADE"));
        PQfinish(db);
        return;
    }
    static const char *const suffixes[] = {"", "-wal", "-shm", ".lock"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        char name[80];
        snprintf(name, sizeof name, "%s%s", path, suffixes[i]);
        unlink(name);
    }
}

static struct fg_page_row page_row(fg_page_id id, char url[static 96])
{
    int n = snprintf(url, 96, "https://news.example.org/2026/11/section-%u/story-%08u",
                     id % 17, id);
    struct fg_str text = {url, (size_t)n};
    return (struct fg_page_row){.site = 1,
                                .page = id,
                                .fingerprint = fg_str_hash(text),
                                .url = text,
                                .found_on = id / 7,
                                .first_seen = 1763000000000000 + id,
                                .last_visit = FG_NEVER,
                                .last_change = FG_NEVER,
                                .next_visit = FG_NEVER,
                                .published = FG_NEVER,
                                .weight = 1};
}

static const char json[] =
    "{\"id\":\"5f1d0c2a9b3e4f67\",\"kind\":\"discovery\",\"url\":\"https://"
    "news.example.org/"
    "2026/11/section-3/story-00001234\",\"found_on\":\"https://news.example.org/\","
    "\"time\":\"2026-11-15T21:02:18Z\",\"title\":\"A headline of the usual length, no "
    "more\"}";

static void fill_result(struct fg_batch *batch, fg_page_id visited, fg_page_id *last)
{
    char url[96];
    struct fg_page_row page = page_row(visited, url);
    page.last_visit = page.last_change = 1763000000500000 + visited;
    page.visits = page.changes = 1;
    page.status = 200;
    page.content_hash = page.fingerprint ^ 1;
    page.simhash = page.fingerprint ^ 2;
    page.etag = FG_STR("\"5f1d0c2a9b3e4f67\"");
    page.title = FG_STR("A headline of the usual length, no more");
    page.language = FG_STR("en");
    fg_batch_page(batch, &page);
    fg_batch_visit(batch, &(struct fg_visit_row){.site = 1,
                                                 .page = visited,
                                                 .time = page.last_visit,
                                                 .status = 200,
                                                 .changed = true,
                                                 .links = 60,
                                                 .fresh = NEW_PAGES,
                                                 .bytes = 30000,
                                                 .took_ms = 12,
                                                 .score = 0.4f,
                                                 .probability = 1});
    fg_batch_event(batch, &(struct fg_event_row){.site = 1,
                                                 .page = visited,
                                                 .id = page.fingerprint,
                                                 .time = page.last_visit,
                                                 .kind = FG_STR("discovery"),
                                                 .json = FG_STR(json)});
    for (int i = 0; i < NEW_PAGES; i++) {
        page = page_row(++*last, url);
        fg_batch_page(batch, &page);
    }
}

struct figures {
    double seconds, cpu;
    uint64_t commits, statements;
    double server_cpu; /* of PostgreSQL */
};

/* What the server has spent on our writer, the oldest of our connections. */
static double server_cpu(void)
{
    char sql[200], name[64];
    unsigned long user = 0, system = 0;
    snprintf(sql, sizeof sql,
             "SELECT pid FROM pg_stat_activity WHERE application_name LIKE"
             " 'forage %ld %%' ORDER BY backend_start LIMIT 1",
             (long)getpid());
    PGconn *db = connect_postgres();
    PGresult *result = PQexec(db, sql);
    snprintf(name, sizeof name, "/proc/%s/stat",
             PQntuples(result) ? PQgetvalue(result, 0, 0) : "0");
    PQclear(result);
    PQfinish(db);
    FILE *f = fopen(name, "r");
    if (f && fscanf(f, "%*d %*s %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
                    &user, &system) != 2)
        user = 0;
    if (f)
        fclose(f);
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

/* As fast as the writer can, or at PACE results a second. */
static struct figures write_results(fg_page_id results, bool paced)
{
    remove_files();
    struct fg_store *store;
    struct fg_err err;
    bench_must(fg_store_open(&store, path, NULL, &err), &err);
    fg_time start = fg_time_monotonic();
    fg_page_id last = 0;
    uint64_t number = 0;
    for (fg_page_id i = 1; i <= results; i++) {
        struct fg_batch *batch = fg_batch_new(store);
        if (i == 1)
            fg_batch_page(batch, &(struct fg_page_row){.site = 1, .page = ++last});
        fill_result(batch, i, &last);
        number = fg_store_submit(store, batch);
        while (fg_store_backlog(store) > 4096 ||
               (paced && fg_time_monotonic() - start < i * FG_SECOND / PACE))
            usleep(200);
    }
    bench_must(fg_store_flush(store, number, &err), &err);
    struct figures figures = {.seconds = fg_seconds(fg_time_monotonic() - start)};
    struct fg_store_effort effort = fg_store_effort(store);
    figures.cpu = fg_seconds(effort.cpu);
    figures.commits = effort.commits;
    figures.statements = effort.statements;
    if (strchr(path, '#'))
        figures.server_cpu = server_cpu();
    bench_must(fg_store_close(store, &err), &err);
    return figures;
}

/* As many bytes as the rows of a result hold, in as many plain rows. */
static struct figures write_raw(uint64_t commits)
{
    remove_files();
    sqlite3 *db;
    sqlite3_stmt *insert;
    sqlite3_open(path, &db);
    sqlite3_exec(db,
                 "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                 "PRAGMA wal_autocheckpoint = 8192; PRAGMA cache_size = -65536;"
                 "CREATE TABLE raw(a INTEGER, b TEXT);",
                 NULL, NULL, NULL);
    sqlite3_prepare_v2(db, "INSERT INTO raw VALUES(?,?)", -1, &insert, NULL);
    static char text[512];
    memset(text, 'x', sizeof text);
    static const int bytes[] = {200, 45, 300, 110, 110, 110};
    fg_time start = fg_time_monotonic();
    double cpu = bench_cpu_seconds();
    uint64_t per_commit = RESULTS / (commits ? commits : 1) + 1;
    sqlite3_exec(db, "BEGIN", NULL, NULL, NULL);
    for (uint64_t i = 1; i <= RESULTS; i++) {
        for (size_t row = 0; row < sizeof bytes / sizeof *bytes; row++) {
            sqlite3_bind_int64(insert, 1, (int64_t)i);
            sqlite3_bind_text(insert, 2, text, bytes[row], SQLITE_STATIC);
            sqlite3_step(insert);
            sqlite3_reset(insert);
        }
        if (i % per_commit == 0)
            sqlite3_exec(db, "COMMIT; BEGIN", NULL, NULL, NULL);
    }
    sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
    struct figures figures = {fg_seconds(fg_time_monotonic() - start),
                              bench_cpu_seconds() - cpu, commits, 0, 0};
    sqlite3_finalize(insert);
    sqlite3_close(db);
    return figures;
}

static void bench_results(void)
{
    struct figures ours = {.cpu = 1e9}, raw = {.cpu = 1e9};
    for (int i = 0; i < ROUNDS; i++) {
        struct figures round = write_results(RESULTS, false);
        if (round.cpu < ours.cpu)
            ours = round;
        round = write_raw(ours.commits);
        if (round.cpu < raw.cpu)
            raw = round;
    }
    bench_rate("results stored durably", RESULTS / ours.seconds, "results");
    struct figures paced = write_results(4 * PACE, true);
    bench_rate("rows stored durably", RESULTS * (3 + NEW_PAGES) / ours.seconds, "rows");
    printf("%-44s %9.2f us (asked 40: %s), %.0f results a commit\n",
           "writer CPU a result", ours.cpu / RESULTS * 1e6,
           ours.cpu / RESULTS * 1e6 <= 40 ? "reached" : "NOT reached",
           (double)RESULTS / (double)ours.commits);
    printf("%-44s %9.2f us, %.0f results a commit\n",
           "the same at 5,000 results a second", paced.cpu / (4 * PACE) * 1e6,
           4.0 * PACE / (double)paced.commits);
    printf("%-44s %9.2f us\n", "raw SQLite, no keys, same bytes",
           raw.cpu / RESULTS * 1e6);
    bench_ratio("writer CPU", "of the raw limit (lower is better)", ours.cpu / raw.cpu,
                0);
}

static bool use_page(void *context, const struct fg_page_row *page)
{
    ++*(size_t *)context;
    bench_use(page->fingerprint ^ page->url.len);
    return true;
}

static void bench_million(void)
{
    remove_files();
    struct fg_store *store;
    struct fg_err err;
    bench_must(fg_store_open(&store, path, NULL, &err), &err);
    fg_time start = fg_time_monotonic();
    uint64_t number = 0;
    for (fg_page_id id = 1; id <= MILLION;) {
        struct fg_batch *batch = fg_batch_new(store);
        char url[96];
        for (int i = 0; i < 100; i++) {
            struct fg_page_row page = page_row(id++, url);
            fg_batch_page(batch, &page);
        }
        number = fg_store_submit(store, batch);
        while (fg_store_backlog(store) > 256)
            usleep(200);
    }
    bench_must(fg_store_flush(store, number, &err), &err);
    double wrote = fg_seconds(fg_time_monotonic() - start);
    bench_rate("new pages stored, one million", MILLION / wrote, "pages");
    size_t n = 0;
    start = fg_time_monotonic();
    bench_must(fg_store_pages(store, 0, use_page, &n, &err), &err);
    double walked = fg_seconds(fg_time_monotonic() - start);
    bench_rate("walk over all pages, one million", (double)n / walked, "pages");
    struct fg_store_counts counts;
    start = fg_time_monotonic();
    bench_must(fg_store_count(store, &counts, &err), &err);
    printf("%-44s %9.2f ms\n", "count of everything",
           fg_seconds(fg_time_monotonic() - start) * 1e3);
    start = fg_time_monotonic();
    bench_must(fg_store_check(store, &err), &err);
    double checked = fg_seconds(fg_time_monotonic() - start);
    printf("%-44s %9.2f bytes, journal %.1f MB\n", "file, a page",
           (double)counts.file_bytes / MILLION,
           (double)fg_store_effort(store).journal_bytes / 1e6);
    bench_rate("quick_check", (double)counts.file_bytes / checked, "bytes");
    bench_must(fg_store_close(store, &err), &err);
}

/* --- as several workers write: in groups, each durable before the next --- */

enum { GROUP = 50, GROUPS = 200, WARM = 40, WRITERS = 4 };

struct waits {
    double rate, cpu, wal, waits[GROUPS];
    uint64_t commits, statements;
};

static double wal_bytes(void)
{
    PGconn *db = connect_postgres();
    PGresult *result = PQexec(db, "SELECT pg_current_wal_lsn() - '0/0'");
    double bytes = PQntuples(result) ? strtod(PQgetvalue(result, 0, 0), NULL) : 0;
    PQclear(result);
    PQfinish(db);
    return bytes;
}

static int compare_waits(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The first groups are not counted: they fill the server's memory. */
static void write_groups(struct waits *waits, struct fg_store *store)
{
    struct fg_err err;
    fg_page_id last = 0, next = 1;
    fg_time began = 0;
    struct fg_store_effort before = {0};
    for (int group = 0; group < WARM + GROUPS; group++) {
        uint64_t number = 0;
        if (group == WARM) {
            before = fg_store_effort(store);
            waits->wal = wal_bytes();
            waits->cpu = server_cpu();
            began = fg_time_monotonic();
        }
        fg_time start = fg_time_monotonic();
        for (int i = 0; i < GROUP; i++) {
            struct fg_batch *batch = fg_batch_new(store);
            if (next == 1)
                fg_batch_page(batch, &(struct fg_page_row){.site = 1, .page = ++last});
            fill_result(batch, next++, &last);
            number = fg_store_submit(store, batch);
        }
        bench_must(fg_store_flush(store, number, &err), &err);
        if (group >= WARM)
            waits->waits[group - WARM] = fg_seconds(fg_time_monotonic() - start);
    }
    struct fg_store_effort after = fg_store_effort(store);
    waits->rate = GROUPS * GROUP / fg_seconds(fg_time_monotonic() - began);
    waits->cpu = (server_cpu() - waits->cpu) / (GROUPS * GROUP);
    waits->wal = (wal_bytes() - waits->wal) / (GROUPS * GROUP);
    waits->commits = after.commits - before.commits;
    waits->statements = after.statements - before.statements;
    qsort(waits->waits, GROUPS, sizeof *waits->waits, compare_waits);
}

static void bench_groups(void)
{
    struct fg_store *store;
    struct fg_err err;
    struct waits waits;
    remove_files();
    bench_must(fg_store_open(&store, path, NULL, &err), &err);
    write_groups(&waits, store);
    bench_must(fg_store_close(store, &err), &err);
    bench_rate("PostgreSQL: groups of 50, one writer", waits.rate, "results");
    printf("%-44s %9.2f us (asked 250: %s)\n", "server CPU a result", waits.cpu * 1e6,
           waits.cpu * 1e6 <= 250 ? "reached" : "NOT reached");
    printf("%-44s %9.0f bytes (asked 5000: %s)\n", "WAL a result", waits.wal,
           waits.wal <= 5000 ? "reached" : "NOT reached");
    printf("%-44s %9.2f (asked 8: %s)\n", "statements a group",
           (double)waits.statements / (double)waits.commits,
           waits.statements <= 8 * waits.commits ? "reached" : "NOT reached");
    printf("%-44s %9.1f ms, p99 %.1f ms\n", "submit to durable, median",
           waits.waits[GROUPS / 2] * 1e3, waits.waits[GROUPS * 99 / 100] * 1e3);
    remove_files();
}

static void write_lot(unsigned lot, int out)
{
    struct fg_arena arena = {0};
    struct fg_store *store;
    struct fg_err err;
    struct waits waits;
    struct fg_store_options options = {.fence = 1, .lots = WRITERS, .lot = lot};
    bench_must(fg_store_open(&store, fg_lots_place(&arena, path, lot), &options, &err),
               &err);
    write_groups(&waits, store);
    bench_must(fg_store_close(store, &err), &err);
    fg_arena_clear(&arena);
    _exit(write(out, &waits, sizeof waits) != sizeof waits);
}

static void bench_writers(void)
{
    struct fg_err err;
    int pipes[2];
    double rate = 0, p99 = 0;
    remove_files();
    bench_must(fg_lots_make(path, WRITERS, &err), &err);
    if (pipe(pipes))
        return;
    fflush(stdout);
    for (unsigned lot = 0; lot < WRITERS; lot++)
        if (!fork())
            write_lot(lot, pipes[1]);
    close(pipes[1]);
    for (struct waits waits; read(pipes[0], &waits, sizeof waits) == sizeof waits;) {
        double wait = waits.waits[GROUPS * 99 / 100];
        rate += waits.rate;
        p99 = wait > p99 ? wait : p99;
    }
    close(pipes[0]);
    while (wait(NULL) > 0)
        ;
    bench_rate("PostgreSQL: groups of 50, four writers", rate, "results");
    printf("%-44s %9.1f ms (asked 250: %s)\n", "submit to durable, p99 of the slowest",
           p99 * 1e3, p99 <= .25 ? "reached" : "NOT reached");
    for (unsigned lot = 0; lot < WRITERS; lot++) {
        char sql[120];
        PGconn *db = connect_postgres();
        snprintf(sql, sizeof sql,
                 "SET client_min_messages = error;"
                 "DROP SCHEMA IF EXISTS bench_lot%04u CASCADE",
                 lot);
        PQclear(PQexec(db, sql));
        PQfinish(db);
    }
    remove_files();
}

static void bench_postgres(const char *address)
{
    enum { FEWER = 20000 };
    snprintf(path, sizeof path, "%s#bench", address);
    struct figures got = write_results(FEWER, false);
    bench_rate("PostgreSQL: results stored durably", FEWER / got.seconds, "results");
    printf("%-44s %9.2f us (asked 250: %s), %.0f results a commit\n",
           "PostgreSQL: server CPU a result", got.server_cpu / FEWER * 1e6,
           got.server_cpu / FEWER * 1e6 <= 250 ? "reached" : "NOT reached",
           (double)FEWER / (double)got.commits);
    printf("%-44s %9.2f us (asked 15: %s)\n", "PostgreSQL: client CPU a result",
           got.cpu / FEWER * 1e6,
           got.cpu / FEWER * 1e6 <= 15 ? "reached" : "NOT reached");
    printf("%-44s %9.2f\n", "PostgreSQL: statements a group",
           (double)got.statements / (double)got.commits);
    bench_groups();
    bench_writers();
    remove_files();
}

/* The million pages of the file, there and back. */
static void bench_copies(const char *address)
{
    char there[300], back[300], from[300];
    struct fg_store_copied copied;
    struct fg_err err;
    snprintf(from, sizeof from, "%s", path);
    snprintf(there, sizeof there, "%s#bench", address);
    snprintf(back, sizeof back, "%s/back.db", folder);
    fg_time start = fg_time_monotonic();
    bench_must(fg_store_copy(from, there, &copied, &err), &err);
    printf("%-44s %9.1f s for %llu pages (asked 60)\n", "copy from a file to PostgreSQL",
           fg_seconds(fg_time_monotonic() - start), (unsigned long long)copied.pages);
    struct fg_store *store;
    size_t n = 0;
    bench_must(
        fg_store_open(&store, there, &(struct fg_store_options){.read_only = true}, &err),
        &err);
    start = fg_time_monotonic();
    bench_must(fg_store_pages(store, 0, use_page, &n, &err), &err);
    printf("%-44s %9.1f s (asked 6)\n", "its million pages read from PostgreSQL",
           fg_seconds(fg_time_monotonic() - start));
    bench_must(fg_store_close(store, &err), &err);
    start = fg_time_monotonic();
    bench_must(fg_store_copy(there, back, &copied, &err), &err);
    printf("%-44s %9.1f s for %llu pages (asked 60)\n", "and back",
           fg_seconds(fg_time_monotonic() - start), (unsigned long long)copied.pages);
    snprintf(path, sizeof path, "%s", there);
    remove_files();
    snprintf(path, sizeof path, "%s", back);
    remove_files();
    snprintf(path, sizeof path, "%s", from);
}

int main(void)
{
    const char *address = getenv("FORAGE_BENCH_POSTGRES");
    if (address && *address)
        bench_postgres(address);
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/forage.db", folder);
    bench_results();
    bench_million();
    if (address && *address)
        bench_copies(address);
    remove_files();
    rmdir(folder);
    return 0;
}
