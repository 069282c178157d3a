/* joint_run.h - sources, first fetches and documents of one crawl under one budget a day
 *
 * Either all at one price (policy/joint.h), or by fixed shares, each spent evenly over
 * the day as is usual: `first` for first fetches, and of the rest `sources` for sources.
 * Documents are crawled for two months before the recording begins, with half of the
 * budget and a visit round every four hours; judged is what comes after three weeks of
 * it, in weeks. */
#ifndef FG_LAB_JOINT_JOINT_RUN_H
#define FG_LAB_JOINT_JOINT_RUN_H

#include "lab/joint/joint_world.h"
#include "policy/policy.h"

enum { FG_JOINT_WEEKS = 40 };

struct fg_joint_rules {
    const struct fg_policy *discovery, *refresh;
    double budget; /* fetches a day */
    bool is_priced;
    double sources, first; /* shares */
    uint64_t seed;
};

/* By week: what was had, and what there was to be had. */
struct fg_joint_part {
    double had[FG_JOINT_WEEKS], there[FG_JOINT_WEEKS];
};

struct fg_joint_run {
    struct fg_joint_part links, content, documents; /* in new pages known at once */
    struct fg_joint_part found;                     /* links, however late */
    struct fg_joint_part fresh;                     /* weighted hours of copies */
    double weeks;
    double delay_p90;             /* hours */
    double looks, firsts, visits; /* fetches of each kind, judged */
    double worst_day;             /* error of the day that missed the budget most */
    double days_off;              /* days that missed it by more than 1 % */
    double busiest;               /* tick, in mean ticks */
};

enum fg_status fg_joint_run(struct fg_joint_run *run, const struct fg_joint_world *world,
                            const struct fg_joint_rules *rules, struct fg_err *err);

#endif
