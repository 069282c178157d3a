/* feed.h - RSS, Atom, RDF, CDF and JSON feeds
 *
 *     struct fg_feed_options options = {.url = FG_STR("https://example.org/feed")};
 *     const struct fg_feed *feed = fg_feed_parse(arena, body, &options);
 *     for (size_t i = 0; i < feed->n_entries; i++)
 *         visit(feed->entries[i].link, feed->entries[i].dates[FG_FEED_PUBLISHED].time);
 *
 * One model for all formats: RSS 0.90 to 2.0 with the modules that blogs use, Atom 0.3
 * and 1.0, CDF, JSON Feed 1 and 1.1. What a feed says twice in different words ends up in
 * one place: "issued", "pubDate" and "dcterms:issued" are all FG_FEED_PUBLISHED.
 *
 * Broken XML is read as far as it goes and `well_formed` is false; broken JSON yields no
 * entries. All text is valid UTF-8 and lives in the arena. */
#ifndef FG_NET_FEED_H
#define FG_NET_FEED_H

#include "base/arena.h"
#include "base/str.h"
#include "base/time.h"
#include "net/feed/xml_tidy.h"

#include <stdbool.h>

/* What goes beyond is left out, and `cut` says so. */
#define FG_FEED_BYTES_MAX    (16 << 20) /* of a document */
#define FG_FEED_ENTRIES_MAX  10000
#define FG_FEED_LINKS_MAX    100       /* and people, of one entry */
#define FG_FEED_TEXT_MAX     (1 << 20) /* of one field */
#define FG_FEED_URL_MAX      8192
#define FG_FEED_MEMORY_MAX   (64 << 20) /* of all that is made */
#define FG_FEED_PROBLEMS_MAX 64

enum fg_feed_kind {
    FG_FEED_NONE, /* not a feed */
    FG_FEED_RSS,
    FG_FEED_RDF, /* RSS 0.90, 1.0 and 1.1 */
    FG_FEED_ATOM,
    FG_FEED_CDF,
    FG_FEED_JSON
};

/* Addresses are resolved against xml:base, Content-Location and the document's own; an
 * absolute one, or one without a base, is as it was written. RSS elements that are links
 * by another name have that name as their relation: "comments", "wfw:comment", "docs",
 * "cc:license", "generator", "icon", "logo", "image", "imagelink" (where a click on the
 * image leads), "textinput", "in-reply-to". */
struct fg_feed_link {
    struct fg_str rel; /* "alternate", "self", "enclosure", "hub", "next", ... */
    struct fg_str href;
    struct fg_str type, hreflang, title, length; /* empty where not given */
    struct fg_str written;                       /* href before it was resolved */
};

enum fg_feed_date_kind {
    FG_FEED_PUBLISHED,
    FG_FEED_UPDATED,
    FG_FEED_CREATED,
    FG_FEED_EXPIRED,
    FG_FEED_DATES
};

struct fg_feed_date {
    struct fg_str text;
    fg_time time; /* FG_NEVER if there is none, or it cannot be read */
};

enum fg_feed_text_kind {
    FG_FEED_TITLE,
    FG_FEED_SUMMARY, /* also a feed's subtitle, tagline or description */
    FG_FEED_CONTENT,
    FG_FEED_RIGHTS,
    FG_FEED_INFO, /* Atom 0.3 */
    FG_FEED_TEXTS
};

/* `value.at` is NULL if there is none. Links within markup are resolved. */
struct fg_feed_text {
    struct fg_str value;
    struct fg_str base;
    bool is_markup; /* HTML or XHTML, not plain text */
};

enum fg_feed_role { FG_FEED_AUTHOR, FG_FEED_CONTRIBUTOR, FG_FEED_PUBLISHER };

struct fg_feed_person {
    enum fg_feed_role role;
    struct fg_str name, email, href;
};

/* What wikis say of the page that an entry is about: that it was made then (the first
 * version), or that there was one before. */
enum fg_feed_deed { FG_FEED_UNSAID, FG_FEED_MADE, FG_FEED_CHANGED };

/* An entry, or the feed as a whole, or the feed an entry was taken from. */
struct fg_feed_item {
    struct fg_str id;   /* guid, atom:id, rdf:about */
    struct fg_str link; /* the page this is about; empty if none is given */
    bool id_is_link;    /* it is the guid, for want of a link */
    struct fg_feed_date dates[FG_FEED_DATES];
    struct fg_feed_text texts[FG_FEED_TEXTS];
    struct fg_feed_link *links;
    size_t n_links;
    struct fg_feed_person *people;
    size_t n_people;
    struct fg_feed_item *source; /* NULL if it is of this feed */
    struct fg_str language;
    enum fg_feed_deed deed;
    unsigned line;
};

