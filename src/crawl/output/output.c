#include "crawl/output/output.h"

#include "base/log.h"
#include "base/memory.h"

#include <assert.h>
#include <event2/event.h>
#include <stdlib.h>

/* All kinds, in the order of their settings. */
#define KINDS(X) X(stdout) X(file) X(feeds) X(webhooks) X(digest)

#define DECLARE(name) extern const struct fg_output_kind fg_output_##name;
KINDS(DECLARE)
#define ROW(name) &fg_output_##name,
static const struct fg_output_kind *const kinds[] = {KINDS(ROW)};
enum { N_KINDS = sizeof kinds / sizeof *kinds };
static_assert(sizeof kinds / sizeof *kinds <= FG_OUTPUT_KINDS,
              "FG_OUTPUT_KINDS is too small");

static const fg_time retry_every = 1 * FG_SECOND, reopen_every = 50 * FG_MILLISECOND;

/* An output of one kind, and what is wrong with it. */
struct outlet {
    void *output;       /* NULL: none is wanted */
    bool is_reopening;  /* its settings have changed; it may still be closing, or fail */
    uint64_t delivered; /* while it is closed for that */
    struct fg_err why;  /* status FG_OK: nothing is wrong */
    fg_time since;      /* by the crawl's clock */
    fg_time next_try;   /* monotonic */
};

struct fg_outputs {
    struct fg_output_env env;
    struct event *timer; /* while something is wrong */
    struct outlet at[N_KINDS];
};

/* --- settings --- */

void fg_outputs_add_opts(struct fg_output_settings *settings, struct fg_opts *opts)
{
    for (size_t i = 0; i < N_KINDS; i++) {
        if (!kinds[i]->opts)
            continue;
        settings->of[i] = fg_arena_array(opts->arena, kinds[i]->settings_size, 1);
        fg_opts_add(opts, kinds[i]->opts, settings->of[i]);
    }
}

static size_t place_of(const struct fg_output_kind *kind)
{
    size_t i = 0;
    while (kinds[i] != kind)
        i++;
    return i;
}

const void *fg_output_settings_of(const struct fg_output_settings *settings,
                                  const struct fg_output_kind *kind)
{
    return settings->of[place_of(kind)];
}

enum fg_status fg_outputs_check(const struct fg_output_settings *settings,
                                struct fg_err *err)
{
    enum fg_status st = FG_OK;
    for (size_t i = 0; !st && i < N_KINDS; i++)
        if (kinds[i]->check && settings->of[i])
            st = kinds[i]->check(settings->of[i], err);
    return st;
}

/* --- trouble, and other settings --- */

static void wake_after(struct fg_outputs *outputs, fg_time wait)
{
    struct timeval next = {wait / FG_SECOND, wait % FG_SECOND};
    event_add(outputs->timer, &next);
}

static void note(struct fg_outputs *outputs, size_t i, enum fg_status st,
                 const struct fg_err *err)
{
    struct outlet *outlet = &outputs->at[i];
    enum fg_status before = outlet->why.status;
    if (st && (!before || strcmp(outlet->why.text, err->text) != 0))
        fg_log_error("outputs", "waiting", FG_F("output", kinds[i]->name),
                     FG_F("why", err->text));
    if (st && !before)
        outlet->since = fg_clock_now(outputs->env.clock);
    if (!st && before)
        fg_log_info("outputs", "goes on", FG_F("output", kinds[i]->name));
    outlet->why = st ? *err : (struct fg_err){0};
    outlet->why.status = st;
    if (!st)
        return;
    outlet->next_try = fg_time_monotonic() + retry_every;
    wake_after(outputs, retry_every);
}

static bool is_busy(const struct fg_outputs *outputs, size_t i)
{
    const void *output = outputs->at[i].output;
    return output && kinds[i]->busy && kinds[i]->busy(output);
}

/* What it noted last must be in the store before the next one asks for it there. */
static enum fg_status reopen(struct fg_outputs *outputs, size_t i, struct fg_err *err)
{
    struct outlet *outlet = &outputs->at[i];
    enum fg_status st = fg_store_flush(outputs->env.store, UINT64_MAX, err);
    if (st)
        return st;
    if (outlet->output) {
        outlet->delivered =
            kinds[i]->delivered ? kinds[i]->delivered(outlet->output) : UINT64_MAX;
        kinds[i]->close(outlet->output);
        outlet->output = NULL;
    }
    st =
        kinds[i]->open(&outlet->output, &outputs->env, outputs->env.settings->of[i], err);
    outlet->is_reopening = st != FG_OK;
    return st;
}

static void poke(struct fg_outputs *outputs, size_t i)
{
    struct outlet *outlet = &outputs->at[i];
    struct fg_err err = {0};
    enum fg_status st = FG_OK;
    if (outlet->is_reopening && is_busy(outputs, i)) {
        wake_after(outputs, reopen_every);
        return;
    }
    if (outlet->is_reopening)
        st = reopen(outputs, i, &err);
    if (!st && outlet->output)
        st = kinds[i]->poke(outlet->output, &err);
    note(outputs, i, st, &err);
}

static void on_timer(evutil_socket_t fd, short what, void *context)
{
    (void)fd, (void)what;
    struct fg_outputs *outputs = context;
    for (size_t i = 0; i < N_KINDS; i++)
        if (outputs->at[i].why.status || outputs->at[i].is_reopening)
            poke(outputs, i);
}

