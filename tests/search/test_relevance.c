/* Does search find what people judged relevant? On two public test collections, in
 * ../shared/data/relevance or FORAGE_DATA/relevance; see its README for where they come
 * from. Skipped where they are not. */
#include "base/file.h"
#include "base/map.h"
#include "net/http/gunzip.h"
#include "search/search.h"
#include "test.h"

#include <sys/stat.h>
#include <unistd.h>

/* What Xapian 1.4 with its English stemmer and BM25 reaches on the same files, any word
 * of the query: docs/search.md has the command. */
struct figures {
    double ndcg, map;
};

static bool find_data(char path[static 300], const char *collection)
{
    const char *data = getenv("FORAGE_DATA");
    struct stat st;
    snprintf(path, 300, "%s/relevance/%s/queries.tsv", data ? data : "../shared/data",
             collection);
    if (stat(path, &st) != 0)
        return false;
    *strrchr(path, '/') = '\0';
    return true;
}

static struct fg_str read_whole(struct fg_arena *arena, const char *folder,
                                const char *name)
{
    char path[400];
    struct fg_str bytes;
    struct fg_err err = {0};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (fg_file_read(&bytes, arena, path, 64 << 20, &err))
        fail_msg("%s", err.text);
    return bytes;
}

static void add_piece(void *context, struct fg_str piece)
{
    fg_buf_add(context, piece);
}

static void index_all(struct fg_store *store, const char *folder)
{
    struct fg_arena arena = {0};
    struct fg_buf text;
    fg_buf_init(&text, 64 << 20);
    struct fg_gunzip *gz = fg_gunzip_new(64 << 20, add_piece, &text);
    fg_gunzip_feed(gz, read_whole(&arena, folder, "docs.tsv.gz"));
    assert_int_equal(fg_gunzip_finish(gz), FG_GUNZIP_OK);
    fg_gunzip_free(gz);
    struct fg_batch *batch = fg_batch_new(store);
    fg_batch_site(batch,
                  &(struct fg_site_row){.site = 1, .key = FG_STR("https://a.example")});
    struct fg_str rest = fg_buf_str(&text), line;
    while (rest.len && fg_str_cut(&rest, '\n', &line)) {
        struct fg_str number, title;
        uint64_t id;
        if (!fg_str_cut(&line, '\t', &number) || !fg_str_to_u64(number, &id))
            continue;
        fg_str_cut(&line, '\t', &title);
        fg_batch_page(batch, &(struct fg_page_row){.site = 1,
                                                   .page = (fg_page_id)id,
                                                   .fingerprint = id,
                                                   .url = number,
                                                   .title = title,
                                                   .published = FG_NEVER});
        fg_batch_text(batch,
                      &(struct fg_page_text){1, (fg_page_id)id, title,
                                             line.at ? line : FG_STR(""), FG_STR("en")});
    }
    struct fg_err err = {0};
    if (fg_store_flush(store, fg_store_submit(store, batch), &err))
        fail_msg("%s", err.text);
    fg_buf_clear(&text);
    fg_arena_clear(&arena);
}

static void read_judgements(struct fg_map *relevant, struct fg_map *judged,
                            const char *folder)
{
    struct fg_arena arena = {0};
    struct fg_str rest = read_whole(&arena, folder, "relevant.tsv"), line, query;
    while (rest.len && fg_str_cut(&rest, '\n', &line)) {
        uint64_t q, d;
        if (!fg_str_cut(&line, '\t', &query) || !fg_str_to_u64(query, &q) ||
            !fg_str_to_u64(fg_str_trim(line), &d))
            continue;
        *fg_map_put(relevant, q << 32 | d) = 1;
        ++*fg_map_put(judged, q);
    }
    fg_arena_clear(&arena);
}

