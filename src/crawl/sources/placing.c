/* placing.c - where on a list its links stand, and which of them have come since
 *
 * What has come between others, or taken the place of one, is not equally likely to be
 * new (comers.h). How it was before is kept with the source and in the store; what has
 * taken a place and stays there is confirmed later. */
#include "crawl/sites/site.h"
#include "crawl/sources/comers.h"
#include "crawl/sources/newness.h"
#include "crawl/sources/pattern.h"
#include "crawl/sources/sighting.h"
#include "crawl/sources/sources.h"

/* The nth link of the reading, if it is one to place. */
static struct fg_comer *link_at(const struct sight *s, size_t n)
{
    return s->number[n] < s->n_order ? &s->order[s->number[n]] : NULL;
}

static bool came_as(const struct fg_comer *comer, enum fg_coming came)
{
    return comer && comer->has_come && comer->came == came;
}

/* Links of one kind in one part of the page: `kind` is a number for it. */
static uint64_t group_of(uint64_t kind, const struct fg_comer *comer)
{
    return (kind * 0x9E3779B97F4A7C15u) ^ fg_comer_part(comer);
}

/* What boxes have in them is of one pattern. */
static uint64_t box_of(const struct sight *s, size_t n, const struct fg_comer *comer)
{
    struct fg_str url = s->reading->links[n].url;
    const char *pattern = fg_patterns_find(s->site->patterns, url)->text;
    return group_of(fg_str_hash(fg_str_from(pattern)), comer);
}

/* What lists have in them is alike, whatever folders it lies in. */
static uint64_t list_of(const struct sight *s, size_t n, const struct fg_comer *comer)
{
    return group_of(fg_address_shape(s->reading->links[n].url), comer);
}

/* Where something has taken a place, all that has come to the same box has: by chance it
 * may stand beside one that is there again. */
static void mark_boxes(struct sight *s)
{
    struct fg_map boxes = {0};
    for (size_t i = 0; i < s->reading->n_links; i++) {
        const struct fg_comer *comer = link_at(s, i);
        if (came_as(comer, FG_CAME_INSTEAD))
            *fg_map_put(&boxes, box_of(s, i, comer)) = 1;
    }
    for (size_t i = 0; i < s->reading->n_links && fg_map_len(&boxes); i++) {
        struct fg_comer *comer = link_at(s, i);
        if (came_as(comer, FG_CAME_BETWEEN) && fg_map_get(&boxes, box_of(s, i, comer)))
            comer->came = FG_CAME_INSTEAD;
    }
    fg_map_clear(&boxes);
}

/* Boxes are short; of a busy list all may have been replaced, if nobody has looked for
 * long. So may a short one have been of which it is known that it grows. */
static void mark_lists(struct sight *s)
{
    enum { LONG = 10 };
    struct fg_map come = {0}, kept = {0};
    for (size_t i = 0; i < s->reading->n_links; i++) {
        const struct fg_comer *comer = link_at(s, i);
        if (came_as(comer, FG_CAME_INSTEAD))
            ++*fg_map_put(&come, list_of(s, i, comer));
        else if (comer && !comer->has_come)
            *fg_map_put(&kept, list_of(s, i, comer)) = 1;
    }
    for (size_t i = 0; i < s->reading->n_links && fg_map_len(&come); i++) {
        struct fg_comer *comer = link_at(s, i);
        if (!came_as(comer, FG_CAME_INSTEAD))
            continue;
        uint64_t list = list_of(s, i, comer);
        if (*fg_map_get(&come, list) >= LONG ||
            (!fg_map_get(&kept, list) &&
             fg_comers_only_grow(&s->comers, fg_comer_part(comer))))
            comer->came = FG_CAME_AS_LIST;
    }
    fg_map_clear(&come);
    fg_map_clear(&kept);
}

