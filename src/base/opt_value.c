/* opt_value.c - one value: from text, to text, and in words what it may be */
#include "base/opt.h"

#include "base/buf.h"
#include "base/plain.h"
#include "base/size.h"

#include <math.h>
#include <stdio.h>

enum { SHOWN = 60, LIST_MAX = 1000 };

/* A wrong value is quoted in the message, but not all of a megabyte. */
static struct fg_str shown(struct fg_str text)
{
    return fg_str_sub(text, 0, SHOWN);
}

static const char *sample_of(enum fg_opt_type type)
{
    switch (type) {
    case FG_OPT_BOOL:
        return "yes or no";
    case FG_OPT_INT:
        return "a whole number";
    case FG_OPT_DOUBLE:
        return "a number";
    case FG_OPT_SPAN:
        return "a span of time with its unit, such as 250ms, 15m or 1h30m";
    case FG_OPT_SIZE:
        return "an amount of bytes with its unit, such as 64KiB or 10MB";
    case FG_OPT_LIST:
        return "words with commas between them";
    default:
        return "a text";
    }
}

static bool parse_bool(struct fg_str text, bool *value)
{
    static const char *const words[] = {"no",  "yes", "false", "true",
                                        "off", "on",  "0",     "1"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (fg_str_eq_nocase(text, fg_str_from(words[i]))) {
            *value = i % 2;
            return true;
        }
    return false;
}

/* Spans, sizes and numbers, as one number for the range and as what is stored. */
static bool parse_number(void *value, const struct fg_opt *opt, struct fg_str text,
                         double *number)
{
    bool ok;
    if (opt->type == FG_OPT_INT) {
        int64_t whole = 0;
        ok = fg_str_to_i64(text, &whole);
        *number = (double)whole;
        if (opt->size == sizeof(uint32_t))
            *(uint32_t *)value = (uint32_t)whole; /* if the row's limits allow it */
        else
            *(int64_t *)value = whole;
    } else if (opt->type == FG_OPT_SPAN) {
        ok = fg_span_parse(text, value);
        *number = ok ? (double)*(fg_time *)value : 0;
    } else if (opt->type == FG_OPT_SIZE) {
        ok = fg_size_parse(text, value);
        *number = ok ? (double)*(size_t *)value : 0;
    } else {
        ok = fg_str_to_double(text, value);
        *number = ok ? *(double *)value : 0;
    }
    return ok;
}

static bool in_range(const struct fg_opt *opt, double number)
{
    return (opt->min == 0 && opt->max == 0) || (number >= opt->min && number <= opt->max);
}

static enum fg_status refuse_range(struct fg_arena *arena, const struct fg_opt *opt,
                                   struct fg_str text, struct fg_err *err)
{
    return fg_fail(err, FG_ECONFIG, "'%.*s' is out of range; write %.*s",
                   FG_ARG(shown(text)), FG_ARG(fg_opt_range(arena, opt)));
}

static bool lacks_unit(enum fg_opt_type type, struct fg_str text)
{
    double number;
    return (type == FG_OPT_SPAN || type == FG_OPT_SIZE) &&
           fg_str_to_double(text, &number);
}

static enum fg_status refuse_form(const struct fg_opt *opt, struct fg_str text,
                                  struct fg_err *err)
{
    if (lacks_unit(opt->type, text))
        return fg_fail(err, FG_ECONFIG, "'%.*s' has no unit; write %s",
                       FG_ARG(shown(text)), sample_of(opt->type));
    return fg_fail(err, FG_ECONFIG, "'%.*s' is not %s", FG_ARG(shown(text)),
                   sample_of(opt->type));
}

static enum fg_status refuse_choice(struct fg_arena *arena, const struct fg_opt *opt,
                                    struct fg_str text, struct fg_err *err)
{
    return fg_fail(err, FG_ECONFIG, "'%.*s' is not one of %.*s", FG_ARG(shown(text)),
                   FG_ARG(fg_opt_range(arena, opt)));
}

/* Quoted as it is, the value would end at the NUL. */
static enum fg_status refuse_nul(struct fg_str text, struct fg_err *err)
{
    struct fg_buf plain;
    fg_buf_init(&plain, (size_t)1 << 12);
    fg_plain_add(&plain, shown(text));
    enum fg_status st =
        fg_fail(err, FG_ECONFIG, "'%.*s' has a NUL in it", FG_ARG(fg_buf_str(&plain)));
    fg_buf_clear(&plain);
    return st;
}

static enum fg_status check_text(const struct fg_opt *opt, struct fg_str text,
                                 struct fg_err *err)
{
    const char *why = opt->refuse ? opt->refuse(text) : NULL;
    if (why)
        return fg_fail(err, FG_ECONFIG, "'%.*s' %s", FG_ARG(shown(text)), why);
    return opt->check ? opt->check(text, err) : FG_OK;
}

static enum fg_status parse_list(struct fg_opt_list *list, struct fg_arena *arena,
                                 const struct fg_opt *opt, struct fg_str text,
                                 struct fg_err *err)
{
    FG_VEC(struct fg_str) parts = {0};
    struct fg_str rest = text, part;
    enum fg_status st = FG_OK;
    while (!st && text.len && fg_str_cut(&rest, ',', &part)) {
        part = fg_str_trim(part);
        st = parts.len == LIST_MAX
                 ? fg_fail(err, FG_ECONFIG, "more than %d entries", LIST_MAX)
             : !part.len ? fg_fail(err, FG_ECONFIG, "'%.*s' has an empty entry",
                                   FG_ARG(shown(text)))
                         : check_text(opt, part, err);
        if (!st)
            fg_vec_push_in(arena, &parts, fg_arena_dup(arena, part));
    }
    *list = (struct fg_opt_list){parts.at, parts.len};
    return st;
}

static void put_text(void *value, const struct fg_opt *opt, struct fg_str text)
{
    if (opt->size == sizeof(const char *))
        *(const char **)value = text.len ? text.at : NULL;
    else
        *(struct fg_str *)value = text;
}

enum fg_status fg_opt_parse(void *value, struct fg_arena *arena, const struct fg_opt *opt,
                            struct fg_str text, struct fg_err *err)
{
    enum fg_status st;
    double number;
    if (fg_str_chr(text, '\0') != FG_NOT_FOUND)
        return refuse_nul(text, err);
    switch (opt->type) {
    case FG_OPT_BOOL:
        return parse_bool(text, value) ? FG_OK : refuse_form(opt, text, err);
    case FG_OPT_INT:
    case FG_OPT_DOUBLE:
    case FG_OPT_SPAN:
    case FG_OPT_SIZE:
        if (!parse_number(value, opt, text, &number))
            return refuse_form(opt, text, err);
        return in_range(opt, number) ? FG_OK : refuse_range(arena, opt, text, err);
    case FG_OPT_ENUM:
        for (int i = 0; opt->choices[i]; i++)
            if (fg_str_eq(text, fg_str_from(opt->choices[i]))) {
                *(int *)value = i;
                return FG_OK;
            }
        return refuse_choice(arena, opt, text, err);
    case FG_OPT_LIST:
        st = parse_list(value, arena, opt, text, err);
        if (!st && !in_range(opt, (double)((struct fg_opt_list *)value)->len))
            st = refuse_range(arena, opt, text, err);
        return st;
    case FG_OPT_STRING:
        st = check_text(opt, text, err);
        if (!st && !in_range(opt, (double)text.len))
            st = refuse_range(arena, opt, text, err);
        if (!st)
            put_text(value, opt, fg_arena_dup(arena, text));
        return st;
    }
    return fg_fail(err, FG_ECONFIG, "an option of no known type");
}

const char *fg_opt_arg(const struct fg_opt *opt)
{
    static const char *const names[] = {
        [FG_OPT_BOOL] = NULL,   [FG_OPT_INT] = "N",        [FG_OPT_DOUBLE] = "X",
        [FG_OPT_SPAN] = "SPAN", [FG_OPT_SIZE] = "SIZE",    [FG_OPT_STRING] = "TEXT",
        [FG_OPT_ENUM] = "WORD", [FG_OPT_LIST] = "A,B,...",
    };
    return opt->arg ? opt->arg : names[opt->type];
}

static struct fg_str number_text(struct fg_arena *arena, const struct fg_opt *opt,
                                 double number)
{
    char text[FG_SPAN_TEXT];
    if (opt->type == FG_OPT_SPAN)
        fg_span_format(text, (fg_time)number);
    else if (opt->type == FG_OPT_SIZE)
        fg_size_format(text, (size_t)number);
    else
        snprintf(text, sizeof text, "%.15g", number);
    return fg_arena_dup(arena, fg_str_from(text));
}

static struct fg_str joined(struct fg_arena *arena, const struct fg_str *parts, size_t n,
                            struct fg_str between)
{
    struct fg_buf buf;
    fg_buf_init(&buf, (size_t)1 << 24);
    for (size_t i = 0; i < n; i++) {
        fg_buf_add(&buf, i ? between : (struct fg_str){0});
        fg_buf_add(&buf, parts[i]);
    }
    struct fg_str text = fg_arena_dup(arena, fg_buf_str(&buf));
    fg_buf_clear(&buf);
    return text;
}

static struct fg_str choices_text(struct fg_arena *arena, const struct fg_opt *opt)
{
    size_t n = 0;
    while (opt->choices[n])
        n++;
    struct fg_str *words = FG_NEW(arena, struct fg_str, n);
    for (size_t i = 0; i < n; i++)
        words[i] = fg_str_from(opt->choices[i]);
    return joined(arena, words, n, FG_STR(", "));
}

struct fg_str fg_opt_range(struct fg_arena *arena, const struct fg_opt *opt)
{
    if (opt->type == FG_OPT_ENUM)
        return choices_text(arena, opt);
    if (opt->min == 0 && opt->max == 0)
        return fg_str_from(opt->arg ? opt->arg : sample_of(opt->type));
    const char *what = opt->type == FG_OPT_STRING ? " bytes"
                       : opt->type == FG_OPT_LIST ? " entries"
                                                  : "";
    struct fg_str min = number_text(arena, opt, opt->min);
    if (isinf(opt->max))
        return fg_arena_printf(arena, "at least %.*s%s", FG_ARG(min), what);
    return fg_arena_printf(arena, "%.*s to %.*s%s", FG_ARG(min),
                           FG_ARG(number_text(arena, opt, opt->max)), what);
}

struct fg_str fg_setting_str(const struct fg_setting *setting)
{
    if (setting->opt->size != sizeof(const char *))
        return *(struct fg_str *)setting->value;
    const char *text = *(const char **)setting->value;
    return text ? fg_str_from(text) : (struct fg_str){0};
}

int64_t fg_setting_int(const struct fg_setting *setting)
{
    return setting->opt->size == sizeof(uint32_t) ? *(uint32_t *)setting->value
                                                  : *(int64_t *)setting->value;
}

struct fg_str fg_setting_text(struct fg_arena *arena, const struct fg_setting *setting)
{
    char text[FG_SPAN_TEXT];
    const struct fg_opt *opt = setting->opt;
    const struct fg_opt_list *list;
    switch (opt->type) {
    case FG_OPT_BOOL:
        return *(bool *)setting->value ? FG_STR("yes") : FG_STR("no");
    case FG_OPT_INT:
        return fg_arena_printf(arena, "%lld", (long long)fg_setting_int(setting));
    case FG_OPT_DOUBLE:
        return fg_arena_printf(arena, "%.15g", *(double *)setting->value);
    case FG_OPT_SPAN:
        return fg_arena_dup(
            arena, fg_str_from(fg_span_format(text, *(fg_time *)setting->value)));
    case FG_OPT_SIZE:
        return fg_arena_dup(arena,
                            fg_str_from(fg_size_format(text, *(size_t *)setting->value)));
    case FG_OPT_STRING:
        return fg_setting_str(setting);
    case FG_OPT_ENUM:
        return fg_str_from(opt->choices[*(int *)setting->value]);
    case FG_OPT_LIST:
        list = setting->value;
        return joined(arena, list->at, list->len, FG_STR(","));
    }
    return FG_STR("");
}
