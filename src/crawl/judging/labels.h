/* labels.h - pages that the user called relevant or irrelevant, and what follows from it
 *
 *     fg_labels_put(store, &looks, true, err);
 *     fg_labels_train(store, &report, err);
 *     ...
 *     struct fg_linear classifier;
 *     fg_labels_classifier(&classifier, store);
 *
 * With each label the store keeps what the page said (address, title and text, packed, as
 * "labelled" in page_extras), so that training never needs the page again. A page
 * that the crawl does not know is labelled under site 0 with a number of its own: it need
 * not become a page of the crawl to serve as an example. The classifier is the state
 * "focus:classifier" of site 0. */
#ifndef FG_CRAWL_LABELS_H
#define FG_CRAWL_LABELS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "crawl/judging/features.h"
#include "learn/linear.h"
#include "store/store.h"

#define FG_LABELS_MOST 10000

struct fg_label {
    fg_site_id site; /* 0: not a page of the crawl */
    fg_page_id page;
    bool is_relevant;
    struct fg_looks looks;
};

struct fg_labels {
    struct fg_label *at;
    size_t len;
};

/* All labels; everything lives in the arena. */
enum fg_status fg_labels_read(struct fg_labels *labels, struct fg_arena *arena,
                              struct fg_store *store, struct fg_err *err);

/* The address must be canonical. A label it had is replaced. Returns when it is on disk.
 */
enum fg_status fg_labels_put(struct fg_store *store, const struct fg_looks *looks,
                             bool is_relevant, struct fg_err *err);
/* FG_ENOTFOUND if the page has none. */
enum fg_status fg_labels_remove(struct fg_store *store, struct fg_str url,
                                struct fg_err *err);

/* Train from all labels and keep the result. With labels of one kind only there is no
 * classifier; the report has their numbers. */
enum fg_status fg_labels_train(struct fg_store *store, struct fg_linear_report *report,
                               struct fg_err *err);

/* The same without keeping it, for those who only look. */
enum fg_status fg_labels_try(struct fg_store *store, struct fg_linear_report *report,
                             struct fg_err *err);

/* --- for the crawl that runs --- */

/* What is left in its inbox (seeds.h): the label of one page, and what the page says. If
 * that is not known, the crawl fetches the page. */
enum fg_label_kind { FG_LABEL_IRRELEVANT, FG_LABEL_RELEVANT, FG_LABEL_REMOVED };
struct fg_label_wish {
    enum fg_label_kind kind;
    struct fg_looks looks; /* the address must be canonical */
    bool has_looks;        /* more than the address is known */
};
const char *fg_label_kind_name(enum fg_label_kind kind);

/* As text: a line with the kind, one with the address, one with the title, the text. */
void fg_label_format(struct fg_buf *out, const struct fg_label_wish *wish);
/* Parts of the text come back; false if it makes no sense. */
bool fg_label_parse(struct fg_label_wish *wish, struct fg_str text);

/* The classifier that was kept, or a new one from the labels if that is damaged or of
 * another version; without weights if there is none. */
void fg_labels_classifier(struct fg_linear *classifier, struct fg_store *store);

/* The page of a canonical address, if the crawl knows it. */
enum fg_status fg_labels_find_page(struct fg_page_row *page, struct fg_arena *arena,
                                   struct fg_store *store, struct fg_str url,
                                   struct fg_err *err);

#endif
