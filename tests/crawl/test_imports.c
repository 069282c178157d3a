#include "crawl/intake/imports.h"

#include "crawl/intake/seeds.h"

#include "test.h"

static struct fg_arena arena;
static struct fg_buf told; /* "what line words\n" */

static void tell(void *context, enum fg_import_trouble what, size_t line,
                 const char *words)
{
    (void)context;
    fg_buf_printf(&told, "%c %zu %s\n", "WSL"[what], line, words);
}

typedef enum fg_status reader(struct fg_import *import, struct fg_str text,
                              struct fg_err *err);

static struct fg_import read_list(reader *read, const char *text)
{
    struct fg_import import = {.arena = &arena, .tell = tell, .with_sites = true};
    struct fg_err err = {0};
    fg_buf_init(&told, 1 << 20);
    if (read(&import, fg_str_from(text), &err))
        fg_buf_printf(&told, "failed: %s\n", err.text);
    return import;
}

static void check_told(const char *expected)
{
    assert_str(fg_buf_str(&told), expected);
}

/* The nth seed as the line that says it. */
static void check_seed(const struct fg_import *import, size_t i, const char *expected)
{
    struct fg_buf line;
    assert_true(i < import->lines.len);
    fg_buf_init(&line, 1 << 16);
    fg_seed_format(&line, import->lines.at[i].url, &import->lines.at[i].seed);
    line.len--; /* its newline */
    assert_str(fg_buf_str(&line), expected);
    fg_buf_clear(&line);
}

static void end(void)
{
    fg_buf_clear(&told);
    fg_arena_clear(&arena);
}

/* --- OPML --- */

static void folders_and_categories_become_tags(void **state)
{
    (void)state;
    struct fg_import import = read_list(
        fg_import_opml,
        "<?xml version='1.0'?><opml version='2.0'><head><title>T</title></head><body>\n"
        "<outline text='Tech, Science'><outline text='Linux'>\n"
        "<outline type='rss' text='a' title='A &amp; co' xmlUrl='https://a.example/f'\n"
        " htmlUrl='https://a.example/' category='/News/Local,x'/></outline>\n"
        "<outline text='b' XMLURL='feed://b.example/f'/></outline>\n"
        "<outline text='c' type='link' url='http://c.example/'/>\n"
        "<outline text='d'/></body></opml>");
    check_told("");
    assert_int_equal(import.entries, 3);
    assert_int_equal(import.lines.len, 4);
    check_seed(
        &import, 0,
        "https://a.example/f\ttype=feed\tpage-tags=Tech Science,Linux,News,Local,x\t"
        "name=A & co\thome=https://a.example/");
    check_seed(&import, 1,
               "https://a.example/\tpage-tags=Tech Science,Linux,News,Local,x\t"
               "name=A & co");
    check_seed(&import, 2,
               "http://b.example/f\ttype=feed\tpage-tags=Tech Science\tname=b");
    check_seed(&import, 3, "http://c.example/\tname=c");
    end();
}

static void without_sites_a_feed_is_alone(void **state)
{
    (void)state;
    struct fg_import import = {.arena = &arena, .tell = tell};
    fg_buf_init(&told, 1 << 20);
    assert_int_equal(
        fg_import_opml(&import,
                       FG_STR("<opml><body><outline text='a' xmlUrl='https://a.example/f'"
                              " htmlUrl='https://a.example/'/><outline text='b' "
                              "htmlUrl='https://b.example/'/></body></opml>"),
                       NULL),
        FG_OK);
    assert_int_equal(import.lines.len, 2);
    check_seed(&import, 0,
               "https://a.example/f\ttype=feed\tname=a\thome=https://a.example/");
    assert_true(import.lines.at[0].seed.is_page_only);
    check_seed(&import, 1, "https://b.example/\tname=b");
    end();
}

static void other_encodings_are_read(void **state)
{
    (void)state;
    struct fg_import import = read_list(
        fg_import_opml, "<?xml version='1.0' encoding='ISO-8859-1'?><opml><body><outline "
                        "text='M\xfcller' xmlUrl='http://m.example/'/></body></opml>");
    check_seed(&import, 0, "http://m.example/\ttype=feed\tname=M\xc3\xbcller");
    end();
}

