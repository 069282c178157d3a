/* feed_reader.c - XML events in, a feed out
 *
 * Which element means what is one table: a name, the namespaces and the places it is
 * known in, and what to do with it. Places rather than paths, because feeds in the wild
 * forget the channel, put items beside it, and wrap things in things; an element that is
 * not in the table is looked through, not skipped, so what it wraps is still found. */
#include "net/feed/feed_parts.h"

#include "net/text/date.h"

#include <assert.h>

enum {
    FEED = 1,
    ENTRY = 2,
    SOURCE = 4,
    ITEM = FEED | ENTRY | SOURCE,
    IMAGE = 8,
    TEXT_INPUT = 16,
    PERSON = 32,
};

enum action {
    READ_TEXT,
    READ_DATE,
    READ_ID,
    READ_GUID,
    READ_LINK,
    READ_URL, /* an address in an element of its own; the argument names the relation */
    READ_ENCLOSURE,
    READ_PERSON,
    READ_PERSON_PART,
    READ_LANGUAGE,
    READ_DEED,
    READ_TTL,
    READ_SKIP_HOUR,
    READ_SKIP_DAY,
    READ_PERIOD,
    READ_FREQUENCY,
    OPEN_ENTRY,
    OPEN_CHANNEL,
    OPEN_SOURCE,
    OPEN_PLACE, /* the argument tells which */
};

/* Namespaces as bits. The core is what RSS 2.0 has in none and the others in theirs. */
#define NS(name) (1U << FG_NS_##name)
#define CORE     (NS(NONE) | NS(RSS) | NS(ATOM) | NS(ATOM03))

enum relation {
    COMMENTS,
    WFW_COMMENT,
    WFW_FEED,
    DOCS,
    LICENSE,
    GENERATOR,
    ICON,
    LOGO,
    IMAGE_URL,
    IMAGE_LINK,
    TEXT_INPUT_LINK,
    IN_REPLY_TO
};
static const char *const relations[] = {"comments",  "wfw:comment", "wfw:commentrss",
                                        "docs",      "cc:license",  "generator",
                                        "icon",      "logo",        "image",
                                        "imagelink", "textinput",   "in-reply-to"};

enum person_part { NAME, EMAIL, HREF };

struct fg_feed_rule {
    struct fg_str name; /* in any case */
    unsigned namespaces, where;
    enum action action;
    int argument;
};

#define N(literal)                   \
    {                                \
        literal, sizeof(literal) - 1 \
    }
