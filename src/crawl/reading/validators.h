/* validators.h - is it true that nothing has changed?
 *
 *     if (fg_validators_doubted(&validators)) ...ask for the page without condition...
 *     fg_validators_unmodified(&validators);           the answer was 304
 *     if (fg_validators_catch(&validators, ...)) ...   the whole answer shows a change
 *
 * A broken cache says "not modified" whatever happens to the page, and nothing would ever
 * be seen of it again. So where a site says nothing else for a while, at first for one
 * answer and in the end for seven, the next is to be a whole one. If that shows a change,
 * under the very ETag that we had or for the second time, the site is not asked again on
 * condition while the crawl runs. */
#ifndef FG_CRAWL_VALIDATORS_H
#define FG_CRAWL_VALIDATORS_H

#include <stdbool.h>
#include <stdint.h>

struct fg_validators {
    uint8_t unmodified; /* answers in a row that said so */
    uint8_t trust;      /* how many of these are believed */
    uint8_t caught;     /* times that it was not true */
};

/* Is the next page to be asked for without condition? If so, somebody will. */
bool fg_validators_doubted(struct fg_validators *validators);
void fg_validators_unmodified(struct fg_validators *validators);
/* True: from now on it is doubted for good. */
bool fg_validators_catch(struct fg_validators *validators, bool is_certain);

#endif
