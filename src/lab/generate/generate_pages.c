/* Which pages a site has. */
#include "base/elementary.h"
#include "base/variate.h"
#include "lab/generate/generate_model.h"

#include <math.h>

double gen_between(struct fg_rng *rng, struct gen_range range)
{
    return range.from + (range.to - range.from) * fg_rng_unit(rng);
}

size_t gen_whole_between(struct fg_rng *rng, struct gen_range range)
{
    uint64_t from = (uint64_t)lround(range.from), to = (uint64_t)lround(range.to);
    return from + fg_rng_below(rng, to - from + 1);
}

static double clipped(double x, double least, double most)
{
    return x < least ? least : x > most ? most : x;
}

/* --- sections --- */

static void make_section(struct gen_site *site, size_t i, struct fg_rng *rng)
{
    const struct gen_params *p = site->params;
    struct gen_section *section = &site->sections[i];
    section->weight = fg_exp(p->section_spread * fg_rng_normal(rng));
    section->home_share = clipped(p->home_share * fg_exp(.5 * fg_rng_normal(rng)), 0, 1);
    double peak = site->peak + p->when.peak_jitter * fg_rng_normal(rng);
    double sharpness = clipped(site->sharpness + .5 * fg_rng_normal(rng), 0, 10);
    double weekend = clipped(p->when.weekend + .15 * fg_rng_normal(rng), .1, 1.5);
    bool has_batch = fg_rng_unit(rng) < p->when.batch_chance;
    int batch_hour = (int)fg_rng_below(rng, 24);
    gen_profile(section->profile, p, peak, sharpness, weekend,
                has_batch ? batch_hour : -1);
    struct fg_rng topics = fg_rng_split(&site->rng, GEN_FOR_SECTION_TOPICS);
    section->multiplier = gen_multiplier(&site->arena, p, fg_rng_split(&topics, i),
                                         site->hours, p->when.regimes_per_week);
}

static void make_sections(struct gen_site *site)
{
    const struct gen_params *p = site->params;
    struct fg_rng rng = fg_rng_split(&site->rng, GEN_FOR_SECTIONS);
    double sum = 0;
    site->n_sections = gen_whole_between(&rng, p->sections);
    if (site->n_sections >=
        site->n_pages) /* a small site: a page each, and a home page */
        site->n_sections = site->n_pages > 1 ? site->n_pages - 1 : 1;
    site->sections = FG_NEW(&site->arena, struct gen_section, site->n_sections);
    site->peak = 13 + 2 * fg_rng_normal(&rng);
    site->sharpness = gen_between(&rng, p->when.sharpness);
    for (size_t i = 0; i < site->n_sections; i++) {
        make_section(site, i, &rng);
        sum += site->sections[i].weight;
    }
    for (size_t i = 0; i < site->n_sections; i++)
        site->sections[i].weight /= sum;
}

static size_t section_by_weight(const struct gen_site *site, struct fg_rng *rng)
{
    double u = fg_rng_unit(rng);
    size_t i = 0;
    while (i + 1 < site->n_sections && (u -= site->sections[i].weight) >= 0)
        i++;
    return i;
}

/* --- pages --- */

/* How many pages of each kind. What home, latest and section pages leave is split in the
 * regime's proportions. */
static void count_kinds(struct gen_site *site, struct fg_rng *rng, size_t n[GEN_KINDS])
{
    const struct gen_params *p = site->params;
    size_t latest = fg_rng_unit(rng) < p->latest_chance ? 1 + fg_rng_below(rng, 2) : 0;
    n[GEN_HOME] = site->n_pages > 1;
    n[GEN_SECTION] = site->n_sections;
    size_t left = site->n_pages - n[GEN_HOME] - n[GEN_SECTION];
    n[GEN_LATEST] = latest < left ? latest : left;
    left -= n[GEN_LATEST];
    double part[GEN_KINDS] = {
        [GEN_SUBSECTION] = p->kinds.subsections,
        [GEN_TAG] = p->kinds.tags,
        [GEN_AUTHOR] = p->kinds.authors,
        [GEN_MIRROR] = gen_between(rng, p->mirrors),
        [GEN_PAGE_TWO] = p->kinds.page_twos,
        [GEN_STATIC] = p->kinds.statics,
    };
    double sum = 0, upto = 0;
    size_t given = 0;
    for (size_t kind = GEN_SUBSECTION; kind < GEN_KINDS; kind++)
        sum += part[kind];
    for (size_t kind = GEN_SUBSECTION; kind < GEN_KINDS; kind++) {
        upto += part[kind];
        size_t until = sum > 0 ? (size_t)lround((double)left * upto / sum) : left;
        n[kind] = until - given;
        given = until;
    }
}

static void aim_mirror(struct gen_site *site, struct gen_page *page, struct fg_rng *rng,
                       const size_t n[GEN_KINDS])
{
    size_t first_section = n[GEN_HOME] + n[GEN_LATEST], best[2] = {0, 0}, top[5];
    size_t n_top = 0, owners = first_section + n[GEN_SECTION] + n[GEN_SUBSECTION] +
                               n[GEN_TAG] + n[GEN_AUTHOR];
    for (size_t i = 1; i < site->n_sections; i++)
        if (site->sections[i].weight > site->sections[best[0]].weight)
            best[0] = i;
    best[1] = best[0] == 0 && site->n_sections > 1;
    for (size_t i = 0; i < site->n_sections; i++)
        if (i != best[0] && site->sections[i].weight > site->sections[best[1]].weight)
            best[1] = i;
    for (size_t i = 0; i < first_section; i++)
        top[n_top++] = i;
    top[n_top++] = first_section + best[0];
    top[n_top++] = first_section + best[1];
    bool is_top = fg_rng_unit(rng) < site->params->mirror_top;
    page->stream = is_top ? top[fg_rng_below(rng, n_top)] : fg_rng_below(rng, owners);
    const struct gen_page *copied = &site->pages[page->stream];
    double by = fg_rng_unit(rng) < .6 ? 1 : gen_between(rng, (struct gen_range){.5, 1.5});
    page->section = copied->section;
    page->shows = (size_t)lround(by * (double)copied->shows);
}

