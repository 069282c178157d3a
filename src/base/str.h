/* str.h - text as a pointer and a length
 *
 *     struct fg_str host = FG_STR("example.org"), rest = line, word;
 *     while (fg_str_cut(&rest, ' ', &word)) ...
 *     printf("%.*s\n", FG_ARG(host));
 *
 * A view: it owns nothing, need not end in NUL, may hold any byte, and is passed by
 * value. Case means ASCII case; nothing here looks at the locale. */
#ifndef FG_BASE_STR_H
#define FG_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct fg_str {
    const char *at;
    size_t len;
};

#define FG_STR(literal) ((struct fg_str){(literal), sizeof(literal) - 1})
#define FG_ARG(str)     (int)(str).len, (str).at

static inline struct fg_str fg_str_from(const char *text)
{
    return (struct fg_str){text, text ? strlen(text) : 0};
}

static inline struct fg_str fg_str_range(const char *first, const char *end)
{
    return (struct fg_str){first, (size_t)(end - first)};
}

static inline bool fg_str_eq(struct fg_str a, struct fg_str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.at, b.at, a.len) == 0);
}

/* Byte order, shorter first: what qsort wants. */
int fg_str_cmp(struct fg_str a, struct fg_str b);

bool fg_str_eq_nocase(struct fg_str a, struct fg_str b);
bool fg_str_starts(struct fg_str s, struct fg_str prefix);
bool fg_str_starts_nocase(struct fg_str s, struct fg_str prefix);
bool fg_str_ends(struct fg_str s, struct fg_str suffix);

#define FG_NOT_FOUND SIZE_MAX

/* Where it first stands, or FG_NOT_FOUND. */
size_t fg_str_chr(struct fg_str s, char c);
size_t fg_str_find(struct fg_str s, struct fg_str what);

/* From `first` to before `end`, both clamped to the length. */
struct fg_str fg_str_sub(struct fg_str s, size_t first, size_t end);
struct fg_str fg_str_skip(struct fg_str s, size_t n);

/* Without blanks, tabs, newlines, carriage returns and form feeds at both ends. */
struct fg_str fg_str_trim(struct fg_str s);

/* Take the part up to `separator` out of `rest`. False once `rest` is used up; the last
 * part needs no separator, and "a," has the two parts "a" and "". */
bool fg_str_cut(struct fg_str *rest, char separator, struct fg_str *part);

/* Copy so many bytes from the start of `rest` and cut them off; false, and nothing
 * happens, if there are fewer. */
bool fg_str_take(struct fg_str *rest, void *to, size_t bytes);

/* The whole of `s` is a decimal number that fits. */
bool fg_str_to_u64(struct fg_str s, uint64_t *value);
bool fg_str_to_i64(struct fg_str s, int64_t *value);
bool fg_str_to_double(struct fg_str s, double *value);

/* XXH3, 64 bits: the fingerprint used everywhere. Stable across runs and machines. */
uint64_t fg_str_hash(struct fg_str s);

/* How many single-letter edits lie between, neighbours that are swapped being one: for
 * "did you mean". Quadratic, so texts over 64 bytes are reported as SIZE_MAX apart. */
size_t fg_str_distance(struct fg_str a, struct fg_str b);

/* Of the names tried the one that a mistyped word may mean; NULL if none is near. */
struct fg_nearest {
    struct fg_str word;
    const char *name;
    size_t distance;
};
void fg_nearest_try(struct fg_nearest *nearest, const char *name);
/* One that is as near as this, whatever its letters. */
void fg_nearest_offer(struct fg_nearest *nearest, const char *name, size_t distance);

/* ASCII letters and digits, for parsers that must not ask the locale. */
static inline char fg_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}
static inline bool fg_is_digit(char c)
{
    return c >= '0' && c <= '9';
}
static inline bool fg_is_alpha(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
static inline bool fg_is_alnum(char c)
{
    return fg_is_alpha(c) || fg_is_digit(c);
}
static inline bool fg_is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r' && c != '\v');
}
/* The value of a hexadecimal digit, or -1. */
static inline int fg_hex(char c)
{
    if (fg_is_digit(c))
        return c - '0';
    c = fg_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

#endif
