/* run_search forage|fts5 index|ask FOLDER: index the texts of a folder there, or answer
 * its queries; for bench_search.sh. A line of `texts` is a title, a tab, a text. Prints
 * figures as key=value: seconds of a processor and bytes of indexing, or microseconds of
 * queries. */
#include "base/file.h"
#include "base/memory.h"
#include "base/time.h"
#include "bench.h"
#include "search/search.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char path[200]; /* of the index */

static void in_folder(char out[static 200], const char *folder, const char *name)
{
    if (snprintf(out, 200, "%s/%s", folder, name) >= 200)
        exit(2);
}

static struct fg_str read_all(struct fg_arena *arena, const char *name)
{
    struct fg_str text;
    struct fg_err err = {0};
    bench_must(fg_file_read(&text, arena, name, (size_t)64 << 30, &err), &err);
    return text;
}

/* Time on a processor, of all threads: others may be at work on the machine. */
static fg_time spent(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
    return ts.tv_sec * FG_SECOND + ts.tv_nsec / 1000;
}

static double seconds_since(fg_time start)
{
    return (double)(spent() - start) / 1e6;
}

static void tell_indexed(double seconds, double bytes, size_t n)
{
    struct stat st;
    stat(path, &st);
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    printf("texts=%zu bytes=%.0f index_s=%.2f file=%lld memory_kb=%ld\n", n, bytes,
           seconds, (long long)st.st_size, used.ru_maxrss);
    fflush(stdout);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void tell_queries(double *us, size_t n, double seconds, size_t found)
{
    qsort(us, n, sizeof *us, compare);
    printf("queries=%zu qps=%.0f p50=%.0f p90=%.0f p99=%.0f max=%.0f found=%zu\n", n,
           (double)n / seconds, us[n / 2], us[n * 9 / 10], us[n * 99 / 100], us[n - 1],
           found);
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    printf("memory_asked_kb=%ld\n", used.ru_maxrss);
}

/* --- forage --- */

static struct fg_store *store;

/* A line after the other, so that memory is what an index takes. */
static FILE *lines;
static char *line_at;
static size_t line_room;

static bool next_text(struct fg_str *title, struct fg_str *text)
{
    ssize_t n = getline(&line_at, &line_room, lines);
    if (n <= 0)
        return false;
    *text = (struct fg_str){line_at, (size_t)n - (line_at[n - 1] == '\n')};
    fg_str_cut(text, '\t', title);
    return true;
}

static void forage_index(void)
{
    struct fg_err err = {0};
    struct fg_str line, title;
    size_t n = 0;
    double bytes = 0;
    uint64_t last = 0;
    bench_must(fg_store_open(&store, path, NULL, &err), &err);
    fg_time start = spent();
    while (next_text(&title, &line)) {
        char url[64];
        bytes += (double)(title.len + 1 + line.len);
        fg_page_id page = (fg_page_id)++n;
        int len = snprintf(url, sizeof url, "https://a.example/%u", page);
        struct fg_batch *batch = fg_batch_new(store);
        fg_batch_page(batch, &(struct fg_page_row){.site = 1,
                                                   .page = page,
                                                   .fingerprint = page,
                                                   .url = {url, (size_t)len},
                                                   .title = title,
                                                   .published = FG_NEVER,
                                                   .first_seen = page});
        fg_batch_text(batch, &(struct fg_page_text){1, page, title, line, FG_STR("en")});
        last = fg_store_submit(store, batch);
        if (fg_store_backlog(store) > 4000)
            bench_must(fg_store_flush(store, last - 2000, &err), &err);
    }
    bench_must(fg_store_flush(store, last, &err), &err);
    double seconds = seconds_since(start);
    bench_must(fg_store_close(store, &err), &err);
    tell_indexed(seconds, bytes, n);
}

static size_t forage_query(struct fg_arena *arena, struct fg_str words)
{
    struct fg_search_answer answer;
    struct fg_err err = {0};
    struct fg_search_question question = {.words = words, .since = FG_NEVER, .limit = 10};
    bench_must(fg_search(&answer, arena, store, &question, &err), &err);
    return answer.n;
}

static void forage_open(void)
{
    struct fg_err err = {0};
    bench_must(
        fg_store_open(&store, path, &(struct fg_store_options){.read_only = true}, &err),
        &err);
}

/* --- plain FTS5 --- */

static sqlite3 *db;

static void run_sql(const char *sql)
{
    char *words = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &words) != SQLITE_OK) {
        fprintf(stderr, "%s\n", words);
        exit(1);
    }
}

