/* The columns of every kind of row, the key first. In `counts` the day comes before the
 * page: it is read and dropped a day at a time. */
#include "store/rows.h"

#include <stddef.h>

/* A column is named as its field, unless it says otherwise; ROW is the struct. */
#define NAMED(name, field, cell, help)                              \
    {                                                               \
        name, help, FG_CELL_##cell, (uint16_t)offsetof(ROW, field), \
            (uint16_t)sizeof(((ROW *)0)->field)                     \
    }
#define C(field, cell)          NAMED(#field, field, cell, NULL)
#define TOLD(field, cell, help) NAMED(#field, field, cell, help)

#define ROW struct fg_site_row
static const struct fg_row_column sites[] = {
    C(site, NUMBER),
    TOLD(key, TEXT, "scheme, host, port"),
    C(domain, TEXT),
    C(tags, TEXT),
    C(added, TIME),
    C(last_request, TIME),
    C(state, NUMBER),
    TOLD(crawl_delay, SPAN, "µs"),
    C(robots_fetched, TIME),
    C(robots_expires, TIME),
    C(robots_verdict, NUMBER),
    C(backoff_until, TIME),
    C(backoff_step, NUMBER),
    TOLD(settings, TEXT, "JSON"),
    TOLD(robots, TEXT, "the file"),
};
#undef ROW

#define ROW struct fg_page_row
static const struct fg_row_column pages[] = {
    C(site, NUMBER),
    C(page, NUMBER),
    TOLD(fingerprint, HASH, "of the URL"),
    C(url, TEXT),
    TOLD(flags, FLAGS, "see below"),
    TOLD(found_on, NUMBER, "page of the same site, 0: none"),
    TOLD(alias_of, NUMBER, "likewise"),
    C(first_seen, TIME),
    C(last_visit, TIME),
    C(last_change, TIME),
    C(next_visit, TIME),
    C(published, TIME),
    TOLD(status, NUMBER, "of the last answer"),
    C(visits, NUMBER),
    C(changes, NUMBER),
    TOLD(failures, NUMBER, "in a row"),
    C(content_hash, HASH),
    C(simhash, HASH),
    C(weight, REAL),
    C(depth, NUMBER),
    C(etag, TEXT),
    C(last_modified, TEXT),
    C(title, TEXT),
    C(language, TEXT),
    TOLD(identity, HASH, "of title, main text and value"),
};
#undef ROW

#define ROW struct fg_visit_row
static const struct fg_row_column visits[] = {
    C(site, NUMBER),
    C(page, NUMBER),
    C(time, MOMENT),
    TOLD(status, NUMBER, "HTTP, or 0"),
    C(failure, NUMBER),
    C(changed, BOOL),
    C(conditional, BOOL),
    TOLD(purpose, NUMBER, "4 is a capture of an archive, not a fetch of ours"),
    C(links, NUMBER),
    TOLD(fresh, NUMBER, "links new to us"),
    C(bytes, NUMBER),
    C(took_ms, NUMBER),
    C(score, REAL),
    C(probability, REAL),
    C(explored, BOOL),
};
#undef ROW

#define ROW struct fg_link_row
static const struct fg_row_column links[] = {
    C(site, NUMBER),
    C(source, NUMBER),
    C(target_site, NUMBER),
    C(target, NUMBER),
    C(first_seen, TIME),
    TOLD(last_seen, TIME, "as old as the row while the link is there"),
    TOLD(gone, TIME, "NULL while it is there"),
};
#undef ROW

#define ROW struct fg_body_row
static const struct fg_row_column bodies[] = {
    C(site, NUMBER),
    C(page, NUMBER),
    C(time, MOMENT),
    TOLD(bytes, NUMBER, "of the body"),
    TOLD(hash, HASH, "of it, XXH3"),
    TOLD(zstd, BYTES, "the body, packed"),
};
#undef ROW

