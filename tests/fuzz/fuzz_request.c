/* What a client may ask the server. The first byte chooses the call; the rest is the body
 * of a change, or names and values with a "&" between them. A question is read as its
 * rows allow or refused with words; reports to the scheduler likewise. */
#include "server/request.h"
#include "view/scheduling.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ARGS = 8 };

static size_t take_args(struct fg_named args[ARGS], struct fg_arena *arena,
                        struct fg_str text)
{
    size_t n = 0;
    struct fg_str one;
    while (n < ARGS && text.len && fg_str_cut(&text, '&', &one)) {
        struct fg_str name;
        if (!fg_str_cut(&one, '=', &name))
            one = (struct fg_str){0};
        args[n++] = (struct fg_named){fg_str_from(fg_arena_cstr(arena, name)),
                                      fg_str_from(fg_arena_cstr(arena, one))};
    }
    return n;
}

static void read_reports(struct fg_str body)
{
    json_t *json = json_loadb(body.at, body.len, 0, NULL);
    struct fg_err err = {0};
    for (size_t i = 0; i < json_array_size(json); i++) {
        struct fg_report_line line;
        if (fg_report_read(&line, json_array_get(json, i), &err) && !err.text[0])
            abort();
    }
    json_decref(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fg_arena arena = {0};
    struct fg_routes routes;
    struct fg_err err = {0};
    struct fg_named args[ARGS];
    if (!size)
        return 0;
    fg_routes_make(&routes, &arena);
    const struct fg_route *route = &routes.at[data[0] % routes.len];
    struct fg_str text = fg_str_from(
        fg_arena_cstr(&arena, (struct fg_str){(const char *)data + 1, size - 1}));
    bool is_changing = strcmp(route->method, "GET") != 0;
    struct fg_http_request request = {
        .route = route, .args = args, .arena = &arena, .body = text};
    request.n_args = is_changing ? 0 : take_args(args, &arena, text);
    /* Exactly as large as it says, so that a row that lies beyond it is seen. */
    size_t room = route->view ? route->view->question_size : route->question_size;
    void *question = malloc(room + !room);
    bool has_rows = route->question && route->question->name;
    bool is_filled = has_rows && room;
    if ((is_filled || !has_rows) &&
        fg_request_read(is_filled ? question : NULL, &request, &err) && !err.text[0])
        abort();
    free(question);
    read_reports(text);
    fg_arena_clear(&arena);
    return 0;
}
