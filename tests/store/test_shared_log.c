/* A log that several write to: each sees what the others did, and a snapshot is enough.
 */
#include "fixture.h"
#include "store/shared_log.h"

static char seen[200];

static enum fg_status take(void *context, uint64_t number, bool is_snapshot,
                           struct fg_str bytes, struct fg_err *err)
{
    (void)err;
    uint64_t *last = context;
    assert_true(number > *last);
    *last = number;
    size_t len = strlen(seen);
    snprintf(seen + len, sizeof seen - len, "%s%.*s ", is_snapshot ? "=" : "",
             FG_ARG(bytes));
    return FG_OK;
}

static void append(struct fg_shared_log *log, const char *text, uint64_t *last)
{
    assert_int_equal(fg_shared_log_begin(log, NULL), FG_OK);
    assert_int_equal(fg_shared_log_append(log, fg_str_from(text), last, NULL), FG_OK);
    assert_int_equal(fg_shared_log_end(log, FG_OK, NULL), FG_OK);
}

static const char *read_after(struct fg_shared_log *log, uint64_t *last)
{
    seen[0] = '\0';
    assert_int_equal(fg_shared_log_read(log, *last, take, last, NULL), FG_OK);
    return seen;
}

static void what_others_did_is_read(void **state)
{
    (void)state;
    struct box box = box_new();
    struct fg_shared_log *a, *b, *other;
    uint64_t at_a = 0, at_b = 0, at_other = 0;
    struct fg_err err;
    const char *place = box_ops == &fg_postgres_ops ? box.path : box.folder;
    box_close(box_open(&box, NULL));
    if (fg_shared_log_open(&a, place, "one", &err))
        fail_msg("%s", err.text);
    assert_int_equal(fg_shared_log_open(&b, place, "one", &err), FG_OK);
    assert_int_equal(fg_shared_log_open(&other, place, "two", &err), FG_OK);
    append(a, "x", &at_a);
    append(a, "y", &at_a);
    assert_string_equal(read_after(b, &at_b), "x y ");
    append(b, "z", &at_b);
    assert_string_equal(read_after(a, &at_a), "z ");
    /* Taken back, nothing happened. */
    uint64_t number;
    assert_int_equal(fg_shared_log_begin(a, NULL), FG_OK);
    assert_int_equal(fg_shared_log_append(a, FG_STR("no"), &number, NULL), FG_OK);
    assert_int_equal(fg_shared_log_end(a, FG_EINPUT, NULL), FG_EINPUT);
    assert_string_equal(read_after(b, &at_b), "");
    /* Who has seen all before a snapshot does not need it; who has not, gets it. */
    append(a, "w", &at_a);
    assert_int_equal(fg_shared_log_begin(a, NULL), FG_OK);
    assert_int_equal(fg_shared_log_snapshot(a, FG_STR("xyzw"), at_a, NULL), FG_OK);
    assert_int_equal(fg_shared_log_end(a, FG_OK, NULL), FG_OK);
    append(a, "v", &at_a);
    assert_string_equal(read_after(b, &at_b), "=xyzw v ");
    assert_int_equal(at_a, at_b);
    at_b = 0;
    assert_string_equal(read_after(b, &at_b), "=xyzw v ");
    assert_string_equal(read_after(other, &at_other), "");
    append(other, "q", &at_other);
    assert_string_equal(read_after(a, &at_a), "");
    fg_shared_log_close(a);
    fg_shared_log_close(b);
    fg_shared_log_close(other);
    assert_int_equal(fg_shared_log_open(&a, "/nowhere", "one", &err), FG_ENOTFOUND);
    box_free(&box);
}

int main(void)
{
    static const CMUnitTestFunction all[] = {what_others_did_is_read};
    static const char names[] = "what_others_did_is_read";
    return fg_test_main(__FILE__, all, names, 1) +
           box_test_postgres(__FILE__ " (postgres)", all, names, 1);
}
