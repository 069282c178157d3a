/* Prices that other pages show of offers
 *
 * A list of a shop shows the prices of a dozen offers, and so do the boxes on their
 * pages. If one that agreed with what the offer itself said shows another price, the
 * offer has changed: the refresh policy is told, and learns how far that can be relied
 * on. And if an offer, when it is first read, does not cost what was shown before, but
 * what is shown agrees with it later, then it has changed between the two: on a site
 * whose lists show what its offers cost. That is told as soon as both are known to be
 * up to date: when the offer was read lately, or is read again.
 *
 * What was shown is forgotten by a restart. */
#include "crawl/documents/documents.h"
#include "crawl/sites/pages.h"
#include "crawl/sites/site.h"
#include "crawl/state.h"

#include "base/memory.h"

#include <stdlib.h>

enum { MOST_SHOWN = 200000 };

struct offered {
    struct fg_price shown, own;
    struct fg_price before; /* what it cost, as was shown before it was first read */
    bool has_agreed;        /* the price last shown was the offer's own */
};

struct listed {
    struct fg_map by_row; /* places in `all` */
    FG_VEC(struct offered) all;
};

static bool is_same(const struct fg_price *a, const struct fg_price *b)
{
    return strcmp(a->amount, b->amount) == 0;
}

static struct offered *find(const struct fg_crawl *crawl, uint32_t row)
{
    const uint64_t *at = crawl->documents.listed
                             ? fg_map_get(&crawl->documents.listed->by_row, row)
                             : NULL;
    return at ? &crawl->documents.listed->all.at[*at] : NULL;
}

static struct offered *find_or_add(struct fg_crawl *crawl, uint32_t row)
{
    struct offered *offered = find(crawl, row);
    if (offered)
        return offered;
    if (!crawl->documents.listed)
        crawl->documents.listed = fg_zeroed(1, sizeof *crawl->documents.listed);
    struct listed *listed = crawl->documents.listed;
    if (listed->all.len == MOST_SHOWN)
        return NULL;
    *fg_map_put(&listed->by_row, row) = listed->all.len;
    fg_vec_push(&listed->all, (struct offered){0});
    return &listed->all.at[listed->all.len - 1];
}

/* What a list does not show, whether it is to be had, may have changed since. */
static bool was_read_lately(const struct fg_known_page *page, fg_time now)
{
    static const fg_time lately = 10 * FG_MINUTE;
    return now - page->last_visit_s * FG_SECOND <= lately;
}

static bool is_trusted(const struct site *site)
{
    enum { LEAST = 20 };
    return site->judging.listed_same >= LEAST &&
           site->judging.listed_other * 8 <= site->judging.listed_same;
}

/* It cost what was shown before we first read it, and does so no more. The history of its
 * values begins with that reading, so the event alone knows of this change: it says
 * where its `before` is from, and who shows a history asks for such events as well.
 * `offer` is what it says now, if it has just been read: a change to that is told by
 * itself, and what was before is not so any more. */
static void report_late(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                        struct offered *offered, const struct fg_offer *offer,
                        fg_time now)
{
    const struct fg_known_page *page = &crawl->known.at[row];
    struct fg_value_row stored;
    if (!offered->before.amount[0] || !offered->has_agreed ||
        !is_trusted(crawl_site_of(crawl, row)) ||
        fg_store_value(crawl->store, &stored, &crawl->scratch, page->site, page->page,
                       NULL) ||
        !fg_str_eq(stored.price, fg_str_from(offered->own.amount)))
        return;
    struct fg_price *before = &offered->before;
    if (offer && offer->availability != fg_availability_parse(stored.availability)) {
        *before = (struct fg_price){0};
        return;
    }
    const struct fg_before was = {
        .value = {.kind = FG_VALUE_OFFER,
                  .price = fg_str_from(before->amount),
                  .currency = fg_str_from(before->currency),
                  .availability = stored.availability,
                  .text = fg_arena_printf(&crawl->scratch, "%s %s", before->amount,
                                          before->currency)}};
    struct fg_value value = {
        .kind = FG_VALUE_OFFER,
        .hash = stored.hash,
        .text = stored.text,
        .has_offer = true,
        .offer = {.price = offered->own,
                  .availability = fg_availability_parse(stored.availability)}};
    change_report(crawl, batch, row, &was, &value, stored.name, now);
    *before = (struct fg_price){0};
}

void listed_see(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                const struct fg_price *price, fg_time now)
{
    struct offered *offered = find_or_add(crawl, row);
    if (!offered)
        return;
    bool is_other = !is_same(&offered->shown, price);
    bool is_unread = !offered->own.amount[0];
    if (is_unread && is_other && !offered->before.amount[0])
        offered->before = offered->shown;
    offered->shown = *price;
    if (is_unread)
        return;
    if (is_same(price, &offered->own)) {
        offered->has_agreed = true;
        if (was_read_lately(&crawl->known.at[row], now))
            report_late(crawl, batch, row, offered, NULL, now);
    } else if (is_other && offered->has_agreed) {
        document_signal(crawl, row, now, now);
    }
}

void listed_read(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                 const struct fg_offer *offer, fg_time now)
{
    if (!offer->price.amount[0])
        return;
    struct offered *offered = find_or_add(crawl, row);
    if (!offered)
        return;
    bool is_first = !offered->own.amount[0], was_shown = offered->shown.amount[0];
    bool has_changed = !is_first && !is_same(&offered->own, &offer->price);
    if (!is_first && !has_changed)
        report_late(crawl, batch, row, offered, offer, now);
    offered->own = offer->price;
    offered->has_agreed = was_shown && is_same(&offered->shown, &offered->own);
    if (is_first && was_shown) {
        struct site *site = crawl_site_of(crawl, row);
        site->judging.listed_same += offered->has_agreed;
        site->judging.listed_other += !offered->has_agreed;
    }
    if (is_first && !offered->before.amount[0] && !offered->has_agreed)
        offered->before = offered->shown;
    if (has_changed || is_same(&offered->before, &offered->own))
        offered->before = (struct fg_price){0};
}

void listed_clear(struct fg_crawl *crawl)
{
    if (!crawl->documents.listed)
        return;
    fg_map_clear(&crawl->documents.listed->by_row);
    fg_vec_clear(&crawl->documents.listed->all);
    free(crawl->documents.listed);
}
