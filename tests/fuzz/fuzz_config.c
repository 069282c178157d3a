/* The configuration reader: whatever the file, it ends in settings that their own rows
 * accept, or in a message that fits one line's box. A file that is taken is taken again
 * with the same result once it has been written back as flat keys. */
#include "base/buf.h"
#include "base/opt.h"

#include <assert.h>
#include <stdint.h>

struct settings {
    bool sort;
    int64_t hosts;
    double share;
    fg_time delay;
    size_t max_body;
    struct fg_str token;
    int level;
    struct fg_opt_list drop;
};

static const char *const levels[] = {"low", "high", NULL};
static const struct fg_opt rows[] = {
    {"sort", FG_BOOL(struct settings, sort), "yes", .help = ""},
    {"fetch.hosts", FG_INT(struct settings, hosts), "8", .min = 1, .max = 100,
     .help = ""},
    {"fetch.share", FG_DOUBLE(struct settings, share), "0.5", .max = 1, .help = ""},
    {"fetch.delay", FG_SPAN(struct settings, delay), "5s", .max = 1 * FG_DAY, .help = ""},
    {"fetch.max-body", FG_SIZE(struct settings, max_body), "10MB", .help = ""},
    {"operator.token", FG_STRING(struct settings, token), "forage", .max = 40,
     .help = ""},
    {"level", FG_ENUM(struct settings, level, levels), "low", .help = ""},
    {"url.drop", FG_LIST(struct settings, drop), "a,b", .max = 1000, .help = ""},
    {0},
};

static void check_values(const struct settings *s)
{
    assert(s->hosts >= 1 && s->hosts <= 100);
    assert(s->share >= 0 && s->share <= 1);
    assert(s->delay >= 0 && s->delay <= FG_DAY);
    assert(s->token.len <= 40 && s->token.at[s->token.len] == '\0');
    assert(s->level == 0 || s->level == 1);
    for (size_t i = 0; i < s->drop.len; i++)
        assert(s->drop.at[i].len && !memchr(s->drop.at[i].at, ',', s->drop.at[i].len));
}

/* Set each row of a second world from the text of the first. */
static void check_texts(const struct fg_opts *opts, struct fg_arena *arena)
{
    struct settings again;
    struct fg_opts other = {.arena = arena};
    fg_opts_add(&other, rows, &again);
    for (size_t i = 0; i < opts->rows.len; i++) {
        const struct fg_setting *setting = &opts->rows.at[i];
        struct fg_str text = fg_setting_text(arena, setting);
        struct fg_origin origin = {FG_LAYER_FLAG, FG_STR("--x"), 0};
        struct fg_err err = {0};
        assert(fg_opts_set(&other, &other.rows.at[i], text, origin, &err) == FG_OK);
        /* fifteen digits of a double need not be all of it */
        assert(setting->opt->type == FG_OPT_DOUBLE ||
               fg_str_eq(text, fg_setting_text(arena, &other.rows.at[i])));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fg_arena arena = {0};
    struct fg_opts opts = {.arena = &arena};
    struct settings s;
    struct fg_err err = {0};
    fg_opts_add(&opts, rows, &s);
    enum fg_status st =
        fg_opts_read_yaml(&opts, (struct fg_str){(const char *)data, size}, "f", &err);
    assert(st == FG_OK || (st == FG_ECONFIG && err.text[0] == 'f' && err.text[1] == ':'));
    check_values(&s);
    check_texts(&opts, &arena);
    fg_arena_clear(&arena);
    return 0;
}
