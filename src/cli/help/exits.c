#include "cli/cli.h"

const struct fg_exit_row fg_exit_table[] = {
    {FG_EXIT_OK, "ok", "everything asked for was done, or the time given to it is over"},
    {FG_EXIT_ERROR, "error", "something failed; the message says what"},
    {FG_EXIT_DISK_FULL, "disk full", "no room left to write to"},
    {FG_EXIT_CONFIG, "bad configuration",
     "a configuration file, environment variable, flag or argument is wrong"},
    {FG_EXIT_INTERRUPTED, "interrupted", "stopped by a signal, all work saved"},
    {FG_EXIT_FORCED, "forced", "stopped by a second signal, without waiting"},
    {FG_EXIT_SIZE_LIMIT, "size limit",
     "a stated maximum of bytes or requests was reached"},
    {FG_EXIT_RATE_LIMITED, "rate limited",
     "the other side asked us to slow down or stop"},
    {0},
};

enum fg_exit fg_exit_from(enum fg_status status)
{
    switch (status) {
    case FG_OK:
        return FG_EXIT_OK;
    case FG_EFULL:
        return FG_EXIT_DISK_FULL;
    case FG_ECONFIG:
        return FG_EXIT_CONFIG;
    case FG_ELIMIT:
        return FG_EXIT_SIZE_LIMIT;
    case FG_EIO:
    case FG_EINPUT:
    case FG_ENOTFOUND:
        return FG_EXIT_ERROR;
    }
    return FG_EXIT_ERROR;
}
