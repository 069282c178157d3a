/* What a batch does to the rows, whatever back end keeps them.
 *
 * What a visit read and that it took place come as two operations, since a visit may read
 * nothing; where they follow each other the row is found and packed once for both.
 *
 * Bodies are packed here, with one context that lives as long as the store. Level 2: it
 * packs a page of 38 KB in about 100 us to a fifth; level 3 takes a quarter longer for 3
 * % fewer bytes, level 1 is no faster. */
#include "store/visit.h"
#include "store/writing.h"

enum { LEVEL = 2 };

/* --- pages and visits --- */

static void put_page(struct fg_writing *writing, const struct fg_page_row *row)
{
    if (!put(writing, FG_PUT_PAGE, row)) {
        put(writing, FG_RENAME_PAGE, row);
        put(writing, FG_PUT_PAGE, row);
    }
    fg_index_page(writing, row->site, row->page, row->flags);
}

/* What was read of it, or only its flags. */
static void put_part(struct fg_writing *writing, enum fg_edit edit,
                     const struct fg_page_row *row)
{
    put(writing, edit, row);
    fg_index_page(writing, row->site, row->page, row->flags);
}

/* The visit, and on the page's row that it took place, with what it read if `content`. */
static void put_visit(struct fg_writing *writing, const struct fg_visit_row *visit,
                      const struct fg_page_row *content)
{
    put(writing, FG_PUT_VISIT, visit);
    struct fg_page_row page = content ? *content : (struct fg_page_row){0};
    page.site = visit->site;
    page.page = visit->page;
    page.last_visit = visit->time;
    page.visits = 1;
    page.changes = visit->changed;
    page.last_change = visit->changed ? visit->time : FG_NEVER;
    page.status = visit->status;
    page.failures = fg_visit_failed(visit);
    if (content)
        put_part(writing, FG_PUT_CONTENT_OF_VISIT, &page);
    else
        put(writing, FG_COUNT_VISIT, &page);
}

/* Numbers are given here: the back end would give one again after the event that had it
 * was pruned. An id that is there already uses none up. */
static void put_event(struct fg_writing *writing, const struct fg_event_row *event)
{
    struct fg_event_row row = *event;
    row.number = writing->open.last_event + 1;
    writing->open.last_event += put(writing, FG_PUT_EVENT, &row);
}

/* --- bodies and values --- */

/* Only the newest `depth` rows of a page stay. */
static void trim(struct fg_writing *writing, enum fg_row_query before,
                 struct fg_page_key at, size_t depth)
{
    fg_time last;
    if (newest(writing, before, at, INT64_MAX, depth, &last))
        drop(writing, before, FG_ARGS(FG_NUM(at.site), FG_NUM(at.page), FG_NUM(last + 1)),
             SIZE_MAX);
}

static void put_body(struct fg_writing *writing, const struct fg_body_row *body)
{
    struct fg_body_row last = {0}, row = *body;
    struct fg_page_key at = {body->site, body->page};
    bool exists =
        first(writing, FG_BODIES_BEFORE,
              FG_ARGS(FG_NUM(at.site), FG_NUM(at.page), FG_NUM(INT64_MAX)), &last);
    row.bytes = body->zstd.len;
    row.hash = fg_str_hash(body->zstd);
    if (exists && last.hash == row.hash && last.bytes == row.bytes)
        return;
    /* A clock that stepped back must not make the newest body look like an old one. */
    if (exists && row.time <= last.time)
        row.time = last.time + 1;
    row.zstd = pack(writing, body->zstd);
    put(writing, FG_PUT_BODY, &row);
    if (exists)
        trim(writing, FG_BODIES_BEFORE, at, writing->body_depth);
}

static void put_change(struct fg_writing *writing, const struct fg_value_row *value)
{
    struct fg_page_key at = {value->site, value->page};
    struct fg_value_change row = {.site = at.site,
                                  .page = at.page,
                                  .time = value->changed,
                                  .kind = value->kind,
                                  .text = value->text};
    fg_time last;
    bool exists = newest(writing, FG_VALUE_CHANGES_BEFORE, at, INT64_MAX, 0, &last);
    if (exists && row.time <= last) /* the clock stepped back, as above */
        row.time = last + 1;
    put(writing, FG_PUT_VALUE_CHANGE, &row);
    if (exists)
        trim(writing, FG_VALUE_CHANGES_BEFORE, at, writing->value_depth);
}

