/* Texts and what leads to them.
 *
 * The rule is one: a page has a text if and only if it is searchable and has been read
 * since it is. So whatever writes a page's flags asks fg_index_page, and whatever drops
 * texts takes their terms out of the index first; the crawl need not think of it.
 *
 * Old and new text of a page meet in `replace`, within the transaction: who watches the
 * index is told there. The worth of what a visit changed is kept with its page, by the
 * same transaction, and told once that is durable.
 *
 * The words of links are kept a row a link, and the target's text has each once. They
 * seldom change what is there: most links to a page say what the first one said. */
#include "store/index.h"

#include "base/arena.h"
#include "base/terms.h"
#include "base/vec.h"
#include "store/writing.h"

#include <math.h>
#include <string.h>

enum {
    ANCHORS_MOST = 1000,  /* links to a page that are looked at */
    ANCHORS_BYTES = 1000, /* of the words of all links to a page */
    INLINKS_MOST = 100    /* as search/search.c counts them */
};

static const uint32_t hidden = FG_PAGE_FEED | FG_PAGE_SITEMAP | FG_PAGE_GONE |
                               FG_PAGE_ALIAS | FG_PAGE_EXCLUDED | FG_PAGE_DUPLICATE |
                               FG_PAGE_RESERVED | FG_PAGE_OTHER_KIND | FG_PAGE_LIST |
                               FG_PAGE_REMOVED | FG_PAGE_NOINDEX;
/* Of these not even the links count. */
static const uint32_t unheard =
    FG_PAGE_GONE | FG_PAGE_ALIAS | FG_PAGE_EXCLUDED | FG_PAGE_RESERVED | FG_PAGE_REMOVED;

bool fg_page_is_searchable(uint32_t flags)
{
    return !(flags & hidden);
}

/* --- packing --- */

static uint64_t hash_of(const struct fg_indexed_text *text)
{
    uint64_t hash = fg_str_hash(text->language);
    for (size_t i = 0; i < FG_INDEX_FIELDS; i++)
        hash = (hash ^ fg_str_hash(text->fields[i])) * 0x9E3779B97F4A7C15u;
    return hash;
}

static enum fg_status unpack(struct fg_indexed_text *text, struct fg_arena *arena,
                             const struct fg_text_row *row, struct fg_err *err)
{
    char *bytes = fg_arena_bytes(arena, row->bytes + 1u);
    size_t n = ZSTD_decompress(bytes, row->bytes, row->zstd.at, row->zstd.len);
    if (ZSTD_isError(n) || n != row->bytes ||
        (uint64_t)row->title_bytes + row->text_bytes > n)
        return fg_fail(err, FG_EINPUT, "the text of page %u of site %u is damaged",
                       row->page, row->site);
    struct fg_str all = {bytes, n};
    size_t text_end = (size_t)row->title_bytes + row->text_bytes;
    *text =
        (struct fg_indexed_text){.site = row->site,
                                 .page = row->page,
                                 .number = row->number,
                                 .fields = {fg_str_sub(all, 0, row->title_bytes),
                                            fg_str_sub(all, row->title_bytes, text_end),
                                            fg_str_skip(all, text_end)},
                                 .language = fg_arena_dup(arena, row->language)};
    return FG_OK;
}

static void put_text(struct fg_writing *writing, const struct fg_indexed_text *text)
{
    struct fg_buf all;
    fg_buf_init(&all, SIZE_MAX);
    for (size_t i = 0; i < FG_INDEX_FIELDS; i++)
        fg_buf_add(&all, text->fields[i]);
    struct fg_text_row row = {.site = text->site,
                              .page = text->page,
                              .number = text->number,
                              .hash = hash_of(text),
                              .bytes = (uint32_t)all.len,
                              .title_bytes = (uint32_t)text->fields[FG_IN_TITLE].len,
                              .text_bytes = (uint32_t)text->fields[FG_IN_TEXT].len,
                              .language = text->language,
                              .zstd = pack(writing, fg_buf_str(&all))};
    put(writing, FG_PUT_TEXT, &row);
    fg_buf_clear(&all);
}

/* --- changing the index --- */

static void add_terms(struct fg_writing *writing, const struct fg_indexed_text *text)
{
    struct fg_backend *backend = writing->backend;
    if (!writing->status && backend->ops->index)
        writing->status = backend->ops->index->put(backend, text, writing->err);
}

