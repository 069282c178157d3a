/* The index. Call the part of a pattern before its first wildcard its stem. Sort the
 * stems; rules with the same stem form a node. If a stem is a beginning of the path, then
 * it is also a beginning of every stem that sorts between it and the path. So all stems
 * that fit are found by going from the last stem that does not sort behind the path up
 * through ever shorter beginnings: each node's parent. This needs no trie and no
 * pointers. */
#include "net/robots/rules.h"

#include "base/vec.h"

#include <stdlib.h>

enum { NONE = UINT32_MAX, GRAM_BITS = 12, FEW = 8 };

struct rule {
    const char *tail; /* behind the stem: empty, "$", or something that starts with '*' */
    uint32_t tail_len;
    uint32_t octets;
    bool allow;
};

/* Two trigrams that a path must have for the rule to match; 0 is in every path. They lie
 * apart from the rules, since most rules are passed over by them alone. */
struct grams {
    uint16_t first, last;
};

struct node {
    struct fg_str stem;
    uint32_t parent;     /* the longest stem that is a proper beginning of this one */
    uint32_t first, end; /* its rules, those that would decide first */
    uint32_t most;       /* octets of the longest rule here or further up */
};

struct fg_rules {
    const struct rule *rules;
    const struct grams *grams; /* of each rule */
    const struct node *nodes;
    uint32_t n_rules, n_nodes;
};

/* What becomes of a character: kept; escaped; the wildcard and the anchor, which are
 * escaped in a path and special in a pattern. */
enum { ESCAPE, UNRESERVED, RESERVED, STAR, DOLLAR };

/* RFC 3986, 2.2 and 2.3. */
static const unsigned char kind_of[256] = {
    ['0' ... '9'] = UNRESERVED,
    ['A' ... 'Z'] = UNRESERVED,
    ['a' ... 'z'] = UNRESERVED,
    ['-'] = UNRESERVED,
    ['.'] = UNRESERVED,
    ['_'] = UNRESERVED,
    ['~'] = UNRESERVED,
    [':'] = RESERVED,
    ['/'] = RESERVED,
    ['?'] = RESERVED,
    ['#'] = RESERVED,
    ['['] = RESERVED,
    [']'] = RESERVED,
    ['@'] = RESERVED,
    ['!'] = RESERVED,
    ['&'] = RESERVED,
    ['\''] = RESERVED,
    ['('] = RESERVED,
    [')'] = RESERVED,
    ['+'] = RESERVED,
    [','] = RESERVED,
    [';'] = RESERVED,
    ['='] = RESERVED,
    ['*'] = STAR,
    ['$'] = DOLLAR,
};

static size_t put_escape(char *out, unsigned char c)
{
    static const char hex[] = "0123456789ABCDEF";
    out[0] = '%';
    out[1] = hex[c >> 4];
    out[2] = hex[c & 15];
    return 3;
}

struct form {
    bool is_pattern;
    bool opens_query; /* reserved characters lose their escape behind the first '?' */
};

