#include "test.h"

#include "net/url/domain.h"
#include "net/url/idna.h"

#include <pthread.h>

static void registrable_domain_is_one_below_the_suffix(void **state)
{
    (void)state;
    struct fg_str host = FG_STR("news.bbc.co.uk"), domain = fg_domain_registrable(host);
    assert_str(domain, "bbc.co.uk");
    assert_ptr_equal(domain.at, host.at + 5);
    assert_str(fg_domain_registrable(FG_STR("example.org")), "example.org");
    assert_str(fg_domain_registrable(FG_STR("example.org.")), "example.org");
    assert_str(fg_domain_registrable(FG_STR("a.b.unheard-of")), "b.unheard-of");
}

static void what_is_no_name_has_none(void **state)
{
    (void)state;
    static const char *const none[] = {
        "",          ".",     "org",          "co.uk",         "localhost",
        "127.0.0.1", "[::1]", ".example.org", "a..example.org"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_str(fg_domain_registrable(fg_str_from(none[i])), "");
    char longer[300];
    memset(longer, 'a', sizeof longer);
    assert_str(fg_domain_registrable((struct fg_str){longer, sizeof longer}), "");
}

static void a_missing_list_is_a_failure_with_its_name(void **state)
{
    (void)state;
    struct fg_domain_list *list;
    struct fg_err err;
    assert_int_equal(fg_domain_list_load(&list, "/nonexistent/list", &err), FG_EIO);
    assert_string_equal(err.text, "cannot read suffix list '/nonexistent/list'");
    assert_str(fg_domain_registrable_in(NULL, FG_STR("a.example")), "");
}

/* Also a name that needs ICU, which is shared in the same way. */
static void *ask_often(void *wrong)
{
    for (int i = 0; i < 1000; i++) {
        struct fg_buf name;
        fg_buf_init(&name, 100);
        fg_idna_to_ascii(&name, FG_STR("a.b\xC3\xBC"
                                       "cher.org"));
        if (fg_domain_registrable(fg_buf_str(&name)).len != 17)
            *(bool *)wrong = true;
        fg_buf_clear(&name);
    }
    return NULL;
}

static void threads_share_the_tables(void **state)
{
    (void)state;
    pthread_t threads[4];
    bool wrong[4] = {0};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask_often, &wrong[i]), 0);
    for (size_t i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        assert_false(wrong[i]);
    }
}

FG_TESTS(registrable_domain_is_one_below_the_suffix, what_is_no_name_has_none,
         a_missing_list_is_a_failure_with_its_name, threads_share_the_tables)
