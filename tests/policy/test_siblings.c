#include "policy/siblings.h"
#include "test.h"

static void count_all(struct fg_siblings *siblings, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        fg_siblings_count(siblings, fg_str_from(names[i]));
}

static uint32_t group(struct fg_siblings *siblings, const char *name)
{
    return fg_siblings_group(siblings, fg_str_from(name));
}

static void siblings_share_the_deepest_large_directory(void **state)
{
    (void)state;
    static const char *const names[] = {"a/b/1", "a/b/2", "a/b/3", "a/b/4", "a/b/c/5",
                                        "a/x/1", "a/x/2", "q/1",   "top"};
    struct fg_siblings siblings = {0};
    count_all(&siblings, names, 9);
    uint32_t b = group(&siblings, "a/b/1"), a = group(&siblings, "a/x/1");
    uint32_t root = group(&siblings, "q/1");
    assert_int_equal(b, 0);
    assert_int_equal(a, 1);
    assert_int_equal(root, 2);
    /* a/b/c holds one page: its group is a/b, which holds five, that one included */
    assert_int_equal(group(&siblings, "a/b/c/5"), b);
    assert_int_equal(group(&siblings, "a/x/2"), a);
    assert_int_equal(group(&siblings, "top"), root);
    assert_int_equal(siblings.groups, 3);
    fg_siblings_clear(&siblings);
}

static void siblings_of_urls_stay_on_their_site(void **state)
{
    (void)state;
    static const char *const names[] = {"https://a.example/shop/1?x=/1/2",
                                        "http://a.example/shop/2#/a/b",
                                        "https://a.example/shop/3",
                                        "https://a.example/shop/4",
                                        "https://a.example/shop/5",
                                        "https://a.example/",
                                        "https://a.example",
                                        "https://b.example/shop/1",
                                        "https://b.example/"};
    struct fg_siblings siblings = {0};
    count_all(&siblings, names, 9);
    uint32_t shop = group(&siblings, names[0]), site = group(&siblings, names[5]);
    uint32_t other = group(&siblings, names[7]);
    assert_int_equal(group(&siblings, names[1]), shop);
    assert_int_equal(group(&siblings, names[6]), site);
    assert_int_equal(group(&siblings, names[8]), other);
    assert_int_not_equal(shop, site);
    assert_int_not_equal(site, other);
    fg_siblings_clear(&siblings);
}

static void siblings_keep_their_numbers_as_directories_grow(void **state)
{
    (void)state;
    struct fg_siblings siblings = {0};
    fg_siblings_count(&siblings, FG_STR("d/1"));
    uint32_t before = group(&siblings, "d/1");
    for (int i = 0; i < 4; i++)
        fg_siblings_count(&siblings, FG_STR("d/2"));
    uint32_t after = group(&siblings, "d/1");
    assert_int_not_equal(after, before);
    assert_int_equal(group(&siblings, "e"), before); /* both are of the root */
    assert_int_equal(group(&siblings, "d/2"), after);
    fg_siblings_clear(&siblings);
}

FG_TESTS(siblings_share_the_deepest_large_directory, siblings_of_urls_stay_on_their_site,
         siblings_keep_their_numbers_as_directories_grow)
