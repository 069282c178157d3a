#include "crawl/cost.h"
#include "crawl/crawl.h"

#include "crawl/intake/seeds.h"
#include "crawl/pricing.h"
#include "net/html/noise.h"
#include "net/robots/robots.h"
#include "net/text/date.h"
#include "net/url/canonical.h"

#define ROW(type, member) type(struct fg_crawl_options, member)
#define TEXT(number)      TEXT_(number)
#define TEXT_(number)     #number
#define LIVE              .is_live = true
#define LONGEST_KEPT      (520 * 7.0 * (double)FG_DAY)

const char *const fg_ranking_names[] = {
    "selective", "deterministic", "uniform", "relaxed", "slot-price", "off", NULL};
static const char *const reaches[] = {
    [FG_REACH_PUBLIC] = "no",
    [FG_REACH_LOOPBACK] = "loopback",
    [FG_REACH_ANY] = "yes",
    NULL,
};
static const char *const tasks[] = {"discovery", "refresh", NULL};
static const char *const stocks[] = {
    [FG_STOCK_SAMPLE] = "sample", [FG_STOCK_ALL] = "all", NULL};

static const char *refuse_time(struct fg_str text)
{
    return !text.len || fg_date_parse(text) != FG_NEVER ? NULL : "is not a time";
}

static const char *refuse_param(struct fg_str row)
{
    double value;
    size_t equals = fg_str_chr(row, '=');
    return equals != FG_NOT_FOUND && equals &&
                   fg_str_to_double(fg_str_trim(fg_str_skip(row, equals + 1)), &value)
               ? NULL
               : "is not a name and a number, such as alpha=0.5";
}

/* It stands inside brackets of a header. */
static const char *refuse_page(struct fg_str page)
{
    bool is_http =
        fg_str_starts(page, FG_STR("http://")) || fg_str_starts(page, FG_STR("https://"));
    for (size_t i = 0; is_http && i < page.len; i++)
        if (page.at[i] <= ' ' || page.at[i] == ')' || page.at[i] == '(' ||
            page.at[i] == ';' || (unsigned char)page.at[i] >= 0x7F)
            is_http = false;
    return !page.len || is_http
               ? NULL
               : "is not the address of a web page, such as https://example.org/bot";
}

/* Who looks for us in a log must be able to write: "you@example.org", "Jo <jo@x.org>" or
 * the address of a web page. */
static const char *refuse_contact(struct fg_str contact)
{
    size_t at = fg_str_chr(contact, '@');
    bool is_mail = at != FG_NOT_FOUND && at && at + 1 < contact.len &&
                   !fg_is_space(contact.at[at - 1]) && fg_is_alnum(contact.at[at + 1]);
    return !contact.len || is_mail ||
                   fg_str_find(contact, FG_STR("http://")) != FG_NOT_FOUND ||
                   fg_str_find(contact, FG_STR("https://")) != FG_NOT_FOUND
               ? NULL
               : "is neither an e-mail address, such as you@example.org, nor a web page, "
                 "such as https://example.org/contact";
}

static const char *const worths[] = {
    [FG_WORTH_TFIDF] = "tfidf",
    [FG_WORTH_INLINKS] = "inlinks",
    [FG_WORTH_NONE] = "none",
    NULL,
};

static const char *const documents[] = {
    [FG_DOCUMENTS_SEEDS] = "seeds",
    [FG_DOCUMENTS_OFFERS] = "offers",
    [FG_DOCUMENTS_ALL] = "all",
    NULL,
};

static const struct {
    const char *name;
    unsigned kind; /* enum fg_report */
} report_kinds[] = {
    {"page", FG_REPORT_PAGES},
    {"list", FG_REPORT_LISTS},
    {"action", FG_REPORT_ACTIONS},
    {"other", FG_REPORT_OTHERS},
};

static unsigned report_kind(struct fg_str name)
{
    for (size_t i = 0; i < sizeof report_kinds / sizeof *report_kinds; i++)
        if (fg_str_eq(name, fg_str_from(report_kinds[i].name)))
            return report_kinds[i].kind;
    return 0;
}

