#include "crawl/sites/alarms.h"

#include <math.h>

enum { MANY_LINKS = 15, LEAST_TRIES = 2, LEAST_OCCASIONS = 3, MOST_OCCASIONS = 200 };
static const fg_time seed_patience = 10 * FG_MINUTE, host_patience = 15 * FG_MINUTE,
                     robots_patience = FG_HOUR, source_patience = FG_HOUR,
                     least_silence = 3 * FG_DAY, one_occasion = FG_HOUR;
static const double gaps_of_silence = 20, least_chance = 0.001;

static const char *const names[FG_ALARMS] = {
    [FG_ALARM_NONE] = "none",
    [FG_ALARM_ADDRESS] = "address",
    [FG_ALARM_DNS] = "dns",
    [FG_ALARM_TLS] = "tls",
    [FG_ALARM_CONNECT] = "connect",
    [FG_ALARM_ROBOTS_HELD] = "robots-unavailable",
    [FG_ALARM_ROBOTS_SITE] = "robots-site",
    [FG_ALARM_ROBOTS_SEED] = "robots-seed",
    [FG_ALARM_LOGIN] = "login",
    [FG_ALARM_CONSENT] = "consent",
    [FG_ALARM_SCRIPT] = "script",
    [FG_ALARM_REFUSED] = "refused",
    [FG_ALARM_LIMITED] = "rate-limited",
    [FG_ALARM_NOT_FOUND] = "not-found",
    [FG_ALARM_GONE] = "gone",
    [FG_ALARM_SERVER_ERROR] = "server-error",
    [FG_ALARM_SET_ASIDE] = "set-aside",
    [FG_ALARM_REDIRECT] = "redirect",
    [FG_ALARM_LOOP] = "redirect-loop",
    [FG_ALARM_NOFOLLOW] = "nofollow",
    [FG_ALARM_NO_FEED] = "no-feed",
    [FG_ALARM_NO_LINKS] = "no-links",
    [FG_ALARM_SOURCES] = "sources",
    [FG_ALARM_SILENT] = "silent",
};

const char *fg_alarm_name(enum fg_alarm alarm)
{
    return names[alarm];
}

enum fg_alarm fg_alarm_named(struct fg_str name)
{
    for (size_t i = 1; i < FG_ALARMS; i++)
        if (fg_str_eq(name, fg_str_from(names[i])))
            return (enum fg_alarm)i;
    return FG_ALARM_NONE;
}

/* --- what one answer says --- */

static enum fg_alarm of_outcome(enum fg_outcome outcome)
{
    switch (outcome) {
    case FG_FETCH_DNS:
        return FG_ALARM_DNS;
    case FG_FETCH_TLS:
        return FG_ALARM_TLS;
    case FG_FETCH_CONNECT:
    case FG_FETCH_TIMEOUT:
    case FG_FETCH_BROKEN:
    case FG_FETCH_HEADERS:
        return FG_ALARM_CONNECT;
    case FG_FETCH_FORBIDDEN:
        return FG_ALARM_ADDRESS;
    case FG_FETCH_SET_ASIDE:
        return FG_ALARM_SET_ASIDE;
    default:
        return FG_ALARM_NONE;
    }
}

enum fg_alarm fg_alarm_of_answer(unsigned status, enum fg_outcome outcome)
{
    if (outcome != FG_FETCHED)
        return of_outcome(outcome);
    switch (status) {
    case 401:
    case 407:
        return FG_ALARM_LOGIN;
    case 404:
        return FG_ALARM_NOT_FOUND;
    case 410:
        return FG_ALARM_GONE;
    case 429:
        return FG_ALARM_LIMITED;
    default:
        return status >= 500                                       ? FG_ALARM_SERVER_ERROR
               : (status >= 200 && status <= 299) || status == 304 ? FG_ALARM_NONE
                                                                   : FG_ALARM_REFUSED;
    }
}

/* A wall that no known program has put up is known by its title. */
static bool asks_for_consent(const struct fg_facts *facts)
{
    enum { SHORT = 200 };
    static const char *const phrases[] = {
        "before you continue",   "bevor sie fortfahren", "avant de continuer",
        "antes de continuar",    "prima di continuare",  "voordat je verdergaat",
        "we value your privacy", "ihre privatsph",       "votre vie priv",
        "cookie consent",        "accept cookies",       "cookies akzeptieren",
        "accepter les cookies",  "zustimmung",           "einwilligung",
    };
    if (facts->has_consent_wall)
        return true;
    for (size_t i = 0; i < facts->title.len && facts->main.words < SHORT; i++)
        for (size_t n = 0; n < sizeof phrases / sizeof *phrases; n++)
            if (fg_str_starts_nocase(fg_str_skip(facts->title, i),
                                     fg_str_from(phrases[n])))
                return true;
    return false;
}