#define ROW struct fg_event_row
static const struct fg_row_column events[] = {
    C(number, NUMBER), C(site, NUMBER), C(page, NUMBER), TOLD(id, HASH, "stable"),
    C(time, MOMENT),   C(kind, TEXT),   C(json, TEXT),
};
#undef ROW

#define ROW struct fg_delivery_row
static const struct fg_row_column deliveries[] = {
    C(output, TEXT),
    TOLD(number, NUMBER, "last event handed over"),
    TOLD(position, NUMBER, "the output's own"),
};
#undef ROW

#define ROW struct fg_waiting_row
static const struct fg_row_column waiting[] = {
    C(hook, TEXT),
    TOLD(number, NUMBER, "of the event"),
    C(site, NUMBER),
    C(attempts, NUMBER),
    C(next, TIME),
    C(tried, TIME),
    TOLD(status, NUMBER, "of the last answer"),
    NAMED("dead", is_dead, BOOL, "1: not tried any more"),
    TOLD(why, TEXT, "of the last failure"),
};
#undef ROW

#define ROW struct fg_state_row
static const struct fg_row_column state[] = {
    TOLD(site, NUMBER, "0 is the whole crawl"),
    C(name, TEXT),
    TOLD(bytes, BYTES, "at most 1 GB"),
};
#undef ROW

#define ROW struct fg_label_row
static const struct fg_row_column labels[] = {
    C(site, NUMBER),
    C(page, NUMBER),
    C(relevant, BOOL),
};
#undef ROW

#define ROW struct fg_daily_row
static const struct fg_row_column daily[] = {
    C(site, NUMBER),
    TOLD(day, DAY, "since 1970-01-01"),
    C(page, NUMBER),
    TOLD(clicks, COUNT, "NULL: not known"),
    TOLD(impressions, COUNT, "likewise"),
};
#undef ROW

#define ROW struct fg_value_row
static const struct fg_row_column values[] = {
    C(site, NUMBER),
    C(page, NUMBER),
    TOLD(kind, NUMBER, "0 none, 1 page, 2 text, 3 offer, 4 selector"),
    C(hash, HASH),
    TOLD(changed, TIME, "since when; NULL: not read yet"),
    TOLD(rule, TEXT, "its own, or empty"),
    C(text, TEXT),
    TOLD(price, TEXT, "this and what follows of an offer"),
    C(high, TEXT),
    C(currency, TEXT),
    C(availability, TEXT),
    C(condition, TEXT),
    C(name, TEXT),
    C(brand, TEXT),
    C(category, TEXT),
    C(seller, TEXT),
    C(country, TEXT),
    C(language, TEXT),
};
#undef ROW

#define ROW struct fg_value_change
static const struct fg_row_column value_changes[] = {
    C(site, NUMBER), C(page, NUMBER), C(time, MOMENT), C(kind, NUMBER), C(text, TEXT),
};
#undef ROW

#define ROW struct fg_request_row
static const struct fg_row_column requests[] = {
    C(site, NUMBER),
    C(time, MOMENT),
    C(number, NUMBER),
    TOLD(status, NUMBER, "HTTP, or 0"),
    C(failure, NUMBER),
    C(purpose, NUMBER),
    TOLD(hop, NUMBER, "redirects that led here"),
    C(conditional, BOOL),
    C(bytes, NUMBER),
    C(took_ms, NUMBER),
    TOLD(target, TEXT, "path and query"),
};
#undef ROW

#define ROW struct fg_note_row
static const struct fg_row_column notes[] = {
    C(site, NUMBER),
    C(page, NUMBER),
    C(name, TEXT),
    C(tags, TEXT),
    TOLD(home, TEXT, "of a feed, the page it belongs to"),
    TOLD(meta, TEXT, "key=value"),
};
#undef ROW

#define ROW struct fg_promise_row
static const struct fg_row_column promises[] = {
    C(site, NUMBER),
    C(page, NUMBER),
    TOLD(at_least, SPAN, "µs"),
};
#undef ROW

