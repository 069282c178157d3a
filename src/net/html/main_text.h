/* main_text.h - what a page is about, without what is around it
 *
 *     struct fg_main_text main;
 *     fg_main_text_read(&main, arena, html);
 *     if (main.hash != before) ...somebody has written something...
 *
 * Kohlschütter, Fankhauser and Nejdl (Boilerplate detection using shallow text features,
 * WSDM 2010) tell content from navigation by two features of a block of text and of its
 * neighbours: how many words it has, and which share of them is in links. Their decision
 * tree is used on the blocks that are not marked as something else (nav, aside, footer,
 * buttons), and only within the element that says it is the main one, if there is one.
 * Where less than 50 words are found, or of a page of less than 200 not even half, all
 * blocks that are neither so marked nor linked are the main text: its figures are those
 * of articles, and what is new on a short page may stand in any line. Where nothing is
 * found, it is all that is not so marked.
 *
 * The hash is of the words, in order, without regard to case and punctuation. Random
 * words (net/text/words.h) do not count; numbers and dates do in blocks of more than 16
 * words, where somebody writes about them, and not in short ones, which count comments
 * and tell how long ago. */
#ifndef FG_NET_MAIN_TEXT_H
#define FG_NET_MAIN_TEXT_H

#include "base/arena.h"
#include "base/str.h"
#include "net/html/walk.h"

#include <stdint.h>

struct fg_main_text {
    struct fg_str text; /* a block a line; in the arena */
    uint64_t hash;
    size_t words;
};

/* Of the first megabyte of the text that is seen, and at most 20,000 blocks. */
void fg_main_text_read(struct fg_main_text *main, struct fg_arena *arena,
                       struct fg_str html);
/* The same without blocks that are lines of noise; NULL: none is. */
struct fg_noise;
void fg_main_text_read_without(struct fg_main_text *main, struct fg_arena *arena,
                               struct fg_str html, const struct fg_noise *noise);
/* The same as fg_main_text_read for who wants something else of the page as well: `see`
 * is told every step of the walk. */
struct fg_main_text_watcher {
    void (*see)(void *context, const struct fg_walk *walk, enum fg_walk_step step);
    void *context;
};
void fg_main_text_read_watched(struct fg_main_text *main, struct fg_arena *arena,
                               struct fg_str html,
                               const struct fg_main_text_watcher *watcher);

#endif
