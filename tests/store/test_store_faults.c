/* Disks that fail: full, broken, or cut from power. Nothing acknowledged may be lost, and
 * once the cause is mended the store goes on by itself. */
#include "faulty_vfs.h"
#include "fixture.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <sys/mount.h>

static uint64_t submit_page(struct fg_store *store, fg_page_id id, size_t bytes)
{
    static char noise[1 << 18];
    uint64_t seed = id * 0x9e3779b97f4a7c15u + 1;
    for (size_t i = 0; i < bytes; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        noise[i] = (char)(seed >> 56);
    }
    struct fg_batch *batch = fg_batch_new(store);
    struct fg_page_row page = page_row(1, id);
    fg_batch_page(batch, &page);
    fg_batch_event(batch,
                   &(struct fg_event_row){.site = 1, .page = id, .id = id, .time = id});
    char name[32];
    snprintf(name, sizeof name, "noise %u", id);
    if (bytes)
        fg_batch_state(batch, 1, name, (struct fg_str){noise, bytes});
    return fg_store_submit(store, batch);
}

static bool is_next(void *context, const struct fg_event_row *event)
{
    uint64_t *n = context;
    ++*n;
    assert_int_equal(event->number, *n);
    assert_int_equal(event->id, *n);
    return true;
}

static void check_all_there(struct fg_store *store, uint64_t n)
{
    uint64_t seen = 0;
    assert_int_equal(
        fg_store_events(store, 0, 0, FG_NEVER, SIZE_MAX, is_next, &seen, NULL), FG_OK);
    assert_int_equal(seen, n);
    assert_int_equal(pages_in(store, 1), n);
}

static struct fg_store *open_on_faulty_disk(const struct box *box)
{
    box_close(box_open(box, NULL));
    faulty_install();
    return box_open(box, NULL);
}

/* A disk that gives `code` at every write or sync stops the store with `status`; mended
 * and told so, it goes on and nothing is missing. */
static void check_trouble(atomic_int *switch_, int code, enum fg_status status,
                          const char *word)
{
    struct box box = box_new();
    struct fg_store *store = open_on_faulty_disk(&box);
    assert_int_equal(fg_store_flush(store, submit_page(store, 1, 100), NULL), FG_OK);
    atomic_store(switch_, code);
    struct fg_err err = {0};
    uint64_t number = submit_page(store, 2, 100);
    assert_int_equal(fg_store_flush(store, number, &err), status);
    assert_non_null(strstr(err.text, word));
    assert_non_null(strstr(err.text, box.path));
    assert_int_equal(fg_store_durable(store), 1);
    assert_int_equal(fg_store_health(store, NULL), status);
    struct pollfd wait = {.fd = fg_store_wakeup(store), .events = POLLIN};
    assert_int_equal(poll(&wait, 1, 0), 1);
    submit_page(store, 3, 0);
    assert_int_equal(fg_store_backlog(store), 2);
    assert_int_equal(pages_in(store, 1), 1); /* reading goes on */

    assert_int_equal(fg_store_flush(store, 3, NULL), status); /* too early */
    atomic_store(switch_, 0);
    assert_int_equal(fg_store_flush(store, 3, &err), FG_OK);
    assert_int_equal(fg_store_health(store, NULL), FG_OK);
    check_all_there(store, 3);
    box_close(store);
    store = box_open(&box, NULL);
    check_all_there(store, 3);
    box_close(store);
    box_free(&box);
}

static void full_disk_loses_nothing(void **state)
{
    (void)state;
    check_trouble(&faulty.write_code, SQLITE_FULL, FG_EFULL, "the disk is full");
}

static void await_durable(struct fg_store *store, uint64_t number)
{
    for (int i = 0; i < 1000 && fg_store_durable(store) < number; i++)
        usleep(10000);
    assert_int_equal(fg_store_durable(store), number);
}

static void freed_disk_is_noticed(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = open_on_faulty_disk(&box);
    atomic_store(&faulty.write_code, SQLITE_FULL);
    assert_int_equal(fg_store_flush(store, submit_page(store, 1, 100), NULL), FG_EFULL);
    assert_false(fg_store_is_locked(store));
    submit_page(store, 2, 100);
    atomic_store(&faulty.write_code, 0);
    await_durable(store, 2);
    assert_int_equal(fg_store_health(store, NULL), FG_OK);
    check_all_there(store, 2);
    box_close(store);
    box_free(&box);
}

static void broken_disk_loses_nothing(void **state)
{
    (void)state;
    check_trouble(&faulty.write_code, SQLITE_IOERR_WRITE, FG_EIO, "disk I/O error");
    check_trouble(&faulty.sync_code, SQLITE_IOERR_FSYNC, FG_EIO, "disk I/O error");
}

