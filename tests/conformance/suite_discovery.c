/* Finding the feeds that a page announces. */
#include "conformance/suite.h"

#include "net/html/page.h"
#include "net/url/url.h"

static struct fg_url base_of(struct fg_arena *arena, const struct fg_page *page,
                             struct fg_str document)
{
    struct fg_url own, base;
    fg_url_parse(&own, arena, document, NULL);
    return page->base.at && fg_url_parse(&base, arena, page->base, &own) ? base : own;
}

static json_t *find_feeds(struct fg_arena *arena, struct fg_str html,
                          struct fg_str document)
{
    struct fg_page page;
    fg_page_read(&page, arena, html, FG_PAGE_LINKS);
    struct fg_url base = base_of(arena, &page, document), url;
    json_t *feeds = json_array();
    for (size_t i = 0; i < page.n_links; i++)
        if (fg_link_is_feed(&page.links[i]) &&
            fg_url_parse(&url, arena, page.links[i].href, &base))
            json_array_append_new(feeds, json_stringn(url.href.at, url.href.len));
    return feeds;
}

static void run(struct suite *suite)
{
    json_t *cases = suite_json(suite, "discovery.json");
    if (!cases) {
        printf("%s/discovery.json: not there\n", suite->folder);
        return;
    }
    suite_part(suite, "discovery");
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *test = json_array_get(cases, i);
        json_t *feeds = find_feeds(&suite->arena, suite_str(test, "html"),
                                   suite_str(test, "document_url"));
        bool passed = json_equal(feeds, json_object_get(test, "feeds"));
        suite_case(suite, passed, "%.*s", FG_ARG(suite_str(test, "note")));
        if (!passed) {
            char *text = json_dumps(feeds, 0);
            suite_detail(suite, "found %s", text);
            free(text);
        }
        json_decref(feeds);
    }
    json_decref(cases);
}

int main(void)
{
    return suite_main("feeds", run);
}