void placing_of_links(struct sight *s)
{
    const struct fg_reading *reading = s->reading;
    size_t n = reading->n_links < MOST_LINKS ? reading->n_links : MOST_LINKS;
    struct fg_arena *arena = &s->crawl->scratch;
    uint32_t *number = FG_NEW(arena, uint32_t, reading->n_links + 1);
    s->order = FG_NEW(arena, struct fg_comer, n + 1);
    s->rows = FG_NEW(arena, uint32_t, n + 1);
    for (size_t i = 0; i < reading->n_links; i++) {
        number[i] = MOST_LINKS;
        if (i >= n || sight_is_not_followed(reading, &reading->links[i]))
            continue;
        uint64_t print = reading->links[i].fingerprint;
        uint64_t *at = fg_map_put(&s->shown, print);
        if (!*at) {
            s->rows[s->n_order] = FG_UNKNOWN;
            s->order[s->n_order] =
                (struct fg_comer){.link = print,
                                  .region = reading->links[i].region,
                                  .section = reading->links[i].section};
            s->n_order++;
            *at = s->n_order;
        }
        number[i] = (uint32_t)*at - 1;
    }
    s->number = number;
    fg_comers_place(&s->comers, arena, s->order, s->n_order, s->now);
    s->is_lacking = s->look.was_seen_whole && !s->look.is_listing &&
                    fg_comers_are_lacking(&s->comers, s->order, s->n_order);
    for (size_t i = 0; i < s->n_order && s->is_lacking; i++)
        if (s->order[i].has_come)
            s->order[i].came = FG_CAME_UNPLACED;
    if (s->look.was_seen_whole && !s->look.is_listing) {
        mark_boxes(s);
        mark_lists(s);
    }
    for (size_t i = 0; i < s->n_order && !s->look.was_seen_whole; i++)
        s->order[i].came = FG_CAME_FIRST;
}

/* Lists and the like come and go for other reasons. */
static bool is_comer(const struct fg_crawl *crawl, uint32_t row)
{
    const uint32_t others = FG_PAGE_LIST | FG_PAGE_SOURCE | FG_PAGE_FEED |
                            FG_PAGE_SITEMAP | FG_PAGE_OTHER_KIND | FG_PAGE_ALIAS;
    return row != FG_UNKNOWN && !(crawl->known.at[row].flags & others);
}

/* Further pages of a topic and actions on it come whenever the topic does, and a number
 * below those of the stock is no proof that a list brings what is new. */
static bool proves_nothing(const struct sight *s, const struct fg_comers *comers,
                           const struct fg_comer *comer, uint32_t row)
{
    static const float sure = 0.8F;
    struct fg_str url = fg_known_url(&s->crawl->known, row);
    struct fg_kind_verdict verdict = fg_kind_of_address(url);
    return (verdict.kind != FG_KIND_PAGE && verdict.certainty >= sure) ||
           (!fg_comers_are_proven(comers, fg_comer_part(comer)) &&
            fg_pattern_is_old_serial(fg_patterns_find(s->site->patterns, url), url));
}

/* What has taken a place is counted when it has stayed, or is gone again. */
static void count_comers(struct sight *s, struct fg_comers *comers)
{
    for (size_t i = 0; i < s->n_order; i++) {
        const struct fg_comer *comer = &s->order[i];
        if (!comer->has_come || comer->came == FG_CAME_UNPLACED ||
            !is_comer(s->crawl, s->rows[i]))
            continue;
        const struct fg_known_page *page = &s->crawl->known.at[s->rows[i]];
        bool was_old = page->first_seen < s->look.last || page->flags & FG_PAGE_OLD;
        if (!was_old && !s->look.is_listing &&
            proves_nothing(s, comers, comer, s->rows[i]))
            continue;
        if (was_old || comer->came != FG_CAME_INSTEAD)
            fg_comers_count(comers, fg_comer_part(comer), comer->came, was_old);
        s->site->lists.has_growing |= comer->came == FG_CAME_BETWEEN && !was_old;
    }
}

static bool is_shown(struct sight *s, const struct fg_comer *comer)
{
    return fg_map_get(&s->shown, comer->link);
}

static uint32_t row_of(const struct sight *s, const struct fg_comer *comer)
{
    return fg_known_find(&s->crawl->known, s->site->id, comer->link);
}

/* Behind the oldest entry of a list stands what never leaves: a pager, the imprint. */
static bool are_of_one_list(const struct sight *s, const struct fg_comer *one,
                            const struct fg_comer *other)
{
    uint32_t a = row_of(s, one), b = row_of(s, other);
    if (fg_comer_part(one) != fg_comer_part(other) || !is_comer(s->crawl, a) ||
        !is_comer(s->crawl, b))
        return false;
    struct fg_patterns *patterns = s->site->patterns;
    return fg_patterns_find(patterns, fg_known_url(&s->crawl->known, a)) ==
           fg_patterns_find(patterns, fg_known_url(&s->crawl->known, b));
}

/* What comes to a list leaves it after what stood there before. */
static bool leaves_before_its_time(struct sight *s, const struct fg_comers *comers,
                                   size_t i)
{
    static const fg_time soon = FG_DAY;
    const struct fg_comer *comer = &comers->order[i];
    if (comer->came != FG_CAME_BETWEEN && comer->came != FG_CAME_INSTEAD &&
        comer->came != FG_CAME_TO_STAY)
        return false;
    if (comer->came != FG_CAME_BETWEEN)
        return s->now - comer->since < soon;
    size_t next = i + 1;
    while (next < comers->n && comers->order[next].since == comer->since &&
           comers->order[next].came == comer->came)
        next++;
    return next < comers->n && is_shown(s, &comers->order[next]) &&
           are_of_one_list(s, comer, &comers->order[next]) &&
           s->now - comer->since < soon;
}

