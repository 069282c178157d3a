/* xml.c - XML in pieces, as events, whatever shape it is in
 *
 *     bytes -> encoding -> valid UTF-8 -> xml_tidy -> libxml2 -> handler
 *
 * The document type never reaches libxml2, so there are no entities it could expand and
 * nothing it could want to load; the options say the same once more. Its own limits (10
 * MB of names, for one) remain: when it gives up, the rest of the document is lost and
 * FG_XML_CUT tells so. */
#include "net/feed/xml.h"

#include "base/err.h"
#include "net/charset/charset.h"
#include "net/feed/xml_tidy_parts.h"

#include <libxml/parser.h>
#include <libxml/xmlerror.h>
#include <pthread.h>
#include <stdlib.h>

enum {
    SNIFF_BYTES = 1024, /* the XML declaration lies within */
    NS_CACHE = 16,
};

struct fg_xml {
    const struct fg_xml_handler *handler;
    void *context;
    xmlParserCtxtPtr parser;
    struct fg_xml_tidy tidy;
    struct fg_buf pending; /* before the encoding is known, or all of a legacy one */
    struct fg_charset charset;
    struct fg_str transport;
    char tail[4]; /* a character that a chunk cut in two */
    size_t tail_len;
    bool knows_encoding, is_utf8, claims_ascii, is_cut, has_stopped;
    /* Names are interned by libxml2, so the pointer tells. */
    struct {
        const xmlChar *uri, *prefix;
        enum fg_xml_ns ns;
    } cache[NS_CACHE];
};

/* --- namespaces --- */

/* A name that ends in "*" stands for all that start so. */
static const struct {
    enum fg_xml_ns ns;
    const char *prefix, *uri;
} namespaces[] = {
    {FG_NS_XML, "xml", "http://www.w3.org/XML/1998/namespace"},
    {FG_NS_SITEMAP, "sitemap", "http://www.sitemaps.org/schemas/sitemap/*"},
    {FG_NS_SITEMAP, NULL, "https://www.sitemaps.org/schemas/sitemap/*"},
    {FG_NS_SITEMAP, NULL, "http://www.google.com/schemas/sitemap/*"},
    {FG_NS_NEWS, "news", "http://www.google.com/schemas/sitemap-news/*"},
    {FG_NS_OTHER, "image", "http://www.google.com/schemas/sitemap-*"},
    {FG_NS_OTHER, "video", "https://www.google.com/schemas/sitemap-*"},
    {FG_NS_ATOM, "atom", "http://www.w3.org/2005/Atom"},
    {FG_NS_ATOM03, "atom03", "http://purl.org/atom/*"},
    {FG_NS_ATOM, "atom10", "https://www.w3.org/2005/Atom"},
    {FG_NS_RDF, "rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"},
    {FG_NS_RDF, NULL, "http://www.w3.org/TR/RDF/"},
    {FG_NS_RSS, NULL, "http://purl.org/rss/1.0/"},
    {FG_NS_RSS, NULL, "http://purl.org/net/rss1.1#"},
    {FG_NS_RSS, NULL, "http://my.netscape.com/rdf/simple/0.9/"},
    {FG_NS_RSS, NULL, "http://channel.netscape.com/rdf/simple/0.9/"},
    {FG_NS_RSS, NULL, "http://backend.userland.com/rss*"},
    {FG_NS_RSS, NULL, "http://blogs.law.harvard.edu/tech/rss"},
    {FG_NS_DC, "dc", "http://purl.org/dc/elements/1.*"},
    {FG_NS_DCTERMS, "dcterms", "http://purl.org/dc/terms/"},
    {FG_NS_CONTENT, "content", "http://purl.org/rss/1.0/modules/content/"},
    {FG_NS_SYNDICATION, "sy", "http://purl.org/rss/1.0/modules/syndication/"},
    {FG_NS_WFW, "wfw", "http://wellformedweb.org/CommentAPI/"},
    {FG_NS_CC, "cc", "http://web.resource.org/cc/"},
    {FG_NS_CC, "creativeCommons", "http://backend.userland.com/creativeCommons*"},
    {FG_NS_CC, NULL, "http://cyber.law.harvard.edu/rss/creativeCommons*"},
    {FG_NS_THREAD, "thr", "http://purl.org/syndication/thread/1.0"},
    {FG_NS_ITUNES, "itunes", "http://www.itunes.com/*"},
    {FG_NS_WIKI, "wiki", "http://purl.org/rss/1.0/modules/wiki/"},
    {FG_NS_XHTML, "xhtml", "http://www.w3.org/1999/xhtml"},
    {FG_NS_OTHER, "media", "http://search.yahoo.com/mrss*"},
    {FG_NS_OTHER, "xlink", "http://www.w3.org/*"},
};

