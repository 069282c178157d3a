#include "net/text/date_seen.h"

#include "net/text/date.h"
#include "net/text/date_names.h"
#include "net/text/word_list.h"

#include <stdio.h>

static const fg_time year_1990 = 20 * 365 * FG_DAY + 5 * FG_DAY;

/* --- small readers: each takes what it knows off the front of `s` --- */

/* One to `most` digits, and no digit after them; 0 if there are none or more. */
static size_t take_digits(struct fg_str *s, size_t most, int *value)
{
    size_t n = 0;
    *value = 0;
    while (n < s->len && n <= most && fg_is_digit(s->at[n]))
        *value = *value * 10 + (s->at[n++] - '0');
    if (n > most)
        return 0;
    *s = fg_str_skip(*s, n);
    return n;
}

static bool take_text(struct fg_str *s, struct fg_str text)
{
    if (!fg_str_starts_nocase(*s, text))
        return false;
    *s = fg_str_skip(*s, text.len);
    return true;
}

static bool take_char(struct fg_str *s, char c)
{
    return take_text(s, (struct fg_str){&c, 1});
}

static bool is_letter(char c)
{
    return fg_is_alpha(c) || (unsigned char)c >= 0x80;
}

/* Letters; empty if there are none. */
static struct fg_str take_word(struct fg_str *s)
{
    size_t n = 0;
    while (n < s->len && is_letter(s->at[n]))
        n++;
    struct fg_str word = fg_str_sub(*s, 0, n);
    *s = fg_str_skip(*s, n);
    return word;
}

/* Blanks and what else may part a day from its month. */
static void skip_joints(struct fg_str *s)
{
    static const struct fg_str words[] = {{"of ", 3}, {"de ", 3}, {"del ", 4}};
    struct fg_str before;
    do {
        before = *s;
        while (s->len && (s->at[0] == ' ' || s->at[0] == ','))
            *s = fg_str_skip(*s, 1);
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            take_text(s, words[i]);
    } while (s->len != before.len);
}

/* "st" of "1st", "." of "1.", "er" of "1er" */
static void skip_ordinal(struct fg_str *s)
{
    static const struct fg_str ends[] = {{"st", 2}, {"nd", 2}, {"rd", 2}, {"th", 2},
                                         {"er", 2}, {"º", 2},  {"°", 2},  {".", 1}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct fg_str rest = *s;
        if (take_text(&rest, ends[i]) && (!rest.len || !is_letter(rest.at[0]))) {
            *s = rest;
            return;
        }
    }
}

static bool take_month(struct fg_str *s, int *month)
{
    struct fg_str rest = *s, word = take_word(&rest);
    if (!word.len || !fg_date_month(word, month))
        return false;
    take_char(&rest, '.');
    *s = rest;
    return true;
}

/* Four digits, and no digit after them. */
static bool take_year(struct fg_str *s, int *year)
{
    return take_digits(s, 4, year) == 4 && *year >= 1990;
}

/* --- days --- */

/* FG_NEVER if there is no such day, or it is out of the question. */
static fg_time day_of(const struct fg_date_reader *reader, int year, int month, int day)
{
    char text[32];
    if (month < 1 || month > 12 || day < 1 || day > 31)
        return FG_NEVER;
    snprintf(text, sizeof text, "%04d-%02d-%02d", year, month, day);
    fg_time time = fg_date_parse(fg_str_from(text));
    bool is_ahead = reader->now != FG_NEVER && time > reader->now + FG_DAY;
    return time < year_1990 || is_ahead ? FG_NEVER : time;
}

static bool set_day(struct fg_date_seen *date, fg_time day)
{
    date->time = date->from = day;
    date->until = day + FG_DAY;
    date->is_day = true;
    return day != FG_NEVER;
}

enum order { DAY_FIRST, MONTH_FIRST, UNCLEAR };

static enum order order_of(const struct fg_date_reader *reader, char separator)
{
    struct fg_str language = reader->language;
    if (separator == '.')
        return DAY_FIRST;
    if (fg_str_starts_nocase(language, FG_STR("en-US")) ||
        fg_str_starts_nocase(language, FG_STR("en_US")))
        return MONTH_FIRST;
    return !language.len || fg_str_eq_nocase(language, FG_STR("en")) ? UNCLEAR
                                                                     : DAY_FIRST;
}

