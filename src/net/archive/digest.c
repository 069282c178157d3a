#include "net/archive/digest.h"

#include "base/err.h"

#include <openssl/evp.h>

static EVP_MD_CTX *context_of(struct fg_digest *digest)
{
    return (EVP_MD_CTX *)digest;
}

static void begin(EVP_MD_CTX *context)
{
    if (!context || EVP_DigestInit_ex(context, EVP_sha1(), NULL) != 1)
        fg_out_of_memory();
}

struct fg_digest *fg_digest_new(void)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    begin(context);
    return (struct fg_digest *)context;
}

void fg_digest_free(struct fg_digest *digest)
{
    EVP_MD_CTX_free(context_of(digest));
}

void fg_digest_add(struct fg_digest *digest, struct fg_str bytes)
{
    if (bytes.len)
        EVP_DigestUpdate(context_of(digest), bytes.at, bytes.len);
}

struct fg_sha1 fg_digest_take(struct fg_digest *digest)
{
    struct fg_sha1 sum = {0};
    EVP_DigestFinal_ex(context_of(digest), sum.bytes, NULL);
    begin(context_of(digest));
    return sum;
}

char *fg_sha1_format(char out[static FG_SHA1_TEXT], const struct fg_sha1 *sum)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    char *end = out;
    for (const char *p = "sha1:"; *p; p++)
        *end++ = *p;
    for (size_t i = 0; i < FG_SHA1_BYTES; i += 5) { /* 40 bits are eight letters */
        uint64_t bits = 0;
        for (size_t j = 0; j < 5; j++)
            bits = bits << 8 | sum->bytes[i + j];
        for (int shift = 35; shift >= 0; shift -= 5)
            *end++ = letters[bits >> shift & 31];
    }
    *end = '\0';
    return out;
}

/* The value of a digit of base 2^bits, or -1. */
static int digit_of(char c, unsigned bits)
{
    if (bits == 4)
        return fg_hex(c);
    if (bits == 5) {
        c = fg_lower(c);
        return fg_is_alpha(c) ? c - 'a' : c >= '2' && c <= '7' ? c - '2' + 26 : -1;
    }
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (fg_is_digit(c))
        return c - '0' + 52;
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

static bool decode(struct fg_sha1 *sum, struct fg_str text, unsigned bits)
{
    uint32_t held = 0;
    unsigned n_held = 0;
    size_t n = 0;
    for (size_t i = 0; i < text.len; i++) {
        int digit = digit_of(text.at[i], bits);
        if (digit < 0)
            return false;
        held = held << bits | (uint32_t)digit;
        n_held += bits;
        if (n_held < 8)
            continue;
        n_held -= 8;
        if (n < FG_SHA1_BYTES)
            sum->bytes[n] = (uint8_t)(held >> n_held);
        n++;
    }
    return n == FG_SHA1_BYTES;
}

bool fg_sha1_parse(struct fg_sha1 *sum, struct fg_str text)
{
    text = fg_str_trim(text);
    if (fg_str_starts_nocase(text, FG_STR("sha1:")))
        text = fg_str_skip(text, 5);
    else if (fg_str_starts_nocase(text, FG_STR("sha-1:")))
        text = fg_str_skip(text, 6);
    while (text.len && text.at[text.len - 1] == '=')
        text.len--;
    switch (text.len) {
    case 40:
        return decode(sum, text, 4);
    case 32:
        return decode(sum, text, 5);
    case 27:
        return decode(sum, text, 6);
    default:
        return false;
    }
}
