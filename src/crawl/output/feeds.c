#include "crawl/output/feeds.h"

#include "base/file.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/vec.h"
#include "crawl/sites/site_row.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FEED = 256 << 20 };

/* The numbers of its newest events: a ring. */
struct feed {
    struct fg_str path, title, about, link;
    uint64_t *numbers;
    size_t next, len;
    fg_time updated; /* of its newest event, or since when it could have one */
    bool is_dirty;
    bool is_gone; /* its site was removed: its files go, and it is empty */
};

struct site {
    struct fg_str tags;
    size_t feed; /* its index + 1; 0: it has none */
    bool is_removed;
    bool is_there; /* in the store, when we last looked */
};

struct fg_feeds {
    struct fg_store *store;
    struct fg_arena arena;
    char *folder;
    struct fg_str id_base, url;
    size_t items;
    struct fg_query *queries;
    size_t n_queries;
    FG_VEC(struct feed) all;
    struct fg_names by_path; /* index + 1 */
    FG_VEC(struct site) sites;
    struct fg_map site_by_id; /* to its place in `sites` + 1 */
    uint64_t number;          /* the last event that was read */
};

static const char *const folders[] = {"", "/sites", "/tags", "/queries", "/pages"};
enum {
    N_FOLDERS = sizeof folders / sizeof *folders,
    FEED_ALL = 1,
    FEED_CHANGES = 2,
    FEED_ALARMS = 3
};

/* --- queries --- */

enum fg_status fg_query_parse(struct fg_query *query, struct fg_arena *arena,
                              struct fg_str text, struct fg_err *err)
{
    *query = (struct fg_query){0};
    if (!fg_filter_word(&text, arena, &query->name) || !fg_filter_is_name(query->name))
        return fg_fail(err, FG_ECONFIG,
                       "'%.*s' is not a name of letters, digits, '-' and '_', followed "
                       "by conditions such as tag=shop",
                       FG_ARG(query->name));
    return fg_filter_parse(&query->filter, arena, text, err);
}

enum fg_status fg_queries_parse(struct fg_query **queries, struct fg_arena *arena,
                                const struct fg_opt_list *list, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    *queries = FG_NEW(arena, struct fg_query, list->len + 1);
    for (size_t i = 0; !st && i < list->len; i++) {
        struct fg_query *query = &(*queries)[i];
        st = fg_query_parse(query, arena, list->at[i], err);
        for (size_t k = 0; !st && k < i; k++)
            if (fg_str_eq((*queries)[k].name, query->name))
                st = fg_fail(err, FG_ECONFIG, "feeds.queries: two are named '%.*s'",
                             FG_ARG(query->name));
    }
    return st;
}

/* --- names --- */

struct fg_str fg_feeds_file_name(struct fg_arena *arena, struct fg_str text)
{
    enum { MOST = 100 };
    char name[MOST + 1];
    size_t n = 0;
    bool is_other = text.len > MOST || !text.len;
    for (size_t i = 0; i < text.len && n < MOST; i++) {
        char c = text.at[i];
        bool stays = fg_is_alnum(c) || c == '-' || c == '_' || (c == '.' && i);
        is_other |= !stays;
        name[n++] = stays ? c : '_';
    }
    name[n] = '\0';
    return is_other ? fg_arena_printf(arena, "%s-%08x", name,
                                      (unsigned)(fg_str_hash(text) & 0xFFFFFFFF))
                    : fg_arena_dup(arena, (struct fg_str){name, n});
}

/* "https://example.org:8443" is example.org_8443; what is not https says so. */
static struct fg_str site_name(struct fg_arena *arena, struct fg_str key)
{
    size_t colon = fg_str_find(key, FG_STR("://"));
    struct fg_str scheme = fg_str_sub(key, 0, colon == FG_NOT_FOUND ? 0 : colon);
    struct fg_str host = fg_str_skip(key, colon == FG_NOT_FOUND ? 0 : colon + 3);
    char *name = fg_arena_cstr(arena, host);
    for (char *c = name; *c; c++)
        if (*c == ':' || *c == '[' || *c == ']')
            *c = '_';
    struct fg_str plain = fg_feeds_file_name(arena, fg_str_from(name));
    return fg_str_eq(scheme, FG_STR("https"))
               ? plain
               : fg_arena_printf(arena, "%.*s-%.*s", FG_ARG(scheme), FG_ARG(plain));
}

