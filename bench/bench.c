#include "bench.h"

#include "base/time.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile uint64_t sink;

double bench_seconds(void (*work)(void *context), void *context)
{
    enum { ROUNDS = 5 };
    double best = 1e300, total = 0;
    for (int i = 0; i < ROUNDS || total < 0.5; i++) {
        fg_time start = fg_time_monotonic();
        work(context);
        double took = fg_seconds(fg_time_monotonic() - start);
        best = took < best ? took : best;
        total += took;
    }
    return best > 1e-9 ? best : 1e-9;
}

void bench_rate(const char *what, double per_second, const char *unit)
{
    static const char *const scales[] = {"", "k", "M", "G"};
    size_t scale = 0;
    for (; scale < 3 && per_second >= 1000; scale++)
        per_second /= 1000;
    bool is_bytes = unit[0] == 'B' && unit[1] == '\0'; /* "MB", but "M decisions" */
    printf("%-44s %9.2f %s%s%s/s\n", what, per_second, scales[scale],
           is_bytes || !scale ? "" : " ", unit);
}

void bench_ratio(const char *what, const char *peer, double ratio, double asked)
{
    printf("%-44s %9.2f times %s", what, ratio, peer);
    if (asked > 0)
        printf(" (asked %g: %s)", asked, ratio >= asked ? "reached" : "NOT reached");
    printf("\n");
}

void bench_use(uint64_t value)
{
    sink ^= value;
}

double bench_cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

double bench_python(const char *program)
{
    char command[4096];
    double number = 0;
    snprintf(command, sizeof command,
             "command -v /usr/bin/python3 >/dev/null && p=/usr/bin/python3 || p=python3; "
             "$p -c '%s' 2>/dev/null",
             program);
    FILE *python = popen(command, "r");
    if (python && fscanf(python, "%lf", &number) != 1)
        number = 0;
    if (python)
        pclose(python);
    return number;
}

void bench_must(enum fg_status st, const struct fg_err *err)
{
    if (!st)
        return;
    fprintf(stderr, "%s\n", err->text);
    exit(1);
}
