/* mime.h - what a Content-Type says, and what the bytes say (WHATWG MIME Sniffing)
 *
 *     struct fg_mime type;
 *     if (fg_mime_extract(&type, arena, header) && fg_mime_is_xml(&type))
 *         parse(body, fg_mime_charset(&type));
 *     else if (fg_str_eq(fg_mime_sniff(body), FG_STR("application/pdf"))) ...
 *
 * A parsed type lives in the arena. Types, subtypes and parameter names come in lower
 * case, values as they stood. Headers are bytes; those above 0x7F are kept in values. */
#ifndef FG_NET_MIME_H
#define FG_NET_MIME_H

#include "base/arena.h"
#include "base/str.h"

struct fg_mime_parameter {
    struct fg_str name, value;
};

/* Parameters after this many are dropped: no header that means well has more. */
#define FG_MIME_PARAMETERS_MAX 64

struct fg_mime {
    struct fg_str essence;       /* "text/html" */
    struct fg_str type, subtype; /* its two halves */
    struct fg_mime_parameter *parameters;
    size_t n_parameters;
};

/* The type of a response. `header` is the value of its Content-Type; repeated headers are
 * joined by ", " and the last that makes sense wins, as Fetch has it. False if none does.
 */
bool fg_mime_extract(struct fg_mime *mime, struct fg_arena *arena, struct fg_str header);

/* One type, such as the value of a type attribute. */
bool fg_mime_parse(struct fg_mime *mime, struct fg_arena *arena, struct fg_str text);

/* Back to text, quoted where it must be. */
struct fg_str fg_mime_format(struct fg_arena *arena, const struct fg_mime *mime);

/* The value of a parameter, given in lower case; empty if there is none. */
struct fg_str fg_mime_parameter(const struct fg_mime *mime, struct fg_str name);
struct fg_str fg_mime_charset(const struct fg_mime *mime);

bool fg_mime_is_xml(const struct fg_mime *mime); /* text/xml, application/xml, any +xml */
bool fg_mime_is_json(const struct fg_mime *mime);

/* What the first bytes look like, for a response without a type or with one that lies.
 * Feeds are told apart from other XML; what shows no known mark is "text/plain", or
 * "application/octet-stream" if it has bytes that no text has. Looks at no more than
 * FG_MIME_SNIFF_MAX bytes. The result is a constant. */
#define FG_MIME_SNIFF_MAX 1445
struct fg_str fg_mime_sniff(struct fg_str body);

/* Whether a body that claims to be text, such as HTML, is plainly something else: an
 * image, an archive, a font, or bytes that no text has. UTF-16 without a byte order mark
 * counts as binary here. */
bool fg_mime_is_binary(struct fg_str body);

#endif
