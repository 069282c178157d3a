#include "learn/offer_log.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { DAYS = FG_OFFER_LOG_DAYS, UNKNOWN_CHANGES = UINT8_MAX, UNKNOWN = UINT16_MAX };

/* --- rows --- */

static void *wider(void *planes, size_t n, size_t from, size_t to, size_t size_bytes)
{
    char *old = planes, *new = fg_resized(NULL, DAYS * to, size_bytes);
    memset(new, 0xff, DAYS * to * size_bytes); /* nothing known */
    for (size_t plane = 0; n && plane < DAYS; plane++)
        memcpy(new + plane *to *size_bytes, old + plane * from * size_bytes,
               n * size_bytes);
    free(old);
    return new;
}

static void forget(struct fg_offer_log *log, size_t first, size_t n)
{
    for (size_t plane = 0; n && plane < DAYS; plane++) {
        size_t at = plane * log->room + first;
        memset(log->changes + at, 0xff, n * sizeof *log->changes);
        memset(log->clicks + at, 0xff, n * sizeof *log->clicks);
        memset(log->impressions + at, 0xff, n * sizeof *log->impressions);
    }
}

void fg_offer_log_resize(struct fg_offer_log *log, size_t n)
{
    if (n > log->room) {
        size_t room = log->room ? log->room * 2 : n;
        room = room < n ? n : room;
        log->changes = wider(log->changes, log->n, log->room, room, sizeof *log->changes);
        log->clicks = wider(log->clicks, log->n, log->room, room, sizeof *log->clicks);
        log->impressions =
            wider(log->impressions, log->n, log->room, room, sizeof *log->impressions);
        log->room = room;
    }
    if (n < log->n)
        forget(log, n, log->n - n);
    log->n = n;
}

void fg_offer_log_clear(struct fg_offer_log *log)
{
    free(log->changes);
    free(log->clicks);
    free(log->impressions);
    *log = (struct fg_offer_log){0};
}

/* --- days --- */

/* A count up to `most`; the number after that stands for not known. */
static uint16_t kept(const float *counts, size_t i, uint16_t most)
{
    if (!counts || !(counts[i] >= 0))
        return (uint16_t)(most + 1);
    return counts[i] < (float)most ? (uint16_t)lroundf(counts[i]) : most;
}

void fg_offer_log_add(struct fg_offer_log *log, const struct fg_offer_counts *day)
{
    size_t base = log->days++ % DAYS * log->room;
    for (size_t i = 0; i < log->n; i++)
        log->changes[base + i] = (uint8_t)kept(day->changes, i, UNKNOWN_CHANGES - 1);
    for (size_t i = 0; i < log->n; i++)
        log->clicks[base + i] = kept(day->clicks, i, UNKNOWN - 1);
    for (size_t i = 0; i < log->n; i++)
        log->impressions[base + i] = kept(day->impressions, i, UNKNOWN - 1);
}

/* Of the plane `back` days before the last one added. */
static size_t plane_at(const struct fg_offer_log *log, size_t back)
{
    return (log->days + DAYS - 1 - back) % DAYS * log->room;
}

struct sum {
    uint32_t counts, days;
};

static float average(struct sum sum)
{
    return sum.days ? (float)sum.counts / (float)sum.days : NAN;
}

/* Over 1, 7, 14 and 30 days. */
static void average_counts(const struct fg_offer_log *log, const uint16_t *counts,
                           size_t row, float out[4])
{
    static const size_t ends[4] = {1, 7, 14, DAYS};
    struct sum sum = {0};
    for (size_t k = 0, back = 0; k < 4; k++) {
        for (; back < ends[k]; back++) {
            uint16_t count = counts[plane_at(log, back) + row];
            bool is_known = count != UNKNOWN;
            sum.counts += is_known ? count : 0;
            sum.days += is_known;
        }
        out[k] = average(sum);
    }
}

static void describe_changes(const struct fg_offer_log *log, size_t row, float *changes,
                             float *since)
{
    struct sum sum = {0};
    size_t last = DAYS;
    for (size_t back = 0; back < DAYS; back++) {
        uint8_t count = log->changes[plane_at(log, back) + row];
        if (count == UNKNOWN_CHANGES)
            continue;
        sum.counts += count;
        sum.days++;
        if (count && last == DAYS)
            last = back;
    }
    *changes = average(sum);
    *since = sum.days ? (float)last : NAN;
}

void fg_offer_log_history(const struct fg_offer_log *log, size_t first, size_t n,
                          float *out)
{
    for (size_t i = 0; i < n; i++, out += FG_OFFER_HISTORY) {
        describe_changes(log, first + i, &out[FG_HISTORY_CHANGES],
                         &out[FG_HISTORY_SINCE_CHANGE]);
        average_counts(log, log->clicks, first + i, &out[FG_HISTORY_CLICKS_1]);
        average_counts(log, log->impressions, first + i, &out[FG_HISTORY_IMPRESSIONS_1]);
    }
}
