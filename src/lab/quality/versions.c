#include "lab/quality/versions.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/vec.h"
#include "lab/tsv.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { PAGES_MOST = 10000000, TERMS_MOST = 100000000, WEEKS_MOST = 100000 };

struct reader {
    struct fg_versions *into;
    struct fg_arena arena;
    struct fg_names sites;
    FG_VEC(uint32_t) site;
    FG_VEC(uint32_t) inlinks;
    FG_VEC(uint32_t) with_term;
    FG_VEC(struct fg_version) version;
    FG_VEC(struct fg_word_count) counts;
    uint32_t page; /* whose versions are read */
};

static bool take_u32(struct fg_str *row, char end, uint32_t *into)
{
    struct fg_str field;
    uint64_t number;
    if (!fg_str_cut(row, end, &field) || !fg_str_to_u64(field, &number) ||
        number > UINT32_MAX)
        return false;
    *into = (uint32_t)number;
    return true;
}

/* --- pages and terms --- */

static enum fg_status take_page(struct reader *r, struct fg_tsv *tsv, struct fg_str row,
                                struct fg_err *err)
{
    uint32_t page, inlinks;
    struct fg_str site;
    if (!take_u32(&row, '\t', &page) || page != r->site.len || page >= PAGES_MOST ||
        !fg_str_cut(&row, '\t', &site) || !take_u32(&row, '\t', &inlinks))
        return fg_tsv_bad(tsv,
                          "page (the number of the line, from 0), site, inlinks, number "
                          "of versions and name, with tabs between",
                          err);
    uint64_t *number = fg_names_put(&r->sites, site);
    if (!*number)
        *number = ++r->into->sites;
    fg_vec_push(&r->site, (uint32_t)*number - 1);
    fg_vec_push(&r->inlinks, inlinks);
    return FG_OK;
}

static enum fg_status take_term(struct reader *r, struct fg_tsv *tsv, struct fg_str row,
                                struct fg_err *err)
{
    struct fg_str term;
    uint32_t with;
    if (!fg_str_cut(&row, '\t', &term) || !take_u32(&row, '\t', &with) ||
        r->with_term.len >= TERMS_MOST)
        return fg_tsv_bad(tsv, "a term, a tab and how many pages have it", err);
    fg_vec_push(&r->with_term, with);
    return FG_OK;
}

/* --- versions --- */

static bool take_change(struct reader *r, struct fg_str change, int64_t *term)
{
    struct fg_str gap = {0};
    uint64_t step, count = 1;
    fg_str_cut(&change, ':', &gap);
    if (!fg_str_to_u64(gap, &step) || !step || step > r->with_term.len)
        return false;
    if (change.len && (!fg_str_to_u64(change, &count) || count > UINT32_MAX))
        return false;
    *term += (int64_t)step;
    if (*term >= (int64_t)r->with_term.len)
        return false;
    fg_vec_push(&r->counts, (struct fg_word_count){(uint32_t)*term, (uint32_t)count});
    return true;
}

/* A new page begins, or the one at hand goes on. */
static bool take_place(struct reader *r, uint32_t page, uint32_t week)
{
    size_t *first = r->into->first;
    size_t n = r->version.len;
    if (page == r->page && n > first[page])
        return week > r->version.at[n - 1].week;
    bool is_next = page == r->page + (n > 0) && page < r->site.len && week == 0;
    if (is_next) {
        r->page = page;
        first[page] = n;
    }
    return is_next;
}

