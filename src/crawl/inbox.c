/* The inbox: seeds, labels, counts and rules of sites that other processes leave for the
 * crawl that runs. See seeds.h, labels.h and counts.h. */
#include "crawl/counts.h"
#include "crawl/labels.h"
#include "crawl/output/webhooks.h"
#include "crawl/seeds.h"
#include "crawl/state.h"

#include "base/file.h"
#include "base/log.h"
#include "net/canonical.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FILE = 64 << 20, MOST_FILES = 100 };
static const float first_of_all = 1e6f; /* somebody is waiting for it */
static const char *const suffixes[] = {
    [FG_INBOX_SEEDS] = ".seeds",   [FG_INBOX_LABEL] = ".label",
    [FG_INBOX_COUNTS] = ".counts", [FG_INBOX_RETRY] = ".retry",
    [FG_INBOX_SITE] = ".site",     [FG_INBOX_CONTROL] = ".control",
};

enum fg_status fg_inbox_put(const char *folder, enum fg_inbox_kind kind,
                            struct fg_str text, struct fg_err *err)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return fg_fail(err, FG_EIO, "cannot make the folder '%s': %s", folder,
                       strerror(errno));
    struct fg_arena arena = {0};
    struct fg_str path =
        fg_arena_printf(&arena, "%s/%lld-%ld%s", folder, (long long)fg_time_now(),
                        (long)getpid(), suffixes[kind]);
    enum fg_status st = fg_file_replace(path.at, text, err);
    fg_arena_clear(&arena);
    return st;
}

static bool is_kind(struct fg_str name, enum fg_inbox_kind kind)
{
    return fg_str_ends(name, fg_str_from(suffixes[kind]));
}

static int is_ours(const struct dirent *entry)
{
    struct fg_str name = fg_str_from(entry->d_name);
    return name.at[0] != '.' &&
           (is_kind(name, FG_INBOX_SEEDS) || is_kind(name, FG_INBOX_LABEL) ||
            is_kind(name, FG_INBOX_COUNTS) || is_kind(name, FG_INBOX_RETRY) ||
            is_kind(name, FG_INBOX_SITE) || is_kind(name, FG_INBOX_CONTROL));
}

static bool is_taken(const struct fg_crawl *crawl, const char *path)
{
    for (size_t i = 0; i < crawl->taken.len; i++)
        if (strcmp(crawl->taken.at[i].path, path) == 0)
            return true;
    return false;
}

static void add_lines(struct fg_crawl *crawl, const char *path, struct fg_str text)
{
    struct fg_str line, url;
    size_t number = 0, added = 0;
    while (text.len && fg_str_cut(&text, '\n', &line)) {
        number++;
        if (fg_seed_is_blank(line))
            continue;
        struct fg_seed seed = {0};
        struct fg_err err = {0};
        if (fg_seed_parse(&url, &seed, line, &err) ||
            fg_crawl_add(crawl, url, &seed, &err))
            fg_log_warn("crawl", "seed refused", FG_F("file", path), FG_F("line", number),
                        FG_F("why", err.text));
        else
            added++;
    }
    fg_log_info("crawl", "seeds taken", FG_F("file", path), FG_F("added", added));
}

/* --- labels --- */

struct errand {
    struct fg_crawl *crawl;
    char *path;
    struct fg_label_wish wish;
    struct fg_str url; /* the wish's, kept */
};

/* The file goes once this batch is durable; UINT64_MAX: it stays for now. */
static void set_taken(struct fg_crawl *crawl, const char *path, uint64_t number)
{
    for (size_t i = 0; i < crawl->taken.len; i++)
        if (strcmp(crawl->taken.at[i].path, path) == 0)
            crawl->taken.at[i].number = number;
}

/* It waits in the inbox, and is taken when the crawl looks there again. */
static void leave_for_later(struct fg_crawl *crawl, const char *path)
{
    for (size_t i = 0; i < crawl->taken.len; i++)
        if (strcmp(crawl->taken.at[i].path, path) == 0) {
            free(crawl->taken.at[i].path);
            crawl->taken.at[i] = crawl->taken.at[--crawl->taken.len];
            return;
        }
}