static const struct fg_feed_rule rules[] = {
    {N("item"), CORE, FEED, OPEN_ENTRY, 0},
    {N("entry"), CORE, FEED, OPEN_ENTRY, 0},
    {N("channel"), CORE, FEED, OPEN_CHANNEL, 0},
    {N("source"), CORE, ENTRY, OPEN_SOURCE, 0},
    {N("image"), CORE, ITEM, OPEN_PLACE, IMAGE},
    {N("textinput"), CORE, ITEM, OPEN_PLACE, TEXT_INPUT},
    {N("title"), CORE, ITEM, READ_TEXT, FG_FEED_TITLE},
    {N("title"), NS(DC), ITEM, READ_TEXT, FG_FEED_TITLE},
    {N("link"), CORE, ITEM, READ_LINK, 0},
    {N("link"), CORE, TEXT_INPUT, READ_URL, TEXT_INPUT_LINK},
    {N("link"), CORE, IMAGE, READ_URL, IMAGE_LINK},
    {N("icon"), CORE, ITEM, READ_URL, ICON},
    {N("logo"), CORE, ITEM, READ_URL, LOGO},
    {N("url"), CORE, IMAGE, READ_URL, IMAGE_URL},
    {N("id"), CORE, ITEM, READ_ID, 0},
    {N("guid"), CORE, ITEM, READ_GUID, 0},
    {N("pubdate"), CORE, ITEM, READ_DATE, FG_FEED_PUBLISHED},
    {N("published"), CORE, ITEM, READ_DATE, FG_FEED_PUBLISHED},
    {N("issued"), CORE | NS(DCTERMS), ITEM, READ_DATE, FG_FEED_PUBLISHED},
    {N("updated"), CORE, ITEM, READ_DATE, FG_FEED_UPDATED},
    {N("modified"), CORE | NS(DCTERMS), ITEM, READ_DATE, FG_FEED_UPDATED},
    {N("lastbuilddate"), CORE, ITEM, READ_DATE, FG_FEED_UPDATED},
    {N("date"), NS(DC), ITEM, READ_DATE, FG_FEED_UPDATED},
    {N("created"), CORE | NS(DCTERMS), ITEM, READ_DATE, FG_FEED_CREATED},
    {N("expirationdate"), CORE, ITEM, READ_DATE, FG_FEED_EXPIRED},
    {N("description"), CORE | NS(DC), ITEM, READ_TEXT, FG_FEED_SUMMARY},
    {N("summary"), CORE, ITEM, READ_TEXT, FG_FEED_SUMMARY},
    {N("subtitle"), CORE, ITEM, READ_TEXT, FG_FEED_SUMMARY},
    {N("tagline"), CORE, ITEM, READ_TEXT, FG_FEED_SUMMARY},
    {N("abstract"), CORE | NS(DCTERMS), ITEM, READ_TEXT, FG_FEED_SUMMARY},
    {N("content"), CORE, ITEM, READ_TEXT, FG_FEED_CONTENT},
    {N("encoded"), NS(CONTENT), ITEM, READ_TEXT, FG_FEED_CONTENT},
    {N("body"), CORE | NS(XHTML), ENTRY, READ_TEXT, FG_FEED_CONTENT},
    {N("fullitem"), CORE, ENTRY, READ_TEXT, FG_FEED_CONTENT},
    {N("rights"), CORE | NS(DC), ITEM, READ_TEXT, FG_FEED_RIGHTS},
    {N("copyright"), CORE, ITEM, READ_TEXT, FG_FEED_RIGHTS},
    {N("info"), CORE, FEED, READ_TEXT, FG_FEED_INFO},
    {N("enclosure"), CORE, ITEM, READ_ENCLOSURE, 0},
    {N("author"), CORE | NS(ITUNES) | NS(DC), ITEM, READ_PERSON, FG_FEED_AUTHOR},
    {N("creator"), NS(DC), ITEM, READ_PERSON, FG_FEED_AUTHOR},
    {N("managingeditor"), CORE, ITEM, READ_PERSON, FG_FEED_AUTHOR},
    {N("contributor"), CORE | NS(DC), ITEM, READ_PERSON, FG_FEED_CONTRIBUTOR},
    {N("webmaster"), CORE, ITEM, READ_PERSON, FG_FEED_PUBLISHER},
    {N("publisher"), NS(DC), ITEM, READ_PERSON, FG_FEED_PUBLISHER},
    {N("name"), CORE, PERSON, READ_PERSON_PART, NAME},
    {N("email"), CORE, PERSON, READ_PERSON_PART, EMAIL},
    {N("uri"), CORE, PERSON, READ_PERSON_PART, HREF},
    {N("url"), CORE, PERSON, READ_PERSON_PART, HREF},
    {N("homepage"), CORE, PERSON, READ_PERSON_PART, HREF},
    {N("comments"), CORE, ITEM, READ_URL, COMMENTS},
    {N("comment"), NS(WFW), ITEM, READ_URL, WFW_COMMENT},
    {N("commentrss"), NS(WFW), ITEM, READ_URL, WFW_FEED},
    {N("docs"), CORE, ITEM, READ_URL, DOCS},
    {N("license"), NS(CC), ITEM, READ_URL, LICENSE},
    {N("generator"), CORE, ITEM, READ_URL, GENERATOR},
    {N("in-reply-to"), NS(THREAD), ITEM, READ_URL, IN_REPLY_TO},
    {N("language"), CORE | NS(DC), ITEM, READ_LANGUAGE, 0},
    {N("status"), NS(WIKI), ENTRY, READ_DEED, 0},
    {N("version"), NS(WIKI), ENTRY, READ_DEED, 0},
    {N("ttl"), CORE, FEED, READ_TTL, 0},
    {N("hour"), CORE, FEED, READ_SKIP_HOUR, 0},
    {N("day"), CORE, FEED, READ_SKIP_DAY, 0},
    {N("updateperiod"), NS(SYNDICATION), FEED, READ_PERIOD, 0},
    {N("updatefrequency"), NS(SYNDICATION), FEED, READ_FREQUENCY, 0},
};
#undef N

