/* labels.h - pages that the user called relevant or irrelevant, and what follows from it
 *
 *     fg_labels_put(store, &looks, true, err);
 *     fg_labels_train(store, &report, err);
 *     ...
 *     struct fg_linear classifier;
 *     fg_labels_classifier(&classifier, store);
 *
 * With each label the store keeps what the page said (address, title and text, packed, as
 * state "focus:page:N" of its site), so that training never needs the page again. A page
 * that the crawl does not know is labelled under site 0 with a number of its own: it need
 * not become a page of the crawl to serve as an example. The classifier is the state
 * "focus:classifier" of site 0. */
#ifndef FG_CRAWL_LABELS_H
#define FG_CRAWL_LABELS_H

#include "base/arena.h"
#include "base/err.h"
#include "crawl/features.h"
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

/* The classifier that was kept, or a new one from the labels if that is damaged or of
 * another version; without weights if there is none. */
void fg_labels_classifier(struct fg_linear *classifier, struct fg_store *store);

/* The page of a canonical address, if the crawl knows it. */
enum fg_status fg_labels_find_page(struct fg_page_row *page, struct fg_arena *arena,
                                   struct fg_store *store, struct fg_str url,
                                   struct fg_err *err);

#endif