static void close_on_a_full_disk_says_what_was_not_written(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = open_on_faulty_disk(&box);
    assert_int_equal(fg_store_flush(store, submit_page(store, 1, 0), NULL), FG_OK);
    atomic_store(&faulty.write_code, SQLITE_FULL);
    submit_page(store, 2, 0);
    struct fg_err err = {0};
    assert_int_equal(fg_store_close(store, &err), FG_EFULL);
    assert_non_null(strstr(err.text, "1 results were not written"));
    atomic_store(&faulty.write_code, 0);
    store = box_open(&box, NULL);
    check_all_there(store, 1);
    box_close(store);
    box_free(&box);
}

/* Any single write or sync fails, wherever in a transaction or a checkpoint it falls. */
static void any_failing_operation_is_survived(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = open_on_faulty_disk(&box);
    fg_page_id id = 0;
    for (int round = 1; round <= 300; round++) {
        static const int codes[] = {SQLITE_FULL, SQLITE_IOERR_WRITE, SQLITE_IOERR_FSYNC};
        atomic_store(&faulty.fail_code, codes[round % 3]);
        atomic_store(&faulty.fail_in, 1 + round * 7 % 23);
        for (int i = 0; i < 4; i++)
            submit_page(store, ++id, (size_t)round % 10 * 500);
        if (fg_store_flush(store, id, NULL))
            assert_int_equal(fg_store_flush(store, id, NULL), FG_OK);
    }
    atomic_store(&faulty.fail_in, 0);
    check_all_there(store, id);
    box_close(store);
    store = box_open(&box, NULL);
    check_all_there(store, id);
    assert_int_equal(fg_store_check(store, NULL), FG_OK);
    box_close(store);
    box_free(&box);
}

/* A power cut takes what was written and not synced. So at the moment of acknowledgement
 * the journal must be clean, and it may start over only while the file is. */
static void acknowledged_batches_have_been_synced(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = open_on_faulty_disk(&box);
    atomic_store(&faulty.journal_lost, 0);
    fg_page_id id = 0;
    while (id < 600) {
        int syncs = atomic_load(&faulty.journal_syncs);
        submit_page(store, ++id, 100000);
        submit_page(store, ++id, 50000);
        assert_int_equal(fg_store_flush(store, id, NULL), FG_OK);
        assert_false(atomic_load(&faulty.journal_dirty));
        assert_true(atomic_load(&faulty.journal_syncs) > syncs);
    }
    assert_true(fg_store_effort(store).checkpoints > 0);
    assert_true(fg_store_effort(store).journal_bytes < 64 << 20);
    assert_int_equal(atomic_load(&faulty.journal_lost), 0);
    check_all_there(store, id);
    box_close(store);
    box_free(&box);
}

/* In a mount namespace of our own, so that nothing stays mounted whatever happens. */
static int mount_small(const char *folder)
{
    if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
        return -1;
    return mount("none", folder, "tmpfs", 0, "size=1m");
}

/* The real thing: a file system of a megabyte. */
static void full_file_system_is_survived(void **state)
{
    (void)state;
    struct box outer = box_new();
    if (mount_small(outer.folder)) {
        print_message("cannot mount a tmpfs: %s\n", strerror(errno));
        box_free(&outer);
        skip();
    }
    struct box box = box_in(outer.folder);
    char ballast[256];
    snprintf(ballast, sizeof ballast, "%s/ballast", outer.folder);
    int fd = open(ballast, O_CREAT | O_WRONLY, 0600);
    static char zeros[400 << 10];
    assert_int_equal(write(fd, zeros, sizeof zeros), sizeof zeros);
    close(fd);

    struct fg_store *store = box_open(&box, NULL);
    struct fg_err err = {0};
    fg_page_id id = 0;
    while (!fg_store_flush(store, submit_page(store, ++id, 8000), &err))
        assert_true(id < 1000);
    assert_int_equal(fg_store_health(store, NULL), FG_EFULL);
    uint64_t durable = fg_store_durable(store);
    assert_int_equal(durable, id - 1);
    check_all_there(store, durable);
    unlink(ballast);
    await_durable(store, id); /* without being told */
    assert_int_equal(fg_store_health(store, NULL), FG_OK);
    check_all_there(store, id);

    /* Once more, and this time the end comes while it is full. */
    while (!fg_store_flush(store, submit_page(store, ++id, 8000), &err))
        assert_true(id < 1000);
    assert_int_equal(fg_store_close(store, &err), FG_EFULL);
    struct fg_store_options looking = {.read_only = true};
    store = box_open(&box, &looking);
    check_all_there(store, id - 1);
    box_close(store);
    box_free(&box);
    umount(outer.folder);
    box_free(&outer);
}

FG_TESTS(full_disk_loses_nothing, freed_disk_is_noticed, broken_disk_loses_nothing,
         close_on_a_full_disk_says_what_was_not_written,
         any_failing_operation_is_survived, acknowledged_batches_have_been_synced,
         full_file_system_is_survived)
