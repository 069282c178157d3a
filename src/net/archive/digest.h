/* digest.h - SHA-1 as archives write it: "sha1:" and 32 letters of base 32
 *
 *     struct fg_digest *digest = fg_digest_new();
 *     fg_digest_add(digest, bytes);
 *     struct fg_sha1 sum = fg_digest_take(digest);      (and it is as new again)
 *     fg_sha1_format(text, &sum);
 *     fg_digest_free(digest);
 *
 * SHA-1 names content here and protects nothing: it is what every tool that reads WARC
 * and CDXJ files expects. The sums themselves are libcrypto's work. */
#ifndef FG_NET_DIGEST_H
#define FG_NET_DIGEST_H

#include "base/str.h"

enum { FG_SHA1_BYTES = 20, FG_SHA1_TEXT = 40 };

struct fg_sha1 {
    uint8_t bytes[FG_SHA1_BYTES];
};

struct fg_digest; /* private to digest.c */

struct fg_digest *fg_digest_new(void);
void fg_digest_free(struct fg_digest *digest);
void fg_digest_add(struct fg_digest *digest, struct fg_str bytes);
struct fg_sha1 fg_digest_take(struct fg_digest *digest);

/* "sha1:B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A"; returns `out`. */
char *fg_sha1_format(char out[static FG_SHA1_TEXT], const struct fg_sha1 *sum);

/* In base 32, hexadecimal or base 64, all of which are found in archives; "sha1:" may be
 * missing. False if it is anything else, such as the sum of another algorithm. */
bool fg_sha1_parse(struct fg_sha1 *sum, struct fg_str text);

#endif
