/* The health of sites: evidence, alarms, and seeds that are asked for again
 *
 * Answers and robots.txt files leave evidence (health_of_answer, health_of_robots); every
 * few seconds a review asks alarms.c what it amounts to. An alarm is raised and cleared
 * as an event, logged when it is raised and once a day while it lasts, and kept in the
 * store with its evidence, so that a restart neither forgets nor repeats it. The same
 * reason makes one event a day at most, however often a site comes and goes.
 *
 * A seed that refuses us is asked again after ten minutes, then after as long again, up
 * to a day: the user named it, and nobody else will lead us there. */
#include "crawl/budget.h"
#include "crawl/people.h"
#include "crawl/sites/health_parts.h"
#include "crawl/sites/pages.h"
#include "crawl/sites/site.h"
#include "crawl/sources/sources.h"

#include "base/json.h"
#include "base/log.h"
#include "crawl/output/news.h"
#include "net/robots/robots_fetch.h"
#include "net/url/canonical.h"

#include <event2/event.h>
#include <stdio.h>

enum { A_HUB = 6 };
static const fg_time tell_again = FG_DAY;

/* --- evidence --- */

static void host_fails(struct health *h, enum fg_outcome outcome, const char *why,
                       fg_time now)
{
    if (h->down_since == FG_NEVER)
        h->down_since = now;
    h->down_by = outcome;
    h->down_times++;
    health_set_trouble(h, why);
    h->is_dirty = true;
}

static void host_answers(struct health *h)
{
    h->is_dirty |= h->down_since != FG_NEVER;
    h->down_since = FG_NEVER;
    h->down_times = 0;
}

void health_of_robots(struct fg_crawl *crawl, struct site *site)
{
    struct health *h = health_of(site);
    struct fg_host_view view;
    fg_time now = fg_clock_now(crawl->clock);
    if (!fg_polite_view(crawl->polite, fg_str_from(site->key), &view))
        return;
    if (site->host.state.robots_verdict != FG_ROBOTS_HOLD) {
        h->is_dirty |= h->held_since != FG_NEVER;
        h->held_since = FG_NEVER;
        return;
    }
    if (h->held_since == FG_NEVER)
        h->held_since = now;
    h->is_dirty = true;
    if (view.robots_outcome == FG_FETCHED)
        host_answers(h);
    else
        host_fails(h, view.robots_outcome, view.robots_trouble, now);
    health_set_trouble(h, view.robots_trouble);
}

/* The review need not wait: what a kill takes away would count at the next failure. */
static void review_soon(struct fg_crawl *crawl)
{
    event_active(crawl->run.beat, 0, 0);
}

static void seed_recovers(struct fg_crawl *crawl, struct health *h, uint32_t row)
{
    struct seed_trouble *trouble = health_trouble_of(h, row);
    if (!trouble)
        return;
    *trouble = h->troubles.at[--h->troubles.len];
    h->is_undecided = h->is_dirty = true;
    review_soon(crawl);
}

static void seed_fails(struct fg_crawl *crawl, struct site *site, uint32_t row,
                       enum fg_alarm why, unsigned status, struct fg_str detail,
                       fg_time now)
{
    struct health *h = health_of(site);
    struct seed_trouble *seed = health_trouble_of(h, row);
    if (!seed && h->troubles.len == MOST_TROUBLES)
        return;
    if (!seed) {
        fg_vec_push(&h->troubles, (struct seed_trouble){.row = row});
        seed = &h->troubles.at[h->troubles.len - 1];
        seed->trouble.since = now;
    }
    bool is_first = seed->trouble.why == FG_ALARM_NONE;
    seed->trouble.why = why;
    /* Tries a moment apart are one: a page is asked for thrice before it is left alone.
     */
    if (is_first || now - seed->trouble.last >= FG_MINUTE)
        seed->trouble.times++;
    seed->trouble.last = now;
    seed->status = status;
    seed->detail = detail.len ? fg_arena_dup(&crawl->arena, detail) : FG_STR("");
    seed->retry = now + fg_trouble_pause(&seed->trouble);
    h->is_undecided = h->is_dirty = true;
    review_soon(crawl);
    if (is_first && !fg_trouble_is_ripe(&seed->trouble))
        milestone_seed_fails(crawl, site, row, why, status, seed->detail);
}

