/* tag.h - the element names a crawler must know, as small numbers
 *
 *     uint64_t key = fg_tag_key(name);
 *     enum fg_tag tag = fg_tag_find(key, name);
 *     if (fg_tag_traits[tag] & FG_TRAIT_VOID) ...
 *
 * A name is known by its key: up to eight lower-case bytes packed into one word, longer
 * names folded. Names that are not in the table are FG_TAG_OTHER, and two of them are
 * told apart by their keys. The traits are what the HTML standard's tree construction
 * says about each name, plus what a reader sees of it. */
#ifndef FG_NET_TAG_H
#define FG_NET_TAG_H

#include "base/str.h"

#include <stdint.h>

enum fg_tag {
    FG_TAG_OTHER,
    FG_TAG_A,
    FG_TAG_ADDRESS,
    FG_TAG_ANNOTATION,
    FG_TAG_ANNOTATION_XML,
    FG_TAG_APPLET,
    FG_TAG_AREA,
    FG_TAG_ARTICLE,
    FG_TAG_ASIDE,
    FG_TAG_AUDIO,
    FG_TAG_B,
    FG_TAG_BASE,
    FG_TAG_BASEFONT,
    FG_TAG_BGSOUND,
    FG_TAG_BIG,
    FG_TAG_BLOCKQUOTE,
    FG_TAG_BODY,
    FG_TAG_BR,
    FG_TAG_BUTTON,
    FG_TAG_CANVAS,
    FG_TAG_CAPTION,
    FG_TAG_CENTER,
    FG_TAG_CODE,
    FG_TAG_COL,
    FG_TAG_COLGROUP,
    FG_TAG_DATALIST,
    FG_TAG_DD,
    FG_TAG_DESC,
    FG_TAG_DETAILS,
    FG_TAG_DIALOG,
    FG_TAG_DIR,
    FG_TAG_DIV,
    FG_TAG_DL,
    FG_TAG_DT,
    FG_TAG_EM,
    FG_TAG_EMBED,
    FG_TAG_FIELDSET,
    FG_TAG_FIGCAPTION,
    FG_TAG_FIGURE,
    FG_TAG_FONT,
    FG_TAG_FOOTER,
    FG_TAG_FOREIGNOBJECT,
    FG_TAG_FORM,
    FG_TAG_FRAME,
    FG_TAG_FRAMESET,
    FG_TAG_H1,
    FG_TAG_H2,
    FG_TAG_H3,
    FG_TAG_H4,
    FG_TAG_H5,
    FG_TAG_H6,
    FG_TAG_HEAD,
    FG_TAG_HEADER,
    FG_TAG_HGROUP,
    FG_TAG_HR,
    FG_TAG_HTML,
    FG_TAG_I,
    FG_TAG_IFRAME,
    FG_TAG_IMAGE,
    FG_TAG_IMG,
    FG_TAG_INPUT,
    FG_TAG_KEYGEN,
    FG_TAG_LEGEND,
    FG_TAG_LI,
    FG_TAG_LINK,
    FG_TAG_LISTING,
    FG_TAG_MAIN,
    FG_TAG_MALIGNMARK,
    FG_TAG_MARQUEE,
    FG_TAG_MATH,
    FG_TAG_MENU,
    FG_TAG_META,
    FG_TAG_METADATA,
    FG_TAG_MGLYPH,
    FG_TAG_MI,
    FG_TAG_MN,
    FG_TAG_MO,
    FG_TAG_MS,
    FG_TAG_MTEXT,
    FG_TAG_NAV,
    FG_TAG_NOBR,
    FG_TAG_NOEMBED,
    FG_TAG_NOFRAMES,
    FG_TAG_NOSCRIPT,
    FG_TAG_OBJECT,
    FG_TAG_OL,
    FG_TAG_OPTGROUP,
    FG_TAG_OPTION,
    FG_TAG_P,
    FG_TAG_PARAM,
    FG_TAG_PLAINTEXT,
    FG_TAG_PRE,
    FG_TAG_RB,
    FG_TAG_RP,
    FG_TAG_RT,
    FG_TAG_RTC,
    FG_TAG_RUBY,
    FG_TAG_S,
    FG_TAG_SCRIPT,
    FG_TAG_SEARCH,
    FG_TAG_SECTION,
    FG_TAG_SELECT,
    FG_TAG_SMALL,
    FG_TAG_SOURCE,
    FG_TAG_SPAN,
    FG_TAG_STRIKE,
    FG_TAG_STRONG,
    FG_TAG_STYLE,
    FG_TAG_SUB,
    FG_TAG_SUMMARY,
    FG_TAG_SUP,
    FG_TAG_SVG,
    FG_TAG_TABLE,
    FG_TAG_TBODY,
    FG_TAG_TD,
    FG_TAG_TEMPLATE,
    FG_TAG_TEXTAREA,
    FG_TAG_TFOOT,
    FG_TAG_TH,
    FG_TAG_THEAD,
    FG_TAG_TITLE,
    FG_TAG_TR,
    FG_TAG_TRACK,
    FG_TAG_TT,
    FG_TAG_U,
    FG_TAG_UL,
    FG_TAG_VAR,
    FG_TAG_VIDEO,
    FG_TAG_WBR,
    FG_TAG_XMP,
    FG_TAG_COUNT
};

enum fg_trait {
    FG_TRAIT_VOID = 1 << 0,         /* never has content: br, img, link */
    FG_TRAIT_SPECIAL = 1 << 1,      /* an unmatched end tag does not look past it */
    FG_TRAIT_SCOPE = 1 << 2,        /* an end tag inside does not close what is outside */
    FG_TRAIT_FORMATTING = 1 << 3,   /* a, b, i: may be closed out of order */
    FG_TRAIT_CLOSES_P = 1 << 4,     /* its start tag ends an open p */
    FG_TRAIT_SCOPED_END = 1 << 5,   /* its end tag closes it wherever it is in scope */
    FG_TRAIT_BREAKOUT = 1 << 6,     /* its start tag ends svg and math */
    FG_TRAIT_TABLE_PART = 1 << 7,   /* lives only inside a table */
    FG_TRAIT_HEADING = 1 << 8,      /* h1 to h6, which close each other */
    FG_TRAIT_BLOCK = 1 << 9,        /* stands on a line of its own */
    FG_TRAIT_UNSEEN = 1 << 10,      /* its text is not shown to a reader */
    FG_TRAIT_NO_FRAMESET = 1 << 11, /* after it, a frameset is ignored */
    FG_TRAIT_RCDATA = 1 << 12,      /* content is text with character references */
    FG_TRAIT_RAWTEXT = 1 << 13      /* content is text */
};

extern const uint16_t fg_tag_traits[FG_TAG_COUNT];

/* The longest name whose key is the name itself. */
#define FG_TAG_PACKED 8

/* One more byte of a key, already in lower case; `i` counts from 0. */
static inline uint64_t fg_tag_key_add(uint64_t key, size_t i, unsigned char c)
{
    return i < FG_TAG_PACKED ? key << 8 | c : (key ^ c) * UINT64_C(0x100000001B3);
}

uint64_t fg_tag_key(struct fg_str name); /* in any case */
enum fg_tag fg_tag_find(uint64_t key, struct fg_str name);

#endif
