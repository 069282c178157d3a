/* render.h - an answer as JSON, as CSV, or as text for a terminal
 *
 *     struct fg_buf buf;
 *     struct fg_sink sink = {.buf = &buf, .flow = send_what_has_gathered};
 *     st = fg_render_json(&sink, &view->answer, value, err);
 *
 * One renderer each, and none knows what an answer is about: view/field.h describes it.
 * After each row the sink is asked to flow, so that the memory taken does not grow with
 * the number of rows. The failures are those of the walks that give rows. */
#ifndef FG_VIEW_RENDER_H
#define FG_VIEW_RENDER_H

#include "base/buf.h"
#include "view/field.h"

struct fg_sink {
    struct fg_buf *buf;
    /* May take what is in the buffer; false: nobody reads on. NULL: all stays there. */
    bool (*flow)(void *context);
    void *context;
    bool is_terminal; /* nothing in a text may act on it */
};
static inline bool fg_sink_flows(struct fg_sink *sink)
{
    return !sink->flow || sink->flow(sink->context);
}

/* An answer that is a record is an object, one of rows an array, or an object a line. */
enum fg_status fg_render_json(struct fg_sink *sink, const struct fg_field *answer,
                              const void *value, struct fg_err *err);

/* RFC 4180. Of a record, its rows that are the sheet; if it has none, a single row. The
 * columns of a record within a row are named "record.column". A text that a spreadsheet
 * would take for a formula gets an apostrophe in front unless `is_raw`. */
enum fg_status fg_render_csv(struct fg_sink *sink, const struct fg_field *answer,
                             const void *value, bool is_raw, struct fg_err *err);
/* Has it more than a single row? */
bool fg_render_has_sheet(const struct fg_field *answer);

/* Labels in a column of their own, tables aligned by what their first rows need. Texts
 * are made harmless (base/plain.h). */
struct fg_text_style {
    fg_time now;     /* for "3m ago" */
    size_t columns;  /* of the terminal: a wide column is cut to fit; 0: none is */
    bool is_colored; /* heads of tables are bold */
    size_t labels;   /* columns of a label; 0: 14 */
};
enum fg_status fg_render_text(struct fg_sink *sink, const struct fg_field *answer,
                              const void *value, const struct fg_text_style *style,
                              struct fg_err *err);

/* Columns of a terminal that a text takes: two for wide characters, none for marks. */
size_t fg_text_width(struct fg_str text);

#endif
