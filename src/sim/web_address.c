#include "sim/web_address.h"

/* Takes `n` digits and the slash after them off the front. */
static bool take_number(struct fg_str *rest, size_t n, uint64_t *number)
{
    if (rest->len < n + 1 || rest->at[n] != '/' ||
        !fg_str_to_u64(fg_str_sub(*rest, 0, n), number))
        return false;
    *rest = fg_str_skip(*rest, n + 1);
    return true;
}

/* "2026/05/" and perhaps "14/". */
static enum web_place read_date(struct web_address *a, struct fg_str rest,
                                enum web_place of_month, enum web_place of_day)
{
    uint64_t year, month, day;
    if (!take_number(&rest, 4, &year) || !take_number(&rest, 2, &month) || year < 1 ||
        month < 1 || month > 12)
        return WEB_AT_NOTHING;
    a->year = (int64_t)year;
    a->month = (int)month;
    if (!rest.len)
        return of_month;
    if (!take_number(&rest, 2, &day) || rest.len || day < 1 || day > 31)
        return WEB_AT_NOTHING;
    a->day = (int)day;
    return of_day;
}

/* Takes "page/2/" off the end. */
static void take_page(struct web_address *a)
{
    struct fg_str path = a->path;
    if (!fg_str_ends(path, FG_STR("/")))
        return;
    size_t end = path.len - 1, start = end;
    while (start > 0 && fg_is_digit(path.at[start - 1]))
        start--;
    struct fg_str before = fg_str_sub(path, 0, start);
    if (!fg_str_ends(before, FG_STR("/page/")) ||
        !fg_str_to_u64(fg_str_sub(path, start, end), &a->page))
        return;
    a->path = fg_str_sub(before, 0, before.len - 5); /* "/archive/2026/05/" */
}

static bool is_hex(struct fg_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (fg_hex(s.at[i]) < 0)
            return false;
    return true;
}

/* What the parameters make of it; those we do not know are ignored, as servers do. */
static enum web_place read_query(struct web_address *a, struct fg_str query)
{
    enum web_place what = WEB_AT_NOTHING;
    struct fg_str pair;
    uint64_t number;
    while (query.len && fg_str_cut(&query, '&', &pair)) {
        struct fg_str name;
        fg_str_cut(&pair, '=', &name);
        if (fg_str_eq(name, FG_STR("visit")) && is_hex(pair))
            a->session = pair;
        else if (fg_str_eq(name, FG_STR("replytocom")))
            what = WEB_AT_REPLY;
        else if (fg_str_eq(name, FG_STR("share")))
            what = WEB_AT_SHARE;
        else if (fg_str_eq(name, FG_STR("page")))
            fg_str_to_u64(pair, &a->page);
        else if (fg_str_eq(name, FG_STR("p")) && fg_str_to_u64(pair, &number) &&
                 number <= UINT32_MAX) {
            a->number = (uint32_t)number;
            what = WEB_AT_SHORT;
        }
    }
    return what;
}

static enum web_place read_fixed(const struct web_site *site, struct web_address *a)
{
    static const struct {
        const char *path;
        enum web_place what;
    } fixed[] = {
        {"/robots.txt", WEB_AT_ROBOTS}, {"/topics", WEB_AT_TOPICS},
        {"/about", WEB_AT_STATIC},      {"/imprint", WEB_AT_STATIC},
        {"/privacy", WEB_AT_STATIC},    {"/login", WEB_AT_LOGIN},
    };
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (fg_str_eq(a->path, fg_str_from(fixed[i].path)))
            return fixed[i].what;
    if (site->has_feed && fg_str_eq(a->path, FG_STR("/feed.xml")))
        return WEB_AT_FEED;
    if (site->has_comment_feed && fg_str_eq(a->path, FG_STR("/comments.xml")))
        return WEB_AT_COMMENT_FEED;
    if (site->has_archives && fg_str_eq(a->path, FG_STR("/archive/")))
        return WEB_AT_ARCHIVES;
    if (site->has_sitemap && fg_str_eq(a->path, FG_STR("/sitemap.xml")))
        return WEB_AT_SITEMAP;
    if (site->has_sitemap && fg_str_eq(a->path, FG_STR("/sitemap-lists.xml")))
        return WEB_AT_SITEMAP_OF_LISTS;
    return WEB_AT_NOTHING;
}