static const struct fg_feed_rule *find_rule(const struct fg_xml_tag *tag, unsigned where)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const struct fg_feed_rule *rule = &rules[i];
        if (rule->name.len == tag->name.len && (rule->where & where) &&
            (rule->namespaces >> tag->ns & 1) && fg_str_eq_nocase(rule->name, tag->name))
            return rule;
    }
    return NULL;
}

enum fg_feed_kind fg_feed_kind_of(enum fg_xml_ns ns, struct fg_str name)
{
    if (fg_str_eq_nocase(name, FG_STR("rss")))
        return FG_FEED_RSS;
    if (fg_str_eq(name, FG_STR("RDF")))
        return FG_FEED_RDF;
    if (fg_str_eq(name, FG_STR("feed")) ||
        (fg_str_eq(name, FG_STR("entry")) && (ns == FG_NS_ATOM || ns == FG_NS_ATOM03)))
        return FG_FEED_ATOM;
    if (fg_str_eq(name, FG_STR("CHANNEL")))
        return FG_FEED_CDF;
    return fg_str_eq(name, FG_STR("channel")) ? FG_FEED_RSS : FG_FEED_NONE;
}

/* --- life --- */

static struct fg_url *parse_base(struct fg_feed_reader *reader, struct fg_str text,
                                 const struct fg_url *parent)
{
    struct fg_url *url = FG_NEW(reader->arena, struct fg_url, 1);
    if (!text.len || !fg_url_parse(url, reader->arena, text, parent) ||
        url->scheme == FG_SCHEME_OTHER || url->href.len > FG_FEED_URL_MAX)
        return NULL;
    return url;
}

void fg_feed_reader_init(struct fg_feed_reader *reader, struct fg_arena *arena,
                         const struct fg_feed_options *options)
{
    *reader = (struct fg_feed_reader){.arena = arena, .now = options->now};
    reader->memory_start = arena->used_bytes;
    reader->feed = fg_feed_new(arena);
    fg_buf_init(&reader->text, FG_FEED_TEXT_MAX);
    const struct fg_url *url = parse_base(reader, options->url, NULL);
    const struct fg_url *location = parse_base(reader, options->content_location, url);
    reader->frames[0] = (struct fg_feed_frame){
        .item = &reader->feed->about, .base = location ? location : url, .where = FEED};
}

void fg_feed_reader_clear(struct fg_feed_reader *reader)
{
    struct fg_feed *feed = reader->feed;
    fg_feed_choose_links(feed);
    if (reader->period)
        feed->update_period =
            reader->period / (reader->frequency ? reader->frequency : 1);
    fg_buf_clear(&reader->text);
}

/* Nothing more fits: all that follows is let go. */
static bool is_full(struct fg_feed_reader *reader)
{
    if (reader->arena->used_bytes - reader->memory_start > FG_FEED_MEMORY_MAX)
        reader->feed->cut = true;
    return reader->arena->used_bytes - reader->memory_start > FG_FEED_MEMORY_MAX;
}

