/* rows.h - rows of the store as fields, for the views that have them in common
 *
 * Each table stands without what names the page, which a view adds in front. */
#ifndef FG_VIEW_ROWS_H
#define FG_VIEW_ROWS_H

#include "view/field.h"

extern const struct fg_field fg_page_row_fields[];  /* struct fg_page_row: its history */
extern const struct fg_field fg_visit_row_fields[]; /* struct fg_visit_row, but time */
extern const struct fg_field fg_value_row_fields[]; /* struct fg_value_row: the offer */

#endif