/* --- the folder --- */

static enum fg_status make_folders(const char *folder, struct fg_err *err)
{
    for (size_t i = 0; i < N_FOLDERS; i++) {
        struct fg_arena arena = {0};
        const char *path = fg_arena_printf(&arena, "%s%s", folder, folders[i]).at;
        bool ok = mkdir(path, 0777) == 0 || errno == EEXIST;
        int why = errno;
        enum fg_status st =
            ok ? FG_OK
               : fg_fail(err, why == ENOSPC ? FG_EFULL : FG_EIO,
                         "cannot make the folder '%s': %s", path, strerror(why));
        fg_arena_clear(&arena);
        if (st)
            return st;
    }
    return FG_OK;
}

/* "x.rss.1234.tmp", left by a process that was killed while it wrote. */
static bool is_left_behind(struct fg_str name)
{
    uint64_t pid;
    if (!fg_str_ends(name, FG_STR(".tmp")))
        return false;
    name = fg_str_sub(name, 0, name.len - 4);
    size_t dot = name.len;
    while (dot && fg_is_digit(name.at[dot - 1]))
        dot--;
    if (!dot || !fg_str_to_u64(fg_str_skip(name, dot), &pid) || pid > INT32_MAX)
        return false;
    struct fg_str file = fg_str_sub(name, 0, dot - 1);
    bool is_feed = fg_str_ends(file, FG_STR(".rss")) ||
                   fg_str_ends(file, FG_STR(".atom")) ||
                   fg_str_ends(file, FG_STR(".json"));
    return is_feed && kill((pid_t)pid, 0) != 0 && errno == ESRCH;
}

static void sweep(const char *folder)
{
    for (size_t i = 0; i < N_FOLDERS; i++) {
        struct fg_arena arena = {0};
        const char *path = fg_arena_printf(&arena, "%s%s", folder, folders[i]).at;
        DIR *dir = opendir(path);
        for (struct dirent *entry; dir && (entry = readdir(dir));)
            if (is_left_behind(fg_str_from(entry->d_name)))
                unlink(fg_arena_printf(&arena, "%s/%s", path, entry->d_name).at);
        if (dir)
            closedir(dir);
        fg_arena_clear(&arena);
    }
}

/* --- feeds --- */

/* Index + 1 of the feed at a path, which is made if it is not there. */
static size_t feed_at(struct fg_feeds *feeds, struct fg_str path, struct fg_str title,
                      struct fg_str link, fg_time since)
{
    uint64_t *known = fg_names_get(&feeds->by_path, path);
    if (known) {
        feeds->all.at[*known - 1].is_gone = false;
        return *known;
    }
    bool is_changes =
        fg_str_eq(path, FG_STR("changes")) || fg_str_starts(path, FG_STR("pages/"));
    bool is_alarms = fg_str_eq(path, FG_STR("alarms"));
    struct feed feed = {
        .path = fg_arena_dup(&feeds->arena, path),
        .title = fg_arena_dup(&feeds->arena, title),
        .about = is_changes  ? FG_STR("Changes, as they were seen")
                 : is_alarms ? FG_STR("Sites from which nothing can come, and why")
                             : FG_STR(""),
        .link = fg_arena_dup(&feeds->arena, link),
        .updated = since,
        .is_dirty = true,
    };
    fg_vec_push(&feeds->all, feed);
    *fg_names_put(&feeds->by_path, path) = feeds->all.len;
    return feeds->all.len;
}

static void add_to(struct fg_feeds *feeds, size_t index, const struct fg_event_row *event)
{
    struct feed *feed = &feeds->all.at[index - 1];
    if (!feed->numbers)
        feed->numbers = fg_zeroed(feeds->items, sizeof *feed->numbers);
    feed->numbers[feed->next] = event->number;
    feed->next = (feed->next + 1) % feeds->items;
    feed->len += feed->len < feeds->items;
    feed->updated = event->time;
    feed->is_dirty = true;
}

