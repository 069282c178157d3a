/* seeds.h - what a user wants watched, as text
 *
 *     https://example.org/
 *     https://example.org/law/42    type=document    weight=2    tags=law,press
 *
 * One address a line, then key=value after tabs: type (site, source, feed, page or
 * document), weight (a number above 0), tags (comma-separated, for the site), value (what
 * of a document counts, as in documents.value; of other seeds, for the documents of the
 * site), page-tags (for the page; the site gets those it lacks), name (what the page is
 * called), home (of a feed, its page), meta (anything), scope and budget (of the site:
 * crawl/sites/site_rules.h), at-least (the longest time between two visits, such as 1h:
 * of a document, source or feed, else of those of the site). A feed is followed alone:
 * see following.c. As in Nutch's files, nutch.score is a weight; nutch.fetchInterval is
 * kept under meta, for here the policy chooses when. Empty lines and lines that start
 * with "#" say nothing.
 *
 * Only one process writes to a workspace. While a crawl does, others hand their seeds
 * over as commands in its store, the inbox. The crawl looks there every few seconds and
 * when it starts; a command goes with the batch that follows its effects. After a crash
 * seeds may be taken again, which changes nothing. */
#ifndef FG_CRAWL_SEEDS_H
#define FG_CRAWL_SEEDS_H

#include "base/buf.h"
#include "crawl/crawl.h"

enum { FG_SEED_LINE_MAX = 1 << 16 };

bool fg_seed_is_blank(struct fg_str line);

/* One line; what comes back are parts of it. */
enum fg_status fg_seed_parse(struct fg_str *url, struct fg_seed *seed, struct fg_str line,
                             struct fg_err *err);
/* The same back, with a newline. */
void fg_seed_format(struct fg_buf *out, struct fg_str url, const struct fg_seed *seed);

/* One key=value of it; FG_ENOTFOUND if there is no such key. What is kept of it may live
 * in the arena, which may be NULL if nobody minds that meta has the last of them only. */
enum fg_status fg_seed_field(struct fg_seed *seed, struct fg_arena *arena,
                             struct fg_str field, struct fg_err *err);

/* "site", "source", "feed", "page" or "document"; false if it is none of them. */
bool fg_seed_set_type(struct fg_seed *seed, struct fg_str type);

/* What a seed says of its page for the user, if anything. */
void fg_seed_note(struct fg_batch *batch, fg_site_id site, fg_page_id page,
                  const struct fg_seed *seed);

/* Does it say anything of its site? Then the site's settings become these. */
bool fg_seed_sets_rules(const struct fg_seed *seed);
struct fg_str fg_seed_rules(struct fg_arena *arena, struct fg_str settings,
                            struct fg_str url, const struct fg_seed *seed, fg_time now);

/* What is fetched once is not visited at least so often. */
enum fg_status fg_seed_check_promise(const struct fg_seed *seed, struct fg_err *err);
/* Is it a rule for values? */
enum fg_status fg_seed_check_value(struct fg_str rule, struct fg_err *err);
/* "https://news.example" of "news.example", "http://localhost:8080" of "localhost:8080":
 * what has no scheme is https, on this machine http. What is no such thing comes back as
 * it is. */
struct fg_str fg_seed_address(struct fg_arena *arena, struct fg_str text);
/* Is it an address of the web? */
enum fg_status fg_seed_check_url(struct fg_str url, struct fg_err *err);
/* Would fg_crawl_add take it: that, and does somebody answer for the crawl? */
enum fg_status fg_seed_check(const struct fg_crawl_options *options, struct fg_str url,
                             struct fg_err *err);

/* Leave something for the crawl that runs: lines as above, a label (labels.h), the rules
 * of a site (its key, its tags and its settings, a line each), counts (counts.h) of at
 * most FG_INBOX_COUNTS_MAX bytes, the name of a webhook whose dead letters are to be
 * tried again, "" for all, what is taken back (control.h), what was pushed (push.h), or
 * what the process of another lot has to say (notices.h).
 * What was left first is taken first. */
enum fg_inbox_kind {
    FG_INBOX_SEEDS,
    FG_INBOX_LABEL,
    FG_INBOX_COUNTS,
    FG_INBOX_RETRY,
    FG_INBOX_SITE,
    FG_INBOX_CONTROL,
    FG_INBOX_PUSH,
    FG_INBOX_NOTICES
};
enum { FG_INBOX_COUNTS_MAX = 4 << 20 };
enum fg_status fg_inbox_put(const char *place, enum fg_inbox_kind kind,
                            struct fg_str text, struct fg_err *err);

#endif
