/* cmd_site.c - forage site: what holds for one site, shown and set
 *
 * The new rules are made from those in the store. If a crawl is running, it alone may
 * write to the store, so it is given them in the inbox and applies them within seconds;
 * else they are written at once and hold from the next start on. */
#include "cli/crawling.h"
#include "cli/showing.h"
#include "crawl/intake/control.h"
#include "crawl/output/feeds.h"
#include "view/site.h"
#include "view/site_change.h"

struct options {
    struct fg_site_change change;
    bool forget;
};

static const struct fg_opt options[] = {
    FG_SITE_CHANGE_OPTIONS(struct options, change),
    {"forget", FG_BOOL(struct options, forget),
     .help = "take it out of the store, with all that is known of it"},
    {0},
};

struct view {
    struct fg_cli *cli;
    struct fg_look look;
    const struct options *o;
    const struct fg_form *form;
    struct fg_changed_site changed;
    bool is_handed_over;
    bool has_events; /* it is forgotten, but for these */
};

/* --- setting --- */

static enum fg_status write_rules(struct view *v, struct fg_err *err)
{
    struct fg_store *store;
    struct fg_cli *cli = v->cli;
    if (v->look.writer >= 0) {
        struct fg_str text = fg_changed_site_text(cli->arena, &v->changed);
        return fg_inbox_put(fg_cli_inbox(cli), FG_INBOX_SITE, text, err);
    }
    enum fg_status st = fg_cli_store(cli, false, &store, err);
    if (st)
        return st;
    struct fg_batch *batch = fg_batch_new(store);
    fg_batch_site(batch, &v->changed.site);
    st = fg_store_flush(store, fg_store_submit(store, batch), err);
    enum fg_status closed = fg_store_close(store, st ? NULL : err);
    return st ? st : closed;
}

/* --- forgetting --- */

/* The feeds of a removed site go when feeds are written; of a forgotten one nobody knows
 * their names. */
static enum fg_status drop_feeds(struct view *v, struct fg_store *store,
                                 struct fg_err *err)
{
    const struct fg_feeds_settings *settings =
        fg_output_settings_of(&v->cli->settings.crawl.outputs, &fg_output_feeds);
    struct fg_control wish = {FG_CONTROL_REMOVE, v->changed.site.key, {0}};
    struct fg_feeds *feeds = NULL;
    if (!settings->dir.len)
        return FG_OK;
    enum fg_status st = fg_control_put(store, &wish, 1, v->look.now, err);
    if (!st)
        st = fg_feeds_new(&feeds, store, settings, settings->dir.at, err);
    if (!st)
        st = fg_feeds_update(feeds, err);
    if (!st)
        st = fg_feeds_write(feeds, err);
    fg_feeds_free(feeds);
    return st;
}

static bool note_event(void *context, const struct fg_event_row *event)
{
    (void)event;
    *(bool *)context = true;
    return false;
}

static enum fg_status forget_now(struct view *v, const struct fg_control *wish,
                                 struct fg_err *err)
{
    struct fg_store *store;
    enum fg_status st = fg_cli_store(v->cli, false, &store, err);
    if (st)
        return st;
    st = drop_feeds(v, store, err);
    if (!st)
        st = fg_control_put(store, wish, 1, v->look.now, err);
    if (!st)
        st = fg_store_events(store, v->changed.site.site, 0, FG_NEVER, 1, note_event,
                             &v->has_events, err);
    enum fg_status closed = fg_store_close(store, st ? NULL : err);
    return st ? st : closed;
}

/* As 'forage remove' does it. */
static enum fg_status forget(struct view *v, struct fg_err *err)
{
    struct fg_cli *cli = v->cli;
    struct fg_control wish = {FG_CONTROL_FORGET, v->changed.site.key, {0}};
    struct fg_control_waiting waiting;
    fg_control_waiting(&waiting, cli->arena, fg_cli_inbox(cli));
    v->is_handed_over =
        v->look.writer >= 0 || waiting.wishes.len > 0 || waiting.has_seeds;
    if (!v->is_handed_over)
        return forget_now(v, &wish, err);
    struct fg_buf text;
    fg_buf_init(&text, 1 << 20);
    fg_control_format(&text, &wish, 1);
    enum fg_status st =
        fg_inbox_put(fg_cli_inbox(cli), FG_INBOX_CONTROL, fg_buf_str(&text), err);
    fg_buf_clear(&text);
    return st;
}

