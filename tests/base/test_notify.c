#include "test.h"

#include "base/notify.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

/* A manager that listens under a name; abstract if it starts with "@". */
static int listen_at(const char *name)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    size_t n = strlen(name);
    memcpy(at.sun_path, name, n);
    if (name[0] == '@')
        at.sun_path[0] = '\0';
    int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&at,
                          (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n)),
                     0);
    return fd;
}

static void hears(int fd, const char *expected)
{
    char text[200];
    ssize_t n = recv(fd, text, sizeof text - 1, MSG_DONTWAIT);
    assert_true(n >= 0);
    text[n] = '\0';
    assert_string_equal(text, expected);
}

static void notify_reaches_a_path(void **state)
{
    (void)state;
    char folder[] = "/tmp/forage-notify-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/socket", folder);
    int fd = listen_at(path);
    struct fg_notifier notifier;
    fg_notifier_open(&notifier, path, NULL, NULL);
    assert_true(fg_notify(&notifier, FG_STR("READY=1\nSTATUS=x")));
    hears(fd, "READY=1\nSTATUS=x");
    assert_int_equal(notifier.watchdog, 0);
    close(fd);
    unlink(path);
    assert_false(fg_notify(&notifier, FG_STR("WATCHDOG=1"))); /* it has gone: no harm */
    fg_notifier_close(&notifier);
    rmdir(folder);
}

static void notify_reaches_an_abstract_name(void **state)
{
    (void)state;
    char name[64];
    snprintf(name, sizeof name, "@forage-notify-%ld", (long)getpid());
    int fd = listen_at(name);
    struct fg_notifier notifier;
    fg_notifier_open(&notifier, name, NULL, NULL);
    assert_true(fg_notify(&notifier, FG_STR("WATCHDOG=1")));
    hears(fd, "WATCHDOG=1");
    fg_notifier_close(&notifier);
    assert_false(fg_notify(&notifier, FG_STR("WATCHDOG=1")));
    close(fd);
}

static void notify_is_silent_without_a_socket(void **state)
{
    (void)state;
    char longer[200];
    memset(longer, 'a', sizeof longer - 1);
    longer[0] = '/';
    longer[sizeof longer - 1] = '\0';
    const char *const names[] = {NULL, "", "@", "/", "relative", "vsock:2:1", longer};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct fg_notifier notifier;
        fg_notifier_open(&notifier, names[i], "1000000", NULL);
        assert_int_equal(notifier.fd, -1);
        assert_int_equal(notifier.watchdog, 0);
        assert_false(fg_notify(&notifier, FG_STR("READY=1")));
        fg_notifier_close(&notifier);
    }
}

static fg_time watchdog(const char *us, const char *pid)
{
    struct fg_notifier notifier;
    fg_notifier_open(&notifier, "@forage-nobody", us, pid);
    fg_time span = notifier.watchdog;
    fg_notifier_close(&notifier);
    return span;
}

static void notify_knows_whose_watchdog_it_is(void **state)
{
    (void)state;
    char own[32];
    snprintf(own, sizeof own, "%ld", (long)getpid());
    assert_int_equal(watchdog("30000000", NULL), 30 * FG_SECOND);
    assert_int_equal(watchdog("30000000", own), 30 * FG_SECOND);
    assert_int_equal(watchdog("30000000", "1"), 0);
    assert_int_equal(watchdog("30000000", "me"), 0);
    assert_int_equal(watchdog("0", NULL), 0);
    assert_int_equal(watchdog("-5", NULL), 0);
    assert_int_equal(watchdog("1e300", NULL), 0);
    assert_int_equal(watchdog("soon", NULL), 0);
    assert_int_equal(watchdog(NULL, own), 0);
}

FG_TESTS(notify_reaches_a_path, notify_reaches_an_abstract_name,
         notify_is_silent_without_a_socket, notify_knows_whose_watchdog_it_is)
