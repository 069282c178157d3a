/* cmd_feed.c - forage feed: what an RSS, Atom or JSON feed announces */
#include "base/file.h"
#include "cli/cli.h"
#include "net/feed/feed.h"
#include "net/url/url.h"

struct options {
    struct fg_str base;
    bool json;
};

static const struct fg_opt options[] = {
    {"base", FG_STRING(struct options, base), .letter = 'b', .arg = "URL",
     .help = "the address of the feed, against which its links are resolved"},
    {"json", FG_BOOL(struct options, json), .letter = 'j',
     .help = "as JSON, with everything that was found"},
    {0},
};

static void json_dates(struct fg_json *json, const struct fg_feed_item *item)
{
    static const char *const names[] = {
        [FG_FEED_PUBLISHED] = "published",
        [FG_FEED_UPDATED] = "updated",
        [FG_FEED_CREATED] = "created",
        [FG_FEED_EXPIRED] = "expired",
    };
    for (size_t i = 0; i < FG_FEED_DATES; i++) {
        if (i > FG_FEED_UPDATED && item->dates[i].time == FG_NEVER)
            continue; /* the rare ones only where they are */
        fg_json_pair_time(json, names[i], item->dates[i].time);
    }
}

static void json_texts(struct fg_json *json, const struct fg_feed_item *item)
{
    static const char *const names[] = {
        [FG_FEED_TITLE] = "title",     [FG_FEED_SUMMARY] = "summary",
        [FG_FEED_CONTENT] = "content", [FG_FEED_RIGHTS] = "rights",
        [FG_FEED_INFO] = "info",
    };
    for (size_t i = 0; i < FG_FEED_TEXTS; i++)
        if (i == FG_FEED_TITLE || item->texts[i].value.at)
            fg_json_pair(json, names[i], item->texts[i].value);
}

static void json_people(struct fg_json *json, const struct fg_feed_item *item)
{
    fg_json_key(json, "authors");
    fg_json_array(json);
    for (size_t i = 0; i < item->n_people; i++) {
        const struct fg_feed_person *person = &item->people[i];
        if (person->role == FG_FEED_AUTHOR)
            fg_json_str(json, person->name.len ? person->name : person->email);
    }
    fg_json_end(json);
}

static void json_links(struct fg_json *json, const struct fg_feed_item *item)
{
    fg_json_key(json, "links");
    fg_json_array(json);
    for (size_t i = 0; i < item->n_links; i++) {
        fg_json_object(json);
        fg_json_pair(json, "rel", item->links[i].rel);
        fg_json_pair(json, "href", item->links[i].href);
        if (item->links[i].type.len)
            fg_json_pair(json, "type", item->links[i].type);
        fg_json_end(json);
    }
    fg_json_end(json);
}

static void json_item(struct fg_json *json, const struct fg_feed_item *item)
{
    fg_json_object(json);
    fg_json_pair(json, "id", item->id);
    fg_json_pair(json, "link", item->link);
    json_texts(json, item);
    json_dates(json, item);
    json_people(json, item);
    json_links(json, item);
    fg_json_end(json);
}

static void json_problems(struct fg_json *json, const struct fg_feed *feed)
{
    fg_json_key(json, "problems");
    fg_json_array(json);
    fg_json_xml_problems(json, &feed->xml);
    if (feed->json.words.at) {
        fg_json_object(json);
        fg_json_problem(json, feed->json.line, feed->json.words.at);
        fg_json_end(json);
    }
    for (size_t i = 0; i < feed->n_problems; i++) {
        const struct fg_feed_problem *problem = &feed->problems[i];
        fg_json_object(json);
        fg_json_problem(json, problem->line, fg_feed_problem_text(problem->kind));
        fg_json_pair_cstr(json, "element", problem->element);
        fg_json_pair(json, "value", problem->value);
        fg_json_end(json);
    }
    fg_json_end(json);
}

