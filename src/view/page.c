/* page.c - all that is known of one page */
#include "crawl/intake/control.h"
#include "crawl/reading/cut.h"
#include "net/html/value.h"
#include "view/ago.h"
#include "view/rows.h"
#include "view/view.h"

#include <stdlib.h>

enum { MOST_BODIES = 100 };

struct body {
    fg_time time;
    uint64_t bytes;
};

struct asked {
    const struct fg_look *look;
    struct fg_page_row page;
    struct fg_str leads_to;    /* of an alias; empty if it is not known */
    struct fg_page_row target; /* and the page there, if its site is not 0 */
    size_t limit;
    struct fg_visit_row *visits; /* a ring of the last `limit` */
    size_t n_visits;             /* in all */
    FG_VEC(struct fg_link_row) links;
    size_t n_gone;
    struct fg_cut cut; /* links that were left out */
    struct body bodies[MOST_BODIES];
    size_t n_bodies;
    struct fg_value_row value;       /* of a document; site 0: it has none */
    struct fg_value_changes changes; /* newest first */
};

/* --- gathering --- */

static bool take_visit(void *context, const struct fg_visit_row *visit)
{
    struct asked *v = context;
    if (v->limit)
        v->visits[v->n_visits % v->limit] = *visit;
    v->n_visits++;
    return true;
}

static const struct fg_visit_row *shown_visit(const struct asked *v, size_t i)
{
    size_t first = v->n_visits > v->limit ? v->n_visits - v->limit : 0;
    return first + i < v->n_visits ? &v->visits[(first + i) % v->limit] : NULL;
}

static bool take_link(void *context, const struct fg_link_row *link)
{
    struct asked *v = context;
    v->n_gone += link->gone != FG_NEVER;
    if (link->gone == FG_NEVER)
        fg_vec_push_in(v->look->texts, &v->links, *link);
    return true;
}

static int newest_first(const void *a, const void *b)
{
    const struct fg_link_row *x = a, *y = b;
    return x->first_seen != y->first_seen ? (x->first_seen < y->first_seen ? 1 : -1)
           : x->target > y->target        ? 1
                                          : -1;
}

/* Each version is unpacked to learn its length; there are few, store.body-depth. */
static enum fg_status gather_bodies(struct asked *v, struct fg_err *err)
{
    fg_time before = INT64_MAX;
    enum fg_status st = FG_OK;
    while (v->n_bodies < MOST_BODIES) {
        struct fg_arena arena = {0};
        struct fg_str body;
        fg_time stored;
        st = fg_store_body(v->look->store, &body, &stored, &arena, v->page.site,
                           v->page.page, before, (size_t)1 << 30, err);
        fg_arena_clear(&arena);
        if (st)
            break;
        v->bodies[v->n_bodies].time = stored;
        v->bodies[v->n_bodies++].bytes = body.len;
        before = stored - 1;
    }
    return st == FG_ENOTFOUND ? FG_OK : st;
}

static bool take_change(void *context, const struct fg_value_change *change)
{
    struct asked *v = context;
    struct fg_arena *arena = v->look->texts;
    struct fg_value_change copy = *change;
    copy.text = fg_arena_dup(arena, change->text);
    fg_vec_push_in(arena, &v->changes, copy);
    return true;
}

static int latest_first(const void *a, const void *b)
{
    const struct fg_value_change *x = a, *y = b;
    return (x->time < y->time) - (x->time > y->time);
}

/* A price that a list showed before the page was read is not in the history. */
static enum fg_status gather_list_changes(struct asked *v, struct fg_err *err)
{
    size_t kept = v->changes.len;
    enum fg_status st = fg_look_list_changes(v->look, v->look->texts, v->page.site,
                                             v->page.page, FG_NEVER, &v->changes, err);
    if (v->changes.len > kept)
        qsort(v->changes.at, v->changes.len, sizeof *v->changes.at, latest_first);
    if (v->changes.len > v->limit)
        v->changes.len = v->limit;
    return st;
}

