/* Sites that pages lead to: each page counts once, the table stays small, and what is
 * written is read again. */
#include "crawl/sources/strangers.h"
#include "test.h"

#include <stdio.h>

static const struct fg_stranger *find(const struct fg_strangers *strangers,
                                      const char *key)
{
    for (size_t i = 0; i < strangers->all.len; i++)
        if (strcmp(strangers->all.at[i].key, key) == 0)
            return &strangers->all.at[i];
    return NULL;
}

static uint64_t page(uint64_t site, uint64_t number)
{
    return site << 32 | number;
}

static void a_page_counts_once(void **state)
{
    (void)state;
    struct fg_strangers s = {0};
    struct fg_str a = FG_STR("https://a.example");
    fg_strangers_see(&s, a, page(1, 1), true, 10);
    fg_strangers_see(&s, a, page(1, 1), false, 20);
    fg_strangers_see(&s, a, page(2, 1), false, 30);
    const struct fg_stranger *stranger = find(&s, "https://a.example");
    assert_non_null(stranger);
    assert_int_equal(stranger->pages, 2);
    assert_int_equal(fg_stranger_sites(stranger), 2);
    assert_true(stranger->first == 10 && stranger->last == 30);
    /* Beyond those that are remembered only a first look can tell. */
    for (uint64_t i = 2; i < 20; i++)
        fg_strangers_see(&s, a, page(1, i), true, 40);
    fg_strangers_see(&s, a, page(1, 19), false, 50);
    stranger = find(&s, "https://a.example");
    assert_int_equal(stranger->pages, 20);
    assert_int_equal(stranger->n_from, FG_STRANGER_PAGES);
    assert_int_equal(stranger->from[0], page(1, 1));
    fg_strangers_clear(&s);
}

static void those_most_lead_to_stay(void **state)
{
    (void)state;
    struct fg_strangers s = {0};
    char key[40];
    for (uint64_t i = 0; i < 5000; i++) {
        snprintf(key, sizeof key, "https://s%u.example", (unsigned)i);
        fg_strangers_see(&s, fg_str_from(key), page(1, i), true, (fg_time)i);
        fg_strangers_see(&s, FG_STR("https://often.example"), page(1, i), true,
                         (fg_time)i);
        assert_true(s.all.len <= FG_STRANGERS_MOST);
    }
    const struct fg_stranger *often = find(&s, "https://often.example");
    assert_non_null(often);
    assert_int_equal(often->pages, 5000);
    assert_non_null(find(&s, "https://s4999.example"));
    assert_null(find(&s, "https://s0.example"));
    fg_strangers_clear(&s);
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    struct fg_strangers s = {0}, again = {0};
    struct fg_buf text, twice;
    fg_buf_init(&text, 1 << 20);
    fg_buf_init(&twice, 1 << 20);
    for (uint64_t i = 0; i < 40; i++) {
        char key[40];
        snprintf(key, sizeof key, "https://s%u.example", (unsigned)(i % 7));
        fg_strangers_see(&s, fg_str_from(key), page(i % 3 + 1, i), true, (fg_time)i);
    }
    fg_strangers_write(&s, &text);
    assert_true(fg_strangers_read(&again, fg_buf_str(&text)));
    fg_strangers_write(&again, &twice);
    assert_true(fg_str_eq(fg_buf_str(&text), fg_buf_str(&twice)));
    static const char *const broken[] = {
        "https://a.example\n",
        "https://a.example\t1\t2\t3\n",
        "https://a.example\tx\t2\t3\t4\n",
        "\t1\t2\t3\t4\n",
        "https://a.example\t1\t2\t3\t4\t5\t6\t7\t8\t9\t10\t11\t12\n",
        "https://a.example\t1\t2\t99999999999999999999\t4\n",
        "https://a.example\t1\t2\t3\t4\nhttps://a.example\t1\t2\t3\t4\n"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        assert_false(fg_strangers_read(&again, fg_str_from(broken[i])));
        assert_int_equal(again.all.len, 0);
    }
    fg_buf_clear(&text);
    fg_buf_clear(&twice);
    fg_strangers_clear(&s);
    fg_strangers_clear(&again);
}

FG_TESTS(a_page_counts_once, those_most_lead_to_stay, what_is_written_is_read)