static void put_value(struct fg_writing *writing, const struct fg_value_row *value)
{
    struct fg_value_row last;
    bool is_same = first(writing, FG_KEYED(FG_VALUES, 2),
                         FG_ARGS(FG_NUM(value->site), FG_NUM(value->page)), &last) &&
                   last.changed != FG_NEVER && last.hash == value->hash;
    put(writing, is_same ? FG_PUT_SAME_VALUE : FG_PUT_VALUE, value);
    if (!is_same)
        put_change(writing, value);
}

static void put_value_rule(struct fg_writing *writing, const struct fg_value_row *value)
{
    struct fg_value_row last;
    struct fg_row_walk rows = walk(writing, FG_KEYED(FG_VALUES, 2),
                                   FG_ARGS(FG_NUM(value->site), FG_NUM(value->page)), 1);
    bool is_same = next(writing, &rows, &last) && fg_str_eq(last.rule, value->rule);
    end(&rows);
    if (!is_same)
        put(writing, FG_PUT_VALUE_RULE, value);
}

/* --- counts --- */

static void trim_days(struct fg_writing *writing, fg_site_id site)
{
    struct fg_daily_row last;
    if (first(writing, FG_LAST_DAY, FG_ARGS(FG_NUM(site)), &last))
        drop(writing, FG_DAYS,
             FG_ARGS(FG_NUM(site), FG_NUM(INT32_MIN),
                     FG_NUM(last.day - FG_DAILY_KEPT + 1)),
             SIZE_MAX);
}

static void put_daily(struct fg_writing *writing, const struct fg_daily_row *rows,
                      size_t n)
{
    for (size_t i = 0; i < n; i++) {
        put(writing, FG_PUT_DAILY, &rows[i]);
        if (i + 1 == n || rows[i + 1].site != rows[i].site)
            trim_days(writing, rows[i].site);
    }
}

static void put_early(struct fg_writing *writing, const struct fg_early_op *op, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put(writing, FG_PUT_EARLY, &(struct fg_unplaced_row){op->key, op->rows[i]});
    struct fg_unplaced_row last;
    if (first(writing, FG_LAST_EARLY, FG_ARGS(FG_TEXT(op->key)), &last))
        drop(writing, FG_EARLY_UNTIL,
             FG_ARGS(FG_TEXT(op->key), FG_NUM(last.count.day - FG_DAILY_KEPT)), SIZE_MAX);
}

static void place_early(struct fg_writing *writing, const struct fg_place_op *op)
{
    const struct fg_arg *page = FG_ARGS(FG_TEXT(op->key), FG_NUM(op->fingerprint));
    struct fg_row_walk rows = walk(writing, FG_KEYED(FG_EARLY, 2), page, SIZE_MAX);
    struct fg_unplaced_row row;
    while (next(writing, &rows, &row))
        put(writing, FG_PLACE_DAILY,
            &(struct fg_daily_row){op->site, op->page, row.count.day, row.count.clicks,
                                   row.count.impressions});
    end(&rows);
    drop(writing, FG_KEYED(FG_EARLY, 2), page, SIZE_MAX);
    trim_days(writing, op->site);
}

/* --- batches --- */

static void apply(struct fg_writing *writing, const struct fg_op *op)
{
    switch (op->kind) {
    case FG_OP_EDIT:
        if (op->edit == FG_PUT_FLAGS)
            put_part(writing, op->edit, op->row);
        else
            put(writing, op->edit, op->row);
        break;
    case FG_OP_PAGE:
        put_page(writing, op->row);
        break;
    case FG_OP_CONTENT:
        put_part(writing, FG_PUT_CONTENT, op->row);
        break;
    case FG_OP_VISIT:
        put_visit(writing, op->row, NULL);
        break;
    case FG_OP_BODY:
        put_body(writing, op->row);
        break;
    case FG_OP_EVENT:
        put_event(writing, op->row);
        break;
    case FG_OP_DAILY:
        put_daily(writing, op->row, op->n);
        break;
    case FG_OP_VALUE:
        put_value(writing, op->row);
        break;
    case FG_OP_VALUE_RULE:
        put_value_rule(writing, op->row);
        break;
    case FG_OP_EARLY:
        put_early(writing, op->row, op->n);
        break;
    case FG_OP_PLACE_EARLY:
        place_early(writing, op->row);
        break;
    case FG_OP_RENEW_SITE:
        fg_renew_site(writing, op->row);
        break;
    case FG_OP_FORGET_SITE:
        fg_forget_slice(writing, op->row);
        break;
    case FG_OP_PRUNE:
        fg_prune_slice(writing, op->row);
        break;
    case FG_OP_TEXT:
        fg_index_text(writing, op->row);
        break;
    case FG_OP_ANCHOR:
        fg_index_anchor(writing, op->row, op->n > 0);
        break;
    case FG_OP_REBUILD_INDEX:
        fg_index_rebuild(writing);
    }
}

