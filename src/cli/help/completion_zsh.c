/* completion_zsh.c - as for bash, with the help of each flag beside it */
#include "cli/help/completion.h"

/* "--flag:help", where a colon of the help is no separator any more. */
static void add_flag(struct fg_cli *cli, const char *flag, const char *help)
{
    struct fg_str pair = fg_arena_printf(cli->arena, "%s:%s", flag, help);
    fg_out_printf(&cli->out, " %.*s", FG_ARG(fg_quote_posix(cli->arena, pair)));
}

static void add_option(struct fg_cli *cli, const struct fg_opt *opt)
{
    const char *flag = fg_opt_flag(cli->arena, opt).at;
    add_flag(cli, flag, opt->help);
    if (opt->letter)
        add_flag(cli, fg_arena_printf(cli->arena, "-%c", opt->letter).at, opt->help);
    if (fg_opt_is_on(opt))
        add_flag(cli, fg_arena_printf(cli->arena, "--no-%s", flag + 2).at, opt->help);
}

static void print_flags(struct fg_cli *cli, const struct fg_command *command)
{
    fg_out_printf(&cli->out, "    '%s') flags=(", command->name);
    for (const struct fg_opt *opt = command->options; opt && opt->name; opt++)
        add_option(cli, opt);
    for (const struct fg_opt *opt = fg_common_opts; opt->name; opt++)
        add_option(cli, opt);
    for (size_t i = 0; i < cli->opts.rows.len; i++)
        if (fg_command_heeds(command, cli->opts.rows.at[i].opt))
            add_option(cli, cli->opts.rows.at[i].opt);
    fg_out_puts(&cli->out, ") ;;\n");
}

static void print_choices(struct fg_cli *cli, const struct fg_choices *may_be)
{
    struct fg_str rest = may_be->words, word;
    fg_out_puts(&cli->out, rest.len ? " values=(" : "");
    for (bool more = false; rest.len && fg_str_cut(&rest, ' ', &word); more = true)
        fg_out_printf(&cli->out, "%s%.*s", more ? " " : "",
                      FG_ARG(fg_quote_posix(cli->arena, word)));
    fg_out_puts(&cli->out, may_be->words.len ? ");" : "");
    if (may_be->files)
        fg_out_puts(&cli->out, " paths=files;");
    else if (may_be->folders)
        fg_out_puts(&cli->out, " paths=folders;");
}

static void print_value(struct fg_cli *cli, const struct fg_command *command,
                        const struct fg_opt *opt)
{
    struct fg_choices may_be = fg_choices_of_option(cli->arena, opt);
    const char *flag = fg_opt_flag(cli->arena, opt).at;
    if (!command && !may_be.takes_value)
        return; /* like all that is unknown */
    fg_out_printf(&cli->out, command ? "    '%s %s'" : "    %s' %s'",
                  command ? command->name : "*", flag);
    if (opt->letter)
        fg_out_printf(&cli->out, command ? " | '%s -%c'" : " | %s' -%c'",
                      command ? command->name : "*", opt->letter);
    fg_out_puts(&cli->out, ")");
    print_choices(cli, &may_be);
    fg_out_puts(&cli->out, may_be.takes_value ? " return 0 ;;\n" : " return 1 ;;\n");
}

static void print_words(struct fg_cli *cli, const struct fg_command *command)
{
    struct fg_choices may_be = fg_choices_of_words(cli, command);
    if (command->parts)
        may_be = (struct fg_choices){.words = fg_choices_commands(cli, command)};
    fg_out_printf(&cli->out, "    '%s')", command->name);
    print_choices(cli, &may_be);
    fg_out_puts(&cli->out, " ;;\n");
}

