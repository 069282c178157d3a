/* What a mind knows in parts: only what changed is another part, a site that is gone
 * takes its pages along, and what former versions wrote is read. */
#include "base/arena.h"
#include "base/file.h"
#include "base/sections.h"
#include "policy/mind.h"
#include "test.h"

enum { SITES = 3, PAGES = 12, BUDGET = 3 };

static const fg_time start = 20000 * FG_DAY;
static const uint32_t sites[SITES] = {7, 4000000000, 2}; /* neither dense nor in order */

static struct fg_str get_shared(void *context, uint32_t site, enum fg_mind_part part)
{
    (void)site;
    return part == FG_MIND_SHARED ? *(struct fg_str *)context : FG_STR("");
}

/* As versions wrote it that knew no parts. */
static enum fg_status load_former(struct fg_mind *mind, struct fg_str bytes,
                                  struct fg_err *err)
{
    return fg_mind_load_parts(mind, NULL, 0, get_shared, &bytes, err);
}

/* Parts by site and kind. */
struct kept {
    struct fg_arena arena;
    struct fg_str of[SITES + 1][FG_MIND_PARTS];
    size_t changed[SITES + 1][FG_MIND_PARTS];
};

static size_t index_of(uint32_t site)
{
    for (size_t i = 0; i < SITES; i++)
        if (sites[i] == site)
            return i + 1;
    return 0;
}

static void put(void *context, uint32_t site, enum fg_mind_part part, struct fg_str bytes)
{
    struct kept *kept = context;
    struct fg_str *was = &kept->of[index_of(site)][part];
    if (fg_str_eq(*was, bytes))
        return;
    kept->changed[index_of(site)][part]++;
    *was = fg_arena_dup(&kept->arena, bytes);
}

static struct fg_str get(void *context, uint32_t site, enum fg_mind_part part)
{
    return ((struct kept *)context)->of[index_of(site)][part];
}

static struct fg_mind *mind_of(const char *policy)
{
    struct fg_mind *mind =
        fg_mind_new(fg_policy_find(fg_str_from(policy), FG_DISCOVERY), 11);
    for (uint64_t id = 0; id < PAGES; id++)
        fg_mind_add(mind, id, sites[id % SITES], start);
    return mind;
}

static void look(struct fg_mind *mind, uint64_t id, fg_time now)
{
    uint64_t links[] = {id << 32 | (uint64_t)fg_hours(now), id << 32};
    size_t n = now / FG_HOUR % 3 == 0;
    fg_mind_observe(mind, &(struct fg_visit){.page = fg_mind_row(mind, id),
                                             .now = now,
                                             .ok = true,
                                             .complete = true,
                                             .changed = n,
                                             .modified = FG_NEVER,
                                             .seen = links,
                                             .n_seen = 2,
                                             .added = links,
                                             .n_added = n,
                                             .fresh = links,
                                             .n_fresh = n,
                                             .n_first = n});
}

/* A digest of what it picks; pages that are not there are no loss. */
static uint64_t go_on(struct fg_mind *mind, fg_time from, int hours)
{
    uint64_t digest = 0;
    for (int i = 0; i < hours; i++) {
        struct fg_pick picks[BUDGET];
        uint64_t ids[BUDGET];
        fg_time now = from + i * FG_HOUR;
        size_t n = fg_mind_choose(mind, now, BUDGET, picks);
        for (size_t k = 0; k < n; k++)
            ids[k] = fg_mind_world(mind)->id[picks[k].page];
        for (size_t k = 0; k < n; k++) {
            digest = digest * 1000003 + ids[k] + 1;
            look(mind, ids[k], now);
        }
    }
    return digest;
}

