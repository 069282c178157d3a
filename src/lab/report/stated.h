/* stated.h - what a text states and whether it comes out, as a table of a page: in the
 * report of an experiment, and in the page over all papers. */
#ifndef FG_LAB_REPORT_STATED_H
#define FG_LAB_REPORT_STATED_H

#include "lab/result.h"

/* Orders before values; those of more than some lines are folded away. */
void fg_stated_tables(const struct fg_stated *stated, size_t n, struct fg_buf *out);

#endif
