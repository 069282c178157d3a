/* A scheduler as bytes: all of it, or what has changed since.
 *
 * The log names what was decided, not how: a page that was chosen is a record, and replay
 * does not ask the policy again. So a log can be replayed by a program whose policies
 * choose in another way, and quickly. */
#include "policy/scheduler_inside.h"

#include "base/memory.h"
#include "base/sections.h"

#include <stdlib.h>

static const char kind[] = "FGSCHED1";

/* --- what somebody may have written into it --- */

/* Far enough from the ends of its type for what is added to it. */
static bool is_time(fg_time time)
{
    return time == FG_NEVER || (time >= 0 && time < INT64_MAX / 8);
}

/* Of its bytes: to read one that is neither as a bool would be undefined. */
static bool is_yes_or_no(const bool *value)
{
    unsigned char byte;
    memcpy(&byte, value, sizeof byte);
    return byte <= 1;
}

static bool are_sound(const struct fg_scheduler_rules *rules)
{
    return is_yes_or_no(&rules->only_added) && is_yes_or_no(&rules->whole_stock) &&
           rules->delay >= 0 && is_time(rules->delay) && rules->lease >= 0 &&
           is_time(rules->lease) && rules->explore >= 0 && rules->explore <= 1;
}

/* --- the log --- */

static bool take_text(struct fg_str *rest, struct fg_str *text)
{
    uint64_t len;
    if (!fg_str_take(rest, &len, sizeof len) || len > rest->len)
        return false;
    *text = fg_str_sub(*rest, 0, len);
    *rest = fg_str_skip(*rest, len);
    return true;
}

static bool replay_report(struct fg_scheduler *s, struct fg_str *rest, const uint64_t *n)
{
    if (n[6] > FG_SCHEDULER_LINKS || n[2] > FG_REPORT_DEAD || !is_time((fg_time)n[1]))
        return false;
    struct fg_str *links = fg_zeroed(n[6] + 1, sizeof *links);
    bool is_whole = true;
    for (size_t i = 0; is_whole && i < n[6]; i++)
        is_whole = take_text(rest, &links[i]);
    struct fg_lease_report report = {.lease = n[0],
                                     .outcome = (enum fg_report_outcome)n[2],
                                     .changed = n[3],
                                     .content = n[4],
                                     .is_partial = n[5],
                                     .links = links,
                                     .n_links = n[6]};
    struct fg_told told = {0};
    if (is_whole)
        fg_scheduler_report(s, (fg_time)n[1], &report, &told);
    free(links);
    return is_whole;
}

static bool replay_one(struct fg_scheduler *s, struct fg_str *rest)
{
    static const struct {
        char record;
        uint8_t numbers, texts;
    } forms[] = {
        {RECORD_ADD, 1, 2},        {RECORD_BLOCK, 1, 1}, {RECORD_BLOCK_SITE, 1, 1},
        {RECORD_DELAY_SITE, 1, 1}, {RECORD_RULES, 5, 0}, {RECORD_TURN, 1, 0},
        {RECORD_LEASE, 5, 0},      {RECORD_CALL, 3, 0},  {RECORD_REPORT, 7, 0},
    };
    char record = 0;
    uint64_t n[8];
    struct fg_str text[2];
    size_t form = 0;
    bool is_new;
    fg_str_take(rest, &record, 1);
    while (form < sizeof forms / sizeof *forms && forms[form].record != record)
        form++;
    if (form == sizeof forms / sizeof *forms)
        return false;
    for (size_t i = 0; i < forms[form].numbers; i++)
        if (!fg_str_take(rest, &n[i], sizeof n[i]))
            return false;
    for (size_t i = 0; i < forms[form].texts; i++)
        if (!take_text(rest, &text[i]))
            return false;
    switch ((enum sched_record)record) {
    case RECORD_ADD:
        return is_time((fg_time)n[0]) &&
               !fg_scheduler_add(s, text[0], text[1], (fg_time)n[0], &is_new, NULL);
    case RECORD_BLOCK:
        return fg_scheduler_block(s, text[0], n[0]);
    case RECORD_BLOCK_SITE:
        return fg_scheduler_block_site(s, text[0], n[0]);
    case RECORD_DELAY_SITE:
        return ((fg_time)n[0] < 0 || is_time((fg_time)n[0])) &&
               fg_scheduler_delay_site(s, text[0], (fg_time)n[0]);
    case RECORD_RULES: {
        struct fg_scheduler_rules rules = {.delay = (fg_time)n[0],
                                           .lease = (fg_time)n[1],
                                           .only_added = n[3],
                                           .whole_stock = n[4]};
        memcpy(&rules.explore, &n[2], sizeof rules.explore);
        if (!are_sound(&rules))
            return false;
        fg_scheduler_rule(s, &rules);
        return true;
    }
    case RECORD_TURN:
        if (!is_time((fg_time)n[0]))
            return false;
        fg_sched_turn(s, (fg_time)n[0]);
        return true;
    case RECORD_LEASE:
        if (n[0] >= s->pages.len || n[4] > FG_LEASE_REVISIT || !is_time((fg_time)n[1]) ||
            !is_time((fg_time)n[2]) || !is_time((fg_time)n[3]))
            return false;
        fg_sched_give(s, n[0], (fg_time)n[1], (fg_time)n[2], (fg_time)n[3],
                      (enum fg_lease_why)n[4]);
        return true;
    case RECORD_CALL:
        if (n[2] > FG_SCHEDULER_NEXT)
            return false;
        fg_sched_call(s, n[0], n[1], n[2]);
        return true;
    case RECORD_REPORT:
        return replay_report(s, rest, n);
    }
    return false;
}

