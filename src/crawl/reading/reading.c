#include "crawl/reading/reading.h"

#include "base/vec.h"
#include "crawl/sources/pattern.h"
#include "net/charset/charset.h"
#include "net/feed/feed.h"
#include "net/feed/sitemap.h"
#include "net/feed/websub.h"
#include "net/html/page.h"
#include "net/http/mime.h"
#include "net/robots/robots_tag.h"
#include "net/text/date.h"
#include "net/text/shingle.h"
#include "net/url/canonical.h"
#include "net/url/query.h"
#include "net/url/url.h"

/* The addresses of a page that has many, and a long one to add to each, take no more than
 * this: the rest is as if the page ended there. */
enum { LEAST_WORDS_FOR_COPIES = 20, MOST_BYTES = 96 << 20, MAX_URL = 2048 };

struct reader {
    struct fg_reading *out;
    struct fg_arena *arena;
    unsigned keep;
    size_t max_url, before;  /* bytes of the arena that are not ours */
    struct fg_url base, own; /* own: of the page itself */
    FG_VEC(struct fg_reading_link) links;
};

static bool is_this_machine(struct fg_str host)
{
    return fg_str_eq(host, FG_STR("localhost")) || fg_str_eq(host, FG_STR("[::1]")) ||
           fg_str_starts(host, FG_STR("127."));
}

/* A program that was not told its public name calls itself localhost in feeds and links:
 * it means itself, under the name that it was asked by. */
static void come_home(struct reader *reader, struct fg_url *url)
{
    struct fg_str host = fg_url_hostname(url), own = fg_url_hostname(&reader->own);
    struct fg_url home;
    if (!is_this_machine(host) || fg_str_eq(host, own) ||
        (is_this_machine(own) && url->port != reader->own.port))
        return;
    if (fg_url_parse(&home, reader->arena, fg_url_target(url), &reader->own))
        *url = home;
}

static struct fg_reading_link *add_url(struct reader *reader, struct fg_url url,
                                       struct fg_str words, fg_time dated)
{
    come_home(reader, &url);
    struct fg_str text = fg_canonical_from(reader->arena, &url, reader->keep);
    if (text.at == url.href.at) /* a view of what may be gone before we are done */
        text = fg_arena_dup(reader->arena, text);
    fg_vec_push_in(reader->arena, &reader->links,
                   (struct fg_reading_link){.url = text,
                                            .fingerprint = fg_canonical_fingerprint(text),
                                            .site = fg_canonical_site(text),
                                            .words = words,
                                            .dated = dated,
                                            .modified = dated});
    return &reader->links.at[reader->links.len - 1];
}

static struct fg_reading_link *add_link(struct reader *reader, struct fg_str href,
                                        struct fg_str words, fg_time dated)
{
    struct fg_url url;
    if (reader->arena->used_bytes - reader->before > MOST_BYTES) {
        reader->out->is_truncated = true;
        return NULL;
    }
    if (!href.len || href.at[0] == '#' ||
        !fg_url_parse(&url, reader->arena, href, &reader->base) || !fg_url_is_http(&url))
        return NULL;
    return add_url(reader, url, words, dated);
}

/* --- who tells of changes --- */

static void take_address(struct reader *reader, struct fg_str *to, struct fg_str href)
{
    struct fg_url url;
    if (!to->len && href.len && href.len <= reader->max_url &&
        fg_url_parse(&url, reader->arena, href, &reader->base) && fg_url_is_http(&url))
        *to = url.href;
}

/* What headers say comes before what the page says. */
static void read_link_headers(struct reader *reader, const struct fg_response *response)
{
    struct fg_websub_links links = {0};
    struct fg_str value;
    for (unsigned i = 0; (value = fg_response_header(response, "Link", i)).at; i++)
        fg_websub_add_header(&links, reader->arena, value, &reader->base);
    reader->out->hub = links.hub;
    reader->out->topic = links.self;
}

/* --- HTML --- */

static void read_robots_tags(struct reader *reader, const struct fg_page *page,
                             const struct fg_response *response, struct fg_str token)
{
    struct fg_robots_tags tags = {0};
    struct fg_str value;
    for (unsigned i = 0; (value = fg_response_header(response, "X-Robots-Tag", i)).at;
         i++)
        fg_robots_tags_add_header(&tags, value, token);
    for (size_t i = 0; i < page->n_metas; i++)
        fg_robots_tags_add_meta(&tags, page->metas[i].name, page->metas[i].content,
                                token);
    for (size_t i = 0; i < page->n_metas; i++)
        fg_tdm_add_meta(&reader->out->tdm, page->metas[i].name, page->metas[i].content);
    reader->out->noindex = tags.flags & FG_NOINDEX;
    reader->out->nofollow = tags.flags & FG_NOFOLLOW;
}

