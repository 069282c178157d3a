/* A search goes in two steps. Texts with all the words are found by leaping from one to
 * the next, which takes little however frequent a word is; words that more than a quarter
 * of the texts have ("to", "an") need not be there if the query has far rarer ones. Only
 * if they do not fill the page that is asked for, texts with some of the words are looked
 * at as well; then words that more than a tenth of many texts have find nothing by
 * themselves, and are only counted in what the others find: their idf is so small that
 * they cannot bring a text to the top.
 *
 * Words that are all very frequent are in so many texts that some are as good as any:
 * only the newest are looked at, so that a search takes no longer the more there are.
 *
 * Of what is found the best are kept, more than a page of results needs; what cannot come
 * to be among them is not even looked at. If too many of them are collapsed or not
 * wanted, all are found again without that bound.
 *
 * What is kept stands in a heap by the score of its text. From there it is taken in
 * blocks, whose rows are read and whose order is then settled by what links
 * say. A page of results is always found by going through from the top, so that pages of
 * results neither repeat nor leave out what is collapsed. */
#include "search/search.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/terms.h"
#include "base/vec.h"
#include "search/query.h"
#include "search/suggest.h"

#include <math.h>
#include <stdio.h>

enum {
    LANGUAGES = 32,
    BLOCK = 30,
    INLINKS_MOST = 100,
    ORDERED_MOST = 10000, /* the best that are put in order of dates or links */
    SPARE = 300,          /* that are kept beyond those that are wanted */
    POOL = SPARE, /* the best, of which some below the first block have a chance */
    DRAWN = 12,   /* so many of them, in one view */
    MANY = 20000, /* texts: with fewer, every word finds */
    FEW = 20,     /* texts: of fewer, a share says little of a word */
    NEAR = 3      /* bits of a simhash between pages that say nearly the same */
};

struct hit {
    double score;
    uint64_t number;
    bool has_all;
};

struct candidate {
    struct hit hit;
    double score; /* with links, or the date */
    struct fg_page_row page;
    uint64_t inlinks;
    struct fg_feedback_row feedback;
};

struct search {
    struct fg_store *store;
    struct fg_arena *arena;
    const struct fg_search_question *q;
    struct fg_scoring scoring;
    struct fg_query query;
    struct fg_score_group groups[FG_QUERY_GROUPS];
    struct fg_quality quality;
    double texts, mean_words;
    double rarest; /* texts that have the rarest of the words that all must have */
    uint64_t from; /* the number of the first text that is looked at */
    FG_VEC(struct hit) hits;
    size_t n_found, n_all, n_passed_over;
    double most[FG_QUERY_GROUPS];   /* that each group adds to a score */
    bool is_minor[FG_QUERY_GROUPS]; /* a text has all the words without it */
    /* The scores of the best, the least of them first; 0: all are kept. */
    FG_VEC(double) best;
    size_t n_best_most;
    double floor; /* what is not above is left out */
    bool needs_all;
    struct fg_stemmer *stemmers[LANGUAGES]; /* by fg_stemmer_codes, as they are needed */
};

/* --- setting up --- */

/* The languages that the index has texts of, or the one that is asked for. */
static enum fg_status find_languages(struct search *s, const char **codes, size_t *n,
                                     struct fg_err *err)
{
    bool are_there[LANGUAGES] = {false};
    enum fg_status st = fg_store_languages(s->store, are_there, err);
    const char *only = fg_stemmer_language(s->q->language);
    *n = 0;
    for (size_t i = 0; !st && fg_stemmer_codes[i]; i++)
        if (are_there[i] && (!s->q->language.len || only == fg_stemmer_codes[i]))
            codes[(*n)++] = fg_stemmer_codes[i];
    return st;
}

