/* cmd_new.c - forage new: the view, or a feed of it, which has the newest first */
#include "cli/showing.h"
#include "view/new.h"
#include "view/new_feed.h"

#include <stdio.h>
#include <unistd.h>

struct options {
    bool rss, atom, json_feed;
};

static const struct fg_opt options[] = {
    {"rss", FG_BOOL(struct options, rss), .help = "as an RSS 2.0 feed"},
    {"atom", FG_BOOL(struct options, atom), .help = "as an Atom feed"},
    {"json-feed", FG_BOOL(struct options, json_feed), .help = "as a JSON Feed"},
    {0},
};

/* To somebody who waits for an answer; a pipe knows it by itself. */
static void say_nothing_new(const struct fg_new_answer *found, int kind)
{
    static const char *const what[] = {"new pages", "changes", "alarms", "news"};
    char when[FG_TIME_TEXT];
    if (found->n_events || !isatty(STDOUT_FILENO))
        return;
    if (found->since == FG_NEVER)
        fprintf(stderr, "no %s\n", what[kind]);
    else
        fprintf(stderr, "no %s since %s\n", what[kind],
                fg_time_format(when, found->since / FG_SECOND * FG_SECOND));
}

static bool flow(void *context)
{
    struct fg_out *out = context;
    fg_out_puts(out, "");
    return !out->error;
}

static enum fg_status show(struct fg_cli *cli, struct fg_look *look,
                           const struct options *o,
                           const struct fg_new_question *question,
                           const struct fg_form *form, struct fg_err *err)
{
    const void *answer = NULL;
    struct fg_asking asking = {.look = look, .question = question};
    enum fg_status st = fg_view_new.ask(&answer, &asking, err);
    bool is_feed = o->rss || o->atom || o->json_feed;
    struct fg_sink sink = {.buf = &cli->out.buf, .flow = flow, .context = &cli->out};
    if (!st && is_feed)
        fg_new_feed(&sink, answer, question,
                    o->rss    ? FG_WRITE_RSS
                    : o->atom ? FG_WRITE_ATOM
                              : FG_WRITE_JSON,
                    FG_STR(""));
    else if (!st)
        st = fg_cli_render(&cli->out, &fg_view_new.answer, answer, form, look->now, err);
    if (!st && !is_feed && !form->json && !form->csv)
        say_nothing_new(answer, question->kind);
    fg_view_clear(&fg_view_new, answer);
    return st;
}

static enum fg_status run(struct fg_cli *cli, const void *own, const void *question,
                          const struct fg_form *form, struct fg_err *err)
{
    const struct options *o = own;
    struct fg_look look;
    if (form->json + form->csv + o->rss + o->atom + o->json_feed > 1)
        return fg_fail(err, FG_ECONFIG,
                       "--json, --csv, --rss, --atom and --json-feed cannot be combined");
    enum fg_status st = fg_cli_look(cli, &look, err);
    if (st)
        return st;
    st = show(cli, &look, o, question, form, err);
    fg_cli_look_close(&look);
    return st;
}

const struct fg_showing fg_show_new = {
    .view = &fg_view_new,
    .options = options,
    .options_size = sizeof(struct options),
    .run = run,
};
