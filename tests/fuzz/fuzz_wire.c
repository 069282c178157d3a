/* An answer as it comes over the wire. By the first byte: the chunked coding, which says
 * the same in any pieces; or headers and content, of which no more is kept than asked. */
#include "base/buf.h"
#include "net/archive/chunked.h"
#include "net/archive/wire.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static enum fg_chunked_state dechunk(struct fg_buf *out, struct fg_str bytes, size_t step)
{
    struct fg_chunked chunked = {0};
    struct fg_str data;
    while (bytes.len) {
        struct fg_str piece = fg_str_sub(bytes, 0, step < bytes.len ? step : bytes.len);
        bytes = fg_str_skip(bytes, piece.len);
        while (fg_chunked_next(&chunked, &piece, &data))
            fg_buf_add(out, data);
        if (chunked.state >= FG_CHUNKED_DONE)
            break;
        if (piece.len)
            abort();
    }
    return chunked.state;
}

static void check_chunks(struct fg_str bytes, size_t step)
{
    struct fg_buf whole, pieces;
    fg_buf_init(&whole, bytes.len + 1);
    fg_buf_init(&pieces, bytes.len + 1);
    if (dechunk(&whole, bytes, SIZE_MAX) != dechunk(&pieces, bytes, step) ||
        !fg_str_eq(fg_buf_str(&whole), fg_buf_str(&pieces)))
        abort();
    fg_buf_clear(&whole);
    fg_buf_clear(&pieces);
}

static void check_exchange(struct fg_str bytes, size_t most)
{
    static const char *const names[] = {"content-encoding", "transfer-encoding",
                                        "retry-after", "etag"};
    struct fg_str headers, body = bytes;
    struct fg_wire wire;
    fg_str_cut(&body, 0, &headers);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (unsigned nth = 0; nth < 3; nth++) {
            struct fg_str value = fg_header_in(headers, names[i], nth);
            if (value.at && (value.at < headers.at ||
                             value.at + value.len > headers.at + headers.len))
                abort();
        }
    fg_wire_init(&wire);
    for (size_t turn = 0; turn < 2; turn++) {
        fg_wire_begin(&wire, most);
        fg_wire_sent(&wire, headers);
        fg_wire_status(&wire, headers);
        if (fg_wire_needs(headers))
            fg_wire_came(&wire, body);
        struct fg_wire_copy seen = fg_wire_end(&wire, headers, body);
        if (seen.content.len > (fg_wire_needs(headers) ? most : body.len))
            abort();
    }
    fg_wire_clear(&wire);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    struct fg_str bytes = {(const char *)data + 1, size - 1};
    if (data[0] % 2)
        check_chunks(bytes, data[0] / 2 + 1);
    else
        check_exchange(bytes, (size_t)data[0] * 8);
    return 0;
}
