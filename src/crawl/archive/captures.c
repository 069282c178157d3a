#include "crawl/archive/captures.h"

#include "crawl/budget.h"
#include "crawl/intake/places.h"
#include "crawl/minds.h"
#include "crawl/sources/naming.h"
#include "net/archive/cdxj.h"
#include "net/archive/digest.h"
#include "net/url/url.h"

#include <stdlib.h>

/* --- reading --- */

static uint32_t url_number(struct fg_captures *captures, struct fg_str url)
{
    uint64_t *slot = fg_names_put(&captures->by_url, url);
    if (!*slot) {
        fg_vec_push_in(captures->arena, &captures->urls,
                       fg_arena_dup(captures->arena, url));
        *slot = captures->urls.len;
    }
    return (uint32_t)(*slot - 1);
}

/* A redirect is a capture of an address, not of a page; and without a digest nobody can
 * tell whether the page had changed. */
static bool is_lesson(const struct fg_capture *capture, struct fg_arena *scratch)
{
    struct fg_url url;
    bool is_redirect =
        capture->status >= 300 && capture->status < 400 && capture->status != 304;
    bool can_tell = capture->digest.len || capture->is_revisit || capture->status >= 304;
    return !is_redirect && can_tell && fg_url_parse(&url, scratch, capture->url, NULL) &&
           fg_url_is_http(&url);
}

/* One sum is written in several ways. */
static uint64_t hash_of(struct fg_str digest)
{
    struct fg_sha1 sum;
    return fg_sha1_parse(&sum, digest)
               ? fg_str_hash((struct fg_str){(const char *)sum.bytes, sizeof sum.bytes})
               : fg_str_hash(digest);
}

static enum fg_status add_capture(struct fg_captures *captures, struct fg_arena *scratch,
                                  const struct fg_capture *capture, struct fg_err *err)
{
    if (capture->time > captures->now)
        return fg_fail(err, FG_EINPUT, "the capture lies in the future");
    if (!is_lesson(capture, scratch)) {
        captures->passed_over++;
        return FG_OK;
    }
    struct fg_seen_capture row = {
        .url = url_number(captures, capture->url),
        .status =
            (uint16_t)(capture->status == 304 || !capture->status ? 200
                                                                  : capture->status),
        .has_digest = capture->digest.len && capture->status != 304,
        .time = capture->time,
        .digest = hash_of(capture->digest),
    };
    fg_vec_push_in(captures->arena, &captures->rows, row);
    return FG_OK;
}

enum fg_status fg_captures_read(struct fg_captures *captures, struct fg_str text,
                                void (*complain)(void *context, size_t line,
                                                 const char *why),
                                void *context, struct fg_err *err)
{
    struct fg_cdx cdx = {0};
    struct fg_arena scratch = {0};
    struct fg_str line;
    size_t number = 0;
    captures->by_url.arena = captures->arena;
    while (text.len && fg_str_cut(&text, '\n', &line)) {
        struct fg_capture capture = {0};
        struct fg_err wrong = {0};
        number++;
        fg_arena_reset(&scratch);
        enum fg_status st = line.len > FG_CDX_LINE_MAX
                                ? fg_fail(&wrong, FG_EINPUT, "the line is too long")
                                : fg_cdx_read(&cdx, &capture, &scratch, line, &wrong);
        if (!st && capture.url.len)
            st = add_capture(captures, &scratch, &capture, &wrong);
        if (!st)
            continue;
        captures->wrong++;
        complain(context, number, wrong.text);
    }
    fg_arena_clear(&scratch);
    bool is_empty = !captures->rows.len && !captures->wrong && !captures->passed_over;
    return is_empty ? fg_fail(err, FG_EINPUT, "it has no captures") : FG_OK;
}

/* --- naming --- */

static int by_url_and_time(const void *a, const void *b)
{
    const struct fg_seen_capture *x = a, *y = b;
    if (x->url != y->url)
        return x->url < y->url ? -1 : 1;
    return (x->time > y->time) - (x->time < y->time);
}

static bool is_good(const struct fg_seen_capture *row)
{
    return row->status >= 200 && row->status < 300;
}

/* Whether each differs from the one before it; the first of all is the first we know. */
static void find_changes(struct fg_captures *captures)
{
    const struct fg_seen_capture *before = NULL;
    size_t kept = 0;
    for (size_t i = 0; i < captures->rows.len; i++) {
        struct fg_seen_capture row = captures->rows.at[i];
        const struct fg_seen_capture *last = kept ? &captures->rows.at[kept - 1] : NULL;
        if (last && last->url == row.url && last->time == row.time)
            continue;
        if (before && before->url != row.url)
            before = NULL;
        row.changed = before && is_good(&row) && row.has_digest && before->has_digest &&
                      before->digest != row.digest;
        if (before && is_good(&row) && !row.has_digest) { /* as it was before */
            row.has_digest = before->has_digest;
            row.digest = before->digest;
        }
        captures->rows.at[kept] = row;
        if (is_good(&row))
            before = &captures->rows.at[kept];
        kept++;
    }
    captures->rows.len = kept;
}

