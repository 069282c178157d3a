/* The inbox: seeds, labels, counts and rules of sites that other processes leave for the
 * crawl that runs, as commands in its store. See seeds.h, labels.h and counts.h. A
 * command goes with the batch that carries it out. */
#include "crawl/budget.h"
#include "crawl/documents/counts.h"
#include "crawl/documents/documents.h"
#include "crawl/intake/control.h"
#include "crawl/intake/intake.h"
#include "crawl/intake/seeds.h"
#include "crawl/judging/judging.h"
#include "crawl/judging/labels.h"
#include "crawl/output/output.h"
#include "crawl/output/webhooks.h"
#include "crawl/signals/push.h"
#include "crawl/sites/lot.h"
#include "crawl/sites/pages.h"
#include "crawl/sites/site.h"
#include "crawl/sources/guard.h"
#include "crawl/sources/newness.h"
#include "crawl/sources/pattern.h"
#include "crawl/sources/sources.h"
#include "crawl/state.h"

#include "base/log.h"
#include "base/memory.h"
#include "net/robots/robots.h"
#include "net/url/canonical.h"
#include "net/url/url.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 64 << 20, MOST_AT_ONCE = 100 };
static const float first_of_all = 1e6f; /* somebody is waiting for it */
static const char *const kinds[] = {
    [FG_INBOX_SEEDS] = "seeds",   [FG_INBOX_LABEL] = "label",
    [FG_INBOX_COUNTS] = "counts", [FG_INBOX_RETRY] = "retry",
    [FG_INBOX_SITE] = "site",     [FG_INBOX_CONTROL] = "control",
    [FG_INBOX_PUSH] = "push",     [FG_INBOX_NOTICES] = fg_notices_kind,
};

enum fg_status fg_inbox_put(const char *place, enum fg_inbox_kind kind,
                            struct fg_str text, struct fg_err *err)
{
    if (text.len > MOST_BYTES)
        return fg_fail(err, FG_ELIMIT, "too much at once: %zu bytes, at most %d",
                       text.len, MOST_BYTES);
    return fg_store_post(place, kinds[kind], text, err);
}

static bool is_kind(const struct fg_command_row *command, enum fg_inbox_kind kind)
{
    return fg_str_eq(command->kind, fg_str_from(kinds[kind]));
}

static bool is_taken(const struct fg_crawl *crawl, uint64_t command)
{
    for (size_t i = 0; i < crawl->intake.taken.len; i++)
        if (crawl->intake.taken.at[i].command == command)
            return true;
    return false;
}

static void add_lines(struct fg_crawl *crawl, uint64_t command, struct fg_str text)
{
    struct fg_str line, url;
    size_t number = 0, added = 0;
    while (text.len && fg_str_cut(&text, '\n', &line)) {
        number++;
        if (fg_seed_is_blank(line))
            continue;
        struct fg_seed seed = {0};
        struct fg_err err = {0};
        enum fg_status st = fg_seed_parse(&url, &seed, line, &err);
        if (!st && !fg_lot_has(&crawl->options.lot, url))
            continue; /* each lot is told of all */
        if (st || fg_crawl_add(crawl, url, &seed, &err))
            fg_log_warn("crawl", "seed refused", FG_F("command", command),
                        FG_F("line", number), FG_F("why", err.text));
        else
            added++;
    }
    fg_log_info("crawl", "seeds taken", FG_F("command", command), FG_F("added", added));
}

/* --- labels --- */

struct errand {
    struct fg_crawl *crawl;
    uint64_t command;
    struct fg_label_wish wish;
    struct fg_str url; /* the wish's, kept */
};

/* It was carried out, or never will be. */
static void finish(struct fg_crawl *crawl, uint64_t command)
{
    struct fg_batch *batch = fg_batch_new(crawl->store);
    fg_batch_command_done(batch, command);
    uint64_t number = fg_store_submit(crawl->store, batch);
    for (size_t i = 0; i < crawl->intake.taken.len; i++)
        if (crawl->intake.taken.at[i].command == command)
            crawl->intake.taken.at[i].number = number;
}

