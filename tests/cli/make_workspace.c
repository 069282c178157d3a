/* make_workspace.c - make_workspace DIR: a workspace as a crawl leaves it, in no time
 *
 * Two sites and a host, with a page of every kind the commands have words for, some with
 * texts that are out to do harm. Times are counted back from now. */
#include "base/file.h"
#include "net/url/canonical.h"
#include "policy/mind.h"
#include "store/index.h"
#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { NEWS = 1, LAW = 2, HOST = 3 };
enum {
    HOME = 1,
    POLITICS,
    FEED,
    ARTICLE,
    WAITING,
    PRIVATE,
    GONE,
    ALIAS,
    RETIRED,
    CANDIDATE,
    COPY,
    QUIET
};

static struct fg_batch *batch;
static fg_time now;

static struct fg_str text(const char *s)
{
    return fg_str_from(s);
}

static void put_site(fg_site_id id, const char *key, unsigned state, const char *tags,
                     fg_time backoff)
{
    fg_batch_site(batch, &(struct fg_site_row){
                             .site = id,
                             .key = text(key),
                             .domain = text("example"),
                             .tags = text(tags),
                             .added = now - 20 * FG_DAY,
                             .last_request = now - FG_HOUR,
                             .state = (uint8_t)state,
                             .robots_fetched = now - FG_HOUR,
                             .robots_expires = now + 23 * FG_HOUR,
                             .robots = text("User-agent: *\nDisallow: /private/\n"),
                             .backoff_until = backoff,
                         });
}

static void put_page(fg_site_id site, fg_page_id id, const char *url, uint32_t flags,
                     const char *title, fg_page_id alias_of)
{
    bool is_new = id == WAITING && site == NEWS;
    fg_batch_page(batch, &(struct fg_page_row){
                             .site = site,
                             .page = id,
                             .fingerprint = fg_canonical_fingerprint(text(url)),
                             .url = text(url),
                             .flags = flags,
                             .found_on = site == NEWS && id != HOME ? HOME : 0,
                             .alias_of = alias_of,
                             .first_seen = now - 20 * FG_DAY,
                             .last_visit = FG_NEVER,
                             .last_change = FG_NEVER,
                             .next_visit = FG_NEVER,
                             .published = is_new ? now - FG_DAY : FG_NEVER,
                             .title = text(title),
                             .language = text(is_new ? "" : "en"),
                             .etag = text(id == HOME ? "\"abc\"" : ""),
                             .weight = site == LAW ? 2 : 1,
                             .depth = 1,
                         });
}

static void put_visit(fg_site_id site, fg_page_id page, fg_time ago, unsigned status,
                      unsigned purpose, unsigned fresh, unsigned failure)
{
    fg_batch_visit(batch, &(struct fg_visit_row){
                              .site = site,
                              .page = page,
                              .time = now - ago,
                              .status = (uint16_t)status,
                              .failure = (uint8_t)failure,
                              .changed = fresh > 0,
                              .purpose = (uint8_t)purpose,
                              .links = 25,
                              .fresh = fresh,
                              .bytes = 12345,
                              .took_ms = 67,
                              .score = purpose == 2 ? 1.5f : 0,
                          });
}

static void put_event(fg_page_id page, const char *url, const char *words, fg_time ago,
                      const char *findings)
{
    char line[1024], when[FG_TIME_TEXT];
    uint64_t id = fg_canonical_fingerprint(text(url));
    snprintf(line, sizeof line,
             "{\"event\":\"%016llx\",\"type\":\"discovery\",\"url\":\"%s\",\"site\":"
             "\"https://news.example\",\"found_at\":\"%s\",\"found_on\":"
             "\"https://news.example/\",\"words\":\"%s\",\"dated\":null%s}",
             (unsigned long long)id, url, fg_time_format(when, now - ago), words,
             findings);
    fg_batch_event(batch, &(struct fg_event_row){.site = NEWS,
                                                 .page = page,
                                                 .id = id,
                                                 .time = now - ago,
                                                 .kind = FG_STR("discovery"),
                                                 .json = text(line)});
}