/* "/de/", named as the same page in another language. */
static bool is_other_home(const struct fg_link *link)
{
    return link->rel & FG_REL_ALTERNATE && link->hreflang.len &&
           fg_address_is_language(link->href);
}

static bool is_followed(const struct fg_link *link)
{
    unsigned hints = FG_REL_ICON | FG_REL_STYLESHEET | FG_REL_HINT | FG_REL_HUB |
                     FG_REL_LICENSE | FG_REL_CANONICAL | FG_REL_SHORTLINK | FG_REL_SELF;
    switch (link->from) {
    case FG_FROM_LINK:
        return !(link->rel & hints) &&
               (fg_link_is_feed(link) || (link->rel & (FG_REL_NEXT | FG_REL_PREV)) ||
                is_other_home(link));
    case FG_FROM_IFRAME:
        return false; /* mostly advertisements and players */
    default:
        return true;
    }
}

/* The address the page gives itself, unless it is the one it has. */
static void read_canonical(struct reader *reader, const struct fg_page *page,
                           struct fg_str own)
{
    struct fg_url url;
    if (!page->canonical.len ||
        !fg_url_parse(&url, reader->arena, page->canonical, &reader->base) ||
        !fg_url_is_http(&url))
        return;
    struct fg_str text = fg_canonical_from(reader->arena, &url, reader->keep);
    /* A canonical address on another site is a claim about somebody else's page, and one
     * that names the front page for every page is a common mistake. */
    struct fg_str site = fg_canonical_site(text);
    bool is_front = text.len <= site.len + 1;
    if (fg_str_eq(site, fg_canonical_site(own)) && !is_front && !fg_str_eq(text, own))
        reader->out->canonical = text;
    /* Two pages that each call themselves the one are two, whatever they show. */
    if (fg_str_eq(text, own))
        reader->out->identity = fg_canonical_fingerprint(own);
}

/* A redirect by other means: a page without a text of its own that a browser leaves at
 * once. */
static void read_refresh(struct reader *reader, const struct fg_page *page,
                         struct fg_str own)
{
    enum { SOON = 10, FEW_WORDS = 20, FEW_LINKS = 2 };
    const struct fg_facts *facts = &reader->out->facts;
    struct fg_url url;
    if (!page->has_refresh || !page->refresh.url.at || page->refresh.seconds > SOON ||
        facts->main.words + facts->main.link_words > FEW_WORDS ||
        reader->links.len > FEW_LINKS ||
        !fg_url_parse(&url, reader->arena, page->refresh.url, &reader->base) ||
        !fg_url_is_http(&url))
        return;
    struct fg_str text = fg_canonical_from(reader->arena, &url, reader->keep);
    if (!fg_str_eq(text, own))
        reader->out->leads_to = fg_arena_dup(reader->arena, text);
}

/* What a reader would call the same page. Of a list the links are what matters. */
static void read_identity(struct reader *reader)
{
    struct fg_reading *out = reader->out;
    uint64_t text =
        out->verdict.kind == FG_KIND_LIST ? out->content_hash : out->facts.main_hash;
    if (!text)
        return;
    out->identity ^= fg_str_hash(out->facts.title) ^ text * 0x9E3779B97F4A7C15u;
    if (out->value.has_offer)
        out->identity ^= out->value.hash * 3;
    out->identity |= 1;
}

static void print_text(struct reader *reader, struct fg_str text,
                       const struct fg_noise *noise)
{
    struct fg_gist gist = fg_gist_of(fg_noise_drop_lines(noise, reader->arena, text));
    reader->out->content_hash = gist.words_hash;
    if (gist.n_words >= LEAST_WORDS_FOR_COPIES)
        reader->out->simhash = gist.simhash;
}

static struct fg_str text_without(struct reader *reader, const struct fg_page *page,
                                  struct fg_str body, const struct fg_noise *noise)
{
    struct fg_page left;
    struct fg_str cut = fg_noise_cut(noise, reader->arena, body);
    if (cut.at == body.at)
        return page->text;
    fg_page_read(&left, reader->arena, cut, FG_PAGE_TEXT);
    return left.text;
}

static bool has_price(struct fg_price *price, struct fg_str text)
{
    return fg_price_parse(price, text, FG_PRICE_FOR_PEOPLE) && price->currency[0];
}

