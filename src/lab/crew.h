/* crew.h - numbered jobs on all cores
 *
 *     struct fg_crew crew = {.jobs = n, .is_done = done, .threads = 4, .work = work};
 *     fg_crew_run(&crew, err);
 *     if (crew.done < crew.jobs)
 *         ...it was stopped...
 *
 * Jobs are begun in the order of their numbers; those that are done already are passed
 * over. Whoever keeps results by job number has the same ones on any number of threads.
 * After a failure or a wish to stop, what is under way is finished and nothing begun. */
#ifndef FG_LAB_CREW_H
#define FG_LAB_CREW_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct fg_crew {
    size_t jobs, done;
    bool *is_done;  /* by job; the caller's */
    size_t threads; /* 0: one */
    void *context;  /* of the two below */
    enum fg_status (*work)(void *context, size_t job, struct fg_err *err);
    /* Called for each finished job, one at a time; may be NULL. */
    void (*leave)(void *context, size_t job);
    /* Called now and then from the calling thread; false stops the crew. `seconds` is the
     * time left, negative while there is no telling. May be NULL. */
    bool (*progress)(void *context, size_t done, size_t total, double seconds);
    void *progress_context;
};

enum fg_status fg_crew_run(struct fg_crew *crew, struct fg_err *err);

#endif
