/* The next of the lists of a series: mail archives in volumes, issues of a journal
 *
 * What stands in a volume that has just begun is new, all of it. But lists that are told
 * apart by numbers are mostly no volumes: the byline of an article leads to "/author/17",
 * whose articles have been there for years, whenever the first link to her turns up. A
 * volume has the number after those that are known, and above all of them. */
#include "crawl/sites/site.h"
#include "crawl/sources/sources.h"
#include "crawl/state.h"

#include "net/url/canonical.h"

enum {
    EARLIER = 3, /* volumes that go before it */
    LATER = 64,  /* numbers above it that are looked for */
    RUNS_MOST = 4,
    DIGITS_MOST = 9,
};

static uint32_t find_wide(struct fg_crawl *crawl, const struct site *site,
                          struct fg_str url, size_t first, size_t end, uint64_t number,
                          size_t width)
{
    struct fg_str other =
        fg_arena_printf(&crawl->scratch, "%.*s%0*llu%.*s", (int)first, url.at, (int)width,
                        (unsigned long long)number, FG_ARG(fg_str_skip(url, end)));
    return fg_known_find(&crawl->known, site->id, fg_canonical_fingerprint(other));
}

/* The address with another number from `first` to `end`: before "v10" comes "v09", or
 * "v9". */
static uint32_t find_with(struct fg_crawl *crawl, const struct site *site,
                          struct fg_str url, size_t first, size_t end, uint64_t number)
{
    uint32_t row = find_wide(crawl, site, url, first, end, number, end - first);
    return row == FG_UNKNOWN ? find_wide(crawl, site, url, first, end, number, 1) : row;
}

static bool is_known_by(const struct fg_crawl *crawl, uint32_t row, fg_time time)
{
    return row != FG_UNKNOWN && crawl->known.at[row].first_seen <= time;
}

static bool is_next(struct fg_crawl *crawl, const struct site *site, struct fg_str url,
                    size_t first, size_t end, fg_time turned_up, uint32_t *before)
{
    uint64_t number;
    if (end - first > DIGITS_MOST ||
        !fg_str_to_u64(fg_str_sub(url, first, end), &number) || number < EARLIER)
        return false;
    *before = find_with(crawl, site, url, first, end, number - 1);
    for (uint64_t i = 1; i <= EARLIER; i++)
        if (!is_known_by(crawl, find_with(crawl, site, url, first, end, number - i),
                         turned_up))
            return false;
    for (uint64_t i = 1; i <= LATER; i++)
        if (is_known_by(crawl, find_with(crawl, site, url, first, end, number + i),
                        turned_up - 1))
            return false;
    return true;
}

bool crawl_is_next_volume(struct fg_crawl *crawl, const struct site *site,
                          struct fg_str url, fg_time turned_up, uint32_t *before)
{
    size_t first = fg_canonical_site(url).len, end;
    for (int run = 0; run < RUNS_MOST; run++, first = end) {
        while (first < url.len && !fg_is_digit(url.at[first]))
            first++;
        for (end = first; end < url.len && fg_is_digit(url.at[end]);)
            end++;
        if (first == end)
            break;
        if (is_next(crawl, site, url, first, end, turned_up, before))
            return true;
    }
    return false;
}

enum { LOOKED_THROUGH = 2000 };

/* Of the time at which the watch began. */
static bool is_archive_then(const struct site *site, struct fg_str url)
{
    fg_time span = 0, day = fg_address_archive(url, &span);
    return day != FG_NEVER && day <= site->added && day + span > site->added;
}

bool crawl_leads_to_archives(const struct fg_crawl *crawl, const struct site *site,
                             const uint32_t *links, size_t n, uint64_t common)
{
    for (size_t i = 0; i < n; i += n / LOOKED_THROUGH + 1)
        if (crawl->known.at[links[i]].shown_by <= common &&
            is_archive_then(site, fg_known_url(&crawl->known, links[i])))
            return true;
    return false;
}

bool crawl_is_above_archives(const struct fg_crawl *crawl, const struct site *site,
                             uint32_t row, const uint32_t *links, size_t n)
{
    struct fg_str own = fg_known_url(&crawl->known, row);
    if (site->lists.has_feed || !fg_str_ends(own, FG_STR("/")))
        return false;
    for (size_t i = 0; i < n; i += n / LOOKED_THROUGH + 1) {
        struct fg_str url = fg_known_url(&crawl->known, links[i]);
        if (url.len > own.len && fg_str_starts(url, own) && is_archive_then(site, url))
            return true;
    }
    return false;
}

void source_note_archives(const struct fg_crawl *crawl, struct source *source)
{
    struct fg_str own = fg_known_url(&crawl->known, source->row);
    source->archives_end = FG_NEVER;
    if (!fg_str_ends(own, FG_STR("/")))
        return;
    for (size_t i = 0; i < source->n_links; i += source->n_links / LOOKED_THROUGH + 1) {
        struct fg_str url = fg_known_url(&crawl->known, source->links[i]);
        fg_time span = 0, day = FG_NEVER;
        if (url.len > own.len && fg_str_starts(url, own))
            day = fg_address_archive(url, &span);
        if (day != FG_NEVER && day + span > source->archives_end)
            source->archives_end = day + span;
    }
}

bool source_awaits_archive(const struct source *source, fg_time now)
{
    static const fg_time least = 10 * FG_MINUTE;
    if (source->archives_end == FG_NEVER || now <= source->archives_end)
        return false;
    fg_time pause = (now - source->archives_end) / 4;
    return now - source->last_seen >= (pause < least ? least : pause);
}

bool crawl_watches_below(const struct fg_crawl *crawl, const struct site *site,
                         uint32_t row, const uint32_t *links, size_t n)
{
    if (!crawl_is_above_archives(crawl, site, row, links, n))
        return false;
    for (size_t i = 0; i < n; i += n / LOOKED_THROUGH + 1)
        if (crawl->known.at[links[i]].flags & FG_PAGE_SOURCE)
            return true;
    return false;
}

/* An archive of a month that is over. Registers put something into the last ones, too;
 * where there is a feed it would tell. */
bool crawl_is_past_archive(const struct site *site, struct fg_str url)
{
    fg_time span = 0, day = fg_address_date(url, &span);
    fg_time late = site->lists.has_feed ? 0 : 2 * span;
    return day != FG_NEVER && day + span + late <= site->added;
}
