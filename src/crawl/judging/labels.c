#include "crawl/judging/labels.h"

#include "base/vec.h"
#include "net/url/canonical.h"

#include <endian.h>
#include <stdio.h>
#include <zstd.h>

enum { URL_MOST = 65535, TITLE_MOST = 1024, PACK_LEVEL = 3, CLASSIFIER_MOST = 1 << 24 };
enum {
    HEAD = 3 * sizeof(uint32_t),
    LOOKS_MOST = HEAD + URL_MOST + TITLE_MOST + FG_FEATURES_TEXT_MAX
};
static const char classifier_state[] = "focus:classifier";

/* --- what a page said, packed --- */

static struct fg_str pack(struct fg_arena *arena, const struct fg_looks *looks)
{
    struct fg_str parts[3] = {fg_str_sub(looks->url, 0, URL_MOST),
                              fg_str_sub(looks->title, 0, TITLE_MOST),
                              fg_str_sub(looks->text, 0, FG_FEATURES_TEXT_MAX)};
    char *plain = fg_arena_bytes(arena, LOOKS_MOST);
    size_t at = HEAD, room = ZSTD_compressBound(LOOKS_MOST);
    for (size_t i = 0; i < 3; i++) {
        uint32_t len = htole32((uint32_t)parts[i].len);
        memcpy(plain + i * sizeof len, &len, sizeof len);
        if (parts[i].len)
            memcpy(plain + at, parts[i].at, parts[i].len);
        at += parts[i].len;
    }
    char *packed = fg_arena_bytes(arena, room);
    size_t n = ZSTD_compress(packed, room, plain, at, PACK_LEVEL);
    if (ZSTD_isError(n))
        fg_out_of_memory(); /* the only way it can fail with that much room */
    return (struct fg_str){packed, n};
}

static bool unpack(struct fg_looks *looks, struct fg_arena *arena, struct fg_str packed)
{
    char *plain = fg_arena_bytes(arena, LOOKS_MOST);
    size_t n = ZSTD_decompress(plain, LOOKS_MOST, packed.at, packed.len), at = HEAD;
    struct fg_str *parts[3] = {&looks->url, &looks->title, &looks->text};
    if (ZSTD_isError(n) || n < HEAD)
        return false;
    for (size_t i = 0; i < 3; i++) {
        uint32_t len;
        memcpy(&len, plain + i * sizeof len, sizeof len);
        len = le32toh(len);
        if (len > n - at)
            return false;
        *parts[i] = (struct fg_str){plain + at, len};
        at += len;
    }
    return true;
}

/* --- reading --- */

struct label_reader {
    struct fg_store *store;
    struct fg_arena *arena;
    FG_VEC(struct fg_label) found;
    struct fg_err *err;
};

/* A label whose text cannot be read still has its page's address and title. */
static void read_looks(struct label_reader *reader, struct fg_label *label)
{
    struct fg_str bytes;
    struct fg_page_row page;
    if (!fg_store_page_extra(reader->store, &bytes, reader->arena, label->site,
                             label->page, FG_EXTRA_LABELLED, NULL) &&
        unpack(&label->looks, reader->arena, bytes))
        return;
    label->looks = (struct fg_looks){0};
    if (label->site && !fg_store_page(reader->store, &page, reader->arena, label->site,
                                      label->page, NULL))
        label->looks = (struct fg_looks){.url = page.url, .title = page.title};
}

static bool take_label(void *context, fg_site_id site, fg_page_id page, bool relevant)
{
    struct label_reader *reader = context;
    struct fg_label label = {.site = site, .page = page, .is_relevant = relevant};
    read_looks(reader, &label);
    if (label.looks.url.len)
        fg_vec_push_in(reader->arena, &reader->found, label);
    return reader->found.len < FG_LABELS_MOST;
}

enum fg_status fg_labels_read(struct fg_labels *labels, struct fg_arena *arena,
                              struct fg_store *store, struct fg_err *err)
{
    struct label_reader reader = {.store = store, .arena = arena};
    enum fg_status st = fg_store_labels(store, take_label, &reader, err);
    *labels = (struct fg_labels){reader.found.at, reader.found.len};
    return st;
}

/* --- writing --- */

struct site_search {
    struct fg_str key;
    fg_site_id site;
};

static bool compare_site(void *context, const struct fg_site_row *row)
{
    struct site_search *search = context;
    if (fg_str_eq(row->key, search->key))
        search->site = row->site;
    return !search->site;
}