static enum fg_status take_version(struct reader *r, struct fg_tsv *tsv,
                                   struct fg_str row, struct fg_err *err)
{
    struct fg_version version = {.first = r->counts.len};
    struct fg_str changes, change;
    uint32_t page;
    if (!take_u32(&row, '\t', &page) || !take_u32(&row, '\t', &version.week) ||
        !take_u32(&row, '\t', &version.words) || version.week >= WEEKS_MOST ||
        !take_place(r, page, version.week))
        return fg_tsv_bad(tsv,
                          "page, week, words and changes, with tabs between; by page as "
                          "in pages.tsv, then week, from week 0 on",
                          err);
    fg_str_cut(&row, '\t', &changes);
    int64_t term = -1;
    while (fg_str_cut(&changes, ' ', &change))
        if (change.len && !take_change(r, change, &term))
            return fg_tsv_bad(tsv, "changes as gap or gap:count, of known terms", err);
    fg_vec_push(&r->version, version);
    if (version.week >= r->into->weeks)
        r->into->weeks = version.week + 1;
    return FG_OK;
}

typedef enum fg_status take_row(struct reader *, struct fg_tsv *, struct fg_str,
                                struct fg_err *);

static enum fg_status read_table(struct reader *r, const char *folder, const char *name,
                                 take_row *take, struct fg_err *err)
{
    struct fg_tsv tsv;
    struct fg_str row;
    enum fg_status st =
        fg_tsv_open(&tsv, fg_arena_printf(&r->arena, "%s/%s", folder, name).at, err);
    while (!st && fg_tsv_next(&tsv, &row, &st, err))
        st = take(r, &tsv, row, err);
    fg_tsv_close(&tsv);
    return st;
}

static enum fg_status read_sketches(struct reader *r, const char *folder,
                                    struct fg_err *err)
{
    const char *path = fg_arena_printf(&r->arena, "%s/sketches.bin.gz", folder).at;
    gzFile file = gzopen(path, "rb");
    if (!file)
        return fg_fail(err, FG_EIO, "cannot open '%s'", path);
    size_t n = 0;
    while (n < r->version.len &&
           gzread(file, r->version.at[n].sketch, FG_VERSION_SKETCH) == FG_VERSION_SKETCH)
        n++;
    bool is_all = n == r->version.len && gzgetc(file) < 0;
    gzclose(file);
    return is_all ? FG_OK
                  : fg_fail(err, FG_EINPUT,
                            "'%s' has not %d bytes for each row of versions.tsv", path,
                            FG_VERSION_SKETCH);
}

/* --- queries --- */

static enum fg_status read_log(struct reader *r, const char *folder, const char *name,
                               struct fg_err *err)
{
    struct fg_query_log *log = &r->into->logs[r->into->n_logs++];
    FG_VEC(double) frequency = {0};
    FG_VEC(size_t) at = {0};
    FG_VEC(uint32_t) terms = {0};
    struct fg_tsv tsv;
    struct fg_str row, field;
    snprintf(log->name, sizeof log->name, "%s", name);
    enum fg_status st = fg_tsv_open(
        &tsv, fg_arena_printf(&r->arena, "%s/queries_%s.tsv", folder, name).at, err);
    while (!st && fg_tsv_next(&tsv, &row, &st, err)) {
        double weight = -1;
        bool is_good = fg_str_cut(&row, '\t', &field) && fg_str_to_double(field, &weight);
        fg_vec_push(&frequency, weight);
        fg_vec_push(&at, terms.len);
        fg_str_cut(&row, '\t', &field);
        for (uint32_t term; is_good && field.len;) {
            is_good = take_u32(&field, ' ', &term) && term < r->with_term.len;
            fg_vec_push(&terms, is_good ? term : 0);
        }
        if (!is_good || !(weight >= 0) || terms.len == at.at[at.len - 1])
            st = fg_tsv_bad(&tsv, "a frequency, a tab and numbers of terms", err);
    }
    fg_vec_push(&at, terms.len);
    fg_tsv_close(&tsv);
    *log = (struct fg_query_log){
        .n = frequency.len, .frequency = frequency.at, .at = at.at, .terms = terms.at};
    snprintf(log->name, sizeof log->name, "%s", name);
    return st;
}