/* --- sites and tags --- */

static void add_tag_feeds(struct fg_feeds *feeds, struct fg_str tags, struct fg_str link,
                          fg_time since)
{
    struct fg_str tag;
    while (tags.len && fg_str_cut(&tags, ',', &tag)) {
        struct fg_arena arena = {0};
        tag = fg_str_trim(tag);
        if (tag.len)
            feed_at(feeds,
                    fg_arena_printf(&arena, "tags/%.*s",
                                    FG_ARG(fg_feeds_file_name(&arena, tag))),
                    fg_arena_printf(&arena, "New of %.*s", FG_ARG(tag)), link, since);
        fg_arena_clear(&arena);
    }
}

/* The first two there are, FEED_ALL and FEED_CHANGES. */
static void add_first_feeds(struct fg_feeds *feeds, struct fg_str link, fg_time since)
{
    feed_at(feeds, FG_STR("all"), FG_STR("New pages"), link, since);
    feed_at(feeds, FG_STR("changes"), FG_STR("Changed pages"), link, since);
    feed_at(feeds, FG_STR("alarms"), FG_STR("Alarms"), link, since);
}

/* All are made again from the events that are left. */
static void start_over(struct fg_feeds *feeds)
{
    feeds->number = 0;
    for (size_t i = 0; i < feeds->all.len; i++) {
        feeds->all.at[i].next = feeds->all.at[i].len = 0;
        feeds->all.at[i].is_dirty = true;
    }
}

/* Its pages are in no feed any more. */
static void drop_site(struct fg_feeds *feeds, struct site *site, struct fg_str key)
{
    struct fg_arena arena = {0};
    site->is_removed = true;
    size_t own = feed_at(
        feeds, fg_arena_printf(&arena, "sites/%.*s", FG_ARG(site_name(&arena, key))), key,
        key, FG_NEVER);
    fg_arena_clear(&arena);
    start_over(feeds);
    feeds->all.at[own - 1].is_gone = true;
}

/* Sites that were forgotten since we last looked. One that was added again has their
 * feed. */
static void drop_forgotten(struct fg_feeds *feeds)
{
    for (size_t i = 0; i < feeds->sites.len; i++) {
        struct site *site = &feeds->sites.at[i];
        if (site->is_there || site->is_removed || !site->feed)
            continue;
        bool is_taken = false;
        for (size_t j = 0; j < feeds->sites.len; j++)
            is_taken |=
                feeds->sites.at[j].is_there && feeds->sites.at[j].feed == site->feed;
        site->is_removed = true;
        start_over(feeds);
        feeds->all.at[site->feed - 1].is_gone |= !is_taken;
    }
}

static bool take_site(void *context, const struct fg_site_row *row)
{
    struct fg_feeds *feeds = context;
    uint64_t *place = fg_map_put(&feeds->site_by_id, row->site);
    if (!*place) {
        fg_vec_push(&feeds->sites, (struct site){0});
        *place = feeds->sites.len;
    }
    struct site *site = &feeds->sites.at[*place - 1];
    site->is_there = true;
    if (!fg_str_eq(site->tags, row->tags))
        site->tags = fg_arena_dup(&feeds->arena, row->tags);
    if (row->state == SITE_HOST_ONLY)
        return true;
    struct fg_arena arena = {0};
    struct fg_str link =
        feeds->url.len ? feeds->url : fg_arena_printf(&arena, "%.*s/", FG_ARG(row->key));
    if (fg_site_is_removed(row)) {
        add_first_feeds(feeds, link, row->added);
        if (!site->is_removed)
            drop_site(feeds, site, row->key);
        fg_arena_clear(&arena);
        return true;
    }
    if (!site->feed) {
        add_first_feeds(feeds, link, row->added);
        for (size_t i = 0; i < feeds->n_queries; i++)
            feed_at(
                feeds,
                fg_arena_printf(&arena, "queries/%.*s", FG_ARG(feeds->queries[i].name)),
                feeds->queries[i].name, link, row->added);
        site->feed = feed_at(
            feeds,
            fg_arena_printf(&arena, "sites/%.*s", FG_ARG(site_name(&arena, row->key))),
            fg_arena_printf(&arena, "New on %.*s", FG_ARG(row->key)),
            fg_arena_printf(&arena, "%.*s/", FG_ARG(row->key)), row->added);
    }
    add_tag_feeds(feeds, row->tags, link, row->added);
    fg_arena_clear(&arena);
    return true;
}

