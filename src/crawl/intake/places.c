#include "crawl/intake/places.h"

#include "base/map.h"
#include "crawl/intake/control.h"
#include "net/url/canonical.h"

static bool take_site(void *context, const struct fg_site_row *site)
{
    if (!fg_site_is_removed(site)) /* it would begin anew */
        *fg_names_put(context, site->key) = site->site;
    return true;
}

static enum fg_status find_page(struct fg_place *place, struct fg_store *store,
                                struct fg_arena *arena, fg_site_id site,
                                struct fg_str url, struct fg_err *err)
{
    struct fg_page_row page;
    enum fg_status st = fg_store_page_by_fingerprint(store, &page, arena, site,
                                                     fg_canonical_fingerprint(url), err);
    if (!st && page.flags & FG_PAGE_ALIAS && page.alias_of)
        st = fg_store_page(store, &page, arena, site, page.alias_of, err);
    if (st == FG_ENOTFOUND)
        return FG_OK;
    if (!st)
        *place = (struct fg_place){site, page.page, page.flags & FG_PAGE_DOCUMENT,
                                   page.flags & FG_PAGE_SOURCE};
    return st;
}

enum fg_status fg_places_find(struct fg_place **places, struct fg_store *store,
                              struct fg_arena *arena, const struct fg_str *urls, size_t n,
                              struct fg_err *err)
{
    struct fg_names sites = {.arena = arena};
    enum fg_status st = fg_store_sites(store, take_site, &sites, err);
    *places = FG_NEW(arena, struct fg_place, n + 1);
    struct fg_arena scratch = {0};
    for (size_t i = 0; !st && i < n; i++) {
        const uint64_t *site = fg_names_get(&sites, fg_canonical_site(urls[i]));
        fg_arena_reset(&scratch);
        if (site)
            st = find_page(&(*places)[i], store, &scratch, (fg_site_id)*site, urls[i],
                           err);
    }
    fg_arena_clear(&scratch);
    return st;
}
