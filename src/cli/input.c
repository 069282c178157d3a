/* input.c - what several commands read: files and URLs */
#include "base/file.h"
#include "cli/cli.h"
#include "net/http/gunzip.h"
#include "net/url/canonical.h"
#include "net/url/url.h"

static enum fg_status read_input(struct fg_cli *cli, const char *path, size_t max_bytes,
                                 struct fg_str *bytes, struct fg_err *err)
{
    enum fg_status st = fg_file_read(bytes, cli->arena, path, max_bytes, err);
    if (!st)
        fg_log_debug("cli", "input read", FG_F("path", path), FG_F("bytes", bytes->len));
    return st;
}

enum fg_status fg_cli_input(struct fg_cli *cli, const char *path, struct fg_str *bytes,
                            struct fg_err *err)
{
    enum fg_status st =
        read_input(cli, path, cli->settings.crawl.fetch.max_body, bytes, err);
    return st == FG_ELIMIT ? fg_err_within(err, st, "more than --fetch-max-body allows")
                           : st;
}

/* --- tables of others, which may be large and packed --- */

#define UNPACKED_MAX ((size_t)4 << 30)

static void keep_piece(void *context, struct fg_str bytes)
{
    fg_buf_add(context, bytes);
}

static enum fg_status unpack(struct fg_str *text, struct fg_cli *cli, const char *path,
                             struct fg_err *err)
{
    struct fg_buf out;
    fg_buf_init(&out, UNPACKED_MAX);
    struct fg_gunzip *gz = fg_gunzip_new(UNPACKED_MAX, keep_piece, &out);
    enum fg_gunzip_outcome outcome = fg_gunzip_feed(gz, *text);
    if (outcome == FG_GUNZIP_OK)
        outcome = fg_gunzip_finish(gz);
    fg_gunzip_free(gz);
    if (outcome == FG_GUNZIP_OK)
        *text = fg_arena_dup(cli->arena, fg_buf_str(&out));
    fg_buf_clear(&out);
    return outcome == FG_GUNZIP_OK
               ? FG_OK
               : fg_fail(err, FG_EINPUT, "'%s' is gzip, but %s", fg_file_name(path),
                         outcome == FG_GUNZIP_CUT      ? "ends in the middle"
                         : outcome == FG_GUNZIP_BROKEN ? "damaged"
                                                       : "too large to be unpacked");
}

enum fg_status fg_cli_unpacked(struct fg_cli *cli, const char *path, struct fg_str *text,
                               struct fg_err *err)
{
    enum fg_status st = fg_file_read(text, cli->arena, path, UNPACKED_MAX, err);
    if (!st && fg_gunzip_is_gzip(*text))
        st = unpack(text, cli, path, err);
    return st;
}

/* --- documents --- */

enum fg_status fg_cli_document(struct fg_cli *cli, struct fg_str base_text,
                               size_t max_bytes, struct fg_url *base,
                               struct fg_str *bytes, struct fg_err *err)
{
    *base = (struct fg_url){0};
    enum fg_status st = base_text.at ? fg_cli_url(cli, base_text, base, err) : FG_OK;
    if (st)
        return st;
    return max_bytes ? read_input(cli, cli->words[0], max_bytes, bytes, err)
                     : fg_cli_input(cli, cli->words[0], bytes, err);
}

enum fg_status fg_cli_url(struct fg_cli *cli, struct fg_str text, struct fg_url *url,
                          struct fg_err *err)
{
    if (fg_url_parse(url, cli->arena, text, NULL))
        return FG_OK;
    return fg_fail(err, FG_ECONFIG, "'%.*s' is not an absolute URL: %s",
                   FG_ARG(fg_str_sub(text, 0, 200)),
                   fg_url_reason(cli->arena, text, NULL));
}

struct fg_str fg_cli_canonical(struct fg_arena *arena, const struct fg_settings *settings,
                               const struct fg_url *url)
{
    return fg_canonical_from(arena, url, settings->crawl.naming.keep);
}
