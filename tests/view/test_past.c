/* Estimates out of a store: what a crawl wrote down of a site is what a replay on it saw,
 * and the views tell what comes of it. */
#include "../store/fixture.h"
#include "base/json.h"
#include "lab/generate/generate.h"
#include "view/past.h"
#include "view/render.h"

#include <jansson.h>

enum { LOOKS = 2, DAYS = 8, SOURCES_END = 1000 };

struct place {
    struct box box;
    struct fg_store *store;
    struct fg_site *site;
    struct fg_looked looked; /* what the replay saw */
    struct fg_crawl_options settings;
    fg_time now;
};

static void put_page(struct fg_batch *batch, fg_page_id id, uint32_t flags, fg_time seen)
{
    char url[64];
    snprintf(url, sizeof url, "https://news.example/%u", id);
    fg_batch_page(batch,
                  &(struct fg_page_row){.site = 1,
                                        .page = id,
                                        .fingerprint = fg_str_hash(fg_str_from(url)),
                                        .url = fg_str_from(url),
                                        .flags = flags,
                                        .first_seen = seen,
                                        .last_visit = seen,
                                        .last_change = FG_NEVER,
                                        .next_visit = FG_NEVER,
                                        .published = FG_NEVER,
                                        .visits = 1,
                                        .weight = 1});
}

static void put_looks(struct place *place, struct fg_batch *batch)
{
    const struct fg_looked *looked = &place->looked;
    for (uint32_t u = 0; u < looked->n_sources; u++) {
        put_page(batch, u + 1, FG_PAGE_SOURCE, looked->from - FG_DAY);
        for (size_t i = 0; i < looked->sources[u].looks.len; i++)
            fg_batch_visit(batch, &(struct fg_visit_row){
                                      .site = 1,
                                      .page = u + 1,
                                      .time = looked->sources[u].looks.at[i],
                                      .status = 200,
                                      .purpose = 2,
                                  });
        fg_batch_visit(batch, &(struct fg_visit_row){.site = 1, /* that told nothing */
                                                     .page = u + 1,
                                                     .time = looked->from + FG_MINUTE,
                                                     .failure = 1});
    }
}

/* A link has one row: of one that came back the row says when that was. */
static void put_links(struct place *place, struct fg_batch *batch)
{
    const struct fg_looked *looked = &place->looked;
    for (size_t i = 0; i < looked->sights.len; i++) {
        const struct fg_sight *s = &looked->sights.at[i];
        bool is_new = i == 0 || s[-1].target != s->target;
        fg_page_id target = SOURCES_END + s->target;
        if (is_new) {
            fg_time seen = s->first;
            bool is_stock = s->before == FG_NEVER;
            for (size_t k = 1; i + k < looked->sights.len && s[k].target == s->target;
                 k++) {
                seen = s[k].first < seen ? s[k].first : seen;
                is_stock |= s[k].before == FG_NEVER;
            }
            put_page(batch, target, is_stock ? 0 : FG_PAGE_REPORTED, seen);
        }
        fg_batch_link(batch, &(struct fg_link_row){.site = 1,
                                                   .source = s->source + 1,
                                                   .target_site = 1,
                                                   .target = target,
                                                   .first_seen = s->first,
                                                   .last_seen = s->last,
                                                   .gone = s->after});
    }
}

static struct place place_new(void)
{
    struct place place = {.box = box_new()};
    struct fg_generator_options options = fg_generator_defaults("news");
    struct fg_err err;
    options.steps = DAYS * 24;
    options.history = 48;
    options.seed = 11;
    place.site = fg_generate_site(&options);
    assert_int_equal(fg_looked_replay(&place.looked, place.site,
                                      fg_policy_find(FG_STR("link-types"), FG_DISCOVERY),
                                      LOOKS, 1, &err),
                     FG_OK);
    place.now = place.looked.to;
    place.settings.policies.discovery = "link-types";
    place.settings.pace.delay = 5 * FG_SECOND;
    place.settings.budget.tick = 15 * FG_MINUTE;
    place.settings.budget.site_per_hour = 600;
    place.store = box_open(&place.box, NULL);
    struct fg_batch *batch = fg_batch_new(place.store);
    fg_batch_site(batch, &(struct fg_site_row){.site = 1,
                                               .key = FG_STR("https://news.example"),
                                               .tags = FG_STR("press"),
                                               .added = place.looked.from,
                                               .last_request = FG_NEVER,
                                               .robots_fetched = FG_NEVER,
                                               .robots_expires = FG_NEVER,
                                               .backoff_until = FG_NEVER,
                                               .state = 2});
    put_looks(&place, batch);
    put_links(&place, batch);
    assert_int_equal(
        fg_store_flush(place.store, fg_store_submit(place.store, batch), &err), FG_OK);
    return place;
}