/* It waits in the inbox, and is taken when the crawl looks there again. */
static void leave_for_later(struct fg_crawl *crawl, uint64_t command)
{
    for (size_t i = 0; i < crawl->intake.taken.len; i++)
        if (crawl->intake.taken.at[i].command == command) {
            crawl->intake.taken.at[i] = crawl->intake.taken.at[--crawl->intake.taken.len];
            return;
        }
}

/* Labels come from people, so a moment's wait for the disk is no harm. */
static void put_label(struct fg_crawl *crawl, uint64_t command,
                      const struct fg_label_wish *wish)
{
    struct fg_err err = {0};
    struct fg_linear_report report;
    enum fg_status st = wish->kind == FG_LABEL_REMOVED
                            ? fg_labels_remove(crawl->store, wish->looks.url, &err)
                            : fg_labels_put(crawl->store, &wish->looks,
                                            wish->kind == FG_LABEL_RELEVANT, &err);
    if (!st)
        st = fg_labels_train(crawl->store, &report, &err);
    finish(crawl, command);
    if (st) {
        fg_log_warn("crawl", "label refused", FG_F("command", command),
                    FG_F("why", err.text));
        return;
    }
    struct fg_focus_rules rules = crawl->options.focus;
    crawl_set_focus(crawl, &rules);
    fg_log_info("crawl", "label taken", FG_F("url", wish->looks.url),
                FG_F("label", fg_label_kind_name(wish->kind)));
}

static bool label_rules(void *context, struct fg_reading_rules *rules)
{
    const struct errand *errand = context;
    *rules = crawl_reading_rules(errand->crawl);
    return true;
}

static void on_labelled(void *context, const struct fg_answer *answer)
{
    struct errand *errand = context;
    struct fg_crawl *crawl = errand->crawl;
    const struct fg_response *response = answer->response;
    const struct fg_reading *reading = answer->reading;
    if (answer->end == FG_ASK_STOPPED) { /* by the end, or because its site is paused */
        leave_for_later(crawl, errand->command);
        return;
    }
    crawl->budget.all -= answer->requests;
    crawl->counts.fetches += answer->requests;
    if (reading && (reading->kind == FG_READ_HTML || reading->kind == FG_READ_TEXT)) {
        errand->wish.looks =
            (struct fg_looks){errand->url, reading->title, reading->text};
        put_label(crawl, errand->command, &errand->wish);
    } else {
        finish(crawl, errand->command);
        fg_log_warn("crawl", "label refused", FG_F("url", errand->url),
                    FG_F("why", "the page cannot be had"),
                    FG_F("end", fg_ask_end_name(answer->end)),
                    FG_F("status", response ? response->status : 0));
    }
}

static void ask_for_label(struct fg_crawl *crawl, uint64_t command,
                          const struct fg_label_wish *wish)
{
    struct errand *errand = FG_NEW(&crawl->arena, struct errand, 1);
    *errand = (struct errand){.crawl = crawl,
                              .command = command,
                              .wish = *wish,
                              .url = fg_arena_dup(&crawl->arena, wish->looks.url)};
    fg_polite_ask(crawl->polite, &(struct fg_ask){.url = errand->url,
                                                  .purpose = FG_REQUEST_ERRAND,
                                                  .priority = first_of_all,
                                                  .rules = label_rules,
                                                  .done = on_labelled,
                                                  .context = errand});
}

static void take_label(struct fg_crawl *crawl, uint64_t command, struct fg_str text)
{
    struct fg_label_wish wish;
    struct fg_err err = {0};
    enum fg_status st = FG_OK;
    if (!fg_label_parse(&wish, text))
        st = fg_fail(&err, FG_EINPUT, "it makes no sense");
    if (!st && !fg_lot_has(&crawl->options.lot, wish.looks.url)) {
        finish(crawl, command);
        return;
    }
    bool is_complete = wish.has_looks || wish.kind == FG_LABEL_REMOVED;
    if (!st)
        st = is_complete ? fg_seed_check_url(wish.looks.url, &err)
                         : fg_seed_check(&crawl->options, wish.looks.url, &err);
    const struct site *site = crawl_find_host(crawl, fg_canonical_site(wish.looks.url));
    if (!st && !is_complete && site && site_is_removed(site))
        st = fg_fail(&err, FG_ENOTFOUND, "its site was removed");
    if (st) {
        fg_log_warn("crawl", "label refused", FG_F("command", command),
                    FG_F("why", err.text));
        finish(crawl, command);
    } else if (is_complete) {
        put_label(crawl, command, &wish);
    } else if (site && !site_is_asked(site)) {
        leave_for_later(crawl, command);
    } else {
        ask_for_label(crawl, command, &wish);
    }
}

