#include "view/target.h"

#include "crawl/intake/seeds.h"
#include "crawl/sites/site_row.h"
#include "net/url/canonical.h"
#include "net/url/url.h"

#include <string.h>

/* --- near names --- */

enum { MOST_NEAR = 3 };

struct near {
    struct fg_str name;
    bool takes_parts; /* "news" is near to "news.example" */
    struct fg_arena *arena;
    struct fg_str best[MOST_NEAR];
    size_t distance[MOST_NEAR], n;
};

static void consider(struct near *near, struct fg_str name)
{
    bool is_part = near->takes_parts && near->name.len >= 3 &&
                   (fg_str_find(name, near->name) != FG_NOT_FOUND ||
                    fg_str_find(near->name, name) != FG_NOT_FOUND);
    size_t distance = is_part ? 1 : fg_str_distance(near->name, name);
    if (distance >= near->name.len / 3 + 2)
        return;
    size_t at = near->n < MOST_NEAR ? near->n++ : MOST_NEAR - 1;
    if (at == MOST_NEAR - 1 && near->best[at].at && near->distance[at] <= distance)
        return;
    for (; at && near->distance[at - 1] > distance; at--) {
        near->best[at] = near->best[at - 1];
        near->distance[at] = near->distance[at - 1];
    }
    near->best[at] = fg_arena_dup(near->arena, name);
    near->distance[at] = distance;
}

static struct fg_str words_for(const struct near *near)
{
    if (!near->n)
        return FG_STR("; 'forage status' lists the sites");
    struct fg_str words = FG_STR("; did you mean ");
    for (size_t i = 0; i < near->n; i++)
        words = fg_arena_printf(near->arena, "%.*s%s%.*s", FG_ARG(words), i ? " or " : "",
                                FG_ARG(near->best[i]));
    words = fg_arena_printf(near->arena, "%.*s?", FG_ARG(words));
    return words;
}

static struct fg_str host_of(struct fg_str name)
{
    size_t slashes = fg_str_find(name, FG_STR("://"));
    if (slashes != FG_NOT_FOUND)
        name = fg_str_skip(name, slashes + 3);
    size_t end = fg_str_chr(name, '/');
    return end == FG_NOT_FOUND ? name : fg_str_sub(name, 0, end);
}

static bool is_ours(const struct fg_site_row *row)
{
    return row && strcmp(fg_site_state_name(row->state), "host") != 0;
}

static enum fg_status no_such_site(const struct fg_targets *targets, struct fg_str name,
                                   struct fg_err *err)
{
    struct near near = {
        .name = host_of(name), .takes_parts = true, .arena = targets->look->texts};
    for (size_t i = 0; i < targets->look->n_sites; i++)
        if (is_ours(&targets->look->sites[i]) &&
            !fg_site_is_removed(&targets->look->sites[i]) &&
            targets->look->sites[i].key.len)
            consider(&near, host_of(targets->look->sites[i].key));
    return fg_fail(err, FG_ENOTFOUND, "no site '%.*s' is watched in '%s'%.*s",
                   FG_ARG(fg_str_sub(name, 0, 200)), targets->look->place.folder.at,
                   FG_ARG(words_for(&near)));
}

static bool consider_page(void *context, const struct fg_page_row *page)
{
    if (page->flags & (FG_PAGE_SEED | FG_PAGE_SOURCE | FG_PAGE_DOCUMENT))
        consider(context, page->url);
    return true;
}

static enum fg_status no_such_page(const struct fg_targets *targets,
                                   const struct fg_site_row *site, struct fg_str url,
                                   struct fg_err *err)
{
    struct near near = {.name = url, .arena = targets->look->texts};
    fg_store_pages(targets->look->store, site->site, consider_page, &near, NULL);
    return fg_fail(err, FG_ENOTFOUND, "no page '%.*s' is known on %.*s%.*s",
                   FG_ARG(fg_str_sub(url, 0, 200)), FG_ARG(site->key),
                   FG_ARG(near.n ? words_for(&near) : FG_STR("")));
}

/* --- finding --- */

