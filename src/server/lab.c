/* lab.c - experiments started from the dashboard
 *
 * An experiment runs as a process of its own, at a low priority and on one core, so that
 * it takes nothing from the crawl; one at a time. Report, figures and log lie in the
 * folder lab/ of the workspace. It ends with the server, and goes on where it was when it
 * is started again: the lab keeps a journal. How far it is, its log says. */
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/spawn.h"
#include "server/audit.h"
#include "server/inside.h"

#include <errno.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

enum { NICE = 10, MOST_LOG = 1 << 20 };

struct fg_server_lab {
    pthread_mutex_t lock;
    pid_t pid; /* of the run that is under way, or 0 */
    const struct fg_server_experiment *experiment; /* that was run last */
    int code;                                      /* that it ended with */
};

struct fg_server_lab *fg_server_lab_new(void)
{
    struct fg_server_lab *lab = fg_zeroed(1, sizeof *lab);
    pthread_mutex_init(&lab->lock, NULL);
    return lab;
}

/* Under the lock: has it come to its end? */
static void look_after(struct fg_server_lab *lab, int flags)
{
    int code;
    if (lab->pid && waitpid(lab->pid, &code, flags) == lab->pid) {
        lab->pid = 0;
        lab->code = WIFEXITED(code) ? WEXITSTATUS(code) : 128 + WTERMSIG(code);
    }
}

/* It ends after the job at hand, or without it: the journal has all others. */
static void end(struct fg_server_lab *lab)
{
    static const struct timespec a_while = {.tv_nsec = 20000000};
    if (lab->pid)
        kill(lab->pid, SIGTERM);
    for (int i = 0; lab->pid && i < 100; i++) {
        look_after(lab, WNOHANG);
        if (lab->pid)
            nanosleep(&a_while, NULL);
    }
    if (lab->pid)
        kill(lab->pid, SIGKILL);
    look_after(lab, 0);
}

void fg_server_lab_free(struct fg_server_lab *lab)
{
    if (!lab)
        return;
    end(lab);
    pthread_mutex_destroy(&lab->lock);
    free(lab);
}

static char *file_of(struct fg_http_request *request,
                     const struct fg_server_experiment *experiment, const char *suffix)
{
    struct fg_arena *arena = request->arena;
    return fg_arena_cstr(arena, fg_arena_printf(arena, "%s/lab/%s%s",
                                                request->server->place.workspace.at,
                                                experiment->name, suffix));
}

static const struct fg_server_experiment *find(struct fg_http_request *request,
                                               struct fg_str name)
{
    const struct fg_server_experiment *e = request->server->place.experiments;
    while (e && e->name && !fg_str_eq(fg_str_from(e->name), name))
        e++;
    return e && e->name ? e : NULL;
}

/* --- the list --- */

/* "quick: 12 of 40 jobs, 3m left" */
static bool is_progress(struct fg_str line, uint64_t *done, uint64_t *total)
{
    size_t at = fg_str_find(line, FG_STR(": "));
    struct fg_str rest =
        at == FG_NOT_FOUND ? (struct fg_str){0} : fg_str_skip(line, at + 2);
    struct fg_str first, of, second;
    return fg_str_cut(&rest, ' ', &first) && fg_str_cut(&rest, ' ', &of) &&
           fg_str_cut(&rest, ' ', &second) && fg_str_eq(of, FG_STR("of")) &&
           fg_str_starts(rest, FG_STR("jobs")) && fg_str_to_u64(first, done) &&
           fg_str_to_u64(second, total);
}

/* How far it is, and the last line of its log: why it ended. */
struct told {
    uint64_t done, total; /* 0: not known */
    struct fg_str last;
};

static struct told read_log(struct fg_http_request *request,
                            const struct fg_server_experiment *experiment)
{
    struct told told = {0};
    struct fg_str log, line;
    if (fg_file_read(&log, request->arena, file_of(request, experiment, ".log"), MOST_LOG,
                     NULL))
        return told;
    while (log.len && fg_str_cut(&log, '\n', &line)) {
        uint64_t done, total;
        if (is_progress(line, &done, &total))
            told = (struct told){done, total, line};
        else if (line.len)
            told.last = line;
    }
    return told;
}

