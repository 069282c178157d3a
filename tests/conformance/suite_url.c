/* urltestdata, toascii, IdnaTestV2 and percent-encoding of web-platform-tests, run the
 * way its own scripts run them, and a crawler's normalisation (crawler-commons). */
#include "conformance/suite.h"

#include "base/buf.h"
#include "net/url/canonical.h"
#include "net/url/idna.h"
#include "net/url/percent.h"
#include "net/url/url.h"

#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The value of "\\uXXXX" at the front of `s`, or -1. */
static int escaped(struct fg_str s)
{
    int value = 0;
    if (s.len < 6 || s.at[0] != '\\' || s.at[1] != 'u')
        return -1;
    for (size_t i = 2; i < 6; i++)
        value = value << 4 | (fg_hex(s.at[i]) & 15);
    return value;
}

/* JSON may escape half of a surrogate pair, which no UTF-8 has and jansson refuses. As in
 * a browser, that half becomes U+FFFD before the parser sees it. */
static void mend_surrogates(char *text, size_t len)
{
    for (size_t i = 0, step; i < len; i += step) {
        struct fg_str rest = {text + i, len - i};
        int c = escaped(rest), next = escaped(fg_str_skip(rest, 6));
        step = text[i] != '\\' ? 1 : c < 0 ? 2 : 6;
        if (c < 0xD800 || c > 0xDFFF)
            continue;
        if (c < 0xDC00 && next >= 0xDC00 && next <= 0xDFFF)
            step = 12;
        else
            memcpy(text + i, "\\ufffd", 6);
    }
}

static json_t *read_cases(struct suite *suite, const char *file)
{
    struct fg_str text;
    json_error_t error;
    if (!suite_read(suite, file, &text))
        return NULL;
    char *copy = fg_arena_cstr(&suite->arena, text);
    mend_surrogates(copy, text.len);
    json_t *cases = json_loadb(copy, text.len, JSON_ALLOW_NUL, &error);
    if (!cases) {
        fprintf(stderr, "%s/%s:%d: %s\n", suite->folder, file, error.line, error.text);
        exit(1);
    }
    return cases;
}

struct expected_part {
    const char *name;
    struct fg_str (*get)(const struct fg_url *url);
};
static const struct expected_part parts[] = {
    {"protocol", fg_url_protocol}, {"username", fg_url_username},
    {"password", fg_url_password}, {"host", fg_url_host},
    {"hostname", fg_url_hostname}, {"port", fg_url_port_text},
    {"pathname", fg_url_pathname}, {"search", fg_url_search},
    {"hash", fg_url_hash},
};

/* The name of the first part that is not as expected, or NULL. */
static const char *first_wrong(struct suite *suite, const json_t *test,
                               const struct fg_url *url)
{
    if (!fg_str_eq(url->href, suite_str(test, "href")))
        return "href";
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (json_object_get(test, parts[i].name) &&
            !fg_str_eq(parts[i].get(url), suite_str(test, parts[i].name)))
            return parts[i].name;
    if (json_object_get(test, "origin") &&
        !fg_str_eq(fg_url_origin(&suite->arena, url), suite_str(test, "origin")))
        return "origin";
    return NULL;
}

static bool parses(struct suite *suite, struct fg_str input, const char *base)
{
    struct fg_url base_url, url;
    return fg_url_parse(&base_url, &suite->arena, fg_str_from(base), NULL) &&
           fg_url_parse(&url, &suite->arena, input, &base_url);
}

/* An input that fails without a base: `relativeTo` says which bases rescue it, any or
 * those whose path is not opaque; without that word none does. */
static bool fares_as_told(struct suite *suite, const json_t *test)
{
    struct fg_str rescue = suite_str(test, "relativeTo");
    struct fg_str input = suite_str(test, "input");
    if (suite_str(test, "base").at)
        return true;
    bool any = fg_str_eq(rescue, FG_STR("any-base"));
    if (parses(suite, input, "about:blank") != any)
        return false;
    return rescue.at || !parses(suite, input, "http://example.com/");
}

