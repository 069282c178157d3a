#include "net/html/entity.h"

#include "base/buf.h"
#include "net/html/entity_names.h"

enum {
    LONGEST = 31,      /* CounterClockwiseContourIntegral */
    LONGEST_BARE = 6,  /* the longest name that needs no semicolon: Aacute */
    NOT_A_NAME = NAMES /* no index */
};

/* What the numbers 0x80 to 0x9F mean: windows-1252, as everybody who wrote them meant. */
static const uint16_t windows_1252[32] = {
    0x20AC, 0x81,   0x201A, 0x192,  0x201E, 0x2026, 0x2020, 0x2021,
    0x2C6,  0x2030, 0x160,  0x2039, 0x152,  0x8D,   0x17D,  0x8F,
    0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x2DC,  0x2122, 0x161,  0x203A, 0x153,  0x9D,   0x17E,  0x178,
};

static uint32_t repair(uint32_t c)
{
    if (c == 0 || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF))
        return 0xFFFD;
    return c >= 0x80 && c <= 0x9F ? windows_1252[c - 0x80] : c;
}

static size_t take_number(const char *at, const char *end, char *out, size_t *n)
{
    const char *p = at + 1; /* behind the '#' */
    bool hex = p < end && (*p == 'x' || *p == 'X');
    p += hex;
    const char *first = p;
    uint32_t c = 0, base = hex ? 16 : 10;
    for (; p < end; p++) {
        int digit = fg_hex(*p);
        if (digit < 0 || digit >= (int)base)
            break;
        if (c <= 0x10FFFF)
            c = c * base + (uint32_t)digit;
    }
    if (p == first)
        return 0;
    *n = fg_utf8_put(out, repair(c));
    p += p < end && *p == ';';
    return (size_t)(p - at);
}

static size_t find(struct fg_str name)
{
    int letter = name.at[0] - (name.at[0] >= 'a' ? 'a' - 26 : 'A');
    size_t low = buckets[letter], high = buckets[letter + 1];
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = fg_str_cmp(
            name, (struct fg_str){names + offsets[middle],
                                  (size_t)(offsets[middle + 1] - offsets[middle])});
        if (order == 0)
            return middle;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NOT_A_NAME;
}

static size_t put(char *out, uint32_t value)
{
    size_t n = fg_utf8_put(out, value & 0x1FFFF);
    uint32_t second = seconds[value >> 17 & 15];
    return second ? n + fg_utf8_put(out + n, second) : n;
}

/* The longest of the old names that `run` begins with. */
static size_t find_bare(struct fg_str run, size_t *length)
{
    for (size_t len = run.len < LONGEST_BARE ? run.len : LONGEST_BARE; len >= 2; len--) {
        size_t i = find(fg_str_sub(run, 0, len));
        *length = len;
        if (i != NOT_A_NAME && values[i] >> 21)
            return i;
    }
    return NOT_A_NAME;
}

/* Nine of ten are one of these: they need no search. */
static size_t take_common(const char *at, const char *end, char *out, size_t *n)
{
    static const struct {
        struct fg_str name, text;
    } common[] = {{{"amp;", 4}, {"&", 1}},
                  {{"nbsp;", 5}, {"\u00a0", 2}},
                  {{"quot;", 5}, {"\"", 1}},
                  {{"lt;", 3}, {"<", 1}},
                  {{"gt;", 3}, {">", 1}}};
    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        if (*at == common[i].name.at[0] &&
            fg_str_starts((struct fg_str){at, (size_t)(end - at)}, common[i].name)) {
            memcpy(out, common[i].text.at, common[i].text.len);
            *n = common[i].text.len;
            return common[i].name.len;
        }
    return 0;
}

/* All names are letters and digits, so "name;" can only match where exactly that name
 * ends the run of them; what is left are the old names without a semicolon. */
size_t fg_entity_take(const char *at, const char *end, enum fg_entity_place place,
                      char out[static FG_ENTITY_MAX], size_t *n)
{
    if (at < end && *at == '#')
        return take_number(at, end, out, n);
    if (at == end || !fg_is_alpha(*at))
        return 0;
    size_t used = take_common(at, end, out, n);
    if (used)
        return used;
    struct fg_str run = {at, 1};
    while (run.len <= LONGEST && at + run.len < end && fg_is_alnum(at[run.len]))
        run.len++;
    if (at + run.len < end && at[run.len] == ';') {
        size_t i = find(run);
        if (i != NOT_A_NAME) {
            *n = put(out, values[i]);
            return run.len + 1;
        }
    }
    size_t len, i = find_bare(run, &len);
    if (i == NOT_A_NAME)
        return 0;
    bool more = len < run.len || (at + len < end && at[len] == '=');
    if (place == FG_ENTITY_ATTRIBUTE && more)
        return 0;
    *n = put(out, values[i]);
    return len;
}
