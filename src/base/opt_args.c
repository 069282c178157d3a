/* opt_args.c - options from the command line and from the environment */
#include "base/opt.h"

static char as_dash(char c)
{
    return c == '.' || c == '_' ? '-' : c;
}

static char as_key(char c)
{
    return as_dash(fg_lower(c));
}

/* The same once both are spelt one way: "fetch.max-body", "fetch-max-body",
 * "FETCH_MAX_BODY". No two keys may coincide so; test_settings.c sees to it. */
static bool same_spelling(struct fg_str a, struct fg_str b, char (*spell)(char))
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (spell(a.at[i]) != spell(b.at[i]))
            return false;
    return true;
}

static struct fg_setting *find_spelt(const struct fg_opts *opts, struct fg_str name,
                                     char (*spell)(char))
{
    for (size_t i = 0; opts && i < opts->rows.len; i++)
        if (same_spelling(fg_str_from(opts->rows.at[i].opt->name), name, spell))
            return &opts->rows.at[i];
    return NULL;
}

static struct fg_setting *find_letter(const struct fg_opts *opts, char letter)
{
    for (size_t i = 0; opts && i < opts->rows.len; i++)
        if (opts->rows.at[i].opt->letter == letter)
            return &opts->rows.at[i];
    return NULL;
}

/* A flag as found: its row, the set that row is of, and its name as the user typed it. */
struct flag {
    struct fg_opts *set;
    struct fg_setting *setting;
    struct fg_str typed;
};

static bool find_flag(struct fg_args *args, struct flag *flag, struct fg_str name)
{
    struct fg_opts *sets[] = {args->own, args->shared};
    for (size_t i = 0; i < 2; i++) {
        flag->set = sets[i];
        flag->setting = find_spelt(sets[i], name, as_dash);
        if (flag->setting)
            return true;
    }
    return false;
}

static enum fg_status set_flag(const struct flag *flag, struct fg_str value,
                               struct fg_err *err)
{
    struct fg_origin origin = {FG_LAYER_FLAG, flag->typed, 0};
    return fg_opts_set(flag->set, flag->setting, value, origin, err);
}

/* Case and dashes are ignored in the comparison, so that "--Log_Level" finds its way. */
static const char *nearest_flag(const struct fg_args *args, struct fg_arena *arena,
                                struct fg_str name)
{
    struct fg_opts *sets[] = {args->own, args->shared};
    struct fg_nearest nearest = {.word = name};
    for (size_t i = 0; i < 2; i++)
        for (size_t j = 0; sets[i] && j < sets[i]->rows.len; j++) {
            struct fg_str flag = fg_opt_flag(arena, sets[i]->rows.at[j].opt);
            bool is_same = same_spelling(fg_str_skip(flag, 2), name, as_key);
            if (is_same)
                fg_nearest_offer(&nearest, flag.at + 2, 0);
            else
                fg_nearest_try(&nearest, flag.at + 2);
        }
    return nearest.name;
}

static enum fg_status unknown_flag(const struct fg_args *args, struct fg_str name,
                                   struct fg_err *err)
{
    struct fg_arena arena = {0};
    const char *nearest = nearest_flag(args, &arena, name);
    enum fg_status st =
        nearest ? fg_fail(err, FG_ECONFIG, "unknown flag '--%.*s'; did you mean '--%s'?",
                          FG_ARG(fg_str_sub(name, 0, 60)), nearest)
                : fg_fail(err, FG_ECONFIG, "unknown flag '--%.*s'",
                          FG_ARG(fg_str_sub(name, 0, 60)));
    fg_arena_clear(&arena);
    return st;
}

static enum fg_status no_value(const struct flag *flag, struct fg_err *err)
{
    return fg_fail(err, FG_ECONFIG, "%.*s needs a value: %.*s %s", FG_ARG(flag->typed),
                   FG_ARG(flag->typed), fg_opt_arg(flag->setting->opt));
}

/* "--no-name", which is "name" set to "no"; false if there is no such bool. */
static bool find_negated(struct fg_args *args, struct flag *flag, struct fg_str name)
{
    return fg_str_starts(name, FG_STR("no-")) &&
           find_flag(args, flag, fg_str_skip(name, 3)) &&
           flag->setting->opt->type == FG_OPT_BOOL;
}

