/* cmd_webhooks.c - forage webhooks: how deliveries go, and what to do when they did not
 */
#include "base/vec.h"
#include "cli/looking.h"
#include "crawl/webhooks.h"

#include <event2/event.h>

enum { SHOWN_LETTERS = 20 };

struct options {
    bool json;
};

static const struct fg_opt options[] = {
    {"json", FG_BOOL(struct options, json), .letter = 'j', .help = "as JSON"},
    {0},
};

/* A webhook and how it fares. */
struct row {
    const struct fg_hook *hook;
    struct fg_err problem; /* why it cannot sign, if it cannot */
    uint64_t position, backlog, waiting, dead;
    bool is_known; /* to the store */
    fg_time next;
    FG_VEC(struct fg_waiting_row) letters; /* those that failed */
};

static enum fg_status parse(struct fg_cli *cli, struct fg_hook **hooks, size_t *n,
                            struct fg_err *err)
{
    const struct fg_opt_list *list = &cli->settings.crawl.outputs.webhooks;
    *n = list->len;
    return fg_webhooks_parse(hooks, cli->arena, list, err);
}

static bool is_meant(const struct fg_cli *cli, struct fg_str name)
{
    return cli->n_words < 2 || fg_str_eq(name, fg_str_from(cli->words[1]));
}

static enum fg_status check_name(const struct fg_cli *cli, const struct fg_hook *hooks,
                                 size_t n, struct fg_err *err)
{
    for (size_t i = 0; i < n; i++)
        if (is_meant(cli, hooks[i].name))
            return FG_OK;
    return n ? fg_fail(err, FG_ENOTFOUND, "there is no webhook '%s'", cli->words[1])
             : fg_fail(err, FG_ENOTFOUND,
                       "no webhook is configured; webhooks.to names them");
}

/* --- list --- */

struct counting {
    struct fg_look *look;
    struct row *row;
};

static bool count_event(void *context, const struct fg_event_row *event)
{
    struct counting *counting = context;
    const struct fg_site_row *site = fg_look_site(counting->look, event->site);
    struct fg_news news;
    fg_news_read(&news, event);
    counting->row->backlog += fg_filter_takes(&counting->row->hook->filter, &news,
                                              site ? site->tags : FG_STR(""), FG_STR(""));
    fg_news_clear(&news);
    return true;
}

static bool count_waiting(void *context, const struct fg_waiting_row *waiting)
{
    struct counting *counting = context;
    struct row *row = counting->row;
    struct fg_arena *arena = counting->look->cli->arena;
    row->dead += waiting->is_dead;
    row->waiting += !waiting->is_dead;
    if (!waiting->is_dead && waiting->next != FG_NEVER &&
        (row->next == FG_NEVER || waiting->next < row->next))
        row->next = waiting->next;
    if (!waiting->attempts)
        return true;
    struct fg_waiting_row kept = *waiting;
    kept.hook = fg_arena_dup(arena, waiting->hook);
    kept.why = fg_arena_dup(arena, waiting->why);
    fg_vec_push_in(arena, &row->letters, kept);
    return true;
}

static enum fg_status look_at(struct fg_look *look, struct row *row, struct fg_err *err)
{
    uint64_t unused;
    struct counting counting = {look, row};
    const char *output = fg_hook_output(look->cli->arena, row->hook->name);
    row->next = FG_NEVER;
    enum fg_status st =
        fg_store_delivered(look->store, output, &row->position, &unused, NULL);
    row->is_known = !st;
    if (st)
        return FG_OK; /* no crawl has run with it yet */
    st = fg_store_events(look->store, 0, row->position, FG_NEVER, SIZE_MAX, count_event,
                         &counting, err);
    return st ? st
              : fg_store_waiting(look->store, row->hook->name.at, count_waiting,
                                 &counting, err);
}

struct search {
    struct fg_look *look;
    struct fg_str url;
};

static bool take_url(void *context, const struct fg_event_row *event)
{
    struct search *search = context;
    search->url =
        fg_look_url(search->look, search->look->cli->arena, event->site, event->page);
    return false;
}

