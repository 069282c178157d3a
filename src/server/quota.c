#include "server/quota.h"

#include "base/map.h"
#include "base/memory.h"

#include <pthread.h>
#include <stdlib.h>

enum { MOST_COUNTS = 49152 };

struct fg_quota {
    struct fg_map times; /* by client and what it does */
    int64_t day;
    pthread_mutex_t lock;
};

struct fg_quota *fg_quota_new(void)
{
    struct fg_quota *quota = fg_zeroed(1, sizeof *quota);
    pthread_mutex_init(&quota->lock, NULL);
    return quota;
}

void fg_quota_free(struct fg_quota *quota)
{
    if (!quota)
        return;
    fg_map_clear(&quota->times);
    pthread_mutex_destroy(&quota->lock);
    free(quota);
}

bool fg_quota_take(struct fg_quota *quota, uint64_t client, uint64_t what, uint32_t most,
                   fg_time now)
{
    uint64_t both[] = {client, what};
    uint64_t key = fg_str_hash((struct fg_str){(const char *)both, sizeof both});
    pthread_mutex_lock(&quota->lock);
    if (quota->day != now / FG_DAY || fg_map_len(&quota->times) >= MOST_COUNTS) {
        fg_map_clear(&quota->times);
        quota->day = now / FG_DAY;
    }
    uint64_t *times = fg_map_put(&quota->times, key);
    bool is_within = *times < most;
    *times += is_within;
    pthread_mutex_unlock(&quota->lock);
    return is_within;
}
