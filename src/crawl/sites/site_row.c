#include "crawl/sites/site_row.h"

#include "crawl/sites/site_rules.h"

const char *fg_site_state_name(unsigned state)
{
    static const char *const names[] = {
        [SITE_EXPLORING] = "exploring",
        [SITE_WATCHED] = "watched",
        [SITE_PAGES_ONLY] = "pages",
        [SITE_HOST_ONLY] = "host",
    };
    return state && state < sizeof names / sizeof *names ? names[state] : "unknown";
}

static struct fg_site_rules marks_of(const struct fg_site_row *row)
{
    struct fg_arena arena = {0};
    struct fg_site_rules rules = {0};
    if (row->settings.len)
        fg_site_rules_read(&rules, &arena, row->settings);
    fg_arena_clear(&arena); /* its texts are not asked for */
    return rules;
}

bool fg_site_is_removed(const struct fg_site_row *row)
{
    return marks_of(row).is_removed;
}

bool fg_site_is_paused(const struct fg_site_row *row)
{
    return marks_of(row).is_paused;
}

const char *fg_site_shown_state(const struct fg_site_row *row)
{
    return fg_site_is_removed(row)  ? "removed"
           : fg_site_is_paused(row) ? "paused"
                                    : fg_site_state_name(row->state);
}

/* --- tags --- */

bool fg_tags_have(struct fg_str tags, struct fg_str tag)
{
    struct fg_str one;
    while (tags.len && fg_str_cut(&tags, ',', &one))
        if (fg_str_eq(fg_str_trim(one), tag))
            return true;
    return false;
}

struct fg_str fg_tags_join(struct fg_arena *arena, struct fg_str tags, struct fg_str more)
{
    struct fg_str one;
    while (more.len && fg_str_cut(&more, ',', &one)) {
        one = fg_str_trim(one);
        if (one.len && !fg_tags_have(tags, one))
            tags = fg_arena_printf(arena, "%.*s%s%.*s", FG_ARG(tags), tags.len ? "," : "",
                                   FG_ARG(one));
    }
    return tags;
}
