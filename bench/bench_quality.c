/* What it costs to measure dQ while pages are indexed again (Figure 4.2 of Pandey's
 * thesis: 7 to 8 % of indexing, by Lucene).
 *
 * Indexing is the least that our index does: terms of the old and of the new text, the
 * old ones taken out of FTS5 and the new ones put in. Keeping and packing the texts comes
 * on top. Measuring has the terms of both and a log of 4,000 queries, of which a text
 * answers some 190: as many as the pages of a recorded set do (docs/quality.md). */
#include "base/arena.h"
#include "base/buf.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/terms.h"
#include "bench.h"
#include "search/stakes.h"

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
    TEXTS = 2000,
    WORDS = 600,
    VOCABULARY = 30000,
    QUERIES = 4000,
    CHANGED = 60,
    ASKED_FROM = 200
};

struct corpus {
    struct fg_buf was[TEXTS], is[TEXTS];             /* texts */
    struct fg_buf was_terms[TEXTS], is_terms[TEXTS]; /* their terms, with blanks */
    struct fg_stemmer *stemmer;
    struct fg_stakes *stakes;
    double gain;
};

#define TERMS(made)                                      \
    (struct fg_text_terms)                               \
    {                                                    \
        .fields = { [FG_IN_TEXT] = fg_buf_str(&(made)) } \
    }

/* Frequencies fall as 1/rank. */
static uint32_t draw_word(struct fg_rng *rng)
{
    return (uint32_t)pow(VOCABULARY, fg_rng_unit(rng));
}

static void spell(char out[16], uint32_t word)
{
    static const char *const parts[] = {"ka", "lo", "mi", "ne", "ru", "ta", "vo", "su"};
    int n = 0;
    do {
        n += snprintf(out + n, 16 - (size_t)n, "%s", parts[word % 8]);
        word /= 8;
    } while (word && n < 13);
}

static void write_text(struct fg_buf *out, const uint32_t *words)
{
    fg_buf_init(out, 1 << 20);
    for (size_t i = 0; i < WORDS; i++) {
        char word[16];
        spell(word, words[i]);
        fg_buf_printf(out, "%s%s", word, i % 12 == 11 ? ". " : " ");
    }
}

static void make_terms(struct fg_buf *out, struct fg_str text, struct fg_stemmer *stemmer)
{
    struct fg_terms terms = fg_terms_of(text, stemmer);
    struct fg_term term;
    fg_buf_reset(out);
    while (fg_terms_next(&terms, &term)) {
        fg_buf_add(out, term.text);
        fg_buf_add_char(out, ' ');
    }
}

static void make_texts(struct corpus *c)
{
    struct fg_rng rng = fg_rng_from_seed(1);
    uint32_t words[WORDS];
    c->stemmer = fg_stemmer_new("en");
    for (size_t t = 0; t < TEXTS; t++) {
        for (size_t i = 0; i < WORDS; i++)
            words[i] = draw_word(&rng);
        write_text(&c->was[t], words);
        for (size_t i = 0; i < CHANGED; i++)
            words[fg_rng_below(&rng, WORDS)] = draw_word(&rng);
        write_text(&c->is[t], words);
        fg_buf_init(&c->was_terms[t], 1 << 20);
        fg_buf_init(&c->is_terms[t], 1 << 20);
        make_terms(&c->was_terms[t], fg_buf_str(&c->was[t]), c->stemmer);
        make_terms(&c->is_terms[t], fg_buf_str(&c->is[t]), c->stemmer);
    }
}

