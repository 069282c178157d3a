/* The HTML tokenizer against html5lib's token lists; the links of html5lib's trees (now
 * web-platform-tests') against what the page pass sees; and meta refresh values. */
#include "conformance/suite.h"

#include "base/buf.h"
#include "net/html.h"

/* "\u00e9" written out within a JSON string, once more. False if a lone surrogate is
 * among them: UTF-8 cannot say it. */
static bool unescape(struct fg_buf *out, struct fg_str text)
{
    bool whole = true;
    uint32_t high = 0;
    for (size_t i = 0; i < text.len; i++) {
        uint32_t c = 0;
        if (text.len - i < 6 || text.at[i] != '\\' || text.at[i + 1] != 'u') {
            whole &= !high;
            high = 0;
            fg_buf_add_char(out, text.at[i]);
            continue;
        }
        for (size_t k = 2; k < 6; k++)
            c = c << 4 | (uint32_t)fg_hex(text.at[i + k]);
        i += 5;
        if (c >= 0xD800 && c < 0xDC00) {
            whole &= !high;
            high = c;
            continue;
        }
        if (c >= 0xDC00 && c < 0xE000) {
            whole &= high != 0;
            c = 0x10000 + ((high - 0xD800) << 10) + (c - 0xDC00);
        } else {
            whole &= !high;
        }
        high = 0;
        fg_buf_add_utf8(out, c);
    }
    return whole && !high;
}

static json_t *string(struct fg_str s)
{
    json_t *json = json_stringn(s.len ? s.at : "", s.len);
    return json ? json : json_string("(not UTF-8)");
}

static json_t *unescape_all(json_t *json)
{
    struct fg_buf buf;
    fg_buf_init(&buf, 1 << 20);
    json_t *copy = json_incref(json);
    if (json_is_string(json)) {
        unescape(&buf,
                 (struct fg_str){json_string_value(json), json_string_length(json)});
        json_decref(copy);
        copy = string(fg_buf_str(&buf));
    } else if (json_is_array(json)) {
        json_decref(copy);
        copy = json_array();
        for (size_t i = 0; i < json_array_size(json); i++)
            json_array_append_new(copy, unescape_all(json_array_get(json, i)));
    } else if (json_is_object(json)) {
        json_decref(copy);
        copy = json_object();
        const char *key;
        json_t *value;
        json_object_foreach(json, key, value)
        {
            fg_buf_reset(&buf);
            unescape(&buf, fg_str_from(key));
            fg_buf_add_char(&buf, '\0');
            json_object_set_new(copy, buf.at, unescape_all(value));
        }
    }
    fg_buf_clear(&buf);
    return copy;
}

static json_t *id_or_null(struct fg_arena *arena, struct fg_str id)
{
    return id.at ? string(fg_html_decode(arena, id, FG_HTML_REPLACE_NUL)) : json_null();
}

static json_t *start_tag(struct fg_arena *arena, const struct fg_html_token *token)
{
    struct fg_html_attr *attrs;
    json_t *object = json_object();
    size_t n = fg_html_attrs(arena, token, &attrs);
    for (size_t i = 0; i < n; i++)
        json_object_set_new(object, fg_arena_cstr(arena, attrs[i].name),
                            string(attrs[i].value));
    json_t *json =
        json_pack("[s, o, o]", "StartTag", string(fg_html_text(arena, token)), object);
    if (token->is_self_closing)
        json_array_append_new(json, json_true());
    return json;
}

static json_t *token_json(struct fg_arena *arena, const struct fg_html_token *token)
{
    static const char *const names[] = {[FG_HTML_TEXT] = "Character",
                                        [FG_HTML_END] = "EndTag",
                                        [FG_HTML_COMMENT] = "Comment"};
    if (token->type == FG_HTML_START)
        return start_tag(arena, token);
    if (token->type == FG_HTML_DOCTYPE)
        return json_pack("[s, o, o, o, b]", "DOCTYPE",
                         token->text.at ? string(fg_html_text(arena, token))
                                        : json_null(),
                         id_or_null(arena, token->public_id),
                         id_or_null(arena, token->system_id), !token->is_quirky);
    return json_pack("[s, o]", names[token->type], string(fg_html_text(arena, token)));
}

