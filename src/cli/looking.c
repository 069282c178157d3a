#include "cli/looking.h"

#include <stdio.h>

void fg_json_pair_flags(struct fg_json *json, const char *key, uint32_t flags)
{
    fg_json_key(json, key);
    fg_json_array(json);
    const char *word;
    for (unsigned i = 0; (word = fg_flag_word(flags, i)); i++)
        fg_json_cstr(json, word);
    fg_json_end(json);
}

void fg_json_pair_hash(struct fg_json *json, const char *key, uint64_t value)
{
    char text[20];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)value);
    fg_json_pair_cstr(json, key, value ? text : NULL);
}
