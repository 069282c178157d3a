/* The order in which we believe: the byte order mark, the transport, the document, its
 * bytes. The Encoding Standard puts the mark above the Content-Type because it is right
 * more often.
 *
 * Detection never yields an encoding that can hide ASCII: ISO-2022-JP, where "<" may be
 * half of a kanji, and UTF-16 are used only when they are declared. A guess that could be
 * steered by an attacker would otherwise turn harmless text into markup, or the other way
 * round. */
#include "net/charset/charset.h"

#include "base/utf8.h"
#include "net/charset/charset_parts.h"

#include <uchardet.h>

enum {
    GUESS_BYTES = 1 << 16, /* what uchardet gets to see: it is slow, and learns no more */
};

static struct fg_charset found(int encoding, enum fg_charset_source source)
{
    return (struct fg_charset){&fg_encodings[encoding], source, 0};
}

const char *fg_charset_source_name(enum fg_charset_source source)
{
    static const char *const names[] = {
        [FG_CHARSET_BOM] = "bom",           [FG_CHARSET_TRANSPORT] = "transport",
        [FG_CHARSET_DECLARED] = "declared", [FG_CHARSET_VALID] = "valid",
        [FG_CHARSET_GUESSED] = "guessed",   [FG_CHARSET_DEFAULT] = "default"};
    return names[source];
}

static bool has_bom(struct fg_str bytes, struct fg_charset *charset)
{
    *charset = (struct fg_charset){.source = FG_CHARSET_BOM};
    if (fg_str_starts(bytes, FG_STR("\xEF\xBB\xBF"))) {
        charset->encoding = &fg_encodings[FG_ENCODING_UTF8];
        charset->bom_bytes = 3;
    } else if (fg_str_starts(bytes, FG_STR("\xFE\xFF"))) {
        charset->encoding = &fg_encodings[FG_ENCODING_UTF16BE];
        charset->bom_bytes = 2;
    } else if (fg_str_starts(bytes, FG_STR("\xFF\xFE"))) {
        charset->encoding = &fg_encodings[FG_ENCODING_UTF16LE];
        charset->bom_bytes = 2;
    }
    return charset->encoding;
}

/* Valid to the end, or to a character that was cut off there: bodies have a limit. */
static bool is_utf8(struct fg_str bytes)
{
    struct fg_str rest = fg_str_skip(bytes, fg_utf8_valid_len(bytes));
    if (!rest.len)
        return true;
    const char *at = rest.at;
    fg_utf8_take(&at, rest.at + rest.len);
    return rest.len < 4 && (unsigned char)rest.at[0] >= 0xC2 && at == rest.at + rest.len;
}

static bool may_be_guessed(const struct fg_encoding *encoding)
{
    switch (encoding->codec) {
    case FG_CODEC_ISO_2022_JP:
    case FG_CODEC_REPLACEMENT:
    case FG_CODEC_UTF16BE:
    case FG_CODEC_UTF16LE:
        return false;
    default:
        return true;
    }
}

/* What uchardet makes of the bytes around the first that is not ASCII; NULL if it has no
 * opinion, or one that we do not follow. */
static const struct fg_encoding *guess(struct fg_str bytes)
{
    size_t first = fg_ascii_len(bytes), before = 1024;
    size_t from = first > before ? first - before : 0;
    struct fg_str sample = fg_str_sub(bytes, from, from + GUESS_BYTES);
    uchardet_t detector = uchardet_new();
    const struct fg_encoding *encoding = NULL;
    if (uchardet_handle_data(detector, sample.at, sample.len) == 0) {
        uchardet_data_end(detector);
        const char *name = uchardet_get_charset(detector);
        encoding = fg_encoding_find(fg_str_from(name));
        if (!encoding && strcmp(name, "MAC-CYRILLIC") == 0)
            encoding = fg_encoding_find(FG_STR("x-mac-cyrillic"));
    }
    uchardet_delete(detector);
    return encoding && may_be_guessed(encoding) ? encoding : NULL;
}

