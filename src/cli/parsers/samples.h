/* samples.h - does each parser work on this machine? */
#ifndef FG_CLI_SAMPLES_H
#define FG_CLI_SAMPLES_H

#include "base/arena.h"

#include <stdbool.h>

struct fg_sample {
    const char *name;
    bool (*works)(struct fg_arena *arena);
};
extern const struct fg_sample fg_samples[]; /* ends with a NULL name */

#endif