static struct fg_feed_frame *top(struct fg_feed_reader *reader)
{
    return &reader->frames[reader->depth];
}

static struct fg_str attribute(struct fg_feed_reader *reader,
                               const struct fg_xml_tag *tag, const char *name)
{
    return fg_xml_attribute(tag, reader->arena, FG_NS_NONE, name);
}

static bool is_rss(const struct fg_feed_reader *reader)
{
    return reader->feed->kind == FG_FEED_RSS;
}

/* --- the start of elements --- */

static bool has_word(struct fg_str text, struct fg_str word)
{
    return fg_str_find(text, word) != FG_NOT_FOUND;
}

/* How the text of an element is written: Atom says so in `type` and `mode`, RSS is HTML
 * except in titles. */
static void begin_text(struct fg_feed_reader *reader, const struct fg_xml_tag *tag)
{
    const struct fg_feed_rule *rule = top(reader)->rule;
    struct fg_str type = attribute(reader, tag, "type"),
                  mode = attribute(reader, tag, "mode");
    bool is_title = rule->argument == FG_FEED_TITLE;
    bool is_atom = tag->ns == FG_NS_ATOM || reader->feed->kind == FG_FEED_ATOM;
    bool is_html = has_word(type, FG_STR("html"));
    bool is_media = has_word(type, FG_STR("/")) &&
                    !fg_str_starts(type, FG_STR("text/")) &&
                    !fg_str_ends(type, FG_STR("xml"));
    reader->is_base64 = fg_str_eq(mode, FG_STR("base64")) || (is_atom && is_media);
    reader->is_inline = has_word(type, FG_STR("xhtml")) &&
                        !fg_str_eq(mode, FG_STR("escaped")) && !reader->is_base64;
    reader->is_inline |= is_html && fg_str_eq(mode, FG_STR("xml"));
    reader->is_inline |= fg_str_eq_nocase(tag->name, FG_STR("body"));
    reader->is_markup = is_html || (!is_atom && !is_title);
}

static void begin_link(struct fg_feed_reader *reader, const struct fg_xml_tag *tag)
{
    static const struct fg_str iana = {"http://www.iana.org/assignments/relation/", 41};
    struct fg_str rel = fg_str_trim(attribute(reader, tag, "rel"));
    if (fg_str_starts(rel, iana))
        rel = fg_str_skip(rel, iana.len);
    reader->link = (struct fg_feed_link){.rel = rel.len ? rel : FG_STR("alternate"),
                                         .type = attribute(reader, tag, "type"),
                                         .hreflang = attribute(reader, tag, "hreflang"),
                                         .title = attribute(reader, tag, "title"),
                                         .length = attribute(reader, tag, "length"),
                                         .written = attribute(reader, tag, "href")};
}

static void begin_url(struct fg_feed_reader *reader, const struct fg_xml_tag *tag)
{
    static const char *const names[] = {"href", "uri", "url"};
    reader->link =
        (struct fg_feed_link){.rel = fg_str_from(relations[top(reader)->rule->argument]),
                              .type = attribute(reader, tag, "type")};
    for (size_t i = 0; i < 3 && !reader->link.written.at; i++)
        reader->link.written = attribute(reader, tag, names[i]);
    if (!reader->link.written.at)
        reader->link.written =
            fg_xml_attribute(tag, reader->arena, FG_NS_RDF, "resource");
    /* The text of a generator is its name. */
    if (!reader->link.written.at && top(reader)->rule->argument == GENERATOR)
        reader->link.written = FG_STR("");
}

static void begin_guid(struct fg_feed_reader *reader, const struct fg_xml_tag *tag)
{
    struct fg_str value = attribute(reader, tag, "isPermaLink");
    bool is_false = fg_str_eq_nocase(fg_str_trim(value), FG_STR("false"));
    reader->is_permalink = !is_false;
    if (value.at && !is_false && !fg_str_eq_nocase(fg_str_trim(value), FG_STR("true")))
        fg_feed_complain(reader->feed, reader->arena, FG_FEED_BAD_ID, "isPermaLink",
                         value, top(reader)->line);
}

