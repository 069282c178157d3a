#include "crawl/sources/pattern.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/vec.h"
#include "net/facts/kind.h"
#include "net/url/query.h"

#include <stdlib.h>
#include <string.h>

enum {
    TEMPLATE_MOST = 96,
    WORD_MOST = 24,  /* bytes; a longer one is a title */
    WORDS_KEPT = 12, /* different words in one place that stay themselves */
    FOLDER_OF = 5,   /* addresses below a word that stays itself among more */
    PATTERNS_MOST = 20000,
    PLACES_MOST = 50000,
    PARAMS_MOST = 5000,
    EVIDENCE = 10,         /* fetches before a pattern is called a trap */
    FAMILY_EVIDENCE = 24,  /* the same of a family */
    SAME_BEFORE_DROP = 3,  /* comparisons before a parameter is dropped */
    SAME_ANYWHERE = 6,     /* the same, for programs that were not tried */
    NAMES_VISIT = 1 << 20, /* ... of a parameter that says who asks */
};

/* The words seen in one place of a template: 24 bits of a hash and 8 of how often. */
struct place {
    uint32_t words[WORDS_KEPT];
    uint32_t n; /* WORDS_KEPT + 1: too many */
};

enum { OFTEN_BITS = 8, OFTEN_MOST = (1 << OFTEN_BITS) - 1 };

struct param {
    uint32_t same, differs;
};

struct fg_patterns {
    FG_VEC(struct fg_pattern *) all; /* each stays where it is when others come */
    FG_VEC(struct place) places;
    FG_VEC(struct param) params;
    struct fg_map pattern_at, place_at, param_at; /* by hash: index + 1 */
    uint32_t n_dropped;                           /* parameters that make no difference */
    struct fg_pattern nothing;
};

/* --- one pattern --- */

uint32_t fg_pattern_fetched(const struct fg_pattern *pattern)
{
    uint32_t n = 0;
    for (int i = 0; i < FG_CAME_KINDS; i++)
        n += pattern->came[i];
    return n;
}

void fg_pattern_learn(struct fg_pattern *pattern, enum fg_came came)
{
    enum { MEMORY = 400 }; /* then forget slowly: a pattern may mend its ways */
    pattern->came[came]++;
    if (fg_pattern_fetched(pattern) > MEMORY)
        for (int i = 0; i < FG_CAME_KINDS; i++)
            pattern->came[i] = (pattern->came[i] + 1) / 2;
    pattern->dated = pattern->dated < fg_pattern_fetched(pattern)
                         ? pattern->dated
                         : fg_pattern_fetched(pattern);
}

static uint32_t useful(const struct fg_pattern *pattern)
{
    return pattern->came[FG_CAME_PAGE] + pattern->came[FG_CAME_LIST] +
           pattern->came[FG_CAME_DOCUMENT];
}

bool fg_pattern_is_trap(const struct fg_pattern *pattern)
{
    uint32_t fetched = fg_pattern_fetched(pattern);
    return fetched >= EVIDENCE && useful(pattern) * 20 <= fetched;
}

static bool is_day_over(const struct fg_pattern *pattern, fg_time now)
{
    return !pattern->last_ask || now - pattern->last_ask >= FG_DAY ||
           now < pattern->last_ask;
}

void fg_pattern_note_vain(struct fg_pattern *pattern)
{
    pattern->in_vain += pattern->in_vain < 4 * EVIDENCE;
}

bool fg_pattern_is_in_vain(const struct fg_pattern *pattern, fg_time now)
{
    return pattern->in_vain >= EVIDENCE && pattern->reported * 20 <= pattern->in_vain &&
           !is_day_over(pattern, now);
}

bool fg_pattern_may_ask(const struct fg_pattern *pattern, fg_time now)
{
    return !fg_pattern_is_trap(pattern) || is_day_over(pattern, now);
}

double fg_pattern_page_chance(const struct fg_pattern *pattern)
{
    double pages = pattern->came[FG_CAME_PAGE] + pattern->came[FG_CAME_DOCUMENT];
    return (pages + 1) / (fg_pattern_fetched(pattern) + 2.0);
}

bool fg_pattern_is_content(const struct fg_pattern *pattern)
{
    enum { ENOUGH = 3 };
    uint32_t pages = pattern->came[FG_CAME_PAGE] + pattern->came[FG_CAME_DOCUMENT];
    return pages >= ENOUGH && pages * 4 >= fg_pattern_fetched(pattern) * 3;
}