static void score_query(struct figures *sum, const struct fg_search_answer *answer,
                        const struct fg_map *relevant, uint64_t query, uint64_t n_good)
{
    double gain = 0, best = 0, precision = 0;
    size_t found = 0;
    for (size_t i = 0; i < 10 && i < n_good; i++)
        best += 1 / log2((double)i + 2);
    for (size_t i = 0; i < answer->n; i++) {
        if (!fg_map_get(relevant, query << 32 | answer->results[i].page.page))
            continue;
        found++;
        precision += (double)found / (double)(i + 1);
        if (i < 10)
            gain += 1 / log2((double)i + 2);
    }
    sum->ndcg += gain / best;
    sum->map += precision / (double)n_good;
}

static struct figures measure(struct fg_store *store, const char *folder,
                              struct fg_scoring scoring)
{
    struct fg_map relevant = {0}, judged = {0};
    struct fg_arena arena = {0}, of_query = {0};
    struct figures sum = {0, 0};
    size_t n = 0;
    read_judgements(&relevant, &judged, folder);
    struct fg_str rest = read_whole(&arena, folder, "queries.tsv"), line, number;
    while (rest.len && fg_str_cut(&rest, '\n', &line)) {
        uint64_t query;
        const uint64_t *n_good;
        struct fg_search_answer answer;
        struct fg_err err = {0};
        if (!fg_str_cut(&line, '\t', &number) || !fg_str_to_u64(number, &query) ||
            !(n_good = fg_map_get(&judged, query)))
            continue;
        char *words = fg_arena_cstr(&of_query, line); /* quotes and minus are text here */
        for (size_t i = 0; words[i]; i++)
            words[i] = strchr("\"-*", words[i]) ? ' ' : words[i];
        struct fg_search_question question = {.words = fg_str_from(words),
                                              .since = FG_NEVER,
                                              .scoring = scoring,
                                              .limit = 1000,
                                              .wants_no_snippets = true};
        if (fg_search(&answer, &of_query, store, &question, &err))
            fail_msg("query %llu: %s", (unsigned long long)query, err.text);
        score_query(&sum, &answer, &relevant, query, *n_good);
        n++;
        fg_arena_reset(&of_query);
    }
    fg_map_clear(&relevant);
    fg_map_clear(&judged);
    fg_arena_clear(&arena);
    fg_arena_clear(&of_query);
    return (struct figures){sum.ndcg / (double)n, sum.map / (double)n};
}

static void measure_collection(const char *collection, struct figures xapian)
{
    char folder[300], place[] = "/tmp/forage-relevance-XXXXXX", file[64];
    struct fg_store *store;
    struct fg_err err = {0};
    if (!find_data(folder, collection)) {
        print_message("no ../shared/data/relevance/%s: skipped\n", collection);
        skip();
    }
    assert_non_null(mkdtemp(place));
    if (fg_store_open(&store, place, NULL, &err))
        fail_msg("%s", err.text);
    index_all(store, folder);
    static const char *const names[] = {"mixed", "bm25", "tfidf"};
    struct figures best = {0, 0};
    for (int kind = FG_SCORE_MIXED; kind <= FG_SCORE_TFIDF; kind++) {
        struct fg_scoring scoring = fg_scoring_default;
        scoring.kind = (enum fg_score_kind)kind;
        struct figures f = measure(store, folder, scoring);
        print_message("%s %s: nDCG@10 %.3f, MAP %.3f (Xapian %.3f, %.3f)\n", collection,
                      names[kind], f.ndcg, f.map, xapian.ndcg, xapian.map);
        best = kind == FG_SCORE_MIXED ? f : best;
    }
    fg_store_close(store, NULL);
    snprintf(file, sizeof file, "%s/forage.db", place);
    unlink(file);
    snprintf(file, sizeof file, "%s/forage.db.lock", place);
    unlink(file);
    rmdir(place);
    assert_true(best.ndcg >= xapian.ndcg && best.map >= xapian.map);
}

static void relevance_is_not_below_xapian_on_cranfield(void **state)
{
    (void)state;
    measure_collection("cranfield", (struct figures){.353, .278});
}

static void relevance_is_not_below_xapian_on_cisi(void **state)
{
    (void)state;
    measure_collection("cisi", (struct figures){.357, .195});
}

FG_TESTS(relevance_is_not_below_xapian_on_cranfield,
         relevance_is_not_below_xapian_on_cisi)
