/* export.c - what the store has, for other programs
 *
 * Rows flow from a walk through the store straight to the renderer: the memory taken does
 * not grow with what is exported. */
#include "view/export.h"

#include "net/html/value.h"
#include "view/rows.h"

#include <math.h>
#include <string.h>

/* The keys of a row, in the order of the walk. */
enum { PLACE_KEYS = 4 };
struct place {
    int64_t at[PLACE_KEYS];
};

struct walk {
    const struct fg_look *look;
    fg_site_id site;
    struct fg_str tag; /* empty: any */
    fg_time since;
    struct fg_put *put;
    struct fg_arena scratch; /* for one row */
    bool only_discoveries;
    uint32_t flags;                  /* only pages that have these */
    struct fg_value_changes by_list; /* not in the history of values */
    size_t next_by_list;
    struct place after, last;
    bool has_after;
    size_t limit, n; /* limit 0: none */
    struct fg_str *next;
};

static int place_compare(const struct place *a, const struct place *b)
{
    int order = 0;
    for (size_t i = 0; !order && i < PLACE_KEYS; i++)
        order = (a->at[i] > b->at[i]) - (a->at[i] < b->at[i]);
    return order;
}

/* "1.2.3.4", and back. */
static bool place_parse(struct place *place, struct fg_str text)
{
    struct fg_str part;
    size_t n = 0;
    while (n < PLACE_KEYS && fg_str_cut(&text, '.', &part))
        if (!fg_str_to_i64(part, &place->at[n++]))
            return false;
    return n == PLACE_KEYS && !text.len;
}

static struct fg_str place_text(struct fg_arena *arena, const struct place *place)
{
    return fg_arena_printf(arena, "%lld.%lld.%lld.%lld", (long long)place->at[0],
                           (long long)place->at[1], (long long)place->at[2],
                           (long long)place->at[3]);
}

/* It was given before. */
static bool is_passed(const struct walk *w, const struct place *place)
{
    return w->has_after && place_compare(place, &w->after) <= 0;
}

/* False: enough. */
static bool put_at(struct walk *w, const struct place *place, const void *row)
{
    if (w->limit && w->n == w->limit) {
        if (w->next)
            *w->next = place_text(w->look->texts, &w->last);
        return false;
    }
    w->n++;
    w->last = *place;
    return fg_put_row(w->put, row);
}

static struct fg_str key_of(const struct walk *w, fg_site_id site)
{
    const struct fg_site_row *row = fg_look_site(w->look, site);
    return row ? row->key : FG_STR("");
}

static struct fg_str url_of(struct walk *w, fg_site_id site, fg_page_id page)
{
    return fg_look_url(w->look, &w->scratch, site, page);
}

/* Has the page the tag that is asked for? One of its own counts before its site's. */
static bool is_tagged(struct walk *w, fg_site_id site, fg_page_id page)
{
    fg_arena_reset(&w->scratch);
    return !w->tag.len ||
           fg_tags_have(fg_look_tags(w->look, &w->scratch, site, page), w->tag);
}

static bool is_before(const struct walk *w, fg_time time)
{
    return w->since != FG_NEVER && time < w->since;
}

/* Of rows in order of time, from where to walk. */
static fg_time start_of(const struct walk *w)
{
    return w->has_after && w->after.at[0] > w->since ? w->after.at[0] : w->since;
}

/* --- pages --- */

struct page {
    struct fg_page_row row;
    struct fg_str site, found_on, alias_of;
};

#define P struct page
static const struct fg_field page_fields[] = {
    {"url", "url", FG_AS_URL(P, row.url), .help = "in its normal form"},
    {"site", NULL, FG_AS_TEXT(P, site), .help = "scheme, host and port"},
    {"flags", "is", FG_AS_FLAGS(P, row.flags, fg_flag_word), .help = "what it is"},
    {"title", "title", FG_AS_TEXT(P, row.title)},
    {"language", NULL, FG_AS_TEXT(P, row.language)},
    {"first_seen", "first seen", FG_AS_TIME(P, row.first_seen)},
    {"found_on", NULL, FG_AS_URL(P, found_on), .help = "what first linked to it"},
    {"alias_of", NULL, FG_AS_URL(P, alias_of), .help = "what it leads to or copies"},
    {NULL, NULL, FG_AS_RECORD(P, row, fg_page_row_fields)},
    {"fingerprint", NULL, FG_AS_HASH(P, row.fingerprint), .shows_zero = true},
    {"content_hash", NULL, FG_AS_HASH(P, row.content_hash), .shows_zero = true},
    {"simhash", NULL, FG_AS_HASH(P, row.simhash), .shows_zero = true},
    {0},
};
#undef P

