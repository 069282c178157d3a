#include "crawl/host/errand.h"

#include "crawl/intake/seeds.h"
#include "crawl/sites/pages.h"
#include "crawl/sources/newness.h"
#include "crawl/state.h"
#include "net/url/domain.h"
#include "net/url/url.h"

#include <event2/event.h>
#include <signal.h>

struct errand {
    const struct fg_errand *wish;
    struct fg_store *store;
    struct fg_clock clock;
    struct event_base *loop;
    struct fg_workers *workers;
    struct fg_polite *polite;
    struct fg_archive *archive; /* NULL: none is wanted */
    struct fg_arena arena;
    FG_VEC(struct fg_site_row) sites;
    struct fg_ledger ledger;
    bool is_done;
    enum fg_status status;
    struct fg_err *err;
};

/* A host's state is on disk; politeness is told when it is not in the middle of things.
 */
struct note {
    struct errand *errand;
    struct fg_str key;
};

static bool take_site(void *context, const struct fg_site_row *row)
{
    struct errand *errand = context;
    struct fg_site_row copy = *row;
    struct fg_str *texts[] = {&copy.key, &copy.domain, &copy.tags, &copy.robots,
                              &copy.settings};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i] = fg_arena_dup(&errand->arena, *texts[i]);
    fg_vec_push_in(&errand->arena, &errand->sites, copy);
    return true;
}

static void recall_hosts(struct errand *errand)
{
    struct fg_host_state host;
    for (size_t i = 0; i < errand->sites.len; i++)
        if (host_from_row(&host, &errand->sites.at[i]))
            fg_polite_recall(errand->polite, &host);
}

static struct fg_site_row *row_of(struct errand *errand, struct fg_str key)
{
    fg_site_id last = 0;
    for (size_t i = 0; i < errand->sites.len; i++) {
        if (fg_str_eq(errand->sites.at[i].key, key))
            return &errand->sites.at[i];
        if (errand->sites.at[i].site > last)
            last = errand->sites.at[i].site;
    }
    struct fg_url url;
    struct fg_str domain = {0};
    key = fg_arena_dup(&errand->arena, key);
    if (fg_url_parse(&url, &errand->arena, key, NULL))
        domain = fg_domain_registrable(fg_url_hostname(&url));
    fg_vec_push_in(&errand->arena, &errand->sites,
                   (struct fg_site_row){.site = last + 1,
                                        .key = key,
                                        .domain = fg_arena_dup(&errand->arena, domain),
                                        .state = SITE_HOST_ONLY,
                                        .added = fg_clock_now(&errand->clock)});
    return &errand->sites.at[errand->sites.len - 1];
}

static void on_saved(evutil_socket_t fd, short what, void *context)
{
    (void)fd, (void)what;
    struct note *note = context;
    fg_polite_saved(note->errand->polite, note->key);
}

static void save(void *context, const struct fg_host_state *state)
{
    struct errand *errand = context;
    struct fg_site_row *row = row_of(errand, state->key);
    host_to_row(row, state);
    row->robots = fg_arena_dup(&errand->arena, state->robots);
    if (row->last_request == FG_NEVER)
        row->last_request = fg_clock_now(&errand->clock);
    struct fg_batch *batch = fg_batch_new(errand->store);
    fg_batch_site(batch, row);
    fg_ledger_write(&errand->ledger, batch);
    uint64_t number = fg_store_submit(errand->store, batch);
    if (!errand->status)
        errand->status = fg_store_flush(errand->store, number, errand->err);
    if (errand->status)
        return;
    struct note *note = FG_NEW(&errand->arena, struct note, 1);
    *note = (struct note){errand, row->key};
    struct timeval at_once = {0, 0};
    event_base_once(errand->loop, -1, EV_TIMEOUT, on_saved, note, &at_once);
}

static void note_request(void *context, const struct fg_made *made)
{
    struct errand *errand = context;
    fg_ledger_note(&errand->ledger, row_of(errand, made->key)->site, made);
}