static void what_is_no_opml_is_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "failed: not OPML: it has no opml element\n"},
        {"{}", "failed: not OPML: it has no opml element\n"},
        {"<rss><channel/></rss>", "failed: not OPML: it has no opml element\n"},
        {"<opml><head/></opml>", "failed: OPML without a body\n"},
        {"<opml><body>\n<outline xmlUrl='http://a.example/'/>",
         "failed: it ends in the middle, on line 2\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        read_list(fg_import_opml, cases[i][0]);
        check_told(cases[i][1]);
        end();
    }
}

static void wrong_entries_of_opml_are_named(void **state)
{
    (void)state;
    struct fg_import import = read_list(
        fg_import_opml,
        "<opml><body>\n<outline text='a' xmlUrl='nowhere'/>\n"
        "<outline text='b' xmlUrl='ftp://b.example/'/>\n"
        "<outline text='c' xmlUrl='http://c.example/' htmlUrl='javascript:x'/>\n"
        "<outline text='d' type='include' url='http://d.example/l.opml'/>\n"
        "<outline text='e' isComment='true' xmlUrl='http://e.example/'/>\n"
        "</body></opml>");
    check_told(
        "W 2 'nowhere' is not an absolute URL: it has no scheme, such as 'https:'\n"
        "W 3 'ftp://b.example/' is not an http or https address\n"
        "L 4 the page of a feed: 'javascript:x' is not an http or https address\n"
        "S 5 'd' includes another file; import that, too\n"
        "S 6 'e' is commented out\n");
    assert_int_equal(import.wrong, 2);
    end();
}

/* --- changedetection.io --- */

static void watches_become_documents(void **state)
{
    (void)state;
    struct fg_import import = read_list(
        fg_import_changedetection,
        "{\"watching\": {\n"
        "\"aaaaaaaa-0000-4000-8000-000000000001\": {\"url\": \"https://a.example/x\",\n"
        "  \"title\": \"A\", \"tags\": [\"bbbbbbbb-0000-4000-8000-000000000002\"],\n"
        "  \"include_filters\": [\"#price\", \"xpath://b[@class='x']\"],\n"
        "  \"subtractive_selectors\": [\".ads\"], \"ignore_text\": [\"days ago\"],\n"
        "  \"processor\": \"text_json_diff\", \"headers\": {}, \"paused\": false},\n"
        "\"aaaaaaaa-0000-4000-8000-000000000003\": {\"url\": \"https://b.example/\",\n"
        "  \"tag\": \"old, way\", \"processor\": \"restock_diff\"},\n"
        "\"aaaaaaaa-0000-4000-8000-000000000004\": {\"url\": \"https://c.example/\"}},\n"
        "\"settings\": {\"application\": {\"tags\": {\n"
        "  \"bbbbbbbb-0000-4000-8000-000000000002\": {\"title\": \"Shop\"}}}}}");
    check_told("");
    check_seed(
        &import, 0,
        "https://a.example/x\ttype=document\tvalue=selector:#price, b[class=\"x\"] "
        "without .ads without text:*days ago*\tpage-tags=Shop\tname=A");
    check_seed(&import, 1,
               "https://b.example/\ttype=document\tvalue=offer\tpage-tags=old,way");
    check_seed(&import, 2, "https://c.example/\ttype=document");
    assert_int_equal(import.lines.len, 3);
    end();
}

