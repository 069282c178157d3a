#include "policy/discovery/type_table.h"

#include "policy/discovery/exposure_model.h"

#include <math.h>
#include <string.h>

enum { ORIGIN_HOURS = 240, LEAST_SWEEP = 256 };
static const double negligible = 0.01; /* weight of a type whose links were forgotten */

void fg_types_clear(struct fg_type_table *table)
{
    for (size_t i = 0; i < table->slots.len; i++)
        fg_vec_clear(&table->slots.at[i].types);
    fg_vec_clear(&table->slots);
    fg_vec_clear(&table->types);
    fg_vec_clear(&table->members);
    fg_vec_clear(&table->free);
    fg_map_clear(&table->by_key);
}

uint32_t fg_types_open(struct fg_type_table *table, uint32_t row)
{
    if (!table->free.len) {
        fg_vec_push(&table->slots, (struct fg_type_slot){.row = row});
        return (uint32_t)table->slots.len - 1;
    }
    uint32_t slot = table->free.at[--table->free.len];
    table->slots.at[slot].row = row;
    return slot;
}

void fg_types_close(struct fg_type_table *table, uint32_t slot)
{
    table->slots.at[slot].row = FG_SLOT_FREE;
    table->slots.at[slot].types.len = 0;
    fg_vec_push(&table->free, slot);
}

/* --- sets --- */

/* The finaliser of splitmix64: every bit of a slot moves half the bits of the key, so
 * that different sets have different xors but for one chance in 2^64 a pair. */
