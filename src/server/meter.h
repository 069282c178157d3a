/* meter.h - how fast strangers may ask
 *
 *     struct fg_meter *meter = fg_meter_new();
 *     if (!fg_meter_take(meter, request->client, 60, fg_time_monotonic())) ...429...
 *     fg_meter_free(meter);
 *
 * A bucket that holds a minute's worth and fills at that pace. There are as many as there
 * are, and keys that fall together share one: however many strangers come, memory does
 * not grow. For any number of threads. */
#ifndef FG_SERVER_METER_H
#define FG_SERVER_METER_H

#include "base/time.h"

#include <stdbool.h>
#include <stdint.h>

struct fg_meter;

struct fg_meter *fg_meter_new(void);
void fg_meter_free(struct fg_meter *meter); /* NULL is fine */
/* Once more; false if that is more than so many a minute. `now` is monotonic. */
bool fg_meter_take(struct fg_meter *meter, uint64_t key, unsigned a_minute, fg_time now);

#endif
