/* leads.c - sites that known pages lead to, and nobody watches; and which pages these are
 *
 * A suggestion is that of the crawl (crawl/sources/strangers.h), as far as the site has
 * not been added meanwhile. What it costs to find one is told of each page that was the
 * first to lead to some: the times it was looked at, by each of them. */
#include "crawl/sources/strangers.h"
#include "view/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1000, MOST_PAGES = 20 };

struct row {
    struct fg_str site, page;
    uint64_t pages, sites;
    fg_time first, last;
};

struct lead {
    uint64_t id; /* site << 32 | page */
    struct fg_str page;
    uint64_t found, looks;
    double cost;
};

struct answer {
    uint64_t known;
    struct fg_rows rows, leads;
    struct fg_str words;
};

struct question {
    int64_t most;
};
static const struct fg_opt question[] = {
    {"most", FG_INT(struct question, most), "20", .letter = 'n', .min = 1, .max = MOST,
     .help = "sites shown, those to which most sites and pages lead first"},
    {0},
};

static bool is_watched(const struct fg_look *look, const char *key)
{
    fg_site_id id;
    return !fg_look_find_site(look, fg_str_from(key), &id, NULL);
}

static int by_sites_and_pages(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    if (x->sites != y->sites)
        return x->sites < y->sites ? 1 : -1;
    if (x->pages != y->pages)
        return x->pages < y->pages ? 1 : -1;
    return x->first != y->first ? (x->first < y->first ? 1 : -1)
                                : fg_str_cmp(x->site, y->site);
}

static int most_found(const void *a, const void *b)
{
    const struct lead *x = a, *y = b;
    if (x->found != y->found)
        return x->found < y->found ? 1 : -1;
    return x->id < y->id ? -1 : x->id > y->id;
}

