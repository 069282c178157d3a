/* openapi.c - the table of routes, written down as OpenAPI 3.1
 *
 * Nothing in it is said twice: parameters and bodies are the options of a question,
 * answers the fields of a view. */
#include "base/json.h"
#include "server/ask.h"
#include "server/inside.h"
#include "view/export.h"

#include <string.h>

/* --- values --- */

static void put_type(struct fg_json *json, const char *type, bool is_nullable)
{
    fg_json_key(json, "type");
    if (!is_nullable) {
        fg_json_cstr(json, type);
        return;
    }
    fg_json_array(json);
    fg_json_cstr(json, type);
    fg_json_cstr(json, "null");
    fg_json_end(json);
}

static void put_opt_schema(struct fg_json *json, const struct fg_opt *opt, bool is_body)
{
    double preset;
    fg_json_object(json);
    switch (opt->type) {
    case FG_OPT_BOOL:
        put_type(json, "boolean", false);
        break;
    case FG_OPT_INT:
    case FG_OPT_DOUBLE:
        put_type(json, opt->type == FG_OPT_INT ? "integer" : "number", false);
        if (opt->min != 0 || opt->max != 0) {
            fg_json_pair_double(json, "minimum", opt->min);
            fg_json_pair_double(json, "maximum", opt->max);
        }
        break;
    case FG_OPT_ENUM:
        put_type(json, "string", false);
        fg_json_key(json, "enum");
        fg_json_array(json);
        for (size_t i = 0; opt->choices[i]; i++)
            fg_json_cstr(json, opt->choices[i]);
        fg_json_end(json);
        break;
    case FG_OPT_LIST:
        put_type(json, is_body ? "array" : "string", false);
        if (is_body) {
            fg_json_key(json, "items");
            fg_json_object(json);
            put_type(json, opt->arg && *opt->arg == '{' ? "object" : "string", false);
            fg_json_end(json);
        }
        break;
    default: /* spans and sizes are texts with a unit */
        put_type(json, "string", false);
    }
    if (opt->preset && (opt->type == FG_OPT_INT || opt->type == FG_OPT_DOUBLE) &&
        fg_str_to_double(fg_str_from(opt->preset), &preset))
        fg_json_pair_double(json, "default", preset);
    else if (opt->preset && opt->type == FG_OPT_BOOL)
        fg_json_pair_bool(json, "default", strcmp(opt->preset, "yes") == 0);
    else if (opt->preset && opt->type != FG_OPT_LIST)
        fg_json_pair_cstr(json, "default", opt->preset);
    fg_json_end(json);
}

static void put_name(struct fg_json *json, const char *key, const char *name)
{
    char text[64];
    size_t n = 0;
    for (; name[n] && n + 1 < sizeof text; n++)
        text[n] = (char)(name[n] == '-' ? '_' : name[n]);
    text[n] = '\0';
    if (key)
        fg_json_pair_cstr(json, key, text);
    else
        fg_json_key(json, text);
}

/* --- parameters and bodies --- */

static void put_parameter(struct fg_json *json, const char *name, const char *help,
                          bool is_required, const struct fg_opt *opt)
{
    fg_json_object(json);
    put_name(json, "name", name);
    fg_json_pair_cstr(json, "in", "query");
    fg_json_pair_cstr(json, "description", help);
    fg_json_pair_bool(json, "required", is_required);
    fg_json_key(json, "schema");
    put_opt_schema(json, opt, false);
    fg_json_end(json);
}

static bool is_needed(const struct fg_route *route, const char *name)
{
    struct fg_str rest = fg_str_from(route->needs ? route->needs : ""), word;
    while (rest.len && fg_str_cut(&rest, ' ', &word))
        if (fg_str_eq(word, fg_str_from(name)))
            return true;
    return false;
}

