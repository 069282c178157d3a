/* The HTML tokenizer against html5lib's token lists; the links of html5lib's trees (now
 * web-platform-tests') against what the page pass sees; and meta refresh values. */
#include "conformance/suite.h"

#include "base/buf.h"
#include "base/vec.h"
#include "net/html/html.h"
#include "net/html/nest.h"
#include "net/html/page.h"

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

static void say_missing(const struct suite *suite, const char *what)
{
    printf("%s/%s: not there, not run\n", suite->folder, what);
}

static void run_tokenizer(struct suite *suite)
{
    const char **files;
    size_t n = suite_list(suite, "tokenizer", ".test", &files);
    if (n == 0) {
        say_missing(suite, "tokenizer");
        return;
    }
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

/* A block of a .dat file. */
struct tree_case {
    struct fg_str data, context, tree;
    bool is_script_on;
};

/* The section that a line such as "#data" opens; NULL if it opens none, `other` if it is
 * one we do not read. */
static struct fg_str *section_of(struct tree_case *test, struct fg_str line,
                                 struct fg_str *other)
{
    if (fg_str_eq(line, FG_STR("#data")))
        return &test->data;
    if (fg_str_eq(line, FG_STR("#document-fragment")))
        return &test->context;
    if (fg_str_eq(line, FG_STR("#document")))
        return &test->tree;
    if (fg_str_eq(line, FG_STR("#script-on")))
        test->is_script_on = true;
    bool known = fg_str_eq(line, FG_STR("#errors")) ||
                 fg_str_eq(line, FG_STR("#new-errors")) ||
                 fg_str_starts(line, FG_STR("#script-o"));
    return known ? other : NULL;
}

/* Sections are views from the start of their first line to the end of their last. */
static bool next_tree_case(struct fg_str *rest, struct tree_case *test)
{
    struct fg_str line, other, *section = &other;
    *test = (struct tree_case){0};
    for (;;) {
        struct fg_str before = *rest;
        if (!fg_str_cut(rest, '\n', &line))
            return test->tree.at;
        struct fg_str *next = section_of(test, line, &other);
        if (next == &test->data && test->tree.at) {
            *rest = before;
            return true;
        }
        if (next) {
            section = next;
            *section = (struct fg_str){rest->at, 0};
        } else if (section->at) {
            *section = fg_str_range(section->at, line.at + line.len);
        }
    }
}

struct strs {
    FG_VEC(struct fg_str) list;
};

static int by_bytes(const void *a, const void *b)
{
    return fg_str_cmp(*(const struct fg_str *)a, *(const struct fg_str *)b);
}

static void sort(struct strs *s)
{
    if (s->list.len)
        qsort(s->list.at, s->list.len, sizeof *s->list.at, by_bytes);
}

static void sort_unique(struct strs *s)
{
    size_t n = 0;
    sort(s);
    for (size_t i = 0; i < s->list.len; i++)
        if (i == 0 || !fg_str_eq(s->list.at[i], s->list.at[n - 1]))
            s->list.at[n++] = s->list.at[i];
    s->list.len = n;
}

static bool same(const struct strs *a, const struct strs *b)
{
    bool equal = a->list.len == b->list.len;
    for (size_t i = 0; equal && i < a->list.len; i++)
        equal = fg_str_eq(a->list.at[i], b->list.at[i]);
    return equal;
}

static void show(struct suite *suite, const char *whose, const struct strs *s)
{
    struct fg_buf buf;
    fg_buf_init(&buf, 1 << 20);
    for (size_t i = 0; i < s->list.len; i++)
        fg_buf_printf(&buf, " %.*s", FG_ARG(s->list.at[i]));
    suite_detail(suite, "%s:%.*s", whose, FG_ARG(fg_buf_str(&buf)));
    fg_buf_clear(&buf);
}

/* The next line of a tree that starts with "| ", without that and its indentation. What
 * is in a template is passed over: it is no part of the document. */
static bool next_node(struct fg_str *rest, struct fg_str *node)
{
    struct fg_str line;
    while (fg_str_cut(rest, '\n', &line)) {
        if (!fg_str_starts(line, FG_STR("| ")))
            continue;
        *node = fg_str_trim(fg_str_skip(line, 2));
        if (!fg_str_eq(*node, FG_STR("<template>")))
            return true;
        ptrdiff_t indent = node->at - line.at;
        for (struct fg_str ahead = *rest; fg_str_cut(&ahead, '\n', &line);) {
            struct fg_str inner = fg_str_trim(fg_str_skip(line, 1));
            if (fg_str_starts(line, FG_STR("| ")) && inner.at - line.at <= indent)
                break;
            *rest = ahead;
        }
        return true;
    }
    return false;
}

/* The href of each HTML a. A value may go on over several lines. */
static struct strs tree_links(struct fg_arena *arena, struct fg_str tree)
{
    struct strs links = {0};
    struct fg_str node;
    bool in_a = false;
    while (next_node(&tree, &node)) {
        if (in_a && fg_str_starts(node, FG_STR("href=\""))) {
            const char *first = node.at + 6, *end = node.at + node.len;
            while (end[-1] != '"' || end == first)
                end = (const char *)rawmemchr(end + 1, '\n');
            struct fg_str href = fg_str_trim(fg_str_range(first, end - 1));
            fg_vec_push_in(arena, &links.list, href);
        }
        bool is_attr = node.len && node.at[0] != '<' && node.at[0] != '"';
        in_a = fg_str_eq(node, FG_STR("<a>")) || (in_a && is_attr);
    }
    return links;
}

/* The tree repeats a formatting element that was not closed in order; a crawler has no
 * use for the second copy of a link. */
static void check_tree_links(struct suite *suite, const char *file, size_t n,
                             const struct tree_case *test)
{
    struct fg_page page;
    struct fg_arena *arena = &suite->arena;
    fg_page_read(&page, arena, test->data, FG_PAGE_LINKS);
    struct strs ours = {0}, theirs = tree_links(arena, test->tree);
    for (size_t i = 0; i < page.n_links; i++)
        if (page.links[i].from == FG_FROM_A)
            fg_vec_push_in(arena, &ours.list, page.links[i].href);
    sort(&ours);
    sort(&theirs);
    bool passed = same(&ours, &theirs);
    if (!passed)
        sort_unique(&theirs);
    suite_case(suite, passed, "%s/%s%zu", file,
               same(&ours, &theirs) ? "repeated by the tree: " : "", n);
    if (!passed) {
        show(suite, "ours  ", &ours);
        show(suite, "theirs", &theirs);
    }
}

/* Elements that the tree may have without a tag, and so tell nothing. */
static bool is_implied(struct fg_str name)
{
    static const char *const names[] = {"html", "head",     "body", "tbody",
                                        "tr",   "colgroup", "p",    "br"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (fg_str_eq(name, fg_str_from(names[i])))
            return true;
    return false;
}

static struct strs tree_elements(struct fg_arena *arena, struct fg_str tree)
{
    struct strs elements = {0};
    struct fg_str node;
    while (next_node(&tree, &node)) {
        if (node.len < 3 || node.at[0] != '<' || node.at[node.len - 1] != '>' ||
            node.at[1] == '!' || node.at[1] == '?')
            continue;
        struct fg_str name =
            fg_html_decode(arena, fg_str_sub(node, 1, node.len - 1), FG_HTML_LOWER);
        if (!is_implied(name))
            fg_vec_push_in(arena, &elements.list, name);
    }
    return elements;
}

/* A frameset takes the place of the body: what is left stood in the head. */
static void drop_body(struct strs *elements)
{
    size_t n = 0;
    for (size_t i = 0; i < elements->list.len; i++) {
        struct fg_str name = elements->list.at[i];
        enum fg_tag tag = fg_tag_find(fg_tag_key(name), name);
        if (tag == FG_TAG_BASE || tag == FG_TAG_BASEFONT || tag == FG_TAG_BGSOUND ||
            tag == FG_TAG_LINK || tag == FG_TAG_META || tag == FG_TAG_SCRIPT ||
            tag == FG_TAG_STYLE || tag == FG_TAG_TITLE || tag == FG_TAG_FRAMESET ||
            tag == FG_TAG_FRAME || tag == FG_TAG_NOFRAMES)
            elements->list.at[n++] = name;
    }
    elements->list.len = n;
}

static struct strs our_elements(struct fg_arena *arena, struct fg_str data)
{
    struct strs elements = {0};
    struct fg_html html;
    struct fg_html_token token;
    struct fg_nest nest;
    fg_html_init(&html, data);
    fg_nest_init(&nest);
    while (fg_html_next(&html, &token)) {
        if (token.type == FG_HTML_TEXT && !(fg_nest_top(&nest) & FG_NEST_HANDED_DOWN))
            fg_nest_text(&nest, token.text);
        if (token.type == FG_HTML_END)
            fg_nest_end(&nest, &html, &token);
        if (token.type != FG_HTML_START ||
            fg_nest_start(&nest, &html, &token) == FG_NEST_IGNORED ||
            nest.made & FG_NEST_TEMPLATE)
            continue;
        struct fg_str name = fg_html_text(arena, &token);
        if (token.tag == FG_TAG_IMAGE && !(nest.made & FG_NEST_FOREIGN))
            name = FG_STR("img");
        if (token.tag == FG_TAG_FRAMESET && !(nest.made & FG_NEST_FOREIGN))
            drop_body(&elements);
        const char *space = nest.made & FG_NEST_SVG    ? "svg "
                            : nest.made & FG_NEST_MATH ? "math "
                                                       : "";
        name = fg_arena_printf(arena, "%s%.*s", space, FG_ARG(name));
        if (!is_implied(name))
            fg_vec_push_in(arena, &elements.list, name);
    }
    return elements;
}

/* The names of all elements, as a set: which tags make one, and where svg and math end.
 */
static void check_tree_elements(struct suite *suite, const char *file, size_t n,
                                const struct tree_case *test)
{
    if (test->is_script_on || test->context.at)
        return; /* scripts, and fragments of a page, no crawler meets */
    struct strs ours = our_elements(&suite->arena, test->data),
                theirs = tree_elements(&suite->arena, test->tree);
    sort_unique(&ours);
    sort_unique(&theirs);
    bool passed = same(&ours, &theirs);
    suite_case(suite, passed, "%s/%zu", file, n);
    if (!passed) {
        suite_detail(suite, "%.*s", FG_ARG(test->data));
        show(suite, "ours  ", &ours);
        show(suite, "theirs", &theirs);
    }
}

static void run_tree_part(struct suite *suite, const char *part,
                          void (*check)(struct suite *suite, const char *file, size_t n,
                                        const struct tree_case *test))
{
    const char **files;
    size_t n = suite_list(suite, "tree-construction", ".dat", &files);
    if (n == 0) {
        say_missing(suite, "tree-construction");
        return;
    }
    suite_part(suite, part);
    for (size_t i = 0; i < n; i++) {
        char path[512];
        struct fg_str rest;
        struct tree_case test;
        snprintf(path, sizeof path, "tree-construction/%s", files[i]);
        if (!suite_read(suite, path, &rest))
            continue;
        for (size_t k = 1; next_tree_case(&rest, &test); k++)
            check(suite, files[i], k, &test);
    }
}

static void run_trees(struct suite *suite)
{
    run_tree_part(suite, "tree-construction", check_tree_links);
    run_tree_part(suite, "tree-elements", check_tree_elements);
}

static void run_refresh(struct suite *suite)
{
    json_t *cases = suite_json(suite, "meta-refresh.json");
    if (!cases) {
        say_missing(suite, "meta-refresh.json");
        return;
    }
    suite_part(suite, "meta-refresh");
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *test = json_array_get(cases, i);
        const json_t *expected = json_object_get(test, "refresh");
        struct fg_str content = suite_str(test, "content");
        struct fg_refresh refresh = {0};
        bool valid = fg_refresh_parse(&refresh, &suite->arena, content);
        struct fg_str url = suite_str(expected, "url");
        bool passed = valid == json_is_object(expected);
        if (valid && passed)
            passed = refresh.seconds == (uint32_t)json_integer_value(
                                            json_object_get(expected, "seconds")) &&
                     !url.at == !refresh.url.at && fg_str_eq(url, refresh.url);
        suite_case(suite, passed, "%.*s", FG_ARG(content));
    }
    json_decref(cases);
}

static void run(struct suite *suite)
{
    run_tokenizer(suite);
    run_trees(suite);
    run_refresh(suite);
}

int main(void)
{
    return suite_main("html", run);
}
