/* Sections that are alike: departments, boards, projects, each with a list of its own
 *
 * Nothing shows what is new in all of them, so each must be looked into once; and the
 * page that leads to the list of a section, "/dept/harbour/" to "/dept/harbour/news/", is
 * mostly no list itself. Where the lists of a few sections of one folder are watched, the
 * front pages of the others are worth a look. */
#include "crawl/sites/site.h"
#include "crawl/sources/sources.h"
#include "crawl/state.h"

#include "net/url/canonical.h"

enum { ALIKE = 3, PAIRS_MOST = 600 };

/* A folder, and one of its parts that has a list somewhere below it. */
struct part {
    struct fg_str folder;
    uint64_t names; /* of the folder and the part */
};

struct parts {
    struct part at[PAIRS_MOST];
    size_t n;
};

static void add_part(struct parts *parts, struct fg_str folder, struct fg_str whole)
{
    uint64_t names = fg_str_hash(whole);
    for (size_t i = 0; i < parts->n; i++)
        if (parts->at[i].names == names)
            return;
    if (parts->n < PAIRS_MOST)
        parts->at[parts->n++] = (struct part){folder, names};
}

/* Of "/dept/harbour/news/": harbour in /dept/. What lies at the root is no kind. */
static void add_parts(struct parts *parts, struct fg_str url)
{
    size_t root = fg_canonical_site(url).len + 1, folder = 0, before = 0;
    if (fg_str_chr(url, '?') != FG_NOT_FOUND)
        return;
    for (size_t i = root; i + 1 < url.len; i++)
        if (url.at[i] == '/') {
            folder = before;
            before = i + 1;
            if (folder > root)
                add_part(parts, fg_str_sub(url, 0, folder), fg_str_sub(url, 0, before));
        }
}

void crawl_find_sections(struct crawl_sections *sections, const struct fg_crawl *crawl,
                         const struct site *site)
{
    struct parts parts;
    parts.n = sections->n = 0;
    if (site->lists.has_feed || site->lists.sources.len < ALIKE)
        return;
    for (size_t i = 0; i < site->lists.sources.len; i++)
        add_parts(&parts, fg_known_url(&crawl->known, site->lists.sources.at[i]));
    for (size_t i = 0; i < parts.n && sections->n < SECTION_FOLDERS_MOST; i++) {
        size_t alike = 0;
        bool is_first = true;
        for (size_t k = 0; k < parts.n; k++) {
            bool is_same = fg_str_eq(parts.at[k].folder, parts.at[i].folder);
            alike += is_same;
            is_first &= !is_same || k >= i;
        }
        if (is_first && alike >= ALIKE)
            sections->folders[sections->n++] = parts.at[i].folder;
    }
}

bool crawl_is_section(const struct crawl_sections *sections, struct fg_str url)
{
    for (size_t i = 0; i < sections->n; i++) {
        struct fg_str folder = sections->folders[i];
        if (url.len <= folder.len || !fg_str_starts(url, folder))
            continue;
        size_t slash = fg_str_chr(fg_str_skip(url, folder.len), '/');
        if ((slash == FG_NOT_FOUND || folder.len + slash + 1 == url.len) &&
            fg_str_chr(url, '?') == FG_NOT_FOUND)
            return true;
    }
    return false;
}
