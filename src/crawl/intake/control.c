#include "crawl/intake/control.h"
#include "crawl/cost.h"

#include "crawl/budget.h"
#include "crawl/documents/documents.h"
#include "crawl/keeping.h"
#include "crawl/sites/lot.h"
#include "crawl/sites/pages.h"
#include "crawl/sites/site.h"
#include "crawl/sources/sources.h"
#include "crawl/state.h"

#include "base/log.h"
#include "net/url/canonical.h"

static const char *const names[] = {
    [FG_CONTROL_REMOVE] = "remove",
    [FG_CONTROL_PAUSE] = "pause",
    [FG_CONTROL_RESUME] = "resume",
    [FG_CONTROL_FORGET] = "forget",
};

/* --- as text --- */

void fg_control_format(struct fg_buf *out, const struct fg_control *wishes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        fg_buf_printf(out, "%s\t%.*s\t%.*s\n", names[wishes[i].kind],
                      FG_ARG(wishes[i].key), FG_ARG(wishes[i].url));
}

/* An address has neither blanks nor controls. */
static bool is_one_word(struct fg_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.at[i] <= ' ')
            return false;
    return true;
}

bool fg_control_parse(struct fg_control *wish, struct fg_str line)
{
    struct fg_str name;
    *wish = (struct fg_control){0};
    if (!fg_str_cut(&line, '\t', &name) || !fg_str_cut(&line, '\t', &wish->key) ||
        !wish->key.len)
        return false;
    wish->url = fg_str_trim(line);
    if (!is_one_word(wish->key) || !is_one_word(wish->url))
        return false;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (fg_str_eq(name, fg_str_from(names[i]))) {
            wish->kind = (enum fg_control_kind)i;
            return true;
        }
    return false;
}

/* --- of rows --- */

static struct fg_site_rules rules_in(struct fg_arena *arena, struct fg_str settings)
{
    struct fg_site_rules rules;
    fg_site_rules_read(&rules, arena, settings);
    return rules;
}

static struct fg_str marked(struct fg_arena *arena, struct fg_str settings,
                            enum fg_control_kind kind, fg_time now)
{
    struct fg_site_rules rules = rules_in(arena, settings);
    if (kind == FG_CONTROL_RESUME && rules.is_paused)
        rules.resumed = now;
    rules.is_removed |= kind == FG_CONTROL_REMOVE || kind == FG_CONTROL_FORGET;
    rules.is_forgotten |= kind == FG_CONTROL_FORGET;
    rules.is_paused = kind == FG_CONTROL_PAUSE;
    return fg_site_rules_write(arena, &rules);
}

static uint32_t marked_flags(uint32_t flags, enum fg_control_kind kind)
{
    const uint32_t roles = FG_PAGE_SEED | FG_PAGE_SOURCE | FG_PAGE_DOCUMENT |
                           FG_PAGE_CANDIDATE | FG_PAGE_PAUSED;
    switch (kind) {
    case FG_CONTROL_REMOVE:
        return (flags & ~roles) | FG_PAGE_REMOVED |
               (flags & FG_PAGE_SOURCE ? FG_PAGE_RETIRED : 0u) |
               (flags & FG_PAGE_DOCUMENT ? FG_PAGE_WAS_DOCUMENT : 0u);
    case FG_CONTROL_PAUSE:
        return flags | FG_PAGE_PAUSED;
    case FG_CONTROL_RESUME:
        return flags & ~(uint32_t)FG_PAGE_PAUSED;
    case FG_CONTROL_FORGET:
        break;
    }
    return flags;
}

uint32_t fg_page_added_again(uint32_t flags)
{
    const uint32_t over =
        FG_PAGE_REMOVED | FG_PAGE_WAS_DOCUMENT | FG_PAGE_GONE | FG_PAGE_EXCLUDED;
    const uint32_t was_source = flags & FG_PAGE_RETIRED;
    if (!(flags & FG_PAGE_REMOVED))
        return flags;
    return (flags & ~(over | was_source)) | FG_PAGE_READ_SOON |
           (was_source ? FG_PAGE_SOURCE : 0u) |
           (flags & FG_PAGE_WAS_DOCUMENT ? FG_PAGE_DOCUMENT : 0u);
}

