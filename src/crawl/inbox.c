/* The inbox: seeds that other processes leave for the crawl that runs. See seeds.h. */
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
static const char suffix[] = ".seeds";

enum fg_status fg_inbox_put(const char *folder, struct fg_str lines, struct fg_err *err)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return fg_fail(err, FG_EIO, "cannot make the folder '%s': %s", folder,
                       strerror(errno));
    struct fg_arena arena = {0};
    struct fg_str path =
        fg_arena_printf(&arena, "%s/%lld-%ld%s", folder, (long long)fg_time_now(),
                        (long)getpid(), suffix);
    enum fg_status st = fg_file_replace(path.at, lines, err);
    fg_arena_clear(&arena);
    return st;
}

static int is_seeds(const struct dirent *entry)
{
    struct fg_str name = fg_str_from(entry->d_name);
    return name.at[0] != '.' && fg_str_ends(name, FG_STR(suffix));
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

static void take_file(struct fg_crawl *crawl, const char *path)
{
    struct fg_arena arena = {0};
    struct fg_str text;
    struct fg_err err = {0};
    if (fg_file_read(&text, &arena, path, MOST_FILE, &err))
        fg_log_warn("crawl", "seeds cannot be read", FG_F("why", err.text));
    else
        add_lines(crawl, path, text);
    fg_arena_clear(&arena);
    struct fg_batch *nothing = fg_batch_new(crawl->store);
    struct taken taken = {.number = fg_store_submit(crawl->store, nothing),
                          .path = strdup(path)};
    if (!taken.path)
        fg_out_of_memory();
    fg_vec_push(&crawl->taken, taken);
}

void crawl_take_inbox(struct fg_crawl *crawl)
{
    struct dirent **entries;
    const char *folder = crawl->options.inbox;
    int n = folder && !crawl->is_stopping ? scandir(folder, &entries, is_seeds, alphasort)
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
        fg_log_warn("crawl", "seeds cannot be removed", FG_F("file", taken.path),
                    FG_F("why", strerror(errno)));
        taken.number = UINT64_MAX; /* it stays, but is not read again */
        crawl->taken.at[kept++] = taken;
    }
    crawl->taken.len = kept;
}
