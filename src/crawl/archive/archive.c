/* What becomes of an exchange: a response (or a revisit), the request, and metadata, all
 * handed to the system in one piece. */
#include "crawl/archive/archive.h"

#include "base/memory.h"
#include "crawl/archive/archive_parts.h"
#include "net/url/surt.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- files --- */

static struct fg_str host_name(struct fg_arena *arena)
{
    char name[256] = "";
    if (gethostname(name, sizeof name - 1) != 0 || !*name)
        return FG_STR("localhost");
    for (char *p = name; *p; p++)
        if (!fg_is_alnum(*p) && *p != '.' && *p != '-')
            *p = '_';
    return fg_arena_dup(arena, fg_str_from(name));
}

static const char *next_path(struct fg_archive *archive, fg_time now)
{
    char time[FG_CDX_TIME];
    fg_time ms = (now % FG_SECOND + FG_SECOND) % FG_SECOND / FG_MILLISECOND;
    struct fg_str host = host_name(&archive->scratch);
    return fg_arena_printf(&archive->scratch, "%s/%s-%s%03d-%05u-%.*s.warc.gz",
                           archive->dir, archive->prefix, fg_cdx_time(time, now), (int)ms,
                           ++archive->serial, FG_ARG(host))
        .at;
}

static void add_line(struct fg_buf *out, const char *name, const char *value)
{
    if (value && *value)
        fg_buf_printf(out, "%s: %s\r\n", name, value);
}

static enum fg_status put_warcinfo(struct fg_archive *archive, fg_time now,
                                   struct fg_err *err)
{
    struct fg_archive_file *file = &archive->file;
    struct fg_buf fields, out;
    fg_buf_init(&fields, SIZE_MAX);
    fg_buf_init(&out, SIZE_MAX);
    add_line(&fields, "software", "Forage/" FG_VERSION);
    add_line(&fields, "format", "WARC File Format 1.1");
    add_line(&fields, "conformsTo",
             "https://iipc.github.io/warc-specifications/specifications/warc-format/"
             "warc-1.1/");
    add_line(&fields, "hostname",
             fg_arena_cstr(&archive->scratch, host_name(&archive->scratch)));
    add_line(&fields, "operator", archive->operator);
    add_line(&fields, "http-header-user-agent", archive->user_agent);
    add_line(&fields, "robots", "obey");
    fg_warc_add(&out,
                &(struct fg_warc_new){.type = "warcinfo",
                                      .id = fg_warc_id(file->warcinfo),
                                      .date = now,
                                      .refers_to_date = FG_NEVER,
                                      .filename = file->index.filename,
                                      .content_type = "application/warc-fields",
                                      .head = fg_buf_str(&fields)},
                file->gzip);
    enum fg_status st = fg_archive_file_add(file, fg_buf_str(&out), err);
    fg_buf_clear(&fields);
    fg_buf_clear(&out);
    return st;
}

/* Another crawl may have taken the name: then the next number is tried. */
static enum fg_status begin_file(struct fg_archive *archive, fg_time now,
                                 struct fg_err *err)
{
    if (!archive->dir) {
        struct fg_str path = fg_str_from(archive->options.file);
        return fg_archive_file_new(&archive->file, path.at,
                                   fg_str_ends(path, FG_STR(".gz")), err);
    }
    enum fg_status st = FG_ECONFIG;
    for (int tries = 0; st == FG_ECONFIG && tries < 1000; tries++)
        st = fg_archive_file_new(&archive->file, next_path(archive, now), true, err);
    return st;
}

/* A file that has room. */
static enum fg_status ready_file(struct fg_archive *archive, fg_time now,
                                 struct fg_err *err)
{
    enum fg_status st = FG_OK;
    size_t most = archive->options.max_bytes;
    if (archive->file.fd >= 0 && most && archive->file.bytes >= most && archive->dir)
        st = fg_archive_file_finish(&archive->file, err);
    if (st || archive->file.fd >= 0)
        return st;
    st = begin_file(archive, now, err);
    if (st)
        return st;
    st = put_warcinfo(archive, now, err);
    archive->counts.files += !st;
    if (st) { /* nothing is in it */
        unlink(archive->file.open_path);
        fg_archive_file_drop(&archive->file);
    }
    return st;
}