enum fg_alarm fg_alarm_of_page(const struct fg_facts *facts, size_t n_links)
{
    /* A page that tells machines what it sells, or says, is not empty. */
    bool has_thing = facts->claims_strongly && (facts->claim == FG_CLAIM_ARTICLE ||
                                                facts->claim == FG_CLAIM_PRODUCT);
    if (has_thing)
        return FG_ALARM_NONE;
    if (facts->needs_script)
        return FG_ALARM_SCRIPT;
    /* A list with a box for those who have an account is a list. */
    enum { SOME_ENTRIES = 4 };
    if (n_links >= MANY_LINKS || facts->n_entries + facts->n_excerpts >= SOME_ENTRIES)
        return FG_ALARM_NONE;
    return facts->has_password       ? FG_ALARM_LOGIN
           : asks_for_consent(facts) ? FG_ALARM_CONSENT
                                     : FG_ALARM_NONE;
}

/* A name that no rule was written for: where it is forbidden, everything is. */
enum fg_alarm fg_alarm_of_robots(const struct fg_robots *robots)
{
    bool is_all = robots && !fg_robots_allows(robots, FG_STR("/")) &&
                  !fg_robots_allows(robots, FG_STR("/5b1e7c/0f3a.html"));
    return is_all ? FG_ALARM_ROBOTS_SITE : FG_ALARM_ROBOTS_SEED;
}

/* --- a page in trouble --- */

/* 0: it would be the same again. */
static fg_time patience_with(enum fg_alarm why)
{
    switch (why) {
    case FG_ALARM_REFUSED:
    case FG_ALARM_LIMITED:
    case FG_ALARM_NOT_FOUND:
    case FG_ALARM_GONE:
    case FG_ALARM_SERVER_ERROR:
    case FG_ALARM_LOOP:
    case FG_ALARM_NO_FEED:
    case FG_ALARM_NO_LINKS: /* a site that is worked on shows none for a while */
        return seed_patience;
    case FG_ALARM_DNS:
    case FG_ALARM_TLS:
    case FG_ALARM_CONNECT:
        return host_patience;
    default:
        return 0;
    }
}

bool fg_alarm_is_of_content(enum fg_alarm alarm)
{
    return alarm == FG_ALARM_LOGIN || alarm == FG_ALARM_CONSENT ||
           alarm == FG_ALARM_SCRIPT || alarm == FG_ALARM_NOFOLLOW ||
           alarm == FG_ALARM_NO_FEED || alarm == FG_ALARM_NO_LINKS;
}

bool fg_trouble_is_ripe(const struct fg_trouble *trouble)
{
    fg_time patience = patience_with(trouble->why);
    if (!patience)
        return trouble->why != FG_ALARM_NONE;
    return trouble->times >= LEAST_TRIES && trouble->last - trouble->since >= patience;
}

fg_time fg_trouble_pause(const struct fg_trouble *trouble)
{
    if (trouble->why == FG_ALARM_ROBOTS_SITE || trouble->why == FG_ALARM_ROBOTS_SEED)
        return FG_DAY;
    fg_time lasted = trouble->last - trouble->since;
    return lasted < seed_patience ? seed_patience : lasted < FG_DAY ? lasted : FG_DAY;
}

/* --- a site that has become silent --- */

void fg_rhythm_pass(struct fg_rhythm *rhythm, fg_time passed, bool has_news)
{
    rhythm->quiet += passed;
    rhythm->occasion += passed;
    if (!has_news)
        return;
    rhythm->watched += rhythm->quiet;
    rhythm->quiet = 0;
    if (!rhythm->occasions || rhythm->occasion >= one_occasion) {
        rhythm->occasions++;
        rhythm->occasion = 0;
    }
    if (rhythm->occasions >= MOST_OCCASIONS) { /* what was long ago counts less */
        rhythm->occasions /= 2;
        rhythm->watched /= 2;
    }
}

double fg_rhythm_chance(const struct fg_rhythm *rhythm)
{
    if (!rhythm->occasions || rhythm->watched <= 0)
        return 1;
    return pow(1 + (double)rhythm->quiet / (double)rhythm->watched,
               -(double)rhythm->occasions);
}

bool fg_rhythm_is_broken(const struct fg_rhythm *rhythm)
{
    if (rhythm->occasions < LEAST_OCCASIONS || rhythm->quiet <= least_silence)
        return false;
    double mean_gap = (double)rhythm->watched / rhythm->occasions;
    return (double)rhythm->quiet > gaps_of_silence * mean_gap &&
           fg_rhythm_chance(rhythm) < least_chance;
}

