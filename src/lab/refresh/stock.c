#include "lab/refresh/stock.h"

#include "base/memory.h"
#include "base/vec.h"
#include "lab/refresh/history.h"
#include "lab/refresh/offers.h"
#include "lab/refresh/restless.h"
#include "lab/supply.h"
#include "lab/tsv.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { RESTLESS_RUNS = 10 /* as published */ };

/* How to make a timeline. */
struct line {
    enum line_kind { LINE_HISTORY, LINE_OFFERS, LINE_RESTLESS } kind;
    const char *folder;
    struct fg_history_options history;
    struct fg_offers_options offers;
    struct fg_restless_options restless;
};

struct fg_stock {
    struct fg_arena arena;
    const char *data;
    FG_VEC(struct line) lines;
    FG_VEC(struct fg_stock_group) groups;
    FG_VEC(const char *) families;
    FG_VEC(const char *) missing;
};

const struct fg_stock_generator fg_stock_generators[] = {
    {"offers",
     "shop offers with clicks and impressions, calibrated to Han et al. (2020): "
     "151 days, what is told of them, 31 days judged"},
    {"restless", "the restless bandit of Avrachenkov, Borkar and Patil (2021): four "
                 "groups of pages, one visit a slot"},
    {0},
};

struct fg_stock *fg_stock_new(const char *data)
{
    struct fg_stock *stock = fg_zeroed(1, sizeof *stock);
    if (data)
        stock->data = fg_arena_cstr(&stock->arena, fg_str_from(data));
    return stock;
}

void fg_stock_free(struct fg_stock *stock)
{
    if (!stock)
        return;
    fg_vec_clear(&stock->lines);
    fg_vec_clear(&stock->groups);
    fg_vec_clear(&stock->families);
    fg_vec_clear(&stock->missing);
    fg_arena_clear(&stock->arena);
    free(stock);
}

size_t fg_stock_groups(const struct fg_stock *stock)
{
    return stock->groups.len;
}

const struct fg_stock_group *fg_stock_group(const struct fg_stock *stock, size_t i)
{
    return &stock->groups.at[i];
}

size_t fg_stock_families(const struct fg_stock *stock)
{
    return stock->families.len;
}

const char *fg_stock_family(const struct fg_stock *stock, size_t i)
{
    return stock->families.at[i];
}

size_t fg_stock_lines(const struct fg_stock *stock)
{
    return stock->lines.len;
}

const char *fg_stock_missing(const struct fg_stock *stock, size_t nth)
{
    return nth < stock->missing.len ? stock->missing.at[nth] : NULL;
}

/* --- adding --- */

static void add_line(struct fg_stock *stock, struct fg_stock_group *group,
                     const struct line *line)
{
    group->lines = fg_arena_grow(&stock->arena, group->lines, sizeof *group->lines,
                                 group->n, group->n + 1);
    group->lines[group->n++] = stock->lines.len;
    fg_vec_push(&stock->lines, *line);
}

static enum fg_status add_offers(struct fg_stock *stock,
                                 const struct fg_workload *workload, size_t most,
                                 struct fg_err *err)
{
    struct line line = {.kind = LINE_OFFERS, .offers = fg_offers_defaults()};
    size_t runs = workload->runs ? workload->runs : 1;
    if (workload->pages)
        line.offers.pages = workload->pages;
    line.offers.is_own = workload->is_own;
    if (line.offers.pages < FG_OFFERS_LEAST || line.offers.pages > FG_OFFERS_MOST)
        return fg_fail(err, FG_ECONFIG, "'offers' has from %d to %d pages",
                       FG_OFFERS_LEAST, FG_OFFERS_MOST);
    struct fg_stock_group group = {.workload = workload, .family = stock->families.len};
    group.name = workload->name     ? workload->name
                 : workload->is_own ? "offers, own observations"
                                    : "offers";
    for (size_t i = 0; i < runs && (!most || i < most); i++) {
        line.offers.seed = workload->seed + i;
        add_line(stock, &group, &line);
    }
    fg_vec_push(&stock->groups, group);
    fg_vec_push(&stock->families, group.name);
    return FG_OK;
}