static bool put_page(void *context, const struct fg_page_row *page)
{
    struct walk *w = context;
    struct place place = {{page->site, page->page}};
    if ((page->flags & w->flags) != w->flags || is_passed(w, &place) ||
        is_before(w, page->first_seen) || !is_tagged(w, page->site, page->page))
        return true;
    struct page row = {.row = *page,
                       .site = key_of(w, page->site),
                       .found_on = url_of(w, page->site, page->found_on),
                       .alias_of = fg_look_alias(w->look, &w->scratch, page)};
    return put_at(w, &place, &row);
}

static enum fg_status walk_pages(void *context, struct fg_put *put, struct fg_err *err)
{
    struct walk *w = context;
    enum fg_status st = FG_OK;
    w->put = put;
    if (!w->has_after)
        return fg_store_pages(w->look->store, w->site, put_page, w, err);
    for (size_t i = 0; !st && i < w->look->n_sites; i++) {
        fg_site_id id = w->look->sites[i].site;
        bool is_full = w->limit && w->n == w->limit && w->next && w->next->len;
        if (!is_full && id >= w->after.at[0] && (!w->site || w->site == id))
            st = fg_store_pages_after(
                w->look->store, id, id == w->after.at[0] ? (fg_page_id)w->after.at[1] : 0,
                put_page, w, err);
    }
    return st;
}

static enum fg_status walk_sources(void *context, struct fg_put *put, struct fg_err *err)
{
    ((struct walk *)context)->flags = FG_PAGE_SOURCE;
    return walk_pages(context, put, err);
}

static enum fg_status walk_retired(void *context, struct fg_put *put, struct fg_err *err)
{
    ((struct walk *)context)->flags = FG_PAGE_RETIRED;
    return walk_pages(context, put, err);
}

/* --- visits --- */

struct visit {
    struct fg_visit_row row;
    struct fg_str url, site;
};

#define V struct visit
static const struct fg_field visit_fields[] = {
    {"time", "time", FG_AS_TIME(V, row.time)},
    {"url", "url", FG_AS_URL(V, url)},
    {"site", NULL, FG_AS_TEXT(V, site), .help = "scheme, host and port"},
    {NULL, "", FG_AS_RECORD(V, row, fg_visit_row_fields)},
    {0},
};
#undef V

static bool put_visit(void *context, const struct fg_visit_row *visit)
{
    struct walk *w = context;
    struct place place = {{visit->time, visit->site, visit->page}};
    if (is_passed(w, &place) || !is_tagged(w, visit->site, visit->page))
        return true;
    struct visit row = {*visit, url_of(w, visit->site, visit->page),
                        key_of(w, visit->site)};
    return put_at(w, &place, &row);
}

static enum fg_status walk_visits(void *context, struct fg_put *put, struct fg_err *err)
{
    struct walk *w = context;
    w->put = put;
    return fg_store_visits(w->look->store, w->site, 0, start_of(w), put_visit, w, err);
}

/* --- links --- */

struct link {
    struct fg_link_row row;
    struct fg_str source, target;
};

#define L struct link
static const struct fg_field link_fields[] = {
    {"source", "source", FG_AS_URL(L, source), .help = "the page that shows it"},
    {"target", "target", FG_AS_URL(L, target), .help = "the page that it leads to"},
    {"first_seen", "first seen", FG_AS_TIME(L, row.first_seen)},
    {"last_seen", "last seen", FG_AS_TIME(L, row.last_seen)},
    {"gone", "gone", FG_AS_TIME(L, row.gone), .help = "when it was first missing"},
    {0},
};
#undef L

static bool put_link(void *context, const struct fg_link_row *link)
{
    struct walk *w = context;
    struct place place = {{link->site, link->source, link->target_site, link->target}};
    if (is_passed(w, &place) || is_before(w, link->first_seen) ||
        !is_tagged(w, link->site, link->source))
        return true;
    struct link row = {*link, url_of(w, link->site, link->source),
                       url_of(w, link->target_site, link->target)};
    return put_at(w, &place, &row);
}

static bool is_wanted(const struct walk *w, fg_site_id id)
{
    return fg_look_site(w->look, id) && (!w->site || w->site == id) &&
           (!w->next || !w->next->len);
}

