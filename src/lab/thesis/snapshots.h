/* snapshots.h - sites that were crawled once a week, in the shape of the thesis' data
 *
 *     struct fg_snapshots_options options = {.sites = 42, .seed = 1, .scale = 1};
 *     struct fg_weekly_site site;
 *     fg_snapshots_make(&site, &options, 0);
 *     ...
 *     fg_weekly_site_clear(&site);
 *
 * Chapter 3.5 of Pandey's thesis uses 42 sites of the crawls of Ntoulas, Cho and Olston
 * (WWW 2004), 23 snapshots each, which nobody can have any more. What is known of them is
 * what the chapter tells; this makes sites of which the same is true.
 *
 * Pages that show the same new links are a unit: the pages of a section with a common
 * side bar, or one page alone. Each week some units lead to something new. Which ones is
 * drawn from the three-parameter Indian buffet process (Teh and Görür, NIPS 2009): a unit
 * that was active in m of the past t weeks is active again with chance (m - sigma) / (t +
 * c), and never used units join as t^(sigma - 1). So a few units are active nearly always
 * and many once, by a power law, and the share of what is new that comes from units never
 * heard of falls with the number of weeks looked at just as the chapter reports it: two
 * numbers, sigma and c, give 74, 64, 59 and 44 % at once. How much a unit brings is drawn
 * with a heavy tail. */
#ifndef FG_LAB_SNAPSHOTS_H
#define FG_LAB_SNAPSHOTS_H

#include "lab/thesis/weekly.h"

enum { FG_SNAPSHOT_SITES = 42, FG_SNAPSHOT_WEEKS = 22 }; /* 23 snapshots */

struct fg_snapshots_options {
    size_t sites; /* the sizes of the 42 are spread evenly over so many */
    uint64_t seed;
    double scale; /* of pages and of news; 1 as published */
};

/* Site number i; the others do not matter to it. */
void fg_snapshots_make(struct fg_weekly_site *site,
                       const struct fg_snapshots_options *options, size_t i);

#endif
