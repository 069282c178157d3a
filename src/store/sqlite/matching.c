#include "store/sqlite/matching.h"

#include "base/memory.h"
#include "store/spelled.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    LONG = 1 << 13,      /* bytes of a list */
    VERY_LONG = 1 << 20, /* of a hundred thousand texts and more */
    GAINS = 16           /* so many of a term in a text are looked up */
};

/* A text has a group if it has any of its words. */
struct group {
    struct fg_list *lists;
    size_t n, bytes;
    int64_t row; /* INT64_MAX behind the last */
    double most; /* that it adds to a score */
    /* Of a long list: what it adds, by how often the text has it and by its length. */
    float (*gains)[FG_SPELLED_LENGTHS];
    uint32_t *counts;
};

struct matching {
    struct group *groups; /* those that lead, filters, those that are only counted, those
                             that must not be */
    size_t n_leading, n_filters, n_counted, n_unwanted;
    bool needs_all;    /* that lead */
    double of_counted; /* the most that those add */
    size_t n_idle;     /* of those that lead: they find nothing any more */
    double of_idle;    /* the most that those add */
    const double *floor;
    const struct fg_index_query *query;
    double words[FG_SPELLED_LENGTHS], half[FG_SPELLED_LENGTHS]; /* by length */
    uint32_t (*counts)[FG_INDEX_COUNTS];
    size_t n_counts;
    fg_take_hit *take;
    void *context;
};

/* --- groups --- */

static void settle(struct group *group)
{
    group->row = INT64_MAX;
    for (size_t i = 0; i < group->n; i++)
        if (group->lists[i].row < group->row)
            group->row = group->lists[i].row;
}

static inline void seek(struct group *group, int64_t row)
{
    if (group->row >= row)
        return;
    if (group->n == 1) {
        fg_list_seek(&group->lists[0], row);
        group->row = group->lists[0].row;
        return;
    }
    for (size_t i = 0; i < group->n; i++)
        fg_list_seek(&group->lists[i], row);
    settle(group);
}

static inline void next(struct group *group)
{
    if (group->n == 1) {
        fg_list_next(&group->lists[0]);
        group->row = group->lists[0].row;
    } else {
        seek(group, group->row + 1);
    }
}

static void count(const struct group *group)
{
    for (size_t i = 0; i < group->n; i++)
        if (group->lists[i].row == group->row)
            fg_list_count(&group->lists[i], group->counts);
}

static void open_group(struct group *group, struct fg_postings *postings,
                       const struct fg_str *words, size_t n)
{
    *group = (struct group){.lists = fg_zeroed(n, sizeof *group->lists)};
    for (size_t i = 0; i < n; i++) {
        struct fg_list *list = &group->lists[group->n];
        fg_list_open(list, postings, words[i]);
        group->bytes += fg_list_bytes(list);
        if (fg_list_next(list))
            group->n++;
        else
            fg_list_close(list);
    }
    settle(group);
}

static void close_group(struct group *group)
{
    for (size_t i = 0; i < group->n; i++)
        fg_list_close(&group->lists[i]);
    free(group->lists);
    free(group->gains);
}

/* --- who leads --- */

bool fg_matching_can(const struct fg_index_query *query)
{
    for (size_t i = 0; i < query->n; i++) {
        if (query->groups[i].prefix.len)
            return false;
        for (size_t j = 0; j < query->groups[i].n; j++)
            if (fg_str_chr(query->groups[i].phrases[j], ' ') != FG_NOT_FOUND)
                return false;
    }
    return true;
}

static inline double gain_of(const struct matching *m, double most, double n,
                             unsigned length)
{
    return n > 0 ? most * n / (n + m->half[length]) : 0;
}

static void prepare_gains(const struct matching *m, struct group *group)
{
    group->gains = fg_zeroed(GAINS, sizeof *group->gains);
    for (unsigned n = 0; n < GAINS; n++)
        for (unsigned i = 0; i < FG_SPELLED_LENGTHS; i++)
            group->gains[n][i] =
                (float)gain_of(m, group->most, n * m->query->weights[FG_IN_TEXT], i);
}

/* By a term that is in the text alone, so often. */
static inline double simple_gain(const struct matching *m, const struct group *group,
                                 int64_t row, unsigned n)
{
    unsigned length = row & (FG_SPELLED_LENGTHS - 1);
    return n < GAINS ? (double)group->gains[n][length]
                     : gain_of(m, group->most, n * m->query->weights[FG_IN_TEXT], length);
}

static size_t add_groups(struct matching *m, struct fg_postings *postings,
                         const struct fg_index_query *query,
                         bool (*is_one)(const struct fg_index_group *, bool), size_t at)
{
    size_t n = 0;
    for (size_t i = 0; i < query->n; i++) {
        const struct fg_index_group *group = &query->groups[i];
        if (!is_one(group, m->needs_all))
            continue;
        struct group *made = &m->groups[at + n++];
        open_group(made, postings, group->phrases, group->n);
        made->counts = m->counts[i];
        made->most = query->most ? query->most[i] : 0;
        if (query->passed_over && made->n == 1 && made->bytes > LONG)
            prepare_gains(m, made);
    }
    return n;
}

