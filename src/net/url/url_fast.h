/* url_fast.h - the short cut of fg_url_parse: private to it and its tests */
#ifndef FG_NET_URL_FAST_H
#define FG_NET_URL_FAST_H

#include "net/url/url.h"

/* Parse an input that needs no work beyond finding its parts. False says nothing about
 * the input, only that it must go the long way. */
bool fg_url_parse_fast(struct fg_url *url, struct fg_arena *arena, struct fg_str input,
                       const struct fg_url *base);

#endif