/* The visit that read this content, if it follows. */
static const struct fg_visit_row *visit_of(const struct fg_op *op)
{
    if (op->kind != FG_OP_CONTENT || !op->next || op->next->kind != FG_OP_VISIT)
        return NULL;
    const struct fg_page_row *page = op->row;
    const struct fg_visit_row *visit = op->next->row;
    return visit->site == page->site && visit->page == page->page ? visit : NULL;
}

static void apply_all(struct fg_writing *writing, const struct fg_batch *batch)
{
    const struct fg_visit_row *last = NULL;
    fg_index_begin_batch(writing);
    for (const struct fg_op *op = batch->first; !writing->status && op; op = op->next) {
        const struct fg_visit_row *visit = visit_of(op);
        if (visit) {
            put_visit(writing, visit, op->row);
            op = op->next;
        } else {
            apply(writing, op);
        }
        if (op->kind == FG_OP_VISIT)
            last = op->row;
    }
    fg_index_end_batch(writing, last);
}

/* --- what a batch will ask for --- */

static void expect_page(struct fg_backend *backend, fg_site_id site, fg_page_id page)
{
    struct fg_page_row row = {.site = site, .page = page};
    backend->ops->expect(backend, FG_PAGES, &row);
}

static void expect_text(struct fg_backend *backend, fg_site_id site, fg_page_id page)
{
    struct fg_text_row row = {.site = site, .page = page};
    if (backend->ops->index)
        backend->ops->expect(backend, FG_TEXTS, &row);
}

static void expect(struct fg_backend *backend, const struct fg_op *op)
{
    const struct fg_page_row *page = op->row;
    const struct fg_visit_row *visit = op->row;
    const struct fg_page_text *text = op->row;
    const struct fg_anchor_row *anchor = op->row;
    switch (op->kind) {
    case FG_OP_EDIT:
        if (fg_edit_plans[op->edit].how != FG_REPLACE)
            backend->ops->expect(backend, fg_edit_plans[op->edit].rows, op->row);
        break;
    case FG_OP_PAGE:
    case FG_OP_CONTENT:
        backend->ops->expect(backend, FG_PAGES, op->row);
        if (!fg_page_is_searchable(page->flags))
            expect_text(backend, page->site, page->page);
        break;
    case FG_OP_VISIT:
        expect_page(backend, visit->site, visit->page);
        break;
    case FG_OP_EVENT:
        backend->ops->expect(backend, FG_EVENTS, op->row);
        break;
    case FG_OP_VALUE:
    case FG_OP_VALUE_RULE:
        backend->ops->expect(backend, FG_VALUES, op->row);
        break;
    case FG_OP_TEXT:
        expect_page(backend, text->site, text->page);
        expect_text(backend, text->site, text->page);
        break;
    case FG_OP_ANCHOR:
        backend->ops->expect(backend, FG_ANCHORS, op->row);
        expect_text(backend, anchor->site, anchor->page);
        break;
    default:
        break;
    }
}

static void expect_all(struct fg_backend *backend, const struct fg_batch *from,
                       const struct fg_batch *until)
{
    for (const struct fg_batch *batch = from; batch != until; batch = batch->next)
        for (const struct fg_op *op = batch->first; op; op = op->next)
            expect(backend, op);
}

/* --- transactions --- */

/* The end of the last commit may have been lost on its way: then it is asked for, and
 * what it has written is not written again. */
