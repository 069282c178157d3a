#include "test.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/log.h"

#include <jansson.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

static const fg_time moment = INT64_C(1794776538042999); /* 2026-11-15T21:02:18.042999Z */

static struct fg_str line_of(struct fg_buf *buf, enum fg_log_format format,
                             const struct fg_log_field *fields)
{
    fg_buf_reset(buf);
    fg_log_line(buf, format, moment, FG_LOG_INFO, "fetch", "page fetched", fields);
    return fg_buf_str(buf);
}

static void a_line_is_key_value(void **state)
{
    (void)state;
    struct fg_buf buf;
    fg_buf_init(&buf, 1 << 20);
    assert_str(line_of(&buf, FG_LOG_TEXT,
                       (struct fg_log_field[]){FG_F("host", "a.example"),
                                               FG_F("status", 200),
                                               FG_F("size", (size_t)12),
                                               FG_F("share", 0.25),
                                               FG_F("new", (bool)true),
                                               {0}}),
               "ts=2026-11-15T21:02:18.042Z level=info area=fetch msg=\"page fetched\" "
               "host=a.example status=200 size=12 share=0.25 new=true\n");
    fg_buf_clear(&buf);
}

static void hostile_values_cannot_forge_a_line(void **state)
{
    (void)state;
    struct fg_buf buf;
    fg_buf_init(&buf, 1 << 20);
    static const char *const hostile[] = {"x\nts=1 level=error area=fetch msg=forged",
                                          "\033]0;owned\007",
                                          "a\" b=\"c",
                                          "",
                                          "a=b",
                                          "a b",
                                          "\\",
                                          "\xff\xfe",
                                          "\xE2\x80\xAE"};
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        const struct fg_log_field fields[] = {FG_F("title", hostile[i]), {0}};
        struct fg_str line = line_of(&buf, FG_LOG_TEXT, fields);
        assert_int_equal(fg_str_chr(line, '\n'), line.len - 1);
        assert_true(fg_str_chr(line, '\033') == FG_NOT_FOUND);
        /* what follows the key is one JSON string */
        size_t at = fg_str_find(line, FG_STR("title=")) + 6;
        json_t *value =
            json_loadb(line.at + at, line.len - at - 1, JSON_DECODE_ANY, NULL);
        assert_true(json_is_string(value));
        json_decref(value);
    }
    fg_buf_clear(&buf);
}

