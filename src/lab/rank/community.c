#include "lab/rank/community.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static struct fg_community complete(struct fg_community c)
{
    c.pages = c.pages ? c.pages : 10000;
    c.users = c.users ? c.users : 1000;
    c.visits = c.visits > 0 ? c.visits : (double)c.users;
    c.life_days = c.life_days > 0 ? c.life_days : c.is_study ? 30 : 547.5;
    c.top = c.top > 0 ? c.top : 0.4;
    c.warm_up = c.warm_up    ? c.warm_up
                : c.is_study ? (size_t)c.life_days
                             : (size_t)ceil(6 * c.life_days);
    c.days = c.days ? c.days : c.is_study ? 15 : 8000;
    return c;
}

struct fg_community_world *fg_community_new(const struct fg_community *like)
{
    struct fg_community_world *world = fg_zeroed(1, sizeof *world);
    world->is = complete(*like);
    size_t n = world->is.pages;
    world->quality = FG_NEW(&world->arena, double, n);
    world->share = FG_NEW(&world->arena, double, n);
    fg_rank_shares(world->share, n, 1.5);
    for (size_t i = 0; i < n; i++) {
        /* a density with exponent 2.1, as that of PageRank has */
        world->quality[i] = world->is.top * pow((double)(i + 1), -1 / 1.1);
        world->ideal += world->share[i] * world->quality[i];
    }
    fg_alias_build(&world->places, &world->arena, world->share, n, NULL);
    return world;
}

void fg_community_free(struct fg_community_world *world)
{
    if (!world)
        return;
    fg_arena_clear(&world->arena);
    free(world);
}

double fg_community_watched(const struct fg_community_world *world, double share)
{
    return fmax(1, round((double)world->is.users * share));
}

double fg_community_watched_visits(const struct fg_community_world *world, double share)
{
    return world->is.visits * fg_community_watched(world, share) /
           (double)world->is.users;
}

struct fg_rank_setting fg_community_setting(const struct fg_community_world *world,
                                            double watched_share)
{
    return (struct fg_rank_setting){
        .pages = world->is.pages,
        .users = (double)world->is.users,
        .watched = fg_community_watched(world, watched_share),
        .visits = world->is.visits,
        .life_days = world->is.life_days,
        .delay_days = (double)world->is.delay_days,
        .feedback = (enum fg_feedback)world->is.feedback,
        .share = world->share,
    };
}