static bool uri_matches(const char *pattern, struct fg_str uri)
{
    struct fg_str p = fg_str_from(pattern);
    if (!fg_str_ends(p, FG_STR("*")))
        return fg_str_eq_nocase(p, uri);
    p.len--;
    return fg_str_starts_nocase(uri, p);
}

static enum fg_xml_ns find_ns(struct fg_str uri, struct fg_str prefix)
{
    const size_t n = sizeof namespaces / sizeof *namespaces;
    for (size_t i = 0; i < n && uri.len; i++)
        if (uri_matches(namespaces[i].uri, uri))
            return namespaces[i].ns;
    for (size_t i = 0; i < n && prefix.len; i++)
        if (fg_str_eq_nocase(fg_str_from(namespaces[i].prefix), prefix))
            return namespaces[i].ns;
    return prefix.len ? FG_NS_OTHER : FG_NS_NONE;
}

static struct fg_str view(const xmlChar *text)
{
    return fg_str_from((const char *)text);
}

static enum fg_xml_ns cached_ns(struct fg_xml *xml, const xmlChar *uri,
                                const xmlChar *prefix)
{
    if (!uri && !prefix)
        return FG_NS_NONE;
    size_t slot = (((uintptr_t)uri >> 3) ^ ((uintptr_t)prefix >> 2)) % NS_CACHE;
    if (xml->cache[slot].uri != uri || xml->cache[slot].prefix != prefix) {
        xml->cache[slot].ns = find_ns(view(uri), view(prefix));
        xml->cache[slot].uri = uri;
        xml->cache[slot].prefix = prefix;
    }
    return xml->cache[slot].ns;
}

/* --- events --- */

static void on_start(void *context, const xmlChar *name, const xmlChar *prefix,
                     const xmlChar *uri, int n_namespaces, const xmlChar **declared,
                     int n_attributes, int n_defaulted, const xmlChar **attributes)
{
    (void)n_namespaces, (void)declared, (void)n_defaulted;
    struct fg_xml *xml = context;
    struct fg_xml_tag tag = {.ns = cached_ns(xml, uri, prefix),
                             .name = view(name),
                             .attributes = attributes,
                             .n_attributes = n_attributes};
    xml->handler->start(xml->context, &tag);
}

static void on_end(void *context, const xmlChar *name, const xmlChar *prefix,
                   const xmlChar *uri)
{
    (void)name, (void)prefix, (void)uri;
    struct fg_xml *xml = context;
    xml->handler->end(xml->context);
}

static void on_text(void *context, const xmlChar *text, int len)
{
    struct fg_xml *xml = context;
    xml->handler->text(xml->context,
                       (struct fg_str){(const char *)text, (size_t)(len > 0 ? len : 0)});
}

static void note(struct fg_xml *xml, enum fg_xml_problem problem, unsigned line)
{
    unsigned *first = &xml->tidy.problems.line[problem];
    if (*first == 0)
        *first = line ? line : 1;
}

/* The markup is in order by now. What is left is undeclared prefixes and limits. */
static void on_error(void *context, xmlErrorPtr error)
{
    struct fg_xml *xml = context;
    if (error->level < XML_ERR_ERROR)
        return;
    bool is_namespace = error->domain == XML_FROM_NAMESPACE;
    note(xml, is_namespace ? FG_XML_BAD_NAMESPACE : FG_XML_CUT, (unsigned)error->line);
}

static void to_parser(void *context, struct fg_str markup)
{
    struct fg_xml *xml = context;
    if (xml->has_stopped)
        return;
    xmlParseChunk(xml->parser, markup.at, (int)markup.len, 0);
    if (xml->parser->disableSAX || xml->parser->instate == XML_PARSER_EOF) {
        xml->has_stopped = true;
        note(xml, FG_XML_CUT, fg_xml_line(xml));
    }
}

/* --- life --- */

static void init_library(void)
{
    xmlInitParser();
}