/* --- what was forgotten --- */

struct forgotten {
    struct fg_str site, words, kept, handed;
    bool is_forgotten, has_events, is_handed_over;
};

#define F struct forgotten
static const struct fg_field forgotten_fields[] = {
    {"site", NULL, FG_AS_TEXT(F, site)},
    {NULL, "", FG_AS_TEXT(F, words), .is_title = true},
    {"forgotten", NULL, FG_AS_YES(F, is_forgotten)},
    {"has_undelivered_events", NULL, FG_AS_YES(F, has_events)},
    {NULL, "", FG_AS_TEXT(F, kept), .is_title = true},
    {"handed_over", NULL, FG_AS_YES(F, is_handed_over)},
    {NULL, "", FG_AS_TEXT(F, handed), .is_title = true},
    {0},
};
#undef F
static const struct fg_field forgotten = FG_RECORD_OF(forgotten_fields);

static enum fg_status tell_forgotten(struct view *v, struct fg_err *err)
{
    struct fg_arena *arena = v->cli->arena;
    struct forgotten answer = {
        .site = v->changed.site.key,
        .words =
            fg_arena_printf(arena, "%.*s  site forgotten", FG_ARG(v->changed.site.key)),
        .kept = v->has_events
                    ? FG_STR("events that some output has not had are kept for it")
                    : FG_STR(""),
        .is_forgotten = !v->is_handed_over,
        .has_events = v->has_events,
        .is_handed_over = v->is_handed_over};
    if (v->is_handed_over && v->look.writer >= 0)
        answer.handed = fg_arena_printf(arena,
                                        "given to the crawl that is running (process "
                                        "%lld); it applies it within seconds",
                                        (long long)v->look.writer);
    else if (v->is_handed_over)
        answer.handed =
            FG_STR("left for the next crawl, behind what waits for it already");
    return fg_cli_render(&v->cli->out, &forgotten, &answer, v->form, v->look.now, err);
}

/* --- the command --- */

static enum fg_status show(struct view *v, struct fg_err *err)
{
    struct fg_site_answer answer;
    bool is_running = v->look.writer >= 0;
    fg_site_answer_fill(&answer, &v->look, &v->changed.site, &v->changed.rules);
    answer.is_changed = v->changed.is_changed;
    answer.is_handed_over = v->changed.is_changed && is_running;
    if (v->changed.is_changed)
        answer.note = is_running
                          ? FG_STR("given to the crawl that is running; it takes them up "
                                   "within seconds")
                          : FG_STR("these hold from the next start on");
    return fg_cli_render(&v->cli->out, &fg_view_site.answer, &answer, v->form,
                         v->look.now, err);
}

static enum fg_status answer(struct view *v, struct fg_err *err)
{
    enum fg_status st = fg_site_change_apply(
        &v->changed, &v->look, fg_str_from(v->cli->words[0]), &v->o->change, err);
    if (!st && v->o->forget) {
        st = v->changed.is_changed
                 ? fg_fail(err, FG_ECONFIG, "--forget and settings cannot be combined")
                 : forget(v, err);
        return st ? st : tell_forgotten(v, err);
    }
    if (!st && v->changed.is_changed)
        st = write_rules(v, err);
    return st ? st : show(v, err);
}

static enum fg_status run(struct fg_cli *cli, const void *own, const void *question,
                          const struct fg_form *form, struct fg_err *err)
{
    struct view v = {.cli = cli, .o = own, .form = form};
    (void)question;
    enum fg_status st = fg_cli_look(cli, &v.look, err);
    if (!st)
        st = answer(&v, err);
    fg_cli_look_close(&v.look);
    return st;
}

static const struct fg_example examples[] = {
    {"forage site news.example", "what holds for a site"},
    {"forage site news.example --budget 20 --tag press --exclude '*/print/*'",
     "20 page requests an hour at most, and no print versions"},
    {"forage site news.example --prefix /politics/ --ignore '.ads,text:*readers online*'",
     "a part of the site, and noise on its pages"},
    {"forage site news.example --at-least 1h", "no more than an hour between two visits"},
    {"forage site news.example --reset scope,budget --json", "forget what was set"},
    {"forage site shop.example --forget", "take a site out of the store"},
    {0},
};

const struct fg_showing fg_show_site = {
    .view = &fg_view_site,
    .options = options,
    .options_size = sizeof(struct options),
    .writes = true,
    .examples = examples,
    .run = run,
};
