/* What an address names by a token: a commit by its hash, a mail by letters and digits
 *
 * Views of one thing have the token in common, and the first one that is met stands for
 * all of them. */
#include "crawl/sources/pattern.h"

#include "net/url/canonical.h"

static bool is_hex(char c)
{
    return fg_is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Letters and digits without an order, as archives of mail name a mail: the last segment
 * of a path. */
static bool is_capital_token(struct fg_str rest, size_t first)
{
    enum { LEAST = 26, LEAST_DIGITS = 2, LEAST_LETTERS = 8 };
    size_t end = first, digits = 0;
    for (; end < rest.len && fg_is_alnum(rest.at[end]); end++) {
        if (rest.at[end] >= 'a')
            return false;
        digits += fg_is_digit(rest.at[end]);
    }
    bool is_last = end == rest.len || (end + 1 == rest.len && rest.at[end] == '/');
    return is_last && end - first >= LEAST && digits >= LEAST_DIGITS &&
           end - first - digits >= LEAST_LETTERS;
}

uint64_t fg_address_token(struct fg_str url)
{
    /* A hash may be cut short; 16 digits of one are enough to know it by. */
    enum { LEAST = 16, LEAST_DIGITS = 3 };
    struct fg_str rest = fg_str_skip(url, fg_canonical_site(url).len);
    for (size_t i = 0; i < rest.len;) {
        size_t end = i, digits = 0;
        while (end < rest.len && is_hex(rest.at[end]))
            digits += fg_is_digit(rest.at[end++]);
        bool is_whole = end == rest.len || !fg_is_alnum(rest.at[end]);
        if (end - i >= LEAST && digits >= LEAST_DIGITS && is_whole)
            return fg_str_hash(fg_str_sub(rest, i, i + LEAST)) | 1;
        if (is_capital_token(rest, i))
            return fg_str_hash(fg_str_skip(rest, i)) | 1;
        while (end < rest.len && fg_is_alnum(rest.at[end]))
            end++;
        i = end + 1;
    }
    return 0;
}
