/* told.h - rates of documents that a refresh policy is told, and remembers over a restart
 *
 *     struct fg_told *told = fg_told_from(outlook);
 *     fg_told_to_mind(told, mind, 20000);     (a part of them; false when all are told)
 *     fg_told_save(told, &buf);
 *     ...
 *     fg_told_recall(mind, store);            (what was saved, all at once)
 *     fg_told_free(told);
 *
 * They are kept in the store as the state "told" of site 0, so that a crawl that starts
 * again, and whoever asks why a page is due, need not wait until they are made anew. */
#ifndef FG_CRAWL_TOLD_H
#define FG_CRAWL_TOLD_H

#include "base/buf.h"
#include "policy/mind.h"
#include "store/store.h"

struct fg_outlook;

#define FG_TOLD_STATE "told"

struct fg_told {
    size_t n, next;             /* next: the first that the mind does not know yet */
    uint64_t *id;               /* site << 32 | page */
    float *rate[FG_TOLD_KINDS]; /* NULL for a kind of which nothing is known */
};

struct fg_told *fg_told_from(const struct fg_outlook *outlook);
void fg_told_free(struct fg_told *told); /* NULL is fine */

/* Documents that the mind does not have are passed over. */
bool fg_told_to_mind(struct fg_told *told, struct fg_mind *mind, size_t most);

void fg_told_save(const struct fg_told *told, struct fg_buf *out);
/* Nothing happens if nothing was saved, or it is damaged. */
void fg_told_recall(struct fg_mind *mind, struct fg_store *store);

#endif
