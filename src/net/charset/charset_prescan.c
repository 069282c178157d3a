/* Looking for a declaration before the encoding is known.
 *
 * The HTML standard's prescan is followed to the letter: it works on bytes, knows tags,
 * attributes and comments, but no raw text, so it finds a <meta> inside a <script>. How
 * far it goes is left to us: as in browsers, to the end of what begins in the first 1024
 * bytes.
 *
 * The late search is our own. A browser that meets a declaration further down changes its
 * mind and starts over; we have the whole page, so we look through the rest of its head,
 * that is up to the first thing that cannot stand there. */
#include "net/charset/charset.h"
#include "net/charset/charset_parts.h"

enum {
    PRESCAN_BYTES = 1024,
    HEAD_MAX = 1 << 16, /* a head longer than this is not searched to its end */
};

struct scan {
    const char *at, *end;
};

static struct scan scan_of(struct fg_str s)
{
    return (struct scan){s.at, s.len ? s.at + s.len : s.at};
}

/* Whether there is a byte to look at; all loops ask this first. */
static bool more(const struct scan *scan)
{
    return scan->at < scan->end;
}

static struct fg_str rest_of(const struct scan *scan)
{
    return fg_str_range(scan->at, scan->end);
}

static bool skip_space(struct scan *scan)
{
    while (more(scan) && fg_is_space(*scan->at))
        scan->at++;
    return more(scan);
}

/* To the first `byte` at or after the current place. */
static bool skip_to(struct scan *scan, char byte)
{
    size_t i = fg_str_chr(rest_of(scan), byte);
    scan->at = i == FG_NOT_FOUND ? scan->end : scan->at + i;
    return i != FG_NOT_FOUND;
}

static bool skip_comment(struct scan *scan)
{
    struct fg_str inner = fg_str_skip(rest_of(scan), 2); /* "<!-->" is a whole comment */
    size_t i = fg_str_find(inner, FG_STR("-->"));
    scan->at = i == FG_NOT_FOUND ? scan->end : inner.at + i + 2;
    return i != FG_NOT_FOUND;
}

struct attribute {
    struct fg_str name, value;
};

/* The value behind "=". False when the bytes run out. */
static bool take_value(struct scan *scan, struct fg_str *value)
{
    if (!skip_space(scan))
        return false;
    char quote = *scan->at;
    if (quote == '"' || quote == '\'') {
        const char *first = ++scan->at;
        if (!skip_to(scan, quote))
            return false;
        *value = fg_str_range(first, scan->at++);
        return true;
    }
    const char *first = scan->at;
    while (more(scan) && !fg_is_space(*scan->at) && *scan->at != '>')
        scan->at++;
    *value = fg_str_range(first, scan->at);
    return more(scan);
}

static bool ends_name(char c)
{
    return fg_is_space(c) || c == '=' || c == '/' || c == '>';
}

/* "Get an attribute". False when the bytes run out; an empty name at the end of the tag,
 * where the place stays. */
static bool take_attribute(struct scan *scan, struct attribute *attribute)
{
    *attribute = (struct attribute){0};
    while (more(scan) && (fg_is_space(*scan->at) || *scan->at == '/'))
        scan->at++;
    if (!more(scan))
        return false;
    if (*scan->at == '>')
        return true;
    const char *first = scan->at++; /* a "=" here would be part of the name */
    while (more(scan) && !ends_name(*scan->at))
        scan->at++;
    attribute->name = fg_str_range(first, scan->at);
    if (!skip_space(scan))
        return false;
    if (*scan->at != '=')
        return true;
    scan->at++;
    return take_value(scan, &attribute->value);
}

static bool skip_attributes(struct scan *scan)
{
    struct attribute attribute;
    do {
        if (!take_attribute(scan, &attribute))
            return false;
    } while (attribute.name.len);
    return true;
}

/* A declaration that we could read at all is in a superset of ASCII, whatever it says. */
static const struct fg_encoding *readable(const struct fg_encoding *encoding)
{
    if (encoding == &fg_encodings[FG_ENCODING_UTF16BE] ||
        encoding == &fg_encodings[FG_ENCODING_UTF16LE])
        return &fg_encodings[FG_ENCODING_UTF8];
    if (encoding == &fg_encodings[FG_ENCODING_USER_DEFINED])
        return &fg_encodings[FG_ENCODING_WINDOWS_1252];
    return encoding;
}

