/* Tokens, what is counted of them, and what becomes of results by it. */
#include "../store/fixture.h"

#include "search/feedback.h"
#include "search/search.h"

#include <pthread.h>

struct world {
    struct box box;
    struct fg_store *store;
    struct fg_arena arena;
    struct fg_feedback_key key;
};

static struct world world_new(void)
{
    struct world w = {.box = box_new()};
    w.store = box_open(&w.box, NULL);
    struct fg_batch *batch = fg_batch_new(w.store);
    fg_batch_site(batch,
                  &(struct fg_site_row){.site = 1, .key = FG_STR("https://s1.example")});
    for (fg_page_id i = 1; i <= 40; i++) {
        struct fg_page_row row = page_row(1, i);
        row.title = FG_STR("Gnomes");
        row.simhash = i * 0x9E3779B97F4A7C15u;
        fg_batch_page(batch, &row);
        fg_batch_text(batch,
                      &(struct fg_page_text){1, i, row.title, FG_STR("gnomes in gardens"),
                                             FG_STR("en")});
    }
    write_now(w.store, batch);
    assert_int_equal(fg_feedback_key(&w.key, w.store, w.box.path, NULL), FG_OK);
    return w;
}

static void world_free(struct world *w)
{
    fg_arena_clear(&w->arena);
    box_close(w->store);
    box_free(&w->box);
}

static const struct fg_shown example = {.site = 1,
                                        .page = 7,
                                        .place = 4,
                                        .is_promoted = true,
                                        .time = 1000 * FG_DAY,
                                        .view = 0x0123456789ABCDEF};

/* --- tokens --- */

static void tokens_come_back_as_they_went(void **state)
{
    (void)state;
    struct world w = world_new();
    struct fg_str token = fg_feedback_token(&w.arena, &w.key, &example);
    struct fg_shown shown = {0};
    assert_int_equal(token.len, 60);
    fg_time now = example.time + FG_FEEDBACK_LIFE;
    assert_int_equal(fg_feedback_read(&shown, &w.key, token, now), FG_TOKEN_GOOD);
    assert_memory_equal(&shown, &example, sizeof shown);
    assert_int_equal(fg_feedback_read(&shown, &w.key, token, now + 1), FG_TOKEN_LATE);
    world_free(&w);
}

static void a_changed_token_is_forged(void **state)
{
    (void)state;
    struct world w = world_new();
    struct fg_str token = fg_feedback_token(&w.arena, &w.key, &example);
    struct fg_shown shown;
    char text[61];
    for (size_t i = 0; i < token.len; i++) {
        memcpy(text, token.at, token.len);
        text[i] = text[i] == 'A' ? 'B' : 'A';
        assert_int_equal(fg_feedback_read(&shown, &w.key,
                                          (struct fg_str){text, token.len}, example.time),
                         FG_TOKEN_FORGED);
    }
    static const char *const bad[] = {"", "A", "=", "%00"};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(
            fg_feedback_read(&shown, &w.key, fg_str_from(bad[i]), example.time),
            FG_TOKEN_FORGED);
    assert_int_equal(fg_feedback_read(&shown, &w.key, fg_str_sub(token, 0, 59), 0),
                     FG_TOKEN_FORGED);
    /* The key of another store signs differently. */
    struct world other = world_new();
    assert_int_equal(fg_feedback_read(&shown, &other.key, token, example.time),
                     FG_TOKEN_FORGED);
    world_free(&other);
    world_free(&w);
}

static void the_key_is_made_once(void **state)
{
    (void)state;
    struct world w = world_new();
    struct fg_feedback_key again;
    assert_int_equal(fg_feedback_key(&again, w.store, w.box.path, NULL), FG_OK);
    assert_memory_equal(&again, &w.key, sizeof again);
    world_free(&w);
}

/* --- counting --- */

static struct fg_feedback_outcome take(struct world *w, enum fg_feedback_kind kind,
                                       fg_page_id page, uint32_t place, uint64_t view)
{
    struct fg_feedback_event event = {
        kind,
        {.site = 1, .page = page, .place = place, .time = 1000 * FG_DAY, .view = view}};
    struct fg_feedback_outcome outcome;
    struct fg_err err = {0};
    enum fg_status st =
        fg_feedback_take(&outcome, w->box.path, &w->key, &event, 1, 1000 * FG_DAY, &err);
    if (st)
        print_error("%s\n", err.text);
    assert_int_equal(st, FG_OK);
    return outcome;
}

