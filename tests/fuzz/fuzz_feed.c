/* Feeds: all text is valid UTF-8 within the limits, and what looks like a feed from
 * outside is one inside. */
#include "base/utf8.h"
#include "net/feed/feed.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(struct fg_str s, size_t max)
{
    if (!fg_utf8_is_valid(s) || s.len > max)
        abort();
}

static void check_item(const struct fg_feed_item *item)
{
    check(item->id, FG_FEED_TEXT_MAX);
    check(item->link, FG_FEED_TEXT_MAX);
    check(item->language, FG_FEED_TEXT_MAX);
    if (item->n_links > FG_FEED_LINKS_MAX || item->n_people > FG_FEED_LINKS_MAX)
        abort();
    for (size_t i = 0; i < item->n_links; i++) {
        check(item->links[i].href, FG_FEED_URL_MAX);
        check(item->links[i].rel, FG_FEED_TEXT_MAX);
        check(item->links[i].type, FG_FEED_TEXT_MAX);
    }
    for (size_t i = 0; i < item->n_people; i++) {
        check(item->people[i].name, FG_FEED_TEXT_MAX);
        check(item->people[i].email, FG_FEED_TEXT_MAX);
        check(item->people[i].href, FG_FEED_TEXT_MAX);
    }
    for (int i = 0; i < FG_FEED_TEXTS; i++)
        check(item->texts[i].value, FG_FEED_TEXT_MAX);
    for (int i = 0; i < FG_FEED_DATES; i++)
        check(item->dates[i].text, FG_FEED_TEXT_MAX);
    if (item->source)
        check_item(item->source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fg_arena arena = {0};
    struct fg_str bytes = {(const char *)data, size};
    struct fg_feed_options options = {.url = FG_STR("https://example.org/feed"),
                                      .now = INT64_C(1700000000) * FG_SECOND};
    const struct fg_feed *feed = fg_feed_parse(&arena, bytes, size % 2 ? &options : NULL);
    check_item(&feed->about);
    for (size_t i = 0; i < feed->n_entries; i++)
        check_item(&feed->entries[i]);
    for (size_t i = 0; i < feed->n_problems; i++)
        check(feed->problems[i].value, FG_FEED_TEXT_MAX);
    if (feed->n_entries > FG_FEED_ENTRIES_MAX || feed->n_problems > FG_FEED_PROBLEMS_MAX)
        abort();
    fg_arena_clear(&arena);
    return 0;
}
