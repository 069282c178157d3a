#include "cli/lab/papers.h"

#include "base/file.h"
#include "lab/report/markup.h"
#include "lab/report/stated.h"

#include <string.h>

#define NEWS                                                                     \
    "Schulam & Muslea: Improving the Exploration/Exploitation Trade-Off in Web " \
    "Content Discovery. WWW 2023 Companion"
#define DOMAINS                                                        \
    "Pham, Santos & Freire: Learning to Discover Domain-Specific Web " \
    "Content. WSDM 2018"
#define SHOPS                                                             \
    "Han et al.: Adversarial Bandits Policy for Crawling Commercial Web " \
    "Content. WWW 2020"
#define THESIS "Pandey's thesis, 2008"
#define REWARDS                                                         \
    "Avrachenkov, Borkar & Patil: Deep Reinforcement Learning for Web " \
    "Crawling. ICC 2021"

const struct fg_paper_experiment fg_paper_experiments[] = {
    {"000", NEWS, "thompson-2023"},
    {"001", DOMAINS, "pham-2018-focused"},
    {"001", DOMAINS, "pham-2018-unfocused"},
    {"002", SHOPS, "kab-readings"},
    {"002", SHOPS, "kab-2020"},
    {"003", THESIS ", chapter 3", "thesis-discovery"},
    {"003", THESIS ", chapters 2 and 4", "quality-2008"},
    {"003", THESIS ", chapter 5", "rank-2005"},
    {"003", THESIS ", chapter 6", "ads-optimum"},
    {"003", THESIS ", chapter 6", "ads-markets"},
    {"003", THESIS ", chapter 6", "ads-full"},
    {"003", THESIS ", chapter 6", "ads-2007"},
    {"004", REWARDS, "drl-2021"},
    {0},
};

static const char head[] =
    "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
    "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" "
    "content=\"width=device-width,initial-scale=1\"/>\n"
    "<title>The experiments of the papers</title>\n<style>\n"
    ":root{color-scheme:light dark}\n"
    "body{font:16px/1.5 system-ui,sans-serif;max-width:75rem;margin:2rem auto;padding:0 "
    "1rem}\n"
    "table{border-collapse:collapse}th,td{text-align:left;vertical-align:top;"
    "padding:.35rem .8rem .35rem 0;border-bottom:1px solid #8886}\n"
    ".num{text-align:right;white-space:nowrap}.fails{font-weight:600}\n"
    ".wide{overflow-x:auto}summary{cursor:pointer;margin:.5rem 0}\n"
    ".stated,details ul{font-size:14px}\n"
    "</style>\n</head>\n<body>\n<main>\n<h1>The experiments of the papers</h1>\n"
    "<p>What each text states, and whether it comes out; below the table one by one, and "
    "in the report of each experiment with all figures and charts. docs/papers has every "
    "table and figure row by row, and says why some differ.</p>\n"
    "<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">text</th><th "
    "scope=\"col\">experiment</th><th scope=\"col\">figures</th><th scope=\"col\" "
    "class=\"num\">orders that come out</th><th scope=\"col\" class=\"num\">values in "
    "our "
    "intervals</th><th scope=\"col\">state</th></tr></thead>\n<tbody>\n";

struct fg_paper_state fg_paper_state_of(const struct fg_result *result,
                                        struct fg_arena *arena)
{
    struct fg_paper_state state = {
        .is = FG_PAPER_DONE,
        .seconds = result->seconds,
        .count = fg_result_count_stated(result),
        .remarks = FG_NEW(arena, const char *, result->n_remarks),
        .n_remarks = result->n_remarks,
        .stated = FG_NEW(arena, struct fg_stated, result->n_stated),
        .n_stated = result->n_stated};
#define KEEP(text) fg_arena_cstr(arena, fg_str_from(text))
    for (size_t i = 0; i < result->n_remarks; i++)
        state.remarks[i] = KEEP(result->remarks[i]);
    for (size_t i = 0; i < result->n_stated; i++) {
        const struct fg_stated *from = &result->stated[i];
        state.stated[i] = (struct fg_stated){.where = KEEP(from->where),
                                             .workload = KEEP(from->workload),
                                             .budget = KEEP(from->budget),
                                             .what = KEEP(from->what),
                                             .published = KEEP(from->published),
                                             .ours = KEEP(from->ours),
                                             .is_order = from->is_order,
                                             .is = from->is};
    }
#undef KEEP
    return state;
}

