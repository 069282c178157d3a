/* A site is a set of lists (home, ticker, sections, tags, authors), each the numbers of
 * the articles that ever appear on it, in order of publication; what a list shows at a
 * time is the tail of those published by then. Rendering is in web_render.c. */
#include "sim/web.h"

#include "base/err.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/variate.h"
#include "sim/web_model.h"
#include "sim/web_shop.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const section_names[] = {
    "world",  "politics", "economy", "sport",  "culture", "science",
    "travel", "local",    "opinion", "health", "media",   "style",
};
enum { SECTION_NAMES = sizeof section_names / sizeof *section_names };

static const fg_time history = 7 * FG_DAY; /* so that lists are full from the start */
static const fg_time stock_history = 730 * FG_DAY;

/* What the sites of an ugly web are like, in turn. The feed of the first is of comments
 * alone, that of the second is late; the third has no feed but a sitemap; the fourth
 * tells no dates, and of its pages the one that shows most says nofollow. */
static const struct web_site ugly_sites[] = {
    {.name = "The Gazette",
     .addresses = WEB_DATED_FILE,
     .dates = WEB_IN_JSON_LD,
     .has_archives = true,
     .has_comment_feed = true,
     .has_validators = true},
    {.name = "The Daily Log",
     .addresses = WEB_DATED_FOLDER,
     .dates = WEB_IN_META,
     .has_archives = true,
     .has_feed = true,
     .feed_lag = 3 * FG_HOUR,
     .has_comment_feed = true,
     .hides_replies = true},
    {.name = "Portal One",
     .addresses = WEB_SECTION_FILE,
     .dates = WEB_IN_TIME,
     .has_archives = true,
     .has_sitemap = true,
     .has_sessions = true},
    {.name = "The Evening Star",
     .addresses = WEB_STORY,
     .dates = WEB_UNDATED,
     .has_nofollow_hub = true},
};

struct fg_web_options fg_web_defaults(void)
{
    return (struct fg_web_options){
        .seed = 1,
        .sites = 4,
        .from = 0,
        .to = 28 * FG_DAY,
        .articles_per_day = 150,
        .tags = 30,
        .authors = 16,
        .article_bytes = 6000,
        .has_noise = true,
        .stock = 600,
    };
}

static struct web_list *add_list(struct web_site *site, enum web_list_kind kind,
                                 const char *name, size_t shows)
{
    struct web_list list = {.kind = kind, .shows = shows};
    snprintf(list.name, sizeof list.name, "%s", name);
    fg_vec_push(&site->lists, list);
    return &site->lists.at[site->lists.len - 1];
}

static void add_numbered_lists(struct web_site *site, struct fg_rng *rng,
                               enum web_list_kind kind, unsigned n, size_t least,
                               size_t most)
{
    for (unsigned i = 0; i < n; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s-%u", kind == WEB_TAG ? "topic" : "writer", i + 1);
        struct web_list *list =
            add_list(site, kind, name, least + fg_rng_below(rng, most - least + 1));
        list->section = (unsigned)fg_rng_below(rng, site->n_sections);
        /* Heavy-tailed: a few topics are everywhere, most are nearly silent. */
        list->share = fmin(0.5, 0.02 * exp(1.2 * fg_rng_normal(rng)));
    }
}

static void make_lists(struct web_site *site, struct fg_rng *rng,
                       const struct fg_web_options *options)
{
    add_list(site, WEB_HOME, "", 20 + fg_rng_below(rng, 21));
    if (fg_rng_unit(rng) < 0.5 || site->has_nofollow_hub)
        add_list(site, WEB_TICKER, "latest", 12 + fg_rng_below(rng, 14));
    site->n_sections = 6 + (unsigned)fg_rng_below(rng, SECTION_NAMES - 6 + 1);
    site->first_section = (unsigned)site->lists.len;
    for (unsigned i = 0; i < site->n_sections; i++) {
        struct web_list *list =
            add_list(site, WEB_SECTION, section_names[i], 15 + fg_rng_below(rng, 16));
        list->section = i;
        list->share = exp(fg_rng_normal(rng));
        list->peak_hour = fmod(13 + 4 * fg_rng_normal(rng) + 48, 24);
        list->sharpness = 1 + 2 * fg_rng_unit(rng);
        list->weekend = 0.3 + 0.7 * fg_rng_unit(rng);
    }
    add_numbered_lists(site, rng, WEB_TAG, options->tags, 8, 20);
    add_numbered_lists(site, rng, WEB_AUTHOR, options->authors, 6, 12);
    add_list(site, WEB_OLD, "most-read", 15);
    add_list(site, WEB_OLD, "classics", 25);
}

