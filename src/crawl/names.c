/* The names of what the store keeps as numbers. */
#include "crawl/budget.h"

static const char *name_in(const char *const *names, size_t n, unsigned number)
{
    return number < n && names[number] ? names[number] : "unknown";
}

const char *fg_visit_purpose_name(unsigned purpose)
{
    static const char *const names[] = {
        [FIRST_FETCH] = "first",
        [SOURCE_REFRESH] = "source",
        [DOCUMENT_REFRESH] = "document",
        [CAPTURE] = "capture",
    };
    return name_in(names, sizeof names / sizeof *names, purpose);
}

const char *fg_visit_failure_name(unsigned failure)
{
    if (!failure)
        return NULL;
    if (failure < FG_OUTCOMES)
        return fg_outcome_name((enum fg_outcome)failure);
    if (failure == FAILED_ASK + FG_ASK_HELD) /* by its own host is no failure */
        return "unreachable-redirect";
    if (failure >= FAILED_ASK && failure <= FAILED_ASK + FG_ASK_STOPPED)
        return fg_ask_end_name((enum fg_ask_end)(failure - FAILED_ASK));
    return "unknown";
}
