/* cmd_lab_stats.c - forage lab stats: a workload in figures */
#include "cli/lab/labs.h"
#include "lab/interval.h"
#include "lab/refresh/portrait.h"
#include "lab/refresh/timelines.h"
#include "lab/sites.h"
#include "lab/stats.h"

#include <math.h>
#include <stdio.h>

enum { LABEL = 38, COLUMN = 15, COLUMNS = 4 };
enum { FIGURES = 40 };
_Static_assert((int)FG_STATS <= FIGURES && (int)FG_PORTRAIT <= FIGURES, "room for all");

struct options {
    bool json;
    int64_t sites;
};

static const struct fg_opt options[] = {
    {"json", FG_BOOL(struct options, json), .letter = 'j', .help = "as JSON"},
    {"sites", FG_INT(struct options, sites), "8", .letter = 'n', .max = 100000,
     .help = "look at so many sites; 0: all"},
    {0},
};

/* The sites in figures, and last the mean of those that a generator made; or timelines.
 */
struct portrait {
    const char *name;
    double figure[FIGURES];
    uint64_t jaccard[FG_JACCARD_BINS]; /* of sites */
};
struct portraits {
    FG_VEC(struct portrait) at;
    bool has_mean, is_refresh;
    const struct fg_stat_info *infos;
    size_t n_infos;
};

static void add_mean(struct fg_cli *cli, struct portraits *all)
{
    struct portrait mean = {.name = "mean"};
    for (size_t i = 0; i < all->n_infos; i++) {
        struct fg_mean of = {0};
        for (size_t s = 0; s < all->at.len; s++)
            fg_mean_add(&of, all->at.at[s].figure[i]);
        mean.figure[i] = fg_mean_of(&of);
    }
    fg_vec_push_in(cli->arena, &all->at, mean);
    all->has_mean = true;
}

static void look_at_site(struct fg_cli *cli, struct portrait *portrait, void *site)
{
    (void)cli;
    struct fg_site_stats stats = fg_site_stats(site);
    memcpy(portrait->figure, stats.at, sizeof stats.at);
    memcpy(portrait->jaccard, stats.jaccard, sizeof stats.jaccard);
    fg_site_free(site);
}

static void look_at_timeline(struct fg_cli *cli, struct portrait *portrait, void *made)
{
    struct fg_timeline *timeline = made;
    struct fg_portrait figures = fg_portrait_of(timeline);
    memcpy(portrait->figure, figures.at, sizeof figures.at);
    portrait->name = fg_arena_cstr(cli->arena, fg_str_from(timeline->name));
    fg_timeline_free(timeline);
}

/* Every item of the workload, one at a time. */
static enum fg_status look(struct fg_cli *cli, struct portraits *all,
                           const struct fg_workload *workload, size_t most,
                           struct fg_err *err)
{
    struct fg_supply supply;
    fg_supply_init(&supply, fg_lab_data());
    enum fg_status st = all->is_refresh ? fg_timelines_add(&supply, workload, most, err)
                                        : fg_sites_add(&supply, workload, most, err);
    for (size_t i = 0; !st && i < supply.items.len; i++) {
        struct portrait portrait = {
            .name = fg_arena_cstr(cli->arena, fg_str_from(supply.items.at[i].name))};
        void *made;
        st = fg_supply_take(&supply, i, &made, err);
        if (st)
            break;
        (all->is_refresh ? look_at_timeline : look_at_site)(cli, &portrait, made);
        fg_vec_push_in(cli->arena, &all->at, portrait);
    }
    fg_supply_clear(&supply);
    return st;
}

static void print_value(struct fg_out *out, const struct fg_stat_info *info, double value)
{
    char text[64] = "-";
    if (!isnan(value))
        snprintf(text, sizeof text, "%.*f", info->digits, value * info->scale);
    fg_out_printf(out, "%*s", COLUMN, text);
}

static void print_block(struct fg_out *out, const struct portraits *all, size_t first,
                        size_t end)
{
    fg_out_printf(out, "%*s", LABEL, "");
    for (size_t s = first; s < end; s++) {
        struct fg_str name = fg_str_sub(fg_str_from(all->at.at[s].name), 0, COLUMN - 1);
        fg_out_pad(out, name.len, COLUMN);
        fg_out_text(out, name);
    }
    fg_out_puts(out, "\n");
    for (size_t i = 0; i < all->n_infos; i++) {
        const struct fg_stat_info *info = &all->infos[i];
        struct fg_buf label;
        fg_buf_init(&label, 256);
        fg_buf_printf(&label, "%s%s%s", info->label, *info->unit ? ", " : "", info->unit);
        fg_out_text(out, fg_buf_str(&label));
        fg_out_pad(out, label.len, LABEL);
        fg_buf_clear(&label);
        for (size_t s = first; s < end; s++)
            print_value(out, info, all->at.at[s].figure[i]);
        fg_out_puts(out, "\n");
    }
}