static const char *refuse_report(struct fg_str name)
{
    return report_kind(name) ? NULL
                             : "is not a kind of page: page, list, action and other are";
}

static const char *refuse_prefix(struct fg_str prefix)
{
    for (size_t i = 0; i < prefix.len; i++)
        if (!fg_is_alnum(prefix.at[i]) && prefix.at[i] != '_' && prefix.at[i] != '-')
            return "may contain only letters, digits, '-' and '_'";
    return NULL;
}

static const struct fg_opt rows[] = {
    {"operator.name", ROW(FG_STRING, who.name), .arg = "NAME",
     .help = "who runs this crawl; a name or a contact is needed beyond loopback"},
    {"operator.contact", ROW(FG_STRING, who.contact), .arg = "ADDRESS",
     .refuse = refuse_contact,
     .help = "a web page or e-mail address for the owners of the sites"},
    {"operator.page", ROW(FG_STRING, who.page), .arg = "URL", .refuse = refuse_page,
     .help =
         "a page about this crawler, named in the User-Agent header; see forage botpage"},
    {"operator.purpose", ROW(FG_STRING, who.purpose), .arg = "TEXT",
     .help = "what the crawl is for, in a sentence, for that page"},
    {"operator.addresses", ROW(FG_LIST, who.addresses), .arg = "ADDRESS,...",
     .help = "the IP addresses that requests come from, for that page"},
    {"operator.token", ROW(FG_STRING, robots_token), "forage", .arg = "TOKEN",
     .refuse = fg_robots_refuse_token,
     .help = "the name under which robots.txt files and pages address this crawler"},
    {"operator.user-agent", ROW(FG_STRING, who.user_agent), .arg = "TEXT",
     .help = "the whole User-Agent header, instead of one made from the above"},
    {"fetch.delay", ROW(FG_SPAN, pace.delay), "5s", .max = (double)FG_DAY, LIVE,
     .help = "minimum time between two requests to one host"},
    {"fetch.concurrency", ROW(FG_INT, pace.concurrency), "1", .min = 1, .max = 256, LIVE,
     .help = "maximum number of open requests to one host"},
    {"fetch.address-delay", ROW(FG_SPAN, pace.address_delay), "100ms",
     .max = (double)FG_HOUR, LIVE,
     .help = "minimum time between two requests to one IP address, whatever the host"},
    {"fetch.connections", ROW(FG_INT, fetch.max_connections), "256", .min = 1,
     .max = 10000, .help = "maximum number of open connections in all"},
    {"fetch.threads", ROW(FG_INT, workers.threads), "0", .min = 0, .max = 64,
     .help = "threads that fetch and read pages, each for its share of the hosts; 0: one "
             "a core"},
    {"fetch.read-apart", ROW(FG_BOOL, workers.read_apart), "no",
     .help = "read pages in processes that have no files, no network and no secrets"},
    {"fetch.timeout", ROW(FG_SPAN, fetch.timeout), "60s", .min = (double)FG_MILLISECOND,
     .max = (double)FG_DAY, .help = "time limit for one request"},
    {"fetch.connect-timeout", ROW(FG_SPAN, fetch.connect_timeout), "10s",
     .min = (double)FG_MILLISECOND, .max = (double)FG_HOUR,
     .help = "time limit for opening a connection"},
    {"fetch.least-speed", ROW(FG_INT, fetch.least_bytes_per_s), "100", .min = 0,
     .max = 1e9,
     .help = "bytes a second below which a transfer is aborted after ten seconds"},
    {"fetch.max-body", ROW(FG_SIZE, fetch.max_body), "10MB", .min = 1, .max = 1 << 30,
     .help = "maximum size of a page, feed or file; the rest is not read"},
    {"fetch.max-headers", ROW(FG_SIZE, fetch.max_headers), "64KiB", .min = 1024,
     .max = 1 << 24, .help = "maximum size of the headers of one answer"},
    {"fetch.max-redirects", ROW(FG_INT, max_redirects), "5", .min = 0, .max = 32,
     .help = "redirects followed for one page"},
    {"fetch.max-url", ROW(FG_INT, guard.max_url), "2048", .min = 16, .max = 65535, LIVE,
     .help = "longer addresses are not followed"},
    {"fetch.http2", ROW(FG_BOOL, fetch.http2), "yes",
     .help = "use HTTP/2 where TLS offers it"},
    {"fetch.ca-file", ROW(FG_STRING, fetch.ca_file), .arg = "FILE",
     .help = "certificates to trust instead of the system's"},
    {"net.allow-private", FG_ENUM(struct fg_crawl_options, fetch.reach, reaches), "no",
     .help = "connect to private addresses: no, loopback only, or yes"},
    {"policy.discovery", ROW(FG_STRING, policies.discovery), "forage", .arg = "NAME",
     .help = "which sources to look at again"},
    {"policy.refresh", ROW(FG_STRING, policies.refresh), "lomax", .arg = "NAME",
     .help = "which documents to fetch again"},
    {"policy.forecast", ROW(FG_BOOL, policies.forecasts), "yes",
     .help = "learn which documents will change and be clicked; tell the refresh policy"},
    {"policy.params", ROW(FG_LIST, policies.params), .arg = "NAME=NUMBER,...",
     .refuse = refuse_param,
     .help = "parameters of the policies; 'forage policies' lists them"},
    {"policy.seed", ROW(FG_INT, policies.seed), "1", .min = 0, .max = 9e15,
     .help = "seed of the random number generator"},
    {"scheduler.task", FG_ENUM(struct fg_crawl_options, scheduling.task, tasks),
     "discovery",
     .help = "what 'forage next' chooses by: the discovery or refresh policy"},
    {"scheduler.lease", ROW(FG_SPAN, scheduling.lease), "10m", .min = (double)FG_SECOND,
     .max = 7 * (double)FG_DAY,
     .help = "how long a fetcher has for a page before it is handed out again"},
    {"scheduler.explore", ROW(FG_DOUBLE, scheduling.explore), "0.2", .min = 0, .max = 1,
     .help = "share of what is handed out that is sampled from the stock"},
    {"scheduler.stock", FG_ENUM(struct fg_crawl_options, scheduling.stock, stocks),
     "sample", .help = "hand out samples of the pages that were there before, or all"},
    {"scheduler.follow", ROW(FG_BOOL, scheduling.follows), "yes",
     .help = "hand out pages that reports name; no: only those that were added"},
    {"crawl.tick", ROW(FG_SPAN, budget.tick), "2m", .min = (double)FG_SECOND,
     .max = (double)FG_DAY, LIVE, .help = "the time step in which the budget is spent"},
    {"crawl.budget", ROW(FG_DOUBLE, budget.per_hour), "6000", .min = 0, .max = 1e9, LIVE,
     .help = "page requests an hour, over a day, in all; 0 for no limit"},
    {"crawl.site-budget", ROW(FG_DOUBLE, budget.site_per_hour), TEXT(FG_SITE_BUDGET),
     .min = 0, .max = 1e9, LIVE,
     .help = "page requests an hour to one site; 0 for no limit"},
    {"crawl.at-least", ROW(FG_SPAN, budget.at_least), "0", .max = 366 * (double)FG_DAY,
     LIVE,
     .help = "longest time between two visits of a seed, feed or document; 0 for any"},
    {"crawl.worth", FG_ENUM(struct fg_crawl_options, budget.worth, fg_worth_names),
     "news",
     .help =
         "what the budget is for: what late pages and fresh copies are worth; or shares"},
    {"crawl.fresh-hour", ROW(FG_DOUBLE, budget.fresh_hour), "0", .min = 0, .max = 1e6,
     .help = "new pages that an hour of a fresh copy is worth; 0: as crawl.worth says"},
    {"crawl.cost-bytes", ROW(FG_SIZE, budget.cost_bytes), "0", .max = 1e12, LIVE,
     .help = "bytes of answers that cost as much of the budget as a request; 0: none do"},
    {"crawl.costs", ROW(FG_LIST, budget.costs), .arg = "SITE=NUMBER,...",
     .refuse = fg_cost_refuse, LIVE,
     .help = "what a request to a site costs of the budget, where it is not 1"},
    {"crawl.least-delay", ROW(FG_DOUBLE, budget.least_delay), "0.08", .min = 0,
     .max = 1000, LIVE,
     .help =
         "hours of delay, summed, that a visit must be expected to save; 0: spend all"},
    {"crawl.new-sites", ROW(FG_BOOL, exploring.new_sites), "no", LIVE,
     .help = "keep which sites that are not watched pages lead to, for 'forage leads'"},
    {"crawl.backfill", ROW(FG_BOOL, exploring.backfill), "no", LIVE,
     .help = "fetch all old pages of a site, not only lists and documents"},
    {"documents.admit", FG_ENUM(struct fg_crawl_options, documents.which, documents),
     "offers", LIVE,
     .help =
         "pages kept fresh: those added as such (seeds), also those with offers, or all"},
    {"documents.max", ROW(FG_INT, documents.max), "100000", .min = 0, .max = 1e8, LIVE,
     .help = "maximum number of documents of one site; added ones are never refused"},
    {"documents.value", ROW(FG_STRING, documents.value_rule), "auto", .arg = "RULE",
     .check = fg_seed_check_value, LIVE,
     .help = "what counts as a change: offer, text, page, selector:CSS or auto (offer or "
             "text)"},
    {"documents.ignore", ROW(FG_LIST, documents.ignore), .arg = "RULE,...",
     .refuse = fg_noise_refuse, LIVE,
     .help =
         "parts of pages that do not count as changes: selectors, or text:GLOB over a "
         "line"},
    {"documents.least-change", ROW(FG_DOUBLE, documents.least_change), "0", .min = 0,
     .max = 1, LIVE,
     .help = "share of a document's words that must differ for a change to count"},
    {"documents.history", ROW(FG_INT, documents.depth), "100", .min = 1, .max = 100000,
     .help = "changes of value kept of each document"},
    {"documents.report", ROW(FG_BOOL, documents.report_changes), "yes", LIVE,
     .help = "tell feeds, webhooks and digests when the value of a document changes"},
    {"crawl.fetch-discovered", ROW(FG_BOOL, exploring.fetch_discovered), "yes", LIVE,
     .help = "fetch the pages found, or only report their addresses"},
    {"crawl.report-kinds", ROW(FG_LIST, report.names), "page", .arg = "KIND,...",
     .refuse = refuse_report, LIVE,
     .help = "kinds of new pages to report: page, list, action (login, edit), other"},
    {"crawl.max-sources", ROW(FG_INT, exploring.max_sources), "100", .min = 1,
     .max = 10000, LIVE, .help = "sources watched on one site"},
    {"crawl.max-pages", ROW(FG_INT, guard.max_pages), "1000000", .min = 1, .max = 4e9,
     LIVE, .help = "pages known of one site"},
    {"crawl.max-depth", ROW(FG_INT, guard.max_depth), "20", .min = 0, .max = 250, LIVE,
     .help = "links followed from a seed"},
    {"crawl.explore", ROW(FG_INT, exploring.pages), "40", .min = 1, .max = 100000,
     .help = "pages fetched to find the sources of a new site; more while that pays"},
    {"crawl.include", ROW(FG_LIST, guard.include), .arg = "GLOB,...", LIVE,
     .help = "only addresses that match one of these; * is any text"},
    {"crawl.exclude", ROW(FG_LIST, guard.exclude), .arg = "GLOB,...", LIVE,
     .help = "no addresses that match one of these"},
    {"canonical.sort-query", ROW(FG_BOOL, naming.sort_query), "yes",
     .help = "links whose parameters differ in order only are one page"},
    {"canonical.drop-tracking", ROW(FG_BOOL, naming.drop_tracking), "yes",
     .help = "links that differ in tracking or session parameters only are one page"},
    {"search.index", ROW(FG_BOOL, keeping.search_index), "yes",
     .help = "keep the texts of pages, and an index of them, for 'forage search'"},
    {"search.log", ROW(FG_BOOL, keeping.search_log), "yes",
     .help = "count what is searched for, a day at a time, without who asked"},
    {"search.worth", FG_ENUM(struct fg_crawl_options, keeping.worth, worths), "tfidf",
     .help = "score by which it is measured what searchers would miss; see quality.md"},
    {"search.ranking",
     FG_ENUM(struct fg_crawl_options, keeping.ranking.policy, fg_ranking_names),
     "selective",
     .help = "how results are ranked by what people made of them; see docs/ranking.md"},
    {"search.degree", ROW(FG_DOUBLE, keeping.ranking.degree), "0.1", .min = 0, .max = 1,
     .help = "chance that a place goes to a page few have seen, once there is feedback"},
    {"search.start", ROW(FG_INT, keeping.ranking.start), "2", .min = 1, .max = 1000,
     .help = "first place in the results that may go to such a page"},
    {"search.feedback-client", ROW(FG_INT, keeping.ranking.most_events), "2000", .min = 1,
     .max = 1e9, .help = "results seen or chosen by one client that count a day"},
    {"store.bodies", ROW(FG_BOOL, keeping.bodies), "no", .help = "keep what was fetched"},
    {"store.body-depth", ROW(FG_INT, keeping.body_depth), "1", .min = 1, .max = 1000,
     .help = "versions kept of each page"},
    {"store.requests", ROW(FG_SPAN, keeping.requests), "90d", .max = LONGEST_KEPT, LIVE,
     .help = "how long requests are kept for 'forage ledger'; 0 keeps none"},
    {"store.keep-visits", ROW(FG_SPAN, retention.visits), "90d", .max = LONGEST_KEPT,
     LIVE,
     .help =
         "how long visits are kept; policies learn from the last 60 days; 0: for ever"},
    {"store.keep-gone-links", ROW(FG_SPAN, retention.gone_links), "90d",
     .max = LONGEST_KEPT, LIVE,
     .help = "how long links are kept that a page no longer has; 0: for ever"},
    {"store.keep-events", ROW(FG_SPAN, retention.events), "90d", .max = LONGEST_KEPT,
     LIVE,
     .help = "how long events are kept once every output has had them; 0: for ever"},
    {"store.keep-values", ROW(FG_SPAN, retention.values), "104w", .max = LONGEST_KEPT,
     LIVE,
     .help = "how long values of documents are kept that were replaced; 0: for ever"},
    {"store.keep-bodies", ROW(FG_SPAN, retention.bodies), "52w", .max = LONGEST_KEPT,
     LIVE, .help = "how long bodies are kept that were replaced; 0: for ever"},
    {"archive.dir", ROW(FG_STRING, archive.dir), .arg = "FOLDER",
     .help = "folder in which every request and answer is kept, as WARC files"},
    {"archive.prefix", ROW(FG_STRING, archive.prefix), "forage", .min = 1, .max = 100,
     .arg = "NAME", .refuse = refuse_prefix,
     .help = "prefix of the names of these files"},
    {"archive.max-size", ROW(FG_SIZE, archive.max_bytes), "1GB", .min = 1000, .max = 1e15,
     .help = "maximum size of a file, after which another one is begun"},
    {"archive.remember", ROW(FG_INT, archive.remember), "100000", .min = 0, .max = 1e8,
     .help = "payloads remembered, so that one that comes again is not stored again"},
    {"clock.speed", ROW(FG_DOUBLE, clock_from.speed), "1", .min = 0.001, .max = 1e6,
     .help = "clock speed relative to real time, for simulated webs"},
    {"clock.anchor", ROW(FG_STRING, clock_from.anchor), .arg = "TIME",
     .refuse = refuse_time, .help = "the moment at which simulated and real time agree"},
    {0},
};

