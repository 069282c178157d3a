#include "base/notify.h"

#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* False if the name is none. */
static bool set_address(struct fg_notifier *notifier, const char *name)
{
    struct sockaddr_un *to = &notifier->to;
    size_t n = name ? strlen(name) : 0;
    if (n < 2 || n >= sizeof to->sun_path || (name[0] != '/' && name[0] != '@'))
        return false;
    *to = (struct sockaddr_un){.sun_family = AF_UNIX};
    memcpy(to->sun_path, name, n);
    bool is_abstract = name[0] == '@';
    if (is_abstract)
        to->sun_path[0] = '\0';
    /* An abstract name ends where its length says, a path with its NUL. */
    notifier->to_bytes =
        (unsigned)(offsetof(struct sockaddr_un, sun_path) + n + (is_abstract ? 0 : 1));
    return true;
}

static fg_time watchdog_from(const char *us, const char *pid)
{
    double span, process;
    if (!us || !fg_str_to_double(fg_str_from(us), &span) || span < 1 ||
        span > (double)(365 * FG_DAY))
        return 0;
    bool is_ours = !pid || (fg_str_to_double(fg_str_from(pid), &process) &&
                            (long)process == (long)getpid());
    return is_ours ? (fg_time)span : 0;
}

void fg_notifier_open(struct fg_notifier *notifier, const char *socket_name,
                      const char *watchdog_us, const char *watchdog_pid)
{
    *notifier = (struct fg_notifier){.fd = -1};
    if (!set_address(notifier, socket_name))
        return;
    notifier->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (notifier->fd >= 0)
        notifier->watchdog = watchdog_from(watchdog_us, watchdog_pid);
}

void fg_notifier_close(struct fg_notifier *notifier)
{
    if (notifier->fd >= 0)
        close(notifier->fd);
    *notifier = (struct fg_notifier){.fd = -1};
}

bool fg_notify(const struct fg_notifier *notifier, struct fg_str lines)
{
    return notifier->fd >= 0 &&
           sendto(notifier->fd, lines.at, lines.len, MSG_NOSIGNAL | MSG_DONTWAIT,
                  (const struct sockaddr *)&notifier->to,
                  notifier->to_bytes) == (ssize_t)lines.len;
}
