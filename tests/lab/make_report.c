/* make_report [POINTS]: write a sample report to standard output, to be looked at in a
 * browser. */
#include "sample_result.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    struct fg_result result = sample_result(argc > 1 ? strtoul(argv[1], NULL, 10) : 500);
    struct fg_buf out;
    fg_buf_init(&out, 16 << 20);
    fg_result_html(&result, &out);
    bool is_written = fwrite(out.at, 1, out.len, stdout) == out.len && !out.full;
    fg_buf_clear(&out);
    fg_arena_clear(&result.arena);
    return is_written && !fflush(stdout) ? 0 : 1;
}
