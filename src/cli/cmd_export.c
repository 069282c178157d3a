/* cmd_export.c - forage export: what the store has, for other programs
 *
 * Rows flow from a walk through the store straight to the output: the memory taken does
 * not grow with what is exported. */
#include "base/file.h"
#include "cli/looking.h"
#include "cli/opml.h"
#include "cli/sheet.h"
#include "net/value.h"

enum what {
    PAGES,
    VISITS,
    OBSERVATIONS,
    LINKS,
    EVENTS,
    DISCOVERIES,
    VALUES,
    CHANGES,
    COUNTS,
    OPML
};
static const char *const whats[] = {
    [PAGES] = "pages",
    [VISITS] = "visits",
    [OBSERVATIONS] = "observations",
    [LINKS] = "links",
    [EVENTS] = "events",
    [DISCOVERIES] = "discoveries",
    [VALUES] = "values",
    [CHANGES] = "changes",
    [COUNTS] = "counts",
    [OPML] = "opml",
    NULL,
};
enum format { JSONL, CSV };
static const char *const formats[] = {[JSONL] = "jsonl", [CSV] = "csv", NULL};

struct options {
    int what, format;
    bool jsonl, csv, spreadsheet;
    struct fg_str site, tag, since, output;
};

static const struct fg_opt options[] = {
    {"what", FG_ENUM(struct options, what, whats), "pages", .help = "the rows wanted"},
    {"jsonl", FG_BOOL(struct options, jsonl), .letter = 'j',
     .help = "as JSON lines, which is the default"},
    {"csv", FG_BOOL(struct options, csv), .letter = 'c', .help = "as CSV with a head"},
    {"format", FG_ENUM(struct options, format, formats), "jsonl", .letter = 'f',
     .help = "the same by name"},
    {"spreadsheet", FG_BOOL(struct options, spreadsheet),
     .help =
         "in CSV, an apostrophe before texts that a spreadsheet would run as formulas;"
         " without it the data are as they are"},
    {"site", FG_STRING(struct options, site), .arg = "SITE",
     .help = "of this site only: its host name or address"},
    {"tag", FG_STRING(struct options, tag), .letter = 't', .arg = "TAG",
     .help = "only of sites, and of pages, that have this tag"},
    {"since", FG_STRING(struct options, since), .letter = 's', .arg = "SPAN|DATE",
     .help =
         "pages and links first seen, visits, events and changes that happened, values "
         "that hold and counts since then"},
    {"output", FG_STRING(struct options, output), .letter = 'o', .arg = "FILE",
     .help = "write to this file; it appears when it is complete"},
    {0},
};

struct view {
    struct fg_value_changes by_list; /* not in the history of values */
    size_t next_by_list;
    struct fg_look look;
    struct fg_sheet sheet;
    struct fg_out file;
    struct fg_arena scratch; /* for one row */
    fg_site_id site;
    struct fg_str tag; /* empty: any */
    enum what what;
    fg_time since;
};

static struct fg_str key_of(const struct view *v, fg_site_id site)
{
    const struct fg_site_row *row = fg_look_site(&v->look, site);
    return row ? row->key : FG_STR("");
}

/* In the head nobody needs to be looked up. */
static struct fg_str url_of(struct view *v, fg_site_id site, fg_page_id page)
{
    return v->sheet.is_head ? FG_STR("") : fg_look_url(&v->look, &v->scratch, site, page);
}

static bool goes_on(struct view *v)
{
    fg_arena_reset(&v->scratch);
    return !v->sheet.out->error;
}

/* Has the page the tag that is asked for? One of its own counts before its site's. */
static bool is_tagged(struct view *v, fg_site_id site, fg_page_id page)
{
    return v->sheet.is_head || !v->tag.len ||
           fg_tags_have(fg_look_tags(&v->look, &v->scratch, site, page), v->tag);
}

/* --- rows --- */

