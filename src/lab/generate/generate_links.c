/* What is published on a site, where it goes, and what lists show of it.
 *
 * A list is kept as its stream: what came to its top, in order of time. An entry is
 * visible from when it came until as many others came as the list has room for, so one
 * pass over the stream gives every stay, for any number of pages that show it. */
#include "base/elementary.h"
#include "base/variate.h"
#include "lab/generate/generate_model.h"

#define ARCHIVE_RELEVANCE 0.5

/* Everything that is at work while a site's links are made. */
struct press {
    struct gen_site *site;
    struct fg_rng rng;       /* of the kind of link being made */
    struct fg_rng relevance; /* apart, so that the links do not depend on it */
    gen_stream articles;     /* in the order in which they were published */
};

uint32_t gen_target(struct gen_output *out, bool is_relevant)
{
    fg_vec_push(&out->is_relevant, is_relevant);
    return (uint32_t)out->is_relevant.len - 1;
}

static uint32_t new_target(struct press *press, double relevance)
{
    const struct gen_site *site = press->site;
    bool is_relevant = site->relevant > 0 && fg_rng_unit(&press->relevance) < relevance;
    return gen_target(site->out, is_relevant);
}

void gen_show(struct gen_site *site, size_t page, uint32_t target, int64_t from,
              int64_t until)
{
    int64_t start = (int64_t)site->history;
    int64_t end = start + (int64_t)site->out->steps;
    from = from < start ? start : from;
    until = until > end ? end : until;
    if (from >= until)
        return;
    fg_vec_push(&site->out->stays,
                (struct fg_stay){.source = site->first_source + (uint32_t)page,
                                 .target = target,
                                 .first = (uint32_t)(from - start),
                                 .last = (uint32_t)(until - 1 - start)});
}

static size_t hour_of_week(const struct gen_site *site, size_t hour)
{
    size_t whole = (site->history / GEN_WEEK + 1) * GEN_WEEK;
    return (hour + whole - site->history) % GEN_WEEK;
}

static void enter(struct gen_site *site, size_t page, uint32_t target, size_t hour)
{
    fg_vec_push(&site->streams[page], (struct gen_entry){(int32_t)hour, target});
}

static size_t lag(struct fg_rng *rng, double mean_hours)
{
    return (size_t)(mean_hours * fg_rng_exponential(rng));
}

/* --- articles --- */

/* The subsection an article of the section goes to, by weight. */
static size_t draw_subsection(struct press *press, size_t section)
{
    const struct gen_site *site = press->site;
    double sum = 0;
    size_t last = 0;
    for (size_t i = 0; i < site->n_pages; i++)
        if (site->pages[i].kind == GEN_SUBSECTION && site->pages[i].section == section)
            sum += site->pages[i].share;
    double u = sum * fg_rng_unit(&press->rng);
    for (size_t i = 0; i < site->n_pages && u >= 0; i++)
        if (site->pages[i].kind == GEN_SUBSECTION && site->pages[i].section == section) {
            u -= site->pages[i].share;
            last = i;
        }
    return last;
}

/* The pages that may carry an article besides its section: home, latest, tags, authors.
 */
static void offer(struct press *press, size_t section, size_t hour, uint32_t target)
{
    struct gen_site *site = press->site;
    const struct gen_params *p = site->params;
    struct fg_rng *rng = &press->rng;
    for (size_t i = 0; i < site->n_pages; i++) {
        const struct gen_page *page = &site->pages[i];
        if (page->kind == GEN_HOME) {
            if (fg_rng_unit(rng) < site->sections[section].home_share)
                enter(site, i, target, hour + lag(rng, p->where.home_lag_hours));
        } else if (page->kind == GEN_LATEST) {
            if (fg_rng_unit(rng) < .7)
                enter(site, i, target, hour);
        } else if (page->kind == GEN_TAG || page->kind == GEN_AUTHOR) {
            if (page->section != section && page->section != GEN_ALL_SECTIONS)
                continue;
            double chance = page->share * page->multiplier[hour];
            if (fg_rng_unit(rng) < (chance < .9 ? chance : .9))
                enter(site, i, target, hour + lag(rng, p->where.tag_lag_hours));
        }
    }
}

