/* Sites, pages and sources by what names them: a key, an address, a number of the store,
 * a row. */
#include "crawl/sites/pages.h"
#include "crawl/sites/site.h"
#include "crawl/sources/sources.h"
#include "crawl/state.h"
#include "net/url/canonical.h"

#include <assert.h>

/* --- sites --- */

struct site *crawl_find_host(struct fg_crawl *crawl, struct fg_str key)
{
    const uint64_t *slot = fg_names_get(&crawl->sites.by_key, key);
    return slot && *slot ? crawl_site_with(crawl, (fg_site_id)*slot) : NULL;
}

struct site *crawl_find_site(struct fg_crawl *crawl, struct fg_str key)
{
    struct site *site = crawl_find_host(crawl, key);
    return site && site->state != SITE_HOST_ONLY ? site : NULL;
}

struct site *crawl_site_of(const struct fg_crawl *crawl, uint32_t row)
{
    struct site *site = crawl_site_with(crawl, crawl->known.at[row].site);
    assert(site); /* recall takes no page without one, and none is ever taken out */
    return site;
}

void crawl_drop_key(struct fg_crawl *crawl, struct site *site)
{
    uint64_t *slot = fg_names_put(&crawl->sites.by_key, fg_str_from(site->key));
    if (*slot == site->id)
        *slot = 0;
    site->key = fg_arena_cstr(&crawl->arena, FG_STR(""));
    site->state = SITE_HOST_ONLY;
}

/* --- pages --- */

uint32_t crawl_row_of(const struct fg_crawl *crawl, uint64_t id)
{
    const uint64_t *row = fg_map_get(&crawl->minds.row_by_id, id);
    return row ? (uint32_t)*row - 1 : FG_UNKNOWN;
}

uint32_t crawl_known_without(struct fg_crawl *crawl, const struct site *site,
                             struct fg_str url, unsigned *param)
{
    enum { PARAMS_MOST = 6 };
    while (*param < PARAMS_MOST) {
        struct fg_str other = fg_address_without(&crawl->scratch, url, (*param)++);
        if (!other.len)
            break;
        uint32_t row =
            fg_known_find(&crawl->known, site->id, fg_canonical_fingerprint(other));
        if (row != FG_UNKNOWN)
            return row;
    }
    return FG_UNKNOWN;
}

/* --- sources --- */

struct source *source_find(struct fg_crawl *crawl, uint32_t row)
{
    const uint64_t *slot = fg_map_get(&crawl->sources.by_row, row + (uint64_t)1);
    if (!slot)
        return NULL;
    assert(crawl->sources.all.at); /* there is one */
    return &crawl->sources.all.at[*slot - 1];
}