static bool is_leading(const struct fg_index_group *group, bool needs_all)
{
    return !group->is_unwanted && (needs_all ? group->is_needed : !group->is_extra);
}

static bool is_counted(const struct fg_index_group *group, bool needs_all)
{
    return !group->is_unwanted && (needs_all ? !group->is_needed : group->is_extra);
}

static bool is_unwanted(const struct fg_index_group *group, bool needs_all)
{
    (void)needs_all;
    return group->is_unwanted;
}

static void add_filter(struct matching *m, struct fg_postings *postings, const char *word)
{
    struct fg_str term = fg_str_from(word);
    open_group(&m->groups[m->n_leading + m->n_filters++], postings, &term, 1);
}

static void add_filters(struct matching *m, struct fg_postings *postings,
                        const struct fg_index_query *query)
{
    char word[64];
    if (query->site) {
        snprintf(word, sizeof word, "site:%u", query->site);
        add_filter(m, postings, word);
    }
    if (query->language.len) {
        snprintf(word, sizeof word, "lang:%.*s", FG_ARG(query->language));
        add_filter(m, postings, word);
    }
}

static int shortest_first(const void *a, const void *b)
{
    size_t x = ((const struct group *)a)->bytes, y = ((const struct group *)b)->bytes;
    return (x > y) - (x < y);
}

static int least_first(const void *a, const void *b)
{
    double x = ((const struct group *)a)->most, y = ((const struct group *)b)->most;
    return (x > y) - (x < y);
}

static void arrange(struct matching *m, struct fg_postings *postings,
                    const struct fg_index_query *query)
{
    for (unsigned i = 0; i < FG_SPELLED_LENGTHS; i++) {
        m->words[i] = fg_spelled_words(i);
        m->half[i] = query->half + query->half_a_word * m->words[i];
    }
    for (size_t i = 0; i < query->n; i++)
        m->needs_all |= query->groups[i].is_needed && !query->groups[i].is_unwanted;
    m->groups = fg_zeroed(query->n + 2, sizeof *m->groups);
    m->counts = fg_zeroed(query->n + 1, sizeof *m->counts);
    m->n_counts = query->n;
    m->n_leading = add_groups(m, postings, query, is_leading, 0);
    add_filters(m, postings, query);
    size_t at = m->n_leading + m->n_filters;
    m->n_counted = add_groups(m, postings, query, is_counted, at);
    for (size_t i = 0; i < m->n_counted; i++)
        m->of_counted += m->groups[at + i].most;
    m->n_unwanted = add_groups(m, postings, query, is_unwanted, at + m->n_counted);
    if (m->needs_all || !query->n) /* then filters lead as well */
        qsort(m->groups, at, sizeof *m->groups, shortest_first);
    else
        qsort(m->groups, m->n_leading, sizeof *m->groups, least_first);
    m->floor = query->most && !m->needs_all ? query->floor : NULL;
}

/* --- a text --- */

static bool is_refused(struct matching *m, int64_t row)
{
    struct group *at = &m->groups[m->n_leading + m->n_filters + m->n_counted];
    for (size_t i = 0; i < m->n_unwanted; i++) {
        seek(&at[i], row);
        if (at[i].row == row)
            return true;
    }
    return false;
}

/* What its group adds to the score of the text at hand. */
static double worth_of(const struct matching *m, const struct group *group)
{
    unsigned simple = group->gains ? fg_list_simple(group->lists) : 0;
    if (simple)
        return simple_gain(m, group, group->row, simple);
    uint32_t counts[FG_INDEX_COUNTS] = {0};
    double n = 0;
    for (size_t i = 0; i < group->n; i++)
        if (group->lists[i].row == group->row)
            fg_list_count(&group->lists[i], counts);
    for (size_t i = 0; i < FG_INDEX_FIELDS; i++)
        n += m->query->weights[i] * counts[i];
    return gain_of(m, group->most, n, fg_spelled_length(group->row));
}

/* Its score is not above the floor, and other ways to add it up make no difference. */
static bool is_passed_over(const struct matching *m, int64_t row)
{
    double score = 0;
    size_t n = m->n_leading + m->n_filters + m->n_counted, missing = 0;
    if (!m->query->passed_over || *m->query->floor < 0)
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct group *group = &m->groups[i];
        if (!group->counts)
            continue;
        missing += group->row != row;
        score += group->row == row ? worth_of(m, group) : 0;
    }
    return (m->needs_all || missing) && score * (1 + 1e-6) <= *m->query->floor;
}

/* What leads stands at the row or beyond it. */
static bool tell(struct matching *m, int64_t row)
{
    size_t n = m->n_leading + m->n_filters + m->n_counted;
    if (is_refused(m, row))
        return true;
    for (size_t i = 0; i < n; i++)
        seek(&m->groups[i], row);
    if (is_passed_over(m, row)) {
        ++*m->query->passed_over;
        return true;
    }
    memset(m->counts, 0, m->n_counts * sizeof *m->counts);
    for (size_t i = 0; i < n; i++)
        if (m->groups[i].row == row && m->groups[i].counts)
            count(&m->groups[i]);
    return m->take(
        m->context,
        &(struct fg_index_hit){.number = fg_spelled_number(row),
                               .words = m->words[fg_spelled_length(row)],
                               .counts = (const uint32_t(*)[FG_INDEX_COUNTS])m->counts});
}