/* What stands behind a link, up to the next, is about its target, and so are its words.
 * They are read apart, or "Lamp 20" and "12.00" would cost 2012. */
static const struct fg_price *price_beside(struct reader *reader,
                                           const struct fg_page *page, size_t at)
{
    enum { NEAR = 160 };
    const struct fg_link *link = &page->links[at];
    size_t to = link->text_end + NEAR;
    if (at + 1 < page->n_links && page->links[at + 1].text_at < to)
        to = page->links[at + 1].text_at;
    struct fg_price price;
    if (!has_price(&price, fg_str_sub(page->text, link->text_end, to)) &&
        !has_price(&price, fg_str_sub(page->text, link->text_at, link->text_end)))
        return NULL;
    struct fg_price *kept = FG_NEW(reader->arena, struct fg_price, 1);
    *kept = price;
    return kept;
}

static void read_html(struct reader *reader, struct fg_str body, struct fg_str own,
                      const struct fg_response *response, struct fg_reading_rules rules)
{
    struct fg_page page;
    fg_page_read(&page, reader->arena, body, FG_PAGE_ALL);
    struct fg_url base;
    if (page.base.len && page.base.len <= reader->max_url &&
        fg_url_parse(&base, reader->arena, page.base, &reader->base) &&
        fg_url_is_http(&base))
        reader->base = base;
    read_robots_tags(reader, &page, response, rules.token);
    for (size_t i = 0; i < page.n_links; i++) {
        const struct fg_link *link = &page.links[i];
        if (link->from == FG_FROM_LINK && link->rel & FG_REL_HUB)
            take_address(reader, &reader->out->hub, link->href);
        if (link->from == FG_FROM_LINK && link->rel & FG_REL_SELF)
            take_address(reader, &reader->out->topic, link->href);
        struct fg_reading_link *added =
            is_followed(link) ? add_link(reader, link->href, link->words, FG_NEVER)
                              : NULL;
        if (added) {
            added->region = link->region;
            added->section = link->section;
            added->is_feed = fg_link_is_feed(link);
            added->nofollow = link->rel & FG_REL_NOFOLLOW;
            added->is_advertised = link->rel & FG_REL_SPONSORED;
            if (rules.value)
                added->price = price_beside(reader, &page, i);
        }
    }
    read_canonical(reader, &page, own);
    struct fg_facts_visit visit = {
        .url = own, .now = fg_date_parse_http(fg_response_header(response, "Date", 0))};
    fg_facts_read(&reader->out->facts, reader->arena, &page, body, &visit);
    read_refresh(reader, &page, own);
    reader->out->verdict = fg_kind_of_page(&reader->out->facts, own, page.title);
    reader->out->kind = FG_READ_HTML;
    reader->out->title = page.title;
    reader->out->language = page.language;
    reader->out->text = page.text;
    reader->out->is_truncated |= page.cut & FG_PAGE_LINKS;
    reader->out->published = reader->out->facts.published;
    print_text(reader, text_without(reader, &page, body, rules.noise), rules.noise);
    if (rules.value) {
        struct fg_value_rule rule = *rules.value;
        rule.noise.also = rules.noise;
        fg_value_read_after(&reader->out->value, reader->arena, &page, body, &rule,
                            &reader->out->facts);
    }
}

/* --- feeds and sitemaps --- */

/* A wiki's difference to the version before the first one. */
static bool is_from_nothing(struct fg_str url)
{
    static const struct fg_str versions[] = {
        {"oldid=0", 7}, {"old_version=0", 13}, {"rev1=0", 6}, {"oldrev=0", 8}};
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
        if (fg_query_has(fg_query_of(url), versions[i]))
            return true;
    return fg_str_ends(url, FG_STR("/1")); /* the first version */
}

/* Its date is that of something done to the page, not of the page. */
static void be_about(struct fg_reading_link *link)
{
    link->is_about = true;
    link->is_publication = false;
}

/* Feeds of changes link to what was done to a page: to a diff, a revision. What is meant
 * is the page. What is different from nothing was made then. */
static void read_about(struct reader *reader, struct fg_reading_link *link)
{
    struct fg_kind_verdict verdict = fg_kind_of_address(link->url);
    struct fg_str subject = verdict.kind == FG_KIND_ACTION
                                ? fg_address_subject(reader->arena, link->url)
                                : (struct fg_str){0};
    struct fg_url url;
    if (!subject.len || !fg_url_parse(&url, reader->arena, subject, NULL))
        return;
    bool is_creation = is_from_nothing(link->url);
    link->url =
        fg_arena_dup(reader->arena, fg_canonical_from(reader->arena, &url, reader->keep));
    link->fingerprint = fg_canonical_fingerprint(link->url);
    link->site = fg_canonical_site(link->url);
    /* What has a name of its own, such as a commit, is made once; a page is changed. */
    if (fg_address_token(link->url))
        return;
    if (is_creation) {
        link->is_publication = link->dated != FG_NEVER;
        return;
    }
    be_about(link);
}