static void run_case(struct suite *suite, const json_t *test)
{
    struct fg_str base = suite_str(test, "base"), input = suite_str(test, "input");
    struct fg_url base_url, url;
    bool good = !base.at || fg_url_parse(&base_url, &suite->arena, base, NULL);
    good = good && fg_url_parse(&url, &suite->arena, input, base.at ? &base_url : NULL);
    if (json_is_true(json_object_get(test, "failure"))) {
        suite_case(suite, !good && fares_as_told(suite, test), "failure <%.*s> <%.*s>",
                   FG_ARG(input), FG_ARG(base));
        return;
    }
    const char *wrong = good ? first_wrong(suite, test, &url) : "all of it";
    suite_case(suite, !wrong, "<%.*s> <%.*s>: %s", FG_ARG(input), FG_ARG(base),
               wrong ? wrong : "");
    if (wrong)
        suite_detail(suite, "expected %.*s, got %.*s", FG_ARG(suite_str(test, "href")),
                     good ? (int)url.href.len : 7, good ? url.href.at : "failure");
}

static void run_urls(struct suite *suite, const char *file)
{
    json_t *cases = read_cases(suite, file), *test;
    size_t i;
    suite_part(suite, "urltestdata");
    json_array_foreach(cases, i, test) run_case(suite, test);
    json_decref(cases);
}

static bool has_newer_character(struct fg_str s)
{
    for (const char *at = s.at, *end = at + s.len; at < end;)
        if (fg_idna_is_too_new(fg_utf8_take(&at, end)))
            return true;
    return false;
}

/* https://INPUT/x, with the input percent-encoded where it could be read as something
 * else than a host. An empty host cannot be written, so that case is skipped, as it is in
 * the original. */
static void run_host(struct suite *suite, const json_t *test)
{
    struct fg_str input = suite_str(test, "input"), output = suite_str(test, "output");
    if (input.len == 0)
        return;
    struct fg_buf text;
    fg_buf_init(&text, 1 << 20);
    fg_buf_add(&text, FG_STR("https://"));
    fg_percent_encode(&text, input, FG_PERCENT_USERINFO);
    fg_buf_add(&text, FG_STR("/x"));
    struct fg_url url;
    bool good = fg_url_parse(&url, &suite->arena, fg_buf_str(&text), NULL);
    bool passed = good == (output.at != NULL);
    if (good && passed)
        passed = fg_str_eq(fg_url_host(&url), output) &&
                 fg_str_eq(fg_url_pathname(&url), FG_STR("/x"));
    suite_case(suite, passed, "%s%.*s",
               has_newer_character(input) ? "newer character: " : "", FG_ARG(input));
    if (!passed)
        suite_detail(suite, "expected %.*s, got %.*s", output.at ? (int)output.len : 7,
                     output.at ? output.at : "failure", good ? (int)url.href.len : 7,
                     good ? url.href.at : "failure");
    fg_buf_clear(&text);
}

static void run_hosts(struct suite *suite, const char *file)
{
    json_t *cases = read_cases(suite, file), *test;
    size_t i;
    json_array_foreach(cases, i, test) run_host(suite, test);
    json_decref(cases);
}

static void run_toascii(struct suite *suite, const char *file)
{
    suite_part(suite, "toascii");
    run_hosts(suite, file);
}

static void run_idna(struct suite *suite, const char *file)
{
    suite_part(suite, "IdnaTestV2");
    run_hosts(suite, file);
}

/* iconv as the encoder of a page, with the few places where the Encoding Standard differs
 * from the tables of glibc. */
struct legacy {
    iconv_t to;
    struct fg_str name;
};

/* What the standard encodes in place of a character; U+FFFD also where it refuses. */
static uint32_t replaced(struct fg_str encoding, uint32_t c)
{
    if (fg_str_eq(encoding, FG_STR("shift_jis")) && c == 0x2212)
        return 0xFF0D;
    if (fg_str_eq(encoding, FG_STR("iso-2022-jp")) &&
        (c == 0x0E || c == 0x0F || c == 0x1B))
        return 0xFFFD;
    return c;
}

static bool is_refused(struct fg_str encoding, uint32_t c)
{
    if (fg_str_eq(encoding, FG_STR("gb18030")) || fg_str_eq(encoding, FG_STR("gbk")))
        return c == 0xE5E5;
    return c == 0xFFFD;
}

