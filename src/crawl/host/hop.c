#include "crawl/host/hop.h"

bool fg_hop_parse(struct fg_url *url, struct fg_arena *arena, struct fg_str text,
                  const struct fg_url *base)
{
    if (!fg_url_parse(url, arena, text, base) || !fg_url_is_http(url))
        return false;
    if (fg_url_username(url).len || fg_url_password(url).len) {
        struct fg_str scheme = fg_url_scheme(url), host = fg_url_host(url),
                      target = fg_url_target(url);
        text = fg_arena_printf(arena, "%.*s://%.*s%.*s", FG_ARG(scheme), FG_ARG(host),
                               FG_ARG(target));
        if (!fg_url_parse(url, arena, text, NULL))
            return false;
    }
    url->href.len = url->fragment_start;
    return true;
}

/* Bytes that are not ASCII mean themselves, whatever encoding the server had in mind. */
static struct fg_str escape_bytes(struct fg_arena *arena, struct fg_str location)
{
    char *out = fg_arena_bytes(arena, 3 * location.len), *end = out;
    for (size_t i = 0; i < location.len; i++) {
        unsigned char c = (unsigned char)location.at[i];
        if (c < 0x80) {
            *end++ = (char)c;
            continue;
        }
        *end++ = '%';
        *end++ = "0123456789ABCDEF"[c >> 4];
        *end++ = "0123456789ABCDEF"[c & 15];
    }
    return (struct fg_str){out, (size_t)(end - out)};
}

bool fg_hop_follow(struct fg_url *url, struct fg_arena *arena, struct fg_str location,
                   const struct fg_url *base)
{
    return fg_hop_parse(url, arena, escape_bytes(arena, location), base);
}

static bool is_redirect(unsigned status)
{
    return status == 301 || status == 302 || status == 303 || status == 307 ||
           status == 308;
}

bool fg_hop_leads_on(const struct fg_response *response)
{
    return response->outcome == FG_FETCHED && is_redirect(response->status) &&
           fg_response_header(response, "Location", 0).at;
}
