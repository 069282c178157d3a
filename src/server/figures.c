#include "server/figures.h"

#include "base/json.h"
#include "base/map.h"
#include "base/memory.h"
#include "crawl/output/news.h"
#include "server/ask.h"
#include "store/visit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const double fg_delay_bounds[] = {30,   60,   120,   300,   600,  1800,
                                  3600, 7200, 21600, 43200, 86400};

const char *fg_way_name(enum fg_way way)
{
    static const char *const names[] = {[FG_WAY_LINK] = "page",
                                        [FG_WAY_FEED] = "feed",
                                        [FG_WAY_SITEMAP] = "sitemap",
                                        [FG_WAY_PUSH] = "push"};
    return names[way];
}

struct fg_figures *fg_figures_new(fg_time span, fg_time now)
{
    enum { STEPS = 48 };
    struct fg_figures *figures = fg_zeroed(1, sizeof *figures);
    figures->n_hours = STEPS;
    figures->step = span / STEPS > 0 ? span / STEPS : 1;
    figures->now = now;
    figures->from = now - figures->step * STEPS;
    figures->hours = fg_zeroed(STEPS, sizeof *figures->hours);
    return figures;
}

void fg_figures_free(struct fg_figures *figures)
{
    if (!figures)
        return;
    free(figures->hours);
    free(figures);
}

struct gathering {
    struct fg_figures *figures;
    const struct fg_look *look;
    struct fg_arena scratch;
    struct fg_map ways; /* of sources by fingerprint: 1 + enum fg_way */
};

static struct fg_hour *hour_of(struct fg_figures *figures, fg_time time)
{
    if (time < figures->from)
        return NULL;
    size_t i = (size_t)((time - figures->from) / figures->step);
    return &figures->hours[i < figures->n_hours ? i : figures->n_hours - 1];
}

/* By what the page that it was found on is. */
static enum fg_way way_of(struct gathering *g, struct fg_str found_on)
{
    struct fg_page_row page;
    uint64_t *kept = fg_map_put(&g->ways, fg_str_hash(found_on));
    if (*kept)
        return (enum fg_way)(*kept - 1);
    struct fg_look look = *g->look;
    enum fg_way way = FG_WAY_LINK;
    look.texts = &g->scratch;
    if (found_on.len && !fg_look_find_page(&look, found_on, &page, NULL))
        way = page.flags & FG_PAGE_FEED      ? FG_WAY_FEED
              : page.flags & FG_PAGE_SITEMAP ? FG_WAY_SITEMAP
                                             : FG_WAY_LINK;
    fg_arena_reset(&g->scratch);
    *fg_map_put(&g->ways, fg_str_hash(found_on)) = 1 + (uint64_t)way;
    return way;
}

static void add_delay(struct fg_figures *figures, fg_time delay)
{
    size_t i = 0;
    double seconds = fg_seconds(delay < 0 ? 0 : delay);
    while (i < FG_DELAY_BUCKETS - 1 && seconds > fg_delay_bounds[i])
        i++;
    figures->delays[i]++;
    figures->dated++;
    figures->delay_sum_s += seconds;
}

static bool take_event(void *context, const struct fg_event_row *event)
{
    struct gathering *g = context;
    struct fg_hour *hour = hour_of(g->figures, event->time);
    enum fg_news_kind kind = fg_news_kind(event->kind);
    struct fg_news news;
    if (hour && kind == FG_KIND_CHANGED)
        hour->changes++;
    if (!hour || kind != FG_KIND_NEW)
        return true;
    hour->discoveries++;
    fg_news_read(&news, event);
    /* A date without a time of day says nothing of minutes. */
    if (news.dated != FG_NEVER && news.dated % FG_DAY)
        add_delay(g->figures, event->time - news.dated);
    g->figures->ways[news.is_pushed ? FG_WAY_PUSH : way_of(g, news.found_on)]++;
    fg_news_clear(&news);
    return true;
}

static bool take_visit(void *context, const struct fg_visit_row *visit)
{
    struct fg_figures *figures = ((struct gathering *)context)->figures;
    struct fg_hour *hour = hour_of(figures, visit->time);
    const char *purpose = fg_visit_purpose_name(visit->purpose);
    if (!hour || (purpose && strcmp(purpose, "capture") == 0))
        return true;
    bool has_failed = fg_visit_failed(visit);
    hour->fetches++;
    hour->failures += has_failed;
    hour->links += visit->fresh;
    figures->failures += has_failed;
    if (has_failed && visit->failure)
        figures->unanswered[visit->failure % FG_FAILURES]++;
    else if (has_failed)
        figures->refused[visit->status < FG_STATUSES ? visit->status : 0]++;
    figures->not_modified += visit->status == 304;
    figures->explored += visit->explored;
    figures->bytes += visit->bytes;
    figures->fetches[visit->purpose % FG_PURPOSES]++;
    return true;
}

enum fg_status fg_figures_gather(struct fg_figures *figures, const struct fg_look *look,
                                 fg_site_id site, struct fg_err *err)
{
    struct gathering g = {.figures = figures, .look = look};
    enum fg_status st = fg_store_events(look->store, site, 0, figures->from, SIZE_MAX,
                                        take_event, &g, err);
    if (!st)
        st = fg_store_visits(look->store, site, 0, figures->from, take_visit, &g, err);
    fg_map_clear(&g.ways);
    fg_arena_clear(&g.scratch);
    return st;
}

