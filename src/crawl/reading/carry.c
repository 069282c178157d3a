#include "crawl/reading/carry.h"

#include "base/utf8.h"
#include "net/url/canonical.h"
#include "net/url/url.h"

#include <math.h>
#include <string.h>

/* One walk over the fields serves both ways: with `out` they are written, else they are
 * read from `in`. */
struct walk {
    struct fg_buf *out;
    struct fg_str in;
    struct fg_arena *arena;
    bool is_bad;
};

static void bytes_of(struct walk *walk, void *at, size_t n)
{
    if (walk->out)
        walk->is_bad |= !fg_buf_add(walk->out, (struct fg_str){at, n});
    else if (!fg_str_take(&walk->in, at, n))
        walk->is_bad = true;
}

/* Any value of a number will do. */
#define NUMBER(walk, field) bytes_of((walk), &(field), sizeof(field))

static void flag(struct walk *walk, bool *is)
{
    unsigned char byte = *is;
    NUMBER(walk, byte);
    *is = byte & 1;
}

/* One of the first `n`. */
static unsigned one_of(struct walk *walk, unsigned which, unsigned n)
{
    NUMBER(walk, which);
    if (which < n)
        return which;
    walk->is_bad = true;
    return 0;
}

#define ONE_OF(walk, field, last) \
    ((field) = one_of((walk), (unsigned)(field), (unsigned)(last) + 1))

/* Within ten thousand years of 1970, or never, or always: sums of two do not overflow. */
static void moment(struct walk *walk, fg_time *time)
{
    static const fg_time most = 3652425 * FG_DAY;
    NUMBER(walk, *time);
    if (*time != FG_NEVER && *time != INT64_MAX && (*time < -most || *time > most))
        walk->is_bad = true;
}

static void bytes(struct walk *walk, struct fg_str *s)
{
    static const uint32_t none = UINT32_MAX; /* it is not there, which is not empty */
    uint32_t n = s->at ? (uint32_t)s->len : none;
    walk->is_bad |= s->len >= none;
    NUMBER(walk, n);
    if (walk->out) {
        walk->is_bad |= !fg_buf_add(walk->out, *s);
        return;
    }
    if (walk->is_bad || n == none || n > walk->in.len) {
        walk->is_bad |= n != none;
        *s = (struct fg_str){0};
        return;
    }
    *s = fg_str_sub(walk->in, 0, n);
    walk->in = fg_str_skip(walk->in, n);
}

static void text(struct walk *walk, struct fg_str *s)
{
    bytes(walk, s);
    if (!walk->out && !fg_utf8_is_valid(*s))
        walk->is_bad = true;
}

/* Room of a fixed size for a short text. */
static void short_text(struct walk *walk, char *at, size_t room)
{
    struct fg_str s = fg_str_from(at);
    text(walk, &s);
    if (walk->out)
        return;
    walk->is_bad |= s.len >= room || (s.len && memchr(s.at, 0, s.len));
    if (walk->is_bad)
        s.len = 0;
    if (s.len)
        memcpy(at, s.at, s.len);
    at[s.len] = '\0';
}

/* An address that something will be asked of, or none. */
static void address(struct walk *walk, struct fg_str *s)
{
    struct fg_url url;
    text(walk, s);
    if (walk->out || !s->len || walk->is_bad)
        return;
    if (!fg_url_parse(&url, walk->arena, *s, NULL) || !fg_url_is_http(&url) ||
        !fg_str_eq(url.href, *s))
        walk->is_bad = true;
}

/* How many follow, each of which takes `least` bytes. */
static size_t count(struct walk *walk, size_t n, size_t least)
{
    uint32_t many = (uint32_t)n;
    walk->is_bad |= n > UINT32_MAX;
    NUMBER(walk, many);
    if (!walk->out && many > walk->in.len / least)
        walk->is_bad = true;
    return walk->is_bad ? 0 : many;
}

/* What has a field more must be carried with it. */
#if __SIZEOF_POINTER__ == 8
_Static_assert(sizeof(struct fg_reading) == 1136 &&
                   sizeof(struct fg_reading_link) == 120 &&
                   sizeof(struct fg_facts) == 176 && sizeof(struct fg_value) == 736 &&
                   sizeof(struct fg_reading_rules) == 48 && sizeof(struct fg_noise) == 64,
               "a field was added: carry it, then mend these figures");
#endif

/* --- there --- */

static void noise_text(struct walk *walk, const char *before, struct fg_str rule)
{
    struct fg_str whole = fg_arena_printf(walk->arena, "%s%.*s", before, FG_ARG(rule));
    bytes(walk, &whole);
}

/* What counts as well comes behind: the order in which parts are cut is kept. */
static void write_noise(struct walk *walk, const struct fg_noise *noise)
{
    size_t n = 0;
    for (const struct fg_noise *one = noise; one; one = one->also)
        n += one->selectors.len + one->lines.len;
    count(walk, n, 1);
    for (const struct fg_noise *one = noise; one; one = one->also) {
        for (size_t i = 0; i < one->selectors.len; i++)
            noise_text(walk, "", fg_selector_text(one->selectors.at[i]));
        for (size_t i = 0; i < one->lines.len; i++)
            noise_text(walk, "text:", one->lines.at[i]);
    }
    double least = fg_noise_least_change(noise);
    NUMBER(walk, least);
}

