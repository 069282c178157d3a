/* options.h - a community as an experiment asks for it: see community.h */
#ifndef FG_LAB_RANK_OPTIONS_H
#define FG_LAB_RANK_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

/* 0 is what was published. */
struct fg_community {
    size_t pages, users;
    double visits;     /* a day, of all users */
    double life_days;  /* of a page, in the mean */
    double top;        /* the highest quality */
    double surfing;    /* share of visits that do not come from the list */
    size_t delay_days; /* until a report is in; 0: at once */
    double lost;       /* share of reports that never come */
    unsigned feedback; /* of enum fg_feedback */
    size_t days;       /* that are judged, after... */
    size_t warm_up;    /* ...these; 0: six lives */
    bool is_study;     /* all pages live exactly life_days, as in 5.10 */
    bool has_model;    /* of 5.6, to stand beside it */
    const char *
        *sweeps; /* figures that it is a point of: pages, life, visits, users, surfing */
    size_t n_sweeps;
};

#endif
