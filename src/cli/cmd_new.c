/* cmd_new.c - forage new: what was found lately
 *
 * For people and scripts the newest comes last, as in a log; a feed has it first, as
 * feeds do. Only the last --limit events are held in memory. */
#include "base/memory.h"
#include "cli/looking.h"
#include "crawl/control.h"
#include "crawl/filter.h"
#include "crawl/news.h"
#include "crawl/seeds.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The first three are those of crawl/news.h. */
enum kind { NEW, CHANGED, ALARM, ALL };
static const char *const kinds[] = {"new", "changed", "alarm", "all", NULL};

struct options {
    struct fg_str since, site, tag, page;
    int kind;
    int64_t limit;
    bool json, rss, atom, json_feed;
};

static const struct fg_opt options[] = {
    {"since", FG_STRING(struct options, since), "1d", .letter = 's', .arg = "SPAN|DATE",
     .help = "what was found in this span up to now, or since a date"},
    {"kind", FG_ENUM(struct options, kind, kinds), "new", .letter = 'k',
     .help = "new pages, documents whose value has changed, alarms, or all of them"},
    {"site", FG_STRING(struct options, site), .arg = "SITE",
     .help = "of this site only, also if it was removed: its host name or address"},
    {"tag", FG_STRING(struct options, tag), .arg = "TAG",
     .help = "of sites with this tag only"},
    {"page", FG_STRING(struct options, page), .arg = "URL",
     .help = "of this page only: when it was found, or has changed"},
    {"limit", FG_INT(struct options, limit), "100", .letter = 'n', .min = 1, .max = 1e6,
     .help = "the newest of them, at most"},
    {"json", FG_BOOL(struct options, json), .letter = 'j',
     .help = "as JSON lines, one an event, as 'forage watch' writes them"},
    {"rss", FG_BOOL(struct options, rss), .help = "as an RSS 2.0 feed"},
    {"atom", FG_BOOL(struct options, atom), .help = "as an Atom feed"},
    {"json-feed", FG_BOOL(struct options, json_feed), .help = "as a JSON Feed"},
    {0},
};

struct kept {
    struct fg_event_row event; /* its texts are `text` */
    char *text;
};

/* The last events of a walk that are asked for. */
struct ring {
    const struct fg_look *look;
    struct kept *at;
    size_t limit, next, len;
    fg_page_id page;     /* 0: any */
    const bool *removed; /* by site */
};

static const bool *removed_sites(const struct fg_look *look)
{
    bool *removed = FG_NEW(look->cli->arena, bool, look->n_sites + 1);
    for (size_t i = 0; i < look->n_sites; i++)
        removed[i + 1] = fg_site_is_removed(&look->sites[i]);
    return removed;
}

static bool is_wanted(const struct ring *ring, const struct fg_event_row *event)
{
    const struct options *o = ring->look->cli->options;
    const struct fg_site_row *site = fg_look_site(ring->look, event->site);
    bool is_asked_for = o->site.len || o->page.len;
    if (site && !is_asked_for && ring->removed[event->site])
        return false;
    return (o->kind == ALL || (int)fg_news_kind(event->kind) == o->kind) &&
           (!ring->page || event->page == ring->page) &&
           (!o->tag.len || (site && fg_tags_have(site->tags, o->tag)));
}

static bool keep(void *context, const struct fg_event_row *event)
{
    struct ring *ring = context;
    if (!is_wanted(ring, event))
        return true;
    struct kept *slot = &ring->at[ring->next];
    size_t bytes = event->kind.len + event->json.len;
    slot->text = fg_resized(slot->text, bytes + 1, 1);
    memcpy(slot->text, event->kind.at, event->kind.len);
    memcpy(slot->text + event->kind.len, event->json.at, event->json.len);
    slot->event = *event;
    slot->event.kind.at = slot->text;
    slot->event.json.at = slot->text + event->kind.len;
    ring->next = (ring->next + 1) % ring->limit;
    ring->len += ring->len < ring->limit;
    return true;
}

static const struct kept *nth(const struct ring *ring, size_t i, bool newest_first)
{
    size_t oldest = (ring->next + ring->limit - ring->len) % ring->limit;
    size_t at = newest_first ? ring->len - 1 - i : i;
    return &ring->at[(oldest + at) % ring->limit];
}

