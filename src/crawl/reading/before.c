#include "crawl/reading/before.h"

/* What it was, and the page that led there, if the store knows it by now. */
static void read_page(struct fg_before *before, struct fg_arena *arena,
                      struct fg_store *store, fg_site_id site, fg_page_id page)
{
    struct fg_page_row row, finder;
    if (fg_store_page(store, &row, arena, site, page, NULL))
        return;
    if (before->wants & FG_BEFORE_PAGE) {
        before->content_hash = row.content_hash;
        before->etag = row.etag;
        before->last_modified = row.last_modified;
    }
    if (before->wants & FG_BEFORE_LINK) {
        before->has_link = true;
        before->dated = row.published;
    }
    if (before->wants & (FG_BEFORE_WAY | FG_BEFORE_LINK) && row.found_on &&
        !fg_store_page(store, &finder, arena, site, row.found_on, NULL)) {
        before->via = finder.url;
        before->found_on = finder.fingerprint;
    }
}

static void read_value(struct fg_before *before, struct fg_arena *arena,
                       struct fg_store *store, fg_site_id site, fg_page_id page)
{
    struct fg_value_row row;
    if (fg_store_value(store, &row, arena, site, page, NULL) || row.changed == FG_NEVER)
        return;
    if (!before->has_value)
        before->value_hash = row.hash;
    before->has_value = true;
    if (row.hash == before->value_hash)
        before->value = row;
}

void fg_before_read(struct fg_before *before, struct fg_arena *arena,
                    struct fg_store *store, fg_site_id site, fg_page_id page)
{
    if (before->wants & (FG_BEFORE_PAGE | FG_BEFORE_WAY | FG_BEFORE_LINK))
        read_page(before, arena, store, site, page);
    if (before->wants & FG_BEFORE_VALUE)
        read_value(before, arena, store, site, page);
    const struct {
        unsigned want;
        struct fg_str *to;
        enum fg_page_extra extra;
    } extras[] = {{FG_BEFORE_SKETCH, &before->sketch, FG_EXTRA_SKETCH},
                  {FG_BEFORE_TEXT, &before->text, FG_EXTRA_TEXT},
                  {FG_BEFORE_COMERS, &before->comers, FG_EXTRA_COMERS},
                  {FG_BEFORE_CAPTURE, &before->capture, FG_EXTRA_CAPTURE}};
    for (size_t i = 0; i < sizeof extras / sizeof *extras; i++)
        if (before->wants & extras[i].want)
            fg_store_page_extra(store, extras[i].to, arena, site, page, extras[i].extra,
                                NULL);
}
