/* feed_json.c - JSON Feed, versions 1 and 1.1 */
#include "net/feed/feed_parts.h"

#include "net/text/date.h"
#include "net/text/json_tree.h"

static const struct fg_json_limits limits = {
    .depth = 64, .containers = 200000, .values = 1000000};

struct reader {
    struct fg_feed *feed;
    struct fg_arena *arena;
    const struct fg_url *base;
};

static struct fg_str get(struct reader *r, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (json_is_integer(value)) /* ids that are numbers */
        return fg_arena_printf(r->arena, "%lld", (long long)json_integer_value(value));
    if (!json_is_string(value))
        return (struct fg_str){0};
    struct fg_str s = {json_string_value(value), json_string_length(value)};
    if (s.len > FG_FEED_TEXT_MAX) {
        r->feed->cut = true;
        s.len = FG_FEED_TEXT_MAX;
        while (s.len && ((unsigned char)s.at[s.len] & 0xC0) == 0x80)
            s.len--;
    }
    return fg_arena_dup(r->arena, fg_str_trim(s));
}

static struct fg_feed_link *add_link(struct reader *r, struct fg_feed_item *item,
                                     const char *rel, struct fg_str href)
{
    struct fg_str url = fg_feed_resolve(r->arena, href, r->base);
    struct fg_feed_link *link =
        url.len ? fg_feed_add_link(r->feed, item, r->arena) : NULL;
    if (link)
        *link =
            (struct fg_feed_link){.rel = fg_str_from(rel), .href = url, .written = href};
    return link;
}

static void set_text(struct reader *r, struct fg_feed_item *item,
                     enum fg_feed_text_kind kind, struct fg_str value, bool is_markup)
{
    if (!value.len)
        return;
    item->texts[kind] = (struct fg_feed_text){
        .value = is_markup && r->base ? fg_feed_markup(r->arena, value, r->base) : value,
        .base = r->base ? r->base->href : (struct fg_str){0},
        .is_markup = is_markup};
}

static void set_date(struct reader *r, struct fg_feed_item *item,
                     enum fg_feed_date_kind kind, const json_t *object, const char *key)
{
    struct fg_str text = get(r, object, key);
    item->dates[kind] = (struct fg_feed_date){text, fg_date_parse(text)};
}

static void add_author(struct reader *r, struct fg_feed_item *item, const json_t *author)
{
    if (!json_is_object(author))
        return;
    struct fg_feed_person *person =
        fg_feed_add_person(r->feed, item, r->arena, FG_FEED_AUTHOR);
    if (!person)
        return;
    person->name = get(r, author, "name");
    person->href = fg_feed_resolve(r->arena, get(r, author, "url"), r->base);
}

/* Version 1 has one author, 1.1 a list. */
static void add_authors(struct reader *r, struct fg_feed_item *item, const json_t *object)
{
    const json_t *authors = json_object_get(object, "authors");
    for (size_t i = 0; i < json_array_size(authors); i++)
        add_author(r, item, json_array_get(authors, i));
    if (!item->n_people)
        add_author(r, item, json_object_get(object, "author"));
}

static void read_item(struct reader *r, struct fg_feed_item *item, const json_t *object)
{
    fg_feed_item_init(item);
    item->id = get(r, object, "id");
    item->language = get(r, object, "language");
    set_date(r, item, FG_FEED_PUBLISHED, object, "date_published");
    set_date(r, item, FG_FEED_UPDATED, object, "date_modified");
    set_text(r, item, FG_FEED_TITLE, get(r, object, "title"), false);
    set_text(r, item, FG_FEED_SUMMARY, get(r, object, "summary"), false);
    set_text(r, item, FG_FEED_CONTENT, get(r, object, "content_text"), false);
    set_text(r, item, FG_FEED_CONTENT, get(r, object, "content_html"), true);
    add_link(r, item, "alternate", get(r, object, "url"));
    add_link(r, item, "related", get(r, object, "external_url"));
    add_link(r, item, "image", get(r, object, "image"));
    const json_t *attachments = json_object_get(object, "attachments");
    for (size_t i = 0; i < json_array_size(attachments); i++) {
        const json_t *a = json_array_get(attachments, i);
        struct fg_feed_link *link = add_link(r, item, "enclosure", get(r, a, "url"));
        if (!link)
            continue;
        link->type = get(r, a, "mime_type");
        link->title = get(r, a, "title");
        link->length = get(r, a, "size_in_bytes");
    }
    add_authors(r, item, object);
    fg_feed_choose_link(item);
}

