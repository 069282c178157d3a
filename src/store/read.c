/* Reading: walks, single rows, and figures about the whole. */
#include "store/queue.h"
#include "store/visit.h"

#include "base/vec.h"

/* The first row that a query finds, its texts in the arena. */
static enum fg_status find(struct fg_store *store, enum fg_row_query query,
                           const struct fg_arg *args, void *row, bool *found,
                           struct fg_arena *arena, struct fg_err *err)
{
    struct fg_row_walk walk = fg_row_walk(store->backend, query, args, 1, err);
    *found = fg_row_walk_next(&walk, row, err);
    if (*found && arena)
        fg_row_keep(&fg_row_types[fg_query_plan(query).rows], row, arena);
    return fg_row_walk_end(&walk, FG_OK);
}

/* The same, but there must be one. */
static enum fg_status find_one(struct fg_store *store, enum fg_row_query query,
                               const struct fg_arg *args, void *row,
                               struct fg_arena *arena, const char *words,
                               struct fg_err *err)
{
    bool found;
    enum fg_status st = find(store, query, args, row, &found, arena, err);
    return st || found ? st : fg_fail(err, FG_ENOTFOUND, "%s", words);
}

static int64_t at_most(uint64_t number)
{
    return number > INT64_MAX ? INT64_MAX : (int64_t)number;
}

/* --- walks --- */

/* Of each row that the query finds, until `take` has enough. */
#define WALK(query, args, most, ...)                                                    \
    do {                                                                                \
        struct fg_row_walk walk_ = fg_row_walk(store->backend, query, args, most, err); \
        while (fg_row_walk_next(&walk_, &row, err) && take(context, __VA_ARGS__))       \
            ;                                                                           \
        return fg_row_walk_end(&walk_, FG_OK);                                          \
    } while (0)

enum fg_status fg_store_sites(struct fg_store *store, fg_take_site *take, void *context,
                              struct fg_err *err)
{
    struct fg_site_row row;
    WALK(FG_KEYED(FG_SITES, 0), FG_NO_ARGS, SIZE_MAX, &row);
}

enum fg_status fg_store_pages(struct fg_store *store, fg_site_id site, fg_take_page *take,
                              void *context, struct fg_err *err)
{
    struct fg_page_row row;
    WALK(FG_KEYED(FG_PAGES, site != 0), FG_ARGS(FG_NUM(site)), SIZE_MAX, &row);
}

enum fg_status fg_store_pages_after(struct fg_store *store, fg_site_id site,
                                    fg_page_id after, fg_take_page *take, void *context,
                                    struct fg_err *err)
{
    struct fg_page_row row;
    WALK(FG_PAGE_ROWS_AFTER, FG_ARGS(FG_NUM(site), FG_NUM(after)), SIZE_MAX, &row);
}

enum fg_status fg_store_links(struct fg_store *store, fg_site_id site, fg_page_id source,
                              fg_take_link *take, void *context, struct fg_err *err)
{
    struct fg_link_row row;
    WALK(FG_KEYED(FG_LINKS, source ? 2 : 1), FG_ARGS(FG_NUM(site), FG_NUM(source)),
         SIZE_MAX, &row);
}

enum fg_status fg_store_visits(struct fg_store *store, fg_site_id site, fg_page_id page,
                               fg_time since, fg_take_visit *take, void *context,
                               struct fg_err *err)
{
    struct fg_visit_row row;
    if (!site)
        WALK(FG_ALL_VISITS, FG_ARGS(FG_NUM(since)), SIZE_MAX, &row);
    if (!page)
        WALK(FG_SITE_VISITS, FG_ARGS(FG_NUM(site), FG_NUM(since)), SIZE_MAX, &row);
    WALK(FG_PAGE_VISITS, FG_ARGS(FG_NUM(site), FG_NUM(page), FG_NUM(since)), SIZE_MAX,
         &row);
}

enum fg_status fg_store_events(struct fg_store *store, fg_site_id site, uint64_t after,
                               fg_time since, size_t most, fg_take_event *take,
                               void *context, struct fg_err *err)
{
    struct fg_event_row row;
    WALK(site ? FG_SITE_EVENTS : FG_ALL_EVENTS,
         FG_ARGS(FG_NUM(at_most(after)), FG_NUM(since), FG_NUM(site)), most, &row);
}