static uint64_t key_of(uint32_t slot)
{
    uint64_t x = ((uint64_t)slot + 1) * 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

bool fg_types_has(const struct fg_type_table *table, uint32_t type, uint32_t slot)
{
    const struct fg_link_type *t = &table->types.at[type];
    for (uint32_t i = 0; i < t->n; i++)
        if (table->members.at[t->first + i] == slot)
            return true;
    return false;
}

uint32_t fg_types_now(const struct fg_type_table *table, uint32_t type)
{
    for (size_t steps = 0; type != FG_NO_TYPE; steps++) {
        if (table->types.at[type].became == type)
            return type;
        /* a circle is in no table but one that somebody wrote into */
        type = steps < table->types.len ? table->types.at[type].became : FG_NO_TYPE;
    }
    return type;
}

static uint32_t find(const struct fg_type_table *table, uint64_t key)
{
    const uint64_t *number = fg_map_get(&table->by_key, key);
    return number ? (uint32_t)(*number - 1) : FG_NO_TYPE;
}

/* A type with the slots that were pushed onto `members` from `first` on. */
static uint32_t make(struct fg_type_table *table, uint64_t key, size_t first)
{
    uint32_t type = (uint32_t)table->types.len;
    uint32_t n = (uint32_t)(table->members.len - first);
    fg_vec_push(&table->types,
                (struct fg_link_type){
                    .key = key, .first = (uint32_t)first, .n = n, .became = type});
    *fg_map_put(&table->by_key, key) = (uint64_t)type + 1;
    for (size_t i = first; i < table->members.len; i++)
        fg_vec_push(&table->slots.at[table->members.at[i]].types, type);
    return type;
}

static void push_members(struct fg_type_table *table, uint32_t type, uint32_t but)
{
    struct fg_link_type t = table->types.at[type];
    for (uint32_t i = 0; i < t.n; i++)
        if (table->members.at[t.first + i] != but) {
            uint32_t slot = table->members.at[t.first + i];
            fg_vec_push(&table->members, slot);
        }
}

uint32_t fg_types_single(struct fg_type_table *table, uint32_t slot)
{
    uint32_t type = find(table, key_of(slot));
    if (type != FG_NO_TYPE)
        return type;
    size_t first = table->members.len;
    fg_vec_push(&table->members, slot);
    return make(table, key_of(slot), first);
}

uint32_t fg_types_with(struct fg_type_table *table, uint32_t type, uint32_t slot)
{
    uint64_t key = table->types.at[type].key ^ key_of(slot);
    uint32_t wider = find(table, key);
    if (wider != FG_NO_TYPE)
        return wider;
    if (table->types.at[type].n >= FG_TYPE_MEMBERS || table->types.len >= FG_TYPES_MAX)
        return type;
    size_t first = table->members.len;
    push_members(table, type, UINT32_MAX);
    fg_vec_push(&table->members, slot);
    return make(table, key, first);
}

static uint32_t find_or_make_without(struct fg_type_table *table, uint32_t type,
                                     uint32_t slot, bool *made)
{
    if (table->types.at[type].n == 1)
        return FG_NO_TYPE;
    uint64_t key = table->types.at[type].key ^ key_of(slot);
    uint32_t narrower = find(table, key);
    if (narrower != FG_NO_TYPE)
        return narrower;
    size_t first = table->members.len;
    push_members(table, type, slot);
    *made = true;
    return make(table, key, first);
}

uint32_t fg_types_without(struct fg_type_table *table, uint32_t type, uint32_t slot,
                          bool *made)
{
    *made = false;
    uint32_t to = find_or_make_without(table, type, slot, made);
    struct fg_link_type *from = &table->types.at[type];
    if (to != FG_NO_TYPE) {
        table->types.at[to].slow += from->slow;
        table->types.at[to].fast += from->fast;
        table->types.at[to].links += from->links;
    }
    from->slow = from->fast = from->value = 0;
    from->links = 0;
    from->became = to;
    fg_map_remove(&table->by_key, from->key);
    return to;
}

/* --- weights --- */

double fg_types_slow_factor(const struct fg_type_table *table, double hour)
{
    return fg_fade(hour - table->origin, table->slow);
}

double fg_types_fast_factor(const struct fg_type_table *table, double hour)
{
    return fg_fade(hour - table->origin, table->fast);
}

/* A clock that was set back by long would make the weights infinite: they stay. */
static void move_origin(struct fg_type_table *table, double hour)
{
    bool is_set_back = hour < table->origin - ORIGIN_HOURS;
    double slow = is_set_back ? 1 : fg_types_slow_factor(table, hour);
    double fast = is_set_back ? 1 : fg_types_fast_factor(table, hour);
    for (size_t i = 0; i < table->types.len; i++) {
        table->types.at[i].slow *= slow;
        table->types.at[i].fast *= fast;
    }
    table->origin = hour;
}

void fg_types_credit(struct fg_type_table *table, uint32_t type, double found, int sign)
{
    struct fg_link_type *t = &table->types.at[type];
    if (found - table->origin > ORIGIN_HOURS)
        move_origin(table, found); /* the first link of a site may precede any choice */
    t->links += (uint32_t)sign;
    t->slow += sign * fg_fade(table->origin - found, table->slow);
    t->fast += sign * fg_fade(table->origin - found, table->fast);
    t->slow = t->slow > 0 ? t->slow : 0; /* rounding, of what has faded */
    t->fast = t->fast > 0 ? t->fast : 0;
}

/* --- sweeping --- */

static void sweep(struct fg_type_table *table, double hour, struct fg_link_memory *links)
{
    double least = negligible / fg_types_slow_factor(table, hour);
    struct fg_type_table kept = {.slow = table->slow,
                                 .fast = table->fast,
                                 .origin = table->origin,
                                 .slots = table->slots};
    FG_VEC(uint32_t) number = {0};
    for (size_t i = 0; i < kept.slots.len; i++)
        kept.slots.at[i].types.len = 0;
    for (size_t i = 0; i < table->types.len; i++) {
        struct fg_link_type t = table->types.at[i];
        bool stays = t.became == i && (t.links || t.slow >= least);
        fg_vec_push(&number, stays ? (uint32_t)kept.types.len : FG_NO_TYPE);
        if (!stays)
            continue;
        size_t first = kept.members.len;
        for (uint32_t m = 0; m < t.n; m++)
            fg_vec_push(&kept.members, table->members.at[t.first + m]);
        t.became = make(&kept, t.key, first);
        t.first = (uint32_t)first;
        kept.types.at[t.became] = t;
    }
    for (size_t i = 0; i < fg_link_memory_len(links); i++) {
        struct fg_recent_link *link = fg_link_memory_at(links, i);
        uint32_t now = fg_types_now(table, link->type);
        link->type = now == FG_NO_TYPE ? now : number.at[now];
    }
    fg_vec_clear(&number);
    kept.free.at = table->free.at;
    kept.free.len = table->free.len;
    kept.free.capacity = table->free.capacity;
    fg_vec_clear(&table->types);
    fg_vec_clear(&table->members);
    fg_map_clear(&table->by_key);
    *table = kept;
}

void fg_types_tidy(struct fg_type_table *table, double hour, struct fg_link_memory *links)
{
    if (hour - table->origin > ORIGIN_HOURS || hour < table->origin)
        move_origin(table, hour);
    if (table->types.len < LEAST_SWEEP || table->types.len < table->sweep_at)
        return;
    sweep(table, hour, links);
    /* Past the maximum every tick would sweep in vain: wait for a quarter more. */
    table->sweep_at = table->types.len + table->types.len / 2;
    if (table->sweep_at > FG_TYPES_MAX && table->types.len < FG_TYPES_MAX)
        table->sweep_at = FG_TYPES_MAX;
}

/* --- saving --- */

static void put(struct fg_buf *out, const void *at, size_t n, size_t bytes)
{
    uint64_t count = n;
    fg_buf_add(out, (struct fg_str){(const char *)&count, sizeof count});
    fg_buf_add(out, (struct fg_str){at, n * bytes});
}

void fg_types_save(const struct fg_type_table *table, struct fg_buf *out)
{
    double origin = table->origin;
    put(out, &origin, 1, sizeof origin);
    put(out, &table->sweep_at, 1, sizeof table->sweep_at);
    put(out, NULL, table->slots.len, 0);
    put(out, table->free.at, table->free.len, sizeof *table->free.at);
    put(out, table->members.at, table->members.len, sizeof *table->members.at);
    put(out, NULL, table->types.len, 0);
    for (size_t i = 0; i < table->types.len; i++) {
        struct fg_link_type type = table->types.at[i];
        /* Of the choice at hand: as if there had been none. */
        type.phi_now = type.value = type.delay = 0;
        type.summed = NAN;
        fg_buf_add(out, (struct fg_str){(const char *)&type, sizeof type});
    }
}

/* The next array of the saved bytes; SIZE_MAX if it is not there. */
static size_t get(struct fg_str *bytes, size_t size, const char **at)
{
    uint64_t n;
    if (!fg_str_take(bytes, &n, sizeof n) || n > UINT32_MAX || n * size > bytes->len)
        return SIZE_MAX;
    *at = bytes->at;
    *bytes = fg_str_skip(*bytes, (size_t)n * size);
    return (size_t)n;
}

static bool get_one(struct fg_str *bytes, size_t size, void *to)
{
    const char *at;
    if (get(bytes, size, &at) != 1)
        return false;
    memcpy(to, at, size);
    return true;
}

static bool get_free(struct fg_type_table *table, const char *at, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t slot;
        memcpy(&slot, at + i * sizeof slot, sizeof slot);
        if (slot >= table->slots.len || table->slots.at[slot].row == FG_SLOT_FREE)
            return false;
        table->slots.at[slot].row = FG_SLOT_FREE;
        fg_vec_push(&table->free, slot);
    }
    return true;
}

