#include "crawl/allowance.h"

#include "crawl/sites/site.h"
#include "crawl/state.h"

#include <math.h>

bool allowance_is_limited(const struct fg_crawl *crawl)
{
    return crawl->options.budget.per_hour > 0;
}

double allowance_a_tick(const struct fg_crawl *crawl, double per_hour)
{
    return per_hour * fg_hours(crawl->options.budget.tick);
}

double allowance_ticks_passed(const struct fg_crawl *crawl, fg_time now)
{
    static const double most = MOST_TICKS;
    double passed =
        (double)(now - crawl->budget.tick_started) / (double)crawl->options.budget.tick;
    return fmin(fmax(passed, 0), most);
}

double allowance_refill(const struct fg_crawl *crawl, double left, double fresh)
{
    double ticks = crawl->budget.ticks_passed;
    return fmin(left + ticks * fresh, fmax((1 + ticks) * fresh, 2));
}

size_t allowance_whole(double allowance)
{
    return allowance >= 1e9 ? (size_t)1e9 : allowance < 1 ? 0 : (size_t)allowance;
}

double allowance_share(double allowance, double share)
{
    return isinf(allowance) ? INFINITY : fmax(allowance, 0) * share;
}

bool allowance_is_quiet(const struct site *site, fg_time now)
{
    fg_time since = site->counts.last_discovery == FG_NEVER ? site->added
                                                            : site->counts.last_discovery;
    return now - since > FG_DAY;
}

double allowance_of_documents(struct fg_crawl *crawl)
{
    double fresh =
        allowance_a_tick(crawl, crawl->options.budget.per_hour) * FG_DOCUMENTS_FOR_SURE;
    double n = (double)fg_mind_world(crawl->minds.refresh)->n;
    crawl->budget.documents =
        allowance_is_limited(crawl)
            ? allowance_refill(crawl, crawl->budget.documents, fresh)
            : INFINITY;
    return allowance_is_limited(crawl)
               ? fmax(fmin(fmin(crawl->budget.documents, n), crawl->budget.all), 0)
               : 0;
}

double allowance_of_host(const struct fg_crawl *crawl, const struct site *site)
{
    struct fg_host_view view;
    fg_time delay = crawl->options.pace.delay;
    if (fg_polite_view(crawl->polite, fg_str_from(site->key), &view) &&
        view.delay > delay)
        delay = view.delay;
    return delay > 0 ? (double)crawl->options.budget.tick / (double)delay : INFINITY;
}
