/* State that a policy saved and somebody wrote into, with a checksum that fits: it is
 * refused, or the policy goes on with it. The first byte chooses the policy; each four
 * that follow are a part and a number of bytes, a place, and what is written there. */
#include "base/arena.h"
#include "base/sections.h"
#include "policy/mind.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SITES = 2, PAGES = 8, BUDGET = 3, TICKS = 4 };

static const fg_time start = 20000 * FG_DAY;

struct kept {
    struct fg_arena arena;
    struct fg_str of[SITES][FG_MIND_PARTS];
};

static void put(void *context, uint32_t site, enum fg_mind_part part, struct fg_str bytes)
{
    struct kept *kept = context;
    kept->of[site][part] = fg_arena_dup(&kept->arena, bytes);
}

static struct fg_str get(void *context, uint32_t site, enum fg_mind_part part)
{
    return ((struct kept *)context)->of[site][part];
}

static void look(struct fg_mind *mind, size_t row, fg_time now)
{
    uint64_t links[] = {row + 1, row << 32 | (uint64_t)(now / FG_HOUR)};
    size_t n = now / FG_HOUR % 2 == 0;
    fg_mind_observe(mind, &(struct fg_visit){.page = row,
                                             .now = now,
                                             .ok = true,
                                             .complete = true,
                                             .changed = n,
                                             .modified = FG_NEVER,
                                             .seen = links,
                                             .n_seen = 2,
                                             .added = links + 1,
                                             .n_added = n,
                                             .fresh = links + 1,
                                             .n_fresh = n});
}

static void live(struct fg_mind *mind, fg_time now)
{
    struct fg_pick picks[BUDGET];
    for (size_t tick = 0; tick < TICKS; tick++, now += FG_HOUR) {
        size_t n = fg_mind_choose(mind, now, BUDGET, picks);
        for (size_t i = 0; i < n; i++)
            look(mind, picks[i].page, now);
    }
}

static void write_into(struct kept *kept, const uint8_t *edit)
{
    struct fg_str part = kept->of[edit[0] % SITES][edit[0] / SITES % FG_MIND_PARTS];
    size_t body = part.len < 16 ? 0 : part.len - 16;
    if (!body)
        return;
    static const size_t widths[] = {1, 4, 8};
    char *bytes = (char *)part.at; /* ours: the arena's */
    size_t at = (edit[1] | (size_t)edit[2] << 8) % body,
           n = widths[edit[0] / (SITES * FG_MIND_PARTS) % 3];
    memset(bytes + 8 + at, edit[3], n < body - at ? n : body - at);
    uint64_t checksum = fg_str_hash(fg_str_sub(part, 0, part.len - sizeof checksum));
    memcpy(bytes + part.len - sizeof checksum, &checksum, sizeof checksum);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint32_t sites[SITES] = {0, 1};
    size_t n_policies = 0;
    while (fg_policies[n_policies])
        n_policies++;
    const struct fg_policy *policy = size ? fg_policies[data[0] % n_policies] : NULL;
    if (!policy || policy->needs_foresight)
        return 0;
    struct kept kept = {0};
    struct fg_mind *mind = fg_mind_new(policy, 11);
    for (uint64_t id = 0; id < PAGES; id++)
        fg_mind_add(mind, id, sites[id % SITES], start);
    live(mind, start);
    fg_mind_save_parts(mind, put, &kept);
    fg_mind_free(mind);
    for (size_t i = 1; i + 4 <= size; i += 4)
        write_into(&kept, data + i);
    mind = fg_mind_new(policy, 11);
    if (!fg_mind_load_parts(mind, sites, SITES, get, &kept, NULL))
        live(mind, start + FG_DAY);
    fg_mind_free(mind);
    fg_arena_clear(&kept.arena);
    return 0;
}
