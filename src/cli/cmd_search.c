/* cmd_search.c - forage search: the view, and what was searched for is counted */
#include "cli/crawling.h"
#include "cli/showing.h"
#include "view/search.h"

static enum fg_status run(struct fg_cli *cli, const void *own, const void *question,
                          const struct fg_form *form, struct fg_err *err)
{
    (void)own;
    struct fg_str words = fg_str_from(cli->words[0]);
    struct fg_search_ask asked = *(const struct fg_search_ask *)question;
    const char *place = fg_cli_store_path(cli);
    struct fg_ads *ads = NULL;
    if (cli->settings.ads.enabled && !form->csv) /* a table of results has no ads */
        fg_ads_open(&ads, place, &cli->settings.ads, NULL);
    struct fg_ads_shown shown = fg_search_ads(ads, cli->arena, words, &asked);
    asked.sponsored = &shown;
    fg_ads_close(ads);
    enum fg_status st = fg_cli_show(cli, &fg_view_search, &asked, form, err);
    if (!st)
        fg_search_count(cli->arena, place, &cli->settings.crawl, words, question);
    return st;
}

const struct fg_showing fg_show_search = {.view = &fg_view_search, .run = run};
