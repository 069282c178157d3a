/* Lines that other processes leave for a crawl, or that a user writes: what is to be
 * taken back, notices of other lots, filters of outputs, webhooks. What is understood
 * says the same after it was written and read again. The first byte says which. */
#include "crawl/intake/control.h"
#include "crawl/intake/notices.h"
#include "crawl/output/filter.h"
#include "crawl/output/hook.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(claim)  \
    do {              \
        if (!(claim)) \
            abort();  \
    } while (0)

/* Without its end, as it is read. */
static struct fg_str line_of(const struct fg_buf *out)
{
    struct fg_str line = fg_buf_str(out);
    CHECK(line.len && line.at[line.len - 1] == '\n');
    line.len--;
    CHECK(fg_str_chr(line, '\n') == FG_NOT_FOUND);
    return line;
}

static void check_control(struct fg_str line)
{
    struct fg_control wish, again;
    struct fg_buf out;
    if (!fg_control_parse(&wish, line))
        return;
    fg_buf_init(&out, 1 << 20);
    fg_control_format(&out, &wish, 1);
    CHECK(fg_control_parse(&again, line_of(&out)));
    CHECK(again.kind == wish.kind && fg_str_eq(again.key, wish.key) &&
          fg_str_eq(again.url, wish.url));
    fg_buf_clear(&out);
}

static void check_notice(struct fg_arena *arena, struct fg_str line)
{
    struct fg_notice notice, again;
    struct fg_buf out;
    if (!fg_notice_parse(&notice, arena, line))
        return;
    fg_buf_init(&out, 1 << 20);
    fg_notice_format(&out, &notice);
    CHECK(fg_notice_parse(&again, arena, line_of(&out)));
    CHECK(again.kind == notice.kind && fg_str_eq(again.url, notice.url) &&
          fg_str_eq(again.words, notice.words) && fg_str_eq(again.body, notice.body) &&
          again.dated == notice.dated && again.status == notice.status);
    fg_buf_clear(&out);
}

static void check_filter(struct fg_arena *arena, struct fg_str text)
{
    struct fg_filter filter = {0};
    struct fg_err err = {0};
    struct fg_event_row event = {.kind = FG_STR("discovery"),
                                 .json = FG_STR("{\"url\":\"http://a.example/b?c\","
                                                "\"title\":\"A title\"}")};
    struct fg_news news;
    if (fg_filter_parse(&filter, arena, text, &err)) {
        CHECK(err.text[0]);
        return;
    }
    fg_news_read(&news, &event);
    fg_filter_takes(&filter, &news, FG_STR("one,two"), FG_STR("A title"));
    fg_news_clear(&news);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fg_arena arena = {0};
    if (!size)
        return 0;
    struct fg_str text = {(const char *)data + 1, size - 1}, line;
    fg_str_cut(&text, '\n', &line);
    struct fg_hook hook = {0};
    struct fg_err err = {0};
    switch (data[0] % 4) {
    case 0:
        check_control(line);
        break;
    case 1:
        check_notice(&arena, line);
        break;
    case 2:
        check_filter(&arena, line);
        break;
    default:
        CHECK(!fg_hook_parse(&hook, &arena, line, &err) || err.text[0]);
        break;
    }
    fg_arena_clear(&arena);
    return 0;
}
