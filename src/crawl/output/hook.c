#include "crawl/output/hook.h"

#include "base/file.h"
#include "net/url/url.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_SECRET = 4096 };

/* --- the description --- */

static enum fg_status set_url(struct fg_hook *hook, struct fg_arena *arena,
                              struct fg_str text, struct fg_err *err)
{
    struct fg_url url;
    if (!fg_url_parse(&url, arena, text, NULL) || !fg_url_is_http(&url))
        return fg_fail(err, FG_ECONFIG,
                       "'%.*s' is not an http or https address; write NAME URL",
                       FG_ARG(text));
    hook->url = fg_arena_dup(arena, url.href);
    return FG_OK;
}

/* What is wrong is said without repeating it: it may be the secret itself. */
static enum fg_status set_secret(struct fg_hook *hook, struct fg_str value,
                                 struct fg_err *err)
{
    bool is_file = fg_str_starts(value, FG_STR("file:")) && value.len > 5;
    bool is_env = fg_str_starts(value, FG_STR("env:")) && value.len > 4;
    if (!is_file && !is_env)
        return fg_fail(err, FG_ECONFIG,
                       "the secret of webhook '%.*s' does not belong here: write "
                       "secret=file:PATH or secret=env:NAME",
                       FG_ARG(hook->name));
    hook->secret = value;
    return FG_OK;
}

enum fg_status fg_hook_parse(struct fg_hook *hook, struct fg_arena *arena,
                             struct fg_str text, struct fg_err *err)
{
    static const struct fg_str prefix = {"secret=", 7};
    *hook = (struct fg_hook){0};
    struct fg_str word;
    if (!fg_filter_word(&text, arena, &hook->name) || !fg_filter_is_name(hook->name))
        return fg_fail(err, FG_ECONFIG,
                       "'%.*s' is not a name of letters, digits, '-' and '_'; write "
                       "NAME URL",
                       FG_ARG(hook->name));
    if (!fg_filter_word(&text, arena, &word))
        return fg_fail(err, FG_ECONFIG, "webhook '%.*s' has no address; write NAME URL",
                       FG_ARG(hook->name));
    enum fg_status st = set_url(hook, arena, word, err);
    while (!st && fg_filter_word(&text, arena, &word))
        st = fg_str_starts(word, prefix)
                 ? set_secret(hook, fg_str_skip(word, prefix.len), err)
                 : fg_filter_add(&hook->filter, arena, word, err);
    return st;
}

/* --- the secret --- */

static enum fg_status read_secret(const struct fg_hook *hook, struct fg_arena *arena,
                                  struct fg_str *text, struct fg_err *err)
{
    size_t colon = fg_str_chr(hook->secret, ':');
    const char *where = fg_arena_cstr(arena, fg_str_skip(hook->secret, colon + 1));
    if (fg_str_starts(hook->secret, FG_STR("file:"))) {
        enum fg_status st = fg_file_read(text, arena, where, MOST_SECRET, err);
        return st ? fg_err_within(err, FG_ECONFIG, "the secret of a webhook") : FG_OK;
    }
    const char *value = getenv(where);
    if (!value)
        return fg_fail(err, FG_ECONFIG,
                       "the secret of webhook '%.*s' is not there: the variable %s is "
                       "not set",
                       FG_ARG(hook->name), where);
    *text = fg_str_from(value);
    return FG_OK;
}

/* OpenSSL decodes padded groups of four and counts the padding as bytes. */
static bool decode(struct fg_hook *hook, struct fg_str text)
{
    unsigned char out[MOST_SECRET];
    size_t padding = 0;
    while (padding < 2 && padding < text.len && text.at[text.len - 1 - padding] == '=')
        padding++;
    if (text.len % 4 || text.len > MOST_SECRET)
        return false;
    int n = EVP_DecodeBlock(out, (const unsigned char *)text.at, (int)text.len);
    if (n < 0 || (size_t)n < padding || (size_t)n - padding > FG_HOOK_KEY_MAX)
        return false;
    hook->key_len = (size_t)n - padding;
    memcpy(hook->key, out, hook->key_len);
    OPENSSL_cleanse(out, sizeof out);
    return true;
}

