/* facts_text.c - the title, the beginning and the dates of a page */
#include "base/utf8.h"
#include "net/facts/facts_parts.h"
#include "net/text/prose.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum {
    TITLE_MAX = 400,  /* bytes */
    LITTLE_TEXT = 20, /* words of main text: then the description is better */
};

enum { LETTER = 1, SINGLE = 2 };
static const uint8_t classes[256] = {
    ['0' ... '9'] = LETTER,
    ['A' ... 'Z'] = LETTER,
    ['a' ... 'z'] = LETTER,
    [0x80 ... 0xE2] = LETTER,
    [0xE3 ... 0xE9] = LETTER | SINGLE,
    [0xEA ... 0xFF] = LETTER,
};

#if defined(__SSE2__)
static __m128i is_between(__m128i bytes, char first, char last)
{
    __m128i above = _mm_sub_epi8(bytes, _mm_set1_epi8(first));
    return _mm_cmpeq_epi8(_mm_min_epu8(above, _mm_set1_epi8((char)(last - first))),
                          above);
}

/* The words of all whole blocks of sixteen bytes; `before` is the class of the last. */
static unsigned count_blocks(struct fg_str text, unsigned *before)
{
    __m128i sums = _mm_setzero_si128(), last = _mm_setzero_si128();
    for (size_t i = 0; text.len - i >= 16; i += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(text.at + i));
        __m128i lower = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
        __m128i letters = _mm_or_si128(
            _mm_or_si128(is_between(lower, 'a', 'z'), is_between(bytes, '0', '9')),
            _mm_cmplt_epi8(bytes, _mm_setzero_si128()));
        __m128i starts =
            _mm_andnot_si128(_mm_or_si128(_mm_slli_si128(letters, 1), last), letters);
        __m128i words = _mm_or_si128(starts, is_between(bytes, (char)0xE3, (char)0xE9));
        words = _mm_and_si128(words, _mm_set1_epi8(1));
        sums = _mm_add_epi64(sums, _mm_sad_epu8(words, _mm_setzero_si128()));
        last = _mm_srli_si128(letters, 15);
    }
    *before = _mm_cvtsi128_si32(last) ? LETTER : 0;
    sums = _mm_add_epi64(sums, _mm_srli_si128(sums, 8));
    return (unsigned)_mm_cvtsi128_si32(sums);
}
#endif

/* Words between blanks and signs; each character of scripts that have no blanks. Byte by
 * byte it took a tenth of the time that a page is read in. */
unsigned fg_count_words(struct fg_str text)
{
    unsigned n = 0, before = 0;
    size_t i = 0;
#if defined(__SSE2__)
    n = count_blocks(text, &before);
    i = text.len & ~(size_t)15;
#endif
    for (; i < text.len; i++) {
        unsigned class = classes[(unsigned char)text.at[i]];
        n += (class & ~before & LETTER) | class >> 1;
        before = class;
    }
    return n;
}

struct fg_str fg_facts_meta(const struct fg_page *page, const char *names)
{
    struct fg_str rest = fg_str_from(names), name, found = {0};
    while (!found.len && fg_str_cut(&rest, ' ', &name))
        found = fg_str_trim(fg_page_meta(page, name));
    return found;
}

/* --- title --- */

static struct fg_str collapsed(struct fg_arena *arena, struct fg_str text)
{
    struct fg_prose prose;
    fg_prose_init(&prose, TITLE_MAX);
    fg_prose_add_plain(&prose, text);
    struct fg_str kept = fg_arena_dup(arena, fg_prose_str(&prose));
    fg_prose_clear(&prose);
    return kept;
}

/* All start with a blank. */
static const struct fg_str separators[] = {
    {" | ", 3}, {" - ", 3},  {" – ", 5}, {" — ", 5}, {" · ", 4}, {" » ", 4},
    {" « ", 4}, {" :: ", 4}, {" • ", 5}, {" < ", 3}, {" [", 2}};

/* Where the last separator starts, and which it is; SIZE_MAX if there is none. */
static size_t last_separator(struct fg_str title, size_t *len)
{
    for (size_t i = title.len; i-- > 1;)
        for (size_t k = 0;
             title.at[i] == ' ' && k < sizeof separators / sizeof *separators; k++)
            if (fg_str_starts(fg_str_skip(title, i), separators[k])) {
                *len = separators[k].len;
                return i;
            }
    return FG_NOT_FOUND;
}

/* What follows "The Daily: ", if that is what it starts with; otherwise empty. */
static struct fg_str after_name(struct fg_str title, struct fg_str name)
{
    struct fg_str rest = fg_str_skip(title, name.len < title.len ? name.len : title.len);
    return name.len && fg_str_starts_nocase(title, name) &&
                   fg_str_starts(rest, FG_STR(": "))
               ? fg_str_skip(rest, 2)
               : FG_STR("");
}

/* "What happened - The Daily" is "What happened"; "The Daily | What happened" too, if the
 * page says what its site is called. */
static struct fg_str without_site(struct fg_str title, struct fg_str site)
{
    size_t len = 0, at = last_separator(title, &len);
    struct fg_str after = after_name(title, site);
    if (after.len)
        return after;
    for (size_t k = 0; site.len && k < sizeof separators / sizeof *separators; k++)
        if (fg_str_starts_nocase(title, site) &&
            fg_str_starts(fg_str_skip(title, site.len), separators[k]))
            return fg_str_skip(title, site.len + separators[k].len);
    if (at == FG_NOT_FOUND)
        return title;
    struct fg_str name = fg_str_skip(title, at + len), rest = fg_str_sub(title, 0, at);
    bool is_site = site.len && fg_str_eq_nocase(name, site);
    return is_site || (fg_count_words(name) <= 4 && fg_count_words(rest) >= 2) ? rest
                                                                               : title;
}

