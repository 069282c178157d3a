/* What fetches cost, where the user says so. */
#include "test.h"

#include "base/memory.h"
#include "crawl/cost.h"
#include "crawl/sites/site.h"
#include "crawl/state.h"
#include "policy/cost.h"

static struct fg_str entries[] = {
    {"shop.example=5", 14},
    {"http://news.example:8080 = 0.5", 30},
    {"other.example:81=3", 18},
};

static struct fg_crawl_options options(void)
{
    return (struct fg_crawl_options){.budget.costs = {entries, 3}};
}

static void entries_name_a_site_and_a_cost(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3; i++)
        assert_null(fg_cost_refuse(entries[i]));
    static const char *const wrong[] = {"",        "shop.example", "=5",
                                        "shop=",   "shop=x",       "shop=0",
                                        "shop=-1", "shop=1e9",     "shop=nan"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_non_null(fg_cost_refuse(fg_str_from(wrong[i])));
}

static void a_site_costs_what_is_said_of_it_and_others_cost_one(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        double cost;
    } cases[] = {
        {"https://shop.example", 5},       {"http://shop.example", 5},
        {"http://news.example:8080", 0.5}, {"https://news.example:8080", 1},
        {"http://other.example:81", 3},    {"http://other.example", 1},
        {"https://not-shop.example", 1},   {"", 1},
    };
    struct fg_crawl_options o = options();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_near(fg_cost_of_site(&o, fg_str_from(cases[i].key)), cases[i].cost, 0);
}

/* Requests, hops included, and bytes, times what the site costs. */
static void an_answer_costs_its_requests_and_bytes(void **state)
{
    (void)state;
    static const struct {
        unsigned requests;
        uint64_t bytes;
        size_t cost_bytes;
        const char *key;
        double cost;
    } cases[] = {
        {1, 50000, 0, "http://a.example", 1},
        {1, 50000, 100000, "http://a.example", 1.5},
        {3, 0, 100000, "http://a.example", 3},
        {2, 100000, 100000, "http://shop.example", 15},
        {0, 0, 100000, "http://shop.example", 0},
    };
    struct fg_crawl *crawl = fg_zeroed(1, sizeof *crawl);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char key[64];
        snprintf(key, sizeof key, "%s", cases[i].key);
        struct site site = {.key = key};
        struct fg_response response = {.wire_bytes = cases[i].bytes};
        struct fg_answer answer = {.requests = cases[i].requests, .response = &response};
        crawl->options = options();
        crawl->options.budget.cost_bytes = cases[i].cost_bytes;
        assert_near(cost_of_answer(crawl, &site, &answer), cases[i].cost, 1e-12);
    }
    free(crawl);
}

static void what_first_fetches_cost_is_learnt(void **state)
{
    (void)state;
    struct fg_crawl *crawl = fg_zeroed(1, sizeof *crawl);
    char key[] = "http://shop.example";
    struct site site = {.key = key};
    crawl->options = options();
    for (int i = 0; i < 400; i++)
        cost_learn(crawl, &site, 10); /* twice as much as a request to it */
    assert_near(crawl->budget.usual_cost, 2, 1e-3);
    free(crawl);
}

static void a_page_comes_to_cost_what_it_does(void **state)
{
    (void)state;
    uint8_t cost = 0;
    fg_cost_learn(&cost, 1);
    assert_int_equal(cost, 0);
    for (int i = 0; i < 12; i++)
        fg_cost_learn(&cost, 6);
    assert_near(fg_from_octaves(cost), 6, 0.4);
    for (int i = 0; i < 12; i++)
        fg_cost_learn(&cost, 1);
    assert_near(fg_from_octaves(cost), 1, 0.07);
}

FG_TESTS(entries_name_a_site_and_a_cost,
         a_site_costs_what_is_said_of_it_and_others_cost_one,
         an_answer_costs_its_requests_and_bytes, what_first_fetches_cost_is_learnt,
         a_page_comes_to_cost_what_it_does)