static bool put_page(void *context, const struct fg_page_row *page)
{
    struct view *v = context;
    struct fg_sheet *sheet = &v->sheet;
    if (!sheet->is_head && v->since != FG_NEVER && page->first_seen < v->since)
        return true;
    if (!is_tagged(v, page->site, page->page))
        return goes_on(v);
    fg_sheet_begin(sheet);
    fg_sheet_text(sheet, "url", page->url);
    fg_sheet_text(sheet, "site", key_of(v, page->site));
    fg_sheet_flags(sheet, "flags", page->flags);
    fg_sheet_text(sheet, "title", page->title);
    fg_sheet_text(sheet, "language", page->language);
    fg_sheet_time(sheet, "first_seen", page->first_seen);
    fg_sheet_text(sheet, "found_on", url_of(v, page->site, page->found_on));
    fg_sheet_text(sheet, "alias_of",
                  sheet->is_head ? FG_STR("")
                                 : fg_look_alias(&v->look, &v->scratch, page));
    fg_sheet_time(sheet, "published", page->published);
    fg_sheet_time(sheet, "last_visit", page->last_visit);
    fg_sheet_time(sheet, "last_change", page->last_change);
    fg_sheet_time(sheet, "next_visit", page->next_visit);
    fg_sheet_uint(sheet, "status", page->status);
    fg_sheet_uint(sheet, "visits", page->visits);
    fg_sheet_uint(sheet, "changes", page->changes);
    fg_sheet_uint(sheet, "failures", page->failures);
    fg_sheet_double(sheet, "weight", (double)page->weight);
    fg_sheet_uint(sheet, "depth", page->depth);
    fg_sheet_hash(sheet, "fingerprint", page->fingerprint);
    fg_sheet_hash(sheet, "content_hash", page->content_hash);
    fg_sheet_hash(sheet, "simhash", page->simhash);
    fg_sheet_end(sheet);
    return goes_on(v);
}

static bool put_visit(void *context, const struct fg_visit_row *visit)
{
    struct view *v = context;
    struct fg_sheet *sheet = &v->sheet;
    if (!is_tagged(v, visit->site, visit->page))
        return goes_on(v);
    fg_sheet_begin(sheet);
    fg_sheet_time(sheet, "time", visit->time);
    fg_sheet_text(sheet, "url", url_of(v, visit->site, visit->page));
    fg_sheet_text(sheet, "site", key_of(v, visit->site));
    fg_sheet_text(sheet, "purpose", fg_str_from(fg_visit_purpose_name(visit->purpose)));
    fg_sheet_uint(sheet, "status", visit->status);
    fg_sheet_text(sheet, "failure", fg_str_from(fg_visit_failure_name(visit->failure)));
    fg_sheet_bool(sheet, "changed", visit->changed);
    fg_sheet_bool(sheet, "conditional", visit->conditional);
    fg_sheet_uint(sheet, "links", visit->links);
    fg_sheet_uint(sheet, "new", visit->fresh);
    fg_sheet_uint(sheet, "bytes", visit->bytes);
    fg_sheet_uint(sheet, "took_ms", visit->took_ms);
    fg_sheet_double(sheet, "score", (double)visit->score);
    fg_sheet_double(sheet, "probability", (double)visit->probability);
    fg_sheet_bool(sheet, "explored", visit->explored);
    fg_sheet_end(sheet);
    return goes_on(v);
}

static bool put_link(void *context, const struct fg_link_row *link)
{
    struct view *v = context;
    struct fg_sheet *sheet = &v->sheet;
    if (!sheet->is_head && v->since != FG_NEVER && link->first_seen < v->since)
        return true;
    if (!is_tagged(v, link->site, link->source))
        return goes_on(v);
    fg_sheet_begin(sheet);
    fg_sheet_text(sheet, "source", url_of(v, link->site, link->source));
    fg_sheet_text(sheet, "target", url_of(v, link->target_site, link->target));
    fg_sheet_time(sheet, "first_seen", link->first_seen);
    fg_sheet_time(sheet, "last_seen", link->last_seen);
    fg_sheet_time(sheet, "gone", link->gone);
    fg_sheet_end(sheet);
    return goes_on(v);
}

