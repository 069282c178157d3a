/* The canonical form of whatever parses must parse to itself and be its own canonical
 * form, under every combination of options; its site and domain are parts of it. */
#include "base/arena.h"
#include "net/url/canonical.h"
#include "net/url/domain.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool claim)
{
    if (!claim)
        abort();
}

static void check(struct fg_arena *arena, const struct fg_url *url, unsigned keep)
{
    struct fg_url again;
    struct fg_str text = fg_canonical_from(arena, url, keep);
    if (text.len > FG_URL_MAX)
        return; /* encoding may make it longer than the parser takes */
    require(fg_url_parse(&again, arena, text, NULL));
    require(fg_str_eq(again.href, text));
    require(fg_str_eq(fg_canonical_from(arena, &again, keep), text));
    require(fg_str_starts(text, fg_canonical_site(text)));
    require(again.fragment_start == again.href.len);
    if (fg_url_is_http(url))
        require(fg_canonical_site(text).len > 7 && again.host_start < 9);
    struct fg_str domain = fg_domain_registrable(fg_url_hostname(&again));
    require(fg_str_find(fg_url_hostname(&again), domain) != FG_NOT_FOUND);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fg_arena arena = {0};
    struct fg_url url;
    if (fg_url_parse(&url, &arena, (struct fg_str){(const char *)data, size}, NULL))
        for (unsigned keep = 0; keep < 4; keep++)
            check(&arena, &url, keep);
    fg_arena_clear(&arena);
    return 0;
}
