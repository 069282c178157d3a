#include "crawl/email.h"

#include "net/feed_write.h"
#include "net/mail.h"

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
    bool is_change;
    size_t items, n;
};

/* Titles may have line breaks in them; a line of ours is a line. */
static void add_line(struct fg_buf *out, const char *indent, struct fg_str text)
{
    fg_buf_add(out, fg_str_from(indent));
    for (size_t i = 0; i < text.len; i++)
        fg_buf_add_char(out, fg_is_space(text.at[i]) ? ' ' : text.at[i]);
    fg_buf_add_char(out, '\n');
}

static void add_item(struct pass *pass, const struct fg_news *news)
{
    struct fg_buf *out = &pass->digest->text;
    struct fg_arena arena = {0};
    struct fg_str page_title = fg_news_page_title(&arena, pass->store, news);
    struct fg_str title = fg_news_title(&arena, news, page_title), rest = news->diff,
                  line;
    fg_buf_reset(&pass->digest->subject);
    fg_buf_add(&pass->digest->subject, fg_str_sub(title, 0, MOST_SUBJECT));
    if (!fg_str_eq(title, news->url))
        add_line(out, "", title);
    add_line(out, "  ", news->url);
    while (rest.len && fg_str_cut(&rest, '\n', &line))
        add_line(out, "  ", line);
    fg_buf_add_char(out, '\n');
    fg_arena_clear(&arena);
}

static bool take_event(void *context, const struct fg_event_row *event)
{
    struct pass *pass = context;
    struct fg_email *digest = pass->digest;
    if (fg_str_eq(event->kind, FG_STR(FG_NEWS_CHANGED)) != pass->is_change ||
        event->number > digest->last) /* it came between two passes */
        return true;
    struct fg_buf *out = &digest->text;
    if (!pass->n++)
        fg_buf_printf(out, "%s\n\n", pass->is_change ? "CHANGED" : "NEW");
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
                                  bool is_change, uint64_t after, fg_time since,
                                  size_t items, size_t *n, struct fg_err *err)
{
    struct pass pass = {digest, store, is_change, items, 0};
    enum fg_status st =
        fg_store_events(store, 0, after, since, SIZE_MAX, take_event, &pass, err);
    if (pass.n > items)
        fg_buf_printf(&digest->text, "... and %zu more; 'forage new%s' lists them.\n\n",
                      pass.n - items, is_change ? " --kind changed" : "");
    *n = pass.n;
    return st;
}

static void write_subject(struct fg_email *digest)
{
    if (digest->n_new + digest->n_changed == 1)
        return; /* it is the title of the one event */
    struct fg_buf *out = &digest->subject;
    fg_buf_reset(out);
    if (digest->n_new)
        fg_buf_printf(out, "%zu new %s", digest->n_new,
                      digest->n_new == 1 ? "page" : "pages");
    if (digest->n_changed)
        fg_buf_printf(out, "%s%zu changed", digest->n_new ? ", " : "", digest->n_changed);
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
    if (!st)
        st = gather_kind(digest, store, false, after, since, items, &digest->n_new, err);
    if (!st)
        st = gather_kind(digest, store, true, after, since, items, &digest->n_changed,
                         err);
    if (!st)
        write_subject(digest);
    return st;
}

/* --- the message --- */

void fg_email_write(struct fg_buf *out, const struct fg_email *digest,
                    const struct fg_output_settings *settings, fg_time now)
{
    char date[FG_RFC822_TEXT];
    struct fg_buf subject;
    fg_buf_init(&subject, 1 << 16);
    fg_buf_add(&subject, FG_STR("Forage: "));
    fg_buf_add(&subject, fg_buf_str(&digest->subject));
    if (settings->digest_from.len)
        fg_buf_printf(out, "From: %.*s\n", FG_ARG(settings->digest_from));
    for (size_t i = 0; i < settings->digest_to.len; i++)
        fg_buf_printf(out, "%s%.*s",
                      i ? ",\n " : "To: ", FG_ARG(settings->digest_to.at[i]));
    fg_buf_add(out, settings->digest_to.len ? FG_STR("\n") : FG_STR(""));
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
