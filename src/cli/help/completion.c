#include "cli/help/completion.h"

#include "cli/lab/labs.h"
#include "cli/lab/papers.h"
#include "lab/generate/generate.h"
#include "lab/refresh/timelines.h"
#include "policy/policy.h"

static void add_word(struct fg_arena *arena, struct fg_str *list, const char *word)
{
    *list = list->len ? fg_arena_printf(arena, "%.*s %s", FG_ARG(*list), word)
                      : fg_str_from(word);
}

static struct fg_str policy_names(struct fg_arena *arena, enum fg_task task)
{
    struct fg_str list = {0};
    for (size_t i = 0; fg_policies[i]; i++)
        if (fg_policies[i]->tasks & task)
            add_word(arena, &list, fg_policies[i]->name);
    return list;
}

/* Those there are when the script is made. */
static struct fg_str experiment_names(struct fg_cli *cli)
{
    struct fg_str list = {0};
    for (const struct fg_lab_file *file = fg_lab_experiments(cli); file->name; file++)
        add_word(cli->arena, &list, file->name);
    add_word(cli->arena, &list, FG_PAPERS);
    return list;
}

static struct fg_str generator_names(struct fg_arena *arena)
{
    struct fg_str list = {0};
    for (size_t i = 0; fg_generator_names[i]; i++)
        add_word(arena, &list, fg_generator_names[i]);
    for (size_t i = 0; fg_timeline_generators[i].name; i++)
        add_word(arena, &list, fg_timeline_generators[i].name);
    return list;
}

struct fg_choices fg_choices_of_option(struct fg_arena *arena, const struct fg_opt *opt)
{
    struct fg_choices may_be = {.takes_value = opt->type != FG_OPT_BOOL};
    struct fg_str name = fg_str_from(opt->name),
                  arg = fg_str_from(opt->arg ? opt->arg : "");
    for (size_t i = 0; opt->type == FG_OPT_ENUM && opt->choices[i]; i++)
        add_word(arena, &may_be.words, opt->choices[i]);
    if (fg_str_starts(arg, FG_STR("NAME")) &&
        fg_str_find(arg, FG_STR("=")) == FG_NOT_FOUND) {
        if (fg_str_eq(name, FG_STR("policy.discovery")) ||
            fg_str_eq(name, FG_STR("policy")))
            may_be.words = policy_names(arena, FG_DISCOVERY);
        if (fg_str_eq(name, FG_STR("policy.refresh")) ||
            fg_str_eq(name, FG_STR("refresh")))
            may_be.words = policy_names(arena, FG_REFRESH);
    }
    if (fg_str_eq(arg, FG_STR("RULE")))
        may_be.words = FG_STR("auto offer page selector: text");
    may_be.files = fg_str_starts(arg, FG_STR("FILE"));
    may_be.folders = fg_str_starts(arg, FG_STR("DIR")) ||
                     fg_str_starts(arg, FG_STR("FOLDER")) ||
                     fg_str_starts(arg, FG_STR("WORKSPACE"));
    return may_be;
}

struct fg_str fg_choices_commands(struct fg_cli *cli, const struct fg_command *of)
{
    struct fg_str list = {0};
    const struct fg_command *const *all = of ? of->parts : cli->commands;
    for (size_t i = 0; all && all[i]; i++)
        add_word(cli->arena, &list, all[i]->name + (of ? strlen(of->name) + 1 : 0));
    return list;
}

struct fg_str fg_choices_deep(struct fg_cli *cli)
{
    struct fg_str list = {0};
    for (size_t i = 0; cli->commands[i]; i++)
        if (cli->commands[i]->parts)
            list = fg_arena_printf(cli->arena, "%.*s%s%s", FG_ARG(list),
                                   list.len ? "|" : "", cli->commands[i]->name);
    return list.len ? list : FG_STR("''");
}

/* Keys, and groups such as "log". */
static void add_keys(struct fg_cli *cli, struct fg_str *list)
{
    struct fg_str last = {0};
    for (size_t i = 0; i < cli->opts.rows.len; i++) {
        struct fg_str name = fg_str_from(cli->opts.rows.at[i].opt->name);
        size_t dot = fg_str_chr(name, '.');
        struct fg_str group = fg_str_sub(name, 0, dot == FG_NOT_FOUND ? 0 : dot);
        if (group.len && !fg_str_eq(group, last))
            add_word(cli->arena, list, fg_arena_cstr(cli->arena, group));
        if (group.len)
            last = group;
        add_word(cli->arena, list, name.at);
    }
}

