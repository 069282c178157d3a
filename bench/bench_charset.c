/* Validation of UTF-8 against memchr over the same bytes, decoding against plain iconv.
 */
#include "bench.h"

#include "base/arena.h"
#include "base/utf8.h"
#include "net/charset/charset.h"

#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    PAGE_BYTES = 256 << 10, /* a large page */
    BULK_BYTES = 64 << 20,  /* more than a cache holds */
};

struct job {
    struct fg_str bytes;
    const char *charset; /* as iconv calls it */
    const struct fg_encoding *encoding;
    struct fg_arena arena;
    char *room;
};

/* A piece of page, repeated. */
static struct fg_str repeated(struct fg_arena *arena, struct fg_str piece, size_t bytes)
{
    size_t n = bytes / piece.len;
    char *text = fg_arena_bytes(arena, n * piece.len);
    for (size_t i = 0; i < n; i++)
        memcpy(text + i * piece.len, piece.at, piece.len);
    return (struct fg_str){text, n * piece.len};
}

static struct fg_str converted(struct fg_arena *arena, struct fg_str utf8,
                               const char *charset)
{
    iconv_t converter = iconv_open(charset, "UTF-8");
    size_t in_left = utf8.len, room = 2 * utf8.len, out_left = room;
    char *in = (char *)utf8.at, *out = fg_arena_bytes(arena, room), *first = out;
    iconv(converter, &in, &in_left, &out, &out_left);
    iconv_close(converter);
    return fg_str_range(first, out);
}

static void run_memchr(void *context)
{
    struct job *job = context;
    bench_use((uint64_t)(uintptr_t)memchr(job->bytes.at, 0x01, job->bytes.len));
}

static void run_validate(void *context)
{
    struct job *job = context;
    bench_use(fg_utf8_valid_len(job->bytes));
}

static void run_decode(void *context)
{
    struct job *job = context;
    struct fg_charset charset = {.encoding = job->encoding};
    bench_use(fg_charset_decode(&job->arena, charset, job->bytes).len);
    fg_arena_reset(&job->arena);
}

static void run_iconv(void *context)
{
    struct job *job = context;
    iconv_t converter = iconv_open("UTF-8", job->charset);
    char *in = (char *)job->bytes.at, *out = job->room;
    size_t in_left = job->bytes.len, out_left = 3 * job->bytes.len;
    iconv(converter, &in, &in_left, &out, &out_left);
    iconv_close(converter);
    bench_use(out_left);
}

static void report_validation(const char *what, struct fg_arena *arena,
                              struct fg_str piece)
{
    struct job job = {.bytes = repeated(arena, piece, BULK_BYTES)};
    double limit = bench_seconds(run_memchr, &job);
    double ours = bench_seconds(run_validate, &job);
    char line[64];
    snprintf(line, sizeof line, "UTF-8 validation, %s", what);
    bench_rate(line, (double)job.bytes.len / ours, "B");
    bench_ratio(line, "memchr", limit / ours, 0);
    fg_arena_clear(arena);
}

static void report_decoding(const char *label, const char *charset,
                            struct fg_arena *arena, struct fg_str piece)
{
    struct job job = {.bytes =
                          repeated(arena, converted(arena, piece, charset), PAGE_BYTES),
                      .charset = charset,
                      .encoding = fg_encoding_find(fg_str_from(label))};
    job.room = malloc(3 * job.bytes.len);
    double theirs = bench_seconds(run_iconv, &job);
    double ours = bench_seconds(run_decode, &job);
    char line[64];
    snprintf(line, sizeof line, "decoding %s", label);
    bench_rate(line, (double)job.bytes.len / ours, "B");
    bench_ratio(line, "iconv", theirs / ours, 0);
    free(job.room);
    fg_arena_clear(&job.arena);
}

static const char ascii[] =
    "<li class=\"item\"><a href=\"/a/b?c=d\">a plain line</a></li>\n";
static const char german[] =
    "<p class=\"absatz\">Zw\u00F6lf Boxk\u00E4mpfer jagen Viktor quer \u00FCber den "
    "gro\u00DFen Sylter Deich.</p>\n";
static const char russian[] =
    "<p>\u0421\u044A\u0435\u0448\u044C \u0436\u0435 \u0435\u0449\u0451 "
    "\u044D\u0442\u0438\u0445 \u043C\u044F\u0433\u043A\u0438\u0445 "
    "\u0431\u0443\u043B\u043E\u043A, \u0434\u0430 \u0432\u044B\u043F\u0435\u0439 "
    "\u0447\u0430\u044E.</p>\n";
static const char japanese[] =
    "<p class=\"text\">\u3044\u308D\u306F\u306B\u307B\u3078\u3068\u3061\u308A\u306C\u308B"
    "\u3092\u308F\u304B\u3088\u305F\u308C\u305D\u3001\u6771\u4EAC\u90FD\u306E\u5929\u6C17"
    "\u306F\u6674\u308C\u3067\u3059\u3002</p>\n";

int main(void)
{
    struct fg_arena arena = {0};
    report_validation("markup", &arena, FG_STR(ascii));
    report_validation("German", &arena, FG_STR(german));
    report_validation("Russian", &arena, FG_STR(russian));
    report_validation("Japanese", &arena, FG_STR(japanese));
    report_decoding("windows-1252", "WINDOWS-1252", &arena, FG_STR(german));
    report_decoding("windows-1251", "WINDOWS-1251", &arena, FG_STR(russian));
    report_decoding("shift_jis", "CP932", &arena, FG_STR(japanese));
    report_decoding("euc-jp", "EUC-JP", &arena, FG_STR(japanese));
    report_decoding("gb18030", "GB18030", &arena, FG_STR(japanese));
    fg_arena_clear(&arena);
    return 0;
}
