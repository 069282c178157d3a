#include "crawl/seeds.h"

#include "net/proxy.h"
#include "net/url.h"
#include "net/value.h"

#include <arpa/inet.h>

bool fg_seed_is_blank(struct fg_str line)
{
    line = fg_str_trim(line);
    return !line.len || line.at[0] == '#';
}

bool fg_seed_set_type(struct fg_seed *seed, struct fg_str type)
{
    seed->is_document = fg_str_eq(type, FG_STR("document"));
    seed->is_source = fg_str_eq(type, FG_STR("source"));
    seed->is_page_only = seed->is_document || fg_str_eq(type, FG_STR("page"));
    return seed->is_source || seed->is_page_only || fg_str_eq(type, FG_STR("site"));
}

enum fg_status fg_seed_check_value(struct fg_str rule, struct fg_err *err)
{
    struct fg_arena arena = {0};
    struct fg_value_rule parsed;
    enum fg_status st = fg_value_rule_parse(&parsed, &arena, rule, err);
    fg_arena_clear(&arena);
    if (!st && (fg_str_chr(rule, '\t') != FG_NOT_FOUND ||
                fg_str_chr(rule, '\n') != FG_NOT_FOUND))
        st = fg_fail(err, FG_ECONFIG, "a rule has no tabs and newlines");
    return st;
}

static enum fg_status read_field(struct fg_seed *seed, struct fg_str field,
                                 struct fg_err *err)
{
    size_t equals = fg_str_chr(field, '=');
    if (equals == FG_NOT_FOUND)
        return fg_fail(err, FG_EINPUT, "'%.*s' is not key=value", FG_ARG(field));
    struct fg_str key = fg_str_sub(field, 0, equals);
    struct fg_str value = fg_str_skip(field, equals + 1);
    double weight;
    if (fg_str_eq(key, FG_STR("type"))) {
        if (!fg_seed_set_type(seed, value))
            return fg_fail(err, FG_EINPUT,
                           "type is '%.*s'; it must be site, source, page or document",
                           FG_ARG(value));
    } else if (fg_str_eq(key, FG_STR("weight"))) {
        if (!fg_str_to_double(value, &weight) || !(weight > 0 && weight <= 1e9))
            return fg_fail(err, FG_EINPUT,
                           "weight is '%.*s'; it must be a number above 0",
                           FG_ARG(value));
        seed->weight = (float)weight;
    } else if (fg_str_eq(key, FG_STR("tags"))) {
        seed->tags = value;
    } else if (fg_str_eq(key, FG_STR("value"))) {
        seed->value = value;
        return fg_seed_check_value(value, err);
    } else {
        return fg_fail(err, FG_EINPUT,
                       "unknown key '%.*s'; there are type, weight, tags and value",
                       FG_ARG(key));
    }
    return FG_OK;
}

enum fg_status fg_seed_parse(struct fg_str *url, struct fg_seed *seed, struct fg_str line,
                             struct fg_err *err)
{
    struct fg_str field;
    enum fg_status st = FG_OK;
    fg_str_cut(&line, '\t', url);
    *url = fg_str_trim(*url);
    while (!st && fg_str_cut(&line, '\t', &field))
        if (fg_str_trim(field).len)
            st = read_field(seed, fg_str_trim(field), err);
    return st;
}

void fg_seed_format(struct fg_buf *out, struct fg_str url, const struct fg_seed *seed)
{
    fg_buf_add(out, url);
    if (seed->is_document || seed->is_source || seed->is_page_only)
        fg_buf_printf(out, "\ttype=%s",
                      seed->is_document ? "document"
                      : seed->is_source ? "source"
                                        : "page");
    if (seed->weight > 0)
        fg_buf_printf(out, "\tweight=%.9g", (double)seed->weight);
    if (seed->tags.len)
        fg_buf_printf(out, "\ttags=%.*s", FG_ARG(seed->tags));
    if (seed->value.len)
        fg_buf_printf(out, "\tvalue=%.*s", FG_ARG(seed->value));
    fg_buf_add_char(out, '\n');
}

/* With the words and the status that any other command has for it. */
enum fg_status fg_seed_check_url(struct fg_str text, struct fg_err *err)
{
    struct fg_arena arena = {0};
    struct fg_url url;
    struct fg_str shown = fg_str_sub(text, 0, 200);
    enum fg_status st = FG_OK;
    text = fg_str_trim(text);
    if (!fg_url_parse(&url, &arena, text, NULL))
        st = fg_fail(err, FG_ECONFIG, "'%.*s' is not an absolute URL: %s", FG_ARG(shown),
                     fg_url_reason(&arena, text, NULL));
    else if (!fg_url_is_http(&url))
        st = fg_fail(err, FG_ECONFIG, "'%.*s' is not an http or https address",
                     FG_ARG(shown));
    fg_arena_clear(&arena);
    return st;
}

/* A name that merely starts like an address, "127.0.0.1.a.example", is not one. */
enum fg_status fg_seed_check(const struct fg_crawl_options *options, struct fg_str text,
                             struct fg_err *err)
{
    struct fg_arena arena = {0};
    struct fg_url url;
    enum fg_status st = fg_seed_check_url(text, err);
    if (!st && fg_url_parse(&url, &arena, fg_str_trim(text), NULL) &&
        !options->has_operator && !fg_host_is_local(fg_url_hostname(&url)))
        st = fg_fail(err, FG_ECONFIG,
                     "a crawl of '%.*s' needs somebody who answers for it: set "
                     "operator.name or operator.contact (for example --operator-contact "
                     "you@example.org)",
                     FG_ARG(fg_str_sub(fg_url_hostname(&url), 0, 200)));
    fg_arena_clear(&arena);
    return st;
}