static enum fg_status gather_value(struct asked *v, struct fg_err *err)
{
    enum fg_status st = fg_store_value(v->look->store, &v->value, v->look->texts,
                                       v->page.site, v->page.page, err);
    if (st == FG_ENOTFOUND)
        return FG_OK;
    if (!st)
        st = fg_store_value_changes(v->look->store, v->page.site, v->page.page, v->limit,
                                    take_change, v, err);
    return st ? st : gather_list_changes(v, err);
}

static enum fg_status gather(struct asked *v, struct fg_err *err)
{
    struct fg_store *store = v->look->store;
    v->leads_to = fg_look_target(v->look, &v->page, &v->target);
    v->visits = FG_NEW(v->look->texts, struct fg_visit_row, v->limit + 1);
    enum fg_status st =
        fg_store_visits(store, v->page.site, v->page.page, FG_NEVER, take_visit, v, err);
    if (!st)
        st = fg_store_links(store, v->page.site, v->page.page, take_link, v, err);
    if (v->page.flags & FG_PAGE_CUT)
        fg_cut_read(&v->cut, store, v->page.site, v->page.page);
    if (!st)
        st = gather_bodies(v, err);
    if (!st)
        st = gather_value(v, err);
    if (v->links.len)
        qsort(v->links.at, v->links.len, sizeof *v->links.at, newest_first);
    return st;
}

/* --- fields --- */

struct link_shown {
    struct fg_str url;
    fg_time first_seen, last_seen;
};
static const struct fg_field link_fields[] = {
    {NULL, "first seen", FG_AS_TIME(struct link_shown, first_seen)},
    {"url", "url", FG_AS_URL(struct link_shown, url)},
    {"first_seen", NULL, FG_AS_TIME(struct link_shown, first_seen)},
    {"last_seen", NULL, FG_AS_TIME(struct link_shown, last_seen)},
    {0},
};

static const struct fg_field visit_fields[] = {
    {"time", "time", FG_AS_TIME(struct fg_visit_row, time)},
    {NULL, "", .of = fg_visit_row_fields, .type = FG_FIELD_RECORD},
    {0},
};

static const struct fg_field body_fields[] = {
    {"time", "time", FG_AS_TIME(struct body, time), .help = "when it was stored"},
    {"bytes", "bytes", FG_AS_COUNT(struct body, bytes), .unit = "bytes"},
    {0},
};

struct change_shown {
    struct fg_value_change change;
    struct fg_str words;
};
#define C struct change_shown
static const struct fg_field change_fields[] = {
    {"time", "", FG_AS_TIME(C, change.time), .help = "since when it had this value"},
    {"kind", NULL, FG_AS_NAME(C, change.kind, fg_value_kind_name)},
    {"text", NULL, FG_AS_TEXT(C, change.text), .help = "the value"},
    {"before_on_list", NULL, FG_AS_TEXT(C, change.before), .is_optional = true,
     .is_null_if_empty = true, .help = "the value that a list showed before"},
    {NULL, "", FG_AS_TEXT(C, words)},
    {0},
};
#undef C

