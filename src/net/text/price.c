/* A number is read as groups of digits with the marks between them; what the marks mean
 * is decided when all of them are seen. */
#include "net/text/price.h"

#include <stdlib.h>

enum { MOST_GROUPS = 8, MOST_DIGITS = 15, MOST_DECIMALS = 6, SHOWN_DECIMALS = 2 };

/* ISO 4217, the codes in use. */
static const char codes[] =
    "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD "
    "BTN BWP BYN BZD CAD CDF CHF CLF CLP CNY COP CRC CUC CUP CVE CZK DJF DKK DOP DZD EGP "
    "ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR "
    "IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD "
    "MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR "
    "PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SLL "
    "SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS "
    "VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWL";
static const char three_decimals[] = "BHD IQD JOD KWD LYD OMR TND";

/* Longer ones before those that end or begin them. */
static const struct mark {
    const char *text, *currency;
} marks[] = {
    {"US$", "USD"},  {"CA$", "CAD"},  {"AU$", "AUD"}, {"NZ$", "NZD"},   {"HK$", "HKD"},
    {"NT$", "TWD"},  {"MX$", "MXN"},  {"C$", "CAD"},  {"A$", "AUD"},    {"S$", "SGD"},
    {"R$", "BRL"},   {"€", "EUR"},    {"£", "GBP"},   {"¥", "JPY"},     {"￥", "JPY"},
    {"円", "JPY"},   {"元", "CNY"},   {"₹", "INR"},   {"Rs.", "INR"},   {"Rs", "INR"},
    {"₽", "RUB"},  {"руб", "RUB"},  {"zł", "PLN"},  {"Kč", "CZK"},    {"Ft", "HUF"},
    {"lei", "RON"},  {"лв", "BGN"},   {"₺", "TRY"},   {"TL", "TRY"},    {"₴", "UAH"},
    {"грн", "UAH"},  {"₩", "KRW"},    {"원", "KRW"},  {"₫", "VND"},     {"đ", "VND"},
    {"฿", "THB"},    {"₪", "ILS"},    {"₦", "NGN"},   {"₱", "PHP"},     {"Rp", "IDR"},
    {"RM", "MYR"},   {"SFr.", "CHF"}, {"Fr.", "CHF"}, {"euros", "EUR"}, {"Euro", "EUR"},
    {"euro", "EUR"}, {"$", "USD"},
};

/* --- currencies --- */

static bool is_code(struct fg_str text, const char *list)
{
    if (text.len != 3)
        return false;
    for (const char *code = list; *code; code += code[3] ? 4 : 3)
        if (fg_str_eq_nocase(text, (struct fg_str){code, 3}))
            return true;
    return false;
}

static void set_code(char currency[4], struct fg_str code)
{
    for (size_t i = 0; i < 3; i++)
        currency[i] = code.at[i] >= 'a' ? (char)(code.at[i] - 'a' + 'A') : code.at[i];
    currency[3] = '\0';
}

static bool is_letter(char c)
{
    return fg_is_alpha(c) || (unsigned char)c >= 0xC0;
}

/* The bytes of a blank at the front, of whichever kind; 0 if there is none. */
static size_t blank_len(struct fg_str s)
{
    static const char *const blanks[] = {"\u00A0", "\u202F", "\u2009", "\u2007"};
    if (s.len && fg_is_space(s.at[0]))
        return 1;
    for (size_t i = 0; i < sizeof blanks / sizeof *blanks; i++)
        if (fg_str_starts(s, fg_str_from(blanks[i])))
            return strlen(blanks[i]);
    return 0;
}

static struct fg_str skip_blanks(struct fg_str s)
{
    for (size_t n; (n = blank_len(s));)
        s = fg_str_skip(s, n);
    return s;
}

static struct fg_str drop_blanks(struct fg_str s)
{
    for (;;) {
        size_t before = s.len;
        while (s.len && fg_is_space(s.at[s.len - 1]))
            s.len--;
        for (size_t n = 2; n <= 3 && n <= s.len; n++)
            if (blank_len(fg_str_skip(s, s.len - n)) == n)
                s.len -= n;
        if (s.len == before)
            return s;
    }
}

/* A mark made of letters is one only if no letter goes on beside it. */
static bool stands_alone(struct fg_str rest, const char *mark)
{
    size_t n = strlen(mark);
    return !is_letter(mark[n - 1]) || rest.len == n || !is_letter(rest.at[n]);
}

/* The length of the currency that the text starts with, or 0. */
static size_t currency_at(struct fg_str s, char currency[4])
{
    if (is_code(fg_str_sub(s, 0, 3), codes) && s.at[0] < 'a' &&
        (s.len == 3 || !is_letter(s.at[3]))) {
        set_code(currency, s);
        return 3;
    }
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (fg_str_starts(s, fg_str_from(marks[i].text)) &&
            stands_alone(s, marks[i].text)) {
            set_code(currency, fg_str_from(marks[i].currency));
            return strlen(marks[i].text);
        }
    return 0;
}

