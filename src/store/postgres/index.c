/* The index of texts, on PostgreSQL's own text search.
 *
 * A tsvector with a GIN index finds the texts. It does not count: a tsvector keeps at
 * most 256 places of a term and none beyond the 16,383rd, and a score that depends on
 * such limits would not be that of the other back end. So it has the terms alone, without
 * places, and beside it lie the terms of each field in order, packed. A text that the
 * index finds is unpacked here, and its terms are counted, phrases among them: what
 * is counted is exact, at the price of a look at each of them.
 *
 * How many texts and words there are is kept by language, and changed by the transaction
 * that puts texts in or takes them out. The list of all terms is made by ts_stat, which
 * reads the whole index: seconds where there are many texts. */
#include "store/postgres/postgres.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/terms.h"
#include "store/spelled.h"

#include <arpa/inet.h>
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum {
    TERMS_BYTES = 900000, /* of a tsvector; it may have a megabyte */
    PENDING_BYTES = 8 << 20,
    COUNTED_MOST = 10000,
    INT8 = 20,
    TEXT = 25,
    BYTEA = 17,
};

/* --- arrays --- */

static void add_u32(struct fg_buf *out, uint32_t value)
{
    uint32_t big = htonl(value);
    memcpy(fg_buf_reserve(out, 4), &big, 4);
    out->len += 4;
}

static void start_array(struct fg_buf *out, uint32_t oid)
{
    if (!out->max)
        fg_buf_init(out, SIZE_MAX);
    fg_buf_reset(out);
    add_u32(out, 1);
    add_u32(out, 0);
    add_u32(out, oid);
    add_u32(out, 0);
    add_u32(out, 1);
}

static void add_int8(struct fg_buf *out, int64_t value)
{
    uint64_t big = htobe64((uint64_t)value);
    add_u32(out, 8);
    fg_buf_add(out, (struct fg_str){(const char *)&big, 8});
}

static void add_bytes(struct fg_buf *out, struct fg_str bytes)
{
    add_u32(out, (uint32_t)bytes.len);
    fg_buf_add(out, bytes);
}

/* --- what is pending --- */

struct figures {
    char language[16];
    int64_t numbers[1 + FG_INDEX_FIELDS]; /* texts, and words of each field */
};

struct fg_pg_index {
    struct fg_stemmers stemmers;
    struct fg_buf terms[FG_SPELLED_FIELDS], taken_out[FG_SPELLED_FIELDS];
    struct fg_buf vector, all, packed;
    /* Columns of the texts that are put in; rows that are taken out before. */
    struct fg_buf row, site, language, vectors, bytes, gone;
    size_t n, n_gone;
    struct fg_map put; /* row: is among those to be put in */
    FG_VEC(struct figures) changes;
};

struct fg_pg_index *fg_pg_index_new(void)
{
    struct fg_pg_index *index = fg_zeroed(1, sizeof *index);
    for (size_t i = 0; i < FG_SPELLED_FIELDS; i++) {
        fg_buf_init(&index->terms[i], SIZE_MAX);
        fg_buf_init(&index->taken_out[i], SIZE_MAX);
    }
    fg_buf_init(&index->vector, SIZE_MAX);
    fg_buf_init(&index->all, SIZE_MAX);
    fg_buf_init(&index->packed, SIZE_MAX);
    fg_pg_index_reset(index);
    return index;
}

void fg_pg_index_reset(struct fg_pg_index *index)
{
    start_array(&index->row, INT8);
    start_array(&index->site, INT8);
    start_array(&index->language, TEXT);
    start_array(&index->vectors, TEXT);
    start_array(&index->bytes, BYTEA);
    start_array(&index->gone, INT8);
    index->n = index->n_gone = 0;
    fg_map_clear(&index->put);
    index->changes.len = 0;
}

void fg_pg_index_free(struct fg_pg_index *index)
{
    if (!index)
        return;
    fg_pg_index_reset(index);
    fg_stemmers_clear(&index->stemmers);
    for (size_t i = 0; i < FG_SPELLED_FIELDS; i++) {
        fg_buf_clear(&index->terms[i]);
        fg_buf_clear(&index->taken_out[i]);
    }
    struct fg_buf *buffers[] = {&index->vector,  &index->all,   &index->packed,
                                &index->row,     &index->site,  &index->language,
                                &index->vectors, &index->bytes, &index->gone};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        fg_buf_clear(buffers[i]);
    fg_vec_clear(&index->changes);
    free(index);
}

