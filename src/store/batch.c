/* What a batch holds until the writing thread takes it: a list of things to do, in order,
 * with all their bytes in the batch's own arena. */
#include "store/queue.h"

static struct fg_op *add(struct fg_batch *batch, enum fg_op_kind kind, const void *row)
{
    struct fg_op *op = FG_NEW(&batch->arena, struct fg_op, 1);
    op->kind = kind;
    op->row = row;
    if (batch->last)
        batch->last->next = op;
    else
        batch->first = op;
    batch->last = op;
    return op;
}

static void *copy(struct fg_batch *batch, enum fg_row_kind kind, const void *row)
{
    const struct fg_row_type *type = &fg_row_types[kind];
    void *kept = fg_arena_alloc(&batch->arena, type->bytes);
    memcpy(kept, row, type->bytes);
    fg_row_keep(type, kept, &batch->arena);
    return kept;
}

static void *copy_bytes(struct fg_batch *batch, const void *at, size_t bytes)
{
    void *kept = fg_arena_alloc(&batch->arena, bytes);
    if (bytes)
        memcpy(kept, at, bytes);
    return kept;
}

static void add_edit(struct fg_batch *batch, enum fg_edit edit, const void *row)
{
    add(batch, FG_OP_EDIT, copy(batch, fg_edit_plans[edit].rows, row))->edit = edit;
}

void fg_batch_site(struct fg_batch *batch, const struct fg_site_row *site)
{
    fg_site_id last = batch->store->last_site;
    while (site->site > last &&
           !atomic_compare_exchange_weak(&batch->store->last_site, &last, site->site))
        ;
    add_edit(batch, FG_PUT_SITE, site);
}

void fg_batch_page(struct fg_batch *batch, const struct fg_page_row *page)
{
    add(batch, FG_OP_PAGE, copy(batch, FG_PAGES, page));
}

void fg_batch_page_content(struct fg_batch *batch, const struct fg_page_row *page)
{
    struct fg_page_row content = *page;
    content.url = (struct fg_str){0}; /* not written, so not copied */
    add(batch, FG_OP_CONTENT, copy(batch, FG_PAGES, &content));
}

void fg_batch_page_flags(struct fg_batch *batch, fg_site_id site, fg_page_id page,
                         uint32_t flags, fg_page_id alias_of)
{
    add_edit(batch, FG_PUT_FLAGS,
             &(struct fg_page_row){
                 .site = site, .page = page, .flags = flags, .alias_of = alias_of});
}

void fg_batch_page_weight(struct fg_batch *batch, fg_site_id site, fg_page_id page,
                          float weight)
{
    add_edit(batch, FG_PUT_WEIGHT,
             &(struct fg_page_row){.site = site, .page = page, .weight = weight});
}

void fg_batch_visit(struct fg_batch *batch, const struct fg_visit_row *visit)
{
    add(batch, FG_OP_VISIT, copy(batch, FG_VISITS, visit));
}

void fg_batch_capture(struct fg_batch *batch, const struct fg_visit_row *visit)
{
    add_edit(batch, FG_PUT_CAPTURE, visit);
}

void fg_batch_link(struct fg_batch *batch, const struct fg_link_row *link)
{
    add_edit(batch, FG_PUT_LINK, link);
}

void fg_batch_event(struct fg_batch *batch, const struct fg_event_row *event)
{
    add(batch, FG_OP_EVENT, copy(batch, FG_EVENTS, event));
}

void fg_batch_body(struct fg_batch *batch, fg_site_id site, fg_page_id page, fg_time time,
                   struct fg_str body)
{
    struct fg_body_row row = {.site = site, .page = page, .time = time, .zstd = body};
    if (batch->store->options.keep_bodies)
        add(batch, FG_OP_BODY, copy(batch, FG_BODIES, &row));
}

void fg_batch_delivered(struct fg_batch *batch, const char *output, uint64_t number,
                        uint64_t position)
{
    add_edit(batch, FG_PUT_DELIVERY,
             &(struct fg_delivery_row){fg_str_from(output), number, position});
}

void fg_batch_state(struct fg_batch *batch, fg_site_id site, const char *name,
                    struct fg_str bytes)
{
    add_edit(batch, bytes.at ? FG_PUT_STATE : FG_DROP_STATE,
             &(struct fg_state_row){site, fg_str_from(name), bytes});
}

void fg_batch_page_extra(struct fg_batch *batch, fg_site_id site, fg_page_id page,
                         enum fg_page_extra kind, struct fg_str bytes)
{
    add_edit(batch, bytes.at ? FG_PUT_PAGE_EXTRA : FG_DROP_PAGE_EXTRA,
             &(struct fg_page_extra_row){site, page,
                                         fg_str_from(fg_page_extra_names[kind]), bytes});
}

void fg_batch_label(struct fg_batch *batch, fg_site_id site, fg_page_id page,
                    bool relevant)
{
    add_edit(batch, FG_PUT_LABEL, &(struct fg_label_row){site, page, relevant});
}