/* A tag's or author's page takes articles of one section, or a few of all. */
static void aim_tag(struct gen_site *site, struct gen_page *page, struct fg_rng *rng)
{
    double share = page->kind == GEN_TAG ? site->params->where.tag_share
                                         : site->params->where.author_share;
    share = clipped(share * fg_exp(fg_rng_normal(rng)), 0, .6);
    page->section = fg_rng_below(rng, site->n_sections);
    page->share = share;
    if (fg_rng_unit(rng) < .2) {
        page->section = GEN_ALL_SECTIONS;
        page->share = .3 * share;
    }
}

static void make_page(struct gen_site *site, size_t number, enum gen_kind kind,
                      size_t nth, struct fg_rng *rng, const size_t n[GEN_KINDS])
{
    const struct gen_params *p = site->params;
    const struct gen_range shows[GEN_KINDS] = {
        [GEN_HOME] = p->home_shows,
        [GEN_LATEST] = p->latest_shows,
        [GEN_SECTION] = p->section_shows,
        [GEN_SUBSECTION] = {fmin(p->neglected_shows.from, p->section_shows.to),
                            p->section_shows.to},
        [GEN_TAG] = p->neglected_shows,
        [GEN_AUTHOR] = p->neglected_shows,
        [GEN_STATIC] = p->neglected_shows,
    };
    struct gen_page *page = &site->pages[number];
    *page =
        (struct gen_page){.kind = kind, .stream = number, .section = GEN_ALL_SECTIONS};
    page->shows = gen_whole_between(rng, shows[kind]);
    if (kind == GEN_SECTION) {
        page->section = nth;
    } else if (kind == GEN_SUBSECTION) {
        page->section = fg_rng_unit(rng) < .5 ? section_by_weight(site, rng)
                                              : fg_rng_below(rng, site->n_sections);
        page->share = fg_exp(fg_rng_normal(rng));
        site->sections[page->section].subsections++;
    } else if (kind == GEN_TAG || kind == GEN_AUTHOR) {
        aim_tag(site, page, rng);
    } else if (kind == GEN_MIRROR) {
        aim_mirror(site, page, rng, n);
    } else if (kind == GEN_PAGE_TWO) {
        page->section = fg_rng_below(rng, site->n_sections);
        page->stream = n[GEN_HOME] + n[GEN_LATEST] + page->section;
        page->skips = page->shows = site->pages[page->stream].shows;
    }
    if (n[GEN_HOME] && fg_rng_unit(rng) < p->widget_chance)
        page->widget_shows = gen_whole_between(rng, p->widget_shows);
}

static bool is_neglected(enum gen_kind kind)
{
    return kind == GEN_SUBSECTION || kind == GEN_TAG || kind == GEN_AUTHOR ||
           kind == GEN_STATIC;
}

/* What the pages that nobody tends get of the orphans, and how that and the topics of
 * tags and authors wax and wane. */
static void neglect_pages(struct gen_site *site, struct fg_rng *rng)
{
    const struct gen_params *p = site->params;
    struct fg_rng topics = fg_rng_split(&site->rng, GEN_FOR_PAGE_TOPICS);
    double sum = 0;
    for (size_t i = 0; i < site->n_pages; i++) {
        struct gen_page *page = &site->pages[i];
        if (!is_neglected(page->kind))
            continue;
        page->orphans = fg_exp(p->where.orphan_spread * fg_rng_normal(rng));
        sum += page->orphans;
        bool is_tag = page->kind == GEN_TAG || page->kind == GEN_AUTHOR;
        page->multiplier =
            gen_multiplier(&site->arena, p, fg_rng_split(&topics, i), site->hours,
                           p->when.regimes_per_week * (is_tag ? 2 : 1));
    }
    for (size_t i = 0; i < site->n_pages; i++)
        site->pages[i].orphans /= sum > 0 ? sum : 1;
}

/* Relevance goes by topic: a section's articles are mostly relevant or mostly not. */
static void set_relevance(struct gen_site *site)
{
    struct fg_rng rng = fg_rng_split(&site->rng, GEN_FOR_RELEVANCE);
    double share = site->relevant;
    if (!(share > 0 && share < 1))
        return;
    for (size_t i = 0; i < site->n_sections; i++)
        site->sections[i].relevance = fg_rng_beta(&rng, 2 * share, 2 * (1 - share));
    for (size_t i = 0; i < site->n_pages; i++) {
        struct gen_page *page = &site->pages[i];
        double own = fg_rng_beta(&rng, 2 * share, 2 * (1 - share));
        page->relevance = page->section == GEN_ALL_SECTIONS
                              ? own
                              : site->sections[page->section].relevance;
    }
}

void gen_plan(struct gen_site *site)
{
    size_t n[GEN_KINDS] = {0}, number = 0;
    make_sections(site);
    struct fg_rng rng = fg_rng_split(&site->rng, GEN_FOR_PAGES);
    site->pages = FG_NEW(&site->arena, struct gen_page, site->n_pages);
    site->streams = FG_NEW(&site->arena, gen_stream, site->n_pages);
    count_kinds(site, &rng, n);
    for (enum gen_kind kind = 0; kind < GEN_KINDS; kind++)
        for (size_t nth = 0; nth < n[kind]; nth++)
            make_page(site, number++, kind, nth, &rng, n);
    neglect_pages(site, &rng);
    set_relevance(site);
}
