#include "crawl/intake/imports.h"
#include "crawl/intake/seeds.h"

static void tell_interval(struct fg_import *import, size_t line, struct fg_str field)
{
    if (fg_str_starts(field, FG_STR("nutch.fetchInterval")))
        fg_import_tell(import, FG_IMPORT_LOST, line,
                       "%.*s: here the policy chooses when; it is noted with the page",
                       FG_ARG(fg_str_sub(field, 0, 100)));
}

/* A key that we do not know is the user's own, as in Nutch. */
static bool take_field(struct fg_import *import, size_t line, struct fg_seed *seed,
                       struct fg_str field)
{
    struct fg_err err = {0};
    enum fg_status st = fg_seed_field(seed, import->arena, field, &err);
    if (st == FG_ENOTFOUND) {
        struct fg_str meta = fg_arena_printf(import->arena, "meta=%.*s", FG_ARG(field));
        st = fg_seed_field(seed, import->arena, meta, &err);
    }
    if (st) {
        fg_import_tell(import, FG_IMPORT_WRONG, line, "%s", err.text);
        return false;
    }
    tell_interval(import, line, field);
    return true;
}

static void take_line(struct fg_import *import, size_t number, struct fg_str line)
{
    struct fg_str url, field;
    struct fg_seed seed = {0};
    import->entries++;
    fg_str_cut(&line, '\t', &url);
    if (fg_str_chr(fg_str_trim(url), ' ') != FG_NOT_FOUND) {
        fg_import_tell(import, FG_IMPORT_WRONG, number,
                       "'%.*s' is an address with a blank; a tab goes before key=value",
                       FG_ARG(fg_str_sub(fg_str_trim(url), 0, 200)));
        return;
    }
    while (fg_str_cut(&line, '\t', &field)) {
        field = fg_str_trim(field);
        if (field.len && !take_field(import, number, &seed, field))
            return;
    }
    struct fg_err err = {0};
    if (fg_seed_check_promise(&seed, &err))
        fg_import_tell(import, FG_IMPORT_WRONG, number, "%s", err.text);
    else
        fg_import_add(import, number, fg_seed_address(import->arena, url), &seed);
}

enum fg_status fg_import_seeds(struct fg_import *import, struct fg_str text,
                               struct fg_err *err)
{
    struct fg_str line;
    if (memchr(text.at ? text.at : "", 0, text.len))
        return fg_fail(err, FG_EINPUT, "not a file of seeds: it holds NUL bytes");
    if (fg_str_starts(text, FG_STR("\xef\xbb\xbf")))
        text = fg_str_skip(text, 3);
    for (size_t number = 1; text.len && fg_str_cut(&text, '\n', &line); number++) {
        if (fg_seed_is_blank(line))
            continue;
        if (line.len > FG_SEED_LINE_MAX)
            fg_import_tell(import, FG_IMPORT_WRONG, number,
                           "a line of %zu bytes; at most %d are read", line.len,
                           FG_SEED_LINE_MAX);
        else
            take_line(import, number, line);
    }
    return FG_OK;
}