static enum fg_status set_key(struct fg_hook *hook, struct fg_str text,
                              struct fg_err *err)
{
    static const struct fg_str prefix = {"whsec_", 6};
    bool is_encoded = fg_str_starts(text, prefix);
    if (is_encoded && !decode(hook, fg_str_skip(text, prefix.len)))
        return fg_fail(err, FG_ECONFIG,
                       "the secret of webhook '%.*s' is not base64 after 'whsec_'",
                       FG_ARG(hook->name));
    if (!is_encoded) {
        hook->key_len = text.len;
        if (text.len <= FG_HOOK_KEY_MAX)
            memcpy(hook->key, text.at, text.len);
    }
    if (hook->key_len >= FG_HOOK_KEY_MIN && hook->key_len <= FG_HOOK_KEY_MAX)
        return FG_OK;
    return fg_fail(err, FG_ECONFIG,
                   "the secret of webhook '%.*s' has %zu bytes; %d to %d are needed",
                   FG_ARG(hook->name), hook->key_len, FG_HOOK_KEY_MIN, FG_HOOK_KEY_MAX);
}

enum fg_status fg_hook_load_secret(struct fg_hook *hook, struct fg_err *err)
{
    if (!hook->secret.len)
        return FG_OK;
    struct fg_arena arena = {0};
    struct fg_str text = FG_STR("");
    enum fg_status st = read_secret(hook, &arena, &text, err);
    if (!st)
        st = set_key(hook, fg_str_trim(text), err);
    fg_arena_clear(&arena);
    return st;
}

void fg_hook_sign(char out[static FG_HOOK_SIGNATURE], const struct fg_hook *hook,
                  struct fg_str id, int64_t timestamp, struct fg_str body)
{
    unsigned char digest[EVP_MAX_MD_SIZE], encoded[EVP_MAX_MD_SIZE * 2];
    unsigned n = 0;
    struct fg_buf text;
    fg_buf_init(&text, SIZE_MAX);
    fg_buf_printf(&text, "%.*s.%lld.", FG_ARG(id), (long long)timestamp);
    fg_buf_add(&text, body);
    HMAC(EVP_sha256(), hook->key, (int)hook->key_len, (const unsigned char *)text.at,
         text.len, digest, &n);
    EVP_EncodeBlock(encoded, digest, (int)n);
    snprintf(out, FG_HOOK_SIGNATURE, "v1,%s", encoded);
    fg_buf_clear(&text);
}

/* --- what is sent --- */

void fg_letter_init(struct fg_letter *letter)
{
    *letter = (struct fg_letter){0};
    fg_buf_init(&letter->body, 16 << 20);
    for (size_t i = 0; i < sizeof letter->lines / sizeof *letter->lines; i++)
        fg_buf_init(&letter->lines[i], 4096);
}

void fg_letter_clear(struct fg_letter *letter)
{
    fg_buf_clear(&letter->body);
    for (size_t i = 0; i < sizeof letter->lines / sizeof *letter->lines; i++)
        fg_buf_clear(&letter->lines[i]);
}

void fg_letter_write(struct fg_letter *letter, const struct fg_hook *hook,
                     struct fg_str id, int64_t timestamp, struct fg_str body)
{
    char signature[FG_HOOK_SIGNATURE];
    size_t n = 0;
    fg_buf_reset(&letter->body);
    fg_buf_add(&letter->body, body);
    for (size_t i = 0; i < sizeof letter->lines / sizeof *letter->lines; i++)
        fg_buf_reset(&letter->lines[i]);
    letter->headers[n++] = "Content-Type: application/json";
    letter->headers[n++] = "Expect:"; /* no round trip before a small body */
    fg_buf_printf(&letter->lines[0], "webhook-id: %.*s", FG_ARG(id));
    fg_buf_printf(&letter->lines[1], "webhook-timestamp: %lld", (long long)timestamp);
    letter->headers[n++] = letter->lines[0].at;
    letter->headers[n++] = letter->lines[1].at;
    if (hook->key_len) {
        fg_hook_sign(signature, hook, id, timestamp, body);
        fg_buf_printf(&letter->lines[2], "webhook-signature: %s", signature);
        letter->headers[n++] = letter->lines[2].at;
    }
    letter->headers[n] = NULL;
}

const char *fg_hook_output(struct fg_arena *arena, struct fg_str name)
{
    return fg_arena_printf(arena, "webhook:%.*s", FG_ARG(name)).at;
}
