/* The index of texts: an FTS5 table of terms that base/terms.h has made.
 *
 * The table has no content of its own. Texts are kept packed in `texts`, where snippets
 * are cut from them; a text is taken out by handing FTS5 the very terms that were put in,
 * made again from the text that is stored. External content would be a plain table of
 * terms beside it, and content of FTS5's own every text a second time.
 *
 * FTS5 would keep the length of each text in a table and look it up for every hit. Here
 * it is in the number that a hit comes with: row = number * 128 + code, where the code is
 * the logarithm of the length in steps of 9 %. So a hit costs no look-up at all.
 *
 * Its tokenizer only cuts at blanks. What terms are is decided before, where the language
 * is known: FTS5 of SQLite 3.40 has no way to say it. */
#include "store/sqlite/sqlite.h"

#include "base/memory.h"
#include "base/terms.h"
#include "store/spelled.h"
#include "store/sqlite/matching.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    OCCURRENCES = 1 << 16,
    ABOUT = FG_SPELLED_ABOUT,
    COLUMNS = FG_SPELLED_FIELDS,
    COUNTED_MOST = 10000 /* texts with a term that are counted one by one */
};

static const char *const columns[COLUMNS] = {"title", "text", "anchors", "about"};

struct fg_fulltext {
    struct fg_stemmers stemmers;
    struct fg_postings *postings;
    bool are_there[32]; /* languages, as long as the index is in that state */
    uint64_t state_of_languages;
    struct fg_buf terms[COLUMNS], taken_out[COLUMNS];
    sqlite3_stmt *put, *take_out;
    /* Of the query that is being asked. */
    const struct fg_index_query *query;
    uint16_t *groups;          /* of each phrase, its group; the second half is `again` */
    size_t n_phrases, n_first; /* those from n_first on say the same again */
    uint32_t (*counts)[COLUMNS], (*again)[COLUMNS];
};

/* --- the tokenizer: terms with blanks between them --- */

static int new_tokenizer(void *context, const char **words, int n, Fts5Tokenizer **made)
{
    (void)words;
    (void)n;
    *made = context;
    return SQLITE_OK;
}

static void delete_tokenizer(Fts5Tokenizer *tokenizer)
{
    (void)tokenizer;
}

static int tokenize(Fts5Tokenizer *tokenizer, void *context, int flags, const char *text,
                    int len,
                    int (*token)(void *context, int flags, const char *term, int len,
                                 int from, int to))
{
    (void)tokenizer;
    (void)flags;
    int code = SQLITE_OK;
    for (int at = 0, from = 0; code == SQLITE_OK && at <= len; at++) {
        if (at < len && text[at] != ' ')
            continue;
        if (at > from)
            code = token(context, 0, text + from, at - from, from, at);
        from = at + 1;
    }
    return code;
}

/* --- hits --- */

/* How often each group of the query occurs in the row at hand. */
static void count_hits(const Fts5ExtensionApi *api, Fts5Context *row,
                       sqlite3_context *result, int n, sqlite3_value **args)
{
    (void)n;
    (void)args;
    struct fg_fulltext *fulltext = api->xUserData(row);
    size_t bytes = fulltext->query->n * sizeof *fulltext->counts;
    memset(fulltext->counts, 0, bytes);
    memset(fulltext->again, 0, bytes);
    for (size_t i = 0; i < fulltext->n_phrases; i++) {
        Fts5PhraseIter at;
        int column, place, left = OCCURRENCES;
        uint32_t(*counts)[COLUMNS] =
            i < fulltext->n_first ? fulltext->counts : fulltext->again;
        int code = api->xPhraseFirst(row, (int)i, &at, &column, &place);
        for (; code == SQLITE_OK && column >= 0 && left--;
             api->xPhraseNext(row, &at, &column, &place))
            counts[fulltext->groups[i]][column]++;
    }
    sqlite3_result_int(result, 0);
}

/* --- setting up --- */

static enum fg_status find_api(struct fg_connection *connection, fts5_api **api,
                               struct fg_err *err)
{
    sqlite3_stmt *stmt;
    *api = NULL;
    if (sqlite3_prepare_v2(connection->db, "SELECT fts5(?1)", -1, &stmt, NULL) ==
        SQLITE_OK) {
        sqlite3_bind_pointer(stmt, 1, api, "fts5_api_ptr", NULL);
        sqlite3_step(stmt);
    }
    sqlite3_finalize(stmt);
    return *api ? FG_OK
                : fg_fail(err, FG_EIO,
                          "this SQLite (%s) has no FTS5, which the index needs",
                          sqlite3_libversion());
}