/* What a careful author would want to know. None of it stops us. */
enum fg_feed_problem_kind {
    FG_FEED_BAD_DATE,         /* cannot be read, or is not in the form of its format */
    FG_FEED_OLD_DATE,         /* two-digit year or military zone */
    FG_FEED_IMPLAUSIBLE_DATE, /* before 1970, or later than `now` by a day */
    FG_FEED_BAD_LINK,         /* is no URL */
    FG_FEED_RELATIVE_LINK,    /* is none without a base, and there is none */
    FG_FEED_BLANK_ID,
    FG_FEED_BAD_ID,      /* a permalink or atom:id that is no URL */
    FG_FEED_RELATIVE_ID, /* an atom:id must be absolute */
    FG_FEED_UNUSUAL_ID,  /* a URL, but not in normal form: easily changed by accident */
    FG_FEED_DUPLICATE_ID,
    FG_FEED_DUPLICATE_LINK, /* two alternates of the same type and language */
    FG_FEED_BAD_TTL,
    FG_FEED_BAD_SKIP_HOUR,
    FG_FEED_BAD_SKIP_DAY,
    FG_FEED_BAD_ENCLOSURE, /* no or no good url, length or type */
    FG_FEED_BLANK_TITLE,
    FG_FEED_OTHER_SELF, /* rel=self is not where the document came from */
    FG_FEED_PROBLEM_KINDS
};

struct fg_feed_problem {
    enum fg_feed_problem_kind kind;
    const char *element; /* "pubDate"; a constant */
    struct fg_str value; /* what stood there, shortened */
    unsigned line;       /* 0 if unknown */
};

struct fg_feed {
    enum fg_feed_kind kind;
    bool well_formed;
    bool cut;                    /* a limit above was met */
    bool is_served_as_something; /* the Content-Type is not that of a feed or of XML */
    struct fg_xml_problems xml;  /* what made it not well-formed, and where */
    struct {                 /* the same of JSON, where there is one mistake at most */
        struct fg_str words; /* `at` is NULL if there is none */
        unsigned line;
    } json;
    const char *encoding; /* "UTF-8": by the name of the Encoding Standard */
    struct fg_feed_item about;
    struct fg_feed_item *entries;
    size_t n_entries;
    struct fg_str self, hub; /* rel=self; the first rel=hub (WebSub) */
    struct fg_str next;      /* the next page, RFC 5005 */
    unsigned ttl_minutes;    /* 0 if not given */
    fg_time update_period;   /* sy:updatePeriod over sy:updateFrequency; 0 likewise */
    uint32_t skip_hours;     /* bit 0 is midnight to one, GMT */
    uint32_t skip_days;      /* bit 0 is Monday */
    struct fg_feed_problem *problems;
    size_t n_problems;
};

struct fg_feed_options {
    struct fg_str url;              /* where the document came from, after redirects */
    struct fg_str content_location; /* HTTP headers, empty if absent */
    struct fg_str content_type;
    fg_time now; /* for implausible dates; 0 to leave those out */
};

/* Never fails. `options` may be NULL. */
const struct fg_feed *fg_feed_parse(struct fg_arena *arena, struct fg_str bytes,
                                    const struct fg_feed_options *options);

/* For each entry the place on its page that is the entry's own, as the fragment of an
 * address, if most of the feed leads to that page; else empty. A comment may have one as
 * well. In the arena. */
const struct fg_str *fg_feed_places(struct fg_arena *arena, const struct fg_feed *feed);

/* For each entry, whether it is about a page rather than one: a comment on it, an answer
 * below it. `places` are those of the entries. In the arena. */
const bool *fg_feed_comments(struct fg_arena *arena, const struct fg_feed *feed,
                             const struct fg_str *places);

/* The first words of an entry, as text. */
struct fg_str fg_feed_excerpt(struct fg_arena *arena, const struct fg_feed_item *entry);

/* What a document is, by a look at its beginning. The media type is not asked: half of
 * the feeds are served as something else. */
enum fg_feed_kind fg_feed_sniff(struct fg_str bytes);

const char *fg_feed_kind_name(enum fg_feed_kind kind);
const char *fg_feed_problem_text(enum fg_feed_problem_kind kind);

#endif
