/* moved.h - a page that has got another address
 *
 *     uint32_t before = fg_moved_find(&numbered, url);
 *     if (before != FG_UNKNOWN && fg_moved_is_same(&stored, reading)) ...it is that
 * one... fg_moved_note(&numbered, url, row);
 *
 * Editors change a headline after publication, and with it the words of the address; the
 * number beside them stays: "/news/first-words-10432" becomes "/news/other-words-10432".
 * Such a page is the one that was told, if it says that it was published at the same
 * moment; where none says when, if it has the same title, or much the same text. */
#ifndef FG_CRAWL_MOVED_H
#define FG_CRAWL_MOVED_H

#include "base/map.h"
#include "crawl/reading/reading.h"
#include "store/store.h"

/* What addresses have in common that differ in the words beside a number or token alone;
 * 0 of one that has no such words. */
uint64_t fg_address_without_words(struct fg_str url);

/* A page of content was read. */
void fg_moved_note(struct fg_map *numbered, struct fg_str url, uint32_t row);
/* The last one that was read under such an address, or FG_UNKNOWN. */
uint32_t fg_moved_find(const struct fg_map *numbered, struct fg_str url);
/* Does what was read of that one and of this one agree? */
bool fg_moved_is_same(const struct fg_page_row *before, const struct fg_reading *reading);

#endif