struct value_shown {
    struct fg_value_row row;
    struct fg_str text;
    struct fg_pairs words; /* under the name of its kind, if it was read */
    struct fg_rows changes;
};
#define V struct value_shown
static const struct fg_field value_fields[] = {
    {"kind", NULL, FG_AS_NAME(V, row.kind, fg_value_kind_name),
     .help = "offer, text ..."},
    {"since", NULL, FG_AS_TIME(V, row.changed), .help = "when it was first read so"},
    {"hash", NULL, FG_AS_HASH(V, row.hash)},
    {"text", NULL, FG_AS_TEXT(V, text), .is_null_if_empty = true, .help = "for people"},
    {"rule", NULL, FG_AS_TEXT(V, row.rule), .is_null_if_empty = true,
     .help = "by which it is read, if it has its own"},
    {NULL, "", FG_AS_RECORD(V, row, fg_value_row_fields)},
    {0},
};
static const struct fg_field history_fields[] = {
    {"changes_of_value", NULL, FG_AS_ROWS(V, changes, change_fields),
     .help = "the newest first"},
    {0},
};
static const struct fg_field value_text[] = {
    {NULL, "", FG_AS_PAIRS(V, words)},
    {NULL, "since", FG_AS_TIME(V, row.changed)},
    {NULL, "read by", FG_AS_TEXT(V, row.rule)},
    {NULL, "name", FG_AS_TEXT(V, row.name)},
    {NULL, "brand", FG_AS_TEXT(V, row.brand)},
    {NULL, "category", FG_AS_TEXT(V, row.category)},
    {NULL, "condition", FG_AS_TEXT(V, row.condition)},
    {NULL, "seller", FG_AS_TEXT(V, row.seller)},
    {NULL, "country", FG_AS_TEXT(V, row.country)},
    {0},
};
#undef V

struct answer {
    struct fg_page_row row;
    struct fg_str site, site_words, found_on, alias_of, leads_to, same_as, visits, cut,
        weight;
    const char *site_state;
    const struct value_shown *value, *value_text; /* NULL: not read; it has none */
    struct fg_rows changes, visit_log, links, bodies;
    size_t n_visits, n_links, n_gone;
    struct fg_cut n_cut;
    const struct answer *target;
};
#define A struct answer
static const struct fg_field fields[] = {
    {"url", "", FG_AS_URL(A, row.url), .is_title = true, .help = "in its normal form"},
    {"site", NULL, FG_AS_TEXT(A, site), .help = "scheme, host and port"},
    {"site_state", NULL, FG_AS_WORD(A, site_state), .help = "exploring, watched ..."},
    {"title", "title", FG_AS_TEXT(A, row.title)},
    {"language", "language", FG_AS_TEXT(A, row.language)},
    {"flags", "is", FG_AS_FLAGS(A, row.flags, fg_flag_word), .help = "what it is"},
    {NULL, "site", FG_AS_TEXT(A, site_words)},
    {"first_seen", "first seen", FG_AS_TIME(A, row.first_seen)},
    {"found_on", "found on", FG_AS_URL(A, found_on), .help = "what first linked to it"},
    {"alias_of", NULL, FG_AS_URL(A, alias_of), .help = "what it leads to or copies"},
    {NULL, "leads to", FG_AS_URL(A, leads_to)},
    {NULL, "same as", FG_AS_URL(A, same_as)},
    {NULL, "", FG_AS_RECORD(A, row, fg_page_row_fields)},
    {NULL, "visits", FG_AS_TEXT(A, visits)},
    {NULL, "left out", FG_AS_TEXT(A, cut)},
    {NULL, "weight", FG_AS_TEXT(A, weight)},
    {"etag", "etag", FG_AS_TEXT(A, row.etag), .help = "of its last answer"},
    {"last_modified", "last-modified", FG_AS_TEXT(A, row.last_modified)},
    {"fingerprint", "fingerprint", FG_AS_HASH(A, row.fingerprint)},
    {"content_hash", NULL, FG_AS_HASH(A, row.content_hash)},
    {"simhash", NULL, FG_AS_HASH(A, row.simhash),
     .help = "near for texts that are alike"},
    {"value", NULL, FG_AS_RECORD_AT(A, value, value_fields), .help = "of a document"},
    {NULL, "", FG_AS_RECORD_AT(A, value_text, value_text), .is_title = true},
    {NULL, NULL, FG_AS_RECORD_AT(A, value, history_fields)},
    {NULL, "", FG_AS_ROWS(A, changes, change_fields), .style = FG_ROWS_LINES},
    {"n_visits", NULL, FG_AS_COUNT(A, n_visits), .help = "that are kept"},
    {"visit_log", "", FG_AS_ROWS(A, visit_log, visit_fields), .is_sheet = true,
     .help = "the last of them, the newest last"},
    {"n_links", NULL, FG_AS_COUNT(A, n_links), .help = "that it shows, of a source"},
    {"n_links_gone", NULL, FG_AS_COUNT(A, n_gone), .help = "that it showed before"},
    {"n_links_too_long", NULL, FG_AS_COUNT(A, n_cut.too_long), .help = "left out"},
    {"n_links_too_many", NULL, FG_AS_COUNT(A, n_cut.too_many), .help = "left out"},
    {"links", "", FG_AS_ROWS(A, links, link_fields), .help = "the newest first"},
    {"bodies", "", FG_AS_ROWS(A, bodies, body_fields), .help = "that are stored"},
    {"target", "", FG_AS_RECORD_AT(A, target, fields), .is_optional = true,
     .is_title = true, .help = "the same of the page that an alias leads to"},
    {0},
};
#undef A

