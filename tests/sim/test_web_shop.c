/* The shop: the same for the same seed, its pages true to its values, its changes and
 * clicks as it says of itself. */
#include "base/map.h"
#include "sim/web_shop.h"
#include "test.h"

static const fg_time start = 20000 * FG_DAY;

static struct fg_shop_options sized(unsigned offers, int days)
{
    struct fg_shop_options options = fg_shop_defaults();
    options.offers = offers;
    options.from = start;
    options.to = start + days * FG_DAY;
    return options;
}

static struct fg_str get(const struct fg_shop *shop, struct fg_str path, fg_time now,
                         struct fg_buf *body)
{
    fg_buf_reset(body);
    struct fg_web_page page =
        fg_shop_render(shop, path, FG_STR("http://127.0.0.1:1"), now, body);
    return page.status == 200 ? fg_buf_str(body) : FG_STR("");
}

static struct fg_str get_offer(const struct fg_shop *shop, size_t i, fg_time now,
                               struct fg_buf *body)
{
    struct fg_buf path;
    fg_buf_init(&path, 1024);
    fg_shop_path(shop, i, &path);
    struct fg_str text = get(shop, fg_buf_str(&path), now, body);
    fg_buf_clear(&path);
    return text;
}

static void the_same_seed_is_the_same_shop(void **state)
{
    (void)state;
    struct fg_shop_options options = sized(50, 10);
    struct fg_shop *a = fg_shop_new(&options), *b = fg_shop_new(&options);
    options.seed = 2;
    struct fg_shop *c = fg_shop_new(&options);
    size_t differs = 0;
    for (size_t i = 0; i < 50; i++) {
        const struct fg_shop_offer *x = fg_shop_offer(a, i), *y = fg_shop_offer(b, i);
        assert_int_equal(x->n_values, y->n_values);
        assert_memory_equal(x->values, y->values, x->n_values * sizeof *x->values);
        assert_int_equal(fg_shop_day(a, i, 19990).clicks,
                         fg_shop_day(b, i, 19990).clicks);
        differs += x->values[0].cents != fg_shop_offer(c, i)->values[0].cents;
    }
    assert_true(differs > 45);
    fg_shop_free(a);
    fg_shop_free(b);
    fg_shop_free(c);
}

static void values_come_in_order_and_each_is_news(void **state)
{
    (void)state;
    struct fg_shop_options options = sized(200, 20);
    struct fg_shop *shop = fg_shop_new(&options);
    for (size_t i = 0; i < fg_shop_offers(shop); i++) {
        const struct fg_shop_offer *offer = fg_shop_offer(shop, i);
        for (size_t j = 1; j < offer->n_values; j++) {
            const struct fg_shop_value *v = &offer->values[j];
            assert_true(v->since >= v[-1].since);
            assert_true(v->cents != v[-1].cents || v->in_stock != v[-1].in_stock);
            assert_ptr_equal(fg_shop_value_at(offer, v->since - 1),
                             v->since > v[-1].since ? v - 1 : v - 2);
        }
        const struct fg_shop_value *last = &offer->values[offer->n_values - 1];
        assert_ptr_equal(fg_shop_value_at(offer, INT64_MAX), last);
        assert_ptr_equal(fg_shop_value_at(offer, 0), offer->values);
    }
    fg_shop_free(shop);
}

