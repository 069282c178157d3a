/* The input is a tdmrep.json; its last line serves as the path. Beyond staying in bounds:
 * a rule that is there is one of two kinds, and what decides is one of the rules. */
#include "base/arena.h"
#include "net/tdmrep.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fg_arena arena = {0};
    struct fg_str text = {(const char *)data, size}, location;
    size_t start = size;
    while (start && data[start - 1] != '\n')
        start--;
    const char *problem;
    const struct fg_tdmrep *file =
        fg_tdmrep_parse(&arena, fg_str_sub(text, 0, start ? start : size), &problem);
    require(!file == (problem != NULL));
    require(fg_tdmrep_count(file) <= FG_TDMREP_RULES_MAX);
    for (size_t i = 0; i < fg_tdmrep_count(file); i++) {
        struct fg_tdm rule = fg_tdmrep_rule(file, i, &location);
        require(rule.reservation != FG_TDM_UNSET && location.len > 0);
    }
    struct fg_tdm tdm = fg_tdmrep_at(file, fg_str_skip(text, start));
    require((tdm.reservation == FG_TDM_UNSET) == (tdm.from == FG_TDM_NOWHERE));
    fg_tdm_add_header(&tdm, text, text);
    fg_tdm_add_meta(&tdm, text, text);
    fg_arena_clear(&arena);
    return 0;
}
