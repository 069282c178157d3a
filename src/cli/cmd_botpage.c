/* cmd_botpage.c - forage botpage: a page that tells the owners of sites who crawls them
 *
 * One HTML file without scripts, pictures or anything else to load, made from the
 * settings. It claims nothing that the settings do not say. */
#include "base/file.h"
#include "cli/cli.h"
#include "net/feed/feed_write.h"

#include <string.h>

static void put(struct fg_buf *out, const char *text)
{
    fg_buf_add(out, fg_str_from(text));
}

static void put_text(struct fg_buf *out, struct fg_str text)
{
    fg_xml_escape(out, text);
}

static void put_code(struct fg_buf *out, struct fg_str text)
{
    put(out, "<code>");
    put_text(out, text);
    put(out, "</code>");
}

static void put_head(struct fg_buf *out, struct fg_str token)
{
    put(out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"generator\" content=\"Forage " FG_VERSION "\">\n<title>About ");
    put_text(out, token);
    put(out, "</title>\n<style>body{max-width:42em;margin:2em auto;padding:0 1em;"
             "font:1em/1.5 sans-serif}pre{background:#eee;padding:.7em;overflow:auto}"
             "</style>\n</head>\n<body>\n<h1>About ");
    put_text(out, token);
    put(out, "</h1>\n");
}

/* A web address or one for mail becomes a link; anything else is text. */
static void put_contact(struct fg_buf *out, struct fg_str contact)
{
    bool is_page = fg_str_starts(contact, FG_STR("http://")) ||
                   fg_str_starts(contact, FG_STR("https://"));
    bool is_mail = !is_page && fg_str_chr(contact, '@') != FG_NOT_FOUND &&
                   fg_str_chr(contact, ' ') == FG_NOT_FOUND;
    if (is_page || is_mail) {
        put(out, is_mail ? "<a href=\"mailto:" : "<a href=\"");
        put_text(out, contact);
        put(out, "\">");
    }
    put_text(out, contact);
    put(out, is_page || is_mail ? "</a>" : "");
}

static void put_who(struct fg_buf *out, struct fg_cli *cli)
{
    const struct fg_crawl_options *s = &cli->settings.crawl;
    put_code(out, cli->settings.crawl.robots_token);
    put(out, " is a web crawler run by ");
    if (s->who.name.len)
        put_text(out, s->who.name);
    else
        put_contact(out, s->who.contact);
    put(out, ".");
    if (s->who.purpose.len) {
        put(out, " What it is for: ");
        put_text(out, s->who.purpose);
    }
    put(out, "</p>\n");
    if (!s->who.contact.len)
        return;
    put(out, "<h2>Contact</h2>\n<p>Questions and complaints: ");
    put_contact(out, s->who.contact);
    put(out, "</p>\n");
}

static void put_recognise(struct fg_buf *out, struct fg_cli *cli)
{
    const struct fg_crawl_options *s = &cli->settings.crawl;
    put(out, "<h2>How to recognise it</h2>\n<p>Its requests say</p>\n<pre>User-Agent: ");
    put_text(out, fg_str_from(s->fetch.user_agent));
    put(out, "</pre>\n");
    if (!s->who.addresses.len)
        return;
    put(out, "<p>and come from these addresses:</p>\n<ul>\n");
    for (size_t i = 0; i < s->who.addresses.len; i++) {
        put(out, "<li>");
        put_code(out, s->who.addresses.at[i]);
        put(out, "</li>\n");
    }
    put(out, "</ul>\n");
}

static void put_block(struct fg_buf *out, struct fg_str token)
{
    put(out,
        "<h2>How to keep it away</h2>\n<p>It obeys robots.txt (RFC 9309) and reads it "
        "anew at least once a day. To keep it away from a whole site:</p>\n"
        "<pre>User-agent: ");
    put_text(out, token);
    put(out, "\nDisallow: /</pre>\n<p>From a part of it, or to have it come less often:"
             "</p>\n<pre>User-agent: ");
    put_text(out, token);
    put(out, "\nDisallow: /private/\nCrawl-delay: 30</pre>\n"
             "<p>It heeds <code>noindex</code> and <code>nofollow</code> in "
             "<code>X-Robots-Tag</code> headers and <code>robots</code> metas");
}

