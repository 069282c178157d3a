#include "base/yaml_tree.h"

#include "base/opt.h"
#include "base/yaml_event.h"

struct reader {
    yaml_parser_t parser;
    yaml_event_t event; /* the one being looked at */
    struct fg_arena *arena;
    const char *name;
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

static enum fg_status next_event(struct reader *r)
{
    yaml_event_delete(&r->event);
    if (!yaml_parser_parse(&r->parser, &r->event))
        return fg_fail(r->err, FG_ECONFIG, "%s:%zu: not YAML: %s", r->name,
                       r->parser.problem_mark.line + 1,
                       r->parser.problem ? r->parser.problem : "broken text");
    return fg_yaml_is_decorated(&r->event)
               ? refuse(r, "anchors (&), aliases (*) and tags (!) are not understood "
                           "here; a text that starts so wants quotes")
               : FG_OK;
}

static struct fg_str take_text(struct reader *r)
{
    struct fg_str text = {(const char *)r->event.data.scalar.value,
                          r->event.data.scalar.length};
    return (struct fg_str){fg_arena_cstr(r->arena, text), text.len};
}

static const struct fg_yaml *find(const struct fg_yaml *map, struct fg_str key)
{
    for (const struct fg_yaml *node = map->child; node; node = node->next)
        if (fg_str_eq(node->key, key))
            return node;
    return NULL;
}

static enum fg_status take_key(struct reader *r, const struct fg_yaml *map,
                               struct fg_str *key)
{
    if (r->event.type != YAML_SCALAR_EVENT)
        return refuse(r, "a key must be a plain word");
    *key = take_text(r);
    const struct fg_yaml *twin = find(map, *key);
    if (twin)
        return fg_fail(r->err, FG_ECONFIG,
                       "%s:%zu: '%.*s' is given twice; the first is on line %zu", r->name,
                       line_of(r), FG_ARG(*key), twin->line);
    return next_event(r);
}

/* The value at hand, with all that hangs on it. */
static enum fg_status take_value(struct reader *r, struct fg_yaml *node, int depth)
{
    node->line = line_of(r);
    if (depth > FG_YAML_DEPTH)
        return refuse(r, "nested too deeply");
    if (r->event.type == YAML_SCALAR_EVENT) {
        node->text = take_text(r);
        return FG_OK;
    }
    node->kind = r->event.type == YAML_MAPPING_START_EVENT ? FG_YAML_MAP : FG_YAML_LIST;
    struct fg_yaml **tail = &node->child;
    enum fg_status st;
    while (!(st = next_event(r)) && r->event.type != YAML_MAPPING_END_EVENT &&
           r->event.type != YAML_SEQUENCE_END_EVENT) {
        struct fg_yaml *child = FG_NEW(r->arena, struct fg_yaml, 1);
        struct fg_str key = {0};
        if (node->kind == FG_YAML_MAP)
            st = take_key(r, node, &key);
        if (!st)
            st = take_value(r, child, depth + 1);
        if (st)
            break;
        child->key = key;
        *tail = child;
        tail = &child->next;
        node->n++;
    }
    return st;
}

static enum fg_status read_document(struct reader *r, struct fg_yaml *root)
{
    enum fg_status st = next_event(r); /* the start of the stream */
    if (!st)
        st = next_event(r);
    if (!st && r->event.type == YAML_STREAM_END_EVENT)
        return refuse(r, "the file is empty");
    if (!st)
        st = next_event(r);
    if (!st)
        st = take_value(r, root, 1);
    if (!st)
        st = next_event(r); /* the end of the document */
    if (!st)
        st = next_event(r);
    if (!st && r->event.type != YAML_STREAM_END_EVENT)
        st = refuse(r, "a second document; one file holds one");
    return st;
}

static enum fg_status read_documents(struct reader *r, struct fg_yaml *list)
{
    struct fg_yaml **tail = &list->child;
    enum fg_status st = next_event(r); /* the start of the stream */
    list->kind = FG_YAML_LIST;
    while (!st && !(st = next_event(r)) && r->event.type != YAML_STREAM_END_EVENT) {
        struct fg_yaml *document = FG_NEW(r->arena, struct fg_yaml, 1);
        st = next_event(r);
        if (!st)
            st = take_value(r, document, 1);
        if (!st)
            st = next_event(r); /* the end of the document */
        if (st || (document->kind == FG_YAML_TEXT && !document->text.len))
            continue;
        *tail = document;
        tail = &document->next;
        list->n++;
    }
    return st;
}

static enum fg_status read_stream(
    enum fg_status (*read)(struct reader *r, struct fg_yaml *root), struct fg_yaml **root,
    struct fg_arena *arena, struct fg_str text, const char *name, struct fg_err *err)
{
    if (text.len > FG_YAML_MAX)
        return fg_fail(err, FG_ECONFIG, "%s: larger than %zu bytes", name, FG_YAML_MAX);
    struct reader r = {.arena = arena, .name = name, .err = err};
    *root = FG_NEW(arena, struct fg_yaml, 1);
    if (!yaml_parser_initialize(&r.parser))
        fg_out_of_memory();
    yaml_parser_set_input_string(
        &r.parser, (const unsigned char *)(text.at ? text.at : ""), text.len);
    enum fg_status st = read(&r, *root);
    yaml_event_delete(&r.event);
    yaml_parser_delete(&r.parser);
    return st;
}

enum fg_status fg_yaml_read(struct fg_yaml **root, struct fg_arena *arena,
                            struct fg_str text, const char *name, struct fg_err *err)
{
    return read_stream(read_document, root, arena, text, name, err);
}

enum fg_status fg_yaml_read_all(struct fg_yaml **list, struct fg_arena *arena,
                                struct fg_str text, const char *name, struct fg_err *err)
{
    return read_stream(read_documents, list, arena, text, name, err);
}
