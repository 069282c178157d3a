/* cmd_search.c - forage search: the view, and what was searched for is counted */
#include "cli/crawling.h"
#include "cli/showing.h"
#include "search/query.h"
#include "view/search.h"

/* A search that cannot be counted, on a medium that is read-only, is a search. */
static void count(struct fg_cli *cli, struct fg_str words, const struct fg_search_ask *q)
{
    struct fg_str text = fg_query_normal(cli->arena, words);
    fg_time now = fg_time_now();
    if (cli->settings.crawl.keeping.search_log && !q->after.len && text.len)
        fg_store_note_query(fg_cli_store_path(cli), (int32_t)(now / FG_DAY), text, NULL);
}

static enum fg_status run(struct fg_cli *cli, const void *own, const void *question,
                          const struct fg_form *form, struct fg_err *err)
{
    (void)own;
    struct fg_str words = fg_str_from(cli->words[0]);
    enum fg_status st = fg_cli_show(cli, &fg_view_search, question, form, err);
    if (!st)
        count(cli, words, question);
    return st;
}

const struct fg_showing fg_show_search = {.view = &fg_view_search, .run = run};
