/* cmd_init.c - forage init: a folder for a crawl, with the settings people change first
 *
 * The file is made from the table of settings, so its defaults and its words are always
 * those of this version. A setting given as a flag is written out. */
#include "base/file.h"
#include "cli/cli.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct options {
    bool json, user;
};

static const struct fg_opt options[] = {
    {"user", FG_BOOL(struct options, user),
     .help = "the user's own, for use where the current folder is not a workspace"},
    {"json", FG_BOOL(struct options, json), .letter = 'j', .help = "as JSON"},
    {0},
};

static const char *const first_settings[] = {
    "operator.contact",       "operator.name", "operator.token",
    "crawl.budget",           "crawl.tick",    "fetch.delay",
    "crawl.fetch-discovered", "crawl.exclude", "policy.discovery",
    "store.bodies",           "output.file",
};

static void add_wrapped(struct fg_buf *out, struct fg_str text)
{
    enum { COLUMNS = 80 };
    size_t column = 1;
    struct fg_str word;
    fg_buf_add_char(out, '#');
    while (fg_str_cut(&text, ' ', &word)) {
        if (column + 1 + word.len > COLUMNS) {
            fg_buf_add(out, FG_STR("\n#"));
            column = 1;
        }
        fg_buf_printf(out, " %.*s", FG_ARG(word));
        column += 1 + word.len;
    }
    fg_buf_add_char(out, '\n');
}

/* Bare where YAML reads it as we mean it, else in quotes. */
static void add_value(struct fg_buf *out, const struct fg_opt *opt, struct fg_str value)
{
    bool is_text = opt->type == FG_OPT_STRING || opt->type == FG_OPT_LIST;
    if (!is_text) {
        fg_buf_add(out, value);
        return;
    }
    struct fg_json json = fg_json_to(out);
    if (opt->type == FG_OPT_STRING) {
        fg_json_str(&json, value);
        return;
    }
    struct fg_str entry;
    fg_json_array(&json);
    while (value.len && fg_str_cut(&value, ',', &entry))
        fg_json_str(&json, entry);
    fg_json_end(&json);
}

static void add_setting(struct fg_buf *out, struct fg_cli *cli, const char *key)
{
    const struct fg_setting *setting = fg_opts_find(&cli->opts, fg_str_from(key));
    bool is_set = setting->origin.layer == FG_LAYER_FLAG;
    struct fg_str value = fg_setting_text(cli->arena, setting);
    if (!is_set)
        value = fg_str_from(setting->opt->preset ? setting->opt->preset : "");
    add_wrapped(out, fg_str_from(setting->opt->help));
    fg_buf_printf(out, "%s%s: ", is_set ? "" : "#", key);
    add_value(out, setting->opt, value);
    fg_buf_add(out, FG_STR("\n\n"));
}

static bool is_first(const char *key)
{
    for (size_t i = 0; i < sizeof first_settings / sizeof *first_settings; i++)
        if (strcmp(first_settings[i], key) == 0)
            return true;
    return false;
}

static struct fg_str make_file(struct fg_cli *cli)
{
    struct fg_buf text;
    fg_buf_init(&text, 1 << 20);
    fg_buf_add(&text,
               FG_STR("# The settings of this crawl. Lines that start with \"#\" are "
                      "defaults; take the\n# \"#\" away to change one. 'forage help "
                      "settings' lists all there are, 'forage\n# config check' checks "
                      "this file, 'forage config show' tells what is in force.\n\n"));
    for (size_t i = 0; i < sizeof first_settings / sizeof *first_settings; i++)
        add_setting(&text, cli, first_settings[i]);
    for (size_t i = 0; i < cli->opts.rows.len; i++) {
        const struct fg_setting *row = &cli->opts.rows.at[i];
        bool is_ours = !row->opt->not_in_files && !is_first(row->opt->name) &&
                       strcmp(row->opt->name, "workspace") != 0;
        if (is_ours && row->origin.layer == FG_LAYER_FLAG)
            add_setting(&text, cli, row->opt->name);
    }
    text.len--; /* no empty line at the end */
    struct fg_str made = fg_arena_dup(cli->arena, fg_buf_str(&text));
    fg_buf_clear(&text);
    return made;
}

