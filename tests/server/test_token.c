#include "server/token.h"

#include "base/arena.h"
#include "base/file.h"
#include "server/listen.h"
#include "test.h"

#include <sys/stat.h>
#include <unistd.h>

static void a_token_is_kept_as_its_hash(void **state)
{
    char folder[] = "/tmp/forage-token-XXXXXX", first[FG_TOKEN_TEXT],
         second[FG_TOKEN_TEXT], path[80];
    struct fg_arena arena = {0};
    struct fg_token token;
    struct fg_str text;
    struct stat info;
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/server.token", folder);
    assert_int_equal(fg_token_load(&token, folder, NULL), FG_OK);
    assert_false(token.is_set);
    assert_false(fg_token_is(&token, FG_STR("")));
    assert_int_equal(fg_token_make(first, folder, NULL), FG_OK);
    assert_int_equal(strlen(first), 43);
    assert_int_equal(fg_token_load(&token, folder, NULL), FG_OK);
    assert_true(fg_token_is(&token, fg_str_from(first)));
    assert_false(fg_token_is(&token, fg_str_sub(fg_str_from(first), 0, 42)));
    assert_int_equal(fg_file_read(&text, &arena, path, 1000, NULL), FG_OK);
    assert_true(fg_str_find(text, fg_str_from(first)) == FG_NOT_FOUND);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 077, 0);
    /* A new one ends the old one. */
    assert_int_equal(fg_token_make(second, folder, NULL), FG_OK);
    assert_int_equal(fg_token_load(&token, folder, NULL), FG_OK);
    assert_false(fg_token_is(&token, fg_str_from(first)));
    assert_true(fg_token_is(&token, fg_str_from(second)));
    assert_int_equal(fg_file_replace(path, FG_STR("sha256:12"), NULL), FG_OK);
    struct fg_err err = {0};
    assert_int_equal(fg_token_load(&token, folder, &err), FG_ECONFIG);
    assert_non_null(strstr(err.text, "damaged"));
    unlink(path);
    rmdir(folder);
    fg_arena_clear(&arena);
}

static void the_sum_is_that_of_sha256(void **state)
{
    /* printf abc | sha256sum */
    static const uint8_t sum[] = {0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea,
                                  0x41, 0x41, 0x40, 0xde, 0x5d, 0xae, 0x22, 0x23,
                                  0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17, 0x7a, 0x9c,
                                  0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad};
    struct fg_token token = {.is_set = true};
    (void)state;
    memcpy(token.hash, sum, sizeof sum);
    assert_true(fg_token_is(&token, FG_STR("abc")));
    assert_false(fg_token_is(&token, FG_STR("abd")));
}

static void ten_wrong_guesses_cost_a_minute(void **state)
{
    static struct fg_door door = {.lock = PTHREAD_MUTEX_INITIALIZER};
    unsigned wait_s, turn;
    fg_time now = 1000 * FG_SECOND;
    (void)state;
    door.token.is_set = true;
    memset(door.token.hash, 1, sizeof door.token.hash);
    assert_int_equal(fg_door_try(&door, 7, FG_STR(""), now, &wait_s, &turn), 401);
    for (int i = 0; i < FG_GUESSES_MOST; i++)
        assert_int_equal(fg_door_try(&door, 7, FG_STR("guess"), now, &wait_s, &turn),
                         401);
    assert_int_equal(fg_door_try(&door, 7, FG_STR("guess"), now, &wait_s, &turn), 429);
    assert_int_equal(wait_s, 60 + 1);
    assert_int_equal(fg_door_try(&door, 8, FG_STR("guess"), now, &wait_s, &turn), 401);
    assert_int_equal(
        fg_door_try(&door, 7, FG_STR("guess"), now + 59 * FG_SECOND, &wait_s, &turn),
        429);
    assert_int_equal(
        fg_door_try(&door, 7, FG_STR("guess"), now + 60 * FG_SECOND, &wait_s, &turn),
        401);
    /* More addresses than there is room for push out the oldest. */
    for (uint64_t who = 100; who < 100 + 2 * FG_GUESSES_KEPT; who++)
        fg_guesses_add(&door.guesses, who, now + 61 * FG_SECOND + (fg_time)who);
    assert_int_equal(fg_guesses_wait(&door.guesses, 7, now + 62 * FG_SECOND), 0);
}

