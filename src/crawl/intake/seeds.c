#include "crawl/intake/seeds.h"

#include "net/html/value.h"
#include "net/http/proxy.h"
#include "net/url/url.h"

#include <arpa/inet.h>

bool fg_seed_is_blank(struct fg_str line)
{
    line = fg_str_trim(line);
    return !line.len || line.at[0] == '#';
}

bool fg_seed_set_type(struct fg_seed *seed, struct fg_str type)
{
    seed->is_document = fg_str_eq(type, FG_STR("document"));
    seed->is_feed = fg_str_eq(type, FG_STR("feed"));
    seed->is_source = seed->is_feed || fg_str_eq(type, FG_STR("source"));
    seed->is_page_only =
        seed->is_document || seed->is_feed || fg_str_eq(type, FG_STR("page"));
    return seed->is_source || seed->is_page_only || fg_str_eq(type, FG_STR("site"));
}

static const char *type_of(const struct fg_seed *seed)
{
    return seed->is_document    ? "document"
           : seed->is_feed      ? "feed"
           : seed->is_source    ? "source"
           : seed->is_page_only ? "page"
                                : "site";
}

/* --- one line --- */

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

static enum fg_status set_weight(struct fg_seed *seed, struct fg_str value,
                                 struct fg_err *err)
{
    double weight;
    if (!fg_str_to_double(value, &weight) || !(weight > 0 && weight <= 1e9))
        return fg_fail(err, FG_EINPUT, "weight is '%.*s'; it must be a number above 0",
                       FG_ARG(value));
    seed->weight = (float)weight;
    return FG_OK;
}

static enum fg_status set_budget(struct fg_seed *seed, struct fg_str value,
                                 struct fg_err *err)
{
    if (fg_str_to_double(value, &seed->budget) && seed->budget > 0 && seed->budget <= 1e9)
        return FG_OK;
    return fg_fail(err, FG_EINPUT,
                   "budget is '%.*s'; it must be page requests an hour, above 0",
                   FG_ARG(value));
}

static enum fg_status set_scope(struct fg_seed *seed, struct fg_str value,
                                struct fg_err *err)
{
    if (fg_scope_parse(value, &seed->scope))
        return FG_OK;
    return fg_fail(err, FG_EINPUT,
                   "scope is '%.*s'; it must be page, prefix, host or domain",
                   FG_ARG(value));
}

static enum fg_status set_at_least(struct fg_seed *seed, struct fg_str value,
                                   struct fg_err *err)
{
    if (fg_span_parse(value, &seed->at_least) && seed->at_least > 0)
        return FG_OK;
    return fg_fail(err, FG_EINPUT, "at-least is '%.*s'; it must be a span such as 1h",
                   FG_ARG(value));
}

static void add_meta(struct fg_seed *seed, struct fg_arena *arena, struct fg_str item)
{
    seed->meta =
        arena && seed->meta.len
            ? fg_arena_printf(arena, "%.*s; %.*s", FG_ARG(seed->meta), FG_ARG(item))
            : item;
}

