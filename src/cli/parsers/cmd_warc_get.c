/* cmd_warc_get.c - forage warc index and get: the index of an archive, and what is in it
 */
#include "base/file.h"
#include "cli/cli.h"
#include "net/archive/warc_index.h"
#include "net/url/surt.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>
#include <zlib.h>

/* --- index --- */

struct index_options {
    bool print, force;
};

static const struct fg_opt index_flags[] = {
    {"print", FG_BOOL(struct index_options, print), .letter = 'p',
     .help = "write it to standard output, and compare nothing"},
    {"force", FG_BOOL(struct index_options, force),
     .help = "replace an index that is another"},
    {0},
};

/* There is an index: is it this one? */
static enum fg_status compare(struct fg_cli *cli, const char *path, struct fg_str text,
                              struct fg_err *err)
{
    struct fg_str there;
    enum { MOST = 1 << 30 };
    enum fg_status st = fg_file_read(&there, cli->arena, path, MOST, err);
    if (!st && !fg_str_eq(there, text))
        return fg_fail(err, FG_EINPUT,
                       "'%s' is not the index of this file; --force replaces it", path);
    if (!st)
        fg_out_printf(&cli->out, "%s: is right\n", path);
    return st;
}

static enum fg_status index_file(struct fg_cli *cli, const char *path, struct fg_err *err)
{
    const struct index_options *o = cli->options;
    struct fg_warc_index index = {.arena = cli->arena};
    struct fg_buf text;
    struct fg_err damage = {0};
    enum fg_status st = fg_warc_index_file(&index, path, &damage);
    const char *to = fg_warc_index_path(cli->arena, fg_str_from(path)).at;
    fg_buf_init(&text, SIZE_MAX);
    fg_warc_index_text(&index, &text);
    if (o->print)
        fg_buf_add(&cli->out.buf, fg_buf_str(&text));
    if (st)
        st =
            fg_fail(err, st, "%s; %" PRIu64 " records before that are whole%s",
                    damage.text, index.records, o->print ? "" : ", no index was written");
    else if (!o->print && !o->force && access(to, F_OK) == 0)
        st = compare(cli, to, fg_buf_str(&text), err);
    else if (!o->print) {
        st = fg_file_replace(to, fg_buf_str(&text), err);
        if (!st)
            fg_out_printf(&cli->out, "%s: %zu captures\n", to, index.lines.len);
    }
    fg_buf_clear(&text);
    return st;
}

static enum fg_status run_index(struct fg_cli *cli, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    for (size_t i = 0; !st && i < cli->n_words; i++)
        st = index_file(cli, cli->words[i], err);
    return st;
}

/* --- get --- */

struct get_options {
    bool raw;
};

static const struct fg_opt get_flags[] = {
    {"raw", FG_BOOL(struct get_options, raw), .letter = 'r',
     .help = "the whole block as it is stored, the head of the HTTP message too"},
    {0},
};

struct getting {
    struct fg_cli *cli;
    const struct fg_warc_content *content;
    z_stream z;
    bool has_z, is_broken;
};

static void put(struct getting *getting, struct fg_str bytes)
{
    fg_out_bytes(&getting->cli->out, bytes);
    fg_out_flush(&getting->cli->out);
}

/* "deflate" has a zlib header by the standard, and none by habit. */
static void begin_unpacking(struct getting *getting, struct fg_str bytes)
{
    enum { WINDOW = 15, ANY_HEADER = 32 };
    bool is_bare = fg_str_eq(getting->content->encoding, FG_STR("deflate")) &&
                   (bytes.at[0] & 0x0F) != Z_DEFLATED;
    getting->has_z =
        inflateInit2(&getting->z, is_bare ? -WINDOW : WINDOW + ANY_HEADER) == Z_OK;
    getting->is_broken = !getting->has_z;
}

