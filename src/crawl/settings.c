#include "crawl/settings.h"

#include "crawl/seeds.h"
#include "net/canonical.h"
#include "net/date.h"
#include "net/noise.h"

#define ROW(type, member) type(struct fg_crawl_settings, member)
#define LONGEST_KEPT      (520 * 7.0 * (double)FG_DAY)

static const char *const reaches[] = {
    [FG_REACH_PUBLIC] = "no",
    [FG_REACH_LOOPBACK] = "loopback",
    [FG_REACH_ANY] = "yes",
    NULL,
};

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

const struct fg_opt fg_crawl_opts[] = {
    {"operator.name", ROW(FG_STRING, operator_name), .arg = "NAME",
     .help = "who runs this crawl; a name or a contact is needed beyond loopback"},
    {"operator.contact", ROW(FG_STRING, operator_contact), .arg = "ADDRESS",
     .refuse = refuse_contact,
     .help = "a web page or e-mail address for the owners of the sites"},
    {"operator.page", ROW(FG_STRING, operator_page), .arg = "URL", .refuse = refuse_page,
     .help =
         "a page about this crawler, named in the User-Agent header; see forage botpage"},
    {"operator.purpose", ROW(FG_STRING, operator_purpose), .arg = "TEXT",
     .help = "what the crawl is for, in a sentence, for that page"},
    {"operator.addresses", ROW(FG_LIST, operator_addresses), .arg = "ADDRESS,...",
     .help = "the IP addresses that requests come from, for that page"},
    {"operator.user-agent", ROW(FG_STRING, user_agent), .arg = "TEXT",
     .help = "the whole User-Agent header, instead of one made from the above"},
    {"fetch.delay", ROW(FG_SPAN, delay), "5s", .max = (double)FG_DAY,
     .help = "least time between two requests to one host"},
    {"fetch.concurrency", ROW(FG_INT, concurrency), "1", .min = 1, .max = 256,
     .help = "most open requests to one host"},
    {"fetch.connections", ROW(FG_INT, connections), "256", .min = 1, .max = 10000,
     .help = "most open connections in all"},
    {"fetch.timeout", ROW(FG_SPAN, timeout), "60s", .min = (double)FG_MILLISECOND,
     .max = (double)FG_DAY, .help = "most time for one request"},
    {"fetch.connect-timeout", ROW(FG_SPAN, connect_timeout), "10s",
     .min = (double)FG_MILLISECOND, .max = (double)FG_HOUR,
     .help = "most time for a connection to open"},
    {"fetch.least-speed", ROW(FG_INT, least_speed), "100", .min = 0, .max = 1e9,
     .help = "bytes a second below which an answer is given up after ten seconds"},
    {"fetch.max-headers", ROW(FG_SIZE, max_headers), "64KiB", .min = 1024, .max = 1 << 24,
     .help = "most bytes of headers taken of one answer"},
    {"fetch.max-redirects", ROW(FG_INT, max_redirects), "5", .min = 0, .max = 32,
     .help = "redirects followed for one page"},
    {"fetch.max-url", ROW(FG_INT, max_url), "2048", .min = 16, .max = 65535,
     .help = "longer addresses are not followed"},
    {"fetch.http2", ROW(FG_BOOL, http2), "yes", .help = "use HTTP/2 where TLS offers it"},
    {"fetch.ca-file", ROW(FG_STRING, ca_file), .arg = "FILE",
     .help = "certificates to trust instead of the system's"},
    {"net.allow-private", FG_ENUM(struct fg_crawl_settings, reach, reaches), "no",
     .help = "connect to private addresses: no, loopback only, or yes"},
    {"policy.discovery", ROW(FG_STRING, discovery_policy), "link-types", .arg = "NAME",
     .help = "which sources to look at again"},
    {"policy.refresh", ROW(FG_STRING, refresh_policy), "lomax", .arg = "NAME",
     .help = "which documents to fetch again"},
    {"policy.forecast", ROW(FG_BOOL, forecasts), "yes",
     .help = "learn which documents will change and be clicked; tell the refresh policy"},
    {"policy.params", ROW(FG_LIST, policy_params), .arg = "NAME=NUMBER,...",
     .refuse = refuse_param,
     .help = "parameters of the policies; 'forage policies' lists them"},
    {"policy.seed", ROW(FG_INT, seed), "1", .min = 0, .max = 9e15,
     .help = "seed of the random number generator"},
    {"crawl.tick", ROW(FG_SPAN, tick), "2m", .min = (double)FG_SECOND,
     .max = (double)FG_DAY, .help = "the time step in which the budget is spent"},
    {"crawl.budget", ROW(FG_DOUBLE, budget), "600", .min = 0, .max = 1e9,
     .help = "page requests an hour in all; 0 for no limit"},
    {"crawl.site-budget", ROW(FG_DOUBLE, site_budget), "600", .min = 0, .max = 1e9,
     .help = "page requests an hour to one site; 0 for no limit"},
    {"crawl.at-least", ROW(FG_SPAN, at_least), "0", .max = 366 * (double)FG_DAY,
     .help = "longest time between two visits of a seed, feed or document; 0 for any"},
    {"crawl.first-fetch-share", ROW(FG_DOUBLE, first_share), "0.8", .min = 0, .max = 1,
     .help = "share of what is left, at most, for old pages never fetched"},
    {"crawl.least-delay", ROW(FG_DOUBLE, least_delay), "0.08", .min = 0, .max = 1000,
     .help = "hours of delay, summed, that a look must be expected to end; 0: spend all"},
    {"crawl.backfill", ROW(FG_BOOL, backfill), "no",
     .help = "fetch all old pages of a site, not only lists and documents"},
    {"crawl.document-share", ROW(FG_DOUBLE, document_share), "0.2", .min = 0, .max = 1,
     .help = "share of the budget that documents to be kept fresh have for sure"},
    {"documents.admit", FG_ENUM(struct fg_crawl_settings, documents, documents), "offers",
     .help =
         "pages kept fresh: those added as such (seeds), also those with offers, or all"},
    {"documents.max", ROW(FG_INT, max_documents), "100000", .min = 0, .max = 1e8,
     .help = "most documents of one site; one that is added as such is not refused"},
    {"documents.value", ROW(FG_STRING, value_rule), "auto", .arg = "RULE",
     .check = fg_seed_check_value,
     .help = "what counts as a change: offer, text, page, selector:CSS or auto (offer or "
             "text)"},
    {"documents.ignore", ROW(FG_LIST, ignore), .arg = "RULE,...",
     .refuse = fg_noise_refuse,
     .help =
         "parts of pages that do not count as changes: selectors, or text:GLOB over a "
         "line"},
    {"documents.least-change", ROW(FG_DOUBLE, least_change), "0", .min = 0, .max = 1,
     .help = "share of a document's words that must differ for a change to count"},
    {"documents.history", ROW(FG_INT, value_depth), "100", .min = 1, .max = 100000,
     .help = "changes of value kept of each document"},
    {"documents.report", ROW(FG_BOOL, report_changes), "yes",
     .help = "tell feeds, webhooks and digests when the value of a document changes"},
    {"crawl.fetch-discovered", ROW(FG_BOOL, fetch_discovered), "yes",
     .help = "fetch the pages found, or only report their addresses"},
    {"crawl.report-kinds", ROW(FG_LIST, report_kinds), "page", .arg = "KIND,...",
     .refuse = refuse_report,
     .help = "kinds of new pages to report: page, list, action (login, edit), other"},
    {"crawl.max-sources", ROW(FG_INT, max_sources), "100", .min = 1, .max = 10000,
     .help = "sources watched on one site"},
    {"crawl.max-pages", ROW(FG_INT, max_pages), "1000000", .min = 1, .max = 4e9,
     .help = "pages known of one site"},
    {"crawl.max-depth", ROW(FG_INT, max_depth), "20", .min = 0, .max = 250,
     .help = "links followed from a seed"},
    {"crawl.explore", ROW(FG_INT, explore), "40", .min = 1, .max = 100000,
     .help = "pages fetched to find the sources of a new site"},
    {"crawl.include", ROW(FG_LIST, include), .arg = "GLOB,...",
     .help = "only addresses that match one of these; * is any text"},
    {"crawl.exclude", ROW(FG_LIST, exclude), .arg = "GLOB,...",
     .help = "no addresses that match one of these"},
    {"canonical.sort-query", ROW(FG_BOOL, sort_query), "yes",
     .help = "links whose parameters differ in order only are one page"},
    {"canonical.drop-tracking", ROW(FG_BOOL, drop_tracking), "yes",
     .help = "links that differ in tracking or session parameters only are one page"},
    {"store.bodies", ROW(FG_BOOL, keep_bodies), "no", .help = "keep what was fetched"},
    {"store.body-depth", ROW(FG_INT, body_depth), "1", .min = 1, .max = 1000,
     .help = "versions kept of each page"},
    {"store.requests", ROW(FG_SPAN, keep_requests), "90d", .max = LONGEST_KEPT,
     .help = "how long requests are kept for 'forage ledger'; 0 keeps none"},
    {"store.keep-visits", ROW(FG_SPAN, retention.visits), "90d", .max = LONGEST_KEPT,
     .help =
         "how long visits are kept; policies learn from the last 60 days; 0: for ever"},
    {"store.keep-gone-links", ROW(FG_SPAN, retention.gone_links), "90d",
     .max = LONGEST_KEPT,
     .help = "how long links are kept that a page no longer has; 0: for ever"},
    {"store.keep-events", ROW(FG_SPAN, retention.events), "90d", .max = LONGEST_KEPT,
     .help = "how long events are kept once every output has had them; 0: for ever"},
    {"store.keep-values", ROW(FG_SPAN, retention.values), "104w", .max = LONGEST_KEPT,
     .help = "how long values of documents are kept that were replaced; 0: for ever"},
    {"store.keep-bodies", ROW(FG_SPAN, retention.bodies), "52w", .max = LONGEST_KEPT,
     .help = "how long bodies are kept that were replaced; 0: for ever"},
    {"archive.dir", ROW(FG_STRING, archive_dir), .arg = "FOLDER",
     .help = "keep every request and answer there, as WARC files"},
    {"archive.prefix", ROW(FG_STRING, archive_prefix), "forage", .min = 1, .max = 100,
     .arg = "NAME", .refuse = refuse_prefix,
     .help = "what the names of these files start with"},
    {"archive.max-size", ROW(FG_SIZE, archive_size), "1GB", .min = 1000, .max = 1e15,
     .help = "a file that has reached it is closed, and another one begun"},
    {"archive.remember", ROW(FG_INT, archive_memory), "100000", .min = 0, .max = 1e8,
     .help = "payloads remembered, so that one that comes again is not stored again"},
    {"clock.speed", ROW(FG_DOUBLE, clock_speed), "1", .min = 0.001, .max = 1e6,
     .help = "clock speed relative to real time, for simulated webs"},
    {"clock.anchor", ROW(FG_STRING, clock_anchor), .arg = "TIME",
     .help = "the moment at which simulated and real time agree"},
    {0},
};

