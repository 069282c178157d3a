#include "net/html/noise.h"

#include "base/glob.h"

enum { LONGEST_LINE = 4096, LONGEST_GLOB = 500 };

enum fg_status fg_noise_add(struct fg_noise *noise, struct fg_arena *arena,
                            struct fg_str rule, struct fg_err *err)
{
    static const struct fg_str text = {"text:", 5};
    const struct fg_selector *selector;
    rule = fg_str_trim(rule);
    if (fg_str_starts(rule, text)) {
        struct fg_str glob = fg_str_trim(fg_str_skip(rule, text.len));
        if (!glob.len || glob.len > LONGEST_GLOB)
            return fg_fail(err, FG_ECONFIG,
                           "'%.*s' names no text; text:*ago* leaves lines with 'ago' out",
                           FG_ARG(fg_str_sub(rule, 0, 100)));
        fg_vec_push_in(arena, &noise->lines, fg_arena_dup(arena, glob));
        return FG_OK;
    }
    enum fg_status st = fg_selector_parse(&selector, arena, rule, err);
    if (!st)
        fg_vec_push_in(arena, &noise->selectors, selector);
    return st;
}

const char *fg_noise_refuse(struct fg_str rule)
{
    struct fg_arena arena = {0};
    struct fg_noise noise = {0};
    bool is_bad = fg_noise_add(&noise, &arena, rule, NULL) != FG_OK;
    fg_arena_clear(&arena);
    return is_bad ? "is neither a selector that is understood, such as .ads, nor "
                    "text:GLOB"
                  : NULL;
}

bool fg_noise_has_selectors(const struct fg_noise *noise)
{
    return noise && (noise->selectors.len || fg_noise_has_selectors(noise->also));
}

bool fg_noise_has_lines(const struct fg_noise *noise)
{
    return noise && (noise->lines.len || fg_noise_has_lines(noise->also));
}

double fg_noise_least_change(const struct fg_noise *noise)
{
    return !noise                    ? 0
           : noise->least_change > 0 ? noise->least_change
                                     : fg_noise_least_change(noise->also);
}

struct fg_str fg_noise_cut(const struct fg_noise *noise, struct fg_arena *arena,
                           struct fg_str html)
{
    for (; noise; noise = noise->also)
        for (size_t i = 0; i < noise->selectors.len; i++)
            html = fg_selector_cut(arena, noise->selectors.at[i], html);
    return html;
}

bool fg_noise_is_line(const struct fg_noise *noise, struct fg_str line)
{
    for (; noise && line.len <= LONGEST_LINE; noise = noise->also)
        for (size_t i = 0; i < noise->lines.len; i++)
            if (fg_glob_matches(noise->lines.at[i], line))
                return true;
    return false;
}

struct fg_str fg_noise_drop_lines(const struct fg_noise *noise, struct fg_arena *arena,
                                  struct fg_str text)
{
    if (!fg_noise_has_lines(noise))
        return text;
    char *out = fg_arena_bytes(arena, text.len + 1);
    size_t n = 0;
    struct fg_str line;
    while (text.len && fg_str_cut(&text, '\n', &line)) {
        if (fg_noise_is_line(noise, fg_str_trim(line)))
            continue;
        if (n)
            out[n++] = '\n';
        memcpy(out + n, line.at, line.len);
        n += line.len;
    }
    return (struct fg_str){out, n};
}
