#include "server/meter.h"

#include "base/memory.h"
#include "base/str.h"

#include <pthread.h>
#include <stdlib.h>

enum { BUCKETS = 4096 };

struct bucket {
    double spent; /* of a minute's worth */
    fg_time when;
};

struct fg_meter {
    struct bucket at[BUCKETS];
    pthread_mutex_t lock;
};

struct fg_meter *fg_meter_new(void)
{
    struct fg_meter *meter = fg_zeroed(1, sizeof *meter);
    pthread_mutex_init(&meter->lock, NULL);
    return meter;
}

void fg_meter_free(struct fg_meter *meter)
{
    if (!meter)
        return;
    pthread_mutex_destroy(&meter->lock);
    free(meter);
}

bool fg_meter_take(struct fg_meter *meter, uint64_t key, unsigned a_minute, fg_time now)
{
    uint64_t both[] = {key, a_minute};
    uint64_t hash = fg_str_hash((struct fg_str){(const char *)both, sizeof both});
    pthread_mutex_lock(&meter->lock);
    struct bucket *bucket = &meter->at[hash % BUCKETS];
    double passed = (double)(now - bucket->when) / (double)FG_MINUTE * a_minute;
    double left = bucket->spent > passed ? bucket->spent - passed : 0;
    bool is_within = left + 1 <= a_minute;
    *bucket = (struct bucket){left + is_within, now};
    pthread_mutex_unlock(&meter->lock);
    return is_within;
}