static void put_experiment(struct fg_json *json, struct fg_http_request *request,
                           const struct fg_server_experiment *experiment)
{
    const struct fg_server_lab *lab = request->server->lab;
    bool is_last = lab->experiment == experiment, is_running = is_last && lab->pid;
    struct stat report;
    bool has_report = stat(file_of(request, experiment, ".html"), &report) == 0;
    fg_json_object(json);
    fg_json_pair_cstr(json, "name", experiment->name);
    fg_json_pair_cstr(json, "title", experiment->title);
    fg_json_pair_cstr(json, "state",
                      is_running             ? "running"
                      : is_last && lab->code ? "stopped"
                      : has_report           ? "done"
                                             : "never run");
    if (is_running || (is_last && lab->code)) {
        struct told told = read_log(request, experiment);
        if (told.total) {
            fg_json_pair_uint(json, "jobs_done", told.done);
            fg_json_pair_uint(json, "jobs", told.total);
        }
        if (!is_running)
            fg_json_pair(json, "why", told.last);
    }
    if (has_report && !is_running) {
        fg_json_pair_time(json, "reported_at", report.st_mtim.tv_sec * FG_SECOND);
        fg_json_pair(json, "report",
                     fg_arena_printf(request->arena, "/lab/%s.html", experiment->name));
    }
    fg_json_end(json);
}

enum fg_status fg_answer_lab(struct fg_reply *reply, struct fg_http_request *request,
                             struct fg_err *err)
{
    struct fg_server_lab *lab = request->server->lab;
    const struct fg_server_experiment *e = request->server->place.experiments;
    struct fg_json json = fg_json_to(&reply->body);
    enum fg_status st = fg_request_read(NULL, request, err);
    pthread_mutex_lock(&lab->lock);
    look_after(lab, WNOHANG);
    fg_json_object(&json);
    fg_json_key(&json, "items");
    fg_json_array(&json);
    for (; !st && e && e->name; e++)
        put_experiment(&json, request, e);
    fg_json_end(&json);
    fg_json_end(&json);
    fg_buf_add_char(&reply->body, '\n');
    pthread_mutex_unlock(&lab->lock);
    return st;
}

/* --- starting and stopping --- */

const struct fg_opt fg_lab_opts[] = {
    {"experiment", FG_STRING(struct fg_lab_question, experiment), .arg = "NAME",
     .max = 200, .help = "one of those that GET /api/v1/experiments lists"},
    {"seeds", FG_INT(struct fg_lab_question, seeds), "0", .max = 1000,
     .help = "runs of each policy on each site that are averaged; 0: as the experiment "
             "says"},
    {"sites", FG_INT(struct fg_lab_question, sites), "0", .max = 1000000,
     .help = "use only so many sites of each workload; 0: all"},
    {0},
};

/* Under the lock. */
static enum fg_status start(struct fg_http_request *request,
                            const struct fg_server_experiment *experiment,
                            const struct fg_lab_question *q, struct fg_err *err)
{
    struct fg_server_lab *lab = request->server->lab;
    char seeds[16], sites[16];
    const char *folder =
        fg_arena_printf(request->arena, "%s/lab", request->server->place.workspace.at).at;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return fg_fail(err, FG_EIO, "cannot make '%s': %s", folder, strerror(errno));
    snprintf(seeds, sizeof seeds, "%u", q->seeds);
    snprintf(sites, sizeof sites, "%u", q->sites);
    char *words[] = {"forage",
                     "lab",
                     "run",
                     fg_arena_cstr(request->arena, fg_str_from(experiment->path)),
                     "--resume",
                     "--html",
                     file_of(request, experiment, ".html"),
                     "--json",
                     file_of(request, experiment, ".json"),
                     "--seeds",
                     seeds,
                     "--sites",
                     sites,
                     "--threads",
                     "1",
                     NULL};
    int code = fg_spawn(
        &lab->pid, &(struct fg_spawn){.words = words,
                                      .input = -1,
                                      .errors = file_of(request, experiment, ".log")});
    if (code) {
        lab->pid = 0;
        return fg_fail(err, FG_EIO, "cannot start a process: %s", strerror(code));
    }
    setpriority(PRIO_PROCESS, (id_t)lab->pid, NICE);
    lab->experiment = experiment;
    lab->code = 0;
    return FG_OK;
}

