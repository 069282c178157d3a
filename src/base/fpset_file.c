/* A saved set: 8 bytes that name the format, the number of keys, the keys, and the XXH3
 * of all that, each a little-endian 64-bit number. Keys are written as they were given,
 * so a file outlives a change of the scramble. The number in the header is not believed:
 * memory grows with the keys that really arrive. */
#include "base/fpset.h"

#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <xxhash.h>

enum { CHUNK = 4096 };

static const char format_name[8] = "FGFPSET1";

struct stream {
    FILE *f;
    XXH3_state_t *sum;
};

static bool put(const struct stream *stream, const void *bytes, size_t n)
{
    XXH3_64bits_update(stream->sum, bytes, n);
    return fwrite(bytes, 1, n, stream->f) == n;
}

static bool get(const struct stream *stream, void *bytes, size_t n)
{
    bool whole = fread(bytes, 1, n, stream->f) == n;
    if (whole)
        XXH3_64bits_update(stream->sum, bytes, n);
    return whole;
}

static bool put_number(const struct stream *stream, uint64_t number)
{
    uint64_t little = htole64(number);
    return put(stream, &little, sizeof little);
}

static bool get_number(const struct stream *stream, uint64_t *number)
{
    uint64_t little = 0;
    bool whole = get(stream, &little, sizeof little);
    *number = le64toh(little);
    return whole;
}

static bool put_keys(const struct stream *stream, const struct fg_fpset *set)
{
    uint64_t chunk[CHUNK];
    struct fg_fpset_cursor cursor = {0};
    for (;;) {
        size_t n = 0;
        while (n < CHUNK && fg_fpset_next(set, &cursor, &chunk[n])) {
            chunk[n] = htole64(chunk[n]);
            n++;
        }
        if (!n)
            return true;
        if (!put(stream, chunk, n * sizeof *chunk))
            return false;
    }
}

static struct stream open_stream(FILE *f)
{
    struct stream stream = {.f = f, .sum = XXH3_createState()};
    if (!stream.sum)
        fg_out_of_memory();
    XXH3_64bits_reset(stream.sum);
    return stream;
}

enum fg_status fg_fpset_save(const struct fg_fpset *set, FILE *f, struct fg_err *err)
{
    struct stream stream = open_stream(f);
    errno = 0;
    bool ok = put(&stream, format_name, sizeof format_name) &&
              put_number(&stream, fg_fpset_len(set)) && put_keys(&stream, set) &&
              put_number(&stream, XXH3_64bits_digest(stream.sum)) && fflush(f) == 0;
    int why = errno;
    XXH3_freeState(stream.sum);
    if (ok)
        return FG_OK;
    bool full = why == ENOSPC || why == EDQUOT;
    return fg_fail(err, full ? FG_EFULL : FG_EIO, "cannot write the fingerprints: %s",
                   strerror(why));
}

static enum fg_status cut_short(FILE *f, uint64_t keys, struct fg_err *err)
{
    if (ferror(f))
        return fg_fail(err, FG_EIO, "cannot read the fingerprints: %s", strerror(errno));
    return fg_fail(err, FG_EINPUT, "the fingerprints end after %" PRIu64 " keys", keys);
}

static enum fg_status get_keys(const struct stream *stream, struct fg_fpset *set,
                               uint64_t count, struct fg_err *err)
{
    uint64_t chunk[CHUNK];
    for (uint64_t done = 0, n; done < count; done += n) {
        n = count - done < CHUNK ? count - done : CHUNK;
        if (!get(stream, chunk, n * sizeof *chunk))
            return cut_short(stream->f, done, err);
        for (size_t i = 0; i < n; i++)
            chunk[i] = le64toh(chunk[i]);
        if (fg_fpset_add_many(set, chunk, n, NULL) != n)
            return fg_fail(err, FG_EINPUT,
                           "a fingerprint before key %" PRIu64 " comes twice", done + n);
    }
    return FG_OK;
}

static enum fg_status get_set(const struct stream *stream, struct fg_fpset *set,
                              struct fg_err *err)
{
    char name[sizeof format_name];
    uint64_t count, expected, found;
    if (!get(stream, name, sizeof name) || !get_number(stream, &count))
        return cut_short(stream->f, 0, err);
    if (memcmp(name, format_name, sizeof name) != 0)
        return fg_fail(err, FG_EINPUT, "not a file of fingerprints");
    enum fg_status st = get_keys(stream, set, count, err);
    if (st)
        return st;
    expected = XXH3_64bits_digest(stream->sum);
    if (!get_number(stream, &found))
        return cut_short(stream->f, count, err);
    if (found != expected)
        return fg_fail(err, FG_EINPUT, "the fingerprints were altered: wrong checksum");
    return FG_OK;
}

enum fg_status fg_fpset_load(struct fg_fpset *set, FILE *f, struct fg_err *err)
{
    struct stream stream = open_stream(f);
    fg_fpset_clear(set);
    enum fg_status st = get_set(&stream, set, err);
    XXH3_freeState(stream.sum);
    if (st)
        fg_fpset_clear(set);
    return st;
}
