/* The input is a tdmrep.json; its last line serves as the path. Beyond staying in bounds:
 * there is a file or a problem, and what is decided has a place it comes from. */
#include "base/arena.h"
#include "net/robots/tdmrep.h"

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
    struct fg_str text = {(const char *)data, size};
    size_t start = size;
    while (start && data[start - 1] != '\n')
        start--;
    const char *problem;
    const struct fg_tdmrep *file =
        fg_tdmrep_parse(&arena, fg_str_sub(text, 0, start ? start : size), &problem);
    require(!file == (problem != NULL));
    struct fg_tdm tdm = fg_tdmrep_at(file, fg_str_skip(text, start));
    require((tdm.reservation == FG_TDM_UNSET) == (tdm.from == FG_TDM_NOWHERE));
    fg_tdm_add_header(&tdm, text, text);
    fg_tdm_add_meta(&tdm, text, text);
    fg_arena_clear(&arena);
    return 0;
}
