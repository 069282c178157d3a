/* watched.h - which sites are watched, for calls that anybody may make
 *
 *     fg_site_id site;
 *     if ((st = fg_watched_find(&site, &now, request, FG_STR("https://a.example"), err)))
 *         return st;
 *     if (!site) ...it is not watched...
 *
 * To read all sites takes the longer the more there are, so that is done at most once a
 * second, however many ask. All threads share one. */
#ifndef FG_SERVER_WATCHED_H
#define FG_SERVER_WATCHED_H

#include "server/request.h"

struct fg_watched *fg_watched_new(void);
void fg_watched_free(struct fg_watched *watched); /* NULL is fine */

/* Sets `site` to 0 if there is none of that key, and `now` to the time of the crawl. */
enum fg_status fg_watched_find(fg_site_id *site, fg_time *now,
                               struct fg_http_request *request, struct fg_str key,
                               struct fg_err *err);

#endif
