/* cmd_schedule.c - forage next, report and schedule: choosing for another fetcher
 *
 * The pipe `forage next | fetcher | forage report`: one hands out leases, the other takes
 * what became of them, each in turns of its own, so that a kill loses nothing. */
#include "cli/crawling.h"
#include "view/scheduling.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SETTINGS                                                          \
    .settings = "workspace scheduler policy fetch.delay canonical clock", \
    .main_settings = "workspace scheduler"

/* A workspace without a store gets one; one in which a crawl runs has it. */
static enum fg_status open_scheduling(struct fg_cli *cli,
                                      struct fg_scheduling **scheduling,
                                      struct fg_err *err)
{
    struct fg_store *store;
    enum fg_status st = FG_OK;
    if (!fg_store_exists(fg_cli_store_path(cli))) {
        st = fg_cli_store(cli, false, &store, err);
        if (!st)
            st = fg_store_close(store, err);
    }
    return st ? st
              : fg_scheduling_open(scheduling, fg_cli_store_path(cli),
                                   &cli->settings.crawl, err);
}

/* One turn, from opening to closing; it counts if `work` succeeds. */
static enum fg_status take_turn(
    struct fg_cli *cli,
    enum fg_status (*work)(struct fg_cli *cli, const struct fg_scheduling_turn *turn,
                           struct fg_err *err),
    struct fg_err *err)
{
    struct fg_scheduling *scheduling;
    struct fg_scheduling_turn turn;
    enum fg_status st = open_scheduling(cli, &scheduling, err);
    if (st)
        return st;
    st = fg_scheduling_begin(scheduling, &turn, err);
    if (!st)
        st = fg_scheduling_end(scheduling, work(cli, &turn, err), err);
    fg_scheduling_close(scheduling);
    if (st) /* what is not kept must be neither fetched nor told */
        fg_buf_reset(&cli->out.buf);
    return st;
}

/* --- next --- */

struct next_options {
    int64_t n;
    fg_time ahead;
    bool jsonl;
};
static const struct fg_opt next_options[] = {
    {"number", FG_INT(struct next_options, n), "100", .letter = 'n', .min = 1,
     .max = FG_SCHEDULER_NEXT, .help = "pages, at most"},
    {"ahead", FG_SPAN(struct next_options, ahead), "1m",
     .max = (double)FG_SCHEDULER_AHEAD,
     .help = "how far ahead the pages of a site may be planned: each has its not_before"},
    {"jsonl", FG_BOOL(struct next_options, jsonl), .letter = 'j',
     .help = "a JSON object a line, which 'forage report' knows by its lease"},
    {0},
};

static enum fg_status hand_out(struct fg_cli *cli, const struct fg_scheduling_turn *turn,
                               struct fg_err *err)
{
    (void)err;
    const struct next_options *o = cli->options;
    struct fg_lease *leases = FG_NEW(cli->arena, struct fg_lease, (size_t)o->n);
    size_t n =
        fg_scheduler_next(turn->scheduler, turn->now, (size_t)o->n, o->ahead, 0, leases);
    for (size_t i = 0; i < n; i++) {
        struct fg_json json = fg_json_to(&cli->out.buf);
        if (o->jsonl) {
            fg_lease_json(&json, &leases[i]);
        } else {
            fg_out_printf(&cli->out, "%llu ", (unsigned long long)leases[i].number);
            fg_out_text(&cli->out, leases[i].name);
        }
        fg_out_puts(&cli->out, "\n");
    }
    if (!n && !o->jsonl)
        fg_out_puts(&cli->out, "nothing to fetch now; 'forage schedule add URL' adds "
                               "pages, 'forage schedule status' shows how it stands\n");
    return FG_OK;
}

static enum fg_status run_next(struct fg_cli *cli, struct fg_err *err)
{
    return take_turn(cli, hand_out, err);
}

