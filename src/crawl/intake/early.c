/* Counts may be imported before their pages are known, even before there is a crawl. They
 * wait in the store; here are the pages they wait for. At each tick those that have
 * become known get their counts, and the refresh policy is told of them at the next. */
#include "crawl/intake/intake.h"
#include "crawl/sites/pages.h"
#include "crawl/sites/site.h"
#include "crawl/state.h"

#include "base/log.h"
#include "net/url/canonical.h"

/* The same key for all pages of a site. */
static struct fg_str kept_key(struct fg_crawl *crawl, struct fg_str key)
{
    crawl->intake.early_keys.arena = &crawl->arena;
    uint64_t *at = fg_names_put(&crawl->intake.early_keys, key);
    if (!*at) {
        fg_vec_push_in(&crawl->arena, &crawl->intake.early_sites,
                       fg_arena_dup(&crawl->arena, key));
        *at = crawl->intake.early_sites.len;
    }
    return crawl->intake.early_sites.at[*at - 1];
}

static bool take_early(void *context, struct fg_str key, uint64_t fingerprint)
{
    struct fg_crawl *crawl = context;
    fg_vec_push(&crawl->intake.early,
                (struct early_page){kept_key(crawl, key), fingerprint});
    return true;
}

enum fg_status crawl_recall_early(struct fg_crawl *crawl, struct fg_err *err)
{
    return fg_store_early(crawl->store, take_early, crawl, err);
}

void crawl_note_early(struct fg_crawl *crawl, struct fg_str url)
{
    uint64_t fingerprint = fg_canonical_fingerprint(url);
    const struct early_page *last =
        crawl->intake.early.len ? &crawl->intake.early.at[crawl->intake.early.len - 1]
                                : NULL;
    if (!last || last->fingerprint != fingerprint) /* they come in order of address */
        take_early(crawl, fg_canonical_site(url), fingerprint);
}

fg_page_id crawl_counted_page(struct fg_crawl *crawl, uint32_t row)
{
    const struct fg_known_page *page = &crawl->known.at[row];
    struct fg_page_row stored = {0};
    fg_arena_reset(&crawl->scratch);
    if (page->flags & FG_PAGE_ALIAS)
        fg_store_page(crawl->store, &stored, &crawl->scratch, page->site, page->page,
                      NULL);
    return stored.alias_of ? stored.alias_of : page->page;
}

static bool place(struct fg_crawl *crawl, struct fg_batch *batch,
                  const struct early_page *early)
{
    const struct site *site = crawl_find_site(crawl, early->key);
    uint32_t row =
        site ? fg_known_find(&crawl->known, site->id, early->fingerprint) : FG_UNKNOWN;
    if (row == FG_UNKNOWN)
        return false;
    fg_batch_place_early(batch, early->key, early->fingerprint, site->id,
                         crawl_counted_page(crawl, row));
    return true;
}

void crawl_place_early(struct fg_crawl *crawl)
{
    size_t kept = 0, all = crawl->intake.early.len;
    if (!all)
        return;
    struct fg_batch *batch = fg_batch_new(crawl->store);
    for (size_t i = 0; i < all; i++) {
        struct early_page early = crawl->intake.early.at[i];
        if (!place(crawl, batch, &early))
            crawl->intake.early.at[kept++] = early;
    }
    crawl->intake.early.len = kept;
    fg_store_submit(crawl->store, batch);
    if (kept == all)
        return;
    crawl->minds.told_day = 0; /* the policy is to know them */
    fg_log_info("crawl", "counts have found their pages", FG_F("pages", all - kept),
                FG_F("waiting", kept));
}