/* Does the text end with a currency? */
static bool ends_with_currency(struct fg_str s, char currency[4])
{
    if (s.len >= 3 && is_code(fg_str_skip(s, s.len - 3), codes) &&
        s.at[s.len - 3] < 'a' && (s.len == 3 || !is_letter(s.at[s.len - 4]))) {
        set_code(currency, fg_str_skip(s, s.len - 3));
        return true;
    }
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        size_t n = strlen(marks[i].text);
        if (fg_str_ends(s, fg_str_from(marks[i].text)) &&
            (!is_letter(marks[i].text[0]) || s.len == n ||
             !is_letter(s.at[s.len - n - 1]))) {
            set_code(currency, fg_str_from(marks[i].currency));
            return true;
        }
    }
    return false;
}

bool fg_currency_parse(char currency[4], struct fg_str text)
{
    text = drop_blanks(skip_blanks(text));
    if (is_code(text, codes)) {
        set_code(currency, text);
        return true;
    }
    return text.len && currency_at(text, currency) == text.len;
}

/* --- numbers --- */

enum sign { NO_SIGN, POINT, COMMA, GROUPING };

struct number {
    struct fg_str group[MOST_GROUPS];
    enum sign before[MOST_GROUPS]; /* the mark before the group */
    size_t n;
    const char *end; /* behind it */
};

/* The mark at the front, and its length in bytes. */
static enum sign sign_at(struct fg_str s, size_t *len)
{
    *len = 1;
    if (s.len && s.at[0] == '.')
        return POINT;
    if (s.len && s.at[0] == ',')
        return COMMA;
    if (s.len && s.at[0] == '\'')
        return GROUPING;
    if (fg_str_starts(s, FG_STR("\u2019"))) {
        *len = 3;
        return GROUPING;
    }
    *len = blank_len(s);
    return *len ? GROUPING : NO_SIGN;
}

static size_t digits_at(struct fg_str s)
{
    size_t n = 0;
    while (n < s.len && fg_is_digit(s.at[n]))
        n++;
    return n;
}

/* Groups as long as they go on; a blank or an apostrophe stands before three digits. */
static bool read_number(struct number *number, struct fg_str s)
{
    size_t n = digits_at(s);
    *number = (struct number){.group = {fg_str_sub(s, 0, n)}, .n = 1};
    s = fg_str_skip(s, n);
    for (;;) {
        size_t skip;
        enum sign sign = sign_at(s, &skip);
        n = digits_at(fg_str_skip(s, skip));
        bool belongs = sign && n && (sign != GROUPING || n == 3) &&
                       (sign != GROUPING || number->group[0].len <= 3);
        if (!belongs)
            break;
        if (number->n == MOST_GROUPS)
            return false;
        number->before[number->n] = sign;
        number->group[number->n++] = fg_str_sub(s, skip, skip + n);
        s = fg_str_skip(s, skip + n);
    }
    number->end = s.at;
    return true;
}

static size_t count_signs(const struct number *number, enum sign sign)
{
    size_t n = 0;
    for (size_t i = 1; i < number->n; i++)
        n += number->before[i] == sign;
    return n;
}

/* Is the last group what stands behind the decimal mark? */
static bool has_decimals(const struct number *number, enum fg_price_reader reader,
                         const char *currency)
{
    size_t last = number->n - 1;
    enum sign sign = number->before[last];
    if (number->n == 1 || sign == GROUPING || count_signs(number, sign) > 1)
        return false;
    if (number->n > 2 || number->group[last].len != 3 || number->group[0].len > 3 ||
        number->group[0].at[0] == '0')
        return true;
    return (sign == POINT && reader == FG_PRICE_FOR_MACHINES) ||
           is_code(fg_str_from(currency), three_decimals);
}

/* Behind the first, groups of three, or in India of two before the last. */
static bool is_grouped(const struct number *number, size_t n)
{
    if (n > 1 && (number->group[0].len > 3 || number->group[n - 1].len != 3))
        return false;
    for (size_t i = 1; i + 1 < n; i++)
        if (number->group[i].len != 3 && number->group[i].len != 2)
            return false;
    return true;
}

/* Digits without zeros in front, a point, decimals without zeros behind. */
static bool write_amount(char out[FG_PRICE_AMOUNT], const struct fg_str *groups, size_t n,
                         struct fg_str decimals)
{
    size_t len = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < groups[i].len; j++) {
            if (!len && groups[i].at[j] == '0')
                continue;
            if (len == MOST_DIGITS)
                return false;
            out[len++] = groups[i].at[j];
        }
    if (!len)
        out[len++] = '0';
    out[len++] = '.';
    decimals = fg_str_sub(decimals, 0, MOST_DECIMALS);
    while (decimals.len > SHOWN_DECIMALS && decimals.at[decimals.len - 1] == '0')
        decimals.len--;
    for (size_t i = 0; i < decimals.len || i < SHOWN_DECIMALS; i++)
        out[len++] = i < decimals.len ? decimals.at[i] : '0';
    out[len] = '\0';
    return true;
}

