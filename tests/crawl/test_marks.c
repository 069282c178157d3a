/* A page that is the death of who reads it: suspect once, set aside twice, forgiven when
 * it has been read. */
#include "crawl/reading/marks.h"
#include "test.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct fg_str bad = {"http://a.example/bad", 20},
                           good = {"http://a.example/good", 21};

static char path[64];

static void set_up(void **state)
{
    (void)state;
    static unsigned n;
    snprintf(path, sizeof path, "/tmp/forage-marks-%d-%u", (int)getpid(), n++);
}

static struct fg_marks *open_marks(void)
{
    struct fg_marks *marks;
    struct fg_err err = {0};
    if (fg_marks_open(&marks, path, &err))
        fail_msg("%s", err.text);
    return marks;
}

/* A process that ends in the midst of it: by a fault, or by a signal that no page sends.
 */
static void end_reading(struct fg_str url, unsigned place, int number)
{
    pid_t child = fork();
    if (!child) {
        signal(number, SIG_DFL); /* the frame of the tests would catch it */
        struct fg_marks *marks = open_marks();
        fg_marks_begin(marks, 3, good);
        fg_marks_end(marks, 3, true);
        if (fg_marks_begin(marks, place, url))
            raise(number);
        _exit(1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(!WIFEXITED(status) || WEXITSTATUS(status) != 1);
}

static void die_reading(struct fg_str url, unsigned place)
{
    end_reading(url, place, SIGFPE);
}

static bool may_read(struct fg_marks *marks, struct fg_str url)
{
    bool may = fg_marks_begin(marks, 0, url);
    if (may)
        fg_marks_end(marks, 0, true);
    return may;
}

static void set_aside_after_two_ends(void **state)
{
    set_up(state);
    die_reading(bad, 0);
    die_reading(bad, 7);
    struct fg_marks *marks = open_marks();
    assert_false(may_read(marks, bad));
    assert_true(may_read(marks, good));
    fg_marks_close(marks);
    marks = open_marks(); /* an orderly end forgives nothing */
    assert_false(may_read(marks, bad));
    fg_marks_close(marks);
    unlink(path);
}

/* A page that takes all memory ends the crawl by no signal, but ends it. */
static void out_of_memory_is_a_fault_too(void **state)
{
    set_up(state);
    for (int i = 0; i < 2; i++) {
        pid_t child = fork();
        if (!child) {
            struct fg_marks *marks = open_marks();
            fg_marks_begin(marks, 0, bad);
            fg_out_of_memory();
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    }
    struct fg_marks *marks = open_marks();
    assert_false(may_read(marks, bad));
    assert_true(may_read(marks, good));
    fg_marks_close(marks);
    unlink(path);
}

static void who_pulls_the_plug_accuses_nobody(void **state)
{
    set_up(state);
    for (int i = 0; i < 3; i++)
        end_reading(bad, 0, SIGKILL);
    struct fg_marks *marks = open_marks();
    assert_true(may_read(marks, bad));
    fg_marks_close(marks);
    assert_int_equal(access(path, F_OK), -1);
}

static void what_was_read_for_long_is_suspect(void **state)
{
    set_up(state);
    pid_t child = fork();
    if (!child) {
        struct fg_marks *marks = open_marks();
        fg_marks_begin(marks, 0, bad);
        usleep(2100000);
        fg_marks_begin(marks, 1, good);
        fg_marks_beat(marks);
        raise(SIGKILL);
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
    end_reading(bad, 0, SIGKILL);
    struct fg_marks *marks = open_marks();
    assert_false(may_read(marks, bad));
    assert_true(may_read(marks, good));
    fg_marks_close(marks);
    unlink(path);
}

static void forgiven_when_read(void **state)
{
    set_up(state);
    die_reading(bad, 0);
    struct fg_marks *marks = open_marks();
    assert_true(may_read(marks, bad));
    fg_marks_close(marks);
    assert_int_equal(access(path, F_OK), -1); /* nothing to remember */
    die_reading(bad, 0);
    marks = open_marks();
    assert_true(may_read(marks, bad));
    fg_marks_close(marks);
}

/* Read, but not dealt with: the main loop may be what dies of it. */
static void not_forgiven_when_half_done(void **state)
{
    set_up(state);
    die_reading(bad, 0);
    struct fg_marks *marks = open_marks();
    assert_true(fg_marks_begin(marks, 0, bad));
    fg_marks_end(marks, 0, false);
    fg_marks_close(marks);
    die_reading(bad, 64);
    marks = open_marks();
    assert_false(may_read(marks, bad));
    fg_marks_close(marks);
    unlink(path);
}

struct reader {
    struct fg_marks *marks;
    bool is_done;
};

static void *read_good(void *context)
{
    struct reader *reader = context;
    fg_marks_begin(reader->marks, 1, good);
    __atomic_store_n(&reader->is_done, true, __ATOMIC_SEQ_CST);
    fg_marks_end(reader->marks, 1, true);
    return NULL;
}

static void a_suspect_is_read_alone(void **state)
{
    set_up(state);
    die_reading(bad, 0);
    struct reader reader = {.marks = open_marks()};
    pthread_t thread;
    assert_true(fg_marks_begin(reader.marks, 0, bad));
    assert_int_equal(pthread_create(&thread, NULL, read_good, &reader), 0);
    usleep(50000);
    assert_false(__atomic_load_n(&reader.is_done, __ATOMIC_SEQ_CST));
    fg_marks_end(reader.marks, 0, true);
    pthread_join(thread, NULL);
    assert_true(reader.is_done);
    fg_marks_close(reader.marks);
}

static void begun_anew_if_it_is_not_ours(void **state)
{
    set_up(state);
    FILE *f = fopen(path, "w");
    fputs("something else altogether", f);
    fclose(f);
    struct fg_marks *marks = open_marks();
    assert_true(may_read(marks, bad));
    fg_marks_close(marks);
    assert_true(fg_marks_begin(NULL, 0, bad)); /* nowhere to mark */
    fg_marks_end(NULL, 0, true);
}

FG_TESTS(out_of_memory_is_a_fault_too, set_aside_after_two_ends,
         who_pulls_the_plug_accuses_nobody, what_was_read_for_long_is_suspect,
         forgiven_when_read, not_forgiven_when_half_done, a_suspect_is_read_alone,
         begun_anew_if_it_is_not_ours)