/* A failure without an answer, or a server that is busy, may be over in a moment: at
 * first such a seed is tried once more. */
bool health_asks_again(struct fg_crawl *crawl, uint32_t row,
                       const struct fg_answer *answer)
{
    const struct fg_known_page *page = &crawl->known.at[row];
    struct health *h = health_of(crawl_site_of(crawl, row));
    const struct fg_response *response = answer->response;
    bool is_weather = answer->end == FG_ASK_ANSWERED &&
                      (response->outcome != FG_FETCHED || response->status == 429 ||
                       response->status == 503);
    return page->flags & FG_PAGE_SEED && !(page->flags & FG_PAGE_DOCUMENT) &&
           !crawl->options.run.once && (!is_weather || health_trouble_of(h, row));
}

/* The entries of a list may not be followed, though its navigation may. */
static bool is_nofollow(const struct fg_reading *reading, const struct site *site)
{
    enum { SOME = 5 };
    size_t n = 0, feeds = 0, all = 0;
    for (size_t i = 0; i < reading->n_links; i++) {
        const struct fg_reading_link *link = &reading->links[i];
        bool is_own = fg_str_eq(link->site, fg_str_from(site->key));
        all += is_own;
        n += is_own && link->nofollow;
        feeds += link->is_feed && !link->nofollow;
    }
    return reading->kind == FG_READ_HTML && !feeds &&
           (reading->nofollow || (n && (n == all || (n >= SOME && n * 4 >= 3 * all))));
}

static bool is_own_host(const struct site *site, const struct fg_answer *answer)
{
    return fg_str_eq(fg_canonical_site(answer->url), fg_str_from(site->key));
}

/* Another host, to which a redirect led, gives no answer. */
static bool leads_nowhere(const struct site *site, const struct fg_answer *answer)
{
    const struct fg_response *response = answer->response;
    bool has_answer =
        answer->end == FG_ASK_ANSWERED && response &&
        (response->outcome == FG_FETCHED || response->outcome == FG_FETCH_FORBIDDEN ||
         response->outcome == FG_FETCH_STOPPED);
    return answer->n_hops && !has_answer && !is_own_host(site, answer) &&
           (answer->end == FG_ASK_ANSWERED || answer->end == FG_ASK_HELD);
}

/* A list that has nothing on it yet may say so by its format. */
static bool shows_nothing(const struct site *site, const struct fg_reading *reading,
                          size_t n_shown)
{
    bool is_list = reading->kind == FG_READ_FEED || reading->kind == FG_READ_SITEMAP ||
                   reading->kind == FG_READ_SITEMAP_INDEX;
    return !n_shown && !is_list && site->state != SITE_PAGES_ONLY;
}

static bool is_no_feed(const struct site *site, const struct fg_reading *reading,
                       uint32_t flags)
{
    return flags & FG_PAGE_FEED && site->state == SITE_PAGES_ONLY &&
           reading->kind == FG_READ_HTML;
}

/* What an answer says of a seed. False: nothing, neither good nor bad. */
static bool judge_seed(struct fg_crawl *crawl, const struct site *site,
                       const struct fg_answer *answer, const struct fg_reading *reading,
                       uint32_t flags, size_t n_shown, enum fg_alarm *why)
{
    const struct fg_response *response = answer->response;
    bool is_lost = flags & FG_PAGE_ALIAS, is_document = flags & FG_PAGE_DOCUMENT;
    if (leads_nowhere(site, answer)) {
        *why = FG_ALARM_REDIRECT;
        return true;
    }
    switch (answer->end) {
    case FG_ASK_ROBOTS:
        *why = answer->n_hops ? FG_ALARM_ROBOTS_SEED
                              : fg_alarm_of_robots(fg_polite_rules(
                                    crawl->polite, fg_str_from(site->key)));
        return true;
    case FG_ASK_REDIRECTS:
    case FG_ASK_LOCATION:
    case FG_ASK_RULES:
        *why = answer->end == FG_ASK_RULES ? FG_ALARM_REFUSED : FG_ALARM_LOOP;
        return true;
    case FG_ASK_ANSWERED:
        break;
    default:
        return false;
    }
    *why = fg_alarm_of_answer(response->status, response->outcome);
    if (!*why && is_lost && answer->n_hops)
        *why = FG_ALARM_REDIRECT; /* to what is none of ours */
    if (*why || !reading)
        return *why || response->outcome == FG_FETCHED;
    if (reading->kind == FG_READ_HTML)
        *why = fg_alarm_of_page(&reading->facts, reading->n_links);
    if (!*why && is_no_feed(site, reading, flags))
        *why = FG_ALARM_NO_FEED;
    if (!*why && !is_document && is_nofollow(reading, site))
        *why = FG_ALARM_NOFOLLOW;
    if (!*why && !is_document && !is_lost && shows_nothing(site, reading, n_shown))
        *why = FG_ALARM_NO_LINKS;
    return true;
}

