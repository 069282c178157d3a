/* opt_yaml.c - options from a configuration file
 *
 * libyaml hands over events and we walk them once, with the path of keys so far in one
 * buffer. Nothing is built in memory, so there is nothing that an alias could multiply;
 * they are refused all the same, since the words "unknown anchor" help nobody. */
#include "base/opt.h"

#include "base/buf.h"
#include "base/map.h"
#include "base/yaml_event.h"

enum { KEY_MAX = 128 };

struct reader {
    yaml_parser_t parser;
    yaml_event_t event; /* the one being looked at */
    struct fg_opts *opts;
    struct fg_str text;
    const char *name;
    struct fg_buf key;     /* "fetch.delay" */
    struct fg_arena arena; /* of `seen` */
    struct fg_names seen;  /* each key, and the line it stands on */
    struct fg_err *err;
};

static size_t line_of(const struct reader *r)
{
    return r->event.start_mark.line + 1;
}

static enum fg_status refuse(struct reader *r, const char *what)
{
    return fg_fail(r->err, FG_ECONFIG, "%s:%zu: %s", r->name, line_of(r), what);
}

static enum fg_status refuse_key(struct reader *r, const char *what)
{
    return fg_fail(r->err, FG_ECONFIG, "%s:%zu: %.*s: %s", r->name, line_of(r),
                   FG_ARG(fg_buf_str(&r->key)), what);
}

static size_t line_at(const struct reader *r, size_t offset)
{
    size_t line = 1;
    for (size_t i = 0; i < offset && i < r->text.len; i++)
        line += r->text.at[i] == '\n';
    return line;
}

/* --- what people get wrong most: indentation --- */

struct line {
    struct fg_str text;
    size_t number, indent;
};

/* The next line that says something. */
static bool next_line(struct fg_str *rest, struct line *line)
{
    while (rest->len && fg_str_cut(rest, '\n', &line->text)) {
        line->number++;
        line->indent = 0;
        while (line->indent < line->text.len && line->text.at[line->indent] == ' ')
            line->indent++;
        struct fg_str words = fg_str_trim(line->text);
        if (words.len && words.at[0] != '#')
            return true;
    }
    return false;
}

static bool is_tabbed(const struct line *line)
{
    return line->indent < line->text.len && line->text.at[line->indent] == '\t';
}

/* Lines that are further in may follow "key:", and lines further out must go back to an
 * indentation that there was. */
static enum fg_status check_indentation(const struct reader *r, size_t until)
{
    struct fg_str rest = r->text;
    struct line line = {0};
    size_t open[FG_YAML_DEPTH + 2] = {0}, depth = 0, before = 0;
    bool may_open = true;
    while (next_line(&rest, &line) && line.number <= until) {
        if (!before)
            open[0] = line.indent;
        if (is_tabbed(&line))
            return fg_fail(r->err, FG_ECONFIG,
                           "%s:%zu: tab used for indentation; use spaces", r->name,
                           line.number);
        while (depth && open[depth] > line.indent)
            depth--;
        if (open[depth] != line.indent && (!may_open || depth == FG_YAML_DEPTH + 1))
            return fg_fail(r->err, FG_ECONFIG,
                           "%s:%zu: indentation does not match line %zu", r->name,
                           line.number, before);
        if (open[depth] != line.indent)
            open[++depth] = line.indent;
        before = line.number;
        may_open = fg_str_ends(fg_str_trim(line.text), FG_STR(":"));
    }
    return FG_OK;
}

/* Can indentation be to blame? Not within brackets and quotes. */
static bool is_of_lines(const yaml_parser_t *p)
{
    return p->error != YAML_READER_ERROR &&
           !(p->context && (strstr(p->context, "flow") || strstr(p->context, "quoted")));
}

static enum fg_status not_yaml(struct reader *r)
{
    const yaml_parser_t *p = &r->parser;
    if (is_of_lines(p) && check_indentation(r, p->problem_mark.line + 1))
        return FG_ECONFIG;
    /* Errors of encoding know an offset in bytes, those of syntax a line. */
    if (p->error == YAML_READER_ERROR)
        return fg_fail(r->err, FG_ECONFIG, "%s:%zu: not YAML: %s at byte %zu", r->name,
                       line_at(r, p->problem_offset),
                       p->problem ? p->problem : "broken text", p->problem_offset);
    const char *problem = p->problem ? p->problem : "broken syntax";
    if (p->context && p->context_mark.line != p->problem_mark.line)
        return fg_fail(r->err, FG_ECONFIG, "%s:%zu: not YAML: %s %s from line %zu on",
                       r->name, p->problem_mark.line + 1, problem, p->context,
                       p->context_mark.line + 1);
    return fg_fail(r->err, FG_ECONFIG, "%s:%zu: not YAML: %s", r->name,
                   p->problem_mark.line + 1, problem);
}