/* --- texts in and out --- */

static void add_quoted(struct fg_buf *out, struct fg_str term)
{
    fg_buf_add_char(out, '\'');
    for (size_t i = 0; i < term.len; i++) {
        if (term.at[i] == '\'' || term.at[i] == '\\')
            fg_buf_add_char(out, term.at[i]);
        if (term.at[i])
            fg_buf_add_char(out, term.at[i]);
    }
    fg_buf_add_char(out, '\'');
}

/* Each term once, as a tsvector is written. */
static void spell_vector(struct fg_pg_index *index)
{
    struct fg_map seen = {0};
    fg_buf_reset(&index->vector);
    for (size_t i = 0; i < FG_INDEX_FIELDS; i++) {
        struct fg_str term, rest = fg_buf_str(&index->terms[i]);
        while (rest.len && index->vector.len < TERMS_BYTES &&
               fg_str_cut(&rest, ' ', &term)) {
            uint64_t *is_seen = fg_map_put(&seen, fg_str_hash(term));
            if (*is_seen || !term.len)
                continue;
            *is_seen = 1;
            add_quoted(&index->vector, term);
            fg_buf_add_char(&index->vector, ' ');
        }
    }
    fg_map_clear(&seen);
}

static void pack_terms(struct fg_pg_index *index)
{
    fg_buf_reset(&index->all);
    for (size_t i = 0; i < FG_SPELLED_FIELDS; i++) {
        fg_buf_add(&index->all, fg_buf_str(&index->terms[i]));
        fg_buf_add_char(&index->all, '\n');
    }
    size_t room = ZSTD_compressBound(index->all.len);
    fg_buf_reset(&index->packed);
    char *out = fg_buf_reserve(&index->packed, room);
    size_t n = ZSTD_compress(out, room, index->all.at, index->all.len, 1);
    if (ZSTD_isError(n))
        fg_out_of_memory();
    index->packed.len = n;
}

static int64_t words_in(struct fg_str terms)
{
    int64_t n = 0;
    for (size_t i = 0; i < terms.len; i++)
        n += terms.at[i] == ' ';
    return n;
}

static void count(struct fg_pg_index *index, struct fg_str language,
                  const struct fg_buf *fields, int sign)
{
    size_t i = 0;
    while (i < index->changes.len &&
           !fg_str_eq(language, fg_str_from(index->changes.at[i].language)))
        i++;
    if (i == index->changes.len) {
        struct figures made = {0};
        snprintf(made.language, sizeof made.language, "%.*s", FG_ARG(language));
        fg_vec_push(&index->changes, made);
    }
    index->changes.at[i].numbers[0] += sign;
    for (size_t j = 0; j < FG_INDEX_FIELDS; j++)
        index->changes.at[i].numbers[1 + j] += sign * words_in(fg_buf_str(&fields[j]));
}

void fg_pg_index_put(struct fg_pg_index *index, const struct fg_indexed_text *text)
{
    int64_t row = fg_spell_text(&index->stemmers, index->terms, text);
    spell_vector(index);
    pack_terms(index);
    add_int8(&index->row, row);
    add_int8(&index->site, text->site);
    add_bytes(&index->language, text->language);
    add_bytes(&index->vectors, fg_buf_str(&index->vector));
    add_bytes(&index->bytes, fg_buf_str(&index->packed));
    *fg_map_put(&index->put, (uint64_t)row) = ++index->n;
    count(index, text->language, index->terms, 1);
}

bool fg_pg_index_has(const struct fg_pg_index *index, int64_t row)
{
    return fg_map_get(&index->put, (uint64_t)row) != NULL;
}

int64_t fg_pg_index_take_out(struct fg_pg_index *index,
                             const struct fg_indexed_text *text)
{
    int64_t row = fg_spell_text(&index->stemmers, index->taken_out, text);
    count(index, text->language, index->taken_out, -1);
    return row;
}

void fg_pg_index_gone(struct fg_pg_index *index, int64_t row)
{
    add_int8(&index->gone, row);
    index->n_gone++;
}

struct fg_text_terms fg_pg_index_made(const struct fg_pg_index *index, bool is_taken_out)
{
    return fg_spelled_terms(is_taken_out ? index->taken_out : index->terms);
}