static void what_watches_lose_is_named(void **state)
{
    (void)state;
    struct fg_import import = read_list(
        fg_import_changedetection,
        "{\"aaaaaaaa-0000-4000-8000-000000000001\":\n"
        " {\"url\": \"https://u:p@a.example/\", \"tags\":\n"
        "  [\"cccccccc-0000-4000-8000-000000000009\", \"plain\"],\n"
        "  \"include_filters\": [\"jq:.x\", \"xpath:count(//a)\", \"p:has(a)\"],\n"
        "  \"ignore_text\": [\"/[0-9]+/\"], \"trigger_text\": [\"x\"],\n"
        "  \"fetch_backend\": \"html_webdriver\", \"time_between_check\": {\"hours\": "
        "3}},\n"
        "\"aaaaaaaa-0000-4000-8000-000000000002\": {\"url\": \"https://b.example/\",\n"
        "  \"paused\": true},\n"
        "\"aaaaaaaa-0000-4000-8000-000000000003\": {\"url\": \"https://c.example/\",\n"
        "  \"method\": \"POST\"},\n"
        "\"aaaaaaaa-0000-4000-8000-000000000004\": {\"url\": \"https://d/{{ x }}\"}}");
    struct fg_str said = fg_buf_str(&told);
    static const char *const parts[] = {
        "L 1 the tag cccccccc-0000-4000-8000-000000000009 has no name in this file\n",
        "L 1 the filter 'jq:.x' is for JSON, of which all counts here\n",
        "L 1 the XPath 'count(//a)' has no selector that says the same\n",
        "L 1 the selector 'p:has(a)': ",
        "L 1 the regular expression to ignore '/[0-9]+/'\n",
        "L 1 the name and password in the address of a.example are not used\n",
        "L 1 trigger_text: waiting for a text\n",
        "L 1 a browser; the page is read as its server sends it\n",
        "L 1 checked every 10800 s; here the policy chooses when\n",
        "S 7 'https://b.example/': it is paused\n",
        "S 9 'https://c.example/': it is asked for with another method than GET\n",
        "S 11 'https://d/{{ x }}': its address is a template\n",
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (fg_str_find(said, fg_str_from(parts[i])) == FG_NOT_FOUND)
            fail_msg("'%s' is missing in '%.*s'", parts[i], FG_ARG(said));
    assert_int_equal(import.lost, 9);
    assert_int_equal(import.lines.len, 1);
    end();
}

/* Each was looked for from the start of the file: forty thousand took minutes. */
static void many_watches_take_no_time(void **state)
{
    (void)state;
    enum { MANY = 40000 };
    struct fg_buf text;
    fg_buf_init(&text, 16 << 20);
    fg_buf_add(&text, FG_STR("{\"watching\": {\n"));
    for (int i = 0; i < MANY; i++)
        fg_buf_printf(&text,
                      "%s\"aaaaaaaa-0000-4000-8000-%012d\": "
                      "{\"url\": \"https://a.example/%d\", \"paused\": %s}",
                      i ? ",\n" : "", i, i, i == MANY - 1 ? "true" : "false");
    fg_buf_add(&text, FG_STR("}}"));
    fg_buf_add_char(&text, '\0');
    fg_time began = fg_time_worked();
    struct fg_import import = read_list(fg_import_changedetection, text.at);
    assert_true(fg_time_worked() - began < 20 * FG_SECOND);
    check_told("S 40001 'https://a.example/39999': it is paused\n");
    assert_int_equal(import.lines.len, MANY - 1);
    fg_buf_clear(&text);
    end();
}

static void what_is_no_list_of_watches_is_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"[1]", "failed: number 1 of its list is not a watch\n"},
        {"{\"a\": 1}",
         "failed: not what changedetection.io writes: 'a' is not a watch\n"},
        {"3", "failed: not JSON"},
        {"{\"watching\": {\"x\": {}}}", "W 0 the watch 'x' has no url\n"},
        {"{\"watching\": {\"x\": {\"url\": \"\"}}}", "W 0 '' is not an absolute URL"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        read_list(fg_import_changedetection, cases[i][0]);
        if (!fg_str_starts(fg_buf_str(&told), fg_str_from(cases[i][1])))
            fail_msg("'%.*s' for '%s'", FG_ARG(fg_buf_str(&told)), cases[i][0]);
        end();
    }
}

/* --- urlwatch --- */

