#include "net/feed/websub.h"

#include "base/buf.h"
#include "base/err.h"
#include "net/url/percent.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <stdio.h>

/* --- Link headers --- */

static bool has_word(struct fg_str words, const char *word)
{
    struct fg_str one;
    while (words.len && fg_str_cut(&words, ' ', &one))
        if (fg_str_eq_nocase(fg_str_trim(one), fg_str_from(word)))
            return true;
    return false;
}

/* Up to the next `;` or `,` that does not stand in quotes, with that sign in `end`. */
static struct fg_str next_part(struct fg_str *rest, char *end)
{
    bool is_quoted = false;
    size_t i = 0;
    for (; i < rest->len; i++) {
        char c = rest->at[i];
        if (is_quoted && c == '\\' && i + 1 < rest->len)
            i++;
        else if (c == '"')
            is_quoted = !is_quoted;
        else if (!is_quoted && (c == ';' || c == ','))
            break;
    }
    struct fg_str part = fg_str_sub(*rest, 0, i);
    *end = i < rest->len ? rest->at[i] : '\0';
    *rest = fg_str_skip(*rest, i < rest->len ? i + 1 : i);
    return fg_str_trim(part);
}

static struct fg_str unquoted(struct fg_str value)
{
    value = fg_str_trim(value);
    bool is_quoted =
        value.len >= 2 && value.at[0] == '"' && value.at[value.len - 1] == '"';
    return is_quoted ? fg_str_sub(value, 1, value.len - 1) : value;
}

static void take(struct fg_str *to, struct fg_arena *arena, struct fg_str href,
                 const struct fg_url *base)
{
    struct fg_url url;
    if (!to->len && fg_url_parse(&url, arena, href, base) && fg_url_is_http(&url))
        *to = url.href;
}

void fg_websub_add_header(struct fg_websub_links *links, struct fg_arena *arena,
                          struct fg_str value, const struct fg_url *base)
{
    while (value.len) {
        size_t open = fg_str_chr(value, '<');
        size_t close = fg_str_chr(value, '>');
        if (open == FG_NOT_FOUND || close == FG_NOT_FOUND || close < open)
            return;
        struct fg_str href = fg_str_sub(value, open + 1, close), rel = {0};
        value = fg_str_skip(value, close + 1);
        char end = ';';
        while (end == ';' && value.len) {
            struct fg_str name, part = next_part(&value, &end);
            if (fg_str_cut(&part, '=', &name) && !rel.at &&
                fg_str_eq_nocase(fg_str_trim(name), FG_STR("rel")))
                rel = unquoted(part);
        }
        if (has_word(rel, "hub"))
            take(&links->hub, arena, href, base);
        if (has_word(rel, "self"))
            take(&links->self, arena, href, base);
    }
}

/* --- asking --- */

static void add_pair(struct fg_buf *out, const char *name, struct fg_str value)
{
    fg_buf_printf(out, "%s%s=", out->len ? "&" : "", name);
    for (size_t i = 0; i < value.len; i++) {
        char c = value.at[i];
        if (fg_is_alnum(c) || c == '-' || c == '.' || c == '_')
            fg_buf_add_char(out, c);
        else
            fg_percent_add(out, (unsigned char)c);
    }
}

struct fg_str fg_websub_form(struct fg_arena *arena,
                             const struct fg_websub_request *request)
{
    enum { MOST = 64 << 10 };
    struct fg_buf out;
    char lease[24];
    fg_buf_init(&out, MOST);
    add_pair(&out, "hub.callback", request->callback);
    add_pair(&out, "hub.mode",
             request->is_leaving ? FG_STR("unsubscribe") : FG_STR("subscribe"));
    add_pair(&out, "hub.topic", request->topic);
    if (!request->is_leaving) {
        snprintf(lease, sizeof lease, "%lld", (long long)request->lease_s);
        add_pair(&out, "hub.lease_seconds", fg_str_from(lease));
        add_pair(&out, "hub.secret", request->secret);
    }
    struct fg_str form = fg_arena_dup(arena, fg_buf_str(&out));
    fg_buf_clear(&out);
    return form;
}

/* --- signatures --- */

static const EVP_MD *method_of(struct fg_str name)
{
    static const struct {
        struct fg_str name;
        const EVP_MD *(*method)(void);
    } methods[] = {{{"sha1", 4}, EVP_sha1},
                   {{"sha256", 6}, EVP_sha256},
                   {{"sha384", 6}, EVP_sha384},
                   {{"sha512", 6}, EVP_sha512}};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (fg_str_eq_nocase(name, methods[i].name))
            return methods[i].method();
    return NULL;
}

bool fg_websub_is_signed(struct fg_str header, struct fg_str secret, struct fg_str body)
{
    unsigned char sum[EVP_MAX_MD_SIZE], given[EVP_MAX_MD_SIZE];
    unsigned n = 0;
    struct fg_str name, digits = fg_str_trim(header);
    if (!fg_str_cut(&digits, '=', &name))
        return false;
    const EVP_MD *method = method_of(name);
    if (!method || !secret.len ||
        !HMAC(method, secret.at, (int)secret.len, (const unsigned char *)body.at,
              body.len, sum, &n) ||
        digits.len != 2 * (size_t)n)
        return false;
    for (unsigned i = 0; i < n; i++) {
        int high = fg_hex(digits.at[2 * i]), low = fg_hex(digits.at[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        given[i] = (unsigned char)(high << 4 | low);
    }
    return CRYPTO_memcmp(sum, given, n) == 0;
}

void fg_websub_secret(char out[static FG_WEBSUB_SECRET])
{
    unsigned char bytes[16];
    if (RAND_bytes(bytes, sizeof bytes) != 1)
        fg_out_of_memory(); /* no randomness is as rare, and as final */
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(out + 2 * i, 3, "%02x", bytes[i]);
}
