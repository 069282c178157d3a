/* cmd_help.c - forage help [TOPIC] */
#include "cli/help/man.h"

struct options {
    bool json, markdown, man;
};

static const struct fg_opt options[] = {
    {"json", FG_BOOL(struct options, json), .letter = 'j',
     .help = "as JSON; without a topic all commands, settings and exit codes"},
    {"markdown", FG_BOOL(struct options, markdown),
     .help = "with the topic settings: a table for the manual"},
    {"man", FG_BOOL(struct options, man),
     .help = "the flags of all commands, as they stand in forage(1)"},
    {0},
};

static void json_option(struct fg_json *json, struct fg_arena *arena,
                        const struct fg_opt *opt, bool is_setting)
{
    char letter[] = {'-', opt->letter, '\0'};
    fg_json_object(json);
    if (is_setting) {
        fg_json_pair_cstr(json, "key", opt->name);
        fg_json_key(json, "variable");
        fg_json_str(json, fg_opt_variable(arena, opt));
    }
    fg_json_key(json, "flag");
    fg_json_str(json, fg_opt_flag(arena, opt));
    fg_json_pair_cstr(json, "letter", opt->letter ? letter : NULL);
    fg_json_pair_cstr(json, "argument", fg_opt_arg(opt));
    fg_json_pair_cstr(json, "default", opt->preset);
    fg_json_key(json, "range");
    fg_json_str(json, fg_opt_range(arena, opt));
    fg_json_pair_cstr(json, "help", opt->help);
    fg_json_end(json);
}

static void json_options(struct fg_json *json, struct fg_arena *arena,
                         const struct fg_opt *opts)
{
    for (const struct fg_opt *opt = opts; opt && opt->name; opt++)
        json_option(json, arena, opt, false);
}

static void json_command(struct fg_json *json, struct fg_arena *arena,
                         const struct fg_command *command)
{
    fg_json_object(json);
    fg_json_pair_cstr(json, "name", command->name);
    fg_json_pair_cstr(json, "arguments", command->words);
    fg_json_pair_cstr(json, "summary", command->summary);
    fg_json_pair_cstr(json, "about", command->about);
    fg_json_key(json, "flags");
    fg_json_array(json);
    json_options(json, arena, command->options);
    json_options(json, arena, fg_common_opts);
    fg_json_end(json);
    fg_json_key(json, "examples");
    fg_json_array(json);
    for (const struct fg_example *example = command->examples; example->line; example++)
        fg_json_cstr(json, example->line);
    fg_json_end(json);
    fg_json_end(json);
}

static void json_commands(struct fg_json *json, struct fg_cli *cli,
                          const struct fg_command *only)
{
    fg_json_key(json, "commands");
    fg_json_array(json);
    for (size_t i = 0; cli->commands[i]; i++) {
        const struct fg_command *const *part = cli->commands[i]->parts;
        if (!only || cli->commands[i] == only)
            json_command(json, cli->arena, cli->commands[i]);
        for (; part && *part; part++)
            if (!only || cli->commands[i] == only || *part == only)
                json_command(json, cli->arena, *part);
    }
    fg_json_end(json);
}

static void json_settings(struct fg_json *json, struct fg_cli *cli)
{
    fg_json_key(json, "settings");
    fg_json_array(json);
    for (size_t i = 0; i < cli->opts.rows.len; i++)
        json_option(json, cli->arena, cli->opts.rows.at[i].opt, true);
    fg_json_end(json);
}

static void json_exit_codes(struct fg_json *json)
{
    fg_json_key(json, "exit_codes");
    fg_json_array(json);
    for (const struct fg_exit_row *row = fg_exit_table; row->name; row++) {
        fg_json_object(json);
        fg_json_pair_int(json, "code", row->code);
        fg_json_pair_cstr(json, "name", row->name);
        fg_json_pair_cstr(json, "meaning", row->meaning);
        fg_json_end(json);
    }
    fg_json_end(json);
}

/* What a word after 'help' asks for. */
enum topic { EVERYTHING, COMMAND, SETTINGS, EXIT_CODES, UNKNOWN };

static void print_json(struct fg_cli *cli, enum topic topic,
                       const struct fg_command *command)
{
    struct fg_json json = fg_json_to(&cli->out.buf);
    fg_json_object(&json);
    if (topic == EVERYTHING || topic == COMMAND)
        json_commands(&json, cli, command);
    if (topic == EVERYTHING || topic == SETTINGS)
        json_settings(&json, cli);
    if (topic == EVERYTHING || topic == EXIT_CODES)
        json_exit_codes(&json);
    fg_json_end(&json);
    fg_out_puts(&cli->out, "\n");
}

static void print_exit_codes(struct fg_cli *cli)
{
    for (const struct fg_exit_row *row = fg_exit_table; row->name; row++)
        fg_out_printf(&cli->out, "%3d  %-18s %s\n", row->code, row->name, row->meaning);
}

