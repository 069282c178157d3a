/* What a mind knows, as bytes, in parts.
 *
 * A part is saved whole, so what changes at different times lies in different ones: what
 * is known of each site apart from the others, and of that what the passing of time alone
 * changes apart from what takes a visit to change. Who keeps the parts compares each with
 * what it was before. */
#include "base/memory.h"
#include "base/sections.h"
#include "policy/mind_inside.h"

#include <stdio.h>
#include <stdlib.h>

/* One kind of bytes for each part, and one of former versions, which had the rows of all
 * sites side by side. */
static const char *const part_kinds[FG_MIND_PARTS] = {
    [FG_MIND_SHARED] = "FGMIND2\n",
    [FG_MIND_ORDER] = "FGMINDO\n",
    [FG_MIND_LEARNT] = "FGMINDL\n",
    [FG_MIND_PASSING] = "FGMINDP\n",
};
static const char former_kind[] = "FGMIND1\n";

enum { SECTION_NAME = 128, MOST_PART = 1 << 30 };

/* An array with one entry a row, as it is saved. */
struct array {
    char name[SECTION_NAME];
    char *at;
    size_t bytes; /* of an entry */
    enum fg_mind_part part;
};

struct arrays {
    FG_VEC(struct array) list;
};

static void list_array(struct arrays *arrays, const char *name, void *at, size_t bytes)
{
    struct array array = {.at = at, .bytes = bytes, .part = FG_MIND_LEARNT};
    snprintf(array.name, sizeof array.name, "%s", name);
    fg_vec_push(&arrays->list, array);
}

static void list_column(const struct fg_mind *mind, struct arrays *arrays, size_t i)
{
    const struct fg_column *column = &mind->brain.policy->columns[i];
    size_t bytes = fg_column_entry(column);
    for (size_t plane = 0; plane < fg_column_planes(column); plane++) {
        char name[SECTION_NAME], *at = mind->brain.column[i];
        snprintf(name, sizeof name, "column:%s:%d:%u:%zu", column->name,
                 (int)column->type, column->width, plane);
        list_array(arrays, name, at ? at + plane * mind->capacity * bytes : NULL, bytes);
        if (column->is_passing)
            arrays->list.at[arrays->list.len - 1].part = FG_MIND_PASSING;
    }
}

static struct arrays list_arrays(const struct fg_mind *mind)
{
    struct arrays arrays = {0};
    list_array(&arrays, "id", mind->id, sizeof *mind->id);
    list_array(&arrays, "group", mind->group, sizeof *mind->group);
    list_array(&arrays, "weight", mind->weight, sizeof *mind->weight);
    list_array(&arrays, "added", mind->added, sizeof *mind->added);
    list_array(&arrays, "last_visit", mind->last_visit, sizeof *mind->last_visit);
    list_array(&arrays, "last_try", mind->last_try, sizeof *mind->last_try);
    for (size_t i = 0; mind->brain.policy->columns[i].name; i++)
        list_column(mind, &arrays, i);
    return arrays;
}

static size_t begin_part(const struct fg_mind *mind, struct fg_buf *out,
                         enum fg_mind_part part)
{
    const char *policy = mind->brain.policy->name;
    fg_buf_reset(out);
    size_t start = fg_sections_begin(out, part_kinds[part]);
    fg_sections_put(out, "policy", policy, strlen(policy));
    return start;
}

/* What does not fit is not saved: what was saved before stays. */
static void end_part(struct fg_buf *out, size_t start, uint32_t site,
                     enum fg_mind_part part, fg_put_part *put, void *context)
{
    fg_sections_end(out, start);
    if (!out->full)
        put(context, site, part, fg_buf_str(out));
}

