#include "crawl/sources/moved.h"
#include "crawl/sites/known.h"

#include "net/text/shingle.h"
#include "net/url/canonical.h"

/* --- addresses --- */

/* A part of an address from `first` up to `end`. */
struct span {
    size_t first, end;
};

static size_t digits_from(struct fg_str url, size_t at, size_t end)
{
    while (at < end && fg_is_digit(url.at[at]))
        at++;
    return at;
}

static bool is_joint(char c)
{
    return c == '-' || c == '_' || c == ',' || c == '.';
}

/* Not "2026", "202611" or "20261118". */
static bool is_number(struct fg_str url, size_t first, size_t end)
{
    enum { LEAST = 4 };
    size_t n = end - first;
    bool may_be_date = n == 4 || n == 6 || n == 8;
    bool is_of_age = n >= 2 && ((url.at[first] == '1' && url.at[first + 1] == '9') ||
                                (url.at[first] == '2' && url.at[first + 1] == '0'));
    return n >= LEAST && !(may_be_date && is_of_age);
}

/* A number, or a token of letters and digits such as "x7f3ka". */
static bool is_name(struct fg_str url, struct span s)
{
    enum { LEAST = 6 };
    size_t digits = 0, letters = 0;
    for (size_t i = s.first; i < s.end; i++) {
        digits += fg_is_digit(url.at[i]);
        letters += fg_is_alpha(url.at[i]);
    }
    if (digits + letters != s.end - s.first)
        return false;
    return letters ? digits && digits + letters >= LEAST : is_number(url, s.first, s.end);
}

/* "a-title" */
static bool is_title(struct fg_str url, struct span s)
{
    size_t joints = 0, letters = 0;
    for (size_t i = s.first; i < s.end; i++) {
        joints += url.at[i] == '-' || url.at[i] == '_';
        letters += fg_is_alpha(url.at[i]) || url.at[i] == '%';
    }
    return joints && letters > joints;
}

/* The words of "a-title-10432" or "10432-a-title". */
static bool words_beside_number(struct fg_str url, struct span s, struct span *words)
{
    size_t first = s.end, end = digits_from(url, s.first, s.end);
    while (first > s.first && fg_is_digit(url.at[first - 1]))
        first--;
    if (first > s.first + 1 && is_joint(url.at[first - 1]) &&
        is_number(url, first, s.end))
        *words = (struct span){s.first, first - 1};
    else if (end + 1 < s.end && is_joint(url.at[end]) && is_number(url, s.first, end))
        *words = (struct span){end + 1, s.end};
    else
        return false;
    return true;
}

/* Without ".html". */
static struct span stem_of(struct fg_str url, struct span s)
{
    enum { ENDING_MOST = 5 };
    for (size_t i = s.end; i > s.first + 1 && s.end - i <= ENDING_MOST; i--)
        if (url.at[i - 1] == '.' && i < s.end && fg_is_alpha(url.at[i]))
            return (struct span){s.first, i - 1};
    return s;
}

/* The words of an address that has a number or token beside them; false if there are
 * none. "showthread.php?5550-a-title" is like a path. */
static bool find_words(struct fg_str url, struct span *words)
{
    enum { SEGMENTS_MOST = 16 };
    struct span segments[SEGMENTS_MOST];
    size_t n = 0, first = fg_canonical_site(url).len;
    for (size_t i = first; i <= url.len && n < SEGMENTS_MOST; i++) {
        if (i < url.len && (url.at[i] == '=' || url.at[i] == '&'))
            break;
        if (i < url.len && url.at[i] != '/' && url.at[i] != '?')
            continue;
        if (i > first)
            segments[n++] = stem_of(url, (struct span){first, i});
        first = i + 1;
    }
    for (size_t i = n; i-- > 0;) {
        if (words_beside_number(url, segments[i], words))
            return true;
        if (!is_name(url, segments[i]))
            continue;
        if (i + 1 < n && is_title(url, segments[i + 1]))
            *words = segments[i + 1];
        else if (i && is_title(url, segments[i - 1]))
            *words = segments[i - 1];
        else
            continue;
        return true;
    }
    return false;
}

uint64_t fg_address_without_words(struct fg_str url)
{
    struct span words;
    if (!find_words(url, &words))
        return 0;
    uint64_t before = fg_str_hash(fg_str_sub(url, 0, words.first));
    return (before * 0x9E3779B97F4A7C15u ^ fg_str_hash(fg_str_skip(url, words.end))) | 1;
}

/* --- pages --- */

void fg_moved_note(struct fg_map *numbered, struct fg_str url, uint32_t row)
{
    uint64_t key = fg_address_without_words(url);
    if (key)
        *fg_map_put(numbered, key) = row + (uint64_t)1;
}

uint32_t fg_moved_find(const struct fg_map *numbered, struct fg_str url)
{
    uint64_t key = fg_address_without_words(url);
    const uint64_t *at = key ? fg_map_get(numbered, key) : NULL;
    return at ? (uint32_t)*at - 1 : FG_UNKNOWN;
}

bool fg_moved_is_same(const struct fg_page_row *before, const struct fg_reading *reading)
{
    enum { BITS_MOST = 6 };
    const struct fg_facts *facts = &reading->facts;
    bool is_of_moment =
        facts->published != FG_NEVER &&
        (facts->published_is_local || facts->published_from == facts->published_until);
    if (is_of_moment && before->published != FG_NEVER)
        return before->published == facts->published;
    return (before->title.len && fg_str_eq(before->title, reading->title)) ||
           (before->simhash && reading->simhash &&
            fg_simhash_distance(before->simhash, reading->simhash) <= BITS_MOST);
}
