#include "lab/experiment_kind.h"

const struct fg_experiment_kind *const fg_experiment_kinds[] = {
    &fg_experiment_replay, &fg_experiment_cover,  &fg_experiment_refresh,
    &fg_experiment_joint,  &fg_experiment_whatif, &fg_experiment_quality,
    &fg_experiment_ads,    &fg_experiment_rank,   NULL};