/* --- counts --- */

/* The page of an address, and of an alias the one that is fetched; false if there is
 * none. */
static bool place_count(struct fg_crawl *crawl, struct fg_daily_row *row,
                        struct fg_str url)
{
    const struct site *site = crawl_find_site(crawl, fg_canonical_site(url));
    uint32_t at =
        site ? fg_known_find(&crawl->known, site->id, fg_canonical_fingerprint(url))
             : FG_UNKNOWN;
    if (at == FG_UNKNOWN)
        return false;
    row->site = site->id;
    row->page = crawl_counted_page(crawl, at);
    return true;
}

static void take_counts(struct fg_crawl *crawl, struct fg_batch *batch, uint64_t command,
                        struct fg_str text)
{
    FG_VEC(struct fg_daily_row) rows = {0};
    FG_VEC(struct fg_early_count) early = {0};
    struct fg_arena arena = {0};
    struct fg_str line, url;
    size_t wrong = 0;
    while (text.len && fg_str_cut(&text, '\n', &line)) {
        struct fg_daily_row row;
        bool is_sound = fg_count_parse(&url, &row, line);
        wrong += !is_sound && line.len;
        is_sound = is_sound && fg_lot_has(&crawl->options.lot, url);
        if (is_sound && place_count(crawl, &row, url)) {
            fg_vec_push(&rows, row);
        } else if (is_sound) {
            fg_vec_push(&early, (struct fg_early_count){url, row.day, row.clicks,
                                                        row.impressions});
            crawl_note_early(crawl, url);
        }
    }
    fg_counts_put_early(batch, &arena, early.at, early.len);
    fg_arena_clear(&arena);
    rows.len = fg_daily_merge(rows.at, rows.len);
    if (rows.len)
        fg_batch_daily(batch, rows.at, rows.len);
    fg_log_info("crawl", "counts taken", FG_F("command", command), FG_F("rows", rows.len),
                FG_F("early", early.len), FG_F("wrong", wrong));
    fg_vec_clear(&rows);
    fg_vec_clear(&early);
}

/* --- what is removed, paused and resumed --- */

struct waiting {
    struct fg_store *store;
    struct fg_control_waiting *all;
    struct fg_arena *arena;
};

static void add_waiting(struct waiting *waiting, uint64_t number)
{
    struct fg_command_row command;
    struct fg_str line;
    if (fg_store_command(waiting->store, &command, waiting->arena, number, NULL))
        return; /* it was taken meanwhile */
    while (command.text.len && fg_str_cut(&command.text, '\n', &line)) {
        struct fg_control wish;
        if (fg_control_parse(&wish, line))
            fg_vec_push_in(waiting->arena, &waiting->all->wishes, wish);
    }
}

/* What was removed before that may be added again by it. */
static void note_seeds(struct fg_control_waiting *waiting)
{
    size_t kept = 0;
    for (size_t i = 0; i < waiting->wishes.len; i++)
        if (waiting->wishes.at[i].kind != FG_CONTROL_REMOVE &&
            waiting->wishes.at[i].kind != FG_CONTROL_FORGET)
            waiting->wishes.at[kept++] = waiting->wishes.at[i];
    waiting->wishes.len = kept;
    waiting->has_seeds = true;
}

static bool see_command(void *context, const struct fg_command_row *command)
{
    struct waiting *waiting = context;
    if (is_kind(command, FG_INBOX_CONTROL))
        add_waiting(waiting, command->number);
    else if (is_kind(command, FG_INBOX_SEEDS))
        note_seeds(waiting->all);
    return true;
}

void fg_control_waiting(struct fg_control_waiting *all, struct fg_arena *arena,
                        const char *place)
{
    struct waiting waiting = {.all = all, .arena = arena};
    *all = (struct fg_control_waiting){0};
    if (fg_store_open(&waiting.store, place,
                      &(struct fg_store_options){.read_only = true}, NULL))
        return; /* whoever needs the store will say why */
    fg_store_commands(waiting.store, see_command, &waiting, NULL);
    fg_store_close(waiting.store, NULL);
}