static void a_visit_changes_the_part_of_its_site_only(void **state)
{
    (void)state;
    static const char *const policies[] = {"forage", "link-types", "exposure",
                                           "thompson"};
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        struct fg_mind *mind = mind_of(policies[i]);
        struct kept kept = {0};
        struct fg_pick picks[BUDGET];
        go_on(mind, start, 100);
        fg_mind_save_parts(mind, put, &kept);
        memset(kept.changed, 0, sizeof kept.changed);
        fg_mind_save_parts(mind, put, &kept);
        for (size_t k = 0; k <= SITES; k++)
            for (size_t part = 0; part < FG_MIND_PARTS; part++)
                assert_int_equal(kept.changed[k][part], 0);
        /* Time passes, and one page is looked at. */
        fg_mind_choose(mind, start + 100 * FG_HOUR, BUDGET, picks);
        look(mind, 1, start + 100 * FG_HOUR);
        fg_mind_save_parts(mind, put, &kept);
        assert_int_equal(kept.changed[0][FG_MIND_ORDER], 0);
        for (size_t k = 1; k <= SITES; k++)
            if (kept.changed[k][FG_MIND_LEARNT] != (sites[k - 1] == sites[1]))
                fail_msg("%s: site %u", policies[i], sites[k - 1]);
        fg_arena_clear(&kept.arena);
        fg_mind_free(mind);
    }
}

static void parts_make_the_same_mind(void **state)
{
    (void)state;
    for (size_t i = 0; fg_policies[i]; i++) {
        if (fg_policies[i]->needs_foresight || !(fg_policies[i]->tasks & FG_DISCOVERY))
            continue;
        struct fg_mind *mind = mind_of(fg_policies[i]->name),
                       *copy = fg_mind_new(fg_policies[i], 11);
        struct kept kept = {0};
        struct fg_err err = {0};
        go_on(mind, start, 100);
        fg_mind_remove(mind, 4);
        go_on(mind, start + 100 * FG_HOUR, 50);
        fg_mind_save_parts(mind, put, &kept);
        /* The sites come in another order than they did. */
        uint32_t backwards[] = {sites[2], sites[1], sites[0]};
        if (fg_mind_load_parts(copy, backwards, SITES, get, &kept, &err))
            fail_msg("%s: %s", fg_policies[i]->name, err.text);
        fg_time later = start + 150 * FG_HOUR;
        if (go_on(mind, later, 48) != go_on(copy, later, 48))
            fail_msg("%s picks otherwise", fg_policies[i]->name);
        fg_arena_clear(&kept.arena);
        fg_mind_free(mind);
        fg_mind_free(copy);
    }
}

static void a_site_that_was_forgotten_takes_its_pages_along(void **state)
{
    (void)state;
    for (size_t i = 0; fg_policies[i]; i++) {
        if (fg_policies[i]->needs_foresight || !(fg_policies[i]->tasks & FG_DISCOVERY))
            continue;
        struct fg_mind *mind = mind_of(fg_policies[i]->name),
                       *copy = fg_mind_new(fg_policies[i], 11);
        struct kept kept = {0};
        struct fg_err err = {0};
        go_on(mind, start, 100);
        fg_mind_save_parts(mind, put, &kept);
        kept.of[1][FG_MIND_LEARNT] = kept.of[1][FG_MIND_PASSING] = (struct fg_str){0};
        if (fg_mind_load_parts(copy, sites, SITES, get, &kept, &err))
            fail_msg("%s: %s", fg_policies[i]->name, err.text);
        assert_int_equal(fg_mind_world(copy)->n, PAGES / SITES * (SITES - 1));
        /* As if they had gone while it ran. */
        for (size_t row = PAGES; row-- > 0;)
            if (fg_mind_world(mind)->id[row] % SITES == 0)
                fg_mind_remove(mind, fg_mind_world(mind)->id[row]);
        /* Of these all that they know is known of single pages. */
        bool is_plain =
            fg_str_eq(fg_str_from(fg_policies[i]->name), FG_STR("link-types")) ||
            fg_str_eq(fg_str_from(fg_policies[i]->name), FG_STR("thompson"));
        fg_time later = start + 100 * FG_HOUR;
        uint64_t as_if = go_on(mind, later, 48), is = go_on(copy, later, 48);
        if (is_plain && is != as_if)
            fail_msg("%s picks otherwise", fg_policies[i]->name);
        fg_arena_clear(&kept.arena);
        fg_mind_free(mind);
        fg_mind_free(copy);
    }
}

/* Signed right, but of nonsense: a page of two sites, a site with the number 4 billion in
 * a state that had room for each number. */