/* What differed of one kind. */
struct comparison {
    void (*differs)(void *context, const struct fg_opt *opt);
    void *context;
    bool is_changed;
};

static void note_difference(void *context, const struct fg_opt *opt)
{
    struct comparison *comparison = context;
    comparison->is_changed |= opt->is_live;
    comparison->differs(comparison->context, opt);
}

static void reload(struct fg_outputs *outputs, size_t i, const void *fresh,
                   struct comparison *comparison)
{
    struct outlet *outlet = &outputs->at[i];
    struct fg_err err = {0};
    if (kinds[i]->check && kinds[i]->check(fresh, &err)) {
        fg_log_warn("config", "not reloaded", FG_F("output", kinds[i]->name),
                    FG_F("why", err.text));
        return;
    }
    fg_opts_update(kinds[i]->opts, outputs->env.settings->of[i], fresh, note_difference,
                   comparison);
    if (!comparison->is_changed || kinds[i]->rereads)
        return;
    if (outlet->output && kinds[i]->drain)
        kinds[i]->drain(outlet->output, false);
    outlet->is_reopening = true;
    poke(outputs, i);
}

void fg_outputs_reload(struct fg_outputs *outputs, const struct fg_output_settings *fresh,
                       void (*differs)(void *context, const struct fg_opt *opt),
                       void *context)
{
    for (size_t i = 0; i < N_KINDS; i++) {
        struct comparison comparison = {differs, context, false};
        if (kinds[i]->opts && outputs->env.settings->of[i] && fresh->of[i])
            reload(outputs, i, fresh->of[i], &comparison);
    }
}

bool fg_outputs_trouble(const struct fg_outputs *outputs, size_t i,
                        struct fg_output_trouble *trouble)
{
    for (size_t k = 0; k < N_KINDS; k++) {
        const struct outlet *outlet = &outputs->at[k];
        if (!outlet->why.status || i--)
            continue;
        *trouble =
            (struct fg_output_trouble){kinds[k]->name, outlet->why.text, outlet->since};
        return true;
    }
    return false;
}

/* --- all of them --- */

/* While the store has no room nothing is handed on: it could not be noted, and would come
 * again after a kill. */
void fg_outputs_poke(struct fg_outputs *outputs)
{
    if (fg_store_health(outputs->env.store, NULL) == FG_EFULL)
        return;
    fg_time now = fg_time_monotonic();
    for (size_t i = 0; i < N_KINDS; i++)
        if (!outputs->at[i].why.status || now >= outputs->at[i].next_try)
            poke(outputs, i);
}

enum fg_status fg_outputs_flush(struct fg_outputs *outputs, struct fg_err *err)
{
    enum fg_status st = FG_OK;
    for (size_t i = 0; i < N_KINDS; i++) {
        poke(outputs, i);
        if (!st && outputs->at[i].why.status && kinds[i]->delivered)
            st = fg_fail(err, outputs->at[i].why.status, "%s", outputs->at[i].why.text);
    }
    return st;
}

void fg_outputs_drain(struct fg_outputs *outputs, bool hands_on)
{
    for (size_t i = 0; i < N_KINDS; i++)
        if (outputs->at[i].output && kinds[i]->drain)
            kinds[i]->drain(outputs->at[i].output, hands_on);
}

bool fg_outputs_are_busy(const struct fg_outputs *outputs)
{
    for (size_t i = 0; i < N_KINDS; i++)
        if (is_busy(outputs, i))
            return true;
    return false;
}

uint64_t fg_outputs_delivered(const struct fg_outputs *outputs)
{
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < N_KINDS; i++) {
        const struct outlet *outlet = &outputs->at[i];
        uint64_t number = outlet->output && kinds[i]->delivered
                              ? kinds[i]->delivered(outlet->output)
                          : outlet->is_reopening ? outlet->delivered
                                                 : UINT64_MAX;
        least = number < least ? number : least;
    }
    return least;
}

void *fg_outputs_get(const struct fg_outputs *outputs, const struct fg_output_kind *kind)
{
    return outputs->at[place_of(kind)].output;
}

enum fg_status fg_outputs_open(struct fg_outputs **result,
                               const struct fg_output_env *env,
                               const struct fg_output_settings *settings,
                               struct fg_err *err)
{
    *result = NULL;
    struct fg_outputs *outputs = fg_zeroed(1, sizeof *outputs);
    outputs->env = *env;
    outputs->env.settings = settings;
    for (size_t i = 0; i < N_KINDS; i++)
        outputs->at[i].delivered = UINT64_MAX;
    outputs->timer = evtimer_new(env->loop, on_timer, outputs);
    enum fg_status st = FG_OK;
    for (size_t i = 0; !st && i < N_KINDS; i++)
        st = kinds[i]->open(&outputs->at[i].output, &outputs->env, settings->of[i], err);
    if (st) {
        fg_outputs_close(outputs);
        return st;
    }
    *result = outputs;
    return FG_OK;
}

void fg_outputs_close(struct fg_outputs *outputs)
{
    if (!outputs)
        return;
    for (size_t i = 0; i < N_KINDS; i++)
        if (outputs->at[i].output)
            kinds[i]->close(outputs->at[i].output);
    event_free(outputs->timer);
    free(outputs);
}
