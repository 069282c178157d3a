/* feed_inline.c - markup that stands in a field as elements, written back as text
 *
 * Atom allows XHTML in a title or content, and people do the same in RSS. What the XML
 * reader took apart is put together again, without prefixes and namespaces. */
#include "net/feed/feed_parts.h"

static bool is_void(struct fg_str name)
{
    static const char *const names[] = {"area",  "base", "br",    "col",
                                        "embed", "hr",   "img",   "input",
                                        "link",  "meta", "param", "source"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (fg_str_eq_nocase(fg_str_from(names[i]), name))
            return true;
    return false;
}

void fg_feed_add_text(struct fg_feed_reader *reader, struct fg_str text)
{
    if (fg_buf_add(&reader->text, text))
        return;
    /* Fill up to the last whole character that fits. */
    size_t room = reader->text.max - reader->text.len;
    while (room && ((unsigned char)text.at[room] & 0xC0) == 0x80)
        room--;
    reader->text.full = false;
    fg_buf_add(&reader->text, fg_str_sub(text, 0, room));
    reader->text.full = true;
    reader->feed->cut = true;
}

void fg_feed_add_escaped(struct fg_feed_reader *reader, struct fg_str text, bool quotes)
{
    while (text.len) {
        size_t n = 0;
        while (n < text.len && text.at[n] != '&' && text.at[n] != '<' &&
               text.at[n] != '>' && !(quotes && text.at[n] == '"'))
            n++;
        fg_feed_add_text(reader, fg_str_sub(text, 0, n));
        if (n == text.len)
            return;
        char c = text.at[n];
        fg_feed_add_text(reader, c == '&'   ? FG_STR("&amp;")
                                 : c == '<' ? FG_STR("&lt;")
                                 : c == '>' ? FG_STR("&gt;")
                                            : FG_STR("&quot;"));
        text = fg_str_skip(text, n + 1);
    }
}

void fg_feed_close_tag(struct fg_feed_reader *reader)
{
    if (reader->just_opened)
        fg_feed_add_text(reader, FG_STR(">"));
    reader->just_opened = false;
}

void fg_feed_write_start(struct fg_feed_reader *reader, const struct fg_xml_tag *tag)
{
    reader->is_markup = true;
    fg_feed_close_tag(reader);
    reader->is_inline = true;
    fg_feed_add_text(reader, FG_STR("<"));
    fg_feed_add_text(reader, tag->name);
    struct fg_str name, value;
    for (int i = 0; fg_xml_attribute_at(tag, reader->arena, i, &name, &value); i++) {
        fg_feed_add_text(reader, FG_STR(" "));
        fg_feed_add_text(reader, name);
        fg_feed_add_text(reader, FG_STR("=\""));
        fg_feed_add_escaped(reader, value, true);
        fg_feed_add_text(reader, FG_STR("\""));
    }
    reader->just_opened = true;
}

void fg_feed_write_end(struct fg_feed_reader *reader, struct fg_str name)
{
    if (reader->just_opened && is_void(name)) {
        fg_feed_add_text(reader, FG_STR(" />"));
        reader->just_opened = false;
        return;
    }
    fg_feed_close_tag(reader);
    fg_feed_add_text(reader, FG_STR("</"));
    fg_feed_add_text(reader, name);
    fg_feed_add_text(reader, FG_STR(">"));
}
