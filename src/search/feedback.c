#include "search/feedback.h"

#include "base/memory.h"

#include <math.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <stdlib.h>
#include <string.h>

static const char KEY_NAME[] = "feedback:key";

enum { PLACE_MOST = 100000, SIGNATURE = 16, PLAIN = 4 + 4 + 4 + 1 + 8 + 8 };

/* --- the key --- */

static enum fg_status read_key(struct fg_feedback_key *key, struct fg_store *store,
                               struct fg_err *err)
{
    struct fg_arena arena = {0};
    struct fg_str bytes;
    enum fg_status st = fg_store_state(store, &bytes, &arena, 0, KEY_NAME, err);
    if (!st && bytes.len != sizeof key->bytes)
        st = fg_fail(err, FG_EINPUT, "the state '%s' of the store is damaged", KEY_NAME);
    if (!st)
        memcpy(key->bytes, bytes.at, sizeof key->bytes);
    fg_arena_clear(&arena);
    return st;
}

enum fg_status fg_feedback_key(struct fg_feedback_key *key, struct fg_store *store,
                               const char *place, struct fg_err *err)
{
    enum fg_status st = read_key(key, store, err);
    if (st != FG_ENOTFOUND)
        return st;
    struct fg_feedback_key fresh;
    if (RAND_bytes(fresh.bytes, sizeof fresh.bytes) != 1)
        return fg_fail(err, FG_EIO, "the system has no random numbers");
    /* Of two processes that do this, the one that comes later reads the other's. */
    st = fg_store_keep_state(
        place, KEY_NAME, (struct fg_str){(const char *)fresh.bytes, sizeof fresh.bytes},
        err);
    OPENSSL_cleanse(&fresh, sizeof fresh);
    return st ? st : read_key(key, store, err);
}

uint64_t fg_feedback_view(void)
{
    uint64_t view = 0;
    RAND_bytes((unsigned char *)&view, sizeof view);
    return view;
}

static void sign(unsigned char out[static SIGNATURE], const struct fg_feedback_key *key,
                 const void *bytes, size_t n)
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    HMAC(EVP_sha256(), key->bytes, sizeof key->bytes, bytes, n, digest, NULL);
    memcpy(out, digest, SIGNATURE);
}

/* --- tokens --- */

static unsigned char *put(unsigned char *at, uint64_t value, size_t bytes)
{
    for (size_t i = bytes; i--; value >>= 8)
        at[i] = (unsigned char)value;
    return at + bytes;
}

static const unsigned char *get(const unsigned char *at, uint64_t *value, size_t bytes)
{
    *value = 0;
    for (size_t i = 0; i < bytes; i++)
        *value = *value << 8 | at[i];
    return at + bytes;
}

/* 29 bytes and their signature: 45, which base64 makes 60 of, without padding. */
struct fg_str fg_feedback_token(struct fg_arena *arena, const struct fg_feedback_key *key,
                                const struct fg_shown *shown)
{
    unsigned char bytes[PLAIN + SIGNATURE], *at = bytes;
    at = put(at, shown->site, 4);
    at = put(at, shown->page, 4);
    at = put(at, shown->place, 4);
    at = put(at, shown->is_promoted, 1);
    at = put(at, (uint64_t)shown->time, 8);
    at = put(at, shown->view, 8);
    sign(at, key, bytes, PLAIN);
    char *text = fg_arena_bytes(arena, 61);
    EVP_EncodeBlock((unsigned char *)text, bytes, sizeof bytes);
    for (size_t i = 0; i < 60; i++)
        text[i] = text[i] == '+' ? '-' : text[i] == '/' ? '_' : text[i];
    return (struct fg_str){text, 60};
}

static bool decode(unsigned char out[static PLAIN + SIGNATURE], struct fg_str token)
{
    unsigned char text[60];
    if (token.len != sizeof text)
        return false;
    for (size_t i = 0; i < sizeof text; i++) {
        char c = token.at[i];
        if (!fg_is_alpha(c) && !fg_is_digit(c) && c != '-' && c != '_')
            return false;
        text[i] = (unsigned char)(c == '-' ? '+' : c == '_' ? '/' : c);
    }
    return EVP_DecodeBlock(out, text, sizeof text) == PLAIN + SIGNATURE;
}

enum fg_token_is fg_feedback_read(struct fg_shown *shown,
                                  const struct fg_feedback_key *key, struct fg_str token,
                                  fg_time now)
{
    unsigned char bytes[PLAIN + SIGNATURE], right[SIGNATURE];
    uint64_t part[6];
    if (!decode(bytes, token))
        return FG_TOKEN_FORGED;
    sign(right, key, bytes, PLAIN);
    if (CRYPTO_memcmp(right, bytes + PLAIN, SIGNATURE) != 0)
        return FG_TOKEN_FORGED;
    static const size_t sizes[] = {4, 4, 4, 1, 8, 8};
    const unsigned char *at = bytes;
    for (size_t i = 0; i < 6; i++)
        at = get(at, &part[i], sizes[i]);
    *shown =
        (struct fg_shown){(fg_site_id)part[0], (fg_page_id)part[1], (uint32_t)part[2],
                          part[3] != 0,        (fg_time)part[4],    part[5]};
    return now - shown->time > FG_FEEDBACK_LIFE ? FG_TOKEN_LATE : FG_TOKEN_GOOD;
}

/* --- counting --- */

/* The same view, page and kind of event have the same mark, which cannot be foreseen. */
static uint64_t mark_of(const struct fg_feedback_key *key,
                        const struct fg_feedback_event *event)
{
    unsigned char bytes[1 + 4 + 4 + 8], *at = bytes, out[SIGNATURE];
    uint64_t mark;
    at = put(at, event->kind, 1);
    at = put(at, event->shown.site, 4);
    at = put(at, event->shown.page, 4);
    put(at, event->shown.view, 8);
    sign(out, key, bytes, sizeof bytes);
    get(out, &mark, 8);
    return mark;
}

static struct fg_feedback_note note_of(const struct fg_feedback_key *key,
                                       const struct fg_feedback_event *event)
{
    const struct fg_shown *shown = &event->shown;
    double place = fmin(fmax(shown->place, 1), PLACE_MOST);
    struct fg_feedback_note note = {.row = {.site = shown->site, .page = shown->page},
                                    .mark = mark_of(key, event),
                                    .until = shown->time + FG_FEEDBACK_LIFE + FG_HOUR};
    if (event->kind == FG_WAS_CHOSEN) {
        note.row.clicks = 1;
    } else {
        note.row.shown = 1;
        note.row.looks = (uint64_t)llround(1e6 * pow(place, -1.5));
    }
    return note;
}

enum fg_status fg_feedback_take(struct fg_feedback_outcome *outcome, const char *place,
                                const struct fg_feedback_key *key,
                                const struct fg_feedback_event *events, size_t n,
                                fg_time now, struct fg_err *err)
{
    struct fg_feedback_note *notes = fg_zeroed(n + 1, sizeof *notes);
    bool *is_new = fg_zeroed(n + 1, sizeof *is_new);
    *outcome = (struct fg_feedback_outcome){0};
    for (size_t i = 0; i < n; i++)
        notes[i] = note_of(key, &events[i]);
    enum fg_status st =
        n ? fg_store_note_feedback(place, notes, n, now, is_new, err) : FG_OK;
    for (size_t i = 0; !st && i < n; i++) {
        outcome->taken += is_new[i];
        outcome->again += !is_new[i];
    }
    free(notes);
    free(is_new);
    return st;
}
