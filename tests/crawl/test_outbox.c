/* What was found is handed on in order, at least once, and to a file exactly once. */
#include "crawl/output/lines.h"

#include "store/fixture.h"

#include <signal.h>
#include <sys/wait.h>

struct post {
    struct box box;
    char file[192];
    struct fg_store *store;
    struct fg_outbox *outbox;
    uint64_t events;
};

static void open_post(struct post *post, bool with_file)
{
    post->store = box_open(&post->box, &(struct fg_store_options){.flush_every = 1});
    post->outbox = fg_outbox_new(post->store);
    struct fg_err err = {0};
    if (with_file && fg_outbox_to_file(post->outbox, post->file, &err))
        fail_msg("%s", err.text);
}

static void close_post(struct post *post)
{
    fg_outbox_free(post->outbox);
    box_close(post->store);
}

static struct post new_post(void)
{
    struct post post = {.box = box_new()};
    snprintf(post.file, sizeof post.file, "%s/events.jsonl", post.box.folder);
    return post;
}

/* Events n+1 .. n+more, each a line {"n":7}. */
static void add_events(struct post *post, unsigned more)
{
    struct fg_batch *batch = fg_batch_new(post->store);
    for (unsigned i = 0; i < more; i++) {
        char json[32];
        uint64_t n = ++post->events;
        int len = snprintf(json, sizeof json, "{\"n\":%d}", (int)n);
        fg_batch_event(batch, &(struct fg_event_row){.site = 1,
                                                     .page = (fg_page_id)n,
                                                     .id = n,
                                                     .time = (fg_time)n,
                                                     .kind = FG_STR("discovery"),
                                                     .json = {json, (size_t)len}});
    }
    write_now(post->store, batch);
}

static void deliver(struct post *post)
{
    struct fg_err err = {0};
    if (fg_outbox_deliver(post->outbox, &err))
        fail_msg("%s", err.text);
}

static void append(const char *path, const char *text)
{
    FILE *f = fopen(path, "a");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void assert_file(const char *path, const char *expected)
{
    char text[65536];
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    size_t n = fread(text, 1, sizeof text, f);
    fclose(f);
    assert_str(((struct fg_str){text, n}), expected);
}

static void events_are_written_in_order_and_once(void **state)
{
    (void)state;
    struct post post = new_post();
    open_post(&post, true);
    add_events(&post, 2);
    deliver(&post);
    deliver(&post);
    add_events(&post, 1);
    deliver(&post);
    assert_file(post.file, "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n");
    close_post(&post);
    open_post(&post, true);
    deliver(&post);
    add_events(&post, 1);
    deliver(&post);
    assert_file(post.file, "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n{\"n\":4}\n");
    close_post(&post);
    box_free(&post.box);
}

static void many_events_are_all_written(void **state)
{
    (void)state;
    struct post post = new_post();
    open_post(&post, true);
    add_events(&post, 3000);
    deliver(&post);
    FILE *f = fopen(post.file, "r");
    int n, lines = 0;
    while (fscanf(f, "{\"n\":%d}\n", &n) == 1)
        assert_int_equal(n, ++lines);
    fclose(f);
    assert_int_equal(lines, 3000);
    close_post(&post);
    box_free(&post.box);
}

/* The lines are there, but the store did not hear of it. */
static void lines_of_a_lost_delivery_are_cut_off_and_come_again(void **state)
{
    (void)state;
    static const char *const tails[] = {"{\"n\":2}\n", "{\"n\":2}\n{\"n\":3}\n",
                                        "{\"n\":2}\n{\"n", "{\"n\":2}", "{"};
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        struct post post = new_post();
        open_post(&post, true);
        add_events(&post, 1);
        deliver(&post);
        add_events(&post, 2);
        close_post(&post);
        append(post.file, tails[i]);
        open_post(&post, true);
        deliver(&post);
        assert_file(post.file, "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n");
        close_post(&post);
        box_free(&post.box);
    }
}

static void killed_in_the_first_delivery_nothing_is_doubled(void **state)
{
    (void)state;
    struct post post = new_post();
    append(post.file, "before\n");
    open_post(&post, false);
    add_events(&post, 3);
    close_post(&post);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        open_post(&post, true);
        fg_outbox_deliver(post.outbox, NULL);
        kill(getpid(), SIGKILL);
    }
    waitpid(child, NULL, 0);
    open_post(&post, true);
    deliver(&post);
    assert_file(post.file, "before\n{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n");
    close_post(&post);
    box_free(&post.box);
}

static void lines_of_others_are_left_alone(void **state)
{
    (void)state;
    struct post post = new_post();
    open_post(&post, true);
    add_events(&post, 1);
    deliver(&post);
    close_post(&post);
    append(post.file, "a note, without an end");
    open_post(&post, true);
    add_events(&post, 1);
    deliver(&post);
    append(post.file, "another\n");
    add_events(&post, 1);
    deliver(&post);
    assert_file(post.file, "{\"n\":1}\na note, without an end\n{\"n\":2}\nanother\n"
                           "{\"n\":3}\n");
    close_post(&post);
    box_free(&post.box);
}

