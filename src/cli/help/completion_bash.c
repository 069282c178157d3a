/* completion_bash.c - two tables, the flags of each command and what follows a flag, and
 * a function that finds out where on the line it stands */
#include "cli/help/completion.h"

static void add_flag(struct fg_cli *cli, const struct fg_opt *opt, bool has_letter)
{
    fg_out_printf(&cli->out, " %s", fg_opt_flag(cli->arena, opt).at);
    if (has_letter && opt->letter)
        fg_out_printf(&cli->out, " -%c", opt->letter);
    if (fg_opt_is_on(opt))
        fg_out_printf(&cli->out, " --no-%s", fg_opt_flag(cli->arena, opt).at + 2);
}

static void print_flags(struct fg_cli *cli, const struct fg_command *command)
{
    fg_out_printf(&cli->out, "    '%s') flags='", command->name);
    for (const struct fg_opt *opt = command->options; opt && opt->name; opt++)
        add_flag(cli, opt, true);
    for (const struct fg_opt *opt = fg_common_opts; opt->name; opt++)
        add_flag(cli, opt, true);
    for (size_t i = 0; i < cli->opts.rows.len; i++)
        if (fg_command_heeds(command, cli->opts.rows.at[i].opt))
            add_flag(cli, cli->opts.rows.at[i].opt, true);
    fg_out_puts(&cli->out, "' ;;\n");
}

/* What completes a value or a word, as commands of the script. */
static void print_choices(struct fg_cli *cli, const struct fg_choices *may_be)
{
    if (may_be->words.len)
        fg_out_printf(&cli->out, " values=%s;",
                      fg_quote_posix(cli->arena, may_be->words).at);
    if (may_be->files)
        fg_out_puts(&cli->out, " paths=-f;");
    else if (may_be->folders)
        fg_out_puts(&cli->out, " paths=-d;");
}

static void print_value(struct fg_cli *cli, const struct fg_command *command,
                        const struct fg_opt *opt)
{
    struct fg_choices may_be = fg_choices_of_option(cli->arena, opt);
    const char *prefix = command ? command->name : "*";
    const char *flag = fg_opt_flag(cli->arena, opt).at;
    if (!command && !may_be.takes_value)
        return; /* like all that is unknown */
    fg_out_printf(&cli->out, command ? "    '%s %s'" : "    %s' '%s", prefix, flag);
    if (opt->letter)
        fg_out_printf(&cli->out, command ? " | '%s -%c'" : " | %s' '-%c", prefix,
                      opt->letter);
    fg_out_puts(&cli->out, ")");
    print_choices(cli, &may_be);
    fg_out_puts(&cli->out, may_be.takes_value ? " return 0 ;;\n" : " return 1 ;;\n");
}

static void print_tables(struct fg_cli *cli, const struct fg_command **all)
{
    struct fg_out *out = &cli->out;
    fg_out_puts(out, "# The flags of a command, and what all take.\n"
                     "_forage_flags() {\n    case $1 in\n");
    for (size_t i = 0; all[i]; i++)
        print_flags(cli, all[i]);
    fg_out_puts(out, "    *) flags='--version -V");
    for (const struct fg_opt *opt = fg_common_opts; opt->name; opt++)
        add_flag(cli, opt, true);
    fg_out_puts(out, "' ;;\n    esac\n    settings='");
    for (size_t i = 0; i < cli->opts.rows.len; i++)
        add_flag(cli, cli->opts.rows.at[i].opt, true);
    fg_out_puts(out, "'\n}\n\n# Does this flag of this command take a value, and which?\n"
                     "_forage_value() {\n    case \"$1 $2\" in\n");
    for (size_t i = 0; all[i]; i++)
        for (const struct fg_opt *opt = all[i]->options; opt && opt->name; opt++)
            print_value(cli, all[i], opt);
    for (size_t i = 0; i < cli->opts.rows.len; i++)
        print_value(cli, NULL, cli->opts.rows.at[i].opt);
    fg_out_puts(out, "    esac\n    return 1\n}\n\n"
                     "# What may follow the flags of this command?\n"
                     "_forage_words() {\n    case $1 in\n");
    fg_out_printf(out, "    '') values='%s' ;;\n", fg_choices_commands(cli, NULL).at);
    for (size_t i = 0; all[i]; i++) {
        struct fg_choices may_be = fg_choices_of_words(cli, all[i]);
        if (all[i]->parts)
            may_be = (struct fg_choices){.words = fg_choices_commands(cli, all[i])};
        fg_out_printf(out, "    '%s')", all[i]->name);
        print_choices(cli, &may_be);
        fg_out_puts(out, " ;;\n");
    }
    fg_out_puts(out, "    esac\n}\n\n");
}

static const char walk[] =
    "# bash cuts words at \"=\", so --flag=value comes as three.\n"
    "_forage() {\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} cmd='' open='' flags settings values='' "
    "paths='' i word\n"
    "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
    "        word=${COMP_WORDS[i]}\n"
    "        if [[ $word == --?*=* ]]; then\n"
    "            continue\n"
    "        elif [[ $word == -?* && ${COMP_WORDS[i + 1]} == '=' ]]; then\n"
    "            ((i += 2))\n"
    "            ((i >= COMP_CWORD)) && open=$word\n"
    "        elif [[ $word == -?* ]]; then\n"
    "            _forage_value \"$cmd\" \"$word\" && ((++i == COMP_CWORD)) && "
    "open=$word\n"
    "            values='' paths=''\n"
    "        else\n"
    "            case $cmd in\n"
    "            '') cmd=$word ;;\n";

static const char end[] =
    "            esac\n"
    "        fi\n"
    "    done\n"
    "    [[ $cur == '=' ]] && cur=''\n"
    "    COMPREPLY=()\n"
    "    if [[ -n $open ]]; then\n"
    "        _forage_value \"$cmd\" \"$open\" || return 0\n"
    "    elif [[ $cur == -* ]]; then\n"
    "        _forage_flags \"$cmd\"\n"
    "        COMPREPLY=($(compgen -W \"$flags\" -- \"$cur\"))\n"
    "        # What the help of the command does not list is understood all the same.\n"
    "        ((${#COMPREPLY[@]})) || COMPREPLY=($(compgen -W \"$settings\" -- "
    "\"$cur\"))\n"
    "        return 0\n"
    "    else\n"
    "        _forage_words \"$cmd\"\n"
    "    fi\n"
    "    [[ -n $values ]] && COMPREPLY=($(compgen -W \"$values\" -- \"$cur\"))\n"
    "    if [[ -n $paths ]]; then\n"
    "        local IFS=$'\\n'\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        COMPREPLY+=($(compgen \"$paths\" -- \"$cur\"))\n"
    "    fi\n"
    "    return 0\n"
    "}\n"
    "complete -F _forage forage\n";

void fg_completion_bash(struct fg_cli *cli)
{
    fg_out_puts(&cli->out, "# bash completion for forage " FG_VERSION
                           ", made by 'forage completion bash'\n"
                           "# shellcheck shell=bash disable=SC2034,SC2207\n\n");
    print_tables(cli, fg_commands_all(cli));
    fg_out_puts(&cli->out, walk);
    fg_out_puts(&cli->out, "            ");
    fg_out_text(&cli->out, fg_choices_deep(cli));
    fg_out_puts(&cli->out, ") cmd=\"$cmd $word\" ;;\n");
    fg_out_puts(&cli->out, end);
}
