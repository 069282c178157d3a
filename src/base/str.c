#include "base/str.h"

#include <math.h>
#include <stdlib.h>
#include <xxhash.h>

int fg_str_cmp(struct fg_str a, struct fg_str b)
{
    size_t n = a.len < b.len ? a.len : b.len;
    int order = n ? memcmp(a.at, b.at, n) : 0;
    return order ? order : (a.len > b.len) - (a.len < b.len);
}

static bool eq_nocase(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (fg_lower(a[i]) != fg_lower(b[i]))
            return false;
    return true;
}

bool fg_str_eq_nocase(struct fg_str a, struct fg_str b)
{
    return a.len == b.len && eq_nocase(a.at, b.at, a.len);
}

bool fg_str_starts(struct fg_str s, struct fg_str prefix)
{
    return s.len >= prefix.len && (!prefix.len || !memcmp(s.at, prefix.at, prefix.len));
}

bool fg_str_starts_nocase(struct fg_str s, struct fg_str prefix)
{
    return s.len >= prefix.len && eq_nocase(s.at, prefix.at, prefix.len);
}

bool fg_str_ends(struct fg_str s, struct fg_str suffix)
{
    return s.len >= suffix.len &&
           (!suffix.len || !memcmp(s.at + s.len - suffix.len, suffix.at, suffix.len));
}

size_t fg_str_chr(struct fg_str s, char c)
{
    const char *hit = s.len ? memchr(s.at, c, s.len) : NULL;
    return hit ? (size_t)(hit - s.at) : FG_NOT_FOUND;
}

/* Of short texts: memmem makes a table first, which takes longer than to look. */
static size_t find_in_short(struct fg_str s, struct fg_str what)
{
    size_t last = s.len - what.len;
    for (size_t i = 0; i <= last; i++) {
        const char *hit = memchr(s.at + i, what.at[0], last - i + 1);
        if (!hit)
            return FG_NOT_FOUND;
        i = (size_t)(hit - s.at);
        if (!memcmp(hit, what.at, what.len))
            return i;
    }
    return FG_NOT_FOUND;
}

size_t fg_str_find(struct fg_str s, struct fg_str what)
{
    enum { SHORT = 256 };
    if (!what.len)
        return 0;
    if (s.len < what.len)
        return FG_NOT_FOUND;
    if (s.len <= SHORT)
        return find_in_short(s, what);
    const char *hit = memmem(s.at, s.len, what.at, what.len);
    return hit ? (size_t)(hit - s.at) : FG_NOT_FOUND;
}

struct fg_str fg_str_sub(struct fg_str s, size_t first, size_t end)
{
    if (end > s.len)
        end = s.len;
    if (first > end)
        first = end;
    return s.at ? fg_str_range(s.at + first, s.at + end) : s;
}

struct fg_str fg_str_skip(struct fg_str s, size_t n)
{
    return fg_str_sub(s, n, s.len);
}

struct fg_str fg_str_trim(struct fg_str s)
{
    while (s.len && fg_is_space(s.at[0]))
        s = fg_str_skip(s, 1);
    while (s.len && fg_is_space(s.at[s.len - 1]))
        s.len--;
    return s;
}

bool fg_str_cut(struct fg_str *rest, char separator, struct fg_str *part)
{
    if (!rest->at)
        return false;
    size_t i = fg_str_chr(*rest, separator);
    if (i == FG_NOT_FOUND) {
        *part = *rest;
        *rest = (struct fg_str){0};
        return true;
    }
    *part = fg_str_sub(*rest, 0, i);
    *rest = fg_str_skip(*rest, i + 1);
    return true;
}

bool fg_str_take(struct fg_str *rest, void *to, size_t bytes)
{
    if (rest->len < bytes)
        return false;
    if (bytes)
        memcpy(to, rest->at, bytes);
    *rest = fg_str_skip(*rest, bytes);
    return true;
}

bool fg_str_to_u64(struct fg_str s, uint64_t *value)
{
    uint64_t n = 0;
    if (!s.len)
        return false;
    for (size_t i = 0; i < s.len; i++) {
        if (!fg_is_digit(s.at[i]) || __builtin_mul_overflow(n, (uint64_t)10, &n) ||
            __builtin_add_overflow(n, (uint64_t)(s.at[i] - '0'), &n))
            return false;
    }
    *value = n;
    return true;
}

bool fg_str_to_i64(struct fg_str s, int64_t *value)
{
    bool negative = s.len && s.at[0] == '-';
    uint64_t n;
    if (!fg_str_to_u64(fg_str_skip(s, negative), &n) ||
        n > (uint64_t)INT64_MAX + negative)
        return false;
    *value = negative ? (int64_t)(0 - n) : (int64_t)n;
    return true;
}

bool fg_str_to_double(struct fg_str s, double *value)
{
    char text[64], *end;
    if (!s.len || s.len >= sizeof text)
        return false;
    for (size_t i = 0; i < s.len; i++) /* strtod also takes "0x1p3", "inf" and blanks */
        if (!fg_is_digit(s.at[i]) && fg_str_chr(FG_STR("+-.eE"), s.at[i]) == FG_NOT_FOUND)
            return false;
    memcpy(text, s.at, s.len);
    text[s.len] = '\0';
    double x = strtod(text, &end);
    if (end != text + s.len || !isfinite(x))
        return false;
    *value = x;
    return true;
}

uint64_t fg_str_hash(struct fg_str s)
{
    return XXH3_64bits(s.at, s.len);
}

size_t fg_str_distance(struct fg_str a, struct fg_str b)
{
    enum { MOST = 64 };
    if (a.len > MOST || b.len > MOST)
        return SIZE_MAX;
    size_t rows[3][MOST + 1], *above = rows[0], *row = rows[1], *twice = rows[2];
    for (size_t j = 0; j <= b.len; j++)
        row[j] = j;
    for (size_t i = 1; i <= a.len; i++) {
        size_t *free_row = twice;
        twice = above;
        above = row;
        row = free_row;
        row[0] = i;
        for (size_t j = 1; j <= b.len; j++) {
            size_t replaced = above[j - 1] + (a.at[i - 1] != b.at[j - 1]);
            size_t moved = 1 + (above[j] < row[j - 1] ? above[j] : row[j - 1]);
            row[j] = replaced < moved ? replaced : moved;
            if (i > 1 && j > 1 && a.at[i - 1] == b.at[j - 2] &&
                a.at[i - 2] == b.at[j - 1] && twice[j - 2] + 1 < row[j])
                row[j] = twice[j - 2] + 1;
        }
    }
    return row[b.len];
}

void fg_nearest_try(struct fg_nearest *nearest, const char *name)
{
    fg_nearest_offer(nearest, name, fg_str_distance(nearest->word, fg_str_from(name)));
}

/* What is farther than a third of the word is not a slip of the finger. */
void fg_nearest_offer(struct fg_nearest *nearest, const char *name, size_t distance)
{
    size_t least = nearest->name ? nearest->distance : nearest->word.len / 3 + 2;
    if (distance < least)
        *nearest = (struct fg_nearest){nearest->word, name, distance};
}