static void make_stakes(struct corpus *c, struct fg_arena *arena)
{
    struct fg_rng rng = fg_rng_from_seed(2);
    struct fg_asked_query *queries = FG_NEW(arena, struct fg_asked_query, QUERIES);
    for (size_t q = 0; q < QUERIES; q++) {
        queries[q].frequency = 0.1 / (double)(q + 1);
        queries[q].n = 1 + (size_t)fg_rng_below(&rng, 3);
        for (size_t i = 0; i < queries[q].n; i++) {
            char word[16];
            spell(word, ASKED_FROM + draw_word(&rng));
            struct fg_terms terms = fg_terms_of(fg_str_from(word), c->stemmer);
            struct fg_term term;
            fg_terms_next(&terms, &term);
            queries[q].terms[i] = fg_arena_dup(arena, term.text);
        }
    }
    c->stakes = fg_stakes_new(&(struct fg_asked_queries){.at = queries, .n = QUERIES},
                              &(struct fg_stakes_rules){.kind = FG_SCORE_TFIDF});
    for (size_t t = 0; t < TEXTS; t++)
        fg_stakes_count(c->stakes, &TERMS(c->was_terms[t]));
    for (size_t t = 0; t < TEXTS; t++)
        fg_stakes_rank(c->stakes, &TERMS(c->was_terms[t]));
    fg_stakes_ready(c->stakes);
}

/* --- indexing --- */

static void must(sqlite3 *db, int code)
{
    if (code == SQLITE_OK || code == SQLITE_DONE)
        return;
    fprintf(stderr, "%s\n", sqlite3_errmsg(db));
    exit(1);
}

static void write_row(sqlite3 *db, sqlite3_stmt *stmt, size_t row, struct fg_str terms)
{
    sqlite3_bind_int64(stmt, 1, (sqlite3_int64)row + 1);
    sqlite3_bind_text(stmt, 2, terms.at, (int)terms.len, SQLITE_STATIC);
    must(db, sqlite3_step(stmt));
    must(db, sqlite3_reset(stmt));
}

/* Processor time of replacing all texts. */
static double index_again(struct corpus *c)
{
    sqlite3 *db;
    sqlite3_stmt *put, *take_out;
    must(NULL, sqlite3_open(":memory:", &db));
    must(db, sqlite3_exec(db, "CREATE VIRTUAL TABLE t USING fts5(text, content='')", NULL,
                          NULL, NULL));
    must(db, sqlite3_prepare_v2(db, "INSERT INTO t(rowid, text) VALUES (?1, ?2)", -1,
                                &put, NULL));
    must(db,
         sqlite3_prepare_v2(db, "INSERT INTO t(t, rowid, text) VALUES ('delete', ?1, ?2)",
                            -1, &take_out, NULL));
    must(db, sqlite3_exec(db, "BEGIN", NULL, NULL, NULL));
    for (size_t i = 0; i < TEXTS; i++)
        write_row(db, put, i, fg_buf_str(&c->was_terms[i]));
    must(db, sqlite3_exec(db, "COMMIT; BEGIN", NULL, NULL, NULL));
    double before = bench_cpu_seconds();
    for (size_t i = 0; i < TEXTS; i++) {
        make_terms(&c->was_terms[i], fg_buf_str(&c->was[i]), c->stemmer);
        write_row(db, take_out, i, fg_buf_str(&c->was_terms[i]));
        make_terms(&c->is_terms[i], fg_buf_str(&c->is[i]), c->stemmer);
        write_row(db, put, i, fg_buf_str(&c->is_terms[i]));
    }
    must(db, sqlite3_exec(db, "COMMIT", NULL, NULL, NULL));
    double seconds = bench_cpu_seconds() - before;
    sqlite3_finalize(put);
    sqlite3_finalize(take_out);
    sqlite3_close(db);
    return seconds;
}

static double measure(struct corpus *c)
{
    double distance;
    double before = bench_cpu_seconds();
    for (size_t i = 0; i < TEXTS; i++)
        c->gain += fg_stakes_gain(c->stakes, &TERMS(c->was_terms[i]),
                                  &TERMS(c->is_terms[i]), &distance);
    return bench_cpu_seconds() - before;
}

/* --- the live hook --- */

/* What the writing thread of a store does for the same changes, and how long of that it
 * measures. */
struct live {
    struct corpus *corpus;
    struct fg_store *store;
    char folder[64], path[80];
    double seconds;
};

