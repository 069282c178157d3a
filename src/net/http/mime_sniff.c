/* Telling what bytes are by their looks: the tables of the MIME Sniffing standard, and
 * its way of finding the root element of a feed.
 *
 * Left out: MP3 without an ID3 tag, which has no signature but a chain of frames, and is
 * recognised as binary anyway. */
#include "net/http/mime.h"

/* `bytes` at the start and `more` at `offset`, if there is any. */
struct signature {
    struct fg_str bytes;
    size_t offset;
    struct fg_str more, type;
};

#define FIXED(bytes, type)                  \
    {                                       \
        FG_STR(bytes), 0, {0}, FG_STR(type) \
    }
#define SPLIT(bytes, offset, more, type)                  \
    {                                                     \
        FG_STR(bytes), offset, FG_STR(more), FG_STR(type) \
    }
static const struct signature signatures[] = {
    FIXED("%PDF-", "application/pdf"),
    FIXED("%!PS-Adobe-", "application/postscript"),
    FIXED("\0\0\1\0", "image/x-icon"),
    FIXED("\0\0\2\0", "image/x-icon"),
    FIXED("BM", "image/bmp"),
    FIXED("GIF87a", "image/gif"),
    FIXED("GIF89a", "image/gif"),
    SPLIT("RIFF", 8, "WEBPVP", "image/webp"),
    FIXED("\x89PNG\r\n\x1A\n", "image/png"),
    FIXED("\xFF\xD8\xFF", "image/jpeg"),
    SPLIT("FORM", 8, "AIFF", "audio/aiff"),
    FIXED("ID3", "audio/mpeg"),
    FIXED("OggS\0", "application/ogg"),
    FIXED("MThd\0\0\0\6", "audio/midi"),
    SPLIT("RIFF", 8, "AVI ", "video/avi"),
    SPLIT("RIFF", 8, "WAVE", "audio/wave"),
    FIXED("\x1F\x8B\x08", "application/x-gzip"),
    FIXED("PK\3\4", "application/zip"),
    FIXED("Rar!\x1A\7\0", "application/x-rar-compressed"),
    FIXED("wOFF", "font/woff"),
    FIXED("wOF2", "font/woff2"),
    FIXED("OTTO", "font/otf"),
    FIXED("ttcf", "font/collection"),
    FIXED("\0\1\0\0", "font/ttf"),
};

static bool has_signature(struct fg_str body, const struct signature *s)
{
    return fg_str_starts(body, s->bytes) &&
           (!s->more.len || fg_str_starts(fg_str_skip(body, s->offset), s->more));
}

/* The tags that make a page of unlabelled bytes; one of two bytes must end the tag. */
static bool starts_html(struct fg_str s)
{
    static const char *const tags[] = {"<!DOCTYPE HTML",
                                       "<HTML",
                                       "<HEAD",
                                       "<SCRIPT",
                                       "<IFRAME",
                                       "<H1",
                                       "<DIV",
                                       "<FONT",
                                       "<TABLE",
                                       "<A",
                                       "<STYLE",
                                       "<TITLE",
                                       "<B",
                                       "<BODY",
                                       "<BR",
                                       "<P",
                                       "<!--"};
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        struct fg_str tag = fg_str_from(tags[i]);
        if (s.len > tag.len && fg_str_starts_nocase(s, tag) &&
            (s.at[tag.len] == ' ' || s.at[tag.len] == '>'))
            return true;
    }
    return false;
}

static bool skip_past(struct fg_str *s, struct fg_str what)
{
    size_t i = fg_str_find(*s, what);
    *s = fg_str_skip(*s, i == FG_NOT_FOUND ? s->len : i + what.len);
    return i != FG_NOT_FOUND;
}

static bool is_rss_1(struct fg_str s)
{
    return fg_str_find(s, FG_STR("http://purl.org/rss/1.0/")) != FG_NOT_FOUND &&
           fg_str_find(s, FG_STR("http://www.w3.org/1999/02/22-rdf-syntax-ns#")) !=
               FG_NOT_FOUND;
}

