/* cmd_page.c - forage page: all that is known of one page */
#include "cli/looking.h"
#include "crawl/control.h"
#include "crawl/cut.h"
#include "net/value.h"

#include <stdlib.h>

enum { MOST_BODIES = 100 };

struct options {
    int64_t limit;
    bool json, body;
};

static const struct fg_opt options[] = {
    {"limit", FG_INT(struct options, limit), "10", .letter = 'n', .min = 0, .max = 1e6,
     .help = "visits, values and links shown, the newest of them"},
    {"body", FG_BOOL(struct options, body), .letter = 'b',
     .help = "print the newest stored body instead (see store.bodies)"},
    {"json", FG_BOOL(struct options, json), .letter = 'j', .help = "as JSON"},
    {0},
};

struct view {
    struct fg_look look;
    struct fg_page_row page;
    struct fg_str leads_to;    /* of an alias; empty if it is not known */
    struct fg_page_row target; /* and the page there, if its site is not 0 */
    size_t limit;
    struct fg_visit_row *visits; /* a ring of the last `limit` */
    size_t n_visits;             /* in all */
    FG_VEC(struct fg_link_row) links;
    size_t n_gone;
    struct fg_cut cut; /* links that were left out */
    struct {
        fg_time time;
        size_t bytes;
    } bodies[MOST_BODIES];
    size_t n_bodies;
    struct fg_value_row value;       /* of a document; site 0: it has none */
    struct fg_value_changes changes; /* newest first */
};

/* --- gathering --- */

static bool take_visit(void *context, const struct fg_visit_row *visit)
{
    struct view *v = context;
    if (v->limit)
        v->visits[v->n_visits % v->limit] = *visit;
    v->n_visits++;
    return true;
}

static const struct fg_visit_row *shown_visit(const struct view *v, size_t i)
{
    size_t first = v->n_visits > v->limit ? v->n_visits - v->limit : 0;
    return first + i < v->n_visits ? &v->visits[(first + i) % v->limit] : NULL;
}