static void take_terms_out(struct fg_writing *writing, const struct fg_indexed_text *text)
{
    struct fg_backend *backend = writing->backend;
    if (!writing->status && backend->ops->index)
        writing->status = backend->ops->index->take_out(backend, text, writing->err);
}

/* --- what changes are worth --- */

static bool is_watched(const struct fg_writing *writing)
{
    return atomic_load_explicit(&writing->is_watched, memory_order_relaxed) &&
           writing->backend->ops->index && !writing->status;
}

static uint64_t inlinks_of(struct fg_writing *writing, struct fg_page_key at)
{
    struct fg_anchor_row row;
    uint64_t n = 0;
    struct fg_row_walk rows = walk(
        writing, FG_INLINKS, FG_ARGS(FG_NUM(at.site), FG_NUM(at.page)), INLINKS_MOST);
    while (next(writing, &rows, &row))
        n++;
    end(&rows);
    return n;
}

/* Either may be NULL. `came`: links that were not there before. */
static void measure(struct fg_writing *writing, struct fg_page_key at,
                    struct fg_text_terms *was, struct fg_text_terms *is, int came)
{
    pthread_mutex_lock(&writing->watching);
    const struct fg_index_watch *watch = &writing->watch;
    uint64_t inlinks = watch->wants_inlinks ? inlinks_of(writing, at) : 0;
    if (is)
        is->inlinks = inlinks;
    if (was)
        was->inlinks = came > 0 && inlinks ? inlinks - 1 : inlinks + (came < 0);
    if (watch->measure)
        watch->measure(watch->context, was, is, &writing->measured.worth);
    pthread_mutex_unlock(&writing->watching);
}

void fg_store_watch_index(struct fg_store *store, const struct fg_index_watch *watch)
{
    pthread_mutex_lock(&store->writing.watching);
    store->writing.watch = watch ? *watch : (struct fg_index_watch){0};
    atomic_store(&store->writing.is_watched, watch != NULL);
    pthread_mutex_unlock(&store->writing.watching);
}

double fg_index_words(size_t words)
{
    return exp2(round(8 * log2((double)words + 1)) / 8) - 1;
}

void fg_index_begin_batch(struct fg_writing *writing)
{
    writing->measured.worth = (struct fg_worth){0};
    writing->measured.document = (struct fg_page_key){0};
}

static size_t read_worths(struct fg_kept_worth *out, struct fg_str bytes)
{
    size_t n = bytes.len / sizeof *out;
    if (n > FG_WORTHS_KEPT || n * sizeof *out != bytes.len)
        return 0;
    memcpy(out, bytes.at, bytes.len);
    return n;
}

/* Behind those that are kept; the first goes if they are many. */
static void keep_worth(struct fg_writing *writing, const struct fg_measured *measured)
{
    struct fg_kept_worth kept[FG_WORTHS_KEPT + 1];
    struct fg_str name = fg_str_from(fg_page_extra_names[FG_EXTRA_WORTHS]);
    struct fg_page_extra_row row = {
        .site = measured->site, .page = measured->page, .kind = name};
    struct fg_row_walk rows =
        walk(writing, FG_KEYED(FG_PAGE_EXTRAS, 3),
             FG_ARGS(FG_NUM(row.site), FG_NUM(row.page), FG_TEXT(name)), 1);
    size_t n = next(writing, &rows, &row) ? read_worths(kept, row.bytes) : 0;
    end(&rows);
    memset(&kept[n], 0, sizeof kept[n]);
    kept[n].time = measured->time;
    kept[n].worth = measured->worth;
    size_t first_kept = n == FG_WORTHS_KEPT;
    row.kind = name;
    row.bytes = (struct fg_str){(const char *)&kept[first_kept],
                                (n + 1 - first_kept) * sizeof *kept};
    put(writing, FG_PUT_PAGE_EXTRA, &row);
}

void fg_index_end_batch(struct fg_writing *writing, const struct fg_visit_row *visit)
{
    struct fg_page_key of = writing->measured.document;
    if (!of.page || !visit || !visit->changed || visit->site != of.site ||
        visit->page != of.page || writing->status)
        return;
    struct fg_measured measured = {of.site, of.page, visit->time,
                                   writing->measured.worth};
    keep_worth(writing, &measured);
    fg_vec_push(&writing->worths, measured);
}