static void read_noise(struct walk *walk, struct fg_noise *noise)
{
    *noise = (struct fg_noise){0};
    size_t n = count(walk, 0, sizeof(uint32_t));
    for (size_t i = 0; i < n && !walk->is_bad; i++) {
        struct fg_str rule = {0};
        bytes(walk, &rule);
        walk->is_bad |= fg_noise_add(noise, walk->arena, rule, NULL) != FG_OK;
    }
    NUMBER(walk, noise->least_change);
}

static void page_fields(struct walk *walk, struct fg_carried *page)
{
    struct fg_reading_rules *rules = &page->rules;
    text(walk, &page->url);
    bytes(walk, &page->response.headers);
    bytes(walk, &page->response.body);
    flag(walk, &page->response.truncated);
    bytes(walk, &rules->token);
    NUMBER(walk, rules->keep);
    NUMBER(walk, rules->max_url);
}

bool fg_carry_page(struct fg_buf *out, struct fg_str url,
                   const struct fg_response *response, struct fg_reading_rules rules)
{
    struct fg_arena arena = {0};
    struct walk walk = {.out = out, .arena = &arena};
    struct fg_carried page = {.url = url, .response = *response, .rules = rules};
    page_fields(&walk, &page);
    bool has_value = rules.value, has_noise = rules.noise;
    flag(&walk, &has_value);
    if (has_value) {
        struct fg_str selector = rules.value->selector
                                     ? fg_selector_text(rules.value->selector)
                                     : (struct fg_str){0};
        unsigned kind = rules.value->kind;
        NUMBER(&walk, kind);
        bytes(&walk, &selector);
        write_noise(&walk, &rules.value->noise);
    }
    flag(&walk, &has_noise);
    if (has_noise)
        write_noise(&walk, rules.noise);
    fg_arena_clear(&arena);
    return !walk.is_bad;
}

static void read_value_rule(struct walk *walk, struct fg_value_rule *rule)
{
    struct fg_str selector = {0};
    *rule = (struct fg_value_rule){0};
    ONE_OF(walk, rule->kind, FG_VALUE_SELECTOR);
    bytes(walk, &selector);
    if (selector.len)
        walk->is_bad |=
            fg_selector_parse(&rule->selector, walk->arena, selector, NULL) != FG_OK;
    else
        walk->is_bad |= rule->kind == FG_VALUE_SELECTOR;
    read_noise(walk, &rule->noise);
}

bool fg_carried_page(struct fg_carried *page, struct fg_arena *arena, struct fg_str from)
{
    struct walk walk = {.in = from, .arena = arena};
    bool has_value = false, has_noise = false;
    *page = (struct fg_carried){.response = {.outcome = FG_FETCHED, .status = 200}};
    page_fields(&walk, page);
    page->response.url = page->url;
    flag(&walk, &has_value);
    if (has_value && !walk.is_bad) {
        read_value_rule(&walk, &page->value);
        page->rules.value = &page->value;
    }
    flag(&walk, &has_noise);
    if (has_noise && !walk.is_bad) {
        read_noise(&walk, &page->noise);
        page->rules.noise = &page->noise;
    }
    return !walk.is_bad && !walk.in.len;
}

/* --- and back --- */

static void price(struct walk *walk, struct fg_price *price)
{
    short_text(walk, price->amount, sizeof price->amount);
    short_text(walk, price->currency, sizeof price->currency);
}

static void link_fields(struct walk *walk, struct fg_reading_link *link)
{
    bool has_price = link->price;
    struct fg_price shown = link->price ? *link->price : (struct fg_price){0};
    address(walk, &link->url);
    text(walk, &link->words);
    text(walk, &link->excerpt);
    moment(walk, &link->dated);
    moment(walk, &link->modified);
    NUMBER(walk, link->region);
    NUMBER(walk, link->section);
    flag(walk, &link->is_publication);
    flag(walk, &link->is_local);
    flag(walk, &link->is_feed);
    flag(walk, &link->nofollow);
    flag(walk, &link->is_advertised);
    flag(walk, &link->is_about);
    flag(walk, &link->is_part);
    flag(walk, &has_price);
    if (has_price)
        price(walk, &shown);
    if (walk->out || walk->is_bad)
        return;
    walk->is_bad |= !link->url.len;
    link->fingerprint = fg_canonical_fingerprint(link->url);
    link->site = fg_canonical_site(link->url);
    if (has_price) {
        struct fg_price *kept = FG_NEW(walk->arena, struct fg_price, 1);
        *kept = shown;
        link->price = kept;
    }
}

static void links(struct walk *walk, struct fg_reading *reading)
{
    enum { LEAST_OF_A_LINK = 3 * sizeof(uint32_t) + 2 * sizeof(fg_time) };
    reading->n_links = count(walk, reading->n_links, LEAST_OF_A_LINK);
    if (!walk->out)
        reading->links = FG_NEW(walk->arena, struct fg_reading_link, reading->n_links);
    for (size_t i = 0; i < reading->n_links && !walk->is_bad; i++)
        link_fields(walk, &reading->links[i]);
}

