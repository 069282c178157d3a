#include "crawl/reading/indexing.h"

#include "base/map.h"
#include "base/utf8.h"
#include "crawl/sites/known.h"
#include "crawl/sources/sources.h"

/* What is long is a teaser rather than a name; its beginning will do. */
void indexing_anchors(struct fg_batch *batch, const struct fg_known *known,
                      const struct fg_visit_row *log, const struct fg_reading *reading,
                      const struct fg_visit *told)
{
    enum { WORDS_MOST = 100 };
    struct fg_anchor_row row = {.from_site = log->site, .from_page = log->page};
    struct fg_map added = {0};
    for (size_t i = 0; i < told->n_added; i++)
        *fg_map_put(&added, told->added[i]) = 1;
    for (size_t i = 0; i < reading->n_links && i < MOST_LINKS; i++) {
        const struct fg_reading_link *link = &reading->links[i];
        if (link->row == FG_UNKNOWN ||
            !fg_map_remove(&added, fg_known_id(known, link->row)))
            continue;
        row.site = known->at[link->row].site;
        row.page = known->at[link->row].page;
        row.words = fg_str_sub(fg_str_trim(link->words), 0, WORDS_MOST);
        row.words.len = fg_utf8_valid_len(row.words);
        fg_batch_anchor(batch, &row);
    }
    fg_map_clear(&added);
    row.words = (struct fg_str){0};
    for (size_t i = 0; i < told->n_gone; i++) {
        row.site = (fg_site_id)(told->gone[i] >> 32);
        row.page = (fg_page_id)told->gone[i];
        fg_batch_no_anchor(batch, &row);
    }
}

void indexing_text(struct fg_batch *batch, const struct fg_visit_row *log,
                   const struct fg_reading *reading, struct fg_str title, bool is_kept)
{
    struct fg_page_text text = {.site = log->site, .page = log->page};
    if (reading->kind != FG_READ_HTML && reading->kind != FG_READ_TEXT)
        return;
    if (is_kept) {
        text.title = title;
        text.language = reading->language;
        text.text =
            reading->facts.main_text.len ? reading->facts.main_text : reading->text;
        if (!text.text.at)
            text.text = FG_STR("");
    }
    fg_batch_text(batch, &text);
}
