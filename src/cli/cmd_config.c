/* cmd_config.c - forage config show|check */
#include "base/file.h"
#include "cli/cli.h"

#include "crawl/output/output.h"
#include "net/url/discreet.h"
#include "view/settings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
    bool json;
};

static const struct fg_opt options[] = {
    {"json", FG_BOOL(struct options, json), .letter = 'j',
     .help = "as JSON; spans are in seconds, sizes in bytes"},
    {0},
};

static void json_files(struct fg_json *json, const struct fg_config_files *files)
{
    fg_json_array(json);
    for (size_t i = 0; i < files->len; i++) {
        fg_json_object(json);
        fg_json_pair_cstr(json, "path", files->at[i].path);
        fg_json_pair_bool(json, "found", files->at[i].found);
        fg_json_end(json);
    }
    fg_json_end(json);
}

/* The keys named on the command line, or all; a group stands for its members. */
static bool is_wanted(const struct fg_cli *cli, const struct fg_opt *opt)
{
    for (size_t i = 1; i < cli->n_words; i++)
        if (fg_opt_under(opt, fg_str_from(cli->words[i])))
            return true;
    return cli->n_words == 1;
}

static bool names_something(const struct fg_cli *cli, struct fg_str word)
{
    for (size_t i = 0; i < cli->opts.rows.len; i++)
        if (fg_opt_under(cli->opts.rows.at[i].opt, word))
            return true;
    return false;
}

static enum fg_status check_keys(const struct fg_cli *cli, struct fg_err *err)
{
    for (size_t i = 1; i < cli->n_words; i++) {
        struct fg_str word = fg_str_from(cli->words[i]);
        if (names_something(cli, word))
            continue;
        const char *nearest = fg_opts_nearest(&cli->opts, word);
        return nearest ? fg_fail(err, FG_ECONFIG, "unknown key '%s'; did you mean '%s'?",
                                 word.at, nearest)
                       : fg_fail(err, FG_ECONFIG, "unknown key '%s'", word.at);
    }
    return FG_OK;
}

static void show_json(struct fg_cli *cli)
{
    struct fg_json json = fg_json_to(&cli->out.buf);
    fg_json_object(&json);
    fg_json_key(&json, "files");
    json_files(&json, &cli->files);
    fg_json_key(&json, "settings");
    fg_json_object(&json);
    for (size_t i = 0; i < cli->opts.rows.len; i++)
        if (is_wanted(cli, cli->opts.rows.at[i].opt))
            fg_setting_json(&json, cli->arena, &cli->opts.rows.at[i]);
    fg_json_end(&json);
    fg_json_end(&json);
    fg_out_puts(&cli->out, "\n");
}

static void show_text(struct fg_cli *cli)
{
    for (size_t i = 0; i < cli->opts.rows.len; i++) {
        const struct fg_setting *setting = &cli->opts.rows.at[i];
        if (!is_wanted(cli, setting->opt))
            continue;
        struct fg_str text =
            fg_discreet(cli->arena, fg_setting_text(cli->arena, setting));
        fg_out_printf(&cli->out, "%-24s ", setting->opt->name);
        fg_out_text(&cli->out, text.len ? text : FG_STR("-"));
        fg_out_pad(&cli->out, 25 + (text.len ? text.len : 1), 44);
        fg_out_text(&cli->out, fg_origin_text(cli->arena, &setting->origin));
        fg_out_puts(&cli->out, "\n");
    }
}

static enum fg_status show(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    enum fg_status st = fg_cli_load(cli, err);
    if (!st)
        st = check_keys(cli, err);
    if (st)
        return st;
    if (o->json)
        show_json(cli);
    else
        show_text(cli);
    return FG_OK;
}

/* "policy.refresh: there is no ..." becomes "forage.yaml:3: policy.refresh: ...". */
static enum fg_status name_place(struct fg_opts *opts, enum fg_status st,
                                 struct fg_err *err)
{
    struct fg_str key = fg_str_from(err->text);
    size_t colon = fg_str_chr(key, ':');
    const struct fg_setting *row =
        colon == FG_NOT_FOUND ? NULL : fg_opts_find(opts, fg_str_sub(key, 0, colon));
    if (!st || !row || row->origin.layer == FG_LAYER_DEFAULT)
        return st;
    return fg_err_within(err, st, "%.*s",
                         FG_ARG(fg_origin_text(opts->arena, &row->origin)));
}

