/* microdata.c - items of a page (itemscope, itemprop) in the shape of JSON-LD
 *
 * A property's value is an item, an attribute (content on any element, since shops write
 * it so; href, src, datetime, value or data where the standard says), or the text of its
 * element. itemref is not followed. */
#include "net/facts/offer_parts.h"

#include "base/utf8.h"
#include "net/html/walk.h"
#include "net/text/prose.h"

enum {
    ITEMS_MAX = 500,
    PROPERTIES_MAX = 5000,
    OPEN_ITEMS_MAX = 32,
    OPEN_TEXTS_MAX = 4,
    NAMES_MAX = 4, /* of one property */
    VALUE_MAX = 500,
};

struct open_item {
    size_t depth;
    json_t *item; /* borrowed */
};

/* A property whose text is being read. */
struct open_text {
    size_t depth;
    json_t *item; /* borrowed */
    struct fg_str names;
    struct fg_prose text;
};

struct reader {
    struct fg_arena *arena;
    json_t *items; /* the outermost */
    json_t *all;   /* holds every item while we read */
    size_t n_items, n_properties;
    struct open_item open[OPEN_ITEMS_MAX];
    size_t n_open;
    struct open_text texts[OPEN_TEXTS_MAX];
    size_t n_texts;
    struct fg_walk walk;
};

static bool attr(struct reader *r, const char *name, struct fg_str *value)
{
    struct fg_str source;
    if (!fg_html_attr(&r->walk.token, fg_str_from(name), &source))
        return false;
    *value = fg_html_decode(r->arena, source, FG_HTML_VALUE);
    return true;
}

/* --- properties --- */

static json_t *json_text(struct fg_arena *arena, struct fg_str text)
{
    text = fg_utf8_clean(arena, fg_str_sub(text, 0, VALUE_MAX));
    return json_stringn(text.at ? text.at : "", text.len);
}

/* Several values of a name become an array. Takes the value over. */
static void add_one(struct reader *r, json_t *item, struct fg_str name, json_t *value)
{
    const char *key = fg_arena_cstr(r->arena, fg_utf8_clean(r->arena, name));
    json_t *there = json_object_get(item, key);
    if (r->n_properties++ >= PROPERTIES_MAX) {
        json_decref(value);
    } else if (json_is_array(there)) {
        json_array_append_new(there, value);
    } else if (there) {
        json_t *both = json_array();
        json_array_append(both, there);
        json_array_append_new(both, value);
        json_object_set_new(item, key, both);
    } else {
        json_object_set_new(item, key, value);
    }
}

static bool take_word(struct fg_str *words, struct fg_str *word)
{
    *words = fg_str_trim(*words);
    size_t end = 0;
    while (end < words->len && !fg_is_space(words->at[end]))
        end++;
    *word = fg_str_sub(*words, 0, end);
    *words = fg_str_skip(*words, end);
    return end > 0;
}

/* Under each of its names. Takes the value over. */
static void add_property(struct reader *r, json_t *item, struct fg_str names,
                         json_t *value)
{
    struct fg_str name;
    for (size_t n = 0; n < NAMES_MAX && take_word(&names, &name); n++)
        if (fg_str_chr(name, '\0') == FG_NOT_FOUND)
            add_one(r, item, name, json_incref(value));
    json_decref(value);
}

/* --- elements --- */

static const char *attr_of(enum fg_tag tag)
{
    switch (tag) {
    case FG_TAG_A:
    case FG_TAG_AREA:
    case FG_TAG_LINK:
        return "href";
    case FG_TAG_IMG:
    case FG_TAG_AUDIO:
    case FG_TAG_VIDEO:
    case FG_TAG_IFRAME:
    case FG_TAG_EMBED:
    case FG_TAG_SOURCE:
    case FG_TAG_TRACK:
        return "src";
    case FG_TAG_OBJECT:
        return "data";
    default:
        return NULL;
    }
}

