#include "crawl/output/outputs.h"

#include "crawl/output/webhooks.h"
#include "net/url.h"

#define ROW(type, member) type(struct fg_output_settings, member)

bool fg_output_is_name(struct fg_str name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!fg_is_alnum(name.at[i]) && name.at[i] != '-' && name.at[i] != '_')
            return false;
    return name.len > 0 && name.len <= 64;
}

enum fg_status fg_query_parse(struct fg_query *query, struct fg_arena *arena,
                              struct fg_str text, struct fg_err *err)
{
    *query = (struct fg_query){0};
    if (!fg_filter_word(&text, arena, &query->name) || !fg_output_is_name(query->name))
        return fg_fail(err, FG_ECONFIG,
                       "'%.*s' is not a name of letters, digits, '-' and '_', followed "
                       "by conditions such as tag=shop",
                       FG_ARG(query->name));
    return fg_filter_parse(&query->filter, arena, text, err);
}

static enum fg_status check_query(struct fg_str text, struct fg_err *err)
{
    struct fg_arena arena = {0};
    struct fg_query query;
    enum fg_status st = fg_query_parse(&query, &arena, text, err);
    fg_arena_clear(&arena);
    return st;
}

static enum fg_status check_hook(struct fg_str text, struct fg_err *err)
{
    struct fg_arena arena = {0};
    struct fg_hook hook;
    enum fg_status st = fg_hook_parse(&hook, &arena, text, err);
    fg_arena_clear(&arena);
    return st;
}

static const char *refuse_base(struct fg_str text)
{
    struct fg_arena arena = {0};
    struct fg_url url;
    bool ok = fg_url_parse(&url, &arena, text, NULL) && fg_url_is_http(&url);
    fg_arena_clear(&arena);
    return ok || !text.len ? NULL : "is not an http or https address";
}

/* "you@example.org": something on both sides of one '@', and neither blanks nor signs
 * that mean something in a header. */
static bool is_mailbox(struct fg_str text)
{
    size_t at = fg_str_chr(text, '@');
    if (at == FG_NOT_FOUND || !at || at + 1 == text.len)
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (fg_is_space(text.at[i]) || memchr("<>()[],;:\\\"", text.at[i], 12) ||
            (i > at && !fg_is_alnum(text.at[i]) && text.at[i] != '-' &&
             text.at[i] != '.'))
            return false;
    return text.at[at + 1] != '.' && text.at[text.len - 1] != '.' &&
           fg_str_find(text, FG_STR("..")) == FG_NOT_FOUND;
}

/* It stands in a header, and nothing may follow it there. A name may come first: "Me
 * <me@example.org>". */
static const char *refuse_address(struct fg_str text)
{
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.at[i] < 0x20 || (unsigned char)text.at[i] >= 0x7F)
            return "is not an address of letters, digits and signs of ASCII";
    size_t open = fg_str_chr(text, '<');
    struct fg_str box = text;
    if (open != FG_NOT_FOUND && text.at[text.len - 1] == '>')
        box = fg_str_sub(text, open + 1, text.len - 1);
    return !text.len || is_mailbox(box)
               ? NULL
               : "is not a mail address, such as you@example.org";
}

/* --- what only all of them together tell --- */

enum fg_status fg_queries_parse(struct fg_query **queries, struct fg_arena *arena,
                                const struct fg_opt_list *list, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    *queries = FG_NEW(arena, struct fg_query, list->len + 1);
    for (size_t i = 0; !st && i < list->len; i++) {
        struct fg_query *query = &(*queries)[i];
        st = fg_query_parse(query, arena, list->at[i], err);
        for (size_t k = 0; !st && k < i; k++)
            if (fg_str_eq((*queries)[k].name, query->name))
                st = fg_fail(err, FG_ECONFIG, "feeds.queries: two are named '%.*s'",
                             FG_ARG(query->name));
    }
    return st;
}

/* A secret in the environment may be there for the service only; a file is there for
 * whoever asks. */
static enum fg_status check_secret(struct fg_hook *hook, struct fg_err *err)
{
    if (!fg_str_starts(hook->secret, FG_STR("file:")))
        return FG_OK;
    enum fg_status st = fg_hook_load_secret(hook, err);
    return st ? fg_err_within(err, st, "webhooks.to") : FG_OK;
}

