/* What surrounds articles on real sites, and leads crawlers astray.
 *
 *     lists         have further pages (/section/world/page/2/, or ?page=2); topics and
 *                   writers are linked from every article; archives by month and a
 *                   calendar whose months never end show everything once more
 *     articles      are also there to print, to share (?share=) and to reply to
 *                   (?replytocom=); most name their canonical address, not all; some are
 *                   edited later; they show older ones as related
 *     boxes         on every page turn over by the hour: most read, mostly old articles,
 *                   and partners' offers; advertisements lead through redirects
 *     feeds         of articles are late (or missing) and link with utm parameters; those
 *                   of comments are prompt, and about old articles
 *     sitemap       an index of parts, the oldest first, with lists in the first part;
 *                   lastmod moves when an old article is edited
 *     sessions      one site puts one into every link, new for everybody who comes
 *                   without, and over with the hour
 *     dates         as JSON-LD, meta or time elements, by site; on one site none at all
 *
 * Which site has what is the table in web.c. */
#include "sim/web_ugly.h"

#include "base/rng.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum {
    ARCHIVE_SHOWS = 30,  /* articles on a page of an archive */
    ARCHIVE_MONTHS = 12, /* linked from every page */
    MOST_TARGET = 512,   /* bytes of an address we link to */
    MOST_YEAR = 9999,    /* of the calendar */
};

/* --- pieces of pages --- */

/* A number that follows from two others. */
static uint64_t mix(uint64_t a, uint64_t b)
{
    struct fg_rng rng = fg_rng_from_seed(a ^ (b * UINT64_C(0x9e3779b97f4a7c15)));
    return fg_rng_next(&rng);
}

static uint64_t hour_of(const struct web_scene *s)
{
    return (uint64_t)(s->now / FG_HOUR);
}

/* A session goes into the query, before a fragment. */
static void add_href(const struct web_scene *s, struct fg_str target)
{
    struct fg_str page;
    bool has_fragment = fg_str_chr(target, '#') != FG_NOT_FOUND;
    fg_str_cut(&target, '#', &page);
    fg_buf_printf(s->out, "href=\"%.*s", FG_ARG(page));
    if (*s->session)
        fg_buf_printf(s->out, "%svisit=%s",
                      fg_str_chr(page, '?') == FG_NOT_FOUND ? "?" : "&amp;", s->session);
    fg_buf_printf(s->out, "%s%.*s\"", has_fragment ? "#" : "", FG_ARG(target));
}

__attribute__((format(printf, 3, 4))) static void add_link(const struct web_scene *s,
                                                           const char *text,
                                                           const char *format, ...)
{
    char target[MOST_TARGET];
    va_list values;
    va_start(values, format);
    vsnprintf(target, sizeof target, format, values);
    va_end(values);
    fg_buf_add(s->out, FG_STR("<a "));
    add_href(s, fg_str_from(target));
    fg_buf_printf(s->out, ">%s</a>\n", text);
}

static void add_list_link(const struct web_scene *s, const struct web_list *list)
{
    add_link(s, *list->name ? list->name : "home", "%s%s", web_list_folder(list->kind),
             list->name);
}

/* With `parameters`, as "?utm_source=box", or "". */
static void add_article_link(const struct web_scene *s, uint32_t number,
                             struct fg_str parameters)
{
    fg_buf_add(s->out, FG_STR("<li><a "));
    web_scene_path(s, number);
    fg_buf_add(s->path, parameters);
    add_href(s, fg_buf_str(s->path));
    fg_buf_add(s->out, FG_STR(">"));
    web_add_title(s->site->articles.at[number].seed, s->out);
    fg_buf_add(s->out, FG_STR("</a></li>\n"));
}