static enum fg_status weigh_groups(struct search *s, struct fg_err *err)
{
    struct fg_index_figures figures;
    double rarest = 0; /* its idf */
    double with_term[FG_QUERY_GROUPS] = {0};
    enum fg_status st = fg_store_index_figures(s->store, &figures, err);
    s->texts = (double)figures.texts;
    s->mean_words = s->texts > 0 ? (double)figures.words[FG_IN_TEXT] / s->texts : 0;
    for (size_t i = 0; !st && i < s->query.n; i++) {
        struct fg_index_group *group = &s->query.groups[i];
        struct fg_index_group alone = *group;
        double with = 0;
        alone.is_unwanted = alone.is_needed = false;
        if (!group->is_unwanted)
            st = fg_store_frequency(s->store, &alone, &with, err);
        s->groups[i] =
            (struct fg_score_group){fg_score_idf(s->scoring.kind, s->texts, with),
                                    s->query.times[i], !group->is_unwanted};
        s->most[i] = fg_score_most(&s->scoring, &s->groups[i]);
        group->is_extra = !group->is_unwanted && s->texts > MANY && with > s->texts / 10;
        s->is_minor[i] = !group->is_unwanted && !group->is_needed && s->texts > FEW &&
                         with > s->texts / 4;
        rarest = fmax(rarest, group->is_unwanted ? 0 : s->groups[i].idf);
        with_term[i] = with;
    }
    s->rarest = INFINITY;
    for (size_t i = 0; i < s->query.n; i++) {
        s->is_minor[i] &= s->groups[i].idf < rarest / 2;
        if (s->groups[i].is_counted && !s->is_minor[i])
            s->rarest = fmin(s->rarest, with_term[i]);
    }
    /* Something must find. */
    bool finds = false;
    for (size_t i = 0; i < s->query.n; i++)
        finds |= s->groups[i].is_counted && !s->query.groups[i].is_extra;
    for (size_t i = 0; !finds && i < s->query.n; i++)
        s->query.groups[i].is_extra = false;
    return st;
}

/* --- finding --- */

static bool is_above(const struct hit *a, const struct hit *b)
{
    if (a->has_all != b->has_all)
        return a->has_all;
    return a->score > b->score || (a->score == b->score && a->number < b->number);
}

/* Down to where neither below is less. */
static void sift(double *at, size_t n)
{
    for (size_t i = 0, child; (child = 2 * i + 1) < n; i = child) {
        child += child + 1 < n && at[child + 1] < at[child];
        if (at[i] <= at[child])
            return;
        double other = at[i];
        at[i] = at[child];
        at[child] = other;
    }
}

/* The floor rises to the score of the last that is kept. */
static void raise_floor(struct search *s, double score)
{
    if (s->best.len < s->n_best_most) {
        fg_vec_push(&s->best, score);
        for (size_t i = s->best.len - 1, up; i && s->best.at[up = (i - 1) / 2] > score;
             i = up) {
            s->best.at[i] = s->best.at[up];
            s->best.at[up] = score;
        }
    } else {
        s->best.at[0] = score;
        sift(s->best.at, s->best.len);
    }
    if (s->best.len == s->n_best_most)
        s->floor = s->best.at[0];
}

static bool take_hit(void *context, const struct fg_index_hit *found)
{
    struct search *s = context;
    struct hit hit = {.number = found->number, .has_all = true};
    for (size_t i = 0; i < s->query.n; i++) {
        const uint32_t *counts = found->counts[i];
        if (s->groups[i].is_counted && !s->is_minor[i] &&
            !counts[FG_IN_TITLE] + !counts[FG_IN_TEXT] + !counts[FG_IN_ANCHORS] == 3)
            hit.has_all = false;
    }
    hit.score = fg_score_text(&s->scoring, s->groups, s->query.n, found, s->mean_words);
    s->n_found++;
    s->n_all += hit.has_all;
    bool is_bound = s->n_best_most && (s->needs_all || !hit.has_all);
    if (is_bound && hit.score <= s->floor)
        return true;
    if (is_bound)
        raise_floor(s, hit.score);
    fg_vec_push(&s->hits, hit);
    return true;
}

