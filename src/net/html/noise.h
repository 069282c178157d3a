/* noise.h - parts of a page that change without anything having changed
 *
 *     struct fg_noise noise = {0};
 *     fg_noise_add(&noise, arena, FG_STR(".ads, #clock"), err);
 *     fg_noise_add(&noise, arena, FG_STR("text:*people are looking*"), err);
 *     html = fg_noise_cut(&noise, arena, html);          (elements)
 *     text = fg_noise_drop_lines(&noise, arena, text);   (lines of what is left)
 *
 * A rule is a selector (net/html/selector.h), whose elements go with all that is in them,
 * or "text:" and a glob over a whole line of the text: "*" is any text, "?" any one byte.
 * Rules go through a list: those of a page, then those of its site and of all. */
#ifndef FG_NET_NOISE_H
#define FG_NET_NOISE_H

#include "base/err.h"
#include "base/vec.h"
#include "net/html/selector.h"

struct fg_noise {
    FG_VEC(const struct fg_selector *) selectors;
    FG_VEC(struct fg_str) lines; /* globs */
    double least_change; /* share of the words that must differ for a change; 0: any */
    const struct fg_noise *also; /* that counts as well, or NULL */
};

/* All that it keeps is in the arena. */
enum fg_status fg_noise_add(struct fg_noise *noise, struct fg_arena *arena,
                            struct fg_str rule, struct fg_err *err);

/* What is wrong with a rule, as settings tell it; NULL: nothing. */
const char *fg_noise_refuse(struct fg_str rule);

/* Is there anything in it, or in what counts as well? */
bool fg_noise_has_selectors(const struct fg_noise *noise);
bool fg_noise_has_lines(const struct fg_noise *noise);
/* The nearest that is set; 0: none is. */
double fg_noise_least_change(const struct fg_noise *noise);

/* The same text where there is nothing to take out, else a copy in the arena. */
struct fg_str fg_noise_cut(const struct fg_noise *noise, struct fg_arena *arena,
                           struct fg_str html);
struct fg_str fg_noise_drop_lines(const struct fg_noise *noise, struct fg_arena *arena,
                                  struct fg_str text);
/* Is this line to be left out? One above 4,096 bytes never is. */
bool fg_noise_is_line(const struct fg_noise *noise, struct fg_str line);

#endif
