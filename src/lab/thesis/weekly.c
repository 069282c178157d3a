#include "lab/thesis/weekly.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/vec.h"
#include "policy/mind.h"

#include <stdlib.h>
#include <string.h>

/* --- a week: from links to what each old page covers --- */

struct builder {
    struct fg_week *week;
    const struct fg_week_link *links; /* sorted: those of old pages first */
    size_t n, n_from_old;
    size_t *out_at;  /* by new page: where its links begin */
    uint32_t *stamp; /* by new page: the last set it was put into, plus 1 */
    FG_VEC(uint64_t) covered;
    FG_VEC(size_t) set_at;
    FG_VEC(uint32_t) linking;
    FG_VEC(uint32_t) set_of;
    FG_VEC(uint32_t) next;  /* by set: the next one with the same hash, plus 1 */
    FG_VEC(size_t) example; /* by set: where links of a page with that set begin */
};

static int compare_links(const void *a, const void *b)
{
    const struct fg_week_link *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

/* Sorted, each once, and only those to new pages; returns how many are left. */
static size_t tidy(struct fg_week_link *links, size_t n, uint32_t n_old, uint32_t end)
{
    size_t kept = 0;
    if (n)
        qsort(links, n, sizeof *links, compare_links);
    for (size_t i = 0; i < n; i++) {
        bool is_again = kept && compare_links(&links[kept - 1], &links[i]) == 0;
        if (!is_again && links[i].to >= n_old && links[i].to < end && links[i].from < end)
            links[kept++] = links[i];
    }
    return kept;
}

static void index_new_pages(struct builder *b)
{
    uint32_t n_old = b->week->n_old;
    size_t at = b->n_from_old;
    b->out_at = fg_zeroed((size_t)b->week->n_new + 1, sizeof *b->out_at);
    for (size_t y = 0; y < b->week->n_new; y++) {
        b->out_at[y] = at;
        while (at < b->n && b->links[at].from == n_old + y)
            at++;
    }
    b->out_at[b->week->n_new] = at;
}

static void put(struct builder *b, uint32_t to, uint32_t set)
{
    uint32_t *stamp = &b->stamp[to - b->week->n_old];
    if (*stamp == set + 1)
        return;
    *stamp = set + 1;
    fg_vec_push(&b->covered, to);
}

/* All that links[from] .. links[end] lead to over new pages. */
static void close_set(struct builder *b, size_t from, size_t end)
{
    uint32_t set = (uint32_t)b->set_at.len;
    size_t start = b->covered.len;
    fg_vec_push(&b->set_at, start);
    fg_vec_push(&b->example, from);
    for (size_t i = from; i < end; i++)
        put(b, b->links[i].to, set);
    for (size_t i = start; i < b->covered.len; i++) {
        size_t page = (size_t)b->covered.at[i] - b->week->n_old;
        for (size_t k = b->out_at[page]; k < b->out_at[page + 1]; k++)
            put(b, b->links[k].to, set);
    }
}

static bool has_same_links(const struct builder *b, size_t example, size_t from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (example + i >= b->n_from_old ||
            b->links[example + i].to != b->links[from + i].to ||
            b->links[example + i].from != b->links[example].from)
            return false;
    return example + n == b->n_from_old ||
           b->links[example + n].from != b->links[example].from;
}

/* Pages with the same links cover the same, and most have the same as others. */
static uint32_t set_of_links(struct builder *b, struct fg_map *sets, size_t from,
                             size_t end)
{
    uint64_t hash = end - from;
    for (size_t i = from; i < end; i++)
        hash = (hash ^ b->links[i].to) * 0x9e3779b97f4a7c15u + (hash >> 29);
    uint64_t *head = fg_map_put(sets, hash);
    for (uint64_t set = *head; set; set = b->next.at[set - 1])
        if (has_same_links(b, b->example.at[set - 1], from, end - from))
            return (uint32_t)set - 1;
    close_set(b, from, end);
    fg_vec_push(&b->next, (uint32_t)*head);
    *head = b->set_at.len;
    return (uint32_t)b->set_at.len - 1;
}

static void find_sets(struct builder *b)
{
    struct fg_map sets = {0};
    for (size_t from = 0, end; from < b->n_from_old; from = end) {
        for (end = from;
             end < b->n_from_old && b->links[end].from == b->links[from].from;)
            end++;
        fg_vec_push(&b->linking, b->links[from].from);
        uint32_t set = set_of_links(b, &sets, from, end);
        fg_vec_push(&b->set_of, set);
    }
    fg_vec_push(&b->set_at, b->covered.len);
    fg_map_clear(&sets);
}

static void count(struct builder *b)
{
    struct fg_week *week = b->week;
    memset(b->stamp, 0, week->n_new * sizeof *b->stamp);
    for (size_t i = 0; i < b->covered.len; i++)
        b->stamp[b->covered.at[i] - week->n_old] = 1;
    for (size_t i = 0; i < b->n_from_old; i++)
        b->stamp[b->links[i].to - week->n_old] = 2;
    for (size_t y = 0; y < week->n_new; y++) {
        week->there += b->stamp[y] > 0;
        week->direct += b->stamp[y] > 1;
    }
}

struct fg_week *fg_week_new(uint32_t n_old, uint32_t n_new, struct fg_week_link *links,
                            size_t n)
{
    struct fg_week *week = fg_zeroed(1, sizeof *week);
    *week = (struct fg_week){.n_old = n_old, .n_new = n_new};
    struct builder b = {.week = week, .links = links};
    b.n = tidy(links, n, n_old, n_old + n_new);
    while (b.n_from_old < b.n && links[b.n_from_old].from < n_old)
        b.n_from_old++;
    b.stamp = fg_zeroed(n_new, sizeof *b.stamp);
    index_new_pages(&b);
    find_sets(&b);
    count(&b);
    week->n_linking = b.linking.len;
    week->linking = b.linking.at;
    week->set_of = b.set_of.at;
    week->sets = b.set_at.len - 1;
    week->set_at = b.set_at.at;
    week->covered = b.covered.at;
    free(b.out_at);
    free(b.stamp);
    fg_vec_clear(&b.next);
    fg_vec_clear(&b.example);
    return week;
}

void fg_week_free(struct fg_week *week)
{
    if (!week)
        return;
    free(week->linking);
    free(week->set_of);
    free(week->set_at);
    free(week->covered);
    free(week);
}

void fg_weekly_site_clear(struct fg_weekly_site *site)
{
    for (size_t t = 0; t < site->weeks; t++)
        fg_week_free(site->week[t]);
    free(site->week);
    *site = (struct fg_weekly_site){0};
}

/* --- a policy over the weeks --- */

static const fg_time week_length = 7 * FG_DAY;

struct run {
    const struct fg_weekly_site *site;
    const struct fg_weekly_rules *rules;
    struct fg_weekly_tally *tallies;
    struct fg_mind *mind;
    const struct fg_week *week;
    uint32_t *set_of; /* by page: its set this week, or NO_SET */
    uint8_t *is_set_shown;
    uint8_t *is_covered, *is_shown; /* by new page of this week */
    uint64_t *first_list;           /* a set, those not shown yet leading */
    struct fg_pick *picks;
};

#define NO_SET UINT32_MAX

static size_t set_of_page(const struct run *r, size_t page, const uint64_t **links)
{
    uint32_t set = r->set_of[page];
    if (set == NO_SET)
        return 0;
    *links = r->week->covered + r->week->set_at[set];
    return r->week->set_at[set + 1] - r->week->set_at[set];
}

static size_t unknown(void *context, size_t page, const uint64_t **links)
{
    return set_of_page(context, page, links);
}

static void judge(struct run *r, size_t n)
{
    const struct fg_week *week = r->week;
    uint64_t found = 0;
    size_t i = 0;
    memset(r->is_covered, 0, week->n_new);
    for (size_t b = 0; b < r->rules->n_budgets; b++) {
        struct fg_weekly_tally *tally = &r->tallies[b];
        for (; i < n && i < r->rules->budgets[b]; i++) {
            const uint64_t *links = NULL;
            size_t n_links = set_of_page(r, r->picks[i].page, &links);
            for (size_t k = 0; k < n_links; k++) {
                found += !r->is_covered[links[k] - week->n_old];
                r->is_covered[links[k] - week->n_old] = 1;
            }
        }
        tally->weeks++;
        tally->there += week->there;
        tally->found += found;
        tally->visits += i;
        tally->positions += i ? (double)(i - 1) / 2 : 0;
        tally->yielding += i > 0;
        tally->yields += i ? (double)found / (double)i : 0;
    }
}

/* The links of a set with those that nobody has shown this week first. */
static size_t lead_with_first(struct run *r, const uint64_t *links, size_t n)
{
    size_t first = 0, also = n;
    for (size_t i = 0; i < n; i++) {
        uint8_t *is_shown = &r->is_shown[links[i] - r->week->n_old];
        r->first_list[*is_shown ? --also : first++] = links[i];
        *is_shown = 1;
    }
    return first;
}

static void show(struct run *r, size_t page, fg_time now)
{
    struct fg_visit visit = {
        .page = page, .now = now, .ok = true, .complete = true, .cost = 1};
    const uint64_t *links = NULL;
    size_t n = set_of_page(r, page, &links);
    if (n && !r->is_set_shown[r->set_of[page]]) {
        visit.n_first = lead_with_first(r, links, n);
        r->is_set_shown[r->set_of[page]] = 1;
        links = r->first_list;
    }
    visit.seen = visit.added = visit.fresh = links;
    visit.n_seen = visit.n_added = visit.n_fresh = n;
    visit.changed = n > 0;
    fg_mind_observe(r->mind, &visit);
}

static void begin_week(struct run *r, const struct fg_week *week)
{
    r->week = week;
    memset(r->set_of, 0xff, week->n_old * sizeof *r->set_of);
    for (size_t i = 0; i < week->n_linking; i++)
        r->set_of[week->linking[i]] = week->set_of[i];
    memset(r->is_set_shown, 0, week->sets);
    memset(r->is_shown, 0, week->n_new);
}

static void live(struct run *r)
{
    const struct fg_weekly_rules *rules = r->rules;
    const size_t every = rules->every, most = rules->budgets[rules->n_budgets - 1];
    const bool sees_ahead = fg_mind_policy(r->mind)->needs_foresight;
    const fg_time start = fg_days_from_date(2004, 11, 14) * FG_DAY;
    for (size_t page = 0; page < r->site->week[0]->n_old; page++)
        fg_mind_add(r->mind, page, 0, start);
    for (size_t t = 0; t < r->site->weeks; t++) {
        fg_time now = start + (fg_time)t * week_length;
        begin_week(r, r->site->week[t]);
        bool is_shown = every && t % every == 0;
        size_t n = fg_mind_choose(r->mind, now, most, r->picks);
        if (r->week->there && (sees_ahead || (t > 0 && (!is_shown || every == 1))))
            judge(r, n);
        for (size_t page = 0; is_shown && page < r->week->n_old; page++)
            show(r, page, now);
        for (size_t i = 0; !is_shown && rules->tells_picks && i < n; i++)
            show(r, r->picks[i].page, now);
        uint32_t end = r->week->n_old + r->week->n_new;
        for (uint32_t page = r->week->n_old; page < end; page++)
            fg_mind_add(r->mind, page, 0, now + FG_HOUR);
    }
}

static void set_up(struct run *r)
{
    const struct fg_weekly_site *site = r->site;
    size_t sets = 0, fresh = 0;
    const struct fg_week *last = site->week[site->weeks - 1];
    size_t most = r->rules->budgets[r->rules->n_budgets - 1];
    for (size_t t = 0; t < site->weeks; t++) {
        sets = site->week[t]->sets > sets ? site->week[t]->sets : sets;
        fresh = site->week[t]->n_new > fresh ? site->week[t]->n_new : fresh;
    }
    r->set_of = fg_zeroed(last->n_old, sizeof *r->set_of);
    r->is_set_shown = fg_zeroed(sets, 1);
    r->is_covered = fg_zeroed(fresh, 1);
    r->is_shown = fg_zeroed(fresh, 1);
    r->first_list = fg_zeroed(fresh, sizeof *r->first_list);
    r->picks = fg_zeroed(most < last->n_old ? most : last->n_old, sizeof *r->picks);
}

static void tear_down(struct run *r)
{
    fg_mind_free(r->mind);
    void *arrays[] = {r->set_of,   r->is_set_shown, r->is_covered,
                      r->is_shown, r->first_list,   r->picks};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
}

enum fg_status fg_weekly_run(struct fg_weekly_tally *tallies,
                             const struct fg_weekly_site *site,
                             const struct fg_policy *policy,
                             const struct fg_weekly_rules *rules, struct fg_err *err)
{
    struct run r = {.site = site, .rules = rules, .tallies = tallies};
    const struct fg_foresight foresight = {.context = &r, .unknown = unknown};
    if (!site->weeks)
        return FG_OK;
    set_up(&r);
    r.mind = fg_mind_new(policy, rules->seed);
    fg_mind_tick(r.mind, week_length);
    if (policy->needs_foresight)
        fg_mind_foresee(r.mind, &foresight);
    enum fg_status st = fg_knobs_set(r.mind, rules->knobs, rules->n_knobs, err);
    if (!st)
        live(&r);
    tear_down(&r);
    return st;
}
