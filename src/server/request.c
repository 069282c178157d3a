#include "server/request.h"

#include "base/json.h"
#include "view/ads.h"

#include <jansson.h>
#include <string.h>

/* --- problems --- */

static const char *title_of(unsigned status)
{
    static const struct {
        unsigned status;
        const char *title;
    } titles[] = {
        {400, "Bad Request"},
        {401, "Unauthorized"},
        {403, "Forbidden"},
        {404, "Not Found"},
        {405, "Method Not Allowed"},
        {409, "Conflict"},
        {410, "Gone"},
        {413, "Content Too Large"},
        {422, "Unprocessable Content"},
        {429, "Too Many Requests"},
        {503, "Service Unavailable"},
    };
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (titles[i].status == status)
            return titles[i].title;
    return "Internal Server Error";
}

void fg_reply_problem(struct fg_reply *reply, unsigned status, const char *detail)
{
    reply->status = status;
    reply->type = "application/problem+json";
    reply->link = NULL;
    fg_buf_reset(&reply->body);
    struct fg_json json = fg_json_to(&reply->body);
    fg_json_object(&json);
    fg_json_pair_cstr(&json, "type", "about:blank");
    fg_json_pair_cstr(&json, "title", title_of(status));
    fg_json_pair_uint(&json, "status", status);
    fg_json_pair_cstr(&json, "detail", detail);
    fg_json_end(&json);
    fg_buf_add_char(&reply->body, '\n');
}

unsigned fg_reply_status(enum fg_status status)
{
    switch (status) {
    case FG_ECONFIG:
    case FG_EINPUT:
        return 400;
    case FG_ENOTFOUND:
        return 404;
    case FG_ELIMIT:
        return 422;
    case FG_EFULL:
        return 503;
    default:
        return 500;
    }
}

/* --- parameters --- */

struct fg_str fg_request_arg(const struct fg_http_request *request, const char *name)
{
    for (size_t i = 0; i < request->n_args; i++)
        if (fg_str_eq(request->args[i].name, fg_str_from(name)))
            return request->args[i].value;
    return FG_STR("");
}

/* "at_least" is the option "at-least". */
static struct fg_setting *find(struct fg_opts *opts, struct fg_str name)
{
    char *key = fg_arena_cstr(opts->arena, name);
    for (char *c = key; *c; c++)
        *c = *c == '_' ? '-' : *c;
    return fg_opts_find(opts, fg_str_from(key));
}

static enum fg_status set(struct fg_opts *opts, struct fg_str name, struct fg_str value,
                          struct fg_err *err)
{
    struct fg_setting *row = find(opts, name);
    struct fg_origin origin = {.layer = FG_LAYER_FLAG, .name = name};
    if (row)
        return fg_opts_set(opts, row, value, origin, err);
    const char *nearest = fg_opts_nearest(opts, name);
    return fg_fail(err, FG_EINPUT, "there is no parameter '%.*s' here%s%s%s",
                   FG_ARG(fg_str_sub(name, 0, 60)), nearest ? "; did you mean '" : "",
                   nearest ? nearest : "", nearest ? "'?" : "");
}

static enum fg_status read_args(struct fg_opts *opts, struct fg_http_request *request,
                                struct fg_err *err)
{
    const char *subject = request->route->subject;
    bool is_paged = request->route->is_paged;
    enum fg_status st = FG_OK;
    for (size_t i = 0; !st && i < request->n_args; i++) {
        struct fg_str name = request->args[i].name;
        bool is_ours = (subject && fg_str_eq(name, fg_str_from(subject))) ||
                       (is_paged && (fg_str_eq(name, FG_STR("after")) ||
                                     fg_str_eq(name, FG_STR("limit"))));
        for (size_t j = 0; !st && j < i; j++)
            if (fg_str_eq(request->args[j].name, name))
                st = fg_fail(err, FG_EINPUT, "'%.*s' is given twice",
                             FG_ARG(fg_str_sub(name, 0, 60)));
        if (!st && !is_ours)
            st = set(opts, name, request->args[i].value, err);
    }
    return st;
}

/* A value of JSON as it would be written on a command line; false: it cannot be. */
static bool text_of(struct fg_str *text, struct fg_arena *arena, const json_t *value)
{
    char *dumped;
    switch (json_typeof(value)) {
    case JSON_STRING:
        *text = (struct fg_str){json_string_value(value), json_string_length(value)};
        return !memchr(text->at, '\0', text->len);
    case JSON_TRUE:
    case JSON_FALSE:
        *text = json_is_true(value) ? FG_STR("yes") : FG_STR("no");
        return true;
    case JSON_INTEGER:
    case JSON_REAL:
        dumped = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
        *text = fg_arena_dup(arena, fg_str_from(dumped));
        free(dumped);
        return true;
    default:
        return false;
    }
}

