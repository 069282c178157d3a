/* What people are told while a crawl runs: what each site has come to
 *
 * Every few seconds the state of each site is compared with what was said of it, so the
 * crawl itself need not know when something is worth a line. The first ten sites have
 * lines of their own; of further ones there is a summary, at most every half minute, or
 * fifty sites would flood the terminal. Texts are handed to fg_crawl_on_milestone. */
#include "crawl/people.h"
#include "crawl/sites/site.h"
#include "crawl/state.h"

#include "net/robots/robots_fetch.h"

#include <stdarg.h>
#include <stdio.h>

enum {
    HAS_VOICE = 1, /* lines of its own */
    SAID_ROBOTS = 2,
    SAID_HELD = 4,
    SAID_FOUND = 8,
    SAID_WATCHING = 16,
    SAID_TROUBLE = 32,
    SAID_MOVED = 64,
};
enum { MOST_VOICES = 10, MOST_TEXT = 4096, CLOCK_TEXT = 40 };
static const fg_time sum_up_every = 30 * FG_SECOND, settle_after = 30 * FG_SECOND;

static bool has_voice(struct fg_crawl *crawl, struct site *site)
{
    if (!crawl->people.say || site->state == SITE_HOST_ONLY || !site_is_asked(site))
        return false;
    if (!(site->spoken & HAS_VOICE) && crawl->people.n_spoken < MOST_VOICES) {
        site->spoken |= HAS_VOICE;
        crawl->people.n_spoken++;
    }
    return site->spoken & HAS_VOICE;
}

__attribute__((format(printf, 3, 4))) static void say(const struct fg_crawl *crawl,
                                                      const struct site *site,
                                                      const char *format, ...)
{
    char text[MOST_TEXT];
    va_list args;
    int n = site ? snprintf(text, sizeof text, "%s: ", site->key) : 0;
    if (n < 0 || n >= MOST_TEXT)
        return;
    va_start(args, format);
    vsnprintf(text + n, sizeof text - (size_t)n, format, args);
    va_end(args);
    crawl->people.say(crawl->people.say_context, text, false);
}

/* "20:14 UTC", with the day if that is another. */
static const char *clock_text(char out[static CLOCK_TEXT], fg_time time, fg_time now)
{
    char text[FG_TIME_TEXT];
    fg_time_format(text, time / FG_MINUTE * FG_MINUTE);
    if (time / FG_DAY == now / FG_DAY)
        snprintf(out, CLOCK_TEXT, "%.5s UTC", text + 11);
    else
        snprintf(out, CLOCK_TEXT, "%.10s %.5s UTC", text, text + 11);
    return out;
}

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

struct lists {
    size_t feeds, sitemaps;
};

static struct lists lists_of(const struct fg_crawl *crawl, const struct site *site)
{
    struct lists lists = {0};
    for (size_t i = 0; i < site->lists.sources.len; i++) {
        uint32_t flags = crawl->known.at[site->lists.sources.at[i]].flags;
        lists.feeds += (flags & FG_PAGE_FEED) != 0;
        lists.sitemaps += (flags & FG_PAGE_SITEMAP) != 0;
    }
    return lists;
}

static void list_text(char out[static 80], struct lists lists)
{
    if (lists.feeds && lists.sitemaps)
        snprintf(out, 80, "%zu feed%s and %zu sitemap%s", lists.feeds,
                 plural(lists.feeds), lists.sitemaps, plural(lists.sitemaps));
    else if (lists.feeds)
        snprintf(out, 80, "%zu feed%s", lists.feeds, plural(lists.feeds));
    else if (lists.sitemaps)
        snprintf(out, 80, "%zu sitemap%s", lists.sitemaps, plural(lists.sitemaps));
    else
        snprintf(out, 80, "no feed and no sitemap");
}

/* --- one site --- */

static void tell_held(const struct fg_crawl *crawl, struct site *site, fg_time now)
{
    struct fg_host_view view;
    char clock[CLOCK_TEXT];
    if (site->spoken & SAID_HELD ||
        !fg_polite_view(crawl->polite, fg_str_from(site->key), &view))
        return;
    site->spoken |= SAID_HELD;
    char text[MOST_TEXT];
    snprintf(text, sizeof text, "%s: robots.txt cannot be fetched (%s); next try at %s",
             site->key, view.robots_trouble, clock_text(clock, view.robots_expires, now));
    crawl->people.say(crawl->people.say_context, text, true); /* polite.c warns of it */
}

