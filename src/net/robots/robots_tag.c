/* There is no standard, only what search engines document: words between commas, some
 * with a value behind a colon, and in the header also a robot's name before a colon. The
 * two colons are told apart by the words we know. A date may hold commas and colons
 * ("Wed, 03 Jan 2029 13:00:00 GMT"), so unavailable_after reaches to the next comma that
 * does not just follow the name of a day. In the wild blanks and semicolons stand in for
 * commas. */
#include "net/robots/robots_tag.h"

static const struct {
    struct fg_str word;
    unsigned flags;
} words[] = {
    {FG_STR("noindex"), FG_NOINDEX},
    {FG_STR("nofollow"), FG_NOFOLLOW},
    {FG_STR("none"), FG_NOINDEX | FG_NOFOLLOW},
    {FG_STR("noarchive"), FG_NOARCHIVE},
    {FG_STR("nocache"), FG_NOARCHIVE},
    {FG_STR("nosnippet"), FG_NOSNIPPET},
    {FG_STR("noimageindex"), FG_NOIMAGEINDEX},
    {FG_STR("notranslate"), FG_NOTRANSLATE},
    {FG_STR("noodp"), FG_NOODP},
    {FG_STR("noai"), FG_NOAI},
    {FG_STR("noimageai"), FG_NOIMAGEAI},
    {FG_STR("indexifembedded"), FG_INDEXIFEMBEDDED},
};

static bool is_separator(char c)
{
    return c == ',' || c == ';' || fg_is_space(c);
}

static struct fg_str skip_separators(struct fg_str s)
{
    while (s.len && is_separator(s.at[0]))
        s = fg_str_skip(s, 1);
    return s;
}

/* Up to a separator or a colon. */
static struct fg_str take_word(struct fg_str *rest)
{
    size_t n = 0;
    while (n < rest->len && !is_separator(rest->at[n]) && rest->at[n] != ':')
        n++;
    struct fg_str word = fg_str_sub(*rest, 0, n);
    *rest = fg_str_skip(*rest, n);
    return word;
}

/* Behind "unavailable_after:". */
static struct fg_str take_date(struct fg_str *rest)
{
    *rest = fg_str_trim(*rest);
    size_t n = 0;
    while (n < rest->len && fg_is_alpha(rest->at[n]))
        n++;
    if (n < rest->len && rest->at[n] == ',')
        n++; /* behind the name of a day */
    while (n < rest->len && rest->at[n] != ',' && rest->at[n] != ';')
        n++;
    struct fg_str date = fg_str_trim(fg_str_sub(*rest, 0, n));
    *rest = fg_str_skip(*rest, n);
    return date;
}

static unsigned flags_of(struct fg_str word)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (fg_str_eq_nocase(word, words[i].word))
            return words[i].flags;
    return 0;
}

/* "mybot/1.2" names "mybot". */
static bool is_one_of(struct fg_str name, struct fg_str names)
{
    struct fg_str own, token;
    while (fg_str_cut(&names, ',', &own))
        if (fg_str_cut(&own, '/', &token) && fg_str_eq_nocase(fg_str_trim(token), name))
            return true;
    return fg_str_eq_nocase(name, FG_STR("robots")) || fg_str_eq(name, FG_STR("*"));
}

/* A word that takes a value: true if it is one, and then `rest` is behind the value. */
static bool add_with_value(struct fg_robots_tags *tags, struct fg_str word,
                           struct fg_str *rest, bool for_us)
{
    if (fg_str_eq_nocase(word, FG_STR("unavailable_after"))) {
        struct fg_str date = take_date(rest);
        if (for_us)
            tags->unavailable_after = date;
        return true;
    }
    if (!fg_str_starts_nocase(word, FG_STR("max-")))
        return false;
    *rest = fg_str_trim(*rest);
    struct fg_str value = take_word(rest);
    if (for_us && fg_str_eq_nocase(word, FG_STR("max-snippet")) &&
        fg_str_eq(value, FG_STR("0")))
        tags->flags |= FG_NOSNIPPET;
    return true;
}

static void add_words(struct fg_robots_tags *tags, struct fg_str rest, bool has_names,
                      struct fg_str names)
{
    bool for_us = true;
    rest = fg_str_trim(rest); /* once, so that the trims below are short */
    while ((rest = skip_separators(rest)).len) {
        struct fg_str word = take_word(&rest);
        struct fg_str behind = fg_str_trim(rest);
        if (!behind.len || behind.at[0] != ':') {
            tags->flags |= for_us ? flags_of(word) : 0;
            continue;
        }
        rest = fg_str_skip(behind, 1);
        if (!add_with_value(tags, word, &rest, for_us) && has_names)
            for_us = is_one_of(word, names);
    }
}

void fg_robots_tags_add_header(struct fg_robots_tags *tags, struct fg_str value,
                               struct fg_str names)
{
    add_words(tags, value, true, names);
}

void fg_robots_tags_add_meta(struct fg_robots_tags *tags, struct fg_str name,
                             struct fg_str content, struct fg_str names)
{
    if (is_one_of(fg_str_trim(name), names))
        add_words(tags, content, false, names);
}