/* --- events --- */

/* NULL: it is not known. */
static const struct site *site_with(const struct fg_feeds *feeds, fg_site_id id)
{
    const uint64_t *place = fg_map_get(&feeds->site_by_id, id);
    return place ? &feeds->sites.at[*place - 1] : NULL;
}

static struct fg_str tags_of(const struct fg_feeds *feeds, fg_site_id site)
{
    const struct site *known = site_with(feeds, site);
    return known ? known->tags : FG_STR("");
}

static void add_to_tags(struct fg_feeds *feeds, const struct fg_event_row *event)
{
    struct fg_str tags = tags_of(feeds, event->site), tag;
    while (tags.len && fg_str_cut(&tags, ',', &tag)) {
        struct fg_arena arena = {0};
        tag = fg_str_trim(tag);
        uint64_t *index = fg_names_get(
            &feeds->by_path, fg_arena_printf(&arena, "tags/%.*s",
                                             FG_ARG(fg_feeds_file_name(&arena, tag))));
        if (tag.len && index)
            add_to(feeds, *index, event);
        fg_arena_clear(&arena);
    }
}

static void add_to_queries(struct fg_feeds *feeds, const struct fg_event_row *event,
                           const struct fg_news *news)
{
    struct fg_arena arena = {0};
    struct fg_str title = fg_news_page_title(&arena, feeds->store, news);
    for (size_t i = 0; i < feeds->n_queries; i++) {
        struct fg_str path =
            fg_arena_printf(&arena, "queries/%.*s", FG_ARG(feeds->queries[i].name));
        uint64_t *index = fg_names_get(&feeds->by_path, path);
        if (index && fg_filter_takes(&feeds->queries[i].filter, news,
                                     tags_of(feeds, event->site), title))
            add_to(feeds, *index, event);
    }
    fg_arena_clear(&arena);
}

/* Documents that the user named have feeds of their own; of others there may be many. */
static void add_to_page(struct fg_feeds *feeds, const struct fg_event_row *event,
                        const struct fg_news *news)
{
    struct fg_arena arena = {0};
    struct fg_page_row page;
    if (!fg_store_page(feeds->store, &page, &arena, event->site, event->page, NULL) &&
        page.flags & FG_PAGE_SEED) {
        struct fg_str host = fg_feeds_file_name(&arena, site_name(&arena, news->site));
        size_t index =
            feed_at(feeds,
                    fg_arena_printf(&arena, "pages/%.*s-%016llx", FG_ARG(host),
                                    (unsigned long long)page.fingerprint),
                    fg_arena_printf(&arena, "Changes of %.*s", FG_ARG(news->url)),
                    news->url, event->time);
        add_to(feeds, index, event);
    }
    fg_arena_clear(&arena);
}

static bool take_event(void *context, const struct fg_event_row *event)
{
    struct fg_feeds *feeds = context;
    static const size_t feed_of[FG_KINDS + 1] = {FEED_ALL, FEED_CHANGES, FEED_ALARMS,
                                                 FEED_ALL};
    enum fg_news_kind kind = fg_news_kind(event->kind);
    bool is_new = kind != FG_KIND_CHANGED && kind != FG_KIND_ALARM;
    const struct site *site = site_with(feeds, event->site);
    size_t index = site ? site->feed : 0;
    if (site && site->is_removed) {
        feeds->number = event->number;
        return true;
    }
    if (!index)
        return false; /* it was added after we read the sites: next time */
    feeds->number = event->number;
    add_to(feeds, feed_of[kind], event);
    if (is_new) {
        add_to(feeds, index, event);
        add_to_tags(feeds, event);
    }
    if (is_new && !feeds->n_queries)
        return true;
    struct fg_news news;
    fg_news_read(&news, event);
    add_to_queries(feeds, event, &news);
    if (kind == FG_KIND_CHANGED)
        add_to_page(feeds, event, &news);
    fg_news_clear(&news);
    return true;
}

