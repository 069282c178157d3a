/* Two layers. The lower one turns the file into a stream of bytes and keeps a window of
 * it; the window never holds bytes of two gzip members, so that it is known where in the
 * file each record starts and ends. The upper one finds records in the stream. */
#include "net/archive/warc.h"

#include "base/buf.h"
#include "base/memory.h"
#include "net/http/gunzip.h"
#include "net/text/date.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

enum { ROOM = 64 << 10 };

struct fg_warc {
    FILE *file;           /* or else */
    struct fg_str memory; /* what was not read yet */
    struct fg_str whole;
    bool is_gzip, is_damaged, has_ended;

    /* What was read of the file and not used; `position` is where its first byte is. */
    char input[ROOM];
    struct fg_str in;
    uint64_t position;

    /* The window. */
    char output[ROOM];
    struct fg_str window;
    z_stream z;
    uint64_t member;      /* where the member of the window starts */
    bool is_in_member;    /* it has not come to its end yet */
    unsigned n_in_member; /* records that started in it */

    struct fg_buf headers;
    struct fg_warc_record record;
    uint64_t left; /* of the block */
    uint64_t good;
    unsigned members; /* that were begun since the record started */
    bool is_open;     /* a record is, whose end was not reached yet */
};

/* --- the stream --- */

static bool damaged_at(struct fg_warc *warc, uint64_t offset, struct fg_err *err,
                       const char *what)
{
    warc->is_damaged = true;
    fg_fail(err, FG_EINPUT, "at byte %" PRIu64 ": %s", offset, what);
    return false;
}

/* In the record at hand. */
static bool damaged(struct fg_warc *warc, struct fg_err *err, const char *what)
{
    return damaged_at(warc, warc->record.offset, err, what);
}

/* More of the file; false at its end. */
static bool more_input(struct fg_warc *warc, struct fg_err *err)
{
    if (warc->in.len)
        return true;
    size_t n = 0;
    if (warc->file) {
        n = fread(warc->input, 1, ROOM, warc->file);
        if (!n && ferror(warc->file)) {
            warc->is_damaged = true;
            fg_fail(err, FG_EIO, "at byte %" PRIu64 ": cannot read: %s", warc->position,
                    strerror(errno));
        }
        warc->in = (struct fg_str){warc->input, n};
    } else {
        warc->in = fg_str_sub(warc->memory, 0, ROOM);
        warc->memory = fg_str_skip(warc->memory, warc->in.len);
        n = warc->in.len;
    }
    return n;
}

static void use_input(struct fg_warc *warc, size_t n)
{
    warc->in = fg_str_skip(warc->in, n);
    warc->position += n;
}

static void begin_member(struct fg_warc *warc)
{
    inflateReset(&warc->z);
    warc->member = warc->position;
    warc->is_in_member = true;
    warc->n_in_member = 0;
    warc->members++;
}

/* Inflate into the window. False at the end of the member, and at damage. */
static bool inflate_some(struct fg_warc *warc, struct fg_err *err)
{
    int code = Z_OK;
    size_t made = 0;
    while (!made && code == Z_OK) {
        if (!more_input(warc, err))
            return !warc->is_damaged &&
                   damaged_at(warc, warc->member, err,
                              "the gzip member that starts here is cut short by the end "
                              "of the file");
        warc->z.next_in = (Bytef *)warc->in.at;
        warc->z.avail_in = (uInt)warc->in.len;
        warc->z.next_out = (Bytef *)warc->output;
        warc->z.avail_out = ROOM;
        code = inflate(&warc->z, Z_NO_FLUSH);
        if (code == Z_BUF_ERROR)
            code = Z_OK;
        use_input(warc, warc->in.len - warc->z.avail_in);
        made = ROOM - warc->z.avail_out;
    }
    warc->window = (struct fg_str){warc->output, made};
    if (code == Z_STREAM_END)
        warc->is_in_member = false;
    else if (code != Z_OK)
        return damaged_at(warc, warc->member, err,
                          "the gzip member that starts here is corrupt");
    return made;
}