struct fg_text_terms fg_pg_index_terms_of(struct fg_pg_index *index,
                                          const struct fg_indexed_text *text)
{
    fg_spell_text(&index->stemmers, index->terms, text);
    return fg_spelled_terms(index->terms);
}

/* --- sending --- */

bool fg_pg_index_is_full(const struct fg_pg_index *index)
{
    return index->bytes.len + index->vectors.len > PENDING_BYTES;
}

static enum fg_status send_arrays(struct fg_pg_link *link, const char *sql,
                                  struct fg_buf *const *columns, int n_columns, size_t n,
                                  struct fg_err *err)
{
    const char *values[8];
    int lengths[8];
    for (int i = 0; i < n_columns; i++) {
        uint32_t big = htonl((uint32_t)n);
        memcpy(columns[i]->at + 12, &big, sizeof big);
        values[i] = columns[i]->at;
        lengths[i] = (int)columns[i]->len;
    }
    return fg_pg_send_params(link, sql, n_columns, values, lengths, err);
}

static enum fg_status send_figures(struct fg_pg_index *index, struct fg_pg_link *link,
                                   struct fg_err *err)
{
    struct fg_buf columns[2 + FG_INDEX_FIELDS] = {0};
    struct fg_buf *all[2 + FG_INDEX_FIELDS];
    start_array(&columns[0], TEXT);
    for (size_t i = 0; i < 2 + FG_INDEX_FIELDS; i++) {
        if (i)
            start_array(&columns[i], INT8);
        all[i] = &columns[i];
    }
    for (size_t i = 0; i < index->changes.len; i++) {
        add_bytes(&columns[0], fg_str_from(index->changes.at[i].language));
        for (size_t j = 0; j < 1 + FG_INDEX_FIELDS; j++)
            add_int8(&columns[1 + j], index->changes.at[i].numbers[j]);
    }
    enum fg_status st = send_arrays(
        link,
        "INSERT INTO search_figures AS f(language, texts, title, text, anchors)"
        " SELECT * FROM unnest($1::text[], $2::int8[], $3::int8[], $4::int8[],"
        " $5::int8[]) ON CONFLICT(language) DO UPDATE SET texts = f.texts +"
        " excluded.texts, title = f.title + excluded.title, text = f.text +"
        " excluded.text, anchors = f.anchors + excluded.anchors",
        all, 2 + FG_INDEX_FIELDS, index->changes.len, err);
    for (size_t i = 0; i < 2 + FG_INDEX_FIELDS; i++)
        fg_buf_clear(&columns[i]);
    return st;
}

enum fg_status fg_pg_index_send(struct fg_pg_index *index, struct fg_pg_link *link,
                                struct fg_err *err)
{
    enum fg_status st = FG_OK;
    struct fg_buf *gone[] = {&index->gone};
    struct fg_buf *put[] = {&index->row, &index->site, &index->language, &index->vectors,
                            &index->bytes};
    if (index->n_gone)
        st = send_arrays(
            link,
            "DELETE FROM search_index t USING unnest($1::int8[]) AS k(c0) WHERE"
            " t.row = k.c0",
            gone, 1, index->n_gone, err);
    if (!st && index->n)
        st = send_arrays(
            link,
            "INSERT INTO search_index(row, site, language, terms, packed) SELECT c0,"
            " c1, c2, c3::tsvector, c4 FROM unnest($1::int8[], $2::int8[],"
            " $3::text[], $4::text[], $5::bytea[]) AS k(c0, c1, c2, c3, c4)",
            put, 5, index->n, err);
    if (!st && index->changes.len)
        st = send_figures(index, link, err);
    fg_pg_index_reset(index);
    return st;
}

enum fg_status fg_pg_index_clear(struct fg_pg_link *link, struct fg_err *err)
{
    return fg_pg_exec(link, "write",
                      "DELETE FROM search_index; DELETE FROM search_figures;"
                      "UPDATE meta SET value = '" FG_TERMS_VERSION "' WHERE name ="
                      " 'terms'",
                      err);
}

enum fg_status fg_pg_index_is_stale(struct fg_pg_link *link, bool *is_stale,
                                    struct fg_err *err)
{
    int64_t n;
    enum fg_status st = fg_pg_int(link,
                                  "SELECT count(*) FROM meta WHERE name = 'terms' AND"
                                  " value = '" FG_TERMS_VERSION "'",
                                  &n, NULL, err);
    *is_stale = !st && !n;
    return st;
}

