/* stop.h - ended by a signal, in one's own time
 *
 *     fg_stop_on_signals();
 *     while (!fg_stop_is_wanted()) ...work...
 *
 * The first SIGINT or SIGTERM is only noted; a second one ends the program. For commands
 * that have something to finish; a crawl has its own way (crawl/crawl.h). */
#ifndef FG_CLI_STOP_H
#define FG_CLI_STOP_H

#include <stdbool.h>

void fg_stop_on_signals(void);
bool fg_stop_is_wanted(void);

#endif
