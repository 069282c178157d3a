#include "net/archive/chunked.h"
#include "net/archive/warc_content.h"
#include "net/archive/warc_index.h"
#include "net/archive/warc_write.h"
#include "test.h"

#include <stdlib.h>
#include <unistd.h>

static struct fg_arena arena; /* for the whole run */

static struct fg_sha1 sum_of(struct fg_str bytes)
{
    struct fg_digest *digest = fg_digest_new();
    fg_digest_add(digest, bytes);
    struct fg_sha1 sum = fg_digest_take(digest);
    fg_digest_free(digest);
    return sum;
}

/* The three sums of FIPS 180 and RFC 3174, and one that a sample of warcio names. */
static void digest_is_sha1_in_base_32(void **state)
{
    (void)state;
    char text[FG_SHA1_TEXT];
    struct fg_sha1 sum = sum_of(FG_STR("abc"));
    assert_string_equal(fg_sha1_format(text, &sum),
                        "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5");
    sum = sum_of(FG_STR(""));
    assert_string_equal(fg_sha1_format(text, &sum),
                        "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
}

static void digest_is_read_in_all_its_writings(void **state)
{
    (void)state;
    struct fg_sha1 wanted = sum_of(FG_STR("")), sum;
    static const char *const good[] = {"sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
                                       "3i42h3s6nnfq2msvx7xzkyaysCX5QBYJ",
                                       "sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709",
                                       "sha1:2jmj7l5rSw0yVb/vlWAYkK/YBwk="};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(fg_sha1_parse(&sum, fg_str_from(good[i])));
        assert_memory_equal(sum.bytes, wanted.bytes, sizeof sum.bytes);
    }
    static const char *const bad[] = {"",
                                      "sha1:", "sha1:1112H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
                                      "md5:d41d8cd98f00b204e9800998ecf8427e"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(fg_sha1_parse(&sum, fg_str_from(bad[i])));
}

static struct fg_str unchunk(struct fg_str in, size_t step, enum fg_chunked_state *end)
{
    struct fg_chunked chunked = {0};
    struct fg_str out = fg_arena_dup(&arena, FG_STR("")), data;
    while (in.len && chunked.state < FG_CHUNKED_DONE) {
        struct fg_str piece = fg_str_sub(in, 0, step);
        in = fg_str_skip(in, piece.len);
        while (fg_chunked_next(&chunked, &piece, &data))
            out = fg_arena_printf(&arena, "%.*s%.*s", FG_ARG(out), FG_ARG(data));
    }
    *end = chunked.state;
    return out;
}

static void chunks_come_in_any_pieces(void **state)
{
    (void)state;
    struct fg_str sent =
        FG_STR("5;name=\"x\"\r\nhello\r\n00B\r\n, and world\r\n0\r\nA: b\r\n\r\nx");
    enum fg_chunked_state end;
    for (size_t step = 1; step < sent.len + 1; step++) {
        struct fg_str got = unchunk(sent, step, &end);
        assert_int_equal(end, FG_CHUNKED_DONE);
        assert_true(fg_str_eq(got, FG_STR("hello, and world")));
    }
    unchunk(FG_STR("<html>"), 6, &end);
    assert_int_equal(end, FG_CHUNKED_BROKEN);
    unchunk(FG_STR("FFFFFFFFFFFFFFFFFFFF\r\n"), 6, &end);
    assert_int_equal(end, FG_CHUNKED_BROKEN);
}

/* --- what is written is read --- */

static const struct fg_str head = {
    "HTTP/1.1 200 OK\r\nContent-Type: Text/HTML; a=b\r\n\r\n",
    sizeof "HTTP/1.1 200 OK\r\nContent-Type: Text/HTML; a=b\r\n\r\n" - 1};

static void write_two(struct fg_buf *out, bool gzip, const char *truncated)
{
    char id[FG_WARC_ID];
    struct fg_sha1 payload = sum_of(FG_STR("body"));
    fg_warc_add(out,
                &(struct fg_warc_new){.type = "warcinfo",
                                      .id = fg_warc_id(id),
                                      .date = 0,
                                      .refers_to_date = FG_NEVER,
                                      .content_type = "application/warc-fields",
                                      .head = FG_STR("a: b\r\n")},
                gzip);
    fg_warc_add(
        out,
        &(struct fg_warc_new){.type = "response",
                              .id = fg_warc_id(id),
                              .date = 1234567 * FG_SECOND + 999999,
                              .uri = FG_STR("http://a.example/\r\nX: y"),
                              .refers_to_date = FG_NEVER,
                              .content_type = "application/http; msgtype=response",
                              .truncated = truncated,
                              .payload = &payload,
                              .head = head,
                              .body = FG_STR("body")},
        gzip);
}

static void check_two(struct fg_str bytes, bool gzip)
{
    struct fg_warc *warc = fg_warc_over(bytes);
    struct fg_warc_record record;
    struct fg_warc_content content;
    struct fg_err err = {0};
    assert_true(fg_warc_next_whole(warc, &arena, &record, &content, &err));
    assert_true(fg_warc_is(&record, "warcinfo"));
    assert_true(fg_str_eq(record.version, FG_STR("WARC/1.1")));
    assert_true(record.is_member);
    uint64_t second = record.length;
    assert_true(fg_warc_next_whole(warc, &arena, &record, &content, &err));
    assert_int_equal(record.offset, second);
    assert_int_equal(record.offset + record.length, bytes.len);
    assert_true(fg_str_eq(record.uri, FG_STR("http://a.example/%0D%0AX: y")));
    assert_true(fg_str_eq(record.date_text, FG_STR("1970-01-15T06:56:07Z")));
    assert_true(fg_str_eq(record.truncated, FG_STR("length")));
    assert_int_equal(record.content_length, head.len + 4);
    assert_int_equal(content.status, 200);
    assert_true(fg_str_eq(content.mime, FG_STR("text/html")));
    assert_int_equal(content.payload_bytes, 4);
    struct fg_warc_verdict verdict = fg_warc_judge(&record, &content);
    assert_true(verdict.has_block && verdict.has_payload);
    assert_false(verdict.block_is_wrong || verdict.payload_is_wrong);
    assert_false(fg_warc_next_whole(warc, &arena, &record, &content, &err));
    assert_int_equal(err.status, FG_OK);
    assert_int_equal(fg_warc_good(warc), bytes.len);
    assert_int_equal(fg_warc_is_gzip(warc), gzip);
    fg_warc_close(warc);
}

static void records_are_read_as_they_were_written(void **state)
{
    (void)state;
    for (int gzip = 0; gzip < 2; gzip++) {
        struct fg_buf out;
        fg_buf_init(&out, SIZE_MAX);
        write_two(&out, gzip, "length");
        check_two(fg_buf_str(&out), gzip);
        fg_buf_clear(&out);
    }
}

/* Wherever a packed file is cut, the records before the cut are read, the place of the
 * damage is named, and what is good ends with a record. */
static void a_file_cut_anywhere_is_good_up_to_its_last_record(void **state)
{
    (void)state;
    struct fg_buf out;
    fg_buf_init(&out, SIZE_MAX);
    write_two(&out, true, NULL);
    size_t first = 0;
    for (size_t cut = 1; cut < out.len; cut++) {
        struct fg_warc *warc = fg_warc_over((struct fg_str){out.at, cut});
        struct fg_warc_record record;
        struct fg_warc_content content;
        struct fg_err err = {0};
        size_t n = 0;
        while (fg_warc_next_whole(warc, &arena, &record, &content, &err))
            n++;
        if (n && !first)
            first = cut;
        assert_int_equal(n, first != 0);
        assert_int_equal(fg_warc_good(warc), first);
        assert_int_equal(err.status != FG_OK, cut != first);
        if (cut != first)
            assert_non_null(strstr(err.text, "at byte "));
        fg_warc_close(warc);
        fg_arena_reset(&arena);
    }
    assert_true(first > 0);
    fg_buf_clear(&out);
}

/* Every changed bit of a packed file is noticed. */
static void a_flipped_bit_is_found(void **state)
{
    (void)state;
    struct fg_buf out;
    fg_buf_init(&out, SIZE_MAX);
    write_two(&out, true, NULL);
    size_t missed = 0;
    for (size_t at = 0; at < out.len; at++) {
        out.at[at] ^= 0x10;
        struct fg_warc *warc = fg_warc_over(fg_buf_str(&out));
        struct fg_warc_record record;
        struct fg_warc_content content;
        struct fg_err err = {0};
        size_t n = 0;
        while (fg_warc_next_whole(warc, &arena, &record, &content, &err))
            n++;
        missed += n == 2 && !err.status;
        fg_warc_close(warc);
        fg_arena_reset(&arena);
        out.at[at] ^= 0x10;
    }
    /* The header of a member has a date, flags for people and a system, ten bytes that
     * nobody sums up: of each member at most those. */
    assert_true(missed <= 2 * 7);
    fg_buf_clear(&out);
}

/* --- what others wrote --- */

static size_t count(struct fg_str bytes, struct fg_err *err, struct fg_warc_record *last)
{
    struct fg_warc *warc = fg_warc_over(bytes);
    struct fg_warc_content content;
    size_t n = 0;
    while (fg_warc_next_whole(warc, &arena, last, &content, err)) {
        last->uri = fg_arena_dup(&arena, last->uri);
        n++;
    }
    fg_warc_close(warc);
    return n;
}

static void old_versions_bare_line_ends_and_folded_headers_are_read(void **state)
{
    (void)state;
    struct fg_err err = {0};
    struct fg_warc_record last;
    assert_int_equal(count(FG_STR("WARC/0.17\nWARC-Type: resource\nWARC-Target-URI:\n"
                                  "\t<http://a.example/>\nContent-Length: 2\n\nab\n\n"
                                  "WARC/1.0\r\nwarc-type: metadata\r\n"
                                  "content-length: 0\r\n\r\n\r\n\r\n"),
                           &err, &last),
                     2);
    assert_int_equal(err.status, FG_OK);
    assert_int_equal(count(FG_STR("WARC/0.18\nWARC-Target-URI:\n\t<http://a.example/>\n"
                                  "Content-Length: 0\n\n"),
                           &err, &last),
                     1);
    assert_true(fg_str_eq(last.uri, FG_STR("http://a.example/")));
}

static void what_is_no_record_is_named_with_its_place(void **state)
{
    (void)state;
    struct {
        struct fg_str bytes;
        size_t records;
        const char *why;
    } cases[] = {
        {FG_STR("WARC/1.0\r\nContent-Length: 2\r\n\r\nab\r\n\r\nnonsense"), 1,
         "at byte 37: no WARC record starts here"},
        {FG_STR("WARC/1.0\r\nContent-Length: 20\r\n\r\nab"), 0,
         "at byte 0: the file ends within the block of this record"},
        {FG_STR("WARC/1.0\r\nContent-Le"), 0,
         "at byte 0: the file ends within the headers of this record"},
        {FG_STR("WARC/1.0\r\nContent-Length: x\r\n\r\n"), 0,
         "at byte 0: the record has no Content-Length that is a number"},
        {FG_STR("WARC/x\r\n\r\n"), 0, "at byte 0: no WARC record starts here"},
        {FG_STR("\x1F\x8B nonsense"), 0,
         "at byte 0: the gzip member that starts here is corrupt"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fg_err err = {0};
        struct fg_warc_record last;
        assert_int_equal(count(cases[i].bytes, &err, &last), cases[i].records);
        assert_string_equal(err.text, cases[i].why);
    }
}

static void headers_without_end_are_damage_not_memory(void **state)
{
    (void)state;
    struct fg_buf out;
    fg_buf_init(&out, SIZE_MAX);
    fg_buf_add(&out, FG_STR("WARC/1.0\r\n"));
    for (int i = 0; i < 40000; i++)
        fg_buf_add(&out, FG_STR("X: 0123456\r\n"));
    struct fg_err err = {0};
    struct fg_warc_record last;
    assert_int_equal(count(fg_buf_str(&out), &err, &last), 0);
    assert_string_equal(err.text, "at byte 0: the headers of this record are too long");
    fg_buf_clear(&out);
}

/* Both digests of a chunked payload are in use; the sum of neither is wrong. */
static void a_chunked_payload_has_two_good_digests(void **state)
{
    (void)state;
    struct fg_str block = FG_STR("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                                 "3\r\nabc\r\n0\r\n\r\n"),
                  framed = FG_STR("3\r\nabc\r\n0\r\n\r\n");
    struct fg_sha1 sums[] = {sum_of(FG_STR("abc")), sum_of(framed), sum_of(FG_STR("x"))};
    for (int i = 0; i < 3; i++) {
        struct fg_buf out;
        char id[FG_WARC_ID];
        fg_buf_init(&out, SIZE_MAX);
        fg_warc_add(&out,
                    &(struct fg_warc_new){.type = "response",
                                          .id = fg_warc_id(id),
                                          .refers_to_date = FG_NEVER,
                                          .content_type = "application/http",
                                          .payload = &sums[i],
                                          .head = block},
                    false);
        struct fg_warc *warc = fg_warc_over(fg_buf_str(&out));
        struct fg_warc_record record;
        struct fg_warc_content content;
        assert_true(fg_warc_next_whole(warc, &arena, &record, &content, NULL));
        assert_int_equal(content.payload_bytes, 3);
        assert_int_equal(fg_warc_judge(&record, &content).payload_is_wrong, i == 2);
        fg_warc_close(warc);
        fg_buf_clear(&out);
    }
}

static void ids_are_random_uuids(void **state)
{
    (void)state;
    char a[FG_WARC_ID], b[FG_WARC_ID];
    fg_warc_id(a);
    fg_warc_id(b);
    assert_int_equal(strlen(a), strlen("urn:uuid:") + 36);
    assert_int_equal(a[strlen("urn:uuid:") + 14], '4');
    assert_string_not_equal(a, b);
}

FG_TESTS(digest_is_sha1_in_base_32, digest_is_read_in_all_its_writings,
         chunks_come_in_any_pieces, records_are_read_as_they_were_written,
         a_file_cut_anywhere_is_good_up_to_its_last_record, a_flipped_bit_is_found,
         old_versions_bare_line_ends_and_folded_headers_are_read,
         what_is_no_record_is_named_with_its_place,
         headers_without_end_are_damage_not_memory,
         a_chunked_payload_has_two_good_digests, ids_are_random_uuids)
