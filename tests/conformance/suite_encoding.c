/* The encoding suite: labels (encodings.json), html5lib's sniffer cases (*.dat), the WPT
 * pages that declare windows-1251 in odd places, and WPT's MIME types. */
#include "suite.h"

#include "base/buf.h"
#include "net/charset/charset.h"
#include "net/http/mime.h"

/* Headers are bytes, and JSON gives code points: those up to U+00FF stand for a byte of
 * the same number. Higher ones cannot come over the wire; NUL is as wrong as they are. */
static struct fg_str header_bytes(struct suite *suite, struct fg_str utf8)
{
    char *bytes = fg_arena_bytes(&suite->arena, utf8.len + 1);
    size_t n = 0;
    for (const char *at = utf8.at, *end = utf8.at + utf8.len; at < end;) {
        uint32_t c = fg_utf8_take(&at, end);
        bytes[n++] = c <= 0xFF ? (char)c : '\0';
    }
    return (struct fg_str){bytes, n};
}

static const char *name_of(const struct fg_encoding *encoding)
{
    return encoding ? fg_encoding_name(encoding) : "none";
}

/* ASCII white space around a label and its case do not matter. */
static bool finds_label(struct suite *suite, struct fg_str label, const char *name)
{
    struct fg_str loud = fg_arena_dup(&suite->arena, label);
    for (size_t i = 0; i < loud.len; i++)
        if (label.at[i] >= 'a' && label.at[i] <= 'z')
            ((char *)loud.at)[i] = (char)(label.at[i] - 'a' + 'A');
    struct fg_str wide =
        fg_arena_printf(&suite->arena, "\t\n\f\r %.*s \r\f\n\t", FG_ARG(loud));
    return strcmp(name_of(fg_encoding_find(label)), name) == 0 &&
           fg_encoding_find(label) == fg_encoding_find(wide);
}

static void run_labels(struct suite *suite)
{
    json_t *groups = suite_json(suite, "encodings.json"), *group, *encoding, *label;
    size_t i, j, k;
    if (!groups)
        return;
    suite_part(suite, "labels");
    json_array_foreach(groups, i, group)
    {
        json_array_foreach(json_object_get(group, "encodings"), j, encoding)
        {
            struct fg_str name = suite_str(encoding, "name");
            json_array_foreach(json_object_get(encoding, "labels"), k, label)
            {
                struct fg_str text = fg_str_from(json_string_value(label));
                suite_case(suite, finds_label(suite, text, name.at), "%s", text.at);
            }
        }
    }
    json_decref(groups);
}

/* Cut the next block out of a .dat file: "#data", bytes, "#encoding", a name. */
static bool next_block(struct fg_str *rest, struct fg_str *data, struct fg_str *name)
{
    struct fg_str start = FG_STR("#data\n"), middle = FG_STR("\n#encoding\n");
    size_t i = fg_str_find(*rest, start);
    if (!rest->len || i == FG_NOT_FOUND)
        return false;
    *rest = fg_str_skip(*rest, i + start.len);
    size_t end = fg_str_find(*rest, middle);
    if (end == FG_NOT_FOUND)
        return false;
    *data = fg_str_sub(*rest, 0, end);
    *rest = fg_str_skip(*rest, end + middle.len);
    return fg_str_cut(rest, '\n', name);
}

static void run_html5lib(struct suite *suite)
{
    const char **files;
    size_t n = suite_list(suite, "html5lib", ".dat", &files);
    if (n)
        suite_part(suite, "html5lib");
    for (size_t i = 0; i < n; i++) {
        struct fg_str text, data, name;
        const char *path = fg_arena_printf(&suite->arena, "html5lib/%s", files[i]).at;
        if (!suite_read(suite, path, &text))
            continue;
        for (size_t block = 1; next_block(&text, &data, &name); block++) {
            struct fg_charset got = fg_charset_of_html(data, (struct fg_str){0});
            bool passed = got.encoding == fg_encoding_find(name);
            suite_case(suite, passed, "%s/%zu", files[i], block);
            if (!passed)
                suite_detail(suite, "expected %.*s, got %s (%s)", FG_ARG(name),
                             name_of(got.encoding), fg_charset_source_name(got.source));
        }
    }
}

