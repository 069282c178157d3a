#include "server/audit.h"

#include "base/file.h"
#include "base/json.h"
#include "base/log.h"
#include "crawl/intake/seeds.h"
#include "server/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 64 << 20, FULL_BYTES = 8 << 20, MOST_SHOWN = 4096 };
enum { OLD, NEW, FILES };
static const char *const names[] = {"audit.old.jsonl", "audit.jsonl"};

static const char *path_of(struct fg_http_request *request, const char *name)
{
    return fg_arena_printf(request->arena, "%s/%s", request->server->place.workspace.at,
                           name)
        .at;
}

static struct fg_str read_file(struct fg_http_request *request, const char *name)
{
    struct fg_str text;
    const char *path = path_of(request, name);
    bool is_there = access(path, F_OK) == 0 &&
                    !fg_file_read(&text, request->arena, path, MOST_BYTES, NULL);
    return is_there ? text : FG_STR("");
}

/* {"number":12,... */
static uint64_t number_of(struct fg_str line)
{
    static const struct fg_str start = FG_STR("{\"number\":");
    struct fg_str rest = fg_str_skip(line, start.len);
    uint64_t number = 0;
    if (!fg_str_starts(line, start) ||
        !fg_str_to_u64(fg_str_sub(rest, 0, fg_str_chr(rest, ',')), &number))
        return 0;
    return number;
}

static uint64_t last_number(struct fg_http_request *request)
{
    struct fg_str line;
    uint64_t last = 0;
    for (size_t i = 0; i < FILES; i++) {
        struct fg_str rest = read_file(request, names[i]);
        while (rest.len && fg_str_cut(&rest, '\n', &line)) {
            uint64_t number = number_of(line);
            last = number > last ? number : last;
        }
    }
    return last;
}

static struct fg_str shortened(struct fg_http_request *request)
{
    struct fg_str body = request->body;
    return body.len <= MOST_SHOWN
               ? body
               : fg_arena_printf(request->arena, "%.*s ...",
                                 FG_ARG(fg_str_sub(body, 0, MOST_SHOWN)));
}

static void put_line(struct fg_buf *out, struct fg_http_request *request, uint64_t number,
                     const char *undo, struct fg_str undo_body)
{
    struct fg_json json = fg_json_to(out);
    fg_json_object(&json);
    fg_json_pair_uint(&json, "number", number);
    if (request->undoes) /* second: marks_of looks for it there */
        fg_json_pair_uint(&json, "undoes", request->undoes);
    fg_json_pair_time(&json, "time", fg_time_now());
    fg_json_pair_cstr(&json, "call", request->route->id);
    fg_json_pair(&json, "body", shortened(request));
    fg_json_pair_cstr(&json, "undo", undo);
    if (undo)
        fg_json_pair(&json, "undo_body", undo_body);
    fg_json_end(&json);
    fg_buf_add_char(out, '\n');
}

/* Two files: when the one is full, it takes the place of the other. */
static void make_room(struct fg_http_request *request)
{
    struct stat file;
    const char *path = path_of(request, names[NEW]);
    if (stat(path, &file) == 0 && file.st_size > FULL_BYTES)
        rename(path, path_of(request, names[OLD]));
}

/* Changes come one after the other (fg_memory_answer), so numbers are not given twice. */
uint64_t fg_audit_add(struct fg_http_request *request, const char *undo,
                      struct fg_str undo_body)
{
    struct fg_buf line;
    struct fg_server *server = request->server;
    request->is_audited = true;
    if (!server->audited)
        server->audited = last_number(request);
    uint64_t number = server->audited + 1;
    fg_buf_init(&line, 4 * FG_BODY_MOST);
    put_line(&line, request, number, undo, undo_body);
    make_room(request);
    int fd = open(path_of(request, names[NEW]), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC,
                  0600);
    bool is_written = fd >= 0 && !line.full && fg_file_write_all(fd, fg_buf_str(&line));
    if (!is_written)
        fg_log_warn("server", "change not written down", FG_F("why", strerror(errno)));
    else
        server->audited = number;
    if (fd >= 0)
        close(fd);
    fg_buf_clear(&line);
    return is_written ? number : 0;
}

/* --- reading --- */

/* Which change took back which. */
struct mark {
    uint64_t number, undoes;
};

/* {"number":12,"undoes":9,... */
static void add_mark(struct fg_buf *marks, struct fg_str line)
{
    static const struct fg_str start = FG_STR("\"undoes\":");
    struct mark mark = {.number = number_of(line)};
    size_t comma = fg_str_chr(line, ',');
    if (!mark.number || comma == FG_NOT_FOUND)
        return;
    struct fg_str rest = fg_str_skip(line, comma + 1);
    if (!fg_str_starts(rest, start))
        return;
    rest = fg_str_skip(rest, start.len);
    if (fg_str_to_u64(fg_str_sub(rest, 0, fg_str_chr(rest, ',')), &mark.undoes) &&
        mark.undoes < mark.number)
        fg_buf_add(marks, (struct fg_str){(const char *)&mark, sizeof mark});
}