static const struct fg_example next_examples[] = {
    {"forage schedule add https://news.example/ && forage next", "what to fetch now"},
    {"forage next -n 500 --jsonl | sed 's/.*\"lease\":\\([0-9]*\\).*/{\"lease\":\\1,"
     "\"links\":[]}/' | forage report",
     "a fetcher that finds nothing"},
    {0},
};

const struct fg_command fg_cmd_next = {
    .name = "next",
    .words = "",
    .summary = "hand out pages for another fetcher to fetch",
    .about =
        "Prints the pages that the discovery policy of this workspace would visit now, "
        "each with a lease. What a page shows goes to 'forage report'; if no report "
        "comes before the deadline of the lease (scheduler.lease), the page is handed "
        "out again. Sites rest between two pages as fetch.delay says. docs/scheduler.md "
        "tells what is chosen, and how Scrapy, Crawlee and others are connected.",
    .options = next_options,
    .options_size = sizeof(struct next_options),
    SETTINGS,
    .examples = next_examples,
    .run = run_next,
};

/* --- report --- */

struct report_options {
    bool jsonl;
};
static const struct fg_opt report_options[] = {
    {"jsonl", FG_BOOL(struct report_options, jsonl), .letter = 'j',
     .help = "what became of each report, a JSON object a line"},
    {0},
};

struct reporting {
    struct fg_cli *cli;
    struct fg_scheduling *scheduling;
    struct fg_report_sum sum;
    size_t line, wrong;
};

/* A line that makes no sense is told of, and the others count. */
static void take_line(struct reporting *r, const struct fg_scheduling_turn *turn,
                      struct fg_arena *arena, struct fg_str text)
{
    const struct report_options *o = r->cli->options;
    json_error_t problem;
    struct fg_report_line line;
    struct fg_err err = {0};
    r->line++;
    if (!fg_str_trim(text).len)
        return;
    json_t *json = json_loadb(text.at, text.len, JSON_REJECT_DUPLICATES, &problem);
    if (!json)
        fg_fail(&err, FG_EINPUT, "not JSON: %.200s", problem.text);
    if (!json || fg_report_read(&line, json, &err)) {
        fg_cli_count_wrong(r->cli, "-", r->line, err.text, &r->wrong);
    } else {
        struct fg_json out = fg_json_to(&r->cli->out.buf);
        fg_report_apply(&r->sum, turn, arena, &line, &r->cli->settings.crawl,
                        o->jsonl ? &out : NULL);
        if (o->jsonl)
            fg_out_puts(&r->cli->out, "\n");
    }
    json_decref(json);
}

/* All lines that have come in one turn; returns how many bytes they are. */
static enum fg_status take_lines(struct reporting *r, struct fg_str *bytes,
                                 struct fg_err *err)
{
    struct fg_scheduling_turn turn;
    struct fg_arena arena = {0};
    struct fg_str line;
    enum fg_status st = fg_scheduling_begin(r->scheduling, &turn, err);
    if (st)
        return st;
    while (fg_str_chr(*bytes, '\n') != FG_NOT_FOUND && fg_str_cut(bytes, '\n', &line)) {
        take_line(r, &turn, &arena, line);
        fg_arena_reset(&arena);
    }
    fg_arena_clear(&arena);
    st = fg_scheduling_end(r->scheduling, st, err);
    if (!st)
        fg_out_flush(&r->cli->out);
    return st;
}

enum { LINE_MOST = 64 << 20, PIECE = 1 << 16 };

