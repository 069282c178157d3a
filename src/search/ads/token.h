/* token.h - what a click must bring: a display, its ad and an end, signed by us */
#ifndef FG_SEARCH_ADS_TOKEN_H
#define FG_SEARCH_ADS_TOKEN_H

#include "base/str.h"
#include "base/time.h"

#include <stdbool.h>
#include <stdint.h>

enum { FG_ADS_SECRET = 32, FG_ADS_TOKEN = 96 };

struct fg_ads_token {
    int64_t display, ad;
    fg_time expires;
};

/* "display.ad.expires.signature", of hexadecimal digits; ends in NUL. */
void fg_ads_token_write(char text[FG_ADS_TOKEN], const struct fg_ads_token *token,
                        const unsigned char secret[FG_ADS_SECRET]);
/* False if we did not sign it. */
bool fg_ads_token_read(struct fg_ads_token *token, struct fg_str text,
                       const unsigned char secret[FG_ADS_SECRET]);

/* A number for a client on a day, from which nobody without the secret gets back. */
int64_t fg_ads_client(struct fg_str client, int32_t day,
                      const unsigned char secret[FG_ADS_SECRET]);

#endif
