/* A writer is killed with SIGKILL at random moments, again and again. Whatever it had
 * been told was durable is there whole; of everything else all or nothing. */
#include "fixture.h"

#include "store/index.h"

#include <signal.h>
#include <sys/wait.h>

enum { ROUNDS = 60, SPREAD = 3 };

/* A new text, another for the page before, a link to it, and one page that is gone: in
 * site 3, of which nothing else is counted. */
static void fill_texts(struct fg_batch *batch, fg_page_id k)
{
    char words[200];
    struct fg_page_row page = page_row(3, k);
    fg_batch_page(batch, &page);
    snprintf(words, sizeof words, "the text of page %u speaks of mushrooms and w%u", k,
             k % 97);
    fg_batch_text(batch, &(struct fg_page_text){3, k, FG_STR("a title"),
                                                fg_str_from(words), FG_STR("en")});
    if (k < 4)
        return;
    snprintf(words, sizeof words, "page %u has changed and is about cakes", k - 1);
    fg_batch_text(batch, &(struct fg_page_text){3, k - 1, FG_STR("another title"),
                                                fg_str_from(words), FG_STR("en")});
    fg_batch_anchor(batch, &(struct fg_anchor_row){3, k - 1, 3, k, FG_STR("more cake")});
    if (k % 3 == 0)
        fg_batch_page_flags(batch, 3, k - 3, FG_PAGE_GONE, 0);
}

/* Batch k touches many tables; its traces must be all there or all missing. */
static void fill_batch(struct fg_batch *batch, fg_page_id k)
{
    struct fg_page_row page = page_row(1, k);
    page.title = FG_STR("a title to fill the page with");
    fg_batch_page(batch, &page);
    fg_batch_visit(batch, &(struct fg_visit_row){1, k, .time = k, .status = 200});
    fg_batch_event(batch, &(struct fg_event_row){.site = 1,
                                                 .page = k,
                                                 .id = k,
                                                 .time = k,
                                                 .kind = FG_STR("discovery"),
                                                 .json = FG_STR("{}")});
    fg_batch_label(batch, 1, k, true);
    fg_batch_link(batch, &(struct fg_link_row){1, k, 1, k, k, k, FG_NEVER});
    for (fg_page_id i = 0; i < SPREAD; i++) {
        page = page_row(2, k * SPREAD + i);
        fg_batch_page(batch, &page);
    }
    char noise[3000];
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] =
            (char)(fg_str_hash((struct fg_str){(const char *)&k, sizeof k}) >> i % 57);
    if (k % 4 == 0)
        fg_batch_body(batch, 1, k, k, (struct fg_str){noise, sizeof noise});
    fg_batch_delivered(batch, "jsonl", k, k);
    fill_texts(batch, k);
}

static void write_until_killed(const struct box *box, fg_page_id first, int out)
{
    struct fg_store_options options = {.keep_bodies = true, .flush_every = 1};
    struct fg_store *store;
    if (fg_store_open(&store, box->path, &options, NULL))
        _exit(1);
    uint64_t told = 0;
    for (fg_page_id k = first;; k++) {
        struct fg_batch *batch = fg_batch_new(store);
        fill_batch(batch, k);
        fg_store_submit(store, batch);
        uint64_t durable = fg_store_durable(store);
        if (durable > told && write(out, &durable, sizeof durable) != sizeof durable)
            _exit(2);
        told = durable;
        while (fg_store_backlog(store) > 200)
            usleep(100);
    }
}

/* Returns how many batches the killed writer had been told are durable. */
static uint64_t run_and_kill(const struct box *box, fg_page_id first, unsigned after_us)
{
    int pipes[2];
    assert_int_equal(pipe(pipes), 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        close(pipes[0]);
        write_until_killed(box, first, pipes[1]);
    }
    close(pipes[1]);
    uint64_t durable = 0, number;
    if (after_us % 3) /* mostly after it got going; else during the open, too */
        if (read(pipes[0], &number, sizeof number) == sizeof number)
            durable = number;
    usleep(after_us);
    kill(child, SIGKILL);
    int how = 0;
    waitpid(child, &how, 0);
    assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL);
    while (read(pipes[0], &number, sizeof number) == sizeof number)
        durable = number;
    close(pipes[0]);
    return durable;
}

static bool next_page(void *context, const struct fg_page_row *page)
{
    fg_page_id *last = context;
    assert_int_equal(page->page, *last + 1);
    *last = page->page;
    return true;
}

static bool next_event(void *context, const struct fg_event_row *event)
{
    uint64_t *last = context;
    assert_int_equal(event->number, *last + 1);
    assert_int_equal(event->id, *last + 1);
    *last = event->number;
    return true;
}

/* How many batches are there, after checking that each is whole. */
static fg_page_id check_whole(const struct box *box)
{
    struct fg_store *store = box_open(box, NULL);
    fg_page_id n = 0, spread = SPREAD - 1;
    uint64_t event = 0, number = 0, position = 0;
    assert_int_equal(fg_store_pages(store, 1, next_page, &n, NULL), FG_OK);
    assert_int_equal(fg_store_pages(store, 2, next_page, &spread, NULL), FG_OK);
    assert_int_equal(
        fg_store_events(store, 0, 0, FG_NEVER, SIZE_MAX, next_event, &event, NULL),
        FG_OK);
    fg_store_delivered(store, "jsonl", &number, &position, NULL);
    struct fg_store_counts counts;
    assert_int_equal(fg_store_count(store, &counts, NULL), FG_OK);
    assert_int_equal(spread, n * SPREAD + SPREAD - 1);
    assert_true(event == n && number == n && position == n);
    assert_true(counts.visits == n && counts.links == n && counts.bodies == n / 4);
    struct fg_index_check check;
    assert_int_equal(fg_store_check_index(store, &check, NULL), FG_OK);
    assert_true(fg_index_is_right(&check));
    assert_int_equal(check.texts, n < 4 ? n : n - (n / 3 - 1));
    box_close(store);
    return n;
}

static void killed_writer_loses_nothing_acknowledged(void **state)
{
    (void)state;
    struct box box = box_new();
    fg_page_id there = 0;
    uint64_t seed = 12345, acknowledged = 0;
    for (int round = 0; round < ROUNDS; round++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        uint64_t durable = run_and_kill(&box, there + 1, (unsigned)(seed >> 33) % 30000);
        fg_page_id now = check_whole(&box);
        assert_true(now >= there + durable);
        there = now;
        acknowledged += durable;
    }
    assert_true(acknowledged > 100);
    box_free(&box);
}

FG_TESTS(killed_writer_loses_nothing_acknowledged)