static void add_head(const struct web_scene *s, struct fg_str title, struct fg_str more)
{
    fg_buf_printf(s->out,
                  "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                  "<title>%.*s - %s</title>\n%.*s",
                  FG_ARG(title), s->site->name, FG_ARG(more));
    if (s->site->has_feed)
        fg_buf_printf(s->out,
                      "<link rel=\"alternate\" type=\"application/rss+xml\" "
                      "title=\"%s\" href=\"/feed.xml\">\n",
                      s->site->name);
    if (s->site->has_comment_feed)
        fg_buf_printf(s->out,
                      "<link rel=\"alternate\" type=\"application/rss+xml\" "
                      "title=\"%s: comments\" href=\"/comments.xml\">\n",
                      s->site->name);
    fg_buf_add(s->out, FG_STR("</head><body>\n<nav>\n"));
    for (size_t i = 0; i < s->site->lists.len; i++) {
        const struct web_list *list = &s->site->lists.at[i];
        if (list->kind <= WEB_SECTION || list->kind == WEB_OLD)
            add_list_link(s, list);
    }
    add_link(s, "topics", "/topics");
    if (s->site->has_archives)
        add_link(s, "archive", "/archive/");
    fg_buf_add(s->out, FG_STR("</nav>\n"));
    if (s->web->options.has_noise)
        web_add_noise(s->now, "readers", s->out);
}

static void month_of(fg_time time, int64_t *year, int *month)
{
    int day;
    fg_date_from_days(time / FG_DAY - (time % FG_DAY < 0), year, month, &day);
}

static void step_month(int64_t *year, int *month, int by)
{
    int64_t all = *year * 12 + *month - 1 + by;
    *year = all / 12;
    *month = (int)(all % 12) + 1;
}

static void add_archive_box(const struct web_scene *s)
{
    int64_t year;
    int month;
    char name[32];
    month_of(s->now, &year, &month);
    fg_buf_add(s->out, FG_STR("<h3>Archive</h3>\n"));
    add_link(s, "calendar", "/calendar/%04d/%02d/", (int)year, month);
    for (int i = 0; i < ARCHIVE_MONTHS; i++) {
        snprintf(name, sizeof name, "%04d-%02d", (int)year, month);
        add_link(s, name, "/archive/%04d/%02d/", (int)year, month);
        step_month(&year, &month, -1);
    }
}

/* Three articles of any age, two of the newest 200, as of the beginning of the hour. */
static void add_most_read(const struct web_scene *s)
{
    struct fg_str parameters =
        s->site->has_feed ? FG_STR("?utm_source=mostread") : FG_STR("");
    fg_buf_add(s->out,
               FG_STR("<div class=\"most-read\"><h3>Readers' favourites</h3><ul>\n"));
    struct fg_rng rng = fg_rng_from_seed(mix(s->site->seed, hour_of(s)));
    size_t all = web_count(s->site, (fg_time)hour_of(s) * FG_HOUR);
    for (int i = 0; i < 5 && all; i++) {
        uint64_t back = fg_rng_below(&rng, i < 3 || all < 200 ? all : 200);
        add_article_link(s, (uint32_t)(all - 1 - back), parameters);
    }
    fg_buf_add(s->out, FG_STR("</ul></div>\n"));
}

static void add_advertisements(const struct web_scene *s)
{
    struct fg_rng rng =
        fg_rng_from_seed(mix(s->site->seed ^ 1, (uint64_t)(s->now / FG_MINUTE)));
    fg_buf_add(s->out, FG_STR("<div class=\"ad\">"));
    add_link(s, "Half price, today only", "/go/%u", (unsigned)fg_rng_below(&rng, 100000));
    for (int i = 0; i < 2; i++)
        add_link(s, "An offer of our partners", "/sponsored/offer-%u",
                 (unsigned)fg_rng_below(&rng, WEB_OFFERS));
    fg_buf_add(s->out, FG_STR("</div>\n"));
}

static void add_foot(const struct web_scene *s)
{
    fg_buf_add(s->out, FG_STR("<aside>\n"));
    add_most_read(s);
    add_advertisements(s);
    if (s->site->has_archives)
        add_archive_box(s);
    fg_buf_add(s->out, FG_STR("</aside>\n<footer>\n"));
    add_link(s, "about", "/about");
    add_link(s, "imprint", "/imprint");
    add_link(s, "privacy", "/privacy");
    add_link(s, "log in", "/login?next=%%2F");
    add_link(s, "editors", "/private/desk");
    fg_buf_add(s->out, FG_STR("</footer></body></html>\n"));
}