static void name_part(struct reader *reader, struct fg_reading_link *link,
                      struct fg_str place, const struct fg_feed_item *entry)
{
    link->url =
        fg_arena_printf(reader->arena, "%.*s#%.*s", FG_ARG(link->url), FG_ARG(place));
    link->fingerprint = fg_canonical_fingerprint(link->url);
    link->site = fg_canonical_site(link->url);
    link->excerpt = fg_feed_excerpt(reader->arena, entry);
    link->is_part = true;
}

static void read_feed(struct reader *reader, struct fg_str body, struct fg_str own,
                      const struct fg_response *response)
{
    struct fg_feed_options options = {
        .url = own,
        .content_location = fg_response_header(response, "Content-Location", 0),
        .content_type = fg_response_header(response, "Content-Type", 0)};
    const struct fg_feed *feed = fg_feed_parse(reader->arena, body, &options);
    const struct fg_str *places = fg_feed_places(reader->arena, feed);
    const bool *is_comment = fg_feed_comments(reader->arena, feed, places);
    reader->out->kind = FG_READ_FEED;
    reader->out->title = feed->about.texts[FG_FEED_TITLE].value;
    take_address(reader, &reader->out->hub, feed->hub);
    take_address(reader, &reader->out->topic, feed->self);
    for (size_t i = 0; i < feed->n_entries; i++) {
        const struct fg_feed_item *entry = &feed->entries[i];
        const struct fg_feed_date *date = &entry->dates[FG_FEED_PUBLISHED];
        if (date->time == FG_NEVER)
            date = &entry->dates[FG_FEED_UPDATED];
        fg_time dated = date->time;
        struct fg_reading_link *link =
            add_link(reader, entry->link, entry->texts[FG_FEED_TITLE].value, dated);
        if (!link)
            continue;
        fg_date_parse_zoned(date->text, &link->is_local);
        link->is_publication = entry->dates[FG_FEED_PUBLISHED].time != FG_NEVER;
        if (entry->dates[FG_FEED_UPDATED].time > dated)
            link->modified = entry->dates[FG_FEED_UPDATED].time;
        read_about(reader, link);
        if (entry->deed == FG_FEED_MADE)
            link->is_publication = dated != FG_NEVER;
        else if (entry->deed == FG_FEED_CHANGED)
            be_about(link);
        /* A comment's date is not that of the page. */
        if (is_comment[i]) {
            be_about(link);
        } else if (places[i].len && !link->is_about) {
            name_part(reader, link, places[i], entry);
        }
    }
}

static void take_entry(void *context, const struct fg_sitemap_entry *entry)
{
    struct reader *reader = context;
    fg_time dated = entry->news_date != FG_NEVER ? entry->news_date : entry->lastmod;
    struct fg_reading_link *link = add_url(
        reader, *entry->url, fg_arena_dup(reader->arena, entry->news_title), dated);
    link->is_publication = entry->news_date != FG_NEVER;
    link->is_local = entry->is_local;
    if (entry->lastmod > dated)
        link->modified = entry->lastmod;
}

/* Do the first lines hold an address each, and nothing else? */
static bool is_address_list(struct fg_str start)
{
    struct fg_str line;
    size_t n = 0;
    while (start.len && fg_str_cut(&start, '\n', &line)) {
        line = fg_str_trim(line);
        bool is_cut = !start.len; /* it may go on behind what we look at */
        if (is_cut && n)
            break;
        if (!(fg_str_starts_nocase(line, FG_STR("http://")) ||
              fg_str_starts_nocase(line, FG_STR("https://"))) ||
            fg_str_chr(line, ' ') != FG_NOT_FOUND ||
            fg_str_chr(line, '<') != FG_NOT_FOUND)
            return false;
        n++;
    }
    return n > 0;
}

