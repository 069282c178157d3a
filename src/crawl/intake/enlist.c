#include "crawl/intake/enlist.h"

#include "base/log.h"
#include "crawl/intake/control.h"
#include "crawl/intake/seeds.h"
#include "crawl/keeping.h"
#include "crawl/sources/naming.h"
#include "net/url/canonical.h"
#include "net/url/domain.h"

struct listed_site {
    struct fg_site_row row;
    fg_page_id last_page;
    bool is_counted; /* last_page is known */
};

struct listed_page {
    fg_page_id page;
    uint32_t flags;
};

struct list {
    struct fg_enlisted *made;
    struct fg_store *store;
    struct fg_arena arena;
    struct fg_batch *batch;
    unsigned keep;
    fg_time now;
    FG_VEC(struct listed_site) sites;
    struct fg_names site_by_key;
    FG_VEC(struct listed_page) pages; /* those of this call: the store has them not yet */
    struct fg_names page_by_url;
};

/* --- sites --- */

static struct listed_site *add_site(struct list *list, const struct fg_site_row *row)
{
    fg_vec_push_in(&list->arena, &list->sites, (struct listed_site){.row = *row});
    *fg_names_put(&list->site_by_key, row->key) = list->sites.len;
    return &list->sites.at[list->sites.len - 1];
}

static bool take_site(void *context, const struct fg_site_row *row)
{
    struct list *list = context;
    struct fg_site_row copy = *row;
    struct fg_str *texts[] = {&copy.key, &copy.domain, &copy.tags, &copy.robots,
                              &copy.settings};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i] = fg_arena_dup(&list->arena, *texts[i]);
    add_site(list, &copy);
    return true;
}

/* None of its own if it is only looked what would come of it. */
static fg_site_id new_number(const struct list *list)
{
    return list->batch ? fg_store_new_site(list->store) : 0;
}

static struct listed_site *new_site(struct list *list, struct fg_str key)
{
    struct fg_url url;
    struct fg_str domain = {0};
    if (fg_url_parse(&url, &list->arena, key, NULL))
        domain = fg_domain_registrable(fg_url_hostname(&url));
    struct fg_site_row row = {.site = new_number(list),
                              .key = fg_arena_dup(&list->arena, key),
                              .domain = fg_arena_dup(&list->arena, domain),
                              .state = SITE_HOST_ONLY,
                              .added = list->now,
                              .last_request = FG_NEVER,
                              .robots_fetched = FG_NEVER,
                              .robots_expires = FG_NEVER,
                              .backoff_until = FG_NEVER};
    return add_site(list, &row);
}

/* A site that was removed begins without a past; politeness goes on. */
static struct listed_site *renew(struct list *list, const struct listed_site *removed)
{
    struct fg_site_row row = removed->row;
    row.site = new_number(list);
    row.tags = row.settings = (struct fg_str){0};
    row.state = SITE_HOST_ONLY;
    row.added = list->now;
    if (list->batch)
        fg_batch_renew_site(list->batch, removed->row.site, row.site);
    return add_site(list, &row);
}

/* NULL if it is not there. */
static struct listed_site *find_site(struct list *list, struct fg_str key)
{
    const uint64_t *slot = fg_names_get(&list->site_by_key, key);
    struct listed_site *site = slot ? &list->sites.at[*slot - 1] : NULL;
    return site && fg_site_is_removed(&site->row) ? renew(list, site) : site;
}

/* As crawl_watch_site does it. The sitemaps of a host that was known before are added
 * when the crawl starts. */
