/* cmd_warc_list.c - forage warc list and check: the records of archives, and whether they
 * are whole */
#include "cli/cli.h"
#include "net/archive/warc_content.h"

#include <inttypes.h>
#include <stdio.h>

struct options {
    bool json;
};

static const struct fg_opt options[] = {
    {"json", FG_BOOL(struct options, json), .letter = 'j', .help = "the same as JSON"},
    {0},
};

/* A file on its way through. */
struct look {
    struct fg_cli *cli;
    struct fg_json json;
    bool is_json;
    uint64_t records, sums, problems;
};

/* --- what is wrong with one record --- */

enum { MOST_WRONG = 8 };

struct wrongs {
    const char *at[MOST_WRONG];
    size_t n;
};

static void add_wrong(struct wrongs *wrongs, bool is_wrong, const char *what)
{
    if (is_wrong && wrongs->n < MOST_WRONG)
        wrongs->at[wrongs->n++] = what;
}

static struct wrongs wrongs_of(struct look *look, const struct fg_warc_record *record,
                               const struct fg_warc_content *content)
{
    struct wrongs wrongs = {0};
    struct fg_warc_verdict verdict = fg_warc_judge(record, content);
    look->sums += verdict.has_block + verdict.has_payload;
    add_wrong(&wrongs, verdict.block_is_wrong, "the block has another digest");
    add_wrong(&wrongs, verdict.payload_is_wrong, "the payload has another digest");
    add_wrong(&wrongs, !record->is_member, "it is not a gzip member of its own");
    add_wrong(&wrongs, !record->type.len, "it has no WARC-Type");
    add_wrong(&wrongs, !record->id.len, "it has no WARC-Record-ID");
    add_wrong(&wrongs, record->date == FG_NEVER, "it has no WARC-Date that is a date");
    add_wrong(&wrongs,
              !record->uri.len &&
                  (fg_warc_is(record, "response") || fg_warc_is(record, "revisit") ||
                   fg_warc_is(record, "request") || fg_warc_is(record, "resource")),
              "it has no WARC-Target-URI");
    look->problems += wrongs.n;
    return wrongs;
}

/* --- list --- */

static struct fg_str sum_text(struct fg_arena *arena, const struct fg_sha1 *sum)
{
    char text[FG_SHA1_TEXT];
    return fg_arena_dup(arena, fg_str_from(fg_sha1_format(text, sum)));
}

static void json_record(struct look *look, struct fg_arena *arena,
                        const struct fg_warc_record *record,
                        const struct fg_warc_content *content)
{
    struct fg_json *json = &look->json;
    struct wrongs wrongs = wrongs_of(look, record, content);
    fg_json_object(json);
    fg_json_pair_uint(json, "offset", record->offset);
    fg_json_pair_uint(json, "length", record->length);
    fg_json_pair(json, "version", record->version);
    fg_json_pair(json, "type", record->type);
    fg_json_pair(json, "id", record->id);
    fg_json_pair(json, "date", record->date_text);
    fg_json_pair(json, "url", record->uri);
    fg_json_pair(json, "content_type", record->content_type);
    fg_json_pair_uint(json, "content_length", record->content_length);
    fg_json_pair_uint(json, "payload_length", content->payload_bytes);
    if (content->status)
        fg_json_pair_uint(json, "status", content->status);
    fg_json_pair(json, "mime", content->mime.len ? content->mime : (struct fg_str){0});
    fg_json_pair(json, "block_digest", record->block_digest);
    fg_json_pair(json, "payload_digest", record->payload_digest);
    fg_json_pair(json, "block_sha1", sum_text(arena, &content->block));
    fg_json_pair(json, "payload_sha1", sum_text(arena, &content->payload));
    if (record->truncated.len)
        fg_json_pair(json, "truncated", record->truncated);
    if (record->profile.len) {
        fg_json_pair(json, "profile", record->profile);
        fg_json_pair(json, "refers_to_url", record->refers_to_uri);
        fg_json_pair(json, "refers_to_date", record->refers_to_date);
    }
    fg_json_key(json, "problems");
    fg_json_array(json);
    for (size_t i = 0; i < wrongs.n; i++)
        fg_json_cstr(json, wrongs.at[i]);
    fg_json_end(json);
    fg_json_end(json);
    fg_out_puts(&look->cli->out, ""); /* let go of what has gathered */
}