/* --- the rules of sites --- */

static void take_rules(struct fg_crawl *crawl, struct fg_batch *batch, uint64_t command,
                       struct fg_str text)
{
    struct fg_str key, tags, json;
    bool is_whole = fg_str_cut(&text, '\n', &key) && fg_str_cut(&text, '\n', &tags) &&
                    fg_str_cut(&text, '\n', &json);
    struct site *site = is_whole ? crawl_find_host(crawl, key) : NULL;
    if (is_whole && !fg_lot_has(&crawl->options.lot, key))
        return;
    if (!site) {
        fg_log_warn("crawl", "rules of a site refused", FG_F("command", command),
                    FG_F("why", is_whole ? "no such site" : "they make no sense"));
        return;
    }
    crawl_set_site_rules(crawl, batch, site, tags, crawl_keep_marks(crawl, site, json));
    fg_log_info("crawl", "rules of a site taken", FG_F("site", site->key));
}

/* --- addresses that a site's owner has pushed --- */

/* An address of IndexNow is a hint that there is something new, changed or gone. One that
 * is not known is read as what may be new: its own date, or a list that shows it, has to
 * say so. */
static void take_address(struct fg_crawl *crawl, struct fg_batch *batch,
                         struct site *site, struct fg_str address, fg_time now)
{
    struct fg_indexnow *indexnow = &site->push->kept.indexnow;
    struct fg_url parsed;
    if (!fg_url_parse(&parsed, &crawl->scratch, address, NULL))
        return;
    struct fg_str url = fg_patterns_reduce(
        site->patterns, &crawl->scratch,
        fg_canonical_from(&crawl->scratch, &parsed, crawl->options.naming.keep));
    if (!fg_str_eq(fg_canonical_site(url), fg_str_from(site->key)))
        return;
    uint64_t fingerprint = fg_canonical_fingerprint(url);
    uint32_t row = fg_known_find(&crawl->known, site->id, fingerprint);
    indexnow->urls++;
    if (row != FG_UNKNOWN) {
        bool is_looked_at =
            crawl->known.at[row].flags & (FG_PAGE_SOURCE | FG_PAGE_DOCUMENT);
        bool is_untold = indexnow->unconfirmed != FG_NEVER &&
                         crawl->known.at[row].flags & FG_PAGE_REPORTED;
        if (is_untold) { /* polling has found it a moment before */
            indexnow->unconfirmed = FG_NEVER;
            fg_honesty_check(&indexnow->honesty, true);
        } else if (is_looked_at && fg_honesty_heeds(&indexnow->honesty, now)) {
            document_signal(crawl, row, now, now);
            push_nudge(site, row, BY_INDEXNOW, true, now);
        }
        return;
    }
    if (fg_guard_check(&crawl->guard, url, 1, site->counts.known) != FG_GUARD_OK ||
        !site_allows(site, url) || !fg_honesty_heeds(&indexnow->honesty, now))
        return;
    fg_patterns_meet(site->patterns, url);
    row = crawl_add_page(
        crawl, batch,
        &(struct new_page){.site = site,
                           .url = url,
                           .fingerprint = fingerprint,
                           .found_on = FG_UNKNOWN,
                           .depth = 1,
                           .flags = FG_PAGE_AWAITED | FG_PAGE_UNPROVEN | FG_PAGE_PUSHED,
                           .dated = FG_NEVER,
                           .published = FG_NEVER},
        now);
    push_nudge(site, row, BY_INDEXNOW, false, now);
}

/* What is pushed may take a quarter of the site's budget. */
static void refill_addresses(struct fg_crawl *crawl, struct site *site, fg_time now)
{
    static const double share = 0.25, without_limit = 1000, least = 10;
    struct site_push *push = site->push;
    double hourly = site_budget(crawl, site) * share;
    double most = hourly > 0 ? hourly : without_limit;
    most = most < least ? least : most;
    push->allowance += push->refilled ? most * fg_hours(now - push->refilled) : most;
    push->allowance = push->allowance > most ? most : push->allowance;
    push->refilled = now;
}

