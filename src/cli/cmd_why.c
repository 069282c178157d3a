/* cmd_why.c - forage why: what the crawl thinks of a page, and what it competes with */
#include "cli/why.h"

struct options {
    int64_t around;
    bool json;
};

static const struct fg_opt options[] = {
    {"around", FG_INT(struct options, around), "3", .letter = 'n', .min = 0, .max = 1e5,
     .help = "pages shown before and behind it in rank"},
    {"json", FG_BOOL(struct options, json), .letter = 'j', .help = "as JSON"},
    {0},
};

static void print_text(struct fg_why *v)
{
    struct fg_out *out = &v->look->cli->out;
    fg_out_text(out, v->page.url);
    fg_out_puts(out, "\n");
    fg_why_print(v);
}

static void print_json(struct fg_why *v, struct fg_why *there)
{
    struct fg_json json = fg_json_to(&v->look->cli->out.buf);
    fg_json_object(&json);
    fg_why_json(&json, v);
    if (there) {
        fg_json_key(&json, "target");
        fg_json_object(&json);
        fg_why_json(&json, there);
        fg_json_end(&json);
    }
    fg_json_end(&json);
    fg_out_puts(&v->look->cli->out, "\n");
}

/* --- the command --- */

/* Of an alias, the page it leads to is what people want to know about. */
static enum fg_status answer(struct fg_why *v, struct fg_err *err)
{
    const struct options *o = v->look->cli->options;
    enum fg_status st = fg_look_find_page(v->look, v->look->cli->words[0], &v->page, err);
    if (!st)
        st = fg_why_ask(v, err);
    if (st)
        return st;
    struct fg_why there = {.look = v->look, .page = v->target, .around = v->around};
    bool leads_on = v->target.site != 0;
    if (leads_on)
        st = fg_why_ask(&there, err);
    if (!st && o->json) {
        print_json(v, leads_on ? &there : NULL);
    } else if (!st) {
        print_text(v);
        if (leads_on) {
            fg_out_puts(&v->look->cli->out, "\n");
            print_text(&there);
        }
    }
    fg_why_clear(&there);
    return st;
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    struct fg_look look;
    struct fg_why v = {.look = &look, .around = (size_t)o->around};
    enum fg_status st = fg_look_open(&look, cli, err);
    if (!st)
        st = answer(&v, err);
    fg_why_clear(&v);
    fg_look_close(&look);
    return st;
}

static const struct fg_example examples[] = {
    {"forage why https://news.example/politics/",
     "what the policy believes of it, and its rank"},
    {"forage why https://news.example/private/x", "why a page is not looked at"},
    {"forage why https://news.example/ --json", "for a script"},
    {0},
};

const struct fg_command fg_cmd_why = {
    .name = "why",
    .words = "URL",
    .summary = "show why a page is, or is not, looked at again, and when",
    .about =
        "Asks the policy what it believes of a page: its score, the rate at which it "
        "leads to new pages, or as a document changes, with a 95 % interval, how much "
        "evidence that stands on, its rank among the sources or documents of its site "
        "and the ones it competes with. For "
        "a page that is not looked at again, the reason; for one that leads to another, "
        "the same of that page. Works while a crawl runs; "
        "the policy's state is then at most a tick old, and the visits since are "
        "added.",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .options_size = sizeof(struct options),
    .settings = "workspace policy crawl.budget crawl.tick crawl.document-share",
    .examples = examples,
    .only_looks = true,
    .run = run,
};