enum fg_status fg_store_waiting(struct fg_store *store, const char *hook,
                                fg_take_waiting *take, void *context, struct fg_err *err)
{
    struct fg_waiting_row row;
    WALK(FG_KEYED(FG_WAITING, *hook != '\0'), FG_ARGS(FG_TEXT(fg_str_from(hook))),
         SIZE_MAX, &row);
}

enum fg_status fg_store_labels(struct fg_store *store, fg_take_label *take, void *context,
                               struct fg_err *err)
{
    struct fg_label_row row;
    WALK(FG_KEYED(FG_LABELS, 0), FG_NO_ARGS, SIZE_MAX, row.site, row.page, row.relevant);
}

enum fg_status fg_store_daily(struct fg_store *store, fg_site_id site, int64_t first,
                              int64_t end, fg_take_daily *take, void *context,
                              struct fg_err *err)
{
    struct fg_daily_row row;
    WALK(FG_DAYS, FG_ARGS(FG_NUM(site), FG_NUM(first), FG_NUM(end)), SIZE_MAX, &row);
}

enum fg_status fg_store_values(struct fg_store *store, fg_site_id site,
                               fg_take_value *take, void *context, struct fg_err *err)
{
    struct fg_value_row row;
    WALK(FG_KEYED(FG_VALUES, site != 0), FG_ARGS(FG_NUM(site)), SIZE_MAX, &row);
}

enum fg_status fg_store_value_rules(struct fg_store *store, fg_site_id site,
                                    fg_take_value *take, void *context,
                                    struct fg_err *err)
{
    struct fg_value_row row;
    WALK(FG_VALUE_RULES, FG_ARGS(FG_NUM(site), FG_TEXT(FG_STR(""))), SIZE_MAX, &row);
}

enum fg_status fg_store_value_changes(struct fg_store *store, fg_site_id site,
                                      fg_page_id page, size_t most,
                                      fg_take_value_change *take, void *context,
                                      struct fg_err *err)
{
    struct fg_value_change row = {0};
    WALK(FG_VALUE_CHANGES_BEFORE, FG_ARGS(FG_NUM(site), FG_NUM(page), FG_NUM(INT64_MAX)),
         most, &row);
}

/* The value before it is asked for one by one, by key. */
enum fg_status fg_store_value_history(struct fg_store *store, fg_site_id site,
                                      fg_time since, fg_take_value_change *take,
                                      void *context, struct fg_err *err)
{
    struct fg_value_change row = {0}, last = {0};
    struct fg_arena arena = {0};
    struct fg_row_walk walk =
        site ? fg_row_walk(store->backend, FG_SITE_VALUE_CHANGES,
                           FG_ARGS(FG_NUM(site), FG_NUM(since)), SIZE_MAX, err)
             : fg_row_walk(store->backend, FG_ALL_VALUE_CHANGES, FG_ARGS(FG_NUM(since)),
                           SIZE_MAX, err);
    enum fg_status st = FG_OK;
    bool has_last = true, goes_on = true;
    while (!st && goes_on && fg_row_walk_next(&walk, &row, err)) {
        fg_arena_reset(&arena);
        st = find(store, FG_VALUE_CHANGES_BEFORE,
                  FG_ARGS(FG_NUM(row.site), FG_NUM(row.page), FG_NUM(row.time)), &last,
                  &has_last, &arena, err);
        row.kind_before = last.kind;
        row.before = last.text;
        if (!st && has_last)
            goes_on = take(context, &row);
    }
    fg_arena_clear(&arena);
    return fg_row_walk_end(&walk, st);
}

enum fg_status fg_store_requests(struct fg_store *store, fg_site_id site, fg_time since,
                                 fg_take_request *take, void *context, struct fg_err *err)
{
    struct fg_request_row row;
    WALK(FG_REQUESTS_SINCE, FG_ARGS(FG_NUM(site), FG_NUM(since)), SIZE_MAX, &row);
}