/* Addresses whose truth is still to be seen, at most: few of who has not proved anything,
 * more the more honest he is. */
static size_t most_unchecked(const struct fg_honesty *h)
{
    enum { FEW = 8, ENOUGH = 15 };
    double proved = h->proved < ENOUGH ? h->proved : ENOUGH;
    return FEW + (h->told > 0 ? (size_t)(FEW * proved * h->proved / h->told) : 0);
}

/* Of what is not believed one is as good as all. */
static void drop_unbelieved(struct site_push *push)
{
    while (push->urls.len > 1 && !fg_honesty_is_believed(&push->kept.indexnow.honesty))
        free(push->urls.at[--push->urls.len]);
}

static void take_addresses(struct fg_crawl *crawl, struct site *site, fg_time now)
{
    enum { MOST_IN_A_TURN = 200 };
    struct site_push *push = site->push;
    struct fg_batch *batch = fg_batch_new(crawl->store);
    size_t n = 0, most = most_unchecked(&push->kept.indexnow.honesty);
    refill_addresses(crawl, site, now);
    drop_unbelieved(push);
    fg_arena_reset(&crawl->scratch);
    for (; n < push->urls.len && n < MOST_IN_A_TURN && push->allowance >= 1 &&
           push->nudges.len < most;
         n++) {
        take_address(crawl, batch, site, fg_str_from(push->urls.at[n]), now);
        push->allowance--;
    }
    for (size_t i = 0; i < n; i++)
        free(push->urls.at[i]);
    memmove(push->urls.at, push->urls.at + n,
            (push->urls.len - n) * sizeof *push->urls.at);
    push->urls.len -= n;
    push->is_changed |= n > 0;
    if (n) /* what is new has come to a list as well */
        source_hint(crawl, site, now);
    crawl->push.pushes += n;
    fg_store_submit(crawl->store, batch);
}

void crawl_take_pushed(struct fg_crawl *crawl)
{
    fg_time now = fg_clock_now(crawl->clock);
    for (size_t i = 0; i < crawl->sites.all.len && !crawl->run.is_stopping; i++) {
        struct site *site = crawl->sites.all.at[i];
        if (site->push && site->push->urls.len && site_is_asked(site))
            take_addresses(crawl, site, now);
    }
}

/* --- what the processes of other lots have to say --- */

/* What was removed here is not added again by what happens elsewhere. */
static void take_far_seed(struct fg_crawl *crawl, const struct fg_notice *notice)
{
    struct fg_seed seed = {0};
    struct fg_str url;
    struct fg_err err = {0};
    const struct site *site = crawl_find_host(crawl, fg_canonical_site(notice->url));
    if (site && site_is_removed(site))
        return;
    enum fg_status st = fg_seed_parse(&url, &seed, notice->words, &err);
    if (!st)
        st = fg_crawl_add(crawl, notice->url, &seed, &err);
    if (st)
        fg_log_warn("crawl", "what a seed leads to is refused", FG_F("url", notice->url),
                    FG_F("why", err.text));
}

/* As its list would add it, if that were here (sighting.c). */
static void take_entry(struct fg_crawl *crawl, struct fg_batch *batch,
                       const struct fg_notice *notice, fg_time now)
{
    const uint32_t known =
        FG_PAGE_AWAITED | FG_PAGE_UNPROVEN | FG_PAGE_STOCK | FG_PAGE_OLD | FG_PAGE_PUSHED;
    struct fg_str key = fg_canonical_site(notice->url);
    struct site *site = crawl_find_site(crawl, key);
    if (!site)
        site = follow_to_host(crawl, batch, key, notice->since);
    if (!site || !site_is_asked(site))
        return;
    struct fg_str url = fg_patterns_reduce(site->patterns, &crawl->scratch, notice->url);
    uint64_t fingerprint = fg_canonical_fingerprint(url);
    if (fg_known_find(&crawl->known, site->id, fingerprint) != FG_UNKNOWN ||
        fg_guard_check(&crawl->guard, url, notice->depth, site->counts.known) !=
            FG_GUARD_OK ||
        !site_allows(site, url))
        return;
    fg_patterns_meet(site->patterns, url);
    crawl_add_page(crawl, batch,
                   &(struct new_page){.site = site,
                                      .url = url,
                                      .words = notice->words,
                                      .fingerprint = fingerprint,
                                      .found_on = FG_UNKNOWN,
                                      .depth = notice->depth,
                                      .flags = notice->flags & known,
                                      .dated = notice->dated,
                                      .published = FG_NEVER,
                                      .is_reported = notice->is_reported,
                                      .is_in_feed = notice->is_in_feed},
                   now);
}