/* --- as an answer --- */

const struct fg_opt fg_timeline_opts[] = {
    {"span", FG_SPAN(struct fg_timeline_question, span), "2d", .min = (double)FG_MINUTE,
     .max = 60 * (double)FG_DAY, .help = "how far back, in 48 steps"},
    {"site", FG_STRING(struct fg_timeline_question, site), .arg = "SITE",
     .help = "of this site only: its host name or address"},
    {0},
};

static void put_purposes(struct fg_json *json, const struct fg_figures *f)
{
    fg_json_key(json, "purposes");
    fg_json_object(json);
    for (unsigned i = 0; i < FG_PURPOSES; i++)
        if (f->fetches[i] && fg_visit_purpose_name(i))
            fg_json_pair_uint(json, fg_visit_purpose_name(i), f->fetches[i]);
    fg_json_end(json);
}

/* Failures by what they were: that of the connection, or a status. */
static void put_errors(struct fg_json *json, const struct fg_figures *f)
{
    char status[24];
    uint64_t unknown = 0; /* kinds that only a later version has names for */
    fg_json_key(json, "errors");
    fg_json_object(json);
    for (unsigned i = 1; i < FG_FAILURES; i++) {
        const char *name = fg_visit_failure_name(i);
        if (strcmp(name, "unknown") == 0)
            unknown += f->unanswered[i];
        else if (f->unanswered[i])
            fg_json_pair_uint(json, name, f->unanswered[i]);
    }
    if (unknown)
        fg_json_pair_uint(json, "unknown", unknown);
    for (unsigned i = 0; i < FG_STATUSES; i++)
        if (f->refused[i]) {
            snprintf(status, sizeof status, "status %u", i);
            fg_json_pair_uint(json, status, f->refused[i]);
        }
    fg_json_end(json);
}

static void put_delays(struct fg_json *json, const struct fg_figures *f)
{
    fg_json_key(json, "delays");
    fg_json_array(json);
    for (size_t i = 0; i < FG_DELAY_BUCKETS; i++) {
        fg_json_object(json);
        fg_json_key(json, "up_to_s");
        if (i < FG_DELAY_BUCKETS - 1)
            fg_json_double(json, fg_delay_bounds[i]);
        else
            fg_json_null(json);
        fg_json_pair_uint(json, "n", f->delays[i]);
        fg_json_end(json);
    }
    fg_json_end(json);
}

static void put_steps(struct fg_json *json, const struct fg_figures *f)
{
    fg_json_key(json, "steps");
    fg_json_array(json);
    for (size_t i = 0; i < f->n_hours; i++) {
        const struct fg_hour *hour = &f->hours[i];
        fg_json_object(json);
        fg_json_pair_time(json, "from", f->from + (fg_time)i * f->step);
        fg_json_pair_uint(json, "new", hour->discoveries);
        fg_json_pair_uint(json, "changed", hour->changes);
        fg_json_pair_uint(json, "fetches", hour->fetches);
        fg_json_pair_uint(json, "failures", hour->failures);
        fg_json_pair_uint(json, "new_links", hour->links);
        fg_json_end(json);
    }
    fg_json_end(json);
}

static void put_figures(struct fg_reply *reply, const struct fg_figures *f)
{
    struct fg_json json = fg_json_to(&reply->body);
    fg_json_object(&json);
    fg_json_pair_time(&json, "from", f->from);
    fg_json_pair_time(&json, "now", f->now);
    fg_json_pair_double(&json, "step_s", fg_seconds(f->step));
    put_purposes(&json, f);
    fg_json_key(&json, "found_by");
    fg_json_object(&json);
    for (unsigned i = 0; i < FG_WAYS; i++)
        fg_json_pair_uint(&json, fg_way_name(i), f->ways[i]);
    fg_json_end(&json);
    fg_json_pair_uint(&json, "failures", f->failures);
    put_errors(&json, f);
    fg_json_pair_uint(&json, "not_modified", f->not_modified);
    fg_json_pair_uint(&json, "explored", f->explored);
    fg_json_pair_uint(&json, "bytes", f->bytes);
    put_delays(&json, f);
    put_steps(&json, f);
    fg_json_end(&json);
    fg_buf_add_char(&reply->body, '\n');
}

enum fg_status fg_answer_timeline(struct fg_reply *reply, struct fg_http_request *request,
                                  struct fg_err *err)
{
    struct fg_timeline_question q;
    struct fg_look look;
    fg_site_id site = 0;
    enum fg_status st = fg_request_read(&q, request, err);
    if (!st)
        st = fg_ask_open(&look, request, err);
    if (st)
        return st;
    if (q.site.len)
        st = fg_look_find_site(&look, q.site, &site, err);
    struct fg_figures *figures = fg_figures_new(q.span, look.now);
    if (!st)
        st = fg_figures_gather(figures, &look, site, err);
    if (!st)
        put_figures(reply, figures);
    fg_figures_free(figures);
    fg_look_close(&look);
    return st;
}