static enum fg_status match(struct search *s, bool needs_all, struct fg_err *err)
{
    struct fg_index_group groups[FG_QUERY_GROUPS];
    for (size_t i = 0; i < s->query.n; i++) {
        groups[i] = s->query.groups[i];
        if (needs_all && !groups[i].is_unwanted && !s->is_minor[i])
            groups[i].is_needed = true;
    }
    s->hits.len = s->n_found = s->n_all = s->n_passed_over = s->best.len = 0;
    s->floor = -1;
    s->needs_all = needs_all;
    struct fg_index_query query = {
        .groups = groups,
        .n = s->query.n,
        .most = s->n_best_most ? s->most : NULL,
        .floor = &s->floor,
        .from = needs_all ? s->from : 0,
        .site = s->q->site,
        .language = s->q->language.len ? fg_str_from(fg_stemmer_language(s->q->language))
                                       : (struct fg_str){0}};
    if (s->n_best_most && fg_score_grows(&s->scoring, query.weights, &query.half,
                                         &query.half_a_word, s->mean_words))
        query.passed_over = &s->n_passed_over;
    enum fg_status st = fg_store_match(s->store, &query, take_hit, s, err);
    s->n_found += s->n_passed_over;
    s->n_all += needs_all ? s->n_passed_over : 0;
    return st;
}

/* A site is looked through as a whole. */
static enum fg_status begin_late(struct search *s, struct fg_err *err)
{
    double most = s->q->looked_at ? (double)s->q->looked_at : FG_SEARCH_LOOKED_AT;
    uint64_t last;
    if (s->q->site || !(s->rarest < INFINITY) || s->rarest <= most)
        return FG_OK;
    enum fg_status st = fg_store_last_text(s->store, &last, err);
    if (!st)
        s->from = (uint64_t)((double)last * (1 - most / s->rarest)) + 1;
    return st;
}

/* Those with all words, and if they are not enough those with some. */
static enum fg_status find_hits(struct search *s, size_t wanted, size_t n_best_most,
                                struct fg_err *err)
{
    s->n_best_most = n_best_most;
    s->from = 0;
    enum fg_status st = n_best_most ? begin_late(s, err) : FG_OK;
    if (!st)
        st = match(s, true, err);
    if (!st && s->from && s->n_found < n_best_most) {
        s->from = 0;
        st = match(s, true, err);
    }
    if (!st && s->query.n_wanted > 1 && s->n_found < wanted)
        st = match(s, false, err);
    return st;
}

/* A heap: the best stands first. */
static void sink(struct hit *at, size_t n, size_t i)
{
    for (size_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && is_above(&at[child + 1], &at[child]))
            child++;
        if (!is_above(&at[child], &at[i]))
            return;
        struct hit other = at[i];
        at[i] = at[child];
        at[child] = other;
    }
}

static void make_heap(struct search *s)
{
    for (size_t i = s->hits.len / 2; i--;)
        sink(s->hits.at, s->hits.len, i);
}

static struct hit pop(struct search *s)
{
    struct hit best = s->hits.at[0];
    s->hits.at[0] = s->hits.at[--s->hits.len];
    sink(s->hits.at, s->hits.len, 0);
    return best;
}

/* --- candidates, with their pages --- */

static fg_time date_of(const struct fg_page_row *page)
{
    return page->published != FG_NEVER ? page->published : page->first_seen;
}

/* The index tells apart only languages whose stems it knows. */
static bool is_allowed(const struct search *s, const struct fg_page_row *page)
{
    const struct fg_search_question *q = s->q;
    return (q->since == FG_NEVER || date_of(page) >= q->since) &&
           (*fg_stemmer_language(q->language) ||
            fg_language_is(page->language, q->language)) &&
           (!q->allows || q->allows(q->context, page));
}