/* More bytes of the member at hand, or of a plain file. */
static bool fill(struct fg_warc *warc, struct fg_err *err)
{
    if (warc->window.len)
        return true;
    if (warc->is_damaged)
        return false;
    if (warc->is_gzip)
        return warc->is_in_member && inflate_some(warc, err);
    return more_input(warc, err) && (warc->window = warc->in).len;
}

/* The same, beyond the end of the member if need be. */
static bool fill_across(struct fg_warc *warc, struct fg_err *err)
{
    while (!fill(warc, err)) {
        if (!warc->is_gzip || warc->is_damaged || warc->is_in_member ||
            !more_input(warc, err))
            return false;
        if (!fg_gunzip_is_gzip(warc->in) && warc->in.at[0] != '\x1F')
            return damaged_at(warc, warc->position, err, "no gzip member starts here");
        begin_member(warc);
    }
    return true;
}

static void use(struct fg_warc *warc, size_t n)
{
    warc->window = fg_str_skip(warc->window, n);
    if (!warc->is_gzip)
        use_input(warc, n);
}

/* --- headers --- */

/* Adds the next line to the headers without its end. */
static bool read_line(struct fg_warc *warc, struct fg_err *err)
{
    for (;;) {
        if (!fill_across(warc, err))
            return !warc->is_damaged &&
                   damaged(warc, err, "the file ends within the headers of this record");
        size_t end = fg_str_chr(warc->window, '\n');
        size_t n = end == FG_NOT_FOUND ? warc->window.len : end;
        fg_buf_add(&warc->headers, fg_str_sub(warc->window, 0, n));
        if (warc->headers.full)
            return damaged(warc, err, "the headers of this record are too long");
        use(warc, end == FG_NOT_FOUND ? n : n + 1);
        if (end == FG_NOT_FOUND)
            continue;
        struct fg_buf *headers = &warc->headers;
        if (headers->len && headers->at[headers->len - 1] == '\r')
            headers->len--;
        return true;
    }
}

/* A line that starts with a blank goes on where the one before ended. */
static void unfold(struct fg_buf *headers, size_t line)
{
    if (!line || line == headers->len ||
        (headers->at[line] != ' ' && headers->at[line] != '\t'))
        return;
    headers->at[line - 1] = ' ';
}

static bool read_headers(struct fg_warc *warc, struct fg_err *err)
{
    fg_buf_reset(&warc->headers);
    for (;;) {
        size_t line = warc->headers.len;
        if (!read_line(warc, err))
            return false;
        if (warc->headers.len == line)
            return true;
        unfold(&warc->headers, line);
        fg_buf_add_char(&warc->headers, '\n');
    }
}

struct fg_str fg_warc_header(const struct fg_warc_record *record, const char *name)
{
    struct fg_str rest = record->headers, line, wanted = fg_str_from(name);
    while (rest.len && fg_str_cut(&rest, '\n', &line)) {
        size_t colon = fg_str_chr(line, ':');
        if (colon != FG_NOT_FOUND &&
            fg_str_eq_nocase(fg_str_trim(fg_str_sub(line, 0, colon)), wanted))
            return fg_str_trim(fg_str_skip(line, colon + 1));
    }
    return (struct fg_str){0};
}

/* wget once wrote addresses as the standard writes identifiers. */
static struct fg_str without_brackets(struct fg_str text)
{
    if (text.len >= 2 && text.at[0] == '<' && text.at[text.len - 1] == '>')
        return fg_str_sub(text, 1, text.len - 1);
    return text;
}

