#include "lab/quality/versions_make.h"

#include "base/memory.h"
#include "base/rng.h"
#include "base/variate.h"
#include "base/vec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Terms by number: of topics, then of navigation, then of advertisements. */
enum {
    TOPICS = 60,
    TOPIC_TERMS = 40,
    CONTENT = TOPICS * TOPIC_TERMS,
    NAVIGATION = 300,
    ADVERTS = 600,
    TERMS = CONTENT + NAVIGATION + ADVERTS,
    WORDS_MOST = 700,
    ADVERT_WORDS = 40,
    NAVIGATION_WORDS = 25,
    SEMINARS = 5,
    SEMINAR_WORDS = 14,
    SHINGLE = 10,
    QUERIES = 800,
    TOPICS_A_SITE = 8
};

enum kind { STILL, ADVERTISING, ANNOUNCING, EDITED, RENEWED };

/* A text as its words in their order: navigation, advertisement, what it says. */
struct text {
    uint32_t word[WORDS_MOST];
    size_t n;
};

struct page {
    enum kind kind;
    uint32_t site, topic;
    double rate;  /* changes a week */
    size_t words; /* of what it says */
};

struct maker {
    struct fg_versions *into;
    struct fg_rng rng;
    FG_VEC(struct fg_version) version;
    FG_VEC(struct fg_word_count) counts;
    uint32_t *was, *is; /* counts by term */
};

/* --- words --- */

/* Of n, the first the most frequent: the square of a uniform draw. */
static uint32_t skewed(struct fg_rng *rng, size_t n)
{
    double u = fg_rng_unit(rng);
    return (uint32_t)(u * u * (double)n);
}

/* A word of the topic, or in one of four cases of any. */
static uint32_t content_word(struct fg_rng *rng, uint32_t topic)
{
    if (fg_rng_below(rng, 4) == 0)
        topic = skewed(rng, TOPICS);
    return topic * TOPIC_TERMS + skewed(rng, TOPIC_TERMS);
}

static void write_adverts(struct text *text, struct fg_rng *rng)
{
    for (size_t i = 0; i < ADVERT_WORDS; i++)
        text->word[NAVIGATION_WORDS + i] = CONTENT + NAVIGATION + skewed(rng, ADVERTS);
}

static size_t body_start(const struct page *page)
{
    return NAVIGATION_WORDS + (page->kind == ADVERTISING ? ADVERT_WORDS : 0);
}

static void write_words(struct text *text, struct fg_rng *rng, uint32_t topic,
                        size_t from, size_t n)
{
    for (size_t i = from; i < from + n && i < text->n; i++)
        text->word[i] = content_word(rng, topic);
}

/* An announcement is about a topic of its own. */
static void write_seminar(struct text *text, struct fg_rng *rng, const struct page *page,
                          size_t number)
{
    write_words(text, rng, skewed(rng, TOPICS), body_start(page) + number * SEMINAR_WORDS,
                SEMINAR_WORDS);
}

static void write_first(struct text *text, struct fg_rng *rng, const struct page *page)
{
    text->n = body_start(page) + page->words;
    for (size_t i = 0; i < NAVIGATION_WORDS; i++)
        text->word[i] = CONTENT + (page->site * 7 + (uint32_t)i) % NAVIGATION;
    if (page->kind == ADVERTISING)
        write_adverts(text, rng);
    write_words(text, rng, page->topic, body_start(page), page->words);
    for (size_t i = 0; page->kind == ANNOUNCING && i < SEMINARS; i++)
        write_seminar(text, rng, page, i);
}

static void rewrite(struct text *text, struct fg_rng *rng, const struct page *page)
{
    size_t start = body_start(page), some = 3 + (size_t)fg_rng_below(rng, 40);
    switch (page->kind) {
    case ADVERTISING:
        write_adverts(text, rng);
        break;
    case ANNOUNCING:
        write_seminar(text, rng, page, (size_t)fg_rng_below(rng, SEMINARS));
        break;
    case RENEWED:
        write_words(text, rng, page->topic, start, page->words);
        break;
    case STILL:
        some = 3;
        /* fall through */
    case EDITED:
        write_words(text, rng, page->topic,
                    start + (size_t)fg_rng_below(rng, page->words), some);
        break;
    }
}

/* --- pages --- */

static struct page draw_page(struct fg_rng *rng, size_t sites)
{
    static const struct {
        enum kind kind;
        double share, rate, spread;
    } kinds[] = {{STILL, 0.45, 0.01, 0.5},
                 {ADVERTISING, 0.25, 0.4, 0.7},
                 {ANNOUNCING, 0.07, 0.15, 0.7},
                 {EDITED, 0.18, 0.05, 1.2},
                 {RENEWED, 0.05, 1, 0}};
    double u = fg_rng_unit(rng);
    size_t k = 0;
    while (k < 4 && u > kinds[k].share)
        u -= kinds[k++].share;
    struct page page = {.kind = kinds[k].kind,
                        .site = (uint32_t)fg_rng_below(rng, sites)};
    page.rate = kinds[k].rate * exp(kinds[k].spread * fg_rng_normal(rng));
    page.words = 80 + (size_t)fg_rng_below(rng, 400);
    page.topic = (page.site * 5 + skewed(rng, TOPICS_A_SITE)) % TOPICS;
    return page;
}

static uint64_t mixed(uint64_t x)
{
    x ^= x >> 31;
    x *= 0x9E3779B97F4A7C15U;
    x ^= x >> 29;
    x *= 0xBF58476D1CE4E5B9U;
    return x ^ x >> 32;
}

