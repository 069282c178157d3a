/* Batches are filled by the crawl and emptied by the writer thread, thousands a second.
 * Each keeps its first block of memory when it is recycled, so that in the steady state
 * nothing is allocated; one that once held a large body gives that memory back. */
#include "store/batch.h"

#include "base/memory.h"

#include "store/sqlite.h"

#include <assert.h>
#include <stdlib.h>

enum { KEPT_BYTES = 64 << 10, KEPT_BATCHES = 1024 };

static struct fg_op *add(struct fg_batch *batch, enum fg_op_kind kind)
{
    struct fg_op *op = FG_NEW(&batch->arena, struct fg_op, 1);
    op->kind = kind;
    if (batch->last)
        batch->last->next = op;
    else
        batch->first = op;
    batch->last = op;
    return op;
}

static void keep(struct fg_batch *batch, struct fg_str *text)
{
    if (text->len)
        *text = fg_arena_dup(&batch->arena, *text);
    else
        *text = FG_STR("");
}

void fg_batch_site(struct fg_batch *batch, const struct fg_site_row *site)
{
    struct fg_site_row *row = &add(batch, FG_OP_SITE)->site;
    *row = *site;
    keep(batch, &row->key);
    keep(batch, &row->domain);
    keep(batch, &row->tags);
    keep(batch, &row->robots);
    keep(batch, &row->settings);
}

static void add_page(struct fg_batch *batch, enum fg_op_kind kind,
                     const struct fg_page_row *page)
{
    struct fg_page_row *row = &add(batch, kind)->page;
    *row = *page;
    keep(batch, &row->url);
    keep(batch, &row->etag);
    keep(batch, &row->last_modified);
    keep(batch, &row->title);
    keep(batch, &row->language);
}

void fg_batch_page(struct fg_batch *batch, const struct fg_page_row *page)
{
    add_page(batch, FG_OP_PAGE, page);
}

void fg_batch_page_content(struct fg_batch *batch, const struct fg_page_row *page)
{
    struct fg_page_row content = *page;
    content.url = (struct fg_str){0}; /* not written, so not copied */
    add_page(batch, FG_OP_PAGE_CONTENT, &content);
}

void fg_batch_page_flags(struct fg_batch *batch, fg_site_id site, fg_page_id page,
                         uint32_t flags, fg_page_id alias_of)
{
    add(batch, FG_OP_PAGE_FLAGS)->page = (struct fg_page_row){
        .site = site, .page = page, .flags = flags, .alias_of = alias_of};
}

void fg_batch_page_weight(struct fg_batch *batch, fg_site_id site, fg_page_id page,
                          float weight)
{
    add(batch, FG_OP_PAGE_WEIGHT)->page =
        (struct fg_page_row){.site = site, .page = page, .weight = weight};
}

void fg_batch_visit(struct fg_batch *batch, const struct fg_visit_row *visit)
{
    add(batch, FG_OP_VISIT)->visit = *visit;
}

void fg_batch_capture(struct fg_batch *batch, const struct fg_visit_row *visit)
{
    add(batch, FG_OP_CAPTURE)->visit = *visit;
}

void fg_batch_link(struct fg_batch *batch, const struct fg_link_row *link)
{
    add(batch, FG_OP_LINK)->link = *link;
}

void fg_batch_event(struct fg_batch *batch, const struct fg_event_row *event)
{
    struct fg_event_row *row = &add(batch, FG_OP_EVENT)->event;
    *row = *event;
    keep(batch, &row->kind);
    keep(batch, &row->json);
}

static void add_item(struct fg_batch *batch, enum fg_op_kind kind, struct fg_op_item item)
{
    struct fg_op_item *row = &add(batch, kind)->item;
    *row = item;
    keep(batch, &row->name);
    keep(batch, &row->bytes);
}

void fg_batch_body(struct fg_batch *batch, fg_site_id site, fg_page_id page, fg_time time,
                   struct fg_str body)
{
    if (batch->store->options.keep_bodies)
        add_item(
            batch, FG_OP_BODY,
            (struct fg_op_item){.site = site, .page = page, .time = time, .bytes = body});
}

void fg_batch_delivered(struct fg_batch *batch, const char *output, uint64_t number,
                        uint64_t position)
{
    add_item(batch, FG_OP_DELIVERED,
             (struct fg_op_item){
                 .name = fg_str_from(output), .number = number, .position = position});
}

void fg_batch_state(struct fg_batch *batch, fg_site_id site, const char *name,
                    struct fg_str bytes)
{
    add_item(
        batch, FG_OP_STATE,
        (struct fg_op_item){.site = site, .name = fg_str_from(name), .bytes = bytes});
}

void fg_batch_label(struct fg_batch *batch, fg_site_id site, fg_page_id page,
                    bool relevant)
{
    add_item(batch, FG_OP_LABEL,
             (struct fg_op_item){.site = site, .page = page, .relevant = relevant});
}

