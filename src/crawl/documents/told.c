#include "crawl/documents/told.h"

#include "base/memory.h"
#include "base/sections.h"
#include "crawl/documents/outlook.h"

#include <stdio.h>
#include <stdlib.h>

static const char kind_of_state[] = "FGTOLD01";

static void *copy_of(const void *at, size_t n, size_t size_bytes)
{
    void *copy = fg_zeroed(n + 1, size_bytes);
    memcpy(copy, at, n * size_bytes);
    return copy;
}

struct fg_told *fg_told_from(const struct fg_outlook *outlook)
{
    struct fg_told *told = fg_zeroed(1, sizeof *told);
    const uint64_t *ids = fg_outlook_ids(outlook, &told->n);
    told->id = copy_of(ids, told->n, sizeof *ids);
    for (size_t kind = 0; kind < FG_TOLD_KINDS; kind++) {
        const float *rates = fg_outlook_told(outlook, (enum fg_told_rate)kind);
        if (rates)
            told->rate[kind] = copy_of(rates, told->n, sizeof *rates);
    }
    return told;
}

void fg_told_free(struct fg_told *told)
{
    if (!told)
        return;
    free(told->id);
    for (size_t kind = 0; kind < FG_TOLD_KINDS; kind++)
        free(told->rate[kind]);
    free(told);
}

static void tell(const struct fg_told *told, struct fg_mind *mind, size_t i)
{
    size_t row = fg_mind_row(mind, told->id[i]);
    for (size_t kind = 0; row != FG_NO_ROW && kind < FG_TOLD_KINDS; kind++)
        if (told->rate[kind])
            fg_mind_tell(mind, row, (enum fg_told_rate)kind, told->rate[kind][i]);
}

bool fg_told_to_mind(struct fg_told *told, struct fg_mind *mind, size_t most)
{
    for (size_t i = 0; i < most && told->next < told->n; i++)
        tell(told, mind, told->next++);
    return told->next < told->n;
}

struct name {
    char text[16];
};

static struct name name_of(size_t kind)
{
    struct name name;
    snprintf(name.text, sizeof name.text, "rate-%zu", kind);
    return name;
}

void fg_told_save(const struct fg_told *told, struct fg_buf *out)
{
    size_t start = fg_sections_begin(out, kind_of_state);
    fg_sections_put(out, "id", told->id, told->n * sizeof *told->id);
    for (size_t kind = 0; kind < FG_TOLD_KINDS; kind++)
        if (told->rate[kind])
            fg_sections_put(out, name_of(kind).text, told->rate[kind],
                            told->n * sizeof *told->rate[kind]);
    fg_sections_end(out, start);
}

static struct fg_told *load(struct fg_str bytes)
{
    struct fg_str all;
    if (fg_sections_open(&all, bytes, kind_of_state, "what was told", NULL))
        return NULL;
    struct fg_told *told = fg_zeroed(1, sizeof *told);
    struct fg_str ids = fg_sections_find(all, "id");
    told->n = ids.len / sizeof *told->id;
    told->id = copy_of(ids.at ? ids.at : "", told->n, sizeof *told->id);
    for (size_t kind = 0; kind < FG_TOLD_KINDS; kind++) {
        struct fg_str rates = fg_sections_find(all, name_of(kind).text);
        if (rates.len && rates.len == told->n * sizeof *told->rate[kind])
            told->rate[kind] = copy_of(rates.at, told->n, sizeof *told->rate[kind]);
    }
    return told;
}

void fg_told_recall(struct fg_mind *mind, struct fg_store *store)
{
    struct fg_arena arena = {0};
    struct fg_str bytes;
    struct fg_told *told = NULL;
    if (!fg_store_state(store, &bytes, &arena, 0, FG_TOLD_STATE, NULL))
        told = load(bytes);
    if (told)
        fg_told_to_mind(told, mind, SIZE_MAX);
    fg_told_free(told);
    fg_arena_clear(&arena);
}
