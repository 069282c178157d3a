#include "net/text/change.h"

#include "base/arena.h"

static size_t count_common(const struct fg_shingle_list *a,
                           const struct fg_shingle_list *b)
{
    size_t i = 0, j = 0, n = 0;
    while (i < a->len && j < b->len) {
        n += a->at[i] == b->at[j];
        bool both = a->at[i] == b->at[j], first = a->at[i] < b->at[j];
        i += both || first;
        j += both || !first;
    }
    return n;
}

/* A word takes two bytes at least, so nothing is left out of all but very long texts. */
static struct fg_shingle_list list_for(struct fg_arena *arena, struct fg_str text)
{
    size_t max = text.len / 2 + 1;
    if (max > FG_CHANGE_SHINGLES_MAX)
        max = FG_CHANGE_SHINGLES_MAX;
    return (struct fg_shingle_list){.at = FG_NEW(arena, uint64_t, max), .max = max};
}

struct version {
    struct fg_shingle_list words, figures;
    struct fg_print print;
};

static void read_version(struct version *version, struct fg_arena *arena,
                         struct fg_shingler *shingler, struct fg_str text)
{
    version->words = list_for(arena, text);
    version->figures = list_for(arena, text);
    shingler->list_words = &version->words;
    shingler->list_figures = &version->figures;
    fg_shingler_add(shingler, text);
    fg_shingler_end(shingler, &version->print);
    shingler->list_words = shingler->list_figures = NULL;
}

/* Two samples are compared at the coarser of their scales. */
static void pack_both(struct fg_shingle_list *a, struct fg_shingle_list *b)
{
    uint64_t mask = a->mask | b->mask;
    fg_shingle_list_pack(a, mask);
    fg_shingle_list_pack(b, mask);
}

static double share_changed(size_t a, size_t b, size_t common)
{
    size_t all = a + b - common;
    return all ? 1 - (double)common / (double)all : 0;
}

static void judge(struct fg_change *change, double threshold)
{
    change->changed = change->text > threshold;
    change->figures_only = change->text <= 0 && change->figures > 0;
}

struct fg_change fg_change_between(struct fg_shingler *shingler, struct fg_str old_text,
                                   struct fg_str new_text, double threshold)
{
    struct fg_arena arena = {0};
    struct version before, after;
    read_version(&before, &arena, shingler, old_text);
    read_version(&after, &arena, shingler, new_text);
    pack_both(&before.words, &after.words);
    pack_both(&before.figures, &after.figures);
    size_t common = count_common(&before.words, &after.words);
    size_t same = count_common(&before.figures, &after.figures);
    struct fg_change change = {
        .text = share_changed(before.words.len, after.words.len, common),
        .figures = share_changed(before.figures.len, after.figures.len, same),
        .added = after.words.len - common,
        .removed = before.words.len - common,
    };
    judge(&change, threshold);
    fg_arena_clear(&arena);
    return change;
}
