/* cmd_control.c - forage remove, pause and resume: what the user takes back
 *
 * All names are found before anything is changed, so that a slip changes nothing. If a
 * crawl is running, it alone may write to the store: then the wishes are left in the
 * inbox of the workspace, where it finds them within seconds. What lies there already
 * counts as done. */
#include "cli/crawling.h"
#include "cli/showing.h"
#include "view/target.h"

struct options {
    bool site, page, json;
};

static const struct fg_opt options[] = {
    {"site", FG_BOOL(struct options, site), .letter = 's',
     .help = "the sites of these addresses"},
    {"page", FG_BOOL(struct options, page), .letter = 'p',
     .help = "these pages alone, also where an address stands for its site"},
    {"json", FG_BOOL(struct options, json), .letter = 'j', .help = "as JSON"},
    {0},
};

struct job {
    struct fg_cli *cli;
    struct fg_look look;
    const struct options *o;
    struct fg_targets targets;
};

/* --- doing --- */

static enum fg_status put(struct job *job, struct fg_err *err)
{
    struct fg_store *store;
    struct fg_control *wishes;
    size_t n = fg_targets_wishes(&job->targets, &wishes);
    if (!n)
        return FG_OK;
    /* What came first is taken first. */
    if (job->look.writer >= 0 || job->targets.has_waiting)
        return fg_targets_hand_over(&job->targets, err);
    enum fg_status st = fg_cli_store(job->cli, false, &store, err);
    if (st)
        return st;
    st = fg_control_put(store, wishes, n, job->look.now, err);
    enum fg_status closed = fg_store_close(store, st ? NULL : err);
    return st ? st : closed;
}

/* --- telling --- */

static void tell_json(struct job *job)
{
    struct fg_json json = fg_json_to(&job->cli->out.buf);
    fg_json_object(&json);
    fg_json_key(&json, "targets");
    fg_json_array(&json);
    size_t changed = 0;
    for (size_t i = 0; i < job->targets.found.len; i++) {
        const struct fg_target *target = &job->targets.found.at[i];
        fg_json_object(&json);
        fg_json_pair(&json, "site", target->site.key);
        fg_json_pair(&json, "page", target->page.url);
        fg_json_pair_bool(&json, "changed", target->changes);
        fg_json_end(&json);
        changed += target->changes;
    }
    fg_json_end(&json);
    fg_json_pair_bool(&json, "handed_over",
                      changed && (job->look.writer >= 0 || job->targets.has_waiting));
    fg_json_end(&json);
    fg_out_puts(&job->cli->out, "\n");
}

static void tell(struct job *job)
{
    static const char *const done[] = {"removed", "paused", "resumed"};
    static const char *const undone[] = {"was removed before", "is paused already",
                                         "is not paused"};
    struct fg_out *out = &job->cli->out;
    char process[FG_PROCESS_TEXT];
    bool is_handed_over = false;
    for (size_t i = 0; i < job->targets.found.len; i++) {
        const struct fg_target *target = &job->targets.found.at[i];
        bool is_page = target->page.page;
        fg_out_text(out, is_page ? target->page.url : target->site.key);
        fg_out_printf(out, "  %s %s", is_page ? "page" : "site",
                      target->changes ? done[job->targets.kind]
                                      : undone[job->targets.kind]);
        fg_out_puts(out, is_page && job->targets.kind == FG_CONTROL_RESUME &&
                                 fg_target_site_is_paused(&job->targets, target)
                             ? "; its site is paused still\n"
                             : "\n");
        is_handed_over |= target->changes;
    }
    if (is_handed_over && job->look.writer < 0 && job->targets.has_waiting)
        fg_out_puts(out, "left for the next crawl, behind what waits for it already\n");
    else if (is_handed_over && job->look.writer >= 0)
        fg_out_printf(out,
                      "given to the crawl that is running%s; it applies it within "
                      "seconds\n",
                      fg_process_words(process, job->look.writer));
}

/* --- the commands --- */

static enum fg_status run(struct fg_cli *cli, enum fg_control_kind kind,
                          struct fg_err *err)
{
    struct job job = {.cli = cli, .o = cli->options, .targets = {.kind = kind}};
    if (job.o->site && job.o->page)
        return fg_fail(err, FG_ECONFIG, "--site and --page cannot be combined");
    job.targets.takes_site = job.o->site;
    job.targets.takes_page = job.o->page;
    fg_targets_wait(&job.targets, cli->arena, fg_cli_inbox(cli));
    enum fg_status st = fg_cli_look(cli, &job.look, err);
    job.targets.look = &job.look;
    for (size_t i = 0; !st && i < cli->n_words; i++)
        st = fg_targets_find(&job.targets, fg_str_trim(fg_str_from(cli->words[i])), err);
    if (!st)
        st = put(&job, err);
    if (!st && job.o->json)
        tell_json(&job);
    else if (!st)
        tell(&job);
    fg_cli_look_close(&job.look);
    return st;
}

static enum fg_status run_remove(struct fg_cli *cli, struct fg_err *err)
{
    return run(cli, FG_CONTROL_REMOVE, err);
}

static enum fg_status run_pause(struct fg_cli *cli, struct fg_err *err)
{
    return run(cli, FG_CONTROL_PAUSE, err);
}

static enum fg_status run_resume(struct fg_cli *cli, struct fg_err *err)
{
    return run(cli, FG_CONTROL_RESUME, err);
}

#define NAMES                                                                          \
    " A host name, or the address of a home page, stands for its site, and so does "   \
    "the one address that was added of a site; any other address stands for its page " \
    "(--site and --page say otherwise). If a name is not known, nothing is changed. "  \
    "A running crawl applies it within seconds."
#define CONTROL                                                                     \
    .words = "SITE|URL...", .min_words = 1, .max_words = 10000, .options = options, \
    .options_size = sizeof(struct options), .settings = "workspace"

static const struct fg_example remove_examples[] = {
    {"forage remove shop.example", "a site"},
    {"forage remove --page https://law.example/42 --json", "a page, for a script"},
    {0},
};

const struct fg_command fg_cmd_remove = {
    .name = "remove",
    .summary = "stop watching sites or pages; 'forage add' watches them again",
    .about = "Nothing is asked of a removed site any more, and status, new and feeds "
             "list it no more; what was stored of it stays until it is added again and "
             "watched from the beginning, or until 'forage site --forget'. A removed "
             "page is no source, document or seed any more, and is not fetched." NAMES,
    CONTROL,
    .examples = remove_examples,
    .run = run_remove,
};

static const struct fg_example pause_examples[] = {
    {"forage pause news.example", "leave a site alone"},
    {"forage pause https://news.example/sport/", "leave one page alone"},
    {0},
};

const struct fg_command fg_cmd_pause = {
    .name = "pause",
    .summary = "leave sites or pages alone until 'forage resume'",
    .about = "Nothing is asked of a paused site or page, not even robots.txt. What is "
             "known of it is kept, and 'forage resume' goes on where it was; what "
             "appeared meanwhile counts as new at the first look then." NAMES,
    CONTROL,
    .examples = pause_examples,
    .run = run_pause,
};

static const struct fg_example resume_examples[] = {
    {"forage resume news.example https://news.example/sport/", "go on with both"},
    {0},
};

const struct fg_command fg_cmd_resume = {
    .name = "resume",
    .summary = "go on with sites or pages that were paused",
    .about = "Goes on where 'forage pause' left off." NAMES,
    CONTROL,
    .examples = resume_examples,
    .run = run_resume,
};
