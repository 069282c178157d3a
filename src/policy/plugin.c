/* A plugin keeps its state to itself, behind a pointer that belongs to one run. It is not
 * saved: plugins are for the lab and for whoever holds a scheduler in memory. */
#include "policy/plugin.h"

#include "base/memory.h"
#include "policy/forage_plugin.h"

#include <stdlib.h>

_Static_assert((int)FORAGE_TOLD_KINDS <= (int)FG_TOLD_KINDS &&
                   (int)FORAGE_CLICKS_SMOOTH == (int)FG_TOLD_CLICKS_SMOOTH,
               "kinds have one number on both sides");
_Static_assert((int)FORAGE_DISCOVERY == (int)FG_DISCOVERY &&
                   (int)FORAGE_REFRESH == (int)FG_REFRESH,
               "tasks have one number on both sides");

struct plugin {
    struct fg_policy policy; /* first, so that a brain's policy leads here */
    const struct forage_plugin *table;
    struct fg_param params[FG_PARAMS_MAX + 1];
};

struct run {
    void *self;
    bool has_begun;
};

static const struct fg_column no_columns[] = {{0}};

static const struct forage_plugin *table_of(const struct fg_brain *brain)
{
    return ((const struct plugin *)(const void *)brain->policy)->table;
}

static struct forage_world world_of(struct fg_brain *brain)
{
    const struct fg_world *world = brain->world;
    struct forage_world out = {
        .n = world->n,
        .id = world->id,
        .site = world->site,
        .group = world->group,
        .weight = world->weight,
        .added = world->added,
        .last_visit = world->last_visit,
        .last_try = world->last_try,
        .is_blocked = world->is_blocked,
        .tick = world->tick,
        .budget = world->budget,
        .random = brain->rng.state[0] ^ brain->rng.state[1],
    };
    for (size_t kind = 0; kind < FORAGE_TOLD_KINDS; kind++)
        out.told[kind] = world->told[kind];
    return out;
}

/* When it is first needed: the knobs are set by then. */
static void *self_of(struct fg_brain *brain)
{
    struct run *run = brain->self;
    const struct forage_plugin *table = table_of(brain);
    if (!run->has_begun && table->begin)
        run->self = table->begin(brain->knob, fg_rng_next(&brain->rng));
    run->has_begun = true;
    return run->self;
}

static void added(struct fg_brain *brain, size_t first)
{
    const struct forage_plugin *table = table_of(brain);
    struct forage_world world = world_of(brain);
    if (table->added)
        table->added(self_of(brain), &world, first);
}

static void moved(struct fg_brain *brain, size_t from, size_t to)
{
    const struct forage_plugin *table = table_of(brain);
    if (table->removed)
        table->removed(self_of(brain), to, from);
}

static void observe(struct fg_brain *brain, const struct fg_visit *visit)
{
    const struct forage_plugin *table = table_of(brain);
    struct forage_world world = world_of(brain);
    struct forage_seen seen = {
        .page = visit->page,
        .now = visit->now,
        .previous = visit->previous,
        .ok = visit->ok,
        .changed = visit->changed,
        .complete = visit->complete,
        .links = visit->seen,
        .fresh = visit->fresh,
        .n_links = visit->n_seen,
        .n_fresh = visit->n_fresh,
    };
    if (table->observe)
        table->observe(self_of(brain), &world, &seen);
}

static size_t choose(struct fg_brain *brain, fg_time now, size_t budget,
                     struct fg_pick *out)
{
    void *self = self_of(brain);
    struct forage_world world = world_of(brain);
    for (size_t i = 0; i < world.n; i++)
        brain->scores[i] = -INFINITY;
    table_of(brain)->score(self, &world, now, brain->scores);
    return fg_brain_take_best(brain, brain->scores, budget, out);
}

static void clear(struct fg_brain *brain)
{
    const struct forage_plugin *table = table_of(brain);
    struct run *run = brain->self;
    if (run->has_begun && table->end)
        table->end(run->self);
    *run = (struct run){0};
}

static void save(struct fg_brain *brain, struct fg_buf *out)
{
    (void)brain;
    (void)out;
}

static bool load(struct fg_brain *brain, struct fg_str bytes)
{
    (void)brain;
    return !bytes.len;
}

static const char *fault_of(const struct forage_plugin *table)
{
    const uint32_t tasks = FORAGE_DISCOVERY | FORAGE_REFRESH;
    if (!table)
        return "it has no table";
    if (table->abi != FORAGE_PLUGIN_ABI)
        return "it was made for another version of forage_plugin.h";
    if (table->size < sizeof *table)
        return "its table is too short: is 'size' set?";
    if (!table->name || !*table->name || !table->summary)
        return "it has no name or no summary";
    if (!table->score)
        return "it has no score";
    if (!table->tasks || table->tasks & ~tasks)
        return "its tasks are neither FORAGE_DISCOVERY nor FORAGE_REFRESH";
    for (size_t i = 0; table->knobs && table->knobs[i].name; i++)
        if (i >= FG_PARAMS_MAX)
            return "it has more than 24 knobs";
    for (unsigned task = FG_DISCOVERY; task <= FG_REFRESH; task *= 2)
        if (fg_policy_find(fg_str_from(table->name), (enum fg_task)task))
            return "there is a policy of its name already";
    return NULL;
}

const struct fg_policy *fg_plugin_add(const struct forage_plugin *table,
                                      struct fg_err *err)
{
    const char *fault = fault_of(table);
    if (fault) {
        fg_fail(err, FG_ECONFIG, "a policy cannot be added: %s", fault);
        return NULL;
    }
    struct plugin *plugin = fg_zeroed(1, sizeof *plugin);
    plugin->table = table;
    for (size_t i = 0; table->knobs && table->knobs[i].name; i++) {
        const struct forage_knob *knob = &table->knobs[i];
        plugin->params[i] = (struct fg_param){knob->name, knob->initial, knob->least,
                                              knob->most, knob->help ? knob->help : ""};
    }
    plugin->policy = (struct fg_policy){
        .name = table->name,
        .summary = table->summary,
        .paper = table->paper,
        .tasks = table->tasks,
        .params = plugin->params,
        .columns = no_columns,
        .self_size = sizeof(struct run),
        .added = added,
        .moved = moved,
        .observe = observe,
        .select = choose,
        .save = save,
        .load = load,
        .clear = clear,
    };
    if (fg_policy_add(&plugin->policy))
        return &plugin->policy;
    free(plugin);
    fg_fail(err, FG_ELIMIT, "a policy cannot be added: there are %d already",
            FG_PLUGINS_MAX);
    return NULL;
}