/* Boxes are content, so a page is another one every hour. */
static struct fg_web_page html_page(const struct web_scene *s, uint64_t content,
                                    fg_time modified)
{
    return (struct fg_web_page){.status = 200,
                                .content_type = "text/html; charset=utf-8",
                                .version = mix(content, hour_of(s)) | 1,
                                .last_modified = modified};
}

/* --- lists --- */

/* Links to the first pages, those beside this one, and the last. */
static void add_pager(const struct web_scene *s, struct fg_str base, uint64_t page,
                      uint64_t pages)
{
    bool is_file = !fg_str_ends(base, FG_STR("/"));
    char text[24];
    fg_buf_add(s->out, FG_STR("<div class=\"pager\">\n"));
    for (uint64_t i = 1; i <= pages; i++) {
        if (i > 3 && i < pages && (i + 1 < page || i > page + 1))
            continue;
        snprintf(text, sizeof text, "%" PRIu64, i);
        if (i == 1)
            add_link(s, text, "%.*s", FG_ARG(base));
        else if (s->site->has_sessions)
            add_link(s, text, "%.*s?page=%" PRIu64, FG_ARG(base), i);
        else
            add_link(s, text, "%.*s%spage/%" PRIu64 "/", FG_ARG(base), is_file ? "/" : "",
                     i);
    }
    fg_buf_add(s->out, FG_STR("</div>\n"));
}

static void add_entry(const struct web_scene *s, uint32_t number)
{
    fg_time times[WEB_MOST_COMMENTS];
    add_article_link(s, number, FG_STR(""));
    if (!web_comments(s->web, &s->site->articles.at[number], times))
        return;
    struct fg_str path = web_scene_path(s, number);
    add_link(s, "comments", "%.*s#comments", FG_ARG(path));
}

static bool is_nofollow(const struct web_scene *s, const struct web_list *list)
{
    return s->site->has_nofollow_hub && list->kind == WEB_TICKER;
}

static struct fg_web_page render_list(const struct web_scene *s,
                                      const struct web_address *a)
{
    const struct web_list *list = a->list;
    size_t all = web_list_count(s->site, list, s->now);
    if (list->kind == WEB_OLD && all > list->shows)
        all = list->shows;
    uint64_t pages = all ? (all + list->shows - 1) / list->shows : 1;
    if (a->page < 1 || a->page > pages)
        return web_not_found(s->out);
    size_t first = (size_t)(a->page - 1) * list->shows;
    add_head(s, *list->name ? fg_str_from(list->name) : FG_STR("home"),
             is_nofollow(s, list)
                 ? FG_STR("<meta name=\"robots\" content=\"nofollow\">\n")
                 : FG_STR(""));
    fg_buf_printf(s->out, "<main><h1>%s</h1><ul>\n",
                  *list->name ? list->name : s->site->name);
    for (size_t i = first; i < first + list->shows && i < all; i++)
        add_entry(s, list->articles.at[all - 1 - i]);
    fg_buf_add(s->out, FG_STR("</ul>\n"));
    char base[MOST_TARGET];
    snprintf(base, sizeof base, "%s%s", web_list_folder(list->kind), list->name);
    add_pager(s, fg_str_from(base), a->page, pages);
    fg_buf_add(s->out, FG_STR("</main>\n"));
    add_foot(s);
    return html_page(s, all + 1, FG_NEVER);
}

static fg_time start_of(int64_t year, int month, int day)
{
    return fg_days_from_date(year, month, day) * FG_DAY;
}

/* What was published in [from, to), the newest first, in pages. */
static struct fg_web_page render_span(const struct web_scene *s,
                                      const struct web_address *a, const char *title,
                                      fg_time from, fg_time to)
{
    size_t first = web_count(s->site, from - 1), end = web_count(s->site, to - 1);
    end = end < s->published ? end : s->published;
    first = first < end ? first : end;
    size_t all = end - first, skip = (size_t)(a->page - 1) * ARCHIVE_SHOWS;
    uint64_t pages = all ? (all + ARCHIVE_SHOWS - 1) / ARCHIVE_SHOWS : 1;
    if (a->page < 1 || a->page > pages)
        return web_not_found(s->out);
    add_head(s, fg_str_from(title), FG_STR(""));
    fg_buf_printf(s->out, "<main><h1>%s</h1><ul>\n", title);
    for (size_t i = skip; i < skip + ARCHIVE_SHOWS && i < all; i++)
        add_entry(s, (uint32_t)(end - 1 - i));
    fg_buf_add(s->out, FG_STR("</ul>\n"));
    add_pager(s, a->path, a->page, pages);
    fg_buf_add(s->out, FG_STR("</main>\n"));
    add_foot(s);
    return html_page(s, mix(end, (uint64_t)from), FG_NEVER);
}