enum fg_status fg_fulltext_init(struct fg_connection *connection, struct fg_err *err)
{
    fts5_api *api;
    enum fg_status st = find_api(connection, &api, err);
    if (st)
        return st;
    struct fg_fulltext *fulltext = connection->fulltext = fg_zeroed(1, sizeof *fulltext);
    fulltext->postings = fg_postings_new();
    for (size_t i = 0; i < COLUMNS; i++) {
        fg_buf_init(&fulltext->terms[i], SIZE_MAX);
        fg_buf_init(&fulltext->taken_out[i], SIZE_MAX);
    }
    fts5_tokenizer blanks = {new_tokenizer, delete_tokenizer, tokenize};
    if (api->xCreateTokenizer(api, "forage", fulltext, &blanks, NULL) != SQLITE_OK ||
        api->xCreateFunction(api, "count_hits", fulltext, count_hits, NULL) != SQLITE_OK)
        return fg_sqlite_fail(err, connection->db, connection->path, "prepare");
    return FG_OK;
}

void fg_fulltext_free(struct fg_fulltext *fulltext)
{
    if (!fulltext)
        return;
    fg_stemmers_clear(&fulltext->stemmers);
    for (size_t i = 0; i < COLUMNS; i++) {
        fg_buf_clear(&fulltext->terms[i]);
        fg_buf_clear(&fulltext->taken_out[i]);
    }
    fg_postings_free(fulltext->postings);
    sqlite3_finalize(fulltext->put);
    sqlite3_finalize(fulltext->take_out);
    free(fulltext);
}

/* --- texts in and out --- */

static enum fg_status write_terms(struct fg_connection *connection, sqlite3_stmt **stmt,
                                  const char *sql, struct fg_buf *made,
                                  const struct fg_indexed_text *text, struct fg_err *err)
{
    struct fg_fulltext *fulltext = connection->fulltext;
    if (!*stmt && sqlite3_prepare_v3(connection->db, sql, -1, SQLITE_PREPARE_PERSISTENT,
                                     stmt, NULL) != SQLITE_OK)
        return fg_sqlite_fail(err, connection->db, connection->path, "prepare");
    sqlite3_bind_int64(*stmt, 1, fg_spell_text(&fulltext->stemmers, made, text));
    for (int i = 0; i < COLUMNS; i++)
        sqlite3_bind_text64(*stmt, i + 2, made[i].len ? made[i].at : "", made[i].len,
                            SQLITE_STATIC, SQLITE_UTF8);
    enum fg_status st = FG_OK;
    if (sqlite3_step(*stmt) != SQLITE_DONE)
        st = fg_sqlite_fail(err, connection->db, connection->path, "write");
    sqlite3_reset(*stmt);
    return st;
}

enum fg_status fg_fulltext_put(struct fg_connection *connection,
                               const struct fg_indexed_text *text, struct fg_err *err)
{
    return write_terms(connection, &connection->fulltext->put,
                       "INSERT INTO search_index(rowid, title, text, anchors, about)"
                       " VALUES(?, ?, ?, ?, ?)",
                       connection->fulltext->terms, text, err);
}

enum fg_status fg_fulltext_take_out(struct fg_connection *connection,
                                    const struct fg_indexed_text *text,
                                    struct fg_err *err)
{
    return write_terms(connection, &connection->fulltext->take_out,
                       "INSERT INTO search_index(search_index, rowid, title, text,"
                       " anchors, about) VALUES('delete', ?, ?, ?, ?, ?)",
                       connection->fulltext->taken_out, text, err);
}

struct fg_text_terms fg_fulltext_made(const struct fg_connection *connection,
                                      bool is_taken_out)
{
    return fg_spelled_terms(is_taken_out ? connection->fulltext->taken_out
                                         : connection->fulltext->terms);
}

void fg_fulltext_make(struct fg_connection *connection,
                      const struct fg_indexed_text *text)
{
    fg_spell_text(&connection->fulltext->stemmers, connection->fulltext->terms, text);
}

enum fg_status fg_fulltext_clear(struct fg_connection *connection, struct fg_err *err)
{
    return fg_sqlite_exec(connection->db, connection->path, "write",
                          "INSERT INTO search_index(search_index) VALUES('delete-all');"
                          "INSERT OR REPLACE INTO meta VALUES('terms', '" FG_TERMS_VERSION
                          "')",
                          err);
}