static void nonsense_is_refused_and_takes_no_memory(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of("thompson");
    struct kept kept = {0};
    struct fg_err err = {0};
    fg_mind_save_parts(mind, put, &kept);
    kept.of[2][FG_MIND_LEARNT] = kept.of[1][FG_MIND_LEARNT];
    assert_int_equal(fg_mind_load_parts(mind, sites, SITES, get, &kept, &err), FG_EINPUT);
    struct fg_buf forged;
    uint64_t id = 1;
    uint32_t site = 4000000000;
    fg_buf_init(&forged, 1 << 20);
    size_t at = fg_sections_begin(&forged, "FGMIND1\n");
    fg_sections_put(&forged, "policy", "thompson", 8);
    fg_sections_put(&forged, "id", &id, sizeof id);
    fg_sections_put(&forged, "site", &site, sizeof site);
    fg_sections_end(&forged, at);
    assert_int_equal(load_former(mind, fg_buf_str(&forged), &err), FG_EINPUT);
    assert_int_equal(fg_mind_world(mind)->n, PAGES);
    fg_buf_clear(&forged);
    fg_arena_clear(&kept.arena);
    fg_mind_free(mind);
}

static void a_group_beyond_all_bounds_is_not_taken(void **state)
{
    (void)state;
    struct fg_mind *mind = mind_of("thompson");
    struct kept kept = {0};
    struct fg_err err = {0};
    fg_mind_group(mind, 0, 1);
    fg_mind_group(mind, 3, 4000000000);
    fg_mind_save_parts(mind, put, &kept);
    assert_int_equal(fg_mind_load_parts(mind, sites, SITES, get, &kept, &err), FG_OK);
    assert_int_equal(fg_mind_world(mind)->group[0], 1);
    assert_true(fg_mind_world(mind)->groups < 1 << 20);
    fg_arena_clear(&kept.arena);
    fg_mind_free(mind);
}

/* Written by the version before parts, of six pages on the sites 1, 4 and 7 after ninety
 * hours; and what that version then picked. */
static void check_former(const char *policy, enum fg_task task, uint64_t expected)
{
    char path[128];
    struct fg_arena arena = {0};
    struct fg_str bytes;
    struct fg_err err = {0};
    struct fg_mind *mind = fg_mind_new(fg_policy_find(fg_str_from(policy), task), 11);
    snprintf(path, sizeof path, "tests/data/mind/%s.v1", policy);
    if (fg_file_read(&bytes, &arena, path, 1 << 20, &err) ||
        load_former(mind, bytes, &err))
        fail_msg("%s: %s", policy, err.text);
    const struct fg_world *world = fg_mind_world(mind);
    fg_mind_limit(mind, 4, 1);
    for (size_t row = 0; task == FG_REFRESH && row < world->n; row++)
        fg_mind_group(mind, row, (uint32_t)(world->id[row] % 5));
    uint64_t digest = 0;
    for (int tick = 90; tick < 90 + 48; tick++) {
        struct fg_pick picks[BUDGET];
        fg_time now = start + tick * FG_HOUR;
        size_t n = fg_mind_choose(mind, now, BUDGET, picks);
        for (size_t i = 0; i < n; i++) {
            uint64_t id = world->id[picks[i].page];
            digest = digest * 1000003 + id + 1;
            fg_mind_observe(mind, &(struct fg_visit){.page = picks[i].page,
                                                     .now = now,
                                                     .ok = true,
                                                     .changed = id % 2,
                                                     .n_fresh = id % 4,
                                                     .modified = FG_NEVER});
        }
    }
    assert_int_equal(digest, expected);
    fg_arena_clear(&arena);
    fg_mind_free(mind);
}

static void a_former_state_is_read(void **state)
{
    (void)state;
    check_former("link-types", FG_DISCOVERY, 0x5839bc4260519cd5);
    check_former("lomax", FG_REFRESH, 0x8420b53ff516a520);
}

FG_TESTS(a_visit_changes_the_part_of_its_site_only, parts_make_the_same_mind,
         a_site_that_was_forgotten_takes_its_pages_along,
         nonsense_is_refused_and_takes_no_memory, a_group_beyond_all_bounds_is_not_taken,
         a_former_state_is_read)
