/* index.h - the texts of pages, kept so that they can be searched
 *
 *     fg_batch_text(batch, &(struct fg_page_text){.site = 1, .page = 7, ...});
 *     ...
 *     struct fg_index_group groups[] = {{.phrases = &FG_STR("mushroom"), .n = 1}};
 *     st = fg_store_match(store, &(struct fg_index_query){groups, 1}, take, context,
 * err);
 *
 * A text is searchable from the moment its batch is durable: page, text and index are
 * written by the same transaction. It has three fields: title, main text, and the words
 * of links that lead to the page. Pages that are not to be shown (fg_page_is_searchable)
 * have no text here, whoever says so: a page that is found gone, a duplicate or unwanted
 * loses its text, and with it its terms, in the transaction that says so.
 *
 * A back end makes terms of texts as it likes; ours uses base/terms.h. Questions are
 * asked in its terms. What counts as a good answer is decided in search/. */
#ifndef FG_STORE_INDEX_H
#define FG_STORE_INDEX_H

#include "store/store.h"

enum fg_index_field { FG_IN_TITLE, FG_IN_TEXT, FG_IN_ANCHORS, FG_INDEX_FIELDS };
enum { FG_INDEX_COUNTS = FG_INDEX_FIELDS + 1 };

/* --- writing --- */

struct fg_page_text {
    fg_site_id site;
    fg_page_id page;
    struct fg_str title, text, language; /* language as the page calls it */
};

/* What was read of a page that is there. Costs little if it is as it was. Without a text
 * (`text.at` NULL) it is not to be found any more. */
void fg_batch_text(struct fg_batch *batch, const struct fg_page_text *text);

/* A link that leads to a page, and its words. */
struct fg_anchor_row {
    fg_site_id site;
    fg_page_id page; /* that it leads to */
    fg_site_id from_site;
    fg_page_id from_page;
    struct fg_str words;
};
void fg_batch_anchor(struct fg_batch *batch, const struct fg_anchor_row *anchor);
/* It is not there any more. */
void fg_batch_no_anchor(struct fg_batch *batch, const struct fg_anchor_row *anchor);

bool fg_page_is_searchable(uint32_t flags);

/* --- what is kept --- */

/* A text as it is stored: packed, its fields one behind the other. */
struct fg_text_row {
    fg_site_id site;
    fg_page_id page;
    uint64_t number; /* by which the index knows it */
    uint64_t hash;   /* of its fields and language */
    uint32_t bytes, title_bytes, text_bytes;
    struct fg_str language; /* a code of base/terms.h */
    struct fg_str zstd;
};

/* The same, unpacked. */
struct fg_indexed_text {
    fg_site_id site;
    fg_page_id page;
    uint64_t number;
    struct fg_str fields[FG_INDEX_FIELDS], language;
};

/* Its terms as the index has them, each followed by a blank. */
struct fg_text_terms {
    struct fg_str fields[FG_INDEX_FIELDS];
    uint64_t inlinks; /* links that lead to the page, if somebody wants to know */
};
/* A number of words as well as the index keeps it: to within 5 %. */
double fg_index_words(size_t words);

/* What people searched for on a day, and how often; not who. */
struct fg_query_row {
    int32_t day; /* since 1970-01-01 */
    struct fg_str words;
    uint32_t times;
};

/* --- asking --- */

/* Ways to say one thing. A phrase is terms with single blanks between them. */
struct fg_index_group {
    const struct fg_str *phrases;
    size_t n;
    struct fg_str prefix; /* and terms that begin so; empty: none */
    bool is_needed;       /* texts without it are not found */
    bool is_unwanted;     /* texts with it are not found */
    bool is_extra;        /* counted in texts that the others find */
};

/* Texts with all groups that are needed; where none is, with one group at least. */
struct fg_index_query {
    const struct fg_index_group *groups;
    size_t n;
    fg_site_id site;        /* 0: any */
    struct fg_str language; /* a code of base/terms.h; empty: any */
    /* The most that each group adds to the score of a text, or NULL; and what a score
     * must be above to matter, which may rise while hits are taken. Texts that have not
     * all groups and cannot get there need not be told. */
    const double *most, *floor;
    /* How much of it a group adds, if `passed_over` is given: n/(n + half) for n
     * occurrences, each counting for the weight of its field, where half is that of a
     * text without words and so much more for each. Then texts that have all groups and
     * do not get there are not told either, but counted. */
    double weights[FG_INDEX_FIELDS], half, half_a_word;
    size_t *passed_over;
    uint64_t from; /* texts with lower numbers, the older ones, need not be told */
};

struct fg_index_hit {
    uint64_t number;
    double words; /* of its main text, to within 5 % */
    /* How often each group occurs in each field; the last one is not for callers. */
    const uint32_t (*counts)[FG_INDEX_COUNTS];
};
typedef bool fg_take_hit(void *context, const struct fg_index_hit *hit);
/* In order of number. */
enum fg_status fg_store_match(struct fg_store *store, const struct fg_index_query *query,
                              fg_take_hit *take, void *context, struct fg_err *err);

