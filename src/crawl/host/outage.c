#include "crawl/host/outage.h"

enum { ENOUGH = 3, LEAST = 2 };

bool fg_outage_is_silence(const struct fg_response *response)
{
    return response->outcome == FG_FETCH_DNS || response->outcome == FG_FETCH_CONNECT ||
           (response->outcome == FG_FETCH_TIMEOUT && !response->status &&
            !response->wire_bytes);
}

bool fg_outage_fails(struct fg_outage *outage, struct fg_outage_host *host, fg_time now)
{
    host->window = outage->window + 1; /* 0: never */
    if (host->answers) {
        host->answers = false;
        outage->answering--;
        outage->silent++;
    }
    if (!outage->is_on &&
        (outage->silent >= ENOUGH || (outage->silent >= LEAST && !outage->answering))) {
        outage->is_on = true;
        outage->since = now;
    }
    return outage->is_on;
}

bool fg_outage_answers(struct fg_outage *outage, struct fg_outage_host *host)
{
    bool has_ended = outage->is_on;
    outage->answering += !host->answers;
    host->answers = true;
    outage->silent = 0;
    outage->is_on = false;
    outage->window++;
    return has_ended;
}

bool fg_outage_covered(const struct fg_outage *outage, const struct fg_outage_host *host)
{
    return host->window == outage->window;
}

bool fg_outage_covers(const struct fg_outage *outage, const struct fg_outage_host *host)
{
    return host->window == outage->window + 1;
}