/* As it comes: what stands in the pipe is one turn. */
static enum fg_status read_all(struct reporting *r, struct fg_err *err)
{
    struct fg_buf in;
    enum fg_status st = FG_OK;
    ssize_t n = 1;
    fg_buf_init(&in, LINE_MOST);
    while (!st && n > 0) {
        char *room = fg_buf_reserve(&in, PIECE);
        if (!room) {
            st = fg_fail(err, FG_ELIMIT, "line %zu is too long", r->line + 1);
            break;
        }
        n = read(STDIN_FILENO, room, PIECE);
        if (n < 0 && errno == EINTR) {
            n = 1;
            continue;
        }
        if (n < 0)
            st = fg_fail(err, FG_EIO, "cannot read standard input: %s", strerror(errno));
        in.len += n > 0 ? (size_t)n : 0;
        if (!st && n == 0 && in.len)
            fg_buf_add_char(&in, '\n'); /* the last line needs none */
        struct fg_str bytes = fg_buf_str(&in);
        if (!st && fg_str_chr(bytes, '\n') != FG_NOT_FOUND)
            st = take_lines(r, &bytes, err);
        memmove(in.at, bytes.at ? bytes.at : in.at, bytes.len);
        in.len = bytes.len;
    }
    fg_buf_clear(&in);
    return st;
}

static enum fg_status run_report(struct fg_cli *cli, struct fg_err *err)
{
    const struct report_options *o = cli->options;
    struct reporting r = {.cli = cli};
    enum fg_status st = open_scheduling(cli, &r.scheduling, err);
    if (st)
        return st;
    st = read_all(&r, err);
    fg_scheduling_close(r.scheduling);
    if (!o->jsonl)
        fg_out_printf(&cli->out, "%zu counted, %zu new pages", r.sum.counted,
                      r.sum.found);
    if (!o->jsonl && r.sum.old)
        fg_out_printf(&cli->out, "; %zu counted before, or handed out again since",
                      r.sum.old);
    if (!o->jsonl && r.sum.unknown)
        fg_out_printf(&cli->out, "; %zu of leases that nobody gave", r.sum.unknown);
    if (!o->jsonl)
        fg_out_puts(&cli->out, "\n");
    if (!st && r.wrong)
        st = fg_fail(err, FG_EINPUT, "%zu lines are not reports; the others were taken",
                     r.wrong);
    return st;
}

static const struct fg_example report_examples[] = {
    {"echo '{\"lease\": 1, \"links\": [\"/a\", \"/b\"]}' | forage report",
     "what the page of a lease showed"},
    {"echo '{\"lease\": 2, \"outcome\": \"failed\"}' | forage report --jsonl",
     "it could not be fetched"},
    {0},
};

const struct fg_command fg_cmd_report = {
    .name = "report",
    .words = "",
    .summary = "take what another fetcher has found",
    .about = "Reads reports from standard input, a JSON object a line: the lease; the "
             "outcome (ok, unchanged, failed, dead; ok if it is not said); links, all "
             "addresses that the page shows, which may be relative; content, any text "
             "that stands for what counts of the page, so that a change is seen; "
             "partial, if not all links are listed. A report counts once, and as soon as "
             "it was read. Which links are new pages is decided here.",
    .options = report_options,
    .options_size = sizeof(struct report_options),
    SETTINGS,
    .examples = report_examples,
    .run = run_report,
};

/* --- schedule add, block, status --- */

struct block_options {
    bool site, undo;
};
static const struct fg_opt block_options[] = {
    {"site", FG_BOOL(struct block_options, site), .help = "everything of its site"},
    {"undo", FG_BOOL(struct block_options, undo), .help = "hand it out again"},
    {0},
};

static enum fg_status add_pages(struct fg_cli *cli, const struct fg_scheduling_turn *turn,
                                struct fg_err *err)
{
    size_t added = 0;
    for (size_t i = 0; i < cli->n_words; i++) {
        bool is_new = false;
        enum fg_status st = fg_schedule_add(turn, cli->arena, fg_str_from(cli->words[i]),
                                            &cli->settings.crawl, &is_new, err);
        if (st)
            return st;
        added += is_new;
    }
    fg_out_printf(&cli->out, "%zu added, %zu known before\n", added,
                  cli->n_words - added);
    return FG_OK;
}

static enum fg_status run_add(struct fg_cli *cli, struct fg_err *err)
{
    return take_turn(cli, add_pages, err);
}

