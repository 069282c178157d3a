/* charset.h - which encoding bytes are in, and the same text in UTF-8
 *
 *     struct fg_charset c = fg_charset_of_html(body, fg_mime_charset(&type));
 *     struct fg_str text = fg_charset_decode(arena, c, body);
 *
 * The encodings, their labels and what each byte means are those of the WHATWG Encoding
 * Standard; how the encoding of a page is found is told by the HTML standard, that of a
 * feed or sitemap by RFC 7303. Nothing here fails: what cannot be decoded becomes U+FFFD,
 * and a byte below 0x80 that follows a broken character is kept, so that no "<" is lost
 * to a sloppy or hostile lead byte.
 *
 * Encodings are constants: compare the pointers. All functions may be called from any
 * thread. */
#ifndef FG_NET_CHARSET_H
#define FG_NET_CHARSET_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

struct fg_encoding; /* private to charset_*.c */

/* Who told us. */
enum fg_charset_source {
    FG_CHARSET_BOM,       /* a byte order mark; stronger than anything else */
    FG_CHARSET_TRANSPORT, /* the charset of the Content-Type header */
    FG_CHARSET_DECLARED,  /* <meta>, <?xml encoding?>, or the width of XML's first "<" */
    FG_CHARSET_VALID,     /* nobody, but beyond ASCII it is valid UTF-8 */
    FG_CHARSET_GUESSED,   /* nobody, so uchardet looked at the bytes */
    FG_CHARSET_DEFAULT,   /* nobody: windows-1252, or UTF-8 for XML in plain ASCII */
};

struct fg_charset {
    const struct fg_encoding *encoding;
    enum fg_charset_source source;
    unsigned bom_bytes; /* at the start, not part of the text */
};

/* The encoding of an HTML page. `transport` is the charset of its Content-Type, empty if
 * there was none. A page that declares nothing in its first 1024 bytes is searched for a
 * late declaration in its head, for which browsers would load the page again. */
struct fg_charset fg_charset_of_html(struct fg_str bytes, struct fg_str transport);

/* The encoding of an XML document, RFC 7303: byte order mark, charset of the
 * Content-Type, XML declaration, UTF-8; but bytes that are no UTF-8 are guessed. Here,
 * and only here, UTF-32 is known as well. */
struct fg_charset fg_charset_of_xml(struct fg_str bytes, struct fg_str transport);

/* The text as valid UTF-8, without the byte order mark. `bytes` itself where that is
 * possible; otherwise in `arena`, at most FG_CHARSET_DECODED_MAX bytes. */
#define FG_CHARSET_DECODED_MAX(n) (3 * (n))
struct fg_str fg_charset_decode(struct fg_arena *arena, struct fg_charset charset,
                                struct fg_str bytes);

/* By any of its labels ("latin1", " UTF8 "), in any case; NULL if there is none. */
const struct fg_encoding *fg_encoding_find(struct fg_str label);

/* "windows-1252": the name of the standard, and a label of itself (but UTF-32's). */
const char *fg_encoding_name(const struct fg_encoding *encoding);

const char *fg_charset_source_name(enum fg_charset_source source);

/* The "charset=..." in the content of a <meta http-equiv=content-type>; NULL if there is
 * none that we know. */
const struct fg_encoding *fg_encoding_in_meta(struct fg_str content);

/* Encode the query of a URL of a page in a legacy encoding, as the URL standard's
 * "percent-encode after encoding" asks: bytes of the encoding, and "%26%231234%3B" (that
 * is "&#1234;") for what it cannot say. The caller percent-encodes the bytes above 0x7F
 * and the controls. UTF-16, UTF-32 and replacement mean UTF-8. False if `out` is full. */
bool fg_charset_encode(struct fg_buf *out, const struct fg_encoding *encoding,
                       struct fg_str utf8);

#endif
