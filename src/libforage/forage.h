/* forage.h - Forage's policies as a scheduler for any crawler: libforage
 *
 *     struct forage_error error;
 *     struct forage_scheduler *s = forage_new("link-types", NULL, 1, &error);
 *     forage_set(s, "delay", 1.0, &error);
 *     forage_add(s, "https://news.example/", NULL, now, &error);
 *     struct forage_lease leases[100];
 *     size_t n = forage_next(s, now, 100, 0, leases);
 *     ...fetch leases[i].page, not before leases[i].not_before; then tell what it
 * shows... struct forage_visit visit = {.outcome = FORAGE_OK_VISIT, .links = links,
 *                                  .n_links = n_links};
 *     forage_report(s, now, leases[i].number, &visit);
 *     forage_free(s);
 *
 * It only chooses. It reads no clock, no file and no network: every time is an argument,
 * in microseconds since 1970. Pages have names, which usually are URLs; pages with the
 * same site (of an URL: scheme, host and port) share a delay. A page that was handed out
 * is leased: after its deadline it may be handed out again, and a report counts once.
 * docs/scheduler.md tells what is handed out, and why.
 *
 * A handle belongs to one thread at a time; handles know nothing of each other. Texts end
 * in NUL. Numbers below zero that are returned are codes of enum forage_code. An error
 * may be NULL. When there is no memory left, the process ends with a message. */
#ifndef FORAGE_H
#define FORAGE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FORAGE_API __attribute__((visibility("default")))

#define FORAGE_NEVER INT64_MIN

enum forage_code {
    FORAGE_EINPUT = -1,   /* a text or bytes that make no sense */
    FORAGE_ECONFIG = -2,  /* no such policy or parameter, or a value out of its range */
    FORAGE_ELIMIT = -3,   /* too long, or too many */
    FORAGE_ENOTFOUND = -4 /* nobody knows such a page or site */
};

struct forage_error {
    int code; /* of enum forage_code */
    char text[508];
};

struct forage_scheduler; /* opaque */

FORAGE_API const char *forage_version(void); /* "0.1.0" */

/* The policies, one after the other from 0; NULL after the last. */
FORAGE_API const char *forage_policy_name(size_t number);
FORAGE_API const char *forage_policy_summary(size_t number);

/* One of your own, described in forage_plugin.h, beside them; it must stay where it is.
 * Before there are threads. 0, or a code. */
struct forage_plugin;
FORAGE_API int forage_add_policy(const struct forage_plugin *plugin,
                                 struct forage_error *error);

/* `parameters` of the policy as "alpha=0.5,beta=2", or NULL. The same seed and the same
 * calls give the same choices. NULL on failure. */
FORAGE_API struct forage_scheduler *forage_new(const char *policy, const char *parameters,
                                               uint64_t seed, struct forage_error *error);
FORAGE_API void forage_free(struct forage_scheduler *s);

/* What holds for all sites, at any time:
 *     delay        seconds from one page of a site to the next (1)
 *     lease        seconds that a fetcher has for a page (600)
 *     explore      share of what is handed out that is sampled from the stock (0.2)
 *     only-added   1: links that are found are told, and not handed out (0)
 *     whole-stock  1: every page that is found is wanted (0)
 * 0, or a code. */
FORAGE_API int forage_set(struct forage_scheduler *s, const char *name, double value,
                          struct forage_error *error);

/* 1 if it is to be handed out from now on, 0 if it was before, or a code. `site` may be
 * NULL. */
FORAGE_API int forage_add(struct forage_scheduler *s, const char *page, const char *site,
                          int64_t now, struct forage_error *error);

enum forage_why { FORAGE_ADDED, FORAGE_NEW, FORAGE_SAMPLE, FORAGE_REVISIT };

struct forage_lease {
    uint64_t number;         /* of the lease, from 1 */
    const char *page, *site; /* until the next call that changes something */
    int64_t not_before;      /* when the site may be asked */
    int64_t deadline;        /* until then a report is waited for */
    int32_t why;             /* of enum forage_why */
    float score;             /* of a revisit, as the policy has it */
    float probability;       /* with which it was chosen; 0: unknown */
    int32_t explored;        /* 1: to learn rather than to gain */
};

/* At most `n` pages (10,000); returns how many. Of a site with a delay only as many as
 * may be fetched up to `ahead` microseconds from now, an hour at most. */
FORAGE_API size_t forage_next(struct forage_scheduler *s, int64_t now, size_t n,
                              int64_t ahead, struct forage_lease *out);
/* When it is worth calling forage_next again; FORAGE_NEVER: not before a report or a page
 * added. */
FORAGE_API int64_t forage_wait(const struct forage_scheduler *s, int64_t now);

enum forage_outcome {
    FORAGE_OK_VISIT,
    FORAGE_UNCHANGED, /* it shows what it did before, links included */
    FORAGE_FAILED,    /* try again later */
    FORAGE_DEAD       /* never try again */
};

struct forage_visit {
    int32_t outcome;    /* of enum forage_outcome */
    int32_t changed;    /* 1: since the last visit; also if `content` differs from then */
    uint64_t content;   /* a hash of what counts of it; 0: not told */
    int32_t is_partial; /* 1: not all of its links are told */
    const char *const *links; /* names of all pages that it shows */
    size_t n_links;           /* at most 20,000 */
    uint8_t *is_new; /* NULL, or room for one a link: 1 if nobody had named it before */
    size_t n_new;    /* set: how many are new */
};

enum forage_fate {
    FORAGE_COUNTED,
    FORAGE_OLD,    /* it counted before, or the page was handed out again since */
    FORAGE_UNKNOWN /* there was no such lease */
};

/* One of enum forage_fate, or FORAGE_EINPUT. */
FORAGE_API int forage_report(struct forage_scheduler *s, int64_t now, uint64_t lease,
                             struct forage_visit *visit);

/* Never handed out, or again (0). 0, or FORAGE_ENOTFOUND. */
FORAGE_API int forage_block(struct forage_scheduler *s, const char *page, int is_blocked);
FORAGE_API int forage_block_site(struct forage_scheduler *s, const char *site,
                                 int is_blocked);
/* A delay of its own in seconds; negative: that of all. */
FORAGE_API int forage_delay_site(struct forage_scheduler *s, const char *site,
                                 double delay);

struct forage_counts {
    uint64_t pages, sites, waiting, sources, leases, dead, blocked;
    uint64_t handed_out, reports, failures, found; /* since it was made */
};
FORAGE_API void forage_count(const struct forage_scheduler *s,
                             struct forage_counts *counts);

/* Everything as bytes, leases included, for the same kind of machine; freed with
 * forage_free_bytes. NULL if it is too much. And back, with what forage_new was
 * given; what another policy had learnt is lost, what is known of pages is not. */
FORAGE_API unsigned char *forage_save(struct forage_scheduler *s, size_t *n);
FORAGE_API void forage_free_bytes(unsigned char *bytes);
FORAGE_API struct forage_scheduler *forage_restore(const char *policy,
                                                   const char *parameters, uint64_t seed,
                                                   const unsigned char *bytes, size_t n,
                                                   struct forage_error *error);

#ifdef __cplusplus
}
#endif

#endif