static void note_host(struct site *site, const struct fg_answer *answer, fg_time now)
{
    const struct fg_response *response = answer->response;
    bool is_own = is_own_host(site, answer);
    if (answer->end != FG_ASK_ANSWERED || !response)
        return;
    if (!is_own || response->outcome == FG_FETCHED)
        host_answers(health_of(site));
    else if (fg_alarm_of_answer(0, response->outcome))
        host_fails(health_of(site), response->outcome, response->why, now);
}

static struct fg_str redirect_detail(struct fg_crawl *crawl,
                                     const struct fg_answer *answer, bool is_answered)
{
    struct fg_host_view view;
    const char *how = answer->response ? answer->response->why : "";
    if (is_answered)
        return answer->url;
    if (answer->end == FG_ASK_HELD &&
        fg_polite_view(crawl->polite, fg_canonical_site(answer->url), &view))
        how = view.robots_trouble;
    return fg_arena_printf(&crawl->scratch, "%.*s%s%s%s", FG_ARG(answer->url),
                           *how ? " (" : "", how, *how ? ")" : "");
}

/* What is it, if it shows no links? */
static struct fg_str nature_of(struct fg_crawl *crawl, const struct fg_answer *answer,
                               const struct fg_reading *reading)
{
    struct fg_str type = fg_response_header(answer->response, "Content-Type", 0);
    size_t semicolon = fg_str_chr(type, ';');
    type = fg_str_trim(
        fg_str_sub(type, 0, semicolon == FG_NOT_FOUND ? type.len : semicolon));
    bool is_page = fg_str_starts_nocase(type, FG_STR("text/html")) ||
                   fg_str_starts_nocase(type, FG_STR("application/xhtml"));
    if (!answer->response->body.len)
        return FG_STR("it is empty");
    if (type.len && type.len <= 100 && !is_page)
        return fg_arena_printf(&crawl->scratch, "it is a file of type %.*s",
                               FG_ARG(type));
    if (reading->n_links)
        return fg_arena_printf(&crawl->scratch, "it has %zu of others", reading->n_links);
    return FG_STR("");
}

/* The first one that the page names. */
static struct fg_str feed_of(struct fg_crawl *crawl, const struct fg_reading *reading)
{
    for (size_t i = 0; i < reading->n_links; i++)
        if (reading->links[i].is_feed)
            return fg_arena_printf(&crawl->scratch, "its feed is %.*s",
                                   FG_ARG(reading->links[i].url));
    return FG_STR("");
}

static struct fg_str detail_of(struct fg_crawl *crawl, const struct site *site,
                               enum fg_alarm why, const struct fg_answer *answer,
                               const struct fg_reading *reading)
{
    if (why == FG_ALARM_REDIRECT)
        return redirect_detail(crawl, answer, !leads_nowhere(site, answer));
    if (why == FG_ALARM_LOOP)
        return answer->url;
    if (why == FG_ALARM_NO_FEED)
        return feed_of(crawl, reading);
    if (why == FG_ALARM_NO_LINKS)
        return nature_of(crawl, answer, reading);
    return why <= FG_ALARM_CONNECT && answer->response
               ? fg_str_from(answer->response->why)
               : FG_STR("");
}

/* "Not modified" of a page that showed nothing: it still does. */
static bool is_as_before(struct health *h, uint32_t row, const struct fg_answer *answer)
{
    const struct seed_trouble *seed = health_trouble_of(h, row);
    return answer->response && answer->response->status == 304 && seed &&
           fg_alarm_is_of_content(seed->trouble.why);
}

static void begin_exploring(struct site *site)
{
    site->state = SITE_EXPLORING;
    site->stock.explored = site->stock.idle_lists = 0;
}