static enum fg_status add_restless(struct fg_stock *stock,
                                   const struct fg_workload *workload, size_t most,
                                   struct fg_err *err)
{
    struct line line = {.kind = LINE_RESTLESS};
    size_t setting = workload->setting ? workload->setting : 1;
    size_t runs = workload->runs ? workload->runs : RESTLESS_RUNS;
    if (setting > 2)
        return fg_fail(err, FG_ECONFIG, "'restless' has the settings 1 and 2");
    line.restless.setting = (unsigned)setting;
    line.restless.is_probability = workload->is_probability;
    struct fg_stock_group group = {.workload = workload, .family = stock->families.len};
    group.name = workload->name
                     ? workload->name
                     : fg_arena_printf(&stock->arena, "restless-%zu", setting).at;
    for (size_t i = 0; i < runs && (!most || i < most); i++) {
        line.restless.seed = workload->seed + i;
        add_line(stock, &group, &line);
    }
    fg_vec_push(&stock->groups, group);
    fg_vec_push(&stock->families, group.name);
    return FG_OK;
}

static enum fg_status add_generated(struct fg_stock *stock,
                                    const struct fg_workload *workload, size_t most,
                                    struct fg_err *err)
{
    if (strcmp(workload->from[0], "offers") == 0)
        return add_offers(stock, workload, most, err);
    if (strcmp(workload->from[0], "restless") == 0)
        return add_restless(stock, workload, most, err);
    return fg_fail(err, FG_ECONFIG,
                   "no generator '%s' of pages to refresh; 'forage lab list' shows those "
                   "there are",
                   workload->from[0]);
}

static const char *last_part(const char *folder)
{
    const char *slash = strrchr(folder, '/');
    return slash && slash[1] ? slash + 1 : folder;
}

static void add_history(struct fg_stock *stock, const struct fg_workload *workload,
                        const char *folder, unsigned wish, size_t family)
{
    struct line line = {.kind = LINE_HISTORY, .folder = folder};
    line.history.step = workload->step;
    line.history.seed = workload->seed;
    line.history.weights = wish == FG_WISH_OWN    ? FG_WEIGHTS_OWN
                           : wish == FG_WISH_ZIPF ? FG_WEIGHTS_ZIPF
                                                  : FG_WEIGHTS_EQUAL;
    if (wish == FG_WISH_WEIGHTED)
        line.history.weights =
            fg_history_has_weights(folder) ? FG_WEIGHTS_OWN : FG_WEIGHTS_ZIPF;
    struct fg_stock_group group = {.workload = workload, .family = family};
    group.name = fg_arena_printf(&stock->arena, "%s %s", last_part(folder),
                                 fg_weights_names[line.history.weights])
                     .at;
    add_line(stock, &group, &line);
    fg_vec_push(&stock->groups, group);
}

typedef FG_VEC(const char *) folders_vec;

/* Those of the names that fit, as folders; returns how many. */
static size_t fit(struct fg_stock *stock, folders_vec *folders, const char *pattern,
                  const char **names, size_t n)
{
    size_t before = folders->len;
    for (size_t i = 0; i < n; i++)
        if (fnmatch(pattern, names[i], 0) == 0)
            fg_vec_push_in(
                &stock->arena, folders,
                fg_arena_printf(&stock->arena, "%s/%s", stock->data, names[i]).at);
    return folders->len - before;
}

static void find_folders(struct fg_stock *stock, folders_vec *folders,
                         const struct fg_workload *workload)
{
    const char **histories = NULL, **recordings = NULL;
    size_t n = 0, m = 0;
    if (stock->data) {
        n = fg_histories_in(&histories, &stock->arena, stock->data);
        m = fg_recordings_in(&recordings, &stock->arena, stock->data);
    }
    for (size_t i = 0; i < workload->n_from; i++) {
        const char *pattern = workload->from[i];
        if (strchr(pattern, '/'))
            fg_vec_push_in(&stock->arena, folders, pattern);
        else if (!fit(stock, folders, pattern, histories, n) &&
                 !fit(stock, folders, pattern, recordings, m))
            fg_vec_push(&stock->missing, pattern);
    }
}