/* CDF has everything in attributes, and shouts. */
static void read_cdf(struct fg_feed_reader *reader, const struct fg_xml_tag *tag)
{
    struct fg_feed_frame *frame = top(reader);
    const struct fg_url *base =
        parse_base(reader, attribute(reader, tag, "BASE"), frame->base);
    frame->base = base ? base : frame->base;
    struct fg_str href = fg_str_trim(attribute(reader, tag, "HREF"));
    struct fg_feed_link *link =
        href.len ? fg_feed_add_link(reader->feed, frame->item, reader->arena) : NULL;
    if (link)
        *link = (struct fg_feed_link){
            .rel = FG_STR("alternate"),
            .href = fg_feed_resolve(reader->arena, href, frame->base),
            .written = href};
    struct fg_str date = attribute(reader, tag, "LASTMOD");
    if (date.len)
        frame->item->dates[FG_FEED_UPDATED] =
            (struct fg_feed_date){date, fg_date_parse(date)};
}

static struct fg_feed_item *new_item(struct fg_feed_reader *reader)
{
    struct fg_feed_item *item = FG_NEW(reader->arena, struct fg_feed_item, 1);
    fg_feed_item_init(item);
    item->line = top(reader)->line;
    return item;
}

static void open_entry(struct fg_feed_reader *reader, const struct fg_xml_tag *tag)
{
    struct fg_feed_frame *frame = top(reader);
    frame->item = new_item(reader);
    frame->where = ENTRY;
    frame->item->id =
        fg_str_trim(fg_xml_attribute(tag, reader->arena, FG_NS_RDF, "about"));
    if (reader->feed->kind == FG_FEED_CDF)
        read_cdf(reader, tag);
}

static void collect(struct fg_feed_reader *reader)
{
    reader->collecting = reader->depth;
    reader->is_inline = reader->is_base64 = reader->just_opened = false;
    reader->is_markup = false;
    fg_buf_reset(&reader->text);
}

/* Atom's is a feed in small; that of RSS is a link with a title. */
static void open_source(struct fg_feed_reader *reader, const struct fg_xml_tag *tag)
{
    struct fg_feed_frame *frame = top(reader);
    struct fg_feed_item *source = new_item(reader);
    frame->item->source = source;
    struct fg_str url = fg_str_trim(attribute(reader, tag, "url"));
    struct fg_feed_link *link =
        url.len ? fg_feed_add_link(reader->feed, source, reader->arena) : NULL;
    if (link) {
        *link = (struct fg_feed_link){
            .rel = FG_STR("self"),
            .href = fg_feed_resolve(reader->arena, url, frame->base),
            .written = url};
        source->link = link->href;
        collect(reader);
    }
    frame->item = source;
    frame->where = SOURCE;
}

static void open_enclosure(struct fg_feed_reader *reader, const struct fg_xml_tag *tag)
{
    struct fg_feed_frame *frame = top(reader);
    struct fg_str url = attribute(reader, tag, "url");
    if (!url.at)
        url = attribute(reader, tag, "href");
    struct fg_feed_link link = {.rel = FG_STR("enclosure"),
                                .type = attribute(reader, tag, "type"),
                                .length = attribute(reader, tag, "length"),
                                .written = fg_str_trim(url)};
    link.href = fg_feed_resolve(reader->arena, link.written, frame->base);
    fg_feed_check_enclosure(reader, &link, frame->line);
    struct fg_feed_link *kept =
        link.href.len ? fg_feed_add_link(reader->feed, frame->item, reader->arena) : NULL;
    if (kept)
        *kept = link;
}

