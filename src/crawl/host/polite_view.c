#include "crawl/host/polite_parts.h"

#include "net/robots/robots.h"
#include "net/url/canonical.h"

const char *fg_ask_end_name(enum fg_ask_end end)
{
    static const char *const names[] = {
        [FG_ASK_ANSWERED] = "answered", [FG_ASK_ROBOTS] = "robots",
        [FG_ASK_HELD] = "held",         [FG_ASK_REDIRECTS] = "redirects",
        [FG_ASK_LOCATION] = "location", [FG_ASK_RULES] = "rules",
        [FG_ASK_STOPPED] = "stopped",
    };
    return names[end];
}

struct host *polite_find(const struct fg_polite *polite, struct fg_str key)
{
    const uint64_t *slot = fg_names_get(&polite->by_key, key);
    return slot ? polite->hosts.at[*slot - 1] : NULL;
}

size_t fg_polite_in_flight(const struct fg_polite *polite)
{
    return polite->in_flight;
}

size_t fg_polite_waiting(const struct fg_polite *polite, struct fg_str key)
{
    if (!key.at)
        return polite->waiting + polite->ended.len;
    const struct host *host = polite_find(polite, key);
    return host ? host->queue.len : 0;
}

fg_time fg_polite_outage(const struct fg_polite *polite)
{
    return polite->outage.is_on ? polite->outage.since : FG_NEVER;
}

bool fg_polite_view(const struct fg_polite *polite, struct fg_str key,
                    struct fg_host_view *view)
{
    const struct host *host = polite_find(polite, key);
    if (!host)
        return false;
    fg_time now = fg_clock_now(polite->clock);
    *view = (struct fg_host_view){
        .next_request = fg_pace_ready(&host->pace, now),
        .delay = fg_pace_delay(&host->pace),
        .backoff_until = host->pace.memory.backoff_until,
        .robots_expires = host->robots.expires,
        .robots_verdict = host->robots.use,
        .in_flight = host->pace.in_flight,
        .waiting = host->queue.len,
        .requests = host->requests,
        .not_modified = host->not_modified,
        .bytes = host->bytes,
        .robots = host->robots.text,
        .robots_trouble = host->robots.trouble,
        .robots_outcome = host->robots.outcome,
        .robots_status = host->robots.status,
    };
    return true;
}

const struct fg_robots *fg_polite_rules(const struct fg_polite *polite, struct fg_str key)
{
    const struct host *host = polite_find(polite, key);
    return host ? host->robots.rules : NULL;
}

size_t fg_polite_sitemaps(const struct fg_polite *polite, struct fg_str key,
                          const struct fg_str **urls)
{
    const struct fg_robots *rules = fg_polite_rules(polite, key);
    size_t n = 0;
    *urls = rules ? fg_robots_sitemaps(rules, &n) : NULL;
    return n;
}

bool fg_answer_is_of_page(const struct fg_answer *answer)
{
    const struct fg_response *response = answer->response;
    if (answer->end != FG_ASK_ANSWERED)
        return true;
    switch (response->outcome) {
    case FG_FETCH_DNS:
    case FG_FETCH_CONNECT:
    case FG_FETCH_TLS:
    case FG_FETCH_FORBIDDEN:
    case FG_FETCH_STOPPED:
        return false;
    default:
        return response->status != 429 && response->status != 503;
    }
}

bool fg_answer_has_page(const struct fg_answer *answer)
{
    return answer->end == FG_ASK_ANSWERED && answer->response->outcome == FG_FETCHED &&
           answer->response->status >= 200 && answer->response->status <= 299;
}
