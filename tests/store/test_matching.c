/* Lists of FTS5 read as they stand say what FTS5 says of them. */
#include "fixture.h"

#include "base/arena.h"
#include "base/rng.h"
#include "base/vec.h"
#include "store/queue.h"

/* --- what is found --- */

struct hit {
    uint64_t number;
    uint32_t counts[4][FG_INDEX_FIELDS];
};
struct hits {
    struct hit *at;
    size_t len, capacity, n_groups;
};

static bool take_hit(void *context, const struct fg_index_hit *found)
{
    struct hits *hits = context;
    struct hit hit = {.number = found->number};
    for (size_t i = 0; i < hits->n_groups; i++)
        for (size_t j = 0; j < FG_INDEX_FIELDS; j++)
            hit.counts[i][j] = found->counts[i][j];
    fg_vec_push(hits, hit);
    return true;
}

static struct hits find(struct fg_store *store, const struct fg_index_query *query)
{
    struct hits hits = {.n_groups = query->n};
    assert_int_equal(fg_store_match(store, query, take_hit, &hits, NULL), FG_OK);
    return hits;
}

/* A phrase that is nowhere makes no difference, but is none of the plain words that are
 * looked up in the lists: so FTS5 is asked. */
static void assert_as_by_fts5(struct fg_store *store, const struct fg_index_query *query)
{
    struct fg_index_group groups[4];
    struct fg_str phrases[4][4];
    for (size_t i = 0; i < query->n; i++) {
        groups[i] = query->groups[i];
        for (size_t j = 0; j < groups[i].n; j++)
            phrases[i][j] = groups[i].phrases[j];
        phrases[i][groups[i].n++] = FG_STR("nowhere atall");
        groups[i].phrases = phrases[i];
    }
    struct fg_index_query other = *query;
    other.groups = groups;
    struct hits ours = find(store, query), theirs = find(store, &other);
    assert_int_equal(ours.len, theirs.len);
    for (size_t i = 0; i < ours.len; i++) {
        assert_int_equal(ours.at[i].number, theirs.at[i].number);
        for (size_t j = 0; j < query->n; j++)
            for (size_t k = 0; !groups[j].is_unwanted && k < FG_INDEX_FIELDS; k++)
                assert_int_equal(ours.at[i].counts[j][k], theirs.at[i].counts[j][k]);
    }
    for (size_t i = 0; i < query->n; i++) {
        double a, b;
        struct fg_index_group one = query->groups[i];
        one.is_extra = one.is_needed = one.is_unwanted = false;
        assert_int_equal(fg_store_frequency(store, &one, &a, NULL), FG_OK);
        one.phrases = groups[i].phrases;
        one.n = groups[i].n;
        assert_int_equal(fg_store_frequency(store, &one, &b, NULL), FG_OK);
        assert_near(a, b, 1e-9);
    }
    fg_vec_clear(&ours);
    fg_vec_clear(&theirs);
}

/* --- a world that changes --- */

/* Of forty words, the first in every text, the last in one of a thousand. */
static const char *word_of(char out[16], struct fg_rng *rng)
{
    unsigned i = 0;
    while (i < 39 && fg_rng_below(rng, 100) < 18)
        i++;
    snprintf(out, 16, "w%02uq", i);
    return out;
}

static void write_texts(struct fg_store *store, struct fg_rng *rng, unsigned from,
                        unsigned to, unsigned one_in)
{
    struct fg_err err = {0};
    struct fg_batch *batch = fg_batch_new(store);
    for (unsigned page = from; page < to; page++) {
        char text[4000], word[16];
        size_t len = 0, n = fg_rng_below(rng, 100) ? 1 + fg_rng_below(rng, 12) : 500;
        if (fg_rng_below(rng, one_in))
            continue;
        for (size_t i = 0; i < n; i++)
            len += (size_t)snprintf(text + len, sizeof text - len, "%s ",
                                    word_of(word, rng));
        struct fg_page_row row = page_row(1 + page % 3, page);
        row.flags = fg_rng_below(rng, 20) ? 0 : FG_PAGE_GONE;
        fg_batch_page(batch, &row);
        fg_batch_text(batch,
                      &(struct fg_page_text){row.site,
                                             page,
                                             fg_str_from(word_of(word, rng)),
                                             {text, len},
                                             page % 5 ? FG_STR("en") : FG_STR("de")});
    }
    assert_int_equal(fg_store_flush(store, fg_store_submit(store, batch), &err), FG_OK);
}

static void ask_anything(struct fg_store *store, struct fg_rng *rng)
{
    struct fg_index_group groups[3];
    struct fg_str phrases[3][2];
    char words[6][16];
    size_t n = 1 + fg_rng_below(rng, 3);
    for (size_t i = 0; i < n; i++) {
        size_t ways = 1 + fg_rng_below(rng, 2);
        for (size_t j = 0; j < ways; j++)
            phrases[i][j] = fg_str_from(word_of(words[2 * i + j], rng));
        groups[i] =
            (struct fg_index_group){.phrases = phrases[i],
                                    .n = ways,
                                    .is_needed = fg_rng_below(rng, 3) == 0,
                                    .is_extra = i && fg_rng_below(rng, 4) == 0,
                                    .is_unwanted = i && fg_rng_below(rng, 5) == 0};
        if (groups[i].is_unwanted)
            groups[i].is_needed = groups[i].is_extra = false;
    }
    struct fg_index_query query = {.groups = groups, .n = n};
    query.site = fg_rng_below(rng, 3) ? 0 : 1 + (fg_site_id)fg_rng_below(rng, 3);
    query.language = fg_rng_below(rng, 4) ? (struct fg_str){0} : FG_STR("de");
    assert_as_by_fts5(store, &query);
}