static void unpack(struct getting *getting, struct fg_str bytes)
{
    char out[64 << 10];
    if (!getting->has_z)
        begin_unpacking(getting, bytes);
    getting->z.next_in = (Bytef *)bytes.at;
    getting->z.avail_in = (uInt)bytes.len;
    while (!getting->is_broken) {
        getting->z.next_out = (Bytef *)out;
        getting->z.avail_out = sizeof out;
        int code = inflate(&getting->z, Z_NO_FLUSH);
        put(getting, (struct fg_str){out, sizeof out - getting->z.avail_out});
        getting->is_broken = code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR;
        if (code != Z_OK || getting->z.avail_out)
            return;
    }
}

static bool is_packed(struct fg_str encoding)
{
    return fg_str_eq(encoding, FG_STR("gzip")) || fg_str_eq(encoding, FG_STR("x-gzip")) ||
           fg_str_eq(encoding, FG_STR("deflate"));
}

static void take_payload(void *context, struct fg_str bytes)
{
    struct getting *getting = context;
    if (is_packed(getting->content->encoding))
        unpack(getting, bytes);
    else
        put(getting, bytes);
}

static enum fg_status print_block(struct fg_cli *cli, struct fg_warc *warc,
                                  struct fg_err *err)
{
    struct fg_str piece;
    struct fg_err damage = {0};
    while (fg_warc_read(warc, &piece, &damage)) {
        fg_out_bytes(&cli->out, piece);
        fg_out_flush(&cli->out);
    }
    return damage.status ? fg_fail(err, damage.status, "%s", damage.text) : FG_OK;
}

static enum fg_status print_payload(struct fg_cli *cli, struct fg_warc *warc,
                                    const struct fg_warc_record *record,
                                    struct fg_err *err)
{
    struct fg_warc_content content;
    struct getting getting = {.cli = cli, .content = &content};
    struct fg_err damage = {0};
    struct fg_str piece;
    fg_warc_content_init(&content, cli->arena, record);
    content.take = take_payload;
    content.context = &getting;
    while (fg_warc_read(warc, &piece, &damage))
        fg_warc_content_add(&content, piece);
    fg_warc_content_end(&content);
    if (getting.has_z)
        inflateEnd(&getting.z);
    if (damage.status)
        return fg_fail(err, damage.status, "%s", damage.text);
    if (getting.is_broken)
        return fg_fail(
            err, FG_EINPUT,
            "the payload is not in the encoding it names ('%.*s'); --raw prints "
            "it as it is",
            FG_ARG(content.encoding));
    if (content.encoding.len && !is_packed(content.encoding) &&
        !fg_str_eq(content.encoding, FG_STR("identity")))
        fprintf(stderr,
                "forage warc get: the payload is packed with '%.*s'; printed as it "
                "is\n",
                FG_ARG(fg_str_sub(content.encoding, 0, 40)));
    return FG_OK;
}

static enum fg_status print_record(struct fg_cli *cli, struct fg_warc *warc,
                                   const struct fg_warc_record *record,
                                   struct fg_err *err)
{
    const struct get_options *o = cli->options;
    if (o->raw)
        return print_block(cli, warc, err);
    if (fg_warc_is(record, "revisit"))
        return fg_fail(
            err, FG_ENOTFOUND,
            "that is a revisit, whose payload is that of '%.*s' at %.*s; --raw "
            "prints its head",
            FG_ARG(fg_str_sub(record->refers_to_uri, 0, 200)),
            FG_ARG(fg_str_sub(record->refers_to_date, 0, 40)));
    return print_payload(cli, warc, record, err);
}

static enum fg_status get_at(struct fg_cli *cli, struct fg_warc *warc, uint64_t offset,
                             struct fg_err *err)
{
    struct fg_warc_record record;
    struct fg_err damage = {0};
    enum fg_status st = fg_warc_seek(warc, offset, err);
    if (st)
        return st;
    if (fg_warc_next(warc, &record, &damage) && record.offset == offset)
        return print_record(cli, warc, &record, err);
    return damage.status
               ? fg_fail(err, damage.status, "%s", damage.text)
               : fg_fail(err, FG_ENOTFOUND, "no record starts at byte %" PRIu64, offset);
}