static void place_free(struct place *place)
{
    box_close(place->store);
    box_free(&place->box);
    fg_looked_clear(&place->looked);
    fg_site_free(place->site);
}

static void look_at(struct place *place, struct fg_look *look, struct fg_arena *arena)
{
    struct fg_workspace where = {.folder = FG_STR("ws"), .settings = &place->settings};
    struct fg_err err;
    assert_int_equal(fg_look_open(look, &where, place->store, arena, &err), FG_OK);
    look->now = place->now;
}

static void the_past_is_what_was_seen(void **state)
{
    (void)state;
    struct place place = place_new();
    struct fg_arena arena = {0};
    struct fg_look look;
    struct fg_past past;
    struct fg_err err;
    struct fg_past_wish wish = {.span = 60 * FG_DAY};
    look_at(&place, &look, &arena);
    assert_int_equal(fg_past_read(&past, &look, &wish, &err), FG_OK);
    assert_int_equal(past.looked.n_sources, place.looked.n_sources);
    assert_int_equal(fg_looked_count(&past.looked), fg_looked_count(&place.looked));
    assert_int_equal(past.elsewhere, 0);
    assert_true(past.told >= 20 && past.sites == 1 && past.sites_left == 0);
    size_t told = 0;
    for (size_t i = 0; i < past.looked.sights.len; i++) {
        const struct fg_sight *s = &past.looked.sights.at[i];
        told += i == 0 || s[-1].target != s->target;
        assert_true(s->before != FG_NEVER && s->before < s->first && s->first <= s->last);
    }
    assert_int_equal(told, past.told);
    assert_true(past.step >= 2 * FG_MINUTE && past.step <= FG_HOUR);
    assert_near(fg_past_a_day(&past, past.a_step), LOOKS * 24, 2);
    assert_near(fg_past_a_day(&past, past.most), 600 * 24, 1); /* crawl.site-budget */
    fg_past_clear(&past);
    fg_look_close(&look);
    fg_arena_clear(&arena);
    place_free(&place);
}

static json_t *ask(struct place *place, const char *name, const char *const *words)
{
    size_t v = 0;
    while (strcmp(fg_views[v]->name, name) != 0)
        v++;
    struct fg_arena arena = {0};
    struct fg_look look;
    struct fg_err err = {0};
    struct fg_buf out;
    struct fg_sink sink = {.buf = &out};
    const struct fg_view *view = fg_views[v];
    void *question = fg_arena_alloc(&arena, view->question_size);
    struct fg_opts opts = {.arena = &arena};
    struct fg_origin origin = {.layer = FG_LAYER_FLAG};
    fg_opts_add(&opts, view->question, question);
    for (; *words; words += 2)
        assert_int_equal(fg_opts_set(&opts, fg_opts_find(&opts, fg_str_from(words[0])),
                                     fg_str_from(words[1]), origin, &err),
                         FG_OK);
    fg_buf_init(&out, 1 << 20);
    look_at(place, &look, &arena);
    const void *answer = NULL;
    struct fg_asking asking = {
        .look = &look, .question = question, .subject = FG_STR("")};
    json_t *json = NULL;
    if (!view->ask(&answer, &asking, &err)) {
        assert_int_equal(fg_render_json(&sink, &view->answer, answer, &err), FG_OK);
        json = json_loadb(out.at, out.len, 0, NULL);
        assert_non_null(json);
    } else {
        json = json_pack("{s:s}", "error", err.text);
    }
    fg_buf_clear(&out);
    fg_look_close(&look);
    fg_arena_clear(&arena);
    return json;
}

static double number(const json_t *json, const char *key)
{
    return json_number_value(json_object_get(json, key));
}

/* What a crawl found, what its policy finds on a likeness, and what is asked about: the
 * truth of the last is known here. */