static enum fg_status walk_links(void *context, struct fg_put *put, struct fg_err *err)
{
    struct walk *w = context;
    enum fg_status st = FG_OK;
    w->put = put;
    for (size_t i = 0; !st && i < w->look->n_sites; i++)
        if (is_wanted(w, w->look->sites[i].site))
            st = fg_store_links(w->look->store, w->look->sites[i].site, 0, put_link, w,
                                err);
    return st;
}

/* --- events --- */

/* As a JSON line it is what `forage watch` wrote; for CSV it is taken apart. */
enum {
    TYPE,
    URL,
    SITE,
    FOUND_AT,
    FOUND_ON,
    WORDS,
    DATED,
    TITLE,
    KIND,
    BEFORE,
    AFTER,
    DIFF
};
static const char *const members[] = {"type",     "url",    "site",  "found_at",
                                      "found_on", "words",  "dated", "title",
                                      "kind",     "before", "after", "diff"};
enum { N_MEMBERS = sizeof members / sizeof *members };

struct event {
    uint64_t id;
    const char *at[N_MEMBERS];
    struct fg_str json;
};

#define MEMBER(i, name)                             \
    {                                               \
        name, NULL, FG_AS_WORD(struct event, at[i]) \
    }
#define OF_ALL                                                            \
    {NULL, NULL, FG_AS_JSON(struct event, json)},                         \
        {"event", NULL, FG_AS_HASH(struct event, id), .shows_zero = true, \
         .help = "the same in every output"},                             \
        MEMBER(TYPE, "type"), MEMBER(URL, "url"), MEMBER(SITE, "site"),   \
        MEMBER(FOUND_AT, "found_at"), MEMBER(FOUND_ON, "found_on"),       \
        MEMBER(WORDS, "words"), MEMBER(DATED, "dated")
static const struct fg_field discovery_fields[] = {OF_ALL, {0}};
static const struct fg_field event_fields[] = {
    OF_ALL,
    MEMBER(TITLE, "title"),
    MEMBER(KIND, "kind"),
    MEMBER(BEFORE, "before"),
    MEMBER(AFTER, "after"),
    MEMBER(DIFF, "diff"),
    {0},
};

static bool put_event(void *context, const struct fg_event_row *event)
{
    struct walk *w = context;
    struct place place = {{(int64_t)event->number}};
    bool is_other = w->only_discoveries && !fg_str_eq(event->kind, FG_STR("discovery"));
    if (is_other || !is_tagged(w, event->site, event->page))
        return true;
    struct event row = {.id = event->id, .json = event->json};
    json_t *json = w->put->is_json ? NULL
                                   : json_loadb(event->json.at ? event->json.at : "",
                                                event->json.len, 0, NULL);
    for (size_t i = 0; i < N_MEMBERS; i++)
        row.at[i] = fg_look_text(json, members[i]);
    bool goes_on = put_at(w, &place, &row);
    json_decref(json);
    return goes_on;
}

static enum fg_status walk_events(void *context, struct fg_put *put, struct fg_err *err)
{
    struct walk *w = context;
    w->put = put;
    uint64_t after = w->has_after ? (uint64_t)w->after.at[0] : 0;
    return fg_store_events(w->look->store, w->site, after, w->since, SIZE_MAX, put_event,
                           w, err);
}

static enum fg_status walk_discoveries(void *context, struct fg_put *put,
                                       struct fg_err *err)
{
    ((struct walk *)context)->only_discoveries = true;
    return walk_events(context, put, err);
}

/* --- values --- */

struct value {
    struct fg_value_row row;
    struct fg_str url, site, text;
};

#define V struct value
static const struct fg_field value_fields[] = {
    {"url", "url", FG_AS_URL(V, url)},
    {"site", NULL, FG_AS_TEXT(V, site), .help = "scheme, host and port"},
    {"kind", "kind", FG_AS_NAME(V, row.kind, fg_value_kind_name),
     .help = "offer, text .."},
    {"value", "value", FG_AS_TEXT(V, text), .help = "for people"},
    {"since", "since", FG_AS_TIME(V, row.changed)},
    {NULL, NULL, FG_AS_RECORD(V, row, fg_value_row_fields)},
    {0},
};
#undef V