void fg_batch_unlabel(struct fg_batch *batch, fg_site_id site, fg_page_id page)
{
    add_edit(batch, FG_DROP_LABEL, &(struct fg_label_row){.site = site, .page = page});
}

void fg_batch_daily(struct fg_batch *batch, const struct fg_daily_row *rows, size_t n)
{
    add(batch, FG_OP_DAILY, copy_bytes(batch, rows, n * sizeof *rows))->n = n;
}

void fg_batch_value(struct fg_batch *batch, const struct fg_value_row *value)
{
    add(batch, FG_OP_VALUE, copy(batch, FG_VALUES, value));
}

void fg_batch_value_rule(struct fg_batch *batch, fg_site_id site, fg_page_id page,
                         struct fg_str rule)
{
    struct fg_value_row row = {
        .site = site, .page = page, .rule = rule, .changed = FG_NEVER};
    add(batch, FG_OP_VALUE_RULE, copy(batch, FG_VALUES, &row));
}

void fg_batch_waiting(struct fg_batch *batch, const struct fg_waiting_row *waiting)
{
    add_edit(batch, FG_PUT_WAITING, waiting);
}

void fg_batch_not_waiting(struct fg_batch *batch, struct fg_str hook, uint64_t number)
{
    add_edit(batch, FG_DROP_WAITING,
             &(struct fg_waiting_row){.hook = hook, .number = number});
}

void fg_batch_request(struct fg_batch *batch, const struct fg_request_row *request)
{
    add_edit(batch, FG_PUT_REQUEST, request);
}

void fg_batch_note(struct fg_batch *batch, const struct fg_note_row *note)
{
    add_edit(batch, FG_PUT_NOTE, note);
}

void fg_batch_promise(struct fg_batch *batch, fg_site_id site, fg_page_id page,
                      fg_time at_least)
{
    add_edit(batch, at_least > 0 ? FG_PUT_PROMISE : FG_DROP_PROMISE,
             &(struct fg_promise_row){site, page, at_least});
}

void fg_batch_early(struct fg_batch *batch, struct fg_str key,
                    const struct fg_early_row *rows, size_t n)
{
    struct fg_early_op *op = FG_NEW(&batch->arena, struct fg_early_op, 1);
    op->key = fg_arena_dup(&batch->arena, key);
    op->rows = copy_bytes(batch, rows, n * sizeof *rows);
    add(batch, FG_OP_EARLY, op)->n = n;
}

void fg_batch_place_early(struct fg_batch *batch, struct fg_str key, uint64_t fingerprint,
                          fg_site_id site, fg_page_id page)
{
    struct fg_place_op *op = FG_NEW(&batch->arena, struct fg_place_op, 1);
    *op = (struct fg_place_op){fg_arena_dup(&batch->arena, key), fingerprint, site, page};
    add(batch, FG_OP_PLACE_EARLY, op);
}

void fg_batch_command_done(struct fg_batch *batch, uint64_t number)
{
    add_edit(batch, FG_DROP_COMMAND, &(struct fg_command_row){.number = number});
}

static void add_site_op(struct fg_batch *batch, enum fg_op_kind kind,
                        struct fg_site_op op)
{
    add(batch, kind, copy_bytes(batch, &op, sizeof op));
}

void fg_batch_renew_site(struct fg_batch *batch, fg_site_id site, fg_site_id heir)
{
    add_site_op(batch, FG_OP_RENEW_SITE, (struct fg_site_op){.site = site, .heir = heir});
}

void fg_batch_forget_site(struct fg_batch *batch, fg_site_id site, uint64_t delivered)
{
    add_site_op(batch, FG_OP_FORGET_SITE,
                (struct fg_site_op){.site = site, .delivered = delivered});
}

void fg_batch_prune(struct fg_batch *batch, const struct fg_prune *prune)
{
    add(batch, FG_OP_PRUNE, copy_bytes(batch, prune, sizeof *prune));
}

static struct fg_str dup_or_none(struct fg_batch *batch, struct fg_str text)
{
    return text.at ? fg_arena_dup(&batch->arena, text) : text;
}

void fg_batch_text(struct fg_batch *batch, const struct fg_page_text *text)
{
    struct fg_page_text *op = FG_NEW(&batch->arena, struct fg_page_text, 1);
    *op = (struct fg_page_text){text->site, text->page, dup_or_none(batch, text->title),
                                dup_or_none(batch, text->text),
                                dup_or_none(batch, text->language)};
    add(batch, FG_OP_TEXT, op);
}

void fg_batch_anchor(struct fg_batch *batch, const struct fg_anchor_row *anchor)
{
    add(batch, FG_OP_ANCHOR, copy(batch, FG_ANCHORS, anchor))->n = 1;
}

void fg_batch_no_anchor(struct fg_batch *batch, const struct fg_anchor_row *anchor)
{
    add(batch, FG_OP_ANCHOR, copy(batch, FG_ANCHORS, anchor));
}

void fg_batch_rebuild_index(struct fg_batch *batch)
{
    add(batch, FG_OP_REBUILD_INDEX, NULL);
}