/* --- all that are needed --- */

/* The most that all others add to what the first does. */
static double of_others(const struct matching *m)
{
    double most = 0;
    for (size_t i = 1; i < m->n_leading + m->n_filters + m->n_counted; i++)
        most += m->groups[i].most;
    return most;
}

/* Past texts that cannot get above the floor, whether they have the other words or not.
 * With other words it is not known how many have them all; so if that is worth knowing,
 * each is looked at. */
static void skim(struct matching *m, struct group *group, double others)
{
    bool is_alone = m->n_leading + m->n_filters + m->n_unwanted == 1;
    if (!group->gains || *m->query->floor < 0 || (!is_alone && group->bytes < VERY_LONG))
        return;
    struct fg_list *list = group->lists;
    double needed = (*m->query->floor - others) / (1 + 1e-6);
    size_t passed_over = 0;
    for (unsigned n; list->row != INT64_MAX && (n = fg_list_simple(list));) {
        if (simple_gain(m, group, list->row, n) > needed)
            break;
        fg_list_next(list);
        passed_over++;
    }
    group->row = list->row;
    if (is_alone)
        *m->query->passed_over += passed_over;
}

static void run_all(struct matching *m)
{
    size_t n = m->n_leading + m->n_filters;
    struct group *first = m->groups;
    double others = of_others(m);
    for (bool goes_on = true; goes_on;) {
        skim(m, first, others);
        if (first->row == INT64_MAX)
            return;
        int64_t row = first->row;
        for (size_t i = 1; i < n && row == first->row; i++) {
            seek(&m->groups[i], row);
            row = m->groups[i].row;
        }
        if (row != first->row) {
            seek(first, row);
            continue;
        }
        goes_on = tell(m, row);
        next(first);
    }
}

/* --- any that is wanted --- */

static void rest_idle(struct matching *m)
{
    while (m->floor && m->n_idle < m->n_leading) {
        double most = m->of_idle + m->groups[m->n_idle].most;
        if (most + m->of_counted > *m->floor)
            return;
        m->of_idle = most;
        m->n_idle++;
    }
}

/* Some of those that find are missing, and the others are not enough. */
static bool is_hopeless(const struct matching *m, int64_t row)
{
    double most = m->of_idle + m->of_counted;
    size_t missing = 0;
    for (size_t i = m->n_idle; m->floor && i < m->n_leading; i++) {
        missing += m->groups[i].row != row;
        most += m->groups[i].row == row ? m->groups[i].most : 0;
    }
    return m->floor && missing && most <= *m->floor;
}

/* The row, or the first from it on that may pass the filters. */
static int64_t filter(struct matching *m, int64_t row)
{
    for (size_t i = 0; i < m->n_filters; i++) {
        struct group *group = &m->groups[m->n_leading + i];
        seek(group, row);
        if (group->row > row)
            return group->row;
    }
    return row;
}

static void run_any(struct matching *m)
{
    for (bool goes_on = true; goes_on;) {
        int64_t row = INT64_MAX;
        rest_idle(m);
        for (size_t i = m->n_idle; i < m->n_leading; i++)
            if (m->groups[i].row < row)
                row = m->groups[i].row;
        if (row == INT64_MAX)
            return;
        int64_t from = filter(m, row);
        if (from == row && !is_hopeless(m, row))
            goes_on = tell(m, row);
        for (size_t i = m->n_idle; i < m->n_leading; i++) {
            struct group *group = &m->groups[i];
            if (from > row)
                seek(group, from);
            else if (group->row == row)
                next(group);
        }
    }
}

void fg_matching_run(struct fg_postings *postings, const struct fg_index_query *query,
                     fg_take_hit *take, void *context)
{
    struct matching m = {.query = query, .take = take, .context = context};
    arrange(&m, postings, query);
    for (size_t i = 0; query->from && i < m.n_leading + m.n_filters; i++)
        seek(&m.groups[i], fg_spelled_first(query->from));
    if (m.n_leading + m.n_filters)
        (m.needs_all || !m.n_leading ? run_all : run_any)(&m);
    size_t n = m.n_leading + m.n_filters + m.n_counted + m.n_unwanted;
    for (size_t i = 0; i < n; i++)
        close_group(&m.groups[i]);
    free(m.groups);
    free(m.counts);
}

uint64_t fg_matching_count(struct fg_postings *postings,
                           const struct fg_index_group *group, uint64_t most,
                           int64_t *last)
{
    struct group of;
    uint64_t n = 0;
    *last = 0;
    open_group(&of, postings, group->phrases, group->n);
    for (; of.row != INT64_MAX && n < most; next(&of)) {
        *last = of.row;
        n++;
    }
    close_group(&of);
    return n;
}