static void name_headers(struct fg_warc_record *r)
{
    r->type = fg_warc_header(r, "WARC-Type");
    r->id = without_brackets(fg_warc_header(r, "WARC-Record-ID"));
    r->uri = without_brackets(fg_warc_header(r, "WARC-Target-URI"));
    r->date_text = fg_warc_header(r, "WARC-Date");
    r->content_type = fg_warc_header(r, "Content-Type");
    r->block_digest = fg_warc_header(r, "WARC-Block-Digest");
    r->payload_digest = fg_warc_header(r, "WARC-Payload-Digest");
    r->truncated = fg_warc_header(r, "WARC-Truncated");
    r->profile = fg_warc_header(r, "WARC-Profile");
    r->refers_to_uri = without_brackets(fg_warc_header(r, "WARC-Refers-To-Target-URI"));
    r->refers_to_date = fg_warc_header(r, "WARC-Refers-To-Date");
    r->date = r->date_text.len ? fg_date_parse(r->date_text) : FG_NEVER;
}

/* --- records --- */

/* Line ends between two records are not counted: some writers leave out one, some write
 * one more. */
static void skip_line_ends(struct fg_warc *warc, struct fg_err *err)
{
    while (fill(warc, err)) {
        size_t n = 0;
        while (n < warc->window.len &&
               (warc->window.at[n] == '\r' || warc->window.at[n] == '\n'))
            n++;
        use(warc, n);
        if (warc->window.len)
            return;
    }
}

static bool is_version(struct fg_str line)
{
    return fg_str_starts(line, FG_STR("WARC/")) && line.len >= 8 &&
           fg_is_digit(line.at[5]) && line.at[6] == '.' && fg_is_digit(line.at[7]);
}

/* The first line is looked at before more is read: what is no record may be huge. */
static bool starts_with_version(struct fg_warc *warc, struct fg_err *err)
{
    static const char word[] = "WARC/";
    fg_buf_reset(&warc->headers);
    for (const char *p = word; *p; p++) {
        if (!fill_across(warc, err))
            return !warc->is_damaged &&
                   damaged(warc, err, "the file ends within the headers of this record");
        if (warc->window.at[0] != *p)
            return damaged(warc, err, "no WARC record starts here");
        fg_buf_add_char(&warc->headers, *p);
        use(warc, 1);
    }
    return read_line(warc, err);
}

static bool begin_record(struct fg_warc *warc, struct fg_err *err)
{
    struct fg_warc_record *r = &warc->record;
    *r = (struct fg_warc_record){.offset = warc->is_gzip ? warc->member : warc->position};
    warc->members = 0;
    r->is_member = !warc->is_gzip || warc->n_in_member == 0;
    warc->n_in_member++;
    if (!starts_with_version(warc, err))
        return false;
    char version[16] = "";
    struct fg_str line = fg_str_trim(fg_buf_str(&warc->headers));
    if (!is_version(line))
        return damaged(warc, err, "no WARC record starts here");
    memcpy(version, line.at, 8);
    if (!read_headers(warc, err))
        return false;
    size_t end = warc->headers.len;
    fg_buf_add(&warc->headers, (struct fg_str){version, 8});
    if (warc->headers.full)
        return damaged(warc, err, "the headers of this record are too long");
    r->headers = fg_str_sub(fg_buf_str(&warc->headers), 0, end);
    r->version = fg_str_skip(fg_buf_str(&warc->headers), end);
    name_headers(r);
    if (!fg_str_to_u64(fg_warc_header(r, "Content-Length"), &r->content_length))
        return damaged(warc, err, "the record has no Content-Length that is a number");
    warc->left = r->content_length;
    warc->is_open = true;
    return true;
}

bool fg_warc_next(struct fg_warc *warc, struct fg_warc_record *record, struct fg_err *err)
{
    if (warc->is_open && !fg_warc_end(warc, &warc->record, err))
        return false;
    do /* members that hold nothing, or line ends only, are passed over */
        skip_line_ends(warc, err);
    while (!warc->is_damaged && !warc->window.len && warc->is_gzip &&
           fill_across(warc, err));
    if (warc->is_damaged || !warc->window.len)
        return false;
    bool is_there = begin_record(warc, err);
    *record = warc->record;
    return is_there;
}