/* The operator's own token first, as robots.txt knows it; ours stands in the comment. */
const char *fg_crawl_user_agent(struct fg_arena *arena,
                                const struct fg_crawl_settings *settings,
                                struct fg_str token)
{
    if (settings->user_agent.len)
        return settings->user_agent.at;
    struct fg_str who = settings->operator_page.len      ? settings->operator_page
                        : settings->operator_contact.len ? settings->operator_contact
                                                         : settings->operator_name;
    if (!who.len)
        return fg_arena_printf(arena, "Mozilla/5.0 (compatible; %.*s; Forage/%s)",
                               FG_ARG(token), FG_VERSION)
            .at;
    bool is_page = fg_str_starts(who, FG_STR("http"));
    return fg_arena_printf(arena, "Mozilla/5.0 (compatible; %.*s; %s%.*s; Forage/%s)",
                           FG_ARG(token), is_page ? "+" : "", FG_ARG(who), FG_VERSION)
        .at;
}

static enum fg_status set_clock(struct fg_crawl_options *options,
                                const struct fg_crawl_settings *settings,
                                struct fg_err *err)
{
    if (settings->clock_speed == 1 && !settings->clock_anchor.len) {
        options->clock = fg_clock_wall();
        return FG_OK;
    }
    fg_time anchor = settings->clock_anchor.len ? fg_date_parse(settings->clock_anchor)
                                                : fg_time_now();
    if (anchor == FG_NEVER)
        return fg_fail(err, FG_ECONFIG, "clock.anchor: '%.*s' is not a time",
                       FG_ARG(settings->clock_anchor));
    options->clock = fg_clock_simulated(anchor, settings->clock_speed);
    return FG_OK;
}

