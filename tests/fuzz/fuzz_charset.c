/* The first byte chooses an encoding, the second how much of the rest is the header's
 * charset; what remains is a page. */
#include "net/charset/charset.h"
#include "net/charset/charset_parts.h"

#include "base/utf8.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static size_t count(struct fg_str s, char c)
{
    size_t n = 0;
    for (size_t i = 0; i < s.len; i++)
        n += s.at[i] == c;
    return n;
}

static struct fg_str checked_decode(struct fg_arena *arena, struct fg_charset charset,
                                    struct fg_str page)
{
    require(charset.bom_bytes <= page.len);
    struct fg_str text = fg_charset_decode(arena, charset, page);
    require(fg_utf8_is_valid(text));
    require(text.len <= FG_CHARSET_DECODED_MAX(page.len));
    enum fg_codec codec = charset.encoding->codec;
    if (codec < FG_CODEC_REPLACEMENT && codec != FG_CODEC_ISO_2022_JP)
        require(count(text, '<') == count(page, '<'));
    require(fg_utf8_clean(arena, text).at == text.at);
    return text;
}

/* All that an encoder writes is within its bounds, and its decoder reads it again. */
static void check_encode(struct fg_arena *arena, const struct fg_encoding *encoding,
                         struct fg_str text)
{
    enum { LONGEST = 20 }; /* an escape and "%26%231114111%3B" */
    struct fg_buf out;
    fg_buf_init(&out, LONGEST * (text.len + 1));
    require(fg_charset_encode(&out, encoding, text));
    checked_decode(arena, (struct fg_charset){.encoding = encoding}, fg_buf_str(&out));
    fg_buf_clear(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    struct fg_arena arena = {0};
    struct fg_str rest = {(const char *)data + 2, size - 2};
    struct fg_str label = fg_str_sub(rest, 0, data[1] % 32),
                  page = fg_str_skip(rest, label.len);
    const struct fg_encoding *encoding =
        &fg_encodings[data[0] % (FG_ENCODING_UTF32LE + 1)];

    struct fg_str text =
        checked_decode(&arena, (struct fg_charset){.encoding = encoding}, page);
    check_encode(&arena, encoding, text);
    checked_decode(&arena, fg_charset_of_html(page, label), page);
    checked_decode(&arena, fg_charset_of_html(page, (struct fg_str){0}), page);
    checked_decode(&arena, fg_charset_of_xml(page, label), page);
    fg_encoding_in_meta(page);
    fg_arena_clear(&arena);
    return 0;
}
