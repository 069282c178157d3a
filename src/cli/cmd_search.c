/* cmd_search.c - forage search: the view, and what was searched for is counted */
#include "cli/crawling.h"
#include "cli/showing.h"
#include "search/query.h"
#include "view/search.h"

/* The words as a whole, in lower case and with single blanks: those who ask the same
 * count together. What is not text is left out, and so is who asked. */
static struct fg_str normal(struct fg_arena *arena, struct fg_str words)
{
    char *out = fg_arena_bytes(arena, words.len + 1);
    size_t n = 0;
    for (size_t i = 0; i < words.len; i++) {
        bool is_blank = (unsigned char)words.at[i] <= ' ' || words.at[i] == 0x7f;
        if (!is_blank)
            out[n++] = fg_lower(words.at[i]);
        else if (n && out[n - 1] != ' ')
            out[n++] = ' ';
    }
    return fg_str_trim((struct fg_str){out, n});
}

/* A search that cannot be counted, on a medium that is read-only, is a search. */
static void count(struct fg_cli *cli, struct fg_str words, const struct fg_search_ask *q)
{
    struct fg_str text = normal(cli->arena, words);
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