static struct listed_site *watch_site(struct list *list, struct fg_str url,
                                      const struct fg_seed *seed)
{
    struct fg_str key = fg_canonical_site(url);
    struct listed_site *site = find_site(list, key);
    if (!site)
        site = new_site(list, key);
    if (fg_site_is_paused(&site->row))
        fg_log_warn("crawl", "a site that is paused stays so until 'forage resume'",
                    FG_F("site", key));
    enum site_state state = seed->is_page_only ? SITE_PAGES_ONLY : SITE_EXPLORING;
    bool was_host = site->row.state == SITE_HOST_ONLY;
    bool grows = site->row.state == SITE_PAGES_ONLY && state == SITE_EXPLORING;
    list->made->new_sites += was_host;
    if (was_host || grows)
        site->row.state = (uint8_t)state;
    struct fg_str tags = fg_tags_join(
        &list->arena, seed->tags.len ? seed->tags : site->row.tags, seed->page_tags);
    bool sets_tags = !fg_str_eq(tags, site->row.tags);
    site->row.tags = tags;
    bool sets_rule = fg_seed_sets_rules(seed);
    if (sets_rule)
        site->row.settings =
            fg_seed_rules(&list->arena, site->row.settings, url, seed, list->now);
    if (was_host || grows || sets_tags || sets_rule)
        fg_batch_site(list->batch, &site->row);
    return site;
}

/* --- pages --- */

static enum fg_status next_page(struct list *list, struct listed_site *site,
                                struct fg_err *err)
{
    enum fg_status st = FG_OK;
    if (!site->is_counted)
        st = fg_store_last_page(list->store, site->row.site, &site->last_page, err);
    site->is_counted = true;
    site->last_page++;
    return st;
}

static enum fg_status new_page(struct list *list, struct listed_site *site,
                               struct fg_str url, struct listed_page *page,
                               const struct fg_seed *seed, struct fg_err *err)
{
    enum fg_status st = next_page(list, site, err);
    page->page = site->last_page;
    list->made->new_pages++;
    fg_batch_page(list->batch,
                  &(struct fg_page_row){.site = site->row.site,
                                        .page = page->page,
                                        .fingerprint = fg_canonical_fingerprint(url),
                                        .url = url,
                                        .flags = page->flags,
                                        .first_seen = list->now,
                                        .last_visit = FG_NEVER,
                                        .last_change = FG_NEVER,
                                        .next_visit = FG_NEVER,
                                        .published = FG_NEVER,
                                        .weight = seed->weight > 0 ? seed->weight : 1});
    return st;
}

static void change_page(struct list *list, const struct listed_site *site,
                        struct listed_page *page, uint32_t flags,
                        const struct fg_seed *seed)
{
    uint32_t changed = fg_page_added_again(page->flags) | flags;
    if (changed & FG_PAGE_SOURCE)
        changed &= ~(uint32_t)(FG_PAGE_CANDIDATE | FG_PAGE_RETIRED);
    if (changed != page->flags)
        fg_batch_page_flags(list->batch, site->row.site, page->page, changed, 0);
    page->flags = changed;
    if (seed->weight > 0)
        fg_batch_page_weight(list->batch, site->row.site, page->page, seed->weight);
}

static void put_sayings(struct list *list, const struct listed_site *site,
                        const struct listed_page *page, const struct fg_seed *seed)
{
    if (seed->value.len && seed->is_document)
        fg_batch_value_rule(list->batch, site->row.site, page->page, seed->value);
    if (seed->at_least > 0 && (seed->is_document || seed->is_source))
        fg_batch_promise(list->batch, site->row.site, page->page, seed->at_least);
    fg_seed_note(list->batch, site->row.site, page->page, seed);
}

static enum fg_status put_page(struct list *list, struct listed_site *site,
                               struct fg_str url, const struct fg_seed *seed,
                               struct fg_err *err)
{
    uint32_t flags = FG_PAGE_SEED | (seed->is_document ? FG_PAGE_DOCUMENT : 0u) |
                     (seed->is_source ? FG_PAGE_SOURCE : 0u) |
                     (seed->is_feed ? FG_PAGE_FEED : 0u);
    uint64_t *slot = fg_names_put(&list->page_by_url, url);
    if (*slot) {
        change_page(list, site, &list->pages.at[*slot - 1], flags, seed);
        put_sayings(list, site, &list->pages.at[*slot - 1], seed);
        return FG_OK;
    }
    struct fg_page_row row;
    struct listed_page page = {.flags = flags};
    enum fg_status st =
        fg_store_page_by_fingerprint(list->store, &row, &list->arena, site->row.site,
                                     fg_canonical_fingerprint(url), err);
    if (st == FG_ENOTFOUND) {
        st = new_page(list, site, url, &page, seed, err);
    } else if (!st) {
        page = (struct listed_page){row.page, row.flags};
        change_page(list, site, &page, flags, seed);
    }
    if (!st)
        put_sayings(list, site, &page, seed);
    fg_vec_push_in(&list->arena, &list->pages, page);
    *slot = list->pages.len;
    return st;
}

