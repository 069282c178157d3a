/* Robots: decisions a second over the real files, and over one file with thousands of
 * rules, against asking each rule in turn; reading the files. Shingles: reading text. */
#include "bench.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/vec.h"
#include "net/robots/robots.h"
#include "net/robots/rules.h"
#include "net/text/shingle.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

struct host {
    struct fg_str text;
    const struct fg_robots *robots;
    const struct fg_str *paths;
    size_t n_paths;
};

struct data {
    struct fg_arena arena;
    FG_VEC(struct host) hosts;
    FG_VEC(struct fg_str) articles;
    size_t bytes, decisions, article_bytes;
};

static gzFile open_data(const char *name)
{
    const char *folder = getenv("FORAGE_CONFORMANCE");
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder ? folder : "../shared/conformance", name);
    return gzopen(path, "rb");
}

/* The objects of a file of JSON lines, one by one; NULL at its end. */
static json_t *next_object(gzFile f)
{
    enum { LONGEST = 8 << 20 };
    static char line[LONGEST];
    return f && gzgets(f, line, LONGEST) ? json_loads(line, 0, NULL) : NULL;
}

static struct fg_str keep(struct data *data, const json_t *value)
{
    return fg_arena_dup(&data->arena, fg_str_from(json_string_value(value)));
}

static json_t *load_files(void)
{
    json_t *files = json_object(), *entry;
    gzFile f = open_data("robots/real-robots.jsonl.gz");
    while ((entry = next_object(f))) {
        const char *host = json_string_value(json_object_get(entry, "host"));
        json_object_set(files, host, json_object_get(entry, "robots"));
        json_decref(entry);
    }
    if (f)
        gzclose(f);
    return files;
}

static void load_robots(struct data *data)
{
    json_t *files = load_files(), *entry, *check;
    gzFile f = open_data("robots/real-verdicts.jsonl.gz");
    while ((entry = next_object(f))) {
        json_t *checks = json_object_get(entry, "checks");
        const char *name = json_string_value(json_object_get(entry, "host"));
        struct host host = {.text = keep(data, json_object_get(files, name))};
        struct fg_str *paths =
            FG_NEW(&data->arena, struct fg_str, json_array_size(checks));
        size_t i;
        json_array_foreach(checks, i, check)
        {
            paths[i] = keep(data, json_array_get(check, 1));
        }
        host.paths = paths;
        host.n_paths = json_array_size(checks);
        host.robots = fg_robots_parse(&data->arena, host.text, FG_STR("foragebot"));
        data->bytes += host.text.len;
        data->decisions += host.n_paths;
        fg_vec_push(&data->hosts, host);
        json_decref(entry);
    }
    if (f)
        gzclose(f);
    json_decref(files);
}

static void parse_all(void *context)
{
    struct data *data = context;
    struct fg_arena arena = {0};
    for (size_t i = 0; i < data->hosts.len; i++) {
        bench_use((uintptr_t)fg_robots_parse(&arena, data->hosts.at[i].text,
                                             FG_STR("foragebot")));
        fg_arena_reset(&arena);
    }
    fg_arena_clear(&arena);
}

static void decide_all(void *context)
{
    struct data *data = context;
    uint64_t allowed = 0;
    for (size_t i = 0; i < data->hosts.len; i++) {
        const struct host *host = &data->hosts.at[i];
        for (size_t j = 0; j < host->n_paths; j++)
            allowed += fg_robots_allows(host->robots, host->paths[j]);
    }
    bench_use(allowed);
}

/* Thousands of rules, a quarter of them with a wildcard right behind the first slash. */
struct crowd {
    struct fg_arena arena;
    const struct fg_rules *rules;
    const struct fg_rules **each; /* the same, one rule at a time */
    size_t n;
    struct fg_str paths[64];
};

static void make_crowd(struct crowd *crowd, size_t n)
{
    struct fg_rule *list = FG_NEW(&crowd->arena, struct fg_rule, n);
    crowd->each = FG_NEW(&crowd->arena, const struct fg_rules *, n);
    crowd->n = n;
    for (size_t i = 0; i < n; i++) {
        const char *format = i % 4 ? "/section-%zu/item-%zu" : "/*section-%zu*item-%zu$";
        list[i].pattern = fg_arena_printf(&crowd->arena, format, i % 97, i);
        crowd->each[i] = fg_rules_index(&crowd->arena, &list[i], 1);
    }
    for (size_t i = 0; i < 64; i++)
        crowd->paths[i] = fg_arena_printf(
            &crowd->arena, "/section-%zu/item-%zu/page?id=%zu", i * 7 % 97, i * 131, i);
    crowd->rules = fg_rules_index(&crowd->arena, list, n);
}

static void decide_indexed(void *context)
{
    struct crowd *crowd = context;
    for (size_t i = 0; i < 64; i++)
        bench_use(fg_rules_allow(crowd->rules, crowd->paths[i]));
}

static void decide_one_by_one(void *context)
{
    struct crowd *crowd = context;
    for (size_t i = 0; i < 64; i++)
        for (size_t j = 0; j < crowd->n; j++)
            bench_use(fg_rules_allow(crowd->each[j], crowd->paths[i]));
}

static void bench_crowd(void)
{
    struct crowd crowd = {0};
    make_crowd(&crowd, 8000);
    double ours = bench_seconds(decide_indexed, &crowd);
    double plain = bench_seconds(decide_one_by_one, &crowd);
    bench_rate("robots decisions, 8000 rules, 2000 wild", 64 / ours, "");
    bench_ratio("robots decisions, 8000 rules", "rule by rule", plain / ours, 0);
    fg_arena_clear(&crowd.arena);
}

static void load_articles(struct data *data)
{
    gzFile f = open_data("neardup/articles.jsonl.gz");
    for (json_t *entry; (entry = next_object(f)); json_decref(entry)) {
        struct fg_str text = keep(data, json_object_get(entry, "text"));
        data->article_bytes += text.len;
        fg_vec_push(&data->articles, text);
    }
    if (f)
        gzclose(f);
}

static void print_all(void *context)
{
    struct data *data = context;
    struct fg_shingler shingler;
    struct fg_print print;
    fg_shingler_init(&shingler, FG_SHINGLE_WORDS);
    for (size_t i = 0; i < data->articles.len; i++) {
        fg_shingler_add(&shingler, data->articles.at[i]);
        fg_shingler_end(&shingler, &print);
        bench_use(print.simhash);
    }
}

int main(void)
{
    struct data data = {0};
    load_robots(&data);
    load_articles(&data);
    if (data.hosts.len) {
        bench_rate("robots decisions, real files",
                   (double)data.decisions / bench_seconds(decide_all, &data), "");
        bench_rate("robots parsing, real files",
                   (double)data.bytes / bench_seconds(parse_all, &data), "B");
    }
    bench_crowd();
    if (data.articles.len)
        bench_rate("prints: words, shingles, sketches, simhash",
                   (double)data.article_bytes / bench_seconds(print_all, &data), "B");
    fg_vec_clear(&data.hosts);
    fg_vec_clear(&data.articles);
    fg_arena_clear(&data.arena);
    return 0;
}