static void put_pages(void)
{
    put_page(NEWS, HOME, "https://news.example/", FG_PAGE_SEED | FG_PAGE_SOURCE,
             "News & \"views\"", 0);
    put_page(NEWS, POLITICS, "https://news.example/politics/", FG_PAGE_SOURCE, "Politics",
             0);
    put_page(NEWS, FEED, "https://news.example/feed.xml", FG_PAGE_SOURCE | FG_PAGE_FEED,
             "", 0);
    put_page(NEWS, ARTICLE, "https://news.example/2026/a.html", 0,
             "=HYPERLINK(\"http://evil.example\",\"x\")", 0);
    put_page(NEWS, WAITING, "https://news.example/2026/b.html", 0, "", 0);
    put_page(NEWS, PRIVATE, "https://news.example/private/x", FG_PAGE_EXCLUDED, "", 0);
    put_page(NEWS, GONE, "https://news.example/gone", FG_PAGE_GONE, "", 0);
    put_page(NEWS, ALIAS, "https://news.example/index.html", FG_PAGE_ALIAS, "", HOME);
    put_page(NEWS, RETIRED, "https://news.example/archive/", FG_PAGE_RETIRED, "", 0);
    put_page(NEWS, CANDIDATE, "https://news.example/tags/", FG_PAGE_CANDIDATE, "", 0);
    put_page(NEWS, COPY, "https://news.example/a-print.html", FG_PAGE_DUPLICATE,
             "<b>\x1b[2J\xff bold</b> ]]> &amp;", ARTICLE);
    put_page(NEWS, QUIET, "https://news.example/sport/", FG_PAGE_SOURCE, "Sport", 0);
    put_page(LAW, 1, "https://law.example/1", FG_PAGE_SEED | FG_PAGE_DOCUMENT, "Law 1",
             0);
}

static void put_visits(void)
{
    for (unsigned i = 0; i < 12; i++) {
        put_visit(NEWS, HOME, (24 - 2 * i) * FG_HOUR, 200, i ? 2 : 1, i % 3, 0);
        put_visit(NEWS, POLITICS, (25 - 2 * i) * FG_HOUR, 200, i ? 2 : 1, 3, 0);
    }
    put_visit(NEWS, ARTICLE, 2 * FG_HOUR, 200, 1, 0, 0);
    put_visit(NEWS, COPY, 2 * FG_HOUR, 200, 1, 0, 0);
    put_visit(NEWS, GONE, 3 * FG_HOUR, 404, 1, 0, 0);
    put_visit(NEWS, RETIRED, 30 * FG_HOUR, 200, 2, 0, 0);
    put_visit(NEWS, CANDIDATE, 5 * FG_HOUR, 200, 1, 0, 0);
    put_visit(NEWS, QUIET, 5 * FG_HOUR, 0, 2, 0, 4);
    put_visit(LAW, 1, 4 * FG_HOUR, 200, 3, 0, 0);
    for (fg_page_id target = ARTICLE; target <= PRIVATE; target++)
        fg_batch_link(batch, &(struct fg_link_row){
                                 .site = NEWS,
                                 .source = HOME,
                                 .target_site = NEWS,
                                 .target = target,
                                 .first_seen = now - target * FG_HOUR,
                                 .last_seen = now - FG_HOUR,
                                 .gone = target == PRIVATE ? now - FG_HOUR : FG_NEVER});
    fg_batch_body(batch, NEWS, ARTICLE, now - 2 * FG_HOUR, FG_STR("<p>body of a</p>\n"));
    fg_batch_body(batch, LAW, 1, now - 8 * FG_DAY, FG_STR("<p>Granted by the mayor.\n"));
    fg_batch_body(batch, LAW, 1, now - FG_HOUR, FG_STR("<p>Granted by the council.\n"));
}