static void print_json(struct fg_out *out, const struct fg_feed *feed)
{
    struct fg_json json = fg_json_to(&out->buf);
    fg_json_object(&json);
    fg_json_pair_cstr(&json, "kind", fg_feed_kind_name(feed->kind));
    fg_json_pair_bool(&json, "well_formed", feed->well_formed);
    fg_json_pair_bool(&json, "cut", feed->cut);
    fg_json_pair_cstr(&json, "encoding", feed->encoding);
    fg_json_pair(&json, "self", feed->self);
    fg_json_pair(&json, "hub", feed->hub);
    fg_json_pair(&json, "next", feed->next);
    fg_json_key(&json, "about");
    json_item(&json, &feed->about);
    fg_json_key(&json, "entries");
    fg_json_array(&json);
    for (size_t i = 0; i < feed->n_entries; i++)
        json_item(&json, &feed->entries[i]);
    fg_json_end(&json);
    json_problems(&json, feed);
    fg_json_end(&json);
    fg_out_puts(out, "\n");
}

/* When it appeared, or else when it was last touched. */
static fg_time date_of(const struct fg_feed_item *item)
{
    fg_time published = item->dates[FG_FEED_PUBLISHED].time;
    return published != FG_NEVER ? published : item->dates[FG_FEED_UPDATED].time;
}

static void print_entry(struct fg_out *out, const struct fg_feed_item *entry)
{
    char text[FG_TIME_TEXT] = "-";
    if (date_of(entry) != FG_NEVER)
        fg_time_format(text, date_of(entry));
    fg_out_printf(out, "%-20s ", text);
    fg_out_text(out, entry->link.len ? entry->link : entry->id);
    fg_out_puts(out, "\n");
    if (entry->texts[FG_FEED_TITLE].value.len) {
        fg_out_pad(out, 0, 21);
        fg_out_text(out, entry->texts[FG_FEED_TITLE].value);
        fg_out_puts(out, "\n");
    }
}

static void print_problems(struct fg_out *out, const struct fg_feed *feed)
{
    enum { WIDTH = 10 };
    fg_out_xml_problems(out, WIDTH, &feed->xml);
    if (feed->json.words.at) {
        fg_out_problem(out, WIDTH, feed->json.line, feed->json.words.at);
        fg_out_puts(out, "\n");
    }
    for (size_t i = 0; i < feed->n_problems; i++) {
        const struct fg_feed_problem *problem = &feed->problems[i];
        fg_out_problem(out, WIDTH, problem->line, problem->element);
        fg_out_printf(out, ": %s: ", fg_feed_problem_text(problem->kind));
        fg_out_text(out, problem->value);
        fg_out_puts(out, "\n");
    }
}

static void print_text(struct fg_out *out, const struct fg_feed *feed)
{
    fg_out_printf(out, "%-10s %s, %s%s%s\n", "kind", fg_feed_kind_name(feed->kind),
                  feed->encoding, feed->well_formed ? "" : ", not well-formed",
                  feed->cut ? ", cut short at a limit" : "");
    fg_out_field(out, "title", feed->about.texts[FG_FEED_TITLE].value);
    fg_out_field(out, "link", feed->about.link);
    fg_out_field(out, "self", feed->self);
    fg_out_field(out, "hub", feed->hub);
    fg_out_field(out, "next", feed->next);
    print_problems(out, feed);
    for (size_t i = 0; i < feed->n_entries; i++)
        print_entry(out, &feed->entries[i]);
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    struct fg_feed_options how = {.url = o->base, .now = fg_time_now()};
    struct fg_url base;
    struct fg_str bytes;
    enum fg_status st = fg_cli_document(cli, o->base, 0, &base, &bytes, err);
    if (st)
        return st;
    const struct fg_feed *feed = fg_feed_parse(cli->arena, bytes, &how);
    if (feed->kind == FG_FEED_NONE)
        return fg_fail(err, FG_EINPUT, "'%s' is not a feed", fg_file_name(cli->words[0]));
    if (o->json)
        print_json(&cli->out, feed);
    else
        print_text(&cli->out, feed);
    return FG_OK;
}

static const struct fg_example examples[] = {
    {"forage feed feed.xml", "what it is, and each entry with its date and link"},
    {"forage feed feed.xml --base https://example.org/ --json", "for a script"},
    {0},
};

const struct fg_command fg_cmd_feed = {
    .name = "feed",
    .words = "FILE",
    .summary = "list the entries of an RSS, Atom or JSON feed",
    .about =
        "Reads a feed from FILE, or '-' for standard input: RSS 0.9 to 2.0, Atom, RDF, "
        "CDF or JSON Feed, broken XML included, and prints what it announces and what "
        "is wrong with it.",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .options_size = sizeof(struct options),
    .settings = "fetch.max-body",
    .examples = examples,
    .run = run,
};
