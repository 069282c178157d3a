#include "view/new.h"

#include "base/map.h"
#include "base/memory.h"
#include "crawl/output/news.h"
#include "search/search.h"

#include <stdlib.h>
#include <string.h>

/* --- keeping the last of them --- */

struct kept {
    struct fg_event_row event; /* its texts are `text` */
    char *text;
};

struct answer {
    struct fg_new_answer shown; /* first: it is what is given */
    const struct fg_new_question *question;
    const bool *removed; /* as the sites of the look */
    fg_page_id page;     /* 0: any */
    struct fg_map pages; /* that have the words of a query */
    struct kept *ring;
    size_t limit, next, len;
};

static const bool *removed_sites(const struct fg_look *look)
{
    bool *removed = FG_NEW(look->texts, bool, look->n_sites + 1);
    for (size_t i = 0; i < look->n_sites; i++)
        removed[i] = fg_site_is_removed(&look->sites[i]);
    return removed;
}

static bool is_wanted(const struct answer *a, const struct fg_event_row *event)
{
    const struct fg_new_question *q = a->question;
    const struct fg_site_row *site = fg_look_site(a->shown.look, event->site);
    bool is_asked_for = q->site.len || q->page.len;
    if (site && !is_asked_for && a->removed[site - a->shown.look->sites])
        return false;
    return (q->kind == FG_NEW_ALL || (int)fg_news_kind(event->kind) == q->kind) &&
           (!a->page || event->page == a->page) &&
           (!q->query.len ||
            fg_map_get(&a->pages, fg_search_key(event->site, event->page))) &&
           (!q->tag.len || (site && fg_tags_have(site->tags, q->tag)));
}

static bool keep(void *context, const struct fg_event_row *event)
{
    struct answer *a = context;
    if (!is_wanted(a, event))
        return true;
    struct kept *slot = &a->ring[a->next];
    slot->text = fg_resized(slot->text, event->kind.len + event->json.len + 1, 1);
    memcpy(slot->text, event->kind.at, event->kind.len);
    memcpy(slot->text + event->kind.len, event->json.at, event->json.len);
    slot->event = *event;
    slot->event.kind.at = slot->text;
    slot->event.json.at = slot->text + event->kind.len;
    a->next = (a->next + 1) % a->limit;
    a->len += a->len < a->limit;
    return true;
}

static void put_in_order(struct answer *a)
{
    size_t oldest = (a->next + a->limit - a->len) % a->limit;
    a->shown.events = FG_NEW(a->shown.look->texts, struct fg_event_row, a->len);
    a->shown.n_events = a->len;
    for (size_t i = 0; i < a->len; i++)
        a->shown.events[i] = a->ring[(oldest + i) % a->limit].event;
}

/* Whose events are wanted; 0 for those of all. */
static enum fg_status find_place(const struct fg_look *look,
                                 const struct fg_new_question *o, fg_site_id *site,
                                 fg_page_id *page, struct fg_err *err)
{
    struct fg_page_row row;
    *site = *page = 0;
    if (o->page.len && o->site.len)
        return fg_fail(err, FG_ECONFIG, "--page and --site cannot be combined");
    if (o->site.len)
        return fg_look_find_site(look, o->site, site, err);
    if (!o->page.len)
        return FG_OK;
    enum fg_status st = fg_look_find_page(look, o->page, &row, err);
    if (!st)
        *site = row.site, *page = row.page;
    return st;
}

/* --- fields --- */

struct row {
    struct fg_str json, title, url, diff;
    fg_time found;
    struct fg_str type;
};

/* In JSON it is the line that 'forage watch' wrote; for people what it is, then where,
 * and of a change the difference below. */
#define R struct row
static const struct fg_field fields[] = {
    {NULL, NULL, FG_AS_JSON(R, json)},
    {"found_at", "found", FG_AS_TIME(R, found)},
    {"type", NULL, FG_AS_TEXT(R, type), .help = "discovery, changed, alarm"},
    {"title", "title", FG_AS_TEXT(R, title)},
    {"url", "url", FG_AS_URL(R, url)},
    {"diff", "", FG_AS_LINES(R, diff), .help = "of a change"},
    {0},
};
#undef R