static void open_element(struct fg_feed_reader *reader, const struct fg_xml_tag *tag)
{
    struct fg_feed_frame *frame = top(reader);
    switch (frame->rule->action) {
    case OPEN_ENTRY:
        open_entry(reader, tag);
        return;
    case OPEN_CHANNEL:
        if (reader->feed->kind == FG_FEED_CDF)
            read_cdf(reader, tag);
        return;
    case OPEN_SOURCE:
        open_source(reader, tag);
        return;
    case OPEN_PLACE:
        frame->where = (unsigned)frame->rule->argument;
        return;
    case READ_ENCLOSURE:
        open_enclosure(reader, tag);
        return;
    case READ_PERSON:
        frame->where = PERSON;
        reader->person = fg_feed_add_person(reader->feed, frame->item, reader->arena,
                                            (enum fg_feed_role)frame->rule->argument);
        collect(reader);
        return;
    default:
        break;
    }
    collect(reader);
    if (frame->rule->action == READ_TEXT)
        begin_text(reader, tag);
    else if (frame->rule->action == READ_LINK)
        begin_link(reader, tag);
    else if (frame->rule->action == READ_URL)
        begin_url(reader, tag);
    else if (frame->rule->action == READ_GUID)
        begin_guid(reader, tag);
}

static void open_root(struct fg_feed_reader *reader, const struct fg_xml_tag *tag)
{
    struct fg_feed_frame *frame = top(reader);
    reader->feed->kind = fg_feed_kind_of(tag->ns, tag->name);
    frame->item->line = frame->line;
    if (tag->ns == FG_NS_ATOM03 ||
        fg_str_eq(attribute(reader, tag, "version"), FG_STR("0.3")))
        reader->is_atom03 = true;
    if (fg_str_eq_nocase(tag->name, FG_STR("entry"))) {
        frame->rule = find_rule(tag, FEED);
        if (frame->rule)
            open_entry(reader, tag);
    } else if (reader->feed->kind == FG_FEED_CDF) {
        read_cdf(reader, tag);
    }
}

void fg_feed_reader_start(struct fg_feed_reader *reader, const struct fg_xml_tag *tag)
{
    assert(reader->depth < FG_XML_DEPTH_MAX);
    struct fg_feed_frame *parent = top(reader);
    bool is_root = reader->depth == 0;
    reader->depth++;
    struct fg_feed_frame *frame = top(reader);
    *frame = *parent;
    frame->rule = NULL;
    frame->name = tag->name;
    frame->line = reader->xml ? fg_xml_line(reader->xml) : 0;
    if (is_full(reader) || (reader->feed->kind == FG_FEED_NONE && !is_root))
        return;
    if (tag->n_attributes) {
        struct fg_str base = fg_xml_attribute(tag, reader->arena, FG_NS_XML, "base");
        const struct fg_url *url = parse_base(reader, fg_str_trim(base), parent->base);
        frame->base = url ? url : parent->base;
    }
    if (is_root) {
        open_root(reader, tag);
        return;
    }
    bool is_person = reader->collecting == reader->depth - 1 && parent->where == PERSON;
    if (reader->collecting && !is_person) {
        if (reader->frames[reader->collecting].rule->action == READ_TEXT)
            fg_feed_write_start(reader, tag);
        return;
    }
    frame->rule = find_rule(tag, parent->where);
    if (frame->rule)
        open_element(reader, tag);
}

/* --- the end of elements --- */