static struct fg_str *text_of(struct fg_seed *seed, struct fg_str key)
{
    const struct {
        struct fg_str key, *text;
    } texts[] = {
        {FG_STR("tags"), &seed->tags},   {FG_STR("page-tags"), &seed->page_tags},
        {FG_STR("name"), &seed->name},   {FG_STR("home"), &seed->home},
        {FG_STR("value"), &seed->value},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (fg_str_eq(key, texts[i].key))
            return texts[i].text;
    return NULL;
}

enum fg_status fg_seed_field(struct fg_seed *seed, struct fg_arena *arena,
                             struct fg_str field, struct fg_err *err)
{
    size_t equals = fg_str_chr(field, '=');
    if (equals == FG_NOT_FOUND)
        return fg_fail(err, FG_EINPUT, "'%.*s' is not key=value", FG_ARG(field));
    struct fg_str key = fg_str_sub(field, 0, equals);
    struct fg_str value = fg_str_skip(field, equals + 1), *text = text_of(seed, key);
    if (text)
        *text = value;
    else if (fg_str_eq(key, FG_STR("meta")))
        add_meta(seed, arena, value);
    else if (fg_str_eq(key, FG_STR("nutch.fetchInterval")) ||
             fg_str_eq(key, FG_STR("nutch.fetchInterval.fixed")))
        add_meta(seed, arena, field);
    else if (fg_str_eq(key, FG_STR("weight")) || fg_str_eq(key, FG_STR("nutch.score")))
        return set_weight(seed, value, err);
    else if (fg_str_eq(key, FG_STR("budget")))
        return set_budget(seed, value, err);
    else if (fg_str_eq(key, FG_STR("scope")))
        return set_scope(seed, value, err);
    else if (fg_str_eq(key, FG_STR("at-least")))
        return set_at_least(seed, value, err);
    else if (fg_str_eq(key, FG_STR("type")))
        return fg_seed_set_type(seed, value)
                   ? FG_OK
                   : fg_fail(err, FG_EINPUT,
                             "type is '%.*s'; it must be site, source, feed, page or "
                             "document",
                             FG_ARG(value));
    else
        return fg_fail(err, FG_ENOTFOUND,
                       "unknown key '%.*s'; there are type, weight, tags, value, "
                       "page-tags, name, home, meta, scope, budget and at-least",
                       FG_ARG(key));
    return text == &seed->value ? fg_seed_check_value(value, err) : FG_OK;
}

enum fg_status fg_seed_parse(struct fg_str *url, struct fg_seed *seed, struct fg_str line,
                             struct fg_err *err)
{
    struct fg_str field;
    enum fg_status st = FG_OK;
    *url = (struct fg_str){0};
    fg_str_cut(&line, '\t', url);
    *url = fg_str_trim(*url);
    while (!st && fg_str_cut(&line, '\t', &field))
        if (fg_str_trim(field).len)
            st = fg_seed_field(seed, NULL, fg_str_trim(field), err);
    return st == FG_ENOTFOUND ? FG_EINPUT : st;
}

enum fg_status fg_seed_check_promise(const struct fg_seed *seed, struct fg_err *err)
{
    if (seed->at_least > 0 && seed->is_page_only && !seed->is_document && !seed->is_feed)
        return fg_fail(err, FG_EINPUT,
                       "a page is fetched once and has no at-least; type=document is "
                       "visited again");
    return FG_OK;
}

static void put_text(struct fg_buf *out, const char *key, struct fg_str text)
{
    if (text.len)
        fg_buf_printf(out, "\t%s=%.*s", key, FG_ARG(text));
}

void fg_seed_format(struct fg_buf *out, struct fg_str url, const struct fg_seed *seed)
{
    fg_buf_add(out, url);
    if (seed->is_source || seed->is_page_only)
        fg_buf_printf(out, "\ttype=%s", type_of(seed));
    if (seed->weight > 0)
        fg_buf_printf(out, "\tweight=%.9g", (double)seed->weight);
    put_text(out, "tags", seed->tags);
    put_text(out, "value", seed->value);
    put_text(out, "page-tags", seed->page_tags);
    put_text(out, "name", seed->name);
    put_text(out, "home", seed->home);
    put_text(out, "meta", seed->meta);
    if (seed->scope)
        fg_buf_printf(out, "\tscope=%s", fg_scope_name(seed->scope));
    if (seed->budget > 0)
        fg_buf_printf(out, "\tbudget=%.9g", seed->budget);
    if (seed->at_least > 0) {
        char span[FG_SPAN_TEXT];
        fg_buf_printf(out, "\tat-least=%s", fg_span_format(span, seed->at_least));
    }
    fg_buf_add_char(out, '\n');
}

void fg_seed_note(struct fg_batch *batch, fg_site_id site, fg_page_id page,
                  const struct fg_seed *seed)
{
    if (seed->page_tags.len || seed->name.len || seed->home.len || seed->meta.len)
        fg_batch_note(batch, &(struct fg_note_row){.site = site,
                                                   .page = page,
                                                   .name = seed->name,
                                                   .tags = seed->page_tags,
                                                   .home = seed->home,
                                                   .meta = seed->meta});
}

/* --- addresses without a scheme --- */

/* No top-level domain is called like one of these. */
static bool is_file_name(struct fg_str host)
{
    static const char *const suffixes[] = {".txt",  ".csv",   ".tsv", ".opml", ".xml",
                                           ".json", ".yaml",  ".yml", ".html", ".htm",
                                           ".list", ".seeds", ".gz",  ".db"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (fg_str_ends(host, fg_str_from(suffixes[i])))
            return true;
    return false;
}

static bool is_host(struct fg_str host, bool has_more)
{
    if (fg_host_is_local(host))
        return true;
    if (host.len && host.at[0] == '[')
        return host.at[host.len - 1] == ']';
    for (size_t i = 0; i < host.len; i++) {
        char c = host.at[i];
        bool fits = fg_is_alnum(c) || c == '-' || c == '_' || (unsigned char)c >= 0x80 ||
                    (c == '.' && i && i + 1 < host.len && host.at[i - 1] != '.');
        if (!fits)
            return false;
    }
    return fg_str_chr(host, '.') != FG_NOT_FOUND && (has_more || !is_file_name(host));
}

/* "a.example" of "a.example:8080/x"; empty if it is not of that form. */
static struct fg_str host_in(struct fg_str text)
{
    size_t end = 0;
    while (end < text.len && text.at[end] != '/' && text.at[end] != '?' &&
           text.at[end] != '#')
        end++;
    struct fg_str host = fg_str_sub(text, 0, end);
    size_t digits = host.len;
    while (digits && fg_is_digit(host.at[digits - 1]))
        digits--;
    bool has_port = digits && digits < host.len && host.at[digits - 1] == ':';
    if (has_port)
        host = fg_str_sub(host, 0, digits - 1);
    return is_host(host, has_port || end < text.len) ? host : (struct fg_str){0};
}

struct fg_str fg_seed_address(struct fg_arena *arena, struct fg_str text)
{
    struct fg_str trimmed = fg_str_trim(text), host = host_in(trimmed);
    if (!host.len)
        return text;
    return fg_arena_printf(arena, "%s://%.*s", fg_host_is_local(host) ? "http" : "https",
                           FG_ARG(trimmed));
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
        !options->who.is_given && !fg_host_is_local(fg_url_hostname(&url)))
        st = fg_fail(err, FG_ECONFIG,
                     "a crawl of '%.*s' needs somebody who answers for it: set "
                     "operator.name or operator.contact (for example --operator-contact "
                     "you@example.org)",
                     FG_ARG(fg_str_sub(fg_url_hostname(&url), 0, 200)));
    fg_arena_clear(&arena);
    return st;
}