/* The first capture that has a payload. */
static enum fg_status get_url(struct fg_cli *cli, struct fg_warc *warc, struct fg_str url,
                              struct fg_err *err)
{
    struct fg_warc_record record;
    struct fg_arena arena = {0};
    struct fg_err damage = {0};
    struct fg_str key = fg_surt_from(cli->arena, url);
    bool is_found = false, is_revisited = false;
    while (!is_found && fg_warc_next(warc, &record, &damage)) {
        fg_arena_reset(&arena);
        if (!fg_str_eq(record.uri, url) &&
            !fg_str_eq(fg_surt_from(&arena, record.uri), key))
            continue;
        is_revisited |= fg_warc_is(&record, "revisit");
        is_found = fg_warc_is(&record, "response") || fg_warc_is(&record, "resource") ||
                   fg_warc_is(&record, "conversion");
    }
    fg_arena_clear(&arena);
    if (is_found)
        return print_record(cli, warc, &record, err);
    if (damage.status)
        return fg_fail(err, damage.status, "%s", damage.text);
    return fg_fail(err, FG_ENOTFOUND, "it has no capture of '%.*s'%s",
                   FG_ARG(fg_str_sub(url, 0, 200)),
                   is_revisited ? ", only revisits; 'forage warc list' shows of what"
                                : "");
}

static enum fg_status run_get(struct fg_cli *cli, struct fg_err *err)
{
    const char *path = cli->words[0];
    struct fg_str which = fg_str_from(cli->words[1]);
    struct fg_warc *warc;
    uint64_t offset;
    struct fg_err why = {0};
    enum fg_status st = fg_warc_open(&warc, path, err);
    if (st)
        return st;
    st = fg_str_to_u64(which, &offset) ? get_at(cli, warc, offset, &why)
                                       : get_url(cli, warc, which, &why);
    fg_warc_close(warc);
    return st ? fg_fail(err, st, "'%s': %s", path, why.text) : FG_OK;
}

/* --- the commands --- */

static const struct fg_example index_examples[] = {
    {"forage warc index crawl.warc.gz", "write crawl.cdxj, or compare it"},
    {"forage warc index --print crawl.warc.gz | head -n 5", "only look at it"},
    {0},
};

const struct fg_command fg_cmd_warc_index = {
    .name = "warc index",
    .words = "FILE...",
    .summary = "write the index of archives (CDXJ), or compare it with the one there is",
    .about =
        "The index of crawl.warc.gz is crawl.cdxj: a line for each response, revisit and "
        "resource, with the key of its address, its time, and an object that says where "
        "in the file it is. Lines are sorted byte by byte, so indexes can be merged with "
        "LC_ALL=C sort -m. If the index is there already it is compared, and the exit "
        "code "
        "is 1 if it is another.",
    .min_words = 1,
    .max_words = SIZE_MAX,
    .options = index_flags,
    .options_size = sizeof(struct index_options),
    .examples = index_examples,
    .run = run_index,
};

static const struct fg_example get_examples[] = {
    {"forage warc get crawl.warc.gz http://example.org/", "the page"},
    {"forage warc get crawl.warc.gz 0 --raw", "the first record's block"},
    {0},
};

const struct fg_command fg_cmd_warc_get = {
    .name = "warc get",
    .words = "FILE OFFSET|URL",
    .summary = "print what a record of an archive holds",
    .about = "Prints the payload of the record that starts at byte OFFSET, as the index "
             "says, or of the first capture of URL. The framing of chunks and the "
             "encodings gzip and deflate are taken off.",
    .min_words = 2,
    .max_words = 2,
    .options = get_flags,
    .options_size = sizeof(struct get_options),
    .examples = get_examples,
    .run = run_get,
};