static enum fg_status walk(void *context, struct fg_put *put, struct fg_err *err)
{
    const struct answer *a = context;
    bool goes_on = true;
    (void)err;
    for (size_t i = 0; goes_on && i < a->shown.n_events; i++) {
        const struct fg_event_row *event = &a->shown.events[i];
        struct row row = {.json = event->json, .type = event->kind};
        if (put->is_json) {
            goes_on = fg_put_row(put, &row);
            continue;
        }
        struct fg_arena arena = {0};
        struct fg_news news;
        fg_news_read(&news, event);
        struct fg_feed_entry entry = fg_news_entry(
            &arena, &news, fg_news_page_title(&arena, a->shown.look->store, &news));
        row.found = entry.found;
        row.title = fg_str_eq(entry.title, entry.url) ? FG_STR("") : entry.title;
        row.url = entry.url;
        row.diff = entry.text;
        goes_on = fg_put_row(put, &row);
        fg_news_clear(&news);
        fg_arena_clear(&arena);
    }
    return FG_OK;
}

/* --- the view --- */

static const char *const kinds[] = {"new", "changed", "alarm", "all", NULL};

static const struct fg_opt question[] = {
    {"since", FG_STRING(struct fg_new_question, since), "1d", .letter = 's',
     .arg = "SPAN|DATE",
     .help = "what was found in this span up to now, or since a date"},
    {"kind", FG_ENUM(struct fg_new_question, kind, kinds), "new", .letter = 'k',
     .help = "new pages, documents whose value has changed, alarms, or all of them"},
    {"site", FG_STRING(struct fg_new_question, site), .arg = "SITE",
     .help = "of this site only, also if it was removed: its host name or address"},
    {"tag", FG_STRING(struct fg_new_question, tag), .arg = "TAG",
     .help = "of sites with this tag only"},
    {"page", FG_STRING(struct fg_new_question, page), .arg = "URL",
     .help = "of this page only: when it was found, or has changed"},
    {"query", FG_STRING(struct fg_new_question, query), .arg = "WORDS",
     .help = "of pages whose texts have all these words, as in 'forage search'"},
    {"limit", FG_INT(struct fg_new_question, limit), "100", .letter = 'n', .min = 1,
     .max = 1e6, .help = "the newest of them, at most"},
    {0},
};

static enum fg_status ask(const void **answer, const struct fg_asking *ask,
                          struct fg_err *err)
{
    const struct fg_new_question *q = ask->question;
    struct fg_look *look = ask->look;
    struct answer *a = FG_NEW(look->texts, struct answer, 1);
    *a = (struct answer){.question = q,
                         .removed = removed_sites(look),
                         .ring = fg_zeroed((size_t)q->limit, sizeof *a->ring),
                         .limit = (size_t)q->limit};
    a->shown.look = look;
    a->shown.rows = (struct fg_rows){.walk = walk, .context = a};
    *answer = a;
    enum fg_status st = fg_look_since(look, "--since", q->since, &a->shown.since, err);
    if (!st)
        st = find_place(look, q, &a->shown.site, &a->page, err);
    if (!st && q->query.len)
        st = fg_search_pages(&a->pages, look->texts, look->store, q->query, a->shown.site,
                             err);
    if (!st)
        st = fg_store_events(look->store, a->shown.site, 0, a->shown.since, SIZE_MAX,
                             keep, a, err);
    if (!st)
        put_in_order(a);
    return st;
}

static void clear(const void *answer)
{
    const struct answer *a = answer;
    for (size_t i = 0; i < a->limit; i++)
        free(a->ring[i].text);
    free(a->ring);
    struct fg_map pages = a->pages;
    fg_map_clear(&pages);
}

static const struct fg_view_example examples[] = {
    {"--since 2w", "the last two weeks, a line each"},
    {"--since 2026-11-01 --site news.example --json",
     "of one site since a date, for a script"},
    {"--rss --limit 50 >new.xml && wc -c new.xml", "a feed for any reader"},
    {"--query 'harvest -sport' --since 30d", "of pages with a word, and without another"},
    {"--kind changed --page https://law.example/1 --since 30d --atom",
     "a feed of the changes of one page"},
    {0},
};

const struct fg_view fg_view_new = {
    .name = "new",
    .summary = "list the pages found lately, or make a feed of them",
    .about =
        "Lists discoveries from the store, or with --kind changes of documents with what "
        "is different, the newest last; a feed has the newest first. An event has the "
        "same id in every output, so nothing is shown twice by a reader that has seen "
        "it. Works while a crawl runs. 'forage feeds' writes many feeds at once.",
    .question = question,
    .question_size = sizeof(struct fg_new_question),
    .settings = "workspace",
    .examples = examples,
    .answer = {FG_ROWS_OF(fields), .style = FG_ROWS_LINES, .is_lines = true},
    .ask = ask,
    .clear = clear,
};
