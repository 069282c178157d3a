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

/* Advertisements stand beside the first results only. A store that cannot be written to
 * has none to show, which is no reason not to search. */
static struct fg_ads_shown find_ads(struct fg_cli *cli, struct fg_str words,
                                    const struct fg_search_ask *q)
{
    struct fg_ads_shown shown = {0};
    struct fg_ads *ads;
    struct fg_err why;
    if (!cli->settings.ads.enabled || q->after.len ||
        !fg_store_exists(fg_cli_store_path(cli)) ||
        fg_ads_open(&ads, fg_cli_store_path(cli), &cli->settings.ads, &why))
        return shown;
    if (fg_ads_for(ads, &shown, cli->arena, words, fg_time_now(), &why))
        shown.n = 0;
    fg_ads_close(ads);
    return shown;
}

static enum fg_status run(struct fg_cli *cli, const void *own, const void *question,
                          const struct fg_form *form, struct fg_err *err)
{
    (void)own;
    struct fg_str words = fg_str_from(cli->words[0]);
    struct fg_search_ask asked = *(const struct fg_search_ask *)question;
    struct fg_ads_shown shown = find_ads(cli, words, &asked);
    asked.sponsored = &shown;
    enum fg_status st = fg_cli_show(cli, &fg_view_search, &asked, form, err);
    if (!st)
        count(cli, words, question);
    return st;
}

const struct fg_showing fg_show_search = {.view = &fg_view_search, .run = run};
