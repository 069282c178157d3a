/* tdmrep.h - whether text and data mining is reserved (TDMRep, W3C Community Group Final
 * Report of 10 May 2024)
 *
 *     const struct fg_tdmrep *file = fg_tdmrep_parse(arena, text, &problem);
 *     struct fg_tdm tdm = fg_tdmrep_at(file, FG_STR("/news/1.html"));
 *     fg_tdm_add_header(&tdm, reservation, policy);
 *     fg_tdm_add_meta(&tdm, meta_name, meta_content);
 *     if (tdm.reservation == FG_TDM_RESERVED) ...
 *
 * A site says it in /.well-known/tdmrep.json, an answer in its headers tdm-reservation
 * and tdm-policy, an HTML page in meta elements of these names; the later of these
 * overrides the one before. Values other than 0 and 1 are as if they were not there. */
#ifndef FG_NET_TDMREP_H
#define FG_NET_TDMREP_H

#include "base/arena.h"
#include "base/str.h"

#include <stdbool.h>

#define FG_TDMREP_PATH "/.well-known/tdmrep.json"
/* What we read of a file; a longer one is not read at all. */
#define FG_TDMREP_MAX_BYTES (256 << 10)
/* Rules beyond these are not looked at; the file is then taken to reserve what its first
 * rules do not mention. */
#define FG_TDMREP_RULES_MAX 2000

enum fg_tdm_reservation { FG_TDM_UNSET, FG_TDM_FREE, FG_TDM_RESERVED };
enum fg_tdm_from { FG_TDM_NOWHERE, FG_TDM_FILE, FG_TDM_HEADER, FG_TDM_META };

struct fg_tdm {
    enum fg_tdm_reservation reservation;
    enum fg_tdm_from from;
    struct fg_str policy; /* where the terms are; empty if it is not said. A view */
};

/* "unset", "free", "reserved"; "tdmrep.json", "header", "meta", NULL for nowhere. */
const char *fg_tdm_name(enum fg_tdm_reservation reservation);
const char *fg_tdm_from_name(enum fg_tdm_from from);

struct fg_tdmrep; /* private to tdmrep.c */

/* NULL if it is no such file, with `problem` in words (a literal); rules that make no
 * sense are left out. The result lives in the arena and does not point into `text`. */
const struct fg_tdmrep *fg_tdmrep_parse(struct fg_arena *arena, struct fg_str text,
                                        const char **problem);

/* What the first rule that matches says. Patterns are those of robots.txt
 * (net/robots/rules.h). A path that would take too much work to judge is reserved. `file`
 * may be NULL. */
struct fg_tdm fg_tdmrep_at(const struct fg_tdmrep *file, struct fg_str path);

void fg_tdm_add_header(struct fg_tdm *tdm, struct fg_str reservation,
                       struct fg_str policy);
/* One meta element, if it is about this. */
void fg_tdm_add_meta(struct fg_tdm *tdm, struct fg_str name, struct fg_str content);

#endif
