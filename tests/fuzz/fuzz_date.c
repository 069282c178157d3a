/* Dates: what is read stays within four-digit years, reads the same when written in the
 * standard form, and a date that keeps a form is a date. */
#include "net/text/date.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fg_str text = {(const char *)data, size};
    fg_time time = fg_date_parse(text), http = fg_date_parse_http(text);
    if (http != FG_NEVER && http != time)
        abort();
    enum fg_date_form form = fg_date_form(text, time);
    if (form != FG_DATE_OTHER && time == FG_NEVER)
        abort();
    if (time == FG_NEVER)
        return 0;
    fg_time first = fg_days_from_date(-1, 1, 1) * FG_DAY;
    fg_time last = fg_days_from_date(10001, 1, 1) * FG_DAY;
    if (time < first || time > last)
        abort();
    char out[FG_TIME_TEXT];
    fg_time whole = time - (time % FG_SECOND + FG_SECOND) % FG_SECOND;
    if (whole >= fg_days_from_date(0, 1, 1) * FG_DAY &&
        whole < fg_days_from_date(10000, 1, 1) * FG_DAY &&
        fg_date_parse(fg_str_from(fg_time_format(out, whole))) != whole)
        abort();
    return 0;
}