#define ROW struct fg_unplaced_row
static const struct fg_row_column early[] = {
    TOLD(key, TEXT, "of the site"),
    NAMED("fingerprint", count.fingerprint, HASH, NULL),
    NAMED("day", count.day, DAY, "since 1970-01-01"),
    NAMED("clicks", count.clicks, COUNT, "NULL: not known"),
    NAMED("impressions", count.impressions, COUNT, "likewise"),
};
#undef ROW

#define ROW struct fg_page_extra_row
static const struct fg_row_column page_extras[] = {
    C(site, NUMBER),
    C(page, NUMBER),
    C(kind, TEXT),
    C(bytes, BYTES),
};
#undef ROW

#define ROW struct fg_text_row
static const struct fg_row_column texts[] = {
    C(site, NUMBER),
    C(page, NUMBER),
    TOLD(number, NUMBER, "by which the index knows it"),
    TOLD(hash, HASH, "of the text and its language"),
    TOLD(bytes, NUMBER, "of title, main text and words of links"),
    C(title_bytes, NUMBER),
    C(text_bytes, NUMBER),
    TOLD(language, TEXT, "whose stems it is indexed by; empty: none"),
    TOLD(zstd, BYTES, "title, main text and words of links, packed"),
};
#undef ROW

#define ROW struct fg_anchor_row
static const struct fg_row_column anchors[] = {
    TOLD(site, NUMBER, "of the page it leads to"),
    C(page, NUMBER),
    C(from_site, NUMBER),
    C(from_page, NUMBER),
    C(words, TEXT),
};
#undef ROW

#define ROW struct fg_query_row
static const struct fg_row_column searches[] = {
    TOLD(day, DAY, "since 1970-01-01"),
    C(words, TEXT),
    C(times, NUMBER),
};
#undef ROW

#define ROW struct fg_feedback_row
static const struct fg_row_column feedback[] = {
    C(site, NUMBER),
    C(page, NUMBER),
    TOLD(shown, NUMBER, "how often it was among results"),
    TOLD(looks, NUMBER,
         "how often it was looked at, as its places let expect; millionths"),
    TOLD(clicks, NUMBER, "how often it was chosen"),
};
#undef ROW

#define ROW struct fg_mark_row
static const struct fg_row_column marks[] = {
    TOLD(mark, HASH, "of a piece of feedback that was taken"),
    TOLD(until, MOMENT, "when it goes: from then on it is too late for it anyway"),
};
#undef ROW

#define ROW struct fg_command_row
static const struct fg_row_column commands[] = {
    C(number, NUMBER),
    C(time, MOMENT),
    TOLD(kind, TEXT, "seeds, label, counts, retry, site, control, push"),
    C(text, TEXT),
};
#undef ROW

/* With the URL in place of numbers. */
#define OF_PAGE(name) \
    "p.url, * FROM " name " t LEFT JOIN pages p ON p.site = t.site AND p.page = t.page"
#define ROWS(table, columns, row, keys, unique, view, what)                             \
    {                                                                                   \
        table, what, unique, view, columns, sizeof(columns) / sizeof(columns)[0], keys, \
            sizeof(struct row)                                                          \
    }