enum fg_status fg_fulltext_is_stale(struct fg_connection *connection, bool *is_stale,
                                    struct fg_err *err)
{
    int64_t n;
    enum fg_status st = fg_sqlite_int(connection->db, connection->path,
                                      "SELECT count(*) FROM meta WHERE name = 'terms'"
                                      " AND value = '" FG_TERMS_VERSION "'",
                                      &n, err);
    *is_stale = !st && !n;
    return st;
}

/* --- questions --- */

static void add_quoted(struct fg_buf *sql, struct fg_str phrase)
{
    fg_buf_add_char(sql, '"');
    for (size_t i = 0; i < phrase.len; i++)
        if (phrase.at[i] != '"' && phrase.at[i])
            fg_buf_add_char(sql, phrase.at[i]);
    fg_buf_add_char(sql, '"');
}

struct spelling {
    struct fg_buf sql;
    struct fg_fulltext *fulltext;
};

static void add_phrase(struct spelling *spelling, size_t group, struct fg_str phrase,
                       bool *is_next)
{
    struct fg_fulltext *fulltext = spelling->fulltext;
    fg_buf_add(&spelling->sql, *is_next ? FG_STR(" OR ") : FG_STR("("));
    add_quoted(&spelling->sql, phrase);
    fulltext->groups =
        fg_resized(fulltext->groups, fulltext->n_phrases + 1, sizeof *fulltext->groups);
    fulltext->groups[fulltext->n_phrases++] = (uint16_t)group;
    *is_next = true;
}

static void add_group(struct spelling *spelling, size_t at)
{
    const struct fg_index_group *group = &spelling->fulltext->query->groups[at];
    bool is_next = false;
    for (size_t i = 0; i < group->n; i++)
        add_phrase(spelling, at, group->phrases[i], &is_next);
    if (group->prefix.len) {
        add_phrase(spelling, at, group->prefix, &is_next);
        fg_buf_add(&spelling->sql, FG_STR(" *"));
    }
    fg_buf_add(&spelling->sql, FG_STR(")"));
}

enum part { WANTED, NEEDED, EXTRA, UNWANTED };

static enum part part_of(const struct fg_index_query *query, size_t at)
{
    const struct fg_index_group *group = &query->groups[at];
    if (group->is_unwanted)
        return UNWANTED;
    if (group->is_needed)
        return NEEDED;
    bool is_extra = group->is_extra;
    for (size_t i = 0; !is_extra && i < query->n; i++)
        is_extra = query->groups[i].is_needed;
    return is_extra ? EXTRA : WANTED;
}

/* All groups of one kind with a word between; how many there were. */
static size_t add_part(struct spelling *spelling, enum part part, struct fg_str before,
                       struct fg_str between)
{
    const struct fg_index_query *query = spelling->fulltext->query;
    size_t n = 0;
    for (size_t i = 0; i < query->n; i++) {
        if (part_of(query, i) != part)
            continue;
        fg_buf_add(&spelling->sql, n ? between : before);
        add_group(spelling, i);
        n++;
    }
    if (n)
        fg_buf_add_char(&spelling->sql, ')');
    return n;
}

/* What finds a text: all that is needed, or any that is wanted. */
static void add_finders(struct spelling *spelling, struct fg_str before)
{
    if (!add_part(spelling, NEEDED, before, FG_STR(" AND ")))
        add_part(spelling, WANTED, before, FG_STR(" OR "));
}

/* What is extra stands beside what finds, so that it is counted where it is:
 * "((a AND b) AND (c OR d)) OR (a AND b)". The filters come last, and their phrases are
 * not counted. */
static void spell(struct spelling *spelling)
{
    struct fg_fulltext *fulltext = spelling->fulltext;
    const struct fg_index_query *query = fulltext->query;
    const char *between = "";
    fg_buf_add(&spelling->sql, FG_STR("("));
    if (query->n) {
        fg_buf_add(&spelling->sql, FG_STR("("));
        add_finders(spelling, FG_STR("("));
        size_t extra = add_part(spelling, EXTRA, FG_STR(" AND ("), FG_STR(" OR "));
        fulltext->n_first = fulltext->n_phrases;
        if (extra)
            add_finders(spelling, FG_STR(" OR ("));
        fg_buf_add(&spelling->sql, FG_STR(")"));
        between = " AND ";
    }
    if (query->site) {
        fg_buf_printf(&spelling->sql, "%sabout: \"site:%u\"", between, query->site);
        between = " AND ";
    }
    if (query->language.len)
        fg_buf_printf(&spelling->sql, "%sabout: \"lang:%.*s\"", between,
                      FG_ARG(query->language));
    fg_buf_add(&spelling->sql, FG_STR(")"));
    size_t counted = fulltext->n_phrases;
    add_part(spelling, UNWANTED, FG_STR(" NOT ("), FG_STR(" OR "));
    fulltext->n_phrases = counted;
}

