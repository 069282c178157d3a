#include "test.h"

#include "crawl/signals/push_state.h"

#include <unistd.h>

static void a_key_is_letters_digits_and_dashes(void **state)
{
    (void)state;
    char text[130];
    memset(text, 'a', sizeof text);
    assert_true(fg_indexnow_is_key(FG_STR("abc-DEF9")));
    assert_false(fg_indexnow_is_key(FG_STR("abcdef7")));
    assert_false(fg_indexnow_is_key(FG_STR("abc/../def")));
    assert_false(fg_indexnow_is_key(FG_STR("abcd\tefgh")));
    assert_true(fg_indexnow_is_key((struct fg_str){text, 128}));
    assert_false(fg_indexnow_is_key((struct fg_str){text, 129}));
}

static void a_key_speaks_for_its_folder(void **state)
{
    (void)state;
    static const struct {
        const char *location, *url;
        bool covers;
    } cases[] = {
        {"https://a.example/k.txt", "https://a.example/", true},
        {"https://a.example/k.txt", "https://a.example/x/y?z", true},
        {"https://a.example/k.txt", "http://a.example/x", false},
        {"https://a.example/k.txt", "https://a.example:8443/x", false},
        {"https://a.example/k.txt", "https://a.example.evil.example/", false},
        {"https://a.example/blog/k.txt", "https://a.example/blog/1", true},
        {"https://a.example/blog/k.txt", "https://a.example/blogs/1", false},
        {"https://a.example/blog/k.txt", "https://a.example/", false},
        {"https://a.example/", "https://a.example/x", true},
        {"", "https://a.example/", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_true(fg_indexnow_covers(fg_str_from(cases[i].location),
                                       fg_str_from(cases[i].url)) == cases[i].covers);
}

static void what_is_put_is_loaded(void **state)
{
    (void)state;
    char folder[] = "/tmp/forage-push-XXXXXX", path[64];
    struct fg_store *store;
    struct fg_arena arena = {0};
    struct fg_subscription subs[FG_SUBSCRIPTIONS_MOST] = {
        {.page = 7,
         .state = FG_SUB_ACTIVE,
         .topic = FG_STR("https://a.example/feed?a=1&b=<2>"),
         .hub = FG_STR("https://hub.example/"),
         .token = FG_STR("00ff"),
         .secret = FG_STR("11ee"),
         .asked = FG_NEVER,
         .next = 5,
         .since = FG_DAY,
         .until = 2 * FG_DAY,
         .renew = FG_NEVER,
         .failures = 3,
         .pushes = 12,
         .unconfirmed = FG_NEVER,
         .honesty = {.told = 6.5, .proved = 5, .missed = 1, .streak = 4, .tried = 9}}};
    struct fg_push push = {.public_url = FG_STR("https://forage.example"),
                           .subs = subs,
                           .n_subs = 1,
                           .indexnow = {.key = FG_STR("abcdefgh"),
                                        .location =
                                            FG_STR("https://a.example/abcdefgh.txt"),
                                        .checked = FG_DAY,
                                        .refused_at = FG_NEVER,
                                        .next_check = FG_NEVER,
                                        .unconfirmed = FG_NEVER,
                                        .urls = 17},
                           .dates = {.told = 3, .proved = 2}},
                   back;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(fg_store_open(&store, folder, &(struct fg_store_options){0}, NULL),
                     0);
    assert_int_equal(fg_push_load(&back, &arena, store, 1, NULL), 0);
    assert_true(!back.n_subs && !back.indexnow.key.len);
    struct fg_batch *batch = fg_batch_new(store);
    fg_push_put(batch, 1, &push);
    assert_int_equal(fg_store_flush(store, fg_store_submit(store, batch), NULL), 0);
    assert_int_equal(fg_push_load(&back, &arena, store, 1, NULL), 0);
    assert_str(back.public_url, "https://forage.example");
    assert_int_equal(back.n_subs, 1);
    const struct fg_subscription *sub = &back.subs[0];
    assert_str(sub->topic, "https://a.example/feed?a=1&b=<2>");
    assert_str(sub->token, "00ff");
    assert_str(sub->secret, "11ee");
    assert_true(sub->page == 7 && sub->state == FG_SUB_ACTIVE && sub->asked == FG_NEVER &&
                sub->until == 2 * FG_DAY && sub->failures == 3 && sub->pushes == 12);
    assert_true(sub->honesty.told == 6.5 && sub->honesty.streak == 4);
    assert_str(back.indexnow.key, "abcdefgh");
    assert_true(back.indexnow.checked == FG_DAY && back.indexnow.urls == 17 &&
                back.indexnow.refused_at == FG_NEVER && back.dates.proved == 2);
    fg_store_close(store, NULL);
    fg_arena_clear(&arena);
    static const char *const left[] = {"forage.db", "forage.db.lock"};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, left[i]);
        unlink(path);
    }
    assert_int_equal(rmdir(folder), 0);
}

FG_TESTS(a_key_is_letters_digits_and_dashes, a_key_speaks_for_its_folder,
         what_is_put_is_loaded)