static double thread_seconds(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
    return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

static void measure_live(void *context, const struct fg_text_terms *was,
                         const struct fg_text_terms *is, struct fg_worth *worth)
{
    struct live *live = context;
    double distance, before = thread_seconds();
    worth->gain += (float)fg_stakes_gain(live->corpus->stakes, was, is, &distance);
    worth->distance = (float)distance;
    live->seconds += thread_seconds() - before;
}

static void must_work(enum fg_status st, const struct fg_err *err)
{
    if (!st)
        return;
    fprintf(stderr, "%s\n", err->text);
    exit(1);
}

/* All texts of one kind, each by a visit that found a change. */
static double write_all(struct live *live, struct fg_buf *texts, fg_time now)
{
    struct fg_err err;
    uint64_t number = 0;
    double before = (double)fg_store_effort(live->store).cpu / FG_SECOND;
    for (uint32_t i = 0; i < TEXTS; i++) {
        char url[64];
        snprintf(url, sizeof url, "http://bench.example/%u", i);
        struct fg_batch *batch = fg_batch_new(live->store);
        fg_batch_page(batch, &(struct fg_page_row){.site = 1,
                                                   .page = i + 1,
                                                   .url = fg_str_from(url),
                                                   .fingerprint = i + 1,
                                                   .flags = FG_PAGE_DOCUMENT});
        fg_batch_visit(
            batch,
            &(struct fg_visit_row){
                .site = 1, .page = i + 1, .time = now, .status = 200, .changed = true});
        fg_batch_text(batch, &(struct fg_page_text){1, i + 1, FG_STR("title"),
                                                    fg_buf_str(&texts[i]), FG_STR("en")});
        number = fg_store_submit(live->store, batch);
    }
    must_work(fg_store_flush(live->store, number, &err), &err);
    return (double)fg_store_effort(live->store).cpu / FG_SECOND - before;
}

static void bench_live(struct corpus *c)
{
    struct live live = {.corpus = c, .folder = "/tmp/forage-bench-XXXXXX"};
    struct fg_err err;
    double indexing = INFINITY, measuring = 0;
    if (!mkdtemp(live.folder))
        exit(1);
    snprintf(live.path, sizeof live.path, "%s/forage.db", live.folder);
    must_work(fg_store_open(&live.store, live.path, &(struct fg_store_options){0}, &err),
              &err);
    write_all(&live, c->was, 1);
    fg_store_watch_index(
        live.store, &(struct fg_index_watch){.context = &live, .measure = measure_live});
    for (int round = 0; round < 4; round++) {
        live.seconds = 0;
        double seconds =
            write_all(&live, round % 2 ? c->was : c->is, (round + 2) * FG_DAY);
        if (seconds < indexing) {
            indexing = seconds;
            measuring = live.seconds;
        }
    }
    must_work(fg_store_close(live.store, &err), &err);
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", live.folder);
    if (system(command))
        exit(1);
    bench_rate("texts indexed again, live", TEXTS / indexing, "");
    bench_rate("dQ measured, live", TEXTS / measuring, "");
    bench_ratio("measuring dQ, live", "indexing again, live",
                (indexing - measuring) / measuring, 25);
}

int main(void)
{
    struct corpus *c = fg_zeroed(1, sizeof *c);
    struct fg_arena arena = {0};
    double indexing = INFINITY, measuring = INFINITY;
    fg_memory_keep(); /* as the program does */
    make_texts(c);
    make_stakes(c, &arena);
    for (int round = 0; round < 5; round++) {
        indexing = fmin(indexing, index_again(c));
        measuring = fmin(measuring, measure(c));
    }
    bench_use((uint64_t)(1e9 * fabs(c->gain)));
    bench_rate("texts indexed again", TEXTS / indexing, "");
    bench_rate("dQ measured", TEXTS / measuring, "");
    /* at most 4 % of it */
    bench_ratio("measuring dQ", "indexing again", indexing / measuring, 25);
    bench_live(c);
    for (size_t i = 0; i < TEXTS; i++) {
        fg_buf_clear(&c->was[i]);
        fg_buf_clear(&c->is[i]);
        fg_buf_clear(&c->was_terms[i]);
        fg_buf_clear(&c->is_terms[i]);
    }
    fg_stakes_free(c->stakes);
    fg_stemmer_free(c->stemmer);
    fg_arena_clear(&arena);
    free(c);
    return 0;
}
