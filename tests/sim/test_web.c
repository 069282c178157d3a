/* The synthetic web: the same for the same seed, and true to what it says of itself. */
#include "base/map.h"
#include "sim/web.h"
#include "test.h"

static struct fg_web *small_web(uint64_t seed)
{
    struct fg_web_options options = fg_web_defaults();
    options.seed = seed;
    options.sites = 3;
    options.from = 20000 * FG_DAY;
    options.to = options.from + 5 * FG_DAY;
    options.article_bytes = 500;
    return fg_web_new(&options);
}

static const fg_time start = 20000 * FG_DAY;

static struct fg_web_page get(const struct fg_web *web, unsigned site, const char *path,
                              fg_time now, struct fg_buf *body)
{
    fg_buf_reset(body);
    return fg_web_render(web, site, fg_str_from(path), FG_STR("http://127.0.0.1:1"), now,
                         body);
}

static bool count(void *context, const struct fg_web_article *article)
{
    (void)article;
    ++*(size_t *)context;
    return true;
}

static void the_same_seed_is_the_same_web(void **state)
{
    (void)state;
    struct fg_web *a = small_web(3), *b = small_web(3), *c = small_web(4);
    struct fg_buf x, y;
    fg_buf_init(&x, 1 << 20);
    fg_buf_init(&y, 1 << 20);
    for (fg_time now = start; now < start + 3 * FG_DAY; now += 7 * FG_HOUR) {
        get(a, 1, "/", now, &x);
        get(b, 1, "/", now, &y);
        assert_true(fg_str_eq(fg_buf_str(&x), fg_buf_str(&y)));
    }
    size_t na = 0, nc = 0;
    fg_web_articles(a, 0, INT64_MAX, count, &na);
    fg_web_articles(c, 0, INT64_MAX, count, &nc);
    assert_true(na != nc);
    fg_buf_clear(&x);
    fg_buf_clear(&y);
    fg_web_free(a);
    fg_web_free(b);
    fg_web_free(c);
}

struct check {
    const struct fg_web *web;
    struct fg_buf body;
    size_t n;
};

static bool is_there_from_its_time_on(void *context, const struct fg_web_article *article)
{
    struct check *check = context;
    struct fg_arena arena = {0};
    const char *path = fg_arena_cstr(&arena, article->path);
    if (check->n++ % 20 == 0) {
        assert_int_equal(
            get(check->web, article->site, path, article->published - 1, &check->body)
                .status,
            404);
        assert_int_equal(
            get(check->web, article->site, path, article->published, &check->body).status,
            200);
    }
    fg_arena_clear(&arena);
    return true;
}

static void an_article_is_there_from_its_time_on(void **state)
{
    (void)state;
    struct check check = {.web = small_web(1)};
    fg_buf_init(&check.body, 1 << 20);
    fg_web_articles(check.web, start, INT64_MAX, is_there_from_its_time_on, &check);
    assert_true(check.n > 500);
    fg_buf_clear(&check.body);
    fg_web_free((struct fg_web *)check.web);
}

static bool is_linked(void *context, const struct fg_web_article *article)
{
    struct check *check = context;
    if (article->site == 0)
        check->n += fg_str_find(fg_buf_str(&check->body), article->path) != FG_NOT_FOUND;
    return true;
}

static void a_list_shows_the_newest_and_forgets_the_rest(void **state)
{
    (void)state;
    struct check check = {.web = small_web(1)};
    fg_buf_init(&check.body, 1 << 20);
    struct fg_web_page page =
        get(check.web, 0, "/section/world", start + 4 * FG_DAY, &check.body);
    assert_int_equal(page.status, 200);
    fg_web_articles(check.web, 0, start + 4 * FG_DAY, is_linked, &check);
    assert_in_range(check.n, 5, 30);
    fg_buf_clear(&check.body);
    fg_web_free((struct fg_web *)check.web);
}

static void versions_change_when_content_does_and_not_with_noise(void **state)
{
    (void)state;
    struct fg_web *web = small_web(1);
    struct fg_buf a, b;
    fg_buf_init(&a, 1 << 20);
    fg_buf_init(&b, 1 << 20);
    struct fg_web_page one = get(web, 0, "/about", start, &a);
    struct fg_web_page two = get(web, 0, "/about", start + FG_MINUTE, &b);
    assert_true(one.version == two.version && one.version != 0);
    assert_false(fg_str_eq(fg_buf_str(&a), fg_buf_str(&b))); /* the clock on it moved */
    one = get(web, 0, "/", start, &a);
    two = get(web, 0, "/", start + 2 * FG_DAY, &b);
    assert_true(one.version != two.version);
    fg_buf_clear(&a);
    fg_buf_clear(&b);
    fg_web_free(web);
}

static void what_is_not_there_is_not_found(void **state)
{
    (void)state;
    struct fg_web *web = small_web(1);
    struct fg_buf body;
    fg_buf_init(&body, 1 << 20);
    const char *paths[] = {"/nothing",
                           "/section/",
                           "",
                           "/world/1.html",
                           "/x-99999999999.html",
                           "/section/world/",
                           "//",
                           "/topic/topic-0"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        assert_int_equal(get(web, 0, paths[i], start, &body).status, 404);
    fg_buf_clear(&body);
    fg_web_free(web);
}

FG_TESTS(the_same_seed_is_the_same_web, an_article_is_there_from_its_time_on,
         a_list_shows_the_newest_and_forgets_the_rest,
         versions_change_when_content_does_and_not_with_noise,
         what_is_not_there_is_not_found)
