#include "cli/demo/demo.h"

#include "base/map.h"
#include "crawl/output/news.h"
#include "net/url/canonical.h"

#include <string.h>
#include <unistd.h>

const char *fg_demo_shop_origin(const struct fg_demo *demo)
{
    return fg_web_server_origin(demo->server, fg_web_sites(demo->web) - 1);
}

/* --- what is known of pages --- */

struct known {
    fg_time first_seen;
    fg_site_id site;
    fg_page_id page;
};

struct pages {
    struct fg_map by_url; /* index in `known` + 1, by fingerprint */
    FG_VEC(struct known) known;
};

static bool take_page(void *context, const struct fg_page_row *page)
{
    struct pages *pages = context;
    fg_vec_push(&pages->known, (struct known){page->first_seen, page->site, page->page});
    *fg_map_put(&pages->by_url, page->fingerprint) = pages->known.len;
    return true;
}

static const struct known *find(const struct pages *pages, struct fg_str url)
{
    const uint64_t *at = fg_map_get(&pages->by_url, fg_canonical_fingerprint(url));
    return at ? &pages->known.at[*at - 1] : NULL;
}

/* --- articles --- */

struct articles {
    const struct fg_demo *demo;
    const struct pages *pages;
    FG_VEC(fg_time) delays;
};

static bool judge_article(void *context, const struct fg_web_article *article)
{
    struct articles *articles = context;
    struct fg_arena arena = {0};
    struct fg_str url = fg_arena_printf(
        &arena, "%s%.*s", fg_web_server_origin(articles->demo->server, article->site),
        FG_ARG(article->path));
    const struct known *known = find(articles->pages, url);
    fg_time delay = known ? known->first_seen - article->published : FG_NEVER;
    fg_vec_push(&articles->delays, known && delay < 0 ? 0 : delay);
    fg_arena_clear(&arena);
    return true;
}

/* What is published in the last tick nobody can be expected to know. */
static void judge_articles(const struct fg_demo *demo, struct fg_demo_crawl *crawl,
                           const struct pages *pages, fg_time now)
{
    struct articles articles = {.demo = demo, .pages = pages};
    fg_web_articles(demo->web, demo->from, now - demo->tick, judge_article, &articles);
    crawl->score = fg_discovery_score(articles.delays.at, articles.delays.len,
                                      (double)crawl->fetches);
    fg_vec_clear(&articles.delays);
}

static bool take_event(void *context, const struct fg_event_row *event)
{
    struct fg_news news;
    if (!fg_str_eq(event->kind, FG_STR(FG_NEWS_DISCOVERY)))
        return true;
    fg_news_read(&news, event);
    fg_web_truth_hear(context, news.url, event->time);
    fg_news_clear(&news);
    return true;
}

size_t fg_demo_days(const struct fg_demo *demo)
{
    fg_time span = demo->until - demo->tick - demo->from;
    size_t days = span > 0 ? (size_t)((span - 1) / FG_DAY) + 1 : 0;
    return days < FG_DEMO_DAYS ? days : FG_DEMO_DAYS;
}

struct worth {
    const struct fg_demo *demo;
    double *days;
};

static void add_worth(void *context, fg_time published, fg_time delay)
{
    struct worth *worth = context;
    size_t day = (size_t)((published - worth->demo->from) / FG_DAY);
    if (delay != FG_NEVER)
        worth->days[day < FG_DEMO_DAYS ? day : FG_DEMO_DAYS - 1] +=
            fg_wants_page(worth->demo->wants, fg_hours(delay));
}

static enum fg_status judge_events(const struct fg_demo *demo,
                                   struct fg_demo_crawl *crawl, fg_time now,
                                   struct fg_err *err)
{
    struct fg_web_truth *truth = fg_web_truth_new(demo->web, demo->origins, demo->began);
    enum fg_status st =
        fg_store_events(crawl->store, 0, 0, FG_NEVER, SIZE_MAX, take_event, truth, err);
    fg_web_truth_score(&crawl->told, truth, demo->from, now - demo->tick);
    memset(crawl->worth_by_day, 0, sizeof crawl->worth_by_day);
    fg_web_truth_articles(truth, demo->from, now - demo->tick, add_worth,
                          &(struct worth){demo, crawl->worth_by_day});
    fg_web_truth_free(truth);
    return st;
}

/* --- offers --- */

struct copies {
    struct fg_arena arena;
    FG_VEC(struct fg_shop_copy) at; /* the newest first */
};

static bool take_change(void *context, const struct fg_value_change *change)
{
    struct copies *copies = context;
    struct fg_shop_copy copy = {change->time, fg_arena_dup(&copies->arena, change->text)};
    fg_vec_push(&copies->at, copy);
    return true;
}

