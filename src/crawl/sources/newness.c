#include "crawl/sources/newness.h"

#include "net/text/date.h"

/* Dates further ahead than this are nonsense, or those of events to come. */
static const fg_time most_ahead = FG_DAY;
/* Clocks differ by this. What has no zone and is further ahead is of a place east of
 * here, and of that place nothing more is known. */
static const fg_time clocks_differ = 5 * FG_MINUTE;

/* A moment at midnight is a day: many programs round. */
static bool is_before(fg_time time, fg_time since, bool is_local)
{
    fg_time span = time % FG_DAY == 0 ? FG_DAY - 1 : 0;
    return time != FG_NEVER && time + span + (is_local ? FG_MOST_WEST : 0) < since;
}

bool fg_newness_is_placed(fg_time time, bool is_local, fg_time now)
{
    return time != FG_NEVER && !(is_local && time > now + clocks_differ);
}

static bool is_within(fg_time time, fg_time since, fg_time now)
{
    return time != FG_NEVER && time >= since && time <= now + most_ahead;
}

enum fg_newness fg_newness_of(const struct fg_sighting *s)
{
    if (is_before(s->published, s->since, s->is_local) ||
        is_before(s->modified, s->since, s->is_local))
        return FG_OLD;
    /* When the day is over everywhere. */
    if (s->day != FG_NEVER && s->day + s->span + FG_MOST_WEST <= s->since)
        return FG_OLD;
    /* The first moment of a day or month that had not begun then. On a list that is new
     * it may have begun where the site is, and not here. */
    fg_time latest = s->now + (s->list_is_new ? FG_MOST_EAST : 0);
    bool is_since = s->day != FG_NEVER && s->day >= s->since && s->day <= latest;
    if (is_since || (fg_newness_is_placed(s->published, s->is_local, s->now) &&
                     is_within(s->published, s->since, s->now)))
        return FG_NEW;
    /* Numbers are given to drafts, too: a list that has brought nothing but new things
     * knows better, and one that was seen whole has the page asked for its date. */
    bool has_come = s->was_seen_whole && !s->brings_up_old && !s->is_continuation;
    if (s->is_old_serial && !(has_come && s->list_is_proven))
        return has_come ? FG_UNPROVEN : FG_STOCK;
    if (!s->was_seen_whole && (s->list_goes_on || s->list_is_volume))
        return FG_NEW;
    if (!s->was_seen_whole)
        return s->list_is_new ? FG_UNPROVEN : FG_STOCK;
    bool is_doubtful = s->brings_up_old && (!s->is_new_serial || s->stock_waits);
    return is_doubtful || s->is_continuation ? FG_UNPROVEN : FG_NEW;
}

bool fg_newness_is_held(const struct fg_sighting *s)
{
    struct fg_sighting read = *s;
    read.stock_waits = false;
    return s->stock_waits && fg_newness_of(s) == FG_UNPROVEN &&
           fg_newness_of(&read) == FG_NEW;
}

enum fg_newness fg_newness_by_date(enum fg_newness before, const struct fg_dating *dating)
{
    fg_time since = dating->since, from = dating->from, until = dating->until;
    if (from == FG_NEVER || before == FG_OLD)
        return before;
    bool is_moment = from == until;
    if (is_moment ? from < since : until <= since)
        return FG_OLD;
    if (is_within(from, since, dating->now) &&
        fg_newness_is_placed(from, dating->is_local, dating->now))
        return FG_NEW;
    /* Of the first day the hour is not known: what a list has shown since is of the time
     * since, and of the rest what was said before stands. */
    bool is_first_day = !is_moment && !dating->is_local && from <= since &&
                        since < from + FG_DAY && until - from < 2 * FG_DAY;
    return is_first_day && before == FG_UNPROVEN ? FG_NEW : before;
}
