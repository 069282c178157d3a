#include "search/ads/paced.h"

/* m0 and k0 from the counts. */
static void learn(struct fg_market *m)
{
    double *self = m->self, m0 = self[FG_PACED_L1] / self[FG_PACED_C1];
    double spread = m0 * self[FG_PACED_L2] / self[FG_PACED_C2] - m0 * m0;
    spread = fmax(spread, 0.05 * m0 * m0);
    self[FG_PACED_M0] = m0;
    self[FG_PACED_K0] = fmin(fmax(m0 * (1 - m0) / spread - 1, 3), 300);
}

void fg_paced_init(struct fg_market *m)
{
    m->self[FG_PACED_C1] = 30;
    m->self[FG_PACED_L1] = 0.9;
    m->self[FG_PACED_C2] = 20;
    m->self[FG_PACED_L2] = 1.5;
    learn(m);
}

void fg_paced_slice(struct fg_market *m, double left)
{
    learn(m);
    if (m->knob[FG_PACED_STEP] > 0)
        fg_pacing_step(m, left, m->knob[FG_PACED_STEP]);
}

double fg_paced_horizon(const struct fg_market *m, double queries)
{
    double days = m->knob[FG_PACED_HORIZON];
    if (m->horizon_days > 0 && m->horizon_days < days)
        days = m->horizon_days;
    return days * (queries + 1) / (m->days + 1 / m->mean_queries);
}

bool fg_paced_is_due(struct fg_market *m, size_t phrase)
{
    double q = m->phrases.queries[phrase] - 1.0, m0 = m->self[FG_PACED_M0],
           k0 = m->self[FG_PACED_K0];
    double at = m->phrases.column[FG_PACED_AT][phrase],
           at_m0 = m->phrases.column[FG_PACED_AT_M0][phrase],
           at_k0 = m->phrases.column[FG_PACED_AT_K0][phrase];
    if (q <= 1.1 * at && fabs(m0 - at_m0) <= 0.03 * at_m0 &&
        fabs(k0 - at_k0) <= 0.1 * at_k0)
        return false;
    m->phrases.column[FG_PACED_AT][phrase] = (float)q;
    m->phrases.column[FG_PACED_AT_M0][phrase] = (float)m0;
    m->phrases.column[FG_PACED_AT_K0][phrase] = (float)k0;
    return true;
}

void fg_paced_added(struct fg_market *m, size_t phrase, uint32_t place)
{
    (void)place;
    m->phrases.column[FG_PACED_AT_M0][phrase] = 0;
}

void fg_paced_count_display(struct fg_market *m, struct fg_ad_before before)
{
    m->self[FG_PACED_C1] += before.shown == 0;
    m->self[FG_PACED_C2] += before.shown == 1 && before.clicked == 1;
}

void fg_paced_count_click(struct fg_market *m, struct fg_ad_before before)
{
    m->self[FG_PACED_L1] += before.shown == 0;
    m->self[FG_PACED_L2] += before.shown == 1 && before.clicked == 1;
}