static void end_text(struct fg_feed_reader *reader, struct fg_str text)
{
    struct fg_feed_frame *frame = top(reader);
    struct fg_feed_text *field = &frame->item->texts[frame->rule->argument];
    if (reader->is_base64)
        text = fg_feed_base64(reader->arena, text);
    /* Atom 1.0 wraps XHTML in a div that is not part of it. */
    bool is_wrapped = reader->is_inline && reader->feed->kind == FG_FEED_ATOM &&
                      !reader->is_atom03 && fg_str_starts(text, FG_STR("<div>")) &&
                      fg_str_ends(text, FG_STR("</div>"));
    if (is_wrapped)
        text = fg_str_trim(fg_str_sub(text, 5, text.len - 6));
    if (reader->is_markup && frame->base)
        text = fg_feed_markup(reader->arena, text, frame->base);
    bool is_title = frame->rule->argument == FG_FEED_TITLE;
    if (is_title && !text.len)
        fg_feed_complain(reader->feed, reader->arena, FG_FEED_BLANK_TITLE, "title", text,
                         frame->line);
    /* A second title is that of something else; of two contents the longer says more. */
    bool is_content = frame->rule->argument == FG_FEED_CONTENT;
    if (field->value.len &&
        (is_title || !text.len || (is_content && text.len < field->value.len)))
        return;
    field->value = fg_arena_dup(reader->arena, text);
    field->is_markup = reader->is_markup;
    field->base = frame->base ? frame->base->href : (struct fg_str){0};
}

static void end_date(struct fg_feed_reader *reader, struct fg_str text)
{
    struct fg_feed_frame *frame = top(reader);
    const struct fg_feed_rule *rule = frame->rule;
    bool is_module = !(rule->namespaces & NS(NONE)) || (rule->namespaces & NS(DCTERMS));
    struct fg_feed_date date = {fg_arena_dup(reader->arena, text), fg_date_parse(text)};
    fg_feed_check_date(reader, rule->name.at, &date, frame->line, is_rss(reader),
                       is_module);
    if (text.len)
        frame->item->dates[rule->argument] = date;
}

static void end_link(struct fg_feed_reader *reader, struct fg_str text)
{
    struct fg_feed_frame *frame = top(reader);
    struct fg_feed_link *link = &reader->link;
    bool is_element = !link->written.at;
    if (is_element)
        link->written = fg_arena_dup(reader->arena, text);
    link->written = fg_str_trim(link->written);
    bool is_atom = frame->rule->action == READ_LINK && !(is_element && is_rss(reader));
    if (frame->rule->action == READ_LINK)
        fg_feed_check_link(reader, "link", link->written, frame->base, frame->line,
                           !is_atom);
    link->href = fg_feed_resolve(reader->arena, link->written, frame->base);
    struct fg_feed_link *kept =
        link->href.len ? fg_feed_add_link(reader->feed, frame->item, reader->arena)
                       : NULL;
    if (kept)
        *kept = *link;
}

static void end_id(struct fg_feed_reader *reader, struct fg_str text)
{
    struct fg_feed_frame *frame = top(reader);
    struct fg_feed_item *item = frame->item;
    bool is_guid = frame->rule->action == READ_GUID,
         is_link = is_guid && reader->is_permalink;
    if (!is_guid || is_link)
        fg_feed_check_id(reader, is_guid ? "guid" : "id", text, frame->line, is_guid);
    if (!text.len)
        return;
    item->id = is_guid && !is_link ? fg_arena_dup(reader->arena, text)
                                   : fg_feed_resolve(reader->arena, text, frame->base);
    item->id_is_link = is_link;
}

static void end_person_part(struct fg_feed_reader *reader, struct fg_str text)
{
    struct fg_feed_person *person = reader->person;
    struct fg_feed_frame *frame = top(reader);
    if (!person)
        return;
    struct fg_str copy = fg_arena_dup(reader->arena, text);
    if (frame->rule->argument == NAME)
        person->name = copy;
    else if (frame->rule->argument == EMAIL)
        person->email = copy;
    else
        person->href = fg_feed_resolve(reader->arena, copy, frame->base);
}

