/* views.c - what view/ offers, as answers to requests */
#include "base/json.h"
#include "server/ask.h"
#include "server/inside.h"
#include "view/export.h"
#include "view/policies.h"
#include "view/render.h"
#include "view/settings.h"
#include "view/status.h"

#include <string.h>

enum fg_status fg_ask_open(struct fg_look *look, struct fg_http_request *request,
                           struct fg_err *err)
{
    struct fg_server *server = request->server;
    struct fg_workspace place = {server->place.workspace, server->place.crawl,
                                 server->place.store};
    return fg_look_open(look, &place, server->store, request->arena, err);
}

/* --- views --- */

/* Rows of which JSON would be lines are the items of an object. */
static enum fg_status render(struct fg_reply *reply, const struct fg_view *view,
                             const void *answer, struct fg_err *err)
{
    struct fg_sink sink = {.buf = &reply->body};
    if (!view->answer.is_lines)
        return fg_render_json(&sink, &view->answer, answer, err);
    fg_buf_add(&reply->body, FG_STR("{\"items\":["));
    size_t start = reply->body.len;
    enum fg_status st = fg_render_json(&sink, &view->answer, answer, err);
    /* No text in JSON has a newline: each one ends a row. */
    for (size_t i = start; i + 1 < reply->body.len; i++)
        if (reply->body.at[i] == '\n')
            reply->body.at[i] = ',';
    if (reply->body.len > start)
        reply->body.len--;
    fg_buf_add(&reply->body, FG_STR("]"));
    return st;
}

static enum fg_status subject_of(struct fg_str *subject,
                                 const struct fg_http_request *request,
                                 struct fg_err *err)
{
    const char *name = request->route->subject;
    *subject = name ? fg_request_arg(request, name) : FG_STR("");
    return name && !subject->len
               ? fg_fail(err, FG_EINPUT, "the parameter '%s' is missing", name)
               : FG_OK;
}

enum fg_status fg_answer_view(struct fg_reply *reply, struct fg_http_request *request,
                              struct fg_err *err)
{
    void *question =
        fg_arena_alloc(request->arena, request->route->view->question_size + 1);
    enum fg_status st = fg_request_read(question, request, err);
    return st ? st : fg_answer_asked(reply, request, question, err);
}

enum fg_status fg_answer_asked(struct fg_reply *reply, struct fg_http_request *request,
                               const void *question, struct fg_err *err)
{
    const struct fg_view *view = request->route->view;
    struct fg_asking ask = {.question = question};
    struct fg_look look;
    const void *answer = NULL;
    enum fg_status st = subject_of(&ask.subject, request, err);
    if (!st)
        st = fg_ask_open(&look, request, err);
    if (st)
        return st;
    ask.look = &look;
    st = view->ask(&answer, &ask, err);
    if (!st)
        st = render(reply, view, answer, err);
    if (!st && view->answer.is_lines)
        fg_buf_add(&reply->body, FG_STR("}\n"));
    fg_view_clear(view, answer);
    fg_look_close(&look);
    return st;
}

/* --- rows, part by part --- */

enum { USUAL_ROWS = 100, MOST_ROWS = 1000 };

static enum fg_status limit_of(size_t *limit, const struct fg_http_request *request,
                               struct fg_err *err)
{
    struct fg_str text = fg_request_arg(request, "limit");
    uint64_t n = USUAL_ROWS;
    if (text.len && (!fg_str_to_u64(text, &n) || !n || n > MOST_ROWS))
        return fg_fail(err, FG_EINPUT, "'limit' must be a number from 1 to %d",
                       MOST_ROWS);
    *limit = (size_t)n;
    return FG_OK;
}

static void put_next(struct fg_reply *reply, struct fg_http_request *request,
                     struct fg_str next)
{
    fg_buf_add(&reply->body, FG_STR(",\"next\":"));
    struct fg_json json = fg_json_to(&reply->body);
    if (next.len)
        fg_json_str(&json, next);
    else
        fg_json_null(&json);
    fg_buf_add(&reply->body, FG_STR("}\n"));
    (void)request;
}

enum fg_status fg_answer_rows(struct fg_reply *reply, struct fg_http_request *request,
                              struct fg_err *err)
{
    const struct fg_view *view = request->route->view;
    struct fg_export_question question = {0};
    struct fg_asking ask = {.question = &question};
    struct fg_str next = FG_STR("");
    struct fg_look look;
    const void *answer = NULL;
    enum fg_status st = fg_request_read(&question, request, err);
    if (!st)
        st = limit_of(&question.limit, request, err);
    if (!st)
        st = fg_ask_open(&look, request, err);
    if (st)
        return st;
    question.after = fg_request_arg(request, "after");
    question.next = &next;
    ask.look = &look;
    st = view->ask(&answer, &ask, err);
    if (!st)
        st = render(reply, view, answer, err);
    put_next(reply, request, next);
    fg_view_clear(view, answer);
    fg_look_close(&look);
    return st;
}

