#include "search/ads/token.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>
#include <string.h>

enum { SIGNED_BYTES = 16 }; /* of the HMAC-SHA256: 128 bits */

static void sign(unsigned char out[EVP_MAX_MD_SIZE], struct fg_str text,
                 const unsigned char *secret)
{
    HMAC(EVP_sha256(), secret, FG_ADS_SECRET, (const unsigned char *)text.at, text.len,
         out, NULL);
}

void fg_ads_token_write(char text[FG_ADS_TOKEN], const struct fg_ads_token *token,
                        const unsigned char secret[FG_ADS_SECRET])
{
    unsigned char mac[EVP_MAX_MD_SIZE];
    size_t n = (size_t)snprintf(
        text, FG_ADS_TOKEN, "%llx.%llx.%llx.", (unsigned long long)token->display,
        (unsigned long long)token->ad, (unsigned long long)token->expires);
    sign(mac, (struct fg_str){text, n}, secret);
    for (size_t i = 0; i < SIGNED_BYTES; i++)
        snprintf(text + n + 2 * i, FG_ADS_TOKEN - n - 2 * i, "%02x", mac[i]);
}

static bool take_hex(struct fg_str *text, int64_t *value)
{
    uint64_t number = 0;
    size_t i = 0;
    for (; i < text->len && i < 15 && text->at[i] != '.'; i++) {
        char c = text->at[i];
        unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                                                : 16;
        if (digit > 15)
            return false;
        number = number << 4 | digit;
    }
    if (!i || i >= text->len || text->at[i] != '.')
        return false;
    *value = (int64_t)number;
    *text = fg_str_sub(*text, i + 1, text->len - i - 1);
    return true;
}

/* Read, written again and compared as a whole, in a time that does not depend on where
 * they differ. */
bool fg_ads_token_read(struct fg_ads_token *token, struct fg_str text,
                       const unsigned char secret[FG_ADS_SECRET])
{
    struct fg_str rest = text;
    char right[FG_ADS_TOKEN];
    if (text.len >= FG_ADS_TOKEN || !take_hex(&rest, &token->display) ||
        !take_hex(&rest, &token->ad) || !take_hex(&rest, &token->expires))
        return false;
    fg_ads_token_write(right, token, secret);
    return strlen(right) == text.len && CRYPTO_memcmp(right, text.at, text.len) == 0;
}

int64_t fg_ads_client(struct fg_str client, int32_t day,
                      const unsigned char secret[FG_ADS_SECRET])
{
    unsigned char mac[EVP_MAX_MD_SIZE];
    char text[320];
    int64_t number;
    int n = snprintf(text, sizeof text, "client %d %.*s", (int)day,
                     (int)(client.len < 256 ? client.len : 256), client.at);
    sign(mac, (struct fg_str){text, (size_t)n}, secret);
    memcpy(&number, mac, sizeof number);
    return number;
}
