/* feed_parts.h - what the files of the feed reader know of each other, and sitemap.c,
 * which reads feeds as sitemaps */
#ifndef FG_NET_FEED_PARTS_H
#define FG_NET_FEED_PARTS_H

#include "base/buf.h"
#include "net/feed/feed.h"
#include "net/feed/xml.h"
#include "net/url/url.h"

/* An open element. */
struct fg_feed_frame {
    const struct fg_feed_rule *rule; /* NULL if we do not know it */
    struct fg_feed_item *item;       /* what it belongs to */
    const struct fg_url *base;       /* for addresses within; NULL if there is none */
    unsigned where;                  /* for elements within; see feed_reader.c */
    struct fg_str name;              /* as long as the XML reader lives */
    unsigned line;
};

/* XML events in, a feed out. */
struct fg_feed_reader {
    struct fg_arena *arena; /* for all that is made */
    struct fg_feed *feed;
    /* If set, called at the end of each entry instead of keeping it. */
    void (*on_entry)(void *context, struct fg_feed_item *entry);
    void *context;
    const struct fg_xml *xml; /* asked for lines; may be NULL */
    fg_time now;

    /* All below is private to feed_reader.c. */
    size_t memory_start;
    struct fg_feed_frame frames[FG_XML_DEPTH_MAX + 1];
    unsigned depth;
    unsigned collecting; /* the depth of the element whose text is wanted; 0 if none */
    struct fg_buf text;
    bool is_inline; /* markup within the text is written out, not read */
    bool is_base64;
    bool is_markup;
    bool just_opened; /* the last event was the start of an inline element */
    bool is_permalink;
    struct fg_feed_link link;      /* the one being read */
    struct fg_feed_person *person; /* likewise */
    fg_time period;
    unsigned frequency;
    bool is_atom03;
    size_t n_kept;
};

void fg_feed_reader_init(struct fg_feed_reader *reader, struct fg_arena *arena,
                         const struct fg_feed_options *options);
void fg_feed_reader_start(struct fg_feed_reader *reader, const struct fg_xml_tag *tag);
void fg_feed_reader_end(struct fg_feed_reader *reader);
void fg_feed_reader_text(struct fg_feed_reader *reader, struct fg_str text);
/* The feed's own link, hub and so on; frees the reader's own memory. */
void fg_feed_reader_clear(struct fg_feed_reader *reader);

/* What the name of a root element says. */
enum fg_feed_kind fg_feed_kind_of(enum fg_xml_ns ns, struct fg_str name);

/* --- made by all formats --- */

/* A feed, and an item in memory that is all zero, of which nothing is known yet: no date
 * is FG_NEVER, not 1970. */
struct fg_feed *fg_feed_new(struct fg_arena *arena);
void fg_feed_item_init(struct fg_feed_item *item);

/* A new link or person of an item; NULL if it has too many. */
struct fg_feed_link *fg_feed_add_link(struct fg_feed *feed, struct fg_feed_item *item,
                                      struct fg_arena *arena);
struct fg_feed_person *fg_feed_add_person(struct fg_feed *feed, struct fg_feed_item *item,
                                          struct fg_arena *arena, enum fg_feed_role role);
/* Choose the item's link among its links. */
void fg_feed_choose_link(struct fg_feed_item *item);
/* Take self, hub and next from the feed's links. */
void fg_feed_choose_links(struct fg_feed *feed);

/* A reference as an absolute URL, if it is not one already and there is a base. */
struct fg_str fg_feed_resolve(struct fg_arena *arena, struct fg_str reference,
                              const struct fg_url *base);
bool fg_feed_has_scheme(struct fg_str reference);

/* --- text --- */

/* Decoded, or as it was if it is not base64 or not text. */
struct fg_str fg_feed_base64(struct fg_arena *arena, struct fg_str text);
/* HTML with the addresses in its tags resolved. */
struct fg_str fg_feed_markup(struct fg_arena *arena, struct fg_str html,
                             const struct fg_url *base);
/* "Name (mail)", "mail (Name)", "Name <mail>", or one of them. */
void fg_feed_read_person(struct fg_feed_person *person, struct fg_str text);

/* The text being collected. Fields that hold markup as elements have it written out. */
void fg_feed_add_text(struct fg_feed_reader *reader, struct fg_str text);
void fg_feed_add_escaped(struct fg_feed_reader *reader, struct fg_str text, bool quotes);
void fg_feed_write_start(struct fg_feed_reader *reader, const struct fg_xml_tag *tag);
void fg_feed_write_end(struct fg_feed_reader *reader, struct fg_str name);
void fg_feed_close_tag(struct fg_feed_reader *reader); /* its ">", if it is still due */

/* When to come back. */
void fg_feed_read_ttl(struct fg_feed_reader *reader, struct fg_str text);
void fg_feed_read_hour(struct fg_feed_reader *reader, struct fg_str text);
void fg_feed_read_day(struct fg_feed_reader *reader, struct fg_str text);
void fg_feed_read_period(struct fg_feed_reader *reader, struct fg_str text);
void fg_feed_read_frequency(struct fg_feed_reader *reader, struct fg_str text);

/* --- checks --- */

void fg_feed_complain(struct fg_feed *feed, struct fg_arena *arena,
                      enum fg_feed_problem_kind kind, const char *element,
                      struct fg_str value, unsigned line);
/* One element; `is_rss` tells which standard its dates are to keep. */
void fg_feed_check_date(struct fg_feed_reader *reader, const char *element,
                        const struct fg_feed_date *date, unsigned line, bool is_rss,
                        bool is_module);
void fg_feed_check_id(struct fg_feed_reader *reader, const char *element,
                      struct fg_str id, unsigned line, bool is_rss);
void fg_feed_check_link(struct fg_feed_reader *reader, const char *element,
                        struct fg_str href, const struct fg_url *base, unsigned line,
                        bool is_rss);
void fg_feed_check_enclosure(struct fg_feed_reader *reader,
                             const struct fg_feed_link *link, unsigned line);
/* All entries together: what occurs twice. */
void fg_feed_check_whole(struct fg_feed *feed, struct fg_arena *arena,
                         const struct fg_feed_options *options);

/* --- formats --- */

void fg_feed_read_json(struct fg_feed *feed, struct fg_arena *arena, struct fg_str bytes,
                       const struct fg_feed_options *options);

#endif