/* --- lines --- */

/* What it is, then where. Of a change the difference follows, indented. */
static void print_line(struct fg_out *out, const struct fg_feed_entry *entry)
{
    char when[FG_TIME_TEXT];
    fg_time_format(when, entry->found / FG_SECOND * FG_SECOND);
    fg_out_printf(out, "%s  ", when);
    if (entry->title.len && !fg_str_eq(entry->title, entry->url)) {
        fg_out_text(out, entry->title);
        fg_out_puts(out, "  ");
    }
    fg_out_text(out, entry->url);
    fg_out_puts(out, "\n");
    struct fg_str rest = entry->text, line;
    while (rest.len && fg_str_cut(&rest, '\n', &line)) {
        fg_out_puts(out, "    ");
        fg_out_text(out, line);
        fg_out_puts(out, "\n");
    }
}

static void print_lines(const struct fg_look *look, const struct ring *ring)
{
    const struct options *o = look->cli->options;
    struct fg_out *out = &look->cli->out;
    for (size_t i = 0; i < ring->len && !out->error; i++) {
        const struct kept *kept = nth(ring, i, false);
        if (o->json) {
            fg_buf_add(&out->buf, kept->event.json);
            fg_out_puts(out, "\n");
            continue;
        }
        struct fg_arena arena = {0};
        struct fg_news news;
        fg_news_read(&news, &kept->event);
        struct fg_feed_entry entry =
            fg_news_entry(&arena, &news, fg_news_page_title(&arena, look->store, &news));
        print_line(out, &entry);
        fg_news_clear(&news);
        fg_arena_clear(&arena);
    }
}

/* --- feeds --- */

/* What the feed is about, in words, and as a name that no other feed has. */
static struct fg_feed_head head_of(const struct fg_look *look, const struct ring *ring,
                                   fg_site_id site)
{
    const struct options *o = look->cli->options;
    static const char *const what[] = {"New", "Changes", "Alarms", "News"};
    const struct fg_site_row *row = fg_look_site(look, site);
    for (size_t i = 0; !row && i < look->n_sites; i++)
        row = fg_look_site(look, (fg_site_id)i + 1);
    struct fg_arena *arena = look->cli->arena;
    char *folder = realpath(look->cli->settings.workspace.at, NULL);
    struct fg_str name =
        fg_arena_printf(arena, "%s\n%u\n%.*s\n%.*s\n%d", folder ? folder : "", site,
                        FG_ARG(o->tag), FG_ARG(o->page), o->kind);
    free(folder);
    struct fg_str title = o->kind == NEW     ? FG_STR("New pages")
                          : o->kind == ALARM ? FG_STR("Alarms")
                                             : FG_STR("Changed pages");
    if (o->page.len)
        title = fg_arena_printf(arena, "%s of %.*s", what[o->kind], FG_ARG(o->page));
    else if (site && row)
        title = fg_arena_printf(arena, "%s on %.*s", what[o->kind], FG_ARG(row->key));
    else if (o->tag.len)
        title = fg_arena_printf(arena, "%s of %.*s", what[o->kind], FG_ARG(o->tag));
    return (struct fg_feed_head){
        .title = title,
        .link = o->page.len ? o->page
                : row       ? fg_arena_printf(arena, "%.*s/", FG_ARG(row->key))
                            : FG_STR("http://localhost/"),
        .about = o->kind == NEW || o->kind == ALARM
                     ? FG_STR("")
                     : FG_STR("Changes, as they were seen"),
        .id = fg_str_hash(name),
        .updated = ring->len ? nth(ring, 0, true)->event.time : look->now,
    };
}

static void print_feed(const struct fg_look *look, const struct ring *ring,
                       enum fg_feed_form form, fg_site_id site)
{
    struct fg_out *out = &look->cli->out;
    struct fg_feed_head head = head_of(look, ring, site);
    struct fg_feed_writer writer = fg_feed_begin(&out->buf, form, &head);
    for (size_t i = 0; i < ring->len && !out->error; i++) {
        struct fg_arena arena = {0};
        struct fg_news news;
        fg_news_read(&news, &nth(ring, i, true)->event);
        struct fg_feed_entry entry =
            fg_news_entry(&arena, &news, fg_news_page_title(&arena, look->store, &news));
        fg_feed_add(&writer, &entry);
        fg_out_puts(out, ""); /* let it flow */
        fg_news_clear(&news);
        fg_arena_clear(&arena);
    }
    fg_feed_finish(&writer);
}

