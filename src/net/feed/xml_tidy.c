/* xml_tidy.c - make markup well-formed before a strict parser sees it
 *
 * libxml2 has a recovering mode, but it recovers less than the web needs: after the first
 * error it drops every entity reference, an end tag too many ends the document, a missing
 * one shifts all that follows, and a document type is obeyed. So the repairs are done
 * here, on the way in, with the rules people expect from browsers: an end tag closes the
 * nearest open element of its name and all within it, and is dropped if there is none.
 *
 * The machine looks at each byte once. Text and CDATA pass through in runs; only a tag or
 * a reference is ever held back, and only when a chunk ends inside of it; a chunk that is
 * in order goes on without being copied. What must be escaped leaves as a number. The
 * root's end tag is written at the very end, whatever comes behind it in the
 * input. */
#include "net/feed/xml_tidy_parts.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum state {
    TEXT,
    REFERENCE, /* behind an "&" */
    LESS_THAN, /* behind a "<" */
    TAG,       /* within a start or end tag */
    TAG_REST,  /* what is too long of one */
    BANG,      /* behind "<!", not yet known what it is */
    COMMENT,
    CDATA,
    INSTRUCTION, /* "<?" */
    DECLARATION, /* "<!DOCTYPE" or nonsense */
    SUBSET       /* within the "[" of it */
};

enum {
    FLUSH_BYTES = 32 << 10,     /* 16 to 64 KiB measure the same; all at once is slower */
    DECLARATION_MAX = 64 << 10, /* an unclosed one must not swallow the document */
};

void fg_xml_tidy_init(struct fg_xml_tidy *tidy,
                      void (*write)(void *context, struct fg_str xml), void *context)
{
    *tidy = (struct fg_xml_tidy){.write = write, .context = context, .line = 1};
    fg_buf_init(&tidy->hold, FG_XML_TAG_MAX);
    fg_buf_init(&tidy->out, SIZE_MAX / 2);
    fg_buf_init(&tidy->names, (size_t)FG_XML_DEPTH_MAX * FG_XML_TAG_MAX);
}

void fg_xml_tidy_clear(struct fg_xml_tidy *tidy)
{
    fg_buf_clear(&tidy->hold);
    fg_buf_clear(&tidy->out);
    fg_buf_clear(&tidy->names);
}

/* A chunk that is all in order goes on without having been copied. */
static void flush(struct fg_xml_tidy *tidy)
{
    if (tidy->out.len == 0 && tidy->kept < tidy->kept_end) {
        tidy->write(tidy->context, fg_str_range(tidy->kept, tidy->kept_end));
        tidy->kept = tidy->kept_end = NULL;
        return;
    }
    fg_xml_tidy_settle(tidy);
    if (tidy->out.len)
        tidy->write(tidy->context, fg_buf_str(&tidy->out));
    fg_buf_reset(&tidy->out);
}

static void leave_out(struct fg_xml_tidy *tidy, const char *from, const char *to)
{
    tidy->left_out += fg_xml_tidy_lines(from, to);
}

/* The next byte that text cannot contain as it is: "<", "&", "]" or a control. */
static const char *find_special(const char *at, const char *end)
{
#if defined(__SSE2__)
    const __m128i less = _mm_set1_epi8('<'), amp = _mm_set1_epi8('&'),
                  bracket = _mm_set1_epi8(']'), control = _mm_set1_epi8(0x1F),
                  tab = _mm_set1_epi8('\t'), newline = _mm_set1_epi8('\n'),
                  cr = _mm_set1_epi8('\r');
    for (; end - at >= 16; at += 16) {
        __m128i b = _mm_loadu_si128((const __m128i *)(const void *)at);
        __m128i mark =
            _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(b, less), _mm_cmpeq_epi8(b, amp)),
                         _mm_cmpeq_epi8(b, bracket));
        __m128i space =
            _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(b, tab), _mm_cmpeq_epi8(b, newline)),
                         _mm_cmpeq_epi8(b, cr));
        __m128i low = _mm_cmpeq_epi8(_mm_min_epu8(b, control), b);
        int hits = _mm_movemask_epi8(_mm_or_si128(mark, _mm_andnot_si128(space, low)));
        if (hits)
            return at + __builtin_ctz((unsigned)hits);
    }
