/* cmd_feeds.c - forage feeds: write a folder of feeds for readers to subscribe to */
#include "cli/crawling.h"
#include "crawl/output/feeds.h"

struct options {
    bool json;
};

static const struct fg_opt options[] = {
    {"json", FG_BOOL(struct options, json), .letter = 'j',
     .help = "list what was written as JSON"},
    {0},
};

static void print_json(struct fg_cli *cli, const struct fg_feeds *feeds)
{
    struct fg_json json = fg_json_to(&cli->out.buf);
    fg_json_array(&json);
    for (size_t i = 0; i < fg_feeds_len(feeds); i++) {
        struct fg_feeds_view view = fg_feeds_at(feeds, i);
        if (view.is_gone)
            continue;
        fg_json_object(&json);
        fg_json_pair(&json, "path", view.path);
        fg_json_pair(&json, "title", view.title);
        fg_json_pair_uint(&json, "items", view.items);
        fg_json_end(&json);
    }
    fg_json_end(&json);
    fg_out_puts(&cli->out, "\n");
}

static void print_text(struct fg_cli *cli, const struct fg_feeds *feeds)
{
    for (size_t i = 0; i < fg_feeds_len(feeds); i++) {
        struct fg_feeds_view view = fg_feeds_at(feeds, i);
        if (view.is_gone)
            continue;
        fg_out_printf(&cli->out, "%6zu  %.*s", view.items, FG_ARG(view.path));
        fg_out_pad(&cli->out, 8 + view.path.len, 40);
        fg_out_text(&cli->out, view.title);
        fg_out_puts(&cli->out, "\n");
    }
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    const struct fg_feeds_settings *settings =
        fg_output_settings_of(&cli->settings.crawl.outputs, &fg_output_feeds);
    const char *folder = cli->n_words ? cli->words[0] : settings->dir.at;
    struct fg_store *store;
    struct fg_feeds *feeds = NULL;
    if (!folder || !*folder)
        return fg_fail(
            err, FG_ECONFIG,
            "no folder given: name one, or set feeds.dir; a running crawl then "
            "keeps the feeds there up to date");
    enum fg_status st = fg_cli_store(cli, true, &store, err);
    if (!st)
        st = fg_feeds_new(&feeds, store, settings, folder, err);
    if (!st)
        st = fg_feeds_update(feeds, err);
    if (!st)
        st = fg_feeds_write(feeds, err);
    if (!st && o->json)
        print_json(cli, feeds);
    else if (!st)
        print_text(cli, feeds);
    fg_feeds_free(feeds);
    fg_store_close(store, NULL);
    return st;
}

static const struct fg_example examples[] = {
    {"forage feeds public", "RSS, Atom and JSON feeds in this folder"},
    {"forage feeds public --feeds-url https://me.example/feeds/ --feeds-items 20",
     "with the addresses they will have, and the newest twenty entries each"},
    {"forage feeds public --feeds-queries 'law title=law kind=new' --json",
     "one more of pages with a word in their title"},
    {0},
};

const struct fg_command fg_cmd_feeds = {
    .name = "feeds",
    .words = "[DIR]",
    .summary = "write feeds of what was found, for any feed reader",
    .about =
        "Writes RSS 2.0 (.rss), Atom (.atom) and JSON Feed 1.1 (.json) files into DIR, "
        "or feeds.dir: all (new pages of all sites), changes (of documents), sites/HOST, "
        "tags/TAG, queries/NAME (of feeds.queries) and pages/... (changes of each "
        "document that you named). Each file is replaced as a whole. A running crawl "
        "does the same by itself if feeds.dir is set. 'forage feed' reads a feed.",
    .max_words = 1,
    .options = options,
    .options_size = sizeof(struct options),
    .settings = "workspace feeds",
    .examples = examples,
    .run = run,
};