/* The first of two attributes of one name counts. */
static bool first_time(bool *seen, struct fg_str name, struct fg_str expected)
{
    if (*seen || !fg_str_eq_nocase(name, expected))
        return false;
    return *seen = true;
}

/* The attributes of a <meta>. False when the bytes run out; `found` is set if it declares
 * an encoding that we know. */
static bool take_meta(struct scan *scan, const struct fg_encoding **found)
{
    bool http_equiv = false, content = false, charset = false;
    bool is_pragma = false, needs_pragma = false;
    const struct fg_encoding *encoding = NULL;
    for (;;) {
        struct attribute a;
        if (!take_attribute(scan, &a))
            return false;
        if (!a.name.len)
            break;
        if (first_time(&http_equiv, a.name, FG_STR("http-equiv")))
            is_pragma = fg_str_eq_nocase(a.value, FG_STR("content-type"));
        if (first_time(&content, a.name, FG_STR("content")) && !charset) {
            encoding = fg_encoding_in_meta(a.value);
            needs_pragma = encoding != NULL;
        }
        if (first_time(&charset, a.name, FG_STR("charset"))) {
            encoding = fg_encoding_find(a.value);
            needs_pragma = false;
        }
    }
    if (encoding && (is_pragma || !needs_pragma))
        *found = readable(encoding);
    return true;
}

/* Where "charset" next stands in any case, or FG_NOT_FOUND. */
static size_t find_charset(struct fg_str s)
{
    for (size_t i = 0; s.len - i >= 7 && i < s.len; i++)
        if (fg_str_starts_nocase(fg_str_skip(s, i), FG_STR("charset")))
            return i;
    return FG_NOT_FOUND;
}

const struct fg_encoding *fg_encoding_in_meta(struct fg_str content)
{
    struct scan scan = scan_of(content);
    do {
        size_t i = find_charset(rest_of(&scan));
        if (i == FG_NOT_FOUND)
            return NULL;
        scan.at += i + 7;
        if (!skip_space(&scan))
            return NULL;
    } while (*scan.at != '=');
    scan.at++;
    if (!skip_space(&scan))
        return NULL;
    const char *first = scan.at;
    if (*first == '"' || *first == '\'') {
        scan.at++;
        return skip_to(&scan, *first) ? fg_encoding_find(fg_str_range(first + 1, scan.at))
                                      : NULL;
    }
    while (more(&scan) && !fg_is_space(*scan.at) && *scan.at != ';')
        scan.at++;
    return fg_encoding_find(fg_str_range(first, scan.at));
}

static bool is_meta(struct fg_str tag)
{
    return tag.len > 5 && fg_str_starts_nocase(tag, FG_STR("<meta")) &&
           (fg_is_space(tag.at[5]) || tag.at[5] == '/');
}

static bool is_tag(struct fg_str tag)
{
    return (tag.len > 1 && fg_is_alpha(tag.at[1])) ||
           (tag.len > 2 && tag.at[1] == '/' && fg_is_alpha(tag.at[2]));
}

/* Past one thing that starts with "<", to its last byte. False when the bytes run out. */
static bool skip_markup(struct scan *scan, const struct fg_encoding **found)
{
    struct fg_str here = rest_of(scan);
    if (fg_str_starts(here, FG_STR("<!--")))
        return skip_comment(scan);
    if (is_meta(here)) {
        scan->at += 5;
        return take_meta(scan, found);
    }
    if (is_tag(here)) {
        while (more(scan) && !fg_is_space(*scan->at) && *scan->at != '>')
            scan->at++;
        return skip_attributes(scan);
    }
    if (here.len > 1 && strchr("!/?", here.at[1]) && here.at[1])
        return skip_to(scan, '>');
    return true;
}

const struct fg_encoding *fg_prescan_html(struct fg_str bytes)
{
    struct fg_str head = fg_str_sub(bytes, 0, HEAD_MAX);
    if (fg_str_starts(head, FG_STR("<\0?\0x\0")))
        return &fg_encodings[FG_ENCODING_UTF16LE];
    if (fg_str_starts(head, FG_STR("\0<\0?\0x")))
        return &fg_encodings[FG_ENCODING_UTF16BE];
    struct scan scan = scan_of(head);
    const struct fg_encoding *found = NULL;
    while (skip_to(&scan, '<') && scan.at - head.at < PRESCAN_BYTES &&
           skip_markup(&scan, &found)) {
        if (found)
            return found;
        scan.at++;
    }
    return fg_prescan_xml(fg_str_sub(bytes, 0, PRESCAN_BYTES));
}