enum fg_status fg_store_promises(struct fg_store *store, fg_site_id site,
                                 fg_take_promise *take, void *context, struct fg_err *err)
{
    struct fg_promise_row row;
    WALK(FG_KEYED(FG_PROMISES, site != 0), FG_ARGS(FG_NUM(site)), SIZE_MAX, row.site,
         row.page, row.at_least);
}

enum fg_status fg_store_commands(struct fg_store *store, fg_take_command *take,
                                 void *context, struct fg_err *err)
{
    struct fg_command_row row = {0};
    WALK(FG_COMMAND_KINDS, FG_NO_ARGS, SIZE_MAX, &row);
}

/* The days of one page follow each other. */
enum fg_status fg_store_early(struct fg_store *store, fg_take_early *take, void *context,
                              struct fg_err *err)
{
    struct fg_unplaced_row row;
    struct fg_buf last;
    uint64_t fingerprint = 0;
    bool goes_on = true;
    fg_buf_init(&last, SIZE_MAX);
    struct fg_row_walk walk =
        fg_row_walk(store->backend, FG_KEYED(FG_EARLY, 0), FG_NO_ARGS, SIZE_MAX, err);
    for (size_t n = 0; goes_on && fg_row_walk_next(&walk, &row, err); n++) {
        if (n && row.count.fingerprint == fingerprint &&
            fg_str_eq(row.key, fg_buf_str(&last)))
            continue;
        fg_buf_reset(&last);
        fg_buf_add(&last, row.key);
        fingerprint = row.count.fingerprint;
        goes_on = take(context, row.key, fingerprint);
    }
    fg_buf_clear(&last);
    return fg_row_walk_end(&walk, FG_OK);
}

/* --- single rows --- */

enum fg_status fg_store_page(struct fg_store *store, struct fg_page_row *page,
                             struct fg_arena *arena, fg_site_id site, fg_page_id id,
                             struct fg_err *err)
{
    return find_one(store, FG_KEYED(FG_PAGES, 2), FG_ARGS(FG_NUM(site), FG_NUM(id)), page,
                    arena, "no such page is stored", err);
}

enum fg_status fg_store_page_by_fingerprint(struct fg_store *store,
                                            struct fg_page_row *page,
                                            struct fg_arena *arena, fg_site_id site,
                                            uint64_t fingerprint, struct fg_err *err)
{
    return find_one(store, FG_PAGE_BY_FINGERPRINT,
                    FG_ARGS(FG_NUM(site), FG_NUM(fingerprint)), page, arena,
                    "no such page is stored", err);
}

enum fg_status fg_store_value(struct fg_store *store, struct fg_value_row *value,
                              struct fg_arena *arena, fg_site_id site, fg_page_id page,
                              struct fg_err *err)
{
    return find_one(store, FG_KEYED(FG_VALUES, 2), FG_ARGS(FG_NUM(site), FG_NUM(page)),
                    value, arena, "no value of it is stored", err);
}

enum fg_status fg_store_note(struct fg_store *store, struct fg_note_row *note,
                             struct fg_arena *arena, fg_site_id site, fg_page_id page,
                             struct fg_err *err)
{
    return find_one(store, FG_KEYED(FG_NOTES, 2), FG_ARGS(FG_NUM(site), FG_NUM(page)),
                    note, arena, "nothing is noted of it", err);
}

enum fg_status fg_store_command(struct fg_store *store, struct fg_command_row *command,
                                struct fg_arena *arena, uint64_t number,
                                struct fg_err *err)
{
    return find_one(store, FG_KEYED(FG_COMMANDS, 1), FG_ARGS(FG_NUM(number)), command,
                    arena, "no such command is stored", err);
}

enum fg_status fg_store_promise(struct fg_store *store, fg_time *at_least,
                                fg_site_id site, fg_page_id page, struct fg_err *err)
{
    struct fg_promise_row row;
    bool found;
    enum fg_status st =
        find(store, FG_KEYED(FG_PROMISES, 2), FG_ARGS(FG_NUM(site), FG_NUM(page)), &row,
             &found, NULL, err);
    *at_least = found ? row.at_least : 0;
    return st;
}

