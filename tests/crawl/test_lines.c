/* What was found is handed on in order, at least once, and to a file exactly once. */
#include "crawl/output/lines.h"

#include "store/fixture.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

struct post {
    struct box box;
    char file[192];
    struct fg_store *store;
    struct fg_lines *to_file, *to_descriptor; /* or NULL */
    uint64_t events;
};

static void open_post(struct post *post, bool with_file)
{
    post->store = box_open(&post->box, &(struct fg_store_options){.flush_every = 1});
    post->to_file = post->to_descriptor = NULL;
    struct fg_err err = {0};
    if (with_file &&
        fg_lines_to_file(&post->to_file, post->store, post->file, NULL, &err))
        fail_msg("%s", err.text);
}

static void close_post(struct post *post)
{
    fg_lines_free(post->to_file);
    fg_lines_free(post->to_descriptor);
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

static enum fg_status try_to_deliver(struct post *post, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    if (post->to_descriptor)
        st = fg_lines_deliver(post->to_descriptor, err);
    if (!st && post->to_file)
        st = fg_lines_deliver(post->to_file, err);
    return st;
}

static void deliver(struct post *post)
{
    struct fg_err err = {0};
    if (try_to_deliver(post, &err))
        fail_msg("%s", err.text);
}

static void to_descriptor(struct post *post, int fd)
{
    assert_int_equal(fg_lines_to_descriptor(&post->to_descriptor, post->store, "stdout",
                                            fd, NULL, NULL),
                     FG_OK);
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
        fg_lines_deliver(post.to_file, NULL);
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
    to_descriptor(&post, ends[1]);
    add_events(&post, 1);
    deliver(&post);
    assert_false(fg_lines_are_closed(post.to_descriptor));
    char line[64];
    assert_int_equal(read(ends[0], line, sizeof line), 8);
    close(ends[0]);
    add_events(&post, 1);
    deliver(&post);
    assert_true(fg_lines_are_closed(post.to_descriptor));
    assert_file(post.file, "{\"n\":1}\n{\"n\":2}\n");
    close(ends[1]);
    close_post(&post);

    /* The next reader gets what the last one did not. */
    open_post(&post, false);
    assert_int_equal(pipe(ends), 0);
    to_descriptor(&post, ends[1]);
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
    to_descriptor(&post, ends[1]);
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
    to_descriptor(&post, fd);
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
    assert_int_equal(
        fg_lines_to_file(&post.to_file, post.store, "/nowhere/at/all", NULL, &err),
        FG_EIO);
    assert_non_null(strstr(err.text, "/nowhere/at/all"));
    close_post(&post);
    box_free(&post.box);
}

/* --- full disks: a limit on the size of files is the nearest thing that needs no root.
 * The store's files are small beside ours. --- */

enum { LARGE = 8 << 20 };

static void begin_large(const struct post *post)
{
    signal(SIGXFSZ, SIG_IGN);
    append(post->file, "");
    assert_int_equal(truncate(post->file, LARGE - 1), 0);
    append(post->file, "\n");
}

/* So much may be written behind what is there; less than 0: all. */
static void leave_room(int bytes)
{
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes < 0 ? limit.rlim_max : (rlim_t)(LARGE + bytes);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void assert_tail(const char *path, const char *expected)
{
    char text[200];
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_int_equal(fseek(f, LARGE, SEEK_SET), 0);
    size_t n = fread(text, 1, sizeof text, f);
    fclose(f);
    assert_str(((struct fg_str){text, n}), expected);
}

static void assert_full(struct post *post)
{
    struct fg_err err = {0};
    assert_int_equal(try_to_deliver(post, &err), FG_EFULL);
    assert_non_null(strstr(err.text, "File too large"));
}

static void full_file_has_whole_lines_only_and_goes_on(void **state)
{
    (void)state;
    struct post post = new_post();
    begin_large(&post);
    open_post(&post, true);
    add_events(&post, 1);
    deliver(&post);
    add_events(&post, 3);
    leave_room(20);
    assert_full(&post);
    assert_tail(post.file, "{\"n\":1}\n");
    add_events(&post, 1);
    assert_full(&post);
    assert_tail(post.file, "{\"n\":1}\n");
    leave_room(-1);
    deliver(&post);
    assert_tail(post.file, "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n{\"n\":4}\n{\"n\":5}\n");
    close_post(&post);
    open_post(&post, true);
    deliver(&post);
    assert_tail(post.file, "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n{\"n\":4}\n{\"n\":5}\n");
    close_post(&post);
    box_free(&post.box);
}

/* Which is what one does to a disk that is full. */
static void full_file_may_be_moved_away(void **state)
{
    (void)state;
    struct post post = new_post();
    char old[256];
    snprintf(old, sizeof old, "%s.1", post.file);
    begin_large(&post);
    open_post(&post, true);
    add_events(&post, 3);
    leave_room(12);
    assert_full(&post);
    assert_int_equal(rename(post.file, old), 0);
    deliver(&post);
    leave_room(-1);
    assert_tail(old, "");
    assert_file(post.file, "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n");
    close_post(&post);
    box_free(&post.box);
}

static void killed_while_the_file_is_full_nothing_is_lost(void **state)
{
    (void)state;
    struct post post = new_post();
    begin_large(&post);
    open_post(&post, true);
    add_events(&post, 3);
    close_post(&post);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        open_post(&post, true);
        leave_room(12);
        fg_lines_deliver(post.to_file, NULL);
        kill(getpid(), SIGKILL);
    }
    waitpid(child, NULL, 0);
    open_post(&post, true);
    deliver(&post);
    assert_tail(post.file, "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n");
    close_post(&post);
    box_free(&post.box);
}

/* What was written cannot be taken back: the rest of the line follows. */
static void full_descriptor_goes_on_within_the_line(void **state)
{
    (void)state;
    struct post post = new_post();
    begin_large(&post);
    open_post(&post, false);
    int fd = open(post.file, O_WRONLY | O_APPEND);
    to_descriptor(&post, fd);
    add_events(&post, 3);
    leave_room(12);
    assert_full(&post);
    assert_tail(post.file, "{\"n\":1}\n{\"n\"");
    add_events(&post, 1);
    assert_full(&post);
    leave_room(-1);
    deliver(&post);
    assert_tail(post.file, "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n{\"n\":4}\n");
    close(fd);
    close_post(&post);
    box_free(&post.box);
}

static void full_device_is_waited_for(void **state)
{
    (void)state;
    struct post post = new_post();
    snprintf(post.file, sizeof post.file, "/dev/full");
    open_post(&post, true);
    add_events(&post, 1);
    struct fg_err err = {0};
    for (int i = 0; i < 2; i++)
        assert_int_equal(try_to_deliver(&post, &err), FG_EFULL);
    close_post(&post);
    box_free(&post.box);
}

FG_TESTS(full_file_has_whole_lines_only_and_goes_on, full_file_may_be_moved_away,
         killed_while_the_file_is_full_nothing_is_lost,
         full_descriptor_goes_on_within_the_line, full_device_is_waited_for,
         events_are_written_in_order_and_once, many_events_are_all_written,
         lines_of_a_lost_delivery_are_cut_off_and_come_again,
         killed_in_the_first_delivery_nothing_is_doubled, lines_of_others_are_left_alone,
         file_moved_away_is_begun_anew, file_cut_to_nothing_gets_no_hole,
         reader_that_goes_away_is_no_failure,
         slow_reader_of_a_pipe_that_does_not_block_gets_all,
         line_that_was_cut_in_two_does_not_swallow_the_next,
         device_can_be_written_to_again_and_again, file_that_cannot_be_made_is_named)