static uint64_t last_undoing(struct fg_str marks, uint64_t number)
{
    struct mark mark;
    for (size_t at = marks.len; at >= sizeof mark; at -= sizeof mark) {
        memcpy(&mark, marks.at + at - sizeof mark, sizeof mark);
        if (mark.undoes == number)
            return mark.number;
    }
    return 0;
}

/* The change that took this one back, if that was not taken back itself; else 0. */
static uint64_t undone_by(struct fg_str marks, uint64_t number)
{
    uint64_t first = last_undoing(marks, number);
    unsigned steps = 0;
    for (uint64_t by = first; by; by = last_undoing(marks, by))
        steps++;
    return steps % 2 ? first : 0;
}

/* A line, and whether it holds still. */
static void put_audited(struct fg_buf *out, struct fg_str line, struct fg_str marks)
{
    uint64_t by = undone_by(marks, number_of(line));
    fg_buf_add(out, fg_str_sub(line, 0, line.len - 1));
    if (by)
        fg_buf_printf(out, ",\"undone_by\":%llu}", (unsigned long long)by);
    else
        fg_buf_add(out, FG_STR(",\"undone_by\":null}"));
}

enum fg_status fg_answer_audit(struct fg_reply *reply, struct fg_http_request *request,
                               struct fg_err *err)
{
    enum { SHOWN = 200 };
    struct fg_str lines[SHOWN], line;
    struct fg_buf marks;
    size_t n = 0;
    enum fg_status st = fg_request_read(NULL, request, err);
    fg_buf_init(&marks, MOST_BYTES);
    for (size_t i = 0; !st && i < FILES; i++) {
        struct fg_str rest = read_file(request, names[i]);
        while (rest.len && fg_str_cut(&rest, '\n', &line))
            if (number_of(line) && fg_str_ends(line, FG_STR("}"))) {
                lines[n++ % SHOWN] = line;
                add_mark(&marks, line);
            }
    }
    fg_buf_add(&reply->body, FG_STR("{\"items\":["));
    for (size_t i = n > SHOWN ? n - SHOWN : 0, first = i; i < n; i++) {
        fg_buf_add(&reply->body, i > first ? FG_STR(",") : FG_STR(""));
        put_audited(&reply->body, lines[i % SHOWN], fg_buf_str(&marks));
    }
    fg_buf_add(&reply->body, FG_STR("]}\n"));
    fg_buf_clear(&marks);
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

/* `by`: the change that took it back, or 0. */
static json_t *find(struct fg_http_request *request, uint64_t number, uint64_t *by)
{
    struct fg_str line;
    struct fg_buf marks;
    json_t *found = NULL;
    fg_buf_init(&marks, MOST_BYTES);
    for (size_t i = 0; i < FILES; i++) {
        struct fg_str rest = read_file(request, names[i]);
        while (rest.len && fg_str_cut(&rest, '\n', &line)) {
            add_mark(&marks, line);
            if (!found && number_of(line) == number)
                found = json_loadb(line.at, line.len, 0, NULL);
        }
    }
    *by = undone_by(fg_buf_str(&marks), number);
    fg_buf_clear(&marks);
    return found;
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
    enum fg_status st = made.route && made.route != request->route
                            ? made.route->answer(reply, &made, err)
                            : fg_fail(err, FG_EINPUT, "the audit is damaged");
    request->is_audited = made.is_audited;
    return st;
}

enum fg_status fg_answer_undo(struct fg_reply *reply, struct fg_http_request *request,
                              struct fg_err *err)
{
    struct undo_question q;
    enum fg_status st = fg_request_read(&q, request, err);
    if (st)
        return st;
    uint64_t by;
    json_t *line = find(request, (uint64_t)q.number, &by);
    request->undoes = (uint64_t)q.number;
    const char *call = json_string_value(json_object_get(line, "undo"));
    const char *body = json_string_value(json_object_get(line, "undo_body"));
    if (!line)
        st = fg_fail(err, FG_ENOTFOUND, "there is no change %lld in the audit",
                     (long long)q.number);
    else if (by)
        fg_reply_problem(reply, 409,
                         fg_arena_printf(request->arena,
                                         "change %lld was taken back already, by change "
                                         "%llu",
                                         (long long)q.number, (unsigned long long)by)
                             .at);
    else if (!call || !body)
        st = fg_fail(err, FG_ELIMIT, "change %lld cannot be undone", (long long)q.number);
    else
        st = carry_out(reply, request, call, body, err);
    json_decref(line);
    return st;
}