enum fg_status fg_outputs_check(const struct fg_output_settings *settings,
                                struct fg_err *err)
{
    struct fg_arena arena = {0};
    struct fg_query *queries;
    struct fg_hook *hooks;
    enum fg_status st = fg_queries_parse(&queries, &arena, &settings->feeds_queries, err);
    if (!st)
        st = fg_webhooks_parse(&hooks, &arena, &settings->webhooks, err);
    for (size_t i = 0; !st && i < settings->webhooks.len; i++)
        st = check_secret(&hooks[i], err);
    fg_arena_clear(&arena);
    return st;
}

const struct fg_opt fg_output_opts[] = {
    {"output.kinds", ROW(FG_LIST, kinds), "new,alarm", .arg = "KIND,...",
     .refuse = fg_news_refuse_kind,
     .help =
         "events written as JSON lines: new pages, changed documents, alarms of sites"},
    {"feeds.dir", ROW(FG_STRING, feeds_dir), .arg = "DIR",
     .help = "keep feeds of sites, tags, queries and documents in this folder"},
    {"feeds.url", ROW(FG_STRING, feeds_url), .arg = "URL", .refuse = refuse_base,
     .help = "where readers find that folder; feeds then say their own address"},
    {"feeds.items", ROW(FG_INT, feeds_items), "100", .min = 1, .max = 100000,
     .help = "newest entries in one feed"},
    {"feeds.every", ROW(FG_SPAN, feeds_every), "1m", .min = (double)FG_MILLISECOND,
     .max = (double)FG_DAY, .help = "least time between two writings of the feeds"},
    {"feeds.queries", ROW(FG_LIST, feeds_queries), .arg = "QUERY,...",
     .check = check_query,
     .help = "further feeds: NAME and conditions, such as 'cheap tag=shop kind=changed'"},
    {"webhooks.to", ROW(FG_LIST, webhooks), .arg = "HOOK,...", .check = check_hook,
     .help = "where to post events: NAME URL, conditions, secret=file:PATH or env:NAME"},
    {"webhooks.timeout", ROW(FG_SPAN, webhooks_timeout), "10s",
     .min = (double)FG_MILLISECOND, .max = (double)FG_HOUR,
     .help = "most time for a receiver to answer"},
    {"webhooks.delay", ROW(FG_SPAN, webhooks_delay), "5s", .min = (double)FG_MILLISECOND,
     .max = (double)FG_DAY,
     .help = "most time before the second attempt; it doubles with each further one"},
    {"webhooks.max-delay", ROW(FG_SPAN, webhooks_max_delay), "1h",
     .min = (double)FG_MILLISECOND, .max = (double)(30 * FG_DAY),
     .help = "most time between two attempts"},
    {"webhooks.attempts", ROW(FG_INT, webhooks_attempts), "30", .min = 1, .max = 1000,
     .help = "attempts before an event becomes a dead letter"},
    {"webhooks.concurrency", ROW(FG_INT, webhooks_concurrency), "4", .min = 1, .max = 100,
     .help = "most open requests to one webhook, each for another site"},
    {"digest.to", ROW(FG_LIST, digest_to), .arg = "ADDRESS,...", .refuse = refuse_address,
     .help = "who gets an e-mail with what was found"},
    {"digest.from", ROW(FG_STRING, digest_from), .arg = "ADDRESS",
     .refuse = refuse_address,
     .help = "its sender; without one the mail system names the user"},
    {"digest.every", ROW(FG_SPAN, digest_every), "1d", .min = (double)FG_SECOND,
     .max = (double)(365 * FG_DAY), .help = "time from one digest to the next"},
    {"digest.items", ROW(FG_INT, digest_items), "200", .min = 1, .max = 100000,
     .help = "events listed in one digest; further ones are counted"},
    {"digest.command", ROW(FG_STRING, digest_command), "/usr/sbin/sendmail -t -i",
     .arg = "COMMAND", .min = 1, .max = 4096,
     .help = "what takes the e-mail on standard input; no shell is asked"},
    {"digest.timeout", ROW(FG_SPAN, digest_timeout), "1m", .min = (double)FG_MILLISECOND,
     .max = (double)FG_HOUR, .help = "most time for that command"},
    {0},
};