static bool take_link(void *context, const struct fg_link_row *link)
{
    struct view *v = context;
    v->n_gone += link->gone != FG_NEVER;
    if (link->gone == FG_NEVER)
        fg_vec_push_in(v->look.cli->arena, &v->links, *link);
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
static enum fg_status gather_bodies(struct view *v, struct fg_err *err)
{
    fg_time before = INT64_MAX;
    enum fg_status st = FG_OK;
    while (v->n_bodies < MOST_BODIES) {
        struct fg_arena arena = {0};
        struct fg_str body;
        fg_time stored;
        st = fg_store_body(v->look.store, &body, &stored, &arena, v->page.site,
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
    struct view *v = context;
    struct fg_arena *arena = v->look.cli->arena;
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
static enum fg_status gather_list_changes(struct view *v, struct fg_err *err)
{
    size_t kept = v->changes.len;
    enum fg_status st = fg_look_list_changes(&v->look, v->look.cli->arena, v->page.site,
                                             v->page.page, FG_NEVER, &v->changes, err);
    if (v->changes.len > kept)
        qsort(v->changes.at, v->changes.len, sizeof *v->changes.at, latest_first);
    if (v->changes.len > v->limit)
        v->changes.len = v->limit;
    return st;
}

static enum fg_status gather_value(struct view *v, struct fg_err *err)
{
    enum fg_status st = fg_store_value(v->look.store, &v->value, v->look.cli->arena,
                                       v->page.site, v->page.page, err);
    if (st == FG_ENOTFOUND)
        return FG_OK;
    if (!st)
        st = fg_store_value_changes(v->look.store, v->page.site, v->page.page, v->limit,
                                    take_change, v, err);
    return st ? st : gather_list_changes(v, err);
}

static enum fg_status gather(struct view *v, struct fg_err *err)
{
    struct fg_store *store = v->look.store;
    v->leads_to = fg_look_target(&v->look, &v->page, &v->target);
    v->visits = FG_NEW(v->look.cli->arena, struct fg_visit_row, v->limit + 1);
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

/* --- showing --- */

static void field(struct fg_out *out, const char *name, struct fg_str text)
{
    if (!text.len)
        return;
    fg_out_printf(out, "%-14s ", name);
    fg_out_text(out, text);
    fg_out_puts(out, "\n");
}

static void time_field(struct view *v, const char *name, fg_time time)
{
    char when[FG_TIME_TEXT], ago[FG_AGO_TEXT];
    if (time == FG_NEVER)
        return;
    fg_time_format(when, time / FG_SECOND * FG_SECOND);
    fg_out_printf(&v->look.cli->out, "%-14s %s (%s)\n", name, when,
                  fg_ago(ago, v->look.now, time));
}

static void print_flags(struct fg_out *out, uint32_t flags)
{
    const char *word = fg_flag_word(flags, 0);
    if (!word)
        return;
    fg_out_printf(out, "%-14s %s", "is", word);
    for (unsigned i = 1; (word = fg_flag_word(flags, i)); i++)
        fg_out_printf(out, ", %s", word);
    fg_out_puts(out, "\n");
}

static void print_page(struct view *v)
{
    struct fg_out *out = &v->look.cli->out;
    const struct fg_page_row *page = &v->page;
    const struct fg_site_row *site = fg_look_site(&v->look, page->site);
    struct fg_arena *arena = v->look.cli->arena;
    fg_out_text(out, page->url);
    fg_out_puts(out, "\n");
    field(out, "title", page->title);
    field(out, "language", page->language);
    print_flags(out, page->flags);
    if (site)
        fg_out_printf(out, "%-14s %.*s (%s)\n", "site", FG_ARG(site->key),
                      fg_site_shown_state(site));
    time_field(v, "first seen", page->first_seen);
    field(out, "found on", fg_look_url(&v->look, arena, page->site, page->found_on));
    if (page->flags & FG_PAGE_ALIAS)
        field(out, "leads to", v->leads_to);
    else
        field(out, "same as", fg_look_url(&v->look, arena, page->site, page->alias_of));
    time_field(v, "published", page->published);
    time_field(v, "last visit", page->last_visit);
    time_field(v, "last change", page->last_change);
    time_field(v, "next visit", page->next_visit);
    if (page->visits || !v->target.site) {
        fg_out_printf(out, "%-14s %u, %u with a change, %u failed in a row", "visits",
                      page->visits, page->changes, page->failures);
        if (page->status)
            fg_out_printf(out, ", last status %u", page->status);
        fg_out_puts(out, "\n");
    }
    field(out, "left out", fg_cut_words(arena, v->cut));
    fg_out_printf(out, "%-14s %g, depth %u\n", "weight", (double)page->weight,
                  page->depth);
    field(out, "etag", page->etag);
    field(out, "last-modified", page->last_modified);
    fg_out_printf(out, "%-14s %016llx\n", "fingerprint",
                  (unsigned long long)page->fingerprint);
}

static void print_value(struct view *v)
{
    struct fg_out *out = &v->look.cli->out;
    const struct fg_value_row *value = &v->value;
    if (!value->site)
        return;
    fg_out_puts(out, "\n");
    if (value->changed != FG_NEVER) {
        fg_out_printf(out, "%-14s ", fg_value_kind_name(value->kind));
        bool is_cut;
        struct fg_str text = fg_look_whole(&v->look, v->look.cli->arena, value, &is_cut);
        fg_out_beginning(out, text, is_cut);
        fg_out_puts(out, "\n");
        time_field(v, "since", value->changed);
    }
    field(out, "read by", value->rule);
    field(out, "name", value->name);
    field(out, "brand", value->brand);
    field(out, "category", value->category);
    field(out, "condition", value->condition);
    field(out, "seller", value->seller);
    field(out, "country", value->country);
    for (size_t i = 0; i < v->changes.len; i++) {
        char when[FG_TIME_TEXT];
        fg_time_format(when, v->changes.at[i].time / FG_SECOND * FG_SECOND);
        fg_out_printf(out, "  %s  ", when);
        fg_out_beginning(out, v->changes.at[i].text,
                         fg_look_is_cut(v->changes.at[i].text));
        if (v->changes.at[i].before.len) {
            fg_out_puts(out, ", after ");
            fg_out_text(out, v->changes.at[i].before);
            fg_out_puts(out, " on a list");
        }
        fg_out_puts(out, "\n");
    }
}

static void print_visits(struct view *v)
{
    struct fg_out *out = &v->look.cli->out;
    const struct fg_visit_row *visit;
    if (!v->n_visits)
        return;
    fg_out_printf(out, "\n%zu visit%s%s\n", v->n_visits, v->n_visits == 1 ? "" : "s",
                  v->n_visits > v->limit ? ", the last of them" : "");
    for (size_t i = 0; (visit = shown_visit(v, i)); i++) {
        char when[FG_TIME_TEXT];
        const char *failure = fg_visit_failure_name(visit->failure);
        fg_time_format(when, visit->time / FG_SECOND * FG_SECOND);
        fg_out_printf(out, "  %s  %-8s", when, fg_visit_purpose_name(visit->purpose));
        if (failure)
            fg_out_printf(out, "  %s", failure);
        else
            fg_out_printf(out, "  %u", visit->status);
        fg_out_printf(out, "  %s, %u links, %u new, %u bytes, %u ms", /* all numbers */
                      visit->changed ? "changed" : "unchanged", visit->links,
                      visit->fresh, visit->bytes, visit->took_ms);
        if (visit->score > 0)
            fg_out_printf(out, ", score %.3g%s", (double)visit->score,
                          visit->explored ? " (explored)" : "");
        fg_out_puts(out, "\n");
    }
}

static void print_links(struct view *v)
{
    struct fg_out *out = &v->look.cli->out;
    if (!v->links.len && !v->n_gone)
        return;
    fg_out_printf(out, "\n%zu link%s, %zu gone%s\n", v->links.len,
                  v->links.len == 1 ? "" : "s", v->n_gone,
                  v->links.len > v->limit ? "; the newest" : "");
    for (size_t i = 0; i < v->links.len && i < v->limit; i++) {
        const struct fg_link_row *link = &v->links.at[i];
        char when[FG_TIME_TEXT];
        struct fg_arena arena = {0};
        fg_time_format(when, link->first_seen / FG_SECOND * FG_SECOND);
        fg_out_printf(out, "  %s  ", when);
        fg_out_text(out, fg_look_url(&v->look, &arena, link->target_site, link->target));
        fg_out_puts(out, "\n");
        fg_arena_clear(&arena);
    }
}

static void print_bodies(struct view *v)
{
    struct fg_out *out = &v->look.cli->out;
    if (v->n_bodies)
        fg_out_printf(out, "\n%zu stored %s\n", v->n_bodies,
                      v->n_bodies == 1 ? "body" : "bodies");
    for (size_t i = 0; i < v->n_bodies; i++) {
        char when[FG_TIME_TEXT];
        fg_time_format(when, v->bodies[i].time / FG_SECOND * FG_SECOND);
        fg_out_printf(out, "  %s  %zu bytes\n", when, v->bodies[i].bytes);
    }
}

/* --- JSON --- */

static void json_visit(struct fg_json *json, const struct fg_visit_row *visit)
{
    fg_json_object(json);
    fg_json_pair_time(json, "time", visit->time);
    fg_json_pair_cstr(json, "purpose", fg_visit_purpose_name(visit->purpose));
    fg_json_pair_uint(json, "status", visit->status);
    fg_json_pair_cstr(json, "failure", fg_visit_failure_name(visit->failure));
    fg_json_pair_bool(json, "changed", visit->changed);
    fg_json_pair_bool(json, "conditional", visit->conditional);
    fg_json_pair_uint(json, "links", visit->links);
    fg_json_pair_uint(json, "new", visit->fresh);
    fg_json_pair_uint(json, "bytes", visit->bytes);
    fg_json_pair_uint(json, "took_ms", visit->took_ms);
    fg_json_pair_double(json, "score", (double)visit->score);
    fg_json_pair_double(json, "probability", (double)visit->probability);
    fg_json_pair_bool(json, "explored", visit->explored);
    fg_json_end(json);
}

static void json_page(struct fg_json *json, struct view *v)
{
    const struct fg_page_row *page = &v->page;
    const struct fg_site_row *site = fg_look_site(&v->look, page->site);
    struct fg_arena *arena = v->look.cli->arena;
    fg_json_pair(json, "url", page->url);
    fg_json_pair(json, "site", site ? site->key : (struct fg_str){0});
    fg_json_pair_cstr(json, "site_state", site ? fg_site_shown_state(site) : NULL);
    fg_json_pair(json, "title", page->title);
    fg_json_pair(json, "language", page->language);
    fg_json_pair_flags(json, "flags", page->flags);
    fg_json_pair(json, "found_on",
                 fg_look_url(&v->look, arena, page->site, page->found_on));
    fg_json_pair(json, "alias_of",
                 page->flags & FG_PAGE_ALIAS
                     ? v->leads_to
                     : fg_look_url(&v->look, arena, page->site, page->alias_of));
    fg_json_pair_time(json, "first_seen", page->first_seen);
    fg_json_pair_time(json, "published", page->published);
    fg_json_pair_time(json, "last_visit", page->last_visit);
    fg_json_pair_time(json, "last_change", page->last_change);
    fg_json_pair_time(json, "next_visit", page->next_visit);
    fg_json_pair_uint(json, "status", page->status);
    fg_json_pair_uint(json, "visits", page->visits);
    fg_json_pair_uint(json, "changes", page->changes);
    fg_json_pair_uint(json, "failures", page->failures);
    fg_json_pair_double(json, "weight", (double)page->weight);
    fg_json_pair_uint(json, "depth", page->depth);
    fg_json_pair(json, "etag", page->etag);
    fg_json_pair(json, "last_modified", page->last_modified);
    fg_json_pair_hash(json, "fingerprint", page->fingerprint);
    fg_json_pair_hash(json, "content_hash", page->content_hash);
    fg_json_pair_hash(json, "simhash", page->simhash);
}

static void json_links(struct fg_json *json, struct view *v)
{
    fg_json_pair_uint(json, "n_links", v->links.len);
    fg_json_pair_uint(json, "n_links_gone", v->n_gone);
    fg_json_pair_uint(json, "n_links_too_long", v->cut.too_long);
    fg_json_pair_uint(json, "n_links_too_many", v->cut.too_many);
    fg_json_key(json, "links");
    fg_json_array(json);
    for (size_t i = 0; i < v->links.len && i < v->limit; i++) {
        const struct fg_link_row *link = &v->links.at[i];
        struct fg_arena arena = {0};
        fg_json_object(json);
        fg_json_pair(json, "url",
                     fg_look_url(&v->look, &arena, link->target_site, link->target));
        fg_json_pair_time(json, "first_seen", link->first_seen);
        fg_json_pair_time(json, "last_seen", link->last_seen);
        fg_json_end(json);
        fg_arena_clear(&arena);
    }
    fg_json_end(json);
}

static void json_changes(struct fg_json *json, const struct view *v)
{
    fg_json_key(json, "changes_of_value");
    fg_json_array(json);
    for (size_t i = 0; i < v->changes.len; i++) {
        const struct fg_value_change *change = &v->changes.at[i];
        fg_json_object(json);
        fg_json_pair_time(json, "time", change->time);
        fg_json_pair_cstr(json, "kind", fg_value_kind_name(change->kind));
        fg_json_pair(json, "text", change->text);
        if (change->before.len)
            fg_json_pair(json, "before_on_list", change->before);
        fg_json_end(json);
    }
    fg_json_end(json);
}

static void json_value(struct fg_json *json, const struct view *v)
{
    const struct fg_value_row *value = &v->value;
    fg_json_key(json, "value");
    if (!value->site || value->changed == FG_NEVER) {
        fg_json_null(json);
        return;
    }
    bool is_cut;
    struct fg_str whole = fg_look_whole(&v->look, v->look.cli->arena, value, &is_cut);
    const struct {
        const char *key;
        struct fg_str text;
    } texts[] = {{"text", whole},
                 {"rule", value->rule},
                 {"price", value->price},
                 {"high", value->high},
                 {"currency", value->currency},
                 {"availability", value->availability},
                 {"condition", value->condition},
                 {"name", value->name},
                 {"brand", value->brand},
                 {"category", value->category},
                 {"seller", value->seller},
                 {"country", value->country},
                 {"language", value->language}};
    fg_json_object(json);
    fg_json_pair_cstr(json, "kind", fg_value_kind_name(value->kind));
    fg_json_pair_time(json, "since", value->changed);
    fg_json_pair_hash(json, "hash", value->hash);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        fg_json_pair(json, texts[i].key,
                     texts[i].text.len ? texts[i].text : (struct fg_str){0});
    fg_json_end(json);
    json_changes(json, v);
}

static void json_all(struct fg_json *json, struct view *v)
{
    const struct fg_visit_row *visit;
    json_page(json, v);
    json_value(json, v);
    fg_json_pair_uint(json, "n_visits", v->n_visits);
    fg_json_key(json, "visit_log");
    fg_json_array(json);
    for (size_t i = 0; (visit = shown_visit(v, i)); i++)
        json_visit(json, visit);
    fg_json_end(json);
    json_links(json, v);
    fg_json_key(json, "bodies");
    fg_json_array(json);
    for (size_t i = 0; i < v->n_bodies; i++) {
        fg_json_object(json);
        fg_json_pair_time(json, "time", v->bodies[i].time);
        fg_json_pair_uint(json, "bytes", v->bodies[i].bytes);
        fg_json_end(json);
    }
    fg_json_end(json);
}

static void print_json(struct view *v, struct view *there)
{
    struct fg_json json = fg_json_to(&v->look.cli->out.buf);
    fg_json_object(&json);
    json_all(&json, v);
    if (there) {
        fg_json_key(&json, "target");
        fg_json_object(&json);
        json_all(&json, there);
        fg_json_end(&json);
    }
    fg_json_end(&json);
    fg_out_puts(&v->look.cli->out, "\n");
}

static void print_text(struct view *v)
{
    print_page(v);
    print_value(v);
    print_visits(v);
    print_links(v);
    print_bodies(v);
}

/* --- the command --- */

static enum fg_status print_body(struct view *v, struct fg_err *err)
{
    struct fg_str body;
    fg_time stored;
    enum fg_status st =
        fg_store_body(v->look.store, &body, &stored, v->look.cli->arena, v->page.site,
                      v->page.page, INT64_MAX, (size_t)1 << 30, err);
    if (st == FG_ENOTFOUND)
        return fg_fail(err, st, "no body of this page is stored; see store.bodies");
    if (!st && !fg_out_bytes(&v->look.cli->out, body))
        return fg_fail(err, FG_ELIMIT, "the body is too large to print");
    return st;
}

/* Of an alias, the page it leads to is shown as well: the visits are there. */
static enum fg_status show(struct view *v, struct view *there, struct fg_err *err)
{
    const struct options *o = v->look.cli->options;
    enum fg_status st =
        fg_look_find_page(&v->look, fg_str_from(v->look.cli->words[0]), &v->page, err);
    if (!st && o->body)
        return print_body(v, err);
    if (!st)
        st = gather(v, err);
    *there = (struct view){.look = v->look, .page = v->target, .limit = v->limit};
    bool leads_on = v->target.site != 0;
    if (!st && leads_on)
        st = gather(there, err);
    if (st)
        return st;
    if (o->json) {
        print_json(v, leads_on ? there : NULL);
        return FG_OK;
    }
    print_text(v);
    if (leads_on) {
        fg_out_puts(&v->look.cli->out, "\n");
        print_text(there);
    }
    return FG_OK;
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    struct view v = {.limit = (size_t)o->limit}, there;
    enum fg_status st = fg_cli_look(cli, &v.look, err);
    if (!st)
        st = show(&v, &there, err);
    fg_cli_look_close(&v.look);
    return st;
}

static const struct fg_example examples[] = {
    {"forage page https://news.example/politics/", "a source, its visits and links"},
    {"forage page https://news.example/ --json", "for a script"},
    {0},
};

const struct fg_command fg_cmd_page = {
    .name = "page",
    .words = "URL",
    .summary = "show all that is known of one page",
    .about = "Shows what the store has on a page: what it is, where it was found, each "
             "visit and what it told, its links if it is a source, and the bodies that "
             "are kept. If the page leads to another (a redirect, or its canonical "
             "address), that one is shown below. Works while a crawl runs.",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .options_size = sizeof(struct options),
    .settings = "workspace",
    .examples = examples,
    .only_looks = true,
    .run = run,
};
