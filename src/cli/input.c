/* input.c - what several commands read: files and URLs */
#include "base/file.h"
#include "cli/cli.h"
#include "net/canonical.h"
#include "net/url.h"

enum fg_status fg_cli_input(struct fg_cli *cli, const char *path, struct fg_str *bytes,
                            struct fg_err *err)
{
    enum fg_status st =
        fg_file_read(bytes, cli->arena, path, cli->settings.max_body, err);
    if (st == FG_ELIMIT)
        return fg_err_within(err, st, "more than --fetch-max-body allows");
    if (!st)
        fg_log_debug("cli", "input read", FG_F("path", path), FG_F("bytes", bytes->len));
    return st;
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
    unsigned keep = FG_CANONICAL_DEFAULT;
    if (!settings->sort_query)
        keep |= FG_CANONICAL_KEEP_ORDER;
    if (!settings->drop_tracking)
        keep |= FG_CANONICAL_KEEP_TRACKING;
    return fg_canonical_from(arena, url, keep);
}

void fg_json_pair(struct fg_json *json, const char *key, struct fg_str value)
{
    fg_json_key(json, key);
    if (value.at)
        fg_json_str(json, value);
    else
        fg_json_null(json);
}

void fg_json_pair_cstr(struct fg_json *json, const char *key, const char *value)
{
    fg_json_pair(json, key, fg_str_from(value));
}