/* Whichever way it is told in: the first ten offers are six, two and two. */
static void a_page_tells_the_value_of_its_time(void **state)
{
    (void)state;
    struct fg_shop_options options = sized(10, 10);
    struct fg_shop *shop = fg_shop_new(&options);
    struct fg_buf body;
    fg_buf_init(&body, 1 << 20);
    static const char *const ways[] = {"ld+json", "itemprop=\"price\"", "product:price"};
    for (size_t i = 0; i < 10; i++) {
        const struct fg_shop_offer *offer = fg_shop_offer(shop, i);
        for (fg_time now = start; now < start + 10 * FG_DAY; now += 11 * FG_HOUR) {
            const struct fg_shop_value *value = fg_shop_value_at(offer, now);
            struct fg_str page = get_offer(shop, i, now, &body);
            char price[32];
            snprintf(price, sizeof price, "\"%u.%02u\"", value->cents / 100,
                     value->cents % 100);
            assert_true(fg_str_find(page, fg_str_from(price)) != FG_NOT_FOUND);
            bool says_out = fg_str_find(page, FG_STR("OutOfStock")) != FG_NOT_FOUND ||
                            fg_str_find(page, FG_STR("out of stock")) != FG_NOT_FOUND;
            assert_int_equal(says_out, !value->in_stock);
            const char *way = ways[i < 6 ? 0 : i < 8 ? 1 : 2];
            assert_true(fg_str_find(page, fg_str_from(way)) != FG_NOT_FOUND);
        }
    }
    fg_buf_clear(&body);
    fg_shop_free(shop);
}

static void the_bytes_differ_where_the_value_does_not(void **state)
{
    (void)state;
    struct fg_shop_options options = sized(10, 10);
    struct fg_shop *shop = fg_shop_new(&options);
    struct fg_buf a, b;
    fg_buf_init(&a, 1 << 20);
    fg_buf_init(&b, 1 << 20);
    struct fg_str x = get_offer(shop, 0, start, &a),
                  y = get_offer(shop, 0, start + 1, &b);
    assert_false(fg_str_eq(x, y));
    fg_buf_clear(&a);
    fg_buf_clear(&b);
    fg_shop_free(shop);
}

/* Follows links from page to page, counting the offers. */
static size_t follow(const struct fg_shop *shop, struct fg_map *seen, struct fg_str path)
{
    uint64_t hash = fg_str_hash(path);
    if (fg_map_get(seen, hash))
        return 0;
    *fg_map_put(seen, hash) = 1;
    if (fg_str_starts(path, FG_STR("/offers/")))
        return 1;
    struct fg_buf body;
    fg_buf_init(&body, 1 << 20);
    struct fg_str text = get(shop, path, start, &body), link;
    size_t n = 0, at;
    while ((at = fg_str_find(text, FG_STR("href=\""))) != FG_NOT_FOUND) {
        text = fg_str_skip(text, at + 6);
        fg_str_cut(&text, '"', &link);
        n += follow(shop, seen, link);
    }
    fg_buf_clear(&body);
    return n;
}

static void every_offer_is_reached_from_the_home_page(void **state)
{
    (void)state;
    struct fg_shop_options options = sized(400, 1);
    struct fg_shop *shop = fg_shop_new(&options);
    struct fg_map seen = {0};
    assert_int_equal(follow(shop, &seen, FG_STR("/")), 400);
    fg_map_clear(&seen);
    fg_shop_free(shop);
}

static void what_is_not_there_is_not_found(void **state)
{
    (void)state;
    struct fg_shop_options options = sized(10, 1);
    struct fg_shop *shop = fg_shop_new(&options);
    struct fg_buf body;
    fg_buf_init(&body, 1 << 20);
    static const char *const paths[] = {
        "/offers/",   "/offers/x-3",       "/c/nothing",
        "/c/",        "/c/phones?page=0",  "/offers/lamps/x-99",
        "/counts.cs", "/c/phones?page=11", ""};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        assert_int_equal(
            fg_shop_render(shop, fg_str_from(paths[i]), FG_STR(""), start, &body).status,
            404);
    fg_buf_clear(&body);
    fg_shop_free(shop);
}

/* Of the profile's mass (4.2 + 2.4 + 0.5) / 24 = 29.6 % lies in the first three hours;
 * what was sold out comes back at any. */