static void publish_article(struct press *press, size_t number, size_t front, size_t hour)
{
    struct gen_site *site = press->site;
    const struct gen_section *section = &site->sections[number];
    uint32_t target = new_target(press, section->relevance);
    bool is_on_front = true;
    fg_vec_push(&press->articles, (struct gen_entry){(int32_t)hour, target});
    if (section->subsections &&
        fg_rng_unit(&press->rng) < site->params->where.to_subsection) {
        enter(site, draw_subsection(press, number), target, hour);
        is_on_front = fg_rng_unit(&press->rng) >= site->params->where.subsection_only;
    }
    if (is_on_front)
        enter(site, front, target, hour);
    offer(press, number, hour, target);
}

static size_t first_front(const struct gen_site *site)
{
    size_t i = 0;
    while (site->pages[i].kind != GEN_SECTION)
        i++;
    return i;
}

static void publish_articles(struct press *press)
{
    struct gen_site *site = press->site;
    const struct gen_params *p = site->params;
    size_t front = first_front(site);
    double *burst = gen_bursts(&site->arena, p, fg_rng_split(&site->rng, GEN_FOR_BURSTS),
                               site->n_sections, site->hours);
    press->rng = fg_rng_split(&site->rng, GEN_FOR_ARTICLES);
    for (size_t h = 0; h < site->hours; h++)
        for (size_t s = 0; s < site->n_sections; s++) {
            const struct gen_section *section = &site->sections[s];
            double rate = site->rate * section->weight *
                          section->profile[hour_of_week(site, h)] *
                          section->multiplier[h] * burst[s * site->hours + h];
            rate *= fg_rng_gamma(&press->rng, p->when.evenness) / p->when.evenness;
            uint64_t n = fg_rng_poisson(&press->rng, rate * (1 - p->where.orphans));
            for (; n; n--)
                publish_article(press, s, front + s, h);
        }
}

/* --- orphans: on one neglected page and nowhere else --- */

static void publish_orphans(struct press *press)
{
    struct gen_site *site = press->site;
    const struct gen_params *p = site->params;
    double profile[GEN_WEEK];
    gen_profile(profile, p, site->peak, site->sharpness, p->when.weekend, -1);
    press->rng = fg_rng_split(&site->rng, GEN_FOR_ORPHANS);
    for (size_t i = 0; i < site->n_pages; i++) {
        const struct gen_page *page = &site->pages[i];
        for (size_t h = 0; page->orphans > 0 && h < site->hours; h++) {
            double rate = site->rate * p->where.orphans * page->orphans *
                          profile[hour_of_week(site, h)] * page->multiplier[h];
            for (uint64_t n = fg_rng_poisson(&press->rng, rate); n; n--)
                enter(site, i, new_target(press, page->relevance), h);
        }
    }
}

/* --- links that surface for a while --- */

