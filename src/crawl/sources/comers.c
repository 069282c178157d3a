#include "crawl/sources/comers.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void fg_comers_clear(struct fg_comers *comers)
{
    free(comers->order);
    *comers = (struct fg_comers){0};
}

/* --- places --- */

/* A link and where it stands. */
struct standing {
    uint64_t link;
    size_t at;
};

static int by_link(const void *a, const void *b)
{
    const struct standing *x = a, *y = b;
    return (x->link > y->link) - (x->link < y->link);
}

static struct standing *sorted(struct fg_arena *arena, const struct fg_comer *links,
                               size_t n)
{
    struct standing *out = FG_NEW(arena, struct standing, n + 1);
    for (size_t i = 0; i < n; i++)
        out[i] = (struct standing){links[i].link, i};
    qsort(out, n, sizeof *out, by_link);
    return out;
}

static const struct standing *find(const struct standing *in, size_t n, uint64_t link)
{
    struct standing wanted = {.link = link};
    return bsearch(&wanted, in, n, sizeof *in, by_link);
}

/* For each place of the last look, how many links up to it are gone. */
static size_t *count_gone(struct fg_arena *arena, const struct fg_comers *comers,
                          const struct fg_comer *links, size_t n)
{
    const struct standing *today = sorted(arena, links, n);
    size_t *gone = FG_NEW(arena, size_t, comers->n + 1);
    gone[0] = 0;
    for (size_t i = 0; i < comers->n; i++)
        gone[i + 1] = gone[i] + !find(today, n, comers->order[i].link);
    return gone;
}

/* Where the section of a link is not known, only its region counts. */
static bool are_of_one_part(const struct fg_comer *comer, const struct fg_comer *gone)
{
    return comer->region == gone->region &&
           (!comer->section || comer->section == gone->section);
}

/* Is something of the part of a comer gone that stood between two places? Of too many
 * links all count. */
static bool is_gone_between(const struct fg_comers *comers, const size_t *gone,
                            size_t left, size_t right, const struct fg_comer *comer)
{
    enum { LOOKED_THROUGH = 1000 };
    if (gone[right] == gone[left] || right - left > LOOKED_THROUGH)
        return gone[right] != gone[left];
    for (size_t at = left; at < right; at++)
        if (gone[at + 1] > gone[at] && are_of_one_part(comer, &comers->order[at]))
            return true;
    return false;
}

/* Those between two links between which nothing of their part stood that is gone. */
static void place_between(const struct fg_comers *comers, struct fg_comer *links,
                          size_t first, size_t end, size_t left, size_t right,
                          const size_t *gone)
{
    for (size_t i = first; i < end; i++)
        if (links[i].has_come)
            links[i].came = is_gone_between(comers, gone, left, right, &links[i])
                                ? FG_CAME_INSTEAD
                                : FG_CAME_BETWEEN;
}

/* Marks the longest run of links that stand in the order of the last look; the others
 * have been moved, and nothing can be said of what stands beside them. `at` is where each
 * stood, NOWHERE of those that did not. */
#define NOWHERE SIZE_MAX

static bool *mark_unmoved(struct fg_arena *arena, const size_t *at, size_t n)
{
    bool *is_unmoved = FG_NEW(arena, bool, n + 1);
    size_t *ends = FG_NEW(arena, size_t, n + 1);   /* of the best run of each length */
    size_t *before = FG_NEW(arena, size_t, n + 1); /* of each link in its best run */
    size_t longest = 0;
    for (size_t i = 0; i < n; i++) {
        is_unmoved[i] = false;
        if (at[i] == NOWHERE)
            continue;
        size_t low = 0, high = longest;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (at[ends[middle]] < at[i])
                low = middle + 1;
            else
                high = middle;
        }
        before[i] = low ? ends[low - 1] : NOWHERE;
        ends[low] = i;
        longest += low == longest;
    }
    for (size_t i = longest ? ends[longest - 1] : NOWHERE; i != NOWHERE; i = before[i])
        is_unmoved[i] = true;
    return is_unmoved;
}

/* What is known of each link from the last look, and where it stood then. */
static size_t *recall_links(const struct fg_comers *comers, struct fg_arena *arena,
                            struct fg_comer *links, size_t n)
{
    const struct standing *before = sorted(arena, comers->order, comers->n);
    size_t *at = FG_NEW(arena, size_t, n + 1);
    for (size_t i = 0; i < n; i++) {
        const struct standing *there = find(before, comers->n, links[i].link);
        at[i] = there ? there->at : NOWHERE;
        if (!there)
            continue;
        uint32_t region = links[i].region, section = links[i].section;
        links[i] = comers->order[there->at];
        links[i].region = region;
        links[i].section = section;
        links[i].has_come = false;
    }
    return at;
}