/* Nobody told us. `fallback` is for text that is plain ASCII. */
static struct fg_charset from_content(struct fg_str bytes, int fallback)
{
    if (fg_ascii_len(bytes) == bytes.len)
        return found(fallback, FG_CHARSET_DEFAULT);
    if (is_utf8(bytes))
        return found(FG_ENCODING_UTF8, FG_CHARSET_VALID);
    const struct fg_encoding *guessed = guess(bytes);
    if (guessed)
        return (struct fg_charset){guessed, FG_CHARSET_GUESSED, 0};
    return found(FG_ENCODING_WINDOWS_1252, FG_CHARSET_DEFAULT);
}

struct fg_charset fg_charset_of_html(struct fg_str bytes, struct fg_str transport)
{
    struct fg_charset charset;
    if (has_bom(bytes, &charset))
        return charset;
    const struct fg_encoding *encoding = fg_encoding_find(transport);
    if (encoding)
        return (struct fg_charset){encoding, FG_CHARSET_TRANSPORT, 0};
    encoding = fg_prescan_html(bytes);
    if (!encoding)
        encoding = fg_prescan_late(bytes);
    if (encoding)
        return (struct fg_charset){encoding, FG_CHARSET_DECLARED, 0};
    return from_content(bytes, FG_ENCODING_WINDOWS_1252);
}

/* The width of the first "<" tells the wide encodings apart (XML, appendix F). */
static int wide_encoding(struct fg_str bytes)
{
    static const struct {
        struct fg_str start;
        int encoding;
    } starts[] = {
        {FG_STR("\0\0\0<"), FG_ENCODING_UTF32BE},
        {FG_STR("<\0\0\0"), FG_ENCODING_UTF32LE},
        {FG_STR("\0<\0"), FG_ENCODING_UTF16BE},
        {FG_STR("<\0"), FG_ENCODING_UTF16LE},
    };
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (fg_str_starts(bytes, starts[i].start))
            return starts[i].encoding;
    return -1;
}

static bool is_wide(const struct fg_encoding *encoding)
{
    return encoding->codec == FG_CODEC_UTF16BE || encoding->codec == FG_CODEC_UTF16LE;
}

struct fg_charset fg_charset_of_xml(struct fg_str bytes, struct fg_str transport)
{
    struct fg_charset charset;
    if (fg_str_starts(bytes, FG_STR("\xFF\xFE\0\0")))
        return (struct fg_charset){&fg_encodings[FG_ENCODING_UTF32LE], FG_CHARSET_BOM, 4};
    if (fg_str_starts(bytes, FG_STR("\0\0\xFE\xFF")))
        return (struct fg_charset){&fg_encodings[FG_ENCODING_UTF32BE], FG_CHARSET_BOM, 4};
    if (has_bom(bytes, &charset))
        return charset;
    int wide = wide_encoding(bytes);
    if (wide >= 0) /* no label can make two-byte characters of one byte */
        return found(wide, FG_CHARSET_DECLARED);
    const struct fg_encoding *encoding = fg_encoding_find(transport);
    if (encoding && !(is_wide(encoding) && fg_str_starts(bytes, FG_STR("<"))))
        return (struct fg_charset){encoding, FG_CHARSET_TRANSPORT, 0};
    encoding = fg_prescan_xml(fg_str_trim(bytes));
    if (encoding)
        return (struct fg_charset){encoding, FG_CHARSET_DECLARED, 0};
    return from_content(bytes, FG_ENCODING_UTF8);
}

/* Whether the bytes below 0x80 are ASCII, wherever they stand. */
static bool keeps_ascii(const struct fg_encoding *encoding)
{
    return may_be_guessed(encoding) && encoding->codec != FG_CODEC_UTF32BE &&
           encoding->codec != FG_CODEC_UTF32LE;
}

struct fg_str fg_charset_decode(struct fg_arena *arena, struct fg_charset charset,
                                struct fg_str bytes)
{
    bytes = fg_str_skip(bytes, charset.bom_bytes);
    if (!bytes.len)
        return bytes;
    if (charset.encoding->codec == FG_CODEC_UTF8)
        return fg_utf8_clean(arena, bytes);
    if (keeps_ascii(charset.encoding) && fg_ascii_len(bytes) == bytes.len)
        return bytes;
    size_t room = fg_decoded_max(charset.encoding, bytes);
    char *out = fg_arena_bytes(arena, room);
    size_t len = fg_decode(out, charset.encoding, bytes);
    fg_arena_trim(arena, out, room, len);
    return (struct fg_str){out, len};
}
