/* quota.h - how often a client may do a thing a day
 *
 *     struct fg_quota *quota = fg_quota_new();
 *     if (fg_quota_take(quota, request->client, what, 20, fg_time_now())) ...it counts...
 *     fg_quota_free(quota);
 *
 * Counts are in memory only and gone at midnight (UTC), or when there are too many of
 * them, so nothing of who asked is kept, and memory is bounded. For any number of
 * threads. */
#ifndef FG_SERVER_QUOTA_H
#define FG_SERVER_QUOTA_H

#include "base/time.h"

#include <stdbool.h>
#include <stdint.h>

struct fg_quota;

struct fg_quota *fg_quota_new(void);
void fg_quota_free(struct fg_quota *quota); /* NULL is fine */

/* Once more; false if this client has done it `most` times today already. */
bool fg_quota_take(struct fg_quota *quota, uint64_t client, uint64_t what, uint32_t most,
                   fg_time now);

#endif