static void save_shared(struct fg_mind *mind, struct fg_buf *out, fg_put_part *put,
                        void *context)
{
    const struct fg_policy *policy = mind->brain.policy;
    size_t start = begin_part(mind, out, FG_MIND_SHARED);
    fg_sections_put(out, "ticks", &mind->ticks, sizeof mind->ticks);
    fg_sections_put(out, "latest", &mind->latest, sizeof mind->latest);
    fg_sections_put(out, "ahead", &mind->ahead, sizeof mind->ahead);
    if (policy->self_size && !policy->save)
        fg_sections_put(out, "self", mind->brain.self, policy->self_size);
    if (policy->save) {
        struct fg_buf own;
        fg_buf_init(&own, out->max);
        policy->save(&mind->brain, &own);
        fg_sections_put(out, "own", own.at, own.len);
        fg_buf_clear(&own);
    }
    end_part(out, start, 0, FG_MIND_SHARED, put, context);
    start = begin_part(mind, out, FG_MIND_ORDER);
    fg_sections_put(out, "id", mind->id, mind->world.n * sizeof *mind->id);
    fg_sections_put(out, "sites", mind->sites.at,
                    mind->sites.len * sizeof *mind->sites.at);
    end_part(out, start, 0, FG_MIND_ORDER, put, context);
}

static void put_entries(struct fg_buf *out, const struct array *array,
                        const uint32_t *rows, size_t n)
{
    char *to = fg_sections_room(out, array->name, n * array->bytes);
    for (size_t i = 0; to && i < n; i++)
        memcpy(to + i * array->bytes, array->at + rows[i] * array->bytes, array->bytes);
}

static void save_site(struct fg_mind *mind, uint32_t number, const struct arrays *arrays,
                      const uint32_t *rows, size_t n, struct fg_buf *out,
                      fg_put_part *put, void *context)
{
    struct fg_buf own[FG_MIND_PARTS];
    for (size_t part = FG_MIND_LEARNT; part <= FG_MIND_PASSING; part++)
        fg_buf_init(&own[part], out->max);
    if (n && mind->brain.policy->site.save)
        mind->brain.policy->site.save(&mind->brain, rows, n, &own[FG_MIND_LEARNT],
                                      &own[FG_MIND_PASSING]);
    for (enum fg_mind_part part = FG_MIND_LEARNT; part <= FG_MIND_PASSING; part++) {
        size_t start = begin_part(mind, out, part), before = out->len;
        for (size_t i = 0; n && i < arrays->list.len; i++)
            if (arrays->list.at[i].part == part)
                put_entries(out, &arrays->list.at[i], rows, n);
        if (own[part].len)
            fg_sections_put(out, "own", own[part].at, own[part].len);
        if (out->len > before)
            end_part(out, start, mind->sites.at[number], part, put, context);
        else
            put(context, mind->sites.at[number], part, FG_STR(""));
        fg_buf_clear(&own[part]);
    }
}

/* The rows in order of their sites; those of site s end before end[s]. */
static uint32_t *sort_rows(const struct fg_mind *mind, uint32_t *end)
{
    size_t n = mind->world.n, sites = mind->sites.len;
    uint32_t *rows = fg_zeroed(n + 1, sizeof *rows), sum = 0;
    for (size_t i = 0; i < n; i++)
        end[mind->site[i]]++;
    for (size_t s = 0; s < sites; s++) {
        uint32_t of_site = end[s];
        end[s] = sum;
        sum += of_site;
    }
    for (size_t i = 0; i < n; i++)
        rows[end[mind->site[i]]++] = (uint32_t)i;
    return rows;
}

void fg_mind_save_parts(struct fg_mind *mind, fg_put_part *put, void *context)
{
    struct fg_buf out;
    fg_buf_init(&out, MOST_PART);
    save_shared(mind, &out, put, context);
    struct arrays arrays = list_arrays(mind);
    uint32_t *end = fg_zeroed(mind->sites.len + 1, sizeof *end),
             *rows = sort_rows(mind, end), first = 0;
    for (uint32_t s = 0; s < mind->sites.len; first = end[s++])
        save_site(mind, s, &arrays, rows + first, end[s] - first, &out, put, context);
    free(rows);
    free(end);
    fg_vec_clear(&arrays.list);
    fg_buf_clear(&out);
}

/* --- loading --- */

/* What was saved of the pages of one site; in a former state, of all. */
struct site_state {
    uint32_t site;
    struct fg_str of[FG_MIND_PARTS]; /* learnt and passing */
};