static void seed_moved(struct health *h, uint32_t row, fg_time now)
{
    enum { MOST_MOVED = 64 };
    static const fg_time pauses[] = {10 * FG_MINUTE, FG_HOUR, 6 * FG_HOUR, FG_DAY};
    const unsigned last = sizeof pauses / sizeof *pauses - 1;
    struct moved_seed *seed = NULL;
    for (size_t i = 0; i < h->moved.len; i++)
        if (h->moved.at[i].row == row)
            seed = &h->moved.at[i];
    if (!seed && h->moved.len == MOST_MOVED)
        return;
    if (!seed) {
        fg_vec_push(&h->moved, (struct moved_seed){.row = row});
        seed = &h->moved.at[h->moved.len - 1];
    }
    seed->next = now + pauses[seed->times < last ? seed->times : last];
    seed->times++;
}

/* It leads away no more: what it shows itself has not been looked at. */
static void seed_is_back(struct site *site, uint32_t row)
{
    struct health *h = health_of(site);
    for (size_t i = 0; i < h->moved.len; i++)
        if (h->moved.at[i].row == row) {
            h->moved.at[i] = h->moved.at[--h->moved.len];
            if (site->state == SITE_WATCHED)
                begin_exploring(site);
            return;
        }
}

void health_of_answer(struct fg_crawl *crawl, uint32_t asked, uint32_t row,
                      const struct fg_answer *answer, const struct fg_reading *reading,
                      size_t n_shown, fg_time now)
{
    struct site *site = crawl_site_of(crawl, asked);
    note_host(site, answer, now);
    bool is_seed = crawl->known.at[asked].flags & FG_PAGE_SEED;
    if (is_seed && site != crawl_site_of(crawl, row))
        milestone_moved(crawl, site, row);
    site = crawl_site_of(crawl, row);
    struct health *h = health_of(site);
    const struct fg_known_page *page = &crawl->known.at[row];
    enum fg_alarm why = FG_ALARM_NONE;
    if (!(page->flags & FG_PAGE_SEED)) {
        if (reading && reading->n_links >= A_HUB && is_nofollow(reading, site)) {
            if (h->nofollow_hub == FG_UNKNOWN)
                milestone_nofollow(crawl, site, row);
            h->nofollow_hub = row;
        }
        return;
    }
    if (!judge_seed(crawl, site, answer, reading, page->flags, n_shown, &why))
        return;
    /* The page that it turned out to be counts; but if that is no good, the user's page
     * is asked again: it may lead there for the time being. */
    if (asked != row && why && is_seed) {
        if (site == crawl_site_of(crawl, asked)) /* it is none that the user named */
            crawl->known.at[row].flags &= ~(uint32_t)FG_PAGE_SEED;
        row = asked;
        site = crawl_site_of(crawl, asked);
        h = health_of(site);
    } else if (asked != row) {
        seed_recovers(crawl, health_of(crawl_site_of(crawl, asked)), asked);
        if (is_seed)
            seed_moved(health_of(crawl_site_of(crawl, asked)), asked, now);
    } else if (!why && page->flags & FG_PAGE_ALIAS) {
        seed_moved(h, row, now);
    } else if (!why) {
        seed_is_back(site, row);
    }
    bool is_answered = answer->response && !leads_nowhere(site, answer);
    if (why)
        seed_fails(crawl, site, row, why, is_answered ? answer->response->status : 0,
                   detail_of(crawl, site, why, answer, reading), now);
    else if (!is_as_before(h, row, answer))
        seed_recovers(crawl, h, row);
}

/* --- what it amounts to --- */

/* Documents that were named are looked at for their own sake: where others were named as
 * well, those are what new pages come from. */
static bool is_seed(const struct fg_crawl *crawl, const struct site *site, uint32_t row,
                    bool with_documents)
{
    const struct fg_known_page *page = &crawl->known.at[row];
    return page->site == site->id && page->flags & FG_PAGE_SEED &&
           (with_documents || !(page->flags & FG_PAGE_DOCUMENT)) &&
           (!(page->flags & FG_PAGE_ALIAS) || health_trouble_of(site->health, row));
}