enum fg_status fg_store_site_of_pages(struct fg_store *store, fg_site_id behind,
                                      fg_site_id *site, struct fg_err *err)
{
    struct fg_page_row row;
    bool found;
    enum fg_status st = find(store, FG_NEXT_SITE_OF_PAGES, FG_ARGS(FG_NUM(behind)), &row,
                             &found, NULL, err);
    *site = found ? row.site : 0;
    return st;
}

enum fg_status fg_store_last_page(struct fg_store *store, fg_site_id site,
                                  fg_page_id *page, struct fg_err *err)
{
    struct fg_page_row row;
    bool found;
    enum fg_status st =
        find(store, FG_LAST_PAGE, FG_ARGS(FG_NUM(site)), &row, &found, NULL, err);
    *page = found ? row.page : 0;
    return st;
}

enum fg_status fg_store_daily_span(struct fg_store *store, fg_site_id site,
                                   int64_t *first, int64_t *end, struct fg_err *err)
{
    struct fg_daily_row row;
    bool found;
    enum fg_status st = find(store, FG_KEYED(FG_DAILY, 1), FG_ARGS(FG_NUM(site)), &row,
                             &found, NULL, err);
    *first = found ? row.day : 0;
    if (!st)
        st = find(store, FG_LAST_DAY, FG_ARGS(FG_NUM(site)), &row, &found, NULL, err);
    *end = !st && found ? row.day + 1 : 0;
    return st;
}

static enum fg_status unpack(const struct fg_body_row *row, struct fg_str *body,
                             struct fg_arena *arena, size_t max_bytes, struct fg_err *err)
{
    if (row->bytes > max_bytes)
        return fg_fail(err, FG_ELIMIT, "the stored body has %llu bytes, more than %zu",
                       (unsigned long long)row->bytes, max_bytes);
    size_t n = (size_t)row->bytes;
    char *out = fg_arena_bytes(arena, n + 1);
    if (ZSTD_decompress(out, n, row->zstd.at, row->zstd.len) != n)
        return fg_fail(err, FG_EINPUT,
                       "a stored body does not unpack: the store is damaged; restore a "
                       "copy (see docs/store.md)");
    out[n] = '\0';
    *body = (struct fg_str){out, n};
    return FG_OK;
}

enum fg_status fg_store_body(struct fg_store *store, struct fg_str *body, fg_time *stored,
                             struct fg_arena *arena, fg_site_id site, fg_page_id page,
                             fg_time time, size_t max_bytes, struct fg_err *err)
{
    struct fg_body_row row;
    struct fg_row_walk walk =
        fg_row_walk(store->backend, FG_BODY_AT,
                    FG_ARGS(FG_NUM(site), FG_NUM(page), FG_NUM(time)), 1, err);
    bool found = fg_row_walk_next(&walk, &row, err);
    enum fg_status st = found ? unpack(&row, body, arena, max_bytes, err) : FG_OK;
    if (found)
        *stored = row.time;
    st = fg_row_walk_end(&walk, st);
    return st || found ? st : fg_fail(err, FG_ENOTFOUND, "no body of the page is stored");
}

enum fg_status fg_store_state(struct fg_store *store, struct fg_str *bytes,
                              struct fg_arena *arena, fg_site_id site, const char *name,
                              struct fg_err *err)
{
    struct fg_state_row row;
    bool found;
    enum fg_status st =
        find(store, FG_KEYED(FG_STATE, 2),
             FG_ARGS(FG_NUM(site), FG_TEXT(fg_str_from(name))), &row, &found, arena, err);
    if (st || !found)
        return st ? st : fg_fail(err, FG_ENOTFOUND, "no state '%s' is stored", name);
    *bytes = row.bytes;
    return FG_OK;
}

enum fg_status fg_store_feedback(struct fg_store *store, struct fg_feedback_row *row,
                                 fg_site_id site, fg_page_id page, struct fg_err *err)
{
    struct fg_arena none = {0};
    bool found;
    enum fg_status st =
        find(store, FG_KEYED(FG_FEEDBACK, 2), FG_ARGS(FG_NUM(site), FG_NUM(page)), row,
             &found, &none, err);
    if (st || !found)
        *row = (struct fg_feedback_row){.site = site, .page = page};
    return st;
}