/* The NAMEs of queries_NAME.tsv, as long as there is room for them. */
static enum fg_status read_logs(struct reader *r, const char *folder, struct fg_err *err)
{
    static const char head[] = "queries_";
    struct dirent **entries = NULL;
    int n = scandir(folder, &entries, NULL, alphasort);
    enum fg_status st = FG_OK;
    for (int i = 0; i < n; i++) {
        const char *name = entries[i]->d_name, *end = strstr(name, ".tsv");
        size_t head_bytes = sizeof head - 1;
        if (!st && end && strncmp(name, head, head_bytes) == 0 &&
            r->into->n_logs < FG_QUERY_LOGS) {
            struct fg_str middle = {name + head_bytes, (size_t)(end - name) - head_bytes};
            st = read_log(r, folder, fg_arena_cstr(&r->arena, middle), err);
        }
        free(entries[i]);
    }
    free(entries);
    return st;
}

/* --- the whole --- */

static enum fg_status read_all(struct reader *r, const char *folder, struct fg_err *err)
{
    enum fg_status st = read_table(r, folder, "pages.tsv", take_page, err);
    if (!st && !r->site.len)
        st = fg_fail(err, FG_EINPUT, "'%s/pages.tsv' names no page", folder);
    if (!st)
        st = read_table(r, folder, "terms.tsv", take_term, err);
    r->into->first = fg_zeroed(r->site.len + 1, sizeof *r->into->first);
    if (!st)
        st = read_table(r, folder, "versions.tsv", take_version, err);
    if (!st && (!r->version.len || r->page + 1 != r->site.len))
        st = fg_fail(err, FG_EINPUT, "'%s/versions.tsv' ends before the last page",
                     folder);
    if (!st)
        st = read_sketches(r, folder, err);
    if (!st)
        st = read_logs(r, folder, err);
    return st;
}

enum fg_status fg_versions_load(struct fg_versions **versions, const char *folder,
                                struct fg_err *err)
{
    struct fg_versions *v = fg_zeroed(1, sizeof *v);
    struct reader r = {.into = v};
    r.sites.arena = &r.arena;
    enum fg_status st = read_all(&r, folder, err);
    v->pages = r.site.len;
    v->terms = r.with_term.len;
    v->site = r.site.at;
    v->inlinks = r.inlinks.at;
    v->with_term = r.with_term.at;
    v->version = r.version.at;
    v->n_versions = r.version.len;
    v->counts = r.counts.at;
    v->n_counts = r.counts.len;
    if (v->first)
        v->first[v->pages] = v->n_versions;
    fg_arena_clear(&r.arena);
    if (st) {
        fg_versions_free(v);
        v = NULL;
    }
    *versions = v;
    return st;
}

void fg_versions_free(struct fg_versions *versions)
{
    if (!versions)
        return;
    free(versions->site);
    free(versions->inlinks);
    free(versions->first);
    free(versions->version);
    free(versions->counts);
    free(versions->with_term);
    for (size_t i = 0; i < versions->n_logs; i++) {
        free(versions->logs[i].frequency);
        free(versions->logs[i].at);
        free(versions->logs[i].terms);
    }
    free(versions);
}

const struct fg_query_log *fg_versions_log(const struct fg_versions *versions,
                                           const char *name)
{
    for (size_t i = 0; i < versions->n_logs; i++)
        if (strcmp(versions->logs[i].name, name) == 0)
            return &versions->logs[i];
    return NULL;
}

bool fg_versions_is_in(const char *folder)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/versions.tsv", folder);
    return fg_tsv_exists(path);
}

double fg_sketch_distance(const uint8_t *a, const uint8_t *b)
{
    size_t same = 0;
    for (size_t i = 0; i < FG_VERSION_SKETCH; i++)
        same += a[i] == b[i];
    double chance = 1.0 / 256, alike = (double)same / FG_VERSION_SKETCH;
    return fmin(fmax(1 - (alike - chance) / (1 - chance), 0), 1);
}
