/* revisits.h - payloads that are in the archive already
 *
 *     const struct fg_original *original = fg_revisits_by_payload(&revisits, &sum);
 *     if (original) ...a revisit of original->url at original->date...
 *     else fg_revisits_add(&revisits, url, &sum, date);
 *
 * A stated number of payloads is remembered, the latest ones. Which payload an address
 * had last is remembered too, for answers that say nothing has changed. */
#ifndef FG_CRAWL_REVISITS_H
#define FG_CRAWL_REVISITS_H

#include "base/map.h"
#include "base/time.h"
#include "net/archive/digest.h"

struct fg_original {
    struct fg_sha1 payload;
    fg_time date;
    char *url;
    uint64_t number; /* from 1; 0: an empty slot */
};

struct fg_revisits {
    struct fg_original *at; /* a ring: number n is in slot n modulo `most` */
    size_t most;
    uint64_t last;
    struct fg_map by_payload, by_url; /* numbers */
};

/* 0: nothing is remembered. */
void fg_revisits_init(struct fg_revisits *revisits, size_t most);
void fg_revisits_clear(struct fg_revisits *revisits);

/* NULL if it is not known. Holds until the next add. */
const struct fg_original *fg_revisits_by_payload(const struct fg_revisits *revisits,
                                                 const struct fg_sha1 *payload);
const struct fg_original *fg_revisits_by_url(const struct fg_revisits *revisits,
                                             struct fg_str url);

/* A payload not known before. */
void fg_revisits_add(struct fg_revisits *revisits, struct fg_str url,
                     const struct fg_sha1 *payload, fg_time date);
/* This address has that payload now. */
void fg_revisits_link(struct fg_revisits *revisits, struct fg_str url,
                      const struct fg_original *original);

#endif