/* "/go/17": a prefix, a number of at most six digits and a suffix. */
static bool is_numbered(struct web_address *a, struct fg_str prefix, struct fg_str suffix)
{
    uint64_t number;
    if (!fg_str_starts(a->path, prefix) || !fg_str_ends(a->path, suffix) ||
        a->path.len < prefix.len + suffix.len)
        return false;
    struct fg_str digits = fg_str_sub(a->path, prefix.len, a->path.len - suffix.len);
    if (digits.len > 6 || !fg_str_to_u64(digits, &number))
        return false;
    a->number = (uint32_t)number;
    return true;
}

/* Beside an article at "/x.html" there is "/print/x.html", beside "/x/" "/x/print/". */
static enum web_place read_beside(const struct web_site *site, struct web_address *a,
                                  fg_time now)
{
    static const struct {
        struct fg_str before, after;
        enum web_place what;
    } beside[] = {
        {{"/print", 6}, {"print/", 6}, WEB_AT_PRINT},
        {{"/comments", 9}, {"feed/", 5}, WEB_AT_TALK},
    };
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        struct fg_str before = beside[i].before, after = beside[i].after, path = a->path;
        bool is_file = fg_str_starts(path, before) && fg_str_ends(path, FG_STR(".html"));
        if (!is_file && !fg_str_ends(path, after))
            continue;
        path = is_file ? fg_str_skip(path, before.len)
                       : fg_str_sub(path, 0, path.len - after.len);
        if (web_find_article(site, path, now, &a->number))
            return beside[i].what;
    }
    return WEB_AT_NOTHING;
}

static enum web_place read_path(const struct web_site *site, struct web_address *a,
                                fg_time now)
{
    enum web_place what = read_fixed(site, a);
    if (what)
        return what;
    if (web_find_article(site, a->path, now, &a->number))
        return WEB_AT_ARTICLE;
    what = read_beside(site, a, now);
    if (what)
        return what;
    if (is_numbered(a, FG_STR("/go/"), FG_STR("")))
        return WEB_AT_GO;
    if (is_numbered(a, FG_STR("/sponsored/offer-"), FG_STR("")) && a->number < WEB_OFFERS)
        return WEB_AT_OFFER;
    if (site->has_sitemap && is_numbered(a, FG_STR("/sitemap-"), FG_STR(".xml")))
        return WEB_AT_SITEMAP_OF_ARTICLES;
    take_page(a);
    if (site->has_archives && fg_str_starts(a->path, FG_STR("/archive/")))
        return read_date(a, fg_str_skip(a->path, 9), WEB_AT_MONTH, WEB_AT_NOTHING);
    if (site->has_archives && fg_str_starts(a->path, FG_STR("/calendar/")))
        return read_date(a, fg_str_skip(a->path, 10), WEB_AT_CALENDAR, WEB_AT_DAY);
    struct fg_str path = a->path;
    if (a->page != 1 && path.len > 1 && fg_str_ends(path, FG_STR("/")))
        path = fg_str_sub(path, 0, path.len - 1); /* "/section/world/page/2/" */
    a->list = web_find_list(site, path);
    return a->list ? WEB_AT_LIST : WEB_AT_NOTHING;
}

struct web_address web_address_read(const struct web_site *site, struct fg_str target,
                                    fg_time now)
{
    struct web_address a = {.page = 1};
    fg_str_cut(&target, '?', &a.path);
    enum web_place asked = read_query(&a, target);
    uint32_t number = a.number;
    a.what = read_path(site, &a, now);
    if (a.what == WEB_AT_ARTICLE && (asked == WEB_AT_REPLY || asked == WEB_AT_SHARE))
        a.what = asked;
    if (asked == WEB_AT_SHORT && fg_str_eq(a.path, FG_STR("/")) &&
        number < site->articles.len && site->articles.at[number].published <= now) {
        a.number = number;
        a.what = WEB_AT_SHORT;
    }
    return a;
}

enum fg_web_form web_ugly_form(const struct web_site *site, struct fg_str target)
{
    struct web_address a = web_address_read(site, target, INT64_MAX);
    switch (a.what) {
    case WEB_AT_ARTICLE:
        return a.session.len ? FG_WEB_COPY : FG_WEB_ARTICLE;
    case WEB_AT_REPLY:
    case WEB_AT_SHARE:
    case WEB_AT_PRINT:
    case WEB_AT_SHORT:
        return FG_WEB_COPY;
    case WEB_AT_NOTHING:
    case WEB_AT_ROBOTS:
    case WEB_AT_STATIC:
    case WEB_AT_OFFER:
    case WEB_AT_GO:
    case WEB_AT_LOGIN:
        return FG_WEB_OTHER;
    default:
        return FG_WEB_LIST;
    }
}
