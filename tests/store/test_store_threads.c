/* Many threads at once: readers are not blocked by the writer nor the writer by them. */
#include "fixture.h"

#include <pthread.h>
#include <stdatomic.h>

enum { SUBMITTERS = 3, EACH = 300 };

static void put_page(struct fg_store *store, fg_site_id site, fg_page_id id)
{
    struct fg_batch *batch = fg_batch_new(store);
    struct fg_page_row page = page_row(site, id);
    fg_batch_page(batch, &page);
    fg_batch_label(batch, site, id, true);
    fg_store_submit(store, batch);
}

struct slow {
    struct fg_store *store;
    size_t seen;
    uint64_t durable;
};

/* In the midst of a walk, wait until the writer has committed ten times. */
static bool wait_for_writer(void *context, const struct fg_page_row *page)
{
    struct slow *slow = context;
    if (++slow->seen == 5)
        for (fg_page_id i = 0; i < 10; i++) {
            put_page(slow->store, 1, 1000 + i);
            assert_int_equal(fg_store_flush(slow->store, UINT64_MAX, NULL), FG_OK);
        }
    assert_true(page->page < 1000); /* the walk sees the moment it began */
    return true;
}

static void long_walk_does_not_hold_up_the_writer(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    for (fg_page_id id = 1; id <= 100; id++)
        put_page(store, 1, id);
    assert_int_equal(fg_store_flush(store, UINT64_MAX, NULL), FG_OK);
    struct slow slow = {.store = store};
    assert_int_equal(fg_store_pages(store, 1, wait_for_writer, &slow, NULL), FG_OK);
    assert_int_equal(slow.seen, 100);
    assert_int_equal(pages_in(store, 1), 110);
    box_close(store);
    box_free(&box);
}

static bool write_a_lot(void *context, const struct fg_page_row *page)
{
    struct fg_store *store = context;
    static char zeros[1 << 20];
    char name[32];
    for (int i = 0; i < 80; i++) {
        struct fg_batch *batch = fg_batch_new(store);
        snprintf(name, sizeof name, "%d", i);
        fg_batch_state(batch, page->site, name, (struct fg_str){zeros, sizeof zeros});
        write_now(store, batch);
    }
    return false;
}

static void journal_starts_over_once_the_reader_is_gone(void **state)
{
    (void)state;
    if (box_ops != &fg_sqlite_ops)
        skip(); /* memory has no journal */
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    put_page(store, 1, 1);
    assert_int_equal(fg_store_flush(store, UINT64_MAX, NULL), FG_OK);
    /* 80 MB while somebody reads: the journal must keep them all ... */
    assert_int_equal(fg_store_pages(store, 1, write_a_lot, store, NULL), FG_OK);
    assert_true(fg_store_effort(store).journal_bytes > 64 << 20);
    /* ... and with nobody reading it becomes short again. */
    struct fg_page_row page = page_row(1, 1);
    write_a_lot(store, &page);
    assert_true(fg_store_effort(store).journal_bytes < 64 << 20);
    box_close(store);
    box_free(&box);
}

static struct fg_store *shared;
static atomic_bool stop;

static void *submit_many(void *context)
{
    fg_site_id site = *(const fg_site_id *)context;
    for (fg_page_id id = 1; id <= EACH; id++) {
        put_page(shared, site, id);
        if (id % 100 == 0)
            assert_int_equal(fg_store_flush(shared, UINT64_MAX, NULL), FG_OK);
    }
    return NULL;
}

static bool label_of_page(void *context, fg_site_id site, fg_page_id page, bool relevant)
{
    (void)site;
    (void)page;
    (void)relevant;
    ++*(size_t *)context;
    return true;
}

static void *read_many(void *context)
{
    (void)context;
    size_t before = 0;
    while (!atomic_load(&stop)) {
        size_t labels = 0, pages = pages_in(shared, 0);
        assert_true(pages >= before);
        before = pages;
        assert_int_equal(fg_store_labels(shared, label_of_page, &labels, NULL), FG_OK);
        assert_true(labels >= pages); /* asked later, written in the same batches */
        fg_store_health(shared, NULL);
        fg_store_effort(shared);
    }
    return NULL;
}

static void many_threads_submit_and_read(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store_options options = {.flush_every = FG_MILLISECOND};
    shared = box_open(&box, &options);
    atomic_store(&stop, false);
    pthread_t writers[SUBMITTERS], readers[2];
    fg_site_id sites[SUBMITTERS];
    for (unsigned i = 0; i < SUBMITTERS; i++) {
        sites[i] = i + 1;
        pthread_create(&writers[i], NULL, submit_many, &sites[i]);
    }
    for (int i = 0; i < 2; i++)
        pthread_create(&readers[i], NULL, read_many, NULL);
    for (int i = 0; i < SUBMITTERS; i++)
        pthread_join(writers[i], NULL);
    atomic_store(&stop, true);
    for (int i = 0; i < 2; i++)
        pthread_join(readers[i], NULL);
    assert_int_equal(pages_in(shared, 0), SUBMITTERS * EACH);
    assert_int_equal(fg_store_durable(shared), SUBMITTERS * EACH);
    box_close(shared);
    box_free(&box);
}

FG_STORE_TESTS(long_walk_does_not_hold_up_the_writer,
               journal_starts_over_once_the_reader_is_gone, many_threads_submit_and_read)
