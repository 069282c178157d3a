/* JSON that stands in a store and that somebody wrote into: the rules of a site say the
 * same after being written and read again, and of an event what can be is told. */
#include "crawl/output/news.h"
#include "crawl/sites/site_rules.h"
#include "net/text/json_tree.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_rules(struct fg_arena *arena, struct fg_str json)
{
    struct fg_site_rules rules, again;
    fg_site_rules_read(&rules, arena, json);
    struct fg_str once = fg_site_rules_write(arena, &rules);
    fg_site_rules_read(&again, arena, once);
    struct fg_str twice = fg_site_rules_write(arena, &again);
    if (!fg_str_eq(once, twice))
        abort();
}

static void check_event(struct fg_arena *arena, struct fg_str json)
{
    static const char *const kinds[] = {"discovery", "changed", "alarm", "alarm-cleared"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct fg_event_row event = {.kind = fg_str_from(kinds[i]), .json = json};
        struct fg_news news;
        fg_news_read(&news, &event);
        fg_news_title(arena, &news, FG_STR(""));
        fg_news_entry(arena, &news, FG_STR("t"));
        fg_news_clear(&news);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fg_str json = {(const char *)data, size};
    struct fg_arena arena = {0};
    check_rules(&arena, json);
    check_event(&arena, json);
    json_decref(fg_json_tree_mended(&arena, json));
    fg_arena_clear(&arena);
    return 0;
}
