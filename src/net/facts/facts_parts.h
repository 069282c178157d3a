/* facts_parts.h - what the readers of facts share; private to facts*.c */
#ifndef FG_NET_FACTS_PARTS_H
#define FG_NET_FACTS_PARTS_H

#include "net/facts/facts.h"
#include "net/html/walk.h"
#include "net/text/date.h"
#include "net/text/date_seen.h"
#include "net/text/prose.h"
#include "net/url/url.h"

/* What the JSON-LD of a page says of its main thing. */
struct fg_facts_thing {
    enum fg_claim claim;
    struct fg_str name;
    struct fg_str published, modified; /* as written */
    bool happens;                      /* at a time, which its text will name */
};
void fg_facts_from_graph(struct fg_facts_thing *thing, struct fg_arena *arena,
                         const struct fg_page *page);

/* The claim of a type of schema.org: "https://schema.org/NewsArticle", "Product". */
enum fg_claim fg_claim_of_type(struct fg_str type);

/* Of microdata, by the number of items of each claim. */
enum fg_claim fg_claim_of_items(const unsigned n[FG_CLAIM_OTHER + 1]);

/* Of og:type and its kin. */
enum fg_claim fg_claim_of_metas(const struct fg_page *page);

/* Of a class of the body, as common systems write them; FG_CLAIM_NONE: says nothing. */
enum fg_claim fg_claim_of_body(struct fg_str classes);

/* What the names of a class or id attribute say. */
enum fg_mark {
    FG_MARK_ASIDE = 1, /* navigation, sidebar, related, ... */
    FG_MARK_TITLE = 2,
    FG_MARK_PUBLISHED = 4,
    FG_MARK_UPDATED = 8,
    FG_MARK_PAGER = 16,
    FG_MARK_CONSENT = 32,
    FG_MARK_HENTRY = 64,
    FG_MARK_APP = 128,       /* the element that a script fills */
    FG_MARK_NOT_ASIDE = 256, /* "with-sidebar" is a class of whole pages */
};
/* A page has few classes, each many times: what they say is kept. */
enum { FG_MARKS_KEPT = 256 };
struct fg_marks {
    struct {
        uint64_t key;
        unsigned marks;
    } memory[FG_MARKS_KEPT];
};
void fg_marks_init(struct fg_marks *marks);
unsigned fg_marks_of(struct fg_marks *marks, struct fg_str names);

/* Links named 1 2 3, or by what comes next. */
bool fg_page_has_pager(const struct fg_page *page);
/* "/" and "https://example.org/" */
bool fg_href_is_home(struct fg_str href);

/* Which links of a page lead to the page itself: facts_own.c. */
enum { FG_ANCHORS_KEPT = 512 };
struct fg_own_links {
    struct fg_str url;
    struct fg_url base, page;
    bool has_base;
    uint64_t anchors[FG_ANCHORS_KEPT]; /* hashes of the ids that stood before */
    struct fg_arena scratch;           /* for one link at a time */
};
void fg_own_links_init(struct fg_own_links *own, struct fg_arena *arena,
                       struct fg_str url, struct fg_str base);
void fg_own_links_add_anchor(struct fg_own_links *own, struct fg_str id);
bool fg_own_links_has(struct fg_own_links *own, struct fg_str href);
void fg_own_links_clear(struct fg_own_links *own);

/* Fields of forms: input, button and textarea elements. */
struct fg_form {
    bool has_password, has_textarea, has_save;
};
void fg_form_field(struct fg_form *form, const struct fg_walk *walk);

/* The candidates for a title, all collapsed; empty where there is none. */
struct fg_facts_titles {
    struct fg_str thing;       /* the name of the main thing */
    struct fg_str h1;          /* the first */
    struct fg_str own_heading; /* a heading that is part of the title element's text */
    struct fg_str named;       /* by its class */
    struct fg_str site;        /* the site's name, from a heading that leads home */
    unsigned n_h1;
};
struct fg_str fg_facts_title(struct fg_arena *arena, const struct fg_page *page,
                             const struct fg_facts_titles *titles);
struct fg_str fg_facts_excerpt(struct fg_arena *arena, const struct fg_page *page,
                               struct fg_str main_text, struct fg_str title);

/* The first meta of these names, parted by blanks, that has content. */
struct fg_str fg_facts_meta(const struct fg_page *page, const char *names);

/* The dates of the meta elements, as written. */
struct fg_str fg_facts_published(const struct fg_page *page);
struct fg_str fg_facts_modified(const struct fg_page *page);