struct loading {
    struct fg_mind *mind;
    struct fg_str shared, order;
    FG_VEC(struct site_state) sites;
    struct fg_map site_of; /* by id of a page, + 1 */
    size_t bytes;          /* that were read */
    bool is_former;        /* what the policy knows of sites is in what they share */
};

static enum fg_status open_part(struct loading *loading, struct fg_str *all,
                                struct fg_str bytes, const char *kind, struct fg_err *err)
{
    const char *policy = loading->mind->brain.policy->name;
    char what[64];
    snprintf(what, sizeof what, "policy '%s'", policy);
    enum fg_status st = fg_sections_open(all, bytes, kind, what, err);
    if (st)
        return st;
    loading->bytes += bytes.len;
    struct fg_str name = fg_sections_find(*all, "policy");
    if (fg_str_eq(name, fg_str_from(policy)))
        return FG_OK;
    return fg_fail(err, FG_EINPUT, "the saved state is of policy '%.*s', not '%s'",
                   FG_ARG(name), policy);
}

static uint64_t id_at(struct fg_str ids, size_t i)
{
    uint64_t id;
    memcpy(&id, ids.at + i * sizeof id, sizeof id);
    return id;
}

static uint32_t site_at(struct fg_str sites, size_t i)
{
    uint32_t site;
    memcpy(&site, sites.at + i * sizeof site, sizeof site);
    return site;
}

static struct fg_str ids_of(const struct site_state *state, size_t *n)
{
    struct fg_str ids = fg_sections_find(state->of[FG_MIND_LEARNT], "id");
    *n = ids.len / sizeof(uint64_t);
    return ids;
}

static enum fg_status no_sense(struct fg_err *err)
{
    return fg_fail(err, FG_EINPUT, "the saved state makes no sense");
}

static enum fg_status note_site(struct loading *loading, size_t i, uint32_t site,
                                struct fg_err *err)
{
    uint64_t *known = fg_map_put(&loading->site_of, i);
    if (*known)
        return no_sense(err);
    *known = site + 1ULL;
    return FG_OK;
}

static void forget_all(struct fg_mind *mind)
{
    while (mind->world.n)
        fg_mind_remove(mind, mind->id[mind->world.n - 1]);
    fg_map_clear(&mind->site_numbers);
    mind->sites.len = mind->world.sites = mind->world.groups = 0;
}

/* Rows and sites get the numbers that they had. A site may have been forgotten since: its
 * pages stand in, as those of a site that cannot be, until the policy has read what it
 * wrote of rows by their numbers. */
static const uint32_t no_site = UINT32_MAX;

static void place_rows(struct loading *loading)
{
    struct fg_mind *mind = loading->mind;
    struct fg_str ids = fg_sections_find(loading->order, "id"),
                  sites = fg_sections_find(loading->order, "sites");
    forget_all(mind);
    for (size_t i = 0; i < sites.len / sizeof(uint32_t); i++)
        fg_mind_site_number(mind, site_at(sites, i));
    for (size_t i = 0; i < loading->sites.len; i++)
        fg_mind_site_number(mind, loading->sites.at[i].site);
    for (size_t i = 0; i < ids.len / sizeof(uint64_t); i++) {
        const uint64_t *site = fg_map_get(&loading->site_of, id_at(ids, i));
        fg_mind_add(mind, id_at(ids, i), site ? (uint32_t)(*site - 1) : no_site, 0);
    }
    for (size_t k = 0, n; k < loading->sites.len; k++) {
        struct fg_str own = ids_of(&loading->sites.at[k], &n);
        for (size_t i = 0; i < n; i++)
            fg_mind_add(mind, id_at(own, i), loading->sites.at[k].site, 0);
    }
}

static void remove_stand_ins(struct loading *loading)
{
    struct fg_mind *mind = loading->mind;
    for (size_t i = mind->world.n; i-- > 0;)
        if (!fg_map_get(&loading->site_of, mind->id[i]))
            fg_mind_remove(mind, mind->id[i]);
    if (fg_map_remove(&mind->site_numbers, no_site))
        mind->world.sites = --mind->sites.len;
}

