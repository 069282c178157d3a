/* sheet.h - rows of named cells, as JSON lines or as CSV
 *
 *     struct fg_sheet sheet = {.out = &out, .is_csv = true, .is_head = true};
 *     put_page(&sheet, &(struct fg_page_row){0});      (the names of the columns)
 *     sheet.is_head = false;
 *     for ... put_page(&sheet, page);
 *
 * One function writes a row for both: each cell has a name, which is a key in JSON and
 * the head of a column in CSV. CSV is that of RFC 4180. A text that a spreadsheet would
 * take for a formula ("=cmd|..." in a page's title) gets an apostrophe in front unless
 * `is_raw`. */
#ifndef FG_CLI_SHEET_H
#define FG_CLI_SHEET_H

#include "cli/out.h"

struct fg_sheet {
    struct fg_out *out;
    bool is_csv, is_raw, is_head;
    struct fg_json json; /* private, as is the rest */
    bool has_cells;
};

void fg_sheet_begin(struct fg_sheet *sheet);
void fg_sheet_end(struct fg_sheet *sheet);

void fg_sheet_text(struct fg_sheet *sheet, const char *name, struct fg_str text);
void fg_sheet_uint(struct fg_sheet *sheet, const char *name, uint64_t value);
void fg_sheet_double(struct fg_sheet *sheet, const char *name, double value);
void fg_sheet_bool(struct fg_sheet *sheet, const char *name, bool value);
void fg_sheet_time(struct fg_sheet *sheet, const char *name, fg_time time);
void fg_sheet_flags(struct fg_sheet *sheet, const char *name, uint32_t flags);
void fg_sheet_hash(struct fg_sheet *sheet, const char *name, uint64_t value);

#endif
