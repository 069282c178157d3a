#include "net/url/discreet.h"

#include "base/buf.h"

static const struct fg_str hidden = {"***", 3};

/* Words of an address are short, or have no digits and capitals between their letters. */
static bool looks_like_token(struct fg_str part)
{
    enum { SHORT = 16 };
    size_t capitals = 0, smalls = 0, digits = 0;
    for (size_t i = 0; i < part.len; i++) {
        capitals += part.at[i] >= 'A' && part.at[i] <= 'Z';
        smalls += part.at[i] >= 'a' && part.at[i] <= 'z';
        digits += fg_is_digit(part.at[i]);
    }
    return part.len >= SHORT && digits && capitals + smalls &&
           digits + capitals + smalls + 4 >= part.len;
}

static void add_path(struct fg_buf *out, struct fg_str path)
{
    while (path.len) {
        size_t end = 1;
        while (end < path.len && path.at[end] != '/')
            end++;
        struct fg_str part = fg_str_sub(path, 1, end);
        fg_buf_add_char(out, path.at[0]);
        fg_buf_add(out, looks_like_token(part) ? hidden : part);
        path = fg_str_skip(path, end);
    }
}

static void add_query(struct fg_buf *out, struct fg_str query)
{
    struct fg_str pair;
    for (bool is_first = true; fg_str_cut(&query, '&', &pair); is_first = false) {
        size_t equals = fg_str_chr(pair, '=');
        fg_buf_add_char(out, is_first ? '?' : '&');
        fg_buf_add(out,
                   equals == FG_NOT_FOUND ? hidden : fg_str_sub(pair, 0, equals + 1));
        if (equals != FG_NOT_FOUND)
            fg_buf_add(out, hidden);
    }
}

/* From behind "://" to a blank, comma or quote. */
static void add_address(struct fg_buf *out, struct fg_str rest)
{
    size_t host = 0, end = 0;
    while (end < rest.len && fg_str_chr(FG_STR("/?#"), rest.at[end]) == FG_NOT_FOUND)
        end++;
    for (size_t i = 0; i < end; i++)
        if (rest.at[i] == '@')
            host = i;
    if (host)
        fg_buf_add(out, hidden);
    fg_buf_add(out, fg_str_sub(rest, host, end));
    rest = fg_str_skip(rest, end);
    size_t hash = fg_str_chr(rest, '#');
    bool has_hash = hash != FG_NOT_FOUND;
    rest = has_hash ? fg_str_sub(rest, 0, hash) : rest;
    size_t query = fg_str_chr(rest, '?');
    add_path(out, query == FG_NOT_FOUND ? rest : fg_str_sub(rest, 0, query));
    if (query != FG_NOT_FOUND)
        add_query(out, fg_str_skip(rest, query + 1));
    if (has_hash)
        fg_buf_printf(out, "#%.*s", FG_ARG(hidden));
}

struct fg_str fg_discreet(struct fg_arena *arena, struct fg_str text)
{
    if (fg_str_find(text, FG_STR("://")) == FG_NOT_FOUND)
        return text;
    struct fg_buf out;
    fg_buf_init(&out, SIZE_MAX);
    for (size_t at; (at = fg_str_find(text, FG_STR("://"))) != FG_NOT_FOUND;) {
        size_t end = at + 3;
        fg_buf_add(&out, fg_str_sub(text, 0, end));
        while (end < text.len &&
               fg_str_chr(FG_STR(" ,\"'\n\t"), text.at[end]) == FG_NOT_FOUND)
            end++;
        add_address(&out, fg_str_sub(text, at + 3, end));
        text = fg_str_skip(text, end);
    }
    fg_buf_add(&out, text);
    struct fg_str copy = fg_arena_dup(arena, fg_buf_str(&out));
    fg_buf_clear(&out);
    return copy;
}
