/* pace.h - one host's patience: when it may be asked next
 *
 *     if (fg_pace_ready(&pace, now) <= now) { fg_pace_started(&host, now); ...ask it... }
 *     ...
 *     fg_pace_finished(&pace, now, &answer);
 *
 * A state machine without I/O; polite.c runs it. Three things hold a host's next request
 * back, and the longest wins:
 * - the delay: ours, or the Crawl-delay of its robots.txt if that is longer, counted from
 *   the start of the previous request and, where only one request may be open, from its
 *   end: so the host itself never sees two requests closer together than that, however
 *   long each was on its way;
 * - its slowness: when answers take more than twice as long as they used to, the delay
 *   grows in proportion, up to ten times;
 * - back-off: after 429 or 503, three failures in a row, or a flood that was cut off, 60
 * s doubling to one day with 10 % jitter, at least what Retry-After asks for, forgiven
 * after 30 quiet minutes; four good answers in a row take back a doubling, and a host
 * that names the time and has answered since the last back-off is taken at its word.
 *   Answers to requests that were open when it began do not double it. Where the host has
 *   not asked for it but was found failing, a good answer of a page that announces new
 *   ones ends it sooner: some of its pages fail, not the host.
 *   While nobody answers, which is our trouble, it is five minutes at most. */
#ifndef FG_CRAWL_PACE_H
#define FG_CRAWL_PACE_H

#include "base/rng.h"
#include "base/str.h"
#include "base/time.h"
#include "net/http/fetch.h"

#include <stdbool.h>
#include <stdint.h>

struct fg_pace_rules {
    fg_time delay;           /* between two requests to one host */
    unsigned concurrency;    /* open requests at once */
    fg_time address_delay;   /* between two requests to one address: shared_pace.h */
    bool shares_loopback;    /* also of this machine */
    fg_time most_slowing;    /* slowness alone makes the delay no longer than this */
    fg_time backoff_first;   /* 60 s */
    fg_time backoff_most;    /* one day */
    fg_time backoff_forgive; /* 30 min */
    fg_time retry_most;      /* a Retry-After beyond this counts as this: 30 days */
    double backoff_jitter;   /* 0.1 */
};

struct fg_pace_rules fg_pace_defaults(void);
/* On loopback one machine plays many; who sets a distance means it there, too. */
void fg_pace_share_loopback(struct fg_pace_rules *rules);

/* What must survive a restart; the rest is learnt again. */
struct fg_pace_memory {
    fg_time last_request;  /* FG_NEVER: none yet */
    fg_time crawl_delay;   /* of robots.txt, or 0 */
    fg_time backoff_until; /* FG_NEVER: none */
    uint16_t backoff_step; /* 0: none */
};

struct fg_pace {
    const struct fg_pace_rules *rules;
    struct fg_pace_memory memory;
    unsigned in_flight, failures_in_row;
    unsigned unheard;                  /* failures in a row that were ours */
    unsigned good_in_row;              /* since the last back-off */
    double latency_s, usual_latency_s; /* smoothed; 0: not known yet */
    fg_time last_answer, last_success; /* FG_NEVER: none yet */
    bool was_told; /* the back-off is what the host asked for, or that is not known */
    struct fg_rng rng;
};

/* With memory from an earlier run, the host is taken to have been asked just now: the
 * request that the crash swallowed may have been a moment ago. */
void fg_pace_init(struct fg_pace *pace, const struct fg_pace_rules *rules,
                  const struct fg_pace_memory *memory /* or NULL */, fg_time now,
                  uint64_t seed);

/* The earliest time the next request may start; INT64_MAX while it has to wait for an
 * answer. */
fg_time fg_pace_ready(const struct fg_pace *pace, fg_time now);

void fg_pace_started(struct fg_pace *pace, fg_time now);
/* It went out later than that. */
void fg_pace_sent(struct fg_pace *pace, fg_time when);

struct fg_pace_answer {
    unsigned status;     /* HTTP, 0: no answer */
    bool failed;         /* timeout, refused, cut short: the host's trouble */
    bool was_shut;       /* it kept a thread at work: once is enough */
    fg_time took;        /* from the request to the first byte of the answer */
    fg_time retry_after; /* a span, or FG_NEVER */
    bool announces;      /* the page is a seed, a feed or another source */
    bool is_ours;        /* nobody answers: our own trouble, see outage.h */
};

struct fg_pace_answer fg_pace_answer_of(const struct fg_response *response, fg_time now);

/* Returns true if the memory changed in a way that must be saved. */
bool fg_pace_finished(struct fg_pace *pace, fg_time now,
                      const struct fg_pace_answer *answer);

/* What is held against a host, to be put back when it turns out that failures were ours.
 */
struct fg_pace_grudge {
    fg_time backoff_until;
    uint16_t backoff_step;
    unsigned failures_in_row;
};
struct fg_pace_grudge fg_pace_grudge(const struct fg_pace *pace);
void fg_pace_put_back(struct fg_pace *pace, struct fg_pace_grudge before);

/* The delay in force, for people. */
fg_time fg_pace_delay(const struct fg_pace *pace);

/* Retry-After: seconds or an HTTP date (RFC 9110, 10.2.3), as a span from now,
 * between none and a year; FG_NEVER if it is neither. */
fg_time fg_retry_after_parse(struct fg_str value, fg_time now);

#endif
