/* kind_form.c - the form of an address: its parts, its date, and whether a list goes on
 */
#include "net/facts/kind_parts.h"
#include "net/text/word_list.h"

enum {
    YEAR_MIN = 1990,
    YEAR_MAX = 2099,
    SLUG_WORDS = 3, /* so many words with dashes between are a title */
};

/* --- taking an address apart --- */

static void read_params(struct fg_address_parts *parts)
{
    struct fg_str query = parts->query;
    for (size_t at = 0; at < query.len && parts->n_params < FG_ADDRESS_PARAMS_MAX;) {
        size_t end = at, equals;
        while (end < query.len && query.at[end] != '&' && query.at[end] != ';')
            end++;
        struct fg_str one = fg_str_sub(query, at, end);
        equals = fg_str_chr(one, '=');
        struct fg_address_param *param = &parts->params[parts->n_params];
        *param = (struct fg_address_param){.name = one, .first = at, .end = end};
        if (equals != FG_NOT_FOUND) {
            param->name = fg_str_sub(one, 0, equals);
            param->value = fg_str_skip(one, equals + 1);
        }
        parts->n_params += one.len > 0;
        at = end + 1;
    }
}

void fg_address_take_apart(struct fg_address_parts *parts, struct fg_str url)
{
    *parts = (struct fg_address_parts){0};
    size_t hash = fg_str_chr(url, '#'), host = fg_str_find(url, FG_STR("://"));
    url = fg_str_sub(url, 0, hash);
    if (host != FG_NOT_FOUND && host < 10)
        url = fg_str_skip(url, host + 3);
    size_t slash = 0;
    while (slash < url.len && url.at[slash] != '/' && url.at[slash] != '?')
        slash++;
    url = fg_str_skip(url, slash);
    size_t mark = fg_str_chr(url, '?');
    parts->path = fg_str_sub(url, 0, mark);
    if (mark != FG_NOT_FOUND)
        parts->query = fg_str_skip(url, mark + 1);
    struct fg_str rest = parts->path, segment;
    while (parts->n < FG_ADDRESS_SEGMENTS_MAX && fg_str_cut(&rest, '/', &segment))
        if (segment.len)
            parts->segments[parts->n++] = segment;
    read_params(parts);
}

bool fg_is_digits(struct fg_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!fg_is_digit(s.at[i]))
            return false;
    return s.len > 0;
}

bool fg_is_hash(struct fg_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (fg_hex(s.at[i]) < 0)
            return false;
    return s.len >= 7;
}

/* A number of at most nine digits, else -1. */
static int number_of(struct fg_str s)
{
    uint64_t n;
    return fg_is_digits(s) && s.len <= 9 && fg_str_to_u64(s, &n) ? (int)n : -1;
}

struct fg_str fg_segment_extension(struct fg_str segment)
{
    for (size_t i = segment.len; i-- > 1;)
        if (segment.at[i] == '.')
            return fg_str_skip(segment, i + 1);
    return (struct fg_str){0};
}

/* "search.php" is "search"; but "v1.2" stays. */
struct fg_str fg_segment_stem(struct fg_str segment)
{
    struct fg_str extension = fg_segment_extension(segment);
    if (fg_word_in(extension, "html htm php asp aspx jsp cgi shtml xhtml pl fcgi py do "
                              "action"))
        return fg_str_sub(segment, 0, segment.len - extension.len - 1);
    return segment;
}

/* "how-to-edit-history": the title of something. */
bool fg_segment_is_slug(struct fg_str segment)
{
    size_t words = 1;
    if (fg_segment_extension(segment).len)
        return false; /* a file */
    for (size_t i = 1; i + 1 < segment.len; i++)
        words += segment.at[i] == '-' || segment.at[i] == '_';
    return words >= SLUG_WORDS;
}

/* --- dates --- */

static int year_of(struct fg_str s)
{
    int year = s.len == 4 ? number_of(s) : -1;
    return year >= YEAR_MIN && year <= YEAR_MAX ? year : -1;
}

bool fg_segment_is_year(struct fg_str segment)
{
    return year_of(segment) > 0;
}

static int month_of(struct fg_str s)
{
    static const char *const names[] = {"january",   "february", "march",    "april",
                                        "may",       "june",     "july",     "august",
                                        "september", "october",  "november", "december"};
    for (int i = 0; i < 12; i++)
        if (s.len >= 3 && fg_str_starts_nocase(fg_str_from(names[i]), s) &&
            (s.len == 3 || s.len == strlen(names[i])))
            return i + 1;
    int month = s.len <= 2 ? number_of(s) : -1;
    return month >= 1 && month <= 12 ? month : -1;
}

