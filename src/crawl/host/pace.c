#include "crawl/host/pace.h"

#include "net/text/date.h"

#include <math.h>

enum { FAILURES_BEFORE_BACKOFF = 3, MOST_SLOWDOWN = 10 };

/* Below this no answer is slow: on a fast network "ten times slower" is a hiccup. */
static const double least_latency_s = 0.05;

struct fg_pace_rules fg_pace_defaults(void)
{
    return (struct fg_pace_rules){
        .delay = 5 * FG_SECOND,
        .concurrency = 1,
        .address_delay = 100 * FG_MILLISECOND,
        .most_slowing = 5 * FG_MINUTE,
        .backoff_first = FG_MINUTE,
        .backoff_most = FG_DAY,
        .backoff_forgive = 30 * FG_MINUTE,
        .retry_most = 30 * FG_DAY,
        .backoff_jitter = 0.1,
    };
}

void fg_pace_share_loopback(struct fg_pace_rules *rules)
{
    rules->shares_loopback = rules->address_delay != fg_pace_defaults().address_delay;
}

void fg_pace_init(struct fg_pace *pace, const struct fg_pace_rules *rules,
                  const struct fg_pace_memory *memory, fg_time now, uint64_t seed)
{
    *pace = (struct fg_pace){
        .rules = rules,
        .memory = {.last_request = FG_NEVER, .backoff_until = FG_NEVER},
        .last_answer = FG_NEVER,
        .last_success = FG_NEVER,
        .rng = fg_rng_from_seed(seed),
    };
    if (!memory)
        return;
    pace->memory = *memory;
    pace->memory.last_request = now;
    pace->was_told = true;
    if (memory->backoff_until == FG_NEVER) {
        pace->memory.backoff_step = 0;
        return;
    }
    /* A clock that was set back must not turn a minute of back-off into a year: what was
     * left of it when it began is the most that can be left now. */
    fg_time most = now + rules->retry_most;
    if (memory->last_request > now)
        most = now + (memory->backoff_until - memory->last_request);
    if (pace->memory.backoff_until > most)
        pace->memory.backoff_until = most;
}

/* How many times slower than usual the host answers, if that is worth heeding. */
static double slowdown(const struct fg_pace *pace)
{
    double times = pace->latency_s / fmax(pace->usual_latency_s, least_latency_s);
    return times <= 2 ? 1 : fmin(times, MOST_SLOWDOWN);
}

fg_time fg_pace_delay(const struct fg_pace *pace)
{
    const struct fg_pace_rules *rules = pace->rules;
    fg_time asked = pace->memory.crawl_delay;
    fg_time delay = asked > rules->delay ? asked : rules->delay;
    double times = slowdown(pace);
    if (times <= 1)
        return delay;
    /* With no delay of our own, wait as long as the extra time its answers take. */
    fg_time extra =
        (fg_time)((pace->latency_s - pace->usual_latency_s) * (double)FG_SECOND);
    fg_time slow = (fg_time)fmin((double)delay * times, (double)rules->most_slowing);
    slow = slow > extra ? slow : extra;
    return slow > delay ? slow : delay;
}

fg_time fg_pace_ready(const struct fg_pace *pace, fg_time now)
{
    if (pace->in_flight >= pace->rules->concurrency)
        return INT64_MAX;
    fg_time ready = now, since = pace->memory.last_request;
    if (pace->rules->concurrency == 1 && pace->last_answer > since)
        since = pace->last_answer;
    if (since != FG_NEVER && since + fg_pace_delay(pace) > ready)
        ready = since + fg_pace_delay(pace);
    if (pace->memory.backoff_until != FG_NEVER && pace->memory.backoff_until > ready)
        ready = pace->memory.backoff_until;
    return ready;
}

void fg_pace_started(struct fg_pace *pace, fg_time now)
{
    pace->in_flight++;
    pace->memory.last_request = now;
}

void fg_pace_sent(struct fg_pace *pace, fg_time when)
{
    if (when > pace->memory.last_request)
        pace->memory.last_request = when;
}