/* With the folders above it, as mkdir -p does. */
static enum fg_status make_folder(struct fg_arena *arena, const char *path,
                                  struct fg_err *err)
{
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/'))
        mkdir(fg_arena_cstr(arena, fg_str_range(path, slash)), 0777);
    struct stat info;
    if (mkdir(path, 0777) == 0 || (stat(path, &info) == 0 && S_ISDIR(info.st_mode)))
        return FG_OK;
    return fg_fail(err, FG_EIO, "cannot make the folder '%s': %s", path, strerror(errno));
}

static void tell(struct fg_cli *cli, const char *folder, const char *file)
{
    const struct options *o = cli->options;
    struct fg_out *out = &cli->out;
    bool is_here = o->user || strcmp(folder, ".") == 0;
    const struct fg_crawl_options *crawl = &cli->settings.crawl;
    bool has_operator = crawl->who.name.len || crawl->who.contact.len;
    if (o->json) {
        struct fg_json json = fg_json_to(&out->buf);
        fg_json_object(&json);
        fg_json_pair_cstr(&json, "workspace", folder);
        fg_json_pair_cstr(&json, "file", file);
        fg_json_pair_bool(&json, "has_operator", has_operator);
        fg_json_end(&json);
        fg_out_puts(out, "\n");
        return;
    }
    if (cli->common.quiet)
        return;
    fg_out_printf(out, "made %s\n\nNext:\n", file);
    if (!has_operator)
        fg_out_printf(out, "  set operator.contact in it: who answers for the crawl\n");
    if (!is_here)
        fg_out_printf(out, "  cd %s\n", folder);
    fg_out_puts(out, "  forage add https://example.org/    what to watch\n"
                     "  forage run                         watch it\n"
                     "  forage new                         what was found\n");
}

/* Settings and state of the user's own workspace lie apart, as the XDG specification has
 * it. */
static enum fg_status choose_user_places(struct fg_cli *cli, const char **folder,
                                         const char **file, struct fg_err *err)
{
    struct fg_str state = fg_user_state(cli->arena), config = fg_user_config(cli->arena);
    if (cli->n_words)
        return fg_fail(err, FG_ECONFIG, "--user has a folder of its own: leave out '%s'",
                       cli->words[0]);
    if (!state.len || !config.len)
        return fg_fail(err, FG_ECONFIG, "HOME is not set, so there is no place for it");
    *folder = state.at;
    *file = config.at;
    struct fg_str above = fg_str_sub(config, 0, config.len - strlen("/forage.yaml"));
    return make_folder(cli->arena, fg_arena_cstr(cli->arena, above), err);
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    const char *here =
        cli->settings.workspace_is_found ? "." : cli->settings.workspace.at;
    const char *folder = cli->n_words ? cli->words[0] : here;
    if (!*folder)
        return fg_fail(err, FG_ECONFIG, "the name of the folder is empty");
    const char *file = fg_arena_printf(cli->arena, "%s/forage.yaml", folder).at;
    enum fg_status st = o->user ? choose_user_places(cli, &folder, &file, err) : FG_OK;
    if (!st && access(file, F_OK) == 0)
        st = fg_fail(err, FG_EIO, "'%s' is there already; nothing was changed", file);
    if (!st)
        st = make_folder(cli->arena, folder, err);
    if (!st)
        st = fg_file_replace(file, make_file(cli), err);
    if (!st)
        tell(cli, folder, file);
    return st;
}

static const struct fg_example examples[] = {
    {"forage init news", "a folder 'news' with its forage.yaml"},
    {"forage init prices --operator-contact you@example.org --crawl-budget 300",
     "the same with two settings made"},
    {"forage init --user", "one for this user, wherever forage is called"},
    {0},
};

const struct fg_command fg_cmd_init = {
    .name = "init",
    .words = "[DIR]",
    .summary = "make a workspace: a folder with a commented forage.yaml",
    .about =
        "Makes the folder, if it is not there, and in it a forage.yaml with the "
        "settings that people change first, each with its default and what it "
        "does. Settings given as flags are written into it. A forage.yaml that is "
        "there already is left alone. With --user the folder is $XDG_STATE_HOME/forage "
        "and the file $XDG_CONFIG_HOME/forage/forage.yaml; it is used where the "
        "current folder is not a workspace and none is named.",
    .max_words = 1,
    .options = options,
    .options_size = sizeof(struct options),
    .settings = "workspace operator.contact operator.name crawl.budget",
    .examples = examples,
    .run = run,
};