/* "What happened - The Daily", "The Daily: What happened" on a page whose only large
 * heading is "The Daily". */
static bool names_site(struct fg_str heading, struct fg_str title)
{
    size_t len = 0, at = last_separator(title, &len);
    if (after_name(title, heading).len)
        return true;
    return at != FG_NOT_FOUND && at > 0 &&
           fg_str_eq_nocase(fg_str_skip(title, at + len), heading);
}

struct fg_str fg_facts_title(struct fg_arena *arena, const struct fg_page *page,
                             const struct fg_facts_titles *titles)
{
    struct fg_str site = fg_facts_meta(page, "og:site_name application-name"), title;
    if (!site.len)
        site = titles->site;
    if (!site.len && titles->n_h1 == 1 && names_site(titles->h1, page->title))
        site = titles->h1;
    struct fg_str og = fg_facts_meta(page, "og:title twitter:title dc.title");
    if (titles->thing.len)
        title = titles->thing;
    else if (og.len && !fg_str_eq_nocase(og, site))
        title = without_site(collapsed(arena, og), site);
    else if (titles->n_h1 == 1 && titles->h1.len > 1 &&
             !fg_str_eq_nocase(titles->h1, site) && !names_site(titles->h1, page->title))
        title = titles->h1;
    else if (titles->own_heading.len && !names_site(titles->own_heading, page->title))
        title = titles->own_heading;
    else if (!titles->n_h1 && titles->named.len > 1)
        title = titles->named;
    else
        title = without_site(page->title, site);
    return fg_utf8_clean(arena, title.len ? title : titles->h1);
}

/* --- excerpt --- */

/* At most FG_EXCERPT_MAX bytes, in whole words where there are blanks. */
static struct fg_str cut_words(struct fg_str text)
{
    if (text.len <= FG_EXCERPT_MAX)
        return text;
    size_t end = FG_EXCERPT_MAX;
    while (end > 0 && !fg_is_space(text.at[end]))
        end--;
    if (end < FG_EXCERPT_MAX / 2) {
        end = FG_EXCERPT_MAX;
        while (end > 0 && ((unsigned char)text.at[end] & 0xC0) == 0x80)
            end--;
    }
    return fg_str_trim(fg_str_sub(text, 0, end));
}

/* From the first line that is a sentence; bylines and dates come before it. */
static struct fg_str from_first_sentence(struct fg_str text, struct fg_str title)
{
    struct fg_str rest = text, line;
    for (unsigned lines = 0; lines < 30; lines++) {
        struct fg_str here = rest;
        if (!fg_str_cut(&rest, '\n', &line))
            break;
        if (fg_count_words(line) >= 8 && !fg_str_eq(line, title))
            return here;
    }
    return text;
}

struct fg_str fg_facts_excerpt(struct fg_arena *arena, const struct fg_page *page,
                               struct fg_str main_text, struct fg_str title)
{
    struct fg_str description =
        fg_facts_meta(page, "description og:description twitter:description");
    struct fg_str text = main_text;
    if (fg_count_words(fg_str_sub(text, 0, 1000)) < LITTLE_TEXT && description.len)
        text = description;
    else
        text = from_first_sentence(text, title);
    struct fg_prose prose;
    fg_prose_init(&prose, FG_EXCERPT_MAX * 2);
    fg_prose_add_plain(&prose, fg_utf8_clean(arena, fg_str_sub(text, 0, 2000)));
    struct fg_str excerpt = fg_arena_dup(arena, cut_words(fg_prose_str(&prose)));
    fg_prose_clear(&prose);
    return excerpt;
}

/* --- dates --- */

struct fg_str fg_facts_published(const struct fg_page *page)
{
    return fg_facts_meta(page, "article:published_time og:article:published_time "
                               "datePublished pubdate publishdate publish-date "
                               "parsely-pub-date sailthru.date dc.date.issued "
                               "dcterms.issued dcterms.created dc.date.created dc.date "
                               "dcterms.date citation_publication_date citation_date "
                               "video:release_date product:release_date "
                               "cXenseParse:recs:publishtime article.published date "
                               "og:pubdate");
}

struct fg_str fg_facts_modified(const struct fg_page *page)
{
    return fg_facts_meta(page, "article:modified_time og:updated_time last-modified "
                               "dateModified dcterms.modified dc.date.modified revised");
}

/* "2026-11-16": a day and no more. */
/* Many programs that keep days write them as midnight. */
static bool is_midnight(struct fg_str text)
{
    size_t colon = fg_str_chr(text, ':');
    return colon != FG_NOT_FOUND && colon >= 2 &&
           fg_str_eq(fg_str_sub(text, colon - 2, colon), FG_STR("00")) &&
           fg_str_starts(fg_str_skip(text, colon), FG_STR(":00")) &&
           (!fg_str_starts(fg_str_skip(text, colon + 3), FG_STR(":")) ||
            fg_str_starts(fg_str_skip(text, colon + 3), FG_STR(":00")));
}

static bool is_day(struct fg_str text)
{
    if (is_midnight(text))
        return true;
    return fg_str_chr(text, ':') == FG_NOT_FOUND && text.len < 20 &&
           !(text.len > 10 && fg_str_chr(text, 'T') == 10);
}

fg_time fg_facts_date(struct fg_str text, enum fg_grain *grain)
{
    bool is_local = false;
    text = fg_str_trim(text);
    fg_time time =
        text.len <= FG_DATE_MAX ? fg_date_parse_zoned(text, &is_local) : FG_NEVER;
    if (time != FG_NEVER && grain)
        *grain = is_day(text) ? FG_GRAIN_DAY
                 : is_local   ? FG_GRAIN_LOCAL
                              : FG_GRAIN_MOMENT;
    return time;
}