static enum fg_status settle(struct fg_writing *writing, struct fg_err *err)
{
    bool was_committed = false;
    enum fg_status st = FG_OK;
    if (!writing->is_doubtful)
        return FG_OK;
    st = writing->backend->ops->fate(writing->backend, &was_committed, err);
    if (st)
        return st;
    writing->is_doubtful = false;
    if (was_committed) {
        writing->safe = writing->open;
        writing->written = writing->last;
    }
    return FG_OK;
}

static enum fg_status write_all(struct fg_writing *writing, const struct fg_batch *from,
                                const struct fg_batch *until, struct fg_err *err)
{
    const struct fg_backend_ops *ops = writing->backend->ops;
    writing->open = writing->safe;
    writing->err = err;
    writing->worths.len = 0;
    writing->status = ops->begin(writing->backend, err);
    if (!writing->status && ops->expect)
        expect_all(writing->backend, from, until);
    for (const struct fg_batch *batch = from; batch != until; batch = batch->next) {
        apply_all(writing, batch);
        writing->last = batch->number;
    }
    if (!writing->status) {
        writing->status = ops->commit(writing->backend, err);
        writing->is_doubtful = writing->status == FG_EIO && ops->fate;
    }
    if (writing->status)
        ops->rollback(writing->backend);
    else
        writing->safe = writing->open;
    return writing->status;
}

enum fg_status fg_writing_commit(struct fg_writing *writing, const struct fg_batch *from,
                                 const struct fg_batch *until, struct fg_err *err)
{
    enum fg_status st = settle(writing, err);
    while (!st && from != until && from->number <= writing->written)
        from = from->next;
    return st || from == until ? st : write_all(writing, from, until, err);
}

/* An index that was made of other terms is made anew, however long that takes: what is
 * in it could not be taken out again. */
static void renew_index(struct fg_writing *writing)
{
    const struct fg_backend_ops *ops = writing->backend->ops;
    bool is_stale = false;
    if (ops->index)
        writing->status = ops->index->is_stale(writing->backend, &is_stale, writing->err);
    if (writing->status || !is_stale)
        return;
    writing->status = ops->begin(writing->backend, writing->err);
    fg_index_rebuild(writing);
    if (!writing->status)
        writing->status = ops->commit(writing->backend, writing->err);
    if (writing->status)
        ops->rollback(writing->backend);
}

enum fg_status fg_writing_init(struct fg_writing *writing, struct fg_backend *backend,
                               const struct fg_store_options *options, struct fg_err *err)
{
    *writing = (struct fg_writing){.backend = backend,
                                   .err = err,
                                   .body_depth = options->body_depth,
                                   .lots = options->lots,
                                   .lot = options->lot,
                                   .value_depth = options->value_depth,
                                   .packer = ZSTD_createCCtx()};
    if (!writing->packer)
        fg_out_of_memory();
    pthread_mutex_init(&writing->watching, NULL);
    ZSTD_CCtx_setParameter(writing->packer, ZSTD_c_compressionLevel, LEVEL);
    ZSTD_CCtx_setParameter(writing->packer, ZSTD_c_checksumFlag, 1);
    fg_buf_init(&writing->packed, SIZE_MAX);

    struct fg_event_row event = {0};
    struct fg_text_row text = {0};
    struct fg_state_row noted;
    uint64_t last = 0;
    first(writing, FG_LAST_EVENT, FG_NO_ARGS, &event);
    first(writing, FG_LAST_TEXT, FG_NO_ARGS, &text);
    writing->safe.last_text = text.number;
    struct fg_row_walk rows =
        walk(writing, FG_KEYED(FG_STATE, 2),
             FG_ARGS(FG_NUM(0), FG_TEXT(FG_STR(FG_LAST_EVENT_STATE))), 1);
    if (next(writing, &rows, &noted))
        fg_str_to_u64(noted.bytes, &last);
    end(&rows);
    writing->safe.last_event = event.number > last ? event.number : last;
    if (!writing->status)
        renew_index(writing);
    return writing->status;
}

void fg_writing_clear(struct fg_writing *writing)
{
    if (!writing->backend)
        return;
    ZSTD_freeCCtx(writing->packer);
    fg_buf_clear(&writing->packed);
    fg_vec_clear(&writing->worths);
    pthread_mutex_destroy(&writing->watching);
}