static void take_entries(const struct fg_mind *mind, const struct site_state *state,
                         const struct arrays *arrays)
{
    size_t n;
    struct fg_str ids = ids_of(state, &n);
    for (size_t k = 1; k < arrays->list.len; k++) { /* the first is the id */
        const struct array *array = &arrays->list.at[k];
        struct fg_str entries = fg_sections_find(state->of[array->part], array->name);
        for (size_t i = 0; entries.len == n * array->bytes && i < n; i++)
            memcpy(array->at + fg_mind_row(mind, id_at(ids, i)) * array->bytes,
                   entries.at + i * array->bytes, array->bytes);
    }
}

static void check_rows(const struct fg_mind *mind, uint32_t *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (rows[i] > mind->world.n)
            rows[i] = 0;
}

static void check_times(fg_time *times, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (times[i] != FG_NEVER && (times[i] < -FG_TIME_MOST || times[i] > FG_TIME_MOST))
            times[i] = 0;
}

static void check_columns(const struct fg_mind *mind)
{
    const struct fg_column *columns = mind->brain.policy->columns;
    for (size_t i = 0; columns[i].name; i++) {
        size_t planes = fg_column_planes(&columns[i]),
               n = (planes > 1 ? mind->capacity : mind->world.n) *
                   (columns[i].width ? columns[i].width : 1);
        if (columns[i].holds == FG_ROWS)
            check_rows(mind, mind->brain.u32[i], n);
        if (columns[i].holds == FG_TIMES)
            check_times(mind->brain.i64[i], n);
    }
    check_times(mind->added, mind->world.n);
    check_times(mind->last_visit, mind->world.n);
    check_times(mind->last_try, mind->world.n);
}

/* A policy has memory for each group up to the highest number. */
static void check_groups(struct fg_mind *mind, size_t most)
{
    for (size_t i = 0; i < mind->world.n; i++)
        fg_mind_set_group(mind, i,
                          mind->group[i] < most ? mind->group[i] : mind->site[i]);
}

static bool load_site(struct fg_mind *mind, const struct site_state *state)
{
    size_t n;
    struct fg_str ids = ids_of(state, &n),
                  learnt = fg_sections_find(state->of[FG_MIND_LEARNT], "own"),
                  passing = fg_sections_find(state->of[FG_MIND_PASSING], "own");
    uint32_t *rows = fg_zeroed(n + 1, sizeof *rows);
    for (size_t i = 0; i < n; i++)
        rows[i] = (uint32_t)fg_mind_row(mind, id_at(ids, i));
    bool is_good =
        !n || mind->brain.policy->site.load(&mind->brain, rows, n, learnt, passing);
    free(rows);
    return is_good;
}

/* The rows are there; now what is known of them. */
static enum fg_status take_state(struct loading *loading, struct fg_err *err)
{
    struct fg_mind *mind = loading->mind;
    const struct fg_policy *policy = mind->brain.policy;
    struct arrays arrays = list_arrays(mind);
    for (size_t i = 0; i < loading->sites.len; i++)
        take_entries(mind, &loading->sites.at[i], &arrays);
    fg_vec_clear(&arrays.list);
    check_columns(mind);
    check_groups(mind, loading->bytes);
    fg_sections_copy(loading->shared, "ticks", &mind->ticks, sizeof mind->ticks);
    fg_sections_copy(loading->shared, "latest", &mind->latest, sizeof mind->latest);
    fg_sections_copy(loading->shared, "ahead", &mind->ahead, sizeof mind->ahead);
    check_times(&mind->latest, 1);
    check_times(&mind->ahead, 1);
    if (mind->ahead == FG_NEVER)
        mind->ahead = 0;
    bool is_good = !policy->load ||
                   policy->load(&mind->brain, fg_sections_find(loading->shared, "own"));
    if (!policy->load)
        fg_sections_copy(loading->shared, "self", mind->brain.self, policy->self_size);
    bool by_site = policy->site.load && !loading->is_former;
    for (size_t i = 0; is_good && by_site && i < loading->sites.len; i++)
        is_good = load_site(mind, &loading->sites.at[i]);
    if (is_good)
        return FG_OK;
    return fg_fail(err, FG_EINPUT, "policy '%s' cannot read its saved state",
                   policy->name);
}