static enum fg_status block_pages(struct fg_cli *cli,
                                  const struct fg_scheduling_turn *turn,
                                  struct fg_err *err)
{
    const struct block_options *o = cli->options;
    for (size_t i = 0; i < cli->n_words; i++) {
        enum fg_status st =
            fg_schedule_block(turn, cli->arena, fg_str_from(cli->words[i]), o->site,
                              !o->undo, &cli->settings.crawl, err);
        if (st)
            return st;
    }
    fg_out_printf(&cli->out, "%zu %s\n", cli->n_words,
                  o->undo ? "handed out again" : "blocked");
    return FG_OK;
}

static enum fg_status run_block(struct fg_cli *cli, struct fg_err *err)
{
    return take_turn(cli, block_pages, err);
}

static enum fg_status show_counts(struct fg_cli *cli,
                                  const struct fg_scheduling_turn *turn,
                                  struct fg_err *err)
{
    (void)err;
    struct fg_json json = fg_json_to(&cli->out.buf);
    fg_json_object(&json);
    fg_scheduler_counts_json(&json, turn->scheduler);
    fg_json_end(&json);
    fg_out_puts(&cli->out, "\n");
    return FG_OK;
}

static enum fg_status run_status(struct fg_cli *cli, struct fg_err *err)
{
    return take_turn(cli, show_counts, err);
}

static const struct fg_example add_examples[] = {
    {"forage schedule add https://news.example/ https://blog.example/",
     "pages to start from"},
    {0},
};
static const struct fg_command add_command = {
    .name = "schedule add",
    .words = "URL...",
    .summary = "pages that 'forage next' hands out",
    .about =
        "Adds pages to the scheduler for other fetchers. Links to their sites that "
        "reports name come by themselves, unless scheduler.follow is no. One that is "
        "known is left as it is; one that was dead is tried again.",
    .min_words = 1,
    .max_words = 100000,
    SETTINGS,
    .examples = add_examples,
    .run = run_add,
};

static const struct fg_example block_examples[] = {
    {"forage schedule add https://a.example/ && forage schedule block https://a.example/",
     "a page that is not to be handed out"},
    {"forage schedule add https://a.example/ && forage schedule block --site --undo "
     "https://a.example/",
     "a whole site again"},
    {0},
};
static const struct fg_command block_command = {
    .name = "schedule block",
    .words = "URL...",
    .summary = "pages and sites that are not handed out any more",
    .about = "A page that is leased at the moment may still be reported.",
    .min_words = 1,
    .max_words = 100000,
    .options = block_options,
    .options_size = sizeof(struct block_options),
    SETTINGS,
    .examples = block_examples,
    .run = run_block,
};

static const struct fg_example status_examples[] = {
    {"forage schedule status", "pages, leases, reports and what was found, as JSON"},
    {0},
};
static const struct fg_command status_command = {
    .name = "schedule status",
    .words = "",
    .summary = "show the state of the scheduler for other fetchers",
    .about =
        "Prints a JSON object of counts: pages known, waiting for their first visit, "
        "sources that the policy knows, leases that are open, reports, new pages "
        "found.",
    SETTINGS,
    .examples = status_examples,
    .run = run_status,
};

static const struct fg_command *const parts[] = {&add_command, &block_command,
                                                 &status_command, NULL};
static const struct fg_example schedule_examples[] = {
    {"forage schedule add https://news.example/", "a page to start from"},
    {"forage schedule status", "how it stands"},
    {0},
};
const struct fg_command fg_cmd_schedule = {
    .name = "schedule",
    .words = "ACTION",
    .summary = "choose pages for another crawler: Scrapy, Crawlee, a script",
    .about =
        "Makes the workspace the scheduler of another program's fetcher: pages are "
        "added, 'forage next' hands them out, 'forage report' takes what they showed. "
        "The same is possible over HTTP while a server runs ('forage serve').",
    .parts = parts,
    .examples = schedule_examples,
};