void fg_batch_unlabel(struct fg_batch *batch, fg_site_id site, fg_page_id page)
{
    add_item(batch, FG_OP_UNLABEL, (struct fg_op_item){.site = site, .page = page});
}

void fg_batch_daily(struct fg_batch *batch, const struct fg_daily_row *rows, size_t n)
{
    add_item(batch, FG_OP_DAILY,
             (struct fg_op_item){.bytes = {(const char *)rows, n * sizeof *rows}});
}

void fg_batch_value(struct fg_batch *batch, const struct fg_value_row *value)
{
    struct fg_value_row *row = &add(batch, FG_OP_VALUE)->value;
    *row = *value;
    struct fg_str *texts[FG_VALUE_TEXTS];
    fg_value_texts(row, texts);
    for (size_t i = 0; i < FG_VALUE_TEXTS; i++)
        keep(batch, texts[i]);
}

void fg_batch_value_rule(struct fg_batch *batch, fg_site_id site, fg_page_id page,
                         struct fg_str rule)
{
    add_item(batch, FG_OP_VALUE_RULE,
             (struct fg_op_item){.site = site, .page = page, .bytes = rule});
}

void fg_batch_waiting(struct fg_batch *batch, const struct fg_waiting_row *waiting)
{
    struct fg_waiting_row *row = &add(batch, FG_OP_WAITING)->waiting;
    *row = *waiting;
    keep(batch, &row->hook);
    keep(batch, &row->why);
}

void fg_batch_not_waiting(struct fg_batch *batch, struct fg_str hook, uint64_t number)
{
    add_item(batch, FG_OP_NOT_WAITING,
             (struct fg_op_item){.name = hook, .number = number});
}

void fg_batch_request(struct fg_batch *batch, const struct fg_request_row *request)
{
    struct fg_request_row *row = &add(batch, FG_OP_REQUEST)->request;
    *row = *request;
    keep(batch, &row->target);
}

void fg_batch_note(struct fg_batch *batch, const struct fg_note_row *note)
{
    struct fg_note_row *row = &add(batch, FG_OP_NOTE)->note;
    *row = *note;
    keep(batch, &row->name);
    keep(batch, &row->tags);
    keep(batch, &row->home);
    keep(batch, &row->meta);
}

void fg_batch_promise(struct fg_batch *batch, fg_site_id site, fg_page_id page,
                      fg_time at_least)
{
    add_item(batch, FG_OP_PROMISE,
             (struct fg_op_item){.site = site, .page = page, .time = at_least});
}

void fg_batch_early(struct fg_batch *batch, struct fg_str key,
                    const struct fg_early_row *rows, size_t n)
{
    add_item(batch, FG_OP_EARLY,
             (struct fg_op_item){.name = key,
                                 .bytes = {(const char *)rows, n * sizeof *rows}});
}

void fg_batch_place_early(struct fg_batch *batch, struct fg_str key, uint64_t fingerprint,
                          fg_site_id site, fg_page_id page)
{
    add_item(batch, FG_OP_PLACE_EARLY,
             (struct fg_op_item){
                 .name = key, .number = fingerprint, .site = site, .page = page});
}

void fg_batch_renew_site(struct fg_batch *batch, fg_site_id site, fg_site_id heir)
{
    add_item(batch, FG_OP_RENEW_SITE, (struct fg_op_item){.site = site, .page = heir});
}

void fg_batch_forget_site(struct fg_batch *batch, fg_site_id site, uint64_t delivered)
{
    add_item(batch, FG_OP_FORGET_SITE,
             (struct fg_op_item){.site = site, .number = delivered});
}

void fg_batch_prune(struct fg_batch *batch, const struct fg_prune *prune)
{
    add(batch, FG_OP_PRUNE)->prune = *prune;
}

struct fg_batch *fg_batch_new(struct fg_store *store)
{
    assert(!store->options.read_only);
    pthread_mutex_lock(&store->lock);
    struct fg_batch *batch = store->spare;
    if (batch) {
        store->spare = batch->next;
        store->n_spare--;
    }
    pthread_mutex_unlock(&store->lock);
    if (!batch) {
        batch = fg_zeroed(1, sizeof *batch);
        batch->store = store;
    }
    batch->next = NULL;
    return batch;
}

void fg_batch_reset(struct fg_batch *batch)
{
    if (batch->arena.used_bytes > KEPT_BYTES)
        fg_arena_clear(&batch->arena);
    else
        fg_arena_reset(&batch->arena);
    batch->first = batch->last = NULL;
}

void fg_batch_free(struct fg_batch *batch)
{
    fg_arena_clear(&batch->arena);
    free(batch);
}

void fg_batch_drop(struct fg_batch *batch)
{
    struct fg_store *store = batch->store;
    fg_batch_reset(batch);
    pthread_mutex_lock(&store->lock);
    bool keeps = store->n_spare < KEPT_BATCHES;
    if (keeps) {
        batch->next = store->spare;
        store->spare = batch;
        store->n_spare++;
    }
    pthread_mutex_unlock(&store->lock);
    if (!keeps)
        fg_batch_free(batch);
}
