/* import.h - other people's logs of links, as a recording
 *
 *     fg_import(log, "links.tsv", "source,target,first,last", err);
 *     fg_linklog_write(log, "folder", err);
 *
 * What can be taken in:
 *   a file    gzipped or not, "-" is standard input; one row a stay, tab-separated:
 *             source, target, when it was first seen, when last. Sources and targets are
 *             numbers, URLs or any other names; times are Unix (seconds, milliseconds or
 *             microseconds) or dates as the web writes them. Columns in another order are
 *             named: by `columns`, or by a first row of names. With such a row there may
 *             be commas in place of tabs (and quotes as in CSV), and rows may be looks:
 *             time, page, link. Rows of one page and time are one look at it; a link that
 *             is there at one look and the next stayed in between.
 *   a folder  with such a file, intervals.tsv, and perhaps sources.tsv (number, name),
 *             snapshots.tsv and relevant.tsv as in recording.h
 *   a workspace  the live store: the links of every source since the crawl began */
#ifndef FG_LAB_IMPORT_H
#define FG_LAB_IMPORT_H

#include "lab/linklog.h"

/* Finds out which of the three it is. `columns` may be NULL. */
enum fg_status fg_import(struct fg_linklog *log, const char *path, const char *columns,
                         struct fg_err *err);

/* It is a folder with a store in it. */
bool fg_import_is_workspace(const char *path);

#endif