const struct fg_row_type fg_row_types[FG_ROW_KINDS] = {
    [FG_SITES] = ROWS("sites", sites, fg_site_row, 1, NULL, "* FROM sites t",
                      "pages that share a politeness limit"),
    [FG_PAGES] =
        ROWS("pages", pages, fg_page_row, 2, "site, fingerprint",
             "s.key AS site_key, * FROM pages t LEFT JOIN sites s USING(site)", "a URL"),
    [FG_VISITS] = ROWS("visits", visits, fg_visit_row, 3, NULL, OF_PAGE("visits"),
                       "what one fetch told"),
    [FG_LINKS] =
        ROWS("links", links, fg_link_row, 4, NULL,
             "a.url AS source_url, b.url AS target_url, * FROM links t"
             " LEFT JOIN pages a ON a.site = t.site AND a.page = t.source"
             " LEFT JOIN pages b ON b.site = t.target_site AND b.page = t.target",
             "a link of a source"),
    [FG_BODIES] = ROWS("bodies", bodies, fg_body_row, 3, NULL,
                       "length(t.zstd) AS packed_bytes, " OF_PAGE("bodies"),
                       "one version of a page"),
    [FG_EVENTS] = ROWS("outbox", events, fg_event_row, 1, "site, id", OF_PAGE("outbox"),
                       "something to tell the world"),
    [FG_DELIVERIES] = ROWS("deliveries", deliveries, fg_delivery_row, 1, NULL, NULL,
                           "how far an output has come"),
    [FG_WAITING] = ROWS("waiting", waiting, fg_waiting_row, 2, NULL,
                        "p.url, o.kind, * FROM waiting t LEFT JOIN outbox o"
                        " ON o.number = t.number LEFT JOIN pages p"
                        " ON p.site = o.site AND p.page = o.page",
                        "an event that a webhook has not taken"),
    [FG_STATE] = ROWS("state", state, fg_state_row, 2, NULL, NULL, "bytes under a name"),
    [FG_LABELS] = ROWS("labels", labels, fg_label_row, 2, NULL, NULL,
                       "what the user says a page is"),
    [FG_DAILY] = ROWS("counts", daily, fg_daily_row, 3, NULL, OF_PAGE("counts"),
                      "what people did with a page on a day, as imported"),
    [FG_VALUES] =
        ROWS("page_values", values, fg_value_row, 2, NULL, OF_PAGE("page_values"),
             "what a document is worth now (docs/values.md)"),
    [FG_VALUE_CHANGES] =
        ROWS("value_changes", value_changes, fg_value_change, 3, NULL,
             OF_PAGE("value_changes"), "a value that a document had from then on"),
    [FG_REQUESTS] = ROWS("requests", requests, fg_request_row, 3, NULL,
                         "s.key || t.target AS url, * FROM requests t"
                         " LEFT JOIN sites s USING(site)",
                         "a request to the host of the site, for `forage ledger`"),
    [FG_NOTES] = ROWS("notes", notes, fg_note_row, 2, NULL, OF_PAGE("notes"),
                      "what the user says of a page"),
    [FG_PROMISES] =
        ROWS("promises", promises, fg_promise_row, 2, NULL, OF_PAGE("promises"),
             "how long a page may go without a visit, as promised"),
    [FG_EARLY] = ROWS("early_counts", early, fg_unplaced_row, 3, NULL, NULL,
                      "counts of a page that is not known yet"),
    [FG_COMMANDS] =
        ROWS("commands", commands, fg_command_row, 1, NULL, "* FROM commands t",
             "what another process wants of the crawl that runs"),
    [FG_PAGE_EXTRAS] = ROWS("page_extras", page_extras, fg_page_extra_row, 3, NULL, NULL,
                            "what else is kept of a page: `leads-to`, `text`, `sketch`,"
                            " `cut`, `capture`, `labelled`, `comers`, `worths`"),
    [FG_TEXTS] = ROWS("texts", texts, fg_text_row, 2, "number", OF_PAGE("texts"),
                      "what a page is searched by (docs/search.md)"),
    [FG_ANCHORS] = ROWS("anchors", anchors, fg_anchor_row, 4, NULL, OF_PAGE("anchors"),
                        "a link of a source, by its target"),
    [FG_SEARCHES] = ROWS("queries", searches, fg_query_row, 2, NULL, "* FROM queries t",
                         "what was searched for on a day"),
    [FG_FEEDBACK] =
        ROWS("feedback", feedback, fg_feedback_row, 2, NULL, OF_PAGE("feedback"),
             "what people did with a page as a result (docs/ranking.md)"),
    [FG_MARKS] = ROWS("feedback_marks", marks, fg_mark_row, 1, NULL, NULL,
                      "feedback of the last week, so that it counts once"),
};

