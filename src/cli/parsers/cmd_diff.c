/* cmd_diff.c - forage diff: has this page changed, and is it more than noise? */
#include "cli/cli.h"
#include "crawl/intake/seeds.h"
#include "net/charset/charset.h"
#include "net/html/value.h"
#include "net/text/change.h"
#include "view/ago.h"

struct options {
    double threshold;
    struct fg_str value;
    bool plain, json;
};

static const struct fg_opt options[] = {
    {"threshold", FG_DOUBLE(struct options, threshold), "0.02", .max = 1,
     .help = "share of the text that must differ to count as a change"},
    {"value", FG_STRING(struct options, value), .arg = "RULE",
     .check = fg_seed_check_value,
     .help = "compare values instead: auto, offer, text, page or selector:CSS"},
    {"plain", FG_BOOL(struct options, plain), .letter = 'p',
     .help = "the files are plain text, not HTML"},
    {"json", FG_BOOL(struct options, json), .letter = 'j', .help = "as JSON"},
    {0},
};

/* What a reader sees of a version. */
static enum fg_status read_text(struct fg_cli *cli, const char *path, struct fg_str *text,
                                struct fg_err *err)
{
    const struct options *o = cli->options;
    struct fg_str bytes;
    enum fg_status st = fg_cli_input(cli, path, &bytes, err);
    if (st)
        return st;
    struct fg_charset charset = fg_charset_of_html(bytes, (struct fg_str){0});
    *text = fg_charset_decode(cli->arena, charset, bytes);
    if (o->plain)
        return FG_OK;
    struct fg_page page;
    fg_page_read(&page, cli->arena, *text, FG_PAGE_TEXT);
    *text = page.text;
    return FG_OK;
}

/* --- values --- */

static enum fg_status read_value(struct fg_cli *cli, const char *path,
                                 const struct fg_value_rule *rule, struct fg_value *value,
                                 struct fg_err *err)
{
    struct fg_str bytes;
    enum fg_status st = fg_cli_input(cli, path, &bytes, err);
    if (st)
        return st;
    struct fg_charset charset = fg_charset_of_html(bytes, (struct fg_str){0});
    struct fg_str html = fg_charset_decode(cli->arena, charset, bytes);
    struct fg_page page;
    fg_page_read(&page, cli->arena, html, FG_VALUE_PARTS);
    fg_value_read(value, cli->arena, &page, html, rule);
    return FG_OK;
}

static void print_values(struct fg_cli *cli, const struct fg_value values[2])
{
    const struct options *o = cli->options;
    static const char *const names[] = {"before", "after"};
    bool is_changed = values[0].hash != values[1].hash;
    struct fg_json json = fg_json_to(&cli->out.buf);
    if (o->json) {
        fg_json_object(&json);
        fg_json_pair_bool(&json, "changed", is_changed);
    } else {
        fg_out_printf(&cli->out, "%-12s %s\n", "verdict",
                      is_changed ? "changed" : "unchanged");
    }
    for (int i = 0; i < 2; i++) {
        const char *kind = fg_value_kind_name(values[i].kind);
        if (o->json) {
            fg_json_key(&json, names[i]);
            fg_json_object(&json);
            fg_json_pair_cstr(&json, "kind", kind);
            fg_json_pair(&json, "text", values[i].text);
            fg_json_end(&json);
        } else {
            fg_out_printf(&cli->out, "%-12s %s: ", names[i], kind);
            fg_out_text(&cli->out, fg_beginning(cli->arena,
                                                values[i].whole.len ? values[i].whole
                                                                    : values[i].text,
                                                false));
            fg_out_puts(&cli->out, "\n");
        }
    }
    if (o->json) {
        fg_json_end(&json);
        fg_out_puts(&cli->out, "\n");
    }
}

static enum fg_status compare_values(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    struct fg_value_rule rule;
    struct fg_value values[2];
    enum fg_status st = fg_value_rule_parse(&rule, cli->arena, o->value, err);
    for (int i = 0; !st && i < 2; i++)
        st = read_value(cli, cli->words[i], &rule, &values[i], err);
    if (!st)
        print_values(cli, values);
    return st;
}

