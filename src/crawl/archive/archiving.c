#include "base/log.h"
#include "crawl/keeping.h"
#include "crawl/sites/pages.h"
#include "crawl/sites/site.h"
#include "crawl/state.h"
#include "net/html/page.h"
#include "net/url/canonical.h"

bool crawl_open_archive(struct fg_crawl *crawl)
{
    struct fg_archive_options archive = crawl->options.archive;
    struct fg_err err = {0};
    if (!archive.dir)
        return true;
    archive.user_agent = crawl->options.fetch.user_agent;
    if (!fg_archive_open(&crawl->keeping.archive, &archive, fg_clock_now(crawl->clock),
                         &err))
        return true;
    crawl_fail(crawl, &err);
    return false;
}

void crawl_close_archive(struct fg_crawl *crawl)
{
    struct fg_archive *archive = crawl->keeping.archive;
    struct fg_err err = {0};
    if (!archive)
        return;
    struct fg_archive_counts counts = fg_archive_count(archive);
    crawl->keeping.archive = NULL;
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
    if (crawl->keeping.archive && fg_archive_sync(crawl->keeping.archive, &err))
        crawl_fail(crawl, &err);
}

/* What headers and the page itself say about mining it. */
static struct fg_tdm own_words(const struct fg_response *response)
{
    struct fg_tdm tdm = {0};
    struct fg_arena arena = {0};
    struct fg_page page;
    fg_tdm_add_header(&tdm, fg_response_header(response, "tdm-reservation", 0),
                      fg_response_header(response, "tdm-policy", 0));
    fg_page_read(&page, &arena, response->body, FG_PAGE_HEAD);
    for (size_t i = 0; i < page.n_metas; i++)
        fg_tdm_add_meta(&tdm, page.metas[i].name, page.metas[i].content);
    tdm.policy = (struct fg_str){0}; /* it lay in the arena */
    fg_arena_clear(&arena);
    return tdm;
}

/* Why the content of an answer must not be archived; NULL: it may be. What a site says to
 * crawlers is not content. */
static const char *refusal_of(struct fg_crawl *crawl, const struct fg_response *response)
{
    struct fg_conduct conduct;
    struct fg_str path = fg_robots_path(response->url);
    const struct site *site = crawl_find_host(crawl, fg_canonical_site(response->url));
    if (!site || !response->body.len || fg_str_eq(path, FG_STR("/robots.txt")) ||
        fg_str_eq(path, FG_STR(FG_TDMREP_PATH)))
        return NULL;
    bool is_heeded = crawl->options.conduct.tdmrep != FG_HEED_IGNORE;
    conduct_of(&conduct, crawl, site, response->url,
               is_heeded ? own_words(response) : (struct fg_tdm){0});
    return conduct.refusal;
}

/* What cannot be archived is not learned from either: it is asked for again. */
bool crawl_archive(void *context, const struct fg_response *response)
{
    struct fg_crawl *crawl = context;
    struct fg_err err = {0};
    if (!crawl->keeping.archive || !fg_archive_put(crawl->keeping.archive, response,
                                                   refusal_of(crawl, response), &err))
        return true;
    crawl_fail(crawl, &err);
    return false;
}
