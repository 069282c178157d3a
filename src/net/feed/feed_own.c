/* feed_own.c - entries that have a page in common, and what tells them apart
 *
 * A changelog is one page, and each entry of its feed a place on it ("/changelog#v3-12").
 * The episodes of many a podcast all link to the front page, and have nothing but an id
 * of their own. Such entries are what is new there, not the page. Half of the feed must
 * lead to it, under titles that differ, or it is a page that was changed, or talked
 * about, more than once. Weblogs that have no page for each entry lead to the archive of
 * a day or month instead ("/2026/11/19#a_title"): it is one by its address, also when it
 * has one entry so far. */
#include "net/feed/feed_parts.h"

#include "base/map.h"
#include "net/facts/facts_parts.h"
#include "net/facts/kind.h"
#include "net/url/percent.h"

static struct fg_str page_of(const struct fg_feed_item *entry)
{
    return fg_str_sub(entry->link, 0, fg_str_chr(entry->link, '#'));
}

static struct fg_str title_of(const struct fg_feed_item *entry)
{
    return fg_str_trim(entry->texts[FG_FEED_TITLE].value);
}

/* The page that half of the entries lead to, if there is one: more than its rivals by
 * one vote for each entry and one against. */
static struct fg_str common_page(const struct fg_feed *feed)
{
    struct fg_str page = {0};
    size_t votes = 0, n = 0;
    for (size_t i = 0; i < feed->n_entries; i++) {
        struct fg_str other = page_of(&feed->entries[i]);
        if (!votes)
            page = other;
        votes = fg_str_eq(page, other) ? votes + 1 : votes - 1;
    }
    for (size_t i = 0; i < feed->n_entries; i++)
        n += fg_str_eq(page, page_of(&feed->entries[i]));
    return 2 * n > feed->n_entries ? page : (struct fg_str){0};
}

/* "p1800", "post-34": of a topic that people talk about. */
static bool names_post(struct fg_str place)
{
    static const char *const names[] = {"p", "pid", "post", "msg", "message", "m", NULL};
    size_t n = 0, end = place.len;
    while (n < end && fg_is_alpha(place.at[n]))
        n++;
    while (end > n && fg_is_digit(place.at[end - 1]))
        end--;
    for (size_t i = 0; names[i]; i++)
        if (fg_str_eq_nocase(fg_str_sub(place, 0, n), fg_str_from(names[i])))
            return end < place.len && end - n <= 1;
    return false;
}

static struct fg_str place_of(struct fg_arena *arena, const struct fg_feed_item *entry)
{
    enum { MOST = 500 };
    struct fg_buf encoded;
    size_t hash = fg_str_chr(entry->link, '#');
    if (hash != FG_NOT_FOUND) {
        struct fg_str place = fg_str_skip(entry->link, hash + 1);
        return names_post(place) ? (struct fg_str){0} : place;
    }
    if (!entry->id.len || entry->id.len > MOST || fg_str_eq(entry->id, entry->link))
        return (struct fg_str){0};
    fg_buf_init(&encoded, 3 * MOST);
    fg_percent_encode(&encoded, entry->id, FG_PERCENT_USERINFO);
    struct fg_str place = fg_arena_dup(arena, fg_buf_str(&encoded));
    fg_buf_clear(&encoded);
    return place;
}

/* The entry's place in the archive of a day, month or year; empty if it leads to none. */
static struct fg_str place_in_archive(const struct fg_feed_item *entry)
{
    return title_of(entry).len && fg_address_is_archive_entry(entry->link)
               ? fg_str_skip(entry->link, page_of(entry).len + 1)
               : (struct fg_str){0};
}

/* All entries lead into archives, and to another place each. */
static bool find_places_in_archives(const struct fg_feed *feed, struct fg_str *places)
{
    struct fg_map seen = {0};
    bool are_apart = feed->n_entries > 0;
    for (size_t i = 0; i < feed->n_entries && are_apart; i++) {
        uint64_t *link = fg_map_put(&seen, fg_str_hash(feed->entries[i].link));
        places[i] = place_in_archive(&feed->entries[i]);
        are_apart = places[i].len && !*link;
        *link = 1;
    }
    fg_map_clear(&seen);
    return are_apart;
}

const struct fg_str *fg_feed_places(struct fg_arena *arena, const struct fg_feed *feed)
{
    enum { LEAST_PLACES = 2, LEAST_IDS = 3 };
    struct fg_str *places = FG_NEW(arena, struct fg_str, feed->n_entries + 1);
    if (find_places_in_archives(feed, places))
        return places;
    for (size_t i = 0; i < feed->n_entries; i++)
        places[i] = (struct fg_str){0};
    struct fg_str page = common_page(feed);
    struct fg_map titles = {0}, seen = {0};
    size_t n = 0;
    bool is_by_id = false, are_apart = page.len > 0;
    for (size_t i = 0; i < feed->n_entries && are_apart; i++) {
        const struct fg_feed_item *entry = &feed->entries[i];
        if (!fg_str_eq(page_of(entry), page))
            continue;
        places[i] = place_of(arena, entry);
        uint64_t *title = fg_map_put(&titles, fg_str_hash(title_of(entry)));
        uint64_t *place = fg_map_put(&seen, fg_str_hash(places[i]));
        are_apart = places[i].len && title_of(entry).len && !*title && !*place;
        *title = *place = 1;
        is_by_id |= page.len == entry->link.len;
        n++;
    }
    if (!are_apart || n < (is_by_id ? LEAST_IDS : LEAST_PLACES))
        for (size_t i = 0; i < feed->n_entries; i++)
            places[i] = (struct fg_str){0};
    fg_map_clear(&titles);
    fg_map_clear(&seen);
    return places;
}

struct fg_str fg_feed_excerpt(struct fg_arena *arena, const struct fg_feed_item *entry)
{
    const struct fg_feed_text *text = &entry->texts[FG_FEED_SUMMARY];
    if (!text->value.len)
        text = &entry->texts[FG_FEED_CONTENT];
    struct fg_page page = {.text = text->value};
    if (text->is_markup)
        fg_page_read(&page, arena, text->value, FG_PAGE_TEXT);
    return fg_facts_excerpt(arena, &page, page.text, title_of(entry));
}
