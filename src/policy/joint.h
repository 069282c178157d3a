/* joint.h - fetches of all kinds in one currency, and the choice among them at one price
 *
 *     struct fg_joint joint = {0};
 *     each tick:
 *         fg_joint_clear_offers(&joint);
 *         fg_joint_offer(&joint, &(struct fg_contender){.bid = {index, cost}, .kind =
 * ...}); size_t n = fg_joint_choose(&joint, &price);
 *         ...fetch joint.offers.at[0] .. [n - 1]...
 *         fg_price_pay(&price, spent);
 *
 * The unit is one new page that is known at once. Four numbers turn everything into it: a
 * page found d hours after it appeared is worth q(d) = keeps + (1 - keeps) exp(-d /
 * loses); its content `content` times that, times its weight; and an hour for which the
 * copy of a document of mean weight is fresh is worth `fresh`. No share of the budget is
 * set anywhere. */
#ifndef FG_POLICY_JOINT_H
#define FG_POLICY_JOINT_H

#include "base/vec.h"
#include "policy/policy.h"
#include "policy/price.h"

/* What somebody wants of a crawl. */
struct fg_wants {
    double keeps, loses; /* of a page's worth; hours in which the rest of it fades */
    double content;      /* what reading a new page is worth beside knowing of it */
    double fresh;        /* an hour of a fresh copy */
};

struct fg_wants_preset {
    const char *name;
    struct fg_wants wants;
    const char *help;
};
extern const struct fg_wants_preset fg_wants_presets[]; /* ended by {0} */
/* By its name; NULL if there is none. */
const struct fg_wants *fg_wants_find(const char *name);

/* q(d) */
double fg_wants_page(const struct fg_wants *wants, double hours);
/* What a link is worth that is found at once: it, and what it leads to. */
double fg_wants_link(const struct fg_wants *wants);

struct fg_contender {
    struct fg_bid bid;
    uint32_t kind, which; /* the caller's */
};

struct fg_joint {
    FG_VEC(struct fg_contender) offers;
    FG_VEC(struct fg_bid) bids;
};

void fg_joint_clear(struct fg_joint *joint);
void fg_joint_clear_offers(struct fg_joint *joint);
/* One that gains nothing is not an offer. */
void fg_joint_offer(struct fg_joint *joint, const struct fg_contender *offer);
/* Sorts the offers, best first, and says how many are to be taken. Of one kind with the
 * same index, those offered first come first. */
size_t fg_joint_choose(struct fg_joint *joint, struct fg_pricing *price);

/* The same of those that fit, asked the best first: one that is over a ceiling of its own
 * costs nothing, and is no offer. */
typedef bool fg_joint_fits(void *context, const struct fg_contender *offer);
size_t fg_joint_choose_fitting(struct fg_joint *joint, struct fg_pricing *price,
                               fg_joint_fits *fits, void *context);

#endif
