/* facts_timed.c - a time element that a word before it calls the date of publishing
 *
 * "posted: <time datetime=...>", wherever on the page it stands, beside another that is
 * labelled as the time of an update. The label is all that stands before the element on
 * its line; where two are labelled and differ, they are those of entries. */
#include "net/facts/facts_parts.h"

static bool is_line_end(const struct fg_walk *walk)
{
    enum fg_tag tag = walk->token.tag;
    return fg_tag_traits[tag] & FG_TRAIT_BLOCK || tag == FG_TAG_TD || tag == FG_TAG_TH ||
           tag == FG_TAG_DT || tag == FG_TAG_DD;
}

static void keep(struct fg_timed *timed, fg_time time, enum fg_grain grain)
{
    timed->has_rivals |= timed->found != FG_NEVER && timed->found != time;
    if (timed->found == FG_NEVER) {
        timed->found = time;
        timed->grain = grain;
    }
}

/* What a text at the start of a line says of the time behind it. */
static unsigned marks_of(struct fg_str text)
{
    struct fg_str last = {0}, word;
    if (fg_dateline_is_label(text))
        return FG_MARK_PUBLISHED;
    for (text = fg_str_trim(text); fg_str_cut(&text, ' ', &word);)
        last = word;
    if (last.len && last.at[last.len - 1] == ':')
        last.len--;
    return fg_dateline_is_against(last) ? FG_MARK_UPDATED : 0;
}

void fg_timed_see(struct fg_timed *timed, struct fg_arena *arena,
                  const struct fg_walk *walk, enum fg_walk_step step)
{
    struct fg_str value, text = walk->token.text;
    if (step == FG_WALK_TEXT) {
        if (!fg_str_trim(text).len)
            return;
        timed->line = timed->is_begun ? (struct fg_str){0} : text;
        timed->is_begun = true;
        return;
    }
    if (is_line_end(walk)) {
        timed->is_begun = false;
        timed->line = (struct fg_str){0};
    }
    bool is_time = step != FG_WALK_CLOSE && fg_str_eq_nocase(text, FG_STR("time"));
    timed->marks = is_time ? marks_of(timed->line) : 0;
    if (!(timed->marks & FG_MARK_PUBLISHED) ||
        !fg_html_attr(&walk->token, FG_STR("datetime"), &value))
        return;
    enum fg_grain grain = FG_GRAIN_MOMENT;
    fg_time time = fg_facts_date(fg_html_decode(arena, value, FG_HTML_VALUE), &grain);
    if (time != FG_NEVER)
        keep(timed, time, grain);
}

fg_time fg_timed_date(const struct fg_timed *timed, fg_time now, enum fg_grain *grain)
{
    bool is_to_come =
        now != FG_NEVER && timed->found > now + fg_facts_most_ahead(timed->grain);
    if (timed->found == FG_NEVER || timed->has_rivals || is_to_come)
        return FG_NEVER;
    *grain = timed->grain;
    return timed->found;
}
