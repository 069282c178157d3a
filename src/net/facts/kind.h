/* kind.h - is this a page that a person would want to be told of?
 *
 *     struct fg_kind_verdict verdict = fg_kind_of_page(&facts, url, page.title);
 *     if (verdict.kind != FG_KIND_PAGE) ...not an event, because of verdict.reason...
 *
 * Articles, products, wiki pages, commits, releases, reports, mails and topics are pages.
 * Lists, further pages of lists, search results and archives are lists. Login, edit,
 * history, diff, print and the like are actions: another view of a page, or nothing to
 * read at all. The address is looked at first; its words count as whole segments of the
 * path and as names and values of parameters, never as parts of a slug. Where it is
 * ambiguous ("/tag/x" is a list in one program and a release in another) the page itself
 * decides: what it claims to be, and how much of its main part is text of its own. */
#ifndef FG_NET_KIND_H
#define FG_NET_KIND_H

#include "base/arena.h"
#include "base/str.h"
#include "base/time.h"
#include "net/facts/facts.h"

#include <stdbool.h>

enum fg_kind {
    FG_KIND_PAGE,
    FG_KIND_LIST,
    FG_KIND_ACTION,
    FG_KIND_ERROR,
    FG_KIND_EMPTY /* nothing to read: needs a browser, or a file and not a page */
};

struct fg_kind_verdict {
    enum fg_kind kind;
    float certainty;    /* 0.5 .. 1 */
    const char *reason; /* static words for a person: "has a password field" */
};

/* Does an address that is judged like this say that it is a list? */
static inline bool fg_kind_is_likely_list(struct fg_kind_verdict verdict)
{
    static const float likely = 0.62F;
    return verdict.kind == FG_KIND_LIST && verdict.certainty >= likely;
}

/* "page", "list", "action", "error", "empty" */
const char *fg_kind_name(enum fg_kind kind);

/* After reading it. `title` is that of the title element. */
struct fg_kind_verdict fg_kind_of_page(const struct fg_facts *facts, struct fg_str url,
                                       struct fg_str title);

/* The same where the address does not count. */
struct fg_kind_verdict fg_kind_of_content(const struct fg_facts *facts,
                                          struct fg_str title);
/* Before: by the address alone. FG_KIND_PAGE with certainty 0.5 where nothing speaks
 * against it. From 0.9 on the content cannot change the verdict. */
struct fg_kind_verdict fg_kind_of_address(struct fg_str url);

/* The root of a site, without a path or parameters. */
bool fg_address_is_home(struct fg_str url);

/* "/de/", "/pt-br": the root of a site in one language. */
bool fg_address_is_language(struct fg_str url);

/* "/news", "/en/blog/", "/aktuelles.html": what is behind it is for what comes. */
bool fg_address_names_news(struct fg_str url);

/* The same list in another order, or a part of it. */
bool fg_address_is_variant(struct fg_str url);

/* Does a link of a page, both absolute, only lead to a view of that page: to itself, to
 * an action on it, to another order or further page of it? */
bool fg_address_is_view_of(struct fg_str url, struct fg_str page_url);

/* What the addresses of one calendar have in common: their words, without numbers and
 * without words for days, weeks, months and years. "/plan?m=3&y=2026" and
 * "/plan?d=5&m=4&y=2026" are of one family, and so are "/news/12" and "/news/". */
struct fg_address_family {
    uint64_t words;
    bool has_number;
    bool names_time; /* its numbers can be those of a date */
};
struct fg_address_family fg_address_family(struct fg_str url);

/* A further page of a list: "/page/2/", "?page=3", "?start=20", "index3.html"; not its
 * first page, and not "/page/about". */
bool fg_address_is_continuation(struct fg_str url);
/* "?page=1" or "?start=0": the list itself, by another name. */
bool fg_address_is_first_page(struct fg_str url);
bool fg_param_is_first_page(struct fg_str name, struct fg_str value);

/* The first moment (UTC) of the day in "/2026/11/16/slug", "/2026-11-16-slug" or
 * "/20261116/", of the month in "/2026/11/slug" or "/2026-November/"; FG_NEVER if there
 * is none. `span` (may be NULL) is the length of that day or month. */
fg_time fg_address_date(struct fg_str url, fg_time *span);

/* The same of an archive: the address ends with the date, which may be a year alone. */
fg_time fg_address_archive(struct fg_str url, fg_time *span);
/* Is it an entry of one, by a fragment ("/2026/11/19#a-title")? */
bool fg_address_is_archive_entry(struct fg_str url);

/* The page that an action's address is about, without the parameters of actions and
 * revisions: "doku.php?id=a:b&rev=1&do=diff" is about "doku.php?id=a:b". Empty if nothing
 * was taken off, or nothing would be left. In the arena. */
struct fg_str fg_address_subject(struct fg_arena *arena, struct fg_str url);

#endif