static void put_share(struct fg_buf *out, const size_t by_word[static FG_JUDGED])
{
    size_t all = 0, few = by_word[FG_FEW_FOR] + by_word[FG_FEW_AGAINST];
    for (size_t i = 0; i < FG_JUDGED; i++)
        all += by_word[i];
    fg_markup_put(out, "<td class=\"num\">");
    if (all)
        fg_buf_printf(out, "%zu of %zu", by_word[FG_COMES_OUT], all);
    if (few)
        fg_buf_printf(out, "; %zu on too few sites", few);
    fg_markup_put(out, "</td>");
}

static void put_row(struct fg_buf *out, const struct fg_paper_experiment *experiment,
                    const struct fg_paper_state *state, const char *figures)
{
    bool is_done = state->is == FG_PAPER_DONE;
    fg_markup_in(out, "<tr><td>", experiment->document, ": ");
    fg_markup_in(out, "", experiment->title, "</td><td>");
    if (is_done)
        fg_markup_in(out, "<a href=\"", experiment->name, ".html\">");
    fg_markup_in(out, "", experiment->name, is_done ? "</a></td><td>" : "</td><td>");
    if (is_done) {
        fg_markup_in(out, "<a href=\"", figures, "/");
        fg_markup_in(out, "", experiment->name, ".json\">JSON</a>");
    }
    fg_markup_put(out, "</td>");
    put_share(out, state->count.orders);
    put_share(out, state->count.values);
    if (is_done)
        fg_buf_printf(out, "<td>done; the last run took %.0f s", state->seconds);
    else if (state->is == FG_PAPER_FAILED)
        fg_markup_in(out, "<td>failed: ", state->trouble, "");
    else
        fg_markup_put(out, "<td>not run yet");
    fg_markup_put(out, "</td></tr>\n");
}

/* What there is to know of one before its report is opened. */
static void put_section(struct fg_buf *out, const struct fg_paper_experiment *experiment,
                        const struct fg_paper_state *state)
{
    struct fg_buf words;
    if (state->is != FG_PAPER_DONE)
        return;
    fg_markup_in(out, "<h2><a href=\"", experiment->name, ".html\">");
    fg_markup_in(out, "", experiment->name, "</a></h2>\n<p>");
    fg_markup_in(out, "", experiment->document, ": ");
    fg_markup_in(out, "", experiment->title, "</p>\n");
    fg_buf_init(&words, 1 << 12);
    fg_stated_say(&state->count, &words);
    fg_buf_add_char(&words, '\0');
    if (state->n_stated && !words.full)
        fg_markup_in(out, "<p>", words.at, "</p>\n");
    fg_buf_clear(&words);
    fg_stated_tables(state->stated, state->n_stated, out);
    fg_markup_put(out, "<details><summary>To judge the figures</summary>\n<ul>\n");
    for (size_t i = 0; i < state->n_remarks; i++)
        fg_markup_in(out, "<li>", state->remarks[i], "</li>\n");
    fg_markup_put(out, "</ul></details>\n");
}

enum fg_status fg_papers_page(const char *folder, const char *figures,
                              const struct fg_paper_state *states, const char *command,
                              struct fg_err *err)
{
    struct fg_arena arena = {0};
    struct fg_buf out;
    fg_buf_init(&out, 1 << 26);
    fg_markup_put(&out, head);
    for (size_t i = 0; fg_paper_experiments[i].name; i++)
        put_row(&out, &fg_paper_experiments[i], &states[i], figures);
    fg_markup_in(&out, "</tbody>\n</table></div>\n<p>Made by <code>", command,
                 "</code>; with <code>--resume</code> it goes on where it was "
                 "stopped.</p>\n");
    for (size_t i = 0; fg_paper_experiments[i].name; i++)
        put_section(&out, &fg_paper_experiments[i], &states[i]);
    fg_markup_put(&out, "</main>\n</body>\n</html>\n");
    const char *path = fg_arena_printf(&arena, "%s/index.html", folder).at;
    enum fg_status st =
        out.full ? fg_fail(err, FG_ELIMIT, "'%s' would be over 64 megabytes", path)
                 : fg_file_replace(path, fg_buf_str(&out), err);
    fg_buf_clear(&out);
    fg_arena_clear(&arena);
    return st;
}
