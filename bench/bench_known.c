/* What a million known URLs cost in memory: a crawl is started on a workspace that knows
 * them, and its resident memory compared with that of a crawl on an empty workspace. Each
 * is a process of its own, so that nothing is left over from making the workspace. Once
 * all pages wait for their first fetch, once all were fetched and a hundred of each site
 * are sources; both are spread over a hundred sites. The peak while reading them in
 * counts too, for that is when a small machine fails. */
#include "base/time.h"
#include "bench.h"
#include "crawl/crawl.h"
#include "net/url/canonical.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static struct fg_arena defaults; /* of the settings */

enum { PAGES = 1000000, SITES = 100, PER_BATCH = 100, SOURCES = 100, LINKS = 20 };

static char folder[] = "/tmp/forage-bench-XXXXXX";
static char path[64];

static void remove_files(void)
{
    static const char *const suffixes[] = {"", "-wal", "-shm", ".lock"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        char name[80];
        snprintf(name, sizeof name, "%s%s", path, suffixes[i]);
        unlink(name);
    }
}

/* --- the workspace --- */

static void put_site(struct fg_batch *batch, fg_site_id site)
{
    char key[64];
    snprintf(key, sizeof key, "https://news-%03u.example.org", site);
    fg_batch_site(batch, &(struct fg_site_row){.site = site,
                                               .key = fg_str_from(key),
                                               .domain = FG_STR("example.org"),
                                               .added = 1763000000000000,
                                               .last_request = FG_NEVER,
                                               .state = 2,
                                               .robots_fetched = FG_NEVER,
                                               .robots_expires = FG_NEVER,
                                               .backoff_until = FG_NEVER});
}

/* About 75 bytes, as addresses of articles are. */
static void put_page(struct fg_batch *batch, uint32_t i, bool is_fetched)
{
    char url[128];
    uint64_t mixed = (i + 1) * UINT64_C(0x9E3779B97F4A7C15);
    int n = snprintf(url, sizeof url, "https://news-%03u.example.org/2026/%02u/%s/%s-%x",
                     i % SITES + 1, i % 12 + 1, i % 3 ? "politics" : "science",
                     "the-council-met-again-on", (unsigned)(mixed >> 32));
    struct fg_str text = {url, (size_t)n};
    struct fg_page_row page = {.site = i % SITES + 1,
                               .page = i / SITES + 1,
                               .fingerprint = fg_canonical_fingerprint(text),
                               .url = text,
                               .found_on = i / SITES,
                               .first_seen = 1763000000000000 + i,
                               .last_visit = FG_NEVER,
                               .last_change = FG_NEVER,
                               .next_visit = FG_NEVER,
                               .published = FG_NEVER,
                               .weight = 1,
                               .depth = 3};
    if (is_fetched) {
        page.last_visit = page.last_change = page.first_seen + FG_MINUTE;
        page.status = 200;
        page.visits = page.changes = 1;
        page.content_hash = mixed;
        page.simhash = mixed ^ mixed >> 29;
        page.etag = FG_STR("\"5f1d0c2a9b3e4f67\"");
        page.title = FG_STR("A headline of the usual length, no more");
    }
    if (is_fetched && page.page <= SOURCES) {
        page.flags = FG_PAGE_SOURCE;
        for (uint32_t link = 1; link <= LINKS; link++)
            fg_batch_link(batch, &(struct fg_link_row){.site = page.site,
                                                       .source = page.page,
                                                       .target_site = page.site,
                                                       .target = page.page * LINKS + link,
                                                       .first_seen = page.first_seen,
                                                       .last_seen = page.last_visit,
                                                       .gone = FG_NEVER});
    }
    fg_batch_page(batch, &page);
}

static void make_workspace(uint32_t pages, bool are_fetched)
{
    struct fg_store *store;
    struct fg_err err;
    remove_files();
    bench_must(fg_store_open(&store, path, NULL, &err), &err);
    for (uint32_t i = 0; i < pages || i == 0;) {
        struct fg_batch *batch = fg_batch_new(store);
        for (fg_site_id site = 1; i == 0 && site <= SITES; site++)
            put_site(batch, site);
        for (uint32_t end = i + PER_BATCH; i < end && i < pages; i++)
            put_page(batch, i, are_fetched);
        fg_store_submit(store, batch);
        while (fg_store_backlog(store) > 256)
            usleep(200);
        if (!pages)
            break;
    }
    bench_must(fg_store_close(store, &err), &err);
}

/* --- a crawl on it --- */

struct figures {
    double resident, peak, known, seconds;
};

static double status_kb(const char *name)
{
    char line[256];
    double kb = 0;
    FILE *f = fopen("/proc/self/status", "re");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, name, strlen(name)) == 0)
            kb = strtod(line + strlen(name) + 1, NULL);
    if (f)
        fclose(f);
    return kb;
}

/* It has no budget, so it reads its workspace and waits. */
static struct figures crawl(void)
{
    struct fg_store *store;
    struct fg_crawl *crawl;
    struct fg_err err;
    struct fg_crawl_options options = fg_crawl_defaults(&defaults);
    options.fetch.user_agent = "forage-bench";
    options.budget.per_hour = 1e-9;
    options.run.time_limit = 300 * FG_MILLISECOND;
    fg_time start = fg_time_monotonic();
    bench_must(fg_store_open(&store, path, NULL, &err), &err);
    bench_must(fg_crawl_new(&crawl, store, &options, &err), &err);
    struct figures figures = {.seconds = fg_seconds(fg_time_monotonic() - start)};
    fg_crawl_run(crawl, &err);
    figures.known = (double)fg_crawl_count(crawl).known;
    figures.resident = status_kb("VmRSS") * 1024;
    figures.peak = status_kb("VmHWM") * 1024;
    fg_crawl_free(crawl);
    bench_must(fg_store_close(store, &err), &err);
    return figures;
}

/* In a process of its own. */
static struct figures measure(uint32_t pages, bool are_fetched, bool makes)
{
    int ends[2];
    struct figures figures = {0};
    if (pipe(ends))
        exit(1);
    pid_t child = fork();
    if (child == 0) {
        if (makes)
            make_workspace(pages, are_fetched);
        else
            figures = crawl();
        ssize_t n = write(ends[1], &figures, sizeof figures);
        _exit(n == sizeof figures ? 0 : 1);
    }
    close(ends[1]);
    if (read(ends[0], &figures, sizeof figures) != sizeof figures)
        exit(1);
    close(ends[0]);
    waitpid(child, NULL, 0);
    return figures;
}

static struct figures measure_workspace(uint32_t pages, bool are_fetched)
{
    measure(pages, are_fetched, true);
    return measure(pages, are_fetched, false);
}

static void report(const char *what, const struct figures *figures,
                   const struct figures *empty)
{
    double bytes = (figures->resident - empty->resident) / PAGES;
    printf("%-44s %9.1f bytes a URL (asked at most 250: %s), %.1f at the peak, read in "
           "%.2f s\n",
           what, bytes, bytes <= 250 ? "reached" : "NOT reached",
           (figures->peak - empty->resident) / PAGES, figures->seconds);
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/forage.db", folder);
    struct figures empty = measure_workspace(0, false);
    struct figures waiting = measure_workspace(PAGES, false);
    report("a million known URLs, none fetched", &waiting, &empty);
    struct figures fetched = measure_workspace(PAGES, true);
    report("a million known URLs, all fetched", &fetched, &empty);
    remove_files();
    rmdir(folder);
    return waiting.known == PAGES && fetched.known == PAGES ? 0 : 1;
}