static enum fg_status next_event(struct reader *r)
{
    yaml_event_delete(&r->event);
    if (!yaml_parser_parse(&r->parser, &r->event))
        return not_yaml(r);
    return fg_yaml_is_decorated(&r->event)
               ? refuse(r,
                        "anchors (&), aliases (*) and tags (!) are not understood here")
               : FG_OK;
}

static struct fg_str scalar_text(const yaml_event_t *event)
{
    return (struct fg_str){(const char *)event->data.scalar.value,
                           event->data.scalar.length};
}

static bool is_null(const yaml_event_t *event)
{
    struct fg_str text = scalar_text(event);
    return event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
           (!text.len || fg_str_eq(text, FG_STR("~")) || fg_str_eq(text, FG_STR("null")));
}

/* "fetch" is one if there is a "fetch.delay". */
static bool is_group(const struct reader *r, struct fg_str key)
{
    for (size_t i = 0; i < r->opts->rows.len; i++)
        if (fg_opt_under(r->opts->rows.at[i].opt, key))
            return true;
    return false;
}

static enum fg_status unknown_key(struct reader *r)
{
    struct fg_str key = fg_buf_str(&r->key);
    const char *nearest = fg_opts_nearest(r->opts, key);
    if (nearest)
        return fg_fail(r->err, FG_ECONFIG,
                       "%s:%zu: unknown key '%.*s'; did you mean '%s'?", r->name,
                       line_of(r), FG_ARG(key), nearest);
    return fg_fail(r->err, FG_ECONFIG,
                   "%s:%zu: unknown key '%.*s'; 'forage help settings' lists them all",
                   r->name, line_of(r), FG_ARG(key));
}

static enum fg_status set(struct reader *r, struct fg_setting *setting,
                          struct fg_str text, size_t line)
{
    if (setting->opt->not_in_files)
        return refuse_key(r, "can be set by a flag or in the environment only");
    struct fg_origin origin = {FG_LAYER_FILE, fg_str_from(r->name), line};
    return fg_opts_set(r->opts, setting, text, origin, r->err);
}

/* "level: debug" and, further in on the next line, "file: x" are the words "debug file"
 * to YAML, up to the colon. */
static enum fg_status check_one_line(const struct reader *r)
{
    size_t last = r->event.end_mark.line + 1;
    if (r->event.data.scalar.style != YAML_PLAIN_SCALAR_STYLE || last <= line_of(r))
        return FG_OK;
    struct fg_str rest = r->text;
    struct line line = {0};
    while (next_line(&rest, &line) && line.number < last)
        ;
    bool has_key = fg_str_ends(fg_str_trim(line.text), FG_STR(":")) ||
                   fg_str_find(line.text, FG_STR(": ")) != FG_NOT_FOUND;
    return line.number == last && has_key ? check_indentation(r, last) : FG_OK;
}

static enum fg_status read_scalar(struct reader *r)
{
    enum fg_status st = check_one_line(r);
    if (st)
        return st;
    struct fg_str key = fg_buf_str(&r->key);
    struct fg_setting *setting = fg_opts_find(r->opts, key);
    bool null = is_null(&r->event);
    if (!setting && is_group(r, key))
        return null ? FG_OK : refuse_key(r, "a group of settings, not a setting");
    if (!setting)
        return unknown_key(r);
    if (null)
        return refuse_key(r, "has no value");
    return set(r, setting, scalar_text(&r->event), line_of(r));
}

static enum fg_status add_entry(struct reader *r, struct fg_buf *entries)
{
    if (r->event.type != YAML_SCALAR_EVENT)
        return refuse_key(r, "a list of plain words is expected");
    struct fg_str text = fg_str_trim(scalar_text(&r->event));
    if (!text.len || is_null(&r->event))
        return refuse_key(r, "an empty entry in a list");
    if (fg_str_chr(text, ',') != FG_NOT_FOUND)
        return refuse_key(r, "a comma in an entry of a list");
    if (entries->len)
        fg_buf_add_char(entries, ',');
    fg_buf_add(entries, text);
    return FG_OK;
}

