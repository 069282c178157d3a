#include "lab/import.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/time.h"
#include "base/vec.h"
#include "lab/tsv.h"
#include "net/text/date.h"
#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum column { SOURCE, TARGET, FIRST, LAST, TIME, OTHER, COLUMNS_MOST = 32 };

/* What rows are: stays, or what one look at a page showed. */
enum {
    STAYS = 1 << SOURCE | 1 << TARGET | 1 << FIRST | 1 << LAST,
    LOOKS = 1 << SOURCE | 1 << TARGET | 1 << TIME
};

struct columns {
    enum column at[COLUMNS_MOST];
    size_t n;
    bool are_looks;
    char separator;
};

/* A link that a look showed. */
struct sight {
    uint32_t source;
    uint64_t target;
    int64_t time;
    size_t look; /* its number among those at the source */
};

struct import {
    struct fg_linklog *log;
    struct fg_arena arena;
    struct columns columns;
    FG_VEC(struct fg_str) names; /* of numbered sources */
    FG_VEC(struct sight) sights;
    struct fg_err *err;
};

/* --- rows of a file --- */

static enum column column_named(struct fg_str name)
{
    static const struct {
        const char *name;
        enum column column;
    } words[] = {{"source", SOURCE},    {"source_id", SOURCE}, {"page", SOURCE},
                 {"target", TARGET},    {"target_id", TARGET}, {"link", TARGET},
                 {"url", TARGET},       {"first", FIRST},      {"first_seen", FIRST},
                 {"first seen", FIRST}, {"last", LAST},        {"last_seen", LAST},
                 {"last seen", LAST},   {"time", TIME}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (fg_str_eq_nocase(name, fg_str_from(words[i].name)))
            return words[i].column;
    return OTHER;
}

/* Of tables that programs save: one of these or tabs. */
static bool has_quotes(char separator)
{
    return separator == ',' || separator == ';';
}

/* The next field of a row. Between commas or semicolons one may stand in quotes, which
 * doubled are quotes of its own; it is then put together where it stands. False at the
 * end, and with `is_bad` set for a quote without its end. */
static bool cut_field(struct fg_str *row, char separator, struct fg_str *field,
                      bool *is_bad)
{
    if (!has_quotes(separator) || !row->len || row->at[0] != '"')
        return fg_str_cut(row, separator, field);
    char *out = (char *)row->at; /* the line of the file at hand, which is its reader's */
    size_t n = 0, i = 1;
    for (; i < row->len &&
           (row->at[i] != '"' || fg_str_starts(fg_str_skip(*row, i), FG_STR("\"\"")));
         i++) {
        i += row->at[i] == '"';
        out[n++] = row->at[i];
    }
    *is_bad = i == row->len || (i + 1 < row->len && row->at[i + 1] != separator);
    *field = (struct fg_str){out, n};
    *row = fg_str_skip(*row, i + 2 < row->len ? i + 2 : row->len);
    return !*is_bad;
}

/* Columns as named by `text`; false if they make neither a stay nor a look. */
static bool name_columns(struct columns *columns, struct fg_str text, char separator)
{
    struct fg_str name;
    unsigned there = 0;
    columns->n = 0;
    columns->separator = separator;
    while (columns->n < COLUMNS_MOST && fg_str_cut(&text, separator, &name)) {
        name = fg_str_trim(name);
        if (name.len > 1 && name.at[0] == '"' && name.at[name.len - 1] == '"')
            name = fg_str_sub(name, 1, name.len - 1);
        enum column column = column_named(name);
        columns->at[columns->n++] = column;
        there |= 1U << column;
    }
    columns->are_looks = (there & STAYS) != STAYS && (there & LOOKS) == LOOKS;
    return columns->are_looks || (there & STAYS) == STAYS;
}

/* Unix seconds; false if the text is no time. */
static bool read_time(struct fg_str text, int64_t *seconds)
{
    uint64_t number;
    if (fg_str_to_u64(text, &number)) {
        while (number > UINT64_C(100000000000)) /* of the year 5138: not seconds */
            number /= 1000;
        *seconds = (int64_t)number;
        return true;
    }
    fg_time time = fg_date_parse(text);
    *seconds = time == FG_NEVER ? 0 : time / FG_SECOND;
    return time != FG_NEVER && time >= 0;
}

/* "https://example.org/news" is the source example.org/news, so that its domain can be
 * told. */
static struct fg_str source_name(const struct import *in, struct fg_str text)
{
    uint64_t number;
    if (in->names.len && fg_str_to_u64(text, &number) && number < in->names.len &&
        in->names.at[number].len)
        return in->names.at[number];
    if (fg_str_starts_nocase(text, FG_STR("http://")))
        return fg_str_skip(text, 7);
    return fg_str_starts_nocase(text, FG_STR("https://")) ? fg_str_skip(text, 8) : text;
}

/* Reads what the columns name, and says what is missing. */
static enum fg_status split_row(struct import *in, const struct fg_tsv *tsv,
                                struct fg_str row, struct fg_str *field)
{
    struct fg_str part;
    bool is_bad = false, are_looks = in->columns.are_looks;
    size_t n = 0;
    while (n < in->columns.n && cut_field(&row, in->columns.separator, &part, &is_bad))
        field[in->columns.at[n++]] = fg_str_trim(part);
    if (is_bad)
        return fg_tsv_bad(tsv,
                          in->columns.separator == ';'
                              ? "a quote that ends before a semicolon or the line's end"
                              : "a quote that ends before a comma or the line's end",
                          in->err);
    bool has_ends = field[SOURCE].len && field[TARGET].len;
    if (has_ends && (are_looks ? field[TIME].len : field[FIRST].len && field[LAST].len))
        return FG_OK;
    const char *between = in->columns.separator == ','   ? "commas"
                          : in->columns.separator == ';' ? "semicolons"
                                                         : "tabs";
    const char *columns = are_looks ? "time, page and link"
                          : in->columns.separator == '\t'
                              ? "source, target, first and last"
                              : "page, link, first and last";
    return fg_tsv_bad(
        tsv, fg_arena_printf(&in->arena, "%s, with %s between", columns, between).at,
        in->err);
}

static enum fg_status take_row(struct import *in, const struct fg_tsv *tsv,
                               struct fg_str row)
{
    struct fg_str field[OTHER + 1] = {0};
    int64_t first, last;
    enum fg_status st = split_row(in, tsv, row, field);
    if (st)
        return st;
    bool are_looks = in->columns.are_looks;
    if (!read_time(field[are_looks ? TIME : FIRST], &first) ||
        !read_time(field[are_looks ? TIME : LAST], &last))
        return fg_tsv_bad(tsv, "times in Unix seconds or as 2026-11-15T21:02:18Z",
                          in->err);
    if (first > last)
        return fg_tsv_bad(tsv, "a link last seen no earlier than first seen", in->err);
    uint32_t source = fg_linklog_source(in->log, source_name(in, field[SOURCE]));
    uint64_t target = fg_linklog_target(in->log, field[TARGET]);
    if (are_looks)
        fg_vec_push(&in->sights, (struct sight){source, target, first, 0});
    else
        fg_linklog_stay(in->log, source, target, first, last);
    return FG_OK;
}

/* --- looks --- */

static int order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_time(const void *a, const void *b)
{
    const struct sight *x = a, *y = b;
    return x->source != y->source ? order(x->source, y->source)
                                  : order((uint64_t)x->time, (uint64_t)y->time);
}

static int by_link(const void *a, const void *b)
{
    const struct sight *x = a, *y = b;
    return x->source != y->source   ? order(x->source, y->source)
           : x->target != y->target ? order(x->target, y->target)
                                    : order(x->look, y->look);
}

/* Rows of one page and time are one look; a link that is there at a look and the next
 * stayed in between. */
static void make_stays(struct import *in)
{
    struct sight *at = in->sights.at;
    size_t n = in->sights.len;
    if (!n)
        return;
    qsort(at, n, sizeof *at, by_time);
    for (size_t i = 0; i < n; i++) {
        bool is_same = i && at[i].source == at[i - 1].source;
        bool is_look = !is_same || at[i].time != at[i - 1].time;
        at[i].look = is_same ? at[i - 1].look + is_look : 0;
        if (is_look)
            fg_linklog_look(in->log, at[i].source, at[i].time);
    }
    qsort(at, n, sizeof *at, by_link);
    for (size_t first = 0, i = 0; i < n; i++) {
        bool goes_on = i + 1 < n && at[i + 1].source == at[i].source &&
                       at[i + 1].target == at[i].target &&
                       at[i + 1].look <= at[i].look + 1;
        if (goes_on)
            continue;
        fg_linklog_stay(in->log, at[i].source, at[i].target, at[first].time, at[i].time);
        first = i + 1;
    }
}

/* --- a file --- */

/* Tabs, or else what the row has more of. */
static char separator_of(struct fg_str row)
{
    size_t commas = 0, semicolons = 0;
    for (size_t i = 0; i < row.len; i++) {
        if (row.at[i] == '\t')
            return '\t';
        commas += row.at[i] == ',';
        semicolons += row.at[i] == ';';
    }
    return semicolons > commas ? ';' : ',';
}

static enum fg_status take_file(struct import *in, const char *path)
{
    struct fg_tsv tsv;
    struct fg_str row;
    enum fg_status st = fg_tsv_open(&tsv, path, in->err);
    for (bool is_first = true; !st && fg_tsv_next(&tsv, &row, &st, in->err);
         is_first = false) {
        struct columns named;
        if (is_first && fg_str_starts(row, FG_STR("\xEF\xBB\xBF")))
            row = fg_str_skip(row, 3); /* a byte-order mark */
        char separator = separator_of(row);
        if (is_first && name_columns(&named, row, separator))
            in->columns = named;
        else if (is_first && fg_str_chr(row, separator) != FG_NOT_FOUND &&
                 has_quotes(separator))
            st = fg_tsv_bad(&tsv,
                            "a first row that names the columns: time, page and link, or "
                            "page, link, first and last",
                            in->err);
        else
            st = take_row(in, &tsv, row);
    }
    if (!st)
        make_stays(in);
    if (!st && !fg_linklog_stays(in->log))
        st = fg_fail(in->err, FG_EINPUT, "'%s' has no link in it", tsv.path);
    fg_tsv_close(&tsv);
    return st;
}

/* --- a folder --- */

static enum fg_status take_names(struct import *in, const char *path)
{
    struct fg_tsv tsv;
    struct fg_str row, number;
    uint64_t value;
    enum fg_status st = fg_tsv_open(&tsv, path, in->err);
    while (!st && fg_tsv_next(&tsv, &row, &st, in->err)) {
        if (!fg_str_cut(&row, '\t', &number) || !fg_str_to_u64(number, &value) ||
            value > 1000000) {
            st = fg_tsv_bad(&tsv, "a source's number, a tab and its name", in->err);
            break;
        }
        while (in->names.len <= value)
            fg_vec_push(&in->names, (struct fg_str){0});
        in->names.at[value] = fg_arena_dup(&in->arena, row);
    }
    fg_tsv_close(&tsv);
    return st;
}

static enum fg_status take_looks(struct import *in, const char *path)
{
    struct fg_tsv tsv;
    struct fg_str row, field;
    int64_t time;
    enum fg_status st = fg_tsv_open(&tsv, path, in->err);
    while (!st && fg_tsv_next(&tsv, &row, &st, in->err)) {
        if (!fg_str_cut(&row, '\t', &field) || !read_time(field, &time)) {
            st = fg_tsv_bad(&tsv, "a time, a tab and the sources looked at", in->err);
            break;
        }
        bool is_all = fg_str_eq(fg_str_trim(row), FG_STR("*"));
        for (size_t u = 0; is_all && u < fg_linklog_sources(in->log); u++)
            fg_linklog_look(in->log, (uint32_t)u, time);
        while (!is_all && fg_str_cut(&row, ',', &field))
            fg_linklog_look(
                in->log, fg_linklog_source(in->log, source_name(in, fg_str_trim(field))),
                time);
    }
    fg_tsv_close(&tsv);
    return st;
}

static enum fg_status take_relevant(struct import *in, const char *path)
{
    struct fg_tsv tsv;
    struct fg_str row;
    enum fg_status st = fg_tsv_open(&tsv, path, in->err);
    while (!st && fg_tsv_next(&tsv, &row, &st, in->err))
        fg_linklog_relevant(in->log, fg_linklog_target(in->log, row));
    fg_tsv_close(&tsv);
    return st;
}

static enum fg_status take_folder(struct import *in, const char *folder)
{
    const char *sources = fg_arena_printf(&in->arena, "%s/sources.tsv", folder).at;
    const char *stays = fg_arena_printf(&in->arena, "%s/intervals.tsv", folder).at;
    const char *looks = fg_arena_printf(&in->arena, "%s/snapshots.tsv", folder).at;
    const char *relevant = fg_arena_printf(&in->arena, "%s/relevant.tsv", folder).at;
    if (!fg_tsv_exists(stays))
        return fg_fail(in->err, FG_ENOTFOUND,
                       "'%s' has neither an intervals.tsv nor a forage.db", folder);
    enum fg_status st = fg_tsv_exists(sources) ? take_names(in, sources) : FG_OK;
    for (size_t i = 0; !st && i < in->names.len; i++)
        if (in->names.at[i].len) /* in the order they have, also those without a link */
            fg_linklog_source(in->log, in->names.at[i]);
    if (!st)
        st = take_file(in, stays);
    if (!st && fg_tsv_exists(looks))
        st = take_looks(in, looks);
    if (!st && fg_tsv_exists(relevant))
        st = take_relevant(in, relevant);
    return st;
}

/* --- the live store --- */

struct page {
    uint32_t source; /* its number in the log plus one, 0 while it is none */
    uint64_t target; /* likewise */
    struct fg_str url;
    bool is_relevant, is_source;
};

struct harvest {
    struct import *in;
    FG_VEC(struct page) pages;
    struct fg_map place; /* site << 32 | page to place in `pages`, plus one */
};

static uint64_t page_key(fg_site_id site, fg_page_id page)
{
    return (uint64_t)site << 32 | page;
}

static struct page *page_at(struct harvest *h, fg_site_id site, fg_page_id page)
{
    const uint64_t *place = fg_map_get(&h->place, page_key(site, page));
    return place ? &h->pages.at[*place - 1] : NULL;
}

static bool take_page(void *context, const struct fg_page_row *row)
{
    struct harvest *h = context;
    struct page page = {.url = fg_arena_dup(&h->in->arena, row->url),
                        .is_relevant = row->flags & FG_PAGE_RELEVANT,
                        .is_source = row->flags &
                                     (FG_PAGE_SOURCE | FG_PAGE_FEED | FG_PAGE_SITEMAP)};
    fg_vec_push(&h->pages, page);
    *fg_map_put(&h->place, page_key(row->site, row->page)) = h->pages.len;
    return true;
}

static uint32_t number_source(struct harvest *h, struct page *page)
{
    if (!page->source)
        page->source = 1 + fg_linklog_source(h->in->log, source_name(h->in, page->url));
    return page->source - 1;
}

static bool take_link(void *context, const struct fg_link_row *link)
{
    struct harvest *h = context;
    struct page *source = page_at(h, link->site, link->source);
    struct page *target = page_at(h, link->target_site, link->target);
    if (!source || !target || link->first_seen == FG_NEVER)
        return true;
    if (!target->target) {
        target->target = 1 + fg_linklog_target(h->in->log, target->url);
        if (target->is_relevant)
            fg_linklog_relevant(h->in->log, target->target - 1);
    }
    fg_time last = link->last_seen == FG_NEVER ? link->first_seen : link->last_seen;
    fg_linklog_stay(h->in->log, number_source(h, source), target->target - 1,
                    link->first_seen / FG_SECOND, last / FG_SECOND);
    return true;
}

/* A visit that got an answer; "unchanged" is one. */
static bool take_visit(void *context, const struct fg_visit_row *visit)
{
    struct harvest *h = context;
    struct page *page = page_at(h, visit->site, visit->page);
    bool is_good = !visit->failure && visit->status >= 200 && visit->status < 400;
    if (page && is_good && (page->source || page->is_source))
        fg_linklog_look(h->in->log, number_source(h, page), visit->time / FG_SECOND);
    return true;
}

struct site_ids {
    FG_VEC(fg_site_id) at;
};

static bool note_site(void *context, const struct fg_site_row *site)
{
    struct site_ids *ids = context;
    fg_vec_push(&ids->at, site->site);
    return true;
}

static enum fg_status harvest(struct harvest *h, struct fg_store *store)
{
    struct fg_err *err = h->in->err;
    struct site_ids sites = {0};
    enum fg_status st = fg_store_sites(store, note_site, &sites, err);
    if (!st)
        st = fg_store_pages(store, 0, take_page, h, err);
    for (size_t i = 0; !st && i < sites.at.len; i++)
        st = fg_store_links(store, sites.at.at[i], 0, take_link, h, err);
    if (!st)
        st = fg_store_visits(store, 0, 0, 0, take_visit, h, err);
    fg_vec_clear(&sites.at);
    return st;
}

static enum fg_status take_store(struct import *in, const char *workspace)
{
    struct harvest h = {.in = in};
    struct fg_store *store = NULL;
    enum fg_status st = fg_store_open(
        &store, workspace, &(struct fg_store_options){.read_only = true}, in->err);
    if (!st)
        st = harvest(&h, store);
    if (!st && !fg_linklog_stays(in->log))
        st = fg_fail(in->err, FG_ENOTFOUND, "the crawl in '%s' has seen no link yet",
                     workspace);
    if (store)
        fg_store_close(store, NULL);
    fg_vec_clear(&h.pages);
    fg_map_clear(&h.place);
    return st;
}

/* --- which of them --- */

bool fg_import_is_workspace(const char *path)
{
    struct stat is;
    return stat(path, &is) == 0 && S_ISDIR(is.st_mode) && fg_store_exists(path);
}

enum fg_status fg_import(struct fg_linklog *log, const char *path, const char *columns,
                         struct fg_err *err)
{
    struct import in = {.log = log, .err = err};
    struct stat is;
    bool is_folder =
        strcmp(path, "-") != 0 && stat(path, &is) == 0 && S_ISDIR(is.st_mode);
    enum fg_status st = FG_OK;
    if (!name_columns(&in.columns,
                      fg_str_from(columns ? columns : "source,target,first,last"), ','))
        return fg_fail(err, FG_ECONFIG,
                       "the columns '%s' lack one of source, target, first and last",
                       columns);
    in.columns.separator = '\t'; /* until a file says otherwise by its first row */
    if (is_folder && fg_import_is_workspace(path))
        st = take_store(&in, path);
    else if (is_folder)
        st = take_folder(&in, path);
    else
        st = take_file(&in, path);
    fg_vec_clear(&in.names);
    fg_vec_clear(&in.sights);
    fg_arena_clear(&in.arena);
    return st;
}
