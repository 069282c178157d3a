/* date.c - dates as the web writes them
 *
 * A text is first brought to one shape: comments go, blanks collapse, the Korean words
 * for year, month and day become hyphens. Then two readers try it in turn. The first
 * reads from left to right what starts with digits in the order of ISO 8601. The second
 * takes the words in any order and asks each what it can be: "Thu Aug 30 2012 17:26:16
 * +0200" and "30-Aug-12 17:26 EDT" are the same to it. Guessing stops there: a word that
 * is nothing we know makes the whole no date, except the first, which may be the name of
 * a weekday in any language. */
#include "net/text/date.h"

#include "base/buf.h"
#include "net/text/date_names.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

struct moment {
    int64_t year;
    int month, day; /* month 0: `day` counts from the start of the year */
    int hour, minute, second, micros;
    int zone_minutes;
    bool has_year, has_day, has_clock, has_zone, is_pm, is_am;
};

/* --- the calendar --- */

static bool is_leap(int64_t year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_in_month(int64_t year, int month)
{
    static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return month == 2 && is_leap(year) ? 29 : days[month - 1];
}

/* Days since 1970, or false if there is no such day. */
static bool moment_days(const struct moment *m, int64_t *days)
{
    int most = m->month ? days_in_month(m->year, m->month) : 365 + is_leap(m->year);
    if (m->day < 1 || m->day > most)
        return false;
    *days = m->month ? fg_days_from_date(m->year, m->month, m->day)
                     : fg_days_from_date(m->year, 1, 1) + m->day - 1;
    return true;
}

static fg_time moment_time(const struct moment *m)
{
    int64_t days;
    int hour = m->hour;
    if (m->month < 0 || m->month > 12 || !moment_days(m, &days))
        return FG_NEVER;
    if (m->is_am || m->is_pm) {
        if (hour > 12)
            return FG_NEVER;
        hour = hour % 12 + (m->is_pm ? 12 : 0);
    }
    /* 24:00:00 is the end of a day, and a second 60 is a leap second. */
    bool end_of_day = hour == 24 && m->minute == 0 && m->second == 0;
    if ((hour > 23 && !end_of_day) || m->minute > 59 || m->second > 60)
        return FG_NEVER;
    return days * FG_DAY + hour * FG_HOUR + (m->minute - m->zone_minutes) * FG_MINUTE +
           m->second * FG_SECOND + m->micros;
}

/* --- small readers: each takes what it knows off the front of `s` --- */

static size_t count_digits(struct fg_str s)
{
    size_t n = 0;
    while (n < s.len && fg_is_digit(s.at[n]))
        n++;
    return n;
}

/* Exactly `n` digits that are known to be there. */
static int take_number(struct fg_str *s, size_t n)
{
    int value = 0;
    for (size_t i = 0; i < n; i++)
        value = value * 10 + (s->at[i] - '0');
    *s = fg_str_skip(*s, n);
    return value;
}

/* One to `most` digits, and no digit after them. */
static bool take_digits(struct fg_str *s, size_t most, int *value)
{
    size_t n = count_digits(*s);
    if (n < 1 || n > most)
        return false;
    *value = take_number(s, n);
    return true;
}

static bool take_char(struct fg_str *s, char c)
{
    if (!s->len || fg_lower(s->at[0]) != c)
        return false;
    *s = fg_str_skip(*s, 1);
    return true;
}

static void skip_blanks(struct fg_str *s)
{
    while (take_char(s, ' '))
        ;
}

static bool is_letter(char c)
{
    return fg_is_alpha(c) || (unsigned char)c >= 0x80;
}

static struct fg_str take_word(struct fg_str *s)
{
    size_t n = 0;
    while (n < s->len && is_letter(s->at[n]))
        n++;
    struct fg_str word = fg_str_sub(*s, 0, n);
    *s = fg_str_skip(*s, n);
    return word;
}

static int64_t full_year(int year)
{
    return year + (year < 50 ? 2000 : 1900);
}

/* "+hh:mm", "+hhmm" or "+hh". */
static bool take_offset(struct fg_str *s, int *minutes)
{
    int sign = take_char(s, '-') ? -1 : take_char(s, '+') ? 1 : 0;
    int hours, rest = 0;
    size_t n = count_digits(*s);
    if (!sign || (n != 1 && n != 2 && n != 4))
        return false;
    hours = take_number(s, n > 2 ? 2 : n);
    if (n == 4)
        rest = take_number(s, 2);
    else if (take_char(s, ':') && (count_digits(*s) != 2 || !take_digits(s, 2, &rest)))
        return false;
    *minutes = sign * (hours * 60 + rest);
    return hours < 24 && rest < 60;
}

/* The whole of `s` is a zone: "Z", "-05:00", "EST", "Etc/GMT", "GMT+2". */
static bool read_zone(struct fg_str s, struct moment *m)
{
    if (m->has_zone)
        return false;
    m->has_zone = true;
    if (s.len && (s.at[0] == '+' || s.at[0] == '-'))
        return take_offset(&s, &m->zone_minutes) && s.len == 0;
    if (fg_str_starts_nocase(s, FG_STR("etc/")))
        s = fg_str_skip(s, 4);
    struct fg_str word = take_word(&s);
    if (!fg_date_zone(word, &m->zone_minutes))
        return false;
    if (s.len == 0)
        return true;
    return word.len > 1 && m->zone_minutes == 0 && take_offset(&s, &m->zone_minutes) &&
           s.len == 0;
}

static bool read_half(struct fg_str word, struct moment *m)
{
    m->is_am |= fg_str_eq_nocase(word, FG_STR("am"));
    m->is_pm |= fg_str_eq_nocase(word, FG_STR("pm"));
    return word.len == 2 && fg_lower(word.at[1]) == 'm' && m->is_am != m->is_pm;
}

static bool take_fraction(struct fg_str *s, struct moment *m)
{
    size_t n = count_digits(*s);
    if (n == 0)
        return false;
    for (size_t i = 0, unit = 100000; i < n; i++, unit /= 10)
        m->micros += (int)unit * (s->at[i] - '0');
    *s = fg_str_skip(*s, n);
    return true;
}

/* "10:14:55.123", "9:15", "101455" or "1014". */
static bool take_clock(struct fg_str *s, struct moment *m)
{
    if (m->has_clock)
        return false;
    m->has_clock = true;
    size_t n = count_digits(*s);
    if (n == 4 || n == 6) {
        m->hour = take_number(s, 2);
        m->minute = take_number(s, 2);
        m->second = n == 6 ? take_number(s, 2) : 0;
    } else {
        if (!take_digits(s, 2, &m->hour) || !take_char(s, ':') ||
            !take_digits(s, 2, &m->minute))
            return false;
        if (take_char(s, ':') && !take_digits(s, 2, &m->second))
            return false;
    }
    if (take_char(s, '.') || take_char(s, ','))
        return take_fraction(s, m);
    return true;
}

/* --- ISO 8601 and its relatives --- */

/* From the Monday of week 1, the week with the year's first Thursday. */
static bool take_week(struct fg_str *s, struct moment *m, bool extended)
{
    int day = 1;
    if (count_digits(*s) < 2)
        return false;
    int week = take_number(s, 2);
    if ((extended ? take_char(s, '-') : count_digits(*s) == 1) &&
        !take_digits(s, 1, &day))
        return false;
    int64_t fourth = fg_days_from_date(m->year, 1, 4);
    int64_t monday = fourth - ((fourth + 3) % 7 + 7) % 7;
    int64_t days = monday + (week - 1) * 7 + day - 1;
    if (week < 1 || week > 53 || day < 1 || day > 7)
        return false;
    fg_date_from_days(days, &m->year, &m->month, &m->day);
    return true;
}

/* Behind "2004-": a month, an ordinal day or a week. */
static bool take_after_year(struct fg_str *s, struct moment *m, char separator)
{
    if (take_char(s, 'w'))
        return take_week(s, m, true);
    size_t n = count_digits(*s);
    if (n == 0) {
        if (!fg_date_month(take_word(s), &m->month) || !take_char(s, separator))
            return false;
        return take_digits(s, 2, &m->day);
    }
    int number;
    if (!take_digits(s, 3, &number))
        return false;
    bool has_day = take_char(s, separator);
    if (n == 3 && !has_day) {
        m->day = number;
        return true;
    }
    m->month = number;
    m->day = 1;
    return number >= 1 && (!has_day || take_digits(s, 2, &m->day));
}

static bool take_basic(struct fg_str *s, struct moment *m, size_t n)
{
    switch (n) {
    case 8:
    case 12:
    case 14:
        m->year = take_number(s, 4);
        m->month = take_number(s, 2);
        m->day = take_number(s, 2);
        return m->month >= 1;
    case 7:
        m->year = take_number(s, 4);
        m->day = take_number(s, 3);
        return true;
    case 6:
        m->year = full_year(take_number(s, 2));
        m->month = take_number(s, 2);
        m->day = take_number(s, 2);
        return m->month >= 1;
    case 5:
        m->year = full_year(take_number(s, 2));
        m->day = take_number(s, 3);
        return true;
    default:
        return false;
    }
}

/* "-0312" and "-03-12" are year and month, "-03" is a year. */
static bool take_short_year(struct fg_str *s, struct moment *m)
{
    size_t n = count_digits(*s);
    if (n != 2 && n != 4)
        return false;
    m->year = full_year(take_number(s, 2));
    m->month = m->day = 1;
    if (n == 4)
        m->month = take_number(s, 2);
    else if (take_char(s, '-') && !take_digits(s, 2, &m->month))
        return false;
    return m->month >= 1;
}

static bool take_iso_date(struct fg_str *s, struct moment *m)
{
    if (take_char(s, '-'))
        return take_short_year(s, m);
    size_t n = count_digits(*s);
    if (n != 4 && n != 2)
        return take_basic(s, m, n);
    int year = take_number(s, n);
    m->year = n == 2 ? full_year(year) : year;
    if (n == 4 && take_char(s, 'w'))
        return take_week(s, m, false);
    char separator = s->len ? s->at[0] : '\0';
    if (separator != '-' && separator != '/' && separator != '.') {
        m->month = m->day = 1;
        return n == 4 && s->len == 0; /* a year alone */
    }
    take_char(s, separator);
    return take_after_year(s, m, separator);
}

static fg_time parse_iso(struct fg_str s, bool *is_local)
{
    struct moment m = {0};
    if (!take_iso_date(&s, &m))
        return FG_NEVER;
    skip_blanks(&s);
    if (s.len == 0)
        return moment_time(&m);
    take_char(&s, 't');
    skip_blanks(&s);
    if (s.len && is_letter(s.at[0]) && !read_half(take_word(&s), &m))
        return FG_NEVER;
    skip_blanks(&s);
    if (!take_clock(&s, &m))
        return FG_NEVER;
    skip_blanks(&s);
    struct fg_str rest = s;
    if (read_half(take_word(&rest), &m)) {
        s = rest;
        skip_blanks(&s);
    }
    if (s.len && !read_zone(s, &m))
        return FG_NEVER;
    *is_local = !m.has_zone;
    return moment_time(&m);
}

/* --- words in any order --- */

static bool set_day_or_year(struct moment *m, struct fg_str digits)
{
    size_t n = digits.len;
    if (n == 4 && !m->has_year) {
        m->year = take_number(&digits, 4);
        m->has_year = true;
    } else if (n <= 2 && !m->has_day) {
        m->day = take_number(&digits, n);
        m->has_day = true;
    } else if (n == 2 && !m->has_year) {
        m->year = full_year(take_number(&digits, 2));
        m->has_year = true;
    } else {
        return false;
    }
    return true;
}

/* "06-Nov-94", "19/Apr/2007", "2006/09/15": with a number in the middle it is year, month
 * and day, for the other orders cannot be told apart. */
static bool read_joined(struct fg_str s, struct moment *m)
{
    struct fg_str part[3];
    char separator = s.at[count_digits(s)];
    if (separator != '-' && separator != '/')
        return false;
    for (size_t i = 0; i < 3; i++)
        if (!fg_str_cut(&s, separator, &part[i]))
            return false;
    if (s.len || !part[0].len || count_digits(part[0]) != part[0].len || !part[2].len ||
        count_digits(part[2]) != part[2].len)
        return false;
    if (part[0].len == 4 && count_digits(part[1]) == part[1].len && part[1].len <= 2)
        m->month = take_number(&part[1], part[1].len);
    else if (!fg_date_month(part[1], &m->month))
        return false;
    return m->month >= 1 && set_day_or_year(m, part[0]) && set_day_or_year(m, part[2]);
}

/* A word that starts with a digit: a clock, a day, a year, or a whole date. */
static bool read_numeric(struct fg_str word, struct moment *m)
{
    size_t n = count_digits(word);
    struct fg_str digits = fg_str_sub(word, 0, n), rest = fg_str_skip(word, n);
    if (rest.len && rest.at[0] == ':') {
        if (!take_clock(&word, m))
            return false;
        return word.len == 0 || read_half(word, m) || read_zone(word, m);
    }
    bool ordinal = fg_str_eq_nocase(rest, FG_STR("th")) ||
                   fg_str_eq_nocase(rest, FG_STR("st")) ||
                   fg_str_eq_nocase(rest, FG_STR("nd")) ||
                   fg_str_eq_nocase(rest, FG_STR("rd")) || fg_str_eq(rest, FG_STR("."));
    if (rest.len == 0 || ordinal)
        return set_day_or_year(m, digits);
    return read_joined(word, m);
}

static bool read_word(struct fg_str word, struct moment *m, bool is_first, bool has_comma)
{
    if (fg_is_digit(word.at[0]))
        return read_numeric(word, m);
    if (word.at[0] == '+' || word.at[0] == '-')
        return read_zone(word, m);
    if (fg_str_ends(word, FG_STR(".")))
        word.len--;
    struct fg_str rest = word;
    take_word(&rest);
    /* "mar, 5 mars": a first word before a comma is a weekday in whatever language. */
    if (is_first && has_comma)
        return rest.len == 0;
    if (!m->month && fg_date_month(word, &m->month))
        return true;
    if (fg_date_is_weekday(word) || read_half(word, m))
        return true;
    if (m->has_clock && read_zone(word, m))
        return true;
    return is_first && rest.len == 0;
}

static fg_time parse_words(struct fg_str s, bool *is_local)
{
    struct moment m = {0};
    bool is_first = true;
    while (s.len) {
        size_t n = 0;
        while (n < s.len && s.at[n] != ' ' && s.at[n] != ',')
            n++;
        struct fg_str word = fg_str_sub(s, 0, n);
        s = fg_str_skip(s, n);
        skip_blanks(&s);
        bool has_comma = take_char(&s, ',');
        skip_blanks(&s);
        if (n && !read_word(word, &m, is_first, has_comma))
            return FG_NEVER;
        is_first = false;
    }
    *is_local = m.has_clock && !m.has_zone;
    return m.month && m.has_day && m.has_year ? moment_time(&m) : FG_NEVER;
}

/* --- one shape for all --- */

/* Where the comment that opens at `i` ends; they nest, and a backslash escapes. */
static size_t skip_comment(struct fg_str s, size_t i)
{
    size_t depth = 0;
    for (; i < s.len; i++) {
        if (s.at[i] == '\\')
            i++;
        else if (s.at[i] == '(')
            depth++;
        else if (s.at[i] == ')' && --depth == 0)
            return i + 1;
    }
    return s.len;
}

static const struct {
    struct fg_str word, instead;
} korean[] = {
    {{"년", 3}, {"-", 1}},      {{"월", 3}, {"-", 1}},      {{"일", 3}, {" ", 1}},
    {{"오전", 6}, {" AM ", 4}}, {{"오후", 6}, {" PM ", 4}},
};

static bool add_korean(struct fg_buf *out, struct fg_str *s)
{
    for (size_t i = 0; i < COUNT(korean); i++)
        if (fg_str_starts(*s, korean[i].word)) {
            *s = fg_str_skip(*s, korean[i].word.len);
            if (korean[i].instead.at[0] == '-')
                while (s->len && fg_is_space(s->at[0]))
                    *s = fg_str_skip(*s, 1);
            return fg_buf_add(out, korean[i].instead);
        }
    return false;
}

/* Without comments and Korean words, blanks collapsed. Returns whether it was Korean. */
static bool tidy(struct fg_buf *out, struct fg_str s)
{
    bool is_korean = false;
    while (s.len && !out->full) {
        char c = s.at[0];
        if (c == '(') {
            s = fg_str_skip(s, skip_comment(s, 0));
            c = ' ';
        } else if ((unsigned char)c >= 0xEB && add_korean(out, &s)) {
            is_korean = true;
            continue;
        } else {
            s = fg_str_skip(s, 1);
        }
        bool is_blank = fg_is_space(c);
        if (!is_blank)
            fg_buf_add_char(out, c);
        else if (out->len && out->at[out->len - 1] != ' ')
            fg_buf_add_char(out, ' ');
    }
    return is_korean;
}

static bool two_digits(const char *at, int *value)
{
    *value = (at[0] - '0') * 10 + (at[1] - '0');
    return fg_is_digit(at[0]) && fg_is_digit(at[1]);
}

/* "2004-07-08", or with "T09:15:00" and "Z" or "+02:00": the forms of nearly all
 * sitemaps, at a fifth of the price. False means the long way, not that it is no date. */
static bool parse_common(struct fg_str s, fg_time *time)
{
    struct moment m = {0};
    const char *at = s.at;
    int century, year;
    if ((s.len != 10 && s.len != 20 && s.len != 25) || at[4] != '-' || at[7] != '-' ||
        !two_digits(at, &century) || !two_digits(at + 2, &year) ||
        !two_digits(at + 5, &m.month) || !two_digits(at + 8, &m.day) || !m.month)
        return false;
    m.year = century * 100 + year;
    if (s.len > 10 && (at[10] != 'T' || at[13] != ':' || at[16] != ':' ||
                       !two_digits(at + 11, &m.hour) || !two_digits(at + 14, &m.minute) ||
                       !two_digits(at + 17, &m.second)))
        return false;
    if (s.len == 20 && at[19] != 'Z')
        return false;
    if (s.len == 25) {
        int hours, minutes;
        if ((at[19] != '+' && at[19] != '-') || at[22] != ':' ||
            !two_digits(at + 20, &hours) || !two_digits(at + 23, &minutes) ||
            hours > 23 || minutes > 59)
            return false;
        m.zone_minutes = (hours * 60 + minutes) * (at[19] == '-' ? -1 : 1);
    }
    *time = moment_time(&m);
    return true;
}

fg_time fg_date_parse(struct fg_str text)
{
    bool is_local;
    return fg_date_parse_zoned(text, &is_local);
}

fg_time fg_date_parse_zoned(struct fg_str text, bool *is_local)
{
    *is_local = false;
    text = fg_str_trim(text);
    fg_time common;
    if (parse_common(text, &common))
        return common;
    if (text.len == 0 || text.len > FG_DATE_MAX)
        return FG_NEVER;
    char room[2 * FG_DATE_MAX];
    struct fg_buf out = {.at = room, .capacity = sizeof room, .max = sizeof room};
    bool is_korean = tidy(&out, text);
    struct fg_str s = fg_str_trim(fg_buf_str(&out));
    if (!s.len)
        return FG_NEVER;
    fg_time time = parse_iso(s, is_local);
    if (time == FG_NEVER)
        time = parse_words(s, is_local);
    *is_local = *is_local && !is_korean && time != FG_NEVER;
    /* Korean blogs write their own time and no zone. */
    return is_korean && time != FG_NEVER ? time - 9 * FG_HOUR : time;
}