static bool get_members(struct fg_type_table *table, const char *at, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t slot;
        memcpy(&slot, at + i * sizeof slot, sizeof slot);
        if (slot >= table->slots.len)
            return false;
        fg_vec_push(&table->members, slot);
    }
    return true;
}

static bool get_slots(struct fg_type_table *table, size_t sources, struct fg_str *bytes)
{
    const char *at;
    size_t n = get(bytes, 0, &at), n_free = get(bytes, sizeof(uint32_t), &at);
    if (n == SIZE_MAX || n_free == SIZE_MAX || n_free > n || n - n_free != sources)
        return false;
    for (size_t i = 0; i < n; i++)
        fg_vec_push(&table->slots, (struct fg_type_slot){.row = FG_SLOT_WAITS});
    if (!get_free(table, at, n_free))
        return false;
    n = get(bytes, sizeof(uint32_t), &at);
    return n != SIZE_MAX && get_members(table, at, n);
}

bool fg_types_take_slot(struct fg_type_table *table, uint32_t slot, uint32_t row)
{
    if (slot >= table->slots.len || table->slots.at[slot].row != FG_SLOT_WAITS)
        return false;
    table->slots.at[slot].row = row;
    return true;
}

/* A type that lives is a set of sources that are there, each once. */
static bool list_by_slot(struct fg_type_table *table, const struct fg_link_type *type,
                         uint32_t number)
{
    uint64_t key = 0;
    for (uint32_t i = 0; i < type->n; i++) {
        uint32_t slot = table->members.at[type->first + i];
        struct fg_type_slot *of = &table->slots.at[slot];
        if (of->row == FG_SLOT_FREE ||
            (of->types.len && of->types.at[of->types.len - 1] == number))
            return false;
        fg_vec_push(&of->types, number);
        key ^= key_of(slot);
    }
    return type->n && key == type->key;
}

/* Types and their numbers by slot are in the order they were made in. */
static bool put_type(struct fg_type_table *table, struct fg_link_type type, size_t n)
{
    uint32_t number = (uint32_t)table->types.len;
    if (type.first > table->members.len || type.n > table->members.len - type.first ||
        (type.became != FG_NO_TYPE && type.became >= n))
        return false;
    fg_vec_push(&table->types, type);
    if (type.became != number)
        return true;
    *fg_map_put(&table->by_key, type.key) = (uint64_t)number + 1;
    return list_by_slot(table, &type, number);
}

bool fg_types_load(struct fg_type_table *table, size_t sources, struct fg_str *bytes)
{
    const char *at;
    if (!get_one(bytes, sizeof table->origin, &table->origin) ||
        !get_one(bytes, sizeof table->sweep_at, &table->sweep_at) ||
        !get_slots(table, sources, bytes))
        return false;
    size_t n = get(bytes, sizeof(struct fg_link_type), &at);
    bool is_good = n != SIZE_MAX;
    for (size_t i = 0; is_good && i < n; i++) {
        struct fg_link_type type;
        memcpy(&type, at + i * sizeof type, sizeof type);
        is_good = put_type(table, type, n);
    }
    return is_good;
}