static void fts5_open(void)
{
    sqlite3_open(path, &db);
    run_sql("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
            "PRAGMA cache_size = -65536");
}

static void fts5_index(void)
{
    struct fg_str line, title;
    sqlite3_stmt *stmt;
    size_t n = 0;
    double bytes = 0;
    fts5_open();
    run_sql("CREATE VIRTUAL TABLE t USING fts5(title, body, tokenize = 'porter')");
    sqlite3_prepare_v2(db, "INSERT INTO t VALUES(?, ?)", -1, &stmt, NULL);
    fg_time start = spent();
    run_sql("BEGIN");
    while (next_text(&title, &line)) {
        bytes += (double)(title.len + 1 + line.len);
        sqlite3_bind_text(stmt, 1, title.at, (int)title.len, SQLITE_STATIC);
        sqlite3_bind_text(stmt, 2, line.at, (int)line.len, SQLITE_STATIC);
        sqlite3_step(stmt);
        sqlite3_reset(stmt);
        if (++n % 2000 == 0)
            run_sql("COMMIT; BEGIN");
    }
    run_sql("COMMIT");
    double seconds = seconds_since(start);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    tell_indexed(seconds, bytes, n);
}

static size_t fts5_query(struct fg_arena *arena, struct fg_str words)
{
    static sqlite3_stmt *stmt;
    char expression[1000];
    struct fg_str word;
    size_t n = 0, len = 0;
    (void)arena;
    while (words.len && fg_str_cut(&words, ' ', &word))
        len += (size_t)snprintf(expression + len, sizeof expression - len, "%s\"%.*s\"",
                                len ? " OR " : "", FG_ARG(word));
    if (!stmt)
        sqlite3_prepare_v2(db,
                           "SELECT rowid, snippet(t, 1, '<', '>', '...', 30) FROM t"
                           " WHERE t MATCH ? ORDER BY rank LIMIT 10",
                           -1, &stmt, NULL);
    sqlite3_bind_text(stmt, 1, expression, (int)len, SQLITE_STATIC);
    while (sqlite3_step(stmt) == SQLITE_ROW)
        n++;
    sqlite3_reset(stmt);
    return n;
}

static void answer(const char *queries_path, bool is_ours)
{
    struct fg_arena arena = {0}, of_query = {0};
    struct fg_str queries = read_all(&arena, queries_path), words;
    double *us = calloc(queries.len + 1, sizeof *us), total = 0;
    size_t n = 0, found = 0;
    (is_ours ? forage_open : fts5_open)();
    while (queries.len && fg_str_cut(&queries, '\n', &words)) {
        fg_time start = spent();
        found += (is_ours ? forage_query : fts5_query)(&of_query, words);
        us[n++] = (double)(spent() - start);
        total += us[n - 1];
        fg_arena_reset(&of_query);
    }
    tell_queries(us, n, total / 1e6, found);
    free(us);
    fg_arena_clear(&arena);
    fg_arena_clear(&of_query);
}

int main(int argc, char **argv)
{
    char name[200];
    if (argc != 4)
        return 2;
    bool is_ours = strcmp(argv[1], "forage") == 0;
    in_folder(path, argv[3], is_ours ? "forage.db" : "fts5.db");
    if (strcmp(argv[2], "ask") == 0) {
        in_folder(name, argv[3], "queries");
        answer(name, is_ours);
        return 0;
    }
    in_folder(name, argv[3], "texts");
    if (!(lines = fopen(name, "r")))
        return 2;
    remove(path);
    fg_memory_keep(); /* as the program does */
    (is_ours ? forage_index : fts5_index)();
    fclose(lines);
    free(line_at);
    return 0;
}