/* Relative rate of a section at a time: near nothing at night, all at its peak. */
static double profile(const struct web_list *section, fg_time now)
{
    double hour = fmod(fg_hours(now), 24);
    double bell =
        exp(section->sharpness * (cos((hour - section->peak_hour) * M_PI / 12) - 1));
    int64_t day = now / FG_DAY;
    bool is_weekend = (day + 3) % 7 >= 5; /* day 0 was a Thursday */
    return (0.05 + 0.95 * bell) * (is_weekend ? section->weekend : 1);
}

static void put_on_lists(struct web_site *site, struct fg_rng *rng, uint32_t number,
                         unsigned section)
{
    bool is_obscure = fg_rng_unit(rng) < 0.1; /* on topic and author pages only */
    bool is_lead = fg_rng_unit(rng) < 0.25;
    for (size_t i = 0; i < site->lists.len; i++) {
        struct web_list *list = &site->lists.at[i];
        bool shown = false;
        switch (list->kind) {
        case WEB_HOME:
            shown = is_lead && !is_obscure;
            break;
        case WEB_TICKER:
            shown = !is_obscure && fg_rng_unit(rng) < 0.9;
            break;
        case WEB_SECTION:
            shown = list->section == section && !is_obscure;
            break;
        case WEB_TAG:
            shown = fg_rng_unit(rng) < list->share * (list->section == section ? 3 : 0.3);
            break;
        case WEB_AUTHOR:
            shown = list->section == section && fg_rng_unit(rng) < list->share * 4;
            break;
        case WEB_OLD:
            shown = number < 40; /* articles of the first days, for ever */
            break;
        }
        if (shown)
            fg_vec_push(&list->articles, number);
    }
}

static double sum_of_shares(const struct web_site *site)
{
    double shares = 0;
    for (unsigned i = 0; i < site->n_sections; i++)
        shares += site->lists.at[site->first_section + i].share;
    return shares;
}

static unsigned pick_section(const struct web_site *site, struct fg_rng *rng,
                             double shares)
{
    const struct web_list *sections = &site->lists.at[site->first_section];
    double pick = fg_rng_unit(rng) * shares;
    unsigned s = 0;
    while (s + 1 < site->n_sections && (pick -= sections[s].share) > 0)
        s++;
    return s;
}

static void publish(struct web_site *site, struct fg_rng *rng, fg_time at,
                    unsigned section)
{
    struct web_article article = {.published = at,
                                  .edited = FG_NEVER,
                                  .section = section,
                                  .seed = fg_rng_next(rng)};
    fg_vec_push(&site->articles, article);
    put_on_lists(site, rng, (uint32_t)site->articles.len - 1, section);
}

/* Thinning: candidates at the site's highest rate, kept with the rate of the moment. */
static void make_articles(struct web_site *site, struct fg_rng *rng, double per_day,
                          fg_time from, fg_time to)
{
    double shares = sum_of_shares(site), mean = 0;
    const struct web_list *sections = &site->lists.at[site->first_section];
    for (int hour = 0; hour < 168; hour++)
        for (unsigned i = 0; i < site->n_sections; i++)
            mean +=
                sections[i].share / shares * profile(&sections[i], hour * FG_HOUR) / 168;
    double per_microsecond = per_day / mean / (double)FG_DAY;
    for (double at = (double)from;;) {
        at += fg_rng_exponential(rng) / per_microsecond;
        if (at >= (double)to)
            return;
        unsigned s = pick_section(site, rng, shares);
        if (fg_rng_unit(rng) <= profile(&sections[s], (fg_time)at))
            publish(site, rng, (fg_time)at, s);
    }
}

/* --- what an ugly web has besides --- */

/* About `n` articles of the past two years, at a steady rate. */
static void make_stock(struct web_site *site, struct fg_rng *rng, unsigned n, fg_time to)
{
    double shares = sum_of_shares(site), every = (double)stock_history / (n ? n : 1);
    double at = (double)(to - stock_history);
    while (n && (at += every * fg_rng_exponential(rng)) < (double)to)
        publish(site, rng, (fg_time)at, pick_section(site, rng, shares));
}

