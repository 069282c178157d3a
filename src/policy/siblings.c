#include "policy/siblings.h"

/* Without scheme, query and fragment; the site is the first `site` bytes of it. */
static struct fg_str path_of(struct fg_str name, size_t *site)
{
    size_t end = 0, scheme = fg_str_find(name, FG_STR("://"));
    bool is_url = scheme != FG_NOT_FOUND && scheme == fg_str_chr(name, ':');
    if (is_url)
        name = fg_str_skip(name, scheme + 3);
    while (is_url && end < name.len && name.at[end] != '?' && name.at[end] != '#')
        end++;
    struct fg_str path = is_url ? fg_str_sub(name, 0, end) : name;
    size_t slash = fg_str_chr(path, '/');
    *site = !is_url ? 0 : slash == FG_NOT_FOUND ? path.len : slash;
    return path;
}

/* From one directory to the one above it; false above the site. */
static bool climb(struct fg_str *path, size_t site)
{
    if (path->len <= site)
        return false;
    size_t end = path->len - 1;
    while (end > site && path->at[end] != '/')
        end--;
    path->len = end;
    return true;
}

static uint64_t key_of(struct fg_str directory)
{
    return fg_str_hash(directory);
}

void fg_siblings_count(struct fg_siblings *siblings, struct fg_str name)
{
    size_t site;
    struct fg_str path = path_of(name, &site);
    if (path.len <= site) /* the root of a site is in it, too */
        *fg_map_put(&siblings->directories, key_of(path)) += UINT64_C(1) << 32;
    while (climb(&path, site))
        *fg_map_put(&siblings->directories, key_of(path)) += UINT64_C(1) << 32;
}

uint32_t fg_siblings_group(struct fg_siblings *siblings, struct fg_str name)
{
    size_t site;
    struct fg_str path = path_of(name, &site);
    while (climb(&path, site)) {
        const uint64_t *known = fg_map_get(&siblings->directories, key_of(path));
        if (known && *known >> 32 >= FG_SIBLINGS_LEAST)
            break;
    }
    uint64_t *group = fg_map_put(&siblings->directories, key_of(path));
    if (!(uint32_t)*group)
        *group += ++siblings->groups;
    return (uint32_t)*group - 1;
}

void fg_siblings_clear(struct fg_siblings *siblings)
{
    fg_map_clear(&siblings->directories);
    *siblings = (struct fg_siblings){0};
}