/* Adjacent runs of text count as one. */
static void add_token(json_t *tokens, json_t *token)
{
    json_t *last = json_array_get(tokens, json_array_size(tokens) - 1);
    const char *kind = "Character";
    if (!last || strcmp(json_string_value(json_array_get(last, 0)), kind) != 0 ||
        strcmp(json_string_value(json_array_get(token, 0)), kind) != 0) {
        json_array_append_new(tokens, token);
        return;
    }
    json_t *a = json_array_get(last, 1), *b = json_array_get(token, 1);
    struct fg_buf buf;
    fg_buf_init(&buf, 1 << 20);
    fg_buf_add(&buf, (struct fg_str){json_string_value(a), json_string_length(a)});
    fg_buf_add(&buf, (struct fg_str){json_string_value(b), json_string_length(b)});
    json_array_set_new(last, 1, string(fg_buf_str(&buf)));
    fg_buf_clear(&buf);
    json_decref(token);
}

static enum fg_html_state state_named(const char *name)
{
    static const char *const names[] = {
        [FG_HTML_DATA] = "Data state",           [FG_HTML_RCDATA] = "RCDATA state",
        [FG_HTML_RAWTEXT] = "RAWTEXT state",     [FG_HTML_SCRIPT] = "Script data state",
        [FG_HTML_PLAINTEXT] = "PLAINTEXT state", [FG_HTML_CDATA] = "CDATA section state"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return (enum fg_html_state)i;
    fprintf(stderr, "unknown initial state '%s'\n", name);
    exit(1);
}

static json_t *tokenize(struct fg_arena *arena, struct fg_str input,
                        struct fg_str last_start_tag, enum fg_html_state state)
{
    /* a copy of exactly this length, so that one byte too far is seen */
    char *copy = malloc(input.len ? input.len : 1);
    if (input.len)
        memcpy(copy, input.at, input.len);
    struct fg_html html;
    struct fg_html_token token;
    fg_html_init(&html, (struct fg_str){copy, input.len});
    html.raw_name = last_start_tag;
    fg_html_enter(&html, state);
    json_t *tokens = json_array();
    while (fg_html_next(&html, &token))
        add_token(tokens, token_json(arena, &token));
    free(copy);
    return tokens;
}

static void tokenizer_case(struct suite *suite, const char *file, const json_t *test)
{
    struct fg_arena arena = {0};
    struct fg_buf buf;
    fg_buf_init(&buf, 1 << 20);
    struct fg_str input = suite_str(test, "input");
    json_t *expected = json_object_get(test, "output");
    bool expressible = true;
    if (json_is_true(json_object_get(test, "doubleEscaped"))) {
        expressible = unescape(&buf, input);
        input = fg_buf_str(&buf);
        expected = unescape_all(expected);
    } else {
        json_incref(expected);
    }
    json_t *states = json_object_get(test, "initialStates");
    size_t n = states ? json_array_size(states) : 1;
    bool passed = expressible;
    json_t *actual = NULL;
    for (size_t i = 0; i < n && (passed || !actual); i++) {
        const char *state =
            states ? json_string_value(json_array_get(states, i)) : "Data state";
        json_decref(actual);
        actual =
            tokenize(&arena, input, suite_str(test, "lastStartTag"), state_named(state));
        passed &= json_equal(actual, expected);
    }
    suite_case(suite, passed, "%s/%s%.*s", file, expressible ? "" : "lone surrogate: ",
               FG_ARG(suite_str(test, "description")));
    if (!passed) {
        char *a = json_dumps(actual, JSON_COMPACT), *e = json_dumps(expected, 0);
        suite_detail(suite, "expected %s", e);
        suite_detail(suite, "     got %s", a);
        free(a);
        free(e);
    }
    json_decref(actual);
    json_decref(expected);
    fg_buf_clear(&buf);
    fg_arena_clear(&arena);
}

static void run_tokenizer(struct suite *suite)
{
    const char **files;
    size_t n = suite_list(suite, "tokenizer", ".test", &files);
    if (n == 0)
        return;
    suite_part(suite, "tokenizer");
    for (size_t i = 0; i < n; i++) {
        char path[512];
        snprintf(path, sizeof path, "tokenizer/%s", files[i]);
        json_t *json = suite_json(suite, path);
        json_t *tests = json_object_get(json, "tests");
        if (!tests)
            tests = json_object_get(json, "xmlViolationTests");
        for (size_t k = 0; k < json_array_size(tests); k++)
            tokenizer_case(suite, files[i], json_array_get(tests, k));
        json_decref(json);
    }
}

static void run(struct suite *suite)
{
    run_tokenizer(suite);
}

int main(void)
{
    return suite_main("html", run);
}