static bool put_value(void *context, const struct fg_value_row *value)
{
    struct walk *w = context;
    struct place place = {{value->site, value->page}};
    bool is_cut;
    if (is_passed(w, &place) || value->changed == FG_NEVER ||
        is_before(w, value->changed) || !is_tagged(w, value->site, value->page))
        return true;
    struct value row = {.row = *value,
                        .url = url_of(w, value->site, value->page),
                        .site = key_of(w, value->site),
                        .text = fg_look_whole(w->look, &w->scratch, value, &is_cut)};
    return put_at(w, &place, &row);
}

static enum fg_status walk_values(void *context, struct fg_put *put, struct fg_err *err)
{
    struct walk *w = context;
    w->put = put;
    return fg_store_values(w->look->store, w->site, put_value, w, err);
}

/* --- changes of value --- */

struct change {
    struct fg_value_change row;
    struct fg_str url, site;
    struct fg_offer_parts now, then;
};

#define C struct change
static const struct fg_field change_fields[] = {
    {"time", "time", FG_AS_TIME(C, row.time)},
    {"url", "url", FG_AS_URL(C, url)},
    {"site", NULL, FG_AS_TEXT(C, site), .help = "scheme, host and port"},
    {"kind", NULL, FG_AS_NAME(C, row.kind, fg_value_kind_name),
     .help = "offer, text ..."},
    {"before", "before", FG_AS_TEXT(C, row.before)},
    {"after", "after", FG_AS_TEXT(C, row.text)},
    {"price", NULL, FG_AS_TEXT(C, now.price), .help = "of offers"},
    {"high", NULL, FG_AS_TEXT(C, now.high), .help = "of a range of prices"},
    {"currency", NULL, FG_AS_TEXT(C, now.currency)},
    {"availability", NULL, FG_AS_TEXT(C, now.availability)},
    {"price_before", NULL, FG_AS_TEXT(C, then.price)},
    {"high_before", NULL, FG_AS_TEXT(C, then.high)},
    {"currency_before", NULL, FG_AS_TEXT(C, then.currency)},
    {"availability_before", NULL, FG_AS_TEXT(C, then.availability)},
    {0},
};
#undef C

static struct fg_offer_parts parts_of(unsigned kind, struct fg_str text)
{
    return fg_offer_line_split(kind == FG_VALUE_OFFER ? text : FG_STR(""));
}

static bool put_change(struct walk *w, const struct fg_value_change *change)
{
    struct place place = {{change->time, change->site, change->page}};
    if (is_passed(w, &place) || !is_tagged(w, change->site, change->page))
        return true;
    struct change row = {.row = *change,
                         .url = url_of(w, change->site, change->page),
                         .site = key_of(w, change->site),
                         .now = parts_of(change->kind, change->text),
                         .then = parts_of(change->kind_before, change->before)};
    return put_at(w, &place, &row);
}

/* Those that only events know of stand among the others in order of time. */
static bool put_list_changes(struct walk *w, fg_time until)
{
    bool goes_on = true;
    while (goes_on && w->next_by_list < w->by_list.len &&
           w->by_list.at[w->next_by_list].time <= until)
        goes_on = put_change(w, &w->by_list.at[w->next_by_list++]);
    return goes_on;
}

static bool put_next_change(void *context, const struct fg_value_change *change)
{
    return put_list_changes(context, change->time) && put_change(context, change);
}

static enum fg_status walk_changes(void *context, struct fg_put *put, struct fg_err *err)
{
    struct walk *w = context;
    w->put = put;
    enum fg_status st = fg_look_list_changes(w->look, w->look->texts, w->site, 0,
                                             w->since, &w->by_list, err);
    if (!st)
        st = fg_store_value_history(w->look->store, w->site, w->since, put_next_change, w,
                                    err);
    if (!st)
        put_list_changes(w, INT64_MAX);
    return st;
}

/* --- counts, as `forage import counts` reads them --- */

struct daily {
    struct fg_str url, day;
    double clicks, impressions;
};

#define D struct daily
static const struct fg_field daily_fields[] = {
    {"url", "url", FG_AS_URL(D, url)},
    {"day", "day", FG_AS_TEXT(D, day), .help = "UTC"},
    {"clicks", "clicks", FG_AS_NUMBER(D, clicks)},
    {"impressions", "impressions", FG_AS_NUMBER(D, impressions)},
    {0},
};
#undef D