struct robots_errand {
    struct fg_crawl *crawl;
    struct fg_str host;
    unsigned from;
};

static void on_robots(void *context, const struct fg_answer *answer)
{
    struct robots_errand *errand = context;
    struct fg_crawl *crawl = errand->crawl;
    const struct fg_response *response = answer->response;
    bool is_whole = answer->end == FG_ASK_ANSWERED && response->outcome == FG_FETCHED;
    crawl->budget.all -= answer->requests;
    crawl->counts.fetches += answer->requests;
    /* The other one tries again when it is due. */
    if (is_whole)
        notices_write(crawl,
                      &(struct fg_notice){
                          .kind = FG_NOTICE_ANSWER,
                          .url = errand->host,
                          .from = errand->from,
                          .status = response->status,
                          .dated = FG_NEVER,
                          .body = response->body.len > FG_ROBOTS_MAX_BYTES
                                      ? fg_str_sub(response->body, 0, FG_ROBOTS_MAX_BYTES)
                                      : response->body,
                      });
    free(errand);
}

static void take_robots(struct fg_crawl *crawl, const struct fg_notice *notice)
{
    struct robots_errand *errand = fg_zeroed(1, sizeof *errand);
    *errand = (struct robots_errand){.crawl = crawl,
                                     .host = fg_arena_dup(&crawl->arena, notice->host),
                                     .from = notice->from};
    fg_polite_ask(crawl->polite, &(struct fg_ask){.url = notice->url,
                                                  .accept = "text/plain,*/*;q=0.1",
                                                  .max_body = FG_ROBOTS_MAX_BYTES,
                                                  .note = {.is_prerequisite = true},
                                                  .purpose = FG_REQUEST_ERRAND,
                                                  .priority = first_of_all,
                                                  .done = on_robots,
                                                  .context = errand});
}

static void take_answer(struct fg_crawl *crawl, const struct fg_notice *notice)
{
    struct site *site = crawl_find_host(crawl, notice->url);
    fg_polite_robots_came(crawl->polite, notice->url, notice->status, notice->body);
    if (!site)
        return;
    site->host.rests_until = FG_NEVER;
    crawl_stir(crawl, site);
}

static bool is_for_us(const struct fg_crawl *crawl, const struct fg_notice *notice)
{
    return notice->kind == FG_NOTICE_ROBOTS
               ? notice->from < crawl->options.lot.lots &&
                     fg_lot_has(&crawl->options.lot, notice->url)
               : fg_lot_has(&crawl->options.lot, notice->url);
}

static void take_notice(struct fg_crawl *crawl, struct fg_batch *batch,
                        const struct fg_notice *notice)
{
    switch (notice->kind) {
    case FG_NOTICE_SEED:
        take_far_seed(crawl, notice);
        break;
    case FG_NOTICE_PAGE:
        take_entry(crawl, batch, notice, fg_clock_now(crawl->clock));
        break;
    case FG_NOTICE_ROBOTS:
        take_robots(crawl, notice);
        break;
    case FG_NOTICE_ANSWER:
        take_answer(crawl, notice);
        break;
    }
}

static void take_notices(struct fg_crawl *crawl, struct fg_batch *batch, uint64_t command,
                         struct fg_str text)
{
    struct fg_arena arena = {0};
    struct fg_str line;
    size_t taken = 0, wrong = 0;
    fg_arena_reset(&crawl->scratch);
    while (text.len && fg_str_cut(&text, '\n', &line)) {
        struct fg_notice notice;
        bool is_sound = fg_notice_parse(&notice, &arena, line) &&
                        !fg_seed_check(&crawl->options, notice.url, NULL) &&
                        is_for_us(crawl, &notice);
        wrong += !is_sound;
        taken += is_sound;
        if (is_sound)
            take_notice(crawl, batch, &notice);
        fg_arena_reset(&arena);
    }
    fg_log_info("crawl", "notices of other lots taken", FG_F("command", command),
                FG_F("taken", taken), FG_F("wrong", wrong));
    fg_arena_clear(&arena);
}