/* Labels come from people, so a moment's wait for the disk is no harm. */
static void put_label(struct fg_crawl *crawl, const char *path,
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
    set_taken(crawl, path, 0);
    if (st) {
        fg_log_warn("crawl", "label refused", FG_F("file", path), FG_F("why", err.text));
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
        leave_for_later(crawl, errand->path);
        return;
    }
    crawl->allowance -= answer->requests;
    crawl->counts.fetches += answer->requests;
    if (reading && (reading->kind == FG_READ_HTML || reading->kind == FG_READ_TEXT)) {
        errand->wish.looks =
            (struct fg_looks){errand->url, reading->title, reading->text};
        put_label(crawl, errand->path, &errand->wish);
    } else {
        set_taken(crawl, errand->path, 0);
        fg_log_warn("crawl", "label refused", FG_F("url", errand->url),
                    FG_F("why", "the page cannot be had"),
                    FG_F("end", fg_ask_end_name(answer->end)),
                    FG_F("status", response ? response->status : 0));
    }
    crawl_clear_inbox(crawl, fg_store_durable(crawl->store));
}

static void ask_for_label(struct fg_crawl *crawl, const char *path,
                          const struct fg_label_wish *wish)
{
    struct errand *errand = FG_NEW(&crawl->arena, struct errand, 1);
    *errand = (struct errand){.crawl = crawl,
                              .path = fg_arena_cstr(&crawl->arena, fg_str_from(path)),
                              .wish = *wish,
                              .url = fg_arena_dup(&crawl->arena, wish->looks.url)};
    set_taken(crawl, path, UINT64_MAX);
    fg_polite_ask(crawl->polite, &(struct fg_ask){.url = errand->url,
                                                  .purpose = FG_REQUEST_ERRAND,
                                                  .priority = first_of_all,
                                                  .rules = label_rules,
                                                  .done = on_labelled,
                                                  .context = errand});
}

