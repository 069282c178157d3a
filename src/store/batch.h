/* batch.h - what a batch holds until the writer thread takes it
 *
 * A list of things to do, in order, with all their bytes in the batch's own arena.
 * Private to the store: callers see the functions of store.h. */
#ifndef FG_STORE_BATCH_H
#define FG_STORE_BATCH_H

#include "store/store.h"

enum fg_op_kind {
    FG_OP_SITE,
    FG_OP_PAGE,
    FG_OP_PAGE_CONTENT,
    FG_OP_PAGE_FLAGS,
    FG_OP_PAGE_WEIGHT,
    FG_OP_VISIT,
    FG_OP_CAPTURE,
    FG_OP_LINK,
    FG_OP_BODY,
    FG_OP_EVENT,
    FG_OP_DELIVERED,
    FG_OP_STATE,
    FG_OP_LABEL,
    FG_OP_UNLABEL,
    FG_OP_DAILY,
    FG_OP_VALUE,
    FG_OP_VALUE_RULE,
    FG_OP_WAITING,
    FG_OP_NOT_WAITING,
    FG_OP_REQUEST,
    FG_OP_NOTE,
    FG_OP_PROMISE,
    FG_OP_EARLY,
    FG_OP_PLACE_EARLY,
    FG_OP_RENEW_SITE,
    FG_OP_FORGET_SITE,
    FG_OP_PRUNE,
};

/* What has no row in store.h: names and bytes under a page or a site. */
struct fg_op_item {
    fg_site_id site;
    fg_page_id page;
    fg_time time;
    struct fg_str name, bytes;
    uint64_t number, position;
    bool relevant;
};

struct fg_op {
    struct fg_op *next;
    enum fg_op_kind kind;
    union {
        struct fg_site_row site;
        struct fg_page_row page;
        struct fg_visit_row visit;
        struct fg_link_row link;
        struct fg_event_row event;
        struct fg_value_row value;
        struct fg_waiting_row waiting;
        struct fg_request_row request;
        struct fg_note_row note;
        struct fg_prune prune;
        struct fg_op_item item; /* all other kinds */
    };
};

struct fg_batch {
    struct fg_store *store;
    struct fg_batch *next; /* in the queue, or in the free list */
    struct fg_arena arena;
    struct fg_op *first, *last;
    uint64_t number;
};

/* Empty it for the next use, giving unusually large memory back. */
void fg_batch_reset(struct fg_batch *batch);
void fg_batch_free(struct fg_batch *batch);

#endif
