#include "base/size.h"

#include <math.h>
#include <stdio.h>

/* Largest first; a number that both families keep whole is given in thousands. */
static const struct unit {
    const char *name;
    size_t bytes;
} units[] = {
    {"TB", 1000000000000}, {"TiB", (size_t)1 << 40}, {"GB", 1000000000},
    {"GiB", 1 << 30},      {"MB", 1000000},          {"MiB", 1 << 20},
    {"kB", 1000},          {"KiB", 1 << 10},         {"B", 1},
};
enum { UNITS = sizeof units / sizeof *units };

static const struct unit *unit_named(struct fg_str name)
{
    for (size_t i = 0; i < UNITS; i++)
        if (fg_str_eq_nocase(name, fg_str_from(units[i].name)))
            return &units[i];
    return NULL;
}

bool fg_size_parse(struct fg_str text, size_t *size_bytes)
{
    if (fg_str_eq(text, FG_STR("0"))) {
        *size_bytes = 0;
        return true;
    }
    size_t digits = 0;
    while (digits < text.len && (fg_is_digit(text.at[digits]) || text.at[digits] == '.'))
        digits++;
    double number;
    const struct unit *unit = unit_named(fg_str_trim(fg_str_skip(text, digits)));
    if (!unit || !fg_str_to_double(fg_str_sub(text, 0, digits), &number))
        return false;
    double bytes = number * (double)unit->bytes;
    if (bytes > 0x1p53 || bytes != floor(bytes)) /* beyond it a double skips numbers */
        return false;
    *size_bytes = (size_t)bytes;
    return true;
}

char *fg_size_format(char out[static FG_SIZE_TEXT], size_t size_bytes)
{
    size_t i = 0;
    while (i < UNITS - 1 && (size_bytes == 0 || size_bytes % units[i].bytes))
        i++;
    snprintf(out, FG_SIZE_TEXT, "%zu%s", size_bytes / units[i].bytes, units[i].name);
    return out;
}
