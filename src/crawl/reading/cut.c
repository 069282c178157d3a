#include "crawl/reading/cut.h"

#include <stdio.h>

void fg_cut_put(struct fg_batch *batch, fg_site_id site, fg_page_id page,
                struct fg_cut cut)
{
    char text[32];
    snprintf(text, sizeof text, "%u %u", cut.too_long, cut.too_many);
    fg_batch_page_extra(batch, site, page, FG_EXTRA_CUT, fg_str_from(text));
}

bool fg_cut_read(struct fg_cut *cut, struct fg_store *store, fg_site_id site,
                 fg_page_id page)
{
    struct fg_arena arena = {0};
    struct fg_str text, first;
    uint64_t too_long = 0, too_many = 0;
    if (!fg_store_page_extra(store, &text, &arena, site, page, FG_EXTRA_CUT, NULL) &&
        fg_str_cut(&text, ' ', &first) && fg_str_to_u64(first, &too_long))
        fg_str_to_u64(text, &too_many);
    fg_arena_clear(&arena);
    *cut = (struct fg_cut){(uint32_t)too_long, (uint32_t)too_many};
    return too_long || too_many;
}

struct fg_str fg_cut_words(struct fg_arena *arena, struct fg_cut cut)
{
    struct fg_str words = {0};
    if (cut.too_long)
        words = fg_arena_printf(arena, "%u link%s longer than fetch.max-url",
                                cut.too_long, cut.too_long == 1 ? "" : "s");
    if (cut.too_many)
        words = fg_arena_printf(arena, "%.*s%s%u link%s beyond the first %d",
                                FG_ARG(words), words.len ? ", " : "", cut.too_many,
                                cut.too_many == 1 ? "" : "s", FG_LINKS_MOST);
    return words;
}