static void file_moved_away_is_begun_anew(void **state)
{
    (void)state;
    struct post post = new_post();
    char old[256];
    snprintf(old, sizeof old, "%s.1", post.file);
    open_post(&post, true);
    add_events(&post, 2);
    deliver(&post);
    assert_int_equal(rename(post.file, old), 0);
    add_events(&post, 1);
    deliver(&post);
    assert_file(old, "{\"n\":1}\n{\"n\":2}\n");
    assert_file(post.file, "{\"n\":3}\n");
    close_post(&post);
    /* And while nobody ran. */
    assert_int_equal(unlink(post.file), 0);
    open_post(&post, true);
    add_events(&post, 1);
    deliver(&post);
    assert_file(post.file, "{\"n\":4}\n");
    close_post(&post);
    box_free(&post.box);
}

static void file_cut_to_nothing_gets_no_hole(void **state)
{
    (void)state;
    struct post post = new_post();
    open_post(&post, true);
    add_events(&post, 2);
    deliver(&post);
    assert_int_equal(truncate(post.file, 0), 0);
    add_events(&post, 1);
    deliver(&post);
    assert_file(post.file, "{\"n\":3}\n");
    close_post(&post);
    open_post(&post, true);
    deliver(&post);
    assert_file(post.file, "{\"n\":3}\n");
    close_post(&post);
    box_free(&post.box);
}

static void reader_that_goes_away_is_no_failure(void **state)
{
    (void)state;
    signal(SIGPIPE, SIG_IGN);
    struct post post = new_post();
    open_post(&post, true);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(fg_outbox_to_descriptor(post.outbox, "stdout", ends[1], false, NULL),
                     FG_OK);
    add_events(&post, 1);
    deliver(&post);
    assert_false(fg_outbox_is_unheard(post.outbox));
    char line[64];
    assert_int_equal(read(ends[0], line, sizeof line), 8);
    close(ends[0]);
    add_events(&post, 1);
    deliver(&post);
    assert_true(fg_outbox_is_unheard(post.outbox));
    assert_file(post.file, "{\"n\":1}\n{\"n\":2}\n");
    close(ends[1]);
    close_post(&post);

    /* The next reader gets what the last one did not. */
    open_post(&post, false);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(fg_outbox_to_descriptor(post.outbox, "stdout", ends[1], false, NULL),
                     FG_OK);
    deliver(&post);
    ssize_t n = read(ends[0], line, sizeof line);
    assert_str(((struct fg_str){line, (size_t)n}), "{\"n\":2}\n");
    close(ends[0]);
    close(ends[1]);
    close_post(&post);
    box_free(&post.box);
}

static void slow_reader_of_a_pipe_that_does_not_block_gets_all(void **state)
{
    (void)state;
    struct post post = new_post();
    open_post(&post, false);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    add_events(&post, 20000);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        close(ends[1]);
        usleep(50000);
        FILE *f = fdopen(ends[0], "r");
        int n, lines = 0;
        while (fscanf(f, "{\"n\":%d}\n", &n) == 1 && n == lines + 1)
            lines++;
        _exit(lines == 20000 ? 0 : 1);
    }
    close(ends[0]);
    assert_int_equal(fg_outbox_to_descriptor(post.outbox, "stdout", ends[1], false, NULL),
                     FG_OK);
    deliver(&post);
    close(ends[1]);
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    close_post(&post);
    box_free(&post.box);
}

static void line_that_was_cut_in_two_does_not_swallow_the_next(void **state)
{
    (void)state;
    struct post post = new_post();
    append(post.file, "{\"n\":1}\n{\"n\"");
    open_post(&post, false);
    int fd = open(post.file, O_WRONLY | O_APPEND);
    assert_int_equal(fg_outbox_to_descriptor(post.outbox, "stdout", fd, false, NULL),
                     FG_OK);
    add_events(&post, 1);
    deliver(&post);
    close(fd);
    assert_file(post.file, "{\"n\":1}\n{\"n\"\n{\"n\":1}\n");
    close_post(&post);
    box_free(&post.box);
}

static void device_can_be_written_to_again_and_again(void **state)
{
    (void)state;
    struct post post = new_post();
    snprintf(post.file, sizeof post.file, "/dev/null");
    for (int i = 0; i < 2; i++) {
        open_post(&post, true);
        add_events(&post, 1);
        deliver(&post);
        close_post(&post);
    }
    box_free(&post.box);
}

static void file_that_cannot_be_made_is_named(void **state)
{
    (void)state;
    struct post post = new_post();
    open_post(&post, false);
    struct fg_err err = {0};
    assert_int_equal(fg_outbox_to_file(post.outbox, "/nowhere/at/all", &err), FG_EIO);
    assert_non_null(strstr(err.text, "/nowhere/at/all"));
    close_post(&post);
    box_free(&post.box);
}

FG_TESTS(events_are_written_in_order_and_once, many_events_are_all_written,
         lines_of_a_lost_delivery_are_cut_off_and_come_again,
         killed_in_the_first_delivery_nothing_is_doubled, lines_of_others_are_left_alone,
         file_moved_away_is_begun_anew, file_cut_to_nothing_gets_no_hole,
         reader_that_goes_away_is_no_failure,
         slow_reader_of_a_pipe_that_does_not_block_gets_all,
         line_that_was_cut_in_two_does_not_swallow_the_next,
         device_can_be_written_to_again_and_again, file_that_cannot_be_made_is_named)
