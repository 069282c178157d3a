/* rhythm.c - what is expected of the sources of a site, hour by hour of the week
 *
 * From the visits of four weeks: what came between two looks at a source came some time
 * between them (learn/week.h). The site has one rhythm, each source a pace of its own. It
 * is told of the log alone, so it is the same whichever policy chooses. */
#include "base/map.h"
#include "learn/week.h"
#include "view/view.h"

#include <stdlib.h>

static const fg_time lately = 28 * FG_DAY;
/* Looks that a push called for lie seconds apart, and show something each time: of a
 * source that was watched for less than this nothing is expected yet. */
static const fg_time enough = FG_HOUR;
enum { MOST_SOURCES = 200 };

struct hour {
    double expected;
    uint64_t looks, found;
};

struct source {
    struct fg_page_row row;
    struct fg_str url;
    fg_time looked, watched; /* last; in all */
    uint64_t looks, found;
    double an_hour;
    struct hour *hours;
    struct fg_rows shown;
    struct fg_str best;
};

struct asked {
    const struct fg_look *look;
    struct fg_week week;
    FG_VEC(struct source) sources;
    struct fg_map at; /* of a page: 1 + its place */
};

struct answer {
    struct fg_str site;
    fg_time from;
    uint64_t looks, found;
    double an_hour;
    struct fg_rows sources;
};

static bool take_page(void *context, const struct fg_page_row *page)
{
    struct asked *v = context;
    if (!(page->flags & FG_PAGE_SOURCE))
        return true;
    fg_vec_push_in(v->look->texts, &v->sources,
                   (struct source){.row = *page, .looked = FG_NEVER});
    *fg_map_put(&v->at, page->page) = v->sources.len;
    return true;
}

static bool take_visit(void *context, const struct fg_visit_row *visit)
{
    struct asked *v = context;
    const uint64_t *at = fg_map_get(&v->at, visit->page);
    bool is_read = !visit->failure && visit->status < 400;
    struct source *source = at && is_read ? &v->sources.at[*at - 1] : NULL;
    if (!source)
        return true;
    /* The first look has shown what had come at any time. */
    if (source->looked != FG_NEVER && visit->time > source->looked) {
        struct hour *hour = &source->hours[fg_week_hour(visit->time)];
        fg_week_add(&v->week, source->looked, visit->time, visit->fresh);
        source->watched += visit->time - source->looked;
        source->looks++;
        source->found += visit->fresh;
        hour->looks++;
        hour->found += visit->fresh;
    } else if (!source->hours) {
        source->hours = FG_NEW(v->look->texts, struct hour, FG_WEEK_HOURS);
    }
    source->looked = visit->time;
    return true;
}

static int most_first(const void *a, const void *b)
{
    const struct source *x = a, *y = b;
    if (x->an_hour != y->an_hour)
        return x->an_hour < y->an_hour ? 1 : -1;
    return x->row.page < y->row.page ? -1 : 1;
}

/* "Mon 9:00" */
static struct fg_str words_of(struct fg_arena *arena, size_t hour)
{
    static const char *const days[] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
    return fg_arena_printf(arena, "%s %zu:00", days[hour / 24], hour % 24);
}

static void expect(struct asked *v, struct source *source)
{
    size_t best = 0;
    source->an_hour = fg_week_rate(&v->week, (double)source->found, source->watched);
    for (size_t h = 0; h < FG_WEEK_HOURS; h++) {
        source->hours[h].expected = source->an_hour * v->week.shape[h];
        if (source->hours[h].expected > source->hours[best].expected)
            best = h;
    }
    source->best = words_of(v->look->texts, best);
    source->shown = (struct fg_rows){
        .at = source->hours, .len = FG_WEEK_HOURS, .size = sizeof *source->hours};
}

static enum fg_status gather(struct asked *v, fg_site_id site, fg_time from,
                             struct fg_err *err)
{
    size_t n = 0;
    enum fg_status st = fg_store_pages(v->look->store, site, take_page, v, err);
    if (!st)
        st = fg_store_visits(v->look->store, site, 0, from, take_visit, v, err);
    if (st)
        return st;
    fg_week_done(&v->week);
    for (size_t i = 0; i < v->sources.len; i++)
        if (v->sources.at[i].watched >= enough) {
            v->sources.at[n] = v->sources.at[i];
            expect(v, &v->sources.at[n++]);
        }
    v->sources.len = n;
    if (!n)
        v->week.a_source_hour = 0;
    else
        qsort(v->sources.at, n, sizeof *v->sources.at, most_first);
    return st;
}

