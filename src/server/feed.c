/* feed.c - feeds as they are now: of all sites, of one, of those with a tag; and of those
 * pages alone that a search finds, so the address of a feed is a search that is saved */
#include "net/url/percent.h"
#include "server/ask.h"
#include "view/new_feed.h"

#include <string.h>

static const char *const kinds[] = {"new", "changed", "alarm", "all", NULL};

const struct fg_opt fg_feed_opts[] = {
    {"kind", FG_ENUM(struct fg_feed_question, kind, kinds), "new",
     .help = "new pages, changes of documents, alarms, or all of them"},
    {"limit", FG_INT(struct fg_feed_question, limit), "50", .min = 1, .max = 500,
     .help = "the newest of them, at most"},
    {"query", FG_STRING(struct fg_feed_question, query), .arg = "WORDS",
     .help = "of pages whose texts have all these words, as in a search"},
    {0},
};

/* "sites/news.example.rss": what it is of, and in which form. */
static bool parse(struct fg_str path, struct fg_new_question *question,
                  enum fg_feed_form *form)
{
    static const char *const ends[] = {
        [FG_WRITE_RSS] = ".rss", [FG_WRITE_ATOM] = ".atom", [FG_WRITE_JSON] = ".json"};
    bool has_end = false;
    for (unsigned i = 0; i < FG_FEED_FORMS && !has_end; i++)
        if (fg_str_ends(path, fg_str_from(ends[i]))) {
            path = fg_str_sub(path, 0, path.len - strlen(ends[i]));
            *form = i;
            has_end = true;
        }
    if (fg_str_starts(path, FG_STR("sites/")))
        question->site = fg_str_skip(path, 6);
    else if (fg_str_starts(path, FG_STR("tags/")))
        question->tag = fg_str_skip(path, 5);
    return has_end &&
           (fg_str_eq(path, FG_STR("all")) || question->site.len || question->tag.len);
}

/* The feed's own address. */
static struct fg_str self_of(const struct fg_http_request *request, struct fg_str query)
{
    struct fg_buf text;
    fg_buf_init(&text, FG_BODY_MOST);
    fg_buf_printf(&text, "%s://%.*s%.*s%s", request->is_secure ? "https" : "http",
                  FG_ARG(request->host), FG_ARG(request->path),
                  query.len ? "?query=" : "");
    for (size_t i = 0; i < query.len; i++)
        if (fg_is_alnum(query.at[i]))
            fg_buf_add_char(&text, query.at[i]);
        else
            fg_percent_add(&text, (unsigned char)query.at[i]);
    struct fg_str self = fg_arena_dup(request->arena, fg_buf_str(&text));
    fg_buf_clear(&text);
    return self;
}

enum fg_status fg_answer_feed(struct fg_reply *reply, struct fg_http_request *request,
                              struct fg_err *err)
{
    static const char *const types[] = {[FG_WRITE_RSS] = "application/rss+xml",
                                        [FG_WRITE_ATOM] = "application/atom+xml",
                                        [FG_WRITE_JSON] = "application/feed+json"};
    struct fg_feed_question q;
    struct fg_new_question question = {0};
    struct fg_asking ask = {.question = &question};
    enum fg_feed_form form = FG_WRITE_RSS;
    struct fg_look look;
    const void *answer = NULL;
    enum fg_status st = fg_request_read(&q, request, err);
    if (!st && !parse(fg_str_skip(request->path, strlen("/feeds/")), &question, &form))
        st = fg_fail(err, FG_ENOTFOUND,
                     "there are feeds all, sites/HOST and tags/TAG, each as .rss, .atom "
                     "and .json");
    if (!st)
        st = fg_ask_open(&look, request, err);
    if (st)
        return st;
    question.kind = q.kind;
    question.limit = q.limit;
    question.query = q.query;
    question.site = question.site.len
                        ? fg_str_from(fg_arena_cstr(request->arena, question.site))
                        : question.site;
    ask.look = &look;
    st = fg_view_new.ask(&answer, &ask, err);
    if (!st) {
        struct fg_sink sink = {.buf = &reply->body};
        struct fg_str self = self_of(request, q.query);
        fg_new_feed(&sink, answer, &question, form, self);
        reply->type = types[form];
    }
    fg_view_clear(&fg_view_new, answer);
    fg_look_close(&look);
    return st;
}