struct fg_xml *fg_xml_new(const struct fg_xml_handler *handler, void *context,
                          struct fg_str charset)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, init_library);
    struct fg_xml *xml = calloc(1, sizeof *xml);
    /* The handler for blanks must be that for text, or libxml2 looks ahead to tell. */
    xmlSAXHandler sax = {.initialized = XML_SAX2_MAGIC,
                         .startElementNs = on_start,
                         .endElementNs = on_end,
                         .characters = on_text,
                         .ignorableWhitespace = on_text,
                         .cdataBlock = on_text,
                         .serror = on_error};
    if (!xml || !(xml->parser = xmlCreatePushParserCtxt(&sax, xml, NULL, 0, NULL)))
        fg_out_of_memory();
    xmlCtxtUseOptions(xml->parser, XML_PARSE_RECOVER | XML_PARSE_NONET);
    xml->handler = handler;
    xml->context = context;
    fg_xml_tidy_init(&xml->tidy, to_parser, xml);
    fg_buf_init(&xml->pending, FG_XML_LEGACY_MAX);
    char *copy = charset.len ? strndup(charset.at, charset.len) : NULL;
    if (charset.len && !copy)
        fg_out_of_memory();
    xml->transport = fg_str_from(copy);
    return xml;
}

void fg_xml_free(struct fg_xml *xml)
{
    if (!xml)
        return;
    xmlFreeParserCtxt(xml->parser);
    fg_xml_tidy_clear(&xml->tidy);
    fg_buf_clear(&xml->pending);
    free((char *)xml->transport.at);
    free(xml);
}

/* --- from bytes to valid UTF-8 --- */

/* The character at `at` is sound so far, but the end cuts it in two. */
static bool is_incomplete(const char *at, const char *end)
{
    unsigned char lead = (unsigned char)*at;
    ptrdiff_t needed = lead >= 0xF0 && lead <= 0xF4   ? 4
                       : lead >= 0xE0 && lead <= 0xEF ? 3
                       : lead >= 0xC2 && lead <= 0xDF ? 2
                                                      : 1;
    if (end - at >= needed)
        return false;
    for (const char *p = at + 1; p < end; p++)
        if (((unsigned char)*p & 0xC0) != 0x80)
            return false;
    return true;
}

/* What to write instead of a character, or 0 if it may stay. Controls that were meant as
 * windows-1252 become what was meant. */
static uint32_t replacement(struct fg_xml *xml, uint32_t c, bool is_broken)
{
    if (is_broken) {
        note(xml, FG_XML_BAD_ENCODING, xml->tidy.line);
        return 0xFFFD;
    }
    if (c == 0xFFFE || c == 0xFFFF)
        return 0xFFFD;
    uint32_t meant = fg_xml_from_windows_1252(c);
    return meant == c ? 0 : meant;
}

/* Valid stretches go on as they are. Stops before a character that the end cuts in two
 * unless `is_last`, and returns where. */
static const char *feed_utf8(struct fg_xml *xml, struct fg_str bytes, bool is_last)
{
    if (!bytes.len)
        return bytes.at;
    const char *at = bytes.at, *from = at, *end = at + bytes.len;
    while ((at += fg_ascii_len(fg_str_range(at, end))) < end) {
        if (!is_last && is_incomplete(at, end))
            break;
        const char *next = at;
        uint32_t c = fg_utf8_take(&next, end);
        bool is_broken =
            c == 0xFFFD && !fg_str_eq(fg_str_range(at, next), FG_STR("\xEF\xBF\xBD"));
        if (is_broken || c < 0xA0 || c == 0xFFFE || c == 0xFFFF) {
            fg_xml_tidy_feed(&xml->tidy, fg_str_range(from, at));
            from = at;
            uint32_t instead = replacement(xml, c, is_broken);
            if (instead) {
                char out[4];
                fg_xml_tidy_feed(&xml->tidy,
                                 (struct fg_str){out, fg_utf8_put(out, instead)});
                from = next;
            }
        }
        at = next;
    }
    fg_xml_tidy_feed(&xml->tidy, fg_str_range(from, at));
    return at;
}

