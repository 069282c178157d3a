/* new_feed.h - what was found lately, as a feed, which has the newest first */
#ifndef FG_VIEW_NEW_FEED_H
#define FG_VIEW_NEW_FEED_H

#include "net/feed/feed_write.h"
#include "view/new.h"
#include "view/render.h"

/* `self` is the feed's own address, or empty. */
void fg_new_feed(struct fg_sink *sink, const struct fg_new_answer *found,
                 const struct fg_new_question *question, enum fg_feed_form form,
                 struct fg_str self);

#endif