#endif
    while (at < end && *at != '<' && *at != '&' && *at != ']' &&
           ((unsigned char)*at >= 0x20 || *at == '\t' || *at == '\n' || *at == '\r'))
        at++;
    return at;
}

static bool is_inside(const struct fg_xml_tidy *tidy)
{
    return tidy->depth > (tidy->whole.root_closed ? 1 : 0);
}

static void emit_text(struct fg_xml_tidy *tidy, const char *from, const char *to)
{
    if (from == to)
        return;
    if (is_inside(tidy)) {
        fg_xml_tidy_keep(tidy, from, to);
        return;
    }
    leave_out(tidy, from, to);
    if (fg_str_trim(fg_str_range(from, to)).len)
        fg_xml_tidy_complain(tidy, FG_XML_BAD_OUTSIDE);
}

static void escape(struct fg_xml_tidy *tidy, char c)
{
    if (is_inside(tidy))
        fg_xml_tidy_emit(tidy, c == '<'   ? FG_STR("&#60;")
                               : c == '&' ? FG_STR("&#38;")
                                          : FG_STR("&#93;"));
}

/* "&amp;" in one piece, the usual case. */
static bool keep_reference(struct fg_xml_tidy *tidy)
{
    const char *at = tidy->at + 1;
    while (at < tidy->end && fg_xml_is_reference_char(*at) &&
           at - tidy->at <= FG_XML_REFERENCE_MAX)
        at++;
    if (at == tidy->end || *at != ';' || !is_inside(tidy) ||
        !fg_xml_is_plain_reference(fg_str_range(tidy->at + 1, at)))
        return false;
    fg_xml_tidy_keep(tidy, tidy->at, at + 1);
    tidy->at = at + 1;
    return true;
}

/* "]]>" must not stand in text, nor come about when what stands between is left out. */
static void in_bracket(struct fg_xml_tidy *tidy)
{
    char next = tidy->end - tidy->at > 1 ? tidy->at[1] : '\0';
    bool is_harmless = (unsigned char)next >= ' ' && next != ']' && next != '<';
    if (is_inside(tidy) && is_harmless)
        fg_xml_tidy_keep(tidy, tidy->at, tidy->at + 1);
    else
        escape(tidy, ']');
}

static void in_reference(struct fg_xml_tidy *tidy)
{
    char c = *tidy->at;
    if (fg_xml_is_reference_char(c) && tidy->hold.len < FG_XML_REFERENCE_MAX) {
        fg_buf_add_char(&tidy->hold, c);
        tidy->at++;
        return;
    }
    struct fg_str name = fg_buf_str(&tidy->hold);
    bool is_complete = c == ';' && name.len;
    if (!is_inside(tidy)) {
        fg_xml_tidy_complain(tidy, FG_XML_BAD_OUTSIDE);
    } else if (is_complete) {
        fg_xml_tidy_reference(tidy, name);
    } else {
        fg_xml_tidy_complain(tidy, FG_XML_BAD_REFERENCE);
        escape(tidy, '&');
        fg_xml_tidy_emit(tidy, name);
    }
    tidy->at += is_complete;
    fg_buf_reset(&tidy->hold);
    tidy->state = TEXT;
}

/* Where the tag ends: at its ">", or before a "<" outside quotes. A quote counts only
 * where a value may start. */
