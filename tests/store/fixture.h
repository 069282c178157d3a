/* fixture.h - a folder for one test, and rows to put into a store
 *
 *     struct box box = box_new();
 *     struct fg_store *store = box_open(&box, NULL);
 *     ...
 *     box_close(store);
 *     box_free(&box);
 *
 *     FG_STORE_TESTS(...) runs its tests three times: on a file, on a store in memory,
 * and on PostgreSQL where that is installed. */
#ifndef FG_TESTS_STORE_FIXTURE_H
#define FG_TESTS_STORE_FIXTURE_H

#include "store/store.h"
#include "support/memory_store.h"
#include "support/postgres_server.h"
#include "test.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* The back end of the stores that are opened. */
static const struct fg_backend_ops *box_ops = &fg_sqlite_ops;

struct box {
    char folder[128], path[256];
};

static inline struct box box_in(const char *parent)
{
    struct box box;
    snprintf(box.folder, sizeof box.folder, "%s/forage-store-XXXXXX", parent);
    assert_non_null(mkdtemp(box.folder));
    snprintf(box.path, sizeof box.path, "%s/forage.db", box.folder);
    if (box_ops == &fg_postgres_ops) {
        static int boxes;
        snprintf(box.path, sizeof box.path, "%s#box%ld_%d", postgres_address(),
                 (long)getpid(), boxes++);
    }
    return box;
}

static inline struct box box_new(void)
{
    const char *parent = getenv("TMPDIR");
    return box_in(parent && strlen(parent) < 90 ? parent : "/tmp");
}

static inline void box_free(struct box *box)
{
    memory_store_forget(box->path);
    if (box_ops == &fg_postgres_ops)
        postgres_drop(box->path);
    DIR *dir = opendir(box->folder);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        char name[512];
        snprintf(name, sizeof name, "%s/%s", box->folder, e->d_name);
        unlink(name);
    }
    closedir(dir);
    rmdir(box->folder);
}

static inline struct fg_store *box_open(const struct box *box,
                                        const struct fg_store_options *options)
{
    struct fg_store *store = NULL;
    struct fg_err err = {0};
    if (fg_store_open_on(&store, box_ops, box->path, options, &err))
        print_error("%s\n", err.text);
    assert_non_null(store);
    return store;
}

static inline void box_close(struct fg_store *store)
{
    struct fg_err err = {0};
    enum fg_status st = fg_store_close(store, &err);
    if (st)
        print_error("%s\n", err.text);
    assert_int_equal(st, FG_OK);
}

/* Submit and wait until it is on disk. */
static inline void write_now(struct fg_store *store, struct fg_batch *batch)
{
    struct fg_err err = {0};
    enum fg_status st = fg_store_flush(store, fg_store_submit(store, batch), &err);
    if (st)
        print_error("%s\n", err.text);
    assert_int_equal(st, FG_OK);
}

/* What ended before then goes, of every kind; in so many slices. */
static inline int prune_before(struct fg_store *store, fg_time before, uint64_t delivered)
{
    struct fg_prune prune = {before, before, before, before, before, before, delivered};
    int slices = 0;
    do {
        struct fg_batch *batch = fg_batch_new(store);
        fg_batch_prune(batch, &prune);
        write_now(store, batch);
        assert_true(++slices < 1000);
    } while (fg_store_has_more(store));
    return slices;
}

/* A site and all of it, whoever waits for its events. */
static inline void forget_site(struct fg_store *store, fg_site_id site)
{
    do {
        struct fg_batch *batch = fg_batch_new(store);
        fg_batch_forget_site(batch, site, UINT64_MAX);
        write_now(store, batch);
    } while (fg_store_has_more(store));
}

/* A page no visit has been made to. Its URL lives until the next call. */
static inline struct fg_page_row page_row(fg_site_id site, fg_page_id page)
{
    static _Thread_local char url[64];
    int n = snprintf(url, sizeof url, "https://s%u.example/p/%u", site, page);
    struct fg_str text = {url, (size_t)n};
    return (struct fg_page_row){
        .site = site,
        .page = page,
        .fingerprint = fg_str_hash(text),
        .url = text,
        .first_seen = 1000 + page,
        .last_visit = FG_NEVER,
        .last_change = FG_NEVER,
        .next_visit = FG_NEVER,
        .published = FG_NEVER,
        .weight = 1,
    };
}

static inline bool count_page(void *context, const struct fg_page_row *page)
{
    (void)page;
    ++*(size_t *)context;
    return true;
}

static inline size_t pages_in(struct fg_store *store, fg_site_id site)
{
    size_t n = 0;
    struct fg_err err = {0};
    enum fg_status st = fg_store_pages(store, site, count_page, &n, &err);
    if (st)
        print_error("%s\n", err.text);
    assert_int_equal(st, FG_OK);
    return n;
}

/* On PostgreSQL; skipped with a word where it is not installed. */
static inline int box_test_postgres(const char *file, const CMUnitTestFunction *functions,
                                    const char *names, size_t n)
{
    if (!postgres_address()) {
        print_message("%s # SKIP PostgreSQL is not installed\n", file);
        return 0;
    }
    box_ops = &fg_postgres_ops;
    return fg_test_main(file, functions, names, n);
}

#define FG_STORE_TESTS(...)                                                             \
    int main(void)                                                                      \
    {                                                                                   \
        static const CMUnitTestFunction functions[] = {__VA_ARGS__};                    \
        static const char names[] = #__VA_ARGS__;                                       \
        size_t n = sizeof functions / sizeof *functions;                                \
        int failed = fg_test_main(__FILE__, functions, names, n);                       \
        box_ops = &memory_store_ops;                                                    \
        failed += fg_test_main(__FILE__ " (memory)", functions, names, n);              \
        return failed + box_test_postgres(__FILE__ " (postgres)", functions, names, n); \
    }

#endif
