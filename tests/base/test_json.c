#include "base/json.h"

#include "base/rng.h"
#include "test.h"

#include <jansson.h>

static struct fg_buf buf;

static struct fg_json fresh(void)
{
    fg_buf_clear(&buf);
    fg_buf_init(&buf, 1 << 20);
    return fg_json_to(&buf);
}

static void commas_look_after_themselves(void **state)
{
    (void)state;
    struct fg_json json = fresh();
    fg_json_object(&json);
    fg_json_key(&json, "a");
    fg_json_array(&json);
    fg_json_int(&json, -1);
    fg_json_array(&json);
    fg_json_end(&json);
    fg_json_object(&json);
    fg_json_end(&json);
    fg_json_bool(&json, true);
    fg_json_end(&json);
    fg_json_key_str(&json, FG_STR("b\"c"));
    fg_json_null(&json);
    fg_json_key(&json, "d");
    fg_json_cstr(&json, NULL);
    fg_json_key(&json, "e");
    fg_json_uint(&json, UINT64_MAX);
    fg_json_end(&json);
    assert_str(fg_buf_str(&buf), "{\"a\":[-1,[],{},true],\"b\\\"c\":null,\"d\":null,"
                                 "\"e\":18446744073709551615}");
    fg_buf_clear(&buf);
}

static void pairs_are_a_key_and_its_value(void **state)
{
    (void)state;
    struct fg_json json = fresh();
    fg_json_object(&json);
    fg_json_pair(&json, "a", FG_STR("x"));
    fg_json_pair(&json, "b", (struct fg_str){0});
    fg_json_pair(&json, "c", FG_STR(""));
    fg_json_pair_cstr(&json, "d", NULL);
    fg_json_pair_int(&json, "e", -2);
    fg_json_pair_uint(&json, "f", 3);
    fg_json_pair_double(&json, "g", 0.5);
    fg_json_pair_bool(&json, "h", false);
    fg_json_pair_time(&json, "i", 0);
    fg_json_end(&json);
    assert_str(fg_buf_str(&buf), "{\"a\":\"x\",\"b\":null,\"c\":\"\",\"d\":null,\"e\":-2,"
                                 "\"f\":3,\"g\":0.5,\"h\":false,"
                                 "\"i\":\"1970-01-01T00:00:00Z\"}");
    fg_buf_clear(&buf);
}

static void text_is_escaped(void **state)
{
    (void)state;
    static const struct {
        struct fg_str text;
        const char *json;
    } cases[] = {
        {FG_STR("plain"), "\"plain\""},
        {{NULL, 0}, "\"\""},
        {FG_STR("\"\\/"), "\"\\\"\\\\/\""},
        {FG_STR("\n\r\t\b\x1f"), "\"\\n\\r\\t\\u0008\\u001f\""},
        {FG_STR("a\0b\x7f"), "\"a\\u0000b\\u007f\""},
        {FG_STR("</script>&"), "\"\\u003c/script\\u003e\\u0026\""},
        {FG_STR("\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaa"), "\"\\u2028\\u2029\\u202a\""},
        {FG_STR("\xc2\x9b"
                "2J\xe2\x80\xae\xe2\x81\xa6\xf3\xa0\x81\x81"),
         "\"\\u009b2J\\u202e\\u2066\\udb40\\udc41\""},
        {FG_STR("\xc3\xa9\xf0\x9f\x98\x80"), "\"\xc3\xa9\xf0\x9f\x98\x80\""},
        {FG_STR("\xff"
                "a\xc3"),
         "\"\xef\xbf\xbd"
         "a\xef\xbf\xbd\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fg_json json = fresh();
        fg_json_str(&json, cases[i].text);
        assert_str(fg_buf_str(&buf), cases[i].json);
    }
    fg_buf_clear(&buf);
}

/* Any bytes at all: jansson, which is strict about UTF-8, reads them. */
static void any_bytes_become_valid_json(void **state)
{
    (void)state;
    struct fg_rng rng = fg_rng_from_seed(1);
    for (int round = 0; round < 2000; round++) {
        char bytes[64];
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (char)fg_rng_below(&rng, round % 2 ? 256 : 128);
        struct fg_json json = fresh();
        fg_json_array(&json);
        fg_json_str(&json, (struct fg_str){bytes, sizeof bytes});
        fg_json_end(&json);
        json_error_t error;
        json_t *read = json_loadb(buf.at, buf.len, JSON_ALLOW_NUL, &error);
        assert_non_null(read);
        const json_t *text = json_array_get(read, 0);
        if (round % 2 == 0) { /* ASCII comes back as it was */
            assert_int_equal(json_string_length(text), sizeof bytes);
            assert_memory_equal(json_string_value(text), bytes, sizeof bytes);
        }
        json_decref(read);
    }
    fg_buf_clear(&buf);
}

static void numbers_read_back(void **state)
{
    (void)state;
    static const struct {
        double number;
        const char *json;
    } cases[] = {
        {0, "0"},
        {0.1, "0.1"},
        {1.0 / 3, "0.3333333333333333"},
        {1e21, "1e+21"},
        {123456789, "123456789"},
        {-2.5, "-2.5"},
        {NAN, "null"},
        {INFINITY, "null"},
        {-INFINITY, "null"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fg_json json = fresh();
        fg_json_double(&json, cases[i].number);
        assert_str(fg_buf_str(&buf), cases[i].json);
    }
    struct fg_rng rng = fg_rng_from_seed(2);
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = fg_rng_next(&rng);
        double x;
        memcpy(&x, &bits, sizeof x);
        if (!isfinite(x))
            continue;
        struct fg_json json = fresh();
        fg_json_double(&json, x);
        fg_buf_add_char(&buf, '\0');
        assert_true(strtod(buf.at, NULL) == x);
    }
    struct fg_json json = fresh();
    fg_json_int(&json, INT64_MIN);
    assert_str(fg_buf_str(&buf), "-9223372036854775808");
    fg_buf_clear(&buf);
}

static void times_are_iso_or_null(void **state)
{
    (void)state;
    struct fg_json json = fresh();
    fg_json_array(&json);
    fg_json_time(&json, 0);
    fg_json_time(&json, FG_NEVER);
    fg_json_end(&json);
    assert_str(fg_buf_str(&buf), "[\"1970-01-01T00:00:00Z\",null]");
    fg_buf_clear(&buf);
}

static void levels_go_sixty_four_deep(void **state)
{
    (void)state;
    struct fg_json json = fresh();
    for (int i = 0; i < 64; i++) {
        if (i % 2) {
            fg_json_key(&json, "k");
            fg_json_array(&json);
        } else {
            fg_json_object(&json);
        }
    }
    for (int i = 0; i < 64; i++)
        fg_json_end(&json);
    assert_int_equal(buf.at[buf.len - 1], '}');
    json_t *read = json_loadb(buf.at, buf.len, 0, NULL);
    assert_non_null(read);
    json_decref(read);
    fg_buf_clear(&buf);
}

FG_TESTS(commas_look_after_themselves, pairs_are_a_key_and_its_value, text_is_escaped,
         any_bytes_become_valid_json, numbers_read_back, times_are_iso_or_null,
         levels_go_sixty_four_deep)