static void print_record(struct look *look, const struct fg_warc_record *record,
                         const struct fg_warc_content *content)
{
    struct fg_out *out = &look->cli->out;
    char status[8] = "-";
    if (content->status)
        snprintf(status, sizeof status, "%u", content->status % 1000);
    fg_out_printf(out, "%10" PRIu64 " %9" PRIu64 " ", record->offset, record->length);
    fg_out_text(out, record->type);
    fg_out_pad(out, record->type.len, 9);
    fg_out_text(out, record->date_text);
    fg_out_pad(out, record->date_text.len, 25);
    fg_out_printf(out, "%3s ", status);
    fg_out_text(out, record->uri.len ? record->uri : FG_STR("-"));
    if (record->truncated.len) {
        fg_out_puts(out, " [cut: ");
        fg_out_text(out, record->truncated);
        fg_out_puts(out, "]");
    }
    fg_out_puts(out, "\n");
}

static void look_at(struct look *look, struct fg_warc *warc, struct fg_err *damage,
                    void (*show)(struct look *look, struct fg_arena *arena,
                                 const struct fg_warc_record *record,
                                 const struct fg_warc_content *content))
{
    struct fg_arena arena = {0};
    struct fg_warc_record record;
    struct fg_warc_content content;
    while (fg_warc_next_whole(warc, &arena, &record, &content, damage)) {
        look->records++;
        show(look, &arena, &record, &content);
        fg_arena_reset(&arena);
    }
    fg_arena_clear(&arena);
}

static void list_record(struct look *look, struct fg_arena *arena,
                        const struct fg_warc_record *record,
                        const struct fg_warc_content *content)
{
    if (look->is_json)
        json_record(look, arena, record, content);
    else
        print_record(look, record, content);
}

static void begin_json(struct look *look, const char *path)
{
    fg_json_object(&look->json);
    fg_json_pair_cstr(&look->json, "file", path);
    fg_json_key(&look->json, "records");
    fg_json_array(&look->json);
}

static void end_json(struct look *look, const struct fg_err *damage)
{
    fg_json_end(&look->json);
    fg_json_pair_cstr(&look->json, "damage", damage->status ? damage->text : NULL);
    fg_json_end(&look->json);
}

static enum fg_status list(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    struct look look = {cli, fg_json_to(&cli->out.buf), o->json, 0, 0, 0};
    struct fg_warc *warc;
    struct fg_err damage = {0};
    enum fg_status st = fg_warc_open(&warc, cli->words[0], err);
    if (st)
        return st;
    if (o->json)
        begin_json(&look, cli->words[0]);
    look_at(&look, warc, &damage, list_record);
    if (o->json) {
        end_json(&look, &damage);
        fg_out_puts(&cli->out, "\n");
    }
    fg_warc_close(warc);
    return damage.status
               ? fg_fail(err, damage.status,
                         "'%s' is damaged %s; %" PRIu64 " records before that are whole",
                         cli->words[0], damage.text, look.records)
               : FG_OK;
}

/* --- check --- */

static void check_record(struct look *look, struct fg_arena *arena,
                         const struct fg_warc_record *record,
                         const struct fg_warc_content *content)
{
    if (look->is_json) {
        json_record(look, arena, record, content);
        return;
    }
    struct wrongs wrongs = wrongs_of(look, record, content);
    struct fg_out *out = &look->cli->out;
    for (size_t i = 0; i < wrongs.n; i++) {
        fg_out_printf(out, "  record at byte %" PRIu64 " (", record->offset);
        fg_out_text(out, record->type);
        if (record->uri.len) {
            fg_out_puts(out, " of ");
            fg_out_text(out, record->uri);
        }
        fg_out_printf(out, "): %s\n", wrongs.at[i]);
    }
}