static void put_parameters(struct fg_json *json, const struct fg_route *route)
{
    static const struct fg_opt text = {.type = FG_OPT_STRING},
                               limit = {.type = FG_OPT_INT,
                                        .min = 1,
                                        .max = 1000,
                                        .preset = "100"};
    fg_json_key(json, "parameters");
    fg_json_array(json);
    if (fg_str_ends(fg_str_from(route->path), FG_STR("*"))) {
        fg_json_object(json);
        fg_json_pair_cstr(json, "name", "rest");
        fg_json_pair_cstr(json, "in", "path");
        fg_json_pair_cstr(json, "description", route->rest);
        fg_json_pair_bool(json, "required", true);
        fg_json_key(json, "schema");
        put_opt_schema(json, &text, false);
        fg_json_end(json);
    }
    bool takes_args = strcmp(route->method, "GET") == 0;
    if (route->subject)
        put_parameter(json, route->subject, "what is asked about", true, &text);
    for (const struct fg_opt *opt = route->question; takes_args && opt && opt->name;
         opt++)
        put_parameter(json, opt->name, opt->help, is_needed(route, opt->name), opt);
    if (route->is_paged) {
        put_parameter(json, "after", "the 'next' of the answer before", false, &text);
        put_parameter(json, "limit", "rows, at most", false, &limit);
    }
    if (!takes_args && !route->changes_nothing && !route->is_open && !route->is_public) {
        fg_json_object(json);
        fg_json_pair_cstr(json, "name", "Idempotency-Key");
        fg_json_pair_cstr(json, "in", "header");
        fg_json_pair_cstr(json, "description",
                          "with the same key a request is carried out once");
        fg_json_pair_bool(json, "required", false);
        fg_json_key(json, "schema");
        put_opt_schema(json, &text, false);
        fg_json_end(json);
    }
    fg_json_end(json);
}

static void put_members(struct fg_json *json, const struct fg_route *route)
{
    put_type(json, "object", false);
    fg_json_pair_bool(json, "additionalProperties", false);
    if (route->needs) {
        struct fg_str rest = fg_str_from(route->needs), word;
        fg_json_key(json, "required");
        fg_json_array(json);
        while (rest.len && fg_str_cut(&rest, ' ', &word))
            fg_json_str(json, word);
        fg_json_end(json);
    }
    fg_json_key(json, "properties");
    fg_json_object(json);
    for (const struct fg_opt *opt = route->question; opt && opt->name; opt++) {
        put_name(json, NULL, opt->name);
        fg_json_object(json);
        fg_json_key(json, "allOf");
        fg_json_array(json);
        put_opt_schema(json, opt, true);
        fg_json_end(json);
        fg_json_pair_cstr(json, "description", opt->help);
        fg_json_end(json);
    }
    fg_json_end(json);
}

static void put_body(struct fg_json *json, const struct fg_route *route)
{
    fg_json_key(json, "requestBody");
    fg_json_object(json);
    fg_json_pair_bool(json, "required", true);
    fg_json_key(json, "content");
    fg_json_object(json);
    fg_json_key(json, route->question ? "application/json" : "*/*");
    fg_json_object(json);
    fg_json_key(json, "schema");
    fg_json_object(json);
    if (route->question)
        put_members(json, route);
    for (int i = 0; i < 4; i++)
        fg_json_end(json);
}

/* --- answers --- */

static void put_field(struct fg_json *json, const struct fg_field *field);

static void put_properties(struct fg_json *json, const struct fg_field *fields)
{
    for (; fields->type; fields++)
        if (fields->key) {
            fg_json_key(json, fields->key);
            put_field(json, fields);
        } else if (fg_field_is_record(fields)) {
            put_properties(json, fields->of);
        }
}

static void put_object(struct fg_json *json, const struct fg_field *fields,
                       bool is_nullable)
{
    enum { DEEP = 32 }; /* rows may have rows like themselves */
    put_type(json, "object", is_nullable);
    if (json->depth > DEEP)
        return;
    fg_json_key(json, "properties");
    fg_json_object(json);
    put_properties(json, fields);
    fg_json_end(json);
}

static void put_items(struct fg_json *json, const struct fg_field *fields)
{
    bool is_event = false; /* the only rows that are JSON which was written elsewhere */
    for (const struct fg_field *field = fields; field->type; field++)
        is_event |= field->type == FG_FIELD_JSON && !field->key;
    fg_json_key(json, "items");
    fg_json_object(json);
    put_object(json, is_event ? fg_event_fields : fields, false);
    fg_json_end(json);
}

static void put_array_of(struct fg_json *json, const char *type)
{
    put_type(json, "array", false);
    fg_json_key(json, "items");
    fg_json_object(json);
    put_type(json, type, false);
    fg_json_end(json);
}