/* Of the page that an event is about. */
static struct fg_str url_of(struct fg_look *look, uint64_t number)
{
    struct search search = {look, FG_STR("")};
    fg_store_events(look->store, 0, number - 1, FG_NEVER, 1, take_url, &search, NULL);
    return search.url;
}

static void json_letters(struct fg_json *json, struct fg_look *look,
                         const struct row *row)
{
    fg_json_key(json, "letters");
    fg_json_array(json);
    for (size_t i = 0; i < row->letters.len; i++) {
        const struct fg_waiting_row *letter = &row->letters.at[i];
        fg_json_object(json);
        fg_json_pair_uint(json, "number", letter->number);
        fg_json_pair(json, "url", url_of(look, letter->number));
        fg_json_pair_bool(json, "is_dead", letter->is_dead);
        fg_json_pair_uint(json, "attempts", letter->attempts);
        fg_json_pair_time(json, "tried", letter->tried);
        fg_json_pair_time(json, "next", letter->next);
        fg_json_pair_uint(json, "status", letter->status);
        fg_json_pair(json, "why", letter->why);
        fg_json_end(json);
    }
    fg_json_end(json);
}

static void print_json(struct fg_look *look, const struct row *rows, size_t n)
{
    struct fg_json json = fg_json_to(&look->cli->out.buf);
    fg_json_array(&json);
    for (size_t i = 0; i < n; i++) {
        fg_json_object(&json);
        fg_json_pair(&json, "name", rows[i].hook->name);
        fg_json_pair(&json, "url", rows[i].hook->url);
        fg_json_pair_bool(&json, "is_signed", rows[i].hook->secret.len > 0);
        fg_json_pair_cstr(&json, "problem", rows[i].problem.text);
        fg_json_pair_bool(&json, "is_started", rows[i].is_known);
        fg_json_pair_uint(&json, "backlog", rows[i].backlog);
        fg_json_pair_uint(&json, "waiting", rows[i].waiting);
        fg_json_pair_uint(&json, "dead", rows[i].dead);
        fg_json_pair_time(&json, "next", rows[i].next);
        json_letters(&json, look, &rows[i]);
        fg_json_end(&json);
    }
    fg_json_end(&json);
    fg_out_puts(&look->cli->out, "\n");
}

static void print_letter(struct fg_look *look, const struct fg_waiting_row *letter)
{
    struct fg_out *out = &look->cli->out;
    char ago[FG_AGO_TEXT];
    fg_out_printf(
        out, "    %s  event %llu, %u %s, %s: ", letter->is_dead ? "dead   " : "waiting",
        (unsigned long long)letter->number, letter->attempts,
        letter->attempts == 1 ? "attempt" : "attempts",
        fg_ago(ago, fg_time_now(), letter->tried));
    if (letter->status)
        fg_out_printf(out, "status %u", letter->status);
    else
        fg_out_text(out, letter->why);
    fg_out_puts(out, "  ");
    fg_out_text(out, url_of(look, letter->number));
    fg_out_puts(out, "\n");
}

static void print_text(struct fg_look *look, const struct row *rows, size_t n)
{
    struct fg_out *out = &look->cli->out;
    for (size_t i = 0; i < n; i++) {
        const struct row *row = &rows[i];
        fg_out_printf(out, "%.*s  ", FG_ARG(row->hook->name));
        fg_out_text(out, row->hook->url);
        fg_out_puts(out, row->problem.status     ? "  cannot be signed\n    "
                         : row->hook->secret.len ? "  signed\n"
                                                 : "  not signed\n");
        if (row->problem.status) {
            fg_out_text(out, fg_str_from(row->problem.text));
            fg_out_puts(out, "\n");
        }
        if (!row->is_known) {
            fg_out_puts(out, "    begins with the next 'forage run'\n");
            continue;
        }
        fg_out_printf(out, "    %llu to send, %llu waiting, %llu dead\n",
                      (unsigned long long)row->backlog, (unsigned long long)row->waiting,
                      (unsigned long long)row->dead);
        for (size_t k = 0; k < row->letters.len && k < SHOWN_LETTERS; k++)
            print_letter(look, &row->letters.at[k]);
        if (row->letters.len > SHOWN_LETTERS)
            fg_out_printf(out, "    and %zu more; --json has them all\n",
                          row->letters.len - SHOWN_LETTERS);
    }
}