size_t fg_store_worths(struct fg_store *store, fg_site_id site, fg_page_id page,
                       struct fg_kept_worth out[FG_WORTHS_KEPT])
{
    struct fg_arena arena = {0};
    struct fg_str bytes;
    size_t n =
        fg_store_page_extra(store, &bytes, &arena, site, page, FG_EXTRA_WORTHS, NULL)
            ? 0
            : read_worths(out, bytes);
    fg_arena_clear(&arena);
    return n;
}

/* --- replacing --- */

/* Either may be NULL: a page comes, or goes. */
static void replace(struct fg_writing *writing, const struct fg_indexed_text *old,
                    const struct fg_indexed_text *fresh, int came)
{
    const struct fg_index_ops *ops = writing->backend->ops->index;
    if (old)
        take_terms_out(writing, old);
    if (fresh) {
        put_text(writing, fresh);
        add_terms(writing, fresh);
    } else if (old) {
        drop(writing, FG_KEYED(FG_TEXTS, 2),
             FG_ARGS(FG_NUM(old->site), FG_NUM(old->page)), 1);
    }
    if (!is_watched(writing))
        return;
    const struct fg_indexed_text *any = old ? old : fresh;
    struct fg_text_terms was, is;
    if (old)
        was = ops->made(writing->backend, true);
    if (fresh)
        is = ops->made(writing->backend, false);
    measure(writing, (struct fg_page_key){any->site, any->page}, old ? &was : NULL,
            fresh ? &is : NULL, came);
}

/* The words of links are as they were, but not their number. */
static void measure_inlinks(struct fg_writing *writing,
                            const struct fg_indexed_text *text, int came)
{
    pthread_mutex_lock(&writing->watching);
    bool is_wanted = writing->watch.wants_inlinks;
    pthread_mutex_unlock(&writing->watching);
    if (!is_wanted || !is_watched(writing))
        return;
    struct fg_text_terms is = writing->backend->ops->index->terms_of(writing->backend,
                                                                     text),
                         was = is;
    measure(writing, (struct fg_page_key){text->site, text->page}, &was, &is, came);
}

/* The text that a page has; `hash` tells it from another. */
static bool find_text(struct fg_writing *writing, struct fg_arena *arena,
                      struct fg_page_key at, struct fg_indexed_text *text, uint64_t *hash)
{
    struct fg_text_row row;
    struct fg_row_walk rows = walk(writing, FG_KEYED(FG_TEXTS, 2),
                                   FG_ARGS(FG_NUM(at.site), FG_NUM(at.page)), 1);
    bool found = next(writing, &rows, &row);
    if (found)
        writing->status = unpack(text, arena, &row, writing->err);
    *hash = found ? row.hash : 0;
    end(&rows);
    return found && !writing->status;
}

/* --- words of links --- */

static bool has_line(struct fg_str lines, struct fg_str line)
{
    struct fg_str part;
    while (fg_str_cut(&lines, '\n', &part))
        if (fg_str_eq(part, line))
            return true;
    return false;
}

/* Each once, a line each. */
static struct fg_str anchors_of(struct fg_writing *writing, struct fg_arena *arena,
                                struct fg_page_key at)
{
    struct fg_buf all;
    struct fg_anchor_row row;
    struct fg_row_walk rows =
        walk(writing, FG_KEYED(FG_ANCHORS, 2), FG_ARGS(FG_NUM(at.site), FG_NUM(at.page)),
             ANCHORS_MOST);
    fg_buf_init(&all, ANCHORS_BYTES);
    while (next(writing, &rows, &row))
        if (row.words.len && all.len + row.words.len < ANCHORS_BYTES &&
            !has_line(fg_buf_str(&all), row.words)) {
            if (all.len)
                fg_buf_add_char(&all, '\n');
            fg_buf_add(&all, row.words);
        }
    end(&rows);
    struct fg_str anchors = fg_arena_dup(arena, fg_buf_str(&all));
    fg_buf_clear(&all);
    return anchors;
}

/* The links to a page have changed: so may its text. */
static void renew_anchors(struct fg_writing *writing, struct fg_page_key at, int came)
{
    struct fg_arena arena = {0};
    struct fg_indexed_text old;
    uint64_t hash;
    if (find_text(writing, &arena, at, &old, &hash)) {
        struct fg_indexed_text fresh = old;
        fresh.fields[FG_IN_ANCHORS] = anchors_of(writing, &arena, at);
        if (!fg_str_eq(fresh.fields[FG_IN_ANCHORS], old.fields[FG_IN_ANCHORS]))
            replace(writing, &old, &fresh, came);
        else
            measure_inlinks(writing, &old, came);
    }
    fg_arena_clear(&arena);
}

