#include "crawl/host/robots_copy.h"

#include <stdio.h>

void fg_robots_copy_init(struct fg_robots_copy *copy)
{
    *copy = (struct fg_robots_copy){.fetched = FG_NEVER, .expires = FG_NEVER};
}

void fg_robots_copy_clear(struct fg_robots_copy *copy)
{
    fg_arena_clear(&copy->arena);
    fg_robots_copy_init(copy);
}

static void set(struct fg_robots_copy *copy, enum fg_robots_use use, struct fg_str text,
                struct fg_str token)
{
    fg_arena_reset(&copy->arena);
    copy->rules = NULL;
    copy->text = (struct fg_str){0};
    copy->use = use;
    copy->is_known = true;
    if (use != FG_ROBOTS_FILE)
        return;
    copy->text = fg_arena_dup(&copy->arena, text);
    copy->rules = fg_robots_parse(&copy->arena, text, token);
}

void fg_robots_copy_recall(struct fg_robots_copy *copy, enum fg_robots_use use,
                           struct fg_str text, fg_time fetched, fg_time expires,
                           struct fg_str token, fg_time now)
{
    if (expires == FG_NEVER)
        return;
    set(copy, use, text, token);
    copy->fetched = fetched;
    copy->expires = expires;
    /* A clock set back since then: do not trust the copy for longer than a day. */
    if (copy->expires > now + FG_DAY)
        copy->expires = now + FG_DAY;
    if (copy->fetched > now)
        copy->fetched = now;
}

void fg_robots_copy_judge(struct fg_robots_copy *copy, struct fg_robots_fetch *fetch,
                          struct fg_str body, struct fg_str token, fg_time lifetime,
                          fg_time now)
{
    bool has_file =
        copy->is_known && copy->use == FG_ROBOTS_FILE && copy->fetched != FG_NEVER;
    fetch->copy_age = has_file ? now - copy->fetched : FG_NEVER;
    fetch->failures = copy->failures;
    struct fg_robots_outcome outcome = fg_robots_judge(fetch);
    copy->expires = now + outcome.again;
    if (outcome.use == FG_ROBOTS_FILE || outcome.use == FG_ROBOTS_ALLOW) {
        copy->failures = 0;
        copy->fetched = now;
        set(copy, outcome.use, body, token);
        if (lifetime && lifetime < outcome.again)
            copy->expires = now + lifetime;
    } else {
        copy->failures++;
        if (outcome.use == FG_ROBOTS_HOLD)
            set(copy, outcome.use, body, token);
    }
    copy->is_unused = outcome.use != FG_ROBOTS_HOLD;
}

void fg_robots_copy_note(struct fg_robots_copy *copy, const struct fg_response *response,
                         const char *end)
{
    copy->outcome = response ? response->outcome : FG_FETCHED;
    copy->status = response ? response->status : 0;
    copy->trouble[0] = '\0';
    if (end)
        snprintf(copy->trouble, sizeof copy->trouble, "%s", end);
    else if (copy->outcome != FG_FETCHED)
        snprintf(copy->trouble, sizeof copy->trouble, "%s", response->why);
    else if (copy->status == 429 || (copy->status / 100 != 2 && copy->status / 100 != 4))
        snprintf(copy->trouble, sizeof copy->trouble, "status %u", copy->status);
}

const char *fg_robots_why_held(char room[static FG_ROBOTS_WHY],
                               const struct fg_response *response)
{
    if (!response)
        return "its redirects lead nowhere";
    if (response->outcome == FG_FETCH_FORBIDDEN)
        return "the address is not public; see net.allow-private";
    if (response->outcome != FG_FETCHED)
        return response->why;
    snprintf(room, FG_ROBOTS_WHY, "it answers with status %u", response->status);
    return room;
}

bool fg_robots_copy_is_due(const struct fg_robots_copy *copy, fg_time now)
{
    return !copy->is_known || (copy->expires <= now && !copy->is_unused);
}

fg_time fg_robots_copy_delay(const struct fg_robots_copy *copy)
{
    fg_time delay = copy->rules ? fg_robots_delay(copy->rules) : FG_NEVER;
    return delay == FG_NEVER ? 0 : delay;
}