static int escaped_at(struct fg_str in, size_t i)
{
    if (in.at[i] != '%' || i + 2 >= in.len)
        return -1;
    int high = fg_hex(in.at[i + 1]), low = fg_hex(in.at[i + 2]);
    return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/* Writes the normal form and returns its length, which is at most three times that of the
 * input; FG_NOT_FOUND if there is no room. `*opened` becomes true if there is a query
 * whose opened form would be another. A stray '%' stays, since rules such as "/go?to=%"
 * are meant for whatever escape follows; but what comes right behind it keeps its escape,
 * or the two might join to a new one. */
static size_t normalise(char *out, size_t room, struct fg_str in, struct form form,
                        bool *opened)
{
    size_t n = 0, behind_stray = 0;
    bool in_query = false;
    for (size_t i = 0; i < in.len; i++) {
        if (room - n < 3)
            return FG_NOT_FOUND;
        int escaped = escaped_at(in, i);
        unsigned char c = (unsigned char)(escaped >= 0 ? escaped : in.at[i]);
        int kind = kind_of[c];
        bool keep;
        if (escaped >= 0) {
            bool opens = in_query && kind == RESERVED && c != '#';
            *opened |= opens;
            keep =
                (kind == UNRESERVED && n >= behind_stray) || (opens && form.opens_query);
            i += 2;
        } else if (kind == STAR || kind == DOLLAR) {
            keep = form.is_pattern && (kind == STAR || i + 1 == in.len);
        } else {
            in_query |= c == '?';
            keep = kind != ESCAPE || c == '%';
            behind_stray = c == '%' ? n + 3 : behind_stray;
        }
        if (keep)
            out[n++] = (char)c;
        else
            n += put_escape(out + n, c);
    }
    return n;
}

static struct fg_str normal_pattern(struct fg_arena *arena, struct fg_str pattern,
                                    bool opens_query, bool *opened)
{
    size_t room = pattern.len * 3 + 3;
    char *at = fg_arena_bytes(arena, room);
    struct form form = {.is_pattern = true, .opens_query = opens_query};
    return (struct fg_str){at, normalise(at, room, pattern, form, opened)};
}

struct fg_str fg_rule_normalise(struct fg_arena *arena, struct fg_str pattern)
{
    bool opened = false;
    return normal_pattern(arena, pattern, false, &opened);
}

static uint16_t gram_at(const char *at)
{
    uint32_t x = (uint32_t)(unsigned char)at[0] | (uint32_t)(unsigned char)at[1] << 8 |
                 (uint32_t)(unsigned char)at[2] << 16;
    return (uint16_t)((x * UINT32_C(0x9E3779B1)) >> (32 - GRAM_BITS));
}

/* The first and the last trigram of the longest literal part. */
static struct grams grams_of(struct fg_str tail)
{
    struct fg_str part, longest = {0};
    if (fg_str_ends(tail, FG_STR("$")))
        tail.len--;
    while (fg_str_cut(&tail, '*', &part))
        if (part.len > longest.len)
            longest = part;
    if (longest.len < 3)
        return (struct grams){0};
    return (struct grams){gram_at(longest.at), gram_at(longest.at + longest.len - 3)};
}

/* A rule on its way into the index. */
struct entry {
    struct fg_str stem, tail; /* one text: the tail follows the stem */
    uint32_t octets;
    bool allow;
};

static struct entry entry_from(struct fg_str pattern, size_t octets, bool allow)
{
    size_t stem = fg_str_chr(pattern, '*');
    if (stem == FG_NOT_FOUND)
        stem = fg_str_ends(pattern, FG_STR("$")) ? pattern.len - 1 : pattern.len;
    return (struct entry){.stem = fg_str_sub(pattern, 0, stem),
                          .tail = fg_str_skip(pattern, stem),
                          .octets = (uint32_t)octets,
                          .allow = allow};
}

/* By stem; then as they would decide: longest first, Allow before Disallow. */
static int by_stem(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = fg_str_cmp(x->stem, y->stem);
    if (order)
        return order;
    if (x->octets != y->octets)
        return x->octets > y->octets ? -1 : 1;
    if (x->allow != y->allow)
        return x->allow ? -1 : 1;
    return fg_str_cmp(x->tail, y->tail);
}

static bool is_same(const struct entry *a, const struct entry *b)
{
    return fg_str_eq(a->stem, b->stem) && fg_str_eq(a->tail, b->tail) &&
           a->octets == b->octets && a->allow == b->allow;
}

/* Normal forms in their order, each once. */
static size_t collect(struct entry *entries, struct fg_arena *scratch,
                      const struct fg_rule *list, size_t n)
{
    size_t len = 0;
    for (size_t i = 0; i < n; i++) {
        if (!list[i].pattern.len)
            continue;
        bool opened = false;
        struct fg_str strict = normal_pattern(scratch, list[i].pattern, false, &opened);
        entries[len++] = entry_from(strict, strict.len, list[i].allow);
        if (!opened)
            continue;
        struct fg_str open = normal_pattern(scratch, list[i].pattern, true, &opened);
        entries[len++] = entry_from(open, strict.len, list[i].allow);
    }
    if (!len)
        return 0;
    qsort(entries, len, sizeof *entries, by_stem);
    size_t unique = 1;
    for (size_t i = 1; i < len; i++)
        if (!is_same(&entries[i], &entries[unique - 1]))
            entries[unique++] = entries[i];
    return unique;
}

static uint32_t parent_of(const struct node *nodes, uint32_t at)
{
    uint32_t up = at ? at - 1 : NONE;
    while (up != NONE && !fg_str_starts(nodes[at].stem, nodes[up].stem))
        up = nodes[up].parent;
    return up;
}

/* Add the entry to the last node, or to a new one behind it. */
static void add_to_node(struct node *nodes, uint32_t *n_nodes, const struct entry *entry,
                        uint32_t at)
{
    if (!*n_nodes || !fg_str_eq(nodes[*n_nodes - 1].stem, entry->stem)) {
        struct node *node = &nodes[*n_nodes];
        *node = (struct node){.stem = entry->stem, .first = at, .most = entry->octets};
        node->parent = parent_of(nodes, *n_nodes);
        if (node->parent != NONE && nodes[node->parent].most > node->most)
            node->most = nodes[node->parent].most;
        ++*n_nodes;
    }
    nodes[*n_nodes - 1].end = at + 1;
}

const struct fg_rules *fg_rules_index(struct fg_arena *arena, const struct fg_rule *list,
                                      size_t n)
{
    struct fg_arena scratch = {0};
    struct entry *entries = FG_NEW(&scratch, struct entry, n * 2);
    uint32_t len = (uint32_t)collect(entries, &scratch, list, n);
    struct rule *rules = FG_NEW(arena, struct rule, len);
    struct grams *grams = FG_NEW(arena, struct grams, len);
    struct node *nodes = FG_NEW(arena, struct node, len);
    uint32_t n_nodes = 0;
    for (uint32_t i = 0; i < len; i++) {
        struct entry *e = &entries[i];
        size_t stem = e->stem.len, tail = e->tail.len;
        const char *at = fg_arena_dup(arena, (struct fg_str){e->stem.at, stem + tail}).at;
        e->stem.at = at;
        add_to_node(nodes, &n_nodes, e, i);
        grams[i] = grams_of((struct fg_str){at + stem, tail});
        rules[i] = (struct rule){at + stem, (uint32_t)tail, e->octets, e->allow};
    }
    struct fg_rules *index = FG_NEW(arena, struct fg_rules, 1);
    *index = (struct fg_rules){rules, grams, nodes, len, n_nodes};
    fg_arena_clear(&scratch);
    return index;
}

size_t fg_rules_count(const struct fg_rules *rules)
{
    return rules->n_rules;
}

/* One decision on its way. */
struct decision {
    const struct fg_rules *rules;
    struct fg_str path;
    uint32_t octets;          /* of the best rule so far */
    bool allow;               /* what it says */
    struct fg_str stem, tail; /* of that rule */
    bool has_grams;
    size_t work;
    uint64_t grams[(1 << GRAM_BITS) / 64];
};

/* The leftmost place for each part in turn: with `*` between them, taking the first fit
 * never hurts a later part, so there is nothing to try again. */
static bool tail_matches(struct fg_str tail, struct fg_str rest)
{
    bool anchored = fg_str_ends(tail, FG_STR("$"));
    if (anchored)
        tail.len--;
    if (!tail.len)
        return !anchored || !rest.len;
    tail = fg_str_skip(tail, 1);
    size_t star;
    while ((star = fg_str_chr(tail, '*')) != FG_NOT_FOUND) {
        struct fg_str part = fg_str_sub(tail, 0, star);
        size_t at = fg_str_find(rest, part);
        if (at == FG_NOT_FOUND)
            return false;
        rest = fg_str_skip(rest, at + part.len);
        tail = fg_str_skip(tail, star + 1);
    }
    return anchored ? fg_str_ends(rest, tail) : fg_str_find(rest, tail) != FG_NOT_FOUND;
}

static void gather_grams(struct decision *d)
{
    memset(d->grams, 0, sizeof d->grams);
    d->grams[0] = 1;
    for (size_t i = 0; i + 3 <= d->path.len; i++) {
        uint16_t gram = gram_at(d->path.at + i);
        d->grams[gram / 64] |= UINT64_C(1) << gram % 64;
    }
    d->has_grams = true;
}

static bool has_gram(const struct decision *d, uint16_t gram)
{
    return d->grams[gram / 64] >> gram % 64 & 1;
}

static bool has_grams(const struct decision *d, uint32_t rule)
{
    struct grams grams = d->rules->grams[rule];
    return has_gram(d, grams.first) && has_gram(d, grams.last);
}

static bool rule_matches(struct decision *d, const struct rule *rule, struct fg_str rest)
{
    if (!rule->tail_len)
        return true;
    d->work += rest.len + rule->tail_len;
    return d->work <= FG_RULES_WORK_MAX &&
           tail_matches((struct fg_str){rule->tail, rule->tail_len}, rest);
}

/* The first rule of the node that matches, if it beats what we have. */
static void try_node(struct decision *d, const struct node *node)
{
    struct fg_str rest = fg_str_skip(d->path, node->stem.len);
    bool many = node->end - node->first >= FEW;
    if (many && !d->has_grams)
        gather_grams(d);
    for (uint32_t i = node->first; i < node->end; i++) {
        if (many && !has_grams(d, i))
            continue;
        const struct rule *rule = &d->rules->rules[i];
        if (rule->octets < d->octets || (rule->octets == d->octets && d->allow))
            return;
        if (rule_matches(d, rule, rest)) {
            d->octets = rule->octets;
            d->allow = rule->allow;
            d->stem = node->stem;
            d->tail = (struct fg_str){rule->tail, rule->tail_len};
            return;
        }
    }
}

/* The last node whose stem does not sort behind the path. */
static uint32_t find_node(const struct fg_rules *rules, struct fg_str path)
{
    uint32_t low = 0, high = rules->n_nodes;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (fg_str_cmp(rules->nodes[middle].stem, path) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? low - 1 : NONE;
}

static void decide(struct decision *d)
{
    uint32_t at = find_node(d->rules, d->path);
    for (; at != NONE; at = d->rules->nodes[at].parent) {
        const struct node *node = &d->rules->nodes[at];
        if (node->most < d->octets)
            return;
        if (fg_str_starts(d->path, node->stem))
            try_node(d, node);
    }
}

/* True if the path is in its normal form as it stands, as nearly all are. */
static bool is_normal(struct fg_str path)
{
    for (size_t i = 0; i < path.len; i++) {
        int kind = kind_of[(unsigned char)path.at[i]];
        if (kind != UNRESERVED && kind != RESERVED)
            return false;
    }
    return path.len && path.at[0] == '/';
}

static bool normalise_and_decide(struct decision *d, struct fg_str path, bool opens_query)
{
    char form[FG_RULES_PATH_MAX];
    struct form wanted = {.opens_query = opens_query};
    bool opened = false;
    form[0] = '/'; /* supplied where it is missing */
    size_t slash = !path.len || path.at[0] != '/';
    size_t n = normalise(form + slash, sizeof form - slash, path, wanted, &opened);
    if (n == FG_NOT_FOUND) {
        d->work = FG_RULES_WORK_MAX + 1;
        return false;
    }
    d->path = (struct fg_str){form, n + slash};
    d->has_grams = false;
    decide(d);
    d->path = (struct fg_str){0}; /* `form` ends here */
    return opened;
}

static bool judge(struct decision *d, const struct fg_rules *rules, struct fg_str path)
{
    d->rules = rules;
    d->octets = 0;
    d->allow = true;
    d->has_grams = false; /* and they are not to be cleared for nothing */
    d->work = 0;
    d->stem = d->tail = (struct fg_str){0};
    if (!rules->n_rules)
        return true;
    path = fg_str_sub(path, 0, fg_str_chr(path, '#'));
    d->path = path;
    if (path.len <= FG_RULES_PATH_MAX && is_normal(path))
        decide(d);
    else if (normalise_and_decide(d, path, false))
        normalise_and_decide(d, path, true);
    return d->allow && d->work <= FG_RULES_WORK_MAX;
}

bool fg_rules_allow(const struct fg_rules *rules, struct fg_str path)
{
    struct decision d;
    return judge(&d, rules, path);
}

bool fg_rules_explain(struct fg_rule *by, struct fg_arena *arena,
                      const struct fg_rules *rules, struct fg_str path)
{
    struct decision d;
    *by = (struct fg_rule){.allow = judge(&d, rules, path)};
    if (d.octets && d.work <= FG_RULES_WORK_MAX)
        by->pattern = fg_arena_printf(arena, "%.*s%.*s", FG_ARG(d.stem), FG_ARG(d.tail));
    return by->allow;
}