/* The number of the text that came last. */
enum fg_status fg_store_last_text(struct fg_store *store, uint64_t *number,
                                  struct fg_err *err);
/* In how many texts a group occurs: exact if they are few, else estimated. */
enum fg_status fg_store_frequency(struct fg_store *store,
                                  const struct fg_index_group *group, double *texts,
                                  struct fg_err *err);

/* Of each code of fg_stemmer_codes: are there texts in that language? */
enum fg_status fg_store_languages(struct fg_store *store, bool *are_there,
                                  struct fg_err *err);

struct fg_index_figures {
    uint64_t texts, words[FG_INDEX_FIELDS];
};
enum fg_status fg_store_index_figures(struct fg_store *store,
                                      struct fg_index_figures *figures,
                                      struct fg_err *err);

/* Terms from `first` on in order of bytes, each with the number of texts that have it. */
typedef bool fg_take_term(void *context, struct fg_str term, uint64_t texts);
enum fg_status fg_store_terms(struct fg_store *store, struct fg_str first,
                              fg_take_term *take, void *context, struct fg_err *err);

/* Which page has this number; and its text. FG_ENOTFOUND if there is none. */
enum fg_status fg_store_text_page(struct fg_store *store, uint64_t number,
                                  fg_site_id *site, fg_page_id *page, struct fg_err *err);
enum fg_status fg_store_text(struct fg_store *store, struct fg_indexed_text *text,
                             struct fg_arena *arena, fg_site_id site, fg_page_id page,
                             struct fg_err *err);
/* Links that lead to a page, as far as they are known, and at most `most`. */
enum fg_status fg_store_inlinks(struct fg_store *store, fg_site_id site, fg_page_id page,
                                size_t most, uint64_t *n, struct fg_err *err);

/* --- watching --- */

/* What a visit that found a change of a document was worth: see search/stakes.h. */
struct fg_worth {
    float distance, gain, gain_printed;
};

/* Somebody who is told of the terms of every text that is put in, replaced or taken out,
 * while that is done: by the thread that writes, within the transaction, and once more if
 * it has to be done again. */
struct fg_index_watch {
    void *context;
    /* Either may be NULL, not both; `worth` is added to. */
    void (*measure)(void *context, const struct fg_text_terms *was,
                    const struct fg_text_terms *is, struct fg_worth *worth);
    bool wants_inlinks;
};

/* From now on; NULL: nobody, and nobody is being told when it returns. */
void fg_store_watch_index(struct fg_store *store, const struct fg_index_watch *watch);

/* While the index is watched, the worth of a visit that found a change is kept, and told:
 * that of all texts that its batch has changed, for the words of its links are those of
 * other pages. */
struct fg_measured {
    fg_site_id site;
    fg_page_id page;
    fg_time time; /* of the visit */
    struct fg_worth worth;
};
/* Those that have become durable since the last call, in an array to be freed. */
struct fg_measured *fg_store_take_measured(struct fg_store *store, size_t *n);

/* The last FG_WORTHS_KEPT of a page, the latest last. */
enum { FG_WORTHS_KEPT = 16 };
struct fg_kept_worth {
    fg_time time;
    struct fg_worth worth;
};
size_t fg_store_worths(struct fg_store *store, fg_site_id site, fg_page_id page,
                       struct fg_kept_worth out[FG_WORTHS_KEPT]);

/* --- the whole --- */

/* Are index and texts the same? */
struct fg_index_check {
    uint64_t texts, indexed;    /* how many there are */
    uint64_t text_terms, terms; /* terms at their places, in the texts and the index */
    uint64_t text_sum, sum;     /* sums of the hashes of these */
    uint64_t unsearchable,
        orphaned; /* texts of pages that should have none, or are not */
};
bool fg_index_is_right(const struct fg_index_check *check);
enum fg_status fg_store_check_index(struct fg_store *store, struct fg_index_check *check,
                                    struct fg_err *err);
/* Make the index anew from the texts. */
void fg_batch_rebuild_index(struct fg_batch *batch);

/* --- queries --- */

/* Counted at once, by a process that need not be the one that writes. */
enum fg_status fg_store_note_query(const char *place, int32_t day, struct fg_str words,
                                   struct fg_err *err);
/* Many, all or none. */
enum fg_status fg_store_note_queries(const char *place, const struct fg_query_row *rows,
                                     size_t n, struct fg_err *err);
/* Those of the last FG_QUERY_DAYS, the latest day last. */
enum { FG_QUERY_DAYS = 365 };
typedef bool fg_take_query(void *context, const struct fg_query_row *row);
enum fg_status fg_store_queries(struct fg_store *store, fg_take_query *take,
                                void *context, struct fg_err *err);

#endif
