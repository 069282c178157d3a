/* A view asked of a small store, as a command or a server would. */
#include "../store/fixture.h"
#include "base/json.h"
#include "view/export.h"
#include "view/render.h"
#include "view/status.h"
#include "view/view.h"

#include <pthread.h>

struct place {
    struct box box;
    struct fg_store *store;
    struct fg_crawl_options settings;
    int64_t writer; /* the process that crawls, or -1 */
};

static const fg_time now = 1000 * FG_DAY;

static void put_page(struct fg_batch *batch, fg_page_id id, const char *url,
                     uint32_t flags)
{
    fg_batch_page(batch,
                  &(struct fg_page_row){.site = 1,
                                        .page = id,
                                        .fingerprint = fg_str_hash(fg_str_from(url)),
                                        .url = fg_str_from(url),
                                        .title = FG_STR("A \"title\", <b>"),
                                        .flags = flags,
                                        .first_seen = now - FG_HOUR,
                                        .last_visit = FG_NEVER,
                                        .last_change = FG_NEVER,
                                        .next_visit = FG_NEVER,
                                        .published = FG_NEVER,
                                        .weight = 1});
}

static void open_place(struct place *place)
{
    *place = (struct place){.box = box_new(), .settings.robots_token = FG_STR("forage")};
    place->writer = -1;
    place->store = box_open(&place->box, NULL);
    struct fg_batch *batch = fg_batch_new(place->store);
    fg_batch_site(batch, &(struct fg_site_row){.site = 1,
                                               .key = FG_STR("https://a.example"),
                                               .added = now - FG_DAY,
                                               .last_request = FG_NEVER,
                                               .robots_fetched = FG_NEVER,
                                               .robots_expires = FG_NEVER,
                                               .backoff_until = FG_NEVER,
                                               .state = 2});
    put_page(batch, 1, "https://a.example/", FG_PAGE_SEED | FG_PAGE_SOURCE);
    put_page(batch, 2, "https://a.example/1", FG_PAGE_GONE);
    fg_batch_visit(batch, &(struct fg_visit_row){.site = 1,
                                                 .page = 1,
                                                 .time = now - FG_MINUTE,
                                                 .status = 200,
                                                 .changed = true,
                                                 .links = 3,
                                                 .bytes = 42});
    struct fg_err err;
    assert_int_equal(
        fg_store_flush(place->store, fg_store_submit(place->store, batch), &err), FG_OK);
}

static void close_place(struct place *place)
{
    box_close(place->store);
    box_free(&place->box);
}

enum form { JSON, CSV, TEXT };

/* What a view answers; its text is the caller's to free. */
static enum fg_status ask(struct place *place, const struct fg_view *view,
                          const void *question, const char *subject, enum form form,
                          struct fg_buf *out, struct fg_err *err)
{
    struct fg_arena arena = {0};
    struct fg_look look;
    struct fg_workspace where = {.folder = FG_STR("ws"), .settings = &place->settings};
    struct fg_sink sink = {.buf = out};
    struct fg_text_style style = {.now = now};
    const void *answer = NULL;
    fg_buf_init(out, 1 << 20);
    enum fg_status st = fg_look_open(&look, &where, place->store, &arena, err);
    assert_int_equal(st, FG_OK);
    look.now = now;
    look.writer = place->writer;
    struct fg_asking asking = {
        .look = &look, .question = question, .subject = fg_str_from(subject)};
    st = view->ask(&answer, &asking, err);
    if (!st)
        st = form == JSON  ? fg_render_json(&sink, &view->answer, answer, err)
             : form == CSV ? fg_render_csv(&sink, &view->answer, answer, true, err)
                           : fg_render_text(&sink, &view->answer, answer, &style, err);
    fg_view_clear(view, answer);
    fg_look_close(&look);
    fg_arena_clear(&arena);
    return st;
}

static const struct fg_view *view_named(const char *name)
{
    for (size_t i = 0; fg_views[i]; i++)
        if (strcmp(fg_views[i]->name, name) == 0)
            return fg_views[i];
    fail_msg("no view '%s'", name);
    return NULL;
}

static void expect_part(const struct fg_buf *buf, const char *part)
{
    if (fg_str_find(fg_buf_str(buf), fg_str_from(part)) == FG_NOT_FOUND)
        fail_msg("'%.*s' has no '%s'", (int)buf->len, buf->at, part);
}

static void page_is_the_same_in_every_form(void **state)
{
    (void)state;
    struct place place;
    struct fg_buf out;
    struct fg_err err = {0};
    int64_t limit = 10;
    const struct fg_view *page = view_named("page");
    open_place(&place);
    assert_int_equal(ask(&place, page, &limit, "https://a.example/", JSON, &out, &err),
                     FG_OK);
    expect_part(&out, "{\"url\":\"https://a.example/\",\"site\":\"https://a.example\"");
    expect_part(&out, "\"flags\":[\"seed\",\"source\"]");
    expect_part(&out, "\"n_visits\":1,\"visit_log\":[{\"time\":");
    fg_buf_clear(&out);
    assert_int_equal(ask(&place, page, &limit, "https://a.example/", CSV, &out, &err),
                     FG_OK);
    expect_part(&out, "time,purpose,status,failure,changed,");
    expect_part(&out, ",200,,true,false,3,0,42,0,0,0,false\r\n");
    fg_buf_clear(&out);
    assert_int_equal(ask(&place, page, &limit, "https://a.example/", TEXT, &out, &err),
                     FG_OK);
    expect_part(&out, "https://a.example/\ntitle          A \"title\", <b>\n");
    expect_part(&out, "(1m ago)\n");
    expect_part(&out, "\n1 visit\n  time ");
    fg_buf_clear(&out);
    close_place(&place);
}

