/* cmd_add.c - forage add: what to watch
 *
 * All seeds are read and checked before the first is added, so that a mistake in a long
 * file changes nothing. If a crawl is running, it alone may write to the store: then the
 * seeds are left in the inbox of the workspace, where it finds them within seconds. */
#include "cli/crawling.h"
#include "view/look.h"

#include <unistd.h>

struct options {
    bool document, source, feed, page, skip_bad, json;
    int scope;
    double weight, budget;
    struct fg_str seeds, value;
    struct fg_opt_list tags;
    fg_time at_least;
};

static const char *const scopes[] = {"as-is", "host", "prefix", "page", "domain", NULL};

static const struct fg_opt options[] = {
    {"seeds", FG_STRING(struct options, seeds), .arg = "FILE",
     .help = "add the addresses in this file; - is standard input"},
    {"document", FG_BOOL(struct options, document), .letter = 'd',
     .help = "keep these pages themselves fresh; do not explore their sites"},
    {"source", FG_BOOL(struct options, source), .letter = 's',
     .help = "look at these pages for links, whatever they look like"},
    {"feed", FG_BOOL(struct options, feed), .letter = 'f',
     .help = "follow these feeds alone: ask for them and their entries, nothing else"},
    {"page", FG_BOOL(struct options, page), .letter = 'p',
     .help = "fetch these pages once; do not explore their sites"},
    {"tag", FG_LIST(struct options, tags), .letter = 't', .arg = "WORD,...",
     .help = "tags for their sites"},
    {"weight", FG_DOUBLE(struct options, weight), .max = 1e9,
     .help = "importance of a document; 1 if nothing is said"},
    {"scope", FG_ENUM(struct options, scope, scopes), "as-is",
     .help = "which pages of their sites are explored: see 'forage site'; prefix is the "
             "folder of the address"},
    {"budget", FG_DOUBLE(struct options, budget), .min = 0, .max = 1e9,
     .help = "page requests an hour to each of their sites"},
    {"at-least", FG_SPAN(struct options, at_least), .max = 366 * (double)FG_DAY,
     .help = "longest time between two visits: of a --document, --source or --feed, else "
             "of the seeds, feeds and documents of these sites"},
    {"value", FG_STRING(struct options, value), .arg = "RULE",
     .check = fg_seed_check_value,
     .help = "what of these documents, or of all documents of these sites, counts: see "
             "documents.value"},
    {"skip-bad", FG_BOOL(struct options, skip_bad),
     .help = "add the good lines of a file even if others are wrong"},
    {"json", FG_BOOL(struct options, json), .letter = 'j', .help = "as JSON"},
    {0},
};

struct outcome {
    size_t seeds, wrong;
    struct fg_enlisted made;
    int64_t process; /* the crawl that was given them, or -1 */
};

static enum fg_status preset_of(struct fg_seed *seed, struct fg_cli *cli,
                                struct fg_err *err)
{
    const struct options *o = cli->options;
    if (o->document + o->source + o->page + o->feed > 1)
        return fg_fail(err, FG_ECONFIG,
                       "--document, --source, --feed and --page cannot be combined");
    if (o->page && o->at_least)
        return fg_fail(err, FG_ECONFIG,
                       "--page fetches once and has no --at-least; --document visits "
                       "again");
    fg_seed_set_type(seed, o->document ? FG_STR("document")
                           : o->source ? FG_STR("source")
                           : o->feed   ? FG_STR("feed")
                           : o->page   ? FG_STR("page")
                                       : FG_STR("site"));
    seed->weight = (float)o->weight;
    seed->value = o->value;
    seed->scope = (enum fg_scope)o->scope;
    seed->budget = o->budget;
    seed->at_least = o->at_least;
    struct fg_buf tags;
    fg_buf_init(&tags, 1 << 16);
    for (size_t i = 0; i < o->tags.len; i++)
        fg_buf_printf(&tags, "%s%.*s", i ? "," : "", FG_ARG(o->tags.at[i]));
    seed->tags = fg_arena_dup(cli->arena, fg_buf_str(&tags));
    bool is_plain = fg_str_chr(seed->tags, '\t') == FG_NOT_FOUND &&
                    fg_str_chr(seed->tags, '\n') == FG_NOT_FOUND && !tags.full;
    fg_buf_clear(&tags);
    return is_plain ? FG_OK
                    : fg_fail(err, FG_ECONFIG,
                              "--tag: a tag must not contain tabs or newlines");
}

static enum fg_status hand_over(struct fg_cli *cli, const struct fg_seeds *seeds,
                                struct fg_err *err)
{
    struct fg_buf text;
    fg_buf_init(&text, 64 << 20);
    for (size_t i = 0; i < seeds->lines.len; i++)
        fg_seed_format(&text, seeds->lines.at[i].url, &seeds->lines.at[i].seed);
    enum fg_status st =
        text.full
            ? fg_fail(err, FG_ELIMIT,
                      "more seeds than a running crawl can be given "
                      "at once; stop it first")
            : fg_inbox_put(fg_cli_inbox(cli), FG_INBOX_SEEDS, fg_buf_str(&text), err);
    fg_buf_clear(&text);
    return st;
}