bool fg_pattern_is_list(const struct fg_pattern *pattern)
{
    enum { ENOUGH = 3 };
    uint32_t lists = pattern->came[FG_CAME_LIST];
    return lists >= ENOUGH && lists * 4 >= fg_pattern_fetched(pattern) * 3;
}

bool fg_pattern_is_undated(const struct fg_pattern *pattern)
{
    return fg_pattern_is_content(pattern) &&
           pattern->dated * 4 <= fg_pattern_fetched(pattern);
}

/* Path and query. */
static struct fg_str below_site(struct fg_str url)
{
    size_t scheme = fg_str_find(url, FG_STR("://"));
    struct fg_str rest = fg_str_skip(url, scheme == FG_NOT_FOUND ? 0 : scheme + 3);
    size_t slash = fg_str_chr(rest, '/');
    return fg_str_skip(rest, slash == FG_NOT_FOUND ? rest.len : slash);
}

/* --- templates --- */

#define TEMPLATE_SEED 0xCBF29CE484222325u

/* What is hashed along the way is the template so far: the place of the next word. */
struct template
{
    char text[TEMPLATE_MOST];
    size_t len;
    uint64_t hash;
};

static void add_text(struct template *t, struct fg_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        t->hash = (t->hash ^ (unsigned char)text.at[i]) * 0x100000001B3u;
        if (t->len < TEMPLATE_MOST - 1)
            t->text[t->len++] = text.at[i];
    }
}

static struct place *place_of(struct fg_patterns *patterns, uint64_t hash, bool may_add)
{
    const uint64_t *at = fg_map_get(&patterns->place_at, hash);
    if (at)
        return &patterns->places.at[*at - 1];
    if (!may_add || patterns->places.len >= PLACES_MOST)
        return NULL;
    fg_vec_push(&patterns->places, (struct place){0});
    *fg_map_put(&patterns->place_at, hash) = patterns->places.len;
    return &patterns->places.at[patterns->places.len - 1];
}

/* The word in the place, if it is kept. What came once makes room for what comes now, or
 * a folder that many pages lie in might come too late. */
static uint32_t *word_in(struct place *place, struct fg_str word, bool is_met)
{
    uint32_t hash = (uint32_t)fg_str_hash(word) << OFTEN_BITS, *rarest = place->words;
    uint32_t kept = place->n < WORDS_KEPT ? place->n : WORDS_KEPT;
    for (uint32_t i = 0; i < kept; i++) {
        if ((place->words[i] & ~(uint32_t)OFTEN_MOST) == hash)
            return &place->words[i];
        if ((place->words[i] & OFTEN_MOST) < (*rarest & OFTEN_MOST))
            rarest = &place->words[i];
    }
    if (!is_met)
        return NULL;
    if (kept < WORDS_KEPT) {
        rarest = &place->words[place->n++];
    } else {
        place->n = WORDS_KEPT + 1;
        if ((*rarest & OFTEN_MOST) > 1)
            return NULL;
    }
    *rarest = hash;
    return rarest;
}

/* Have too many words stood here for this one to matter? */
static bool is_any_word(struct fg_patterns *patterns, uint64_t where, struct fg_str word,
                        bool is_folder, bool is_met)
{
    struct place *place = place_of(patterns, where, is_met);
    if (!place)
        return false;
    uint32_t *kept = word_in(place, word, is_met);
    if (kept && is_met && (*kept & OFTEN_MOST) < OFTEN_MOST)
        ++*kept;
    if (place->n > WORDS_KEPT)
        return !is_folder || !kept || (*kept & OFTEN_MOST) < FOLDER_OF;
    return !kept && place->n == WORDS_KEPT;
}

static bool is_slug(struct fg_str word)
{
    unsigned joints = 0;
    for (size_t i = 0; i < word.len; i++)
        joints += word.at[i] == '-' || word.at[i] == '_' || word.at[i] == '+' ||
                  word.at[i] == '%' || word.at[i] == ':';
    return joints >= 2 || word.len > WORD_MOST;
}

/* A number, or a token such as a session's or a hash. */
static bool is_token(struct fg_str word)
{
    size_t digits = 0;
    for (size_t i = 0; i < word.len; i++) {
        if (!fg_is_alnum(word.at[i]))
            return false;
        digits += fg_is_digit(word.at[i]);
    }
    return digits && (digits == word.len || word.len >= 8);
}