/* As a JSON line it is what `forage watch` wrote; for CSV it is taken apart. */
static bool put_event(void *context, const struct fg_event_row *event)
{
    struct view *v = context;
    struct fg_sheet *sheet = &v->sheet;
    static const char *const members[] = {"type",     "url",    "site",  "found_at",
                                          "found_on", "words",  "dated", "title",
                                          "kind",     "before", "after", "diff"};
    enum { N_MEMBERS = sizeof members / sizeof *members, OF_CHANGES = 5 };
    size_t n = v->what == DISCOVERIES ? N_MEMBERS - OF_CHANGES : N_MEMBERS;
    bool is_other =
        v->what == DISCOVERIES && !fg_str_eq(event->kind, FG_STR("discovery"));
    if (!sheet->is_head && (is_other || !is_tagged(v, event->site, event->page)))
        return goes_on(v);
    if (!sheet->is_csv) {
        fg_buf_add(&sheet->out->buf, event->json);
        fg_out_puts(sheet->out, "\n");
        return goes_on(v);
    }
    json_t *json =
        json_loadb(event->json.at ? event->json.at : "", event->json.len, 0, NULL);
    fg_sheet_begin(sheet);
    fg_sheet_hash(sheet, "event", event->id);
    for (size_t i = 0; i < n; i++)
        fg_sheet_text(sheet, members[i], fg_str_from(fg_look_text(json, members[i])));
    fg_sheet_end(sheet);
    json_decref(json);
    return goes_on(v);
}

static bool put_value(void *context, const struct fg_value_row *value)
{
    struct view *v = context;
    struct fg_sheet *sheet = &v->sheet;
    bool is_read = value->changed != FG_NEVER;
    if (!sheet->is_head &&
        (!is_read || (v->since != FG_NEVER && value->changed < v->since)))
        return true;
    if (!is_tagged(v, value->site, value->page))
        return goes_on(v);
    fg_sheet_begin(sheet);
    fg_sheet_text(sheet, "url", url_of(v, value->site, value->page));
    fg_sheet_text(sheet, "site", key_of(v, value->site));
    fg_sheet_text(sheet, "kind", fg_str_from(fg_value_kind_name(value->kind)));
    bool is_cut;
    fg_sheet_text(sheet, "value",
                  sheet->is_head ? FG_STR("")
                                 : fg_look_whole(&v->look, &v->scratch, value, &is_cut));
    fg_sheet_time(sheet, "since", value->changed);
    fg_sheet_text(sheet, "price", value->price);
    fg_sheet_text(sheet, "high", value->high);
    fg_sheet_text(sheet, "currency", value->currency);
    fg_sheet_text(sheet, "availability", value->availability);
    fg_sheet_text(sheet, "condition", value->condition);
    fg_sheet_text(sheet, "name", value->name);
    fg_sheet_text(sheet, "brand", value->brand);
    fg_sheet_text(sheet, "category", value->category);
    fg_sheet_text(sheet, "seller", value->seller);
    fg_sheet_text(sheet, "country", value->country);
    fg_sheet_text(sheet, "language", value->language);
    fg_sheet_end(sheet);
    return goes_on(v);
}

static struct fg_offer_parts parts_of(unsigned kind, struct fg_str text)
{
    return fg_offer_line_split(kind == FG_VALUE_OFFER ? text : FG_STR(""));
}

static bool put_change(struct view *v, const struct fg_value_change *change)
{
    struct fg_sheet *sheet = &v->sheet;
    if (!is_tagged(v, change->site, change->page))
        return goes_on(v);
    fg_sheet_begin(sheet);
    fg_sheet_time(sheet, "time", change->time);
    fg_sheet_text(sheet, "url", url_of(v, change->site, change->page));
    fg_sheet_text(sheet, "site", key_of(v, change->site));
    fg_sheet_text(sheet, "kind", fg_str_from(fg_value_kind_name(change->kind)));
    fg_sheet_text(sheet, "before", change->before);
    fg_sheet_text(sheet, "after", change->text);
    struct fg_offer_parts now = parts_of(change->kind, change->text);
    struct fg_offer_parts then = parts_of(change->kind_before, change->before);
    fg_sheet_text(sheet, "price", now.price);
    fg_sheet_text(sheet, "high", now.high);
    fg_sheet_text(sheet, "currency", now.currency);
    fg_sheet_text(sheet, "availability", now.availability);
    fg_sheet_text(sheet, "price_before", then.price);
    fg_sheet_text(sheet, "high_before", then.high);
    fg_sheet_text(sheet, "currency_before", then.currency);
    fg_sheet_text(sheet, "availability_before", then.availability);
    fg_sheet_end(sheet);
    return goes_on(v);
}

