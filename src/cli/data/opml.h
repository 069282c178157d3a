/* opml.h - the feeds and sites that are watched, as OPML 2.0 for feed readers
 *
 * Tags are folders, one within the other in their order, so that 'forage import opml'
 * reads back the same addresses, names and tags. Documents that are kept fresh are not in
 * it: OPML has no word for them. */
#ifndef FG_CLI_OPML_H
#define FG_CLI_OPML_H

#include "cli/out.h"
#include "view/look.h"

/* Site 0: of all; no tag: with any. */
enum fg_status fg_opml_write(struct fg_out *out, const struct fg_look *look,
                             fg_site_id site, struct fg_str tag, struct fg_err *err);

#endif