static void take_word(struct fg_cli *cli, struct fg_choices *may_be, struct fg_str word)
{
    static const char *const files[] = {"FILE", "OLD", "NEW", "WORKLOAD", "EXPERIMENT"};
    static const char *const folders[] = {"DIR", "FOLDER", "WORKSPACE"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        may_be->files |= fg_str_eq(word, fg_str_from(files[i]));
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        may_be->folders |= fg_str_eq(word, fg_str_from(folders[i]));
    if (fg_str_eq(word, FG_STR("KEY")))
        add_keys(cli, &may_be->words);
    else if (fg_str_eq(word, FG_STR("COMMAND")))
        add_word(cli->arena, &may_be->words, fg_choices_commands(cli, NULL).at);
    else if (fg_str_eq(word, FG_STR("EXPERIMENT")))
        add_word(cli->arena, &may_be->words,
                 fg_arena_cstr(cli->arena, experiment_names(cli)));
    else if (fg_str_eq(word, FG_STR("WORKLOAD")) || fg_str_eq(word, FG_STR("NAME")))
        add_word(cli->arena, &may_be->words, generator_names(cli->arena).at);
    else if (word.len > 1 && word.at[0] >= 'a' && word.at[0] <= 'z')
        add_word(cli->arena, &may_be->words, fg_arena_cstr(cli->arena, word));
}

struct fg_choices fg_choices_of_words(struct fg_cli *cli,
                                      const struct fg_command *command)
{
    struct fg_choices may_be = {0};
    struct fg_str text = fg_str_from(command->words);
    for (size_t i = 0; i < text.len;) {
        size_t n = 0;
        while (i + n < text.len && (fg_is_alnum(text.at[i + n]) || text.at[i + n] == '-'))
            n++;
        take_word(cli, &may_be, fg_str_sub(text, i, i + n));
        i += n ? n : 1;
    }
    return may_be;
}

const struct fg_command **fg_commands_all(struct fg_cli *cli)
{
    FG_VEC(const struct fg_command *) all = {0};
    for (size_t i = 0; cli->commands[i]; i++) {
        const struct fg_command *command = cli->commands[i];
        fg_vec_push_in(cli->arena, &all, command);
        for (size_t j = 0; command->parts && command->parts[j]; j++)
            fg_vec_push_in(cli->arena, &all, command->parts[j]);
    }
    fg_vec_push_in(cli->arena, &all, NULL);
    return all.at;
}

bool fg_opt_is_listed(const struct fg_opt *opt, const char *list)
{
    struct fg_str rest = fg_str_from(list), name;
    while (rest.len && fg_str_cut(&rest, ' ', &name))
        if (fg_opt_under(opt, name))
            return true;
    return false;
}

bool fg_command_heeds(const struct fg_command *command, const struct fg_opt *opt)
{
    return command->settings && fg_opt_is_listed(opt, command->settings);
}

bool fg_opt_is_on(const struct fg_opt *opt)
{
    return opt->type == FG_OPT_BOOL && opt->preset && strcmp(opt->preset, "yes") == 0;
}

static struct fg_str quote(struct fg_arena *arena, struct fg_str text,
                           const char *specials, const char *escapes[])
{
    struct fg_buf out;
    fg_buf_init(&out, 1 << 20);
    fg_buf_add_char(&out, '\'');
    for (size_t i = 0; i < text.len; i++) {
        const char *special = strchr(specials, text.at[i]);
        if (special && text.at[i])
            fg_buf_add(&out, fg_str_from(escapes[special - specials]));
        else
            fg_buf_add_char(&out, text.at[i]);
    }
    fg_buf_add_char(&out, '\'');
    struct fg_str made = fg_arena_dup(arena, fg_buf_str(&out));
    fg_buf_clear(&out);
    return made;
}

struct fg_str fg_quote_posix(struct fg_arena *arena, struct fg_str text)
{
    return quote(arena, text, "'", (const char *[]){"'\\''"});
}

struct fg_str fg_quote_fish(struct fg_arena *arena, struct fg_str text)
{
    return quote(arena, text, "'\\", (const char *[]){"\\'", "\\\\"});
}
