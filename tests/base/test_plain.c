#include "test.h"

#include "base/plain.h"

static void assert_plain(const char *text, size_t len, const char *plain,
                         const char *quoted)
{
    struct fg_buf buf;
    fg_buf_init(&buf, 1000);
    fg_plain_add(&buf, (struct fg_str){text, len});
    assert_str(fg_buf_str(&buf), plain);
    fg_buf_reset(&buf);
    fg_plain_quote(&buf, (struct fg_str){text, len});
    assert_str(fg_buf_str(&buf), quoted);
    fg_buf_clear(&buf);
}
#define PLAIN(text, plain, quoted) assert_plain(text, sizeof(text) - 1, plain, quoted)

static void harmless_text_stays(void **state)
{
    (void)state;
    PLAIN("", "", "\"\"");
    PLAIN("a b=c", "a b=c", "\"a b=c\"");
    PLAIN("h\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x8C\xB1",
          "h\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x8C\xB1",
          "\"h\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x8C\xB1\"");
}

static void quotes_are_escaped_only_inside_quotes(void **state)
{
    (void)state;
    PLAIN("a\"b\\c", "a\"b\\c", "\"a\\\"b\\\\c\"");
}

static void terminals_are_never_addressed(void **state)
{
    (void)state;
    PLAIN("\033[2J", "\\u001b[2J", "\"\\u001b[2J\"");
    PLAIN("a\nb\rc\td", "a\\nb\\rc\\td", "\"a\\nb\\rc\\td\"");
    PLAIN("a\0b", "a\\u0000b", "\"a\\u0000b\"");
    PLAIN("\x7F", "\\u007f", "\"\\u007f\"");
    PLAIN("\xC2\x9B"
          "31m",
          "\\u009b31m", "\"\\u009b31m\""); /* CSI as one character */
    PLAIN("\x9B"
          "31m",
          "\xEF\xBF\xBD"
          "31m",
          "\"\xEF\xBF\xBD"
          "31m\""); /* and as one byte */
}

static void text_is_never_reordered(void **state)
{
    (void)state;
    PLAIN("\xE2\x80\xAE"
          "gpj.exe",
          "\\u202egpj.exe", "\"\\u202egpj.exe\"");
    PLAIN("\xE2\x81\xA6x\xE2\x81\xA9", "\\u2066x\\u2069", "\"\\u2066x\\u2069\"");
    PLAIN("\xE2\x80\xA8", "\\u2028", "\"\\u2028\"");
    PLAIN("\xF3\xA0\x81\x81", "\\udb40\\udc41", "\"\\udb40\\udc41\""); /* a hidden "A" */
}

static void our_own_sequences_pass(void **state)
{
    (void)state;
    struct fg_buf out;
    fg_buf_init(&out, 1 << 16);
    fg_plain_pass(&out, FG_STR("\x1b[1m{\"a\":\"\xc3\xa9\xc2\x9b\xe2\x80\xae\"}\x1b[0m\n"
                               "\x7f\x9b\t"));
    assert_str(fg_buf_str(&out), "\x1b[1m{\"a\":\"\xc3\xa9\\u009b\\u202e\"}\x1b[0m\n"
                                 "\\u007f\xef\xbf\xbd\t");
    fg_buf_clear(&out);
}

FG_TESTS(our_own_sequences_pass, harmless_text_stays,
         quotes_are_escaped_only_inside_quotes, terminals_are_never_addressed,
         text_is_never_reordered)
