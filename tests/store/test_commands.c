/* What other processes leave for the one that writes: in order, once, none lost. */
#include "fixture.h"

#include <sys/wait.h>

static void post(const struct box *box, const char *kind, const char *text)
{
    struct fg_err err = {0};
    struct fg_command_row row = {
        .time = 5, .kind = fg_str_from(kind), .text = fg_str_from(text)};
    if (box_ops->beside.post(box->path, &row, &err))
        fail_msg("%s", err.text);
}

struct seen {
    size_t n;
    uint64_t numbers[200];
    char kinds[200];
};

static bool see(void *context, const struct fg_command_row *command)
{
    struct seen *seen = context;
    seen->kinds[seen->n] = command->kind.at[0];
    seen->numbers[seen->n++] = command->number;
    return seen->n < 200;
}

static struct seen look(struct fg_store *store)
{
    struct seen seen = {0};
    assert_int_equal(fg_store_commands(store, see, &seen, NULL), FG_OK);
    return seen;
}

static void commands_come_in_order_and_go_with_their_batch(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    assert_int_equal(look(store).n, 0);
    post(&box, "seeds", "https://a.example/\n");
    post(&box, "control", "pause");
    post(&box, "label", "");
    struct seen seen = look(store);
    assert_int_equal(seen.n, 3);
    assert_memory_equal(seen.kinds, "scl", 3);
    assert_true(seen.numbers[0] < seen.numbers[1] && seen.numbers[1] < seen.numbers[2]);

    struct fg_arena arena = {0};
    struct fg_command_row command;
    assert_int_equal(fg_store_command(store, &command, &arena, seen.numbers[1], NULL),
                     FG_OK);
    assert_str(command.kind, "control");
    assert_str(command.text, "pause");
    assert_int_equal(command.time, 5);

    struct fg_batch *batch = fg_batch_new(store);
    fg_batch_command_done(batch, seen.numbers[1]);
    write_now(store, batch);
    assert_memory_equal(look(store).kinds, "sl", 3);
    assert_int_equal(fg_store_command(store, &command, &arena, seen.numbers[1], NULL),
                     FG_ENOTFOUND);
    fg_arena_clear(&arena);
    box_close(store);
    store = box_open(&box, NULL); /* the next one takes what is left */
    assert_int_equal(look(store).n, 2);
    box_close(store);
    box_free(&box);
}

/* While the store is written to without pause. */
static void processes_may_leave_commands_at_once(void **state)
{
    (void)state;
    if (box_ops != &fg_sqlite_ops)
        skip(); /* memory has no other processes */
    enum { PROCESSES = 3, EACH = 40 };
    struct box box = box_new();
    pid_t children[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork(); /* before there is a file, or a thread */
        if (children[i])
            continue;
        int wrong = 0;
        while (fg_store_writer(box.path) < 0)
            usleep(1000);
        for (int n = 0; n < EACH; n++)
            wrong |= fg_store_post(box.path, "seeds", FG_STR("x"), NULL) != FG_OK;
        _exit(wrong);
    }
    struct fg_store *store =
        box_open(&box, &(struct fg_store_options){.flush_every = FG_MILLISECOND});
    int left = PROCESSES;
    for (fg_page_id id = 1; left; id++) {
        struct fg_batch *batch = fg_batch_new(store);
        struct fg_page_row page = page_row(1, id);
        fg_batch_page(batch, &page);
        write_now(store, batch);
        int status;
        if (waitpid(-1, &status, WNOHANG) > 0) {
            assert_int_equal(status, 0);
            left--;
        }
    }
    assert_int_equal(look(store).n, PROCESSES * EACH);
    assert_int_equal(fg_store_check(store, NULL), FG_OK);
    box_close(store);
    box_free(&box);
}

FG_STORE_TESTS(commands_come_in_order_and_go_with_their_batch,
               processes_may_leave_commands_at_once)
