/* cmd_webhooks.c - forage webhooks: how deliveries go, and what to do when they did not
 */
#include "cli/crawling.h"
#include "cli/showing.h"
#include "view/webhooks.h"

#include <event2/event.h>
#include <stdio.h>

static struct fg_str named(const struct fg_cli *cli)
{
    return cli->n_words > 1 ? fg_str_from(cli->words[1]) : FG_STR("");
}

static enum fg_status find(struct fg_cli *cli, struct fg_hook **hooks, size_t *n,
                           struct fg_err *err)
{
    return fg_webhooks_find(hooks, n, cli->arena, &cli->settings.crawl, named(cli), err);
}

static const struct fg_webhooks_settings *settings_of(const struct fg_cli *cli)
{
    return fg_output_settings_of(&cli->settings.crawl.outputs, &fg_output_webhooks);
}

static bool is_meant(const struct fg_cli *cli, struct fg_str name)
{
    return !named(cli).len || fg_str_eq(name, named(cli));
}

static enum fg_status list(struct fg_cli *cli, struct fg_err *err)
{
    const struct fg_json_flag *o = cli->options;
    struct fg_hook *hooks;
    size_t n;
    enum fg_status st = find(cli, &hooks, &n, err);
    return st ? st
              : fg_cli_show(cli, &fg_view_webhooks,
                            &(struct fg_webhooks_question){named(cli)},
                            &(struct fg_form){.json = o->json}, err);
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
    if (is_meant(revival->cli, row->hook))
        revival->n += fg_webhook_revive(revival->batch, row);
    return true;
}

/* A crawl that runs is asked to do it; it alone may write. */
static enum fg_status retry(struct fg_cli *cli, struct fg_err *err)
{
    struct fg_hook *hooks;
    struct fg_store *store;
    size_t n;
    enum fg_status st = find(cli, &hooks, &n, err);
    if (st)
        return st;
    if (fg_store_writer(fg_cli_store_path(cli)) >= 0) {
        st = fg_inbox_put(fg_cli_inbox(cli), FG_INBOX_RETRY, named(cli), err);
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
    const struct fg_crawl_options *settings = &cli->settings.crawl;
    struct fg_hook *hooks;
    size_t n;
    enum fg_status st = find(cli, &hooks, &n, err);
    for (size_t i = 0; !st && i < n; i++)
        st = fg_hook_load_secret(&hooks[i], err);
    if (st)
        return st;
    struct event_base *loop = event_base_new();
    struct fg_fetcher *fetcher;
    struct fg_fetch_options fetch = fg_webhooks_fetch_options(
        settings_of(cli), settings->fetch.ca_file, settings->fetch.http2);
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
    .options = fg_json_flag,
    .options_size = sizeof(struct fg_json_flag),
    .settings = "workspace webhooks",
    .examples = examples,
    .run = run,
};