/* --- the verdict --- */

static bool lasts(fg_time since, fg_time patience, fg_time now)
{
    return since != FG_NEVER && now - since > patience;
}

/* That an address is private is no weather. */
static enum fg_alarm of_host(const struct fg_alarm_evidence *e, fg_time now)
{
    if (e->down_since == FG_NEVER)
        return FG_ALARM_NONE;
    enum fg_alarm alarm = of_outcome(e->down_by);
    bool is_sure =
        alarm == FG_ALARM_ADDRESS ||
        (e->down_times >= LEAST_TRIES && lasts(e->down_since, host_patience, now));
    return is_sure ? alarm : FG_ALARM_NONE;
}

static enum fg_alarm of_site(const struct fg_alarm_evidence *e, fg_time now)
{
    /* Where a feed or a sitemap leads on, a hub that may not be followed, or shows
     * nothing, is no loss. */
    bool is_no_loss = e->seeds == FG_ALARM_NOFOLLOW || e->seeds == FG_ALARM_NO_LINKS;
    if (e->seeds && !(is_no_loss && e->has_source))
        return e->seeds;
    if (e->hubs_nofollow && e->is_explored && !e->has_source)
        return FG_ALARM_NOFOLLOW;
    if (lasts(e->sources_bad, source_patience, now))
        return FG_ALARM_SOURCES;
    return fg_rhythm_is_broken(&e->rhythm) ? FG_ALARM_SILENT : FG_ALARM_NONE;
}

enum fg_alarm fg_alarm_decide(const struct fg_alarm_evidence *e, fg_time now)
{
    enum fg_alarm host = of_host(e, now);
    if (host)
        return host;
    if (lasts(e->held_since, robots_patience, now))
        return FG_ALARM_ROBOTS_HELD;
    return of_site(e, now);
}

/* --- words --- */

static void add_status(struct fg_buf *out, const struct fg_alarm_facts *facts)
{
    if (facts->status)
        fg_buf_printf(out, "%.*s answers %u", FG_ARG(facts->url), facts->status);
    else
        fg_buf_printf(out, "%.*s is refused", FG_ARG(facts->url));
}

static void add_detail(struct fg_buf *out, const struct fg_alarm_facts *facts)
{
    if (facts->detail.len)
        fg_buf_printf(out, ": %.*s", FG_ARG(facts->detail));
}

static void add_silence(struct fg_buf *out, const struct fg_alarm_facts *facts)
{
    fg_time days = facts->quiet / FG_DAY;
    fg_buf_printf(out,
                  "no new page for %lld days, far longer than is usual for this site",
                  (long long)days);
}

void fg_alarm_text(struct fg_buf *out, enum fg_alarm alarm,
                   const struct fg_alarm_facts *facts)
{
    static const char *const words[FG_ALARMS] = {
        [FG_ALARM_ADDRESS] = "the address of the host is not public",
        [FG_ALARM_DNS] = "the name of the host does not resolve",
        [FG_ALARM_TLS] = "no secure connection to the host",
        [FG_ALARM_CONNECT] = "the host cannot be reached",
        [FG_ALARM_ROBOTS_HELD] = "robots.txt cannot be had, so nothing is asked",
        [FG_ALARM_ROBOTS_SITE] = "robots.txt forbids the whole site",
        [FG_ALARM_ROBOTS_SEED] = "robots.txt forbids",
        [FG_ALARM_LOGIN] = "asks for a login",
        [FG_ALARM_CONSENT] = "shows nothing but a question for consent",
        [FG_ALARM_SCRIPT] = "is empty without a browser that runs its scripts",
        [FG_ALARM_SET_ASIDE] = "was the end of whoever read it: it is set aside",
        [FG_ALARM_REDIRECT] = "leads to a host that is not watched",
        [FG_ALARM_LOOP] = "redirects, and never to a page",
        [FG_ALARM_NOFOLLOW] = "says nofollow: its links may not be followed",
        [FG_ALARM_NO_FEED] = "is a page, not a feed",
        [FG_ALARM_NO_LINKS] = "shows no links to pages of the site",
        [FG_ALARM_SOURCES] =
            "none of the pages that lead to new ones can be read any more",
    };
    switch (alarm) {
    case FG_ALARM_NONE:
    case FG_ALARMS:
        return;
    case FG_ALARM_REFUSED:
    case FG_ALARM_LIMITED:
    case FG_ALARM_NOT_FOUND:
    case FG_ALARM_GONE:
    case FG_ALARM_SERVER_ERROR:
        add_status(out, facts);
        return;
    case FG_ALARM_SILENT:
        add_silence(out, facts);
        return;
    case FG_ALARM_ADDRESS: /* there is no more to say of it */
        fg_buf_add(out, fg_str_from(words[alarm]));
        return;
    case FG_ALARM_ROBOTS_SEED:
        fg_buf_printf(out, "%s %.*s", words[alarm], FG_ARG(facts->url));
        return;
    case FG_ALARM_LOGIN:
    case FG_ALARM_CONSENT:
    case FG_ALARM_SCRIPT:
    case FG_ALARM_SET_ASIDE:
    case FG_ALARM_LOOP:
    case FG_ALARM_NOFOLLOW:
    case FG_ALARM_NO_FEED:
    case FG_ALARM_NO_LINKS:
        fg_buf_printf(out, "%.*s %s", FG_ARG(facts->url), words[alarm]);
        break;
    case FG_ALARM_REDIRECT: /* without a status nobody answered there */
        fg_buf_printf(out, "%.*s %s", FG_ARG(facts->url),
                      facts->status ? words[alarm]
                                    : "leads to a host that cannot be reached");
        break;
    default:
        fg_buf_add(out, fg_str_from(words[alarm]));
    }
    add_detail(out, facts);
}