/* --- showing --- */

static void show_value(struct answer *a, const struct asked *v)
{
    struct fg_arena *arena = v->look->texts;
    const struct fg_value_row *value = &v->value;
    if (!value->site)
        return;
    struct value_shown *shown = FG_NEW(arena, struct value_shown, 1);
    *shown = (struct value_shown){.row = *value};
    a->value_text = shown;
    struct change_shown *changes = FG_NEW(arena, struct change_shown, v->changes.len);
    for (size_t i = 0; i < v->changes.len; i++) {
        const struct fg_value_change *change = &v->changes.at[i];
        struct fg_str text =
            fg_beginning(arena, change->text, fg_look_is_cut(change->text));
        changes[i].change = *change;
        changes[i].words = change->before.len
                               ? fg_arena_printf(arena, "%.*s, after %.*s on a list",
                                                 FG_ARG(text), FG_ARG(change->before))
                               : text;
    }
    a->changes =
        (struct fg_rows){.at = changes, .len = v->changes.len, .size = sizeof *changes};
    if (value->changed == FG_NEVER)
        return;
    bool is_cut;
    shown->text = fg_look_whole(v->look, arena, value, &is_cut);
    struct fg_pair *words = FG_NEW(arena, struct fg_pair, 1);
    *words = (struct fg_pair){fg_value_kind_name(value->kind),
                              fg_beginning(arena, shown->text, is_cut), 0};
    shown->words = (struct fg_pairs){words, 1};
    shown->changes = a->changes;
    a->value = shown;
}

static void show_visits(struct answer *a, const struct asked *v)
{
    struct fg_arena *arena = v->look->texts;
    size_t n = v->n_visits < v->limit ? v->n_visits : v->limit;
    struct fg_visit_row *visits = FG_NEW(arena, struct fg_visit_row, n);
    for (size_t i = 0; i < n; i++)
        visits[i] = *shown_visit(v, i);
    a->n_visits = v->n_visits;
    a->visit_log = (struct fg_rows){
        .at = visits,
        .len = n,
        .size = sizeof *visits,
        .heading = fg_arena_printf(arena, "%zu visit%s%s", v->n_visits,
                                   v->n_visits == 1 ? "" : "s",
                                   v->n_visits > v->limit ? ", the last of them" : "")};
}

static void show_links(struct answer *a, const struct asked *v)
{
    struct fg_arena *arena = v->look->texts;
    size_t n = v->links.len < v->limit ? v->links.len : v->limit;
    struct link_shown *links = FG_NEW(arena, struct link_shown, n);
    for (size_t i = 0; i < n; i++) {
        const struct fg_link_row *link = &v->links.at[i];
        links[i] = (struct link_shown){
            fg_look_url(v->look, arena, link->target_site, link->target),
            link->first_seen, link->last_seen};
    }
    a->n_links = v->links.len;
    a->n_gone = v->n_gone;
    a->n_cut = v->cut;
    a->links = (struct fg_rows){
        .at = links,
        .len = n,
        .size = sizeof *links,
        .heading = fg_arena_printf(arena, "%zu link%s, %zu gone%s", v->links.len,
                                   v->links.len == 1 ? "" : "s", v->n_gone,
                                   v->links.len > v->limit ? "; the newest" : "")};
}

