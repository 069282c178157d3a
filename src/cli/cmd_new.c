/* cmd_new.c - forage new: the view, or a feed of it, which has the newest first */
#include "cli/showing.h"
#include "crawl/output/news.h"
#include "view/new.h"

#include <stdio.h>
#include <stdlib.h>
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

/* What the feed is about, in words, and as a name that no other feed has. */
static struct fg_feed_head head_of(const struct fg_new_answer *news,
                                   const struct fg_new_question *o)
{
    const struct fg_look *look = news->look;
    fg_site_id site = news->site;
    static const char *const what[] = {"New", "Changes", "Alarms", "News"};
    const struct fg_site_row *row = fg_look_site(look, site);
    if (!row && look->n_sites)
        row = &look->sites[0];
    struct fg_arena *arena = look->texts;
    char *folder = realpath(look->place.folder.at, NULL);
    struct fg_str name =
        fg_arena_printf(arena, "%s\n%u\n%.*s\n%.*s\n%d", folder ? folder : "", site,
                        FG_ARG(o->tag), FG_ARG(o->page), o->kind);
    free(folder);
    struct fg_str title = o->kind == FG_NEW_NEW     ? FG_STR("New pages")
                          : o->kind == FG_NEW_ALARM ? FG_STR("Alarms")
                                                    : FG_STR("Changed pages");
    if (o->page.len)
        title = fg_arena_printf(arena, "%s of %.*s", what[o->kind], FG_ARG(o->page));
    else if (site && row)
        title = fg_arena_printf(arena, "%s on %.*s", what[o->kind], FG_ARG(row->key));
    else if (o->tag.len)
        title = fg_arena_printf(arena, "%s of %.*s", what[o->kind], FG_ARG(o->tag));
    return (struct fg_feed_head){
        .title = title,
        .link = o->page.len ? o->page
                : row       ? fg_arena_printf(arena, "%.*s/", FG_ARG(row->key))
                            : FG_STR("http://localhost/"),
        .about = o->kind == FG_NEW_NEW || o->kind == FG_NEW_ALARM
                     ? FG_STR("")
                     : FG_STR("Changes, as they were seen"),
        .id = fg_str_hash(name),
        .updated = news->n_events ? news->events[news->n_events - 1].time : look->now,
    };
}

static void print_feed(struct fg_out *out, const struct fg_new_answer *found,
                       const struct fg_new_question *question, enum fg_feed_form form)
{
    struct fg_feed_head head = head_of(found, question);
    struct fg_feed_writer writer = fg_feed_begin(&out->buf, form, &head);
    for (size_t i = found->n_events; i-- && !out->error;) {
        struct fg_arena arena = {0};
        struct fg_news news;
        fg_news_read(&news, &found->events[i]);
        struct fg_feed_entry entry = fg_news_entry(
            &arena, &news, fg_news_page_title(&arena, found->look->store, &news));
        fg_feed_add(&writer, &entry);
        fg_out_puts(out, ""); /* let it flow */
        fg_news_clear(&news);
        fg_arena_clear(&arena);
    }
    fg_feed_finish(&writer);
}

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

static enum fg_status show(struct fg_cli *cli, struct fg_look *look,
                           const struct options *o,
                           const struct fg_new_question *question,
                           const struct fg_form *form, struct fg_err *err)
{
    const void *answer = NULL;
    struct fg_asking asking = {.look = look, .question = question};
    enum fg_status st = fg_view_new.ask(&answer, &asking, err);
    bool is_feed = o->rss || o->atom || o->json_feed;
    if (!st && is_feed)
        print_feed(&cli->out, answer, question,
                   o->rss    ? FG_WRITE_RSS
                   : o->atom ? FG_WRITE_ATOM
                             : FG_WRITE_JSON);
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