static enum fg_status read_long(struct fg_args *args, struct fg_str text,
                                struct fg_err *err)
{
    size_t equals = fg_str_chr(text, '=');
    bool has_value = equals != FG_NOT_FOUND;
    struct fg_str typed = fg_str_sub(text, 0, equals), name = fg_str_skip(typed, 2);
    struct fg_str value = has_value ? fg_str_skip(text, equals + 1) : (struct fg_str){0};
    struct flag flag = {.typed = typed};
    if (!find_flag(args, &flag, name)) {
        if (!find_negated(args, &flag, name))
            return unknown_flag(args, name, err);
        return has_value ? fg_fail(err, FG_ECONFIG, "%.*s takes no value", FG_ARG(typed))
                         : set_flag(&flag, FG_STR("no"), err);
    }
    if (!has_value && flag.setting->opt->type == FG_OPT_BOOL)
        return set_flag(&flag, FG_STR("yes"), err);
    if (!has_value) {
        if (!*args->at)
            return no_value(&flag, err);
        value = fg_str_from(*args->at++);
    }
    return set_flag(&flag, value, err);
}

static enum fg_status unknown_letter(const char *flag, struct fg_str text,
                                     struct fg_err *err)
{
    if (text.len == 2)
        return fg_fail(err, FG_ECONFIG, "unknown flag '%s'", flag);
    return fg_fail(err, FG_ECONFIG, "unknown flag '%s' in '%.*s'", flag,
                   FG_ARG(fg_str_sub(text, 0, 60)));
}

/* "-jq", "-w DIR", "-wDIR" */
static enum fg_status read_short(struct fg_args *args, struct fg_str text,
                                 struct fg_err *err)
{
    enum fg_status st = FG_OK;
    for (size_t i = 1; !st && i < text.len; i++) {
        char letters[] = {'-', text.at[i], '\0'};
        struct flag flag = {args->own, find_letter(args->own, text.at[i]),
                            fg_str_from(letters)};
        if (!flag.setting) {
            flag.set = args->shared;
            flag.setting = find_letter(args->shared, text.at[i]);
        }
        if (!flag.setting)
            return unknown_letter(letters, text, err);
        if (flag.setting->opt->type == FG_OPT_BOOL) {
            st = set_flag(&flag, FG_STR("yes"), err);
            continue;
        }
        if (i + 1 < text.len)
            return set_flag(&flag, fg_str_skip(text, i + 1), err);
        if (!*args->at)
            return no_value(&flag, err);
        return set_flag(&flag, fg_str_from(*args->at++), err);
    }
    return st;
}

enum fg_status fg_args_next(struct fg_args *args, const char **word, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    *word = NULL;
    while (!st && *args->at) {
        struct fg_str text = fg_str_from(*args->at++);
        if (args->only_words || text.len < 2 || text.at[0] != '-') {
            *word = text.at;
            return FG_OK;
        }
        if (fg_str_eq(text, FG_STR("--")))
            args->only_words = true;
        else if (text.at[1] == '-')
            st = read_long(args, text, err);
        else
            st = read_short(args, text, err);
    }
    return st;
}

static const struct fg_str prefix = {"FORAGE_", 7};

static bool is_exempt(struct fg_str name, const char *const *exempt)
{
    for (; exempt && *exempt; exempt++) {
        struct fg_str one = fg_str_from(*exempt);
        bool family = fg_str_ends(one, FG_STR("*"));
        if (family ? fg_str_starts(name, fg_str_sub(one, 0, one.len - 1))
                   : fg_str_eq(name, one))
            return true;
    }
    return false;
}

static enum fg_status unknown_variable(struct fg_opts *opts, struct fg_str name,
                                       struct fg_err *err)
{
    /* What all names share is no likeness. */
    struct fg_nearest nearest = {.word = fg_str_skip(name, prefix.len)};
    for (size_t i = 0; i < opts->rows.len; i++)
        fg_nearest_try(&nearest, fg_opt_variable(opts->arena, opts->rows.at[i].opt).at +
                                     prefix.len);
    name = fg_str_sub(name, 0, 60);
    if (nearest.name)
        return fg_fail(err, FG_ECONFIG,
                       "unknown environment variable %.*s; did you mean %.*s%s?",
                       FG_ARG(name), FG_ARG(prefix), nearest.name);
    return fg_fail(err, FG_ECONFIG,
                   "unknown environment variable %.*s; those that start with FORAGE_ are "
                   "settings",
                   FG_ARG(name));
}

enum fg_status fg_opts_read_env(struct fg_opts *opts, char *const *environment,
                                const char *const *exempt, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    for (; !st && *environment; environment++) {
        struct fg_str text = fg_str_from(*environment);
        size_t equals = fg_str_chr(text, '=');
        struct fg_str name = fg_str_sub(text, 0, equals);
        if (!fg_str_starts(name, prefix) || is_exempt(name, exempt))
            continue;
        struct fg_setting *setting =
            find_spelt(opts, fg_str_skip(name, prefix.len), as_key);
        struct fg_origin origin = {FG_LAYER_ENV, name, 0};
        st = setting ? fg_opts_set(opts, setting, fg_str_skip(text, name.len + 1), origin,
                                   err)
                     : unknown_variable(opts, name, err);
    }
    return st;
}
