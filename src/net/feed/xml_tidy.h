/* xml_tidy.h - make markup well-formed before a strict parser sees it
 *
 *     struct fg_xml_tidy tidy;
 *     fg_xml_tidy_init(&tidy, write, context);
 *     while (...) fg_xml_tidy_feed(&tidy, chunk);
 *     fg_xml_tidy_finish(&tidy);
 *     fg_xml_tidy_clear(&tidy);
 *
 * Takes valid UTF-8 in pieces of any size and hands well-formed XML in UTF-8 to `write`,
 * with one root element. Well-formed input passes as it is, but for comments, processing
 * instructions and the document type, which are left out: so what stands behind can see
 * no entity but by number, and fetch nothing. Repaired are: "&" and "<" that mean
 * themselves, entities of HTML, end tags that are missing, crossed or superfluous,
 * attributes without quotes or twice, forbidden characters, several roots, text outside
 * the root, and an end in the middle. Lines stay the same: newlines that are left out
 * stand in the next tag.
 *
 * Part of xml.c; nobody else needs it. */
#ifndef FG_NET_XML_TIDY_H
#define FG_NET_XML_TIDY_H

#include "base/buf.h"
#include "base/str.h"

/* Deeper elements lose their tags, longer tags their last attributes. */
#define FG_XML_DEPTH_MAX     128
#define FG_XML_TAG_MAX       (64 << 10)
#define FG_XML_ATTRIBUTE_MAX 64

/* What was wrong with a document. All but the limit make it not well-formed. */
enum fg_xml_problem {
    FG_XML_BAD_ENCODING,  /* bytes that are not of the encoding, or no such encoding */
    FG_XML_BAD_CHARACTER, /* one that XML does not allow */
    FG_XML_BAD_REFERENCE, /* an "&" that starts none, or an unknown entity */
    FG_XML_BAD_TAG,       /* a "<" that starts none, or attributes that are no such */
    FG_XML_BAD_NESTING,   /* end tags that do not fit */
    FG_XML_BAD_OUTSIDE,   /* text, a second root or a declaration out of place */
    FG_XML_BAD_NAMESPACE, /* a prefix that is not declared */
    FG_XML_TRUNCATED,     /* ends within an element or tag */
    FG_XML_EMPTY,         /* has no element */
    FG_XML_CUT,           /* a limit of this reader was met */
    FG_XML_PROBLEMS
};

/* Where each problem first occurred; 0 if it did not. */
struct fg_xml_problems {
    unsigned line[FG_XML_PROBLEMS];
};

/* What has come of a document. */
struct fg_xml_whole {
    bool has_input, has_root, root_closed, has_doctype;
};

struct fg_xml_tidy {
    void (*write)(void *context, struct fg_str xml);
    void *context;
    struct fg_xml_problems problems;
    unsigned line; /* at the start of `chunk` */

    /* All below is private. */
    const char *chunk, *at, *end;
    int state;
    char quote;         /* the one we are in, within a tag or declaration */
    bool after_equals;  /* in a tag: a quote here would open a value */
    unsigned matched;   /* of the mark that ends a comment or section */
    size_t skipped;     /* bytes of a declaration, or elements below the depth limit */
    size_t left_out;    /* newlines to be made up for */
    struct fg_buf hold; /* a tag or reference that the end of a chunk cut in two */
    struct fg_buf out;
    const char *kept, *kept_end; /* a stretch of the chunk that follows `out` as it is */
    struct fg_buf names;         /* of the open elements, one behind the other */
    struct {
        unsigned start; /* in `names` */
        bool is_clean;
    } open[FG_XML_DEPTH_MAX];
    unsigned depth;
    size_t below; /* open elements below the depth limit */
    struct fg_xml_whole whole;
    bool text_open; /* text was the last thing */
};

void fg_xml_tidy_init(struct fg_xml_tidy *tidy,
                      void (*write)(void *context, struct fg_str xml), void *context);
void fg_xml_tidy_feed(struct fg_xml_tidy *tidy, struct fg_str utf8);
void fg_xml_tidy_finish(struct fg_xml_tidy *tidy);
void fg_xml_tidy_clear(struct fg_xml_tidy *tidy);

/* The input so far ends within text, not within a tag or behind one. */
bool fg_xml_tidy_is_in_text(const struct fg_xml_tidy *tidy);

/* The code point of an HTML 4 entity without "&" and ";", or 0. */
uint32_t fg_xml_entity(struct fg_str name);

#endif
