/* xml.h - XML in pieces, as events, whatever shape it is in
 *
 *     static const struct fg_xml_handler handler = {start, end, text};
 *     struct fg_xml *xml = fg_xml_new(&handler, context, charset);
 *     while (...) fg_xml_feed(xml, chunk);
 *     fg_xml_finish(xml);
 *     if (!fg_xml_is_well_formed(xml)) ...
 *     fg_xml_free(xml);
 *
 * libxml2's push parser with a guard before it. Nothing is loaded, no entity is expanded
 * but those of XML and HTML that stand for one character, and a document type is skipped
 * unread. Broken markup is repaired on the way in (see xml_tidy.h), so a handler sees
 * start and end tags that match, and text that is valid UTF-8 without forbidden
 * characters. Depth and length of tags have limits; text comes in pieces and has none.
 *
 * UTF-8 is read as it comes. A document in another encoding is collected first, up to
 * FG_XML_LEGACY_MAX, and its events come with fg_xml_finish.
 *
 * Safe for use by several threads, each with readers of its own. */
#ifndef FG_NET_XML_H
#define FG_NET_XML_H

#include "base/arena.h"
#include "base/str.h"
#include "net/feed/xml_tidy.h"

/* What is behind this in another encoding than UTF-8 is cut off. */
#define FG_XML_LEGACY_MAX (16 << 20)

/* The vocabularies that feeds and sitemaps use. A namespace is known by its name; where
 * that is unknown or missing, by its usual prefix. An unknown default namespace counts as
 * none, since many get theirs wrong. */
enum fg_xml_ns {
    FG_NS_NONE,
    FG_NS_OTHER,
    FG_NS_XML,
    FG_NS_XHTML,
    FG_NS_SITEMAP,
    FG_NS_NEWS, /* Google News in sitemaps */
    FG_NS_RSS,  /* that of RSS 0.90, 1.0 and 1.1 */
    FG_NS_RDF,
    FG_NS_ATOM,
    FG_NS_ATOM03, /* the draft that was in use before 1.0 */
    FG_NS_DC,
    FG_NS_DCTERMS,
    FG_NS_CONTENT,
    FG_NS_SYNDICATION,
    FG_NS_WFW,
    FG_NS_CC,
    FG_NS_THREAD,
    FG_NS_ITUNES,
    FG_NS_WIKI,
};

struct fg_xml_tag {
    enum fg_xml_ns ns;
    struct fg_str name; /* without its prefix */
    /* Private: what libxml2 gave us. */
    const unsigned char **attributes;
    int n_attributes;
};

/* What is pointed to holds until the handler returns. */
struct fg_xml_handler {
    void (*start)(void *context, const struct fg_xml_tag *tag);
    void (*end)(void *context);
    void (*text)(void *context, struct fg_str text);
};

struct fg_xml; /* private to xml.c */

/* `charset` is the encoding that the transport told, or empty. The handler is borrowed
 * until free. */
struct fg_xml *fg_xml_new(const struct fg_xml_handler *handler, void *context,
                          struct fg_str charset);
void fg_xml_feed(struct fg_xml *xml, struct fg_str bytes);
void fg_xml_finish(struct fg_xml *xml);
void fg_xml_free(struct fg_xml *xml);

/* The value of an attribute, copied; `at` is NULL if the tag has none. Attributes without
 * a prefix are of no namespace. */
struct fg_str fg_xml_attribute(const struct fg_xml_tag *tag, struct fg_arena *arena,
                               enum fg_xml_ns ns, const char *name);

/* The i-th attribute in the order of writing; false if there are not as many. */
bool fg_xml_attribute_at(const struct fg_xml_tag *tag, struct fg_arena *arena, int i,
                         struct fg_str *name, struct fg_str *value);

/* The line of the input that the current event stands on, from 1. */
unsigned fg_xml_line(const struct fg_xml *xml);

/* During the last events: the text of the element that now ends was cut short by the end
 * of the input. */
bool fg_xml_is_cut(const struct fg_xml *xml);

const struct fg_xml_problems *fg_xml_problems(const struct fg_xml *xml);
bool fg_xml_is_well_formed(const struct fg_xml *xml);
const char *fg_xml_problem_text(enum fg_xml_problem problem);

/* "UTF-8": the encoding that was found; NULL before the first kilobyte was seen. */
const char *fg_xml_encoding(const struct fg_xml *xml);

#endif
