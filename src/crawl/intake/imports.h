/* imports.h - what other programs watch, as seeds of ours
 *
 *     struct fg_import import = {.arena = arena, .tell = tell, .context = x};
 *     st = fg_import_opml(&import, text, err);
 *     if (!st && !import.wrong) ...import.lines are the seeds: enlist.h...
 *
 * A file is read whole before anything is done with it. What is wrong with an entry, what
 * of it cannot be carried over, and which entries are left out is told one by one, with
 * the line it stands on (0 where that is not known). A file that is not of its kind at
 * all is a failure, with words that fit behind the file's name. */
#ifndef FG_CRAWL_IMPORTS_H
#define FG_CRAWL_IMPORTS_H

#include "base/vec.h"
#include "crawl/intake/enlist.h"

enum fg_import_trouble {
    FG_IMPORT_WRONG,   /* the entry makes no sense: nothing is to be imported */
    FG_IMPORT_SKIPPED, /* the entry is not one for a crawler */
    FG_IMPORT_LOST,    /* it is taken, but for this part of it */
};

struct fg_import {
    struct fg_arena *arena; /* for all that is made; must outlive the lines */
    void (*tell)(void *context, enum fg_import_trouble what, size_t line,
                 const char *words);
    void *context;
    bool with_sites;                   /* of feeds, their sites as well */
    FG_VEC(struct fg_seed_line) lines; /* in the arena */
    size_t entries, wrong, skipped, lost;
};

/* OPML 2.0 and older: the outlines around a feed are its tags, as are its categories. A
 * feed (xmlUrl) is followed alone, its page (htmlUrl) noted, or with_sites a site. */
enum fg_status fg_import_opml(struct fg_import *import, struct fg_str text,
                              struct fg_err *err);
/* changedetection.io: its url-watches.json, or what its API answers. */
enum fg_status fg_import_changedetection(struct fg_import *import, struct fg_str text,
                                         struct fg_err *err);
/* urlwatch: its urls.yaml. */
enum fg_status fg_import_urlwatch(struct fg_import *import, struct fg_str text,
                                  struct fg_err *err);
/* Seeds of ours (seeds.h) or of Nutch: keys that we do not know are kept as meta. */
enum fg_status fg_import_seeds(struct fg_import *import, struct fg_str text,
                               struct fg_err *err);

/* --- for the readers --- */

void fg_import_tell(struct fg_import *import, enum fg_import_trouble what, size_t line,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));
/* False if the address is wrong, which is told. */
bool fg_import_add(struct fg_import *import, size_t line, struct fg_str url,
                   const struct fg_seed *seed);
/* A tag more, without what a tag cannot hold: commas, tabs and line ends become blanks.
 */
struct fg_str fg_import_tag(struct fg_import *import, struct fg_str tags,
                            struct fg_str tag);
/* A name on one line, at most 1,000 bytes of it. */
struct fg_str fg_import_name(struct fg_import *import, struct fg_str name);

/* What of a page counts, put together from what the other program says. */
struct fg_import_rule {
    struct fg_str base;    /* "offer", or empty */
    struct fg_str takes;   /* selectors, with commas between them */
    struct fg_str without; /* " without S" for each that is left out */
};
/* A CSS selector, or an XPath expression; false, and told, if we have no such thing. */
bool fg_import_takes(struct fg_import *import, struct fg_import_rule *rule, size_t line,
                     struct fg_str selector, bool is_xpath);
bool fg_import_without(struct fg_import *import, struct fg_import_rule *rule, size_t line,
                       struct fg_str selector, bool is_xpath);
/* Lines of the page that hold this text are left out. */
void fg_import_without_text(struct fg_import *import, struct fg_import_rule *rule,
                            size_t line, struct fg_str text);
/* As documents.value has it; empty if nothing was said. */
struct fg_str fg_import_rule_text(struct fg_import *import,
                                  const struct fg_import_rule *rule);

#endif
