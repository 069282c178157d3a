/* nest.h - where in the tree a tag stands, without a tree
 *
 *     struct fg_nest nest;
 *     fg_nest_init(&nest);
 *     ...for a start tag:
 *     if (fg_nest_start(&nest, &html, &token) == FG_NEST_IGNORED) ...no such element...
 *     ...for an end tag:
 *     fg_nest_end(&nest, &html, &token);
 *     if (fg_nest_top(&nest) & FG_NEST_TEMPLATE) ...not part of the document...
 *
 * The stack of open elements of the HTML standard's tree construction, and of its rules
 * those that decide whether a tag makes an element and in what surroundings: implied and
 * misnested end tags, tables, svg and math with their ways in and out, templates,
 * framesets, raw text. Left out is what only moves nodes about: formatting elements are
 * not opened again, nothing is moved out of tables, and html, head and body are taken
 * for granted. Scripting counts as switched off, so what is in a noscript is markup.
 *
 * The stack is FG_NEST_MAX deep, as in browsers; what is nested deeper takes the place of
 * the innermost. */
#ifndef FG_NET_NEST_H
#define FG_NET_NEST_H

#include "net/html/html.h"

#define FG_NEST_MAX 512

/* What holds for an open element and all that is in it. */
enum fg_nest_flags {
    FG_NEST_SVG = 1,
    FG_NEST_MATH = 2,
    FG_NEST_FOREIGN = FG_NEST_SVG | FG_NEST_MATH, /* of the element only */
    FG_NEST_DOOR = 4,     /* it is foreign, yet what is in it is HTML again */
    FG_NEST_TEMPLATE = 8, /* in a template: not part of the document */
    FG_NEST_UNSEEN = 16,  /* not shown to a reader */
    FG_NEST_HANDED_DOWN = FG_NEST_TEMPLATE | FG_NEST_UNSEEN
};

struct fg_nest {
    size_t depth; /* index of the innermost; 0 is the body */
    uint8_t tag[FG_NEST_MAX], flags[FG_NEST_MAX];
    uint64_t key[FG_NEST_MAX];
    uint16_t open[FG_TAG_COUNT]; /* how many HTML elements of a name are on the stack */
    unsigned made;               /* flags of the element last made */
    size_t framesets;            /* open ones */
    bool has_frameset;           /* so there is no body */
    bool has_content;            /* too late for a frameset */
};

enum fg_nest_made {
    FG_NEST_IGNORED, /* the tag makes no element */
    FG_NEST_EMPTY,   /* an element without content */
    FG_NEST_OPEN     /* an element that is now the innermost */
};

void fg_nest_init(struct fg_nest *nest);

/* Also lets `html` read on in the state that the element's content asks for. */
enum fg_nest_made fg_nest_start(struct fg_nest *nest, struct fg_html *html,
                                const struct fg_html_token *token);
void fg_nest_end(struct fg_nest *nest, struct fg_html *html,
                 const struct fg_html_token *token);

/* Text in the body; once some of it is not white space, a frameset comes too late. */
void fg_nest_text(struct fg_nest *nest, struct fg_str source);

/* The flags of the innermost open element. */
static inline unsigned fg_nest_top(const struct fg_nest *nest)
{
    return nest->flags[nest->depth];
}

/* The element just opened and all that will be in it are not shown. */
static inline void fg_nest_hide(struct fg_nest *nest)
{
    nest->flags[nest->depth] |= FG_NEST_UNSEEN;
}

#endif
