/* webhooks.c - each webhook, what it has still to take, and what it did not take */
#include "view/webhooks.h"

#include "crawl/output/filter.h"
#include "crawl/output/news.h"
#include "net/url/discreet.h"
#include "view/ago.h"

enum { SHOWN_LETTERS = 20 };

/* --- gathering --- */

struct letter {
    struct fg_waiting_row row;
    struct fg_str url, outcome;
    const char *state, *tried;
};

/* A webhook and how it fares. */
struct hook {
    const struct fg_look *look;
    const struct fg_hook *hook;
    struct fg_err problem; /* why it cannot sign, if it cannot */
    uint64_t position, backlog, waiting, dead;
    bool is_known; /* to the store */
    fg_time next;
    FG_VEC(struct letter) failed;
    /* as shown: */
    struct fg_str name, url, words, delivery;
    const char *problem_text;
    bool is_signed;
    struct fg_rows letters;
};

enum fg_status fg_webhooks_find(struct fg_hook **hooks, size_t *n, struct fg_arena *arena,
                                const struct fg_crawl_options *settings,
                                struct fg_str name, struct fg_err *err)
{
    const struct fg_webhooks_settings *own =
        fg_output_settings_of(&settings->outputs, &fg_output_webhooks);
    const struct fg_opt_list *list = &own->to;
    *n = list->len;
    enum fg_status st = fg_webhooks_parse(hooks, arena, list, err);
    if (st)
        return st;
    for (size_t i = 0; i < *n; i++)
        if (!name.len || fg_str_eq((*hooks)[i].name, name))
            return FG_OK;
    return *n ? fg_fail(err, FG_ENOTFOUND, "there is no webhook '%.*s'", FG_ARG(name))
              : fg_fail(err, FG_ENOTFOUND,
                        "no webhook is configured; webhooks.to names them");
}

static bool count_event(void *context, const struct fg_event_row *event)
{
    struct hook *hook = context;
    const struct fg_site_row *site = fg_look_site(hook->look, event->site);
    struct fg_news news;
    fg_news_read(&news, event);
    hook->backlog += fg_filter_takes(&hook->hook->filter, &news,
                                     site ? site->tags : FG_STR(""), FG_STR(""));
    fg_news_clear(&news);
    return true;
}

static bool count_waiting(void *context, const struct fg_waiting_row *waiting)
{
    struct hook *hook = context;
    struct fg_arena *arena = hook->look->texts;
    hook->dead += waiting->is_dead;
    hook->waiting += !waiting->is_dead;
    if (!waiting->is_dead && waiting->next != FG_NEVER &&
        (hook->next == FG_NEVER || waiting->next < hook->next))
        hook->next = waiting->next;
    if (!waiting->attempts)
        return true;
    struct letter kept = {.row = *waiting};
    kept.row.hook = fg_arena_dup(arena, waiting->hook);
    kept.row.why = fg_arena_dup(arena, waiting->why);
    fg_vec_push_in(arena, &hook->failed, kept);
    return true;
}

static enum fg_status look_at(struct hook *hook, struct fg_err *err)
{
    uint64_t unused;
    struct fg_store *store = hook->look->store;
    const char *output = fg_hook_output(hook->look->texts, hook->hook->name);
    hook->next = FG_NEVER;
    enum fg_status st = fg_store_delivered(store, output, &hook->position, &unused, NULL);
    hook->is_known = !st;
    if (st)
        return FG_OK; /* no crawl has run with it yet */
    st = fg_store_events(store, 0, hook->position, FG_NEVER, SIZE_MAX, count_event, hook,
                         err);
    return st ? st
              : fg_store_waiting(store, hook->hook->name.at, count_waiting, hook, err);
}

struct search {
    const struct fg_look *look;
    struct fg_str url;
};

static bool take_url(void *context, const struct fg_event_row *event)
{
    struct search *search = context;
    search->url =
        fg_look_url(search->look, search->look->texts, event->site, event->page);
    return false;
}

/* Of the page that an event is about. */
static struct fg_str url_of(const struct fg_look *look, uint64_t number)
{
    struct search search = {look, FG_STR("")};
    fg_store_events(look->store, 0, number - 1, FG_NEVER, 1, take_url, &search, NULL);
    return search.url;
}

/* --- fields --- */

#define L struct letter
static const struct fg_field letter_fields[] = {
    {NULL, "state", FG_AS_WORD(L, state)},
    {"number", "event", FG_AS_COUNT(L, row.number), .help = "of the event"},
    {"url", NULL, FG_AS_URL(L, url), .help = "that it is about"},
    {"is_dead", NULL, FG_AS_YES(L, row.is_dead), .help = "not tried again by itself"},
    {"attempts", "attempts", FG_AS_COUNT(L, row.attempts)},
    {"tried", NULL, FG_AS_TIME(L, row.tried), .help = "the last time"},
    {NULL, "tried", FG_AS_WORD(L, tried)},
    {"next", NULL, FG_AS_TIME(L, row.next), .help = "when it is tried again"},
    {"status", NULL, FG_AS_COUNT(L, row.status), .help = "of the last answer; 0: none"},
    {"why", NULL, FG_AS_TEXT(L, row.why), .help = "the last failure"},
    {NULL, "failure", FG_AS_TEXT(L, outcome)},
    {NULL, "url", FG_AS_URL(L, url)},
    {0},
};
#undef L

