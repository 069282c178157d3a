/* opt.c - the rows together: finding one, setting it, and where its value came from */
#include "base/opt.h"

#include <assert.h>

void fg_opts_add(struct fg_opts *opts, const struct fg_opt *table, void *into)
{
    for (const struct fg_opt *opt = table; opt->name; opt++) {
        struct fg_setting row = {.opt = opt, .value = (char *)into + opt->offset};
        struct fg_err err = {0};
        if (opt->preset)
            fg_opt_parse(row.value, opts->arena, opt, fg_str_from(opt->preset), &err);
        assert(!err.status); /* a default that its own row refuses */
        assert(!fg_opts_find(opts, fg_str_from(opt->name)));
        assert(opt->type != FG_OPT_INT || opt->size == sizeof(int64_t) ||
               (opt->max > 0 && opt->max <= UINT32_MAX));
        fg_vec_push_in(opts->arena, &opts->rows, row);
    }
}

struct fg_setting *fg_opts_find(const struct fg_opts *opts, struct fg_str key)
{
    for (size_t i = 0; i < opts->rows.len; i++)
        if (fg_str_eq(key, fg_str_from(opts->rows.at[i].opt->name)))
            return &opts->rows.at[i];
    return NULL;
}

bool fg_opt_under(const struct fg_opt *opt, struct fg_str name)
{
    struct fg_str key = fg_str_from(opt->name);
    return fg_str_starts(key, name) && (key.len == name.len || key.at[name.len] == '.');
}

/* "delay" was surely meant to be "fetch.delay". */
static bool is_tail(struct fg_str name, struct fg_str key)
{
    return key.len && name.len > key.len + 1 && fg_str_ends(name, key) &&
           name.at[name.len - key.len - 1] == '.';
}

const char *fg_opts_nearest(const struct fg_opts *opts, struct fg_str key)
{
    struct fg_nearest nearest = {.word = key};
    for (size_t i = 0; i < opts->rows.len; i++) {
        const char *name = opts->rows.at[i].opt->name;
        if (is_tail(fg_str_from(name), key))
            fg_nearest_offer(&nearest, name, 1);
        else
            fg_nearest_try(&nearest, name);
    }
    return nearest.name;
}

struct fg_str fg_origin_text(struct fg_arena *arena, const struct fg_origin *origin)
{
    if (origin->layer == FG_LAYER_DEFAULT)
        return FG_STR("default");
    if (!origin->line)
        return origin->name;
    return fg_arena_printf(arena, "%.*s:%zu", FG_ARG(origin->name), origin->line);
}

/* "forage.yaml:3: fetch.delay" for a file; flags and variables say the key already. */
static enum fg_status within(struct fg_opts *opts, const struct fg_opt *opt,
                             const struct fg_origin *origin, enum fg_status st,
                             struct fg_err *err)
{
    struct fg_str where = fg_origin_text(opts->arena, origin);
    if (origin->layer == FG_LAYER_FILE)
        return fg_err_within(err, st, "%.*s: %s", FG_ARG(where), opt->name);
    return fg_err_within(err, st, "%.*s", FG_ARG(where));
}

static void add_entries(struct fg_arena *arena, struct fg_opt_list *list,
                        struct fg_opt_list more)
{
    struct fg_str *all = FG_NEW(arena, struct fg_str, list->len + more.len);
    if (list->len)
        memcpy(all, list->at, list->len * sizeof *all);
    if (more.len)
        memcpy(all + list->len, more.at, more.len * sizeof *all);
    *list = (struct fg_opt_list){all, list->len + more.len};
}

/* Room for a value of any type. */
union any {
    int64_t i;
    double d;
    struct fg_str s;
    struct fg_opt_list list;
};

static void store(struct fg_opts *opts, struct fg_setting *setting, const union any *any,
                  struct fg_origin origin)
{
    if (origin.layer < setting->origin.layer)
        return;
    bool repeated =
        origin.layer == FG_LAYER_FLAG && setting->origin.layer == FG_LAYER_FLAG;
    if (repeated && setting->opt->type == FG_OPT_LIST)
        add_entries(opts->arena, setting->value, any->list);
    else
        memcpy(setting->value, any, setting->opt->size);
    setting->origin = origin;
    setting->origin.name = fg_arena_dup(opts->arena, origin.name);
}

enum fg_status fg_opts_set(struct fg_opts *opts, struct fg_setting *setting,
                           struct fg_str text, struct fg_origin origin,
                           struct fg_err *err)
{
    union any any = {0};
    enum fg_status st = fg_opt_parse(&any, opts->arena, setting->opt, text, err);
    if (st)
        return within(opts, setting->opt, &origin, st, err);
    store(opts, setting, &any, origin);
    return FG_OK;
}

static bool is_same(const struct fg_opt *opt, const void *a, const void *b)
{
    if (opt->type != FG_OPT_STRING && opt->type != FG_OPT_LIST)
        return memcmp(a, b, opt->size) == 0;
    struct fg_arena arena = {0};
    struct fg_setting one = {.opt = opt, .value = (void *)a},
                      other = {opt, (void *)b, {0}};
    bool same = fg_str_eq(fg_setting_text(&arena, &one), fg_setting_text(&arena, &other));
    fg_arena_clear(&arena);
    return same;
}

void fg_opts_update(const struct fg_opt *table, void *into, const void *from,
                    void (*differs)(void *context, const struct fg_opt *opt),
                    void *context)
{
    for (const struct fg_opt *opt = table; opt->name; opt++) {
        void *value = (char *)into + opt->offset;
        const void *fresh = (const char *)from + opt->offset;
        if (is_same(opt, value, fresh))
            continue;
        if (opt->is_live)
            memcpy(value, fresh, opt->size);
        differs(context, opt);
    }
}

struct fg_str fg_opt_flag(struct fg_arena *arena, const struct fg_opt *opt)
{
    struct fg_str flag = fg_arena_printf(arena, "--%s", opt->name);
    char *at = (char *)flag.at; /* fresh from the arena, so ours to change */
    for (size_t i = 0; i < flag.len; i++)
        if (at[i] == '.')
            at[i] = '-';
    return flag;
}

struct fg_str fg_opt_variable(struct fg_arena *arena, const struct fg_opt *opt)
{
    struct fg_str name = fg_arena_printf(arena, "FORAGE_%s", opt->name);
    char *at = (char *)name.at;
    for (size_t i = 0; i < name.len; i++)
        at[i] = at[i] == '.' || at[i] == '-'         ? '_'
                : fg_is_alpha(at[i]) && at[i] >= 'a' ? (char)(at[i] - 'a' + 'A')
                                                     : at[i];
    return name;
}
