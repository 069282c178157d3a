/* All outputs together: one that fails waits, says so and goes on; other settings are
 * taken over while they run, without an event lost or delivered twice. */
#include "../store/fixture.h"
#include "crawl/output/feeds.h"
#include "crawl/output/lines.h"
#include "crawl/output/webhooks.h"

#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>

struct trial {
    struct box box;
    struct fg_store *store;
    struct event_base *loop;
    struct evhttp *server;
    unsigned port;
    struct fg_arena arena;
    struct fg_clock clock;
    struct fg_output_settings settings;
    struct fg_outputs *outputs;
    char log[400]; /* path and event of each request that came */
    int held;      /* ms that an answer takes */
    int n_differs;
    uint64_t events;
};

static struct fg_output_settings read_settings(struct trial *trial, const char *yaml)
{
    struct fg_output_settings settings = {0};
    struct fg_opts opts = {.arena = &trial->arena};
    struct fg_err err = {0};
    fg_outputs_add_opts(&settings, &opts);
    if (fg_opts_read_yaml(&opts, fg_str_from(yaml), "test", &err))
        fail_msg("%s", err.text);
    return settings;
}

static void answer(evutil_socket_t fd, short what, void *context)
{
    (void)fd, (void)what;
    evhttp_send_reply(context, 204, "taken", NULL);
}

static void receive(struct evhttp_request *request, void *context)
{
    struct trial *trial = context;
    struct evbuffer *body = evhttp_request_get_input_buffer(request);
    char text[200] = "";
    evbuffer_copyout(body, text, sizeof text - 1);
    const char *url = strstr(text, "http://a/");
    assert_non_null(url);
    size_t used = strlen(trial->log);
    snprintf(trial->log + used, sizeof trial->log - used, "%s:%c ",
             evhttp_request_get_uri(request), url[9]);
    struct timeval wait = {0, trial->held * 1000};
    event_base_once(trial->loop, -1, EV_TIMEOUT, answer, request, &wait);
}

static void trial_init(struct trial *trial)
{
    *trial = (struct trial){.box = box_new(), .clock = fg_clock_wall()};
    trial->store = box_open(&trial->box, &(struct fg_store_options){.flush_every = 1});
    trial->loop = event_base_new();
    trial->server = evhttp_new(trial->loop);
    struct evhttp_bound_socket *bound =
        evhttp_bind_socket_with_handle(trial->server, "127.0.0.1", 0);
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    getsockname(evhttp_bound_socket_get_fd(bound), (struct sockaddr *)&address, &length);
    trial->port = ntohs(address.sin_port);
    evhttp_set_gencb(trial->server, receive, trial);
    struct fg_batch *batch = fg_batch_new(trial->store);
    fg_batch_site(batch, &(struct fg_site_row){.site = 1,
                                               .key = FG_STR("http://a"),
                                               .domain = FG_STR("a"),
                                               .state = 2,
                                               .added = 1});
    write_now(trial->store, batch);
}

static void open_outputs(struct trial *trial, const char *yaml)
{
    struct fg_err err = {0};
    trial->settings = read_settings(trial, yaml);
    if (fg_outputs_open(&trial->outputs,
                        &(struct fg_output_env){.store = trial->store,
                                                .loop = trial->loop,
                                                .clock = &trial->clock,
                                                .events_fd = -1},
                        &trial->settings, &err))
        fail_msg("%s", err.text);
}

static void trial_free(struct trial *trial)
{
    fg_outputs_close(trial->outputs);
    evhttp_free(trial->server);
    event_base_free(trial->loop);
    box_close(trial->store);
    box_free(&trial->box);
    fg_arena_clear(&trial->arena);
}

static const char *in_box(struct trial *trial, const char *name)
{
    return fg_arena_printf(&trial->arena, "%s/%s", trial->box.folder, name).at;
}

static void found(struct trial *trial)
{
    char line[100];
    uint64_t n = ++trial->events;
    struct fg_batch *batch = fg_batch_new(trial->store);
    snprintf(line, sizeof line, "{\"url\":\"http://a/%d\",\"site\":\"http://a\"}",
             (int)n);
    fg_batch_event(batch, &(struct fg_event_row){.site = 1,
                                                 .page = (fg_page_id)n,
                                                 .id = n,
                                                 .time = (fg_time)n,
                                                 .kind = FG_STR("discovery"),
                                                 .json = fg_str_from(line)});
    write_now(trial->store, batch);
    fg_outputs_poke(trial->outputs);
}