static void put_field(struct fg_json *json, const struct fg_field *field)
{
    fg_json_object(json);
    if (field->help)
        fg_json_pair_cstr(json, "description", field->help);
    switch (field->type) {
    case FG_FIELD_COUNT:
        put_type(json, "integer", true);
        break;
    case FG_FIELD_NUMBER:
    case FG_FIELD_FLOAT:
    case FG_FIELD_SHARE:
    case FG_FIELD_SPAN:
        put_type(json, "number", true);
        break;
    case FG_FIELD_YES:
        put_type(json, "boolean", false);
        break;
    case FG_FIELD_TIME:
        put_type(json, "string", true);
        fg_json_pair_cstr(json, "format", "date-time");
        break;
    case FG_FIELD_FLAGS:
    case FG_FIELD_TEXTS:
        put_array_of(json, "string");
        break;
    case FG_FIELD_PAIRS: /* names that are not known beforehand */
        put_type(json, "object", true);
        fg_json_key(json, "additionalProperties");
        fg_json_object(json);
        if (field->of)
            put_object(json, field->of, false);
        fg_json_end(json);
        break;
    case FG_FIELD_JSON: /* of any type */
        break;
    case FG_FIELD_RECORD:
    case FG_FIELD_RECORD_AT:
        put_object(json, field->of, true);
        break;
    case FG_FIELD_ROWS:
        put_type(json, "array", false);
        put_items(json, field->of);
        break;
    default:
        put_type(json, "string", true);
    }
    if (field->unit)
        fg_json_pair_cstr(json, "x-unit", field->unit);
    fg_json_end(json);
}

/* {"items": [...], "next": ...} */
static void put_page(struct fg_json *json, const struct fg_field *fields, bool has_next)
{
    put_type(json, "object", false);
    fg_json_key(json, "required");
    fg_json_array(json);
    fg_json_cstr(json, "items");
    if (has_next)
        fg_json_cstr(json, "next");
    fg_json_end(json);
    fg_json_key(json, "properties");
    fg_json_object(json);
    fg_json_key(json, "items");
    fg_json_object(json);
    put_type(json, "array", false);
    put_items(json, fields);
    fg_json_end(json);
    if (has_next) {
        fg_json_key(json, "next");
        fg_json_object(json);
        put_type(json, "string", true);
        fg_json_end(json);
    }
    fg_json_end(json);
}

static void put_answer_schema(struct fg_json *json, const struct fg_route *route)
{
    const struct fg_view *view = route->view;
    fg_json_object(json);
    if (route->type)
        put_type(json, "string", false);
    else if (view && view->answer.is_lines)
        put_page(json, view->answer.of, route->is_paged);
    else if (view && view->answer.type == FG_FIELD_ROWS)
        put_type(json, "array", false), put_items(json, view->answer.of);
    else if (view)
        put_object(json, view->answer.of, false);
    else if (route->gives)
        put_object(json, route->gives, false);
    else if (route->is_paged)
        put_page(json, fg_sites_field()->of, true);
    else
        put_type(json, "object", false);
    fg_json_end(json);
}

static void put_reference(struct fg_json *json, const char *to)
{
    fg_json_object(json);
    fg_json_pair_cstr(json, "$ref", to);
    fg_json_end(json);
}

static void put_content(struct fg_json *json, const struct fg_route *route)
{
    fg_json_key(json, "content");
    fg_json_object(json);
    fg_json_key(json, route->type ? route->type : "application/json");
    fg_json_object(json);
    fg_json_key(json, "schema");
    put_answer_schema(json, route);
    fg_json_end(json);
    fg_json_end(json);
}

static void put_location(struct fg_json *json)
{
    static const struct fg_opt text = {.type = FG_OPT_STRING};
    fg_json_key(json, "headers");
    fg_json_object(json);
    fg_json_key(json, "Location");
    fg_json_object(json);
    fg_json_pair_cstr(json, "description", "where it leads");
    fg_json_key(json, "schema");
    put_opt_schema(json, &text, false);
    fg_json_end(json);
    fg_json_end(json);
}

static void put_status(struct fg_json *json, const struct fg_route *route,
                       unsigned status)
{
    char key[8];
    snprintf(key, sizeof key, "%u", status);
    fg_json_key(json, key);
    if (status >= 400) {
        put_reference(json, "#/components/responses/problem");
        return;
    }
    fg_json_object(json);
    fg_json_pair_cstr(json, "description",
                      status == 202   ? "taken; it is done later"
                      : status == 303 ? "go there"
                      : status == 304 ? "it is as If-None-Match has it"
                                      : "as asked for");
    if (status == 303)
        put_location(json);
    else if (status != 304 && (status == 200 || route->gives)) /* else there is no body */
        put_content(json, route);
    fg_json_end(json);
}

