/* notices.h - what the process of a lot has to say to those of others
 *
 *     struct fg_notice notice = {.kind = FG_NOTICE_PAGE, .url = url, ...};
 *     notices_write(crawl, &notice);
 *     notices_keep(crawl, batch);        (before the batch is submitted)
 *     notices_review(crawl, false);      (when something has become durable)
 *
 * A seed that redirects to a host of another lot, an entry of a feed that lies there, a
 * robots.txt that is to be had there: the owner of that lot is told, and asks. A notice
 * is kept with the batch of the result that it is about; when that is on disk a thread
 * puts it into the inbox of the other lot (seeds.h), and then it is dropped here. After a
 * crash it may come twice, which changes nothing. What is said of a robots.txt is not
 * kept: who needs one asks for it again.
 *
 * As text a notice is a line: its kind, an address, and key=value after tabs. */
#ifndef FG_CRAWL_NOTICES_H
#define FG_CRAWL_NOTICES_H

#include "base/buf.h"
#include "base/vec.h"
#include "crawl/crawl.h"

#include <pthread.h>
#include <stdatomic.h>

enum fg_notice_kind {
    FG_NOTICE_SEED, /* watch what a seed of ours has led to; it is in `words` (seeds.h) */
    FG_NOTICE_PAGE, /* an entry of a feed that is followed (following.c) */
    FG_NOTICE_ROBOTS, /* have this robots.txt for `host`, and tell lot `from` */
    FG_NOTICE_ANSWER, /* what the robots.txt of host `url` is */
};

struct fg_notice {
    enum fg_notice_kind kind;
    struct fg_str url, words, host;
    uint32_t flags; /* of the page, as its list has it */
    unsigned depth, from;
    unsigned status;      /* 0: it could not be had */
    fg_time dated, since; /* the entry; the watch of its feed */
    bool is_reported, is_in_feed;
    struct fg_str body; /* of the robots.txt, any bytes */
};

void fg_notice_format(struct fg_buf *out, const struct fg_notice *notice);
/* Parts of the line, and what had to be decoded in the arena; false if it makes no sense,
 * or is of a kind that a newer forage writes. */
bool fg_notice_parse(struct fg_notice *notice, struct fg_arena *arena,
                     struct fg_str line);

struct notice_line {
    char *text;
    unsigned lot;
    bool is_kept; /* in the store, until it has been put into the other's inbox */
    bool is_delivered;
};

struct crawl_notices {
    FG_VEC(struct notice_line) written, out; /* out: the thread's, while there is one */
    bool is_unkept;                          /* the store does not know of all this */
    uint64_t number; /* of a batch: what was written before is durable with it; 0: none */
    size_t n_durable; /* so many, from the first */
    pthread_t courier;
    bool has_courier, is_stuck;
    atomic_bool is_back;
};

void notices_write(struct fg_crawl *crawl, const struct fg_notice *notice);
void notices_keep(struct fg_crawl *crawl, struct fg_batch *batch);
/* is_beat: now and then; only then what could not be delivered is tried again. */
void notices_review(struct fg_crawl *crawl, bool is_beat);
void notices_recall(struct fg_crawl *crawl);
/* Waits for the thread. */
void notices_end(struct fg_crawl *crawl);
/* As a command in the inbox of a lot, which takes them (inbox.c). */
extern const char fg_notices_kind[];

#endif
