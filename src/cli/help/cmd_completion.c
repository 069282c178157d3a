/* cmd_completion.c - forage completion bash|zsh|fish */
#include "cli/help/completion.h"

static const struct {
    const char *name;
    void (*print)(struct fg_cli *cli);
} shells[] = {
    {"bash", fg_completion_bash},
    {"zsh", fg_completion_zsh},
    {"fish", fg_completion_fish},
};

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        if (strcmp(shells[i].name, cli->words[0]) == 0) {
            shells[i].print(cli);
            return FG_OK;
        }
    return fg_fail(err, FG_ECONFIG,
                   "no completion for '%.60s'; there are bash, zsh and fish",
                   cli->words[0]);
}

static const struct fg_example examples[] = {
    {"forage completion bash >forage.bash",
     "to be sourced, or put where bash looks for it"},
    {"forage completion fish | head -n 3",
     "for fish: ~/.config/fish/completions/forage.fish"},
    {0},
};

const struct fg_command fg_cmd_completion = {
    .name = "completion",
    .words = "bash | zsh | fish",
    .summary = "print a script that completes command lines in a shell",
    .about = "The script knows the commands, their actions and flags, the values of "
             "flags that are one of a list, the names of policies, and where a file or a "
             "folder is expected. It is made from the same tables as the help. 'make "
             "install' puts all three where the shells look for them.",
    .min_words = 1,
    .max_words = 1,
    .examples = examples,
    .is_bare = true,
    .run = run,
};