static const char *find_tag_end(struct fg_xml_tidy *tidy)
{
    enum { END = 1, QUOTE, EQUALS, SPACE };
    static const unsigned char kinds[256] = {
        ['>'] = END,   ['<'] = END,    ['"'] = QUOTE,  ['\''] = QUOTE, ['='] = EQUALS,
        [' '] = SPACE, ['\t'] = SPACE, ['\n'] = SPACE, ['\r'] = SPACE,
    };
    const char *at = tidy->at, *end = tidy->end;
    for (; at < end; at++) {
        if (tidy->quote) {
            at = memchr(at, tidy->quote, (size_t)(end - at));
            if (!at)
                return NULL;
            tidy->quote = '\0';
            continue;
        }
        unsigned char kind = kinds[(unsigned char)*at];
        if (kind == END)
            return at;
        if (kind == SPACE)
            continue;
        if (kind == QUOTE && tidy->after_equals)
            tidy->quote = *at;
        tidy->after_equals = kind == EQUALS;
    }
    return NULL;
}

static void in_tag(struct fg_xml_tidy *tidy)
{
    const char *from = tidy->at, *end = find_tag_end(tidy);
    struct fg_str piece = fg_str_range(from, end ? end : tidy->end);
    bool is_whole = end && tidy->hold.len == 0;
    if (!is_whole && tidy->state == TAG && !fg_buf_add(&tidy->hold, piece)) {
        fg_xml_tidy_complain(tidy, FG_XML_CUT);
        if (tidy->hold.len == 0) /* too long at one go */
            fg_buf_add(&tidy->hold, fg_str_sub(piece, 0, FG_XML_TAG_MAX));
        tidy->state = TAG_REST;
    }
    tidy->at = end ? end : tidy->end;
    if (!end)
        return;
    if (is_whole && piece.len > FG_XML_TAG_MAX) {
        fg_xml_tidy_complain(tidy, FG_XML_CUT);
        piece.len = FG_XML_TAG_MAX;
    }
    /* The "<" may have been the last byte of the chunk before. */
    struct fg_str whole = {0};
    if (is_whole && *end == '>' && from > tidy->chunk)
        whole = fg_str_range(from - 1, end + 1);
    fg_xml_tidy_tag(tidy, is_whole ? piece : fg_buf_str(&tidy->hold), whole);
    fg_buf_reset(&tidy->hold);
    tidy->text_open = false;
    if (*end == '<')
        fg_xml_tidy_complain(tidy, FG_XML_BAD_TAG);
    else
        tidy->at++;
    tidy->state = TEXT;
}

static void in_less_than(struct fg_xml_tidy *tidy)
{
    char c = *tidy->at;
    tidy->quote = '\0';
    tidy->after_equals = false;
    tidy->matched = 0;
    tidy->skipped = 0;
    if (fg_xml_is_name_start(c) || c == '/') {
        tidy->state = TAG;
        in_tag(tidy);
        return;
    }
    if (c == '!' || c == '?') {
        tidy->state = c == '!' ? BANG : INSTRUCTION;
        tidy->at++;
        return;
    }
    fg_xml_tidy_complain(tidy, FG_XML_BAD_TAG);
    escape(tidy, '<');
    tidy->state = TEXT;
}

static void in_text(struct fg_xml_tidy *tidy)
{
    const char *from = tidy->at;
    tidy->at = find_special(from, tidy->end);
    emit_text(tidy, from, tidy->at);
    tidy->whole.has_input |= tidy->at > from;
    tidy->text_open |= tidy->at > from && is_inside(tidy);
    if (tidy->at == tidy->end)
        return;
    char c = *tidy->at;
    if (c == '<') {
        tidy->state = LESS_THAN;
        tidy->at++;
        if (tidy->at < tidy->end)
            in_less_than(tidy);
        return;
    }
    if (c == '&') {
        if (keep_reference(tidy))
            return;
        tidy->state = REFERENCE;
    } else if (c == ']') {
        in_bracket(tidy);
    } else {
        fg_xml_tidy_complain(tidy, FG_XML_BAD_CHARACTER);
    }
    tidy->at++;
}