/* Seeds of the site, and those of them that are surely in trouble. */
static size_t count_seeds(const struct fg_crawl *crawl, struct site *site,
                          bool with_documents, size_t *bad)
{
    struct health *h = site->health;
    size_t n = 0;
    *bad = 0;
    for (uint32_t row = 0; row < crawl->known.len; row++) {
        if (!is_seed(crawl, site, row, with_documents))
            continue;
        const struct seed_trouble *seed = health_trouble_of(h, row);
        n++;
        if (!seed || !fg_trouble_is_ripe(&seed->trouble))
            return n; /* one that is well is enough */
        if (!(*bad)++)
            h->shown = (size_t)(seed - h->troubles.at);
    }
    return n;
}

static enum fg_alarm verdict_of_seeds(const struct fg_crawl *crawl, struct site *site)
{
    struct health *h = site->health;
    size_t bad = 0;
    if (!h->troubles.len)
        return FG_ALARM_NONE;
    if (!h->is_undecided && h->seeds_known == site->counts.known)
        return h->seeds;
    size_t n = count_seeds(crawl, site, false, &bad);
    if (!n)
        n = count_seeds(crawl, site, true, &bad);
    h->is_undecided = false;
    h->seeds_known = site->counts.known;
    h->seeds = n && bad == n ? h->troubles.at[h->shown].trouble.why : FG_ALARM_NONE;
    return h->seeds;
}

static bool has_live_source(struct fg_crawl *crawl, const struct site *site)
{
    for (size_t i = 0; i < site->lists.sources.len; i++) {
        const struct fg_known_page *page = &crawl->known.at[site->lists.sources.at[i]];
        const struct source *source = source_find(crawl, site->lists.sources.at[i]);
        if (page->last_visit_s && page->failures < 2 && source && source->n_links &&
            !health_trouble_of(site->health, site->lists.sources.at[i]))
            return true;
    }
    return false;
}

/* Time in which nothing could come, for whatever reason, is not held against a site. */
static void keep_rhythm(struct site *site, bool can_come, fg_time now)
{
    struct health *h = site->health;
    fg_time passed = h->reviewed == FG_NEVER || now < h->reviewed ? 0 : now - h->reviewed;
    bool has_news = site->counts.discovered != h->discovered;
    h->reviewed = now;
    h->discovered = site->counts.discovered;
    if (!can_come)
        return;
    fg_rhythm_pass(&h->rhythm, passed, has_news);
}

static enum fg_alarm decide(struct fg_crawl *crawl, struct site *site, fg_time now)
{
    struct health *h = site->health;
    bool has_source = has_live_source(crawl, site);
    bool is_explored = site->state == SITE_WATCHED;
    if (is_explored && site->lists.sources.len && h->watching == FG_NEVER) {
        h->watching = now;
        h->is_dirty = true;
    }
    h->had_sources |= is_explored && has_source;
    if (has_source || !h->had_sources)
        h->sources_bad = FG_NEVER;
    else if (h->sources_bad == FG_NEVER)
        h->sources_bad = now;
    keep_rhythm(site, is_explored && has_source && h->down_since == FG_NEVER, now);
    struct fg_alarm_evidence evidence = {
        .down_since = h->down_since,
        .down_by = h->down_by,
        .down_times = h->down_times,
        .held_since = h->held_since,
        .seeds = verdict_of_seeds(crawl, site),
        .hubs_nofollow = h->nofollow_hub != FG_UNKNOWN,
        .has_source = has_source,
        .sources_bad = h->sources_bad,
        .is_explored = is_explored,
        .rhythm = h->rhythm,
    };
    return fg_alarm_decide(&evidence, now);
}

/* --- telling --- */

static fg_time start_of(const struct health *h, enum fg_alarm alarm, fg_time now)
{
    if (alarm <= FG_ALARM_CONNECT && h->down_since != FG_NEVER)
        return h->down_since;
    if (alarm == FG_ALARM_ROBOTS_HELD)
        return h->held_since;
    if (alarm == FG_ALARM_SOURCES)
        return h->sources_bad;
    if (alarm == FG_ALARM_SILENT)
        return now - h->rhythm.quiet;
    return alarm == h->seeds ? h->troubles.at[h->shown].trouble.since : now;
}