static void a_new_token_ends_the_one_before_while_the_door_is_open(void **state)
{
    static struct fg_door door = {.lock = PTHREAD_MUTEX_INITIALIZER};
    char folder[] = "/tmp/forage-token-XXXXXX", first[FG_TOKEN_TEXT],
         second[FG_TOKEN_TEXT], path[80];
    fg_time now = 1000 * FG_SECOND;
    unsigned wait_s, turn;
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/server.token", folder);
    assert_int_equal(fg_door_open(&door, folder, NULL), FG_OK);
    assert_int_equal(fg_door_try(&door, 1, FG_STR("guess"), now, &wait_s, &turn), 401);
    assert_int_equal(fg_token_make(first, folder, NULL), FG_OK);
    assert_int_equal(fg_door_try(&door, 1, fg_str_from(first), now, &wait_s, &turn), 0);
    assert_int_equal(fg_token_make(second, folder, NULL), FG_OK);
    assert_int_equal(fg_door_try(&door, 1, fg_str_from(first), now, &wait_s, &turn), 401);
    unsigned before = turn;
    assert_int_equal(fg_door_try(&door, 1, fg_str_from(second), now, &wait_s, &turn), 0);
    assert_int_equal(turn, before);
    /* Neither without a file nor by half of one does anybody come in. */
    assert_int_equal(fg_file_replace(path, FG_STR("sha256:12"), NULL), FG_OK);
    assert_int_equal(fg_door_try(&door, 1, fg_str_from(second), now, &wait_s, &turn),
                     401);
    assert_int_equal(fg_token_make(first, folder, NULL), FG_OK);
    assert_int_equal(fg_door_try(&door, 1, fg_str_from(first), now, &wait_s, &turn), 0);
    /* Who came in is told from who comes in by another, though nobody asks meanwhile. */
    assert_int_not_equal(turn, before);
    before = turn;
    unlink(path);
    fg_door_follow(&door);
    assert_int_equal(door.turn, before + 1);
    assert_int_equal(fg_door_try(&door, 1, fg_str_from(first), now, &wait_s, &turn), 401);
    rmdir(folder);
}

static void addresses_to_listen_on(void **state)
{
    struct fg_listen at;
    char text[FG_LISTEN_TEXT];
    struct fg_err err = {0};
    (void)state;
    static const struct {
        const char *text, *means;
        bool is_loopback;
    } good[] = {{"127.0.0.1:6724", "127.0.0.1:6724", true},
                {"127.0.0.1", "127.0.0.1:6724", true},
                {":8000", "127.0.0.1:8000", true},
                {"localhost:1", "127.0.0.1:1", true},
                {"[::1]:9", "[::1]:9", true},
                {"0.0.0.0:80", "0.0.0.0:80", false},
                {"[::]:80", "[::]:80", false},
                {"127.9.9.9:5", "127.9.9.9:5", true}};
    static const char *const bad[] = {
        "",     "example.org:80", "127.0.0.1:70000", "1.2.3:80",
        "[::1", "127.0.0.1:http", "[::1]6724",       "::1"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_int_equal(fg_listen_parse(&at, fg_str_from(good[i].text), &err), FG_OK);
        assert_string_equal(fg_listen_format(text, &at), good[i].means);
        assert_int_equal(at.is_loopback, good[i].is_loopback);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(fg_listen_parse(&at, fg_str_from(bad[i]), &err), FG_ECONFIG);
}

static void a_port_that_is_taken_is_passed_over(void **state)
{
    struct fg_listen first, second;
    struct fg_err err = {0};
    char text[FG_LISTEN_TEXT];
    (void)state;
    assert_int_equal(fg_listen_parse(&first, FG_STR("127.0.0.1:0"), &err), FG_OK);
    int one = fg_listen_open(&first, &err);
    assert_true(one >= 0);
    assert_int_equal(
        fg_listen_parse(&second, fg_str_from(fg_listen_format(text, &first)), &err),
        FG_OK);
    int other = fg_listen_open(&second, &err);
    assert_true(other >= 0);
    assert_true(fg_listen_port(&second) != fg_listen_port(&first));
    close(one);
    close(other);
}

FG_TESTS(a_token_is_kept_as_its_hash, the_sum_is_that_of_sha256,
         ten_wrong_guesses_cost_a_minute,
         a_new_token_ends_the_one_before_while_the_door_is_open, addresses_to_listen_on,
         a_port_that_is_taken_is_passed_over)