/* False if it is none: the page is not wanted, or has just gone. */
static bool read_candidate(struct search *s, struct candidate *c, enum fg_status *st,
                           struct fg_err *err)
{
    fg_site_id site;
    fg_page_id page;
    *st = fg_store_text_page(s->store, c->hit.number, &site, &page, err);
    if (!*st)
        *st = fg_store_page(s->store, &c->page, s->arena, site, page, err);
    if (*st == FG_ENOTFOUND)
        *st = FG_OK, c->page.flags = FG_PAGE_GONE;
    if (*st || c->page.flags & FG_PAGE_GONE || !is_allowed(s, &c->page))
        return false;
    bool uses_links =
        s->scoring.kind == FG_SCORE_MIXED || s->scoring.kind == FG_SCORE_INLINKS;
    if (uses_links)
        *st = fg_store_inlinks(s->store, site, page, INLINKS_MOST, &c->inlinks, err);
    if (!*st && s->quality.is_on)
        *st = fg_store_feedback(s->store, &c->feedback, site, page, err);
    c->score = fg_score_page(&s->scoring, c->hit.score, c->inlinks) *
               fg_quality_of(&s->quality, &c->feedback);
    return !*st;
}

static int by_score(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->hit.has_all != y->hit.has_all)
        return y->hit.has_all - x->hit.has_all;
    if (x->score != y->score)
        return x->score < y->score ? 1 : -1;
    if (x->hit.score != y->hit.score)
        return x->hit.score < y->hit.score ? 1 : -1;
    return (x->hit.number > y->hit.number) - (x->hit.number < y->hit.number);
}

static int by_date(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    fg_time s = date_of(&x->page), t = date_of(&y->page);
    if (x->hit.has_all != y->hit.has_all)
        return y->hit.has_all - x->hit.has_all;
    if (s != t)
        return s < t ? 1 : -1;
    return (x->hit.number > y->hit.number) - (x->hit.number < y->hit.number);
}

/* The next block, in order; how many. */
static size_t next_block(struct search *s, struct candidate *block, size_t most,
                         enum fg_status *st, struct fg_err *err)
{
    size_t n = 0;
    while (!*st && n < most && s->hits.len) {
        block[n] = (struct candidate){.hit = pop(s)};
        n += read_candidate(s, &block[n], st, err);
    }
    if (n)
        qsort(block, n, sizeof *block, s->q->sort == FG_SORT_DATE ? by_date : by_score);
    return n;
}

/* --- results --- */

static bool is_near(const struct fg_page_row *a, const struct fg_page_row *b)
{
    if (a->identity && a->identity == b->identity)
        return true;
    return a->simhash && b->simhash &&
           __builtin_popcountll(a->simhash ^ b->simhash) <= NEAR;
}

static bool collapse(struct search *s, struct fg_search_result *results, size_t n,
                     const struct fg_page_row *page)
{
    enum { NAMED = 8 };
    for (size_t i = 0; i < n; i++) {
        struct fg_search_result *r = &results[i];
        if (!is_near(&r->page, page))
            continue;
        if (!r->others)
            r->others = FG_NEW(s->arena, struct fg_str, NAMED);
        if (r->n_others < NAMED)
            r->others[r->n_others++] = page->url;
        return true;
    }
    return false;
}

/* Not the text tells the order: the best texts are put in order as a whole. */
static bool is_ordered_otherwise(const struct search *s)
{
    return s->q->sort == FG_SORT_DATE || s->scoring.kind == FG_SCORE_INLINKS;
}

