/* The input is the token of a click. Beyond staying in bounds: what is taken for ours is,
 * byte for byte, what we would write. */
#include "search/ads/token.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const unsigned char secret[FG_ADS_SECRET] = {1, 2, 3};
    struct fg_ads_token token, again;
    struct fg_str text = {(const char *)data, size};
    char written[FG_ADS_TOKEN];
    if (fg_ads_token_read(&token, text, secret)) {
        fg_ads_token_write(written, &token, secret);
        if (strlen(written) != size || memcmp(written, data, size) != 0)
            abort();
    }
    /* and what we write is taken, whatever the numbers */
    int64_t number = 0;
    memcpy(&number, data, size < 7 ? size : 7);
    token = (struct fg_ads_token){number, number / 3, number / 7};
    fg_ads_token_write(written, &token, secret);
    if (!fg_ads_token_read(&again, fg_str_from(written), secret) ||
        again.display != token.display || again.ad != token.ad ||
        again.expires != token.expires)
        abort();
    return 0;
}