static bool set_either(struct fg_date_seen *date, const struct fg_date_reader *reader,
                       enum order order, const int number[2], int year)
{
    fg_time one = day_of(reader, year, number[1], number[0]);
    fg_time other = day_of(reader, year, number[0], number[1]);
    if (one == FG_NEVER || one == other)
        return set_day(date, other);
    if (other == FG_NEVER)
        return set_day(date, one);
    if (order != UNCLEAR)
        return set_day(date, order == DAY_FIRST ? one : other);
    set_day(date, one < other ? one : other);
    date->until = (one < other ? other : one) + FG_DAY;
    date->time = FG_NEVER;
    return true;
}

/* "2024-09-23", "2024. 9. 23", "2024年9月23日" */
static bool read_year_first(struct fg_date_seen *date,
                            const struct fg_date_reader *reader, struct fg_str *s)
{
    static const struct {
        struct fg_str year, month, day;
    } signs[] = {
        {{"-", 1}, {"-", 1}, {"", 0}},     {{"/", 1}, {"/", 1}, {"", 0}},
        {{".", 1}, {".", 1}, {"", 0}},     {{"年", 3}, {"月", 3}, {"日", 3}},
        {{"년", 3}, {"월", 3}, {"일", 3}},
    };
    int year, month, day;
    if (!take_year(s, &year))
        return false;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        struct fg_str rest = *s;
        if (!take_text(&rest, signs[i].year))
            continue;
        take_char(&rest, ' ');
        if (!take_digits(&rest, 2, &month) || !take_text(&rest, signs[i].month))
            continue;
        take_char(&rest, ' ');
        if (!take_digits(&rest, 2, &day) || !take_text(&rest, signs[i].day))
            continue;
        *s = rest;
        return set_day(date, day_of(reader, year, month, day));
    }
    return false;
}

/* "23.09.2024", "23. 9. 2024", "09/23/2024" */
static bool read_numbers(struct fg_date_seen *date, const struct fg_date_reader *reader,
                         struct fg_str *s)
{
    int number[2], year;
    if (!take_digits(s, 2, &number[0]) || !s->len)
        return false;
    char separator = s->at[0];
    if ((separator != '.' && separator != '/' && separator != '-') ||
        !take_char(s, separator))
        return false;
    if (separator == '.')
        take_char(s, ' ');
    if (!take_digits(s, 2, &number[1]) || !take_char(s, separator))
        return false;
    if (separator == '.')
        take_char(s, ' ');
    return take_year(s, &year) &&
           set_either(date, reader, order_of(reader, separator), number, year);
}

/* "23 September 2024", "23rd of September, 2024", "23-Sep-2024" */
static bool read_day_and_month(struct fg_date_seen *date,
                               const struct fg_date_reader *reader, struct fg_str *s)
{
    int day, month, year;
    if (!take_digits(s, 2, &day))
        return false;
    bool is_joined = take_char(s, '-') || take_char(s, '/');
    if (!is_joined) {
        skip_ordinal(s);
        skip_joints(s);
    }
    if (!take_month(s, &month))
        return false;
    if (is_joined && !take_char(s, '-') && !take_char(s, '/'))
        return false;
    skip_joints(s);
    return take_year(s, &year) && set_day(date, day_of(reader, year, month, day));
}

/* "September 23, 2024", "Sept. 23rd 2024" */
static bool read_month_and_day(struct fg_date_seen *date,
                               const struct fg_date_reader *reader, struct fg_str *s)
{
    int day, month, year;
    if (!take_month(s, &month))
        return false;
    skip_joints(s);
    if (!take_digits(s, 2, &day))
        return false;
    skip_ordinal(s);
    skip_joints(s);
    return take_year(s, &year) && set_day(date, day_of(reader, year, month, day));
}

/* --- counting back --- */

