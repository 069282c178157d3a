#include "crawl/output/news.h"

#include "net/text/date.h"

enum { SHORT_VALUE = 100 };

enum fg_news_kind fg_news_kind(struct fg_str name)
{
    static const struct {
        const char *name;
        enum fg_news_kind kind;
    } kinds[] = {
        {FG_NEWS_DISCOVERY, FG_KIND_NEW},       {"new", FG_KIND_NEW},
        {FG_NEWS_CHANGED, FG_KIND_CHANGED},     {FG_NEWS_ALARM, FG_KIND_ALARM},
        {FG_NEWS_ALARM_CLEARED, FG_KIND_ALARM},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (fg_str_eq(name, fg_str_from(kinds[i].name)))
            return kinds[i].kind;
    return FG_KINDS;
}

const char *fg_news_refuse_kind(struct fg_str kind)
{
    return fg_news_kind(kind) != FG_KINDS
               ? NULL
               : "is not a kind of event: new (or discovery), changed and alarm are";
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
        .kind = fg_news_kind(event->kind),
        .is_cleared = fg_str_eq(event->kind, FG_STR(FG_NEWS_ALARM_CLEARED)),
        .is_pushed = fg_str_eq(text_of(root, "found_by"), FG_STR("push")),
        .found = event->time,
        .dated = plausible(fg_date_parse(text_of(root, "dated")), event->time),
        .published = plausible(fg_date_parse(text_of(root, "published")), event->time),
        .url = text_of(root, "url"),
        .site = text_of(root, "site"),
        .found_on = text_of(root, "found_on"),
        .words = text_of(root, "words"),
        .title = text_of(root, "title"),
        .excerpt = text_of(root, "excerpt"),
        .language = text_of(root, "language"),
        .before = text_of(root, "before"),
        .after = text_of(root, "after"),
        .diff = text_of(root, "diff"),
        .text = text_of(root, "text"),
        .advice = text_of(root, "advice"),
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
    if (news->kind == FG_KIND_ALARM)
        return fg_arena_printf(arena, "%s, %.*s: %.*s",
                               news->is_cleared ? "Alarm over" : "Alarm",
                               FG_ARG(news->site), FG_ARG(news->text));
    if (news->kind != FG_KIND_CHANGED)
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
        .text = news->kind != FG_KIND_ALARM ? news->diff
                : news->is_cleared          ? FG_STR("")
                                            : news->advice,
        .summary = news->excerpt,
        .language = news->language,
        .found = news->found,
        .dated = news->published != FG_NEVER ? news->published : news->dated,
    };
}

struct fg_str fg_news_origin(struct fg_arena *arena, const struct fg_news *news)
{
    fg_time dated = news->published != FG_NEVER ? news->published : news->dated;
    struct fg_str words = {0};
    char when[FG_TIME_TEXT];
    if (dated != FG_NEVER)
        words = fg_arena_printf(arena, "published %s",
                                fg_time_format(when, dated / FG_SECOND * FG_SECOND));
    if (news->language.len)
        words = fg_arena_printf(arena, "%.*s%sin %.*s", FG_ARG(words),
                                words.len ? ", " : "", FG_ARG(news->language));
    if (news->found_on.len)
        words = fg_arena_printf(arena, "%.*s%sfound on %.*s", FG_ARG(words),
                                words.len ? ", " : "", FG_ARG(news->found_on));
    return words;
}

struct fg_str fg_news_page_title(struct fg_arena *arena, struct fg_store *store,
                                 const struct fg_news *news)
{
    struct fg_page_row page;
    return fg_store_page(store, &page, arena, news->site_id, news->page, NULL)
               ? FG_STR("")
               : page.title;
}