static void each_event_of_a_view_counts_once(void **state)
{
    (void)state;
    struct world w = world_new();
    struct fg_feedback_row row;
    assert_int_equal(take(&w, FG_WAS_SEEN, 7, 4, 1).taken, 1);
    assert_int_equal(take(&w, FG_WAS_CHOSEN, 7, 4, 1).taken, 1);
    assert_int_equal(take(&w, FG_WAS_CHOSEN, 7, 4, 1).again, 1);
    assert_int_equal(take(&w, FG_WAS_CHOSEN, 7, 1, 1).taken, 0); /* wherever it stood */
    assert_int_equal(take(&w, FG_WAS_SEEN, 7, 1, 2).taken, 1);
    assert_int_equal(fg_store_feedback(w.store, &row, 1, 7, NULL), FG_OK);
    assert_int_equal(row.shown, 2);
    assert_int_equal(row.clicks, 1);
    assert_int_equal(row.looks, 1125000); /* 4^-1.5 and 1 */
    assert_int_equal(fg_store_feedback(w.store, &row, 0, 0, NULL), FG_OK);
    assert_int_equal(row.looks, 1125000);
    assert_int_equal(fg_store_feedback(w.store, &row, 1, 8, NULL), FG_OK);
    assert_true(row.shown == 0 && row.looks == 0 && row.clicks == 0);
    world_free(&w);
}

static void *take_the_same(void *context)
{
    struct world *w = context;
    size_t *taken = calloc(1, sizeof *taken);
    for (uint64_t view = 0; view < 20; view++)
        *taken += take(w, FG_WAS_CHOSEN, 9, 1, view).taken;
    return taken;
}

static void many_at_once_count_once(void **state)
{
    (void)state;
    struct world w = world_new();
    pthread_t threads[4];
    struct fg_feedback_row row;
    size_t taken = 0;
    for (size_t i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, take_the_same, &w);
    for (size_t i = 0; i < 4; i++) {
        void *of_one;
        pthread_join(threads[i], &of_one);
        taken += *(size_t *)of_one;
        free(of_one);
    }
    assert_int_equal(taken, 20);
    assert_int_equal(fg_store_feedback(w.store, &row, 1, 9, NULL), FG_OK);
    assert_int_equal(row.clicks, 20);
    world_free(&w);
}

static void marks_go_when_it_is_too_late_anyway(void **state)
{
    (void)state;
    struct world w = world_new();
    struct fg_feedback_note note = {
        .row = {.site = 1, .page = 3, .clicks = 1}, .mark = 5, .until = 100};
    bool is_new;
    fg_store_note_feedback(w.box.path, &note, 1, 99, &is_new, NULL);
    assert_true(is_new);
    fg_store_note_feedback(w.box.path, &note, 1, 100, &is_new, NULL);
    assert_false(is_new);
    note.mark = 6;
    note.until = 500;
    fg_store_note_feedback(w.box.path, &note, 1, 101, &is_new, NULL);
    struct fg_feedback_row row;
    assert_int_equal(fg_store_feedback(w.store, &row, 1, 3, NULL), FG_OK);
    assert_int_equal(row.clicks, 2);
    note.mark = 5; /* its mark has gone by now */
    fg_store_note_feedback(w.box.path, &note, 1, 101, &is_new, NULL);
    assert_true(is_new);
    world_free(&w);
}

static void a_forgotten_site_takes_its_feedback_along(void **state)
{
    (void)state;
    struct world w = world_new();
    struct fg_feedback_row row;
    take(&w, FG_WAS_CHOSEN, 7, 1, 1);
    forget_site(w.store, 1);
    assert_int_equal(fg_store_feedback(w.store, &row, 1, 7, NULL), FG_OK);
    assert_int_equal(row.clicks, 0);
    world_free(&w);
}

/* --- ranking --- */

static void quality_is_shrunk_to_the_mean(void **state)
{
    (void)state;
    struct fg_quality q = {.is_on = true, .mean = 0.2};
    struct fg_feedback_row none = {0}, liked = {.looks = 5000000, .clicks = 4},
                           refused = {.looks = 30000000}, lucky = {.clicks = 2};
    assert_near(fg_quality_of(&q, &none), 1, 1e-12);
    assert_near(fg_quality_of(&q, &liked), (2 + 4) / 15.0 / 0.2, 1e-12);
    assert_near(fg_quality_of(&q, &refused), 2 / 40.0 / 0.2, 1e-12);
    assert_near(fg_quality_of(&q, &lucky), 4 / 12.0 / 0.2,
                1e-12); /* a choice is a look */
    q.mean = 0.001;
    assert_near(fg_quality_of(&q, &liked), 10, 1e-12);
    q.is_on = false;
    assert_near(fg_quality_of(&q, &liked), 1, 0);
}

