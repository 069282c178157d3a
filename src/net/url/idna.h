/* idna.h - international domain names in ASCII (UTS #46 as the URL standard uses it)
 *
 *     fg_idna_to_ascii(&out, FG_STR("B\xC3\xBC" "cher.de"));       "xn--bcher-kva.de"
 *
 * Non-transitional, CheckHyphens and VerifyDnsLength off, CheckBidi and CheckJoiners on.
 * An all-ASCII name only becomes lower case: browsers let broken Punycode in it pass, and
 * so does the standard's test suite.
 *
 * The work is done by ICU. We compared it with libidn2 2.3 on the 1941 public cases:
 * libidn2 fails 143 of them, for it adds the rules of IDNA 2008, which refuse symbols and
 * emoji that browsers take; ICU 72 fails 59, all but one because its tables are those of
 * Unicode 15.0. What UTS #46 has changed since for characters that ICU knows is a short
 * table in idna.c; with it there remain the characters that are newer than the library.
 * libxml2 brings ICU along in any case. */
#ifndef FG_NET_IDNA_H
#define FG_NET_IDNA_H

#include "base/buf.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/* Longest name that is not ASCII, in bytes of UTF-8: Punycode takes quadratic time. DNS
 * allows 255. */
#define FG_IDNA_MAX 1024

/* Add the ASCII form of a domain name to `out`; false if it has none. Broken UTF-8 has
 * none. The characters a host may not contain are for the caller to refuse. */
bool fg_idna_to_ascii(struct fg_buf *out, struct fg_str domain);

/* Whether the library is too old to know this character, so that names with it are
 * refused although a newer one would take them. */
bool fg_idna_is_too_new(uint32_t code_point);

#endif