static void whatif_says_what_comes_true(void **state)
{
    (void)state;
    struct place place = place_new();
    static const char *const words[] = {"policy", "round-robin", "budget", "200%", NULL};
    json_t *json = ask(&place, "whatif", words);
    const json_t *rows = json_object_get(json, "rows");
    assert_int_equal(json_array_size(rows), 3);
    const json_t *was = json_array_get(rows, 0), *is = json_array_get(rows, 1),
                 *asked = json_array_get(rows, 2);
    assert_string_equal(json_string_value(json_object_get(asked, "policy")),
                        "round-robin");
    assert_string_equal(json_string_value(json_object_get(asked, "budget")), "2x");
    assert_near(number(asked, "looks_a_day"), 2 * number(was, "looks_a_day"), 2);
    assert_near(number(is, "found_a_day") / number(was, "found_a_day"), 1, 0.05);
    struct fg_trial came;
    struct fg_err err;
    struct fg_trial_rules rules = {
        .policy = fg_policy_find(FG_STR("round-robin"), FG_DISCOVERY),
        .a_step = 2 * LOOKS,
        .warm_up = DAYS * 24 / 4};
    assert_int_equal(fg_trial_run(&came, place.site, &rules, &err), FG_OK);
    double true_a_day = came.found / (DAYS * 0.75);
    assert_near(number(asked, "found_a_day") / true_a_day, 1, 0.06);
    assert_near(number(json, "change"),
                number(asked, "found_a_day") / number(is, "found_a_day") - 1, 1e-3);
    assert_true(json_array_size(json_object_get(json, "cannot_tell")) >= 2);
    json_decref(json);
    place_free(&place);
}

static void budget_finds_the_looks_of_a_level(void **state)
{
    (void)state;
    struct place place = place_new();
    static const char *const words[] = {"goal", "80%", "within", "12h", NULL};
    json_t *json = ask(&place, "budget", words);
    const json_t *rows = json_object_get(json, "rows");
    assert_int_equal(json_array_size(rows), 4);
    for (size_t i = 1; i < 4; i++)
        assert_true(number(json_array_get(rows, i), "within") + 0.02 >=
                    number(json_array_get(rows, i - 1), "within"));
    assert_true(json_is_true(json_object_get(json, "is_possible")));
    double need = number(json, "looks_needed");
    assert_true(need > 0 && number(json, "looks_promised") <= 1.3 * need + 1e-6);
    json_decref(json);
    /* What no politeness allows is said. */
    place.settings.budget.site_per_hour = 0.1;
    static const char *const much[] = {"goal", "99%", "within", "1h", NULL};
    json = ask(&place, "budget", much);
    assert_true(json_is_false(json_object_get(json, "is_possible")));
    assert_true(json_is_null(json_object_get(json, "looks_needed")));
    json_decref(json);
    place_free(&place);
}

/* "--budget 2x --span 2w" as names and values; what says how it is shown is left out. */
static void read_example(const char *words, char *copy, const char *list[])
{
    size_t n = 0;
    strcpy(copy, words);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
        if (strcmp(word, "--json") == 0)
            continue;
        list[n++] = strncmp(word, "--", 2) == 0 ? word + 2 : word;
    }
    assert_int_equal(n % 2, 0);
    list[n] = NULL;
}

static void the_examples_of_the_help_are_answered(void **state)
{
    (void)state;
    struct place place = place_new();
    static const char *const names[] = {"whatif", "budget"};
    for (size_t k = 0; k < 2; k++) {
        size_t v = 0;
        while (strcmp(fg_views[v]->name, names[k]) != 0)
            v++;
        for (const struct fg_view_example *e = fg_views[v]->examples; e->words; e++) {
            char copy[128];
            const char *list[16];
            read_example(e->words, copy, list);
            json_t *json = ask(&place, names[k], list);
            const json_t *error = json_object_get(json, "error");
            if (error)
                fail_msg("%s %s: %s", names[k], e->words, json_string_value(error));
            assert_true(json_array_size(json_object_get(json, "rows")) >= 2);
            json_decref(json);
        }
    }
    place_free(&place);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    struct place place = place_new();
    static const struct {
        const char *view, *words[5], *says;
    } cases[] = {
        {"whatif", {"policy", "nonsense"}, "no policy 'nonsense' for discovery"},
        {"whatif", {"budget", "two"}, "'two' is not a budget"},
        {"whatif", {"budget", "-1x"}, "'-1x' is not a budget"},
        {"whatif", {"budget", "nan"}, "'nan' is not a budget"},
        {"whatif", {"tag", "sports"}, "too little to go by"},
        {"whatif", {"site", "b.example"}, "b.example"},
        {"budget", {"goal", "120%"}, "'120%' is not a goal"},
        {"budget", {"goal", "x"}, "'x' is not a goal"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *json = ask(&place, cases[i].view, cases[i].words);
        const char *error = json_string_value(json_object_get(json, "error"));
        if (!error || !strstr(error, cases[i].says))
            fail_msg("case %zu: %s", i, error ? error : "no error");
        json_decref(json);
    }
    place_free(&place);
}

FG_TESTS(the_past_is_what_was_seen, whatif_says_what_comes_true,
         budget_finds_the_looks_of_a_level, the_examples_of_the_help_are_answered,
         nonsense_is_refused)
