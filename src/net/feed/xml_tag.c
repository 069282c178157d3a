/* xml_tag.c - the repair of tags, attributes, references and nesting
 *
 * The half of the tidier that looks inside: xml_tidy.c finds where things start and end.
 */
#include "net/feed/xml_tidy_parts.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum {
    NAME_MAX_BYTES = 1024, /* longer names are cut, far below a limit of libxml2 */
    LINES_PER_TAG = 4096,  /* newlines to make up for; the rest waits for the next tag */
};

unsigned fg_xml_tidy_lines(const char *at, const char *end)
{
    unsigned n = 0;
#if defined(__SSE2__)
    const __m128i newline = _mm_set1_epi8('\n'), one = _mm_set1_epi8(1);
    __m128i sum = _mm_setzero_si128();
    for (; end - at >= 16; at += 16) {
        __m128i b = _mm_loadu_si128((const __m128i *)(const void *)at);
        __m128i hits = _mm_and_si128(_mm_cmpeq_epi8(b, newline), one);
        sum = _mm_add_epi64(sum, _mm_sad_epu8(hits, _mm_setzero_si128()));
    }
    n = (unsigned)(_mm_cvtsi128_si32(sum) + _mm_cvtsi128_si32(_mm_srli_si128(sum, 8)));
#endif
    for (; at < end; at++)
        n += *at == '\n';
    return n;
}

void fg_xml_tidy_complain(struct fg_xml_tidy *tidy, enum fg_xml_problem problem)
{
    unsigned *line = &tidy->problems.line[problem];
    if (*line == 0)
        *line = tidy->line + fg_xml_tidy_lines(tidy->chunk, tidy->at);
}

/* Newlines are allowed before the ">" of any tag, which is where the missing ones go. */
static void emit_tag_end(struct fg_xml_tidy *tidy, struct fg_str mark)
{
    for (int i = 0; i < LINES_PER_TAG && tidy->left_out; i++, tidy->left_out--)
        fg_buf_add_char(&tidy->out, '\n');
    fg_xml_tidy_emit(tidy, mark);
}

/* --- references --- */

static bool is_xml_char(uint32_t c)
{
    return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c < 0xD800) ||
           (c >= 0xE000 && c < 0xFFFE) || (c >= 0x10000 && c <= 0x10FFFF);
}

uint32_t fg_xml_from_windows_1252(uint32_t c)
{
    static const uint16_t table[32] = {
        0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
        0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,   0x017D, 0x8F,
        0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
        0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};
    return c >= 0x80 && c < 0xA0 ? table[c - 0x80] : c;
}

static void emit_char(struct fg_xml_tidy *tidy, uint32_t c)
{
    fg_xml_tidy_settle(tidy);
    if (!is_xml_char(c)) {
        fg_xml_tidy_complain(tidy, FG_XML_BAD_CHARACTER);
        c = 0xFFFD;
    }
    if (c < 0x80 && !fg_is_alnum((char)c))
        fg_buf_printf(&tidy->out, "&#%u;", c);
    else
        fg_buf_add_utf8(&tidy->out, fg_xml_from_windows_1252(c));
}

/* The digits of "#65" or "#x41"; what is too large is no character. */
static bool read_number(struct fg_str s, uint32_t *value)
{
    uint32_t base = s.len > 1 && fg_lower(s.at[1]) == 'x' ? 16 : 10;
    s = fg_str_skip(s, base == 16 ? 2 : 1);
    *value = 0;
    for (size_t i = 0; i < s.len; i++) {
        int digit = fg_hex(s.at[i]);
        if (digit < 0 || (uint32_t)digit >= base)
            return false;
        if (*value < 0x110000)
            *value = *value * base + (uint32_t)digit;
    }
    return s.len > 0;
}

bool fg_xml_is_plain_reference(struct fg_str name)
{
    uint32_t c;
    if (name.len && name.at[0] == '#')
        return name.len > 1 && name.at[1] != 'X' && read_number(name, &c) &&
               is_xml_char(c) && fg_xml_from_windows_1252(c) == c;
    return fg_str_eq(name, FG_STR("amp")) || fg_str_eq(name, FG_STR("lt")) ||
           fg_str_eq(name, FG_STR("gt")) || fg_str_eq(name, FG_STR("quot")) ||
           fg_str_eq(name, FG_STR("apos"));
}

