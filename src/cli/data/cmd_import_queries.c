/* cmd_import_queries.c - forage import queries: what people search for
 *
 * The log of another search engine, put beside that of our own: whole queries and how
 * often each was asked. The file is read and checked whole; then all of it is counted in
 * one transaction, beside a crawl that may be running. */
#include "base/file.h"
#include "base/vec.h"
#include "cli/crawling.h"
#include "search/query.h"

enum { MOST_TIMES = 1000000000, MOST_QUERIES = 1000000 };

struct reading {
    struct fg_cli *cli;
    const char *path;
    FG_VEC(struct fg_query_row) rows;
    size_t wrong;
    uint64_t times;
};

static void complain(struct reading *r, size_t line, const char *why)
{
    fg_cli_count_wrong(r->cli, r->path, line, why, &r->wrong);
}

/* "TIMES<tab>WORDS", or the words alone, which were asked once. */
static void read_line(struct reading *r, struct fg_str line, size_t number, int32_t day)
{
    struct fg_str head, words = line;
    uint64_t times = 1;
    bool is_counted = fg_str_find(line, FG_STR("\t")) != FG_NOT_FOUND;
    if (is_counted)
        fg_str_cut(&words, '\t', &head);
    if (is_counted &&
        (!fg_str_to_u64(fg_str_trim(head), &times) || !times || times > MOST_TIMES)) {
        complain(r, number, "before the tab stands how often it was asked, from 1 on");
        return;
    }
    words = fg_query_normal(r->cli->arena, words);
    if (!words.len || words.len > FG_QUERY_BYTES) {
        complain(r, number,
                 words.len ? "the query is longer than 4096 bytes" : "there is no query");
        return;
    }
    fg_vec_push_in(r->cli->arena, &r->rows,
                   (struct fg_query_row){day, words, (uint32_t)times});
    r->times += times;
}

static enum fg_status read_file(struct reading *r, struct fg_err *err)
{
    struct fg_str text, line;
    int32_t day = (int32_t)(fg_clock_now(&r->cli->settings.crawl.clock) / FG_DAY);
    enum fg_status st = fg_cli_unpacked(r->cli, r->path, &text, err);
    for (size_t number = 1; !st && fg_str_cut(&text, '\n', &line); number++)
        if (fg_str_trim(line).len)
            read_line(r, line, number, day);
    if (st)
        return st;
    if (r->wrong)
        return fg_fail(err, FG_EINPUT, "'%s': %zu line%s wrong; nothing was imported",
                       fg_file_name(r->path), r->wrong, r->wrong == 1 ? " is" : "s are");
    if (!r->rows.len || r->rows.len > MOST_QUERIES)
        return fg_fail(err, FG_EINPUT, "'%s' has %s", fg_file_name(r->path),
                       r->rows.len ? "more than 1000000 queries" : "no query");
    return FG_OK;
}

static void tell(const struct reading *r, bool is_json)
{
    struct fg_cli *cli = r->cli;
    if (is_json) {
        struct fg_json json = fg_json_to(&cli->out.buf);
        fg_json_object(&json);
        fg_json_pair_uint(&json, "queries", r->rows.len);
        fg_json_pair_uint(&json, "times", r->times);
        fg_json_end(&json);
        fg_out_puts(&cli->out, "\n");
        return;
    }
    fg_out_printf(&cli->out, "%zu quer%s, asked %llu times\n", r->rows.len,
                  r->rows.len == 1 ? "y" : "ies", (unsigned long long)r->times);
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    const struct fg_json_flag *o = cli->options;
    struct reading r = {.cli = cli, .path = cli->words[0]};
    const char *place = fg_cli_store_path(cli);
    enum fg_status st = read_file(&r, err);
    if (!st && fg_store_writer(place) < 0) {
        struct fg_store *store; /* they may be the first thing in a workspace */
        st = fg_cli_store(cli, false, &store, err);
        if (!st)
            st = fg_store_close(store, err);
    }
    if (!st)
        st = fg_store_note_queries(place, r.rows.at, r.rows.len, err);
    if (!st)
        tell(&r, o->json);
    return st;
}

static const struct fg_example examples[] = {
    {"printf '12\\twild mushrooms\\n3\\tporcini risotto\\n' | forage import queries -",
     "two queries, and how often each was asked"},
    {0},
};

const struct fg_command fg_cmd_import_queries = {
    .name = "import queries",
    .words = "FILE",
    .summary = "what people search for and how often, beside our own searches",
    .about =
        "Reads a file (or a gzipped one; - is standard input) with a query a line: how "
        "often it was asked, a tab, and its words; or the words alone, for once. The "
        "queries are counted as asked today, beside those of 'forage search'; what "
        "was asked longer ago counts less, and after a year no more. If a line is "
        "wrong, each such line is named and nothing is imported.",
    .min_words = 1,
    .max_words = 1,
    .options = fg_json_flag,
    .options_size = sizeof(struct fg_json_flag),
    .settings = "workspace",
    .examples = examples,
    .run = run,
};