static void sketch_text(uint8_t *sketch, const struct text *text)
{
    uint64_t least[FG_VERSION_SKETCH];
    memset(least, 0xff, sizeof least);
    for (size_t i = 0; i + SHINGLE <= text->n; i++) {
        uint64_t hash = 0;
        for (size_t k = 0; k < SHINGLE; k++)
            hash = mixed(hash + text->word[i + k] + 1);
        for (size_t k = 0; k < FG_VERSION_SKETCH; k++) {
            uint64_t value = mixed(hash ^ (k + 1) * 0x9E3779B97F4A7C15U);
            least[k] = value < least[k] ? value : least[k];
        }
    }
    for (size_t k = 0; k < FG_VERSION_SKETCH; k++)
        sketch[k] = (uint8_t)least[k];
}

/* What differs from the version before, of the same page. */
static void add_version(struct maker *m, const struct text *text, size_t week)
{
    struct fg_version version = {
        .week = (uint32_t)week, .words = (uint32_t)text->n, .first = m->counts.len};
    sketch_text(version.sketch, text);
    memset(m->is, 0, TERMS * sizeof *m->is);
    for (size_t i = 0; i < text->n; i++)
        m->is[text->word[i]]++;
    for (uint32_t t = 0; t < TERMS; t++)
        if (m->is[t] != m->was[t])
            fg_vec_push(&m->counts, (struct fg_word_count){t, m->is[t]});
    for (uint32_t t = 0; week == 0 && t < TERMS; t++)
        m->into->with_term[t] += m->is[t] > 0;
    memcpy(m->was, m->is, TERMS * sizeof *m->was);
    fg_vec_push(&m->version, version);
}

static void add_page(struct maker *m, size_t number)
{
    struct fg_versions *v = m->into;
    struct fg_rng rng = fg_rng_split(&m->rng, number);
    struct page page = draw_page(&rng, v->sites);
    struct text text = {0};
    v->site[number] = page.site;
    v->inlinks[number] = (uint32_t)(2 / (fg_rng_open(&rng) + 0.005));
    v->first[number] = m->version.len;
    memset(m->was, 0, TERMS * sizeof *m->was);
    write_first(&text, &rng, &page);
    add_version(m, &text, 0);
    for (size_t week = 1; week < v->weeks; week++) {
        uint64_t changes = fg_rng_poisson(&rng, page.rate);
        for (uint64_t i = 0; i < changes && i < 3; i++)
            rewrite(&text, &rng, &page);
        if (changes)
            add_version(m, &text, week);
    }
    v->first[number + 1] = m->version.len;
}

/* --- queries --- */

/* Words of one topic; `heads` asks more often for what pages are about. */
static void add_log(struct maker *m, const char *name, bool is_heads)
{
    struct fg_query_log *log = &m->into->logs[m->into->n_logs++];
    struct fg_rng rng = fg_rng_split(&m->rng, is_heads ? 1U << 30 : 1U << 31);
    snprintf(log->name, sizeof log->name, "%s", name);
    log->n = QUERIES;
    log->frequency = fg_zeroed(QUERIES, sizeof *log->frequency);
    log->at = fg_zeroed(QUERIES + 1, sizeof *log->at);
    log->terms = fg_zeroed(QUERIES * 3, sizeof *log->terms);
    double sum = 0;
    for (size_t q = 0; q < QUERIES; q++) {
        size_t terms = 1;
        terms += fg_rng_unit(&rng) < 0.4;
        terms += fg_rng_unit(&rng) < 0.2;
        uint32_t topic =
            is_heads ? skewed(&rng, TOPICS) : (uint32_t)fg_rng_below(&rng, TOPICS);
        uint32_t first = (uint32_t)fg_rng_below(&rng, TOPIC_TERMS);
        log->at[q + 1] = log->at[q] + terms;
        for (uint32_t i = 0; i < terms; i++) /* different ones */
            log->terms[log->at[q] + i] =
                topic * TOPIC_TERMS + (first + i * 7) % TOPIC_TERMS;
        log->frequency[q] = pow((double)(q + 1), is_heads ? -0.85 : -1);
        sum += log->frequency[q];
    }
    for (size_t q = 0; q < QUERIES; q++)
        log->frequency[q] /= sum;
}

struct fg_versions *fg_versions_make(const struct fg_versions_options *options)
{
    struct fg_versions *v = fg_zeroed(1, sizeof *v);
    struct maker m = {.into = v, .rng = fg_rng_from_seed(options->seed)};
    *v = (struct fg_versions){.pages = options->pages ? options->pages : 1000,
                              .sites = options->sites ? options->sites : 10,
                              .weeks = options->weeks ? options->weeks : 105,
                              .terms = TERMS};
    v->site = fg_zeroed(v->pages, sizeof *v->site);
    v->inlinks = fg_zeroed(v->pages, sizeof *v->inlinks);
    v->first = fg_zeroed(v->pages + 1, sizeof *v->first);
    v->with_term = fg_zeroed(TERMS, sizeof *v->with_term);
    m.was = fg_zeroed(TERMS, sizeof *m.was);
    m.is = fg_zeroed(TERMS, sizeof *m.is);
    for (size_t page = 0; page < v->pages; page++)
        add_page(&m, page);
    add_log(&m, "log", false);
    add_log(&m, "heads", true);
    v->version = m.version.at;
    v->n_versions = m.version.len;
    v->counts = m.counts.at;
    v->n_counts = m.counts.len;
    free(m.was);
    free(m.is);
    return v;
}