/* --- questions --- */

static bool is_finder(const struct fg_index_query *query, size_t at)
{
    const struct fg_index_group *group = &query->groups[at];
    bool needs = false;
    for (size_t i = 0; i < query->n; i++)
        needs |= query->groups[i].is_needed && !query->groups[i].is_unwanted;
    if (group->is_unwanted)
        return false;
    return needs ? group->is_needed : !group->is_extra;
}

/* The terms of a phrase, all of them. */
static void add_phrase(struct fg_buf *out, struct fg_str phrase, bool is_prefix)
{
    struct fg_str term;
    const char *between = "(";
    while (phrase.len && fg_str_cut(&phrase, ' ', &term)) {
        if (!term.len)
            continue;
        fg_buf_printf(out, "%s", between);
        add_quoted(out, term);
        between = " & ";
    }
    fg_buf_printf(out, "%s)", is_prefix ? ":*" : "");
}

static void spell_query(struct fg_buf *out, const struct fg_index_query *query)
{
    const char *between = "";
    for (size_t i = 0; i < query->n; i++) {
        const struct fg_index_group *group = &query->groups[i];
        if (!is_finder(query, i))
            continue;
        fg_buf_printf(out, "%s(", between);
        for (size_t j = 0; j < group->n; j++) {
            fg_buf_printf(out, "%s", j ? " | " : "");
            add_phrase(out, group->phrases[j], false);
        }
        if (group->prefix.len) {
            fg_buf_printf(out, "%s", group->n ? " | " : "");
            add_phrase(out, group->prefix, true);
        }
        fg_buf_printf(out, ")");
        between = group->is_needed ? " & " : " | ";
    }
}

/* How often the phrase stands in the field: from where a term begins, and to where one
 * ends unless it is only the beginning of one. */
static uint32_t occurrences(struct fg_str field, struct fg_str phrase, bool is_prefix)
{
    uint32_t n = 0;
    const char *at = field.at, *end = field.at + field.len;
    while (phrase.len && (size_t)(end - at) >= phrase.len) {
        n += !memcmp(at, phrase.at, phrase.len) &&
             (is_prefix || at + phrase.len == end || at[phrase.len] == ' ');
        const char *blank = memchr(at, ' ', (size_t)(end - at));
        if (!blank)
            break;
        at = blank + 1;
    }
    return n;
}

struct matching {
    const struct fg_index_query *query;
    fg_take_hit *take;
    void *context;
    uint32_t (*counts)[FG_INDEX_COUNTS];
    struct fg_buf all;
    bool goes_on;
};

static bool unpack(struct fg_buf *all, struct fg_str packed,
                   struct fg_str fields[static FG_SPELLED_FIELDS])
{
    unsigned long long bytes = ZSTD_getFrameContentSize(packed.at, packed.len);
    if (bytes > SIZE_MAX / 4)
        return false;
    fg_buf_reset(all);
    char *out = fg_buf_reserve(all, (size_t)bytes + 1);
    size_t n = ZSTD_decompress(out, (size_t)bytes, packed.at, packed.len);
    if (ZSTD_isError(n))
        return false;
    all->len = n;
    struct fg_str rest = fg_buf_str(all);
    for (size_t i = 0; i < FG_SPELLED_FIELDS; i++)
        if (!fg_str_cut(&rest, '\n', &fields[i]))
            return false;
    return true;
}

/* Count the groups; is it found by them? */
static bool is_hit(struct matching *matching, struct fg_str *fields)
{
    const struct fg_index_query *query = matching->query;
    bool has_finder = false, has_any = false, lacks = false, is_unwanted = false;
    for (size_t i = 0; i < query->n; i++) {
        const struct fg_index_group *group = &query->groups[i];
        uint32_t *counts = matching->counts[i], sum = 0;
        memset(counts, 0, sizeof matching->counts[i]);
        for (size_t f = 0; f < FG_INDEX_FIELDS; f++) {
            for (size_t j = 0; j < group->n; j++)
                counts[f] += occurrences(fields[f], group->phrases[j], false);
            counts[f] += occurrences(fields[f], group->prefix, true);
            sum += counts[f];
        }
        bool finds = is_finder(query, i);
        has_finder |= finds;
        has_any |= finds && sum;
        lacks |= finds && group->is_needed && !sum;
        is_unwanted |= group->is_unwanted && sum;
        if (group->is_unwanted)
            memset(counts, 0, sizeof matching->counts[i]);
    }
    return !is_unwanted && !lacks && (has_any || !has_finder);
}

