/* A result page with promotion and advertisements beside the plain one: 100,000 pages
 * (DOCUMENTS), a fifth of them with feedback, ten ads for every query. Both pages are
 * made as the server makes them, from the question to the JSON, in turns of a hundred.
 * Asked: at most 1.3 times the plain one. */
#include "base/file.h"
#include "base/rng.h"
#include "base/time.h"
#include "bench.h"
#include "search/feedback.h"
#include "view/render.h"
#include "view/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { QUERIES = 100, ROUNDS = 20, WORDS = 20000, BATCH = 500 };
enum { ADVERTISERS = 100, ADS = 10 }; /* in all, and of a query */

static size_t documents = 100000;
static char folder[] = "/tmp/forage-bench-XXXXXX";
static struct fg_rng rng;
static struct fg_str queries[QUERIES];

/* --- what is searched --- */

/* Words by a law like that of language: the x-th has a share of about 1/x. */
static void add_word(struct fg_buf *text)
{
    static const char syllables[][4] = {"ba", "den", "fi", "gor", "hu", "jal",
                                        "ke", "lim", "mo", "nur", "pa", "ros",
                                        "ti", "vun", "wo", "zet"};
    uint64_t word =
        fg_rng_below(&rng, 1 + fg_rng_below(&rng, 1 + fg_rng_below(&rng, WORDS)));
    for (uint64_t left = word + 16; left; left /= 16)
        fg_buf_printf(text, "%s", syllables[left % 16]);
    fg_buf_add_char(text, ' ');
}

static void make_pages(struct fg_err *err)
{
    struct fg_store *store;
    struct fg_buf text;
    uint64_t last = 0;
    fg_buf_init(&text, 1 << 16);
    bench_must(fg_store_open(&store, folder, NULL, err), err);
    for (size_t i = 1; i <= documents; i++) {
        char url[64];
        fg_page_id page = (fg_page_id)i;
        int len = snprintf(url, sizeof url, "https://a.example/%zu", i);
        struct fg_batch *batch = fg_batch_new(store);
        text.len = 0;
        for (uint64_t n = 80 + fg_rng_below(&rng, 240); n; n--)
            add_word(&text);
        struct fg_str body = fg_buf_str(&text), title = fg_str_sub(body, 0, 30);
        if (i == 1)
            fg_batch_site(batch, &(struct fg_site_row){
                                     .site = 1, .key = FG_STR("https://a.example")});
        fg_batch_page(batch, &(struct fg_page_row){.site = 1,
                                                   .page = page,
                                                   .fingerprint = i,
                                                   .url = {url, (size_t)len},
                                                   .title = title,
                                                   .published = FG_NEVER,
                                                   .first_seen = (fg_time)i});
        fg_batch_text(batch, &(struct fg_page_text){1, page, title, body, FG_STR("en")});
        last = fg_store_submit(store, batch);
        if (fg_store_backlog(store) > 4000)
            bench_must(fg_store_flush(store, last - 2000, err), err);
    }
    bench_must(fg_store_flush(store, last, err), err);
    bench_must(fg_store_close(store, err), err);
    fg_buf_clear(&text);
}

static void make_queries(struct fg_arena *arena)
{
    for (size_t i = 0; i < QUERIES; i++) {
        struct fg_buf text;
        fg_buf_init(&text, 256);
        for (uint64_t n = 1 + fg_rng_below(&rng, 3); n; n--)
            add_word(&text);
        queries[i] = fg_arena_dup(arena, fg_str_trim(fg_buf_str(&text)));
        fg_buf_clear(&text);
    }
}

/* A fifth of the pages were shown, and some of these chosen. */
static void make_feedback(struct fg_err *err)
{
    static struct fg_feedback_note notes[BATCH];
    static bool is_new[BATCH];
    for (size_t i = 0; i < documents / 5; i += BATCH) {
        size_t n = 0;
        for (; n < BATCH; n++)
            notes[n] = (struct fg_feedback_note){
                .row = {.site = 1,
                        .page = (fg_page_id)(1 + fg_rng_below(&rng, documents)),
                        .shown = 8,
                        .clicks = fg_rng_below(&rng, 3),
                        .looks = 4000000},
                .mark = fg_rng_next(&rng),
                .until = fg_time_now() + FG_DAY};
        bench_must(fg_store_note_feedback(folder, notes, n, fg_time_now(), is_new, err),
                   err);
    }
}

static struct fg_ads *make_ads(const struct fg_ads_settings *settings, struct fg_err *err)
{
    struct fg_ads *ads;
    bench_must(fg_ads_open(&ads, folder, settings, err), err);
    for (size_t i = 0; i < QUERIES * ADS; i++) {
        char name[32];
        int64_t number;
        bool is_new;
        snprintf(name, sizeof name, "advertiser %zu", i % ADVERTISERS);
        struct fg_ads_campaign c = {.advertiser = fg_str_from(name),
                                    .phrase = queries[i / ADS],
                                    .title = FG_STR("an ad"),
                                    .url = FG_STR("https://shop.example/"),
                                    .bid = 10,
                                    .budget = 100000000,
                                    .is_broad = i % 2};
        bench_must(fg_ads_add(ads, &c, fg_time_now(), &number, &is_new, err), err);
    }
    return ads;
}

