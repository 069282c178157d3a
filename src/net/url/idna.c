#include "net/url/idna.h"

#include <pthread.h>
#include <unicode/uchar.h>
#include <unicode/uidna.h>

/* UTS #46, difference between Unicode 15.0 and 17.0 for characters assigned in both.
 * Mapping comes before everything else, so doing these first leaves ICU with characters
 * on which both versions agree. `to` 0 means that the character is ignored. The one
 * change of another kind is U+1806, refused by 15.0 and valid since. */
static const struct change {
    uint32_t first, last, to;
} changes[] = {
    {0x04C0, 0x04C0, 0x04CF},    {0x10A0, 0x10C5, 0x2D00},   {0x115F, 0x1160, 0},
    {0x17B4, 0x17B5, 0},         {0x180E, 0x180E, 0},        {0x1E9E, 0x1E9E, 0x00DF},
    {0x2061, 0x2063, 0},         {0x206A, 0x206F, 0},        {0x2132, 0x2132, 0x214E},
    {0x2183, 0x2183, 0x2184},    {0x3164, 0x3164, 0},        {0xFFA0, 0xFFA0, 0},
    {0x1D173, 0x1D17A, 0},       {0x2F868, 0x2F868, 0x36FC}, {0x2F874, 0x2F874, 0x5F53},
    {0x2F91F, 0x2F91F, 0x243AB}, {0x2F95F, 0x2F95F, 0x7AEE}, {0x2F9BF, 0x2F9BF, 0x45D7},
};
enum { MONGOLIAN_SOFT_HYPHEN = 0x1806 };

/* What ICU reports but we did not ask for: lengths, empty labels and hyphens. */
static const uint32_t tolerated = UIDNA_ERROR_EMPTY_LABEL | UIDNA_ERROR_LABEL_TOO_LONG |
                                  UIDNA_ERROR_DOMAIN_NAME_TOO_LONG |
                                  UIDNA_ERROR_LEADING_HYPHEN |
                                  UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4;

/* Read-only once made, so threads share it. */
static UIDNA *shared;
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void make_shared(void)
{
    UErrorCode error = U_ZERO_ERROR;
    shared = uidna_openUTS46(UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ |
                                 UIDNA_NONTRANSITIONAL_TO_ASCII |
                                 UIDNA_NONTRANSITIONAL_TO_UNICODE,
                             &error);
}

bool fg_idna_is_too_new(uint32_t code_point)
{
    return code_point == MONGOLIAN_SOFT_HYPHEN ||
           u_charType((UChar32)code_point) == U_UNASSIGNED;
}

/* The newer mapping of a character; 0 if it is ignored. */
static uint32_t renew(uint32_t c)
{
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        if (c >= changes[i].first && c <= changes[i].last)
            return changes[i].to ? changes[i].to + (c - changes[i].first) : 0;
    return c;
}

/* `out` has room for what `domain` can grow to: three bytes for each broken one. */
static size_t renew_all(char *out, struct fg_str domain)
{
    size_t n = 0;
    for (const char *at = domain.at, *end = at + domain.len; at < end;) {
        uint32_t old = fg_utf8_take(&at, end), c = renew(old);
        if (c || !old)
            n += fg_utf8_put(out + n, c);
    }
    return n;
}

/* UTS #46 forbids a label whose decoded form starts with "xn--" again; ICU only counts it
 * among the hyphens. */
static bool is_encoded_twice(struct fg_str label)
{
    if (!fg_str_starts(label, FG_STR("xn--xn--")))
        return false;
    char text[4 * FG_IDNA_MAX];
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    UErrorCode error = U_ZERO_ERROR;
    int32_t n = uidna_labelToUnicodeUTF8(shared, label.at, (int32_t)label.len, text,
                                         sizeof text, &info, &error);
    return U_FAILURE(error) ||
           fg_str_starts((struct fg_str){text, (size_t)n}, FG_STR("xn--"));
}

static bool convert(struct fg_buf *out, struct fg_str domain)
{
    char newer[3 * FG_IDNA_MAX], ascii[16 * FG_IDNA_MAX];
    size_t len = renew_all(newer, domain);
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    UErrorCode error = U_ZERO_ERROR;
    int32_t n = uidna_nameToASCII_UTF8(shared, newer, (int32_t)len, ascii, sizeof ascii,
                                       &info, &error);
    if (U_FAILURE(error) || info.errors & ~tolerated)
        return false;
    struct fg_str name = {ascii, (size_t)n}, rest = name, label;
    while (fg_str_cut(&rest, '.', &label))
        if (is_encoded_twice(label))
            return false;
    return fg_buf_add(out, name);
}

bool fg_idna_to_ascii(struct fg_buf *out, struct fg_str domain)
{
    char *room = fg_buf_reserve(out, domain.len);
    if (!room)
        return false;
    size_t n = 0;
    while (n < domain.len && (unsigned char)domain.at[n] < 0x80) {
        room[n] = fg_lower(domain.at[n]);
        n++;
    }
    if (n == domain.len) {
        out->len += n;
        return true;
    }
    if (domain.len > FG_IDNA_MAX)
        return false;
    pthread_once(&made, make_shared);
    return shared && convert(out, domain);
}