/* Does it name more than a host? */
static bool has_path(struct fg_str name)
{
    size_t slashes = fg_str_find(name, FG_STR("://"));
    size_t host = slashes == FG_NOT_FOUND ? 0 : slashes + 3;
    for (size_t i = host; i < name.len; i++)
        if (name.at[i] == '/' || name.at[i] == '?')
            return i + 1 < name.len;
    return false;
}

/* As it was written, or with the scheme that it needs. */
static const struct fg_site_row *find_site(const struct fg_targets *targets,
                                           struct fg_str name)
{
    fg_site_id id = 0;
    struct fg_arena *arena = targets->look->texts;
    struct fg_str tries[] = {
        name,
        host_of(name),
        fg_seed_address(arena, name),
        fg_arena_printf(arena, "http://%.*s", FG_ARG(name)),
    };
    bool has_scheme = fg_str_find(name, FG_STR("://")) != FG_NOT_FOUND;
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i += has_scheme ? 4 : 1)
        if (!fg_look_find_site(targets->look, tries[i], &id, NULL) &&
            is_ours(fg_look_site(targets->look, id)))
            return fg_look_site(targets->look, id);
    return NULL;
}

/* The address of a page of this site, canonical. */
static bool address_on(const struct fg_targets *targets, const struct fg_site_row *site,
                       struct fg_str name, struct fg_str *url)
{
    struct fg_url base, parsed;
    struct fg_arena *arena = targets->look->texts;
    struct fg_str text = name;
    if (fg_str_find(name, FG_STR("://")) == FG_NOT_FOUND)
        text = fg_str_skip(name, host_of(name).len);
    if (!fg_url_parse(&base, arena, site->key, NULL) ||
        !fg_url_parse(&parsed, arena, text.len ? text : FG_STR("/"), &base))
        return false;
    *url = fg_canonical_from(arena, &parsed, targets->look->keep);
    return fg_str_eq(fg_canonical_site(*url), site->key);
}

struct seeds {
    fg_page_id page;
    size_t others;
};

static bool count_seed(void *context, const struct fg_page_row *page)
{
    struct seeds *seeds = context;
    uint32_t gone = FG_PAGE_ALIAS | FG_PAGE_REMOVED;
    seeds->others +=
        page->page != seeds->page && page->flags & FG_PAGE_SEED && !(page->flags & gone);
    return true;
}

/* What was added by one address is taken back by it: if nothing else was added of its
 * site, it stands for the site. */
static bool stands_for_site(const struct fg_targets *targets,
                            const struct fg_page_row *page)
{
    struct seeds seeds = {.page = page->page};
    return page->flags & FG_PAGE_SEED && !targets->takes_page &&
           !fg_store_pages(targets->look->store, page->site, count_seed, &seeds, NULL) &&
           !seeds.others;
}

static enum fg_status find_page(struct fg_targets *targets, struct fg_target *target,
                                struct fg_str name, struct fg_err *err)
{
    struct fg_str url;
    struct fg_page_row page;
    if (!address_on(targets, &target->site, name, &url))
        return fg_fail(err, FG_ECONFIG, "'%.*s' is not an address",
                       FG_ARG(fg_str_sub(name, 0, 200)));
    enum fg_status st = fg_store_page_by_fingerprint(
        targets->look->store, &page, targets->look->texts, target->site.site,
        fg_canonical_fingerprint(url), err);
    if (st)
        return st == FG_ENOTFOUND ? no_such_page(targets, &target->site, url, err) : st;
    if (!stands_for_site(targets, &page))
        target->page = page;
    return FG_OK;
}

/* How a target stands, or will when the crawl has taken what waits for it. */
struct standing {
    bool is_paused, is_removed;
};

static struct standing standing_of(const struct fg_targets *targets, struct fg_str key,
                                   struct fg_str url, struct standing stored)
{
    for (size_t i = 0; i < targets->waiting.wishes.len; i++) {
        const struct fg_control *wish = &targets->waiting.wishes.at[i];
        if (!fg_str_eq(wish->key, key) || !fg_str_eq(wish->url, url))
            continue;
        stored.is_paused = wish->kind == FG_CONTROL_PAUSE;
        stored.is_removed |=
            wish->kind == FG_CONTROL_REMOVE || wish->kind == FG_CONTROL_FORGET;
    }
    return stored;
}

