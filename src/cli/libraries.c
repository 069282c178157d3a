#include "cli/cli.h"

#include <idn2.h>
#include <jansson.h>
#include <libpsl.h>
#include <libxml/parser.h>
#include <stdio.h>
#include <xxhash.h>
#include <yaml.h>
#include <zlib.h>
#include <zstd.h>

/* libxml2 speaks of itself as 20914, for 2.9.14. */
static struct fg_str dotted(struct fg_arena *arena, long number, long step)
{
    return fg_arena_printf(arena, "%ld.%ld.%ld", number / step / step,
                           number / step % step, number % step);
}

size_t fg_libraries(struct fg_arena *arena, struct fg_library out[FG_LIBRARIES_MAX])
{
    /* What it says at run time, which is not always what it was compiled against. */
    const struct fg_library all[] = {
        {"jansson", jansson_version_str()},
        {"libidn2", idn2_check_version(NULL)},
        {"libpsl", psl_get_version()},
        {"libxml2", dotted(arena, strtol(xmlParserVersion, NULL, 10), 100).at},
        {"libyaml", yaml_get_version_string()},
        {"xxhash", dotted(arena, (long)XXH_versionNumber(), 100).at},
        {"zlib", zlibVersion()},
        {"zstd", ZSTD_versionString()},
    };
    enum { N = sizeof all / sizeof *all };
    _Static_assert(N <= FG_LIBRARIES_MAX, "make room");
    memcpy(out, all, sizeof all);
    return N;
}