static void merge_counts(struct fg_fulltext *fulltext)
{
    if (fulltext->n_first == fulltext->n_phrases)
        return;
    for (size_t i = 0; i < fulltext->query->n; i++)
        for (size_t j = 0; j < FG_INDEX_FIELDS; j++)
            if (fulltext->again[i][j] > fulltext->counts[i][j])
                fulltext->counts[i][j] = fulltext->again[i][j];
}

static enum fg_status walk_hits(struct fg_connection *connection, sqlite3_stmt *stmt,
                                fg_take_hit *take, void *context, struct fg_err *err)
{
    struct fg_fulltext *fulltext = connection->fulltext;
    int code;
    bool goes_on = true;
    while (goes_on && (code = sqlite3_step(stmt)) == SQLITE_ROW) {
        int64_t row = sqlite3_column_int64(stmt, 0);
        merge_counts(fulltext);
        goes_on =
            take(context, &(struct fg_index_hit){
                              .number = fg_spelled_number(row),
                              .words = fg_spelled_words(row),
                              .counts = (const uint32_t(*)[COLUMNS])fulltext->counts});
    }
    return goes_on && code != SQLITE_DONE
               ? fg_sqlite_fail(err, connection->db, connection->path, "search")
               : FG_OK;
}

/* The query as a statement that begins with `select`. */
static enum fg_status pose(struct fg_connection *connection, sqlite3_stmt **stmt,
                           const char *select, const struct fg_index_query *query,
                           struct fg_err *err)
{
    struct fg_fulltext *fulltext = connection->fulltext;
    struct spelling spelling = {.fulltext = fulltext};
    fg_buf_init(&spelling.sql, SIZE_MAX);
    fulltext->query = query;
    fulltext->n_phrases = fulltext->n_first = 0;
    spell(&spelling);
    enum fg_status st = FG_OK;
    if (sqlite3_prepare_v2(connection->db, select, -1, stmt, NULL) != SQLITE_OK)
        st = fg_sqlite_fail(err, connection->db, connection->path, "search");
    sqlite3_bind_text64(*stmt, 1, spelling.sql.at, spelling.sql.len, SQLITE_TRANSIENT,
                        SQLITE_UTF8);
    fg_buf_clear(&spelling.sql);
    return st;
}

static void end_query(struct fg_fulltext *fulltext, sqlite3_stmt *stmt)
{
    sqlite3_finalize(stmt);
    free(fulltext->groups);
    fulltext->groups = NULL;
}

static enum fg_status match_by_fts5(struct fg_connection *connection,
                                    const struct fg_index_query *query, fg_take_hit *take,
                                    void *context, struct fg_err *err)
{
    struct fg_fulltext *fulltext = connection->fulltext;
    sqlite3_stmt *stmt = NULL;
    enum fg_status st = pose(connection, &stmt,
                             "SELECT rowid, count_hits(search_index) FROM search_index"
                             " WHERE search_index MATCH ?",
                             query, err);
    fulltext->counts = fg_zeroed(query->n + 1, sizeof *fulltext->counts);
    fulltext->again = fg_zeroed(query->n + 1, sizeof *fulltext->again);
    if (!st)
        st = walk_hits(connection, stmt, take, context, err);
    end_query(fulltext, stmt);
    free(fulltext->counts);
    free(fulltext->again);
    return st;
}

enum fg_status fg_fulltext_match(struct fg_connection *connection,
                                 const struct fg_index_query *query, fg_take_hit *take,
                                 void *context, struct fg_err *err)
{
    struct fg_postings *postings = connection->fulltext->postings;
    bool is_known = false;
    enum fg_status st = fg_matching_can(query)
                            ? fg_postings_begin(postings, connection, &is_known, err)
                            : FG_OK;
    if (st || !is_known)
        return st ? st : match_by_fts5(connection, query, take, context, err);
    fg_matching_run(postings, query, take, context);
    return fg_postings_end(postings, err);
}

