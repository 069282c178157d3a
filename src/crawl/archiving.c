#include "base/log.h"
#include "crawl/state.h"

bool crawl_open_archive(struct fg_crawl *crawl)
{
    struct fg_archive_options archive = crawl->options.archive;
    struct fg_err err = {0};
    if (!archive.dir)
        return true;
    archive.user_agent = crawl->options.fetch.user_agent;
    if (!fg_archive_open(&crawl->archive, &archive, fg_clock_now(crawl->clock), &err))
        return true;
    crawl_fail(crawl, &err);
    return false;
}

void crawl_close_archive(struct fg_crawl *crawl)
{
    struct fg_archive *archive = crawl->archive;
    struct fg_err err = {0};
    if (!archive)
        return;
    struct fg_archive_counts counts = fg_archive_count(archive);
    crawl->archive = NULL;
    if (fg_archive_close(archive, &err))
        crawl_fail(crawl, &err);
    else
        fg_log_info("archive", "closed", FG_F("files", counts.files),
                    FG_F("responses", counts.responses),
                    FG_F("revisits", counts.revisits), FG_F("bytes", counts.bytes));
}

void crawl_sync_archive(struct fg_crawl *crawl)
{
    struct fg_err err = {0};
    if (crawl->archive && fg_archive_sync(crawl->archive, &err))
        crawl_fail(crawl, &err);
}

/* What cannot be archived is not learned from either: it is asked for again. */
bool crawl_archive(void *context, const struct fg_response *response)
{
    struct fg_crawl *crawl = context;
    struct fg_err err = {0};
    if (!crawl->archive || !fg_archive_put(crawl->archive, response, &err))
        return true;
    crawl_fail(crawl, &err);
    return false;
}

/* The store knows which page showed it, once that is on disk; before, nobody is told. */
void crawl_note_way(struct fg_crawl *crawl, struct fg_request_note *note, uint32_t row)
{
    const struct fg_known_page *page = &crawl->known.at[row];
    struct fg_page_row stored, finder;
    note->links = page->depth;
    if (crawl->archive &&
        !fg_store_page(crawl->store, &stored, &crawl->scratch, page->site, page->page,
                       NULL) &&
        stored.found_on &&
        !fg_store_page(crawl->store, &finder, &crawl->scratch, page->site,
                       stored.found_on, NULL))
        note->via = finder.url;
}