static void json_lines_parse(void **state)
{
    (void)state;
    struct fg_buf buf;
    fg_buf_init(&buf, 1 << 20);
    const struct fg_log_field fields[] = {FG_F("title", "\033[1m\n\"quoted\" \xff"),
                                          FG_F("n", -5),
                                          FG_F("rate", INFINITY),
                                          FG_F("ok", (bool)false),
                                          {0}};
    struct fg_str line = line_of(&buf, FG_LOG_JSON, fields);
    assert_int_equal(line.at[line.len - 1], '\n');
    json_t *root = json_loadb(line.at, line.len, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(root);
    assert_string_equal(json_string_value(json_object_get(root, "ts")),
                        "2026-11-15T21:02:18.042Z");
    assert_string_equal(json_string_value(json_object_get(root, "title")),
                        "\033[1m\n\"quoted\" \xEF\xBF\xBD");
    assert_int_equal(json_integer_value(json_object_get(root, "n")), -5);
    assert_true(json_is_null(json_object_get(root, "rate")));
    assert_true(json_is_false(json_object_get(root, "ok")));
    json_decref(root);
    fg_buf_clear(&buf);
}

static void long_values_and_many_fields_are_cut(void **state)
{
    (void)state;
    struct fg_buf buf;
    fg_buf_init(&buf, 1 << 20);
    char *value = calloc(1, 100000); /* NULs, which take six letters each */
    struct fg_log_field fields[FG_LOG_FIELDS_MAX + 10] = {0};
    for (size_t i = 0; i < FG_LOG_FIELDS_MAX + 9; i++)
        fields[i] = FG_F("k", ((struct fg_str){value, 100000}));
    struct fg_str line = line_of(&buf, FG_LOG_TEXT, fields);
    assert_false(buf.full);
    assert_true(line.len < (FG_LOG_FIELDS_MAX + 1) * 6200);
    assert_true(fg_str_ends(line, FG_STR("\\u0000...\"\n")));
    free(value);
    fg_buf_clear(&buf);
}

static struct fg_str slurp(struct fg_arena *arena, const char *path)
{
    struct fg_str text;
    assert_int_equal(fg_file_read(&text, arena, path, 1 << 20, NULL), FG_OK);
    return text;
}

static size_t count_lines(struct fg_str text)
{
    size_t n = 0;
    for (size_t i = 0; i < text.len; i++)
        n += text.at[i] == '\n';
    return n;
}

static void levels_choose_and_files_rotate(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    char dir[] = "/tmp/forage-log-XXXXXX";
    assert_non_null(mkdtemp(dir));
    struct fg_str path = fg_arena_printf(&arena, "%s/log", dir);
    struct fg_str moved = fg_arena_printf(&arena, "%s/log.1", dir);
    struct fg_log_settings settings = {FG_LOG_INFO, FG_LOG_TEXT, path};
    struct fg_err err = {0};

    assert_int_equal(fg_log_open(&settings, &err), FG_OK);
    fg_log_info("test", "written");
    fg_log_debug("test", "not written", FG_F("n", 1));
    assert_int_equal(count_lines(slurp(&arena, path.at)), 1);

    rename(path.at, moved.at);
    fg_log_warn("test", "still goes to the old file");
    assert_int_equal(fg_log_reopen(&err), FG_OK);
    fg_log_error("test", "goes to the new one", FG_F("n", 2));
    assert_int_equal(count_lines(slurp(&arena, moved.at)), 2);
    struct fg_str text = slurp(&arena, path.at);
    assert_int_equal(count_lines(text), 1);
    assert_true(fg_str_ends(
        text, FG_STR("level=error area=test msg=\"goes to the new one\" n=2\n")));

    fg_log_close(NULL);
    unlink(path.at);
    unlink(moved.at);
    rmdir(dir);
    fg_arena_clear(&arena);
}

static void a_file_that_cannot_be_opened_changes_nothing(void **state)
{
    (void)state;
    struct fg_log_settings settings = {FG_LOG_TRACE, FG_LOG_JSON,
                                       FG_STR("/nonexistent/forage.log")};
    struct fg_err err = {0};
    assert_int_equal(fg_log_open(&settings, &err), FG_EIO);
    assert_non_null(strstr(err.text, "'/nonexistent/forage.log'"));
    assert_false(fg_log_wants(FG_LOG_INFO));
}

static void lost_lines_are_counted_when_there_is_room_again(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    char dir[] = "/tmp/forage-log-XXXXXX";
    assert_non_null(mkdtemp(dir));
    struct fg_str path = fg_arena_printf(&arena, "%s/log", dir);
    if (access("/dev/full", W_OK) != 0 || symlink("/dev/full", path.at) != 0)
        skip();
    struct fg_log_settings settings = {FG_LOG_INFO, FG_LOG_TEXT, path};
    struct fg_err err = {0};
    assert_int_equal(fg_log_open(&settings, NULL), FG_OK);
    fg_log_info("test", "nought");
    assert_int_equal(fg_log_close(&err), FG_EFULL);
    assert_non_null(strstr(err.text, "No space left on device; lines lost: 1"));
    assert_int_equal(fg_log_open(&settings, NULL), FG_OK);
    fg_log_info("test", "one");
    fg_log_info("test", "two");
    unlink(path.at);
    assert_int_equal(fg_log_reopen(NULL), FG_OK);
    fg_log_info("test", "three");
    fg_log_info("test", "four");
    struct fg_str text = slurp(&arena, path.at);
    assert_int_equal(count_lines(text), 3);
    assert_true(fg_str_find(text, FG_STR("msg=\"lines were lost\" lines=2\n")) < 100);
    assert_int_equal(fg_log_close(NULL), FG_OK);
    unlink(path.at);
    rmdir(dir);
    fg_arena_clear(&arena);
}

enum { THREADS = 4, LINES = 500 };

static void *write_lines(void *arg)
{
    for (int i = 0; i < LINES; i++)
        fg_log_info("test", "from a thread", FG_F("thread", *(int *)arg), FG_F("i", i));
    return NULL;
}

static void lines_of_threads_do_not_mix(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    char dir[] = "/tmp/forage-log-XXXXXX";
    assert_non_null(mkdtemp(dir));
    struct fg_str path = fg_arena_printf(&arena, "%s/log", dir);
    struct fg_log_settings settings = {FG_LOG_INFO, FG_LOG_JSON, path};
    assert_int_equal(fg_log_open(&settings, NULL), FG_OK);
    pthread_t threads[THREADS];
    int names[THREADS];
    for (int i = 0; i < THREADS; i++) {
        names[i] = i;
        pthread_create(&threads[i], NULL, write_lines, &names[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    fg_log_close(NULL);

    struct fg_str text = slurp(&arena, path.at), line;
    size_t n = 0;
    while (fg_str_cut(&text, '\n', &line) && line.len) {
        json_t *root = json_loadb(line.at, line.len, 0, NULL);
        assert_non_null(root);
        json_decref(root);
        n++;
    }
    assert_int_equal(n, THREADS * LINES);
    unlink(path.at);
    rmdir(dir);
    fg_arena_clear(&arena);
}

FG_TESTS(a_line_is_key_value, hostile_values_cannot_forge_a_line, json_lines_parse,
         long_values_and_many_fields_are_cut, levels_choose_and_files_rotate,
         a_file_that_cannot_be_opened_changes_nothing,
         lost_lines_are_counted_when_there_is_room_again, lines_of_threads_do_not_mix)