/* --- records --- */

static struct fg_sha1 sum_of(struct fg_archive *archive, struct fg_str bytes)
{
    fg_digest_add(archive->digest, bytes);
    return fg_digest_take(archive->digest);
}

/* HTTP/2 has no lines; libcurl writes them, and we its version as that which has. */
static void add_http1(struct fg_buf *out, struct fg_str line)
{
    size_t at = fg_str_find(line, FG_STR("HTTP/2"));
    if (at == FG_NOT_FOUND) {
        fg_buf_add(out, line);
        return;
    }
    fg_buf_add(out, fg_str_sub(line, 0, at));
    fg_buf_add(out, FG_STR("HTTP/1.1"));
    fg_buf_add(out, fg_str_skip(line, at + strlen("HTTP/2")));
}

/* What is stored has no chunks, so its head must not promise them. */
static struct fg_str response_head(struct fg_archive *archive,
                                   const struct fg_response *response)
{
    struct fg_buf out;
    struct fg_str rest = response->headers, line;
    fg_buf_init(&out, SIZE_MAX);
    add_http1(&out, response->wire->status);
    fg_buf_add(&out, FG_STR("\r\n"));
    while (rest.len && fg_str_cut(&rest, '\n', &line)) {
        if (fg_str_starts_nocase(line, FG_STR("Transfer-Encoding:")))
            fg_buf_add(&out, FG_STR("X-Archive-Orig-"));
        fg_buf_add(&out, line);
        fg_buf_add_char(&out, '\n');
    }
    fg_buf_add(&out, FG_STR("\r\n"));
    struct fg_str head = fg_arena_dup(&archive->scratch, fg_buf_str(&out));
    fg_buf_clear(&out);
    return head;
}

static struct fg_str request_head(struct fg_archive *archive, struct fg_str request)
{
    struct fg_buf out;
    size_t end = fg_str_chr(request, '\r');
    fg_buf_init(&out, SIZE_MAX);
    add_http1(&out, fg_str_sub(request, 0, end));
    fg_buf_add(&out, fg_str_skip(request, end));
    struct fg_str head = fg_arena_dup(&archive->scratch, fg_buf_str(&out));
    fg_buf_clear(&out);
    return head;
}

static const char *truncation_of(const struct fg_response *response)
{
    if (response->truncated || response->wire->is_cut)
        return "length";
    switch (response->outcome) {
    case FG_FETCHED:
        return NULL;
    case FG_FETCH_TIMEOUT:
        return "time";
    case FG_FETCH_BROKEN:
        return "disconnect";
    default:
        return "unspecified";
    }
}

/* An exchange on its way into the file. */
struct exchange {
    const struct fg_response *response;
    const char *refusal; /* to keep its content; NULL: it is kept */
    fg_time date;
    const char *ip;
    char id[FG_WARC_ID]; /* of the record that the others go with; "": none yet */
    struct fg_warc_new answer;
    struct fg_sha1 payload;
    const struct fg_original *original;
    uint64_t offset, length; /* of the answer, from the start of what is added */
};

static void plan_answer(struct fg_archive *archive, struct exchange *x)
{
    const struct fg_response *response = x->response;
    const char *truncated = x->refusal ? "unspecified" : truncation_of(response);
    bool is_not_modified = response->status == 304 && !truncated;
    x->payload = sum_of(archive, response->wire->content);
    if (is_not_modified)
        x->original = fg_revisits_by_url(&archive->revisits, response->url);
    else if (!truncated && response->wire->content.len)
        x->original = fg_revisits_by_payload(&archive->revisits, &x->payload);
    bool is_revisit = is_not_modified || x->original;
    x->answer = (struct fg_warc_new){
        .type = is_revisit ? "revisit" : "response",
        .id = fg_warc_id(x->id),
        .date = x->date,
        .uri = response->url,
        .content_type = "application/http; msgtype=response",
        .warcinfo = archive->file.warcinfo,
        .ip = x->ip,
        .truncated = truncated,
        .profile = is_not_modified ? FG_WARC_NOT_MODIFIED
                   : is_revisit    ? FG_WARC_SAME_PAYLOAD
                                   : NULL,
        .refers_to_date = FG_NEVER,
        .payload = is_not_modified || x->refusal ? NULL : &x->payload,
        .head = response_head(archive, response),
        .body = is_revisit || x->refusal ? (struct fg_str){0} : response->wire->content,
    };
    if (x->original) {
        x->answer.payload = &x->original->payload;
        x->answer.refers_to_uri = fg_str_from(x->original->url);
        x->answer.refers_to_date = x->original->date;
    }
}

