/* change.h - what has changed between two versions of a page, clocks and counters apart
 *
 *     struct fg_change change = fg_change_between(&shingler, old_text, new_text, 0.02);
 *     if (change.changed) ...
 *     else if (change.figures > 0) ...only numbers or dates...
 *
 * Both texts are the visible text of a page. Each is cut into words (net/text/words.h);
 * figures and random words are taken out; what remains is compared as sets of w-shingles
 * (net/text/shingle.h): `text` is the share of shingles that only one version has, 1 - r,
 * so 0 for the same words and 1 for nothing in common. One changed word in a page of n
 * words moves it by about 2 w / n, a new paragraph of m words by about m / n.
 *
 * Figures are compared too, each with the word before it. So that a price that moved is
 * not lost among "2 hours ago", view counts and clocks, the two signals are kept apart:
 * whether numbers matter on a page is for the caller to say. To follow one number on a
 * page, track it as a value; here it drowns in the others.
 *
 * It cannot see: what random words say (order codes), the order of paragraphs, how often
 * a phrase is repeated, markup and pictures. */
#ifndef FG_NET_CHANGE_H
#define FG_NET_CHANGE_H

#include "net/text/shingle.h"

/* A sentence in a page of 500 words is above it, a word in a page of 500 is below. */
#define FG_CHANGE_THRESHOLD 0.02

/* Shingles kept of one text. Beyond, a sample of all of them is compared, the same in
 * both texts: the share is then an estimate with an error of about 0.001. */
#define FG_CHANGE_SHINGLES_MAX (1 << 18)

struct fg_change {
    double text;           /* share of the shingles that changed, 0 to 1 */
    double figures;        /* the same for numbers and dates */
    size_t added, removed; /* shingles of words that only the new, only the old one has */
    bool changed;          /* text > threshold */
    bool figures_only;     /* no word changed, but figures did */
};

/* Exact. The shingler must be between two texts; its w is used. The memory for the
 * shingles is taken and given back within. */
struct fg_change fg_change_between(struct fg_shingler *shingler, struct fg_str old_text,
                                   struct fg_str new_text, double threshold);

#endif
