#include "crawl/news.h"

#include "net/date.h"

enum { SHORT_VALUE = 100 };

const char *fg_news_refuse_kind(struct fg_str kind)
{
    return fg_str_eq(kind, FG_STR("new")) || fg_str_eq(kind, FG_STR(FG_NEWS_DISCOVERY)) ||
                   fg_str_eq(kind, FG_STR(FG_NEWS_CHANGED))
               ? NULL
               : "is not a kind of event: new (or discovery) and changed are";
}

static struct fg_str text_of(const json_t *root, const char *key)
{
    const json_t *value = json_object_get(root, key);
    if (!json_is_string(value))
        return FG_STR("");
    return (struct fg_str){json_string_value(value), json_string_length(value)};
}

/* Pages are dated by those who write them: in the future, or before there was a web. */
static fg_time plausible(fg_time dated, fg_time found)
{
    return dated == FG_NEVER || dated < 0 || dated > found + FG_HOUR ? FG_NEVER : dated;
}

void fg_news_read(struct fg_news *news, const struct fg_event_row *event)
{
    json_t *root = json_loadb(event->json.at, event->json.len, 0, NULL);
    *news = (struct fg_news){
        .root = root,
        .number = event->number,
        .id = event->id,
        .site_id = event->site,
        .page = event->page,
        .is_change = fg_str_eq(event->kind, FG_STR(FG_NEWS_CHANGED)),
        .found = event->time,
        .dated = plausible(fg_date_parse(text_of(root, "dated")), event->time),
        .url = text_of(root, "url"),
        .site = text_of(root, "site"),
        .found_on = text_of(root, "found_on"),
        .words = text_of(root, "words"),
        .title = text_of(root, "title"),
        .before = text_of(root, "before"),
        .after = text_of(root, "after"),
        .diff = text_of(root, "diff"),
    };
}

void fg_news_clear(struct fg_news *news)
{
    json_decref(news->root);
    news->root = NULL;
}

struct fg_str fg_news_name(const struct fg_news *news, struct fg_str page_title)
{
    return page_title.len    ? page_title
           : news->title.len ? news->title
           : news->words.len ? news->words
                             : news->url;
}

static bool is_short(struct fg_str value)
{
    return value.len && value.len <= SHORT_VALUE &&
           fg_str_chr(value, '\n') == FG_NOT_FOUND;
}

struct fg_str fg_news_title(struct fg_arena *arena, const struct fg_news *news,
                            struct fg_str page_title)
{
    struct fg_str name = fg_news_name(news, page_title);
    if (!news->is_change)
        return name;
    if (is_short(news->before) && is_short(news->after))
        return fg_arena_printf(arena, "%.*s: %.*s -> %.*s", FG_ARG(name),
                               FG_ARG(news->before), FG_ARG(news->after));
    return fg_arena_printf(arena, "%.*s: changed", FG_ARG(name));
}

struct fg_feed_entry fg_news_entry(struct fg_arena *arena, const struct fg_news *news,
                                   struct fg_str page_title)
{
    return (struct fg_feed_entry){
        .id = news->id,
        .url = news->url,
        .title = fg_news_title(arena, news, page_title),
        .found_on = news->found_on,
        .site = news->site,
        .text = news->diff,
        .found = news->found,
        .dated = news->dated,
    };
}

struct fg_str fg_news_page_title(struct fg_arena *arena, struct fg_store *store,
                                 const struct fg_news *news)
{
    struct fg_page_row page;
    return fg_store_page(store, &page, arena, news->site_id, news->page, NULL)
               ? FG_STR("")
               : page.title;
}