enum fg_status fg_feeds_update(struct fg_feeds *feeds, struct fg_err *err)
{
    for (size_t i = 0; i < feeds->sites.len; i++)
        feeds->sites.at[i].is_there = false;
    enum fg_status st = fg_store_sites(feeds->store, take_site, feeds, err);
    if (!st)
        drop_forgotten(feeds);
    return st ? st
              : fg_store_events(feeds->store, 0, feeds->number, FG_NEVER, SIZE_MAX,
                                take_event, feeds, err);
}

/* --- writing --- */

struct loading {
    struct fg_feeds *feeds;
    struct fg_arena *arena;
    struct fg_feed_entry *entry;
    uint64_t number;
    bool is_there;
};

static struct fg_str kept(struct fg_arena *arena, struct fg_str text)
{
    return text.len ? fg_arena_dup(arena, text) : FG_STR("");
}

static bool load_entry(void *context, const struct fg_event_row *event)
{
    struct loading *loading = context;
    struct fg_news news;
    if (event->number != loading->number)
        return false;
    fg_news_read(&news, event);
    struct fg_str title =
        fg_news_page_title(loading->arena, loading->feeds->store, &news);
    struct fg_feed_entry entry = fg_news_entry(loading->arena, &news, title);
    entry.url = kept(loading->arena, entry.url);
    entry.title = kept(loading->arena, entry.title);
    entry.found_on = kept(loading->arena, entry.found_on);
    entry.site = kept(loading->arena, entry.site);
    entry.text = kept(loading->arena, entry.text);
    entry.summary = kept(loading->arena, entry.summary);
    entry.language = kept(loading->arena, entry.language);
    *loading->entry = entry;
    loading->is_there = entry.url.len > 0;
    fg_news_clear(&news);
    return false;
}

/* Newest first; what was pruned meanwhile is left out. */
static size_t load_entries(struct fg_feeds *feeds, struct fg_arena *arena,
                           const struct feed *feed, struct fg_feed_entry *entries,
                           struct fg_err *err)
{
    size_t n = 0;
    for (size_t i = 0; i < feed->len; i++) {
        uint64_t number =
            feed->numbers[(feed->next + feeds->items - 1 - i) % feeds->items];
        struct loading loading = {feeds, arena, &entries[n], number, false};
        if (fg_store_events(feeds->store, 0, number - 1, FG_NEVER, 1, load_entry,
                            &loading, err))
            return SIZE_MAX;
        n += loading.is_there;
    }
    return n;
}

static bool is_same_as(const char *path, struct fg_str text)
{
    struct fg_arena arena = {0};
    struct stat info;
    struct fg_str there;
    bool is_same = stat(path, &info) == 0 && (uint64_t)info.st_size == text.len &&
                   !fg_file_read(&there, &arena, path, text.len, NULL) &&
                   fg_str_eq(there, text);
    fg_arena_clear(&arena);
    return is_same;
}

static enum fg_status write_form(struct fg_feeds *feeds, const struct feed *feed,
                                 enum fg_feed_form form,
                                 const struct fg_feed_entry *entries, size_t n,
                                 struct fg_err *err)
{
    struct fg_arena arena = {0};
    struct fg_buf text;
    fg_buf_init(&text, MOST_FEED);
    const char *suffix = fg_feed_form_name(form);
    struct fg_feed_head head = {
        .title = feed->title,
        .link = feed->link,
        .about = feed->about,
        .updated = feed->updated,
        .id = fg_str_hash(fg_arena_printf(&arena, "%.*s/%.*s", FG_ARG(feeds->id_base),
                                          FG_ARG(feed->path))),
    };
    if (feeds->url.len)
        head.self = fg_arena_printf(&arena, "%.*s%.*s.%s", FG_ARG(feeds->url),
                                    FG_ARG(feed->path), suffix);
    struct fg_feed_writer writer = fg_feed_begin(&text, form, &head);
    for (size_t i = 0; i < n; i++)
        fg_feed_add(&writer, &entries[i]);
    fg_feed_finish(&writer);
    const char *path =
        fg_arena_printf(&arena, "%s/%.*s.%s", feeds->folder, FG_ARG(feed->path), suffix)
            .at;
    enum fg_status st = is_same_as(path, fg_buf_str(&text))
                            ? FG_OK
                            : fg_file_replace(path, fg_buf_str(&text), err);
    fg_buf_clear(&text);
    fg_arena_clear(&arena);
    return st;
}