void fg_xml_tidy_reference(struct fg_xml_tidy *tidy, struct fg_str name)
{
    uint32_t c = 0;
    if (name.len && name.at[0] == '#') {
        if (read_number(name, &c)) {
            emit_char(tidy, c);
            return;
        }
    } else {
        c = fg_xml_entity(name);
    }
    /* A document type may have declared them, as that of RSS 0.91 does. */
    if (c == 0 || (c >= 0x80 && !tidy->whole.has_doctype))
        fg_xml_tidy_complain(tidy, FG_XML_BAD_REFERENCE);
    if (c) {
        emit_char(tidy, c);
        return;
    }
    fg_xml_tidy_emit(tidy, FG_STR("&#38;"));
    fg_xml_tidy_emit(tidy, name);
    fg_xml_tidy_emit(tidy, FG_STR(";"));
}

/* An attribute value, from between its quotes. */
static void emit_value(struct fg_xml_tidy *tidy, struct fg_str value)
{
    const char *at = value.at, *end = value.at + value.len;
    while (at < end) {
        const char *from = at;
        while (at < end && *at != '&' && *at != '<' && *at != '"' &&
               ((unsigned char)*at >= 0x20 || fg_xml_is_space(*at)))
            at++;
        fg_xml_tidy_emit(tidy, fg_str_range(from, at));
        if (at == end)
            break;
        char c = *at++;
        if (c == '&') {
            const char *name = at;
            while (at < end && fg_xml_is_reference_char(*at) &&
                   at - name < FG_XML_REFERENCE_MAX)
                at++;
            if (at < end && *at == ';' && at > name) {
                fg_xml_tidy_reference(tidy, fg_str_range(name, at++));
                continue;
            }
            fg_xml_tidy_complain(tidy, FG_XML_BAD_REFERENCE);
            at = name;
        } else if (c == '<') {
            fg_xml_tidy_complain(tidy, FG_XML_BAD_TAG);
        } else if (c != '"') {
            fg_xml_tidy_complain(tidy, FG_XML_BAD_CHARACTER);
            continue;
        }
        fg_buf_printf(&tidy->out, "&#%d;", c);
    }
}

/* --- tags --- */

static bool is_name_char(char c)
{
    return fg_is_alnum(c) || c == '_' || c == '-' || c == '.' || c == ':' ||
           (unsigned char)c >= 0x80;
}

static struct fg_str take_name(struct fg_str *s)
{
    const char *at = s->at, *end = at + s->len;
    while (at < end && is_name_char(*at))
        at++;
    size_t n = (size_t)(at - s->at);
    struct fg_str name = {s->at, n < NAME_MAX_BYTES ? n : NAME_MAX_BYTES};
    *s = fg_str_range(at, end);
    return name;
}

static void skip_space(struct fg_str *s)
{
    while (s->len && fg_xml_is_space(s->at[0])) {
        s->at++;
        s->len--;
    }
}

/* The name would leave as it is. */
static bool is_clean_name(struct fg_str name)
{
    size_t colon = 0; /* no name starts with one */
    for (size_t i = 0; i < name.len; i++) {
        if ((unsigned char)name.at[i] >= 0x80 || (name.at[i] == ':' && colon))
            return false;
        if (name.at[i] == ':')
            colon = i;
    }
    return !colon || (colon + 1 < name.len && fg_xml_is_name_start(name.at[colon + 1]));
}

/* Letters outside ASCII become "_": which of them XML allows in names is a long story,
 * and no vocabulary that we read has any. So do colons that end no prefix. */
static void emit_name(struct fg_xml_tidy *tidy, struct fg_str name)
{
    size_t from = tidy->out.len;
    fg_xml_tidy_emit(tidy, name);
    if (is_clean_name(name))
        return;
    size_t colon = FG_NOT_FOUND;
    for (size_t i = from; i < tidy->out.len; i++) {
        char *c = &tidy->out.at[i];
        bool is_prefix = *c == ':' && colon == FG_NOT_FOUND && i + 1 < tidy->out.len &&
                         fg_xml_is_name_start(c[1]) && (unsigned char)c[1] < 0x80;
        if (is_prefix)
            colon = i;
        else if ((unsigned char)*c >= 0x80 || *c == ':')
            *c = '_';
    }
}

