/* cmd_robots.c - forage robots: may we visit this? */
#include "cli/cli.h"
#include "crawl/host/conduct.h"
#include "net/robots/robots.h"
#include "net/robots/rules.h"
#include "net/robots/tdmrep.h"
#include "net/url/url.h"

struct options {
    struct fg_str agent, tdmrep;
    bool json;
};

static const struct fg_opt options[] = {
    {"agent", FG_STRING(struct options, agent), .letter = 'a', .arg = "TOKEN",
     .refuse = fg_robots_refuse_token,
     .help = "the robot's name; operator.token if not given"},
    {"tdmrep", FG_STRING(struct options, tdmrep), .arg = "FILE",
     .help = "a tdmrep.json of the same site: is text and data mining reserved?"},
    {"json", FG_BOOL(struct options, json), .letter = 'j', .help = "as JSON"},
    {0},
};

struct verdict {
    const char *url; /* as typed */
    struct fg_str path;
    bool allowed;
    struct fg_str rule; /* "Disallow: /private", empty if none matched */
    struct fg_conduct conduct;
};

/* A path by itself will do, too. */
static enum fg_status take_path(struct fg_cli *cli, struct fg_str word,
                                struct fg_str *path, struct fg_err *err)
{
    struct fg_url url;
    if (fg_str_starts(word, FG_STR("/"))) {
        *path = fg_robots_path(word);
        return FG_OK;
    }
    bool is_url = fg_url_parse(&url, cli->arena, word, NULL);
    if (is_url && fg_url_hostname(&url).len) {
        *path = fg_url_target(&url);
        return FG_OK;
    }
    const char *why = is_url ? "it has no host" : fg_url_reason(cli->arena, word, NULL);
    return fg_fail(err, FG_ECONFIG,
                   "'%.*s' is neither a path, which starts with '/', nor the URL of a "
                   "page: %s",
                   FG_ARG(fg_str_sub(word, 0, 200)), why);
}

/* All of them, before there is a verdict on any. The first word is the file. */
static enum fg_status take_words(struct fg_cli *cli, struct verdict *all,
                                 struct fg_err *err)
{
    enum fg_status st = FG_OK;
    for (size_t i = 1; !st && i < cli->n_words; i++) {
        all[i].url = cli->words[i];
        st = take_path(cli, fg_str_from(cli->words[i]), &all[i].path, err);
    }
    return st;
}

static void judge(struct fg_cli *cli, const struct fg_robots *robots,
                  const struct fg_tdmrep *tdmrep, struct verdict *v)
{
    struct fg_rule by;
    fg_conduct_judge(&v->conduct, &cli->settings.crawl.conduct, robots, tdmrep, v->path,
                     (struct fg_tdm){0});
    v->allowed = fg_robots_explain(&by, cli->arena, robots, v->path);
    if (by.pattern.len)
        v->rule = fg_arena_printf(cli->arena, "%s: %.*s", by.allow ? "Allow" : "Disallow",
                                  FG_ARG(by.pattern));
}

static void json_verdict(struct fg_json *json, const struct verdict *v)
{
    fg_json_object(json);
    fg_json_pair_cstr(json, "url", v->url);
    fg_json_pair(json, "path", v->path);
    fg_json_pair_bool(json, "allowed", v->allowed);
    fg_json_pair(json, "rule", v->rule.len ? v->rule : (struct fg_str){0});
    fg_json_conduct(json, &v->conduct);
    fg_json_end(json);
}

static void json_file(struct fg_json *json, const struct fg_robots *robots)
{
    size_t n;
    const struct fg_str *sitemaps = fg_robots_sitemaps(robots, &n);
    fg_json_pair_bool(json, "cut", fg_robots_is_cut(robots));
    fg_json_pair_bool(json, "named", fg_robots_names_us(robots));
    fg_json_key(json, "delay_seconds");
    if (fg_robots_delay(robots) == FG_NEVER)
        fg_json_null(json);
    else
        fg_json_double(json, fg_seconds(fg_robots_delay(robots)));
    fg_json_key(json, "sitemaps");
    fg_json_array(json);
    for (size_t i = 0; i < n; i++)
        fg_json_str(json, sitemaps[i]);
    fg_json_end(json);
    const struct fg_robots_signal *signals = fg_robots_signals(robots, &n);
    fg_json_key(json, "signals");
    fg_json_array(json);
    for (size_t i = 0; i < n; i++) {
        fg_json_object(json);
        fg_json_pair_cstr(json, "field",
                          signals[i].is_usage ? "Content-Usage" : "Content-Signal");
        fg_json_pair(json, "value", signals[i].value);
        fg_json_end(json);
    }
    fg_json_end(json);
}

static void print_json(struct fg_cli *cli, const struct fg_robots *robots,
                       struct fg_str agent, const struct verdict *verdicts)
{
    struct fg_json json = fg_json_to(&cli->out.buf);
    fg_json_object(&json);
    fg_json_pair(&json, "agent", agent);
    json_file(&json, robots);
    fg_json_key(&json, "verdicts");
    fg_json_array(&json);
    for (size_t i = 1; i < cli->n_words; i++)
        json_verdict(&json, &verdicts[i]);
    fg_json_end(&json);
    fg_json_end(&json);
    fg_out_puts(&cli->out, "\n");
}