static void drop_files(const struct fg_feeds *feeds, struct feed *feed)
{
    struct fg_arena arena = {0};
    for (int form = 0; form < FG_FEED_FORMS; form++)
        unlink(fg_arena_printf(&arena, "%s/%.*s.%s", feeds->folder, FG_ARG(feed->path),
                               fg_feed_form_name((enum fg_feed_form)form))
                   .at);
    feed->is_dirty = false;
    fg_arena_clear(&arena);
}

static enum fg_status write_feed(struct fg_feeds *feeds, struct feed *feed,
                                 struct fg_err *err)
{
    if (feed->is_gone) {
        drop_files(feeds, feed);
        return FG_OK;
    }
    struct fg_arena arena = {0};
    struct fg_feed_entry *entries = FG_NEW(&arena, struct fg_feed_entry, feed->len + 1);
    size_t n = load_entries(feeds, &arena, feed, entries, err);
    enum fg_status st = n == SIZE_MAX ? FG_EIO : FG_OK;
    for (int form = 0; !st && form < FG_FEED_FORMS; form++)
        st = write_form(feeds, feed, (enum fg_feed_form)form, entries, n, err);
    feed->is_dirty = st != FG_OK;
    fg_arena_clear(&arena);
    return st;
}

enum fg_status fg_feeds_write(struct fg_feeds *feeds, struct fg_err *err)
{
    enum fg_status st = make_folders(feeds->folder, err);
    for (size_t i = 0; !st && i < feeds->all.len; i++)
        if (feeds->all.at[i].is_dirty)
            st = write_feed(feeds, &feeds->all.at[i], err);
    return st;
}

/* --- life --- */

enum fg_status fg_feeds_new(struct fg_feeds **result, struct fg_store *store,
                            const struct fg_feeds_settings *settings, const char *folder,
                            struct fg_err *err)
{
    *result = NULL;
    struct fg_feeds *feeds = fg_zeroed(1, sizeof *feeds);
    feeds->store = store;
    feeds->by_path.arena = &feeds->arena;
    feeds->items = settings->items ? (size_t)settings->items : 100;
    feeds->folder = fg_arena_cstr(&feeds->arena, fg_str_from(folder));
    struct fg_str url = settings->url;
    if (url.len)
        feeds->url = fg_arena_printf(&feeds->arena, "%.*s%s", FG_ARG(url),
                                     url.at[url.len - 1] == '/' ? "" : "/");
    enum fg_status st =
        fg_queries_parse(&feeds->queries, &feeds->arena, &settings->queries, err);
    feeds->n_queries = settings->queries.len;
    if (!st)
        st = make_folders(folder, err);
    if (st) {
        fg_feeds_free(feeds);
        return st;
    }
    sweep(folder);
    char *full = realpath(folder, NULL);
    feeds->id_base = feeds->url.len
                         ? feeds->url
                         : fg_arena_dup(&feeds->arena, fg_str_from(full ? full : folder));
    free(full);
    *result = feeds;
    return FG_OK;
}

void fg_feeds_free(struct fg_feeds *feeds)
{
    if (!feeds)
        return;
    for (size_t i = 0; i < feeds->all.len; i++)
        free(feeds->all.at[i].numbers);
    fg_vec_clear(&feeds->all);
    fg_map_clear(&feeds->site_by_id);
    fg_vec_clear(&feeds->sites);
    fg_arena_clear(&feeds->arena);
    free(feeds);
}

size_t fg_feeds_len(const struct fg_feeds *feeds)
{
    return feeds->all.len;
}

struct fg_feeds_view fg_feeds_at(const struct fg_feeds *feeds, size_t i)
{
    const struct feed *feed = &feeds->all.at[i];
    return (struct fg_feeds_view){feed->path, feed->title, feed->len, feed->is_gone};
}
