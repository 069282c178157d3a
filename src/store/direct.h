/* direct.h - a door of its own to a store, for what many processes write beside the
 * crawl: advertisements and shared logs; private to src/store
 *
 *     static const char *const questions[] = {"SELECT bytes FROM t WHERE name = ?1",
 * ...}; fg_direct_open(&direct, place, questions, n, err); fg_direct_begin(direct, false,
 * err); fg_direct_ask(direct, 0, FG_CELLS(FG_CELL_TEXT(name)), take, context, err);
 *     fg_direct_end(direct, st, err);
 *
 * Questions are SQL that both back ends understand the same way: arguments are ?1, ?2,
 * ...; what a column becomes in an ON CONFLICT names its table; sums are cast. Names and
 * texts are bytes: they compare byte by byte, and may be anything. One thread at a time.
 */
#ifndef FG_STORE_DIRECT_H
#define FG_STORE_DIRECT_H

#include "store/ads.h"

struct fg_direct {
    const struct fg_direct_ops *ops;
    const char *const *questions;
    size_t n_questions;
};

/* Of a back end. Whoever begins waits for others up to ten seconds. */
struct fg_direct_ops {
    enum fg_status (*open)(struct fg_direct **direct, const char *place,
                           const char *const *questions, size_t n, struct fg_err *err);
    void (*close)(struct fg_direct *direct);
    /* is_light: as fg_ads_db_begin_light. */
    enum fg_status (*begin)(struct fg_direct *direct, bool is_light, struct fg_err *err);
    enum fg_status (*end)(struct fg_direct *direct, enum fg_status st,
                          struct fg_err *err);
    enum fg_status (*ask)(struct fg_direct *direct, size_t question,
                          const struct fg_ads_cell *arguments, fg_ads_take *take,
                          void *context, struct fg_err *err);
};
extern const struct fg_direct_ops fg_sqlite_direct_ops, fg_postgres_direct_ops;

/* The store must be there; an older one is brought up to date. */
enum fg_status fg_direct_open(struct fg_direct **direct, const char *place,
                              const char *const *questions, size_t n, struct fg_err *err);
static inline void fg_direct_close(struct fg_direct *direct) /* NULL is fine */
{
    if (direct)
        direct->ops->close(direct);
}
static inline enum fg_status fg_direct_begin(struct fg_direct *direct, bool is_light,
                                             struct fg_err *err)
{
    return direct->ops->begin(direct, is_light, err);
}
/* Commits; or takes all back if `st` is a failure, which it gives back. */
static inline enum fg_status fg_direct_end(struct fg_direct *direct, enum fg_status st,
                                           struct fg_err *err)
{
    return direct->ops->end(direct, st, err);
}
/* Arguments are ended as FG_CELLS does; `take` may be NULL. */
static inline enum fg_status fg_direct_ask(struct fg_direct *direct, size_t question,
                                           const struct fg_ads_cell *arguments,
                                           fg_ads_take *take, void *context,
                                           struct fg_err *err)
{
    return direct->ops->ask(direct, question, arguments, take, context, err);
}

#endif
