#include "view/look.h"

#include "base/utf8.h"
#include "crawl/intake/seeds.h"
#include "crawl/output/filter.h"
#include "crawl/output/news.h"
#include "crawl/sources/naming.h"
#include "net/html/value.h"
#include "net/text/date.h"
#include "net/url/canonical.h"
#include "net/url/url.h"
#include "store/lots.h"

#include <math.h>
#include <stdio.h>

const char *fg_process_words(char room[static FG_PROCESS_TEXT], int64_t process)
{
    room[0] = '\0';
    if (process > 0)
        snprintf(room, FG_PROCESS_TEXT, " (process %lld)", (long long)process);
    return room;
}

/* --- opening --- */

static bool take_site(void *context, const struct fg_site_row *row)
{
    struct fg_look *look = context;
    /* Twice as many at a time: what is outgrown stays in the arena. */
    if (look->n_sites == look->room) {
        look->room = look->room ? 2 * look->room : 64;
        look->sites = fg_arena_grow(&look->arena, look->sites, sizeof *look->sites,
                                    look->n_sites, look->room);
    }
    struct fg_site_row *site = &look->sites[look->n_sites++];
    *site = *row;
    site->key = fg_arena_dup(&look->arena, row->key);
    site->tags = fg_arena_dup(&look->arena, row->tags);
    site->robots = fg_arena_dup(&look->arena, row->robots);
    site->settings = fg_arena_dup(&look->arena, row->settings);
    site->domain = fg_arena_dup(&look->arena, row->domain);
    return true;
}

/* What the process of another lot says of itself is added. */
static void add_status(json_t *all, json_t *part)
{
    static const char *const sums[] = {
        "fetches", "not_modified", "failures",    "bytes",           "discovered",
        "waiting", "in_flight",    "budget_left", "budget_per_hour", "documents"};
    static const char *const lists[] = {"sites", "outputs_waiting"};
    const char *reason;
    json_t *n;
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        double sum = json_number_value(json_object_get(all, sums[i])) +
                     json_number_value(json_object_get(part, sums[i]));
        bool is_whole = json_is_integer(json_object_get(all, sums[i]));
        json_object_set_new(all, sums[i],
                            is_whole ? json_integer((json_int_t)sum) : json_real(sum));
    }
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        json_array_extend(json_object_get(all, lists[i]),
                          json_object_get(part, lists[i]));
    json_t *told = json_object_get(all, "not_told");
    json_object_foreach(json_object_get(part, "not_told"), reason, n) json_object_set_new(
        told, reason,
        json_integer(json_integer_value(json_object_get(told, reason)) +
                     json_integer_value(n)));
    if (json_is_null(json_object_get(part, "ended")))
        json_object_set_new(all, "ended", json_null());
}

/* Of a crawl in lots that of lot l is kept as of site l: postgres/lots.c. It runs if some
 * process has not said that it has ended. */
static void read_status(struct fg_look *look)
{
    struct fg_str text;
    const char *place = fg_workspace_store(&look->place);
    unsigned lots = look->writer == 0 ? fg_lots_at(place) : 0;
    json_decref(look->status);
    look->status = NULL;
    for (unsigned lot = 0; lot < (lots ? lots : 1); lot++) {
        if (fg_store_state(look->store, &text, &look->arena, lot, "crawl:status", NULL))
            continue;
        json_t *status = json_loadb(text.at, text.len, 0, NULL);
        if (look->status && status) {
            add_status(look->status, status);
            json_decref(status);
        } else if (status) {
            look->status = status;
        }
    }
    if (lots && !json_is_null(json_object_get(look->status, "ended")))
        look->writer = -1;
}

/* A simulated crawl lives in a time of its own; when it is over, its time stands still.
 */
static fg_time crawl_now(const struct fg_look *look)
{
    double speed = fg_look_number(look->status, "speed");
    fg_time now = fg_look_time(look->status, "now"),
            real = fg_look_time(look->status, "real");
    if (speed <= 0 || fabs(speed - 1) < 1e-9 || now == FG_NEVER || real == FG_NEVER)
        return fg_time_now();
    return look->writer < 0 ? now
                            : now + (fg_time)((double)(fg_time_now() - real) * speed);
}

enum fg_status fg_look_again(struct fg_look *look, struct fg_err *err)
{
    fg_arena_reset(&look->arena);
    look->sites = NULL;
    look->n_sites = look->room = 0;
    enum fg_status st = fg_store_sites(look->store, take_site, look, err);
    look->writer = fg_store_writer(fg_workspace_store(&look->place));
    read_status(look);
    look->now = crawl_now(look);
    return st;
}