static void fill_words(struct fg_crawl *crawl, struct site *site, enum fg_alarm alarm)
{
    struct health *h = site->health;
    struct fg_buf text;
    struct fg_alarm_facts facts = {
        .url = fg_arena_printf(&crawl->arena, "%s/", site->key),
        .quiet = h->rhythm.quiet,
    };
    if (alarm <= FG_ALARM_ROBOTS_HELD) {
        facts.detail = fg_str_from(h->trouble);
    } else if (alarm == h->seeds) {
        const struct seed_trouble *seed = &h->troubles.at[h->shown];
        facts.url = fg_known_url(&crawl->known, seed->row);
        facts.status = seed->status;
        facts.detail = seed->detail;
    } else if (alarm == FG_ALARM_NOFOLLOW) {
        facts.url = fg_known_url(&crawl->known, h->nofollow_hub);
    }
    fg_buf_init(&text, MOST_STATE);
    fg_alarm_text(&text, alarm, &facts);
    h->alarm.text = fg_arena_dup(&crawl->arena, fg_buf_str(&text));
    h->alarm.url = facts.url;
    fg_buf_clear(&text);
}

static void put_text(struct fg_json *json, const char *key, struct fg_str text)
{
    fg_json_key(json, key);
    fg_json_str(json, text);
}

static void put_time(struct fg_json *json, const char *key, fg_time time)
{
    fg_json_key(json, key);
    fg_json_time(json, time);
}

static void put_event(struct fg_batch *batch, const struct site *site, const char *kind,
                      fg_time now)
{
    const struct health *h = site->health;
    struct fg_buf line;
    char id[20];
    uint64_t parts[] = {fg_str_hash(fg_str_from(site->key)),
                        fg_str_hash(fg_str_from(kind)), h->alarm.which,
                        (uint64_t)h->alarm.since};
    uint64_t number = fg_str_hash((struct fg_str){(const char *)parts, sizeof parts});
    snprintf(id, sizeof id, "%016llx", (unsigned long long)number);
    fg_buf_init(&line, MOST_STATE);
    struct fg_json json = fg_json_to(&line);
    fg_json_object(&json);
    put_text(&json, "event", fg_str_from(id));
    put_text(&json, "type", fg_str_from(kind));
    put_text(&json, "url", h->alarm.url);
    put_text(&json, "site", fg_str_from(site->key));
    put_time(&json, "found_at", now);
    put_text(&json, "reason", fg_str_from(fg_alarm_name(h->alarm.which)));
    put_text(&json, "text", h->alarm.text);
    put_text(&json, "advice", fg_str_from(fg_alarm_advice(h->alarm.which)));
    put_time(&json, "since", h->alarm.since);
    fg_json_end(&json);
    fg_batch_event(batch, &(struct fg_event_row){.site = site->id,
                                                 .id = number,
                                                 .time = now,
                                                 .kind = fg_str_from(kind),
                                                 .json = fg_buf_str(&line)});
    fg_buf_clear(&line);
}

static void log_alarm(struct health *h, const struct site *site, fg_time now)
{
    char since[FG_TIME_TEXT];
    fg_log_warn("alarm", "nothing can come from a site", FG_F("site", site->key),
                FG_F("reason", fg_alarm_name(h->alarm.which)),
                FG_F("text", h->alarm.text),
                FG_F("advice", fg_alarm_advice(h->alarm.which)),
                FG_F("since", fg_time_format(since, h->alarm.since)));
    h->alarm.logged = now;
}

static void clear_alarm(struct fg_crawl *crawl, struct fg_batch *batch, struct site *site,
                        fg_time now)
{
    struct health *h = site->health;
    if (h->alarm.is_told) {
        put_event(batch, site, FG_NEWS_ALARM_CLEARED, now);
        fg_log_info("alarm", "cleared", FG_F("site", site->key),
                    FG_F("reason", fg_alarm_name(h->alarm.which)));
        milestone_alarm(crawl, site, true);
    }
    h->alarm.which = FG_ALARM_NONE;
    h->alarm.is_told = false;
    h->alarm.since = FG_NEVER;
}

static void raise_alarm(struct fg_crawl *crawl, struct fg_batch *batch, struct site *site,
                        enum fg_alarm alarm, fg_time now)
{
    struct health *h = site->health;
    h->alarm.which = alarm;
    h->alarm.since = start_of(h, alarm, now);
    fill_words(crawl, site, alarm);
    fg_time told = h->told[alarm];
    h->alarm.is_told = told == FG_NEVER || told > now || now - told >= tell_again;
    if (!h->alarm.is_told)
        return;
    h->told[alarm] = now;
    put_event(batch, site, FG_NEWS_ALARM, now);
    log_alarm(h, site, now);
    milestone_alarm(crawl, site, false);
}