static void failures_come_back_as_words(void **state)
{
    (void)state;
    struct place place;
    struct fg_buf out;
    struct fg_err err = {0};
    int64_t number = 3;
    open_place(&place);
    assert_int_equal(
        ask(&place, view_named("page"), &number, "https://b.example/", JSON, &out, &err),
        FG_ENOTFOUND);
    assert_non_null(strstr(err.text, "is on no site that is watched in 'ws'"));
    fg_buf_clear(&out);
    assert_int_equal(
        ask(&place, view_named("why"), &number, "nonsense", JSON, &out, &err),
        FG_ECONFIG);
    fg_buf_clear(&out);
    assert_int_equal(
        ask(&place, view_named("why"), &number, "https://a.example/1", JSON, &out, &err),
        FG_OK);
    expect_part(&out, "\"is\":\"neither\",\"cause\":\"gone\"");
    fg_buf_clear(&out);
    close_place(&place);
}

static void rows_flow_from_the_store(void **state)
{
    (void)state;
    struct place place;
    struct fg_buf out;
    struct fg_err err = {0};
    struct fg_export_question question = {0};
    open_place(&place);
    assert_int_equal(ask(&place, &fg_exports[0], &question, "", CSV, &out, &err), FG_OK);
    expect_part(&out, "url,site,flags,title,");
    expect_part(&out, "\r\nhttps://a.example/1,https://a.example,gone,\"A \"\"title\"\"");
    fg_buf_clear(&out);
    close_place(&place);
}

/* Of a crawl that has ended nothing waits. */
static void status_tells_of_outputs_that_wait(void **state)
{
    (void)state;
    struct place place;
    struct fg_buf out;
    struct fg_err err = {0};
    struct fg_status_question question = {0};
    open_place(&place);
    struct fg_batch *batch = fg_batch_new(place.store);
    fg_batch_state(batch, 0, "crawl:status",
                   FG_STR("{\"outputs_waiting\":[{\"output\":\"output.file\",\"since\":"
                          "\"1972-09-26T23:58:00Z\",\"why\":\"the disk is full\"}]}"));
    assert_int_equal(
        fg_store_flush(place.store, fg_store_submit(place.store, batch), &err), FG_OK);
    assert_int_equal(ask(&place, &fg_view_status, &question, "", JSON, &out, &err),
                     FG_OK);
    expect_part(&out, "\"outputs_waiting\":[],\"totals\":");
    fg_buf_clear(&out);
    place.writer = 1;
    assert_int_equal(ask(&place, &fg_view_status, &question, "", JSON, &out, &err),
                     FG_OK);
    expect_part(&out, "\"outputs_waiting\":[{\"output\":\"output.file\",\"since\":"
                      "\"1972-09-26T23:58:00Z\",\"why\":\"the disk is full\"}]");
    fg_buf_clear(&out);
    assert_int_equal(ask(&place, &fg_view_status, &question, "", TEXT, &out, &err),
                     FG_OK);
    expect_part(&out, "\nwaiting  output.file for 2m: the disk is full\n");
    fg_buf_clear(&out);
    close_place(&place);
}

/* A server has many threads, and one store. */
static void *ask_often(void *context)
{
    struct fg_buf out;
    struct fg_err err = {0};
    int64_t limit = 10;
    for (int i = 0; i < 50; i++) {
        ask(context, view_named("page"), &limit, "https://a.example/", JSON, &out, &err);
        fg_buf_clear(&out);
    }
    return NULL;
}

static void threads_may_ask_at_once(void **state)
{
    (void)state;
    struct place place;
    pthread_t threads[4];
    open_place(&place);
    for (size_t i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, ask_often, &place);
    for (size_t i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    close_place(&place);
}

/* Fields whose key or column comes twice, or that nobody can see. */
static void check_fields(const struct fg_field *fields, const char *view)
{
    for (const struct fg_field *field = fields; field->type; field++) {
        bool is_record =
            field->type == FG_FIELD_RECORD || field->type == FG_FIELD_RECORD_AT;
        if (!field->key && !field->label && !is_record && field->type != FG_FIELD_JSON)
            fail_msg("%s: a field that nobody sees", view);
        for (const struct fg_field *other = fields; field->key && other < field; other++)
            if (other->key && strcmp(other->key, field->key) == 0)
                fail_msg("%s: '%s' twice", view, field->key);
        if (field->of && field->of != fields)
            check_fields(field->of, view);
    }
}

static void every_view_describes_itself(void **state)
{
    (void)state;
    for (size_t i = 0; fg_views[i]; i++) {
        assert_non_null(fg_views[i]->summary);
        assert_non_null(fg_views[i]->about);
        check_fields(fg_views[i]->answer.of, fg_views[i]->name);
    }
    for (size_t i = 0; fg_exports[i].name; i++)
        check_fields(fg_exports[i].answer.of, fg_exports[i].name);
}

FG_TESTS(page_is_the_same_in_every_form, failures_come_back_as_words,
         rows_flow_from_the_store, status_tells_of_outputs_that_wait,
         threads_may_ask_at_once, every_view_describes_itself)
