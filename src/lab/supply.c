#include "lab/supply.h"

#include <dirent.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void fg_supply_init(struct fg_supply *supply, const char *data)
{
    *supply = (struct fg_supply){0};
    if (data)
        supply->data = fg_arena_cstr(&supply->arena, fg_str_from(data));
}

void fg_supply_clear(struct fg_supply *supply)
{
    for (size_t i = 0; i < supply->items.len; i++)
        fg_supply_drop(supply, i);
    fg_arena_clear(&supply->arena);
    *supply = (struct fg_supply){0};
}

enum fg_status fg_supply_take(const struct fg_supply *supply, size_t item, void **made,
                              struct fg_err *err)
{
    *made = NULL;
    return supply->items.at[item].make(&supply->items.at[item], made, err);
}

void fg_supply_drop(struct fg_supply *supply, size_t number)
{
    struct fg_item *item = &supply->items.at[number];
    if (item->drop)
        item->drop(item);
    item->drop = NULL;
}

/* --- adding --- */

/* One that another workload named already keeps its number. */
static size_t number_of(struct fg_supply *supply, const struct fg_item *item)
{
    for (size_t i = 0; i < supply->items.len; i++) {
        const struct fg_item *other = &supply->items.at[i];
        if (other->stamp == item->stamp && other->luck == item->luck &&
            other->make == item->make)
            return i;
    }
    fg_vec_push_in(&supply->arena, &supply->items, *item);
    return supply->items.len - 1;
}

void fg_supply_put(struct fg_supply *supply, struct fg_group *group, size_t most,
                   const struct fg_item *item)
{
    if (most && group->n >= most)
        return;
    group->items = fg_arena_grow(&supply->arena, group->items, sizeof *group->items,
                                 group->n, group->n + 1);
    group->items[group->n++] = number_of(supply, item);
}

size_t fg_supply_fit(struct fg_supply *supply, fg_folders *folders, const char *pattern,
                     const char **names, size_t n)
{
    size_t before = folders->len;
    for (size_t i = 0; i < n; i++)
        if (fnmatch(pattern, names[i], 0) == 0)
            fg_vec_push_in(
                &supply->arena, folders,
                fg_arena_printf(&supply->arena, "%s/%s", supply->data, names[i]).at);
    return folders->len - before;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

size_t fg_folders_in(const char ***names, struct fg_arena *arena, const char *folder,
                     bool (*is_wanted)(const char *path))
{
    fg_folders found = {0};
    char path[4096];
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.' && is_wanted(path))
            fg_vec_push_in(arena, &found,
                           fg_arena_cstr(arena, fg_str_from(entry->d_name)));
    }
    if (dir)
        closedir(dir);
    if (found.len)
        qsort(found.at, found.len, sizeof *found.at, by_name);
    *names = found.at;
    return found.len;
}

/* --- stamps --- */

uint64_t fg_stamp_mix(uint64_t stamp, const void *bytes, size_t n)
{
    uint64_t both[2] = {stamp, fg_str_hash((struct fg_str){bytes, n})};
    return fg_str_hash((struct fg_str){(const char *)both, sizeof both});
}

uint64_t fg_stamp_files(uint64_t stamp, const char *folder)
{
    static const char *const names[] = {"intervals.tsv", "snapshots.tsv", "sources.tsv",
                                        "relevant.tsv",  "pages.tsv",     "changes.tsv",
                                        "versions.tsv",  "forage.db"};
    char path[4096];
    struct stat is;
    for (size_t i = 0; i < 2 * sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s%s", folder, names[i / 2], i % 2 ? ".gz" : "");
        if (stat(path, &is) != 0)
            continue;
        int64_t facts[] = {(int64_t)i, is.st_size, is.st_mtim.tv_sec, is.st_mtim.tv_nsec};
        stamp = fg_stamp_mix(stamp, facts, sizeof facts);
    }
    return stamp;
}

uint64_t fg_supply_stamp(const struct fg_supply *supply)
{
    uint64_t stamp = 0;
    for (size_t i = 0; i < supply->items.len; i++)
        stamp = fg_stamp_mix(stamp, &supply->items.at[i].stamp, sizeof stamp);
    return stamp;
}