static bool value_in_attr(struct reader *r, struct fg_str *value)
{
    const char *name = attr_of(r->walk.token.tag);
    struct fg_str tag = r->walk.token.text;
    if (attr(r, "content", value))
        return true;
    if (fg_str_eq_nocase(tag, FG_STR("time")))
        name = "datetime";
    else if (fg_str_eq_nocase(tag, FG_STR("data")) ||
             fg_str_eq_nocase(tag, FG_STR("meter")))
        name = "value";
    return name && attr(r, name, value);
}

static json_t *innermost(const struct reader *r)
{
    return r->n_open ? r->open[r->n_open - 1].item : NULL;
}

static void open_item(struct reader *r, bool is_open)
{
    struct fg_str types = {0}, type, names;
    json_t *outer = innermost(r), *item = json_object();
    json_array_append_new(r->all, item);
    attr(r, "itemtype", &types);
    for (size_t n = 0; n < NAMES_MAX && take_word(&types, &type); n++)
        add_one(r, item, FG_STR("@type"), json_text(r->arena, type));
    if (outer && attr(r, "itemprop", &names))
        add_property(r, outer, names, json_incref(item));
    else
        json_array_append(r->items, item);
    if (is_open)
        r->open[r->n_open++] = (struct open_item){r->walk.depth, item};
}

static void read_property(struct reader *r, struct fg_str names, bool is_open)
{
    struct fg_str value;
    json_t *item = innermost(r);
    if (value_in_attr(r, &value)) {
        add_property(r, item, names, json_text(r->arena, fg_str_trim(value)));
    } else if (is_open && r->n_texts < OPEN_TEXTS_MAX) {
        struct open_text *text = &r->texts[r->n_texts++];
        *text = (struct open_text){.depth = r->walk.depth, .item = item, .names = names};
        fg_prose_init(&text->text, VALUE_MAX);
    }
}

static void on_element(struct reader *r, bool is_open)
{
    struct fg_str value;
    const struct fg_html_token *token = &r->walk.token;
    bool is_item = fg_html_may_have(token, FG_STR("itemscope")) &&
                   fg_html_attr(token, FG_STR("itemscope"), &value);
    if (is_item && r->n_items < ITEMS_MAX && r->n_open < OPEN_ITEMS_MAX) {
        r->n_items++;
        open_item(r, is_open);
    } else if (!is_item && r->n_open && fg_html_may_have(token, FG_STR("itemprop")) &&
               attr(r, "itemprop", &value)) {
        read_property(r, value, is_open);
    }
}

static void end_text(struct reader *r)
{
    struct open_text *text = &r->texts[--r->n_texts];
    add_property(r, text->item, text->names,
                 json_text(r->arena, fg_prose_str(&text->text)));
    fg_prose_clear(&text->text);
}

static void on_close(struct reader *r)
{
    while (r->n_texts && r->texts[r->n_texts - 1].depth >= r->walk.depth)
        end_text(r);
    while (r->n_open && r->open[r->n_open - 1].depth >= r->walk.depth)
        r->n_open--;
}

static void on_text(struct reader *r)
{
    for (size_t i = 0; i < r->n_texts && fg_walk_is_seen(&r->walk); i++)
        fg_walk_add_text(&r->walk, &r->texts[i].text);
}

json_t *fg_microdata_read(struct fg_arena *arena, struct fg_str html)
{
    struct reader *r = FG_NEW(arena, struct reader, 1);
    r->arena = arena;
    r->items = json_array();
    r->all = json_array();
    fg_walk_init(&r->walk, html);
    for (enum fg_walk_step step; (step = fg_walk_next(&r->walk));) {
        if (step == FG_WALK_OPEN || step == FG_WALK_EMPTY)
            on_element(r, step == FG_WALK_OPEN);
        else if (step == FG_WALK_CLOSE)
            on_close(r);
        else
            on_text(r);
    }
    json_decref(r->all);
    return r->items;
}