static void tell_robots(const struct fg_crawl *crawl, struct site *site, fg_time now)
{
    const struct fg_host_state *host = &site->host.state;
    if (host->robots_verdict == FG_ROBOTS_HOLD && host->robots_expires != FG_NEVER)
        tell_held(crawl, site, now);
    if (site->spoken & SAID_ROBOTS || host->robots_fetched == FG_NEVER)
        return;
    site->spoken |= SAID_ROBOTS;
    if (host->robots_verdict == FG_ROBOTS_ALLOW)
        say(crawl, site, "no robots.txt, so nothing is forbidden");
    else if (host->memory.crawl_delay > 0)
        say(crawl, site, "robots.txt read (Crawl-delay %g s)",
            fg_seconds(host->memory.crawl_delay));
    else
        say(crawl, site, "robots.txt read");
}

/* Once no more of them have come for a while, or it is known that none will. */
static void tell_found(const struct fg_crawl *crawl, struct site *site)
{
    struct lists lists = lists_of(crawl, site);
    size_t n = lists.feeds + lists.sitemaps;
    fg_time real = fg_time_monotonic();
    bool is_settled = n && n == site->n_lists && real - site->lists_since >= settle_after;
    bool is_over = site->state == SITE_WATCHED && site->lists.sources.len;
    char text[80];
    if (n != site->n_lists)
        site->lists_since = real;
    site->n_lists = n;
    if (site->spoken & SAID_FOUND || (!is_settled && !is_over))
        return;
    site->spoken |= SAID_FOUND;
    list_text(text, lists);
    say(crawl, site, "%s found", text);
}

/* What was reported while it was still being explored was watched, too. */
static fg_time watching_since(const struct site *site, fg_time explored)
{
    return explored == FG_NEVER || site->counts.discovered ? site->added : explored;
}

/* Of a site of which only named pages are fetched: is the feed that was named read? */
static bool has_read_feed(const struct fg_crawl *crawl, const struct site *site)
{
    for (size_t i = 0; i < site->lists.sources.len; i++) {
        const struct fg_known_page *page = &crawl->known.at[site->lists.sources.at[i]];
        if (page->flags & FG_PAGE_FEED && page->last_visit_s)
            return true;
    }
    return false;
}

static void tell_watching(const struct fg_crawl *crawl, struct site *site, fg_time now)
{
    char clock[CLOCK_TEXT];
    fg_time explored = health_watching(site), alarmed;
    bool is_feed = site->state == SITE_PAGES_ONLY && has_read_feed(crawl, site);
    if (explored == FG_NEVER && !is_feed) { /* not yet, or once more */
        site->spoken &= (uint8_t)~SAID_WATCHING;
        return;
    }
    /* While there is an alarm nothing can come. */
    if (site->spoken & SAID_WATCHING || !site->lists.sources.len ||
        health_alarm(site, &alarmed))
        return;
    site->spoken |= SAID_WATCHING;
    clock_text(clock, watching_since(site, explored), now);
    if (is_feed) {
        say(crawl, site, "watching since %s; new entries of its feed%s are reported",
            clock, plural(lists_of(crawl, site).feeds));
        return;
    }
    say(crawl, site, "%u page%s known, %zu source%s chosen", site->counts.known,
        plural(site->counts.known), site->lists.sources.len,
        plural(site->lists.sources.len));
    say(crawl, site, "watching since %s; new pages are reported", clock);
}

void milestone_seed_fails(struct fg_crawl *crawl, struct site *site, uint32_t row,
                          enum fg_alarm why, unsigned status, struct fg_str detail)
{
    struct fg_buf text;
    struct fg_alarm_facts facts = {
        .url = fg_known_url(&crawl->known, row), .status = status, .detail = detail};
    if (!has_voice(crawl, site) || site->spoken & SAID_TROUBLE)
        return;
    site->spoken |= SAID_TROUBLE;
    tell_robots(crawl, site, fg_clock_now(crawl->clock));
    fg_buf_init(&text, MOST_TEXT);
    fg_alarm_text(&text, why, &facts);
    say(crawl, site, "%.*s%s", FG_ARG(fg_buf_str(&text)),
        crawl->options.run.once ? "" : "; it is tried again");
    fg_buf_clear(&text);
}

/* Of every site: an alarm is what one must not miss. */
void milestone_alarm(struct fg_crawl *crawl, const struct site *site, bool is_over)
{
    char text[MOST_TEXT];
    fg_time since;
    const char *alarm = health_alarm(site, &since);
    if (!crawl->people.say || !alarm)
        return;
    snprintf(text, sizeof text, "%s: %s: %s", site->key, is_over ? "alarm over" : "alarm",
             alarm);
    crawl->people.say(crawl->people.say_context, text, true);
}