static void jobs_become_documents(void **state)
{
    (void)state;
    struct fg_import import =
        read_list(fg_import_urlwatch, "name: One\n"
                                      "url: https://a.example/\n"
                                      "filter:\n"
                                      "  - css:\n"
                                      "      selector: ul#l > li\n"
                                      "      exclude: a.x\n"
                                      "      maxitems: 1\n"
                                      "  - html2text\n"
                                      "  - grepi: ago\n"
                                      "tags: [shop, law]\n"
                                      "note: mine\n"
                                      "---\n"
                                      "kind: url\n"
                                      "url: https://b.example/\n"
                                      "filter: css:#x,html2text,strip\n"
                                      "---\n"
                                      "url: https://c.example/\n"
                                      "filter:\n"
                                      "- element-by-id: main\n"
                                      "---\n"
                                      "url: https://d.example/\n"
                                      "filter: [{xpath: '//div[@id=\"p\"]'}, strip]\n");
    check_told("");
    check_seed(
        &import, 0,
        "https://a.example/\ttype=document\tvalue=selector:ul#l > li:first without "
        "a.x without text:*ago*\tpage-tags=shop,law\tname=One\tmeta=note=mine");
    check_seed(&import, 1, "https://b.example/\ttype=document\tvalue=selector:#x");
    check_seed(&import, 2,
               "https://c.example/\ttype=document\tvalue=selector:[id=\"main\"]");
    check_seed(&import, 3,
               "https://d.example/\ttype=document\tvalue=selector:div[id=\"p\"]");
    end();
}

static void what_jobs_lose_is_named(void **state)
{
    (void)state;
    struct fg_import import =
        read_list(fg_import_urlwatch, "name: ls\n"
                                      "command: ls\n"
                                      "---\n"
                                      "navigate: https://b.example/\n"
                                      "---\n"
                                      "url: https://c.example/\n"
                                      "filter:\n"
                                      "  - css: '#a'\n"
                                      "  - xpath: //b\n"
                                      "  - shellpipe: rm\n"
                                      "  - grepi: 'x.*'\n"
                                      "cookies: {a: b}\n"
                                      "---\n"
                                      "url: https://d.example/\n"
                                      "data: x\n"
                                      "---\n"
                                      "name: empty\n"
                                      "---\n"
                                      "- a\n"
                                      "---\n"
                                      "url: nowhere\n");
    check_told(
        "S 1 'ls': it runs a command\n"
        "S 4 '': it needs a browser\n"
        "L 9 the filter 'xpath' works on what another has chosen\n"
        "L 10 the filter 'shellpipe' is not one of ours\n"
        "L 11 the filter 'grepi' is not one of ours\n"
        "L 12 'cookies'\n"
        "S 14 'https://d.example/': it is asked for with another method than GET\n"
        "W 17 a job without a url\n"
        "W 19 a job is keys and values, such as url: https://...\n"
        "W 21 'nowhere' is not an absolute URL: it has no scheme, such as 'https:'\n");
    assert_int_equal(import.lines.len, 1);
    end();
    read_list(fg_import_urlwatch, "url: [\n");
    assert_true(fg_str_starts(fg_buf_str(&told), FG_STR("failed: line:2: not YAML: ")));
    end();
}

/* --- seeds --- */

static void seeds_of_nutch_are_read(void **state)
{
    (void)state;
    struct fg_import import =
        read_list(fg_import_seeds, "# mine\n\n"
                                   "http://a.example/\tnutch.score=2.5\tuserType=open "
                                   "source\tnutch.fetchInterval=2592000\tx=y\r\n"
                                   "http://b.example/\ttype=document\ttags=a,b");
    check_told(
        "L 3 nutch.fetchInterval=2592000: here the policy chooses when; it is noted "
        "with the page\n");
    check_seed(&import, 0,
               "http://a.example/\tweight=2.5\tmeta=userType=open source; "
               "nutch.fetchInterval=2592000; x=y");
    check_seed(&import, 1, "http://b.example/\ttype=document\ttags=a,b");
    end();
    read_list(fg_import_seeds,
              "http://a.example/\tnutch.score=much\nb\nhttp://c/\tjunk\n");
    check_told("W 1 weight is 'much'; it must be a number above 0\n"
               "W 2 'b' is not an absolute URL: it has no scheme, such as 'https:'\n"
               "W 3 'junk' is not key=value\n");
    end();
}

FG_TESTS(many_watches_take_no_time, folders_and_categories_become_tags,
         other_encodings_are_read, without_sites_a_feed_is_alone,
         what_is_no_opml_is_refused, wrong_entries_of_opml_are_named,
         watches_become_documents, what_watches_lose_is_named,
         what_is_no_list_of_watches_is_refused, jobs_become_documents,
         what_jobs_lose_is_named, seeds_of_nutch_are_read)
