/* The inbox: seeds and labels that other processes leave for the crawl that runs. See
 * seeds.h and labels.h. */
#include "crawl/labels.h"
#include "crawl/seeds.h"
#include "crawl/state.h"

#include "base/file.h"
#include "base/log.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FILE = 64 << 20, MOST_FILES = 100 };
static const float first_of_all = 1e6f; /* somebody is waiting for it */
static const char *const suffixes[] = {
    [FG_INBOX_SEEDS] = ".seeds", [FG_INBOX_LABEL] = ".label"};

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
           (is_kind(name, FG_INBOX_SEEDS) || is_kind(name, FG_INBOX_LABEL));
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

static void on_labelled(void *context, const struct fg_answer *answer)
{
    struct errand *errand = context;
    struct fg_crawl *crawl = errand->crawl;
    const struct fg_response *response = answer->response;
    struct fg_reading reading;
    if (answer->end == FG_ASK_STOPPED)
        return; /* the file is there at the next start */
    crawl->allowance -= answer->requests;
    crawl->counts.fetches += answer->requests;
    bool is_page = answer->end == FG_ASK_ANSWERED && response->outcome == FG_FETCHED &&
                   response->status >= 200 && response->status <= 299;
    struct fg_arena arena = {0};
    if (is_page) {
        fg_reading_from(&reading, &arena, answer->url, response,
                        crawl_reading_rules(crawl));
        is_page = reading.kind == FG_READ_HTML || reading.kind == FG_READ_TEXT;
    }
    if (is_page) {
        errand->wish.looks = (struct fg_looks){errand->url, reading.title, reading.text};
        put_label(crawl, errand->path, &errand->wish);
    } else {
        set_taken(crawl, errand->path, 0);
        fg_log_warn("crawl", "label refused", FG_F("url", errand->url),
                    FG_F("why", "the page cannot be had"),
                    FG_F("end", fg_ask_end_name(answer->end)),
                    FG_F("status", response ? response->status : 0));
    }
    fg_arena_clear(&arena);
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
                                                  .priority = first_of_all,
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
    if (st)
        fg_log_warn("crawl", "label refused", FG_F("file", path), FG_F("why", err.text));
    else if (is_complete)
        put_label(crawl, path, &wish);
    else
        ask_for_label(crawl, path, &wish);
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
    if (!is_read)
        fg_log_warn("crawl", "a file of the inbox cannot be read", FG_F("why", err.text));
    else if (!is_label)
        add_lines(crawl, path, text);
    taken.number = fg_store_submit(crawl->store, fg_batch_new(crawl->store));
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
    for (int i = 0; i < n; i++) {
        struct fg_arena arena = {0};
        const char *path =
            fg_arena_printf(&arena, "%s/%s", folder, entries[i]->d_name).at;
        if (i < MOST_FILES && !is_taken(crawl, path))
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