/* --- sites: those of the status --- */

const struct fg_opt fg_sites_opts[] = {
    {"all", FG_BOOL(struct fg_status_question, all),
     .help = "also removed sites, and hosts that only redirects led to"},
    {0},
};

const struct fg_field *fg_sites_field(void)
{
    const struct fg_field *field = fg_view_status.answer.of;
    while (field->type && (!field->key || strcmp(field->key, "sites") != 0))
        field++;
    return field;
}

/* The name of a site is the first field of its row. */
static struct fg_str name_of(const struct fg_field *sites, const struct fg_rows *rows,
                             size_t i)
{
    const char *row = (const char *)rows->at + i * rows->size;
    return *(const struct fg_str *)fg_field_at(&sites->of[0], row);
}

static enum fg_status put_sites(struct fg_reply *reply, struct fg_http_request *request,
                                const void *answer, size_t limit, struct fg_err *err)
{
    const struct fg_field *sites = fg_sites_field();
    struct fg_rows rows = *(const struct fg_rows *)fg_field_at(sites, answer);
    struct fg_str after = fg_request_arg(request, "after"), next = FG_STR("");
    struct fg_sink sink = {.buf = &reply->body};
    struct fg_field whole = {FG_ROWS_OF(sites->of)};
    size_t first = 0;
    while (after.len && first < rows.len &&
           !fg_str_eq(name_of(sites, &rows, first), after))
        first++;
    if (after.len && first == rows.len)
        return fg_fail(err, FG_EINPUT, "'%.*s' is not the 'next' of an earlier answer",
                       FG_ARG(fg_str_sub(after, 0, 80)));
    first += after.len > 0;
    if (rows.len - first > limit)
        next = name_of(sites, &rows, first + limit - 1);
    rows.at = (const char *)rows.at + first * rows.size;
    rows.len = rows.len - first < limit ? rows.len - first : limit;
    fg_buf_add(&reply->body, FG_STR("{\"items\":"));
    enum fg_status st = fg_render_json(&sink, &whole, &rows, err);
    reply->body.len--; /* the newline */
    put_next(reply, request, next);
    return st;
}

enum fg_status fg_answer_sites(struct fg_reply *reply, struct fg_http_request *request,
                               struct fg_err *err)
{
    struct fg_status_question question = {0};
    struct fg_asking ask = {.question = &question};
    struct fg_look look;
    const void *answer = NULL;
    size_t limit = 0;
    enum fg_status st = fg_request_read(&question, request, err);
    if (!st)
        st = limit_of(&limit, request, err);
    if (!st)
        st = fg_ask_open(&look, request, err);
    if (st)
        return st;
    ask.look = &look;
    st = fg_view_status.ask(&answer, &ask, err);
    if (!st)
        st = put_sites(reply, request, answer, limit, err);
    fg_view_clear(&fg_view_status, answer);
    fg_look_close(&look);
    return st;
}

/* --- settings, policies --- */

enum fg_status fg_answer_settings(struct fg_reply *reply, struct fg_http_request *request,
                                  struct fg_err *err)
{
    const struct fg_opts *opts = request->server->place.opts;
    struct fg_json json = fg_json_to(&reply->body);
    enum fg_status st = fg_request_read(NULL, request, err);
    fg_json_object(&json);
    fg_json_key(&json, "settings");
    fg_json_object(&json);
    for (size_t i = 0; opts && i < opts->rows.len; i++)
        fg_setting_json(&json, request->arena, &opts->rows.at[i]);
    fg_json_end(&json);
    fg_json_end(&json);
    fg_buf_add_char(&reply->body, '\n');
    return st;
}

enum fg_status fg_answer_policies(struct fg_reply *reply, struct fg_http_request *request,
                                  struct fg_err *err)
{
    struct fg_json json = fg_json_to(&reply->body);
    enum fg_status st = fg_request_read(NULL, request, err);
    fg_json_object(&json);
    fg_json_key(&json, "items");
    fg_policies_json(&json);
    fg_json_end(&json);
    fg_buf_add_char(&reply->body, '\n');
    reply->is_fixed = true;
    return st;
}