enum fg_status fg_store_page_extra(struct fg_store *store, struct fg_str *bytes,
                                   struct fg_arena *arena, fg_site_id site,
                                   fg_page_id page, enum fg_page_extra kind,
                                   struct fg_err *err)
{
    struct fg_page_extra_row row;
    struct fg_str name = fg_str_from(fg_page_extra_names[kind]);
    enum fg_status st = find_one(store, FG_KEYED(FG_PAGE_EXTRAS, 3),
                                 FG_ARGS(FG_NUM(site), FG_NUM(page), FG_TEXT(name)), &row,
                                 arena, "nothing of that kind is kept of it", err);
    if (!st)
        *bytes = row.bytes;
    return st;
}

enum fg_status fg_store_delivered(struct fg_store *store, const char *output,
                                  uint64_t *number, uint64_t *position,
                                  struct fg_err *err)
{
    struct fg_delivery_row row;
    bool found;
    enum fg_status st =
        find(store, FG_KEYED(FG_DELIVERIES, 1), FG_ARGS(FG_TEXT(fg_str_from(output))),
             &row, &found, NULL, err);
    *number = found ? row.number : 0;
    *position = found ? row.position : 0;
    return st || found
               ? st
               : fg_fail(err, FG_ENOTFOUND, "nothing was delivered to '%s'", output);
}

enum fg_status fg_store_delivered_to_all(struct fg_store *store, uint64_t *number,
                                         struct fg_err *err)
{
    struct fg_delivery_row row;
    struct fg_row_walk walk = fg_row_walk(store->backend, FG_KEYED(FG_DELIVERIES, 0),
                                          FG_NO_ARGS, SIZE_MAX, err);
    *number = UINT64_MAX;
    while (fg_row_walk_next(&walk, &row, err))
        if (row.number < *number)
            *number = row.number;
    return fg_row_walk_end(&walk, FG_OK);
}

/* --- figures --- */

enum fg_status fg_store_count(struct fg_store *store, struct fg_store_counts *counts,
                              struct fg_err *err)
{
    *counts = (struct fg_store_counts){.file_bytes =
                                           store->backend->ops->bytes(store->backend)};
    const struct {
        enum fg_row_kind rows;
        uint64_t *n;
    } kinds[] = {{FG_SITES, &counts->sites},   {FG_PAGES, &counts->pages},
                 {FG_VISITS, &counts->visits}, {FG_LINKS, &counts->links},
                 {FG_EVENTS, &counts->events}, {FG_BODIES, &counts->bodies}};
    enum fg_status st = FG_OK;
    for (size_t i = 0; !st && i < sizeof kinds / sizeof *kinds; i++)
        st = store->backend->ops->count(store->backend, kinds[i].rows, kinds[i].n, err);
    return st;
}

enum fg_status fg_store_check(struct fg_store *store, struct fg_err *err)
{
    return store->backend->ops->check(store->backend, err);
}

struct summaries {
    struct fg_site_summary *at; /* in order of site */
    size_t len, last;           /* last: found last, most likely asked for again */
};

static struct fg_site_summary *summary_of(struct summaries *all, fg_site_id site)
{
    if (all->last < all->len && all->at[all->last].site == site)
        return &all->at[all->last];
    size_t low = 0, high = all->len;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (all->at[middle].site < site)
            low = middle + 1;
        else
            high = middle;
    }
    all->last = low;
    return low < all->len && all->at[low].site == site ? &all->at[low] : NULL;
}

static void later(fg_time *last, fg_time time)
{
    if (time > *last) /* FG_NEVER is before all */
        *last = time;
}