/* "page7" is "page#", and one word with "page8". */
static struct fg_str without_digits(struct fg_str word, char *text, size_t room)
{
    size_t n = 0;
    for (size_t i = 0; i < word.len && n < room; i++) {
        bool is_digit = fg_is_digit(word.at[i]);
        if (!is_digit || !i || !fg_is_digit(word.at[i - 1]))
            text[n++] = is_digit ? '#' : word.at[i];
    }
    return (struct fg_str){text, n};
}

/* Without patterns all words are alike. */
static void add_word(struct fg_patterns *patterns, struct template *t, struct fg_str word,
                     bool is_folder, bool is_met)
{
    char text[WORD_MOST];
    struct fg_str template = without_digits(word, text, sizeof text);
    if (!word.len)
        return;
    if (is_token(word))
        add_text(t, FG_STR("#"));
    else if (is_slug(word) ||
             (patterns && is_any_word(patterns, t->hash, template, is_folder, is_met)))
        add_text(t, FG_STR("*"));
    else
        add_text(t, patterns ? template : FG_STR("w"));
}

/* "show_bug.cgi" with parameters is a program, however many there are. */
static bool is_program(struct fg_str stem, struct fg_str ending)
{
    static const char *const endings[] = {".php",  ".cgi",  ".pl", ".asp",
                                          ".aspx", ".jsp",  ".do", ".cfm",
                                          ".dll",  ".fcgi", ".exe"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (fg_str_eq_nocase(ending, fg_str_from(endings[i])))
            return !is_slug(stem) && !is_token(stem);
    return false;
}

/* Of "title.html" the ending stays. */
static void add_segment(struct fg_patterns *patterns, struct template *t,
                        struct fg_str segment, bool has_query, bool is_folder,
                        bool is_met)
{
    enum { ENDING_MOST = 5 };
    size_t dot = segment.len;
    while (dot > 1 && segment.len - dot < ENDING_MOST && segment.at[dot - 1] != '.')
        dot--;
    bool has_ending = dot > 1 && dot < segment.len && segment.at[dot - 1] == '.' &&
                      !fg_is_digit(segment.at[dot]);
    struct fg_str ending = fg_str_skip(segment, has_ending ? dot - 1 : segment.len);
    struct fg_str stem = fg_str_sub(segment, 0, segment.len - ending.len);
    if (has_query && is_program(stem, ending))
        add_text(t, stem);
    else
        add_word(patterns, t, stem, is_folder, is_met);
    add_text(t, ending);
}

static void split(struct fg_str url, struct fg_str *path, struct fg_str *query)
{
    struct fg_str rest = below_site(url);
    size_t mark = fg_str_chr(rest, '?');
    *path = fg_str_sub(rest, 0, mark == FG_NOT_FOUND ? rest.len : mark);
    *query = fg_query_of(rest);
}

static void add_path(struct fg_patterns *patterns, struct template *t, struct fg_str path,
                     bool has_query, bool is_met)
{
    struct fg_str segment;
    for (bool is_first = true; fg_str_cut(&path, '/', &segment); is_first = false) {
        if (!is_first)
            add_text(t, FG_STR("/"));
        bool is_asked = has_query && !path.len; /* "/item?id=7" */
        add_segment(patterns, t, segment, is_asked, path.len || is_asked, is_met);
    }
}

/* "showthread.php?5550-a-title/page2": some programs have a path in their query. A word
 * alone is a parameter without a value: "?print". */
static bool is_path(struct fg_str part)
{
    bool is_more = false;
    for (size_t i = 0; i < part.len; i++) {
        if (part.at[i] == '=')
            return false;
        is_more |= part.at[i] == '/' || part.at[i] == '-' || fg_is_digit(part.at[i]);
    }
    return is_more;
}

static struct template template_of(struct fg_patterns *patterns, struct fg_str url,
                                   bool is_met)
{
    struct template t = {.hash = TEMPLATE_SEED};
    struct fg_str path, query, part;
    split(url, &path, &query);
    add_path(patterns, &t, path, query.len > 0, is_met);
    for (bool is_first = true; fg_query_next(&query, &part); is_first = false) {
        struct fg_str key = fg_query_key(part);
        add_text(&t, is_first ? FG_STR("?") : FG_STR("&"));
        if (is_path(part)) {
            struct fg_str title = fg_str_sub(part, 0, fg_str_chr(part, '/'));
            bool is_numbered =
                fg_is_digit(title.at[0]) && fg_str_chr(title, '-') != FG_NOT_FOUND;
            add_text(&t, is_numbered ? FG_STR("*") : FG_STR(""));
            add_path(patterns, &t, fg_str_skip(part, is_numbered ? title.len : 0), false,
                     is_met);
            continue;
        }
        add_text(&t, key);
        add_text(&t, FG_STR("="));
        add_word(patterns, &t, fg_str_skip(part, key.len + 1), false, is_met);
    }
    t.text[t.len] = '\0';
    return t;
}

uint64_t fg_address_shape(struct fg_str url)
{
    return template_of(NULL, url, false).hash;
}

/* --- all of a site --- */

struct fg_patterns *fg_patterns_new(void)
{
    return fg_zeroed(1, sizeof(struct fg_patterns));
}

void fg_patterns_free(struct fg_patterns *patterns)
{
    if (!patterns)
        return;
    for (size_t i = 0; i < patterns->all.len; i++)
        free(patterns->all.at[i]);
    fg_vec_clear(&patterns->all);
    fg_vec_clear(&patterns->places);
    fg_vec_clear(&patterns->params);
    fg_map_clear(&patterns->pattern_at);
    fg_map_clear(&patterns->place_at);
    fg_map_clear(&patterns->param_at);
    free(patterns);
}

static struct fg_pattern *add_pattern(struct fg_patterns *patterns)
{
    struct fg_pattern *made = fg_zeroed(1, sizeof *made);
    fg_vec_push(&patterns->all, made);
    return made;
}

static struct fg_pattern *pattern_at(struct fg_patterns *patterns,
                                     const struct template *t)
{
    const uint64_t *at = fg_map_get(&patterns->pattern_at, t->hash);
    if (at)
        return patterns->all.at[*at - 1];
    if (patterns->all.len >= PATTERNS_MOST) {
        patterns->nothing = (struct fg_pattern){.text = "(too many patterns)"};
        return &patterns->nothing;
    }
    struct fg_pattern *made = add_pattern(patterns);
    memcpy(made->text, t->text, t->len + 1);
    *fg_map_put(&patterns->pattern_at, t->hash) = patterns->all.len;
    return made;
}

struct fg_pattern *fg_patterns_find(struct fg_patterns *patterns, struct fg_str url)
{
    struct template t = template_of(patterns, url, false);
    return pattern_at(patterns, &t);
}

/* --- families --- */

/* False: it has none. A folder is one of those that lie in the site itself. */
static bool family_of(struct fg_patterns *patterns, struct template *t, struct fg_str url)
{
    enum { DEEP = 3 };
    struct fg_str path, query, rest, segment;
    *t = (struct template){.hash = ~TEMPLATE_SEED};
    split(url, &path, &query);
    if (query.len) {
        add_path(patterns, t, path, true, false);
        add_text(t, FG_STR("?*"));
    } else {
        unsigned depth = 0;
        for (rest = path; fg_str_cut(&rest, '/', &segment);)
            depth += segment.len > 0;
        if (depth < DEEP)
            return false;
        rest = fg_str_skip(path, 1);
        fg_str_cut(&rest, '/', &segment);
        add_text(t, FG_STR("/"));
        add_segment(patterns, t, segment, false, true, false);
        add_text(t, FG_STR("/..."));
    }
    t->text[t->len] = '\0';
    return true;
}

struct fg_pattern *fg_patterns_family(struct fg_patterns *patterns, struct fg_str url)
{
    struct template t;
    const uint64_t *at =
        family_of(patterns, &t, url) ? fg_map_get(&patterns->pattern_at, t.hash) : NULL;
    return at ? patterns->all.at[*at - 1] : NULL;
}

struct fg_pattern *fg_patterns_meet(struct fg_patterns *patterns, struct fg_str url)
{
    struct template family, t = template_of(patterns, url, true);
    if (family_of(patterns, &family, url))
        pattern_at(patterns, &family)->known++;
    struct fg_pattern *pattern = pattern_at(patterns, &t);
    pattern->known++;
    return pattern;
}

bool fg_family_is_trap(const struct fg_pattern *family)
{
    uint32_t fetched = fg_pattern_fetched(family);
    return fetched >= FAMILY_EVIDENCE && useful(family) * 20 <= fetched;
}

bool fg_patterns_in_maze(struct fg_patterns *patterns, struct fg_str url)
{
    const struct fg_pattern *family = fg_patterns_family(patterns, url);
    if (!family || !fg_family_is_trap(family))
        return false;
    const struct fg_pattern *own = fg_patterns_find(patterns, url);
    uint32_t pages = own->came[FG_CAME_PAGE] + own->came[FG_CAME_DOCUMENT];
    return pages * 20 <= fg_pattern_fetched(own);
}

bool fg_patterns_may_ask(struct fg_patterns *patterns, struct fg_str url, fg_time now)
{
    if (!fg_pattern_may_ask(fg_patterns_find(patterns, url), now))
        return false;
    return !fg_patterns_in_maze(patterns, url) ||
           is_day_over(fg_patterns_family(patterns, url), now);
}

void fg_patterns_note_ask(struct fg_patterns *patterns, struct fg_str url, fg_time now)
{
    struct fg_pattern *family = fg_patterns_family(patterns, url);
    if (family)
        family->last_ask = now;
    fg_patterns_find(patterns, url)->last_ask = now;
}

void fg_patterns_learn(struct fg_patterns *patterns, struct fg_str url, enum fg_came came,
                       bool is_idle)
{
    struct template t;
    fg_pattern_learn(fg_patterns_find(patterns, url), came);
    if (family_of(patterns, &t, url))
        fg_pattern_learn(pattern_at(patterns, &t), is_idle ? FG_CAME_COPY : came);
}

/* --- parameters --- */

/* A parameter belongs to the program behind the path and to the names beside it: `h` may
 * choose what a log shows and say nothing where there is an `id`. */
static uint64_t param_hash(struct fg_patterns *patterns, struct fg_str url,
                           struct fg_str key)
{
    struct fg_str path, query, part;
    struct template t = {.hash = TEMPLATE_SEED};
    uint64_t names = fg_str_hash(key) * 3;
    split(url, &path, &query);
    bool has_query = query.len > 0;
    while (fg_query_next(&query, &part))
        names += is_path(part) ? 1 : fg_str_hash(fg_query_key(part)) | 1;
    add_path(patterns, &t, path, has_query, false);
    return t.hash ^ names * 0x9E3779B97F4A7C15u;
}

static bool is_dropped(const struct param *param)
{
    return param->same >= SAME_BEFORE_DROP && param->same >= 20 * param->differs;
}

static struct param *param_at(struct fg_patterns *patterns, uint64_t hash)
{
    const uint64_t *at = fg_map_get(&patterns->param_at, hash);
    if (!at) {
        if (patterns->params.len >= PARAMS_MOST)
            return NULL;
        fg_vec_push(&patterns->params, (struct param){0});
        *fg_map_put(&patterns->param_at, hash) = patterns->params.len;
        at = fg_map_get(&patterns->param_at, hash);
    }
    return &patterns->params.at[*at - 1];
}

static void count_param(struct fg_patterns *patterns, uint64_t hash, bool is_same)
{
    struct param *param = param_at(patterns, hash);
    if (!param)
        return;
    patterns->n_dropped -= is_dropped(param);
    param->same += is_same;
    param->differs += !is_same;
    patterns->n_dropped += is_dropped(param);
}

/* A session is one on the whole site: what made no difference to several programs makes
 * none to those that were not tried. */
static uint64_t site_param_hash(struct fg_str key)
{
    return fg_str_hash(key) * 0x9E3779B97F4A7C15u;
}

static void learn_param(struct fg_patterns *patterns, struct fg_str url,
                        struct fg_str key, bool is_same)
{
    count_param(patterns, param_hash(patterns, url, key), is_same);
    count_param(patterns, site_param_hash(key), is_same);
}

static bool has_key(struct fg_str query, struct fg_str key)
{
    struct fg_str part;
    while (fg_query_next(&query, &part))
        if (fg_str_eq(fg_query_key(part), key))
            return true;
    return false;
}

static bool has_all_keys(struct fg_str query, struct fg_str other)
{
    struct fg_str part;
    while (fg_query_next(&other, &part))
        if (!has_key(query, fg_query_key(part)))
            return false;
    return true;
}

static unsigned count_lacking(struct fg_str query, struct fg_str other)
{
    struct fg_str part;
    unsigned n = 0;
    while (fg_query_next(&query, &part))
        n += !fg_query_has(other, part);
    return n;
}

/* That a page named by a hash is what there is without it says only that it is the
 * newest. */
static void learn_lacking(struct fg_patterns *patterns, struct fg_str url,
                          struct fg_str query, struct fg_str other, bool is_same)
{
    enum { NAME_LEAST = 16 };
    struct fg_str part;
    while (fg_query_next(&query, &part)) {
        struct fg_str key = fg_query_key(part);
        struct fg_str value = fg_str_skip(part, key.len + 1);
        bool is_name = value.len >= NAME_LEAST && is_token(value) && !has_key(other, key);
        /* The first page of a list is the list; that says nothing of the second. */
        bool is_lost = is_name || is_path(part) || fg_param_is_first_page(key, value);
        if (!fg_query_has(other, part) && !(is_same && is_lost))
            learn_param(patterns, url, key, is_same);
    }
}

void fg_patterns_compare(struct fg_patterns *patterns, struct fg_str a, struct fg_str b,
                         bool is_same)
{
    struct fg_str path_a, query_a, path_b, query_b;
    split(a, &path_a, &query_a);
    split(b, &path_b, &query_b);
    if (!fg_str_eq(path_a, path_b))
        return;
    unsigned in_a = count_lacking(query_a, query_b),
             in_b = count_lacking(query_b, query_a);
    /* Where several differ, that the pages are the same tells of each of them, that they
     * are not tells of none. */
    if (!in_a && !in_b)
        return;
    if (!is_same && (in_a > 1 || in_b > 1))
        return;
    /* "?t=4" and "?p=17" may name the same topic in two ways, each of which it needs. */
    if (!has_all_keys(query_a, query_b) && !has_all_keys(query_b, query_a))
        return;
    learn_lacking(patterns, a, query_a, query_b, is_same);
    /* Two values of one parameter are one comparison, not two. */
    if (param_hash(patterns, a, FG_STR("")) != param_hash(patterns, b, FG_STR("")))
        learn_lacking(patterns, b, query_b, query_a, is_same);
}

void fg_patterns_drop(struct fg_patterns *patterns, struct fg_str key)
{
    struct param *param = param_at(patterns, site_param_hash(key));
    if (!param)
        return;
    patterns->n_dropped -= is_dropped(param);
    *param = (struct param){.same = NAMES_VISIT};
    patterns->n_dropped++;
}

static const struct param *param_of(const struct fg_patterns *patterns, uint64_t hash)
{
    const uint64_t *at = fg_map_get(&patterns->param_at, hash);
    return at ? &patterns->params.at[*at - 1] : NULL;
}

bool fg_patterns_drops(struct fg_patterns *patterns, struct fg_str url, struct fg_str key)
{
    const struct param *here = param_of(patterns, param_hash(patterns, url, key));
    const struct param *anywhere = param_of(patterns, site_param_hash(key));
    if (anywhere && anywhere->same >= NAMES_VISIT)
        return true;
    if (here && (here->differs || is_dropped(here)))
        return is_dropped(here);
    return anywhere && anywhere->same >= SAME_ANYWHERE && !anywhere->differs;
}

struct reduction {
    struct fg_patterns *patterns;
    struct fg_str url;
};

static bool has_effect(void *context, struct fg_str part)
{
    const struct reduction *r = context;
    return is_path(part) || !fg_patterns_drops(r->patterns, r->url, fg_query_key(part));
}

struct fg_str fg_patterns_reduce(struct fg_patterns *patterns, struct fg_arena *arena,
                                 struct fg_str url)
{
    if (!patterns->n_dropped)
        return url;
    return fg_query_filter(arena, url, has_effect, &(struct reduction){patterns, url});
}

static bool is_not_counted_out(void *left, struct fg_str part)
{
    (void)part;
    return (*(int64_t *)left)-- != 0;
}

struct fg_str fg_address_without(struct fg_arena *arena, struct fg_str url, unsigned nth)
{
    int64_t left = nth;
    struct fg_str other = fg_query_filter(arena, url, is_not_counted_out, &left);
    return left < 0 ? other : (struct fg_str){0};
}

/* --- saving --- */

static const char magic[8] = "fgpatt3";

static void save_map(const struct fg_map *map, struct fg_buf *out)
{
    uint64_t n = fg_map_len(map), key, value;
    fg_buf_add(out, (struct fg_str){(const char *)&n, sizeof n});
    for (size_t cursor = 0; fg_map_next(map, &cursor, &key, &value);) {
        fg_buf_add(out, (struct fg_str){(const char *)&key, sizeof key});
        fg_buf_add(out, (struct fg_str){(const char *)&value, sizeof value});
    }
}

#define SAVE_VEC(vec, out)                                                            \
    do {                                                                              \
        uint64_t n_ = (vec)->len;                                                     \
        fg_buf_add(out, (struct fg_str){(const char *)&n_, sizeof n_});               \
        fg_buf_add(out,                                                               \
                   (struct fg_str){(const char *)(vec)->at, n_ * sizeof *(vec)->at}); \
    } while (0)

static void save_all(const struct fg_patterns *patterns, struct fg_buf *out)
{
    uint64_t n = patterns->all.len;
    fg_buf_add(out, (struct fg_str){(const char *)&n, sizeof n});
    for (size_t i = 0; i < n; i++)
        fg_buf_add(out, (struct fg_str){(const char *)patterns->all.at[i],
                                        sizeof *patterns->all.at[i]});
}

void fg_patterns_save(const struct fg_patterns *patterns, struct fg_buf *out)
{
    fg_buf_add(out, (struct fg_str){magic, sizeof magic});
    save_all(patterns, out);
    SAVE_VEC(&patterns->places, out);
    SAVE_VEC(&patterns->params, out);
    save_map(&patterns->pattern_at, out);
    save_map(&patterns->place_at, out);
    save_map(&patterns->param_at, out);
}

static bool take(struct fg_str *bytes, void *to, size_t n)
{
    if (bytes->len < n)
        return false;
    if (n)
        memcpy(to, bytes->at, n);
    *bytes = fg_str_skip(*bytes, n);
    return true;
}

static bool load_map(struct fg_map *map, struct fg_str *bytes, size_t most)
{
    uint64_t n, pair[2];
    if (!take(bytes, &n, sizeof n) || n > most)
        return false;
    for (uint64_t i = 0; i < n; i++) {
        if (!take(bytes, pair, sizeof pair) || !pair[1] || pair[1] > most)
            return false;
        *fg_map_put(map, pair[0]) = pair[1];
    }
    return true;
}

#define LOAD_VEC(vec, bytes, most)                                              \
    (take(bytes, &n, sizeof n) && n <= (most) &&                                \
     ((vec)->at = fg_zeroed(n + 1, sizeof *(vec)->at), (vec)->capacity = n + 1, \
      (vec)->len = n, take(bytes, (vec)->at, n * sizeof *(vec)->at)))

static bool load_all(struct fg_patterns *patterns, struct fg_str *bytes)
{
    uint64_t n;
    if (!take(bytes, &n, sizeof n) || n > PATTERNS_MOST)
        return false;
    for (uint64_t i = 0; i < n; i++) {
        struct fg_pattern *pattern = add_pattern(patterns);
        if (!take(bytes, pattern, sizeof *pattern))
            return false;
        pattern->text[TEMPLATE_MOST - 1] = '\0';
    }
    return true;
}

static bool load(struct fg_patterns *patterns, struct fg_str bytes)
{
    char head[sizeof magic];
    uint64_t n;
    if (!take(&bytes, head, sizeof head))
        return false;
    if (memcmp(head, magic, sizeof magic) != 0 || !load_all(patterns, &bytes) ||
        !LOAD_VEC(&patterns->places, &bytes, PLACES_MOST) ||
        !LOAD_VEC(&patterns->params, &bytes, PARAMS_MOST) ||
        !load_map(&patterns->pattern_at, &bytes, patterns->all.len) ||
        !load_map(&patterns->place_at, &bytes, patterns->places.len) ||
        !load_map(&patterns->param_at, &bytes, patterns->params.len))
        return false;
    for (size_t i = 0; i < patterns->params.len; i++)
        patterns->n_dropped += is_dropped(&patterns->params.at[i]);
    return !bytes.len;
}

bool fg_patterns_load(struct fg_patterns **patterns, struct fg_str bytes)
{
    *patterns = fg_patterns_new();
    if (load(*patterns, bytes))
        return true;
    fg_patterns_free(*patterns);
    *patterns = fg_patterns_new();
    return false;
}