static void put_answers(struct fg_json *json, const struct fg_route *route)
{
    bool is_kept =
        strcmp(route->method, "GET") == 0 && !route->is_stream && !route->statuses[0];
    fg_json_key(json, "responses");
    fg_json_object(json);
    if (!route->statuses[0])
        put_status(json, route, 200);
    for (const unsigned *status = route->statuses; *status; status++)
        put_status(json, route, *status);
    if (is_kept)
        put_status(json, route, 304);
    fg_json_key(json, "default");
    put_reference(json, "#/components/responses/problem");
    fg_json_end(json);
}

/* --- the whole --- */

static void put_route(struct fg_json *json, const struct fg_route *route)
{
    bool is_get = strcmp(route->method, "GET") == 0;
    fg_json_key(json, is_get ? "get" : "post");
    fg_json_object(json);
    fg_json_pair_cstr(json, "operationId", route->id);
    fg_json_pair_cstr(json, "summary", route->summary);
    if (route->is_open || route->is_public) {
        fg_json_key(json, "security");
        fg_json_array(json);
        fg_json_end(json);
    }
    put_parameters(json, route);
    if (!is_get)
        put_body(json, route);
    put_answers(json, route);
    fg_json_end(json);
}

static void put_path(struct fg_json *json, const char *path)
{
    struct fg_str text = fg_str_from(path);
    char made[80];
    if (fg_str_ends(text, FG_STR("*"))) {
        snprintf(made, sizeof made, "%.*s{rest}", (int)text.len - 1, path);
        fg_json_key(json, made);
    } else {
        fg_json_key(json, path);
    }
}

static void put_paths(struct fg_json *json, const struct fg_routes *routes)
{
    fg_json_key(json, "paths");
    fg_json_object(json);
    for (size_t i = 0; i < routes->len; i++) {
        const char *path = routes->at[i].path;
        bool is_first = true;
        for (size_t j = 0; j < i; j++)
            is_first &= strcmp(routes->at[j].path, path) != 0;
        if (!is_first)
            continue;
        put_path(json, path);
        fg_json_object(json);
        for (size_t j = i; j < routes->len; j++)
            if (strcmp(routes->at[j].path, path) == 0)
                put_route(json, &routes->at[j]);
        fg_json_end(json);
    }
    fg_json_end(json);
}

static void put_components(struct fg_json *json)
{
    static const char *const members[] = {"type", "title", "detail"};
    fg_json_key(json, "components");
    fg_json_object(json);
    fg_json_key(json, "securitySchemes");
    fg_json_object(json);
    fg_json_key(json, "token");
    fg_json_object(json);
    fg_json_pair_cstr(json, "type", "http");
    fg_json_pair_cstr(json, "scheme", "bearer");
    fg_json_end(json);
    fg_json_end(json);
    fg_json_key(json, "responses");
    fg_json_object(json);
    fg_json_key(json, "problem");
    fg_json_object(json);
    fg_json_pair_cstr(json, "description", "what is wrong (RFC 9457)");
    fg_json_key(json, "content");
    fg_json_object(json);
    fg_json_key(json, "application/problem+json");
    fg_json_object(json);
    fg_json_key(json, "schema");
    fg_json_object(json);
    put_type(json, "object", false);
    fg_json_key(json, "properties");
    fg_json_object(json);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        fg_json_key(json, members[i]);
        fg_json_object(json);
        put_type(json, "string", false);
        fg_json_end(json);
    }
    fg_json_key(json, "status");
    fg_json_object(json);
    put_type(json, "integer", false);
    for (int i = 0; i < 8; i++)
        fg_json_end(json);
}

enum fg_status fg_answer_openapi(struct fg_reply *reply, struct fg_http_request *request,
                                 struct fg_err *err)
{
    struct fg_json json = fg_json_to(&reply->body);
    enum fg_status st = fg_request_read(NULL, request, err);
    fg_json_object(&json);
    fg_json_pair_cstr(&json, "openapi", "3.1.0");
    fg_json_key(&json, "info");
    fg_json_object(&json);
    fg_json_pair_cstr(&json, "title", "Forage");
    fg_json_pair_cstr(&json, "version", FG_VERSION);
    fg_json_pair_cstr(&json, "summary", "a workspace over HTTP");
    fg_json_end(&json);
    if (request->server->needs_token) {
        fg_json_key(&json, "security");
        fg_json_array(&json);
        fg_json_object(&json);
        fg_json_key(&json, "token");
        fg_json_array(&json);
        fg_json_end(&json);
        fg_json_end(&json);
        fg_json_end(&json);
    }
    put_paths(&json, &request->server->routes);
    put_components(&json);
    fg_json_end(&json);
    fg_buf_add_char(&reply->body, '\n');
    reply->is_fixed = true;
    return st;
}