/* A sum of money may be a number as well as a text. */
static bool is_text(const struct fg_opt *opt, const json_t *value)
{
    return json_is_string(value) ||
           (json_is_number(value) && opt->refuse == fg_money_refuse);
}

/* As the description of the API has it: nothing is guessed. */
static enum fg_status check_type(const struct fg_setting *row, const char *name,
                                 const json_t *value, struct fg_err *err)
{
    const char *type = NULL;
    switch (row->opt->type) {
    case FG_OPT_BOOL:
        type = json_is_boolean(value) ? NULL : "true or false";
        break;
    case FG_OPT_INT:
    case FG_OPT_DOUBLE:
        type = json_is_number(value) ? NULL : "a number";
        break;
    case FG_OPT_LIST:
        type = json_is_array(value) ? NULL : "a list of texts";
        break;
    default:
        type = is_text(row->opt, value) ? NULL : "a text";
    }
    return type ? fg_fail(err, FG_EINPUT, "'%.60s' must be %s", name, type) : FG_OK;
}

static enum fg_status read_member(struct fg_opts *opts, const char *name,
                                  const json_t *value, struct fg_err *err)
{
    struct fg_str text;
    size_t i;
    const json_t *entry;
    const struct fg_setting *row = find(opts, fg_str_from(name));
    enum fg_status st = FG_OK;
    if (json_is_null(value))
        return FG_OK;
    if (row)
        st = check_type(row, name, value, err);
    if (st)
        return st;
    if (!json_is_array(value))
        return text_of(&text, opts->arena, value)
                   ? set(opts, fg_str_from(name), text, err)
                   : fg_fail(err, FG_EINPUT,
                             "'%.60s' must be a text, a number, true or false", name);
    json_array_foreach((json_t *)value, i, entry)
    {
        if (!st && (!json_is_string(entry) || !text_of(&text, opts->arena, entry)))
            st = fg_fail(err, FG_EINPUT, "'%.60s' must be a list of texts", name);
        if (!st)
            st = set(opts, fg_str_from(name), text, err);
    }
    return st;
}

static enum fg_status read_body(struct fg_opts *opts, struct fg_http_request *request,
                                struct fg_err *err)
{
    json_error_t wrong;
    const char *name;
    json_t *value;
    struct fg_str body = request->body.len ? request->body : FG_STR("{}");
    json_t *json = json_loadb(body.at, body.len, JSON_REJECT_DUPLICATES, &wrong);
    enum fg_status st = FG_OK;
    if (!json)
        return fg_fail(err, FG_EINPUT, "the body is not JSON: line %d: %.200s",
                       wrong.line, wrong.text);
    if (!json_is_object(json))
        st = fg_fail(err, FG_EINPUT, "the body must be a JSON object");
    json_object_foreach(json, name, value)
    {
        if (!st)
            st = read_member(opts, name, value, err);
    }
    /* Texts were copied with the values they became. */
    json_decref(json);
    return st;
}

enum fg_status fg_request_read(void *question, struct fg_http_request *request,
                               struct fg_err *err)
{
    static const struct fg_opt none[] = {{0}};
    const struct fg_route *route = request->route;
    struct fg_opts opts = {.arena = request->arena};
    if (question)
        memset(question, 0, route->question_size);
    fg_opts_add(&opts, route->question ? route->question : none, question);
    bool is_changing = strcmp(route->method, "GET") != 0;
    if (is_changing && request->n_args)
        return fg_fail(err, FG_EINPUT, "this takes a body, and no parameters");
    return is_changing ? read_body(&opts, request, err) : read_args(&opts, request, err);
}

/* --- routes --- */

static bool fits(const struct fg_route *route, struct fg_str path)
{
    struct fg_str own = fg_str_from(route->path);
    if (!fg_str_ends(own, FG_STR("*")))
        return fg_str_eq(own, path);
    return fg_str_starts(path, fg_str_sub(own, 0, own.len - 1));
}

const struct fg_route *fg_routes_find(const struct fg_routes *routes, const char *method,
                                      struct fg_str path, struct fg_str *allowed,
                                      struct fg_arena *arena)
{
    *allowed = FG_STR("");
    for (size_t i = 0; i < routes->len; i++) {
        const struct fg_route *route = &routes->at[i];
        /* What is not there below the API is no page of the dashboard either. */
        bool is_rest = strcmp(route->path, "/*") == 0;
        if ((is_rest && (allowed->len || fg_str_starts(path, FG_STR("/api/")))) ||
            !fits(route, path))
            continue;
        if (strcmp(route->method, method) == 0)
            return route;
        *allowed = fg_arena_printf(
            arena, "%.*s%s%s", FG_ARG(*allowed), allowed->len ? ", " : "",
            strcmp(route->method, "GET") == 0 ? "GET, HEAD" : route->method);
    }
    return NULL;
}