static void turn(struct trial *trial, int ms)
{
    struct timeval wait = {ms / 1000, ms % 1000 * 1000};
    event_base_loopexit(trial->loop, &wait);
    event_base_dispatch(trial->loop);
}

static void turn_until_log(struct trial *trial, const char *wanted)
{
    for (int i = 0; i < 1000 && strcmp(trial->log, wanted) != 0; i++)
        turn(trial, 10);
    assert_string_equal(trial->log, wanted);
}

static void note(void *context, const struct fg_opt *opt)
{
    (void)opt;
    ((struct trial *)context)->n_differs++;
}

static void reload(struct trial *trial, const char *yaml)
{
    struct fg_output_settings fresh = read_settings(trial, yaml);
    trial->n_differs = 0;
    fg_outputs_reload(trial->outputs, &fresh, note, trial);
}

static int count_lines(const char *path)
{
    FILE *f = fopen(path, "r");
    int n = 0;
    for (int c; f && (c = getc(f)) != EOF;)
        n += c == '\n';
    if (f)
        fclose(f);
    return n;
}

static void turn_until_lines(struct trial *trial, const char *path, int n)
{
    for (int i = 0; i < 1000 && count_lines(path) < n; i++)
        turn(trial, 10);
    assert_int_equal(count_lines(path), n);
}

static const char *yaml_of(struct trial *trial, const char *key, const char *name)
{
    return fg_arena_printf(&trial->arena, "%s: \"%s\"\n", key, in_box(trial, name)).at;
}

static const char *hooks(struct trial *trial, const char *more)
{
    return fg_arena_printf(&trial->arena,
                           "webhooks.to: [one http://127.0.0.1:%u/one%s]\n", trial->port,
                           *more ? fg_arena_printf(&trial->arena,
                                                   ", %s http://127.0.0.1:%u/%s", more,
                                                   trial->port, more)
                                       .at
                                 : "")
        .at;
}

static void one_that_fails_waits_and_goes_on(void **state)
{
    (void)state;
    struct trial trial;
    struct fg_output_trouble trouble;
    struct fg_err err = {0};
    trial_init(&trial);
    open_outputs(&trial, "output.file: /dev/full\n");
    assert_false(fg_outputs_trouble(trial.outputs, 0, &trouble));
    found(&trial);
    assert_true(fg_outputs_trouble(trial.outputs, 0, &trouble));
    assert_false(fg_outputs_trouble(trial.outputs, 1, &trouble));
    assert_string_equal(trouble.output, "output.file");
    assert_non_null(strstr(trouble.why, "No space left"));
    assert_int_equal(fg_outputs_delivered(trial.outputs), 0);
    assert_int_equal(fg_outputs_flush(trial.outputs, &err), FG_EFULL);
    assert_non_null(strstr(err.text, "/dev/full"));

    const char *file = in_box(&trial, "events.jsonl");
    reload(&trial, yaml_of(&trial, "output.file", "events.jsonl"));
    assert_int_equal(trial.n_differs, 1);
    turn_until_lines(&trial, file, 1);
    assert_false(fg_outputs_trouble(trial.outputs, 0, &trouble));
    assert_int_equal(fg_outputs_delivered(trial.outputs), 1);
    assert_int_equal(fg_outputs_flush(trial.outputs, &err), FG_OK);
    trial_free(&trial);
}

/* It comes back by itself. */
static void folder_that_was_gone_is_found_again(void **state)
{
    (void)state;
    struct trial trial;
    struct fg_output_trouble trouble;
    trial_init(&trial);
    assert_int_equal(mkdir(in_box(&trial, "out"), 0777), 0);
    open_outputs(&trial, yaml_of(&trial, "output.file", "out/events.jsonl"));
    found(&trial);
    assert_int_equal(rename(in_box(&trial, "out"), in_box(&trial, "old")), 0);
    found(&trial);
    found(&trial);
    assert_true(fg_outputs_trouble(trial.outputs, 0, &trouble));
    assert_int_equal(mkdir(in_box(&trial, "out"), 0777), 0);
    turn_until_lines(&trial, in_box(&trial, "out/events.jsonl"), 2);
    assert_int_equal(count_lines(in_box(&trial, "old/events.jsonl")), 1);
    assert_false(fg_outputs_trouble(trial.outputs, 0, &trouble));
    trial_free(&trial);
}

