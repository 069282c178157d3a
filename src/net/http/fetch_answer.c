/* What a fetcher is told, and what it tells: defaults, names of outcomes, memory. */
#include "net/http/fetch.h"

#include "base/file.h"

enum { KEPT_BODY = 1 << 20 };

struct fg_fetch_options fg_fetch_defaults(void)
{
    return (struct fg_fetch_options){
        .connect_timeout = 10 * FG_SECOND,
        .timeout = 60 * FG_SECOND,
        .least_bytes_per_s = 100,
        .max_body = 10 << 20,
        .max_headers = 64 << 10,
        .max_connections = 256,
        .reach = FG_REACH_PUBLIC,
        .http2 = true,
    };
}

const char *fg_outcome_name(enum fg_outcome outcome)
{
    static const char *const names[] = {
        [FG_FETCHED] = "fetched",         [FG_FETCH_DNS] = "dns",
        [FG_FETCH_CONNECT] = "connect",   [FG_FETCH_TLS] = "tls",
        [FG_FETCH_TIMEOUT] = "timeout",   [FG_FETCH_BROKEN] = "broken",
        [FG_FETCH_HEADERS] = "headers",   [FG_FETCH_FORBIDDEN] = "forbidden-address",
        [FG_FETCH_BAD_URL] = "bad-url",   [FG_FETCH_STOPPED] = "stopped",
        [FG_FETCH_HERE] = "no-resources", [FG_FETCH_SET_ASIDE] = "set-aside",
    };
    return names[outcome];
}

unsigned fg_fetch_most_idle(unsigned least)
{
    enum { MOST_IDLE = 4096, OTHER_FILES = 512 };
    uint64_t half = fg_files_allow(2 * (MOST_IDLE + OTHER_FILES)) / 2;
    uint64_t most = half > OTHER_FILES ? half - OTHER_FILES : 0;
    most = most < MOST_IDLE ? most : MOST_IDLE;
    return most > least ? (unsigned)most : least;
}

void fg_fetch_room_init(struct fg_fetch_room *room)
{
    *room = (struct fg_fetch_room){0};
    fg_buf_init(&room->headers, SIZE_MAX);
    fg_buf_init(&room->body, SIZE_MAX);
    fg_wire_init(&room->wire);
}

void fg_fetch_room_clear(struct fg_fetch_room *room)
{
    fg_buf_clear(&room->headers);
    fg_buf_clear(&room->body);
    fg_wire_clear(&room->wire);
}

void fg_fetch_room_reset(struct fg_fetch_room *room)
{
    if (room->body.capacity > KEPT_BODY) {
        fg_buf_clear(&room->body);
        fg_buf_init(&room->body, SIZE_MAX);
    }
    fg_buf_reset(&room->headers);
    fg_buf_reset(&room->body);
}

struct fg_str fg_response_header(const struct fg_response *response, const char *name,
                                 unsigned nth)
{
    return fg_header_in(response->headers, name, nth);
}
