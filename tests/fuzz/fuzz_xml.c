/* XML: what the tidier makes is well-formed to a strict parser, however it is cut into
 * pieces, and what the reader gives is valid UTF-8 with tags that match. */
#include "net/feed/xml.h"

#include <libxml/parser.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct balance {
    size_t depth;
    uint64_t hash;
};

static void on_start(void *context, const struct fg_xml_tag *tag)
{
    struct balance *b = context;
    struct fg_arena arena = {0};
    struct fg_str name, value;
    if (++b->depth > FG_XML_DEPTH_MAX || !fg_utf8_is_valid(tag->name))
        abort();
    b->hash = b->hash * 31 + fg_str_hash(tag->name);
    for (int i = 0; fg_xml_attribute_at(tag, &arena, i, &name, &value); i++) {
        if (!fg_utf8_is_valid(value))
            abort();
        b->hash = b->hash * 31 + fg_str_hash(value);
    }
    fg_arena_clear(&arena);
}

static void on_end(void *context)
{
    struct balance *b = context;
    if (b->depth-- == 0)
        abort();
    b->hash = b->hash * 31 + 1;
}

static void on_text(void *context, struct fg_str text)
{
    struct balance *b = context;
    if (!fg_utf8_is_valid(text) || memchr(text.at, '\0', text.len))
        abort();
    for (size_t i = 0; i < text.len; i++) /* pieces may differ, the bytes may not */
        b->hash = b->hash * 31 + (unsigned char)text.at[i];
}

static uint64_t read_pieces(struct fg_str bytes, size_t piece)
{
    static const struct fg_xml_handler handler = {on_start, on_end, on_text};
    struct balance b = {0};
    struct fg_xml *xml = fg_xml_new(&handler, &b, (struct fg_str){0});
    for (; bytes.len; bytes = fg_str_skip(bytes, piece))
        fg_xml_feed(xml, fg_str_sub(bytes, 0, piece));
    fg_xml_finish(xml);
    if (b.depth)
        abort();
    fg_xml_free(xml);
    return b.hash;
}

static void to_strict(void *context, struct fg_str xml)
{
    xmlParseChunk(context, xml.at, (int)xml.len, 0);
}

static void no_words(void *context, xmlErrorPtr error)
{
    (void)context, (void)error;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fg_str bytes = {(const char *)data, size};
    /* The encoding is settled by the first kilobyte, so pieces must be as large. */
    if (read_pieces(bytes, size + 1) != read_pieces(bytes, size < 1024 ? 3 : 1024))
        abort();
    struct fg_arena arena = {0};
    struct fg_str utf8 = fg_utf8_clean(&arena, bytes);
    xmlSAXHandler sax = {.initialized = XML_SAX2_MAGIC, .serror = no_words};
    xmlParserCtxtPtr strict = xmlCreatePushParserCtxt(&sax, NULL, NULL, 0, NULL);
    struct fg_xml_tidy tidy;
    fg_xml_tidy_init(&tidy, to_strict, strict);
    size_t half = utf8.len / 2;
    fg_xml_tidy_feed(&tidy, fg_str_sub(utf8, 0, half));
    fg_xml_tidy_feed(&tidy, fg_str_skip(utf8, half));
    fg_xml_tidy_finish(&tidy);
    xmlParseChunk(strict, NULL, 0, 1);
    /* U+FFFE and U+FFFF are taken out before, by the reader. */
    bool has_noncharacter = fg_str_find(utf8, FG_STR("\xEF\xBF\xBE")) != FG_NOT_FOUND ||
                            fg_str_find(utf8, FG_STR("\xEF\xBF\xBF")) != FG_NOT_FOUND;
    if (!tidy.problems.line[FG_XML_EMPTY] && !strict->wellFormed && !has_noncharacter)
        abort();
    xmlFreeParserCtxt(strict);
    fg_xml_tidy_clear(&tidy);
    fg_arena_clear(&arena);
    return 0;
}