static fg_time some_time(struct fg_rng *rng, const struct fg_web_options *options)
{
    return options->from +
           (fg_time)(fg_rng_unit(rng) * (double)(options->to - options->from));
}

/* One in seven is corrected within two days; one in five of the old ones while the story
 * goes on. */
static void edit_articles(struct web_site *site, const struct fg_web_options *options)
{
    for (size_t i = 0; i < site->articles.len; i++) {
        struct web_article *article = &site->articles.at[i];
        struct fg_rng rng = fg_rng_from_seed(article->seed ^ 0xed17);
        double chance = fg_rng_unit(&rng);
        if (article->published < options->from - history && chance < 0.2)
            article->edited = some_time(&rng, options);
        else if (chance < 1 / 7.0)
            article->edited =
                article->published + FG_HOUR + (fg_time)fg_rng_below(&rng, 47 * FG_HOUR);
    }
}

unsigned web_comments(const struct fg_web *web, const struct web_article *article,
                      fg_time times[static WEB_MOST_COMMENTS])
{
    struct fg_rng rng = fg_rng_from_seed(article->seed ^ 0xc0de);
    unsigned n = (unsigned)fg_rng_below(&rng, WEB_MOST_COMMENTS);
    for (unsigned i = 0; i < n; i++)
        times[i] = article->published +
                   (fg_time)(6 * (double)FG_HOUR * fg_rng_exponential(&rng));
    /* Somebody has found an old article. */
    if (article->published < web->options.from && fg_rng_unit(&rng) < 0.1)
        times[n++] = some_time(&rng, &web->options);
    return n;
}