/* "Get an XML encoding". */
const struct fg_encoding *fg_prescan_xml(struct fg_str bytes)
{
    if (!fg_str_starts(bytes, FG_STR("<?xml")))
        return NULL;
    size_t end = fg_str_chr(bytes, '>');
    size_t i = end == FG_NOT_FOUND
                   ? FG_NOT_FOUND
                   : fg_str_find(fg_str_sub(bytes, 0, end), FG_STR("encoding"));
    if (i == FG_NOT_FOUND)
        return NULL;
    struct scan scan = {bytes.at + i + 8, bytes.at + end};
    while (more(&scan) && (unsigned char)*scan.at <= ' ')
        scan.at++;
    if (!more(&scan) || *scan.at++ != '=')
        return NULL;
    while (more(&scan) && (unsigned char)*scan.at <= ' ')
        scan.at++;
    if (!more(&scan) || (*scan.at != '"' && *scan.at != '\''))
        return NULL;
    const char *first = ++scan.at;
    if (!skip_to(&scan, first[-1]))
        return NULL;
    struct fg_str label = fg_str_range(first, scan.at);
    for (size_t j = 0; j < label.len; j++)
        if ((unsigned char)label.at[j] <= ' ')
            return NULL;
    const struct fg_encoding *encoding = fg_encoding_find(label);
    /* only UTF-16 is put right here; x-user-defined is taken at its word */
    return encoding == &fg_encodings[FG_ENCODING_USER_DEFINED] ? encoding
                                                               : readable(encoding);
}

/* What may stand in a head. The text of some is passed over as a whole. */
static const struct {
    struct fg_str name;
    bool is_raw_text;
} head_elements[] = {
    {FG_STR("html"), false},    {FG_STR("head"), false},     {FG_STR("base"), false},
    {FG_STR("link"), false},    {FG_STR("meta"), false},     {FG_STR("basefont"), false},
    {FG_STR("bgsound"), false}, {FG_STR("noscript"), false}, {FG_STR("script"), true},
    {FG_STR("style"), true},    {FG_STR("title"), true},     {FG_STR("noframes"), true},
};

static int head_element(struct fg_str name)
{
    for (size_t i = 0; i < sizeof head_elements / sizeof *head_elements; i++)
        if (fg_str_eq_nocase(name, head_elements[i].name))
            return (int)i;
    return -1;
}

/* To the end tag of a raw text element. */
static bool skip_raw_text(struct scan *scan, struct fg_str name)
{
    while (skip_to(scan, '<')) {
        struct fg_str here = rest_of(scan);
        if (here.len > name.len + 2 && here.at[1] == '/' &&
            fg_str_starts_nocase(fg_str_skip(here, 2), name) &&
            ends_name(here.at[name.len + 2]))
            return true;
        scan->at++;
    }
    return false;
}

/* Past one tag, comment or the like of a head. False where the head ends. */
static bool skip_in_head(struct scan *scan, const struct fg_encoding **found)
{
    struct fg_str here = rest_of(scan), name = {0};
    bool closes = here.len > 1 && here.at[1] == '/';
    if (is_tag(here)) {
        name = fg_str_skip(here, closes ? 2 : 1);
        size_t n = 0;
        while (n < name.len && !ends_name(name.at[n]))
            n++;
        name.len = n;
    }
    int element = name.len ? head_element(name) : -1;
    if (name.len && (element < 0 || (closes && fg_str_eq_nocase(name, FG_STR("head")))))
        return false;
    if (!name.len &&
        !(here.len > 1 && (here.at[1] == '!' || here.at[1] == '?' || closes)))
        return false; /* a bare "<" is text */
    if (!skip_markup(scan, found))
        return false;
    scan->at++;
    return element < 0 || closes || !head_elements[element].is_raw_text ||
           skip_raw_text(scan, name);
}

const struct fg_encoding *fg_prescan_late(struct fg_str bytes)
{
    struct fg_str head = fg_str_sub(bytes, 0, HEAD_MAX);
    struct scan scan = scan_of(head);
    const struct fg_encoding *found = NULL;
    while (!found && skip_space(&scan) && *scan.at == '<')
        if (!skip_in_head(&scan, &found))
            break;
    return found;
}