static void add_request(struct fg_archive *archive, struct exchange *x)
{
    char id[FG_WARC_ID];
    struct fg_warc_new record = {
        .type = "request",
        .id = fg_warc_id(id),
        .date = x->date,
        .uri = x->response->url,
        .content_type = "application/http; msgtype=request",
        .warcinfo = archive->file.warcinfo,
        .concurrent_to = *x->id ? x->id : NULL,
        .ip = x->ip,
        .refers_to_date = FG_NEVER,
        .head = request_head(archive, x->response->wire->request),
    };
    fg_warc_add(&archive->out, &record, archive->file.gzip);
    if (!*x->id)
        memcpy(x->id, id, sizeof id);
}

/* The way from a seed, in the letters that other crawlers use: links, redirects, and a
 * prerequisite such as robots.txt. */
static void add_hops(struct fg_buf *out, const struct fg_request_note *note)
{
    if (!note->links && !note->is_prerequisite && !note->redirects)
        return; /* it is a seed, or what it came from is not known */
    fg_buf_add(out, FG_STR("hopsFromSeed: "));
    for (unsigned i = 0; i < note->links; i++)
        fg_buf_add_char(out, 'L');
    if (note->is_prerequisite)
        fg_buf_add_char(out, 'P');
    for (unsigned i = 0; i < note->redirects; i++)
        fg_buf_add_char(out, 'R');
    fg_buf_add(out, FG_STR("\r\n"));
}

static void add_metadata(struct fg_archive *archive, struct exchange *x)
{
    const struct fg_response *response = x->response;
    char id[FG_WARC_ID];
    struct fg_buf fields;
    fg_buf_init(&fields, SIZE_MAX);
    if (response->note && response->note->via.len)
        fg_buf_printf(&fields, "via: %.*s\r\n", FG_ARG(response->note->via));
    if (response->note)
        add_hops(&fields, response->note);
    fg_buf_printf(&fields, "fetchTimeMs: %" PRId64 "\r\n",
                  response->took / FG_MILLISECOND);
    if (response->http_version == 20)
        add_line(&fields, "protocol", "HTTP/2");
    if (x->refusal)
        add_line(&fields, "refused", x->refusal);
    if (response->outcome != FG_FETCHED) {
        add_line(&fields, "outcome", fg_outcome_name(response->outcome));
        add_line(&fields, "error", response->why);
    }
    fg_warc_add(&archive->out,
                &(struct fg_warc_new){.type = "metadata",
                                      .id = fg_warc_id(id),
                                      .date = x->date,
                                      .uri = response->url,
                                      .content_type = "application/warc-fields",
                                      .warcinfo = archive->file.warcinfo,
                                      .concurrent_to = x->id,
                                      .refers_to_date = FG_NEVER,
                                      .head = fg_buf_str(&fields)},
                archive->file.gzip);
    fg_buf_clear(&fields);
}

static void index_answer(struct fg_archive *archive, const struct exchange *x)
{
    char sum[FG_SHA1_TEXT];
    struct fg_archive_file *file = &archive->file;
    bool is_revisit = x->answer.profile;
    struct fg_capture capture = {
        .key = fg_surt_from(&archive->scratch, x->response->url),
        .url = x->response->url,
        .time = fg_warc_moment(x->date),
        .mime = is_revisit
                    ? FG_STR("warc/revisit")
                    : fg_warc_mime(&archive->scratch,
                                   fg_response_header(x->response, "Content-Type", 0)),
        .status = x->response->status,
        .has_place = true,
        .length = x->length,
        .offset = x->offset,
        .filename = file->index.filename,
    };
    if (x->answer.payload)
        capture.digest = fg_str_skip(fg_str_from(fg_sha1_format(sum, x->answer.payload)),
                                     strlen("sha1:"));
    fg_warc_index_add(&file->index, &capture);
}

