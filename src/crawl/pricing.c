#include "crawl/pricing.h"

#include "crawl/state.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PRICE_STATE "price"

const char *const fg_worth_names[] = {"shares", "news",    "search",
                                      "shop",   "archive", NULL};

static bool has_unit(const char *policy, enum fg_task task)
{
    const struct fg_policy *found = fg_policy_find(fg_str_from(policy), task);
    return found && found->index.unit;
}

bool pricing_wants(const struct fg_crawl_options *options, struct fg_wants *wants)
{
    const struct fg_wants *preset = fg_wants_find(fg_worth_names[options->budget.worth]);
    if (!preset || !has_unit(options->policies.discovery, FG_DISCOVERY) ||
        !has_unit(options->policies.refresh, FG_REFRESH))
        return false;
    *wants = *preset;
    if (options->budget.fresh_hour > 0)
        wants->fresh = options->budget.fresh_hour;
    return true;
}

/* A crawl that is made once, or without a limit, makes all that it can. */
bool pricing_is_on(const struct fg_crawl *crawl)
{
    struct fg_wants wants;
    return pricing_wants(&crawl->options, &wants) && !crawl->options.run.once &&
           crawl->options.budget.per_hour > 0;
}

/* --- kept --- */

void pricing_recall(struct fg_crawl *crawl)
{
    struct fg_arena arena = {0};
    struct fg_str bytes;
    struct crawl_pricing *pricing = &crawl->pricing;
    fg_price_start(&pricing->price);
    pricing_wants(&crawl->options, &pricing->wants);
    if (!fg_store_state(crawl->store, &bytes, &arena, 0, PRICE_STATE, NULL) &&
        bytes.len == sizeof pricing->price) {
        struct fg_pricing price;
        memcpy(&price, bytes.at, sizeof price);
        if (fg_price_is_sound(&price))
            pricing->price = price;
    }
    fg_arena_clear(&arena);
}

static double spent(const struct fg_crawl *crawl)
{
    return fmax(crawl->pricing.given - crawl->budget.all, 0);
}

void pricing_save(struct fg_crawl *crawl, struct fg_batch *batch)
{
    if (!pricing_is_on(crawl))
        return;
    struct fg_pricing price;
    memcpy(&price, &crawl->pricing.price, sizeof price);
    price.spent += spent(crawl);
    fg_batch_state(batch, 0, PRICE_STATE,
                   (struct fg_str){(const char *)&price, sizeof price});
}

void pricing_clear(struct fg_crawl *crawl)
{
    fg_joint_clear(&crawl->pricing.joint);
    free(crawl->pricing.picks[0]);
    free(crawl->pricing.picks[1]);
    fg_vec_clear(&crawl->pricing.stock);
}

/* --- a tick --- */

double pricing_open(struct fg_crawl *crawl, fg_time now)
{
    struct crawl_pricing *pricing = &crawl->pricing;
    const struct fg_budget_options *o = &crawl->options.budget;
    static const double hours_a_day = 24;
    if (pricing->given > 0)
        fg_price_pay(&pricing->price, spent(crawl));
    fg_price_tick(&pricing->price, now, o->tick, o->per_hour * hours_a_day);
    pricing->given = fg_price_most(&pricing->price);
    fg_joint_clear_offers(&pricing->joint);
    pricing->stock.len = 0;
    return pricing->given;
}

double pricing_unit(const struct fg_wants *wants, const struct fg_mind *mind,
                    bool is_look)
{
    return fg_mind_unit(mind) * (is_look ? fg_wants_link(wants) : wants->fresh);
}

double pricing_worth(const struct fg_crawl_options *options, const struct fg_mind *mind,
                     bool is_look, double score)
{
    struct fg_wants wants;
    return pricing_wants(options, &wants) ? score * pricing_unit(&wants, mind, is_look)
                                          : NAN;
}

enum offer_kind { OFFER_LOOK, OFFER_DOCUMENT, OFFER_STOCK };

/* What was never seen comes first. */
static double index_of(const struct fg_crawl *crawl, const struct fg_mind *mind,
                       const struct fg_pick *pick)
{
    bool is_look = mind == crawl->minds.discovery,
         is_new = fg_mind_world(mind)->last_visit[pick->page] == FG_NEVER;
    double unit = pricing_unit(&crawl->pricing.wants, mind, is_look);
    return is_new ? INFINITY : (double)pick->score * unit;
}

/* What nobody takes from documents goes whatever the price is. */
void pricing_offer(struct fg_crawl *crawl, struct fg_mind *mind, size_t most, size_t sure,
                   pricing_may *may, fg_time now)
{
    struct crawl_pricing *pricing = &crawl->pricing;
    size_t room = fg_mind_world(mind)->n;
    enum offer_kind kind = mind == crawl->minds.discovery ? OFFER_LOOK : OFFER_DOCUMENT;
    most = most < room ? most : room;
    pricing->picks[kind] =
        fg_resized(pricing->picks[kind], most + 1, sizeof *pricing->picks[kind]);
    struct fg_pick *picks = pricing->picks[kind];
    size_t n = fg_mind_choose(mind, now, most, picks);
    for (size_t i = 0; i < n; i++)
        if (may(crawl, &picks[i], now)) {
            double index = sure ? INFINITY : index_of(crawl, mind, &picks[i]);
            sure -= sure > 0;
            struct fg_contender offer = {
                .bid = {(float)index, (float)fg_mind_cost(mind, picks[i].page)},
                .kind = kind,
                .which = (uint32_t)i};
            fg_joint_offer(&pricing->joint, &offer);
        }
}

void pricing_offer_stock(struct fg_crawl *crawl, size_t site, double index)
{
    struct crawl_pricing *pricing = &crawl->pricing;
    fg_joint_offer(&pricing->joint,
                   &(struct fg_contender){.bid = {(float)index, 1},
                                          .kind = OFFER_STOCK,
                                          .which = (uint32_t)pricing->stock.len});
    fg_vec_push(&pricing->stock, (uint32_t)site);
}

size_t pricing_choose(struct fg_crawl *crawl, fg_joint_fits *fits)
{
    struct crawl_pricing *pricing = &crawl->pricing;
    fg_price_commit(&pricing->price, spent(crawl));
    size_t n = fg_joint_choose_fitting(&pricing->joint, &pricing->price, fits, crawl),
           certain = 0;
    while (certain < pricing->joint.offers.len &&
           isinf(pricing->joint.offers.at[certain].bid.index))
        certain++;
    return n > certain ? n : certain;
}

struct priced pricing_see(const struct fg_crawl *crawl, const struct fg_contender *offer)
{
    if (offer->kind == OFFER_STOCK)
        return (struct priced){.site = crawl->pricing.stock.at[offer->which]};
    return (struct priced){.mind = offer->kind == OFFER_LOOK ? crawl->minds.discovery
                                                             : crawl->minds.refresh,
                           .pick = &crawl->pricing.picks[offer->kind][offer->which]};
}

struct priced pricing_taken(const struct fg_crawl *crawl, size_t i)
{
    return pricing_see(crawl, &crawl->pricing.joint.offers.at[i]);
}