/* Those that only events know of stand among the others in order of time. */
static void put_list_changes(struct view *v, fg_time until)
{
    while (v->next_by_list < v->by_list.len &&
           v->by_list.at[v->next_by_list].time <= until)
        put_change(v, &v->by_list.at[v->next_by_list++]);
}

static bool put_next_change(void *context, const struct fg_value_change *change)
{
    put_list_changes(context, change->time);
    return put_change(context, change);
}

static enum fg_status put_changes(struct view *v, struct fg_err *err)
{
    struct fg_store *store = v->look.store;
    enum fg_status st = fg_look_list_changes(&v->look, v->look.cli->arena, v->site, 0,
                                             v->since, &v->by_list, err);
    if (!st)
        st = fg_store_value_history(store, v->site, v->since, put_next_change, v, err);
    if (!st)
        put_list_changes(v, INT64_MAX);
    return st;
}

static void put_count(struct fg_sheet *sheet, const char *name, uint32_t count)
{
    if (count == FG_UNCOUNTED)
        fg_sheet_text(sheet, name, (struct fg_str){0});
    else
        fg_sheet_uint(sheet, name, count);
}

/* As `forage import counts` reads it. */
static bool put_daily(void *context, const struct fg_daily_row *row)
{
    struct view *v = context;
    char day[FG_TIME_TEXT];
    if (!is_tagged(v, row->site, row->page))
        return goes_on(v);
    fg_time_format(day, row->day * FG_DAY);
    fg_sheet_begin(&v->sheet);
    fg_sheet_text(&v->sheet, "url", url_of(v, row->site, row->page));
    fg_sheet_text(&v->sheet, "day", (struct fg_str){day, 10});
    put_count(&v->sheet, "clicks", row->clicks);
    put_count(&v->sheet, "impressions", row->impressions);
    fg_sheet_end(&v->sheet);
    return goes_on(v);
}

/* --- the command --- */

static void put_head(struct view *v, enum what what)
{
    if (!v->sheet.is_csv)
        return;
    v->sheet.is_head = true;
    switch (what) {
    case PAGES:
        put_page(v, &(struct fg_page_row){0});
        break;
    case VISITS:
    case OBSERVATIONS:
        put_visit(v, &(struct fg_visit_row){0});
        break;
    case LINKS:
        put_link(v, &(struct fg_link_row){0});
        break;
    case EVENTS:
    case DISCOVERIES:
        put_event(v, &(struct fg_event_row){0});
        break;
    case VALUES:
        put_value(v, &(struct fg_value_row){0});
        break;
    case CHANGES:
        put_change(v, &(struct fg_value_change){0});
        break;
    case COUNTS:
        put_daily(v, &(struct fg_daily_row){0});
        break;
    case OPML:
        break;
    }
    v->sheet.is_head = false;
}

static bool is_wanted(const struct view *v, fg_site_id id)
{
    return fg_look_site(&v->look, id) && (!v->site || v->site == id);
}

static enum fg_status put_links(struct view *v, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    for (fg_site_id id = 1; !st && id <= v->look.n_sites; id++)
        if (is_wanted(v, id))
            st = fg_store_links(v->look.store, id, 0, put_link, v, err);
    return st;
}

static enum fg_status put_dailies(struct view *v, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    int64_t first = v->since == FG_NEVER ? INT32_MIN : v->since / FG_DAY;
    for (fg_site_id id = 1; !st && id <= v->look.n_sites; id++)
        if (is_wanted(v, id))
            st = fg_store_daily(v->look.store, id, first, INT32_MAX, put_daily, v, err);
    return st;
}