static struct fg_web_page render_month(const struct web_scene *s,
                                       const struct web_address *a)
{
    int64_t year = a->year;
    int month = a->month;
    char title[32];
    snprintf(title, sizeof title, "Archive of %04d-%02d", (int)year, month);
    step_month(&year, &month, 1);
    return render_span(s, a, title, start_of(a->year, a->month, 1),
                       start_of(year, month, 1));
}

static struct fg_web_page render_day(const struct web_scene *s,
                                     const struct web_address *a)
{
    char title[32];
    fg_time from = start_of(a->year, a->month, a->day);
    snprintf(title, sizeof title, "%04d-%02d-%02d", (int)a->year, a->month, a->day);
    return render_span(s, a, title, from, from + FG_DAY);
}

static struct fg_web_page render_calendar(const struct web_scene *s,
                                          const struct web_address *a)
{
    char text[32];
    int64_t year = a->year;
    int month = a->month;
    snprintf(text, sizeof text, "%04d-%02d", (int)year, month);
    add_head(s, fg_str_from(text), FG_STR(""));
    fg_buf_printf(s->out, "<main><h1>%s</h1>\n", text);
    step_month(&year, &month, 1);
    int64_t days = (start_of(year, month, 1) - start_of(a->year, a->month, 1)) / FG_DAY;
    for (int day = 1; day <= days; day++) {
        snprintf(text, sizeof text, "%d", day);
        add_link(s, text, "/calendar/%04d/%02d/%02d/", (int)a->year, a->month, day);
    }
    if (year <= MOST_YEAR)
        add_link(s, "next month", "/calendar/%04d/%02d/", (int)year, month);
    step_month(&year, &month, -2);
    if (year >= 1)
        add_link(s, "month before", "/calendar/%04d/%02d/", (int)year, month);
    fg_buf_add(s->out, FG_STR("</main>\n"));
    add_foot(s);
    return html_page(s, mix((uint64_t)a->year, (uint64_t)a->month), FG_NEVER);
}

/* From the month of the oldest article to this one. */
static struct fg_web_page render_archives(const struct web_scene *s)
{
    int64_t year, last_year;
    int month, last_month;
    char text[32];
    month_of(s->published ? s->site->articles.at[0].published : s->now, &year, &month);
    month_of(s->now, &last_year, &last_month);
    add_head(s, FG_STR("archive"), FG_STR(""));
    fg_buf_add(s->out, FG_STR("<main><h1>Archive</h1>\n"));
    while (year * 12 + month <= last_year * 12 + last_month) {
        snprintf(text, sizeof text, "%04d-%02d", (int)year, month);
        add_link(s, text, "/archive/%04d/%02d/", (int)year, month);
        step_month(&year, &month, 1);
    }
    fg_buf_add(s->out, FG_STR("</main>\n"));
    add_foot(s);
    return html_page(s, (uint64_t)(last_year * 12 + last_month), FG_NEVER);
}

static struct fg_web_page render_topics(const struct web_scene *s)
{
    add_head(s, FG_STR("topics"), FG_STR(""));
    fg_buf_add(s->out, FG_STR("<main><h1>Topics and writers</h1>\n"));
    for (size_t i = 0; i < s->site->lists.len; i++)
        if (s->site->lists.at[i].kind == WEB_TAG ||
            s->site->lists.at[i].kind == WEB_AUTHOR)
            add_list_link(s, &s->site->lists.at[i]);
    fg_buf_add(s->out, FG_STR("</main>\n"));
    add_foot(s);
    return html_page(s, 1, FG_NEVER);
}

/* --- articles --- */

