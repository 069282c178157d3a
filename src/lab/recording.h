/* recording.h - what real pages linked to, read from a folder
 *
 *     struct fg_recording *recording;
 *     fg_recording_load(&recording, "denews24", err);
 *     for (size_t i = 0; i < fg_recording_sites(recording); i++)
 *         site = fg_recording_site(recording, i);
 *     fg_recording_free(recording);
 *
 * The folder has files of tab-separated rows, gzipped (.gz) or plain; lines that start
 * with # are passed over:
 *   sources.tsv    number, name (host/path)
 *   intervals.tsv  source, target, first seen, last seen (Unix seconds): the target was
 *                  on the source in every snapshot between
 *   snapshots.tsv  time, sources looked at then: * for all, or numbers with commas.
 *                  Without this file every time an interval names counts as a snapshot of
 *                  all sources
 *   relevant.tsv   target: those that count in a focused crawl. Without this file all do
 * Sources, targets and intervals may come in any order. linklog.h writes such a folder.
 *
 * The sites of a recording are the registrable domains of its sources, those that have at
 * least three; and last, if that is not the same, the recording as a whole. Time goes by
 * whole hours (UTC) from the first at which nine tenths of the site's sources had a
 * snapshot. A visit sees the last snapshot at or before the hour; it fails if that is
 * more than three hours old. */
#ifndef FG_LAB_RECORDING_H
#define FG_LAB_RECORDING_H

#include "base/err.h"
#include "base/str.h"
#include "lab/site.h"

struct fg_recording;

enum fg_status fg_recording_load(struct fg_recording **recording, const char *folder,
                                 struct fg_err *err);
void fg_recording_free(struct fg_recording *recording);

/* How Schulam & Muslea (WWW 2023, 3.1) prepare what they recorded. */
struct fg_preparation {
    double density;    /* of the hours, those in which a source must have been fetched */
    size_t top, least; /* most sources of a site, by number of fetches; fewest */
    uint64_t seed;
};
/* One fetch an hour and source is drawn; a visit in an hour without one fails. Sources
 * that are not dense and sites that are too small go. For a recording as it was loaded.
 */
void fg_recording_prepare(struct fg_recording *recording,
                          const struct fg_preparation *preparation);

/* How many sites, the whole included; the name of one; whether it is the whole. */
size_t fg_recording_sites(const struct fg_recording *recording);
const char *fg_recording_site_name(const struct fg_recording *recording, size_t i);
bool fg_recording_is_whole(const struct fg_recording *recording, size_t i);
/* Whether it stands for a site: a domain does, and the whole where there is no domain
 * with enough sources, but not of a recording that was prepared. */
bool fg_recording_is_site(const struct fg_recording *recording, size_t i);

/* The caller frees it. */
struct fg_site *fg_recording_site(const struct fg_recording *recording, size_t i);

/* A source as it was looked at: its name (empty if the number stands for nothing) and the
 * times of its snapshots, rising, in Unix seconds. Both live as long as the recording. */
struct fg_recorded_source {
    struct fg_str name;
    const int64_t *snapshots;
    size_t n_snapshots;
};

size_t fg_recording_sources(const struct fg_recording *recording);
struct fg_recorded_source fg_recording_source(const struct fg_recording *recording,
                                              size_t i);

/* The snapshots of a source whose set of links differs from that of the snapshot before,
 * rising; returns how many. The caller frees them. One pass over the recording. */
size_t fg_recording_changes(const struct fg_recording *recording, size_t source,
                            int64_t **times);

#endif
