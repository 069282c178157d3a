/* make_lot_writer PLACE LOT PAGES RATE: who owns a lot, for what is done to it meanwhile.
 * Fills it with so many pages, says "filled", and then writes so many results a second
 * until it is told to end. Says then how many were acknowledged, and the longest time
 * between two acknowledgements. */
#include "base/memory.h"
#include "store/lots.h"
#include "store/store.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SITES = 100, URL_BYTES = 60, IN_A_BATCH = 500 };

static volatile sig_atomic_t is_over;

static void end_it(int sign)
{
    (void)sign;
    is_over = 1;
}

static struct fg_str text_of(char *text, size_t room, const char *word, uint64_t n)
{
    snprintf(text, room, "https://site.example/%s/%020" PRIu64, word, n);
    return fg_str_from(text);
}

static void put_page(struct fg_batch *batch, fg_site_id site, uint64_t n)
{
    char url[100], title[100];
    fg_batch_page(batch, &(struct fg_page_row){
                             .site = site,
                             .page = (fg_page_id)n,
                             .fingerprint = n * UINT64_C(0x9E3779B97F4A7C15),
                             .url = text_of(url, sizeof url, "news/an-article", n),
                             .title = text_of(title, sizeof title, "a title of words", n),
                             .first_seen = (fg_time)n,
                             .last_visit = FG_NEVER,
                             .last_change = FG_NEVER,
                             .next_visit = FG_NEVER,
                             .published = FG_NEVER,
                             .weight = 1});
}

static void put_result(struct fg_batch *batch, fg_site_id site, uint64_t n)
{
    put_page(batch, site, n);
    fg_batch_visit(batch, &(struct fg_visit_row){.site = site,
                                                 .page = (fg_page_id)n,
                                                 .time = (fg_time)n,
                                                 .status = 200});
    fg_batch_event(batch, &(struct fg_event_row){.site = site,
                                                 .page = (fg_page_id)n,
                                                 .id = n,
                                                 .time = (fg_time)n,
                                                 .kind = FG_STR("discovery"),
                                                 .json = FG_STR("{}")});
}

static void fill(struct fg_store *store, fg_site_id site, uint64_t pages)
{
    struct fg_err err = {0};
    for (uint64_t n = 1; n <= pages;) {
        struct fg_batch *batch = fg_batch_new(store);
        for (int i = 0; i < IN_A_BATCH && n <= pages; i++)
            put_result(batch, site, n++);
        uint64_t number = fg_store_submit(store, batch);
        bool is_time = n > pages || fg_store_backlog(store) > 20;
        if (is_time && fg_store_flush(store, number, &err))
            fprintf(stderr, "%s\n", err.text);
    }
}

int main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    unsigned lot = (unsigned)strtoul(argv[2], NULL, 10), lots = fg_lots_at(argv[1]);
    uint64_t pages = strtoull(argv[3], NULL, 10), n = pages, acknowledged = 0, first = 0;
    fg_time every = FG_SECOND / strtol(argv[4], NULL, 10), longest = 0;
    struct fg_arena arena = {0};
    struct fg_err err = {0};
    struct fg_store_options options = {
        .fence = 1000, .lots = lots, .lot = lot, .flush_every = 20 * FG_MILLISECOND};
    struct fg_store *store;
    signal(SIGTERM, end_it);
    if (fg_store_open(&store, fg_lots_place(&arena, argv[1], lot), &options, &err)) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    fg_site_id site = fg_store_new_site(store);
    fill(store, site, pages);
    printf("filled\n");
    fflush(stdout);
    fg_time began = fg_time_monotonic(), last = began, was_durable = began;
    while (!is_over) {
        fg_time now = fg_time_monotonic();
        while (last + every <= now) {
            struct fg_batch *batch = fg_batch_new(store);
            put_result(batch, site, ++n);
            uint64_t number = fg_store_submit(store, batch);
            first = first ? first : number;
            last += every;
        }
        uint64_t durable = fg_store_durable(store);
        if (first && durable >= first && durable - first + 1 > acknowledged) {
            acknowledged = durable - first + 1;
            longest = now - was_durable > longest ? now - was_durable : longest;
            was_durable = now;
        }
        usleep(1000);
    }
    double seconds = fg_seconds(fg_time_monotonic() - began);
    bool is_well = fg_store_close(store, &err) == FG_OK;
    printf("%" PRIu64 " results, %.0f a second, longest gap %.3f s%s%s\n", n - pages,
           (double)acknowledged / seconds, fg_seconds(longest), is_well ? "" : ": ",
           err.text);
    fg_arena_clear(&arena);
    return !is_well;
}