/* --- in a store that no crawl has open --- */

struct search {
    struct fg_arena *arena;
    struct fg_str key;
    struct fg_site_row found; /* site 0: it is not there */
};

static bool look_at_site(void *context, const struct fg_site_row *row)
{
    struct search *search = context;
    if (!fg_str_eq(row->key, search->key))
        return true;
    search->found = *row;
    struct fg_str *texts[] = {&search->found.key, &search->found.domain,
                              &search->found.tags, &search->found.robots,
                              &search->found.settings};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i] = fg_arena_dup(search->arena, *texts[i]);
    return false;
}

static enum fg_status put_one(struct fg_store *store, struct fg_batch *batch,
                              struct fg_arena *arena, const struct fg_control *wish,
                              fg_time now, struct fg_err *err)
{
    struct search search = {.arena = arena, .key = wish->key};
    enum fg_status st = fg_store_sites(store, look_at_site, &search, err);
    if (st || !search.found.site)
        return st;
    if (!wish->url.len) {
        search.found.settings = marked(arena, search.found.settings, wish->kind, now);
        fg_batch_site(batch, &search.found);
        return FG_OK;
    }
    if (fg_site_is_removed(&search.found))
        return FG_OK;
    struct fg_page_row page;
    st = fg_store_page_by_fingerprint(store, &page, arena, search.found.site,
                                      fg_canonical_fingerprint(wish->url), err);
    if (st)
        return st == FG_ENOTFOUND ? FG_OK : st;
    fg_batch_page_flags(batch, page.site, page.page, marked_flags(page.flags, wish->kind),
                        0);
    if (wish->kind == FG_CONTROL_REMOVE)
        fg_batch_promise(batch, page.site, page.page, 0);
    return FG_OK;
}

static enum fg_status forget(struct fg_store *store, struct fg_arena *arena,
                             struct fg_str key, struct fg_err *err)
{
    struct search search = {.arena = arena, .key = key};
    uint64_t delivered = 0;
    enum fg_status st = fg_store_sites(store, look_at_site, &search, err);
    if (!st)
        st = fg_store_delivered_to_all(store, &delivered, err);
    bool has_more = search.found.site;
    while (!st && has_more) {
        struct fg_batch *batch = fg_batch_new(store);
        fg_batch_forget_site(batch, search.found.site, delivered);
        st = fg_store_flush(store, fg_store_submit(store, batch), err);
        has_more = fg_store_has_more(store);
    }
    return st;
}

enum fg_status fg_control_put(struct fg_store *store, const struct fg_control *wishes,
                              size_t n, fg_time now, struct fg_err *err)
{
    struct fg_arena arena = {0};
    struct fg_batch *batch = fg_batch_new(store);
    enum fg_status st = FG_OK;
    for (size_t i = 0; !st && i < n; i++)
        st = put_one(store, batch, &arena, &wishes[i], now, err);
    if (!st)
        st = fg_store_flush(store, fg_store_submit(store, batch), err);
    else
        fg_batch_drop(batch);
    for (size_t i = 0; !st && i < n; i++)
        if (wishes[i].kind == FG_CONTROL_FORGET)
            st = forget(store, &arena, wishes[i].key, err);
    fg_arena_clear(&arena);
    return st;
}

/* --- in a crawl: taking back what was asked for --- */

void crawl_block_paused(struct fg_crawl *crawl, struct fg_mind *mind)
{
    for (size_t i = 0; i < crawl->sites.paused.len; i++) {
        size_t at =
            fg_mind_row(mind, fg_known_id(&crawl->known, crawl->sites.paused.at[i]));
        if (at != FG_NO_ROW)
            fg_mind_block(mind, at, true);
    }
}

void crawl_put_back(struct fg_crawl *crawl, const struct visit *visit,
                    const struct fg_answer *answer)
{
    struct site *site = crawl_site_of(crawl, visit->row);
    unsigned requests = answer->requests;
    double left = visit->cost - cost_of_answer(crawl, site, answer);
    crawl->budget.all += left;
    site->budget.allowance += left;
    crawl->counts.fetches += requests;
    site->counts.fetches += requests;
    if (visit->purpose != FIRST_FETCH || crawl->run.is_stopping)
        return;
    crawl->budget.first += requests ? 0 : 1;
    site->budget.first += requests ? 0 : 1;
    if (page_wants_first_fetch(&crawl->known.at[visit->row]) &&
        !page_is_unwanted(crawl, visit->row) &&
        site_wants(site, crawl->known.at[visit->row].flags))
        crawl_enqueue(crawl, site, visit->row);
}