static void print_markdown(struct fg_cli *cli)
{
    fg_out_puts(&cli->out,
                "| key | default | may be | what it does |\n|---|---|---|---|\n");
    for (size_t i = 0; i < cli->opts.rows.len; i++) {
        const struct fg_opt *opt = cli->opts.rows.at[i].opt;
        const char *preset = opt->preset ? opt->preset : "";
        fg_out_printf(&cli->out, "| `%s` | %s%s%s | %s | %s |\n", opt->name,
                      *preset ? "`" : "", preset, *preset ? "`" : "",
                      fg_opt_range(cli->arena, opt).at, opt->help);
    }
}

static void print_settings(struct fg_cli *cli)
{
    struct fg_out *out = &cli->out;
    fg_out_puts(
        out,
        "A setting is a key of a configuration file, an environment variable and a\n"
        "flag. From the lowest to the highest: the default; /etc/forage/forage.yaml;\n"
        "~/.config/forage/forage.yaml; forage.yaml in the workspace; the environment;\n"
        "the flag. --config FILE replaces the three files. Spans of time and sizes\n"
        "carry a unit: 250ms, 15m, 1h30m; 64KiB, 10MB.\n"
        "A workspace that nobody names is the current folder if it has a forage.yaml or\n"
        "a forage.db; else $STATE_DIRECTORY, which a service has; else the user's own,\n"
        "~/.local/state/forage, if 'forage init --user' made it.\n"
        "'forage config show' tells which value is in force and where it came from.\n");
    for (size_t i = 0; i < cli->opts.rows.len; i++) {
        const struct fg_opt *opt = cli->opts.rows.at[i].opt;
        fg_out_puts(out, "\n");
        fg_out_bold(out, opt->name);
        fg_out_puts(out, "\n    ");
        fg_out_wrap(out, opt->help, 4, 4);
        fg_out_printf(out, "    %s%s%s\n", fg_opt_range(cli->arena, opt).at,
                      opt->preset ? "; default " : "", opt->preset ? opt->preset : "");
        fg_out_printf(out, "    %s, %s\n", fg_opt_flag(cli->arena, opt).at,
                      fg_opt_variable(cli->arena, opt).at);
    }
}

static void print_topic(struct fg_cli *cli, enum topic topic,
                        const struct fg_command *command, bool is_all)
{
    const struct options *o = cli->options;
    if (o->man)
        fg_man_flags(cli);
    else if (o->json)
        print_json(cli, topic, command);
    else if (topic == COMMAND)
        fg_help_command(cli, command, is_all);
    else if (topic == EXIT_CODES)
        print_exit_codes(cli);
    else if (topic == SETTINGS && o->markdown)
        print_markdown(cli);
    else if (topic == SETTINGS)
        print_settings(cli);
    else
        fg_help_overview(cli);
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    bool is_all = cli->n_words > 1 && strcmp(cli->words[cli->n_words - 1], "all") == 0;
    size_t n = cli->n_words - is_all;
    struct fg_str word = fg_str_from(n ? cli->words[0] : "");
    const struct fg_command *command = fg_command_find(cli->commands, word);
    if (command && n > 1) {
        word = fg_str_from(cli->words[1]);
        command = n > 2 ? NULL : fg_command_part(command, word);
    }
    enum topic topic = !n                                      ? EVERYTHING
                       : command                               ? COMMAND
                       : n > 1                                 ? UNKNOWN
                       : fg_str_eq(word, FG_STR("settings"))   ? SETTINGS
                       : fg_str_eq(word, FG_STR("exit-codes")) ? EXIT_CODES
                                                               : UNKNOWN;
    if (topic == UNKNOWN)
        return fg_fail(err, FG_ECONFIG,
                       "no help on '%s'; there are the commands, 'settings' and "
                       "'exit-codes'",
                       word.at);
    print_topic(cli, topic, command, is_all);
    return FG_OK;
}

static const struct fg_example examples[] = {
    {"forage help config", "the flags and examples of a command"},
    {"forage help watch all", "a command with every setting it heeds"},
    {"forage help settings", "every key that can be configured"},
    {"forage help exit-codes", "what a script may learn from the exit code"},
    {0},
};

const struct fg_command fg_cmd_help = {
    .name = "help",
    .words = "[COMMAND [ACTION] [all] | settings | exit-codes]",
    .summary = "explain a command, the settings or the exit codes",
    .about =
        "Without an argument it lists the commands. The help of a command is also "
        "shown by 'forage COMMAND --help'; of commands with many settings it has those "
        "that matter most, and 'all' behind it gives the rest.",
    .max_words = 3,
    .options = options,
    .options_size = sizeof(struct options),
    .examples = examples,
    .is_bare = true,
    .run = run,
};
