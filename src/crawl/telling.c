/* What the refresh policy is told about documents besides their visits: click and
 * impression counts that were imported, and rates that a model expects of them. */
#include "crawl/state.h"

void crawl_tell(struct fg_crawl *crawl, fg_time now)
{
    (void)crawl;
    (void)now;
}

void crawl_tell_document(struct fg_crawl *crawl, uint32_t row, fg_time now)
{
    (void)crawl;
    (void)row;
    (void)now;
}