static void add_changes(struct fg_stock *stock, const struct fg_workload *workload,
                        size_t most)
{
    static const unsigned equal[] = {FG_WISH_EQUAL};
    static const char *const words[] = {"equal weights", "own weights", "Zipf weights",
                                        "weighted"};
    const unsigned *wishes = workload->n_weights ? workload->weights : equal;
    size_t n = workload->n_weights ? workload->n_weights : 1;
    folders_vec folders = {0};
    find_folders(stock, &folders, workload);
    for (size_t w = 0; folders.len && w < n; w++) {
        const char *name = words[wishes[w]];
        if (workload->name)
            name = fg_arena_printf(&stock->arena, "%s, %s", workload->name, name).at;
        for (size_t i = 0; i < folders.len && (!most || i < most); i++)
            add_history(stock, workload, folders.at[i], wishes[w], stock->families.len);
        fg_vec_push(&stock->families, name);
    }
}

enum fg_status fg_stock_add(struct fg_stock *stock, const struct fg_workload *workload,
                            size_t most, struct fg_err *err)
{
    if (workload->kind == FG_WORK_GENERATE)
        return add_generated(stock, workload, most, err);
    add_changes(stock, workload, most);
    return FG_OK;
}

/* --- taking --- */

enum fg_status fg_stock_take(const struct fg_stock *stock, size_t number,
                             struct fg_timeline **timeline, struct fg_err *err)
{
    const struct line *line = &stock->lines.at[number];
    if (line->kind == LINE_HISTORY)
        return fg_history_load(timeline, line->folder, &line->history, err);
    *timeline = line->kind == LINE_OFFERS ? fg_offers_make(&line->offers, NULL)
                                          : fg_restless_make(&line->restless);
    return FG_OK;
}

/* --- stamps and names --- */

static uint64_t mix(uint64_t hash, const void *bytes, size_t n)
{
    uint64_t both[2] = {hash, fg_str_hash((struct fg_str){bytes, n})};
    return fg_str_hash((struct fg_str){(const char *)both, sizeof both});
}

static uint64_t mix_files(uint64_t hash, const char *folder)
{
    static const char *const names[] = {
        "pages.tsv",     "pages.tsv.gz",     "changes.tsv",   "changes.tsv.gz",
        "intervals.tsv", "intervals.tsv.gz", "snapshots.tsv", "snapshots.tsv.gz"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[4096];
        struct stat is;
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        if (stat(path, &is) != 0)
            continue;
        int64_t facts[] = {(int64_t)i, is.st_size, is.st_mtim.tv_sec, is.st_mtim.tv_nsec};
        hash = mix(hash, facts, sizeof facts);
    }
    return hash;
}

uint64_t fg_stock_stamp(const struct fg_stock *stock)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < stock->lines.len; i++) {
        const struct line *line = &stock->lines.at[i];
        uint64_t facts[] = {line->kind,
                            line->history.weights,
                            line->history.seed,
                            (uint64_t)line->history.step,
                            line->offers.pages,
                            line->offers.seed,
                            line->offers.is_own,
                            line->restless.setting,
                            line->restless.is_probability,
                            line->restless.seed};
        hash = mix(hash, facts, sizeof facts);
        if (line->folder) {
            hash = mix(hash, line->folder, strlen(line->folder));
            hash = mix_files(hash, line->folder);
        }
    }
    return hash;
}

size_t fg_histories_in(const char ***names, struct fg_arena *arena, const char *folder)
{
    return fg_folders_in(names, arena, folder, fg_history_is_in);
}

bool fg_stock_named(struct fg_workload *workload, struct fg_arena *arena,
                    const char *word, const char *data)
{
    *workload =
        (struct fg_workload){.kind = FG_WORK_CHANGES, .seed = 1, .runs = 1, .n_from = 1};
    workload->from = FG_NEW(arena, const char *, 1);
    workload->from[0] = word;
    for (size_t i = 0; fg_stock_generators[i].name; i++)
        if (strcmp(word, fg_stock_generators[i].name) == 0) {
            workload->kind = FG_WORK_GENERATE;
            return true;
        }
    if (fg_history_is_in(word)) {
        workload->from[0] = fg_arena_printf(arena, "./%s", word).at;
        if (word[0] == '/')
            workload->from[0] = word;
        return true;
    }
    return data && fg_history_is_in(fg_arena_printf(arena, "%s/%s", data, word).at);
}
