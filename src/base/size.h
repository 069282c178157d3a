/* size.h - amounts of bytes as people write them
 *
 * "10MB" is ten million bytes, "64KiB" is 65536. The unit is not optional, except for 0:
 * B, kB, MB, GB, TB in thousands, KiB, MiB, GiB, TiB in 1024s. Letter case is ignored,
 * and fractions are allowed ("1.5GB") where they give whole bytes. A bare "M" is refused,
 * because half of its users mean the other one. */
#ifndef FG_BASE_SIZE_H
#define FG_BASE_SIZE_H

#include "base/str.h"

bool fg_size_parse(struct fg_str text, size_t *size_bytes);

/* The same back, exact and in the largest unit that keeps it whole: 65536 is "64KiB". */
#define FG_SIZE_TEXT 32
char *fg_size_format(char out[static FG_SIZE_TEXT], size_t size_bytes);

#endif