/* "12€50": two digits right behind the mark. */
static struct fg_str decimals_behind(struct fg_str rest, size_t mark)
{
    struct fg_str behind = fg_str_skip(rest, mark);
    size_t n = mark ? digits_at(behind) : 0;
    return n == 2 ? fg_str_sub(behind, 0, 2) : (struct fg_str){0};
}

/* "99¢", "99p": a hundredth of it. */
static bool is_hundredths(struct fg_str rest, char currency[4])
{
    bool is_cents = fg_str_starts(skip_blanks(rest), FG_STR("¢"));
    bool is_pence = rest.len && rest.at[0] == 'p' && !currency[0] &&
                    (rest.len == 1 || !is_letter(rest.at[1]));
    if (!currency[0] && (is_cents || is_pence))
        set_code(currency, is_cents ? FG_STR("USD") : FG_STR("GBP"));
    return is_cents || is_pence;
}

/* "99" is 0.99: all but the last two digits, which "5" has to be filled up to. */
static bool write_hundredths(char out[FG_PRICE_AMOUNT], struct fg_str digits)
{
    char two[SHOWN_DECIMALS] = {'0', '0'};
    size_t whole = digits.len > SHOWN_DECIMALS ? digits.len - SHOWN_DECIMALS : 0;
    for (size_t i = whole; i < digits.len; i++)
        two[SHOWN_DECIMALS - digits.len + i] = digits.at[i];
    struct fg_str units = fg_str_sub(digits, 0, whole);
    return write_amount(out, &units, 1, (struct fg_str){two, SHOWN_DECIMALS});
}

static bool write_number(struct fg_price *price, const struct number *number,
                         struct fg_str decimals_beyond, enum fg_price_reader reader)
{
    bool with_decimals = has_decimals(number, reader, price->currency);
    size_t whole = number->n - with_decimals;
    return is_grouped(number, whole) &&
           write_amount(price->amount, number->group, whole,
                        with_decimals ? number->group[whole] : decimals_beyond);
}

/* --- the text --- */

/* "12,- €", "12.– €", "12:-" */
static struct fg_str skip_dashes(struct fg_str rest)
{
    static const char *const dashes[] = {",-", ".-", ":-", ",–", ".–", ",—", ".—"};
    for (size_t i = 0; i < sizeof dashes / sizeof *dashes; i++)
        if (fg_str_starts(rest, fg_str_from(dashes[i]))) {
            rest = fg_str_skip(rest, strlen(dashes[i]));
            while (rest.len && rest.at[0] == '-')
                rest = fg_str_skip(rest, 1);
        }
    return skip_blanks(rest);
}

/* "iPhone15", "128GB" */
static bool is_part_of_word(struct fg_str before, struct fg_str behind)
{
    return (before.len && is_letter(before.at[before.len - 1])) ||
           (behind.len && is_letter(behind.at[0]));
}

/* The number that the text starts with, as a price. `end` is behind the number. */
static bool read_at(struct fg_price *price, struct fg_str before, struct fg_str text,
                    enum fg_price_reader reader, const char **end)
{
    struct number number;
    *price = (struct fg_price){0};
    bool is_number = read_number(&number, text);
    *end = is_number ? number.end : text.at + digits_at(text);
    struct fg_str rest = fg_str_range(*end, text.at + text.len), decimals = {0};
    if (!is_number || fg_str_starts(skip_blanks(rest), FG_STR("%")))
        return false;
    if (!ends_with_currency(drop_blanks(before), price->currency)) {
        struct fg_str behind = skip_dashes(rest);
        size_t mark = currency_at(behind, price->currency);
        if (behind.at == rest.at)
            decimals = decimals_behind(rest, mark);
    }
    if (number.n == 1 && is_hundredths(rest, price->currency))
        return write_hundredths(price->amount, number.group[0]);
    if (!price->currency[0] && is_part_of_word(before, rest))
        return false;
    return write_number(price, &number, decimals, reader);
}

bool fg_price_parse(struct fg_price *price, struct fg_str text,
                    enum fg_price_reader reader)
{
    *price = (struct fg_price){0};
    struct fg_str rest = text;
    for (;;) {
        while (rest.len && !fg_is_digit(rest.at[0])) {
            rest.at++;
            rest.len--;
        }
        if (!rest.len)
            return price->amount[0] != '\0';
        struct fg_price found;
        const char *end;
        if (read_at(&found, fg_str_range(text.at, rest.at), rest, reader, &end) &&
            (found.currency[0] || !price->amount[0]))
            *price = found;
        if (price->currency[0])
            return true;
        rest = fg_str_range(end, text.at + text.len);
    }
}

int fg_price_cmp(const struct fg_price *a, const struct fg_price *b)
{
    double x = strtod(a->amount, NULL), y = strtod(b->amount, NULL);
    return (x > y) - (x < y);
}