static void in_bang(struct fg_xml_tidy *tidy)
{
    static const char cdata[] = "[CDATA[";
    char c = *tidy->at;
    if (tidy->matched == 0 && c == '-' && tidy->skipped == 0) {
        tidy->skipped = 1; /* the first hyphen of a comment */
    } else if (tidy->skipped == 1 && c == '-') {
        tidy->state = COMMENT;
        tidy->matched = 0;
    } else if (tidy->skipped == 0 && c == cdata[tidy->matched]) {
        if (cdata[++tidy->matched])
            goto done;
        tidy->state = CDATA;
        tidy->matched = 0;
        if (!is_inside(tidy))
            fg_xml_tidy_complain(tidy, FG_XML_BAD_OUTSIDE);
    } else {
        if (fg_lower(c) == 'd' && tidy->matched == 0)
            tidy->whole.has_doctype = true;
        else
            fg_xml_tidy_complain(tidy, FG_XML_BAD_TAG);
        tidy->state = DECLARATION;
        return;
    }
done:
    tidy->at++;
}

/* Behind "<!--", up to "-->". */
static void in_comment(struct fg_xml_tidy *tidy)
{
    const char *from = tidy->at;
    while (tidy->at < tidy->end) {
        if (tidy->matched == 0) {
            const char *dash = memchr(tidy->at, '-', (size_t)(tidy->end - tidy->at));
            tidy->at = dash ? dash : tidy->end;
            if (!dash)
                break;
        }
        char c = *tidy->at++;
        if (c == '>' && tidy->matched >= 2) {
            tidy->state = TEXT;
            break;
        }
        tidy->matched = c == '-' ? tidy->matched + (tidy->matched < 2) : 0;
    }
    leave_out(tidy, from, tidy->at);
}

/* Passed on as text. libxml2 could do with the section as it is, but in pieces it would
 * look for the end again and again, and give up after 10 MB. "]" is held back until it is
 * known not to be part of the end. */
static void in_cdata(struct fg_xml_tidy *tidy)
{
    const char *from = tidy->at;
    if (tidy->matched == 0) {
        tidy->at = find_special(from, tidy->end);
        emit_text(tidy, from, tidy->at);
        tidy->text_open = true;
        if (tidy->at == tidy->end)
            return;
    }
    char c = *tidy->at++;
    if (c == ']' && tidy->matched < 2) {
        tidy->matched++;
    } else if (c == '>' && tidy->matched == 2) {
        tidy->matched = 0;
        tidy->state = TEXT;
    } else if ((unsigned char)c < ' ' && !fg_xml_is_space(c)) {
        fg_xml_tidy_complain(tidy, FG_XML_BAD_CHARACTER);
    } else {
        bool is_bracket = c == ']'; /* the third in a row: one of them was text */
        for (unsigned i = is_bracket ? 1 : tidy->matched; i > 0; i--)
            escape(tidy, ']');
        tidy->matched = is_bracket ? 2 : 0;
        if (c == '<' || c == '&')
            escape(tidy, c);
        else if (!is_bracket)
            tidy->at--; /* the next run starts with it */
    }
}

/* Up to "?>"; the XML declaration ends at any ">", since some forget the mark. */
static void in_instruction(struct fg_xml_tidy *tidy)
{
    const char *from = tidy->at;
    while (tidy->at < tidy->end) {
        char c = *tidy->at++;
        if (tidy->hold.len < 4)
            fg_buf_add_char(&tidy->hold, fg_lower(c));
        bool is_declaration = fg_str_starts(fg_buf_str(&tidy->hold), FG_STR("xml")) &&
                              tidy->hold.len == 4 && fg_xml_is_space(tidy->hold.at[3]);
        if (c == '>' && (tidy->matched || is_declaration)) {
            if (!tidy->matched)
                fg_xml_tidy_complain(tidy, FG_XML_BAD_TAG);
            if (is_declaration && tidy->whole.has_input)
                fg_xml_tidy_complain(tidy, FG_XML_BAD_OUTSIDE);
            fg_buf_reset(&tidy->hold);
            tidy->state = TEXT;
            break;
        }
        tidy->matched = c == '?';
    }
    leave_out(tidy, from, tidy->at);
}

