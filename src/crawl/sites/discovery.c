/* The event of a page that is new: what the world is told of it. */
#include "crawl/sites/pages.h"
#include "crawl/sites/site.h"
#include "crawl/state.h"

#include "base/json.h"

#include <math.h>
#include <stdio.h>

/* What is known only of a page that was read, or judged. */
static void put_findings(struct fg_json *json, const struct new_page *page)
{
    if (page->title.len) {
        fg_json_key(json, "title");
        fg_json_str(json, page->title);
    }
    if (page->published != FG_NEVER) {
        fg_json_pair_time(json, "published", page->published);
    }
    if (page->language.len) {
        fg_json_key(json, "language");
        fg_json_str(json, page->language);
    }
    if (page->excerpt.len) {
        fg_json_key(json, "excerpt");
        fg_json_str(json, page->excerpt);
    }
    if (page->relevance > 0) {
        fg_json_pair_double(json, "relevance",
                            round((double)page->relevance * 1000) / 1000);
    }
}

/* The line that is told to the world. */
void crawl_report(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                  const struct new_page *page, fg_time now)
{
    /* Room for two addresses of the greatest length with every byte escaped. */
    enum { MOST_LINE = 1 << 20, MOST_WORDS = 1024 };
    struct fg_buf line;
    fg_buf_init(&line, MOST_LINE);
    struct fg_json json = fg_json_to(&line);
    char id[20];
    snprintf(id, sizeof id, "%016llx", (unsigned long long)page->fingerprint);
    fg_json_object(&json);
    fg_json_pair_cstr(&json, "event", id);
    fg_json_pair_cstr(&json, "type", "discovery");
    fg_json_key(&json, "url");
    fg_json_str(&json, page->url);
    fg_json_pair_cstr(&json, "site", page->site->key);
    fg_json_pair_time(&json, "found_at", crawl->known.at[row].first_seen);
    fg_json_key(&json, "found_on");
    if (page->found_on != FG_UNKNOWN)
        fg_json_str(&json, fg_known_url(&crawl->known, page->found_on));
    else
        fg_json_null(&json);
    if (crawl->known.at[row].flags & FG_PAGE_PUSHED)
        fg_json_pair_cstr(&json, "found_by", "push");
    fg_json_key(&json, "words");
    fg_json_str(&json, page->words.len > MOST_WORDS
                           ? fg_str_sub(page->words, 0, MOST_WORDS)
                           : page->words);
    fg_json_pair_time(&json, "dated", page->dated);
    put_findings(&json, page);
    fg_json_end(&json);
    fg_batch_event(batch, &(struct fg_event_row){.site = page->site->id,
                                                 .page = crawl->known.at[row].page,
                                                 .id = page->fingerprint,
                                                 .time = now,
                                                 .kind = FG_STR("discovery"),
                                                 .json = fg_buf_str(&line)});
    fg_buf_clear(&line);
    crawl->counts.discovered++;
    page->site->counts.discovered++;
    page->site->counts.last_discovery = now;
    push_of_news(page->site, crawl->known.at[row].flags, now);
}