static int days_in(int year, int month)
{
    return (int)(fg_days_from_date(month == 12 ? year + 1 : year, month % 12 + 1, 1) -
                 fg_days_from_date(year, month, 1));
}

static int day_of(struct fg_str s, int year, int month)
{
    int day = s.len && s.len <= 2 ? number_of(s) : -1;
    return day >= 1 && day <= days_in(year, month) ? day : -1;
}

/* "2026-11-16", "2026-11-16-slug", "2026_11_16", "2026-November", "2026-11" */
static struct fg_address_dated dated_with_dashes(struct fg_str s)
{
    int year = year_of(fg_str_sub(s, 0, 4));
    if (year < 0 || s.len < 7 || (s.at[4] != '-' && s.at[4] != '_' && s.at[4] != '.'))
        return (struct fg_address_dated){0};
    size_t end = 5;
    while (end < s.len && fg_is_alnum(s.at[end]))
        end++;
    int month = month_of(fg_str_sub(s, 5, end));
    if (month < 0)
        return (struct fg_address_dated){0};
    if (end == s.len)
        return (struct fg_address_dated){.year = year, .month = month, .used = 1};
    if (s.at[end] != s.at[4] || end > 7)
        return (struct fg_address_dated){0};
    size_t first = end + 1, stop = first;
    while (stop < s.len && fg_is_digit(s.at[stop]))
        stop++;
    int day = day_of(fg_str_sub(s, first, stop), year, month);
    if (day < 0)
        return (struct fg_address_dated){0};
    return (struct fg_address_dated){year, month, day, stop == s.len};
}

/* "20261116", alone or before a dash. */
static struct fg_address_dated dated_in_digits(struct fg_str s)
{
    size_t n = 0;
    while (n < s.len && fg_is_digit(s.at[n]))
        n++;
    if (n != 8 || (s.len > 8 && s.at[8] != '-' && s.at[8] != '_'))
        return (struct fg_address_dated){0};
    int year = year_of(fg_str_sub(s, 0, 4));
    int month = year < 0 ? -1 : month_of(fg_str_sub(s, 4, 6));
    int day = month < 0 ? -1 : day_of(fg_str_sub(s, 6, 8), year, month);
    return day < 0 ? (struct fg_address_dated){0}
                   : (struct fg_address_dated){year, month, day, s.len == 8};
}

static struct fg_address_dated dated_at(const struct fg_address_parts *parts, size_t i)
{
    struct fg_str segment = fg_segment_stem(parts->segments[i]);
    int year = year_of(segment);
    if (year < 0) {
        struct fg_address_dated dated = dated_with_dashes(segment);
        return dated.year ? dated : dated_in_digits(segment);
    }
    int month = i + 1 < parts->n ? month_of(fg_segment_stem(parts->segments[i + 1])) : -1;
    if (month < 0)
        return (struct fg_address_dated){0};
    struct fg_str third = i + 2 < parts->n ? parts->segments[i + 2] : (struct fg_str){0};
    int day = day_of(third, year, month);
    if (day > 0)
        return (struct fg_address_dated){year, month, day, 3};
    /* "/2026/11/16-slug" */
    size_t dash = fg_str_chr(third, '-');
    day = dash == 2 ? day_of(fg_str_sub(third, 0, 2), year, month) : -1;
    return (struct fg_address_dated){year, month, day > 0 ? day : 0, 2};
}

/* The first date of the path, and the segment it starts in. */
struct fg_address_dated fg_address_find_date(const struct fg_address_parts *parts,
                                             size_t *at)
{
    for (*at = 0; *at < parts->n; ++*at) {
        struct fg_address_dated dated = dated_at(parts, *at);
        if (dated.year)
            return dated;
    }
    return (struct fg_address_dated){0};
}

fg_time fg_address_date(struct fg_str url, fg_time *span)
{
    struct fg_address_parts parts;
    size_t at;
    fg_address_take_apart(&parts, url);
    struct fg_address_dated dated = fg_address_find_date(&parts, &at);
    if (!dated.year)
        return FG_NEVER;
    if (span)
        *span = dated.day ? FG_DAY : days_in(dated.year, dated.month) * FG_DAY;
    return fg_days_from_date(dated.year, dated.month, dated.day ? dated.day : 1) * FG_DAY;
}

