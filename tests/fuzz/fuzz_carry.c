/* What comes back from the process that reads pages, which a page may have taken over.
 * First byte: 0: a reading as it claims to be; else a page, whose own reading must come
 * back as it was. */
#include "base/utf8.h"
#include "crawl/reading/carry.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(claim)  \
    do {              \
        if (!(claim)) \
            abort();  \
    } while (0)

static struct fg_str carried(struct fg_buf *out, const struct fg_reading *reading)
{
    fg_buf_init(out, 256 << 20);
    CHECK(fg_carry_reading(out, reading));
    return fg_buf_str(out);
}

/* What was believed is fit for use, and is the same when it is carried on. */
static void check(const struct fg_reading *reading, struct fg_arena *arena,
                  struct fg_str bytes)
{
    struct fg_reading again;
    struct fg_buf out;
    for (size_t i = 0; i < reading->n_links; i++) {
        CHECK(fg_str_starts(reading->links[i].url, FG_STR("http")));
        CHECK(fg_utf8_is_valid(reading->links[i].words));
        CHECK(fg_str_starts(reading->links[i].url, reading->links[i].site));
    }
    CHECK(fg_utf8_is_valid(reading->text) && fg_utf8_is_valid(reading->title));
    struct fg_str there = carried(&out, reading);
    CHECK(there.len == bytes.len && fg_carried_reading(&again, arena, there));
    CHECK(again.n_links == reading->n_links);
    fg_buf_clear(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fg_arena arena = {0};
    struct fg_reading reading;
    struct fg_str bytes = {(const char *)data, size};
    if (!size)
        return 0;
    bytes = fg_str_skip(bytes, 1);
    if (!data[0]) {
        struct fg_carried page;
        fg_carried_page(&page, &arena, bytes);
        if (fg_carried_reading(&reading, &arena, bytes))
            check(&reading, &arena, bytes);
    } else {
        struct fg_value_rule rule;
        struct fg_response response = {
            .outcome = FG_FETCHED, .status = 200, .body = bytes};
        CHECK(!fg_value_rule_parse(&rule, &arena, FG_STR("auto"), NULL));
        fg_reading_from(&reading, &arena, FG_STR("http://a.example/b/c?d"), &response,
                        (struct fg_reading_rules){.token = FG_STR("forage"),
                                                  .value = data[0] & 1 ? &rule : NULL});
        struct fg_buf out;
        struct fg_reading back;
        struct fg_str there = carried(&out, &reading);
        CHECK(fg_carried_reading(&back, &arena, there));
        CHECK(fg_str_eq(back.text, reading.text) && back.n_links == reading.n_links);
        for (size_t i = 0; i < back.n_links; i++)
            CHECK(back.links[i].fingerprint == reading.links[i].fingerprint &&
                  fg_str_eq(back.links[i].site, reading.links[i].site));
        check(&back, &arena, there);
        fg_buf_clear(&out);
    }
    fg_arena_clear(&arena);
    return 0;
}