enum fg_status fg_scheduler_replay(struct fg_scheduler *s, struct fg_str log,
                                   struct fg_err *err)
{
    bool is_whole = true;
    s->is_replaying = true;
    while (is_whole && log.len)
        is_whole = replay_one(s, &log);
    s->is_replaying = false;
    return is_whole ? FG_OK
                    : fg_fail(err, FG_EINPUT, "the log of the scheduler is damaged");
}

/* --- all of it --- */

struct totals {
    uint64_t last_lease, n_calls, handed_out, reports, failures, found;
    double credit;
};

static void put(struct fg_buf *out, const void *at, size_t bytes)
{
    fg_buf_add(out, (struct fg_str){at, bytes});
}

static void put_part(void *context, uint32_t site, enum fg_mind_part part,
                     struct fg_str bytes)
{
    struct fg_buf *out = context;
    uint64_t head[3] = {site, part, bytes.len};
    put(out, head, sizeof head);
    fg_buf_add(out, bytes);
}

bool fg_scheduler_save(struct fg_scheduler *s, struct fg_buf *out)
{
    struct totals totals = {s->last_lease, s->n_calls, s->handed_out, s->reports,
                            s->failures,   s->found,   s->credit};
    struct fg_buf mind;
    fg_buf_init(&mind, SIZE_MAX / 2);
    fg_mind_save_parts(s->mind, put_part, &mind);
    size_t start = fg_sections_begin(out, kind);
    fg_sections_put(out, "policy", fg_mind_policy(s->mind)->name,
                    strlen(fg_mind_policy(s->mind)->name));
    fg_sections_put(out, "rules", &s->rules, sizeof s->rules);
    fg_sections_put(out, "totals", &totals, sizeof totals);
    fg_sections_put(out, "names", s->names.at, s->names.len);
    fg_sections_put(out, "pages", s->pages.at, s->pages.len * sizeof *s->pages.at);
    fg_sections_put(out, "sites", s->sites.at, s->sites.len * sizeof *s->sites.at);
    fg_sections_put(out, "groups", s->groups.at, s->groups.len * sizeof *s->groups.at);
    fg_sections_put(out, "links", s->links.at, s->links.len * sizeof *s->links.at);
    fg_sections_put(out, "calls", s->calls, sizeof s->calls);
    fg_sections_put(out, "mind", mind.at, mind.len);
    bool fits = !mind.full && !out->full;
    if (fits)
        fg_sections_end(out, start);
    fg_buf_clear(&mind);
    return fits && !out->full;
}

/* The parts of the mind as they were put. */
struct parts {
    struct fg_map at; /* site << 8 | part, to where its head is + 1 */
    struct fg_str bytes;
    FG_VEC(uint32_t) sites;
};

static struct fg_str part_at(struct fg_str bytes, size_t at, uint64_t head[3])
{
    struct fg_str rest = fg_str_skip(bytes, at);
    if (!fg_str_take(&rest, head, 3 * sizeof *head) || head[2] > rest.len)
        return (struct fg_str){0};
    return fg_str_sub(rest, 0, head[2]);
}

static void index_parts(struct parts *parts)
{
    uint64_t head[3];
    for (size_t at = 0; at < parts->bytes.len; at += sizeof head + head[2]) {
        struct fg_str part = part_at(parts->bytes, at, head);
        if (!part.at)
            return;
        *fg_map_put(&parts->at, head[0] << 8 | head[1]) = at + 1;
        if (head[1] == FG_MIND_LEARNT && head[0])
            fg_vec_push(&parts->sites, (uint32_t)head[0]);
    }
}

static struct fg_str get_part(void *context, uint32_t site, enum fg_mind_part part)
{
    const struct parts *parts = context;
    uint64_t head[3];
    const uint64_t *at = fg_map_get(&parts->at, (uint64_t)site << 8 | part);
    return at ? part_at(parts->bytes, *at - 1, head) : (struct fg_str){0};
}

static enum fg_status load_mind(struct fg_scheduler *s, struct fg_str bytes,
                                struct fg_err *err)
{
    struct parts parts = {.bytes = bytes};
    index_parts(&parts);
    enum fg_status st = fg_mind_load_parts(s->mind, parts.sites.at, parts.sites.len,
                                           get_part, &parts, err);
    fg_map_clear(&parts.at);
    fg_vec_clear(&parts.sites);
    return st;
}

