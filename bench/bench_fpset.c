/* The fingerprint set at 10 million keys, and at 100 million with FORAGE_BENCH_LARGE=1,
 * beside base/map.h and beside what memory allows: reading random places of an array of
 * the same size, each after the one before (one by one) or all at once (batches). Also
 * what a key costs in bytes, at the worst moment of the growth, and the longest pause.
 * Times are the processor's: a pass takes seconds, long enough for others to interfere.
 */
#include "bench.h"

#include "base/fpset.h"
#include "base/map.h"
#include "base/rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 1024 };

struct subject {
    size_t n;
    struct fg_fpset set;
    struct fg_map map;
    uint64_t *array;
    size_t len; /* of the array */
};

static size_t resident_bytes(void)
{
    size_t all = 0, resident = 0;
    FILE *f = fopen("/proc/self/statm", "re");
    if (f && fscanf(f, "%zu %zu", &all, &resident) != 2)
        resident = 0;
    if (f)
        fclose(f);
    return resident * (size_t)sysconf(_SC_PAGESIZE);
}

static void draw_keys(struct fg_rng *rng, uint64_t keys[BATCH])
{
    for (size_t i = 0; i < BATCH; i++)
        keys[i] = fg_rng_next(rng);
}

/* Once through the growth: the largest cost of a key from a million on, by our count and
 * by the system's, and the longest insertion. */
static void watch_growth(struct subject *s)
{
    struct fg_rng rng = fg_rng_from_seed(1);
    uint64_t keys[BATCH];
    size_t before = resident_bytes();
    double counted = 0, resident = 0, longest = 0;
    for (size_t n = 0; n < s->n; n += BATCH) {
        draw_keys(&rng, keys);
        for (size_t i = 0; i < BATCH; i++) {
            const struct fg_fpset_shard *shard = &s->set.shards[fg_fpset_shard(keys[i])];
            uint32_t room = shard->room;
            double start =
                shard->len * 8.0 >= shard->span * 7.0 ? bench_cpu_seconds() : 0;
            fg_fpset_add(&s->set, keys[i]);
            if (shard->room > room && start > 0)
                longest = fmax(longest, bench_cpu_seconds() - start);
        }
        if (n >= 1000000 && n / BATCH % 16 == 0) {
            double len = (double)fg_fpset_len(&s->set);
            double own = (double)fg_fpset_bytes(&s->set) / len;
            double real = ((double)resident_bytes() - (double)before) / len;
            counted = own > counted ? own : counted;
            resident = real > resident ? real : resident;
        }
    }
    double len = (double)fg_fpset_len(&s->set);
    printf("%-44s %9.2f (resident %.2f)\n", "bytes a key, worst from 1 M on", counted,
           resident);
    printf("%-44s %9.2f (resident %.2f)\n", "bytes a key, now",
           (double)fg_fpset_bytes(&s->set) / len,
           ((double)resident_bytes() - (double)before) / len);
    printf("%-44s %9.2f ms\n", "longest insertion", longest * 1e3);
}

/* Each takes the stream of keys through one operation and returns seconds a key. */
#define TIMED(name, seed, operation)                \
    static double name(struct subject *s)           \
    {                                               \
        struct fg_rng rng = fg_rng_from_seed(seed); \
        uint64_t keys[BATCH], sum = 0;              \
        double spent = 0;                           \
        for (size_t n = 0; n < s->n; n += BATCH) {  \
            draw_keys(&rng, keys);                  \
            double start = bench_cpu_seconds();     \
            operation;                              \
            spent += bench_cpu_seconds() - start;   \
        }                                           \
        bench_use(sum);                             \
        return spent / (double)s->n;                \
    }
#define EACH_KEY for (size_t i = 0; i < BATCH; i++)

static size_t place(const struct subject *s, uint64_t key)
{
    return (size_t)((unsigned __int128)key * s->len >> 64);
}

TIMED(set_adds, 1, EACH_KEY sum += fg_fpset_add(&s->set, keys[i]))
TIMED(set_batch_adds, 1, sum += fg_fpset_add_many(&s->set, keys, BATCH, NULL))
TIMED(set_hits, 1, EACH_KEY sum += fg_fpset_has(&s->set, keys[i]))
TIMED(set_misses, 2, EACH_KEY sum += fg_fpset_has(&s->set, keys[i]))
TIMED(set_batch_hits, 1, sum += fg_fpset_has_many(&s->set, keys, BATCH, NULL))
TIMED(map_adds, 1, EACH_KEY *fg_map_put(&s->map, keys[i]) = 1)
TIMED(map_hits, 1, EACH_KEY sum += *fg_map_get(&s->map, keys[i]))
TIMED(chained_reads, 1, EACH_KEY sum += s->array[place(s, keys[i] + (sum & 1))])
TIMED(free_reads, 1, EACH_KEY sum += s->array[place(s, keys[i])])

static void show(const char *what, double seconds, const char *peer, double other)
{
    bench_rate(what, 1 / seconds, "keys");
    bench_ratio(what, peer, other / seconds, 0);
}

static void measure(struct subject *s)
{
    printf("-- %zu million keys\n", s->n / 1000000);
    watch_growth(s);
    s->len = fg_fpset_bytes(&s->set) / sizeof *s->array;
    s->array = malloc(s->len * sizeof *s->array);
    if (!s->array)
        return;
    for (size_t i = 0; i < s->len; i++)
        s->array[i] = i;
    double chained = chained_reads(s), together = free_reads(s);
    bench_rate("reads of memory, each after the one before", 1 / chained, "reads");
    bench_rate("reads of memory, all at once", 1 / together, "reads");
    free(s->array);

    show("look-ups, known", set_hits(s), "chained reads", chained);
    show("look-ups, unknown", set_misses(s), "chained reads", chained);
    show("look-ups in batches", set_batch_hits(s), "free reads", together);
    fg_fpset_clear(&s->set);
    double adds = set_adds(s);
    fg_fpset_clear(&s->set);
    double batch_adds = set_batch_adds(s), hits = set_batch_hits(s);
    fg_fpset_clear(&s->set);
    show("inserts, growing from nothing", adds, "chained reads", chained);
    show("inserts in batches, growing", batch_adds, "free reads", together);
    double put = map_adds(s), got = map_hits(s);
    fg_map_clear(&s->map);
    bench_ratio("inserts", "base/map.h", put / adds, 0);
    bench_ratio("inserts in batches", "base/map.h", put / batch_adds, 0);
    bench_ratio("look-ups in batches", "base/map.h", got / hits, 0);
}

int main(void)
{
    static struct subject small = {.n = 10000000}, large = {.n = 100000000};
    const char *flag = getenv("FORAGE_BENCH_LARGE");
    measure(&small);
    if (flag && *flag == '1')
        measure(&large);
    return 0;
}