/* --- in a crawl: sites --- */

/* No policy has its pages any more; its rows in the store stay as they are. */
static void drop_roles(struct fg_crawl *crawl, struct site *site)
{
    site->stock.eager.len = site->stock.patient.len = site->stock.aside.len =
        site->lists.candidates.len = 0;
    for (size_t i = site->lists.sources.len; i-- > 0;)
        source_retire(crawl, NULL, site->lists.sources.at[i]);
    for (uint32_t row = 0; site->counts.documents && row < crawl->known.len; row++)
        if (crawl->known.at[row].site == site->id)
            document_retire(crawl, NULL, row);
}

static void control_site(struct fg_crawl *crawl, struct fg_batch *batch,
                         struct site *site, enum fg_control_kind kind, fg_time now)
{
    struct fg_str json = marked(&crawl->scratch, site->settings, kind, now);
    site_recall_settings(crawl, site, json);
    crawl_put_site(batch, site);
    if (!site_is_asked(site))
        crawl_withdraw_site(crawl, site);
    if (site_is_removed(site))
        drop_roles(crawl, site);
    if (kind == FG_CONTROL_FORGET)
        retention_forget(crawl, site);
    if (kind != FG_CONTROL_RESUME)
        return;
    for (size_t i = 0; i < site->lists.sources.len; i++)
        source_find(crawl, site->lists.sources.at[i])->last_found = now;
    crawl_promises_changed(crawl);
}

struct fg_str crawl_keep_marks(struct fg_crawl *crawl, const struct site *site,
                               struct fg_str json)
{
    static const struct fg_site_rules none;
    const struct fg_site_rules *now = site->rules ? site->rules : &none;
    fg_arena_reset(&crawl->scratch);
    struct fg_site_rules rules = rules_in(&crawl->scratch, json);
    rules.is_paused = now->is_paused;
    rules.is_removed = now->is_removed;
    rules.is_forgotten = now->is_forgotten;
    rules.resumed = now->resumed;
    rules.is_by_feed = now->is_by_feed;
    return fg_site_rules_write(&crawl->scratch, &rules);
}

struct site *crawl_begin_anew(struct fg_crawl *crawl, struct fg_batch *batch,
                              struct site *site, fg_time now)
{
    struct site *fresh = crawl_new_site(crawl, fg_str_from(site->key), (struct fg_str){0},
                                        SITE_HOST_ONLY, now);
    crawl_set_host(fresh, &site->host.state);
    fg_batch_renew_site(batch, site->id, fresh->id);
    crawl_drop_key(crawl, site);
    return fresh;
}

void crawl_apply_control(struct fg_crawl *crawl)
{
    for (size_t i = 0; i < crawl->sources.all.len; i++) {
        struct source *source = &crawl->sources.all.at[i];
        const struct site *site =
            source->is_live ? crawl_site_of(crawl, source->row) : NULL;
        /* It gave nothing for long because nobody asked. */
        if (site && site->rules && site->rules->resumed > source->last_found)
            source->last_found = site->rules->resumed;
    }
    for (uint32_t row = 0; row < crawl->known.len; row++)
        if (crawl->known.at[row].flags & FG_PAGE_PAUSED)
            fg_vec_push(&crawl->sites.paused, row);
}

/* --- in a crawl: pages --- */

static size_t without(uint32_t *rows, size_t n, uint32_t row)
{
    for (size_t i = n; i-- > 0;)
        if (rows[i] == row)
            rows[i] = rows[--n];
    return n;
}

