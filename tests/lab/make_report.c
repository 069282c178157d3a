/* make_report: write a sample report to standard output, to be looked at in a browser. */
#include "sample_result.h"

#include <stdio.h>

int main(void)
{
    struct fg_result result = sample_result(500);
    struct fg_buf out;
    fg_buf_init(&out, 16 << 20);
    fg_result_html(&result, &out);
    bool is_written = fwrite(out.at, 1, out.len, stdout) == out.len && !out.full;
    fg_buf_clear(&out);
    fg_arena_clear(&result.arena);
    return is_written && !fflush(stdout) ? 0 : 1;
}