static void count_gone(struct sight *s, struct fg_comers *comers)
{
    size_t gone = 0;
    for (size_t i = 0; i < comers->n; i++)
        gone += !is_shown(s, &comers->order[i]);
    for (size_t i = 0; i < comers->n && gone * 2 < comers->n; i++) {
        const struct fg_comer *comer = &comers->order[i];
        if (is_shown(s, comer) || !leaves_before_its_time(s, comers, i))
            continue;
        uint32_t row = row_of(s, comer);
        if (is_comer(s->crawl, row) && s->crawl->known.at[row].first_seen >= comer->since)
            fg_comers_count_brief(comers, fg_comer_part(comer), comer->came);
    }
}

void placing_confirm(struct confirmed *confirmed, const struct fg_crawl *crawl,
                     const struct site *site, struct source *source, fg_time now)
{
    static const fg_time stays = 20 * FG_MINUTE, stays_where_lists_grow = FG_HOUR;
    fg_time least = site->lists.has_growing ? stays_where_lists_grow : stays;
    for (size_t i = 0; i < source->comers.n; i++) {
        struct fg_comer *comer = &source->comers.order[i];
        bool is_unplaced = comer->came == FG_CAME_UNPLACED;
        if ((comer->came != FG_CAME_INSTEAD && !is_unplaced) || comer->since >= now ||
            (!is_unplaced && now - comer->since < least))
            continue;
        comer->came = is_unplaced ? FG_CAME_FIRST : FG_CAME_TO_STAY;
        uint32_t row = fg_known_find(&crawl->known, site->id, comer->link);
        if (!is_comer(crawl, row) || crawl->known.at[row].first_seen < comer->since)
            continue;
        uint32_t part = fg_comer_part(comer);
        bool brings_up_old =
            fg_comers_bring_up_old(&source->comers, part, FG_CAME_INSTEAD);
        if (!is_unplaced)
            fg_comers_count(&source->comers, part, comer->came, false);
        if (!brings_up_old && crawl->known.at[row].flags & FG_PAGE_UNPROVEN)
            fg_vec_push(confirmed, row);
    }
}

bool placing_is_kept(const struct fg_crawl *crawl, uint32_t row)
{
    return !(crawl->known.at[row].flags & (FG_PAGE_FEED | FG_PAGE_SITEMAP));
}

void placing_recall(struct fg_crawl *crawl, struct source *source,
                    const struct fg_before *before)
{
    const struct fg_known_page *page = &crawl->known.at[source->row];
    struct fg_str bytes = {0};
    if (source->comers.order || !placing_is_kept(crawl, source->row))
        return;
    if (before && before->wants & FG_BEFORE_COMERS)
        bytes = before->comers;
    else
        fg_store_page_extra(crawl->store, &bytes, &crawl->scratch, page->site, page->page,
                            FG_EXTRA_COMERS, NULL);
    if (bytes.at)
        fg_comers_read(&source->comers, bytes);
}

void placing_save(struct fg_crawl *crawl, struct fg_batch *batch,
                  const struct source *source)
{
    const struct fg_known_page *page = &crawl->known.at[source->row];
    if (!placing_is_kept(crawl, source->row))
        return;
    fg_batch_page_extra(batch, page->site, page->page, FG_EXTRA_COMERS,
                        fg_comers_write(&source->comers, &crawl->scratch));
}

static bool has_changed(const struct sight *s, const struct fg_comers *comers)
{
    bool is_same = comers->n == s->n_order;
    for (size_t i = 0; i < s->n_order && is_same; i++)
        is_same = comers->order[i].link == s->order[i].link;
    return !is_same;
}

bool placing_learn(struct confirmed *confirmed, struct sight *s, struct source *source)
{
    enum { LACKING_MOST = 6 };
    /* The look before it stays the one to compare with, unless it goes on like this. */
    if (s->is_lacking && source->lacking_looks < LACKING_MOST) {
        if (!source->lacking_looks++)
            source->last_whole = source->last_seen;
        return false;
    }
    source->lacking_looks = 0;
    bool is_changed = has_changed(s, &source->comers);
    if (source->comers.order) {
        count_comers(s, &source->comers);
        count_gone(s, &source->comers);
    }
    fg_comers_keep(&source->comers, s->order, s->n_order);
    if (!s->look.is_listing)
        placing_confirm(confirmed, s->crawl, s->site, source, s->now);
    return is_changed;
}
