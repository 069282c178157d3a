/* help.c - the pages of help, made from the tables */
#include "cli/help/completion.h"

enum { HELP_COLUMN = 30 };

struct fg_str fg_opt_limits(struct fg_arena *arena, const struct fg_opt *opt)
{
    struct fg_str range = {0}, preset = {0};
    if (opt->type == FG_OPT_ENUM || opt->min != 0 || opt->max != 0)
        range = fg_opt_range(arena, opt);
    if (opt->preset && *opt->preset)
        preset = fg_arena_printf(arena, "default %s", opt->preset);
    if (opt->type == FG_OPT_STRING)
        range = (struct fg_str){0}; /* how long a path may be interests nobody */
    if (!range.len && !preset.len)
        return FG_STR("");
    return fg_arena_printf(arena, " (%.*s%s%.*s)", FG_ARG(range),
                           range.len && preset.len ? "; " : "", FG_ARG(preset));
}

static void print_flag(struct fg_cli *cli, const struct fg_opt *opt)
{
    const char *arg = fg_opt_arg(opt);
    struct fg_str flag = fg_opt_flag(cli->arena, opt);
    char letter[] = {'-', opt->letter, ',', '\0'};
    struct fg_str left =
        fg_arena_printf(cli->arena, "  %3s %.*s%s%s", opt->letter ? letter : "",
                        FG_ARG(flag), arg ? " " : "", arg ? arg : "");
    struct fg_str right = fg_arena_printf(cli->arena, "%s%.*s", opt->help,
                                          FG_ARG(fg_opt_limits(cli->arena, opt)));
    fg_out_puts(&cli->out, left.at);
    if (left.len + 2 > HELP_COLUMN) {
        fg_out_puts(&cli->out, "\n");
        left.len = 0;
    }
    fg_out_pad(&cli->out, left.len, HELP_COLUMN);
    fg_out_wrap(&cli->out, right.at, HELP_COLUMN, HELP_COLUMN);
}

static void print_heading(struct fg_cli *cli, const char *text)
{
    fg_out_puts(&cli->out, "\n");
    fg_out_bold(&cli->out, text);
    fg_out_puts(&cli->out, "\n");
}

static bool is_shown(const struct fg_command *command, const struct fg_opt *opt,
                     bool is_all)
{
    return is_all || !command->main_settings
               ? fg_command_heeds(command, opt)
               : fg_opt_is_listed(opt, command->main_settings);
}

static void print_settings(struct fg_cli *cli, const struct fg_command *command,
                           bool is_all)
{
    size_t all = 0, shown = 0;
    print_heading(cli, "Settings (see 'forage help settings')");
    for (size_t i = 0; i < cli->opts.rows.len; i++) {
        const struct fg_opt *opt = cli->opts.rows.at[i].opt;
        all += fg_command_heeds(command, opt);
        if (!is_shown(command, opt, is_all))
            continue;
        print_flag(cli, opt);
        shown += fg_command_heeds(command, opt);
    }
    if (shown < all)
        fg_out_printf(&cli->out, "  ... and %zu more: forage %s --help all\n",
                      all - shown, command->name);
}

static void print_parts(struct fg_cli *cli, const struct fg_command *command)
{
    print_heading(cli, "Actions");
    for (size_t i = 0; command->parts[i]; i++) {
        const struct fg_command *part = command->parts[i];
        struct fg_str left = fg_arena_printf(
            cli->arena, "  %s %s", part->name + strlen(command->name) + 1, part->words);
        fg_out_puts(&cli->out, left.at);
        if (left.len + 2 > HELP_COLUMN) {
            fg_out_puts(&cli->out, "\n");
            left.len = 0;
        }
        fg_out_pad(&cli->out, left.len, HELP_COLUMN);
        fg_out_wrap(&cli->out, part->summary, HELP_COLUMN, HELP_COLUMN);
    }
}

void fg_help_command(struct fg_cli *cli, const struct fg_command *command, bool is_all)
{
    struct fg_out *out = &cli->out;
    fg_out_bold(out, "Usage:");
    fg_out_printf(out, " forage %s [FLAG]...%s%s\n\n", command->name,
                  *command->words ? " " : "", command->words);
    fg_out_wrap(out, command->about, 0, 0);
    if (command->parts)
        print_parts(cli, command);
    print_heading(cli, "Flags");
    for (const struct fg_opt *opt = command->options; opt && opt->name; opt++)
        print_flag(cli, opt);
    for (const struct fg_opt *opt = fg_common_opts; opt->name; opt++)
        print_flag(cli, opt);
    if (command->settings)
        print_settings(cli, command, is_all);
    print_heading(cli, "Examples");
    for (const struct fg_example *example = command->examples; example->line; example++)
        fg_out_printf(out, "  # %s\n  %s\n", example->shows, example->line);
}

/* By what people want to do. What no line names is listed behind them all. */
static const struct {
    const char *heading;
    struct fg_str commands;
} groups[] = {
    {"Watch sites",
     FG_STR("demo init add remove pause resume watch run serve site label")},
    {"Look at what was found", FG_STR("status new search page versions")},
    {"Ask why, and what if",
     FG_STR("why explain ledger predict rhythm learning budget whatif "
            "leads")},
    {"Bring in and hand on", FG_STR("import export feeds webhooks digest ads")},
    {"Choose pages for another crawler", FG_STR("schedule next report")},
    {"Compare policies", FG_STR("policies lab simulate")},
    {"Read one page or file", FG_STR("fetch url links robots sitemap feed diff warc")},
    {"Set up and keep running",
     FG_STR("config doctor store workers move botpage completion help version")},
};
enum { GROUPS = sizeof groups / sizeof *groups };

static void print_summary(struct fg_cli *cli, const struct fg_command *command)
{
    fg_out_printf(&cli->out, "  %-12s %s\n", command->name, command->summary);
}

static bool is_in(struct fg_str names, const struct fg_command *command)
{
    struct fg_str name;
    while (fg_str_cut(&names, ' ', &name))
        if (fg_str_eq(name, fg_str_from(command->name)))
            return true;
    return false;
}

static bool is_grouped(const struct fg_command *command)
{
    for (size_t i = 0; i < GROUPS; i++)
        if (is_in(groups[i].commands, command))
            return true;
    return false;
}

void fg_help_overview(struct fg_cli *cli)
{
    struct fg_out *out = &cli->out;
    bool is_rest = false;
    fg_out_puts(out, "Forage " FG_VERSION
                     ", a web crawler that learns where to look next.\n\n");
    fg_out_bold(out, "Usage:");
    fg_out_puts(out, " forage COMMAND [FLAG]... [ARGUMENT]...\n");
    for (size_t i = 0; i < GROUPS; i++) {
        print_heading(cli, groups[i].heading);
        for (size_t k = 0; cli->commands[k]; k++)
            if (is_in(groups[i].commands, cli->commands[k]))
                print_summary(cli, cli->commands[k]);
    }
    for (size_t i = 0; cli->commands[i]; i++) {
        if (is_grouped(cli->commands[i]))
            continue;
        if (!is_rest)
            print_heading(cli, "Further commands");
        is_rest = true;
        print_summary(cli, cli->commands[i]);
    }
    print_heading(cli, "More");
    fg_out_puts(out, "  forage COMMAND --help     flags and examples of a command\n"
                     "  forage COMMAND --help all the same with every setting\n"
                     "  forage help settings      everything that can be configured\n"
                     "  forage help exit-codes    what the exit code means\n"
                     "  forage doctor             check that all is well here\n");
}
