#include "crawl/signals/honesty.h"

#include <math.h>

enum {
    TRIALS = 6,
    BELIEVED_OF = 4,
    LEAST_STREAK = 3,
    FULL_STREAK = 8,
    MOST_TOLD = 64,
    MOST_MISSED = 1000000
};

void fg_honesty_put_right(struct fg_honesty *h)
{
    h->told = fmin(fmax(h->told, 0), MOST_TOLD);
    h->proved = fmin(fmax(h->proved, 0), h->told);
    h->missed = fmin(fmax(h->missed, 0), MOST_MISSED);
    h->tried = h->tried > 0 ? h->tried : 0;
}

bool fg_honesty_is_believed(const struct fg_honesty *h)
{
    return h->told < TRIALS || h->proved * BELIEVED_OF >= h->told;
}

bool fg_honesty_heeds(struct fg_honesty *h, fg_time now)
{
    bool heeds = fg_honesty_is_believed(h) || now - h->tried >= FG_HOUR || h->tried > now;
    if (heeds)
        h->tried = now;
    return heeds;
}

void fg_honesty_check(struct fg_honesty *h, bool is_true)
{
    h->told++;
    h->proved += is_true;
    h->streak = is_true ? h->streak + 1 : h->streak / 2;
    if (h->told > MOST_TOLD) {
        h->told /= 2;
        h->proved /= 2;
        h->missed /= 2;
    }
}

void fg_honesty_miss(struct fg_honesty *h)
{
    h->missed++;
    h->streak = 0;
}

void fg_honesty_silence(struct fg_honesty *h)
{
    h->streak = 0;
}

fg_time fg_honesty_rest(const struct fg_honesty *h, fg_time most)
{
    if (h->streak < LEAST_STREAK || h->told <= 0)
        return 0;
    double share = h->streak < FULL_STREAK ? (double)h->streak / FULL_STREAK : 1;
    return (fg_time)((double)most * share * h->proved / h->told);
}
