#include "base/csv.h"

struct fg_csv fg_csv_from(struct fg_str text)
{
    if (fg_str_starts(text, FG_STR("\xef\xbb\xbf")))
        text = fg_str_skip(text, 3);
    struct fg_csv csv = {.rest = text, .separator = ','};
    for (size_t i = 0; i < text.len && text.at[i] != '\n'; i++)
        if (text.at[i] == ',' || text.at[i] == ';' || text.at[i] == '\t') {
            csv.separator = text.at[i];
            break;
        }
    return csv;
}

static size_t count_lines(struct fg_str text)
{
    size_t n = 0;
    for (size_t i = 0; i < text.len; i++)
        n += text.at[i] == '\n';
    return n;
}

/* Two quotes are one. */
static struct fg_str unquoted(struct fg_arena *arena, struct fg_str text)
{
    if (fg_str_chr(text, '"') == FG_NOT_FOUND)
        return text;
    char *plain = fg_arena_bytes(arena, text.len);
    size_t n = 0;
    for (size_t i = 0; i < text.len; i++) {
        plain[n++] = text.at[i];
        if (text.at[i] == '"' && i + 1 < text.len && text.at[i + 1] == '"')
            i++;
    }
    return (struct fg_str){plain, n};
}

/* What stands after the closing quote, up to the separator, is dropped. */
static struct fg_str quoted_field(struct fg_csv *csv, struct fg_arena *arena)
{
    struct fg_str rest = fg_str_skip(csv->rest, 1);
    size_t end = 0;
    while (end < rest.len &&
           (rest.at[end] != '"' || (end + 1 < rest.len && rest.at[end + 1] == '"')))
        end += rest.at[end] == '"' ? 2 : 1;
    csv->is_broken |= end >= rest.len;
    struct fg_str field = fg_str_sub(rest, 0, end);
    csv->lines += count_lines(field);
    csv->rest = fg_str_skip(rest, end + 1);
    return unquoted(arena, field);
}

static size_t end_of_field(const struct fg_csv *csv)
{
    size_t i = 0;
    while (i < csv->rest.len && csv->rest.at[i] != csv->separator &&
           csv->rest.at[i] != '\n')
        i++;
    return i;
}

/* True if another field follows in the row. */
static bool next_field(struct fg_csv *csv, struct fg_arena *arena, struct fg_str *field)
{
    bool is_quoted = csv->rest.len && csv->rest.at[0] == '"';
    if (is_quoted)
        *field = quoted_field(csv, arena);
    size_t end = end_of_field(csv);
    bool more = end < csv->rest.len && csv->rest.at[end] == csv->separator;
    bool is_crlf = !more && end && csv->rest.at[end - 1] == '\r';
    if (!is_quoted)
        *field = fg_str_sub(csv->rest, 0, end - is_crlf);
    csv->lines += !more;
    csv->rest = fg_str_skip(csv->rest, end + 1);
    return more;
}

bool fg_csv_next(struct fg_csv *csv, struct fg_arena *arena,
                 struct fg_str fields[static FG_CSV_FIELDS], size_t *n)
{
    while (csv->rest.len) {
        struct fg_str field;
        bool more = true;
        csv->line = csv->lines + 1;
        *n = 0;
        while (more) {
            more = next_field(csv, arena, &field);
            if (*n < FG_CSV_FIELDS)
                fields[(*n)++] = field;
        }
        if (*n > 1 || fields[0].len)
            return true;
    }
    return false;
}