/* All results up to the last that is wanted, from the top. */
static enum fg_status gather(struct search *s, struct fg_search_result *results,
                             uint64_t *numbers, size_t wanted, size_t *n,
                             struct fg_err *err)
{
    enum fg_status st = FG_OK;
    size_t room = is_ordered_otherwise(s) ? ORDERED_MOST : BLOCK, found;
    struct candidate *block = fg_zeroed(room, sizeof *block);
    make_heap(s);
    *n = 0;
    do {
        found = next_block(s, block, room, &st, err);
        for (size_t i = 0; i < found; i++) {
            if (collapse(s, results, *n, &block[i].page) || *n == wanted)
                continue;
            numbers[*n] = block[i].hit.number;
            results[(*n)++] = (struct fg_search_result){.page = block[i].page,
                                                        .score = block[i].score,
                                                        .inlinks = block[i].inlinks,
                                                        .feedback = block[i].feedback};
        }
    } while (!st && found == room && *n < wanted && !is_ordered_otherwise(s));
    free(block);
    return st;
}

static struct fg_stemmer *stemmer_of(struct search *s, struct fg_str language)
{
    size_t i = 0;
    while (fg_stemmer_codes[i] && !fg_str_eq(language, fg_str_from(fg_stemmer_codes[i])))
        i++;
    if (!s->stemmers[i])
        s->stemmers[i] = fg_stemmer_new(fg_stemmer_codes[i] ? fg_stemmer_codes[i] : "");
    return s->stemmers[i];
}

static enum fg_status add_snippets(struct search *s, struct fg_search_result *result,
                                   struct fg_err *err)
{
    struct fg_indexed_text text = {0};
    size_t bytes = s->q->snippet_bytes ? s->q->snippet_bytes : 200;
    enum fg_status st = fg_store_text(s->store, &text, s->arena, result->page.site,
                                      result->page.page, err);
    if (st == FG_ENOTFOUND) /* it has just gone */
        return FG_OK;
    struct fg_str title = text.fields[FG_IN_TITLE], body = text.fields[FG_IN_TEXT];
    if (!st) {
        struct fg_stemmer *stemmer = stemmer_of(s, text.language);
        result->snippet =
            fg_snippet_of(s->arena, body, stemmer, s->query.groups, s->query.n, bytes);
        result->title =
            fg_snippet_of(s->arena, title, stemmer, s->query.groups, s->query.n, 300);
    }
    return st;
}

/* --- promotion --- */

/* Results in order, with room for what is drawn. */
struct list {
    struct fg_search_result *results;
    uint64_t *numbers;
    size_t n;
};

static void put(struct list *list, const struct fg_search_result *result, uint64_t number)
{
    list->results[list->n] = *result;
    list->numbers[list->n++] = number;
}

static bool is_among(const struct list *list, const struct fg_page_row *page,
                     uint64_t number)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->numbers[i] == number || is_near(&list->results[i].page, page))
            return true;
    return false;
}

struct drawn {
    struct hit at[DRAWN];
    size_t n;
};

/* Were there no chance but in the first block, its pages would be seen until all are
 * known, and no others ever. What is drawn depends on the seed and the best texts alone,
 * not on the page of results that is asked for. */
static void draw_further_down(struct drawn *drawn, struct search *s, uint64_t seed)
{
    struct hit best[POOL];
    struct fg_rng rng = fg_rng_from_seed(~seed);
    size_t n = 0, with_as_many;
    make_heap(s);
    while (n < POOL && s->hits.len)
        best[n++] = pop(s);
    for (size_t i = 0; i < n; i++)
        fg_vec_push(&s->hits, best[i]);
    for (with_as_many = n;
         with_as_many && best[with_as_many - 1].has_all != best[0].has_all;)
        with_as_many--;
    drawn->n = 0;
    for (size_t i = BLOCK; i < with_as_many && drawn->n < DRAWN; i++) {
        size_t other = i + fg_rng_below(&rng, with_as_many - i);
        drawn->at[drawn->n++] = best[other];
        best[other] = best[i];
    }
}

/* Those of the drawn that may be shown and say something else than the others. */
static enum fg_status add_drawn(struct list *list, struct search *s,
                                const struct drawn *drawn, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    for (size_t i = 0; !st && i < drawn->n; i++) {
        struct candidate c = {.hit = drawn->at[i]};
        if (!read_candidate(s, &c, &st, err) || is_among(list, &c.page, c.hit.number))
            continue;
        put(list,
            &(struct fg_search_result){.page = c.page,
                                       .score = c.score,
                                       .inlinks = c.inlinks,
                                       .feedback = c.feedback},
            c.hit.number);
    }
    return st;
}