static struct standing site_standing(const struct fg_targets *targets,
                                     const struct fg_target *target)
{
    const struct fg_site_row *site = &target->site;
    return standing_of(
        targets, site->key, (struct fg_str){0},
        (struct standing){fg_site_is_paused(site), fg_site_is_removed(site)});
}

static struct standing target_standing(const struct fg_targets *targets,
                                       const struct fg_target *target)
{
    uint32_t flags = target->page.flags;
    return !target->page.page ? site_standing(targets, target)
                              : standing_of(targets, target->site.key, target->page.url,
                                            (struct standing){flags & FG_PAGE_PAUSED,
                                                              flags & FG_PAGE_REMOVED});
}

static bool would_change(const struct fg_targets *targets, struct standing now)
{
    return targets->kind == FG_CONTROL_REMOVE
               ? !now.is_removed || targets->waiting.has_seeds
           : targets->kind == FG_CONTROL_PAUSE ? !now.is_paused
                                               : now.is_paused;
}

enum fg_status fg_targets_find(struct fg_targets *targets, struct fg_str name,
                               struct fg_err *err)
{
    struct fg_target target = {0};
    const struct fg_site_row *site = find_site(targets, name);
    if (!site)
        return no_such_site(targets, name, err);
    target.site = *site;
    bool is_page = targets->takes_page || (has_path(name) && !targets->takes_site);
    enum fg_status st = is_page ? find_page(targets, &target, name, err) : FG_OK;
    if (st)
        return st;
    struct standing now = target_standing(targets, &target);
    bool is_gone = now.is_removed || site_standing(targets, &target).is_removed;
    if (is_gone && targets->kind != FG_CONTROL_REMOVE)
        return fg_fail(err, FG_ENOTFOUND,
                       "'%.*s' was removed; 'forage add' watches it again",
                       FG_ARG(fg_str_sub(name, 0, 200)));
    target.changes = would_change(targets, now);
    fg_vec_push_in(targets->look->texts, &targets->found, target);
    struct fg_control wish = {targets->kind, target.site.key, target.page.url};
    if (target.changes)
        fg_vec_push_in(targets->look->texts, &targets->waiting.wishes, wish);
    return FG_OK;
}

bool fg_target_site_is_paused(const struct fg_targets *targets,
                              const struct fg_target *target)
{
    return site_standing(targets, target).is_paused;
}

size_t fg_targets_wishes(const struct fg_targets *targets, struct fg_control **out)
{
    size_t n = 0;
    struct fg_control *wishes =
        FG_NEW(targets->look->texts, struct fg_control, targets->found.len + 1);
    for (size_t i = 0; i < targets->found.len; i++) {
        const struct fg_target *target = &targets->found.at[i];
        if (target->changes)
            wishes[n++] =
                (struct fg_control){targets->kind, target->site.key, target->page.url};
    }
    *out = wishes;
    return n;
}

enum fg_status fg_targets_hand_over(const struct fg_targets *targets, struct fg_err *err)
{
    struct fg_control *wishes;
    size_t n = fg_targets_wishes(targets, &wishes);
    struct fg_buf text;
    fg_buf_init(&text, 16 << 20);
    fg_control_format(&text, wishes, n);
    enum fg_status st =
        text.full ? fg_fail(err, FG_ELIMIT, "more than a running crawl can be given")
                  : fg_inbox_put(fg_workspace_store(&targets->look->place),
                                 FG_INBOX_CONTROL, fg_buf_str(&text), err);
    fg_buf_clear(&text);
    return st;
}

void fg_targets_wait(struct fg_targets *targets, struct fg_arena *arena,
                     const char *place)
{
    fg_control_waiting(&targets->waiting, arena, place);
    targets->has_waiting = targets->waiting.wishes.len > 0;
}
