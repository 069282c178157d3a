#include "crawl/output/email.h"

#include "base/map.h"
#include "crawl/output/news.h"
#include "crawl/sites/site_row.h"
#include "net/feed/feed_write.h"
#include "net/text/mail.h"

enum { MOST_TEXT = 64 << 20, MOST_SUBJECT = 200 };

void fg_email_init(struct fg_email *digest)
{
    *digest = (struct fg_email){0};
    fg_buf_init(&digest->subject, 1 << 16);
    fg_buf_init(&digest->text, MOST_TEXT);
}

void fg_email_clear(struct fg_email *digest)
{
    fg_buf_clear(&digest->subject);
    fg_buf_clear(&digest->text);
}

/* --- the text --- */

/* One pass over the events, for those of one kind. */
struct pass {
    struct fg_email *digest;
    struct fg_store *store;
    enum fg_news_kind kind;
    size_t items, n;
    struct fg_map removed; /* sites */
};

static bool note_removed(void *context, const struct fg_site_row *site)
{
    if (fg_site_is_removed(site))
        *fg_map_put(context, site->site) = 1;
    return true;
}

/* Titles may have line breaks in them; a line of ours is a line. */
static void add_line(struct fg_buf *out, const char *indent, struct fg_str text)
{
    fg_buf_add(out, fg_str_from(indent));
    for (size_t i = 0; i < text.len; i++)
        fg_buf_add_char(out, fg_is_space(text.at[i]) ? ' ' : text.at[i]);
    fg_buf_add_char(out, '\n');
}

/* What was read of a new page. */
static void add_findings(struct fg_buf *out, struct fg_arena *arena,
                         const struct fg_news *news)
{
    struct fg_str origin = fg_news_origin(arena, news);
    if (news->excerpt.len)
        add_line(out, "  ", news->excerpt);
    if (origin.len)
        add_line(out, "  ", origin);
}

static void add_item(struct pass *pass, const struct fg_news *news)
{
    struct fg_buf *out = &pass->digest->text;
    struct fg_arena arena = {0};
    struct fg_str page_title = fg_news_page_title(&arena, pass->store, news);
    struct fg_str title = fg_news_title(&arena, news, page_title),
                  rest = news->kind != FG_KIND_ALARM ? news->diff
                         : news->is_cleared          ? FG_STR("")
                                                     : news->advice,
                  line;
    fg_buf_reset(&pass->digest->subject);
    fg_buf_add(&pass->digest->subject, fg_str_sub(title, 0, MOST_SUBJECT));
    if (!fg_str_eq(title, news->url))
        add_line(out, "", title);
    add_line(out, "  ", news->url);
    while (rest.len && fg_str_cut(&rest, '\n', &line))
        add_line(out, "  ", line);
    if (news->kind == FG_KIND_NEW)
        add_findings(out, &arena, news);
    fg_buf_add_char(out, '\n');
    fg_arena_clear(&arena);
}

static const char *const heads[FG_KINDS] = {"NEW", "CHANGED", "ALARMS"};
static const char *const flags[FG_KINDS] = {"", " --kind changed", " --kind alarm"};

static bool take_event(void *context, const struct fg_event_row *event)
{
    struct pass *pass = context;
    struct fg_email *digest = pass->digest;
    if (fg_news_kind(event->kind) != pass->kind ||
        event->number > digest->last || /* it came between two passes */
        fg_map_get(&pass->removed, event->site))
        return true;
    struct fg_buf *out = &digest->text;
    if (!pass->n++)
        fg_buf_printf(out, "%s\n\n", heads[pass->kind]);
    if (pass->n > pass->items)
        return true;
    struct fg_news news;
    fg_news_read(&news, event);
    add_item(pass, &news);
    fg_news_clear(&news);
    return true;
}

static bool take_last(void *context, const struct fg_event_row *event)
{
    *(uint64_t *)context = event->number;
    return true;
}