static struct fg_search_answer ask(struct world *w, const char *policy, uint64_t seed,
                                   struct fg_str after)
{
    struct fg_search_question q = {
        .words = FG_STR("gnomes"),
        .since = FG_NEVER,
        .limit = 10,
        .after = after,
        .ranking = {.policy = fg_rank_policy_find(fg_str_from(policy)),
                    .degree = 0.5,
                    .start = 2,
                    .seed = seed}};
    struct fg_search_answer answer;
    assert_int_equal(fg_search(&answer, &w->arena, w->store, &q, NULL), FG_OK);
    return answer;
}

static void without_feedback_nothing_changes(void **state)
{
    (void)state;
    struct world w = world_new();
    struct fg_search_answer plain = ask(&w, "off", 1, (struct fg_str){0});
    struct fg_search_answer ranked = ask(&w, "selective", 1, (struct fg_str){0});
    for (size_t i = 0; i < plain.n; i++) {
        assert_int_equal(plain.results[i].page.page, ranked.results[i].page.page);
        assert_false(ranked.results[i].is_promoted);
        assert_int_equal(ranked.results[i].place, i + 1);
    }
    world_free(&w);
}

static void what_people_choose_rises(void **state)
{
    (void)state;
    struct world w = world_new();
    for (uint64_t view = 0; view < 10; view++) {
        take(&w, FG_WAS_SEEN, 30, 1, view);
        take(&w, FG_WAS_CHOSEN, 30, 1, view);
        take(&w, FG_WAS_SEEN, 1, 1, view);
    }
    static const char *const policies[] = {"deterministic", "slot-price"};
    for (size_t i = 0; i < 2; i++) {
        struct fg_search_answer a = ask(&w, policies[i], 1, (struct fg_str){0});
        assert_int_equal(a.results[0].page.page, 30);
        for (size_t j = 0; j < a.n; j++)
            assert_int_not_equal(a.results[j].page.page, 1); /* seen, and not chosen */
    }
    world_free(&w);
}

/* As everybody knows the first block after a while. */
static void unseen_pages_further_down_are_promoted(void **state)
{
    (void)state;
    struct world w = world_new();
    for (uint64_t view = 0; view < 2; view++)
        for (fg_page_id page = 1; page <= 30; page++) {
            take(&w, FG_WAS_SEEN, page, 1, view);
            take(&w, FG_WAS_CHOSEN, page, 1, view);
        }
    bool was_promoted[41] = {false};
    for (uint64_t seed = 1; seed < 40; seed++) {
        struct fg_search_answer a = ask(&w, "selective", seed, (struct fg_str){0});
        for (size_t i = 0; i < a.n; i++)
            was_promoted[a.results[i].page.page] |= a.results[i].is_promoted;
    }
    for (fg_page_id page = 1; page <= 40; page++)
        assert_int_equal(was_promoted[page], page > 30);
    world_free(&w);
}

static void unseen_pages_are_promoted_and_pages_go_on(void **state)
{
    (void)state;
    struct world w = world_new();
    for (uint64_t view = 0; view < 10; view++)
        for (fg_page_id page = 1; page <= 10; page++) {
            take(&w, FG_WAS_SEEN, page, 1, view);
            take(&w, FG_WAS_CHOSEN, page, 1, view);
        }
    size_t promoted = 0;
    for (uint64_t seed = 1; seed < 20; seed++) {
        bool is_there[41] = {false};
        struct fg_str after = {0};
        for (size_t sheet = 0; sheet < 4; sheet++) {
            struct fg_search_answer a = ask(&w, "selective", sheet ? 99 : seed, after);
            assert_int_equal(a.n, 10);
            for (size_t i = 0; i < a.n; i++) {
                fg_page_id page = a.results[i].page.page;
                assert_false(is_there[page]);
                is_there[page] = true;
                promoted += a.results[i].is_promoted;
                if (a.results[i].is_promoted)
                    assert_true(page > 10 && a.results[i].place >= 2);
            }
            after = a.next;
        }
    }
    assert_true(promoted > 19 * 3);
    world_free(&w);
}

FG_TESTS(tokens_come_back_as_they_went, a_changed_token_is_forged, the_key_is_made_once,
         each_event_of_a_view_counts_once, many_at_once_count_once,
         marks_go_when_it_is_too_late_anyway, a_forgotten_site_takes_its_feedback_along,
         quality_is_shrunk_to_the_mean, without_feedback_nothing_changes,
         what_people_choose_rises, unseen_pages_further_down_are_promoted,
         unseen_pages_are_promoted_and_pages_go_on)
