/* search.h - finding pages by what they say
 *
 *     struct fg_search_question question = {.words = FG_STR("porcini -oil"), .limit =
 * 10}; struct fg_search_answer answer; st = fg_search(&answer, arena, store, &question,
 * err); for (size_t i = 0; i < answer.n; i++) ...answer.results[i].page.url...
 *
 * Pages with all the words come before pages with some of them; within each, the higher
 * score comes first (search/score.h), times what people made of the page if a ranking is
 * asked for (search/ranking.h), which may also promote a few by chance. Pages that say
 * nearly the same are one result that names the others. Reads the store only, so any
 * thread may ask. */
#ifndef FG_SEARCH_SEARCH_H
#define FG_SEARCH_SEARCH_H

#include "base/arena.h"
#include "search/ranking.h"
#include "search/score.h"
#include "search/snippet.h"

enum fg_search_sort { FG_SORT_SCORE, FG_SORT_DATE };

/* Results that can be paged through. */
enum { FG_SEARCH_DEPTH = 1000 };
enum { FG_SEARCH_LOOKED_AT = 100000 };

struct fg_search_question {
    struct fg_str words;
    fg_site_id site;        /* 0: any */
    fg_time since;          /* published, or found, since then; FG_NEVER: ever */
    struct fg_str language; /* of the page; empty: any */
    enum fg_search_sort sort;
    struct fg_scoring scoring; /* all zero: the default */
    struct fg_ranking ranking; /* of the best first; the seed of a cursor comes first */
    size_t limit;
    struct fg_str after; /* `next` of the answer before, or empty */
    /* May be NULL: which pages may be shown. */
    bool (*allows)(void *context, const struct fg_page_row *page);
    void *context;
    size_t snippet_bytes; /* 0: 200 */
    /* Of words that are all in more texts than this only the newest texts are looked at,
     * about so many with the rarest of the words. 0: FG_SEARCH_LOOKED_AT. */
    size_t looked_at;
    bool wants_no_snippets;
};

struct fg_search_result {
    struct fg_page_row page;
    double score;
    uint64_t inlinks; /* 100 stands for more as well */
    struct fg_feedback_row feedback;
    uint32_t place;   /* from 1, over all pages of results */
    bool is_promoted; /* it stands there by chance, so that people get to know it */
    struct fg_marked snippet, title;
    struct fg_str *others; /* addresses of pages that say nearly the same */
    size_t n_others;
};

struct fg_search_answer {
    struct fg_search_result *results;
    size_t n;
    uint64_t matches;   /* pages with any of the words, as far as they were looked at */
    uint64_t with_all;  /* those with all of them; of very many a part */
    struct fg_str next; /* to go on; empty: these were the last */
    struct fg_str instead; /* known words, if no page has all and some are not known */
};

enum fg_status fg_search(struct fg_search_answer *answer, struct fg_arena *arena,
                         struct fg_store *store,
                         const struct fg_search_question *question, struct fg_err *err);

/* Every page that has all the words: fg_search_key of each is put into the map. */
struct fg_map;
enum fg_status fg_search_pages(struct fg_map *pages, struct fg_arena *arena,
                               struct fg_store *store, struct fg_str words,
                               fg_site_id site, struct fg_err *err);

static inline uint64_t fg_search_key(fg_site_id site, fg_page_id page)
{
    return (uint64_t)site << 32 | page;
}

#endif