/* --- pages --- */

struct page {
    const char *name;
    struct fg_crawl_options crawl;
    struct fg_ads *ads;
    double us[QUERIES * ROUNDS], cpu_us[QUERIES * ROUNDS];
    size_t n, results, promoted, sponsored;
};

static double now_us(clockid_t clock)
{
    struct timespec ts;
    clock_gettime(clock, &ts);
    return (double)ts.tv_sec * 1e6 + (double)ts.tv_nsec / 1e3;
}

static size_t count(struct fg_str text, const char *what)
{
    size_t n = 0, at;
    for (; (at = fg_str_find(text, fg_str_from(what))) != FG_NOT_FOUND; n++)
        text = fg_str_sub(text, at + 1, text.len);
    return n;
}

static void make_page(struct page *page, struct fg_store *store, struct fg_str words)
{
    struct fg_arena arena = {0};
    struct fg_err err;
    struct fg_look look;
    struct fg_buf out;
    const void *answer;
    fg_buf_init(&out, 1 << 20);
    double cpu = now_us(CLOCK_PROCESS_CPUTIME_ID), began = now_us(CLOCK_MONOTONIC);
    struct fg_search_ask ask = {.limit = 10};
    struct fg_ads_shown shown = fg_search_ads(page->ads, &arena, words, &ask);
    struct fg_workspace place = {fg_str_from(folder), &page->crawl, NULL};
    struct fg_sink sink = {.buf = &out};
    ask.sponsored = &shown;
    bench_must(fg_look_open(&look, &place, store, &arena, &err), &err);
    struct fg_asking asking = {.look = &look, .question = &ask, .subject = words};
    bench_must(fg_view_search.ask(&answer, &asking, &err), &err);
    bench_must(fg_render_json(&sink, &fg_view_search.answer, answer, &err), &err);
    fg_view_clear(&fg_view_search, answer);
    fg_look_close(&look);
    page->us[page->n] = now_us(CLOCK_MONOTONIC) - began;
    page->cpu_us[page->n++] = now_us(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    page->results += count(fg_buf_str(&out), "\"snippet\"");
    page->promoted += count(fg_buf_str(&out), "\"promoted\":true");
    page->sponsored += count(fg_buf_str(&out), "\"label\":\"sponsored\"");
    fg_buf_clear(&out);
    fg_arena_clear(&arena);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t n)
{
    qsort(values, n, sizeof *values, compare);
    return values[n / 2];
}

static void tell(struct page *page, double *us, double *cpu_us)
{
    double pages = (double)page->n;
    *us = median(page->us, page->n);
    *cpu_us = median(page->cpu_us, page->n);
    printf("%-24s %.2f ms, %.2f of a processor; %.1f results, %.2f promoted, %.2f ads\n",
           page->name, *us / 1e3, *cpu_us / 1e3, (double)page->results / pages,
           (double)page->promoted / pages, (double)page->sponsored / pages);
}

static int ranking_number(const char *name)
{
    int i = 0;
    while (strcmp(fg_ranking_names[i], name) != 0)
        i++;
    return i;
}

int main(void)
{
    static struct page pages[2] = {{.name = "plain"}, {.name = "promotion and ads"}};
    struct fg_err err = {0};
    struct fg_arena arena = {0};
    struct fg_store *store;
    double us[2], cpu_us[2];
    if (getenv("DOCUMENTS"))
        documents = (size_t)strtoull(getenv("DOCUMENTS"), NULL, 10);
    if (!mkdtemp(folder))
        return 1;
    rng = fg_rng_from_seed(1);
    pages[0].crawl.keeping.ranking.policy = ranking_number("off");
    pages[1].crawl.keeping.ranking = (struct fg_ranking_options){
        .policy = ranking_number("selective"), .degree = 0.1, .start = 2};
    struct fg_ads_settings settings = {.enabled = true,
                                       .policy = FG_STR("paced-index"),
                                       .shown = 2,
                                       .hold = FG_MINUTE,
                                       .window = FG_HOUR,
                                       .per_advertiser = 3,
                                       .per_client = 20};
    make_pages(&err);
    make_queries(&arena);
    make_feedback(&err);
    pages[1].ads = make_ads(&settings, &err);
    bench_must(fg_store_open(&store, folder,
                             &(struct fg_store_options){.read_only = true}, &err),
               &err);
    for (size_t i = 0; i < (size_t)ROUNDS * 2; i++)
        for (size_t q = 0; q < QUERIES; q++)
            make_page(&pages[i % 2], store, queries[q]);
    for (size_t p = 0; p < 2; p++)
        tell(&pages[p], &us[p], &cpu_us[p]);
    printf("promotion and ads to plain, %zu pages (asked: at most 1.3): %.2f, of a "
           "processor %.2f\n",
           documents, us[1] / us[0], cpu_us[1] / cpu_us[0]);
    fg_ads_close(pages[1].ads);
    bench_must(fg_store_close(store, &err), &err);
    fg_arena_clear(&arena);
    char line[128];
    snprintf(line, sizeof line, "rm -rf %s", folder);
    return system(line);
}