/* How exact a date is: to the moment, to the day, to the moment at a place not known. */
enum fg_grain { FG_GRAIN_MOMENT, FG_GRAIN_DAY, FG_GRAIN_LOCAL };

/* What is dated further ahead than this will happen then. */
static inline fg_time fg_facts_most_ahead(enum fg_grain grain)
{
    return grain == FG_GRAIN_LOCAL ? FG_MOST_EAST : FG_HOUR;
}

/* FG_NEVER if it is none; else `grain` (may be NULL) is set. */
fg_time fg_facts_date(struct fg_str text, enum fg_grain *grain);

/* A date for programs is a moment or a day; one for people may be vaguer. Of the zone of
 * a day nothing is known, and west of here it lasts longer. */
void fg_facts_set_span(struct fg_facts *facts, enum fg_grain grain,
                       const struct fg_date_seen *seen);

/* A date for people, in a line that is labelled as such: facts_dateline.c. */
struct fg_dateline_place {
    size_t depth;
    bool is_outside; /* navigation, or below a heading that leads elsewhere */
    bool is_listed;  /* in an entry, behind its link */
    bool is_linked, is_pre;
    bool is_entry;  /* of a list or table */
    bool is_row;    /* of a table or of terms */
    bool is_headed; /* behind the heading, before the text */
    bool is_above;  /* before any heading, in the main part or the article */
};
/* Where nothing else says it, what only a person takes for the date: facts_byline.c. */
struct fg_byline {
    struct fg_date_reader reader;
    struct fg_date_seen seen, above;        /* behind the heading, and before it */
    bool has_seen, has_two, has_above;      /* `has_two`: and they differ */
    unsigned words_above, words_at_heading; /* `words` then */
    bool is_headed;                         /* the heading has come */
};

struct fg_dateline {
    struct fg_prose line; /* the one being filled */
    struct fg_dateline_place place;
    size_t lead; /* bytes at its start that are linked */
    unsigned linked_words;
    bool is_begun;
    unsigned words, words_before; /* of short lines: so far, and when it was found */
    bool is_over;                 /* the text has begun */
    unsigned awaited, awaited_kind, lines_awaited; /* a label that stood alone */
    size_t awaited_depth;
    fg_time found;
    unsigned label;
    size_t depth;
    bool is_day, is_listed, may_be_event, has_event, has_rivals;
    struct fg_byline byline;
};
/* Nothing that comes can change it. */
static inline bool fg_dateline_is_done(const struct fg_dateline *dateline)
{
    return dateline->is_over && (dateline->found == FG_NEVER || dateline->has_rivals);
}
void fg_dateline_init(struct fg_dateline *dateline, fg_time now, struct fg_str language);
void fg_dateline_clear(struct fg_dateline *dateline);
/* `place` is that of a text, and not looked at in other steps. */
void fg_dateline_see(struct fg_dateline *dateline, const struct fg_walk *walk,
                     enum fg_walk_step step, const struct fg_dateline_place *place);
/* FG_NEVER if there is none, or it is later than `now`. */
fg_time fg_dateline_date(struct fg_dateline *dateline, struct fg_str html,
                         enum fg_grain *grain);
/* NULL if there is none. To be asked when there is no other. */
const struct fg_date_seen *fg_dateline_seen(const struct fg_dateline *dateline);

/* Is it nothing but a label that is about publishing: "posted:"? */
bool fg_dateline_is_label(struct fg_str text);

/* The time element that such a label stands before: facts_timed.c. */
struct fg_timed {
    fg_time found; /* FG_NEVER at first */
    enum fg_grain grain;
    bool has_rivals;
    bool is_begun;      /* the line has text, */
    struct fg_str line; /* this, if there is no more yet */
    unsigned marks;     /* what it says of the time element at hand: enum fg_mark */
};
/* To be shown what is the page's own. */
void fg_timed_see(struct fg_timed *timed, struct fg_arena *arena,
                  const struct fg_walk *walk, enum fg_walk_step step);
/* FG_NEVER if there is none, or it is later than `now`. */
fg_time fg_timed_date(const struct fg_timed *timed, fg_time now, enum fg_grain *grain);

/* Does the line hold a date, and besides little more than names? `is_labelled`: a word of
 * publishing stood before it. */
bool fg_byline_date(struct fg_date_seen *date, const struct fg_date_reader *reader,
                    struct fg_str line, bool is_labelled);
/* Does the word make the next date another than that of publishing? */
bool fg_dateline_is_against(struct fg_str word);

/* Words between blanks and signs; each character of scripts that have no blanks. */
unsigned fg_count_words(struct fg_str text);

#endif