static void control_page(struct fg_crawl *crawl, struct fg_batch *batch,
                         struct site *site, uint32_t row, enum fg_control_kind kind)
{
    const uint32_t flags = crawl->known.at[row].flags;
    crawl->sites.paused.len =
        without(crawl->sites.paused.at, crawl->sites.paused.len, row);
    if (kind == FG_CONTROL_REMOVE) {
        source_retire(crawl, batch, row);
        document_retire(crawl, batch, row);
        site->lists.candidates.len =
            without(site->lists.candidates.at, site->lists.candidates.len, row);
        crawl_promise_page(crawl, batch, row, 0);
    }
    struct fg_known_page *page = &crawl->known.at[row];
    page->flags = marked_flags(flags, kind);
    fg_batch_page_flags(batch, page->site, page->page, page->flags, 0);
    if (kind != FG_CONTROL_RESUME)
        crawl_withdraw_page(crawl, row);
    if (kind == FG_CONTROL_PAUSE)
        fg_vec_push(&crawl->sites.paused, row);
    else if (kind == FG_CONTROL_RESUME && page_wants_first_fetch(page))
        crawl_enqueue(crawl, site, row);
    if (kind == FG_CONTROL_RESUME)
        crawl_promises_changed(crawl);
}

/* --- in a crawl: from the inbox --- */

static bool would_change(const struct fg_crawl *crawl, const struct site *site,
                         uint32_t row, enum fg_control_kind kind)
{
    uint32_t flags = row == FG_UNKNOWN ? 0 : crawl->known.at[row].flags;
    bool is_paused = row == FG_UNKNOWN ? site->rules && site->rules->is_paused
                                       : flags & FG_PAGE_PAUSED;
    bool is_removed = row == FG_UNKNOWN ? site_is_removed(site) : flags & FG_PAGE_REMOVED;
    return kind == FG_CONTROL_REMOVE   ? !is_removed
           : kind == FG_CONTROL_FORGET ? !site->rules || !site->rules->is_forgotten
           : kind == FG_CONTROL_PAUSE  ? !is_paused
                                       : is_paused;
}

static void log_wish(const struct fg_control *wish)
{
    switch (wish->kind) {
    case FG_CONTROL_REMOVE:
        fg_log_info("crawl", "removed", FG_F("site", wish->key), FG_F("page", wish->url));
        return;
    case FG_CONTROL_PAUSE:
        fg_log_info("crawl", "paused", FG_F("site", wish->key), FG_F("page", wish->url));
        return;
    case FG_CONTROL_RESUME:
        fg_log_info("crawl", "resumed", FG_F("site", wish->key), FG_F("page", wish->url));
        return;
    case FG_CONTROL_FORGET:
        fg_log_info("crawl", "to be forgotten", FG_F("site", wish->key));
        return;
    }
}

static bool take_wish(struct fg_crawl *crawl, struct fg_batch *batch,
                      const struct fg_control *wish, fg_time now)
{
    struct site *site = crawl_find_host(crawl, wish->key);
    uint32_t row =
        site && wish->url.len
            ? fg_known_find(&crawl->known, site->id, fg_canonical_fingerprint(wish->url))
            : FG_UNKNOWN;
    if (!site || (wish->url.len && (row == FG_UNKNOWN || site_is_removed(site) ||
                                    wish->kind == FG_CONTROL_FORGET)))
        return false;
    fg_arena_reset(&crawl->scratch);
    bool is_new = would_change(crawl, site, row, wish->kind);
    if (row == FG_UNKNOWN)
        control_site(crawl, batch, site, wish->kind, now);
    else
        control_page(crawl, batch, site, row, wish->kind);
    if (is_new) /* a file is read again after a crash */
        log_wish(wish);
    return true;
}

void crawl_take_control(struct fg_crawl *crawl, struct fg_batch *batch, uint64_t command,
                        struct fg_str text)
{
    struct fg_str line;
    fg_time now = fg_clock_now(crawl->clock);
    while (text.len && fg_str_cut(&text, '\n', &line)) {
        struct fg_control wish;
        bool is_clear = fg_control_parse(&wish, line);
        if (is_clear && !fg_lot_has(&crawl->options.lot, wish.key))
            continue;
        if (line.len && (!is_clear || !take_wish(crawl, batch, &wish, now)))
            fg_log_warn(
                "crawl", "pause, resume, remove or forget refused",
                FG_F("command", command), FG_F("line", line),
                FG_F("why", is_clear ? "no such site or page" : "it makes no sense"));
    }
}