static enum fg_status find_asked(struct fg_http_request *request,
                                 struct fg_lab_question *q,
                                 const struct fg_server_experiment **experiment,
                                 struct fg_err *err)
{
    enum fg_status st = fg_request_read(q, request, err);
    if (st)
        return st;
    *experiment = find(request, q->experiment);
    return *experiment ? FG_OK
                       : fg_fail(err, FG_ENOTFOUND, "there is no experiment '%.*s'",
                                 FG_ARG(fg_str_sub(q->experiment, 0, 200)));
}

static void answer_state(struct fg_reply *reply, struct fg_http_request *request,
                         const struct fg_server_experiment *experiment)
{
    struct fg_json json = fg_json_to(&reply->body);
    put_experiment(&json, request, experiment);
    fg_buf_add_char(&reply->body, '\n');
}

enum fg_status fg_answer_lab_run(struct fg_reply *reply, struct fg_http_request *request,
                                 struct fg_err *err)
{
    struct fg_server_lab *lab = request->server->lab;
    struct fg_lab_question q;
    const struct fg_server_experiment *experiment;
    enum fg_status st = find_asked(request, &q, &experiment, err);
    if (st)
        return st;
    pthread_mutex_lock(&lab->lock);
    look_after(lab, WNOHANG);
    if (lab->pid) {
        fg_reply_problem(
            reply, 409,
            fg_arena_printf(request->arena,
                            "'%s' is being run, and one experiment runs at a time: stop "
                            "it, or wait",
                            lab->experiment->name)
                .at);
    } else {
        st = start(request, experiment, &q, err);
        reply->status = 202;
        if (!st)
            fg_audit_add(request, "experiments/stop",
                         fg_arena_printf(request->arena, "{\"experiment\":\"%s\"}",
                                         experiment->name));
        if (!st)
            answer_state(reply, request, experiment);
    }
    pthread_mutex_unlock(&lab->lock);
    return st;
}

enum fg_status fg_answer_lab_stop(struct fg_reply *reply, struct fg_http_request *request,
                                  struct fg_err *err)
{
    struct fg_server_lab *lab = request->server->lab;
    struct fg_lab_question q;
    const struct fg_server_experiment *experiment;
    enum fg_status st = find_asked(request, &q, &experiment, err);
    if (st)
        return st;
    pthread_mutex_lock(&lab->lock);
    look_after(lab, WNOHANG);
    if (lab->experiment == experiment && lab->pid)
        fg_audit_add(
            request, "experiments/run",
            fg_arena_printf(request->arena, "{\"experiment\":\"%s\"}", experiment->name));
    if (lab->experiment == experiment)
        end(lab);
    answer_state(reply, request, experiment);
    pthread_mutex_unlock(&lab->lock);
    return st;
}

/* --- reports --- */

/* Reports have their style in them, which is let through by its hash. */
static const char *style_hash(struct fg_arena *arena, struct fg_str html)
{
    unsigned char hash[SHA256_DIGEST_LENGTH];
    char *text = fg_arena_alloc(arena, 64);
    size_t from = fg_str_find(html, FG_STR("<style>")), to;
    struct fg_str style = fg_str_skip(html, from + 7);
    if (from == FG_NOT_FOUND ||
        (to = fg_str_find(style, FG_STR("</style>"))) == FG_NOT_FOUND)
        return NULL;
    SHA256((const unsigned char *)style.at, to, hash);
    EVP_EncodeBlock((unsigned char *)text, hash, sizeof hash);
    return text;
}

enum fg_status fg_answer_report(struct fg_reply *reply, struct fg_http_request *request,
                                struct fg_err *err)
{
    struct fg_str html, name = fg_str_skip(request->path, strlen("/lab/"));
    enum fg_status st = fg_request_read(NULL, request, err);
    if (st)
        return st;
    const struct fg_server_experiment *experiment =
        fg_str_ends(name, FG_STR(".html"))
            ? find(request, fg_str_sub(name, 0, name.len - 5))
            : NULL;
    if (!experiment ||
        fg_file_read(&html, request->arena, file_of(request, experiment, ".html"),
                     FG_REPLY_MOST, NULL))
        return fg_fail(err, FG_ENOTFOUND, "there is no such report");
    fg_buf_add(&reply->body, html);
    reply->style_hash = style_hash(request->arena, html);
    return FG_OK;
}