/* Four of five name their canonical address. */
static bool names_canonical(const struct web_article *article)
{
    return article->seed % 5 != 0;
}

static void add_dates(const struct web_scene *s, const struct web_article *article,
                      struct fg_str title, struct fg_buf *head)
{
    char published[FG_TIME_TEXT], edited[FG_TIME_TEXT];
    fg_time_format(published, article->published / FG_SECOND * FG_SECOND);
    fg_time_format(
        edited, (web_scene_is_edited(s, article) ? article->edited : article->published) /
                    FG_SECOND * FG_SECOND);
    if (s->site->dates == WEB_IN_JSON_LD)
        fg_buf_printf(head,
                      "<script type=\"application/ld+json\">{\"@context\":"
                      "\"https://schema.org\",\"@type\":\"NewsArticle\",\"headline\":"
                      "\"%.*s\",\"datePublished\":\"%s\",\"dateModified\":\"%s\"}"
                      "</script>\n",
                      FG_ARG(title), published, edited);
    if (s->site->dates == WEB_IN_META)
        fg_buf_printf(head,
                      "<meta property=\"og:type\" content=\"article\">\n"
                      "<meta property=\"article:published_time\" content=\"%s\">\n"
                      "<meta property=\"article:modified_time\" content=\"%s\">\n",
                      published, edited);
}

static void add_article_head(const struct web_scene *s, const struct web_address *a)
{
    const struct web_article *article = &s->site->articles.at[a->number];
    struct fg_buf title, head;
    fg_buf_init(&title, 256);
    fg_buf_init(&head, 4096);
    web_add_title(article->seed, &title);
    struct fg_str path = web_scene_path(s, a->number);
    if (names_canonical(article))
        fg_buf_printf(&head, "<link rel=\"canonical\" href=\"%.*s%.*s\">\n",
                      FG_ARG(s->origin), FG_ARG(path));
    if (a->what == WEB_AT_PRINT && s->site->hides_replies)
        fg_buf_add(&head, FG_STR("<meta name=\"robots\" content=\"noindex\">\n"));
    if (s->site->has_feed)
        fg_buf_printf(&head,
                      "<link rel=\"alternate\" type=\"application/rss+xml\" "
                      "title=\"Comments on this\" href=\"%.*sfeed/\">\n",
                      FG_ARG(path));
    add_dates(s, article, fg_buf_str(&title), &head);
    if (a->what == WEB_AT_PRINT)
        fg_buf_printf(s->out,
                      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                      "<title>%.*s</title>\n%.*s</head><body>\n",
                      (int)title.len, title.at, (int)head.len, head.at);
    else
        add_head(s, fg_buf_str(&title), fg_buf_str(&head));
    fg_buf_printf(s->out, "<article><h1>%.*s</h1>\n", (int)title.len, title.at);
    fg_buf_clear(&head);
    fg_buf_clear(&title);
}