static void print_verdict(struct look *look, const char *path,
                          const struct fg_err *damage)
{
    struct fg_out *out = &look->cli->out;
    if (damage->status)
        fg_out_printf(out, "  %s\n", damage->text);
    fg_out_printf(out, "%s: %" PRIu64 " %s, %" PRIu64 " %s compared, %s\n", path,
                  look->records, look->records == 1 ? "record" : "records", look->sums,
                  look->sums == 1 ? "digest" : "digests",
                  damage->status   ? "damaged"
                  : look->problems ? "not well"
                                   : "all is well");
}

static enum fg_status check_file(struct fg_cli *cli, struct fg_json *json,
                                 const char *path, bool *is_well, struct fg_err *err)
{
    const struct options *o = cli->options;
    struct look look = {cli, *json, o->json, 0, 0, 0};
    struct fg_warc *warc;
    struct fg_err damage = {0};
    enum fg_status st = fg_warc_open(&warc, path, err);
    if (st)
        return st;
    if (o->json)
        begin_json(&look, path);
    look_at(&look, warc, &damage, check_record);
    if (!look.records && !damage.status)
        fg_fail(&damage, FG_EINPUT, "it has no records");
    if (o->json)
        end_json(&look, &damage);
    else
        print_verdict(&look, path, &damage);
    *is_well = !look.problems && !damage.status;
    *json = look.json;
    fg_warc_close(warc);
    return FG_OK;
}

static enum fg_status check(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    struct fg_json json = fg_json_to(&cli->out.buf);
    enum fg_status st = FG_OK;
    size_t n_bad = 0;
    if (o->json)
        fg_json_array(&json);
    for (size_t i = 0; !st && i < cli->n_words; i++) {
        bool is_well = true;
        st = check_file(cli, &json, cli->words[i], &is_well, err);
        n_bad += !is_well;
    }
    if (o->json) {
        fg_json_end(&json);
        fg_out_puts(&cli->out, "\n");
    }
    if (!st && n_bad)
        st = fg_fail(err, FG_EINPUT, "%zu of %zu %s incomplete or invalid", n_bad,
                     cli->n_words, cli->n_words == 1 ? "file is" : "files are");
    return st;
}

/* --- the commands --- */

static const struct fg_example list_examples[] = {
    {"forage warc list crawl.warc.gz", "offset, length, type, date, status and address"},
    {"forage warc list crawl.warc.gz --json", "with digests, for a script"},
    {0},
};

const struct fg_command fg_cmd_warc_list = {
    .name = "warc list",
    .words = "FILE",
    .summary = "the records of an archive",
    .about = "Prints a line for each record: where it starts, how many bytes of the file "
             "it takes, its type, its date, the HTTP status and the address. Where the "
             "file is damaged it stops and says so; what came before is printed.",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .options_size = sizeof(struct options),
    .examples = list_examples,
    .run = list,
};

static const struct fg_example check_examples[] = {
    {"forage warc check crawl.warc.gz", "is all of it whole and right?"},
    {"forage warc check *.warc.gz --json", "of many files, for a script"},
    {0},
};

const struct fg_command fg_cmd_warc_check = {
    .name = "warc check",
    .words = "FILE...",
    .summary = "whether archives are whole: lengths, gzip members, digests",
    .about =
        "Reads each file to its end. Each record must have the length it says, be a gzip "
        "member of its own where the file is gzipped, have the headers that every record "
        "must have, and the SHA-1 digests it names, if it names any, of its block and of "
        "its payload. Of a payload that was sent in chunks the digest may be that with "
        "or "
        "without their framing: both are in use. The exit code is 1 if anything is "
        "wrong.",
    .min_words = 1,
    .max_words = SIZE_MAX,
    .options = options,
    .options_size = sizeof(struct options),
    .examples = check_examples,
    .run = check,
};
