/* cmd_url.c - forage url: take URLs apart */
#include "base/file.h"
#include "cli/cli.h"
#include "net/url/canonical.h"
#include "net/url/domain.h"
#include "net/url/url.h"

#include <inttypes.h>
#include <stdio.h>

struct options {
    struct fg_str base;
    bool json;
};

static const struct fg_opt options[] = {
    {"base", FG_STRING(struct options, base), .letter = 'b', .arg = "URL",
     .help = "resolve relative URLs against this one"},
    {"json", FG_BOOL(struct options, json), .letter = 'j',
     .help = "a JSON object a line"},
    {0},
};

struct job {
    struct fg_cli *cli;
    const struct options *o;
    const struct fg_url *base; /* or NULL */
    struct fg_arena arena;     /* of the URL in hand */
    size_t good, wrong;
    struct fg_str first_wrong;
    const char *reason; /* of the first */
};

/* What there is to say about a URL, in the order it is said. */
enum { PARTS = 14 };
struct part {
    const char *name;
    struct fg_str text;
};

static size_t list_parts(struct part out[PARTS], struct fg_arena *arena,
                         const struct fg_settings *settings, const struct fg_url *url)
{
    struct fg_str canonical = fg_cli_canonical(arena, settings, url);
    int32_t port = fg_url_port(url);
    const struct part parts[PARTS] = {
        {"href", url->href},
        {"scheme", fg_url_scheme(url)},
        {"username", fg_url_username(url)},
        {"password", fg_url_password(url)},
        {"host", fg_url_hostname(url)},
        {"port", port >= 0 ? fg_arena_printf(arena, "%" PRId32, port) : FG_STR("")},
        {"path", fg_url_pathname(url)},
        {"query", fg_str_skip(fg_url_search(url), 1)},
        {"fragment", fg_str_skip(fg_url_hash(url), 1)},
        {"origin", fg_url_origin(arena, url)},
        {"canonical", canonical},
        {"site", fg_canonical_site(canonical)},
        {"domain", fg_domain_registrable(fg_url_hostname(url))},
        {"fingerprint",
         fg_arena_printf(arena, "%016" PRIx64, fg_canonical_fingerprint(canonical))},
    };
    memcpy(out, parts, sizeof parts);
    return PARTS;
}

static void json_part(struct fg_json *json, const struct part *part)
{
    uint64_t port;
    if (strcmp(part->name, "port") != 0) {
        fg_json_pair(json, part->name, part->text);
        return;
    }
    fg_json_key(json, part->name);
    if (fg_str_to_u64(part->text, &port))
        fg_json_uint(json, port);
    else
        fg_json_null(json);
}

static void print_json(struct fg_out *out, struct fg_str input, const struct part *parts,
                       size_t n, const char *reason)
{
    struct fg_json json = fg_json_to(&out->buf);
    fg_json_object(&json);
    fg_json_pair(&json, "input", input);
    fg_json_pair_bool(&json, "valid", n > 0);
    if (!n)
        fg_json_pair_cstr(&json, "reason", reason);
    for (size_t i = 0; i < n; i++)
        json_part(&json, &parts[i]);
    fg_json_end(&json);
    fg_out_puts(out, "\n");
}

static void print_text(struct fg_out *out, const struct part *parts, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!parts[i].text.len)
            continue;
        fg_out_printf(out, "%-12s ", parts[i].name);
        fg_out_text(out, parts[i].text);
        fg_out_puts(out, "\n");
    }
}

static const char *note_wrong(struct job *job, struct fg_str input)
{
    const char *reason = fg_url_reason(&job->arena, input, job->base);
    if (!job->wrong++) {
        job->first_wrong = fg_arena_dup(job->cli->arena, fg_str_sub(input, 0, 200));
        job->reason = fg_arena_cstr(job->cli->arena, fg_str_from(reason));
    }
    return reason;
}

static void show(struct job *job, struct fg_str input)
{
    struct fg_out *out = &job->cli->out;
    struct fg_url url;
    struct part parts[PARTS];
    const char *reason = NULL;
    size_t n = 0;
    if (fg_url_parse(&url, &job->arena, input, job->base)) {
        n = list_parts(parts, &job->arena, &job->cli->settings, &url);
        if (job->good++ && !job->o->json)
            fg_out_puts(out, "\n");
    } else {
        reason = note_wrong(job, input);
    }
    if (job->o->json)
        print_json(out, input, parts, n, reason);
    else
        print_text(out, parts, n);
}

/* The memory of a line is used again for the next: the list may be long. */
static enum fg_status show_lines(struct job *job, struct fg_err *err)
{
    struct fg_err why = {0};
    struct fg_str line;
    while (fg_line_next(stdin, &job->arena, FG_URL_MAX, &line, &why)) {
        if (fg_str_trim(line).len)
            show(job, line);
        fg_arena_reset(&job->arena);
    }
    return why.status ? fg_fail(err, why.status, "'%s': %s", fg_file_name("-"), why.text)
                      : FG_OK;
}

/* It would be a URL if only there were a base. */
static bool is_relative(const struct job *job)
{
    struct fg_url base, url;
    struct fg_arena *arena = job->cli->arena;
    return !job->base && job->first_wrong.len &&
           fg_url_parse(&base, arena, FG_STR("any://base/"), NULL) &&
           fg_url_parse(&url, arena, job->first_wrong, &base);
}

static enum fg_status report_wrong(const struct job *job, struct fg_err *err)
{
    if (!job->wrong)
        return FG_OK;
    if (job->wrong == 1)
        return fg_fail(err, FG_EINPUT, "'%.*s' is not a URL: %s%s",
                       FG_ARG(job->first_wrong), job->reason,
                       is_relative(job) ? "; if it is relative, give --base" : "");
    return fg_fail(err, FG_EINPUT, "%zu of %zu are not URLs, such as '%.*s': %s",
                   job->wrong, job->good + job->wrong, FG_ARG(job->first_wrong),
                   job->reason);
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    struct job job = {.cli = cli, .o = cli->options};
    struct fg_url base;
    enum fg_status st = FG_OK;
    if (job.o->base.at) {
        st = fg_cli_url(cli, job.o->base, &base, err);
        job.base = &base;
    }
    for (size_t i = 0; !st && i < cli->n_words; i++) {
        struct fg_str word = fg_str_from(cli->words[i]);
        if (fg_str_eq(word, FG_STR("-")))
            st = show_lines(&job, err);
        else
            show(&job, word);
    }
    fg_arena_clear(&job.arena);
    return st ? st : report_wrong(&job, err);
}

static const struct fg_example examples[] = {
    {"forage url 'HTTP://Example.org:80/a/../b?utm_source=x&b=2&a=1#top'",
     "its parts, and the form under which the crawler knows it"},
    {"forage url --base https://example.org/a/b '../c?d'", "a link as found on a page"},
    {"printf '%s\\n' https://a.example/ https://b.example/ | forage url --json -",
     "many at once, a JSON object a line"},
    {0},
};

const struct fg_command fg_cmd_url = {
    .name = "url",
    .words = "URL...",
    .summary = "take URLs apart; show their canonical form and fingerprint",
    .about =
        "Parses each URL by the URL standard and prints its parts, the canonical form "
        "under which the crawler keeps the page, the site it belongs to, the "
        "registrable domain, and the fingerprint that stands for it in the store. "
        "'-' reads URLs from standard input, one a line.",
    .min_words = 1,
    .max_words = 100000,
    .options = options,
    .options_size = sizeof(struct options),
    .settings = "canonical",
    .examples = examples,
    .run = run,
};
