/* A header, then parsed, written and parsed again; and the same bytes as a body. */
#include "net/http/mime.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* What was written reads back as it was. */
static void check_round_trip(struct fg_arena *arena, const struct fg_mime *mime)
{
    struct fg_mime again;
    struct fg_str text = fg_mime_format(arena, mime);
    require(fg_mime_parse(&again, arena, text));
    require(fg_str_eq(again.essence, mime->essence));
    require(again.n_parameters == mime->n_parameters);
    require(mime->n_parameters <= FG_MIME_PARAMETERS_MAX);
    for (size_t i = 0; i < mime->n_parameters; i++) {
        require(fg_str_eq(again.parameters[i].name, mime->parameters[i].name));
        require(fg_str_eq(again.parameters[i].value, mime->parameters[i].value));
    }
    require(fg_str_eq(fg_mime_format(arena, &again), text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fg_arena arena = {0};
    struct fg_str text = {(const char *)data, size};
    struct fg_mime mime;
    if (fg_mime_parse(&mime, &arena, text))
        check_round_trip(&arena, &mime);
    if (fg_mime_extract(&mime, &arena, text))
        check_round_trip(&arena, &mime);
    require(fg_str_chr(fg_mime_sniff(text), '/') != FG_NOT_FOUND);
    fg_mime_is_binary(text);
    fg_arena_clear(&arena);
    return 0;
}
