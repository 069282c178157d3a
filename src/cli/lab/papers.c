#include "cli/lab/papers.h"

#include "base/file.h"
#include "lab/report/markup.h"

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
    "body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 "
    "1rem}\n"
    "table{border-collapse:collapse}th,td{text-align:left;vertical-align:top;"
    "padding:.35rem .8rem .35rem 0;border-bottom:1px solid #8886}\n"
    "</style>\n</head>\n<body>\n<main>\n<h1>The experiments of the papers</h1>\n"
    "<p>A report for each experiment. Where the text states a figure it stands beside "
    "ours; docs/papers has all of them row by row, and says why some differ.</p>\n"
    "<table>\n<thead><tr><th scope=\"col\">text</th><th scope=\"col\">experiment</th>"
    "<th scope=\"col\">figures</th><th scope=\"col\">state</th></tr></thead>\n<tbody>\n";

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
        fg_buf_printf(out, "</td><td>done; the last run took %.0f s", state->seconds);
    } else if (state->is == FG_PAPER_FAILED) {
        fg_markup_in(out, "</td><td>failed: ", state->trouble, "");
    } else {
        fg_markup_put(out, "</td><td>not run yet");
    }
    fg_markup_put(out, "</td></tr>\n");
}

enum fg_status fg_papers_page(const char *folder, const char *figures,
                              const struct fg_paper_state *states, const char *command,
                              struct fg_err *err)
{
    struct fg_arena arena = {0};
    struct fg_buf out;
    fg_buf_init(&out, 1 << 20);
    fg_markup_put(&out, head);
    for (size_t i = 0; fg_paper_experiments[i].name; i++)
        put_row(&out, &fg_paper_experiments[i], &states[i], figures);
    fg_markup_in(&out, "</tbody>\n</table>\n<p>Made by <code>", command,
                 "</code>; with <code>--resume</code> it goes on where it was "
                 "stopped.</p>\n</main>\n</body>\n</html>\n");
    const char *path = fg_arena_printf(&arena, "%s/index.html", folder).at;
    enum fg_status st = fg_file_replace(path, fg_buf_str(&out), err);
    fg_buf_clear(&out);
    fg_arena_clear(&arena);
    return st;
}