static void changes_come_at_the_rate_and_the_hours_stated(void **state)
{
    (void)state;
    struct fg_shop_options options = sized(1000, 30);
    options.sales_per_day = 0;
    options.changes_per_day = 1;
    struct fg_shop *shop = fg_shop_new(&options);
    double expected = 0, seen = 0, early = 0, fastest = 0;
    for (size_t i = 0; i < 1000; i++) {
        const struct fg_shop_offer *offer = fg_shop_offer(shop, i);
        expected += offer->changes_per_day * 30;
        fastest = fmax(fastest, offer->changes_per_day);
        for (size_t j = 1; j < offer->n_values; j++)
            if (offer->values[j].since >= start) {
                seen++;
                early += fg_hour_of_day(offer->values[j].since) < 3;
            }
    }
    assert_near(expected / 30000, 1, 0.05); /* the cap takes a little */
    /* Ten in a hundred are sell-outs that come back by themselves; going back to the old
     * price sometimes changes nothing. */
    assert_in_range((uint64_t)(100 * seen / expected), 95, 110);
    assert_true(early / seen > 0.25 && early / seen < 0.31);
    assert_true(fastest > 8 && fastest <= 24);
    fg_shop_free(shop);
}

/* With next to no changes of their own accord, what offers do is join sales. */
static void sales_move_siblings_together(void **state)
{
    (void)state;
    struct fg_shop_options options = sized(300, 30);
    options.changes_per_day = 1e-4;
    struct fg_shop *shop = fg_shop_new(&options);
    size_t of_category[12] = {0}, in_sale[12] = {0};
    for (size_t i = 0; i < 300; i++) {
        const struct fg_shop_offer *offer = fg_shop_offer(shop, i);
        of_category[offer->category]++;
        in_sale[offer->category] += offer->n_values > 1;
    }
    size_t sales = 0;
    for (size_t c = 0; c < 12; c++) {
        /* Two months at one in ten days and a half: nearly all have had one. */
        sales += in_sale[c] > of_category[c] / 2;
    }
    assert_true(sales >= 10);
    /* Those that leave a sale are back at their price. */
    size_t back = 0, n = 0;
    for (size_t i = 0; i < 300; i++) {
        const struct fg_shop_offer *offer = fg_shop_offer(shop, i);
        if (offer->n_values < 3)
            continue;
        n++;
        back += offer->values[2].cents == offer->values[0].cents;
    }
    assert_true(n > 200 && back > n * 9 / 10);
    fg_shop_free(shop);
}

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static void few_offers_have_most_of_the_clicks(void **state)
{
    (void)state;
    struct fg_shop_options options = sized(1000, 1);
    struct fg_shop *shop = fg_shop_new(&options);
    double rate[1000], sum = 0, top = 0, clicks = 0, shown = 0, shown_rate = 0;
    for (size_t i = 0; i < 1000; i++) {
        const struct fg_shop_offer *offer = fg_shop_offer(shop, i);
        rate[i] = offer->clicks_per_day;
        sum += rate[i];
        shown_rate += offer->impressions_per_day;
        for (int64_t day = 20000; day < 20014; day++) {
            struct fg_shop_counts counts = fg_shop_day(shop, i, day);
            assert_true(counts.clicks <= counts.impressions);
            clicks += (double)counts.clicks / 14;
            shown += (double)counts.impressions / 14;
        }
    }
    qsort(rate, 1000, sizeof *rate, descending);
    for (size_t i = 0; i < 100; i++)
        top += rate[i];
    assert_near(sum, 1000, 1e-6);
    assert_true(top / sum > 0.5);
    assert_near(clicks / sum, 1, 0.05);
    assert_near(shown / shown_rate, 1, 0.05);
    fg_shop_free(shop);
}