/* --- dead letters --- */

static void retry_webhooks(struct fg_crawl *crawl, struct fg_str name)
{
    struct fg_webhooks *webhooks =
        fg_outputs_get(crawl->keeping.outputs, &fg_output_webhooks);
    fg_log_info("webhooks", "dead letters taken up",
                FG_F("letters", fg_webhooks_retry(webhooks, name)));
}

/* --- commands --- */

static void carry_out(struct fg_crawl *crawl, struct fg_batch *batch,
                      const struct fg_command_row *command)
{
    uint64_t number = command->number;
    if (is_kind(command, FG_INBOX_SEEDS))
        add_lines(crawl, number, command->text);
    else if (is_kind(command, FG_INBOX_COUNTS))
        take_counts(crawl, batch, number, command->text);
    else if (is_kind(command, FG_INBOX_RETRY))
        retry_webhooks(crawl, fg_str_trim(command->text));
    else if (is_kind(command, FG_INBOX_SITE))
        take_rules(crawl, batch, number, command->text);
    else if (is_kind(command, FG_INBOX_CONTROL))
        crawl_take_control(crawl, batch, number, command->text);
    else if (is_kind(command, FG_INBOX_PUSH))
        push_take(crawl, command->text);
    else if (is_kind(command, FG_INBOX_NOTICES))
        take_notices(crawl, batch, number, command->text);
    else
        fg_log_warn("crawl", "a command of an unknown kind", FG_F("kind", command->kind));
}

static void take_command(struct fg_crawl *crawl, const struct fg_command_row *seen)
{
    struct fg_arena arena = {0};
    struct fg_command_row command;
    struct fg_err err = {0};
    bool is_label = is_kind(seen, FG_INBOX_LABEL);
    struct taken taken = {.command = seen->number,
                          .number = UINT64_MAX,
                          .is_counts = is_kind(seen, FG_INBOX_COUNTS)};
    if (fg_store_command(crawl->store, &command, &arena, seen->number, &err)) {
        fg_log_warn("crawl", "a command cannot be read", FG_F("why", err.text));
    } else if (is_label) { /* it may have to be asked for first */
        fg_vec_push(&crawl->intake.taken, taken);
        take_label(crawl, command.number, command.text);
    } else {
        struct fg_batch *batch = fg_batch_new(crawl->store);
        carry_out(crawl, batch, &command);
        fg_batch_command_done(batch, command.number);
        taken.number = fg_store_submit(crawl->store, batch);
        fg_vec_push(&crawl->intake.taken, taken);
    }
    fg_arena_clear(&arena);
}

struct round {
    struct fg_crawl *crawl;
    size_t seen, parts;
};

/* Counts may come by the million: one part at a time, then back to the answers. */
static bool see_or_take(void *context, const struct fg_command_row *command)
{
    struct round *round = context;
    if (!is_taken(round->crawl, command->number) &&
        !(is_kind(command, FG_INBOX_COUNTS) && round->parts++))
        take_command(round->crawl, command);
    return ++round->seen < MOST_AT_ONCE;
}

void crawl_take_inbox(struct fg_crawl *crawl)
{
    struct round round = {.crawl = crawl};
    if (crawl->run.is_stopping)
        return;
    fg_store_commands(crawl->store, see_or_take, &round, NULL);
    if (round.seen)
        crawl_feed(crawl);
}

void crawl_clear_inbox(struct fg_crawl *crawl, uint64_t durable)
{
    size_t kept = 0;
    for (size_t i = 0; i < crawl->intake.taken.len; i++) {
        struct taken taken = crawl->intake.taken.at[i];
        if (taken.number > durable)
            crawl->intake.taken.at[kept++] = taken;
        else if (taken.is_counts)
            crawl->minds.told_day = 0; /* the policy is to know them, too */
    }
    crawl->intake.taken.len = kept;
}