static void put_heeded(struct fg_buf *out, const struct fg_conduct_rules *conduct)
{
    if (conduct->tdmrep == FG_HEED_OBEY)
        put(out,
            "; of pages that reserve text and data mining by "
            "<a href=\"https://www.w3.org/2022/tdmrep/\">TDMRep</a> it keeps no copy");
    if (conduct->content_signal == FG_HEED_OBEY && conduct->purposes.len) {
        put(out,
            "; nor of pages for which <code>Content-Signal</code> in robots.txt says "
            "no to ");
        for (size_t i = 0; i < conduct->purposes.len; i++) {
            put(out, i ? ", " : "");
            put_code(out, conduct->purposes.at[i]);
        }
    }
    put(out, ".</p>\n");
}

static void put_conduct(struct fg_buf *out, struct fg_cli *cli)
{
    const struct fg_crawl_options *s = &cli->settings.crawl;
    char delay[FG_SPAN_TEXT];
    put(out, "<h2>How it behaves</h2>\n<p>Between two requests to one host it waits at "
             "least ");
    put(out, fg_span_format(delay, s->pace.delay));
    put(out, ", longer where robots.txt or a slow answer asks for it");
    fg_buf_printf(out, ", and it has at most %lld %s open to a host at a time. ",
                  (long long)s->pace.concurrency,
                  s->pace.concurrency == 1 ? "request" : "requests");
    put(out,
        "It makes conditional requests where it can, honours <code>Retry-After</code>, "
        "and comes back less and less often to a host in trouble.</p>\n"
        "<h2>What it stores</h2>\n<p>Addresses of pages, when they were visited and "
        "when they changed, titles, links between pages, ");
    put(out, "and of pages that are watched for their own sake a value, such as a price "
             "or the "
             "main text");
    if (s->keeping.bodies)
        fg_buf_printf(out, ". It keeps what was fetched, the last %lld %s of each page",
                      (long long)s->keeping.body_depth,
                      s->keeping.body_depth == 1 ? "version" : "versions");
    else
        put(out, ". It does not keep the pages themselves");
    put(out, ".</p>\n");
}

static void put_page(struct fg_buf *out, struct fg_cli *cli)
{
    put_head(out, cli->settings.crawl.robots_token);
    put(out, "<p>");
    put_who(out, cli);
    put_recognise(out, cli);
    put_block(out, cli->settings.crawl.robots_token);
    put_heeded(out, &cli->settings.crawl.conduct);
    put_conduct(out, cli);
    put(out, "</body>\n</html>\n");
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    const struct fg_crawl_options *s = &cli->settings.crawl;
    struct fg_buf page;
    if (!s->who.name.len && !s->who.contact.len)
        return fg_fail(err, FG_ECONFIG,
                       "the page would say nothing of who crawls: set operator.name or "
                       "operator.contact, best both");
    fg_buf_init(&page, 1 << 20);
    put_page(&page, cli);
    enum fg_status st = FG_OK;
    if (page.full)
        st = fg_fail(err, FG_ELIMIT, "the settings are too long for a page");
    else if (cli->n_words && strcmp(cli->words[0], "-") != 0)
        st = fg_file_replace(cli->words[0], fg_buf_str(&page), err);
    else
        fg_buf_add(&cli->out.buf, fg_buf_str(&page));
    fg_buf_clear(&page);
    if (!st && cli->n_words && strcmp(cli->words[0], "-") != 0)
        fg_out_printf(&cli->out, "made %s%s\n", cli->words[0],
                      s->who.page.len ? ""
                                      : "; say with operator.page where it is "
                                        "published");
    return st;
}

static const struct fg_example examples[] = {
    {"forage botpage --operator-name 'Example Ltd' --operator-contact bot@example.org "
     "bot.html",
     "a file to be published"},
    {"forage botpage --operator-contact bot@example.org --operator-token examplebot",
     "the same to standard output, with the crawler's own name"},
    {0},
};

const struct fg_command fg_cmd_botpage = {
    .name = "botpage",
    .words = "[FILE]",
    .summary = "make a web page that tells the owners of sites who crawls them",
    .about =
        "Writes one HTML file: who crawls, why, how to recognise the crawler, how to "
        "keep it away with robots.txt, how to reach its operator, how it behaves and "
        "what it stores. All of it follows from the settings. Publish it and say "
        "where in operator.page; the address then stands in the User-Agent header.",
    .max_words = 1,
    .settings = "operator fetch.delay fetch.concurrency store conduct",
    .examples = examples,
    .run = run,
};