/* As the crawl names them. */
static void put_part(void *context, uint32_t site, enum fg_mind_part part,
                     struct fg_str bytes)
{
    char name[64];
    snprintf(name, sizeof name, "%s%s", (const char *)context,
             part == FG_MIND_ORDER     ? ":order"
             : part == FG_MIND_LEARNT  ? ":learnt"
             : part == FG_MIND_PASSING ? ":passing"
                                       : "");
    if (bytes.len)
        fg_batch_state(batch, site, name, bytes);
}

static void put_mind(char *name, const struct fg_policy *policy, fg_site_id site,
                     const fg_page_id *pages, size_t n)
{
    struct fg_mind *mind = fg_mind_new(policy, 1);
    for (size_t i = 0; i < n; i++)
        fg_mind_add(mind, (uint64_t)site << 32 | pages[i], site, now - 20 * FG_DAY);
    /* At this hour of day and at the next, which may have come when a test looks. */
    for (unsigned day = 5; day >= 1; day--)
        for (unsigned hour = 0; hour < 2; hour++)
            for (size_t i = 0; i < n; i++)
                fg_mind_observe(
                    mind, &(struct fg_visit){
                              .page = fg_mind_row(mind, (uint64_t)site << 32 | pages[i]),
                              .now = now - day * FG_DAY + hour * FG_HOUR,
                              .ok = true,
                              .n_fresh = pages[i] == POLITICS ? 4 : pages[i] == HOME});
    fg_mind_save_parts(mind, put_part, name);
    fg_mind_free(mind);
}

static void put_minds(void)
{
    static const fg_page_id sources[] = {HOME, POLITICS, FEED, QUIET}, documents[] = {1};
    put_mind("policy:discovery", fg_policy_find(FG_STR("thompson"), FG_DISCOVERY), NEWS,
             sources, 4);
    put_mind("policy:refresh", fg_policy_find(FG_STR("round-robin"), FG_REFRESH), LAW,
             documents, 1);
    fg_batch_state(batch, 0, "policy:saved",
                   (struct fg_str){(const char *)&now, sizeof now});
}

int main(int argc, char **argv)
{
    char path[4096];
    struct fg_err err = {0};
    struct fg_store *store;
    if (argc != 2)
        return 4;
    mkdir(argv[1], 0777);
    now = fg_time_now() / FG_SECOND * FG_SECOND;
    snprintf(path, sizeof path, "%s/forage.yaml", argv[1]);
    enum fg_status st =
        fg_file_replace(path, FG_STR("operator.contact: tests@forage.example\n"), &err);
    snprintf(path, sizeof path, "%s/forage.db", argv[1]);
    if (!st)
        st = fg_store_open(
            &store, path,
            &(struct fg_store_options){.keep_bodies = true, .body_depth = 2}, &err);
    if (!st) {
        batch = fg_batch_new(store);
        put_site(NEWS, "https://news.example", 2, "press,daily", FG_NEVER);
        put_site(LAW, "https://law.example", 3, "", now + 2 * FG_HOUR);
        put_site(HOST, "https://cdn.example", 4, "", FG_NEVER);
        put_pages();
        put_visits();
        put_event(ARTICLE, "https://news.example/2026/a.html", "first words", 3 * FG_HOUR,
                  "");
        fg_batch_text(batch,
                      &(struct fg_page_text){
                          .site = NEWS,
                          .page = ARTICLE,
                          .title = FG_STR("An article"),
                          .text = FG_STR("The harvest was good, says this article."),
                          .language = FG_STR("en")});
        put_event(COPY, "https://news.example/a-print.html", "copy", 2 * FG_HOUR, "");
        put_event(WAITING, "https://news.example/2026/b.html",
                  "-second \\\"words\\\" <i> & \\u0007 more", 10 * FG_MINUTE,
                  ",\"published\":\"2026-01-02T03:04:05Z\",\"language\":\"en\","
                  "\"excerpt\":\"The council & <b>its</b> plan\"");
        put_minds();
        fg_store_submit(store, batch);
        st = fg_store_close(store, &err);
    }
    if (st)
        fprintf(stderr, "make_workspace: %s\n", err.text);
    return (int)st;
}
