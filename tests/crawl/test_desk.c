#include "test.h"

#include "crawl/desk.h"

#include <poll.h>

static const char html[] =
    "<!DOCTYPE html><title>One</title><p>words <a href=/two>two</a>"
    " and <a href=three>three</a>";

/* Answers as the fetcher gives them: their body is in a buffer that may be taken. */
struct sent {
    struct fg_buf body;
    struct fg_response response;
    struct fg_answer answer;
};

static void answer_with(struct sent *sent, const char *body)
{
    fg_buf_init(&sent->body, SIZE_MAX);
    fg_buf_add(&sent->body, fg_str_from(body));
    sent->response = (struct fg_response){.outcome = FG_FETCHED,
                                          .why = "",
                                          .status = 200,
                                          .url = FG_STR("http://127.0.0.1/a/"),
                                          .headers = FG_STR("ETag: \"x\"\r\n"),
                                          .body = fg_buf_str(&sent->body),
                                          .body_room = &sent->body};
    static const struct fg_hop hops[] = {{FG_STR("http://127.0.0.1/old"), 301}};
    sent->answer = (struct fg_answer){.end = FG_ASK_ANSWERED,
                                      .asked = FG_STR("http://127.0.0.1/old"),
                                      .url = FG_STR("http://127.0.0.1/a/"),
                                      .hops = hops,
                                      .n_hops = 1,
                                      .response = &sent->response,
                                      .requests = 2};
}

static struct fg_desk *desk_new(void)
{
    struct fg_desk *desk;
    struct fg_err err = {0};
    assert_int_equal(
        fg_desk_new(&desk, (struct fg_reading_rules){.token = FG_STR("forage")}, &err),
        FG_OK);
    return desk;
}

static struct fg_read *wait_for(struct fg_desk *desk)
{
    struct fg_read *read;
    while (!(read = fg_desk_next(desk))) {
        struct pollfd wait = {.fd = fg_desk_wakeup(desk), .events = POLLIN};
        assert_int_equal(poll(&wait, 1, 10000), 1);
    }
    return read;
}

static void what_is_put_comes_back_read(void **state)
{
    (void)state;
    struct fg_desk *desk = desk_new();
    struct sent sent;
    for (int i = 0; i < 100; i++) {
        answer_with(&sent, html);
        assert_true(fg_desk_put(desk, &sent.answer, NULL, &sent));
        sent.response = (struct fg_response){0}; /* it needs them no more */
        sent.answer = (struct fg_answer){0};
        fg_buf_clear(&sent.body);
        struct fg_read *read = wait_for(desk);
        assert_ptr_equal(read->context, &sent);
        assert_str(read->reading.title, "One");
        assert_int_equal(read->reading.n_links, 2);
        assert_str(read->reading.links[1].url, "http://127.0.0.1/a/three");
        assert_str(read->answer.url, "http://127.0.0.1/a/");
        assert_int_equal(read->answer.n_hops, 1);
        assert_str(read->answer.hops[0].url, "http://127.0.0.1/old");
        assert_str(read->answer.response->body, html);
        assert_str(fg_response_header(read->answer.response, "etag", 0), "\"x\"");
        fg_desk_release(desk, read);
    }
    fg_desk_free(desk);
}

static void a_full_desk_takes_no_more(void **state)
{
    (void)state;
    struct fg_desk *desk = desk_new();
    static struct sent sent[1000];
    size_t put = 0, back = 0;
    /* More than a page at a time, without taking any back: at some point it is full. */
    for (size_t i = 0; i < 1000; i++) {
        answer_with(&sent[i], html);
        put += fg_desk_put(desk, &sent[i].answer, NULL, &sent[i]);
        fg_buf_clear(&sent[i].body);
    }
    for (; back < put; back++)
        fg_desk_release(desk, wait_for(desk));
    assert_null(fg_desk_next(desk));
    fg_desk_free(desk);
}

static void who_waits_can_help(void **state)
{
    (void)state;
    struct fg_desk *desk = desk_new();
    struct sent sent[20];
    size_t back = 0;
    for (size_t i = 0; i < 20; i++) {
        answer_with(&sent[i], html);
        assert_true(fg_desk_put(desk, &sent[i].answer, NULL, &sent[i]));
        fg_buf_clear(&sent[i].body);
    }
    for (struct fg_read *read; (read = fg_desk_help(desk)); back++) {
        assert_str(read->reading.title, "One");
        assert_int_equal(read->reading.n_links, 2);
        fg_desk_release(desk, read);
    }
    assert_int_equal(fg_desk_waiting(desk), 0);
    for (; back < 20; back++) /* those that the thread had at hand or was done with */
        fg_desk_release(desk, wait_for(desk));
    fg_desk_free(desk);
}

static void a_desk_with_a_large_page_is_full(void **state)
{
    (void)state;
    struct fg_desk *desk = desk_new();
    size_t bytes = 9 << 20, put = 0;
    char *page = malloc(bytes + 1);
    memset(page, 'x', bytes);
    page[bytes] = '\0';
    page[0] = '\1'; /* binary: nothing to read, so nothing to wait for */
    for (size_t i = 0; i < 4; i++) {
        struct sent sent;
        answer_with(&sent, page);
        put += fg_desk_put(desk, &sent.answer, NULL, NULL);
        fg_buf_clear(&sent.body);
    }
    /* One that is being read and one that waits; two more if it is that quick. */
    assert_true(put >= 1 && fg_desk_waiting(desk) <= 1);
    for (size_t i = 0; i < put; i++)
        fg_desk_release(desk, wait_for(desk));
    free(page);
    fg_desk_free(desk);
}

static void what_waits_at_the_end_comes_back_unread(void **state)
{
    (void)state;
    struct fg_desk *desk = desk_new();
    struct sent sent[4];
    size_t put = 0, back = 0;
    for (size_t i = 0; i < 4; i++) {
        answer_with(&sent[i], html);
        put += fg_desk_put(desk, &sent[i].answer, NULL, &sent[i]);
        fg_buf_clear(&sent[i].body);
    }
    fg_desk_stop(desk);
    assert_false(fg_desk_put(desk, &sent[0].answer, NULL, NULL));
    for (struct fg_read *read; (read = fg_desk_next(desk)); back++)
        fg_desk_release(desk, read);
    assert_int_equal(back, put);
    fg_desk_free(desk);
    fg_desk_free(NULL);
}

FG_TESTS(what_is_put_comes_back_read, a_full_desk_takes_no_more, who_waits_can_help,
         a_desk_with_a_large_page_is_full, what_waits_at_the_end_comes_back_unread)
