/* The pages of a scheduler by name: their sites, and the forms that names have */
#include "policy/scheduler_inside.h"

struct fg_str fg_scheduler_site_of(struct fg_str name)
{
    size_t scheme = fg_str_find(name, FG_STR("://"));
    if (scheme == FG_NOT_FOUND)
        return fg_str_sub(name, 0, 0);
    size_t end = scheme + 3;
    while (end < name.len && name.at[end] != '/' && name.at[end] != '?' &&
           name.at[end] != '#')
        end++;
    return fg_str_sub(name, 0, end);
}

/* Texts are put behind each other, with a NUL between; one is known by where it starts.
 */
static uint64_t keep_text(struct fg_scheduler *s, struct fg_str text)
{
    uint64_t at = s->names.len;
    fg_buf_add(&s->names, text);
    fg_buf_add_char(&s->names, '\0');
    return at;
}

struct fg_str fg_sched_name(const struct fg_scheduler *s, const struct sched_page *page)
{
    return (struct fg_str){s->names.at + page->name, page->name_len};
}

struct fg_str fg_sched_site_name(const struct fg_scheduler *s, uint32_t site)
{
    return (struct fg_str){s->names.at + s->sites.at[site].name,
                           s->sites.at[site].name_len};
}

bool fg_sched_find(const struct fg_map *map, uint64_t hash, uint32_t *index)
{
    const uint64_t *found = fg_map_get(map, hash);
    if (!found || !*found)
        return false;
    *index = (uint32_t)(*found - 1);
    return true;
}

uint32_t fg_sched_open_site(struct fg_scheduler *s, struct fg_str name)
{
    uint32_t index;
    uint64_t hash = fg_str_hash(name);
    if (fg_sched_find(&s->site_of, hash, &index))
        return index;
    struct sched_site site = {.hash = hash,
                              .name = keep_text(s, name),
                              .name_len = (uint32_t)name.len,
                              .free_at = FG_NEVER,
                              .delay = -1};
    fg_vec_push(&s->sites, site);
    *fg_map_put(&s->site_of, hash) = s->sites.len;
    return (uint32_t)s->sites.len - 1;
}

bool fg_sched_is_full(const struct fg_scheduler *s)
{
    return s->pages.len >= FG_SCHEDULER_PAGES || s->names.len >= FG_SCHEDULER_NAMES;
}

static uint64_t mix(uint64_t form, struct fg_str part)
{
    return form * UINT64_C(0x9E3779B97F4A7C15) + fg_str_hash(part);
}

static bool has_digit(struct fg_str part)
{
    for (size_t i = 0; i < part.len; i++)
        if (fg_is_digit(part.at[i]))
            return true;
    return false;
}

/* Of "https://a.example/2026/05/a-title?p=3" it is that of ".../#/#/ *?p". */
static uint64_t form_of(struct fg_str name, uint64_t site)
{
    struct fg_str rest = fg_str_skip(name, fg_scheduler_site_of(name).len), part;
    struct fg_str query = {0}, fields;
    size_t mark = fg_str_chr(rest, '?');
    if (mark != FG_NOT_FOUND) {
        query = fg_str_skip(rest, mark + 1);
        rest = fg_str_sub(rest, 0, mark);
    }
    if (fg_str_ends(rest, FG_STR("/")))
        rest = fg_str_sub(rest, 0, rest.len - 1);
    uint64_t form = site;
    while (fg_str_cut(&rest, '/', &part))
        form = mix(form, !rest.at ? FG_STR("*") : !has_digit(part) ? part : FG_STR("#"));
    while (query.len && fg_str_cut(&query, '&', &fields)) {
        struct fg_str field = {0};
        fg_str_cut(&fields, '=', &field);
        form = mix(form, field);
    }
    return form;
}

static uint32_t open_group(struct fg_scheduler *s, uint64_t hash)
{
    uint32_t index;
    if (fg_sched_find(&s->group_of, hash, &index))
        return index;
    fg_vec_push(&s->groups, (struct sched_group){.hash = hash});
    *fg_map_put(&s->group_of, hash) = s->groups.len;
    return (uint32_t)s->groups.len - 1;
}

struct sched_page *fg_sched_make_page(struct fg_scheduler *s, struct fg_str name,
                                      uint64_t hash, uint32_t site, fg_time now)
{
    struct sched_page page = {
        .hash = hash,
        .name = keep_text(s, name),
        .name_len = (uint32_t)name.len,
        .site = site,
        .group = open_group(s, form_of(name, s->sites.at[site].hash)),
        .found = now,
        .not_before = FG_NEVER,
    };
    fg_vec_push(&s->pages, page);
    *fg_map_put(&s->page_of, hash) = s->pages.len;
    return &s->pages.at[s->pages.len - 1];
}
