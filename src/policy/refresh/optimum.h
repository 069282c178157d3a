/* optimum.h - the rates that LambdaCrawl gives to pages, tick after tick
 *
 * From what rates.h knows of them to visits a tick, by learn/lambda.h. There are two ways
 * to read the published text. Either everything is of a tick: the change of a page is
 * converted to it, and a page has one visit a tick at most. Or everything is of a day, as
 * what is told is: chances of a change in a day, the budget of a day, one visit a day at
 * most, and a tick makes its part of them (`daily`). The budget is the one of the long
 * run, so that the price stays where it is from tick to tick and is found again in a few
 * passes.
 *
 * A policy that uses this has FG_OPTIMUM_COLUMNS as its first columns, a struct
 * fg_optimum at the beginning of its self, and the knobs of rates.h. */
#ifndef FG_POLICY_REFRESH_OPTIMUM_H
#define FG_POLICY_REFRESH_OPTIMUM_H

#include "learn/lambda.h"
#include "policy/refresh/rates.h"

/* The last two hold what is solved; they are filled anew each time. 28 bytes a page. */
enum {
    FG_OPTIMUM_WEIGHT = FG_RATES_COLUMNS_USED,
    FG_OPTIMUM_CHANGE,
    FG_OPTIMUM_COLUMNS_USED
};
#define FG_OPTIMUM_COLUMNS                                      \
    FG_RATES_COLUMNS, [FG_OPTIMUM_WEIGHT] = {"weight", FG_F32}, \
                      [FG_OPTIMUM_CHANGE] = {"change", FG_F32}

struct fg_optimum {
    struct fg_rates_of_all all; /* as rates.h asks */
    struct fg_lambda lambda;
    double *cap;        /* by site; NULL while no site has a limit */
    double solved_rate; /* `all.rate` when the price was found */
    bool is_daily;      /* ... and of what step it is */
};

/* How the problem is put. */
struct fg_optimum_form {
    enum fg_lambda_model model;
    enum fg_told_rate interest; /* clicks or impressions, by the history's kind */
    bool is_daily;              /* chances and visits of a day, not of a tick */
};

#define FG_OPTIMUM_FORM_PARAM                                                  \
    {                                                                          \
        "form", 0, 0, 2,                                                       \
            "visits and changes as: 0 Bernoulli, 1 Poisson, 2 periodic visits" \
    }

#define FG_OPTIMUM_DAILY_PARAM                                                   \
    {                                                                            \
        "daily", 0, 0, 1, "changes and visits of: 0 a tick, 1 a day, as printed" \
    }

/* Fill the two columns. */
void fg_optimum_weigh(struct fg_brain *brain, const struct fg_optimum_form *form);

/* Solve for what the columns hold, and give each page its visits a tick, or a day.
 * `budget` is that of this tick, used where none of the long run was said. */
void fg_optimum_rates(struct fg_brain *brain, const struct fg_optimum_form *form,
                      size_t budget, float *out);

/* The same for one page at the price last found; 0 before that. */
double fg_optimum_rate_of(struct fg_brain *brain, const struct fg_optimum_form *form,
                          size_t page);

/* The closed form as printed instead, with what is below 0 or above 1 cut off; the sum is
 * not the budget then. */
void fg_optimum_printed(struct fg_brain *brain, const struct fg_optimum_form *form,
                        size_t budget, float *out);

/* The policy's functions of these names, or parts of them: what is kept is enough to
 * explain a page as before, the prices of capped sites included. */
void fg_optimum_save(struct fg_brain *brain, struct fg_buf *out);
bool fg_optimum_load(struct fg_brain *brain, struct fg_str bytes);
void fg_optimum_save_site(struct fg_brain *brain, const uint32_t *rows, size_t n,
                          struct fg_buf *learnt, struct fg_buf *passing);
bool fg_optimum_load_site(struct fg_brain *brain, const uint32_t *rows, size_t n,
                          struct fg_str learnt, struct fg_str passing);
void fg_optimum_clear(struct fg_brain *brain);

#endif