static enum fg_status gather_kind(struct fg_email *digest, struct fg_store *store,
                                  enum fg_news_kind kind, uint64_t after, fg_time since,
                                  size_t items, size_t *n, struct fg_err *err)
{
    struct pass pass = {digest, store, kind, items, 0, {0}};
    enum fg_status st = fg_store_sites(store, note_removed, &pass.removed, err);
    if (!st)
        st = fg_store_events(store, 0, after, since, SIZE_MAX, take_event, &pass, err);
    if (pass.n > items)
        fg_buf_printf(&digest->text, "... and %zu more; 'forage new%s' lists them.\n\n",
                      pass.n - items, flags[kind]);
    *n = pass.n;
    fg_map_clear(&pass.removed);
    return st;
}

static void write_subject(struct fg_email *digest)
{
    if (digest->n_new + digest->n_changed + digest->n_alarms == 1)
        return; /* it is the title of the one event */
    struct fg_buf *out = &digest->subject;
    fg_buf_reset(out);
    if (digest->n_new)
        fg_buf_printf(out, "%zu new %s", digest->n_new,
                      digest->n_new == 1 ? "page" : "pages");
    if (digest->n_changed)
        fg_buf_printf(out, "%s%zu changed", out->len ? ", " : "", digest->n_changed);
    if (digest->n_alarms)
        fg_buf_printf(out, "%s%zu %s", out->len ? ", " : "", digest->n_alarms,
                      digest->n_alarms == 1 ? "alarm" : "alarms");
    if (!out->len)
        fg_buf_add(out, FG_STR("nothing new"));
}

/* The last number first, so that all passes see the same events. */
enum fg_status fg_email_gather(struct fg_email *digest, struct fg_store *store,
                               uint64_t after, fg_time since, size_t items,
                               struct fg_err *err)
{
    digest->last = after;
    enum fg_status st =
        fg_store_events(store, 0, after, since, SIZE_MAX, take_last, &digest->last, err);
    if (!st) /* first what may be the reason for there being so little else */
        st = gather_kind(digest, store, FG_KIND_ALARM, after, since, items,
                         &digest->n_alarms, err);
    if (!st)
        st = gather_kind(digest, store, FG_KIND_NEW, after, since, items, &digest->n_new,
                         err);
    if (!st)
        st = gather_kind(digest, store, FG_KIND_CHANGED, after, since, items,
                         &digest->n_changed, err);
    if (!st)
        write_subject(digest);
    return st;
}

/* --- the message --- */

void fg_email_write(struct fg_buf *out, const struct fg_email *digest,
                    const struct fg_digest_settings *settings, fg_time now)
{
    char date[FG_RFC822_TEXT];
    struct fg_buf subject;
    fg_buf_init(&subject, 1 << 16);
    fg_buf_add(&subject, FG_STR("Forage: "));
    fg_buf_add(&subject, fg_buf_str(&digest->subject));
    if (settings->from.len)
        fg_buf_printf(out, "From: %.*s\n", FG_ARG(settings->from));
    for (size_t i = 0; i < settings->to.len; i++)
        fg_buf_printf(out, "%s%.*s", i ? ",\n " : "To: ", FG_ARG(settings->to.at[i]));
    fg_buf_add(out, settings->to.len ? FG_STR("\n") : FG_STR(""));
    fg_mail_header(out, "Subject", fg_buf_str(&subject));
    fg_buf_printf(out, "Date: %s\n", fg_rfc822_format(date, now));
    fg_buf_add(out, FG_STR("MIME-Version: 1.0\n"
                           "Content-Type: text/plain; charset=utf-8\n"
                           "Content-Transfer-Encoding: quoted-printable\n"
                           "Auto-Submitted: auto-generated\n"
                           "X-Mailer: Forage/" FG_VERSION "\n\n"));
    fg_mail_quoted(out, fg_buf_str(&digest->text));
    fg_buf_clear(&subject);
}
