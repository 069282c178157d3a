/* charset_parts.h - what the files of net/charset share; not for others */
#ifndef FG_NET_CHARSET_PARTS_H
#define FG_NET_CHARSET_PARTS_H

#include "base/str.h"

enum fg_codec {
    FG_CODEC_UTF8,
    FG_CODEC_SINGLE_BYTE,
    FG_CODEC_GBK, /* decodes as gb18030; encodes without its four-byte characters */
    FG_CODEC_GB18030,
    FG_CODEC_BIG5,
    FG_CODEC_EUC_JP,
    FG_CODEC_ISO_2022_JP,
    FG_CODEC_SHIFT_JIS,
    FG_CODEC_EUC_KR,
    FG_CODEC_REPLACEMENT,
    FG_CODEC_UTF16BE,
    FG_CODEC_UTF16LE,
    FG_CODEC_USER_DEFINED,
    FG_CODEC_UTF32BE,
    FG_CODEC_UTF32LE,
};

/* A byte, or a pointer of an index, that stands for no character. No table maps to it. */
#define FG_NO_CODE 0xFFFF

struct fg_encoding {
    const char *name;
    enum fg_codec codec;
    const uint16_t *single_byte; /* the code points of 0x80 to 0xFF */
};

/* The encodings in the order of the standard, UTF-8 first, then our own UTF-32s. */
enum {
    FG_ENCODING_UTF8 = 0,
    FG_ENCODING_WINDOWS_1252 = 21,
    FG_ENCODING_UTF16BE = 37,
    FG_ENCODING_UTF16LE = 38,
    FG_ENCODING_USER_DEFINED = 39,
    FG_ENCODING_UTF32BE = 40,
    FG_ENCODING_UTF32LE = 41,
};
extern const struct fg_encoding fg_encodings[];

struct fg_label {
    const char *text;
    uint8_t encoding; /* index into fg_encodings */
};
extern const struct fg_label fg_labels[]; /* sorted */
extern const size_t fg_labels_len;

/* The code points from `code` on have four bytes in gb18030, numbered from `pointer`. */
struct fg_gb_range {
    uint32_t pointer, code;
};
extern const struct fg_gb_range fg_gb_ranges[];
extern const size_t fg_gb_ranges_len;

/* The HTML standard's prescan, and the continuation of it; NULL if nothing is declared.
 */
const struct fg_encoding *fg_prescan_html(struct fg_str head);
const struct fg_encoding *fg_prescan_late(struct fg_str bytes);
/* The encoding of an XML declaration that is written in ASCII. */
const struct fg_encoding *fg_prescan_xml(struct fg_str bytes);

/* Decode some bytes to `out`, which has room for fg_decoded_max, and return the length.
 * For all but UTF-8, which base/utf8.h does better. */
size_t fg_decode(char *out, const struct fg_encoding *encoding, struct fg_str bytes);
size_t fg_decoded_max(const struct fg_encoding *encoding, struct fg_str bytes);

#endif