/* Only what is whole may stand for others. */
static void remember_answer(struct fg_archive *archive, const struct exchange *x)
{
    archive->counts.responses += !x->answer.profile;
    archive->counts.revisits += x->answer.profile != NULL;
    if (x->answer.truncated || !x->response->wire->content.len)
        return;
    if (!x->original)
        fg_revisits_add(&archive->revisits, x->response->url, &x->payload,
                        fg_warc_moment(x->date));
    else if (x->response->status != 304)
        fg_revisits_link(&archive->revisits, x->response->url, x->original);
}

enum fg_status fg_archive_put(struct fg_archive *archive,
                              const struct fg_response *response, const char *refusal,
                              struct fg_err *err)
{
    if (!response->wire->request.len || response->outcome == FG_FETCH_STOPPED)
        return FG_OK;
    fg_arena_reset(&archive->scratch);
    fg_buf_reset(&archive->out);
    struct exchange x = {
        .response = response,
        .refusal = refusal,
        .date = response->note ? response->note->started : fg_time_now(),
        .ip = *response->ip ? response->ip : NULL,
    };
    enum fg_status st = ready_file(archive, x.date, err);
    if (st)
        return st;
    x.offset = archive->file.bytes;
    if (response->has_head) {
        plan_answer(archive, &x);
        fg_warc_add(&archive->out, &x.answer, archive->file.gzip);
        x.length = archive->out.len;
    }
    add_request(archive, &x);
    add_metadata(archive, &x);
    st = fg_archive_file_add(&archive->file, fg_buf_str(&archive->out), err);
    if (st)
        return st;
    archive->counts.bytes += archive->out.len;
    if (response->has_head) {
        index_answer(archive, &x);
        remember_answer(archive, &x);
    }
    return FG_OK;
}

/* --- life --- */

static char *copy_of(const char *text)
{
    char *copy = text ? strdup(text) : NULL;
    if (text && !copy)
        fg_out_of_memory();
    return copy;
}

static enum fg_status set_up_dir(struct fg_archive *archive, struct fg_err *err)
{
    if (mkdir(archive->dir, 0777) != 0 && errno != EEXIST)
        return fg_fail(err, FG_EIO, "cannot make the folder '%s' for the archive: %s",
                       archive->dir, strerror(errno));
    return archive_recall(archive, err);
}

static void free_archive(struct fg_archive *archive)
{
    fg_archive_file_drop(&archive->file);
    fg_revisits_clear(&archive->revisits);
    fg_digest_free(archive->digest);
    fg_buf_clear(&archive->out);
    fg_arena_clear(&archive->scratch);
    free(archive->dir);
    free(archive->prefix);
    free(archive->user_agent);
    free(archive->operator);
    free(archive);
}

enum fg_status fg_archive_open(struct fg_archive **result,
                               const struct fg_archive_options *options, fg_time now,
                               struct fg_err *err)
{
    struct fg_archive *archive = fg_zeroed(1, sizeof *archive);
    *result = NULL;
    archive->options = *options;
    archive->dir = copy_of(options->dir);
    archive->prefix = copy_of(options->prefix ? options->prefix : "forage");
    archive->user_agent = copy_of(options->user_agent);
    archive->operator= copy_of(options->operator);
    archive->file.fd = -1;
    archive->digest = fg_digest_new();
    fg_buf_init(&archive->out, SIZE_MAX);
    fg_revisits_init(&archive->revisits, options->remember);
    enum fg_status st =
        archive->dir ? set_up_dir(archive, err) : ready_file(archive, now, err);
    if (st)
        free_archive(archive);
    else
        *result = archive;
    return st;
}

enum fg_status fg_archive_sync(struct fg_archive *archive, struct fg_err *err)
{
    return fg_archive_file_sync(&archive->file, err);
}

enum fg_status fg_archive_close(struct fg_archive *archive, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    if (!archive)
        return st;
    if (archive->file.fd >= 0)
        st = fg_archive_file_finish(&archive->file, err);
    free_archive(archive);
    return st;
}

struct fg_archive_counts fg_archive_count(const struct fg_archive *archive)
{
    return archive->counts;
}