static void learn_latency(struct fg_pace *pace, fg_time took)
{
    double seconds = fmax(fg_seconds(took), 1e-4);
    if (pace->latency_s <= 0) {
        pace->latency_s = pace->usual_latency_s = seconds;
        return;
    }
    pace->latency_s += 0.3 * (seconds - pace->latency_s);
    /* "Usual" follows improvements at once and deterioration over some fifty answers: a
     * host that has become slower for good is not punished for ever. */
    if (pace->latency_s < pace->usual_latency_s)
        pace->usual_latency_s = pace->latency_s;
    else
        pace->usual_latency_s += 0.02 * (pace->latency_s - pace->usual_latency_s);
}

static void hold_until(struct fg_pace *pace, fg_time until)
{
    if (pace->memory.backoff_until == FG_NEVER || until > pace->memory.backoff_until)
        pace->memory.backoff_until = until;
}

static bool is_quiet(const struct fg_pace *pace, fg_time now)
{
    return now - pace->memory.backoff_until >= pace->rules->backoff_forgive;
}

static fg_time with_jitter(struct fg_pace *pace, double wait)
{
    double jitter = pace->rules->backoff_jitter * (2 * fg_rng_unit(&pace->rng) - 1);
    return (fg_time)(wait * (1 + jitter));
}

static void back_off(struct fg_pace *pace, fg_time now, fg_time retry_after)
{
    const struct fg_pace_rules *rules = pace->rules;
    struct fg_pace_memory *memory = &pace->memory;
    pace->good_in_row = 0;
    bool is_backing_off = memory->backoff_step && memory->backoff_until > now;
    if (memory->backoff_step && pace->last_success > memory->backoff_until &&
        is_quiet(pace, now))
        memory->backoff_step = 0;
    /* It names the time, and gave us something since the last: that time is enough. */
    if (retry_after != FG_NEVER && pace->last_success > memory->backoff_until)
        memory->backoff_step = 0;
    if (!memory->backoff_step)
        pace->was_told = false;
    if (!is_backing_off) {
        if (memory->backoff_step < 32)
            memory->backoff_step++;
        double wait = (double)rules->backoff_first * exp2(memory->backoff_step - 1);
        hold_until(pace,
                   now + with_jitter(pace, fmin(wait, (double)rules->backoff_most)));
    }
    if (retry_after != FG_NEVER)
        hold_until(pace, now + (retry_after < rules->retry_most ? retry_after
                                                                : rules->retry_most));
}

/* What announces new pages is what a host serves most: if that is well, so is the host,
 * unless it said itself that it wants less. */
static bool is_proof(const struct fg_pace *pace, fg_time now,
                     const struct fg_pace_answer *answer)
{
    return answer->announces && answer->status < 400 && !pace->was_told &&
           now >= pace->memory.backoff_until;
}

/* A host that refuses one request in five is not down: good answers in a row take back
 * the doublings one by one. */
static bool ease(struct fg_pace *pace, fg_time now)
{
    enum { GOOD_IN_ROW = 4 };
    if (pace->memory.backoff_step < 2 || now < pace->memory.backoff_until ||
        ++pace->good_in_row < GOOD_IN_ROW)
        return false;
    pace->good_in_row = 0;
    pace->memory.backoff_step--;
    return true;
}

static bool forgive(struct fg_pace *pace, fg_time now,
                    const struct fg_pace_answer *answer)
{
    if (!pace->memory.backoff_step)
        return false;
    if (!is_quiet(pace, now) && !is_proof(pace, now, answer))
        return ease(pace, now);
    pace->memory.backoff_step = 0;
    pace->memory.backoff_until = FG_NEVER;
    return true;
}

/* 429 and 503 say it outright; a host that refuses or breaks and names a time to come
 * back means the same. */
static bool says_slow_down(const struct fg_pace_answer *answer)
{
    return answer->status == 429 || answer->status == 503 ||
           ((answer->status == 403 || answer->status >= 500) &&
            answer->retry_after != FG_NEVER);
}

/* The server is there and says that it failed; other pages it has given since the last
 * back-off. */
