/* bench.h - figures as ratios within one run
 *
 *     double ours = bench_seconds(extract_all, &pages), theirs = bench_seconds(gumbo_all,
 * &pages); bench_ratio("link extraction", "gumbo", theirs / ours, 8);
 *
 * Machines are noisy: each measurement is the best of several rounds, and what is
 * reported is a ratio to a peer or a limit measured beside it. */
#ifndef FG_BENCH_H
#define FG_BENCH_H

#include "base/err.h"
#include "base/str.h"

/* The fastest of at least five rounds and at least 0.5 s in all of `work(context)`, in
 * seconds a round. */
double bench_seconds(void (*work)(void *context), void *context);

/* A rate for the record: "robots decisions 12.3 M/s". */
void bench_rate(const char *what, double per_second, const char *unit);

/* How many times as fast as `peer`; `asked` is the figure aimed at, 0 for none. */
void bench_ratio(const char *what, const char *peer, double ratio, double asked);

/* CPU time of this thread so far. */
double bench_cpu_seconds(void);

/* The number that a Python program prints, with the Debian python3 if it is there: it has
 * the Debian numpy. 0 if it cannot be run. */
double bench_python(const char *program);

/* Ends the benchmark with the message unless all went well. */
void bench_must(enum fg_status st, const struct fg_err *err);

/* Keep the compiler from dropping work whose result nobody reads. */
void bench_use(uint64_t value);

#endif