static void print_tables(struct fg_cli *cli, const struct fg_command **all)
{
    struct fg_out *out = &cli->out;
    fg_out_puts(out, "_forage_flags() {\n    case $1 in\n");
    for (size_t i = 0; all[i]; i++)
        print_flags(cli, all[i]);
    fg_out_puts(out, "    *) flags=('--version:show the version' '-V:show the version'");
    for (const struct fg_opt *opt = fg_common_opts; opt->name; opt++)
        add_option(cli, opt);
    fg_out_puts(out, ") ;;\n    esac\n    settings=(");
    for (size_t i = 0; i < cli->opts.rows.len; i++)
        add_option(cli, cli->opts.rows.at[i].opt);
    fg_out_puts(out, ")\n}\n\n_forage_value() {\n    case \"$1 $2\" in\n");
    for (size_t i = 0; all[i]; i++)
        for (const struct fg_opt *opt = all[i]->options; opt && opt->name; opt++)
            print_value(cli, all[i], opt);
    for (size_t i = 0; i < cli->opts.rows.len; i++)
        print_value(cli, NULL, cli->opts.rows.at[i].opt);
    fg_out_puts(out, "    esac\n    return 1\n}\n\n_forage_words() {\n    case $1 in\n");
    for (size_t i = 0; all[i]; i++)
        print_words(cli, all[i]);
    fg_out_puts(out, "    esac\n}\n\n_forage_commands=(");
    for (size_t i = 0; cli->commands[i]; i++)
        add_flag(cli, cli->commands[i]->name, cli->commands[i]->summary);
    fg_out_puts(out, ")\n\n");
}

static const char walk[] =
    "_forage() {\n"
    "    local cmd='' open='' paths='' word i\n"
    "    local -a flags settings values\n"
    "    for ((i = 2; i < CURRENT; i++)); do\n"
    "        word=$words[i]\n"
    "        if [[ $word == --?*=* ]]; then\n"
    "            continue\n"
    "        elif [[ $word == -?* ]]; then\n"
    "            _forage_value \"$cmd\" \"$word\" && ((++i == CURRENT)) && open=$word\n"
    "            values=() paths=''\n"
    "        else\n"
    "            case $cmd in\n"
    "            '') cmd=$word ;;\n";

static const char end[] =
    "            esac\n"
    "        fi\n"
    "    done\n"
    "    word=$words[CURRENT]\n"
    "    if [[ -z $open && $word == --?*=* ]]; then\n"
    "        open=${word%%=*}\n"
    "        compset -P '*='\n"
    "    fi\n"
    "    if [[ -n $open ]]; then\n"
    "        _forage_value \"$cmd\" \"$open\" || return 1\n"
    "    elif [[ $word == -* ]]; then\n"
    "        _forage_flags \"$cmd\"\n"
    "        # What the help of the command does not list is understood all the same.\n"
    "        _describe -o flag flags || _describe -o setting settings\n"
    "        return\n"
    "    elif [[ -z $cmd ]]; then\n"
    "        _describe command _forage_commands\n"
    "        return\n"
    "    else\n"
    "        _forage_words \"$cmd\"\n"
    "    fi\n"
    "    (($#values)) && compadd -a values\n"
    "    case $paths in\n"
    "    files) _files ;;\n"
    "    folders) _files -/ ;;\n"
    "    esac\n"
    "}\n\n"
    "if [[ $funcstack[1] == _forage ]]; then\n"
    "    _forage \"$@\"\n"
    "elif (($+functions[compdef])); then\n"
    "    compdef _forage forage\n"
    "fi\n";

void fg_completion_zsh(struct fg_cli *cli)
{
    fg_out_puts(&cli->out, "#compdef forage\n# zsh completion for forage " FG_VERSION
                           ", made by 'forage completion zsh'\n\n");
    print_tables(cli, fg_commands_all(cli));
    fg_out_puts(&cli->out, walk);
    fg_out_puts(&cli->out, "            ");
    fg_out_text(&cli->out, fg_choices_deep(cli));
    fg_out_puts(&cli->out, ") cmd=\"$cmd $word\" ;;\n");
    fg_out_puts(&cli->out, end);
}
