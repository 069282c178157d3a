/* notify.h - telling a service manager how we are: sd_notify(3), without its library
 *
 *     struct fg_notifier notifier;
 *     fg_notifier_open(&notifier, getenv("NOTIFY_SOCKET"), getenv("WATCHDOG_USEC"),
 *                      getenv("WATCHDOG_PID"));
 *     fg_notify(&notifier, FG_STR("READY=1\nSTATUS=watching 3 sites"));
 *     ...                                 (WATCHDOG=1 every notifier.watchdog / 2)
 *     fg_notifier_close(&notifier);
 *
 * The protocol is one datagram of "NAME=value" lines to the socket that the manager named
 * in the environment. Where no manager asks, all of this does nothing. */
#ifndef FG_BASE_NOTIFY_H
#define FG_BASE_NOTIFY_H

#include "base/str.h"
#include "base/time.h"

#include <stdbool.h>
#include <sys/un.h>

struct fg_notifier {
    int fd;           /* -1: nobody asks */
    fg_time watchdog; /* we are killed after so long a silence; 0: we are not watched */
    struct sockaddr_un to;
    unsigned to_bytes;
};

/* The three values as they stand in the environment; each may be NULL. A socket is a path
 * or, with "@" in front, an abstract name; anything else is as if it were not given. A
 * watchdog meant for another process, as its number tells, is not ours. */
void fg_notifier_open(struct fg_notifier *notifier, const char *socket_name,
                      const char *watchdog_us, const char *watchdog_pid);
void fg_notifier_close(struct fg_notifier *notifier);

/* Never waits. False if nobody asks, or it could not be handed over. */
bool fg_notify(const struct fg_notifier *notifier, struct fg_str lines);

#endif