/* Only the first block changes its order, whatever page of results is asked for, so that
 * with the same seed the pages go on where the last one ended. */
static enum fg_status promote(struct list *list, struct search *s,
                              const struct drawn *drawn, uint64_t seed,
                              struct fg_err *err)
{
    struct fg_search_result results[BLOCK + DRAWN], came[DRAWN];
    struct fg_feedback_row feedback[BLOCK + DRAWN];
    uint64_t numbers[BLOCK + DRAWN], came_numbers[DRAWN];
    uint32_t order[BLOCK + DRAWN];
    bool is_promoted[BLOCK + DRAWN];
    struct list all = {results, numbers, 0}, up = {came, came_numbers, 0};
    size_t first = list->n < BLOCK ? list->n : BLOCK, n = list->n;
    for (size_t i = 0; i < first; i++)
        put(&all, &list->results[i], list->numbers[i]);
    enum fg_status st = add_drawn(&all, s, drawn, err);
    for (size_t i = 0; i < all.n; i++)
        feedback[i] = results[i].feedback;
    fg_quality_promote(&s->quality, feedback, all.n, seed, order, is_promoted);
    for (size_t i = 0; i < all.n; i++)
        if (order[i] >= first && is_promoted[i])
            put(&up, &results[order[i]], numbers[order[i]]);
    /* The others move down, but for those that have come up. */
    memmove(list->results + first + up.n, list->results + first,
            (n - first) * sizeof *list->results);
    memmove(list->numbers + first + up.n, list->numbers + first,
            (n - first) * sizeof *list->numbers);
    list->n = 0;
    for (size_t i = 0; i < all.n; i++) {
        results[order[i]].is_promoted = is_promoted[i];
        if (order[i] < first || is_promoted[i])
            put(list, &results[order[i]], numbers[order[i]]);
    }
    for (size_t i = first + up.n; i < n + up.n; i++)
        if (!is_among(&up, &list->results[i].page, list->numbers[i]))
            put(list, &list->results[i], list->numbers[i]);
    return st;
}

/* --- going on --- */

/* Where a page of results ended: how many came before, and the number of the last. What
 * is searched for is in it too, so that it is not used for something else; and by which
 * chance results were promoted, if they were. */
struct cursor {
    uint64_t question, place, number, seed;
};

static uint64_t hash_question(const struct fg_search_question *q)
{
    char rest[128];
    snprintf(rest, sizeof rest, "%u %lld %d %d", q->site, (long long)q->since,
             (int)q->sort, (int)q->scoring.kind);
    return fg_str_hash(q->words) ^ fg_str_hash(fg_str_from(rest)) * 3 ^
           fg_str_hash(q->language) * 5;
}

static struct fg_str write_cursor(struct fg_arena *arena, struct cursor cursor)
{
    return fg_arena_printf(arena, "%llx-%llx-%08llx%s%.0llx",
                           (unsigned long long)cursor.place,
                           (unsigned long long)cursor.number,
                           (unsigned long long)(cursor.question & 0xffffffff),
                           cursor.seed ? "-" : "", (unsigned long long)cursor.seed);
}

static bool take_hex(struct fg_str *rest, uint64_t *value)
{
    struct fg_str part;
    if (!fg_str_cut(rest, '-', &part) || !part.len || part.len > 16)
        return false;
    *value = 0;
    for (size_t i = 0; i < part.len; i++) {
        int digit = fg_hex(part.at[i]);
        if (digit < 0)
            return false;
        *value = *value << 4 | (unsigned)digit;
    }
    return true;
}