/* Some texts have 500 words, whose places go over pages; lists grow to several pages; and
 * there are as many segments as FTS5 leaves. */
static void lists_are_read_as_fts5_reads_them(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_rng rng = fg_rng_from_seed(14);
    for (unsigned from = 1; from < 6000; from += 500)
        write_texts(store, &rng, from, from + 500, 1);
    for (int i = 0; i < 60; i++)
        ask_anything(store, &rng);
    for (int round = 0; round < 12; round++) {
        write_texts(store, &rng, 1, 6000, 30);
        for (int i = 0; i < 15; i++)
            ask_anything(store, &rng);
    }
    box_close(store);
    box_free(&box);
}

/* --- the floor --- */

struct judged {
    const double *most;
    double floor;
    size_t n, n_above;
};

static bool judge(void *context, const struct fg_index_hit *hit)
{
    struct judged *j = context;
    double score = 0;
    for (size_t i = 0; i < 3; i++)
        score += hit->counts[i][FG_IN_TEXT] ? j->most[i] : 0;
    j->n++;
    j->n_above += score > j->floor;
    return true;
}

/* Whoever is above it is told, and others are left out. */
static void a_floor_leaves_out_what_cannot_rise_above_it(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_rng rng = fg_rng_from_seed(7);
    write_texts(store, &rng, 1, 2000, 1);
    struct fg_str words[] = {FG_STR("w00q"), FG_STR("w02q"), FG_STR("w04q")};
    struct fg_index_group groups[3] = {{0}};
    for (size_t i = 0; i < 3; i++)
        groups[i] = (struct fg_index_group){.phrases = &words[i], .n = 1};
    static const double most[] = {1, 2, 4};
    struct judged all = {.most = most, .floor = 3.5}, some = all;
    struct fg_index_query query = {.groups = groups, .n = 3};
    assert_int_equal(fg_store_match(store, &query, judge, &all, NULL), FG_OK);
    query.most = most;
    query.floor = &some.floor;
    assert_int_equal(fg_store_match(store, &query, judge, &some, NULL), FG_OK);
    assert_true(some.n < all.n && some.n_above == all.n_above && all.n_above > 0);
    box_close(store);
    box_free(&box);
}

struct ranked {
    const struct fg_index_query *query;
    double floor;
    size_t n, n_above;
    uint64_t first;
};

static bool rank(void *context, const struct fg_index_hit *hit)
{
    struct ranked *r = context;
    const struct fg_index_query *q = r->query;
    double score = 0;
    for (size_t i = 0; i < q->n; i++) {
        double n = 0;
        for (size_t j = 0; j < FG_INDEX_FIELDS; j++)
            n += q->weights[j] * hit->counts[i][j];
        score += n > 0 ? q->most[i] * n / (n + q->half + q->half_a_word * hit->words) : 0;
    }
    r->first = r->n ? r->first : hit->number;
    r->n++;
    r->n_above += score > r->floor;
    return true;
}

static struct ranked rank_all(struct fg_store *store, struct fg_index_query *query,
                              double floor, size_t *passed_over)
{
    struct ranked r = {.query = query, .floor = floor};
    *passed_over = 0;
    query->floor = &r.floor;
    assert_int_equal(fg_store_match(store, query, rank, &r, NULL), FG_OK);
    return r;
}

/* By what it says of each text, not of the words alone. */
static void texts_that_do_not_rise_above_the_floor_are_passed_over(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_store *store = box_open(&box, NULL);
    struct fg_rng rng = fg_rng_from_seed(11);
    for (unsigned from = 1; from < 9000; from += 3000)
        write_texts(store, &rng, from, from + 3000, 1);
    write_texts(store, &rng, 1, 9000, 20);
    struct fg_str words[] = {FG_STR("w00q"), FG_STR("w01q"), FG_STR("w02q")};
    struct fg_index_group groups[3];
    for (size_t i = 0; i < 3; i++)
        groups[i] =
            (struct fg_index_group){.phrases = &words[i], .n = 1, .is_needed = true};
    static const double most[] = {1, 1.5, 2};
    for (size_t n = 1; n <= 3; n++)
        for (double share = .3; share < .95; share += .1) {
            size_t passed_over;
            struct fg_index_query query = {.groups = groups,
                                           .n = n,
                                           .most = most,
                                           .weights = {3, 1, 2},
                                           .half = .5,
                                           .half_a_word = .1};
            double floor = share * (n == 1 ? 1 : n == 2 ? 2.5 : 4.5);
            struct ranked all = rank_all(store, &query, floor, &passed_over);
            query.passed_over = &passed_over;
            struct ranked some = rank_all(store, &query, floor, &passed_over);
            assert_int_equal(some.n_above, all.n_above);
            assert_int_equal(some.n, all.n_above); /* they and no others are told */
            assert_true(some.n < all.n || share < .75);
            if (n == 1)
                assert_int_equal(some.n + passed_over, all.n);
            query.from = 5000;
            struct ranked late = rank_all(store, &query, -1, &passed_over);
            assert_true(late.first >= 5000 && late.n < all.n && late.n > all.n / 4);
        }
    box_close(store);
    box_free(&box);
}

FG_TESTS(lists_are_read_as_fts5_reads_them, a_floor_leaves_out_what_cannot_rise_above_it,
         texts_that_do_not_rise_above_the_floor_are_passed_over)
