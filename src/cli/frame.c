/* frame.c - from the command line to the command, and from its status to the exit code */
#include "cli/cli.h"

#include "base/plain.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

const struct fg_opt fg_common_opts[] = {
    {"help", FG_BOOL(struct fg_common, help), .letter = 'h',
     .help = "show this help; --help all shows every setting"},
    {"verbose", FG_BOOL(struct fg_common, verbose), .letter = 'v',
     .help = "more log output (same as --log-level debug)"},
    {"quiet", FG_BOOL(struct fg_common, quiet), .letter = 'q',
     .help = "less output (same as --log-level error)"},
    {0},
};

const struct fg_opt fg_json_flag[] = {
    {"json", FG_BOOL(struct fg_json_flag, json), .letter = 'j', .help = "as JSON"},
    {0},
};

struct top {
    bool version;
};
static const struct fg_opt top_opts[] = {
    {"version", FG_BOOL(struct top, version), .letter = 'V',
     .help = "show the version; with -v that of each library, too"},
    {0},
};

const struct fg_command *fg_command_find(const struct fg_command *const *commands,
                                         struct fg_str name)
{
    for (; *commands; commands++)
        if (fg_str_eq(name, fg_str_from((*commands)->name)))
            return *commands;
    return NULL;
}

const struct fg_command *fg_command_part(const struct fg_command *command,
                                         struct fg_str name)
{
    size_t first = strlen(command->name) + 1;
    for (size_t i = 0; command->parts && command->parts[i]; i++)
        if (fg_str_eq(name, fg_str_from(command->parts[i]->name + first)))
            return command->parts[i];
    return NULL;
}

static enum fg_status unknown_command(const struct fg_cli *cli, const char *word,
                                      struct fg_err *err)
{
    struct fg_str name = fg_str_from(word), shown = fg_str_sub(name, 0, 60);
    struct fg_nearest nearest = {.word = name};
    for (size_t i = 0; cli->commands[i]; i++)
        fg_nearest_try(&nearest, cli->commands[i]->name);
    if (nearest.name)
        return fg_fail(err, FG_ECONFIG, "unknown command '%.*s'; did you mean '%s'?",
                       FG_ARG(shown), nearest.name);
    return fg_fail(err, FG_ECONFIG, "unknown command '%.*s'; 'forage help' lists them",
                   FG_ARG(shown));
}

static void complain(const struct fg_cli *cli, const struct fg_err *err);

static void warn_of_file(void *context, const char *path, const struct fg_err *err)
{
    struct fg_err warning = *err;
    fg_err_within(&warning, FG_ECONFIG, "warning: going on without '%s'", path);
    complain(context, &warning);
}

/* Who only looks may not be allowed to write the crawl's log, and need not be. */
static enum fg_status open_log(struct fg_cli *cli, bool looks, struct fg_err *err)
{
    struct fg_log_settings log = cli->settings.log;
    enum fg_status st = fg_log_open(&log, err);
    if (!st || !looks)
        return st;
    log.file = (struct fg_str){0};
    return fg_log_open(&log, err);
}

enum fg_status fg_cli_load(struct fg_cli *cli, struct fg_err *err)
{
    bool looks = cli->command && cli->command->only_looks;
    enum fg_status st =
        looks ? fg_settings_load_what_can_be(&cli->settings, &cli->opts, &cli->files,
                                             environ, warn_of_file, cli, err)
              : fg_settings_load(&cli->settings, &cli->opts, &cli->files, environ, err);
    fg_out_choose_color(&cli->out, (enum fg_color)cli->settings.color);
    if (!st)
        st = open_log(cli, looks, err);
    for (size_t i = 0; !st && i < cli->files.len; i++)
        fg_log_debug("config", "file looked for", FG_F("path", cli->files.at[i].path),
                     FG_F("found", cli->files.at[i].found));
    return st;
}

/* -v and -q are short for --log-level, which wins if it is given as well. */
static void heed_verbosity(struct fg_cli *cli)
{
    struct fg_setting *level = fg_opts_find(&cli->opts, FG_STR("log.level"));
    if (level->origin.layer == FG_LAYER_FLAG)
        return;
    if (cli->common.verbose)
        fg_opts_set(&cli->opts, level, FG_STR("debug"),
                    (struct fg_origin){FG_LAYER_FLAG, FG_STR("--verbose"), 0}, NULL);
    else if (cli->common.quiet)
        fg_opts_set(&cli->opts, level, FG_STR("error"),
                    (struct fg_origin){FG_LAYER_FLAG, FG_STR("--quiet"), 0}, NULL);
}

static enum fg_status check_words(const struct fg_cli *cli, struct fg_err *err)
{
    const struct fg_command *command = cli->command;
    if (cli->n_words >= command->min_words && cli->n_words <= command->max_words)
        return FG_OK;
    const char *what = cli->n_words < command->min_words ? "too few" : "too many";
    return fg_fail(err, FG_ECONFIG, "%s arguments; usage: forage %s [FLAG]...%s%s", what,
                   command->name, *command->words ? " " : "", command->words);
}