static enum fg_status read_cursor(struct cursor *cursor, struct fg_str text,
                                  uint64_t question, struct fg_err *err)
{
    *cursor = (struct cursor){0};
    if (!text.len)
        return FG_OK;
    struct fg_str rest = text;
    bool is_one = take_hex(&rest, &cursor->place) && take_hex(&rest, &cursor->number) &&
                  take_hex(&rest, &cursor->question) &&
                  (!rest.len || take_hex(&rest, &cursor->seed)) && !rest.len;
    if (!is_one || cursor->place > FG_SEARCH_DEPTH)
        return fg_fail(err, FG_ECONFIG, "not a cursor: '%.*s'",
                       FG_ARG(fg_str_sub(text, 0, 60)));
    if (cursor->question != (question & 0xffffffff))
        return fg_fail(err, FG_ECONFIG, "this cursor is of another search");
    return FG_OK;
}

/* The index may have changed since: then the last that was shown tells better than its
 * place where to go on. */
static size_t place_of(const struct cursor *cursor, const uint64_t *numbers, size_t n)
{
    for (size_t i = 0; cursor->place && i < n; i++)
        if (numbers[i] == cursor->number)
            return i + 1;
    return cursor->place < n ? (size_t)cursor->place : n;
}

static enum fg_status answer_from(struct fg_search_answer *answer, struct search *s,
                                  const struct cursor *cursor, struct fg_err *err)
{
    size_t wanted = (size_t)cursor->place + s->q->limit + 1, n;
    uint64_t seed = cursor->place ? cursor->seed : s->q->ranking.seed;
    bool promotes = s->quality.is_on && s->q->sort == FG_SORT_SCORE && seed;
    if (promotes && wanted < BLOCK)
        wanted = BLOCK;
    if (wanted > FG_SEARCH_DEPTH)
        wanted = FG_SEARCH_DEPTH;
    struct fg_search_result *results =
        FG_NEW(s->arena, struct fg_search_result, wanted + DRAWN);
    uint64_t *numbers = FG_NEW(s->arena, uint64_t, wanted + DRAWN);
    struct drawn drawn;
    if (promotes)
        draw_further_down(&drawn, s, seed);
    enum fg_status st = gather(s, results, numbers, wanted, &n, err);
    if (!st && n < wanted && s->floor >= 0 && s->q->sort == FG_SORT_SCORE) {
        st = find_hits(s, wanted, 0, err);
        if (!st)
            st = gather(s, results, numbers, wanted, &n, err);
    }
    struct list list = {results, numbers, n};
    if (!st && promotes)
        st = promote(&list, s, &drawn, seed, err);
    n = list.n;
    for (size_t i = 0; i < n; i++)
        results[i].place = (uint32_t)(i + 1);
    size_t from = place_of(cursor, numbers, n);
    size_t to = n - from > s->q->limit ? from + s->q->limit : n;
    answer->results = results + from;
    answer->n = to - from;
    for (size_t i = from; !st && i < to && !s->q->wants_no_snippets; i++)
        st = add_snippets(s, &results[i], err);
    if (to < n && to > from)
        answer->next =
            write_cursor(s->arena, (struct cursor){hash_question(s->q), to,
                                                   numbers[to - 1], promotes ? seed : 0});
    return st;
}

