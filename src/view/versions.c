/* versions.c - what is different between two versions of a page that are kept */
#include "net/charset/charset.h"
#include "net/html/page.h"
#include "net/text/text_diff.h"
#include "view/rows.h"
#include "view/view.h"

enum { MOST_VERSIONS = 100, MOST_BODY = 64 << 20, MOST_DIFF = 1 << 20 };

struct question {
    struct fg_str from, to;
};
static const struct fg_opt question[] = {
    {"from", FG_STRING(struct question, from), .arg = "TIME",
     .help = "the older one: what was kept at that time; default: the one before the "
             "other"},
    {"to", FG_STRING(struct question, to), .arg = "TIME",
     .help = "the newer one, likewise; default: the newest"},
    {0},
};

struct version {
    fg_time time;
};
static const struct fg_field version_fields[] = {
    {"time", "kept", FG_AS_TIME(struct version, time), .help = "when it was fetched"},
    {0},
};

struct answer {
    struct fg_str url, diff;
    fg_time from, to;
    struct fg_rows kept;
};
static const struct fg_field fields[] = {
    {"url", "page", FG_AS_URL(struct answer, url)},
    {"from", "from", FG_AS_TIME(struct answer, from),
     .help = "when the older was fetched"},
    {"to", "to", FG_AS_TIME(struct answer, to), .help = "when the newer was fetched"},
    {"versions", "", FG_AS_ROWS(struct answer, kept, version_fields),
     .help = "that are kept, the newest first"},
    {"diff", "", FG_AS_LINES(struct answer, diff),
     .help = "of what a reader sees: [-taken out-] {+put in+}; empty if nothing is"},
    {0},
};

struct kept {
    const struct fg_look *look;
    const struct fg_page_row *page;
};

/* The version that was the newest at that time: when it was fetched, and its text. */
static enum fg_status read_version(const struct kept *kept, fg_time at, fg_time *time,
                                   struct fg_str *text, struct fg_err *err)
{
    struct fg_arena *arena = kept->look->texts;
    struct fg_str body;
    struct fg_page page;
    enum fg_status st =
        fg_store_body(kept->look->store, &body, time, arena, kept->page->site,
                      kept->page->page, at, MOST_BODY, err);
    if (st || !text)
        return st;
    struct fg_charset charset = fg_charset_of_html(body, (struct fg_str){0});
    fg_page_read(&page, arena, fg_charset_decode(arena, charset, body), FG_PAGE_TEXT);
    *text = page.text;
    return FG_OK;
}

static enum fg_status list(const struct kept *kept, struct fg_rows *rows,
                           struct fg_err *err)
{
    struct version *all = FG_NEW(kept->look->texts, struct version, MOST_VERSIONS);
    size_t n = 0;
    enum fg_status st = FG_OK;
    for (fg_time at = INT64_MAX; n < MOST_VERSIONS; at = all[n++].time - 1) {
        st = read_version(kept, at, &all[n].time, NULL, err);
        if (st)
            break;
    }
    *rows = (struct fg_rows){.at = all, .len = n, .size = sizeof *all};
    return st == FG_ENOTFOUND ? FG_OK : st;
}

static enum fg_status compare(const struct kept *kept, const struct question *q,
                              struct answer *a, struct fg_err *err)
{
    struct fg_str before, after;
    struct fg_buf diff;
    fg_time from = FG_NEVER, to = INT64_MAX;
    enum fg_status st = FG_OK;
    if (q->to.len)
        st = fg_look_since(kept->look, "--to", q->to, &to, err);
    if (!st)
        st = read_version(kept, to, &a->to, &after, err);
    if (!st && q->from.len)
        st = fg_look_since(kept->look, "--from", q->from, &from, err);
    if (!st)
        st = read_version(kept, q->from.len ? from : a->to - 1, &a->from, &before, err);
    if (st == FG_ENOTFOUND)
        return fg_fail(err, st,
                       a->kept.len ? "there is no older version of this page: %zu kept "
                                     "(store.body-depth says how many are)"
                                   : "no version of this page is kept: %zu stored "
                                     "(store.bodies keeps them)",
                       a->kept.len);
    if (st)
        return st;
    if (a->from > a->to)
        return fg_fail(err, FG_ECONFIG, "--from is later than --to");
    fg_buf_init(&diff, 2 * MOST_DIFF);
    fg_text_diff(&diff, before, after, MOST_DIFF);
    a->diff = fg_arena_dup(kept->look->texts, fg_buf_str(&diff));
    fg_buf_clear(&diff);
    return FG_OK;
}

static enum fg_status ask(const void **answer, const struct fg_asking *ask,
                          struct fg_err *err)
{
    struct answer *a = FG_NEW(ask->look->texts, struct answer, 1);
    struct fg_page_row page;
    struct kept kept = {ask->look, &page};
    enum fg_status st = fg_look_find_page(ask->look, ask->subject, &page, err);
    if (!st)
        st = list(&kept, &a->kept, err);
    if (!st)
        st = compare(&kept, ask->question, a, err);
    a->url = page.url;
    *answer = a;
    return st;
}

static const struct fg_view_example examples[] = {
    {"https://law.example/1", "the newest version against the one before it"},
    {"https://law.example/1 --from 7d --json",
     "against that of a week ago, for a script"},
    {0},
};

const struct fg_view fg_view_versions = {
    .name = "versions",
    .subject = "URL",
    .summary = "compare any two versions of a page that are kept",
    .about = "Shows what a reader would find different between two versions of a page, "
             "word by word: [-taken out-] and {+put in+}. Versions are kept if "
             "store.bodies is on, as many as store.body-depth says; a time stands for "
             "the version that was the newest then. 'forage diff' compares files.",
    .question = question,
    .question_size = sizeof(struct question),
    .settings = "workspace",
    .examples = examples,
    .answer = FG_RECORD_OF(fields),
    .ask = ask,
};