void fg_index_anchor(struct fg_writing *writing, const struct fg_anchor_row *anchor,
                     bool is_there)
{
    if (put(writing, is_there ? FG_PUT_ANCHOR : FG_DROP_ANCHOR, anchor))
        renew_anchors(writing, (struct fg_page_key){anchor->site, anchor->page},
                      is_there ? 1 : -1);
}

/* A page that says nothing any more. Its links are read first, since what they lead to is
 * written while they are walked. */
static void silence(struct fg_writing *writing, struct fg_page_key at)
{
    FG_VEC(struct fg_page_key) targets = {0};
    struct fg_link_row link;
    struct fg_row_walk rows = walk(writing, FG_KEYED(FG_LINKS, 2),
                                   FG_ARGS(FG_NUM(at.site), FG_NUM(at.page)), SIZE_MAX);
    while (next(writing, &rows, &link))
        fg_vec_push(&targets, (struct fg_page_key){link.target_site, link.target});
    end(&rows);
    for (size_t i = 0; i < targets.len; i++)
        fg_index_anchor(writing,
                        &(struct fg_anchor_row){.site = targets.at[i].site,
                                                .page = targets.at[i].page,
                                                .from_site = at.site,
                                                .from_page = at.page},
                        false);
    fg_vec_clear(&targets);
}

/* --- what batches say --- */

static void drop_text(struct fg_writing *writing, struct fg_page_key at)
{
    struct fg_arena arena = {0};
    struct fg_indexed_text old;
    uint64_t hash;
    if (find_text(writing, &arena, at, &old, &hash))
        replace(writing, &old, NULL, 0);
    fg_arena_clear(&arena);
}

void fg_index_page(struct fg_writing *writing, fg_site_id site, fg_page_id page,
                   uint32_t flags)
{
    struct fg_page_key at = {site, page};
    if (!fg_page_is_searchable(flags))
        drop_text(writing, at);
    if (flags & unheard)
        silence(writing, at);
}

/* In lots, no two of them give the same. */
static uint64_t next_text(struct fg_writing *writing)
{
    uint64_t last = writing->open.last_text, lots = writing->lots ? writing->lots : 1;
    return writing->open.last_text = last - last % lots + lots + writing->lot;
}

void fg_index_text(struct fg_writing *writing, const struct fg_page_text *text)
{
    struct fg_arena arena = {0};
    struct fg_page_key at = {text->site, text->page};
    struct fg_page_row page = {0};
    struct fg_indexed_text old, fresh = {.site = text->site,
                                         .page = text->page,
                                         .fields = {text->title, text->text, {0}}};
    uint64_t hash;
    if (!text->text.at) {
        drop_text(writing, at);
        return;
    }
    if (first(writing, FG_PAGE_STANDING, FG_ARGS(FG_NUM(at.site), FG_NUM(at.page)),
              &page) &&
        fg_page_is_searchable(page.flags)) {
        fresh.language = fg_str_from(fg_stemmer_language(text->language));
        fresh.fields[FG_IN_ANCHORS] = anchors_of(writing, &arena, at);
        bool exists = find_text(writing, &arena, at, &old, &hash);
        fresh.number = exists ? old.number : next_text(writing);
        if (!exists || hash_of(&fresh) != hash)
            replace(writing, exists ? &old : NULL, &fresh, 0);
        if (exists && page.flags & FG_PAGE_DOCUMENT && is_watched(writing))
            writing->measured.document = at;
    }
    fg_arena_clear(&arena);
}

/* Of a site that is forgotten: its texts, and what its links said of others. */
void fg_index_forget(struct fg_writing *writing, fg_site_id site, size_t *left)
{
    FG_VEC(struct fg_page_key) pages = {0};
    FG_VEC(struct fg_anchor_row) anchors = {0};
    struct fg_text_row text;
    struct fg_anchor_row anchor;
    struct fg_row_walk rows = walk(writing, FG_TEXT_PAGES, FG_ARGS(FG_NUM(site)), *left);
    while (next(writing, &rows, &text))
        fg_vec_push(&pages, (struct fg_page_key){text.site, text.page});
    end(&rows);
    for (size_t i = 0; i < pages.len; i++)
        drop_text(writing, pages.at[i]);
    if (*left != SIZE_MAX)
        *left -= pages.len;
    rows = walk(writing, FG_ANCHORS_FROM_SITE, FG_ARGS(FG_NUM(site)), *left);
    while (next(writing, &rows, &anchor))
        fg_vec_push(&anchors, anchor);
    end(&rows);
    for (size_t i = 0; i < anchors.len; i++)
        fg_index_anchor(writing, &anchors.at[i], false);
    if (*left != SIZE_MAX)
        *left -= anchors.len;
    fg_vec_clear(&pages);
    fg_vec_clear(&anchors);
}