static void take_label(struct fg_crawl *crawl, const char *path, struct fg_str text)
{
    struct fg_label_wish wish;
    struct fg_err err = {0};
    enum fg_status st = FG_OK;
    if (!fg_label_parse(&wish, text))
        st = fg_fail(&err, FG_EINPUT, "it makes no sense");
    bool is_complete = wish.has_looks || wish.kind == FG_LABEL_REMOVED;
    if (!st)
        st = is_complete ? fg_seed_check_url(wish.looks.url, &err)
                         : fg_seed_check(&crawl->options, wish.looks.url, &err);
    const struct site *site = crawl_find_host(crawl, fg_canonical_site(wish.looks.url));
    if (!st && !is_complete && site && site_is_removed(site))
        st = fg_fail(&err, FG_ENOTFOUND, "its site was removed");
    if (st)
        fg_log_warn("crawl", "label refused", FG_F("file", path), FG_F("why", err.text));
    else if (is_complete)
        put_label(crawl, path, &wish);
    else if (site && !site_is_asked(site))
        leave_for_later(crawl, path);
    else
        ask_for_label(crawl, path, &wish);
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

static void take_counts(struct fg_crawl *crawl, struct fg_batch *batch, const char *path,
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
    fg_log_info("crawl", "counts taken", FG_F("file", path), FG_F("rows", rows.len),
                FG_F("early", early.len), FG_F("wrong", wrong));
    fg_vec_clear(&rows);
    fg_vec_clear(&early);
}

/* --- what is removed, paused and resumed --- */

static void add_waiting(struct fg_control_waiting *waiting, struct fg_arena *arena,
                        const char *path)
{
    struct fg_str text, line;
    if (fg_file_read(&text, arena, path, MOST_FILE, NULL))
        return; /* it was taken meanwhile */
    while (text.len && fg_str_cut(&text, '\n', &line)) {
        struct fg_control wish;
        if (fg_control_parse(&wish, line))
            fg_vec_push_in(arena, &waiting->wishes, wish);
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

void fg_control_waiting(struct fg_control_waiting *waiting, struct fg_arena *arena,
                        const char *folder)
{
    struct dirent **entries;
    *waiting = (struct fg_control_waiting){0};
    int n = scandir(folder, &entries, is_ours, alphasort);
    for (int i = 0; i < n; i++) {
        struct fg_str name = fg_str_from(entries[i]->d_name);
        if (is_kind(name, FG_INBOX_CONTROL))
            add_waiting(waiting, arena,
                        fg_arena_printf(arena, "%s/%.*s", folder, FG_ARG(name)).at);
        else if (is_kind(name, FG_INBOX_SEEDS))
            note_seeds(waiting);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
}

/* --- the rules of sites --- */

static void take_rules(struct fg_crawl *crawl, struct fg_batch *batch, const char *path,
                       struct fg_str text)
{
    struct fg_str key, tags, json;
    bool is_whole = fg_str_cut(&text, '\n', &key) && fg_str_cut(&text, '\n', &tags) &&
                    fg_str_cut(&text, '\n', &json);
    struct site *site = is_whole ? crawl_find_host(crawl, key) : NULL;
    if (!site) {
        fg_log_warn("crawl", "rules of a site refused", FG_F("file", path),
                    FG_F("why", is_whole ? "no such site" : "they make no sense"));
        return;
    }
    crawl_set_site_rules(crawl, batch, site, tags, crawl_keep_marks(crawl, site, json));
    fg_log_info("crawl", "rules of a site taken", FG_F("site", site->key));
}

/* --- dead letters --- */

static void retry_webhooks(struct fg_crawl *crawl, struct fg_str name)
{
    struct fg_webhooks *webhooks = fg_outputs_get(crawl->outputs, &fg_output_webhooks);
    fg_log_info("webhooks", "dead letters taken up",
                FG_F("letters", fg_webhooks_retry(webhooks, name)));
}

/* --- files --- */

static void take_file(struct fg_crawl *crawl, const char *path)
{
    struct fg_arena arena = {0};
    struct fg_str text;
    struct fg_err err = {0};
    struct taken taken = {.path = strdup(path)};
    if (!taken.path)
        fg_out_of_memory();
    bool is_read = !fg_file_read(&text, &arena, path, MOST_FILE, &err);
    bool is_label = is_kind(fg_str_from(path), FG_INBOX_LABEL);
    struct fg_batch *batch = fg_batch_new(crawl->store);
    if (!is_read)
        fg_log_warn("crawl", "a file of the inbox cannot be read", FG_F("why", err.text));
    else if (is_kind(fg_str_from(path), FG_INBOX_COUNTS))
        take_counts(crawl, batch, path, text);
    else if (is_kind(fg_str_from(path), FG_INBOX_RETRY))
        retry_webhooks(crawl, fg_str_trim(text));
    else if (is_kind(fg_str_from(path), FG_INBOX_SITE))
        take_rules(crawl, batch, path, text);
    else if (is_kind(fg_str_from(path), FG_INBOX_CONTROL))
        crawl_take_control(crawl, batch, path, text);
    else if (!is_label)
        add_lines(crawl, path, text);
    taken.number = fg_store_submit(crawl->store, batch);
    fg_vec_push(&crawl->taken, taken);
    if (is_read && is_label)
        take_label(crawl, path, text);
    fg_arena_clear(&arena);
}

void crawl_take_inbox(struct fg_crawl *crawl)
{
    struct dirent **entries;
    const char *folder = crawl->options.inbox;
    int n = folder && !crawl->is_stopping ? scandir(folder, &entries, is_ours, alphasort)
                                          : -1;
    if (n < 0)
        return;
    /* Counts may come by the million: one part at a time, then back to the answers. */
    size_t parts = 0;
    for (int i = 0; i < n; i++) {
        struct fg_arena arena = {0};
        const char *path =
            fg_arena_printf(&arena, "%s/%s", folder, entries[i]->d_name).at;
        bool is_part = is_kind(fg_str_from(path), FG_INBOX_COUNTS);
        if (i < MOST_FILES && !is_taken(crawl, path) && !(is_part && parts++))
            take_file(crawl, path);
        fg_arena_clear(&arena);
        free(entries[i]);
    }
    free(entries);
    if (n)
        crawl_feed(crawl);
}

void crawl_clear_inbox(struct fg_crawl *crawl, uint64_t durable)
{
    size_t kept = 0;
    for (size_t i = 0; i < crawl->taken.len; i++) {
        struct taken taken = crawl->taken.at[i];
        if (taken.number > durable) {
            crawl->taken.at[kept++] = taken;
            continue;
        }
        if (is_kind(fg_str_from(taken.path), FG_INBOX_COUNTS))
            crawl->told_day = 0; /* the policy is to know them, too */
        if (unlink(taken.path) == 0 || errno == ENOENT) {
            free(taken.path);
            continue;
        }
        fg_log_warn("crawl", "a file of the inbox cannot be removed",
                    FG_F("file", taken.path), FG_F("why", strerror(errno)));
        taken.number = UINT64_MAX; /* it stays, but is not read again */
        crawl->taken.at[kept++] = taken;
    }
    crawl->taken.len = kept;
}
