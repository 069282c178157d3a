#include "lab/result.h"

#include <stdlib.h>

struct fg_wording fg_result_wording(const struct fg_result *result)
{
    return result->wording.unit
               ? result->wording
               : (struct fg_wording){"Means over sites",
                                     "95 % bootstrap interval",
                                     "site",
                                     "sites",
                                     "sites",
                                     "95 %, bootstrap over sites, 1,000 resamples; one "
                                     "site has none"};
}

void fg_result_free(struct fg_result *result)
{
    if (!result)
        return;
    fg_arena_clear(&result->arena);
    free(result);
}
