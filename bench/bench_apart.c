/* What it costs to read pages in a process of their own (crawl/reading/apart.h) instead
 * of in the thread that fetched them. Processor time of both processes: what else the
 * machine has to do then hardly counts, and neither does waiting. The two ways take
 * turns; of as many rounds the median is told, and the least and most of the difference.
 */
#include "bench.h"

#include "base/arena.h"
#include "base/buf.h"
#include "crawl/reading/apart.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 21, ROUND_BYTES = 3 << 20 };

static const char url[] = "https://news.example/2026/11/a-page.html";

struct job {
    struct fg_response response;
    struct fg_apart *apart; /* NULL: here */
    struct fg_arena arena;
    unsigned pages; /* of a round */
};

static double seconds_of_processor(const struct fg_apart *apart)
{
    struct timespec own;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
    return (double)own.tv_sec + 1e-9 * (double)own.tv_nsec + fg_apart_seconds(apart);
}

static void read_page(struct job *job, struct fg_apart *apart)
{
    struct fg_reading reading;
    struct fg_reading_rules rules = {.token = FG_STR("forage")};
    if (!apart)
        fg_reading_from(&reading, &job->arena, fg_str_from(url), &job->response, rules);
    else if (fg_apart_read(apart, &reading, &job->arena, fg_str_from(url), &job->response,
                           rules) != FG_APART_READ)
        exit(1);
    bench_use(reading.n_links + reading.text.len);
    fg_arena_reset(&job->arena);
}

/* Seconds for a page. */
static double round_of(struct job *job, struct fg_apart *apart)
{
    double began = seconds_of_processor(job->apart);
    for (unsigned i = 0; i < job->pages; i++)
        read_page(job, apart);
    return (seconds_of_processor(job->apart) - began) / job->pages;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void compare(struct job *job)
{
    double here[ROUNDS], apart[ROUNDS], more[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        here[i] = round_of(job, NULL);
        apart[i] = round_of(job, job->apart);
        more[i] = 100 * (apart[i] / here[i] - 1);
    }
    qsort(here, ROUNDS, sizeof *here, by_size);
    qsort(apart, ROUNDS, sizeof *apart, by_size);
    qsort(more, ROUNDS, sizeof *more, by_size);
    printf("a page of %zu KB: %.0f us here, %.0f us apart, %+.0f us: %+.0f %% (%+.0f to "
           "%+.0f)\n",
           job->response.body.len >> 10, here[ROUNDS / 2] * 1e6, apart[ROUNDS / 2] * 1e6,
           (apart[ROUNDS / 2] - here[ROUNDS / 2]) * 1e6, more[ROUNDS / 2],
           more[ROUNDS / 10], more[ROUNDS - 1 - ROUNDS / 10]);
    fflush(stdout);
}

static struct fg_str page_of(struct fg_arena *arena, size_t bytes)
{
    struct fg_buf page;
    fg_buf_init(&page, bytes + 4096);
    fg_buf_add(&page,
               FG_STR("<!DOCTYPE html><html lang=en><title>A page of news</title>"));
    for (int i = 0; page.len < bytes; i++)
        fg_buf_printf(
            &page,
            "<div class=item><h2><a href=/2026/11/%d-story.html>Story number %d "
            "of this list</a></h2><p>Some words that say what happened, to whom "
            "and why, as a teaser of number %d does; it goes on for a while, and "
            "then it ends.<br>By <span class=author>A. Writer</span></p></div>\n",
            i, i, i);
    struct fg_str kept = fg_arena_dup(arena, fg_buf_str(&page));
    fg_buf_clear(&page);
    return kept;
}

int main(int argc, char **argv)
{
    static const size_t sizes[] = {8 << 10, 30 << 10, 120 << 10, 500 << 10, 2 << 20};
    if (argc == 3 && strcmp(argv[1], FG_APART_COMMAND) == 0)
        return fg_apart_serve(argv[2]);
    struct fg_arena pages = {0};
    struct fg_err err = {0};
    struct job job = {0};
    if (fg_apart_new(&job.apart, &(struct fg_apart_options){0}, &err)) {
        puts(err.text);
        return 1;
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        job.response =
            (struct fg_response){.outcome = FG_FETCHED,
                                 .status = 200,
                                 .url = fg_str_from(url),
                                 .headers = FG_STR("content-type: text/html\r\n"),
                                 .body = page_of(&pages, sizes[i])};
        job.pages = (unsigned)(ROUND_BYTES / sizes[i]) + 1;
        compare(&job);
    }
    fg_apart_free(job.apart);
    fg_arena_clear(&job.arena);
    fg_arena_clear(&pages);
    return 0;
}