/* Of what another policy has learnt only the sources are of use. */
static void start_mind(struct fg_scheduler *s)
{
    for (size_t i = 0; i < s->pages.len; i++)
        if (s->pages.at[i].is_source)
            fg_mind_add(s->mind, i + 1, s->pages.at[i].site + 1, s->pages.at[i].found);
}

/* A copy of an array; false if its bytes are no whole number of entries. */
#define LOAD(vec, all, name)                                                          \
    load_array((void **)&(vec)->at, &(vec)->len, &(vec)->capacity, sizeof *(vec)->at, \
               fg_sections_find(all, name))

static bool load_array(void **at, size_t *len, size_t *capacity, size_t size,
                       struct fg_str bytes)
{
    *at = fg_resized(NULL, bytes.len / size + 1, size);
    *len = bytes.len / size;
    *capacity = *len + 1;
    if (bytes.len)
        memcpy(*at, bytes.at, *len * size);
    return bytes.len % size == 0;
}

static bool is_within(uint64_t start, uint64_t n, size_t len)
{
    return start <= len && n <= len - start;
}

static bool is_sound(const struct fg_scheduler *s)
{
    bool is_good = are_sound(&s->rules) && s->credit >= 0 && s->credit <= 1;
    for (size_t i = 0; is_good && i < CALLS_KEPT; i++)
        is_good = s->calls[i].n <= FG_SCHEDULER_NEXT;
    for (size_t i = 0; is_good && i < s->sites.len; i++) {
        const struct sched_site *site = &s->sites.at[i];
        is_good = is_within(site->name, site->name_len, s->names.len) &&
                  is_time(site->free_at) && (site->delay < 0 || is_time(site->delay));
    }
    for (size_t i = 0; is_good && i < s->pages.len; i++) {
        const struct sched_page *page = &s->pages.at[i];
        is_good =
            is_within(page->name, page->name_len, s->names.len) && is_time(page->found) &&
            is_time(page->deadline) && is_time(page->not_before) &&
            (!page->n_links || is_within(page->links, page->n_links, s->links.len)) &&
            page->site < s->sites.len && page->group < s->groups.len &&
            page->is_source == (fg_mind_row(s->mind, i + 1) != FG_NO_ROW);
    }
    const struct fg_world *world = fg_mind_world(s->mind);
    for (size_t row = 0; is_good && row < world->n; row++)
        is_good = world->id[row] >= 1 && world->id[row] <= s->pages.len;
    return is_good;
}

/* What can be found by hash or number. */
static void index_all(struct fg_scheduler *s)
{
    for (size_t i = 0; i < s->sites.len; i++)
        *fg_map_put(&s->site_of, s->sites.at[i].hash) = i + 1;
    for (size_t i = 0; i < s->groups.len; i++)
        *fg_map_put(&s->group_of, s->groups.at[i].hash) = i + 1;
    for (size_t i = 0; i < s->pages.len; i++) {
        const struct sched_page *page = &s->pages.at[i];
        *fg_map_put(&s->page_of, page->hash) = i + 1;
        s->links_used += page->n_links;
        if (page->is_leased)
            *fg_map_put(&s->lease_of, page->lease) = i + 1;
    }
}

static enum fg_status load_all(struct fg_scheduler *s, struct fg_str all,
                               struct fg_err *err)
{
    struct totals totals = {0};
    fg_buf_add(&s->names, fg_sections_find(all, "names"));
    bool is_whole = fg_sections_copy(all, "rules", &s->rules, sizeof s->rules) &&
                    fg_sections_copy(all, "totals", &totals, sizeof totals) &&
                    fg_sections_copy(all, "calls", s->calls, sizeof s->calls) &&
                    LOAD(&s->pages, all, "pages") && LOAD(&s->sites, all, "sites") &&
                    LOAD(&s->groups, all, "groups") && LOAD(&s->links, all, "links");
    s->last_lease = totals.last_lease;
    s->n_calls = totals.n_calls;
    s->handed_out = totals.handed_out;
    s->reports = totals.reports;
    s->failures = totals.failures;
    s->found = totals.found;
    s->credit = totals.credit;
    enum fg_status st = FG_OK;
    if (fg_str_eq(fg_sections_find(all, "policy"),
                  fg_str_from(fg_mind_policy(s->mind)->name)))
        st = load_mind(s, fg_sections_find(all, "mind"), err);
    else
        start_mind(s);
    if (!st && (!is_whole || !is_sound(s)))
        st = fg_fail(err, FG_EINPUT, "the saved state of a scheduler is not sound");
    if (!st)
        index_all(s);
    return st;
}

enum fg_status fg_scheduler_load(struct fg_scheduler **made, struct fg_mind *mind,
                                 struct fg_str bytes, struct fg_err *err)
{
    struct fg_str all;
    struct fg_scheduler *s = fg_scheduler_new(mind);
    enum fg_status st = fg_sections_open(&all, bytes, kind, "a scheduler", err);
    if (!st)
        st = load_all(s, all, err);
    if (st)
        fg_scheduler_free(s);
    *made = st ? NULL : s;
    return st;
}
