/* The input is two texts with a NUL between them, as pages and titles may have them. What
 * is made of them for readers stays in its place: a header is one header of short lines,
 * a body has short lines of ASCII, a feed reads back whole with one entry, and a
 * difference is bounded, and none only if the words are the same. */
#include "net/feed/feed.h"
#include "net/feed/feed_write.h"
#include "net/text/mail.h"
#include "net/text/text_diff.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check_lines(struct fg_str text, size_t most, bool is_header)
{
    struct fg_str line;
    for (bool is_first = true; text.len && fg_str_cut(&text, '\n', &line);
         is_first = false) {
        require(line.len <= most);
        require(!is_header || is_first || line.at[0] == ' ');
        for (size_t i = 0; i < line.len; i++)
            require((unsigned char)line.at[i] < 0x7F &&
                    ((unsigned char)line.at[i] >= 0x20 || line.at[i] == '\t'));
    }
}

static void check_feed(struct fg_buf *buf, enum fg_feed_form form, struct fg_str a,
                       struct fg_str b)
{
    struct fg_arena arena = {0};
    struct fg_feed_head head = {.title = FG_STR("x"), .link = FG_STR("http://x/")};
    struct fg_feed_entry entry = {.id = 1,
                                  .url = FG_STR("http://x/1"),
                                  .title = a,
                                  .site = b,
                                  .text = b,
                                  .dated = FG_NEVER};
    fg_buf_reset(buf);
    struct fg_feed_writer writer = fg_feed_begin(buf, form, &head);
    fg_feed_add(&writer, &entry);
    fg_feed_finish(&writer);
    const struct fg_feed *feed =
        fg_feed_parse(&arena, fg_buf_str(buf), &(struct fg_feed_options){0});
    require(feed->well_formed && feed->n_entries == 1);
    require(fg_str_eq(feed->entries[0].id, FG_STR("urn:forage:0000000000000001")));
    fg_arena_clear(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fg_str both = {(const char *)data, size}, a;
    struct fg_buf buf;
    fg_str_cut(&both, '\0', &a);
    fg_buf_init(&buf, SIZE_MAX);
    fg_mail_header(&buf, "Subject", a);
    check_lines(fg_buf_str(&buf), 90, true);
    fg_buf_reset(&buf);
    fg_mail_quoted(&buf, both);
    check_lines(fg_buf_str(&buf), 76, false);
    fg_buf_reset(&buf);
    bool is_different = fg_text_diff(&buf, a, both, 500);
    require(is_different == (buf.len > 0) && buf.len < 4000);
    for (int form = 0; form < FG_FEED_FORMS; form++)
        check_feed(&buf, (enum fg_feed_form)form, a, both);
    fg_buf_reset(&buf);
    require(!fg_text_diff(&buf, a, a, 500) && !buf.len);
    fg_buf_clear(&buf);
    return 0;
}