void fg_captures_name(struct fg_captures *captures, unsigned keep)
{
    const uint32_t *renamed = fg_naming_rename(
        &captures->by_url, captures->arena, captures->urls.at, &captures->urls.len, keep);
    for (size_t i = 0; i < captures->rows.len; i++)
        captures->rows.at[i].url = renamed[captures->rows.at[i].url];
    if (captures->rows.len)
        qsort(captures->rows.at, captures->rows.len, sizeof *captures->rows.at,
              by_url_and_time);
    find_changes(captures);
}

/* --- what is known of a page from imports before: its last capture --- */

struct last_capture {
    fg_time time;
    uint64_t digest;
};

static bool last_in(struct fg_str kept, struct last_capture *last)
{
    bool is_there = kept.len == sizeof *last;
    if (is_there)
        memcpy(last, kept.at, sizeof *last);
    return is_there;
}

static bool last_of(struct fg_store *store, const struct fg_place *place,
                    struct last_capture *last)
{
    struct fg_arena arena = {0};
    struct fg_str bytes;
    bool is_there = !fg_store_page_extra(store, &bytes, &arena, place->site, place->page,
                                         FG_EXTRA_CAPTURE, NULL) &&
                    last_in(bytes, last);
    fg_arena_clear(&arena);
    return is_there;
}

bool fg_captures_any(struct fg_str kept)
{
    struct last_capture last;
    return last_in(kept, &last);
}

bool fg_captures_has(struct fg_str kept, struct fg_str body)
{
    struct last_capture last;
    if (!last_in(kept, &last))
        return false;
    struct fg_digest *digest = fg_digest_new();
    fg_digest_add(digest, body);
    struct fg_sha1 sum = fg_digest_take(digest);
    fg_digest_free(digest);
    return last.digest ==
           fg_str_hash((struct fg_str){(const char *)sum.bytes, sizeof sum.bytes});
}

/* --- writing --- */

typedef FG_VEC(fg_time) times;

struct writing {
    struct fg_store *store;
    const struct fg_captures *captures;
    const struct fg_place *places;
    struct fg_captures_outcome *outcome;
    struct fg_batch *batch;
    size_t waiting; /* rows in the batch */
    times there;    /* captures of the page at hand that the log has */
    bool has_sources, has_documents;
};

static void hand_over(struct writing *writing)
{
    fg_store_submit(writing->store, writing->batch);
    writing->batch = fg_batch_new(writing->store);
    writing->waiting = 0;
}

static bool take_time(void *context, const struct fg_visit_row *visit)
{
    times *there = context;
    fg_vec_push(there, visit->time);
    return true;
}

static int by_time(const void *a, const void *b)
{
    fg_time x = *(const fg_time *)a, y = *(const fg_time *)b;
    return (x > y) - (x < y);
}

static bool is_there(const struct writing *writing, fg_time time)
{
    const times *there = &writing->there; /* in order, as the log is */
    return there->len &&
           bsearch(&time, there->at, there->len, sizeof *there->at, by_time);
}

static void put_capture(struct writing *writing, const struct fg_place *place,
                        const struct fg_seen_capture *row, bool changed)
{
    enum { MOST_WAITING = 10000 };
    fg_batch_capture(writing->batch,
                     &(struct fg_visit_row){.site = place->site,
                                            .page = place->page,
                                            .time = row->time,
                                            .status = row->status,
                                            .changed = changed,
                                            .purpose = CAPTURE,
                                            .fresh = place->is_source && changed});
    writing->outcome->fresh++;
    if (++writing->waiting >= MOST_WAITING)
        hand_over(writing);
}

static void count_capture(struct writing *writing, const struct fg_seen_capture *row,
                          bool changed)
{
    struct fg_captures_outcome *out = writing->outcome;
    out->captures++;
    out->changes += changed;
    out->first = row->time < out->first ? row->time : out->first;
    out->last = row->time > out->last ? row->time : out->last;
}