/* To somebody who waits for an answer; a pipe knows it by itself. */
static void say_nothing_new(const struct fg_look *look, const struct ring *ring,
                            fg_time since)
{
    const struct options *o = look->cli->options;
    static const char *const what[] = {"new pages", "changes", "new pages and changes"};
    char when[FG_TIME_TEXT];
    if (ring->len || o->json || o->rss || o->atom || o->json_feed ||
        !isatty(STDOUT_FILENO))
        return;
    if (since == FG_NEVER)
        fprintf(stderr, "no %s\n", what[o->kind]);
    else
        fprintf(stderr, "no %s since %s\n", what[o->kind],
                fg_time_format(when, since / FG_SECOND * FG_SECOND));
}

static void print_all(const struct fg_look *look, const struct ring *ring,
                      fg_site_id site)
{
    const struct options *o = look->cli->options;
    if (o->rss || o->atom || o->json_feed)
        print_feed(look, ring,
                   o->rss    ? FG_WRITE_RSS
                   : o->atom ? FG_WRITE_ATOM
                             : FG_WRITE_JSON,
                   site);
    else
        print_lines(look, ring);
}

/* Whose events are wanted; 0 for those of all. */
static enum fg_status find_place(const struct fg_look *look, fg_site_id *site,
                                 fg_page_id *page, struct fg_err *err)
{
    const struct options *o = look->cli->options;
    struct fg_page_row row;
    *site = *page = 0;
    if (o->page.len && o->site.len)
        return fg_fail(err, FG_ECONFIG, "--page and --site cannot be combined");
    if (o->site.len)
        return fg_look_find_site(look, o->site, site, err);
    if (!o->page.len)
        return FG_OK;
    enum fg_status st = fg_look_find_page(look, o->page, &row, err);
    if (!st)
        *site = row.site, *page = row.page;
    return st;
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    struct fg_look look;
    fg_site_id site = 0;
    fg_time since;
    if (o->json + o->rss + o->atom + o->json_feed > 1)
        return fg_fail(err, FG_ECONFIG,
                       "--json, --rss, --atom and --json-feed cannot be combined");
    enum fg_status st = fg_cli_look(cli, &look, err);
    if (st)
        return st;
    struct ring ring = {
        .look = &look, .limit = (size_t)o->limit, .removed = removed_sites(&look)};
    ring.at = fg_zeroed(ring.limit, sizeof *ring.at);
    st = fg_look_since(&look, "--since", o->since, &since, err);
    if (!st)
        st = find_place(&look, &site, &ring.page, err);
    if (!st)
        st = fg_store_events(look.store, site, 0, since, SIZE_MAX, keep, &ring, err);
    if (!st) {
        print_all(&look, &ring, site);
        say_nothing_new(&look, &ring, since);
    }
    for (size_t i = 0; i < ring.limit; i++)
        free(ring.at[i].text);
    free(ring.at);
    fg_cli_look_close(&look);
    return st;
}

static const struct fg_example examples[] = {
    {"forage new --since 2w", "the last two weeks, a line each"},
    {"forage new --since 2026-11-01 --site news.example --json",
     "of one site since a date, for a script"},
    {"forage new --rss --limit 50 >new.xml && wc -c new.xml", "a feed for any reader"},
    {"forage new --kind changed --page https://law.example/1 --since 30d --atom",
     "a feed of the changes of one page"},
    {0},
};

const struct fg_command fg_cmd_new = {
    .name = "new",
    .words = "",
    .summary = "list the pages found lately, or make a feed of them",
    .about =
        "Lists discoveries from the store, or with --kind changes of documents with what "
        "is different, the newest last; a feed has the newest first. An event has the "
        "same id in every output, so nothing is shown twice by a reader that has seen "
        "it. Works while a crawl runs. 'forage feeds' writes many feeds at once.",
    .options = options,
    .options_size = sizeof(struct options),
    .settings = "workspace",
    .examples = examples,
    .only_looks = true,
    .run = run,
};