/* Is it XML, or packed, or a list of addresses? Only then is it worth trying. */
static bool may_be_sitemap(struct fg_str body)
{
    struct fg_str start = fg_str_trim(fg_str_sub(body, 0, 256));
    bool is_gzip = start.len > 2 && memcmp(start.at, "\x1f\x8b", 2) == 0;
    bool is_xml = fg_str_starts(start, FG_STR("<?xml")) ||
                  fg_str_starts(start, FG_STR("<urlset")) ||
                  fg_str_starts(start, FG_STR("<sitemapindex")) ||
                  fg_str_starts(start, FG_STR("<!--")) ||
                  fg_str_starts(start, FG_STR("\xef\xbb\xbf<"));
    return is_gzip || is_xml || is_address_list(start);
}

static bool read_sitemap(struct reader *reader, struct fg_str body, struct fg_str own)
{
    struct fg_sitemap *map =
        fg_sitemap_new(&(struct fg_sitemap_options){.url = own}, take_entry, reader);
    fg_sitemap_feed(map, body);
    enum fg_sitemap_kind kind = fg_sitemap_finish(map)->kind;
    fg_sitemap_free(map);
    if (kind == FG_SITEMAP_NONE)
        return false;
    reader->out->kind =
        kind == FG_SITEMAP_INDEX ? FG_READ_SITEMAP_INDEX : FG_READ_SITEMAP;
    return true;
}

/* Most bodies say at once that they are HTML and need not be tried as anything else. */
static bool starts_as_page(struct fg_str body)
{
    struct fg_str start = fg_str_trim(fg_str_sub(body, 0, 64));
    return fg_str_starts_nocase(start, FG_STR("<!doctype html")) ||
           fg_str_starts_nocase(start, FG_STR("<html"));
}

/* Something to be saved or worked on, not a page: by its server's word, and its looks. */
static bool is_file(const struct fg_response *response, const struct fg_mime *mime,
                    struct fg_str body)
{
    struct fg_str kept = fg_response_header(response, "Content-Disposition", 0);
    struct fg_str start = fg_str_trim(fg_str_sub(body, 0, 64));
    if (fg_str_starts_nocase(fg_str_trim(kept), FG_STR("attachment")))
        return true;
    bool is_other =
        (fg_str_eq(mime->type, FG_STR("text")) &&
         !fg_str_eq(mime->subtype, FG_STR("html")) && !fg_mime_is_xml(mime)) ||
        fg_mime_is_json(mime);
    return is_other && !fg_str_starts(start, FG_STR("<"));
}

static void hash_links(struct fg_reading *reading)
{
    /* Order does not matter: a list that is shuffled says nothing new. */
    for (size_t i = 0; i < reading->n_links; i++)
        reading->content_hash += reading->links[i].fingerprint * 0x9E3779B97F4A7C15u | 1;
}

void fg_reading_from(struct fg_reading *reading, struct fg_arena *arena,
                     struct fg_str url, const struct fg_response *response,
                     struct fg_reading_rules rules)
{
    *reading = (struct fg_reading){.published = FG_NEVER,
                                   .facts = fg_facts_none,
                                   .is_truncated = response->truncated};
    fg_tdm_add_header(&reading->tdm, fg_response_header(response, "tdm-reservation", 0),
                      fg_response_header(response, "tdm-policy", 0));
    struct reader reader = {.out = reading,
                            .arena = arena,
                            .keep = rules.keep,
                            .before = arena->used_bytes,
                            .max_url = rules.max_url ? rules.max_url : MAX_URL};
    struct fg_str body = response->body;
    if (!body.len || !fg_url_parse(&reader.base, arena, url, NULL))
        return;
    reader.own = reader.base;
    read_link_headers(&reader, response);
    struct fg_str own = fg_canonical_from(arena, &reader.base, rules.keep);
    struct fg_mime mime = {0};
    fg_mime_extract(&mime, arena, fg_response_header(response, "Content-Type", 0));
    bool is_page = starts_as_page(body);
    if (!is_page && fg_feed_sniff(body) != FG_FEED_NONE) {
        read_feed(&reader, body, own, response);
    } else if (!is_page && may_be_sitemap(body) && read_sitemap(&reader, body, own)) {
        /* read */
    } else if (!fg_mime_is_binary(body)) {
        struct fg_charset charset = fg_charset_of_html(body, fg_mime_charset(&mime));
        body = fg_charset_decode(arena, charset, body);
        read_html(&reader, body, own, response, rules);
        if (!rules.value && is_file(response, &mime, body))
            reading->kind = FG_READ_TEXT;
    }
    reading->links = reader.links.at;
    reading->n_links = reader.links.len;
    hash_links(reading);
    if (reading->kind == FG_READ_HTML)
        read_identity(&reader);
    reading->has_value = rules.value != NULL;
    if (rules.value && reading->kind != FG_READ_HTML)
        fg_value_of_bytes(&reading->value, response->body);
}