/* The entries are joined by commas again, which is the one form a list is read from. */
static enum fg_status read_sequence(struct reader *r)
{
    size_t line = line_of(r);
    struct fg_setting *setting = fg_opts_find(r->opts, fg_buf_str(&r->key));
    if (!setting)
        return is_group(r, fg_buf_str(&r->key))
                   ? refuse_key(r, "a group of settings, not a list")
                   : unknown_key(r);
    if (setting->opt->type != FG_OPT_LIST)
        return refuse_key(r, "one value is expected, not a list");
    struct fg_buf entries;
    fg_buf_init(&entries, 2 * FG_YAML_MAX);
    enum fg_status st;
    while (!(st = next_event(r)) && r->event.type != YAML_SEQUENCE_END_EVENT)
        if ((st = add_entry(r, &entries)))
            break;
    if (!st)
        st = set(r, setting, fg_buf_str(&entries), line);
    fg_buf_clear(&entries);
    return st;
}

/* Append the key of an entry to the path. YAML asks for keys to be unique, but libyaml
 * leaves that to us. */
static enum fg_status push_key(struct reader *r)
{
    if (r->event.type != YAML_SCALAR_EVENT)
        return refuse(r, "a key must be a plain word");
    if (fg_str_chr(scalar_text(&r->event), '\0') != FG_NOT_FOUND)
        return refuse(r, "a key with a NUL in it");
    if (r->key.len)
        fg_buf_add_char(&r->key, '.');
    fg_buf_add(&r->key, scalar_text(&r->event));
    if (r->key.full)
        return refuse(r, "a key of more than 128 bytes");
    uint64_t *line = fg_names_put(&r->seen, fg_buf_str(&r->key));
    if (*line)
        return fg_fail(
            r->err, FG_ECONFIG, "%s:%zu: %.*s: given twice; the first is on line %llu",
            r->name, line_of(r), FG_ARG(fg_buf_str(&r->key)), (unsigned long long)*line);
    *line = line_of(r);
    return FG_OK;
}

static enum fg_status read_mapping(struct reader *r, int depth)
{
    size_t outer = r->key.len, entries = 0;
    enum fg_status st = FG_OK;
    if (depth > FG_YAML_DEPTH)
        return refuse(r, "nested too deeply");
    if (fg_opts_find(r->opts, fg_buf_str(&r->key)))
        return refuse_key(r, "a value is expected, not further keys");
    while (!st && !(st = next_event(r)) && r->event.type != YAML_MAPPING_END_EVENT) {
        entries++;
        st = push_key(r);
        if (!st)
            st = next_event(r);
        if (st)
            break;
        if (r->event.type == YAML_MAPPING_START_EVENT)
            st = read_mapping(r, depth + 1);
        else if (r->event.type == YAML_SEQUENCE_START_EVENT)
            st = read_sequence(r);
        else
            st = read_scalar(r);
        r->key.len = outer;
    }
    if (!st && !entries && outer && !is_group(r, fg_buf_str(&r->key)))
        st = unknown_key(r);
    return st;
}

static enum fg_status read_document(struct reader *r)
{
    enum fg_status st = next_event(r); /* the start of the stream */
    if (!st)
        st = next_event(r);
    if (st || r->event.type == YAML_STREAM_END_EVENT)
        return st; /* an empty file sets nothing */
    st = next_event(r);
    if (st)
        return st;
    if (r->event.type == YAML_MAPPING_START_EVENT)
        st = read_mapping(r, 1);
    else if (r->event.type != YAML_SCALAR_EVENT || !is_null(&r->event))
        st = refuse(r, "'key: value' lines are expected");
    if (!st)
        st = next_event(r); /* the end of the document */
    if (!st)
        st = next_event(r);
    if (!st && r->event.type != YAML_STREAM_END_EVENT)
        st = refuse(r, "a second document; one file holds one");
    return st;
}

enum fg_status fg_opts_read_yaml(struct fg_opts *opts, struct fg_str text,
                                 const char *name, struct fg_err *err)
{
    if (text.len > FG_YAML_MAX)
        return fg_fail(err, FG_ECONFIG, "%s: larger than %zu bytes", name, FG_YAML_MAX);
    struct reader r = {.opts = opts, .text = text, .name = name, .err = err};
    r.seen.arena = &r.arena;
    fg_buf_init(&r.key, KEY_MAX);
    if (!yaml_parser_initialize(&r.parser))
        fg_out_of_memory();
    yaml_parser_set_input_string(
        &r.parser, (const unsigned char *)(text.at ? text.at : ""), text.len);
    enum fg_status st = read_document(&r);
    yaml_event_delete(&r.event);
    yaml_parser_delete(&r.parser);
    fg_buf_clear(&r.key);
    fg_arena_clear(&r.arena);
    return st;
}