static void json_figures(struct fg_json *json, const struct portraits *all, size_t n)
{
    for (size_t i = 0; i < all->n_infos; i++) {
        fg_json_pair_double(json, all->infos[i].name, all->at.at[n].figure[i]);
    }
}

static void json_site(struct fg_json *json, const struct portraits *all, size_t n)
{
    fg_json_object(json);
    fg_json_pair_cstr(json, "name", all->at.at[n].name);
    json_figures(json, all, n);
    if (!all->is_refresh) {
        fg_json_key(json, "jaccard");
        fg_json_array(json);
        for (size_t i = 0; i < FG_JACCARD_BINS; i++)
            fg_json_uint(json, all->at.at[n].jaccard[i]);
        fg_json_end(json);
    }
    fg_json_end(json);
}

static void print_json(struct fg_cli *cli, const struct portraits *all)
{
    size_t sites = all->at.len - all->has_mean;
    struct fg_json json = fg_json_to(&cli->out.buf);
    fg_json_object(&json);
    fg_json_pair_cstr(&json, "workload", cli->words[0]);
    fg_json_key(&json, all->is_refresh ? "timelines" : "sites");
    fg_json_array(&json);
    for (size_t s = 0; s < sites; s++)
        json_site(&json, all, s);
    fg_json_end(&json);
    if (all->has_mean) {
        fg_json_key(&json, "mean");
        fg_json_object(&json);
        json_figures(&json, all, sites);
        fg_json_end(&json);
    }
    fg_json_end(&json);
    fg_out_puts(&cli->out, "\n");
}

static void print_text(struct fg_cli *cli, const struct portraits *all)
{
    for (size_t first = 0; first < all->at.len; first += COLUMNS) {
        size_t end = first + COLUMNS < all->at.len ? first + COLUMNS : all->at.len;
        fg_out_puts(&cli->out, first ? "\n" : "");
        print_block(&cli->out, all, first, end);
    }
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    const char *data = fg_lab_data();
    struct fg_workload workload;
    struct portraits all = {.infos = fg_stat_info, .n_infos = FG_STATS};
    enum fg_status st = FG_OK;
    all.is_refresh = fg_timelines_named(&workload, cli->arena, cli->words[0], data);
    if (all.is_refresh) {
        all.infos = fg_portrait_info;
        all.n_infos = FG_PORTRAIT;
    } else {
        st = fg_workload_named(&workload, cli->arena, cli->words[0], data, err);
    }
    if (!st)
        st = look(cli, &all, &workload, all.is_refresh ? 0 : (size_t)o->sites, err);
    /* A recording's whole would count twice in a mean. */
    if (!st && !all.is_refresh && workload.kind == FG_WORK_GENERATE && all.at.len > 1)
        add_mean(cli, &all);
    if (!st && o->json)
        print_json(cli, &all);
    else if (!st)
        print_text(cli, &all);
    return st;
}

static const struct fg_example examples[] = {
    {"forage lab stats reports --sites 2", "what a generator makes"},
    {"forage lab import links.tsv -o mine && forage lab stats mine --json",
     "a log of one's own, for a script"},
    {"forage lab stats restless", "pages to refresh"},
    {"forage lab stats .", "what the crawl of this workspace has seen"},
    {0},
};

const struct fg_command fg_cmd_lab_stats = {
    .name = "lab stats",
    .words = "WORKLOAD",
    .summary = "describe the sites of a workload in figures",
    .about = "WORKLOAD is a generator, a recording in the folder that FORAGE_DATA names, "
             "a folder with a recording, or a workspace with a crawl. Each site is a "
             "column: how many pages and links, how many are new and when, how long they "
             "stay, and how much the pages have in common. The whole of a recording "
             "comes last of its sites. Of pages to refresh, generated or a history, it "
             "says how often and how regularly they change.",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .options_size = sizeof(struct options),
    .examples = examples,
    .run = run,
};
