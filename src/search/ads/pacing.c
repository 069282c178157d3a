#include "search/ads/pacing.h"

#include "search/ads/formulas.h"

void fg_pacing_step(struct fg_market *m, double left, double step)
{
    float *spend = m->advertisers.column[FG_PACING_SPEND];
    for (size_t i = 0; i < m->advertisers.n; i++) {
        struct fg_purse *purse = &m->advertisers.purse[i];
        double expected = spend[i], price = 1 - (double)purse->keep;
        spend[i] = 0;
        if (m->advertisers.budget[i] == FG_NO_BUDGET || !(left > 0) ||
            (expected <= 0 && price <= 0))
            continue;
        double target = purse->remaining / (FG_ADS_SLICES * left);
        purse->keep = (float)(1 - fg_ads_price_step(price, step, expected, target));
    }
}