/* The captures of one page, rows from `first` to before `end`. */
static enum fg_status put_page(struct writing *writing, const struct fg_place *place,
                               size_t first, size_t end, struct fg_err *err)
{
    const struct fg_seen_capture *rows = writing->captures->rows.at;
    struct last_capture before = {.time = FG_NEVER}, last;
    bool has_before = last_of(writing->store, place, &before), is_first = true;
    size_t fresh = writing->outcome->fresh;
    last = before;
    writing->there.len = 0;
    enum fg_status st =
        fg_store_visits(writing->store, place->site, place->page, rows[first].time,
                        take_time, &writing->there, err);
    for (size_t i = first; !st && i < end; i++) {
        bool changed = rows[i].changed,
             can_tell = is_good(&rows[i]) && rows[i].has_digest;
        if (can_tell && is_first && has_before && before.time < rows[i].time)
            changed |= before.digest != rows[i].digest;
        is_first &= !can_tell;
        count_capture(writing, &rows[i], changed);
        if (!is_there(writing, rows[i].time))
            put_capture(writing, place, &rows[i], changed);
        if (can_tell && (last.time == FG_NEVER || rows[i].time > last.time))
            last = (struct last_capture){rows[i].time, rows[i].digest};
    }
    if (last.time != before.time)
        fg_batch_page_extra(writing->batch, place->site, place->page, FG_EXTRA_CAPTURE,
                            (struct fg_str){(const char *)&last, sizeof last});
    writing->has_sources |= place->is_source && writing->outcome->fresh > fresh;
    writing->has_documents |= place->is_document && writing->outcome->fresh > fresh;
    return st;
}

static enum fg_status put_pages(struct writing *writing, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    const struct fg_captures *captures = writing->captures;
    for (size_t i = 0, end; !st && i < captures->rows.len; i = end) {
        uint32_t url = captures->rows.at[i].url;
        for (end = i + 1; end < captures->rows.len && captures->rows.at[end].url == url;)
            end++;
        if (writing->places[url].page)
            st = put_page(writing, &writing->places[url], i, end, err);
    }
    fg_vec_clear(&writing->there);
    return st;
}

/* What a policy knew was learned without the captures; the log has both. */
static void begin_afresh(struct writing *writing)
{
    struct fg_arena arena = {0};
    struct fg_str bytes;
    fg_time first = writing->outcome->first, known;
    if (!fg_store_state(writing->store, &bytes, &arena, 0, CAPTURES_STATE, NULL) &&
        bytes.len == sizeof known) {
        memcpy(&known, bytes.at, sizeof known);
        first = known < first ? known : first;
    }
    fg_arena_clear(&arena);
    fg_batch_state(writing->batch, 0, CAPTURES_STATE,
                   (struct fg_str){(const char *)&first, sizeof first});
    if (writing->has_sources)
        fg_batch_state(writing->batch, 0, DISCOVERY_STATE, FG_STR(""));
    if (writing->has_documents)
        fg_batch_state(writing->batch, 0, REFRESH_STATE, FG_STR(""));
}

enum fg_status fg_captures_put(struct fg_captures_outcome *outcome,
                               struct fg_store *store, const struct fg_captures *captures,
                               struct fg_err *err)
{
    struct fg_place *places;
    *outcome = (struct fg_captures_outcome){.first = INT64_MAX, .last = INT64_MIN};
    enum fg_status st = fg_places_find(&places, store, captures->arena, captures->urls.at,
                                       captures->urls.len, err);
    if (st)
        return st;
    for (size_t i = 0; i < captures->urls.len; i++) {
        outcome->pages += places[i].page != 0;
        outcome->unlearned +=
            places[i].page && !places[i].is_document && !places[i].is_source;
        if (!places[i].page && !outcome->unknown++)
            outcome->an_unknown_one = captures->urls.at[i];
    }
    struct writing writing = {.store = store,
                              .captures = captures,
                              .places = places,
                              .outcome = outcome,
                              .batch = fg_batch_new(store)};
    st = put_pages(&writing, err);
    if (st) {
        fg_batch_drop(writing.batch);
        return st;
    }
    if (outcome->fresh)
        begin_afresh(&writing);
    return fg_store_flush(store, fg_store_submit(store, writing.batch), err);
}

enum fg_status fg_captures_missing(struct fg_store *store,
                                   const struct fg_captures *captures,
                                   void (*take)(void *context, struct fg_str url),
                                   void *context, struct fg_err *err)
{
    struct fg_place *places;
    enum fg_status st = fg_places_find(&places, store, captures->arena, captures->urls.at,
                                       captures->urls.len, err);
    for (size_t i = 0; !st && i < captures->urls.len; i++)
        if (!places[i].page || (!places[i].is_document && !places[i].is_source))
            take(context, captures->urls.at[i]);
    return st;
}