static enum fg_status fresh_time(fg_time *fresh, const struct fg_demo *demo, size_t offer,
                                 struct fg_store *store, const struct known *known,
                                 fg_time now, struct fg_err *err)
{
    struct copies copies = {0};
    enum fg_status st = fg_store_value_changes(store, known->site, known->page, SIZE_MAX,
                                               take_change, &copies, err);
    for (size_t i = 0, n = copies.at.len; i < n / 2; i++) {
        struct fg_shop_copy later = copies.at.at[i];
        copies.at.at[i] = copies.at.at[n - 1 - i];
        copies.at.at[n - 1 - i] = later;
    }
    *fresh = fg_shop_fresh_time(fg_shop_offer(demo->shop, offer), copies.at.at,
                                copies.at.len, demo->from, now);
    fg_vec_clear(&copies.at);
    fg_arena_clear(&copies.arena);
    return st;
}

static enum fg_status judge_offers(const struct fg_demo *demo,
                                   struct fg_demo_crawl *crawl, const struct pages *pages,
                                   fg_time now, struct fg_err *err)
{
    double clicks = 0, fresh_clicks = 0, fresh_pages = 0;
    size_t n = fg_shop_offers(demo->shop);
    enum fg_status st = FG_OK;
    struct fg_buf url;
    fg_buf_init(&url, 4096);
    for (size_t i = 0; !st && now > demo->from && i < n; i++) {
        fg_buf_reset(&url);
        fg_buf_add(&url, fg_str_from(fg_demo_shop_origin(demo)));
        fg_shop_path(demo->shop, i, &url);
        const struct known *known = find(pages, fg_buf_str(&url));
        fg_time fresh = 0;
        if (known)
            st = fresh_time(&fresh, demo, i, crawl->store, known, now, err);
        double share = (double)fresh / (double)(now - demo->from);
        double weight = fg_shop_offer(demo->shop, i)->clicks_per_day;
        clicks += weight;
        fresh_clicks += weight * share;
        fresh_pages += share / (double)n;
    }
    fg_buf_clear(&url);
    crawl->click_freshness = clicks > 0 ? fresh_clicks / clicks : 0;
    crawl->page_freshness = fresh_pages;
    return st;
}

/* --- both --- */

struct fetches {
    struct fg_str shop; /* key of its site; empty: there is none */
    fg_site_id site;
    uint64_t all, of_shop;
};

static bool take_site(void *context, const struct fg_site_row *site)
{
    struct fetches *fetches = context;
    if (fg_str_eq(site->key, fetches->shop))
        fetches->site = site->site;
    return true;
}

static bool take_summary(void *context, const struct fg_site_summary *site)
{
    struct fetches *fetches = context;
    fetches->all += site->visits;
    if (fetches->site && site->site == fetches->site)
        fetches->of_shop = site->visits;
    return true;
}

static enum fg_status count_fetches(const struct fg_demo *demo,
                                    struct fg_demo_crawl *crawl, struct fg_err *err)
{
    struct fetches fetches = {.shop = demo->shop ? fg_str_from(fg_demo_shop_origin(demo))
                                                 : FG_STR("")};
    enum fg_status st = fg_store_sites(crawl->store, take_site, &fetches, err);
    if (!st)
        st = fg_store_summaries(crawl->store, FG_NEVER, FG_NEVER, take_summary, &fetches,
                                err);
    crawl->fetches = fetches.all;
    crawl->shop_fetches = fetches.of_shop;
    return st;
}

bool fg_demo_has_begun(struct fg_demo_crawl *crawl)
{
    struct fg_store_options look = {.read_only = true};
    return crawl->store || (fg_store_exists(crawl->workspace) &&
                            !fg_store_open(&crawl->store, crawl->workspace, &look, NULL));
}

enum fg_status fg_demo_judge(struct fg_demo *demo, struct fg_demo_crawl *crawl,
                             fg_time now, struct fg_err *err)
{
    if (!fg_demo_has_begun(crawl))
        return FG_OK;
    struct pages pages = {0};
    enum fg_status st = fg_store_pages(crawl->store, 0, take_page, &pages, err);
    if (!st)
        st = count_fetches(demo, crawl, err);
    if (!st)
        judge_articles(demo, crawl, &pages, now);
    if (!st)
        st = judge_events(demo, crawl, now, err);
    if (!st && demo->shop)
        st = judge_offers(demo, crawl, &pages, now, err);
    fg_map_clear(&pages.by_url);
    fg_vec_clear(&pages.known);
    return st;
}
