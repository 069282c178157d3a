/* The host's mean of impressions and its click-through rate are those of its rows taken
 * together, themselves shrunk to the means of all rows: by `host_days` days and
 * `host_impressions` impressions, for many hosts have few offers. */
#include "learn/popular.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const double half_life = 14;                   /* days */
static const double shown_prior = 2, click_prior = 6; /* days */
static const double host_days = 30, host_impressions = 1000;

void fg_popular_resize(struct fg_popular *popular, size_t n)
{
    float **columns[] = {&popular->clicks, &popular->impressions, &popular->days};
    size_t room = popular->room;
    if (n > room)
        room = room * 2 > n ? room * 2 : n;
    for (size_t c = 0; c < 3; c++) {
        if (room > popular->room)
            *columns[c] = fg_resized(*columns[c], room, sizeof **columns[c]);
        if (n > popular->n)
            memset(*columns[c] + popular->n, 0, (n - popular->n) * sizeof **columns[c]);
    }
    popular->room = room;
    popular->n = n;
}

void fg_popular_clear(struct fg_popular *popular)
{
    free(popular->clicks);
    free(popular->impressions);
    free(popular->days);
    *popular = (struct fg_popular){0};
}

void fg_popular_add(struct fg_popular *popular, const float *clicks,
                    const float *impressions)
{
    float keeps = (float)exp2(-1 / half_life);
    for (size_t i = 0; i < popular->n; i++) {
        float clicked = clicks ? clicks[i] : NAN;
        float shown = impressions ? impressions[i] : NAN;
        bool is_known = clicked >= 0 && shown >= 0;
        popular->clicks[i] = popular->clicks[i] * keeps + (is_known ? clicked : 0);
        popular->impressions[i] =
            popular->impressions[i] * keeps + (is_known ? shown : 0);
        popular->days[i] = popular->days[i] * keeps + (float)is_known;
    }
}

struct sums {
    double clicks, impressions, days;
};

static void add_row(struct sums *sums, const struct fg_popular *popular, size_t i)
{
    sums->clicks += (double)popular->clicks[i];
    sums->impressions += (double)popular->impressions[i];
    sums->days += (double)popular->days[i];
}

/* In place of its sums a host gets impressions a day and clicks an impression. */
static void shrink(struct sums *host, const struct sums *all)
{
    double shown = all->days > 0 ? all->impressions / all->days : 0;
    double ctr = all->impressions > 0 ? all->clicks / all->impressions : 0;
    *host = (struct sums){.impressions = (host_days * shown + host->impressions) /
                                         (host_days + host->days),
                          .clicks = (host_impressions * ctr + host->clicks) /
                                    (host_impressions + host->impressions)};
}

void fg_popular_rates(const struct fg_popular *popular, const uint32_t *host,
                      size_t n_hosts, float *out)
{
    struct sums all = {0}, *hosts = fg_zeroed(n_hosts, sizeof *hosts);
    for (size_t i = 0; i < popular->n; i++) {
        add_row(&all, popular, i);
        add_row(&hosts[host[i]], popular, i);
    }
    for (size_t h = 0; h < n_hosts; h++)
        shrink(&hosts[h], &all);
    for (size_t i = 0; i < popular->n; i++) {
        const struct sums *mean = &hosts[host[i]];
        double days = (double)popular->days[i];
        double shown =
            (shown_prior * mean->impressions + (double)popular->impressions[i]) /
            (shown_prior + days);
        out[i] =
            (float)((click_prior * mean->clicks * shown + (double)popular->clicks[i]) /
                    (click_prior + days));
    }
    free(hosts);
}