static void facts(struct walk *walk, struct fg_facts *facts)
{
    text(walk, &facts->title);
    text(walk, &facts->h1);
    text(walk, &facts->excerpt);
    text(walk, &facts->main_text);
    moment(walk, &facts->published);
    moment(walk, &facts->published_from);
    moment(walk, &facts->published_until);
    moment(walk, &facts->modified);
    flag(walk, &facts->published_is_day);
    flag(walk, &facts->published_is_local);
    ONE_OF(walk, facts->claim, FG_CLAIM_OTHER);
    flag(walk, &facts->claims_strongly);
    NUMBER(walk, facts->main_hash);
    NUMBER(walk, facts->main.words);
    NUMBER(walk, facts->main.link_words);
    NUMBER(walk, facts->main.links);
    NUMBER(walk, facts->main.listed_words);
    NUMBER(walk, facts->main.pre_words);
    NUMBER(walk, facts->main.pre_links);
    NUMBER(walk, facts->n_entries);
    NUMBER(walk, facts->n_excerpts);
    NUMBER(walk, facts->excerpt_words);
    NUMBER(walk, facts->n_headings);
    NUMBER(walk, facts->n_linked_headings);
    NUMBER(walk, facts->n_articles);
    flag(walk, &facts->has_password);
    flag(walk, &facts->has_editor);
    flag(walk, &facts->needs_script);
    flag(walk, &facts->has_consent_wall);
    flag(walk, &facts->has_pager);
}

static void verdict(struct walk *walk, struct fg_kind_verdict *verdict)
{
    struct fg_str reason =
        walk->out && verdict->reason ? fg_str_from(verdict->reason) : (struct fg_str){0};
    bool has_reason = walk->out && verdict->reason;
    ONE_OF(walk, verdict->kind, FG_KIND_EMPTY);
    NUMBER(walk, verdict->certainty);
    flag(walk, &has_reason);
    text(walk, &reason);
    if (walk->out)
        return;
    walk->is_bad |= !(verdict->certainty >= 0 && verdict->certainty <= 1);
    verdict->reason = has_reason ? fg_arena_cstr(walk->arena, reason) : NULL;
}

static void offer(struct walk *walk, struct fg_offer *offer)
{
    price(walk, &offer->price);
    short_text(walk, offer->high, sizeof offer->high);
    ONE_OF(walk, offer->availability, FG_DISCONTINUED);
    ONE_OF(walk, offer->condition, FG_CONDITION_DAMAGED);
    text(walk, &offer->name);
    text(walk, &offer->brand);
    text(walk, &offer->category);
    text(walk, &offer->seller);
    text(walk, &offer->country);
    text(walk, &offer->language);
}

static void value(struct walk *walk, struct fg_value *value)
{
    ONE_OF(walk, value->kind, FG_VALUE_SELECTOR);
    NUMBER(walk, value->hash);
    text(walk, &value->text);
    bytes(walk, &value->whole); /* of a file all its bytes */
    flag(walk, &value->has_offer);
    offer(walk, &value->offer);
    flag(walk, &value->has_sketch);
    if (value->has_sketch)
        NUMBER(walk, value->sketch);
}

static void reading_fields(struct walk *walk, struct fg_reading *reading)
{
    ONE_OF(walk, reading->kind, FG_READ_TEXT);
    text(walk, &reading->title);
    text(walk, &reading->language);
    text(walk, &reading->text);
    address(walk, &reading->canonical);
    address(walk, &reading->leads_to);
    address(walk, &reading->hub);
    address(walk, &reading->topic);
    moment(walk, &reading->published);
    facts(walk, &reading->facts);
    verdict(walk, &reading->verdict);
    NUMBER(walk, reading->identity);
    NUMBER(walk, reading->content_hash);
    NUMBER(walk, reading->simhash);
    flag(walk, &reading->noindex);
    flag(walk, &reading->nofollow);
    ONE_OF(walk, reading->tdm.reservation, FG_TDM_RESERVED);
    ONE_OF(walk, reading->tdm.from, FG_TDM_META);
    bytes(walk, &reading->tdm.policy); /* a header may be anything */
    flag(walk, &reading->is_truncated);
    flag(walk, &reading->has_value);
    if (reading->has_value)
        value(walk, &reading->value);
    links(walk, reading);
}

bool fg_carry_reading(struct fg_buf *out, const struct fg_reading *reading)
{
    struct fg_reading copy = *reading; /* the walk both ways is one, so it is not const */
    struct walk walk = {.out = out};
    reading_fields(&walk, &copy);
    return !walk.is_bad;
}

bool fg_carried_reading(struct fg_reading *reading, struct fg_arena *arena,
                        struct fg_str from)
{
    struct walk walk = {.in = from, .arena = arena};
    *reading = (struct fg_reading){0};
    reading_fields(&walk, reading);
    return !walk.is_bad && !walk.in.len;
}
