#include "server/audit.h"

#include "base/file.h"
#include "base/json.h"
#include "base/log.h"
#include "crawl/seeds.h"
#include "server/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <string.h>
#include <unistd.h>

enum { MOST_BYTES = 64 << 20 };

static const char *path_of(struct fg_http_request *request)
{
    return fg_arena_printf(request->arena, "%s/audit.jsonl",
                           request->server->place.workspace.at)
        .at;
}

static struct fg_str read_all(struct fg_http_request *request)
{
    struct fg_str text;
    const char *path = path_of(request);
    bool is_there = access(path, F_OK) == 0 &&
                    !fg_file_read(&text, request->arena, path, MOST_BYTES, NULL);
    return is_there ? text : FG_STR("");
}

static uint64_t count_lines(struct fg_str text)
{
    uint64_t n = 0;
    for (size_t i = 0; i < text.len; i++)
        n += text.at[i] == '\n';
    return n;
}

static void put_line(struct fg_buf *out, struct fg_http_request *request, uint64_t number,
                     const char *undo, struct fg_str undo_body)
{
    struct fg_json json = fg_json_to(out);
    fg_json_object(&json);
    fg_json_pair_uint(&json, "number", number);
    fg_json_pair_time(&json, "time", fg_time_now());
    fg_json_pair_cstr(&json, "call", request->route->id);
    fg_json_pair(&json, "body", request->body);
    fg_json_pair_cstr(&json, "undo", undo);
    if (undo)
        fg_json_pair(&json, "undo_body", undo_body);
    fg_json_end(&json);
    fg_buf_add_char(out, '\n');
}

/* Changes come one after the other (fg_memory_answer), so numbers are not given twice. */
uint64_t fg_audit_add(struct fg_http_request *request, const char *undo,
                      struct fg_str undo_body)
{
    struct fg_buf line;
    uint64_t number = count_lines(read_all(request)) + 1;
    fg_buf_init(&line, 4 * FG_BODY_MOST);
    put_line(&line, request, number, undo, undo_body);
    int fd = open(path_of(request), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    bool is_written = fd >= 0 && !line.full && fg_file_write_all(fd, fg_buf_str(&line));
    if (!is_written)
        fg_log_warn("server", "change not written down", FG_F("why", strerror(errno)));
    if (fd >= 0)
        close(fd);
    fg_buf_clear(&line);
    return is_written ? number : 0;
}

/* --- reading --- */

enum fg_status fg_answer_audit(struct fg_reply *reply, struct fg_http_request *request,
                               struct fg_err *err)
{
    enum { SHOWN = 200 };
    struct fg_str rest = read_all(request), line;
    uint64_t skip = count_lines(rest);
    skip = skip > SHOWN ? skip - SHOWN : 0;
    enum fg_status st = fg_request_read(NULL, request, err);
    fg_buf_add(&reply->body, FG_STR("{\"items\":["));
    for (size_t n = 0, put = 0; !st && rest.len && fg_str_cut(&rest, '\n', &line); n++)
        if (line.len && n >= skip) {
            fg_buf_add(&reply->body, put++ ? FG_STR(",") : FG_STR(""));
            fg_buf_add(&reply->body, line);
        }
    fg_buf_add(&reply->body, FG_STR("]}\n"));
    return st;
}

/* --- undoing --- */

struct undo_question {
    int64_t number;
};
const struct fg_opt fg_undo_opts[] = {
    {"number", FG_INT(struct undo_question, number), .min = 1, .max = 1e15,
     .help = "of the change, as its answer and the audit have it"},
    {0},
};

static json_t *find(struct fg_http_request *request, uint64_t number)
{
    struct fg_str rest = read_all(request), line;
    for (uint64_t n = 1; rest.len && fg_str_cut(&rest, '\n', &line); n++)
        if (n == number)
            return json_loadb(line.at, line.len, 0, NULL);
    return NULL;
}

/* The tags and settings of a site as they were, or what is to be removed, as lines for
 * the inbox. */
static enum fg_status leave(struct fg_reply *reply, struct fg_http_request *request,
                            enum fg_inbox_kind kind, const char *body, struct fg_err *err)
{
    json_t *json = json_loads(body, 0, NULL);
    const char *text = json_string_value(json_object_get(json, "text"));
    enum fg_status st = text ? fg_inbox_put(fg_server_store(&request->server->place),
                                            kind, fg_str_from(text), err)
                             : fg_fail(err, FG_EINPUT, "the audit is damaged");
    json_decref(json);
    if (!st)
        fg_buf_printf(&reply->body,
                      "{\"changed\":true,\"handed_over\":true,\"audit\":%llu}\n",
                      (unsigned long long)fg_audit_add(request, NULL, FG_STR("")));
    return st;
}

static enum fg_status carry_out(struct fg_reply *reply, struct fg_http_request *request,
                                const char *call, const char *body, struct fg_err *err)
{
    struct fg_str allowed;
    struct fg_http_request made = *request;
    if (strcmp(call, FG_AUDIT_RESTORE) == 0)
        return leave(reply, request, FG_INBOX_SITE, body, err);
    if (strcmp(call, FG_AUDIT_TAKE_BACK) == 0)
        return leave(reply, request, FG_INBOX_CONTROL, body, err);
    made.path = fg_arena_printf(request->arena, "/api/v1/%s", call);
    made.body = fg_str_from(body);
    made.route = fg_routes_find(&request->server->routes, "POST", made.path, &allowed,
                                request->arena);
    return made.route && made.route != request->route
               ? made.route->answer(reply, &made, err)
               : fg_fail(err, FG_EINPUT, "the audit is damaged");
}

enum fg_status fg_answer_undo(struct fg_reply *reply, struct fg_http_request *request,
                              struct fg_err *err)
{
    struct undo_question q;
    enum fg_status st = fg_request_read(&q, request, err);
    if (st)
        return st;
    json_t *line = find(request, (uint64_t)q.number);
    const char *call = json_string_value(json_object_get(line, "undo"));
    const char *body = json_string_value(json_object_get(line, "undo_body"));
    if (!line)
        st = fg_fail(err, FG_ENOTFOUND, "there is no change %lld in the audit",
                     (long long)q.number);
    else if (!call || !body)
        st = fg_fail(err, FG_ELIMIT, "change %lld cannot be undone", (long long)q.number);
    else
        st = carry_out(reply, request, call, body, err);
    json_decref(line);
    return st;
}
