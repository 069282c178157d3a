/* completion_fish.c - fish finds its place on the line itself: a list of what there is,
 * each with the command it belongs to. Settings are offered everywhere. */
#include "cli/help/completion.h"

static void print_option(struct fg_cli *cli, const struct fg_command *command,
                         const struct fg_opt *opt)
{
    struct fg_out *out = &cli->out;
    struct fg_choices may_be = fg_choices_of_option(cli->arena, opt);
    fg_out_puts(out, "complete -c forage");
    if (command)
        fg_out_printf(out, " -n '__forage_is \"%s\"'", command->name);
    fg_out_printf(out, " -l %s", fg_opt_flag(cli->arena, opt).at + 2);
    if (opt->letter)
        fg_out_printf(out, " -s %c", opt->letter);
    if (may_be.takes_value)
        fg_out_puts(out, may_be.files ? " -r -F" : " -x");
    if (may_be.folders)
        fg_out_puts(out, " -a '(__fish_complete_directories)'");
    if (may_be.words.len)
        fg_out_printf(out, " -a '%.*s'", FG_ARG(may_be.words));
    struct fg_str help = fg_quote_fish(cli->arena, fg_str_from(opt->help));
    fg_out_printf(out, " -d %.*s\n", FG_ARG(help));
    if (fg_opt_is_on(opt))
        fg_out_printf(out, "complete -c forage -l no-%s -d %.*s\n",
                      fg_opt_flag(cli->arena, opt).at + 2, FG_ARG(help));
}

static void print_command(struct fg_cli *cli, const struct fg_command *command,
                          const char *above)
{
    struct fg_str summary = fg_quote_fish(cli->arena, fg_str_from(command->summary));
    fg_out_printf(&cli->out, "complete -c forage -n '__forage_is \"%s\"' -a %s -d %.*s\n",
                  above, command->name + (*above ? strlen(above) + 1 : 0),
                  FG_ARG(summary));
}

static void print_words(struct fg_cli *cli, const struct fg_command *command)
{
    struct fg_choices may_be = fg_choices_of_words(cli, command);
    if (command->parts)
        return;
    if (may_be.words.len)
        fg_out_printf(&cli->out, "complete -c forage -n '__forage_is \"%s\"' -a '%.*s'\n",
                      command->name, FG_ARG(may_be.words));
    if (may_be.files)
        fg_out_printf(&cli->out, "complete -c forage -n '__forage_is \"%s\"' -F\n",
                      command->name);
    else if (may_be.folders)
        fg_out_printf(&cli->out,
                      "complete -c forage -n '__forage_is \"%s\"' -a "
                      "'(__fish_complete_directories)'\n",
                      command->name);
}

/* Flags that take a value, so that the value is not taken for the command. */
static void print_taking(struct fg_cli *cli)
{
    for (size_t i = 0; i < cli->opts.rows.len; i++) {
        const struct fg_opt *opt = cli->opts.rows.at[i].opt;
        if (opt->type == FG_OPT_BOOL)
            continue;
        fg_out_printf(&cli->out, " %s", fg_opt_flag(cli->arena, opt).at);
        if (opt->letter)
            fg_out_printf(&cli->out, " -%c", opt->letter);
    }
}

static void print_place(struct fg_cli *cli)
{
    fg_out_puts(&cli->out,
                "# The command typed so far is this: \"\", \"run\", \"lab run\".\n"
                "function __forage_is\n"
                "    set -l command\n"
                "    set -l is_value 0\n"
                "    for word in (commandline -opc)[2..]\n"
                "        if test $is_value = 1\n"
                "            set is_value 0\n"
                "        else if contains -- $word");
    print_taking(cli);
    fg_out_puts(&cli->out, "\n"
                           "            set is_value 1\n"
                           "        else if string match -q -- '-*' $word\n"
                           "            continue\n"
                           "        else if test (count $command) = 0\n"
                           "            set command $word\n"
                           "        else if contains -- \"$command\"");
    for (size_t i = 0; cli->commands[i]; i++)
        if (cli->commands[i]->parts)
            fg_out_printf(&cli->out, " %s", cli->commands[i]->name);
    fg_out_puts(&cli->out, "\n"
                           "            set command \"$command $word\"\n"
                           "        end\n"
                           "    end\n"
                           "    test \"$command\" = $argv[1]\n"
                           "end\n\n");
}

void fg_completion_fish(struct fg_cli *cli)
{
    const struct fg_command **all = fg_commands_all(cli);
    fg_out_puts(&cli->out, "# fish completion for forage " FG_VERSION
                           ", made by 'forage completion fish'\n\n");
    print_place(cli);
    fg_out_puts(&cli->out, "complete -c forage -f\n"
                           "complete -c forage -n '__forage_is \"\"' -l version -s V -d "
                           "'show the version'\n");
    for (size_t i = 0; cli->commands[i]; i++) {
        print_command(cli, cli->commands[i], "");
        for (size_t j = 0; cli->commands[i]->parts && cli->commands[i]->parts[j]; j++)
            print_command(cli, cli->commands[i]->parts[j], cli->commands[i]->name);
    }
    for (size_t i = 0; all[i]; i++) {
        print_words(cli, all[i]);
        for (const struct fg_opt *opt = all[i]->options; opt && opt->name; opt++)
            print_option(cli, all[i], opt);
    }
    for (const struct fg_opt *opt = fg_common_opts; opt->name; opt++)
        print_option(cli, NULL, opt);
    for (size_t i = 0; i < cli->opts.rows.len; i++)
        print_option(cli, NULL, cli->opts.rows.at[i].opt);
}