static void webhooks_are_added_and_taken_away(void **state)
{
    (void)state;
    struct trial trial;
    trial_init(&trial);
    open_outputs(&trial, hooks(&trial, ""));
    found(&trial);
    turn_until_log(&trial, "/one:1 ");
    reload(&trial, hooks(&trial, "two"));
    assert_int_equal(trial.n_differs, 1);
    found(&trial);
    for (int i = 0; i < 1000 && strlen(trial.log) < 21; i++)
        turn(&trial, 10);
    assert_non_null(strstr(trial.log, "/one:2 "));
    assert_non_null(strstr(trial.log, "/two:2 "));
    reload(&trial, hooks(&trial, ""));
    trial.log[0] = '\0';
    found(&trial);
    turn_until_log(&trial, "/one:3 ");
    reload(&trial, "{}");
    assert_null(fg_outputs_get(trial.outputs, &fg_output_webhooks));
    found(&trial);
    turn(&trial, 50);
    assert_string_equal(trial.log, "/one:3 ");
    trial_free(&trial);
}

/* What is on its way is waited for, and what comes meanwhile waits; nothing is posted
 * twice. */
static void webhook_under_way_is_not_posted_again(void **state)
{
    (void)state;
    struct trial trial;
    trial_init(&trial);
    trial.held = 200;
    open_outputs(&trial, hooks(&trial, ""));
    found(&trial);
    turn_until_log(&trial, "/one:1 ");
    reload(
        &trial,
        fg_arena_printf(&trial.arena, "%swebhooks.timeout: 7s\n", hooks(&trial, "")).at);
    found(&trial);
    trial.held = 0;
    turn(&trial, 100);
    assert_string_equal(trial.log, "/one:1 ");
    turn_until_log(&trial, "/one:1 /one:2 ");
    turn(&trial, 50);
    assert_string_equal(trial.log, "/one:1 /one:2 ");
    trial_free(&trial);
}

static void feeds_move_to_another_folder(void **state)
{
    (void)state;
    struct trial trial;
    trial_init(&trial);
    assert_int_equal(mkdir(in_box(&trial, "deep"), 0777), 0);
    open_outputs(&trial, "{}");
    found(&trial);
    reload(&trial, yaml_of(&trial, "feeds.dir", "feeds"));
    for (int i = 0; i < 500 && access(in_box(&trial, "feeds/all.json"), F_OK) != 0; i++)
        turn(&trial, 10);
    assert_int_equal(access(in_box(&trial, "feeds/all.json"), F_OK), 0);
    reload(&trial, yaml_of(&trial, "feeds.dir", "deep/feeds"));
    for (int i = 0; i < 500 && access(in_box(&trial, "deep/feeds/all.rss"), F_OK) != 0;
         i++)
        turn(&trial, 10);
    assert_int_equal(access(in_box(&trial, "deep/feeds/all.rss"), F_OK), 0);

    /* What cannot be is not taken over, and says nothing of the others. */
    reload(&trial, fg_arena_printf(&trial.arena, "feeds.dir: /proc/x\n%s",
                                   yaml_of(&trial, "output.file", "events.jsonl"))
                       .at);
    turn_until_lines(&trial, in_box(&trial, "events.jsonl"), 1);
    const struct fg_feeds_settings *feeds =
        fg_output_settings_of(&trial.settings, &fg_output_feeds);
    assert_true(fg_str_ends(feeds->dir, FG_STR("deep/feeds")));
    trial_free(&trial);
}

static void kinds_change_where_the_file_stays(void **state)
{
    (void)state;
    struct trial trial;
    trial_init(&trial);
    const char *file = yaml_of(&trial, "output.file", "events.jsonl");
    open_outputs(&trial, file);
    found(&trial);
    reload(&trial, fg_arena_printf(&trial.arena, "%soutput.kinds: [changed]\n", file).at);
    assert_int_equal(trial.n_differs, 1);
    found(&trial);
    reload(&trial, file);
    found(&trial);
    assert_int_equal(count_lines(in_box(&trial, "events.jsonl")), 2);
    assert_int_equal(fg_outputs_delivered(trial.outputs), 3);
    trial_free(&trial);
}

FG_TESTS(one_that_fails_waits_and_goes_on, folder_that_was_gone_is_found_again,
         webhooks_are_added_and_taken_away, webhook_under_way_is_not_posted_again,
         feeds_move_to_another_folder, kinds_change_where_the_file_stays)
