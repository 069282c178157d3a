/* demo_readers.c - people who search what the demo crawls, and those who advertise to
 * them
 *
 * What is found can be searched on the dashboard while the demo runs. So that its results
 * are ranked as they would be where people search, readers look for words of the news,
 * look at places as people do, and choose pages by a quality that each page has; from
 * then on pages that nobody has seen get a chance now and then. Two advertisers have ads
 * on the same words. */
#include "cli/demo/demo.h"
#include "search/ads/live.h"
#include "search/feedback.h"
#include "search/search.h"

#include <math.h>

static const char *const words[] = {"storm",  "harbour", "market", "bridge",
                                    "garden", "railway", "island", "museum"};
enum { WORDS = sizeof words / sizeof *words, RESULTS = 10 };

void fg_demo_advertise(struct fg_demo *demo)
{
    struct fg_opts *opts = &demo->cli->opts;
    const char *shop = demo->shop ? fg_demo_shop_origin(demo) : demo->origins[0];
    struct fg_ads_campaign campaigns[] = {
        {.advertiser = FG_STR("The shop of the demo"),
         .title = FG_STR("The shop of the demo"),
         .text =
             FG_STR("Offers whose prices change: an advertisement on a simulated web"),
         .url = fg_str_from(shop),
         .bid = 40,
         .budget = 1000},
        {.advertiser = FG_STR("The other shop"),
         .title = FG_STR("The other shop of the demo"),
         .text = FG_STR("Bids less, and is shown when people choose it more often"),
         .url = fg_str_from(fg_arena_printf(demo->cli->arena, "%s/#other", shop).at),
         .bid = 25,
         .budget = 500},
    };
    struct fg_ads *ads;
    fg_opts_set(opts, fg_opts_find(opts, FG_STR("ads.enabled")), FG_STR("yes"),
                (struct fg_origin){FG_LAYER_FLAG, FG_STR("demo"), 0}, NULL);
    if (fg_ads_open(&ads, demo->crawls[0].workspace, &demo->cli->settings.ads, NULL))
        return;
    for (size_t i = 0; i < 2 * WORDS; i++) {
        struct fg_ads_campaign *campaign = &campaigns[i % 2];
        int64_t number;
        bool is_new;
        campaign->phrase = fg_str_from(words[i / 2]);
        campaign->is_broad = true;
        fg_ads_add(ads, campaign, fg_time_now(), &number, &is_new, NULL);
    }
    fg_ads_close(ads);
}

/* The place that somebody looks at: with weights of x^-1.5, as AltaVista's users did. */
static size_t look(struct fg_rng *rng, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += pow((double)(i + 1), -1.5);
    double at = fg_rng_unit(rng) * sum;
    size_t place = 0;
    while (place + 1 < n && (at -= pow((double)(place + 1), -1.5)) > 0)
        place++;
    return place;
}

/* From 0 to 0.6, few of them high; the same for a page whoever asks. */
static double quality_of(struct fg_str url)
{
    double even = (double)(fg_str_hash(url) >> 11) * 0x1p-53;
    return 0.6 * even * even;
}

void fg_demo_read(struct fg_demo *demo)
{
    struct fg_demo_crawl *crawl = &demo->crawls[0];
    struct fg_arena arena = {0};
    struct fg_search_answer found;
    struct fg_feedback_key key;
    struct fg_feedback_event events[RESULTS + 1];
    struct fg_feedback_outcome outcome;
    struct fg_search_question question = {
        .words = fg_str_from(words[fg_rng_below(&demo->readers, WORDS)]),
        .since = FG_NEVER,
        .ranking = {.policy = fg_rank_policy_find(FG_STR("selective")),
                    .degree = 0.1,
                    .start = 2,
                    .seed = 1 + fg_rng_below(&demo->readers, UINT32_MAX)},
        .limit = RESULTS,
        .wants_no_snippets = true};
    /* Whoever finds nothing, or finds the store busy, goes away. */
    if (fg_demo_has_begun(crawl) &&
        !fg_search(&found, &arena, crawl->store, &question, NULL) && found.n &&
        !fg_feedback_key(&key, crawl->store, crawl->workspace, NULL)) {
        uint64_t view = fg_feedback_view();
        size_t n = 0, place = look(&demo->readers, found.n);
        for (size_t i = 0; i < found.n; i++) {
            const struct fg_search_result *r = &found.results[i];
            events[n++] = (struct fg_feedback_event){FG_WAS_SEEN,
                                                     {.site = r->page.site,
                                                      .page = r->page.page,
                                                      .place = r->place,
                                                      .is_promoted = r->is_promoted,
                                                      .time = fg_time_now(),
                                                      .view = view}};
        }
        if (fg_rng_unit(&demo->readers) < quality_of(found.results[place].page.url)) {
            events[n] = events[place];
            events[n++].kind = FG_WAS_CHOSEN;
        }
        fg_feedback_take(&outcome, crawl->workspace, &key, events, n, fg_time_now(),
                         NULL);
    }
    fg_arena_clear(&arena);
}
