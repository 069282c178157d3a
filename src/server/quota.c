#include "server/quota.h"

#include "base/memory.h"
#include "base/str.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 1 << 16, MOST_USED = PLACES / 4 * 3 };

struct count {
    uint64_t key; /* of a client and what it does; 0: nobody's */
    uint32_t times;
};

struct fg_quota {
    struct count at[PLACES];
    size_t used;
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
    pthread_mutex_destroy(&quota->lock);
    free(quota);
}

static struct count *find(struct fg_quota *quota, uint64_t key)
{
    size_t i = (size_t)key % PLACES;
    while (quota->at[i].key && quota->at[i].key != key)
        i = (i + 1) % PLACES;
    return &quota->at[i];
}

bool fg_quota_take(struct fg_quota *quota, uint64_t client, uint64_t what, uint32_t most,
                   fg_time now)
{
    uint64_t both[] = {client, what};
    uint64_t key = fg_str_hash((struct fg_str){(const char *)both, sizeof both}) | 1;
    pthread_mutex_lock(&quota->lock);
    if (quota->day != now / FG_DAY || quota->used >= MOST_USED) {
        memset(quota->at, 0, sizeof quota->at);
        quota->used = 0;
        quota->day = now / FG_DAY;
    }
    struct count *count = find(quota, key);
    quota->used += !count->key;
    count->key = key;
    bool is_within = count->times < most;
    count->times += is_within;
    pthread_mutex_unlock(&quota->lock);
    return is_within;
}