static void read_about(struct reader *r, const json_t *root)
{
    struct fg_feed_item *about = &r->feed->about;
    about->language = get(r, root, "language");
    set_text(r, about, FG_FEED_TITLE, get(r, root, "title"), false);
    set_text(r, about, FG_FEED_SUMMARY, get(r, root, "description"), false);
    add_link(r, about, "alternate", get(r, root, "home_page_url"));
    add_link(r, about, "self", get(r, root, "feed_url"));
    add_link(r, about, "next", get(r, root, "next_url"));
    add_link(r, about, "image", get(r, root, "icon"));
    about->id = r->feed->self;
    const json_t *hubs = json_object_get(root, "hubs");
    for (size_t i = 0; i < json_array_size(hubs); i++)
        add_link(r, about, "hub", get(r, json_array_get(hubs, i), "url"));
    add_authors(r, about, root);
    fg_feed_choose_links(r->feed);
}

static void read_root(struct reader *r, const json_t *root)
{
    size_t memory_start = r->arena->used_bytes;
    read_about(r, root);
    const json_t *items = json_object_get(root, "items");
    size_t n = json_array_size(items);
    if (n > FG_FEED_ENTRIES_MAX) {
        n = FG_FEED_ENTRIES_MAX;
        r->feed->cut = true;
    }
    r->feed->entries = FG_NEW(r->arena, struct fg_feed_item, n);
    for (size_t i = 0; i < n; i++) {
        if (r->arena->used_bytes - memory_start > FG_FEED_MEMORY_MAX) {
            r->feed->cut = true;
            return;
        }
        const json_t *object = json_array_get(items, i);
        if (json_is_object(object))
            read_item(r, &r->feed->entries[r->feed->n_entries++], object);
    }
}

/* jansson quotes what it stumbled over, and cuts its words at a length in bytes; they are
 * the caller's, so they are copied whether or not they were clean. */
static void complain(struct reader *r, const char *words, int line)
{
    struct fg_str clean = fg_utf8_clean(r->arena, fg_str_from(words));
    r->feed->json.words = fg_arena_dup(r->arena, clean);
    r->feed->json.line = (unsigned)(line > 0 ? line : 1);
}

void fg_feed_read_json(struct fg_feed *feed, struct fg_arena *arena, struct fg_str bytes,
                       const struct fg_feed_options *options)
{
    struct reader r = {.feed = feed, .arena = arena};
    struct fg_url url, location;
    if (options->url.len && fg_url_parse(&url, arena, options->url, NULL))
        r.base = &url;
    if (options->content_location.len &&
        fg_url_parse(&location, arena, options->content_location, r.base))
        r.base = &location;
    feed->kind = FG_FEED_JSON;
    feed->encoding = "UTF-8";
    if (fg_str_starts(bytes, FG_STR("\xEF\xBB\xBF")))
        bytes = fg_str_skip(bytes, 3);
    bytes = fg_utf8_clean(arena, bytes);
    if (!fg_json_tree_is_affordable(bytes, &limits)) {
        feed->cut = true;
        return;
    }
    json_error_t error;
    json_t *root = json_loadb(bytes.at, bytes.len, JSON_ALLOW_NUL, &error);
    feed->well_formed = json_is_object(root);
    if (json_is_object(root))
        read_root(&r, root);
    else
        complain(&r, root ? "not an object" : error.text, root ? 1 : error.line);
    json_decref(root);
}