static void feed_stream(struct fg_xml *xml, struct fg_str bytes)
{
    while (xml->tail_len && bytes.len) {
        xml->tail[xml->tail_len++] = bytes.at[0];
        bytes = fg_str_skip(bytes, 1);
        const char *end = xml->tail + xml->tail_len;
        if (is_incomplete(xml->tail, end))
            return;
        struct fg_str whole = {xml->tail, xml->tail_len};
        xml->tail_len = 0;
        feed_utf8(xml, whole, true);
    }
    if (!bytes.len)
        return;
    const char *stop = feed_utf8(xml, bytes, false), *end = bytes.at + bytes.len;
    xml->tail_len = (size_t)(end - stop);
    memcpy(xml->tail, stop, xml->tail_len);
}

/* --- the encoding --- */

/* The label in <?xml version="1.0" encoding="..."?>; `at` is NULL if there is none. */
static struct fg_str declared_label(struct fg_str bytes)
{
    struct fg_str none = {0}, label;
    bytes = fg_str_trim(fg_str_sub(bytes, 0, SNIFF_BYTES));
    size_t end = fg_str_chr(bytes, '>');
    if (!fg_str_starts(bytes, FG_STR("<?xml")) || end == FG_NOT_FOUND)
        return none;
    struct fg_str rest = fg_str_sub(bytes, 0, end);
    size_t at = fg_str_find(rest, FG_STR("encoding"));
    if (at == FG_NOT_FOUND)
        return none;
    rest = fg_str_skip(rest, at + strlen("encoding"));
    while (rest.len && rest.at[0] != '"' && rest.at[0] != '\'')
        rest = fg_str_skip(rest, 1);
    if (!rest.len)
        return none;
    char quote = rest.at[0];
    rest = fg_str_skip(rest, 1);
    return fg_str_cut(&rest, quote, &label) ? label : none;
}

/* A character that the end cut in two must not make the rest look broken. */
static struct fg_str without_tail(struct fg_str bytes)
{
    for (size_t n = 1; n <= 3 && n <= bytes.len; n++) {
        const char *at = bytes.at + bytes.len - n;
        if (((unsigned char)*at & 0xC0) == 0xC0)
            return is_incomplete(at, bytes.at + bytes.len)
                       ? fg_str_sub(bytes, 0, bytes.len - n)
                       : bytes;
    }
    return bytes;
}

/* Decide by what has come so far, and return it without a byte order mark. */
static struct fg_str decide_encoding(struct fg_xml *xml, struct fg_str bytes)
{
    xml->charset = fg_charset_of_xml(without_tail(bytes), xml->transport);
    xml->is_utf8 = xml->charset.encoding == fg_encoding_find(FG_STR("utf-8"));
    xml->knows_encoding = true;
    struct fg_str label = declared_label(bytes);
    if (xml->charset.source == FG_CHARSET_GUESSED ||
        (label.at && !fg_encoding_find(label)))
        note(xml, FG_XML_BAD_ENCODING, 1);
    /* To the Encoding Standard that is a name of windows-1252. */
    xml->claims_ascii = xml->charset.source == FG_CHARSET_DECLARED &&
                        fg_str_eq_nocase(label, FG_STR("us-ascii"));
    return xml->is_utf8 ? fg_str_skip(bytes, xml->charset.bom_bytes) : bytes;
}

static void collect(struct fg_xml *xml, struct fg_str bytes)
{
    if (!fg_buf_add(&xml->pending, bytes)) {
        fg_buf_add(&xml->pending,
                   fg_str_sub(bytes, 0, xml->pending.max - xml->pending.len));
        note(xml, FG_XML_CUT, 1);
    }
}

void fg_xml_feed(struct fg_xml *xml, struct fg_str bytes)
{
    if (xml->knows_encoding && xml->is_utf8) {
        feed_stream(xml, bytes);
        return;
    }
    if (xml->knows_encoding || xml->pending.len + bytes.len < SNIFF_BYTES) {
        collect(xml, bytes);
        return;
    }
    if (xml->pending.len) {
        collect(xml, bytes);
        bytes = fg_buf_str(&xml->pending);
    }
    struct fg_str text = decide_encoding(xml, bytes);
    if (xml->is_utf8)
        feed_stream(xml, text);
    else if (xml->pending.len == 0)
        collect(xml, bytes);
    if (xml->is_utf8)
        fg_buf_reset(&xml->pending);
}

