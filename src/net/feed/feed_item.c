/* What all formats make: a feed, its entries, their links and people. */
#include "net/feed/feed_parts.h"

void fg_feed_item_init(struct fg_feed_item *item)
{
    for (int i = 0; i < FG_FEED_DATES; i++)
        item->dates[i].time = FG_NEVER;
}

struct fg_feed *fg_feed_new(struct fg_arena *arena)
{
    struct fg_feed *feed = FG_NEW(arena, struct fg_feed, 1);
    fg_feed_item_init(&feed->about);
    return feed;
}

struct fg_feed_link *fg_feed_add_link(struct fg_feed *feed, struct fg_feed_item *item,
                                      struct fg_arena *arena)
{
    if (item->n_links == FG_FEED_LINKS_MAX) {
        feed->cut = true;
        return NULL;
    }
    if (item->n_links % 4 == 0)
        item->links = fg_arena_grow(arena, item->links, sizeof *item->links,
                                    item->n_links, item->n_links + 4);
    return &item->links[item->n_links++];
}

struct fg_feed_person *fg_feed_add_person(struct fg_feed *feed, struct fg_feed_item *item,
                                          struct fg_arena *arena, enum fg_feed_role role)
{
    if (item->n_people == FG_FEED_LINKS_MAX) {
        feed->cut = true;
        return NULL;
    }
    if (item->n_people % 4 == 0)
        item->people = fg_arena_grow(arena, item->people, sizeof *item->people,
                                     item->n_people, item->n_people + 4);
    item->people[item->n_people] = (struct fg_feed_person){.role = role};
    return &item->people[item->n_people++];
}

static bool is_page(const struct fg_feed_link *link)
{
    return !link->type.len || fg_str_find(link->type, FG_STR("html")) != FG_NOT_FOUND;
}

/* The first alternate that is a page, else the first alternate. */
void fg_feed_choose_link(struct fg_feed_item *item)
{
    const struct fg_feed_link *best = NULL;
    for (size_t i = 0; i < item->n_links; i++) {
        const struct fg_feed_link *link = &item->links[i];
        if (fg_str_eq_nocase(link->rel, FG_STR("alternate")) &&
            (!best || (is_page(link) && !is_page(best))))
            best = link;
    }
    if (best)
        item->link = best->href;
    else if (!item->link.len && item->id_is_link)
        item->link = item->id;
    item->id_is_link &= !best;
    if (item->source && !item->source->link.len)
        fg_feed_choose_link(item->source);
}

void fg_feed_choose_links(struct fg_feed *feed)
{
    fg_feed_choose_link(&feed->about);
    const struct {
        const char *rel;
        struct fg_str *to;
    } wanted[] = {{"self", &feed->self}, {"hub", &feed->hub}, {"next", &feed->next}};
    for (size_t i = 0; i < feed->about.n_links; i++)
        for (size_t k = 0; k < 3; k++)
            if (!wanted[k].to->len &&
                fg_str_eq_nocase(feed->about.links[i].rel, fg_str_from(wanted[k].rel)))
                *wanted[k].to = feed->about.links[i].href;
}