static void add_page(struct fg_site_summary *s, const struct fg_page_row *page)
{
    uint32_t flags = page->flags;
    uint32_t kept_away = FG_PAGE_GONE | FG_PAGE_ALIAS | FG_PAGE_EXCLUDED;
    uint32_t named = FG_PAGE_SEED | FG_PAGE_FEED | FG_PAGE_SITEMAP;
    bool is_source = flags & FG_PAGE_SOURCE;
    bool is_waiting = !page->visits && !(flags & kept_away);
    s->known++;
    s->sources += is_source;
    s->documents += (flags & FG_PAGE_DOCUMENT) != 0;
    s->gone += (flags & FG_PAGE_GONE) != 0;
    s->feeds += is_source && flags & FG_PAGE_FEED;
    s->sitemaps += is_source && flags & FG_PAGE_SITEMAP;
    s->waiting += is_waiting;
    s->awaited += is_waiting && flags & FG_PAGE_AWAITED;
    s->named += is_waiting && !(flags & FG_PAGE_AWAITED) && flags & named;
    s->cut += (flags & FG_PAGE_CUT) != 0;
    later(&s->last_visit, page->last_visit);
}

static enum fg_status add_pages(struct fg_store *store, struct summaries *all,
                                struct fg_err *err)
{
    struct fg_page_row row;
    struct fg_row_walk walk =
        fg_row_walk(store->backend, FG_PAGE_FIGURES, FG_NO_ARGS, SIZE_MAX, err);
    while (fg_row_walk_next(&walk, &row, err)) {
        struct fg_site_summary *s = summary_of(all, row.site);
        if (s)
            add_page(s, &row);
    }
    return fg_row_walk_end(&walk, FG_OK);
}

/* Purpose 3: for a document's own sake; 4: not made by us. */
static enum fg_status add_visits(struct fg_store *store, struct summaries *all,
                                 fg_time day, struct fg_err *err)
{
    struct fg_visit_row row;
    struct fg_row_walk walk = fg_row_walk(store->backend, FG_VISIT_FIGURES,
                                          FG_ARGS(FG_NUM(day), FG_NUM(4)), SIZE_MAX, err);
    while (fg_row_walk_next(&walk, &row, err)) {
        struct fg_site_summary *s = summary_of(all, row.site);
        if (!s)
            continue;
        s->visits++;
        s->failures += fg_visit_failed(&row);
        s->bytes += row.bytes;
        s->document_visits += row.purpose == 3;
        s->document_changes += row.purpose == 3 && row.changed;
    }
    return fg_row_walk_end(&walk, FG_OK);
}

static enum fg_status add_events(struct fg_store *store, struct summaries *all,
                                 fg_time day, fg_time hour, struct fg_err *err)
{
    struct fg_event_row row;
    struct fg_row_walk walk =
        fg_row_walk(store->backend, FG_EVENT_FIGURES,
                    FG_ARGS(FG_TEXT(FG_STR("discovery"))), SIZE_MAX, err);
    while (fg_row_walk_next(&walk, &row, err)) {
        struct fg_site_summary *s = summary_of(all, row.site);
        if (!s)
            continue;
        s->events_day += row.time >= day;
        s->events_hour += row.time >= hour;
        later(&s->last_event, row.time);
    }
    return fg_row_walk_end(&walk, FG_OK);
}

enum fg_status fg_store_summaries(struct fg_store *store, fg_time day, fg_time hour,
                                  fg_take_summary *take, void *context,
                                  struct fg_err *err)
{
    FG_VEC(struct fg_site_summary) sites = {0};
    struct fg_site_row row;
    struct fg_row_walk walk =
        fg_row_walk(store->backend, FG_KEYED(FG_SITES, 0), FG_NO_ARGS, SIZE_MAX, err);
    while (fg_row_walk_next(&walk, &row, err))
        fg_vec_push(&sites, (struct fg_site_summary){.site = row.site,
                                                     .last_visit = FG_NEVER,
                                                     .last_event = FG_NEVER});
    enum fg_status st = fg_row_walk_end(&walk, FG_OK);
    struct summaries all = {sites.at, sites.len, 0};
    if (!st)
        st = add_pages(store, &all, err);
    if (!st)
        st = add_visits(store, &all, day, err);
    if (!st)
        st = add_events(store, &all, day, hour, err);
    for (size_t i = 0; !st && i < sites.len && take(context, &sites.at[i]); i++)
        ;
    fg_vec_clear(&sites);
    return st;
}
