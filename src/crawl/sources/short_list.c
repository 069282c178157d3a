/* Lists that show little
 *
 * A young weblog, the news of a small company: three or four entries are all there is,
 * and what comes is seen there and nowhere else. A page of so few links may as well be an
 * article with a box of others, and there are many of these. So a short list must be
 * close to the front page and say what it is: by its address ("/news", "/en/blog/"), or
 * by showing what lies below it ("/insights/" shows "/insights/a-title") and nothing
 * else. */
#include "crawl/sites/pages.h"
#include "crawl/sources/sources.h"
#include "crawl/state.h"

#include "net/facts/kind.h"

enum { DEPTH_MOST = 2, BELOW_LEAST = 2 };

/* "/insights/a-title" is below "/insights" and below "/insights.html". */
static bool is_below(struct fg_str url, struct fg_str list)
{
    static const char *const endings[] = {"/", ".html", ".htm", ".php"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        struct fg_str ending = fg_str_from(endings[i]);
        if (fg_str_ends(list, ending)) {
            list.len -= ending.len;
            break;
        }
    }
    return url.len > list.len + 1 && fg_str_starts(url, list) && url.at[list.len] == '/';
}

static bool shows_what_is_below(const struct fg_crawl *crawl, struct fg_str list,
                                const uint32_t *links, size_t n, uint64_t common)
{
    size_t below = 0;
    for (size_t i = 0; i < n; i++) {
        const struct fg_known_page *page = &crawl->known.at[links[i]];
        struct fg_str url = fg_known_url(&crawl->known, links[i]);
        if (page->shown_by > common || fg_str_eq(url, list))
            continue;
        if (!is_below(url, list))
            return false;
        below++;
    }
    return below >= BELOW_LEAST;
}

bool crawl_is_short_list(const struct fg_crawl *crawl, uint32_t row,
                         const uint32_t *links, size_t n, uint64_t common)
{
    const struct fg_known_page *page = &crawl->known.at[row];
    struct fg_str url = fg_known_url(&crawl->known, row);
    if (!(page->flags & FG_PAGE_LIST) || page->depth > DEPTH_MOST ||
        fg_str_chr(url, '?') != FG_NOT_FOUND)
        return false;
    return fg_address_names_news(url) ||
           (page->depth <= 1 && shows_what_is_below(crawl, url, links, n, common));
}