static struct fg_str open_name(const struct fg_xml_tidy *tidy, unsigned i)
{
    size_t end = i + 1 < tidy->depth ? tidy->open[i + 1].start : tidy->names.len;
    return fg_str_range(tidy->names.at + tidy->open[i].start, tidy->names.at + end);
}

void fg_xml_tidy_close(struct fg_xml_tidy *tidy)
{
    struct fg_str name = open_name(tidy, tidy->depth - 1);
    fg_xml_tidy_emit(tidy, FG_STR("</"));
    emit_name(tidy, name);
    emit_tag_end(tidy, FG_STR(">"));
    tidy->names.len -= name.len;
    tidy->depth--;
}

/* The end tag that everybody expects, in one piece. */
static bool keep_end_tag(struct fg_xml_tidy *tidy, struct fg_str name,
                         struct fg_str whole)
{
    if (!whole.at || tidy->depth < 2 || tidy->below || tidy->left_out ||
        !tidy->open[tidy->depth - 1].is_clean ||
        !fg_str_eq(open_name(tidy, tidy->depth - 1), name))
        return false;
    fg_xml_tidy_keep(tidy, whole.at, whole.at + whole.len);
    tidy->names.len -= name.len;
    tidy->depth--;
    return true;
}

static void end_tag(struct fg_xml_tidy *tidy, struct fg_str name)
{
    if (tidy->below) {
        tidy->below--;
        return;
    }
    unsigned i = tidy->depth;
    while (i > 0 && !fg_str_eq(open_name(tidy, i - 1), name))
        i--;
    if (i != tidy->depth)
        fg_xml_tidy_complain(tidy, FG_XML_BAD_NESTING);
    if (i == 0) /* </Title> may close <title> if nothing else fits */
        for (i = tidy->depth; i > 0 && !fg_str_eq_nocase(open_name(tidy, i - 1), name);)
            i--;
    if (i == 0)
        return;
    while (tidy->depth > i)
        fg_xml_tidy_close(tidy);
    if (i > 1)
        fg_xml_tidy_close(tidy);
    else if (tidy->whole.root_closed)
        fg_xml_tidy_complain(tidy, FG_XML_BAD_NESTING);
    tidy->whole.root_closed |= i == 1;
}

struct attribute {
    struct fg_str name, value;
    char quote; /* '\0' if there was none */
};

/* The next attribute of a tag, leniently; false at the end. */
static bool take_attribute(struct fg_str *s, struct attribute *a, bool *clean)
{
    *a = (struct attribute){.value = FG_STR("")};
    skip_space(s);
    while (s->len && !fg_xml_is_name_start(s->at[0])) {
        *clean = false;
        *s = fg_str_skip(*s, 1);
    }
    if (!s->len)
        return false;
    a->name = take_name(s);
    struct fg_str rest = *s;
    skip_space(&rest);
    if (!rest.len || rest.at[0] != '=') {
        *clean = false;
        return true;
    }
    rest = fg_str_skip(rest, 1);
    skip_space(&rest);
    if (rest.len && (rest.at[0] == '"' || rest.at[0] == '\'')) {
        a->quote = rest.at[0];
        rest = fg_str_skip(rest, 1);
    } else {
        *clean = false;
    }
    size_t n = 0;
    while (n < rest.len &&
           (a->quote ? rest.at[n] != a->quote : !fg_xml_is_space(rest.at[n])))
        n++;
    a->value = fg_str_sub(rest, 0, n);
    *s = fg_str_skip(rest, n + (a->quote ? 1 : 0));
    if (a->quote && (n == rest.len || (s->len && !fg_xml_is_space(s->at[0]))))
        *clean = false;
    return true;
}

/* Nothing in it needs an escape. */
static bool is_clean_value(struct fg_str value)
{
    for (size_t i = 0; i < value.len; i++) {
        unsigned char c = (unsigned char)value.at[i];
        if (c == '<' || c == '&' || (c < 0x20 && !fg_xml_is_space((char)c)))
            return false;
    }
    return true;
}

/* Read the attributes into `list`, each name once. Returns how many, and in `clean`
 * whether they may be copied as they stand. */