static int by_id(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static bool count_look(void *context, const struct fg_visit_row *visit)
{
    uint64_t *n = context;
    (void)visit;
    ++*n;
    return true;
}

static struct fg_str url_of(const struct fg_look *look, uint64_t id)
{
    return fg_look_url(look, look->texts, (fg_site_id)(id >> 32), (fg_page_id)id);
}

/* The pages that were the first to lead somewhere; `ids` are sorted. */
static enum fg_status gather_leads(struct answer *a, const struct fg_look *look,
                                   const uint64_t *ids, size_t n, struct fg_err *err)
{
    FG_VEC(struct lead) leads = {0};
    enum fg_status st = FG_OK;
    for (size_t i = 0; i < n; i++) {
        if (!i || ids[i] != ids[i - 1])
            fg_vec_push_in(look->texts, &leads, (struct lead){.id = ids[i]});
        leads.at[leads.len - 1].found++;
    }
    if (leads.len)
        qsort(leads.at, leads.len, sizeof *leads.at, most_found);
    if (leads.len > MOST_PAGES)
        leads.len = MOST_PAGES;
    for (size_t i = 0; !st && i < leads.len; i++) {
        struct lead *lead = &leads.at[i];
        lead->page = url_of(look, lead->id);
        st = fg_store_visits(look->store, (fg_site_id)(lead->id >> 32),
                             (fg_page_id)lead->id, FG_NEVER, count_look, &lead->looks,
                             err);
        lead->cost = (double)lead->looks / (double)lead->found;
    }
    a->leads = FG_ROWS_FROM(leads);
    return st;
}

static enum fg_status gather(struct answer *a, const struct fg_look *look,
                             const struct fg_strangers *strangers, size_t most,
                             struct fg_err *err)
{
    FG_VEC(struct row) rows = {0};
    uint64_t *ids = FG_NEW(look->texts, uint64_t, strangers->all.len + 1);
    size_t n = 0;
    for (size_t i = 0; i < strangers->all.len; i++) {
        const struct fg_stranger *s = &strangers->all.at[i];
        if (is_watched(look, s->key))
            continue;
        fg_vec_push_in(
            look->texts, &rows,
            (struct row){.site = fg_arena_dup(look->texts, fg_str_from(s->key)),
                         .page = url_of(look, s->from[0]),
                         .pages = s->pages,
                         .sites = fg_stranger_sites(s),
                         .first = s->first,
                         .last = s->last});
        ids[n++] = s->from[0];
    }
    a->known = rows.len;
    if (n) {
        qsort(rows.at, rows.len, sizeof *rows.at, by_sites_and_pages);
        qsort(ids, n, sizeof *ids, by_id);
    }
    if (rows.len > most)
        rows.len = most;
    a->rows = FG_ROWS_FROM(rows);
    return gather_leads(a, look, ids, n, err);
}

static enum fg_status ask(const void **answer, const struct fg_asking *ask,
                          struct fg_err *err)
{
    const struct question *q = ask->question;
    const struct fg_look *look = ask->look;
    struct answer *a = FG_NEW(look->texts, struct answer, 1);
    struct fg_strangers strangers = {0};
    struct fg_str text = {0};
    *a = (struct answer){0};
    enum fg_status st =
        fg_store_state(look->store, &text, look->texts, 0, FG_STRANGERS_STATE, err);
    bool is_none = st == FG_ENOTFOUND;
    if (is_none)
        st = FG_OK;
    if (!st && !is_none && !fg_strangers_read(&strangers, text))
        st = fg_fail(err, FG_EINPUT, "what is kept of new sites cannot be read");
    if (!st)
        st = gather(a, look, &strangers, (size_t)q->most, err);
    fg_strangers_clear(&strangers);
    a->words = is_none ? FG_STR("nothing is kept of them: crawl.new-sites: yes keeps it")
               : a->known ? FG_STR("'forage add SITE' watches one; none is asked unless "
                                   "it is added")
                          : FG_STR("no page has led to a site that is not watched");
    *answer = a;
    return st;
}

#define R struct row
static const struct fg_field row_fields[] = {
    {"sites", "sites", FG_AS_COUNT(R, sites),
     .help = "watched, that lead there, up to 8"},
    {"pages", "pages", FG_AS_COUNT(R, pages), .help = "that lead there"},
    {"first_seen", "since", FG_AS_TIME(R, first)},
    {"last_seen", NULL, FG_AS_TIME(R, last)},
    {"site", "site", FG_AS_URL(R, site), .help = "not watched"},
    {"found_on", "found on", FG_AS_URL(R, page), .help = "the first that led there"},
    {0},
};
#undef R

#define L struct lead
static const struct fg_field lead_fields[] = {
    {"new_sites", "new sites", FG_AS_COUNT(L, found), .help = "it led to first"},
    {"looks", "looks", FG_AS_COUNT(L, looks), .help = "at it, as far as is kept"},
    {"looks_each", "looks each", FG_AS_NUMBER(L, cost), .help = "for a new site"},
    {"url", "page", FG_AS_URL(L, page)},
    {0},
};
#undef L

#define A struct answer
static const struct fg_field fields[] = {
    {"known", "not watched", FG_AS_COUNT(A, known), .help = "sites that pages lead to"},
    {"sites", "", FG_AS_ROWS(A, rows, row_fields), .is_sheet = true},
    {"leads", "pages that led to them first", FG_AS_ROWS(A, leads, lead_fields)},
    {NULL, "so", FG_AS_TEXT(A, words)},
    {0},
};
#undef A

static const struct fg_view_example examples[] = {
    {"", "sites one might watch, those that most lead to first"},
    {"--json -n 200", "for a program"},
    {0},
};

const struct fg_view fg_view_leads = {
    .name = "leads",
    .summary = "show sites that known pages lead to and that are not watched",
    .about = "With crawl.new-sites a crawl records the other sites that its pages link "
             "to. These are suggestions: no request is made to them unless they are "
             "added. Sites that pages of several watched sites link to come first. Below "
             "each stand the pages that linked to it first, and how many looks at them "
             "that took, which shows where new sites are found and at what cost.",
    .question = question,
    .question_size = sizeof(struct question),
    .examples = examples,
    .answer = FG_RECORD_OF(fields),
    .ask = ask,
};