static void on_answer(void *context, const struct fg_answer *answer)
{
    struct errand *errand = context;
    errand->wish->take(errand->wish->context, errand->polite, answer);
    errand->is_done = true;
}

static void on_wait(evutil_socket_t fd, short what, void *context)
{
    (void)fd, (void)what;
    struct errand *errand = context;
    errand->wish->wait(errand->wish->context, errand->polite);
}

static bool archive_answer(void *context, const struct fg_response *response)
{
    struct errand *errand = context;
    if (!errand->status)
        errand->status = fg_archive_put(errand->archive, response, NULL, errand->err);
    return !errand->status;
}

static void ask(struct errand *errand)
{
    const struct fg_crawl_options *options = errand->wish->options;
    struct timeval soon = {2, 0};
    errand->polite = fg_polite_new(
        errand->workers, errand->loop, &errand->clock,
        &(struct fg_polite_options){.rules = options->pace,
                                    .max_redirects = options->max_redirects,
                                    .patience = FG_MINUTE,
                                    .robots_token = options->robots_token,
                                    .robots_lifetime = FG_DAY,
                                    .save = errand->store ? save : NULL,
                                    .made = errand->store ? note_request : NULL,
                                    .record = errand->archive ? archive_answer : NULL,
                                    .context = errand,
                                    .seed = options->policies.seed});
    recall_hosts(errand);
    if (errand->wish->wait)
        event_base_once(errand->loop, -1, EV_TIMEOUT, on_wait, errand, &soon);
    fg_polite_ask(errand->polite, &(struct fg_ask){.url = errand->wish->url,
                                                   .purpose = FG_REQUEST_ERRAND,
                                                   .done = on_answer,
                                                   .context = errand});
    while (!errand->is_done && !errand->status &&
           event_base_loop(errand->loop, EVLOOP_ONCE) == 0)
        ;
}

static enum fg_status set_up_archive(struct errand *errand,
                                     struct fg_fetch_options *fetch, struct fg_err *err)
{
    struct fg_archive_options options = errand->wish->options->archive;
    if (!options.file)
        return FG_OK;
    options.dir = NULL;
    options.user_agent = fetch->user_agent;
    fetch->keeps_wire = true;
    return fg_archive_open(&errand->archive, &options, fg_clock_now(&errand->clock), err);
}

static enum fg_status write_ledger(struct errand *errand, struct fg_err *err)
{
    if (!errand->ledger.rows.len)
        return FG_OK;
    struct fg_batch *batch = fg_batch_new(errand->store);
    fg_ledger_write(&errand->ledger, batch);
    return fg_store_flush(errand->store, fg_store_submit(errand->store, batch), err);
}

static enum fg_status set_up(struct errand *errand, struct fg_err *err)
{
    struct fg_fetch_options fetch = errand->wish->options->fetch;
    fetch.is_anonymous = !errand->wish->options->who.is_given;
    enum fg_status st = fg_seed_check(errand->wish->options, errand->wish->url, err);
    if (!st && errand->store)
        st = fg_store_sites(errand->store, take_site, errand, err);
    if (!st)
        st = set_up_archive(errand, &fetch, err);
    if (st)
        return st;
    errand->loop = event_base_new();
    if (!errand->loop)
        fg_out_of_memory();
    return fg_workers_new(&errand->workers, errand->loop, 1, &fetch, NULL, err);
}

enum fg_status fg_errand_run(const struct fg_errand *wish, struct fg_err *err)
{
    struct errand errand = {
        .wish = wish, .store = wish->store, .clock = wish->options->clock, .err = err};
    signal(SIGPIPE, SIG_IGN);
    enum fg_status st = set_up(&errand, err);
    if (!st) {
        ask(&errand);
        st = errand.status;
    }
    if (!st)
        st = write_ledger(&errand, err);
    fg_workers_free(errand.workers);
    fg_polite_free(errand.polite);
    if (errand.loop)
        event_base_free(errand.loop);
    fg_ledger_clear(&errand.ledger);
    fg_arena_clear(&errand.arena);
    enum fg_status closed = fg_archive_close(errand.archive, st ? NULL : err);
    return st ? st : closed;
}