static size_t read_attributes(struct fg_xml_tidy *tidy, struct fg_str s,
                              struct attribute list[static FG_XML_ATTRIBUTE_MAX],
                              bool *clean)
{
    size_t n = 0;
    bool well_formed = true;
    struct attribute a;
    while (take_attribute(&s, &a, &well_formed)) {
        bool is_new = true;
        for (size_t i = 0; i < n && is_new; i++)
            is_new = !fg_str_eq(list[i].name, a.name);
        if (!is_new) {
            well_formed = false;
            continue;
        }
        if (n == FG_XML_ATTRIBUTE_MAX) {
            fg_xml_tidy_complain(tidy, FG_XML_CUT);
            *clean = false;
            break;
        }
        *clean &= is_clean_value(a.value) && is_clean_name(a.name);
        if (is_clean_name(a.name)) /* others could come to share a name */
            list[n++] = a;
    }
    if (!well_formed)
        fg_xml_tidy_complain(tidy, FG_XML_BAD_TAG);
    *clean &= well_formed;
    return n;
}

/* All but the ">". Returns whether it could have stayed as it is, in which case it was
 * not written if `may_stay`. */
static bool emit_start_tag(struct fg_xml_tidy *tidy, struct fg_str name,
                           struct fg_str rest, bool may_stay)
{
    struct attribute list[FG_XML_ATTRIBUTE_MAX];
    bool clean = true;
    size_t n = rest.len ? read_attributes(tidy, rest, list, &clean) : 0;
    if (clean && may_stay && is_clean_name(name))
        return true;
    fg_xml_tidy_emit(tidy, FG_STR("<"));
    emit_name(tidy, name);
    if (clean) {
        fg_xml_tidy_emit(tidy, rest);
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        fg_buf_add_char(&tidy->out, ' ');
        emit_name(tidy, list[i].name);
        fg_xml_tidy_emit(tidy, FG_STR("=\""));
        emit_value(tidy, list[i].value);
        fg_buf_add_char(&tidy->out, '"');
    }
    tidy->left_out += fg_xml_tidy_lines(rest.at, rest.at + rest.len);
    for (size_t i = 0; i < n; i++) /* those within a value have been written */
        tidy->left_out -=
            fg_xml_tidy_lines(list[i].value.at, list[i].value.at + list[i].value.len);
    return false;
}

static void start_tag(struct fg_xml_tidy *tidy, struct fg_str s, struct fg_str whole)
{
    struct fg_str name = take_name(&s);
    bool is_empty = s.len && s.at[s.len - 1] == '/';
    if (is_empty)
        s.len--;
    if (s.len && !fg_xml_is_space(s.at[0])) {
        fg_xml_tidy_complain(tidy, FG_XML_BAD_TAG); /* <a"b">: the rest is no attribute */
        skip_space(&s);
    }
    if (tidy->whole.root_closed)
        fg_xml_tidy_complain(tidy, FG_XML_BAD_OUTSIDE);
    if (tidy->depth == FG_XML_DEPTH_MAX) {
        fg_xml_tidy_complain(tidy, FG_XML_CUT);
        tidy->below += !is_empty;
        return;
    }
    /* The root stays open to the very end, so it cannot be empty. */
    bool is_root = tidy->depth == 0;
    bool may_stay = whole.at && !tidy->left_out && !(is_empty && is_root);
    if (emit_start_tag(tidy, name, s, may_stay))
        fg_xml_tidy_keep(tidy, whole.at, whole.at + whole.len);
    else
        emit_tag_end(tidy, is_empty && !is_root ? FG_STR("/>") : FG_STR(">"));
    tidy->whole.has_root = true;
    tidy->whole.root_closed |= is_empty && is_root;
    if (!is_empty || is_root) {
        tidy->open[tidy->depth].start = (unsigned)tidy->names.len;
        tidy->open[tidy->depth++].is_clean = is_clean_name(name);
        fg_buf_add(&tidy->names, name);
    }
}

void fg_xml_tidy_tag(struct fg_xml_tidy *tidy, struct fg_str s, struct fg_str whole)
{
    if (s.at[0] != '/') {
        start_tag(tidy, s, whole);
        return;
    }
    s = fg_str_skip(s, 1);
    if (keep_end_tag(tidy, s, whole))
        return;
    struct fg_str name = take_name(&s);
    skip_space(&s);
    if (s.len)
        fg_xml_tidy_complain(tidy, FG_XML_BAD_TAG);
    end_tag(tidy, name);
}