/* The type of a feed by its first element, past comments and declarations; or nothing. */
static struct fg_str feed_type(struct fg_str s)
{
    for (;;) {
        while (s.len && fg_is_space(s.at[0]))
            s = fg_str_skip(s, 1);
        if (!fg_str_starts(s, FG_STR("<")))
            return (struct fg_str){0};
        s = fg_str_skip(s, 1);
        bool on = true;
        if (fg_str_starts(s, FG_STR("!--"))) {
            s = fg_str_skip(s, 3);
            on = skip_past(&s, FG_STR("-->"));
        } else if (fg_str_starts(s, FG_STR("!"))) {
            on = skip_past(&s, FG_STR(">"));
        } else if (fg_str_starts(s, FG_STR("?"))) {
            on = skip_past(&s, FG_STR("?>"));
        } else if (fg_str_starts(s, FG_STR("rss"))) {
            return FG_STR("application/rss+xml");
        } else if (fg_str_starts(s, FG_STR("feed"))) {
            return FG_STR("application/atom+xml");
        } else {
            bool is_feed = fg_str_starts(s, FG_STR("rdf:RDF")) && is_rss_1(s);
            return is_feed ? FG_STR("application/rss+xml") : (struct fg_str){0};
        }
        if (!on)
            return (struct fg_str){0};
    }
}

static uint32_t big_endian(const char *at)
{
    const unsigned char *p = (const unsigned char *)at;
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* A first box "ftyp" that names some brand "mp4...". */
static bool is_mp4(struct fg_str s)
{
    if (s.len < 12 || !fg_str_eq(fg_str_sub(s, 4, 8), FG_STR("ftyp")))
        return false;
    uint32_t box = big_endian(s.at);
    if (box > s.len || box % 4)
        return false;
    if (fg_str_eq(fg_str_sub(s, 8, 11), FG_STR("mp4")))
        return true;
    for (size_t i = 16; i < box; i += 4)
        if (fg_str_eq(fg_str_sub(s, i, i + 3), FG_STR("mp4")))
            return true;
    return false;
}

/* An EBML header whose document type, some bytes in, is "webm". */
static bool is_webm(struct fg_str s)
{
    enum { SEARCH_MAX = 38 };
    if (!fg_str_starts(s, FG_STR("\x1A\x45\xDF\xA3")))
        return false;
    for (size_t i = 4; i < SEARCH_MAX && i + 3 < s.len; i++) {
        if (!fg_str_starts(fg_str_skip(s, i), FG_STR("\x42\x82")))
            continue;
        unsigned char size = (unsigned char)s.at[i + 2];
        size_t size_bytes = size ? (size_t)__builtin_clz(size) - 23 : 1;
        struct fg_str name = fg_str_skip(s, i + 2 + size_bytes);
        while (name.len && name.at[0] == '\0')
            name = fg_str_skip(name, 1);
        return fg_str_starts(name, FG_STR("webm"));
    }
    return false;
}

/* Bytes that occur in no text of a superset of ASCII. */
static bool has_binary(struct fg_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.at[i];
        if (c <= 0x08 || c == 0x0B || (c >= 0x0E && c <= 0x1F && c != 0x1B))
            return true;
    }
    return false;
}

static struct fg_str known_binary(struct fg_str s)
{
    for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++)
        if (has_signature(s, &signatures[i]))
            return signatures[i].type;
    if (is_mp4(s))
        return FG_STR("video/mp4");
    if (is_webm(s))
        return FG_STR("video/webm");
    return (struct fg_str){0};
}

static bool has_wide_bom(struct fg_str s)
{
    return fg_str_starts(s, FG_STR("\xFE\xFF")) || fg_str_starts(s, FG_STR("\xFF\xFE"));
}

struct fg_str fg_mime_sniff(struct fg_str body)
{
    struct fg_str s = fg_str_sub(body, 0, FG_MIME_SNIFF_MAX), text = s, type;
    if (has_wide_bom(s))
        return FG_STR("text/plain");
    if (fg_str_starts(s, FG_STR("\xEF\xBB\xBF")))
        text = fg_str_skip(s, 3);
    while (text.len && fg_is_space(text.at[0]))
        text = fg_str_skip(text, 1);
    type = feed_type(text);
    if (type.len)
        return type;
    if (starts_html(text))
        return FG_STR("text/html");
    if (fg_str_starts(text, FG_STR("<?xml")))
        return FG_STR("text/xml");
    type = known_binary(s);
    if (type.len)
        return type;
    return has_binary(s) ? FG_STR("application/octet-stream") : FG_STR("text/plain");
}

/* Some marks are plain words ("BM", "ID3"), so bytes that no text has must be there too;
 * only the types that are printable for long stand by their mark alone. */
bool fg_mime_is_binary(struct fg_str body)
{
    struct fg_str type = fg_mime_sniff(body);
    if (fg_str_starts(type, FG_STR("text/")) || fg_str_ends(type, FG_STR("+xml")))
        return false;
    return fg_str_eq(type, FG_STR("application/pdf")) ||
           fg_str_eq(type, FG_STR("application/postscript")) ||
           has_binary(fg_str_sub(body, 0, FG_MIME_SNIFF_MAX));
}
