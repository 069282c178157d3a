/* facts.h - what an HTML page says about itself
 *
 *     struct fg_page page;
 *     struct fg_facts facts;
 *     fg_page_read(&page, arena, html, FG_PAGE_ALL);
 *     fg_facts_read(&facts, arena, &page, html, &visit);
 *     if (facts.published != FG_NEVER && facts.published < since) ...old stock...
 *
 * Title, excerpt and dates for a person, and the measurements by which net/facts/kind.h
 * tells pages from lists and actions. One walk over the HTML, shared with
 * net/html/main_text.h.
 *
 * Dates are those that the page states for machines: JSON-LD of its main thing, meta
 * elements, microdata, a time element behind a word such as "posted:", and one in the
 * article's own header; failing these, a line above the text that is labelled as the date
 * ("Date: ...", "Posted by Ann on ..."). Without a zone such a line gives only a day.
 * Last comes a line beside the heading that is a date for people and little else ("By Ann
 * | September 23, 2024", "3 hours ago"). Dates of other articles in lists and boxes do
 * not count, nor dates in prose. */
#ifndef FG_NET_FACTS_H
#define FG_NET_FACTS_H

#include "base/arena.h"
#include "base/str.h"
#include "base/time.h"
#include "net/html/page.h"

#include <stdbool.h>
#include <stdint.h>

/* Bytes of an excerpt. */
#define FG_EXCERPT_MAX 300

enum fg_claim {
    FG_CLAIM_NONE,
    FG_CLAIM_ARTICLE,
    FG_CLAIM_PRODUCT,
    FG_CLAIM_LIST,
    FG_CLAIM_OTHER /* a web page, a web site */
};

/* Of the main part. */
struct fg_main_counts {
    unsigned words; /* outside links */
    unsigned link_words, links;
    unsigned listed_words; /* of words, those in entries of lists, and excerpts */
    unsigned pre_words;    /* of words, those in preformatted text; a mail, a diff */
    unsigned pre_links;    /* links in it; an index of files has many */
};

struct fg_facts {
    struct fg_str title;     /* JSON-LD, og:title, the only h1, else <title> without the
                                site's name */
    struct fg_str h1;        /* the first one; empty if there is none */
    struct fg_str excerpt;   /* beginning of the main text, whole words; the meta
                                description where there is hardly any text */
    fg_time published;       /* FG_NEVER if it does not say */
    bool published_is_day;   /* only a day was given, without a time */
    bool published_is_local; /* a time was given, without a zone */
    /* It was published within, which also is known of "03/04/2024" and "1 year ago"; the
     * same where the moment is known. */
    fg_time published_from, published_until;
    fg_time modified;
    enum fg_claim claim;
    bool claims_strongly; /* by JSON-LD or the class of a known system, not og:type */
    uint64_t main_hash;   /* of net/html/main_text.h, and the text itself */
    struct fg_str main_text;
    struct fg_main_counts main;
    unsigned n_entries;  /* entries of lists: short rows and list items with links */
    unsigned n_excerpts; /* blocks with a link and some words of what it leads to */
    unsigned excerpt_words;
    unsigned n_headings;        /* of the main part */
    unsigned n_linked_headings; /* those that link to another page */
    unsigned n_articles;        /* article elements that are not within another */
    bool has_password;
    bool has_editor; /* a big textarea with a button that saves; not for comments */
    bool needs_script;
    bool has_consent_wall;
    bool has_pager; /* rel=next or prev, or links named next, older, 1 2 3 */
};

/* Of what is no page. */
extern const struct fg_facts fg_facts_none;

/* Where and when it was read. */
struct fg_facts_visit {
    struct fg_str url; /* absolute; links to views of it do not count as links */
    fg_time now; /* FG_NEVER: unknown; dates for people that are later do not count */
};

/* `page` was read with FG_PAGE_ALL from `html`, which is UTF-8. What is found is a view
 * into either or lives in the arena. */
void fg_facts_read(struct fg_facts *facts, struct fg_arena *arena,
                   const struct fg_page *page, struct fg_str html,
                   const struct fg_facts_visit *visit);

#endif
