/* hook.h - a webhook as the user describes it, and how what it is sent is signed
 *
 *     struct fg_hook hook;
 *     fg_hook_parse(&hook, arena, FG_STR("team https://hooks.example/x tag=shop"
 *                                        " secret=file:/etc/forage/team.key"), err);
 *     fg_hook_load_secret(&hook, arena, err);
 *     fg_hook_sign(&hook, id, timestamp, body, signature);
 *
 * The scheme is that of standardwebhooks.com: the headers webhook-id, webhook-timestamp
 * and webhook-signature, the last one "v1," and the base64 of the HMAC-SHA256 of
 * "id.timestamp.body". A secret "whsec_..." is the base64 of the key, as the libraries of
 * that scheme expect; any other is the key itself. It is read from a file or a variable
 * of the environment, never written in the configuration, and never shown. */
#ifndef FG_CRAWL_OUTPUT_HOOK_H
#define FG_CRAWL_OUTPUT_HOOK_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "crawl/output/filter.h"

enum { FG_HOOK_KEY_MAX = 256, FG_HOOK_KEY_MIN = 16, FG_HOOK_SIGNATURE = 64 };

struct fg_hook {
    struct fg_str name, url;
    struct fg_filter filter;
    struct fg_str secret; /* "file:PATH" or "env:NAME"; empty: nothing is signed */
    unsigned char key[FG_HOOK_KEY_MAX];
    size_t key_len;
};

/* Texts live in the arena. */
enum fg_status fg_hook_parse(struct fg_hook *hook, struct fg_arena *arena,
                             struct fg_str text, struct fg_err *err);
enum fg_status fg_hook_load_secret(struct fg_hook *hook, struct fg_err *err);

/* "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=" */
void fg_hook_sign(char out[static FG_HOOK_SIGNATURE], const struct fg_hook *hook,
                  struct fg_str id, int64_t timestamp, struct fg_str body);

/* One request: what is sent and its headers. The memory is the letter's own. */
struct fg_letter {
    struct fg_buf body;
    struct fg_buf lines[3];
    const char *headers[6];
};
void fg_letter_init(struct fg_letter *letter);
void fg_letter_clear(struct fg_letter *letter);
void fg_letter_write(struct fg_letter *letter, const struct fg_hook *hook,
                     struct fg_str id, int64_t timestamp, struct fg_str body);

/* The name under which the store knows how far it has come; in the arena. */
const char *fg_hook_output(struct fg_arena *arena, struct fg_str name);

#endif