static enum fg_status take_hits(struct matching *matching, struct fg_pg_link *link,
                                struct fg_err *err)
{
    enum fg_status st = FG_OK;
    for (PGresult *result; (result = PQgetResult(link->db)); PQclear(result)) {
        ExecStatusType status = PQresultStatus(result);
        if (status != PGRES_SINGLE_TUPLE && status != PGRES_TUPLES_OK) {
            if (!st)
                st = fg_pg_fail(err, link, result, "search");
            result = NULL;
            continue;
        }
        if (!matching->goes_on || !PQntuples(result))
            continue;
        struct fg_str fields[FG_SPELLED_FIELDS];
        uint64_t big;
        memcpy(&big, PQgetvalue(result, 0, 0), 8);
        int64_t row = (int64_t)be64toh(big);
        struct fg_str packed = {PQgetvalue(result, 0, 1),
                                (size_t)PQgetlength(result, 0, 1)};
        if (!unpack(&matching->all, packed, fields))
            st = fg_fail(err, FG_EINPUT,
                         "the index of '%s' is damaged: run 'forage "
                         "reindex'",
                         link->place->shown);
        else if (is_hit(matching, fields))
            matching->goes_on = matching->take(
                matching->context,
                &(struct fg_index_hit){
                    .number = fg_spelled_number(row),
                    .words = fg_spelled_words(row),
                    .counts = (const uint32_t(*)[FG_INDEX_COUNTS])matching->counts});
    }
    return st;
}

enum fg_status fg_pg_index_match(struct fg_pg_link *link,
                                 const struct fg_index_query *query, fg_take_hit *take,
                                 void *context, struct fg_err *err)
{
    struct matching matching = {query, take, context, NULL, {0}, true};
    struct fg_buf words, sql;
    fg_buf_init(&words, SIZE_MAX);
    fg_buf_init(&sql, SIZE_MAX);
    fg_buf_init(&matching.all, SIZE_MAX);
    matching.counts = fg_zeroed(query->n + 1, sizeof *matching.counts);
    spell_query(&words, query);
    fg_buf_add_char(&words, '\0');
    const char *values[] = {words.at, query->language.len ? query->language.at : ""};
    int lengths[] = {(int)words.len - 1, (int)query->language.len}, formats[] = {1, 1};
    fg_buf_printf(&sql, "SELECT row, packed FROM search_index WHERE %s",
                  words.len > 1 ? "terms @@ $1::text::tsquery" : "$1::text = ''");
    if (query->site)
        fg_buf_printf(&sql, " AND site = %u", query->site);
    fg_buf_printf(&sql, "%s ORDER BY row",
                  query->language.len ? " AND language = $2::text" : "");
    fg_buf_add_char(&sql, '\0');
    enum fg_status st = FG_OK;
    link->statements++;
    if (!PQsendQueryParams(link->db, sql.at, query->language.len ? 2 : 1, NULL, values,
                           lengths, formats, 1))
        st = fg_pg_fail(err, link, NULL, "search");
    else
        PQsetSingleRowMode(link->db);
    if (!st)
        st = take_hits(&matching, link, err);
    fg_buf_clear(&words);
    fg_buf_clear(&sql);
    fg_buf_clear(&matching.all);
    free(matching.counts);
    return st;
}

struct counted {
    uint64_t n, number;
};

static bool count_hit(void *context, const struct fg_index_hit *hit)
{
    struct counted *counted = context;
    counted->number = hit->number;
    return ++counted->n < COUNTED_MOST;
}

/* Beyond the first ten thousand the rest is estimated, as in the other back end. */
enum fg_status fg_pg_index_frequency(struct fg_pg_link *link,
                                     const struct fg_index_group *group, uint64_t last,
                                     double *texts, struct fg_err *err)
{
    struct fg_index_query query = {.groups = group, .n = 1};
    struct counted counted = {0};
    enum fg_status st = fg_pg_index_match(link, &query, count_hit, &counted, err);
    *texts = (double)counted.n;
    if (counted.n == COUNTED_MOST && counted.number && last > counted.number)
        *texts *= (double)last / (double)counted.number;
    return st;
}

