/* completion.h - what may follow on a command line, for the completions of three shells
 *
 * Everything comes from the tables: commands and their actions, flags with their letters,
 * settings, the choices of an enumeration, the names of policies and experiments. What a
 * value or a word may be is read off what the help calls it ("FILE", "DIR", "show
 * [KEY]..."), so a new command or flag is completed without a line being written for it.
 * The scripts take no second program and do not call forage: completing is instant, and
 * safe in any folder.
 */
#ifndef FG_CLI_COMPLETION_H
#define FG_CLI_COMPLETION_H

#include "cli/cli.h"

struct fg_choices {
    bool takes_value; /* of an option: it is no switch */
    bool files, folders;
    struct fg_str words; /* with blanks between them; empty if there are none */
};

struct fg_choices fg_choices_of_option(struct fg_arena *arena, const struct fg_opt *opt);
/* Of the words that follow the flags of a command without actions. */
struct fg_choices fg_choices_of_words(struct fg_cli *cli,
                                      const struct fg_command *command);
/* The names of commands, or of the actions of one. */
struct fg_str fg_choices_commands(struct fg_cli *cli, const struct fg_command *of);

/* Those that have actions, as a pattern of a shell: "lab|import". */
struct fg_str fg_choices_deep(struct fg_cli *cli);

/* All commands that can be run, those of two words as well, in the order of the help;
 * ends with NULL. In the arena. */
const struct fg_command **fg_commands_all(struct fg_cli *cli);
/* Is the setting one that the help of the command lists? */
bool fg_command_heeds(const struct fg_command *command, const struct fg_opt *opt);
/* Is it, or its group, in a list such as "canonical fetch.delay"? */
bool fg_opt_is_listed(const struct fg_opt *opt, const char *list);
/* A switch that is on unless it is turned off, so that --no-NAME is what one types. */
bool fg_opt_is_on(const struct fg_opt *opt);

/* Text in single quotes, as each of the shells reads it. */
struct fg_str fg_quote_posix(struct fg_arena *arena, struct fg_str text);
struct fg_str fg_quote_fish(struct fg_arena *arena, struct fg_str text);

void fg_completion_bash(struct fg_cli *cli);
void fg_completion_zsh(struct fg_cli *cli);
void fg_completion_fish(struct fg_cli *cli);

#endif
