/* mail.h - the parts of an e-mail that other people's words go into
 *
 *     fg_mail_header(&buf, "Subject", title);      RFC 2047, one line whatever is in it
 *     fg_mail_quoted(&buf, text);                  RFC 2045, quoted-printable
 *
 * Lines end in "\n", as a sendmail command expects them on its standard input. Nothing in
 * a text can begin another header, or another line: control characters become blanks. */
#ifndef FG_NET_MAIL_H
#define FG_NET_MAIL_H

#include "base/buf.h"
#include "base/str.h"

/* "Name: text\n", encoded if it is long or not plain ASCII. */
void fg_mail_header(struct fg_buf *out, const char *name, struct fg_str text);

/* A body for Content-Transfer-Encoding: quoted-printable; ends in a newline. Broken UTF-8
 * becomes U+FFFD. */
void fg_mail_quoted(struct fg_buf *out, struct fg_str text);

#endif