static bool is_of_pages(const struct fg_pace *pace, const struct fg_pace_answer *answer)
{
    return !answer->failed && !pace->was_told && pace->memory.backoff_step &&
           pace->last_success > pace->memory.backoff_until;
}

/* Try again before long, and hold nothing against the host. */
static void wait_it_out(struct fg_pace *pace, fg_time now)
{
    const fg_time most = 5 * FG_MINUTE;
    double wait = (double)pace->rules->backoff_first * exp2(pace->unheard);
    pace->unheard += pace->unheard < 16;
    hold_until(pace, now + with_jitter(pace, fmin(wait, (double)most)));
}

struct fg_pace_grudge fg_pace_grudge(const struct fg_pace *pace)
{
    return (struct fg_pace_grudge){.backoff_until = pace->memory.backoff_until,
                                   .backoff_step = pace->memory.backoff_step,
                                   .failures_in_row = pace->failures_in_row};
}

void fg_pace_put_back(struct fg_pace *pace, struct fg_pace_grudge before)
{
    pace->memory.backoff_until = before.backoff_until;
    pace->memory.backoff_step = before.backoff_step;
    pace->failures_in_row = before.failures_in_row;
    pace->unheard = 0;
}

bool fg_pace_finished(struct fg_pace *pace, fg_time now,
                      const struct fg_pace_answer *answer)
{
    if (pace->in_flight)
        pace->in_flight--;
    pace->last_answer = now;
    if (answer->is_ours) {
        wait_it_out(pace, now);
        return true;
    }
    if (says_slow_down(answer)) {
        pace->failures_in_row = 0;
        back_off(pace, now, answer->retry_after);
        pace->was_told = true;
        return true;
    }
    if (answer->failed || answer->status >= 500) {
        if (++pace->failures_in_row < FAILURES_BEFORE_BACKOFF && !answer->was_shut)
            return false;
        if (is_of_pages(pace, answer))
            pace->memory.backoff_step = 0; /* a pause, no more */
        back_off(pace, now, FG_NEVER);
        return true;
    }
    if (!answer->status)
        return false; /* we gave up, not the host: that teaches nothing about it */
    pace->failures_in_row = 0;
    pace->last_success = now;
    learn_latency(pace, answer->took);
    return forgive(pace, now, answer);
}

fg_time fg_retry_after_parse(struct fg_str value, fg_time now)
{
    enum { MOST_SECONDS = 365 * 86400 };
    const fg_time most = MOST_SECONDS * FG_SECOND;
    uint64_t seconds;
    value = fg_str_trim(value);
    size_t digits = 0;
    while (digits < value.len && fg_is_digit(value.at[digits]))
        digits++;
    if (digits == value.len && digits)
        return fg_str_to_u64(value, &seconds) && seconds <= MOST_SECONDS
                   ? (fg_time)seconds * FG_SECOND
                   : most;
    if (digits)
        return FG_NEVER; /* "1.5", "10s": neither seconds nor a date */
    fg_time until = fg_date_parse(value);
    if (until == FG_NEVER)
        return FG_NEVER;
    return until <= now ? 0 : until - now < most ? until - now : most;
}

/* --- what an answer says of its host --- */

static bool is_hosts_trouble(const struct fg_response *response)
{
    switch (response->outcome) {
    case FG_FETCH_DNS:
    case FG_FETCH_CONNECT:
    case FG_FETCH_TLS:
    case FG_FETCH_TIMEOUT:
    case FG_FETCH_BROKEN:
        return true;
    default:
        return false;
    }
}

/* Half a 503 is a 503. */
static unsigned known_status(const struct fg_response *r)
{
    bool is_clear = r->outcome == FG_FETCHED || r->status == 429 || r->status == 503;
    return is_clear ? r->status : 0;
}

struct fg_pace_answer fg_pace_answer_of(const struct fg_response *response, fg_time now)
{
    return (struct fg_pace_answer){
        .status = known_status(response),
        .failed = is_hosts_trouble(response),
        .was_shut = response->was_shut,
        .took = response->first_byte,
        .retry_after =
            fg_retry_after_parse(fg_response_header(response, "Retry-After", 0), now),
    };
}