static enum fg_status list(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    struct fg_look look;
    struct fg_hook *hooks;
    size_t n, wanted = 0;
    enum fg_status st = parse(cli, &hooks, &n, err);
    if (!st)
        st = check_name(cli, hooks, n, err);
    if (!st)
        st = fg_cli_look(cli, &look, err);
    if (st)
        return st;
    struct row *rows = FG_NEW(cli->arena, struct row, n);
    for (size_t i = 0; !st && i < n; i++) {
        if (!is_meant(cli, hooks[i].name))
            continue;
        rows[wanted].hook = &hooks[i];
        fg_hook_load_secret(&hooks[i], &rows[wanted].problem);
        st = look_at(&look, &rows[wanted++], err);
    }
    if (!st && o->json)
        print_json(&look, rows, wanted);
    else if (!st)
        print_text(&look, rows, wanted);
    fg_cli_look_close(&look);
    return st;
}

/* --- retry --- */

struct revival {
    struct fg_cli *cli;
    struct fg_batch *batch;
    size_t n;
};

static bool revive(void *context, const struct fg_waiting_row *row)
{
    struct revival *revival = context;
    if (!row->is_dead || !is_meant(revival->cli, row->hook))
        return true;
    struct fg_waiting_row alive = *row;
    alive.is_dead = false;
    alive.attempts = 0;
    alive.next = FG_NEVER;
    fg_batch_waiting(revival->batch, &alive);
    revival->n++;
    return true;
}

/* A crawl that runs is asked to do it; it alone may write. */
static enum fg_status retry(struct fg_cli *cli, struct fg_err *err)
{
    struct fg_hook *hooks;
    struct fg_store *store;
    size_t n;
    enum fg_status st = parse(cli, &hooks, &n, err);
    if (!st)
        st = check_name(cli, hooks, n, err);
    if (st)
        return st;
    if (fg_store_writer(fg_cli_store_path(cli)) >= 0) {
        st =
            fg_inbox_put(fg_cli_inbox(cli), FG_INBOX_RETRY,
                         cli->n_words > 1 ? fg_str_from(cli->words[1]) : FG_STR(""), err);
        if (!st)
            fg_out_puts(&cli->out, "the crawl that runs will try them again\n");
        return st;
    }
    st = fg_cli_store(cli, false, &store, err);
    if (st)
        return st;
    struct revival revival = {cli, fg_batch_new(store), 0};
    st = fg_store_waiting(store, "", revive, &revival, err);
    fg_store_submit(store, revival.batch);
    enum fg_status closed = fg_store_close(store, st ? NULL : err);
    if (!st && !closed)
        fg_out_printf(&cli->out, "%zu dead %s will be tried again by the next crawl\n",
                      revival.n, revival.n == 1 ? "letter" : "letters");
    return st ? st : closed;
}

/* --- test --- */

struct trial {
    struct fg_cli *cli;
    const struct fg_hook *hook;
    size_t failed;
};

static void tell(void *context, const struct fg_response *response)
{
    struct trial *trial = context;
    struct fg_out *out = &trial->cli->out;
    bool is_taken = response->outcome == FG_FETCHED && response->status >= 200 &&
                    response->status <= 299;
    trial->failed += !is_taken;
    fg_out_printf(out, "%.*s  %s: ", FG_ARG(trial->hook->name),
                  is_taken ? "taken" : "not taken");
    if (response->outcome == FG_FETCHED)
        fg_out_printf(out, "status %u", response->status);
    else
        fg_out_text(out, fg_str_from(response->why));
    fg_out_printf(out, ", %lld ms\n", (long long)(response->took / FG_MILLISECOND));
}