/* --- what follows from them --- */

/* The operator's own token first, as robots.txt knows it; ours stands in the comment. */
static const char *user_agent(struct fg_arena *arena, const struct fg_crawl_options *o)
{
    if (o->who.user_agent.len)
        return o->who.user_agent.at;
    struct fg_str who = o->who.page.len      ? o->who.page
                        : o->who.contact.len ? o->who.contact
                                             : o->who.name;
    if (!who.len)
        return fg_arena_printf(arena, "Mozilla/5.0 (compatible; %.*s; Forage/%s)",
                               FG_ARG(o->robots_token), FG_VERSION)
            .at;
    bool is_page = fg_str_starts(who, FG_STR("http"));
    return fg_arena_printf(arena, "Mozilla/5.0 (compatible; %.*s; %s%.*s; Forage/%s)",
                           FG_ARG(o->robots_token), is_page ? "+" : "", FG_ARG(who),
                           FG_VERSION)
        .at;
}

static struct fg_clock clock_of(const struct fg_crawl_options *o)
{
    if (o->clock_from.speed == 1 && !o->clock_from.anchor.len)
        return fg_clock_wall();
    fg_time anchor =
        o->clock_from.anchor.len ? fg_date_parse(o->clock_from.anchor) : fg_time_now();
    return fg_clock_simulated(anchor, o->clock_from.speed);
}