static int by_time(const void *a, const void *b)
{
    const struct web_comment *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static void collect_comments(const struct fg_web *web, struct web_site *site)
{
    fg_time times[WEB_MOST_COMMENTS];
    for (uint32_t i = 0; i < site->articles.len; i++) {
        unsigned n = web_comments(web, &site->articles.at[i], times);
        for (uint32_t k = 0; k < n; k++)
            fg_vec_push(&site->comments,
                        (struct web_comment){times[k], i, i * WEB_MOST_COMMENTS + k});
    }
    if (site->comments.len)
        qsort(site->comments.at, site->comments.len, sizeof *site->comments.at, by_time);
}

/* --- the whole --- */

static struct fg_shop *new_shop(const struct fg_web_options *options)
{
    struct fg_shop_options shop = fg_shop_defaults();
    shop.seed = options->seed;
    shop.offers = options->offers;
    shop.from = options->from;
    shop.to = options->to;
    shop.has_noise = options->has_noise;
    return fg_shop_new(&shop);
}

static struct web_site new_site(const struct fg_web *web, const struct fg_rng *root,
                                unsigned number)
{
    const struct fg_web_options *options = &web->options;
    struct fg_rng rng = fg_rng_split(root, number), old = fg_rng_split(&rng, 1);
    struct web_site site = {.has_feed = number % 4 == 1,
                            .has_sitemap = number % 4 == 2,
                            .has_validators = number % 2 == 0};
    if (options->is_ugly)
        site = ugly_sites[number % (sizeof ugly_sites / sizeof *ugly_sites)];
    struct fg_rng names = fg_rng_split(&rng, 2);
    site.seed = fg_rng_next(&names);
    make_lists(&site, &rng, options);
    double factor = pow(3, 2 * fg_rng_unit(&rng) - 1);
    if (options->is_ugly)
        make_stock(&site, &old, options->stock, options->from - history);
    make_articles(&site, &rng, options->articles_per_day * factor,
                  options->from - history, options->to);
    if (options->is_ugly) {
        edit_articles(&site, options);
        collect_comments(web, &site);
    }
    return site;
}

struct fg_web *fg_web_new(const struct fg_web_options *options)
{
    struct fg_web *web = fg_zeroed(1, sizeof *web);
    web->options = *options;
    struct fg_rng root = fg_rng_from_seed(options->seed);
    for (unsigned i = 0; i < options->sites; i++) {
        fg_vec_push(&web->sites, new_site(web, &root, i));
    }
    if (options->offers)
        web->shop = new_shop(options);
    return web;
}

void fg_web_free(struct fg_web *web)
{
    for (size_t i = 0; web && i < web->sites.len; i++) {
        struct web_site *site = &web->sites.at[i];
        for (size_t j = 0; j < site->lists.len; j++)
            fg_vec_clear(&site->lists.at[j].articles);
        fg_vec_clear(&site->comments);
        fg_vec_clear(&site->lists);
        fg_vec_clear(&site->articles);
    }
    if (web) {
        fg_vec_clear(&web->sites);
        fg_shop_free(web->shop);
    }
    free(web);
}

unsigned fg_web_sites(const struct fg_web *web)
{
    return (unsigned)web->sites.len + (web->shop != NULL);
}

const struct fg_shop *fg_web_shop(const struct fg_web *web)
{
    return web->shop;
}

size_t web_count(const struct web_site *site, fg_time now)
{
    size_t low = 0, high = site->articles.len;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (site->articles.at[middle].published <= now)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t web_list_count(const struct web_site *site, const struct web_list *list,
                      fg_time now)
{
    size_t low = 0, high = list->articles.len;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (site->articles.at[list->articles.at[middle]].published <= now)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void web_article_path(const struct web_site *site, uint32_t number, struct fg_buf *out)
{
    const struct web_article *article = &site->articles.at[number];
    const char *section = section_names[article->section];
    int64_t year;
    int month, day;
    int64_t days = article->published / FG_DAY - (article->published % FG_DAY < 0);
    fg_date_from_days(days, &year, &month, &day);
    if (site->addresses == WEB_DATED_FILE)
        fg_buf_printf(out, "/%s/%04d/%02d/%02d/", section, (int)year, month, day);
    else if (site->addresses == WEB_DATED_FOLDER)
        fg_buf_printf(out, "/%04d/%02d/%02d/", (int)year, month, day);
    else
        fg_buf_printf(out, "/%s/", site->addresses == WEB_STORY ? "story" : section);
    web_add_slug(article->seed, out);
    bool is_file =
        site->addresses == WEB_DATED_FILE || site->addresses == WEB_SECTION_FILE;
    fg_buf_printf(out, "-%u%s", number, is_file ? ".html" : "/");
}

/* The number in ".../words-123.html" or ".../words-123/". */
bool web_find_article(const struct web_site *site, struct fg_str path, fg_time now,
                      uint32_t *number)
{
    size_t end = fg_str_ends(path, FG_STR(".html")) ? path.len - 5
                 : fg_str_ends(path, FG_STR("/"))   ? path.len - 1
                                                    : 0;
    size_t start = end;
    while (start > 0 && fg_is_digit(path.at[start - 1]))
        start--;
    uint64_t n;
    if (!fg_str_to_u64(fg_str_sub(path, start, end), &n) || n >= site->articles.len ||
        site->articles.at[n].published > now)
        return false;
    struct fg_buf real;
    fg_buf_init(&real, 1024);
    web_article_path(site, (uint32_t)n, &real);
    bool same = fg_str_eq(path, fg_buf_str(&real));
    fg_buf_clear(&real);
    *number = (uint32_t)n;
    return same;
}

const char *web_list_folder(enum web_list_kind kind)
{
    return kind == WEB_SECTION  ? "/section/"
           : kind == WEB_TAG    ? "/topic/"
           : kind == WEB_AUTHOR ? "/writer/"
                                : "/";
}

const struct web_list *web_find_list(const struct web_site *site, struct fg_str path)
{
    for (size_t i = 0; i < site->lists.len; i++) {
        const struct web_list *list = &site->lists.at[i];
        struct fg_str folder = fg_str_from(web_list_folder(list->kind));
        if (fg_str_starts(path, folder) &&
            fg_str_eq(fg_str_skip(path, folder.len), fg_str_from(list->name)))
            return list;
    }
    return NULL;
}

void fg_web_articles(const struct fg_web *web, fg_time from, fg_time to,
                     bool (*take)(void *context, const struct fg_web_article *article),
                     void *context)
{
    struct fg_buf path;
    fg_buf_init(&path, 1024);
    for (size_t i = 0; i < web->sites.len; i++) {
        const struct web_site *site = &web->sites.at[i];
        for (size_t j = 0; j < site->articles.len; j++) {
            fg_time published = site->articles.at[j].published;
            if (published < from || published >= to)
                continue;
            fg_buf_reset(&path);
            web_article_path(site, (uint32_t)j, &path);
            struct fg_web_article article = {
                .site = (unsigned)i, .path = fg_buf_str(&path), .published = published};
            if (!take(context, &article))
                goto out;
        }
    }
out:
    fg_buf_clear(&path);
}
