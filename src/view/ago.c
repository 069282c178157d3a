#include "view/ago.h"

#include "base/buf.h"

#include <stdio.h>

const char *fg_span_short(char out[static FG_AGO_TEXT], fg_time span)
{
    static const struct {
        fg_time unit, smaller;
        char name, smaller_name;
    } units[] = {
        {FG_DAY, FG_HOUR, 'd', 'h'},
        {FG_HOUR, FG_MINUTE, 'h', 'm'},
        {FG_MINUTE, FG_SECOND, 'm', 's'},
    };
    span = span < 0 ? -span : span;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (span < units[i].unit)
            continue;
        long long large = span / units[i].unit;
        long long small = span % units[i].unit / units[i].smaller;
        if (small && large < 100)
            snprintf(out, FG_AGO_TEXT, "%lld%c%lld%c", large, units[i].name, small,
                     units[i].smaller_name);
        else
            snprintf(out, FG_AGO_TEXT, "%lld%c", large, units[i].name);
        return out;
    }
    snprintf(out, FG_AGO_TEXT, "%llds", (long long)(span / FG_SECOND));
    return out;
}

const char *fg_gap_short(char out[static FG_AGO_TEXT], fg_time gap)
{
    gap = gap < 0 ? -gap : gap;
    if (gap >= 10 * FG_SECOND)
        return fg_span_short(out, gap);
    snprintf(out, FG_AGO_TEXT, "%.3gs", fg_seconds(gap));
    return out;
}

const char *fg_ago(char out[static FG_AGO_TEXT], fg_time now, fg_time time)
{
    char span[FG_AGO_TEXT];
    if (time == FG_NEVER)
        return "never";
    fg_span_short(span, now - time);
    snprintf(out, FG_AGO_TEXT, time > now ? "in %.40s" : "%.40s ago", span);
    return out;
}

const char *fg_until(char out[static FG_AGO_TEXT], fg_time now, fg_time time)
{
    return time != FG_NEVER && time <= now ? "due now" : fg_ago(out, now, time);
}

const char *fg_past(char out[static FG_AGO_TEXT], fg_time now, fg_time time)
{
    char span[FG_AGO_TEXT];
    if (time == FG_NEVER || time <= now)
        return fg_ago(out, now, time);
    snprintf(out, FG_AGO_TEXT, "%.20s ahead of the clock",
             fg_span_short(span, time - now));
    return out;
}

const char *fg_when(char out[static FG_TIME_TEXT], fg_time time)
{
    return fg_time_format(out, time / FG_SECOND * FG_SECOND);
}

/* --- texts --- */

/* Lines and runs of blanks become one blank, so the text shown is bounded, too. */
static const char *take_shown(struct fg_buf *shown, struct fg_str text)
{
    enum { SHOWN = 100 };
    const char *at = text.at, *end = text.at + text.len;
    bool is_after_blank = true;
    for (int n = 0; at < end && n < SHOWN;) {
        const char *from = at;
        uint32_t c = fg_utf8_take(&at, end);
        bool is_blank = c < 0x80 && fg_is_space((char)c);
        if (!is_blank)
            fg_buf_add(shown, (struct fg_str){from, (size_t)(at - from)});
        else if (!is_after_blank)
            fg_buf_add_char(shown, ' ');
        n += !is_blank || !is_after_blank;
        is_after_blank = is_blank;
    }
    return at;
}

static size_t count_characters(struct fg_str text)
{
    const char *at = text.at, *end = text.at + text.len;
    size_t n = 0;
    for (; at < end; n++)
        fg_utf8_take(&at, end);
    return n;
}

struct fg_str fg_beginning(struct fg_arena *arena, struct fg_str text, bool is_cut)
{
    struct fg_buf shown;
    text = fg_str_trim(text);
    if (!text.len)
        return FG_STR("nothing");
    fg_buf_init(&shown, 4096);
    const char *rest = take_shown(&shown, text);
    struct fg_str start = fg_arena_dup(arena, fg_str_trim(fg_buf_str(&shown)));
    fg_buf_clear(&shown);
    size_t more = count_characters(fg_str_skip(text, (size_t)(rest - text.at)));
    if (!more && !is_cut)
        return start;
    return fg_arena_printf(arena, "%.*s ... (%s%zu more character%s)", FG_ARG(start),
                           is_cut ? "over " : "", more, more == 1 ? "" : "s");
}
