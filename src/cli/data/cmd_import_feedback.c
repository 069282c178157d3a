/* cmd_import_feedback.c - forage import feedback: what people did with results
 *
 * Who shows the results of 'forage search --json' elsewhere keeps a log of what became of
 * them, by their tokens. The whole file is read before anything is counted; a token that
 * is forged, late or told again does not count, and is no mistake of the file. */
#include "base/file.h"
#include "cli/crawling.h"
#include "search/feedback.h"

#include <jansson.h>

struct job {
    struct fg_cli *cli;
    const char *path;
    struct fg_feedback_key key;
    FG_VEC(struct fg_feedback_event) events;
    struct fg_feedback_outcome outcome;
    size_t lines, wrong, forged, late;
    fg_time now;
};

static void complain(struct job *job, const char *why)
{
    fg_cli_count_wrong(job->cli, job->path, job->lines, why, &job->wrong);
}

static void add_event(struct job *job, enum fg_feedback_kind kind, struct fg_str token)
{
    struct fg_feedback_event event = {.kind = kind};
    switch (fg_feedback_read(&event.shown, &job->key, token, job->now)) {
    case FG_TOKEN_FORGED:
        job->forged++;
        return;
    case FG_TOKEN_LATE:
        job->late++;
        return;
    case FG_TOKEN_GOOD:
        fg_vec_push_in(job->cli->arena, &job->events, event);
    }
}

static void read_line(struct job *job, struct fg_str line)
{
    json_error_t wrong;
    json_t *root = json_loadb(line.at, line.len, 0, &wrong);
    const char *event = json_string_value(json_object_get(root, "event"));
    const char *token = json_string_value(json_object_get(root, "token"));
    if (!event || !token)
        complain(job, "a line is {\"event\": \"view\" or \"click\", \"token\": ...}");
    else if (strcmp(event, "view") == 0)
        add_event(job, FG_WAS_SEEN, fg_str_from(token));
    else if (strcmp(event, "click") == 0)
        add_event(job, FG_WAS_CHOSEN, fg_str_from(token));
    else
        complain(job, "an event is 'view' or 'click'");
    json_decref(root);
}

static enum fg_status read_events(struct job *job, struct fg_err *err)
{
    struct fg_str text, line;
    enum fg_status st = fg_cli_unpacked(job->cli, job->path, &text, err);
    while (!st && text.len) {
        fg_str_cut(&text, '\n', &line);
        job->lines++;
        line = fg_str_trim(line);
        if (line.len)
            read_line(job, line);
    }
    if (!st && job->wrong)
        st = fg_fail(err, FG_EINPUT, "%zu %s wrong; nothing was imported", job->wrong,
                     job->wrong == 1 ? "line is" : "lines are");
    return st;
}

static void tell(const struct job *job, bool as_json)
{
    struct fg_out *out = &job->cli->out;
    struct fg_json json = fg_json_to(&out->buf);
    if (!as_json) {
        fg_out_printf(out, "%zu taken, %zu told again, %zu forged, %zu too late\n",
                      job->outcome.taken, job->outcome.again, job->forged, job->late);
        return;
    }
    fg_json_object(&json);
    fg_json_pair_uint(&json, "taken", job->outcome.taken);
    fg_json_pair_uint(&json, "again", job->outcome.again);
    fg_json_pair_uint(&json, "forged", job->forged);
    fg_json_pair_uint(&json, "late", job->late);
    fg_json_end(&json);
    fg_out_puts(out, "\n");
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    const struct fg_json_flag *o = cli->options;
    struct job job = {.cli = cli, .path = cli->words[0], .now = fg_time_now()};
    const char *place = fg_cli_store_path(cli);
    struct fg_store *store;
    enum fg_status st = fg_cli_store(cli, true, &store, err);
    if (st)
        return st;
    st = fg_feedback_key(&job.key, store, place, err);
    if (!st)
        st = read_events(&job, err);
    if (!st)
        st = fg_feedback_take(&job.outcome, place, &job.key, job.events.at,
                              job.events.len, job.now, err);
    enum fg_status closed = fg_store_close(store, st ? NULL : err);
    st = st ? st : closed;
    if (!st)
        tell(&job, o->json);
    return st;
}

static const struct fg_example examples[] = {
    {"printf '{\"event\": \"click\", \"token\": \"TOKEN\"}\\n' | forage import feedback "
     "- --json",
     "somebody chose the result with this token"},
    {0},
};

const struct fg_command fg_cmd_import_feedback = {
    .name = "import feedback",
    .words = "FILE",
    .summary = "what people did with results, by which the next ones are ranked",
    .about =
        "Reads JSON lines (gzipped or not; - is standard input) with an event, 'view' or "
        "'click', and the token of a result, as 'forage search --json' gives it beside "
        "each. A token counts once for each event and within a week; those that are "
        "forged, told again or late are counted and left out. Nothing is kept of who "
        "looked. Each line that is wrong is named, and then nothing is imported. Works "
        "while a crawl runs.",
    .min_words = 1,
    .max_words = 1,
    .options = fg_json_flag,
    .options_size = sizeof(struct fg_json_flag),
    .settings = "workspace",
    .examples = examples,
    .run = run,
};