static bool is_on(const struct web_list *list, uint32_t number)
{
    size_t low = 0, high = list->articles.len;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (list->articles.at[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < list->articles.len && list->articles.at[low] == number;
}

static void add_lists_of(const struct web_scene *s, uint32_t number,
                         enum web_list_kind kind)
{
    for (size_t i = 0; i < s->site->lists.len; i++)
        if (s->site->lists.at[i].kind == kind && is_on(&s->site->lists.at[i], number))
            add_list_link(s, &s->site->lists.at[i]);
}

static void add_text(const struct web_scene *s, uint32_t number)
{
    const struct web_article *article = &s->site->articles.at[number];
    char when[FG_TIME_TEXT];
    if (s->site->dates == WEB_IN_TIME) {
        fg_time_format(when, article->published / FG_SECOND * FG_SECOND);
        fg_buf_printf(s->out, "<time datetime=\"%s\">%.10s</time>\n", when, when);
    }
    fg_buf_add(s->out, FG_STR("<p>By\n"));
    add_lists_of(s, number, WEB_AUTHOR);
    fg_buf_add(s->out, FG_STR("our staff</p>\n"));
    if (web_scene_is_edited(s, article)) {
        fg_buf_add(s->out, FG_STR("<p class=\"correction\">Corrected: "));
        web_add_title(article->seed ^ 0xed17, s->out);
        fg_buf_add(s->out, FG_STR(".</p>\n"));
    }
    web_add_prose(article->seed, s->web->options.article_bytes, s->out);
    fg_buf_add(s->out, FG_STR("</article>\n"));
}

/* Tags, and what one may do with it. */
static void add_tools(const struct web_scene *s, uint32_t number)
{
    char path[MOST_TARGET];
    struct fg_str real = web_scene_path(s, number);
    snprintf(path, sizeof path, "%.*s", FG_ARG(real));
    fg_buf_add(s->out, FG_STR("<p class=\"tags\">\n"));
    add_lists_of(s, number, WEB_TAG);
    fg_buf_add(s->out, FG_STR("</p><p class=\"tools\">\n"));
    add_link(s, "Share", "%s?share=facebook&amp;nb=1", path);
    add_link(s, "Mail", "%s?share=mail&amp;nb=1", path);
    if (fg_str_ends(real, FG_STR("/")))
        add_link(s, "Print", "%sprint/", path);
    else
        add_link(s, "Print", "/print%s", path);
    fg_buf_add(s->out, FG_STR("</p>\n"));
}

static void add_talk(const struct web_scene *s, uint32_t number)
{
    fg_time times[WEB_MOST_COMMENTS];
    unsigned n = web_comments(s->web, &s->site->articles.at[number], times);
    fg_buf_add(s->out, FG_STR("<div id=\"comments\"><ol>\n"));
    for (unsigned i = 0; i < n; i++) {
        unsigned id = number * WEB_MOST_COMMENTS + i;
        if (times[i] > s->now)
            continue;
        fg_buf_printf(s->out, "<li id=\"comment-%u\">", id);
        web_add_title(mix(s->site->seed, id), s->out);
        web_scene_path(s, number);
        fg_buf_printf(s->path, "?replytocom=%u", id);
        fg_buf_printf(s->out, " <a %s",
                      s->site->hides_replies ? "rel=\"nofollow\" " : "");
        add_href(s, fg_buf_str(s->path));
        fg_buf_add(s->out, FG_STR(">Reply</a></li>\n"));
    }
    fg_buf_add(s->out, FG_STR("</ol></div>\n"));
}

static void add_related(const struct web_scene *s, uint32_t number)
{
    uint64_t seed = s->site->articles.at[number].seed;
    fg_buf_add(s->out, FG_STR("<div class=\"related\"><ul>\n"));
    for (uint32_t i = 1; i <= 2 && i <= number; i++)
        add_article_link(s, number - i, FG_STR(""));
    for (uint64_t i = 0; i < 2 && number; i++)
        add_article_link(s, (uint32_t)(mix(seed, i) % number), FG_STR(""));
    if (number + 1 < s->published)
        add_article_link(s, number + 1, FG_STR(""));
    fg_buf_add(s->out, FG_STR("</ul></div>\n"));
}

static struct fg_web_page render_article(const struct web_scene *s,
                                         const struct web_address *a)
{
    const struct web_article *article = &s->site->articles.at[a->number];
    bool edited = web_scene_is_edited(s, article);
    add_article_head(s, a);
    if (a->what == WEB_AT_REPLY)
        fg_buf_add(s->out, FG_STR("<p class=\"respond\">Leave a reply</p>\n"));
    add_text(s, a->number);
    if (a->what == WEB_AT_PRINT) {
        fg_buf_add(s->out, FG_STR("</body></html>\n"));
    } else {
        add_tools(s, a->number);
        add_related(s, a->number);
        add_talk(s, a->number);
        add_foot(s);
    }
    return html_page(s, mix(article->seed, a->what * 2 + edited),
                     edited ? article->edited : article->published);
}

/* --- the rest --- */

static struct fg_web_page render_robots(const struct web_scene *s)
{
    fg_buf_add(s->out, FG_STR("User-agent: *\nDisallow: /private/\n"));
    if (s->site->addresses == WEB_DATED_FILE)
        fg_buf_add(s->out, FG_STR("Disallow: /print/\n"));
    if (s->site->hides_replies)
        fg_buf_add(s->out, FG_STR("Disallow: /go/\n"));
    if (s->site->has_sitemap)
        fg_buf_printf(s->out, "Sitemap: %.*s/sitemap.xml\n", FG_ARG(s->origin));
    return web_plain_page("text/plain");
}

static struct fg_web_page render_static(const struct web_scene *s,
                                        const struct web_address *a)
{
    struct fg_str title = fg_str_skip(a->path, 1);
    add_head(s, title, FG_STR(""));
    web_add_prose(fg_str_hash(title), s->web->options.article_bytes, s->out);
    add_foot(s);
    return html_page(s, 1, FG_NEVER);
}

static struct fg_web_page render_login(const struct web_scene *s)
{
    add_head(s, FG_STR("log in"), FG_STR("<meta name=\"robots\" content=\"noindex\">\n"));
    fg_buf_add(s->out, FG_STR("<form method=\"post\"><input name=\"name\">"
                              "<input name=\"word\" type=\"password\"></form>\n"));
    add_foot(s);
    return html_page(s, 1, FG_NEVER);
}

__attribute__((format(printf, 2, 3))) static struct fg_web_page redirect(
    unsigned status, const char *format, ...)
{
    struct fg_web_page page = web_plain_page("text/html; charset=utf-8");
    va_list values;
    va_start(values, format);
    vsnprintf(page.location, sizeof page.location, format, values);
    va_end(values);
    page.status = status;
    return page;
}

static struct fg_web_page render(const struct web_scene *s, const struct web_address *a)
{
    switch (a->what) {
    case WEB_AT_LIST:
        return render_list(s, a);
    case WEB_AT_ARTICLE:
    case WEB_AT_REPLY:
    case WEB_AT_SHARE:
    case WEB_AT_PRINT:
        return render_article(s, a);
    case WEB_AT_ARCHIVES:
        return render_archives(s);
    case WEB_AT_MONTH:
        return render_month(s, a);
    case WEB_AT_CALENDAR:
        return render_calendar(s, a);
    case WEB_AT_DAY:
        return render_day(s, a);
    case WEB_AT_TOPICS:
        return render_topics(s);
    case WEB_AT_ROBOTS:
        return render_robots(s);
    case WEB_AT_STATIC:
    case WEB_AT_OFFER:
        return render_static(s, a);
    case WEB_AT_GO:
        return redirect(302, "/sponsored/offer-%u?campaign=%u", a->number % WEB_OFFERS,
                        a->number);
    case WEB_AT_SHORT:
        return redirect(301, "%.*s", FG_ARG(web_scene_path(s, a->number)));
    case WEB_AT_LOGIN:
        return render_login(s);
    default:
        return web_feed_render(s, a);
    }
}

/* Who comes with a session of this hour keeps it. */
static void begin_session(struct web_scene *s, const struct web_address *a,
                          struct fg_str target)
{
    char hour[5];
    snprintf(hour, sizeof hour, "%04x", (unsigned)(hour_of(s) & 0xffff));
    if (a->session.len == WEB_SESSION - 1 && fg_str_starts(a->session, fg_str_from(hour)))
        snprintf(s->session, sizeof s->session, "%.*s", FG_ARG(a->session));
    else
        snprintf(s->session, sizeof s->session, "%s%04x", hour,
                 (unsigned)(mix(fg_str_hash(target), (uint64_t)s->now) & 0xffff));
}

struct fg_web_page web_ugly_render(const struct fg_web *web, const struct web_site *site,
                                   struct fg_str target, struct fg_str origin,
                                   fg_time now, struct fg_buf *out)
{
    struct fg_buf path;
    fg_buf_init(&path, 1024);
    struct web_scene scene = {.web = web,
                              .site = site,
                              .origin = origin,
                              .now = now,
                              .out = out,
                              .path = &path,
                              .published = web_count(site, now)};
    struct web_address address = web_address_read(site, target, now);
    if (site->has_sessions)
        begin_session(&scene, &address, target);
    struct fg_web_page page = render(&scene, &address);
    fg_buf_clear(&path);
    if (!site->has_validators) {
        page.version = 0;
        page.last_modified = FG_NEVER;
    }
    return page;
}