static enum fg_status put_line(struct list *list, const struct fg_crawl_options *options,
                               const struct fg_seed_line *line, struct fg_err *err)
{
    struct fg_url url;
    enum fg_status st = fg_seed_check(options, line->url, err);
    if (st || !fg_url_parse(&url, &list->arena, fg_str_trim(line->url), NULL))
        return st;
    struct fg_str text = fg_canonical_from(&list->arena, &url, list->keep);
    struct listed_site *site = watch_site(list, text, &line->seed);
    return put_page(list, site, text, &line->seed, err);
}

static enum fg_status put_lines(struct list *list, const struct fg_crawl_options *options,
                                const struct fg_seed_line *lines, size_t n,
                                struct fg_err *err)
{
    enum fg_status st =
        fg_naming_settle(&list->keep, list->store, options->naming.keep, err);
    if (!st)
        st = fg_store_sites(list->store, take_site, list, err);
    list->batch = fg_batch_new(list->store);
    for (size_t i = 0; !st && i < n; i++)
        st = put_line(list, options, &lines[i], err);
    if (!st)
        return fg_store_flush(list->store, fg_store_submit(list->store, list->batch),
                              err);
    fg_batch_drop(list->batch);
    return st;
}

enum fg_status fg_enlist(struct fg_enlisted *made, struct fg_store *store,
                         const struct fg_crawl_options *options,
                         const struct fg_seed_line *lines, size_t n, struct fg_err *err)
{
    struct fg_clock clock = options->clock;
    struct list list = {.made = made, .store = store, .now = fg_clock_now(&clock)};
    *made = (struct fg_enlisted){0};
    list.site_by_key.arena = list.page_by_url.arena = &list.arena;
    enum fg_status st = put_lines(&list, options, lines, n, err);
    fg_arena_clear(&list.arena);
    return st;
}

/* --- without a trace --- */

static enum fg_status look_at(struct list *list, struct fg_str text, struct fg_err *err)
{
    struct fg_str key = fg_canonical_site(text);
    struct listed_site *site = find_site(list, key);
    bool known = site != NULL;
    if (!site)
        site = new_site(list, key);
    list->made->new_sites += site->row.state == SITE_HOST_ONLY;
    site->row.state = SITE_PAGES_ONLY;
    uint64_t *seen = fg_names_put(&list->page_by_url, text);
    if ((*seen)++)
        return FG_OK;
    struct fg_page_row row;
    enum fg_status st = known && list->store
                            ? fg_store_page_by_fingerprint(
                                  list->store, &row, &list->arena, site->row.site,
                                  fg_canonical_fingerprint(text), err)
                            : FG_ENOTFOUND;
    list->made->new_pages += st == FG_ENOTFOUND;
    return st == FG_ENOTFOUND ? FG_OK : st;
}

enum fg_status fg_enlist_count(struct fg_enlisted *made, struct fg_store *store,
                               unsigned keep, const struct fg_seed_line *lines, size_t n,
                               struct fg_err *err)
{
    struct list list = {.made = made, .store = store, .keep = keep};
    *made = (struct fg_enlisted){0};
    list.site_by_key.arena = list.page_by_url.arena = &list.arena;
    enum fg_status st = store ? fg_naming_read(&list.keep, store, keep, err) : FG_OK;
    if (!st && store)
        st = fg_store_sites(store, take_site, &list, err);
    for (size_t i = 0; !st && i < n; i++) {
        struct fg_url url;
        if (fg_url_parse(&url, &list.arena, fg_str_trim(lines[i].url), NULL))
            st = look_at(&list, fg_canonical_from(&list.arena, &url, list.keep), err);
    }
    fg_arena_clear(&list.arena);
    return st;
}
