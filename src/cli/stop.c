#include "cli/stop.h"

#include <signal.h>

static volatile sig_atomic_t is_wanted;

static void on_signal(int signal)
{
    (void)signal;
    is_wanted = 1;
}

void fg_stop_on_signals(void)
{
    struct sigaction stop = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &stop, NULL);
    sigaction(SIGTERM, &stop, NULL);
}

bool fg_stop_is_wanted(void)
{
    return is_wanted;
}