static enum fg_status search(struct fg_search_answer *answer, struct fg_arena *arena,
                             struct fg_store *store,
                             const struct fg_search_question *question,
                             struct fg_err *err)
{
    struct search *s = FG_NEW(arena, struct search, 1);
    const char *codes[32];
    size_t n_codes;
    struct cursor cursor;
    *s = (struct search){.store = store,
                         .arena = arena,
                         .q = question,
                         .scoring = question->scoring.k1 > 0 ? question->scoring
                                                             : fg_scoring_default};
    if (question->scoring.k1 <= 0)
        s->scoring.kind = question->scoring.kind;
    enum fg_status st =
        read_cursor(&cursor, question->after, hash_question(question), err);
    if (!st)
        st = find_languages(s, codes, &n_codes, err);
    if (!st)
        st = fg_query_read(&s->query, arena, question->words, codes, n_codes, err);
    if (!st)
        st = fg_quality_init(&s->quality, store, &question->ranking, err);
    if (!st)
        st = weigh_groups(s, err);
    size_t wanted = (size_t)cursor.place + question->limit + 1;
    size_t kept = is_ordered_otherwise(s) ? ORDERED_MOST : wanted + SPARE;
    if (!st)
        st = find_hits(s, wanted, kept, err);
    if (!st)
        st = answer_from(answer, s, &cursor, err);
    answer->matches = s->n_found;
    answer->with_all = s->n_all;
    if (!st && !answer->with_all)
        st = fg_suggest(&answer->instead, arena, store, &s->query, err);
    fg_vec_clear(&s->hits);
    fg_vec_clear(&s->best);
    fg_quality_clear(&s->quality);
    for (size_t i = 0; i < LANGUAGES; i++)
        fg_stemmer_free(s->stemmers[i]);
    return st;
}

/* All of it within one transaction: what is counted, found and shown is of one moment. */
enum fg_status fg_search(struct fg_search_answer *answer, struct fg_arena *arena,
                         struct fg_store *store,
                         const struct fg_search_question *question, struct fg_err *err)
{
    struct fg_store *view;
    *answer = (struct fg_search_answer){0};
    if (question->words.len > FG_QUERY_BYTES) /* before anything else is done */
        return fg_query_read(FG_NEW(arena, struct fg_query, 1), arena, question->words,
                             NULL, 0, err);
    enum fg_status st = fg_store_view(&view, store, err);
    if (st)
        return st;
    st = search(answer, arena, view, question, err);
    fg_store_end_view(view, store);
    return st;
}

/* --- all of them --- */

struct numbers {
    FG_VEC(uint64_t) all;
};

static bool take_number(void *context, const struct fg_index_hit *hit)
{
    struct numbers *numbers = context;
    fg_vec_push(&numbers->all, hit->number);
    return true;
}

static enum fg_status find_pages(struct fg_map *pages, struct search *s,
                                 struct fg_err *err)
{
    struct numbers numbers = {0};
    const char *codes[LANGUAGES];
    size_t n_codes;
    enum fg_status st = find_languages(s, codes, &n_codes, err);
    if (!st)
        st = fg_query_read(&s->query, s->arena, s->q->words, codes, n_codes, err);
    for (size_t i = 0; !st && i < s->query.n; i++)
        s->query.groups[i].is_needed = !s->query.groups[i].is_unwanted;
    struct fg_index_query query = {
        .groups = s->query.groups, .n = s->query.n, .site = s->q->site};
    if (!st)
        st = fg_store_match(s->store, &query, take_number, &numbers, err);
    for (size_t i = 0; !st && i < numbers.all.len; i++) {
        fg_site_id site;
        fg_page_id page;
        st = fg_store_text_page(s->store, numbers.all.at[i], &site, &page, err);
        if (!st)
            *fg_map_put(pages, fg_search_key(site, page)) = 1;
    }
    fg_vec_clear(&numbers.all);
    return st;
}

enum fg_status fg_search_pages(struct fg_map *pages, struct fg_arena *arena,
                               struct fg_store *store, struct fg_str words,
                               fg_site_id site, struct fg_err *err)
{
    struct search *s = FG_NEW(arena, struct search, 1);
    struct fg_search_question question = {.words = words, .site = site};
    struct fg_store *view;
    *s = (struct search){.arena = arena, .q = &question};
    if (words.len > FG_QUERY_BYTES)
        return fg_query_read(&s->query, arena, words, NULL, 0, err);
    enum fg_status st = fg_store_view(&view, store, err);
    if (st)
        return st;
    s->store = view;
    st = find_pages(pages, s, err);
    fg_store_end_view(view, store);
    return st;
}
