/* selector.h - a part of a page, named as in a style sheet
 *
 *     const struct fg_selector *selector;
 *     if (fg_selector_parse(&selector, arena, FG_STR("main .price > b, meta@content"),
 * err))
 *         ...err says what is wrong, and where...
 *     struct fg_selected found;
 *     fg_selector_take(&found, arena, selector, html, max_bytes);
 *
 * Understood are: tag, *, #id, .class, [attr], [attr=value] and the same with ^= $= *= ~=
 * |= (and "i" for any case); :first-child, :nth-child(2n+1), :first-of-type,
 * :nth-of-type(3) (both with a tag), :not(...) of one of the former; "a b" (within), "a >
 * b" (directly within), "a + b" (right behind), "a ~ b" (behind), and lists with commas.
 * Two things are ours: "@attr" at the end takes an attribute instead of the text, and
 * ":first" at the end takes the first match only.
 *
 * The text of a match is what a reader sees of it, white space collapsed; of an element
 * that is not shown, such as a script, all of it. Several matches stand on lines of their
 * own, in the order of the page; one within another is part of that one.
 *
 * It is read in one pass, without a tree, so what looks ahead (:last-child, :has) is not
 * there. */
#ifndef FG_NET_SELECTOR_H
#define FG_NET_SELECTOR_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

struct fg_selector; /* private to selector.c and selector_match.c; read-only */

enum { FG_SELECTOR_MAX = 1000, FG_SELECTOR_MATCHES = 1000 };

enum fg_status fg_selector_parse(const struct fg_selector **selector,
                                 struct fg_arena *arena, struct fg_str text,
                                 struct fg_err *err);

/* As it was written. */
struct fg_str fg_selector_text(const struct fg_selector *selector);

struct fg_selected {
    struct fg_str text; /* in the arena */
    size_t n;           /* matches, at most FG_SELECTOR_MATCHES */
    bool is_cut;        /* there was more text, or there were more matches */
};

void fg_selector_take(struct fg_selected *selected, struct fg_arena *arena,
                      const struct fg_selector *selector, struct fg_str html,
                      size_t max_bytes);

/* The same with each block of a match, such as a paragraph, on a line of its own. */
void fg_selector_take_lines(struct fg_selected *selected, struct fg_arena *arena,
                            const struct fg_selector *selector, struct fg_str html,
                            size_t max_bytes);

/* The page without what the selector takes: elements with all that is in them, a blank in
 * place of each. "@attr" takes nothing out. The same text where nothing matches. */
struct fg_str fg_selector_cut(struct fg_arena *arena, const struct fg_selector *selector,
                              struct fg_str html);

#endif