/* --- what settings name outside of themselves --- */

static enum fg_status check_files(const struct fg_settings *settings, struct fg_err *err)
{
    const char *ca = settings->crawl.fetch.ca_file;
    struct fg_str log = settings->log.file;
    if (ca && access(ca, R_OK) != 0)
        return fg_fail(err, FG_ECONFIG,
                       "fetch.ca-file: cannot read '%s': %s; name a file of "
                       "certificates (PEM), or leave it out",
                       ca, strerror(errno));
    enum fg_status st = log.len ? fg_file_check(log.at, err) : FG_OK;
    return st ? fg_err_within(err, FG_ECONFIG, "log.file") : FG_OK;
}

/* What a row by itself does not show: whether what is named is there, and the rows fit
 * each other. */
static enum fg_status check_meaning(struct fg_opts *opts,
                                    const struct fg_settings *settings,
                                    struct fg_err *err)
{
    enum fg_status st = fg_crawl_check_policies(&settings->crawl, err);
    if (!st)
        st = fg_outputs_check(&settings->crawl.outputs, err);
    if (!st)
        st = check_files(settings, err);
    return name_place(opts, st, err);
}

/* One file by itself, whatever else is configured here. */
static enum fg_status check_file(struct fg_cli *cli, const char *path, struct fg_err *err)
{
    struct fg_settings settings = {0};
    struct fg_opts opts = {.arena = cli->arena};
    fg_settings_init(&settings, &opts);
    enum fg_status st = fg_settings_read_file(&opts, path, err);
    return st ? st : check_meaning(&opts, &settings, err);
}

static void print_verdict(struct fg_cli *cli, enum fg_status st, const struct fg_err *err)
{
    const struct options *o = cli->options;
    if (!o->json) {
        fg_out_puts(&cli->out, st ? "" : "the configuration is fine\n");
        return;
    }
    struct fg_json json = fg_json_to(&cli->out.buf);
    fg_json_object(&json);
    fg_json_pair_bool(&json, "ok", !st);
    fg_json_pair_cstr(&json, "error", st ? err->text : NULL);
    fg_json_end(&json);
    fg_out_puts(&cli->out, "\n");
}

static enum fg_status check(struct fg_cli *cli, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    if (cli->n_words == 1) /* without opening the log: its place is checked as well */
        st = fg_settings_load(&cli->settings, &cli->opts, &cli->files, environ, err);
    if (!st && cli->n_words == 1)
        st = check_meaning(&cli->opts, &cli->settings, err);
    for (size_t i = 1; !st && i < cli->n_words; i++)
        st = check_file(cli, cli->words[i], err);
    print_verdict(cli, st, err);
    return st;
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    struct fg_str action = fg_str_from(cli->words[0]);
    if (fg_str_eq(action, FG_STR("show")))
        return show(cli, err);
    if (fg_str_eq(action, FG_STR("check")))
        return check(cli, err);
    return fg_fail(err, FG_ECONFIG, "unknown action '%s'; use 'show' or 'check'",
                   action.at);
}

static const struct fg_example examples[] = {
    {"forage config show", "every setting, its value, and where that came from"},
    {"FORAGE_LOG_LEVEL=debug forage config show log --json", "one group, for a script"},
    {"echo 'log: {level: debug}' | forage config check -", "is this a good file?"},
    {0},
};

const struct fg_command fg_cmd_config = {
    .name = "config",
    .words = "show [KEY]... | check [FILE]...",
    .summary = "show the settings in force and where each came from, or check a file",
    .about =
        "'show' prints each setting, its value and its origin: default, file and line, "
        "environment variable or flag. KEY may be a group such as 'log'. 'check' reads "
        "the configuration, or only the files named ('-' is standard input), and "
        "reports the first mistake with its line; the exit code is then 4. It also looks "
        "whether policies and their parameters, secrets, the programs, files and folders "
        "that settings name are there. "
        "Commands that only look (status, new, page, why, explain, export, ledger) go on "
        "without a file that has a mistake in it, and say so.",
    .min_words = 1,
    .max_words = 1000,
    .options = options,
    .options_size = sizeof(struct options),
    .examples = examples,
    .is_bare = true,
    .run = run,
};
