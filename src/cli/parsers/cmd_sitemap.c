/* cmd_sitemap.c - forage sitemap: the pages a sitemap lists */
#include "base/file.h"
#include "cli/cli.h"
#include "net/feed/sitemap.h"

struct options {
    struct fg_str base;
    bool json;
};

static const struct fg_opt options[] = {
    {"base", FG_STRING(struct options, base), .letter = 'b', .arg = "URL",
     .help = "the address of the sitemap, against which its links are resolved"},
    {"json", FG_BOOL(struct options, json), .letter = 'j', .help = "as JSON"},
    {0},
};

static const char *changefreq_name(enum fg_changefreq changefreq)
{
    static const char *const names[] = {
        [FG_CHANGE_UNKNOWN] = NULL,    [FG_CHANGE_ALWAYS] = "always",
        [FG_CHANGE_HOURLY] = "hourly", [FG_CHANGE_DAILY] = "daily",
        [FG_CHANGE_WEEKLY] = "weekly", [FG_CHANGE_MONTHLY] = "monthly",
        [FG_CHANGE_YEARLY] = "yearly", [FG_CHANGE_NEVER] = "never",
    };
    return names[changefreq];
}

/* Entries are written as they come: a sitemap may list fifty thousand. */
struct sink {
    struct fg_out *out;
    struct fg_json json;
};

static void print_entry(void *context, const struct fg_sitemap_entry *entry)
{
    struct sink *sink = context;
    char text[FG_TIME_TEXT] = "-";
    if (entry->lastmod != FG_NEVER)
        fg_time_format(text, entry->lastmod);
    fg_out_printf(sink->out, "%-20s ", text);
    fg_out_text(sink->out, entry->url->href);
    fg_out_puts(sink->out, "\n");
    if (entry->news_title.len) {
        fg_out_pad(sink->out, 0, 21);
        fg_out_text(sink->out, entry->news_title);
        fg_out_puts(sink->out, "\n");
    }
}

static void json_entry(void *context, const struct fg_sitemap_entry *entry)
{
    struct sink *sink = context;
    struct fg_json *json = &sink->json;
    fg_json_object(json);
    fg_json_pair(json, "url", entry->url->href);
    fg_json_pair_time(json, "lastmod", entry->lastmod);
    fg_json_pair_cstr(json, "changefreq", changefreq_name(entry->changefreq));
    fg_json_key(json, "priority");
    if (entry->priority < 0)
        fg_json_null(json);
    else
        fg_json_double(json, entry->priority);
    if (entry->news_title.len) {
        fg_json_pair(json, "news_title", entry->news_title);
        fg_json_pair_time(json, "news_date", entry->news_date);
    }
    fg_json_end(json);
    fg_out_puts(sink->out, ""); /* let go of what has gathered */
}

static void json_result(struct fg_json *json, const struct fg_sitemap_result *result)
{
    fg_json_pair_cstr(json, "kind", fg_sitemap_kind_name(result->kind));
    fg_json_pair_bool(json, "well_formed", result->well_formed);
    fg_json_key(json, "issues");
    fg_json_array(json);
    fg_json_xml_problems(json, &result->xml);
    for (int i = 0; i < FG_SITEMAP_ISSUES; i++) {
        if (!result->issues[i].count)
            continue;
        fg_json_object(json);
        fg_json_problem(json, result->issues[i].line,
                        fg_sitemap_issue_text((enum fg_sitemap_issue)i));
        fg_json_pair_uint(json, "count", result->issues[i].count);
        fg_json_end(json);
    }
    fg_json_end(json);
}

static void print_result(struct fg_out *out, const struct fg_sitemap_result *result)
{
    enum { WIDTH = 20 };
    fg_out_printf(out, "%-*s %s, %zu %s%s\n", WIDTH, "kind",
                  fg_sitemap_kind_name(result->kind), result->n_urls,
                  result->n_urls == 1 ? "entry" : "entries",
                  result->well_formed ? "" : ", not well-formed");
    fg_out_xml_problems(out, WIDTH, &result->xml);
    for (int i = 0; i < FG_SITEMAP_ISSUES; i++) {
        if (!result->issues[i].count)
            continue;
        fg_out_problem(out, WIDTH, result->issues[i].line,
                       fg_sitemap_issue_text((enum fg_sitemap_issue)i));
        if (result->issues[i].line)
            fg_out_printf(out, " (%zu in all)", result->issues[i].count);
        fg_out_puts(out, "\n");
    }
}

static enum fg_sitemap_kind show(struct fg_cli *cli, struct fg_str bytes)
{
    const struct options *o = cli->options;
    struct fg_out *out = &cli->out;
    struct sink sink = {out, fg_json_to(&out->buf)};
    struct fg_sitemap_options how = {.url = o->base};
    struct fg_sitemap *map =
        fg_sitemap_new(&how, o->json ? json_entry : print_entry, &sink);
    if (o->json) {
        fg_json_object(&sink.json);
        fg_json_key(&sink.json, "entries");
        fg_json_array(&sink.json);
    }
    fg_sitemap_feed(map, bytes);
    const struct fg_sitemap_result *result = fg_sitemap_finish(map);
    enum fg_sitemap_kind kind = result->kind;
    if (o->json) {
        fg_json_end(&sink.json);
        json_result(&sink.json, result);
        fg_json_end(&sink.json);
        fg_out_puts(out, "\n");
    } else {
        print_result(out, result);
    }
    fg_sitemap_free(map);
    return kind;
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    struct fg_url base;
    struct fg_str bytes;
    enum fg_status st =
        fg_cli_document(cli, o->base, FG_SITEMAP_BYTES_MAX, &base, &bytes, err);
    if (st)
        return st;
    if (show(cli, bytes) == FG_SITEMAP_NONE)
        return fg_fail(err, FG_EINPUT, "'%s' is not a sitemap",
                       fg_file_name(cli->words[0]));
    return FG_OK;
}

static const struct fg_example examples[] = {
    {"forage sitemap sitemap.xml", "each page and when it was last changed"},
    {"gzip -c sitemap.xml | forage sitemap - --json", "packed, for a script"},
    {0},
};

const struct fg_command fg_cmd_sitemap = {
    .name = "sitemap",
    .words = "FILE",
    .summary = "list the pages of a sitemap, or the sitemaps of an index",
    .about =
        "Reads a sitemap from FILE, or '-' for standard input: XML, plain text, RSS or "
        "Atom, also packed with gzip. Prints each page with its date, then what kind "
        "of sitemap it is and what is wrong with it. The limit is that of the "
        "protocol, 50 MB, not fetch.max-body.",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .options_size = sizeof(struct options),
    .examples = examples,
    .run = run,
};
