/* The input is a Link header, and a signature of itself. Beyond staying in bounds: what
 * is found is an address of the web, and no such signature is taken. */
#include "net/feed/websub.h"

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
    struct fg_websub_links links = {0};
    struct fg_url base, url;
    require(fg_url_parse(&base, &arena, FG_STR("https://a.example/feed"), NULL));
    fg_websub_add_header(&links, &arena, text, &base);
    struct fg_str found[] = {links.hub, links.self};
    for (size_t i = 0; i < 2; i++)
        require(!found[i].len || (fg_url_parse(&url, &arena, found[i], NULL) &&
                                  fg_url_is_http(&url) && fg_str_eq(url.href, found[i])));
    require(!fg_websub_is_signed(text, FG_STR("secret"), text));
    fg_arena_clear(&arena);
    return 0;
}