static enum fg_status put_rows(struct view *v, enum what what, struct fg_err *err)
{
    struct fg_store *store = v->look.store;
    put_head(v, what);
    switch (what) {
    case PAGES:
        return fg_store_pages(store, v->site, put_page, v, err);
    case VISITS:
    case OBSERVATIONS:
        return fg_store_visits(store, v->site, 0, v->since, put_visit, v, err);
    case LINKS:
        return put_links(v, err);
    case EVENTS:
    case DISCOVERIES:
        return fg_store_events(store, v->site, 0, v->since, SIZE_MAX, put_event, v, err);
    case VALUES:
        return fg_store_values(store, v->site, put_value, v, err);
    case CHANGES:
        return put_changes(v, err);
    case COUNTS:
        return put_dailies(v, err);
    case OPML:
        return fg_opml_write(v->sheet.out, &v->look, v->site, v->tag, err);
    }
    return FG_OK;
}

static enum fg_status put_file(struct view *v, const struct options *o,
                               struct fg_err *err)
{
    struct fg_replacement file;
    enum fg_status st = fg_replacement_open(&file, o->output.at, err);
    if (st)
        return st;
    fg_out_open_file(&v->file, file.fd, o->output.at);
    v->sheet.out = &v->file;
    st = put_rows(v, (enum what)o->what, err);
    enum fg_status closed = fg_out_close(&v->file, st ? NULL : err);
    st = st ? st : closed;
    if (!st)
        return fg_replacement_finish(&file, err);
    fg_replacement_drop(&file);
    return st;
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    bool is_csv = o->csv || o->format == CSV;
    struct view v = {
        .sheet = {.out = &cli->out, .is_csv = is_csv, .is_raw = !o->spreadsheet},
        .tag = o->tag,
        .what = (enum what)o->what};
    if (o->jsonl && is_csv)
        return fg_fail(err, FG_ECONFIG, "--jsonl and --csv cannot be combined");
    enum fg_status st = fg_cli_look(cli, &v.look, err);
    if (!st)
        st = fg_look_since(&v.look, "--since", o->since, &v.since, err);
    if (!st && o->site.len)
        st = fg_look_find_site(&v.look, o->site, &v.site, err);
    if (!st && o->what == OPML && (is_csv || o->since.len))
        st = fg_fail(err, FG_ECONFIG,
                     "OPML is a format of its own, and of the present: "
                     "it goes without --csv and --since");
    if (!st)
        st = o->output.len ? put_file(&v, o, err) : put_rows(&v, (enum what)o->what, err);
    fg_arena_clear(&v.scratch);
    fg_cli_look_close(&v.look);
    return st;
}

static const struct fg_example examples[] = {
    {"forage export | head -n 3", "all pages, a line of JSON each"},
    {"forage export --what visits --csv --since 2w --site news.example",
     "what was fetched of a site, for a spreadsheet"},
    {"forage export --what links -o links.jsonl && head -n 1 links.jsonl",
     "which source showed which page, and when"},
    {"forage export --what opml | tail -n 1", "feeds and sites, for a feed reader"},
    {"forage export --what discoveries --format csv --tag press",
     "what was found, by tag"},
    {"forage export --what changes --csv --since 1d",
     "prices that moved since yesterday"},
    {0},
};

const struct fg_command fg_cmd_export = {
    .name = "export",
    .words = "",
    .summary = "write pages, visits, links, events, values or counts as JSON lines or "
               "CSV, or OPML",
    .about = "Writes what the store has, a row each, with times in ISO 8601, UTC. CSV is "
             "that of RFC 4180: UTF-8, lines end in CR LF, the first names the columns. "
             "Data are written as they are; for a spreadsheet, which runs texts such as "
             "=1+1, say --spreadsheet. 'observations' are the visits and 'discoveries' "
             "the events of new pages; a change has the value before and after, and of "
             "offers the "
             "parts of both; the first value of a page is no change. OPML has the feeds "
             "and sites that are watched, "
             "with tags as folders, as 'forage import opml' reads it. "
             "Works while a crawl runs, and shows the store as it was at the start.",
    .options = options,
    .options_size = sizeof(struct options),
    .settings = "workspace",
    .examples = examples,
    .only_looks = true,
    .run = run,
};
