/* cmd_simulate.c - forage simulate: a web on loopback to try a crawler on */
#include "base/file.h"
#include "cli/cli.h"
#include "net/text/date.h"
#include "sim/web_server.h"
#include "sim/web_shop.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

struct options {
    fg_time real;
    double speed, per_day, trouble;
    int64_t sites, offers, seed, port, crawl_delay_s;
    struct fg_str log, anchor, truth, counts, published;
    bool ugly;
};

static const struct fg_opt options[] = {
    {"for", FG_SPAN(struct options, real), .max = (double)(365 * FG_DAY),
     .help = "how long it runs; 0 is until it is stopped"},
    {"sites", FG_INT(struct options, sites), "4", .max = 50,
     .help = "news sites of the web, each on a port of its own"},
    {"ugly", FG_BOOL(struct options, ugly),
     .help = "news sites with what surrounds articles on real ones: pagers, archives, an "
             "endless calendar, pages to print, share and reply, session ids, boxes that "
             "show old articles, a feed that is late"},
    {"offers", FG_INT(struct options, offers), "0", .max = 100000,
     .help = "of a shop, which is one site more; 0 for none"},
    {"port", FG_INT(struct options, port), "0", .max = 65000,
     .help = "of the first site, the others follow; 0 for any that are free"},
    {"speed", FG_DOUBLE(struct options, speed), "1", .min = 0.001, .max = 1e6,
     .help = "simulated seconds in a second"},
    {"anchor", FG_STRING(struct options, anchor), .arg = "TIME",
     .help = "when simulated and real time agree, as in clock.anchor; now if not given"},
    {"articles", FG_DOUBLE(struct options, per_day), "150", .min = 1, .max = 1e5,
     .help = "published a simulated day on the median site"},
    {"web-seed", FG_INT(struct options, seed), "1", .max = 1e15,
     .help = "another seed, another web"},
    {"access-log", FG_STRING(struct options, log), .arg = "FILE",
     .help = "append a line for each request: time in microseconds, site, path, status, "
             "bytes, user agent"},
    {"truth", FG_STRING(struct options, truth), .arg = "FILE",
     .help = "write what the shop's offers cost and from when on, a JSON object a line"},
    {"published", FG_STRING(struct options, published), .arg = "FILE",
     .help = "write the articles that are published and when, past and future ones, a "
             "JSON object a line"},
    {"counts", FG_STRING(struct options, counts), .arg = "FILE",
     .help = "write the clicks and impressions of the shop's last 30 days as CSV, for "
             "'forage import counts'"},
    {"trouble", FG_DOUBLE(struct options, trouble), "0", .max = 1,
     .help = "share of answers that are 503 with Retry-After: 120"},
    {"crawl-delay", FG_INT(struct options, crawl_delay_s), "0", .max = 86400,
     .help = "seconds that each robots.txt asks for between two requests"},
    {0},
};

struct published {
    struct fg_buf *out;
    const struct fg_web_server *server;
};

static bool take_article(void *context, const struct fg_web_article *article)
{
    struct published *published = context;
    struct fg_arena arena = {0};
    struct fg_json json = fg_json_to(published->out);
    fg_json_object(&json);
    fg_json_pair(&json, "url",
                 fg_arena_printf(&arena, "%s%.*s",
                                 fg_web_server_origin(published->server, article->site),
                                 FG_ARG(article->path)));
    fg_json_pair_time(&json, "published", article->published);
    fg_json_end(&json);
    fg_buf_add(published->out, FG_STR("\n"));
    fg_arena_clear(&arena);
    return true;
}

static enum fg_status write_files(const struct options *o, const struct fg_web *web,
                                  const struct fg_web_server *server, fg_time from,
                                  fg_time to, struct fg_err *err)
{
    const struct fg_shop *shop = fg_web_shop(web);
    struct fg_str origin =
        fg_str_from(fg_web_server_origin(server, fg_web_sites(web) - 1));
    struct fg_buf out;
    enum fg_status st = FG_OK;
    fg_buf_init(&out, (size_t)1 << 32);
    if (o->truth.len) {
        fg_shop_truth(shop, origin, from, to, &out);
        st = fg_file_replace(o->truth.at, fg_buf_str(&out), err);
    }
    fg_buf_reset(&out);
    if (!st && o->published.len) {
        fg_web_articles(web, FG_NEVER, to, take_article,
                        &(struct published){&out, server});
        st = fg_file_replace(o->published.at, fg_buf_str(&out), err);
    }
    fg_buf_reset(&out);
    if (!st && o->counts.len) {
        fg_shop_csv(shop, origin, from / FG_DAY - 30, from / FG_DAY, &out);
        st = fg_file_replace(o->counts.at, fg_buf_str(&out), err);
    }
    fg_buf_clear(&out);
    return st;
}

