/* whole.h - all that a mind knows as one piece, for tests that save and load it */
#ifndef FG_TESTS_POLICY_WHOLE_H
#define FG_TESTS_POLICY_WHOLE_H

#include "base/memory.h"
#include "base/sections.h"
#include "policy/mind.h"

#include <stdio.h>
#include <stdlib.h>

#define WHOLE_KIND "FGWHOLE\n"

struct whole {
    struct fg_buf *out;
    struct fg_buf sites;
    struct fg_str all;
};

static inline const char *part_of_whole(uint32_t site, enum fg_mind_part part)
{
    static char name[32];
    snprintf(name, sizeof name, "%u/%d", site, (int)part);
    return name;
}

static inline void put_part_of_whole(void *context, uint32_t site, enum fg_mind_part part,
                                     struct fg_str bytes)
{
    struct whole *whole = context;
    fg_sections_put(whole->out, part_of_whole(site, part), bytes.at, bytes.len);
    if (part == FG_MIND_LEARNT)
        fg_buf_add(&whole->sites, (struct fg_str){(const char *)&site, sizeof site});
}

static inline void save_whole(struct fg_mind *mind, struct fg_buf *out)
{
    struct whole whole = {.out = out};
    fg_buf_init(&whole.sites, 1 << 20);
    size_t start = fg_sections_begin(out, WHOLE_KIND);
    fg_mind_save_parts(mind, put_part_of_whole, &whole);
    fg_sections_put(out, "sites", whole.sites.at, whole.sites.len);
    fg_sections_end(out, start);
    fg_buf_clear(&whole.sites);
}

static inline struct fg_str get_part_of_whole(void *context, uint32_t site,
                                              enum fg_mind_part part)
{
    return fg_sections_find(((struct whole *)context)->all, part_of_whole(site, part));
}

static inline enum fg_status load_whole(struct fg_mind *mind, struct fg_str bytes,
                                        struct fg_err *err)
{
    struct whole whole = {0};
    enum fg_status st = fg_sections_open(&whole.all, bytes, WHOLE_KIND, "a mind", err);
    struct fg_str sites = fg_sections_find(whole.all, "sites");
    uint32_t *list = fg_zeroed(sites.len + 1, 1);
    if (sites.len)
        memcpy(list, sites.at, sites.len);
    if (!st)
        st = fg_mind_load_parts(mind, list, sites.len / sizeof *list, get_part_of_whole,
                                &whole, err);
    free(list);
    return st;
}

#endif
