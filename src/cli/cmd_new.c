/* cmd_new.c - forage new: what was found lately
 *
 * For people and scripts the newest comes last, as in a log; a feed has it first, as
 * feeds do. Only the last --limit events are held in memory. */
#include "cli/feeds.h"

#include "base/memory.h"
#include "cli/looking.h"
#include "net/date.h"

#include <stdlib.h>

struct options {
    struct fg_str since, site;
    int64_t limit;
    bool json, rss, atom;
};

static const struct fg_opt options[] = {
    {"since", FG_STRING(struct options, since), "1d", .letter = 's', .arg = "SPAN|DATE",
     .help = "what was found in this span up to now, or since a date"},
    {"site", FG_STRING(struct options, site), .arg = "SITE",
     .help = "of this site only: its host name or address"},
    {"limit", FG_INT(struct options, limit), "100", .letter = 'n', .min = 1, .max = 1e6,
     .help = "the newest of them, at most"},
    {"json", FG_BOOL(struct options, json), .letter = 'j',
     .help = "as JSON lines, one an event, as 'forage watch' writes them"},
    {"rss", FG_BOOL(struct options, rss), .help = "as an RSS 2.0 feed"},
    {"atom", FG_BOOL(struct options, atom), .help = "as an Atom feed"},
    {0},
};

struct kept {
    uint64_t id;
    fg_site_id site;
    fg_page_id page;
    fg_time time;
    char *json;
    size_t len;
};

/* The last events of a walk. */
struct ring {
    struct kept *at;
    size_t limit, next, len;
};

static bool keep(void *context, const struct fg_event_row *event)
{
    struct ring *ring = context;
    struct kept *slot = &ring->at[ring->next];
    free(slot->json);
    *slot = (struct kept){event->id,
                          event->site,
                          event->page,
                          event->time,
                          malloc(event->json.len + 1),
                          event->json.len};
    if (!slot->json)
        fg_out_of_memory();
    memcpy(slot->json, event->json.at, event->json.len);
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

static struct fg_str member(const json_t *event, const char *key)
{
    return fg_str_from(json_string_value(json_object_get(event, key)));
}

/* What the page itself says is better than the words of the link to it. */
static struct fg_str title_of(const struct fg_look *look, struct fg_arena *arena,
                              const struct kept *kept, const json_t *event)
{
    struct fg_page_row page;
    if (!fg_store_page(look->store, &page, arena, kept->site, kept->page, NULL) &&
        page.title.len)
        return page.title;
    return member(event, "words");
}

static struct fg_feed_entry entry_of(const struct fg_look *look, struct fg_arena *arena,
                                     const struct kept *kept, const json_t *event)
{
    return (struct fg_feed_entry){
        .id = kept->id,
        .url = member(event, "url"),
        .title = title_of(look, arena, kept, event),
        .found_on = member(event, "found_on"),
        .site = member(event, "site"),
        .found = kept->time,
        .dated = fg_look_time(event, "dated"),
    };
}

static void print_line(struct fg_out *out, const struct fg_feed_entry *entry)
{
    char when[FG_TIME_TEXT];
    fg_time_format(when, entry->found / FG_SECOND * FG_SECOND);
    fg_out_printf(out, "%s  ", when);
    fg_out_text(out, entry->url);
    if (entry->title.len) {
        fg_out_puts(out, "  ");
        fg_out_text(out, entry->title);
    }
    fg_out_puts(out, "\n");
}

static void print_event(const struct fg_look *look, const struct kept *kept)
{
    const struct options *o = look->cli->options;
    struct fg_out *out = &look->cli->out;
    if (o->json) {
        fg_buf_add(&out->buf, (struct fg_str){kept->json, kept->len});
        fg_out_puts(out, "\n");
        return;
    }
    struct fg_arena arena = {0};
    json_t *event = json_loadb(kept->json, kept->len, 0, NULL);
    struct fg_feed_entry entry = entry_of(look, &arena, kept, event);
    if (o->rss)
        fg_rss_entry(&out->buf, &entry);
    else if (o->atom)
        fg_atom_entry(&out->buf, &entry);
    else
        print_line(out, &entry);
    fg_out_puts(out, ""); /* let it flow */
    json_decref(event);
    fg_arena_clear(&arena);
}

static struct fg_feed_head head_of(const struct fg_look *look, const struct ring *ring,
                                   fg_site_id site)
{
    const struct fg_site_row *row = fg_look_site(look, site);
    for (size_t i = 0; !row && i < look->n_sites; i++)
        row = fg_look_site(look, (fg_site_id)i + 1);
    struct fg_arena *arena = look->cli->arena;
    char *folder = realpath(look->cli->settings.workspace.at, NULL);
    struct fg_str name = fg_arena_printf(arena, "%s\n%u", folder ? folder : "", site);
    free(folder);
    return (struct fg_feed_head){
        .title = site && row ? fg_arena_printf(arena, "New on %.*s", FG_ARG(row->key))
                             : FG_STR("New pages"),
        .link = row ? fg_arena_printf(arena, "%.*s/", FG_ARG(row->key))
                    : FG_STR("http://localhost/"),
        .id = fg_str_hash(name),
        .updated = ring->len ? nth(ring, 0, true)->time : look->now,
    };
}

static void print_all(const struct fg_look *look, const struct ring *ring,
                      fg_site_id site)
{
    const struct options *o = look->cli->options;
    struct fg_buf *out = &look->cli->out.buf;
    struct fg_feed_head head = head_of(look, ring, site);
    if (o->rss)
        fg_rss_head(out, &head);
    else if (o->atom)
        fg_atom_head(out, &head);
    for (size_t i = 0; i < ring->len && !look->cli->out.error; i++)
        print_event(look, nth(ring, i, o->rss || o->atom));
    if (o->rss)
        fg_rss_end(out);
    else if (o->atom)
        fg_atom_end(out);
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    struct fg_look look;
    fg_site_id site = 0;
    fg_time since;
    if (o->json + o->rss + o->atom > 1)
        return fg_fail(err, FG_ECONFIG, "--json, --rss and --atom exclude one another");
    enum fg_status st = fg_look_open(&look, cli, err);
    if (st)
        return st;
    struct ring ring = {.limit = (size_t)o->limit};
    ring.at = fg_zeroed(ring.limit, sizeof *ring.at);
    st = fg_look_since(&look, "--since", o->since, &since, err);
    if (!st && o->site.len)
        st = fg_look_find_site(&look, o->site, &site, err);
    if (!st)
        st = fg_store_events(look.store, site, 0, since, SIZE_MAX, keep, &ring, err);
    if (!st)
        print_all(&look, &ring, site);
    for (size_t i = 0; i < ring.limit; i++)
        free(ring.at[i].json);
    free(ring.at);
    fg_look_close(&look);
    return st;
}

static const struct fg_example examples[] = {
    {"forage new --since 2w", "the last two weeks, a line each"},
    {"forage new --since 2026-11-01 --site news.example --json",
     "of one site since a date, for a script"},
    {"forage new --rss --limit 50 >new.xml && wc -c new.xml", "a feed for any reader"},
    {0},
};

const struct fg_command fg_cmd_new = {
    .name = "new",
    .words = "",
    .summary = "list the pages found lately, or make a feed of them",
    .about = "Lists discoveries from the store, the newest last; a feed has the newest "
             "first. An event has the same id in every output, so nothing is shown twice "
             "by a reader that has seen it. Works while a crawl runs.",
    .options = options,
    .options_size = sizeof(struct options),
    .settings = "workspace",
    .examples = examples,
    .run = run,
};