/* Values from 0, 10 and 30 on, the third as the first; copies taken at 5, 15 and 40. */
static void a_copy_is_fresh_while_it_says_what_is_true(void **state)
{
    (void)state;
    const struct fg_shop_value values[] = {
        {0, 1234, true}, {10, 1300, false}, {30, 1234, true}};
    struct fg_shop_offer offer = {.values = values, .n_values = 3};
    struct fg_shop_copy copies[] = {{5, FG_STR("12.34 EUR InStock")},
                                    {15, FG_STR("13.00 EUR OutOfStock")},
                                    {40, FG_STR("12.34 EUR InStock")}};
    /* 5 to 10, 15 to 30, 40 to 50 */
    assert_int_equal(fg_shop_fresh_time(&offer, copies, 3, 0, 50), 30);
    assert_int_equal(fg_shop_fresh_time(&offer, copies, 3, 8, 20), 7);
    /* With the first copy only: 5 to 10, and from 30 on it is true again. */
    assert_int_equal(fg_shop_fresh_time(&offer, copies, 1, 0, 50), 25);
    assert_int_equal(fg_shop_fresh_time(&offer, copies, 0, 0, 50), 0);
    copies[0].text = FG_STR("12.34 EUR");
    assert_int_equal(fg_shop_fresh_time(&offer, copies, 1, 0, 50), 0);
}

static void counts_are_told_when_the_day_is_over(void **state)
{
    (void)state;
    struct fg_shop_options options = sized(5, 3);
    struct fg_shop *shop = fg_shop_new(&options);
    struct fg_buf body, expected;
    fg_buf_init(&body, 1 << 20);
    fg_buf_init(&expected, 1 << 20);
    struct fg_str origin = FG_STR("http://127.0.0.1:1");
    fg_time noon = start + FG_DAY / 2;
    struct fg_str last = get(shop, FG_STR("/counts.csv?days=1"), noon, &body);
    fg_shop_csv(shop, origin, 19999, 20000, &expected);
    assert_true(fg_str_eq(last, fg_buf_str(&expected)));
    assert_true(fg_str_find(last, FG_STR(",2024-10-03,")) != FG_NOT_FOUND);
    assert_str(get(shop, FG_STR("/counts.csv?day=2024-10-04"), noon, &body),
               "url,day,clicks,impressions\n");
    struct fg_str same = get(shop, FG_STR("/counts.csv?day=2024-10-03"), noon, &body);
    assert_true(fg_str_eq(same, fg_buf_str(&expected)));
    fg_buf_reset(&expected);
    fg_shop_csv(shop, origin, 19970, 20000, &expected);
    same = get(shop, FG_STR("/counts.csv"), noon, &body);
    assert_true(fg_str_eq(same, fg_buf_str(&expected)));
    fg_buf_clear(&body);
    fg_buf_clear(&expected);
    fg_shop_free(shop);
}

static void the_truth_names_the_values_of_a_span(void **state)
{
    (void)state;
    struct fg_shop_options options = sized(20, 10);
    struct fg_shop *shop = fg_shop_new(&options);
    struct fg_buf out;
    fg_buf_init(&out, 1 << 20);
    fg_time from = start + 2 * FG_DAY, to = start + 5 * FG_DAY;
    size_t expected = 0, lines = 0;
    for (size_t i = 0; i < 20; i++) {
        const struct fg_shop_offer *offer = fg_shop_offer(shop, i);
        expected++; /* the one at `from` */
        for (size_t j = 1; j < offer->n_values; j++)
            expected += offer->values[j].since > from && offer->values[j].since < to;
    }
    fg_shop_truth(shop, FG_STR("http://127.0.0.1:1"), from, to, &out);
    struct fg_str rest = fg_buf_str(&out), line;
    while (fg_str_cut(&rest, '\n', &line))
        lines += line.len > 0;
    assert_int_equal(lines, expected);
    fg_buf_clear(&out);
    fg_shop_free(shop);
}

FG_TESTS(the_same_seed_is_the_same_shop, values_come_in_order_and_each_is_news,
         a_page_tells_the_value_of_its_time, the_bytes_differ_where_the_value_does_not,
         every_offer_is_reached_from_the_home_page, what_is_not_there_is_not_found,
         changes_come_at_the_rate_and_the_hours_stated, sales_move_siblings_together,
         few_offers_have_most_of_the_clicks, a_copy_is_fresh_while_it_says_what_is_true,
         counts_are_told_when_the_day_is_over, the_truth_names_the_values_of_a_span)
