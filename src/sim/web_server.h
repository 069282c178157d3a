/* web_server.h - a synthetic web served over real HTTP on loopback
 *
 *     struct fg_web_server *server;
 *     fg_web_server_start(&server, web, &options, err);
 *     printf("%s\n", fg_web_server_origin(server, 0));    ("http://127.0.0.1:40001")
 *     ...
 *     fg_web_server_stop(server);
 *
 * One port a site, one thread for all. Time may run faster than the wall's: the pages
 * show what the web shows at the clock's now. Every request is counted and, if asked for,
 * logged as one line "time_us site path status bytes user-agent", which is the other
 * side's view of how polite a crawler is. */
#ifndef FG_SIM_WEB_SERVER_H
#define FG_SIM_WEB_SERVER_H

#include "base/clock.h"
#include "base/err.h"
#include "sim/web.h"

struct fg_web_server;

struct fg_web_server_options {
    struct fg_clock clock;
    unsigned port;   /* of the first site; 0: any that are free */
    const char *log; /* file to append to, or NULL */
    double trouble;  /* share of answers that are 503 with Retry-After: 120 */
    double drops;    /* of so many requests the connection is closed, unanswered; and
                        as often silently behind an answer */
    unsigned crawl_delay_s; /* in robots.txt; 0: none */
};

enum fg_status fg_web_server_start(struct fg_web_server **server,
                                   const struct fg_web *web,
                                   const struct fg_web_server_options *options,
                                   struct fg_err *err);
void fg_web_server_stop(struct fg_web_server *server);

/* "http://127.0.0.1:PORT" of a site; holds until the server stops. */
const char *fg_web_server_origin(const struct fg_web_server *server, unsigned site);
uint64_t fg_web_server_requests(const struct fg_web_server *server);

#endif