/* How many articles were published before an hour. */
static size_t count_before(const gen_stream *articles, size_t hour)
{
    size_t low = 0, high = articles->len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((size_t)articles->at[middle].hour < hour)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* An old link that is no article of ours: always another one, or one of an archive that
 * a full crawl will have seen through after a while. */
static uint32_t draw_old(struct press *press, size_t page, uint32_t *archive)
{
    double relevance = press->site->pages[page].relevance;
    if (!archive)
        return new_target(press, relevance);
    size_t place = fg_rng_below(&press->rng, (uint64_t)press->site->params->archive);
    if (!archive[place]) /* boilerplate, more often than what is on lists */
        archive[place] = new_target(press, ARCHIVE_RELEVANCE * relevance) + 1;
    return archive[place] - 1;
}

static void surface(struct press *press, size_t page, double rate)
{
    struct gen_site *site = press->site;
    const struct gen_params *p = site->params;
    struct fg_rng *rng = &press->rng;
    double shortest = fg_log(p->surfacing_hours.from);
    double longest = fg_log(p->surfacing_hours.to);
    uint32_t *archive =
        p->archive >= 1 ? FG_NEW(&site->arena, uint32_t, (size_t)p->archive) : NULL;
    for (double t = 0; (t += fg_rng_exponential(rng) / rate) < (double)site->hours;) {
        size_t from = (size_t)t, before = count_before(&press->articles, from);
        double hours = fg_exp(gen_between(rng, (struct gen_range){shortest, longest}));
        bool is_new = fg_rng_unit(rng) < p->surfacing_new || !before;
        uint32_t target = is_new ? draw_old(press, page, archive)
                                 : press->articles.at[fg_rng_below(rng, before)].target;
        size_t until = (size_t)(t + hours);
        gen_show(site, page, target, (int64_t)from,
                 (int64_t)(until > from ? until : from + 1));
    }
}

static void surface_all(struct press *press)
{
    struct gen_site *site = press->site;
    const struct gen_params *p = site->params;
    struct fg_rng rng = fg_rng_split(&site->rng, GEN_FOR_SURFACING);
    for (size_t i = 0; i < site->n_pages; i++) {
        double spread = p->surfacing_spread;
        press->rng = fg_rng_split(&rng, i);
        double rate = p->surfacing *
                      fg_exp(spread * fg_rng_normal(&press->rng) - spread * spread / 2);
        if (rate > 0)
            surface(press, i, rate);
    }
}

/* --- links that never change --- */

static void show_always(struct gen_site *site, size_t page, uint32_t target)
{
    gen_show(site, page, target, 0, INT64_MAX);
}

static void add_fixed(struct press *press)
{
    struct gen_site *site = press->site;
    press->rng = fg_rng_split(&site->rng, GEN_FOR_FIXED);
    for (size_t n = gen_whole_between(&press->rng, site->params->navigation_links); n;
         n--) {
        uint32_t target = new_target(press, site->relevant);
        for (size_t i = 0; i < site->n_pages; i++)
            show_always(site, i, target);
    }
    for (size_t i = 0; i < site->n_pages; i++)
        for (size_t n = gen_whole_between(&press->rng, site->params->private_links); n;
             n--)
            show_always(site, i, new_target(press, site->pages[i].relevance));
}

void gen_publish(struct gen_site *site)
{
    struct fg_rng relevance = fg_rng_split(&site->rng, GEN_FOR_RELEVANCE);
    struct press press = {.site = site, .relevance = fg_rng_split(&relevance, 0)};
    publish_articles(&press);
    publish_orphans(&press);
    surface_all(&press);
    add_fixed(&press);
    fg_vec_clear(&press.articles);
}

/* --- what lists show --- */

static int by_hour(const void *a, const void *b)
{
    const struct gen_entry *x = a, *y = b;
    if (x->hour != y->hour)
        return x->hour < y->hour ? -1 : 1;
    return x->target < y->target ? -1 : x->target > y->target;
}

static void show_list(struct gen_site *site, size_t page, const gen_stream *stream,
                      size_t skips, size_t shows)
{
    for (size_t i = 0; i + skips < stream->len; i++) {
        size_t leaves = i + skips + shows;
        int64_t until = leaves < stream->len ? stream->at[leaves].hour : INT64_MAX;
        gen_show(site, page, stream->at[i].target, stream->at[i + skips].hour, until);
    }
}

void gen_show_lists(struct gen_site *site)
{
    for (size_t i = 0; i < site->n_pages; i++)
        if (site->streams[i].len)
            qsort(site->streams[i].at, site->streams[i].len, sizeof *site->streams[i].at,
                  by_hour);
    for (size_t i = 0; i < site->n_pages; i++) {
        const struct gen_page *page = &site->pages[i];
        show_list(site, i, &site->streams[page->stream], page->skips, page->shows);
        if (page->widget_shows)
            show_list(site, i, &site->streams[0], 0, page->widget_shows);
    }
}