enum fg_status fg_pg_index_figures(struct fg_pg_link *link,
                                   struct fg_index_figures *figures, bool *are_there,
                                   struct fg_err *err)
{
    PGresult *result = PQexec(link->db, "SELECT language, texts, title, text, anchors"
                                        " FROM search_figures");
    *figures = (struct fg_index_figures){0};
    if (PQresultStatus(result) != PGRES_TUPLES_OK)
        return fg_pg_fail(err, link, result, "read");
    for (int i = 0; i < PQntuples(result); i++) {
        uint64_t texts = strtoull(PQgetvalue(result, i, 1), NULL, 10);
        figures->texts += texts;
        for (int j = 0; j < FG_INDEX_FIELDS; j++)
            figures->words[j] += strtoull(PQgetvalue(result, i, 2 + j), NULL, 10);
        for (size_t j = 0; are_there && fg_stemmer_codes[j]; j++)
            if (strcmp(PQgetvalue(result, i, 0), fg_stemmer_codes[j]) == 0)
                are_there[j] = texts > 0;
    }
    PQclear(result);
    return FG_OK;
}

enum fg_status fg_pg_index_terms(struct fg_pg_link *link, struct fg_str first,
                                 fg_take_term *take, void *context, struct fg_err *err)
{
    const char *values[] = {first.len ? first.at : ""};
    int lengths[] = {(int)first.len}, formats[] = {1};
    PGresult *result = PQexecParams(
        link->db,
        "SELECT word, ndoc FROM ts_stat('SELECT terms FROM search_index') WHERE"
        " word COLLATE \"C\" >= $1::text ORDER BY word COLLATE \"C\"",
        1, NULL, values, lengths, formats, 0);
    if (PQresultStatus(result) != PGRES_TUPLES_OK)
        return fg_pg_fail(err, link, result, "read");
    bool goes_on = true;
    for (int i = 0; goes_on && i < PQntuples(result); i++)
        goes_on = take(context, fg_str_from(PQgetvalue(result, i, 0)),
                       strtoull(PQgetvalue(result, i, 1), NULL, 10));
    PQclear(result);
    return FG_OK;
}

enum fg_status fg_pg_index_sum(struct fg_pg_link *link, uint64_t *texts, uint64_t *terms,
                               uint64_t *sum, struct fg_err *err)
{
    struct fg_index_figures figures;
    struct fg_buf all;
    enum fg_status st = fg_pg_index_figures(link, &figures, NULL, err);
    *texts = figures.texts;
    if (st)
        return st;
    fg_buf_init(&all, SIZE_MAX);
    if (!PQsendQueryParams(link->db, "SELECT row, packed FROM search_index", 0, NULL,
                           NULL, NULL, NULL, 1))
        st = fg_pg_fail(err, link, NULL, "read");
    else
        PQsetSingleRowMode(link->db);
    for (PGresult *result; (result = PQgetResult(link->db)); PQclear(result)) {
        struct fg_str fields[FG_SPELLED_FIELDS];
        struct fg_buf made[FG_SPELLED_FIELDS] = {0};
        uint64_t big;
        if (PQresultStatus(result) != PGRES_SINGLE_TUPLE)
            continue;
        memcpy(&big, PQgetvalue(result, 0, 0), 8);
        struct fg_str packed = {PQgetvalue(result, 0, 1),
                                (size_t)PQgetlength(result, 0, 1)};
        if (!unpack(&all, packed, fields))
            continue; /* then the sums differ */
        for (size_t i = 0; i < FG_SPELLED_FIELDS; i++)
            made[i] = (struct fg_buf){.at = (char *)fields[i].at, .len = fields[i].len};
        fg_spelled_sum(made, (int64_t)be64toh(big), terms, sum);
    }
    fg_buf_clear(&all);
    return st;
}

void fg_pg_index_sum_text(struct fg_pg_index *index, const struct fg_indexed_text *text,
                          uint64_t *terms, uint64_t *sum)
{
    int64_t row = fg_spell_text(&index->stemmers, index->terms, text);
    fg_spelled_sum(index->terms, row, terms, sum);
}