/* --- which languages there are --- */

static void find_languages(struct fg_fulltext *fulltext)
{
    for (size_t i = 0; fg_stemmer_codes[i]; i++) {
        char word[32];
        int len = snprintf(word, sizeof word, "lang:%s", fg_stemmer_codes[i]);
        struct fg_str term = {word, (size_t)len};
        int64_t last;
        fulltext->are_there[i] = fg_matching_count(
            fulltext->postings, &(struct fg_index_group){.phrases = &term, .n = 1}, 1,
            &last);
    }
    fulltext->state_of_languages = fg_postings_state(fulltext->postings);
}

static enum fg_status ask_languages(struct fg_connection *connection, bool *are_there,
                                    struct fg_err *err)
{
    enum fg_status st = FG_OK;
    for (size_t i = 0; !st && fg_stemmer_codes[i]; i++) {
        char sql[128];
        int64_t n;
        snprintf(sql, sizeof sql,
                 "SELECT count(*) FROM (SELECT rowid FROM search_index WHERE search_index"
                 " MATCH 'about: \"lang:%s\"' LIMIT 1)",
                 fg_stemmer_codes[i]);
        st = fg_sqlite_int(connection->db, connection->path, sql, &n, err);
        are_there[i] = n > 0;
    }
    return st;
}

enum fg_status fg_fulltext_languages(struct fg_connection *connection, bool *are_there,
                                     struct fg_err *err)
{
    struct fg_fulltext *fulltext = connection->fulltext;
    bool is_known;
    enum fg_status st = fg_postings_begin(fulltext->postings, connection, &is_known, err);
    if (st || !is_known)
        return st ? st : ask_languages(connection, are_there, err);
    if (fulltext->state_of_languages != fg_postings_state(fulltext->postings))
        find_languages(fulltext);
    for (size_t i = 0; fg_stemmer_codes[i]; i++)
        are_there[i] = fulltext->are_there[i];
    return fg_postings_end(fulltext->postings, err);
}

/* --- how many texts have a term --- */

static enum fg_status count_by_fts5(struct fg_connection *connection,
                                    const struct fg_index_query *query, uint64_t *n,
                                    int64_t *last, struct fg_err *err)
{
    sqlite3_stmt *stmt = NULL;
    enum fg_status st =
        pose(connection, &stmt,
             "SELECT rowid FROM search_index WHERE search_index MATCH ?", query, err);
    int code = SQLITE_DONE;
    while (!st && *n < COUNTED_MOST && (code = sqlite3_step(stmt)) == SQLITE_ROW) {
        *last = sqlite3_column_int64(stmt, 0);
        ++*n;
    }
    if (code != SQLITE_DONE && code != SQLITE_ROW)
        st = fg_sqlite_fail(err, connection->db, connection->path, "search");
    end_query(connection->fulltext, stmt);
    return st;
}

/* Beyond the first ten thousand the rest is estimated: rows come in order of number, and
 * frequent terms are spread over all of them. */
enum fg_status fg_fulltext_frequency(struct fg_connection *connection,
                                     const struct fg_index_group *group, uint64_t last,
                                     double *texts, struct fg_err *err)
{
    struct fg_postings *postings = connection->fulltext->postings;
    struct fg_index_query query = {.groups = group, .n = 1};
    bool is_known = false;
    enum fg_status st = fg_matching_can(&query)
                            ? fg_postings_begin(postings, connection, &is_known, err)
                            : FG_OK;
    uint64_t n = 0;
    int64_t row = 0;
    if (!st && !is_known)
        st = count_by_fts5(connection, &query, &n, &row, err);
    if (is_known) {
        n = fg_matching_count(postings, group, COUNTED_MOST, &row);
        st = fg_postings_end(postings, err);
    }
    uint64_t number = fg_spelled_number(row);
    *texts = (double)n;
    if (n == COUNTED_MOST && number && last > number)
        *texts *= (double)last / (double)number;
    return st;
}

/* FTS5 keeps these in the row 1 of its data: numbers of seven bits a byte. */
static uint64_t take_varint(struct fg_str *bytes)
{
    uint64_t value = 0;
    for (size_t i = 0; bytes->len && i < 9; i++) {
        unsigned char byte = (unsigned char)*bytes->at;
        *bytes = fg_str_skip(*bytes, 1);
        if (i == 8)
            return value << 8 | byte;
        value = value << 7 | (byte & 0x7f);
        if (!(byte & 0x80))
            break;
    }
    return value;
}

