/* before.h - what the store has of a page, read before the page is asked for
 *
 *     visit->before.wants = FG_BEFORE_PAGE | ...;   (on the main loop, when it goes out)
 *     fg_before_read(&visit->before, &arena, store, site, page);       (on a worker)
 *
 * A request needs validators, and what comes of it is compared with what there was. The
 * main loop does not wait for a disk, so the worker that asks reads them first. A page
 * that turns out to be another one, at the end of a redirect, has none of this. */
#ifndef FG_CRAWL_BEFORE_H
#define FG_CRAWL_BEFORE_H

#include "crawl/crawl.h"

enum {
    FG_BEFORE_PAGE = 1,
    FG_BEFORE_VALUE = 2,
    FG_BEFORE_SKETCH = 4, /* of the value, where small changes do not count */
    FG_BEFORE_TEXT = 8,   /* all of it, where that is kept */
    FG_BEFORE_WAY = 16,   /* the page that led there */
    FG_BEFORE_LINK = 32,  /* what the link to it said */
    FG_BEFORE_COMERS = 64,
    FG_BEFORE_CAPTURE = 128,
};

struct fg_before {
    unsigned wants;
    uint64_t content_hash; /* 0: nothing */
    struct fg_str etag, last_modified;
    uint64_t value_hash;       /* may be known already: then it is left as it is */
    bool has_value;            /* value_hash is one */
    struct fg_value_row value; /* hash 0: it is not known, or on its way to disk */
    struct fg_str sketch, text, via;
    bool has_link;
    fg_time dated;         /* as the link said */
    uint64_t found_on;     /* fingerprint of that page; 0: not known */
    struct fg_str comers;  /* of a list: crawl/sources/comers.h */
    struct fg_str capture; /* the last that an archive had: crawl/archive/captures.h */
};

void fg_before_read(struct fg_before *before, struct fg_arena *arena,
                    struct fg_store *store, fg_site_id site, fg_page_id page);

#endif
