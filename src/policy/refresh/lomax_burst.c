#include "policy/refresh/lomax_burst.h"

#include "base/elementary.h"

/* Bins start at 2^(-7 + i / 2); the first reaches down to 0, the last up for ever. */
static const double lowest = 0x1p-7;
/* Changes assumed as found and as expected in each bin, the share of visits with a
 * change above which bursts are not looked for, and how fast things are forgotten. */
static const double pseudo_changes = 20, most_hits = 0.2, least_visits = 50;
static const double kept_a_day = 0.99810277, hits_kept_a_day = 0.97716; /* 365, 30 days */

static double start_of(int bin)
{
    double power = (double)(UINT64_C(1) << (bin / 2)) * lowest;
    return bin == 0 ? 0 : bin % 2 ? power * 1.4142135623730951 : power;
}

static int bin_of(double u)
{
    if (!(u >= lowest * 1.4142135623730951))
        return 0;
    if (u >= 0x1p5)
        return FG_BURST_BINS - 1;
    uint64_t bits = fg_bits_of(u);
    int octave = (int)(bits >> 52) - 1023 + 7;
    int bin = 2 * octave + ((bits & 0xFFFFFFFFFFFFF) >= 0x6A09E667F3BCD);
    return bin < FG_BURST_BINS ? bin : FG_BURST_BINS - 1;
}

double fg_at_least_one(double expected)
{
    return expected < 1e-6 ? 1 : expected / (1 - fg_exp(-expected));
}

/* Anew after each day: within it the counts hardly move. */
static void set_factors(struct fg_lomax_burst *burst)
{
    double until = 0;
    for (int i = 0; i < FG_BURST_BINS; i++) {
        burst->factor[i] =
            (pseudo_changes + burst->found[i]) / (pseudo_changes + burst->expected[i]);
        burst->log_factor[i] = fg_log(burst->factor[i]);
        burst->until[i] = until;
        until += burst->factor[i] * (start_of(i + 1) - start_of(i));
    }
    burst->is_on =
        burst->visits < least_visits || burst->hits < most_hits * burst->visits;
}

void fg_lomax_burst_start(struct fg_lomax_burst *burst)
{
    *burst = (struct fg_lomax_burst){0};
    set_factors(burst);
}

void fg_lomax_burst_fade(struct fg_lomax_burst *burst)
{
    for (int i = 0; i < FG_BURST_BINS; i++) {
        burst->found[i] *= kept_a_day;
        burst->expected[i] *= kept_a_day;
    }
    burst->visits *= hits_kept_a_day;
    burst->hits *= hits_kept_a_day;
    set_factors(burst);
}

void fg_lomax_burst_learn(struct fg_lomax_burst *burst, struct fg_gamma_rate rate,
                          double since, double span, bool changed)
{
    burst->visits++;
    burst->hits += changed;
    double mean = rate.a / rate.b, hazard[FG_BURST_BINS], all = 0;
    int first = bin_of(mean * since), last = bin_of(mean * (since + span));
    double from = 0, log_from = 0;
    for (int i = first; i <= last; i++) {
        double to = i == last ? span : start_of(i + 1) / mean - since;
        double log_to = to > from ? fg_log1p(to / rate.b) : log_from;
        hazard[i] = rate.a * (log_to - log_from);
        all += hazard[i] * burst->factor[i];
        from = to > from ? to : from;
        log_from = log_to;
    }
    double share = changed && all > 0 ? fg_at_least_one(all) / all : 0;
    for (int i = first; i <= last; i++) {
        burst->expected[i] += hazard[i];
        burst->found[i] += share * hazard[i] * burst->factor[i];
    }
}

static double integral_to(const struct fg_lomax_burst *burst, double u)
{
    int bin = bin_of(u);
    return burst->until[bin] + burst->factor[bin] * (u - start_of(bin));
}

struct fg_lomax_factor fg_lomax_burst_factor(const struct fg_lomax_burst *burst,
                                             double rate, double changes, double since,
                                             double span)
{
    double rho = changes / (changes + 1);
    if (!burst->is_on || rho < 1e-3 || !(span > 0))
        return (struct fg_lomax_factor){1, 1};
    double from = rate * since, to = rate * (since + span);
    int first = bin_of(from), last = bin_of(to);
    double now = fg_exp(rho * burst->log_factor[last]);
    if (first == last || !(to > from))
        return (struct fg_lomax_factor){now, now};
    double mean = (integral_to(burst, to) - integral_to(burst, from)) / (to - from);
    return (struct fg_lomax_factor){fg_exp(rho * fg_log(mean)), now};
}