/* --- texts --- */

struct result {
    struct fg_change change;
    double resemblance; /* as the sketches estimate it */
    unsigned simhash_bits;
};

static struct result compare(struct fg_str before, struct fg_str after, double threshold)
{
    struct fg_shingler shingler;
    struct fg_print a, b;
    fg_shingler_init(&shingler, FG_SHINGLE_WORDS);
    fg_shingler_add(&shingler, before);
    fg_shingler_end(&shingler, &a);
    fg_shingler_add(&shingler, after);
    fg_shingler_end(&shingler, &b);
    return (struct result){
        .change = fg_change_between(&shingler, before, after, threshold),
        .resemblance = fg_sketch_resemblance(&a.all, &b.all),
        .simhash_bits = fg_simhash_distance(a.simhash, b.simhash),
    };
}

static const char *verdict_of(const struct fg_change *change)
{
    return change->changed        ? "changed"
           : change->figures_only ? "figures only"
           : change->text > 0     ? "below the threshold"
                                  : "unchanged";
}

static void print_json(struct fg_out *out, const struct result *r)
{
    struct fg_json json = fg_json_to(&out->buf);
    fg_json_object(&json);
    fg_json_pair_bool(&json, "changed", r->change.changed);
    fg_json_pair_cstr(&json, "verdict", verdict_of(&r->change));
    fg_json_pair_double(&json, "text", r->change.text);
    fg_json_pair_double(&json, "figures", r->change.figures);
    fg_json_pair_uint(&json, "added", r->change.added);
    fg_json_pair_uint(&json, "removed", r->change.removed);
    fg_json_pair_double(&json, "resemblance", r->resemblance);
    fg_json_pair_uint(&json, "simhash_bits", r->simhash_bits);
    fg_json_end(&json);
    fg_out_puts(out, "\n");
}

static void print_text(struct fg_out *out, const struct result *r)
{
    fg_out_printf(out, "%-12s %s\n", "verdict", verdict_of(&r->change));
    fg_out_printf(out, "%-12s %.4f of the runs of words differ (%zu new, %zu gone)\n",
                  "text", r->change.text, r->change.added, r->change.removed);
    fg_out_printf(out, "%-12s %.4f of the numbers and dates differ\n", "figures",
                  r->change.figures);
    fg_out_printf(out, "%-12s %.3f by the sketches, %u of 64 bits of the simhash apart\n",
                  "resemblance", r->resemblance, r->simhash_bits);
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    struct fg_str before, after;
    if (o->value.len)
        return compare_values(cli, err);
    enum fg_status st = read_text(cli, cli->words[0], &before, err);
    if (!st)
        st = read_text(cli, cli->words[1], &after, err);
    if (st)
        return st;
    struct result r = compare(before, after, o->threshold);
    if (o->json)
        print_json(&cli->out, &r);
    else
        print_text(&cli->out, &r);
    return FG_OK;
}

static const struct fg_example examples[] = {
    {"forage diff old.html new.html", "only the clock on the page has moved"},
    {"echo 'quite another text' | forage diff --plain old.html - --json",
     "for a script, one of them from standard input"},
    {"forage diff --value selector:h1 old.html new.html", "has this part of it changed?"},
    {0},
};

const struct fg_command fg_cmd_diff = {
    .name = "diff",
    .words = "OLD NEW",
    .summary = "measure how much a page has changed between two versions",
    .about = "Compares the visible text of two versions of a page, numbers and dates "
             "apart from words, so that clocks and counters do not count as changes; or "
             "what a rule selects of them, as a crawl does with documents (see "
             "documents.value). Either file may be '-' for standard input. The exit code "
             "does not depend on the verdict.",
    .min_words = 2,
    .max_words = 2,
    .options = options,
    .options_size = sizeof(struct options),
    .settings = "fetch.max-body",
    .examples = examples,
    .run = run,
};
