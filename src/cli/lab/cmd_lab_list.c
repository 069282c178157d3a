/* cmd_lab_list.c - forage lab list: what there is to experiment with */
#include "base/file.h"
#include "base/plain.h"
#include "cli/lab/labs.h"
#include "cli/lab/papers.h"
#include "lab/generate/generate.h"
#include "lab/quality/searched.h"
#include "lab/refresh/timelines.h"
#include "lab/sites.h"
#include "policy/policy.h"

struct row {
    const char *name, *text; /* the text may be NULL */
};

struct rows {
    FG_VEC(struct row) at;
};

/* What it is, and which text it belongs to, for who looks for that by its authors. */
static const char *title_of(struct fg_cli *cli, const struct fg_experiment *experiment)
{
    if (!experiment->paper)
        return experiment->title;
    return fg_arena_printf(cli->arena, "%s (%s)", experiment->title, experiment->paper)
        .at;
}

/* A file that is broken is listed with what is wrong with it. */
static void add_experiment(struct fg_cli *cli, struct rows *rows, const char *name,
                           const char *path)
{
    struct fg_experiment experiment;
    struct fg_str text;
    struct fg_err err = {0};
    enum fg_status st = fg_file_read(&text, cli->arena, path, FG_YAML_MAX, &err);
    if (!st)
        st = fg_experiment_read(&experiment, cli->arena, text, name, &err);
    const char *told = st ? fg_arena_printf(cli->arena, "(%s)", err.text).at
                          : title_of(cli, &experiment);
    fg_vec_push_in(cli->arena, &rows->at, (struct row){name, told});
}

static struct rows list_experiments(struct fg_cli *cli)
{
    struct rows rows = {0};
    const struct fg_lab_file *file = fg_lab_experiments(cli);
    for (; file->name; file++)
        add_experiment(cli, &rows, file->name, file->path);
    struct fg_str papers = FG_STR("All experiments of the papers");
    for (size_t i = 0; fg_paper_experiments[i].name; i++)
        papers = fg_arena_printf(cli->arena, "%.*s%s %s", FG_ARG(papers), i ? "," : ":",
                                 fg_paper_experiments[i].name);
    fg_vec_push_in(cli->arena, &rows.at, (struct row){FG_PAPERS, papers.at});
    return rows;
}

static struct rows list_generators(struct fg_cli *cli)
{
    struct rows rows = {0};
    for (size_t i = 0; fg_generator_names[i]; i++)
        fg_vec_push_in(cli->arena, &rows.at,
                       (struct row){fg_generator_names[i],
                                    fg_generator_summary(fg_generator_names[i])});
    for (size_t i = 0; fg_timeline_generators[i].name; i++)
        fg_vec_push_in(cli->arena, &rows.at,
                       (struct row){fg_timeline_generators[i].name,
                                    fg_timeline_generators[i].summary});
    for (size_t i = 0; fg_searched_generators[i].name; i++)
        fg_vec_push_in(cli->arena, &rows.at,
                       (struct row){fg_searched_generators[i].name,
                                    fg_searched_generators[i].summary});
    return rows;
}

typedef size_t names_in(const char ***names, struct fg_arena *arena, const char *folder);

static struct rows list_data(struct fg_cli *cli, names_in *find)
{
    struct rows rows = {0};
    const char *data = fg_lab_data(), **names;
    size_t n = data ? find(&names, cli->arena, data) : 0;
    for (size_t i = 0; i < n; i++)
        fg_vec_push_in(
            cli->arena, &rows.at,
            (struct row){names[i],
                         fg_arena_printf(cli->arena, "%s/%s", data, names[i]).at});
    return rows;
}

static struct rows list_policies(struct fg_cli *cli, enum fg_task task)
{
    struct rows rows = {0};
    for (size_t i = 0; fg_policies[i]; i++)
        if (fg_policies[i]->tasks & task)
            fg_vec_push_in(cli->arena, &rows.at,
                           (struct row){fg_policies[i]->name, fg_policies[i]->summary});
    return rows;
}

struct section {
    const char *heading, *none; /* what to say if there is nothing */
    const char *key, *text_key; /* in JSON */
    struct rows rows;
};

static void print_section(struct fg_cli *cli, const struct section *section)
{
    enum { COLUMN = 24 };
    fg_out_bold(&cli->out, section->heading);
    fg_out_puts(&cli->out, "\n");
    if (!section->rows.at.len) {
        fg_out_puts(&cli->out, "  ");
        fg_out_wrap(&cli->out, section->none, 2, 2);
    }
    for (size_t i = 0; i < section->rows.at.len; i++) {
        const struct row *row = &section->rows.at.at[i];
        fg_out_puts(&cli->out, "  ");
        fg_out_text(&cli->out, fg_str_from(row->name));
        fg_out_pad(&cli->out, 2 + strlen(row->name), COLUMN);
        struct fg_buf text;
        fg_buf_init(&text, 1 << 12);
        fg_plain_add(&text, fg_str_from(row->text));
        fg_buf_add_char(&text, '\0');
        fg_out_wrap(&cli->out, text.at, COLUMN, COLUMN);
        fg_buf_clear(&text);
    }
}

static void json_section(struct fg_json *json, const struct section *section)
{
    fg_json_key(json, section->key);
    fg_json_array(json);
    for (size_t i = 0; i < section->rows.at.len; i++) {
        fg_json_object(json);
        fg_json_pair_cstr(json, "name", section->rows.at.at[i].name);
        fg_json_pair_cstr(json, section->text_key, section->rows.at.at[i].text);
        fg_json_end(json);
    }
    fg_json_end(json);
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    (void)err;
    const struct fg_json_flag *o = cli->options;
    const struct section sections[] = {
        {"Experiments", "none in ./experiments", "experiments", "title",
         list_experiments(cli)},
        {"Generators", "none", "generators", "summary", list_generators(cli)},
        {"Recordings", "none; FORAGE_DATA names a folder of recordings", "recordings",
         "folder", list_data(cli, fg_recordings_in)},
        {"Histories", "none; FORAGE_DATA names a folder of change histories", "histories",
         "folder", list_data(cli, fg_histories_in)},
        {"Versions", "none; FORAGE_DATA names a folder of sets of versions", "versions",
         "folder", list_data(cli, fg_versions_in)},
        {"Policies", "none", "policies", "summary", list_policies(cli, FG_DISCOVERY)},
        {"Policies to refresh", "none", "refresh_policies", "summary",
         list_policies(cli, FG_REFRESH)},
    };
    enum { SECTIONS = sizeof sections / sizeof *sections };
    struct fg_json json = fg_json_to(&cli->out.buf);
    if (o->json)
        fg_json_object(&json);
    for (size_t i = 0; i < SECTIONS; i++)
        if (o->json)
            json_section(&json, &sections[i]);
        else
            print_section(cli, &sections[i]);
    if (o->json) {
        fg_json_end(&json);
        fg_out_puts(&cli->out, "\n");
    }
    return FG_OK;
}

static const struct fg_example examples[] = {
    {"forage lab list", "what there is"},
    {"forage lab list --json", "for a script"},
    {0},
};

const struct fg_command fg_cmd_lab_list = {
    .name = "lab list",
    .words = "",
    .summary = "experiments, generators, recordings and policies there are",
    .about = "Experiments are looked for in ./experiments and where the program was "
             "installed; recordings and change histories in the folder that FORAGE_DATA "
             "names.",
    .options = fg_json_flag,
    .options_size = sizeof(struct fg_json_flag),
    .examples = examples,
    .run = run,
};