static void print_file(struct fg_cli *cli, const struct fg_robots *robots,
                       struct fg_str agent)
{
    struct fg_out *out = &cli->out;
    char span[FG_SPAN_TEXT];
    size_t n;
    fg_out_field(out, "agent",
                 fg_arena_printf(cli->arena, "%.*s, %s", FG_ARG(agent),
                                 fg_robots_names_us(robots)
                                     ? "which a group names"
                                     : "by the rules for everybody"));
    if (fg_robots_delay(robots) != FG_NEVER)
        fg_out_field(out, "delay",
                     fg_str_from(fg_span_format(span, fg_robots_delay(robots))));
    const struct fg_str *sitemaps = fg_robots_sitemaps(robots, &n);
    for (size_t i = 0; i < n; i++)
        fg_out_field(out, "sitemap", sitemaps[i]);
    const struct fg_robots_signal *signals = fg_robots_signals(robots, &n);
    for (size_t i = 0; i < n; i++)
        fg_out_field(out, signals[i].is_usage ? "usage" : "signal", signals[i].value);
}

static void print_verdict(struct fg_out *out, const struct verdict *v)
{
    fg_out_puts(out, v->allowed ? "allowed    " : "forbidden  ");
    fg_out_text(out, fg_str_from(v->url));
    fg_out_puts(out, "  (");
    fg_out_text(out, v->rule.len  ? v->rule
                     : v->allowed ? FG_STR("no rule against it")
                                  : FG_STR("too long to be judged"));
    fg_out_puts(out, ")");
    if (v->conduct.refusal)
        fg_out_printf(out, "  not kept: %s", v->conduct.refusal);
    fg_out_puts(out, "\n");
}

static enum fg_status read_tdmrep(struct fg_cli *cli, const struct fg_tdmrep **tdmrep,
                                  struct fg_err *err)
{
    const struct options *o = cli->options;
    const char *problem;
    struct fg_str text;
    *tdmrep = NULL;
    if (!o->tdmrep.len)
        return FG_OK;
    enum fg_status st = fg_cli_input(cli, o->tdmrep.at, &text, err);
    if (st || (*tdmrep = fg_tdmrep_parse(cli->arena, text, &problem)))
        return st;
    return fg_fail(err, FG_EINPUT, "'%s' is not a valid tdmrep.json: %s", o->tdmrep.at,
                   problem);
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    const struct fg_tdmrep *tdmrep = NULL;
    struct fg_str text, agent = o->agent.at ? o->agent : cli->settings.crawl.robots_token;
    struct verdict *verdicts = FG_NEW(cli->arena, struct verdict, cli->n_words);
    enum fg_status st = take_words(cli, verdicts, err);
    if (!st)
        st = fg_cli_input(cli, cli->words[0], &text, err);
    if (!st)
        st = read_tdmrep(cli, &tdmrep, err);
    if (st)
        return st;
    const struct fg_robots *robots = fg_robots_parse(cli->arena, text, agent);
    if (fg_robots_is_cut(robots))
        fg_log_warn("robots", "too long; only its beginning was read",
                    FG_F("bytes", text.len), FG_F("limit", FG_ROBOTS_MAX_BYTES));
    for (size_t i = 1; i < cli->n_words; i++)
        judge(cli, robots, tdmrep, &verdicts[i]);
    if (o->json) {
        print_json(cli, robots, agent, verdicts);
        return FG_OK;
    }
    print_file(cli, robots, agent);
    for (size_t i = 1; i < cli->n_words; i++)
        print_verdict(&cli->out, &verdicts[i]);
    return FG_OK;
}

static const struct fg_example examples[] = {
    {"forage robots robots.txt --agent mybot https://example.org/private/x /public",
     "may mybot visit these, and which rule says so?"},
    {"forage robots robots.txt", "the delay and the sitemaps a site announces"},
    {"printf 'User-agent: *\\nDisallow: /*.pdf$\\n' | forage robots - --json /a.pdf",
     "for a script, from standard input"},
    {0},
};

const struct fg_command fg_cmd_robots = {
    .name = "robots",
    .words = "FILE [URL]...",
    .summary = "read a robots.txt; tell what it allows and which rule says so",
    .about =
        "Reads robots.txt as RFC 9309 asks, from FILE or '-' for standard input, and "
        "prints what it says to the robot: the delay it asks for, the sitemaps it "
        "names, and for each URL or path whether it may be visited, and whether a copy "
        "of "
        "it may be kept by its Content-Signal lines and, with --tdmrep, by a tdmrep.json "
        "(see the settings of the group conduct).",
    .min_words = 1,
    .max_words = 100000,
    .options = options,
    .options_size = sizeof(struct options),
    .settings = "operator.token fetch.max-body conduct",
    .examples = examples,
    .run = run,
};