/* There a site has the number that the outside knows it by: it keeps it. */
static enum fg_status load_former(struct loading *loading, struct fg_str bytes,
                                  struct fg_err *err)
{
    struct fg_mind *mind = loading->mind;
    enum fg_status st = open_part(loading, &loading->shared, bytes, former_kind, err);
    if (st)
        return st;
    struct site_state state = {
        .of = {[FG_MIND_LEARNT] = loading->shared, [FG_MIND_PASSING] = loading->shared}};
    size_t n, last = 0;
    struct fg_str ids = ids_of(&state, &n),
                  sites = fg_sections_find(loading->shared, "site");
    if (sites.len != n * sizeof(uint32_t))
        return no_sense(err);
    for (size_t i = 0; i < n; i++)
        last = site_at(sites, i) > last ? site_at(sites, i) : last;
    for (size_t i = 0; !st && i < n; i++)
        st = note_site(loading, id_at(ids, i), site_at(sites, i), err);
    if (st || last > bytes.len)
        return no_sense(err);
    forget_all(mind);
    for (size_t site = 0; site <= last; site++)
        fg_mind_site_number(mind, (uint32_t)site);
    for (size_t i = 0; i < n; i++)
        fg_mind_add(mind, id_at(ids, i), site_at(sites, i), 0);
    fg_vec_push(&loading->sites, state);
    loading->is_former = true;
    return take_state(loading, err);
}

static enum fg_status read_site(struct loading *loading, uint32_t site, fg_get_part *get,
                                void *context, struct fg_err *err)
{
    struct site_state state = {.site = site};
    enum fg_status st = FG_OK;
    for (enum fg_mind_part part = FG_MIND_LEARNT; !st && part <= FG_MIND_PASSING;
         part++) {
        struct fg_str bytes = get(context, site, part);
        if (!bytes.len && part == FG_MIND_LEARNT)
            return FG_OK;
        if (bytes.len)
            st = open_part(loading, &state.of[part], bytes, part_kinds[part], err);
    }
    size_t n;
    struct fg_str ids = ids_of(&state, &n);
    for (size_t i = 0; !st && i < n; i++)
        st = note_site(loading, id_at(ids, i), site, err);
    if (!st && n)
        fg_vec_push(&loading->sites, state);
    return st;
}

static bool is_kind(struct fg_str bytes, const char *kind)
{
    return fg_str_starts(bytes, fg_str_from(kind));
}

static enum fg_status load_parts(struct loading *loading, const uint32_t *sites, size_t n,
                                 fg_get_part *get, void *context, struct fg_err *err)
{
    struct fg_str shared = get(context, 0, FG_MIND_SHARED),
                  order = get(context, 0, FG_MIND_ORDER);
    if (is_kind(shared, former_kind))
        return load_former(loading, shared, err);
    enum fg_status st =
        open_part(loading, &loading->shared, shared, part_kinds[FG_MIND_SHARED], err);
    if (!st)
        st = open_part(loading, &loading->order, order, part_kinds[FG_MIND_ORDER], err);
    for (size_t i = 0; !st && i < n; i++)
        st = read_site(loading, sites[i], get, context, err);
    if (st)
        return st;
    place_rows(loading);
    st = take_state(loading, err);
    remove_stand_ins(loading);
    return st;
}

enum fg_status fg_mind_load_parts(struct fg_mind *mind, const uint32_t *sites, size_t n,
                                  fg_get_part *get, void *context, struct fg_err *err)
{
    struct loading loading = {.mind = mind};
    enum fg_status st = load_parts(&loading, sites, n, get, context, err);
    fg_vec_clear(&loading.sites);
    fg_map_clear(&loading.site_of);
    return st;
}

const struct fg_policy *fg_mind_policy_of(struct fg_str shared, enum fg_task task)
{
    struct fg_str all;
    const char *kind =
        is_kind(shared, former_kind) ? former_kind : part_kinds[FG_MIND_SHARED];
    if (fg_sections_open(&all, shared, kind, "a policy", NULL))
        return NULL;
    return fg_policy_find(fg_sections_find(all, "policy"), task);
}