static void run_wpt_charset(struct suite *suite)
{
    json_t *cases = suite_json(suite, "wpt-charset/expect.json"), *c;
    const struct fg_encoding *cyrillic = fg_encoding_find(FG_STR("windows-1251"));
    size_t i;
    if (!cases)
        return;
    suite_part(suite, "wpt-charset");
    json_array_foreach(cases, i, c)
    {
        struct fg_str file = suite_str(c, "file"), page;
        const char *path = fg_arena_printf(&suite->arena, "wpt-charset/%s", file.at).at;
        if (!suite_read(suite, path, &page)) {
            printf("%s: no such file, not run\n", path);
            continue;
        }
        bool expected =
            json_is_true(json_object_get(c, "meta_windows_1251_takes_effect"));
        struct fg_charset got = fg_charset_of_html(page, (struct fg_str){0});
        bool effect = got.encoding == cyrillic && got.source == FG_CHARSET_DECLARED;
        suite_case(suite, effect == expected, "%s", file.at);
        if (effect != expected)
            suite_detail(suite, "expected %d, got %s (%s)", expected,
                         name_of(got.encoding), fg_charset_source_name(got.source));
    }
    json_decref(cases);
}

/* Whether a type, if there is one, reads and has the charset as expected. */
static bool type_is(struct suite *suite, const struct fg_mime *mime, const json_t *c,
                    const char *key)
{
    struct fg_str expected = suite_str(c, key);
    if (!mime || !expected.at)
        return !mime && !expected.at;
    struct fg_str got = fg_mime_format(&suite->arena, mime);
    if (!fg_str_eq(got, header_bytes(suite, expected)))
        return false;
    const json_t *encoding = json_object_get(c, "encoding");
    if (!encoding)
        return true;
    const struct fg_encoding *e = fg_encoding_find(fg_mime_charset(mime));
    return json_is_null(encoding)
               ? !e
               : e && strcmp(name_of(e), json_string_value(encoding)) == 0;
}

static void run_mime_types(struct suite *suite, const char *name)
{
    const char *file = fg_arena_printf(&suite->arena, "mime/%s.json", name).at;
    json_t *cases = suite_json(suite, file), *c;
    size_t i;
    if (!cases)
        return;
    suite_part(suite, name);
    json_array_foreach(cases, i, c)
    {
        if (!json_is_object(c))
            continue; /* a heading */
        struct fg_str input = header_bytes(suite, suite_str(c, "input"));
        struct fg_mime mime;
        bool parsed = fg_mime_parse(&mime, &suite->arena, input);
        suite_case(suite, type_is(suite, parsed ? &mime : NULL, c, "output"), "%zu %s", i,
                   suite_str(c, "input").at);
    }
    json_decref(cases);
}

static void run_content_types(struct suite *suite)
{
    json_t *cases = suite_json(suite, "mime/content-types.json"), *c, *value;
    size_t i, j;
    if (!cases)
        return;
    suite_part(suite, "content-types");
    json_array_foreach(cases, i, c)
    {
        struct fg_buf header;
        fg_buf_init(&header, 1 << 16);
        json_array_foreach(json_object_get(c, "contentType"), j, value)
        {
            fg_buf_add(&header, fg_str_from(j ? ", " : ""));
            fg_buf_add(&header, fg_str_from(json_string_value(value)));
        }
        struct fg_mime mime;
        bool parsed = fg_mime_extract(&mime, &suite->arena, fg_buf_str(&header));
        suite_case(suite, type_is(suite, parsed ? &mime : NULL, c, "mimeType"),
                   "%zu %.*s", i, (int)header.len, header.at);
        fg_buf_clear(&header);
    }
    json_decref(cases);
}

static void run(struct suite *suite)
{
    run_labels(suite);
    run_html5lib(suite);
    run_wpt_charset(suite);
    run_mime_types(suite, "mime-types");
    run_mime_types(suite, "generated-mime-types");
    run_content_types(suite);
}

int main(void)
{
    return suite_main("encoding", run);
}
