/* date_form.c - dates by the letter of a standard
 *
 * A text is held against a template, a piece at a time, and only then read by
 * fg_date_parse, which is more lenient than any standard. */
#include "net/text/date.h"

/* The three letters of `name` are one of `names`; where, or -1. */
static int index_in(const char *names, struct fg_str name)
{
    if (name.len != 3)
        return -1;
    for (int i = 0; names[3 * i]; i++)
        if (fg_str_eq_nocase(name, (struct fg_str){names + (ptrdiff_t)3 * i, 3}))
            return i;
    return -1;
}

static int weekday_index(struct fg_str name)
{
    return index_in("montuewedthufrisatsun", name);
}

static int month_index(struct fg_str name)
{
    return index_in("janfebmaraprmayjunjulaugsepoctnovdec", name);
}

/* Take what matches `template` off the front of `s`: "d" is a digit, "D" a digit or a
 * blank, "w" and "m" the three letters of a weekday or month, all else is itself. */
static bool take(struct fg_str *s, const char *template)
{
    size_t i = 0;
    for (; *template; template ++) {
        char c = i < s->len ? s->at[i] : '\0';
        size_t width = 1;
        bool ok = c == *template;
        if (*template == 'd' || *template == 'D') {
            ok = fg_is_digit(c) || (*template == 'D' && c == ' ');
        } else if (*template == 'w' || *template == 'm') {
            struct fg_str name = fg_str_sub(*s, i, i + 3);
            ok = (*template == 'w' ? weekday_index(name) : month_index(name)) >= 0;
            width = 3;
        }
        if (!ok)
            return false;
        i += width;
    }
    *s = fg_str_skip(*s, i);
    return true;
}

static bool is_whole(struct fg_str s, const char *template)
{
    return take(&s, template) && s.len == 0;
}

/* "Sunday, 06-Nov-94 08:49:37 GMT" */
static bool is_rfc850(struct fg_str s)
{
    static const char *const days[] = {"monday", "tuesday",  "wednesday", "thursday",
                                       "friday", "saturday", "sunday"};
    size_t comma = fg_str_chr(s, ',');
    int day = comma == FG_NOT_FOUND ? -1 : weekday_index(fg_str_sub(s, 0, 3));
    return day >= 0 &&
           fg_str_eq_nocase(fg_str_sub(s, 0, comma), fg_str_from(days[day])) &&
           is_whole(fg_str_skip(s, comma), ", dd-m-dd dd:dd:dd GMT");
}

fg_time fg_date_parse_http(struct fg_str text)
{
    struct fg_str s = fg_str_trim(text);
    bool ok = is_whole(s, "w, dd m dddd dd:dd:dd GMT") ||
              is_whole(s, "w m Dd dd:dd:dd dddd") || is_rfc850(s);
    return ok ? fg_date_parse(s) : FG_NEVER;
}

static bool is_rfc3339(struct fg_str s)
{
    if (!take(&s, "dddd-dd-ddTdd:dd:dd"))
        return false;
    if (take(&s, ".d"))
        while (take(&s, "d"))
            ;
    return is_whole(s, "Z") || is_whole(s, "+dd:dd") || is_whole(s, "-dd:dd");
}

static enum fg_date_form zone_form(struct fg_str s)
{
    if (is_whole(s, "+dddd") || is_whole(s, "-dddd") ||
        fg_str_eq_nocase(s, FG_STR("ut")) ||
        index_in("gmtestedtcstcdtmstmdtpstpdt", s) >= 0)
        return FG_DATE_RFC822;
    return s.len == 1 && fg_is_alpha(s.at[0]) ? FG_DATE_RFC822_OLD : FG_DATE_OTHER;
}

/* The weekday of "9 Feb 2006", 0 for Monday. It is that of the place of writing, so the
 * zone does not count; a two-digit year is not checked. */
static bool is_weekday_of(int weekday, struct fg_str date)
{
    struct fg_str part[3];
    uint64_t day, year;
    for (size_t i = 0; i < 3; i++)
        if (!fg_str_cut(&date, ' ', &part[i]))
            return false;
    if (!fg_str_to_u64(part[0], &day) || !fg_str_to_u64(part[2], &year))
        return false;
    int64_t days = fg_days_from_date((int64_t)year, month_index(part[1]) + 1, (int)day);
    return part[2].len == 2 || ((days + 3) % 7 + 7) % 7 == weekday;
}

/* "[Thu, ]9 Feb 2006 23:59[:45] +0000" */
static enum fg_date_form rfc822_form(struct fg_str s)
{
    int weekday = take(&s, "w, ") ? weekday_index(fg_str_range(s.at - 5, s.at - 2)) : -1;
    struct fg_str date = s;
    if (!(take(&s, "dd ") || take(&s, "d ")) || !take(&s, "m "))
        return FG_DATE_OTHER;
    bool is_old = take(&s, "dd ");
    if (!is_old && !take(&s, "dddd "))
        return FG_DATE_OTHER;
    date = fg_str_range(date.at, s.at - 1);
    if (!take(&s, "dd:dd") || (!take(&s, ":dd ") && !take(&s, " ")))
        return FG_DATE_OTHER;
    enum fg_date_form form = zone_form(s);
    if (weekday >= 0 && !is_weekday_of(weekday, date))
        return FG_DATE_OTHER;
    return form == FG_DATE_RFC822 && is_old ? FG_DATE_RFC822_OLD : form;
}

enum fg_date_form fg_date_form(struct fg_str text, fg_time time)
{
    struct fg_str s = fg_str_trim(text);
    if (time == FG_NEVER)
        return FG_DATE_OTHER;
    return is_rfc3339(s) ? FG_DATE_RFC3339 : rfc822_form(s);
}
