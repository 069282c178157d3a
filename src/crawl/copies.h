/* copies.h - which page this page is a copy of
 *
 * Two pages of a site whose texts differ in next to nothing are one page under two
 * addresses. Texts are compared by their simhash (net/shingle.h): equal in all but three
 * of 64 bits. Four lists, one for each quarter of the bits, find the candidates: of four
 * quarters at least one is equal when three bits differ (Manku, Jain, Das Sarma, WWW
 * 2007). About 50 bytes a page. */
#ifndef FG_CRAWL_COPIES_H
#define FG_CRAWL_COPIES_H

#include <stddef.h>
#include <stdint.h>

struct fg_copies {
    struct fg_copies_entry *at;
    size_t len, capacity;
    /* By hash of the site and 16 bits, then by quarter: the newest entry + 1. Lists that
     * meet there are one list; who walks it looks at site and simhash anyway. */
    uint32_t *heads;
    size_t heads_mask;
};

void fg_copies_clear(struct fg_copies *copies);

#define FG_NO_COPY UINT32_MAX

/* The row of a page of the site with nearly this text, other than `row` itself. */
uint32_t fg_copies_find(const struct fg_copies *copies, uint32_t site, uint64_t simhash,
                        uint32_t row);
void fg_copies_add(struct fg_copies *copies, uint32_t site, uint64_t simhash,
                   uint32_t row);

#endif
