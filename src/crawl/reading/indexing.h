/* indexing.h - what of a page goes into the index that 'forage search' reads */
#ifndef FG_CRAWL_INDEXING_H
#define FG_CRAWL_INDEXING_H

#include "crawl/reading/reading.h"
#include "policy/mind.h"
#include "store/index.h"
#include "store/store.h"

struct fg_known;

/* The words of links that a source has got, and that it has lost. */
void indexing_anchors(struct fg_batch *batch, const struct fg_known *known,
                      const struct fg_visit_row *log, const struct fg_reading *reading,
                      const struct fg_visit *told);
/* What a page is searched by; `is_kept` false: its owner objects, and nothing is kept. */
void indexing_text(struct fg_batch *batch, const struct fg_visit_row *log,
                   const struct fg_reading *reading, struct fg_str title, bool is_kept);

#endif
