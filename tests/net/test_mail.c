/* Words of strangers stay where they are put: in one header, in the body. */
#include "net/text/mail.h"
#include "test.h"

static void check_header(const char *text, const char *expected)
{
    struct fg_buf buf;
    fg_buf_init(&buf, 1 << 16);
    fg_mail_header(&buf, "Subject", fg_str_from(text));
    assert_str(fg_buf_str(&buf), expected);
    fg_buf_clear(&buf);
}

static void check_body(const char *text, const char *expected)
{
    struct fg_buf buf;
    fg_buf_init(&buf, 1 << 16);
    fg_mail_quoted(&buf, fg_str_from(text));
    assert_str(fg_buf_str(&buf), expected);
    fg_buf_clear(&buf);
}

static void plain_headers_stay_plain(void **state)
{
    (void)state;
    check_header("3 new pages", "Subject: 3 new pages\n");
    check_header("", "Subject: \n");
}

/* base64 by coreutils: printf 'Grün' | base64 */
static void other_headers_are_encoded(void **state)
{
    (void)state;
    check_header("Gr\u00fcn", "Subject: =?UTF-8?B?R3LDvG4=?=\n");
    check_header("=?UTF-8?B?x?=", "Subject: =?UTF-8?B?PT9VVEYtOD9CP3g/PQ==?=\n");
}

static void a_header_is_one_header(void **state)
{
    (void)state;
    /* printf 'a  Bcc: x@y' | base64 */
    check_header("a\r\nBcc: x@y", "Subject: =?UTF-8?B?YSAgQmNjOiB4QHk=?=\n");
    check_header("\xff", "Subject: =?UTF-8?B?77+9?=\n");
}

/* 44 bytes and then a character of three: it goes into the next word. */
static void no_character_is_cut(void **state)
{
    (void)state;
    struct fg_buf buf;
    fg_buf_init(&buf, 1 << 16);
    fg_mail_header(&buf, "Subject",
                   FG_STR("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\u20ac"));
    assert_str(fg_buf_str(&buf),
               "Subject: =?UTF-8?B?"
               "YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE=?=\n"
               " =?UTF-8?B?4oKs?=\n");
    struct fg_str rest = fg_buf_str(&buf), line;
    while (rest.len && fg_str_cut(&rest, '\n', &line))
        assert_true(line.len <= 76 + 9);
    fg_buf_clear(&buf);
}

static void bodies_are_quoted_printable(void **state)
{
    (void)state;
    check_body("", "");
    check_body("a=b\n", "a=3Db\n");
    check_body("Gr\u00fcn", "Gr=C3=BCn\n");
    check_body("end \nof line\t\n", "end=20\nof line=20\n");
    check_body(".\nb", "=2E\nb\n");
    check_body("a\rb", "a b\n");
}

static void long_lines_are_broken_softly(void **state)
{
    (void)state;
    char text[161], expected[200];
    memset(text, 'x', 160);
    text[160] = '\0';
    snprintf(expected, sizeof expected, "%.75s=\n%.75s=\n%.10s\n", text, text, text);
    check_body(text, expected);
}

FG_TESTS(plain_headers_stay_plain, other_headers_are_encoded, a_header_is_one_header,
         no_character_is_cut, bodies_are_quoted_printable, long_lines_are_broken_softly)