static int by_number(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* A heading that was not there before may be that of a single thing. */
static void forget_new_sections(const struct fg_comers *comers, struct fg_arena *arena,
                                struct fg_comer *links, size_t n)
{
    uint32_t *known = FG_NEW(arena, uint32_t, comers->n + 1);
    for (size_t i = 0; i < comers->n; i++)
        known[i] = comers->order[i].section;
    qsort(known, comers->n, sizeof *known, by_number);
    for (size_t i = 0; i < n; i++)
        if (links[i].has_come && links[i].section &&
            !bsearch(&links[i].section, known, comers->n, sizeof *known, by_number))
            links[i].section = 0;
}

void fg_comers_place(const struct fg_comers *comers, struct fg_arena *arena,
                     struct fg_comer *links, size_t n, fg_time now)
{
    for (size_t i = 0; i < n; i++) {
        links[i].since = now;
        links[i].came = FG_CAME_UNPLACED;
        links[i].has_come = true;
    }
    if (!comers->order)
        return;
    const size_t *gone = count_gone(arena, comers, links, n);
    const size_t *at = recall_links(comers, arena, links, n);
    forget_new_sections(comers, arena, links, n);
    const bool *is_unmoved = mark_unmoved(arena, at, n);
    size_t first = 0, left = 0; /* of a run of comers, and what stood before it */
    for (size_t i = 0; i < n; i++) {
        if (!is_unmoved[i])
            continue;
        place_between(comers, links, first, i, left, at[i], gone);
        first = i + 1;
        left = at[i] + 1;
    }
    place_between(comers, links, first, n, left, comers->n, gone);
}

bool fg_comers_are_lacking(const struct fg_comers *comers, const struct fg_comer *links,
                           size_t n)
{
    enum { LEAST = 6 };
    size_t come = 0, last = n; /* the last link that was there before */
    for (size_t i = 0; i < n; i++) {
        come += links[i].has_come;
        last = links[i].has_come ? last : i;
    }
    size_t kept = n - come, gone = comers->n - (kept < comers->n ? kept : comers->n);
    /* The last pages of a list lie behind its first ones, which are gone then. Where what
     * is left stood before all that is gone, the list itself has been replaced. */
    size_t at = 0;
    while (last < n && at < comers->n && comers->order[at].link != links[last].link)
        at++;
    bool goes_on = kept && n - 1 - last == come && come && at + 1 > kept &&
                   links[last].region == links[last + 1].region;
    return comers->order && comers->n >= LEAST && gone * 2 >= comers->n &&
           (come * 4 <= gone || goes_on);
}

/* --- the record --- */

static unsigned place_of(enum fg_coming came)
{
    return came == FG_CAME_BETWEEN ? FG_CAME_BETWEEN : FG_CAME_INSTEAD;
}

static void fade(struct fg_comers_record *record, unsigned place)
{
    enum { MEMORY = 64 };
    if (record->brought_up[place] + record->appeared[place] <= MEMORY)
        return;
    record->brought_up[place] /= 2;
    record->appeared[place] /= 2;
}

static const struct fg_comers_record *find_part(const struct fg_comers *comers,
                                                uint32_t part)
{
    for (size_t i = 0; i < comers->n_parts; i++)
        if (comers->part[i].part == part)
            return &comers->part[i];
    return NULL;
}

/* NULL where there are too many parts: those speak for themselves that came first. */
static struct fg_comers_record *part_to_count(struct fg_comers *comers, uint32_t part)
{
    const struct fg_comers_record *found = find_part(comers, part);
    if (part == FG_PART_ALL || (!found && comers->n_parts == FG_COMERS_PARTS))
        return NULL;
    if (found)
        return &comers->part[found - comers->part];
    comers->part[comers->n_parts] = (struct fg_comers_record){.part = part};
    return &comers->part[comers->n_parts++];
}

static void count(struct fg_comers_record *record, unsigned place, bool was_old)
{
    if (!record)
        return;
    record->brought_up[place] += was_old;
    record->appeared[place] += !was_old;
    fade(record, place);
}

void fg_comers_count(struct fg_comers *comers, uint32_t part, enum fg_coming came,
                     bool was_old)
{
    count(&comers->whole, place_of(came), was_old);
    count(part_to_count(comers, part), place_of(came), was_old);
}

static void count_brief(struct fg_comers_record *record, unsigned place, bool was_counted)
{
    if (!record)
        return;
    record->brought_up[place]++;
    record->appeared[place] -= was_counted && record->appeared[place] > 0;
    fade(record, place);
}

void fg_comers_count_brief(struct fg_comers *comers, uint32_t part, enum fg_coming came)
{
    bool was_counted = came == FG_CAME_BETWEEN || came == FG_CAME_TO_STAY;
    count_brief(&comers->whole, place_of(came), was_counted);
    count_brief(part_to_count(comers, part), place_of(came), was_counted);
}

enum { ENOUGH = 3 };

/* Of the part, if enough has come to it. */
static const struct fg_comers_record *record_of(const struct fg_comers *comers,
                                                uint32_t part, unsigned place)
{
    const struct fg_comers_record *own = find_part(comers, part);
    return own && own->brought_up[place] + own->appeared[place] >= ENOUGH
               ? own
               : &comers->whole;
}

bool fg_comers_bring_up_old(const struct fg_comers *comers, uint32_t part,
                            enum fg_coming came)
{
    unsigned place = place_of(came);
    const struct fg_comers_record *record = record_of(comers, part, place);
    return record->brought_up[place] >= ENOUGH &&
           record->brought_up[place] * 2 >= record->appeared[place];
}

bool fg_comers_are_new(const struct fg_comers *comers, uint32_t part, enum fg_coming came)
{
    const struct fg_comers_record *record = record_of(comers, part, FG_CAME_INSTEAD);
    if (came == FG_CAME_BETWEEN || came == FG_CAME_AS_LIST)
        return !fg_comers_bring_up_old(comers, part, came);
    return came == FG_CAME_INSTEAD && record->appeared[came] >= ENOUGH &&
           record->brought_up[came] * 2 < record->appeared[came];
}

bool fg_comers_are_proven(const struct fg_comers *comers, uint32_t part)
{
    const struct fg_comers_record *record = record_of(comers, part, FG_CAME_BETWEEN);
    return record->appeared[FG_CAME_BETWEEN] >= ENOUGH &&
           !record->brought_up[FG_CAME_BETWEEN];
}

bool fg_comers_only_grow(const struct fg_comers *comers, uint32_t part)
{
    const struct fg_comers_record *own = find_part(comers, part);
    return own && own->appeared[FG_CAME_BETWEEN] >= ENOUGH &&
           !own->brought_up[FG_CAME_BETWEEN] && !own->brought_up[FG_CAME_INSTEAD];
}

bool fg_comers_have_brought_up(const struct fg_comers *comers, uint32_t part)
{
    return record_of(comers, part, FG_CAME_BETWEEN)->brought_up[FG_CAME_BETWEEN];
}

void fg_comers_keep(struct fg_comers *comers, const struct fg_comer *links, size_t n)
{
    comers->order = fg_resized(comers->order, n + 1, sizeof *comers->order);
    if (n)
        memcpy(comers->order, links, n * sizeof *links);
    comers->n = n;
}

/* --- in the store --- */

enum {
    VERSION = 3,
    RECORD = sizeof(struct fg_comers_record),
    HEAD = 8 + RECORD * (1 + FG_COMERS_PARTS), /* version, parts, their records */
    ENTRY = 25,
};

struct fg_str fg_comers_write(const struct fg_comers *comers, struct fg_arena *arena)
{
    size_t len = HEAD + comers->n * ENTRY;
    char *bytes = FG_NEW(arena, char, len), *at = bytes + HEAD;
    memcpy(bytes, &(uint32_t){VERSION}, 4);
    memcpy(bytes + 4, &comers->n_parts, 4);
    memcpy(bytes + 8, &comers->whole, RECORD);
    memcpy(bytes + 8 + RECORD, comers->part, sizeof comers->part);
    for (size_t i = 0; i < comers->n; i++, at += ENTRY) {
        memcpy(at, &comers->order[i].link, 8);
        memcpy(at + 8, &comers->order[i].since, 8);
        memcpy(at + 16, &comers->order[i].came, 1);
        memcpy(at + 17, &comers->order[i].region, 4);
        memcpy(at + 21, &comers->order[i].section, 4);
    }
    return (struct fg_str){bytes, len};
}

bool fg_comers_read(struct fg_comers *comers, struct fg_str bytes)
{
    uint32_t version, n_parts;
    if (bytes.len < HEAD || (bytes.len - HEAD) % ENTRY)
        return false;
    memcpy(&version, bytes.at, 4);
    memcpy(&n_parts, bytes.at + 4, 4);
    if (version != VERSION || n_parts > FG_COMERS_PARTS)
        return false;
    size_t n = (bytes.len - HEAD) / ENTRY;
    const char *at = bytes.at + HEAD;
    comers->order = fg_resized(NULL, n + 1, sizeof *comers->order);
    comers->n = n;
    comers->n_parts = n_parts;
    memcpy(&comers->whole, bytes.at + 8, RECORD);
    memcpy(comers->part, bytes.at + 8 + RECORD, sizeof comers->part);
    for (size_t i = 0; i < n; i++, at += ENTRY) {
        struct fg_comer *comer = &comers->order[i];
        *comer = (struct fg_comer){0};
        memcpy(&comer->link, at, 8);
        memcpy(&comer->since, at + 8, 8);
        memcpy(&comer->came, at + 16, 1);
        memcpy(&comer->region, at + 17, 4);
        memcpy(&comer->section, at + 21, 4);
        if (comer->came > FG_CAME_AS_LIST)
            comer->came = FG_CAME_FIRST;
    }
    return true;
}

bool fg_comers_have_lasted(const struct fg_comers *comers, fg_time last_seen)
{
    size_t lasted = 0;
    for (size_t i = 0; i < comers->n; i++)
        lasted += comers->order[i].since < last_seen;
    return lasted && lasted * 2 >= comers->n;
}
