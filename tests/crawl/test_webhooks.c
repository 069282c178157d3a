/* Webhooks against a receiver in the same loop: who is held back, who is not, what is
 * given up and what a restart remembers. */
#include "../store/fixture.h"
#include "crawl/output/webhooks.h"

#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>

struct post {
    struct box box;
    struct fg_store *store;
    struct event_base *loop;
    struct evhttp *server;
    char hook[100];
    struct fg_str list[1];
    struct fg_webhooks_settings settings;
    struct fg_webhooks *webhooks;
    /* The receiver: the n-th request for this event is answered so; 0: taken. */
    int (*answer)(int event, int nth);
    int tries[10];
    char log[400]; /* each event that came */
    fg_time times[100];
    int n;
};

static int event_of(struct evbuffer *body)
{
    char text[200] = "";
    evbuffer_copyout(body, text, sizeof text - 1);
    const char *url = strstr(text, "\"url\":\"http://a/");
    assert_non_null(url);
    return url[16] - '0';
}

static void receive(struct evhttp_request *request, void *context)
{
    struct post *post = context;
    int event = event_of(evhttp_request_get_input_buffer(request));
    int status = post->answer(event, ++post->tries[event]);
    post->times[post->n++] = fg_time_monotonic();
    size_t used = strlen(post->log);
    snprintf(post->log + used, sizeof post->log - used, "%d%s", event,
             status ? "! " : " ");
    if (status == 503)
        evhttp_add_header(evhttp_request_get_output_headers(request), "Retry-After",
                          "3600");
    evhttp_send_reply(request, status ? status : 204, "so be it", NULL);
}

static void start(struct post *post)
{
    struct fg_err err = {0};
    struct fg_output_env env = {.store = post->store, .loop = post->loop};
    if (fg_webhooks_new(&post->webhooks, &env, &post->settings, &err))
        fail_msg("%s", err.text);
}

static void post_init(struct post *post, int (*answer)(int event, int nth))
{
    *post = (struct post){.box = box_new(), .answer = answer};
    post->store = box_open(&post->box, NULL);
    post->loop = event_base_new();
    post->server = evhttp_new(post->loop);
    struct evhttp_bound_socket *bound =
        evhttp_bind_socket_with_handle(post->server, "127.0.0.1", 0);
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    getsockname(evhttp_bound_socket_get_fd(bound), (struct sockaddr *)&address, &length);
    evhttp_set_gencb(post->server, receive, post);
    snprintf(post->hook, sizeof post->hook, "team http://127.0.0.1:%u/in",
             ntohs(address.sin_port));
    post->list[0] = fg_str_from(post->hook);
    post->settings = (struct fg_webhooks_settings){
        .to = {post->list, 1},
        .timeout = 5 * FG_SECOND,
        .delay = 2 * FG_MILLISECOND,
        .max_delay = 20 * FG_MILLISECOND,
        .attempts = 4,
        .concurrency = 3,
    };
    start(post);
}

static void post_free(struct post *post)
{
    fg_webhooks_free(post->webhooks);
    evhttp_free(post->server);
    event_base_free(post->loop);
    box_close(post->store);
    box_free(&post->box);
}

/* Event n of a site; its page is the event. */
static void found(struct post *post, fg_site_id site, int event)
{
    char line[100];
    struct fg_batch *batch = fg_batch_new(post->store);
    snprintf(line, sizeof line, "{\"url\":\"http://a/%d\",\"site\":\"http://a\"}", event);
    fg_batch_event(batch, &(struct fg_event_row){.site = site,
                                                 .page = (fg_page_id)event,
                                                 .id = (uint64_t)event,
                                                 .time = 1,
                                                 .kind = FG_STR("discovery"),
                                                 .json = fg_str_from(line)});
    write_now(post->store, batch);
}

static bool count_alive(void *context, const struct fg_waiting_row *row)
{
    *(int *)context += row->is_dead ? 100 : 1;
    return true;
}

/* Those that wait, and a hundred times the dead ones. */
static int stored(struct post *post)
{
    int n = 0;
    assert_int_equal(fg_store_flush(post->store, UINT64_MAX, NULL), FG_OK);
    assert_int_equal(fg_store_waiting(post->store, "team", count_alive, &n, NULL), FG_OK);
    return n;
}

static uint64_t position(struct post *post)
{
    uint64_t number, unused;
    fg_store_flush(post->store, UINT64_MAX, NULL);
    fg_store_delivered(post->store, "webhook:team", &number, &unused, NULL);
    return number;
}

