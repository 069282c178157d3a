#include "view/new_feed.h"

#include "crawl/output/news.h"

#include <stdlib.h>

/* What the feed is about, in words, and as a name that no other feed has. */
static struct fg_feed_head head_of(const struct fg_new_answer *news,
                                   const struct fg_new_question *o, struct fg_str self)
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
    if (o->query.len)
        name = fg_arena_printf(arena, "%.*s\n%.*s", FG_ARG(name), FG_ARG(o->query));
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
    if (o->query.len)
        title =
            fg_arena_printf(arena, "%.*s, with: %.*s", FG_ARG(title), FG_ARG(o->query));
    return (struct fg_feed_head){
        .title = title,
        .link = o->page.len ? o->page
                : row       ? fg_arena_printf(arena, "%.*s/", FG_ARG(row->key))
                            : FG_STR("http://localhost/"),
        .about = o->kind == FG_NEW_NEW || o->kind == FG_NEW_ALARM
                     ? FG_STR("")
                     : FG_STR("Changes, as they were seen"),
        .self = self,
        .id = fg_str_hash(name),
        .updated = news->n_events ? news->events[news->n_events - 1].time : look->now,
    };
}

void fg_new_feed(struct fg_sink *sink, const struct fg_new_answer *found,
                 const struct fg_new_question *question, enum fg_feed_form form,
                 struct fg_str self)
{
    struct fg_feed_head head = head_of(found, question, self);
    struct fg_feed_writer writer = fg_feed_begin(sink->buf, form, &head);
    for (size_t i = found->n_events; i-- && fg_sink_flows(sink);) {
        struct fg_arena arena = {0};
        struct fg_news news;
        fg_news_read(&news, &found->events[i]);
        struct fg_feed_entry entry = fg_news_entry(
            &arena, &news, fg_news_page_title(&arena, found->look->store, &news));
        fg_feed_add(&writer, &entry);
        fg_news_clear(&news);
        fg_arena_clear(&arena);
    }
    fg_feed_finish(&writer);
}