enum fg_status fg_fulltext_figures(struct fg_connection *connection,
                                   struct fg_index_figures *figures, struct fg_err *err)
{
    sqlite3_stmt *stmt = NULL;
    enum fg_status st = FG_OK;
    *figures = (struct fg_index_figures){0};
    if (sqlite3_prepare_v2(connection->db,
                           "SELECT block FROM search_index_data WHERE id = 1", -1, &stmt,
                           NULL) != SQLITE_OK)
        st = fg_sqlite_fail(err, connection->db, connection->path, "read");
    if (!st && sqlite3_step(stmt) == SQLITE_ROW) {
        struct fg_str block = {sqlite3_column_blob(stmt, 0),
                               (size_t)sqlite3_column_bytes(stmt, 0)};
        figures->texts = take_varint(&block);
        for (size_t i = 0; i < FG_INDEX_FIELDS; i++)
            figures->words[i] = take_varint(&block);
    }
    sqlite3_finalize(stmt);
    return st;
}

enum fg_status fg_fulltext_terms(struct fg_connection *connection, struct fg_str first,
                                 fg_take_term *take, void *context, struct fg_err *err)
{
    sqlite3_stmt *stmt = NULL;
    int code = sqlite3_prepare_v2(connection->db,
                                  "SELECT term, doc FROM search_terms WHERE term >= ?",
                                  -1, &stmt, NULL);
    sqlite3_bind_text64(stmt, 1, first.len ? first.at : "", first.len, SQLITE_STATIC,
                        SQLITE_UTF8);
    bool goes_on = code == SQLITE_OK;
    while (goes_on && (code = sqlite3_step(stmt)) == SQLITE_ROW)
        goes_on = take(context,
                       (struct fg_str){sqlite3_column_blob(stmt, 0),
                                       (size_t)sqlite3_column_bytes(stmt, 0)},
                       (uint64_t)sqlite3_column_int64(stmt, 1));
    enum fg_status st = FG_OK;
    if (code != SQLITE_DONE && code != SQLITE_ROW)
        st = fg_sqlite_fail(err, connection->db, connection->path, "read");
    sqlite3_finalize(stmt);
    return st;
}

/* --- is it right? --- */

void fg_fulltext_sum_text(struct fg_connection *connection,
                          const struct fg_indexed_text *text, uint64_t *terms,
                          uint64_t *sum)
{
    struct fg_fulltext *fulltext = connection->fulltext;
    int64_t row = fg_spell_text(&fulltext->stemmers, fulltext->terms, text);
    fg_spelled_sum(fulltext->terms, row, terms, sum);
}

static unsigned column_of(const char *name)
{
    unsigned i = 0;
    while (i < ABOUT && strcmp(name, columns[i]) != 0)
        i++;
    return i;
}

enum fg_status fg_fulltext_sum(struct fg_connection *connection, uint64_t *texts,
                               uint64_t *terms, uint64_t *sum, struct fg_err *err)
{
    struct fg_index_figures figures;
    sqlite3_stmt *stmt = NULL;
    enum fg_status st = fg_fulltext_figures(connection, &figures, err);
    *texts = figures.texts;
    if (!st)
        st = fg_sqlite_exec(connection->db, connection->path, "read",
                            "CREATE VIRTUAL TABLE IF NOT EXISTS temp.search_places"
                            " USING fts5vocab('main', 'search_index', 'instance')",
                            err);
    if (st)
        return st;
    int code = sqlite3_prepare_v2(connection->db,
                                  "SELECT term, doc, col, offset FROM temp.search_places",
                                  -1, &stmt, NULL);
    while (code == SQLITE_OK || code == SQLITE_ROW) {
        code = sqlite3_step(stmt);
        if (code != SQLITE_ROW)
            break;
        struct fg_str term = {sqlite3_column_blob(stmt, 0),
                              (size_t)sqlite3_column_bytes(stmt, 0)};
        *sum += fg_spelled_hash(term, sqlite3_column_int64(stmt, 1),
                                column_of((const char *)sqlite3_column_text(stmt, 2)),
                                sqlite3_column_int64(stmt, 3));
        ++*terms;
    }
    if (code != SQLITE_DONE)
        st = fg_sqlite_fail(err, connection->db, connection->path, "read");
    sqlite3_finalize(stmt);
    return st;
}