static void set_fetch(struct fg_fetch_options *fetch,
                      const struct fg_crawl_settings *settings, size_t max_body)
{
    fetch->from = settings->operator_contact.len &&
                          fg_str_chr(settings->operator_contact, '@') != FG_NOT_FOUND
                      ? settings->operator_contact.at
                      : NULL;
    fetch->connect_timeout = settings->connect_timeout;
    fetch->timeout = settings->timeout;
    fetch->least_bytes_per_s = (unsigned)settings->least_speed;
    fetch->max_body = max_body;
    fetch->max_headers = settings->max_headers;
    fetch->max_connections = (unsigned)settings->connections;
    fetch->reach = (enum fg_reach)settings->reach;
    fetch->ca_file = settings->ca_file.len ? settings->ca_file.at : NULL;
    fetch->http2 = settings->http2;
}

unsigned fg_crawl_keep(const struct fg_crawl_settings *settings)
{
    return (settings->sort_query ? 0u : FG_CANONICAL_KEEP_ORDER) |
           (settings->drop_tracking ? 0u : FG_CANONICAL_KEEP_TRACKING);
}

enum fg_status fg_crawl_options_from(struct fg_crawl_options *options,
                                     struct fg_arena *arena,
                                     const struct fg_crawl_settings *settings,
                                     struct fg_str token, size_t max_body,
                                     struct fg_err *err)
{
    *options = fg_crawl_defaults();
    set_fetch(&options->fetch, settings, max_body);
    options->fetch.user_agent = fg_crawl_user_agent(arena, settings, token);
    options->robots_token = token;
    options->keep = fg_crawl_keep(settings);
    options->has_operator = settings->operator_name.len || settings->operator_contact.len;
    options->pace.delay = settings->delay;
    options->pace.concurrency = (unsigned)settings->concurrency;
    options->max_redirects = (unsigned)settings->max_redirects;
    options->guard.max_url = (size_t)settings->max_url;
    options->guard.max_depth = (unsigned)settings->max_depth;
    options->guard.max_pages = (uint32_t)settings->max_pages;
    options->guard.include = settings->include.at;
    options->guard.n_include = settings->include.len;
    options->guard.exclude = settings->exclude.at;
    options->guard.n_exclude = settings->exclude.len;
    options->focus = settings->focus;
    options->conduct = settings->conduct;
    options->discovery_policy = settings->discovery_policy.at;
    options->refresh_policy = settings->refresh_policy.at;
    options->forecasts = settings->forecasts;
    options->policy_params = settings->policy_params.at;
    options->n_policy_params = settings->policy_params.len;
    options->seed = (uint64_t)settings->seed;
    options->tick = settings->tick;
    options->budget_per_hour = settings->budget;
    options->site_budget_per_hour = settings->site_budget;
    options->at_least = settings->at_least;
    options->first_fetch_share = settings->first_share;
    options->least_delay = settings->least_delay;
    options->backfill = settings->backfill;
    options->document_share = settings->document_share;
    options->documents = settings->documents;
    options->max_documents = (unsigned)settings->max_documents;
    options->value_rule = settings->value_rule;
    options->report_changes = settings->report_changes;
    options->report_kinds = 0;
    for (size_t i = 0; i < settings->report_kinds.len; i++)
        options->report_kinds |= report_kind(settings->report_kinds.at[i]);
    options->outputs = settings->outputs;
    options->ignore = settings->ignore.at;
    options->n_ignore = settings->ignore.len;
    options->least_change = settings->least_change;
    options->max_sources = (unsigned)settings->max_sources;
    options->bootstrap_pages = (unsigned)settings->explore;
    options->fetch_discovered = settings->fetch_discovered;
    options->keep_bodies = settings->keep_bodies;
    options->archive = (struct fg_archive_options){
        .dir = settings->archive_dir.len ? settings->archive_dir.at : NULL,
        .prefix = settings->archive_prefix.at,
        .max_bytes = settings->archive_size,
        .remember = (size_t)settings->archive_memory,
        .operator= settings->operator_name.len ? settings->operator_name.at
                                               : settings->operator_contact.at,
    };
    options->keep_requests = settings->keep_requests;
    options->retention = settings->retention;
    return set_clock(options, settings, err);
}