static void in_declaration(struct fg_xml_tidy *tidy)
{
    const char *from = tidy->at;
    while (tidy->at < tidy->end && tidy->state != TEXT) {
        char c = *tidy->at++;
        if (tidy->state == SUBSET) {
            /* It ends with "]" and ">"; quotes in its comments are no quotes. */
            if (c == '>' && tidy->matched)
                tidy->state = TEXT;
            else if (!fg_xml_is_space(c))
                tidy->matched = c == ']';
        } else if (tidy->quote) {
            tidy->quote = c == tidy->quote ? '\0' : tidy->quote;
        } else if (c == '"' || c == '\'') {
            tidy->quote = c;
        } else if (c == '[') {
            tidy->state = SUBSET;
        } else if (c == '>') {
            tidy->state = TEXT;
        }
        if (++tidy->skipped > DECLARATION_MAX && tidy->state != TEXT) {
            fg_xml_tidy_complain(tidy, FG_XML_CUT);
            fg_xml_tidy_complain(tidy, FG_XML_BAD_TAG);
            tidy->state = TEXT;
        }
    }
    leave_out(tidy, from, tidy->at);
}

static void step(struct fg_xml_tidy *tidy)
{
    switch ((enum state)tidy->state) {
    case TEXT:
        in_text(tidy);
        break;
    case REFERENCE:
        in_reference(tidy);
        break;
    case LESS_THAN:
        in_less_than(tidy);
        break;
    case TAG:
    case TAG_REST:
        in_tag(tidy);
        break;
    case BANG:
        in_bang(tidy);
        break;
    case COMMENT:
        in_comment(tidy);
        break;
    case CDATA:
        in_cdata(tidy);
        break;
    case INSTRUCTION:
        in_instruction(tidy);
        break;
    case DECLARATION:
    case SUBSET:
        in_declaration(tidy);
        break;
    }
}

void fg_xml_tidy_feed(struct fg_xml_tidy *tidy, struct fg_str utf8)
{
    while (utf8.len) {
        /* Slices bound what `out` can hold, whatever the escapes make of them. */
        struct fg_str slice = fg_str_sub(utf8, 0, FLUSH_BYTES);
        utf8 = fg_str_skip(utf8, slice.len);
        tidy->chunk = tidy->at = slice.at;
        tidy->end = slice.at + slice.len;
        while (tidy->at < tidy->end) {
            step(tidy);
            tidy->whole.has_input |= tidy->state == TEXT;
        }
        tidy->line += fg_xml_tidy_lines(tidy->chunk, tidy->end);
        flush(tidy);
    }
    tidy->chunk = tidy->at = tidy->end = NULL;
}

bool fg_xml_tidy_is_in_text(const struct fg_xml_tidy *tidy)
{
    return (tidy->state == TEXT && tidy->text_open) || tidy->state == REFERENCE ||
           tidy->state == CDATA;
}

void fg_xml_tidy_finish(struct fg_xml_tidy *tidy)
{
    if (tidy->state == REFERENCE) {
        fg_xml_tidy_complain(tidy, FG_XML_BAD_REFERENCE);
        escape(tidy, '&');
        if (is_inside(tidy))
            fg_xml_tidy_emit(tidy, fg_buf_str(&tidy->hold));
    }
    if (tidy->state != TEXT || (tidy->depth > 0 && !tidy->whole.root_closed))
        fg_xml_tidy_complain(tidy, FG_XML_TRUNCATED);
    if (!tidy->whole.has_root)
        fg_xml_tidy_complain(tidy, FG_XML_EMPTY);
    while (tidy->depth > 0)
        fg_xml_tidy_close(tidy);
    flush(tidy);
}