void fg_crawl_settle(struct fg_crawl_options *o, struct fg_arena *arena)
{
    const struct fg_operator *who = &o->who;
    bool is_mail = who->contact.len && fg_str_chr(who->contact, '@') != FG_NOT_FOUND;
    o->who.is_given = who->name.len || who->contact.len;
    o->fetch.user_agent = user_agent(arena, o);
    o->fetch.from = is_mail ? who->contact.at : NULL;
    o->archive.operator= who->name.len ? who->name.at : who->contact.at;
    o->naming.keep = (o->naming.sort_query ? 0u : FG_CANONICAL_KEEP_ORDER) |
                     (o->naming.drop_tracking ? 0u : FG_CANONICAL_KEEP_TRACKING);
    o->report.kinds = 0;
    for (size_t i = 0; i < o->report.names.len; i++)
        o->report.kinds |= report_kind(o->report.names.at[i]);
    o->clock = clock_of(o);
}

/* --- all of them --- */

void fg_crawl_add_opts(struct fg_crawl_options *options, struct fg_opts *opts)
{
    *options = (struct fg_crawl_options){
        .fetch = fg_fetch_defaults(),
        .pace = fg_pace_defaults(),
        .guard = fg_guard_defaults(),
        .run.events_fd = -1,
        .run.most_unwritten = 4096, /* a few hundred MB at worst, if bodies are kept */
    };
    fg_opts_add(opts, rows, options);
    fg_opts_add(opts, fg_focus_opts, &options->focus);
    fg_opts_add(opts, fg_conduct_opts, &options->conduct);
    fg_opts_add(opts, fg_push_opts, &options->push);
    fg_outputs_add_opts(&options->outputs, opts);
}

struct fg_crawl_options fg_crawl_defaults(struct fg_arena *arena)
{
    struct fg_crawl_options options;
    struct fg_opts opts = {.arena = arena};
    fg_crawl_add_opts(&options, &opts);
    fg_crawl_settle(&options, arena);
    return options;
}

void fg_crawl_update(struct fg_crawl_options *options,
                     const struct fg_crawl_options *fresh,
                     void (*differs)(void *context, const struct fg_opt *opt),
                     void *context)
{
    fg_opts_update(rows, options, fresh, differs, context);
    fg_opts_update(fg_focus_opts, &options->focus, &fresh->focus, differs, context);
    fg_opts_update(fg_conduct_opts, &options->conduct, &fresh->conduct, differs, context);
    fg_opts_update(fg_push_opts, &options->push, &fresh->push, differs, context);
    options->report.kinds = fresh->report.kinds;
}