void fg_xml_finish(struct fg_xml *xml)
{
    if (!xml->knows_encoding) {
        struct fg_str text = decide_encoding(xml, fg_buf_str(&xml->pending));
        if (xml->is_utf8)
            feed_stream(xml, text);
    }
    if (xml->is_utf8) {
        feed_utf8(xml, (struct fg_str){xml->tail, xml->tail_len}, true);
    } else {
        struct fg_arena arena = {0};
        struct fg_str bytes = fg_buf_str(&xml->pending);
        size_t plain = fg_ascii_len(bytes);
        if (xml->claims_ascii && plain < bytes.len)
            note(xml, FG_XML_BAD_ENCODING,
                 1 + fg_xml_tidy_lines(bytes.at, bytes.at + plain));
        feed_utf8(xml, fg_charset_decode(&arena, xml->charset, bytes), true);
        fg_arena_clear(&arena);
    }
    xml->is_cut = fg_xml_tidy_is_in_text(&xml->tidy);
    fg_xml_tidy_finish(&xml->tidy);
    if (!xml->has_stopped)
        xmlParseChunk(xml->parser, NULL, 0, 1);
}

/* --- questions --- */

/* libxml2 leaves "&" in values as "&#38;", for a second reading that we do not do. */
static struct fg_str copy_value(struct fg_arena *arena, struct fg_str value)
{
    char *out = fg_arena_bytes(arena, value.len + 1);
    size_t n = 0;
    while (value.len) {
        out[n++] = value.at[0];
        value = fg_str_skip(value, fg_str_starts(value, FG_STR("&#38;")) ? 5 : 1);
    }
    return (struct fg_str){out, n};
}

/* libxml2's five pointers for each: name, prefix, namespace, value, its end. */
static struct fg_str value_at(const struct fg_xml_tag *tag, struct fg_arena *arena, int i)
{
    const unsigned char **a = tag->attributes + (ptrdiff_t)5 * i;
    return copy_value(arena, fg_str_range((const char *)a[3], (const char *)a[4]));
}

struct fg_str fg_xml_attribute(const struct fg_xml_tag *tag, struct fg_arena *arena,
                               enum fg_xml_ns ns, const char *name)
{
    for (int i = 0; i < tag->n_attributes; i++) {
        const unsigned char **a = tag->attributes + (ptrdiff_t)5 * i;
        if (strcmp((const char *)a[0], name) == 0 &&
            (a[1] ? find_ns(view(a[2]), view(a[1])) : FG_NS_NONE) == ns)
            return value_at(tag, arena, i);
    }
    return (struct fg_str){0};
}

bool fg_xml_attribute_at(const struct fg_xml_tag *tag, struct fg_arena *arena, int i,
                         struct fg_str *name, struct fg_str *value)
{
    if (i >= tag->n_attributes)
        return false;
    *name = view(tag->attributes[(ptrdiff_t)5 * i]);
    *value = value_at(tag, arena, i);
    return true;
}

unsigned fg_xml_line(const struct fg_xml *xml)
{
    return xml->parser->input ? (unsigned)xml->parser->input->line : 1;
}

bool fg_xml_is_cut(const struct fg_xml *xml)
{
    return xml->is_cut;
}

const struct fg_xml_problems *fg_xml_problems(const struct fg_xml *xml)
{
    return &xml->tidy.problems;
}

bool fg_xml_is_well_formed(const struct fg_xml *xml)
{
    for (int i = 0; i < FG_XML_PROBLEMS; i++)
        if (i != FG_XML_CUT && xml->tidy.problems.line[i])
            return false;
    return true;
}

const char *fg_xml_problem_text(enum fg_xml_problem problem)
{
    static const char *const texts[FG_XML_PROBLEMS] = {
        [FG_XML_BAD_ENCODING] = "bytes that are not of the encoding",
        [FG_XML_BAD_CHARACTER] = "a character that XML does not allow",
        [FG_XML_BAD_REFERENCE] = "an '&' that starts no known reference",
        [FG_XML_BAD_TAG] = "a malformed tag",
        [FG_XML_BAD_NESTING] = "an end tag that does not fit",
        [FG_XML_BAD_OUTSIDE] = "something outside the root element",
        [FG_XML_BAD_NAMESPACE] = "a prefix that is not declared",
        [FG_XML_TRUNCATED] = "an end in the middle",
        [FG_XML_EMPTY] = "no element",
        [FG_XML_CUT] = "a limit was reached",
    };
    return texts[problem];
}

const char *fg_xml_encoding(const struct fg_xml *xml)
{
    return xml->knows_encoding ? fg_encoding_name(xml->charset.encoding) : NULL;
}