static struct fg_str visit_words(const struct asked *v)
{
    const struct fg_page_row *page = &v->page;
    struct fg_arena *arena = v->look->texts;
    if (!page->visits && v->target.site)
        return FG_STR("");
    return fg_arena_printf(
        arena,
        page->status ? "%u, %u with a change, %u failed in a row, last status %u"
                     : "%u, %u with a change, %u failed in a row",
        page->visits, page->changes, page->failures, page->status);
}

static void show(struct answer *a, const struct asked *v)
{
    struct fg_arena *arena = v->look->texts;
    const struct fg_page_row *page = &v->page;
    const struct fg_site_row *site = fg_look_site(v->look, page->site);
    *a = (struct answer){
        .row = *page,
        .found_on = fg_look_url(v->look, arena, page->site, page->found_on),
        .visits = visit_words(v),
        .cut = fg_cut_words(arena, v->cut),
        .weight =
            fg_arena_printf(arena, "%g, depth %u", (double)page->weight, page->depth),
    };
    if (site) {
        a->site = site->key;
        a->site_state = fg_site_shown_state(site);
        a->site_words =
            fg_arena_printf(arena, "%.*s (%s)", FG_ARG(site->key), a->site_state);
    }
    if (page->flags & FG_PAGE_ALIAS)
        a->alias_of = a->leads_to = v->leads_to;
    else
        a->alias_of = a->same_as =
            fg_look_url(v->look, arena, page->site, page->alias_of);
    show_value(a, v);
    show_visits(a, v);
    show_links(a, v);
    a->bodies = (struct fg_rows){
        .at = v->bodies,
        .len = v->n_bodies,
        .size = sizeof *v->bodies,
        .heading = fg_arena_printf(arena, "%zu stored %s", v->n_bodies,
                                   v->n_bodies == 1 ? "body" : "bodies")};
}

/* --- the view --- */

struct question {
    int64_t limit;
};

static const struct fg_opt question[] = {
    {"limit", FG_INT(struct question, limit), "10", .letter = 'n', .min = 0, .max = 1e6,
     .help = "visits, values and links shown, the newest of them"},
    {0},
};

/* Of an alias, the page it leads to is shown as well: the visits are there. */
static enum fg_status ask(const void **answer, const struct fg_asking *ask,
                          struct fg_err *err)
{
    const struct question *q = ask->question;
    struct fg_arena *arena = ask->look->texts;
    struct asked *v = FG_NEW(arena, struct asked, 2);
    struct answer *made = FG_NEW(arena, struct answer, 2);
    enum fg_status st = fg_look_find_page(ask->look, ask->subject, &v[0].page, err);
    bool leads_on = false;
    for (size_t i = 0; !st && i < (leads_on ? 2 : 1); i++) {
        v[i].look = ask->look;
        v[i].limit = (size_t)q->limit;
        st = gather(&v[i], err);
        if (!st)
            show(&made[i], &v[i]);
        if (st || i || !v[0].target.site)
            continue;
        leads_on = true;
        v[1].page = v[0].target;
        made[0].target = &made[1];
    }
    *answer = made;
    return st;
}

static const struct fg_view_example examples[] = {
    {"https://news.example/politics/", "a source, its visits and links"},
    {"https://news.example/ --json", "for a script"},
    {0},
};

const struct fg_view fg_view_page = {
    .name = "page",
    .subject = "URL",
    .summary = "show all that is known of one page",
    .about = "Shows what the store has on a page: what it is, where it was found, each "
             "visit and what it told, its links if it is a source, and the bodies that "
             "are kept. If the page leads to another (a redirect, or its canonical "
             "address), that one is shown below. Works while a crawl runs.",
    .question = question,
    .question_size = sizeof(struct question),
    .settings = "workspace",
    .examples = examples,
    .answer = FG_RECORD_OF(fields),
    .ask = ask,
};