static void wait_for_end(const struct options *o)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    int fd = signalfd(-1, &signals, SFD_CLOEXEC);
    struct pollfd poller = {.fd = fd, .events = POLLIN};
    fg_time end = fg_time_monotonic() + o->real, left = 0;
    do {
        left = o->real ? end - fg_time_monotonic() : FG_HOUR;
    } while (left > 0 && poll(&poller, 1, (int)(left / FG_MILLISECOND) + 1) == 0);
    close(fd);
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    fg_time anchor = o->anchor.len ? fg_date_parse(o->anchor) : fg_time_now();
    if (anchor == FG_NEVER)
        return fg_fail(err, FG_ECONFIG, "--anchor '%.*s' is not a time",
                       FG_ARG(o->anchor));
    if (!o->sites && !o->offers)
        return fg_fail(err, FG_ECONFIG, "nothing to serve: --sites and --offers are 0");
    if ((o->truth.len || o->counts.len) && !o->offers)
        return fg_fail(err, FG_ECONFIG,
                       "--truth and --counts are about a shop: give --offers");
    struct fg_web_options web_options = fg_web_defaults();
    fg_time real = o->real ? o->real : FG_DAY;
    web_options.seed = (uint64_t)o->seed;
    web_options.sites = (unsigned)o->sites;
    web_options.offers = (unsigned)o->offers;
    web_options.articles_per_day = o->per_day;
    web_options.is_ugly = o->ugly;
    web_options.from = anchor;
    web_options.to = anchor + FG_DAY + (fg_time)((double)real * o->speed);
    if (web_options.to > anchor + 365 * FG_DAY)
        web_options.to = anchor + 365 * FG_DAY;
    /* Blocked before the server's thread starts, which inherits it: they are read from
     * a descriptor, in wait_for_end. */
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    struct fg_web *web = fg_web_new(&web_options);
    struct fg_web_server *server;
    enum fg_status st = fg_web_server_start(
        &server, web,
        &(struct fg_web_server_options){.clock = fg_clock_simulated(anchor, o->speed),
                                        .port = (unsigned)o->port,
                                        .log = o->log.len ? o->log.at : NULL,
                                        .trouble = o->trouble,
                                        .crawl_delay_s = (unsigned)o->crawl_delay_s},
        err);
    if (!st)
        st = write_files(o, web, server, anchor, web_options.to, err);
    if (!st) {
        for (unsigned i = 0; i < fg_web_sites(web); i++)
            fg_out_printf(&cli->out, "%s/\n", fg_web_server_origin(server, i));
        fg_out_flush(&cli->out);
        wait_for_end(o);
    }
    fg_web_server_stop(server);
    fg_web_free(web);
    return st;
}

static const struct fg_example examples[] = {
    {"forage simulate --for 1s --sites 2", "two news sites for a second"},
    {"forage simulate --for 1s --access-log seen.log --crawl-delay 10",
     "what a crawler looks like from the other side"},
    {"forage simulate --for 1s --ugly --published truth.jsonl",
     "four sites as ugly as real ones, and what they publish"},
    {"forage simulate --for 1s --sites 0 --offers 300 --counts counts.csv --truth "
     "truth.jsonl",
     "a shop, who clicked on what, and what its offers really cost"},
    {0},
};

const struct fg_command fg_cmd_simulate = {
    .name = "simulate",
    .words = "",
    .summary = "serve a made-up web on this machine, for crawlers to be tried on",
    .about = "Serves a few news sites on loopback over real HTTP: a home page, sections, "
             "topics, writers, feeds and sitemaps, with articles appearing as they do; "
             "and, if asked for, a shop whose prices change, with the clicks and "
             "impressions of its offers by day at /counts.csv. "
             "Prints the address of each site, one a line, and runs until it is stopped. "
             "The log it writes is the other side's view of how polite a crawler is.",
    .options = options,
    .options_size = sizeof(struct options),
    .settings = "log",
    .examples = examples,
    .run = run,
};