/* Until so many requests have come, and the answer to the last. */
static void run_until(struct post *post, int requests)
{
    struct timeval tick = {0, 10000};
    fg_webhooks_poke(post->webhooks);
    for (int i = 0; i < 1000 && post->n < requests; i++) {
        event_base_loopexit(post->loop, &tick);
        event_base_dispatch(post->loop);
    }
    event_base_loopexit(post->loop, &tick);
    event_base_dispatch(post->loop);
    if (post->n != requests)
        fail_msg("%d requests came instead of %d: %s", post->n, requests, post->log);
}

static int always(int event, int nth)
{
    (void)event, (void)nth;
    return 0;
}

static void a_hook_begins_when_it_is_first_known(void **state)
{
    (void)state;
    struct post post;
    post_init(&post, always);
    fg_webhooks_free(post.webhooks);
    found(&post, 1, 1); /* while it is down */
    start(&post);
    found(&post, 1, 2);
    run_until(&post, 2);
    assert_string_equal(post.log, "1 2 ");
    assert_int_equal(position(&post), 2);
    assert_int_equal(stored(&post), 0);
    fg_webhooks_free(post.webhooks);
    memcpy(post.hook, "late", 4); /* another one: what was before is not for it */
    start(&post);
    found(&post, 1, 3);
    run_until(&post, 3);
    assert_string_equal(post.log, "1 2 3 ");
    post_free(&post);
}

static int first_twice(int event, int nth)
{
    return event == 1 && nth <= 2 ? 500 : 0;
}

static void a_failure_holds_back_its_own_site_only(void **state)
{
    (void)state;
    struct post post;
    post_init(&post, first_twice);
    found(&post, 1, 1);
    found(&post, 1, 2);
    found(&post, 2, 3);
    found(&post, 2, 4);
    run_until(&post, 6);
    const char *log = post.log;
    assert_true(strstr(log, "3 ") < strstr(log, "4 "));
    assert_true(strstr(log, " 1 ") < strstr(log, "2 "));
    assert_int_equal(post.tries[1], 3);
    assert_int_equal(stored(&post), 0);
    assert_int_equal(position(&post), 4);
    post_free(&post);
}

static int never_the_first(int event, int nth)
{
    (void)nth;
    return event == 1 ? 400 : 0;
}

static void after_the_last_attempt_it_is_a_dead_letter(void **state)
{
    (void)state;
    struct post post;
    post_init(&post, never_the_first);
    found(&post, 1, 1);
    found(&post, 1, 2);
    run_until(&post, 5);
    assert_string_equal(post.log, "1! 1! 1! 1! 2 ");
    assert_int_equal(stored(&post), 100);
    assert_int_equal(position(&post), 2);
    post.answer = always;
    assert_int_equal(fg_webhooks_retry(post.webhooks, FG_STR("other")), 0);
    assert_int_equal(fg_webhooks_retry(post.webhooks, FG_STR("team")), 1);
    run_until(&post, 6);
    assert_int_equal(stored(&post), 0);
    post_free(&post);
}

static int busy_twice(int event, int nth)
{
    (void)event;
    return nth <= 2 ? 503 : 0;
}

/* An hour was asked for, 20 ms are allowed: both, within what a machine may dawdle. */
static void nobody_may_ask_for_more_than_the_longest_delay(void **state)
{
    (void)state;
    struct post post;
    post_init(&post, busy_twice);
    found(&post, 1, 1);
    run_until(&post, 3);
    for (int i = 1; i < 3; i++) {
        assert_true(post.times[i] - post.times[i - 1] >= 20 * FG_MILLISECOND);
        assert_true(post.times[i] - post.times[i - 1] < FG_MINUTE);
    }
    post_free(&post);
}

static void a_restart_goes_on_with_what_waits(void **state)
{
    (void)state;
    struct post post;
    post_init(&post, never_the_first);
    post.settings.delay = post.settings.max_delay = FG_HOUR;
    found(&post, 1, 1);
    found(&post, 1, 2);
    found(&post, 2, 3);
    run_until(&post, 2);
    assert_int_equal(stored(&post), 2); /* the one that failed, and the one behind it */
    assert_int_equal(position(&post), 3);
    fg_webhooks_free(post.webhooks);
    post.settings.delay = post.settings.max_delay = FG_MILLISECOND;
    post.answer = always;
    start(&post);
    run_until(&post, 4);
    assert_true(fg_str_ends(fg_str_from(post.log), FG_STR("1 2 ")));
    assert_int_equal(stored(&post), 0);
    post_free(&post);
}

FG_TESTS(a_hook_begins_when_it_is_first_known, a_failure_holds_back_its_own_site_only,
         after_the_last_attempt_it_is_a_dead_letter,
         nobody_may_ask_for_more_than_the_longest_delay,
         a_restart_goes_on_with_what_waits)
