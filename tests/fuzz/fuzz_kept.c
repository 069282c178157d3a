/* What a crawl has learnt of a site and keeps in its store, after somebody wrote into it:
 * the patterns of its addresses, how links come to a list, the chances of arms. It is
 * refused, or the crawl goes on with it, and what it saves then is taken again. The first
 * byte says which. */
#include "crawl/arms.h"
#include "crawl/sources/comers.h"
#include "crawl/sources/pattern.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static const char *const addresses[] = {
    "http://a.example/2026/11/16/a-title-of-it/",
    "http://a.example/doku.php?id=lab:a&do=diff",
    "http://a.example/shop/lamps/17?sort=price&page=2&PHPSESSID=0123456789abcdef0123",
    "http://a.example/",
};

static void use_patterns(struct fg_patterns *patterns, struct fg_arena *arena,
                         fg_time now)
{
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
        struct fg_str url = fg_str_from(addresses[i]);
        struct fg_pattern *pattern = fg_patterns_meet(patterns, url);
        fg_pattern_is_trap(pattern);
        fg_pattern_is_in_vain(pattern, now);
        fg_pattern_may_ask(pattern, now);
        double chance = fg_pattern_page_chance(pattern);
        require(chance >= 0 && chance <= 1);
        fg_pattern_is_undated(pattern);
        fg_pattern_is_old_serial(pattern, url);
        fg_pattern_is_new_serial(pattern, url);
        fg_pattern_note_serial(pattern, url, true);
        fg_patterns_in_maze(patterns, url);
        fg_patterns_may_ask(patterns, url, now);
        fg_patterns_note_ask(patterns, url, now);
        fg_patterns_learn(patterns, url, FG_CAME_LIST, true);
        fg_patterns_compare(patterns, url, fg_address_without(arena, url, 1), true);
        require(fg_patterns_reduce(patterns, arena, url).len <= url.len);
    }
}

static void check_patterns(struct fg_arena *arena, struct fg_str bytes)
{
    struct fg_patterns *patterns, *again;
    struct fg_buf once, twice;
    fg_buf_init(&once, SIZE_MAX);
    fg_buf_init(&twice, SIZE_MAX);
    fg_patterns_load(&patterns, bytes);
    use_patterns(patterns, arena, 1800000000 * FG_SECOND);
    fg_patterns_save(patterns, &once);
    require(fg_patterns_load(&again, fg_buf_str(&once)));
    fg_patterns_save(again, &twice);
    require(fg_buf_str(&once).len == fg_buf_str(&twice).len);
    fg_buf_clear(&once);
    fg_buf_clear(&twice);
    fg_patterns_free(patterns);
    fg_patterns_free(again);
}

static void check_comers(struct fg_arena *arena, struct fg_str bytes)
{
    struct fg_comers comers = {0}, again = {0};
    struct fg_comer links[24] = {0};
    size_t n = sizeof links / sizeof *links;
    fg_comers_read(&comers, bytes);
    for (size_t i = 0; i < n; i++) {
        size_t of = comers.n ? i % comers.n : 0;
        links[i].link = i % 3 && comers.n ? comers.order[of].link + i / 12 : 1000 + i;
        links[i].region = comers.n ? comers.order[of].region : 0;
    }
    fg_comers_place(&comers, arena, links, n, 1800000000 * FG_SECOND);
    fg_comers_are_lacking(&comers, links, n);
    for (size_t i = 0; i < n; i++) {
        uint32_t part = fg_comer_part(&links[i]);
        enum fg_coming came = (enum fg_coming)links[i].came;
        fg_comers_are_new(&comers, part, came);
        fg_comers_are_proven(&comers, part);
        fg_comers_count(&comers, part, came, i % 2);
        fg_comers_count_brief(&comers, part, came);
    }
    fg_comers_keep(&comers, links, n);
    struct fg_str once = fg_comers_write(&comers, arena);
    require(fg_comers_read(&again, once));
    require(fg_str_eq(once, fg_comers_write(&again, arena)));
    fg_comers_clear(&comers);
    fg_comers_clear(&again);
}

static void check_arms(struct fg_str text)
{
    struct fg_arms arms = {0}, again = {0};
    struct fg_arm arm = {.name = "a", .chance = 0.5F};
    struct fg_buf once, twice;
    fg_buf_init(&once, SIZE_MAX);
    fg_buf_init(&twice, SIZE_MAX);
    fg_arms_read(&arms, text);
    fg_arms_note(&arms, 1800000000 * FG_SECOND, FG_REFRESH, &arm, 1);
    fg_arms_write(&once, &arms);
    fg_arms_read(&again, fg_buf_str(&once));
    fg_arms_write(&twice, &again);
    require(fg_str_eq(fg_buf_str(&once), fg_buf_str(&twice)));
    fg_arms_clear(&arms);
    fg_arms_clear(&again);
    fg_buf_clear(&once);
    fg_buf_clear(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    struct fg_str bytes = {(const char *)data + 1, size - 1};
    struct fg_arena arena = {0};
    switch (data[0] % 3) {
    case 0:
        check_patterns(&arena, bytes);
        break;
    case 1:
        check_comers(&arena, bytes);
        break;
    default:
        check_arms(bytes);
    }
    fg_arena_clear(&arena);
    return 0;
}