fg_time fg_address_archive(struct fg_str url, fg_time *span)
{
    struct fg_address_parts parts;
    size_t at;
    fg_address_take_apart(&parts, url);
    if (!parts.n || parts.n_params)
        return FG_NEVER;
    struct fg_address_dated dated = fg_address_find_date(&parts, &at);
    if (dated.used && at + dated.used == parts.n)
        return fg_address_date(url, span);
    int year = dated.year ? -1 : year_of(parts.segments[parts.n - 1]);
    if (year < 0)
        return FG_NEVER;
    fg_time first = fg_days_from_date(year, 1, 1) * FG_DAY;
    *span = fg_days_from_date(year + 1, 1, 1) * FG_DAY - first;
    return first;
}

bool fg_address_is_archive_entry(struct fg_str url)
{
    fg_time span;
    size_t page = fg_str_chr(url, '#');
    return page != FG_NOT_FOUND &&
           fg_address_archive(fg_str_sub(url, 0, page), &span) != FG_NEVER;
}

/* --- further pages of lists --- */

static bool is_further(struct fg_str number)
{
    return number_of(number) >= 2;
}

/* "index3", "mail2", "threads12", "page-2": a word of lists and a number. */
static bool is_numbered_list(struct fg_str stem)
{
    enum { MOST_NUMBERED = 40 };
    size_t end = stem.len;
    while (end > 0 && fg_is_digit(stem.at[end - 1]))
        end--;
    if (end == stem.len || stem.len - end > 4 || !is_further(fg_str_skip(stem, end)))
        return false;
    struct fg_str word = fg_str_sub(stem, 0, end);
    if (end > 1 && (word.at[end - 1] == '-' || word.at[end - 1] == '_'))
        word = fg_str_sub(word, 0, end - 1);
    /* A list has so many pages; pages that are numbered have more. */
    if (fg_word_in(word, "page pg seite pagina news blog default") &&
        number_of(fg_str_skip(stem, end)) > MOST_NUMBERED)
        return false;
    return fg_word_in(word, "index mail maillist thrd threads page pg seite pagina "
                            "archive archives list authors tags categories comment-page "
                            "default news blog");
}

static bool is_page_word(struct fg_str segment)
{
    return fg_word_in(segment, "page paged pages seite seiten pagina p%c3%a1gina strana "
                               "strona sida side sivu pag stranica oldal comment-page "
                               "pageno pn");
}

static bool is_page_param(struct fg_str name)
{
    return fg_word_in(name, "page paged pg pagenum page_num pageno page_no pagenumber "
                            "page_number seite pagina strona strana sida cpage page-nr "
                            "currentpage _page product-page query-page pn") ||
           fg_str_ends(name, FG_STR("_page")) || fg_str_ends(name, FG_STR("-page")) ||
           fg_str_ends(name, FG_STR("[page]"));
}

/* Where a list goes on, counted in entries: from 1 on, since the first is 0. */
static bool is_offset_param(struct fg_str name)
{
    return fg_word_in(name, "start offset ofs skip limitstart startindex start_index "
                            "startat startrow from_id pageoffset");
}

/* These also say which of several links was followed: "?pos=2". No list shows so few. */
static bool is_vague_offset_param(struct fg_str name)
{
    return fg_word_in(name, "from st begin first pos o");
}

static bool is_continuing(const struct fg_address_parts *parts,
                          const struct fg_address_param *param)
{
    int n = number_of(param->value);
    if (is_page_param(param->name))
        return n >= 2;
    if (is_offset_param(param->name) || is_vague_offset_param(param->name))
        return n >= (is_offset_param(param->name) ? 1 : 5) && n < 10000000;
    /* "/?p=12" is a post of WordPress. */
    if (fg_str_eq_nocase(param->name, FG_STR("p")))
        return n >= 2 && n <= 200 && parts->n > 0;
    return fg_word_in(param->name, "pagefrom pageuntil after_id cursor");
}

static bool do_segments_continue(const struct fg_str *segments, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (i + 1 < n && is_page_word(segments[i]) &&
            is_further(fg_segment_stem(segments[i + 1])) &&
            fg_segment_stem(segments[i + 1]).len <= 4)
            return true;
        if (i + 1 == n && is_numbered_list(fg_segment_stem(segments[i])))
            return true;
    }
    return false;
}