static bool put_daily(void *context, const struct fg_daily_row *daily)
{
    struct walk *w = context;
    struct place place = {{daily->site, daily->day, daily->page}};
    char day[FG_TIME_TEXT];
    if (is_passed(w, &place) || !is_tagged(w, daily->site, daily->page))
        return true;
    fg_time_format(day, daily->day * FG_DAY);
    struct daily row = {
        .url = url_of(w, daily->site, daily->page),
        .day = {day, 10},
        .clicks = daily->clicks == FG_UNCOUNTED ? (double)NAN : daily->clicks,
        .impressions =
            daily->impressions == FG_UNCOUNTED ? (double)NAN : daily->impressions};
    return put_at(w, &place, &row);
}

static enum fg_status walk_dailies(void *context, struct fg_put *put, struct fg_err *err)
{
    struct walk *w = context;
    enum fg_status st = FG_OK;
    int64_t first = w->since == FG_NEVER ? INT32_MIN : w->since / FG_DAY;
    w->put = put;
    for (size_t i = 0; !st && i < w->look->n_sites; i++)
        if (is_wanted(w, w->look->sites[i].site))
            st = fg_store_daily(w->look->store, w->look->sites[i].site, first, INT32_MAX,
                                put_daily, w, err);
    return st;
}

/* --- the views --- */

struct answer {
    struct fg_rows rows;
    struct walk walk;
};

static enum fg_status ask(const void **answer, const struct fg_asking *ask,
                          enum fg_status (*walk)(void *context, struct fg_put *put,
                                                 struct fg_err *err),
                          struct fg_err *err)
{
    const struct fg_export_question *q = ask->question;
    struct answer *made = FG_NEW(ask->look->texts, struct answer, 1);
    made->rows = (struct fg_rows){.walk = walk, .context = &made->walk};
    made->walk = (struct walk){.look = ask->look,
                               .tag = q->tag,
                               .has_after = q->after.len > 0,
                               .limit = q->limit,
                               .next = q->next};
    *answer = made;
    if (q->after.len && !place_parse(&made->walk.after, q->after))
        return fg_fail(err, FG_EINPUT, "'%.*s' is not the 'next' of an earlier answer",
                       FG_ARG(fg_str_sub(q->after, 0, 80)));
    enum fg_status st =
        fg_look_since(ask->look, "--since", q->since, &made->walk.since, err);
    if (!st && q->site.len)
        st = fg_look_find_site(ask->look, q->site, &made->walk.site, err);
    return st;
}

static void clear(const void *answer)
{
    fg_arena_clear(&((struct answer *)answer)->walk.scratch);
}

#define ASK(what)                                                                        \
    static enum fg_status ask_##what(const void **answer, const struct fg_asking *asked, \
                                     struct fg_err *err)                                 \
    {                                                                                    \
        return ask(answer, asked, walk_##what, err);                                     \
    }
ASK(pages)
ASK(sources)
ASK(retired)
ASK(visits)
ASK(links)
ASK(events)
ASK(discoveries)
ASK(values)
ASK(changes)
ASK(dailies)

struct asked {
    struct fg_export_question question;
};
static const struct fg_opt question[] = {FG_EXPORT_OPTIONS(struct asked, question), {0}};

#define EXPORT(what, fields, asks, words)                                               \
    {                                                                                   \
        .name = (what), .summary = (words), .question = question,                       \
        .question_size = sizeof(struct fg_export_question),                             \
        .answer = {FG_ROWS_OF(fields), .is_lines = true}, .ask = (asks), .clear = clear \
    }
const struct fg_view fg_exports[] = {
    EXPORT("pages", page_fields, ask_pages, "the pages that are known"),
    EXPORT("visits", visit_fields, ask_visits, "each fetch of a page"),
    EXPORT("observations", visit_fields, ask_visits, "the same"),
    EXPORT("links", link_fields, ask_links, "which source showed which page, and when"),
    EXPORT("events", event_fields, ask_events, "what was told"),
    EXPORT("discoveries", discovery_fields, ask_discoveries, "of it, the new pages"),
    EXPORT("values", value_fields, ask_values, "what documents are worth now"),
    EXPORT("changes", change_fields, ask_changes, "values before and after a change"),
    EXPORT("counts", daily_fields, ask_dailies, "clicks and impressions by day"),
    EXPORT("sources", page_fields, ask_sources,
           "of the pages, those that are looked at for new ones"),
    EXPORT("retired", page_fields, ask_retired,
           "of the pages, those that were sources; 'forage why' says why no more"),
    {0},
};