static const struct {
    fg_time length;
    struct fg_str names;
} units[] = {
    {FG_MINUTE, FG_WORDS("minute minutes min mins minuten minuto minutos minuti minuut "
                         "minuter минут минуты минуту")},
    {FG_HOUR, FG_WORDS("hour hours hr hrs stunde stunden heure heures hora horas ora ore "
                       "uur timmar timme час часа часов")},
    {FG_DAY, FG_WORDS("day days tag tagen jour jours día días dia dias giorno giorni dag "
                      "dagen dagar день дня дней")},
    {7 * FG_DAY, FG_WORDS("week weeks woche wochen semaine semaines semana semanas "
                          "settimana settimane weken vecka veckor неделю недели недель")},
    {30 * FG_DAY, FG_WORDS("month months monat monaten mois mes meses mese mesi mês "
                           "maand maanden månad månader месяц месяца месяцев")},
    {365 * FG_DAY, FG_WORDS("year years jahr jahren an ans año años anno anni ano anos "
                            "jaar år год года лет")},
};

static fg_time unit_of(struct fg_str word)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (fg_word_in_list(word, units[i].names))
            return units[i].length;
    return 0;
}

/* "3 hours ago", "vor 3 Stunden", "il y a 3 heures" */
static bool read_ago(struct fg_date_seen *date, const struct fg_date_reader *reader,
                     struct fg_str *s)
{
    static const struct fg_str before[] = {
        {"vor ", 4}, {"il y a ", 7}, {"hace ", 5}, {"há ", 4}};
    static const struct fg_str ones[] = {{"an ", 3},  {"a ", 2},     {"one ", 4},
                                         {"un ", 3},  {"une ", 4},   {"una ", 4},
                                         {"ein ", 4}, {"einem ", 6}, {"einer ", 6}};
    bool is_before = false;
    int count = 0;
    for (size_t i = 0; i < sizeof before / sizeof *before && !is_before; i++)
        is_before = take_text(s, before[i]);
    if (!take_digits(s, 3, &count))
        for (size_t i = 0; i < sizeof ones / sizeof *ones && !count; i++)
            count = take_text(s, ones[i]);
    if (!count || reader->now == FG_NEVER)
        return false;
    take_char(s, ' ');
    fg_time unit = unit_of(take_word(s));
    if (!unit)
        return false;
    if (!is_before) {
        take_char(s, ' ');
        if (!fg_word_in(take_word(s), "ago fa geleden sedan siden назад temu"))
            return false;
    }
    /* Some round down, others to the nearest. */
    date->time = reader->now - count * unit;
    date->from = date->time - unit;
    date->until = date->time + unit / 2;
    date->is_day = unit >= FG_DAY;
    if (date->is_day)
        date->time -= date->time % FG_DAY;
    return date->time > year_1990;
}

/* --- in a line --- */

typedef bool read_fn(struct fg_date_seen *, const struct fg_date_reader *,
                     struct fg_str *);

static bool has_digit(struct fg_str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (fg_is_digit(text.at[i]))
            return true;
    return false;
}

static bool read_at(struct fg_date_seen *date, const struct fg_date_reader *reader,
                    struct fg_str line, size_t at, bool has_figures)
{
    static read_fn *const of_digits[] = {read_year_first, read_numbers,
                                         read_day_and_month, read_ago, NULL};
    static read_fn *const of_letters[] = {read_month_and_day, read_ago, NULL};
    static read_fn *const of_letters_alone[] = {read_ago, NULL};
    read_fn *const *read = fg_is_digit(line.at[at]) ? of_digits
                           : has_figures            ? of_letters
                                                    : of_letters_alone;
    for (; *read; read++) {
        struct fg_str rest = fg_str_skip(line, at);
        if (!(*read)(date, reader, &rest) || (rest.len && fg_is_digit(rest.at[0])))
            continue;
        date->at = at;
        date->end = line.len - rest.len;
        return true;
    }
    return false;
}

bool fg_date_find(struct fg_date_seen *date, const struct fg_date_reader *reader,
                  struct fg_str line, size_t first)
{
    bool has_figures = has_digit(fg_str_skip(line, first));
    for (size_t i = first; i < line.len; i++) {
        char before = i ? line.at[i - 1] : ' ';
        bool is_start = !is_letter(before) && !fg_is_digit(before) && before != '-' &&
                        before != '/' && before != '.';
        if (is_start && (fg_is_digit(line.at[i]) || is_letter(line.at[i])) &&
            read_at(date, reader, line, i, has_figures))
            return true;
    }
    return false;
}
