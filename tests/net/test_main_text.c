#include "net/html/main_text.h"

#include "base/buf.h"
#include "base/file.h"
#include "base/utf8.h"
#include "net/http/gunzip.h"
#include "net/text/prose.h"

#include "test.h"

#include <jansson.h>
#include <unistd.h>

static void check(const char *html, const char *expected)
{
    struct fg_arena arena = {0};
    struct fg_main_text main;
    fg_main_text_read(&main, &arena, fg_str_from(html));
    assert_str(main.text, expected);
    fg_arena_clear(&arena);
}

#define SENTENCE                                                                      \
    "This is a sentence that somebody has written, and it is long enough to be told " \
    "from the menus around it."

static void navigation_is_left_out(void **state)
{
    (void)state;
    check("<ul><li><a href=a>One</a><li><a href=b>Two</a></ul><p>" SENTENCE "<p>" SENTENCE
          "</p><div>Imprint</div>",
          SENTENCE "\n" SENTENCE "\nImprint");
    check("<nav>" SENTENCE "</nav><p>" SENTENCE, SENTENCE);
    check("<div role=navigation>" SENTENCE "</div><p>" SENTENCE, SENTENCE);
    check("<p>" SENTENCE "<p><a href=x>" SENTENCE "</a>", SENTENCE);
    check("<p>" SENTENCE "<script>x</script><p hidden>hidden</p>", SENTENCE);
}

static void main_element_is_believed_if_it_has_text(void **state)
{
    (void)state;
    check("<p>" SENTENCE " Outside.<main><p>" SENTENCE "<p>" SENTENCE "</main>",
          SENTENCE "\n" SENTENCE);
    check("<p>" SENTENCE "<main>Short.</main>", SENTENCE "\nShort.");
}

static void short_pages_are_kept_whole(void **state)
{
    (void)state;
    check("<nav>menu</nav><p>12,50 EUR<p>sold out", "12,50 EUR\nsold out");
    check("", "");
    check("<nav>menu</nav>", "");
    check("<table><tr><td>a<td>b</table>", "a\nb");
}

/* What has changed of a notice is not always its longest paragraph. */
static void short_texts_are_kept_with_all_their_lines(void **state)
{
    (void)state;
    check("<h1>Jobs</h1><p>We have no open positions.</p><p>Write to us by mail.</p>",
          "Jobs\nWe have no open positions.\nWrite to us by mail.");
    check("<ul><li><a href=a>One</a></ul><p>Hello<p>Closed on Monday, says the owner"
          "<p>Thanks<p>or <a href=b>ask there again</a>",
          "Hello\nClosed on Monday, says the owner\nThanks");
    check("<p>Too short<p><a href=x>a link</a><p>" SENTENCE "<p>" SENTENCE "<p>" SENTENCE,
          SENTENCE "\n" SENTENCE "\n" SENTENCE);
}

static void hash_follows_the_words(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    struct fg_main_text a, b, c;
    fg_main_text_read(&a, &arena, FG_STR("<p>One, two"));
    fg_main_text_read(&b, &arena, FG_STR("<div><p>one <b>TWO</b></div>"));
    fg_main_text_read(&c, &arena, FG_STR("<p>two one"));
    assert_int_equal(a.words, 2);
    assert_true(a.hash == b.hash);
    assert_true(a.hash != c.hash);
    fg_arena_clear(&arena);
}

/* --- real pages, if they are there --- */

static const char pages[] = "../shared/conformance/pages";

static void take(void *context, struct fg_str bytes)
{
    fg_buf_add(context, bytes);
}

static struct fg_str unpacked(struct fg_arena *arena, const char *name)
{
    char path[300];
    struct fg_str packed;
    struct fg_buf out;
    snprintf(path, sizeof path, "%s/%s", pages, name);
    assert_int_equal(fg_file_read(&packed, arena, path, 100 << 20, NULL), FG_OK);
    fg_buf_init(&out, 200 << 20);
    struct fg_gunzip *gunzip = fg_gunzip_new(200 << 20, take, &out);
    fg_gunzip_feed(gunzip, packed);
    fg_gunzip_free(gunzip);
    struct fg_str text = fg_arena_dup(arena, fg_buf_str(&out));
    fg_buf_clear(&out);
    return text;
}

/* How many of the texts stand in the page, whatever their white space. */
static size_t count_found(struct fg_str page, const json_t *texts)
{
    const json_t *text;
    size_t i, n = 0;
    json_array_foreach(texts, i, text)
    {
        struct fg_prose wanted;
        fg_prose_init(&wanted, 10000);
        fg_prose_add_plain(&wanted, fg_str_from(json_string_value(text)));
        n += fg_str_find(page, fg_prose_str(&wanted)) != FG_NOT_FOUND;
        fg_prose_clear(&wanted);
    }
    return n;
}

struct score {
    size_t wanted, found, unwanted, kept;
};

static void judge(struct score *score, const json_t *row)
{
    struct fg_arena arena = {0};
    struct fg_main_text main;
    struct fg_prose flat;
    struct fg_str html =
        unpacked(&arena, json_string_value(json_object_get(row, "file")));
    fg_main_text_read(&main, &arena, fg_utf8_clean(&arena, html));
    fg_prose_init(&flat, 10 << 20);
    fg_prose_add_plain(&flat, main.text);
    const json_t *contains = json_object_get(row, "contains"),
                 *excludes = json_object_get(row, "excludes");
    score->wanted += json_array_size(contains);
    score->found += count_found(fg_prose_str(&flat), contains);
    score->unwanted += json_array_size(excludes);
    score->kept += count_found(fg_prose_str(&flat), excludes);
    fg_prose_clear(&flat);
    fg_arena_clear(&arena);
}

/* What people marked as part of the text and as not part of it (trafilatura's list). Of
 * the whole page as a reader sees it, 97 % and 85 % are found. */
static void real_pages_keep_their_text_and_lose_the_rest(void **state)
{
    (void)state;
    struct fg_arena arena = {0};
    struct score score = {0};
    struct fg_str line;
    if (access("../shared/conformance/pages/manifest.jsonl.gz", R_OK) != 0)
        skip();
    struct fg_str manifest = unpacked(&arena, "manifest.jsonl.gz");
    for (size_t n = 0; fg_str_cut(&manifest, '\n', &line); n++) {
        json_t *row = json_loadb(line.at, line.len, 0, NULL);
        if (json_object_get(row, "contains") && n % 2)
            judge(&score, row);
        json_decref(row);
    }
    assert_true(score.wanted > 100 && score.unwanted > 100);
    if (score.found * 100 < score.wanted * 84 || score.kept * 100 > score.unwanted * 20)
        fail_msg("found %zu of %zu, and %zu of %zu that are not part of it", score.found,
                 score.wanted, score.kept, score.unwanted);
    fg_arena_clear(&arena);
}

FG_TESTS(navigation_is_left_out, main_element_is_believed_if_it_has_text,
         short_pages_are_kept_whole, short_texts_are_kept_with_all_their_lines,
         hash_follows_the_words, real_pages_keep_their_text_and_lose_the_rest)