static void send_trial(struct trial *trial, struct event_base *loop,
                       struct fg_fetcher *fetcher)
{
    struct fg_letter letter;
    struct fg_buf body;
    char id[40], when[FG_TIME_TEXT];
    fg_time now = fg_time_now();
    fg_letter_init(&letter);
    fg_buf_init(&body, 4096);
    snprintf(id, sizeof id, "test_%lld", (long long)now);
    fg_buf_printf(&body,
                  "{\"event\":\"0000000000000000\",\"type\":\"test\",\"url\":"
                  "\"https://example.org/\",\"site\":\"https://example.org\","
                  "\"found_at\":\"%s\"}",
                  fg_time_format(when, now));
    fg_letter_write(&letter, trial->hook, fg_str_from(id), now / FG_SECOND,
                    fg_buf_str(&body));
    fg_fetcher_start(fetcher, &(struct fg_request){.url = trial->hook->url,
                                                   .accept = "*/*",
                                                   .body = fg_buf_str(&letter.body),
                                                   .headers = letter.headers,
                                                   .done = tell,
                                                   .context = trial});
    while (fg_fetcher_in_flight(fetcher) && event_base_loop(loop, EVLOOP_ONCE) == 0)
        ;
    fg_letter_clear(&letter);
    fg_buf_clear(&body);
}

static enum fg_status test(struct fg_cli *cli, struct fg_err *err)
{
    const struct fg_crawl_settings *settings = &cli->settings.crawl;
    struct fg_hook *hooks;
    size_t n;
    enum fg_status st = parse(cli, &hooks, &n, err);
    if (!st)
        st = check_name(cli, hooks, n, err);
    for (size_t i = 0; !st && i < n; i++)
        st = fg_hook_load_secret(&hooks[i], err);
    if (st)
        return st;
    struct event_base *loop = event_base_new();
    struct fg_fetcher *fetcher;
    struct fg_fetch_options fetch = fg_webhooks_fetch_options(
        &settings->outputs, settings->ca_file.len ? settings->ca_file.at : NULL,
        settings->http2);
    struct trial trial = {.cli = cli};
    st = fg_fetcher_new(&fetcher, loop, &fetch, err);
    for (size_t i = 0; !st && i < n; i++) {
        trial.hook = &hooks[i];
        if (is_meant(cli, hooks[i].name))
            send_trial(&trial, loop, fetcher);
    }
    fg_fetcher_free(fetcher);
    event_base_free(loop);
    return st || !trial.failed
               ? st
               : fg_fail(err, FG_EIO, "%zu of the webhooks did not take the test event",
                         trial.failed);
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    struct fg_str action = cli->n_words ? fg_str_from(cli->words[0]) : FG_STR("list");
    if (fg_str_eq(action, FG_STR("list")))
        return list(cli, err);
    if (fg_str_eq(action, FG_STR("retry")))
        return retry(cli, err);
    if (fg_str_eq(action, FG_STR("test")))
        return test(cli, err);
    return fg_fail(err, FG_ECONFIG,
                   "unknown action '%s'; there are 'list', 'retry' and 'test'",
                   action.at);
}

static const struct fg_example examples[] = {
    {"forage webhooks --webhooks-to 'team http://127.0.0.1:9/hook tag=press'",
     "each webhook, what waits for it and its dead letters"},
    {"forage webhooks retry --webhooks-to 'team http://127.0.0.1:9/hook'",
     "try the dead letters again"},
    {"forage webhooks test team --webhooks-to 'team http://127.0.0.1:9/hook' || true",
     "send a test event; nobody listens here"},
    {0},
};

const struct fg_command fg_cmd_webhooks = {
    .name = "webhooks",
    .words = "[list | retry | test] [HOOK]",
    .summary = "how deliveries to webhooks go; try again; send a test",
    .about =
        "Webhooks are named by webhooks.to; a running crawl posts each event to them, "
        "signed after the Standard Webhooks scheme if a secret is given. list shows them "
        "and events that failed, retry puts dead letters back, at once if a crawl runs, "
        "and test sends an event of type test now. HOOK is the name of one webhook; "
        "without it all are meant. docs/outputs.md tells how to check a signature.",
    .max_words = 2,
    .options = options,
    .options_size = sizeof(struct options),
    .settings = "workspace webhooks",
    .examples = examples,
    .run = run,
};
