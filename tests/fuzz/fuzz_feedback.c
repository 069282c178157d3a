/* The input is what somebody sends back of a search result: a token that says what was
 * shown. Beyond staying in bounds: what is taken for ours is, byte for byte, what we
 * would write, and what we write is taken until it is late. */
#include "search/feedback.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct fg_feedback_key key = {{1, 2, 3}};
static const fg_time now = 1800000000 * FG_SECOND;

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check_ours(struct fg_arena *arena, const uint8_t *data, size_t size)
{
    struct fg_shown shown = {.time = now - FG_HOUR}, again;
    memcpy(&shown.site, data, size < 4 ? size : 4);
    memcpy(&shown.page, data + size / 2, size / 2 < 4 ? size / 2 : 4);
    shown.place = 1 + shown.page % 1000;
    shown.view = shown.site * UINT64_C(0x9E3779B97F4A7C15);
    shown.is_promoted = size % 2;
    struct fg_str token = fg_feedback_token(arena, &key, &shown);
    require(fg_feedback_read(&again, &key, token, now) == FG_TOKEN_GOOD);
    require(again.site == shown.site && again.page == shown.page &&
            again.place == shown.place && again.view == shown.view &&
            again.is_promoted == shown.is_promoted);
    require(fg_feedback_read(&again, &key, token, now + FG_FEEDBACK_LIFE + FG_DAY) ==
            FG_TOKEN_LATE);
    char *forged = fg_arena_alloc(arena, token.len);
    memcpy(forged, token.at, token.len);
    size_t at = size ? data[0] % token.len : 0;
    forged[at] = forged[at] == 'a' ? 'b' : 'a';
    require(fg_feedback_read(&again, &key, (struct fg_str){forged, token.len}, now) !=
            FG_TOKEN_GOOD);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fg_arena arena = {0};
    struct fg_shown shown;
    struct fg_str text = {(const char *)data, size};
    if (fg_feedback_read(&shown, &key, text, now) == FG_TOKEN_GOOD)
        require(fg_str_eq(fg_feedback_token(&arena, &key, &shown), text));
    check_ours(&arena, data, size);
    fg_arena_clear(&arena);
    return 0;
}