enum fg_status fg_look_open(struct fg_look *look, const struct fg_workspace *place,
                            struct fg_store *store, struct fg_arena *texts,
                            struct fg_err *err)
{
    *look = (struct fg_look){.place = *place, .store = store, .texts = texts};
    look->writer = -1;
    look->keep = place->settings->naming.keep;
    look->now = fg_time_now();
    if (!store)
        return FG_OK;
    enum fg_status st = fg_naming_read(&look->keep, store, FG_CANONICAL_DEFAULT, err);
    if (!st)
        st = fg_look_again(look, err);
    if (st)
        fg_look_close(look);
    return st;
}

void fg_look_close(struct fg_look *look)
{
    json_decref(look->status);
    fg_arena_clear(&look->arena);
    *look = (struct fg_look){0};
}

/* --- finding --- */

const struct fg_site_row *fg_look_site(const struct fg_look *look, fg_site_id id)
{
    size_t low = 0, high = look->n_sites;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (look->sites[middle].site < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < look->n_sites && look->sites[low].site == id ? &look->sites[low] : NULL;
}

/* The key that a name stands for if it is a URL, else the name itself. */
static struct fg_str key_of(const struct fg_look *look, struct fg_str name)
{
    struct fg_url url;
    if (!fg_url_parse(&url, look->texts, name, NULL) || !fg_url_is_http(&url))
        return name;
    return fg_canonical_site(fg_canonical_from(look->texts, &url, look->keep));
}

/* "example.org" is the name of https://example.org rather than of any other port. */
static bool has_this_host(const struct fg_site_row *site, struct fg_str name)
{
    size_t slashes = fg_str_find(site->key, FG_STR("//"));
    return fg_str_eq_nocase(fg_str_skip(site->key, slashes + 2), name);
}

/* Not a host that only redirects led to. */
static bool is_watched(const struct fg_site_row *site, struct fg_str name)
{
    (void)name;
    return strcmp(fg_site_state_name(site->state), "host") != 0;
}

/* Those that are better come first. How many are left: the better ones, if there are any.
 */
static size_t prefer(bool (*is_better)(const struct fg_site_row *site,
                                       struct fg_str name),
                     struct fg_str name, const struct fg_site_row **sites, size_t n)
{
    size_t better = 0;
    for (size_t i = 0; i < n; i++)
        if (is_better(sites[i], name))
            sites[better++] = sites[i];
    return better ? better : n;
}

static enum fg_status ambiguous(const struct fg_look *look, struct fg_str name,
                                const struct fg_site_row **sites, size_t n,
                                struct fg_err *err)
{
    enum { LISTED = 10 };
    struct fg_str choices = sites[0]->key;
    for (size_t i = 1; i < n && i < LISTED; i++)
        choices = fg_arena_printf(look->texts, "%.*s, %.*s", FG_ARG(choices),
                                  FG_ARG(sites[i]->key));
    return fg_fail(err, FG_ECONFIG, "'%.*s' may be any of %zu sites: %.*s%s; name one",
                   FG_ARG(fg_str_sub(name, 0, 200)), n,
                   FG_ARG(fg_str_sub(choices, 0, 1000)), n > LISTED ? ", ..." : "");
}

enum fg_status fg_look_find_site(const struct fg_look *look, struct fg_str name,
                                 fg_site_id *site, struct fg_err *err)
{
    struct fg_str key = key_of(look, name);
    FG_VEC(const struct fg_site_row *) found = {0};
    for (size_t i = 0; i < look->n_sites; i++)
        if (look->sites[i].key.len && fg_site_is_named(look->sites[i].key, key))
            fg_vec_push_in(look->texts, &found, &look->sites[i]);
    size_t n = prefer(is_watched, key, found.at, found.len);
    n = prefer(has_this_host, key, found.at, n);
    *site = n == 1 ? found.at[0]->site : 0;
    if (n == 1)
        return FG_OK;
    if (n > 1)
        return ambiguous(look, key, found.at, n, err);
    return fg_fail(err, FG_ENOTFOUND,
                   "no site '%.*s' is known in '%s'; 'forage status' lists them",
                   FG_ARG(fg_str_sub(key, 0, 200)), look->place.folder.at);
}

/* Without a scheme it is https, as for `forage add`, or http if that is what is known. */
static struct fg_str with_scheme(const struct fg_look *look, struct fg_str text)
{
    struct fg_url secure, plain;
    fg_site_id site;
    struct fg_str address = fg_seed_address(look->texts, text);
    if (address.at == text.at || !fg_str_starts(address, FG_STR("https:")))
        return address;
    struct fg_str other = fg_arena_printf(look->texts, "http:%.*s",
                                          FG_ARG(fg_str_skip(address, strlen("https:"))));
    bool is_plain = fg_url_parse(&secure, look->texts, address, NULL) &&
                    fg_url_parse(&plain, look->texts, other, NULL) &&
                    fg_look_find_site(look, secure.href, &site, NULL) &&
                    !fg_look_find_site(look, plain.href, &site, NULL);
    return is_plain ? other : address;
}

enum fg_status fg_look_address(const struct fg_look *look, struct fg_str text,
                               struct fg_url *url, struct fg_err *err)
{
    if (fg_url_parse(url, look->texts, with_scheme(look, text), NULL))
        return FG_OK;
    return fg_fail(err, FG_ECONFIG, "'%.*s' is not an absolute URL: %s",
                   FG_ARG(fg_str_sub(text, 0, 200)),
                   fg_url_reason(look->texts, text, NULL));
}

enum fg_status fg_look_find_page(const struct fg_look *look, struct fg_str text,
                                 struct fg_page_row *page, struct fg_err *err)
{
    struct fg_url url;
    fg_site_id site = 0;
    enum fg_status st = fg_look_address(look, text, &url, err);
    if (st)
        return st;
    struct fg_str canonical = fg_canonical_from(look->texts, &url, look->keep);
    if (fg_look_find_site(look, canonical, &site, NULL))
        return fg_fail(err, FG_ENOTFOUND, "'%.*s' is on no site that is watched in '%s'",
                       FG_ARG(fg_str_sub(canonical, 0, 200)), look->place.folder.at);
    struct fg_str part =
        fg_arena_printf(look->texts, "%.*s%.*s", FG_ARG(canonical),
                        FG_ARG(fg_str_skip(url.href, fg_str_chr(url.href, '#'))));
    st = fg_store_page_by_fingerprint(look->store, page, look->texts, site,
                                      fg_canonical_fingerprint(part), err);
    if (st == FG_ENOTFOUND && part.len > canonical.len)
        st = fg_store_page_by_fingerprint(look->store, page, look->texts, site,
                                          fg_canonical_fingerprint(canonical), err);
    if (st != FG_ENOTFOUND)
        return st;
    return fg_fail(err, st,
                   "'%.*s' is not known: no page that was read links to it, or a rule "
                   "keeps it out (see 'forage help settings', crawl)",
                   FG_ARG(fg_str_sub(canonical, 0, 200)));
}

struct fg_str fg_look_url(const struct fg_look *look, struct fg_arena *arena,
                          fg_site_id site, fg_page_id page)
{
    struct fg_page_row row;
    if (!site || !page || fg_store_page(look->store, &row, arena, site, page, NULL))
        return FG_STR("");
    return row.url;
}

/* The page's row knows pages of its own site, the state of the site others. */
struct fg_str fg_look_alias(const struct fg_look *look, struct fg_arena *arena,
                            const struct fg_page_row *page)
{
    struct fg_str url;
    if (page->alias_of || !(page->flags & FG_PAGE_ALIAS))
        return fg_look_url(look, arena, page->site, page->alias_of);
    bool is_kept = !fg_store_page_extra(look->store, &url, arena, page->site, page->page,
                                        FG_EXTRA_LEADS_TO, NULL);
    return is_kept ? url : FG_STR("");
}

struct fg_str fg_look_target(const struct fg_look *look, const struct fg_page_row *page,
                             struct fg_page_row *target)
{
    enum { MOST_STEPS = 10 }; /* pages may lead in a circle over the years */
    struct fg_str url = FG_STR("");
    *target = (struct fg_page_row){0};
    for (int i = 0; i < MOST_STEPS && (page->flags & FG_PAGE_ALIAS); i++) {
        struct fg_page_row next;
        url = fg_look_alias(look, look->texts, page);
        if (!url.len || fg_look_find_page(look, url, &next, NULL))
            next = (struct fg_page_row){0};
        *target = next;
        page = target;
    }
    return url;
}

/* A row keeps so many bytes, less at most the rest of a character. */
bool fg_look_is_cut(struct fg_str text)
{
    return text.len + 3 >= FG_VALUE_TEXT_MAX;
}

struct fg_str fg_look_whole(const struct fg_look *look, struct fg_arena *arena,
                            const struct fg_value_row *value, bool *is_cut)
{
    enum { MOST_KEPT = 64 << 10, COMPARED = 256 };
    struct fg_str kept;
    *is_cut = fg_look_is_cut(value->text);
    if (!*is_cut)
        return value->text;
    if (fg_store_page_extra(look->store, &kept, arena, value->site, value->page,
                            FG_EXTRA_TEXT, NULL) ||
        kept.len < value->text.len ||
        !fg_str_eq(fg_str_sub(kept, 0, COMPARED), fg_str_sub(value->text, 0, COMPARED)))
        return value->text; /* none, or that of another time */
    *is_cut = kept.len >= MOST_KEPT;
    return fg_utf8_clean(arena, kept);
}

struct asked_changes {
    struct fg_arena *arena;
    fg_page_id page;
    struct fg_value_changes *changes;
};

static bool take_list_change(void *context, const struct fg_event_row *event)
{
    struct asked_changes *asked = context;
    struct fg_news news;
    if (!fg_str_eq(event->kind, FG_STR(FG_NEWS_CHANGED)) ||
        (asked->page && event->page != asked->page) ||
        fg_str_find(event->json, FG_STR("\"before_from\":\"list\"")) == FG_NOT_FOUND)
        return true;
    fg_news_read(&news, event);
    struct fg_value_change change = {.site = event->site,
                                     .page = event->page,
                                     .time = event->time,
                                     .kind = FG_VALUE_OFFER,
                                     .kind_before = FG_VALUE_OFFER,
                                     .text = fg_arena_dup(asked->arena, news.after),
                                     .before = fg_arena_dup(asked->arena, news.before)};
    fg_vec_push_in(asked->arena, asked->changes, change);
    fg_news_clear(&news);
    return true;
}

enum fg_status fg_look_list_changes(const struct fg_look *look, struct fg_arena *arena,
                                    fg_site_id site, fg_page_id page, fg_time since,
                                    struct fg_value_changes *changes, struct fg_err *err)
{
    struct asked_changes asked = {arena, page, changes};
    return fg_store_events(look->store, site, 0, since, SIZE_MAX, take_list_change,
                           &asked, err);
}

struct fg_str fg_look_tags(const struct fg_look *look, struct fg_arena *arena,
                           fg_site_id site, fg_page_id page)
{
    struct fg_note_row note;
    const struct fg_site_row *row = fg_look_site(look, site);
    if (page && !fg_store_note(look->store, &note, arena, site, page, NULL) &&
        note.tags.len)
        return note.tags;
    return row ? row->tags : FG_STR("");
}

enum fg_status fg_look_since(const struct fg_look *look, const char *flag,
                             struct fg_str text, fg_time *since, struct fg_err *err)
{
    fg_time span;
    *since = FG_NEVER;
    if (!text.len)
        return FG_OK;
    if (fg_span_parse(text, &span)) {
        *since = look->now - span;
        return FG_OK;
    }
    *since = fg_date_parse(text);
    if (*since != FG_NEVER)
        return FG_OK;
    return fg_fail(err, FG_ECONFIG,
                   "%s: '%.*s' is neither a span such as 1h or 2d nor a date such as "
                   "2026-11-15",
                   flag, FG_ARG(fg_str_sub(text, 0, 60)));
}

/* --- the status --- */

double fg_look_number(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

const char *fg_look_text(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

fg_time fg_look_time(const json_t *object, const char *key)
{
    const char *text = fg_look_text(object, key);
    return text ? fg_date_parse(fg_str_from(text)) : FG_NEVER;
}

/* --- words --- */

const char *fg_flag_word(uint32_t flags, unsigned nth)
{
    static const struct {
        uint32_t flag;
        const char *word;
    } words[] = {
        {FG_PAGE_SEED, "seed"},
        {FG_PAGE_SOURCE, "source"},
        {FG_PAGE_DOCUMENT, "document"},
        {FG_PAGE_CANDIDATE, "candidate"},
        {FG_PAGE_RETIRED, "retired"},
        {FG_PAGE_FEED, "feed"},
        {FG_PAGE_SITEMAP, "sitemap"},
        {FG_PAGE_GONE, "gone"},
        {FG_PAGE_ALIAS, "alias"},
        {FG_PAGE_EXCLUDED, "excluded"},
        {FG_PAGE_RELEVANT, "relevant"},
        {FG_PAGE_DUPLICATE, "duplicate"},
        {FG_PAGE_RESERVED, "reserved"},
        {FG_PAGE_PAUSED, "paused"},
        {FG_PAGE_REMOVED, "removed"},
        {FG_PAGE_NOFOLLOW, "nofollow"},
        {FG_PAGE_NOINDEX, "noindex"},
        {FG_PAGE_WAS_DOCUMENT, "was-document"},
        {FG_PAGE_READ_SOON, "read-soon"},
        {FG_PAGE_CUT, "cut"},
        {FG_PAGE_AWAITED, "awaited"},
        {FG_PAGE_REPORTED, "reported"},
        {FG_PAGE_OLD, "old"},
        {FG_PAGE_OTHER_KIND, "other-kind"},
        {FG_PAGE_UNPROVEN, "unproven"},
        {FG_PAGE_LIST, "list"},
        {FG_PAGE_STOCK, "stock"},
        {FG_PAGE_PUSHED, "pushed"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if ((flags & words[i].flag) && nth-- == 0)
            return words[i].word;
    return NULL;
}