static bool is_wanted(struct fg_writing *writing, const struct fg_text_row *text)
{
    struct fg_page_row page;
    return first(writing, FG_PAGE_STANDING,
                 FG_ARGS(FG_NUM(text->site), FG_NUM(text->page)), &page) &&
           fg_page_is_searchable(page.flags);
}

/* Texts that should not be there go as well. */
void fg_index_rebuild(struct fg_writing *writing)
{
    struct fg_backend *backend = writing->backend;
    struct fg_arena arena = {0};
    FG_VEC(struct fg_page_key) unwanted = {0};
    struct fg_text_row row;
    if (!backend->ops->index || writing->status)
        return;
    writing->status = backend->ops->index->clear(backend, writing->err);
    struct fg_row_walk rows = walk(writing, FG_KEYED(FG_TEXTS, 0), FG_NO_ARGS, SIZE_MAX);
    while (next(writing, &rows, &row)) {
        struct fg_indexed_text text;
        if (!is_wanted(writing, &row)) {
            fg_vec_push(&unwanted, (struct fg_page_key){row.site, row.page});
            continue;
        }
        if (!writing->status)
            writing->status = unpack(&text, &arena, &row, writing->err);
        add_terms(writing, &text);
        fg_arena_reset(&arena);
    }
    end(&rows);
    for (size_t i = 0; i < unwanted.len; i++)
        drop(writing, FG_KEYED(FG_TEXTS, 2),
             FG_ARGS(FG_NUM(unwanted.at[i].site), FG_NUM(unwanted.at[i].page)), 1);
    fg_vec_clear(&unwanted);
    fg_arena_clear(&arena);
}

/* --- asking --- */

static enum fg_status has_index(const struct fg_store *store, struct fg_err *err)
{
    return store->backend->ops->index
               ? FG_OK
               : fg_fail(err, FG_ECONFIG, "this kind of store has no index to search");
}

enum fg_status fg_store_match(struct fg_store *store, const struct fg_index_query *query,
                              fg_take_hit *take, void *context, struct fg_err *err)
{
    enum fg_status st = has_index(store, err);
    return st ? st
              : store->backend->ops->index->match(store->backend, query, take, context,
                                                  err);
}

enum fg_status fg_store_last_text(struct fg_store *store, uint64_t *number,
                                  struct fg_err *err)
{
    struct fg_text_row last = {0};
    enum fg_status st = has_index(store, err);
    if (st)
        return st;
    struct fg_row_walk rows =
        fg_row_walk(store->backend, FG_LAST_TEXT, FG_NO_ARGS, 1, err);
    fg_row_walk_next(&rows, &last, err);
    *number = last.number;
    return fg_row_walk_end(&rows, FG_OK);
}

enum fg_status fg_store_frequency(struct fg_store *store,
                                  const struct fg_index_group *group, double *texts,
                                  struct fg_err *err)
{
    uint64_t last;
    enum fg_status st = fg_store_last_text(store, &last, err);
    return st ? st
              : store->backend->ops->index->frequency(store->backend, group, last, texts,
                                                      err);
}

enum fg_status fg_store_languages(struct fg_store *store, bool *are_there,
                                  struct fg_err *err)
{
    enum fg_status st = has_index(store, err);
    return st ? st
              : store->backend->ops->index->languages(store->backend, are_there, err);
}

enum fg_status fg_store_index_figures(struct fg_store *store,
                                      struct fg_index_figures *figures,
                                      struct fg_err *err)
{
    enum fg_status st = has_index(store, err);
    return st ? st : store->backend->ops->index->figures(store->backend, figures, err);
}

enum fg_status fg_store_terms(struct fg_store *store, struct fg_str first,
                              fg_take_term *take, void *context, struct fg_err *err)
{
    enum fg_status st = has_index(store, err);
    return st ? st
              : store->backend->ops->index->terms(store->backend, first, take, context,
                                                  err);
}

