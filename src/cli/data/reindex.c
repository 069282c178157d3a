/* Texts are kept as pages are read. A store that is older than the index, or that was
 * crawled with search.index off, has none until its pages are read again, unless bodies
 * were kept: then their texts are made of these. */
#include "cli/data/reindex.h"

#include "cli/crawling.h"
#include "crawl/reading/reading.h"
#include "store/index.h"

enum { WAITING_MOST = 256 }; /* texts on their way to the disk */

struct job {
    struct fg_cli *cli;
    struct fg_store *store;
    struct fg_arena arena; /* of the page at hand */
    enum fg_status status;
    struct fg_err *err;
};

static void read_body(struct job *job, const struct fg_page_row *page, struct fg_str body)
{
    struct fg_reading reading;
    struct fg_response response = {.status = 200, .body = body};
    fg_reading_from(
        &reading, &job->arena, page->url, &response,
        (struct fg_reading_rules){.token = job->cli->settings.crawl.robots_token});
    bool is_read = reading.kind == FG_READ_HTML || reading.kind == FG_READ_TEXT;
    if (!is_read || reading.noindex)
        return;
    struct fg_batch *batch = fg_batch_new(job->store);
    struct fg_str text =
        reading.facts.main_text.len ? reading.facts.main_text : reading.text;
    fg_batch_text(batch,
                  &(struct fg_page_text){page->site, page->page, page->title,
                                         text.at ? text : FG_STR(""), reading.language});
    uint64_t number = fg_store_submit(job->store, batch);
    if (fg_store_backlog(job->store) > WAITING_MOST)
        job->status = fg_store_flush(job->store, number, job->err);
}

static bool take_page(void *context, const struct fg_page_row *page)
{
    struct job *job = context;
    struct fg_indexed_text text;
    struct fg_str body;
    fg_time stored;
    if (!fg_page_is_searchable(page->flags) || !page->visits)
        return true;
    enum fg_status st =
        fg_store_text(job->store, &text, &job->arena, page->site, page->page, job->err);
    if (st == FG_ENOTFOUND) {
        st =
            fg_store_body(job->store, &body, &stored, &job->arena, page->site, page->page,
                          INT64_MAX, job->cli->settings.crawl.fetch.max_body, job->err);
        if (!st)
            read_body(job, page, body);
        if (st == FG_ENOTFOUND || st == FG_ELIMIT)
            st = FG_OK;
    }
    fg_arena_reset(&job->arena);
    if (st)
        job->status = st;
    return !job->status;
}

enum fg_status fg_reindex(struct fg_cli *cli, uint64_t *texts, struct fg_err *err)
{
    struct job job = {.cli = cli, .err = err};
    struct fg_index_figures figures = {0};
    enum fg_status st = fg_cli_store(cli, false, &job.store, err);
    if (st)
        return st;
    st = fg_store_pages(job.store, 0, take_page, &job, err);
    st = st ? st : job.status;
    if (!st) {
        struct fg_batch *batch = fg_batch_new(job.store);
        fg_batch_rebuild_index(batch);
        st = fg_store_flush(job.store, fg_store_submit(job.store, batch), err);
    }
    if (!st)
        st = fg_store_index_figures(job.store, &figures, err);
    *texts = figures.texts;
    fg_arena_clear(&job.arena);
    enum fg_status closed = fg_store_close(job.store, st ? NULL : err);
    return st ? st : closed;
}