enum fg_status fg_labels_find_page(struct fg_page_row *page, struct fg_arena *arena,
                                   struct fg_store *store, struct fg_str url,
                                   struct fg_err *err)
{
    struct site_search search = {.key = fg_canonical_site(url)};
    enum fg_status st = fg_store_sites(store, compare_site, &search, err);
    if (st)
        return st;
    if (!search.site)
        return fg_fail(err, FG_ENOTFOUND, "no such page is stored");
    return fg_store_page_by_fingerprint(store, page, arena, search.site,
                                        fg_canonical_fingerprint(url), err);
}

static enum fg_status write_now(struct fg_store *store, struct fg_batch *batch,
                                struct fg_err *err)
{
    return fg_store_flush(store, fg_store_submit(store, batch), err);
}

static void drop(struct fg_batch *batch, const struct fg_label *label)
{
    fg_batch_unlabel(batch, label->site, label->page);
    fg_batch_page_extra(batch, label->site, label->page, FG_EXTRA_LABELLED,
                        (struct fg_str){0});
}

/* All labels of an address: under its page, and from before that was known. */
static size_t drop_all(struct fg_batch *batch, const struct fg_labels *labels,
                       struct fg_str url)
{
    size_t dropped = 0;
    for (size_t i = 0; i < labels->len; i++) {
        if (!fg_str_eq(labels->at[i].looks.url, url))
            continue;
        drop(batch, &labels->at[i]);
        dropped++;
    }
    return dropped;
}

static fg_page_id next_free(const struct fg_labels *labels)
{
    fg_page_id last = 0;
    for (size_t i = 0; i < labels->len; i++)
        if (!labels->at[i].site && labels->at[i].page > last)
            last = labels->at[i].page;
    return last + 1;
}

static enum fg_status put(struct fg_store *store, struct fg_arena *arena,
                          const struct fg_looks *looks, bool is_relevant,
                          struct fg_err *err)
{
    struct fg_labels labels;
    struct fg_page_row page = {0};
    enum fg_status st = fg_labels_read(&labels, arena, store, err);
    if (st)
        return st;
    if (labels.len >= FG_LABELS_MOST)
        return fg_fail(err, FG_ELIMIT, "there are %d labels already, which is the most",
                       FG_LABELS_MOST);
    bool is_known = !fg_labels_find_page(&page, arena, store, looks->url, NULL);
    fg_site_id site = is_known ? page.site : 0;
    fg_page_id id = is_known ? page.page : next_free(&labels);
    struct fg_batch *batch = fg_batch_new(store);
    drop_all(batch, &labels, looks->url);
    fg_batch_label(batch, site, id, is_relevant);
    fg_batch_page_extra(batch, site, id, FG_EXTRA_LABELLED, pack(arena, looks));
    return write_now(store, batch, err);
}

enum fg_status fg_labels_put(struct fg_store *store, const struct fg_looks *looks,
                             bool is_relevant, struct fg_err *err)
{
    struct fg_arena arena = {0};
    enum fg_status st = put(store, &arena, looks, is_relevant, err);
    fg_arena_clear(&arena);
    return st;
}

enum fg_status fg_labels_remove(struct fg_store *store, struct fg_str url,
                                struct fg_err *err)
{
    struct fg_arena arena = {0};
    struct fg_labels labels;
    enum fg_status st = fg_labels_read(&labels, &arena, store, err);
    if (!st) {
        struct fg_batch *batch = fg_batch_new(store);
        if (drop_all(batch, &labels, url)) {
            st = write_now(store, batch, err);
        } else {
            fg_batch_drop(batch);
            st = fg_fail(err, FG_ENOTFOUND, "'%.*s' has no label",
                         FG_ARG(fg_str_sub(url, 0, 200)));
        }
    }
    fg_arena_clear(&arena);
    return st;
}

/* --- learning --- */

static bool learn(struct fg_linear *classifier, const struct fg_labels *labels,
                  struct fg_arena *arena, struct fg_words *words,
                  struct fg_linear_report *report)
{
    struct fg_linear_sample *samples =
        FG_NEW(arena, struct fg_linear_sample, labels->len + 1);
    struct fg_bag *bags = FG_NEW(arena, struct fg_bag, labels->len + 1);
    for (size_t i = 0; i < labels->len; i++) {
        fg_features_of(&bags[i], words, &labels->at[i].looks);
        samples[i] = (struct fg_linear_sample){bags[i].features, bags[i].n,
                                               labels->at[i].is_relevant};
    }
    struct fg_linear_rules rules = fg_linear_defaults();
    bool is_trained = fg_linear_train(classifier, samples, labels->len, &rules, report);
    for (size_t i = 0; i < labels->len; i++)
        fg_bag_clear(&bags[i]);
    return is_trained;
}

