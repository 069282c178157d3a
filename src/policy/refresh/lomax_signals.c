#include "policy/refresh/lomax_signals.h"

#include "base/elementary.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Before anything is known: one change in four is signalled, and a page has a false
 * signal in 50 days. Nobody is trusted so far that pages are never looked at. */
static const float pseudo_found = 2, pseudo_told = 0.5F, pseudo_wrong = 0.2F,
                   pseudo_days = 10;
static const double most_recall = 0.95;
/* Evidence beyond this is halved, so that a feed that dies is noticed. */
static const float most_found = 400, most_days = 40000;

void fg_lomax_signals_clear(struct fg_lomax_signals *signals)
{
    free(signals->at);
    *signals = (struct fg_lomax_signals){0};
}

static bool is_signalling(const struct fg_lomax_signals *signals, uint32_t site)
{
    return site < signals->n && signals->at[site].days > 0;
}

void fg_lomax_signals_saw(struct fg_lomax_signals *signals, uint32_t site)
{
    if (is_signalling(signals, site))
        return;
    if (site >= signals->n) {
        size_t wider = (size_t)site + site / 2 + 16;
        signals->at = fg_resized(signals->at, wider, sizeof *signals->at);
        memset(signals->at + signals->n, 0, (wider - signals->n) * sizeof *signals->at);
        signals->n = wider;
    }
    signals->at[site] = (struct fg_lomax_site){.found = pseudo_found,
                                               .told = pseudo_told,
                                               .wrong = pseudo_wrong,
                                               .days = pseudo_days};
}

static void halve(struct fg_lomax_site *site)
{
    float *counts[] = {&site->found, &site->told, &site->by_chance, &site->wrong,
                       &site->days};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        *counts[i] /= 2;
}

void fg_lomax_signals_learn(struct fg_lomax_signals *signals, uint32_t site,
                            unsigned count, double days, bool changed)
{
    if (!is_signalling(signals, site) || !(days > 0))
        return;
    struct fg_lomax_site *at = &signals->at[site];
    if (changed) {
        double false_a_day = fg_lomax_signals_trust(signals, site).false_a_day;
        at->found++;
        at->told += count > 0;
        at->by_chance += (float)(1 - fg_exp(-false_a_day * days));
    } else {
        at->wrong += (float)count;
        at->days += (float)days;
    }
    if (at->found > most_found || at->days > most_days)
        halve(at);
}

struct fg_lomax_trust fg_lomax_signals_trust(const struct fg_lomax_signals *signals,
                                             uint32_t site)
{
    if (!is_signalling(signals, site))
        return (struct fg_lomax_trust){0, 1};
    const struct fg_lomax_site *at = &signals->at[site];
    double told = (double)(at->told - at->by_chance);
    double found = (double)(at->found - at->by_chance);
    found = fmax(found, 1e-3);
    return (struct fg_lomax_trust){
        .recall = fmin(fmax(told / found, 0), most_recall),
        .false_a_day = fmax((double)(at->wrong / at->days), 1e-6),
    };
}

double fg_lomax_signalled(struct fg_lomax_trust trust, double rate, unsigned count,
                          double z)
{
    if (!(trust.recall > 0))
        return z;
    double each = fg_log1p(trust.recall * rate / trust.false_a_day) / rate;
    return (1 - trust.recall) * z + (double)count * each;
}