const char *const fg_page_flag_names[] = {
    "seed",         "source",    "document", "candidate", "retired",    "feed",
    "sitemap",      "gone",      "alias",    "excluded",  "relevant",   "duplicate",
    "awaited",      "reserved",  "reported", "old",       "other-kind", "unproven",
    "list",         "stock",     "paused",   "removed",   "nofollow",   "noindex",
    "was-document", "read-soon", "cut",      "pushed",
};
const size_t fg_page_flag_count = sizeof fg_page_flag_names / sizeof *fg_page_flag_names;

const char *const fg_page_extra_names[] = {
    [FG_EXTRA_LEADS_TO] = "leads-to", [FG_EXTRA_TEXT] = "text",
    [FG_EXTRA_SKETCH] = "sketch",     [FG_EXTRA_CUT] = "cut",
    [FG_EXTRA_CAPTURE] = "capture",   [FG_EXTRA_LABELLED] = "labelled",
    [FG_EXTRA_COMERS] = "comers",     [FG_EXTRA_WORTHS] = "worths",
};

size_t fg_row_column(const struct fg_row_type *type, struct fg_str name)
{
    size_t i = 0;
    while (i < type->n_columns && !fg_str_eq(name, fg_str_from(type->columns[i].name)))
        i++;
    return i;
}

bool fg_cell_is_text(enum fg_cell cell)
{
    return cell == FG_CELL_TEXT || cell == FG_CELL_BYTES;
}

bool fg_cell_is_nullable(enum fg_cell cell)
{
    return cell == FG_CELL_TIME || cell == FG_CELL_COUNT;
}

bool fg_cell_number(const struct fg_row_column *column, const void *row, int64_t *number)
{
    const void *at = (const char *)row + column->offset;
    switch (column->bytes) {
    case 1:
        *number = *(const uint8_t *)at;
        return true;
    case 2:
        *number = *(const uint16_t *)at;
        return true;
    case 4:
        *number = column->cell == FG_CELL_DAY ? *(const int32_t *)at
                                              : (int64_t) * (const uint32_t *)at;
        return column->cell != FG_CELL_COUNT || *number != FG_UNCOUNTED;
    default:
        *number = *(const int64_t *)at;
        return column->cell != FG_CELL_TIME || *number != FG_NEVER;
    }
}

void fg_cell_set(const struct fg_row_column *column, void *row, const int64_t *number)
{
    int64_t none = column->cell == FG_CELL_TIME    ? FG_NEVER
                   : column->cell == FG_CELL_COUNT ? FG_UNCOUNTED
                                                   : 0;
    int64_t value = number ? *number : none;
    void *at = (char *)row + column->offset;
    switch (column->bytes) {
    case 1:
        *(uint8_t *)at = column->cell == FG_CELL_BOOL ? value != 0 : (uint8_t)value;
        break;
    case 2:
        *(uint16_t *)at = (uint16_t)value;
        break;
    case 4:
        *(uint32_t *)at = (uint32_t)value;
        break;
    default:
        *(int64_t *)at = value;
    }
}

struct fg_str *fg_cell_text(const struct fg_row_column *column, const void *row)
{
    return (struct fg_str *)((const char *)row + column->offset);
}

void fg_row_keep(const struct fg_row_type *type, void *row, struct fg_arena *arena)
{
    for (size_t i = 0; i < type->n_columns; i++)
        if (fg_cell_is_text(type->columns[i].cell)) {
            struct fg_str *text = fg_cell_text(&type->columns[i], row);
            *text = text->len ? fg_arena_dup(arena, *text) : FG_STR("");
        }
}