static struct fg_words *words_new(struct fg_arena *arena)
{
    struct fg_words *words = FG_NEW(arena, struct fg_words, 1);
    fg_words_init(words);
    return words;
}

enum fg_status fg_labels_train(struct fg_store *store, struct fg_linear_report *report,
                               struct fg_err *err)
{
    struct fg_arena arena = {0};
    struct fg_labels labels;
    struct fg_linear classifier = {0};
    struct fg_words *words = words_new(&arena);
    enum fg_status st = fg_labels_read(&labels, &arena, store, err);
    if (!st) {
        struct fg_buf bytes;
        fg_buf_init(&bytes, CLASSIFIER_MOST);
        if (learn(&classifier, &labels, &arena, words, report))
            fg_linear_save(&classifier, fg_features_scheme(words), &bytes);
        struct fg_batch *batch = fg_batch_new(store);
        fg_batch_state(batch, 0, classifier_state, fg_buf_str(&bytes));
        st = write_now(store, batch, err);
        fg_buf_clear(&bytes);
    }
    fg_linear_clear(&classifier);
    fg_arena_clear(&arena);
    return st;
}

enum fg_status fg_labels_try(struct fg_store *store, struct fg_linear_report *report,
                             struct fg_err *err)
{
    struct fg_arena arena = {0};
    struct fg_labels labels;
    struct fg_linear classifier = {0};
    enum fg_status st = fg_labels_read(&labels, &arena, store, err);
    if (!st)
        learn(&classifier, &labels, &arena, words_new(&arena), report);
    fg_linear_clear(&classifier);
    fg_arena_clear(&arena);
    return st;
}

void fg_labels_classifier(struct fg_linear *classifier, struct fg_store *store)
{
    struct fg_arena arena = {0};
    struct fg_words *words = words_new(&arena);
    struct fg_str bytes;
    struct fg_labels labels;
    struct fg_linear_report report;
    *classifier = (struct fg_linear){0};
    bool is_kept =
        !fg_store_state(store, &bytes, &arena, 0, classifier_state, NULL) && bytes.len;
    if (is_kept && fg_linear_load(classifier, fg_features_scheme(words), bytes, NULL) &&
        !fg_labels_read(&labels, &arena, store, NULL))
        learn(classifier, &labels, &arena, words, &report);
    fg_arena_clear(&arena);
}

/* --- for the crawl that runs --- */

const char *fg_label_kind_name(enum fg_label_kind kind)
{
    static const char *const names[] = {[FG_LABEL_IRRELEVANT] = "irrelevant",
                                        [FG_LABEL_RELEVANT] = "relevant",
                                        [FG_LABEL_REMOVED] = "removed"};
    return names[kind];
}

void fg_label_format(struct fg_buf *out, const struct fg_label_wish *wish)
{
    fg_buf_printf(out, "%s\n%.*s\n", fg_label_kind_name(wish->kind),
                  FG_ARG(wish->looks.url));
    if (!wish->has_looks)
        return;
    for (size_t i = 0; i < wish->looks.title.len && i < TITLE_MOST; i++)
        fg_buf_add_char(out,
                        wish->looks.title.at[i] == '\n' ? ' ' : wish->looks.title.at[i]);
    fg_buf_add_char(out, '\n');
    fg_buf_add(out, fg_str_sub(wish->looks.text, 0, FG_FEATURES_TEXT_MAX));
}

bool fg_label_parse(struct fg_label_wish *wish, struct fg_str text)
{
    struct fg_str kind, url;
    *wish = (struct fg_label_wish){0};
    if (!fg_str_cut(&text, '\n', &kind) || !fg_str_cut(&text, '\n', &url))
        return false;
    while (!fg_str_eq(kind, fg_str_from(fg_label_kind_name(wish->kind))))
        if (wish->kind++ == FG_LABEL_REMOVED)
            return false;
    wish->looks.url = url;
    wish->has_looks = text.len > 0;
    if (wish->has_looks && fg_str_cut(&text, '\n', &wish->looks.title))
        wish->looks.text = text;
    return wish->looks.url.len > 0;
}
