#include "cli/cli.h"

#include <curl/curl.h>
#include <event2/event.h>
#include <jansson.h>
#include <libpsl.h>
#include <libxml/parser.h>
#include <microhttpd.h>
#include <openssl/crypto.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <unicode/uversion.h>
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
    UVersionInfo numbers;
    char icu[U_MAX_VERSION_STRING_LENGTH];
    u_getVersion(numbers);
    u_versionToString(numbers, icu);
    /* What it says at run time, which is not always what it was compiled against. */
    const struct fg_library all[] = {
        {"icu", fg_arena_cstr(arena, fg_str_from(icu))},
        {"jansson", jansson_version_str()},
        {"libcrypto", OpenSSL_version(OPENSSL_VERSION_STRING)},
        {"libcurl", curl_version_info(CURLVERSION_NOW)->version},
        {"libevent", event_get_version()},
        {"libmicrohttpd", MHD_get_version()},
        {"libpsl", psl_get_version()},
        {"libxml2", dotted(arena, strtol(xmlParserVersion, NULL, 10), 100).at},
        {"libyaml", yaml_get_version_string()},
        {"sqlite", sqlite3_libversion()},
        {"uchardet", NULL}, /* it does not tell */
        {"xxhash", dotted(arena, (long)XXH_versionNumber(), 100).at},
        {"zlib", zlibVersion()},
        {"zstd", ZSTD_versionString()},
    };
    enum { N = sizeof all / sizeof *all };
    _Static_assert(N <= FG_LIBRARIES_MAX, "make room");
    memcpy(out, all, sizeof all);
    return N;
}
