/* linklog.h - which page linked to what, and when: gathered, then written as a recording
 *
 *     struct fg_linklog *log = fg_linklog_new();
 *     uint32_t source = fg_linklog_source(log, FG_STR("example.org/news"));
 *     uint64_t target = fg_linklog_target(log,
 * FG_STR("https://example.org/2026/a.html")); fg_linklog_look(log, source, now);
 *     fg_linklog_stay(log, source, target, first, last);
 *     fg_linklog_write(log, "folder", err);
 *     fg_linklog_free(log);
 *
 * Times are Unix seconds. What is written is the folder that recording.h reads; the names
 * of targets are not in it. */
#ifndef FG_LAB_LINKLOG_H
#define FG_LAB_LINKLOG_H

#include "base/err.h"
#include "base/str.h"

#include <stdint.h>

struct fg_linklog;

struct fg_linklog *fg_linklog_new(void);
void fg_linklog_free(struct fg_linklog *log);

/* The number of a source or target, a new one if the name is new. */
uint32_t fg_linklog_source(struct fg_linklog *log, struct fg_str name);
uint64_t fg_linklog_target(struct fg_linklog *log, struct fg_str name);

/* The target was on the source at every look from first to last. */
void fg_linklog_stay(struct fg_linklog *log, uint32_t source, uint64_t target,
                     int64_t first, int64_t last);
/* The source was looked at. Without any look, every time a stay names counts as one, of
 * all sources. */
void fg_linklog_look(struct fg_linklog *log, uint32_t source, int64_t time);
/* It counts in a focused crawl. */
void fg_linklog_relevant(struct fg_linklog *log, uint64_t target);

/* A whole site, with sources named after it and targets of its own. */
struct fg_site;
void fg_linklog_site(struct fg_linklog *log, const struct fg_site *site,
                     const char *name);

/* Take a source as unchanged for so many seconds after each look, or up to the next: as
 * if it had been looked at every hour and shown the same. For logs of a crawl that chose
 * where to look. Once, before writing. */
void fg_linklog_fill(struct fg_linklog *log, int64_t seconds);

size_t fg_linklog_sources(const struct fg_linklog *log);
size_t fg_linklog_targets(const struct fg_linklog *log);
size_t fg_linklog_stays(const struct fg_linklog *log);

/* Makes the folder if it is not there. Files in it are replaced. */
enum fg_status fg_linklog_write(struct fg_linklog *log, const char *folder,
                                struct fg_err *err);

#endif
