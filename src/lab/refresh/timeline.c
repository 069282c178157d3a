#include "lab/refresh/timeline.h"

#include <stdlib.h>

void fg_timeline_free(struct fg_timeline *timeline)
{
    if (!timeline)
        return;
    for (size_t i = 0; timeline->names && i < timeline->n; i++)
        free(timeline->names[i]);
    for (size_t kind = 0; kind < FG_TOLD_KINDS; kind++)
        free(timeline->offers.told[kind]);
    void *arrays[] = {timeline->name,   timeline->first,   timeline->last,
                      timeline->site,   timeline->group,   timeline->weight,
                      timeline->names,  timeline->changes, timeline->offers.clicks,
                      timeline->hints,  timeline->rate,    timeline->offers.skill,
                      timeline->is_lost};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    free(timeline);
}