static void settle(struct fg_crawl *crawl, struct fg_batch *batch, struct site *site,
                   enum fg_alarm alarm, fg_time now)
{
    struct health *h = site->health;
    if (alarm == h->alarm.which) {
        if (alarm && now - h->alarm.logged >= tell_again)
            log_alarm(h, site, now);
        return;
    }
    if (h->alarm.which)
        clear_alarm(crawl, batch, site, now);
    if (alarm)
        raise_alarm(crawl, batch, site, alarm, now);
    h->is_dirty = true;
}

/* --- seeds are asked for again --- */

/* A site that has shown nothing yet is explored anew when its seed comes back: what is
 * found then was there before. */
static void explore_anew(struct site *site)
{
    if (site->state != SITE_WATCHED || site->lists.sources.len)
        return;
    begin_exploring(site);
    site->health->watching = FG_NEVER;
}

static bool wants_retry(struct fg_crawl *crawl, const struct seed_trouble *seed,
                        fg_time now)
{
    const struct fg_known_page *page = &crawl->known.at[seed->row];
    return seed->retry <= now && !page->is_queued && !(page->flags & FG_PAGE_DOCUMENT) &&
           !source_find(crawl, seed->row) && !crawl->options.run.once;
}

static void ask_again(struct fg_crawl *crawl, struct fg_batch *batch, struct site *site,
                      uint32_t row)
{
    struct fg_known_page *page = &crawl->known.at[row];
    page->flags &= ~(uint32_t)(FG_PAGE_GONE | FG_PAGE_EXCLUDED | FG_PAGE_ALIAS);
    fg_batch_page_flags(batch, page->site, page->page, page->flags, 0);
    page->failures = 1; /* tick.c takes it for one that is not read yet */
    queue_push(&site->stock.eager, row);
}

static bool retry_seeds(struct fg_crawl *crawl, struct fg_batch *batch, struct site *site,
                        fg_time now)
{
    struct health *h = site->health;
    bool has_any = false;
    for (size_t i = 0; i < h->troubles.len; i++) {
        struct seed_trouble *seed = &h->troubles.at[i];
        if (!wants_retry(crawl, seed, now))
            continue;
        explore_anew(site);
        crawl_put_site(batch, site);
        ask_again(crawl, batch, site, seed->row);
        seed->retry = now + fg_trouble_pause(&seed->trouble);
        has_any = h->is_dirty = true;
    }
    for (size_t i = 0; i < h->moved.len; i++) {
        struct moved_seed *seed = &h->moved.at[i];
        if (seed->next > now || crawl->known.at[seed->row].is_queued ||
            crawl->options.run.once)
            continue;
        ask_again(crawl, batch, site, seed->row);
        seed->next = now + FG_DAY;
        has_any = true;
    }
    return has_any;
}

/* --- the review --- */

void health_review(struct fg_crawl *crawl)
{
    fg_time now = fg_clock_now(crawl->clock);
    struct fg_batch *batch = fg_batch_new(crawl->store);
    bool has_any = false, has_seeds = false;
    for (size_t i = 0; i < crawl->sites.all.len; i++) {
        struct site *site = crawl->sites.all.at[i];
        if (site->state == SITE_HOST_ONLY)
            continue;
        struct health *h = health_of(site);
        if (site_is_asked(site))
            settle(crawl, batch, site, decide(crawl, site, now), now);
        else
            h->sources_bad = FG_NEVER; /* paused or removed: nothing is expected of it */
        has_seeds |= !crawl->run.is_stopping && retry_seeds(crawl, batch, site, now);
        bool is_due = h->rhythm_saved == FG_NEVER || now - h->rhythm_saved >= FG_HOUR ||
                      crawl->run.is_stopping;
        if (!h->is_dirty && !is_due)
            continue;
        h->is_dirty = false;
        h->rhythm_saved = now;
        health_put(batch, crawl, site);
        has_any = true;
    }
    if (has_any)
        fg_store_submit(crawl->store, batch);
    else
        fg_batch_drop(batch);
    if (has_seeds)
        crawl_feed(crawl);
}
