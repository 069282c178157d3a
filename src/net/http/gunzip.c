#include "net/http/gunzip.h"

#include "base/err.h"

#include <stdlib.h>
#include <zlib.h>

enum { OUT_BYTES = 64 << 10, FREE_BYTES = 1 << 20 };

struct fg_gunzip {
    z_stream z;
    void (*take)(void *context, struct fg_str bytes);
    void *context;
    size_t max_bytes, in_bytes, out_bytes;
    enum fg_gunzip_outcome outcome;
    bool has_ended; /* a member is complete; another one may follow */
    char out[OUT_BYTES];
};

bool fg_gunzip_is_gzip(struct fg_str first_bytes)
{
    return fg_str_starts(first_bytes, FG_STR("\x1F\x8B"));
}

struct fg_gunzip *fg_gunzip_new(size_t max_bytes,
                                void (*take)(void *context, struct fg_str bytes),
                                void *context)
{
    struct fg_gunzip *gz = calloc(1, sizeof *gz);
    enum { GZIP_ONLY = 16, WINDOW = 15 };
    if (!gz || inflateInit2(&gz->z, GZIP_ONLY + WINDOW) != Z_OK)
        fg_out_of_memory();
    gz->take = take;
    gz->context = context;
    gz->max_bytes = max_bytes;
    return gz;
}

void fg_gunzip_free(struct fg_gunzip *gz)
{
    if (!gz)
        return;
    inflateEnd(&gz->z);
    free(gz);
}

/* Hand out what was made, up to the maximum. */
static void hand_out(struct fg_gunzip *gz, size_t n, size_t in_so_far)
{
    size_t room = gz->max_bytes - gz->out_bytes;
    if (n > room) {
        gz->outcome = FG_GUNZIP_TOO_LARGE;
        n = room;
    } else if (gz->out_bytes + n > FREE_BYTES &&
               (gz->out_bytes + n) / FG_GUNZIP_RATIO_MAX > in_so_far) {
        gz->outcome = FG_GUNZIP_BOMB;
        return;
    }
    gz->out_bytes += n;
    if (n)
        gz->take(gz->context, (struct fg_str){gz->out, n});
}

/* Between members: start the next, or ignore what is no gzip, such as padding. */
static bool start_member(struct fg_gunzip *gz)
{
    if (gz->z.avail_in && gz->z.next_in[0] != 0x1F) {
        gz->z.avail_in = 0;
        return false;
    }
    gz->has_ended = false;
    return inflateReset(&gz->z) == Z_OK;
}

enum fg_gunzip_outcome fg_gunzip_feed(struct fg_gunzip *gz, struct fg_str bytes)
{
    if (gz->outcome != FG_GUNZIP_OK || !bytes.len)
        return gz->outcome;
    /* zlib counts in unsigned int; nobody feeds 4 GB at once. */
    gz->z.next_in = (Bytef *)bytes.at;
    gz->z.avail_in = (uInt)bytes.len;
    while (gz->outcome == FG_GUNZIP_OK && (gz->z.avail_in || gz->z.avail_out == 0)) {
        if (gz->has_ended && !start_member(gz))
            break;
        gz->z.next_out = (Bytef *)gz->out;
        gz->z.avail_out = OUT_BYTES;
        int result = inflate(&gz->z, Z_NO_FLUSH);
        size_t in_so_far = gz->in_bytes + bytes.len - gz->z.avail_in;
        hand_out(gz, OUT_BYTES - gz->z.avail_out, in_so_far);
        if (result == Z_STREAM_END) {
            gz->has_ended = true;
            gz->z.avail_out = OUT_BYTES;
        } else if (result != Z_OK && result != Z_BUF_ERROR) {
            gz->outcome = FG_GUNZIP_BROKEN;
        } else if (result == Z_BUF_ERROR) {
            break;
        }
    }
    gz->in_bytes += bytes.len;
    gz->z.next_in = NULL;
    gz->z.avail_in = 0;
    return gz->outcome;
}

enum fg_gunzip_outcome fg_gunzip_finish(struct fg_gunzip *gz)
{
    if (gz->outcome == FG_GUNZIP_OK && !gz->has_ended)
        gz->outcome = FG_GUNZIP_CUT;
    return gz->outcome;
}