static enum fg_status add_here(struct fg_cli *cli, const struct fg_seeds *seeds,
                               struct outcome *outcome, struct fg_err *err)
{
    struct fg_store *store;
    enum fg_status st = fg_cli_store(cli, false, &store, err);
    if (st)
        return st;
    st = fg_enlist(&outcome->made, store, &cli->settings.crawl, seeds->lines.at,
                   seeds->lines.len, err);
    enum fg_status closed = fg_store_close(store, st ? NULL : err);
    return st ? st : closed;
}

static void tell(struct fg_cli *cli, const struct outcome *outcome)
{
    const struct options *o = cli->options;
    struct fg_out *out = &cli->out;
    char process[FG_PROCESS_TEXT];
    bool handed_over = outcome->process >= 0;
    if (o->json) {
        struct fg_json json = fg_json_to(&out->buf);
        fg_json_object(&json);
        fg_json_pair_uint(&json, "seeds", outcome->seeds);
        fg_json_pair_uint(&json, "wrong", outcome->wrong);
        fg_json_pair_bool(&json, "handed_over", handed_over);
        if (handed_over) {
            fg_json_pair_uint(&json, "process", (uint64_t)outcome->process);
        } else {
            fg_json_pair_uint(&json, "new_pages", outcome->made.new_pages);
            fg_json_pair_uint(&json, "new_sites", outcome->made.new_sites);
        }
        fg_json_end(&json);
        fg_out_puts(out, "\n");
    } else if (handed_over) {
        fg_out_printf(out,
                      "%zu %s for the crawl that is running%s; it takes them up within "
                      "seconds\n",
                      outcome->seeds, outcome->seeds == 1 ? "address" : "addresses",
                      fg_process_words(process, outcome->process));
    } else {
        fg_out_printf(out, "%zu %s, %llu of them new, on %llu new %s\n", outcome->seeds,
                      outcome->seeds == 1 ? "address" : "addresses",
                      (unsigned long long)outcome->made.new_pages,
                      (unsigned long long)outcome->made.new_sites,
                      outcome->made.new_sites == 1 ? "site" : "sites");
    }
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    struct fg_seeds seeds = {0};
    enum fg_status st = preset_of(&seeds.preset, cli, err);
    if (!st)
        st = fg_cli_seeds(cli, &seeds, o->seeds, o->skip_bad, err);
    if (!st && !seeds.lines.len && !cli->n_words && !o->seeds.len)
        st = fg_fail(err, FG_ECONFIG,
                     "nothing to add: give addresses, --seeds FILE, or - for standard "
                     "input");
    if (st)
        return st;
    const char *path = fg_cli_store_path(cli);
    struct outcome outcome = {
        .seeds = seeds.lines.len, .wrong = seeds.wrong, .process = fg_store_writer(path)};
    if (outcome.process < 0) {
        st = add_here(cli, &seeds, &outcome, err);
        if (st == FG_EIO) /* perhaps a crawl has begun just now */
            outcome.process = fg_store_writer(path);
    }
    if (outcome.process >= 0)
        st = hand_over(cli, &seeds, err);
    if (!st)
        tell(cli, &outcome);
    return st;
}

static const struct fg_example examples[] = {
    {"forage add news.example", "watch a site; without a scheme it is https"},
    {"forage add --feed https://blog.example/feed.xml --at-least 30m",
     "follow a feed alone, looked at every half hour or more often"},
    {"forage add --document --weight 2 --tag law https://law.example/42",
     "keep one page fresh"},
    {"forage add --document --value 'selector:#price' https://shop.example/lamp",
     "watch one value on a page"},
    {"forage add --scope prefix --budget 20 https://uni.example/news/",
     "watch a part of a site, gently"},
    {"printf 'https://b.example/\\ttags=press\\n' | forage add - --json", "for a script"},
    {0},
};

const struct fg_command fg_cmd_add = {
    .name = "add",
    .words = "[URL|-]...",
    .summary = "add sites or pages to be watched",
    .about =
        "Adds the sites of the addresses to this workspace; the next 'forage run' "
        "explores them. An address without a scheme is https, on this machine http; a "
        "word that names a file is read as a file of seeds. A feed is followed alone "
        "with --feed, or if it is all that was added of its site. A site that was "
        "removed begins anew. A file of seeds has one address a line, then, after tabs, "
        "key=value: type (site, source, feed, page or document), weight, tags, value, "
        "page-tags, name, scope, budget, at-least; lines that "
        "start with # are comments. If a line is wrong, each such line is named and "
        "nothing is added, unless --skip-bad is given. While a crawl runs on the "
        "workspace the addresses are handed to it.",
    .max_words = 100000,
    .options = options,
    .options_size = sizeof(struct options),
    .settings = "workspace operator.contact operator.name canonical",
    .examples = examples,
    .run = run,
};