static void encode_query(struct fg_buf *out, struct fg_str query, void *context)
{
    struct legacy *legacy = context;
    iconv(legacy->to, NULL, NULL, NULL, NULL);
    for (const char *at = query.at, *end = at + query.len; at < end;) {
        uint32_t c = replaced(legacy->name, fg_utf8_take(&at, end));
        char utf8[4], *from = utf8, bytes[16], *to = bytes;
        size_t n = fg_utf8_put(utf8, c), room = sizeof bytes;
        if (is_refused(legacy->name, c) ||
            iconv(legacy->to, &from, &n, &to, &room) == (size_t)-1)
            fg_url_add_missing(out, c);
        else
            fg_buf_add(out, fg_str_range(bytes, to));
    }
    char bytes[16], *to = bytes;
    size_t room = sizeof bytes;
    iconv(legacy->to, NULL, NULL, &to, &room); /* back to the initial state */
    fg_buf_add(out, fg_str_range(bytes, to));
}

static iconv_t open_legacy(const char *encoding)
{
    if (strcmp(encoding, "shift_jis") == 0)
        return iconv_open("CP932", "UTF-8");
    if (strcmp(encoding, "euc-kr") == 0)
        return iconv_open("CP949", "UTF-8");
    return iconv_open(encoding, "UTF-8");
}

/* The same text as query and fragment: only the query is in the encoding of the page. */
static void run_encoding(struct suite *suite, const json_t *test, const char *encoding,
                         struct fg_str expected)
{
    struct fg_str input = suite_str(test, "input");
    struct fg_str text = fg_arena_printf(&suite->arena, "https://x.invalid/?%.*s#%.*s",
                                         FG_ARG(input), FG_ARG(input));
    struct legacy legacy = {open_legacy(encoding), fg_str_from(encoding)};
    struct fg_url_encoder encoder = {encode_query, &legacy};
    struct fg_url url;
    bool is_utf8 = strcmp(encoding, "utf-8") == 0;
    bool good =
        legacy.to != (iconv_t)-1 &&
        fg_url_parse_encoded(&url, &suite->arena, text, NULL, is_utf8 ? NULL : &encoder);
    good = good && fg_str_eq(fg_str_skip(fg_url_search(&url), 1), expected) &&
           fg_str_eq(fg_str_skip(fg_url_hash(&url), 1),
                     suite_str(json_object_get(test, "output"), "utf-8"));
    suite_case(suite, good, "%s <%.*s>", encoding, FG_ARG(input));
    if (!good)
        suite_detail(suite, "expected %.*s", FG_ARG(expected));
    if (legacy.to != (iconv_t)-1)
        iconv_close(legacy.to);
}

static void run_encodings(struct suite *suite, const char *file)
{
    json_t *cases = read_cases(suite, file), *test, *value;
    size_t i;
    const char *encoding;
    suite_part(suite, "percent-encoding");
    json_array_foreach(cases, i, test)
    {
        json_t *outputs = json_object_get(test, "output");
        json_object_foreach(outputs, encoding, value)
            run_encoding(suite, test, encoding, suite_str(outputs, encoding));
    }
    json_decref(cases);
}

static void run_normalise(struct suite *suite, const char *file)
{
    json_t *cases = read_cases(suite, file), *test;
    size_t i;
    suite_part(suite, "normalise");
    json_array_foreach(cases, i, test)
    {
        struct fg_str input = suite_str(test, "input"), got = FG_STR("failure");
        struct fg_str expected = suite_str(test, "normalised");
        struct fg_url url;
        if (fg_url_parse(&url, &suite->arena, input, NULL))
            got = fg_canonical_from(&suite->arena, &url, FG_CANONICAL_DEFAULT);
        bool passed = fg_str_eq(got, expected);
        suite_case(suite, passed, "<%.*s> %.*s", FG_ARG(input),
                   FG_ARG(suite_str(test, "note")));
        if (!passed)
            suite_detail(suite, "expected %.*s, got %.*s", FG_ARG(expected), FG_ARG(got));
    }
    json_decref(cases);
}

static void run(struct suite *suite)
{
    static const struct {
        const char *file;
        void (*run)(struct suite *suite, const char *file);
    } files[] = {
        {"urltestdata.json", run_urls},    {"toascii.json", run_toascii},
        {"IdnaTestV2.json", run_idna},     {"percent-encoding.json", run_encodings},
        {"normalise.json", run_normalise},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (suite_has(suite, files[i].file))
            files[i].run(suite, files[i].file);
        else
            printf("%s/%s: not there, not run\n", suite->folder, files[i].file);
    }
}

int main(void)
{
    return suite_main("url", run);
}