enum fg_status fg_store_text_page(struct fg_store *store, uint64_t number,
                                  fg_site_id *site, fg_page_id *page, struct fg_err *err)
{
    struct fg_text_row row;
    struct fg_row_walk rows =
        fg_row_walk(store->backend, FG_TEXT_BY_NUMBER, FG_ARGS(FG_NUM(number)), 1, err);
    bool found = fg_row_walk_next(&rows, &row, err);
    enum fg_status st = fg_row_walk_end(&rows, FG_OK);
    if (st || !found)
        return st ? st : fg_fail(err, FG_ENOTFOUND, "no text has this number");
    *site = row.site;
    *page = row.page;
    return FG_OK;
}

enum fg_status fg_store_text(struct fg_store *store, struct fg_indexed_text *text,
                             struct fg_arena *arena, fg_site_id site, fg_page_id page,
                             struct fg_err *err)
{
    struct fg_text_row row;
    struct fg_row_walk rows = fg_row_walk(store->backend, FG_KEYED(FG_TEXTS, 2),
                                          FG_ARGS(FG_NUM(site), FG_NUM(page)), 1, err);
    bool found = fg_row_walk_next(&rows, &row, err);
    enum fg_status st = found ? unpack(text, arena, &row, err) : FG_OK;
    st = fg_row_walk_end(&rows, st);
    return st || found ? st : fg_fail(err, FG_ENOTFOUND, "no text is kept of the page");
}

enum fg_status fg_store_inlinks(struct fg_store *store, fg_site_id site, fg_page_id page,
                                size_t most, uint64_t *n, struct fg_err *err)
{
    struct fg_anchor_row row;
    struct fg_row_walk rows = fg_row_walk(store->backend, FG_INLINKS,
                                          FG_ARGS(FG_NUM(site), FG_NUM(page)), most, err);
    *n = 0;
    while (fg_row_walk_next(&rows, &row, err))
        ++*n;
    return fg_row_walk_end(&rows, FG_OK);
}

/* --- the whole --- */

bool fg_index_is_right(const struct fg_index_check *check)
{
    return check->texts == check->indexed && check->text_terms == check->terms &&
           check->text_sum == check->sum && !check->unsearchable && !check->orphaned;
}

/* Does the page of this text want one? */
static enum fg_status check_page(struct fg_store *store, const struct fg_text_row *text,
                                 struct fg_index_check *check, struct fg_err *err)
{
    struct fg_page_row page;
    struct fg_row_walk rows =
        fg_row_walk(store->backend, FG_PAGE_STANDING,
                    FG_ARGS(FG_NUM(text->site), FG_NUM(text->page)), 1, err);
    bool found = fg_row_walk_next(&rows, &page, err);
    check->orphaned += !found;
    check->unsearchable += found && !fg_page_is_searchable(page.flags);
    return fg_row_walk_end(&rows, FG_OK);
}

enum fg_status fg_store_check_index(struct fg_store *store, struct fg_index_check *check,
                                    struct fg_err *err)
{
    const struct fg_index_ops *ops = store->backend->ops->index;
    struct fg_arena arena = {0};
    struct fg_text_row row;
    *check = (struct fg_index_check){0};
    enum fg_status st = has_index(store, err);
    if (st)
        return st;
    struct fg_row_walk rows =
        fg_row_walk(store->backend, FG_KEYED(FG_TEXTS, 0), FG_NO_ARGS, SIZE_MAX, err);
    while (!st && fg_row_walk_next(&rows, &row, err)) {
        struct fg_indexed_text text;
        st = unpack(&text, &arena, &row, err);
        check->texts++;
        if (!st)
            st = ops->sum_text(store->backend, &text, &check->text_terms,
                               &check->text_sum, err);
        if (!st)
            st = check_page(store, &row, check, err);
        fg_arena_reset(&arena);
    }
    st = fg_row_walk_end(&rows, st);
    fg_arena_clear(&arena);
    return st ? st
              : ops->sum(store->backend, &check->indexed, &check->terms, &check->sum,
                         err);
}

enum fg_status fg_store_queries(struct fg_store *store, fg_take_query *take,
                                void *context, struct fg_err *err)
{
    struct fg_query_row row;
    struct fg_row_walk rows =
        fg_row_walk(store->backend, FG_KEYED(FG_SEARCHES, 0), FG_NO_ARGS, SIZE_MAX, err);
    while (fg_row_walk_next(&rows, &row, err) && take(context, &row))
        ;
    return fg_row_walk_end(&rows, FG_OK);
}