/* "new" and "1" are the same; a word stands before the number where both do. */
static void end_deed(struct fg_feed_item *item, struct fg_str text)
{
    uint64_t version;
    if (fg_str_eq_nocase(text, FG_STR("new")))
        item->deed = FG_FEED_MADE;
    else if (fg_str_eq_nocase(text, FG_STR("updated")) ||
             fg_str_eq_nocase(text, FG_STR("deleted")))
        item->deed = FG_FEED_CHANGED;
    else if (!item->deed && fg_str_to_u64(text, &version))
        item->deed = version == 1 ? FG_FEED_MADE : FG_FEED_CHANGED;
}

static void end_entry(struct fg_feed_reader *reader)
{
    struct fg_feed_item *entry = top(reader)->item;
    struct fg_feed *feed = reader->feed;
    fg_feed_choose_link(entry);
    if (reader->on_entry) {
        reader->on_entry(reader->context, entry);
        return;
    }
    if (feed->n_entries == FG_FEED_ENTRIES_MAX) {
        feed->cut = true;
        return;
    }
    if (feed->n_entries == reader->n_kept) {
        reader->n_kept = reader->n_kept ? reader->n_kept * 2 : 16;
        feed->entries = fg_arena_grow(reader->arena, feed->entries, sizeof *entry,
                                      feed->n_entries, reader->n_kept);
    }
    feed->entries[feed->n_entries++] = *entry;
}

static void close_collected(struct fg_feed_reader *reader)
{
    struct fg_feed_frame *frame = top(reader);
    fg_feed_close_tag(reader);
    struct fg_str text = fg_str_trim(fg_buf_str(&reader->text));
    switch (frame->rule->action) {
    case READ_TEXT:
        end_text(reader, text);
        break;
    case READ_DATE:
        end_date(reader, text);
        break;
    case READ_ID:
    case READ_GUID:
        end_id(reader, text);
        break;
    case READ_LINK:
    case READ_URL:
        end_link(reader, text);
        break;
    case READ_PERSON:
        if (reader->person && !reader->person->name.len && !reader->person->email.len)
            fg_feed_read_person(reader->person, fg_arena_dup(reader->arena, text));
        break;
    case READ_PERSON_PART:
        end_person_part(reader, text);
        break;
    case OPEN_SOURCE:
        frame->item->texts[FG_FEED_TITLE].value = fg_arena_dup(reader->arena, text);
        break;
    case READ_LANGUAGE:
        frame->item->language = fg_arena_dup(reader->arena, text);
        break;
    case READ_DEED:
        end_deed(frame->item, text);
        break;
    case READ_TTL:
        fg_feed_read_ttl(reader, text);
        break;
    case READ_SKIP_HOUR:
        fg_feed_read_hour(reader, text);
        break;
    case READ_SKIP_DAY:
        fg_feed_read_day(reader, text);
        break;
    case READ_PERIOD:
        fg_feed_read_period(reader, text);
        break;
    case READ_FREQUENCY:
        fg_feed_read_frequency(reader, text);
        break;
    default:
        break;
    }
}

void fg_feed_reader_end(struct fg_feed_reader *reader)
{
    struct fg_feed_frame *frame = top(reader);
    if (reader->collecting && reader->collecting < reader->depth) {
        if (reader->frames[reader->collecting].rule->action == READ_TEXT)
            fg_feed_write_end(reader, frame->name);
    } else if (reader->collecting == reader->depth && reader->depth) {
        close_collected(reader);
        bool in_person = frame->rule->action == READ_PERSON_PART;
        reader->collecting = in_person ? reader->depth - 1 : 0;
        fg_buf_reset(&reader->text);
    } else if (frame->rule && frame->rule->action == OPEN_ENTRY) {
        end_entry(reader);
    }
    if (reader->depth)
        reader->depth--;
}

void fg_feed_reader_text(struct fg_feed_reader *reader, struct fg_str text)
{
    if (!reader->collecting)
        return;
    fg_feed_close_tag(reader);
    if (reader->is_inline)
        fg_feed_add_escaped(reader, text, false);
    else
        fg_feed_add_text(reader, text);
}