const char *fg_alarm_advice(enum fg_alarm alarm)
{
    static const char *const advice[FG_ALARMS] = {
        [FG_ALARM_NONE] = "",
        [FG_ALARM_ADDRESS] =
            "if this is a site of your own machine or network, allow it: "
            "--net-allow-private loopback, or yes",
        [FG_ALARM_DNS] = "check the address for a mistake; it is tried again by itself",
        [FG_ALARM_TLS] =
            "look at the address in a browser: its certificate is invalid; a "
            "certificate of your own is named by fetch.ca-file",
        [FG_ALARM_CONNECT] = "look at the address in a browser; it is tried again by "
                             "itself",
        [FG_ALARM_ROBOTS_HELD] =
            "nothing, if the site is down; else ask its owner. It is "
            "tried again by itself",
        [FG_ALARM_ROBOTS_SITE] = "ask the owner of the site for permission, or stop "
                                 "watching it",
        [FG_ALARM_ROBOTS_SEED] = "add another page of the site, such as its feed or a "
                                 "list; 'forage explain URL' names the rule",
        [FG_ALARM_LOGIN] = "add a public page of the site, such as its feed; Forage does "
                           "not log in",
        [FG_ALARM_CONSENT] = "add a page that is shown without consent, such as the "
                             "site's feed or sitemap",
        [FG_ALARM_SCRIPT] = "add the site's feed or sitemap; Forage runs no scripts",
        [FG_ALARM_REFUSED] =
            "look at the address in a browser; if it works there, the "
            "site refuses crawlers: set operator.contact, ask its owner, "
            "or add its feed",
        [FG_ALARM_LIMITED] =
            "nothing at once: it is asked for again after the time that the site names; "
            "if it lasts, set a longer fetch.delay for it, or add its feed alone",
        [FG_ALARM_NOT_FOUND] = "check the address for a mistake, or add the page that "
                               "took its place; it is asked for again, up to once a day",
        [FG_ALARM_GONE] = "add the page that took its place, or stop watching it; it is "
                          "asked for again, up to once a day",
        [FG_ALARM_SERVER_ERROR] = "wait: it is asked for again, up to once a day; tell "
                                  "its owner if it lasts",
        [FG_ALARM_SET_ASIDE] = "report the address to whoever maintains this program; it "
                               "is read again after a day, then less and less often",
        [FG_ALARM_REDIRECT] =
            "add the address it leads to, if that is the site you mean; "
            "it is asked for again, up to once a day",
        [FG_ALARM_LOOP] = "look at the address in a browser: the site may want cookies; "
                          "add its feed or another page; it is asked for again, up to "
                          "once a day",
        [FG_ALARM_NOFOLLOW] = "add the site's feed or sitemap, or another list of its "
                              "pages",
        [FG_ALARM_NO_FEED] = "add the address of the feed itself, or this one without "
                             "--feed to watch the site",
        [FG_ALARM_NO_LINKS] = "look at it in a browser: it may need one, or be no list; "
                              "add the site's feed "
                              "or sitemap or a page that lists others, or, to watch this "
                              "page alone, add it "
                              "with --document. It is asked for again, up to once a day",
        [FG_ALARM_SOURCES] = "look at the site in a browser: it may have been rebuilt; "
                             "add a list or feed that it has now",
        [FG_ALARM_SILENT] = "look at the site in a browser: it may have been rebuilt, or "
                            "be given up",
    };
    return advice[alarm];
}