/* --- the view --- */

struct question {
    int64_t most;
};
static const struct fg_opt question[] = {
    {"most", FG_INT(struct question, most), "20", .letter = 'n', .min = 1,
     .max = MOST_SOURCES, .help = "sources shown, those with most to come first"},
    {0},
};

static enum fg_status ask(const void **answer, const struct fg_asking *ask,
                          struct fg_err *err)
{
    const struct question *q = ask->question;
    const struct fg_look *look = ask->look;
    struct asked *v = FG_NEW(look->texts, struct asked, 1);
    struct answer *a = FG_NEW(look->texts, struct answer, 1);
    fg_site_id id;
    v->look = look;
    enum fg_status st = fg_look_find_site(look, ask->subject, &id, err);
    if (!st)
        st = gather(v, id, look->now - lately, err);
    fg_map_clear(&v->at);
    if (st)
        return st;
    *a = (struct answer){.site = fg_look_site(look, id)->key,
                         .from = look->now - lately,
                         .an_hour = v->week.a_source_hour};
    for (size_t i = 0; i < v->sources.len; i++) {
        a->looks += v->sources.at[i].looks;
        a->found += v->sources.at[i].found;
    }
    if (v->sources.len > (size_t)q->most)
        v->sources.len = (size_t)q->most;
    for (size_t i = 0; i < v->sources.len; i++) {
        struct source *source = &v->sources.at[i];
        source->url = fg_look_url(look, look->texts, source->row.site, source->row.page);
    }
    a->sources = FG_ROWS_FROM(v->sources);
    *answer = a;
    return FG_OK;
}

#define H struct hour
static const struct fg_field hour_fields[] = {
    {"expected", NULL, FG_AS_NUMBER(H, expected), .help = "new links in this hour"},
    {"looks", NULL, FG_AS_COUNT(H, looks), .help = "at this hour, in four weeks"},
    {"found", NULL, FG_AS_COUNT(H, found), .help = "new links by these looks"},
    {0},
};
#undef H

#define S struct source
static const struct fg_field source_fields[] = {
    {"an_hour", "an hour", FG_AS_NUMBER(S, an_hour), .help = "new links, expected"},
    {"best", "best at", FG_AS_TEXT(S, best), .help = "hour of the week, UTC"},
    {"looks", "looks", FG_AS_COUNT(S, looks), .help = "in four weeks"},
    {"found", "found", FG_AS_COUNT(S, found), .help = "new links by these looks"},
    {"url", "source", FG_AS_URL(S, url)},
    {"hours", NULL, FG_AS_ROWS(S, shown, hour_fields),
     .help = "168 of them, from Monday 0:00 UTC"},
    {0},
};
#undef S

#define A struct answer
static const struct fg_field fields[] = {
    {"site", "site", FG_AS_TEXT(A, site), .is_title = true},
    {"from", NULL, FG_AS_TIME(A, from), .help = "visits since then were used"},
    {"looks", "looks", FG_AS_COUNT(A, looks), .help = "at all sources, in four weeks"},
    {"found", "found", FG_AS_COUNT(A, found), .help = "new links by these looks"},
    {"a_source_hour", NULL, FG_AS_NUMBER(A, an_hour),
     .help = "new links an hour, mean of the sources"},
    {"sources", "", FG_AS_ROWS(A, sources, source_fields), .is_sheet = true},
    {0},
};
#undef A

static const struct fg_view_example examples[] = {
    {"news.example", "what its sources are expected to show, those with most first"},
    {"news.example --json", "with all 168 hours of the week"},
    {0},
};

const struct fg_view fg_view_rhythm = {
    .name = "rhythm",
    .subject = "SITE",
    .summary = "show what is expected of a site's sources, by hour of the week",
    .about =
        "Shows for each source how many new links are expected an hour, and at which "
        "hour of the week most are. A site has one rhythm, learnt from the looks of four "
        "weeks; an hour about which little is known is taken to be like that hour on "
        "other days. A source is left out until it was watched for an hour in all. With "
        "--json all 168 hours of each source, as the dashboard draws them.",
    .question = question,
    .question_size = sizeof(struct question),
    .examples = examples,
    .answer = FG_RECORD_OF(fields),
    .ask = ask,
};