static enum fg_status run_command(struct fg_cli *cli, struct fg_args *args,
                                  struct fg_err *err)
{
    const struct fg_command *command = cli->command;
    struct fg_opts own = {.arena = cli->arena};
    void *options = fg_arena_alloc(cli->arena, command->options_size);
    FG_VEC(const char *) words = {0};
    const char *word;
    enum fg_status st;

    fg_opts_add(&own, fg_common_opts, &cli->common);
    if (command->options)
        fg_opts_add(&own, command->options, options);
    args->own = &own;
    while (!(st = fg_args_next(args, &word, err)) && word)
        fg_vec_push_in(cli->arena, &words, word);
    cli->options = options;
    cli->words = words.at;
    cli->n_words = words.len;
    heed_verbosity(cli);
    fg_out_choose_color(&cli->out, (enum fg_color)cli->settings.color);
    if (cli->common.help) { /* even if the rest of the line is wrong */
        bool is_all = words.len && strcmp(words.at[words.len - 1], "all") == 0;
        fg_help_command(cli, command, is_all);
        return FG_OK;
    }
    if (!st)
        st = check_words(cli, err);
    if (!st && !command->is_bare)
        st = fg_cli_load(cli, err);
    return st ? st : command->run(cli, err);
}

static enum fg_status unknown_part(const struct fg_cli *cli, const char *word,
                                   struct fg_err *err)
{
    struct fg_str list = FG_STR("");
    for (size_t i = 0; cli->command->parts[i]; i++)
        list = fg_arena_printf(cli->arena, "%s%s%s", list.at, i ? ", " : "",
                               cli->command->parts[i]->name + strlen(cli->command->name) +
                                   1);
    if (!word)
        return fg_fail(err, FG_ECONFIG, "missing action; use one of: %s", list.at);
    return fg_fail(err, FG_ECONFIG, "unknown action '%.60s'; use one of: %s", word,
                   list.at);
}

/* The second word of a command of two, and the rest of the line. */
static enum fg_status run_part(struct fg_cli *cli, struct fg_args *args,
                               struct fg_err *err)
{
    const char *word;
    enum fg_status st = fg_args_next(args, &word, err);
    if (st)
        return st;
    if (!word && cli->common.help) {
        fg_help_command(cli, cli->command, false);
        return FG_OK;
    }
    const struct fg_command *part =
        word ? fg_command_part(cli->command, fg_str_from(word)) : NULL;
    if (!part)
        return unknown_part(cli, word, err);
    cli->command = part;
    return run_command(cli, args, err);
}

static enum fg_status run_line(struct fg_cli *cli, char **argv, struct fg_err *err)
{
    struct top top = {0};
    struct fg_opts before = {.arena = cli->arena};
    fg_opts_add(&before, fg_common_opts, &cli->common);
    fg_opts_add(&before, top_opts, &top);
    struct fg_args args = {.at = argv, .own = &before, .shared = &cli->opts};
    const char *word;
    enum fg_status st = fg_args_next(&args, &word, err);
    fg_out_choose_color(&cli->out, (enum fg_color)cli->settings.color);
    if (st)
        return st;
    if (top.version)
        word = "version";
    if (!word) {
        fg_help_overview(cli);
        return FG_OK;
    }
    cli->command = fg_command_find(cli->commands, fg_str_from(word));
    if (!cli->command)
        return unknown_command(cli, word, err);
    return cli->command->parts ? run_part(cli, &args, err) : run_command(cli, &args, err);
}

/* The words may quote hostile input, so they are made plain; and they are one write, so
 * that two processes do not mix theirs. */
static void complain(const struct fg_cli *cli, const struct fg_err *err)
{
    struct fg_buf line;
    fg_buf_init(&line, 1 << 16);
    fg_buf_add(&line, FG_STR("forage"));
    if (cli->command)
        fg_buf_printf(&line, " %s", cli->command->name);
    fg_buf_add(&line, FG_STR(": "));
    fg_plain_add(&line, fg_str_from(err->text));
    fg_buf_add_char(&line, '\n');
    ssize_t ignored = write(STDERR_FILENO, line.at, line.len);
    (void)ignored;
    fg_buf_clear(&line);
}

/* With standard output closed, the next file opened would take its number and be
 * scribbled on. Fill the gaps with something that refuses. */
static void fill_standard_files(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
            return;
}

int fg_cli_main(const struct fg_command *const *commands, char **argv)
{
    fill_standard_files();
    signal(SIGPIPE, SIG_IGN);
    struct fg_arena arena = {0};
    struct fg_err err = {0}, late = {0};
    struct fg_cli cli = {.arena = &arena, .commands = commands, .opts.arena = &arena};
    fg_settings_init(&cli.settings, &cli.opts);
    fg_out_open(&cli.out);

    enum fg_status st = run_line(&cli, argv[0] ? argv + 1 : argv, &err);
    if (st)
        complain(&cli, &err);
    enum fg_status closed = fg_out_close(&cli.out, &late);
    if (closed)
        complain(&cli, &late);
    enum fg_status logged = fg_log_close(&late);
    if (logged)
        complain(&cli, &late);
    fg_arena_clear(&arena);
    enum fg_status worst = st ? st : closed ? closed : logged;
    return (int)(worst ? fg_exit_from(worst) : cli.exit);
}