#define H struct hook
static const struct fg_field fields[] = {
    {"name", NULL, FG_AS_TEXT(H, name)},
    {"url", NULL, FG_AS_URL(H, url), .help = "where events go"},
    {NULL, "", FG_AS_TEXT(H, words), .is_title = true},
    {"is_signed", NULL, FG_AS_YES(H, is_signed), .help = "it has a secret"},
    {"problem", "problem", FG_AS_WORD(H, problem_text),
     .help = "why it cannot be signed"},
    {"is_started", NULL, FG_AS_YES(H, is_known), .help = "a crawl has run with it"},
    {NULL, "delivery", FG_AS_TEXT(H, delivery)},
    {"backlog", NULL, FG_AS_COUNT(H, backlog), .help = "events still to send"},
    {"waiting", NULL, FG_AS_COUNT(H, waiting), .help = "events to be tried again"},
    {"dead", NULL, FG_AS_COUNT(H, dead), .help = "events that were given up"},
    {"next", NULL, FG_AS_TIME(H, next), .help = "when one is tried again"},
    {"letters", "", FG_AS_ROWS(H, letters, letter_fields), .is_sheet = true,
     .help = "events that failed"},
    {0},
};
#undef H

static void show_letters(struct hook *hook)
{
    struct fg_arena *arena = hook->look->texts;
    for (size_t i = 0; i < hook->failed.len; i++) {
        struct letter *letter = &hook->failed.at[i];
        char ago[FG_AGO_TEXT];
        letter->url = url_of(hook->look, letter->row.number);
        letter->state = letter->row.is_dead ? "dead" : "waiting";
        letter->tried = fg_arena_cstr(
            arena, fg_str_from(fg_ago(ago, fg_time_now(), letter->row.tried)));
        letter->outcome = letter->row.status
                              ? fg_arena_printf(arena, "status %u", letter->row.status)
                              : letter->row.why;
    }
    hook->letters = FG_ROWS_FROM(hook->failed);
    hook->letters.most = SHOWN_LETTERS;
}

static void show(struct hook *hook)
{
    struct fg_arena *arena = hook->look->texts;
    hook->name = hook->hook->name;
    hook->url = fg_discreet(arena, hook->hook->url);
    hook->is_signed = hook->hook->secret.len > 0;
    hook->problem_text = hook->problem.text;
    hook->words =
        fg_arena_printf(arena, "%.*s  %.*s  %s", FG_ARG(hook->name), FG_ARG(hook->url),
                        hook->problem.status ? "cannot be signed"
                        : hook->is_signed    ? "signed"
                                             : "not signed");
    hook->delivery = hook->is_known
                         ? fg_arena_printf(arena, "%llu to send, %llu waiting, %llu dead",
                                           (unsigned long long)hook->backlog,
                                           (unsigned long long)hook->waiting,
                                           (unsigned long long)hook->dead)
                         : FG_STR("begins with the next 'forage run'");
    show_letters(hook);
}

/* --- the view --- */

static const struct fg_opt question[] = {
    {"hook", FG_STRING(struct fg_webhooks_question, hook), .arg = "HOOK",
     .help = "only this one"},
    {0},
};

static enum fg_status ask(const void **answer, const struct fg_asking *ask,
                          struct fg_err *err)
{
    const struct fg_webhooks_question *q = ask->question;
    struct fg_arena *arena = ask->look->texts;
    struct fg_rows *rows = FG_NEW(arena, struct fg_rows, 1);
    struct fg_hook *hooks;
    size_t n;
    *answer = rows;
    enum fg_status st =
        fg_webhooks_find(&hooks, &n, arena, ask->look->place.settings, q->hook, err);
    if (st)
        return st;
    struct hook *made = FG_NEW(arena, struct hook, n);
    *rows = (struct fg_rows){.at = made, .size = sizeof *made};
    for (size_t i = 0; !st && i < n; i++) {
        if (q->hook.len && !fg_str_eq(hooks[i].name, q->hook))
            continue;
        struct hook *hook = &made[rows->len++];
        hook->look = ask->look;
        hook->hook = &hooks[i];
        fg_hook_load_secret(&hooks[i], &hook->problem);
        st = look_at(hook, err);
        if (!st)
            show(hook);
    }
    return st;
}

const struct fg_view fg_view_webhooks = {
    .name = "webhooks",
    .summary = "how deliveries to webhooks go",
    .about = "Each webhook that is configured, how many events it has still to take, and "
             "those that it did not take.",
    .question = question,
    .question_size = sizeof(struct fg_webhooks_question),
    .settings = "workspace webhooks",
    .answer = {FG_ROWS_OF(fields), .style = FG_ROWS_RECORDS},
    .ask = ask,
};