void milestone_moved(struct fg_crawl *crawl, struct site *site, uint32_t to)
{
    if (!has_voice(crawl, site) || site->spoken & SAID_MOVED)
        return;
    site->spoken |= SAID_MOVED;
    tell_robots(crawl, site, fg_clock_now(crawl->clock));
    say(crawl, site, "leads to %.*s", FG_ARG(fg_known_url(&crawl->known, to)));
}

void milestone_nofollow(struct fg_crawl *crawl, struct site *site, uint32_t row)
{
    if (has_voice(crawl, site))
        say(crawl, site, "%.*s says nofollow: its links are not followed",
            FG_ARG(fg_known_url(&crawl->known, row)));
}

/* --- all of them --- */

struct sum {
    size_t sites, watched, robots, sources;
    struct lists lists;
    uint64_t known;
};

static void add_site(struct sum *sum, const struct fg_crawl *crawl,
                     const struct site *site)
{
    struct lists lists = lists_of(crawl, site);
    sum->sites++;
    sum->watched += site->state != SITE_EXPLORING;
    sum->robots += site->host.state.robots_fetched != FG_NEVER;
    sum->sources += site->lists.sources.len;
    sum->lists.feeds += lists.feeds;
    sum->lists.sitemaps += lists.sitemaps;
    sum->known += site->counts.known;
}

static void say_sum(const struct fg_crawl *crawl, const struct sum *sum)
{
    char lists[80];
    list_text(lists, sum->lists);
    say(crawl, NULL,
        "%zu further site%s: robots.txt of %zu read; %s found; %llu page%s known, %zu "
        "source%s chosen; %zu watched, %zu being explored",
        sum->sites, plural(sum->sites), sum->robots, lists,
        (unsigned long long)sum->known, plural(sum->known), sum->sources,
        plural(sum->sources), sum->watched, sum->sites - sum->watched);
}

/* Once, and whenever more of them are watched: between, only numbers grow. */
static void sum_up(struct fg_crawl *crawl)
{
    struct sum sum = {0};
    bool has_unsaid = !crawl->people.summed_up;
    fg_time now = fg_time_monotonic();
    if (crawl->people.summed_up && now - crawl->people.summed_up < sum_up_every)
        return;
    for (size_t i = 0; i < crawl->sites.all.len; i++) {
        struct site *site = crawl->sites.all.at[i];
        if (site->state == SITE_HOST_ONLY || !site_is_asked(site) ||
            site->spoken & HAS_VOICE)
            continue;
        add_site(&sum, crawl, site);
        if (site->state != SITE_EXPLORING && !(site->spoken & SAID_WATCHING)) {
            site->spoken |= SAID_WATCHING;
            has_unsaid = true;
        }
    }
    if (!has_unsaid || !sum.sites)
        return;
    crawl->people.summed_up = now;
    say_sum(crawl, &sum);
}

void milestones_tell(struct fg_crawl *crawl)
{
    fg_time now = fg_clock_now(crawl->clock);
    for (size_t i = 0; crawl->people.say && i < crawl->sites.all.len; i++) {
        struct site *site = crawl->sites.all.at[i];
        if (!has_voice(crawl, site))
            continue;
        tell_robots(crawl, site, now);
        tell_found(crawl, site);
        tell_watching(crawl, site, now);
    }
    if (crawl->people.say)
        sum_up(crawl);
}

void milestones_begin(struct fg_crawl *crawl)
{
    fg_time now = fg_clock_now(crawl->clock), since;
    for (size_t i = 0; crawl->people.say && i < crawl->sites.all.len; i++) {
        struct site *site = crawl->sites.all.at[i];
        char clock[CLOCK_TEXT];
        if (!has_voice(crawl, site))
            continue;
        if (site->host.state.robots_fetched != FG_NEVER)
            site->spoken |= SAID_ROBOTS;
        const char *alarm = health_alarm(site, &since);
        if (alarm) {
            say(crawl, site, "alarm since %s: %s", clock_text(clock, since, now), alarm);
        } else if (site->state == SITE_WATCHED && site->lists.sources.len) {
            site->spoken |= SAID_FOUND | SAID_WATCHING;
            since = watching_since(site, health_watching(site));
            say(crawl, site, "watching since %s; %u page%s known, %zu source%s",
                clock_text(clock, since, now), site->counts.known,
                plural(site->counts.known), site->lists.sources.len,
                plural(site->lists.sources.len));
        }
    }
}