bool fg_warc_read(struct fg_warc *warc, struct fg_str *piece, struct fg_err *err)
{
    if (!warc->is_open || !warc->left)
        return false;
    if (!fill_across(warc, err)) {
        warc->record.is_truncated = true;
        return !warc->is_damaged &&
               damaged(warc, err, "the file ends within the block of this record");
    }
    *piece = fg_str_sub(warc->window, 0,
                        warc->left < warc->window.len ? warc->left : warc->window.len);
    use(warc, piece->len);
    warc->left -= piece->len;
    return true;
}

bool fg_warc_end(struct fg_warc *warc, struct fg_warc_record *record, struct fg_err *err)
{
    struct fg_str piece;
    if (!warc->is_open)
        return !warc->is_damaged;
    while (fg_warc_read(warc, &piece, err))
        ;
    if (!warc->is_damaged)
        skip_line_ends(warc, err);
    record->is_truncated = warc->is_damaged;
    if (warc->is_damaged)
        return false;
    warc->is_open = false;
    /* Of a member that goes on with another record only the start of it is known. */
    record->length = warc->position - record->offset;
    bool ends_here = !warc->is_gzip || !warc->window.len;
    record->is_member = warc->record.is_member && !warc->members && ends_here;
    if (ends_here)
        warc->good = warc->position;
    return true;
}

/* --- opening --- */

static void set_up(struct fg_warc *warc)
{
    enum { GZIP_ONLY = 16, WINDOW = 15 };
    fg_buf_init(&warc->headers, FG_WARC_HEADERS_MAX);
    if (inflateInit2(&warc->z, GZIP_ONLY + WINDOW) != Z_OK)
        fg_out_of_memory();
    more_input(warc, NULL);
    warc->is_gzip = fg_gunzip_is_gzip(warc->in);
}

enum fg_status fg_warc_open(struct fg_warc **warc, const char *path, struct fg_err *err)
{
    *warc = NULL;
    FILE *file = fopen(path, "rbe");
    if (!file)
        return fg_fail(err, FG_EIO, "cannot open '%s': %s", path, strerror(errno));
    *warc = fg_zeroed(1, sizeof **warc);
    (*warc)->file = file;
    set_up(*warc);
    if ((*warc)->in.len)
        return FG_OK;
    bool is_error = ferror(file);
    fg_warc_close(*warc);
    *warc = NULL;
    return is_error ? fg_fail(err, FG_EIO, "cannot read '%s': %s", path, strerror(errno))
                    : fg_fail(err, FG_EINPUT, "'%s' is empty", path);
}

struct fg_warc *fg_warc_over(struct fg_str bytes)
{
    struct fg_warc *warc = fg_zeroed(1, sizeof *warc);
    warc->whole = warc->memory = bytes;
    set_up(warc);
    return warc;
}

void fg_warc_close(struct fg_warc *warc)
{
    if (!warc)
        return;
    if (warc->file)
        fclose(warc->file);
    inflateEnd(&warc->z);
    fg_buf_clear(&warc->headers);
    free(warc);
}

enum fg_status fg_warc_seek(struct fg_warc *warc, uint64_t offset, struct fg_err *err)
{
    warc->window = warc->in = (struct fg_str){0};
    warc->is_open = warc->is_in_member = warc->is_damaged = false;
    warc->position = offset;
    warc->memory = fg_str_skip(warc->whole, offset);
    if (warc->file && (offset > INT64_MAX || fseeko(warc->file, (off_t)offset, SEEK_SET)))
        return fg_fail(err, FG_EIO, "cannot go to byte %" PRIu64 ": %s", offset,
                       strerror(errno));
    return FG_OK;
}

bool fg_warc_is_gzip(const struct fg_warc *warc)
{
    return warc->is_gzip;
}

uint64_t fg_warc_good(const struct fg_warc *warc)
{
    return warc->good;
}

bool fg_warc_is(const struct fg_warc_record *record, const char *type)
{
    return fg_str_eq_nocase(record->type, fg_str_from(type));
}
