/* facts_marks.c - what names say: of classes and ids, and of links */
#include "net/facts/facts_parts.h"
#include "net/text/word_list.h"
#include "net/url/query.h"

#include <pthread.h>

enum {
    CLASS_MAX = 1024, /* bytes of an attribute that we look at */
    PAGER_LINKS = 12, /* more numbers in a row are the days of a calendar */
};

/* Words are parts of names, parted by dashes and underscores. */
static const struct {
    unsigned marks;
    bool is_whole; /* a whole name only */
    struct fg_str words;
} table[] = {
    {FG_MARK_ASIDE, false,
     FG_WORDS("nav navbar navigation navi menu masthead menubar sidebar share sharing "
              "social similar subnav sitenav sharedaddy breadcrumb breadcrumbs blogroll "
              "banner crumbs cookie cookies footer related recommended recommendations "
              "toolbar tagcloud toc topbar langswitch")},
    {FG_MARK_ASIDE | FG_MARK_PAGER, false, FG_WORDS("pagination pager paging")},
    {FG_MARK_ASIDE | FG_MARK_CONSENT, false,
     FG_WORDS("consent didomi onetrust cookiewall usercentrics")},
    {FG_MARK_NOT_ASIDE, false,
     FG_WORDS("has with no without is layout wrapper wrap container page content main "
              "left right both")},
    {FG_MARK_ASIDE, true, FG_WORDS("header widget widget-area catmenu site-header")},
    {FG_MARK_TITLE, true,
     FG_WORDS("entry-title post-title commit-subject article-title page-title "
              "product-title p-name topic-title subject")},
    {FG_MARK_PUBLISHED, true,
     FG_WORDS("published dt-published entry-date post-date pubdate post__date "
              "article-date publish-date date-published")},
    {FG_MARK_UPDATED, true, FG_WORDS("updated dt-updated modified date-modified")},
    {FG_MARK_HENTRY, true, FG_WORDS("hentry h-entry")},
    {FG_MARK_APP, true,
     FG_WORDS("root app __next __nuxt app-root react-root svelte ember-app ___gatsby")},
};

/* The words that are ours, by hash, and by first letter and length, for most are none. */
static struct {
    uint32_t lengths[32];
    struct {
        struct fg_str word;
        unsigned as_part, as_whole; /* of a name; the name */
    } words[256];
} ours;

/* Where a word stands, or would: the table is never more than half full. */
static size_t slot_of(struct fg_str word)
{
    enum { SLOTS = sizeof ours.words / sizeof *ours.words };
    size_t slot = fg_str_hash(word) % SLOTS;
    while (ours.words[slot].word.len && !fg_str_eq(ours.words[slot].word, word))
        slot = (slot + 1) % SLOTS;
    return slot;
}

static void fill_tables(void)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct fg_str rest = fg_str_trim(table[i].words), word;
        while (fg_str_cut(&rest, ' ', &word)) {
            size_t slot = slot_of(word);
            ours.words[slot].word = word;
            if (table[i].is_whole)
                ours.words[slot].as_whole |= table[i].marks;
            else
                ours.words[slot].as_part |= table[i].marks;
            ours.lengths[word.at[0] & 31] |= UINT32_C(1) << (word.len & 31);
        }
    }
}

void fg_marks_init(struct fg_marks *marks)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill_tables);
    *marks = (struct fg_marks){0};
}

static unsigned marks_of_text(struct fg_str text, bool is_whole)
{
    char small[31];
    if (!text.len || text.len > sizeof small ||
        !(ours.lengths[text.at[0] & 31] >> text.len & 1))
        return 0;
    for (size_t i = 0; i < text.len; i++)
        small[i] = fg_lower(text.at[i]);
    size_t slot = slot_of((struct fg_str){small, text.len});
    return is_whole ? ours.words[slot].as_whole : ours.words[slot].as_part;
}

static unsigned marks_of_name(struct fg_str name)
{
    unsigned found = 0;
    for (size_t first = 0, i = 0; i <= name.len; i++)
        if (i == name.len || name.at[i] == '-' || name.at[i] == '_') {
            found |= marks_of_text(fg_str_sub(name, first, i), false);
            first = i + 1;
        }
    if (found & FG_MARK_NOT_ASIDE)
        found &= ~(unsigned)(FG_MARK_ASIDE | FG_MARK_NOT_ASIDE);
    return found | marks_of_text(name, true);
}

static unsigned marks_of_names(struct fg_str names)
{
    unsigned found = 0;
    names = fg_str_sub(names, 0, CLASS_MAX);
    for (size_t at = 0; at < names.len;) {
        size_t end = at;
        while (end < names.len && !fg_is_space(names.at[end]))
            end++;
        found |= marks_of_name(fg_str_sub(names, at, end));
        at = end + 1;
    }
    return found;
}

unsigned fg_marks_of(struct fg_marks *marks, struct fg_str names)
{
    uint64_t key = fg_str_hash(names);
    size_t slot = key % FG_MARKS_KEPT;
    if (marks->memory[slot].key != key) {
        marks->memory[slot].key = key;
        marks->memory[slot].marks = marks_of_names(names);
    }
    return marks->memory[slot].marks;
}

/* "Next", "Older posts", "nächste Seite" */
static bool is_further_word(struct fg_str words)
{
    struct fg_str first;
    return words.len && words.len <= 30 && fg_str_cut(&words, ' ', &first) &&
           fg_word_in(first, "next older [next] » › > >> weiter nächste ältere suivant "
                             "siguiente successivo volgende następna nästa próxima");
}

/* Links named 1 2 3, or by what comes next. */
bool fg_page_has_pager(const struct fg_page *page)
{
    uint64_t before = 0, n;
    unsigned run = 0;
    for (size_t i = 0; i < page->n_links; i++) {
        const struct fg_link *link = &page->links[i];
        if (link->rel & (FG_REL_NEXT | FG_REL_PREV) || is_further_word(link->words))
            return true;
        bool is_number = link->words.len <= 3 && fg_str_to_u64(link->words, &n);
        if (is_number && (run ? n == before + 1 : n <= 2))
            run++;
        else if (run >= 2 && run <= PAGER_LINKS)
            return true;
        else
            run = is_number && n <= 2;
        before = is_number ? n : 0;
    }
    return run >= 2 && run <= PAGER_LINKS;
}

/* "/", and "/index.php?sid=7". */
bool fg_href_is_home(struct fg_str href)
{
    static const char *const names[] = {"/",          "/index.php", "/index.html",
                                        "/index.htm", "/home",      "/default.aspx",
                                        "/index.jsp", "/index.cgi"};
    href = fg_str_trim(href);
    size_t host = fg_str_find(href, FG_STR("//"));
    if (host != FG_NOT_FOUND && host <= 6) {
        href = fg_str_skip(href, host + 2);
        size_t slash = fg_str_chr(href, '/');
        if (slash == FG_NOT_FOUND)
            return true;
        href = fg_str_skip(href, slash);
    }
    struct fg_str query = fg_query_of(href), key = fg_query_key(query);
    if (query.len && !fg_word_in(key, "sid s phpsessid"))
        return false;
    href = fg_str_sub(href, 0, query.len ? href.len - query.len - 1 : href.len);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (fg_str_eq_nocase(href, fg_str_from(names[i])))
            return true;
    return false;
}
