/* What numbers at the end of addresses tell of the age of pages
 *
 * Articles, topics and bugs are often counted up. Where the numbers of the stock are
 * dense, one that is below the highest of them was there before; one that is above all of
 * a large stock came later. */
#include "crawl/sources/pattern.h"

#include "net/url/canonical.h"

enum { SERIALS_BEFORE_BELIEF = 8, SERIAL_SPARSENESS = 50 };

/* "/2026/11/17/msg3.html", "/vol7/3.html": in each folder another count begins. */
static bool is_in_numbered_folder(struct fg_str path, size_t end)
{
    for (size_t i = 1; i < end; i++)
        if (path.at[i] == '/' && fg_is_digit(path.at[i - 1]))
            return true;
    return false;
}

/* Of "?5550-A-title-of-10-words" that number; empty if there is none. */
static struct fg_str number_before_title(struct fg_str url)
{
    enum { DIGITS_LEAST = 3 };
    size_t first = url.len, end;
    while (first && url.at[first - 1] != '/' && url.at[first - 1] != '?')
        first--;
    for (end = first; end < url.len && fg_is_digit(url.at[end]);)
        end++;
    bool is_before_words = end + 1 < url.len &&
                           (url.at[end] == '-' || url.at[end] == '_') &&
                           fg_is_alpha(url.at[end + 1]);
    return end - first >= DIGITS_LEAST && is_before_words ? fg_str_sub(url, first, end)
                                                          : (struct fg_str){0};
}

/* The number before a title, or else the last one, if it may be one that is counted up.
 * At the end of a title it may: "a-long-title-7" is the seventh of its title, and "-2026"
 * a year, but "-10432" the number of an article, or of a lamp. */
static bool serial_of(struct fg_str url, uint64_t *serial, bool *ends_title)
{
    enum { DIGITS_MOST = 12, OF_TITLE_LEAST = 3 };
    url = fg_str_skip(url, fg_canonical_site(url).len);
    size_t end = url.len;
    while (end && !fg_is_digit(url.at[end - 1]))
        end--;
    size_t first = end;
    while (first && fg_is_digit(url.at[first - 1]))
        first--;
    bool is_token = (first && fg_is_alnum(url.at[first - 1]) && end < url.len &&
                     fg_is_alnum(url.at[end]));
    unsigned joints = 0;
    for (size_t i = first; i && url.at[i - 1] != '/' && url.at[i - 1] != '='; i--)
        joints += url.at[i - 1] == '-' || url.at[i - 1] == '_';
    *ends_title = joints >= 2;
    struct fg_str digits = number_before_title(url);
    if (digits.len) {
        *ends_title = is_token = false;
        first = (size_t)(digits.at - url.at);
    } else {
        digits = fg_str_sub(url, first, end);
    }
    if (is_token || !digits.len || digits.len > DIGITS_MOST ||
        is_in_numbered_folder(url, first) || !fg_str_to_u64(digits, serial))
        return false;
    bool is_year = *serial >= 1900 && *serial <= 2100;
    return !*ends_title || (digits.len >= OF_TITLE_LEAST && !is_year);
}

void fg_pattern_note_serial(struct fg_pattern *pattern, struct fg_str url, bool is_proven)
{
    uint64_t serial;
    bool ends_title;
    if (!serial_of(url, &serial, &ends_title) ||
        (!is_proven && (!pattern->n_serials || serial > pattern->most_serial)))
        return;
    if (!pattern->n_serials || serial < pattern->least_serial)
        pattern->least_serial = serial;
    if (!pattern->n_serials || serial > pattern->most_serial)
        pattern->most_serial = serial;
    pattern->n_serials++;
}

/* Numbers that are dense seem to be counted up. */
static bool is_counted_up(const struct fg_pattern *pattern)
{
    uint64_t span = pattern->most_serial - pattern->least_serial;
    return pattern->n_serials >= SERIALS_BEFORE_BELIEF &&
           span <= (uint64_t)pattern->n_serials * SERIAL_SPARSENESS;
}

/* Where four in five numbers up to the highest are known, one that is not was skipped, by
 * a draft as like as not: it says nothing. Where fewer are, the stock is not known yet.
 */
static bool is_mostly_known(const struct fg_pattern *pattern)
{
    return 4 * (pattern->most_serial - pattern->least_serial) < 5ULL * pattern->n_serials;
}

bool fg_pattern_is_old_serial(const struct fg_pattern *pattern, struct fg_str url)
{
    uint64_t serial;
    bool ends_title;
    return is_counted_up(pattern) && !is_mostly_known(pattern) &&
           serial_of(url, &serial, &ends_title) && !ends_title &&
           serial <= pattern->most_serial;
}

/* Of a stock of which n pages are known, one in n that turns up later is above them. */
bool fg_pattern_is_new_serial(const struct fg_pattern *pattern, struct fg_str url)
{
    enum { LARGE_STOCK = 24 };
    uint64_t serial;
    bool ends_title;
    return pattern->n_serials >= LARGE_STOCK && is_counted_up(pattern) &&
           serial_of(url, &serial, &ends_title) && serial > pattern->most_serial;
}
