/* The rows below are the source: tools/make-tags reads them and writes tag_slots.h, a
 * perfect hash over the keys. After adding a row, run it. */
#include "net/html/tag.h"

#include "net/html/tag_slots.h"

#define VOID        FG_TRAIT_VOID
#define SPECIAL     FG_TRAIT_SPECIAL
#define SCOPE       FG_TRAIT_SCOPE
#define FORMATTING  FG_TRAIT_FORMATTING
#define CLOSES_P    FG_TRAIT_CLOSES_P
#define SCOPED_END  FG_TRAIT_SCOPED_END
#define BREAKOUT    FG_TRAIT_BREAKOUT
#define TABLE_PART  FG_TRAIT_TABLE_PART
#define BLOCK       FG_TRAIT_BLOCK
#define UNSEEN      FG_TRAIT_UNSEEN
#define NO_FRAMESET FG_TRAIT_NO_FRAMESET
#define RCDATA      FG_TRAIT_RCDATA
#define RAWTEXT     FG_TRAIT_RAWTEXT
#define GROUP       (SPECIAL | CLOSES_P | SCOPED_END | BLOCK)
#define HEADLINE    (SPECIAL | CLOSES_P | BREAKOUT | FG_TRAIT_HEADING | BLOCK)

/* X(number, name, traits) */
#define ROWS(X)                                                                    \
    X(A, "a", FORMATTING)                                                          \
    X(ADDRESS, "address", GROUP)                                                   \
    X(ANNOTATION, "annotation", UNSEEN)                                            \
    X(ANNOTATION_XML, "annotation-xml", UNSEEN)                                    \
    X(APPLET, "applet", SPECIAL | SCOPE | SCOPED_END | NO_FRAMESET)                \
    X(AREA, "area", VOID | SPECIAL | NO_FRAMESET)                                  \
    X(ARTICLE, "article", GROUP)                                                   \
    X(ASIDE, "aside", GROUP)                                                       \
    X(AUDIO, "audio", UNSEEN)                                                      \
    X(B, "b", FORMATTING | BREAKOUT)                                               \
    X(BASE, "base", VOID | SPECIAL)                                                \
    X(BASEFONT, "basefont", VOID | SPECIAL)                                        \
    X(BGSOUND, "bgsound", VOID | SPECIAL)                                          \
    X(BIG, "big", FORMATTING | BREAKOUT)                                           \
    X(BLOCKQUOTE, "blockquote", GROUP | BREAKOUT)                                  \
    X(BODY, "body", SPECIAL | BREAKOUT | BLOCK | NO_FRAMESET)                      \
    X(BR, "br", VOID | SPECIAL | BREAKOUT | BLOCK | NO_FRAMESET)                   \
    X(BUTTON, "button", SPECIAL | SCOPED_END | NO_FRAMESET)                        \
    X(CANVAS, "canvas", UNSEEN)                                                    \
    X(CAPTION, "caption", SPECIAL | SCOPE | TABLE_PART | BLOCK)                    \
    X(CENTER, "center", GROUP | BREAKOUT)                                          \
    X(CODE, "code", FORMATTING | BREAKOUT)                                         \
    X(COL, "col", VOID | SPECIAL | TABLE_PART)                                     \
    X(COLGROUP, "colgroup", SPECIAL | TABLE_PART)                                  \
    X(DATALIST, "datalist", UNSEEN)                                                \
    X(DD, "dd", GROUP | BREAKOUT | NO_FRAMESET)                                    \
    X(DESC, "desc", UNSEEN)                                                        \
    X(DETAILS, "details", GROUP)                                                   \
    X(DIALOG, "dialog", CLOSES_P | SCOPED_END | BLOCK)                             \
    X(DIR, "dir", GROUP)                                                           \
    X(DIV, "div", GROUP | BREAKOUT)                                                \
    X(DL, "dl", GROUP | BREAKOUT)                                                  \
    X(DT, "dt", GROUP | BREAKOUT | NO_FRAMESET)                                    \
    X(EM, "em", FORMATTING | BREAKOUT)                                             \
    X(EMBED, "embed", VOID | SPECIAL | BREAKOUT | NO_FRAMESET)                     \
    X(FIELDSET, "fieldset", GROUP)                                                 \
    X(FIGCAPTION, "figcaption", GROUP)                                             \
    X(FIGURE, "figure", GROUP)                                                     \
    X(FONT, "font", FORMATTING)                                                    \
    X(FOOTER, "footer", GROUP)                                                     \
    X(FOREIGNOBJECT, "foreignobject", 0)                                           \
    X(FORM, "form", GROUP)                                                         \
    X(FRAME, "frame", VOID | SPECIAL)                                              \
    X(FRAMESET, "frameset", SPECIAL)                                               \
    X(H1, "h1", HEADLINE)                                                          \
    X(H2, "h2", HEADLINE)                                                          \
    X(H3, "h3", HEADLINE)                                                          \
    X(H4, "h4", HEADLINE)                                                          \
    X(H5, "h5", HEADLINE)                                                          \
    X(H6, "h6", HEADLINE)                                                          \
    X(HEAD, "head", SPECIAL | BREAKOUT)                                            \
    X(HEADER, "header", GROUP)                                                     \
    X(HGROUP, "hgroup", GROUP)                                                     \
    X(HR, "hr", VOID | SPECIAL | CLOSES_P | BREAKOUT | BLOCK | NO_FRAMESET)        \
    X(HTML, "html", SPECIAL)                                                       \
    X(I, "i", FORMATTING | BREAKOUT)                                               \
    X(IFRAME, "iframe", SPECIAL | UNSEEN | NO_FRAMESET | RAWTEXT)                  \
    X(IMAGE, "image", VOID | NO_FRAMESET)                                          \
    X(IMG, "img", VOID | SPECIAL | BREAKOUT | NO_FRAMESET)                         \
    X(INPUT, "input", VOID | SPECIAL | NO_FRAMESET)                                \
    X(KEYGEN, "keygen", VOID | SPECIAL | NO_FRAMESET)                              \
    X(LEGEND, "legend", BLOCK)                                                     \
    X(LI, "li", SPECIAL | CLOSES_P | BREAKOUT | BLOCK | NO_FRAMESET)               \
    X(LINK, "link", VOID | SPECIAL)                                                \
    X(LISTING, "listing", GROUP | BREAKOUT | NO_FRAMESET)                          \
    X(MAIN, "main", GROUP)                                                         \
    X(MALIGNMARK, "malignmark", 0)                                                 \
    X(MARQUEE, "marquee", SPECIAL | SCOPE | SCOPED_END | NO_FRAMESET)              \
    X(MATH, "math", 0)                                                             \
    X(MENU, "menu", GROUP | BREAKOUT)                                              \
    X(META, "meta", VOID | SPECIAL | BREAKOUT)                                     \
    X(METADATA, "metadata", UNSEEN)                                                \
    X(MGLYPH, "mglyph", 0)                                                         \
    X(MI, "mi", 0)                                                                 \
    X(MN, "mn", 0)                                                                 \
    X(MO, "mo", 0)                                                                 \
    X(MS, "ms", 0)                                                                 \
    X(MTEXT, "mtext", 0)                                                           \
    X(NAV, "nav", GROUP)                                                           \
    X(NOBR, "nobr", FORMATTING | BREAKOUT)                                         \
    X(NOEMBED, "noembed", SPECIAL | UNSEEN | RAWTEXT)                              \
    X(NOFRAMES, "noframes", SPECIAL | UNSEEN | RAWTEXT)                            \
    X(NOSCRIPT, "noscript", SPECIAL | UNSEEN)                                      \
    X(OBJECT, "object", SPECIAL | SCOPE | SCOPED_END | NO_FRAMESET)                \
    X(OL, "ol", GROUP | BREAKOUT)                                                  \
    X(OPTGROUP, "optgroup", BLOCK)                                                 \
    X(OPTION, "option", BLOCK)                                                     \
    X(P, "p", SPECIAL | CLOSES_P | BREAKOUT | BLOCK)                               \
    X(PARAM, "param", VOID | SPECIAL)                                              \
    X(PLAINTEXT, "plaintext", SPECIAL | CLOSES_P | BLOCK)                          \
    X(PRE, "pre", GROUP | BREAKOUT | NO_FRAMESET)                                  \
    X(RB, "rb", 0)                                                                 \
    X(RP, "rp", UNSEEN)                                                            \
    X(RT, "rt", 0)                                                                 \
    X(RTC, "rtc", 0)                                                               \
    X(RUBY, "ruby", BREAKOUT)                                                      \
    X(S, "s", FORMATTING | BREAKOUT)                                               \
    X(SCRIPT, "script", SPECIAL | UNSEEN)                                          \
    X(SEARCH, "search", GROUP)                                                     \
    X(SECTION, "section", GROUP)                                                   \
    X(SELECT, "select", SPECIAL | SCOPED_END | UNSEEN | NO_FRAMESET)               \
    X(SMALL, "small", FORMATTING | BREAKOUT)                                       \
    X(SOURCE, "source", VOID | SPECIAL)                                            \
    X(SPAN, "span", BREAKOUT)                                                      \
    X(STRIKE, "strike", FORMATTING | BREAKOUT)                                     \
    X(STRONG, "strong", FORMATTING | BREAKOUT)                                     \
    X(STYLE, "style", SPECIAL | UNSEEN | RAWTEXT)                                  \
    X(SUB, "sub", BREAKOUT)                                                        \
    X(SUMMARY, "summary", GROUP)                                                   \
    X(SUP, "sup", BREAKOUT)                                                        \
    X(SVG, "svg", 0)                                                               \
    X(TABLE, "table", SPECIAL | SCOPE | CLOSES_P | BREAKOUT | BLOCK | NO_FRAMESET) \
    X(TBODY, "tbody", SPECIAL | TABLE_PART | BLOCK)                                \
    X(TD, "td", SPECIAL | SCOPE | TABLE_PART)                                      \
    X(TEMPLATE, "template", SPECIAL | SCOPE | UNSEEN)                              \
    X(TEXTAREA, "textarea", SPECIAL | UNSEEN | NO_FRAMESET | RCDATA)               \
    X(TFOOT, "tfoot", SPECIAL | TABLE_PART | BLOCK)                                \
    X(TH, "th", SPECIAL | SCOPE | TABLE_PART)                                      \
    X(THEAD, "thead", SPECIAL | TABLE_PART | BLOCK)                                \
    X(TITLE, "title", SPECIAL | UNSEEN | RCDATA)                                   \
    X(TR, "tr", SPECIAL | TABLE_PART | BLOCK)                                      \
    X(TRACK, "track", VOID | SPECIAL)                                              \
    X(TT, "tt", FORMATTING | BREAKOUT)                                             \
    X(U, "u", FORMATTING | BREAKOUT)                                               \
    X(UL, "ul", GROUP | BREAKOUT)                                                  \
    X(VAR, "var", BREAKOUT)                                                        \
    X(VIDEO, "video", UNSEEN)                                                      \
    X(WBR, "wbr", VOID | SPECIAL | NO_FRAMESET)                                    \
    X(XMP, "xmp", SPECIAL | CLOSES_P | BLOCK | NO_FRAMESET | RAWTEXT)

#define TRAITS_ROW(number, name, traits) [FG_TAG_##number] = (traits),
const uint16_t fg_tag_traits[FG_TAG_COUNT] = {ROWS(TRAITS_ROW)};

#define NAME_ROW(number, name, traits) [FG_TAG_##number] = (name),
static const char names[FG_TAG_COUNT][16] = {ROWS(NAME_ROW)};

uint64_t fg_tag_key(struct fg_str name)
{
    uint64_t key = 0;
    for (size_t i = 0; i < name.len; i++)
        key = fg_tag_key_add(key, i, (unsigned char)fg_lower(name.at[i]));
    return key;
}

enum fg_tag fg_tag_find(uint64_t key, struct fg_str name)
{
    uint8_t tag = slots[key * SLOT_MAGIC >> SLOT_SHIFT];
    if (keys[tag] != key)
        return FG_TAG_OTHER;
    /* a folded key is not proof */
    if (name.len > FG_TAG_PACKED && !fg_str_eq_nocase(name, fg_str_from(names[tag])))
        return FG_TAG_OTHER;
    return tag;
}