/* "showthread.php?5550-A-title/page2": some programs have a path in their query. */
static bool does_path_continue(const struct fg_address_param *param)
{
    struct fg_str segments[FG_ADDRESS_SEGMENTS_MAX], rest = param->name;
    size_t n = 0;
    while (n < FG_ADDRESS_SEGMENTS_MAX && fg_str_cut(&rest, '/', &segments[n]))
        n++;
    return n > 1 && !param->value.len && do_segments_continue(segments + 1, n - 1);
}

bool fg_address_continues(const struct fg_address_parts *parts)
{
    if (do_segments_continue(parts->segments, parts->n))
        return true;
    for (size_t i = 0; i < parts->n_params; i++)
        if (is_continuing(parts, &parts->params[i]) ||
            does_path_continue(&parts->params[i]))
            return true;
    return false;
}

bool fg_address_is_continuation(struct fg_str url)
{
    struct fg_address_parts parts;
    fg_address_take_apart(&parts, url);
    return fg_address_continues(&parts);
}

bool fg_param_is_first_page(struct fg_str name, struct fg_str value)
{
    return is_offset_param(name) || is_vague_offset_param(name)
               ? number_of(value) == 0
               : is_page_param(name) && number_of(value) == 1;
}

bool fg_address_is_first_page(struct fg_str url)
{
    struct fg_address_parts parts;
    fg_address_take_apart(&parts, url);
    for (size_t i = 0; i < parts.n_params; i++)
        if (fg_param_is_first_page(parts.params[i].name, parts.params[i].value))
            return true;
    return false;
}

bool fg_address_is_home(struct fg_str url)
{
    struct fg_address_parts parts;
    fg_address_take_apart(&parts, url);
    return !parts.n && !parts.n_params;
}

bool fg_address_is_language(struct fg_str url)
{
    struct fg_address_parts parts;
    fg_address_take_apart(&parts, url);
    if (parts.n != 1 || parts.n_params)
        return false;
    struct fg_str code = fg_segment_stem(parts.segments[0]);
    bool has_place = code.len == 5 && (code.at[2] == '-' || code.at[2] == '_');
    return (code.len == 2 || has_place) &&
           fg_word_in(fg_str_sub(code, 0, 2),
                      "ar bg bn ca cs da de el en es et eu fa fi fr gl he hi hr hu id is "
                      "it ja ko lt lv ms nb nl no pl pt ro ru sk sl sq sr sv ta th tr uk "
                      "ur vi zh");
}

/* --- families --- */

static bool is_time_word(struct fg_str word)
{
    return fg_word_in(word, "d m y w day days month months week weeks year years date "
                            "tag tage monat monate woche jahr datum jour mois semaine "
                            "annee dia mes semana ano giorno mese settimana anno dag "
                            "maand jaar");
}

static bool may_be_of_date(struct fg_str digits)
{
    enum { DAYS_MOST = 31, YEAR_LEAST = 1900, YEAR_MOST = 2100 };
    int number = digits.len <= 4 ? number_of(digits) : -1;
    bool is_compact = digits.len == 6 || digits.len == 8; /* 202611, 20261116 */
    return is_compact ? fg_segment_is_year(fg_str_sub(digits, 0, 4))
                      : number >= 0 && (number <= DAYS_MOST ||
                                        (number >= YEAR_LEAST && number <= YEAR_MOST));
}

static bool is_word_byte(char c)
{
    return fg_is_alpha(c) || c == '%' || (unsigned char)c >= 0x80;
}

struct fg_address_family fg_address_family(struct fg_str url)
{
    struct fg_address_parts parts;
    fg_address_take_apart(&parts, url);
    struct fg_address_family family = {.names_time = true};
    const struct fg_str texts[] = {parts.path, parts.query};
    for (size_t t = 0; t < 2; t++)
        for (size_t i = 0, end; i < texts[t].len; i = end) {
            bool is_digit = fg_is_digit(texts[t].at[i]);
            bool is_word = is_word_byte(texts[t].at[i]);
            for (end = i + 1; end < texts[t].len; end++)
                if (is_digit ? !fg_is_digit(texts[t].at[end])
                             : !is_word || !is_word_byte(texts[t].at[end]))
                    break;
            struct fg_str run = fg_str_sub(texts[t], i, end);
            family.has_number |= is_digit;
            family.names_time &= !is_digit || may_be_of_date(run);
            if (is_word && !is_time_word(run))
                family.words += fg_str_hash(run);
        }
    family.names_time &= family.has_number;
    return family;
}
