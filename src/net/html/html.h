/* html.h - HTML as a stream of tokens (the tokenization stage of the HTML standard)
 *
 *     struct fg_html html;
 *     struct fg_html_token token;
 *     fg_html_init(&html, text);
 *     while (fg_html_next(&html, &token))
 *         if (token.type == FG_HTML_START && token.tag == FG_TAG_A &&
 *             fg_html_attr(&token, FG_STR("href"), &href))
 *             use(fg_html_decode(arena, href, FG_HTML_VALUE));
 *
 * Bodies are capped before they come here, so the whole text is in memory and nothing is
 * copied: a token is a few views into it. Character references, line ends, NULs and
 * capital letters are dealt with only when the text of a token is asked for; attributes
 * are walked only when somebody looks at them.
 *
 * As in the standard, the tokenizer does not know which elements hold raw text: whoever
 * watches the tree calls fg_html_enter behind the start tag of a script or a title
 * (fg_nest_start says when). Parse errors are recovered from as the standard says and
 * not reported: a crawler has no use for them.
 *
 * Every input is read to its end, each byte a bounded number of times. The text should be
 * UTF-8; broken bytes are passed on as they are. */
#ifndef FG_NET_HTML_H
#define FG_NET_HTML_H

#include "base/arena.h"
#include "base/str.h"
#include "net/html/tag.h"

#include <stdbool.h>
#include <stdint.h>

/* What the text means that is being read: the standard's states of the same names. */
enum fg_html_state {
    FG_HTML_DATA,
    FG_HTML_RCDATA,    /* title, textarea: references but no tags */
    FG_HTML_RAWTEXT,   /* style, iframe, ...: neither */
    FG_HTML_SCRIPT,    /* the same with the rules about "<!--" */
    FG_HTML_PLAINTEXT, /* nothing ends it */
    FG_HTML_CDATA      /* up to "]]>" */
};

struct fg_html {
    const char *at, *end;
    enum fg_html_state state;
    struct fg_str raw_name; /* of the last start tag: its end tag ends raw text */
    bool is_foreign; /* set by the caller inside svg and math: "<![CDATA[" counts */
};

enum fg_html_type {
    FG_HTML_TEXT,
    FG_HTML_START,
    FG_HTML_END,
    FG_HTML_COMMENT,
    FG_HTML_DOCTYPE
};

/* What stands between the source and the text it means; carriage returns are always
 * normalised. */
enum fg_html_rules {
    FG_HTML_REFS = 1,        /* character references are replaced */
    FG_HTML_IN_ATTR = 2,     /* ... as they are in attributes */
    FG_HTML_REPLACE_NUL = 4, /* by U+FFFD */
    FG_HTML_LOWER = 8,       /* ASCII capitals become small */
    FG_HTML_VALUE = FG_HTML_REFS | FG_HTML_IN_ATTR | FG_HTML_REPLACE_NUL,
    FG_HTML_NAME = FG_HTML_REPLACE_NUL | FG_HTML_LOWER
};

struct fg_html_token {
    enum fg_html_type type;
    enum fg_tag tag;     /* of start and end tags */
    unsigned text_rules; /* how `text` is to be decoded */
    bool is_self_closing;
    bool is_quirky;      /* of a DOCTYPE */
    uint64_t attr_marks; /* see fg_html_may_have */
    uint64_t key;        /* of the tag's name, see tag.h */
    struct fg_str text;  /* source of the text; or the name of a tag or DOCTYPE */
    struct fg_str attrs; /* source from behind the name up to ">" */
    struct fg_str public_id, system_id; /* of a DOCTYPE; at is NULL where there is none */
};

/* One bit of 64 for the first letter of a name, in either case, and its length. */
static inline uint64_t fg_html_attr_mark(char first, size_t len)
{
    return UINT64_C(1) << (((size_t)(first & 31) + 5 * len) & 63);
}

void fg_html_init(struct fg_html *html, struct fg_str text);

/* False at the end. Adjacent runs of text may come as several tokens. */
bool fg_html_next(struct fg_html *html, struct fg_html_token *token);

/* Read on in another state; call it right behind the start tag whose content it is. */
void fg_html_enter(struct fg_html *html, enum fg_html_state state);

/* The text or name of a token, decoded. It is the source itself where that is the same,
 * and in the arena otherwise. */
struct fg_str fg_html_text(struct fg_arena *arena, const struct fg_html_token *token);
struct fg_str fg_html_decode(struct fg_arena *arena, struct fg_str source,
                             unsigned rules);

/* The source of the first attribute of a name, which must be in lower case; the standard
 * lets the first of several count. False if there is none. */
bool fg_html_attr(const struct fg_html_token *token, struct fg_str name,
                  struct fg_str *value);

/* False if no attribute has that name; true if one may. Saves the walk over the
 * attributes of tags that have nothing of interest. */
static inline bool fg_html_may_have(const struct fg_html_token *token, struct fg_str name)
{
    return token->attr_marks & fg_html_attr_mark(name.at[0], name.len);
}

/* All attributes as they are written, duplicates included: start with
 * rest = token.attrs. */
struct fg_html_attr {
    struct fg_str name, value; /* source of both */
};
bool fg_html_attr_next(struct fg_str *rest, struct fg_html_attr *attr);

/* All attributes, decoded, the first of each name only, at most FG_HTML_ATTRS_MAX of
 * them. For tests and tools; linear in what is written. */
#define FG_HTML_ATTRS_MAX 65536
size_t fg_html_attrs(struct fg_arena *arena, const struct fg_html_token *token,
                     struct fg_html_attr **attrs);

#endif
