/* assets.c - the dashboard, embedded when the program is built; and coming in
 *
 * A file of dashboard/ is a line below. Whoever may not come in gets the same files, for
 * they are no secret: the page asks for the token, and exchanges it for a cookie that no
 * script can read and no other site can send. */
#include "server/inside.h"

#include <string.h>

/* The bytes of a file, between two symbols. */
#define EMBED(symbol, file)                                                              \
    __asm__(".section .rodata\n.balign 16\nfg_asset_" #symbol ":\n.incbin \"src/server/" \
            "dashboard/" file "\"\nfg_asset_" #symbol "_end:\n.byte 0\n.previous\n");    \
    extern const char fg_asset_##symbol[], fg_asset_##symbol##_end[]

EMBED(index, "index.html");
EMBED(style, "style.css");
EMBED(app, "app.js");
EMBED(api, "api.js");
EMBED(dom, "dom.js");
EMBED(charts, "charts.js");
EMBED(now, "now.js");
EMBED(site, "site.js");
EMBED(page, "page.js");
EMBED(policies, "policies.js");
EMBED(search, "search.js");
EMBED(lab, "lab.js");
EMBED(add, "add.js");
EMBED(changes, "changes.js");
EMBED(icon, "icon.svg");

struct asset {
    const char *path, *type, *from, *end;
};

#define JS(symbol)                                                              \
    {                                                                           \
        "/" #symbol ".js", "text/javascript; charset=utf-8", fg_asset_##symbol, \
            fg_asset_##symbol##_end                                             \
    }
static const struct asset assets[] = {
    {"/", "text/html; charset=utf-8", fg_asset_index, fg_asset_index_end},
    {"/style.css", "text/css; charset=utf-8", fg_asset_style, fg_asset_style_end},
    {"/icon.svg", "image/svg+xml", fg_asset_icon, fg_asset_icon_end},
    JS(app),
    JS(api),
    JS(dom),
    JS(charts),
    JS(now),
    JS(site),
    JS(page),
    JS(policies),
    JS(search),
    JS(lab),
    JS(add),
    JS(changes),
};

enum fg_status fg_answer_asset(struct fg_reply *reply, struct fg_http_request *request,
                               struct fg_err *err)
{
    struct fg_str path = fg_str_eq(request->path, FG_STR("/favicon.ico"))
                             ? FG_STR("/icon.svg")
                             : request->path;
    for (size_t i = 0; i < sizeof assets / sizeof *assets; i++)
        if (fg_str_eq(path, fg_str_from(assets[i].path))) {
            fg_buf_add(&reply->body, fg_str_range(assets[i].from, assets[i].end));
            reply->type = assets[i].type;
            reply->is_fixed = true;
            return FG_OK;
        }
    return fg_fail(err, FG_ENOTFOUND, "there is nothing of this name");
}

/* --- coming in --- */

struct login_question {
    struct fg_str token;
};
const struct fg_opt fg_login_opts[] = {
    {"token", FG_STRING(struct login_question, token), .arg = "TOKEN", .max = 200,
     .help = "as 'forage serve --new-token' has shown it; empty: go out"},
    {0},
};

enum fg_status fg_answer_login(struct fg_reply *reply, struct fg_http_request *request,
                               struct fg_err *err)
{
    struct login_question q;
    struct fg_server *server = request->server;
    unsigned wait_s = 0;
    enum fg_status st = fg_request_read(&q, request, err);
    if (st)
        return st;
    const char *secure = request->is_secure ? "; Secure" : "";
    if (!q.token.len) {
        reply->cookie = fg_arena_printf(request->arena,
                                        "forage=; Path=/; Max-Age=0; HttpOnly; "
                                        "SameSite=Strict%s",
                                        secure)
                            .at;
    } else if (server->needs_token) {
        unsigned status = fg_door_try(&server->door, request->client, q.token,
                                      fg_time_monotonic(), &wait_s, &request->turn);
        if (status) {
            fg_reply_problem(reply, status,
                             status == 429 ? "too many wrong tokens; wait"
                                           : "this is not the token");
            reply->retry_after_s = wait_s;
            return FG_OK;
        }
        reply->cookie = fg_arena_printf(request->arena,
                                        "forage=%.*s; Path=/; Max-Age=2592000; HttpOnly; "
                                        "SameSite=Strict%s",
                                        FG_ARG(q.token), secure)
                            .at;
    }
    fg_buf_add(&reply->body, FG_STR("{\"in\":true}\n"));
    return FG_OK;
}
